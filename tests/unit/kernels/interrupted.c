// SPDX-License-Identifier: MIT
// Every stage killed or ended in its middle, and run again: the same bytes as without.
#include "tool.h"

#include <time.h>

static const struct {
    const char *verb, *results;
} stages[] = {
    {"stitch p --cycle 1", "p/data/processed/stitched/cyc01"},
    {"deconv p --cycle 1 --iterations 4", "p/data/processed/deconvolved/cyc01"},
    {"edof p --cycle 1", "p/data/processed/edf/cyc01"},
    {"register p", "p/data/processed/registered"},
    {"isolate p", "p/data/processed/signal_isolated"},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void test_stage(const char *verb, const char *results)
{
    static const char *const signals[] = {"TERM", "KILL"};
    double start = now();
    if (!ok(tool("%s --quiet --threads 2", verb) == 0, "%s runs %s", verb, output))
        return;
    double seconds = now() - start;
    shell("rm -rf first && cp -r %s first", results);
    for (int i = 0; i < 4; i++) {
        shell("rm -rf %s", results);
        /* wait: until it is gone */
        shell("%s %s --quiet --threads 2 >/dev/null 2>&1 & sleep %.3f; kill -%s $!; wait $!",
              getenv("KINTSUGI_IMAGE"), verb, 0.01 + seconds * (i + 1) / 5.5, signals[i % 2]);
        int status = tool("%s --quiet --threads 2", verb);
        ok(status == 0 && shell("diff -rq -x .snakemake_complete -x '*.part' -x '*.json' first %s",
                                results) == 0,
           "%s, %s after %d/5 of its time, then again: the same bytes %s", verb, signals[i % 2],
           i + 1, output);
        ok(shell("! find %s -name '*.part' | grep -q .", results) == 0,
           "%s: no temporary file stays", verb);
    }
    shell("rm -rf %s", results);
    ok(shell("%s %s --threads 2 2>&-", getenv("KINTSUGI_IMAGE"), verb) == 0 &&
           shell("diff -rq -x .snakemake_complete -x '*.json' first %s", results) == 0,
       "%s with standard error closed: the same bytes, no messages among them", verb);
    ok(shell("touch -d '8 days ago' %s/.recipe.1.part p/data/processed/qc/a.json.1.part",
             results) == 0 &&
           tool("%s --quiet --threads 2", verb) == 0 &&
           shell("test -e %s/.recipe.1.part", results) == 1 &&
           shell("test -e p/data/processed/qc/a.json.1.part") == 1,
       "%s: nor does one of a run that was killed as it began, or as it wrote its report", verb);
}

/* An output that is gone is made again; an input that is gone leaves no sentinel. */
static void test_missing(void)
{
    shell("rm first -rf; cp -r p/data/processed/edf/cyc02 first; "
          "rm p/data/processed/edf/cyc02/confidence_*");
    ok(tool("edof p --cycle 2 --quiet") == 0 &&
           shell("diff -rq -x .snakemake_complete -x '*.json' first p/data/processed/edf/cyc02") ==
               0,
       "edof: confidence maps that are gone are made again %s", output);
    ok(shell("rm $(ls p/data/processed/edf/cyc02/[!cz]*.tif | tail -n 1)") == 0 &&
           tool("register p --quiet") == 1 &&
           shell("test -e p/data/processed/registered/.snakemake_complete") == 1,
       "register: an image that is missing leaves no sentinel: %s", output);
}

static void test_qc(void)
{
    ok(tool("qc p --quiet") == 0, "qc runs %s", output);
    ok(shell("cd p && for dir in data/processed/qc data/processed/qc/planes qc_plots; do "
             "touch -d '8 days ago' $dir/a.1.part || exit 1; done") == 0 &&
           tool("qc p --quiet") == 0 && shell("find p -name '*.part' | grep -q .") == 1,
       "qc: nor does one of its own");
}

int main(void)
{
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    tool_two_cycles("128x160");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        test_stage(stages[i].verb, stages[i].results);
    test_qc();
    test_missing();
    return tool_done();
}
