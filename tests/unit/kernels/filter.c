// SPDX-License-Identifier: MIT
/* Filters, focus and Richardson-Lucy primitives of the device against the plainest loops, on
 * awkward sizes. */
#include "test.h"

#include "device/device.h"
#include "device/focus.h"
#include "image/psf.h"
#include "image/volume.h"

#include <math.h>
#include <stdlib.h>

static struct device *dev;
static uint64_t state = 88172645463325252ull;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static float *random_floats(size_t n)
{
    float *v = kin_alloc(n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = (float)(100 * uniform());
    return v;
}

static double worst(const float *a, const float *b, size_t n)
{
    double w = 0;
    for (size_t i = 0; i < n; i++)
        w = fmax(w, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
    return w;
}

/* ---- Gaussian, median ------------------------------------------------------------------------ */

static void test_gauss(void)
{
    static const struct kin_dims sizes[] = {{1, 1, 1}, {1, 3, 70}, {2, 41, 5}, {1, 64, 33}};
    static const float sigmas[] = {0.6f, 3.75f, 20};
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 3; k++) {
            struct kin_dims d = sizes[s];
            size_t n = kin_count(d);
            float *a = random_floats(n), *got = kin_alloc(4 * n), *want = kin_alloc(4 * n),
                  sigma = sigmas[k];
            int r = (int)ceilf(4 * sigma);
            dev->gauss_xy(dev, got, a, d, sigma);
            for (size_t i = 0; i < n; i++) {
                int x = (int)(i % d.x), y = (int)(i / d.x % d.y);
                const float *plane = a + i / d.x / d.y * d.x * d.y;
                double sum = 0, weights = 0;
                for (int v = -r; v <= r; v++)
                    for (int u = -r; u <= r; u++) {
                        double w = exp(-0.5 * (u * u + v * v) / ((double)sigma * sigma));
                        sum += w *
                               plane[(size_t)kin_mirror(y + v, d.y) * d.x + kin_mirror(x + u, d.x)];
                        weights += w;
                    }
                want[i] = (float)(sum / weights);
            }
            double w = worst(got, want, n);
            ok(w < 1e-5, "gauss_xy %d x %d x %d, sigma %g: worst %.1e", d.z, d.y, d.x, sigma, w);
            free(a);
            free(got);
            free(want);
        }
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static void test_median(void)
{
    struct kin_dims d = {2, 9, 13};
    size_t n = kin_count(d);
    float *a = random_floats(n), *got = kin_alloc(4 * n), *want = kin_alloc(4 * n);
    dev->median5(dev, got, a, d);
    for (size_t i = 0; i < n; i++) {
        float v[25];
        int x = (int)(i % d.x), y = (int)(i / d.x % d.y);
        for (int k = 0; k < 25; k++)
            v[k] = a[((i / d.x / d.y) * d.y + kin_mirror(y + k / 5 - 2, d.y)) * d.x +
                     kin_mirror(x + k % 5 - 2, d.x)];
        qsort(v, 25, sizeof *v, by_value);
        want[i] = v[12];
    }
    ok(worst(got, want, n) == 0, "median5 is the median of 5 x 5");
    free(a);
    free(got);
    free(want);
}

/* ---- focus ----------------------------------------------------------------------------------- */

/* Mean over a bin of two-pass variances; src has r rows more on both sides. */
static void naive_measure(const uint16_t *src, int rows, int width, int r, int bin, int top, int j,
                          int i, double *spread, double *level)
{
    int count = 0;
    *spread = *level = 0;
    for (int y = j * bin; y < rows && y < j * bin + bin; y++)
        for (int x = i * bin; x < width && x < i * bin + bin; x++, count++) {
            double sum = 0, squares = 0, n = (2.0 * r + 1) * (2.0 * r + 1);
            for (int pass = 0; pass < 2; pass++)
                for (int v = 0; v <= 2 * r; v++)
                    for (int u = -r; u <= r; u++) {
                        double p = fmin(src[(size_t)(y + v) * width + kin_mirror(x + u, width)],
                                        top);
                        sum += pass ? 0 : p;
                        squares += pass ? (p - sum / n) * (p - sum / n) : 0;
                    }
            *spread += squares / n;
            *level += fmin(src[(size_t)(y + r) * width + x], top);
        }
    *spread /= count;
    *level /= count;
}

static void test_measure(void)
{
    static const int cases[][5] = {{30, 37, 3, 4, 65535},
                                   {7, 300, 5, 1, 65535},
                                   {50, 2, 3, 4, 65535},
                                   {33, 40, 2, 2, 30000},
                                   {1, 300, 100, 300, 65535}};
    for (int c = 0; c < 5; c++) {
        int rows = cases[c][0], width = cases[c][1], r = cases[c][2], bin = cases[c][3],
            top = cases[c][4];
        int down = (rows + bin - 1) / bin, across = (width + bin - 1) / bin;
        size_t n = (size_t)(rows + 2 * r) * width, m = (size_t)down * across;
        uint16_t *src = kin_alloc(2 * n);
        float *spread = kin_alloc(4 * m), *level = kin_alloc(4 * m);
        double off = 0, dark = r < 100 ? 0.5 : 0.01; /* large sums in the largest box */
        for (size_t i = 0; i < n; i++)
            src[i] = (uint16_t)(uniform() < dark ? 65535 * uniform() : 60000 + 10 * uniform());
        dev->focus_measure(dev, spread, level, src, (struct kin_dims){1, rows + 2 * r, width}, r,
                           bin, top);
        for (size_t i = 0; i < m; i++) {
            double s, l;
            naive_measure(src, rows, width, r, bin, top, (int)i / across, (int)i % across, &s, &l);
            off = fmax(off, fmax(fabs(spread[i] - s) / (1 + s), fabs(level[i] - l) / l));
        }
        ok(off < 1e-6, "focus_measure %d x %d, radius %d, bin %d, top %d: worst %.1e", rows, width,
           r, bin, top, off);
        free(src);
        free(spread);
        free(level);
    }
}

static void test_peak(void)
{
    /* a Gaussian over z has an exact parabola in its logarithm */
    struct focus_planes planes = {7, {1, 2, 3, 4, 5, 6, 7}};
    float score[7], z, weight, trust;
    for (double at = 2.6; at < 6.4; at += 0.37) {
        for (int k = 0; k < 7; k++)
            score[k] = (float)exp(-0.3 * (k + 1 - at) * (k + 1 - at));
        dev->focus_peak(dev, &z, &weight, &trust, score, 1, &planes, true);
        ok(fabs(z - at) < 1e-4 && trust > 0 && trust <= 1 && weight > 0,
           "the peak at %.2f is found at %.4f", at, z);
    }
    for (int k = 0; k < 7; k++)
        score[k] = 3;
    dev->focus_peak(dev, &z, &weight, &trust, score, 1, &planes, true);
    ok(z == 1 && weight == 0 && trust == 0,
       "of equal scores the first plane is taken, without weight");
}

static void test_take(void)
{
    /* planes 0, 1, 3 of a stack whose value is 100 times the plane: the result is 100 times the
     * map */
    struct focus_planes planes = {3, {0, 1, 3}};
    uint16_t stack[3 * 8 * 9], dst[8 * 9];
    float map_z[2 * 3] = {0, 1, 2, 0.5f, 1.5f, 3}, z[8 * 9];
    struct focus_map map = {map_z, {1, 2, 3}, 4, 0};
    double off = 0;
    for (int i = 0; i < 3 * 72; i++)
        stack[i] = (uint16_t)(100 * planes.number[i / 72]);
    dev->focus_take(dev, dst, z, &(struct focus_stack){stack, 72, 9, &planes}, &map, 0, 8);
    for (int i = 0; i < 72; i++)
        off = fmax(off, fabs(dst[i] - 100 * z[i]));
    ok(off <= 0.51, "planes are interpolated, across a gap too (worst %.2f)", off);
    ok(z[0] == 0 && fabsf(z[8] - 1.625f) < 1e-6f && fabsf(z[7 * 9] - 0.5f) < 1e-6f,
       "the map's corners hold");
    /* pixel (3, 3) lies 0.375 of the way between the middles (1.5) of the first bins on both
     * axes */
    float upper = 0.375f, lower = 0.5f + 0.375f;
    ok(fabsf(z[3 * 9 + 3] - (upper + 0.375f * (lower - upper))) < 1e-6f,
       "between the bins' middles the map is bilinear");
}

/* ---- Richardson-Lucy's convolution ----------------------------------------------------------- */

/* y and x periodic, z mirrored or periodic; transposed: the PSF turned about its centre. */
static void naive_blur(float *out, const float *in, struct kin_dims d, const struct kin_image *psf,
                       enum rl_ends ends, bool transposed)
{
    struct kin_dims p = psf->dims;
    int sign = transposed ? 1 : -1;
    int (*fold_z)(int, int) = ends == RL_PERIODIC ? kin_wrap : kin_mirror;
    int (*fold)(int, int) = ends == RL_MIRRORED ? kin_mirror : kin_wrap;
    for (size_t i = 0; i < kin_count(d); i++) {
        int x = (int)(i % d.x), y = (int)(i / d.x % d.y), z = (int)(i / d.x / d.y);
        double sum = 0;
        for (size_t k = 0; k < kin_count(p); k++) {
            int dx = (int)(k % p.x) - p.x / 2, dy = (int)(k / p.x % p.y) - p.y / 2,
                dz = (int)(k / p.x / p.y) - p.z / 2;
            size_t from = ((size_t)fold_z(z + sign * dz, d.z) * d.y + fold(y + sign * dy, d.y)) *
                              d.x +
                          fold(x + sign * dx, d.x);
            sum += (double)kin_f32(psf)[k] * in[from];
        }
        out[i] = (float)sum;
    }
}

static void check_blur(struct kin_dims d, const struct kin_image *psf, const char *name)
{
    static const char *const all_ends[] = {"periodic", "mirrored in z", "mirrored"};
    size_t n = kin_count(d);
    float *in = random_floats(n), *got = kin_alloc(4 * n), *want = kin_alloc(4 * n);
    for (int ends = RL_PERIODIC; ends <= RL_MIRRORED - !kin_psf_even_each(psf); ends++)
        for (int transposed = 0; transposed < 2; transposed++) {
            struct rl_plan *plan = dev->rl_plan(dev, d, psf, ends);
            dev->rl_load(dev, plan, in);
            dev->rl_blur(dev, plan, transposed);
            dev->rl_store(dev, plan, got);
            dev->rl_free(dev, plan);
            naive_blur(want, in, d, psf, ends, transposed);
            double w = worst(got, want, n);
            ok(w < 1e-5, "rl_blur, %s PSF, %s%s: worst %.1e", name, all_ends[ends],
               transposed ? ", transposed" : "", w);
        }
    free(in);
    free(got);
    free(want);
}

static void test_blur(void)
{
    struct kin_psf_params p = {
        .na = 0.75, .emission_nm = 525, .xy_nm = 377, .z_nm = 1500, .half_z = 3, .half_xy = 4};
    struct kin_image psf;
    kin_psf(&p, &psf, NULL);
    check_blur((struct kin_dims){5, 12, 37}, &psf, "even");
    check_blur((struct kin_dims){2, 9, 10}, &psf, "even, deeper than the stack,");
    check_blur((struct kin_dims){3, 3, 2}, &psf, "even, wider than the stack,");
    check_blur((struct kin_dims){3, 1, 20}, &psf, "even, on a line,");
    check_blur((struct kin_dims){3, 21, 1}, &psf, "even, across a line,");
    kin_image_free(&psf);
    p.model = KIN_PSF_GIBSON_LANNI;
    p.depth_nm = 20000;
    kin_psf(&p, &psf, NULL);
    check_blur((struct kin_dims){6, 15, 36}, &psf, "uneven in z,");
    kin_image_free(&psf);
    /* turned it is the same, mirrored it is not */
    kin_image_alloc(&psf, (struct kin_dims){3, 3, 5}, KIN_F32, NULL);
    for (size_t i = 0; i < kin_count(psf.dims); i++)
        kin_f32(&psf)[i] = (float)(1 + (i % 15 < 7 ? i % 15 : 14 - i % 15) * (i / 15 + 1)) / 100;
    check_blur((struct kin_dims){4, 8, 34}, &psf, "turned");
    kin_image_free(&psf);
    kin_image_alloc(&psf, (struct kin_dims){3, 4, 5}, KIN_F32, NULL);
    for (size_t i = 0; i < kin_count(psf.dims); i++)
        kin_f32(&psf)[i] = (float)uniform();
    check_blur((struct kin_dims){4, 8, 34}, &psf, "random");
    kin_image_free(&psf);
}

/* advance is predict, multiply, predict and load in one. */
static void test_advance(void)
{
    struct kin_psf_params p = {
        .na = 0.75, .emission_nm = 525, .xy_nm = 377, .z_nm = 1500, .half_z = 1, .half_xy = 3};
    struct kin_image psf;
    struct kin_dims d = {3, 16, 20};
    size_t n = kin_count(d);
    kin_psf(&p, &psf, NULL);
    struct rl_plan *plan = dev->rl_plan(dev, d, &psf, RL_MIRRORED_Z);
    float *factor = random_floats(n), *now = random_floats(n), *before = random_floats(n),
          *point = kin_alloc(4 * n), *next = kin_alloc(4 * n), *a = kin_alloc(4 * n),
          *b = kin_alloc(4 * n);
    dev->rl_predict(dev, point, now, before, 0.4f, n);
    dev->rl_load(dev, plan, factor);
    dev->rl_multiply(dev, plan, next, point);
    dev->rl_predict(dev, point, next, now, 0.7f, n);
    dev->rl_load(dev, plan, point);
    dev->rl_store(dev, plan, a);
    dev->rl_load(dev, plan, factor);
    dev->rl_advance(dev, plan, now, before, 0.4f, 0.7f);
    dev->rl_store(dev, plan, b);
    ok(!memcmp(next, before, 4 * n) && !memcmp(a, b, 4 * n),
       "rl_advance equals its four parts bit for bit");
    dev->rl_free(dev, plan);
    float *all[7] = {factor, now, before, point, next, a, b};
    for (int i = 0; i < 7; i++)
        free(all[i]);
    kin_image_free(&psf);
}

int main(void)
{
    struct kin_error err = {0};
    dev = device_open(DEVICE_CPU, 0, &err);
    test_gauss();
    test_median();
    test_measure();
    test_peak();
    test_take();
    test_blur();
    test_advance();
    ok(device_ok(dev, &err), "nothing failed %s", err.text);
    device_close(dev);
    return done();
}
