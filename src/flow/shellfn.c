// SPDX-License-Identifier: MIT
/* shellfn.c: see shellfn.h. A command runs as `bash -c "set -euo pipefail; cmd"`; its text is
 * formatted with the names its caller sees. */
#include "flow/shellfn.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/tool.h"
#include "flow/evalvalues.h"
#include "flow/software.h"
#include "flow/state.h"
#include "flow/textformat.h"
#include "python/types.h"

struct shellfn {
    struct object object;
    struct workflow *workflow;
};

static struct workflow *owner(value v)
{
    return ((struct shellfn *)as_object(v))->workflow;
}

/* ---- settings ---- */

const char *workflow_shell_executable(const struct workflow *workflow)
{
    value v = workflow->flow->shell_executable.v;
    if (v != VALUE_NONE)
        return str_text(v);
    return access("/bin/bash", X_OK) == 0 || access("/usr/bin/bash", X_OK) == 0 ? "bash" : "sh";
}

static bool is_bash(const char *executable)
{
    const char *slash = strrchr(executable, '/');
    return !strcmp(slash ? slash + 1 : executable, "bash");
}

const char *workflow_shell_prefix(const struct workflow *workflow)
{
    value v = workflow->flow->shell_prefix.v;
    if (v != VALUE_NONE)
        return str_text(v);
    return is_bash(workflow_shell_executable(workflow)) ? "set -euo pipefail; " : "";
}

const char *workflow_shell_suffix(const struct workflow *workflow)
{
    value v = workflow->flow->shell_suffix.v;
    return v != VALUE_NONE ? str_text(v) : "";
}

static value set_text(struct vm *vm, const struct args *args, struct root *root)
{
    size_t len;
    const char *text = args->at[1] == VALUE_NONE ? NULL : arg_text(vm, args, 1, &len);
    if (!text && args->at[1] != VALUE_NONE)
        return NO_VALUE;
    root->v = args->at[1];
    return VALUE_NONE;
}

static value set_executable(struct vm *vm, const struct args *args)
{
    return set_text(vm, args, &owner(args->at[0])->flow->shell_executable);
}

static value set_prefix(struct vm *vm, const struct args *args)
{
    return set_text(vm, args, &owner(args->at[0])->flow->shell_prefix);
}

static value set_suffix(struct vm *vm, const struct args *args)
{
    return set_text(vm, args, &owner(args->at[0])->flow->shell_suffix);
}

static const struct native_def shell_methods[] = {
    {"executable", set_executable, "self cmd", "Which shell runs commands."},
    {"prefix", set_prefix, "self prefix",
     "Text in front of every command, instead of strict mode."},
    {"suffix", set_suffix, "self suffix", "Text behind every command."},
    {0},
};

/* ---- formatting ---- */

struct caller {
    value locals, globals; /* dicts or NO_VALUE */
    value extra;           /* keywords of the call */
};

static value lookup_caller(struct vm *vm, void *user, const char *name, size_t len)
{
    const struct caller *caller = user;
    value key = str_new(vm, name, len), found = NO_VALUE;
    value places[] = {caller->extra, caller->locals, caller->globals, vm_builtins(vm)};
    for (int i = 0; i < 4 && !found; i++)
        found = places[i] ? dict_get(vm, places[i], key) : NO_VALUE;
    if (found)
        return found;
    return vm_raise(
        vm, "NameError",
        "The name '%.*s' is unknown in this context. Please make sure that you defined "
        "that variable. Also note that braces not used for variable access have to be escaped by "
        "repeating them, i.e. {{print $1}}",
        (int)len, name);
}

static value names_of_caller(struct vm *vm, const char *builtin)
{
    value function = dict_get_str(vm, vm_builtins(vm), builtin);
    value names = function ? vm_call0(vm, function) : NO_VALUE;
    vm_take_error(vm);
    return names && is_dict(names) ? names : NO_VALUE;
}

static bool format_command(struct workflow *w, value text, value args, value kwargs,
                           struct buf *out)
{
    struct caller caller = {names_of_caller(w->vm, "locals"), names_of_caller(w->vm, "globals"),
                            kwargs};
    struct buf culprit = {0};
    struct format_rules rules = {.lookup = lookup_caller,
                                 .emit = textformat_emit,
                                 .user = &caller,
                                 .args = args,
                                 .culprit = &culprit};
    bool fine = format_expand(w->vm, str_text(text), as_str(text)->len, &rules, out);
    if (fine && memchr(buf_text(out), 0, out->len))
        fine = vm_raise(w->vm, "ValueError", "embedded null byte");
    if (!fine)
        as_exception(vm_error(w->vm))->culprit = field_span(w, vm_running(w->vm),
                                                            buf_text(&culprit), culprit.len);
    buf_free(&culprit);
    return fine;
}

/* ---- running ---- */

static value failed(struct vm *vm, bool started, int status, const char *command)
{
    if (!started)
        return vm_raise_errno(vm, errno, workflow_shell_executable(workflow_of(vm)));
    value subprocess = module_import(vm, "subprocess");
    value class = subprocess ? module_get(vm, subprocess, "CalledProcessError") : NO_VALUE;
    value args[] = {int_from(vm, status), str_from(vm, command)};
    value error = class ? vm_call(vm, class, args, 2, NO_VALUE) : NO_VALUE;
    return error ? vm_raise_value(vm, error) : NO_VALUE;
}

static value lines_of(struct vm *vm, const struct buf *text)
{
    value list = list_new(vm, NULL, 0);
    const char *at = buf_text(text), *end = at + text->len;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        list_push(vm, list, str_new(vm, at, (size_t)(stop - at)));
        at = stop + 1;
    }
    return list;
}

/* What the command has printed, line by line; that it has failed is told after the last one. */
struct shell_lines {
    struct object object;
    value iter;  /* over the lines */
    value error; /* NO_VALUE: none, or raised */
};

static void shell_lines_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct shell_lines *)self)->iter);
    heap_mark(vm, ((struct shell_lines *)self)->error);
}

static value shell_lines_iter(struct vm *vm, value self)
{
    return self;
}

static value shell_lines_next(struct vm *vm, value self)
{
    struct shell_lines *lines = (struct shell_lines *)as_object(self);
    value line = value_next(vm, lines->iter), error = lines->error;
    if (line || !error)
        return line;
    lines->error = NO_VALUE;
    return vm_raise_value(vm, error);
}

static const struct type type_shell_lines = {.object = {.type = &type_type},
                                             .name = "generator",
                                             .size = sizeof(struct shell_lines),
                                             .mark = shell_lines_mark,
                                             .iter = shell_lines_iter,
                                             .next = shell_lines_next};

static value shell_lines_new(struct vm *vm, const struct buf *text, value error)
{
    value iter = value_iter(vm, lines_of(vm, text));
    if (!iter)
        return NO_VALUE;
    struct shell_lines *lines = object_new(vm, &type_shell_lines);
    lines->iter = iter;
    lines->error = error;
    return from_object(lines);
}

static value run_captured(struct workflow *w, const char *command, bool lines)
{
    struct buf text = {0};
    int status;
    bool started = tool_run(workflow_shell_executable(w), command, false, &text, &status);
    value result = NO_VALUE;
    if (status)
        failed(w->vm, started, status, command);
    if (started && lines)
        result = shell_lines_new(w->vm, &text, vm_take_error(w->vm));
    else if (!status)
        result = str_new(w->vm, buf_text(&text), text.len);
    buf_free(&text);
    return result;
}

static value run_plain(struct workflow *w, const char *command)
{
    int status;
    bool started = tool_wait(workflow_shell_executable(w), command, &status);
    return status ? failed(w->vm, started, status, command) : VALUE_NONE;
}

static bool option(struct vm *vm, value kwargs, const char *name)
{
    bool on = false;
    value v = kwargs ? dict_get_str(vm, kwargs, name) : NO_VALUE;
    return v && value_truth(vm, v, &on) && on;
}

static value shell_call(struct vm *vm, value self, value args, value kwargs)
{
    struct workflow *w = owner(self);
    struct buf command = {0};
    size_t n;
    const value *at = sequence_items(args, &n);
    value cmd = n ? at[0] : kwargs ? dict_get_str(vm, kwargs, "cmd") : NO_VALUE;
    if (!cmd || !is_str(cmd))
        return vm_raise(vm, "TypeError", "shell() takes a command as text");
    buf_printf(&command, "%s ", workflow_shell_prefix(w));
    bool fine = format_command(w, cmd, tuple_new(vm, at + !!n, n - !!n), kwargs, &command);
    if (*workflow_shell_suffix(w))
        buf_printf(&command, " %s", workflow_shell_suffix(w));
    const char *text = buf_text(&command);
    struct arena scratch = {0};
    if (fine && w->flow->wrap)
        text = software_command(&scratch, w->flow->wrap, text);
    value result = NO_VALUE;
    if (fine && (option(vm, kwargs, "iterable") || option(vm, kwargs, "read")))
        result = run_captured(w, text, option(vm, kwargs, "iterable"));
    else if (fine)
        result = run_plain(w, text);
    arena_free(&scratch);
    buf_free(&command);
    return result;
}

static const struct type type_shell = {.object = {.type = &type_type},
                                       .name = "snakemake.shell.shell",
                                       .size = sizeof(struct shellfn),
                                       .call = shell_call,
                                       .methods = shell_methods};

value shellfn_new(struct workflow *w)
{
    struct shellfn *shell = object_new(w->vm, &type_shell);
    shell->workflow = w;
    return from_object(shell);
}
