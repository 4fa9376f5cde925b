/* graphtest.h: a graph from a Snakefile text, in a directory of its own. */
#pragma once

#include "flow/flowtest.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "graph/fresh.h"
#include "graph/graph.h"
#include "graph/ready.h"
#include "graph/select.h"

/* Loads the text and makes a graph with targets "a b": rules or files; NULL: the default target.
 * Not built yet. */
static inline struct graph *graphtest_targets(struct flowtest *t, const char *snakefile,
                                              const char *targets,
                                              const struct graph_options *options)
{
    struct graph_options none = {0};
    flowtest_unload(t);
    if (!flowtest_load(t, snakefile)) {
        diag_print(t->dx, stdout, false);
        abort();
    }
    struct graph *g = graph_new(t->w, options ? options : &none);
    if (!targets)
        graph_want_rule(g, workflow_rule(t->w, sym_text(t->names, t->w->default_target)));
    for (const char *at = targets; at && *at;) {
        size_t len = strcspn(at, " ");
        const char *word = arena_copy(&t->arena, at, len);
        const struct rule *rule = workflow_rule(t->w, word);
        if (!(rule ? graph_want_rule(g, rule) : graph_want_file(g, word)))
            abort();
        at += len + (at[len] == ' ');
    }
    return g;
}

/* The same, built and checked; t->error is "" or the headline of what went wrong. */
static inline struct graph *graphtest_build(struct flowtest *t, const char *snakefile,
                                            const char *targets,
                                            const struct graph_options *options)
{
    struct graph *g = graphtest_targets(t, snakefile, targets, options);
    bool good = graph_build(g);
    t->error = good ? "" : arena_str(&t->arena, diag_last(t->dx));
    if (good) {
        graph_stat(g);
        graph_check(g);
    }
    return g;
}

/* Needed (or only_run: to be run) jobs in order of their numbers: "all a:x b:x,1". */
static inline const char *graphtest_jobs(struct flowtest *t, const struct graph *g, bool only_run)
{
    struct buf out = {0};
    job_id *by_number = calloc(g->jobs.len + 1, sizeof *by_number);
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed)
            by_number[g->jobs.at[j].number] = j;
    for (uint32_t n = 0; n < g->jobs.len; n++) {
        job_id j = by_number[n];
        if (!j || (only_run && !g->jobs.at[j].must_run))
            continue;
        const struct rule *rule = job_rule(g, j);
        buf_printf(&out, "%s%s", out.len ? " " : "", sym_text(g->names, rule->name));
        for (uint32_t i = 0; i < rule->wildcards.n; i++)
            buf_printf(&out, "%s%s", i ? "," : ":", sym_text(g->names, job_wildcards(g, j)[i]));
    }
    const char *text = arena_str(&t->arena, buf_text(&out));
    buf_free(&out);
    free(by_number);
    return text;
}

/* The first needed job of a rule, or 0. */
static inline job_id graphtest_job(const struct graph *g, const char *rule)
{
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed && !strcmp(sym_text(g->names, job_rule(g, j)->name), rule))
            return j;
    return 0;
}

/* A file with this content, that many seconds after a fixed day. */
static inline void graphtest_file(const char *path, const char *text, long second)
{
    flowtest_write(path, text);
    struct timespec times[2] = {{1700000000 + second, 0}, {1700000000 + second, 0}};
    utimensat(AT_FDCWD, path, times, 0);
}

/* Reason bits as words: "FORCED CODE". */
static inline const char *graphtest_reasons(struct flowtest *t, uint16_t reasons)
{
#define X(name, phrase, title) #name,
    static const char *const names[] = {REASONS(X)};
#undef X
    const char *text = "";
    for (size_t bit = 0; bit < sizeof names / sizeof *names; bit++)
        if (reasons >> bit & 1)
            text = arena_printf(&t->arena, "%s%s%s", text, *text ? " " : "", names[bit]);
    return text;
}
