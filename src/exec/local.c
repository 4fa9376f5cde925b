// SPDX-License-Identifier: MIT
/* local.c: launches as children of this process. Each has a process group of its own, so that a
 * terminal's Ctrl-C reaches the engine alone, which then decides, and so that cancelling reaches
 * what a job itself has started.
 *
 * Nothing is reported while submit runs but EXEC_STARTED: what could not be started is reported a
 * round later. */
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

/* A launch on its way; its id in the pool is the value of the launch in by_launch. */
struct child {
    struct local *local;
    struct process *process; /* NULL: could not be started */
    uint32_t launch;
    int64_t start_ns;
    char *script;  /* owned: path of the command's file; NULL: it was given as an argument */
    char *message; /* owned: why it could not be started */
    bool running;
    bool look;            /* its use of memory is looked at */
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
    *id = 0; /* a launch may be submitted again under its number */
    if (child->script)
        shell_script_remove(child->script);
    free(child->script);
    free(child->message);
    free(child);
}

static void on_end(void *user, const struct process_end *end)
{
    struct child *child = user;
    struct exec_options options = child->local->options;
    struct exec_event event = {.kind = EXEC_ENDED,
                               .launch = child->launch,
                               .status = end->status,
                               .signal = end->signal,
                               .start_ns = child->start_ns,
                               .end_ns = clock_wall_ns(),
                               .user_s = end->user_s,
                               .system_s = end->system_s,
                               .max_rss_kb = end->max_rss_kb,
                               .usage = child->usage,
                               .host = fs_hostname()};
    remove_child(child);
    options.on_event(options.user, &event);
}

static void report_failure(struct child *child)
{
    struct exec_options options = child->local->options;
    char *message = child->message;
    struct exec_event event = {.kind = EXEC_ENDED,
                               .launch = child->launch,
                               .status = 127,
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
    timer_close(local->failures);
    local->failures = NULL;
    for (uint32_t i = 1; i < local->children.len; i++) {
        if (local->children.at[i] && !local->children.at[i]->running)
            report_failure(local->children.at[i]);
    }
}

static void fail_later(struct child *child, const char *what, int error)
{
    struct local *local = child->local;
    const char *text = arena_printf(&local->scratch, "%s: %s", what, strerror(error));
    child->message = memory_text(text);
    if (!local->failures)
        local->failures = timer_open(local->loop, 0, 0, on_failures, local);
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
    timer_close(local->looking);
    local->looking = NULL;
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
    child->look = true;
    child->local->nlooked++;
    child->next_look_ns = clock_ns() + look_delay_ms(0) * 1000000;
    arm_looking(child->local);
}

static void submit_one(struct local *local, const struct launch *launch)
{
    const char *shell[4] = {0};
    struct child *child = add_child(local, launch->id);
    ensure(launch->shell || launch->argv);
    if (launch->shell && !command_of(child, launch, shell))
        return;
    struct process_options options = {
        .argv = launch->shell ? shell : launch->argv,
        .env = launch->env ? shell_merge_environment(&local->scratch, launch->env) : NULL,
        .cwd = launch->cwd,
        .new_group = true,
        .on_end = on_end,
        .user = child,
    };
    child->process = process_start(local->loop, &options);
    child->running = child->process != NULL;
    if (!child->running) {
        fail_later(child,
                   arena_printf(&local->scratch, "'%s' could not be started", options.argv[0]),
                   errno);
        return;
    }
    if (launch->look)
        begin_looking(child);
    struct exec_event event = {.kind = EXEC_STARTED,
                               .launch = launch->id,
                               .start_ns = child->start_ns,
                               .host = fs_hostname()};
    local->options.on_event(local->options.user, &event);
}

static void submit_local(struct executor *executor, const struct launch *launches, uint32_t n)
{
    struct local *local = (struct local *)executor;
    for (uint32_t i = 0; i < n; i++) {
        submit_one(local, &launches[i]);
        arena_reset(&local->scratch);
    }
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
            process_kill(child->process, force ? SIGKILL : SIGTERM);
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
    timer_close(local->failures);
    timer_close(local->looking);
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
