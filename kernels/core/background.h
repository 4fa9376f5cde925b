/* SPDX-License-Identifier: MIT
 *
 * background.h: a thread beside the caller's, for one piece of work at a time.
 *
 *     struct kin_background *writing = kin_background_new();
 *     for (...) {
 *         ... fill one of two buffers ...
 *         if (!kin_background_do(writing, write_it, buffer, err))
 *             break;
 *     }
 *     bool good = kin_background_end(writing, err); */
#pragma once

#include "kintsugi.h"

struct kin_background;

/* NULL: no memory or no thread; what is to be done is then done at once, by the caller. */
struct kin_background *kin_background_new(void);

/* Waits for the piece before and begins this one, which must outlive it. False: an earlier one
 * failed, err says why, and this one is not begun. */
bool kin_background_do(struct kin_background *background,
                       bool (*what)(void *user, struct kin_error *why), void *user,
                       struct kin_error *err);

/* Waits until nothing is under way. False: a piece has failed. */
bool kin_background_wait(struct kin_background *background, struct kin_error *err);

/* The same, and frees it. */
bool kin_background_end(struct kin_background *background, struct kin_error *err);
