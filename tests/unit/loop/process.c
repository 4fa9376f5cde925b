// SPDX-License-Identifier: MIT
#include "loop/process.h"
#include "base/clock.h"
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct loop *loop;

/* What on_end saw; texts are copied. */
struct result {
    struct process_end end;
    char out[4096], err[4096];
    int calls, late;
};

static void copy_end(void *user, const struct process_end *end)
{
    struct result *result = user;
    result->end = *end;
    result->calls++;
    snprintf(result->out, sizeof result->out, "%s", end->out);
    snprintf(result->err, sizeof result->err, "%s", end->err);
}

/* Runs a shell line to its end. */
static struct result shell(const char *line, struct process_options options)
{
    struct result result = {0};
    const char *argv[] = {"sh", "-c", line, NULL};
    options.argv = argv;
    options.on_end = copy_end;
    options.user = &result;
    if (process_start(loop, &options))
        loop_run(loop, NULL, NULL);
    return result;
}

static const struct process_options capture = {.capture_out = true, .capture_err = true};

static void test_ends(void)
{
    struct result r = shell("exit 3", (struct process_options){0});
    ok(r.calls == 1 && r.end.status == 3 && !r.end.signal, "an exit status");
    r = shell("kill -9 $$", (struct process_options){0});
    ok(r.calls == 1 && r.end.status == -1 && r.end.signal == SIGKILL, "a signal");
    r = shell("echo out; echo err >&2", capture);
    is(r.out, "out\n", "stdout is captured");
    is(r.err, "err\n", "stderr is captured");
    r = shell("(sleep 0.1; echo late) & echo early", capture);
    is(r.out, "early\nlate\n", "also what comes when the child is gone");
    r = shell("i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done", (struct process_options){0});
    ok(r.end.user_s > 0.01 && r.end.user_s < 60, "CPU time: %.2f s", r.end.user_s);
    ok(r.end.max_rss_kb > 300 && r.end.max_rss_kb < 1000000, "memory: %ld KiB",
       (long)r.end.max_rss_kb);
    r = shell("head -c 300000 /dev/zero | tr '\\0' x",
              (struct process_options){.capture_out = true, .capture_max = 100000});
    ok(r.end.out_len == 100000 && r.end.out_cut && r.end.status == 0, "captured up to the limit");
    r = shell("head -c 300000 /dev/zero | tr '\\0' x", capture);
    ok(r.end.out_len == 300000 && !r.end.out_cut, "more than a pipe holds");
}

static void test_surroundings(void)
{
    static const char *env[] = {"PATH=/usr/bin:/bin", "WHO=me", NULL};
    struct process_options options = capture;
    options.cwd = "/";
    options.env = env;
    struct result r = shell("pwd; echo $WHO$HOME", options);
    is(r.out, "/\nme\n", "directory and environment");
    options = capture;
    options.stdin_text = "one\ntwo\n";
    options.stdin_len = 8;
    r = shell("cat", options);
    is(r.out, "one\ntwo\n", "text for stdin");
    options.stdin_len = 0;
    is(shell("cat; echo end", options).out, "end\n", "no text for stdin");
    is(shell("cat; echo end", capture).out, "end\n", "stdin is empty else");
    char *large = malloc(1 << 20);
    memset(large, 'x', 1 << 20);
    options.stdin_text = large;
    options.stdin_len = 1 << 20;
    is(shell("wc -c", options).out, "1048576\n", "much text for stdin");
    r = shell("exec 0<&-; echo bye", options);
    ok(!strcmp(r.out, "bye\n") && r.end.status == 0, "a child that does not read it");
    free(large);
    is(shell("trap '' PIPE; trap", capture).out, "trap -- '' PIPE\n",
       "PIPE was not ignored before");
    r = shell("ps -o sid= -p $$ | tr -d ' '; echo $$",
              (struct process_options){.capture_out = true, .new_session = true});
    long sid = 0, pid = -1;
    ok(sscanf(r.out, "%ld\n%ld", &sid, &pid) == 2 && sid == pid, "a session of its own");
}

static void test_failures(void)
{
    const char *none[] = {"/no/such/program", NULL}, *here[] = {"true", NULL};
    struct result r = {0};
    struct process_options options = {.argv = none,
                                      .capture_out = true,
                                      .stdin_text = "x",
                                      .stdin_len = 1,
                                      .on_end = copy_end,
                                      .user = &r};
    ok(!process_start(loop, &options) && errno == ENOENT, "no such program");
    options.argv = here;
    options.cwd = "/no/such/directory";
    ok(!process_start(loop, &options) && errno == ENOENT, "no such directory");
    loop_run(loop, NULL, NULL);
    ok(r.calls == 0, "what did not start does not end");
}

static void test_time_limit(void)
{
    struct process_options options = capture;
    options.timeout_ms = 2000; /* enough for what they do first */
    options.new_group = true;
    struct result r = shell("echo begun; sleep 20", options);
    ok(r.end.timed_out && r.end.signal == SIGTERM, "a time limit ends with SIGTERM");
    is(r.out, "begun\n", "what was written before is there");
    r = shell("trap 'exit 7' TERM; sleep 20 & wait", options);
    ok(r.end.timed_out && r.end.status == 7, "which may be caught");
    options.timeout_ms = 100;
    int64_t start = clock_ns();
    r = shell("setsid sleep 30 & sleep 20", options);
    ok(r.end.timed_out && clock_ns() - start < INT64_C(10000000000),
       "others with its pipes are not waited for");
    options.timeout_ms = 5000;
    ok(!shell("true", options).end.timed_out, "no harm to those in time");
}

static void count_late(void *user)
{
    ((struct result *)user)->late++;
}

static void test_late(void)
{
    struct process_options options = {.timeout_ms = 60000, .late_ms = 50, .on_late = count_late};
    struct result r = shell("sleep 0.5", options);
    ok(r.late == 1 && r.calls == 1 && !r.end.timed_out, "one that is late is told of once");
    options.timeout_ms = 100;
    r = shell("sleep 20", options);
    ok(r.late == 1 && r.end.timed_out, "and has its time limit all the same");
    options.timeout_ms = 60000;
    options.late_ms = 30000;
    ok(!shell("true", options).late, "one in time is not");
}

static void kill_it(void *user)
{
    process_kill(user, SIGTERM);
}

static void test_group(void)
{
    struct result r = {0};
    const char *argv[] = {"sh", "-c", "sleep 20; echo no", NULL};
    struct process_options options = {
        .argv = argv, .capture_out = true, .new_group = true, .on_end = copy_end, .user = &r};
    struct process *process = process_start(loop, &options);
    ok(process_pid(process) > 0 && getpgid(process_pid(process)) == process_pid(process),
       "its own group");
    struct timer *timer = timer_open(loop, 50, 0, kill_it, process);
    int64_t start = clock_ns();
    loop_run(loop, NULL, NULL);
    timer_close(timer);
    ok(r.end.signal == SIGTERM && clock_ns() - start < INT64_C(5000000000),
       "the whole group is killed");
}

static void test_whole_group(void)
{
    char dir[] = "/tmp/unit-process-XXXXXX";
    if (!ok(mkdtemp(dir) && !chdir(dir), "a directory to work in"))
        return;
    struct process_options options = {.new_group = true, .whole_group = true};
    int64_t start = clock_ns();
    struct result r = shell("sleep 100 & echo $! > left; exit 3", options);
    ok(r.end.status == 3 && clock_ns() - start > INT64_C(900000000) &&
           clock_ns() - start < INT64_C(60000000000),
       "what is left of one that ended badly has a second, and is ended");
    r = shell("(until [ -e told ]; do sleep 0.05; done; rm told left) & exit 0", options);
    ok(!r.end.status && !access("left", F_OK), "not where all went well");
    fclose(fopen("told", "w"));
    while (!access("left", F_OK))
        usleep(50000);
    ok(!chdir("/") && !rmdir(dir), "is left empty");
}

enum { MANY = 500 };
static int many_ended, many_good;

static void on_many(void *user, const struct process_end *end)
{
    const char *argv[] = {"/bin/true", NULL};
    struct process_options options = {.argv = argv, .on_end = on_many};
    many_good += end->status == 0;
    if (++many_ended <= MANY - 8)
        process_start(loop, &options);
}

static void test_many(void)
{
    int64_t start = clock_ns();
    for (int i = 0; i < 8; i++)
        on_many(NULL, &(struct process_end){.status = 0});
    many_ended = many_good = 0;
    loop_run(loop, NULL, NULL);
    ok(many_ended == MANY && many_good == MANY, "%d children, eight at a time, %.3f ms each",
       many_ended, (double)(clock_ns() - start) / 1e6 / MANY);
    ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no child is left");
}

/* Answers the first line that comes, and ends it at the second. */
struct talk {
    struct process *process;
    struct result result;
};

static void on_line(void *user, const char *out, size_t len)
{
    struct talk *talk = user;
    if (!strcmp(out, "first\n"))
        process_write(talk->process, "more\n", 5);
    else
        process_close_stdin(talk->process);
}

static void talk_ended(void *user, const struct process_end *end)
{
    copy_end(&((struct talk *)user)->result, end);
}

static void test_talk(void)
{
    struct talk talk = {0};
    talk.process = process_start(
        loop, &(struct process_options){.argv = (const char *const[]){"cat", NULL},
                                        .stdin_text = "first\n",
                                        .stdin_len = 6,
                                        .keep_stdin = true,
                                        .capture_out = true,
                                        .on_output = on_line,
                                        .on_end = talk_ended,
                                        .user = &talk});
    loop_run(loop, NULL, NULL);
    is(talk.result.out, "first\nmore\n", "a stdin that is kept takes more");
    ok(talk.result.calls == 1 && !talk.result.end.status, "until it is closed");
    int64_t start = clock_ns();
    struct result r = shell(
        "sleep 4 & echo said",
        (struct process_options){.stdin_text = "", .keep_stdin = true, .capture_out = true});
    is(r.out, "said\n", "what one has said last is there");
    ok(clock_ns() - start < INT64_C(2500000000), "others with its stdout are not waited for");
}

static void test_abandoned(void)
{
    const char *argv[] = {"sh", "-c", "sleep 0.3", NULL};
    struct result r = {0};
    struct process_options options = {
        .argv = argv, .capture_out = true, .timeout_ms = 9000, .on_end = copy_end, .user = &r};
    ok(process_start(loop, &options), "one with a pipe and a timer");
    options = (struct process_options){.argv = argv, .on_end = copy_end, .user = &r};
    ok(process_start(loop, &options), "one with nothing");
    loop_free(loop);
    ok(r.calls == 0, "the loop may be freed before its children end");
}

int main(void)
{
    loop = loop_new();
    test_ends();
    test_surroundings();
    test_failures();
    test_time_limit();
    test_late();
    test_group();
    test_whole_group();
    test_talk();
    test_many();
    test_abandoned();
    return done();
}
