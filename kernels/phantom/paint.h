/* SPDX-License-Identifier: MIT
 *
 * paint.h: the light that a region of a phantom's tissue gives off. */
#pragma once

#include "phantom/region.h"

/* What of the object is drawn: everything, or only the stain without autofluorescence and
 * debris. */
enum parts { PARTS_ALL, PARTS_SIGNAL };

/* volume (planes, h, w) = the object of a channel, 1.0 being a usual nucleus. False: no memory. */
bool region_object(const struct world *world, const struct region *region, int channel,
                   enum parts parts, float *volume);

/* Calls back for each nucleus of the reference cycle whose centre lies on cycle 1's canvas. False:
 * no memory. */
bool world_each_nucleus(const struct world *world,
                        void (*found)(void *user, double y, double x, double z, double radius_um),
                        void *user);
