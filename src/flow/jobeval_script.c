// SPDX-License-Identifier: MIT
/* jobeval_script.c: what scripts get to know of their job: JSON for Python, associative arrays for
 * bash, an S4 object for R; and the file that is run: that preamble, then the script. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/path.h"
#include "flow/evalvalues.h"
#include "flow/helpers.h"
#include "flow/namedlist.h"
#include "flow/scriptvalue.h"
#include "flow/state.h"
#include "flow/texts.h"

/* The parts that are named lists, in the order of Snakemake's own object. */
static const char *const part_names[] = {"input",     "output",    "params",
                                         "wildcards", "resources", "log"};
enum { PARTS = 6 };

/* Everything a script may know. */
struct script_view {
    struct job_eval *eval;
    value part[PARTS];
    value config;
    const char *path, *dir; /* of the script */
};

static bool open_view(struct job_eval *eval, const char *path, struct script_view *view)
{
    view->eval = eval;
    view->path = path;
    if (!view->path)
        return false;
    view->dir = path_dirname(eval->scratch, view->path);
    view->part[0] = eval_seen_input(eval);
    view->part[1] = eval_seen_output(eval);
    view->part[2] = eval_seen_params(eval);
    view->part[3] = eval_seen_wildcards(eval);
    view->part[4] = eval_seen_resources(eval);
    view->part[5] = eval_seen_log(eval);
    view->config = dict_get_str(eval->workflow->vm, eval->rule->scope->globals.v, "config");
    if (!view->config)
        view->config = eval_hold(eval, dict_new(eval->workflow->vm));
    return view->part[2] && view->part[4];
}

static const char *rule_name(const struct script_view *view)
{
    return flow_text(view->eval->workflow, view->eval->rule->name);
}

/* ---- JSON ---- */

static bool part_json(struct vm *vm, value list, struct buf *out)
{
    sym_t name;
    uint32_t at, len;
    bool is_list;
    size_t n;
    const value *item = sequence_items(list, &n);
    buf_str(out, "{\"items\":[");
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_char(out, ',');
        if (!scriptvalue_python(vm, item[i], out))
            return false;
    }
    buf_str(out, "],\"names\":[");
    for (size_t i = 0; namedlist_range(list, i, &name, &at, &len, &is_list); i++) {
        const char *text = sym_text(vm_names(vm), name);
        buf_str(out, i ? ",[\"" : "[\"");
        buf_json(out, text, strlen(text));
        buf_printf(out, "\",%u,", at);
        buf_printf(out, is_list ? "%u]" : "null]", at + len);
    }
    buf_str(out, "]}");
    return true;
}

static void text_json(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, ",\"%s\":\"", key);
    buf_json(out, text, strlen(text));
    buf_char(out, '"');
}

static bool view_json(const struct script_view *view, struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    for (int i = 0; i < PARTS; i++) {
        buf_printf(out, "%s\"%s\":", i ? "," : "{", part_names[i]);
        if (!part_json(vm, view->part[i], out))
            return false;
    }
    buf_printf(out, ",\"threads\":%d,\"jobid\":%u,\"bench_iteration\":", view->eval->threads,
               view->eval->jobid);
    if (view->eval->bench_iteration)
        buf_printf(out, "%d", view->eval->bench_iteration - 1);
    else
        buf_str(out, "null");
    text_json(out, "rule", rule_name(view));
    text_json(out, "scriptdir", view->dir);
    text_json(out, "script", view->path);
    buf_str(out, ",\"config\":");
    if (!scriptvalue_python(vm, view->config, out))
        return false;
    buf_char(out, '}');
    return true;
}

bool eval_params_json(struct job_eval *eval, struct buf *out)
{
    struct vm *vm = eval->workflow->vm;
    value params = eval_seen_params(eval);
    sym_t name;
    uint32_t at, len;
    bool is_list;
    buf_char(out, '{');
    for (size_t i = 0; params && namedlist_range(params, i, &name, &at, &len, &is_list); i++) {
        const char *text = sym_text(eval->workflow->names, name);
        value item = namedlist_find(vm, params, name);
        buf_str(out, i ? ", \"" : "\"");
        buf_json(out, text, strlen(text));
        buf_str(out, "\": ");
        if (!item || !scriptvalue_json(vm, item, out))
            return false;
    }
    buf_char(out, '}');
    return params != NO_VALUE;
}

const char *eval_params_cache(struct job_eval *eval)
{
    struct vm *vm = eval->workflow->vm;
    value params = eval_seen_params(eval), names = eval_hold(eval, list_new(vm, NULL, 0));
    value cache_text = params ? prelude_get(eval->workflow, "cache_text") : NO_VALUE;
    sym_t name;
    uint32_t at, len;
    bool is_list;
    size_t n = 0;
    if (!cache_text)
        return NULL;
    sequence_items(params, &n);
    value *name_of = arena_array(eval->scratch, value, n + 1);
    for (size_t i = 0; i < n; i++)
        name_of[i] = VALUE_NONE;
    for (size_t i = 0; namedlist_range(params, i, &name, &at, &len, &is_list); i++)
        for (uint32_t k = at; k < at + len && k < n; k++)
            name_of[k] = str_from_sym(vm, name);
    for (size_t i = 0; i < n; i++)
        list_push(vm, names, name_of[i]);
    value args[] = {params, names}, text = vm_call(vm, cache_text, args, 2, NO_VALUE);
    return text ? arena_str(eval->scratch, str_text(text)) : NULL;
}

bool eval_script_json(struct job_eval *eval, struct buf *out)
{
    struct script_view view;
    if (open_view(eval, eval_script(eval), &view) && view_json(&view, out))
        return true;
    eval_failed(eval, "script", eval->rule->body_span);
    return false;
}

/* ---- preambles ---- */

/* The JSON stands in the file as a text literal of Python; JSON's escapes are Python's too. */
static bool python_preamble(const struct script_view *view, struct buf *out)
{
    struct buf json = {0};
    bool fine = view_json(view, &json);
    buf_str(out, text_preamble_py);
    buf_str(out, "snakemake = Snakemake(_json.loads(\"");
    buf_json(out, buf_text(&json), json.len);
    buf_str(out, "\", object_hook=_unpickled))\n_stand_in()\n_start(\"");
    buf_json(out, view->path, strlen(view->path));
    buf_str(out, "\")\n");
    buf_free(&json);
    return fine;
}

static bool bash_preamble(const struct script_view *view, struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    for (int i = 0; i < PARTS; i++)
        if (!scriptvalue_bash(vm, part_names[i], view->part[i], out))
            return false;
    if (!scriptvalue_bash(vm, "config", view->config, out))
        return false;
    buf_printf(out, "declare -A snakemake=( [threads]=%d [rule]=", view->eval->threads);
    buf_shell_quote(out, rule_name(view), strlen(rule_name(view)));
    buf_str(out, " [scriptdir]=");
    buf_shell_quote(out, view->dir, strlen(view->dir));
    if (view->eval->bench_iteration)
        buf_printf(out, " [bench_iteration]=%d )\n", view->eval->bench_iteration - 1);
    else
        buf_str(out, " [bench_iteration]=None )\n");
    return true;
}

static bool add_r_value(const struct script_view *view, const char *name, size_t len,
                        struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    for (int i = 0; i < PARTS; i++)
        if (strlen(part_names[i]) == len && !memcmp(part_names[i], name, len))
            return scriptvalue_r(vm, view->part[i], out);
    if (!strncmp(name, "config@", 7))
        return scriptvalue_r(vm, view->config, out);
    if (!strncmp(name, "threads@", 8))
        buf_printf(out, "%d", view->eval->threads);
    else if (!strncmp(name, "rule@", 5))
        return scriptvalue_r(vm, str_from(vm, rule_name(view)), out);
    else if (!strncmp(name, "scriptdir@", 10))
        return scriptvalue_r(vm, str_from(vm, view->dir), out);
    else if (view->eval->bench_iteration)
        buf_printf(out, "%dL", view->eval->bench_iteration - 1);
    else
        buf_str(out, "as.numeric(NA)");
    return true;
}

/* "@name@" with a lower-case name is a hole; "snakemake@scriptdir" is R. */
static bool r_preamble(const struct script_view *view, struct buf *out)
{
    const char *text = text_preamble_r, *hole;
    while ((hole = strchr(text, '@'))) {
        size_t len = strspn(hole + 1, "abcdefghijklmnopqrstuvwxyz_");
        bool is_hole = len && hole[1 + len] == '@' && hole > text && hole[-1] == ' ';
        buf_add(out, text, (size_t)(hole - text) + !is_hole);
        if (is_hole && !add_r_value(view, hole + 1, len, out))
            return false;
        text = is_hole ? hole + len + 2 : hole + 1;
    }
    buf_str(out, text);
    return true;
}

/* ---- the file that is run ---- */

static const struct language {
    const char *extension;
    bool (*preamble)(const struct script_view *view, struct buf *out);
    bool append;         /* the script follows the preamble in the same file */
    const char *command; /* NULL: the workflow's Python */
} languages[] = {
    {".py", python_preamble, false, NULL},         {".sh", bash_preamble, true, "bash"},
    {".bash", bash_preamble, true, "bash"},        {".R", r_preamble, true, "Rscript --vanilla"},
    {".r", r_preamble, true, "Rscript --vanilla"},
};

static const struct language *find_language(const char *path)
{
    const char *extension = path_extension(path);
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(languages[i].extension, extension))
            return &languages[i];
    return NULL;
}

static bool add_source(const struct script_view *view, struct buf *out)
{
    size_t len;
    char *text = fs_read(view->eval->scratch, view->path, &len);
    if (!text) {
        vm_raise_errno(view->eval->workflow->vm, errno, view->path);
        return false;
    }
    buf_add(out, text, len);
    return true;
}

/* A file of a name of its own under dir: tmpXXXXXX.script.py. */
static const char *write_file(struct job_eval *eval, const char *dir, const char *name,
                              const struct buf *text)
{
    char *path = arena_printf(eval->scratch, "%s/tmpXXXXXX.%s", dir, name);
    int fd = fs_mkdirs(dir) ? mkstemps(path, (int)strlen(name) + 1) : -1;
    size_t done = 0;
    while (fd >= 0 && done < text->len) {
        ssize_t n = write(fd, text->at + done, text->len - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    bool fine = fd >= 0 && done == text->len;
    int error = errno;
    if (fd >= 0 && close(fd) != 0)
        fine = false;
    if (fine)
        return path;
    vm_raise_errno(eval->workflow->vm, error, path);
    return NULL;
}

static bool write_script(const struct script_view *view, const char *dir,
                         const struct language *language, struct script_run *out)
{
    struct job_eval *eval = view->eval;
    struct buf text = {0}, command = {0};
    bool fine = language->preamble(view, &text) && (!language->append || add_source(view, &text));
    const char *python = eval->python                     ? eval->python
                         : eval->workflow->options.python ? eval->workflow->options.python
                                                          : "python3";
    out->file = fine ? write_file(eval, dir, path_basename(view->path), &text) : NULL;
    if (out->file) {
        buf_printf(&command, "%s ", language->command ? language->command : python);
        buf_shell_quote(&command, out->file, strlen(out->file));
        out->command = arena_copy(eval->scratch, buf_text(&command), command.len);
    }
    buf_free(&text);
    buf_free(&command);
    return out->file;
}

bool eval_script_command(struct job_eval *eval, const char *dir, struct script_run *out)
{
    struct script_view view;
    *out = (struct script_run){0};
    bool fine = open_view(eval, eval_script(eval), &view);
    const struct language *language = fine ? find_language(view.path) : NULL;
    if (fine && !fs_exists(view.path))
        vm_raise_errno(eval->workflow->vm, ENOENT, view.path);
    else if (fine && !language)
        flow_raise(eval->workflow, "WorkflowError",
                   "Unsupported script: %s. Scripts may be written in Python (.py), bash (.sh) and "
                   "R (.R).",
                   view.path);
    else if (fine && write_script(&view, dir, language, out))
        return true;
    eval_failed(eval, "script", eval->rule->body_span);
    return false;
}

bool eval_template_command(struct job_eval *eval, const char *dir, struct script_run *out)
{
    struct script_view view;
    struct buf text = {0};
    *out = (struct script_run){0};
    const char *engine = eval_body_text(eval, "template engine");
    buf_str(&text, "engine = \"");
    if (engine)
        buf_json(&text, engine, strlen(engine));
    buf_printf(&text, "\"\n%s", text_template);
    const char *script = engine ? write_file(eval, dir, "template.py", &text) : NULL;
    buf_free(&text);
    if (script && open_view(eval, script, &view) &&
        write_script(&view, dir, find_language(script), out)) {
        out->data = script;
        return true;
    }
    eval_failed(eval, "template", eval->rule->body_span);
    return false;
}
