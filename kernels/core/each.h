/* SPDX-License-Identifier: MIT
 *
 * each.h: the same for each of several planes or tiles, several at a time. */
#pragma once

#include "kintsugi.h"

/* Calls what(user, i, &why) once for each i of 0..n-1, in this order, on that many threads (less
 * than 1: one). It may ask omp_get_thread_num() for which of them it is on. All are called, also
 * after one that failed; false: one did, and the error is that of the lowest i, whatever the
 * threads did in which order. */
bool kin_each(int n, int threads, bool (*what)(void *user, int i, struct kin_error *why),
              void *user, struct kin_error *err);

/* A piece of a plane: rows y0..y0+rows-1. */
struct kin_piece {
    int z, y0, rows;
};

/* Calls what(user, piece, &why) for all rows of n planes, in pieces of `rows` rows (the last of a
 * plane may be lower), on that many threads; those of a plane one after the other, from its top, as
 * files are read and written. Planes alone would keep 16 threads waiting for the last 4 of 20.
 * False: as above, but that the upper pieces come first. */
bool kin_each_piece(int n, int height, int rows, int threads,
                    bool (*what)(void *user, const struct kin_piece *piece, struct kin_error *why),
                    void *user, struct kin_error *err);
