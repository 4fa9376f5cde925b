// SPDX-License-Identifier: MIT
#include "image/tiff_says.h"

#include <stdlib.h>
#include <string.h>

enum { METAMORPH_PLANES = 33629 }; /* a tag with as many values as planes */

/* What follows a word in a text; NULL: it is not there. */
static const char *after(const char *text, const char *word)
{
    const char *found = strstr(text, word);
    return found ? found + strlen(word) : NULL;
}

/* The number behind a word, or what is taken where there is none. */
static double number_after(const char *text, const char *word, double otherwise)
{
    const char *number = after(text, word);
    return number ? strtod(number, NULL) : otherwise;
}

/* The count that a text begins with. */
static int count_at(const char *text)
{
    return (int)fmin(fmax(strtod(text, NULL), 0), 1e9);
}

static int count_after(const char *text, const char *word)
{
    const char *count = after(text, word);
    return count ? count_at(count) : 1;
}

/* The product of numbers like 3, 480, 640. */
static double product(const char *text)
{
    double all = 1;
    for (char *end;; text = end + 1) {
        all *= strtod(text, &end);
        if (end == text || *end != ',')
            return all;
    }
}

static bool is_in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

/* How many nm a unit is that a text begins with; 0: none that is known. */
static double unit_nm(const char *text)
{
    static const struct {
        const char *name;
        double nm;
    } units[] = {{"nm", 1},      {"\u00b5m", 1e3}, {"\\u00B5m", 1e3}, {"&#181;m", 1e3},
                 {"um", 1e3},    {"micron", 1e3},  {"microns", 1e3},  {"mm", 1e6},
                 {"cm", 1e7},    {"\u03bcm", 1e3}, {"inch", 2.54e7},  {"inches", 2.54e7},
                 {"in", 2.54e7}, {"\u00c5", 0.1},  {"pm", 1e-3},      {"m", 1e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].name);
        if (!strncmp(text, units[i].name, n) && !is_in_word(text[n]))
            return units[i].nm;
    }
    return 0;
}

/* Many programs write the resolution of a printer: only what a microscope could have is taken. */
static double likely(double nm)
{
    return nm >= 10 && nm <= 20000 ? nm : 0;
}

/* ---- the programs ---------------------------------------------------------------------------- */

static void imagej(const char *text, double tag, struct tiff_says *says)
{
    const char *unit = after(text, "\nunit=");
    double nm = unit ? unit_nm(unit) : 0;
    says->stack = "an ImageJ";
    says->pictures = number_after(text, "\nimages=", 1);
    says->channels = count_after(text, "\nchannels=");
    says->slices = count_after(text, "\nslices=");
    says->moments = count_after(text, "\nframes=");
    says->raised = number_after(text, "\ncf=", -1) == 0 && number_after(text, "\nc0=", 0) == -32768;
    if (nm > 0 && tag > 0)
        says->pixel_nm = likely(nm / tag);
    says->plane_nm = likely(nm * number_after(text, "\nspacing=", 0));
}

/* The value of an attribute, name with what follows it, =", of the element whose name text is
 * behind and that ends at its '>'; NULL: it has none. */
static const char *attribute(const char *element, const char *name)
{
    const char *end = strchr(element, '>'), *value = after(element, name);
    while (value && !strchr(" \t\r\n", value[-1 - (int)strlen(name)]))
        value = after(value, name);
    return value && end && value < end ? value : NULL;
}

static int count_of(const char *element, const char *name)
{
    const char *value = attribute(element, name);
    return value ? count_at(value) : 1;
}

static double length_of(const char *element, const char *name, const char *unit_name)
{
    const char *value = attribute(element, name), *unit = attribute(element, unit_name);
    return value ? likely(atof(value) * (unit ? unit_nm(unit) : 1e3)) : 0;
}

static void ome(const char *text, struct tiff_says *says)
{
    const char *element = after(text, "<Pixels"),
               *pixels = element ? element : after(text, ":Pixels");
    if (!pixels)
        return;
    says->channels = count_of(pixels, "SizeC=\"");
    says->slices = count_of(pixels, "SizeZ=\"");
    says->moments = count_of(pixels, "SizeT=\"");
    says->pixel_nm = length_of(pixels, "PhysicalSizeX=\"", "PhysicalSizeXUnit=\"");
    says->plane_nm = length_of(pixels, "PhysicalSizeZ=\"", "PhysicalSizeZUnit=\"");
}

struct tiff_says tiff_says(TIFF *file, struct kin_dims dims)
{
    struct tiff_says says = {"", 1, 1, 1, 1, 0, 0, false};
    const char *text = "", *shape;
    uint16_t unit = RESUNIT_INCH;
    uint32_t count = 0;
    float tag = 0;
    void *values;
    TIFFGetField(file, TIFFTAG_IMAGEDESCRIPTION, &text);
    TIFFGetFieldDefaulted(file, TIFFTAG_RESOLUTIONUNIT, &unit);
    if (TIFFGetField(file, TIFFTAG_XRESOLUTION, &tag) && tag > 0 && unit != RESUNIT_NONE)
        says.pixel_nm = likely((unit == RESUNIT_CENTIMETER ? 1e7 : 2.54e7) / (double)tag);
    if (!strncmp(text, "ImageJ=", 7)) {
        imagej(text, unit == RESUNIT_NONE ? (double)tag : 0, &says);
    } else if (strstr(text, "openmicroscopy.org/Schemas/OME")) {
        ome(text, &says);
    } else if (strstr(text, "\"truncated\": true") && (shape = after(text, "\"shape\": ["))) {
        says.stack = "a tifffile";
        says.pictures = product(shape) / dims.y / dims.x;
    } else if (TIFFGetField(file, METAMORPH_PLANES, &count, &values)) {
        says.stack = "a MetaMorph";
        says.pictures = count;
    }
    return says;
}
