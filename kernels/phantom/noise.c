// SPDX-License-Identifier: MIT
// noise.c: smooth random fields.
#include "phantom/noise.h"
#include "phantom/philox.h"

#include <stdlib.h>

/* Mean square of a cubic B-spline's weights over a cell, per axis: 151/315. */
static const double spline_power = 151.0 / 315.0;

static float lattice_value(const struct noise *field, int octave, int y, int x)
{
    double normal[2];
    struct philox r = philox(field->key, field->stream, (uint32_t)octave, (uint32_t)y, (uint32_t)x);
    philox_normals(r.v[0], r.v[1], normal);
    return (float)normal[0];
}

static bool open_octave(struct noise_patch *patch, int o, const double box[4])
{
    double cell = patch->field->cell / (double)(1 << o);
    int y0 = (int)floor(box[0] / cell) - 1, x0 = (int)floor(box[1] / cell) - 1;
    int h = (int)floor(box[2] / cell) + 3 - y0, w = (int)floor(box[3] / cell) + 3 - x0;
    float *at = malloc((size_t)h * (size_t)w * sizeof *at);
    if (!at)
        return false;
    for (int i = 0; i < h * w; i++)
        at[i] = lattice_value(patch->field, o, y0 + i / w, x0 + i % w);
    patch->lattice[o].at = at;
    patch->lattice[o].y0 = y0;
    patch->lattice[o].x0 = x0;
    patch->lattice[o].h = h;
    patch->lattice[o].w = w;
    return true;
}

bool noise_open(struct noise_patch *patch, const struct noise *field, double y0, double x0,
                double y1, double x1)
{
    const double box[] = {y0, x0, y1, x1};
    double power = 0;
    *patch = (struct noise_patch){.field = field};
    for (int o = 0; o < field->octaves; o++) {
        power += pow(field->gain, 2.0 * o) * spline_power * spline_power;
        if (!open_octave(patch, o, box)) {
            noise_close(patch);
            return false;
        }
    }
    patch->norm = (float)(1 / sqrt(power));
    return true;
}

void noise_close(struct noise_patch *patch)
{
    for (int o = 0; o < NOISE_OCTAVES; o++) {
        free(patch->lattice[o].at);
        patch->lattice[o].at = NULL;
    }
}

static void spline_weights(float t, float w[4])
{
    float s = 1 - t;
    w[0] = s * s * s / 6;
    w[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    w[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
    w[3] = t * t * t / 6;
}

static int clamp_index(int i, int n)
{
    return i < 0 ? 0 : i > n - 4 ? n - 4 : i;
}

float noise_at(const struct noise_patch *patch, double y, double x)
{
    float sum = 0, height = patch->norm;
    double scale = 1 / patch->field->cell;
    for (int o = 0; o < patch->field->octaves; o++) {
        double ly = y * scale, lx = x * scale, fy = floor(ly), fx = floor(lx);
        float wy[4], wx[4], value = 0;
        spline_weights((float)(ly - fy), wy);
        spline_weights((float)(lx - fx), wx);
        int w = patch->lattice[o].w,
            iy = clamp_index((int)fy - 1 - patch->lattice[o].y0, patch->lattice[o].h);
        int ix = clamp_index((int)fx - 1 - patch->lattice[o].x0, w);
        const float *at = patch->lattice[o].at + (size_t)iy * (size_t)w + ix;
        for (int j = 0; j < 4; j++, at += w)
            value += wy[j] * (wx[0] * at[0] + wx[1] * at[1] + wx[2] * at[2] + wx[3] * at[3]);
        sum += height * value;
        height *= (float)patch->field->gain;
        scale *= 2;
    }
    return sum;
}
