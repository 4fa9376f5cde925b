/* SPDX-License-Identifier: MIT
 *
 * band.h: the band of structures by which two whole images are compared: what lies between
 * Gaussians of 1 and 8 pixels. Shading and changed cells are no displacement. */
#pragma once

#include "device/device.h"

/* host (h, w) = the band of a plane (h, w) of device memory: above 0 where the plane holds
 * something, 0 where its pixels are 0, as outside of a mosaic. Such an edge is no structure:
 * averages are of what is held. binned: pixels are means of several, so one beside an empty one may
 * be in part empty itself and is left out. False: see the device. */
bool regist_band(struct device *dev, const uint16_t *plane, struct kin_dims dims, bool binned,
                 float *host);
