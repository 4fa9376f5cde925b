// SPDX-License-Identifier: MIT
/* map.h: hash table from a 64-bit key to a 32-bit id. Keys are any non-zero number (pack two ids
 * with map_pair); values are non-zero, 0 means absent. */
#pragma once

#include <stdint.h>

struct map {
    struct map_slot *slot; /* owned; open addressing, power of two */
    uint32_t len, nslot;
};

static inline uint64_t map_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

/* The value of key, or 0. */
uint32_t map_find(const struct map *map, uint64_t key);
/* Sets key to value (non-zero). */
void map_set(struct map *map, uint64_t key, uint32_t value);
/* The place of key's value, added as 0 if absent; valid until the next map call. */
uint32_t *map_at(struct map *map, uint64_t key);
void map_free(struct map *map);
