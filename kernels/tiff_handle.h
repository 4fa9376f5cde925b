/* SPDX-License-Identifier: MIT
 *
 * tiff_handle.h: what tiff_read.c and tiff_write.c share: a libtiff handle whose errors go into a log of
 * its own and whose warnings go nowhere, so that nothing is printed and threads do not mix.
 */
#pragma once

#include <tiffio.h>

struct tiff_log {
    char text[300]; /* the first error of the handle; empty: none */
};

/* Opens path in libtiff's mode; log must live as long as the handle. NULL: see log. */
TIFF *tiff_open_logged(const char *path, const char *mode, struct tiff_log *log);

/* The error's text, or what was to be said without one. */
const char *tiff_why(const struct tiff_log *log, const char *otherwise);
