// SPDX-License-Identifier: MIT
// Options as users give them: values that make no sense are refused with a sentence that names
// them, the order in which tiles were taken changes no pixel by more than 1 ADU, nor does the
// compression of what is written change any.
#include "tool.h"

#include "kintsugi.h"

#include <math.h>

static const struct {
    const char *line;
    int status;
    const char *says; // somewhere in the first line; NULL: nothing is asked of it
} lines[] = {
    {"stitch p --overlap nan", 2, "--overlap nan"},
    {"stitch p --overlap -0.1", 2, "--overlap -0.1"},
    {"stitch p --search inf", 2, "--search inf"},
    {"stitch p --search -1", 2, "between 0 and 0.5"},
    {"stitch p --ncc-threshold 2", 2, "between -1 and 1"},
    {"stitch p --flat-min 0", 2, "--flat-min 0"},
    {"stitch p --camera-offset -5", 2, "between 0 and 65535"},
    {"stitch p --camera-offset 1e9", 2, "between 0 and 65535"},
    {"stitch p --seam-threshold -1", 2, "--seam-threshold -1"},
    {"stitch p --threads -3", 2, "between 0 and 1024"},
    {"stitch p --threads 100000", 2, "between 0 and 1024"},
    {"stitch p --memory 0", 2, "--memory 0"},
    {"stitch p --memory -5", 2, "--memory -5"},
    {"stitch p --channels 1,1", 1, "channel 1 is named twice"},
    {"stitch p --channels 0", 1, "channel 0"},
    {"stitch p --channels 2-1", 2, "1,3,5-8"},
    {"stitch p --channels ''", 2, "1,3,5-8"},
    {"stitch p --cycle 1.5", 2, "--cycle 1.5"},
    {"stitch p --cycle 99999999999", 2, "--cycle 99999999999"},
    {"stitch p --blend mixed", 2, "--blend mixed: must be one of ramp|bands (--help"},
    {"stitch p --model-plane 9", 1, "--model-plane 9"},
    {"stitch p --positions p", 1, "p: "},
    {"stitch p --positions nowhere.csv", 1, "nowhere.csv: No such file"},
    {"deconv p --offset -5", 2, "between 0 and 65535"},
    {"deconv p --na -1", 2, "--na -1"},
    {"deconv p --immersion-ri -1", 2, "--immersion-ri -1"},
    {"deconv p --smooth 1e6", 2, "between -1 and 100"},
    {"deconv p --slit 0 --psf-model lsdeconv", 2, "--slit 0"},
    {"deconv p --gain nan", 2, "--gain nan"},
    {"deconv p --iterations -1", 2, "--iterations -1: must be between 0 and 500"},
    {"deconv p --stop 100", 2, "--stop 100: must be between 0 and 99"},
    {"deconv p --tv 0.2", 2, "--tv 0.2: must be between 0 and 0.1"},
    {"deconv p --damping 1", 2, "--damping 1: must be between 0 and 0.5"},
    {"deconv p --channels 1,1", 1, "channel 1 is named twice"},
    {"edof p --max-zero 2", 2, "between 0 and 1"},
    {"edof p --radius 101", 2, "--radius 101: must be between 0 and 100"},
    {"edof p --sigma -1", 2, "--sigma -1: must be between 0 and 500"},
    {"edof p --min-planes 0", 2, "--min-planes 0: must be between 1 and 512"},
    {"edof p --z-offsets 0", 2, "--z-offsets 0: only with --share-z"},
    {"edof p --share-z --z-offsets x", 2, "--z-offsets x: must be numbers of planes"},
    {"edof p --share-z --z-offsets nan", 2, "--z-offsets nan"},
    {"edof p --share-z --z-offsets 0,1", 1, "the experiment has 1 channels"},
    {"edof p --share-z --z-offsets 50", 1, "--z-offsets 50: the experiment has "},
    {"register p --min-ncc 2", 2, "between -1 and 1"},
    {"register p --field-limit -1", 2, "--field-limit -1"},
    {"register p --max-shift 9", 2, "between 0 and 1"},
    {"register p --compression gzip", 2, "lzw"},
    {"register p --nonrigid maybe", 2, "auto|on|off"},
    {"edof p --mode best", 2, "focus|clij2"},
    {"edof nowhere --input raw", 2, "deconvolved|stitched"},
    {"deconv p --psf-model gauss", 2, "--psf-model gauss"},
    {"deconv p --device gpus", 2, "auto|cpu|gpu"},
    {"isolate p --region 9", 2, "--region 9"},
    {"isolate p --max-scale inf", 2, "--max-scale inf"},
    {"isolate p --blank Nothing", 1, "no channel has that name"},
    {"isolate p --exposures nowhere.csv", 1, "nowhere.csv: No such file"},
    {"isolate p --exposures p/meta/CHANNELNAMES.txt", 1, "no exposure times of cycle 1"},
    {"qc p --stage sorting", 2, "--stage sorting"},
    {"deconv p --iteratons 3", 2, "no option --iteratons; did you mean --iterations?"},
    {"stitch p --thrads=3", 2, "no option --thrads; did you mean --threads?"},
    {"stitch p --iterations 3", 2, "no option --iterations (--help lists the options)"},
    {"stitch nowhere", 1,
     "nowhere/meta/experiment.json: No such file or directory: is nowhere the folder of a "
     "project?"},
    {"sttich p", 2, "no verb 'sttich'; did you mean stitch? (--help lists the verbs)"},
    {"frob p", 2, "no verb 'frob' (--help lists the verbs)"},
    {"qc p --threads -1", 2, "between 0 and 1024"},
    {"qc p --gate=yes", 2, "takes no value"},
};

static void test_lines(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int status = tool("%s --quiet", lines[i].line);
        ok(status == lines[i].status && strstr(output, lines[i].says) && output_lines == 1,
           "%s: status %d, %s", lines[i].line, status, output);
    }
}

static void test_help(void)
{
    ok(!tool("stitch --help") && !shell("grep -qE -- '--positions FILE +take' out.txt") &&
           !shell("grep -q -- '--blend ramp|bands ' out.txt") &&
           !shell("grep -qE -- '--search X .*at least' out.txt"),
       "the help names what an option takes: a file, one of several words, a number");
}

static void test_phantom(void)
{
    ok(tool("phantom new --overlap 2 --quiet") == 2 && shell("test -e new") == 1,
       "a phantom that is refused leaves no folder");
    shell("mkdir -p own/meta rawonly/data/raw && echo mine >own/meta/experiment.json");
    ok(tool("phantom own --quiet") == 1 &&
           strstr(output, "own: there is a meta/experiment.json that no phantom made"),
       "%s", output);
    ok(shell("grep -q mine own/meta/experiment.json && ! test -e own/truth") == 0,
       "and nothing of it is touched");
    ok(tool("phantom rawonly --quiet") == 1 && strstr(output, "a data/raw that no phantom made"),
       "%s", output);
    const char *small = "--tile 32x32 --grid 1x1 --planes 1 --cycles 1 --quiet";
    ok(!tool("phantom own %s --force", small) && !tool("phantom own %s", small),
       "unless that is meant; again is fine");
    ok(!tool("phantom large --tile 32x32 --grid 2x2 --planes 2 --cycles 2 --channels 2 --quiet") &&
           shell("touch -d '8 days ago' large/truth/flat_ch1.tif.1-2.part && "
                 "touch large/meta/notes.tif") == 0 &&
           !tool("phantom large %s", small) && !tool("phantom alone %s", small) &&
           shell("rm large/meta/notes.tif && diff -r large alone") == 0,
       "nothing is left of a larger phantom in its place, or of a killed one %s", output);
}

/* ---- scan orders ----------------------------------------------------------------------------- */

enum { ROWS = 2, COLS = 3 };

// Where the k-th tile of an order lies: lines of tiles, one after the other, from a corner.
static void place(int k, bool raster, bool by_column, const char *start, int *row, int *col)
{
    int length = by_column ? ROWS : COLS, line = k / length, at = k % length;
    if (!raster && line % 2)
        at = length - 1 - at;
    *row = by_column ? at : line;
    *col = by_column ? line : at;
    if (strstr(start, "bottom"))
        *row = ROWS - 1 - *row;
    if (strstr(start, "right"))
        *col = COLS - 1 - *col;
}

// The tiles of p, which are numbered as a snake from the top left, under the numbers of another
// order.
static int renumber(bool raster, bool by_column, const char *start)
{
    int failed = shell(
        "rm -rf o && mkdir -p o/data/raw/cyc001 o/meta && sed -e 's/\"scan\": .*/\"scan\": "
        "\"%s\",/' "
        "-e 's/\"scan_axis\": .*/\"scan_axis\": \"%s\",/' -e 's/\"scan_start\": .*/\"scan_start\": "
        "\"%s\",/' p/meta/experiment.json >o/meta/experiment.json",
        raster ? "raster" : "snake", by_column ? "column" : "row", start);
    for (int k = 0; k < ROWS * COLS; k++) {
        int row, col;
        place(k, raster, by_column, start, &row, &col);
        int from = row * COLS + (row % 2 ? COLS - 1 - col : col);
        failed |= shell("ln p/data/raw/*/1_%05d_Z001_CH1.tif o/data/raw/cyc001/1_%05d_Z001_CH1.tif",
                        from + 1, k + 1);
    }
    return failed;
}

// The largest difference between two mosaics, ADU; tiles are added in the order of their numbers,
// and sums of floats depend on that. -1: they cannot be compared.
static int off_by(const char *a, const char *b)
{
    struct kin_image x = {0}, y = {0};
    bool good = kin_tiff_read(in(a), &x, NULL) && kin_tiff_read(in(b), &y, NULL);
    good = good && x.dims.y == y.dims.y && x.dims.x == y.dims.x;
    int worst = good ? 0 : -1;
    for (size_t i = 0; good && i < kin_count(x.dims); i++) {
        int off = abs(kin_u16(&x)[i] - kin_u16(&y)[i]);
        worst = off > worst ? off : worst;
    }
    kin_image_free(&x);
    kin_image_free(&y);
    return worst;
}

static void test_orders(void)
{
    static const char *const starts[] = {"top-left", "top-right", "bottom-left", "bottom-right"};
    const char *how =
        "--quiet --illumination none --camera-offset 150 --ignore-dark --placement whole";
    ok(tool("phantom p --grid %dx%d --tile 128x160 --planes 1 --channels 1 --cycles 1 --difficulty "
            "1 --quiet "
            "--no-truth-images",
            ROWS, COLS) == 0 &&
           tool("stitch p %s", how) == 0 &&
           shell("mv p/data/processed/stitched/cyc01/CH1/01.tif right.tif") == 0,
       "a mosaic of %d x %d tiles %s", ROWS, COLS, output);
    for (int i = 0; i < 16; i++) {
        bool raster = i & 1, by_column = i & 2;
        const char *start = starts[i / 4];
        int status = renumber(raster, by_column, start);
        status = status ? status : tool("stitch o %s", how);
        int off = status ? -1 : off_by("right.tif", "o/data/processed/stitched/cyc01/CH1/01.tif");
        ok(off >= 0 && off <= 1, "%s by %s from the %s: the same mosaic to %d ADU %s",
           raster ? "raster" : "snake", by_column ? "column" : "row", start, off, output);
    }
    ok(renumber(true, false, "top-left") == 0 &&
           shell("sed -i 's/\"raster\"/\"Raster\"/' o/meta/experiment.json") == 0 &&
           tool("stitch o %s", how) == 1 &&
           strstr(output, "\"Raster\": must be one of snake|raster"),
       "an order that is none: %s", output);
    ok(tool("stitch p %s --blend bands", how) == 0 &&
           shell("cmp -s right.tif p/data/processed/stitched/cyc01/CH1/01.tif") == 1,
       "bands blend otherwise than ramps %s", output);
    ok(shell("cp p/meta/experiment.json right.json && "
             "sed -e 's/\"scan_start\": .*/\"scan_start\": \"top-right\",/' right.json "
             ">p/meta/experiment.json") == 0 &&
           tool("stitch p %s --force", how) == 1 &&
           strstr(output, "fit if meta/experiment.json says \"scan\": \"snake\", \"scan_axis\": "
                          "\"row\", \"scan_start\": \"top-left\""),
       "a wrong order is told with the right one: %s", output);
    shell("mv right.json p/meta/experiment.json");
    ok(tool("phantom four --grid 2x2 --tile 96x128 --planes 3 --channels 1 --cycles 1 --seed 3 "
            "--difficulty 1 --quiet --no-truth-images") == 0 &&
           shell("sed -i 's/top-left/top-right/' four/meta/experiment.json") == 0 &&
           tool("stitch four --cycle 1") == 0 &&
           shell("grep -q 'no circle of overlaps closes.*; 4 fit if .*top-left' out.txt") == 0,
       "so it is where four tiles are too few to refuse it");
}

/* ---- compression ----------------------------------------------------------------------------- */

static void test_compression(void)
{
    static const char *const words[] = {"none", "deflate", "zstd", "lzw"};
    struct kin_image first = {0}, image = {0};
    struct kin_error err = {0};
    ok(tool("phantom c --grid 1x2 --tile 192x256 --planes 3 --channels 1 --cycles 2 --difficulty 1 "
            "--quiet "
            "--no-truth-images") == 0 &&
           tool("stitch c --cycle 1 --quiet") == 0 && tool("stitch c --cycle 2 --quiet") == 0 &&
           tool("edof c --cycle 1 --input stitched --quiet") == 0 &&
           tool("edof c --cycle 2 --input stitched --quiet") == 0,
       "two cycles are ready to be registered %s", output);
    for (int i = 0; i < 4; i++) {
        kin_image_free(&image);
        bool good = tool("register c --quiet --force --compression %s", words[i]) == 0 &&
                    kin_tiff_read(in("c/data/processed/registered/registered.ome.tif"),
                                  i ? &image : &first, &err);
        ok(good && (!i || (kin_count(image.dims) == kin_count(first.dims) &&
                           !memcmp(image.data, first.data, 2 * kin_count(first.dims)))),
           "registered.ome.tif with %s: the same pixels %s%s", words[i], err.text, output);
    }
    kin_image_free(&image);
    kin_image_free(&first);
    ok(shell("sed -i 's/\"xy_pixel_size\": [0-9.]*/\"xy_pixel_size\": 512/' "
             "c/meta/experiment.json") == 0 &&
           tool("register c --quiet --compression lzw") == 0 &&
           shell("grep -qa 'PhysicalSizeX=\"0.512\"' "
                 "c/data/processed/registered/registered.ome.tif") == 0,
       "another pixel size comes into its metadata %s", output);
    ok(shell("sed -i 's/\"n_cycles\": 2/\"n_cycles\": 1/' c/meta/experiment.json") == 0 &&
           tool("register c --quiet --compression lzw --force") == 0 &&
           shell("sed -i 's/\"n_cycles\": 1/\"n_cycles\": 2/' c/meta/experiment.json") == 0 &&
           tool("register c --quiet --compression lzw") == 0 &&
           shell("grep -q '\"cycle\": 2' c/data/processed/registered/transforms.json") == 0,
       "a cycle that the experiment did not name before is registered, too %s", output);
    ok(shell(
           "sed 's/\"z_step_size\": [0-9.]*/\"z_step_size\": 1e6/' -i.kept c/meta/experiment.json; "
           "timeout 20 %s deconv c --device cpu --threads 1 --quiet >out.txt "
           "2>&1; "
           "s=$?; mv c/meta/experiment.json.kept c/meta/experiment.json; exit $s",
           getenv("KINTSUGI_IMAGE")) == 1 &&
           shell("grep -q 'pixels is too wide for an image of' out.txt") == 0,
       "a PSF that is far too wide is refused before it is computed");
    ok(shell("echo '{' >c/data/processed/edf/cyc01/.CH1.json") == 0 &&
           tool("edof c --cycle 1 --input stitched --quiet") == 0 &&
           shell("grep -q planes c/data/processed/edf/cyc01/.CH1.json") == 0,
       "a damaged report of a finished channel is made again, with the channel: %s", output);
}

// What only another PSF depends on.
static void test_without_effect(void)
{
    static const char *const told[][2] = {
        {"--depth 5000", "--depth and --sample-ri have no effect with debye"},
        {"--slit 3 --psf-model gibson-lanni",
         "--slit and --focal have no effect with gibson-lanni"},
        {"--sample-ri 1.4 --psf c/data/processed/deconvolved/cyc01/CH1/psf.tif",
         "a PSF that is read from a file"},
        {"--depth 5000 --psf-model gibson-lanni", NULL},
        {"", NULL}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        ok(tool("deconv c --cycle 1 --iterations 1 --device cpu %s", told[i][0]) == 0 &&
               (told[i][1] ? strstr(output, told[i][1]) != NULL : !strstr(output, "no effect")),
           "deconv %s: %s", told[i][0], told[i][1] ? told[i][1] : "nothing to say");
}

/* ---- where ----------------------------------------------------------------------------------- */

static bool write_plane(const char *name, int h, int w, enum kin_type type, float last)
{
    struct kin_image image;
    struct kin_error err = {0};
    bool good = kin_image_alloc(&image, (struct kin_dims){1, h, w}, type, &err);
    for (int i = 0; good && i < h * w; i++) {
        if (type == KIN_F32)
            kin_f32(&image)[i] = i + 1 == h * w ? last : (float)(i % 97) * fminf(last / 97, 1);
        else
            kin_u16(&image)[i] = (uint16_t)(i + 1 == h * w ? last : i % 97);
    }
    good = good && kin_tiff_write(in(name), &image, NULL, &err);
    kin_image_free(&image);
    return good;
}

static bool write_stack(int planes, int size, enum kin_type type, float last)
{
    bool good = true;
    for (int z = 1; z <= planes; z++) {
        char name[100];
        snprintf(name, sizeof name, "w/data/processed/stitched/cyc01/CH1/%02d.tif", z);
        good = good && write_plane(name, size, size, type, last);
    }
    return good;
}

static void says(const char *line, const char *what)
{
    ok(tool("%s --quiet", line) == 1 && strstr(output, what) && output_lines == 1, "%s: %s", line,
       output);
}

// What is found deep inside of a stage, where no file is known, is said with its place and what may
// be done.
static void test_places(void)
{
    ok(shell("mkdir -p w/meta w/data/raw w/data/processed/stitched/cyc01/CH1 "
             "w/data/processed/edf/cyc01 "
             "w/data/processed/registered/cyc01 && cd w/meta && echo '{\"tile_rows\": 1, "
             "\"tile_cols\": 1, "
             "\"n_cycles\": 1, \"channels_per_cycle\": 1, \"n_zplanes\": 3}' >experiment.json") ==
           0,
       "a project without anything");
    says("deconv w",
         "CH1/01.tif: No such file or directory (has `kintsugi-image stitch --cycle 1` run?)");
    says("edof w",
         "deconv_001.tif: No such file or directory (has `kintsugi-image deconv --cycle 1` run?)");
    says("register w",
         "CH1_edf.tif: No such file or directory (has `kintsugi-image edof --cycle 1` run?)");
    says("isolate w",
         "CH1_edf.tif: No such file or directory (has `kintsugi-image register` run?)");
    shell("echo Blank >w/meta/CHANNELNAMES.txt");
    says("isolate w",
         "every channel is a blank, by its name in meta/CHANNELNAMES.txt or by --blank");
    shell("echo CD3 >>w/meta/CHANNELNAMES.txt");
    ok(tool("edof w") == 1 && strstr(output, "CHANNELNAMES.txt has 2 names, not 1 (1 cycles of 1 "),
       "names of more channels: %s", output);
    shell("rm w/meta/CHANNELNAMES.txt");
    says("qc w", "w: nothing to judge: no stage has run yet");
    says("qc w --stage decon", "w: nothing to judge: no cycle of decon has run yet");
    ok(access(in("w/data/processed/qc/.decon_complete"), F_OK) != 0, "and no sentinel");
    ok(write_stack(3, 90, KIN_F32, INFINITY), "planes that are not finite");
    says("deconv w",
         "w/data/processed/stitched/cyc01/CH1: plane 1 holds values that are not finite");
    says("edof w --input stitched",
         "w/data/processed/stitched/cyc01/CH1: its planes must hold 16-bit samples");
    ok(write_stack(3, 90, KIN_F32, 0.25f), "planes of floats that are not ADU");
    says("deconv w", "w/data/processed/stitched/cyc01/CH1: its largest sample is 0.25 above the");
    ok(write_stack(3, 20, KIN_U16, 0), "small planes");
    says("deconv w", "w/data/processed/stitched/cyc01/CH1: a PSF of ");
    ok(write_stack(3, 90, KIN_U16, 65535) &&
           write_plane("w/data/processed/edf/cyc01/CH1_edf.tif", 9, 9, KIN_U16, 0),
       "planes");
    says("edof w --input stitched --min-planes 4", "w/data/processed/stitched/cyc01/CH1: 3 planes: "
                                                   "between 4 and 512 are needed (--min-planes)");
    says("register w",
         "w/data/processed/edf/cyc01/CH1_edf.tif: registration needs at least 64 x 64 pixels");
    ok(shell("sed -i 's/\"n_zplanes\": 3/\"n_zplanes\": 2/' w/meta/experiment.json") == 0,
       "two planes");
    says("deconv w", "w/data/processed/stitched/cyc01/CH1: deconvolution needs at least 3 planes, "
                     "not 2; to go on without it, "
                     "call edof with --input stitched --min-planes 2");
    ok(tool("edof w --quiet --input stitched --min-planes 2") == 0, "and so it does %s", output);
}

// Tissue that goes on beyond the stack: --keep-ends is named only where it would change something.
static void test_ends(void)
{
    ok(tool("phantom thin --cycles 2 --channels 2 --planes 3 --tile 200x220 --difficulty 1 "
            "--no-truth-images --quiet") == 0 &&
           tool("stitch thin --quiet") == 0 && tool("deconv thin --quiet") == 0 &&
           tool("edof thin --quiet") == 0 &&
           shell("grep -q 'beyond the stack?\"' thin/data/processed/qc/edf_cyc01.json") == 0,
       "a stack of three planes, which are all used %s", output);
}

int main(void)
{
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    test_orders();
    test_lines();
    test_help();
    test_phantom();
    test_compression();
    test_without_effect();
    test_places();
    test_ends();
    return tool_done();
}
