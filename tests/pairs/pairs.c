// SPDX-License-Identifier: MIT
// Every primitive of the table in device.h, and every stage, on two devices with the same random
// input of awkward sizes.
//
//     pairs threads      the CPU with one thread and with three: the same bits
//     pairs gpu          the CPU and the card: the same to rounding; skipped, with the reason, when
//                        there is none
//     pairs gpu NAME     one primitive or stage
//     pairs names        those of all of them
//     pairs emulated     as gpu, but not skipped; twenty steps on one size (so with sanitizers)
//     pairs most         as emulated, but six steps on one size, too
//     pairs small        as gpu, on one size, in few steps, and the smallest stages: for tools
//                        that make it a hundred times slower
#include "checks.h"
#include "test.h"

#include <stdlib.h>

struct row {
    const char *name;
    void (*check)(struct trial *t);
    size_t memory; /* that a card has for it; 0: as much as there is */
};

static const struct row primitives[] = {
#define X(type, primitive, ...) {#primitive, check_##primitive},
    DEVICE_PRIMITIVES(X)
#undef X
};

static const struct row stages[] = {
    {"illumination", stage_illum},
    {"stitching", stage_stitch},
    {"deconvolution", stage_deconv},
    {"focus", stage_edof},
    {"registration", stage_register},
    {"planes of a mosaic", stage_small_mosaic},
    {"some rows at a time", stage_narrow_register},
    {"deconvolving lines of many lengths", stage_line_lengths},
    {"deconvolution in bands", stage_small_deconv, SMALL_MEMORY},
};

static const struct row small_stages[] = {{"small deconvolution", stage_tiny_deconv},
                                          {"small focus", stage_small_edof},
                                          {"planes of a mosaic", stage_small_mosaic}};

static const struct kin_dims sizes[] = {{1, 1, 1},    {1, 1, 7},   {1, 5, 3},    {1, 64, 64},
                                        {1, 67, 131}, {3, 33, 70}, {2, 16, 513}, {200, 3, 2}};

/* A grid on a GPU is no higher than 65535 blocks, of 4 or 16 rows each. */
static const struct kin_dims tall = {1, 16 * 65535 + 3, 2};
static const struct row of_tall[] = {
    {"median5", check_median5}, {"bin_u16", check_bin_u16}, {"strip_cut", check_strip_cut}};

static void check_tall(const struct row *row, bool exact, struct device *const dev[2])
{
    struct trial t = {.exact = exact, .dims = tall};
    ok(trial_run(&t, row->check, dev), "%s of %d rows", row->name, tall.y);
    if (t.why[0])
        printf("# %s\n", t.why);
}

/* Six or twenty steps, with each kind of PSF. */
static bool is_long(const struct row *row)
{
    return row->check == check_rl_plan || row->check == check_rl_step;
}

static bool is_longest(const struct row *row)
{
    return row->check == check_rl_plan;
}

/* One line for a primitive: all sizes. */
static void check_primitive(const struct row *row, bool exact, bool small, bool brief,
                            struct device *const dev[2])
{
    struct trial t = {.exact = exact, .brief = brief};
    double worst = 0;
    bool good = true;
    for (size_t i = small ? 2 : 0; i < (small ? 3 : sizeof sizes / sizeof *sizes) && good; i++) {
        t.dims = small ? (struct kin_dims){2, 18, 35} : sizes[i];
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
    struct kin_error err = {0};
    struct device *within =
        row->memory ? device_open_within(dev[1]->kind, dev[1]->threads, row->memory, &err) : NULL;
    bool good = trial_run(&t, row->check, (struct device *[2]){dev[0], within ? within : dev[1]});
    ok(good && (within || !row->memory), "the stage of %s: %.0f %% of what may differ", row->name,
       100 * t.worst);
    if (t.why[0] || err.text[0])
        printf("# %s%s\n", t.why, err.text);
    device_close(within);
}

static int print_names(bool small)
{
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        printf("%s\n", primitives[i].name);
    for (size_t i = 0; i < sizeof small_stages / sizeof *small_stages && small; i++)
        printf("%s\n", small_stages[i].name);
    for (size_t i = 0; i < sizeof stages / sizeof *stages && !small; i++)
        printf("%s\n", stages[i].name);
    return 0;
}

/* Whether it is among `names`, which end with NULL, or there are none. */
static bool is_wanted(const char *name, char *const *names)
{
    bool wanted = !*names;
    for (; *names && !wanted; names++)
        wanted = !strcmp(*names, name);
    return wanted;
}

int main(int argc, char **argv)
{
    struct kin_error err = {0};
    const char *which = argc > 1 ? argv[1] : "threads";
    char *const *names = argv + (argc > 1 ? 2 : 1);
    if (!strcmp(which, "names"))
        return print_names(*names && !strcmp(*names, "small"));
    bool small = !strcmp(which, "small"), most = !strcmp(which, "most");
    bool emulated = most || !strcmp(which, "emulated"), slow = emulated || SANITIZED;
    bool gpu = small || emulated || !strcmp(which, "gpu");
    struct device *dev[2] = {device_open(DEVICE_CPU, gpu ? 0 : 1, &err),
                             device_open(gpu ? DEVICE_GPU : DEVICE_CPU, gpu ? 0 : 3, &err)};
    if (!dev[1]) {
        printf(emulated ? "1..1\nnot ok 1 - the emulated card\n# %s\n" : "1..0 # SKIP %s\n",
               err.text);
        device_close(dev[0]);
        return emulated;
    }
    printf("# %s and %s\n", dev[0]->name, dev[1]->name);
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        const struct row *row = &primitives[i];
        bool few = small || (most && is_long(row)) || (slow && is_longest(row));
        if (is_wanted(row->name, names))
            check_primitive(row, !gpu, few, small, dev);
    }
    for (size_t i = 0; i < sizeof small_stages / sizeof *small_stages && small; i++)
        if (is_wanted(small_stages[i].name, names))
            check_stage(&small_stages[i], false, dev);
    for (size_t i = 0; i < sizeof of_tall / sizeof *of_tall && !small; i++)
        if (is_wanted(of_tall[i].name, names))
            check_tall(&of_tall[i], !gpu, dev);
    for (size_t i = 0; i < sizeof stages / sizeof *stages && !small; i++)
        if (is_wanted(stages[i].name, names))
            check_stage(&stages[i], !gpu, dev);
    device_close(dev[0]);
    device_close(dev[1]);
    return done();
}
