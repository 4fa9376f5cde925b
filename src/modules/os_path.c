// SPDX-License-Identifier: MIT
/* os.path, as posixpath has it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/path.h"
#include "modules/modules.h"
#include "python/str.h"
#include "python/vm.h"

/* A str or path-like argument that is one of many. */
static const char *path_of(struct vm *vm, const struct args *args, value v)
{
    struct args one = {&v, 1, args->def, NULL};
    return arg_path(vm, &one, 0);
}

static value path_join_(struct vm *vm, const struct args *args)
{
    size_t n;
    struct buf out = {0};
    const char *path = arg_path(vm, args, 0);
    const value *parts = sequence_items(args->at[1], &n);
    if (!path)
        return NO_VALUE;
    buf_str(&out, path);
    for (size_t i = 0; i < n; i++) {
        if (!is_str(parts[i]) && (!is_object(parts[i]) || is_list(parts[i]))) {
            buf_free(&out);
            return vm_raise(vm, "TypeError",
                            "join() argument must be str, bytes, or os.PathLike object, not '%s'",
                            type_name(parts[i]));
        }
        if (!(path = path_of(vm, args, parts[i]))) {
            buf_free(&out);
            return NO_VALUE;
        }
        if (*path == '/')
            buf_reset(&out);
        else if (out.len && out.at[out.len - 1] != '/')
            buf_char(&out, '/');
        buf_str(&out, path);
    }
    return str_take(vm, &out);
}

/* Bytes of the directory part of a path, as split() cuts it: without slashes at its end unless it
 * is all slashes. */
static size_t head_len(const char *path, size_t *tail)
{
    const char *slash = strrchr(path, '/');
    size_t n = *tail = slash ? (size_t)(slash - path) + 1 : 0;
    size_t keep = n;
    while (keep && path[keep - 1] == '/')
        keep--;
    return keep ? keep : n;
}

static value path_split(struct vm *vm, const struct args *args)
{
    size_t tail;
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    size_t head = head_len(path, &tail);
    return tuple_new(vm, (value[]){str_new(vm, path, head), str_from(vm, path + tail)}, 2);
}

static value path_dirname_(struct vm *vm, const struct args *args)
{
    size_t tail;
    const char *path = arg_path(vm, args, 0);
    return path ? str_new(vm, path, head_len(path, &tail)) : NO_VALUE;
}

static value path_basename_(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0), *slash = path ? strrchr(path, '/') : NULL;
    return path ? str_from(vm, slash ? slash + 1 : path) : NO_VALUE;
}

static value path_splitext(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    const char *ext = path_extension(path);
    return tuple_new(
        vm, (value[]){str_new(vm, path, strlen(path) - strlen(ext)), str_from(vm, ext)}, 2);
}

/* What a function of an arena and a path makes of the argument. */
static value normalized(struct vm *vm, const char *path, const char *base)
{
    struct arena scratch = {0};
    value v = NO_VALUE;
    if (path)
        v = str_from(vm, base ? path_absolute(&scratch, base, path) : path_normal(&scratch, path));
    arena_free(&scratch);
    return v;
}

static value path_normpath(struct vm *vm, const struct args *args)
{
    return normalized(vm, arg_path(vm, args, 0), NULL);
}

/* What a path is relative to: the current directory; NULL with an exception if that is not there
 * any more. */
static const char *base_of(struct vm *vm, const char *path, struct arena *in)
{
    const char *cwd = *path == '/' ? "/" : fs_find_cwd(in);
    if (!cwd)
        vm_raise_errno(vm, errno, NULL);
    return cwd;
}

static value path_abspath(struct vm *vm, const struct args *args)
{
    struct arena scratch = {0};
    const char *path = arg_path(vm, args, 0), *base = path ? base_of(vm, path, &scratch) : NULL;
    value v = base ? normalized(vm, path, base) : NO_VALUE;
    arena_free(&scratch);
    return v;
}

/* ---- links ---- */

enum { MOST_LINKS = 40 };

/* A path whose links are being resolved: what is done has none, todo is still to be looked at. */
struct resolving {
    struct buf done, todo;
    int links;
};

/* Takes the next part off todo; false at the end. */
static bool next_part(struct resolving *r, struct buf *part)
{
    const char *at = buf_text(&r->todo);
    while (*at == '/')
        at++;
    size_t len = strcspn(at, "/");
    buf_reset(part);
    buf_add(part, at, len);
    struct buf rest = {0};
    buf_str(&rest, at + len);
    buf_free(&r->todo);
    r->todo = rest;
    return len;
}

/* Goes on with the target of the link that done and part name; false with errno. */
static bool follow(struct resolving *r, const char *link)
{
    char target[PATH_MAX];
    ssize_t n = readlink(link, target, sizeof target - 1);
    if (n < 0 || ++r->links > MOST_LINKS) {
        errno = n < 0 ? errno : ELOOP;
        return false;
    }
    target[n] = 0;
    struct buf todo = {0};
    buf_printf(&todo, "%s/%s", target, buf_text(&r->todo));
    buf_free(&r->todo);
    r->todo = todo;
    if (*target == '/')
        buf_reset(&r->done);
    return true;
}

/* Resolves one part; false with errno: it is not there, or a circle of links. It stays as it is
 * then. */
static bool resolve_part(struct resolving *r, const char *part)
{
    struct stat st;
    char *done = r->done.at;
    if (!strcmp(part, "."))
        return true;
    if (!strcmp(part, "..")) {
        r->done.len = r->done.len ? (size_t)(strrchr(done, '/') - done) : 0;
        if (done)
            done[r->done.len] = 0;
        return true;
    }
    size_t before = r->done.len;
    buf_printf(&r->done, "/%s", part);
    if (lstat(r->done.at, &st))
        return false;
    if (!S_ISLNK(st.st_mode))
        return true;
    struct buf link = {0};
    buf_str(&link, r->done.at);
    r->done.at[r->done.len = before] = 0;
    bool followed = follow(r, link.at);
    if (!followed)
        buf_printf(&r->done, "/%s", part);
    buf_free(&link);
    return followed;
}

// os.path.realpath(filename, *, strict=False): what is not there stays as it is, unless strict
static value path_realpath(struct vm *vm, const struct args *args)
{
    struct arena scratch = {0};
    struct resolving r = {0};
    struct buf part = {0};
    const char *path = arg_path(vm, args, 0), *base = path ? base_of(vm, path, &scratch) : NULL;
    bool strict, fine = base && arg_bool(vm, args, 1, false, &strict);
    if (fine && strcmp(base, "/"))
        buf_str(&r.done, base);
    buf_str(&r.todo, fine ? path : "");
    while (fine && next_part(&r, &part)) {
        if (!resolve_part(&r, buf_text(&part)) && strict) {
            vm_raise_errno(vm, errno, buf_text(&r.done));
            fine = false;
        }
    }
    value v = fine ? str_from(vm, r.done.len ? r.done.at : "/") : NO_VALUE;
    buf_free(&r.done);
    buf_free(&r.todo);
    buf_free(&part);
    arena_free(&scratch);
    return v;
}

static value path_relpath(struct vm *vm, const struct args *args)
{
    struct arena scratch = {0};
    const char *path = arg_path(vm, args, 0), *base, *from;
    const char *start = arg_given(args, 1) && args->at[1] != VALUE_NONE ? arg_path(vm, args, 1)
                                                                        : ".";
    value v = NO_VALUE;
    if (path && !*path)
        v = vm_raise(vm, "ValueError", "no path specified");
    else if (path && start && (base = base_of(vm, path, &scratch)) &&
             (from = base_of(vm, start, &scratch)))
        v = str_from(vm, path_relative(&scratch, path_absolute(&scratch, base, path),
                                       path_absolute(&scratch, from, start)));
    arena_free(&scratch);
    return v;
}

/* ---- questions ---- */

/* stat or lstat of the argument: 1 it is there, 0 it is not, -1 raised. */
static int look(struct vm *vm, const struct args *args, bool follow, struct stat *st)
{
    int64_t fd;
    if (int_get(args->at[0], &fd))
        return !fstat((int)fd, st);
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return -1;
    return !(follow ? stat(path, st) : lstat(path, st));
}

static value path_exists(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, true, &st);
    return found < 0 ? NO_VALUE : value_bool(found);
}

static value path_lexists(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, false, &st);
    return found < 0 ? NO_VALUE : value_bool(found);
}

static value path_isfile(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, true, &st);
    return found < 0 ? NO_VALUE : value_bool(found && S_ISREG(st.st_mode));
}

static value path_isdir(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, true, &st);
    return found < 0 ? NO_VALUE : value_bool(found && S_ISDIR(st.st_mode));
}

static value path_islink(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, false, &st);
    return found < 0 ? NO_VALUE : value_bool(found && S_ISLNK(st.st_mode));
}

static value path_isabs(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? value_bool(*path == '/') : NO_VALUE;
}

static value missing(struct vm *vm, const struct args *args, int found)
{
    return found < 0
               ? NO_VALUE
               : vm_raise_errno(vm, errno, is_small(args->at[0]) ? "" : arg_path(vm, args, 0));
}

static value path_getsize(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, true, &st);
    return found > 0 ? int_from(vm, st.st_size) : missing(vm, args, found);
}

static value seconds(struct vm *vm, struct timespec at)
{
    return float_new(vm, (double)at.tv_sec + 1e-9 * (double)at.tv_nsec);
}

static value path_getmtime(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, true, &st);
    return found > 0 ? seconds(vm, st.st_mtim) : missing(vm, args, found);
}

static value path_getctime(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, true, &st);
    return found > 0 ? seconds(vm, st.st_ctim) : missing(vm, args, found);
}

static value path_getatime(struct vm *vm, const struct args *args)
{
    struct stat st;
    int found = look(vm, args, true, &st);
    return found > 0 ? seconds(vm, st.st_atim) : missing(vm, args, found);
}

static value path_samefile(struct vm *vm, const struct args *args)
{
    struct stat a, b;
    struct args second = {args->at + 1, 1, args->def, NULL};
    int found = look(vm, args, true, &a);
    if (found <= 0)
        return missing(vm, args, found);
    found = look(vm, &second, true, &b);
    return found > 0 ? value_bool(a.st_dev == b.st_dev && a.st_ino == b.st_ino)
                     : missing(vm, &second, found);
}

/* ---- expanding ---- */

static value path_expanduser(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    if (!path || *path != '~')
        return path ? str_from(vm, path) : NO_VALUE;
    size_t n = strcspn(path, "/");
    char user[256] = {0};
    const char *home = n == 1 ? getenv("HOME") : NULL;
    if (n > 1 && n <= sizeof user)
        memcpy(user, path + 1, n - 1);
    if (!home) {
        const struct passwd *pw = n == 1 ? getpwuid(getuid()) : getpwnam(user);
        home = pw ? pw->pw_dir : NULL;
    }
    if (!home)
        return str_from(vm, path);
    size_t len = strlen(home);
    while (len && home[len - 1] == '/') /* a home of "/" adds none to what follows */
        len--;
    return len || path[n] ? str_printf(vm, "%.*s%s", (int)len, home, path + n) : str_from(vm, "/");
}

static size_t name_len(const char *p)
{
    return strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
}

static value path_expandvars(struct vm *vm, const struct args *args)
{
    struct buf out = {0};
    const char *p = arg_path(vm, args, 0);
    if (!p)
        return NO_VALUE;
    while (*p) {
        bool braces = p[0] == '$' && p[1] == '{';
        const char *name = p + 1 + braces;
        size_t n = *p == '$' ? (braces ? strcspn(name, "}") : name_len(name)) : 0;
        char copy[256];
        if (!n || n >= sizeof copy || (braces && name[n] != '}')) {
            buf_char(&out, *p++);
            continue;
        }
        memcpy(copy, name, n);
        copy[n] = 0;
        const char *set = getenv(copy), *end = name + n + braces;
        buf_add(&out, set ? set : p, set ? strlen(set) : (size_t)(end - p));
        p = end;
    }
    return str_take(vm, &out);
}

static value path_commonprefix(struct vm *vm, const struct args *args)
{
    size_t n, len = 0;
    value list = arg_list(vm, args, 0);
    const value *items = list ? sequence_items(list, &n) : NULL;
    if (!list)
        return NO_VALUE;
    if (!n)
        return str_from(vm, "");
    for (size_t i = 0; i < n; i++) {
        const char *path = path_of(vm, args, items[i]), *first = path_of(vm, args, items[0]);
        if (!path)
            return NO_VALUE;
        size_t same = 0;
        while (path[same] && path[same] == first[same])
            same++;
        len = i && same > len ? len : same;
    }
    return str_new(vm, path_of(vm, args, items[0]), len);
}

static value path_splitdrive(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? tuple_new(vm, (value[]){str_from(vm, ""), str_from(vm, path)}, 2) : NO_VALUE;
}

static value path_splitroot(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    size_t slashes = strspn(path, "/"), root = slashes > 2 ? 1 : slashes; /* "//" is a root, too */
    return tuple_new(
        vm, (value[]){str_from(vm, ""), str_new(vm, path, root), str_from(vm, path + root)}, 3);
}

static value path_normcase(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? str_from(vm, path) : NO_VALUE;
}

static value path_ismount(struct vm *vm, const struct args *args)
{
    struct stat st, up;
    const char *path = arg_path(vm, args, 0);
    if (!path)
        return NO_VALUE;
    value parent = str_printf(vm, "%s/..", path);
    return value_bool(!lstat(path, &st) && !S_ISLNK(st.st_mode) && !stat(str_text(parent), &up) &&
                      (st.st_dev != up.st_dev || st.st_ino == up.st_ino));
}

/* A path without double slashes and "." components; ".." stays. */
static const char *plain_path(struct arena *in, const char *path)
{
    char *plain = arena_alloc(in, strlen(path) + 2), *to = plain;
    if (*path == '/')
        *to++ = '/';
    while (*(path += strspn(path, "/"))) {
        size_t len = strcspn(path, "/");
        if (len != 1 || *path != '.') {
            if (to > plain && to[-1] != '/')
                *to++ = '/';
            memcpy(to, path, len);
            to += len;
        }
        path += len;
    }
    *to = '\0';
    return plain;
}

/* commonpath: the longest path that is a beginning of all, by whole components. */
static value path_commonpath(struct vm *vm, const struct args *args)
{
    size_t n, len = 0;
    value list = arg_list(vm, args, 0);
    const value *items = list ? sequence_items(list, &n) : NULL;
    if (!list)
        return NO_VALUE;
    if (!n)
        return vm_raise(vm, "ValueError", "commonpath() arg is an empty sequence");
    struct arena scratch = {0};
    const char *first = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *given = path_of(vm, args, items[i]);
        if (!given || (first && (*given == '/') != (*first == '/'))) {
            arena_free(&scratch);
            return given ? vm_raise(vm, "ValueError", "Can't mix absolute and relative paths")
                         : NO_VALUE;
        }
        const char *path = plain_path(&scratch, given);
        if (!first) {
            first = path;
            len = strlen(path);
            continue;
        }
        size_t same = 0, cut = 0;
        for (; same < len && path[same] && path[same] == first[same]; same++)
            if (path[same] == '/')
                cut = same ? same : 1;
        bool whole = (!path[same] || path[same] == '/') && (same == len || first[same] == '/');
        len = whole ? same : cut;
    }
    value v = str_new(vm, first, len);
    arena_free(&scratch);
    return v;
}

static const struct native_def functions[] = {
    {"join", path_join_, "a *p", "Paths put together."},
    {"split", path_split, "p", "(directory, name)"},
    {"dirname", path_dirname_, "p", "The directory."},
    {"basename", path_basename_, "p", "The name."},
    {"splitext", path_splitext, "p", "(path, extension)"},
    {"splitdrive", path_splitdrive, "p", "('', path)"},
    {"splitroot", path_splitroot, "p /", "('', root, rest)"},
    {"normpath", path_normpath, "path", "Without . and .. and double slashes."},
    {"normcase", path_normcase, "s", "The path itself."},
    {"abspath", path_abspath, "path", "From the root, normal."},
    {"realpath", path_realpath, "filename * strict=False", "From the root, links resolved."},
    {"relpath", path_relpath, "path start=None", "As seen from start."},
    {"exists", path_exists, "path", "Whether it is there."},
    {"lexists", path_lexists, "path", "Whether it is there, if only as a link."},
    {"isfile", path_isfile, "path", "Whether it is a file."},
    {"isdir", path_isdir, "s", "Whether it is a directory."},
    {"islink", path_islink, "path", "Whether it is a link."},
    {"isabs", path_isabs, "s", "Whether it begins at the root."},
    {"ismount", path_ismount, "path", "Whether a file system is mounted there."},
    {"getsize", path_getsize, "filename", "Bytes."},
    {"getmtime", path_getmtime, "filename", "When it was changed, in seconds."},
    {"getctime", path_getctime, "filename", "When its entry was changed, in seconds."},
    {"getatime", path_getatime, "filename", "When it was read, in seconds."},
    {"samefile", path_samefile, "f1 f2", "Whether both are the same file."},
    {"expanduser", path_expanduser, "path", "~ as the home directory."},
    {"expandvars", path_expandvars, "path", "$NAME as in the environment."},
    {"commonprefix", path_commonprefix, "m", "The characters that all begin with."},
    {"commonpath", path_commonpath, "paths", "The directory that all are in."},
    {0}};

static bool fill(struct vm *vm, value module)
{
    return module_set(vm, module, "sep", str_from(vm, "/")) &&
           module_set(vm, module, "altsep", VALUE_NONE) &&
           module_set(vm, module, "extsep", str_from(vm, ".")) &&
           module_set(vm, module, "pathsep", str_from(vm, ":")) &&
           module_set(vm, module, "curdir", str_from(vm, ".")) &&
           module_set(vm, module, "pardir", str_from(vm, ".."));
}

const struct native_module module_os_path = {"os.path", functions, fill};
const struct native_module module_posixpath = {"posixpath", functions, fill};
