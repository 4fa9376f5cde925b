/* SPDX-License-Identifier: MIT
 *
 * device_cpu.h: the CPU's side of the table in device.h. Every primitive NAME is a function
 * cpu_NAME, declared here by the table itself and defined in the file that its section names;
 * device_cpu.c fills the table. Work is shared by OpenMP in a way that the thread count does not
 * change a result: loops over independent elements, and sums over fixed blocks. */
#pragma once

#include "device/device.h"

#define X(type, primitive, ...) type cpu_##primitive(struct device *dev, __VA_ARGS__);
DEVICE_PRIMITIVES(X)
#undef X

/* How many threads `asked` stands for; 0: all that the process may use. */
int device_threads(int asked);

/* Fills *dev as a CPU device with that many threads (0: all that the process may use). */
void device_fill_cpu(struct device *dev, int threads);
