// SPDX-License-Identifier: MIT
/* jobeval_script.c: what scripts get to know of their job, as JSON for Python; and the file that is
 * run: a preamble in its language (scriptlanguages.c), then the script. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/path.h"
#include "flow/evalvalues.h"
#include "flow/hold.h"
#include "flow/namedlist.h"
#include "flow/prelude.h"
#include "flow/scriptvalue.h"
#include "flow/scriptview.h"
#include "flow/state.h"
#include "flow/texts.h"
#include "modules/modules.h"

bool script_view_open(struct job_eval *eval, const char *path, struct script_view *view)
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

/* ---- JSON ---- */

const char *const script_part_names[] = {"input",     "output",    "params",
                                         "wildcards", "resources", "log"};

/* Raises what the exception in flight says, behind the value's name. Always false. */
static bool refuse(const struct script_view *view, const char *name)
{
    struct workflow *w = view->eval->workflow;
    value error = vm_take_error(w->vm);
    char *text = arena_str(view->eval->scratch, exception_text(w->vm, error));
    const char *more = exception_is(w->vm, error, "RecursionError")
                           ? "; it holds itself, or others too deep, for a Python script"
                           : "";
    flow_raise(w, "WorkflowError", "%s: %s%s", name, text, more);
    return false;
}

static bool refuse_item(const struct script_view *view, int part, size_t number)
{
    sym_t name;
    uint32_t at, len;
    bool is_list;
    const char *kind = script_part_names[part];
    for (size_t i = 0; namedlist_range(view->part[part], i, &name, &at, &len, &is_list); i++)
        if (number >= at && number < at + len)
            return refuse(view, arena_printf(view->eval->scratch, "%s.%s", kind,
                                             sym_text(view->eval->workflow->names, name)));
    return refuse(view, arena_printf(view->eval->scratch, "%s[%zu]", kind, number));
}

/* The same, of the first key whose value is refused. */
static bool refuse_config(const struct script_view *view)
{
    struct vm *vm = view->eval->workflow->vm;
    value key, item, error = vm_take_error(vm);
    struct buf unused = {0};
    const char *name = "config";
    for (size_t pos = 0; is_dict(view->config) && dict_next(view->config, &pos, &key, &item);)
        if (!scriptvalue_python(vm, item, &unused)) {
            error = vm_take_error(vm);
            value shown = value_repr(vm, key);
            name = arena_printf(view->eval->scratch, "config[%s]", shown ? str_text(shown) : "?");
            break;
        }
    buf_free(&unused);
    vm_raise_value(vm, error);
    return refuse(view, name);
}

static bool part_json(const struct script_view *view, int part, struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    size_t n;
    const value *item = sequence_items(view->part[part], &n);
    buf_str(out, "{\"items\":[");
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_char(out, ',');
        if (!scriptvalue_python(vm, item[i], out))
            return refuse_item(view, part, i);
    }
    buf_str(out, "],\"names\":");
    scriptvalue_names(vm, view->part[part], out);
    buf_char(out, '}');
    return true;
}

static void text_json(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, ",\"%s\":", key);
    buf_json_text(out, text);
}

/* Where the Snakefile imports from: the folders of all its files, and what it has put into sys.path
 * itself; and the script's folder. Scripts look there too, behind their own. */
static void search_path_json(const struct script_view *view, struct buf *out)
{
    size_t n;
    const value *at = sequence_items(module_search_path(view->eval->workflow->vm), &n);
    buf_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (!is_str(at[i]) || !fs_is_dir(str_text(at[i])))
            continue;
        buf_char(out, '"');
        buf_json(out, str_text(at[i]), as_str(at[i])->len);
        buf_str(out, "\",");
    }
    buf_json_text(out, view->dir);
    buf_char(out, ']');
}

const char *script_rule_name(const struct script_view *view)
{
    return flow_text(view->eval->workflow, view->eval->rule->name);
}

/* All of it as JSON. False: raised. */
static bool script_view_json(const struct script_view *view, struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    for (int i = 0; i < SCRIPT_PARTS; i++) {
        buf_printf(out, "%s\"%s\":", i ? "," : "{", script_part_names[i]);
        if (!part_json(view, i, out))
            return false;
    }
    buf_printf(out, ",\"threads\":%d,\"jobid\":%u,\"bench_iteration\":", view->eval->threads,
               view->eval->jobid);
    if (view->eval->bench_iteration)
        buf_printf(out, "%d", view->eval->bench_iteration - 1);
    else
        buf_str(out, "null");
    text_json(out, "rule", script_rule_name(view));
    text_json(out, "scriptdir", view->dir);
    text_json(out, "script", view->path);
    buf_str(out, ",\"config\":");
    if (!scriptvalue_python(vm, view->config, out))
        return refuse_config(view);
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
        buf_str(out, i ? ", " : "");
        buf_json_text(out, text);
        buf_str(out, ": ");
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

/* ---- preambles ---- */

/* JSON stands in the file as a text literal of Python; JSON's escapes are Python's too. */
static void literal(const char *name, const struct buf *json, struct buf *out)
{
    buf_printf(out, "%s = \"", name);
    buf_json(out, json->at, json->len);
    buf_str(out, "\"\n");
}

/* The long literals are lines of their own, which no traceback shows. */
static bool python_facts(const struct script_view *view, struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    struct buf path = {0}, json = {0};
    hold_heap(vm);
    bool fine = script_view_json(view, &json);
    release_heap(vm);
    search_path_json(view, &path);
    buf_str(out, text_preamble_py);
    literal("_folders", &path, out);
    literal("_facts", &json, out);
    buf_str(out, "_installed = _has_snakemake()\n"
                 "_search(_json.loads(_folders))\n"
                 "snakemake = Snakemake(_json.loads(_facts, object_hook=_built))\n"
                 "if not _installed:\n    _stand_in()\n");
    buf_free(&path);
    buf_free(&json);
    return fine;
}

static bool python_with(const struct script_view *view, const char *function, struct buf *out)
{
    bool fine = python_facts(view, out);
    buf_printf(out, "%s(", function);
    buf_json_text(out, view->path);
    buf_str(out, ")\n");
    return fine;
}

bool script_python(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    return python_with(view, "_start", out);
}

bool script_python_quoted(const struct script_view *view, const char *function, struct buf *out)
{
    struct buf python = {0};
    bool fine = python_with(view, function, &python);
    buf_char(out, '"');
    buf_json(out, buf_text(&python), python.len);
    buf_char(out, '"');
    buf_free(&python);
    return fine;
}

/* ---- the file that is run ---- */

/* How a script is run: by a program, whose absence is told in words. */
static const struct language {
    const char *extension;
    bool (*write)(const struct script_view *view, const char *source, size_t len, struct buf *out);
    const char *program;         /* NULL: the workflow's Python */
    const char *before, *behind; /* arguments around the file */
} languages[] = {
    {".py", script_python, NULL, "", ""},
    {".sh", script_bash, "bash", "", ""},
    {".bash", script_bash, "bash", "", ""},
    {".R", script_r, "Rscript", "--vanilla ", ""},
    {".r", script_r, "Rscript", "--vanilla ", ""},
    {".Rmd", script_rmd, "Rscript", NULL, NULL},
    {".jl", script_julia, "julia", "", ""},
    {".rs", script_rust, "rust-script",
     "-d anyhow=1 -d serde_json=1.0 -d serde=1.0 -d serde_derive=1.0 -d lazy_static=1.4 "
     "-d json_typegen=0.6 -d gag=1 ",
     " -- --features serde/derive"},
    {".xsh", script_xonsh, "xonsh", "-DRAISE_SUBPROC_ERROR=true -DXONSH_SHOW_TRACEBACK=true ", ""},
    {".hy", script_hy, "hy", "", ""},
};

static const struct language *find_language(const char *path)
{
    const char *extension = path_extension(path);
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(languages[i].extension, extension))
            return &languages[i];
    return NULL;
}

const char *script_write_file(struct job_eval *eval, const char *dir, const char *name,
                              const struct buf *text)
{
    char *path = arena_printf(eval->scratch, "%s/tmpXXXXXX.%s", dir, name);
    int fd = fs_mkdirs(dir) ? mkstemps(path, (int)strlen(name) + 1) : -1;
    bool fine = fd >= 0 && fs_write_all(fd, text->at, text->len);
    int error = errno;
    if (fd >= 0 && close(fd) && fine)
        fine = false, error = errno;
    if (fine)
        return path;
    if (fd >= 0)
        unlink(path);
    vm_raise_errno(eval->workflow->vm, error, path);
    return NULL;
}

/* R Markdown is rendered by R's own package, to the only output. */
static bool render_command(const struct script_view *view, const char *file, struct buf *out)
{
    struct job_eval *eval = view->eval;
    const char *cwd = eval->workflow->workdir;
    struct buf code = {0};
    if (eval->output.len != 1) {
        flow_raise(eval->workflow, "WorkflowError",
                   "RMarkdown scripts (.Rmd) may only have a single output file.");
        return false;
    }
    const char *made = path_absolute(eval->scratch, cwd,
                                     flow_text(eval->workflow, eval->output.at[0].path));
    buf_str(&code, "rmarkdown::render(");
    buf_json_text(&code, file);
    buf_str(&code, ", output_file=");
    buf_json_text(&code, made);
    buf_str(&code, ", quiet=TRUE, knit_root_dir=");
    buf_json_text(&code, cwd);
    buf_str(&code, ", params=list(rmd=");
    buf_json_text(&code, file);
    buf_str(&code, "))");
    buf_str(out, "Rscript --vanilla -e ");
    buf_shell_quote(out, buf_text(&code), code.len);
    buf_free(&code);
    return true;
}

void script_demand(struct buf *out, const char *what, const char *path, const char *program)
{
    struct buf words = {0};
    buf_printf(&words, "the %s %s needs %s, which is not on PATH", what, path_basename(path),
               program);
    buf_printf(out, "command -v %s >/dev/null 2>&1 || { echo ", program);
    buf_shell_quote(out, words.at, words.len);
    buf_str(out, " >&2; exit 127; }; ");
    buf_free(&words);
}

static bool command_of(const struct script_view *view, const struct language *language,
                       const char *file, struct buf *out)
{
    struct job_eval *eval = view->eval;
    const char *python = eval->python                     ? eval->python
                         : eval->workflow->options.python ? eval->workflow->options.python
                                                          : "python3";
    const char *program = language->program ? language->program : python;
    if (language->program && strcmp(program, "bash"))
        script_demand(out, "script", view->path, program);
    if (!language->before)
        return render_command(view, file, out);
    buf_printf(out, "%s %s", program, language->before);
    buf_shell_word(out, file);
    buf_str(out, language->behind);
    return true;
}

static bool write_script(const struct script_view *view, const char *dir,
                         const struct language *language, struct script_run *out)
{
    struct job_eval *eval = view->eval;
    struct buf text = {0}, command = {0};
    size_t len;
    const char *source = fs_read(eval->scratch, view->path, &len);
    if (!source) {
        vm_raise_errno(eval->workflow->vm, errno, view->path);
        return false;
    }
    bool fine = language->write(view, source, len, &text);
    out->file = fine ? script_write_file(eval, dir, path_basename(view->path), &text) : NULL;
    if (out->file && command_of(view, language, out->file, &command))
        out->command = arena_copy(eval->scratch, buf_text(&command), command.len);
    buf_free(&text);
    buf_free(&command);
    return out->command;
}

bool eval_script_command(struct job_eval *eval, const char *dir, struct script_run *out)
{
    struct script_view view;
    *out = (struct script_run){0};
    bool fine = script_view_open(eval, eval_script(eval), &view);
    const struct language *language = fine ? find_language(view.path) : NULL;
    if (fine && !fs_exists(view.path))
        vm_raise_errno(eval->workflow->vm, ENOENT, view.path);
    else if (fine && !language)
        flow_raise(
            eval->workflow, "WorkflowError",
            "Unsupported script: %s. Scripts may be written in Python (.py), bash (.sh), R (.R), R "
            "Markdown (.Rmd), Julia (.jl), Rust (.rs), xonsh (.xsh) and Hy (.hy).",
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
    buf_str(&text, "engine = ");
    buf_json_text(&text, engine ? engine : "");
    buf_printf(&text, "\n%s", text_template);
    out->data = engine ? script_write_file(eval, dir, "template.py", &text) : NULL;
    buf_free(&text);
    if (out->data && script_view_open(eval, out->data, &view) &&
        write_script(&view, dir, find_language(out->data), out))
        return true;
    eval_failed(eval, "template", eval->rule->body_span);
    return false;
}

bool eval_template_is_own(const struct rule *rule)
{
    value engine = rule->body_value.v;
    return rule->body == BODY_TEMPLATE && engine && is_str(engine) &&
           !strcmp(str_text(engine), "yte");
}

bool eval_template(struct job_eval *eval)
{
    struct workflow *w = eval->workflow;
    hold_heap(w->vm);
    value render = prelude_get(w, "_render_yte");
    value config = dict_get_str(w->vm, eval->rule->scope->globals.v, "config");
    value args[] = {eval_seen_input(eval), eval_seen_output(eval), eval_seen_params(eval),
                    eval_seen_wildcards(eval), config ? config : dict_new(w->vm)};
    bool fine = render && args[2] && vm_call(w->vm, render, args, 5, NO_VALUE);
    release_heap(w->vm);
    if (!fine)
        eval_failed(eval, "template", eval->rule->body_span);
    return fine;
}
