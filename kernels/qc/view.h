/* SPDX-License-Identifier: MIT
 *
 * view.h: small views of large images and the pictures made of them. */
#pragma once

#include "image/picture.h"

enum { QC_BINS = 128 };

/* What a page shows of one image. */
struct qc_view {
    struct kin_image whole; /* uint16; averaged down until no side is longer than asked */
    struct kin_image crop;  /* uint16; the pixels themselves, from the middle */
    int low, high;          /* ADU shown as black and as white: 1st and 99.8th percentile */
    double bins[QC_BINS];   /* shares of the pixels that are not 0, from ADU 0 to bin_top */
    /* at or above the 99.9th percentile; the last bin holds what is above, too */
    double bin_top;
};

/* Reads a one-page uint16 TIFF in bands. side: longest side of whole; crop: sides of crop, at
 * most. */
bool qc_view_read(const char *path, int side, int crop, struct qc_view *view,
                  struct kin_error *err);
void qc_view_free(struct qc_view *view);

/* A grey picture of an image between low and high; gamma 0.7 so that dim structure shows. */
bool qc_grey(const struct kin_image *image, int low, int high, struct picture *picture,
             struct kin_error *err);

/* Red: a, cyan: b; where both agree it is grey. Of the common part of both. */
bool qc_red_cyan(const struct kin_image *a, const struct qc_view *range_a,
                 const struct kin_image *b, const struct qc_view *range_b, struct picture *picture,
                 struct kin_error *err);

/* Squares of a and b in turn, `square` pixels each: lines must go on across their edges. */
bool qc_checkerboard(const struct kin_image *a, const struct qc_view *range_a,
                     const struct kin_image *b, const struct qc_view *range_b, int square,
                     struct picture *picture, struct kin_error *err);
