// SPDX-License-Identifier: MIT
// Every stage with one thread and with three, and in little memory where its work is cut by that:
// the same bytes. (How far blocks of a deconvolution may differ from one block: deconv.c.)
#include "tool.h"

#include <math.h>
#include <tiffio.h>

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

// Of every page that is not a smaller copy: in pixels a centimetre, those of a stack a micrometre.
static bool says_377_nm(const char *path)
{
    TIFF *file = TIFFOpen(path, "r");
    bool good = file;
    do {
        uint16_t unit = 0;
        float across = 0, down = 0;
        good = good && TIFFGetField(file, TIFFTAG_RESOLUTIONUNIT, &unit) &&
               TIFFGetField(file, TIFFTAG_XRESOLUTION, &across) &&
               TIFFGetField(file, TIFFTAG_YRESOLUTION, &down) && across == down &&
               fabs(across / (unit == RESUNIT_NONE ? 1e3 : 1e7) * 377 - 1) < 1e-6;
    } while (good && TIFFReadDirectory(file));
    if (file)
        TIFFClose(file);
    return good;
}

// ImageJ and QuPath show a scale where a file says how large its pixels are.
static void test_pixel_size(void)
{
    char path[400];
    int files = 0, silent = 0;
    shell("find $PWD/p/data/processed -name '*.tif' > list.txt");
    FILE *list = fopen(in("list.txt"), "r");
    for (; list && fscanf(list, "%399s", path) == 1; files++)
        if (!says_377_nm(path) && !silent++)
            printf("# %s does not say it\n", path);
    if (list)
        fclose(list);
    ok(files > 50 && !silent, "%d of %d files do not say how large a pixel is", silent, files);
}

// The microscope is not described: the usual one is taken, and that is said.
static void test_unstated(void)
{
    shell("sed -i '/numerical_aperture/d; /z_step_size/d' p/meta/experiment.json");
    ok(tool("deconv p --cycle 1 --channels 1 --iterations 2") == 0 &&
           shell("grep -q 'does not state z_step_size (taken to be 1500 nm), numerical_aperture "
                 "(taken to be 0.75): the PSF' out.txt p/data/processed/qc/decon_cyc01.json") == 0,
       "an aperture and a plane distance that nobody has stated are told");
    ok(tool("deconv p --cycle 1 --channels 1 --iterations 2 --na 0.75") == 0 &&
           shell("grep -q 'state z_step_size (taken to be 1500 nm): the PSF' out.txt") == 0,
       "an option states one of them");
    ok(tool("info p") == 0 &&
           shell("grep -q 'pixel 377 nm, plane distance 1500 nm (not stated), NA "
                 "0.75 (not stated)$' out.txt") == 0,
       "and info tells what is stated from what is not");
}

// The stages compare what they have brought together.
static void test_compared(void)
{
    ok(shell(
           "grep -Eq '\"(reference_)?detail\": *[01][.]' "
           "p/data/processed/qc/registration_planes.json "
           "&& grep -q '\"least_light\": *[01][.]' p/data/processed/qc/registration_planes.json && "
           "grep -q '\"blank_shift_px\"' p/data/processed/qc/isolate.json") == 0,
       "the reports say how sharp a cycle is, how light, and where the blank lies");
}

int main(void)
{
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    tool_two_cycles("192x256");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        test_stage(stages[i].verb, stages[i].results, stages[i].little);
    test_compared();
    test_pixel_size();
    test_unstated();
    return tool_done();
}
