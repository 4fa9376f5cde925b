// SPDX-License-Identifier: MIT
/* dict.h: the layout of dicts. Entries stand in the order in which they were added; up to
 * eight are searched in a row, more through an index of entry numbers (open addressing). A deleted
 * entry keeps its place with key NO_VALUE until the table is packed; its hash tells how many
 * deleted ones are known to stand in a row, from it onwards (lower half) and back (upper half). */
#pragma once

#include "python/value.h"

struct dict_entry {
    uint64_t hash;
    value key, item;
};
struct dict {
    struct object object;
    struct dict_entry *at; /* owned, cap entries */
    uint32_t *index;       /* owned, nindex numbers + 1, 0 is free; NULL while small */
    uint32_t len;          /* living entries */
    uint32_t used;         /* entries taken, deleted ones included */
    uint32_t cap, nindex;
    uint64_t version; /* names this set of keys and their places; 0: not asked for yet */
    value attrs;      /* of instances of derived classes; unused by dict itself */
};

static inline struct dict *as_dict(value v)
{
    return (struct dict *)as_object(v);
}

/* The entry of a key that is a str, NULL if absent; never raises. */
struct dict_entry *dict_find_str(const struct dict *dict, value key);
/* The same for any key; NULL also when hashing or comparing raised. */
struct dict_entry *dict_find(struct vm *vm, struct dict *dict, value key, uint64_t hash);
/* The entry of a key, added with item VALUE_NONE if absent (*added); NULL: raised. */
struct dict_entry *dict_place(struct vm *vm, struct dict *dict, value key, bool *added);
/* The same for a key whose hash is known. */
struct dict_entry *dict_place_hashed(struct vm *vm, struct dict *dict, value key, uint64_t hash,
                                     bool *added);
/* Removes an entry. */
void dict_drop(struct vm *vm, struct dict *dict, struct dict_entry *entry);
/* The number of the first living entry from this place on, dict->used or more if there is none. */
uint32_t dict_ahead(const struct dict *dict, uint32_t from);
/* One more than the number of the last living entry before this place, 0 if there is none. */
uint32_t dict_behind(const struct dict *dict, uint32_t end);
/* Moves an entry before all others. */
void dict_to_front(struct vm *vm, struct dict *dict, struct dict_entry *entry);
/* Removes all entries. */
void dict_clear(struct vm *vm, struct dict *dict);
/* Adds all of another dict. */
bool dict_update(struct vm *vm, struct dict *into, struct dict *from);
/* Adds all of a mapping or of an iterable of pairs. */
bool dict_take(struct vm *vm, value dict, value source);
/* A new dict of that type with the same entries. */
value dict_copy(struct vm *vm, const struct type *type, struct dict *from);
/* A number that stays the same as long as keys and their places do. */
uint64_t dict_version(struct vm *vm, struct dict *dict);
/* By a symbol: the fast way to namespaces. */
value dict_get_sym(struct vm *vm, const struct dict *dict, sym_t name);
/* Sets it. False: raised. */
bool dict_set_sym(struct vm *vm, struct dict *dict, sym_t name, value item);
