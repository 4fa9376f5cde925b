// SPDX-License-Identifier: MIT
#include "flow/jobeval_report.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "flow/evalvalues.h"
#include "flow/prelude.h"
#include "flow/hold.h"
#include "flow/namedlist.h"
#include "flow/scriptvalue.h"
#include "flow/state.h"

/* One mark being evaluated. */
struct marking {
    struct job_eval *eval;
    const struct report_names *names;
    struct span span;
};

static bool fail(struct marking *m)
{
    eval_failed(m->eval, "report()", m->span);
    return false;
}

/* ---- texts ---- */

static const char *fill(struct marking *m, value text)
{
    struct workflow *w = m->eval->workflow;
    sym_t unknown = 0;
    const char *filled = wildcards_fill(m->eval->scratch, w->names, &m->names->wildcards,
                                        m->names->value, str_text(text), as_str(text)->len,
                                        &unknown);
    if (!filled)
        flow_raise(w, "WorkflowError", "Failed to resolve wildcards. There is no wildcard '%s'.",
                   flow_text(w, unknown));
    return filled;
}

/* Calls v if it is a function. NO_VALUE: raised. */
static value called(struct marking *m, value v)
{
    enum { REPORT_AUX = AUX_BIT(INPUT) | AUX_BIT(OUTPUT) | AUX_BIT(PARAMS) };
    if (value_callable(v) && eval_call(m->eval, v, REPORT_AUX, &v) != EVAL_OK)
        return NO_VALUE;
    return v;
}

/* A text, a number or a function that gives one; None is NULL. False: raised. */
static bool text_of(struct marking *m, value v, const char **out)
{
    *out = NULL;
    if (!v || v == VALUE_NONE)
        return true;
    v = called(m, v);
    if (!v || v == VALUE_NONE)
        return v != NO_VALUE;
    value text = is_str(v) ? v : value_str(m->eval->workflow->vm, v);
    if (text)
        *out = is_str(v) ? fill(m, text) : arena_str(m->eval->scratch, str_text(text));
    return *out;
}

static bool is_label(value v)
{
    double number;
    return is_str(v) || value_callable(v) || float_get(v, &number);
}

static bool labels_of(struct marking *m, value v, struct report_mark *out)
{
    struct workflow *w = m->eval->workflow;
    size_t pos = 0;
    value key, item;
    if (!v || v == VALUE_NONE)
        return true;
    v = called(m, v);
    if (!v || v == VALUE_NONE)
        return v != NO_VALUE;
    if (!is_dict(v)) {
        flow_raise(w, "WorkflowError",
                   "Expected dict of strings or numbers as labels argument given to report flag. "
                   "Received: %s",
                   type_name(v));
        return false;
    }
    struct report_label *label = arena_array(m->eval->scratch, struct report_label,
                                             dict_len(v) + 1);
    out->label = label;
    while (dict_next(v, &pos, &key, &item)) {
        value name = value_str(w->vm, key);
        item = scriptvalue_plain(w->vm, item); /* such as a number in a table of pandas */
        if (!item)
            return false;
        if (!is_label(item)) {
            flow_raise(w, "WorkflowError",
                       "Expected dict of strings or numbers as labels argument given to report "
                       "flag. The label %s is: %s",
                       name ? str_text(name) : "?", type_name(item));
            return false;
        }
        label->name = arena_str(m->eval->scratch, name ? str_text(name) : "");
        if (!text_of(m, item, &label->text))
            return false;
        label->text = label->text ? label->text : "";
        label++;
        out->nlabels++;
    }
    return true;
}

/* ---- captions ---- */

static bool is_template(const char *text)
{
    return strstr(text, "{{") || strstr(text, "{%") || strstr(text, "{#");
}

/* The text of a file rendered with these parts of `snakemake`. NULL: raised. */
static const char *render(struct workflow *w, struct arena *in, const char *text, const char *path,
                          value parts)
{
    value function = caption_get(w, "render"),
          words[] = {str_from(w->vm, text), str_from(w->vm, path)};
    value rendered = function ? vm_call(w->vm, function, words, 2, parts) : NO_VALUE;
    return rendered ? arena_str(in, str_text(rendered)) : NULL;
}

static bool fill_parts(struct job_eval *eval, value parts)
{
    struct vm *vm = eval->workflow->vm;
    value config = dict_get_str(vm, eval->rule->scope->globals.v, "config");
    value params = eval_seen_params(eval), resources = eval_seen_resources(eval);
    if (!params || !resources)
        return false;
    dict_set_str(vm, parts, "input", eval_seen_input(eval));
    dict_set_str(vm, parts, "output", eval_seen_output(eval));
    dict_set_str(vm, parts, "params", params);
    dict_set_str(vm, parts, "wildcards", eval_seen_wildcards(eval));
    dict_set_str(vm, parts, "threads", int_from(vm, eval->threads));
    dict_set_str(vm, parts, "resources", resources);
    dict_set_str(vm, parts, "log", eval_seen_log(eval));
    dict_set_str(vm, parts, "rule", str_from_sym(vm, eval->rule->name));
    dict_set_str(vm, parts, "config", config ? config : dict_new(vm));
    return true;
}

static bool caption_of(struct marking *m, value path, const char **out)
{
    struct job_eval *eval = m->eval;
    struct workflow *w = eval->workflow;
    *out = NULL;
    if (!path || !is_str(path))
        return true;
    const char *text = fs_read(eval->scratch, str_text(path), NULL);
    if (!text) {
        vm_raise_errno(w->vm, errno, str_text(path));
        return false;
    }
    *out = text;
    if (!is_template(text))
        return true;
    hold_heap(w->vm);
    value parts = dict_new(w->vm);
    *out = fill_parts(eval, parts) ? render(w, eval->scratch, text, str_text(path), parts) : NULL;
    release_heap(w->vm);
    return *out;
}

const char *workflow_description(struct workflow *workflow, struct arena *in)
{
    const char *path = workflow->flow->report;
    const char *text = path ? fs_read(in, path, NULL) : "";
    if (!text) {
        vm_raise_errno(workflow->vm, errno, path);
        return NULL;
    }
    if (!is_template(text))
        return text;
    hold_heap(workflow->vm);
    value parts = dict_new(workflow->vm);
    dict_set_str(workflow->vm, parts, "config", workflow->config.v);
    text = render(workflow, in, text, path, parts);
    release_heap(workflow->vm);
    return text;
}

/* ---- the mark ---- */

static bool patterns_of(struct marking *m, value v, struct report_mark *out)
{
    size_t n;
    if (!v || v == VALUE_NONE)
        return true;
    const value *at = is_list(v) ? sequence_items(v, &n) : NULL;
    if (!at && !is_list(v)) {
        flow_raise(m->eval->workflow, "WorkflowError",
                   "Invalid patterns given for report. Must be list.");
        return false;
    }
    const char **pattern = arena_array(m->eval->scratch, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        value text = value_str(m->eval->workflow->vm, at[i]);
        pattern[i] = text ? arena_str(m->eval->scratch, str_text(text)) : "";
    }
    out->patterns = pattern;
    out->npatterns = (uint32_t)n;
    return true;
}

/* From here on the job's wildcards are these. */
static void see_names(struct marking *m)
{
    struct job_eval *eval = m->eval;
    struct vm *vm = eval->workflow->vm;
    eval_begin(eval);
    value seen = eval_hold(eval, namedlist_new(vm, &type_wildcards));
    for (uint32_t i = 0; i < m->names->wildcards.n; i++) {
        list_push(vm, seen, str_from_sym(vm, m->names->value[i]));
        namedlist_name(seen, m->names->wildcards.name[i], i, 1, false);
    }
    eval->seen_wildcards = seen;
}

/* The setting of report(), or NO_VALUE. */
static value setting_of(const struct job_eval *eval, const struct job_file *file)
{
    value flags = file->item ? file->item->flags_dict : NO_VALUE;
    value report = flags ? dict_get_str(eval->workflow->vm, flags, "report") : NO_VALUE;
    return report && is_dict(report) ? report : NO_VALUE;
}

bool eval_report_directory(struct job_eval *eval, const struct job_file *file,
                           struct report_mark *out)
{
    struct vm *vm = eval->workflow->vm;
    struct marking m = {.eval = eval};
    value report = setting_of(eval, file);
    *out = (struct report_mark){0};
    if (!report || dict_get_str(vm, report, "htmlindex"))
        return false;
    bool fine = patterns_of(&m, dict_get_str(vm, report, "patterns"), out);
    vm_take_error(vm);
    return fine && out->npatterns;
}

bool eval_report_mark(struct job_eval *eval, const struct job_file *file,
                      const struct report_names *names, struct report_mark *out)
{
    struct vm *vm = eval->workflow->vm;
    struct report_names own = {eval->rule->wildcards, eval->wildcards};
    struct marking m = {.eval = eval,
                        .names = names ? names : &own,
                        .span = file->item ? file->item->span : eval->rule->span};
    value report = setting_of(eval, file);
    *out = (struct report_mark){0};
    if (!report)
        return true;
    see_names(&m);
    bool fine = text_of(&m, dict_get_str(vm, report, "category"), &out->category) &&
                text_of(&m, dict_get_str(vm, report, "subcategory"), &out->subcategory) &&
                labels_of(&m, dict_get_str(vm, report, "labels"), out) &&
                patterns_of(&m, dict_get_str(vm, report, "patterns"), out) &&
                text_of(&m, dict_get_str(vm, report, "htmlindex"), &out->htmlindex) &&
                caption_of(&m, dict_get_str(vm, report, "caption"), &out->caption);
    eval->seen_wildcards = NO_VALUE; /* the job's own again */
    return fine || fail(&m);
}

/* ---- files in directories ---- */

struct finding {
    struct job_eval *eval;
    const char *dir;
    struct pattern pattern;
    struct wildcard_names wildcards;
    uint32_t own; /* how many of them the pattern has; the job's follow */
    VEC(struct report_found) found;
};

/* The job's wildcards win over those of the same name that the pattern found. */
static void add_found(struct finding *f, const char *path, const sym_t *matched)
{
    struct arena *in = f->eval->scratch;
    sym_t *at = arena_array(in, sym_t, f->wildcards.n + 1u);
    for (uint32_t i = 0; i < f->wildcards.n; i++) {
        int slot = wildcard_slot(&f->eval->rule->wildcards, f->wildcards.name[i]);
        at[i] = slot >= 0 ? f->eval->wildcards[slot] : matched[i];
    }
    struct report_found found = {arena_str(in, path), {f->wildcards, at}};
    vec_push(&f->found, found);
}

static bool try_file(void *user, const char *path, bool is_dir)
{
    struct finding *f = user;
    struct workflow *w = f->eval->workflow;
    sym_t *value = arena_array(f->eval->scratch, sym_t, f->wildcards.n + 1u);
    const char *whole = path_join(f->eval->scratch, f->dir, path);
    if (!is_dir && strcmp(path_basename(path), ".snakemake_timestamp") &&
        pattern_match(&f->pattern, w->names, &f->wildcards, whole, strlen(whole), value))
        add_found(f, whole, value);
    return true;
}

const struct report_found *eval_report_find(struct job_eval *eval, const char *dir,
                                            const char *pattern, uint32_t *n)
{
    struct workflow *w = eval->workflow;
    struct finding f = {.eval = eval, .dir = dir};
    struct fs_unread unread;
    const char *text = path_join(eval->scratch, dir, pattern);
    *n = 0;
    if (!pattern_parse(eval->scratch, w->names, w->diags, text, strlen(text), (struct span){0},
                       &f.wildcards, true, &f.pattern))
        return NULL;
    for (uint32_t i = 0; i < eval->rule->wildcards.n; i++)
        if (wildcard_slot(&f.wildcards, eval->rule->wildcards.name[i]) < 0)
            wildcards_add(eval->scratch, &f.wildcards, eval->rule->wildcards.name[i]);
    fs_walk(dir, false, try_file, &f, &unread);
    if (unread.n)
        warn(w->diags, (struct span){0}, "the report may lack results: %s",
             fs_unread_text(&unread, dir, eval->scratch));
    struct report_found *found = arena_array(eval->scratch, struct report_found, f.found.len + 1);
    if (f.found.len)
        memcpy(found, f.found.at, f.found.len * sizeof *found);
    *n = f.found.len;
    vec_free(&f.found);
    pattern_free(&f.pattern);
    return found;
}

/* ---- metadata ---- */

static bool is_simple(value v)
{
    double number;
    return is_str(v) || float_get(v, &number);
}

/* A text or number, or a list of them. False: it is none. */
static bool read_entry(struct workflow *w, struct arena *in, value key, value item,
                       struct report_entry *out)
{
    size_t n = 1;
    const value *at = is_list(item) ? sequence_items(item, &n) : &item;
    if (!is_str(key))
        return false;
    const char **text = arena_array(in, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        value shown = is_simple(at[i]) ? value_str(w->vm, at[i]) : NO_VALUE;
        if (!shown)
            return false;
        text[i] = arena_str(in, str_text(shown));
    }
    *out = (struct report_entry){arena_str(in, str_text(key)), text, (uint32_t)n, is_list(item)};
    return true;
}

static const struct report_entry *read_entries(struct workflow *w, struct arena *in, value data,
                                               uint32_t *n)
{
    size_t pos = 0;
    value key, item;
    struct report_entry *entry = arena_array(in, struct report_entry,
                                             (is_dict(data) ? dict_len(data) : 0) + 1);
    bool fine = is_dict(data);
    for (*n = 0; fine && dict_next(data, &pos, &key, &item); ++*n)
        fine = read_entry(w, in, key, item, &entry[*n]);
    if (fine)
        return entry;
    flow_raise(
        w, "WorkflowError",
        "Metadata must be single level dict[str, str | int | float | list[str] | list[int] | "
        "list[float]]]");
    return NULL;
}

const struct report_entry *workflow_metadata(struct workflow *workflow, struct arena *in,
                                             const char *path, uint32_t *n)
{
    struct vm *vm = workflow->vm;
    const char *text = fs_read(in, path, NULL);
    if (!text) {
        vm_raise_errno(vm, errno, path);
        return NULL;
    }
    hold_heap(vm);
    value arg = str_from(vm, text), yte = module_import(vm, "yte");
    value process = yte ? value_attr(vm, yte, intern_str(workflow->names, "process_yaml"))
                        : NO_VALUE;
    value data = process ? vm_call1(vm, process, arg) : NO_VALUE;
    const struct report_entry *entries = data ? read_entries(workflow, in, data, n) : NULL;
    release_heap(vm);
    return entries;
}
