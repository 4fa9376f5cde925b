// SPDX-License-Identifier: MIT
/* A volume is cut in y and x into blocks that overlap (deconv/cut.h). A block's domain is mirrored
 * at its ends, as the image is, when the PSF is even, so that an image of a good length in one
 * block needs no samples besides its own; else it is periodic, and goes on beyond the image.
 *
 * The accelerations and the number of steps (deconv/steps.h) depend on everything the sums run
 * over. They are therefore taken once, from a window of fixed size that holds the most light (the
 * whole image when it is small), and all blocks use the same ones: a block does not know how its
 * neighbours were cut, and leaves no seam. */
#include "deconv/deconv.h"
#include "core/each.h"
#include "deconv/cut.h"
#include "deconv/steps.h"
#include "device/domain.h"
#include "device/rl_step.h"
#include "image/psf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHOLE = 512,
    WINDOW = 320
}; /* images up to WHOLE are their own window; WINDOW of larger ones */
static const size_t CARD_MEMORY =
    (size_t)8 << 30; /* larger blocks gain little, and other jobs share the card */
enum {
    THREAD_PLANES = 8, /* counted for scratch, so that the cut does not depend on the threads */
    CHUNK = 64         /* rows that are read and written at a time: a strip of our TIFF files */
};

struct slot { /* a plan that is kept for the next volume */
    struct kin_dims dims;
    struct rl_plan *plan; /* owned */
};

struct kin_deconv {
    struct device *dev;
    const struct kin_image *psf; /* borrowed */
    struct kin_deconv_params params;
    enum rl_ends ends;
    struct slot window, block;
    size_t tap_floats; /* of a transfer function, for each complex sample of a plane */
};

/* How a volume is cut. */
struct cut {
    struct cut_axis y, x;
    int halo;
    struct kin_dims n; /* the domain of a block */
    size_t bytes;
};

static bool is_small(struct kin_dims d)
{
    return d.y <= WHOLE && d.x <= WHOLE;
}

/* Rows of all planes, on the device. */
struct band {
    int in_y0, in_rows; /* rows of the source */
    char *in;           /* (z, in_rows, x), owned */
    int rows, before;   /* that are written, and those of the blocks before them */
    char *out;          /* (z, rows, x), owned */
    double (*sums)[2];  /* (blocks across, z, rows), owned */
};

/* One volume being processed. */
struct job {
    struct kin_deconv *run;
    const struct kin_source *source;
    const struct kin_sink *sink;
    struct kin_survey survey;
    struct deconv_schedule schedule;
    int halo; /* wished; a volume that is its own period needs none */
    struct cut cut;
    bool begun;    /* rows have been written */
    double light;  /* written so far */
    uint64_t high; /* samples above 64000 so far */
};

/* ---- bands: from the source to the device, from the device to the sink ----------------------- */

struct passing { /* a band on its way to the device or back */
    const struct job *job;
    const struct band *band;
};

/* Room for CHUNK rows of either side; NULL: there is none. */
static void *take_rows(const struct job *job, struct kin_error *err)
{
    struct device *dev = job->run->dev;
    void *rows = dev->host_alloc(dev, (size_t)CHUNK * (size_t)job->source->dims.x * sizeof(float));
    if (!rows)
        kin_fail(err, KIN_MEMORY, "no memory for %d rows of a plane", CHUNK);
    return rows;
}

/* CHUNK rows of a plane. */
static bool read_piece(void *user, const struct kin_piece *piece, struct kin_error *err)
{
    const struct passing *p = user;
    const struct band *band = p->band;
    struct device *dev = p->job->run->dev;
    const struct kin_source *source = p->job->source;
    size_t row = (size_t)source->dims.x * kin_type_size(source->type),
           at = (size_t)piece->z * (size_t)band->in_rows + (size_t)piece->y0;
    void *rows = take_rows(p->job, err);
    bool good = rows && source->rows(source->user, piece->z, band->in_y0 + piece->y0, piece->rows,
                                     rows, err);
    if (good)
        dev->upload(dev, band->in + row * at, rows, row * (size_t)piece->rows);
    dev->host_release(dev, rows);
    return good;
}

/* Most image rows that ny rows of blocks span: with a period, the first and the last one may be
 * among them. */
static int rows_spanned(const struct job *job, int ny)
{
    int rows = job->source->dims.y;
    return ny < rows && job->run->params.boundary != KIN_CIRCULAR ? ny : rows;
}

/* Brings all image rows that blocks with their first row at y and ny rows touch to the device. */
static bool read_band(struct job *job, struct band *band, int y, int ny, struct kin_error *err)
{
    struct kin_dims d = job->source->dims;
    int low = d.y, high = 0;
    bool periodic = job->run->params.boundary == KIN_CIRCULAR;
    for (int i = 0; i < ny; i++) {
        int at = domain_fold(y + i, d.y, periodic);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    band->in_y0 = low;
    band->in_rows = high - low + 1;
    /* the same for all bands, so that one's memory serves the next */
    size_t most = (size_t)rows_spanned(job, ny);
    band->in = job->run->dev->alloc(job->run->dev, most * (size_t)d.x * (size_t)d.z *
                                                       kin_type_size(job->source->type));
    struct passing passing = {job, band};
    return band->in ? kin_each_piece(d.z, band->in_rows, CHUNK, job->run->dev->threads, read_piece,
                                     &passing, err)
                    : device_ok(job->run->dev, err);
}

static void drop_input(struct job *job, struct band *band)
{
    job->run->dev->release(job->run->dev, band->in);
    band->in = NULL;
}

/* Fills data with the domain whose first sample is image (y, x). */
static void load_block(struct job *job, const struct band *band, int y, int x, struct kin_dims n,
                       float *data)
{
    struct device *dev = job->run->dev;
    struct domain domain = {.dims = n,
                            .volume = job->source->dims,
                            .y = y,
                            .x = x,
                            .band_y = band->in_y0,
                            .band_rows = band->in_rows,
                            .periodic = job->run->params.boundary == KIN_CIRCULAR,
                            .type = job->source->type,
                            .offset = job->run->params.offset};
    dev->domain_load(dev, data, band->in, &domain);
}

/* Puts the core of block bx of a band where it is to be written. */
static void keep_block(struct job *job, const struct band *band, const float *result, int bx)
{
    struct device *dev = job->run->dev;
    const struct cut_axis *across = &job->cut.x;
    int x = cut_core(across, bx);
    struct domain_core core = {.dims = job->cut.n,
                               .volume = job->source->dims,
                               .y0 = band->before,
                               .x0 = x - cut_start(across, bx),
                               .rows = band->rows,
                               .cols = cut_core(across, bx + 1) - x,
                               .x = x,
                               .type = job->sink->type,
                               .offset = job->run->params.offset};
    size_t rows = (size_t)job->source->dims.z * (size_t)band->rows;
    dev->domain_keep(dev, band->out, band->sums + (size_t)bx * rows, result, &core);
}

static bool write_piece(void *user, const struct kin_piece *piece, struct kin_error *err)
{
    const struct passing *p = user;
    const struct band *band = p->band;
    struct device *dev = p->job->run->dev;
    const struct kin_sink *sink = p->job->sink;
    size_t row = (size_t)p->job->source->dims.x * kin_type_size(sink->type),
           at = (size_t)piece->z * (size_t)band->rows + (size_t)piece->y0;
    void *rows = take_rows(p->job, err);
    if (rows)
        dev->download(dev, rows, band->out + row * at, row * (size_t)piece->rows);
    bool good = rows && device_ok(dev, err) &&
                sink->rows(sink->user, piece->z, piece->rows, rows, err);
    dev->host_release(dev, rows);
    return good;
}

/* Adds what the rows of a band say of themselves, in their order. */
static bool add_sums(struct job *job, const struct band *band, struct kin_error *err)
{
    size_t n = (size_t)job->cut.x.count * (size_t)job->source->dims.z * (size_t)band->rows;
    double(*sums)[2] = malloc(n * sizeof *sums);
    if (!sums)
        return kin_fail(err, KIN_MEMORY, "no memory for the sums of %d rows", band->rows);
    job->run->dev->download(job->run->dev, sums, band->sums, n * sizeof *sums);
    bool good = device_ok(job->run->dev, err);
    for (size_t i = 0; good && i < n; i++) {
        job->light += sums[i][0];
        job->high += (uint64_t)sums[i][1];
    }
    free(sums);
    return good;
}

static void drop_output(struct job *job, struct band *band)
{
    job->run->dev->release(job->run->dev, band->out);
    job->run->dev->release(job->run->dev, band->sums);
    band->out = NULL;
    band->sums = NULL;
}

static bool write_band(struct job *job, struct band *band, struct kin_error *err)
{
    bool good = add_sums(job, band, err);
    job->begun = job->begun || good;
    struct passing passing = {job, band};
    good = good && kin_each_piece(job->source->dims.z, band->rows, CHUNK, job->run->dev->threads,
                                  write_piece, &passing, err);
    drop_output(job, band);
    return good;
}

/* ---- how to cut ------------------------------------------------------------------------------ */

/* How many bands are on their way to a card while another is computed there. */
static int bands_ahead(const struct device *dev)
{
    return dev->kind == DEVICE_GPU;
}

/* Bytes of a block of that domain and everything beside it. */
static size_t bytes_of(const struct job *job, struct kin_dims n, int core_y, bool given)
{
    struct kin_dims d = job->source->dims;
    size_t plane = (size_t)n.y * (size_t)n.x, half = (size_t)n.y * (size_t)((n.x / 2 + 8) / 8 * 8);
    const struct kin_deconv_params *p = &job->run->params;
    size_t count = !given ? 6 : p->tv > 0 || p->damping > 0 ? 4 : 3;
    size_t volumes = count * plane * n.z * sizeof(float) + half * n.z * 2 * sizeof(float);
    size_t taps = half * job->run->tap_floats * sizeof(float);
    size_t planes = (THREAD_PLANES + 2) * plane * sizeof(float);
    int rows = rows_spanned(job, n.y);
    size_t bands = (size_t)d.z * d.x *
                   ((size_t)rows * kin_type_size(job->source->type) +
                    (size_t)core_y * kin_type_size(job->sink->type));
    return volumes + taps + planes + bands * (size_t)(1 + bands_ahead(job->run->dev));
}

/* The domain of the window that holds the most light, in which a schedule is found, and where it
 * begins. */
static struct kin_dims window_of(const struct job *job, int *y, int *x)
{
    const struct kin_survey *s = &job->survey;
    struct kin_dims d = job->source->dims;
    enum rl_ends ends = job->run->ends;
    bool period = ends == RL_PERIODIC && s->size == WHOLE; /* as in one block */
    int halo = period ? 0 : job->halo;
    return (struct kin_dims){d.z, cut_window(d.y, s->y, s->size, halo, ends, y).n,
                             cut_window(d.x, s->x, s->size, halo, ends, x).n};
}

/* Bytes of finding a schedule, which a card has no more room for than for a block; 0: none is to be
 * found, or there is other memory. */
static size_t window_bytes(const struct job *job)
{
    int y, x;
    return job->schedule.given || !job->run->dev->memory
               ? 0
               : bytes_of(job, window_of(job, &y, &x), 0, false);
}

/* The cut into such blocks; window: see above. */
static struct cut cut_into(const struct job *job, const struct cut_axis *y,
                           const struct cut_axis *x, int halo, size_t window)
{
    struct kin_dims d = job->source->dims;
    bool small = y->count * x->count == 1 && is_small(d);
    struct cut c = {.y = *y, .x = *x, .halo = halo, .n = {d.z, y->n, x->n}};
    c.bytes = bytes_of(job, c.n, y->widest, !small);
    if (!small && window > c.bytes)
        c.bytes = window;
    return c;
}

/* The whole image in one block; a period needs no halo then. */
static struct cut cut_whole(const struct job *job, size_t window)
{
    struct kin_dims d = job->source->dims;
    int halo = job->run->ends == RL_PERIODIC ? 0 : job->halo;
    struct cut_axis y = cut_axis(d.y, 1, halo, job->run->ends),
                    x = cut_axis(d.x, 1, halo, job->run->ends);
    return cut_into(job, &y, &x, halo, window);
}

/* All cuts of an axis, into 1, 2, ... blocks; the caller's to free, NULL: no memory. */
static struct cut_axis *cuts_of(const struct job *job, int length, int *count)
{
    enum { SMALLEST = 32 };
    *count = length / SMALLEST > 1 ? length / SMALLEST : 1;
    struct cut_axis *all = malloc((size_t)*count * sizeof *all);
    for (int i = 0; all && i < *count; i++)
        all[i] = cut_axis(length, i + 1, job->halo, job->run->ends);
    return all;
}

/* Takes a cut if it fits into the memory and is less work than the one so far; planes beyond 2560
 * samples leave the cache. least: the least memory that any needs. */
static void consider(struct job *job, const struct cut *c, size_t memory, double *work,
                     size_t *least)
{
    enum { LARGEST = 2560 };
    int blocks = c->y.count * c->x.count;
    double now = (double)blocks * c->n.y * c->n.x;
    bool large = blocks > 1 && (c->n.y > LARGEST || c->n.x > LARGEST);
    if (!c->n.y || !c->n.x)
        return;
    *least = c->bytes < *least ? c->bytes : *least;
    if (c->bytes > memory || now >= *work || large)
        return;
    *work = now;
    job->cut = *c;
}

/* The cut with the least work that fits into the memory. */
static bool choose_cut(struct job *job, size_t memory, struct kin_error *err)
{
    struct kin_dims d = job->source->dims;
    double work = INFINITY;
    size_t least = SIZE_MAX;
    int count_y, count_x;
    struct cut_axis *ys = cuts_of(job, d.y, &count_y), *xs = cuts_of(job, d.x, &count_x);
    size_t window = window_bytes(job); /* the same for all: finding its size takes long */
    struct cut c = cut_whole(job, window);
    bool good = ys && xs;
    for (int i = 0; good && i < count_y * count_x; i++) {
        if (i > 0)
            c = cut_into(job, &ys[i / count_x], &xs[i % count_x], job->halo, window);
        consider(job, &c, memory, &work, &least);
    }
    free(ys);
    free(xs);
    if (!good)
        return kin_fail(err, KIN_MEMORY, "no memory for the ways to cut %d x %d", d.y, d.x);
    bool card = job->run->dev->memory;
    return work < INFINITY ||
           kin_fail(err, KIN_MEMORY,
                    "%zu MB%s are too little memory for %d planes of %d x %d: at least %zu MB (%s)",
                    memory >> 20, card ? " of the card" : "", d.z, d.x, d.y, (least >> 20) + 1,
                    card ? "--gpu-memory" : "--memory");
}

/* Smoothing takes what is wrong inwards as well. */
static bool choose_halo(struct job *job, struct kin_error *err)
{
    const struct kin_deconv_params *p = &job->run->params;
    const struct deconv_schedule *s = &job->schedule;
    if (!kin_deconv_halo(job->run->psf, job->run->ends, s->limit, s->accelerate, &job->halo, err))
        return false;
    job->halo = p->halo > 0 ? p->halo : job->halo + (int)ceilf(4 * s->smooth);
    return true;
}

/* ---- the volume ------------------------------------------------------------------------------ */

static void drop_plan(struct kin_deconv *run, struct slot *slot)
{
    run->dev->rl_free(run->dev, slot->plan);
    *slot = (struct slot){0};
}

static struct rl_plan *plan_for(struct kin_deconv *run, struct slot *slot, struct kin_dims dims)
{
    if (slot->plan && slot->dims.z == dims.z && slot->dims.y == dims.y && slot->dims.x == dims.x)
        return slot->plan;
    drop_plan(run, slot);
    slot->dims = dims;
    slot->plan = run->dev->rl_plan(run->dev, dims, run->psf, run->ends);
    return slot->plan;
}

static float floor_of(const struct job *job)
{
    return job->survey.top > 0 ? 1e-6f * job->survey.top : 1e-6f;
}

/* Finds the schedule on the window that holds the most light. */
static bool find_schedule(struct job *job, struct kin_error *err)
{
    struct kin_deconv *run = job->run;
    struct deconv_work work;
    int y, x;
    struct kin_dims n = window_of(job, &y, &x);
    struct band band = {0};
    bool good = deconv_work_new(run->dev, n, &job->schedule, &work) &&
                read_band(job, &band, y, n.y, err);
    struct rl_plan *plan = good ? plan_for(run, &run->window, n) : NULL;
    if (plan) {
        load_block(job, &band, y, x, n, work.data);
        deconv_steps(run->dev, plan, &work, floor_of(job), &job->schedule);
        job->schedule.given = true;
    }
    drop_input(job, &band);
    deconv_work_free(run->dev, &work);
    drop_plan(run, &run->window);            /* its memory is better spent on the blocks */
    return device_ok(run->dev, err) && good; /* the device may be what failed */
}

/* Queues all of a band: on a card it is computed while the host reads the next one. */
static bool run_band(struct job *job, struct rl_plan *plan, struct deconv_work *work,
                     struct band *band, int by, const struct kin_progress *progress,
                     struct kin_error *err)
{
    const struct cut *cut = &job->cut;
    struct device *dev = job->run->dev;
    struct kin_dims d = job->source->dims;
    size_t rows = (size_t)d.z * (size_t)cut->y.widest; /* the same for all bands, as in read_band */
    int y = cut_start(&cut->y, by);
    band->before = cut_core(&cut->y, by) - y;
    band->rows = cut_core(&cut->y, by + 1) - cut_core(&cut->y, by);
    band->out = dev->alloc(dev, rows * (size_t)d.x * kin_type_size(job->sink->type));
    band->sums = dev->alloc(dev, rows * (size_t)cut->x.count * sizeof *band->sums);
    for (int bx = 0; bx < cut->x.count && !device_stopped(dev); bx++) {
        load_block(job, band, y, cut_start(&cut->x, bx), cut->n, work->data);
        deconv_steps(dev, plan, work, floor_of(job), &job->schedule);
        keep_block(job, band, work->now, bx);
        kin_tell(progress, by * cut->x.count + bx + 1, cut->y.count * cut->x.count, "block");
    }
    dev->settle(dev, band->out);
    dev->settle(dev, band->sums);
    return device_ok(dev, err);
}

/* A card computes a band while the one before is written and the next one is read. */
static bool run_bands(struct job *job, const struct kin_progress *progress, struct kin_error *err)
{
    struct kin_deconv *run = job->run;
    const struct cut *cut = &job->cut;
    struct deconv_work work;
    struct band bands[2] = {{0}, {0}};
    int ahead = bands_ahead(run->dev);
    struct rl_plan *plan = plan_for(run, &run->block, cut->n);
    bool good = deconv_work_new(run->dev, cut->n, &job->schedule, &work) && plan;
    for (int by = 0; good && by < cut->y.count + ahead; by++) {
        struct band *band = &bands[by % 2];
        if (by < cut->y.count) {
            good = read_band(job, band, cut_start(&cut->y, by), cut->n.y, err);
            if (ahead)
                /* the last one's, now that this one lies elsewhere */
                drop_input(job, &bands[(by + 1) % 2]);
            good = good && run_band(job, plan, &work, band, by, progress, err);
            if (!ahead)
                drop_input(job, band);
        }
        if (good && by >= ahead)
            good = write_band(job, &bands[(by - ahead) % 2], err);
    }
    for (int i = 0; i < 2; i++) {
        drop_input(job, &bands[i]);
        drop_output(job, &bands[i]);
    }
    deconv_work_free(run->dev, &work);
    return device_ok(run->dev, err) && good; /* the device may be what failed */
}

/* The mean of the volume; 1 when it is dark. */
static double flat_of(const struct job *job)
{
    double mean = job->survey.total / (double)kin_count(job->source->dims);
    return mean > 0 ? mean : 1;
}

static void choose_steps(struct job *job, struct kin_deconv_report *report)
{
    const struct kin_deconv_params *p = &job->run->params;
    report->foreground = job->survey.foreground / (p->gain > 0 ? p->gain : 1);
    bool dim = !p->iterations && report->foreground < 60;
    job->schedule = (struct deconv_schedule){.limit = p->iterations ? p->iterations
                                                      : dim         ? 5
                                                                    : 10,
                                             .accelerate = p->accelerate && !dim,
                                             .stop = p->stop_percent,
                                             .tv = p->tv,
                                             .damping = p->damping,
                                             .smooth = p->smooth >= 0            ? p->smooth
                                                       : report->foreground < 60 ? 1
                                                                                 : 0,
                                             .flat = p->start_from_data ? 0 : flat_of(job),
                                             .alpha = report->alpha};
    job->schedule.count = job->schedule.limit;
    job->schedule.given = !job->schedule.accelerate && !(p->stop_percent > 0);
    memset(report->alpha, 0, sizeof report->alpha);
}

bool kin_deconv_fits(struct kin_dims d, struct kin_dims p, struct kin_error *err)
{
    if (d.z < 3)
        return kin_fail(
            err, KIN_INPUT,
            "deconvolution needs at least 3 planes, not %d; to go on without it, call edof "
            "with --input stitched --min-planes %d (in the workflow's config, "
            "edf: {input: stitched, min_planes: %d})",
            d.z, d.z, d.z);
    if (p.y / 2 > d.y / 2 || p.x / 2 > d.x / 2)
        return kin_fail(err, KIN_INPUT,
                        "a PSF of %d x %d pixels is too wide for an image of %d x %d: are pixel "
                        "size, plane distance and aperture what the experiment says?",
                        p.x, p.y, d.x, d.y);
    return true;
}

static void fill_report(const struct job *job, struct kin_deconv_report *report)
{
    report->iterations = job->schedule.count;
    report->accelerated = job->schedule.accelerate;
    report->smooth = job->schedule.smooth;
    report->flux_ratio = job->survey.total > 0 ? job->light / job->survey.total : 1;
    report->high_share = (double)job->high / (double)kin_count(job->source->dims);
    report->top = job->survey.top;
    report->blocks_y = job->cut.y.count;
    report->blocks_x = job->cut.x.count;
    report->halo = job->cut.halo;
    report->block = job->cut.n;
    report->memory = job->cut.bytes;
}

static void drop_plans(struct kin_deconv *run)
{
    drop_plan(run, &run->window);
    drop_plan(run, &run->block);
}

/* All of the volume, in blocks that fit into that many bytes. */
static bool run_within(struct job *job, size_t memory, const struct kin_progress *progress,
                       struct kin_deconv_report *report, struct kin_error *err)
{
    struct kin_dims d = job->source->dims;
    choose_steps(job, report);
    if (!choose_halo(job, err) || !choose_cut(job, memory, err))
        return false;
    bool one = is_small(d) && job->cut.y.count * job->cut.x.count == 1;
    return (job->schedule.given || one || find_schedule(job, err)) && run_bands(job, progress, err);
}

/* The same, with smaller blocks as long as a card has no memory for them. */
static bool run_volume(struct job *job, const struct kin_progress *progress,
                       struct kin_deconv_report *report, struct kin_error *err)
{
    struct kin_deconv *run = job->run;
    size_t memory = run->params.memory ? run->params.memory : (size_t)2 << 30;
    if (run->dev->memory)
        memory = run->dev->memory < CARD_MEMORY ? run->dev->memory : CARD_MEMORY;
    struct kin_error first = {0};
    for (int attempt = 0;; attempt++, memory /= 2) {
        struct kin_error why = {0};
        if (run_within(job, memory, progress, report, &why))
            return true;
        kin_fail(&first, why.code, "%s", why.text); /* keeps the first one: it led to the others */
        bool again = !job->begun && attempt < 6 && device_forgive(run->dev);
        const struct kin_error *told = why.code == KIN_MEMORY ? &first : &why;
        if (!again)
            return kin_fail(err, told->code, "%s", told->text);
        drop_plans(run);
    }
}

/* An offset above all that there is was meant for other data, and so are whole numbers where all
 * samples lie between 0 and 1: nothing would be left. */
static bool has_light(const struct job *job, struct kin_error *err)
{
    float offset = job->run->params.offset, top = job->survey.top;
    if (job->source->type == KIN_F32 && job->sink->type == KIN_U16 && top > 0 && top < 1)
        return kin_fail(err, KIN_INPUT,
                        "its largest sample is %.3g above the offset, and would be rounded: floats "
                        "must be ADU (0 to 65535)",
                        (double)top);
    return job->survey.total > 0 || !(offset > 0) ||
           kin_fail(err, KIN_INPUT,
                    "no sample is above the offset of %g ADU (has the camera's been subtracted by "
                    "stitch?)",
                    (double)offset);
}

bool kin_deconv_survey(const struct kin_source *source, float offset, int threads,
                       struct kin_survey *survey, struct kin_error *err)
{
    return kin_survey(source, offset, is_small(source->dims) ? WHOLE : WINDOW, threads, survey,
                      err);
}

bool kin_deconv_volume(struct kin_deconv *run, const struct kin_source *source,
                       const struct kin_survey *survey, const struct kin_sink *sink,
                       const struct kin_progress *progress, struct kin_deconv_report *report,
                       struct kin_error *err)
{
    struct job job = {.run = run, .source = source, .sink = sink};
    if (survey)
        job.survey = *survey;
    bool good = kin_deconv_fits(source->dims, run->psf->dims, err) &&
                (survey || kin_deconv_survey(source, run->params.offset, run->dev->threads,
                                             &job.survey, err)) &&
                has_light(&job, err) && run_volume(&job, progress, report, err);
    if (good)
        fill_report(&job, report);
    return good;
}

struct kin_deconv *kin_deconv_new(struct device *dev, const struct kin_image *psf,
                                  const struct kin_deconv_params *params, struct kin_error *err)
{
    if (params->iterations < 0 || params->iterations > KIN_DECONV_STEPS) {
        kin_fail(err, KIN_INPUT, "%d iterations are not between 1 and %d", params->iterations,
                 KIN_DECONV_STEPS);
        return NULL;
    }
    if (!(params->stop_percent >= 0 && params->stop_percent < 100)) {
        kin_fail(err, KIN_INPUT, "stop criterion %g %% is not between 0 and 100",
                 params->stop_percent);
        return NULL;
    }
    if (!(params->tv >= 0 && params->tv <= 0.1 && params->damping >= 0 && params->damping <= 0.5)) {
        kin_fail(err, KIN_INPUT,
                 "total variation %g is not within 0..0.1, or damping %g not within 0..0.5",
                 params->tv, params->damping);
        return NULL;
    }
    struct kin_deconv *run = calloc(1, sizeof *run);
    if (!run) {
        kin_fail(err, KIN_MEMORY, "no memory for a deconvolution");
        return NULL;
    }
    *run = (struct kin_deconv){.dev = dev, .psf = psf, .params = *params};
    struct rl_taps taps = rl_taps_of(psf);
    run->ends = params->boundary == KIN_CIRCULAR ? RL_PERIODIC
                : kin_psf_even_each(psf)         ? RL_MIRRORED
                                                 : RL_MIRRORED_Z;
    run->tap_floats = (size_t)taps.count * (taps.real && run->ends != RL_MIRRORED ? 1 : 2);
    return run;
}

void kin_deconv_free(struct kin_deconv *run)
{
    if (run)
        drop_plans(run);
    free(run);
}
