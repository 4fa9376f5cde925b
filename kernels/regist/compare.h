/* SPDX-License-Identifier: MIT
 *
 * compare.h: what two registered images of one canvas say of each other, for qc: whether one of
 * them is out of focus, or lost its light somewhere. */
#pragma once

#include "image/volume.h"

struct device;

/* Of the spectra of blocks of 128 x 128 pixels in which both images hold something, at most some
 * 1000 of them. */
struct compare_spectra {
    int blocks;
    /* How much of b's detail (9 to 14 px) goes with a's, over the same for what is coarser (24 to
     * 40 px): 1 where both are as sharp, less where b is blurred or a is noise; and the other way
     * round. NAN: too few blocks. */
    double detail_b, detail_a;
};

/* a and b: planes of uint16 of one size; cpu: of kind DEVICE_CPU. The result does not depend on its
 * threads. False: KIN_MEMORY, or the failure of a source or the device. */
bool compare_spectra(struct device *cpu, const struct kin_source *a, const struct kin_source *b,
                     struct compare_spectra *found, struct kin_error *err);

/* The light of b over that of a, in squares of 64 x 64 pixels with at least half of the light of
 * a's bright ones. */
struct compare_light {
    double least; /* of the square that has least, over the median; NAN: too few squares */
    int y, x;     /* its middle */
};

/* cover: uint8, not 0 where b has pixels. False: as above. */
bool compare_light(const struct kin_source *a, const struct kin_source *b,
                   const struct kin_source *cover, struct compare_light *found,
                   struct kin_error *err);
