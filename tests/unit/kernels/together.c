// SPDX-License-Identifier: MIT
// Runs of a stage for different channels of one cycle, at the same time, as jobs of a cluster are:
// none takes from another what that writes, and together they are one run of all channels.
#include "tool.h"

static const struct {
    const char *verb, *results, *report;
} stages[] = {
    {"stitch p --cycle 1", "p/data/processed/stitched/cyc01", "stitch_cyc01"},
    {"deconv p --cycle 1 --iterations 4", "p/data/processed/deconvolved/cyc01", "decon_cyc01"},
    {"edof p --cycle 1", "p/data/processed/edf/cyc01", "edf_cyc01"},
};

// Starts it in the background and stops it as soon as it writes; its process is $1.pid's. One that
// has written all between two looks, as on a busy machine, is started again.
static int stop_while_writing(const char *verb, const char *results, int channel)
{
    return shell("for try in $(seq 20); do "
                 "%s %s --quiet --threads 1 --force --channels %d >behind.txt 2>&1 & "
                 "pid=$!; echo $pid >%d.pid; while kill -STOP $pid; do "
                 "find %s -name '*.tif.*.part' 2>/dev/null | grep -q . && exit 0; "
                 "read -r _ _ state _ </proc/$pid/stat && [ $state != Z ] || break; "
                 "kill -CONT $pid; sleep 0.002; done; done; exit 1",
                 getenv("KINTSUGI_IMAGE"), verb, channel, channel, results);
}

static void test_stage(const char *verb, const char *results, const char *report)
{
    if (!ok(tool("%s --quiet", verb) == 0, "%s runs %s", verb, output))
        return;
    shell("rm -rf first && cp -r %s first && cp p/data/processed/qc/%s.json first.json", results,
          report);
    shell("rm -rf %s", results);
    ok(stop_while_writing(verb, results, 1) == 0, "%s: one that writes is stopped", verb);
    shell("find %s -name '*.part' | sort >written", results);
    ok(tool("%s --quiet --force --channels 2", verb) == 0, "another channel meanwhile %s", output);
    ok(shell("find %s -name '*.part' | sort | cmp written", results) == 0,
       "what is written stays there");
    ok(shell("test -e %s/.snakemake_complete", results) == 1, "half of it does not count as all");
    ok(shell("kill -CONT $(cat 1.pid); while kill -0 $(cat 1.pid) 2>/dev/null; do sleep 0.02; "
             "done; cat behind.txt >&2; ! test -s behind.txt") == 0,
       "the first goes on to its end");
    ok(shell("diff -rq -x .snakemake_complete -x '*.json' first %s", results) == 0 &&
           shell("test -e %s/.snakemake_complete", results) == 0,
       "both make what one run makes");
    ok(shell("for f in first.json p/data/processed/qc/%s.json; do "
             "grep -v seconds $f >$f.same; done; cmp first.json.same "
             "p/data/processed/qc/%s.json.same",
             report, report) == 0,
       "and report the same");
    ok(stop_while_writing(verb, results, 2) == 0 &&
           shell("kill -KILL $(cat 2.pid); kill -CONT $(cat 2.pid); "
                 "while kill -0 $(cat 2.pid) 2>/dev/null; do sleep 0.02; done") == 0 &&
           shell("find %s -name '*.part' | grep -q .", results) == 0,
       "one that is killed leaves something");
    ok(tool("%s --quiet --channels 1", verb) == 0 && tool("%s --quiet", verb) == 0 &&
           shell("! find p/data/processed -name '*.part' | grep -q .") == 0 &&
           shell("diff -rq -x .snakemake_complete -x '*.json' first %s", results) == 0,
       "the next runs sweep it and end the work %s", output);
}

// Parameters that differ would be mixed in one folder.
static void test_parameters(void)
{
    const char *verb = "deconv p --cycle 1 --iterations 4",
               *results = "p/data/processed/deconvolved/cyc01";
    ok(stop_while_writing(verb, results, 1) == 0, "%s: one that writes is stopped", verb);
    ok(tool("deconv p --cycle 1 --iterations 3 --quiet --channels 2") == 0,
       "another runs with other parameters %s", output);
    shell("kill -CONT $(cat 1.pid); while kill -0 $(cat 1.pid) 2>/dev/null; do sleep 0.02; done; "
          "mv behind.txt out.txt");
    read_output();
    ok(strstr(output, "cyc01: a run with other parameters has written there at the same time"),
       "the first tells it: %s", output);
    ok(shell("test -e %s/.snakemake_complete", results) == 1, "nothing counts as whole");
    ok(tool("%s --quiet", verb) == 0 &&
           shell("diff -rq -x .snakemake_complete -x '*.json' first.deconv %s", results) == 0,
       "the next run makes all of it again %s", output);
}

int main(void)
{
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    tool_two_cycles("192x256");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        test_stage(stages[i].verb, stages[i].results, stages[i].report);
        if (i == 1)
            shell("cp -r first first.deconv");
    }
    test_parameters();
    return tool_done();
}
