// SPDX-License-Identifier: MIT
#include "image/ometiff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/tiff_pyramid.h"

enum { BAND = 512 };

// ---- XML -------------------------------------------------------------------------------------

// Decodes one code point of UTF-8 at *s and moves on; a byte that is not UTF-8 stands for itself.
static unsigned code_point(const unsigned char **s)
{
    unsigned c = *(*s)++;
    int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    unsigned value = more ? c & (0x3fu >> more) : c;
    for (int i = 0; i < more; i++) {
        if (((*s)[i] & 0xc0) != 0x80)
            return c;
        value = value << 6 | ((*s)[i] & 0x3fu);
    }
    *s += more;
    return value;
}

// XML refuses a document for some code points, even as references.
static bool is_xml(unsigned c)
{
    return c < 0xd800 || (c >= 0xe000 && c < 0xfffe) || (c >= 0x10000 && c <= 0x10ffff);
}

static void put_utf8(FILE *to, unsigned c)
{
    int more = c >= 0x10000 ? 3 : c >= 0x800 ? 2 : c >= 0x80 ? 1 : 0;
    static const unsigned lead[] = {0, 0xc0, 0xe0, 0xf0};
    fputc((int)(lead[more] | c >> 6 * more), to);
    while (more-- > 0)
        fputc((int)(0x80 | (c >> 6 * more & 0x3f)), to);
}

// The description is UTF-8, and no character is written by its number: Bio-Formats blanks the '&'
// of every "&#" before it parses, after which the unit is none and the file no OME-TIFF for it.
static void put_text(FILE *to, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        unsigned c = code_point(&s);
        switch (c) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        case '\'': fputs("&apos;", to); break;
        default:
            if (c >= 32 && (c < 127 || c > 159))      // no control characters
                put_utf8(to, is_xml(c) ? c : 0xfffd); // "replacement character"
        }
    }
}

// Colours that stand apart; the nuclear stain, which comes first in every cycle, is blue.
static int channel_color(int i, const char *name)
{
    static const unsigned colors[] = {0x00ff00ff, 0xff0000ff, 0x00ffffff, 0xff00ffff,
                                      0xffff00ff, 0xff8000ff, 0x8080ffff};
    bool nuclear = strcasestr(name, "dapi") || strcasestr(name, "hoechst");
    return (int)(nuclear ? 0x0000ffffu : colors[i % (int)(sizeof colors / sizeof *colors)]);
}

static void put_channels(FILE *to, const struct ometiff_channel *channels, int n)
{
    for (int i = 0; i < n; i++) {
        fprintf(to, "<Channel ID=\"Channel:0:%d\" Name=\"", i);
        put_text(to, channels[i].name);
        fprintf(to, "\" SamplesPerPixel=\"1\" Color=\"%d\"", channel_color(i, channels[i].name));
        if (channels[i].emission > 0)
            fprintf(to, " EmissionWavelength=\"%g\" EmissionWavelengthUnit=\"nm\"",
                    channels[i].emission);
        fprintf(to, "/>");
    }
    for (int i = 0; i < n; i++)
        fprintf(to,
                "<TiffData FirstC=\"%d\" FirstZ=\"0\" FirstT=\"0\" IFD=\"%d\" PlaneCount=\"1\"/>",
                i, i);
}

char *ometiff_xml(const char *name, const struct ometiff_channel *channels, int n,
                  struct kin_dims dims, double pixel_nm)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
                "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                "xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06 "
                "http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\" "
                "Creator=\"kintsugi-image " KF_VERSION "\"><Image ID=\"Image:0\" Name=\"");
    put_text(to, name);
    fprintf(to,
            "\"><Pixels ID=\"Pixels:0\" DimensionOrder=\"XYCZT\" Type=\"uint16\" "
            "SignificantBits=\"16\" Interleaved=\"false\" SizeX=\"%d\" SizeY=\"%d\" SizeC=\"%d\" "
            "SizeZ=\"1\" SizeT=\"1\"",
            dims.x, dims.y, n);
    if (pixel_nm > 0)
        fprintf(to,
                " PhysicalSizeX=\"%.9g\" PhysicalSizeXUnit=\"\u00b5m\" PhysicalSizeY=\"%.9g\" "
                "PhysicalSizeYUnit=\"\u00b5m\"",
                pixel_nm / 1000, pixel_nm / 1000);
    fputc('>', to);
    put_channels(to, channels, n);
    fprintf(to, "</Pixels></Image></OME>");
    return fclose(to) == 0 ? text : (free(text), NULL);
}

// ---- pixels ----------------------------------------------------------------------------------

static bool copy_channel(struct tiff_pyramid *out, const struct ometiff_channel *channel,
                         struct kin_dims dims, uint16_t *band, struct kin_error *err)
{
    struct kin_tiff_info info;
    struct kin_tiff *in = kin_tiff_open(channel->path, &info, err);
    if (!in)
        return false;
    bool fine = true;
    if (info.type != KIN_U16 || info.dims.z != 1 || info.dims.y != dims.y || info.dims.x != dims.x)
        fine = kin_fail(err, KIN_INPUT,
                        "%s: must be one uint16 page of %d x %d pixels like the other channels",
                        channel->path, dims.y, dims.x);
    for (int y = 0; y < dims.y && fine; y += BAND) {
        int rows = dims.y - y < BAND ? dims.y - y : BAND;
        fine = kin_tiff_rows(in, 0, y, rows, band, err) && tiff_pyramid_rows(out, band, rows, err);
    }
    kin_tiff_close(in);
    return fine;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static struct tiff_pyramid *start(const char *path, const struct ometiff_channel *channels, int n,
                                  struct kin_dims *dims, const struct kin_tiff_options *options,
                                  struct kin_error *err)
{
    struct kin_tiff_info info;
    if (n < 1) {
        kin_fail(err, KIN_INPUT, "%s: no channels to write", path);
        return NULL;
    }
    if (!kin_tiff_info(channels[0].path, &info, err))
        return NULL;
    *dims = (struct kin_dims){n, info.dims.y, info.dims.x};
    char *xml = ometiff_xml(base_name(path), channels, n, *dims, options->pixel_nm);
    if (!xml) {
        kin_fail(err, KIN_MEMORY, "%s: no memory for the OME-XML", path);
        return NULL;
    }
    struct tiff_pyramid *out = tiff_pyramid_create(path, *dims, xml, options, err);
    free(xml);
    return out;
}

bool ometiff_write(const char *path, const struct ometiff_channel *channels, int n,
                   const struct kin_tiff_options *options, const struct kin_progress *progress,
                   struct kin_error *err)
{
    struct kin_dims dims;
    struct tiff_pyramid *out = start(path, channels, n, &dims, options, err);
    if (!out)
        return false;
    uint16_t *band = malloc((size_t)BAND * dims.x * sizeof *band);
    bool fine = band || kin_fail(err, KIN_MEMORY, "%s: no memory for a band of rows", path);
    for (int i = 0; i < n && fine; i++) {
        fine = copy_channel(out, &channels[i], dims, band, err);
        kin_tell(progress, i + 1, n, "OME-TIFF channel");
    }
    free(band);
    if (fine)
        return tiff_pyramid_commit(out, err);
    tiff_pyramid_abandon(out);
    return false;
}
