/* SPDX-License-Identifier: MIT
 *
 * isolate.h: a marker without its autofluorescence. Where the marker is absent, its image is that
 * of a blank acquisition of the same channel times a scale (exposure, bleaching) plus an offset;
 * scale and offset are found where the marker adds least, and
 *
 *     signal = max(marker - offset - scale * blank, 0)
 *
 * Both images are averaged over k x k pixels for the fit, which takes out most of the noise that
 * would make the scale too small. */
#pragma once

#include "image/volume.h"

enum { ISOLATE_SMOOTHEST = 100 }; /* pixels: the greatest sigma */

struct isolate_params {
    /* pixels averaged for the fit; 0: 8; less for a small image, more above 134 Mpx */
    int bin;
    /* pixels: Gaussian sigma applied to the blank before it is subtracted; at most
     * ISOLATE_SMOOTHEST */
    double smooth;
    double max_scale; /* a scale above is taken for a failed fit */
    int region;   /* pixels: the line is also fitted around nodes so far apart; 0: one line for the
                   image */
    double scale; /* known: the ratio of the exposures; only the offset is fitted. 0: not known */
};

/* Lines of places: at node (i, j), pixel (i step, j step), linear between. */
struct isolate_field {
    int rows, cols;        /* 0: none, the line of the whole image holds everywhere */
    int step;              /* pixels */
    float *scale, *offset; /* (rows, cols); owned, one allocation: scale */
    int own; /* nodes that have a line of their own; the others have the whole image's */
};

struct isolate_fit {
    double scale, offset; /* ADU per ADU, ADU */
    double spread;        /* robust deviation of the binned background about the fit, ADU */
    double explained; /* share of the binned background's variance that the blank explains, 0..1 */
    /* share of the background's step from dark to bright blank still there: 0 is best */
    double left;
    double removed; /* share of the marker image's light that was taken away */
    double clipped; /* share of the pixels that would have become negative */
    double quality; /* 0..1: 1 - left, halved where the fit failed or the blank is unrelated */
    int cells, background; /* binned cells, and how many of them the fit stands on */
    /* where the marker shows what the blank shows, y and x in pixels, up to some 36 (of larger
     * cells, four and a half of these); NAN: that is not clear */
    double shift[2];
    bool failed;    /* no usable relation: only the offset is subtracted */
    bool unrelated; /* the blank explains hardly anything of a background that is no noise */
    char note[160];
    struct isolate_field field;
};

/* Frees what a fit owns. */
void isolate_fit_free(struct isolate_fit *fit);

/* Planes of uint16 of one size, read in bands of rows. */
struct isolate_pair {
    struct kin_source marker, blank;
};

/* Fits marker = offset + scale * blank over the background; a pixel of 0 holds nothing. False:
 * KIN_MEMORY, or a source's failure. */
bool isolate_measure(const struct isolate_pair *pair, const struct isolate_params *params,
                     struct isolate_fit *fit, struct kin_error *err);

/* Gives the sink the subtraction with that fit, rows of uint16; fills removed and clipped. The
 * blank is smoothed on the way. Independent of threads. False: as above, or the sink's failure. */
bool isolate_apply(const struct isolate_pair *pair, const struct isolate_params *params,
                   int threads, struct isolate_fit *fit, const struct kin_sink *sink,
                   struct kin_error *err);

/* of_a a + of_b b, rounded: the blank between two blank acquisitions; a, or of_b / (1 - of_a) b,
 * where only one of them holds something. */
struct isolate_mix {
    struct kin_source a, b; /* planes of uint16 of one size */
    double of_a, of_b;      /* of_a below 1 */
};

/* A source that gives the mix, which must outlive it. */
struct kin_source isolate_mixed(const struct isolate_mix *mix);

/* Whether a channel name is that of a blank acquisition ("Blank", "blank-2", "BLANK_1"...), or one
 * of the n names given by hand. */
bool isolate_is_blank(const char *name, const char *const *named, int n);
