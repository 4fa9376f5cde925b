// SPDX-License-Identifier: MIT
/* os: the calls of the system in C; what is made of them (walk, makedirs, environ, ...) in
 * lib/_os.py. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "modules/modules.h"
#include "python/bytes.h"
#include "python/environment.h"
#include "python/library.h"
#include "python/str.h"
#include "python/vm.h"

/* None, or the OSError of a call that failed. */
static value done_or(struct vm *vm, bool fine, const char *path)
{
    return fine ? VALUE_NONE : vm_raise_errno(vm, errno, path);
}

static value os_getcwd(struct vm *vm, const struct args *args)
{
    struct arena scratch = {0};
    const char *cwd = fs_find_cwd(&scratch);
    value v = cwd ? str_from(vm, cwd) : vm_raise_errno(vm, errno, NULL);
    arena_free(&scratch);
    return v;
}

static value os_chdir(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    environment_changed();
    return path ? done_or(vm, !chdir(path), path) : NO_VALUE;
}

/* [(name, type)]: 'd' directory, 'f' file, 'l' link, '?' to be asked. */
static value os_entries(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    DIR *dir = path ? fs_opendir(path) : NULL;
    if (!dir)
        return path ? vm_raise_errno(vm, errno, path) : NO_VALUE;
    value list = list_new(vm, NULL, 0);
    for (const struct dirent *entry; (entry = fs_entry(dir));) {
        struct buf name = {0};
        decode_bytes(vm, entry->d_name, strlen(entry->d_name), ENCODING_UTF8, "surrogateescape",
                     &name);
        const char *kind = entry->d_type == DT_DIR   ? "d"
                           : entry->d_type == DT_REG ? "f"
                           : entry->d_type == DT_LNK ? "l"
                                                     : "?";
        list_push(vm, list, tuple_new(vm, (value[]){str_take(vm, &name), str_from(vm, kind)}, 2));
    }
    int error = errno;
    closedir(dir);
    return error ? vm_raise_errno(vm, error, path) : list;
}

static value os_listdir(struct vm *vm, const struct args *args)
{
    value here = str_from(vm, ".");
    struct args one = {arg_given(args, 0) && args->at[0] != VALUE_NONE ? args->at : &here, 1,
                       args->def, NULL};
    value entries = os_entries(vm, &one), list = list_new(vm, NULL, 0);
    size_t n = 0, two;
    const value *items = entries ? sequence_items(entries, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        list_push(vm, list, sequence_items(items[i], &two)[0]);
    return entries ? list : NO_VALUE;
}

static value os_mkdir(struct vm *vm, const struct args *args)
{
    int64_t mode;
    const char *path = arg_path(vm, args, 0);
    return path && arg_int(vm, args, 1, 0777, &mode) ? done_or(vm, !mkdir(path, (mode_t)mode), path)
                                                     : NO_VALUE;
}

static value os_rmdir(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? done_or(vm, !rmdir(path), path) : NO_VALUE;
}

static value os_remove(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? done_or(vm, !unlink(path), path) : NO_VALUE;
}

static value two_paths(struct vm *vm, const struct args *args,
                       int (*call)(const char *, const char *))
{
    const char *from = arg_path(vm, args, 0), *to = from ? arg_path(vm, args, 1) : NULL;
    if (!to)
        return NO_VALUE;
    if (!call(from, to))
        return VALUE_NONE;
    return vm_raise_errno2(vm, errno, from, to);
}

static value os_rename(struct vm *vm, const struct args *args)
{
    return two_paths(vm, args, rename);
}

static value os_symlink(struct vm *vm, const struct args *args)
{
    return two_paths(vm, args, symlink);
}

static value os_link(struct vm *vm, const struct args *args)
{
    return two_paths(vm, args, link);
}

static value os_readlink(struct vm *vm, const struct args *args)
{
    char target[4096];
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    ssize_t n = readlink(path, target, sizeof target);
    return n < 0 ? vm_raise_errno(vm, errno, path) : str_new(vm, target, (size_t)n);
}

static int64_t nanoseconds(struct timespec at)
{
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

/* The fields of os.stat_result as a tuple; lib/_os.py makes the object. */
static value os_stat_fields(struct vm *vm, const struct args *args)
{
    struct stat st;
    int64_t fd;
    bool follow;
    if (!arg_bool(vm, args, 1, true, &follow))
        return NO_VALUE;
    bool number = int_get(args->at[0], &fd);
    const char *path = number ? "" : arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    if (number ? fstat((int)fd, &st) : follow ? stat(path, &st) : lstat(path, &st))
        return vm_raise_errno(vm, errno, path);
    int64_t fields[] = {st.st_mode,
                        (int64_t)st.st_ino,
                        (int64_t)st.st_dev,
                        (int64_t)st.st_nlink,
                        st.st_uid,
                        st.st_gid,
                        st.st_size,
                        nanoseconds(st.st_atim),
                        nanoseconds(st.st_mtim),
                        nanoseconds(st.st_ctim),
                        st.st_blocks,
                        st.st_blksize};
    value items[sizeof fields / sizeof *fields];
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        items[i] = int_from(vm, fields[i]);
    return tuple_new(vm, items, sizeof fields / sizeof *fields);
}

static value os_statvfs_fields(struct vm *vm, const struct args *args)
{
    struct statvfs st;
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    if (statvfs(path, &st))
        return vm_raise_errno(vm, errno, path);
    uint64_t fields[] = {st.f_bsize, st.f_frsize, st.f_blocks, st.f_bfree, st.f_bavail,
                         st.f_files, st.f_ffree,  st.f_favail, st.f_flag,  st.f_namemax};
    value items[10];
    for (size_t i = 0; i < 10; i++)
        items[i] = int_from(vm, (int64_t)fields[i]);
    return tuple_new(vm, items, 10);
}

static value os_chmod(struct vm *vm, const struct args *args)
{
    int64_t mode;
    const char *path = arg_path(vm, args, 0);
    return path && arg_int(vm, args, 1, 0, &mode) ? done_or(vm, !chmod(path, (mode_t)mode), path)
                                                  : NO_VALUE;
}

/* utime(path, atime_ns, mtime_ns, follow); times None: now. */
static value os_utime_ns(struct vm *vm, const struct args *args)
{
    int64_t at[2];
    bool follow;
    struct timespec times[2];
    const char *path = arg_path(vm, args, 0);
    bool now = args->at[1] == VALUE_NONE;
    if (!path || (!now && (!arg_int(vm, args, 1, 0, &at[0]) || !arg_int(vm, args, 2, 0, &at[1]))) ||
        !arg_bool(vm, args, 3, true, &follow))
        return NO_VALUE;
    for (int i = 0; i < 2 && !now; i++)
        times[i] = (struct timespec){at[i] / 1000000000, at[i] % 1000000000};
    return done_or(
        vm, !utimensat(AT_FDCWD, path, now ? NULL : times, follow ? 0 : AT_SYMLINK_NOFOLLOW), path);
}

static value os_access(struct vm *vm, const struct args *args)
{
    int64_t mode;
    const char *path = arg_path(vm, args, 0);
    return path && arg_int(vm, args, 1, 0, &mode) ? value_bool(!access(path, (int)mode)) : NO_VALUE;
}

static value os_mkfifo(struct vm *vm, const struct args *args)
{
    int64_t mode;
    const char *path = arg_path(vm, args, 0);
    return path && arg_int(vm, args, 1, 0666, &mode)
               ? done_or(vm, !mkfifo(path, (mode_t)mode), path)
               : NO_VALUE;
}

/* ---- the process ---- */

static value os_getpid(struct vm *vm, const struct args *args)
{
    return small(getpid());
}

static value os_getppid(struct vm *vm, const struct args *args)
{
    return small(getppid());
}

static value os_getuid(struct vm *vm, const struct args *args)
{
    return small(getuid());
}

static value os_geteuid(struct vm *vm, const struct args *args)
{
    return small(geteuid());
}

static value os_getegid(struct vm *vm, const struct args *args)
{
    return small(getegid());
}

static value os_getgid(struct vm *vm, const struct args *args)
{
    return small(getgid());
}

static value os_getlogin(struct vm *vm, const struct args *args)
{
    return str_from(vm, fs_username());
}

static value os_cpu_count(struct vm *vm, const struct args *args)
{
    return small(sysconf(_SC_NPROCESSORS_ONLN));
}

static const struct {
    const char *name;
    int number;
} sizes[] = {{"SC_PAGE_SIZE", _SC_PAGE_SIZE},
             {"SC_PAGESIZE", _SC_PAGESIZE},
             {"SC_PHYS_PAGES", _SC_PHYS_PAGES},
             {"SC_AVPHYS_PAGES", _SC_AVPHYS_PAGES},
             {"SC_NPROCESSORS_CONF", _SC_NPROCESSORS_CONF},
             {"SC_NPROCESSORS_ONLN", _SC_NPROCESSORS_ONLN},
             {"SC_CLK_TCK", _SC_CLK_TCK},
             {"SC_OPEN_MAX", _SC_OPEN_MAX},
             {"SC_ARG_MAX", _SC_ARG_MAX},
             {"SC_CHILD_MAX", _SC_CHILD_MAX},
             {"SC_NGROUPS_MAX", _SC_NGROUPS_MAX},
             {"SC_HOST_NAME_MAX", _SC_HOST_NAME_MAX}};

enum { SIZES = sizeof sizes / sizeof *sizes };

static value os_sysconf(struct vm *vm, const struct args *args)
{
    int64_t number;
    if (!is_str(args->at[0]))
        return arg_int(vm, args, 0, 0, &number) ? int_from(vm, sysconf((int)number)) : NO_VALUE;
    for (int i = 0; i < SIZES; i++)
        if (!strcmp(sizes[i].name, str_text(args->at[0])))
            return int_from(vm, sysconf(sizes[i].number));
    return vm_raise(vm, "ValueError", "unrecognized configuration name");
}

static value os_sched_getaffinity(struct vm *vm, const struct args *args)
{
    cpu_set_t cpus;
    value set = set_new(vm);
    if (sched_getaffinity(0, sizeof cpus, &cpus))
        return vm_raise_errno(vm, errno, NULL);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &cpus))
            set_add(vm, set, small(i));
    return set;
}

static value os_system(struct vm *vm, const struct args *args)
{
    const char *command = arg_text(vm, args, 0, NULL);
    if (!command)
        return NO_VALUE;
    fflush(NULL);
    return small(system(command));
}

static value os_exit_now(struct vm *vm, const struct args *args)
{
    int64_t status;
    if (!arg_int(vm, args, 0, 0, &status))
        return NO_VALUE;
    fflush(NULL);
    _exit((int)status);
}

static value os_putenv(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL),
               *text = name ? arg_text(vm, args, 1, NULL) : NULL;
    environment_changed();
    return text ? done_or(vm, !setenv(name, text, 1), name) : NO_VALUE;
}

static value os_unsetenv(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    environment_changed();
    return name ? done_or(vm, !unsetenv(name), name) : NO_VALUE;
}

static value os_environment(struct vm *vm, const struct args *args)
{
    return environment_dict(vm);
}

static value os_umask(struct vm *vm, const struct args *args)
{
    int64_t mask;
    return arg_int(vm, args, 0, 0, &mask) ? small(umask((mode_t)mask)) : NO_VALUE;
}

static value os_kill(struct vm *vm, const struct args *args)
{
    int64_t pid, signum;
    return arg_int(vm, args, 0, 0, &pid) && arg_int(vm, args, 1, 0, &signum)
               ? done_or(vm, !kill((pid_t)pid, (int)signum), "")
               : NO_VALUE;
}

static value os_urandom(struct vm *vm, const struct args *args)
{
    int64_t n;
    struct buf out = {0};
    if (!arg_int(vm, args, 0, 0, &n))
        return NO_VALUE;
    if (n < 0)
        return vm_raise(vm, "ValueError", "negative argument not allowed");
    char *to = buf_room(&out, (size_t)n + 1);
    for (size_t got = 0; got < (size_t)n;) {
        ssize_t more = getrandom(to + got, (size_t)n - got > 256 ? 256 : (size_t)n - got, 0);
        got += more > 0 ? (size_t)more : 0;
    }
    out.len = (size_t)n;
    return bytes_take(vm, &out);
}

static value os_strerror(struct vm *vm, const struct args *args)
{
    int64_t code;
    return arg_int(vm, args, 0, 0, &code) ? str_from(vm, strerror((int)code)) : NO_VALUE;
}

static value os_close(struct vm *vm, const struct args *args)
{
    int64_t fd;
    return arg_int(vm, args, 0, -1, &fd) ? done_or(vm, !close((int)fd), "") : NO_VALUE;
}

static value os_open(struct vm *vm, const struct args *args)
{
    int64_t flags, mode;
    const char *path = arg_path(vm, args, 0);
    if (!path || !arg_int(vm, args, 1, 0, &flags) || !arg_int(vm, args, 2, 0777, &mode))
        return NO_VALUE;
    int fd = open(path, (int)flags | O_CLOEXEC, (mode_t)mode);
    return fd < 0 ? vm_raise_errno(vm, errno, path) : small(fd);
}

static value os_write(struct vm *vm, const struct args *args)
{
    int64_t fd;
    size_t len;
    value bytes = arg_int(vm, args, 0, -1, &fd) ? bytes_of(vm, args->at[1]) : NO_VALUE;
    const char *at = bytes ? bytes_get(bytes, &len) : NULL;
    if (!at)
        return NO_VALUE;
    ssize_t n = write((int)fd, at, len);
    return n < 0 ? vm_raise_errno(vm, errno, NULL) : small(n);
}

enum { MOST_READ = 0x7ffff000 }; /* Linux reads no more at once */

static value os_read(struct vm *vm, const struct args *args)
{
    int64_t fd, size;
    struct buf out = {0};
    if (!arg_int(vm, args, 0, -1, &fd) || !arg_int(vm, args, 1, 0, &size))
        return NO_VALUE;
    if (size < 0)
        return vm_raise_errno(vm, EINVAL, NULL);
    if (size > MOST_READ)
        size = MOST_READ;
    ssize_t n = read((int)fd, buf_room(&out, (size_t)size + 1), (size_t)size);
    value bytes = n < 0 ? vm_raise_errno(vm, errno, NULL) : bytes_new(vm, out.at, (size_t)n);
    buf_free(&out);
    return bytes;
}

static value os_lseek(struct vm *vm, const struct args *args)
{
    int64_t fd, offset, whence;
    if (!arg_int(vm, args, 0, -1, &fd) || !arg_int(vm, args, 1, 0, &offset) ||
        !arg_int(vm, args, 2, SEEK_SET, &whence))
        return NO_VALUE;
    off_t at = lseek((int)fd, (off_t)offset, (int)whence);
    return at < 0 ? vm_raise_errno(vm, errno, NULL) : int_from(vm, at);
}

static value os_fsync(struct vm *vm, const struct args *args)
{
    int64_t fd;
    return arg_int(vm, args, 0, -1, &fd) ? done_or(vm, !fsync((int)fd), "") : NO_VALUE;
}

static value os_setsid(struct vm *vm, const struct args *args)
{
    return done_or(vm, setsid() >= 0, "");
}

static value os_getpgrp(struct vm *vm, const struct args *args)
{
    return small(getpgrp());
}

static value os_getpgid(struct vm *vm, const struct args *args)
{
    int64_t pid;
    if (!arg_int(vm, args, 0, 0, &pid))
        return NO_VALUE;
    pid_t group = getpgid((pid_t)pid);
    return group < 0 ? vm_raise_errno(vm, errno, NULL) : small(group);
}

static value os_killpg(struct vm *vm, const struct args *args)
{
    int64_t group, signum;
    return arg_int(vm, args, 0, 0, &group) && arg_int(vm, args, 1, 0, &signum)
               ? done_or(vm, !killpg((pid_t)group, (int)signum), "")
               : NO_VALUE;
}

static value os_isatty(struct vm *vm, const struct args *args)
{
    int64_t fd;
    return arg_int(vm, args, 0, -1, &fd) ? value_bool(isatty((int)fd)) : NO_VALUE;
}

static value os_fspath(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? (is_str(args->at[0]) ? args->at[0] : str_from(vm, path)) : NO_VALUE;
}

static value os_uname_fields(struct vm *vm, const struct args *args)
{
    struct utsname name;
    uname(&name);
    return tuple_new(vm,
                     (value[]){str_from(vm, name.sysname), str_from(vm, name.nodename),
                               str_from(vm, name.release), str_from(vm, name.version),
                               str_from(vm, name.machine)},
                     5);
}

static value os_getloadavg(struct vm *vm, const struct args *args)
{
    double load[3] = {0};
    getloadavg(load, 3);
    return tuple_new(
        vm, (value[]){float_new(vm, load[0]), float_new(vm, load[1]), float_new(vm, load[2])}, 3);
}

static const struct native_def functions[] = {
    {"getcwd", os_getcwd, "", "The current directory."},
    {"chdir", os_chdir, "path", "Changes the current directory."},
    {"_entries", os_entries, "path", "Names and kinds of what is in a directory."},
    {"listdir", os_listdir, "path=None", "The names in a directory."},
    {"mkdir", os_mkdir, "path mode=511", "Makes a directory."},
    {"rmdir", os_rmdir, "path", "Removes an empty directory."},
    {"remove", os_remove, "path", "Removes a file."},
    {"unlink", os_remove, "path", "Removes a file."},
    {"rename", os_rename, "src dst", "Gives another name."},
    {"replace", os_rename, "src dst", "Gives another name."},
    {"symlink", os_symlink, "src dst target_is_directory=False", "Makes a link."},
    {"link", os_link, "src dst", "Makes a hard link."},
    {"readlink", os_readlink, "path", "Where a link leads."},
    {"_stat_fields", os_stat_fields, "path follow=True", "Fields of stat."},
    {"_statvfs_fields", os_statvfs_fields, "path", "Fields of statvfs."},
    {"chmod", os_chmod, "path mode", "Changes permissions."},
    {"_utime_ns", os_utime_ns, "path atime mtime follow", "Sets times."},
    {"access", os_access, "path mode", "Whether it may be used so."},
    {"mkfifo", os_mkfifo, "path mode=438", "Makes a named pipe."},
    {"getpid", os_getpid, "", "The process."},
    {"getppid", os_getppid, "", "Its parent."},
    {"getuid", os_getuid, "", "The user."},
    {"geteuid", os_geteuid, "", "The user whose rights it has."},
    {"getgid", os_getgid, "", "The group."},
    {"getegid", os_getegid, "", "The group whose rights it has."},
    {"sysconf", os_sysconf, "name", "A limit or size of the system."},
    {"getlogin", os_getlogin, "", "The user's name."},
    {"cpu_count", os_cpu_count, "", "Processors."},
    {"sched_getaffinity", os_sched_getaffinity, "pid", "Processors that may be used."},
    {"system", os_system, "command", "Runs a shell command."},
    {"_exit", os_exit_now, "status", "Ends the program at once."},
    {"putenv", os_putenv, "name value", "Sets in the environment."},
    {"unsetenv", os_unsetenv, "name", "Removes from the environment."},
    {"_environment", os_environment, "", "The environment as it is now."},
    {"umask", os_umask, "mask", "Sets the file creation mask."},
    {"kill", os_kill, "pid signal", "Sends a signal."},
    {"urandom", os_urandom, "size", "Random bytes."},
    {"strerror", os_strerror, "code", "The text of an error number."},
    {"open", os_open, "path flags mode=511", "Opens a file by system call."},
    {"close", os_close, "fd", "Closes."},
    {"write", os_write, "fd data", "Writes bytes."},
    {"read", os_read, "fd length", "Reads so many bytes at most."},
    {"lseek", os_lseek, "fd position whence", "Goes to a position."},
    {"_fsync", os_fsync, "fd", "Waits until what was written is on the disk."},
    {"setsid", os_setsid, "", "Makes the process the first of a session."},
    {"getpgrp", os_getpgrp, "", "The process group."},
    {"getpgid", os_getpgid, "pid", "The group of a process."},
    {"killpg", os_killpg, "pgid signal", "Sends a signal to a process group."},
    {"isatty", os_isatty, "fd", "Whether it is a terminal."},
    {"fspath", os_fspath, "path", "The path as text."},
    {"_uname_fields", os_uname_fields, "", "Fields of uname."},
    {"getloadavg", os_getloadavg, "", "The load."},
    {0}};

static bool fill(struct vm *vm, value module)
{
    static const struct {
        const char *name;
        int64_t i;
    } numbers[] = {
        {"F_OK", F_OK},         {"R_OK", R_OK},         {"W_OK", W_OK},
        {"X_OK", X_OK},         {"O_RDONLY", O_RDONLY}, {"O_WRONLY", O_WRONLY},
        {"O_RDWR", O_RDWR},     {"O_CREAT", O_CREAT},   {"O_EXCL", O_EXCL},
        {"O_TRUNC", O_TRUNC},   {"O_APPEND", O_APPEND}, {"SEEK_SET", SEEK_SET},
        {"SEEK_CUR", SEEK_CUR}, {"SEEK_END", SEEK_END}, {"EX_OK", 0},
        {"EX_USAGE", 64},       {"EX_DATAERR", 65},     {"EX_NOINPUT", 66},
        {"EX_UNAVAILABLE", 69}, {"EX_SOFTWARE", 70},    {"EX_OSERR", 71},
        {"EX_CANTCREAT", 73},   {"EX_IOERR", 74},       {"EX_TEMPFAIL", 75},
        {"EX_NOPERM", 77},      {"EX_CONFIG", 78},
    };
    static const char *const texts[][2] = {
        {"sep", "/"},     {"linesep", "\n"}, {"pathsep", ":"},  {"curdir", "."},
        {"pardir", ".."}, {"extsep", "."},   {"name", "posix"}, {"devnull", "/dev/null"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        module_set(vm, module, numbers[i].name, small(numbers[i].i));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        module_set(vm, module, texts[i][0], str_from(vm, texts[i][1]));
    module_set(vm, module, "altsep", VALUE_NONE);
    value names = dict_new(vm);
    for (int i = 0; i < SIZES; i++)
        dict_set_str(vm, names, sizes[i].name, small(sizes[i].number));
    module_set(vm, module, "sysconf_names", names);
    value path = module_import(vm, "os.path");
    return path && module_set(vm, module, "path", path) && library_run(vm, module, "_os");
}

const struct native_module module_os = {"os", functions, fill};
