// SPDX-License-Identifier: MIT
#include "cli/simulation.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/nearest.h"
#include "cli/blocked.h"
#include "cli/execute.h"
#include "cli/routing.h"
#include "cli/setup.h"
#include "exec/fake.h"
#include "exec/slurm_args.h"
#include "loop/loop.h"
#include "run/run.h"

enum { MOST_JOBS = 5000 };
static const double NS = 1e9;

const struct policy policies[POLICIES] = {
    {"static", "choose accounts by their slots, whoever uses them", false, false, false},
    {"live", "choose accounts by what is free at the start", true, false, false},
    {"live+rerouting", "the same, and move waiting jobs", true, true, false},
    {"gpu+cpu", "the same, and run jobs with device: auto on CPUs, too", true, true, true},
};

/* Jobs of one rule in a simulation. */
struct crowd {
    const char *rule;
    double seconds[DEVICES];
    uint32_t recalled[DEVICES]; /* so many jobs of earlier runs took that long on average */
    uint32_t running, peak, jobs;
    bool guessed;
    bool here; /* its jobs are not submitted */
};

/* A launch, by its id. */
struct launched {
    uint32_t crowd;
    bool alive, on_gpu;
};

struct simulation {
    struct session *s;
    const struct scenario *scenario;
    const struct simulation_options *options;
    struct model *model;
    struct route *route; /* of the run; owned by go() */
    struct accounts now;
    struct fake_site site;
    VEC(struct crowd) crowds;
    struct map crowd_of; /* symbol -> crowd + 1 */
    VEC(struct launched) launches;
    uint32_t running, gpus, lost_from;
    double cpu_factor;
    struct simulation_result *result;
};

/* ---- times of rules ---- */

static struct crowd *crowd_of(struct simulation *sim, const char *rule)
{
    sym_t sym = intern_str(sim->s->names, rule);
    uint32_t *place = map_at(&sim->crowd_of, sym);
    if (!*place) {
        const struct rule *known = workflow_rule(sim->s->workflow, rule);
        vec_push(&sim->crowds, ((struct crowd){.rule = sym_text(sim->s->names, sym),
                                               .here = known && known->local}));
        *place = sim->crowds.len;
    }
    return &sim->crowds.at[*place - 1];
}

static void know(struct simulation *sim, const char *rule, enum device device, double seconds)
{
    struct crowd *crowd = crowd_of(sim, rule);
    if (seconds <= 0)
        return;
    crowd->seconds[device] = seconds;
    crowd->recalled[device] = 0;
}

/* Of many, the average counts. */
static void recall(void *user, const char *rule, enum device device, double seconds)
{
    struct crowd *crowd = crowd_of(user, rule);
    double n = ++crowd->recalled[device];
    crowd->seconds[device] += (seconds - crowd->seconds[device]) / n;
}

/* A name that no rule has is told once. */
static void check_rule(const struct simulation *sim, const char *rule)
{
    const struct workflow *workflow = sim->s->workflow;
    struct nearest near = nearest_to(rule);
    if (workflow_rule(workflow, rule) || sim->options->quiet)
        return;
    warn(sim->s->diags, (struct span){0},
         "a time is given for rule '%s', but there is no such rule", rule);
    for (rule_id r = 1; r < workflow->rules.len; r++)
        nearest_offer(&near, sym_text(sim->s->names, workflow->rules.at[r]->name));
    diag_meant(sim->s->diags, near.best);
}

/* A run submits a group's jobs as one; here they come one by one. Told once. */
static void tell_of_groups(const struct simulation *sim)
{
    const struct workflow *workflow = sim->s->workflow;
    bool any = sim->s->options.given[OPT_GROUPS];
    for (rule_id r = 1; r < workflow->rules.len; r++)
        any |= workflow->rules.at[r]->group.v != NO_VALUE;
    if (any && !sim->options->quiet)
        warn(sim->s->diags, (struct span){0},
             "groups are not simulated: their jobs are submitted one by one here");
}

static void know_stated(struct simulation *sim, const struct scenario_time *times, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        check_rule(sim, times[i].rule);
        for (int d = 0; d < DEVICES; d++)
            know(sim, times[i].rule, (enum device)d, times[i].seconds[d]);
    }
}

/* From earlier runs, over these the scenario's, over these the command line's. */
static void know_times(struct simulation *sim)
{
    routing_recall(sim->s, recall, sim);
    know_stated(sim, sim->scenario->times.at, sim->scenario->times.len);
    know_stated(sim, sim->options->times, sim->options->ntimes);
}

static double seconds_of(struct crowd *crowd, enum device device, double cpu_factor)
{
    double *s = crowd->seconds;
    if (s[DEVICE_GPU] <= 0 && s[DEVICE_CPU] <= 0) {
        crowd->guessed = true;
        s[DEVICE_GPU] = SIMULATION_GUESS_S;
    }
    if (s[device] > 0)
        return s[device];
    return device == DEVICE_CPU ? s[DEVICE_GPU] * cpu_factor : s[DEVICE_CPU] / cpu_factor;
}

/* The scheduler knows the times, with the weight that they have; in a first run it learns them. */
static void teach(const struct simulation *sim, struct route *route)
{
    for (uint32_t i = 0; i < sim->crowds.len && !sim->scenario->first_run; i++) {
        const struct crowd *crowd = &sim->crowds.at[i];
        for (int d = 0; d < DEVICES; d++)
            for (uint32_t n = crowd->recalled[d] ? crowd->recalled[d] : crowd->seconds[d] > 0; n;
                 n--)
                route_know(route, crowd->rule, (enum device)d, crowd->seconds[d]);
    }
}

/* ---- the site ---- */

/* Where a job runs: one that names no account, on the first, as on the user's default; one that is
 * not submitted, on the last, which holds anything. */
static uint32_t account_of(const struct simulation *sim, const char *name, bool here)
{
    const struct accounts *all = &sim->scenario->accounts;
    if (!here && !name)
        return 0;
    const struct account *found = here ? NULL : accounts_find(all, name, strlen(name));
    return found ? (uint32_t)(found - all->all.at) : all->all.len;
}

static struct launched *launched(struct simulation *sim, uint32_t launch)
{
    while (sim->launches.len < launch)
        vec_push(&sim->launches, ((struct launched){.alive = false}));
    return &sim->launches.at[launch - 1];
}

static void submit(void *user, const struct launch *launch, int64_t now_ns)
{
    struct simulation *sim = user;
    const char *device = launch_text(launch, "device"),
               *account = launch_text(launch, "slurm_account");
    const struct tres *asks = route_request(sim->route, launch->id);
    struct crowd *crowd = crowd_of(sim, launch->name);
    struct model_job job = {.account = account_of(sim, account, crowd->here), .request = *asks};
    bool cpu = device && !strcmp(device, "cpu");
    double seconds = seconds_of(crowd, cpu ? DEVICE_CPU : DEVICE_GPU,
                                route_cpu_factor(sim->route, launch->id));
    job.run_ns = (int64_t)(seconds * NS) + 1;
    *launched(sim, launch->id) = (struct launched){
        .crowd = (uint32_t)(crowd - sim->crowds.at), .alive = true, .on_gpu = job.request.gpu > 0};
    crowd->jobs++;
    model_submit(sim->model, launch->id, &job, now_ns);
}

static void count(struct simulation *sim, uint32_t launch, int sign, int64_t at_ns)
{
    const struct launched *one = launched(sim, launch);
    struct crowd *crowd = &sim->crowds.at[one->crowd];
    crowd->running += (uint32_t)sign;
    sim->running += (uint32_t)sign;
    if (one->on_gpu)
        sim->gpus += (uint32_t)sign;
    crowd->peak = crowd->running > crowd->peak ? crowd->running : crowd->peak;
    if (sim->running > sim->result->peak)
        sim->result->peak = sim->running;
    if (sim->options->timeline)
        fprintf(sim->options->timeline, "%s\t%.3f\t%u\t%u\n", sim->options->policy->name,
                (double)at_ns / NS, sim->gpus, sim->running - sim->gpus);
}

/* Nothing comes any more: what still waits never starts. */
static bool next_lost(struct simulation *sim, struct fake_news *news)
{
    while (sim->lost_from < sim->launches.len && !sim->launches.at[sim->lost_from].alive)
        sim->lost_from++;
    if (sim->lost_from >= sim->launches.len)
        return false;
    sim->launches.at[sim->lost_from].alive = false;
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
        launched(sim, event.id)->alive = false;
        sim->result->makespan_s = (double)event.at_ns / NS;
    }
    return true;
}

static bool move(void *user, uint32_t launch, const struct exec_place *place, int64_t now_ns)
{
    struct simulation *sim = user;
    return model_move(sim->model, launch, account_of(sim, place->account, false), now_ns);
}

/* ---- the run ---- */

static void opened(void *user, struct executor *executor)
{
    struct simulation *sim = user;
    fake_set_site(executor, &sim->site);
}

static void look(void *user, struct loop *loop, void (*done)(void *arg), void *arg)
{
    struct simulation *sim = user;
    (void)loop;
    model_show(sim->model, &sim->now);
    done(arg);
}

static void ignore_count(void *user, uint32_t n)
{
    (void)user, (void)n;
}
static void ignore_task(void *user, struct task *task)
{
    (void)user, (void)task;
}
static void ignore_submission(void *user, const struct task *task, const char *id, const char *log)
{
    (void)user, (void)task, (void)id, (void)log;
}
static void ignore_end(void *user, const struct task *task, uint32_t done, uint32_t total)
{
    (void)user, (void)task, (void)done, (void)total;
}
static void ignore_removal(void *user, const char *path, const char *why)
{
    (void)user, (void)path, (void)why;
}
static void ignore_text(void *user, const char *text)
{
    (void)user, (void)text;
}
static void ignore_signal(void *user, int signum)
{
    (void)user, (void)signum;
}
static bool ignore_turn(void *user, uint32_t running, uint32_t done, uint32_t total)
{
    (void)user, (void)running, (void)done, (void)total;
    return false;
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

static bool route_options(struct simulation *sim, struct route_options *out)
{
    struct session *s = sim->s;
    const struct policy *policy = sim->options->policy;
    *out = (struct route_options){.listed = routing_lists_accounts(s),
                                  .now = &sim->now,
                                  .live = policy->live,
                                  .moves = policy->moves && !s->options.given[OPT_NO_REROUTE],
                                  .cpus_too = policy->cpus_too,
                                  .cpu_factor = sim->cpu_factor,
                                  .look = look,
                                  .user = sim};
    if (!routing_accounts(s, &sim->now, &out->accounts, &out->naccounts, NULL) ||
        !routing_pace(s, &out->patience_ns, &out->look_ns))
        return false;
    if (sim->scenario->look_s > 0)
        out->look_ns = (int64_t)(sim->scenario->look_s * NS);
    model_set_tick(sim->model, out->look_ns);
    return true;
}

static bool go(struct simulation *sim)
{
    struct session *s = sim->s;
    struct route_options options;
    int jobs;
    if (!route_options(sim, &options) || !execute_most_jobs(s, MOST_JOBS, &jobs))
        return false;
    struct route *route = route_new(s->names, &options);
    sim->route = route;
    teach(sim, route);
    struct run_options run = {.executor = "fake",
                              .jobs = jobs,
                              .keep_going = true,
                              .notemp = true,
                              .fresh = &s->fresh,
                              .cut = &s->cut,
                              .first = &s->first,
                              .route = route,
                              .simulated = true,
                              .now = fake_now,
                              .opened = opened,
                              .opened_user = sim};
    execute_limits(s, true, &run);
    struct run_observer observer = {.user = sim,
                                    .selected = ignore_count,
                                    .started = ignore_task,
                                    .submitted = ignore_submission,
                                    .finished = ignore_end,
                                    .failed = failed,
                                    .removed = ignore_removal,
                                    .stopping = ignore_signal,
                                    .note = ignore_text,
                                    .turn = ignore_turn};
    struct run_result result;
    bool good = run_jobs(s->graph, &run, &observer, &result);
    signals_end_program(true); /* there may be more policies */
    sim->result->done = result.done;
    sim->result->total = result.total;
    sim->result->moved = route_moved(route);
    route_free(route);
    return good;
}

static void sum_up(struct simulation *sim)
{
    struct simulation_result *result = sim->result;
    for (uint32_t i = 0; i < sim->crowds.len; i++) {
        const struct crowd *crowd = &sim->crowds.at[i];
        uint32_t waves = crowd->peak ? (crowd->jobs + crowd->peak - 1) / crowd->peak : 0;
        result->waves = waves > result->waves ? waves : result->waves;
        result->unknown += crowd->guessed;
    }
    for (uint32_t i = 0; i < sim->scenario->accounts.all.len; i++)
        vec_push(&result->accounts,
                 ((struct simulated_account){
                     model_account_use(sim->model, i, (int64_t)(result->makespan_s * NS)),
                     account_usable(&sim->now.all.at[i])}));
}

static bool simulate_loaded(struct simulation *sim)
{
    struct session *s = sim->s;
    blocked_list blocked = {0};
    bool good = blocked_read(&s->arena, s->diags, option_word(&s->options, OPT_DIRECTORY, "."),
                             &blocked);
    if (good)
        show_start(sim, &blocked);
    if (good && sim->options->policy->live)
        routing_inject(s, &sim->now);
    sim->cpu_factor = 0;
    good = good && setup_load(s, true) && setup_build(s, true) &&
           routing_cpu_factor(s, &sim->cpu_factor);
    if (good) {
        know_times(sim);
        tell_of_groups(sim);
        good = go(sim);
        sum_up(sim);
    }
    vec_free(&blocked);
    return good;
}

bool simulation_run(const struct simulation_options *options, struct simulation_result *result)
{
    struct session s;
    struct arena here = {0};
    struct simulation sim = {.s = &s,
                             .scenario = options->scenario,
                             .options = options,
                             .model = scenario_model(options->scenario),
                             .result = result};
    sim.site = (struct fake_site){&sim, submit, next, move};
    const char *cwd = fs_cwd(&here);
    int64_t start = clock_ns();
    bool good = setup_open(&s, options->self, options->quiet, options->nwords, options->words);
    log_open(&s.log, stderr, 0, true);
    s.log.quiet = QUIET_ALL;
    good = good && simulate_loaded(&sim);
    result->wall_s = (double)(clock_ns() - start) / NS;
    session_complain(&s);
    setup_close(&s);
    good &= !chdir(cwd);
    arena_free(&here);
    accounts_free(&sim.now);
    model_free(sim.model);
    vec_free(&sim.crowds);
    map_free(&sim.crowd_of);
    vec_free(&sim.launches);
    return good;
}

void simulation_result_free(struct simulation_result *result)
{
    vec_free(&result->accounts);
}
