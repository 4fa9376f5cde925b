/* SPDX-License-Identifier: MIT
 *
 * deconv.h: Richardson-Lucy deconvolution of a volume of any size in bounded memory.
 *
 *     struct kin_deconv_params p = {.accelerate = true};
 *     struct kin_deconv *run = kin_deconv_new(dev, &psf, &p, &err);
 *     struct kin_deconv_report report;
 *     bool ok = kin_deconv_volume(run, &source, NULL, &sink, NULL, &report, &err);
 *     kin_deconv_free(run);
 *
 * One kin_deconv serves any number of volumes with the same PSF; transfer functions and buffers are
 * made once. What a block needs to know of the whole volume (the floor, the number of steps, the
 * accelerations) is found before, so that blocks join without seams. */
#pragma once

#include "device/device.h"
#include "image/volume.h"

enum kin_boundary { KIN_REFLECT, KIN_CIRCULAR };

enum { KIN_DECONV_STEPS = 500 }; /* most iterations */

struct kin_deconv_params {
    int iterations;       /* 0: 10 accelerated, or 5 plain ones below 60 photo-electrons */
    bool accelerate;      /* Biggs-Andrews */
    bool start_from_data; /* instead of the flat start: as older tools do, noisier */
    double stop_percent;  /* LsDeconv's rule: stop when the change shrinks by less; 0: never */
    double tv; /* total variation: strength, 0.001 to 0.02; 0: none (Dey et al., Microsc. Res. Tech.
                  69:260, 2006) */
    double damping; /* LsDeconv's: share of the 26 neighbours' mean mixed into each step, 0..0.1; 0:
                       none */
    float smooth;   /* pixels: Gaussian in y and x over the data before; 0: none; < 0: 1 below 60
                       photo-electrons, else none */
    enum kin_boundary boundary; /* of all three axes */
    float offset;               /* ADU without light: taken off before, put back after */
    float gain;                 /* ADU for one photo-electron; 0: 1 */
    /* pixels that blocks overlap on each side; 0: see kin_deconv_halo */
    int halo;
    size_t memory; /* bytes that may be used; 0: 2 GB */
};

struct kin_deconv_report {
    int iterations;
    bool accelerated;
    float smooth;                  /* pixels */
    float alpha[KIN_DECONV_STEPS]; /* of step i+1 */
    double flux_ratio;             /* light out / light in, the offset taken off */
    double high_share;             /* samples above 64000 after deconvolution */
    double foreground;             /* median of the foreground, photo-electrons */
    float top;                     /* brightest sample of the source, the offset taken off */
    int blocks_y, blocks_x, halo;
    struct kin_dims block; /* samples of one block, halo included */
    size_t memory;         /* bytes of all buffers */
};

/* What is known of a volume before any block is touched. */
struct kin_survey {
    double total;      /* of all samples, the offset taken off, negatives as 0 */
    float top;         /* the largest such sample */
    double foreground; /* median of the foreground, ADU */
    int y, x, size;    /* the square window that holds the most light, for choosing accelerations */
};

/* Finds it on any thread, without a device: while a card deconvolves a volume, the next one can be
 * looked at. offset: as in struct kin_deconv_params. Refuses values that are not finite. */
bool kin_deconv_survey(const struct kin_source *source, float offset, int threads,
                       struct kin_survey *survey, struct kin_error *err);

struct kin_deconv;

/* Whether an image of that size can be deconvolved with such a PSF: to be asked before one is
 * computed, since one that is far too wide takes minutes and gigabytes. */
bool kin_deconv_fits(struct kin_dims image, struct kin_dims psf, struct kin_error *err);

/* psf is borrowed for the life of the result. NULL: a parameter is out of range. */
struct kin_deconv *kin_deconv_new(struct device *dev, const struct kin_image *psf,
                                  const struct kin_deconv_params *params, struct kin_error *err);
void kin_deconv_free(struct kin_deconv *run);

/* Reads source and writes sink. survey: of the source; NULL: it is made here. Refuses fewer than 3
 * planes, values that are not finite, floats below 1 that a sink of whole numbers would lose, a PSF
 * wider than the image, and a memory limit that no block fits in. progress may be NULL. */
bool kin_deconv_volume(struct kin_deconv *run, const struct kin_source *source,
                       const struct kin_survey *survey, const struct kin_sink *sink,
                       const struct kin_progress *progress, struct kin_deconv_report *report,
                       struct kin_error *err);

/* ---- between deconv.c, deconv/survey.c and deconv/halo.c ------------------------------------- */

/* kin_deconv_survey with the wished size of the square. */
bool kin_survey(const struct kin_source *source, float offset, int window, int threads,
                struct kin_survey *survey, struct kin_error *err);

/* How many pixels blocks must overlap on each side so that what lies beyond, were it ten times
 * as bright as it is, changes a constant scene by 0.2 % at most in that many steps (0.1 % if
 * their ends are not RL_MIRRORED); at least 1, at most twelve half-widths of the PSF. False: no
 * memory. */
bool kin_deconv_halo(const struct kin_image *psf, enum rl_ends ends, int steps, bool accelerate,
                     int *halo, struct kin_error *err);
