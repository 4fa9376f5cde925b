// SPDX-License-Identifier: MIT
#include "base/fs.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct arena arena;

/* Stands before the C library's. A network file system may say only here that there is no room. */
static bool no_room; /* for files that were opened to be written */

int close(int fd)
{
    bool fails = no_room && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
    int status = (int)syscall(SYS_close, fd);
    errno = fails ? EDQUOT : errno;
    return fails ? -1 : status;
}

/* As of a file that is immutable, or another user's in a directory such as /tmp. */
static bool not_permitted;

int unlinkat(int at, const char *name, int flags)
{
    errno = EPERM;
    return not_permitted ? -1 : (int)syscall(SYS_unlinkat, at, name, flags);
}

static void put(const char *path, const char *text)
{
    fs_make_parent(path);
    fs_write(path, text, strlen(text));
}

static void test_files(void)
{
    size_t len = 0;
    ok(fs_write("f", "a\0b", 3), "a file is written");
    char *text = fs_read(&arena, "f", &len);
    ok(text && len == 3 && !memcmp(text, "a\0b", 4), "and read whole");
    ok(fs_write("f", "", 0) && fs_read(&arena, "f", &len) && len == 0,
       "and replaced by an empty one");
    ok(fs_write("t", "1\n2\n3\n\n", 8), "a file of lines");
    is(fs_read_tail(&arena, "t", 2), "2\n3", "its last lines");
    is(fs_read_tail(&arena, "t", 9), "1\n2\n3", "all of them when there are fewer");
    is(fs_read_tail(&arena, "f", 2), "", "none of an empty file");
    ok(!fs_read_tail(&arena, "absent", 2), "an absent one has no tail");
    ok(!fs_read(&arena, "absent", &len) && errno == ENOENT, "an absent file says so");
    ok(!fs_read(&arena, ".", &len) && errno == EISDIR, "so does a directory");
    ok(!fs_write("no/dir/f", "x", 1) && errno == ENOENT, "writing needs the directory");
    text = fs_read(&arena, "/proc/self/status", &len);
    ok(text && len > 100 && strlen(text) == len, "a file that does not know its size");
    ok(symlink("gone", "broken") == 0 && !fs_exists("broken") && fs_exists("f"), "a broken link");
}

static void test_dirs(void)
{
    ok(fs_mkdirs("d/e/f/") && fs_is_dir("d/e/f"), "directories with their parents");
    ok(fs_mkdirs("d/e/f"), "again is fine");
    ok(!fs_mkdirs("f/x") && errno == ENOTDIR, "not below a file");
    ok(!fs_mkdirs("f") && errno == ENOTDIR, "not in place of a file");
    ok(fs_make_parent("p/q/r") && fs_is_dir("p/q") && !fs_exists("p/q/r"), "the parent only");
    put("keep/me", "x");
    put("d/e/g", "x");
    ok(symlink("../keep", "d/link") == 0, "a link out of the tree");
    ok(fs_remove_tree("d") && !fs_exists("d"), "a tree is removed");
    ok(fs_exists("keep/me"), "what its links lead to is not");
    ok(fs_remove_tree("d"), "removing what is gone is fine");
    not_permitted = true;
    ok(!fs_remove_tree("f") && errno == EPERM && !fs_remove_tree("broken") && errno == EPERM,
       "what may not be removed says so");
    not_permitted = false;
    ok(fs_remove_tree("broken") && fs_remove_tree("f"), "files and links are removed too");
}

static void test_times(void)
{
    struct stat st;
    put("t", "x");
    ok(fs_touch("t", INT64_C(1500000000123456789), true) && !stat("t", &st) &&
           fs_mtime(&st) == INT64_C(1500000000123456789),
       "a time of nanoseconds");
    ok(symlink("t", "t.link") == 0 && fs_touch("t.link", INT64_C(1600000000000000001), false) &&
           !stat("t", &st) && fs_mtime(&st) == INT64_C(1500000000123456789),
       "the link's own time");
    ok(fs_touch("t", 0, true) && !stat("t", &st) && fs_mtime(&st) / 1000000000 >= time(NULL) - 2,
       "touched now");
    ok(!fs_touch("absent", 0, true) && errno == ENOENT, "an absent file is not made");
}

struct seen {
    char names[20][64];
    int n;
};

static bool remember(void *user, const char *path, bool is_dir)
{
    struct seen *seen = user;
    snprintf(seen->names[seen->n++ % 20], 64, "%s%s", path, is_dir ? "/" : "");
    return strcmp(path, "pruned") != 0;
}

static bool has(const struct seen *seen, const char *name)
{
    for (int i = 0; i < seen->n; i++) {
        if (!strcmp(seen->names[i], name))
            return true;
    }
    return false;
}

static void test_walk(void)
{
    struct seen seen = {0};
    put("w/a/b/c", "x");
    put("w/pruned/hidden", "x");
    put("w/top", "x");
    ok(symlink("..", "w/a/up") == 0 && symlink("../keep", "w/keep") == 0, "links to directories");
    ok(fs_walk("w", false, remember, &seen, NULL), "a walk");
    ok(seen.n == 7 && has(&seen, "a/") && has(&seen, "a/b/") && has(&seen, "a/b/c") &&
           has(&seen, "top") && has(&seen, "pruned/") && has(&seen, "a/up") && has(&seen, "keep"),
       "sees every entry once, links as files, nothing below what is pruned");
    seen.n = 0;
    ok(fs_walk("w", true, remember, &seen, NULL), "a walk through links");
    ok(seen.n == 8 && has(&seen, "keep/me") && has(&seen, "a/up/"),
       "goes through links, but in no circle");
    ok(!fs_walk("absent", false, remember, &seen, NULL) && errno == ENOENT, "an absent root");
}

/* Root may read everything, but not open more than it may. */
static void test_unread(void)
{
    struct seen seen = {0};
    struct fs_unread unread;
    struct rlimit limit;
    struct arena in = {0};
    int next = dup(0);
    ok(next > 0 && !close(next) && !getrlimit(RLIMIT_NOFILE, &limit), "the next descriptor");
    struct rlimit one = {(rlim_t)next + 1, limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &one);
    bool walked = fs_walk("w", false, remember, &seen, &unread), copied = fs_copy("w", "w.copy");
    int error = errno;
    setrlimit(RLIMIT_NOFILE, &limit);
    ok(walked && unread.n == 1 && unread.error == EMFILE && !strcmp(unread.path, "a"),
       "a folder that cannot be read");
    is(fs_unread_text(&unread, "w", &in),
       arena_printf(&in, "cannot read 'w/a': %s", strerror(EMFILE)), "is told");
    ok(!copied && error == EMFILE, "a tree that cannot be read is not copied");
    ok(!fs_walk("absent", false, remember, &seen, &unread) && !unread.n,
       "nothing is no such folder");
    arena_free(&in);
}

static void test_full(void)
{
    put("full/a/b", "x");
    no_room = true;
    errno = 0;
    ok(!fs_write("no room", "x", 1) && errno == EDQUOT && !fs_exists("no room"),
       "a file whose end finds no room is not written");
    ok(!fs_write_new("no room", "x", 1) && errno == EDQUOT && !fs_exists("no room"),
       "nor is a new one left behind");
    errno = 0;
    ok(!fs_copy("full/a/b", "b") && errno == EDQUOT, "nor is one copied");
    errno = 0;
    ok(!fs_copy("full", "full.copy") && errno == EDQUOT, "nor is a tree with such a file");
    no_room = false;
}

static void test_copy(void)
{
    struct stat st;
    fs_mkdirs("kinds/private");
    ok(!chmod("kinds/private", 0500) && !mkfifo("kinds/pipe", 0600) && !chmod("kinds/pipe", 0622) &&
           !symlink("no", "kinds/link"),
       "a tree with more than files");
    alarm(10);
    ok(fs_copy("kinds", "kinds.copy"), "is copied");
    alarm(0);
    ok(!stat("kinds.copy/pipe", &st) && st.st_mode == (S_IFIFO | 0622), "with its pipe");
    ok(!lstat("kinds.copy/link", &st) && S_ISLNK(st.st_mode), "and its link");
    ok(!stat("kinds.copy/private", &st) && (st.st_mode & 07777) == 0700,
       "others may not read more of it");
    put("own", "x");
    ok(!chmod("own", 06755) && fs_copy("own", "own.copy") && !stat("own.copy", &st) &&
           (st.st_mode & 07777) == 06755,
       "one's own program keeps its owner's rights");
    bool foreign = !chown("own", 1, 1) && !chmod("own", 06755); /* by root alone */
    ok(!foreign || (!unlink("own.copy") && fs_copy("own", "own.copy") && !stat("own.copy", &st) &&
                    (st.st_mode & 07777) == 0755),
       "that of somebody else does not get those of who copies it");
}

static void backwards(size_t n, void (*work)(void *user, size_t i), void *user)
{
    while (n--)
        work(user, n);
}

static void test_stat_many(void)
{
    const char *few[] = {"t",     "absent", "t.link",  "no/such/dir", "/",
                         "keep/", "",       "w/a/b/c", "/proc",       "t/x"};
    struct fs_info info[10], *many = calloc(2000, sizeof *many);
    const char **paths = calloc(2000, sizeof *paths);
    struct stat st;
    fs_touch("t.link", INT64_C(1600000000000000001), false);
    fs_touch("t", INT64_C(1500000000000000000), true);
    fs_stat_many(few, 10, info, NULL);
    ok(info[0].mtime == INT64_C(1500000000000000000) && info[0].size == 1 && S_ISREG(info[0].mode),
       "a file's time, size and mode");
    ok(info[1].mtime == -1 && info[3].mtime == -1 && info[6].mtime == -1 && info[9].mtime == -1,
       "absent files");
    ok(info[2].mtime == INT64_C(1600000000000000001) && S_ISREG(info[2].mode),
       "a link is as old as the younger of itself and its target");
    ok(info[4].mtime != -1 && S_ISDIR(info[4].mode) && info[8].mtime != -1,
       "the root and a child of it");
    ok(info[5].mtime != -1 && S_ISDIR(info[5].mode), "a directory with its slash");
    ok(!stat("w/a/b/c", &st) && info[7].mtime == fs_mtime(&st), "a file far below");
    bool right = true;
    for (int i = 0; i < 2000; i++) {
        paths[i] = arena_printf(&arena, "many/%d/f%d", i % 2, i);
        if (i % 3 == 0)
            put(paths[i], "x");
    }
    fs_stat_many(paths, 2000, many, NULL);
    for (int i = 0; i < 2000; i++)
        right &= (many[i].mtime != -1) == (i % 3 == 0);
    ok(right, "a third of 2000 files in two directories");
    fs_stat_many(paths, 2000, many, backwards);
    for (int i = 0; i < 2000; i++)
        right &= (many[i].mtime != -1) == (i % 3 == 0);
    ok(right, "the same in another order");
    free(many);
    free(paths);
}

int main(void)
{
    char dir[] = "/tmp/kf-fs-XXXXXX";
    if (!ok(mkdtemp(dir) && !chdir(dir), "a directory to work in"))
        return done();
    char *cwd = fs_cwd(&arena);
    ok(cwd && !strcmp(cwd, dir), "the current directory");
    test_files();
    test_dirs();
    test_times();
    test_walk();
    test_unread();
    test_full();
    test_copy();
    test_stat_many();
    ok(fs_hostname()[0] && fs_username()[0], "the host and the user have names");
    ok(fs_holds_cwd("/") && fs_holds_cwd("/tmp") && !fs_holds_cwd("/tm"), "what is above one");
    ok(!fs_remove_tree(".") && errno == EBUSY && !fs_remove_tree(dir) && fs_exists(dir),
       "where one is, nothing is removed");
    ok(!chdir("/") && fs_remove_tree(dir) && !fs_exists(dir), "all is removed");
    arena_free(&arena);
    return done();
}
