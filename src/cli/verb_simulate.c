// SPDX-License-Identifier: MIT
/* verb_simulate.c: kintsugi-flow simulate: a workflow against a cluster that is only computed. The run
 * is the very one of `run`; its executor is the fake one, whose site is a model of the cluster, and
 * whose clock jumps. Each policy reads the workflow anew, as its config differs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/path.h"
#include "cli/blocked.h"
#include "cli/routing.h"
#include "cli/scenario.h"
#include "cli/verbs.h"
#include "exec/fake.h"
#include "run/run.h"

enum { MOST_JOBS = 5000, UNKNOWN_S = 60 };
static const double NS = 1e9;

static const struct policy {
    const char *name, *help;
    bool live, moves, cpus_too;
} policies[] = {
    {"static", "accounts by their slots, whoever uses them", false, false, false},
    {"live", "accounts by what is free at the start", true, false, false},
    {"live+rerouting", "and waiting jobs are moved", true, true, false},
    {"gpu+cpu", "and jobs with device: auto use CPUs, too", true, true, true},
};
enum { POLICIES = sizeof policies / sizeof *policies };

struct options_here {
    bool now, json, help;
    const char *scenario, *only, *timeline;
    VEC(const char *) times; /* RULE=S */
    VEC(const char *) rest;  /* for the run */
};

struct result {
    double makespan_s;
    uint32_t done, failed, total, peak, waves, moved;
    double wall_s;
    struct model_use use[16];
    uint32_t unknown; /* rules whose time nobody knows */
};

/* Jobs of one rule in a simulation. */
struct crowd {
    const char *rule;
    double seconds[DEVICES];
    double recalled[DEVICES]; /* jobs of earlier runs */
    uint32_t running, peak, jobs;
    bool guessed;
};

struct simulation {
    struct session *s;
    const struct scenario *scenario;
    const struct options_here *options;
    struct model *model;
    struct accounts now;
    struct fake_site site;
    struct executor *executor;
    VEC(struct crowd) crowds;
    struct map crowd_of; /* symbol -> crowd + 1 */
    VEC(uint32_t) launch_crowd;
    VEC(bool) alive;
    VEC(bool) on_gpu;
    uint32_t running, gpus, lost_from;
    double cpu_factor;
    FILE *timeline;
    const char *policy;
    struct result *result;
};

/* ---- times of rules ---- */

static struct crowd *crowd_of(struct simulation *sim, const char *rule)
{
    sym_t sym = intern_str(sim->s->names, rule);
    uint32_t *place = map_at(&sim->crowd_of, sym);
    if (!*place) {
        vec_push(&sim->crowds, ((struct crowd){.rule = sym_text(sim->s->names, sym)}));
        *place = sim->crowds.len;
    }
    return &sim->crowds.at[*place - 1];
}

static void know(struct simulation *sim, const char *rule, enum device device, double seconds)
{
    struct crowd *crowd = crowd_of(sim, rule);
    if (seconds > 0)
        crowd->seconds[device] = seconds;
}

/* Of many, the average counts. */
static void recall(void *user, const char *rule, enum device device, double seconds)
{
    struct crowd *crowd = crowd_of(user, rule);
    double n = ++crowd->recalled[device];
    crowd->seconds[device] += (seconds - crowd->seconds[device]) / n;
}

/* From earlier runs, over these the scenario's, over these the command line's. */
static void know_times(struct simulation *sim)
{
    routing_recall(sim->s, recall, sim);
    for (uint32_t i = 0; i < sim->scenario->times.len; i++)
        for (int d = 0; d < DEVICES; d++)
            know(sim, sim->scenario->times.at[i].rule, (enum device)d,
                 sim->scenario->times.at[i].seconds[d]);
    for (uint32_t i = 0; i < sim->options->times.len; i++) {
        const char *word = sim->options->times.at[i], *equal = strchr(word, '=');
        know(sim, arena_copy(&sim->s->arena, word, (size_t)(equal - word)), DEVICE_GPU,
             atof(equal + 1));
    }
}

static double seconds_of(struct simulation *sim, struct crowd *crowd, enum device device)
{
    double *s = crowd->seconds;
    if (s[DEVICE_GPU] <= 0 && s[DEVICE_CPU] <= 0) {
        crowd->guessed = true;
        s[DEVICE_GPU] = UNKNOWN_S;
    }
    if (s[device] > 0)
        return s[device];
    return device == DEVICE_CPU ? s[DEVICE_GPU] * sim->cpu_factor : s[DEVICE_CPU] / sim->cpu_factor;
}

/* ---- the site ---- */

static const char *resource(const struct launch *launch, const char *name)
{
    for (uint32_t i = 0; i < launch->nresource; i++)
        if (!strcmp(launch->resource[i].name, name))
            return launch->resource[i].text;
    return NULL;
}

static uint32_t account_of(const struct simulation *sim, const char *name)
{
    const struct accounts *all = &sim->scenario->accounts;
    uint32_t i = 0;
    while (i < all->all.len && (!name || strcmp(all->all.at[i].name, name)))
        i++;
    return i; /* the last is for those without one */
}

static void submit(void *user, const struct launch *launch, int64_t now_ns)
{
    struct simulation *sim = user;
    const char *gres = resource(launch, "gres"), *cpus = resource(launch, "cpus_per_task"),
               *device = resource(launch, "device"), *account = resource(launch, "slurm_account");
    struct crowd *crowd = crowd_of(sim, launch->name);
    struct model_job job = {
        .account = account_of(sim, account),
        .request = {cpus ? atoll(cpus) : launch->cores, launch->mem_mb,
                    gres ? tres_gres_gpus(gres, strlen(gres)) : 0}};
    bool cpu = device && !strcmp(device, "cpu");
    job.run_ns = (int64_t)(seconds_of(sim, crowd, cpu ? DEVICE_CPU : DEVICE_GPU) * NS) + 1;
    while (sim->launch_crowd.len < launch->id) {
        vec_push(&sim->launch_crowd, 0);
        vec_push(&sim->alive, false);
        vec_push(&sim->on_gpu, false);
    }
    sim->launch_crowd.at[launch->id - 1] = (uint32_t)(crowd - sim->crowds.at);
    sim->alive.at[launch->id - 1] = true;
    sim->on_gpu.at[launch->id - 1] = job.request.gpu > 0;
    crowd->jobs++;
    model_submit(sim->model, launch->id, &job, now_ns);
}

static void count(struct simulation *sim, uint32_t launch, int sign, int64_t at_ns)
{
    struct crowd *crowd = &sim->crowds.at[sim->launch_crowd.at[launch - 1]];
    crowd->running += (uint32_t)sign;
    sim->running += (uint32_t)sign;
    if (sim->on_gpu.at[launch - 1])
        sim->gpus += (uint32_t)sign;
    crowd->peak = crowd->running > crowd->peak ? crowd->running : crowd->peak;
    if (sim->running > sim->result->peak)
        sim->result->peak = sim->running;
    if (sim->timeline)
        fprintf(sim->timeline, "%s\t%.3f\t%u\t%u\n", sim->policy, (double)at_ns / NS, sim->gpus,
                sim->running - sim->gpus);
}

/* Nothing comes any more: what still waits never starts. */
static bool next_lost(struct simulation *sim, struct fake_news *news)
{
    while (sim->lost_from < sim->alive.len && !sim->alive.at[sim->lost_from])
        sim->lost_from++;
    if (sim->lost_from >= sim->alive.len)
        return false;
    sim->alive.at[sim->lost_from] = false;
    *news = (struct fake_news){.at_ns = model_now(sim->model),
                               .event = {.kind = EXEC_LOST,
                                         .launch = sim->lost_from + 1,
                                         .message = "it asks for more than its account has"}};
    return true;
}

static bool next(void *user, int64_t until_ns, struct fake_news *news)
{
    static const enum exec_event_kind kinds[] = {[MODEL_START] = EXEC_STARTED,
                                                 [MODEL_LEFT] = EXEC_WAITING,
                                                 [MODEL_END] = EXEC_ENDED,
                                                 [MODEL_WAIT] = EXEC_WAITING,
                                                 [MODEL_TICK] = EXEC_WAITING};
    struct simulation *sim = user;
    struct model_event event;
    if (!model_next(sim->model, until_ns, &event))
        return until_ns == INT64_MAX && next_lost(sim, news);
    *news = (struct fake_news){.at_ns = event.at_ns,
                               .event = {.kind = kinds[event.kind],
                                         .launch = event.kind == MODEL_LEFT ? 0 : event.id,
                                         .start_ns = event.start_ns + 1,
                                         .end_ns = event.at_ns + 1,
                                         .message = event.reason,
                                         .host = "simulated"}};
    if (event.kind == MODEL_START || event.kind == MODEL_LEFT)
        count(sim, event.id, event.kind == MODEL_START ? 1 : -1, event.at_ns);
    if (event.kind == MODEL_END) {
        sim->alive.at[event.id - 1] = false;
        sim->result->makespan_s = (double)event.at_ns / NS;
    }
    return true;
}

static bool move(void *user, uint32_t launch, const struct exec_place *place, int64_t now_ns)
{
    struct simulation *sim = user;
    return model_move(sim->model, launch, account_of(sim, place->account), now_ns);
}

/* ---- the run ---- */

static void opened(void *user, struct executor *executor)
{
    struct simulation *sim = user;
    sim->executor = executor;
    fake_set_site(executor, &sim->site);
}

static void look(void *user, struct loop *loop, void (*done)(void *arg), void *arg)
{
    struct simulation *sim = user;
    (void)loop;
    model_show(sim->model, &sim->now);
    done(arg);
}

static void ignore_count(void *user, uint32_t n) { (void)user, (void)n; }
static void ignore_task(void *user, struct task *task) { (void)user, (void)task; }
static void ignore_end(void *user, const struct task *task, uint32_t done, uint32_t total)
{
    (void)user, (void)task, (void)done, (void)total;
}
static void ignore_path(void *user, const char *path) { (void)user, (void)path; }
static void ignore_signal(void *user, int signum) { (void)user, (void)signum; }
static void ignore_turn(void *user, uint32_t running, uint32_t done, uint32_t total)
{
    (void)user, (void)running, (void)done, (void)total;
}

/* The first failure is told. */
static void failed(void *user, const struct run_failure *failure)
{
    struct simulation *sim = user;
    if (!sim->result->failed++)
        complain(sim->s->diags, (struct span){0}, "a job of rule '%s' never starts: %s",
                 sym_text(sim->s->names, failure->task->eval.rule->name), failure->why);
}

/* What is used at the start, as accounts. */
static void show_start(struct simulation *sim, const blocked_list *blocked)
{
    for (uint32_t i = 0; i < sim->scenario->accounts.all.len; i++) {
        const struct account *from = &sim->scenario->accounts.all.at[i];
        struct account *to = accounts_add(&sim->now, from->name, strlen(from->name));
        to->limit = to->qos_limit = account_limit(&sim->scenario->accounts, from);
        to->running = from->running;
        to->limit_from = to->use_from = FROM_SCONTROL;
    }
    accounts_block(&sim->now, blocked->at, blocked->len);
}

static bool go(struct simulation *sim, const struct policy *policy)
{
    struct session *s = sim->s;
    const struct route_account *accounts;
    uint32_t naccounts;
    if (!routing_accounts(s, &sim->now, &accounts, &naccounts))
        return false;
    struct route_options options = {.accounts = accounts,
                                    .naccounts = naccounts,
                                    .listed = routing_lists_accounts(s),
                                    .now = &sim->now,
                                    .live = policy->live,
                                    .moves = policy->moves,
                                    .cpus_too = policy->cpus_too,
                                    .cpu_factor = sim->cpu_factor,
                                    .look_ns = (int64_t)(sim->scenario->look_s * NS),
                                    .look = look,
                                    .user = sim};
    struct route *route = route_new(s->names, &options);
    for (uint32_t i = 0; i < sim->crowds.len; i++)
        for (int d = 0; d < DEVICES; d++)
            if (sim->crowds.at[i].seconds[d] > 0)
                route_know(route, sim->crowds.at[i].rule, (enum device)d,
                           sim->crowds.at[i].seconds[d]);
    double jobs = MOST_JOBS;
    const char *word = option_word(&s->options, OPT_JOBS, "unlimited");
    if (strcmp(word, "unlimited") && strcmp(word, "all"))
        jobs = atof(word);
    struct run_options run = {.executor = "fake",
                              .jobs = (int)jobs,
                              .keep_going = true,
                              .notemp = true,
                              .fresh = &s->fresh,
                              .route = route,
                              .simulated = true,
                              .now = fake_now,
                              .opened = opened,
                              .opened_user = sim};
    struct run_observer observer = {.user = sim,
                                    .selected = ignore_count,
                                    .started = ignore_task,
                                    .finished = ignore_end,
                                    .failed = failed,
                                    .removed = ignore_path,
                                    .stopping = ignore_signal,
                                    .note = ignore_path,
                                    .turn = ignore_turn};
    struct run_result result;
    bool good = run_jobs(s->graph, &run, &observer, &result);
    sim->result->done = result.done;
    sim->result->total = result.total;
    sim->result->moved = route_moved(route);
    route_free(route);
    return good;
}

static void sum_up(struct simulation *sim)
{
    struct result *result = sim->result;
    uint32_t n = sim->scenario->accounts.all.len;
    for (uint32_t i = 0; i < sim->crowds.len; i++) {
        const struct crowd *crowd = &sim->crowds.at[i];
        uint32_t waves = crowd->peak ? (crowd->jobs + crowd->peak - 1) / crowd->peak : 0;
        result->waves = waves > result->waves ? waves : result->waves;
        result->unknown += crowd->guessed;
    }
    for (uint32_t i = 0; i < n && i < 16; i++)
        result->use[i] = model_account_use(sim->model, i, (int64_t)(result->makespan_s * NS));
}

static bool simulate_loaded(struct simulation *sim, const struct policy *policy)
{
    struct session *s = sim->s;
    blocked_list blocked = {0};
    bool good = blocked_read(&s->arena, s->diags, ".", &blocked);
    if (good)
        show_start(sim, &blocked);
    if (good && policy->live)
        routing_inject(s, &sim->now);
    good = good && session_load(s) && session_build(s, true);
    sim->cpu_factor = good ? routing_cpu_factor(s) : 0;
    sim->cpu_factor = sim->cpu_factor > 0 ? sim->cpu_factor : 5;
    if (good) {
        know_times(sim);
        good = go(sim, policy);
        sum_up(sim);
    }
    vec_free(&blocked);
    return good;
}

static bool simulate_one(const char *self, const struct options_here *options,
                         const struct scenario *scenario, const struct policy *policy,
                         FILE *timeline, struct result *result)
{
    struct session s;
    struct arena here = {0};
    struct simulation sim = {.s = &s,
                             .scenario = scenario,
                             .options = options,
                             .model = scenario_model(scenario),
                             .timeline = timeline,
                             .policy = policy->name,
                             .result = result};
    sim.site = (struct fake_site){&sim, submit, next, move};
    const char *cwd = fs_cwd(&here);
    int64_t start = clock_ns();
    bool good = session_open(&s, self, (int)options->rest.len, options->rest.at);
    log_open(&s.log, stderr, 0, true);
    s.log.quiet = QUIET_ALL;
    s.exit_status = -1;
    good = good && simulate_loaded(&sim, policy);
    result->wall_s = (double)(clock_ns() - start) / NS;
    session_complain(&s);
    session_close(&s);
    good &= !chdir(cwd);
    arena_free(&here);
    accounts_free(&sim.now);
    model_free(sim.model);
    vec_free(&sim.crowds);
    map_free(&sim.crowd_of);
    vec_free(&sim.launch_crowd);
    vec_free(&sim.alive);
    vec_free(&sim.on_gpu);
    return good;
}

/* ---- what is printed ---- */

static const char *duration(double s, char out[32])
{
    int64_t n = (int64_t)(s + 0.5);
    snprintf(out, 32, "%lld:%02lld:%02lld", (long long)(n / 3600), (long long)(n / 60 % 60),
             (long long)(n % 60));
    return out;
}

static double part(double used_s, int64_t limit, double makespan_s)
{
    return limit > 0 && makespan_s > 0 ? 100 * used_s / ((double)limit * makespan_s) : 0;
}

static void put_head(const struct scenario *scenario)
{
    printf("%-15s %10s %6s %6s %6s %6s", "Policy", "Makespan", "Jobs", "Peak", "Waves", "Moved");
    for (uint32_t i = 0; i < scenario->accounts.all.len && i < 16; i++)
        printf("  %-16s", scenario->accounts.all.at[i].name);
    putchar('\n');
}

static void put_row(const struct scenario *scenario, const struct policy *policy,
                    const struct result *result)
{
    char text[32];
    printf("%-15s %10s %6u %6u %6u %6u", policy->name, duration(result->makespan_s, text),
           result->done, result->peak, result->waves, result->moved);
    for (uint32_t i = 0; i < scenario->accounts.all.len && i < 16; i++) {
        struct tres limit = account_limit(&scenario->accounts, &scenario->accounts.all.at[i]);
        printf("  GPU %3.0f%% CPU %3.0f%%", part(result->use[i].gpu_s, limit.gpu, result->makespan_s),
               part(result->use[i].cpu_s, limit.cpu, result->makespan_s));
    }
    putchar('\n');
    if (result->unknown)
        printf("  note: nobody knows how long jobs of %u rule%s take: %d s are assumed (--time RULE=S)\n",
               result->unknown, result->unknown == 1 ? "" : "s", UNKNOWN_S);
    fflush(stdout);
}

static void put_json(const struct scenario *scenario, const struct policy *policy,
                     const struct result *result)
{
    printf("{\"policy\": \"%s\", \"makespan_s\": %.3f, \"jobs\": %u, \"total\": %u, \"peak\": %u, "
           "\"waves\": %u, \"moved\": %u, \"wall_s\": %.3f, \"accounts\": {",
           policy->name, result->makespan_s, result->done, result->total, result->peak,
           result->waves, result->moved, result->wall_s);
    for (uint32_t i = 0; i < scenario->accounts.all.len && i < 16; i++)
        printf("%s\"%s\": {\"jobs\": %u, \"gpu_s\": %.3f, \"cpu_s\": %.3f}", i ? ", " : "",
               scenario->accounts.all.at[i].name, result->use[i].jobs, result->use[i].gpu_s,
               result->use[i].cpu_s);
    puts("}}");
    fflush(stdout);
}

/* ---- the command line ---- */

static const char usage_text[] =
    "usage: kintsugi-flow simulate [TARGET ...] (--scenario FILE | --now) [OPTIONS of run]\n\n"
    "  --scenario FILE   the cluster: accounts, limits, what others run, times of rules\n"
    "  --now             the accounts as they are now\n"
    "  --time RULE=S     how long jobs of a rule take (on a GPU, where it has one)\n"
    "  --policy NAME     only this one (several: a,b)\n"
    "  --timeline FILE   what runs when, as a table\n"
    "  --json            a line of JSON a policy\n\nPolicies:\n";

static void usage(FILE *out)
{
    fputs(usage_text, out);
    for (int i = 0; i < POLICIES; i++)
        fprintf(out, "  %-15s   %s\n", policies[i].name, policies[i].help);
}

static bool asked_for(const struct options_here *options, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = options->only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, n) && (at[n] == ',' || !at[n]))
            return true;
    return !options->only;
}

/* The value of an option of simulate's own at argv[*i], else NULL; "" for flags. */
static const char *own(const char *name, int *i, int argc, const char *const *argv)
{
    size_t n = strlen(name);
    if (!strncmp(argv[*i], name, n) && argv[*i][n] == '=')
        return argv[*i] + n + 1;
    if (strcmp(argv[*i], name))
        return NULL;
    return *i + 1 < argc ? argv[++*i] : "";
}

static bool parse(struct options_here *out, int argc, const char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        const char *word;
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            out->help = true;
        else if (!strcmp(argv[i], "--now"))
            out->now = true;
        else if (!strcmp(argv[i], "--json"))
            out->json = true;
        else if ((word = own("--scenario", &i, argc, argv)))
            out->scenario = word;
        else if ((word = own("--timeline", &i, argc, argv)))
            out->timeline = word;
        else if ((word = own("--policy", &i, argc, argv)))
            out->only = word;
        else if ((word = own("--time", &i, argc, argv)))
            vec_push(&out->times, word);
        else
            vec_push(&out->rest, argv[i]);
    }
    vec_push(&out->rest, NULL);
    out->rest.len--;
    for (uint32_t i = 0; i < out->times.len; i++)
        if (!strchr(out->times.at[i], '=')) {
            fprintf(stderr, "error: --time needs RULE=SECONDS, not '%s'\n", out->times.at[i]);
            return false;
        }
    bool known = !out->only;
    for (int i = 0; i < POLICIES; i++)
        known |= out->only && asked_for(out, policies[i].name);
    if (!known)
        fprintf(stderr, "error: there is no policy '%s': --help lists them\n", out->only);
    if (known && !out->help && !out->scenario == !out->now) {
        fputs("error: which cluster: --scenario FILE, or --now?\n", stderr);
        return false;
    }
    return known;
}

static bool simulate_all(const char *self, const struct options_here *options,
                         const struct scenario *scenario)
{
    bool good = true;
    FILE *timeline = options->timeline ? fopen(options->timeline, "w") : NULL;
    if (options->timeline && !timeline) {
        fprintf(stderr, "error: cannot write '%s': %s\n", options->timeline, strerror(errno));
        return false;
    }
    if (timeline)
        fputs("policy\tseconds\tgpu\tcpu\n", timeline);
    bool headed = options->json;
    for (int i = 0; good && i < POLICIES; i++) {
        struct result result = {0};
        if (!asked_for(options, policies[i].name))
            continue;
        good = simulate_one(self, options, scenario, &policies[i], timeline, &result);
        if (good && !headed)
            put_head(scenario);
        headed |= good;
        if (good)
            (options->json ? put_json : put_row)(scenario, &policies[i], &result);
    }
    return (!timeline || !fclose(timeline)) && good;
}

static int with_scenario(const char *self, const struct options_here *options)
{
    struct arena arena = {0};
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct scenario scenario = {0};
    bool good = options->now ? scenario_of_now(&arena, dx, fs_username(), &scenario)
                             : scenario_read(&arena, dx, options->scenario, &scenario);
    diag_print(dx, stderr, isatty(2));
    good = good && simulate_all(self, options, &scenario);
    scenario_free(&scenario);
    diags_free(dx);
    sources_free(sources);
    arena_free(&arena);
    return good ? EXIT_OK : EXIT_BAD;
}

int verb_simulate(const char *self, int argc, const char *const *argv)
{
    struct options_here options = {0};
    int status = EXIT_USAGE;
    bool good = parse(&options, argc, argv);
    if (options.help) {
        usage(stdout);
        status = EXIT_OK;
    } else if (good) {
        status = with_scenario(self, &options);
    }
    vec_free(&options.times);
    vec_free(&options.rest);
    return status;
}
