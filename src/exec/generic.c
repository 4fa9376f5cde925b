// SPDX-License-Identifier: MIT
/* generic.c: a site's own commands. A job becomes a script; the submit command gets its path and
 * prints an id; then the status command is asked, or, where there is none, the script itself leaves
 * a file when it ends. See generic_inner.h for the states of one. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ensure.h"
#include "base/fs.h"
#include "base/line.h"
#include "base/memory.h"
#include "base/path.h"
#include "exec/generic_inner.h"
#include "exec/generic_python.h"
#include "exec/generic_script.h"
#include "exec/kinds.h"
#include "exec/orphan.h"
#include "exec/shell.h"

enum {
    AT_ONCE = 4, /* submit commands, and status commands */
    MIN_POLL_MS = 50,
    MAX_BAD_STATUS = 3, /* useless answers of the status command in a row */
};

static struct executor *open_generic(struct loop *loop, const struct exec_options *options)
{
    struct generic *generic = memory_zeroed(1, sizeof *generic);
    *generic = (struct generic){.base = {&exec_generic}, .loop = loop, .options = *options};
    TAILQ_INIT(&generic->all);
    TAILQ_INIT(&generic->to_submit);
    TAILQ_INIT(&generic->to_check);
    unsetenv("SNAKEMAKE_PROFILE"); /* not meant for engines that a job may start */
    if (options->site)
        generic->site = *options->site;
    past_name_run(generic->run);
    generic_remember(generic);
    return &generic->base;
}

/* ---- turns ---- */

static void wait_in(struct generic_turns *turns, struct generic_entry *entry)
{
    if (entry->waits_in)
        return;
    TAILQ_INSERT_TAIL(turns, entry, turn);
    entry->waits_in = turns;
}

static void leave_turns(struct generic_entry *entry)
{
    if (entry->waits_in)
        TAILQ_REMOVE(entry->waits_in, entry, turn);
    entry->waits_in = NULL;
}

/* The next that a command is started for; NULL: none waits. */
static struct generic_entry *next_turn(struct generic *generic)
{
    struct generic_entry *submit = TAILQ_FIRST(&generic->to_submit),
                         *check = TAILQ_FIRST(&generic->to_check);
    struct generic_entry *next = check && (generic->check_next || !submit) ? check : submit;
    generic->check_next = next == submit;
    if (next)
        leave_turns(next);
    return next;
}

void generic_free(struct generic_entry *entry)
{
    struct generic *generic = entry->generic;
    past_remove(&generic->past, &entry->who);
    if (entry->launch && entry->launch <= generic->by_launch.len &&
        generic->by_launch.at[entry->launch - 1] == entry)
        generic->by_launch.at[entry->launch - 1] = NULL;
    if (entry->process)
        process_forget(entry->process);
    past_forget_job(&entry->who);
    free(entry->command);
    free(entry->script);
    free(entry->finished);
    free(entry->failed);
    free(entry->claim);
    free(entry->submitted);
    free(entry->external);
    free(entry->message);
    free(entry);
}

void generic_list(struct generic_entry *entry)
{
    struct generic *generic = entry->generic;
    TAILQ_INSERT_TAIL(&generic->all, entry, link);
    entry->listed = true;
    if (!entry->launch)
        return;
    vec_reach(&generic->by_launch, entry->launch - 1);
    generic->by_launch.at[entry->launch - 1] = entry;
}

/* The reverse. */
static void generic_unlist(struct generic_entry *entry)
{
    struct generic *generic = entry->generic;
    leave_turns(entry);
    TAILQ_REMOVE(&generic->all, entry, link);
    entry->listed = false;
    if (TAILQ_EMPTY(&generic->all))
        timer_end(&generic->poll_timer);
}

/* ---- ends ---- */

void generic_report(struct generic_entry *entry, enum exec_event_kind kind, int status,
                    const char *message)
{
    struct generic *generic = entry->generic;
    struct exec_event event = {.kind = kind,
                               .launch = entry->launch,
                               .status = entry->cancelled ? -1 : status,
                               .signal = entry->cancelled ? SIGTERM : 0,
                               .start_ns = entry->start_ns,
                               .end_ns = clock_wall_ns(),
                               .external_id = entry->external,
                               .message = message,
                               .blameless = kind == EXEC_LOST && entry->adopted,
                               .left = entry->left};
    generic_unlist(entry);
    entry->state = ENDED;
    if (entry->launch)
        generic->options.on_event(generic->options.user, &event);
    else
        generic_settle(entry);
}

void generic_report_submitted(struct generic_entry *entry)
{
    struct exec_options *options = &entry->generic->options;
    struct exec_event event = {.kind = EXEC_SUBMITTED,
                               .launch = entry->launch,
                               .start_ns = entry->start_ns,
                               .external_id = entry->external};
    options->on_event(options->user, &event);
    event.kind = EXEC_STARTED;
    options->on_event(options->user, &event);
}

static int status_in(const char *path)
{
    struct arena scratch = {0};
    const char *text = fs_read(&scratch, path, NULL);
    int status = text ? atoi(text) : 0;
    arena_free(&scratch);
    return status > 0 ? status : 1;
}

bool generic_has_ended(const struct generic_entry *entry)
{
    return fs_exists(entry->finished) || fs_exists(entry->failed);
}

/* If the script has left one of its files, that is reported. */
static bool has_marker(struct generic_entry *entry)
{
    bool finished = fs_exists(entry->finished);
    if (!finished && !fs_exists(entry->failed))
        return false;
    generic_report(entry, EXEC_ENDED, finished ? 0 : status_in(entry->failed), NULL);
    return true;
}

/* ---- commands ---- */

static void pump(struct generic *generic);

/* The directory of this run. */
static bool make_dir(struct generic *generic)
{
    char name[] = ".snakemake/tmp.XXXXXX";
    if (generic->dir)
        return true;
    char *path = fs_mkdirs(".snakemake") && mkdtemp(name) ? realpath(name, NULL) : NULL;
    if (!path)
        return false;
    generic->dir = memory_zeroed(1, sizeof *generic->dir);
    generic->dir->path = path;
    vec_push(&generic->dirs, generic->dir);
    struct arena scratch = {0};
    bool good = generic_python_write(&scratch, path_join(&scratch, path, "python"));
    arena_free(&scratch);
    return good;
}

/* What the site's commands are told besides the engine's own environment. What they submit outlives
 * the engine where a status command can find it again: then it is no child of this run that the
 * next one has to end (orphan.h). */
const char *const *generic_environment(struct generic *generic, struct arena *in)
{
    const char *said = generic->sidecar ? sidecar_environment(generic->sidecar) : NULL;
    const char *additions[4] = {0};
    size_t n = 0;
    if (make_dir(generic))
        additions[n++] = generic_python_path(in, path_join(in, generic->dir->path, "python"));
    if (generic->site.status)
        additions[n++] = ORPHAN_MARK "=";
    additions[n] = said;
    return shell_merge_environment(in, additions);
}

/* Starts "sh -c command", whose stdout is out, or if that is 0, kept; NULL with errno. */
static struct process *start_command(struct generic *generic, const char *command, int out,
                                     void (*on_end)(void *user, const struct process_end *end),
                                     void *user)
{
    const char *argv[] = {"sh", "-c", command, NULL};
    struct arena scratch = {0};
    struct process_options options = {.argv = argv,
                                      .env = generic_environment(generic, &scratch),
                                      .capture_out = !out,
                                      .out_fd = out,
                                      .new_group = true,
                                      .on_end = on_end,
                                      .user = user};
    struct process *process = process_start(generic->loop, &options);
    int error = errno;
    arena_free(&scratch);
    errno = error;
    generic->running += process != NULL;
    return process;
}

static char *first_line(const char *text)
{
    struct line line = {0};
    text += strspn(text, " \t");
    line_next(&text, &line);
    line_trim(&line);
    return line.len ? memory_text_part(line.at, line.len) : NULL;
}

static void refused(struct generic_entry *entry, const struct process_end *end)
{
    char text[128];
    snprintf(text, sizeof text, "the submit command failed (%s %d)",
             end->signal ? "signal" : "exit status", end->signal ? end->signal : end->status);
    generic_report(entry, EXEC_ENDED, end->signal ? 1 : end->status, text);
}

char *generic_id_in(const char *path)
{
    struct arena scratch = {0};
    const char *text = fs_read(&scratch, path, NULL);
    char *id = text ? first_line(text) : NULL;
    arena_free(&scratch);
    return id;
}

/* Takes the id that the submit command has told, which has ended. */
static void take_id(struct generic_entry *entry)
{
    entry->external = generic_id_in(entry->submitted);
    entry->state = ACTIVE;
    if (entry->external)
        past_set_row(&entry->generic->past,
                     &(struct exec_submission){.token = entry->token,
                                               .external_id = entry->external,
                                               .status = "submitted"});
}

static void on_submit_end(void *user, const struct process_end *end)
{
    struct generic_entry *entry = user;
    struct generic *generic = entry->generic;
    generic->running--;
    entry->process = NULL;
    take_id(entry);
    if (end->signal || end->status) {
        /* One that runs the job itself ends with the job's status. */
        fs_renew(entry->dir->path);
        if (!has_marker(entry))
            refused(entry, end);
    } else if (!generic_cancel_late(entry)) {
        entry->cancelled = false; /* too late for it */
        generic_report_submitted(entry);
        if (generic->site.detached)
            generic_report(entry, EXEC_ENDED, 0, NULL);
        else if (!generic->site.status)
            has_marker(entry);
    }
    pump(generic);
}

static void bad_status(struct generic_entry *entry, const char *why)
{
    char text[256];
    if (++entry->bad_status < MAX_BAD_STATUS)
        return;
    generic_revoke(entry); /* it may be the status command that is wrong */
    if (entry->adopted)
        snprintf(text, sizeof text,
                 "an earlier run has submitted it and it is lost: it has left no result, and the "
                 "status command %s",
                 why);
    else
        snprintf(text, sizeof text,
                 "the status command %s; one line with running, success or failed is expected",
                 why);
    generic_report(entry, EXEC_LOST, 1, text);
}

static void on_status_end(void *user, const struct process_end *end)
{
    struct generic_entry *entry = user;
    struct generic *generic = entry->generic;
    char *line = first_line(end->out), why[128];
    generic->running--;
    entry->process = NULL;
    entry->state = ACTIVE;
    bool over = line && (!strcmp(line, "success") || !strcmp(line, "failed"));
    if (over)
        fs_renew(entry->dir->path);
    if (end->signal || end->status) {
        bad_status(entry, "failed");
    } else if (over && (!entry->adopted || !entry->launch || generic_has_ended(entry))) {
        /* many a command takes all that is gone for a success */
        bool marked = fs_exists(entry->failed);
        generic_report(entry, EXEC_ENDED, marked ? status_in(entry->failed) : *line == 'f', NULL);
    } else if (line && !strcmp(line, "running")) {
        entry->bad_status = 0;
    } else {
        snprintf(why, sizeof why, "says '%.80s'", line ? line : "");
        bad_status(entry, why);
    }
    free(line);
    pump(generic);
}

/* ---- looking after ---- */

static void check_status(struct generic_entry *entry)
{
    struct buf command = {0};
    buf_printf(&command, "%s ", entry->generic->site.status);
    buf_shell_word(&command, entry->external ? entry->external : "");
    entry->process = start_command(entry->generic, buf_text(&command), 0, on_status_end, entry);
    entry->state = entry->process ? CHECKING : ACTIVE;
    buf_free(&command);
}

static void start_submit(struct generic_entry *entry)
{
    struct generic *generic = entry->generic;
    entry->state = SUBMITTING;
    entry->start_ns = clock_wall_ns();
    if (!entry->message && generic->sidecar && sidecar_failure(generic->sidecar))
        entry->message = memory_text(sidecar_failure(generic->sidecar));
    int said = entry->message ? -1 : generic_open_submitted(entry);
    if (said >= 0)
        entry->process = start_command(generic, entry->command, said, on_submit_end, entry);
    bool passes = !entry->process && !entry->message && process_error_passes(errno);
    if (said >= 0)
        close(said);
    if (passes)
        entry->state = QUEUED; /* its turn comes with the next look */
    else if (!entry->process)
        generic_report(entry, EXEC_ENDED, 127,
                       entry->message ? entry->message : "the submit command could not be started");
}

/* Whether what commands are to be told is not known yet. */
static bool waits_for_sidecar(const struct generic *generic)
{
    return generic->sidecar && !sidecar_environment(generic->sidecar) &&
           !sidecar_failure(generic->sidecar);
}

/* Starts as many commands as may run. */
static void pump(struct generic *generic)
{
    if (waits_for_sidecar(generic))
        return;
    for (struct generic_entry *entry; generic->running < AT_ONCE && (entry = next_turn(generic));) {
        if (entry->state == QUEUED)
            start_submit(entry);
        else if (entry->state == ACTIVE)
            check_status(entry);
    }
}

/* One that was adopted and cannot be followed: it is submitted anew when the caller has settled
 * it, and ends like one that is superseded. */
static void lose(struct generic_entry *entry)
{
    struct generic *generic = entry->generic;
    struct exec_event event = {.kind = EXEC_LOST,
                               .launch = entry->launch,
                               .status = 1,
                               .end_ns = clock_wall_ns(),
                               .message = "the submit command of an earlier run, which was killed, "
                                          "has told nothing by which it can be followed",
                               .blameless = true};
    generic_unlist(entry);
    entry->state = PAST;
    generic->options.on_event(generic->options.user, &event);
}

static void settle_awaited(struct generic_entry *entry)
{
    take_id(entry);
    if (!entry->launch) {
        generic_unlist(entry);
        generic_supersede(entry);
    } else if (generic_cancel_late(entry)) {
        return;
    } else if (generic_is_usable(entry)) {
        entry->cancelled = false;
        generic_report_submitted(entry);
    } else {
        lose(entry);
    }
}

/* Submit commands of an earlier run may have ended. What follows from one may free others. */
static void look_at_awaited(struct generic *generic)
{
    for (struct generic_entry *entry = TAILQ_FIRST(&generic->all), *next; entry; entry = next) {
        next = TAILQ_NEXT(entry, link);
        if (entry->state != AWAITED || generic_is_under_way(entry))
            continue;
        settle_awaited(entry);
        next = TAILQ_FIRST(&generic->all);
    }
}

static void look_at(struct generic_entry *entry)
{
    struct generic *generic = entry->generic;
    if (entry->state == QUEUED && !past_blocks(&generic->past, &entry->who))
        wait_in(&generic->to_submit, entry);
    if (entry->state != ACTIVE)
        return;
    bool marks = !generic->site.status || entry->adopted;
    if (!(marks && has_marker(entry)) && generic->site.status)
        wait_in(&generic->to_check, entry);
}

static void on_poll(void *user)
{
    struct generic *generic = user;
    for (uint32_t i = 0; i < generic->dirs.len; i++)
        fs_renew(generic->dirs.at[i]->path);
    look_at_awaited(generic);
    for (struct generic_entry *entry = TAILQ_FIRST(&generic->all), *next; entry; entry = next) {
        next = TAILQ_NEXT(entry, link);
        look_at(entry);
    }
    pump(generic);
}

static void on_sidecar(void *user)
{
    pump(user);
}

static void on_pump(void *user)
{
    struct generic *generic = user;
    timer_end(&generic->pump_timer);
    pump(generic);
}

void generic_arm(struct generic *generic)
{
    double ms = generic->site.poll_s * 1000;
    uint64_t every = ms > MIN_POLL_MS ? (uint64_t)ms : MIN_POLL_MS;
    if (!generic->poll_timer)
        generic->poll_timer = timer_open(generic->loop, every, every, on_poll, generic);
    if (!generic->pump_timer)
        generic->pump_timer = timer_open(generic->loop, 0, 0, on_pump, generic);
}

/* ---- submitting ---- */

struct generic_entry *generic_entry_of(const struct generic *generic, uint32_t launch)
{
    return launch <= generic->by_launch.len ? generic->by_launch.at[launch - 1] : NULL;
}

static bool write_script(struct generic_entry *entry, const struct launch *launch, const char *body)
{
    struct buf text = {0};
    struct script_paths paths = {entry->claim, entry->finished, entry->failed, body};
    bool good = generic_script(launch, entry->generic->site.jobscript, &paths, &text) &&
                fs_write(entry->script, text.at, text.len) && !chmod(entry->script, 0755);
    buf_free(&text);
    return good;
}

static void prepare_script(struct generic_entry *entry, const struct launch *launch)
{
    struct generic *generic = entry->generic;
    struct buf command = {0}, body = {0};
    uint32_t serial = ++generic->serial;
    buf_printf(&command, "%s/%u/%s", strrchr(generic->dir->path, '/') + 1, (unsigned)serial,
               launch->script_name);
    free(entry->who.folder);
    entry->who.folder = buf_take(&command);
    entry->dir = generic->dir;
    generic_set_paths(entry);
    snprintf(entry->token, sizeof entry->token, "%s%s.%u", generic_tokens, generic->run,
             (unsigned)serial);
    buf_printf(&body, "%s/%u.body", generic->dir->path, (unsigned)serial);
    if (!write_script(entry, launch, buf_text(&body))) {
        buf_printf(&command, "the job script '%s' could not be written: %s", entry->script,
                   strerror(errno));
        entry->message = buf_take(&command);
    }
    buf_printf(&command, "%s ", launch->submit);
    buf_shell_word(&command, entry->script);
    entry->command = buf_take(&command);
    buf_free(&body);
}

static void refuse(struct generic_entry *entry)
{
    if (!entry->message)
        entry->message = memory_text("the submission cannot be written to the store in .snakemake");
}

static void submit_one(struct generic *generic, const struct launch *launch)
{
    struct generic_entry *entry = memory_zeroed(1, sizeof *entry);
    *entry = (struct generic_entry){.generic = generic, .launch = launch->id};
    past_describe(&entry->who, launch);
    ensure(launch->submit && launch->script_name);
    if (make_dir(generic)) {
        prepare_script(entry, launch);
    } else {
        entry->message = memory_text("no directory for job scripts could be made in .snakemake");
    }
    if (!entry->message && !past_add_job(&generic->past, entry->token, &entry->who))
        refuse(entry);
    generic_list(entry);
    if (!past_blocks(&generic->past, &entry->who))
        wait_in(&generic->to_submit, entry);
}

static void submit_generic(struct executor *executor, const struct launch *launches, uint32_t n)
{
    struct generic *generic = (struct generic *)executor;
    if (generic->site.sidecar && !generic->sidecar)
        generic->sidecar = sidecar_open(generic->loop, generic->site.sidecar, on_sidecar, generic);
    for (uint32_t i = 0; i < n; i++)
        submit_one(generic, &launches[i]);
    bool kept = past_flush(&generic->past);
    for (uint32_t i = 0; !kept && i < n; i++)
        refuse(generic_entry_of(generic, launches[i].id));
    generic_arm(generic);
}

static void settled(struct executor *executor, uint32_t launch, bool good)
{
    struct generic *generic = (struct generic *)executor;
    struct generic_entry *entry = generic_entry_of(generic, launch);
    (void)good;
    if (!entry)
        return;
    generic->by_launch.at[launch - 1] = NULL;
    if (entry->state == ENDED)
        generic_settle(entry);
    else
        generic_give_back(entry);
}

static void close_generic(struct executor *executor)
{
    struct generic *generic = (struct generic *)executor;
    timer_close(generic->poll_timer);
    timer_close(generic->pump_timer);
    timer_close(generic->impatient);
    sidecar_close(generic->sidecar);
    for (struct generic_entry *entry; (entry = TAILQ_FIRST(&generic->all));) {
        TAILQ_REMOVE(&generic->all, entry, link);
        generic_free(entry);
    }
    for (uint32_t i = 0; i < generic->by_launch.len; i++)
        if (generic->by_launch.at[i])
            generic_free(generic->by_launch.at[i]);
    generic_close_past(generic);
    vec_free(&generic->by_launch);
    free(generic);
}

const struct executor_kind exec_generic = {.name = "cluster-generic",
                                           .open = open_generic,
                                           .submit = submit_generic,
                                           .cancel = generic_cancel,
                                           .close = close_generic,
                                           .settled = settled,
                                           .adopt = generic_adopt,
                                           .orphans = generic_orphans};
