/* checks.h: a check for every row of the table in device.h; a row without one does not link. They
 * stand in check_volumes.c (memory, fft, pixel, filter, rl, focus) and check_images.c (mosaic,
 * illum, warp, block). */
#pragma once

#include "trial.h"

#define X(type, primitive, ...) void check_##primitive(struct trial *t);
DEVICE_PRIMITIVES(X)
#undef X

/* Sums and filters agree to this, relative to the largest value. */
#define ROUNDING 1e-5

/* The stages, on small images: stages.c. */
void stage_illum(struct trial *t);
void stage_stitch(struct trial *t);
void stage_deconv(struct trial *t);
void stage_edof(struct trial *t);
void stage_register(struct trial *t);
void stage_narrow_register(struct trial *t); /* some rows of the images at a time */
/* the convolution of deconvolution, on small volumes */
void stage_line_lengths(struct trial *t);

/* The same on very small ones, a few steps, for tests that repeat them often. */
enum { SMALL_MEMORY = 600 << 10 }; /* in which it is made in bands */
void stage_small_deconv(struct trial *t);
void stage_tiny_deconv(struct trial *t); /* uncut */
void stage_small_edof(struct trial *t);
void stage_small_mosaic(struct trial *t);
enum { NARROW_MEMORY = 14000 }; /* in which it is made in bands */
void stage_small_warping(struct trial *t);
