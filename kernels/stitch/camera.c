// SPDX-License-Identifier: MIT
// camera.c: the least, the greatest and the mean value of each pixel, over tiles of many places. No
// tissue is at the same pixel of all of them, so that a pixel that was never as dark as its
// neighbours is hot, and one that was never nearly as bright is dead. Neighbours two and three
// pixels away to both sides of it, in its row or in its column, are asked: a line of the camera may
// be faulty as a whole.
//
// Above the brightest values of a scene, others come ever more rarely; a value that more samples
// have than have the next one below is where the camera ends.
#include "stitch/camera.h"
#include "core/histogram.h"
#include "core/rank.h"
#include "core/simd.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    PILE = 4,       /* times as many samples as at the next value: a ceiling */
    BEYOND = 8,     /* deviations: more than noise */
    LEAST = 8,      /* ADU: so are fewer steps of eight bits not */
    AROUND = 2,     /* px: how far sound neighbours are looked for */
    SLICES = 32,    /* of the image of a tile: several threads add to it, each to another one */
    PIECE = 1 << 14 /* samples of a tile that the fastest cache holds */
};
static const double NEVER_AS_BRIGHT = 0.4; /* of the neighbours' light */

struct top { /* the greatest value of some samples, and the next one below */
    int most, below;
    uint64_t at_most, at_below, samples;
};

struct camera_look {
    int h, w, planes, images;
    uint16_t *least, *most; /* owned, one allocation: (h, w) each */
    uint32_t *sum;          /* owned, (h, w) */
    struct top *tops;       /* owned, (planes) */
    pthread_mutex_t doors[SLICES];
};

size_t camera_look_bytes(int h, int w)
{
    size_t n = (size_t)h * (size_t)w;
    return n * (2 * sizeof(uint16_t) + sizeof(uint32_t) + 2 * sizeof(float) + 1);
}

static void look_free(struct camera_look *look)
{
    free(look->least);
    free(look->sum);
    free(look->tops);
    for (int i = 0; i < SLICES; i++)
        pthread_mutex_destroy(&look->doors[i]);
    free(look);
}

struct camera_look *camera_look_new(int h, int w, int planes, struct kin_error *err)
{
    size_t n = (size_t)h * (size_t)w;
    struct camera_look *look = calloc(1, sizeof *look);
    if (look) {
        *look = (struct camera_look){.h = h, .w = w, .planes = planes};
        for (int i = 0; i < SLICES; i++)
            pthread_mutex_init(&look->doors[i], NULL);
        look->least = malloc(2 * n * sizeof *look->least);
        look->sum = calloc(n, sizeof *look->sum);
        look->tops = calloc((size_t)planes, sizeof *look->tops);
        if (look->least && look->sum && look->tops) {
            look->most = look->least + n;
            memset(look->least, 0xff, n * sizeof *look->least);
            memset(look->most, 0, n * sizeof *look->most);
            return look;
        }
        look_free(look);
    }
    kin_fail(err, KIN_MEMORY, "no memory for two images of a tile");
    return NULL;
}

/* ---- the ceiling ----------------------------------------------------------------------------- */

VECTOR_CLONES static int greatest_below(const uint16_t *tile, size_t n, int limit)
{
    int most = 0;
    for (size_t i = 0; i < n; i++) {
        int v = tile[i] < limit ? tile[i] : 0;
        most = v > most ? v : most;
    }
    return most;
}

/* Of no more than a piece. */
VECTOR_CLONES static uint16_t count_of(const uint16_t *tile, size_t n, int value)
{
    uint16_t count = 0;
    for (size_t i = 0; i < n; i++)
        count = (uint16_t)(count + (tile[i] == value));
    return count;
}

static struct top top_of_piece(const uint16_t *tile, size_t n)
{
    struct top t = {.samples = n};
    t.most = greatest_below(tile, n, KIN_BINS);
    t.below = greatest_below(tile, n, t.most);
    t.at_most = count_of(tile, n, t.most);
    t.at_below = count_of(tile, n, t.below);
    return t;
}

static uint64_t samples_at(const struct top *t, int value)
{
    return value == t->most ? t->at_most : value == t->below ? t->at_below : 0;
}

static struct top both(const struct top *a, const struct top *b)
{
    struct top t = {.samples = a->samples + b->samples};
    t.most = a->most > b->most ? a->most : b->most;
    int c = a->most < t.most ? a->most : a->below, d = b->most < t.most ? b->most : b->below;
    t.below = c > d ? c : d;
    t.at_most = samples_at(a, t.most) + samples_at(b, t.most);
    t.at_below = samples_at(a, t.below) + samples_at(b, t.below);
    return t;
}

static struct top top_of(const uint16_t *tile, size_t n)
{
    struct top all = {0};
    for (size_t i = 0; i < n; i += PIECE) {
        struct top piece = top_of_piece(tile + i, n - i < PIECE ? n - i : PIECE);
        all = both(&all, &piece);
    }
    return all;
}

static void find_ceiling(const struct camera_look *look, struct camera_faults *faults)
{
    struct top all = {0};
    for (int z = 0; z < look->planes; z++)
        all = both(&all, &look->tops[z]);
    if (!all.below || all.at_most < PILE * all.at_below)
        return;
    faults->ceiling = all.most;
    for (int z = 0; z < look->planes; z++) {
        const struct top *t = &look->tops[z];
        double share = t->samples ? (double)samples_at(t, all.most) / (double)t->samples : 0;
        if (share > faults->clipped) {
            faults->clipped = share;
            faults->plane = z;
        }
    }
}

/* ---- faulty pixels --------------------------------------------------------------------------- */

VECTOR_CLONES static void widen(uint16_t *restrict least, uint16_t *restrict most,
                                uint32_t *restrict sum, const uint16_t *restrict tile, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        least[i] = tile[i] < least[i] ? tile[i] : least[i];
        most[i] = tile[i] > most[i] ? tile[i] : most[i];
        sum[i] += tile[i];
    }
}

static void widen_slice(struct camera_look *look, int slice, const uint16_t *tile)
{
    size_t n = (size_t)look->h * (size_t)look->w, first = n * (size_t)slice / SLICES,
           end = n * (size_t)(slice + 1) / SLICES;
    pthread_mutex_lock(&look->doors[slice]);
    widen(look->least + first, look->most + first, look->sum + first, tile + first, end - first);
    pthread_mutex_unlock(&look->doors[slice]);
}

/* Threads begin at different slices. */
void camera_look_add(struct camera_look *look, int plane, const uint16_t *tile)
{
    size_t n = (size_t)look->h * (size_t)look->w;
    struct top top = top_of(tile, n);
    if (!top.below && top.at_most == n)
        return; /* one value: no camera took it */
    for (int i = 0; i < SLICES; i++)
        widen_slice(look, (2 * omp_get_thread_num() + i) % SLICES, tile);
#pragma omp critical(camera_look)
    {
        look->tops[plane] = both(&look->tops[plane], &top);
        look->images++;
    }
}

/* The images of a camera that faults are sought in, (h, w) each, less the dark frame. */
struct seen {
    int h, w;
    const float *field, *mean; /* least or greatest; mean */
    float floor, beyond;
};

/* Where the pixels to both sides of one are, in its row or its column. False: it is at the border.
 */
static bool sides_of(const struct seen *s, int y, int x, bool row, size_t *at, size_t *step)
{
    int i = row ? x : y, n = row ? s->w : s->h;
    *at = (size_t)y * (size_t)s->w + (size_t)x;
    *step = row ? 1 : (size_t)s->w;
    return i >= 3 && i + 3 < n;
}

/* The four that are two and three pixels away. */
static void across(const float *at, size_t step, float v[4])
{
    v[0] = at[-3 * (ptrdiff_t)step];
    v[1] = at[-2 * (ptrdiff_t)step];
    v[2] = at[2 * step];
    v[3] = at[3 * step];
}

static float least_of(const float v[4])
{
    float a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
    return a < b ? a : b;
}

static float most_of(const float v[4])
{
    float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

/* How much neighbours differ, robustly: 1.4826 times the median difference of pixels two columns
 * apart is sqrt 2 deviations. bins: KIN_BINS counters. */
static float spread_of(const float *field, int h, int w, uint64_t *bins)
{
    memset(bins, 0, KIN_BINS * sizeof *bins);
    for (int y = 0; y < h; y++)
        for (int x = 2; x < w; x++) {
            const float *at = field + (size_t)y * (size_t)w + x;
            bins[kin_round_u16(fabsf(at[0] - at[-2]))]++;
        }
    return 1.05f * (float)kin_quantile_u16(bins, 0.5);
}

/* The value below which a hundredth of the pixels lies. */
static float floor_of(const float *field, size_t n, uint64_t *bins)
{
    memset(bins, 0, KIN_BINS * sizeof *bins);
    for (size_t i = 0; i < n; i++)
        bins[kin_round_u16(field[i])]++;
    return (float)kin_quantile_u16(bins, 0.01);
}

/* Whether a pixel was never as dark as its neighbours, and is brighter than these on average too:
 * the least values of a few tiles may be tissue. That is never so sharp that the next pixels have
 * nothing of it. */
static bool is_hot(const struct seen *s, int y, int x, bool row)
{
    size_t at, step;
    float v[4], mean[4];
    if (!sides_of(s, y, x, row, &at, &step))
        return false;
    const float *field = s->field + at;
    across(field, step, v);
    float more = *field - most_of(v);
    if (more <= s->beyond || *field - fmaxf(*(field - step), field[step]) <= more / 2)
        return false;
    across(s->mean + at, step, mean);
    return s->mean[at] - most_of(mean) > more / 2;
}

/* Whether a pixel was never nearly as bright as its neighbours, nor on average. */
static bool is_dead(const struct seen *s, int y, int x, bool row)
{
    size_t at, step;
    float v[4], mean[4];
    if (!sides_of(s, y, x, row, &at, &step))
        return false;
    across(s->field + at, step, v);
    float light = least_of(v) - s->floor;
    if (light <= s->beyond || s->field[at] - s->floor >= (float)NEVER_AS_BRIGHT * light)
        return false;
    across(s->mean + at, step, mean);
    return s->mean[at] - s->floor < (float)NEVER_AS_BRIGHT * (least_of(mean) - s->floor);
}

static void mark(const struct seen *s, bool (*is_faulty)(const struct seen *, int, int, bool),
                 uint8_t *marks)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < s->h; y++)
        for (int x = 0; x < s->w; x++)
            marks[(size_t)y * (size_t)s->w + (size_t)x] |= is_faulty(s, y, x, true) ||
                                                           is_faulty(s, y, x, false);
}

static void find_near(struct camera_fault *fault, const uint8_t *marks, int h, int w)
{
    int y = (int)(fault->at / (uint32_t)w), x = (int)(fault->at % (uint32_t)w);
    for (int far = 1; far <= AROUND && fault->n < 3; far++)
        for (int dy = -far; dy <= far; dy++)
            for (int dx = -far; dx <= far && fault->n < 8; dx++) {
                int v = y + dy, u = x + dx;
                bool ring = abs(dy) == far || abs(dx) == far;
                if (ring && v >= 0 && v < h && u >= 0 && u < w && !marks[v * w + u])
                    fault->near[fault->n++] = (uint32_t)(v * w + u);
            }
}

static void list_faults(struct camera_faults *faults, const uint8_t *marks, int h, int w)
{
    size_t n = (size_t)h * (size_t)w, count = 0;
    for (size_t i = 0; i < n; i++)
        count += marks[i];
    faults->share = (double)count / (double)n;
    if (!count || faults->share > CAMERA_MOST)
        return;
    faults->list = calloc(count, sizeof *faults->list);
    for (size_t i = 0; faults->list && i < n; i++)
        if (marks[i]) {
            struct camera_fault *fault = &faults->list[faults->count++];
            fault->at = (uint32_t)i;
            find_near(fault, marks, h, w);
        }
}

static void subtract(float *field, const uint16_t *from, const float *dark, size_t n)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        field[i] = (float)from[i] - (dark ? dark[i] : 0);
}

/* work: two (h, w) of floats; bins: KIN_BINS. */
static void find_faults(const struct camera_look *look, const float *dark, float *work,
                        uint8_t *marks, uint64_t *bins, struct camera_faults *faults)
{
    int h = look->h, w = look->w;
    size_t n = (size_t)h * (size_t)w;
    struct seen seen = {h, w, work, work + n, 0, 0};
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        work[n + i] = (float)((double)look->sum[i] / look->images) - (dark ? dark[i] : 0);
    subtract(work, look->least, dark, n);
    seen.floor = floor_of(work, n, bins);
    seen.beyond = fmaxf(LEAST, BEYOND * spread_of(work, h, w, bins));
    mark(&seen, is_hot, marks);
    subtract(work, look->most, dark, n);
    mark(&seen, is_dead, marks);
    list_faults(faults, marks, h, w);
}

struct camera_faults camera_look_end(struct camera_look *look, int places, const float *dark)
{
    struct camera_faults faults = {0};
    if (!look)
        return faults;
    size_t n = (size_t)look->h * (size_t)look->w;
    if (look->images)
        find_ceiling(look, &faults);
    float *work = malloc(2 * n * sizeof *work);
    uint8_t *marks = calloc(n, 1);
    uint64_t *bins = malloc(KIN_BINS * sizeof *bins);
    if (work && marks && bins && look->images && places >= CAMERA_PLACES)
        find_faults(look, dark, work, marks, bins, &faults);
    free(work);
    free(marks);
    free(bins);
    look_free(look);
    return faults;
}

void camera_mend(const struct camera_faults *faults, uint16_t *tile)
{
    for (int i = 0; i < faults->count; i++) {
        const struct camera_fault *fault = &faults->list[i];
        float v[8];
        for (int k = 0; k < fault->n; k++)
            v[k] = tile[fault->near[k]];
        if (fault->n)
            tile[fault->at] = (uint16_t)kin_median_f32(v, (size_t)fault->n);
    }
}

void camera_faults_free(struct camera_faults *faults)
{
    free(faults->list);
    *faults = (struct camera_faults){0};
}
