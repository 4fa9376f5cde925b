// SPDX-License-Identifier: MIT
#include "hpc/pools.h"
#include "test.h"

static const int64_t S = 1000000000;
static const struct pool_wish any = {.account = UINT32_MAX}, maigan = {.account = 1},
                              only = {.account = 1, .only = true};

/* So many jobs at once; how many of them go to CPUs, and when the last is expected to end. */
static int64_t fill(struct pools *pools, int jobs, int64_t gpu_s, int64_t cpu_s, int *on_cpu)
{
    int64_t last = 0;
    *on_cpu = 0;
    for (int i = 0; i < jobs; i++) {
        struct pool_choice choice = pools_choose(
            pools, &(struct pool_times){{gpu_s * S, cpu_s * S}}, &any, 0);
        pools_take(pools, &choice);
        *on_cpu += choice.device == DEVICE_CPU;
        last = choice.end_ns > last ? choice.end_ns : last;
    }
    return last / S;
}

static void test_choice(void)
{
    static const struct {
        int jobs;
        int64_t gpu_s, cpu_s;
        int on_cpu;
        int64_t last_s;
    } cases[] = {
        {5, 10, 50, 0, 10},   {25, 10, 50, 0, 50}, {30, 10, 50, 5, 50},
        {44, 10, 50, 19, 50}, {9, 10, 15, 4, 15},  {24, 10, 10, 19, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pools pools = {0};
        int on_cpu;
        pools_add(&pools, DEVICE_GPU, 0, 3);
        pools_add(&pools, DEVICE_GPU, 1, 2);
        pools_add(&pools, DEVICE_CPU, 0, 11);
        pools_add(&pools, DEVICE_CPU, 1, 8);
        int64_t last = fill(&pools, cases[i].jobs, cases[i].gpu_s, cases[i].cpu_s, &on_cpu);
        ok(on_cpu == cases[i].on_cpu && last == cases[i].last_s,
           "%d jobs of %lld s or %lld s: %d on CPUs, %lld s", cases[i].jobs,
           (long long)cases[i].gpu_s, (long long)cases[i].cpu_s, on_cpu, (long long)last);
        pools_free(&pools);
    }
}

static void test_turns(void)
{
    struct pools pools = {0};
    struct pool_times times = {{10 * S, 0}};
    pools_add(&pools, DEVICE_GPU, 0, 1);
    pools_add(&pools, DEVICE_GPU, 1, 1);
    struct pool_choice first = pools_choose(&pools, &times, &maigan, 0);
    ok(first.account == 1, "of equals the account asked for");
    pools_take(&pools, &first);
    struct pool_choice second = pools_choose(&pools, &times, &only, 0);
    ok(second.account == 1 && second.start_ns == 10 * S, "or that one alone, behind the first");
    pools_take(&pools, &second);
    pools_give(&pools, &first, 4 * S);
    ok(pools.slots[DEVICE_GPU].at[1].free_ns == 14 * S, "an early end brings the next one forward");
    int64_t room[] = {0, 5};
    struct pool_wish kept = {.account = UINT32_MAX, .room = {room, NULL}};
    ok(pools_choose(&pools, &times, &kept, 0).account == 1,
       "a free slot does not count where there is no memory for it");
    ok(pools_busy(&pools, DEVICE_GPU, 1, 5 * S) == 1 && !pools_busy(&pools, DEVICE_GPU, 0, 0) &&
           pools_count(&pools, DEVICE_GPU, 0) == 1,
       "slots in use");
    times.ns[DEVICE_GPU] = 0;
    ok(!pools_choose(&pools, &times, &maigan, 0).found, "a job that can use nothing finds nothing");
    pools_free(&pools);
}

/* Three jobs on a GPU take as long as one on a CPU: what was measured of them decides nothing. */
static void test_ties(void)
{
    static const int64_t measured[][2] = {
        {20000, 60000}, {20020, 60010}, {19990, 60400}, {20300, 60100}};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        struct pools pools = {0};
        int on_cpu = 0;
        pools_add(&pools, DEVICE_GPU, 0, 5);
        pools_add(&pools, DEVICE_CPU, 0, 19);
        for (int job = 0; job < 45; job++) {
            struct pool_times times = {{measured[i][0] * S / 1000, measured[i][1] * S / 1000}};
            struct pool_choice choice = pools_choose(&pools, &times, &any, job * S / 1000);
            pools_take(&pools, &choice);
            on_cpu += choice.device == DEVICE_CPU;
        }
        ok(on_cpu == 19, "%d of 45 jobs on CPUs, of %lld ms or %lld ms", on_cpu,
           (long long)measured[i][0], (long long)measured[i][1]);
        pools_free(&pools);
    }
}

int main(void)
{
    test_choice();
    test_ties();
    test_turns();
    return done();
}
