// SPDX-License-Identifier: MIT
/* generic_past.c: what an earlier run has submitted with the site's commands (past.h). Nobody is
 * asked when the run begins: a job is taken over as soon as the same one is wanted, and then the
 * files that its script has left, or the status command, tell how it is. One that left no word and
 * of which the status command knows nothing is lost, and is submitted anew. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/memory.h"
#include "base/path.h"
#include "exec/generic_inner.h"

/* ---- files and rows ---- */

static char *path_in(const struct generic_entry *entry, const char *suffix)
{
    struct buf path = {0};
    const char *number = strchr(entry->who.folder, '/');
    buf_printf(&path, "%s/%.*s.%s", entry->dir->path, (int)strcspn(number + 1, "/"), number + 1,
               suffix);
    return buf_take(&path);
}

void generic_set_paths(struct generic_entry *entry)
{
    struct buf script = {0};
    buf_printf(&script, "%s/%s", entry->dir->path, strrchr(entry->who.folder, '/') + 1);
    entry->script = buf_take(&script);
    entry->finished = path_in(entry, "jobfinished");
    entry->failed = path_in(entry, "jobfailed");
    entry->claim = path_in(entry, "claim");
    entry->submitted = path_in(entry, "submitted");
    entry->dir->open++;
}

int generic_open_submitted(const struct generic_entry *entry)
{
    int fd = open(entry->submitted, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0)
        flock(fd, LOCK_EX | LOCK_NB); /* where that cannot be done nobody waits for it */
    return fd;
}

static void discard_files(struct generic_entry *entry)
{
    char **const paths[] = {&entry->script, &entry->finished, &entry->failed, &entry->claim,
                            &entry->submitted};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (*paths[i])
            past_discard(&entry->generic->past, *paths[i]);
        *paths[i] = NULL;
    }
}

void generic_settle(struct generic_entry *entry)
{
    struct generic *generic = entry->generic;
    if (!entry->left && entry->dir && !generic->site.detached) {
        past_end_row(&generic->past, entry->token);
        entry->dir->open--;
        discard_files(entry);
        past_sweep(&generic->past);
    }
    generic_free(entry);
}

static void remove_dirs(struct generic *generic)
{
    for (uint32_t i = 0; i < generic->dirs.len; i++) {
        struct generic_dir *dir = generic->dirs.at[i];
        if (!generic->site.detached && (!dir->open || !generic->past.journal))
            fs_remove_tree(dir->path);
        free(dir->path);
        free(dir);
    }
    vec_free(&generic->dirs);
}

/* ---- reading the journal ---- */

/* The directory of that name; the jobs of a run stand together. */
static struct generic_dir *dir_of(struct generic *generic, const char *name, size_t len)
{
    struct arena scratch = {0};
    uint32_t n = generic->dirs.len;
    const char *path = path_join(&scratch, fs_cwd(&scratch),
                                 arena_printf(&scratch, ".snakemake/%.*s", (int)len, name));
    struct generic_dir *dir = n ? generic->dirs.at[n - 1] : NULL;
    if (!dir || strcmp(dir->path, path)) {
        dir = memory_zeroed(1, sizeof *dir);
        dir->path = memory_text(path);
        vec_push(&generic->dirs, dir);
    }
    arena_free(&scratch);
    return dir;
}

static void remember(void *to, const struct exec_submission *row)
{
    struct generic *generic = to;
    struct generic_entry *entry = memory_zeroed(1, sizeof *entry);
    *entry = (struct generic_entry){.generic = generic, .state = PAST, .adopted = true};
    past_read_job(row->jobs, &entry->who);
    const char *slash = strchr(entry->who.folder, '/');
    if (!slash || !strchr(slash + 1, '/')) { /* not written by this program */
        generic_free(entry);
        return;
    }
    entry->who.submit_ns = entry->start_ns = row->time_ns;
    snprintf(entry->token, sizeof entry->token, "%s", row->token);
    entry->dir = dir_of(generic, entry->who.folder, (size_t)(slash - entry->who.folder));
    generic_set_paths(entry);
    entry->external = *row->external_id ? memory_text(row->external_id)
                                        : generic_id_in(entry->submitted);
    past_add(&generic->past, &entry->who);
}

/* ---- taking over, or ending ---- */

static struct generic_entry *entry_of(const struct past_job *who)
{
    return (struct generic_entry *)((char *)who - offsetof(struct generic_entry, who));
}

static bool is_alive(const struct past_job *who)
{
    const struct generic_entry *entry = entry_of(who);
    return !generic_has_ended(entry) && fs_exists(entry->submitted);
}

bool generic_is_under_way(const struct generic_entry *entry)
{
    bool known = entry->external || generic_has_ended(entry);
    int fd = known ? -1 : open(entry->submitted, O_RDONLY | O_CLOEXEC);
    bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

bool generic_is_usable(const struct generic_entry *entry)
{
    return generic_has_ended(entry) || (entry->external && entry->generic->site.status);
}

static bool is_usable(const struct past_job *who)
{
    const struct generic_entry *entry = entry_of(who);
    return generic_is_usable(entry) || generic_is_under_way(entry);
}

static void await(struct generic_entry *entry)
{
    exec_note(&entry->generic->options,
              "An earlier run was killed while it submitted job %s: the submit command still runs, "
              "and is waited for.",
              entry->who.name);
    entry->state = AWAITED;
    generic_list(entry);
    generic_arm(entry->generic);
}

static void take_over(struct past_job *who, const struct launch *launch)
{
    struct generic_entry *entry = entry_of(who);
    entry->launch = launch->id;
    past_own_row(&entry->generic->past, entry->token);
    if (generic_is_under_way(entry)) {
        await(entry);
        return;
    }
    entry->state = ACTIVE;
    generic_list(entry);
    generic_report_submitted(entry);
    generic_arm(entry->generic);
}

bool generic_revoke(struct generic_entry *entry)
{
    if (!past_revoke(entry->claim, false))
        return false;
    free(entry->claim);
    entry->claim = NULL;
    return true;
}

/* Cancelled if that can be; without a cancel command its end is waited for, if anybody tells it. */
void generic_supersede(struct generic_entry *entry)
{
    const struct site *site = &entry->generic->site;
    bool told = site->cancel && entry->external;
    if (generic_is_under_way(entry)) {
        await(entry);
        return;
    }
    if (generic_has_ended(entry) || !fs_exists(entry->dir->path) ||
        (generic_revoke(entry) && !told)) { /* it cannot begin any more */
        generic_settle(entry);
        return;
    }
    if (!told && !(site->status && entry->external)) {
        exec_note(&entry->generic->options,
                  "Job %s (%s) of an earlier run may still run: without a status command "
                  "nobody can tell.",
                  entry->external ? entry->external : entry->token, entry->who.name);
        generic_settle(entry);
        return;
    }
    if (!told)
        exec_note(&entry->generic->options,
                  "Job %s (%s) of an earlier run is in the way of another and cannot be "
                  "cancelled: its end is waited for.",
                  entry->external, entry->who.name);
    entry->state = told ? DOOMED : ACTIVE;
    generic_list(entry);
    generic_arm(entry->generic);
    generic_cancel_doomed(entry->generic);
}

void generic_give_back(struct generic_entry *entry)
{
    entry->launch = 0;
    past_add(&entry->generic->past, &entry->who);
    past_supersede(&entry->generic->past, &entry->who);
}

static void supersede(struct past_job *who)
{
    generic_supersede(entry_of(who));
}

static void name_job(const struct past_job *who, char *out, size_t size)
{
    const struct generic_entry *entry = entry_of(who);
    snprintf(out, size, "%s", entry->external ? entry->external : entry->token);
}

void generic_remember(struct generic *generic)
{
    static const struct past_kind kind = {.tokens = generic_tokens,
                                          .what = "submitted job",
                                          .id = name_job,
                                          .is_alive = is_alive,
                                          .is_usable = is_usable,
                                          .supersede = supersede,
                                          .take_over = take_over};
    generic->past = (struct past){.kind = &kind, .journal = generic->options.journal};
    past_each_row(&generic->past, remember, generic);
}

void generic_close_past(struct generic *generic)
{
    for (uint32_t i = 0; i < generic->past.jobs.len; i++)
        if (generic->past.jobs.at[i])
            generic_free(entry_of(generic->past.jobs.at[i]));
    past_close(&generic->past);
    remove_dirs(generic);
}

bool generic_adopt(struct executor *executor, const struct launch *launch, struct adopted *adopted)
{
    return past_adopt(&((struct generic *)executor)->past, launch, adopted);
}

uint32_t generic_orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                         void *user, bool cancel)
{
    struct generic *generic = (struct generic *)executor;
    struct buf words = {0};
    bool can = generic->site.cancel != NULL;
    uint32_t n = past_orphans(&generic->past, is_known, user, cancel && can, &words);
    if (n)
        exec_note(&generic->options, "%s%s", buf_text(&words),
                  cancel && can ? "Cancelled."
                  : cancel ? "They go on: --cluster-generic-cancel-cmd tells how to cancel them."
                           : "They go on; --cancel-orphans cancels them.");
    buf_free(&words);
    return n;
}
