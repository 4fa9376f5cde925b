/* SPDX-License-Identifier: MIT
 *
 * illum.h: uneven illumination, estimated from the images themselves (BaSiC; Peng et al., Nat.
 * Commun. 8:14836, 2017) and taken out.
 *
 *     image_i = b_i flat + dark + sparse_i
 *
 * flat has mean 1, dark is in ADU, sparse is the tissue. One fit serves a channel: its images are
 * tiles of several planes, reduced to 128 x 128. Where too few places are there for that, flat is a
 * smooth surface through the median of the images instead; where even that fails it is 1, and the
 * note says so.
 *
 *     float *thumbs = ...;                              (n, 128, 128)
 *     illum_thumbnail(tile, KIN_U16, h, w, thumbs + k * 128 * 128);
 *     struct illum_fit fit;
 *     if (!illum_fit(dev, thumbs, n, &params, &fit, &err)) ...
 *     illum_expand(fit.flat, h, w, &flat, &err); */
#pragma once

#include "device/device.h"

enum { ILLUM_SIDE = 128, ILLUM_PIXELS = ILLUM_SIDE * ILLUM_SIDE };

/* How BaSiC's problem is solved: the means that its first program takes for projections, or
 * exactly, by linearised alternating directions with adaptive penalty. */
enum illum_solver { ILLUM_APPROXIMATE, ILLUM_LADMAP };

enum illum_method { ILLUM_BASIC, ILLUM_SURFACE, ILLUM_NONE };

struct illum_pair { /* two places that overlap */
    int from, to;
    double dy, dx; /* of the first pixel of `to` less that of `from`, in heights and widths */
};

struct illum_params {
    double dark;       /* the camera's offset, ADU; NAN: fitted too */
    double dark_error; /* how far off that may be, ADU; 0: as a measured frame, 2 */
    int places; /* different places among the images (planes show the same); 0: all of them */
    const int *place_of;            /* (images): which place each shows; NULL: every one its own */
    const struct illum_pair *pairs; /* what overlaps tell, where a surface is fitted */
    int pair_count;
    int places_min;      /* fewer: a smooth surface instead; 0: 24 */
    int reweights;       /* rounds; 0: 10 */
    double reweight_tol; /* a round that changes flat less is the last; 0: 1e-3 */
    enum illum_solver solver;
    int iterations;   /* of a solve, at most; 0: 500 */
    double tolerance; /* a solve's residual at which it ends; 0: 1e-6 */
    double flat_min;  /* a flat that falls below is refused; 0: 0.05 */
};

struct illum_fit {
    enum illum_method method;
    float flat[ILLUM_PIXELS]; /* mean 1 */
    float dark[ILLUM_PIXELS]; /* ADU */
    int images, rounds, iterations;
    char note[250]; /* why it is not ILLUM_BASIC, or what the images do not tell; may be empty */
};

/* Mean of the pixels under each of 128 x 128 equal squares, fractions weighed exactly. False: no
 * memory. */
bool illum_thumbnail(const void *tile, enum kin_type type, int h, int w, float *thumb);

/* means (places, M): the mean thumbnail of each place that has any; row[place] is where it lies
 * there, -1: none. place_of as in illum_params. Answers how many there are. */
int illum_place_means(const float *thumbs, const int *place_of, int n, int places, float *means,
                      int *row);

/* Fits the model to n thumbnails. False only when memory or the device fails: a fit that cannot be
 * used falls back, see method and note. */
bool illum_fit(struct device *dev, const float *thumbs, int n, const struct illum_params *params,
               struct illum_fit *fit, struct kin_error *err);

/* Bytes of the host that n thumbnails, a fit to them and the baselines of their places take. */
size_t illum_bytes(const struct device *dev, int n, const struct illum_params *params);

/* BaSiC's baseline: how bright the background of each of n thumbnails is under the fit's flat field
 * and above its dark one, ADU; baseline: room for n. 0 for all when they are empty. False: the
 * device fails. */
bool illum_baseline(struct device *dev, const float *thumbs, int n, const struct illum_fit *fit,
                    double *baseline, struct kin_error *err);

/* How much the planes of a place have in common that places do not: the correlation of each
 * thumbnail with the next one of its place, over all cells and places, 0 where there is only noise.
 * place_of as in illum_params, below places. NAN: fewer than four places, or one plane. */
double illum_signal(const float *thumbs, const int *place_of, int n, int places);

/* The rate of an exponential decay along n baselines, in order: per image, above 0 when they fade;
 * the median over all pairs (Theil and Sen), those of 0 or NAN left out. False: no memory. */
bool illum_decay(const double *baseline, int n, double *rate);

/* The field at the size of a tile, bilinear; allocated here, the caller's. */
bool illum_expand(const float *field, int h, int w, struct kin_image *image, struct kin_error *err);

/* What a tile is multiplied with: 1 / max(flat, least). */
bool illum_gain(const struct kin_image *flat, float least, struct kin_image *gain,
                struct kin_error *err);

/* "basic", "surface", "none". */
const char *illum_method_name(enum illum_method method);
