// SPDX-License-Identifier: MIT
/* The two modes share everything but their last steps.
 *
 * focus: score = Gauss(V / (mean + 50)) of bins of 4 x 4 pixels; the best plane and a parabola;
 * median 5; Gauss weighted with sqrt(best - median); two planes interpolated.
 *
 * clij2: score = Gauss(V) at every pixel; the best plane's pixel as it is (Haase et al., Nature
 * Methods 17:5, 2020; boxes for discs).
 *
 * V is the variance in boxes. A Gaussian of 15 pixels has nothing to say about single pixels, so in
 * focus mode the map is made on bins, a sixteenth of the work. A band, in bins:
 *
 *     rows that are read     |--------|===================|--------|
 *     rows that are written           |===================|
 *                            | reach  |
 *
 * reach covers every window that a written row looks through: Gauss, local mean, median, Gauss.
 * Windows mirror at the image's edge; at a band's inner edge they mirror too, but what that spoils
 * stays inside of reach. */
#include "core/background.h"
#include "core/each.h"
#include "edof/edof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOCUS_BIN = 4, MEDIAN_REACH = 2, CHUNK = 64, PIECE = 128 };
enum { SURE = 64 };                  /* of 255: confidence of what is in focus; noise has less */
static const double IN_FOCUS = 0.10; /* of the pixels, at least: debris above the tissue has less */
static const size_t CARD_MEMORY = (size_t)4 << 30; /* other jobs share the card */
static const float FOCUS_ADD =
    50; /* ADU: added to the local mean, so that dark noise does not win */
static const float FOCUS_DOUBT =
    1e-3f; /* weight of the middle of the stack: far below that of noise */

/* At most PIECE rows on their way to the sinks: owned host memory, (rows, x). */
struct piece {
    const struct kin_edof_sinks *sinks;
    int threads, rows;
    uint16_t *image;
    float *z;            /* planes, counted from 1 */
    uint8_t *confidence; /* NULL where a map is followed */
};

/* Over pixels: the sum of the confidence, how many are in focus, and how many of these at the ends
 * of the stack. */
struct trusting {
    uint64_t trust, sure, at_end;
};

/* One projection on its way. */
struct job {
    struct device *dev;
    const struct kin_source *source, *zmap;
    const struct kin_edof_params *params;
    const struct kin_edof_sinks *sinks;
    struct kin_edof_report *report;
    double offset;       /* of a map that is followed */
    int bin, reach;      /* reach in bins */
    struct kin_dims map; /* bins of the whole image */
    double z_sum;
    struct trusting sums;
    struct piece pieces[2]; /* one is filled while the other is written */
    int turn;
    struct kin_background *writing;
};

/* Rows of one band, and its buffers. Device memory but for host_trust. */
struct band {
    int y0, y1;      /* written rows of pixels */
    int b0, b1;      /* bins that are computed */
    int p0, rows;    /* first row of pixels in the stack (may lie outside of the image), rows */
    uint16_t *stack; /* (planes, rows, x) */
    float *score;    /* (planes, bins) */
    float *z, *weight, *trust, *spread, *level; /* (bins) */
    uint16_t *image;                            /* (y1 - y0, x) */
    float *full;                                /* (y1 - y0, x): z at full resolution */
    float *host_trust;
};

void kin_edof_defaults(struct kin_edof_params *params, enum kin_edof_mode mode)
{
    bool focus = mode == KIN_EDOF_FOCUS;
    *params = (struct kin_edof_params){.mode = mode,
                                       .radius = focus ? 3 : 5,
                                       .sigma = focus ? 15 : 20,
                                       .max_zero = 0.10,
                                       .max_saturated = 0.05,
                                       .min_planes = 3};
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static int gauss_reach(double sigma)
{
    return (int)ceil(4 * sigma) + 1;
}

static float map_sigma(const struct job *job)
{
    return (float)(job->params->sigma / job->bin);
}

/* sigma whose Gaussian is as wide as a box of 8 radius + 1 pixels, in bins. */
static float mean_sigma(const struct job *job)
{
    double side = 8.0 * job->params->radius + 1;
    return (float)(sqrt((side * side - 1) / 12) / job->bin);
}

/* A map that is followed tells the plane of each pixel by itself: bins of one, and no reach. */
static void shape_job(struct job *job)
{
    struct kin_dims d = job->source->dims;
    bool focus = job->params->mode == KIN_EDOF_FOCUS;
    job->bin = !job->zmap && focus && job->params->sigma >= 2 * FOCUS_BIN ? FOCUS_BIN : 1;
    job->map = (struct kin_dims){1, (d.y + job->bin - 1) / job->bin,
                                 (d.x + job->bin - 1) / job->bin};
    job->reach = gauss_reach(map_sigma(job));
    if (focus)
        job->reach += gauss_reach(mean_sigma(job)) + MEDIAN_REACH + gauss_reach(map_sigma(job)) + 1;
    if (job->zmap)
        job->reach = 0;
}

/* The band whose written rows begin at y0. */
static struct band shape_band(const struct job *job, int y0, int rows)
{
    struct band b = {.y0 = y0,
                     .y1 = y0 + rows < job->source->dims.y ? y0 + rows : job->source->dims.y};
    int apron = job->zmap ? 0 : job->params->radius;
    b.b0 = y0 / job->bin - job->reach;
    b.b1 = (b.y1 + job->bin - 1) / job->bin + job->reach;
    b.b0 = b.b0 < 0 ? 0 : b.b0;
    b.b1 = b.b1 > job->map.y ? job->map.y : b.b1;
    int last = b.b1 * job->bin < job->source->dims.y ? b.b1 * job->bin : job->source->dims.y;
    b.p0 = b.b0 * job->bin - apron;
    b.rows = last + apron - b.p0;
    return b;
}

static size_t bytes_of(const struct job *job, int rows)
{
    struct kin_dims d = job->source->dims;
    size_t planes = (size_t)job->report->used.count, width = (size_t)d.x;
    int all = rows + 2 * (job->reach * job->bin + job->params->radius + job->bin);
    size_t read = (size_t)(all < d.y + 2 * job->params->radius ? all
                                                               : d.y + 2 * job->params->radius);
    size_t bins = (read / (size_t)job->bin + 2) * (size_t)job->map.x;
    return planes * read * width * 2 + bins * 4 * ((job->zmap ? 0 : planes) + 7) +
           (size_t)rows * width * 6 + 2 * (size_t)PIECE * width * 7;
}

/* Bytes that a band may take. */
static size_t room_of(const struct job *job)
{
    if (job->dev->memory)
        return job->dev->memory < CARD_MEMORY ? job->dev->memory : CARD_MEMORY;
    return job->params->memory ? job->params->memory : (size_t)1 << 30;
}

/* Rows of a band that fit into the memory, a multiple of 64; 0: not even one. */
static int band_rows(const struct job *job)
{
    size_t memory = room_of(job);
    int rows = (job->source->dims.y + 63) / 64 * 64;
    while (rows > 0 && bytes_of(job, rows) > memory)
        rows -= 64;
    return rows;
}

static bool too_little(const struct job *job, struct kin_error *err)
{
    bool card = job->dev->memory;
    return kin_fail(err, KIN_MEMORY,
                    "%zu MB%s are too little memory for 64 rows of %d planes: at least %zu MB (%s)",
                    room_of(job) >> 20, card ? " of the card" : "", job->report->used.count,
                    (bytes_of(job, 64) >> 20) + 1, card ? "--gpu-memory" : "--memory");
}

/* ---- buffers --------------------------------------------------------------------------------- */

static bool band_alloc(const struct job *job, struct band *b, struct kin_error *err)
{
    struct device *dev = job->dev;
    size_t planes = (size_t)job->report->used.count, width = (size_t)job->source->dims.x;
    size_t bins = (size_t)(b->b1 - b->b0) * (size_t)job->map.x * sizeof(float),
           out = (size_t)(b->y1 - b->y0) * width;
    b->stack = dev->alloc(dev, planes * (size_t)b->rows * width * sizeof *b->stack);
    b->score = job->zmap ? NULL : dev->alloc(dev, planes * bins);
    float **maps[5] = {&b->z, &b->weight, &b->trust, &b->spread, &b->level};
    for (int i = 0; i < 5; i++)
        *maps[i] = dev->alloc(dev, bins);
    b->image = dev->alloc(dev, out * sizeof *b->image);
    b->full = dev->alloc(dev, out * sizeof *b->full);
    b->host_trust = malloc(bins);
    if (!b->host_trust)
        return kin_fail(err, KIN_MEMORY, "no memory for %d rows of an image", b->y1 - b->y0);
    return device_ok(dev, err);
}

static void band_free(const struct job *job, struct band *b)
{
    void *buffers[9] = {b->stack,  b->score, b->z,     b->weight, b->trust,
                        b->spread, b->level, b->image, b->full};
    for (int i = 0; i < 9; i++)
        job->dev->release(job->dev, buffers[i]);
    free(b->host_trust);
}

/* Rows i .. i+count-1 of the band of a plane; those outside of the image are mirrored. rows: room
 * for twice as many. */
static bool read_rows(const struct job *job, const struct band *b, int z, int i, int count,
                      uint16_t *rows, struct kin_error *err)
{
    size_t width = (size_t)job->source->dims.x;
    int h = job->source->dims.y, low = h, high = 0;
    for (int k = i; k < i + count; k++) {
        int y = kin_mirror(b->p0 + k, h);
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    bool straight = b->p0 + i == low && high - low + 1 == count;
    uint16_t *read = straight ? rows : rows + (size_t)count * width;
    if (!job->source->rows(job->source->user, z, low, high - low + 1, read, err))
        return false;
    for (int k = 0; !straight && k < count; k++)
        memcpy(rows + (size_t)k * width,
               read + (size_t)(kin_mirror(b->p0 + i + k, h) - low) * width, width * sizeof *rows);
    return true;
}

/* CHUNK of the band's rows of a used plane, to the device. rows: room for twice as many. */
static bool load_rows(const struct job *job, const struct band *b, const struct kin_piece *piece,
                      uint16_t *rows, struct kin_error *err)
{
    size_t width = (size_t)job->source->dims.x,
           at = (size_t)piece->z * (size_t)b->rows + (size_t)piece->y0;
    if (!read_rows(job, b, job->report->used.number[piece->z], piece->y0, piece->rows, rows, err))
        return false;
    job->dev->upload(job->dev, b->stack + at * width, rows,
                     (size_t)piece->rows * width * sizeof *rows);
    return true;
}

struct loading {
    const struct job *job;
    const struct band *band;
};

static bool load_piece(void *user, const struct kin_piece *piece, struct kin_error *err)
{
    const struct loading *l = user;
    struct device *dev = l->job->dev;
    uint16_t *rows = dev->host_alloc(dev, 2 * (size_t)CHUNK * (size_t)l->job->source->dims.x *
                                              sizeof *rows);
    bool good = rows ? load_rows(l->job, l->band, piece, rows, err)
                     : kin_fail(err, KIN_MEMORY, "no memory for %d rows of a plane", CHUNK);
    dev->host_release(dev, rows);
    return good;
}

/* All used planes, several at a time: on a card, reading takes longer than the rest. */
static bool load_stack(const struct job *job, const struct band *b, struct kin_error *err)
{
    struct loading loading = {job, b};
    return kin_each_piece(job->report->used.count, b->rows, CHUNK, job->dev->threads, load_piece,
                          &loading, err);
}

/* ---- the map --------------------------------------------------------------------------------- */

static void score_plane(const struct job *job, struct band *b, int k)
{
    struct device *dev = job->dev;
    struct kin_dims d = job->source->dims, bins = {1, b->b1 - b->b0, job->map.x};
    size_t n = kin_count(bins);
    bool focus = job->params->mode == KIN_EDOF_FOCUS;
    const uint16_t *plane = b->stack + (size_t)k * (size_t)b->rows * (size_t)d.x;
    float *score = b->score + (size_t)k * n;
    dev->focus_measure(dev, b->spread, b->level, plane, (struct kin_dims){1, b->rows, d.x},
                       job->params->radius, job->bin, focus ? job->report->clip : 65535);
    if (focus) {
        dev->gauss_xy(dev, b->z, b->level, bins, mean_sigma(job));
        dev->focus_score(dev, b->spread, b->spread, b->z, FOCUS_ADD, n);
    }
    dev->gauss_xy(dev, score, b->spread, bins, map_sigma(job));
}

static void find_map(const struct job *job, struct band *b)
{
    struct device *dev = job->dev;
    const struct focus_planes *used = &job->report->used;
    struct kin_dims bins = {1, b->b1 - b->b0, job->map.x};
    size_t n = kin_count(bins);
    bool focus = job->params->mode == KIN_EDOF_FOCUS;
    for (int k = 0; k < used->count; k++)
        score_plane(job, b, k);
    dev->focus_peak(dev, b->z, b->weight, b->trust, b->score, n, used, focus);
    if (!focus)
        return;
    dev->median5(dev, b->level, b->z, bins);
    dev->focus_weigh(dev, b->level, b->level, b->weight, n);
    dev->gauss_xy(dev, b->spread, b->level, bins, map_sigma(job));
    dev->gauss_xy(dev, b->level, b->weight, bins, map_sigma(job));
    float middle = 0.5f * (float)(used->number[0] + used->number[used->count - 1]);
    dev->focus_settle(dev, b->z, b->spread, b->level, middle, FOCUS_DOUBT, n);
}

/* Rows of the map that was made before, counted from 0 here. */
static bool follow_map(const struct job *job, struct band *b, struct kin_error *err)
{
    size_t n = (size_t)(b->b1 - b->b0) * (size_t)job->map.x;
    float *z = malloc(n * sizeof *z);
    if (!z)
        return kin_fail(err, KIN_MEMORY, "no memory for %d rows of a z map", b->b1 - b->b0);
    bool good = job->zmap->rows(job->zmap->user, 0, b->b0, b->b1 - b->b0, z, err);
    for (size_t i = 0; good && i < n; i++)
        z[i] = z[i] - 1 + (float)job->offset;
    if (good)
        job->dev->upload(job->dev, b->z, z, n * sizeof *z);
    free(z);
    return good;
}

/* ---- what is written ------------------------------------------------------------------------- */

static bool pieces_alloc(struct job *job, struct kin_error *err)
{
    size_t n = (size_t)PIECE * (size_t)job->source->dims.x;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        struct piece *p = &job->pieces[i];
        *p = (struct piece){job->sinks,
                            job->dev->threads,
                            0,
                            job->dev->host_alloc(job->dev, n * sizeof *p->image),
                            job->dev->host_alloc(job->dev, n * sizeof *p->z),
                            job->zmap ? NULL : malloc(n)};
        good = good && p->image && p->z && (job->zmap || p->confidence);
    }
    job->writing = kin_background_new();
    return good || kin_fail(err, KIN_MEMORY, "no memory for %d rows of an image", PIECE);
}

static void pieces_free(struct job *job)
{
    for (int i = 0; i < 2; i++) {
        job->dev->host_release(job->dev, job->pieces[i].image);
        job->dev->host_release(job->dev, job->pieces[i].z);
        free(job->pieces[i].confidence);
    }
}

/* trust: of the row's bins; z: of its pixels, counted from 1. */
static struct trusting fill_confidence(const struct job *job, const float *trust, const float *z,
                                       uint8_t *to)
{
    const struct focus_planes *used = &job->report->used;
    float first = (float)used->number[0] + 1.5f, last = (float)used->number[used->count - 1] + 0.5f;
    struct trusting sums = {0};
    for (int x = 0; x < job->source->dims.x; x++) {
        to[x] = (uint8_t)lrintf(255 * kin_clamp(trust[x / job->bin], 0, 1));
        bool sure = to[x] >= SURE;
        sums.trust += to[x];
        sums.sure += sure;
        sums.at_end += sure && (z[x] < first || z[x] > last);
    }
    return sums;
}

/* The piece's planes, counted from 1 from here on, and their confidence. y: its first row. Rows add
 * up in their order, whatever the threads. */
static void look_at_piece(struct job *job, const struct band *b, const struct piece *p, int y)
{
    struct kin_edof_report *r = job->report;
    int width = job->source->dims.x;
    double z_sum[PIECE] = {0}, low = r->z_low, high = r->z_high;
    struct trusting sums[PIECE] = {0};
#pragma omp parallel for num_threads(job->dev->threads) reduction(min : low) reduction(max : high)
    for (int i = 0; i < p->rows; i++) {
        float *z = p->z + (size_t)i * (size_t)width;
        for (int x = 0; x < width; x++) {
            z[x] += 1;
            z_sum[i] += z[x];
            low = z[x] < low ? z[x] : low;
            high = z[x] > high ? z[x] : high;
        }
        if (p->confidence)
            sums[i] = fill_confidence(
                job, b->host_trust + (size_t)((y + i) / job->bin - b->b0) * (size_t)job->map.x, z,
                p->confidence + (size_t)i * (size_t)width);
    }
    for (int i = 0; i < p->rows; i++) {
        job->z_sum += z_sum[i];
        job->sums.trust += sums[i].trust;
        job->sums.sure += sums[i].sure;
        job->sums.at_end += sums[i].at_end;
    }
    r->z_low = low;
    r->z_high = high;
}

static bool put(void *user, int i, struct kin_error *err)
{
    const struct piece *p = user;
    const struct kin_edof_sinks *to = p->sinks;
    const struct kin_sink *sink[] = {&to->image, &to->zmap, &to->confidence};
    const void *rows[] = {p->image, p->z, p->confidence};
    return !rows[i] || !sink[i]->rows || sink[i]->rows(sink[i]->user, 0, p->rows, rows[i], err);
}

/* To all sinks beside each other: a file takes what one thread at a time writes. */
static bool put_piece(void *user, struct kin_error *err)
{
    const struct piece *p = user;
    return kin_each(3, p->threads < 3 ? p->threads : 3, put, user, err);
}

/* Rows y to y + rows - 1: from the device, looked at, and on their way. */
static bool write_rows(struct job *job, const struct band *b, int y, int rows,
                       struct kin_error *err)
{
    struct device *dev = job->dev;
    struct piece *p = &job->pieces[job->turn];
    size_t width = (size_t)job->source->dims.x, at = (size_t)(y - b->y0) * width,
           n = (size_t)rows * width;
    job->turn = !job->turn;
    p->rows = rows;
    dev->download(dev, p->image, b->image + at, n * sizeof *p->image);
    dev->download(dev, p->z, b->full + at, n * sizeof *p->z);
    if (!device_ok(dev, err))
        return false;
    look_at_piece(job, b, p, y);
    return kin_background_do(job->writing, put_piece, p, err);
}

static bool write_band(struct job *job, struct band *b, struct kin_error *err)
{
    struct device *dev = job->dev;
    size_t width = (size_t)job->source->dims.x;
    struct focus_map map = {b->z, {1, b->b1 - b->b0, job->map.x}, job->bin, b->b0 * job->bin};
    struct focus_stack stack = {b->stack + (size_t)(b->y0 - b->p0) * width, (size_t)b->rows * width,
                                (int)width, &job->report->used};
    dev->focus_take(dev, b->image, b->full, &stack, &map, b->y0, b->y1 - b->y0);
    if (!job->zmap)
        dev->download(dev, b->host_trust, b->trust, kin_count(map.dims) * sizeof(float));
    bool good = true;
    for (int y = b->y0; good && y < b->y1; y += PIECE)
        good = write_rows(job, b, y, b->y1 - y < PIECE ? b->y1 - y : PIECE, err);
    return good;
}

static bool run_band(struct job *job, int y0, int rows, struct kin_error *err)
{
    struct band b = shape_band(job, y0, rows);
    bool good = band_alloc(job, &b, err) && load_stack(job, &b, err);
    if (good && job->zmap)
        good = follow_map(job, &b, err);
    else if (good)
        find_map(job, &b);
    good = good && write_band(job, &b, err);
    band_free(job, &b);
    return good;
}

/* The band at y0, of fewer rows as long as a card has no memory for it. */
static bool run_some(struct job *job, int y0, int *rows, struct kin_error *err)
{
    for (;; *rows /= 2) {
        struct kin_error why = {0};
        if (run_band(job, y0, *rows, &why))
            return true;
        if (*rows < 64 || !device_forgive(job->dev))
            return kin_fail(err, why.code, "%s", why.text);
    }
}

static bool run_bands(struct job *job, int rows, const struct kin_progress *progress,
                      struct kin_error *err)
{
    int height = job->source->dims.y;
    for (int y = 0; y < height; y += rows) {
        if (!run_some(job, y, &rows, err))
            return false;
        job->report->bands++;
        kin_tell(progress, y + rows < height ? y + rows : height, height, "row");
    }
    return true;
}

/* ---- the projection -------------------------------------------------------------------------- */

static bool acceptable(const struct kin_source *source, const struct kin_edof_params *p,
                       const struct kin_source *zmap, struct kin_error *err)
{
    struct kin_dims d = source->dims;
    if (source->type != KIN_U16)
        return kin_fail(err, KIN_INPUT, "its planes must hold 16-bit samples");
    if (d.z < p->min_planes || d.z > FOCUS_PLANES)
        return kin_fail(err, KIN_INPUT, "%d planes: between %d and %d are needed (--min-planes)",
                        d.z, p->min_planes, FOCUS_PLANES);
    if (p->radius < 1 || p->radius > 100 || !(p->sigma >= 0 && p->sigma <= 500) ||
        p->min_planes < 1)
        return kin_fail(
            err, KIN_INPUT,
            "radius %d (1 to 100), sigma %g (0 to 500) or fewest planes %d is out of range",
            p->radius, p->sigma, p->min_planes);
    if (zmap && (zmap->type != KIN_F32 || zmap->dims.y != d.y || zmap->dims.x != d.x))
        return kin_fail(err, KIN_INPUT, "the z map is %d x %d pixels, the stack %d x %d",
                        zmap->dims.x, zmap->dims.y, d.x, d.y);
    return true;
}

bool kin_edof_look(const struct kin_source *source, const struct kin_edof_params *params,
                   int threads, struct kin_edof_report *report, struct kin_error *err)
{
    return acceptable(source, params, NULL, err) &&
           kin_edof_gate(source, params, threads, report, err);
}

bool kin_edof(struct device *dev, const struct kin_source *source,
              const struct kin_edof_params *params, const struct kin_edof_report *look,
              const struct kin_source *zmap, double offset, const struct kin_edof_sinks *sinks,
              const struct kin_progress *progress, struct kin_edof_report *report,
              struct kin_error *err)
{
    struct job job = {.dev = dev,
                      .source = source,
                      .zmap = zmap,
                      .params = params,
                      .sinks = sinks,
                      .report = report,
                      .offset = offset};
    if (!acceptable(source, params, zmap, err) ||
        (!look && !kin_edof_gate(source, params, dev->threads, report, err)))
        return false;
    if (look)
        *report = *look;
    shape_job(&job);
    int rows = band_rows(&job), height = source->dims.y;
    if (!rows)
        return too_little(&job, err);
    report->z_low = INFINITY;
    bool good = pieces_alloc(&job, err) && run_bands(&job, rows, progress, err);
    good = kin_background_end(job.writing, err) && good;
    pieces_free(&job);
    report->trust = (double)job.sums.trust / 255 / ((double)height * source->dims.x);
    report->at_end = (double)job.sums.sure >= IN_FOCUS * (double)height * source->dims.x
                         ? (double)job.sums.at_end / (double)job.sums.sure
                         : NAN;
    report->z_mean = job.z_sum / ((double)height * source->dims.x);
    return good;
}
