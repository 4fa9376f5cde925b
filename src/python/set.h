// SPDX-License-Identifier: MIT
/* set.h: the table of sets and frozensets.
 *
 * It is CPython's, slot by slot: a set of numbers shows its items in the order of their slots,
 * which follows from their hashes and from how the set was filled, and workflows see it: `for i in
 * {3, 1, 2}`. A slot holds the number of an entry, and entries stand in the order in which they
 * came. That order is shown by a set with a key whose hash differs between two runs of CPython: a
 * str, bytes, or what is hashed by its address. */
#pragma once

#include "python/value.h"

struct set_entry {
    uint64_t hash;
    value key; /* NO_VALUE: it was taken out */
};
struct set {
    struct object object;
    struct set_entry *at; /* owned, the slots behind them; NULL while nothing was added */
    uint32_t *slot;       /* mask + 1 numbers of entries, from 1; 0: free */
    uint32_t len;         /* living entries */
    uint32_t used;        /* entries and slots taken, also by keys that were taken out */
    uint32_t mask;
    uint32_t first;  /* where pop() goes on: a slot; by arrival the first living entry */
    uint64_t hash;   /* of a frozenset; 0: not computed */
    bool by_arrival; /* shown in the order in which entries came */
};

static inline struct set *as_set(value v)
{
    return (struct set *)as_object(v);
}
static inline bool is_set(value v)
{
    return is_object(v) && (is_instance(v, &type_set) || is_instance(v, &type_frozenset));
}

/* The next entry in the order in which the set is shown, from *pos on (at first 0); NULL: the end.
 * The set may have changed since the last one. */
const struct set_entry *set_walk(const struct set *set, size_t *pos);
/* Whether the key is there; false also where comparing raised. */
bool set_holds(struct vm *vm, struct set *set, value key, uint64_t hash);
/* Adds a key; false: raised. */
bool set_place(struct vm *vm, struct set *set, value key, uint64_t hash);
/* Takes a key out; false: it is not there, or comparing raised. */
bool set_drop(struct vm *vm, struct set *set, value key, uint64_t hash);
/* Takes out what pop() gives; NO_VALUE: there is nothing. */
value set_take(struct vm *vm, struct set *set);
/* Removes all items. */
void set_clear(struct vm *vm, struct set *set);
/* Holds what the other one held, which is empty then. */
void set_become(struct vm *vm, struct set *set, struct set *other);
/* Makes room for so many more, before that many are added. */
void set_expect(struct vm *vm, struct set *set, uint32_t n);
/* Forgets what was taken out, where it is much. */
void set_tidy(struct vm *vm, struct set *set);
/* Adds all of another set; false: raised. */
bool set_merge(struct vm *vm, struct set *into, struct set *from);
/* A new set of that type with the same items. */
value set_copy(struct vm *vm, const struct type *type, struct set *from);

/* ---- what compares as a set: views of dicts, too ---- */
/* A set, or what compares as one, and how many items it has. */
struct counted {
    value v;
    size_t n;
};
/* Whether all of a is in b; an exception may be in flight afterwards. */
typedef bool subset_test(struct vm *vm, value a, value b);
/* a op b, which is one of the six comparisons. */
value sets_compare(struct vm *vm, int op, struct counted a, struct counted b, subset_test *within);
