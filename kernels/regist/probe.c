// SPDX-License-Identifier: MIT
// Block measurements: gather both blocks, two batched transforms, cross power, one back, peaks.
#include "regist/probe.h"
#include "core/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The band-pass is a difference of Gaussians of these sigmas (pixels), applied in the spectrum. A
// finer one lets shot noise pull single blocks by a tenth of a pixel.
static const float FINE = 1.5f, COARSE = 8.0f;
static const float WHITEN = 0.8f;

// Pixels of a batch: a card wants much work at once (but no more than a hundredth of its bytes), a
// processor's caches hold little; and how many may have their spectra kept.
enum { CARD_BATCH = 1 << 22, CACHE_BATCH = 1 << 19, KEPT_PIXELS = 1 << 22, CARD_SHARE = 100 };
enum { STEP = 256 }; // rows that are looked at together

struct probe {
    struct device *dev;
    struct block_shape shape; // shape.n: the batch
    int reach_y, reach_x;
    struct fft_plan *plan;
    float *ref, *mov;           // (batch, h, w)
    bool clean;                 // what no block has been put into is 0
    float *spec_ref, *spec_mov; // (batch, h, w/2+1) complex
    float *kept;                // (kept_room, h, w/2+1) complex: spectra of the reference's blocks
    float *kept_centre;         // (kept_room, 2), host memory: where these were
    const struct probe_image *kept_of; // and in which image; NULL: nothing is kept
    int kept_room, kept_count;
    float *band;               // (h, w/2+1)
    float *fill, *ncc, *power; // (batch)
    struct block_peak *peaks;  // (batch)
};

// ---- images ----------------------------------------------------------------------------------

static void count_values(uint64_t *counts, const uint16_t *pixels, size_t n)
{
    for (size_t i = 0; i < n; i++)
        counts[pixels[i]]++;
}

// The value below which a share q of the pixels lie; those of 0, outside the mosaic, left out.
static float percentile(const uint64_t *counts, double q)
{
    uint64_t total = 0, below = 0;
    for (int v = 1; v < KIN_BINS; v++)
        total += counts[v];
    for (int v = 1; v < KIN_BINS; v++)
        if ((double)(below += counts[v]) >= q * (double)total)
            return (float)v;
    return KIN_BINS - 1;
}

// What one pass over an image fills.
struct survey {
    uint64_t *counts, *small_counts; // of each value
    uint16_t *host;                  // STEP rows
};

static void survey_rows(struct device *dev, struct probe_image *image, struct probe_image *small,
                        int k, int y, int rows, const struct survey *s)
{
    struct row_window *from = &image->window;
    size_t w = (size_t)from->rows.dims.x;
    if (!row_window_need(dev, from, (struct row_span){y, y + rows}))
        return;
    const uint16_t *pixels = from->rows.pixels + (size_t)(y - from->rows.first) * w;
    dev->download(dev, s->host, pixels, (size_t)rows * w * sizeof *s->host);
    if (device_stopped(dev))
        return;
    count_values(s->counts, s->host, (size_t)rows * w);
    if (!small)
        return;
    struct kin_dims d = small->window.rows.dims;
    size_t n = (size_t)((rows + k - 1) / k) * (size_t)d.x;
    uint16_t *binned = (uint16_t *)(uintptr_t)small->window.rows.pixels +
                       (size_t)(y / k) * (size_t)d.x;
    dev->bin_u16(dev, binned, pixels, (struct kin_dims){1, rows, from->rows.dims.x}, k);
    dev->download(dev, s->host, binned, n * sizeof *s->host);
    if (!device_stopped(dev))
        count_values(s->small_counts, s->host, n);
}

// Makes the small image and finds both ranges.
static void survey(struct device *dev, struct probe_image *image, struct probe_image *small, int k)
{
    struct kin_dims d = image->window.rows.dims;
    int most = image->window.room < STEP ? image->window.room : STEP,
        step = most > k ? most / k * k : k;
    struct survey s = {calloc(KIN_BINS, sizeof *s.counts), calloc(KIN_BINS, sizeof *s.small_counts),
                       malloc((size_t)step * (size_t)d.x * sizeof *s.host)};
    if (!s.counts || !s.small_counts || !s.host)
        device_fail(dev, KIN_MEMORY, "no memory for %d rows of an image", step);
    for (int y = 0; y < d.y && !device_stopped(dev); y += step)
        survey_rows(dev, image, small, k, y, d.y - y < step ? d.y - y : step, &s);
    if (!device_stopped(dev)) {
        image->high = percentile(s.counts, 0.999);
        if (small)
            small->high = percentile(s.small_counts, 0.999);
    }
    free(s.counts);
    free(s.small_counts);
    free(s.host);
}

bool probe_image_load(struct device *dev, struct probe_image *image, struct probe_image *small,
                      int k, const struct kin_source *source, int room)
{
    struct kin_source binned = {{1, (source->dims.y + k - 1) / k, (source->dims.x + k - 1) / k},
                                KIN_U16};
    *image = (struct probe_image){0};
    if (small) {
        *small = (struct probe_image){0};
        row_window_open(dev, &small->window, &binned, 0);
        small->window.rows.count = binned.dims.y; // the survey makes them
    }
    if (row_window_open(dev, &image->window, source, room))
        survey(dev, image, small, k);
    return !device_stopped(dev);
}

void probe_image_free(struct device *dev, struct probe_image *image)
{
    row_window_close(dev, &image->window);
}

// ---- probes ----------------------------------------------------------------------------------

static float band_pass(float f2)
{
    const float k = (float)(2 * M_PI * M_PI);
    float g = expf(-k * FINE * FINE * f2) - expf(-k * COARSE * COARSE * f2);
    return g * g;
}

// Uploads (h, w/2+1) squared band-pass gains.
static void put_band(struct device *dev, float *to, int h, int w)
{
    int half = w / 2 + 1;
    float *table = malloc((size_t)h * half * sizeof *table);
    if (!table) {
        device_fail(dev, KIN_MEMORY, "no memory for a filter of %d x %d", h, half);
        return;
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < half; x++) {
            float fy = (float)(y <= h / 2 ? y : y - h) / (float)h, fx = (float)x / (float)w;
            table[(size_t)y * half + x] = band_pass(fy * fy + fx * fx);
        }
    dev->upload(dev, to, table, (size_t)h * half * sizeof *table);
    free(table);
}

static void probe_alloc(struct probe *p)
{
    struct device *dev = p->dev;
    size_t n = p->shape.n, real = (size_t)p->shape.h * p->shape.w;
    size_t half = (size_t)p->shape.h * (p->shape.w / 2 + 1);
    p->plan = dev->fft_plan(dev, (struct kin_dims){1, p->shape.h, p->shape.w}, p->shape.n);
    p->ref = dev->alloc(dev, n * real * sizeof(float));
    p->mov = dev->alloc(dev, n * real * sizeof(float));
    p->spec_ref = dev->alloc(dev, n * half * 2 * sizeof(float));
    p->spec_mov = dev->alloc(dev, n * half * 2 * sizeof(float));
    p->kept = dev->alloc(dev, p->kept_room * half * 2 * sizeof(float));
    p->kept_centre = calloc(p->kept_room, 2 * sizeof(float));
    if (!p->kept_centre)
        device_fail(dev, KIN_MEMORY, "no memory for %d block positions", p->kept_room);
    p->band = dev->alloc(dev, half * sizeof(float));
    p->fill = dev->alloc(dev, n * sizeof(float));
    p->ncc = dev->alloc(dev, n * sizeof(float));
    p->power = dev->alloc(dev, n * sizeof(float));
    p->peaks = dev->alloc(dev, n * sizeof(struct block_peak));
}

void probe_free(struct probe *probe)
{
    if (!probe)
        return;
    struct device *dev = probe->dev;
    void *buffers[] = {probe->ref,  probe->mov, probe->spec_ref, probe->spec_mov, probe->band,
                       probe->fill, probe->ncc, probe->power,    probe->peaks,    probe->kept};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        dev->release(dev, buffers[i]);
    dev->fft_free(dev, probe->plan);
    free(probe->kept_centre);
    free(probe);
}

// Pixels that a batch may have, and that may have their spectra kept.
static int64_t batch_pixels(const struct device *dev, int64_t of_host, int64_t of_card)
{
    int64_t share = (int64_t)(dev->memory / CARD_SHARE);
    return !dev->memory ? of_host : share < of_card ? share : of_card;
}

// How many of the blocks are measured at a time.
static int batch_of(const struct device *dev, int64_t block, int blocks)
{
    int64_t most = batch_pixels(dev, CACHE_BATCH, CARD_BATCH) / block;
    int64_t runs = 1 + (blocks - 1) / (most > 0 ? most : 1);
    return (int)((blocks + runs - 1) / runs);
}

static int kept_blocks(const struct device *dev, int64_t block, int blocks)
{
    return blocks * block <= batch_pixels(dev, KEPT_PIXELS, KEPT_PIXELS) ? blocks : 1;
}

size_t probe_bytes(const struct device *dev, int h, int w, int blocks)
{
    enum { REAL = 8, SPECTRA = 8, ROOM_TO_TRANSFORM = 8, KEPT = 4 }; // bytes a pixel
    int64_t block = (int64_t)h * (w + 2);
    return (size_t)(block * (batch_of(dev, block, blocks) * (REAL + SPECTRA + ROOM_TO_TRANSFORM) +
                             kept_blocks(dev, block, blocks) * KEPT));
}

struct probe *probe_new(struct device *dev, int h, int w, int reach_y, int reach_x, int blocks)
{
    struct probe *p = calloc(1, sizeof *p);
    if (!p) {
        device_fail(dev, KIN_MEMORY, "no memory for block measurements");
        return NULL;
    }
    int64_t block = (int64_t)h * w;
    *p = (struct probe){.dev = dev,
                        .shape = {batch_of(dev, block, blocks), h, w, 0, 65535},
                        .reach_y = reach_y,
                        .reach_x = reach_x,
                        .kept_room = kept_blocks(dev, block, blocks)};
    probe_alloc(p);
    if (!device_stopped(dev)) {
        put_band(dev, p->band, h, w);
    }
    if (!device_stopped(dev))
        return p;
    probe_free(p);
    return NULL;
}

// What the device found for a batch, brought into the points.
static void collect(struct probe *p, struct probe_point *points, int n)
{
    struct device *dev = p->dev;
    float *numbers = calloc(3 * (size_t)n, sizeof *numbers);
    struct block_peak *peaks = calloc(n, sizeof *peaks);
    if (numbers && peaks) {
        dev->download(dev, numbers, p->fill, n * sizeof(float));
        dev->download(dev, numbers + n, p->ncc, n * sizeof(float));
        dev->download(dev, numbers + 2 * n, p->power, n * sizeof(float));
        dev->download(dev, peaks, p->peaks, n * sizeof *peaks);
    } else {
        device_fail(dev, KIN_MEMORY, "no memory for %d block results", n);
    }
    for (int i = 0; i < n && !device_stopped(dev); i++) {
        points[i].dy = peaks[i].dy;
        points[i].dx = peaks[i].dx;
        points[i].quality = peaks[i].quality;
        points[i].fill = numbers[i];
        points[i].ncc = numbers[n + i];
        points[i].power = numbers[2 * n + i];
    }
    free(numbers);
    free(peaks);
}

// What is measured: blocks of two images, the second seen through a view.
struct pair {
    struct probe_image *ref, *mov;
    const struct warp_view *view; // NULL: as it lies
};

// Which of the points a batch measures.
struct batch {
    int at, count;
    const float *centre;      // (count, 2)
    bool known, keep;         // the reference's spectra are kept, are to be kept
    struct row_span ref, mov; // the rows that are read
};

// Brings the spectra of the reference's blocks to spec_ref.
static void reference_spectra(struct probe *p, struct probe_image *ref,
                              const struct block_shape *shape, const struct batch *b)
{
    struct device *dev = p->dev;
    size_t block = (size_t)shape->h * (shape->w / 2 + 1) * 2;
    float *kept = p->kept + (b->known || b->keep ? b->at * block : 0);
    if (b->known) {
        dev->copy(dev, p->spec_ref, kept, b->count * block * sizeof *kept);
        return;
    }
    if (!row_window_need(dev, &ref->window, b->ref))
        return;
    dev->block_gather(dev, p->ref, p->fill, shape, b->centre, &ref->window.rows, NULL);
    dev->fft_forward(dev, p->plan, p->ref, p->spec_ref);
    if (b->keep)
        dev->copy(dev, kept, p->spec_ref, b->count * block * sizeof *kept);
}

// Transforms go over all that there is room for, so it must hold numbers.
static void clean_room(struct probe *p, int count)
{
    size_t bytes = (size_t)p->shape.n * p->shape.h * p->shape.w * sizeof(float);
    if (p->clean || count == p->shape.n)
        return;
    p->dev->zero(p->dev, p->ref, bytes);
    p->dev->zero(p->dev, p->mov, bytes);
    p->clean = true;
}

static void run_batch(struct probe *p, const struct pair *pair, const struct batch *batch)
{
    struct device *dev = p->dev;
    struct block_shape a = p->shape, b = p->shape;
    a.n = b.n = batch->count;
    a.low = pair->ref->low;
    a.high = pair->ref->high;
    b.low = pair->mov->low;
    b.high = pair->mov->high;
    clean_room(p, batch->count);
    reference_spectra(p, pair->ref, &a, batch);
    if (!row_window_need(dev, &pair->mov->window, batch->mov))
        return;
    dev->block_gather(dev, p->mov, p->fill, &b, batch->centre, &pair->mov->window.rows,
                      pair->view ? &pair->view->map : NULL);
    dev->fft_forward(dev, p->plan, p->mov, p->spec_mov);
    dev->block_cross(dev, p->spec_ref, p->spec_mov, &a, p->band, WHITEN, p->ncc, p->power);
    dev->fft_inverse(dev, p->plan, p->spec_ref, p->ref);
    dev->block_peaks(dev, p->peaks, p->ref, &a, p->reach_y, p->reach_x);
}

// The rows of both images that the first count blocks of a batch read. False: there is not the
// room.
static bool rows_fit(const struct probe *p, const struct pair *pair, struct batch *b)
{
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 2 * b->count; i++) {
        low[i % 2] = fminf(low[i % 2], b->centre[i]);
        high[i % 2] = fmaxf(high[i % 2], b->centre[i]);
    }
    int h = p->shape.h / 2 + 1, w = p->shape.w / 2 + 1;
    struct pixel_box box = {(int)floorf(low[0]) - h, (int)ceilf(high[0]) + h + 1,
                            (int)floorf(low[1]) - w, (int)ceilf(high[1]) + w + 1};
    b->ref = warp_view_rows(NULL, &box, pair->ref->window.rows.dims.y);
    b->mov = warp_view_rows(pair->view, &box, pair->mov->window.rows.dims.y);
    return row_window_has_room(&pair->ref->window, b->ref) &&
           row_window_has_room(&pair->mov->window, b->mov);
}

// The next blocks: as many as there is room for.
static void choose_batch(const struct probe *p, const struct pair *pair, struct batch *b,
                         const float *centres, int n)
{
    b->count = n - b->at < p->shape.n ? n - b->at : p->shape.n;
    b->centre = centres + 2 * b->at;
    while (!rows_fit(p, pair, b) && b->count > 1)
        b->count = (b->count + 1) / 2;
}

void probe_run(struct probe *probe, struct probe_image *ref, struct probe_image *mov,
               const struct warp_view *view, struct probe_point *points, int n)
{
    struct pair pair = {ref, mov, view};
    size_t bytes = 2 * (size_t)n * sizeof(float);
    float *centre = malloc(bytes);
    if (!centre) {
        device_fail(probe->dev, KIN_MEMORY, "no memory for block positions");
        return;
    }
    for (int i = 0; i < n; i++) {
        centre[2 * i] = points[i].y;
        centre[2 * i + 1] = points[i].x;
    }
    struct batch batch = {.keep = n <= probe->kept_room};
    batch.known = probe->kept_of == ref && probe->kept_count == n &&
                  !memcmp(probe->kept_centre, centre, bytes);
    for (; batch.at < n && !device_stopped(probe->dev); batch.at += batch.count) {
        choose_batch(probe, &pair, &batch, centre, n);
        run_batch(probe, &pair, &batch);
        collect(probe, points + batch.at, batch.count);
    }
    if (batch.keep) {
        memcpy(probe->kept_centre, centre, bytes);
        probe->kept_of = ref;
        probe->kept_count = n;
    }
    free(centre);
}

struct probe_lattice probe_lattice_over(struct kin_dims dims, int size, int step)
{
    int rows = dims.y < size ? 1 : (dims.y - size) / step + 1;
    int cols = dims.x < size ? 1 : (dims.x - size) / step + 1;
    return (struct probe_lattice){size, step, rows, cols, (float)(size - 1) / 2};
}

struct probe_point *probe_lattice_points(const struct probe_lattice *lattice)
{
    struct probe_point *points = calloc((size_t)lattice->rows * lattice->cols, sizeof *points);
    for (int i = 0; points && i < lattice->rows * lattice->cols; i++) {
        points[i].y = lattice->origin + (float)(i / lattice->cols * lattice->step);
        points[i].x = lattice->origin + (float)(i % lattice->cols * lattice->step);
    }
    return points;
}
