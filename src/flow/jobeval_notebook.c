// SPDX-License-Identifier: MIT
/* jobeval_notebook.c: rules with a Jupyter notebook: a copy with the job's facts in its first cell
 * is executed by papermill, or else by jupyter's nbconvert. */
#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "flow/evalvalues.h"
#include "flow/prelude.h"
#include "flow/hold.h"
#include "flow/scriptview.h"
#include "flow/state.h"

/* The result of a function of texts/notebook.py, a text in the arena. NULL: raised. */
static const char *call_in(struct workflow *w, struct arena *in, const char *name,
                           const char *first, const char *second)
{
    hold_heap(w->vm);
    value function = notebook_get(w, name), args[2];
    args[0] = str_from(w->vm, first);
    args[1] = second ? str_from(w->vm, second) : NO_VALUE;
    value text = function ? vm_call(w->vm, function, args, second ? 2 : 1, NO_VALUE) : NO_VALUE;
    const char *result = text && is_str(text) ? arena_copy(in, str_text(text), as_str(text)->len)
                                              : NULL;
    release_heap(w->vm);
    return result;
}

static const char *call(struct job_eval *eval, const char *name, const char *first,
                        const char *second)
{
    return call_in(eval->workflow, eval->scratch, name, first, second);
}

const char *notebook_code(struct workflow *workflow, struct arena *in, const char *text)
{
    const char *code = call_in(workflow, in, "code", text, NULL);
    vm_take_error(workflow->vm);
    return code;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && !strcmp(path + n - m, suffix);
}

/* "python" or "r", by the name or what the notebook says of itself; NULL: raised. */
static const char *language_of(struct job_eval *eval, const char *path, const char *text)
{
    const char *name = has_suffix(path, ".py.ipynb")  ? "python"
                       : has_suffix(path, ".r.ipynb") ? "r"
                       : text                         ? call(eval, "language", text, NULL)
                                                      : "";
    if (name && (!strcmp(name, "python") || !strcmp(name, "r")))
        return name;
    if (name && !text)
        flow_raise(eval->workflow, "WorkflowError",
                   "Notebook to edit has to end on .py.ipynb or .r.ipynb in order to decide which "
                   "programming language shall be used: %s",
                   path);
    else if (name)
        flow_raise(eval->workflow, "WorkflowError",
                   "Unsupported notebook %s: its language is '%s'; there are python and r.", path,
                   name);
    return NULL;
}

/* The source of the first cell. NULL: raised. */
static const char *facts_of(struct job_eval *eval, const struct script_view *view,
                            const char *language)
{
    struct buf text = {0};
    const char *cwd = eval->workflow->workdir;
    bool r = !strcmp(language, "r");
    buf_str(&text, r ? "" : "exec(");
    bool fine = r ? script_r(view, "", 0, &text) : script_python_quoted(view, "_share_cell", &text);
    buf_str(&text, r ? "" : ", {\"__name__\": \"__main__\", \"_script_names\": globals()})\n");
    buf_str(&text, r ? "setwd(" : "__import__(\"os\").chdir(");
    buf_json_text(&text, cwd);
    buf_char(&text, ')');
    const char *facts = fine ? arena_copy(eval->scratch, text.at, text.len) : NULL;
    buf_free(&text);
    return facts;
}

/* log: notebook="..." is where the executed one goes, absolute; NULL: nobody wants it. */
static const char *wanted_log(struct job_eval *eval)
{
    sym_t name = intern_str(eval->workflow->names, "notebook");
    for (uint32_t i = 0; i < eval->log.len; i++)
        if (eval->log.at[i].name == name)
            return path_absolute(eval->scratch, eval->workflow->workdir,
                                 flow_text(eval->workflow, eval->log.at[i].path));
    return NULL;
}

static void add_word(struct buf *out, const char *word)
{
    buf_char(out, ' ');
    buf_shell_word(out, word);
}

/* Settings of IPython are kept away. */
static const char *execute_command(struct job_eval *eval, const char *path, const char *file)
{
    const char *log = wanted_log(eval);
    const char *lack = arena_printf(eval->scratch,
                                    "the notebook %s needs papermill or jupyter-nbconvert, and "
                                    "neither is on PATH",
                                    path_basename(path));
    struct buf text = {0};
    buf_str(&text,
            "export IPYTHONDIR; IPYTHONDIR=$(mktemp -d); trap 'rm -rf \"$IPYTHONDIR\"' EXIT; "
            "if command -v papermill >/dev/null 2>&1; then papermill --log-level ERROR");
    add_word(&text, file);
    add_word(&text, log ? log : file);
    buf_str(&text, "; elif command -v jupyter-nbconvert >/dev/null 2>&1; then jupyter-nbconvert "
                   "--log-level ERROR --execute --to notebook --ExecutePreprocessor.timeout=-1 "
                   "--output");
    if (log)
        add_word(&text, log);
    else
        buf_str(&text, " \"$IPYTHONDIR/notebook.ipynb\"");
    add_word(&text, file);
    buf_str(&text, "; else echo");
    add_word(&text, lack);
    buf_str(&text, " >&2; exit 127; fi");
    const char *command = arena_copy(eval->scratch, text.at, text.len);
    buf_free(&text);
    return command;
}

static const char *edit_command(struct job_eval *eval, const char *file, const char *listen)
{
    struct buf text = {0};
    const char *colon = strrchr(listen, ':');
    buf_str(&text,
            "command -v jupyter >/dev/null 2>&1 || { echo 'editing a notebook needs jupyter, "
            "which is not on PATH' >&2; exit 127; }; jupyter notebook --browser ':' "
            "--no-browser --log-level ERROR --ip ");
    buf_shell_quote(&text, listen, colon ? (size_t)(colon - listen) : strlen(listen));
    buf_str(&text, " --port");
    add_word(&text, colon ? colon + 1 : "8888");
    buf_str(&text, " --ServerApp.quit_button=True");
    add_word(&text, file);
    const char *command = arena_copy(eval->scratch, text.at, text.len);
    buf_free(&text);
    return command;
}

bool eval_notebook_command(struct job_eval *eval, const char *dir, const char *listen,
                           struct script_run *out)
{
    struct script_view view;
    *out = (struct script_run){0};
    bool fine = script_view_open(eval, eval_script(eval), &view);
    const char *text = fine ? fs_read(eval->scratch, view.path, NULL) : NULL;
    if (fine && !text)
        vm_raise_errno(eval->workflow->vm, errno, view.path);
    const char *language = text ? language_of(eval, view.path, text) : NULL;
    const char *facts = language ? facts_of(eval, &view, language) : NULL;
    const char *whole = facts ? call(eval, "with_facts", text, facts) : NULL;
    struct buf written = {0};
    if (whole)
        buf_str(&written, whole);
    out->file = whole ? script_write_file(eval, dir, path_basename(view.path), &written) : NULL;
    buf_free(&written);
    if (!out->file) {
        eval_failed(eval, "notebook", eval->rule->body_span);
        return false;
    }
    const char *absolute = path_absolute(eval->scratch, eval->workflow->workdir, out->file);
    out->command = listen ? edit_command(eval, absolute, listen)
                          : execute_command(eval, view.path, absolute);
    return true;
}

const char *eval_notebook_draft(struct job_eval *eval)
{
    struct script_view view;
    bool fine = script_view_open(eval, eval_script(eval), &view);
    const char *language = fine ? language_of(eval, view.path, NULL) : NULL;
    const char *facts = language ? facts_of(eval, &view, language) : NULL;
    const char *text = facts ? call(eval, "skeleton", facts, language) : NULL;
    if (text && fs_make_parent(view.path) && fs_write(view.path, text, strlen(text)))
        return view.path;
    if (text)
        vm_raise_errno(eval->workflow->vm, errno, view.path);
    eval_failed(eval, "notebook", eval->rule->body_span);
    return NULL;
}

bool eval_notebook_keep(struct job_eval *eval, const char *edited)
{
    const char *path = eval_script(eval), *log = path ? wanted_log(eval) : NULL;
    const char *text = path ? fs_read(eval->scratch, edited, NULL) : NULL;
    const char *kept = text ? call(eval, "without_facts", text, NULL) : NULL;
    /* as new as the last save in the editor: the outputs are to be newer */
    int64_t saved = fs_info_of(edited).mtime;
    bool good = kept && fs_write(path, kept, strlen(kept)) && fs_touch(path, saved, true) &&
                (!log || (fs_make_parent(log) && fs_write(log, text, strlen(text))));
    if (path && !vm_failed(eval->workflow->vm) && !good)
        vm_raise_errno(eval->workflow->vm, errno, text ? path : edited);
    if (!good)
        eval_failed(eval, "notebook", eval->rule->body_span);
    return good;
}
