// SPDX-License-Identifier: MIT
#include "graph/provenance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/line.h"
#include "base/memory.h"
#include "base/words.h"
#include "flow/software.h"
#include "flow/storage.h"

struct provenance {
    struct graph *g;
    const struct fresh_options *options;
    struct arena scratch;       /* of one job */
    struct arena places;        /* queries of files in a storage */
    struct job_files inputs;    /* reused */
    const char **rule_params;   /* by rule: the params record where it is the same for all jobs */
    const char **rule_software; /* the same of its fingerprint of the software */
    bool failed;
};

struct provenance *provenance_open(struct graph *g, const struct fresh_options *options)
{
    if (!options->state)
        return NULL;
    struct provenance *p = memory_zeroed(1, sizeof *p);
    p->g = g;
    p->options = options;
    p->rule_params = memory_zeroed(g->workflow->rules.len + 1, sizeof *p->rule_params);
    p->rule_software = memory_zeroed(g->workflow->rules.len + 1, sizeof *p->rule_software);
    return p;
}

void provenance_close(struct provenance *p)
{
    if (!p)
        return;
    vec_free(&p->inputs);
    arena_free(&p->scratch);
    arena_free(&p->places);
    free(p->rule_params);
    free(p->rule_software);
    free(p);
}

bool provenance_failed(const struct provenance *p)
{
    return p->failed;
}

/* ---- what a job is now ---- */

/* Sorted paths of the inputs, one a line. */
static const char *inputs_text(const struct graph *g, job_id id, struct arena *in)
{
    uint32_t n = 0;
    struct input_walk walk = input_walk(g, id);
    while (input_next(g, &walk))
        n++;
    const char **paths = arena_array(in, const char *, n + 1);
    size_t bytes = 1;
    n = 0;
    walk = input_walk(g, id);
    for (file_id f; (f = input_next(g, &walk)); n++) {
        paths[n] = storage_shown(g->workflow, in, file_path(g, f));
        bytes += strlen(paths[n]) + 1;
    }
    if (n > 1)
        qsort(paths, n, sizeof *paths, word_order);
    char *text = arena_alloc(in, bytes), *at = text;
    for (uint32_t i = 0; i < n; i++)
        at += sprintf(at, "%s%s", i ? "\n" : "", paths[i]);
    return text;
}

/* *wait, unless wait is NULL: not all of them are known, for a checkpoint that is not complete.
 * NULL after an exception, which stays in the vm. */
static const char *params_text(struct graph *g, job_id id, struct arena *in,
                               struct job_files *inputs, bool *wait)
{
    struct job_eval eval;
    const char *text = NULL;
    if (!job_rule(g, id)->params.len)
        return "";
    if (graph_job_eval(g, id, in, inputs, &eval) == EVAL_OK) {
        eval_output(&eval);
        text = eval_params_record(&eval);
    }
    if (wait)
        *wait = text && eval.params_wait;
    job_eval_free(&eval);
    return text;
}

/* The same, NULL without an exception where not all are known. */
static const char *known_params(struct graph *g, job_id id, struct arena *in,
                                struct job_files *inputs)
{
    bool wait = false;
    const char *text = params_text(g, id, in, inputs, &wait);
    return wait ? NULL : text;
}

/* NULL after an exception, which stays in the vm, or a file that cannot be read. */
static const char *software_text(struct graph *g, job_id id, struct arena *in,
                                 struct job_files *inputs)
{
    struct job_eval eval;
    struct software software = {0};
    if (!software_is_asked_for(g->workflow, job_rule(g, id)))
        return software_hash(g->workflow, &software, in);
    bool good = graph_job_eval(g, id, in, inputs, &eval) == EVAL_OK &&
                eval_software(&eval, &software);
    job_eval_free(&eval);
    const char *text = good ? software_hash(g->workflow, &software, in) : NULL;
    if (good && !text)
        vm_raise_errno(g->workflow->vm, errno, software.env);
    return text;
}

bool fresh_record(struct graph *g, job_id id, struct arena *in, struct job_record *out)
{
    struct job_files inputs = {0};
    const struct rule *rule = job_rule(g, id);
    out->code = rule->code ? sym_text(g->names, rule->code) : "";
    out->inputs = inputs_text(g, id, in);
    out->params = params_text(g, id, in, &inputs, NULL);
    out->software = out->params ? software_text(g, id, in, &inputs) : NULL;
    vec_free(&inputs);
    return out->software || vm_report(g->workflow->vm);
}

/* ---- comparing ---- */

typedef const char *text_of_job(struct graph *g, job_id id, struct arena *in,
                                struct job_files *inputs);

/* A text of a job, kept in of_rule where it is the same for all jobs of its rule. NULL: it is not
 * known, or it failed, which was told. */
static const char *current(struct provenance *p, job_id id, bool constant, const char **of_rule,
                           text_of_job *make)
{
    struct graph *g = p->g;
    const struct rule *rule = job_rule(g, id);
    if (constant && of_rule[rule->id])
        return of_rule[rule->id];
    const char *text = make(g, id, &p->scratch, &p->inputs);
    if (!text && vm_failed(g->workflow->vm)) {
        p->failed = true;
        vm_report(g->workflow->vm);
    }
    if (text && constant)
        of_rule[rule->id] = arena_str(&g->workflow->arena, text);
    return text;
}

static const char *current_params(struct provenance *p, job_id id)
{
    return current(p, id, rule_params_constant(job_rule(p->g, id)), p->rule_params, known_params);
}

static const char *current_software(struct provenance *p, job_id id)
{
    return current(p, id, software_is_constant(job_rule(p->g, id)), p->rule_software,
                   software_text);
}

static bool has_line(const char *lines, const char *line, size_t len)
{
    for (struct line one; line_next(&lines, &one);)
        if (one.len == len && !memcmp(one.at, line, len))
            return true;
    return false;
}

/* The lines that the others lack, with commas between. */
static void add_exclusive(const char *lines, const char *others, struct buf *out)
{
    size_t before = out->len;
    for (struct line line; line_next(&lines, &line);)
        if (!has_line(others, line.at, line.len)) {
            buf_str(out, out->len > before ? "," : "");
            buf_add(out, line.at, line.len);
        }
    if (out->len == before)
        buf_str(out, "<nothing exclusive>");
}

/* Keeps what is to be said of changed params. */
static void note_params(struct graph *g, job_id id, const char *before, const char *now)
{
    struct buf text = {0};
    buf_str(&text, "Union of exclusive params before and now across all output: before: ");
    add_exclusive(before, now, &text);
    buf_str(&text, " now: ");
    add_exclusive(now, before, &text);
    map_set(&g->params_change, id, intern(g->names, buf_text(&text), text.len));
    buf_free(&text);
}

static uint16_t compare_record(struct provenance *p, job_id id, const struct output_record *record)
{
    const struct rule *rule = job_rule(p->g, id);
    unsigned triggers = p->options->triggers;
    const char *code = rule->code ? sym_text(p->g->names, rule->code) : "";
    uint16_t reasons = 0;
    bool comparable = !record->foreign ||
                      rule->body == BODY_SHELL; /* Snakemake writes other bodies its own way */
    if (triggers & TRIGGER_CODE && comparable && strcmp(code, record->code))
        reasons |= REASON_CODE;
    if (triggers & TRIGGER_INPUT && strcmp(inputs_text(p->g, id, &p->scratch), record->inputs))
        reasons |= REASON_INPUT_SET;
    const char *params = triggers & TRIGGER_PARAMS ? current_params(p, id) : NULL;
    if (params && strcmp(params, record->params)) {
        reasons |= REASON_PARAMS;
        note_params(p->g, id, record->params, params);
    }
    bool known = triggers & TRIGGER_SOFTWARE && *record->software;
    const char *software = known ? current_software(p, id) : NULL;
    if (software && strcmp(software, record->software))
        reasons |= REASON_SOFTWARE;
    return reasons;
}

/* An output must be newer than its script or tool, else the code counts as changed, with or without
 * a record. */
static bool script_newer(struct provenance *p, job_id id)
{
    struct graph *g = p->g;
    const struct rule *rule = job_rule(g, id);
    struct job_eval eval;
    if (!(p->options->triggers & TRIGGER_CODE) ||
        (rule->body != BODY_SCRIPT && rule->body != BODY_NOTEBOOK && rule->body != BODY_CWL))
        return false;
    bool good = graph_job_eval(g, id, &p->scratch, &p->inputs, &eval) == EVAL_OK;
    int64_t changed = good ? eval_script_time(&eval) : -1;
    job_eval_free(&eval);
    if (!good)
        vm_take_error(g->workflow->vm);
    for (uint32_t i = 0; i < g->jobs.at[id].noutputs; i++) {
        int64_t t = g->files.at[job_outputs(g, id)[i]].mtime;
        if (t >= 0 && t <= changed)
            return true;
    }
    return false;
}

static const struct output_record *record_of(const struct provenance *p, file_id file)
{
    return state_find(p->options->state, p->g->files.at[file].path);
}

uint16_t provenance_compare(struct provenance *p, job_id id)
{
    uint16_t reasons = script_newer(p, id) ? REASON_CODE : 0;
    uint32_t n = p->g->jobs.at[id].noutputs;
    for (uint32_t i = 0; i < n; i++)
        if (!output_is_known(record_of(p, job_outputs(p->g, id)[i]))) {
            p->g->jobs.at[id].unrecorded = true;
            return reasons;
        }
    for (uint32_t i = 0; i < n; i++)
        reasons |= compare_record(p, id, record_of(p, job_outputs(p->g, id)[i]));
    arena_reset(&p->scratch);
    return reasons;
}

bool provenance_incomplete(const struct provenance *p, job_id id)
{
    for (uint32_t i = 0; i < p->g->jobs.at[id].noutputs; i++) {
        const struct output_record *record = record_of(p, job_outputs(p->g, id)[i]);
        if (record && record->incomplete)
            return true;
    }
    return false;
}

/* ---- contents ---- */

/* Where the bytes of a file are to be read: of one in a storage not from an older copy. */
static const char *content_path(struct provenance *p, file_id file)
{
    struct storage_place place;
    const char *path = file_path(p->g, file);
    bool stored = storage_find(p->g->workflow, &p->places, path, &place);
    path = stored ? storage_own_path(&place) : path;
    return path ? path : "";
}

/* Whether lines of "path\tchecksum" hold this one. */
static bool lists_checksum(const char *lines, const char *path, const char *checksum)
{
    size_t npath = strlen(path), nsum = strlen(checksum);
    for (struct line line; line_next(&lines, &line);)
        if (!strncmp(line.at, path, npath) && line.at[npath] == '\t')
            return !strncmp(line.at + npath + 1, checksum, nsum);
    return false;
}

bool provenance_same_content(struct provenance *p, job_id id, file_id input)
{
    const struct file *file = &p->g->files.at[input];
    struct stat st;
    if (!p->g->jobs.at[id].noutputs || p->options->max_checksum_size <= 0 ||
        (int64_t)file->size_kb << 10 > p->options->max_checksum_size)
        return false;
    const char *path = content_path(p, input);
    if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size > p->options->max_checksum_size)
        return false;
    for (uint32_t i = 0; i < p->g->jobs.at[id].noutputs; i++) {
        const struct output_record *record = record_of(p, job_outputs(p->g, id)[i]);
        const char *now = record ? checksum_of(&p->g->checksums, file->path, path, &st) : NULL;
        if (!now || !lists_checksum(record->checksums, file_path(p->g, input), now))
            return false;
    }
    return true;
}
