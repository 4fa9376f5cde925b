/* SPDX-License-Identifier: MIT
 *
 * probe.h: measuring displacements between two images in many small blocks, in batches on the
 * device, and fitting what the blocks say. */
#pragma once

#include "regist/row_window.h"

/* One measured block. */
struct probe_point {
    float y, x;    /* middle of the block in the reference, pixels */
    float dy, dx;  /* the map should read this much further on: map'(p) = map(p + d) */
    float quality; /* correlation peak / standard deviation; 0: no peak inside the reach */
    float fill;    /* share of the moving block that lies inside its image */
    float ncc;     /* band-passed correlation as the map stands */
    float power;   /* band-passed energy of the reference block */
};

/* An image and the range its values are clipped to. */
struct probe_image {
    struct row_window window;
    float low, high;
};

/* The plane that a source gives, with room for so many rows (0: all) on the device. The range is 0
 * to the 99.9th percentile. *small (may be NULL): the same binned k x k, all of it on the device.
 * One pass over the source, which must outlive the image. False: see the device; freeing does no
 * harm. */
bool probe_image_load(struct device *dev, struct probe_image *image, struct probe_image *small,
                      int k, const struct kin_source *source, int room);
void probe_image_free(struct device *dev, struct probe_image *image);

struct probe; /* buffers and plan for one block size */

/* Blocks of h x w, peaks looked for within reach_y, reach_x pixels, about so many of them at a
 * time. NULL: see device_ok. */
struct probe *probe_new(struct device *dev, int h, int w, int reach_y, int reach_x, int blocks);
void probe_free(struct probe *probe);

/* Measures n blocks whose y and x are filled in; fills the other fields. view NULL: mov lies as ref
 * does. The reference must not change while the probe lives. Failures stay in the device. */
void probe_run(struct probe *probe, struct probe_image *ref, struct probe_image *mov,
               const struct warp_view *view, struct probe_point *points, int n);

/* Bytes of the device that such a probe takes at most. */
size_t probe_bytes(const struct device *dev, int h, int w, int blocks);

/* Block middles on a regular grid: rows x cols of them, block edge size, every `step` pixels. */
struct probe_lattice {
    int size, step, rows, cols;
    float origin;
};

/* The lattice that covers such an image: one block where it is smaller than a block. */
struct probe_lattice probe_lattice_over(struct kin_dims dims, int size, int step);

/* The points of a lattice, y and x filled in (malloc'ed, the caller's; NULL: no memory). */
struct probe_point *probe_lattice_points(const struct probe_lattice *lattice);

/* D(p) = l (p - c) + m. */
struct probe_fit {
    double l[4], m[2];
    int used;   /* points with quality and fill enough */
    double rms; /* of their weighted residuals, pixels */
    const char *model;
};

/* Weighted least squares with Cauchy weights of 1 pixel, 10 rounds, over points of at least that
 * quality. The model is as rich as the independent points allow: `independent` says how many one
 * point stands for. Points too few for a turn are believed one if it explains far more than a
 * translation does. */
struct probe_fit probe_fit_affine(const struct probe_point *points, int n, const double c[2],
                                  double min_quality, double independent);

/* What the points say, smoothed over sigma lattice cells (weights quality^2; where nothing is known
 * the surroundings are extended): d (2, rows, cols), the caller's memory. */
bool probe_smooth(const struct probe_lattice *lattice, const struct probe_point *points,
                  double min_quality, double sigma, float *d);
