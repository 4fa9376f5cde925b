// SPDX-License-Identifier: MIT
#include "base/fs.h"
#include "state/lock.h"
#include "test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct diags *dx;
static const char *const in_a[] = {"raw/a", "shared"}, *const out_a[] = {"a.txt"};
static const char *const in_b[] = {"raw/b", "shared"}, *const out_b[] = {"b.txt"};

static struct lock *take_a(void)
{
    return lock_take(".", dx, &(struct lock_files){in_a, 2, out_a, 1});
}

static struct lock *take_b(void)
{
    return lock_take(".", dx, &(struct lock_files){in_b, 2, out_b, 1});
}

static void put(const char *path, const char *text)
{
    fs_make_parent(path);
    fs_write(path, text, strlen(text));
}

static void test_ours(void)
{
    struct arena arena = {0};
    struct lock *a = take_a();
    ok(a != NULL, "the lock is taken");
    is(fs_read(&arena, ".snakemake/locks/0.input.lock", NULL), "raw/a\nshared\n",
       "inputs as Snakemake writes them");
    is(fs_read(&arena, ".snakemake/locks/0.output.lock", NULL), "a.txt\n", "and outputs");
    ok(!take_a() && diag_errors(dx) == 1, "not twice");
    ok(strstr(diag_last(dx), "another run (process ") && strstr(diag_last(dx), "'a.txt'"),
       "and the message says why");
    diag_drop(dx, 0);
    struct lock *b = take_b();
    ok(b != NULL, "a run with other outputs may go on beside it");
    const char *const reads_a[] = {"a.txt"}, *const out_c[] = {"c"};
    ok(!lock_take(".", dx, &(struct lock_files){reads_a, 1, out_c, 1}),
       "not one that reads what is being made");
    const char *const makes_input[] = {"raw/b"};
    ok(!lock_take(".", dx, &(struct lock_files){NULL, 0, makes_input, 1}),
       "nor one that makes what is being read");
    diag_drop(dx, 0);
    lock_release(a);
    ok(fs_exists(".snakemake/locks/1.input.lock") && !fs_exists(".snakemake/locks/0.input.lock"),
       "one is given back");
    lock_release(b);
    lock_release(NULL);
    ok(!fs_exists(".snakemake/locks"), "and nothing is left after the other");
    arena_free(&arena);
}

static void test_renewed(void)
{
    struct arena arena = {0};
    struct lock *a = take_a(), *b = take_b();
    const char *const more[] = {"a.txt", "more"};
    ok(lock_renew(a, dx, &(struct lock_files){in_a, 2, more, 2}),
       "the files of a run may become others");
    is(fs_read(&arena, ".snakemake/locks/0.output.lock", NULL), "a.txt\nmore\n", "and are named");
    ok(!lock_renew(b, dx, &(struct lock_files){more, 2, out_b, 1}) &&
           strstr(diag_last(dx), "'a.txt'"),
       "but not those that another one makes");
    diag_drop(dx, 0);
    ok(lock_renew(b, dx, &(struct lock_files){NULL, 0, out_b, 1}), "and become fewer again");
    is(fs_read(&arena, ".snakemake/locks/1.input.lock", NULL), "", "which leaves an empty list");
    lock_release(a);
    lock_release(b);
    ok(!fs_exists(".snakemake/locks"), "that goes with the lock");
    arena_free(&arena);
}

static void test_snakemake(void)
{
    put(".snakemake/locks/0.output.lock", "x\na.txt\n");
    put(".snakemake/locks/notes.output.lock", "b.txt\n");
    ok(!take_a() && strstr(diag_last(dx), "a run of Snakemake uses 'a.txt'"),
       "a lock of Snakemake holds");
    diag_drop(dx, 0);
    ok(!fs_exists(".snakemake/locks/1.kintsugi") && fs_exists(".snakemake/locks/0.output.lock"),
       "nothing is left");
    struct lock *b = take_b();
    ok(b && fs_exists(".snakemake/locks/1.output.lock"), "the next number is taken");
    lock_release(b);
    ok(fs_exists(".snakemake/locks/0.output.lock"), "theirs stays");
    ok(lock_remove_all(".") && !fs_exists(".snakemake/locks"), "--unlock removes all");
    ok(lock_remove_all("."), "again is fine");
}

static void test_stale(void)
{
    pid_t child = fork();
    if (!child)
        _exit(take_a() ? 0 : 1); /* dies with the lock */
    int status = 1;
    waitpid(child, &status, 0);
    ok(status == 0 && fs_exists(".snakemake/locks/0.kintsugi"), "a run died with its lock");
    struct lock *a = take_a();
    ok(a && !fs_exists(".snakemake/locks/0.input.lock"),
       "its lock does not count and is taken away");
    lock_release(a);
    child = fork();
    if (!child)
        _exit(!take_a() || unlink(".snakemake/locks/0.input.lock") ||
              unlink(".snakemake/locks/0.output.lock"));
    waitpid(child, &status, 0);
    ok(status == 0 && fs_exists(".snakemake/locks/0.kintsugi"),
       "one died before it had told its files");
    lock_release(take_a());
    ok(!fs_exists(".snakemake/locks"), "nothing of it is left");
    child = fork();
    if (!child)
        _exit(take_a() ? 0 : 1);
    siginfo_t info;
    ok(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
       "a run died and nobody asked for its status");
    lock_remove_stale(".");
    ok(!fs_exists(".snakemake/locks"), "a run that needs no lock removes that one's, too");
    waitpid(child, &status, 0);
    put(".snakemake/locks/0.output.lock", "a.txt\n");
    put(".snakemake/locks/0.kintsugi", "elsewhere 1 1 - someone\n");
    ok(!take_a() && strstr(diag_last(dx), "process 1 of someone on elsewhere"),
       "one of another machine does");
    diag_drop(dx, 0);
    lock_remove_stale(".");
    ok(fs_exists(".snakemake/locks/0.output.lock"), "and stays");
    lock_remove_all(".");
}

/* The last to leave removes the folder, in which the next may just begin. */
static void test_at_once(void)
{
    enum { TIMES = 1000 };
    int status, taken = 0;
    pid_t child = fork();
    for (int i = 0; i < TIMES; i++) {
        struct lock *lock = child ? take_a() : take_b();
        taken += lock != NULL;
        lock_release(lock);
    }
    if (!child)
        _exit(taken != TIMES);
    waitpid(child, &status, 0);
    ok(taken == TIMES && !status, "runs that come and go at the same time both get their locks");
    diag_drop(dx, 0);
}

int main(void)
{
    char dir[] = "/tmp/kf-lock-XXXXXX";
    struct sources *sources = sources_new();
    dx = diags_new(sources);
    if (!ok(mkdtemp(dir) && !chdir(dir), "a directory to work in"))
        return done();
    test_ours();
    test_renewed();
    test_snakemake();
    test_stale();
    test_at_once();
    ok(!chdir("/") && fs_remove_tree(dir), "all is removed");
    diags_free(dx);
    sources_free(sources);
    return done();
}
