// SPDX-License-Identifier: MIT
// pair.c: one pair of neighbouring tiles.
#include "stitch/pair.h"
#include "stitch/chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PEAKS = 5, CLIMB = 20 };
static const double FINEST = 0.01, UNSURE = 10; /* px: no place is known better, or worse */

struct shift {
    int y, x;
    double ncc;
};

/* ---- its tiles ------------------------------------------------------------------------------- */

/* Where a tile that is displaced by about `nominal` may meet the other, along one axis. */
static void strip_axis(int n, int nominal, int radius, int *at, int *length)
{
    int low = nominal - radius > 0 ? nominal - radius : 0;
    int high = n + nominal + radius < n ? n + nominal + radius : n;
    *at = low;
    *length = high - low;
}

void pairing_close(struct pairing *p)
{
    void *buffers[] = {p->cut,         p->fine,     p->coarse,   p->padded, p->spectrum[0],
                       p->spectrum[1], p->whole[0], p->whole[1], p->own[0], p->own[1]};
    void *memory[] = {p->strips[0],  p->strips[1], p->spectra[0],
                      p->spectra[1], p->host,      p->host_band};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        p->dev->release(p->dev, buffers[i]);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        p->dev->host_release(p->dev, memory[i]);
    p->dev->fft_free(p->dev, p->plan);
}

void pairing_open_plain(struct pairing *p, struct device *dev, const struct stitch_params *params,
                        int min_side)
{
    size_t n = (size_t)params->tile_h * (size_t)params->tile_w;
    *p = (struct pairing){.dev = dev, .params = params, .min_side = min_side};
    for (int i = 0; i < 2; i++)
        p->own[i] = dev->alloc(dev, n * sizeof *p->own[i]);
}

/* Memory of the host, which a card reaches at once. */
static void *take(const struct pairing *p, size_t bytes)
{
    void *memory = p->dev->host_alloc(p->dev, bytes);
    if (!memory)
        device_fail(p->dev, KIN_MEMORY, "no memory for the overlap of two tiles");
    return memory;
}

/* What smoothed tiles need. */
static void take_look(struct pairing *p)
{
    size_t n = (size_t)p->params->tile_h * (size_t)p->params->tile_w;
    for (int i = 0; i < 2 && p->look.smooth > 0; i++)
        p->whole[i] = p->dev->alloc(p->dev, n * sizeof *p->whole[i]);
    p->host = p->look.band ? take(p, n * sizeof *p->host) : NULL;
    p->host_band = p->look.band ? take(p, n * sizeof *p->host_band) : NULL;
}

/* Which strips of the tiles are compared, and as what they are transformed. */
static void find_strips(struct pairing *p, struct stitch_reach reach)
{
    int h = p->params->tile_h, w = p->params->tile_w;
    memcpy(p->nominal, reach.nominal, sizeof p->nominal);
    memcpy(p->radius, reach.radius, sizeof p->radius);
    strip_axis(h, p->nominal[0], p->radius[0], &p->a.y, &p->a.h);
    strip_axis(w, p->nominal[1], p->radius[1], &p->a.x, &p->a.w);
    strip_axis(h, -p->nominal[0], p->radius[0], &p->b.y, &p->b.h);
    strip_axis(w, -p->nominal[1], p->radius[1], &p->b.x, &p->b.w);
    int sh = p->a.h > p->b.h ? p->a.h : p->b.h, sw = p->a.w > p->b.w ? p->a.w : p->b.w;
    p->domain = (struct kin_dims){1, kin_good_size(sh, false), kin_good_size(sw, true)};
}

void pairing_prepare(struct device *dev, const struct stitch_params *params)
{
    const int tiles[] = {params->scan.cols, params->scan.rows};
    for (int vertical = 0; vertical < 2 && stitch_overlaps(params); vertical++) {
        struct pairing p = {.params = params};
        if (tiles[vertical] < 2)
            continue;
        find_strips(&p, stitch_reach(params, vertical));
        p.plan = dev->fft_plan(dev, p.domain, 1);
        dev->fft_free(dev, p.plan);
    }
}

void pairing_open(struct pairing *p, struct device *dev, const struct stitch_params *params,
                  struct stitch_reach reach, struct pairing_look look)
{
    int h = params->tile_h, w = params->tile_w;
    pairing_open_plain(p, dev, params, (int)fmax(4, 0.25 * params->overlap * (h < w ? h : w)));
    p->look = look;
    find_strips(p, reach);
    size_t n = kin_count(p->domain), half = (size_t)p->domain.y * ((size_t)p->domain.x / 2 + 1);
    p->plan = dev->fft_plan(dev, p->domain, 1);
    p->cut = dev->alloc(dev, n * sizeof(float));
    p->fine = dev->alloc(dev, n * sizeof(float));
    p->coarse = dev->alloc(dev, n * sizeof(float));
    p->padded = dev->alloc(dev, n * sizeof(float));
    p->spectrum[0] = dev->alloc(dev, half * 2 * sizeof(float));
    p->spectrum[1] = dev->alloc(dev, half * 2 * sizeof(float));
    for (int i = 0; i < 2; i++) {
        p->strips[i] = take(p, n * sizeof(float));
        p->spectra[i] = take(p, half * 2 * sizeof(float));
    }
    take_look(p);
}

/* The difference of two smoothed tiles as integers: 16 steps to a unit, 0 in the middle. */
static void send_band(const struct pairing *p, uint16_t *dst, struct kin_dims dims)
{
    size_t n = kin_count(dims);
    float *fine = p->whole[1], *coarse = p->whole[0];
    p->dev->gauss_xy(p->dev, coarse, fine, dims, 4 * p->look.smooth);
    p->dev->subtract(p->dev, coarse, fine, coarse, n);
    p->dev->download(p->dev, p->host_band, coarse, n * sizeof *p->host_band);
    for (size_t i = 0; i < n && !device_stopped(p->dev); i++)
        p->host[i] = kin_round_u16(32768 + 16 * p->host_band[i]);
    p->dev->upload(p->dev, dst, p->host, n * sizeof *p->host);
}

void pairing_show(struct pairing *p, int which, const uint16_t *tile)
{
    struct kin_dims dims = {1, p->params->tile_h, p->params->tile_w};
    size_t n = kin_count(dims);
    p->tile[which] = p->look.smooth > 0 ? p->own[which] : tile;
    if (p->look.smooth <= 0)
        return;
    p->dev->u16_to_f32(p->dev, p->whole[0], tile, n);
    p->dev->gauss_xy(p->dev, p->whole[1], p->whole[0], dims, p->look.smooth);
    if (p->look.band)
        send_band(p, p->own[which], dims);
    else
        p->dev->f32_to_u16(p->dev, p->own[which], p->whole[1], n);
}

void pairing_send(struct pairing *p, int which, const uint16_t *tile)
{
    size_t n = (size_t)p->params->tile_h * (size_t)p->params->tile_w;
    p->dev->upload(p->dev, p->own[which], tile, n * sizeof *tile);
    pairing_show(p, which, p->own[which]);
}

/* ---- where they lie -------------------------------------------------------------------------- */

double pairing_ncc(const struct pairing *p, int dy, int dx)
{
    int64_t s[6];
    struct kin_dims tile = {1, p->params->tile_h, p->params->tile_w};
    if (tile.y - abs(dy) < p->min_side || tile.x - abs(dx) < p->min_side)
        return -1;
    p->dev->overlap_sums(p->dev, p->tile[0], p->tile[1], tile, dy, dx, s);
    double n = (double)s[5], va = (double)s[2] - (double)s[0] / n * (double)s[0];
    double vb = (double)s[3] - (double)s[1] / n * (double)s[1];
    double ab = (double)s[4] - (double)s[0] / n * (double)s[1];
    if (!(va > 0) || !(vb > 0))
        return -1;
    return rint(ab / sqrt(va * vb) * 1e6) / 1e6;
}

/* The spectrum of a tile's strip, band-passed (difference of Gaussians 1 and 4 px) and faded at its
 * edges; the host gets it too, and the strip before it is faded. */
static void strip_spectrum(const struct pairing *p, int which)
{
    struct device *dev = p->dev;
    struct strip strip = which ? p->b : p->a;
    struct kin_dims dims = {1, strip.h, strip.w};
    float *spectrum = p->spectrum[which];
    dev->strip_cut(dev, p->cut, p->tile[which], p->params->tile_w, strip);
    dev->gauss_xy(dev, p->fine, p->cut, dims, 1);
    dev->gauss_xy(dev, p->coarse, p->cut, dims, 4);
    dev->strip_taper(dev, p->padded, p->domain, p->fine, p->coarse, strip.h, strip.w);
    dev->fft_forward(dev, p->plan, p->padded, spectrum);
    dev->subtract(dev, p->fine, p->fine, p->coarse, kin_count(dims));
    dev->download(dev, p->strips[which], p->fine, kin_count(dims) * sizeof(float));
    dev->download(dev, p->spectra[which], spectrum,
                  (size_t)p->domain.y * ((size_t)p->domain.x / 2 + 1) * 2 * sizeof(float));
}

static struct shift best_peak(struct pairing *p)
{
    struct device *dev = p->dev;
    int peaks[PEAKS][2], oy = p->a.y - p->b.y, ox = p->a.x - p->b.x;
    struct shift_window window = {
        p->nominal[0] - p->radius[0] - oy, p->nominal[1] - p->radius[1] - ox,
        p->nominal[0] + p->radius[0] - oy, p->nominal[1] + p->radius[1] - ox};
    strip_spectrum(p, 0);
    strip_spectrum(p, 1);
    p->area = device_stopped(dev) ? NAN : chance_area(p->spectra[0], p->spectra[1], p->domain);
    dev->cross_power(dev, p->spectrum[0], p->spectrum[1],
                     (size_t)p->domain.y * ((size_t)p->domain.x / 2 + 1));
    dev->fft_inverse(dev, p->plan, p->spectrum[0], p->padded);
    int count = dev->shift_peaks(dev, p->padded, p->domain, window, peaks, PEAKS);
    struct shift best = {p->nominal[0], p->nominal[1], -2};
    for (int k = 0; k < count; k++) {
        struct shift s = {peaks[k][0] + oy, peaks[k][1] + ox, 0};
        s.ncc = pairing_ncc(p, s.y, s.x);
        if (s.ncc > best.ncc)
            best = s;
    }
    return best;
}

/* Steps to the best of the eight neighbours until none is better; keeps the 3 x 3 around the
 * last. */
static struct shift climb(const struct pairing *p, struct shift at, double around[9])
{
    for (int step = 0; step <= CLIMB; step++) {
        struct shift best = at;
        for (int i = 0; i < 9; i++) {
            int y = at.y + i / 3 - 1, x = at.x + i % 3 - 1;
            around[i] = i == 4 ? at.ncc : pairing_ncc(p, y, x);
            if (around[i] > best.ncc)
                best = (struct shift){y, x, around[i]};
        }
        if (best.y == at.y && best.x == at.x)
            break;
        at = best;
    }
    return at;
}

/* The top of the parabola through three values one pixel apart. */
static double parabola(double before, double at, double after)
{
    double bend = before - 2 * at + after;
    if (bend >= -1e-12 || before <= -1 || after <= -1)
        return 0;
    return fmin(0.5, fmax(-0.5, 0.5 * (before - after) / bend));
}

/* The chance of what was found, from the part of the overlap that lies in both strips. */
static double chance_at(const struct pairing *p, int dy, int dx)
{
    int top = p->a.y > p->b.y + dy ? p->a.y : p->b.y + dy,
        left = p->a.x > p->b.x + dx ? p->a.x : p->b.x + dx;
    int low = p->a.y + p->a.h < p->b.y + dy + p->b.h ? p->a.y + p->a.h : p->b.y + dy + p->b.h;
    int right = p->a.x + p->a.w < p->b.x + dx + p->b.w ? p->a.x + p->a.w : p->b.x + dx + p->b.w;
    struct chance_overlap overlap = {
        .stride_a = p->a.w, .stride_b = p->b.w, .h = low - top, .w = right - left};
    if (low <= top || right <= left || device_stopped(p->dev))
        return 1;
    overlap.a = p->strips[0] + (size_t)(top - p->a.y) * (size_t)p->a.w + (left - p->a.x);
    overlap.b = p->strips[1] + (size_t)(top - dy - p->b.y) * (size_t)p->b.w + (left - dx - p->b.x);
    return chance_of(&overlap, p->area);
}

/* How far noise may have moved the top of a correlation along an axis, px: white noise adds a slope
 * of variance (1 - r^2) n / |r'' r| to n pixels. */
static double uncertainty(double before, double at, double after, double pixels)
{
    double bend = 2 * at - before - after;
    if (!(at > 0) || !(bend > 0) || before <= -1 || after <= -1)
        return UNSURE;
    return fmin(UNSURE, hypot(FINEST, sqrt((1 - at * at) / (pixels * at * bend))));
}

void pairing_measure(struct pairing *p, struct stitch_edge *edge)
{
    double around[9] = {0};
    struct shift at = best_peak(p);
    if (at.ncc > -1)
        at = climb(p, at, around);
    edge->ncc = at.ncc > -1 ? at.ncc : 0;
    edge->dy = at.y + parabola(around[1], around[4], around[7]);
    edge->dx = at.x + parabola(around[3], around[4], around[5]);
    edge->chance = at.ncc > -1 ? chance_at(p, at.y, at.x) : 1;
    edge->area = p->area;
    double pixels = (double)(p->params->tile_h - abs(at.y)) * (p->params->tile_w - abs(at.x));
    edge->sigma[0] = uncertainty(around[1], around[4], around[7], pixels);
    edge->sigma[1] = uncertainty(around[3], around[4], around[5], pixels);
}
