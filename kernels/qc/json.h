/* SPDX-License-Identifier: MIT
 *
 * json.h: plane numbers in the JSON that a stage writes to data/processed/qc. Stages put one
 * object per plane or image into an array "planes":
 *
 *     {"cycle": 1, "channel": 2, "marker": "CD4", "z": 3, "mean": 812.4, "std": ..., ...}
 *
 * with the names of QC_PLANE_FIELDS; z only where planes of a stack are meant. `kintsugi-image qc`
 * reads exactly that from every file there. */
#pragma once

#include "core/json.h"
#include "qc/qc.h"

/* The object of a plane. marker may be NULL; z 0: not a stack. The caller's to push or free. */
struct js *qc_plane_js(int cycle, int channel, const char *marker, int z,
                       const struct qc_plane *plane);

/* The numbers of such an object; those that are absent are NaN. */
struct qc_plane qc_plane_from_js(const struct js *object);
