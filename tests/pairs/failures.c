// SPDX-License-Identifier: MIT
// failures.c: a card on which one call fails. Every call of every kind in turn, as far as the work
// goes: the result is the CPU's, because what failed was not needed or was made up for, or it is
// said what failed. Needs the emulated card (tests/emulate), which also sees whether anything was
// not given back.
#include "checks.h"
#include "test.h"

#include <stdlib.h>

struct work {
    const char *name;
    void (*check)(struct trial *t);
    struct kin_dims dims;
    int step;      /* of the numbers of those calls of which there are thousands */
    size_t memory; /* of the card; 0: all */
};

static const struct work works[] = {
    {"copies", check_upload, {1, 1, 5}, 1},
    {"memory taken again", check_release, {1, 1, 5}, 1},
    {"memory of the host", check_host_alloc, {1, 1, 5}, 1},
    {"settled memory", check_settle, {1, 1, 5}, 1},
    {"transforms", check_fft_plan, {1, 5, 3}, 1},
    {"a Gaussian", check_gauss_xy, {1, 5, 3}, 1},
    {"a sum", check_sum, {1, 5, 3}, 1},
    {"steps of Richardson-Lucy", check_rl_step, {1, 2, 3}, 113},
    {"blocks of a volume", check_domain_keep, {2, 3, 4}, 1},
    {"overlaps", check_overlap_sums, {1, 5, 3}, 3},
    {"peaks", check_shift_peaks, {1, 5, 3}, 3},
    {"a mosaic", check_mosaic_rows, {1, 5, 3}, 3},
    {"small images", check_block_gather, {1, 5, 3}, 3},
    {"a shading fit", check_alm_step, {1, 5, 3}, 3},
    {"sums of a plane", check_tally_read, {1, 5, 3}, 3},
    {"deconvolution", stage_small_deconv, {1, 1, 1}, 151, SMALL_MEMORY},
    {"focus", stage_small_edof, {1, 1, 1}, 71},
    {"planes of a mosaic", stage_small_mosaic, {1, 1, 1}, 3},
    {"warping", stage_small_warping, {1, 1, 1}, 3, NARROW_MEMORY},
};

static const char *const kinds[] = {"memory", "pinned",  "copy",      "event",
                                    "wait",   "stream",  "plan",      "transform",
                                    "launch", "capture", "attribute", "free"};

/* One failure; *met: there was such a call. Answers whether it ended as it should. */
static bool one_failure(const struct work *work, const char *kind, int number, struct device *cpu,
                        bool *met, char *why, size_t size)
{
    struct kin_error err = {0};
    struct trial t = {.dims = work->dims};
    char asked[40];
    snprintf(asked, sizeof asked, "%s:%d", kind, number);
    setenv("KINTSUGI_EMULATED_FAIL", asked, 1);
    struct device *dev[2] = {cpu, device_open_within(DEVICE_GPU, 0, work->memory, &err)};
    bool good = dev[1] ? trial_run(&t, work->check, dev) : err.text[0] != 0;
    *met = !getenv("KINTSUGI_EMULATED_FAIL");
    bool said = dev[1] && !device_ok(dev[1], &err);
    snprintf(why, size, "%s: %s", asked, t.why[0] ? t.why : err.text);
    device_close(dev[1]);
    /* the stage says it, and forgave the device */
    return good || said || strstr(t.why, "no memory");
}

static void check_work(const struct work *work, const char *kind, struct device *cpu)
{
    char why[900] = "";
    bool good = true, met = true;
    int number = 0, tried = 0;
    for (int next = 1; good && met; next += next < 6 ? 1 : work->step) {
        number = next;
        good = one_failure(work, kind, number, cpu, &met, why, sizeof why);
        tried += met;
    }
    if (!strcmp(kind, "memory") || !strcmp(kind, "launch") ||
        !strcmp(kind, "wait")) /* all have these */
        good = good && tried > 0;
    ok(good, "%s: %d failures of kind %s", work->name, tried, kind);
    if (!good)
        printf("# %s\n", why);
}

/* A card that fails when it is opened leaves nothing behind on the CPU that is taken instead. */
static void check_opening(void)
{
    struct kin_error err = {0};
    for (int number = 1; number <= 2; number++) {
        setenv("KINTSUGI_EMULATED_FAIL", number == 1 ? "stream:3" : "launch:1", 1);
        struct device *dev = device_open(DEVICE_AUTO, 0, &err);
        ok(dev && dev->kind == DEVICE_CPU && !dev->memory && !dev->back_end && device_ok(dev, &err),
           "a card that cannot be opened: the CPU, without a card's limits");
        device_close(dev);
    }
}

int main(int argc, char **argv)
{
    struct kin_error err = {0};
    struct device *cpu = device_open(DEVICE_CPU, 0, &err);
    const char *name = argc > 1 ? argv[1] : NULL;
    check_opening();
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (!name || !strcmp(name, works[i].name))
                check_work(&works[i], kinds[k], cpu);
    device_close(cpu);
    return done();
}
