// SPDX-License-Identifier: MIT
/* Decisions one by one, and on a computed cluster: whether moving pending jobs ever makes the whole later. */
#include "hpc/model.h"
#include "hpc/reroute.h"
#include "test.h"

static const int64_t S = 1000000000;
static const struct reroute rules = {.patience_ns = 60000000000, .settle_ns = 300000000000};

static void test_decisions(void)
{
    struct reroute_account two[2] = {{.limit = {40, 312, 1}, .used = {8, 256, 0}, .usable = true},
                                     {.limit = {80, 625, 2}, .usable = true}};
    struct reroute_job jobs[3] = {{.launch = 1, .request = {8, 100, 0}, .for_quota = true},
                                  {.launch = 2, .request = {8, 100, 0}, .for_quota = true, .bound = true},
                                  {.launch = 3, .request = {8, 100, 0}}};
    reroute_moves moves = {0};
    reroute_look(&rules, jobs, 3, two, 2, 1000 * S, &moves);
    reroute_look(&rules, jobs, 3, two, 2, 1030 * S, &moves);
    ok(moves.len == 0, "nothing moves before its time");
    reroute_look(&rules, jobs, 3, two, 2, 1060 * S, &moves);
    ok(moves.len == 1 && moves.at[0].job == 0 && moves.at[0].to == 1, "then the one that waits for a limit, and may");
    moves.len = 0;
    jobs[0].account = 0;
    jobs[0].for_quota = true;
    for (int64_t t = 1090; t < 1360; t += 30)
        reroute_look(&rules, jobs, 1, two, 2, t * S, &moves);
    ok(moves.len == 0, "it is left in peace for five minutes");
    for (int64_t t = 1360; t <= 1450; t += 30)
        reroute_look(&rules, jobs, 1, two, 2, t * S, &moves);
    ok(moves.len == 1, "and may go again then");

    struct reroute_job gpu = {.launch = 4, .request = {4, 32, 1}, .for_quota = true};
    moves.len = 0;
    two[0] = (struct reroute_account){.limit = {40, 312, 1}, .used = {4, 32, 1}, .ours = {4, 32, 1}, .usable = true};
    for (int64_t t = 0; t < 600; t += 30)
        reroute_look(&rules, &gpu, 1, two, 2, t * S, &moves);
    ok(moves.len == 0, "waiting for a GPU that is ours is normal");
    two[0].ours = (struct tres){0};
    for (int64_t t = 600; t < 700; t += 30)
        reroute_look(&rules, &gpu, 1, two, 2, t * S, &moves);
    ok(moves.len == 1, "for one that somebody else holds it is not");

    struct reroute_job many[4] = {{.request = {30, 10, 0}, .for_quota = true},
                                  {.request = {30, 10, 0}, .for_quota = true},
                                  {.request = {30, 10, 0}, .for_quota = true},
                                  {.request = {30, 10, 0}, .for_quota = true}};
    moves.len = 0;
    two[0] = (struct reroute_account){.limit = {40, 312, 1}, .used = {40, 0, 0}, .usable = true};
    for (int64_t t = 0; t < 100; t += 30)
        reroute_look(&rules, many, 4, two, 2, t * S, &moves);
    ok(moves.len == 2, "no more jobs go than there is room for");
    two[1].usable = false;
    moves.len = 0;
    for (int64_t t = 100; t < 1000; t += 30)
        reroute_look(&rules, many, 4, two, 2, t * S, &moves);
    ok(moves.len == 0, "and none to an account that may not be used");
    vec_free(&moves);
}

static void test_reasons(void)
{
    static const char *const quota[] = {"QOSGrpMemLimit", "QOSGrpCpuLimit", "QOSGrpGRES", "AssocGrpMemLimit",
                                        "AssocGrpGRES",   "QOSResourceLimit", "AssociationResourceLimit"},
                             *const other[] = {"Priority", "Resources", "None", "JobHeldUser", "QOSMaxJobsPerUserLimit",
                                               "Dependency", ""};
    for (size_t i = 0; i < 7; i++)
        ok(reroute_is_quota(quota[i]) && !reroute_is_quota(other[i]), "%s is a group's limit, '%s' is not", quota[i],
           other[i]);
}

/* ---- a computed cluster ---- */

static uint32_t seed;

static uint32_t draw(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

enum { JOBS = 40, TICK_S = 30 };

struct scene {
    struct tres limits[3];
    struct model_job jobs[JOBS], foreign[6];
    int64_t coming[6];
};

/* equal: all jobs ask for the same, as those of a rule do. */
static struct scene make_scene(uint32_t number, bool equal)
{
    struct scene scene;
    seed = number;
    for (int i = 0; i < 3; i++)
        scene.limits[i] = (struct tres){16 + 8 * draw(8), 100 + 50 * draw(10), 1 + draw(4)};
    for (int i = 0; i < 6; i++) {
        uint32_t at = draw(3);
        scene.coming[i] = draw(1200) * S;
        scene.foreign[i] = (struct model_job){at, {scene.limits[at].cpu / 2, scene.limits[at].mem_mb * 3 / 4, draw(2)},
                                              (300 + draw(4000)) * S};
    }
    bool gpus = draw(2);
    for (int i = 0; i < JOBS; i++) {
        struct tres request = {2 + 2 * draw(4), 20 + 10 * draw(5), gpus};
        if (equal && i)
            request = scene.jobs[0].request;
        scene.jobs[i] = (struct model_job){draw(3), request, (120 + draw(900)) * S};
    }
    return scene;
}

static void count_ours(const struct scene *scene, const bool *runs, const struct reroute_job *jobs,
                       struct reroute_account *accounts)
{
    for (int j = 0; j < JOBS; j++)
        if (runs[j])
            tres_add(&accounts[jobs[j].account].ours, &scene->jobs[j].request);
}

/* One look at the cluster, and its moves. */
static void look(struct model *model, const struct scene *scene, struct reroute_job *jobs, const bool *runs)
{
    struct accounts accounts = {0};
    struct reroute_account now[3] = {{.usable = true}, {.usable = true}, {.usable = true}};
    reroute_moves moves = {0};
    model_show(model, &accounts);
    for (int i = 0; i < 3; i++) {
        now[i].limit = scene->limits[i];
        now[i].used = accounts.all.at[i].running;
    }
    count_ours(scene, runs, jobs, now);
    for (int j = 0; j < JOBS; j++)
        if (jobs[j].for_quota && !jobs[j].candidate)
            tres_add(&now[jobs[j].account].due, &jobs[j].request);
    reroute_look(&rules, jobs, JOBS, now, 3, model_now(model), &moves);
    for (uint32_t i = 0; i < moves.len; i++)
        model_move(model, moves.at[i].job + 1, moves.at[i].to, model_now(model));
    vec_free(&moves);
    accounts_free(&accounts);
}

static int64_t makespan(const struct scene *scene, bool reroute, uint32_t *ended)
{
    struct model *model = model_new();
    struct model_event event;
    struct reroute_job jobs[JOBS] = {{0}};
    bool runs[JOBS] = {false};
    int64_t last = 0;
    *ended = 0;
    for (int i = 0; i < 3; i++)
        model_add_account(model, "abc" + i, scene->limits[i]);
    for (int i = 0; i < 6; i++)
        model_add_foreign(model, "drew", &scene->foreign[i], scene->coming[i]);
    model_set_tick(model, TICK_S * S);
    for (int j = 0; j < JOBS; j++) {
        jobs[j] = (struct reroute_job){.account = scene->jobs[j].account, .request = scene->jobs[j].request};
        model_submit(model, (uint32_t)j + 1, &scene->jobs[j], 0);
    }
    while (model_next(model, INT64_MAX, &event)) {
        uint32_t j = event.id - 1;
        if (event.kind == MODEL_WAIT)
            jobs[j].for_quota = reroute_is_quota(event.reason);
        if (event.kind == MODEL_START) {
            runs[j] = true;
            jobs[j].for_quota = false;
        }
        if (event.kind == MODEL_END) {
            runs[j] = false;
            last = event.at_ns;
            ++*ended;
        }
        if (event.kind == MODEL_TICK && reroute)
            look(model, scene, jobs, runs);
    }
    model_free(model);
    return last;
}

/* Jobs of equal requests are never later for it. Where requests differ, an account that one has left may be filled in another
 * order, so that a large one finds room later: seldom, and not by much. */
static void test_never_worse(bool equal, uint32_t scenes)
{
    uint32_t better = 0, worse = 0, lost = 0;
    double gain = 0, worst = 0;
    for (uint32_t number = 1; number <= scenes; number++) {
        struct scene scene = make_scene(number, equal);
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
    ok(worse <= (equal ? 0 : scenes / 1000) && worst < 0.1,
       "%u of %u clusters are later by more than a look, of %s requests; the worst by %.0f%%", worse, scenes,
       equal ? "equal" : "different", 100 * worst);
    ok(better > scenes / 3, "%u are sooner, by %.0f%% over all", better, 100 * gain / scenes);
}

/* reroute [CLUSTERS] */
int main(int argc, char **argv)
{
    uint32_t scenes = argc > 1 ? (uint32_t)atol(argv[1]) : 1000;
    test_decisions();
    test_reasons();
    test_never_worse(true, scenes);
    test_never_worse(false, scenes);
    return done();
}
