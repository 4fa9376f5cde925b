/* SPDX-License-Identifier: MIT
 *
 * regist.h: how one cycle's image lies in the reference cycle's. The chain, each step from the one
 * before:
 *
 *   coarse   phase correlation of the whole binned images (band-pass, Hann): a translation; if what
 *            it explains is poor (NCC < 0.3), the rotation and scale of the log-polar spectra first
 *            (Reddy & Chatterji, IEEE TIP 5:1266, 1996);
 *   affine   phase correlation of blocks (Kuglin & Hines 1975), binned then full size, fitted with
 *            Cauchy weights;
 *   field    the same blocks once more, what is left smoothed on their grid: a displacement field,
 *            kept only if it moves something and folds nowhere.
 *
 * Nothing is resampled on the way: every block is read from the original pixels through the map so
 * far, and the final warp is one interpolation.
 *
 *     struct kin_source reference = kin_source_image(&image);
 *     struct regist *r = regist_open(dev, &reference, &params, &err);
 *     struct regist_result result;
 *     bool fine = regist_align(r, &moving, &result, &err);
 *     ... result.map in warp_u16 ...
 *     regist_result_free(&result);
 *     regist_close(r); */
#pragma once

#include "device/device.h"
#include "regist/probe.h"

enum regist_field { REGIST_FIELD_OFF, REGIST_FIELD_AUTO, REGIST_FIELD_ON };

struct regist_params {
    enum regist_field field; /* auto: only if the blocks agree that something is left to move */
    /* pixels rms of the smoothed residual above which auto takes the field */
    double field_threshold;
    double field_limit;  /* pixels: |u| is clipped to this */
    double min_ncc;      /* a cycle whose median block NCC is below is refused */
    double max_shift;    /* share of the canvas; a larger translation is refused */
    double mellin_below; /* coarse NCC below which rotation is looked for */
    size_t memory;       /* bytes that may be used on the CPU (a card knows its own); 0: no limit */
    /* of an image that the device may hold at a time; 0: as many as memory allows */
    int rows;
};

/* field auto, 0.15 px, 10 px, 0.2, 0.25, 0.3, no limits. */
struct regist_params regist_defaults(void);

struct regist_result {
    struct warp_map map; /* grid.u is host memory, owned */
    const char *model;   /* "identity", "translation", "similarity", "affine" */
    bool mellin, field;
    double coarse_ncc;
    int blocks, accepted; /* of the last affine round */
    int judged;           /* blocks with tissue that both images fill: what follows is of these */
    double ncc_median;    /* band-passed blocks, after the final map, where there is tissue */
    double agreeing;      /* share of those blocks that move less than 2 px with a clear peak */
    double residual_median, residual_p95, residual_max; /* pixels left over, accepted blocks */
    double u_median, u_p95, u_max;                      /* pixels of the field, 0 without one */
    int folds; /* grid nodes with det(I + grad u) <= 0.3 in the field kept: 0 */
    double min_det;
    double ecc_correlation; /* of the whole binned images as the map lays them on each other */
    double ecc_chance;      /* the size it has by chance; NAN: not told */
    /* the best correlation elsewhere, a further `elsewhere` pixels (y, x) on: where the image
     * repeats itself; NAN: nowhere */
    double ecc_elsewhere;
    int elsewhere[2];
    double ecc_corner; /* pixels that another method (regist/ecc.h) would still move a corner; NAN:
                          not told */
    char note[200];    /* why a field was dropped, or what was unusual; may be empty */
    struct probe_point *points; /* owned; the final measurement, points_n of them */
    int points_n;
    bool refused;
    char why[400]; /* of a refusal; else empty */
};

struct regist; /* the reference, on the device as far as it has room */

/* The reference is a plane of uint16; its source must outlive what is returned. Nothing is read
 * yet. NULL: a canvas below 64 pixels, another type, memory. */
struct regist *regist_open(struct device *dev, const struct kin_source *reference,
                           const struct regist_params *params, struct kin_error *err);
void regist_close(struct regist *r);

/* Finds the map of the moving image (uint16, one plane, any size). Where memory is short the device
 * holds some rows of the images at a time and reads more often; no bit of the result changes. False
 * only for errors (of reading too; too little memory for the rows that a turned image needs at a
 * time); a cycle that does not fit is a true with result->refused and the reason in result->why. */
bool regist_align(struct regist *r, const struct kin_source *moving, struct regist_result *result,
                  struct kin_error *err);
void regist_result_free(struct regist_result *result);

/* The result of the reference itself: the identity. */
struct regist_result regist_identity(struct kin_dims dims);

/* Least det of I + du/dp over the grid's cells, and in *folds how many nodes lie at 0.3 or
 * below. */
double regist_min_det(const struct warp_grid *grid, int *folds);
