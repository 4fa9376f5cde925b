// SPDX-License-Identifier: MIT
// field.c: thumbnails of tiles, and fields at the size of tiles.
#include "core/simd.h"
#include "illum/illum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = ILLUM_SIDE };

VECTOR_CLONES static void add_row(double *restrict sum, const float *restrict pixels, int w,
                                  double share)
{
#pragma omp simd
    for (int x = 0; x < w; x++)
        sum[x] += share * (double)pixels[x];
}

/* Sum of the pixels from x0 to x1, fractions of pixels weighed. */
static double sum_between(const double *row, int w, double x0, double x1)
{
    int first = (int)x0, last = (int)x1;
    if (first == last)
        return (x1 - x0) * row[first];
    double s = (first + 1 - x0) * row[first];
    for (int x = first + 1; x < last; x++)
        s += row[x];
    return last < w ? s + (x1 - last) * row[last] : s;
}

/* Mean of the pixels under each square; line and sum: room for a row of pixels. */
static void reduce(const void *tile, enum kin_type type, int h, int w, float *line, double *sum,
                   float *thumb)
{
    double area = (double)h / N * w / N;
    for (int row = 0; row < N; row++) {
        double y0 = (double)row * h / N, y1 = (double)(row + 1) * h / N;
        memset(sum, 0, (size_t)w * sizeof *sum);
        for (int y = (int)y0; y < h && y < y1; y++) {
            size_t at = (size_t)y * (size_t)w * kin_type_size(type);
            kin_convert_f32(line, (const char *)tile + at, type, (size_t)w);
            add_row(sum, line, w, fmin(y + 1, y1) - fmax(y, y0));
        }
        for (int col = 0; col < N; col++)
            thumb[row * N + col] =
                (float)(sum_between(sum, w, (double)col * w / N, (double)(col + 1) * w / N) / area);
    }
}

bool illum_thumbnail(const void *tile, enum kin_type type, int h, int w, float *thumb)
{
    float *line = malloc((size_t)w * sizeof *line);
    double *sum = malloc((size_t)w * sizeof *sum);
    bool good = line && sum;
    if (good)
        reduce(tile, type, h, w, line, sum, thumb);
    free(line);
    free(sum);
    return good;
}

int illum_place_means(const float *thumbs, const int *place_of, int n, int places, float *means,
                      int *row)
{
    int count = 0;
    for (int k = 0; k < places; k++) {
        float *mean = means + (size_t)count * ILLUM_PIXELS;
        int seen = 0;
        memset(mean, 0, ILLUM_PIXELS * sizeof *mean);
        for (int i = 0; i < n; i++) {
            if ((place_of ? place_of[i] : i) != k)
                continue;
            seen++;
            for (int x = 0; x < ILLUM_PIXELS; x++)
                mean[x] += thumbs[(size_t)i * ILLUM_PIXELS + x];
        }
        for (int x = 0; seen && x < ILLUM_PIXELS; x++)
            mean[x] /= (float)seen;
        row[k] = seen ? count++ : -1;
    }
    return count;
}

/* Where pixel i of n lies between the samples of the field. */
static float between(int i, int n, int *low)
{
    double at = fmin(fmax((i + 0.5) * N / n - 0.5, 0), N - 1);
    *low = at < N - 2 ? (int)at : N - 2;
    return (float)(at - *low);
}

bool illum_expand(const float *field, int h, int w, struct kin_image *image, struct kin_error *err)
{
    if (!kin_image_alloc(image, (struct kin_dims){1, h, w}, KIN_F32, err))
        return false;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < h; y++) {
        int r, c;
        float fy = between(y, h, &r), *row = kin_f32(image) + (size_t)y * (size_t)w;
        for (int x = 0; x < w; x++) {
            float fx = between(x, w, &c);
            const float *a = field + r * N + c;
            row[x] = (1 - fy) * ((1 - fx) * a[0] + fx * a[1]) +
                     fy * ((1 - fx) * a[N] + fx * a[N + 1]);
        }
    }
    return true;
}

bool illum_gain(const struct kin_image *flat, float least, struct kin_image *gain,
                struct kin_error *err)
{
    if (!kin_image_alloc(gain, flat->dims, KIN_F32, err))
        return false;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < kin_count(flat->dims); i++)
        kin_f32(gain)[i] = 1 / fmaxf(kin_f32(flat)[i], least);
    return true;
}
