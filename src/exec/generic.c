// SPDX-License-Identifier: MIT
/* generic.c: a site's own commands. A job becomes a script; the submit command gets its path and
 * prints an id; then the status command is asked, or, where there is none, the script itself leaves
 * a file when it ends.
 *
 *   QUEUED     waits for its turn: a few submit and status commands run at a time, in order
 *   SUBMITTING the submit command runs (many simple ones run the job themselves)
 *   ACTIVE     submitted; looked after every poll_s
 *   CHECKING   the status command runs
 *   DOOMED     is to be cancelled; the cancel command is called once at a time
 *   CANCELLING the cancel command has its id */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
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
#include "base/pool.h"
#include "exec/exec.h"
#include "exec/generic_python.h"
#include "exec/generic_script.h"
#include "exec/kinds.h"
#include "exec/shell.h"
#include "exec/sidecar.h"
#include "loop/process.h"

enum {
    AT_ONCE = 4, /* submit commands, and status commands */
    MIN_POLL_MS = 50,
    MAX_BAD_STATUS = 3, /* useless answers of the status command in a row */
    CANCEL_MS = 10000,
};

enum state { QUEUED, SUBMITTING, ACTIVE, CHECKING, DOOMED, CANCELLING };

struct entry {
    struct generic *generic;
    enum state state;
    uint32_t launch;
    char *command;           /* owned: submit command with the script's path */
    char *script;            /* owned: path */
    char *finished, *failed; /* owned: paths */
    char *external;          /* owned: the id, or NULL */
    char *message;           /* owned: why it cannot be submitted, or NULL */
    struct process *process; /* SUBMITTING, CHECKING */
    int64_t start_ns;
    int bad_status;
    bool cancelled;
    TAILQ_ENTRY(entry) link; /* in all */
    TAILQ_ENTRY(entry) turn; /* in to_submit or to_check */
    struct turns *waits_in;  /* one of these, or NULL */
};
TAILQ_HEAD(turns, entry); /* those that wait for a command, in order */

struct generic {
    struct executor base;
    struct loop *loop;
    struct exec_options options;
    struct site site;
    char *dir;               /* of scripts and markers; absolute, owned; NULL: none yet */
    TAILQ_HEAD(, entry) all; /* in the order of submission; owned */
    struct turns to_submit, to_check;
    bool check_next;               /* they take turns */
    VEC(struct entry *) by_launch; /* by launch - 1; NULL: none */
    uint32_t running;              /* submit and status commands */
    uint32_t cancels;              /* cancel commands that run */
    struct sidecar *sidecar;       /* owned; NULL: none */
    struct timer *poll_timer, *pump_timer;
    uint32_t serial; /* of scripts: attempts have their own markers */
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
    return &generic->base;
}

/* ---- turns ---- */

static void wait_in(struct turns *turns, struct entry *entry)
{
    if (entry->waits_in)
        return;
    TAILQ_INSERT_TAIL(turns, entry, turn);
    entry->waits_in = turns;
}

static void leave_turns(struct entry *entry)
{
    if (entry->waits_in)
        TAILQ_REMOVE(entry->waits_in, entry, turn);
    entry->waits_in = NULL;
}

/* The next that a command is started for; NULL: none waits. */
static struct entry *next_turn(struct generic *generic)
{
    struct entry *submit = TAILQ_FIRST(&generic->to_submit),
                 *check = TAILQ_FIRST(&generic->to_check);
    struct entry *next = check && (generic->check_next || !submit) ? check : submit;
    generic->check_next = next == submit;
    if (next)
        leave_turns(next);
    return next;
}

static void free_entry(struct entry *entry)
{
    free(entry->command);
    free(entry->script);
    free(entry->finished);
    free(entry->failed);
    free(entry->external);
    free(entry->message);
    free(entry);
}

/* ---- ends ---- */

static void remove_files(const struct entry *entry)
{
    if (entry->generic->site.detached)
        return;
    unlink(entry->finished);
    unlink(entry->failed);
    unlink(entry->script);
}

static void take_out(struct generic *generic, struct entry *entry)
{
    leave_turns(entry);
    TAILQ_REMOVE(&generic->all, entry, link);
    generic->by_launch.at[entry->launch - 1] = NULL;
    if (TAILQ_EMPTY(&generic->all)) {
        timer_close(generic->poll_timer);
        generic->poll_timer = NULL;
    }
}

static void report(struct entry *entry, enum exec_event_kind kind, int status, const char *message)
{
    struct generic *generic = entry->generic;
    struct exec_event event = {.kind = kind,
                               .launch = entry->launch,
                               .status = entry->cancelled ? -1 : status,
                               .signal = entry->cancelled ? SIGTERM : 0,
                               .start_ns = entry->start_ns,
                               .end_ns = clock_wall_ns(),
                               .external_id = entry->external,
                               .message = message};
    remove_files(entry);
    take_out(generic, entry);
    generic->options.on_event(generic->options.user, &event);
    free_entry(entry);
}

static void report_submitted(struct entry *entry)
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

/* Whether the script has left one of its files; the entry is gone then. */
static bool has_marker(struct entry *entry)
{
    bool finished = fs_exists(entry->finished);
    if (!finished && !fs_exists(entry->failed))
        return false;
    report(entry, EXEC_ENDED, finished ? 0 : status_in(entry->failed), NULL);
    return true;
}

/* ---- commands ---- */

static void pump(struct generic *generic);
static void start_cancels(struct generic *generic, bool force);

/* What the site's commands are told besides the engine's own environment. */
static const char *const *environment(struct generic *generic, struct arena *in)
{
    const char *said = generic->sidecar ? sidecar_environment(generic->sidecar) : NULL;
    const char *additions[] = {generic_python_path(in, path_join(in, generic->dir, "python")), said,
                               NULL};
    return shell_merge_environment(in, additions);
}

/* Starts "sh -c command". */
static struct process *start_command(struct generic *generic, const char *command,
                                     void (*on_end)(void *user, const struct process_end *end),
                                     void *user)
{
    const char *argv[] = {"sh", "-c", command, NULL};
    struct arena scratch = {0};
    struct process_options options = {.argv = argv,
                                      .env = environment(generic, &scratch),
                                      .capture_out = true,
                                      .new_group = true,
                                      .on_end = on_end,
                                      .user = user};
    struct process *process = process_start(generic->loop, &options);
    arena_free(&scratch);
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

static void refused(struct entry *entry, const struct process_end *end)
{
    char text[128];
    snprintf(text, sizeof text, "the submit command failed (%s %d)",
             end->signal ? "signal" : "exit status", end->signal ? end->signal : end->status);
    report(entry, EXEC_ENDED, end->signal ? 1 : end->status, text);
}

static bool can_cancel(const struct entry *entry)
{
    return entry->external && entry->generic->site.cancel;
}

static void on_submit_end(void *user, const struct process_end *end)
{
    struct entry *entry = user;
    struct generic *generic = entry->generic;
    generic->running--;
    entry->process = NULL;
    entry->external = first_line(end->out);
    entry->state = ACTIVE;
    if (end->signal || end->status) {
        /* One that runs the job itself ends with the job's status. */
        if (!has_marker(entry))
            refused(entry, end);
    } else if (entry->cancelled && can_cancel(entry)) {
        entry->state = DOOMED;
        start_cancels(generic, false);
    } else {
        entry->cancelled = false; /* too late for it */
        report_submitted(entry);
        if (generic->site.detached)
            report(entry, EXEC_ENDED, 0, NULL);
        else if (!generic->site.status)
            has_marker(entry);
    }
    pump(generic);
}

static void bad_status(struct entry *entry, const char *why)
{
    char text[256];
    if (++entry->bad_status < MAX_BAD_STATUS)
        return;
    snprintf(text, sizeof text,
             "the status command %s; one line with running, success or failed "
             "is expected",
             why);
    report(entry, EXEC_LOST, 1, text);
}

static void on_status_end(void *user, const struct process_end *end)
{
    struct entry *entry = user;
    struct generic *generic = entry->generic;
    char *line = first_line(end->out), why[128];
    generic->running--;
    entry->process = NULL;
    entry->state = ACTIVE;
    if (end->signal || end->status) {
        bad_status(entry, "failed");
    } else if (line && (!strcmp(line, "success") || !strcmp(line, "failed"))) {
        /* many a command takes all that is gone for a success */
        bool marked = fs_exists(entry->failed);
        report(entry, EXEC_ENDED, marked ? status_in(entry->failed) : *line == 'f', NULL);
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

static void check_status(struct entry *entry)
{
    struct buf command = {0};
    buf_printf(&command, "%s ", entry->generic->site.status);
    buf_shell_quote(&command, entry->external ? entry->external : "",
                    entry->external ? strlen(entry->external) : 0);
    entry->process = start_command(entry->generic, buf_text(&command), on_status_end, entry);
    entry->state = entry->process ? CHECKING : ACTIVE;
    buf_free(&command);
}

static void start_submit(struct entry *entry)
{
    struct generic *generic = entry->generic;
    entry->state = SUBMITTING;
    entry->start_ns = clock_wall_ns();
    if (!entry->message && generic->sidecar && sidecar_failure(generic->sidecar))
        entry->message = memory_text(sidecar_failure(generic->sidecar));
    if (!entry->message)
        entry->process = start_command(generic, entry->command, on_submit_end, entry);
    if (!entry->process)
        report(entry, EXEC_ENDED, 127,
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
    for (struct entry *entry; generic->running < AT_ONCE && (entry = next_turn(generic));) {
        if (entry->state == QUEUED)
            start_submit(entry);
        else if (entry->state == ACTIVE)
            check_status(entry);
    }
}

static void on_poll(void *user)
{
    struct generic *generic = user;
    for (struct entry *entry = TAILQ_FIRST(&generic->all), *next; entry; entry = next) {
        next = TAILQ_NEXT(entry, link);
        if (entry->state == ACTIVE && generic->site.status)
            wait_in(&generic->to_check, entry);
        else if (entry->state == ACTIVE)
            has_marker(entry);
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
    timer_close(generic->pump_timer);
    generic->pump_timer = NULL;
    pump(generic);
}

static void arm(struct generic *generic)
{
    double ms = generic->site.poll_s * 1000;
    uint64_t every = ms > MIN_POLL_MS ? (uint64_t)ms : MIN_POLL_MS;
    if (!generic->poll_timer)
        generic->poll_timer = timer_open(generic->loop, every, every, on_poll, generic);
    if (!generic->pump_timer)
        generic->pump_timer = timer_open(generic->loop, 0, 0, on_pump, generic);
}

/* ---- submitting ---- */

static bool make_dir(struct generic *generic)
{
    char name[] = ".snakemake/tmp.XXXXXX";
    if (generic->dir)
        return true;
    if (fs_mkdirs(".snakemake") && mkdtemp(name))
        generic->dir = realpath(name, NULL);
    struct arena scratch = {0};
    bool good = generic->dir &&
                generic_python_write(&scratch, path_join(&scratch, generic->dir, "python"));
    arena_free(&scratch);
    return good;
}

static char *path_in(const struct generic *generic, uint32_t serial, const char *suffix)
{
    struct buf path = {0};
    buf_printf(&path, "%s/%u.%s", generic->dir, (unsigned)serial, suffix);
    return buf_take(&path);
}

static bool write_script(struct entry *entry, const struct launch *launch, const char *body)
{
    struct buf text = {0};
    struct script_paths paths = {entry->finished, entry->failed, body};
    bool good = generic_script(launch, entry->generic->site.jobscript, &paths, &text) &&
                fs_write(entry->script, text.at, text.len) && !chmod(entry->script, 0755);
    buf_free(&text);
    return good;
}

static void prepare_script(struct entry *entry, const struct launch *launch)
{
    struct generic *generic = entry->generic;
    struct buf command = {0};
    uint32_t serial = ++generic->serial;
    char *body = path_in(generic, serial, "body");
    entry->finished = path_in(generic, serial, "jobfinished");
    entry->failed = path_in(generic, serial, "jobfailed");
    buf_printf(&command, "%s/%s", generic->dir, launch->script_name);
    entry->script = buf_take(&command);
    if (!write_script(entry, launch, body)) {
        buf_printf(&command, "the job script '%s' could not be written: %s", entry->script,
                   strerror(errno));
        entry->message = buf_take(&command);
    }
    buf_printf(&command, "%s ", launch->submit);
    buf_shell_quote(&command, entry->script, strlen(entry->script));
    entry->command = buf_take(&command);
    free(body);
}

static void submit_one(struct generic *generic, const struct launch *launch)
{
    struct entry *entry = memory_zeroed(1, sizeof *entry);
    *entry = (struct entry){.generic = generic, .launch = launch->id};
    ensure(launch->submit && launch->script_name);
    if (make_dir(generic)) {
        prepare_script(entry, launch);
    } else {
        entry->message = memory_text("no directory for job scripts could be made in .snakemake");
        entry->script = memory_text("");
        entry->finished = memory_text("");
        entry->failed = memory_text("");
    }
    TAILQ_INSERT_TAIL(&generic->all, entry, link);
    wait_in(&generic->to_submit, entry);
    while (generic->by_launch.len < launch->id)
        vec_push(&generic->by_launch, NULL);
    generic->by_launch.at[launch->id - 1] = entry;
}

static void submit_generic(struct executor *executor, const struct launch *launches, uint32_t n)
{
    struct generic *generic = (struct generic *)executor;
    if (generic->site.sidecar && !generic->sidecar)
        generic->sidecar = sidecar_open(generic->loop, generic->site.sidecar, on_sidecar, generic);
    for (uint32_t i = 0; i < n; i++)
        submit_one(generic, &launches[i]);
    arm(generic);
}

/* ---- cancelling ---- */

/* Those that the cancel command was called for have been given up, whatever it said. */
static void report_cancelled(struct generic *generic)
{
    for (struct entry *entry = TAILQ_FIRST(&generic->all), *next; entry; entry = next) {
        next = TAILQ_NEXT(entry, link);
        if (entry->state == CANCELLING)
            report(entry, EXEC_ENDED, -1, NULL);
    }
}

static void note_refusal(struct generic *generic, const char *how, int number)
{
    struct buf text = {0}, ids = {0};
    struct entry *entry;
    TAILQ_FOREACH(entry, &generic->all, link)
    {
        if (entry->state == CANCELLING)
            buf_printf(&ids, " %s", entry->external);
    }
    buf_printf(&text, "the cancel command failed (%s %d); these jobs may still run:%s", how, number,
               buf_text(&ids));
    struct exec_event event = {.kind = EXEC_NOTE, .message = buf_text(&text)};
    if (ids.len)
        generic->options.on_event(generic->options.user, &event);
    buf_free(&text);
    buf_free(&ids);
}

static void on_cancel_end(void *user, const struct process_end *end)
{
    struct generic *generic = user;
    generic->cancels--;
    if (end->signal || end->status)
        note_refusal(generic, end->signal ? "signal" : "exit status",
                     end->signal ? end->signal : end->status);
    report_cancelled(generic);
    start_cancels(generic, false);
}

/* Calls the command for the next of them; false: there are none. */
static bool cancel_some(struct generic *generic)
{
    struct buf command = {0};
    uint32_t count = 0;
    buf_str(&command, generic->site.cancel);
    uint32_t most = generic->site.cancel_ids ? generic->site.cancel_ids : UINT32_MAX;
    for (struct entry *entry = TAILQ_FIRST(&generic->all); entry && count < most;
         entry = TAILQ_NEXT(entry, link)) {
        if (entry->state != DOOMED)
            continue;
        entry->state = CANCELLING;
        buf_char(&command, ' ');
        buf_shell_quote(&command, entry->external, strlen(entry->external));
        count++;
    }
    struct arena scratch = {0};
    const char *argv[] = {"sh", "-c", buf_text(&command), NULL};
    struct process_options options = {.argv = argv,
                                      .env = environment(generic, &scratch),
                                      .timeout_ms = CANCEL_MS,
                                      .new_group = true,
                                      .on_end = on_cancel_end,
                                      .user = generic};
    if (count && process_start(generic->loop, &options)) {
        generic->cancels++;
    } else if (count) {
        note_refusal(generic, "error", errno);
        report_cancelled(generic);
    }
    arena_free(&scratch);
    buf_free(&command);
    return count > 0;
}

/* One call at a time, whose jobs end when it does; force: all that are left, without waiting. */
static void start_cancels(struct generic *generic, bool force)
{
    while (generic->site.cancel && (force || !generic->cancels) && cancel_some(generic))
        ;
    if (force)
        report_cancelled(generic);
}

static struct entry *entry_of(const struct generic *generic, uint32_t launch)
{
    return launch <= generic->by_launch.len ? generic->by_launch.at[launch - 1] : NULL;
}

/* A submit command whose job can be cancelled is waited for: it may have submitted, and its id is
 * needed. One that runs the job itself hears the signal. Jobs that the site cannot cancel are
 * waited for until force. */
static void give_up(struct entry *entry, bool force)
{
    struct generic *generic = entry->generic;
    bool active = entry->state == ACTIVE || entry->state == CHECKING;
    if (active && !force && !can_cancel(entry))
        return;
    entry->cancelled = true;
    if (entry->state == SUBMITTING) {
        if (force || !generic->site.cancel)
            process_kill(entry->process, force ? SIGKILL : SIGTERM);
        return;
    }
    if (entry->process) {
        process_forget(entry->process);
        entry->process = NULL;
        generic->running--;
    }
    if (active && can_cancel(entry))
        entry->state = DOOMED;
    else if (active || entry->state == QUEUED)
        report(entry, EXEC_ENDED, -1, NULL);
}

static void cancel_generic(struct executor *executor, const uint32_t *launches, uint32_t n,
                           bool force)
{
    struct generic *generic = (struct generic *)executor;
    for (uint32_t i = 0; i < n; i++) {
        struct entry *entry = entry_of(generic, launches[i]);
        if (entry)
            give_up(entry, force);
    }
    start_cancels(generic, force);
}

static void close_generic(struct executor *executor)
{
    struct generic *generic = (struct generic *)executor;
    timer_close(generic->poll_timer);
    timer_close(generic->pump_timer);
    sidecar_close(generic->sidecar);
    for (struct entry *entry; (entry = TAILQ_FIRST(&generic->all));) {
        TAILQ_REMOVE(&generic->all, entry, link);
        if (entry->process)
            process_forget(entry->process);
        free_entry(entry);
    }
    if (generic->dir && !generic->site.detached)
        fs_remove_tree(generic->dir);
    vec_free(&generic->by_launch);
    free(generic->dir);
    free(generic);
}

const struct executor_kind exec_generic = {.name = "cluster-generic",
                                           .open = open_generic,
                                           .submit = submit_generic,
                                           .cancel = cancel_generic,
                                           .close = close_generic};
