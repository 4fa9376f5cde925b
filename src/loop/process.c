// SPDX-License-Identifier: MIT
/* process.c: children. libuv's own uv_spawn keeps a child's times and memory to itself, so children
 * are started here by vfork and exec, waited for by wait4 when SIGCHLD comes, and only their pipes
 * are uv handles.
 *
 *     running --exit seen--> drained: pipes at their end --all handles closed--> on_end, freed
 *
 * A child that was killed for its time limit is not waited for by its pipes: a grandchild may hold
 * them. With whole_group, one that was ended or went wrong is waited for with all that it has
 * started: a shell ends at once by SIGTERM, the program that it has called perhaps not. */
#include "loop/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/tool.h"
#include "loop/loop_inner.h"

enum { KILL_AFTER_MS = 5000 };
/* For the rest of a group: it may yet write the last lines of a log; then it may tidy up. */
enum { REST_MS = 1000, REST_KILL_MS = 30000, REST_LOOK_MS = 500 };
static const size_t CAPTURE_MAX = (size_t)64 << 20;

/* One end of a pipe to or from the child. */
struct channel {
    uv_pipe_t pipe;
    bool is_open;
    bool is_cut;     /* more came than was kept */
    struct buf text; /* owned; captured */
};

/* What is on its way to a child's stdin; owned by libuv until it is written. */
struct parcel {
    uv_write_t write;
    char *bytes; /* owned */
};

struct process {
    struct owner owner;
    struct loop *loop;
    struct process *next, *previous; /* in loop->first */
    pid_t pid;
    struct channel in, out, err;
    uv_timer_t timer; /* until it is late, the time limit, the last grace; open if has_timer */
    uv_timer_t rest;  /* looks for what is left of its group; open if has_rest */
    bool has_timer, has_rest, has_group, whole_group, exited, timed_out, abandoned;
    bool killed;            /* it was sent a signal */
    uint64_t rest_since_ms; /* of the loop's clock */
    bool keep_stdin;
    bool is_asked;      /* it has kept its stdin: who else has its stdout is not waited for */
    uint32_t unwritten; /* parcels */
    int handles;        /* not yet closed */
    size_t capture_max;
    uint64_t rest_ms; /* of the time limit when it is late; 0: it is, or nobody cares */
    int wait_status;
    struct rusage usage;
    void (*on_output)(void *user, const char *out, size_t len);
    void (*on_late)(void *user);
    void (*on_end)(void *user, const struct process_end *end);
    void *user; /* borrowed */
};

/* What the child needs between vfork and exec; nothing there may allocate. */
struct plan {
    const char *path; /* of the program; or NULL: to be looked for */
    const char *const *argv, *const *env;
    const char *cwd;
    int fd[3]; /* what becomes its stdin, stdout, stderr */
    bool new_session, new_group;
    const sigset_t *mask;
    volatile int error; /* written by the child, whose memory is ours */
};

extern char **environ;

/* In the child. Handlers end with exec by themselves; what was ignored or blocked would not. */
static void become(struct plan *plan)
{
    bool good = (!plan->new_session || setsid() >= 0) && (!plan->new_group || !setpgid(0, 0)) &&
                (!plan->cwd || !chdir(plan->cwd));
    for (int i = 0; good && i < 3; i++)
        good = plan->fd[i] == i || dup2(plan->fd[i], i) >= 0;
    if (good) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        for (int signum = 1; signum < 32; signum++) {
            struct sigaction old;
            if (!sigaction(signum, NULL, &old) && old.sa_handler != SIG_IGN &&
                old.sa_handler != SIG_DFL)
                signal(signum, SIG_DFL);
        }
        sigprocmask(SIG_SETMASK, plan->mask, NULL);
        char *const *env = plan->env ? (char *const *)plan->env : environ;
        if (plan->path)
            execve(plan->path, (char *const *)plan->argv, env);
        execvpe(plan->argv[0], (char *const *)plan->argv, env);
    }
    plan->error = errno;
    _exit(127);
}

void found_free(struct found *found)
{
    free(found->name);
    free(found->search);
    free(found->path);
    *found = (struct found){0};
}

static bool has_relative(const char *search)
{
    for (; *search; search += *search == ':') {
        if (*search != '/')
            return true;
        search += strcspn(search, ":");
    }
    return false;
}

/* Where PATH has a program, remembered: thousands of jobs start the same shell, and each directory
 * without it costs the child a try. NULL: nowhere, or not for sure: a relative directory is another
 * one in the child. */
static const char *locate(struct loop *loop, const char *program)
{
    struct found *found = &loop->found;
    const char *search = getenv("PATH");
    if (!search || strchr(program, '/'))
        return NULL;
    if (found->name && !strcmp(found->name, program) && !strcmp(found->search, search))
        return found->path;
    found_free(found);
    found->name = memory_text(program);
    found->search = memory_text(search);
    found->path = has_relative(search) ? NULL : tool_find(program);
    return found->path;
}

/* The child's pid, or -1 with errno. All signals are held back until the child has its own
 * handlers. */
static __attribute__((noinline)) pid_t spawn(struct plan *plan)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    plan->mask = &old;
    plan->error = 0;
    pid_t pid = vfork();
    if (!pid)
        become(plan);
    int error = pid < 0 ? errno : plan->error;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (pid > 0 && error) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        pid = -1;
    }
    errno = error;
    return pid;
}

static void free_process(struct process *process)
{
    buf_free(&process->out.text);
    buf_free(&process->err.text);
    free(process);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void report(struct process *process)
{
    int status = process->wait_status;
    struct process_end end = {
        .status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
        .timed_out = process->timed_out,
        .user_s = seconds(process->usage.ru_utime),
        .system_s = seconds(process->usage.ru_stime),
        .max_rss_kb = process->usage.ru_maxrss,
        .out = buf_text(&process->out.text),
        .err = buf_text(&process->err.text),
        .out_len = process->out.text.len,
        .out_cut = process->out.is_cut,
    };
    process->on_end(process->user, &end);
}

/* Ends the process's life here once nothing is open any more. */
static void finish_if_done(struct process *process)
{
    if (process->handles || !(process->exited || process->abandoned))
        return;
    if (!process->abandoned && process->on_end)
        report(process);
    free_process(process);
}

static void on_closed(uv_handle_t *handle)
{
    struct process *process = handle->data;
    process->handles--;
    finish_if_done(process);
}

static void close_channel(struct channel *channel)
{
    if (channel->is_open)
        uv_close((uv_handle_t *)&channel->pipe, on_closed);
    channel->is_open = false;
}

static void close_timers(struct process *process)
{
    if (process->has_timer)
        uv_close((uv_handle_t *)&process->timer, on_closed);
    process->has_timer = false;
    if (process->has_rest)
        uv_close((uv_handle_t *)&process->rest, on_closed);
    process->has_rest = false;
}

static void unlist(struct process *process)
{
    struct loop *loop = process->loop;
    if (process->previous)
        process->previous->next = process->next;
    else
        loop->first = process->next;
    if (process->next)
        process->next->previous = process->previous;
    if (!loop->first)
        uv_unref((uv_handle_t *)&loop->children);
}

/* The loop ends before the child: nothing is reported. */
static void abandon(struct owner *owner)
{
    struct process *process = (struct process *)owner;
    process->abandoned = true;
    close_channel(&process->in);
    close_channel(&process->out);
    close_channel(&process->err);
    close_timers(process);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
    struct loop *loop = handle->loop->data;
    *room = uv_buf_init(loop->block, sizeof loop->block);
}

static void keep(struct channel *channel, const char *bytes, size_t n, size_t max)
{
    size_t left = max - channel->text.len;
    channel->is_cut |= n > left;
    buf_add(&channel->text, bytes, n < left ? n : left);
}

static void tell_output(struct process *process)
{
    if (process->on_output)
        process->on_output(process->user, process->out.text.at, process->out.text.len);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes)
{
    struct process *process = stream->data;
    struct channel *channel = stream == (uv_stream_t *)&process->out.pipe ? &process->out
                                                                          : &process->err;
    if (n > 0)
        keep(channel, bytes->base, (size_t)n, process->capture_max);
    else if (n < 0)
        close_channel(channel);
    if (n > 0 && channel == &process->out)
        tell_output(process);
}

/* Takes what lies in a pipe now, without waiting for its end. */
static void drain(struct process *process, struct channel *channel)
{
    uv_os_fd_t fd;
    size_t before = channel->text.len;
    if (!channel->is_open || uv_fileno((uv_handle_t *)&channel->pipe, &fd))
        return;
    char *block = process->loop->block;
    for (ssize_t n; (n = read(fd, block, sizeof process->loop->block)) > 0;)
        keep(channel, block, (size_t)n, process->capture_max);
    close_channel(channel);
    if (channel == &process->out && channel->text.len > before)
        tell_output(process);
}

static void on_rest(uv_timer_t *handle)
{
    struct process *process = handle->data;
    uint64_t waited = uv_now(handle->loop) - process->rest_since_ms;
    if (!process_group_lives(process->pid)) {
        close_timers(process);
        return;
    }
    if (!process->killed && waited >= REST_MS)
        process_kill(process, SIGTERM);
    else if (waited >= REST_KILL_MS)
        process_kill(process, SIGKILL);
    uint64_t next = 10 + waited / 4;
    uv_timer_start(handle, on_rest, next < REST_LOOK_MS ? next : REST_LOOK_MS, 0);
}

/* Its end is reported when nobody of its group is left. */
static void await_rest(struct process *process)
{
    uv_timer_init(&process->loop->uv, &process->rest);
    process->rest.data = process;
    process->has_rest = true;
    process->handles++;
    uv_update_time(&process->loop->uv);
    process->rest_since_ms = uv_now(&process->loop->uv);
    uv_timer_start(&process->rest, on_rest, 0, 0);
}

static void on_exit_seen(struct process *process)
{
    bool well = !process->wait_status && !process->killed;
    process->exited = true;
    unlist(process);
    close_channel(&process->in);
    close_timers(process);
    if (process->timed_out || process->is_asked) {
        drain(process, &process->out);
        drain(process, &process->err);
    }
    if (process->whole_group && !well && process_group_lives(process->pid))
        await_rest(process);
    finish_if_done(process);
}

void process_reap(struct loop *loop)
{
    /* Only our own children are asked for, so that others' stay theirs. A callback may start more
     * (they come first in the list), but only this loop takes any out of it, so next stays good. */
    for (struct process *process = loop->first, *next; process; process = next) {
        next = process->next;
        if (wait4(process->pid, &process->wait_status, WNOHANG, &process->usage) == process->pid)
            on_exit_seen(process);
    }
}

void process_abandon_all(struct loop *loop)
{
    while (loop->first) {
        struct process *process = loop->first;
        unlist(process);
        abandon(&process->owner);
        finish_if_done(process);
    }
}

static void close_written(struct process *process)
{
    if (!process->unwritten && !process->keep_stdin)
        close_channel(&process->in);
}

static void on_written(uv_write_t *write, int status)
{
    struct process *process = write->data;
    struct parcel *parcel = (struct parcel *)write;
    free(parcel->bytes);
    free(parcel);
    process->unwritten--;
    close_written(process);
}

void process_write(struct process *process, const char *bytes, size_t len)
{
    if (!process->in.is_open)
        return;
    struct parcel *parcel = memory_zeroed(1, sizeof *parcel);
    parcel->bytes = memory_resized(NULL, len + 1, 1);
    memcpy(parcel->bytes, bytes, len);
    parcel->write.data = process;
    uv_buf_t buf = uv_buf_init(parcel->bytes, (unsigned)len);
    process->unwritten++;
    if (uv_write(&parcel->write, (uv_stream_t *)&process->in.pipe, &buf, 1, on_written))
        on_written(&parcel->write, 0);
}

bool process_listens(const struct process *process)
{
    return process->in.is_open;
}

void process_close_stdin(struct process *process)
{
    process->keep_stdin = false;
    close_written(process);
}

static void on_time_out(uv_timer_t *handle)
{
    struct process *process = handle->data;
    bool again = process->timed_out;
    if (process->rest_ms) {
        uv_timer_start(handle, on_time_out, process->rest_ms, 0);
        process->rest_ms = 0;
        if (process->on_late)
            process->on_late(process->user);
        return;
    }
    process->timed_out = true;
    process_kill(process, again ? SIGKILL : SIGTERM);
    if (!again)
        uv_timer_start(handle, on_time_out, KILL_AFTER_MS, 0);
}

/* A pipe whose end number ours (0 reads) is put into the channel; the child's end, or -1. */
static int open_channel(struct process *process, struct channel *channel, int ours)
{
    int fd[2];
    if (pipe2(fd, O_CLOEXEC))
        return -1;
    fcntl(fd[ours], F_SETFL, O_NONBLOCK);
    uv_pipe_init(&process->loop->uv, &channel->pipe, 0);
    channel->pipe.data = process;
    channel->is_open = true;
    process->handles++;
    if (uv_pipe_open(&channel->pipe, fd[ours])) {
        close(fd[0]);
        close(fd[1]);
        errno = EMFILE;
        return -1;
    }
    return fd[!ours];
}

/* Fills plan->fd; false with errno when there are no more descriptors. */
static bool open_channels(struct process *process, const struct process_options *options,
                          struct plan *plan)
{
    plan->fd[0] = options->inherit_stdin ? 0 : process->loop->null_fd;
    if (options->stdin_text)
        plan->fd[0] = open_channel(process, &process->in, 1);
    if (options->out_fd)
        plan->fd[1] = options->out_fd;
    if (options->capture_out && plan->fd[0] >= 0)
        plan->fd[1] = open_channel(process, &process->out, 0);
    if (options->capture_err && plan->fd[0] >= 0 && plan->fd[1] >= 0)
        plan->fd[2] = open_channel(process, &process->err, 0);
    return plan->fd[0] >= 0 && plan->fd[1] >= 0 && plan->fd[2] >= 0;
}

static void close_child_ends(const struct process *process, const struct plan *plan)
{
    if (process->in.is_open && plan->fd[0] > 2)
        close(plan->fd[0]);
    if (process->out.is_open && plan->fd[1] > 2)
        close(plan->fd[1]);
    if (process->err.is_open && plan->fd[2] > 2)
        close(plan->fd[2]);
}

static void start_handles(struct process *process, const struct process_options *options)
{
    if (process->out.is_open)
        uv_read_start((uv_stream_t *)&process->out.pipe, on_room, on_read);
    if (process->err.is_open)
        uv_read_start((uv_stream_t *)&process->err.pipe, on_room, on_read);
    process->keep_stdin = process->is_asked = options->keep_stdin;
    if (process->in.is_open)
        process_write(process, options->stdin_text, options->stdin_len);
    if (options->timeout_ms) {
        uv_timer_init(&process->loop->uv, &process->timer);
        process->timer.data = process;
        process->has_timer = true;
        process->handles++;
        uv_update_time(&process->loop->uv);
        bool tells = options->late_ms && options->late_ms < options->timeout_ms;
        process->rest_ms = tells ? options->timeout_ms - options->late_ms : 0;
        uv_timer_start(&process->timer, on_time_out, options->timeout_ms - process->rest_ms, 0);
    }
}

static void enlist(struct process *process)
{
    struct loop *loop = process->loop;
    if (!loop->first)
        uv_ref((uv_handle_t *)&loop->children);
    process->next = loop->first;
    if (loop->first)
        loop->first->previous = process;
    loop->first = process;
}

struct process *process_start(struct loop *loop, const struct process_options *options)
{
    struct process *process = memory_zeroed(1, sizeof *process);
    struct plan plan = {.path = locate(loop, options->argv[0]),
                        .argv = options->argv,
                        .env = options->env,
                        .cwd = options->cwd,
                        .fd = {0, 1, 2},
                        .new_session = options->new_session,
                        .new_group = options->new_group && !options->new_session};
    process->owner.close = abandon;
    process->loop = loop;
    process->has_group = options->new_session || options->new_group;
    process->whole_group = process->has_group && options->whole_group;
    process->capture_max = options->capture_max ? options->capture_max : CAPTURE_MAX;
    process->on_output = options->on_output;
    process->on_late = options->on_late;
    process->on_end = options->on_end;
    process->user = options->user;
    process->pid = open_channels(process, options, &plan) ? spawn(&plan) : -1;
    int error = errno;
    close_child_ends(process, &plan);
    if (process->pid < 0) {
        abandon(&process->owner);
        finish_if_done(process);
        errno = error;
        return NULL;
    }
    enlist(process);
    start_handles(process, options);
    return process;
}

bool process_error_passes(int error)
{
    return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
}

int process_pid(const struct process *process)
{
    return process->pid;
}

void process_kill(struct process *process, int signum)
{
    if (process->exited && !process->has_rest)
        return;
    process->killed = true;
    kill(process->has_group ? -process->pid : process->pid, signum);
    if (signum == SIGKILL)
        close_channel(&process->in);
}

void process_forget(struct process *process)
{
    process->on_output = NULL;
    process->on_late = NULL;
    process->on_end = NULL;
}
