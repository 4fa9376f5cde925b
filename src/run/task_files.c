// SPDX-License-Identifier: MIT
#include "run/task_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"
#include "base/words.h"
#include "graph/protect.h"
#include "run/backup.h"
#include "run/benchmark.h"
#include "run/cache.h"
#include "run/copies.h"
#include "run/shadow.h"

static const char *path_of(const struct task_context *context, const struct job_file *file)
{
    return sym_text(context->g->names, file->path);
}

static bool failed(struct task *task, const char *what, const char *path)
{
    buf_printf(&task->why, "cannot %s '%s': %s", what, path, strerror(errno));
    return false;
}

/* ---- before ---- */

/* The input of a task that lies in a directory, or NULL. */
static const char *input_inside(const struct task_context *context, const struct task *task,
                                const char *dir)
{
    for (uint32_t i = 0; i < task->eval.ninput; i++) {
        const char *input = path_of(context, &task->eval.input[i]),
                   *inside = path_inside(input, dir);
        if (inside && *inside && fs_exists(input))
            return input;
    }
    return NULL;
}

static bool undeclared_directory(struct task *task, const char *path)
{
    buf_printf(&task->why, "'%s' is a directory, but is not declared as directory()", path);
    return false;
}

static bool note_entry(void *user, const char *path, bool is_dir)
{
    *(bool *)user = false; /* it is not empty */
    return false;
}

static bool is_empty(const char *dir)
{
    bool empty = true;
    fs_walk(dir, false, note_entry, &empty, NULL);
    return empty;
}

/* A directory that is there goes with all that is in it; where a file is declared, an empty one. */
static bool check_directory(const struct task_context *context, struct task *task,
                            const struct job_file *file, const char *path)
{
    bool updated = file->flags & FLAG_UPDATE;
    const char *input = updated ? NULL : input_inside(context, task, path);
    size_t said = task->why.len;
    if (!(file->flags & FLAG_DIRECTORY))
        return (!updated && is_empty(path)) || undeclared_directory(task, path);
    if (!updated && fs_holds_cwd(path))
        buf_printf(&task->why, "'%s' holds the working directory: it is not removed", path);
    else if (input)
        buf_printf(&task->why, "'%s' holds the input '%s': it is not removed", path, input);
    return task->why.len == said;
}

/* The file below which a path lies, and which a job of this run has made; or 0. */
static file_id made_above(const struct graph *g, const char *path)
{
    const char *end = strrchr(path, '/');
    for (; end && end > path; end = memrchr(path, '/', (size_t)(end - path))) {
        sym_t name = intern_find(g->names, path, (size_t)(end - path));
        file_id above = name ? graph_find_file(g, name) : 0;
        job_id maker = above ? g->files.at[above].maker : 0;
        if (maker && g->jobs.at[maker].done)
            return above;
    }
    return 0;
}

/* Whether an input is there; one that is kept in a storage is only here for jobs that read it. */
static bool is_there(const struct task_context *context, struct task *task, file_id f)
{
    const char *path = file_path(context->g, f);
    struct storage_copy copy;
    if (fs_exists(path) || copies_find(context->g, f, &task->scratch, &copy))
        return true;
    fs_renew(path); /* another machine may have made it */
    return fs_exists(path);
}

/* An input function may have found files in a directory that has been made anew since. Each is
 * looked for once, however many jobs use it. */
static bool check_inputs(const struct task_context *context, struct task *task)
{
    struct graph *g = context->g;
    for (uint32_t i = 0; i < task->eval.ninput; i++) {
        file_id f = graph_find_file(g, task->eval.input[i].path), above;
        if (!f || g->files.at[f].maker || g->files.at[f].found ||
            !(above = made_above(g, file_path(g, f))))
            continue;
        if ((g->files.at[f].found = is_there(context, task, f)))
            continue;
        const struct rule *rule = job_rule(g, g->files.at[above].maker);
        buf_printf(&task->why, "missing input file '%s': rule %s has made '%s' in this run",
                   file_path(g, f), sym_text(g->names, rule->name), file_path(g, above));
        return false;
    }
    return true;
}

/* What stands in the way of a job is found before anything is touched. */
static bool check_outputs(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        const char *path = path_of(context, file);
        struct stat st;
        if (lstat(path, &st))
            continue;
        if (S_ISDIR(st.st_mode) && !check_directory(context, task, file, path))
            return false;
        if (protect_forbids(context->state, file->path, path)) {
            buf_printf(&task->why,
                       "ProtectedOutputException: '%s' is write-protected; remove it or make it "
                       "writable to have it made again",
                       path);
            return false;
        }
    }
    return true;
}

/* Such as /dev/null: nobody's to remove. */
static bool is_device(const struct stat *st)
{
    return S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode);
}

/* What stands at an output: a directory that was not declared only if it is empty. */
static bool remove_at(const char *path, const struct stat *st, bool directory)
{
    if (!S_ISDIR(st->st_mode))
        return !unlink(path);
    return directory ? fs_remove_tree(path) : !rmdir(path);
}

static bool remove_old(struct task *task, const char *path, bool directory)
{
    struct stat st;
    if (lstat(path, &st) || is_device(&st))
        return true;
    if (remove_at(path, &st, directory))
        return true;
    return S_ISDIR(st.st_mode) && !directory && errno == ENOTEMPTY
               ? undeclared_directory(task, path)
               : failed(task, "remove the old", path);
}

static bool prepare_list(const struct task_context *context, struct task *task,
                         const struct job_files *files, bool remove)
{
    for (uint32_t i = 0; i < files->len; i++) {
        const struct job_file *file = &files->at[i];
        const char *path = path_of(context, file);
        if (remove && !(file->flags & FLAG_UPDATE) &&
            !remove_old(task, path, file->flags & FLAG_DIRECTORY))
            return false;
        if (!fs_make_parent(path))
            return failed(task, "make the directory of", path);
    }
    return true;
}

/* Named pipes are there before their job starts; a service makes its file itself. */
static bool make_pipes(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const char *path = path_of(context, &task->eval.output.at[i]);
        if (task->eval.output.at[i].flags & FLAG_PIPE && mkfifo(path, 0666))
            return failed(task, "make the pipe", path);
    }
    return true;
}

static bool store_failed(struct task *task)
{
    buf_str(&task->why, "the store in .snakemake could not be written");
    return false;
}

static const sym_t *output_paths(struct task *task)
{
    uint32_t n = task->eval.output.len;
    sym_t *paths = arena_array(&task->scratch, sym_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        paths[i] = task->eval.output.at[i].path;
    return paths;
}

/* Where nothing runs, there is no time in which outputs are half made. */
static bool mark_incomplete(const struct task_context *context, struct task *task)
{
    uint32_t n = task->eval.output.len;
    if (!context->state || !n || task->eval.rule->body == BODY_NONE)
        return true;
    return state_begin_outputs(context->state, output_paths(task), n) || store_failed(task);
}

bool files_prepare(const struct task_context *context, struct task *task)
{
    if (!check_inputs(context, task) || !check_outputs(context, task) ||
        !backup_make(context, task))
        return false;
    task->begun = true;
    return mark_incomplete(context, task) &&
           prepare_list(context, task, &task->eval.output, true) &&
           prepare_list(context, task, &task->eval.log, true) &&
           prepare_list(context, task, &task->eval.benchmark, false) && make_pipes(context, task);
}

/* ---- after ---- */

/* False with errno. */
static bool make_empty(const char *path)
{
    FILE *file = fopen(path, "a");
    return file && !fclose(file);
}

static bool make_touched(const struct job_file *file, const char *path)
{
    return file->flags & FLAG_DIRECTORY ? fs_mkdirs(path) : make_empty(path);
}

void task_remove_scripts(const struct task_context *context, const struct task *task)
{
    for (size_t i = 0; i < 2; i++)
        if (task->script[i] && !context->skip_script_cleanup)
            unlink(task->script[i]);
}

/* Pipes and what a service left at its path serve nobody once their maker has ended. */
static void remove_streams(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++)
        if (task->eval.output.at[i].flags & (FLAG_PIPE | FLAG_SERVICE))
            fs_remove_tree(path_of(context, &task->eval.output.at[i]));
}

/* A job that wrote none has an empty one, also when it failed. */
static void make_logs(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.log.len; i++)
        if (!fs_exists(path_of(context, &task->eval.log.at[i])))
            make_empty(path_of(context, &task->eval.log.at[i]));
}

void task_after_body(const struct task_context *context, struct task *task)
{
    remove_streams(context, task);
    shadow_close(context, task, true); /* task_check tells if it fails */
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        if (file->flags & FLAG_TOUCH)
            make_touched(file, path_of(context, file)); /* task_check tells if it fails */
    }
    make_logs(context, task);
    task_remove_scripts(context, task);
}

static bool check_kind(struct task *task, const struct job_file *file, const char *path,
                       const struct stat *st)
{
    if (S_ISDIR(st->st_mode) == !!(file->flags & FLAG_DIRECTORY)) {
        if (!(file->flags & FLAG_NONEMPTY) || st->st_size)
            return true;
        buf_printf(&task->why, "output '%s' is empty, but ensure() says that it must not be", path);
        return false;
    }
    if (S_ISDIR(st->st_mode))
        buf_printf(&task->why, "output '%s' is a directory, but is not declared as directory()",
                   path);
    else
        buf_printf(&task->why, "output '%s' is declared as directory(), but is a file", path);
    return false;
}

/* Pipes are no files; what only the group of a job needs may be gone, or on its node; and where
 * nothing has run, anything may. */
static bool is_elsewhere(const struct task *task, const struct job_file *file, const char *path)
{
    bool may_be = task->touched || (task->in_group && file->flags & FLAG_NODELOCAL);
    return file->flags & (FLAG_PIPE | FLAG_SERVICE) || (may_be && !fs_exists(path));
}

bool task_check(const struct task_context *context, struct task *task, bool *missing)
{
    *missing = false;
    if (task->shadow) /* what it could not bring back */
        return false;
    buf_reset(&task->why);
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        const char *path = path_of(context, file);
        struct stat st;
        if (is_elsewhere(task, file, path))
            continue;
        if (!stat(path, &st)) {
            if (!check_kind(task, file, path, &st))
                return false;
            continue;
        }
        if (file->flags & FLAG_TOUCH && !make_touched(file, path)) {
            *missing = false; /* waiting would not help */
            buf_reset(&task->why);
            return failed(task, "make", path);
        }
        buf_printf(&task->why, "%s%s", *missing ? ", " : "missing output files: ", path);
        *missing = true;
    }
    return !*missing;
}

void task_renew(const struct task_context *context, const struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const char *path = path_of(context, &task->eval.output.at[i]);
        if (!fs_exists(path)) /* most often the first brings all of its folder */
            fs_renew(path);
    }
}

/* What a job has unpacked there may hold a link of that name, which leads anywhere: it goes. */
static void make_stamp(const char *stamp)
{
    const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int fd = open(stamp, flags, 0666);
    if (fd < 0 && errno == ELOOP && !unlink(stamp))
        fd = open(stamp, flags, 0666);
    if (fd >= 0)
        close(fd);
}

/* Outputs become newer than all that was there before: they are touched, a directory by a file
 * inside. */
static bool stamp_output(struct task *task, const struct job_file *file, const char *path)
{
    if (!(file->flags & FLAG_DIRECTORY))
        return fs_touch(path, 0, false) || failed(task, "touch", path);
    const char *stamp = path_join(&task->scratch, path, ".snakemake_timestamp");
    make_stamp(stamp);
    return fs_touch(stamp, 0, false) || failed(task, "write", stamp);
}

static void take_write_bits(const char *path)
{
    struct stat st;
    if (!lstat(path, &st) && !S_ISLNK(st.st_mode))
        (void)!chmod(path, st.st_mode & ~0222u);
}

struct protection {
    struct arena *scratch;
    const char *root;
};

static bool protect_entry(void *user, const char *path, bool is_dir)
{
    const struct protection *of = user;
    take_write_bits(path_join(of->scratch, of->root, path));
    return true;
}

/* A file, or a directory with all that is in it. */
static void protect(struct arena *scratch, const char *path)
{
    struct protection of = {scratch, path};
    if (fs_is_dir(path))
        fs_walk(path, false, protect_entry, &of, NULL);
    take_write_bits(path);
}

/* Checksums of small inputs, one a line. */
static const char *input_checksums(const struct task_context *context, struct task *task)
{
    struct buf lines = {0};
    for (uint32_t i = 0; i < task->eval.ninput && context->max_checksum_size > 0; i++) {
        const char *path = path_of(context, &task->eval.input[i]);
        struct stat st;
        if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size > context->max_checksum_size)
            continue;
        const char *checksum = checksum_of(&context->g->checksums, task->eval.input[i].path, path,
                                           &st);
        if (!checksum)
            continue;
        buf_str(&lines, path);
        buf_char(&lines, '\t');
        buf_str(&lines, checksum);
        buf_char(&lines, '\n');
    }
    const char *text = arena_str(&task->scratch, buf_text(&lines));
    buf_free(&lines);
    return text;
}

/* Sorted, as in Snakemake's records. */
static const char *log_lines(const struct task_context *context, struct task *task)
{
    const char *text = "";
    uint32_t n = task->eval.log.len;
    const char **paths = arena_array(&task->scratch, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        paths[i] = path_of(context, &task->eval.log.at[i]);
    qsort(paths, n, sizeof *paths, word_order);
    for (uint32_t i = 0; i < n; i++)
        text = arena_printf(&task->scratch, "%s%s%s", text, i ? "\n" : "", paths[i]);
    return text;
}

static bool has_checksum(const char *path, enum digest kind, const char *wanted)
{
    uint8_t digest[32];
    char hex[65];
    int n = fs_digest(path, kind, digest);
    hash_hex(digest, n, hex);
    return n && !strcasecmp(hex, wanted);
}

/* What ensure() says of the contents of outputs. */
static bool check_contents(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        const char *path = path_of(context, file), *wanted;
        enum digest kind;
        if (!(file->flags & FLAG_ENSURE) || is_elsewhere(task, file, path))
            continue;
        if (eval_checksum(&task->eval, file, &kind, &wanted) != EVAL_OK)
            return task_raised(task, &task->eval);
        if (wanted && !has_checksum(path, kind, wanted)) {
            buf_printf(&task->why,
                       "output '%s' does not have the checksum that ensure() says it must have",
                       path);
            return false;
        }
    }
    return true;
}

static bool keep_records(const struct task_context *context, struct task *task)
{
    return state_keep_outputs(context->state, output_paths(task), task->eval.output.len) ||
           store_failed(task);
}

static bool write_records(const struct task_context *context, struct task *task)
{
    uint32_t n = task->eval.output.len;
    if (!context->state || !n)
        return true;
    if (context->drop_records)
        return keep_records(context, task);
    struct output_record record = {.rule = sym_text(context->g->names, task->eval.rule->name),
                                   .code = task->record.code,
                                   .params = task->record.params,
                                   .inputs = task->record.inputs,
                                   .software = task->record.software,
                                   .shell = task->command ? task->command : "",
                                   .log = log_lines(context, task),
                                   .checksums = input_checksums(context, task),
                                   .start_ns = task->start_ns,
                                   .end_ns = task->end_ns};
    for (uint32_t i = 0; i < n; i++) {
        record.path = task->eval.output.at[i].path;
        if (!state_end_output(context->state, &record))
            return store_failed(task);
    }
    return true;
}

bool task_seal(const struct task_context *context, struct task *task)
{
    if (!check_contents(context, task))
        return false;
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const struct job_file *file = &task->eval.output.at[i];
        const char *path = path_of(context, file);
        if (!is_elsewhere(task, file, path) && !stamp_output(task, file, path))
            return false;
    }
    return cache_store(context, task) && benchmark_write(context, task);
}

bool task_commit(const struct task_context *context, struct task *task)
{
    struct graph *g = context->g;
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        sym_t path = task->eval.output.at[i].path;
        if (!copies_know(context, task, path) && !graph_stat_file(g, graph_file(g, path)))
            return failed(task, "look at", sym_text(g->names, path));
    }
    if (!write_records(context, task))
        return false;
    /* At last: what a job that failed or was killed leaves behind can be made again. */
    for (uint32_t i = 0; i < task->eval.output.len; i++)
        if (task->eval.output.at[i].flags & FLAG_PROTECTED)
            protect(&task->scratch, path_of(context, &task->eval.output.at[i]));
    return true;
}

/* Whether nothing that is half made is left of an output. */
static bool discard_output(const struct task_context *context, struct task *task,
                           const struct job_file *file)
{
    const char *path = path_of(context, file);
    if (file->flags & FLAG_UPDATE && backup_restore(context, path))
        return true;
    if (context->keep_incomplete) /* of a job that failed it counts from now on, as in Snakemake */
        return !task->broken_off || !fs_exists(path);
    struct stat st;
    bool there = !lstat(path, &st), device = there && is_device(&st);
    if (there && !device && remove_at(path, &st, file->flags & FLAG_DIRECTORY))
        buf_printf(&task->removed, "%s%s", task->removed.len ? ", " : "", path);
    return (device || !fs_exists(path)) &&
           !(task->half_stored && copies_is_half(context, task, file));
}

/* What the store knows of a job that has begun and failed: all but those n outputs stay incomplete.
 * What they were made with before is kept: as long as that differs, they are made again even where
 * nobody misses them, such as intermediate ones whose users are there. */
static void discard_records(const struct task_context *context, struct task *task,
                            const sym_t *settled, uint32_t n)
{
    if (!context->state || !task->eval.output.len)
        return;
    if (context->drop_records)
        keep_records(context, task);
    else if (context->keep_incomplete)
        state_drop_outputs(context->state, settled, n);
    else
        state_keep_outputs(context->state, settled, n);
}

void task_discard(const struct task_context *context, struct task *task)
{
    uint32_t n = 0;
    shadow_close(context, task, false);
    sym_t *settled = arena_array(&task->scratch, sym_t, task->eval.output.len + 1);
    if (task->begun)
        task_renew(context, task); /* what is not seen is not removed */
    for (uint32_t i = 0; task->begun && i < task->eval.output.len; i++) {
        if (discard_output(context, task, &task->eval.output.at[i]))
            settled[n++] = task->eval.output.at[i].path;
    }
    task_remove_scripts(context, task);
    if (!task->begun)
        return;
    make_logs(context, task);
    discard_records(context, task, settled, n);
}
