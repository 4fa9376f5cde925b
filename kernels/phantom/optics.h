/* SPDX-License-Identifier: MIT
 *
 * optics.h: what lies between a phantom's tissue and its files: the objective, the
 * illumination, the camera and the stage. */
#pragma once

#include "device/device.h"
#include "image/experiment.h"
#include "phantom/world.h"

/* The objective: blurs regions of one size, of every channel. */
struct optics {
    struct device *dev;     /* borrowed */
    struct kin_dims region; /* planes, and pixels with the halo on each side */
    int halo;               /* pixels around what is wanted, so that the blur is exact there */
    int half_z, channels;
    struct kin_dims domain; /* the size of the transform, one plane */
    struct fft_plan *plan;  /* all planes at once */
    float *volume;          /* owned, (planes, domain) */
    float *spectrum;        /* owned, (planes, domain.y, domain.x/2+1) complex */
    float *otf;             /* owned, (channel, 0..half_z, domain.y, domain.x/2+1), real */
};

/* For regions of h x w pixels and their halo. */
bool optics_open(struct optics *optics, const struct experiment *exp, struct device *dev, int h,
                 int w, struct kin_error *err);
void optics_close(struct optics *optics);

/* object (planes, region.y, region.x) blurred in place; exact inside the halo. */
void optics_blur(struct optics *optics, int channel, float *object);

/* Fields of the camera, (tile_h, tile_w): mean 1; ADU. Allocated here. */
bool flat_field(const struct world *world, int channel, struct kin_image *flat,
                struct kin_error *err);
/* The same for the dark frame. */
bool dark_field(const struct world *world, int channel, struct kin_image *dark,
                struct kin_error *err);

/* Where the stage took the tiles of a cycle, in scan order: y, x of each, smallest of each axis
 * 0. */
void stage_positions(const struct world *world, int cycle, double (*positions)[2]);

/* Row and column of tile k of a snake that starts top left. */
void snake_place(const struct world *world, int k, int *row, int *col);

/* A plane of blurred object (tile_h rows, `stride` apart) as the camera records it. id: what makes
 * the noise of this exposure its own. */
struct exposure {
    const float *flat, *dark;
    double gain; /* ADU for an electron */
    uint32_t cycle, id;
};
/* What the camera makes of an object's light: uint16 ADU. */
void camera_expose(const struct world *world, const struct exposure *exposure, const float *object,
                   int stride, uint16_t *tile);

/* The mean of 64 exposures without light; frame and dark (tile_h, tile_w), ADU. */
void camera_dark_frame(const struct world *world, int channel, const float *dark, double gain,
                       float *frame);

/* The camera's offset as its maker states it: the mean of the dark field, ADU. */
extern const double camera_level;
