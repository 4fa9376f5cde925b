/* SPDX-License-Identifier: MIT
 *
 * tiff_handle.h: what tiff_read.c, tiff_write.c and tiff_pyramid.c share: a libtiff handle whose
 * errors go into a log of its own and whose warnings go nowhere (but those that mean damage), so
 * that nothing is printed and threads do not mix. */
#pragma once

#include <tiffio.h>

#include "kintsugi.h"

struct tiff_log {
    char text[300]; /* the first error of the handle; empty: none */
    int error;      /* what errno was then */
    bool made_up;   /* pixels were invented for data that are not there; see text */
};

/* Opens path in libtiff's mode; log must live as long as the handle. NULL: see log. */
TIFF *tiff_open_logged(const char *path, const char *mode, struct tiff_log *log);

/* Why writing failed: what the system said ("No space left on device"), where it said anything
 * since errno was last set to 0; else the error's text. */
const char *tiff_write_why(const struct tiff_log *log);

/* Says in the page that is begun how large a pixel is (nm; 0: not known, says nothing), in pixels a
 * centimetre: of all units that TIFF has the one that ImageJ turns into micrometres. */
bool tiff_set_pixel(TIFF *file, double pixel_nm);

/* The tag's value that stands for a compression. */
uint16_t tiff_compression(enum kin_compression compression);
