// SPDX-License-Identifier: MIT
#include "run/copies.h"

#include "base/fs.h"
#include "flow/flags.h"
#include "flow/storage.h"
#include "graph/ready.h"

static struct vm *vm_of(const struct task_context *context)
{
    return context->g->workflow->vm;
}

/* Whether a file of a task has a local copy; out->keep as the file says, or its provider. */
static bool find(const struct task_context *context, struct task *task, const struct job_file *file,
                 struct storage_place *out)
{
    const struct workflow *w = context->g->workflow;
    if (!storage_find(w, &task->scratch, sym_text(context->g->names, file->path), out) ||
        !out->copied)
        return false;
    const struct item *item = file->item;
    value settings = item && item->flags_dict
                         ? dict_get_str(w->vm, item->flags_dict, "storage_object")
                         : NO_VALUE;
    value keep = settings && is_dict(settings) ? dict_get_str(w->vm, settings, "keep_local")
                                               : NO_VALUE;
    out->keep = keep ? keep == VALUE_TRUE : out->keep;
    return true;
}

static file_id file_of(const struct task_context *context, const struct job_file *file)
{
    return graph_find_file(context->g, file->path);
}

static bool failed(struct task *task, const char *why)
{
    buf_printf(&task->why, "storage: %s", why);
    return false;
}

/* ---- before a job ---- */

/* Made by another part of the group: it will be there. */
static bool made_inside(const struct task_context *context, const struct task *task, file_id f)
{
    job_id maker = f ? context->g->files.at[f].maker : 0;
    for (uint32_t i = 0; maker && i < task_parts(task); i++)
        if (task_part(task, i)->job == maker)
            return true;
    return false;
}

static bool is_sequential(const struct task_context *context, const struct item *item)
{
    value way = item && item->flags_dict
                    ? dict_get_str(vm_of(context), item->flags_dict, "access_pattern")
                    : NO_VALUE;
    return way && is_str(way) && !strcmp(str_text(way), "sequential");
}

/* What is read once from front to back by the whole task need not be copied. */
static bool read_once(const struct task_context *context, const struct task *task,
                      const struct job_file *file)
{
    uint32_t readers = 0;
    for (uint32_t p = 0; p < task_parts(task); p++)
        for (uint32_t i = 0; i < task_part(task, p)->eval.ninput; i++)
            readers += task_part(task, p)->eval.input[i].path == file->path;
    return readers == 1 && is_sequential(context, file->item);
}

typedef VEC(struct storage_copy) copy_list;

static void list_inputs(const struct task_context *context, struct task *task, struct task *part,
                        copy_list *out)
{
    struct storage_place place;
    for (uint32_t i = 0; i < part->eval.ninput; i++) {
        const struct job_file *file = &part->eval.input[i];
        if (!find(context, task, file, &place))
            continue;
        ++*map_at(&context->copies->active, file_of(context, file));
        if (part->eval.rule->body != BODY_NONE &&
            !made_inside(context, task, file_of(context, file)))
            vec_push(out, ((struct storage_copy){place, sym_text(context->g->names, file->path),
                                                 !place.keep && read_once(context, task, file)}));
    }
}

/* Those that are updated in place. */
static void list_outputs(const struct task_context *context, struct task *task, struct task *part,
                         copy_list *out)
{
    struct storage_place place;
    for (uint32_t i = 0; i < part->eval.output.len; i++) {
        const struct job_file *file = &part->eval.output.at[i];
        struct fs_info info;
        if (!find(context, task, file, &place))
            continue;
        ++*map_at(&context->copies->active, file_of(context, file));
        if (!(file->flags & FLAG_UPDATE))
            continue;
        storage_stat(&place, &info);
        if (info.mtime >= 0 || info.error)
            vec_push(out, ((struct storage_copy){place, sym_text(context->g->names, file->path),
                                                 false}));
    }
}

bool copies_fetch(const struct task_context *context, struct task *task)
{
    copy_list copies = {0};
    const char *why;
    for (uint32_t i = 0; context->copies && i < task_parts(task); i++) {
        list_inputs(context, task, task_part(task, i), &copies);
        list_outputs(context, task, task_part(task, i), &copies);
    }
    bool good = !copies.len || storage_fetch(&task->scratch, copies.at, copies.len, &why) ||
                failed(task, why);
    vec_free(&copies);
    return good;
}

bool copies_remove_old(const struct task_context *context, struct task *task)
{
    struct storage_place place;
    const char *why;
    for (uint32_t i = 0; context->copies && i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        if (!(file->flags & FLAG_UPDATE) && find(context, task, file, &place) &&
            !storage_remove(&task->scratch, &place, &why))
            return failed(task, why);
    }
    return true;
}

/* ---- after a job ---- */

static void list_made(const struct task_context *context, struct task *task,
                      const struct job_files *files, copy_list *out)
{
    struct storage_place place;
    for (uint32_t i = 0; i < files->len; i++) {
        const struct job_file *file = &files->at[i];
        const char *path = sym_text(context->g->names, file->path);
        if (!(file->flags & (FLAG_PIPE | FLAG_SERVICE)) && find(context, task, file, &place) &&
            fs_exists(path))
            vec_push(out, ((struct storage_copy){place, path, false}));
    }
}

bool copies_store(const struct task_context *context, struct task *task, bool logs_only)
{
    copy_list copies = {0};
    const char *why;
    if (!context->copies || task->eval.rule->body == BODY_NONE)
        return true;
    list_made(context, task, &task->eval.log, &copies);
    if (!logs_only) {
        list_made(context, task, &task->eval.output, &copies);
        list_made(context, task, &task->eval.benchmark, &copies);
    }
    bool good = !copies.len || storage_store(&task->scratch, copies.at, copies.len, &why) ||
                failed(task, why);
    vec_free(&copies);
    return good;
}

bool copies_remove(const struct graph *g, file_id file, struct arena *in, const char **why)
{
    struct storage_place place;
    return !storage_find(g->workflow, in, file_path(g, file), &place) || !place.copied ||
           storage_remove(in, &place, why);
}

static bool is_unfinished(void *user, job_id job)
{
    const struct copies *copies = ((void **)user)[0];
    bool *found = ((void **)user)[1];
    *found = job_must_run(&copies->g->jobs.at[job]) && !copies->g->jobs.at[job].done;
    return !*found;
}

static bool is_needed(const struct copies *copies, file_id f)
{
    bool found = false;
    void *both[] = {(void *)copies, &found};
    if (copies->shared)
        file_users(copies->g, f, is_unfinished, both);
    return found;
}

static void release_file(const struct task_context *context, struct task *task,
                         const struct job_file *file)
{
    struct copies *copies = context->copies;
    struct storage_place place;
    file_id f = file_of(context, file);
    if (!find(context, task, file, &place))
        return;
    uint32_t *active = f ? map_at(&copies->active, f) : NULL;
    if (active && *active)
        --*active;
    if ((active && *active) || place.keep)
        return;
    if (is_needed(copies, f))
        vec_push(&copies->left, f);
    else
        fs_remove_tree(sym_text(context->g->names, file->path));
}

static void release_part(const struct task_context *context, struct task *part)
{
    for (uint32_t i = 0; i < part->eval.ninput; i++)
        release_file(context, part, &part->eval.input[i]);
    const struct job_files *made[] = {&part->eval.output, &part->eval.log, &part->eval.benchmark};
    for (size_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < made[k]->len; i++)
            release_file(context, part, &made[k]->at[i]);
}

void copies_release(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; context->copies && i < task_parts(task); i++)
        release_part(context, task_part(task, i));
}

void copies_end(struct copies *copies)
{
    for (uint32_t i = 0; i < copies->left.len; i++)
        fs_remove_tree(file_path(copies->g, copies->left.at[i]));
    vec_free(&copies->left);
    map_free(&copies->active);
}
