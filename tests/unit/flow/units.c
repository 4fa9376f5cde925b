// SPDX-License-Identifier: MIT
/* Units of resources against Snakemake 9.25: the tables were made with its Resource class. */
#include "test.h"

#include "flow/units.h"

/* What was read; -1: refused. */
struct row {
    const char *text;
    int64_t want;
};
static const struct row sizes[] = {
    {"1GB", 1000},
    {"1 GB", 1000},
    {"1.5GB", 1500},
    {"500 MB", 500},
    {"512MiB", 537},
    {"1 GiB", 1074},
    {"2TB", 2000000},
    {"300", 300},
    {"1KB", 1},
    {"1 byte", 1},
    {"10 K", 1},
    {"1.5g", 1500},
    {"2 gigabytes", 2000},
    {"1 mebibyte", 2},
    {"'3 GB'", 3000},
    {"x", -1},
    {"1 2", -1},
    {"1GB2", -1},
    {"1 foo", -1},
    {"", -1},
    {"0.5", 1},
    {"100 kb", 1},
    {"7 b", 1},
    {"99999999999999999999G", INT64_MAX}, /* Snakemake: as it is */
    {"99999999999999999999", INT64_MAX},
};
static const struct row times[] = {
    {"1.5h", 90},  {"2d", 2880},      {"30m", 30},
    {"90", 90},    {"1 hour", 60},    {"45s", 1},
    {"90s", 1},    {"1 week", 10080}, {"10min", 10},
    {"1h30m", -1}, {"x", -1},         {"2 days", 2880},
    {"0.5h", 30},  {"1ms", 1},        {"59.6m", 59},
    {"1.1 h", 66}, {"150s", 2},       {"99999999999999999999 days", INT64_MAX},
};
static const struct {
    int64_t mb;
    const char *shown;
    int64_t mib, back; /* MB to MiB, and as many MiB in MB */
} shown[] = {
    {0, "0 bytes", 0, 0},
    {1, "1 MB", 1, 1},
    {999, "999 MB", 953, 1047},
    {1000, "1 GB", 954, 1048},
    {1050, "1.05 GB", 1002, 1101},
    {1500, "1.5 GB", 1431, 1572},
    {12345, "12.35 GB", 11774, 12944},
    {1000000, "1 TB", 953675, 1048576},
    {999999, "1000 GB", 953674, 1048574},
    {2000000, "2 TB", 1907349, 2097152},
};

static void test_rows(const struct row *row, size_t n, bool (*read)(const char *, int64_t *))
{
    for (size_t i = 0; i < n; i++) {
        int64_t got = -1;
        if (!read(row[i].text, &got))
            got = -1;
        ok(got == row[i].want, "'%s' is %ld (got %ld)", row[i].text, (long)row[i].want, (long)got);
    }
}

int main(void)
{
    test_rows(sizes, sizeof sizes / sizeof *sizes, resource_size_mb);
    test_rows(times, sizeof times / sizeof *times, resource_minutes);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char text[32];
        resource_show_mb(shown[i].mb, text);
        is(text, shown[i].shown, "megabytes as people read them");
        ok(resource_mb_to_mib(shown[i].mb) == shown[i].mib, "%ld MB in MiB", (long)shown[i].mb);
        ok(resource_mib_to_mb(shown[i].mb) == shown[i].back, "%ld MiB in MB", (long)shown[i].mb);
    }
    ok(resource_mib_to_mb(INT64_MAX) == INT64_MAX, "more than there is room for");
    return done();
}
