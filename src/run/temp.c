// SPDX-License-Identifier: MIT
#include "run/temp.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/memory.h"
#include "graph/ready.h"

static const uint32_t REMOVED = UINT32_MAX; /* of left */

static bool any_temp(const struct graph *g)
{
    for (rule_id r = 1; r < g->workflow->rules.len; r++)
        for (uint32_t i = 0; i < g->workflow->rules.at[r]->output.len; i++)
            if (g->workflow->rules.at[r]->output.at[i].flags & FLAG_TEMP)
                return true;
    return false;
}

static bool is_temp(const struct graph *g, file_id f)
{
    return g->files.at[f].flags & FLAG_TEMP && !g->files.at[f].target;
}

bool temps_are_kept(const struct graph *g, job_id id)
{
    return job_rule(g, id)->checkpoint ||
           (graph_is_target(g, id) && job_rule(g, id)->name != g->workflow->default_target);
}

/* What an earlier --batch has made for the last one may be made again here, beside other files: it
 * is needed all the same, and stays. */
static file_id made_again(const struct graph *g, file_id f)
{
    file_id after = g->file_of.at[g->files.at[f].path];
    uint32_t pair = after != f ? map_find(&g->previous_of, after) : 0;
    return pair && g->previous.at[pair - 1].unawaited ? after : f;
}

static void count_inputs(struct temps *temps, job_id id)
{
    struct input_walk walk = input_walk(temps->g, id);
    for (file_id f; (f = input_next(temps->g, &walk));) {
        file_id needed = made_again(temps->g, f);
        temps->left[needed] += is_temp(temps->g, needed);
    }
}

void temps_start(struct temps *temps, const struct graph *g,
                 void (*remove)(void *user, file_id file), void *user)
{
    *temps = (struct temps){.g = g, .remove = remove, .user = user};
    if (!any_temp(g))
        return;
    temps->left = memory_zeroed(g->files.len + 1, sizeof *temps->left);
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed && job_must_run(&g->jobs.at[j]))
            count_inputs(temps, j);
    /* What a target rule without outputs collects is what was asked for: it stays. */
    for (uint32_t i = 0; i < g->target_jobs.len; i++)
        if (!g->jobs.at[g->target_jobs.at[i]].noutputs)
            count_inputs(temps, g->target_jobs.at[i]);
}

static void remove_once(const struct temps *temps, file_id f, bool sweeping)
{
    const struct file *file = &temps->g->files.at[f];
    if (temps->held || !is_temp(temps->g, f) || temps->left[f] || !file->maker ||
        (sweeping && file->mtime < 0))
        return;
    temps->left[f] = REMOVED;
    temps->remove(temps->user, f);
}

/* Removes what nobody needs any more of what a job that is done has read and made. Sweeping: it was
 * counted when it was done, and only what is there goes. */
static void serve(struct temps *temps, job_id id, bool sweeping)
{
    const struct graph *g = temps->g;
    struct input_walk walk = input_walk(g, id);
    for (file_id f; (f = input_next(g, &walk));) {
        if (!sweeping && is_temp(g, f) && temps->left[f] && temps->left[f] != REMOVED)
            temps->left[f]--;
        remove_once(temps, f, sweeping);
    }
    uint32_t n = temps_are_kept(g, id) ? 0 : g->jobs.at[id].noutputs;
    for (uint32_t i = 0; i < n; i++)
        remove_once(temps, job_outputs(g, id)[i], sweeping);
}

void temps_done(struct temps *temps, job_id id)
{
    if (temps->left)
        serve(temps, id, false);
}

void temps_sweep(struct temps *temps)
{
    for (job_id j = 1; temps->left && !temps->held && j < temps->g->jobs.len; j++)
        if (temps->g->jobs.at[j].done)
            serve(temps, j, true);
}

bool temp_remove(struct graph *g, file_id file)
{
    const char *path = file_path(g, file);
    bool directory = g->files.at[file].flags & FLAG_DIRECTORY;
    bool gone = (directory ? fs_remove_tree(path) : !unlink(path)) || errno == ENOENT;
    if (gone)
        g->files.at[file].mtime = MTIME_ABSENT;
    return gone;
}

void temps_end(struct temps *temps)
{
    free(temps->left);
    temps->left = NULL;
}
