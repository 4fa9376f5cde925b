// SPDX-License-Identifier: MIT
/* graph.c: the records themselves: files, jobs, targets, times on disk, and walks over them. */
#include "graph/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/memory.h"
#include "base/path.h"
#include "flow/storage.h"
#include "loop/spread.h"

struct graph *graph_new(struct workflow *workflow, const struct graph_options *options)
{
    struct graph *g = memory_zeroed(1, sizeof *g);
    g->workflow = workflow;
    g->names = workflow->names;
    g->options = *options;
    g->index = index_new(workflow);
    return g;
}

void graph_free(struct graph *g)
{
    if (!g)
        return;
    index_free(g->index);
    pool_free(&g->files);
    pool_free(&g->jobs);
    pool_free(&g->bundles);
    vec_free(&g->edges);
    vec_free(&g->outputs);
    vec_free(&g->wildcards);
    vec_free(&g->file_of);
    vec_free(&g->rule_bundle);
    vec_free(&g->told_circle);
    vec_free(&g->target_files);
    vec_free(&g->target_jobs);
    vec_free(&g->uncut_files);
    vec_free(&g->uncut_jobs);
    vec_free(&g->waiting);
    vec_free(&g->undecided);
    vec_free(&g->awaiting_group);
    vec_free(&g->queued);
    map_free(&g->params_change);
    map_free(&g->groupid_of);
    map_free(&g->link_of);
    vec_free(&g->link_times);
    map_free(&g->user_time_of);
    vec_free(&g->user_times);
    map_free(&g->unchanged);
    vec_free(&g->previous);
    map_free(&g->previous_of);
    vec_free(&g->reopened);
    vec_free(&g->numbers);
    vec_free(&g->inputs);
    pool_free(&g->extras);
    map_free(&g->extra_of);
    map_free(&g->made_by);
    vec_free(&g->rule_job);
    vec_free(&g->benchmark_times);
    map_free(&g->bundle_of);
    uses_free(&g->file_uses);
    uses_free(&g->bundle_uses);
    checksums_free(&g->checksums);
    arena_free(&g->scratch);
    free(g);
}

/* ---- files ---- */

file_id graph_find_file(const struct graph *g, sym_t path)
{
    return path < g->file_of.len ? g->file_of.at[path] : 0;
}

file_id graph_file(struct graph *g, sym_t path)
{
    vec_reach(&g->file_of, path);
    if (!g->file_of.at[path]) {
        file_id id = pool_add(&g->files);
        g->files.at[id].path = path;
        g->files.at[id].mtime = MTIME_UNKNOWN;
        g->file_of.at[path] = id;
    }
    return g->file_of.at[path];
}

/* A directory that a job has made is as old as the stamp inside, as in Snakemake; a link to one no
 * older than itself. */
static void look_inside(const char *path, struct fs_info *info)
{
    if (info->mtime < 0 || !S_ISDIR(info->mode))
        return;
    struct arena in = {0};
    struct fs_info inside = fs_info_of(path_join(&in, path, ".snakemake_timestamp"));
    arena_free(&in);
    info->error = inside.error;
    if (inside.mtime >= 0)
        info->mtime = info->is_link && info->own > inside.mtime ? info->own : inside.mtime;
}

static void keep_link_time(struct graph *g, file_id id, int64_t own)
{
    uint32_t *at = map_at(&g->link_of, id);
    if (!*at) {
        vec_push(&g->link_times, 0);
        *at = g->link_times.len;
    }
    g->link_times.at[*at - 1] = own;
}

int64_t file_made_time(const struct graph *g, file_id file)
{
    const struct file *f = &g->files.at[file];
    bool link = f->is_link && f->mtime >= 0;
    return link ? g->link_times.at[map_find(&g->link_of, file) - 1] : f->mtime;
}

/* Where nobody knows whether it is there its time stays unknown. A pipe, or what a service makes,
 * is there while its job runs: another was left by a run that was killed. */
bool graph_know_file(struct graph *g, file_id id, const struct fs_info *info)
{
    static const struct fs_info absent = {.mtime = MTIME_ABSENT};
    struct file *file = &g->files.at[id];
    if (file->maker && file->flags & (FLAG_PIPE | FLAG_SERVICE))
        info = &absent;
    int64_t kb = info->mtime < 0 ? 0 : info->size >> 10;
    file->mtime = info->error ? MTIME_UNKNOWN : info->mtime;
    file->is_link = info->mtime >= 0 && info->is_link;
    if (file->is_link)
        keep_link_time(g, id, info->own);
    file->size_kb = (uint32_t)(kb < UINT32_MAX ? kb : UINT32_MAX);
    errno = info->error;
    return !info->error;
}

static void settle_previous(struct graph *g, file_id before)
{
    g->files.at[before].state = g->files.at[before].mtime == MTIME_ABSENT ? FILE_MISSING
                                                                          : FILE_SOURCE;
}

file_id graph_previous(struct graph *g, sym_t path, bool awaited)
{
    file_id after = graph_file(g, path);
    uint32_t known = map_find(&g->previous_of, after);
    if (known)
        return g->previous.at[known - 1].before;
    struct previous pair = {.before = pool_add(&g->files), .after = after, .unawaited = !awaited};
    vec_push(&g->previous, pair);
    map_set(&g->previous_of, after, g->previous.len);
    g->files.at[pair.before].path = path;
    graph_stat_file(g, pair.before);
    settle_previous(g, pair.before);
    return pair.before;
}

/* Files in a storage, one by one: whether it is one of those; then what is known of it. */
bool graph_stat_file(struct graph *g, file_id file)
{
    const char *path = file_path(g, file);
    struct arena in = {0};
    struct storage_place place;
    struct fs_info info;
    if (storage_find(g->workflow, &in, path, &place)) {
        storage_stat(&place, &info);
    } else {
        info = fs_info_of(path);
        look_inside(path, &info);
    }
    arena_free(&in);
    return graph_know_file(g, file, &info);
}

/* Files whose state nobody knows: the first is told. */
struct unknown {
    uint32_t n;
    file_id first;
    int error;
};

static void keep_or_note(struct graph *g, file_id file, const struct fs_info *info,
                         struct unknown *unknown)
{
    if (!graph_know_file(g, file, info) && !unknown->n++) {
        unknown->first = file;
        unknown->error = errno;
    }
}

static bool complain_of_unknown(struct graph *g, const struct unknown *unknown)
{
    struct diags *dx = g->workflow->diags;
    struct storage_place place;
    const char *path = file_path(g, unknown->first), *hint = NULL;
    bool stored = storage_find(g->workflow, &g->scratch, path, &place);
    complain_kind(dx, "OSError", (struct span){0}, "%s",
                  stored ? storage_unknown_text(&g->scratch, &place, unknown->error, &hint)
                         : fs_unknown_text(&g->scratch, path, strerror(unknown->error)));
    if (unknown->n > 1)
        diag_note(dx, (struct span){0}, "and %u more file%s", unknown->n - 1,
                  unknown->n == 2 ? "" : "s");
    if (!hint)
        hint = "the run continues with the same command when the disk or network answers again";
    diag_hint(dx, "%s", hint);
    return false;
}

/* Files that are looked at together, and what is there: by their paths, or in a storage. */
struct looks {
    VEC(uint32_t) who; /* the asker's number of each: a file, a job */
    VEC(const char *) path;
    VEC(struct storage_place) place;
    VEC(uint32_t) dirs;   /* which of the paths are directories */
    struct fs_info *info; /* owned */
    struct arena in;
};

static void look_inside_one(void *user, size_t i)
{
    const struct looks *looks = user;
    uint32_t which = looks->dirs.at[i];
    look_inside(looks->path.at[which], &looks->info[which]);
}

static void look(struct looks *looks)
{
    looks->info = memory_zeroed(looks->who.len + 1, sizeof *looks->info);
    fs_stat_many(looks->path.at, looks->path.len, looks->info, spread);
    for (uint32_t i = 0; i < looks->path.len; i++)
        if (S_ISDIR(looks->info[i].mode))
            vec_push(&looks->dirs, i);
    spread(looks->dirs.len, look_inside_one, looks);
    storage_stat_many(looks->place.at, looks->place.len, looks->info, spread);
}

static void looks_free(struct looks *looks)
{
    vec_free(&looks->who);
    vec_free(&looks->path);
    vec_free(&looks->place);
    vec_free(&looks->dirs);
    free(looks->info);
    arena_free(&looks->in);
}

/* Benchmarks are no files of the graph unless something asks for them. */
static void stat_benchmarks(struct graph *g)
{
    struct looks looks = {0};
    for (job_id j = g->benchmark_times.len; j < g->jobs.len; j++) {
        const struct items *benchmark = j ? &job_rule(g, j)->benchmark : NULL;
        vec_push(&g->benchmark_times, MTIME_UNKNOWN);
        if (benchmark && benchmark->len && benchmark->at[0].kind == ITEM_PATTERN) {
            vec_push(&looks.who, j);
            vec_push(&looks.path, pattern_text(&benchmark->at[0].pattern, &looks.in, g->names,
                                               job_wildcards(g, j)));
        }
    }
    look(&looks);
    for (uint32_t i = 0; i < looks.who.len; i++)
        g->benchmark_times.at[looks.who.at[i]] = looks.info[i].mtime;
    looks_free(&looks);
}

/* Adds a file to those by path, or to those in a storage. */
static void add_to_looks(const struct graph *g, struct looks looks[2], file_id f)
{
    struct storage_place place;
    bool stored = storage_find(g->workflow, &looks[1].in, file_path(g, f), &place);
    vec_push(&looks[stored].who, f);
    if (stored)
        vec_push(&looks[1].place, place);
    else
        vec_push(&looks[0].path, file_path(g, f));
}

static void look_at_both(struct graph *g, struct looks looks[2], struct unknown *unknown)
{
    for (int i = 0; i < 2; i++) {
        look(&looks[i]);
        for (uint32_t k = 0; k < looks[i].who.len; k++)
            keep_or_note(g, looks[i].who.at[k], &looks[i].info[k], unknown);
        looks_free(&looks[i]);
    }
}

void graph_stat_files(struct graph *g, const file_id *files, uint32_t n)
{
    struct looks looks[2] = {0};
    struct unknown unknown = {0};
    for (uint32_t i = 0; i < n; i++)
        add_to_looks(g, looks, files[i]);
    look_at_both(g, looks, &unknown);
}

bool graph_is_remote(const struct graph *g, file_id file)
{
    struct arena in = {0};
    struct storage_place place;
    bool remote = workflow_has_storage(g->workflow) &&
                  storage_find(g->workflow, &in, file_path(g, file), &place) &&
                  !storage_own_path(&place);
    arena_free(&in);
    return remote;
}

bool graph_stat(struct graph *g)
{
    struct looks looks[2] = {0}; /* by path, in a storage */
    struct unknown unknown = {0};
    for (file_id f = 1; f < g->files.len; f++)
        if (g->files.at[f].mtime == MTIME_UNKNOWN)
            add_to_looks(g, looks, f);
    look_at_both(g, looks, &unknown);
    stat_benchmarks(g);
    return !unknown.n || complain_of_unknown(g, &unknown);
}

void graph_forget(struct graph *g)
{
    for (file_id f = 1; f < g->files.len; f++) {
        g->files.at[f].state = FILE_NEW;
        g->files.at[f].maker = 0;
        g->files.at[f].narrowed = false;
    }
    for (uint32_t i = 0; i < g->previous.len; i++)
        settle_previous(g, g->previous.at[i].before);
    for (job_id j = 1; j < g->jobs.len; j++) {
        struct job *job = &g->jobs.at[j];
        job->state = BUILD_NEW;
        job->waits_checkpoint = job->has_waited = job->waits_queue = false;
    }
    for (bundle_id b = 1; b < g->bundles.len; b++)
        g->bundles.at[b].state = BUILD_NEW;
    g->waiting.len = g->queued.len = g->awaiting_group.len = 0;
    pool_free(&g->extras);
    map_free(&g->extra_of);
}

/* ---- jobs ---- */

static sym_t output_path(const struct graph *g, const struct rule *rule, uint32_t i,
                         const sym_t *wildcards)
{
    return pattern_apply(&rule->output.at[i].pattern, g->names, wildcards);
}

/* Where the list of jobs begins that have this first output; without outputs, those of the rule. */
static job_id *first_of_same(struct graph *g, const struct rule *rule, file_id first)
{
    if (first)
        return &g->files.at[first].first_job;
    vec_reach(&g->rule_job, rule->id);
    return &g->rule_job.at[rule->id];
}

static job_id find_same(const struct graph *g, job_id id, const struct rule *rule,
                        const sym_t *wildcards)
{
    uint32_t n = rule->wildcards.n;
    while (id && (g->jobs.at[id].rule != rule->id ||
                  (n && memcmp(job_wildcards(g, id), wildcards, n * sizeof *wildcards))))
        id = g->jobs.at[id].next_same;
    return id;
}

static void add_outputs(struct graph *g, job_id id, const struct rule *rule, file_id first)
{
    g->jobs.at[id].first_output = g->outputs.len;
    g->jobs.at[id].noutputs = rule->output.len;
    for (uint32_t i = 0; i < rule->output.len; i++) {
        file_id file = i ? graph_file(g, output_path(g, rule, i, job_wildcards(g, id))) : first;
        vec_push(&g->outputs, file);
        if (i && rule->wildcards.n > 1)
            map_set(&g->made_by, map_pair(rule->id, file), id);
    }
}

job_id graph_job(struct graph *g, rule_id rule_number, const sym_t *wildcards, sym_t first)
{
    const struct rule *rule = g->workflow->rules.at[rule_number];
    uint32_t n = rule->wildcards.n;
    if (!first && rule->output.len)
        first = output_path(g, rule, 0, wildcards);
    file_id file = first ? graph_file(g, first) : 0;
    job_id id = find_same(g, *first_of_same(g, rule, file), rule, wildcards);
    if (id)
        return id;
    id = pool_add(&g->jobs);
    struct job *job = &g->jobs.at[id];
    job->rule = rule_number;
    job->next_same = *first_of_same(g, rule, file);
    *first_of_same(g, rule, file) = id;
    job->wildcards = g->wildcards.len;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&g->wildcards, wildcards[i]);
    add_outputs(g, id, rule, file);
    return id;
}

job_id graph_known_job(const struct graph *g, rule_id rule, sym_t path)
{
    file_id file = graph_find_file(g, path);
    job_id id = file ? g->files.at[file].first_job : 0;
    while (id && g->jobs.at[id].rule != rule)
        id = g->jobs.at[id].next_same;
    return id || !file ? id : map_find(&g->made_by, map_pair(rule, file));
}

/* Without groups all jobs are of one that is called "local". */
static const char *groupid_of(const struct graph *g, job_id job)
{
    if (!g->options.remote)
        return "local";
    uint32_t known = g->groupid_of.len ? map_find(&g->groupid_of, job) : 0;
    return known ? sym_text(g->names, known) : NULL;
}

struct job_eval job_eval_of(const struct graph *g, job_id job, struct arena *scratch)
{
    uint32_t n = job_rule(g, job)->wildcards.n, noutputs = g->jobs.at[job].noutputs;
    /* copies: checkpoints add jobs while this lives */
    sym_t *wildcards = arena_array(scratch, sym_t, n + noutputs + 1), *outputs = wildcards + n;
    for (uint32_t i = 0; i < n; i++)
        wildcards[i] = job_wildcards(g, job)[i];
    for (uint32_t i = 0; i < noutputs; i++)
        outputs[i] = g->files.at[job_outputs(g, job)[i]].path;
    return (struct job_eval){.workflow = g->workflow,
                             .scratch = scratch,
                             .rule = job_rule(g, job),
                             .wildcards = wildcards,
                             .output_paths = outputs,
                             .attempt = 1,
                             .groupid = groupid_of(g, job),
                             .jobid = g->jobs.at[job].number};
}

static bool has_unpacked(const struct items *items)
{
    if (items->constant)
        return false;
    for (uint32_t i = 0; i < items->len; i++)
        if (items->at[i].unpack)
            return true;
    return false;
}

/* The path that a job is given for a file. */
static sym_t path_for_job(const struct graph *g, struct edge e)
{
    struct arena in = {0};
    struct storage_place place;
    sym_t path = g->files.at[e.to].path;
    if (e.flags & FLAG_UNFETCHED &&
        storage_find(g->workflow, &in, sym_text(g->names, path), &place))
        path = intern_str(g->names, place.query);
    arena_free(&in);
    return path;
}

static void add_input(const struct graph *g, struct edge e, const struct items *items,
                      struct job_files *out)
{
    const struct item *item = e.item < items->len ? &items->at[e.item] : NULL;
    struct job_file file = {.path = path_for_job(g, e),
                            .flags = e.flags & ~EDGE_LISTED,
                            .in_list = e.flags & EDGE_LISTED,
                            .checkpoint = e.checkpoint,
                            .item = item};
    if (item) {
        file.name = item->name;
        file.maker = item->maker;
    }
    vec_push(out, file);
}

static void add_edge_inputs(const struct graph *g, uint32_t first, uint32_t n,
                            const struct items *items, struct job_files *out)
{
    for (uint32_t i = first; i < first + n; i++)
        add_input(g, g->edges.at[i], items, out);
}

bundle_id job_bundle(const struct graph *g, job_id id)
{
    const struct job *job = &g->jobs.at[id];
    if (job->nedges != 1 || !edge_is_bundle(g->edges.at[job->first_edge]) ||
        has_unpacked(&job_rule(g, id)->input))
        return 0;
    return edge_id(g->edges.at[job->first_edge]);
}

static void add_job_inputs(const struct graph *g, const struct job *job, const struct items *items,
                           struct job_files *out)
{
    for (uint32_t i = job->first_edge; i < job->first_edge + job->nedges; i++) {
        struct edge e = g->edges.at[i];
        const struct bundle *bundle = edge_is_bundle(e) ? &g->bundles.at[edge_id(e)] : NULL;
        add_edge_inputs(g, bundle ? bundle->first : i, bundle ? bundle->n : 1, items, out);
    }
}

enum eval_result graph_job_eval(const struct graph *g, job_id id, struct arena *scratch,
                                struct job_files *inputs, struct job_eval *eval)
{
    const struct job *job = &g->jobs.at[id];
    const struct items *items = &job_rule(g, id)->input;
    enum eval_result result = EVAL_OK;
    bundle_id bundle = job_bundle(g, id);
    uint64_t holds = bundle ? map_pair(bundle, job->rule) : 0;
    *eval = job_eval_of(g, id, scratch);
    if (!holds || inputs->holds != holds || !inputs->len) {
        inputs->len = 0;
        inputs->holds = holds;
        if (has_unpacked(items) && !job->waits_checkpoint)
            result = eval_input(eval, inputs);
        else
            add_job_inputs(g, job, items, inputs);
    }
    eval->input = inputs->at;
    eval->ninput = inputs->len;
    return result;
}

/* ---- targets ---- */

bool graph_is_target(const struct graph *g, job_id id)
{
    if (g->jobs.at[id].target)
        return true;
    struct product_walk products = product_walk(g, id);
    for (file_id f; (f = product_next(g, &products));)
        if (g->files.at[f].target)
            return true;
    return false;
}

bool graph_want_file(struct graph *g, const char *path)
{
    file_id file = graph_file(g, intern_str(g->names, path));
    g->files.at[file].target = true;
    vec_push(&g->target_files, file);
    return true;
}

bool graph_want_rule(struct graph *g, const struct rule *rule)
{
    if (rule->wildcards.n)
        return complain_kind(
            g->workflow->diags, "WorkflowError", rule->span,
            "Target rules may not contain wildcards. Please specify concrete files "
            "or a rule without wildcards at the command line, or have a rule without "
            "wildcards at the very top of your workflow (e.g. the typical \"rule all\").");
    job_id job = graph_job(g, rule->id, NULL, 0);
    g->jobs.at[job].target = g->jobs.at[job].wanted = true;
    vec_push(&g->target_jobs, job);
    return true;
}

/* ---- walks ---- */

struct input_walk input_walk(const struct graph *g, job_id id)
{
    const struct job *job = &g->jobs.at[id];
    return (struct input_walk){.edge = job->first_edge, .end = job->first_edge + job->nedges};
}

file_id input_next(const struct graph *g, struct input_walk *walk)
{
    for (;;) {
        if (walk->inner < walk->inner_end) {
            struct edge e = g->edges.at[walk->inner++];
            walk->flags = e.flags;
            return e.to;
        }
        if (walk->edge == walk->end)
            return 0;
        struct edge e = g->edges.at[walk->edge++];
        walk->flags = e.flags;
        if (!edge_is_bundle(e))
            return e.to;
        const struct bundle *bundle = &g->bundles.at[edge_id(e)];
        walk->inner = bundle->first;
        walk->inner_end = bundle->first + bundle->n;
    }
}

struct product_walk product_walk(const struct graph *g, job_id id)
{
    const struct job *job = &g->jobs.at[id];
    return (struct product_walk){job->first_output, job->first_output + job->noutputs,
                                 map_find(&g->extra_of, id)};
}

file_id product_next(const struct graph *g, struct product_walk *walk)
{
    if (walk->at < walk->end)
        return g->outputs.at[walk->at++];
    if (!walk->extra)
        return 0;
    const struct extra *extra = &g->extras.at[walk->extra];
    walk->extra = extra->next;
    return extra->file;
}

static bool bundle_users(const struct graph *g, bundle_id bundle,
                         bool (*visit)(void *user, job_id job), void *user)
{
    for (uint32_t i = g->bundle_uses.start[bundle]; i < g->bundle_uses.start[bundle + 1]; i++)
        if (!visit(user, g->bundle_uses.who[i]))
            return false;
    return true;
}

void file_users(const struct graph *g, file_id file, bool (*visit)(void *user, job_id job),
                void *user)
{
    for (uint32_t i = g->file_uses.start[file]; i < g->file_uses.start[file + 1]; i++) {
        uint32_t who = g->file_uses.who[i];
        bool go_on = who & EDGE_BUNDLE ? bundle_users(g, who & ~EDGE_BUNDLE, visit, user)
                                       : visit(user, who);
        if (!go_on)
            return;
    }
}
