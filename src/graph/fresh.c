// SPDX-License-Identifier: MIT
/* fresh.c: see fresh.h. Jobs are judged in topological order; all that lies downstream of a job
 * that runs is masked, for the second step reaches it anyway. */
#include "graph/fresh.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/provenance.h"
#include "graph/ready.h"

struct judge {
    struct graph *g;
    const struct fresh_options *options;
    struct provenance *records;
    /* by job: oldest existing output, or that of a direct user; MTIME_ABSENT: none */
    int64_t *mintime;
    uint8_t *masked;         /* by job: downstream of one that runs */
    int64_t *bundle_mintime; /* by bundle: the first of its users' that exists; MTIME_UNKNOWN: not
                                asked yet */
    uint8_t *bundle_masked, *bundle_spread, *bundle_up; /* by bundle: each is gone through once */
    uint8_t *bundle_remade;                             /* by bundle: enum remade of its files */
    struct map ancient;                                 /* (user, file) -> enum use */
    VEC(job_id) queue;                                  /* jobs that run */
    VEC(job_id) stack;
};

const char *reason_phrase(enum reason_bit reason)
{
#define X(name, phrase, title) phrase,
    static const char *const phrases[] = {REASONS(X)};
#undef X
    return phrases[reason];
}

const char *reason_title(enum reason_bit reason)
{
#define X(name, phrase, title) title,
    static const char *const titles[] = {REASONS(X)};
#undef X
    return titles[reason];
}

/* ---- what is asked for by the options ---- */

static bool is_forced(const struct judge *judge, job_id id)
{
    const struct graph *g = judge->g;
    const struct fresh_options *o = judge->options;
    const struct job *job = &g->jobs.at[id];
    if (o->force_all || id_listed(o->force_rules, job->rule) || (o->force_targets && job->wanted))
        return true;
    for (uint32_t i = 0; i < job->noutputs; i++) {
        file_id f = job_outputs(g, id)[i];
        if ((o->force_targets && g->files.at[f].target) ||
            id_listed(o->force_paths, g->files.at[f].path))
            return true;
    }
    return false;
}

/* ---- times ---- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

static int64_t own_mintime(const struct graph *g, job_id id)
{
    int64_t least = MTIME_ABSENT;
    for (uint32_t i = 0; i < g->jobs.at[id].noutputs; i++)
        least = earlier(least, file_made_time(g, job_outputs(g, id)[i]));
    return earlier(least, g->benchmark_times.at[id]);
}

/* Users come before makers here, so that theirs are known. */
static int64_t bundle_mintime(struct judge *judge, bundle_id b)
{
    const struct uses *uses = &judge->g->bundle_uses;
    int64_t *found = &judge->bundle_mintime[b];
    if (*found != MTIME_UNKNOWN)
        return *found;
    *found = MTIME_ABSENT;
    for (uint32_t u = uses->start[b]; *found < 0 && u < uses->start[b + 1]; u++)
        *found = judge->mintime[uses->who[u]];
    return *found;
}

static int64_t users_mintime(struct judge *judge, file_id f)
{
    const struct uses *uses = &judge->g->file_uses;
    int64_t found = MTIME_ABSENT;
    for (uint32_t i = uses->start[f]; found < 0 && i < uses->start[f + 1]; i++) {
        uint32_t who = uses->who[i];
        found = who & EDGE_BUNDLE ? bundle_mintime(judge, who & ~EDGE_BUNDLE) : judge->mintime[who];
    }
    return found;
}

static void set_mintime(struct judge *judge, job_id id)
{
    judge->mintime[id] = own_mintime(judge->g, id);
    struct product_walk products = product_walk(judge->g, id);
    for (file_id f; judge->mintime[id] < 0 && (f = product_next(judge->g, &products));)
        judge->mintime[id] = users_mintime(judge, f);
}

/* ---- judging one job ---- */

static bool any_input_absent(const struct graph *g, job_id id)
{
    struct input_walk walk = input_walk(g, id);
    for (file_id f; (f = input_next(g, &walk));)
        if (g->files.at[f].mtime == MTIME_ABSENT)
            return true;
    return false;
}

static bool has_user(const struct graph *g, file_id file)
{
    return g->file_uses.start[file + 1] > g->file_uses.start[file];
}

/* A target without outputs runs when an input is missing (no body), or always. */
static uint16_t judge_without_output(const struct graph *g, job_id id)
{
    if (!g->jobs.at[id].nedges)
        return REASON_NO_IO;
    if (job_rule(g, id)->body != BODY_NONE)
        return REASON_NO_OUTPUT;
    return any_input_absent(g, id) ? REASON_UPDATED_INPUT_RUN : 0;
}

static uint16_t judge_target(const struct graph *g, job_id id)
{
    const struct job *job = &g->jobs.at[id];
    if (!job->noutputs)
        return judge_without_output(g, id);
    struct product_walk products = product_walk(g, id);
    for (file_id f; (f = product_next(g, &products));) {
        const struct file *file = &g->files.at[f];
        if (file->mtime == MTIME_ABSENT && (job->wanted || file->target || has_user(g, f)))
            return REASON_MISSING_OUTPUT;
    }
    return job->wanted && g->benchmark_times.at[id] == MTIME_ABSENT ? REASON_MISSING_OUTPUT : 0;
}

static bool is_younger(const struct judge *judge, job_id id, file_id f)
{
    return judge->g->files.at[f].mtime > judge->mintime[id];
}

/* Whether an input is a reason to run, not only younger. */
static bool is_newer(struct judge *judge, job_id id, file_id f, uint16_t flags)
{
    return is_younger(judge, id, f) && !(flags & FLAG_ANCIENT) &&
           !id_listed(judge->options->ancient_rules, judge->g->jobs.at[id].rule) &&
           !(judge->records && provenance_same_content(judge->records, id, f));
}

static bool any_input_newer(struct judge *judge, job_id id)
{
    if (judge->mintime[id] < 0)
        return false;
    struct input_walk walk = input_walk(judge->g, id);
    for (file_id f; (f = input_next(judge->g, &walk));)
        if (is_newer(judge, id, f, walk.flags))
            return true;
    return false;
}

/* Where the outputs are missing, inputs are compared with those of the jobs that would use them:
 * list_updated asks. */
static void note_user_time(struct judge *judge, job_id id)
{
    if (own_mintime(judge->g, id) >= 0)
        return;
    vec_push(&judge->g->user_times, judge->mintime[id]);
    map_set(&judge->g->user_time_of, id, judge->g->user_times.len);
}

/* list_updated asks: some inputs are newer, those that are only younger are not to be named. */
static void note_unchanged(struct judge *judge, job_id id)
{
    struct input_walk walk = input_walk(judge->g, id);
    for (file_id f; (f = input_next(judge->g, &walk));)
        if (is_younger(judge, id, f) && !is_newer(judge, id, f, walk.flags))
            map_set(&judge->g->unchanged, unchanged_key(id, f), 1);
}

static uint16_t judge_job(struct judge *judge, job_id id)
{
    judge->g->jobs.at[id].unrecorded = false;
    if (judge->g->jobs.at[id].waits_queue)
        return REASON_QUEUE;
    if (is_forced(judge, id))
        return REASON_FORCED;
    if (judge->records && judge->options->rerun_incomplete &&
        provenance_incomplete(judge->records, id))
        return REASON_INCOMPLETE;
    uint16_t reasons = graph_is_target(judge->g, id) ? judge_target(judge->g, id) : 0;
    if (reasons || judge->g->jobs.at[id].waits_checkpoint)
        return reasons;
    if (any_input_newer(judge, id)) {
        note_user_time(judge, id);
        note_unchanged(judge, id);
        return REASON_UPDATED_INPUT;
    }
    if (judge->records)
        return provenance_compare(judge->records, id);
    judge->g->jobs.at[id].unrecorded = judge->g->jobs.at[id].noutputs;
    return 0;
}

/* ---- what is ancient() ---- */

enum use { USE_ANCIENT = 1, USE_BOTH };

/* Notes which files a user (a job, or a bundle with EDGE_BUNDLE) has as ancient ones; then which of
 * these it has as plain ones, too. */
static void note_uses(struct judge *judge, uint32_t who, uint32_t first, uint32_t n, bool plain)
{
    for (uint32_t i = first; i < first + n; i++) {
        struct edge e = judge->g->edges.at[i];
        uint64_t use = map_pair(who, e.to);
        if (plain == !(e.flags & FLAG_ANCIENT) && (!plain || map_find(&judge->ancient, use)))
            map_set(&judge->ancient, use, plain ? USE_BOTH : USE_ANCIENT);
    }
}

static void note_all_uses(struct judge *judge, bool plain)
{
    const struct graph *g = judge->g;
    for (job_id j = 1; j < g->jobs.len; j++)
        note_uses(judge, j, g->jobs.at[j].first_edge, g->jobs.at[j].nedges, plain);
    for (bundle_id b = 1; b < g->bundles.len; b++)
        note_uses(judge, b | EDGE_BUNDLE, g->bundles.at[b].first, g->bundles.at[b].n, plain);
}

static bool is_ancient(const struct judge *judge, uint32_t who, file_id f)
{
    return judge->ancient.len && map_find(&judge->ancient, map_pair(who, f)) == USE_ANCIENT;
}

/* ---- masking all that lies downstream ---- */

static void mask_job(struct judge *judge, job_id id)
{
    if (!judge->masked[id]) {
        judge->masked[id] = 1;
        vec_push(&judge->stack, id);
    }
}

/* At first also by what is ancient(), as in Snakemake; later that would hide what a checkpoint has
 * told. */
static void mask_file_users(struct judge *judge, file_id f)
{
    const struct graph *g = judge->g;
    for (uint32_t i = g->file_uses.start[f]; i < g->file_uses.start[f + 1]; i++) {
        uint32_t who = g->file_uses.who[i], b = who & ~EDGE_BUNDLE;
        if (g->decided > 1 && is_ancient(judge, who, f))
            continue;
        if (!(who & EDGE_BUNDLE)) {
            mask_job(judge, who);
        } else if (!judge->bundle_masked[b]) {
            judge->bundle_masked[b] = 1;
            for (uint32_t u = g->bundle_uses.start[b]; u < g->bundle_uses.start[b + 1]; u++)
                mask_job(judge, g->bundle_uses.who[u]);
        }
    }
}

static void mask_downstream(struct judge *judge, job_id id)
{
    mask_job(judge, id);
    while (judge->stack.len) {
        struct product_walk products = product_walk(judge->g, judge->stack.at[--judge->stack.len]);
        for (file_id f; (f = product_next(judge->g, &products));)
            mask_file_users(judge, f);
    }
}

/* ---- the breadth-first spread ---- */

static void must_run(struct judge *judge, job_id id, uint16_t reason)
{
    struct job *job = &judge->g->jobs.at[id];
    job->reasons |= reason;
    if (!job->must_run) {
        job->must_run = true;
        judge->g->nmust_run++;
        vec_push(&judge->queue, id);
    }
}

static void spread_up_file(struct judge *judge, file_id f)
{
    const struct file *file = &judge->g->files.at[f];
    if (file->maker && file->mtime == MTIME_ABSENT && !judge->g->jobs.at[file->maker].done)
        must_run(judge, file->maker, REASON_MISSING_OUTPUT);
}

/* Of a checkpoint that stands for unknown inputs, all outputs must be there before these are
 * known. */
static void spread_up_edge(struct judge *judge, struct edge e)
{
    const struct graph *g = judge->g;
    job_id maker = e.checkpoint ? g->files.at[e.to].maker : 0;
    uint32_t n = maker ? g->jobs.at[maker].noutputs : 0;
    spread_up_file(judge, e.to);
    for (uint32_t i = 0; i < n; i++)
        spread_up_file(judge, job_outputs(g, maker)[i]);
}

/* Makers whose outputs this job needs and that are not there; a shared list is looked through
 * once. */
static void spread_up(struct judge *judge, job_id id)
{
    const struct graph *g = judge->g;
    const struct job *job = &g->jobs.at[id];
    for (uint32_t i = job->first_edge; i < job->first_edge + job->nedges; i++) {
        struct edge e = g->edges.at[i];
        if (!edge_is_bundle(e)) {
            spread_up_edge(judge, e);
            continue;
        }
        const struct bundle *bundle = &g->bundles.at[edge_id(e)];
        for (uint32_t k = 0; k < bundle->n && !judge->bundle_up[edge_id(e)]; k++)
            spread_up_edge(judge, g->edges.at[bundle->first + k]);
        judge->bundle_up[edge_id(e)] = 1;
    }
}

static void spread_to(struct judge *judge, job_id user, file_id f, bool ancient)
{
    struct graph *g = judge->g;
    bool counts = !ancient || g->files.at[f].mtime == MTIME_ABSENT || g->jobs.at[user].must_run;
    if (!g->jobs.at[user].done && counts)
        must_run(judge, user, REASON_UPDATED_INPUT_RUN);
    job_id maker = counts ? 0 : g->files.at[f].maker;
    if (maker && job_rule(g, maker)->checkpoint)
        vec_push(&g->undecided, maker);
}

static void spread_bundle(struct judge *judge, bundle_id b, file_id f)
{
    const struct graph *g = judge->g;
    bool ancient = is_ancient(judge, b | EDGE_BUNDLE, f);
    if (judge->bundle_spread[b])
        return;
    judge->bundle_spread[b] = !ancient;
    for (uint32_t u = g->bundle_uses.start[b]; u < g->bundle_uses.start[b + 1]; u++)
        spread_to(judge, g->bundle_uses.who[u], f, ancient);
}

static void spread_down(struct judge *judge, job_id id)
{
    const struct graph *g = judge->g;
    struct product_walk products = product_walk(g, id);
    for (file_id f; (f = product_next(g, &products));)
        for (uint32_t i = g->file_uses.start[f]; i < g->file_uses.start[f + 1]; i++) {
            uint32_t who = g->file_uses.who[i];
            if (who & EDGE_BUNDLE)
                spread_bundle(judge, who & ~EDGE_BUNDLE, f);
            else
                spread_to(judge, who, f, is_ancient(judge, who, f));
        }
}

/* ---- what an earlier decision of this run stands for ---- */

enum remade { REMADE_UNKNOWN, REMADE_NONE, REMADE_SOME };

static bool is_remade(const struct graph *g, struct edge e)
{
    return !(e.flags & FLAG_ANCIENT) && g->jobs.at[g->files.at[e.to].maker].done;
}

static bool bundle_is_remade(struct judge *judge, bundle_id b)
{
    const struct graph *g = judge->g;
    const struct bundle *bundle = &g->bundles.at[b];
    uint8_t *known = &judge->bundle_remade[b];
    for (uint32_t i = 0; !*known && i < bundle->n; i++)
        *known = is_remade(g, g->edges.at[bundle->first + i]) ? REMADE_SOME : REMADE_UNKNOWN;
    *known = *known ? *known : REMADE_NONE;
    return *known == REMADE_SOME;
}

static bool any_input_remade(struct judge *judge, job_id id)
{
    const struct job *job = &judge->g->jobs.at[id];
    bool found = false;
    for (uint32_t i = job->first_edge; !found && i < job->first_edge + job->nedges; i++) {
        struct edge e = judge->g->edges.at[i];
        found = edge_is_bundle(e) ? bundle_is_remade(judge, edge_id(e)) : is_remade(judge->g, e);
    }
    return found;
}

/* Jobs that have been started, and those whose inputs this run has made anew: that these have the
 * old content is no reason any more to leave out what was planned. Those that have been reopened,
 * which have no reasons, are judged by the inputs that they have now. */
static bool stays_planned(struct judge *judge, job_id id)
{
    const struct job *job = &judge->g->jobs.at[id];
    if (job->taken)
        return !job->done;
    return job->must_run && job->reasons && job->needed && any_input_remade(judge, id);
}

static void keep_planned(struct judge *judge)
{
    struct graph *g = judge->g;
    g->nmust_run = 0;
    for (job_id j = 1; j < g->jobs.len; j++) {
        struct job *job = &g->jobs.at[j];
        bool stays = stays_planned(judge, j);
        job->reasons = job->taken || stays ? job->reasons : 0;
        job->must_run = false;
        if (stays)
            must_run(judge, j, 0);
    }
}

/* ---- all together ---- */

static void judge_open(struct judge *judge)
{
    const struct graph *g = judge->g;
    judge->mintime = memory_zeroed(g->jobs.len + 1, sizeof *judge->mintime);
    judge->bundle_mintime = memory_zeroed(g->bundles.len + 1, sizeof *judge->bundle_mintime);
    judge->masked = memory_zeroed(g->jobs.len + 1, 1);
    judge->bundle_masked = memory_zeroed(g->bundles.len + 1, 1);
    judge->bundle_spread = memory_zeroed(g->bundles.len + 1, 1);
    judge->bundle_up = memory_zeroed(g->bundles.len + 1, 1);
    judge->bundle_remade = memory_zeroed(g->bundles.len + 1, 1);
    for (bundle_id b = 0; b < g->bundles.len; b++)
        judge->bundle_mintime[b] = MTIME_UNKNOWN;
}

static void judge_close(struct judge *judge)
{
    free(judge->mintime);
    free(judge->bundle_mintime);
    free(judge->masked);
    free(judge->bundle_masked);
    free(judge->bundle_spread);
    free(judge->bundle_up);
    free(judge->bundle_remade);
    map_free(&judge->ancient);
    vec_free(&judge->queue);
    vec_free(&judge->stack);
}

static bool all_forced(struct judge *judge, const job_id *order, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && is_forced(judge, order[i]))
        i++;
    return i == n;
}

static void judge_all(struct judge *judge, const job_id *order, uint32_t n)
{
    for (uint32_t i = n; i--;)
        set_mintime(judge, order[i]);
    note_all_uses(judge, false);
    if (judge->ancient.len)
        note_all_uses(judge, true);
    for (uint32_t i = 0; i < n; i++) {
        bool planned = judge->g->jobs.at[order[i]].must_run;
        uint16_t reasons = planned || judge->masked[order[i]] ? 0 : judge_job(judge, order[i]);
        if (reasons)
            must_run(judge, order[i], reasons);
        if (reasons || planned)
            mask_downstream(judge, order[i]);
    }
    for (uint32_t i = 0; i < judge->queue.len; i++) {
        spread_up(judge, judge->queue.at[i]);
        spread_down(judge, judge->queue.at[i]);
    }
}

/* ---- who needs a file ---- */

struct needed_by {
    const struct graph *g;
    bool running;
};

static bool note_running(void *user, job_id job)
{
    struct needed_by *by = user;
    by->running = by->g->jobs.at[job].must_run;
    return !by->running;
}

static bool is_needed(const struct graph *g, file_id f)
{
    struct needed_by by = {g, false};
    file_users(g, f, note_running, &by);
    return by.running;
}

/* Whether a job that is to run needs a file that is not there. */
static bool is_missed(const struct graph *g, job_id id)
{
    struct product_walk products = product_walk(g, id);
    for (file_id f; (f = product_next(g, &products));)
        if (g->files.at[f].mtime == MTIME_ABSENT && is_needed(g, f))
            return true;
    return false;
}

/* Snakemake judges jobs that wait for a checkpoint when all others are judged: what they need and
 * is going to be made is their reason, and what others miss, not that they are targets or
 * forced. */
static void pardon_waiting(struct graph *g, const job_id *order, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct job *job = &g->jobs.at[order[i]];
        if (job->has_waited && !job->taken && job->reasons & REASON_UPDATED_INPUT_RUN)
            job->reasons = REASON_UPDATED_INPUT_RUN |
                           (is_missed(g, order[i]) ? REASON_MISSING_OUTPUT : 0);
    }
}

static bool not_done(const struct job *job)
{
    return !job->done;
}

/* Whether all jobs are in the order. Others wait for each other: an update() for those who want the
 * file as it was, who need what it makes. */
static bool all_ordered(const struct graph *g, const job_id *order, uint32_t n)
{
    uint32_t left = 0;
    bool *there = memory_zeroed(g->jobs.len + 1, sizeof *there);
    for (uint32_t i = 0; i < n; i++)
        there[order[i]] = true;
    for (job_id j = 1; j < g->jobs.len && !left; j++)
        left = g->jobs.at[j].needed && not_done(&g->jobs.at[j]) && !there[j] ? j : 0;
    free(there);
    return !left ||
           complain_kind(
               g->workflow->diags, "CyclicGraphException", job_rule(g, left)->span,
               "rule %s waits in a circle: a file is updated by a job that is needed by those who "
               "want it as it was (before_update)",
               sym_text(g->names, job_rule(g, left)->name));
}

bool fresh_decide(struct graph *g, const struct fresh_options *options)
{
    struct judge judge = {.g = g, .options = options, .records = provenance_open(g, options)};
    judge_open(&judge);
    keep_planned(&judge);
    uint32_t n;
    job_id *order = graph_order(g, not_done, &n);
    g->undecided.len = 0;
    g->decided++; /* params may ask for checkpoints in front of their job: those are judged first */
    if (all_forced(&judge, order, n))
        for (uint32_t i = 0; i < n; i++)
            must_run(&judge, order[i], REASON_FORCED);
    else
        judge_all(&judge, order, n);
    pardon_waiting(g, order, n);
    bool good = !g->previous.len || all_ordered(g, order, n);
    free(order);
    good &= !judge.records || !provenance_failed(judge.records);
    provenance_close(judge.records);
    judge_close(&judge);
#ifdef KF_CHECK_GRAPH
    graph_check(g);
#endif
    return good;
}

/* ---- what a reason is about ---- */

static bool is_wanted(const struct graph *g, job_id id, file_id f)
{
    return g->jobs.at[id].wanted || g->files.at[f].target || is_needed(g, f);
}

static void list_absent(const struct graph *g, job_id id, bool wanted, sym_t *out, uint32_t *n)
{
    struct product_walk products = product_walk(g, id);
    for (file_id f; (f = product_next(g, &products));)
        if (g->files.at[f].mtime == MTIME_ABSENT && (!wanted || is_wanted(g, id, f)))
            out[(*n)++] = g->files.at[f].path;
}

/* A job that only --until or the like has left out may have wanted them. */
static void list_missing(const struct graph *g, job_id id, sym_t *out, uint32_t *n)
{
    list_absent(g, id, true, out, n);
    const struct items *benchmark = &job_rule(g, id)->benchmark;
    if (g->jobs.at[id].wanted && g->benchmark_times.at[id] == MTIME_ABSENT)
        out[(*n)++] = pattern_apply(&benchmark->at[0].pattern, g->names, job_wildcards(g, id));
    if (!*n)
        list_absent(g, id, false, out, n);
}

static void list_updated(const struct graph *g, job_id id, enum reason reason, sym_t *out,
                         uint32_t *n)
{
    int64_t mintime = own_mintime(g, id);
    uint32_t of_users = mintime < 0 ? map_find(&g->user_time_of, id) : 0;
    if (of_users)
        mintime = g->user_times.at[of_users - 1];
    struct input_walk walk = input_walk(g, id);
    for (file_id f; (f = input_next(g, &walk));) {
        const struct file *file = &g->files.at[f];
        const struct job *maker = &g->jobs.at[file->maker];
        bool by_job = file->maker &&
                      (maker->must_run || (maker->done && reason == REASON_UPDATED_INPUT_RUN));
        bool listed = reason == REASON_UPDATED_INPUT_RUN
                          ? by_job || (file->mtime == MTIME_ABSENT && !g->jobs.at[id].noutputs)
                          : !by_job && file->mtime > mintime && !(walk.flags & FLAG_ANCIENT) &&
                                !map_find(&g->unchanged, unchanged_key(id, f));
        if (listed)
            out[(*n)++] = file->path;
    }
}

/* Each once: a file may be an input twice. */
static uint32_t drop_repeated(sym_t *at, uint32_t n)
{
    struct map seen = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *place = map_at(&seen, at[i]);
        if (!*place)
            at[kept++] = at[i];
        *place = 1;
    }
    map_free(&seen);
    return kept;
}

static uint32_t count_inputs(const struct graph *g, job_id id)
{
    uint32_t n = 0;
    struct input_walk walk = input_walk(g, id);
    while (input_next(g, &walk))
        n++;
    return n;
}

sym_t *fresh_details(const struct graph *g, job_id id, enum reason reason, struct arena *in,
                     uint32_t *n)
{
    uint32_t most = reason == REASON_MISSING_OUTPUT
                        ? g->jobs.at[id].noutputs + g->extras.len + job_rule(g, id)->benchmark.len
                        : count_inputs(g, id);
    sym_t *out = arena_array(in, sym_t, most + 1);
    *n = 0;
    if (reason == REASON_MISSING_OUTPUT)
        list_missing(g, id, out, n);
    else if (reason == REASON_UPDATED_INPUT || reason == REASON_UPDATED_INPUT_RUN)
        list_updated(g, id, reason, out, n);
    if (reason == REASON_PARAMS && (out[0] = map_find(&g->params_change, id)))
        *n = 1;
    *n = *n > 1 ? drop_repeated(out, *n) : *n;
    return out;
}
