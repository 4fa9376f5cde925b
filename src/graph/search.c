// SPDX-License-Identifier: MIT
/* search.c: which job makes each file, from the targets down.
 *
 * The search is depth-first with an explicit stack of frames, for the graph may be a chain of a
 * million jobs:
 *
 *   FILE    tries the candidate jobs of one file in order of preference, until one wins;
 *   JOB     evaluates the inputs of a job once and walks its edges; fails at the first
 *           that cannot be had;
 *   BUNDLE  the same for a list of files that several jobs share.
 *
 * A frame asks for what it needs by pushing another frame and looks at the state of that record
 * when it is on top again. A file that nothing makes is a source if it exists; that also rescues a
 * file all of whose candidates failed. What failed only because it met a record on the way to it (a
 * cycle) may be had from elsewhere: it is tainted, and new again when that record's frame ends. */
#include "graph/search.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/storage.h"
#include "graph/batch.h"
#include "graph/bundle.h"
#include "graph/inside.h"
#include "graph/match.h"

enum {
    BUNDLE_MIN = 16,      /* shorter input lists of functions are plain edges */
    RETRIES_MAX = 100000, /* of what failed in cycles: a tangle of n rules has n! ways */
    REPEATS = 20,         /* of a text in a wildcard's value */
    ENDLESS_MAX = 100,    /* values too long for a path: a tangle of n rules has n^length */
    DEPTH_MAX = 2000000,  /* frames, two of each job, before memory ends instead */
};

enum frame_kind { FRAME_FILE, FRAME_JOB, FRAME_BUNDLE };

struct frame {
    uint8_t kind;
    bool settled;     /* FILE: the winner is known */
    bool met;         /* something above failed because it met this one */
    bool circular;    /* FILE: a candidate is itself on the way to it */
    uint16_t ncand;   /* FILE: candidates on top of search.cand */
    uint32_t item;    /* FILE: the input item of the consumer that asks */
    uint32_t id;      /* file, job or bundle */
    uint32_t at, end; /* JOB, BUNDLE: edges still to look at; FILE: candidates */
    job_id consumer;  /* FILE: the job that asks */
    job_id winner;    /* FILE */
    job_id rival;     /* FILE: what an earlier consumer takes it from */
    uint32_t asked;   /* JOB, BUNDLE: the edge whose file was asked for anew */
    uint32_t low;     /* the lowest frame that failures up here have met; UINT32_MAX: none */
};

/* A record that failed because of a cycle through frame low. */
struct taint {
    uint32_t kind, id, low;
};

struct search {
    struct graph *g;
    VEC(struct frame) stack;
    VEC(job_id) cand;           /* a stack too: each FILE frame's candidates */
    VEC(struct index_hit) hits; /* the index's answer, copied: matching may add symbols */
    struct match_room room;
    struct failures failures;
    VEC(struct taint) taints;
    uint32_t retries, endless;
    bool fatal;           /* reported already */
    bool trusting;        /* sources on servers are taken to be there ... */
    VEC(file_id) assumed; /* ... these, and asked for afterwards, many at a time */
};

static void push(struct search *s, enum frame_kind kind, uint32_t id, job_id consumer,
                 uint32_t item)
{
    struct frame frame = {.kind = kind,
                          .id = id,
                          .consumer = consumer,
                          .item = item,
                          .low = UINT32_MAX,
                          .asked = UINT32_MAX};
    vec_push(&s->stack, frame);
}

static struct frame *top(struct search *s)
{
    return &s->stack.at[s->stack.len - 1];
}

/* ---- cycles ---- */

/* What is looked for failed because it needs what frame `at` is looking for. */
static void meet(struct search *s, uint32_t at)
{
    s->stack.at[at].met = true;
    if (at < top(s)->low)
        top(s)->low = at;
}

static void renew(struct search *s, const struct taint *taint)
{
    struct graph *g = s->g;
    if (s->retries++ >= RETRIES_MAX)
        return;
    switch (taint->kind) {
    case FRAME_FILE: g->files.at[taint->id].state = FILE_NEW; break;
    case FRAME_JOB: g->jobs.at[taint->id].state = BUILD_NEW; break;
    case FRAME_BUNDLE: g->bundles.at[taint->id].state = BUILD_NEW; break;
    }
}

/* Ends the top frame; failed: its record cannot be had. */
static void pop(struct search *s, bool failed)
{
    struct frame frame = *top(s);
    uint32_t at = --s->stack.len, kept = 0;
    for (uint32_t i = 0; frame.met && i < s->taints.len; i++) {
        if (s->taints.at[i].low >= at)
            renew(s, &s->taints.at[i]);
        else
            s->taints.at[kept++] = s->taints.at[i];
    }
    if (frame.met)
        s->taints.len = kept;
    if (!failed || frame.low >= at)
        return;
    struct taint taint = {frame.kind, frame.id, frame.low};
    vec_push(&s->taints, taint);
    if (frame.low < top(s)->low)
        top(s)->low = frame.low;
}

/* ---- failures ---- */

static void fail_job(struct search *s, job_id job, enum failure_kind kind, file_id file,
                     const char *text)
{
    uint32_t id = pool_add(&s->failures.all);
    struct failure *failure = &s->failures.all.at[id];
    failure->kind = kind;
    failure->job = job;
    failure->file = file;
    failure->text = text;
    uint32_t cause = kind == FAILURE_MISSING ? map_find(&s->failures.of_file, file) : 0;
    failure->root = cause ? s->failures.all.at[cause].root : kind;
    map_set(&s->failures.of_job, job, id);
    s->g->jobs.at[job].state = BUILD_FAILED;
}

static void fail_candidate(struct search *s, file_id file, job_id job)
{
    uint32_t id = map_find(&s->failures.of_job, job);
    if (!id)
        return;
    uint32_t *first = map_at(&s->failures.of_file, file);
    if (*first != id && !s->failures.all.at[id].next) {
        s->failures.all.at[id].next = *first;
        *first = id;
    }
}

/* A candidate that is itself on the way to this file: if nothing else makes it, that is why. */
static void note_cycle(struct search *s, file_id file, job_id job)
{
    meet(s, s->g->jobs.at[job].number);
    top(s)->circular = true;
    uint32_t id = pool_add(&s->failures.all), *first = map_at(&s->failures.of_file, file);
    s->failures.all.at[id] = (struct failure){
        .kind = FAILURE_CYCLE, .root = FAILURE_CYCLE, .job = job, .file = file, .next = *first};
    *first = id;
}

/* ---- candidates of a file ---- */

/* Whether a text begins or ends in the same substring so many times over. */
static bool is_periodic(const char *text, size_t len, bool ends)
{
    enum { LONGEST = 100 };
    for (size_t n = 1; n <= LONGEST && n * REPEATS <= len; n++) {
        const char *run = ends ? text + len - n * REPEATS : text;
        if (!memcmp(run, run + n, n * (REPEATS - 1)))
            return true;
    }
    return false;
}

/* Whether the jobs on the way to the one on top hold so many of its rule. */
static bool is_recursive(const struct search *s, rule_id rule)
{
    uint32_t n = 0;
    for (uint32_t i = s->stack.len; i-- > 0 && n < REPEATS;)
        n += s->stack.at[i].kind == FRAME_JOB && s->g->jobs.at[s->stack.at[i].id].rule == rule;
    return n == REPEATS;
}

static bool is_allowed(const struct graph *g, rule_id rule)
{
    return !g->options.allowed || id_listed(g->options.allowed, rule);
}

static int prefer(const struct search *s, job_id a, job_id b)
{
    return workflow_prefer(s->g->workflow, s->g->jobs.at[a].rule, s->g->jobs.at[b].rule);
}

/* Adds a candidate in front of those it is preferred to. */
static void add_candidate(struct search *s, struct frame *frame, job_id job)
{
    vec_push(&s->cand, job);
    uint32_t i = s->cand.len - 1;
    for (; i > frame->at && prefer(s, job, s->cand.at[i - 1]) > 0; i--)
        s->cand.at[i] = s->cand.at[i - 1];
    s->cand.at[i] = job;
    frame->ncand++;
}

/* If the item that asks came from rules.x.output, only rule x may answer. */
static rule_id only_maker(const struct search *s, job_id consumer, uint32_t item)
{
    if (!consumer)
        return 0;
    const struct items *items = &job_rule(s->g, consumer)->input;
    return item < items->len ? items->at[item].maker : 0;
}

static void find_candidates(struct search *s, uint32_t frame_at)
{
    struct graph *g = s->g;
    struct frame *frame = &s->stack.at[frame_at];
    sym_t path = g->files.at[frame->id].path;
    rule_id only = only_maker(s, frame->consumer, frame->item);
    g->files.at[frame->id].narrowed = only;
    uint32_t n;
    const struct index_hit *found = index_find(g->index, path, &n);
    s->hits.len = 0;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&s->hits, found[i]);
    frame->at = frame->end = s->cand.len;
    for (uint32_t i = 0, k; i < n; i = k) {
        rule_id rule = s->hits.at[i].rule;
        for (k = i + 1; k < n && s->hits.at[k].rule == rule;)
            k++;
        if ((only && only != rule) || !is_allowed(g, rule))
            continue;
        job_id job = match_rule(g, &s->room, &s->hits.at[i], k - i, path, frame->consumer);
        if (job)
            add_candidate(s, frame, job);
    }
    frame->end = s->cand.len;
}

/* ---- inputs of a job ---- */

static void use_bundle(struct graph *g, job_id id, bundle_id bundle)
{
    struct edge e = {.to = bundle | EDGE_BUNDLE};
    g->jobs.at[id].first_edge = g->edges.len;
    g->jobs.at[id].nedges = 1;
    vec_push(&g->edges, e);
}

static uint32_t *constant_bundle(struct graph *g, rule_id rule)
{
    vec_reach(&g->rule_bundle, rule);
    return &g->rule_bundle.at[rule];
}

/* Some inputs are not known yet: for now the checkpoints' first outputs stand for them. */
static void wait_for_checkpoints(struct graph *g, job_id id)
{
    g->jobs.at[id].waits_checkpoint = g->jobs.at[id].has_waited = true;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        struct waiting wait = {.job = id, .file = graph_file(g, g->inputs.at[i].path)};
        if (g->inputs.at[i].checkpoint)
            vec_push(&g->waiting, wait);
    }
}

/* Takes the exception of an input function as this job's failure, unless functions are to be
 * strict. sys.exit() ends the program, but not a run. */
static void function_failed(struct search *s, job_id id, struct job_eval *eval)
{
    struct graph *g = s->g;
    struct diags *dx = g->workflow->diags;
    fail_job(s, id, FAILURE_FUNCTION, 0, NULL);
    bool ends = !g->decided && workflow_took_exit(g->workflow);
    if (!ends)
        eval_report(eval);
    if (ends || g->options.strict_functions)
        s->fatal = true;
    else
        s->failures.all.at[map_find(&s->failures.of_job, id)].aside = diag_put_aside(dx);
}

static bool has_rule(const struct graph *g, sym_t path)
{
    uint32_t n;
    index_find(g->index, path, &n);
    return n;
}

/* What is read as its storage has it may be made by a rule whose output is a local copy: it is that
 * file. */
static void find_copy(struct graph *g, struct job_file *file)
{
    bool stored = file->flags & FLAG_STORAGE && !has_rule(g, file->path);
    const char *copy = stored ? storage_copy_of(g->workflow, sym_text(g->names, file->path)) : NULL;
    sym_t path = copy ? intern_str(g->names, copy) : 0;
    if (!path || !has_rule(g, path))
        return;
    file->flags |= FLAG_UNFETCHED;
    file->path = path;
}

/* Evaluates the inputs of a job into edges. */
static void evaluate_job(struct search *s, job_id id)
{
    struct graph *g = s->g;
    const struct items *items = &job_rule(g, id)->input;
    uint32_t *shared = items->constant && items->len ? constant_bundle(g, g->jobs.at[id].rule)
                                                     : NULL;
    if (shared && *shared) {
        use_bundle(g, id, *shared);
        return;
    }
    struct job_eval eval = job_eval_of(g, id, &g->scratch);
    g->inputs.len = 0;
    enum eval_result result = eval_input(&eval, &g->inputs);
    if (result == EVAL_OK && batch_concerns(g, id) && !batch_inputs(g, id, &g->inputs)) {
        s->fatal = true;
        return;
    }
    for (uint32_t i = 0; i < g->inputs.len && workflow_has_storage(g->workflow); i++)
        find_copy(g, &g->inputs.at[i]);
    if (eval.wants_groupid)
        vec_push(&g->awaiting_group, id);
    g->jobs.at[id].waits_queue = eval.wants_queue;
    if (eval.wants_queue)
        vec_push(&g->queued, id);
    if (result == EVAL_CHECKPOINT)
        wait_for_checkpoints(g, id);
    if (result == EVAL_FAILED)
        function_failed(s, id, &eval);
    else if (shared || g->inputs.len >= BUNDLE_MIN)
        use_bundle(g, id, bundle_of(g, &g->inputs, items));
    else {
        g->jobs.at[id].first_edge = bundle_edges(g, &g->inputs, items);
        g->jobs.at[id].nedges = g->inputs.len;
    }
    if (shared && result == EVAL_OK)
        *constant_bundle(g, g->jobs.at[id].rule) = edge_id(g->edges.at[g->jobs.at[id].first_edge]);
    arena_reset(&g->scratch);
}

/* Against rules that consume what they make: Snakemake's guard, a value that ends in the same
 * substring 20 times over; one that begins so while the rule asks for itself; and one longer than
 * any path. */
static bool check_periodic(struct search *s, job_id id)
{
    struct graph *g = s->g;
    const struct rule *rule = job_rule(g, id);
    for (uint32_t i = 0; i < rule->wildcards.n; i++) {
        const char *text = sym_text(g->names, job_wildcards(g, id)[i]);
        size_t len = sym_len(g->names, job_wildcards(g, id)[i]);
        bool endless = len >= PATH_MAX;
        if (!endless && !is_periodic(text, len, true) &&
            !(is_periodic(text, len, false) && is_recursive(s, rule->id)))
            continue;
        fail_job(s, id, FAILURE_PERIODIC, 0, sym_text(g->names, rule->wildcards.name[i]));
        if (endless && s->endless++ >= ENDLESS_MAX) {
            s->fatal = true;
            failure_report(g, &s->failures, id, 0);
        }
        return false;
    }
    return true;
}

/* ---- frames ---- */

enum step { STEP_DONE, STEP_PUSHED };

/* Whether a consumer may mean another maker of a file than the one found for an earlier consumer:
 * one of them named the rule (rules.x.output), the other did not, or another. */
static bool asks_anew(const struct search *s, job_id consumer, struct edge e)
{
    const struct file *file = &s->g->files.at[e.to];
    rule_id only = only_maker(s, consumer, e.item);
    if (file->state != FILE_MADE || s->g->options.allow_ambiguity)
        return false;
    return only ? only != s->g->jobs.at[file->maker].rule : file->narrowed;
}

static void ask_anew(struct search *s, struct frame *frame, job_id consumer, struct edge e)
{
    struct file *file = &s->g->files.at[e.to];
    job_id rival = file->maker;
    frame->asked = frame->at;
    file->state = FILE_NEW;
    push(s, FRAME_FILE, e.to, consumer, e.item);
    top(s)->rival = rival;
}

/* Looks at the next edges of a job or bundle; *failed is the file or bundle edge that cannot be
 * had. */
static enum step walk_edges(struct search *s, struct frame *frame, job_id consumer,
                            uint32_t *failed)
{
    struct graph *g = s->g;
    for (; frame->at < frame->end; frame->at++) {
        struct edge e = g->edges.at[frame->at];
        bool bundle = edge_is_bundle(e);
        uint8_t state = bundle ? g->bundles.at[edge_id(e)].state : g->files.at[e.to].state;
        if (bundle ? state == BUILD_NEW : state == FILE_NEW) {
            push(s, bundle ? FRAME_BUNDLE : FRAME_FILE, edge_id(e), consumer, e.item);
            return STEP_PUSHED;
        }
        if (!bundle && frame->asked != frame->at && asks_anew(s, consumer, e)) {
            ask_anew(s, frame, consumer, e);
            return STEP_PUSHED;
        }
        if (bundle ? state != BUILD_OK : state == FILE_MISSING || state == FILE_VISITING) {
            *failed = e.to;
            return STEP_DONE;
        }
    }
    return STEP_DONE;
}

/* The file of a failed edge: inside a bundle the first that cannot be had. */
static file_id failed_file(const struct graph *g, uint32_t to)
{
    if (!(to & EDGE_BUNDLE))
        return to;
    const struct bundle *bundle = &g->bundles.at[to & ~EDGE_BUNDLE];
    for (uint32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
        uint8_t state = g->files.at[g->edges.at[i].to].state;
        if (state == FILE_MISSING || state == FILE_VISITING)
            return g->edges.at[i].to;
    }
    return 0;
}

static void step_job(struct search *s)
{
    struct graph *g = s->g;
    job_id id = top(s)->id;
    if (g->jobs.at[id].state == BUILD_NEW) {
        g->jobs.at[id].state = BUILD_VISITING;
        g->jobs.at[id].number = s->stack.len - 1; /* until it has its own */
        if (check_periodic(s, id))
            evaluate_job(s, id);
        top(s)->at = g->jobs.at[id].first_edge;
        top(s)->end = top(s)->at + g->jobs.at[id].nedges;
    }
    uint32_t failed = 0;
    if (g->jobs.at[id].state == BUILD_VISITING) {
        if (walk_edges(s, top(s), id, &failed) == STEP_PUSHED)
            return;
        if (failed) {
            file_id file = failed_file(g, failed);
            bool cycle = g->files.at[file].state == FILE_VISITING;
            if (cycle)
                meet(s, g->files.at[file].maker);
            fail_job(s, id, cycle ? FAILURE_CYCLE : FAILURE_MISSING, file, NULL);
        } else {
            g->jobs.at[id].state = BUILD_OK;
        }
    }
    pop(s, g->jobs.at[id].state == BUILD_FAILED);
}

static void step_bundle(struct search *s)
{
    struct bundle *bundle = &s->g->bundles.at[top(s)->id];
    if (bundle->state == BUILD_NEW) {
        bundle->state = BUILD_VISITING;
        top(s)->at = bundle->first;
        top(s)->end = bundle->first + bundle->n;
    }
    uint32_t failed = 0;
    if (walk_edges(s, top(s), top(s)->consumer, &failed) == STEP_PUSHED)
        return;
    s->g->bundles.at[top(s)->id].state = failed ? BUILD_FAILED : BUILD_OK;
    if (failed && s->g->files.at[failed].state == FILE_VISITING)
        meet(s, s->g->files.at[failed].maker);
    pop(s, failed);
}

/* A log or benchmark file that is asked for becomes a product of its job. */
static void note_extra(struct graph *g, job_id job, file_id file)
{
    struct product_walk products = product_walk(g, job);
    for (file_id f; (f = product_next(g, &products));)
        if (f == file)
            return;
    uint32_t id = pool_add(&g->extras);
    uint32_t *first = map_at(&g->extra_of, job);
    g->extras.at[id] = (struct extra){file, *first};
    *first = id;
}

static void watch(const struct graph *g, job_id job, const char *what)
{
    if (g->options.watch)
        g->options.watch(g->options.watch_user, g, job, what);
}

/* Whether a rule would make the file of the frame on top, but for the input function of each that
 * might, which has failed: as in Snakemake that is an error, also where the file is there. */
static bool functions_failed(const struct search *s)
{
    const struct frame *frame = &s->stack.at[s->stack.len - 1];
    uint32_t i = frame->end - frame->ncand;
    bool failed = frame->ncand;
    for (; failed && i < frame->end; i++) {
        uint32_t id = map_find(&s->failures.of_job, s->cand.at[i]);
        failed = id && s->failures.all.at[id].kind == FAILURE_FUNCTION;
    }
    return failed;
}

static void file_found(struct search *s, file_id id, job_id winner, bool broken)
{
    struct graph *g = s->g;
    struct file *file = &g->files.at[id];
    if (winner) {
        watch(g, winner, "selected");
        file->state = FILE_MADE;
        file->maker = winner;
        note_extra(g, winner, id);
        return;
    }
    file->maker = 0;
    bool assumed = s->trusting && file->mtime == MTIME_UNKNOWN && graph_is_remote(g, id);
    if (assumed)
        vec_push(&s->assumed, id);
    else if (file->mtime == MTIME_UNKNOWN)
        graph_stat_file(g, id);
    bool there = g->files.at[id].mtime != MTIME_ABSENT && !broken;
    file->state = there ? FILE_SOURCE : FILE_MISSING;
}

/* The kind of the failure behind that of a job; -1: it has not failed. */
static int root_kind(const struct search *s, job_id job)
{
    if (s->g->jobs.at[job].state != BUILD_FAILED)
        return -1;
    uint32_t id = map_find(&s->failures.of_job, job);
    return id ? s->failures.all.at[id].root : -1;
}

/* Warns of a candidate that a circle keeps from making a file which can be had without it; once a
 * rule. */
static void tell_circle(struct search *s, file_id file, job_id candidate)
{
    struct graph *g = s->g;
    rule_id rule = g->jobs.at[candidate].rule;
    int root = root_kind(s, candidate);
    if (root != FAILURE_CYCLE && root != FAILURE_PERIODIC)
        return;
    vec_reach(&g->told_circle, rule);
    if (g->told_circle.at[rule])
        return;
    g->told_circle.at[rule] = true;
    circle_warn(g, &s->failures, candidate, file);
}

/* Whether --strict-dag-evaluation names the reason why a job cannot be made. */
static bool fails_strictly(const struct search *s, job_id job)
{
    const struct graph_options *options = &s->g->options;
    int root = root_kind(s, job);
    return (options->strict_cycles && root == FAILURE_CYCLE) ||
           (options->strict_periodic && root == FAILURE_PERIODIC);
}

/* A candidate that can be made: keeps the first; a second one that is not ordered behind it is an
 * error. */
static void candidate_works(struct search *s, struct frame *frame, job_id job)
{
    if (!frame->winner)
        frame->winner = job;
    else if (!prefer(s, frame->winner, job) && !s->g->options.allow_ambiguity && !s->fatal) {
        s->fatal = true;
        ambiguity_report(s->g, frame->id, frame->winner, job);
    }
    bool beats_rest = true;
    for (uint32_t i = frame->at + 1; i < frame->end; i++)
        beats_rest &= prefer(s, frame->winner, s->cand.at[i]) > 0;
    frame->settled = beats_rest || s->g->options.allow_ambiguity;
}

static void step_file(struct search *s)
{
    struct graph *g = s->g;
    uint32_t here = s->stack.len - 1;
    file_id id = top(s)->id;
    if (g->files.at[id].state == FILE_NEW) {
        g->files.at[id].state = FILE_VISITING;
        g->files.at[id].maker = here; /* until it is found */
        find_candidates(s, here);
    }
    while (top(s)->at < top(s)->end && !top(s)->settled && !s->fatal) {
        job_id job = s->cand.at[top(s)->at];
        uint8_t state = g->jobs.at[job].state;
        if (state == BUILD_NEW && s->stack.len >= DEPTH_MAX) {
            s->fatal = true;
            depth_report(g, job);
            return;
        }
        if (state == BUILD_NEW) {
            watch(g, job, "candidate");
            push(s, FRAME_JOB, job, 0, 0);
            return;
        }
        if (state == BUILD_OK)
            candidate_works(s, top(s), job);
        else if (state == BUILD_VISITING)
            note_cycle(s, id, job);
        else
            fail_candidate(s, id, job);
        if (fails_strictly(s, job)) {
            top(s)->winner = 0; /* whatever else would make the file */
            break;
        }
        top(s)->at++;
    }
    job_id winner = top(s)->winner, rival = top(s)->rival;
    /* of a circle: that job would make anew what is there, from what is made of it */
    bool broken = !winner && !rival && (top(s)->circular || functions_failed(s));
    const job_id *failed = s->cand.at + (s->cand.len -= top(s)->ncand);
    uint32_t ncand = top(s)->ncand;
    if (rival && winner && winner != rival && !s->fatal) {
        s->fatal = true;
        ambiguity_report(g, id, rival, winner);
    }
    file_found(s, id, winner ? winner : rival, broken);
    for (uint32_t i = 0; i < ncand && g->files.at[id].state != FILE_MISSING && !s->fatal; i++)
        tell_circle(s, id, failed[i]);
    pop(s, g->files.at[id].state == FILE_MISSING);
}

static void run_search(struct search *s)
{
    while (s->stack.len && !s->fatal) {
        switch (top(s)->kind) {
        case FRAME_FILE: step_file(s); break;
        case FRAME_JOB: step_job(s); break;
        case FRAME_BUNDLE: step_bundle(s); break;
        }
    }
}

static bool search_job(struct search *s, job_id job)
{
    if (s->g->jobs.at[job].state == BUILD_NEW) {
        watch(s->g, job, "candidate");
        push(s, FRAME_JOB, job, 0, 0);
    }
    run_search(s);
    if (s->fatal)
        return false;
    watch(s->g, job, "selected");
    return s->g->jobs.at[job].state == BUILD_OK || failure_report(s->g, &s->failures, job, 0);
}

/* A file that was asked for: that it is there does not do, a rule must make it. */
static bool search_file(struct search *s, file_id file)
{
    if (s->g->files.at[file].state == FILE_NEW)
        push(s, FRAME_FILE, file, 0, 0);
    run_search(s);
    if (s->fatal)
        return false;
    return s->g->files.at[file].state == FILE_MADE || failure_report(s->g, &s->failures, 0, file);
}

/* ---- the whole ---- */

static uint32_t most_wildcards(const struct workflow *workflow)
{
    uint32_t most = 0;
    for (rule_id r = 1; r < workflow->rules.len; r++)
        if (workflow->rules.at[r]->wildcards.n > most)
            most = workflow->rules.at[r]->wildcards.n;
    return most;
}

static bool search_targets(struct search *s)
{
    struct graph *g = s->g;
    bool good = true;
    for (uint32_t i = 0; good && i < g->target_jobs.len; i++)
        good = search_job(s, g->target_jobs.at[i]);
    for (uint32_t i = 0; good && i < g->target_files.len; i++)
        good = search_file(s, g->target_files.at[i]);
    for (uint32_t i = 0; good && i < g->reopened.len; i++)
        good = search_job(s, g->reopened.at[i]);
    return good;
}

static void forget_failures(struct search *s)
{
    pool_free(&s->failures.all);
    map_free(&s->failures.of_job);
    map_free(&s->failures.of_file);
}

/* Asks for the sources that were taken to be there; whether one is not. */
static bool was_deceived(struct search *s)
{
    bool missing = false;
    graph_stat_files(s->g, s->assumed.at, s->assumed.len);
    for (uint32_t i = 0; i < s->assumed.len; i++)
        missing |= s->g->files.at[s->assumed.at[i]].mtime == MTIME_ABSENT;
    s->assumed.len = 0;
    return missing;
}

/* Begins anew where a source is missing, which by now is known, a few times; then asks for one
 * after the other. */
static bool search_all(struct search *s)
{
    struct graph *g = s->g;
    int rounds = 5, mark = diag_mark(g->workflow->diags);
    s->trusting = !g->file_uses.start && !g->options.watch;
    bool good = search_targets(s);
    while (s->assumed.len && was_deceived(s)) {
        diag_drop(g->workflow->diags, mark);
        g->told_circle.len = 0;
        forget_failures(s);
        s->stack.len = s->cand.len = s->taints.len = s->retries = s->endless = 0;
        s->fatal = false;
        s->trusting = --rounds;
        graph_forget(g);
        good = search_targets(s);
    }
    return good;
}

bool graph_build(struct graph *g)
{
    struct search s = {.g = g};
    uint32_t most = most_wildcards(g->workflow) + 1;
    s.room.values = memory_zeroed(most, sizeof *s.room.values);
    s.room.best = memory_zeroed(most, sizeof *s.room.best);
    bool good = search_all(&s);
    g->reopened.len = 0;
    if (good) {
        graph_link(g);
        good = graph_claim(g) && (g->decided || inside_check(g)); /* as Snakemake, at first only */
    }
    vec_free(&s.stack);
    vec_free(&s.cand);
    vec_free(&s.hits);
    vec_free(&s.taints);
    free(s.room.values);
    free(s.room.best);
    vec_free(&s.assumed);
    forget_failures(&s);
    return good;
}
