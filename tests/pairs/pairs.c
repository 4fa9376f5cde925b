// SPDX-License-Identifier: MIT
// Every primitive of the table in device.h, and every stage, on two devices with the same random input of
// awkward sizes.
//
//     pairs threads      the CPU with one thread and with three: the same bits
//     pairs gpu          the CPU and the card: the same to rounding; skipped, with the reason, when there is none
//     pairs gpu NAME     one primitive or stage
#include "checks.h"
#include "test.h"

#include <stdlib.h>

struct row {
    const char *name;
    void (*check)(struct trial *t);
};

static const struct row primitives[] = {
#define X(type, primitive, ...) {#primitive, check_##primitive},
    DEVICE_PRIMITIVES(X)
#undef X
};

static const struct row stages[] = {
    {"illumination", stage_illum}, {"stitching", stage_stitch},       {"deconvolution", stage_deconv},
    {"focus", stage_edof},         {"registration", stage_register},
};

static const struct kin_dims sizes[] = {{1, 1, 1},    {1, 1, 7},   {1, 5, 3},   {1, 64, 64},
                                        {1, 67, 131}, {3, 33, 70}, {2, 16, 513}};

/* One line for a primitive: all sizes. */
static void check_primitive(const struct row *row, bool exact, struct device *const dev[2])
{
    struct trial t = {.exact = exact};
    double worst = 0;
    bool good = true;
    size_t i = 0;
    for (; i < sizeof sizes / sizeof *sizes && good; i++) {
        t.dims = sizes[i];
        good = trial_run(&t, row->check, dev);
        worst = t.worst > worst ? t.worst : worst;
    }
    ok(good, "%s: %.0f %% of what may differ", row->name, 100 * worst);
    if (!good)
        printf("# (%d, %d, %d) %s\n", t.dims.z, t.dims.y, t.dims.x, t.why);
}

static void check_stage(const struct row *row, bool exact, struct device *const dev[2])
{
    struct trial t = {.exact = exact, .dims = {1, 1, 1}};
    ok(trial_run(&t, row->check, dev), "the stage of %s: %.0f %% of what may differ", row->name, 100 * t.worst);
    if (t.why[0])
        printf("# %s\n", t.why);
}

int main(int argc, char **argv)
{
    struct kin_error err = {0};
    const char *name = argc > 2 ? argv[2] : NULL;
    bool gpu = argc > 1 && !strcmp(argv[1], "gpu");
    struct device *dev[2] = {device_open(DEVICE_CPU, gpu ? 0 : 1, &err),
                             device_open(gpu ? DEVICE_GPU : DEVICE_CPU, gpu ? 0 : 3, &err)};
    if (!dev[1]) {
        printf("1..0 # SKIP %s\n", err.text);
        return 0;
    }
    printf("# %s and %s\n", dev[0]->name, dev[1]->name);
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (!name || !strcmp(name, primitives[i].name))
            check_primitive(&primitives[i], !gpu, dev);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (!name || !strcmp(name, stages[i].name))
            check_stage(&stages[i], !gpu, dev);
    device_close(dev[0]);
    device_close(dev[1]);
    return done();
}
