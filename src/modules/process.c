// SPDX-License-Identifier: MIT
/* _process: starting programs and what is known of this machine; lib/subprocess.py, socket, getpass
 * and others are made of it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <grp.h>
#include <pwd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/memory.h"
#include "modules/modules.h"
#include "python/bytes.h"
#include "python/file.h"
#include "python/spawn.h"
#include "python/vm_state.h"

extern char **environ;

/* A NULL-terminated array of the strings in a list, to be freed; the strings stay the list's. NULL:
 * raised. */
static const char **texts_of(struct vm *vm, value list)
{
    size_t n;
    const value *items = sequence_items(list, &n);
    const char **texts = memory_zeroed(n + 1, sizeof *texts);
    for (size_t i = 0; i < n; i++) {
        if (!is_str(items[i])) {
            free(texts);
            vm_raise(vm, "TypeError", "expected str, bytes or os.PathLike object, not %s",
                     type_name(items[i]));
            return NULL;
        }
        texts[i] = str_whole(vm, items[i]);
        if (!texts[i]) {
            free(texts);
            return NULL;
        }
    }
    return texts;
}

static value launch(struct vm *vm, const struct spawn *c)
{
    bool at_cwd;
    file_settle(vm);
    int pid = spawn_start(c, &at_cwd);
    return pid > 0 ? small(pid) : vm_raise_errno(vm, -pid, at_cwd ? c->cwd : c->argv[0]);
}

// _process.spawn(argv, env, cwd, stdin, stdout, stderr, new_session): the child's pid
static value process_spawn(struct vm *vm, const struct args *args)
{
    struct spawn c = {.cwd = args->at[2] == VALUE_NONE ? NULL : arg_path(vm, args, 2)};
    int64_t fd;
    if (vm->error || !arg_bool(vm, args, 6, false, &c.new_session))
        return NO_VALUE;
    for (int i = 0; i < 3; i++) {
        if (!arg_int(vm, args, 3 + i, -1, &fd))
            return NO_VALUE;
        c.fd[i] = (int)fd;
    }
    c.argv = texts_of(vm, args->at[0]);
    c.env = c.argv && args->at[1] != VALUE_NONE ? texts_of(vm, args->at[1]) : NULL;
    value pid = vm->error || !c.argv ? NO_VALUE : launch(vm, &c);
    free(c.argv);
    free(c.env);
    return pid;
}

// _process.wait(pid, block): the exit status, -SIGNAL, or None while it runs
static value process_wait(struct vm *vm, const struct args *args)
{
    int64_t pid;
    bool block;
    int status;
    if (!arg_int(vm, args, 0, 0, &pid) || !arg_bool(vm, args, 1, true, &block))
        return NO_VALUE;
    pid_t ended;
    do
        ended = waitpid((pid_t)pid, &status, block ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return errno == ECHILD ? small(0) : vm_raise_errno(vm, errno, NULL);
    if (!ended)
        return VALUE_NONE;
    return small(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
}

// _process.pipe(): (read end, write end), not inherited
static value process_pipe(struct vm *vm, const struct args *args)
{
    int fd[2];
    if (pipe2(fd, O_CLOEXEC))
        return vm_raise_errno(vm, errno, NULL);
    value pair[] = {small(fd[0]), small(fd[1])};
    return tuple_new(vm, pair, 2);
}

// _process.null(): /dev/null, open for reading and writing
static value process_null(struct vm *vm, const struct args *args)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    return fd < 0 ? vm_raise_errno(vm, errno, "/dev/null") : small(fd);
}

// _process.close(fd)
static value process_close(struct vm *vm, const struct args *args)
{
    int64_t fd;
    if (!arg_int(vm, args, 0, 0, &fd))
        return NO_VALUE;
    close((int)fd);
    return VALUE_NONE;
}

// _process.dup(fd): another descriptor of the same file, not inherited
static value process_dup(struct vm *vm, const struct args *args)
{
    int64_t fd;
    if (!arg_int(vm, args, 0, 0, &fd))
        return NO_VALUE;
    int copy = fcntl((int)fd, F_DUPFD_CLOEXEC, 3);
    return copy < 0 ? vm_raise_errno(vm, errno, NULL) : small(copy);
}

struct stream {
    int fd; /* -1: done */
    struct buf text;
};

static void take_some(struct stream *s)
{
    ssize_t n = read(s->fd, buf_room(&s->text, 1 << 16), 1 << 16);
    if (n > 0)
        s->text.len += (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        s->fd = -1;
}

/* Writes input to one pipe while it reads two others, until these end or the time is over
 * (false). */
static bool exchange(int in, const char *input, size_t left, struct stream out[2], int timeout_ms)
{
    int64_t begun = clock_ns();
    while (in >= 0 || out[0].fd >= 0 || out[1].fd >= 0) {
        struct pollfd set[3] = {{in, POLLOUT, 0}, {out[0].fd, POLLIN, 0}, {out[1].fd, POLLIN, 0}};
        int64_t gone = (clock_ns() - begun) / 1000000;
        if (timeout_ms >= 0 && gone >= timeout_ms)
            return false;
        if (poll(set, 3, timeout_ms < 0 ? -1 : (int)(timeout_ms - gone)) < 0 && errno != EINTR)
            return true;
        if (set[0].revents) {
            ssize_t n = left ? write(in, input, left > 4096 ? 4096 : left) : 0;
            input += n > 0 ? n : 0;
            left -= n > 0 ? (size_t)n : 0;
            if (!left || (n < 0 && errno != EINTR && errno != EAGAIN)) {
                close(in);
                in = -1;
            }
        }
        for (int i = 0; i < 2; i++)
            if (set[i + 1].revents)
                take_some(&out[i]);
    }
    return true;
}

// _process.communicate(stdin fd, input, stdout fd, stderr fd, timeout in ms): (out, err, whether in
// time)
static value process_communicate(struct vm *vm, const struct args *args)
{
    int64_t fd[3], timeout;
    size_t len = 0;
    const char *input = args->at[1] == VALUE_NONE ? "" : bytes_get(args->at[1], &len);
    if (!input)
        return raise_no_bytes(vm, args->at[1]);
    if (!arg_int(vm, args, 0, -1, &fd[0]) || !arg_int(vm, args, 2, -1, &fd[1]) ||
        !arg_int(vm, args, 3, -1, &fd[2]) || !arg_int(vm, args, 4, -1, &timeout))
        return NO_VALUE;
    struct stream out[2] = {{.fd = (int)fd[1]}, {.fd = (int)fd[2]}};
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    bool in_time = exchange((int)fd[0], input, len, out, (int)timeout);
    signal(SIGPIPE, before);
    value result[] = {bytes_new(vm, buf_text(&out[0].text), out[0].text.len),
                      bytes_new(vm, buf_text(&out[1].text), out[1].text.len), value_bool(in_time)};
    buf_free(&out[0].text);
    buf_free(&out[1].text);
    return tuple_new(vm, result, 3);
}

// _process.kill(pid, signal)
static value process_kill(struct vm *vm, const struct args *args)
{
    int64_t pid, signum;
    if (!arg_int(vm, args, 0, 0, &pid) || !arg_int(vm, args, 1, SIGTERM, &signum))
        return NO_VALUE;
    return kill((pid_t)pid, (int)signum) ? vm_raise_errno(vm, errno, NULL) : VALUE_NONE;
}

static value process_hostname(struct vm *vm, const struct args *args)
{
    return str_from(vm, fs_hostname());
}

static value process_username(struct vm *vm, const struct args *args)
{
    return str_from(vm, fs_username());
}

static value name_of(struct vm *vm, int64_t id, const char *function, const char *kind,
                     const char *name)
{
    return name ? str_from(vm, name)
                : vm_raise(vm, "KeyError", "%s(): %s not found: %lld", function, kind,
                           (long long)id);
}

// _process.user_name(uid)
static value process_user_name(struct vm *vm, const struct args *args)
{
    int64_t id;
    if (!arg_int(vm, args, 0, 0, &id))
        return NO_VALUE;
    const struct passwd *entry = getpwuid((uid_t)id);
    return name_of(vm, id, "getpwuid", "uid", entry ? entry->pw_name : NULL);
}

// _process.group_name(gid)
static value process_group_name(struct vm *vm, const struct args *args)
{
    int64_t id;
    if (!arg_int(vm, args, 0, 0, &id))
        return NO_VALUE;
    const struct group *entry = getgrgid((gid_t)id);
    return name_of(vm, id, "getgrgid", "gid", entry ? entry->gr_name : NULL);
}

// _process.uname(): (system, node, release, version, machine)
static value process_uname(struct vm *vm, const struct args *args)
{
    struct utsname u;
    uname(&u);
    value parts[] = {str_from(vm, u.sysname), str_from(vm, u.nodename), str_from(vm, u.release),
                     str_from(vm, u.version), str_from(vm, u.machine)};
    return tuple_new(vm, parts, 5);
}

// _process.random_bytes(n)
static value process_random(struct vm *vm, const struct args *args)
{
    int64_t n;
    char bytes[256];
    if (!arg_int(vm, args, 0, 16, &n))
        return NO_VALUE;
    if (n < 0 || n > (int64_t)sizeof bytes || getrandom(bytes, (size_t)n, 0) != n)
        return vm_raise(vm, "ValueError", "between 0 and 256 random bytes at a time");
    return bytes_new(vm, bytes, (size_t)n);
}

static const struct native_def functions[] = {
    {"spawn", process_spawn, "argv env cwd stdin stdout stderr new_session /", "Starts a program."},
    {"wait", process_wait, "pid block /", "How a program ended."},
    {"pipe", process_pipe, "", "The two ends of a pipe."},
    {"null", process_null, "", "An open /dev/null."},
    {"close", process_close, "fd /", "Closes a descriptor."},
    {"dup", process_dup, "fd /", "Another descriptor of the same file."},
    {"communicate", process_communicate, "stdin input stdout stderr timeout_ms /",
     "Feeds and reads pipes."},
    {"kill", process_kill, "pid signal /", "Sends a signal."},
    {"hostname", process_hostname, "", "The name of this machine."},
    {"username", process_username, "", "Who runs this."},
    {"user_name", process_user_name, "uid /", "The name of a user."},
    {"group_name", process_group_name, "gid /", "The name of a group."},
    {"uname", process_uname, "", "What the system says of itself."},
    {"random_bytes", process_random, "n /", "Random bytes from the system."},
    {0}};

const struct native_module module_process = {"_process", functions, NULL};
