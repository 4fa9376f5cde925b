/* SPDX-License-Identifier: MIT
 *
 * device_cpu.h: the CPU's side of the table in device.h. Every primitive NAME is a function
 * cpu_NAME, declared here by the table itself and defined in the file that its section names;
 * device_cpu.c fills the table. Work is shared by OpenMP in a way that the thread count does not
 * change a result: loops over independent elements, and sums over fixed blocks.
 */
#pragma once

#include "device.h"

#define X(type, primitive, ...) type cpu_##primitive(struct device *dev, __VA_ARGS__);
DEVICE_PRIMITIVES(X)
#undef X

/* Fills *dev as a CPU device with that many threads (0: all that the process may use). */
void device_fill_cpu(struct device *dev, int threads);

/* Fills *dev as the GPU; false: there is none, or this build knows none. Defined by device_none.c
 * or by the CUDA back end. */
bool device_fill_gpu(struct device *dev, struct kin_error *err);

/* What the GPU back end must undo when the device is closed. */
void device_drop_gpu(struct device *dev);
