// SPDX-License-Identifier: MIT
#include "run/copies.h"

#include "base/fs.h"
#include "flow/storage.h"
#include "graph/ready.h"

static struct vm *vm_of(const struct task_context *context)
{
    return context->g->workflow->vm;
}

static const char *path_of(const struct task_context *context, const struct job_file *file)
{
    return sym_text(context->g->names, file->path);
}

/* Whether a file of a task has a local copy; out->keep as the file says, or its provider. */
static bool find(const struct task_context *context, struct task *task, const struct job_file *file,
                 struct storage_place *out)
{
    const struct workflow *w = context->g->workflow;
    if (!storage_find(w, &task->scratch, path_of(context, file), out) || !out->copied)
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

/* ---- who uses a copy ---- */

static uint32_t *users_of(const struct task_context *context, const char *path)
{
    return map_at(&context->copies->active, intern_str(context->g->names, path));
}

void copies_hold(const struct task_context *context, const char *path)
{
    ++*users_of(context, path);
}

/* Calls one for each file that a part reads or makes. */
static void each_file(const struct task_context *context, struct task *part,
                      void (*one)(const struct task_context *context, struct task *part,
                                  const struct job_file *file))
{
    const struct job_files *made[] = {&part->eval.output, &part->eval.log, &part->eval.benchmark};
    for (uint32_t i = 0; i < part->eval.ninput; i++)
        one(context, part, &part->eval.input[i]);
    for (size_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < made[k]->len; i++)
            one(context, part, &made[k]->at[i]);
}

static void take_file(const struct task_context *context, struct task *part,
                      const struct job_file *file)
{
    struct storage_place place;
    if (find(context, part, file, &place))
        copies_hold(context, path_of(context, file));
}

void copies_take(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; context->copies && i < task_parts(task); i++)
        each_file(context, task_part(task, i), take_file);
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

static void add_inputs(const struct task_context *context, struct task *task, struct task *part,
                       struct copy_list *out)
{
    struct storage_place place;
    for (uint32_t i = 0; part->eval.rule->body != BODY_NONE && i < part->eval.ninput; i++) {
        const struct job_file *file = &part->eval.input[i];
        if (find(context, part, file, &place) &&
            !made_inside(context, task, file_of(context, file)))
            vec_push(out, ((struct storage_copy){.place = place,
                                                 .path = path_of(context, file),
                                                 .link = !place.keep &&
                                                         read_once(context, task, file)}));
    }
}

/* Those that are updated in place. */
static void add_updated(const struct task_context *context, struct task *part,
                        struct copy_list *out)
{
    struct storage_place place;
    for (uint32_t i = 0; i < part->eval.output.len; i++) {
        const struct job_file *file = &part->eval.output.at[i];
        if (file->flags & FLAG_UPDATE && find(context, part, file, &place))
            vec_push(out, ((struct storage_copy){
                              .place = place, .path = path_of(context, file), .optional = true}));
    }
}

void copies_wanted(const struct task_context *context, struct task *task, struct copy_list *out)
{
    for (uint32_t i = 0; i < task_parts(task); i++) {
        add_inputs(context, task, task_part(task, i), out);
        add_updated(context, task_part(task, i), out);
    }
}

void copies_old(const struct task_context *context, struct task *part, struct copy_list *out)
{
    struct storage_place place;
    for (uint32_t i = 0; i < part->eval.output.len; i++) {
        const struct job_file *file = &part->eval.output.at[i];
        if (!(file->flags & FLAG_UPDATE) && find(context, part, file, &place))
            vec_push(out, ((struct storage_copy){.place = place, .path = path_of(context, file)}));
    }
}

/* ---- after a job ---- */

static void add_made(const struct task_context *context, struct task *part,
                     const struct job_files *files, struct copy_list *out)
{
    struct storage_place place;
    for (uint32_t i = 0; i < files->len; i++) {
        const struct job_file *file = &files->at[i];
        const char *path = path_of(context, file);
        if (!(file->flags & (FLAG_PIPE | FLAG_SERVICE)) && find(context, part, file, &place) &&
            fs_exists(path))
            vec_push(out, ((struct storage_copy){.place = place, .path = path}));
    }
}

void copies_made(const struct task_context *context, struct task *part, bool logs_only,
                 struct copy_list *out)
{
    add_made(context, part, &part->eval.log, out);
    if (logs_only)
        return;
    add_made(context, part, &part->eval.output, out);
    add_made(context, part, &part->eval.benchmark, out);
}

bool copies_is_half(const struct task_context *context, struct task *task,
                    const struct job_file *file)
{
    struct storage_place place;
    return find(context, task, file, &place) && !storage_own_path(&place);
}

bool copies_find(const struct graph *g, file_id file, struct arena *in, struct storage_copy *out)
{
    *out = (struct storage_copy){.path = file_path(g, file)};
    return storage_find(g->workflow, in, out->path, &out->place) && out->place.copied;
}

bool copies_know(const struct task_context *context, struct task *task, sym_t path)
{
    struct graph *g = context->g;
    struct storage_copy copy;
    struct fs_info info;
    file_id file = graph_file(g, path);
    if (!context->copies || !copies_find(g, file, &task->scratch, &copy) ||
        storage_own_path(&copy.place))
        return false;
    storage_stat_path(copy.path, &info);
    return info.mtime >= 0 && graph_know_file(g, file, &info);
}

static bool is_needed(const struct copies *copies, file_id f)
{
    return copies->shared && f && file_is_awaited(copies->g, f);
}

/* One user less; whether others are left. */
static bool let_go(const struct task_context *context, const char *path)
{
    uint32_t *users = users_of(context, path);
    *users -= *users > 0;
    return *users;
}

void copies_drop(const struct task_context *context, const char *path)
{
    if (!let_go(context, path))
        fs_remove_tree(path);
}

static void release_file(const struct task_context *context, struct task *task,
                         const struct job_file *file)
{
    struct copies *copies = context->copies;
    struct storage_place place;
    file_id f = file_of(context, file);
    if (!find(context, task, file, &place))
        return;
    if (let_go(context, path_of(context, file)) || place.keep)
        return;
    if (is_needed(copies, f))
        vec_push(&copies->left, f);
    else
        fs_remove_tree(path_of(context, file));
}

void copies_release(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; context->copies && i < task_parts(task); i++)
        each_file(context, task_part(task, i), release_file);
}

void copies_end(struct copies *copies)
{
    for (uint32_t i = 0; i < copies->left.len; i++)
        fs_remove_tree(file_path(copies->g, copies->left.at[i]));
    vec_free(&copies->left);
    map_free(&copies->active);
}
