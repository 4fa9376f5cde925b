// SPDX-License-Identifier: MIT
// Stitching: positions against real mosaics with known answers, scan orders, rejected edges, and
// the blend (bit exact without overlap, the same for any band).
#include "illum/illum.h"
#include "shared.h"
#include "stitch/stitch.h"
#include "stitch/unlike.h"
#include "test.h"

#include <math.h>

static struct device *dev;

enum { MOST = 64 };

static bool fit(const struct stitch_params *p, const uint16_t *const *data,
                struct stitch_model *model, struct kin_error *err)
{
    struct stitch_tiles tiles = stitch_tiles_in_memory(data);
    return stitch_model_fit(dev, p, &tiles, model, err);
}

static void free_tiles(struct kin_image *tiles, int n)
{
    for (int k = 0; k < n; k++)
        kin_image_free(&tiles[k]);
}

/* Tiles of a set of files as uint16. */
static bool read_tiles(const char *format, int n, struct kin_image *tiles)
{
    for (int k = 0; k < n; k++) {
        char name[200];
        struct kin_error err = {0};
        snprintf(name, sizeof name, format, k + 1);
        const char *path = shared_path(name);
        tiles[k] = (struct kin_image){0};
        if (!path || !kin_tiff_read(path, &tiles[k], &err)) {
            free_tiles(tiles, k);
            return false;
        }
        if (tiles[k].type == KIN_U8) {
            struct kin_image wide;
            kin_image_alloc(&wide, tiles[k].dims, KIN_U16, NULL);
            for (size_t i = 0; i < kin_count(wide.dims); i++)
                kin_u16(&wide)[i] = kin_u8(&tiles[k])[i];
            kin_image_free(&tiles[k]);
            tiles[k] = wide;
        }
    }
    return true;
}

static void test_scan(void)
{
    struct {
        struct stitch_scan scan;
        const char *want;
    } cases[] = {
        {{2, 3, false, false, false, false}, "00 01 02 12 11 10 "},
        {{2, 3, false, true, false, false}, "00 01 02 10 11 12 "},
        {{2, 3, true, false, false, false}, "00 10 11 01 02 12 "},
        {{2, 3, false, false, true, false}, "02 01 00 10 11 12 "},
        {{2, 3, true, true, true, true}, "12 02 11 01 10 00 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[100] = "";
        bool back = true;
        for (int k = 0; k < 6; k++) {
            int row, col;
            stitch_place(&cases[i].scan, k, &row, &col);
            sprintf(got + strlen(got), "%d%d ", row, col);
            back = back && stitch_tile_at(&cases[i].scan, row, col) == k;
        }
        is(got, cases[i].want, "tiles are taken in that order");
        ok(back && stitch_tile_at(&cases[i].scan, 2, 0) < 0 &&
               stitch_tile_at(&cases[i].scan, 0, 3) < 0 &&
               stitch_tile_at(&cases[i].scan, -1, 0) < 0 &&
               stitch_tile_at(&cases[i].scan, 0, -1) < 0,
           "and found again by their places");
    }
}

/* 25 crops of one image: the positions are known to the pixel, NIST's own mosaic misses two. */
static void test_mist(void)
{
    struct kin_image tiles[25];
    const uint16_t *data[25];
    struct kin_error err = {0};
    struct stitch_model model;
    if (!read_tiles("mist_5x5/ImageName_t01_p%02d.tif", 25, tiles)) {
        skip("no shared data (KINTSUGI_SHARED_DATA)");
        return;
    }
    for (int k = 0; k < 25; k++)
        data[k] = kin_u16(&tiles[k]);
    struct stitch_params p = {{5, 5, true, true, false, false}, 183, 245, 0.06, 0, 0, 0};
    ok(fit(&p, data, &model, &err), "the NIST mosaic is solved (%s)", err.text);
    FILE *file = fopen(shared_path("mist_5x5/true_positions.csv"), "r");
    char line[200];
    int right = 0, seen = 0;
    while (file && fgets(line, sizeof line, file)) {
        int tile, row, col, y, x;
        if (sscanf(line, "ImageName_t01_p%d.tif,%d,%d,%d,%d", &tile, &row, &col, &y, &x) != 5)
            continue;
        seen++;
        right += lrint(model.places[tile - 1].y) == y && lrint(model.places[tile - 1].x) == x;
    }
    if (file)
        fclose(file);
    ok(seen == 25 && right == 25, "%d of %d tiles stand exactly where they were cut", right, seen);
    ok(model.residual_rms < 0.1, "edges agree to %.3f px", model.residual_rms);
    stitch_model_free(&model);
    free_tiles(tiles, 25);
}

/* Takes the shading out of tiles, as the stage does before it looks for their positions. */
static void correct(struct kin_image *tiles, int n)
{
    static struct illum_fit fit;
    struct kin_image flat, gain;
    struct kin_error err = {0};
    struct illum_params params = {.dark = 0, .reweights = 3};
    struct kin_dims d = tiles[0].dims;
    float *thumbs = malloc((size_t)n * ILLUM_PIXELS * sizeof *thumbs);
    for (int k = 0; k < n; k++)
        illum_thumbnail(kin_u16(&tiles[k]), KIN_U16, d.y, d.x, thumbs + (size_t)k * ILLUM_PIXELS);
    bool good = illum_fit(dev, thumbs, n, &params, &fit, &err);
    ok(good && fit.method == ILLUM_BASIC, "the shading of %d tiles is fitted", n);
    illum_expand(fit.flat, d.y, d.x, &flat, &err);
    illum_gain(&flat, 0.1f, &gain, &err);
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < kin_count(d); i++)
            kin_u16(&tiles[k])[i] = kin_round_u16(kin_u16(&tiles[k])[i] * kin_f32(&gain)[i]);
    kin_image_free(&flat);
    kin_image_free(&gain);
    free(thumbs);
}

static void blend(const struct stitch_model *m, const struct stitch_params *p,
                  const uint16_t *const *data, int band, uint16_t *canvas, uint8_t *cover)
{
    struct mosaic_tile tiles[MOST];
    float wy[1024], wx[1024];
    stitch_ramp(wy, p->tile_h, p->overlap);
    stitch_ramp(wx, p->tile_w, p->overlap);
    struct mosaic_look look = {p->tile_h, p->tile_w, NULL, NULL, wy, wx};
    for (int k = 0; k < m->tiles; k++)
        tiles[k] = (struct mosaic_tile){
            .data = data[k], .y = (int)rint(m->places[k].y), .x = (int)rint(m->places[k].x)};
    struct mosaic mosaic = {m->canvas_w, tiles, m->tiles, &look};
    for (int y = 0; y < m->canvas_h; y += band) {
        int rows = y + band < m->canvas_h ? band : m->canvas_h - y;
        size_t at = (size_t)y * (size_t)m->canvas_w;
        dev->mosaic_rows(dev, canvas + at, cover + at, &mosaic, y, rows);
    }
}

/* Finds the seams of a mosaic that comes in bands. */
static bool measure_seams(struct stitch_model *m, const struct stitch_params *p,
                          const uint16_t *mosaic, int band)
{
    struct kin_error err = {0};
    struct stitch_seams *seams = stitch_seams_new(m, p, &err);
    for (int y = 0; seams && y < m->canvas_h; y += band)
        stitch_seams_rows(seams, mosaic + (size_t)y * (size_t)m->canvas_w,
                          y + band < m->canvas_h ? band : m->canvas_h - y);
    return stitch_seams_end(seams, m, &err);
}

/* The median sharpness of the seams of the mosaic that a model gives. */
static double brain_seams(struct stitch_model *m, const struct stitch_params *p,
                          const uint16_t *const *data)
{
    m->canvas_w += 8;
    size_t n = (size_t)m->canvas_h * (size_t)m->canvas_w;
    uint16_t *canvas = calloc(n, sizeof *canvas);
    uint8_t *cover = calloc(n, 1);
    blend(m, p, data, m->canvas_h, canvas, cover);
    measure_seams(m, p, canvas, 256);
    m->canvas_w -= 8;
    free(canvas);
    free(cover);
    return m->seam_median;
}

static void test_brain(void)
{
    struct kin_image tiles[63];
    const uint16_t *data[63];
    struct kin_error err = {0};
    struct stitch_model model;
    if (!read_tiles("brain_wsi63/C3-BrainSection%04d.tif", 63, tiles)) {
        skip("no shared data (KINTSUGI_SHARED_DATA)");
        return;
    }
    correct(tiles, 63);
    for (int k = 0; k < 63; k++)
        data[k] = kin_u16(&tiles[k]);
    struct stitch_params p = {{7, 9, false, false, true, false}, 512, 512, 0.1, 0, 0, 0};
    ok(fit(&p, data, &model, &err), "a real 7 x 9 mosaic is solved (%s)", err.text);
    ok(model.accepted >= 70, "%d of %d edges are accepted", model.accepted, model.edge_count);
    ok(model.residual_rms <= 1.0, "edges agree to %.2f px", model.residual_rms);
    ok(model.ncc_median >= 0.735, "the median overlap correlates by %.3f", model.ncc_median);
    ok(!model.unlike && model.faulty[STITCH_SOUND] == 63,
       "no tile is taken for another's (%d overlaps unlike)", model.unlike);
    double right = brain_seams(&model, &p, data);
    for (int k = 0; k < 63; k += 2)
        model.places[k].x += 5;
    double wrong = brain_seams(&model, &p, data);
    ok(right > 0.45 && wrong < 0.35,
       "its seams are sharp (%.2f); with every other tile misplaced they are not (%.2f)", right,
       wrong);
    stitch_model_free(&model);
    p.scan = (struct stitch_scan){9, 7, false, false, true, false};
    bool solved = fit(&p, data, &model, &err);
    ok(!solved && 4 * model.accepted < model.edge_count,
       "as 9 x 7 it is refused: %d of %d overlaps fit", model.accepted, model.edge_count);
    stitch_model_free(&model);
    free_tiles(tiles, 63);
}

/* Nine tiles that only touch: the mosaic is the image they were cut from. */
static void test_touching(void)
{
    struct kin_image tiles[9], want;
    const uint16_t *data[9];
    struct kin_error err = {0};
    struct stitch_model model;
    if (!read_tiles("cytokit_random_shapes/raw/T%02d_C01.tif", 9, tiles)) {
        skip("no shared data (KINTSUGI_SHARED_DATA)");
        return;
    }
    for (int k = 0; k < 9; k++)
        data[k] = kin_u16(&tiles[k]);
    struct stitch_params p = {{3, 3, false, true, false, false}, 135, 180, 0, 0, 0, 0};
    ok(fit(&p, data, &model, &err) && model.canvas_h == 405 && model.canvas_w == 540,
       "tiles that touch take their nominal places");
    uint16_t *canvas = calloc(405 * 540, sizeof *canvas);
    uint8_t *cover = calloc(405 * 540, 1);
    blend(&model, &p, data, 64, canvas, cover);
    bool same = kin_tiff_read(
                    shared_path("cytokit_random_shapes/validation/original_shapes_image.tif"),
                    &want, &err) &&
                kin_count(want.dims) >= 405 * 540;
    for (int i = 0; same && i < 405 * 540; i++)
        same = cover[i] == 255 &&
               canvas[i] == (want.type == KIN_U8 ? kin_u8(&want)[i] : kin_u16(&want)[i]);
    ok(same, "and give the original bit for bit (%s)", err.text);
    kin_image_free(&want);
    free(canvas);
    free(cover);
    stitch_model_free(&model);
    free_tiles(tiles, 9);
}

/* ---- a made image ---------------------------------------------------------------------------- */

static uint32_t mix(uint32_t v)
{
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    v *= 0x846ca68bu;
    return v ^ v >> 16;
}

/* Blobs on a lattice, different everywhere. */
static uint16_t pixel(int y, int x)
{
    double v = 100;
    for (int gy = y / 12 - 1; gy <= y / 12 + 1; gy++) {
        for (int gx = x / 12 - 1; gx <= x / 12 + 1; gx++) {
            uint32_t r = mix((uint32_t)(gy * 4099 + gx));
            double dy = y - gy * 12 - (r & 15) * 0.7, dx = x - gx * 12 - (r >> 4 & 15) * 0.7;
            v += (r >> 8 & 1023) * exp(-(dy * dy + dx * dx) / 12);
        }
    }
    return (uint16_t)v;
}

/* 3 x 3 crops of the made image, 80 x 100, with known offsets. */
static void make_tiles(struct kin_image *tiles, const uint16_t **data, int (*at)[2])
{
    for (int k = 0; k < 9; k++) {
        int row = k / 3, col = row % 2 ? 2 - k % 3 : k % 3;
        at[k][0] = row * 56 + (int)(mix((uint32_t)k) % 7);
        at[k][1] = col * 70 + (int)(mix((uint32_t)k + 99) % 7);
        kin_image_alloc(&tiles[k], (struct kin_dims){1, 80, 100}, KIN_U16, NULL);
        for (int i = 0; i < 80 * 100; i++)
            kin_u16(&tiles[k])[i] = pixel(at[k][0] + i / 100, at[k][1] + i % 100);
        data[k] = kin_u16(&tiles[k]);
    }
}

static bool exact(const struct stitch_model *m, int (*at)[2], int tile)
{
    int y0 = 1 << 20, x0 = 1 << 20;
    for (int k = 0; k < 9; k++) {
        y0 = at[k][0] < y0 ? at[k][0] : y0;
        x0 = at[k][1] < x0 ? at[k][1] : x0;
    }
    return lrint(m->places[tile].y) == at[tile][0] - y0 &&
           lrint(m->places[tile].x) == at[tile][1] - x0;
}

static void test_made(void)
{
    struct kin_image tiles[9];
    const uint16_t *data[9];
    int at[9][2], right = 0;
    struct kin_error err = {0};
    struct stitch_model model;
    make_tiles(tiles, data, at);
    struct stitch_params p = {{3, 3, false, false, false, false}, 80, 100, 0.3, 0, 0, 0};
    ok(fit(&p, data, &model, &err), "a made mosaic is solved (%s)", err.text);
    for (int k = 0; k < 9; k++)
        right += exact(&model, at, k);
    ok(right == 9, "%d of 9 tiles stand where they were cut", right);
    ok(model.accepted == 12 && model.ncc_median > 0.999, "all edges are accepted (%d, %.4f)",
       model.accepted, model.ncc_median);
    size_t n = (size_t)model.canvas_h * (size_t)model.canvas_w;
    uint16_t *one = calloc(n, sizeof *one), *two = calloc(n, sizeof *two);
    uint8_t *cover = calloc(n, 1);
    blend(&model, &p, data, model.canvas_h, one, cover);
    blend(&model, &p, data, 17, two, cover);
    ok(!memcmp(one, two, n * sizeof *one), "the same pixels for any band");
    bool same = true;
    int y0 = at[0][0] - (int)lrint(model.places[0].y),
        x0 = at[0][1] - (int)lrint(model.places[0].x);
    for (size_t i = 0; i < n; i++) {
        int y = (int)(i / (size_t)model.canvas_w), x = (int)(i % (size_t)model.canvas_w);
        same = same && (cover[i] ? one[i] == pixel(y + y0, x + x0) : one[i] == 0);
    }
    ok(same, "the mosaic is the image, and 0 where no tile is");
    struct stitch_edge edges[12];
    bool measured = measure_seams(&model, &p, one, model.canvas_h);
    memcpy(edges, model.edges, sizeof edges);
    ok(measured && measure_seams(&model, &p, one, 17) && !memcmp(edges, model.edges, sizeof edges),
       "the same seams for any band");
    ok(model.seam_median > 0.9 && model.seam_median < 1.1,
       "perfect seams are as sharp as what lies beside (%.3f)", model.seam_median);
    stitch_model_free(&model);
    for (int k = 0; k < 9; k++)
        data[k] = k == 4 ? NULL : data[k];
    ok(fit(&p, data, &model, &err), "without the middle tile it is solved too");
    right = 0;
    for (int k = 0; k < 9; k++)
        right += k != 4 && exact(&model, at, k);
    ok(right == 8, "and %d of 8 tiles stand right", right);
    stitch_model_free(&model);
    memset(tiles[4].data, 0, 80 * 100 * 2);
    for (int k = 0; k < 9; k++)
        data[k] = kin_u16(&tiles[4]);
    for (int i = 0; i < 80 * 100; i++)
        kin_u16(&tiles[4])[i] = (uint16_t)(300 + mix((uint32_t)i) % 40);
    ok(!fit(&p, data, &model, &err) && strstr(err.text, "12 of them show nothing but noise"),
       "empty tiles: %s", err.text);
    stitch_model_free(&model);
    free(one);
    free(two);
    free(cover);
    free_tiles(tiles, 9);
}

/* An overlap that is not what was stated: what is found of it tells where to look for the rest. */
static void test_misstated(void)
{
    static const double stated[] = {0.12, 0.16, 0.2, 0.4, 0.44, 0.48};
    struct kin_image tiles[9];
    const uint16_t *data[9];
    int at[9][2];
    make_tiles(tiles, data, at);
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
        struct stitch_params p = {{3, 3, false, false, false, false}, 80, 100, stated[i], 0, 0, 0};
        struct kin_error err = {0};
        struct stitch_model model;
        int right = 0;
        bool good = fit(&p, data, &model, &err);
        for (int k = 0; good && k < 9; k++)
            right += exact(&model, at, k);
        ok(right == 9, "an overlap of 30 %% that is stated as %g %%: %d of 9 tiles stand right %s",
           stated[i] * 100, right, err.text);
        stitch_model_free(&model);
    }
    free_tiles(tiles, 9);
}

/* Tiles in an order that is not theirs: what correlates by accident must not pass for an
 * overlap. */
static void test_wrong_order(void)
{
    static const struct stitch_scan wrong[] = {{3, 3, false, true},
                                               {3, 3, true},
                                               {3, 3, false, false, true},
                                               {3, 3, false, false, false, true},
                                               {9, 1}};
    struct kin_image tiles[9];
    const uint16_t *data[9];
    int at[9][2];
    make_tiles(tiles, data, at);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct stitch_params p = {wrong[i], 80, 100, 0.3, 0, 0, 0};
        struct kin_error err = {0};
        struct stitch_model model;
        ok(!fit(&p, data, &model, &err) && err.code == KIN_INPUT, "order %zu: %s", i, err.text);
        stitch_model_free(&model);
    }
    free_tiles(tiles, 9);
}

/* ---- tiles that are not what they should be -------------------------------------------------- */

static void mirror(uint16_t *tile, int h, int w)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w / 2; x++) {
            uint16_t *row = tile + (size_t)y * (size_t)w, kept = row[x];
            row[x] = row[w - 1 - x];
            row[w - 1 - x] = kept;
        }
}

/* Which fault each of nine tiles has, as digits; *unlike: how many edges are. */
static const char *faults_of(const uint16_t *const *data, int *unlike)
{
    static char text[10];
    struct stitch_params p = {{3, 3, false, false, false, false}, 80, 100, 0.3, 0, 0, 0};
    struct kin_error err = {0};
    struct stitch_model model;
    fit(&p, data, &model, &err);
    for (int k = 0; k < model.tiles; k++)
        text[k] = (char)('0' + model.places[k].fault);
    *unlike = model.unlike;
    stitch_model_free(&model);
    return text;
}

/* Means of 5 x 5 pixels. */
static void blur(uint16_t *tile, int h, int w)
{
    uint16_t *sharp = malloc((size_t)h * (size_t)w * sizeof *sharp);
    memcpy(sharp, tile, (size_t)h * (size_t)w * sizeof *sharp);
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++) {
            int sum = 0;
            for (int i = 0; i < 25; i++)
                sum += sharp[(y + i / 5 - 2) * w + x + i % 5 - 2];
            tile[y * w + x] = (uint16_t)(sum / 25);
        }
    free(sharp);
}

static void change_tile(uint16_t *tile, int what)
{
    if (what == 0)
        mirror(tile, 80, 100);
    for (int i = 0; i < 80 * 100 && what > 0 && what < 3; i++)
        tile[i] = (uint16_t)(what == 1 ? tile[i] / 3 : 2 * tile[i]);
    for (int i = 0; i < 12 && what == 3; i++)
        blur(tile, 80, 100);
    if (what == 4) {
        memset(tile, 1, 80 * 100 * sizeof *tile);
        tile[80 * 100 / 2] = 60000;
    }
}

/* Tile 5 has three neighbours. */
static void test_faults(void)
{
    static const struct {
        const char *what, *faults;
    } changes[] = {{"mirrored", "000001000"},
                   {"taken with a third of the light", "000002000"},
                   {"taken with twice the light", "000002000"},
                   {"blurred", "000003000"},
                   {"empty but for a hot pixel", "000000000"}};
    struct kin_image tiles[9];
    const uint16_t *data[9];
    int at[9][2], unlike;
    make_tiles(tiles, data, at);
    is(faults_of(data, &unlike), "000000000", "tiles that fit are sound");
    ok(!unlike, "and no overlap of them is unlike");
    for (int i = 0; i < 2; i++) {
        data[5] = kin_u16(&tiles[i ? 4 : 0]);
        is(faults_of(data, &unlike), "000001000", "a copy of another tile is foreign");
        ok(unlike >= 2, "%d of its overlaps are unlike", unlike);
    }
    data[5] = kin_u16(&tiles[5]);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct kin_image kept;
        kin_image_alloc(&kept, tiles[5].dims, KIN_U16, NULL);
        memcpy(kept.data, tiles[5].data, 80 * 100 * sizeof(uint16_t));
        change_tile(kin_u16(&tiles[5]), (int)i);
        is(faults_of(data, &unlike), changes[i].faults, changes[i].what);
        memcpy(tiles[5].data, kept.data, 80 * 100 * sizeof(uint16_t));
        kin_image_free(&kept);
    }
    free_tiles(tiles, 9);
}

/* What the diagonals have in common, against what was put in. */
static void test_structure(void)
{
    enum { H = 80, W = 100 };
    static uint16_t tile[H * W];
    for (int noise = 0; noise < 4; noise++) {
        double signal = 0, sum = 0, squares = 0;
        for (int i = 0; i < H * W; i++) {
            double v = pixel(i / W, i % W), n = (double)(mix((uint32_t)i) % 1000) - 499.5;
            sum += v;
            squares += v * v;
            tile[i] = (uint16_t)lrint(2000 + v + noise * n);
        }
        signal = squares / (H * W) - sum / (H * W) * (sum / (H * W));
        double share = signal / (signal + noise * noise * 1e6 / 12),
               found = unlike_look(tile, W, H, W).share;
        ok(found > 0.6 * share && found < 1.1 * share + 0.03,
           "noise of %d: the share of structure is %.3f, found %.3f", noise * 289, share, found);
    }
}

/* ---- a tile in which noise hides nearly all -----------------------------------------------------
 * */

/* The made image twice as large, 3 x 3 crops of 200 x 240; that of tile `faint` under a tenfold
 * noise. */
static void make_dim_tiles(struct kin_image *tiles, int (*at)[2], int faint)
{
    for (int k = 0; k < 9; k++) {
        int row = k / 3, col = row % 2 ? 2 - k % 3 : k % 3;
        at[k][0] = row * 140 + (int)(mix((uint32_t)k) % 9);
        at[k][1] = col * 168 + (int)(mix((uint32_t)k + 99) % 9);
        kin_image_alloc(&tiles[k], (struct kin_dims){1, 200, 240}, KIN_U16, NULL);
        for (int i = 0; i < 200 * 240; i++) {
            double v = pixel((at[k][0] + i / 240) / 2, (at[k][1] + i % 240) / 2);
            uint32_t noise = mix((uint32_t)i + (uint32_t)k * 7919) % 70;
            kin_u16(&tiles[k])[i] = (uint16_t)lrint(k == faint ? 100 + 0.01 * v + noise : v);
        }
    }
}

static void test_faint(void)
{
    enum { FAINT = 4 };
    struct kin_image tiles[9];
    const uint16_t *data[9];
    int at[9][2], found = 0;
    struct kin_error err = {0};
    struct stitch_model model;
    make_dim_tiles(tiles, at, FAINT);
    for (int k = 0; k < 9; k++)
        data[k] = kin_u16(&tiles[k]);
    struct stitch_params p = {{3, 3, false, false, false, false}, 200, 240, 0.3, 0, 0, 0};
    ok(fit(&p, data, &model, &err), "a mosaic with a dim tile is solved (%s)", err.text);
    for (int e = 0; e < model.edge_count; e++)
        found += model.edges[e].faint && model.edges[e].accepted;
    ok(found >= 2, "%d of the dim tile's overlaps are found below the noise", found);
    double y = model.places[FAINT].y - model.places[0].y - (at[FAINT][0] - at[0][0]),
           x = model.places[FAINT].x - model.places[0].x - (at[FAINT][1] - at[0][1]);
    ok(hypot(y, x) < 1, "it stands %.2f px from where it was cut", hypot(y, x));
    stitch_model_free(&model);
    free_tiles(tiles, 9);
}

/* ---- places between pixels ------------------------------------------------------------------- */

/* The made image anywhere: smooth enough for cubic interpolation. */
static double smooth(double y, double x)
{
    return 3000 + 800 * sin(0.31 * y + 0.1 * x) + 700 * cos(0.27 * x - 0.13 * y) +
           300 * sin(0.05 * y * x / 40);
}

enum { H = 60, W = 90, SHOWN_H = 100, SHOWN_W = 150 };

/* rms difference of a mosaic of 2 x 2 tiles, whose places lie between pixels, from the image. */
static double shown_error(bool whole, bool bands, float step)
{
    static const double at[4][2] = {{0, 0}, {0.37, 55.71}, {38.24, 0.55}, {38.81, 56.46}};
    static uint16_t raw[4][H * W], canvas[SHOWN_H * SHOWN_W];
    static float placed[4][2][H * W], ramp[H + W], dark[H * W], gain[H * W];
    struct mosaic_tile tiles[4];
    struct mosaic_look look = {H, W, dark, gain, ramp, ramp + H};
    double square = 0, n = 0;
    stitch_ramp(ramp, H, 0.35);
    stitch_ramp(ramp + H, W, 0.35);
    for (int i = 0; i < H * W; i++) {
        dark[i] = 100;
        gain[i] = 1 + 0.3f * (float)(i % W) / W;
    }
    for (int k = 0; k < 4; k++) {
        float dy, dx;
        int y = stitch_pixel(at[k][0], whole, &dy), x = stitch_pixel(at[k][1], whole, &dx);
        for (int i = 0; i < H * W; i++)
            raw[k][i] = (uint16_t)lrint(
                (smooth(at[k][0] + i / W, at[k][1] + i % W) + (k % 2 ? step : 0)) / gain[i] + 100);
        dev->tile_place(dev, placed[k][0], raw[k], &look, dy, dx);
        dev->gauss_xy(dev, placed[k][1], placed[k][0], (struct kin_dims){1, H, W}, 4);
        tiles[k] = (struct mosaic_tile){NULL, placed[k][0], bands ? placed[k][1] : NULL, y, x};
    }
    dev->mosaic_rows(dev, canvas, NULL, &(struct mosaic){SHOWN_W, tiles, 4, &look}, 0, SHOWN_H);
    for (int y = 2; y < SHOWN_H - 4; y++)
        for (int x = 2; x < SHOWN_W - 6; x++, n++)
            square += pow(canvas[y * SHOWN_W + x] - smooth(y, x) - step / 2, 2);
    return sqrt(square / n);
}

static void test_between(void)
{
    float f;
    ok(stitch_pixel(7.6, false, &f) == 7 && fabsf(f - 0.6f) < 1e-6f &&
           stitch_pixel(7.6, true, &f) == 8 && f == 0 && stitch_pixel(7.99, false, &f) == 8 &&
           f == 0,
       "a place between pixels is a pixel and a fraction");
    double fine = shown_error(false, false, 0), coarse = shown_error(true, false, 0),
           bands = shown_error(false, true, 0);
    ok(fine < 1.5 && coarse > 20 * fine,
       "tiles between pixels: rms %.2f ADU interpolated, %.2f at whole pixels", fine, coarse);
    ok(bands < 10 && bands < 0.2 * coarse,
       "the same with detail and smooth parts blended apart: %.2f", bands);
    double step = shown_error(false, true, 200), plain = shown_error(false, false, 200);
    ok(step < 1.2 * plain,
       "a step between tiles is spread as widely as by the ramp alone (%.1f, %.1f)", step, plain);
}

int main(void)
{
    struct kin_error err = {0};
    dev = device_open(DEVICE_CPU, 0, &err);
    if (!dev)
        return 1;
    test_scan();
    test_made();
    test_misstated();
    test_wrong_order();
    test_faults();
    test_structure();
    test_faint();
    test_mist();
    test_brain();
    test_touching();
    test_between();
    ok(device_ok(dev, &err), "the device reports no failure %s", err.text);
    device_close(dev);
    return done();
}
