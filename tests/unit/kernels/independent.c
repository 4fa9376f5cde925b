// SPDX-License-Identifier: MIT
// Every stage with one thread and with three, and in little memory where its work is cut by that:
// the same bytes. (How far blocks of a deconvolution may differ from one block: deconv.c.)
#include "tool.h"

static const struct {
    const char *verb, *results, *little; // little: an option, or ""
} stages[] = {
    {"stitch p --cycle 1", "p/data/processed/stitched/cyc01", "--memory 3"},
    {"deconv p --cycle 1 --iterations 4", "p/data/processed/deconvolved/cyc01", ""},
    {"edof p --cycle 1", "p/data/processed/edf/cyc01", "--memory 4"},
    {"register p --nonrigid on", "p/data/processed/registered", ""},
    {"isolate p", "p/data/processed/signal_isolated", ""},
};

static void test_stage(const char *verb, const char *results, const char *little)
{
    if (!ok(tool("%s --quiet --threads 1", verb) == 0, "%s with one thread %s", verb, output))
        return;
    shell("rm -rf one && mv %s one", results);
    ok(tool("%s --quiet --threads 3 %s", verb, little) == 0 &&
           shell("diff -rq -x .snakemake_complete -x '*.json' one %s", results) == 0,
       "%s with three threads%s%s: the same bytes %s", verb, *little ? " and " : "", little,
       output);
}

int main(void)
{
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    tool_two_cycles("192x256");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        test_stage(stages[i].verb, stages[i].results, stages[i].little);
    return tool_done();
}
