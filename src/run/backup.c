// SPDX-License-Identifier: MIT
#include "run/backup.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"

static const char *copy_path(const struct task_context *context, struct arena *in, const char *path)
{
    return arena_printf(in, "%s/.snakemake/backup/%s", context->g->workflow->workdir,
                        path + strspn(path, "/"));
}

bool backup_restore(const struct task_context *context, const char *path)
{
    struct arena in = {0};
    const char *copy = copy_path(context, &in, path);
    bool there = fs_exists(copy) && fs_remove_tree(path) && fs_move(copy, path);
    arena_free(&in);
    return there;
}

/* Whether a job was killed while it changed the file. */
static bool is_half_changed(const struct task_context *context, sym_t path)
{
    const struct output_record *record = context->state ? state_find(context->state, path) : NULL;
    return record && record->incomplete;
}

bool backup_make(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        const char *path = sym_text(context->g->names, file->path);
        if (!(file->flags & FLAG_UPDATE))
            continue;
        if (is_half_changed(context, file->path))
            backup_restore(context, path);
        if (!fs_exists(path))
            continue;
        const char *copy = copy_path(context, &task->scratch, path);
        if (!fs_make_parent(copy) || !fs_remove_tree(copy) || !fs_copy(path, copy)) {
            buf_printf(&task->why, "cannot keep a copy of '%s': %s", path, strerror(errno));
            return false;
        }
    }
    return true;
}

void backup_drop(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++)
        if (task->eval.output.at[i].flags & FLAG_UPDATE)
            fs_remove_tree(copy_path(context, &task->scratch,
                                     sym_text(context->g->names, task->eval.output.at[i].path)));
}
