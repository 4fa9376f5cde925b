// SPDX-License-Identifier: MIT
/* Decisions one by one, and on computed clusters: whether moving pending jobs ever makes the whole
 * later. */
#include "hpc/model.h"
#include "hpc/reroute.h"
#include "test.h"

static const int64_t S = 1000000000;
static const struct reroute rules = {.patience_ns = 60000000000, .settle_ns = 300000000000};

static void look_at_two(struct reroute_job *jobs, uint32_t n, const struct reroute_account *two,
                        int64_t now_ns, reroute_moves *moves)
{
    reroute_look(&rules, &(struct reroute_view){jobs, n, two, 2, now_ns}, moves);
}

static void test_decisions(void)
{
    struct reroute_account two[2] = {{.limit = {40, 312, 1}, .used = {8, 256, 0}, .usable = true},
                                     {.limit = {80, 625, 2}, .usable = true}};
    struct reroute_job jobs[3] = {
        {.launch = 1, .request = {8, 100, 0}, .for_quota = true},
        {.launch = 2, .request = {8, 100, 0}, .for_quota = true, .bound = true},
        {.launch = 3, .request = {8, 100, 0}}};
    reroute_moves moves = {0};
    look_at_two(jobs, 3, two, 1000 * S, &moves);
    look_at_two(jobs, 3, two, 1030 * S, &moves);
    ok(moves.len == 0, "nothing moves before its time");
    look_at_two(jobs, 3, two, 1060 * S, &moves);
    ok(moves.len == 1 && moves.at[0].job == 0 && moves.at[0].to == 1,
       "then the one that waits for a limit, and may");
    moves.len = 0;
    jobs[0].account = 0;
    jobs[0].for_quota = true;
    for (int64_t t = 1090; t < 1360; t += 30)
        look_at_two(jobs, 1, two, t * S, &moves);
    ok(moves.len == 0, "it is left in peace for five minutes");
    for (int64_t t = 1360; t <= 1450; t += 30)
        look_at_two(jobs, 1, two, t * S, &moves);
    ok(moves.len == 1, "and may go again then");

    struct reroute_job gpu = {.launch = 4, .request = {4, 32, 1}, .for_quota = true};
    moves.len = 0;
    two[0] = (struct reroute_account){
        .limit = {40, 312, 1}, .used = {4, 32, 1}, .ours = {4, 32, 1}, .usable = true};
    for (int64_t t = 0; t < 600; t += 30)
        look_at_two(&gpu, 1, two, t * S, &moves);
    ok(moves.len == 0, "waiting for a GPU that is ours is normal");
    two[0].ours = (struct tres){0};
    for (int64_t t = 600; t < 700; t += 30)
        look_at_two(&gpu, 1, two, t * S, &moves);
    ok(moves.len == 1, "for one that somebody else holds it is not");

    struct reroute_job many[4] = {{.request = {30, 10, 0}, .for_quota = true},
                                  {.request = {30, 10, 0}, .for_quota = true},
                                  {.request = {30, 10, 0}, .for_quota = true},
                                  {.request = {30, 10, 0}, .for_quota = true}};
    moves.len = 0;
    two[0] = (struct reroute_account){.limit = {40, 312, 1}, .used = {40, 0, 0}, .usable = true};
    for (int64_t t = 0; t < 100; t += 30)
        look_at_two(many, 4, two, t * S, &moves);
    ok(moves.len == 2, "no more jobs go than there is room for");
    two[1].usable = false;
    moves.len = 0;
    for (int64_t t = 100; t < 1000; t += 30)
        look_at_two(many, 4, two, t * S, &moves);
    ok(moves.len == 0, "and none to an account that may not be used");
    vec_free(&moves);
}

static void test_reasons(void)
{
    static const char
        *const quota[] = {"QOSGrpMemLimit",          "QOSGrpCpuLimit", "QOSGrpGRES",
                          "AssocGrpMemLimit",        "AssocGrpGRES",   "QOSResourceLimit",
                          "AssociationResourceLimit"},
               *const other[] = {
                   "Priority",   "Resources", "None", "JobHeldUser", "QOSMaxJobsPerUserLimit",
                   "Dependency", ""};
    for (size_t i = 0; i < 7; i++)
        ok(reroute_is_quota(quota[i]) && !reroute_is_quota(other[i]),
           "%s is a group's limit, '%s' is not", quota[i], other[i]);
}

/* ---- a computed cluster ---- */

static uint32_t seed;

static uint32_t draw(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

enum { JOBS = 40, FOREIGN = 6, PLACES = 3, TICK_S = 30 };

struct scene {
    struct tres limits[PLACES];
    struct model_job jobs[JOBS], foreign[FOREIGN];
    int64_t coming[JOBS], foreign_coming[FOREIGN];
    int64_t guess_ns[JOBS]; /* how long the scheduler takes a job to take */
    uint32_t njobs, nforeign;
    bool chained; /* every job of the second half comes when one of the first has ended */
};

struct kind {
    const char *name;
    bool equal; /* all jobs ask for the same, as those of a rule do */
    /* jobs are taken to take up to so many times as long, or as short, as they do; 0: as long */
    double wrong;
    bool chained;
    uint32_t later; /* so many of 1000 clusters may end later for it */
};

static struct scene make_scene(uint32_t number, const struct kind *kind)
{
    struct scene scene = {.njobs = JOBS, .nforeign = FOREIGN, .chained = kind->chained};
    seed = number;
    for (int i = 0; i < PLACES; i++)
        scene.limits[i] = (struct tres){16 + 8 * draw(8), 100 + 50 * draw(10), 1 + draw(4)};
    for (int i = 0; i < FOREIGN; i++) {
        uint32_t at = draw(PLACES);
        scene.foreign_coming[i] = draw(1200) * S;
        scene.foreign[i] = (struct model_job){
            at,
            {scene.limits[at].cpu / 2, scene.limits[at].mem_mb * 3 / 4, draw(2)},
            (300 + draw(4000)) * S};
    }
    bool gpus = draw(2);
    for (int i = 0; i < JOBS; i++) {
        struct tres request = {2 + 2 * draw(4), 20 + 10 * draw(5), gpus};
        if (kind->equal && i)
            request = scene.jobs[0].request;
        scene.jobs[i] = (struct model_job){draw(3), request, (120 + draw(900)) * S};
        if (kind->chained && i >= JOBS / 2)
            scene.jobs[i].account = scene.jobs[i - JOBS / 2].account;
    }
    for (int i = 0; i < JOBS; i++) {
        double part = draw(1001) / 1000.0, wrong = kind->wrong > 0 ? kind->wrong : 1;
        double off = 1 / wrong * (1 - part) + wrong * part;
        scene.guess_ns[i] = (int64_t)((double)scene.jobs[i].run_ns * off);
    }
    return scene;
}

/* What our jobs use, and wait for, on each account. */
static void count_ours(const struct scene *scene, const struct reroute_job *jobs,
                       struct reroute_account *accounts)
{
    for (uint32_t j = 0; j < scene->njobs; j++) {
        struct reroute_account *account = &accounts[jobs[j].account];
        if (jobs[j].end_ns || jobs[j].for_quota)
            tres_add(jobs[j].end_ns ? &account->ours : &account->due, &jobs[j].request);
    }
}

/* One look at the cluster, and its moves. */
static void look(struct model *model, const struct scene *scene, struct reroute_job *jobs)
{
    struct accounts accounts = {0};
    struct reroute_account now[PLACES] = {{.usable = true}, {.usable = true}, {.usable = true}};
    reroute_moves moves = {0};
    model_show(model, &accounts);
    for (int i = 0; i < PLACES; i++) {
        now[i].limit = scene->limits[i];
        now[i].used = accounts.all.at[i].running;
    }
    count_ours(scene, jobs, now);
    reroute_look(&rules, &(struct reroute_view){jobs, scene->njobs, now, PLACES, model_now(model)},
                 &moves);
    for (uint32_t i = 0; i < moves.len; i++)
        model_move(model, moves.at[i].job + 1, moves.at[i].to, model_now(model));
    vec_free(&moves);
    accounts_free(&accounts);
}

static struct model *make_model(const struct scene *scene, struct reroute_job *jobs)
{
    const char *names = "abc"; /* abc, bc, c */
    struct model *model = model_new();
    for (int i = 0; i < PLACES; i++)
        model_add_account(model, names + i, scene->limits[i]);
    for (uint32_t i = 0; i < scene->nforeign; i++)
        model_add_foreign(model, "drew", &scene->foreign[i], scene->foreign_coming[i]);
    model_set_tick(model, TICK_S * S);
    for (uint32_t j = 0; j < scene->njobs; j++) {
        jobs[j] = (struct reroute_job){.account = scene->jobs[j].account,
                                       .request = scene->jobs[j].request,
                                       .run_ns = scene->guess_ns[j]};
        if (!scene->chained || j < JOBS / 2)
            model_submit(model, j + 1, &scene->jobs[j], scene->coming[j]);
    }
    return model;
}

/* The time of the last end; how many ended. */
static int64_t makespan(const struct scene *scene, bool reroute, uint32_t *ended)
{
    struct model_event event;
    struct reroute_job jobs[JOBS];
    struct model *model = make_model(scene, jobs);
    int64_t last = 0;
    *ended = 0;
    while (model_next(model, INT64_MAX, &event)) {
        uint32_t j = event.id - 1;
        if (event.kind == MODEL_WAIT)
            jobs[j].for_quota = reroute_is_quota(event.reason);
        if (event.kind == MODEL_START) {
            jobs[j].for_quota = false;
            jobs[j].end_ns = event.at_ns + jobs[j].run_ns;
        }
        if (event.kind == MODEL_END) {
            jobs[j].end_ns = 0;
            last = event.at_ns;
            ++*ended;
            if (scene->chained && j < JOBS / 2)
                model_submit(model, j + JOBS / 2 + 1, &scene->jobs[j + JOBS / 2], last);
        }
        if (event.kind == MODEL_TICK && reroute)
            look(model, scene, jobs);
    }
    model_free(model);
    return last;
}

static void test_never_worse(const struct kind *kind, uint32_t scenes)
{
    uint32_t better = 0, worse = 0, lost = 0;
    double gain = 0, worst = 0;
    for (uint32_t number = 1; number <= scenes; number++) {
        struct scene scene = make_scene(number, kind);
        uint32_t stayed, moved;
        int64_t without = makespan(&scene, false, &stayed), with = makespan(&scene, true, &moved);
        double later = without ? (double)(with - without) / (double)without : 0;
        lost += moved < stayed;
        better += stayed < moved || with < without - S;
        if (stayed != moved)
            continue;
        gain -= later;
        if (with <= without + TICK_S * S)
            continue;
        worse++;
        worst = later > worst ? later : worst;
    }
    ok(!lost, "jobs that would run do run");
    ok(worse <= (uint64_t)scenes * kind->later / 1000,
       "%u of %u clusters are later by more than a look, %s; the worst by %.0f%%", worse, scenes,
       kind->name, 100 * worst);
    ok(better > scenes / 3, "%u are sooner, by %.0f%% over all", better, 100 * gain / scenes);
}

/* Two futures that look the same when the job could be moved: who moves it may be later for it, who
 * does not may be, too. On a somebody uses the one CPU, and goes at once or after an hour; b is
 * free, until a job of ours comes next. */
static int64_t future(bool leaves_at_once, bool reroute)
{
    static const struct tres one = {1, 100, 0};
    uint32_t ended;
    struct scene scene = {
        .limits = {one, one, {0}},
        .jobs = {{0, one, 100 * S}, {1, one, 100 * S}},
        .guess_ns = {100 * S, 100 * S},
        .coming = {0, 91 * S},
        .foreign = {{0, one, (leaves_at_once ? 91 : 3600) * S}, {0, one, 3600 * S}},
        .foreign_coming = {0, 92 * S},
        .njobs = 2,
        .nforeign = 2};
    return makespan(&scene, reroute, &ended) / S;
}

static void test_nobody_knows(void)
{
    ok(future(true, false) == 191 && future(true, true) == 290,
       "the future is not known: a job is moved, and it was better to stay");
    ok(future(false, false) == 3700 && future(false, true) == 290, "or to move");
}

/* reroute [CLUSTERS] */
int main(int argc, char **argv)
{
    static const struct kind kinds[] = {
        {.name = "of equal requests", .equal = true},
        {.name = "of different requests"},
        {.name = "whose times are known to a fifth", .wrong = 1.2},
        {.name = "whose times are known to a factor of two", .wrong = 2, .later = 1},
        {.name = "where jobs follow jobs", .chained = true, .later = 10},
    };
    uint32_t scenes = argc > 1 ? (uint32_t)atol(argv[1]) : 500;
    test_decisions();
    test_reasons();
    test_nobody_knows();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        test_never_worse(&kinds[i], scenes);
    return done();
}
