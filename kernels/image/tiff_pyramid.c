// SPDX-License-Identifier: MIT
// libtiff writes one directory at a time: the tiles of a page go out while its rows come in, the
// smaller levels wait in memory and follow as the directories that the page's SubIFD tag has
// announced.
#include "image/tiff_pyramid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/part.h"
#include "image/tiff_handle.h"

enum { TILE = TIFF_PYRAMID_TILE, MOST_LEVELS = 20 };

struct level {
    int h, w;
    uint16_t *pixels; // owned; h * w
};

struct tiff_pyramid {
    TIFF *file;
    char *path, *part;
    struct tiff_log log;
    struct kin_dims dims;
    struct kin_tiff_options options;
    int page, row;  // where the next row goes
    uint16_t *band; // TILE rows of the page
    int held;       // rows in it
    uint16_t *tile; // TILE * TILE
    struct level level[MOST_LEVELS];
    int levels;
};

int tiff_pyramid_levels(struct kin_dims dims)
{
    int n = 0;
    for (int h = dims.y, w = dims.x; (h > TILE || w > TILE) && n < MOST_LEVELS; n++) {
        h = (h + 1) / 2;
        w = (w + 1) / 2;
    }
    return n;
}

static bool write_failed(struct tiff_pyramid *p, struct kin_error *err)
{
    return kin_fail(err, KIN_IO, "%s: cannot be written: %s", p->path, tiff_write_why(&p->log));
}

static bool set_tags(struct tiff_pyramid *p, int h, int w, bool reduced, struct kin_error *err)
{
    TIFF *file = p->file;
    errno = 0;
    bool fine = TIFFSetField(file, TIFFTAG_SUBFILETYPE, reduced ? FILETYPE_REDUCEDIMAGE : 0) &&
                TIFFSetField(file, TIFFTAG_IMAGEWIDTH, (uint32_t)w) &&
                TIFFSetField(file, TIFFTAG_IMAGELENGTH, (uint32_t)h) &&
                TIFFSetField(file, TIFFTAG_TILEWIDTH, (uint32_t)TILE) &&
                TIFFSetField(file, TIFFTAG_TILELENGTH, (uint32_t)TILE) &&
                TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, 16) &&
                TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1) &&
                TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT) &&
                TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
                TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                tiff_set_pixel(file, reduced ? 0 : p->options.pixel_nm) &&
                TIFFSetField(file, TIFFTAG_COMPRESSION, tiff_compression(p->options.compression));
    if (p->options.compression != KIN_NONE)
        fine = fine && TIFFSetField(file, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    if (p->options.compression == KIN_DEFLATE)
        fine = fine && TIFFSetField(file, TIFFTAG_ZIPQUALITY, 4);
    return fine || write_failed(p, err);
}

static bool begin_page(struct tiff_pyramid *p, const char *text, struct kin_error *err)
{
    uint64_t offsets[MOST_LEVELS] = {0};
    if (!set_tags(p, p->dims.y, p->dims.x, false, err))
        return false;
    bool fine = (!text || TIFFSetField(p->file, TIFFTAG_IMAGEDESCRIPTION, text)) &&
                TIFFSetField(p->file, TIFFTAG_SOFTWARE, "kintsugi-image") &&
                (!p->levels || TIFFSetField(p->file, TIFFTAG_SUBIFD, (uint16_t)p->levels, offsets));
    return fine || write_failed(p, err);
}

static void free_pyramid(struct tiff_pyramid *p)
{
    for (int k = 0; k < p->levels; k++)
        free(p->level[k].pixels);
    free(p->band);
    free(p->tile);
    free(p->path);
    free(p->part);
    free(p);
}

static bool get_memory(struct tiff_pyramid *p, const char *path)
{
    int h = p->dims.y, w = p->dims.x;
    p->band = malloc((size_t)TILE * w * sizeof *p->band);
    p->tile = malloc((size_t)TILE * TILE * sizeof *p->tile);
    p->path = strdup(path);
    p->part = kin_part_name(path);
    bool fine = p->band && p->tile && p->path && p->part;
    for (int k = 0; k < p->levels && fine; k++) {
        h = (h + 1) / 2;
        w = (w + 1) / 2;
        p->level[k] = (struct level){h, w, malloc((size_t)h * w * sizeof(uint16_t))};
        fine = p->level[k].pixels;
    }
    return fine;
}

struct tiff_pyramid *tiff_pyramid_create(const char *path, struct kin_dims dims, const char *text,
                                         const struct kin_tiff_options *options,
                                         struct kin_error *err)
{
    if (!kin_count(dims)) {
        kin_fail(err, KIN_INPUT, "%s: an image without pixels cannot be written", path);
        return NULL;
    }
    struct tiff_pyramid *p = calloc(1, sizeof *p);
    if (p) {
        p->dims = dims;
        p->options = *options;
        p->levels = tiff_pyramid_levels(dims);
    }
    if (!p || !get_memory(p, path)) {
        if (p)
            free_pyramid(p);
        kin_fail(err, KIN_MEMORY, "%s: no memory for the levels of %d x %d pixels", path, dims.y,
                 dims.x);
        return NULL;
    }
    /* The levels are a third more, and noise grows by as much again where LZW meets it. */
    bool big = (double)kin_count(dims) * sizeof(uint16_t) * 2 > 3.9e9;
    errno = 0;
    p->file = tiff_open_logged(p->part, big ? "w8" : "w", &p->log);
    if (!p->file) {
        write_failed(p, err);
        free_pyramid(p);
        return NULL;
    }
    if (!begin_page(p, text, err)) {
        tiff_pyramid_abandon(p);
        return NULL;
    }
    return p;
}

// Writes `rows` rows (at most TILE) of an image w wide as one row of tiles; y is the first row's
// place.
static bool write_tiles(struct tiff_pyramid *p, const uint16_t *rows, int count, int w, int y,
                        struct kin_error *err)
{
    for (int x = 0; x < w; x += TILE) {
        int cols = w - x < TILE ? w - x : TILE;
        // What lies beyond the image repeats its edge: that compresses best and no reader shows it.
        for (int j = 0; j < TILE; j++) {
            const uint16_t *from = rows + (size_t)(j < count ? j : count - 1) * w + x;
            uint16_t *to = p->tile + (size_t)j * TILE;
            memcpy(to, from, cols * sizeof *to);
            for (int i = cols; i < TILE; i++)
                to[i] = from[cols - 1];
        }
        uint32_t at = TIFFComputeTile(p->file, (uint32_t)x, (uint32_t)y, 0, 0);
        tmsize_t bytes = (tmsize_t)TILE * TILE * sizeof *p->tile;
        errno = 0;
        if (TIFFWriteEncodedTile(p->file, at, p->tile, bytes) != bytes)
            return write_failed(p, err);
    }
    return true;
}

// Averages 2 x 2 pixels of rows y.. of an h x w image (count rows at `rows`, y even) into the
// level.
static void halve(struct level *to, const uint16_t *rows, int y, int count, int w)
{
    for (int j = 0; j < count; j += 2) {
        const uint16_t *a = rows + (size_t)j * w, *b = j + 1 < count ? a + w : a;
        uint16_t *out = to->pixels + (size_t)((y + j) / 2) * to->w;
        for (int x = 0; x < to->w; x++) {
            int l = 2 * x, r = 2 * x + 1 < w ? 2 * x + 1 : 2 * x;
            out[x] = (uint16_t)((a[l] + a[r] + b[l] + b[r] + 2) / 4);
        }
    }
}

static bool write_level(struct tiff_pyramid *p, const struct level *level, struct kin_error *err)
{
    if (!set_tags(p, level->h, level->w, true, err))
        return false;
    for (int y = 0; y < level->h; y += TILE) {
        int count = level->h - y < TILE ? level->h - y : TILE;
        if (!write_tiles(p, level->pixels + (size_t)y * level->w, count, level->w, y, err))
            return false;
    }
    errno = 0;
    return TIFFWriteDirectory(p->file) || write_failed(p, err);
}

static bool end_page(struct tiff_pyramid *p, struct kin_error *err)
{
    errno = 0;
    if (!TIFFWriteDirectory(p->file))
        return write_failed(p, err);
    for (int k = 0; k < p->levels; k++) {
        if (k)
            halve(&p->level[k], p->level[k - 1].pixels, 0, p->level[k - 1].h, p->level[k - 1].w);
        if (!write_level(p, &p->level[k], err))
            return false;
    }
    p->row = 0;
    return ++p->page == p->dims.z || begin_page(p, NULL, err);
}

static bool flush_band(struct tiff_pyramid *p, struct kin_error *err)
{
    if (p->levels)
        halve(&p->level[0], p->band, p->row, p->held, p->dims.x);
    if (!write_tiles(p, p->band, p->held, p->dims.x, p->row, err))
        return false;
    p->row += p->held;
    p->held = 0;
    return p->row < p->dims.y || end_page(p, err);
}

bool tiff_pyramid_rows(struct tiff_pyramid *p, const uint16_t *rows, int count,
                       struct kin_error *err)
{
    while (count > 0) {
        if (p->page >= p->dims.z)
            return kin_fail(err, KIN_INPUT, "%s: more rows than %d pages hold", p->path, p->dims.z);
        int room = TILE - p->held, left = p->dims.y - p->row - p->held;
        int take = count < room ? count : room;
        take = take < left ? take : left;
        memcpy(p->band + (size_t)p->held * p->dims.x, rows,
               (size_t)take * p->dims.x * sizeof *rows);
        p->held += take;
        rows += (size_t)take * p->dims.x;
        count -= take;
        if ((p->held == TILE || p->row + p->held == p->dims.y) && !flush_band(p, err))
            return false;
    }
    return true;
}

static bool flush_to_disk(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool fine = fsync(fd) == 0;
    return close(fd) == 0 && fine;
}

bool tiff_pyramid_commit(struct tiff_pyramid *p, struct kin_error *err)
{
    bool complete = p->page == p->dims.z;
    errno = 0;
    TIFFClose(p->file);
    bool fine = complete && !p->log.text[0] && flush_to_disk(p->part) &&
                rename(p->part, p->path) == 0;
    if (!complete)
        kin_fail(err, KIN_INPUT, "%s: only %d of %d pages were written", p->path, p->page,
                 p->dims.z);
    else if (!fine)
        write_failed(p, err);
    if (!fine)
        unlink(p->part);
    free_pyramid(p);
    return fine;
}

void tiff_pyramid_abandon(struct tiff_pyramid *p)
{
    if (!p)
        return;
    TIFFClose(p->file);
    unlink(p->part);
    free_pyramid(p);
}
