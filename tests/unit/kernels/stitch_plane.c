// SPDX-License-Identifier: MIT
// Planes of a mosaic: the same bits however they are cut into bands and windows, in no more memory
// than was said; a card that refuses memory gets smaller windows. The same positions however many
// tiles are held.
#include "stitch/cut.h"
#include "stitch/plane.h"
#include "tool.h"

#include <malloc.h>
#include <math.h>
#include <unistd.h>

enum { ROWS = 3, COLS = 6, TILES = ROWS * COLS, H = 60, W = 90, N = H * W };

static struct device *dev;
static struct raw_cycle raw;
static float dark[N], gain[N], scale[TILES], shift[TILES];
static struct stitch_place places[TILES];
static struct stitch_model model = {.tiles = TILES, .places = places};

static uint32_t mix(uint32_t v)
{
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    v *= 0x846ca68bu;
    return v ^ v >> 16;
}

static double some(uint32_t k, double most)
{
    return most * mix(k) / 4294967296.0;
}

static struct stitch_params params_of(bool two_bands, bool whole)
{
    return (struct stitch_params){.scan = {ROWS, COLS, false, true, false, false},
                                  .tile_h = H,
                                  .tile_w = W,
                                  .overlap = 0.3,
                                  .two_bands = two_bands,
                                  .whole_pixels = whole};
}

/* Tiles cut from noise, all but one. They are taken to lie between pixels. */
static bool make_tiles(void)
{
    static uint16_t pixels[N];
    struct kin_image image = {{1, H, W}, KIN_U16, pixels};
    struct kin_error err = {0};
    bool good = mkdtemp(dir) != NULL;
    for (int k = 0; good && k < TILES; k++) {
        char path[200];
        snprintf(path, sizeof path, "%s/1_%05d_Z001_CH1.tif", dir, k + 1);
        int y = (int)(k / COLS * 0.7 * H + some((uint32_t)k, 5)),
            x = (int)(k % COLS * 0.7 * W + some((uint32_t)k + 77, 5));
        for (int i = 0; i < N; i++)
            pixels[i] = (uint16_t)(mix((uint32_t)((y + i / W) * 4099 + x + i % W)) >> 16);
        good = k == 4 || kin_tiff_write(path, &image, NULL, &err);
        places[k].y = y + some((uint32_t)k + 377, 1);
        places[k].x = x + some((uint32_t)k + 477, 1);
        scale[k] = (float)(0.8 + some((uint32_t)k + 177, 0.4));
        shift[k] = (float)some((uint32_t)k + 277, 100);
    }
    for (int i = 0; i < N; i++) {
        dark[i] = 100;
        gain[i] = 1 + 0.3f * (float)(i % W) / W;
    }
    return good && raw_open(dir, &raw, &err);
}

struct made {
    struct kin_image mosaic, cover;
};

static void made_free(struct made *m)
{
    kin_image_free(&m->mosaic);
    kin_image_free(&m->cover);
}

/* Makes the plane and reads what was written. */
static bool make(struct device *on, const struct stitch_params *p, bool levels, struct made *m,
                 struct kin_error *err)
{
    char path[200], cover[200];
    struct stitch_source source = {&raw, H, W, KIN_U16};
    struct stitch_correction correction = {dark, gain, levels ? scale : NULL,
                                           levels ? shift : NULL};
    struct stitch_output out = {.path = path, .cover = cover};
    snprintf(path, sizeof path, "%s/mosaic.tif", dir);
    snprintf(cover, sizeof cover, "%s/cover.tif", dir);
    *m = (struct made){0};
    return stitch_plane(on, p, &model, &source, 1, 1, &correction, &out, err) &&
           kin_tiff_read(path, &m->mosaic, err) && kin_tiff_read(cover, &m->cover, err);
}

static bool same(const struct made *a, const struct made *b)
{
    size_t n = kin_count(a->mosaic.dims);
    return kin_count(b->mosaic.dims) == n && !memcmp(a->mosaic.data, b->mosaic.data, 2 * n) &&
           !memcmp(a->cover.data, b->cover.data, n);
}

/* ---- host memory ----------------------------------------------------------------------------- */

/* The plane in less and less memory, down to the least that is said to do. */
static void test_limits(bool two_bands, bool whole, bool levels)
{
    struct stitch_params p = params_of(two_bands, whole);
    struct stitch_cutting what = {&p, &model, levels, 0};
    struct made all = {0}, some = {0};
    struct kin_error err = {0};
    stitch_canvas(&p, &model);
    bool good = make(dev, &p, levels, &all, &err);
    struct stitch_cut cut = stitch_cut_least(&what);
    size_t least = cut.on_device + cut.on_host;
    int tried = 0, windows = 0;
    for (size_t memory = 1 << 20; good && tried < 20 && memory >= least; tried++) {
        p.memory = memory;
        good = stitch_cut_choose(&what, &cut, &err) && cut.on_device + cut.on_host <= memory;
        windows += cut.width < model.canvas_w;
        good = good && make(dev, &p, levels, &some, &err) && same(&all, &some);
        memory = memory > least && memory * 7 / 8 < least ? least : memory * 7 / 8;
        made_free(&some);
    }
    ok(good && windows > 1 && windows < tried,
       "two bands %d, whole pixels %d, levels %d: the same in %d sizes of memory, %d of them by "
       "windows %s",
       two_bands, whole, levels, tried, windows, err.text);
    p.memory = least - 1;
    ok(!make(dev, &p, levels, &some, &err) && err.code == KIN_MEMORY &&
           strstr(err.text, "at least 1 MB"),
       "in less: %s", err.text);
    made_free(&some);
    made_free(&all);
}

/* What a larger window needs, a smaller one never exceeds; taller bands read less. */
static void test_cuts(void)
{
    struct stitch_params p = params_of(false, false);
    struct stitch_cutting what = {&p, &model, false, 0};
    struct stitch_cut whole, cut, last = {.reads = 1 << 20};
    struct kin_error err = {0};
    bool good = stitch_cut_choose(&what, &whole, &err);
    ok(good && whole.width == model.canvas_w && whole.rows == 256 && whole.reads == TILES,
       "without a limit there is one window, and each tile is read once");
    what.card = whole.on_device * 2 / 5;
    for (p.memory = 1 << 17; good && p.memory < 1 << 22; p.memory *= 2) {
        if (!stitch_cut_choose(&what, &cut, &err))
            continue;
        good = cut.on_device <= what.card && cut.on_host <= p.memory && cut.reads <= last.reads;
        last = cut;
    }
    ok(good && last.reads == TILES && last.rows >= model.canvas_h,
       "on a card that is short of memory, bands as tall as the host has room for");
    what.card = stitch_cut_least(&what).on_device - 1;
    err = (struct kin_error){0};
    ok(!stitch_cut_choose(&what, &cut, &err) && strstr(err.text, "of the card"), "in less: %s",
       err.text);
}

/* ---- memory that is freed -------------------------------------------------------------------- */

#if defined M_MMAP_THRESHOLD && !defined __SANITIZE_ADDRESS__
static long resident_mb(void)
{
    long pages = 0, all;
    FILE *from = fopen("/proc/self/statm", "r");
    if (!from || fscanf(from, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (from)
        fclose(from);
    return pages * sysconf(_SC_PAGESIZE) >> 20;
}

/* Blocks of a tile's size, all but the last freed. */
static void use_blocks(void)
{
    enum { BLOCKS = 40, SIZE = 3 << 20 };
    void *block[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        block[i] = kin_reserve(SIZE);
        memset(block[i], 1, SIZE);
    }
    for (int i = 0; i + 1 < BLOCKS; i++)
        free(block[i]);
}

static void test_freed(void)
{
    long before = resident_mb(), kept, left;
    free(kin_reserve(16 << 20)); /* from now on the C library keeps blocks of less */
    use_blocks();
    kept = resident_mb() - before;
    kin_return_blocks();
    left = resident_mb() - before;
    ok(kept > 100 && left < 20,
       "what is free goes back where memory is short: %ld MB were kept, %ld are left", kept, left);
}
#else
static void test_freed(void) {}
#endif

static void test_short_memory(void)
{
    struct stitch_params p = params_of(false, false);
    struct stitch_cutting what = {&p, &model, false, 0};
    struct stitch_cut cut;
    struct kin_error err = {0};
    bool good = stitch_cut_choose(&what, &cut, &err);
    size_t need = cut.on_device + cut.on_host;
    ok(good && !stitch_cut_is_tight(&what, &cut), "without a limit memory is not short");
    p.memory = 3 * need;
    ok(!stitch_cut_is_tight(&what, &cut), "nor with three times what is needed");
    p.memory = need + need / 2;
    ok(stitch_cut_is_tight(&what, &cut), "but with half as much again");
}

/* ---- a card that refuses --------------------------------------------------------------------- */

static size_t room, taken, peak;

static void *card_alloc(struct device *d, size_t bytes)
{
    char *memory = taken + bytes <= room ? kin_reserve(bytes + 64) : NULL;
    if (!memory) {
        device_fail(d, KIN_MEMORY, "no room");
        return NULL;
    }
    *(size_t *)(void *)memory = bytes;
    taken += bytes;
    peak = taken > peak ? taken : peak;
    return memory + 64;
}

static void card_release(struct device *d, void *buffer)
{
    char *memory = buffer ? (char *)buffer - 64 : NULL;
    taken -= memory ? *(size_t *)(void *)memory : 0;
    free(memory);
}

/* The CPU as a card of so much memory, which believes that it has `memory`. */
static struct device card_of(size_t memory, size_t really)
{
    struct device card = *dev;
    card.kind = DEVICE_GPU;
    card.memory = memory;
    card.alloc = card_alloc;
    card.release = card_release;
    room = really;
    taken = peak = 0;
    return card;
}

static void test_card(bool two_bands)
{
    struct stitch_params p = params_of(two_bands, false);
    struct stitch_cutting what = {&p, &model, true, 0};
    struct made all = {0}, some = {0};
    struct kin_error err = {0};
    stitch_canvas(&p, &model);
    size_t least = stitch_cut_least(&what).on_device;
    struct device card = card_of((size_t)1 << 30, (size_t)1 << 30);
    bool good = make(&card, &p, true, &all, &err);
    size_t most = peak;
    card = card_of(least, least);
    good = good && make(&card, &p, true, &some, &err) && same(&all, &some) && !taken;
    ok(good,
       "a card with the least memory: the same pixels in %zu kB; all tiles under a band: %zu kB %s",
       peak >> 10, most >> 10, err.text);
    made_free(&some);
    int refused = 0;
    for (size_t really = most; good && really >= least; really -= most / 16) {
        card = card_of((size_t)1 << 30, really);
        good = make(&card, &p, true, &some, &err) && same(&all, &some) && !taken &&
               device_ok(&card, &err);
        made_free(&some);
        refused++;
    }
    ok(good && refused > 5,
       "a card that refuses memory in the middle of a band: the same pixels, %d times %s", refused,
       err.text);
    card = card_of((size_t)1 << 30, least / 2);
    ok(!make(&card, &p, true, &some, &err) && err.code == KIN_MEMORY && !taken,
       "one that has too little ends the stage: %s", err.text);
    made_free(&some);
    made_free(&all);
}

/* ---- tiles that are read again --------------------------------------------------------------- */

/* Fits positions with as many tiles in memory as it has room for. */
static bool fit(size_t memory, struct stitch_model *fitted, struct kin_error *err)
{
    struct stitch_params p = params_of(false, false);
    struct stitch_source source = {&raw, H, W, KIN_U16};
    struct stitch_look look = {&source, TILES, 1, 1, dark, gain};
    struct stitch_store *store = stitch_store_open(&look, memory, 2, err);
    struct stitch_tiles tiles = stitch_store_tiles(store);
    bool good = store && stitch_model_fit(dev, &p, &tiles, fitted, err);
    stitch_store_free(store);
    return good;
}

static void test_store(void)
{
    struct stitch_model all = {0}, some = {0};
    struct kin_error err = {0};
    bool good = fit(0, &all, &err);
    ok(good && all.accepted >= 20, "positions from %d of %d overlaps %s", all.accepted,
       all.edge_count, err.text);
    for (size_t tiles = 1; good && tiles < 40; tiles += 6) {
        good = fit(tiles * N * sizeof(uint16_t), &some, &err) &&
               some.ncc_median == all.ncc_median && some.residual_rms == all.residual_rms;
        for (int k = 0; good && k < TILES; k++)
            good = some.places[k].y == all.places[k].y && some.places[k].x == all.places[k].x;
        stitch_model_free(&some);
    }
    ok(good, "the same with few of the tiles in memory %s", err.text);
    stitch_model_free(&all);
}

int main(void)
{
    struct kin_error err = {0};
    dev = device_open(DEVICE_CPU, 0, &err);
    if (!dev || !make_tiles())
        return 1;
    test_freed(); /* first: memory is short from then on */
    test_short_memory();
    test_limits(false, false, false);
    test_limits(true, false, true);
    test_limits(false, true, true);
    test_cuts();
    test_card(false);
    test_card(true);
    test_store();
    ok(device_ok(dev, &err), "the device reports no failure %s", err.text);
    raw_free(&raw);
    device_close(dev);
    return tool_done();
}
