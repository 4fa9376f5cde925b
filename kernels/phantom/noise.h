/* SPDX-License-Identifier: MIT
 *
 * noise.h: smooth random fields of the plane: Gaussian numbers on a lattice, joined by cubic
 * B-splines, in octaves of halved cell and reduced height; mean 0, variance 1. A field is a
 * function of a point; a patch holds the lattice numbers that a rectangle needs.
 *
 *     struct noise_patch patch;
 *     if (!noise_open(&patch, &field, y0, x0, y1, x1)) ... no memory
 *     float v = noise_at(&patch, y, x);
 *     noise_close(&patch); */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { NOISE_OCTAVES = 5 };

struct noise {
    uint64_t key;
    uint32_t stream; /* fields of one key differ by it */
    double cell;     /* lattice distance of the first octave, pixels */
    int octaves;     /* 1..NOISE_OCTAVES */
    double gain;     /* height of an octave to the one before */
};

struct noise_patch {
    const struct noise *field; /* borrowed */
    float norm;
    struct {
        float *at; /* owned, h x w */
        int y0, x0, h, w;
    } lattice[NOISE_OCTAVES];
};

/* The patch of a rectangle, edges included. False: no memory. */
bool noise_open(struct noise_patch *patch, const struct noise *field, double y0, double x0,
                double y1, double x1);
void noise_close(struct noise_patch *patch);

/* The field at a point inside the rectangle. */
float noise_at(const struct noise_patch *patch, double y, double x);
