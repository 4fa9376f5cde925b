/* SPDX-License-Identifier: MIT
 *
 * ometiff.h: many channels of one size as one OME-TIFF (schema 2016-06): a page a channel, tiles,
 * pyramid levels as SubIFDs, so that QuPath, napari and Bio-Formats open it at any zoom. */
#pragma once

#include "kintsugi.h"

struct ometiff_channel {
    const char *name; /* as people know it; any UTF-8 */
    const char *path; /* a one-page uint16 TIFF of the common size */
    double emission;  /* nm; 0: not known */
};

/* Reads the channels' files in bands and writes path (under a temporary name, renamed at the end).
 * options: compression and pixel_nm. Refuses a file of another size or type by name. */
bool ometiff_write(const char *path, const struct ometiff_channel *channels, int n,
                   const struct kin_tiff_options *options, const struct kin_progress *progress,
                   struct kin_error *err);

/* The OME-XML of such a file (UTF-8, malloc'ed, the caller's; NULL: no memory). name: of the
 * image. */
char *ometiff_xml(const char *name, const struct ometiff_channel *channels, int n,
                  struct kin_dims dims, double pixel_nm);
