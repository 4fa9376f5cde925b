/* SPDX-License-Identifier: MIT
 *
 * mellin.h: rotation and scale between two images from their spectra's magnitudes, which do not
 * know about translation (Reddy & Chatterji, IEEE TIP 5:1266, 1996). */
#pragma once

#include "regist/probe.h"

/* Finds angle (radians) and scale such that ref(p) is about mov(scale R(angle) p + t) for some t,
 * with R = [cos -sin; sin cos] on (y, x). |angle| up to 45 degrees, scale within 20 %. False: no
 * clear peak, or the device failed. */
bool mellin_measure(struct device *dev, const struct probe_image *ref,
                    const struct probe_image *mov, double *angle, double *scale);

/* Bytes of the device that this takes for log-polar spectra, whatever the images. */
size_t mellin_bytes(void);
