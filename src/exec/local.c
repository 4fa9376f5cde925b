// SPDX-License-Identifier: MIT
/* local.c: launches as children of this process. Each has a process group of its own, so that a
 * terminal's Ctrl-C reaches the engine alone, which then decides, and so that cancelling reaches
 * what a job itself has started.
 *
 * Nothing is reported while submit runs but EXEC_STARTED and notes: what could not be started is
 * reported a round later. Where the machine has no room for another process, a launch waits until
 * others have ended; it fails only where none is left to be waited for. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ensure.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/pool.h"
#include "exec/exec.h"
#include "exec/kinds.h"
#include "exec/shell.h"
#include "loop/process.h"

enum { ROOM_MS = 1000 }; /* how often room is looked for; it may be others who make it */
static const int64_t TELL_NS = INT64_C(600000000000); /* between two words about that */
static const int64_t PATIENCE_NS = INT64_C(3000000000);

/* A launch on its way; its id in the pool is the value of the launch in by_launch. */
struct child {
    struct local *local;
    struct process *process; /* NULL: not started */
    uint32_t launch;
    int64_t start_ns, began_ns; /* wall clock, and monotonic */
    char *script;       /* owned: path of the command's file; NULL: it was given as an argument */
    char *message;      /* owned: why it could not be started */
    bool running, over; /* over: it never ran, which is to be reported */
    int signal;         /* what it was cancelled by */
    /* while it waits for room: */
    struct arena texts; /* of plan */
    struct process_options plan;
    int64_t since_ns;     /* monotonic */
    bool together;        /* those that run may wait for it, and never end */
    bool look;            /* its use of memory is looked at while it runs */
    int looks;            /* so often so far */
    int64_t next_look_ns; /* monotonic */
    struct usage usage;
};

/* When benchmarks look: soon, so that short jobs are seen too, then twice a second, then seldom. */
static int64_t look_delay_ms(int looks)
{
    static const int first[] = {10, 50, 200};
    return looks < 3 ? first[looks] : looks < 33 ? 500 : 30000;
}

struct local {
    struct executor base;
    struct loop *loop;
    struct exec_options options;
    POOL(struct child *) children; /* by map value; owned; NULL: free */
    VEC(uint32_t) unused;          /* free ids */
    struct map by_launch;
    VEC(struct child *) waiting; /* for room, in order */
    uint32_t nrunning;
    int64_t idle_ns;        /* monotonic: when the last one ended */
    int64_t told_ns;        /* monotonic: when it was last told that there is no room; 0: never */
    struct timer *room;     /* armed while some wait for room */
    struct timer *failures; /* armed while some could not be started */
    struct timer *looking;  /* armed while some are looked at */
    uint32_t nlooked;       /* running and looked at */
    struct arena scratch;   /* of one launch */
};

static struct executor *open_local(struct loop *loop, const struct exec_options *options)
{
    struct local *local = memory_zeroed(1, sizeof *local);
    *local = (struct local){.base = {&exec_local}, .loop = loop, .options = *options};
    return &local->base;
}

static struct child *add_child(struct local *local, uint32_t launch)
{
    struct child *child = memory_zeroed(1, sizeof *child);
    uint32_t id = local->unused.len ? local->unused.at[--local->unused.len]
                                    : pool_add(&local->children);
    *child = (struct child){.local = local, .launch = launch, .start_ns = clock_wall_ns()};
    local->children.at[id] = child;
    map_set(&local->by_launch, launch, id);
    return child;
}

static void remove_child(struct child *child)
{
    struct local *local = child->local;
    uint32_t *id = map_at(&local->by_launch, child->launch);
    local->children.at[*id] = NULL;
    vec_push(&local->unused, *id);
    local->nlooked -= child->look && child->running;
    local->nrunning -= child->running;
    *id = 0; /* a launch may be submitted again under its number */
    if (child->script)
        shell_script_remove(child->script);
    arena_free(&child->texts);
    free(child->script);
    free(child->message);
    free(child);
}

static void report_failure(struct child *child)
{
    struct exec_options options = child->local->options;
    char *message = child->message;
    struct exec_event event = {.kind = EXEC_ENDED,
                               .launch = child->launch,
                               .status = child->signal ? -1 : 127,
                               .signal = child->signal,
                               .start_ns = child->start_ns,
                               .end_ns = clock_wall_ns(),
                               .host = fs_hostname(),
                               .message = message};
    child->message = NULL;
    remove_child(child);
    options.on_event(options.user, &event);
    free(message);
}

static void on_failures(void *user)
{
    struct local *local = user;
    timer_end(&local->failures);
    for (uint32_t i = 1; i < local->children.len; i++) {
        if (local->children.at[i] && local->children.at[i]->over)
            report_failure(local->children.at[i]);
    }
}

static void end_later(struct child *child)
{
    struct local *local = child->local;
    child->over = true;
    if (!local->failures)
        local->failures = timer_open(local->loop, 0, 0, on_failures, local);
}

static void fail_later(struct child *child, const char *what, int error)
{
    const char *text = arena_printf(&child->local->scratch, "%s: %s", what, strerror(error));
    child->message = memory_text(text);
    end_later(child);
}

/* The program and its arguments; false when the command's file could not be written. */
static bool command_of(struct child *child, const struct launch *launch, const char **argv)
{
    argv[0] = launch->program ? launch->program : shell_program();
    if (strlen(launch->shell) <= SHELL_ARGUMENT_MAX) {
        argv[1] = "-c";
        argv[2] = launch->shell;
        return true;
    }
    const char *path = shell_script(&child->local->scratch, launch->cwd ? launch->cwd : "",
                                    launch->shell);
    if (!path) {
        fail_later(child, "a script file for the command could not be written", errno);
        return false;
    }
    /* The path is told relative to this process; the child may be elsewhere. */
    child->script = realpath(path, NULL);
    if (!child->script)
        fail_later(child, "the script file of the command is not there", errno);
    argv[1] = child->script;
    return child->script;
}

static void on_look(void *user);

/* The timer for the next look at any child. */
static void arm_looking(struct local *local)
{
    int64_t now = clock_ns(), next = INT64_MAX;
    for (uint32_t i = 1; local->nlooked && i < local->children.len; i++) {
        const struct child *child = local->children.at[i];
        if (child && child->look && child->running && child->next_look_ns < next)
            next = child->next_look_ns;
    }
    timer_end(&local->looking);
    if (next != INT64_MAX)
        local->looking = timer_open(
            local->loop, next > now ? (uint64_t)(next - now) / 1000000 + 1 : 1, 0, on_look, local);
}

static void on_look(void *user)
{
    struct local *local = user;
    int64_t now = clock_ns();
    for (uint32_t i = 1; i < local->children.len; i++) {
        struct child *child = local->children.at[i];
        if (!child || !child->look || !child->running || now < child->next_look_ns)
            continue;
        usage_look(&child->usage, process_pid(child->process));
        child->next_look_ns = now + look_delay_ms(++child->looks) * 1000000;
    }
    arm_looking(local);
}

static void begin_looking(struct child *child)
{
    child->local->nlooked++;
    child->next_look_ns = clock_ns() + look_delay_ms(0) * 1000000;
    arm_looking(child->local);
}

/* ---- starting ---- */

/* False with errno. */
static bool start(struct child *child, const struct process_options *options)
{
    struct local *local = child->local;
    child->start_ns = clock_wall_ns();
    child->began_ns = clock_ns();
    child->process = process_start(local->loop, options);
    child->running = child->process != NULL;
    if (!child->running)
        return false;
    local->nrunning++;
    if (child->look)
        begin_looking(child);
    struct exec_event event = {.kind = EXEC_STARTED,
                               .launch = child->launch,
                               .start_ns = child->start_ns,
                               .host = fs_hostname()};
    local->options.on_event(local->options.user, &event);
    return true;
}

static void fail_to_start(struct child *child, const char *program, int error)
{
    fail_later(child, arena_printf(&child->local->scratch, "'%s' could not be started", program),
               error);
}

static const char *const *kept_list(struct arena *in, const char *const *list)
{
    size_t n = 0;
    while (list && list[n])
        n++;
    const char **copy = arena_array(in, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = arena_str(in, list[i]);
    return list ? copy : NULL;
}

static void on_room(void *user);

static void wait_for_room(struct child *child, const struct process_options *options, int error)
{
    struct local *local = child->local;
    child->plan = *options;
    child->plan.argv = kept_list(&child->texts, options->argv);
    child->plan.env = kept_list(&child->texts, options->env);
    child->plan.cwd = options->cwd ? arena_str(&child->texts, options->cwd) : NULL;
    child->since_ns = clock_ns();
    vec_push(&local->waiting, child);
    if (!local->room)
        local->room = timer_open(local->loop, ROOM_MS, ROOM_MS, on_room, local);
    if (local->told_ns && child->since_ns - local->told_ns < TELL_NS)
        return;
    local->told_ns = child->since_ns;
    exec_note(&local->options,
              "This machine has no room for another process now (%s): jobs wait until others end.",
              strerror(error));
}

/* Whether nobody is left whose end could make room for one that waits. */
static bool waits_in_vain(const struct child *child)
{
    const struct local *local = child->local;
    int64_t since = child->together || child->since_ns > local->idle_ns ? child->since_ns
                                                                        : local->idle_ns;
    return (child->together || !local->nrunning) && clock_ns() - since >= PATIENCE_NS;
}

static void give_up(struct child *child, int error)
{
    const char *limit = error == ENOMEM   ? "its memory is used up"
                        : error == EAGAIN ? "see its limit of processes, ulimit -u"
                                          : "see its limit of open files, ulimit -n";
    const char *text = arena_printf(
        &child->local->scratch,
        "'%s' could not be started: %s\n"
        "This machine has no room for another process (%s), and no job has ended that would have "
        "made some.",
        child->plan.argv[0], strerror(error), limit);
    child->message = memory_text(text);
    end_later(child);
}

/* Starts those that wait, as far as there is room, in order. */
static void use_room(struct local *local)
{
    uint32_t kept = 0;
    int error = 0; /* that nobody can be started by now */
    for (uint32_t i = 0; i < local->waiting.len; i++) {
        struct child *child = local->waiting.at[i];
        if (!error && start(child, &child->plan)) {
            arena_reset(&child->texts);
        } else if (!error && !process_error_passes(errno)) {
            fail_to_start(child, child->plan.argv[0], errno);
        } else {
            error = error ? error : errno;
            if (waits_in_vain(child))
                give_up(child, error);
            else
                local->waiting.at[kept++] = child;
        }
    }
    local->waiting.len = kept;
    arena_reset(&local->scratch);
    if (!kept)
        timer_end(&local->room);
}

static void on_room(void *user)
{
    use_room(user);
}

static void on_end(void *user, const struct process_end *end)
{
    struct child *child = user;
    struct local *local = child->local;
    struct exec_options options = local->options;
    /* One that catches the signal may end with 0 all the same, halfway. */
    bool caught = child->signal && !end->status && !end->signal;
    struct exec_event event = {.kind = EXEC_ENDED,
                               .launch = child->launch,
                               .status = end->status,
                               .signal = caught ? child->signal : end->signal,
                               .start_ns = child->start_ns,
                               .end_ns = clock_wall_ns(),
                               .took_ns = clock_ns() - child->began_ns,
                               .user_s = end->user_s,
                               .system_s = end->system_s,
                               .max_rss_kb = end->max_rss_kb,
                               .usage = child->usage,
                               .host = fs_hostname()};
    remove_child(child);
    local->idle_ns = clock_ns();
    if (local->waiting.len)
        use_room(local);
    options.on_event(options.user, &event);
}

static void submit_one(struct local *local, const struct launch *launch)
{
    const char *shell[4] = {0};
    struct child *child = add_child(local, launch->id);
    ensure(launch->shell || launch->argv);
    child->look = launch->look;
    child->together = launch->together;
    if (launch->shell && !command_of(child, launch, shell))
        return;
    struct process_options options = {
        .argv = launch->shell ? shell : launch->argv,
        .env = launch->env ? shell_merge_environment(&local->scratch, launch->env) : NULL,
        .cwd = launch->cwd,
        .new_group = true,
        .whole_group = true, /* else it would write into what the next attempt makes */
        .on_end = on_end,
        .user = child,
    };
    errno = EAGAIN;
    if (!local->waiting.len && start(child, &options))
        return;
    if (process_error_passes(errno))
        wait_for_room(child, &options, errno);
    else
        fail_to_start(child, options.argv[0], errno);
}

static void submit_local(struct executor *executor, const struct launch *launches, uint32_t n)
{
    struct local *local = (struct local *)executor;
    for (uint32_t i = 0; i < n; i++) {
        submit_one(local, &launches[i]);
        arena_reset(&local->scratch);
    }
}

static void cancel_waiting(struct child *child, int signum)
{
    struct local *local = child->local;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < local->waiting.len; i++)
        if (local->waiting.at[i] != child)
            local->waiting.at[kept++] = local->waiting.at[i];
    local->waiting.len = kept;
    child->signal = signum;
    end_later(child);
}

static void cancel_running(struct child *child, int signum)
{
    child->signal = signum;
    process_kill(child->process, signum);
}

static void cancel_local(struct executor *executor, const uint32_t *launches, uint32_t n,
                         bool force)
{
    struct local *local = (struct local *)executor;
    for (uint32_t i = 0; i < n; i++) {
        struct child *child = local->children.len
                                  ? local->children.at[map_find(&local->by_launch, launches[i])]
                                  : NULL;
        if (child && child->running)
            cancel_running(child, force ? SIGKILL : SIGTERM);
        else if (child && !child->over)
            cancel_waiting(child, force ? SIGKILL : SIGTERM);
    }
}

/* Closing kills what still runs, as nobody would hear of its end. */
static void close_local(struct executor *executor)
{
    struct local *local = (struct local *)executor;
    for (uint32_t i = 1; i < local->children.len; i++) {
        struct child *child = local->children.at[i];
        if (child && child->running) {
            process_kill(child->process, SIGKILL);
            process_forget(child->process);
        }
        if (child)
            remove_child(child);
    }
    timer_close(local->room);
    timer_close(local->failures);
    timer_close(local->looking);
    vec_free(&local->waiting);
    pool_free(&local->children);
    vec_free(&local->unused);
    map_free(&local->by_launch);
    arena_free(&local->scratch);
    free(local);
}

const struct executor_kind exec_local = {.name = "local",
                                         .local = true,
                                         .open = open_local,
                                         .submit = submit_local,
                                         .cancel = cancel_local,
                                         .close = close_local};
