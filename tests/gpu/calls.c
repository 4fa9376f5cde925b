// SPDX-License-Identifier: MIT
#include "calls.h"
#include "device/alm.h"
#include "device/domain.h"
#include "device/focus.h"
#include "device/tally.h"
#include "device/warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALM_SIDE = 128, ALM_IMAGES = 315, BLOCK = 128, PSF_Z = 17, PSF_XY = 21, BIN = 4, STACK = 3 };

static struct {
    struct device *dev;
    struct kin_dims volume, tall; /* tall: its planes below each other, as one */
    size_t n, all;                /* pixels of a plane of the volume, of all */
    float *a, *b, *c, *d;         /* (volume): random numbers of 50 to 60 */
    uint16_t *words, *out;        /* (volume) */
    uint8_t *bytes;               /* (volume) */
    float *complex;               /* spectrum of the volume */
    struct kin_dims stack;        /* STACK planes, nearly the volume's samples */
    float *depths;                /* (plane of the stack in bins): a slope through its planes */
    struct kin_dims bins;
    struct warp_grid field; /* up to a pixel, for an image of `tall` */
    float *host;            /* (volume) */
    struct fft_plan *fft;
    struct rl_plan *rl, *rl_planes; /* transforms by lines; by cuFFT */
    struct alm alm;
    double b_of[ALM_IMAGES];
    double sums[ALM_IMAGES][2];
    struct block_shape shape;
} s;

/* ---- the calls ------------------------------------------------------------------------------- */

static void copy(void)
{
    s.dev->copy(s.dev, s.b, s.a, s.all * 4);
}
static void upload(void)
{
    s.dev->upload(s.dev, s.out, s.host, s.all * 2);
}
static void download(void)
{
    s.dev->download(s.dev, s.host, s.words, s.all * 2);
}
static void zero(void)
{
    s.dev->zero(s.dev, s.c, s.all * 4);
}
static void u16_to_f32(void)
{
    s.dev->u16_to_f32(s.dev, s.c, s.words, s.all);
}
static void f32_to_u16(void)
{
    s.dev->f32_to_u16(s.dev, s.out, s.a, s.all);
}
static void sum(void)
{
    s.dev->sum(s.dev, s.a, s.all);
}
static void dot(void)
{
    s.dev->dot(s.dev, s.a, s.b, s.all);
}
void call_scale(void)
{
    s.dev->scale(s.dev, s.c, 1, s.all);
}
static void subtract(void)
{
    s.dev->subtract(s.dev, s.c, s.a, s.b, s.all);
}
static void gauss_small(void)
{
    s.dev->gauss_xy(s.dev, s.c, s.a, s.volume, 1);
}
static void gauss_wide(void)
{
    s.dev->gauss_xy(s.dev, s.c, s.a, s.volume, 8);
}
static void median5(void)
{
    s.dev->median5(s.dev, s.c, s.a, s.volume);
}
void call_forward(void)
{
    s.dev->fft_forward(s.dev, s.fft, s.a, s.complex);
}
void call_inverse(void)
{
    s.dev->fft_inverse(s.dev, s.fft, s.complex, s.c);
}
static void rl_load(void)
{
    s.dev->rl_load(s.dev, s.rl, s.a);
}
static void rl_ratio(void)
{
    s.dev->rl_ratio(s.dev, s.rl, s.a, 1);
}
static void rl_advance(void)
{
    s.dev->rl_advance(s.dev, s.rl, s.b, s.c, 0.5f, 0.5f);
}
static void rl_blur(void)
{
    s.dev->rl_blur(s.dev, s.rl, false);
}
void call_step(void)
{
    s.dev->rl_step(s.dev, s.rl, s.a, s.b, s.c, 1, 0.5f, 0.5f);
}
void call_step_planes(void)
{
    s.dev->rl_step(s.dev, s.rl_planes, s.a, s.b, s.c, 1, 0.5f, 0.5f);
}
static void rl_predict(void)
{
    s.dev->rl_predict(s.dev, s.c, s.a, s.b, 0.5f, s.all);
}
static void rl_regularise(void)
{
    s.dev->rl_regularise(s.dev, s.c, s.a, s.volume, 0.001f, 0.01f);
}

void call_step_apart(void)
{
    s.dev->rl_blur(s.dev, s.rl, false);
    s.dev->rl_ratio(s.dev, s.rl, s.a, 1);
    s.dev->rl_blur(s.dev, s.rl, true);
    s.dev->rl_advance(s.dev, s.rl, s.b, s.c, 0.5f, 0.5f);
}

static void domain_load(void)
{
    struct domain d = {.dims = s.volume, .volume = s.volume, .y = -8, .x = -8, .type = KIN_U16};
    d.band_rows = s.volume.y;
    s.dev->domain_load(s.dev, s.c, s.words, &d);
}

static void domain_keep(void)
{
    struct domain_core c = {.dims = s.volume, .volume = s.volume, .type = KIN_U16};
    c.rows = s.volume.y;
    c.cols = s.volume.x;
    s.dev->domain_keep(s.dev, s.out, (double(*)[2])s.d, s.a, &c);
}

static void focus_measure(void)
{
    s.dev->focus_measure(s.dev, s.c, s.d, s.words, s.tall, 3, 4, 60000);
}

static void focus_score(void)
{
    s.dev->focus_score(s.dev, s.c, s.a, s.b, 50, s.all);
}

static struct focus_planes used_planes(int count)
{
    struct focus_planes planes = {.count = count};
    for (int z = 0; z < planes.count; z++)
        planes.number[z] = z;
    return planes;
}

static void focus_peak(void)
{
    struct focus_planes planes = used_planes(s.volume.z);
    s.dev->focus_peak(s.dev, s.b, s.c, s.d, s.a, s.n, &planes, true);
}

static void focus_take(void)
{
    struct focus_planes planes = used_planes(STACK);
    struct focus_map map = {s.depths, s.bins, BIN, 0};
    struct focus_stack stack = {s.words, kin_count(s.stack) / STACK, s.stack.x, &planes};
    s.dev->focus_take(s.dev, s.out, s.c, &stack, &map, 0, s.stack.y);
}

static void warp_by(struct warp_grid grid)
{
    struct warp_map map = {.a = {1.001, 0.006, -0.006, 0.999},
                           .t = {3.3, -2.7},
                           .c = {s.tall.y / 2, s.tall.x / 2},
                           .grid = grid};
    struct image_rows all = {s.words, s.tall, 0, s.tall.y};
    s.dev->warp_u16(s.dev, s.out, s.bytes, &all, s.tall, 0, s.tall.y, &map);
}

static void warp_u16(void)
{
    warp_by((struct warp_grid){0});
}

static void warp_field(void)
{
    warp_by(s.field);
}

static void bin_u16(void)
{
    s.dev->bin_u16(s.dev, s.out, s.words, s.tall, 2);
}

/* Of a new plane: there is a row for each that is added. */
static void tally_add(void)
{
    struct tally *tally = s.dev->tally_new(s.dev, s.tall);
    if (tally)
        s.dev->tally_add(s.dev, tally, s.words, s.tall.y);
    s.dev->tally_free(s.dev, tally);
}

static struct mosaic_look look(void)
{
    return (struct mosaic_look){s.tall.y, s.tall.x, s.a, s.b, s.a, s.b};
}

static void tile_place(void)
{
    struct mosaic_look l = look();
    s.dev->tile_place(s.dev, s.c, s.words, &l, 0.3f, 0.6f);
}

/* Three tiles side by side, a third of each under the next. */
static void mosaic_rows(void)
{
    struct mosaic_look l = look();
    int third = s.tall.x / 3;
    struct mosaic_tile tiles[3] = {
        {NULL, s.a, NULL, 0, 0}, {NULL, s.b, NULL, 0, third}, {NULL, s.c, NULL, 0, -third}};
    s.dev->mosaic_rows(s.dev, s.out, s.bytes, &(struct mosaic){s.tall.x, tiles, 3, &l}, 0,
                       s.tall.y);
}

static void strip_cut(void)
{
    struct strip strip = {0, 0, s.tall.y, s.tall.x};
    s.dev->strip_cut(s.dev, s.c, s.words, s.tall.x, strip);
}

static void strip_taper(void)
{
    s.dev->strip_taper(s.dev, s.c, s.tall, s.a, s.b, s.tall.y, s.tall.x);
}
static void cross_power(void)
{
    s.dev->cross_power(s.dev, s.complex, s.a, s.all / 2);
}

static void overlap_sums(void)
{
    int64_t sums[6];
    s.dev->overlap_sums(s.dev, s.words, s.out, s.tall, 1, 2, sums);
}

static void block_cross(void)
{
    s.dev->block_cross(s.dev, s.complex, s.a, &s.shape, s.b, 0.8f, s.c, s.d);
}

static void alm_mean(void)
{
    s.dev->alm_mean(s.dev, s.c, &s.alm, NULL);
}
static void alm_step(void)
{
    s.dev->alm_step(s.dev, &s.alm, s.sums);
}

/* ---- the table ------------------------------------------------------------------------------- */

enum unit { VOLUME, STACKED, ALM, BLOCKS, TALLY };

static const struct row {
    struct call call;
    enum unit unit; /* what the bytes are counted for: a sample of this */
    double bytes;
} rows[] = {
    {{"copy", copy, 0, false}, VOLUME, 8},
    {{"upload", upload, 0, true}, VOLUME, 2},
    {{"download", download, 0, true}, VOLUME, 2},
    {{"zero", zero, 0, false}, VOLUME, 4},
    {{"u16_to_f32", u16_to_f32, 0, false}, VOLUME, 6},
    {{"f32_to_u16", f32_to_u16, 0, false}, VOLUME, 6},
    {{"sum", sum, 0, false}, VOLUME, 4},
    {{"dot", dot, 0, false}, VOLUME, 8},
    {{"scale", call_scale, 0, false}, VOLUME, 8},
    {{"subtract", subtract, 0, false}, VOLUME, 12},
    {{"gauss_xy, sigma 1", gauss_small, 0, false}, VOLUME, 16},
    {{"gauss_xy, sigma 8", gauss_wide, 0, false}, VOLUME, 16},
    {{"median5", median5, 0, false}, VOLUME, 8},
    {{"rl_blur", rl_blur, 0, false}, VOLUME, 8},
    {{"rl_load", rl_load, 0, false}, VOLUME, 16},
    {{"rl_ratio", rl_ratio, 0, false}, VOLUME, 28},
    {{"rl_advance", rl_advance, 0, false}, VOLUME, 36},
    {{"rl_predict", rl_predict, 0, false}, VOLUME, 12},
    {{"rl_regularise", rl_regularise, 0, false}, VOLUME, 12},
    {{"domain_load", domain_load, 0, false}, VOLUME, 6},
    {{"domain_keep", domain_keep, 0, false}, VOLUME, 6},
    {{"focus_measure", focus_measure, 0, false}, VOLUME, 2.5},
    {{"focus_score", focus_score, 0, false}, VOLUME, 12},
    {{"focus_peak", focus_peak, 0, false}, VOLUME, 4.6},
    {{"focus_take", focus_take, 0, false}, STACKED, 10},
    {{"warp_u16", warp_u16, 0, false}, VOLUME, 5},
    {{"warp_u16, field", warp_field, 0, false}, VOLUME, 5},
    {{"bin_u16", bin_u16, 0, false}, VOLUME, 2.5},
    {{"tile_place", tile_place, 0, false}, VOLUME, 14},
    {{"mosaic_rows", mosaic_rows, 0, false}, VOLUME, 4 * 7.0 / 3 + 3},
    {{"tally_add", tally_add, 0, false}, TALLY, 1},
    {{"strip_cut", strip_cut, 0, false}, VOLUME, 6},
    {{"strip_taper", strip_taper, 0, false}, VOLUME, 12},
    {{"cross_power", cross_power, 0, false}, VOLUME, 20},
    {{"overlap_sums", overlap_sums, 0, false}, VOLUME, 4},
    {{"block_cross", block_cross, 0, false}, BLOCKS, 24},
    {{"alm_mean", alm_mean, 0, false}, ALM, 12},
    {{"alm_step", alm_step, 0, false}, ALM, 24},
};

static double samples_of(enum unit unit)
{
    return unit == VOLUME    ? (double)s.all
           : unit == STACKED ? (double)kin_count(s.stack) / STACK
           : unit == ALM     ? (double)s.alm.n * s.alm.m
           : unit == TALLY   ? 2 * ((double)s.all + (double)tally_bytes(s.tall.y, s.tall.x))
                             : (double)s.shape.n * s.shape.h * (s.shape.w / 2 + 1);
}

/* ---- what they work on ----------------------------------------------------------------------- */

static float *some(size_t n)
{
    float *there = s.dev->alloc(s.dev, n * sizeof *there);
    for (size_t at = 0; at < n; at += s.all)
        s.dev->upload(s.dev, there + at, s.host, (n - at < s.all ? n - at : s.all) * sizeof *there);
    return there;
}

static bool make_host(void)
{
    uint32_t noise = 1;
    s.host = malloc(s.all * sizeof *s.host);
    for (size_t i = 0; s.host && i < s.all; i++) {
        noise = noise * 1664525u + 1013904223u;
        s.host[i] = 50 + (float)(noise >> 8) * (10 / 16777216.0f);
    }
    return s.host != NULL;
}

static void make_psf(struct kin_image *psf)
{
    struct kin_error err = {0};
    double total = 0;
    kin_image_alloc(psf, (struct kin_dims){PSF_Z, PSF_XY, PSF_XY}, KIN_F32, &err);
    for (int i = 0; i < PSF_Z * PSF_XY * PSF_XY; i++) {
        int z = i / PSF_XY / PSF_XY - PSF_Z / 2, y = i / PSF_XY % PSF_XY - PSF_XY / 2,
            x = i % PSF_XY - PSF_XY / 2;
        total += kin_f32(psf)[i] = (float)exp(-0.1 * (z * z + y * y + x * x));
    }
    for (int i = 0; i < PSF_Z * PSF_XY * PSF_XY; i++)
        kin_f32(psf)[i] /= (float)total;
}

static void make_alm(void)
{
    size_t m = ALM_SIDE * ALM_SIDE, n = m * ALM_IMAGES;
    s.alm = (struct alm){ALM_IMAGES, (int)m,  some(n), some(n), some(n),
                         some(n),    some(m), some(m), s.b_of,  1e-3};
    for (int i = 0; i < ALM_IMAGES; i++)
        s.b_of[i] = 1;
}

static void make_depths(void)
{
    s.bins = (struct kin_dims){1, s.stack.y / BIN + 1, s.stack.x / BIN + 1};
    size_t n = kin_count(s.bins);
    for (size_t i = 0; i < n; i++) /* the host's volume is larger */
        s.host[i] = (float)(STACK - 1) * (float)i / (float)n;
    s.depths = s.dev->alloc(s.dev, n * sizeof *s.depths);
    s.dev->upload(s.dev, s.depths, s.host, n * sizeof *s.depths);
}

static void make_field(void)
{
    enum { STEP = 128 };
    s.field = (struct warp_grid){s.tall.y / STEP + 2, s.tall.x / STEP + 2, STEP, 0, s.host};
    size_t n = 2 * (size_t)s.field.rows * (size_t)s.field.cols;
    for (size_t i = 0; i < n; i++)
        s.host[i] = sinf((float)i);
    s.field.gentle = warp_grid_is_gentle(&s.field);
    s.field.u = s.dev->alloc(s.dev, n * sizeof *s.field.u);
    s.dev->upload(s.dev, s.field.u, s.host, n * sizeof *s.field.u);
}

static bool make_all(struct kin_error *err)
{
    struct device *dev = s.dev;
    struct kin_image psf;
    if (!make_host())
        return kin_fail(err, KIN_MEMORY, "no memory for a volume");
    s.a = some(s.all), s.b = some(s.all), s.c = some(s.all), s.d = some(s.all);
    s.words = dev->alloc(dev, s.all * 2);
    s.out = dev->alloc(dev, s.all * 2);
    s.bytes = dev->alloc(dev, s.all);
    dev->f32_to_u16(dev, s.words, s.a, s.all);
    dev->f32_to_u16(dev, s.out, s.a, s.all);
    s.complex = dev->alloc(dev, (size_t)s.volume.z * (size_t)s.volume.y *
                                    ((size_t)s.volume.x / 2 + 1) * 8);
    s.fft = dev->fft_plan(dev, (struct kin_dims){1, s.volume.y, s.volume.x}, s.volume.z);
    make_psf(&psf);
    s.rl = dev->rl_plan(dev, s.volume, &psf, RL_MIRRORED);
    setenv("KINTSUGI_GPU_TRANSFORMS", "cufft", 1);
    s.rl_planes = dev->rl_plan(dev, s.volume, &psf, RL_MIRRORED);
    unsetenv("KINTSUGI_GPU_TRANSFORMS");
    kin_image_free(&psf);
    make_alm();
    make_depths();
    make_field();
    s.shape = (struct block_shape){
        .n = (int)(s.all / (BLOCK * (BLOCK + 2))), .h = BLOCK, .w = BLOCK, .low = 0, .high = 65535};
    dev->rl_load(dev, s.rl, s.a);
    dev->rl_load(dev, s.rl_planes, s.a);
    call_forward();
    return device_ok(dev, err);
}

static void free_all(void)
{
    const void *buffers[] = {s.a,          s.b,
                             s.c,          s.d,
                             s.words,      s.out,
                             s.bytes,      s.complex,
                             s.alm.flat,   s.alm.dark,
                             s.alm.images, s.alm.weights,
                             s.alm.sparse, s.alm.multiplier,
                             s.depths,     s.field.u};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        s.dev->release(s.dev, (void *)(uintptr_t)buffers[i]);
    s.dev->rl_free(s.dev, s.rl);
    s.dev->rl_free(s.dev, s.rl_planes);
    if (s.fft)
        s.dev->fft_free(s.dev, s.fft);
    free(s.host);
}

/* ---- from outside ---------------------------------------------------------------------------- */

enum { CALLS = sizeof rows / sizeof *rows };

bool calls_open(enum device_kind kind, int side, int planes, struct kin_error *err)
{
    if (side < BLOCK || planes < 3 || planes > FOCUS_PLANES)
        return kin_fail(err, KIN_INPUT, "at least %d pixels and 3 to %d planes", BLOCK,
                        FOCUS_PLANES);
    if (!(s.dev = device_open(kind, 0, err)))
        return false;
    s.volume = (struct kin_dims){planes, side, side};
    s.tall = (struct kin_dims){1, planes * side, side};
    s.stack = (struct kin_dims){STACK, planes / STACK * side, side};
    s.all = kin_count(s.volume);
    s.n = s.all / (size_t)planes;
    if (make_all(err))
        return true;
    struct kin_error later = {0}; /* err says why already */
    calls_close(&later);
    return false;
}

struct device *calls_device(void)
{
    return s.dev;
}

const struct call *calls_all(int *count)
{
    static struct call calls[CALLS];
    for (int i = 0; i < CALLS; i++) {
        calls[i] = rows[i].call;
        calls[i].bytes = rows[i].bytes * samples_of(rows[i].unit);
    }
    *count = CALLS;
    return calls;
}

void calls_wait(void)
{
    float one;
    s.dev->download(s.dev, &one, s.a, sizeof one);
}

bool calls_close(struct kin_error *err)
{
    bool good = device_ok(s.dev, err);
    free_all();
    device_close(s.dev);
    return good;
}
