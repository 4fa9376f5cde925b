// SPDX-License-Identifier: MIT
#include "run/backup.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"

/* Of a file outside the working directory too, the copy lies among the others. */
static const char *copy_path(const struct task_context *context, struct arena *in, const char *path)
{
    const char *workdir = context->g->workflow->workdir, *place = path_normal(in, path);
    if (path_is_absolute(place) || path_leads_out(place))
        place = arena_printf(in, "__abspath__%s", path_absolute(in, workdir, place));
    return arena_printf(in, "%s/.snakemake/backup/%s", workdir, place);
}

bool backup_restore(const struct task_context *context, const char *path)
{
    struct arena in = {0};
    const char *copy = copy_path(context, &in, path);
    bool there = fs_exists(copy) && fs_remove_tree(path) && fs_move(copy, path);
    arena_free(&in);
    return there;
}

/* Stands for the copy of a file that was not there. */
static const char *absence_of(struct arena *in, const char *copy)
{
    return arena_printf(in, "%s.absent", copy);
}

/* Whether a job was killed while it changed the file. */
static bool is_half_changed(const struct task_context *context, sym_t path)
{
    const struct output_record *record = context->state ? state_find(context->state, path) : NULL;
    return record && record->incomplete;
}

/* False with errno. */
static bool keep_copy(const struct task_context *context, struct task *task, sym_t output)
{
    const char *path = sym_text(context->g->names, output);
    const char *copy = copy_path(context, &task->scratch, path),
               *absence = absence_of(&task->scratch, copy);
    if (is_half_changed(context, output) && !backup_restore(context, path) && fs_exists(absence) &&
        !fs_remove_tree(path))
        return false;
    if (!fs_make_parent(copy) || !fs_remove_tree(copy) || !fs_remove_tree(absence))
        return false;
    return fs_exists(path) ? fs_copy(path, copy) : fs_write(absence, "", 0);
}

bool backup_make(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        if (!(file->flags & FLAG_UPDATE) || keep_copy(context, task, file->path))
            continue;
        buf_printf(&task->why, "cannot keep a copy of '%s': %s",
                   sym_text(context->g->names, file->path), strerror(errno));
        return false;
    }
    return true;
}

void backup_drop(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        if (!(file->flags & FLAG_UPDATE))
            continue;
        /* Or a kill would have it updated again. */
        if (context->state && !state_flush(context->state))
            return;
        const char *copy = copy_path(context, &task->scratch,
                                     sym_text(context->g->names, file->path));
        fs_remove_tree(copy);
        fs_remove_tree(absence_of(&task->scratch, copy));
    }
}
