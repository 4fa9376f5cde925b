// SPDX-License-Identifier: MIT
/* Whole runs with the fake executor: rules make their outputs by touch(), so nothing needs to be
 * run. */
#include "run/run.h"
#include "exec/fake.h"
#include "graph/graphtest.h"

#include <signal.h>
#include <unistd.h>

struct script {
    const char *name; /* NULL: all others */
    int64_t ms;
    int status, signal;
};

struct scene {
    struct flowtest t;
    struct graph *g;
    struct fresh_options fresh;
    struct run_options options;
    struct run_observer observer;
    struct run_result result;
    const struct script *script; /* ends with ms 0 */
    struct executor *executor;
    const char *history, *removed, *devices;
    int nfailed, nfinal, stops, stop_signal;
    uint32_t kill_at; /* raises SIGTERM when so many are done */
    bool good;
};

static void on_open(void *user, struct executor *executor)
{
    struct scene *s = user;
    s->executor = executor;
    for (const struct script *line = s->script; line && line->ms; line++)
        fake_script(executor, line->name, line->ms, line->status, line->signal);
}

static void on_selected(void *user, uint32_t n) {}

/* Nobody has the jobs of the fake executor but itself. */
static void on_submitted(void *user, const struct task *task, const char *id, const char *log)
{
    (void)user, (void)task, (void)log;
    ok(!id, "submitted as %s", id);
}

static void on_started(void *user, struct task *task)
{
    struct scene *s = user;
    const struct resource *device = eval_resource(&task->eval,
                                                  intern_find(s->g->names, "device", 6));
    s->devices = arena_printf(&s->t.arena, "%s%s ", s->devices,
                              device ? sym_text(s->g->names, device->text) : "-");
}

static void on_finished(void *user, const struct task *task, uint32_t done, uint32_t total)
{
    struct scene *s = user;
    if (done == s->kill_at)
        raise(SIGTERM);
}

static void on_failed(void *user, const struct run_failure *failure)
{
    struct scene *s = user;
    s->nfailed++;
    s->nfinal += failure->final;
}

static void on_removed(void *user, const char *path, const char *why)
{
    struct scene *s = user;
    ok(!why, "a temporary file can be removed");
    s->removed = arena_printf(&s->t.arena, "%s%s ", s->removed, path);
}

static void on_stopping(void *user, int signum)
{
    struct scene *s = user;
    s->stops++;
    s->stop_signal = signum;
}

static void on_note(void *user, const char *text) {}

static bool on_turn(void *user, uint32_t running, uint32_t done, uint32_t total)
{
    struct scene *s = user;
    s->history = arena_str(&s->t.arena, fake_history(s->executor));
    return false;
}

static struct scene scene_open(const char *snakefile)
{
    struct scene s = {.t = flowtest_open(), .history = "", .removed = "", .devices = ""};
    s.fresh = (struct fresh_options){.triggers = TRIGGER_ALL};
    s.g = graphtest_build(&s.t, snakefile, NULL, NULL);
    fresh_decide(s.g, &s.fresh);
    s.options = (struct run_options){.executor = "fake", .cores = 1, .fresh = &s.fresh};
    return s;
}

static void scene_run(struct scene *s)
{
    s->options.opened = on_open;
    s->options.opened_user = s;
    s->observer = (struct run_observer){s,           on_selected, on_started, on_submitted,
                                        on_finished, on_failed,   on_removed, on_stopping,
                                        on_note,     on_turn};
    s->good = run_jobs(s->g, &s->options, &s->observer, &s->result);
    graph_check(s->g);
}

static void scene_close(struct scene *s)
{
    graph_free(s->g);
    flowtest_close(&s->t);
}

static const char chain[] = "rule all:\n    input: 'c', 'd'\n"
                            "rule a:\n    output: touch('a')\n    shell: 'false'\n"
                            "rule b:\n    input: 'a'\n    output: touch('b')\n    shell: 'false'\n"
                            "rule c:\n    input: 'b'\n    output: touch('c')\n    shell: 'false'\n"
                            "rule d:\n    output: touch('d')\n    shell: 'false'\n";

static void test_good(void)
{
    struct scene s = scene_open(chain);
    scene_run(&s);
    ok(s.good && s.result.done == 5 && s.result.total == 5 && !s.result.failed,
       "all jobs are done");
    is(s.history,
       "0 start a\n1000 end a 0\n1000 start b\n2000 end b 0\n2000 start c\n3000 end c 0\n"
       "3000 start d\n4000 end d 0\n",
       "one after the other on one core, and nothing else");
    scene_close(&s);
    s = scene_open(chain);
    s.options.cores = 4;
    scene_run(&s);
    is(s.history,
       "0 start a\n0 start d\n1000 end a 0\n1000 end d 0\n1000 start b\n2000 end b 0\n2000 start "
       "c\n"
       "3000 end c 0\n",
       "side by side on four");
    scene_close(&s);
}

static void test_failure(void)
{
    struct scene s = scene_open(chain);
    s.script = (struct script[]){{"a", 10, 3, 0}, {0}};
    scene_run(&s);
    ok(!s.good && s.result.failed == 1 && s.result.done == 0 && s.nfinal == 1, "a job fails");
    is(s.history, "0 start a\n10 end a 3\n", "nothing is started after it");
    ok(s.stops == 1 && !s.stop_signal, "it is said why");
    ok(access("a", F_OK) != 0, "its output is not there");
    scene_close(&s);

    s = scene_open(chain);
    s.options.cores = 4;
    s.script = (struct script[]){{"a", 10, 3, 0}, {0}};
    scene_run(&s);
    is(s.history, "0 start a\n0 start d\n10 end a 3\n1000 end d 0\n",
       "what runs already ends in peace");
    ok(s.result.done == 1 && !access("d", F_OK), "and counts");
    scene_close(&s);
}

static void test_keep_going(void)
{
    struct scene s = scene_open(chain);
    s.options.keep_going = true;
    s.script = (struct script[]){{"a", 10, 3, 0}, {0}};
    scene_run(&s);
    is(s.history, "0 start a\n10 end a 3\n10 start d\n1010 end d 0\n",
       "-k: independent jobs go on, users do not");
    ok(!s.good && s.result.failed == 1 && s.result.done == 1 && !s.stops, "but the run has failed");
    scene_close(&s);
}

static void test_retries(void)
{
    struct scene s = scene_open(
        "rule a:\n    output: touch('a')\n    retries: 2\n    shell: 'false'\n");
    s.script = (struct script[]){{"a", 10, 1, 0}, {0}};
    s.options.retries = 7;
    scene_run(&s);
    is(s.history, "0 start a\n10 end a 1\n10 start a\n20 end a 1\n20 start a\n30 end a 1\n",
       "a rule's own retries come before --retries");
    ok(s.nfailed == 3 && s.nfinal == 1 && s.result.failed == 1,
       "each failure is told, the last one counts");
    scene_close(&s);
}

static void test_signalled(void)
{
    struct scene s = scene_open("rule a:\n    output: touch('a')\n    shell: 'false'\n");
    s.script = (struct script[]){{"a", 10, -1, SIGKILL}, {0}};
    scene_run(&s);
    ok(!s.good && s.result.failed == 1 && !s.result.interrupted,
       "a job killed by a signal has failed");
    scene_close(&s);
}

static void test_missing_output(void)
{
    struct scene s = scene_open("rule a:\n    output: 'a', touch('b')\n    shell: 'false'\n");
    s.options.latency_wait = 0.2;
    scene_run(&s);
    ok(!s.good && s.result.failed == 1, "an output that does not appear is a failure");
    ok(access("b", F_OK) != 0, "and the others are removed");
    scene_close(&s);
}

static void test_interrupted(void)
{
    struct scene s = scene_open(chain);
    s.options.cores = 1;
    s.kill_at = 1;
    scene_run(&s);
    ok(!s.good && s.result.interrupted && s.stop_signal == SIGTERM, "a signal stops the run");
    ok(s.result.done < 5 && !access("a", F_OK), "what was finished stays");
    ok(!strstr(s.history, "start c"), "nothing new is started");
    scene_close(&s);
}

static void test_temp(void)
{
    struct scene s = scene_open(
        "rule b:\n    input: 'a'\n    output: touch('b')\n    shell: 'false'\n"
        "rule a:\n    output: touch(temp('a'))\n    shell: 'false'\n");
    scene_run(&s);
    is(s.removed, "a ", "a temporary file goes when its user is done");
    ok(access("a", F_OK) != 0 && !access("b", F_OK), "from the disk too");
    scene_close(&s);
    s = scene_open("rule b:\n    input: 'a'\n    output: touch('b')\n    shell: 'false'\n"
                   "rule a:\n    output: touch(temp('a'))\n    shell: 'false'\n");
    s.options.notemp = true;
    scene_run(&s);
    ok(!*s.removed && !access("a", F_OK), "but not with --notemp");
    scene_close(&s);
}

/* A job that cannot be prepared leaves the results of an earlier run alone. */
static void test_prepared(void)
{
    struct scene s = scene_open(
        "rule a:\n    output: 'good', protected('kept')\n    shell: 'false'\n");
    flowtest_write("good", "old");
    flowtest_write("kept", "old");
    chmod("kept", 0444);
    scene_run(&s);
    ok(!s.good && s.result.failed == 1, "a protected output is not made again");
    is(s.history, "", "nothing is started");
    ok(!access("good", F_OK) && !access("kept", F_OK), "and nothing is removed");
    scene_close(&s);

    s = scene_open("def boom(w):\n    raise ValueError('no')\n"
                   "rule a:\n    output: 'good'\n    params: boom\n    shell: 'false'\n");
    flowtest_write("good", "old");
    scene_run(&s);
    ok(!s.good && s.result.failed == 1 && !access("good", F_OK), "nor if a params function raises");
    scene_close(&s);
}

static void test_many(void)
{
    struct scene s = scene_open(
        "rule all:\n    input: expand('b{n}', n=range(100))\n"
        "rule b:\n    input: 'a{n}', 'c{n}'\n    output: touch('b{n}')\n    shell: 'false'\n"
        "rule a:\n    output: touch('a{n}')\n    threads: 2\n    shell: 'false'\n"
        "rule c:\n    output: touch('c{n}')\n    shell: 'false'\n");
    s.options.cores = 8;
    scene_run(&s);
    ok(s.good && s.result.done == 301, "301 jobs are done");
    int running = 0, most = 0, started = 0;
    for (const char *line = s.history; *line; line = strchr(line, '\n') + 1) {
        bool start = strstr(line, "start") && strstr(line, "start") < strchr(line, '\n');
        bool two = strchr(line, '\n')[start ? -1 : -3] == 'a';
        running += (start ? 1 : -1) * (two ? 2 : 1);
        most = running > most ? running : most;
        started += start;
    }
    ok(started == 300 && running == 0, "300 launches, one each, all ended");
    ok(most == 8, "eight cores, never more: %d", most);
    scene_close(&s);
}

/* One GPU: the next job gets it. */
static void test_route(void)
{
    struct scene s = scene_open("rule a:\n    output: touch('a'), touch('c')\n"
                                "    params: lambda wildcards: 1 / 0\n"
                                "    resources: slurm_account='x', device='auto'\n"
                                "    shell: 'true'\n"
                                "rule b:\n    output: touch('b')\n"
                                "    resources: slurm_account='x', device='auto'\n"
                                "    shell: 'true'\n"
                                "rule all:\n    default_target: True\n    input: 'a', 'b'\n");
    struct route_account account = {"x", {NULL, NULL}, {1, 1}};
    struct route_options options = {.accounts = &account, .naccounts = 1, .cpus_too = true};
    struct route *route = route_new(s.g->names, &options);
    s.options.keep_going = true;
    s.options.route = route;
    for (int d = 0; d < DEVICES; d++) {
        route_know(route, "a", (enum device)d, d == DEVICE_GPU ? 60 : 100);
        route_know(route, "b", (enum device)d, d == DEVICE_GPU ? 60 : 100);
    }
    scene_run(&s);
    is(s.devices, "gpu gpu ", "a job that could not be started gives its device back");
    route_free(route);
    scene_close(&s);
}

int main(void)
{
    test_good();
    test_failure();
    test_keep_going();
    test_retries();
    test_signalled();
    test_missing_output();
    test_interrupted();
    test_temp();
    test_prepared();
    test_many();
    test_route();
    return done();
}
