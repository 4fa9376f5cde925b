// SPDX-License-Identifier: MIT
/* slurm_log.c: where jobs write what they print. A log is known as the pattern that sbatch gets:
 * absolute, with %j and the like, and with %% for a '%' of a directory's name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/memory.h"
#include "exec/slurm_args.h"
#include "exec/slurm_inner.h"

enum { LOG_LINES = 20 };

/* ---- patterns ---- */

static void add_escaped(struct buf *out, const char *text)
{
    for (; *text; text++)
        buf_printf(out, *text == '%' ? "%%%%" : "%c", *text);
}

char *slurm_own_log(const struct slurm *slurm, const struct launch *launch, const char *option,
                    char letter)
{
    const char *own = slurm_find_arg(launch->sbatch, launch->nsbatch, option, letter);
    const char *name = slurm_find_arg(launch->sbatch, launch->nsbatch, "job-name", 'J');
    struct buf out = {0};
    if (!own)
        return NULL;
    if (*own != '/') {
        add_escaped(&out, slurm->workdir);
        buf_char(&out, '/');
    }
    for (const char *at = own; *at; at++) {
        bool pair = at[0] == '%' && at[1];
        if (pair && at[1] == 'x' && name) /* in Slurm, its name is that of the submission */
            add_escaped(&out, name);
        else
            buf_add(&out, at, pair ? 2 : 1);
        at += pair;
    }
    return buf_take(&out);
}

void slurm_set_log(struct slurm_job *job)
{
    struct buf path = {0};
    free(job->log);
    if (job->output) {
        job->log = slurm_copy(job->output);
        return;
    }
    add_escaped(&path, job->slurm->logdir);
    if (job->batch->is_array)
        buf_printf(&path, "/%.*s/%%A_%%a.log", (int)strcspn(job->who.folder, "/"), job->who.folder);
    else
        buf_printf(&path, "/%s/%%j.log", job->who.folder);
    job->log = buf_take(&path);
}

/* %j and its kind in a pattern of Slurm's. */
static void expand(const struct slurm_job *job, char letter, struct buf *out)
{
    const struct slurm_batch *batch = job->batch;
    switch (letter) {
    case '%': buf_char(out, '%'); return;
    case 'j':
        buf_printf(out, "%u",
                   (unsigned)(batch->is_array && job->row.raw_id ? job->row.raw_id : batch->job));
        return;
    case 'A': buf_printf(out, "%u", (unsigned)batch->job); return;
    case 'a': buf_printf(out, "%u", (unsigned)job->index); return;
    case 'x': buf_str(out, batch->token); return;
    case 'u': buf_str(out, fs_username()); return;
    case 'N': buf_str(out, job->row.node); return;
    default: buf_printf(out, "%%%c", letter);
    }
}

char *slurm_log_path(const struct slurm_job *job)
{
    struct buf path = {0};
    for (const char *at = job->log; at && *at; at++) {
        if (at[0] == '%' && at[1])
            expand(job, *++at, &path);
        else
            buf_char(&path, *at);
    }
    buf_str(&path, "");
    return buf_take(&path);
}

/* Whether a job's own pattern has its log in a directory that only Slurm can name. */
static bool is_elsewhere(const struct slurm_job *job)
{
    const char *end = strrchr(job->log, '/');
    for (const char *at = job->log; job->output && at < end; at++)
        if (at[0] == '%' && *++at != '%')
            return true;
    return false;
}

char *slurm_unwritable_log(const struct slurm_job *job)
{
    if (is_elsewhere(job))
        return NULL;
    char *dir = slurm_log_path(job), *slash = strrchr(dir, '/');
    bool made = fs_make_parent(dir);
    slash[slash == dir] = '\0';
    if (!made || access(dir, W_OK | X_OK))
        return dir;
    free(dir);
    return NULL;
}

/* ---- files ---- */

/* The last lines of a file. */
void slurm_log_tail(const char *path, struct buf *out)
{
    struct arena in = {0};
    fs_renew(path);
    const char *lines = fs_read_tail(&in, path, LOG_LINES);
    if (lines && *lines) {
        buf_str(out, "\n    the last lines of its log:\n");
        buf_indented(out, "        ", lines);
        out->at[--out->len] = 0;
    }
    arena_free(&in);
}

/* And its directory, if no other job can be about to write there. */
void slurm_remove_log(const struct slurm_job *job)
{
    char *path = slurm_log_path(job);
    if (!job->output && !job->slurm->how.keep_logs && job->log && !unlink(path) &&
        strchr(job->who.folder, '/') && !job->batch->is_array) {
        *strrchr(path, '/') = '\0';
        rmdir(path);
    }
    free(path);
}
