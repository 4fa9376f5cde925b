// SPDX-License-Identifier: MIT
// TIFF: what is written comes back, from strips of every compression, in bands, from many pages;
// what cannot be represented or is cut off is refused by name.
#include "grey_page.h"
#include "kintsugi.h"
#include "test.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

static char dir[] = "/tmp/kin-tiff-XXXXXX";
static char path[200], other[200];

static void fill(struct kin_image *image)
{
    size_t n = kin_count(image->dims);
    for (size_t i = 0; i < n; i++) {
        unsigned v = (unsigned)(i * 2654435761u >> 7);
        switch (image->type) {
        case KIN_U8: kin_u8(image)[i] = (uint8_t)v; break;
        case KIN_U16: kin_u16(image)[i] = (uint16_t)v; break;
        case KIN_F32: kin_f32(image)[i] = (float)v / 3.0f; break;
        }
    }
}

static bool same(const struct kin_image *a, const struct kin_image *b)
{
    return a->type == b->type && !memcmp(&a->dims, &b->dims, sizeof a->dims) &&
           !memcmp(a->data, b->data, kin_count(a->dims) * kin_type_size(a->type));
}

static bool round_trip(struct kin_dims dims, enum kin_type type, struct kin_tiff_options options)
{
    struct kin_error err = {0};
    struct kin_image a, b = {0};
    kin_image_alloc(&a, dims, type, &err);
    fill(&a);
    bool good = kin_tiff_write(path, &a, &options, &err) && kin_tiff_read(path, &b, &err) &&
                same(&a, &b);
    if (!good)
        printf("# %s\n", err.text);
    kin_image_free(&a);
    kin_image_free(&b);
    return good;
}

/* The compressions that this libtiff has: zstd is left out of some. */
static int last_compression(void)
{
    return TIFFIsCODECConfigured(COMPRESSION_ZSTD) ? KIN_ZSTD : KIN_ZSTD - 1;
}

static void test_round_trips(void)
{
    static const enum kin_type types[] = {KIN_U8, KIN_U16, KIN_F32};
    static const struct kin_dims sizes[] = {{1, 1, 1}, {1, 200, 77}, {3, 65, 130}};
    for (int c = KIN_NONE; c <= last_compression(); c++) {
        bool good = true;
        for (int t = 0; t < 3; t++) {
            for (int s = 0; s < 3; s++)
                good = round_trip(sizes[s], types[t], (struct kin_tiff_options){c, s * 7, true}) &&
                       good;
        }
        ok(good, "compression %d: three types of three sizes come back", c);
    }
}

static void test_bands(void)
{
    struct kin_error err = {0};
    struct kin_image a;
    struct kin_tiff_info info;
    uint16_t band[37 * 50];
    bool good = true;
    kin_image_alloc(&a, (struct kin_dims){2, 101, 50}, KIN_U16, &err);
    fill(&a);
    struct kin_tiff_writer *w = kin_tiff_create(path, a.dims, KIN_U16, NULL, &err);
    for (int y = 0; y < 202; y += 2)
        good = good && kin_tiff_append(w, kin_u16(&a) + y * 50, 2, &err);
    ok(good && access(path, F_OK) == 0 && kin_tiff_commit(w, &err),
       "bands that cross pages are written");
    struct kin_tiff *t = kin_tiff_open(path, &info, &err);
    for (int z = 0; t && z < 2; z++) {
        for (int y = 0; y + 37 <= 101; y += 11)
            good = good && kin_tiff_rows(t, z, y, 37, band, &err) &&
                   !memcmp(band, kin_u16(&a) + (z * 101 + y) * 50, sizeof band);
    }
    ok(good, "overlapping bands read what was written");
    ok(!kin_tiff_rows(t, 0, 90, 12, band, &err) && err.code == KIN_INPUT,
       "rows outside are refused");
    kin_tiff_close(t);
    kin_image_free(&a);
}

static void test_tiles(void)
{
    uint16_t tile[16 * 32], *rows;
    struct kin_error err = {0};
    struct kin_image image;
    bool good = true;
    TIFF *f = TIFFOpen(other, "wb");
    grey_page(f, 70, 45, 16);
    TIFFSetField(f, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(f, TIFFTAG_TILEWIDTH, 32);
    TIFFSetField(f, TIFFTAG_TILELENGTH, 16);
    for (unsigned y = 0; y < 45; y += 16) {
        for (unsigned x = 0; x < 70; x += 32) {
            for (unsigned i = 0; i < 16 * 32; i++)
                tile[i] = (uint16_t)((y + i / 32) * 100 + x + i % 32);
            TIFFWriteTile(f, tile, x, y, 0, 0);
        }
    }
    TIFFClose(f);
    ok(kin_tiff_read(other, &image, &err) && image.dims.y == 45 && image.dims.x == 70,
       "a tiled file is read");
    rows = kin_u16(&image);
    for (int i = 0; i < 45 * 70; i++)
        good = good && rows[i] == i / 70 * 100 + i % 70;
    ok(good, "tiles stand where they belong");
    kin_image_free(&image);
}

static void write_turned_page(int bits, int samples, int format, int photometric, int orientation)
{
    char zeros[4096] = {0};
    TIFF *f = TIFFOpen(other, "w");
    TIFFSetField(f, TIFFTAG_IMAGEWIDTH, 8);
    TIFFSetField(f, TIFFTAG_IMAGELENGTH, 8);
    TIFFSetField(f, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(f, TIFFTAG_SAMPLESPERPIXEL, samples);
    TIFFSetField(f, TIFFTAG_SAMPLEFORMAT, format);
    TIFFSetField(f, TIFFTAG_PHOTOMETRIC, photometric);
    TIFFSetField(f, TIFFTAG_ORIENTATION, orientation);
    TIFFWriteEncodedStrip(f, 0, zeros, 8 * 8 * bits / 8 * samples);
    TIFFClose(f);
}

static void write_page(int bits, int samples, int format, int photometric)
{
    write_turned_page(bits, samples, format, photometric, ORIENTATION_TOPLEFT);
}

static void test_orientation(void)
{
    for (int turn = ORIENTATION_TOPLEFT; turn <= ORIENTATION_LEFTBOT; turn++) {
        struct kin_error err = {0};
        write_turned_page(16, 1, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK, turn);
        bool read = kin_tiff_info(other, NULL, &err);
        ok(turn == ORIENTATION_TOPLEFT ? read : !read && strstr(err.text, "Orientation"),
           "orientation %d is %s %s", turn, read ? "read" : "refused:", err.text);
    }
}

static void test_refusals(void)
{
    static const struct {
        int bits, samples, format, photometric;
        const char *word;
    } cases[] = {
        {8, 3, SAMPLEFORMAT_UINT, PHOTOMETRIC_RGB, "RGB"},
        {16, 1, SAMPLEFORMAT_INT, PHOTOMETRIC_MINISBLACK, "signed"},
        {64, 1, SAMPLEFORMAT_IEEEFP, PHOTOMETRIC_MINISBLACK, "64-bit"},
        {32, 1, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK, "32-bit"},
        {8, 1, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISWHITE, "white (in ImageJ: Image >"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kin_error err = {0};
        struct kin_image image;
        write_page(cases[i].bits, cases[i].samples, cases[i].format, cases[i].photometric);
        bool refused = !kin_tiff_read(other, &image, &err);
        ok(refused && strstr(err.text, cases[i].word) && strstr(err.text, other), "refused: %s",
           err.text);
    }
}

static void test_damage(void)
{
    struct kin_image a, b = {0};
    kin_image_alloc(&a, (struct kin_dims){1, 300, 100}, KIN_U16, NULL);
    fill(&a);
    for (int c = KIN_NONE; c <= KIN_DEFLATE; c++) {
        struct kin_tiff_options options = {c, 0, true};
        struct kin_error err = {0};
        bool refused = true;
        kin_tiff_write(path, &a, &options, &err);
        FILE *f = fopen(path, "rb");
        fseek(f, 0, SEEK_END);
        long size = ftell(f);
        fclose(f);
        for (long cut = size - 1; cut > 0; cut -= size / 23) {
            struct kin_error why = {0};
            kin_tiff_write(path, &a, &options, &err);
            refused = !truncate(path, cut) && !kin_tiff_read(path, &b, &why) && why.text[0] &&
                      !b.data && refused;
        }
        ok(refused, "a file cut off anywhere is an error (compression %d)", c);
        struct kin_error why = {0};
        ok(!truncate(path, 100) && !kin_tiff_read(path, &b, &why) &&
               strstr(why.text, "damaged or cut off: "),
           "%s", why.text);
    }
    struct kin_error err = {0};
    ok(!kin_tiff_read("/nonexistent/a.tif", &b, &err) && strstr(err.text, "No such file"), "%s",
       err.text);
    err = (struct kin_error){0};
    ok(!kin_tiff_write("/nonexistent/a.tif", &a, NULL, &err) && err.code == KIN_IO, "%s", err.text);
    kin_image_free(&a);
}

/* A strip whose data go on behind its end, which libtiff may not have filled then, whatever was in
 * the memory before: `other` has the first of the rows of `path`, and the data of all of them. */
static void test_data_behind_the_end(void)
{
    static const uint8_t values[] = {0, 7, 0x5a, 0xa5, 0xff};
    enum { W = 90, ROWS = 40, ALL = 300 };
    for (size_t i = 0; i < sizeof values; i++) {
        struct kin_tiff_options options = {KIN_DEFLATE, ALL, true};
        struct kin_error err = {0};
        struct kin_image a, b = {0};
        uint8_t data[4096];
        kin_image_alloc(&a, (struct kin_dims){1, ALL, W}, KIN_U8, &err);
        memset(a.data, values[i], (size_t)ALL * W);
        kin_tiff_write(path, &a, &options, &err);
        TIFF *from = TIFFOpen(path, "r"), *to = TIFFOpen(other, "w");
        tmsize_t n = TIFFReadRawStrip(from, 0, data, sizeof data);
        grey_page(to, W, ROWS, 8);
        TIFFSetField(to, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(to, TIFFTAG_ROWSPERSTRIP, ROWS);
        TIFFWriteRawStrip(to, 0, data, n);
        TIFFClose(from);
        TIFFClose(to);
        bool read = kin_tiff_read(other, &b, &err);
        ok(read ? !memcmp(a.data, b.data, (size_t)ROWS * W) : strstr(err.text, "damaged") != NULL,
           "a strip of pixels of %d with too many data: %s", values[i], read ? "read" : err.text);
        kin_image_free(&a);
        kin_image_free(&b);
    }
}

/* A file that only others may read; root becomes somebody else for it. */
static void test_closed(void)
{
    struct kin_image a = {0}, b = {0};
    struct kin_error err = {0};
    char text[256];
    kin_image_alloc(&a, (struct kin_dims){1, 4, 4}, KIN_U16, &err);
    kin_tiff_write(path, &a, NULL, &err);
    snprintf(text, sizeof text, "%s: Permission denied", path);
    bool root = !geteuid();
    if (chmod(path, 0) || (root && (chmod(dir, 0711) || seteuid(65534)))) {
        ok(true, "# SKIP no way to be another user");
    } else {
        ok(!kin_tiff_read(path, &b, &err) && !strcmp(err.text, text), "%s", err.text);
    }
    if (root && seteuid(0))
        abort();
    chmod(path, 0600);
    kin_image_free(&a);
}

/* Pages that say nothing about where a strip or a tile lies, as a program leaves them that was
 * killed. */
static void test_holes(void)
{
    uint16_t pixels[16 * 16] = {7};
    for (int tiled = 0; tiled < 2; tiled++) {
        struct kin_error err = {0};
        struct kin_image image;
        TIFF *f = TIFFOpen(other, "w");
        grey_page(f, 16, 64, 16);
        TIFFSetField(f, tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, 16);
        if (tiled)
            TIFFSetField(f, TIFFTAG_TILEWIDTH, 16);
        for (uint32_t i = 0; i < 4; i++) {
            if (i == 2)
                continue;
            if (tiled)
                TIFFWriteEncodedTile(f, i, pixels, sizeof pixels);
            else
                TIFFWriteEncodedStrip(f, i, pixels, sizeof pixels);
        }
        TIFFClose(f);
        bool refused = !kin_tiff_read(other, &image, &err);
        ok(refused && strstr(err.text, tiled ? "tile 3" : "strip 3") && strstr(err.text, other),
           "refused: %s", err.text);
    }
}

/* Sets an entry of the one page of `other`: in a little-endian file a tag, a type, a count of 1, a
 * value. */
static bool patch_tag(uint16_t tag, uint16_t value)
{
    uint8_t bytes[4096], entry[] = {(uint8_t)tag, (uint8_t)(tag >> 8), 3, 0, 1, 0, 0, 0};
    FILE *f = fopen(other, "r+b");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    uint8_t *at = memmem(bytes, n, entry, sizeof entry);
    bool good = at && !fseek(f, at + sizeof entry - bytes, SEEK_SET) &&
                fputc(value & 255, f) >= 0 && fputc(value >> 8, f) >= 0;
    if (f)
        fclose(f);
    return good;
}

/* Gives a tag of `other` another number; both as the file has them. The tag's last entry is taken:
 * the samples come first. */
static bool rename_tag(uint16_t tag, uint16_t other_tag)
{
    uint8_t bytes[4096];
    FILE *f = fopen(other, "r+b");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0, at = n;
    while (at-- > 0 && memcmp(bytes + at, &tag, sizeof tag))
        ;
    bool good = at < n && !fseek(f, (long)at, SEEK_SET) && fwrite(&other_tag, 2, 1, f) == 1;
    if (f)
        fclose(f);
    return good;
}

/* A page of 40000 x 40000 pixels in a file of a few hundred bytes is refused when it is opened:
 * nobody takes memory for it. */
static void test_claims(void)
{
    static const uint16_t compressions[] = {COMPRESSION_NONE, COMPRESSION_PACKBITS, COMPRESSION_LZW,
                                            COMPRESSION_ADOBE_DEFLATE};
    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++) {
        struct kin_error err = {0};
        write_page(8, 1, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK);
        bool refused = patch_tag(TIFFTAG_COMPRESSION, compressions[i]) &&
                       patch_tag(TIFFTAG_IMAGEWIDTH, 40000) &&
                       patch_tag(TIFFTAG_IMAGELENGTH, 40000) && !kin_tiff_info(other, NULL, &err);
        ok(refused && strstr(err.text, compressions[i] == COMPRESSION_NONE
                                           ? "row 1: strip 1 reaches beyond the end of the file"
                                           : "row 1: strip 1 has 64 bytes, which cannot hold"),
           "refused: %s", err.text);
    }
}

/* A predictor is undone by some programs where the compression has none by definition: for them the
 * pixels are others. Of uncompressed data nearly nobody undoes it. */
static void test_strange_predictors(void)
{
    static const struct {
        int compression, predictor;
        bool read;
    } cases[] = {{COMPRESSION_PACKBITS, 2, false},
                 {COMPRESSION_PACKBITS, 1, true},
                 {COMPRESSION_NONE, 2, true}};
    for (int i = 0; i < 12; i++) {
        static const char *const modes[] = {"wl", "wb", "wl8", "wb8"};
        bool want = cases[i / 4].read;
        struct kin_error err = {0};
        char zeros[64] = {0};
        TIFF *f = TIFFOpen(other, modes[i % 4]);
        uint16_t tag = TIFFTAG_RESOLUTIONUNIT, renamed = TIFFTAG_PREDICTOR;
        grey_page(f, 8, 8, 8);
        TIFFSetField(f, TIFFTAG_COMPRESSION, cases[i / 4].compression);
        TIFFSetField(f, tag, cases[i / 4].predictor);
        TIFFWriteEncodedStrip(f, 0, zeros, sizeof zeros);
        if (TIFFIsByteSwapped(f)) {
            TIFFSwabShort(&tag);
            TIFFSwabShort(&renamed);
        }
        TIFFClose(f);
        bool read = rename_tag(tag, renamed) && kin_tiff_info(other, NULL, &err);
        ok(want ? read : !read && strstr(err.text, "predictor (2)"),
           "%s, compression %d, predictor %d: %s", modes[i % 4], cases[i / 4].compression,
           cases[i / 4].predictor, read ? "read" : err.text);
    }
}

/* A run of equal pixels, as short as each compression makes it, is no false claim. */
static void test_empty_images(void)
{
    for (int c = KIN_NONE; c <= last_compression(); c++) {
        struct kin_tiff_options options = {c, 4096, true};
        struct kin_error err = {0};
        struct kin_image a, b = {0};
        kin_image_alloc(&a, (struct kin_dims){1, 4096, 4096}, KIN_U8, &err);
        ok(kin_tiff_write(path, &a, &options, &err) && kin_tiff_read(path, &b, &err) &&
               same(&a, &b),
           "16 million zeros in one strip come back (compression %d) %s", c, err.text);
        kin_image_free(&a);
        kin_image_free(&b);
    }
}

static void test_compression_names(void)
{
    static const struct {
        uint16_t tag;
        const char *name;
    } cases[] = {{50002, "JPEG XL (50002)"},
                 {34712, "JPEG 2000 (34712)"},
                 {33004, "JPEG 2000 (33004)"}, /* as vips writes it */
                 {4711, "an unknown method (4711)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kin_error err = {0};
        struct kin_image image;
        write_page(8, 1, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK);
        bool refused = patch_tag(TIFFTAG_COMPRESSION, cases[i].tag) &&
                       !kin_tiff_read(other, &image, &err);
        ok(refused && strstr(err.text, cases[i].name) && strstr(err.text, "save it with"),
           "refused: %s", err.text);
    }
}

/* Data that are not what the header says are found when a file is opened, before any work. */
static void test_false_names(void)
{
    static const struct {
        uint16_t tag;
        const char *name;
    } cases[] = {{COMPRESSION_LZW, "LZW (5)"},
                 {COMPRESSION_OJPEG, "JPEG of the old kind (6)"},
                 {COMPRESSION_JPEG, "JPEG (7)"},
                 {COMPRESSION_ADOBE_DEFLATE, "deflate (8)"},
                 {COMPRESSION_PACKBITS, "PackBits (32773)"},
                 {COMPRESSION_DEFLATE, "deflate (32946)"},
                 {COMPRESSION_LZMA, "LZMA (34925)"},
                 {COMPRESSION_ZSTD, "zstd (50000)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kin_error err = {0};
        write_page(8, 1, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK);
        bool refused = patch_tag(TIFFTAG_COMPRESSION, cases[i].tag) &&
                       !kin_tiff_info(other, NULL, &err);
        ok(refused && strstr(err.text, other) && strstr(err.text, cases[i].name) &&
               strstr(err.text, "deflate, LZW or no compression"),
           "refused: %s", err.text);
    }
}

/* Of thousands of pages only the first is tried on opening; the others when they are read. */
static void test_second_page(void)
{
    static const uint8_t noise[64] = "these are no data that deflate has written, whatever is said";
    struct kin_error err = {0};
    struct kin_image image = {0};
    struct kin_tiff_info info = {0};
    uint8_t pixels[64 * 64] = {0};
    TIFF *f = TIFFOpen(other, "w");
    for (int page = 0; page < 2; page++) {
        grey_page(f, 64, 64, 8);
        TIFFSetField(f, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        if (page == 0)
            TIFFWriteEncodedStrip(f, 0, pixels, sizeof pixels);
        else
            TIFFWriteRawStrip(f, 0, (void *)noise, sizeof noise);
        TIFFWriteDirectory(f);
    }
    TIFFClose(f);
    ok(kin_tiff_info(other, &info, &err) && info.dims.z == 2,
       "pages after the first are not tried");
    ok(!kin_tiff_read(other, &image, &err) && !image.data && strstr(err.text, "page 2, row 1: "),
       "refused: %s", err.text);
}

enum { JPEG_SIDE = 64, JPEG_ROWS = 16 };

/* Four strips of JPEG with all they need in each of them. */
static void begin_jpeg(TIFF *f)
{
    grey_page(f, JPEG_SIDE, JPEG_SIDE, 8);
    TIFFSetField(f, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
    TIFFSetField(f, TIFFTAG_JPEGTABLESMODE, 0);
    TIFFSetField(f, TIFFTAG_ROWSPERSTRIP, JPEG_ROWS);
}

static void write_jpeg(const char *to)
{
    uint8_t pixels[JPEG_SIDE * JPEG_ROWS];
    TIFF *f = TIFFOpen(to, "w");
    begin_jpeg(f);
    for (unsigned strip = 0; strip < JPEG_SIDE / JPEG_ROWS; strip++) {
        for (unsigned i = 0; i < sizeof pixels; i++)
            pixels[i] = (uint8_t)((i / JPEG_SIDE + strip * JPEG_ROWS) * 2 + i % JPEG_SIDE);
        TIFFWriteEncodedStrip(f, strip, pixels, sizeof pixels);
    }
    TIFFClose(f);
}

/* Copies path to other; the end of strip `bad` is cut off, or its middle damaged. */
static void damage_jpeg(uint32_t bad, bool cut)
{
    uint8_t raw[4096];
    TIFF *in = TIFFOpen(path, "r"), *out = TIFFOpen(other, "w");
    begin_jpeg(out);
    for (uint32_t strip = 0; strip < JPEG_SIDE / JPEG_ROWS; strip++) {
        tmsize_t n = TIFFReadRawStrip(in, strip, raw, sizeof raw);
        if (strip == bad && cut)
            n -= 20;
        else if (strip == bad)
            memcpy(raw + n - 20, "\xff\xd9", 2); /* "the image ends here" */
        TIFFWriteRawStrip(out, strip, raw, n);
    }
    TIFFClose(in);
    TIFFClose(out);
}

/* Where JPEG data are missing libjpeg fills in grey, and warns: that is no image. */
static void test_jpeg(void)
{
    struct kin_error err = {0};
    struct kin_image image = {0};
    int worst = 0;
    if (!TIFFIsCODECConfigured(COMPRESSION_JPEG)) {
        ok(true, "# SKIP this libtiff has no JPEG");
        return;
    }
    write_jpeg(path);
    if (!ok(kin_tiff_read(path, &image, &err), "JPEG is read: %s", err.text))
        return;
    for (int i = 0; i < JPEG_SIDE * JPEG_SIDE; i++) {
        int off = abs(kin_u8(&image)[i] - (i / JPEG_SIDE * 2 + i % JPEG_SIDE));
        worst = off > worst ? off : worst;
    }
    ok(worst < 12, "a JPEG's pixels are near those written: %d", worst);
    kin_image_free(&image);
    for (int cut = 0; cut < 2; cut++) {
        struct kin_error first = {0}, third = {0};
        damage_jpeg(0, cut);
        ok(!kin_tiff_info(other, NULL, &first) && strstr(first.text, "page 1, row 1: "),
           "refused on opening: %s", first.text);
        damage_jpeg(2, cut);
        ok(!kin_tiff_read(other, &image, &third) && strstr(third.text, "page 1, row 33: "),
           "refused: %s", third.text);
    }
}

/* A page that is a volume by itself, as some programs write them: never its first plane for the
 * whole. */
static void test_volume(void)
{
    struct kin_error err = {0};
    struct kin_image image;
    uint8_t zeros[16 * 16 * 4] = {0};
    TIFF *f = TIFFOpen(other, "w");
    grey_page(f, 16, 16, 8);
    TIFFSetField(f, TIFFTAG_IMAGEDEPTH, 4);
    TIFFSetField(f, TIFFTAG_TILEWIDTH, 16);
    TIFFSetField(f, TIFFTAG_TILELENGTH, 16);
    TIFFSetField(f, TIFFTAG_TILEDEPTH, 4);
    TIFFWriteEncodedTile(f, 0, zeros, sizeof zeros);
    TIFFClose(f);
    ok(!kin_tiff_read(other, &image, &err) && strstr(err.text, "4 planes in one page"),
       "refused: %s", err.text);
}

/* Stacks that have a page for their first plane only, the second one behind it; and one plane of
 * each that was saved alone. */
static void test_behind(void)
{
    static const struct {
        const char *program, *text;
    } cases[] = {
        {"ImageJ", "ImageJ=1.54f\nimages=2\nslices=2\n"},
        {"tifffile", "{\"axes\": \"ZYX\", \"truncated\": true, \"shape\": [2, 64, 64]}"},
        {"MetaMorph", ""},
    };
    static char uic2[] = "UIC2";
    static const TIFFFieldInfo planes = {
        33629, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_LONG, FIELD_CUSTOM, 1, 1, uic2};
    uint32_t values[2] = {0};
    uint8_t zeros[64 * 64] = {0};
    for (int i = 0; i < 6; i++) {
        const char *program = cases[i / 2].program;
        struct kin_error err = {0};
        struct kin_image image;
        bool behind = i % 2;
        TIFF *f = TIFFOpen(other, "w");
        TIFFMergeFieldInfo(f, &planes, 1);
        grey_page(f, 64, 64, 8);
        TIFFSetField(f, TIFFTAG_IMAGEDESCRIPTION, cases[i / 2].text);
        if (!*cases[i / 2].text)
            TIFFSetField(f, planes.field_tag, 2, values);
        TIFFWriteEncodedStrip(f, 0, zeros, sizeof zeros);
        TIFFClose(f);
        FILE *more = fopen(other, "ab");
        fwrite(zeros, 1, behind ? sizeof zeros : 0, more);
        fclose(more);
        bool read = kin_tiff_read(other, &image, &err);
        ok(behind ? !read && strstr(err.text, program) && strstr(err.text, "stack of 2 planes")
                  : read,
           "a %s file with one page%s: %s", program, behind ? ", a plane behind it" : "",
           read ? "read" : err.text);
        if (read)
            kin_image_free(&image);
    }
}

/* What is known of the pixel size is said in the file, and nothing else. */
static void test_pixel_size(void)
{
    struct kin_image a;
    struct kin_error err = {0};
    kin_image_alloc(&a, (struct kin_dims){1, 4, 4}, KIN_U8, &err);
    fill(&a);
    for (int known = 0; known < 2; known++) {
        struct kin_tiff_options options = {.unsynced = true, .pixel_nm = known ? 325.5 : 0};
        float across = 0, down = 0;
        uint16_t unit = 0;
        kin_tiff_write(path, &a, &options, &err);
        TIFF *f = TIFFOpen(path, "r");
        bool said = TIFFGetField(f, TIFFTAG_XRESOLUTION, &across) &&
                    TIFFGetField(f, TIFFTAG_YRESOLUTION, &down) &&
                    TIFFGetField(f, TIFFTAG_RESOLUTIONUNIT, &unit);
        TIFFClose(f);
        ok(known ? said && unit == RESUNIT_CENTIMETER && across == down &&
                       fabs(1e7 / across - 325.5) < 1e-4
                 : !said,
           "pixels of %g nm: %g, %g in a unit (%d)", options.pixel_nm, across, down, unit);
    }
    kin_image_free(&a);
}

/* ImageJ undoes a predictor for LZW only, and Bio-Formats none of floats: neither may meet one. */
static void test_predictors(void)
{
    for (int c = KIN_DEFLATE; c <= KIN_ZSTD; c++) {
        for (int type = KIN_U8; type <= KIN_F32; type++) {
            struct kin_error err = {0};
            struct kin_tiff_options options = {.compression = c, .unsynced = true};
            struct kin_image a;
            uint16_t predictor = PREDICTOR_NONE;
            kin_image_alloc(&a, (struct kin_dims){1, 4, 4}, type, &err);
            kin_tiff_write(path, &a, &options, &err);
            TIFF *f = TIFFOpen(path, "r");
            TIFFGetField(f, TIFFTAG_PREDICTOR, &predictor);
            TIFFClose(f);
            ok(predictor == (c == KIN_LZW && type != KIN_F32 ? 2 : 1),
               "compression %d of type %d has predictor %d", c, type, predictor);
            kin_image_free(&a);
        }
    }
}

/* ImageJ cannot read the lengths of two strips where both fit one word. */
static void test_strips(void)
{
    static const int heights[][2] = {{1, 1}, {64, 1}, {65, 1}, {128, 1}, {129, 3}};
    for (int i = 0; i < 5; i++) {
        struct kin_error err = {0};
        struct kin_image a;
        kin_image_alloc(&a, (struct kin_dims){1, heights[i][0], 10}, KIN_U16, &err);
        kin_tiff_write(path, &a, NULL, &err);
        TIFF *f = TIFFOpen(path, "r");
        int strips = (int)TIFFNumberOfStrips(f);
        TIFFClose(f);
        ok(strips == heights[i][1], "%d rows lie in %d strips", heights[i][0], strips);
        kin_image_free(&a);
    }
}

/* The pages of a stack are planes, not moments, and their distance is said where it is known. */
static void test_stack(void)
{
    struct kin_error err = {0};
    struct kin_tiff_options options = {.unsynced = true, .pixel_nm = 325.5, .plane_nm = 1500};
    struct kin_image a, b = {0};
    const char *text = "", *next = NULL;
    float across = 0;
    uint16_t unit = 0;
    kin_image_alloc(&a, (struct kin_dims){3, 4, 4}, KIN_F32, &err);
    fill(&a);
    ok(kin_tiff_write(path, &a, &options, &err) && kin_tiff_read(path, &b, &err) && same(&a, &b),
       "a stack comes back %s", err.text);
    TIFF *f = TIFFOpen(path, "r");
    TIFFGetField(f, TIFFTAG_IMAGEDESCRIPTION, &text);
    TIFFGetField(f, TIFFTAG_XRESOLUTION, &across);
    TIFFGetField(f, TIFFTAG_RESOLUTIONUNIT, &unit);
    ok(!strncmp(text, "ImageJ=", 7) && strstr(text, "\nslices=3\n") &&
           strstr(text, "\nunit=micron\nspacing=1.5\n") && unit == RESUNIT_NONE &&
           fabs(1e3 / across - 325.5) < 1e-4,
       "its description says three planes, 1.5 micrometres apart");
    ok(!strstr(text, "images="), "and no number of images: ImageJ would skip the later pages");
    TIFFReadDirectory(f);
    ok(!TIFFGetField(f, TIFFTAG_IMAGEDESCRIPTION, &next), "only its first page has it");
    TIFFClose(f);
    kin_image_free(&a);
    kin_image_free(&b);
}

/* A file that may not grow stands for a full disk: what the system said is told, not where libtiff
 * stood. */
static void test_full(void)
{
    struct kin_error err = {0};
    struct kin_image image;
    struct rlimit before, tight = {20000, RLIM_INFINITY};
    kin_image_alloc(&image, (struct kin_dims){1, 300, 100}, KIN_U16, &err);
    fill(&image);
    unlink(path);
    getrlimit(RLIMIT_FSIZE, &before);
    tight.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    bool written = kin_tiff_write(path, &image, NULL, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    ok(!written && strstr(err.text, "cannot be written: File too large") && access(path, F_OK),
       "%s", err.text);
    kin_image_free(&image);
}

static void test_abandon(void)
{
    struct kin_error err = {0};
    uint16_t row[4] = {1, 2, 3, 4};
    unlink(path);
    struct kin_tiff_writer *w = kin_tiff_create(path, (struct kin_dims){1, 2, 4}, KIN_U16, NULL,
                                                &err);
    kin_tiff_append(w, row, 1, &err);
    ok(!kin_tiff_commit(w, &err) && access(path, F_OK),
       "a file with rows missing is not committed");
    char command[300];
    snprintf(command, sizeof command, "ls %s/*.part 2>/dev/null | grep -q .", dir);
    ok(system(command) != 0, "and leaves no temporary file behind");
}

/* A named pipe that nobody writes into is refused, not waited for. */
static void test_pipe(void)
{
    struct kin_error err = {0};
    unlink(path);
    if (!ok(!mkfifo(path, 0600), "a named pipe"))
        return;
    alarm(20);
    kin_tiff_expect(path);
    ok(!kin_tiff_info(path, NULL, &err) && strstr(err.text, "a pipe"), "refused: %s", err.text);
    alarm(0);
    unlink(path);
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/a.tif", dir);
    snprintf(other, sizeof other, "%s/b.tif", dir);
    test_round_trips();
    test_bands();
    test_tiles();
    test_refusals();
    test_orientation();
    test_damage();
    test_data_behind_the_end();
    test_closed();
    test_holes();
    test_claims();
    test_strange_predictors();
    test_empty_images();
    test_compression_names();
    test_false_names();
    test_second_page();
    test_jpeg();
    test_volume();
    test_behind();
    test_pixel_size();
    test_predictors();
    test_strips();
    test_stack();
    test_full();
    test_abandon();
    test_pipe();
    unlink(path);
    unlink(other);
    rmdir(dir);
    return done();
}
