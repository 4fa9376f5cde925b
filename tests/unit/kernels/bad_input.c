// SPDX-License-Identifier: MIT
// What the tool does with files that are not as they should be. A file of another form but with the
// same pixels gives the same result; everything else is refused in one sentence that names the
// file, with exit status 1, no sentinel and no half-written file.
#include "grey_page.h"
#include "kintsugi.h"
#include "tool.h"

#include <math.h>
#include <tiffio.h>

#define TILE  "p/data/raw/cyc001_reg001_phantom/1_00002_Z002_CH1.tif"
#define PLANE "p/data/processed/stitched/cyc01/CH1/02.tif"
#define SLICE "p/data/processed/deconvolved/cyc01/CH1/deconv_002.tif"
#define FOCUS "p/data/processed/edf/cyc01/DAPI-01.tif"
#define CYCLE "p/data/processed/registered/cyc01/DAPI-01.tif"

static struct kin_image good; /* the pixels of the file that is replaced */

/* ---- writing TIFFs of many forms ------------------------------------------------------------- */

struct form {
    const char *name, *mode; /* of TIFFOpen */
    int compression, tile, samples, bits, format, pages;
    double scale; /* of the pixels; 0: leave them */
    int crop;     /* columns left out */
};

static void set_fields(TIFF *f, const struct form *form, int w)
{
    TIFFSetField(f, TIFFTAG_IMAGEWIDTH, w);
    TIFFSetField(f, TIFFTAG_IMAGELENGTH, good.dims.y);
    TIFFSetField(f, TIFFTAG_BITSPERSAMPLE, form->bits ? form->bits : 16);
    TIFFSetField(f, TIFFTAG_SAMPLESPERPIXEL, form->samples ? form->samples : 1);
    TIFFSetField(f, TIFFTAG_SAMPLEFORMAT, form->format ? form->format : SAMPLEFORMAT_UINT);
    TIFFSetField(f, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(f, TIFFTAG_PHOTOMETRIC,
                 form->samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    if (form->compression)
        TIFFSetField(f, TIFFTAG_COMPRESSION, form->compression);
    if (form->tile) {
        TIFFSetField(f, TIFFTAG_TILEWIDTH, form->tile);
        TIFFSetField(f, TIFFTAG_TILELENGTH, form->tile);
    } else {
        TIFFSetField(f, TIFFTAG_ROWSPERSTRIP, 7);
    }
}

/* Sample i of a row in the form's type. */
static void put_sample(const struct form *form, uint8_t *row, int i, uint16_t v)
{
    double x = form->scale ? v * form->scale : v;
    if (form->format == SAMPLEFORMAT_IEEEFP)
        ((float *)(void *)row)[i] = (float)(i == 5 ? NAN : x);
    else if (form->bits == 8)
        row[i] = (uint8_t)(v >> 4);
    else
        ((uint16_t *)(void *)row)[i] = (uint16_t)(x > 65535 ? 65535 : x);
}

static void write_page(TIFF *f, const struct form *form)
{
    static uint8_t row[1 << 16];
    int w = good.dims.x - form->crop, samples = form->samples ? form->samples : 1;
    set_fields(f, form, w);
    for (int y = 0; y < good.dims.y; y += form->tile ? form->tile : 1) {
        if (!form->tile) {
            for (int i = 0; i < w * samples; i++)
                put_sample(form, row, i, kin_u16(&good)[y * good.dims.x + i / samples]);
            TIFFWriteScanline(f, row, (uint32_t)y, 0);
            continue;
        }
        for (int x = 0; x < w; x += form->tile) {
            memset(row, 0, sizeof row);
            for (int i = 0; i < form->tile * form->tile; i++) {
                int ty = y + i / form->tile, tx = x + i % form->tile;
                if (ty < good.dims.y && tx < w)
                    put_sample(form, row, i, kin_u16(&good)[ty * good.dims.x + tx]);
            }
            TIFFWriteTile(f, row, (uint32_t)x, (uint32_t)y, 0, 0);
        }
    }
}

static void write_form(const char *path, const struct form *form)
{
    TIFF *f = TIFFOpen(path, form->mode ? form->mode : "w");
    for (int page = 0; f && page < (form->pages ? form->pages : 1); page++) {
        write_page(f, form);
        TIFFWriteDirectory(f);
    }
    if (f)
        TIFFClose(f);
}

static const struct form fine[] = {
    {.name = "BigTIFF", .mode = "w8"},
    {.name = "big-endian", .mode = "wb"},
    {.name = "tiles", .tile = 32},
    {.name = "deflate", .compression = COMPRESSION_ADOBE_DEFLATE},
    {.name = "LZW", .compression = COMPRESSION_LZW},
    {.name = "zstd", .compression = COMPRESSION_ZSTD},
    {.name = "tiles with deflate", .compression = COMPRESSION_ADOBE_DEFLATE, .tile = 16},
};
static const struct form bad[] = {
    {.name = "RGB", .samples = 3},
    {.name = "two pages", .pages = 2},
    {.name = "8 bits", .bits = 8},
    {.name = "float with NaN", .bits = 32, .format = SAMPLEFORMAT_IEEEFP},
    {.name = "signed", .format = SAMPLEFORMAT_INT},
    {.name = "another size", .crop = 9},
};

/* ---- one file of a stage --------------------------------------------------------------------- */

struct stage { /* a stage and one of its inputs */
    const char *verb, *input, *results;
    bool any_size; /* nothing says how large the input has to be */
};

static bool refused(const struct stage *s, const char *what)
{
    int status = shell("timeout 60 %s %s --quiet --threads 2 --force >out.txt 2>&1",
                       getenv("KINTSUGI_IMAGE"), s->verb);
    read_output();
    const char *base = strrchr(s->input, '/') + 1;
    bool named = strstr(output, base) != NULL;
    ok(status == 1 && output_lines == 1 && named, "%s, %s: status %d: %s", s->verb, what, status,
       output);
    ok(access(in(s->results), F_OK) == 0 &&
           shell("! ls %s/.snakemake_complete 2>/dev/null", s->results) == 0 &&
           shell("! find p -name '*.part' | grep -q .") == 0,
       "%s, %s: no sentinel, nothing half-written", s->verb, what);
    return status == 1;
}

static void test_stage(const struct stage *s)
{
    struct kin_error err = {0};
    char verb[200];
    snprintf(verb, sizeof verb, "%s --quiet --threads 2", s->verb);
    if (!ok(kin_tiff_read(in(s->input), &good, &err), "%s is read %s", s->input, err.text))
        return;
    shell("cp %s kept.tif", s->input);
    ok(tool("%s", verb) == 0, "%s runs: %s", s->verb, output);
    shell("rm -rf first && cp -r %s first", s->results);
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        if (fine[i].compression && !TIFFIsCODECConfigured((uint16_t)fine[i].compression))
            continue;
        write_form(in(s->input), &fine[i]);
        int status = tool("%s", verb);
        ok(status == 0 &&
               shell("diff -rq -x .snakemake_complete -x '*.json' first %s", s->results) == 0,
           "%s, %s: the same bytes %s", s->verb, fine[i].name, output);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (bad[i].crop && s->any_size)
            continue;
        write_form(in(s->input), &bad[i]);
        refused(s, bad[i].name);
    }
    shell("head -c 3000 kept.tif >%s", s->input);
    refused(s, "cut off");
    shell(": >%s", s->input);
    refused(s, "empty");
    shell("head -c 3000 /dev/zero >%s", s->input);
    refused(s, "zeros");
    shell("rm %s", s->input);
    refused(s, "missing");
    shell("mkdir %s", s->input);
    refused(s, "a directory");
    shell("rmdir %s; mkfifo %s", s->input, s->input);
    refused(s, "a named pipe");
    shell("rm %s; cp kept.tif %s", s->input, s->input);
    ok(tool("%s", verb) == 0 &&
           shell("diff -rq -x .snakemake_complete -x '*.json' first %s", s->results) == 0,
       "%s with the good file again: the same bytes %s", s->verb, output);
    kin_image_free(&good);
}

/* ---- pixels that say nothing ----------------------------------------------------------------- */

/* All tiles of one value: there is nothing to align. */
static void test_flat(const char *what, int value)
{
    char command[300];
    shell("rm -rf q && cp -r p q && rm -rf q/data/processed");
    snprintf(command, sizeof command, "ls %s/q/data/raw/cyc001_reg001_phantom", dir);
    FILE *list = popen(command, "r");
    struct kin_error err = {0};
    struct kin_image image;
    char name[100], path[400];
    kin_image_alloc(&image, (struct kin_dims){1, 96, 112}, KIN_U16, &err);
    for (int i = 0; i < 96 * 112; i++)
        kin_u16(&image)[i] = (uint16_t)value;
    while (list && fscanf(list, "%99s", name) == 1) {
        snprintf(path, sizeof path, "%s/q/data/raw/cyc001_reg001_phantom/%s", dir, name);
        kin_tiff_write(path, &image, NULL, &err);
    }
    if (list)
        pclose(list);
    kin_image_free(&image);
    int status = tool("stitch q --cycle 1 --quiet --threads 2");
    ok(status == 1 && output_lines == 1, "%s tiles are refused: %s", what, output);
    ok(shell("! ls q/data/processed/stitched/cyc01/.snakemake_complete 2>/dev/null") == 0,
       "%s tiles: no sentinel", what);
}

/* One tile of one value among the others is told by name, and counted. */
static void test_dead_tile(void)
{
    const char *tile = "q/data/raw/cyc001_reg001_phantom/1_00002_Z002_CH1.tif";
    struct kin_error err = {0};
    struct kin_image image;
    shell("rm -rf q && cp -r p q && rm -rf q/data/processed");
    kin_image_alloc(&image, (struct kin_dims){1, 96, 112}, KIN_U16, &err);
    ok(kin_tiff_write(in(tile), &image, NULL, &err), "a tile is black %s", err.text);
    kin_image_free(&image);
    int status = tool("stitch q --cycle 1 --threads 2");
    ok(status == 0 &&
           shell("grep -q '1_00002_Z002_CH1.tif are the same' out.txt && "
                 "grep -q '\"one_value_tiles\": 1' q/data/processed/qc/stitch_cyc01.json") == 0,
       "one black tile is told by name and counted: status %d", status);
    ok(shell("rm q/data/processed/stitched/cyc01/CH1/01.tif") == 0 &&
           tool("stitch q --cycle 1 --quiet") == 0 &&
           shell("grep -q '\"one_value_tiles\": 1' q/data/processed/qc/stitch_cyc01.json") == 0,
       "it is counted again by a run that finds its plane there");
}

/* ---- files that say what they are ------------------------------------------------------------ */

static void write_psf(const char *description)
{
    float spot[25] = {[12] = 1};
    TIFF *f = TIFFOpen(in("psf.tif"), "w");
    for (int z = 0; z < 3; z++) {
        grey_page(f, 5, 5, 32);
        TIFFSetField(f, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
        TIFFSetField(f, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
        TIFFSetField(f, TIFFTAG_XRESOLUTION, 10.0);
        if (!z)
            TIFFSetField(f, TIFFTAG_IMAGEDESCRIPTION, description);
        TIFFWriteEncodedStrip(f, 0, spot, sizeof spot);
        TIFFWriteDirectory(f);
    }
    TIFFClose(f);
}

/* Another scale than that of the experiment is told; channels are not taken for planes. */
static void test_descriptions(void)
{
    struct kin_error err = {0};
    struct kin_tiff_options options = {.pixel_nm = 200};
    kin_tiff_read(in(TILE), &good, &err);
    kin_tiff_write(in("p/data/raw/cyc001_reg001_phantom/1_00001_Z001_CH1.tif"), &good, &options,
                   &err);
    kin_image_free(&good);
    const char *told = "a pixel is 200 nm by the file; 377 nm is taken, as experiment.json states";
    ok(tool("stitch p --cycle 1 --force") == 0 && shell("grep -q '%s' out.txt", told) == 0,
       "tiles with pixels of another size: %s", told);
    write_psf("ImageJ=1.54f\nchannels=3\nunit=micron\n");
    int status = tool("deconv p --cycle 1 --force --iterations 1 --psf psf.tif --quiet");
    ok(status == 1 && strstr(output, "3 channels, 1 planes and 1 moments"),
       "a PSF of three channels: status %d: %s", status, output);
    write_psf("ImageJ=1.54f\nslices=3\nunit=micron\nspacing=0.3\n");
    status = tool("deconv p --cycle 1 --force --iterations 1 --psf psf.tif");
    ok(status == 0 && shell("grep -q 'a pixel is 100 nm by the file' out.txt && "
                            "grep -q 'the distance of planes is 300 nm by' out.txt") == 0,
       "a PSF of another scale is told: status %d", status);
}

/* ---- nowhere to write ------------------------------------------------------------------------ */

static void test_output(const char *verb, const char *results)
{
    char parent[300];
    snprintf(parent, sizeof parent, "%s", results);
    shell("rm -rf kept && mv %s kept && : >%s", results, results);
    int status = tool("%s --quiet", verb);
    ok(status == 1 && output_lines == 1 && strstr(output, "cyc01"), "%s, a file is in the way: %s",
       verb, output);
    shell("rm %s", results);
    status = shell("ulimit -f 8; %s %s --quiet >out.txt 2>&1", getenv("KINTSUGI_IMAGE"), verb);
    read_output();
    ok(status == 1 && output_lines == 1 && strstr(output, "cyc01"), "%s, no room: status %d: %s",
       verb, status, output);
    ok(shell("! ls %s/.snakemake_complete 2>/dev/null", results) == 0 &&
           shell("! find p -name '*.part' | grep -q .") == 0,
       "%s, no room: no sentinel, nothing half-written", verb);
    ok(shell("cd %s && find . -name '*.tif' | while read f; do cmp -s $f ../../../../../kept/$f || "
             "exit 1; done",
             results) == 0,
       "%s, no room: what has a final name is whole", verb);
    ok(tool("%s --quiet", verb) == 0 &&
           shell("diff -rq -x .snakemake_complete -x '*.json' kept %s", results) == 0,
       "%s, with room again: the same bytes %s", verb, output);
}

/* Quality is measured from images, too: each bad one is named. */
static void test_quality(void)
{
    struct kin_error err = {0};
    if (!ok(kin_tiff_read(in(CYCLE), &good, &err), "%s is read %s", CYCLE, err.text))
        return;
    shell("cp %s kept.tif", CYCLE);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (bad[i].crop)
            continue; /* any size is measured */
        write_form(in(CYCLE), &bad[i]);
        int status = tool("qc p --pixels --quiet");
        ok(status == 1 && strstr(output, strrchr(CYCLE, '/') + 1), "qc, %s: status %d: %s",
           bad[i].name, status, output);
    }
    shell("head -c 3000 kept.tif >%s", CYCLE);
    ok(tool("qc p --pixels --quiet") == 1 && strstr(output, strrchr(CYCLE, '/') + 1),
       "qc, cut off: %s", output);
    shell("ln -sf nowhere %s", CYCLE);
    ok(tool("qc p --pixels --quiet") == 1 && strstr(output, strrchr(CYCLE, '/') + 1),
       "qc, a link to nothing: %s", output);
    shell("mv kept.tif %s", CYCLE);
    ok(tool("qc p --pixels --quiet") == 0, "qc, with the image back %s", output);
    kin_image_free(&good);
}

/* What is there but cannot be read is named; what is not there is only not compared. */
static void test_truth(void)
{
    static const char *const images[] = {SLICE, FOCUS, "p/truth/infocus_c01_ch1.tif",
                                         "p/data/processed/registered/transforms.json"};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        shell("mv %s kept && head -c 300 kept >%s", images[i], images[i]);
        int status = tool("qc p --truth");
        ok(status == 1 && output_lines == 1 && strstr(output, strrchr(images[i], '/') + 1),
           "truth, cut off: status %d: %s", status, output);
        shell("rm %s", images[i]);
        tool("qc p --truth");
        ok(output_lines > 5, "truth, %s is missing: %d lines", images[i], output_lines);
        shell("mv kept %s", images[i]);
    }
    const char *places = "p/data/processed/stitched/cyc01/CH1/positions.csv";
    shell("cp %s kept && sed 's/^2,.*/2,0/' kept >%s", places, places);
    int status = tool("qc p --truth");
    ok(status == 1 && output_lines == 1 && strstr(output, "positions.csv:3: no numbers for row"),
       "truth, a tile without a position: status %d: %s", status, output);
    shell("mv kept %s", places);
}

/* ---- damaged side files ---------------------------------------------------------------------- */

/* A canvas that is not the reference image's is no canvas: the cycles are measured again. */
static void test_maps(void)
{
    static const char *const canvas[] = {"0,", "7,", "100000,", "[],", "\"\","};
    const char *maps = "p/data/processed/registered/transforms.json";
    shell("cp %s maps && cp %s image", maps, CYCLE);
    for (int i = 0; i < 5; i++) {
        shell("sed '/\"canvas\"/,/]/s/^ *[0-9][0-9]*,/%s/' maps >%s; rm %s", canvas[i], maps,
              CYCLE);
        ok(shell("! cmp -s maps %s", maps) == 0, "canvas: [%s stands in it", canvas[i]);
        int status = tool("register p --quiet");
        ok(status == 0 && shell("cmp maps %s && cmp image %s", maps, CYCLE) == 0,
           "canvas: [%s status %d: %s", canvas[i], status, output);
    }
    shell("sed '/\"t\"/,/]/s/^ *[-0-9.e]*,/1e9,/' maps >%s; rm %s", maps, CYCLE);
    int status = tool("register p --quiet");
    ok(status == 1 && output_lines == 1 &&
           strstr(output, "transforms.json: cycle 1: \"t\" is (1e+09"),
       "a shift of 1e9 px: status %d: %s", status, output);
    status = tool("qc p --truth");
    ok(status == 1 && strstr(output, "transforms.json: cycle 1: \"t\" is (1e+09"),
       "truth, a shift of 1e9 px: status %d: %s", status, output);
    shell("cp maps %s && cp image %s", maps, CYCLE);
}

/* What another program, or damage, may put into a report: it is left out, or refused in one
 * sentence. */
static void test_reports(void)
{
    static const char *const bad[] = {
        "{\"stage\": \"decon\", \"cycle\": 1, \"channels\": [[[]], [1], 3, null, \"x\"]}",
        "{\"stage\": \"stitch\", \"cycle\": 1, \"planes\": [[1]], \"edges\": [[2]]}",
        "{\"stage\": \"registration\", \"cycles\": [[1, 2], {\"map\": [1]}]}",
        "[[1]]",
        "{\"stage\": \x1b[31m}",
        "{\"stage\":\x01\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FILE *file = fopen(in("p/data/processed/qc/zz.json"), "w");
        if (file) {
            fputs(bad[i], file);
            fclose(file);
        }
        int status = tool("qc p --quiet");
        bool plain = true;
        for (const char *c = output; *c; c++)
            plain = plain && (unsigned char)*c >= ' ';
        ok(status == (i >= 4) && plain && (!status || strstr(output, "zz.json")),
           "report %zu: status %d: %s", i, status, output);
    }
    shell("rm p/data/processed/qc/zz.json && mkfifo p/data/processed/qc/zz.json");
    int status = shell("timeout 60 %s qc p --quiet >out.txt 2>&1", getenv("KINTSUGI_IMAGE"));
    read_output();
    ok(status == 1 && strstr(output, "zz.json"), "a named pipe as report: status %d: %s", status,
       output);
    shell("rm p/data/processed/qc/zz.json");
}

int main(void)
{
    static const struct stage stages[] = {
        {"stitch p --cycle 1", TILE, "p/data/processed/stitched/cyc01", false},
        {"deconv p --cycle 1 --iterations 2", PLANE, "p/data/processed/deconvolved/cyc01", false},
        {"edof p --cycle 1", SLICE, "p/data/processed/edf/cyc01", false},
        {"register p", FOCUS, "p/data/processed/registered", true},
        {"isolate p", CYCLE, "p/data/processed/signal_isolated", true},
    };
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    ok(tool("phantom p --grid 2x2 --tile 96x112 --planes 5 --channels 1 --cycles 1 --difficulty 1 "
            "--quiet") == 0,
       "a phantom is made");
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        test_stage(&stages[i]);
    test_quality();
    test_truth();
    test_maps();
    test_reports();
    for (size_t i = 0; i < 3; i++)
        test_output(stages[i].verb, stages[i].results);
    test_dead_tile();
    test_descriptions();
    test_flat("constant", 500);
    test_flat("saturated", 65535);
    return tool_done();
}
