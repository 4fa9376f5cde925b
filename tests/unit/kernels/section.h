/* section.h: a thin section for tests: nuclei and autofluorescence on a curved surface, seen
 * through a widefield PSF by a camera that counts photons. Everything follows from the seed; all
 * truth is kept. The blur is a 3-D transform with padding, not the code under test. */
#pragma once

#include "device/device.h"
#include "image/psf.h"

#include <math.h>
#include <stdlib.h>

#define SECTION_GLOW 0.3f /* autofluorescence in the middle of the section, of a nucleus */

struct section {
    struct kin_dims dims;     /* of the stack */
    int margin;               /* pixels made around it, then cut off */
    struct kin_image object;  /* (z, y, x): what is there, 1 is a nucleus of mean brightness */
    struct kin_image blurred; /* (z, y, x): seen through the PSF, without noise */
    struct kin_image surface; /* (1, y, x): plane of the section, from 0 */
    struct kin_image focus;   /* (1, y, x): blurred, interpolated at the surface */
    struct kin_image cover;   /* (1, y, x): 0..1, where tissue is */
};

static inline uint32_t section_hash(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t h = a * 0x9E3779B97F4A7C15ull ^ (b + 0x7F4A7C15u) * 0xC2B2AE3D27D4EB4Full ^
                 (c + 1) * 0x165667B19E3779F9ull;
    h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 29)) * 0x94D049BB133111EBull;
    return (uint32_t)(h >> 32);
}

/* Uniform in (0, 1), number i of stream s. */
static inline double section_uniform(uint32_t seed, uint32_t s, uint32_t i)
{
    return (section_hash(seed, s, i) + 0.5) / 4294967296.0;
}

static inline double section_normal(uint32_t seed, uint32_t s, uint32_t i)
{
    return sqrt(-2 * log(section_uniform(seed, s, 2 * i))) *
           cos(2 * M_PI * section_uniform(seed, s, 2 * i + 1));
}

/* Smooth value noise of that cell size, about unit variance. */
static inline double section_noise(uint32_t seed, uint32_t s, double y, double x, double cell)
{
    double gy = y / cell + 1000, gx = x / cell + 1000, ty = gy - floor(gy), tx = gx - floor(gx);
    uint32_t iy = (uint32_t)gy, ix = (uint32_t)gx;
    ty = ty * ty * (3 - 2 * ty);
    tx = tx * tx * (3 - 2 * tx);
    double v[4];
    for (int k = 0; k < 4; k++)
        v[k] = section_normal(seed, s, section_hash(iy + k / 2, ix + k % 2, s) >> 1);
    return 1.4 * ((v[0] * (1 - tx) + v[1] * tx) * (1 - ty) + (v[2] * (1 - tx) + v[3] * tx) * ty);
}

static inline double section_fractal(uint32_t seed, uint32_t s, double y, double x, double cell)
{
    double sum = 0, gain = 1;
    for (int octave = 0; octave < 4; octave++, gain *= 0.5, cell *= 0.5)
        sum += gain * section_noise(seed, s + (uint32_t)octave, y, x, cell);
    return sum / 1.15;
}

static inline uint32_t section_poisson(double mean, uint32_t seed, uint32_t i)
{
    if (mean > 50)
        return (uint32_t)fmax(0, rint(mean + sqrt(mean) * section_normal(seed, 90, i)));
    double p = exp(-mean), sum = p, u = section_uniform(seed, 91, i);
    uint32_t k = 0;
    while (u > sum && k < 400) {
        k++;
        p *= mean / k;
        sum += p;
    }
    return k;
}

/* One nucleus into the padded object (z, h, w); centre in pixels and planes, semi-axes in um. */
static inline void section_nucleus(float *o, struct kin_dims d, const double at[3], uint32_t seed,
                                   uint32_t id, double xy, double dz)
{
    double a = 2.4 + 1.8 * section_uniform(seed, 20, id),
           b = a * (0.6 + 0.4 * section_uniform(seed, 21, id));
    double thick = 1.5 + section_uniform(seed, 22, id),
           angle = M_PI * section_uniform(seed, 23, id);
    double bright = exp(0.37 * section_normal(seed, 24, id)),
           phase = 6.28 * section_uniform(seed, 25, id);
    int reach = (int)ceil(1.3 * a / xy);
    for (int z = 0; z < d.z; z++)
        for (int y = (int)at[1] - reach; y <= at[1] + reach; y++)
            for (int x = (int)at[2] - reach; x <= at[2] + reach; x++) {
                if (y < 0 || x < 0 || y >= d.y || x >= d.x)
                    continue;
                double py = (y - at[1]) * xy, px = (x - at[2]) * xy, pz = (z - at[0]) * dz / thick;
                double u = (cos(angle) * px + sin(angle) * py) / a,
                       v = (cos(angle) * py - sin(angle) * px) / b;
                double lobes = 1 + 0.12 * cos(3 * atan2(v, u) + phase),
                       r = sqrt((u * u + v * v) / (lobes * lobes) + pz * pz);
                double edge = fmin(fmax(4 * (1 - r) + 0.5, 0), 1);
                if (edge <= 0)
                    continue;
                double texture = 1 + 0.35 * section_noise(seed, 30, y * xy, x * xy, 0.9);
                o[((size_t)z * d.y + y) * d.x + x] += (float)(bright * edge * (1 - 0.35 * r * r) *
                                                              fmax(texture, 0.1));
            }
}

static inline void section_surface(struct section *t, struct kin_dims d, double bend, uint32_t seed,
                                   float *z0, float *cover)
{
    for (int y = 0; y < d.y; y++)
        for (int x = 0; x < d.x; x++) {
            double z = d.z / 2.0 + bend * section_fractal(seed, 2, y, x, d.y / 2.0) / 3 +
                       (2.0 * x / d.x - 1);
            z0[(size_t)y * d.x + x] = (float)fmin(fmax(z, 2), d.z - 3);
            double f = section_fractal(seed, 1, y, x, d.y / 3.0);
            cover[(size_t)y * d.x + x] = (float)fmin(fmax(6 * (f + 0.9) + 0.5, 0), 1);
        }
}

static inline void section_object(float *o, struct kin_dims d, const float *z0, const float *cover,
                                  uint32_t seed, double xy, double dz)
{
    int count = (int)(9e-3 * d.y * d.x * xy * xy);
    for (int i = 0; i < count; i++) {
        double y = section_uniform(seed, 10, i) * (d.y - 1),
               x = section_uniform(seed, 11, i) * (d.x - 1);
        size_t p = (size_t)y * d.x + (size_t)x;
        if (cover[p] > 0.5)
            section_nucleus(o, d, (double[3]){z0[p] + 0.35 * section_normal(seed, 12, i), y, x},
                            seed, i, xy, dz);
    }
    for (int z = 0; z < d.z; z++)
        for (size_t p = 0; p < (size_t)d.y * d.x; p++) {
            float *v = o + (size_t)z * d.y * d.x + p, off = z - z0[p];
            *v = *v / (1 + *v / 4) + SECTION_GLOW * cover[p] * expf(-off * off / 2);
        }
}

/* o (dims d) convolved with the PSF, nothing outside in z, into b of the same dims. */
static inline void section_blur(struct device *dev, const float *o, float *b, struct kin_dims d,
                                const struct kin_image *psf)
{
    struct kin_dims n = {kin_good_size(d.z + psf->dims.z, false), kin_good_size(d.y, false),
                         kin_good_size(d.x, true)},
                    p = psf->dims;
    size_t count = kin_count(n), half = (size_t)n.z * n.y * (n.x / 2 + 1);
    float *real = kin_alloc(count * 4), *ho = kin_alloc(half * 8), *hp = kin_alloc(half * 8);
    struct fft_plan *plan = dev->fft_plan(dev, n, 1);
    for (int z = 0; z < p.z; z++)
        for (int y = 0; y < p.y; y++)
            for (int x = 0; x < p.x; x++) {
                int tz = (z - p.z / 2 + n.z) % n.z, ty = (y - p.y / 2 + n.y) % n.y,
                    tx = (x - p.x / 2 + n.x) % n.x;
                real[((size_t)tz * n.y + ty) * n.x + tx] = kin_f32(
                    psf)[((size_t)z * p.y + y) * p.x + x];
            }
    dev->fft_forward(dev, plan, real, hp);
    memset(real, 0, count * 4);
    for (int z = 0; z < d.z; z++)
        for (int y = 0; y < d.y; y++)
            memcpy(real + ((size_t)z * n.y + y) * n.x, o + ((size_t)z * d.y + y) * d.x,
                   (size_t)d.x * 4);
    dev->fft_forward(dev, plan, real, ho);
    for (size_t i = 0; i < half; i++) {
        float re = ho[2 * i] * hp[2 * i] - ho[2 * i + 1] * hp[2 * i + 1];
        ho[2 * i + 1] = ho[2 * i] * hp[2 * i + 1] + ho[2 * i + 1] * hp[2 * i];
        ho[2 * i] = re;
    }
    dev->fft_inverse(dev, plan, ho, real);
    for (int z = 0; z < d.z; z++)
        for (int y = 0; y < d.y; y++)
            memcpy(b + ((size_t)z * d.y + y) * d.x, real + ((size_t)z * n.y + y) * n.x,
                   (size_t)d.x * 4);
    dev->fft_free(dev, plan);
    free(real);
    free(ho);
    free(hp);
}

/* The middle of a padded volume. */
static inline void section_crop(const float *from, struct kin_dims d, int margin,
                                struct kin_image *to, int planes, struct kin_dims want)
{
    kin_image_alloc(to, (struct kin_dims){planes, want.y, want.x}, KIN_F32, NULL);
    for (int z = 0; z < planes; z++)
        for (int y = 0; y < want.y; y++)
            memcpy(kin_f32(to) + ((size_t)z * want.y + y) * want.x,
                   from + ((size_t)z * d.y + y + margin) * d.x + margin, (size_t)want.x * 4);
}

static inline void section_infocus(struct section *t)
{
    size_t plane = (size_t)t->dims.y * t->dims.x;
    kin_image_alloc(&t->focus, (struct kin_dims){1, t->dims.y, t->dims.x}, KIN_F32, NULL);
    for (size_t p = 0; p < plane; p++) {
        float z = kin_f32(&t->surface)[p], f = z - floorf(z);
        const float *b = kin_f32(&t->blurred) + (size_t)z * plane + p;
        kin_f32(&t->focus)[p] = b[0] * (1 - f) + b[plane] * f;
    }
}

/* bend: planes by which the surface waves. */
static inline void section_make(struct device *dev, struct section *t, struct kin_dims dims,
                                double bend, uint32_t seed, const struct kin_image *psf,
                                double xy_nm, double z_nm)
{
    *t = (struct section){.dims = dims, .margin = psf->dims.x / 2 + 4};
    struct kin_dims d = {dims.z, dims.y + 2 * t->margin, dims.x + 2 * t->margin};
    size_t plane = (size_t)d.y * d.x;
    float *o = kin_alloc(kin_count(d) * 4), *b = kin_alloc(kin_count(d) * 4),
          *z0 = kin_alloc(plane * 8), *cover = z0 + plane;
    section_surface(t, d, bend, seed, z0, cover);
    section_object(o, d, z0, cover, seed, xy_nm / 1000, z_nm / 1000);
    section_blur(dev, o, b, d, psf);
    section_crop(o, d, t->margin, &t->object, dims.z, dims);
    section_crop(b, d, t->margin, &t->blurred, dims.z, dims);
    section_crop(z0, d, t->margin, &t->surface, 1, dims);
    section_crop(cover, d, t->margin, &t->cover, 1, dims);
    section_infocus(t);
    free(o);
    free(b);
    free(z0);
}

static inline void section_free(struct section *t)
{
    struct kin_image *all[5] = {&t->object, &t->blurred, &t->surface, &t->focus, &t->cover};
    for (int i = 0; i < 5; i++)
        kin_image_free(all[i]);
}

static inline int section_by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* The value that a share of n samples lies below. */
static inline double section_quantile(const float *a, size_t n, double share)
{
    float *sorted = malloc(n * sizeof *sorted);
    memcpy(sorted, a, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, section_by_value);
    double value = sorted[(size_t)(share * (double)(n - 1))];
    free(sorted);
    return value;
}

/* What the camera makes of it, `photons` being the level of the brightest nuclei:
 * Poisson(background + photons b) + read noise of 3 e, plus the offset. */
static inline void section_photograph(const struct section *t, double photons, double background,
                                      double offset, uint32_t seed, struct kin_image *image)
{
    photons /= section_quantile(kin_f32(&t->blurred), kin_count(t->dims), 0.999);
    kin_image_alloc(image, t->dims, KIN_U16, NULL);
    for (size_t i = 0; i < kin_count(t->dims); i++) {
        double mean = background + photons * fmax(kin_f32(&t->blurred)[i], 0);
        double e = section_poisson(mean, seed, (uint32_t)i) +
                   3 * section_normal(seed, 92, (uint32_t)i);
        kin_u16(image)[i] = kin_round_u16((float)(e + offset));
    }
}

/* Pearson's correlation. */
static inline double section_ncc(const float *a, const float *b, size_t n)
{
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (size_t i = 0; i < n; i++) {
        sa += a[i];
        sb += b[i];
        saa += (double)a[i] * a[i];
        sbb += (double)b[i] * b[i];
        sab += (double)a[i] * b[i];
    }
    double ca = saa - sa * sa / n, cb = sbb - sb * sb / n;
    return (sab - sa * sb / n) / sqrt(ca * cb);
}
