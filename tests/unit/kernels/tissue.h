/* tissue.h: a made-up tissue and an exact moving copy of it, for registration tests: nuclei with
 * texture, membranes, autofluorescence, photon noise; the truth is the map that was used. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/cubic.h"

struct tissue {
    int n;        /* pixels a side */
    float *value; /* n * n, 1.0 is about a nucleus */
    uint8_t *mask;
};

struct random {
    uint64_t state;
};

static inline double uniform(struct random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline double normal(struct random *r)
{
    double u = uniform(r) + 1e-300;
    return sqrt(-2 * log(u)) * cos(2 * M_PI * uniform(r));
}

/* out (n, n) += factor times the cubic through nodes (count, count), which lie `cell` apart. Their
 * rows are interpolated once for each row of pixels. */
static inline void fractal_octave(float *out, int n, const float *nodes, int count, float cell,
                                  float factor)
{
    float *line = calloc((size_t)count, sizeof *line);
    for (int y = 0; y < n; y++) {
        float at = (float)y / cell, w[4];
        int row = (int)at;
        cubic_weights(at - (float)row, w);
        memset(line, 0, (size_t)count * sizeof *line);
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < count; i++)
                line[i] += w[j] * nodes[(size_t)cubic_clamp(row + j - 1, count) * count + i];
        for (int x = 0; x < n; x++) {
            float along = (float)x / cell;
            int i = (int)along;
            cubic_weights(along - (float)i, w);
            out[(size_t)y * n + x] += factor *
                                      (w[0] * line[i > 0 ? i - 1 : 0] + w[1] * line[i] +
                                       w[2] * line[i + 1] + w[3] * line[cubic_clamp(i + 2, count)]);
        }
    }
    free(line);
}

/* Smooth noise of unit variance or so: random numbers every `cell` pixels, cubic between, octaves
 * halving. */
static inline float *fractal(int n, double cell, int octaves, struct random *r)
{
    float *out = calloc((size_t)n * n, sizeof *out);
    double amplitude = 1;
    for (int o = 0; o < octaves; o++, cell /= 2, amplitude /= 2) {
        int count = (int)(n / cell) + 3;
        float *nodes = malloc((size_t)count * count * sizeof *nodes);
        for (int i = 0; i < count * count; i++)
            nodes[i] = (float)normal(r);
        fractal_octave(out, n, nodes, count, (float)cell, (float)amplitude * 1.3f);
        free(nodes);
    }
    return out;
}

static inline void stamp_nucleus(struct tissue *t, struct random *r, const float *texture)
{
    double cy = uniform(r) * t->n, cx = uniform(r) * t->n, radius = 7 + 4 * uniform(r);
    double aspect = 0.6 + 0.4 * uniform(r), turn = M_PI * uniform(r), phase = 6 * uniform(r);
    double level = exp(0.4 * normal(r));
    if (!t->mask[(size_t)(int)cy * t->n + (int)cx])
        return;
    for (int y = (int)(cy - 13); y <= cy + 13; y++)
        for (int x = (int)(cx - 13); x <= cx + 13; x++) {
            if (y < 0 || x < 0 || y >= t->n || x >= t->n)
                continue;
            double u = ((x - cx) * cos(turn) + (y - cy) * sin(turn)) / radius;
            double v = (-(x - cx) * sin(turn) + (y - cy) * cos(turn)) / (radius * aspect);
            double d = hypot(u, v) * (1 + 0.12 * cos(3 * atan2(v, u) + phase));
            double m = fmin(fmax((1 - d) * radius / 2 + 0.5, 0), 1) * (1 - 0.35 * d * d);
            t->value[(size_t)y * t->n + x] += (float)(level * m *
                                                      (1 + 0.25 * texture[(size_t)y * t->n + x]));
        }
}

static inline void soften(float *v, int n)
{
    static const float w[5] = {0.0545f, 0.2442f, 0.4026f, 0.2442f, 0.0545f};
    float *row = malloc((size_t)n * n * sizeof *row);
    for (int pass = 0; pass < 2; pass++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                float sum = 0;
                for (int k = -2; k <= 2; k++)
                    sum += w[k + 2] * v[(size_t)y * n + cubic_clamp(x + k, n)];
                row[(size_t)x * n + y] = sum;
            }
        for (size_t i = 0; i < (size_t)n * n; i++)
            v[i] = row[i];
    }
    free(row);
}

static inline struct tissue tissue_make(int n, uint64_t seed)
{
    struct random r = {seed * 7919 + 1};
    struct tissue t = {n, calloc((size_t)n * n, sizeof(float)), malloc((size_t)n * n)};
    float *shape = fractal(n, n / 3.0, 4, &r), *texture = fractal(n, 3, 1, &r),
          *ridge = fractal(n, 37, 2, &r);
    for (size_t i = 0; i < (size_t)n * n; i++)
        t.mask[i] = shape[i] > -0.7f;
    int nuclei = (int)(9e-3 * 0.142 * n * n);
    for (int i = 0; i < nuclei; i++)
        stamp_nucleus(&t, &r, texture);
    for (size_t i = 0; i < (size_t)n * n; i++) {
        float v = fmaxf(t.value[i], 0), g = ridge[i] / 0.16f;
        v = v / (1 + 0.25f * v);
        if (t.mask[i])
            v += 0.25f * expf(-g * g) + 0.25f * fmaxf(0.6f + 0.35f * shape[i], 0);
        t.value[i] = v;
    }
    soften(t.value, n);
    free(shape);
    free(texture);
    free(ridge);
    return t;
}

static inline void tissue_free(struct tissue *t)
{
    free(t->value);
    free(t->mask);
}

static inline float tissue_at(const struct tissue *t, double y, double x)
{
    int iy = (int)floor(y), ix = (int)floor(x);
    float wy[4], wx[4], sum = 0;
    cubic_weights((float)(y - iy), wy);
    cubic_weights((float)(x - ix), wx);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            sum += wy[j] * wx[i] *
                   t->value[(size_t)cubic_clamp(iy + j - 1, t->n) * t->n +
                            cubic_clamp(ix + i - 1, t->n)];
    return sum;
}

static inline uint16_t camera(double photons, struct random *r)
{
    double e = photons + sqrt(fmax(photons, 0)) * normal(r) + 3 * normal(r);
    return (uint16_t)fmin(fmax(lround(2 * e + 200), 1), 65535);
}
