/* grey_page.h: what every page says that a test writes by libtiff itself. */
#pragma once

#include <tiffio.h>

static inline void grey_page(TIFF *file, int width, int height, int bits)
{
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
}
