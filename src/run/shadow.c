// SPDX-License-Identifier: MIT
#include "run/shadow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "graph/gang.h"
#include "run/litter.h"

static bool failed(struct task *task, const char *what, const char *path)
{
    if (!task->why.len)
        buf_printf(&task->why, "cannot %s '%s' for shadow: %s", what, path, strerror(errno));
    return false;
}

static const char *path_of(const struct task_context *context, const struct job_file *file)
{
    return path_normal(&context->g->scratch, sym_text(context->g->names, file->path));
}

static bool make_root(const struct task_context *context, struct task *task)
{
    const char *wd = context->g->workflow->workdir, *prefix = context->shadow_prefix;
    const char *base = prefix ? path_absolute(&task->scratch, wd, prefix)
                              : path_join(&task->scratch, wd, ".snakemake");
    base = path_join(&task->scratch, base, "shadow");
    char *root = arena_printf(&task->scratch, "%s/tmpXXXXXX", base);
    if (!fs_mkdirs(base) || !mkdtemp(root))
        return failed(task, "make a directory in", base);
    task->shadow = root;
    if (!context->keep_incomplete)
        litter_note(context->litter, root);
    return true;
}

static bool is_same(const char *a, const char *b)
{
    char *x = realpath(a, NULL), *y = realpath(b, NULL);
    bool same = x && y && !strcmp(x, y);
    free(x);
    free(y);
    return same;
}

/* ---- minimal ---- */

static bool make_parent(struct task *task, const char *path)
{
    if (path_is_absolute(path))
        return true;
    if (path_leads_out(path)) {
        buf_printf(&task->why,
                   "'%s' lies outside the working directory, which shadow cannot "
                   "follow; use an absolute path",
                   path);
        return false;
    }
    return fs_make_parent(path_join(&task->scratch, task->shadow, path)) ||
           failed(task, "make the directory of", path);
}

static bool make_parents(const struct task_context *context, struct task *task,
                         const struct job_files *files)
{
    for (uint32_t i = 0; i < files->len; i++)
        if (!make_parent(task, path_of(context, &files->at[i])))
            return false;
    return true;
}

bool shadow_copies(const struct task *task)
{
    return task->shadow && !strcmp(str_text(task->eval.rule->shadow.v), "copy-minimal");
}

static bool bring_input(const struct task_context *context, struct task *task, const char *path,
                        bool copy)
{
    struct arena *in = &task->scratch;
    const char *real = path_join(in, context->g->workflow->workdir, path);
    const char *there = path_join(in, task->shadow, path);
    if (path_is_absolute(path) || !make_parent(task, path))
        return path_is_absolute(path);
    if (!copy)
        return !symlink(real, there) || errno == EEXIST || failed(task, "link", path);
    const char *target = realpath(real, NULL); /* what a link points to is copied */
    bool good = target && (fs_exists(there) || fs_copy(target, there));
    free((void *)target);
    return good || failed(task, "copy", path);
}

/* A pipe or what a service makes: it is there only when its maker runs. */
static bool is_live_input(const struct task_context *context, const struct job_file *file)
{
    file_id id = graph_find_file(context->g, file->path);
    return id && is_stream(context->g, id);
}

static bool fill_minimal(const struct task_context *context, struct task *task)
{
    const struct job_eval *eval = &task->eval;
    bool copy = shadow_copies(task);
    for (uint32_t i = 0; i < eval->ninput; i++) {
        bool later = copy && ((task->in_group && eval->input[i].flags & FLAG_INSIDE) ||
                              is_live_input(context, &eval->input[i]));
        if (!later && !bring_input(context, task, path_of(context, &eval->input[i]), copy))
            return false;
    }
    return make_parents(context, task, &eval->output) && make_parents(context, task, &eval->log);
}

/* ---- shallow and full ---- */

struct fill {
    struct task *task;
    const char *workdir;
    bool full;
};

static bool fill_entry(void *user, const char *path, bool is_dir)
{
    struct fill *fill = user;
    struct task *task = fill->task;
    const char *there = path_join(&task->scratch, task->shadow, path);
    const char *real = path_join(&task->scratch, fill->workdir, path);
    if (fill->full && (path_inside(task->shadow, real) || !strcmp(path, ".snakemake")))
        return false; /* the way to the shadow itself */
    bool good = fill->full && is_dir ? fs_mkdirs(there) : !symlink(real, there);
    if (!good)
        failed(task, "link", path);
    return fill->full && good;
}

static bool fill(const struct task_context *context, struct task *task, bool full)
{
    struct fill fill = {task, context->g->workflow->workdir, full};
    return (fs_walk(fill.workdir, full, fill_entry, &fill,
                    NULL) || /* the job itself cannot read more */
            failed(task, "read", fill.workdir)) &&
           !task->why.len;
}

bool shadow_open(const struct task_context *context, struct task *task)
{
    value kind = task->eval.rule->shadow.v;
    if (!kind || !is_str(kind) || task->eval.rule->body == BODY_NONE)
        return true;
    return make_root(context, task);
}

/* A pipe, or what a service makes: others see it while the job runs. */
static bool is_live(const struct job_file *file)
{
    return file->flags & (FLAG_PIPE | FLAG_SERVICE);
}

/* Links a path where no link to its directory stands. A directory of links, of copies, or made for
 * what lies in it, gives way: it would be moved over the one that it stands for. */
static bool link_place(const struct task_context *context, struct task *task, const char *path,
                       bool directory)
{
    struct arena *in = &task->scratch;
    const char *dir = path_dirname(in, path), *there = path_join(in, task->shadow, path);
    if (path_is_absolute(path) || !make_parent(task, path))
        return path_is_absolute(path);
    if (is_same(path_dirname(in, there), path_join(in, context->g->workflow->workdir, dir)))
        return true;
    if (directory && !fs_remove_tree(there))
        return failed(task, "link", path);
    return bring_input(context, task, path, false);
}

/* What is seen by others, too, before the job ends, and what it changes in place. */
static bool link_live(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.ninput; i++) {
        const struct job_file *file = &task->eval.input[i];
        if (is_live_input(context, file) &&
            !link_place(context, task, path_of(context, file), false))
            return false;
    }
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        const char *path = path_of(context, file);
        if ((is_live(file) || (file->flags & FLAG_UPDATE && fs_exists(path))) &&
            !link_place(context, task, path, file->flags & FLAG_DIRECTORY))
            return false;
    }
    return true;
}

bool shadow_fill(const struct task_context *context, struct task *task)
{
    if (!task->shadow)
        return true;
    const char *text = str_text(task->eval.rule->shadow.v);
    bool good = strstr(text, "minimal") ? fill_minimal(context, task)
                                        : fill(context, task, !strcmp(text, "full"));
    return good && link_live(context, task);
}

/* ---- back ---- */

/* An absolute link into the shadow leads nowhere once that is gone. */
static void make_relative(struct task *task, const char *link, const char *path)
{
    char target[4096], *real = realpath(task->shadow, NULL);
    ssize_t n = readlink(link, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    const char *inside = path_inside(target, task->shadow);
    inside = inside || !real ? inside : path_inside(target, real);
    free(real);
    if (!inside || !*inside || unlink(link))
        return;
    struct arena *in = &task->scratch;
    (void)!symlink(
        path_relative(in, path_normal(in, inside), path_join(in, "/", path_dirname(in, path))),
        link);
}

bool shadow_holds(const struct task_context *context, const struct task *task, const char *path)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        const char *inside = file->flags & FLAG_DIRECTORY
                                 ? path_inside(path, path_of(context, file))
                                 : NULL;
        if (inside && *inside)
            return true;
    }
    return false;
}

static bool bring_back(const struct task_context *context, struct task *task,
                       const struct job_files *files, bool all)
{
    bool good = true;
    for (uint32_t i = 0; i < files->len; i++) {
        struct stat st;
        const char *path = path_of(context, &files->at[i]);
        const char *there = path_join(&task->scratch, task->shadow, path);
        if (path_is_absolute(path) || is_live(&files->at[i]) || lstat(there, &st) ||
            (all && shadow_holds(context, task, path)))
            continue;
        if (S_ISLNK(st.st_mode))
            make_relative(task, there, path);
        good &= is_same(there, path) || fs_move(there, path) || failed(task, "move", path);
    }
    return good;
}

bool shadow_close(const struct task_context *context, struct task *task, bool good)
{
    if (!task->shadow)
        return true;
    bool moved = bring_back(context, task, &task->eval.log, good) &&
                 (!good || bring_back(context, task, &task->eval.output, true));
    if (good && !moved)
        return false;
    if (!good && context->keep_incomplete)
        task->remains = arena_printf(&task->scratch,
                                     "Keeping shadow directory %s; --cleanup-shadow removes it.",
                                     task->shadow);
    else if (!fs_remove_tree(task->shadow))
        task->remains = arena_printf(&task->scratch, "Shadow directory %s is still there: %s",
                                     task->shadow, strerror(errno));
    task->shadow = NULL;
    return moved;
}
