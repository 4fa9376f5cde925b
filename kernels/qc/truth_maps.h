/* SPDX-License-Identifier: MIT
 *
 * truth_maps.h: the maps of registration beside the true ones. */
#pragma once

#include "qc/truth_images.h"

/* Target registration error in tissue: its mean and 95th percentile. */
struct truth_pair truth_compare_maps(const struct comparing *c);
