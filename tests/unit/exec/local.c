// SPDX-License-Identifier: MIT
#include "base/fs.h"
#include "base/pool.h"
#include "exec/exec.h"
#include "exec/shell.h"
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct loop *loop;
static struct executor *executor;
static struct exec_event ends[64]; /* by launch */
static int nends, nstarts;
static char message[256];
static bool cancel_at_start;

static void on_event(void *user, const struct exec_event *event)
{
    if (event->kind == EXEC_STARTED) {
        nstarts++;
        return;
    }
    nends++;
    ends[event->launch] = *event;
    snprintf(message, sizeof message, "%s", event->message ? event->message : "");
}

static void submit(uint32_t id, const char *shell, struct launch launch)
{
    launch.id = id;
    launch.name = "test";
    launch.shell = shell;
    executor_submit(executor, &launch, 1);
}

static const char *content(const char *path)
{
    static struct arena arena;
    arena_reset(&arena);
    const char *text = fs_read(&arena, path, NULL);
    return text ? text : "(absent)";
}

static void test_shell(void)
{
    static const char *env[] = {"ADDED=yes", "HOME=/nowhere", NULL};
    submit(1, "set -euo pipefail; false | true", (struct launch){0});
    submit(2, "kill -TERM $$", (struct launch){0});
    submit(3, "echo \"$ADDED $HOME ${PATH:+path}\" > env.txt; [[ 1 == 1 ]]",
           (struct launch){.env = env});
    submit(4, "pwd > where.txt", (struct launch){.cwd = "sub"});
    submit(12, "sleep 0.1", (struct launch){0});
    ok(nstarts == 5 && nends == 0, "starts are reported at once, ends later");
    loop_run(loop, NULL, NULL);
    ok(nends == 5, "all have ended");
    ok(ends[1].status == 1 && ends[1].kind == EXEC_ENDED, "pipefail is bash's");
    ok(ends[2].status == -1 && ends[2].signal == SIGTERM, "a signal is told");
    is(content("env.txt"), "yes /nowhere path\n", "the environment has additions and replacements");
    ok(strstr(content("sub/where.txt"), "/sub\n"), "the directory");
    ok(ends[3].end_ns >= ends[3].start_ns && time(NULL) - ends[3].start_ns / 1000000000 < 60,
       "wall times");
    ok(ends[12].took_ns >= 100000000 && ends[12].took_ns < INT64_C(60000000000),
       "how long it took, by a clock that nobody sets");
    ok(ends[3].host && ends[3].host[0] && ends[3].max_rss_kb > 100, "host and memory");
}

static void test_argv(void)
{
    const char *argv[] = {"sh", "-c", "exit 5", NULL}, *bad[] = {"/no/such", NULL};
    struct launch launch[2] = {{.id = 5, .name = "argv", .argv = argv},
                               {.id = 6, .name = "bad", .argv = bad}};
    nends = nstarts = 0;
    executor_submit(executor, launch, 2);
    ok(nends == 0, "a failure is not reported within submit");
    loop_run(loop, NULL, NULL);
    ok(nends == 2 && nstarts == 1 && ends[5].status == 5, "a program with arguments");
    ok(ends[6].kind == EXEC_ENDED && ends[6].status == 127, "one that cannot be started");
    submit(6, "true", (struct launch){.cwd = "/no/such"});
    loop_run(loop, NULL, NULL);
    is(message, "'bash' could not be started: No such file or directory", "says why");
}

static void test_long(void)
{
    char *text = malloc(200100);
    memset(text, ' ', 200000);
    strcpy(text + 200000, "; echo $BASH_VERSION > long.txt");
    text[0] = ':';
    submit(7, text, (struct launch){0});
    loop_run(loop, NULL, NULL);
    ok(ends[7].status == 0 && strlen(content("long.txt")) > 3,
       "a command of 200 kB runs from a file");
    submit(8, text, (struct launch){.cwd = "sub"});
    loop_run(loop, NULL, NULL);
    ok(ends[8].status == 0 && strlen(content("sub/long.txt")) > 3, "in another directory too");
    free(text);
    ok(fs_remove_tree("sub") && rmdir(".snakemake") == 0, "which is removed afterwards");
}

static void cancel_all(void *user)
{
    uint32_t ids[] = {9, 10, 33};
    executor_cancel(executor, ids, 3, cancel_at_start);
}

static struct timer *until_trapped;

static void cancel_trapped(void *user)
{
    if (!fs_exists("trapped"))
        return;
    timer_close(until_trapped);
    cancel_all(NULL);
}

static void test_cancel(void)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    submit(9, "sleep 30; echo", (struct launch){0});
    submit(10, "trap 'exit 3' TERM; touch trapped; sleep 30 & wait", (struct launch){0});
    until_trapped = timer_open(loop, 20, 20, cancel_trapped, NULL);
    loop_run(loop, NULL, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    ok(ends[9].signal == SIGTERM && ends[10].status == 3, "cancelling is SIGTERM to the group");
    ok(end.tv_sec - start.tv_sec < 10, "children's children included");
    cancel_at_start = true;
    submit(9, "trap '' TERM; sleep 30", (struct launch){0});
    struct timer *timer = timer_open(loop, 50, 0, cancel_all, NULL);
    loop_run(loop, NULL, NULL);
    timer_close(timer);
    ok(ends[9].signal == SIGKILL, "by force it is SIGKILL");
}

static void test_close(void)
{
    submit(11, "sleep 30", (struct launch){0});
    nends = 0;
    executor_close(executor);
    loop_run(loop, NULL, NULL);
    ok(nends == 0, "after closing nothing is reported, and nothing left running");
}

static void test_environment(void)
{
    struct arena arena = {0};
    const char *const *env = shell_environment(&arena, 3, NULL);
    is(env[0], "OMP_NUM_THREADS=3", "threads");
    ok(env[5] && !env[6], "six of them");
    env = shell_environment(&arena, 1, "/scratch");
    is(env[6], "TMPDIR=/scratch", "a directory for temporary files");
    ok(env[9] && !env[10], "by four names");
    arena_free(&arena);
}

int main(void)
{
    char dir[] = "/tmp/kf-exec-XXXXXX";
    if (!ok(mkdtemp(dir) && !chdir(dir) && fs_mkdirs("sub"), "a directory to work in"))
        return done();
    loop = loop_new();
    executor = executor_open("local", loop, &(struct exec_options){.on_event = on_event});
    ok(executor && executor->kind->local, "the local executor");
    ok(!executor_open("nowhere", loop, &(struct exec_options){.on_event = on_event}),
       "no executor of that name");
    ok(strstr(executor_names(), "local") && !strstr(executor_names(), "fake"), "the names: %s",
       executor_names());
    ok(executor_nearest("slrum") && !strcmp(executor_nearest("slrum"), "slurm") &&
           !executor_nearest("fake"),
       "what a mistyped one was meant to be");
    test_shell();
    test_argv();
    test_long();
    test_cancel();
    test_close();
    test_environment();
    loop_free(loop);
    ok(!chdir("/") && fs_remove_tree(dir), "all is removed");
    return done();
}
