// SPDX-License-Identifier: MIT
// Block measurements: gather both blocks, two batched transforms, cross power, one back, peaks.
#include "probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The band-pass is a difference of Gaussians of these sigmas (pixels), applied in the spectrum. A
// finer one lets shot noise pull single blocks by a tenth of a pixel.
static const float FINE = 1.5f, COARSE = 8.0f;
static const float WHITEN = 0.8f;

// Pixels of a batch: a card wants much work at once, a processor's caches hold little; and how many
// may have their spectra kept.
enum { CARD_BATCH = 1 << 22, CACHE_BATCH = 1 << 19, KEPT_PIXELS = 1 << 22 };

struct probe {
    struct device *dev;
    struct block_shape shape; // shape.n: the batch
    int reach_y, reach_x;
    struct fft_plan *plan;
    float *ref, *mov;            // (batch, h, w)
    float *spec_ref, *spec_mov;  // (batch, h, w/2+1) complex
    float *kept;                 // (kept_room, h, w/2+1) complex: spectra of the reference's blocks
    float *kept_centre;          // (kept_room, 2), host memory: where these were
    const uint16_t *kept_pixels; // and in which image; NULL: nothing is kept
    int kept_room, kept_count;
    float *weight, *band;      // (h, w/2+1)
    float *fill, *ncc, *power; // (batch)
    struct block_peak *peaks;  // (batch)
};

static uint16_t percentile(const uint16_t *pixels, size_t n, double q)
{
    uint64_t *counts = calloc(65536, sizeof *counts), total = 0, below = 0;
    int v = 65535;
    if (!counts)
        return 65535;
    for (size_t i = 0; i < n; i++)
        counts[pixels[i]]++;
    counts[0] = 0; // outside the mosaic
    for (int i = 0; i < 65536; i++)
        total += counts[i];
    for (int i = 0; i < 65536; i++)
        if ((double)(below += counts[i]) >= q * (double)total) {
            v = i;
            break;
        }
    free(counts);
    return (uint16_t)v;
}

static void set_range(struct device *dev, struct probe_image *image)
{
    size_t n = kin_count(image->dims);
    uint16_t *host = malloc(n * sizeof *host);
    image->high = 65535;
    if (!host) {
        device_fail(dev, KIN_MEMORY, "no memory for %zu pixels", n);
        return;
    }
    dev->download(dev, host, image->pixels, n * sizeof *host);
    if (!device_stopped(dev))
        image->high = percentile(host, n, 0.999);
    free(host);
}

bool probe_image_load(struct device *dev, struct probe_image *image, const uint16_t *host,
                      struct kin_dims dims, int k)
{
    size_t bytes = kin_count(dims) * sizeof *host;
    uint16_t *full = dev->alloc(dev, bytes);
    *image = (struct probe_image){.pixels = full, .dims = dims};
    if (!full)
        return false;
    dev->upload(dev, full, host, bytes);
    if (k > 1) {
        image->dims = (struct kin_dims){1, (dims.y + k - 1) / k, (dims.x + k - 1) / k};
        image->pixels = dev->alloc(dev, kin_count(image->dims) * sizeof *host);
        if (image->pixels)
            dev->bin_u16(dev, image->pixels, full, dims, k);
        dev->release(dev, full);
    }
    if (image->pixels)
        set_range(dev, image);
    return !device_stopped(dev);
}

void probe_image_free(struct device *dev, struct probe_image *image)
{
    if (image->pixels)
        dev->release(dev, image->pixels);
    *image = (struct probe_image){0};
}

bool probe_image_through(struct device *dev, struct probe_image *seen,
                         const struct probe_image *image, const struct warp_map *map,
                         struct kin_dims dims)
{
    *seen = (struct probe_image){.dims = dims, .low = image->low, .high = image->high};
    seen->pixels = dev->alloc(dev, kin_count(dims) * sizeof *seen->pixels);
    if (seen->pixels)
        dev->warp_u16(dev, seen->pixels, NULL, image->pixels, image->dims, dims, 0, dims.y, map);
    return !device_stopped(dev);
}

static float band_pass(float f2, float fine, float coarse)
{
    const float k = (float)(2 * M_PI * M_PI);
    float g = expf(-k * fine * fine * f2) - expf(-k * coarse * coarse * f2);
    return g * g;
}

// Uploads (h, w/2+1) squared band-pass gains.
static void put_band(struct device *dev, float *to, int h, int w, float fine)
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
            table[(size_t)y * half + x] = band_pass(fy * fy + fx * fx, fine, COARSE);
        }
    dev->upload(dev, to, table, (size_t)h * half * sizeof *table);
    free(table);
}

// whole: every batch will be full.
static void probe_alloc(struct probe *p, bool whole)
{
    struct device *dev = p->dev;
    size_t n = p->shape.n, real = (size_t)p->shape.h * p->shape.w;
    size_t half = (size_t)p->shape.h * (p->shape.w / 2 + 1);
    p->plan = dev->fft_plan(dev, (struct kin_dims){1, p->shape.h, p->shape.w}, p->shape.n);
    p->ref = dev->alloc(dev, n * real * sizeof(float));
    p->mov = dev->alloc(dev, n * real * sizeof(float));
    if (p->ref && p->mov && !whole) { // the last batch is not full: its transforms go over all of it
        dev->zero(dev, p->ref, n * real * sizeof(float));
        dev->zero(dev, p->mov, n * real * sizeof(float));
    }
    p->spec_ref = dev->alloc(dev, n * half * 2 * sizeof(float));
    p->spec_mov = dev->alloc(dev, n * half * 2 * sizeof(float));
    p->kept = dev->alloc(dev, p->kept_room * half * 2 * sizeof(float));
    p->kept_centre = calloc(p->kept_room, 2 * sizeof(float));
    if (!p->kept_centre)
        device_fail(dev, KIN_MEMORY, "no memory for %d block positions", p->kept_room);
    p->weight = dev->alloc(dev, half * sizeof(float));
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
    void *buffers[] = {probe->ref,    probe->mov,   probe->spec_ref, probe->spec_mov,
                       probe->weight, probe->band,  probe->fill,     probe->ncc,
                       probe->power,  probe->peaks, probe->kept};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            dev->release(dev, buffers[i]);
    if (probe->plan)
        dev->fft_free(dev, probe->plan);
    free(probe->kept_centre);
    free(probe);
}

struct probe *probe_new(struct device *dev, int h, int w, int reach_y, int reach_x, int blocks)
{
    struct probe *p = calloc(1, sizeof *p);
    if (!p) {
        device_fail(dev, KIN_MEMORY, "no memory for block measurements");
        return NULL;
    }
    int64_t block = (int64_t)h * w, most = (dev->memory ? CARD_BATCH : CACHE_BATCH) / block;
    int64_t runs = 1 + (blocks - 1) / (most > 0 ? most : 1);
    int batch = (int)((blocks + runs - 1) / runs);
    *p = (struct probe){
        .dev = dev, .shape = {batch, h, w, 0, 65535}, .reach_y = reach_y, .reach_x = reach_x};
    p->kept_room = blocks * block <= KEPT_PIXELS ? blocks : 1;
    probe_alloc(p, runs * batch == blocks);
    if (!device_stopped(dev)) {
        put_band(dev, p->weight, h, w, FINE);
        put_band(dev, p->band, h, w, FINE);
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

// Which of the points a batch measures.
struct batch {
    int at, count;
    const float *centre; // (count, 2)
    bool known, keep;    // the reference's spectra are kept, are to be kept
};

// Brings the spectra of the reference's blocks to spec_ref.
static void reference_spectra(struct probe *p, const struct probe_image *ref,
                              const struct block_shape *shape, const struct batch *b)
{
    struct device *dev = p->dev;
    size_t block = (size_t)shape->h * (shape->w / 2 + 1) * 2;
    float *kept = p->kept + (b->known || b->keep ? b->at * block : 0);
    if (b->known) {
        dev->copy(dev, p->spec_ref, kept, b->count * block * sizeof *kept);
        return;
    }
    dev->block_gather(dev, p->ref, p->fill, shape, b->centre, ref->pixels, ref->dims, NULL);
    dev->fft_forward(dev, p->plan, p->ref, p->spec_ref);
    if (b->keep)
        dev->copy(dev, kept, p->spec_ref, b->count * block * sizeof *kept);
}

static void run_batch(struct probe *p, const struct probe_image *ref, const struct probe_image *mov,
                      const struct warp_map *map, const struct batch *batch)
{
    struct device *dev = p->dev;
    struct block_shape a = p->shape, b = p->shape;
    a.n = b.n = batch->count; // the transforms go over all there is room for
    a.low = ref->low;
    a.high = ref->high;
    b.low = mov->low;
    b.high = mov->high;
    reference_spectra(p, ref, &a, batch);
    dev->block_gather(dev, p->mov, p->fill, &b, batch->centre, mov->pixels, mov->dims, map);
    dev->fft_forward(dev, p->plan, p->mov, p->spec_mov);
    dev->block_cross(dev, p->spec_ref, p->spec_mov, &a, p->weight, p->band, WHITEN, p->ncc,
                     p->power);
    dev->fft_inverse(dev, p->plan, p->spec_ref, p->ref);
    dev->block_peaks(dev, p->peaks, p->ref, &a, p->reach_y, p->reach_x);
}

void probe_run(struct probe *probe, const struct probe_image *ref, const struct probe_image *mov,
               const struct warp_map *map, struct probe_point *points, int n)
{
    int most = probe->shape.n;
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
    batch.known = probe->kept_pixels == ref->pixels && probe->kept_count == n &&
                  !memcmp(probe->kept_centre, centre, bytes);
    for (; batch.at < n && !device_stopped(probe->dev); batch.at += batch.count) {
        batch.count = n - batch.at < most ? n - batch.at : most;
        batch.centre = centre + 2 * batch.at;
        run_batch(probe, ref, mov, map, &batch);
        collect(probe, points + batch.at, batch.count);
    }
    if (batch.keep) {
        memcpy(probe->kept_centre, centre, bytes);
        probe->kept_pixels = ref->pixels;
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
