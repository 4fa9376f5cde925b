// SPDX-License-Identifier: MIT
// An OME-TIFF of two channels: the pages come back bit for bit, the levels are 2 x 2 means, the XML
// names the channels; sizes that are no multiple of a tile, and what must be refused.
#include "image/ometiff.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#include "image/tiff_pyramid.h"
#include "test.h"

static char dir[] = "/tmp/kintsugi-ometiff-XXXXXX";
static char first[100], second[100], out[100];

static const struct kin_tiff_options options = {.compression = KIN_DEFLATE, .pixel_nm = 377};

static struct kin_image make_plane(const char *path, int h, int w, unsigned seed)
{
    struct kin_image image;
    kin_image_alloc(&image, (struct kin_dims){1, h, w}, KIN_U16, NULL);
    for (size_t i = 0; i < kin_count(image.dims); i++)
        kin_u16(&image)[i] = (uint16_t)((i % w + i / w * 3 + seed) * 2654435761u >> 17);
    kin_tiff_write(path, &image, NULL, NULL);
    return image;
}

// Level `level` of page `page` (0 = the page itself), one sample.
static int sample(int page, int level, int y, int x)
{
    TIFF *tiff = TIFFOpen(out, "r");
    uint16_t count = 0, *tile = malloc(512 * 512 * 2);
    uint64_t *offsets;
    int value = -1;
    if (TIFFSetDirectory(tiff, (tdir_t)page) &&
        TIFFGetField(tiff, TIFFTAG_SUBIFD, &count, &offsets) &&
        (level == 0 || (level <= count && TIFFSetSubDirectory(tiff, offsets[level - 1]))) &&
        TIFFReadTile(tiff, tile, (uint32_t)x, (uint32_t)y, 0, 0) > 0)
        value = tile[(y % 512) * 512 + x % 512];
    free(tile);
    TIFFClose(tiff);
    return value;
}

static void pages_and_levels(void)
{
    struct kin_image a = make_plane(first, 1301, 700, 1), b = make_plane(second, 1301, 700, 77),
                     back;
    struct ometiff_channel channels[] = {{"DAPI", first, 461}, {"CD4 <\xce\xb1>", second, 0}};
    struct kin_error err = {0};
    ok(ometiff_write(out, channels, 2, &options, NULL, &err), "two channels are written: %s",
       err.text);
    ok(kin_tiff_read(out, &back, &err) && back.dims.z == 2 && back.dims.y == 1301 &&
           back.dims.x == 700,
       "the file has two pages and the levels are none of them: %s", err.text);
    size_t bytes = kin_count(a.dims) * 2;
    ok(!memcmp(back.data, a.data, bytes) && !memcmp((char *)back.data + bytes, b.data, bytes),
       "both pages come back bit for bit");
    const uint16_t *p = kin_u16(&b);
    int y = 2 * 311, x = 2 * 200,
        mean = (p[y * 700 + x] + p[y * 700 + x + 1] + p[(y + 1) * 700 + x] +
                p[(y + 1) * 700 + x + 1] + 2) /
               4;
    ok(sample(1, 1, 311, 200) == mean, "level 1 is the mean of 2 x 2 pixels");
    ok(sample(1, 1, 650, 5) == (p[1300 * 700 + 10] + p[1300 * 700 + 11] + 1) / 2,
       "the last row of an odd height stands for itself");
    ok(tiff_pyramid_levels(a.dims) == 2 && sample(0, 2, 300, 170) >= 0,
       "the levels end when one tile holds all");
    kin_image_free(&a);
    kin_image_free(&b);
    kin_image_free(&back);
}

// What XML forbids, even as a reference, would keep the whole file from being opened.
static void forbidden(void)
{
    static const char *const names[] = {"a\xef\xbf\xbf", "a\xef\xbf\xbe", "a\xed\xa0\x80",
                                        "a\xf7\xbf\xbf\xbf", "a\xef\xbf\xbd"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct ometiff_channel channel = {names[i], "none", 0};
        char *text = ometiff_xml("x", &channel, 1, (struct kin_dims){1, 3, 4}, 0);
        ok(text && strstr(text, "Name=\"a\xef\xbf\xbd\""), "name %zu has a replacement character",
           i);
        free(text);
    }
}

static void xml(void)
{
    struct ometiff_channel channels[] = {{"DAPI", first, 461}, {"CD4 <\xce\xb1>", second, 0}};
    char *text = ometiff_xml("x.ome.tif", channels, 2, (struct kin_dims){2, 30, 40}, 377);
    ok(strstr(text, "SizeX=\"40\" SizeY=\"30\" SizeC=\"2\"") != NULL, "the XML has the sizes");
    ok(strstr(text, "Name=\"CD4 &lt;\xce\xb1&gt;\"") != NULL, "names are UTF-8, and escaped");
    ok(!strstr(text, "&#"), "nothing is written by its number: Bio-Formats blanks such");
    ok(strstr(text, "Unit=\"\xc2\xb5m\"") != NULL, "and the unit of pixels is a micrometre");
    ok(strstr(text, "PhysicalSizeX=\"0.377\"") != NULL, "pixels are in micrometres");
    ok(strstr(text, "FirstC=\"1\" FirstZ=\"0\" FirstT=\"0\" IFD=\"1\"") != NULL,
       "every page is told its channel");
    free(text);
}

static void refusals(void)
{
    struct kin_error err = {0};
    struct kin_image small = make_plane(second, 10, 10, 3);
    struct ometiff_channel channels[] = {{"A", first, 0}, {"B", second, 0}};
    unlink(out);
    ok(!ometiff_write(out, channels, 2, &options, NULL, &err) && strstr(err.text, second),
       "a channel of another size is refused by name: %s", err.text);
    ok(access(out, F_OK) != 0, "and nothing stands under the final name");
    err = (struct kin_error){0};
    struct tiff_pyramid *p = tiff_pyramid_create(out, (struct kin_dims){2, 10, 10}, "", &options,
                                                 &err);
    ok(tiff_pyramid_rows(p, kin_u16(&small), 10, &err) && !tiff_pyramid_commit(p, &err) &&
           access(out, F_OK),
       "a file with a missing page is not committed: %s", err.text);
    kin_image_free(&small);
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    snprintf(first, sizeof first, "%s/a.tif", dir);
    snprintf(second, sizeof second, "%s/b.tif", dir);
    snprintf(out, sizeof out, "%s/c.ome.tif", dir);
    pages_and_levels();
    xml();
    forbidden();
    refusals();
    unlink(first);
    unlink(second);
    unlink(out);
    ok(rmdir(dir) == 0, "no temporary file is left behind");
    return done();
}
