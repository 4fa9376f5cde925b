// SPDX-License-Identifier: MIT
#include "run/route.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/gres.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "exec/slurm_asks.h"
#include "exec/slurm_partition.h"
#include "hpc/assign.h"
#include "hpc/reroute.h"

static const int64_t SECOND = 1000000000;
enum { LOOK_S = 30, PATIENCE_S = 60, SETTLE_S = 300, UNKNOWN_S = 60 };
/* times as long between looks while nothing waits: the next wave is to know */
enum { SELDOM = 4 };
enum { MOST_LOOKED = 256 }; /* waiting jobs at one look */

/* What is known of a rule on each device. */
struct habit {
    double sum_s[DEVICES];
    uint32_t n[DEVICES];
    double cpu_factor; /* as it says itself; 0: it does not */
};

/* A launch, by its id. */
struct routed {
    bool used, runs, pooled, ours;
    struct pool_choice choice;
    enum device device;
    uint32_t habit;
    job_id job;
    const char *name; /* interned */
    char reason[64];
    uint32_t moving_to; /* account + 1 while the executor is at it */
};

struct route {
    struct route_options options;
    double cpu_limit; /* what a limit of time is multiplied by on CPUs */
    struct intern *names;
    struct reroute rules;
    struct loop *loop;
    struct executor *executor;
    struct timer *timer; /* wakes the loop while jobs wait */
    bool looking, looked;
    bool placed; /* jobs since the last look */
    int64_t now_ns, last_look_ns;
    struct pools pools;
    struct map by_rule; /* rule's symbol -> habit + 1 */
    VEC(struct habit) habits;
    VEC(struct routed) launches;
    VEC(struct reroute_job) jobs; /* by launch, too */
    struct tres *others;          /* by account: in use, and not ours */
    struct tres *ours;            /* running jobs of ours */
    struct tres *due;             /* jobs of ours that have not started */
    struct slots *left;           /* by others, at the last look */
    uint32_t waiting;             /* for a group's limit */
    uint64_t next[DEVICES];       /* number of the next job of account: auto */
    uint32_t moved;
    uint32_t active;   /* jobs on accounts of ours that have not ended */
    struct map forced; /* job -> account + 1 where it is to be submitted anew */
    VEC(struct tres) requests;
    struct map by_asking; /* hash of all resources -> place in requests + 1 */
};

/* ---- life ---- */

static const struct account *account_now(const struct route *route, uint32_t i)
{
    const char *name = route->options.accounts[i].name;
    return route->options.now ? accounts_find(route->options.now, name, strlen(name)) : NULL;
}

static int64_t slots_of(const struct route *route, uint32_t i, enum device device)
{
    int64_t fixed = route->options.accounts[i].slots[device];
    const struct account *account = account_now(route, i);
    if (fixed >= 0 || !account)
        return fixed > 0 ? fixed : 0;
    struct slots slots = account_slots(route->options.now, account);
    return device == DEVICE_GPU ? slots.gpu : slots.cpu;
}

static int64_t free_of(const struct route *route, uint32_t i, enum device device)
{
    const struct account *account = route->options.live ? account_now(route, i) : NULL;
    if (!account)
        return -1;
    struct slots slots = account_slots(route->options.now, account);
    int64_t idle = device == DEVICE_GPU ? slots.gpu_free : slots.cpu_free;
    return idle > 0 ? idle : 0;
}

/* The slots that are free now; where none are, or nobody knows, all of them, as jobs have to wait
 * somewhere. */
static void open_pool(struct route *route, enum device device)
{
    int64_t any = 0;
    for (uint32_t i = 0; i < route->options.naccounts; i++) {
        int64_t idle = free_of(route, i, device);
        any += idle > 0 ? idle : 0;
    }
    for (uint32_t i = 0; i < route->options.naccounts; i++) {
        int64_t idle = free_of(route, i, device);
        pools_add(&route->pools, device, i, idle < 0 || !any ? slots_of(route, i, device) : idle);
    }
}

/* The slots that others leave, jobs of ours put aside. */
static struct slots left_to_us(const struct route *route, uint32_t i)
{
    const struct account *account = account_now(route, i);
    if (!account || account->use_from == FROM_NOBODY)
        return (struct slots){0};
    struct account others = *account;
    others.running = tres_left(account->running, route->ours[i]);
    others.pending = tres_left(account->pending, route->due[i]);
    return account_slots(route->options.now, &others);
}

/* What others have left since then is used, too. It has to be seen twice: a job of ours may have
 * ended for Slurm, and not yet for us. */
static void widen_pools(struct route *route)
{
    for (uint32_t i = 0; i < route->options.naccounts; i++) {
        struct slots now = left_to_us(route, i), before = route->left[i];
        int64_t gpu = now.gpu_free < before.gpu_free ? now.gpu_free : before.gpu_free,
                cpu = now.cpu_free < before.cpu_free ? now.cpu_free : before.cpu_free;
        pools_add(&route->pools, DEVICE_GPU, i, gpu - pools_count(&route->pools, DEVICE_GPU, i));
        pools_add(&route->pools, DEVICE_CPU, i, cpu - pools_count(&route->pools, DEVICE_CPU, i));
        route->left[i] = now;
    }
}

static int64_t or_seconds(int64_t ns, int64_t otherwise_s)
{
    return ns ? ns : otherwise_s * SECOND;
}

struct route *route_new(struct intern *names, const struct route_options *options)
{
    struct route *route = memory_zeroed(1, sizeof *route);
    *route = (struct route){.options = *options, .names = names};
    route->options.look_ns = or_seconds(options->look_ns, LOOK_S);
    route->cpu_limit = options->cpu_factor > 0 ? options->cpu_factor : ROUTE_CPU_LIMIT;
    route->options.cpu_factor = options->cpu_factor > 0 ? options->cpu_factor : ROUTE_CPU_FACTOR;
    route->rules.patience_ns = or_seconds(options->patience_ns, PATIENCE_S);
    route->rules.settle_ns = or_seconds(options->settle_ns, SETTLE_S);
    route->others = memory_zeroed(3 * (size_t)options->naccounts + 1, sizeof *route->others);
    route->left = memory_zeroed((size_t)options->naccounts + 1, sizeof *route->left);
    route->ours = route->others + options->naccounts;
    route->due = route->ours + options->naccounts;
    for (uint32_t i = 0; i < options->naccounts; i++) {
        const struct account *account = account_now(route, i);
        if (account && options->live)
            route->others[i] = account->running;
    }
    for (int d = 0; d < DEVICES; d++)
        open_pool(route, (enum device)d);
    return route;
}

void route_free(struct route *route)
{
    if (!route)
        return;
    pools_free(&route->pools);
    map_free(&route->by_rule);
    map_free(&route->forced);
    map_free(&route->by_asking);
    vec_free(&route->requests);
    vec_free(&route->habits);
    vec_free(&route->launches);
    vec_free(&route->jobs);
    free(route->others);
    free(route->left);
    free(route);
}

void route_open(struct route *route, struct loop *loop, struct executor *executor)
{
    route->loop = loop;
    route->executor = executor;
}

void route_close(struct route *route)
{
    timer_end(&route->timer);
    if (route->looking && route->options.stop)
        route->options.stop(route->options.user);
    route->looking = false;
    route->executor = NULL;
}

uint32_t route_moved(const struct route *route)
{
    return route->moved;
}

static bool is_placed(const struct route *route, uint32_t launch)
{
    return launch && launch <= route->launches.len && route->launches.at[launch - 1].used;
}

const struct tres *route_request(const struct route *route, uint32_t launch)
{
    return is_placed(route, launch) ? &route->jobs.at[launch - 1].request : NULL;
}

/* ---- run times ---- */

static uint32_t habit_of(struct route *route, sym_t rule)
{
    uint32_t *place = map_at(&route->by_rule, rule);
    if (!*place) {
        vec_push(&route->habits, ((struct habit){.n = {0}}));
        *place = route->habits.len;
    }
    return *place - 1;
}

static void learn(struct route *route, uint32_t habit, enum device device, double seconds)
{
    route->habits.at[habit].sum_s[device] += seconds;
    route->habits.at[habit].n[device]++;
}

void route_know(struct route *route, const char *rule, enum device device, double seconds)
{
    learn(route, habit_of(route, intern_str(route->names, rule)), device, seconds);
}

static double factor_of(const struct route *route, uint32_t habit)
{
    double own = route->habits.at[habit].cpu_factor;
    return own > 0 ? own : route->options.cpu_factor;
}

double route_cpu_factor(const struct route *route, uint32_t launch)
{
    return is_placed(route, launch) ? factor_of(route, route->launches.at[launch - 1].habit)
                                    : route->options.cpu_factor;
}

/* How long a job of a rule is expected to take on each device. */
static struct pool_times expected(const struct route *route, uint32_t habit)
{
    const struct habit *h = &route->habits.at[habit];
    double factor = factor_of(route, habit);
    double s[DEVICES] = {0};
    for (int d = 0; d < DEVICES; d++)
        s[d] = h->n[d] ? h->sum_s[d] / h->n[d] : 0;
    if (s[DEVICE_GPU] <= 0)
        s[DEVICE_GPU] = s[DEVICE_CPU] > 0 ? s[DEVICE_CPU] / factor : UNKNOWN_S;
    if (s[DEVICE_CPU] <= 0)
        s[DEVICE_CPU] = s[DEVICE_GPU] * factor;
    return (struct pool_times){
        {(int64_t)(s[DEVICE_GPU] * 1e9) + 1, (int64_t)(s[DEVICE_CPU] * 1e9) + 1}};
}

/* ---- resources of a task ---- */

static struct resource *find(const struct route *route, struct job_eval *eval, const char *name)
{
    return eval_resource(eval, intern_find(route->names, name, strlen(name)));
}

static const char *text_of(const struct route *route, struct job_eval *eval, const char *name)
{
    const struct resource *r = find(route, eval, name);
    return r && r->is_text ? sym_text(route->names, r->text) : NULL;
}

/* 0: it is not there. */
static int64_t number_of(const struct route *route, struct job_eval *eval, const char *name)
{
    const struct resource *r = find(route, eval, name);
    return r && !r->is_text ? r->number : 0;
}

static struct resource *place_for(const struct route *route, struct job_eval *eval,
                                  const char *name)
{
    struct resource *r = find(route, eval, name);
    if (r)
        return r;
    struct resource *list = arena_array(eval->scratch, struct resource, eval->nresources + 1);
    memcpy(list, eval->resources, eval->nresources * sizeof *list);
    eval->resources = list;
    list[eval->nresources].name = intern_str(route->names, name);
    return &list[eval->nresources++];
}

static void set_text(const struct route *route, struct job_eval *eval, const char *name,
                     const char *text)
{
    struct resource *r = place_for(route, eval, name);
    r->is_text = true;
    r->text = intern_str(route->names, text);
    eval->seen_resources = NO_VALUE; /* Python sees them anew */
}

static void set_number(const struct route *route, struct job_eval *eval, const char *name,
                       int64_t number)
{
    struct resource *r = place_for(route, eval, name);
    *r = (struct resource){.name = r->name, .number = number};
    eval->seen_resources = NO_VALUE;
}

static void drop(const struct route *route, struct job_eval *eval, const char *name)
{
    struct resource *r = find(route, eval, name);
    if (!r)
        return;
    *r = eval->resources[--eval->nresources];
    eval->seen_resources = NO_VALUE;
}

static uint64_t hash_of(const struct job_eval *eval)
{
    uint64_t hash = (uint64_t)eval->threads;
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const struct resource *r = &eval->resources[i];
        hash = hash_mix(hash ^ r->name);
        hash = hash_mix(hash ^ (r->is_text ? r->text : (uint64_t)r->number) ^
                        (uint64_t)r->is_text << 63);
    }
    return hash | 1;
}

/* What sbatch would be asked for. Its options are built once for all jobs with the same
 * resources. */
static struct tres request_of(struct route *route, const struct job_eval *eval)
{
    struct arena scratch = {0};
    uint32_t *place = map_at(&route->by_asking, hash_of(eval));
    if (*place)
        return route->requests.at[*place - 1];
    struct launch launch = {0};
    task_request(eval, &scratch, &launch);
    struct slurm_asks asks = slurm_asks(&launch);
    arena_free(&scratch);
    vec_push(&route->requests, ((struct tres){asks.cpus, asks.mem_mb, asks.gpus}));
    *place = route->requests.len;
    return route->requests.at[*place - 1];
}

/* ---- placing ---- */

static uint32_t account_number(const struct route *route, const char *name)
{
    uint32_t i = 0;
    while (i < route->options.naccounts &&
           (!name || strcasecmp(route->options.accounts[i].name, name)))
        i++;
    return i;
}

/* What KINTSUGI's assignment says for the next job of account: auto. */
static uint32_t assigned(struct route *route, enum device device)
{
    uint32_t n = route->options.naccounts, found;
    struct assign_slots *slots = memory_zeroed(n + 1, sizeof *slots);
    for (uint32_t i = 0; i < n; i++)
        slots[i] = (struct assign_slots){slots_of(route, i, device), free_of(route, i, device)};
    found = assign_account(slots, n, route->next[device]++);
    free(slots);
    return found < n ? found : 0; /* nobody has slots: the first */
}

static void use_device(struct route *route, struct job_eval *eval, enum device device,
                       bool asks_gpu)
{
    const char *gres = text_of(route, eval, "gres"),
               *others = gres_without_gpus(eval->scratch, gres ? gres : "");
    set_text(route, eval, "device", device_names[device]);
    if (device == DEVICE_GPU) {
        if (!asks_gpu)
            set_text(route, eval, "gres",
                     *others ? arena_printf(eval->scratch, "%s,gpu:1", others) : "gpu:1");
        return;
    }
    if (*others)
        set_text(route, eval, "gres", others);
    else
        drop(route, eval, "gres");
    int64_t runtime = number_of(route, eval, "runtime");
    int64_t memory = number_of(route, eval, "cpu_mem_mb");
    int64_t cpus = number_of(route, eval, "cpu_threads");
    drop(route, eval, "gpu");
    drop(route, eval, "gpu_model");
    if (runtime > 0)
        set_number(route, eval, "runtime", (int64_t)((double)runtime * route->cpu_limit));
    if (memory > 0)
        set_number(route, eval, "mem_mb", memory);
    if (cpus > 0)
        eval->threads = (int)cpus;
}

static void use_account(struct route *route, struct job_eval *eval, uint32_t account,
                        enum device device)
{
    const struct route_account *chosen = &route->options.accounts[account];
    set_text(route, eval, "slurm_account", chosen->name);
    if (text_of(route, eval, "account"))
        set_text(route, eval, "account", chosen->name);
    const char *partition = text_of(route, eval, "slurm_partition"),
               *gpus = chosen->partition[DEVICE_GPU];
    if (chosen->partition[device])
        set_text(route, eval, "slurm_partition", chosen->partition[device]);
    else if (device == DEVICE_CPU && partition && gpus && !strcmp(partition, gpus))
        drop(route, eval, "slurm_partition"); /* that of GPUs takes no other jobs */
}

/* Adds a job to a sum of its account, or takes it off. */
static void hold(struct tres *sums, const struct reroute_job *job, int sign)
{
    if (!job->bound)
        (sign > 0 ? tres_add : tres_take)(&sums[job->account], &job->request);
}

static struct routed *routed_at(struct route *route, uint32_t launch)
{
    while (route->launches.len < launch) {
        vec_push(&route->launches, ((struct routed){.used = false}));
        vec_push(&route->jobs, ((struct reroute_job){.bound = true}));
    }
    return &route->launches.at[launch - 1];
}

/* A slot of the device on the account is the job's. */
static void take_slot(struct route *route, struct routed *routed, struct pool_times times,
                      uint32_t account, int64_t now_ns)
{
    struct pool_wish wish = {.account = account, .only = true};
    times.ns[!routed->device] = 0;
    routed->choice = pools_choose(&route->pools, &times, &wish, now_ns);
    routed->pooled = routed->choice.found;
    if (routed->pooled)
        pools_take(&route->pools, &routed->choice);
}

static int64_t times_held(int64_t left, int64_t request)
{
    return left < 0 || request <= 0 ? INT32_MAX : left / request;
}

/* By account: how many more jobs of this request can run there at once. Memory for every GPU is
 * kept free of jobs on CPUs. */
static int64_t *rooms(const struct route *route, enum device device, struct tres request,
                      int64_t now_ns)
{
    uint32_t n = route->options.naccounts;
    int64_t *room = memory_zeroed(n + 1, sizeof *room);
    for (uint32_t i = 0; i < n; i++) {
        const struct account *account = account_now(route, i);
        struct tres limit = account ? account_limit(route->options.now, account) : tres_unset;
        struct tres left = tres_left(limit, route->others[i]);
        int64_t cpus = times_held(left.cpu, request.cpu),
                memory = times_held(left.mem_mb, request.mem_mb),
                gpus = device == DEVICE_CPU ? pools_count(&route->pools, DEVICE_GPU, i)
                                            : pools_busy(&route->pools, DEVICE_GPU, i, now_ns);
        room[i] = (cpus < memory ? cpus : memory) - gpus -
                  pools_busy(&route->pools, DEVICE_CPU, i, now_ns);
    }
    return room;
}

/* The device and account where the job is expected to end first. */
static uint32_t choose_slot(struct route *route, struct routed *routed, struct pool_times times,
                            struct pool_wish wish, struct tres request, int64_t now_ns)
{
    int64_t *gpu = rooms(route, DEVICE_GPU, request, now_ns),
            *cpu = rooms(route, DEVICE_CPU, request, now_ns);
    wish.room[DEVICE_GPU] = gpu;
    wish.room[DEVICE_CPU] = cpu;
    if (!route->options.cpus_too)
        times.ns[DEVICE_CPU] = 0;
    routed->choice = pools_choose(&route->pools, &times, &wish, now_ns);
    free(gpu);
    free(cpu);
    routed->pooled = routed->choice.found;
    if (!routed->pooled)
        return wish.account;
    pools_take(&route->pools, &routed->choice);
    routed->device = routed->choice.device;
    return routed->choice.account;
}

/* Whether Slurm would refuse jobs of the account; nothing is known of those on another cluster. */
static bool is_gone(const struct route *route, struct job_eval *eval, const char *account)
{
    bool gone = route->options.gone && words_have(route->options.gone, account);
    for (int i = 0; i < SLURM_CLUSTER_NAMES; i++)
        gone = gone && !text_of(route, eval, slurm_cluster_names[i]);
    return gone;
}

void route_place(struct route *route, struct task *task, uint32_t launch, int64_t now_ns)
{
    struct job_eval *eval = &task->eval;
    sym_t kind = task->nparts ? task->group : eval->rule->name;
    const char *name = text_of(route, eval, "slurm_account"),
               *device = task->nparts ? NULL : text_of(route, eval, "device");
    name = name ? name : text_of(route, eval, "account");
    bool automatic = name && (!strcmp(name, "auto") || is_gone(route, eval, name));
    bool any_device = device && !strcmp(device, "auto");
    uint32_t n = route->options.naccounts;
    struct routed *routed = routed_at(route, launch);
    *routed = (struct routed){.used = true, .job = task->job, .name = sym_text(route->names, kind)};
    route->jobs.at[launch - 1] = (struct reroute_job){.launch = launch, .bound = true};
    routed->habit = habit_of(route, kind);
    route->habits.at[routed->habit].cpu_factor = (double)number_of(route, eval, "cpu_factor");
    struct tres request = request_of(route, eval);
    route->jobs.at[launch - 1].request = request;
    routed->device = request.gpu || (any_device && !route->options.cpus_too) ? DEVICE_GPU
                                                                             : DEVICE_CPU;
    if (device && !any_device)
        routed->device = !strcmp(device, "gpu") ? DEVICE_GPU : DEVICE_CPU;
    uint32_t account = automatic ? UINT32_MAX : account_number(route, name);
    if (!n || account == n)
        return; /* no account of ours */
    route->placed = true;
    struct pool_times times = expected(route, routed->habit);
    uint32_t forced = map_find(&route->forced, task->job);
    if (forced) {
        account = forced - 1;
        automatic = true;
        *map_at(&route->forced, task->job) = 0;
    }
    bool bound = !automatic && !route->options.listed;
    if (any_device && !forced)
        account = choose_slot(route, routed, times,
                              (struct pool_wish){.account = account, .only = bound}, request,
                              now_ns);
    if (account == UINT32_MAX)
        account = assigned(route, routed->device);
    if (!any_device || forced)
        take_slot(route, routed, times, account, now_ns);
    if (device)
        use_device(route, eval, routed->device, request.gpu > 0);
    if (automatic || any_device)
        use_account(route, eval, account, routed->device);
    struct reroute_job *job = &route->jobs.at[launch - 1];
    job->bound = bound;
    job->account = account;
    job->request = device ? request_of(route, eval) : request;
    job->run_ns = times.ns[routed->device];
    hold(route->due, job, 1);
    routed->ours = true;
    route->active++;
}

/* ---- what becomes of them ---- */

static void stop_waiting(struct route *route, uint32_t i)
{
    if (!route->jobs.at[i].for_quota)
        return;
    route->jobs.at[i].for_quota = false;
    route->waiting--;
}

static void heard_wait(struct route *route, uint32_t i, const char *reason)
{
    struct routed *routed = &route->launches.at[i];
    bool quota = reroute_is_quota(reason);
    snprintf(routed->reason, sizeof routed->reason, "%s", reason);
    if (!quota)
        stop_waiting(route, i);
    else if (!route->jobs.at[i].for_quota) {
        route->jobs.at[i].for_quota = true;
        route->waiting++;
    }
}

static void heard_start(struct route *route, uint32_t i, int64_t now_ns)
{
    stop_waiting(route, i);
    if (route->launches.at[i].runs)
        return;
    route->jobs.at[i].end_ns = now_ns + route->jobs.at[i].run_ns;
    hold(route->due, &route->jobs.at[i], -1);
    hold(route->ours, &route->jobs.at[i], 1);
    route->launches.at[i].runs = true;
}

static void heard_move(struct route *route, uint32_t i)
{
    struct routed *routed = &route->launches.at[i];
    if (!routed->moving_to || routed->runs)
        return;
    const char *from = route->options.accounts[route->jobs.at[i].account].name,
               *to = route->options.accounts[routed->moving_to - 1].name;
    if (route->options.moved)
        route->options.moved(route->options.user, routed->name, from, to, routed->reason);
    hold(route->due, &route->jobs.at[i], -1);
    route->jobs.at[i].account = routed->moving_to - 1;
    hold(route->due, &route->jobs.at[i], 1);
    routed->moving_to = 0;
    route->moved++;
}

/* The executor could not move it where it waited: it comes again. */
static void heard_displaced(struct route *route, uint32_t i)
{
    struct routed *routed = &route->launches.at[i];
    uint32_t to = routed->moving_to;
    heard_move(route, i);
    map_set(&route->forced, routed->job, to);
}

static void heard_end(struct route *route, uint32_t i, const struct exec_event *event,
                      int64_t now_ns)
{
    struct routed *routed = &route->launches.at[i];
    if (routed->moving_to && event->blameless && !routed->runs)
        heard_displaced(route, i);
    if (routed->pooled)
        pools_give(&route->pools, &routed->choice, now_ns);
    if (event->kind == EXEC_ENDED && !event->status && !event->signal &&
        event->end_ns > event->start_ns && event->start_ns)
        learn(route, routed->habit, routed->device,
              (double)(event->end_ns - event->start_ns) * 1e-9);
    stop_waiting(route, i);
    hold(routed->runs ? route->ours : route->due, &route->jobs.at[i], -1);
    route->active -= routed->ours;
    *routed = (struct routed){.used = false};
    route->jobs.at[i] = (struct reroute_job){.bound = true};
}

void route_heard(struct route *route, const struct exec_event *event, int64_t now_ns)
{
    uint32_t i = event->launch - 1;
    if (!is_placed(route, event->launch))
        return;
    switch (event->kind) {
    case EXEC_WAITING: heard_wait(route, i, event->message ? event->message : ""); break;
    case EXEC_MOVED: heard_move(route, i); break;
    case EXEC_STARTED: heard_start(route, i, now_ns); break;
    case EXEC_ENDED:
    case EXEC_LOST: heard_end(route, i, event, now_ns); break;
    default: break;
    }
}

void route_gone(struct route *route, uint32_t launch, int64_t now_ns)
{
    struct exec_event lost = {.kind = EXEC_LOST, .launch = launch};
    route_heard(route, &lost, now_ns);
}

/* ---- looks ---- */

/* The accounts as they are now, and what of them is ours. */
static struct reroute_account *accounts_now(const struct route *route)
{
    uint32_t n = route->options.naccounts;
    struct reroute_account *all = memory_zeroed(n + 1, sizeof *all);
    for (uint32_t i = 0; i < n; i++) {
        const struct account *account = account_now(route, i);
        if (account)
            all[i] = (struct reroute_account){.limit = account_limit(route->options.now, account),
                                              .used = account->running,
                                              .ours = route->ours[i],
                                              .due = route->due[i],
                                              .usable = account_usable(account) &&
                                                        account->use_from != FROM_NOBODY};
    }
    return all;
}

static void move(struct route *route, uint32_t i, uint32_t account_to)
{
    struct routed *routed = &route->launches.at[i];
    const struct route_account *to = &route->options.accounts[account_to];
    const struct account *account = account_now(route, account_to);
    struct exec_place place = {.account = to->name,
                               .qos = account ? account->qos : NULL,
                               .partition = to->partition[routed->device]};
    routed->moving_to = account_to + 1;
    executor_move(route->executor, i + 1, &place);
}

/* One look at the jobs that have waited longest, beside those that run. */
static void look_at(struct route *route, const struct reroute_account *all)
{
    VEC(struct reroute_job) jobs = {0};
    uint32_t waiting = 0;
    reroute_moves moves = {0};
    for (uint32_t i = 0; i < route->jobs.len; i++) {
        const struct reroute_job *job = &route->jobs.at[i];
        if (!job->bound && (job->end_ns || (job->for_quota && waiting < MOST_LOOKED)))
            vec_push(&jobs, *job);
        waiting += !job->bound && job->for_quota;
    }
    struct reroute_view view = {jobs.at, jobs.len, all, route->options.naccounts, route->now_ns};
    reroute_look(&route->rules, &view, &moves);
    for (uint32_t i = 0; i < jobs.len; i++) {
        struct reroute_job *job = &route->jobs.at[jobs.at[i].launch - 1];
        job->candidate = jobs.at[i].candidate;
        job->since_ns = jobs.at[i].since_ns;
        /* its account is another when the executor has moved it */
        job->moved_ns = jobs.at[i].moved_ns;
    }
    for (uint32_t i = 0; i < moves.len; i++)
        move(route, jobs.at[moves.at[i].job].launch - 1, moves.at[i].to);
    vec_free(&moves);
    vec_free(&jobs);
}

static void on_looked(void *arg)
{
    struct route *route = arg;
    route->looking = false;
    if (!route->executor)
        return;
    struct reroute_account *all = accounts_now(route);
    for (uint32_t i = 0; i < route->options.naccounts; i++)
        route->others[i] = tres_left(all[i].used, all[i].ours);
    if (route->options.live)
        widen_pools(route);
    if (route->options.moves && route->waiting)
        look_at(route, all);
    free(all);
}

static void on_timer(void *user)
{
    (void)user; /* waking the loop is enough */
}

void route_turn(struct route *route, int64_t now_ns)
{
    route->now_ns = now_ns;
    if (!route->options.look || route->looking || (!route->options.live && !route->options.moves))
        return;
    bool busy = route->waiting || route->placed;
    if (!busy && !route->active) {
        timer_end(&route->timer);
        return;
    }
    if (!route->timer) {
        uint64_t ms = (uint64_t)(route->options.look_ns / 1000000);
        route->timer = timer_open(route->loop, ms, ms, on_timer, route);
    }
    if (route->looked &&
        now_ns < route->last_look_ns + (busy ? 1 : SELDOM) * route->options.look_ns)
        return;
    route->last_look_ns = now_ns;
    route->looked = true;
    route->looking = true;
    route->placed = false;
    route->options.look(route->options.user, route->loop, on_looked, route);
}
