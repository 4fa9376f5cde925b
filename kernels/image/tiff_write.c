// SPDX-License-Identifier: MIT
// tiff_write.c: host memory into TIFF files, whole or in bands of rows.
//
// The file grows under a temporary name beside its final one (part.h); commit flushes it to the
// disk and renames it, so that a final name always holds a finished file. Rows are
// gathered to whole strips; BigTIFF is used when the samples alone come near 4 GB.
#include "core/io_wait.h"
#include "core/part.h"
#include "image/tiff_handle.h"
#include "kintsugi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEND = 4 << 20 };

struct kin_tiff_writer {
    TIFF *file;
    char *path, *part; /* the final and the temporary name */
    struct tiff_log log;
    struct kin_dims dims;
    enum kin_type type;
    struct kin_tiff_options options;
    int strip_rows;
    int page, row;  /* where the next row goes */
    size_t unsent;  /* bytes since the disk was last set to work */
    uint8_t *strip; /* rows of the strip that is being gathered */
    int held;       /* rows in it */
};

static size_t row_bytes(const struct kin_tiff_writer *w)
{
    return (size_t)w->dims.x * kin_type_size(w->type);
}

static bool write_failed(struct kin_tiff_writer *w, struct kin_error *err)
{
    return kin_fail(err, KIN_IO, "%s: cannot be written: %s", w->path, tiff_write_why(&w->log));
}

/* ---- one page ------------------------------------------------------------------------------- */

uint16_t tiff_compression(enum kin_compression compression)
{
    switch (compression) {
    case KIN_NONE: return COMPRESSION_NONE;
    case KIN_DEFLATE: return COMPRESSION_ADOBE_DEFLATE;
    case KIN_LZW: return COMPRESSION_LZW;
    case KIN_ZSTD: return COMPRESSION_ZSTD;
    }
    return COMPRESSION_NONE;
}

static bool set_resolution(TIFF *file, int unit, double pixels)
{
    return TIFFSetField(file, TIFFTAG_RESOLUTIONUNIT, unit) &&
           TIFFSetField(file, TIFFTAG_XRESOLUTION, pixels) &&
           TIFFSetField(file, TIFFTAG_YRESOLUTION, pixels);
}

bool tiff_set_pixel(TIFF *file, double pixel_nm)
{
    return !(pixel_nm > 0) || set_resolution(file, RESUNIT_CENTIMETER, 1e7 / pixel_nm);
}

/* Pages are planes one behind the other: said as ImageJ does, whose words others know, too, in
 * micrometres for all three axes. The count of images is left out: ImageJ then expects them without
 * gaps. */
static bool set_stack(struct kin_tiff_writer *w)
{
    char text[120], unit[60] = "";
    bool fine = TIFFSetField(w->file, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE) &&
                (w->dims.z > UINT16_MAX ||
                 TIFFSetField(w->file, TIFFTAG_PAGENUMBER, w->page, w->dims.z));
    if (w->options.pixel_nm > 0) {
        fine = fine && set_resolution(w->file, RESUNIT_NONE, 1e3 / w->options.pixel_nm);
        snprintf(unit, sizeof unit, "unit=micron\n");
        if (w->options.plane_nm > 0)
            snprintf(unit, sizeof unit, "unit=micron\nspacing=%g\n", w->options.plane_nm / 1e3);
    }
    snprintf(text, sizeof text, "ImageJ=1.52\nslices=%d\n%sloop=false\n", w->dims.z, unit);
    return fine && (w->page || TIFFSetField(w->file, TIFFTAG_IMAGEDESCRIPTION, text));
}

static bool set_compression(struct kin_tiff_writer *w, struct kin_error *err)
{
    uint16_t tag = tiff_compression(w->options.compression);
    if (!TIFFIsCODECConfigured(tag))
        return kin_fail(err, KIN_INPUT, "%s: this libtiff has no %s compression", w->path,
                        w->options.compression == KIN_ZSTD ? "zstd" : "such");
    /* ImageJ undoes a predictor for LZW only and else shows the differences as pixels, without a
     * word; Bio-Formats has no predictor for floats. */
    bool predict = w->options.compression == KIN_LZW && w->type != KIN_F32;
    return (TIFFSetField(w->file, TIFFTAG_COMPRESSION, tag) &&
            (!predict || TIFFSetField(w->file, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL))) ||
           write_failed(w, err);
}

static bool begin_page(struct kin_tiff_writer *w, struct kin_error *err)
{
    TIFF *file = w->file;
    int format = w->type == KIN_F32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT;
    errno = 0;
    bool fine = TIFFSetField(file, TIFFTAG_IMAGEWIDTH, (uint32_t)w->dims.x) &&
                TIFFSetField(file, TIFFTAG_IMAGELENGTH, (uint32_t)w->dims.y) &&
                TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, (int)kin_type_size(w->type) * 8) &&
                TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1) &&
                TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, format) &&
                TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
                TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, (uint32_t)w->strip_rows) &&
                (w->dims.z > 1 ? set_stack(w) : tiff_set_pixel(file, w->options.pixel_nm));
    return fine ? set_compression(w, err) : write_failed(w, err);
}

/* Sets the disk to work on what is written while the next rows are computed: the wait at the end is
 * then for the last of it only. */
static void send_on(struct kin_tiff_writer *w, size_t bytes)
{
    w->unsent += bytes;
    if (w->unsent < SEND)
        return;
    sync_file_range(TIFFFileno(w->file), 0, 0, SYNC_FILE_RANGE_WRITE);
    w->unsent = 0;
}

/* libtiff changes the rows when it compresses them, else not. */
static bool write_strip(struct kin_tiff_writer *w, const uint8_t *rows, int count,
                        struct kin_error *err)
{
    uint32_t at = (uint32_t)(w->row / w->strip_rows);
    tmsize_t bytes = (tmsize_t)((size_t)count * row_bytes(w));
    struct io_mark mark = io_enter();
    errno = 0;
    bool good = TIFFWriteEncodedStrip(w->file, at, (void *)rows, bytes) == bytes;
    send_on(w, (size_t)bytes);
    io_leave(&mark);
    if (!good)
        return write_failed(w, err);
    w->row += count;
    w->held = 0;
    if (w->row < w->dims.y)
        return true;
    errno = 0;
    if (!TIFFWriteDirectory(w->file))
        return write_failed(w, err);
    w->row = 0;
    w->page++;
    return w->page == w->dims.z || begin_page(w, err);
}

/* ---- the life of the file ------------------------------------------------------------------- */

static void free_writer(struct kin_tiff_writer *w)
{
    free(w->path);
    free(w->part);
    free(w->strip);
    free(w);
}

static bool name_files(struct kin_tiff_writer *w, const char *path)
{
    w->path = strdup(path);
    w->part = kin_part_name(path);
    return w->path && w->part;
}

static bool start_writer(struct kin_tiff_writer *w, const char *path, struct kin_error *err)
{
    if (!kin_count(w->dims))
        return kin_fail(err, KIN_INPUT, "%s: an image of %d x %d x %d is empty", path, w->dims.z,
                        w->dims.y, w->dims.x);
    int rows = w->options.rows_per_strip > 0 ? w->options.rows_per_strip : 64;
    /* Two strips are one: of two whose lengths are short numbers ImageJ cannot read the lengths. */
    w->strip_rows = 2 * rows < w->dims.y ? rows : w->dims.y;
    w->strip = malloc((size_t)w->strip_rows * row_bytes(w));
    if (!name_files(w, path) || !w->strip)
        return kin_fail(err, KIN_MEMORY, "%s: no memory to write it", path);
    double bytes = (double)kin_count(w->dims) * (double)kin_type_size(w->type);
    errno = 0;
    w->file = tiff_open_logged(w->part, bytes > 4.0e9 ? "w8" : "w", &w->log);
    return w->file ? begin_page(w, err) : write_failed(w, err);
}

struct kin_tiff_writer *kin_tiff_create(const char *path, struct kin_dims dims, enum kin_type type,
                                        const struct kin_tiff_options *options,
                                        struct kin_error *err)
{
    struct kin_tiff_writer *w = calloc(1, sizeof *w);
    if (!w) {
        kin_fail(err, KIN_MEMORY, "%s: no memory to write it", path);
        return NULL;
    }
    w->dims = dims;
    w->type = type;
    if (options)
        w->options = *options;
    if (start_writer(w, path, err))
        return w;
    kin_tiff_abandon(w);
    return NULL;
}

bool kin_tiff_append(struct kin_tiff_writer *w, const void *rows, int count, struct kin_error *err)
{
    const uint8_t *from = rows;
    while (count > 0) {
        if (w->page == w->dims.z)
            return kin_fail(err, KIN_INPUT, "%s: more rows than the image has", w->path);
        int left = w->dims.y - w->row, strip = left < w->strip_rows ? left : w->strip_rows;
        int take = strip - w->held < count ? strip - w->held : count;
        bool straight = take == strip && w->options.compression == KIN_NONE;
        if (!straight)
            memcpy(w->strip + (size_t)w->held * row_bytes(w), from, (size_t)take * row_bytes(w));
        w->held += take;
        if (w->held == strip && !write_strip(w, straight ? from : w->strip, strip, err))
            return false;
        from += (size_t)take * row_bytes(w);
        count -= take;
    }
    return true;
}

/* Closes the file and waits until its bytes are on the disk. */
static bool finish_file(struct kin_tiff_writer *w, struct kin_error *err)
{
    errno = 0;
    int fd = dup(TIFFFileno(w->file));
    TIFFClose(w->file);
    w->file = NULL;
    bool ok = fd >= 0 && !w->log.text[0] && (w->options.unsynced || !fsync(fd));
    if (!ok)
        write_failed(w, err);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool kin_tiff_commit(struct kin_tiff_writer *w, struct kin_error *err)
{
    bool ok = w->page == w->dims.z || kin_fail(err, KIN_INPUT, "%s: rows are missing", w->path);
    struct io_mark mark = io_enter();
    ok = ok && finish_file(w, err);
    io_leave(&mark);
    if (ok && rename(w->part, w->path))
        ok = kin_fail(err, KIN_IO, "%s: %s", w->path, strerror(errno));
    if (!ok) {
        kin_tiff_abandon(w);
        return false;
    }
    free_writer(w);
    return true;
}

void kin_tiff_abandon(struct kin_tiff_writer *w)
{
    if (!w)
        return;
    if (w->file)
        TIFFClose(w->file);
    if (w->part)
        unlink(w->part);
    free_writer(w);
}

bool kin_tiff_write(const char *path, const struct kin_image *image,
                    const struct kin_tiff_options *options, struct kin_error *err)
{
    struct kin_tiff_writer *w = kin_tiff_create(path, image->dims, image->type, options, err);
    if (!w)
        return false;
    size_t page = (size_t)image->dims.y * row_bytes(w);
    for (int z = 0; z < image->dims.z; z++) {
        if (!kin_tiff_append(w, (uint8_t *)image->data + (size_t)z * page, image->dims.y, err)) {
            kin_tiff_abandon(w);
            return false;
        }
    }
    return kin_tiff_commit(w, err);
}
