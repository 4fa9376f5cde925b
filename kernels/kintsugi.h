/* SPDX-License-Identifier: MIT
 *
 * kintsugi.h: the image library's public header.
 *
 * Conventions, everywhere in this library:
 *   - arrays are row-major; axis order is (z, y, x), x varies fastest; an image has h rows
 *     of w pixels;
 *   - coordinates are pixels, the centre of the first pixel is (0, 0), y grows downwards;
 *   - physical lengths are nanometres in parameters (as in experiment.json) and micrometres
 *     in OME-XML;
 *   - pixel values are ADU (uint16, 0..65535) in files and float32 ADU while computing;
 *   - a function that can fail returns bool and takes `struct kin_error *err` last; on false it has
 *     filled err with one sentence that names the file or parameter; nothing half-written remains
 *     under a final name;
 *   - `x_free(NULL)` and freeing a zeroed struct are fine; who calls an _alloc or _read frees. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Small functions that the CPU and the GPU share are marked with this. */
#ifdef __CUDACC__
#define KIN_INLINE static __host__ __device__ inline
#else
#define KIN_INLINE static inline
#endif

/* Before a loop of few turns whose indices are to become constants. nvcc reads a source once for
 * the card and once for the host, where it wants neither spelling; nor does the emulated card. */
#if defined __CUDA_ARCH__ || defined __clang__
#define KIN_UNROLL _Pragma("unroll")
#elif defined __cplusplus
#define KIN_UNROLL
#else
#define KIN_UNROLL _Pragma("GCC unroll 32")
#endif

/* ---- errors ------------------------------------------------------------------------------- */

enum kin_code {
    KIN_OK,
    KIN_INPUT,  /* the data or a parameter is not acceptable: exit status 1 */
    KIN_IO,     /* reading or writing failed, disk full */
    KIN_MEMORY, /* out of memory, or over the limit given by --memory */
    KIN_DEVICE, /* the compute device failed */
};

struct kin_error {
    enum kin_code code;
    char text[600]; /* one sentence, no newline */
};

/* Fills err (which may be NULL) if it holds no error yet: the first failure is the one reported.
 * Always returns false, so that `return kin_fail(err, KIN_IO, "...")` reads well. */
bool kin_fail(struct kin_error *err, enum kin_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- images ------------------------------------------------------------------------------- */

enum kin_type { KIN_U8, KIN_U16, KIN_F32 };

/* Bytes of one sample. */
size_t kin_type_size(enum kin_type type);

/* Extent of an image or volume in pixels; a plain image has z == 1. */
struct kin_dims {
    int z, y, x;
};

/* A 2-D image or a volume in host memory, (z, y, x), contiguous. */
struct kin_image {
    struct kin_dims dims;
    enum kin_type type;
    void *data; /* owned; dims.z * dims.y * dims.x samples, 64-byte aligned */
};

/* A zeroed image of that size. False: KIN_MEMORY, or KIN_INPUT for a size that is not positive. */
bool kin_image_alloc(struct kin_image *image, struct kin_dims dims, enum kin_type type,
                     struct kin_error *err);

/* The same, not zeroed. */
bool kin_image_reserve(struct kin_image *image, struct kin_dims dims, enum kin_type type,
                       struct kin_error *err);
/* Frees its samples; a zeroed one does no harm. */
void kin_image_free(struct kin_image *image);

/* Samples in dims (0 if any axis is not positive). */
size_t kin_count(struct kin_dims dims);

/* The samples as their type; the image must have that type. */
static inline uint8_t *kin_u8(const struct kin_image *image)
{
    return (uint8_t *)image->data;
}
static inline uint16_t *kin_u16(const struct kin_image *image)
{
    return (uint16_t *)image->data;
}
static inline float *kin_f32(const struct kin_image *image)
{
    return (float *)image->data;
}

/* Zeroed memory, 64-byte aligned, for free(); NULL when there is none. */
void *kin_alloc(size_t bytes);

/* The same, not zeroed. */
void *kin_reserve(size_t bytes);

/* Where memory is short: what is free goes back to the system, and so do new large blocks when they
 * are freed. The C library learns to keep them, for each thread, which is faster: the system clears
 * what it gives. */
void kin_return_blocks(void);

/* dst[i] = src[i] as float32, n samples of that type. */
void kin_convert_f32(float *dst, const void *src, enum kin_type type, size_t n);

/* The mean of n samples, at least one. */
double kin_mean_f32(const float *samples, size_t n);

/* dst = the samples of src as float32; dst is allocated here and becomes the caller's. */
bool kin_to_f32(const struct kin_image *src, struct kin_image *dst, struct kin_error *err);

/* Rounds to nearest (ties to even), clips to 0..65535; a NaN becomes 0. Beside 2^23 no fraction has
 * room, and the last bits are the number: in vectors on every machine, where nearbyintf is a call
 * on old ones. */
KIN_INLINE uint16_t kin_round_u16(float v)
{
    uint32_t bits;
    v = v > 0 ? v : 0; /* NaN: 0 */
    v = v < 65535 ? v : 65535;
    v += 8388608.0f;
    memcpy(&bits, &v, sizeof bits);
    return (uint16_t)bits;
}

/* v, or the end of low..high that it is beyond; a NaN becomes low. On the host fminf and
 * fmaxf would be calls. */
KIN_INLINE float kin_clamp(float v, float low, float high)
{
#ifdef __CUDA_ARCH__
    return fminf(fmaxf(v, low), high);
#else
    v = v > low ? v : low;
    return v < high ? v : high;
#endif
}

/* ---- TIFF --------------------------------------------------------------------------------- */

enum kin_compression { KIN_NONE, KIN_DEFLATE, KIN_LZW, KIN_ZSTD };

struct kin_tiff_info {
    struct kin_dims dims; /* z: number of pages of equal size (sub-images excluded) */
    enum kin_type type;
    int channels, moments, slices; /* what the pages are, by the file's description; 1: not said */
    double pixel_nm, plane_nm;     /* edge of a pixel, distance of planes; 0: not said */
};

/* Reads the headers, and of compressed data the first rows of the first page (64 KB of pixels).
 * Refuses by name what the library cannot represent (RGB, signed, 64-bit, turned, pages that
 * differ), a predictor that not all programs undo, pages whose strips or tiles are not in the file
 * or too short for them, and data that do not unpack as the header says. */
bool kin_tiff_info(const char *path, struct kin_tiff_info *info, struct kin_error *err);

/* Reads all pages into *image (allocated here, the caller's). Strips, tiles, any compression
 * libtiff knows, both byte orders, BigTIFF. A truncated or damaged file is an error with the page
 * and the row, never zeros, nor the grey that libjpeg makes up. */
bool kin_tiff_read(const char *path, struct kin_image *image, struct kin_error *err);

/* Opens a file that is read in bands, as kin_tiff_info does; info (may be NULL) says what it holds.
 * NULL: see err. One thread at a time reads it. */
struct kin_tiff; /* an open TIFF */
struct kin_tiff *kin_tiff_open(const char *path, struct kin_tiff_info *info, struct kin_error *err);
void kin_tiff_close(struct kin_tiff *tiff);

/* Reads rows y0..y0+rows-1 of page z into dst (rows * w samples of the file's type, the caller's
 * memory). */
bool kin_tiff_rows(struct kin_tiff *tiff, int z, int y0, int rows, void *dst,
                   struct kin_error *err);

/* Says that a file will be read soon: the system fetches it while something else is computed. */
void kin_tiff_expect(const char *path);

struct kin_tiff_options {
    enum kin_compression compression;
    int rows_per_strip; /* 0: 64, so that a band is one seek; two strips are one */
    bool unsynced; /* do not wait for the disk before the rename: for data that can be made again */
    double pixel_nm; /* edge of a pixel, for programs that show a scale; 0: not known */
    double plane_nm; /* distance of a stack's planes, the same */
};

/* Writes all pages to a temporary name beside path, flushes it to disk, and renames. options may be
 * NULL. */
bool kin_tiff_write(const char *path, const struct kin_image *image,
                    const struct kin_tiff_options *options, struct kin_error *err);

/* Writing in bands: rows arrive top to bottom, page after page. _commit renames the finished file;
 * _abandon removes it, and takes NULL too. Either frees the writer. */
struct kin_tiff_writer;
struct kin_tiff_writer *kin_tiff_create(const char *path, struct kin_dims dims, enum kin_type type,
                                        const struct kin_tiff_options *options,
                                        struct kin_error *err);
bool kin_tiff_append(struct kin_tiff_writer *writer, const void *rows, int count,
                     struct kin_error *err);
bool kin_tiff_commit(struct kin_tiff_writer *writer, struct kin_error *err);
void kin_tiff_abandon(struct kin_tiff_writer *writer);

/* ---- progress ----------------------------------------------------------------------------- */

/* Who is told how far a long stage is: done of total units of work, on the caller's thread. */
struct kin_progress {
    void (*step)(void *user, int64_t done, int64_t total, const char *what);
    void *user;
};

/* NULL: nobody is told. */
static inline void kin_tell(const struct kin_progress *progress, int64_t done, int64_t total,
                            const char *what)
{
    if (progress)
        progress->step(progress->user, done, total, what);
}

/* Each stage's parameters and functions stand in its own header: illum/illum.h, stitch/stitch.h,
 * deconv/deconv.h, edof/edof.h, regist/regist.h, isolate/isolate.h, qc/qc.h, phantom/phantom.h. */
