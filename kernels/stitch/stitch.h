/* SPDX-License-Identifier: MIT
 *
 * stitch.h: where the tiles of a mosaic lie, and the mosaic they make.
 *
 * Positions: each pair of neighbours is measured by phase correlation of the strips where they
 * should overlap (Kuglin and Hines 1975), the best of several peaks being chosen by the true
 * normalised correlation of the overlap and refined to a fraction of a pixel; pairs that correlate
 * no better than tiles which have nothing in common (stitch/chance.h) and pairs far from all others
 * are rejected; what is left goes into one robust least-squares problem (Cauchy weights), together
 * with what the stage does elsewhere.
 *
 *     struct stitch_model model;
 *     struct stitch_tiles tiles = stitch_tiles_in_memory(corrected);
 *     if (!stitch_model_fit(dev, &params, &tiles, &model, &err)) ...
 *     printf("%f\n", model.places[3].y);
 *     stitch_model_free(&model);
 *
 * The mosaic frame has its origin at the smallest y and the smallest x of all tiles. */
#pragma once

#include "device/device.h"

/* The order in which tiles are taken. */
struct stitch_scan {
    int rows, cols;
    bool column_major;              /* column by column */
    bool raster;                    /* every line in the same direction; else a snake */
    bool start_right, start_bottom; /* the corner of the first tile */
};

/* Row and column of the k-th tile taken. */
void stitch_place(const struct stitch_scan *scan, int k, int *row, int *col);

/* The number of the tile in that row and column; -1: the grid does not reach so far. */
int stitch_tile_at(const struct stitch_scan *scan, int row, int col);

struct stitch_params {
    struct stitch_scan scan;
    int tile_h, tile_w;
    double overlap; /* fraction of a tile */
    double ncc_min; /* pairs below are rejected; 0: 0.15 */
    double search;  /* how far a pair may be from its nominal place, fraction of a tile; 0: 0.03 */
    int search_min; /* and at least so many pixels; 0: 12 */
    bool apart;     /* tiles that are said not to overlap do not, whatever they show */
    bool whole_pixels; /* tiles are drawn at whole pixels, not interpolated */
    size_t memory;     /* bytes that the caller and making a plane may use; 0: no limit */
    bool two_bands;    /* detail is blended over a narrower seam than what is smooth */
    size_t held;       /* bytes of memory that the caller has taken */
    int beside;        /* planes made at a time, which share memory and threads; 0: one */
};

/* Whether tiles are to overlap at all. */
static inline bool stitch_overlaps(const struct stitch_params *params)
{
    return params->overlap >= 0.01;
}

/* How many planes are made at a time. */
static inline int stitch_beside(const struct stitch_params *params)
{
    return params->beside > 1 ? params->beside : 1;
}

struct stitch_tiles { /* the corrected tiles of a plane, each (tile_h, tile_w), in scan order */
    void *user;
    bool (*has)(void *user, int tile); /* false: it is missing */
    /* One that is there: borrowed until another is asked for. NULL: it cannot be read. */
    const uint16_t *(*get)(void *user, int tile, struct kin_error *err);
    bool stay; /* none is NULL, all stay while this does, and several threads may ask */
};

/* Those of an array, which stays borrowed; NULL: missing. */
struct stitch_tiles stitch_tiles_in_memory(const uint16_t *const *tiles);

struct stitch_edge { /* a pair of neighbours */
    int from, to;    /* tile indices; `to` is right of or below `from` */
    bool vertical;   /* below */
    double dy, dx; /* position of `to` less position of `from`, px, as measured (or as replaced) */
    double ncc;    /* true normalised correlation of the overlap */
    double chance; /* that tiles which have nothing in common correlate as well (stitch/chance.h) */
    double area;   /* correlation area, px: so many displacements stand for one */
    double sigma[2]; /* uncertainty of dy and dx, px */
    bool faint;      /* measured, with ncc, on what smoothing leaves of noisy tiles: counts less */
    bool accepted;   /* false: replaced by the median of its row or column */
    double promise;  /* what ncc would be of one scene (stitch/unlike.h) */
    bool unlike;     /* rejected, and it keeps too little of that */
    double light, detail; /* brightness, and contrast of detail, of `to` over `from`; 0: not told */
    double residual;      /* distance from the final positions, px */
    double seam;          /* its sharpness in a mosaic; NAN: not known */
};

enum stitch_fault { /* what is wrong with a tile (stitch/unlike.h) */
                    STITCH_SOUND,
                    STITCH_FOREIGN, /* it shows other tissue than its neighbours */
                    STITCH_UNEVEN,  /* it is brighter or darker than all of its neighbours */
                    STITCH_BLURRED, /* it is less sharp than all of its neighbours */
                    STITCH_FAULTS
};

struct stitch_place {
    int row, col;
    double y, x; /* first pixel in the mosaic frame */
    enum stitch_fault fault;
};

struct stitch_model {
    int tiles, edge_count;
    struct stitch_place *places; /* owned, by tile in scan order */
    struct stitch_edge *edges;   /* owned */
    int canvas_h, canvas_w;
    int accepted;              /* edges */
    int unlike;                /* edges */
    int faulty[STITCH_FAULTS]; /* tiles of each fault */
    int loops; /* independent circles of accepted edges: how often they confirm each other */
    /* of accepted edges (faint ones only if all are), px; NaN where no circle of them closes: such
     * edges always fit */
    double residual_rms;
    double ncc_median;  /* of all edges, at the final positions */
    double seam_median; /* NAN: not known */
};

/* Fits the model to one plane of corrected tiles; the edges of missing ones are rejected. Tiles are
 * asked for a few times each, line by line. With overlap below 1 % nothing can be measured: there
 * are no edges, and tiles take their nominal places. False: KIN_INPUT when neighbours then overlap
 * all the same; when fewer than half of the edges between present tiles are accepted, or when these
 * hardly confirm each other (the model is then filled nonetheless, for the report), or the error of
 * a tile or of the device. */
bool stitch_model_fit(struct device *dev, const struct stitch_params *params,
                      const struct stitch_tiles *tiles, struct stitch_model *model,
                      struct kin_error *err);
void stitch_model_free(struct stitch_model *model);

/* Moves all places so that the least y and x are 0, and says how large the mosaic is. */
void stitch_canvas(const struct stitch_params *params, struct stitch_model *model);

/* The whole pixel where a coordinate of a place is drawn, and how far the place lies behind it
 * (0..1; always 0 with whole_pixels). Fractions below a fiftieth of a pixel are none: interpolation
 * would cost more than it mends. */
int stitch_pixel(double place, bool whole_pixels, float *fraction);

/* Weight of each pixel of a tile axis of n pixels: a linear ramp over the overlap at both ends. */
void stitch_ramp(float *weights, int n, double overlap);

/* Sharpness of the seams of a mosaic, from its rows as they come: for each edge the variance of the
 * Laplacian in the overlap over that of the strips beside it, noise removed. Of these strips only
 * what lies under the rows so far is held. Model and params stay borrowed until the end. NULL: no
 * memory. */
struct stitch_seams *stitch_seams_new(const struct stitch_model *model,
                                      const struct stitch_params *params, struct kin_error *err);

/* The next rows, (count, canvas_w). */
void stitch_seams_rows(struct stitch_seams *seams, const uint16_t *rows, int count);

/* Fills the seams of a model, NAN where they cannot be told, and frees the rest. False: there was
 * no memory. model NULL: only frees. */
bool stitch_seams_end(struct stitch_seams *seams, struct stitch_model *model,
                      struct kin_error *err);

/* Median of n numbers, whose order it changes; NAN ones are left out. NAN: nothing is left. */
double stitch_median(double *values, int n);
