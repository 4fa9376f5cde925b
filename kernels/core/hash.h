/* SPDX-License-Identifier: MIT
 *
 * hash.h: what tells bytes from other bytes: FNV-1a of 64 bits (Fowler, Noll, Vo). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define KIN_HASH UINT64_C(0xcbf29ce484222325) /* of none */

/* With n bytes behind those that `hash` is of. */
static inline uint64_t kin_hash_more(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}
