// SPDX-License-Identifier: MIT
// optics.c: the objective, the illumination, the camera and the stage of a phantom.
#include "phantom/optics.h"
#include "core/simd.h"
#include "image/psf.h"
#include "phantom/philox.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum stream {
    STREAM_STAGE = 9000,
    STREAM_FLAT,
    STREAM_DARK,
    STREAM_PHOTON,
    STREAM_HOT,
    STREAM_DARK_FRAME
};

const double camera_level = 180;

/* ---- the objective --------------------------------------------------------------------------- */

static size_t spectrum_plane(const struct optics *o)
{
    return (size_t)o->domain.y * ((size_t)o->domain.x / 2 + 1);
}

/* One plane of a PSF, its centre at (0, 0) of the domain. */
static void wrap_plane(const struct optics *o, const struct kin_image *psf, int z, float *dst)
{
    int hy = psf->dims.y / 2, hx = psf->dims.x / 2;
    memset(dst, 0, kin_count(o->domain) * sizeof *dst);
    const float *src = kin_f32(psf) + (size_t)z * (size_t)psf->dims.y * (size_t)psf->dims.x;
    for (int y = -hy; y <= hy; y++) {
        for (int x = -hx; x <= hx; x++) {
            int dy = (y + o->domain.y) % o->domain.y, dx = (x + o->domain.x) % o->domain.x;
            dst[(size_t)dy * o->domain.x + dx] = *src++;
        }
    }
}

/* The transfer function of each distance from focus; real, as the PSF is even. */
static bool make_otf(struct optics *o, const struct kin_psf_params *params, float *otf,
                     struct kin_error *err)
{
    struct kin_image psf;
    size_t n = spectrum_plane(o);
    if (!kin_psf(params, &psf, err))
        return false;
    struct fft_plan *plan = o->dev->fft_plan(o->dev, o->domain, 1);
    for (int z = 0; z <= o->half_z; z++) {
        wrap_plane(o, &psf, o->half_z + z, o->volume);
        o->dev->fft_forward(o->dev, plan, o->volume, o->spectrum);
        for (size_t i = 0; i < n; i++)
            otf[(size_t)z * n + i] = o->spectrum[2 * i];
    }
    o->dev->fft_free(o->dev, plan);
    kin_image_free(&psf);
    return device_ok(o->dev, err);
}

static bool optics_alloc(struct optics *o)
{
    size_t planes = (size_t)o->region.z, n = spectrum_plane(o);
    o->volume = malloc(planes * kin_count(o->domain) * sizeof(float));
    o->spectrum = malloc(planes * n * 2 * sizeof(float));
    o->otf = malloc((size_t)o->channels * ((size_t)o->half_z + 1) * n * sizeof(float));
    return o->volume && o->spectrum && o->otf;
}

bool optics_open(struct optics *o, const struct experiment *exp, struct device *dev, int h, int w,
                 struct kin_error *err)
{
    struct kin_psf_params psf = {.na = exp->na,
                                 .immersion_ri = exp->immersion_ri,
                                 .xy_nm = exp->xy_nm,
                                 .z_nm = exp->z_nm,
                                 .emission_nm = exp->emission[0]};
    kin_psf_support(&psf, exp->planes);
    *o = (struct optics){
        .dev = dev, .halo = psf.half_xy, .half_z = psf.half_z, .channels = exp->channels};
    o->region = (struct kin_dims){exp->planes, h + 2 * o->halo, w + 2 * o->halo};
    o->domain = (struct kin_dims){1, kin_good_size(o->region.y, false),
                                  kin_good_size(o->region.x, true)};
    if (!optics_alloc(o)) {
        optics_close(o);
        return kin_fail(err, KIN_MEMORY, "no memory to blur tiles of %d x %d", h, w);
    }
    o->plan = dev->fft_plan(dev, o->domain, exp->planes);
    bool good = device_ok(dev, err);
    for (int c = 0; good && c < exp->channels; c++) {
        psf.emission_nm = exp->emission[c];
        good = make_otf(o, &psf, o->otf + (size_t)c * ((size_t)o->half_z + 1) * spectrum_plane(o),
                        err);
    }
    if (!good)
        optics_close(o);
    return good;
}

void optics_close(struct optics *o)
{
    if (o->plan)
        o->dev->fft_free(o->dev, o->plan);
    free(o->volume);
    free(o->spectrum);
    free(o->otf);
    *o = (struct optics){0};
}

/* in (planes, count) complex, `count` frequencies of all planes; plane z gets what plane k sends
 * it, |z - k| out of focus. The result goes to the spectrum, from frequency `first` on. */
VECTOR_CLONES static void mix_planes(const struct optics *o, const float *otf, size_t first,
                                     int count, const float *in)
{
    size_t n = spectrum_plane(o);
    int nz = o->region.z;
    for (int z = 0; z < nz; z++) {
        float *out = o->spectrum + 2 * ((size_t)z * n + first);
        memset(out, 0, (size_t)count * 2 * sizeof *out);
        for (int k = z > o->half_z ? z - o->half_z : 0; k < nz && k <= z + o->half_z; k++) {
            const float *t = otf + (size_t)abs(z - k) * n + first,
                        *from = in + (size_t)k * 2 * (size_t)count;
            for (int i = 0; i < count; i++) {
                out[2 * i] += t[i] * from[2 * i];
                out[2 * i + 1] += t[i] * from[2 * i + 1];
            }
        }
    }
}

static void copy_planes(struct optics *o, float *object, bool into)
{
    for (int z = 0; z < o->region.z; z++) {
        for (int y = 0; y < o->region.y; y++) {
            float *at = o->volume +
                        ((size_t)z * (size_t)o->domain.y + (size_t)y) * (size_t)o->domain.x;
            float *row = object +
                         ((size_t)z * (size_t)o->region.y + (size_t)y) * (size_t)o->region.x;
            memcpy(into ? at : row, into ? row : at, (size_t)o->region.x * sizeof *row);
        }
    }
}

/* All frequencies, in runs that stay in the cache. */
static void mix_spectrum(struct optics *o, const float *otf)
{
    enum { RUN = 128 };
    size_t n = spectrum_plane(o), planes = (size_t)o->region.z;
#pragma omp parallel
    {
        float *in = malloc(planes * 2 * RUN * sizeof *in);
#pragma omp for schedule(static)
        for (size_t first = 0; first < n; first += RUN) {
            size_t count = n - first < RUN ? n - first : RUN;
            for (size_t k = 0; in && k < planes; k++)
                memcpy(in + 2 * k * count, o->spectrum + 2 * (k * n + first),
                       2 * count * sizeof *in);
            if (in)
                mix_planes(o, otf, first, (int)count, in);
        }
        if (!in)
            device_fail(o->dev, KIN_MEMORY, "no memory to blur a tile");
        free(in);
    }
}

void optics_blur(struct optics *o, int channel, float *object)
{
    size_t n = spectrum_plane(o);
    const float *otf = o->otf + (size_t)(channel - 1) * ((size_t)o->half_z + 1) * n;
    memset(o->volume, 0, (size_t)o->region.z * kin_count(o->domain) * sizeof *o->volume);
    copy_planes(o, object, true);
    o->dev->fft_forward(o->dev, o->plan, o->volume, o->spectrum);
    mix_spectrum(o, otf);
    o->dev->fft_inverse(o->dev, o->plan, o->spectrum, o->volume);
    copy_planes(o, object, false);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool field_alloc(const struct world *world, struct kin_image *image, struct kin_error *err)
{
    return kin_image_alloc(image, (struct kin_dims){1, world->params.tile_h, world->params.tile_w},
                           KIN_F32, err);
}

/* Pixel coordinate as -1..1. */
static double across(int i, int n)
{
    return n > 1 ? 2.0 * i / (n - 1) - 1 : 0;
}

static double lamp(double y, double x, const double centre[2], double phase)
{
    double r2 = ((y - centre[0]) * (y - centre[0]) * 0.8 + (x - centre[1]) * (x - centre[1])) / 2;
    double fall = 1 + 1.1 * r2;
    return 1 / (fall * fall) + 0.08 * cos(M_PI * (0.6 * x + 0.3 * y) + phase);
}

bool flat_field(const struct world *world, int channel, struct kin_image *flat,
                struct kin_error *err)
{
    if (!field_alloc(world, flat, err))
        return false;
    int h = world->params.tile_h, w = world->params.tile_w;
    struct philox r = philox(world->params.seed, STREAM_FLAT, (uint32_t)channel, 0, 0);
    double centre[] = {philox_range(r.v[0], -0.2, 0.2), philox_range(r.v[1], -0.2, 0.2)};
    double phase = philox_range(r.v[2], 0, 2 * M_PI), low = INFINITY, high = -INFINITY, sum = 0;
    float *f = kin_f32(flat);
    for (int i = 0; i < h * w; i++) {
        f[i] = (float)lamp(across(i / w, h), across(i % w, w), centre, phase);
        low = fmin(low, f[i]);
        high = fmax(high, f[i]);
    }
    for (int i = 0; i < h * w; i++) {
        f[i] = (float)(1 - world->d.vignette + world->d.vignette * (f[i] - low) / (high - low));
        sum += f[i];
    }
    for (int i = 0; i < h * w; i++)
        f[i] = (float)(f[i] * (h * w / sum));
    return true;
}

/* Columns of the sensor differ a little: white noise smoothed over 2 px, 4 ADU high. */
static double column_offset(const struct world *world, int channel, int x)
{
    double sum = 0, power = 0, normal[2];
    for (int k = -6; k <= 6; k++) {
        double w = exp(-k * k / 8.0);
        struct philox r = philox(world->params.seed, STREAM_DARK, (uint32_t)channel,
                                 (uint32_t)(x + k), 0);
        philox_normals(r.v[0], r.v[1], normal);
        sum += w * normal[0];
        power += w * w;
    }
    return 2 * sum / sqrt(power);
}

bool dark_field(const struct world *world, int channel, struct kin_image *dark,
                struct kin_error *err)
{
    if (!field_alloc(world, dark, err))
        return false;
    int h = world->params.tile_h, w = world->params.tile_w;
    double sum = 0;
    float *f = kin_f32(dark);
    for (int x = 0; x < w; x++) {
        double column = column_offset(world, channel, x);
        for (int y = 0; y < h; y++) {
            double ay = across(y, h), ax = across(x, w);
            f[(size_t)y * w + x] = (float)(world->d.dark_slope * (0.6 * ax + 0.4 * ay * ay) +
                                           column);
            sum += f[(size_t)y * w + x];
        }
    }
    for (int i = 0; i < h * w; i++)
        f[i] += (float)(camera_level - sum / (h * w));
    return true;
}

/* ---- the stage ------------------------------------------------------------------------------- */

void snake_place(const struct world *world, int k, int *row, int *col)
{
    int cols = world->params.cols;
    *row = k / cols;
    *col = *row % 2 ? cols - 1 - k % cols : k % cols;
}

void stage_positions(const struct world *world, int cycle, double (*p)[2])
{
    const struct phantom_params *q = &world->params;
    const struct difficulty *d = &world->d;
    double sy = q->tile_h * (1 - q->overlap), sx = q->tile_w * (1 - q->overlap),
           low[2] = {INFINITY, INFINITY};
    struct philox r = philox(q->seed, STREAM_STAGE, (uint32_t)cycle, 0xffffffffu, 0);
    double theta = philox_range(r.v[0], -d->theta, d->theta), normal[2];
    for (int k = 0; k < q->rows * q->cols; k++) {
        int row, col;
        snake_place(world, k, &row, &col);
        struct philox n = philox(q->seed, STREAM_STAGE, (uint32_t)cycle, (uint32_t)k, 1);
        philox_normals(n.v[0], n.v[1], normal);
        p[k][0] = row * sy * cos(theta) + col * sx * sin(theta) + d->jitter * normal[0] +
                  0.3 * k * d->drift;
        p[k][1] = col * sx * cos(theta) - row * sy * sin(theta) + d->jitter * normal[1] +
                  k * d->drift + (row % 2 ? d->backlash : 0);
        low[0] = fmin(low[0], p[k][0]);
        low[1] = fmin(low[1], p[k][1]);
    }
    for (int k = 0; k < q->rows * q->cols; k++) {
        p[k][0] -= low[0];
        p[k][1] -= low[1];
    }
}

/* ---- the camera ------------------------------------------------------------------------------ */

/* The inverse of the normal distribution at the middles of its cells, read with straight lines in
 * between: two words of random bits are two noises, without logarithm or cosine. */
enum { QUANTILES = 4096 };

static float quantile[QUANTILES + 1];

/* Newton's steps on the distribution itself, from a rational start (Abramowitz and Stegun
 * 26.2.22). */
static double normal_quantile(double p)
{
    double q = p < 0.5 ? p : 1 - p, t = sqrt(-2 * log(q));
    double x = t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
    for (int i = 0; i < 4; i++)
        x += (0.5 * erfc(x * M_SQRT1_2) - q) / (exp(-x * x / 2) / sqrt(2 * M_PI));
    return p < 0.5 ? -x : x;
}

/* Node i is where i / QUANTILES lies; the two at the ends keep the variance at 1. */
static void fill_quantiles(void)
{
    double end = 0.25 / QUANTILES;
    for (int i = 1; i < QUANTILES; i++)
        quantile[i] = (float)normal_quantile((double)i / QUANTILES);
    quantile[0] = (float)normal_quantile(end / 2);
    quantile[QUANTILES] = -quantile[0];
}

static float word_normal(uint32_t word)
{
    uint32_t cell = word >> 20;
    float t = (float)(word & 0xfffff) * (1.0f / 0x100000);
    return quantile[cell] + t * (quantile[cell + 1] - quantile[cell]);
}

/* A Poisson number out of one word: by inversion where few are expected; else the quantile of
 * Cornish and Fisher with its first two corrections (Giles 2016, eq. 2.5), which misses the nearest
 * whole number by less than 1 % of the spread. */
static float poisson(float lambda, uint32_t word)
{
    if (lambda > 10) {
        float w = word_normal(word), root = sqrtf(lambda);
        float q = lambda + root * w + (2 + w * w) / 6 - w * (2 + w * w) / (72 * root);
        return floorf(fmaxf(q, 0));
    }
    double u = philox_unit(word), p = exp(-(double)lambda), sum = p;
    int n = 0;
    while (u > sum && n < 60)
        sum += p *= (double)lambda / ++n;
    return (float)n;
}

static double hot_pixel(const struct world *world, int i)
{
    struct philox h = philox(world->params.seed, STREAM_HOT, (uint32_t)i, 0, 0);
    return philox_unit(h.v[0]) < world->d.hot ? philox_range(h.v[1], 500, 5000) : 0;
}

/* Pixel i with the two words that are its own. */
static void expose_pixel(const struct world *world, const struct exposure *e, float b, int i,
                         const uint32_t words[2], uint16_t *tile)
{
    float lambda = e->flat[i] * (float)(world->d.background + world->d.photons * fmaxf(b, 0));
    float electrons = poisson(lambda, words[0]) + (float)world->d.read * word_normal(words[1]);
    double hot = world->d.hot > 0 ? hot_pixel(world, i) : 0;
    tile[i] = kin_round_u16((float)e->gain * electrons + e->dark[i] + (float)hot);
}

void camera_expose(const struct world *world, const struct exposure *e, const float *object,
                   int stride, uint16_t *tile)
{
    int h = world->params.tile_h, w = world->params.tile_w;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_quantiles);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < h; y++) {
        const float *row = object + (size_t)y * (size_t)stride;
        for (int x = 0; x < w; x += 2) {
            struct philox r = philox(world->params.seed, STREAM_PHOTON, e->cycle, e->id,
                                     (uint32_t)(y * w + x));
            expose_pixel(world, e, row[x], y * w + x, r.v, tile);
            if (x + 1 < w)
                expose_pixel(world, e, row[x + 1], y * w + x + 1, r.v + 2, tile);
        }
    }
}

void camera_dark_frame(const struct world *world, int channel, const float *dark, double gain,
                       float *frame)
{
    double spread = gain * world->d.read / 8; /* of a mean of 64 */
    int n = world->params.tile_h * world->params.tile_w;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        struct philox r = philox(world->params.seed, STREAM_DARK_FRAME, (uint32_t)channel,
                                 (uint32_t)i, 0);
        double normal[2];
        philox_normals(r.v[0], r.v[1], normal);
        frame[i] = (float)(dark[i] + spread * normal[0] +
                           (world->d.hot > 0 ? hot_pixel(world, i) : 0));
    }
}
