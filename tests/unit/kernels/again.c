// SPDX-License-Identifier: MIT
// What an earlier run has left counts only as the answer to what is asked now; and where two cycles
// have a marker of the same name, each has an image of its own.
#include "tool.h"

#define STITCHED "p/data/processed/stitched/cyc01"
#define DECON    "p/data/processed/deconvolved/cyc01/CH1"
#define EDF      "p/data/processed/edf/cyc01"
#define ISOLATED "p/data/processed/signal_isolated"

/* Made anew, and killed as soon as the first plane is replaced, which is yet to be rescaled. */
static void test_rescaled(void)
{
    const char *verb = "deconv p --cycle 1 --channels 1 --iterations 1 --rescale kintsugi --quiet";
    ok(tool("%s", verb) == 0 && shell("rm -rf first && cp -r " DECON " first") == 0,
       "planes are rescaled %s", output);
    shell("old=$(stat -c %%i " DECON "/deconv_001.tif); %s %s --force & "
          "while [ \"$(stat -c %%i " DECON
          "/deconv_001.tif)\" = \"$old\" ] && kill -0 $!; do :; done; "
          "kill -KILL $!; wait $! 2>/dev/null",
          getenv("KINTSUGI_IMAGE"), verb);
    ok(tool("%s", verb) == 0 && shell("diff -rq -x '*.json' first " DECON) == 0,
       "killed before all are, then again: the same bytes %s", output);
    ok(shell("rm " DECON "/psf.tif") == 0 && tool("%s", verb) == 0 &&
           shell("diff -rq -x '*.json' first " DECON) == 0,
       "its PSF is made again, too %s", output);
}

/* All follow another channel's map. */
static void test_leader(void)
{
    const char *verb = "edof p --cycle 1 --input stitched --share-z --quiet";
    ok(tool("%s", verb) == 0, "channels follow the first one's map %s", output);
    shell("sed -i 's/\"reference_channel\": 1/\"reference_channel\": 2/' p/meta/experiment.json");
    ok(tool("%s", verb) == 0 && shell("rm -rf first && cp -r " EDF " first") == 0 &&
           tool("%s --force", verb) == 0 &&
           shell("diff -rq -x .snakemake_complete -x .recipe -x '*.json' first " EDF) == 0,
       "then the second one's: the same as all anew %s", output);
    shell("sed -i 's/\"reference_channel\": 2/\"reference_channel\": 1/' p/meta/experiment.json");
}

/* Exposures from another file, which is as old. */
static void test_exposures(void)
{
    const char *verb = "isolate p --blank Spare --quiet --exposures";
    shell(
        "printf '1,10,10,10\\n2,10,10,10\\n' > a.csv; printf '1,10,30,10\\n2,10,30,10\\n' > b.csv; "
        "touch -d '2 days ago' a.csv b.csv");
    ok(tool("%s a.csv", verb) == 0 && shell("rm -rf first && cp -r " ISOLATED " first") == 0,
       "markers are isolated %s", output);
    ok(tool("%s b.csv", verb) == 0 && shell("cmp -s first/Same.tif " ISOLATED "/Same.tif") == 1,
       "other exposures, other images %s", output);
}

static void test_same_name(void)
{
    ok(shell("test -e " ISOLATED "/Same.tif && test -e " ISOLATED "/Same_cyc02.tif") == 0 &&
           tool("qc p --stage isolate --pixels --quiet") == 0,
       "two cycles have a marker of one name %s", output);
    ok(shell("a=$(cd p && grep -A9 '\"Same\"' data/processed/qc/planes/*isol* | grep -o "
             "'\"mean\": *[0-9.]*' | sort -u | wc -l); test $a = 2") == 0,
       "each is measured in its own image");
}

/* More names than there is room for. */
static void test_names(void)
{
    char names[200] = "";
    for (int i = 0; i < 33; i++)
        strcat(names, i ? ",Spare" : "Spare");
    ok(tool("isolate p --blank %s", names) == 1 && strstr(output, "--blank: more than 32 names"),
       "no name of --blank is forgotten: %s", output);
}

static const char names[] = "DAPI\\nSame\\nSpare\\nDAPI\\nSame\\nOther\\n",
                  exchanged[] = "DAPI\\nSame\\nSpare\\nDAPI\\nOther\\nSame\\n",
                  no_blank[] = "DAPI\\nSame\\nMarker\\nDAPI\\nSame\\nOther\\n";

/* Names put right after a run: no image keeps that of another channel, or of a blank that is none.
 */
static void test_names_changed(void)
{
    const char *edof = "edof p --cycle 2 --input stitched --quiet";
    shell("printf '%s' > p/meta/CHANNELNAMES.txt; rm -rf first; cp -r p/data/processed/edf/cyc02 "
          "first",
          exchanged);
    ok(tool("%s", edof) == 0 &&
           shell("cmp -s first/Same.tif p/data/processed/edf/cyc02/Other.tif && "
                 "cmp -s first/Other.tif p/data/processed/edf/cyc02/Same.tif") == 0,
       "names exchanged, images exchanged %s", output);
    shell("printf '%s' > p/meta/CHANNELNAMES.txt", names);
    ok(tool("%s", edof) == 0 && tool("register p --quiet") == 0 &&
           tool("isolate p --blank Spare --quiet") == 0 &&
           shell("rm -rf first; cp -r " ISOLATED " first") == 0,
       "and back %s", output);
    shell("printf '%s' > p/meta/CHANNELNAMES.txt", no_blank);
    ok(tool("edof p --cycle 1 --input stitched --quiet") == 0 && tool("register p --quiet") == 0 &&
           tool("isolate p --quiet") == 0 &&
           shell("cmp -s first/Other.tif " ISOLATED "/Other.tif") == 1,
       "without that blank, others are isolated anew %s", output);
    shell("printf '%s' > p/meta/CHANNELNAMES.txt", names);
}

/* A tile that goes, or comes with an old date. */
static void test_tiles(void)
{
    const char *verb = "stitch p --cycle 1 --quiet --allow-missing",
               *mosaic = STITCHED "/CH1/03.tif";
    shell("rm -rf first gone; mkdir gone; cp %s whole.tif; mv "
          "p/data/raw/cyc001*/1_00004_Z003_CH1.tif gone",
          mosaic);
    ok(tool("%s", verb) == 0 && shell("cmp -s whole.tif %s", mosaic) == 1,
       "a tile is gone from the mosaic, too %s", output);
    shell("mv gone/* p/data/raw/cyc001*");
    ok(tool("%s", verb) == 0 && shell("cmp -s whole.tif %s", mosaic) == 0, "it is back in both %s",
       output);
    ok(tool("stitch p --cycle 1 --quiet --channels 2") == 0 &&
           shell("touch p/data/raw/cyc001*/1_00002_Z003_CH1.tif; sleep 0.1; touch mark") == 0 &&
           tool("stitch p --cycle 1 --quiet --channels 2") == 0 &&
           shell("test " STITCHED "/CH2/03.tif -nt mark") == 0,
       "a new tile of the channel that positions are found in %s", output);
}

/* What register leaves beside its images. */
static void test_lost(void)
{
    ok(tool("register p --quiet") == 0 &&
           shell("rm p/data/processed/registered/coverage_cyc0*.tif "
                 "p/data/processed/qc/registration.json") == 0 &&
           tool("register p --quiet") == 0 &&
           shell("cd p/data/processed && test -e registered/coverage_cyc01.tif -a -e "
                 "registered/coverage_cyc02.tif -a -e qc/registration.json") == 0,
       "coverage and report that are lost are made again %s", output);
}

/* A cycle that is refused, while the images of an earlier run are still there. */
static void test_refused(void)
{
    ok(tool("register p --max-shift 0 --quiet") == 1 &&
           tool("qc p --stage registration --gate --quiet") == 1 &&
           shell("grep -q '^red    registration cycle 2  refused' out.txt") == 0,
       "the gate does not let it pass %s", output);
    ok(tool("register p --quiet") == 0 && tool("qc p --stage registration --gate --quiet") == 0 &&
           shell("grep -q refused out.txt") == 1,
       "registered again, it passes %s", output);
}

/* Without n_cycles the folders count. */
static void test_counted(void)
{
    shell("sed -i '/\"n_cycles\"/d' p/meta/experiment.json; mv p/data/raw/cyc001* aside");
    ok(tool("register p --quiet") == 1 && strstr(output, "no folder of cycle 1"),
       "no cycle is left out without a word: %s", output);
    shell("mv aside p/data/raw/cyc001_reg001_phantom; echo later > p/data/raw/cyc009_notes.txt");
    ok(tool("register p --quiet") == 0, "counted %s", output);
}

/* What is cut off is newer than all that it is made from. What another stage has made is not made
 * here, but how it is made is said. */
static void test_damaged(void)
{
    static const struct {
        const char *verb, *path;
    } outputs[] = {{"stitch p --cycle 1", STITCHED "/CH1/03.tif"},
                   {"edof p --cycle 1 --input stitched", EDF "/DAPI.tif"},
                   {"register p", "p/data/processed/registered/cyc02/Same.tif"},
                   {"register p", "p/data/processed/registered/transforms.json"},
                   {"isolate p --blank Spare", ISOLATED "/Same.tif"}};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const char *path = outputs[i].path;
        ok(tool("%s --quiet", outputs[i].verb) == 0 &&
               shell("cp %s kept && truncate -s 300 %s", path, path) == 0 &&
               tool("%s --quiet", outputs[i].verb) == 0 && shell("cmp -s kept %s", path) == 0,
           "%s is made again: the same bytes %s", path, output);
    }
    ok(shell("truncate -s 300 " STITCHED "/CH2/04.tif") == 0 &&
           tool("edof p --cycle 1 --input stitched --quiet --force") == 1 &&
           strstr(output, "CH2/04.tif: damaged or cut off") &&
           strstr(output, "(in the workflow, --forcerun stitch_cycle makes it again)"),
       "a plane that is damaged: %s", output);
    ok(shell("rm " EDF "/Same.tif") == 0 && tool("stitch p --cycle 1 --quiet") == 0 &&
           tool("edof p --cycle 1 --input stitched --quiet") == 0 &&
           shell("rm " EDF "/Same.tif") == 0 && tool("register p --quiet") == 1 &&
           strstr(output, "Same.tif: No such file or directory (in the workflow, --forcerun "
                          "edf_cycle makes it again)"),
       "an image that is gone: %s", output);
    ok(tool("edof p --cycle 1 --input stitched --quiet") == 0, "it is back %s", output);
}

int main(void)
{
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    ok(tool("phantom p --grid 2x2 --tile 160x192 --planes 5 --channels 3 --cycles 2 "
            "--difficulty 1 --quiet --no-truth-images") == 0,
       "a phantom is made %s", output);
    shell("printf '%s' > p/meta/CHANNELNAMES.txt", names);
    for (int cycle = 1; cycle <= 2; cycle++)
        ok(tool("stitch p --cycle %d --quiet", cycle) == 0 &&
               tool("edof p --cycle %d --input stitched --quiet", cycle) == 0,
           "cycle %d is ready %s", cycle, output);
    ok(tool("register p --quiet") == 0, "and registered %s", output);
    test_exposures();
    test_same_name();
    test_names();
    test_rescaled();
    test_leader();
    test_names_changed();
    test_tiles();
    test_damaged();
    test_lost();
    test_refused();
    test_counted();
    return tool_done();
}
