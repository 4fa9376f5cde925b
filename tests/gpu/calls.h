// SPDX-License-Identifier: MIT
/* calls.h: a call of most primitives of device.h, on memory of its own, and the bytes that it
 * cannot do without: every input read once, every output written once, twice that where a separable
 * filter makes two passes. */
#pragma once

#include "device/device.h"

struct call {
    const char *name;
    void (*make)(void);
    double bytes;
    bool host; /* over the bus: no share of the card's bandwidth */
};

/* Opens the device and makes what the calls work on: planes x side x side samples. False, and why:
 * no device, no memory, less than 128 pixels, less than 3 planes or more than FOCUS_PLANES. */
bool calls_open(enum device_kind kind, int side, int planes, struct kin_error *err);
struct device *calls_device(void);
/* The first is copying. */
const struct call *calls_all(int *count);
/* Waits for what was called. */
void calls_wait(void);
/* False, and why: the device has failed. Closes it. */
bool calls_close(struct kin_error *err);

/* Those of a step of Richardson-Lucy: transforms of all planes, the step as one launch, one by one,
 * and as one launch with transforms by cuFFT. */
void call_forward(void);
void call_inverse(void);
void call_scale(void);
void call_step(void);
void call_step_apart(void);
void call_step_planes(void);
