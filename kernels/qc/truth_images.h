/* SPDX-License-Identifier: MIT
 *
 * truth_images.h: the images of a project and those of its truth/, as the comparisons of qc/truth.h
 * need them. */
#pragma once

#include "image/experiment.h"

enum { TRUTH_PATH = 4300 };

struct comparing {
    const char *project;
    const struct experiment *exp;
    struct kin_error *err;
};

/* What a stage's comparison yields; NaN: nothing to compare. */
struct truth_pair {
    double first, second;
};

/* path (TRUTH_PATH) = a file of data/processed, or of truth/; the format is given the cycle and the
 * channel. */
void truth_processed(const struct comparing *c, char *path, const char *format, int cycle,
                     int channel);
void truth_path(const struct comparing *c, char *path, const char *format, int cycle, int channel);

/* An image as float32. False: it is not there, or it cannot be read, which is an error. */
bool truth_load(const struct comparing *c, const char *path, struct kin_image *image);

/* Both images of a comparison, trimmed to each other. False: one is missing. */
bool truth_load_pair(const struct comparing *c, const char *found, const char *wanted,
                     struct kin_image *a, struct kin_image *b);

/* The value at share q of the pixels (of some of them, where there are many). */
float truth_quantile(const struct kin_image *image, double q);
