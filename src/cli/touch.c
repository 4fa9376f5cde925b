// SPDX-License-Identifier: MIT
#include "cli/touch.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "cli/execute.h"
#include "flow/storage.h"
#include "graph/checkpoint.h"
#include "graph/ready.h"
#include "report/observe.h"
#include "run/task_body.h"
#include "run/task_files.h"
#include "run/temp.h"
#include "run/tidy.h"

/* Whether an output is in a storage, where it is touched; what is wrong with that goes to
 * task->why. */
static bool is_stored(struct session *s, struct task *task, const char *path)
{
    struct storage_place place;
    struct fs_info info;
    const char *why;
    if (!storage_find(s->workflow, &task->scratch, path, &place))
        return false;
    storage_stat(&place, &info);
    if (info.mtime >= 0 && !storage_touch(&task->scratch, &place, &why))
        buf_printf(&task->why, "storage: %s", why);
    return info.mtime >= 0;
}

/* Touches what is in a storage, and names what is nowhere: temporary outputs may be gone. */
static void touch_stored(struct session *s, struct task *task)
{
    struct buf missing = {0};
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const char *path = sym_text(s->names, task->eval.output.at[i].path);
        if (!is_stored(s, task, path) && !fs_exists(path))
            buf_printf(&missing, "%s%s", missing.len ? ", " : "", path);
    }
    if (missing.len)
        log_say(&s->log, LOG_INFO, "Output files not touched because they don't exist: %s",
                buf_text(&missing));
    buf_free(&missing);
}

/* The records of outputs that are gone are renewed as well: it is their job that is accepted as it
 * is now. */
static bool touch_job(struct session *s, const struct task_context *context, job_id id)
{
    struct task *task = task_new(s->graph, id, 1, s->cores);
    if (!task)
        return false;
    task->touched = true;
    touch_stored(s, task);
    for (uint32_t i = 0; i < task->eval.benchmark.len; i++)
        fs_touch(sym_text(s->names, task->eval.benchmark.at[i].path), 0, false);
    task->eval.benchmark.len = 0; /* nothing was measured */
    bool good = !task->why.len && task_resume(context, task, NULL);
    task->end_ns = task->end.start_ns = task->end.end_ns = task->start_ns;
    good = good && task_seal(context, task) && task_commit(context, task);
    if (!good && task->why.len)
        complain(s->diags, (struct span){0}, "%s", buf_text(&task->why));
    task_free(task);
    return good;
}

/* A temporary file that has served, also in a storage. */
static void remove_temp(void *user, file_id file)
{
    struct session *s = user;
    struct arena in = {0};
    struct storage_place place;
    const char *path = file_path(s->graph, file), *why = NULL;
    if (s->graph->files.at[file].mtime >= 0 && !s->options.given[OPT_NOTEMP]) {
        if (storage_find(s->workflow, &in, path, &place))
            storage_remove(&in, &place, &why);
        if (!temp_remove(s->graph, file) && !why)
            why = strerror(errno);
        observe_removed(s->graph, &s->log, path, why);
    }
    arena_free(&in);
}

/* Jobs in the order in which they were touched. */
struct touched {
    VEC(job_id);
};

static bool lacks_input(const struct graph *g, job_id id)
{
    struct input_walk walk = input_walk(g, id);
    file_id f = input_next(g, &walk);
    while (f && g->files.at[f].mtime >= 0)
        f = input_next(g, &walk);
    return f;
}

/* Whether a job has yet to make what is wanted of it, as its users that are so have told. One
 * without outputs wants its inputs. */
static bool is_unmade(const struct graph *g, job_id id)
{
    bool unmade = !g->jobs.at[id].noutputs && lacks_input(g, id);
    struct product_walk products = product_walk(g, id);
    for (file_id f; !unmade && (f = product_next(g, &products));)
        if (g->files.at[f].mtime < 0)
            unmade = g->jobs.at[id].wanted || g->files.at[f].target || file_is_awaited(g, f);
    return unmade;
}

/* Removes temporary files but those of which a job that has yet to be run can still make use. */
static void remove_temps(struct session *s, const struct touched *touched)
{
    struct temps temps;
    for (uint32_t i = touched->len; i--;)
        s->graph->jobs.at[touched->at[i]].done = !is_unmade(s->graph, touched->at[i]);
    temps_start(&temps, s->graph, remove_temp, s);
    temps.held = checkpoint_is_awaited(s->graph);
    for (uint32_t i = 0; i < touched->len; i++)
        if (s->graph->jobs.at[touched->at[i]].done)
            temps_done(&temps, touched->at[i]);
    temps_end(&temps);
    tidy_directories(s->graph);
}

/* Outputs that are there, and were being made when a run was killed. */
static void add_incomplete(struct session *s, job_id id, struct buf *files)
{
    const struct graph *g = s->graph;
    for (uint32_t i = 0; i < g->jobs.at[id].noutputs; i++) {
        file_id f = job_outputs(g, id)[i];
        const struct output_record *record = s->state ? state_find(s->state, g->files.at[f].path)
                                                      : NULL;
        if (g->files.at[f].mtime >= 0 && record && record->incomplete)
            buf_printf(files, "%s%s", files->len ? ", " : "", file_path(g, f));
    }
}

/* Half a file that is touched would count as whole. */
static bool check_incomplete(struct session *s)
{
    struct buf files = {0};
    const struct graph *g = s->graph;
    for (job_id j = 1; !s->options.given[OPT_RERUN_INCOMPLETE] && j < g->jobs.len; j++)
        if (job_must_run(&g->jobs.at[j]) && g->jobs.at[j].reasons & REASON_INCOMPLETE)
            add_incomplete(s, j, &files);
    bool good = !files.len;
    if (!good) {
        complain_kind(s->diags, "IncompleteFilesException", (struct span){0},
                      "not touched: a run that was killed has left incomplete files: %s",
                      buf_text(&files));
        diag_hint(s->diags, "a run without --touch makes them again; if they are whole, "
                            "--rerun-incomplete has them touched");
    }
    buf_free(&files);
    return good;
}

/* Touches what is known: jobs that wait for a checkpoint, and their users, come when it has been
 * touched. */
static bool touch_known(struct session *s, const struct task_context *context,
                        struct touched *touched)
{
    struct ready ready;
    bool good = check_incomplete(s);
    ready_start(&ready, s->graph, job_must_run);
    for (uint32_t i = 0; good && i < ready.queue.len; i++) {
        job_id id = ready.queue.at[i];
        if (s->graph->jobs.at[id].waits_checkpoint)
            continue;
        good = touch_job(s, context, id);
        if (!good)
            break;
        s->graph->jobs.at[id].taken = s->graph->jobs.at[id].done = true;
        ready_done(&ready, id);
        vec_push(touched, id);
    }
    ready_end(&ready);
    return good;
}

int touch(struct session *s)
{
    struct run_options options;
    struct touched touched = {0};
    struct lock *lock;
    bool more = true;
    if (!execute_options(s, &options))
        return EXIT_USAGE;
    if (!execute_open_lock(s, &lock))
        return EXIT_BAD;
    bool started = execute_hook(s, &s->workflow->onstart), good = started;
    while (good && more)
        good = touch_known(s, &options.task, &touched) &&
               checkpoint_grow(s->graph, &s->fresh, &s->cut, &more) &&
               (!more || execute_renew_lock(s, lock));
    if (good) {
        remove_temps(s, &touched);
        log_say(&s->log, LOG_INFO, "%u of %u steps (100%%) done", touched.len, touched.len);
    }
    vec_free(&touched);
    good &= !s->state || state_flush(s->state);
    good = execute_end_hook(s, started, good);
    log_end(&s->log);
    lock_release(lock);
    return good ? EXIT_OK : EXIT_BAD;
}
