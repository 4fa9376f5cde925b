/* SPDX-License-Identifier: MIT
 *
 * tiff_says.h: what the first page of a TIFF says in the words of ImageJ, OME, tifffile and
 * MetaMorph: how many pictures there are and of what kind, and how large a pixel is. Nothing is
 * taken from it but what a reader could be wrong about without it. */
#pragma once

#include "image/tiff_handle.h"

struct tiff_says {
    const char *stack; /* "an ImageJ": whose stacks may have a page for their first plane only */
    double pictures;   /* that such a stack has; 1: it is none */
    int channels, moments, slices; /* 1: not said */
    double pixel_nm, plane_nm;     /* edge of a pixel, distance of planes; 0: not said */
    bool raised; /* 16-bit samples that mean what is stored less 32768 (ImageJ's signed ones) */
};

/* Of the page that libtiff stands at, the file's first, which has that size. */
struct tiff_says tiff_says(TIFF *file, struct kin_dims dims);
