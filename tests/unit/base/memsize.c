// SPDX-License-Identifier: MIT
#include "base/memsize.h"

#include "test.h"

/* What sbatch --mem of Slurm 22.05 makes of it; and what its commands print. */
static void test_mb(void)
{
    static const struct {
        const char *text;
        int64_t mb;
    } cases[] = {{"1000", 1000},    {"1000K", 1},
                 {"1024K", 1},      {"1025k", 2},
                 {"2m", 2},         {"2mb", 2},
                 {"1g", 1024},      {"4GB", 4096},
                 {"2T", 2097152},   {"1t", 1048576},
                 {"0", 0},          {"+5", 5},
                 {"4 G", -1},       {"4Gi", -1},
                 {"1e3", -1},       {"", -1},
                 {"312G", 319488},  {"812.50G", 832000},
                 {"1P", 1 << 30},   {"1048576K", 1024},
                 {"2Gc", 2048},     {"500Mn", 500},
                 {"N/A", -1},       {"N", -1},
                 {"UNLIMITED", -1}, {"G", -1},
                 {".5G", -1},       {"99999999999999999999T", INT64_C(1) << 40}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(memsize_mb(cases[i].text, strlen(cases[i].text)) == cases[i].mb, "'%s' is %lld MB",
           cases[i].text, (long long)cases[i].mb);
    ok(memsize_mb("312G,cpu=1", 4) == 319488, "no more than its length is read");
}

static void test_used(void)
{
    static const struct {
        const char *text;
        int64_t kb;
    } cases[] = {{"3208K", 3208}, {"1.50G", 1572864}, {"0", 0},
                 {"2048", 2},     {"", -1},           {"12.3M", 12595}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(memsize_used_kb(cases[i].text, strlen(cases[i].text)) == cases[i].kb, "'%s' is %lld KB",
           cases[i].text, (long long)cases[i].kb);
}

int main(void)
{
    test_mb();
    test_used();
    return done();
}
