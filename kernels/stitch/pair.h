/* SPDX-License-Identifier: MIT
 *
 * pair.h: how two neighbouring tiles lie to each other: the best of several peaks of the phase
 * correlation of the strips where they should overlap, by the true correlation of the overlap.
 *
 *     struct pairing p;
 *     struct pairing_look plain = {0};
 *     pairing_open(&p, dev, params, stitch_reach(params, edge->vertical), plain);
 *     pairing_send(&p, 0, one);
 *     pairing_send(&p, 1, other);
 *     pairing_measure(&p, edge);
 *     pairing_close(&p);
 *
 * What fails is kept in the device. */
#pragma once

#include "stitch/solve.h"

/* As what tiles are seen. */
struct pairing_look {
    float smooth; /* px of a Gaussian; 0: as they are */
    bool band;    /* what one four times as wide leaves is taken away */
};

struct pairing { /* what measuring pairs of one kind (beside, below) needs; device buffers */
    struct device *dev;
    const struct stitch_params *params;
    struct pairing_look look;
    int nominal[2], radius[2]; /* px, y and x */
    int min_side;              /* an overlap narrower than that says nothing */
    struct strip a, b;         /* the strips of the first and of the second tile */
    const uint16_t *tile[2];   /* these tiles */
    uint16_t *own[2];          /* room for them */
    struct kin_dims domain;
    struct fft_plan *plan;
    float *cut, *fine, *coarse, *padded, *spectrum[2];
    float *strips[2];  /* owned, host: the band-passed strips, */
    float *spectra[2]; /* and their spectra */
    double area;       /* how far pixels of the pair depend on each other, px */
    float *whole[2];   /* a tile each, to be smoothed; else NULL */
    uint16_t *host;    /* owned, host: a tile, and the same as it was computed; with band only */
    float *host_band;
};

/* What a pairing takes at most, of the host or of a card, in tiles of 16-bit pixels: two, as floats
 * too, one smoothed, strips and their spectra. */
enum { PAIRING_TILES = 13 };

/* On a card plans of transforms take long to make, and stay: these are what pairs of both kinds
 * need first. */
void pairing_prepare(struct device *dev, const struct stitch_params *params);

void pairing_open(struct pairing *p, struct device *dev, const struct stitch_params *params,
                  struct stitch_reach reach, struct pairing_look look);
/* One that is only asked for the correlation of an overlap that is at least min_side px wide. */
void pairing_open_plain(struct pairing *p, struct device *dev, const struct stitch_params *params,
                        int min_side);
void pairing_close(struct pairing *p);

/* The first (0) or the second (1) tile: from memory of the host, or where it lies on the device and
 * must stay while it is used. */
void pairing_send(struct pairing *p, int which, const uint16_t *tile);
void pairing_show(struct pairing *p, int which, const uint16_t *tile);

/* The true normalised correlation of both tiles, the second displaced by (dy, dx), rounded to 1e-6
 * so that every back end ranks alike; -1: no say. */
double pairing_ncc(const struct pairing *p, int dy, int dx);

/* Fills what is measured of an edge, displacement to area, and sigma. */
void pairing_measure(struct pairing *p, struct stitch_edge *edge);
