/* SPDX-License-Identifier: MIT
 *
 * each.h: the same for each of several planes or tiles, several at a time. */
#pragma once

#include "kintsugi.h"

/* Calls what(user, i, &why) once for each i of 0..n-1, on that many threads (less than 1: one). It
 * may ask omp_get_thread_num() for which of them it is on. All are called, also after one that
 * failed; false: one did, and the error is that of the lowest i, whatever the threads did in which
 * order. */
bool kin_each(int n, int threads, bool (*what)(void *user, int i, struct kin_error *why),
              void *user, struct kin_error *err);
