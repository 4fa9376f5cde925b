/* SPDX-License-Identifier: MIT
 *
 * phantom.h: a raw acquisition of a tissue that does not exist, with the truth about it beside it.
 *
 * The tissue is a function of a point (nuclei, membranes, autofluorescence, a curved surface), so
 * that any part of it can be drawn alone: tiles are made one by one, and memory is bounded by one
 * tile and its surroundings, whatever the size of the mosaic. Randomness is by counter (philox.h):
 * the same seed gives the same bytes for any number of threads.
 *
 * What is written, and in which frames, is told in the README.md that goes to DIR/truth. */
#pragma once

#include "device/device.h"
#include "image/experiment.h"
#include "phantom/params.h"

/* Whether every parameter makes sense; else err names one. */
bool kin_phantom_check(const struct phantom_params *params, struct kin_error *err);

/* Writes DIR/data/raw, DIR/meta and DIR/truth. False: a parameter that makes no sense, or the
 * disk. */
bool kin_phantom(const char *dir, const struct phantom_params *params, struct device *dev,
                 const struct kin_progress *progress, struct kin_error *err);
