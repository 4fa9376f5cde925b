// SPDX-License-Identifier: MIT
#include "hpc/model.h"
#include "test.h"

static const int64_t S = 1000000000;
static struct buf history;

/* Lets it all happen; a line an event. */
static const char *play(struct model *model)
{
    static const char *const names[] = {"start", "wait", "left", "end", "tick"};
    static const int of[] = {
        [MODEL_START] = 0, [MODEL_WAIT] = 1, [MODEL_LEFT] = 2, [MODEL_END] = 3, [MODEL_TICK] = 4};
    struct model_event event;
    buf_reset(&history);
    buf_str(&history, "");
    while (model_next(model, INT64_MAX, &event))
        buf_printf(&history, "%lld %s %u%s%s\n", (long long)(event.at_ns / S),
                   names[of[event.kind]], event.id, event.reason ? " " : "",
                   event.reason ? event.reason : "");
    return buf_text(&history);
}

static void test_queue(void)
{
    struct model *model = model_new();
    uint32_t clive = model_add_account(model, "clive", (struct tres){40, 300, 1});
    struct model_job gpu = {clive, {4, 100, 1}, 10 * S}, cpu = {clive, {4, 100, 0}, 30 * S};
    model_submit(model, 1, &gpu, 0);
    model_submit(model, 2, &gpu, 0);
    model_submit(model, 3, &cpu, 0);
    is(play(model),
       "0 start 1\n0 wait 2 QOSGrpGRES\n0 start 3\n10 left 1\n10 start 2\n10 end 1\n20 left 2\n20 "
       "end 2\n30 left 3\n30 "
       "end 3\n",
       "what fits starts, what does not waits and says why");
    struct model_use use = model_account_use(model, clive, 30 * S);
    ok(use.gpu_s == 20 && use.cpu_s == 200 && use.jobs == 3, "use is summed up");
    model_free(model);
}

static void test_others(void)
{
    struct model *model = model_new();
    struct accounts accounts = {0};
    model_add_account(model, "clive", (struct tres){40, 300, 1});
    model_add_account(model, "maigan", (struct tres){40, 300, 1});
    model_set_tick(model, 30 * S);
    model_set_delays(model, 1 * S, 2 * S, 3 * S);
    model_add_foreign(model, "drew", &(struct model_job){0, {8, 250, 0}, 100 * S}, 0);
    model_submit(model, 7, &(struct model_job){0, {4, 100, 0}, 10 * S}, 0);
    is(play(model),
       "1 wait 7 QOSGrpMemLimit\n30 tick 0\n60 tick 0\n90 tick 0\n102 start 7\n112 left 7\n115 end "
       "7\n",
       "jobs of others count, delays add up, ticks come while jobs of ours are there");
    model_show(model, &accounts);
    ok(accounts.all.len == 2 && accounts.all.at[0].running.cpu == 0, "it shows itself as accounts");
    accounts_free(&accounts);
    model_free(model);
}

static void test_moves(void)
{
    struct model *model = model_new();
    struct model_event event;
    model_add_account(model, "clive", (struct tres){4, 100, 0});
    model_add_account(model, "maigan", (struct tres){8, 300, 0});
    model_submit(model, 1, &(struct model_job){0, {4, 100, 0}, 10 * S}, 0);
    model_submit(model, 2, &(struct model_job){0, {4, 100, 0}, 10 * S}, 0);
    ok(model_next(model, 0, &event) && event.kind == MODEL_START && model_next(model, 0, &event),
       "up to a time");
    ok(!model_next(model, 5 * S, &event), "and no further");
    ok(!model_move(model, 1, 1, 2 * S), "a running job is not moved");
    ok(model_move(model, 2, 1, 2 * S), "a waiting one is");
    is(play(model), "2 start 2\n10 left 1\n10 end 1\n12 left 2\n12 end 2\n", "and starts there");
    model_submit(model, 3, &(struct model_job){0, {400, 0, 0}, 10 * S}, 20 * S);
    is(play(model), "20 wait 3 QOSGrpCpuLimit\n", "what can never start waits for ever");
    ok(model_is_stuck(model), "and that can be asked");
    model_free(model);
}

int main(void)
{
    test_queue();
    test_others();
    test_moves();
    buf_free(&history);
    return done();
}
