// SPDX-License-Identifier: MIT
/* failure.c: the words for a graph that cannot be built, from the root cause outwards: what is
 * missing, which rule asked for it with which wildcards, and which target that serves. */
#include "graph/search.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/nearest.h"
#include "flow/storage.h"
#include "graph/index.h"

static const char *rule_name(const struct graph *g, job_id job)
{
    return sym_text(g->names, job_rule(g, job)->name);
}

static void add_job(const struct graph *g, job_id job, struct buf *out)
{
    const struct rule *rule = job_rule(g, job);
    buf_printf(out, "rule %s", rule_name(g, job));
    for (uint32_t i = 0; i < rule->wildcards.n; i++)
        buf_printf(out, "%s%s=%s", i ? ", " : " (", sym_text(g->names, rule->wildcards.name[i]),
                   sym_text(g->names, job_wildcards(g, job)[i]));
    if (rule->wildcards.n)
        buf_char(out, ')');
}

/* The first folder on the way to path that cannot be gone through, in the arena; errno says why.
 * NULL: all can. */
static const char *closed_folder(struct arena *in, const char *path)
{
    struct stat st;
    for (const char *slash = *path ? strchr(path + 1, '/') : NULL; slash;
         slash = strchr(slash + 1, '/')) {
        const char *dir = arena_copy(in, path, (size_t)(slash - path));
        if (stat(arena_printf(in, "%s/.", dir), &st))
            return dir;
    }
    return NULL;
}

/* Whether the text has two string literals side by side, which Python joins. */
static bool has_joined_strings(const char *text, size_t len)
{
    for (size_t i = 1; i + 1 < len; i++) {
        size_t next = i + 1;
        while (next < len && isspace((unsigned char)text[next]))
            next++;
        bool closes = (text[i] == '"' || text[i] == '\'') && text[i - 1] != '(' &&
                      text[i - 1] != '[';
        if (closes && next > i + 1 && next < len && (text[next] == '"' || text[next] == '\''))
            return true;
    }
    return false;
}

/* A rule that would make the file if a wildcard were not constrained. Values with a slash say
 * little of that: most constraints are there to keep slashes out. */
static bool hint_barrier(struct graph *g, const char *path)
{
    const struct workflow *w = g->workflow;
    for (rule_id r = 1; r < w->rules.len; r++) {
        const struct rule *rule = w->rules.at[r];
        sym_t *value = arena_array(&g->scratch, sym_t, rule->wildcards.n + 1);
        for (uint32_t i = 0; i < rule->output.len; i++) {
            const struct pattern *output = &rule->output.at[i].pattern;
            const struct pattern_part *part = pattern_barrier(
                output, &g->scratch, g->names, &rule->wildcards, path, strlen(path), value);
            const char *text = part ? sym_text(g->names, value[part->slot]) : "/";
            if (strchr(text, '/') || output->nparts < 2)
                continue;
            diag_hint(w->diags, "rule %s makes '%s', but %s=%s does not match its constraint '%s'",
                      sym_text(g->names, rule->name), sym_text(g->names, output->plain),
                      sym_text(g->names, rule->wildcards.name[part->slot]), text, part->constraint);
            return true;
        }
    }
    return false;
}

/* What may be wrong with a file that is not there, and that a job of `asks` needs. */
static void hint_missing(struct graph *g, const struct rule *asks, struct span asked,
                         const char *path)
{
    struct diags *dx = g->workflow->diags;
    struct stat st;
    char target[1024] = "";
    size_t len;
    const char *text = span_text(g->workflow->sources, asked, &len);
    const char *near = nearest_file(&g->scratch, path), *closed = closed_folder(&g->scratch, path);
    const struct rule *rule;
    const char *output = workflow_nearest_output(g->workflow, path, &rule);
    int why = errno;
    if (!lstat(path, &st) && S_ISLNK(st.st_mode) && readlink(path, target, sizeof target - 1) > 0)
        diag_hint(dx, "it is a link to '%s', and nothing is there", target);
    else if (closed && why != ENOENT)
        diag_hint(dx, "'%s' cannot be entered: %s", closed, strerror(why));
    else if (output && rule != asks)
        diag_hint(dx, "did you mean '%s', which rule %s makes?", output,
                  sym_text(g->names, rule->name));
    else if (near)
        diag_hint(dx, "the nearest existing file is '%s'", near);
    else if (text && has_joined_strings(text, len))
        diag_hint(dx, "strings side by side are one string: is there a comma missing?");
    else if (closed && !strstr(path, "://"))
        diag_hint(dx, "there is no folder '%s'%s%s", closed, *path == '/' ? "" : " in ",
                  *path == '/' ? "" : fs_cwd(&g->scratch));
}

/* Which item asks for a file: that of its edge; where the edge is a bundle, or not made yet, the
 * one that names it. */
static struct span input_span(const struct graph *g, job_id job, file_id file)
{
    const struct items *items = &job_rule(g, job)->input;
    struct edge e;
    for (uint32_t i = 0; i < g->jobs.at[job].nedges; i++) {
        e = g->edges.at[g->jobs.at[job].first_edge + i];
        if (e.to == file && e.item < items->len)
            return items->at[e.item].span;
    }
    for (uint32_t i = 0; i < items->len; i++)
        if (items->at[i].kind == ITEM_PATTERN &&
            pattern_apply(&items->at[i].pattern, g->names, job_wildcards(g, job)) ==
                g->files.at[file].path)
            return items->at[i].span;
    return items->len ? items->at[0].span : job_rule(g, job)->span;
}

/* Others of the rule's own inputs that are not there, and that no rule could make: they are
 * missing, too. */
static void note_others(struct graph *g, const struct failure *failure)
{
    /* a look may take a millisecond on a network file system */
    enum { TOLD = 3, LOOKED_AT = 1000 };
    const struct items *items = &job_rule(g, failure->job)->input;
    struct buf names = {0};
    uint32_t n = 0, hits;
    struct span first = {0};
    for (uint32_t i = 0; i < items->len && i < LOOKED_AT; i++) {
        if (items->at[i].kind != ITEM_PATTERN || items->at[i].unknown)
            continue;
        sym_t path = pattern_apply(&items->at[i].pattern, g->names, job_wildcards(g, failure->job));
        struct storage_place place;
        const char *text = sym_text(g->names, path);
        if (path == g->files.at[failure->file].path || fs_exists(text) ||
            storage_find(g->workflow, &g->scratch, text, &place) ||
            (index_find(g->index, path, &hits), hits))
            continue;
        first = n ? first : items->at[i].span;
        if (n++ < TOLD)
            buf_printf(&names, "%s'%s'", names.len ? ", " : "", text);
    }
    if (n > TOLD)
        buf_printf(&names, " and %u more", n - TOLD);
    if (n)
        diag_note(g->workflow->diags, first, "missing, too: %s", buf_text(&names));
    buf_free(&names);
}

static void missing_input(struct graph *g, const struct failure *failure)
{
    struct diags *dx = g->workflow->diags;
    struct buf who = {0};
    const char *path = storage_shown(g->workflow, &g->scratch, file_path(g, failure->file));
    add_job(g, failure->job, &who);
    struct span asked = input_span(g, failure->job, failure->file);
    complain_kind(dx, "MissingInputException", asked,
                  "%s needs '%s', which does not exist and no rule makes", buf_text(&who), path);
    hint_missing(g, job_rule(g, failure->job), asked, path);
    hint_barrier(g, path);
    note_others(g, failure);
    buf_free(&who);
}

static void function_error(struct graph *g, const struct failure *failure)
{
    struct buf who = {0};
    add_job(g, failure->job, &who);
    diag_return(g->workflow->diags, failure->aside);
    diag_wrap(g->workflow->diags, "InputFunctionException", "%s: ", buf_text(&who));
    buf_free(&who);
}

static bool needs(const struct graph *g, job_id job, file_id file)
{
    struct input_walk walk = input_walk(g, job);
    for (file_id f; (f = input_next(g, &walk));)
        if (f == file)
            return true;
    return false;
}

/* What is wrong with a job that needs its own output, in any of two ways; where, and what helps. */
static struct span circle_text(struct graph *g, const struct failure *failure, struct buf *out,
                               const char **hint)
{
    const char *path = file_path(g, failure->file);
    if (failure->kind == FAILURE_PERIODIC) {
        *hint = "use different file names for input and output, or wildcard_constraints";
        buf_printf(out,
                   "the value of wildcard '%s' of rule %s repeats itself: the rule seems to "
                   "consume its own output",
                   failure->text, rule_name(g, failure->job));
        return job_rule(g, failure->job)->span;
    }
    *hint = "make the output name differ from the input, or constrain its wildcards "
            "(wildcard_constraints)";
    add_job(g, failure->job, out);
    bool direct = needs(g, failure->job, failure->file);
    buf_printf(out,
               direct ? " needs '%s', which depends on its own output"
                      : " makes '%s' from files that depend on it",
               path);
    return direct ? input_span(g, failure->job, failure->file) : job_rule(g, failure->job)->span;
}

static void circle_error(struct graph *g, const struct failure *failure)
{
    struct buf text = {0};
    const char *hint;
    struct span span = circle_text(g, failure, &text, &hint);
    complain_kind(g->workflow->diags,
                  failure->kind == FAILURE_CYCLE ? "CyclicGraphException" : "PeriodicWildcardError",
                  span, "%s", buf_text(&text));
    diag_hint(g->workflow->diags, "%s", hint);
    buf_free(&text);
}

static void report_one(struct graph *g, const struct failure *failure)
{
    switch ((enum failure_kind)failure->kind) {
    case FAILURE_MISSING: missing_input(g, failure); break;
    case FAILURE_FUNCTION: function_error(g, failure); break;
    case FAILURE_CYCLE:
    case FAILURE_PERIODIC: circle_error(g, failure); break;
    }
}

/* The failure behind this one: why the missing file could not be made. */
static const struct failure *cause(const struct failures *failures, const struct failure *failure)
{
    if (failure->kind != FAILURE_MISSING)
        return NULL;
    uint32_t id = map_find(&failures->of_file, failure->file);
    return id ? &failures->all.at[id] : NULL;
}

bool failure_report(struct graph *g, const struct failures *failures, job_id target_job,
                    file_id target_file)
{
    uint32_t id = target_job ? map_find(&failures->of_job, target_job)
                             : map_find(&failures->of_file, target_file);
    if (!id) {
        const char *path = target_file ? file_path(g, target_file) : "";
        complain_kind(
            g->workflow->diags, "MissingRuleException", (struct span){0},
            "No rule to produce %s (if you use input functions make sure that they don't raise "
            "unexpected exceptions).",
            path);
        const char *near = workflow_nearest_rule(g->workflow, path);
        const char *file = nearest_file(&g->scratch, path), *output;
        const struct rule *rule, *maker;
        const char *made = workflow_nearest_output(g->workflow, path, &maker);
        rule = made ? NULL : workflow_near_output(g->workflow, path, &output);
        if (target_file && g->files.at[target_file].state == FILE_SOURCE)
            diag_hint(g->workflow->diags,
                      "the file exists, but no rule makes it, so it cannot be a target");
        else if (near)
            diag_hint(g->workflow->diags, "did you mean the rule '%s'?", near);
        else if (made)
            diag_hint(g->workflow->diags, "did you mean '%s', which rule %s makes?", made,
                      sym_text(g->names, maker->name));
        else if (file)
            diag_hint(g->workflow->diags, "the nearest existing file is '%s'", file);
        if (!near && !hint_barrier(g, path) && rule)
            diag_hint(g->workflow->diags, "rule %s makes '%s'", sym_text(g->names, rule->name),
                      output);
        return false;
    }
    enum { SHOWN = 8 };
    const struct failure *chain[SHOWN], *f = &failures->all.at[id];
    int n = 0;
    for (; f && n <= (int)failures->all.len; f = cause(failures, f)) /* jobs tried twice may loop */
        chain[n++ % SHOWN] = f; /* of a long chain the last ones count */
    report_one(g, chain[(n - 1) % SHOWN]);
    for (int i = n - 2; i >= 0 && i > n - 1 - SHOWN; i--) {
        struct buf who = {0};
        add_job(g, chain[i % SHOWN]->job, &who);
        diag_note(g->workflow->diags, job_rule(g, chain[i % SHOWN]->job)->span, "needed by %s",
                  buf_text(&who));
        buf_free(&who);
    }
    return false;
}

/* The circle behind the failure of a job; NULL if that is no longer found: jobs tried twice. */
static const struct failure *circle_behind(const struct failures *failures, job_id job)
{
    const struct failure *f = &failures->all.at[map_find(&failures->of_job, job)];
    for (uint32_t n = 0; f && f->kind == FAILURE_MISSING; f = cause(failures, f))
        if (n++ == failures->all.len)
            return NULL;
    return f && f->kind != FAILURE_FUNCTION ? f : NULL;
}

void circle_warn(struct graph *g, const struct failures *failures, job_id job, file_id file)
{
    struct buf who = {0}, instead = {0}, why = {0};
    const struct failure *circle = circle_behind(failures, job);
    const char *hint;
    add_job(g, job, &who);
    if (g->files.at[file].state == FILE_MADE)
        add_job(g, g->files.at[file].maker, &instead);
    warn(g->workflow->diags, job_rule(g, job)->span,
         "%s would make '%s' from files that need each other without end: %s%s", buf_text(&who),
         file_path(g, file), instead.len ? buf_text(&instead) : "the file that is there is taken",
         instead.len ? " makes it" : "");
    if (circle) {
        struct span span = circle_text(g, circle, &why, &hint);
        diag_note(g->workflow->diags, span, "%s", buf_text(&why));
        diag_hint(g->workflow->diags, "%s", hint);
    }
    buf_free(&who);
    buf_free(&instead);
    buf_free(&why);
}

bool depth_report(struct graph *g, job_id job)
{
    struct buf who = {0};
    add_job(g, job, &who);
    complain_kind(g->workflow->diags, "WorkflowError", job_rule(g, job)->span,
                  "the chain of jobs that need each other has no end: a million stand before %s",
                  buf_text(&who));
    diag_hint(g->workflow->diags,
              "rules that make their own input must come to an end: by wildcard_constraints, or by "
              "an input function that finally returns nothing");
    buf_free(&who);
    return false;
}

bool ambiguity_report(struct graph *g, file_id file, job_id a, job_id b)
{
    struct buf first = {0}, second = {0};
    struct diags *dx = g->workflow->diags;
    add_job(g, a, &first);
    add_job(g, b, &second);
    complain_kind(dx, "AmbiguousRuleException", job_rule(g, a)->span, "%s and %s both make '%s'",
                  buf_text(&first), buf_text(&second), file_path(g, file));
    diag_note(dx, job_rule(g, b)->span, "the other one is %s", buf_text(&second));
    if (g->jobs.at[a].rule == g->jobs.at[b].rule)
        diag_hint(dx, "the name can be read in two ways: constrain the wildcards "
                      "(wildcard_constraints), or part them by what their values do not hold");
    else
        diag_hint(dx,
                  "say which one wins (ruleorder: %s > %s), constrain the wildcards, or give them "
                  "different file names",
                  rule_name(g, a), rule_name(g, b));
    buf_free(&first);
    buf_free(&second);
    return false;
}
