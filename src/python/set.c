// SPDX-License-Identifier: MIT
/* The table behind set and frozenset; see set.h. When it grows, how far, and where it looks for a
 * key must be as in CPython (Objects/setobject.c), since all of that shows in the order of numbers.
 * Comparing keys may run Python code that changes the very table: a search notes it and starts
 * again. */
#include "python/set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "python/vm_state.h"

enum {
    LEAST_SLOTS = 8,
    NEIGHBOURS = 9, /* looked at behind a slot, before the search jumps */
    MANY = 50000,   /* so many entries get twice the room, fewer four times */
};

/* Entries that fit so many slots: the one that makes the table grow too. */
static uint32_t room_for(uint32_t slots)
{
    return (uint32_t)((slots - 1) * (uint64_t)3 / 5) + 1;
}

static size_t block_bytes(uint32_t slots)
{
    return room_for(slots) * sizeof(struct set_entry) + slots * sizeof(uint32_t);
}

static int64_t held_bytes(const struct set *set)
{
    return set->at ? (int64_t)block_bytes(set->mask + 1) : 0;
}

/* An empty table; the one that the set has stays the caller's. */
static void new_table(struct vm *vm, struct set *set, uint32_t slots)
{
    heap_owns(vm, (int64_t)block_bytes(slots) - held_bytes(set));
    set->at = memory_resized(NULL, 1, block_bytes(slots));
    set->slot = (uint32_t *)(set->at + room_for(slots));
    set->mask = slots - 1;
    memset(set->slot, 0, slots * sizeof *set->slot);
}

/* ---- searching ---- */

/* The slots where a key of that hash may be, one after the other. */
struct probe {
    uint64_t perturb;
    size_t base, slot, last, mask;
};

static inline void probe_from(struct probe *probe, size_t base)
{
    probe->base = probe->slot = base & probe->mask;
    bool near = probe->base + NEIGHBOURS <= probe->mask;
    probe->last = near ? probe->base + NEIGHBOURS : probe->base;
}

static inline struct probe probe_begin(const struct set *set, uint64_t hash)
{
    struct probe probe = {.perturb = hash, .mask = set->mask};
    probe_from(&probe, hash);
    return probe;
}

static inline void probe_on(struct probe *probe)
{
    if (probe->slot < probe->last) {
        probe->slot++;
        return;
    }
    probe->perturb >>= 5;
    probe_from(probe, probe->base * 5 + 1 + probe->perturb);
}

enum sameness { CHANGED = -2, RAISED = -1, DIFFERENT = 0, SAME = 1 };

static enum sameness same_key(struct vm *vm, struct set *set, uint32_t number, value key,
                              uint64_t hash)
{
    const struct set_entry *entry = &set->at[number - 1];
    value own = entry->key;
    if (entry->hash != hash || !own)
        return DIFFERENT;
    if (own == key)
        return SAME;
    if (is_small(key) && is_small(own))
        return DIFFERENT;
    if (is_exact(key, &type_str) && is_exact(own, &type_str))
        return str_equal(own, key) ? SAME : DIFFERENT;
    bool equal;
    if (!value_equal(vm, own, key, &equal))
        return RAISED;
    bool moved = entry != &set->at[number - 1] || number > set->used || entry->key != own;
    return moved ? CHANGED : equal ? SAME : DIFFERENT;
}

/* Where a key was looked for. */
struct spot {
    uint32_t slot; /* the one with the key, or the free one where the search ended */
    uint32_t left; /* the last slot on the way, and 1, whose key was taken out; 0: none */
};

/* False: the key is not there, or raised. */
static bool find(struct vm *vm, struct set *set, value key, uint64_t hash, struct spot *out)
{
    enum sameness same;
    do {
        if (!set->at)
            new_table(vm, set, LEAST_SLOTS);
        struct probe probe = probe_begin(set, hash);
        same = DIFFERENT;
        out->left = 0;
        for (uint32_t number; (number = set->slot[probe.slot]); probe_on(&probe)) {
            same = same_key(vm, set, number, key, hash);
            if (same != DIFFERENT)
                break;
            if (!set->at[number - 1].key)
                out->left = (uint32_t)probe.slot + 1;
        }
        out->slot = (uint32_t)probe.slot;
    } while (same == CHANGED);
    return same == SAME;
}

/* The first slot on the way that holds this number. */
static uint32_t slot_with(const struct set *set, uint64_t hash, uint32_t number)
{
    struct probe probe = probe_begin(set, hash);
    while (set->slot[probe.slot] != number)
        probe_on(&probe);
    return (uint32_t)probe.slot;
}

static const struct set_entry *living(const struct set *set, size_t slot)
{
    uint32_t number = set->slot[slot];
    return number && set->at[number - 1].key ? &set->at[number - 1] : NULL;
}

const struct set_entry *set_walk(const struct set *set, size_t *pos)
{
    if (!set->len)
        return NULL;
    if (set->by_arrival) {
        size_t i = *pos < set->first ? set->first : *pos;
        while (i < set->used && !set->at[i].key)
            i++;
        *pos = i + 1;
        return i < set->used ? &set->at[i] : NULL;
    }
    size_t i = *pos;
    const struct set_entry *entry = NULL;
    while (i <= set->mask && !(entry = living(set, i)))
        i++;
    *pos = i + 1;
    return entry;
}

/* ---- changing ---- */

static void append(struct set *set, uint32_t slot, value key, uint64_t hash)
{
    set->at[set->used] = (struct set_entry){.hash = hash, .key = key};
    set->slot[slot] = ++set->used;
    set->len++;
}

/* A table of more than so many slots, without what was taken out. */
static void rebuild(struct vm *vm, struct set *set, uint64_t least)
{
    uint32_t slots = LEAST_SLOTS;
    while (slots <= least)
        slots *= 2;
    if (set->mask + 1 == slots && slots == LEAST_SLOTS && set->len == set->used)
        return;
    struct set_entry *old = set->at;
    const uint32_t *slot = set->slot;
    uint32_t nold = old ? set->mask + 1 : 0, used = set->used;
    new_table(vm, set, slots);
    set->used = 0;
    for (uint32_t i = 0; i < used; i++) /* an old entry's hash becomes its new number */
        if (old[i].key) {
            set->at[set->used] = old[i];
            old[i].hash = ++set->used;
        }
    for (uint32_t i = 0; i < nold; i++)
        if (slot[i] && old[slot[i] - 1].key) {
            uint32_t number = (uint32_t)old[slot[i] - 1].hash;
            set->slot[slot_with(set, set->at[number - 1].hash, 0)] = number;
        }
    free(old);
    if (set->by_arrival)
        set->first = 0;
}

static void grow(struct vm *vm, struct set *set)
{
    rebuild(vm, set, set->len * (uint64_t)(set->len > MANY ? 2 : 4));
}

/* Whether CPython hashes a key alike in every run. */
static bool is_settled(value key)
{
    if (!is_object(key))
        return key != VALUE_ELLIPSIS && key != VALUE_NOT_IMPLEMENTED;
    bool (*hash)(struct vm *, value, uint64_t *) = type_slot(as_object(key)->type, hash);
    size_t n;
    double d;
    if (hash == type_float.hash)
        return float_get(key, &d) && !isnan(d);
    if (hash == type_frozenset.hash)
        return !as_set(key)->by_arrival;
    if (hash != type_tuple.hash)
        return hash == type_int.hash || hash == type_complex.hash || hash == type_range.hash;
    const value *items = sequence_items(key, &n);
    for (size_t i = 0; i < n; i++)
        if (!is_settled(items[i]))
            return false;
    return true;
}

static void find_first(struct set *set)
{
    while (!set->at[set->first].key)
        set->first++;
}

static void order_by_arrival(struct set *set)
{
    set->by_arrival = true;
    set->first = 0;
    find_first(set);
}

bool set_place(struct vm *vm, struct set *set, value key, uint64_t hash)
{
    struct spot spot;
    if (find(vm, set, key, hash, &spot) || vm->error)
        return !vm->error;
    bool again = spot.left && !set->by_arrival;
    if (again) {
        set->at[set->slot[spot.left - 1] - 1] = (struct set_entry){.hash = hash, .key = key};
        set->len++;
    } else {
        append(set, spot.slot, key, hash);
    }
    if (!set->by_arrival && !is_small(key) && !is_settled(key))
        order_by_arrival(set);
    if (!again && set->used * (uint64_t)5 >= set->mask * (uint64_t)3)
        grow(vm, set);
    return true;
}

static void take_out(struct vm *vm, struct set *set, uint32_t slot)
{
    set->at[set->slot[slot] - 1].key = NO_VALUE;
    set->len--;
    if (set->by_arrival && set->len)
        find_first(set);
    else if (set->by_arrival)
        set_clear(vm, set);
}

bool set_holds(struct vm *vm, struct set *set, value key, uint64_t hash)
{
    struct spot spot;
    return set->len && find(vm, set, key, hash, &spot);
}

bool set_drop(struct vm *vm, struct set *set, value key, uint64_t hash)
{
    struct spot spot;
    bool there = set->len && find(vm, set, key, hash, &spot);
    if (there)
        take_out(vm, set, spot.slot);
    return there;
}

value set_take(struct vm *vm, struct set *set)
{
    if (!set->len)
        return NO_VALUE;
    uint32_t slot = set->first & set->mask;
    if (set->by_arrival)
        slot = slot_with(set, set->at[set->first].hash, set->first + 1);
    while (!living(set, slot))
        slot = (slot + 1) & set->mask;
    value key = living(set, slot)->key;
    if (!set->by_arrival)
        set->first = slot + 1;
    take_out(vm, set, slot);
    return key;
}

void set_clear(struct vm *vm, struct set *set)
{
    heap_owns(vm, -held_bytes(set));
    free(set->at);
    set->at = NULL;
    set->slot = NULL;
    set->len = set->used = set->mask = 0;
    if (set->by_arrival)
        set->first = 0;
    set->by_arrival = false;
}

void set_become(struct vm *vm, struct set *set, struct set *other)
{
    const struct object object = set->object;
    const uint32_t first = set->by_arrival ? 0 : set->first;
    set_clear(vm, set);
    *set = *other;
    set->object = object;
    if (!set->by_arrival)
        set->first = first;
    *other = (struct set){.object = other->object};
}

void set_expect(struct vm *vm, struct set *set, uint32_t n)
{
    uint64_t mask = set->at ? set->mask : LEAST_SLOTS - 1;
    if ((set->used + (uint64_t)n) * 5 >= mask * 3)
        rebuild(vm, set, (set->len + (uint64_t)n) * 2);
}

void set_tidy(struct vm *vm, struct set *set)
{
    if (set->used - set->len > set->mask / 4)
        grow(vm, set);
}

/* Fills an empty set, which has room for them, with the items of another. */
static void fill(struct vm *vm, struct set *into, const struct set *from)
{
    if (!into->at)
        new_table(vm, into, LEAST_SLOTS);
    if (into->mask == from->mask && from->len == from->used) {
        memcpy(into->at, from->at, block_bytes(from->mask + 1));
        into->len = into->used = from->len;
    } else {
        const struct set_entry *entry;
        for (size_t pos = 0; (entry = set_walk(from, &pos));)
            append(into, slot_with(into, entry->hash, 0), entry->key, entry->hash);
    }
    into->by_arrival = from->by_arrival;
}

bool set_merge(struct vm *vm, struct set *into, struct set *from)
{
    const struct set_entry *entry;
    if (into == from || !from->len)
        return true;
    set_expect(vm, into, from->len);
    if (!into->used)
        return fill(vm, into, from), true;
    for (size_t pos = 0; (entry = set_walk(from, &pos));)
        if (!set_place(vm, into, entry->key, entry->hash))
            return false;
    return true;
}

value set_copy(struct vm *vm, const struct type *type, struct set *from)
{
    struct set *copy = object_new(vm, type);
    set_merge(vm, copy, from);
    return from_object(copy);
}
