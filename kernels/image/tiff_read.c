// SPDX-License-Identifier: MIT
// tiff_read.c: TIFF files into host memory, whole or in bands of rows.
//
// A page is a directory of the main chain that is not a reduced image; its rows come from strips or
// from tiles ("chunks": w x chunk_rows pixels each), decoded one at a time. The last decoded row of
// chunks is kept, so that bands which end inside a chunk do not decode it twice. Whether the chunks
// lie in the file and can unpack to a page of that size is asked of every page when a file is
// opened, before anybody takes memory for it; whether they unpack at all, of the first rows of the
// first page.
#include "core/io_wait.h"
#include "image/tiff_handle.h"
#include "image/tiff_says.h"
#include "kintsugi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BEFORE = 0xa5 }; /* bytes of memory that is decoded into */

struct kin_tiff {
    TIFF *file;
    char *path;
    struct tiff_log log;
    struct kin_tiff_info info;
    uint64_t *pages; /* directory offset of each page */
    int page;        /* the page that libtiff stands at */
    bool tiled;
    uint16_t compression, predictor;
    int chunk_rows; /* rows of a strip, or of a tile */
    int chunk_cols; /* columns of a tile; of the image for strips */
    uint8_t *chunk; /* one decoded row of chunks, chunk_rows * row_bytes */
    uint8_t *tile;  /* one decoded tile */
    uint64_t bytes; /* of the file */
    int chunk_at;   /* which row of chunks `chunk` holds, of `page`; -1: none */
};

/* ---- the handle ---------------------------------------------------------------------------- */

static int on_error(TIFF *file, void *user, const char *module, const char *format, va_list args)
{
    struct tiff_log *log = user;
    if (log->text[0])
        return 1;
    log->error = errno;
    vsnprintf(log->text, sizeof log->text, format, args);
    return 1;
}

/* Where JPEG data end early or are damaged libjpeg makes up pixels, and warns. */
static int on_warning(TIFF *file, void *user, const char *module, const char *format, va_list args)
{
    struct tiff_log *log = user;
    if (!module || strcmp(module, "JPEGLib"))
        return 1;
    log->made_up = true;
    if (!log->text[0])
        vsnprintf(log->text, sizeof log->text, format, args);
    return 1;
}

TIFF *tiff_open_logged(const char *path, const char *mode, struct tiff_log *log)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, log);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, log);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)1 << 33);
    TIFF *file = TIFFOpenExt(path, mode, options);
    TIFFOpenOptionsFree(options);
    return file;
}

/* The error: what the system said, where it said anything since errno was last set to 0, else
 * libtiff's text; or what was to be said without one. */
static const char *tiff_why(const struct tiff_log *log, const char *otherwise)
{
    return !log->text[0] ? otherwise : log->error ? strerror(log->error) : log->text;
}

const char *tiff_write_why(const struct tiff_log *log)
{
    int why = log->text[0] ? log->error : errno;
    return why ? strerror(why) : tiff_why(log, "writing failed");
}

/* ---- what a page is ------------------------------------------------------------------------ */

static const char *photometric_problem(TIFF *file)
{
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &photometric);
    switch (photometric) {
    case PHOTOMETRIC_MINISBLACK: return NULL;
    case PHOTOMETRIC_MINISWHITE:
        return "an image whose zero is white (in ImageJ: Image > Lookup Tables > Grays, then save)";
    case PHOTOMETRIC_RGB: return "an RGB image";
    case PHOTOMETRIC_PALETTE:
        return "a palette image (in ImageJ: Image > Lookup Tables > Grays, then save)";
    default: return "an image that is not grey-scale";
    }
}

static bool sample_type(uint16_t bits, uint16_t format, enum kin_type *type)
{
    bool whole = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
    if (whole && bits == 8)
        *type = KIN_U8;
    else if (whole && bits == 16)
        *type = KIN_U16;
    else if (format == SAMPLEFORMAT_IEEEFP && bits == 32)
        *type = KIN_F32;
    else
        return false;
    return true;
}

static const char *format_name(uint16_t format)
{
    switch (format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID: return "unsigned";
    case SAMPLEFORMAT_INT: return "signed";
    case SAMPLEFORMAT_IEEEFP: return "floating-point";
    default: return "complex";
    }
}

static bool page_type(struct kin_tiff *tiff, enum kin_type *type, struct kin_error *err)
{
    uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, orientation = ORIENTATION_TOPLEFT;
    uint32_t depth = 1;
    TIFFGetField(tiff->file, TIFFTAG_IMAGEDEPTH, &depth);
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_ORIENTATION, &orientation);
    const char *problem = photometric_problem(tiff->file);
    if (problem)
        return kin_fail(err, KIN_INPUT, "%s: %s; a grey-scale image is needed", tiff->path,
                        problem);
    if (samples != 1)
        return kin_fail(err, KIN_INPUT, "%s: %d samples a pixel; a grey-scale image is needed",
                        tiff->path, samples);
    if (depth > 1)
        return kin_fail(err, KIN_INPUT,
                        "%s: %u planes in one page; each plane must be a page of its own",
                        tiff->path, depth);
    /* Some programs show such a page turned, others as it is stored. */
    if (orientation != ORIENTATION_TOPLEFT)
        return kin_fail(err, KIN_INPUT,
                        "%s: to be shown mirrored or turned (Orientation %d); save it as it is to "
                        "be, or set its Orientation to 1 if pixels are stored as they lie",
                        tiff->path, orientation);
    if (!sample_type(bits, format, type))
        return kin_fail(
            err, KIN_INPUT,
            "%s: %d-bit %s samples; unsigned 8, unsigned 16 or float 32 bits are needed",
            tiff->path, bits, format_name(format));
    return true;
}

static bool page_size(struct kin_tiff *tiff, uint32_t *h, uint32_t *w, struct kin_error *err)
{
    *h = *w = 0;
    TIFFGetField(tiff->file, TIFFTAG_IMAGELENGTH, h);
    TIFFGetField(tiff->file, TIFFTAG_IMAGEWIDTH, w);
    if (!*h || !*w || *h > INT32_MAX / 4 || *w > INT32_MAX / 4)
        return kin_fail(err, KIN_INPUT, "%s: an image of %u x %u pixels", tiff->path, *h, *w);
    return true;
}

/* ---- chunks -------------------------------------------------------------------------------- */

static size_t row_bytes(const struct kin_tiff *tiff)
{
    return (size_t)tiff->info.dims.x * kin_type_size(tiff->info.type);
}

static bool short_read(struct kin_tiff *tiff, int y, struct kin_error *err)
{
    return kin_fail(err, KIN_IO, "%s: page %d, row %d: %s", tiff->path, tiff->page + 1, y + 1,
                    tiff_why(&tiff->log, "the file is cut off"));
}

static int rows_of_chunk(const struct kin_tiff *tiff, int at)
{
    int left = tiff->info.dims.y - at * tiff->chunk_rows;
    return left < tiff->chunk_rows ? left : tiff->chunk_rows;
}

static const char *compression_name(uint16_t compression)
{
    static const struct {
        uint16_t tag;
        const char *name;
    } names[] = {{COMPRESSION_PACKBITS, "PackBits"},
                 {COMPRESSION_LZW, "LZW"},
                 {COMPRESSION_DEFLATE, "deflate"},
                 {COMPRESSION_ADOBE_DEFLATE, "deflate"},
                 {COMPRESSION_JPEG, "JPEG"},
                 {COMPRESSION_OJPEG, "JPEG of the old kind"},
                 {COMPRESSION_LZMA, "LZMA"},
                 {COMPRESSION_ZSTD, "zstd"},
                 {COMPRESSION_WEBP, "WebP"},
                 {34887, "LERC"},
                 {50002, "JPEG XL"},
                 {34712, "JPEG 2000"},
                 {33003, "JPEG 2000"},
                 {33004, "JPEG 2000"},
                 {33005, "JPEG 2000"},
                 {34933, "PNG"},
                 {34934, "JPEG XR"},
                 {22610, "JPEG XR"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == compression)
            return names[i].name;
    return "an unknown method";
}

/* That which libtiff's codec undoes; see strange_predictor for others. */
static uint16_t known_predictor(TIFF *file)
{
    const TIFFField *field = TIFFFindField(file, TIFFTAG_PREDICTOR, TIFF_ANY);
    uint16_t predictor = PREDICTOR_NONE;
    if (field && !TIFFFieldPassCount(field))
        TIFFGetFieldDefaulted(file, TIFFTAG_PREDICTOR, &predictor);
    return predictor;
}

static void read_layout(struct kin_tiff *tiff)
{
    uint32_t rows = 0, cols = (uint32_t)tiff->info.dims.x;
    tiff->compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_COMPRESSION, &tiff->compression);
    tiff->predictor = known_predictor(tiff->file);
    tiff->tiled = TIFFIsTiled(tiff->file);
    if (tiff->tiled) {
        TIFFGetField(tiff->file, TIFFTAG_TILELENGTH, &rows);
        TIFFGetField(tiff->file, TIFFTAG_TILEWIDTH, &cols);
    } else {
        TIFFGetFieldDefaulted(tiff->file, TIFFTAG_ROWSPERSTRIP, &rows);
    }
    /* A tile beyond 64 Mpx is damage, not a layout. */
    bool sane = rows <= 1u << 20 && cols <= 1u << 20 && (uint64_t)rows * cols <= 1u << 26;
    if (tiff->tiled && !sane)
        rows = cols = 0;
    tiff->chunk_rows = (int)(tiff->tiled || rows < (uint32_t)tiff->info.dims.y
                                 ? rows
                                 : (uint32_t)tiff->info.dims.y);
    tiff->chunk_cols = (int)cols;
}

static uint16_t short_at(TIFF *file, uint64_t at)
{
    uint16_t value = 0;
    if (pread(TIFFFileno(file), &value, sizeof value, (off_t)at) != sizeof value)
        return 0;
    if (TIFFIsByteSwapped(file))
        TIFFSwabShort(&value);
    return value;
}

/* The value of a tag of one SHORT that libtiff passes over because the page's codec has no such
 * tag; 0: the page has none. */
static int passed_over(TIFF *file, uint16_t tag)
{
    bool big = TIFFIsBigTIFF(file);
    uint64_t size = big ? 20 : 12, at = TIFFCurrentDirOffset(file);
    /* of a BigTIFF's count, eight bytes, the last two or the first */
    int entries = short_at(file, at + (big && TIFFIsBigEndian(file) ? 6 : 0));
    at += big ? 8 : 2;
    for (int i = 0; i < entries; i++)
        if (short_at(file, at + (uint64_t)i * size) == tag)
            return short_at(file, at + (uint64_t)i * size + (big ? 12 : 8));
    return 0;
}

/* A predictor that libtiff's codec does not undo: Bio-Formats and tifffile do, ImageJ does not. (Of
 * uncompressed data nearly nobody does.) 0: none. */
static int strange_predictor(const struct kin_tiff *tiff)
{
    const TIFFField *field = TIFFFindField(tiff->file, TIFFTAG_PREDICTOR, TIFF_ANY);
    bool strange = field && TIFFFieldPassCount(field) && tiff->compression != COMPRESSION_NONE;
    return strange ? passed_over(tiff->file, TIFFTAG_PREDICTOR) : 0;
}

static bool check_layout(struct kin_tiff *tiff, struct kin_error *err)
{
    if (!TIFFIsCODECConfigured(tiff->compression))
        return kin_fail(err, KIN_INPUT,
                        "%s: compressed by %s (%d), which this libtiff cannot read; save it with "
                        "deflate, LZW or no compression",
                        tiff->path, compression_name(tiff->compression), tiff->compression);
    if (strange_predictor(tiff) > 1)
        return kin_fail(err, KIN_INPUT,
                        "%s: compressed by %s (%d) with a predictor (%d), which some programs undo "
                        "and others not; save it with deflate, LZW or no compression",
                        tiff->path, compression_name(tiff->compression), tiff->compression,
                        strange_predictor(tiff));
    if (tiff->chunk_rows <= 0 || tiff->chunk_cols <= 0)
        return kin_fail(err, KIN_INPUT, "%s: strips or tiles of no sensible size", tiff->path);
    return true;
}

/* How many bytes one byte of a strip or a tile can stand for. */
static double most_unpacked(uint16_t compression)
{
    switch (compression) {
    case COMPRESSION_NONE: return 1;
    case COMPRESSION_PACKBITS: return 64; /* two bytes for a run of 128 */
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE: return 1032; /* two bits for a match of 258 */
    case COMPRESSION_LZW: return 2731;           /* 12 bits for a text as long as the table */
    default: return 65536;                       /* zstd: four bytes for a block of 128 KiB */
    }
}

static size_t chunk_bytes(const struct kin_tiff *tiff, int at)
{
    return tiff->tiled ? (size_t)tiff->chunk_rows * (size_t)tiff->chunk_cols *
                             kin_type_size(tiff->info.type)
                       : (size_t)rows_of_chunk(tiff, at) * row_bytes(tiff);
}

/* Whether a chunk lies in the file and can be that long. Uncompressed data are read by libtiff from
 * wherever the page says, even where it says nothing: the start of the file would then pass for
 * pixels. */
static bool is_there(struct kin_tiff *tiff, uint32_t at, size_t bytes)
{
    int missing = 0;
    uint64_t where = TIFFGetStrileOffsetWithErr(tiff->file, at, &missing);
    uint64_t held = TIFFGetStrileByteCountWithErr(tiff->file, at, &missing);
    const char *what = tiff->tiled ? "tile" : "strip";
    if (missing || !where || !held)
        snprintf(tiff->log.text, sizeof tiff->log.text, "%s %u is not in the file", what, at + 1);
    else if (where > tiff->bytes || held > tiff->bytes - where)
        snprintf(tiff->log.text, sizeof tiff->log.text,
                 "%s %u reaches beyond the end of the file (%llu bytes): cut off or damaged", what,
                 at + 1, (unsigned long long)tiff->bytes);
    else if ((double)held * most_unpacked(tiff->compression) < (double)bytes)
        snprintf(tiff->log.text, sizeof tiff->log.text,
                 "%s %u has %llu bytes, which cannot hold %zu", what, at + 1,
                 (unsigned long long)held, bytes);
    else
        return true;
    tiff->log.error = 0;
    return false;
}

static bool check_chunks(struct kin_tiff *tiff, struct kin_error *err)
{
    int down = (tiff->info.dims.y - 1) / tiff->chunk_rows + 1;
    int across = tiff->tiled ? (tiff->info.dims.x - 1) / tiff->chunk_cols + 1 : 1;
    for (int at = 0; at < down; at++)
        for (int k = 0; k < across; k++)
            if (!is_there(tiff, (uint32_t)at * (uint32_t)across + (uint32_t)k,
                          chunk_bytes(tiff, at)))
                return short_read(tiff, at * tiff->chunk_rows, err);
    return true;
}

/* ---- decoding ------------------------------------------------------------------------------ */

/* Memory, the caller's; NULL: the log says it. */
static uint8_t *take_bytes(struct kin_tiff *tiff, size_t bytes)
{
    uint8_t *memory = malloc(bytes);
    if (!memory)
        tiff->log = (struct tiff_log){"no memory", ENOMEM, false};
    return memory;
}

static bool decode_once(struct kin_tiff *tiff, uint32_t at, uint8_t *dst, size_t bytes)
{
    tmsize_t want = (tmsize_t)bytes;
    errno = 0;
    tiff->log.made_up = false;
    tmsize_t got = tiff->tiled ? TIFFReadEncodedTile(tiff->file, at, dst, want)
                               : TIFFReadEncodedStrip(tiff->file, at, dst, want);
    return got == want && !tiff->log.made_up;
}

/* Whether no byte of the last sample is what was there before. With a predictor that tells nothing:
 * it has been added to what is before it. */
static bool reaches_end(const struct kin_tiff *tiff, const uint8_t *chunk, size_t bytes)
{
    size_t sample = kin_type_size(tiff->info.type);
    return tiff->predictor == PREDICTOR_NONE && !memchr(chunk + bytes - sample, BEFORE, sample);
}

/* Over other memory it must come out the same. */
static bool decode_again(struct kin_tiff *tiff, uint32_t at, const uint8_t *first, size_t bytes)
{
    uint8_t *again = take_bytes(tiff, bytes);
    if (again)
        memset(again, ~BEFORE, bytes);
    bool good = again && decode_once(tiff, at, again, bytes);
    if (good && memcmp(first, again, bytes)) {
        good = false;
        snprintf(tiff->log.text, sizeof tiff->log.text, "the compressed data are damaged");
    }
    free(again);
    return good;
}

/* Chunk `at` of the file. libtiff may call damaged deflate data good and leave the end of the
 * memory as it was. */
static bool decode(struct kin_tiff *tiff, uint32_t at, uint8_t *dst, size_t bytes)
{
    if (tiff->compression == COMPRESSION_NONE)
        return decode_once(tiff, at, dst, bytes);
    memset(dst, BEFORE, bytes);
    return decode_once(tiff, at, dst, bytes) &&
           (reaches_end(tiff, dst, bytes) || decode_again(tiff, at, dst, bytes));
}

/* The first rows of the page, 64 KB or one: this is asked of every file that is opened. */
static bool first_rows_decode(struct kin_tiff *tiff)
{
    size_t row = (size_t)tiff->chunk_cols * kin_type_size(tiff->info.type), rows = (1 << 16) / row;
    size_t most = chunk_bytes(tiff, 0) / row, bytes = row * (rows < 1      ? 1
                                                             : rows < most ? rows
                                                                           : most);
    uint8_t *dst = take_bytes(tiff, bytes);
    bool good = dst && decode_once(tiff, 0, dst, bytes);
    free(dst);
    return good;
}

/* The codec may be missing from this libtiff, or the data may not be what the header says: better
 * told before the work than in the middle of it. */
static bool check_data(struct kin_tiff *tiff, struct kin_error *err)
{
    if (tiff->compression == COMPRESSION_NONE || first_rows_decode(tiff))
        return true;
    if (tiff->log.error)
        return short_read(tiff, 0, err);
    return kin_fail(
        err, KIN_INPUT,
        "%s: page %d, row 1: the data are not the %s (%d) that the header names, or are "
        "damaged: %s; save the file anew, with deflate, LZW or no compression",
        tiff->path, tiff->page + 1, compression_name(tiff->compression), tiff->compression,
        tiff_why(&tiff->log, "they cannot be unpacked"));
}

/* ---- pages --------------------------------------------------------------------------------- */

static bool check_page(struct kin_tiff *tiff, struct kin_error *err)
{
    uint32_t h, w;
    enum kin_type type = KIN_U8;
    if (!page_size(tiff, &h, &w, err) || !page_type(tiff, &type, err))
        return false;
    struct kin_dims *dims = &tiff->info.dims;
    if (!dims->z) {
        *dims = (struct kin_dims){0, (int)h, (int)w};
        tiff->info.type = type;
    }
    if (dims->y != (int)h || dims->x != (int)w || tiff->info.type != type)
        return kin_fail(err, KIN_INPUT, "%s: page %d differs from page 1 in size or sample type",
                        tiff->path, dims->z + 1);
    tiff->page = dims->z;
    read_layout(tiff);
    return check_layout(tiff, err) && check_chunks(tiff, err) &&
           (tiff->page > 0 || check_data(tiff, err));
}

static bool add_page(struct kin_tiff *tiff, struct kin_error *err)
{
    uint32_t kind = 0;
    tiff->page = -1;
    TIFFGetField(tiff->file, TIFFTAG_SUBFILETYPE, &kind);
    if (kind & FILETYPE_REDUCEDIMAGE)
        return true;
    if (!check_page(tiff, err))
        return false;
    int n = tiff->info.dims.z;
    uint64_t *pages = realloc(tiff->pages, ((size_t)n + 1) * sizeof *pages);
    if (!pages)
        return kin_fail(err, KIN_MEMORY, "%s: no memory for its pages", tiff->path);
    tiff->pages = pages;
    pages[n] = TIFFCurrentDirOffset(tiff->file);
    tiff->info.dims.z = n + 1;
    return true;
}

/* Such a stack has a page for its first plane only, and the others behind that; one plane of it
 * that was saved alone may still say how many there were. */
static bool check_stack(const struct kin_tiff *tiff, const struct tiff_says *says,
                        struct kin_error *err)
{
    int pages = tiff->info.dims.z;
    if (!(says->pictures > pages) || /* a NaN is not said */
        says->pictures * tiff->info.dims.y * (double)row_bytes(tiff) > (double)tiff->bytes)
        return true;
    return kin_fail(
        err, KIN_INPUT,
        "%s: %s stack of %.0f planes that has pages for %d; save it as OME-TIFF or BigTIFF",
        tiff->path, says->stack, says->pictures, pages);
}

static bool list_pages(struct kin_tiff *tiff, struct kin_error *err)
{
    struct tiff_says says = {.pictures = 1};
    for (;;) {
        if (!add_page(tiff, err))
            return false;
        if (tiff->info.dims.z == 1 && tiff->page == 0)
            says = tiff_says(tiff->file, tiff->info.dims);
        if (TIFFLastDirectory(tiff->file))
            break;
        if (!TIFFReadDirectory(tiff->file))
            return kin_fail(err, KIN_IO, "%s: page %d cannot be read: %s", tiff->path,
                            tiff->info.dims.z + 1, tiff_why(&tiff->log, "the file is cut off"));
    }
    if (!tiff->info.dims.z)
        return kin_fail(err, KIN_INPUT, "%s: no full-size page", tiff->path);
    if (says.raised && tiff->info.type == KIN_U16)
        return kin_fail(err, KIN_INPUT,
                        "%s: signed samples as ImageJ stores them, 32768 too high; unsigned ones "
                        "are needed",
                        tiff->path);
    tiff->info.channels = says.channels;
    tiff->info.moments = says.moments;
    tiff->info.slices = says.slices;
    tiff->info.pixel_nm = says.pixel_nm;
    tiff->info.plane_nm = says.plane_nm;
    return check_stack(tiff, &says, err);
}

/* Puts libtiff at page z and learns its layout, which may differ from page to page. */
static bool go_to_page(struct kin_tiff *tiff, int z, struct kin_error *err)
{
    if (tiff->page == z)
        return true;
    tiff->page = -1;
    tiff->chunk_at = -1;
    errno = 0;
    if (!TIFFSetSubDirectory(tiff->file, tiff->pages[z]))
        return kin_fail(err, KIN_IO, "%s: page %d cannot be read: %s", tiff->path, z + 1,
                        tiff_why(&tiff->log, "the file is cut off"));
    read_layout(tiff);
    free(tiff->chunk);
    free(tiff->tile);
    tiff->chunk = tiff->tile = NULL;
    tiff->page = z;
    return true;
}

static bool need_buffers(struct kin_tiff *tiff, struct kin_error *err)
{
    int rows = tiff->chunk_rows < tiff->info.dims.y ? tiff->chunk_rows : tiff->info.dims.y;
    if (!tiff->chunk)
        tiff->chunk = malloc((size_t)rows * row_bytes(tiff));
    if (tiff->tiled && !tiff->tile)
        tiff->tile = malloc(chunk_bytes(tiff, 0));
    if (!tiff->chunk || (tiff->tiled && !tiff->tile))
        return kin_fail(err, KIN_MEMORY, "%s: no memory for its strips", tiff->path);
    return true;
}

static bool decode_strip(struct kin_tiff *tiff, int at, uint8_t *dst, struct kin_error *err)
{
    if (!decode(tiff, (uint32_t)at, dst, chunk_bytes(tiff, at)))
        return short_read(tiff, at * tiff->chunk_rows, err);
    return true;
}

static void place_tile(struct kin_tiff *tiff, int x, int rows)
{
    size_t sample = kin_type_size(tiff->info.type);
    int left = tiff->info.dims.x - x, cols = left < tiff->chunk_cols ? left : tiff->chunk_cols;
    for (int y = 0; y < rows; y++)
        memcpy(tiff->chunk + (size_t)y * row_bytes(tiff) + (size_t)x * sample,
               tiff->tile + (size_t)y * (size_t)tiff->chunk_cols * sample, (size_t)cols * sample);
}

static bool decode_tiles(struct kin_tiff *tiff, int at, struct kin_error *err)
{
    int y = at * tiff->chunk_rows;
    for (int x = 0; x < tiff->info.dims.x; x += tiff->chunk_cols) {
        uint32_t tile = TIFFComputeTile(tiff->file, (uint32_t)x, (uint32_t)y, 0, 0);
        if (!decode(tiff, tile, tiff->tile, chunk_bytes(tiff, at)))
            return short_read(tiff, y, err);
        place_tile(tiff, x, rows_of_chunk(tiff, at));
    }
    return true;
}

static bool load_chunk(struct kin_tiff *tiff, int at, struct kin_error *err)
{
    if (tiff->chunk_at == at)
        return true;
    tiff->chunk_at = -1;
    if (!need_buffers(tiff, err))
        return false;
    if (!(tiff->tiled ? decode_tiles(tiff, at, err) : decode_strip(tiff, at, tiff->chunk, err)))
        return false;
    tiff->chunk_at = at;
    return true;
}

/* Rows y0 .. of the chunk that holds y0, at most `rows`, into dst; answers how many, 0 on
 * failure. */
static int rows_from_chunk(struct kin_tiff *tiff, int y0, int rows, uint8_t *dst,
                           struct kin_error *err)
{
    int at = y0 / tiff->chunk_rows, skip = y0 - at * tiff->chunk_rows;
    int have = rows_of_chunk(tiff, at) - skip, take = have < rows ? have : rows;
    if (!tiff->tiled && !skip && take == rows_of_chunk(tiff, at) && tiff->chunk_at != at)
        return decode_strip(tiff, at, dst, err) ? take : 0;
    if (!load_chunk(tiff, at, err))
        return 0;
    memcpy(dst, tiff->chunk + (size_t)skip * row_bytes(tiff), (size_t)take * row_bytes(tiff));
    return take;
}

/* ---- the public functions ------------------------------------------------------------------ */

static bool check_file(const char *path, uint64_t *bytes, struct kin_error *err)
{
    struct stat st;
    if (stat(path, &st))
        return kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    *bytes = (uint64_t)st.st_size;
    if (!S_ISREG(st.st_mode))
        return kin_fail(err, KIN_IO, "%s: %s, not a TIFF file", path,
                        S_ISDIR(st.st_mode) ? "a directory" : "a pipe or a device");
    if (!st.st_size)
        return kin_fail(err, KIN_INPUT, "%s: the file is empty", path);
    if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS))
        return kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    return true;
}

/* What libtiff said, without the path that it puts before some sentences. */
static const char *open_problem(const struct kin_tiff *tiff)
{
    const char *why = tiff_why(&tiff->log, "it cannot be opened");
    size_t n = strlen(tiff->path);
    return !strncmp(why, tiff->path, n) && !strncmp(why + n, ": ", 2) ? why + n + 2 : why;
}

/* Whether a file begins as a TIFF does, in either byte order, of either size. */
static bool begins_as_tiff(const char *path)
{
    static const char marks[][5] = {"II*\0", "MM\0*", "II+\0", "MM\0+"};
    char head[4] = {0};
    FILE *file = fopen(path, "rb");
    bool good = file && fread(head, 1, sizeof head, file) == sizeof head, found = false;
    for (int i = 0; good && i < 4; i++)
        found = found || !memcmp(head, marks[i], sizeof head);
    if (file)
        fclose(file);
    return found;
}

static bool open_file(struct kin_tiff *tiff, const char *path, struct kin_error *err)
{
    if (!check_file(path, &tiff->bytes, err))
        return false;
    tiff->page = tiff->chunk_at = -1;
    tiff->path = strdup(path);
    if (!tiff->path)
        return kin_fail(err, KIN_MEMORY, "%s: no memory", path);
    errno = 0;
    tiff->file = tiff_open_logged(path, "rm", &tiff->log);
    int system = tiff->log.text[0] ? tiff->log.error : errno;
    if (!tiff->file && system)
        return kin_fail(err, KIN_IO, "%s: %s", path, strerror(system));
    if (!tiff->file)
        return kin_fail(err, KIN_INPUT, "%s: %s: %s", path,
                        begins_as_tiff(path) ? "damaged or cut off" : "not a TIFF file",
                        open_problem(tiff));
    return list_pages(tiff, err);
}

static struct kin_tiff *open_tiff(const char *path, struct kin_tiff_info *info,
                                  struct kin_error *err)
{
    struct kin_tiff *tiff = calloc(1, sizeof *tiff);
    if (!tiff) {
        kin_fail(err, KIN_MEMORY, "%s: no memory", path);
        return NULL;
    }
    if (!open_file(tiff, path, err)) {
        kin_tiff_close(tiff);
        return NULL;
    }
    if (info)
        *info = tiff->info;
    return tiff;
}

struct kin_tiff *kin_tiff_open(const char *path, struct kin_tiff_info *info, struct kin_error *err)
{
    struct io_mark mark = io_enter();
    struct kin_tiff *tiff = open_tiff(path, info, err);
    io_leave(&mark);
    return tiff;
}

void kin_tiff_close(struct kin_tiff *tiff)
{
    if (!tiff)
        return;
    if (tiff->file)
        TIFFClose(tiff->file);
    free(tiff->path);
    free(tiff->pages);
    free(tiff->chunk);
    free(tiff->tile);
    free(tiff);
}

static bool read_rows(struct kin_tiff *tiff, int z, int y0, int rows, void *dst,
                      struct kin_error *err)
{
    if (!go_to_page(tiff, z, err))
        return false;
    for (uint8_t *at = dst; rows > 0;) {
        int got = rows_from_chunk(tiff, y0, rows, at, err);
        if (!got)
            return false;
        at += (size_t)got * row_bytes(tiff);
        y0 += got;
        rows -= got;
    }
    return true;
}

bool kin_tiff_rows(struct kin_tiff *tiff, int z, int y0, int rows, void *dst, struct kin_error *err)
{
    struct kin_dims dims = tiff->info.dims;
    if (z < 0 || z >= dims.z || y0 < 0 || rows < 0 || y0 > dims.y - rows)
        return kin_fail(err, KIN_INPUT,
                        "%s: rows %d..%d of page %d lie outside %d pages of %d rows", tiff->path,
                        y0 + 1, y0 + rows, z + 1, dims.z, dims.y);
    struct io_mark mark = io_enter();
    bool good = read_rows(tiff, z, y0, rows, dst, err);
    io_leave(&mark);
    return good;
}

void kin_tiff_expect(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a named pipe is not waited for */
    if (fd < 0)
        return; /* reading it will say why */
    posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
    close(fd);
}

bool kin_tiff_info(const char *path, struct kin_tiff_info *info, struct kin_error *err)
{
    struct kin_tiff *tiff = kin_tiff_open(path, info, err);
    kin_tiff_close(tiff);
    return tiff != NULL;
}

static bool read_pages(struct kin_tiff *tiff, struct kin_image *image, struct kin_error *err)
{
    size_t page = (size_t)tiff->info.dims.y * row_bytes(tiff);
    for (int z = 0; z < tiff->info.dims.z; z++) {
        if (!kin_tiff_rows(tiff, z, 0, tiff->info.dims.y, (uint8_t *)image->data + (size_t)z * page,
                           err))
            return false;
    }
    return true;
}

bool kin_tiff_read(const char *path, struct kin_image *image, struct kin_error *err)
{
    struct kin_tiff_info info;
    *image = (struct kin_image){0};
    struct kin_tiff *tiff = kin_tiff_open(path, &info, err);
    if (!tiff)
        return false;
    bool ok = kin_image_reserve(image, info.dims, info.type, err) && read_pages(tiff, image, err);
    kin_tiff_close(tiff);
    if (!ok)
        kin_image_free(image);
    return ok;
}
