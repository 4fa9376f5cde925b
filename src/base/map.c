// SPDX-License-Identifier: MIT
/* map.c: open addressing with linear probing, at most 5/8 full. A slot is twelve bytes: the key
 * stands in two halves so that no padding is spent on its alignment. Nothing is ever removed. */
#include "base/map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/ensure.h"
#include "base/hash.h"
#include "base/memory.h"

enum { FIRST_SLOTS = 16 };

struct map_slot {
    uint32_t low, high; /* the key; both 0: free */
    uint32_t value;
};

static bool holds(const struct map_slot *slot, uint64_t key)
{
    return slot->low == (uint32_t)key && slot->high == (uint32_t)(key >> 32);
}

static bool is_free(const struct map_slot *slot)
{
    return !(slot->low | slot->high);
}

/* The slot of key, or the free one where it would go. */
static struct map_slot *probe(struct map_slot *slot, uint32_t nslot, uint64_t key)
{
    uint32_t i = (uint32_t)hash_mix(key) & (nslot - 1);
    while (!is_free(&slot[i]) && !holds(&slot[i], key))
        i = (i + 1) & (nslot - 1);
    return &slot[i];
}

static void grow(struct map *map)
{
    ensure(map->nslot < UINT32_MAX / 2);
    uint32_t nslot = map->nslot ? map->nslot * 2 : FIRST_SLOTS;
    struct map_slot *slot = memory_zeroed(nslot, sizeof *slot);
    for (uint32_t i = 0; i < map->nslot; i++) {
        const struct map_slot *from = &map->slot[i];
        if (!is_free(from))
            *probe(slot, nslot, (uint64_t)from->high << 32 | from->low) = *from;
    }
    free(map->slot);
    map->slot = slot;
    map->nslot = nslot;
}

uint32_t map_find(const struct map *map, uint64_t key)
{
    return map->nslot ? probe(map->slot, map->nslot, key)->value : 0;
}

uint32_t *map_at(struct map *map, uint64_t key)
{
    ensure(key);
    struct map_slot *slot = map->nslot ? probe(map->slot, map->nslot, key) : NULL;
    if (!slot || is_free(slot)) {
        if ((uint64_t)(map->len + 1) * 8 > (uint64_t)map->nslot * 5) {
            grow(map);
            slot = probe(map->slot, map->nslot, key);
        }
        slot->low = (uint32_t)key;
        slot->high = (uint32_t)(key >> 32);
        map->len++;
    }
    return &slot->value;
}

void map_set(struct map *map, uint64_t key, uint32_t value)
{
    ensure(value);
    *map_at(map, key) = value;
}

void map_free(struct map *map)
{
    free(map->slot);
    *map = (struct map){0};
}
