// SPDX-License-Identifier: MIT
/* What the workflow layer gets to see of Snakemake's statements. */
#include "test.h"

#include "base/buf.h"
#include "run.h"

struct seen {
    struct session *s;
    struct buf out;
    value body;
};

static void show_args(struct seen *seen, const struct directive_args *args)
{
    for (uint32_t i = 0; i < args->n; i++) {
        size_t len;
        const char *text = span_text(seen->s->sources, args->span[i], &len);
        buf_printf(&seen->out, " %s%s%s@%.*s",
                   args->name[i] ? sym_text(seen->s->names, args->name[i]) : "",
                   args->name[i] ? "=" : "", str_text(value_repr(seen->s->vm, args->at[i])),
                   (int)len, text);
    }
}

static value begin(struct vm *vm, void *user, const struct node *statement)
{
    struct seen *seen = user;
    buf_printf(&seen->out, "%s %s;", node_kind_name(statement->kind),
               sym_text(seen->s->names, statement->name));
    return small(42);
}

static bool directive(struct vm *vm, void *user, value builder, const struct node *node,
                      const struct directive_args *args, value body)
{
    struct seen *seen = user;
    buf_printf(&seen->out, " %s:", sym_text(seen->s->names, node->name));
    show_args(seen, args);
    if (body) {
        seen->body = body;
        buf_str(&seen->out, " body");
    }
    buf_char(&seen->out, ';');
    return builder == small(42);
}

static bool end(struct vm *vm, void *user, value builder)
{
    struct seen *seen = user;
    buf_str(&seen->out, " end. ");
    return true;
}

static bool keyword(struct vm *vm, void *user, const struct node *node,
                    const struct directive_args *args)
{
    struct seen *seen = user;
    if (!strcmp(sym_text(seen->s->names, node->name), "workdir"))
        return vm_raise(vm, "ValueError", "not here");
    buf_printf(&seen->out, "%s", sym_text(seen->s->names, node->name));
    show_args(seen, args);
    buf_str(&seen->out, ". ");
    return true;
}

static bool hook(struct vm *vm, void *user, const struct node *node, value function)
{
    struct seen *seen = user;
    size_t n;
    const struct param_info *params = function_params(vm, function, &n);
    buf_printf(&seen->out, "%s(%s). ", sym_text(seen->s->names, node->name),
               n == 1 ? sym_text(seen->s->names, params[0].name) : "?");
    return true;
}

static const char *seen_of(struct seen *seen, const char *text)
{
    struct session *s = seen->s;
    struct parse_options options = {0};
    buf_reset(&seen->out);
    int source = source_add(s->sources, "Snakefile", text, strlen(text));
    struct node *tree = parse_source(&s->arena, s->names, s->dx, source, &options);
    if (!tree || !vm_run(s->vm, tree, s->globals.v))
        return vm_failed(s->vm) ? exception_text(s->vm, vm_take_error(s->vm)) : diag_last(s->dx);
    return buf_text(&seen->out);
}

static void bodies(struct seen *seen)
{
    struct vm *vm = seen->s->vm;
    seen_of(seen, "x = 'X'\nrule a:\n    run:\n        y = x + wildcards\n        done = y\n       "
                  " return_ = [y for _ "
                  "in input]\n");
    ok(seen->body, "run is a function");
    size_t n;
    const struct param_info *params = function_params(vm, seen->body, &n);
    ok(n == BODY_PARAM_COUNT && !strcmp(sym_text(seen->s->names, params[3].name), "wildcards"),
       "of BODY_PARAMS");
    value args[BODY_PARAM_COUNT];
    for (int i = 0; i < BODY_PARAM_COUNT; i++)
        args[i] = str_from(vm, "w");
    ok(vm_call(vm, seen->body, args, BODY_PARAM_COUNT, NO_VALUE) == VALUE_NONE, "which runs");
    ok(!dict_get_str(vm, seen->s->globals.v, "y"), "its names are its own");
    seen_of(seen, "wildcards = 'early'\nrule b:\n    shell: f'{x} {wildcards}'\n");
    value text = vm_call(vm, seen->body, args, BODY_PARAM_COUNT, NO_VALUE);
    is(text ? str_text(text) : NULL, "X w",
       "a shell expression is evaluated again with the job's names");
}

int main(void)
{
    struct session s;
    struct seen seen = {.s = &s};
    struct workflow_hooks hooks = {.user = &seen,
                                   .begin = begin,
                                   .directive = directive,
                                   .end = end,
                                   .keyword = keyword,
                                   .hook = hook};
    session_start(&s, &hooks);
    is(seen_of(&seen, "names = ['p', 'q']\nrule a:\n    input: 'x', *names, k=1 + 1, **{'z': 3}\n  "
                      "  shell: 'cat'\n"),
       "RULE a; input: 'x'@'x' 'p'@*names 'q'@*names k=2@1 + 1 z=3@**{'z': 3}; shell: 'cat'@'cat'; "
       "end. ",
       "arguments come in order with names and places");
    is(seen_of(
           &seen,
           "if True:\n    rule b:\n        output: 'o'\nelse:\n    rule c:\n        output: 'p'\n"),
       "RULE b; output: 'o'@'o'; end. ", "a rule is a statement");
    is(seen_of(&seen,
               "def make(n):\n    rule:\n        name: f'r{n}'\nfor i in range(2): make(i)\n"),
       "RULE ; name: 'r0'@f'r{n}'; end. RULE ; name: 'r1'@f'r{n}'; end. ", "in a function too");
    is(seen_of(&seen, "localrules: a, b\n"), "localrules 'a'@a 'b'@b. ", "localrules gives names");
    is(seen_of(&seen, "onsuccess:\n    x = log\n"), "onsuccess(log). ",
       "a hook is a function of log");
    is(seen_of(&seen, "workdir: 'x'\n"), "ValueError: not here", "what a hook raises is passed on");
    bodies(&seen);
    buf_free(&seen.out);
    session_end(&s);
    return done();
}
