// SPDX-License-Identifier: MIT
#include "base/part.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "test.h"

static struct arena arena;

/* The name that a child uses, which lives until release is closed. */
static const char *name_of_child(pid_t *child, int *release)
{
    int names[2], gate[2];
    char name[300] = "";
    if (pipe(names) || pipe(gate))
        return NULL;
    *child = fork();
    if (!*child) {
        const char *own = part_beside(&arena, "dir/x");
        close(gate[1]);
        fs_write_all(names[1], own, strlen(own));
        close(names[1]);
        _exit(read(gate[0], name, 1) != 0);
    }
    close(names[1]);
    close(gate[0]);
    *release = gate[1];
    ssize_t n = read(names[0], name, sizeof name - 1);
    close(names[0]);
    return n > 0 ? arena_str(&arena, name) : NULL;
}

static void test_names(void)
{
    const char *one = part_beside(&arena, "dir/x"), *two = part_beside(&arena, "dir/y");
    ok(!strncmp(one, "dir/.part-", 10), "it stands beside the file");
    ok(strcmp(one, two), "each file has its own");
    is(part_beside(&arena, "dir/x"), one, "which stays the same");
    ok(strlen(one) < 100, "it is short");
    ok(part_is_one(one) && part_is_one(".part-0123456789abcdef") && !part_is_one("x.part-1"),
       "it is known by its look");
}

static void test_owners(void)
{
    pid_t child;
    int release;
    ok(!part_is_left(part_beside(&arena, "dir/x")), "what this process writes is not left");
    const char *name = name_of_child(&child, &release);
    if (!ok(name && strcmp(name, part_beside(&arena, "dir/x")), "another process has another name"))
        return;
    ok(!part_is_left(name), "what a process writes that lives is not left");
    close(release);
    siginfo_t info;
    waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
    ok(part_is_left(name), "what one writes that has ended is, also while its parent does not ask");
    waitpid(child, NULL, 0);
    ok(part_is_left(name), "and afterwards");
    char *other = arena_str(&arena, name), *where = strchr(strchr(other, '-') + 1, '-') + 1;
    *where = *where == 'a' ? 'b' : 'a';
    ok(!part_is_left(other), "of other machines nobody knows");
    ok(!part_is_left(".part-0123456789abcdef") && !part_is_left("x"), "nor of other names");
}

/* Looks at a name as a user from whom /proc hides what others do; 2: it cannot be hidden. */
static int look_hidden(const char *name)
{
    if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("proc", "/proc", "proc", 0, "hidepid=2") || setgid(65534) || setuid(65534))
        return 2;
    return part_is_left(name);
}

static void test_hidden(void)
{
    const char *name = part_beside(&arena, "dir/x");
    int status = 0;
    pid_t child = fork();
    if (!child)
        _exit(look_hidden(name));
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != 2)
        ok(!status, "a process that the system hides has not ended");
}

int main(void)
{
    test_names();
    test_owners();
    test_hidden();
    arena_free(&arena);
    return done();
}
