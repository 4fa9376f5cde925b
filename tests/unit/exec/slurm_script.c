// SPDX-License-Identifier: MIT
/* The batch script, run as Slurm would run it. */
#include "exec/slurm_script.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "test.h"

static char dir[] = "/tmp/slurm-script-XXXXXX";

static const char *path(struct arena *in, const char *name)
{
    return arena_printf(in, "%s/%s", dir, name);
}

/* Runs the script in the file; its exit status. */
static int run(struct arena *in, const char *variables)
{
    int status = system(
        arena_printf(in, "cd / && env %s %s/script >%s/out 2>&1", variables, dir, dir));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_script(struct arena *in, const char *token, const char *element)
{
    struct buf text = {0};
    slurm_script(dir, token, element, &text);
    fs_write(path(in, "script"), text.at, text.len);
    chmod(path(in, "script"), 0755);
    buf_free(&text);
}

static char *element_of(const char *shell, bool afresh)
{
    struct arena in = {0};
    struct buf text = {0};
    const char *const outputs[] = {path(&in, "an output"), NULL};
    const char *const env[] = {"KF_TEST=it's $(fine)", NULL};
    struct launch launch = {.shell = shell, .cwd = dir, .env = env, .outputs = outputs};
    ok(slurm_element(&launch, path(&in, "body"), afresh, &text), "an element is written");
    arena_free(&in);
    return buf_take(&text);
}

static struct slurm_done read_done(struct arena *in, const char *attempt)
{
    struct slurm_done done = {.status = -1};
    const char *text = fs_read(in, path(in, arena_printf(in, "done/%s", attempt)), NULL);
    if (!text || !slurm_read_done(text, &done))
        done.status = -1;
    return done;
}

static void test_single(struct arena *in)
{
    char *element = element_of("echo \"$KF_TEST\" > \"an output\"; exit 7", false);
    write_script(in, "kf.a.1", element);
    ok(run(in, "SLURM_JOB_ID=12") == 7, "the command's status is the script's");
    is(fs_read(in, path(in, "an output"), NULL), "it's $(fine)\n",
       "variables arrive, in the working directory");
    struct slurm_done done = read_done(in, "kf.a.1.0");
    ok(done.status == 7 && done.job == 12 && done.restarts == 0 && done.end_s >= done.start_s &&
           *done.host,
       "the done file");
    ok(run(in, "SLURM_JOB_ID=13") == 0, "another job of that attempt does nothing");
    ok(run(in, "SLURM_JOB_ID=12 SLURM_RESTART_COUNT=1") == 7,
       "the same job, started once more, runs");
    ok(read_done(in, "kf.a.1.0").restarts == 1, "and says so");
    free(element);
}

static void test_revoked(struct arena *in)
{
    char *element = element_of("touch \"an output\"", false);
    unlink(path(in, "an output"));
    fs_write(path(in, "claim/kf.a.2.0"), "revoked 0\n", 10);
    write_script(in, "kf.a.2", element);
    ok(run(in, "SLURM_JOB_ID=14") == 0 && !fs_exists(path(in, "an output")),
       "a revoked attempt does not begin");
    free(element);
    element = element_of("touch begun; sleep 300; touch \"an output\"", false);
    write_script(in, "kf.a.3", element);
    ok(run(in, arena_printf(in,
                            "SLURM_JOB_ID=15 bash -c '(until [ -e %s/begun ]; do sleep 0.1; done; "
                            "echo revoked 0 > %s/claim/kf.a.3.0) & exec %s/script'; false",
                            dir, dir, dir)) == 1,
       "started");
    ok(!fs_exists(path(in, "an output")) && !fs_exists(path(in, "done/kf.a.3.0")),
       "one that has begun is killed by its watch and leaves no result");
    free(element);
}

static void test_signals(struct arena *in)
{
    char *element = element_of(
        "trap 'echo heard > heard; exit 3' TERM; touch ready; sleep 300 & wait", false);
    write_script(in, "kf.a.4", element);
    run(in, arena_printf(in,
                         "SLURM_JOB_ID=16 bash -c '%s/script & p=$!; "
                         "until [ -e %s/ready ]; do sleep 0.1; done; "
                         "kill -TERM $p; wait $p; echo $? > %s/status'",
                         dir, dir, dir));
    is(fs_read(in, path(in, "heard"), NULL), "heard\n", "SIGTERM reaches the command");
    is(fs_read(in, path(in, "status"), NULL), "3\n", "whose answer counts");
    ok(read_done(in, "kf.a.4.0").status == 3, "and is recorded");
    free(element);
    element = element_of("touch set; until [ -e over ]; do sleep 0.1; done", false);
    write_script(in, "kf.a.8", element);
    run(in, arena_printf(in,
                         "SLURM_JOB_ID=24 bash -c 'setsid %s/script & p=$!; "
                         "until [ -e %s/set ]; do sleep 0.1; done; "
                         "kill -CONT -- -$p; touch %s/over; sleep 1; kill -TERM $p; wait $p'",
                         dir, dir, dir));
    ok(!read_done(in, "kf.a.8.0").status && read_done(in, "kf.a.8.0").told,
       "SIGTERM that comes after the end of the command, as SIGCONT has announced, is heard");
    free(element);
}

/* Slurm signals all processes of a job: its script is interrupted while it waits for a command that
 * ends at the same moment. Not every time, so it is tried some times. */
static void test_all_at_once(struct arena *in)
{
    char *element = element_of("trap 'trap \"\" TERM; exit 3' TERM; touch ready; "
                               "while :; do sleep 1 & wait; done",
                               false);
    int good = 0, tries = 16;
    for (int i = 0; i < tries; i++) {
        const char *token = arena_printf(in, "kf.b.%d", i);
        write_script(in, token, element);
        unlink(path(in, "ready"));
        run(in, arena_printf(in,
                             "SLURM_JOB_ID=25 bash -c 'setsid %s/script & p=$!; "
                             "until [ -e %s/ready ]; do sleep 0.1; done; "
                             "all=$(ps -o pid= -s $p | sort -rn); kill -CONT $all; sleep 0.05; "
                             "for one in $all; do kill -TERM $one; done; wait $p'",
                             dir, dir));
        struct slurm_done done = read_done(in, arena_printf(in, "%s.0", token));
        good += done.status == 3 && done.told;
    }
    ok(good == tries, "the command's answer is known each time: %d of %d", good, tries);
    free(element);
}

static void test_array(struct arena *in)
{
    char *one = element_of("echo one > \"an output\"", true),
         *two = element_of("echo 'two\n2' > two", false);
    const char *const elements[] = {one, two};
    struct buf manifest = {0};
    slurm_manifest(elements, 2, &manifest);
    fs_write(path(in, "jobs/kf.a.5"), manifest.at, manifest.len);
    write_script(in, "kf.a.5", NULL);
    fs_write(path(in, "an output"), "old", 3);
    ok(run(in, "SLURM_JOB_ID=20 SLURM_ARRAY_TASK_ID=0") == 0, "the first element");
    is(fs_read(in, path(in, "an output"), NULL), "one\n", "has run");
    ok(run(in, "SLURM_JOB_ID=21 SLURM_ARRAY_TASK_ID=1") == 0, "the second element");
    is(fs_read(in, path(in, "two"), NULL), "two\n2\n", "has run");
    ok(read_done(in, "kf.a.5.1").job == 21, "each has its own done file");
    buf_free(&manifest);
    free(one);
    free(two);
}

/* What is to run before the command is not all that runs. */
static void test_precommand(struct arena *in)
{
    struct buf text = {0};
    struct launch launch = {
        .precommand = "greeting=hi; export greeting", .shell = "echo $greeting > said", .cwd = dir};
    ok(slurm_element(&launch, path(in, "body"), false, &text), "a command with one before it");
    write_script(in, "kf.a.6", buf_text(&text));
    ok(run(in, "SLURM_JOB_ID=22") == 0, "both end well");
    is(fs_read(in, path(in, "said"), NULL), "hi\n", "and one follows the other");
    buf_reset(&text);
    launch.precommand = "false";
    launch.shell = "echo never > said";
    slurm_element(&launch, path(in, "body"), false, &text);
    write_script(in, "kf.a.7", buf_text(&text));
    ok(run(in, "SLURM_JOB_ID=23") == 1, "where the first fails the job fails");
    is(fs_read(in, path(in, "said"), NULL), "hi\n", "and the command does not run");
    buf_free(&text);
}

static void test_times(void)
{
    static const char *const used[] = {"0m1.250s 2m0.500s", "0m1,250s 2m0,500s",
                                       "0m1.250000s 2m0.500000s"};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        char text[160];
        struct slurm_done done;
        snprintf(text, sizeof text, "0 12 0 100 200 cpu1 untold\n0m0.001s 0m0.002s\n%s\n", used[i]);
        ok(slurm_read_done(text, &done) && done.user_s == 1.25 && done.system_s == 120.5,
           "CPU times: %s", used[i]);
    }
}

static void test_names(void)
{
    static const struct {
        const char *text, *expect;
    } rows[] = {
        {"cycle=01,z=3", "cycle=01,z=3"}, {"a b", "a_b-"}, {"..", "_.-"}, {"", "-"}, {"%j", "_j-"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf name = {0};
        slurm_file_name(rows[i].text, &name);
        ok(!strncmp(buf_text(&name), rows[i].expect, strlen(rows[i].expect)) &&
               !strchr(buf_text(&name), '/'),
           "'%s' as a file: %s", rows[i].text, buf_text(&name));
        buf_free(&name);
    }
}

int main(void)
{
    struct arena in = {0};
    if (!mkdtemp(dir))
        return 1;
    fs_mkdirs(path(&in, "claim"));
    fs_mkdirs(path(&in, "done"));
    fs_mkdirs(path(&in, "jobs"));
    test_single(&in);
    test_revoked(&in);
    test_signals(&in);
    test_all_at_once(&in);
    test_array(&in);
    test_precommand(&in);
    test_times();
    test_names();
    fs_remove_tree(dir);
    arena_free(&in);
    return done();
}
