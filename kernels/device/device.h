/* SPDX-License-Identifier: MIT
 *
 * device.h: what one launch on a compute device does. Algorithms (illum.c, stitch.c, deconv.c, ...)
 * are written once above this table and ask of a device only whether it is a card, and for how much
 * memory; the *_cpu.c are the specification in plain loops (OpenMP inside), cuda/ has the same
 * names on a GPU, built into a library that is opened when the program runs (gpu_plugin.h).
 *
 * A buffer is memory of the device, made by alloc and not zeroed; release and what frees a plan or
 * a tally take NULL too; only upload and download cross to the host, whose memory is the caller's
 * again when they return.
 * Errors are sticky: the first failure is kept with the place of the call, later calls do nothing,
 * and the algorithm checks once, at its end, with device_ok.
 *
 *     struct device *dev = device_open(DEVICE_AUTO, threads, &err);
 *     float *a = dev->alloc(dev, n * sizeof(float));
 *     dev->upload(dev, a, host, n * sizeof(float));
 *     ... primitives ...
 *     dev->download(dev, host, a, n * sizeof(float));
 *     dev->release(dev, a);
 *     bool ok = device_ok(dev, &err);
 *     device_close(dev);
 *
 * To add a primitive: a row in the section it belongs to, a body in the CPU file named there (and
 * in its CUDA twin), a check in tests/pairs, which fails to build without it. A primitive guards
 * its own tail: any size works. */
#pragma once

#include "device/mosaic.h"
#include "kintsugi.h"

enum device_kind { DEVICE_AUTO, DEVICE_CPU, DEVICE_GPU };

struct device;
struct fft_plan; /* a transform of fixed size; see the fft section */
struct focus_planes;
struct focus_stack;
struct focus_map; /* focus.h */
struct rl_plan;   /* a PSF on a domain of fixed size; see the rl section */
struct domain;
struct domain_core; /* how a volume is cut; domain.h */
struct warp_map;
struct image_rows; /* how one image lies in another, and rows of one; warp.h */
struct block_shape;
struct block_peak;
struct alm; /* the state of a shading fit; alm.h */
struct tally;
struct tally_sums; /* what a plane's quality is found from; tally.h */

/* X(return type, name, arguments after the device). All float buffers are float32 in device
 * memory. */

/* clang-format off */
/* memory: device_cpu.c */
#define DEVICE_MEMORY(X)                                                                           \
    X(void *, alloc, size_t bytes)                                                                 \
    X(void, release, void *buffer)                                                                 \
    /* Memory of the host from which and to which copies are fastest; NULL: there is none, the     \
     * device has not failed. Unlike all else these two may be called after a failure, and, as     \
     * upload and download, by several threads at a time. */                                       \
    X(void *, host_alloc, size_t bytes)                                                            \
    X(void, host_release, void *memory)                                                            \
    X(void, upload, void *buffer, const void *host, size_t bytes)                                  \
    X(void, download, void *host, const void *buffer, size_t bytes)                                \
    /* What has been queued so far makes the buffer what it is to be until it is released: a       \
     * download of it does not wait for what is queued after. */                                   \
    X(void, settle, const void *buffer)                                                            \
    X(void, copy, void *dst, const void *src, size_t bytes)                                        \
    X(void, zero, void *buffer, size_t bytes)

/* fft: fft_cpu.c. Real-to-complex, unnormalised forward; the inverse divides by the number of
 * samples. A complex buffer holds (z, y, x/2+1) pairs of floats. dims.z == 1 is a 2-D transform;
 * batch > 1 transforms that many contiguous arrays. */
#define DEVICE_FFT(X)                                                                              \
    X(struct fft_plan *, fft_plan, struct kin_dims dims, int batch)                                \
    X(void, fft_forward, struct fft_plan *plan, const float *real, float *complex)                 \
    X(void, fft_inverse, struct fft_plan *plan, float *complex, float *real)                       \
    X(void, fft_free, struct fft_plan *plan)

/* pixel: pixel_cpu.c. Element-wise work, conversions and reductions (in double, in a fixed order,
 * so that thread count does not change the result). */
#define DEVICE_PIXEL(X)                                                                            \
    X(void, u16_to_f32, float *dst, const uint16_t *src, size_t n)                                 \
    X(void, f32_to_u16, uint16_t *dst, const float *src, size_t n)                                 \
    X(double, sum, const float *a, size_t n)                                                       \
    X(double, dot, const float *a, const float *b, size_t n)

/* filter: filter_cpu.c. Neighbourhood work on (z, y, x) arrays, plane by plane; dst is not src. */
#define DEVICE_FILTER(X)                                                                           \
    X(void, gauss_xy, float *dst, const float *src, struct kin_dims dims, float sigma)

/* rl: rl_cpu.c. Richardson-Lucy steps. An rl_plan holds the transfer function of a PSF (host
 * memory, summing to 1; RL_MIRRORED takes one that is kin_psf_even_each) on a domain with such
 * ends, and one spectrum: what a row below leaves there is what the next one works on. Volumes have
 * the plan's dims. */
enum rl_ends {
    RL_PERIODIC,
    RL_MIRRORED_Z, /* half a sample outside; periodic in y and x */
    RL_MIRRORED
};

#define DEVICE_RL(X)                                                                               \
    X(struct rl_plan *, rl_plan, struct kin_dims dims, const struct kin_image *psf,                \
      enum rl_ends ends)                                                                           \
    X(void, rl_free, struct rl_plan *plan)                                                         \
    /* spectrum = F image */                                                                       \
    X(void, rl_load, struct rl_plan *plan, const float *image)                                     \
    /* image = max(F^-1 spectrum, 0); the spectrum is spent, here and below */                     \
    X(void, rl_store, struct rl_plan *plan, float *image)                                          \
    /* spectrum = H spectrum, or its transpose */                                                  \
    X(void, rl_blur, struct rl_plan *plan, bool transposed)                                        \
    /* spectrum = F (data / max(F^-1 spectrum, floor)) */                                          \
    X(void, rl_ratio, struct rl_plan *plan, const float *data, float floor)                        \
    /* next = point * max(F^-1 spectrum, 0); may be where point is */                              \
    X(void, rl_multiply, struct rl_plan *plan, float *next, const float *point)                    \
    /* point = max(now + alpha (now - before), 0); may be where before is; n samples */            \
    X(void, rl_predict, float *point, const float *now, const float *before, float alpha,          \
      size_t n)                                                                                    \
    /* before = point * max(F^-1 spectrum, 0), the point being rl_predict's by alpha, and spectrum \
     * = F of rl_predict's next one: of that, now and next_alpha. One pass, no volume of points.   \
     * */                                                                                          \
    X(void, rl_advance, struct rl_plan *plan, const float *now, float *before, float alpha,        \
      float next_alpha)                                                                            \
    /* A whole step: rl_blur, rl_ratio, rl_blur transposed, rl_advance */                          \
    X(void, rl_step, struct rl_plan *plan, const float *data, const float *now, float *before,     \
      float floor, float alpha, float next_alpha)                                                  \
    /* next = (1 - damping) next / (1 - tv div(grad point / |grad point|)) + damping mean of the   \
     * 26 neighbours of point, mirrored at the borders; volumes of dims */                         \
    X(void, rl_regularise, float *next, const float *point, struct kin_dims dims, float tv,        \
      float damping)                                                                               \
    /* dst = a - b */                                                                              \
    X(void, subtract, float *dst, const float *a, const float *b, size_t n)

/* domain: domain_cpu.c. Blocks of a volume, cut from bands of its rows and put into such. */
#define DEVICE_DOMAIN(X)                                                                           \
    /* dst (dims) = the samples of a block, less the offset, at least 0 */                         \
    X(void, domain_load, float *dst, const void *band, const struct domain *domain)                \
    /* The core of a block, plus the offset, rounded if it must be; sums (z, rows; device memory): \
     * of the row's samples without the offset, and how many with it are above 64000. */           \
    X(void, domain_keep, void *band, double(*sums)[2], const float *src,                           \
      const struct domain_core *core)

/* mosaic: mosaic_cpu.c. Tiles (tile.y, tile.x) of raw or corrected pixels. */
#define DEVICE_MOSAIC(X)                                                                           \
    /* dst = (src - dark) gain of a whole tile, read (dy, dx) pixels (0..1) before each pixel:     \
     * Catmull-Rom, edges repeated. A tile whose place is y + dy is so moved to y. */              \
    X(void, tile_place, float *dst, const uint16_t *src, const struct mosaic_look *look, float dy, \
      float dx)                                                                                    \
    /* dst (strip.h, strip.w) = that rectangle of a tile */                                        \
    X(void, strip_cut, float *dst, const uint16_t *tile, int tile_w, struct strip strip)           \
    /* dst (to.y, to.x) = (fine - coarse) (h, w), its edges falling to 0, padded with zeros */     \
    X(void, strip_taper, float *dst, struct kin_dims to, const float *fine, const float *coarse,   \
      int h, int w)                                                                                \
    /* a = a conj(b) / |a conj(b)|, n complex numbers */                                           \
    X(void, cross_power, float *a, const float *b, size_t n)                                       \
    /* The highest values of a periodic correlation within a window of shifts, highest first, at   \
     * least 3 pixels apart; ties: the first. Answers how many were found. */                      \
    X(int, shift_peaks, const float *corr, struct kin_dims dims, struct shift_window window,       \
      int(*peaks)[2], int want)                                                                    \
    /* Of the overlap of a and of b shifted by (dy, dx): sums of a, b, a a, b b, a b, and pixels.  \
     */                                                                                            \
    X(void, overlap_sums, const uint16_t *a, const uint16_t *b, struct kin_dims tile, int dy,      \
      int dx, int64_t sums[6])                                                                     \
    /* Rows y0.. of the canvas: the weighed mean of the corrected tiles that cover each pixel; no  \
     * tile: 0. cover (may be NULL): 255 where there is one. */                                    \
    X(void, mosaic_rows, uint16_t *dst, uint8_t *cover, const struct mosaic *mosaic, int y0,       \
      int rows)

/* illum: illum_cpu.c. Sweeps of the shading model; sums are (n, ...) in host memory. */
#define DEVICE_ILLUM(X)                                                                            \
    /* mean (m) over images of image - b flat - dark - sparse + multiplier / mu; with share (n):   \
     * not their mean but their sum, each times its share */                                       \
    X(void, alm_mean, float *mean, const struct alm *state, const double *share)                   \
    /* sums over pixels of flat (image - b flat - dark - sparse + multiplier / mu) */              \
    X(void, alm_project, const struct alm *state, double *sums)                                    \
    /* sparse = shrink(rest + multiplier / mu, weights / mu), rest = image - b flat - dark;        \
     * multiplier += mu (rest - sparse); sums: image - sparse, (rest - sparse)^2 */                \
    X(void, alm_step, const struct alm *state, double(*sums)[2])                                   \
    /* The same in one sweep with mean (m) over images of image - sparse + multiplier / next_mu;   \
     * what is left in sparse is not defined */                                                    \
    X(void, alm_step_on, const struct alm *state, double(*sums)[2], float *mean, double next_mu)   \
    /* sparse as the next step would make it */                                                    \
    X(void, alm_sparse, const struct alm *state)                                                   \
    /* sums of image - sparse over pixels where flat <= level, and where it is above */            \
    X(void, alm_split, const struct alm *state, float level, double(*sums)[2])                     \
    /* mean (m) of image - sparse over the images with b < limit; 0 when there is none */          \
    X(void, alm_mean_below, float *mean, const struct alm *state, double limit)                    \
    /* weights = 1 / (|sparse / height_i| + epsilon); sums of them */                              \
    X(void, alm_reweigh, float *weights, const struct alm *state, const double *height,            \
      float epsilon, double *sums)                                                                 \
    /* a = a factor */                                                                             \
    X(void, scale, float *a, float factor, size_t n)

/* focus: focus_cpu.c. Finding and taking the plane in focus. */
#define DEVICE_FOCUS(X)                                                                            \
    /* For every bin x bin pixels (fewer at the far edges): spread, the mean of the variances in   \
     * boxes of (2 radius + 1)^2 around them, and level, the mean value; values above top, which   \
     * is 0..65535, count as top. src is a plane with radius rows more above and below, dims with  \
     * them; columns are mirrored. */                                                              \
    X(void, focus_measure, float *spread, float *level, const uint16_t *src, struct kin_dims dims, \
      int radius, int bin, int top)                                                                \
    /* score = spread / (level + add), n values */                                                 \
    X(void, focus_score, float *score, const float *spread, const float *level, float add,         \
      size_t n)                                                                                    \
    /* Over planes->count maps of n scores: the number of the best plane (the lowest of equals;    \
     * fine: the top of a parabola through the logarithms), sqrt(best - median), 1 - median /      \
     * best. */                                                                                    \
    X(void, focus_peak, float *z, float *weight, float *trust, const float *score, size_t n,       \
      const struct focus_planes *planes, bool fine)                                                \
    /* dst = medians of 5 x 5, mirrored */                                                         \
    X(void, median5, float *dst, const float *src, struct kin_dims dims)                           \
    /* weighted = z weight; z = (weighted + doubt fallback) / (weight + doubt) */                  \
    X(void, focus_weigh, float *weighted, const float *z, const float *weight, size_t n)           \
    X(void, focus_settle, float *z, const float *weighted, const float *weight, float fallback,    \
      float doubt, size_t n)                                                                       \
    /* The stack's rows, y0.. of the image: z, the map at full resolution, and dst, the two planes \
     * next to it interpolated, rounded. */                                                        \
    X(void, focus_take, uint16_t *dst, float *z, const struct focus_stack *stack,                  \
      const struct focus_map *map, int y0, int rows)

/* warp: warp_cpu.c. Resampling. */
#define DEVICE_WARP(X)                                                                             \
    /* dst (rows, to.x) = rows y0.. of src seen through the map, cubic (Catmull-Rom), rounded;     \
     * outside src: 0 there and in cover (rows, to.x; may be NULL), which is 255 inside. src and   \
     * map are host memory. */                                                                     \
    X(void, warp_u16, uint16_t *dst, uint8_t *cover, const struct image_rows *src,                 \
      struct kin_dims to, int y0, int rows, const struct warp_map *map)                            \
    /* dst (ceil(y / k), ceil(x / k)) = means of k x k pixels (fewer at the far edges), rounded.   \
     */                                                                                            \
    X(void, bin_u16, uint16_t *dst, const uint16_t *src, struct kin_dims dims, int k)              \
    /* dst (angles, radii): log(1 + |F|) of the real image `dims` whose half spectrum is complex,  \
     * at angle pi i / angles - pi/2 and radius low (high / low)^(j / radii) cycles per pixel. */  \
    X(void, log_polar, float *dst, int angles, int radii, const float *complex,                    \
      struct kin_dims dims, float low, float high)

/* block: block_cpu.c. Many small images at once, (n, h, w); shape, centre, src and map are host
 * memory, centre (n, 2) holds each block's middle (y, x), pixel (i, j) being centre + (i, j) -
 * (h-1, w-1)/2. */
#define DEVICE_BLOCK(X)                                                                            \
    /* blocks (n, h, w) = src read at map(pixel) (map NULL: at the pixel itself), clipped, less    \
     * the mean, times a Hann window; fill (n) = share of pixels inside src that are not 0. */     \
    X(void, block_gather, float *blocks, float *fill, const struct block_shape *shape,             \
      const float *centre, const struct image_rows *src, const struct warp_map *map)               \
    /* Half spectra (n, h, w/2+1): ncc (n) = normalised correlation at shift 0 of a and b both     \
     * filtered by sqrt(band); power_a (n) = energy of a in band; then                             \
     * a = a conj(b) band / |a conj(b) band|^whiten. band (h, w/2+1): device memory. */            \
    X(void, block_cross, float *a, const float *b, const struct block_shape *shape,                \
      const float *band, float whiten, float *ncc, float *power_a)                                 \
    /* The highest value of each correlation within reach_y, reach_x of shift 0 (ties: the first). \
     */                                                                                            \
    X(void, block_peaks, struct block_peak *peaks, const float *corr,                              \
      const struct block_shape *shape, int reach_y, int reach_x)

/* tally: tally_cpu.c. What the quality of a plane is found from. */
#define DEVICE_TALLY(X)                                                                            \
    /* Of no row yet; NULL: no memory */                                                           \
    X(struct tally *, tally_new, struct kin_dims plane)                                            \
    /* The next `count` rows, at least one, from top to bottom */                                  \
    X(void, tally_add, struct tally *tally, const uint16_t *rows, int count)                       \
    /* Of all rows that were added, and 0 of others */                                             \
    X(void, tally_read, struct tally *tally, const struct tally_sums *sums)                        \
    X(void, tally_free, struct tally *tally)

#define DEVICE_PRIMITIVES(X)                                                                       \
    DEVICE_MEMORY(X)                                                                               \
    DEVICE_FFT(X)                                                                                  \
    DEVICE_PIXEL(X) DEVICE_FILTER(X) DEVICE_RL(X) DEVICE_DOMAIN(X) DEVICE_FOCUS(X) DEVICE_WARP(X)  \
        DEVICE_BLOCK(X) DEVICE_MOSAIC(X) DEVICE_ILLUM(X) DEVICE_TALLY(X)
/* clang-format on */

/* The length >= n of the form 2^a 3^b 5^c 7^d whose transforms take the least time: often a longer
 * one with smaller factors (720 for 680, not 686 = 2 x 7^3). even: the last axis of a real
 * transform should be even. */
int kin_good_size(int n, bool even);

/* n is even and of that form. */
bool kin_is_good_size(int n);

struct device {
    const char *name; /* "cpu", or the card's name */
    enum device_kind kind;
    int threads;
    /* bytes that a card's buffers may take; 0 on the CPU: the caller knows */
    size_t memory;
    void *back_end;                         /* what a GPU back end keeps for itself */
    double (*computed)(struct device *dev); /* a card's; see device_computed */
    struct kin_error error;                 /* sticky: the first failure */
#define X(type, primitive, ...) type (*primitive)(struct device * dev, __VA_ARGS__);
    DEVICE_PRIMITIVES(X)
#undef X
};

/* A device of that kind. DEVICE_AUTO takes a working GPU, else the CPU, and says so once on stderr
 * when a GPU is there but fails; DEVICE_GPU fails with the reason instead. threads 0: all cores. */
struct device *device_open(enum device_kind kind, int threads, struct kin_error *err);
void device_close(struct device *dev);

/* The same, with a limit in bytes for all buffers on a card; 0: most of what is free there. */
struct device *device_open_within(enum device_kind kind, int threads, size_t memory,
                                  struct kin_error *err);

/* Seconds for which the card of this process has computed (copies to and from it are not counted);
 * NAN: there was none, or KINTSUGI_GPU_CLOCK is not "yes". */
double device_computed(void);

/* The same device for another thread, whose loops have so many threads: what fails there is kept in
 * the share. Primitives may be called on several shares at a time, of which a card serves one after
 * the other. It is closed with the device, but shares must have given back their buffers. */
struct device device_share(const struct device *dev, int threads);

/* True if nothing failed since the device was opened; otherwise hands out the sticky error. */
bool device_ok(struct device *dev, struct kin_error *err);

/* True once anything has failed: a primitive then returns at once. */
static inline bool device_stopped(const struct device *dev)
{
    return dev->error.code != KIN_OK;
}

/* Forgets a failure for want of memory on a card, so that the caller may try again with less.
 * False: nothing failed, or something else did. */
bool device_forgive(struct device *dev);

/* For back ends: records the first failure. Threads of one loop may fail at a time. */
void device_fail(struct device *dev, enum kin_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
