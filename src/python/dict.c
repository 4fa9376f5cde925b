// SPDX-License-Identifier: MIT
/* The table behind dict; see dict.h for the layout. Comparing keys may run Python code
 * that changes the very table: a search notes that the entries have moved and starts again. */
#include "python/dict.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "python/vm_state.h"

enum { SMALL_DICT = 10 }; /* so many are searched one by one */

static size_t table_bytes(const struct dict *dict)
{
    return dict->cap * sizeof *dict->at + dict->nindex * sizeof *dict->index;
}

/* ---- the index ---- */

static void index_put(struct dict *dict, uint64_t hash, uint32_t number)
{
    uint32_t mask = dict->nindex - 1;
    uint32_t slot = (uint32_t)hash_mix(hash) & mask;
    while (dict->index[slot])
        slot = (slot + 1) & mask;
    dict->index[slot] = number + 1;
}

static void index_all(struct dict *dict)
{
    memset(dict->index, 0, dict->nindex * sizeof *dict->index);
    for (uint32_t i = 0; i < dict->used; i++)
        if (dict->at[i].key)
            index_put(dict, dict->at[i].hash, i);
}

/* Packs the entries into room for cap of them and builds the index anew. */
static void resize(struct vm *vm, struct dict *dict, uint32_t cap)
{
    int64_t before = (int64_t)table_bytes(dict);
    uint32_t n = dict->used;
    if (dict->len < n) {
        n = 0;
        for (uint32_t i = 0; i < dict->used; i++)
            if (dict->at[i].key)
                dict->at[n++] = dict->at[i];
    }
    if (!n)
        free(dict->at);
    struct dict_entry *at = memory_resized(n ? dict->at : NULL, cap, sizeof *at);
    free(dict->index);
    dict->at = at;
    dict->used = n;
    dict->cap = cap;
    dict->index = NULL;
    dict->nindex = 0;
    dict->version = 0;
    if (cap > SMALL_DICT) {
        dict->nindex = 16;
        while (dict->nindex < cap + cap / 2)
            dict->nindex *= 2;
        dict->index = memory_zeroed(dict->nindex, sizeof *dict->index);
        index_all(dict);
    }
    heap_owns(vm, (int64_t)table_bytes(dict) - before);
}

/* Two thirds of a power of two, as in CPython: what a loop meets in a dict that it changes depends
 * on when deleted entries are packed away. */
static uint32_t room_for(uint32_t n)
{
    uint32_t size = 8;
    while (size < n)
        size *= 2;
    return size * 2 / 3;
}

static void make_room(struct vm *vm, struct dict *dict)
{
    if (dict->used == dict->cap)
        resize(vm, dict, room_for(dict->len * 3));
}

/* ---- searching ---- */

/* Whether an entry with the hash of a str has that key; *other: its key is no str but may say that
 * it equals one. */
static bool is_str_key(const struct dict_entry *entry, value key, bool *other)
{
    if (!entry->key)
        return false;
    if (is_str(entry->key))
        return str_equal(entry->key, key);
    *other = true;
    return false;
}

static struct dict_entry *find_str(const struct dict *dict, value key, bool *other)
{
    uint64_t hash = str_hash(key);
    if (!dict->index) {
        for (uint32_t i = 0; i < dict->used; i++)
            if (dict->at[i].key == key)
                return &dict->at[i];
        for (uint32_t i = 0; i < dict->used; i++)
            if (dict->at[i].hash == hash && is_str_key(&dict->at[i], key, other))
                return &dict->at[i];
        return NULL;
    }
    uint32_t mask = dict->nindex - 1;
    for (uint32_t slot = (uint32_t)hash_mix(hash) & mask; dict->index[slot];
         slot = (slot + 1) & mask) {
        struct dict_entry *entry = &dict->at[dict->index[slot] - 1];
        if (entry->key == key || (entry->hash == hash && is_str_key(entry, key, other)))
            return entry;
    }
    return NULL;
}

struct dict_entry *dict_find_str(const struct dict *dict, value key)
{
    bool other;
    return find_str(dict, key, &other);
}

/* Whether entry i has the key: 1 yes, 0 no, -1 raised, -2 the table has changed. */
static int same_key(struct vm *vm, struct dict *dict, uint32_t i, value key, uint64_t hash)
{
    struct dict_entry *entry = &dict->at[i];
    if (!entry->key)
        return 0;
    if (entry->key == key)
        return 1;
    if (entry->hash != hash || (is_small(key) && is_small(entry->key)))
        return 0;
    struct dict before = *dict;
    value own = entry->key;
    bool equal;
    if (!value_equal(vm, own, key, &equal))
        return -1;
    bool moved = dict->at != before.at || dict->index != before.index ||
                 dict->nindex != before.nindex;
    return moved || i >= dict->used || dict->at[i].key != own ? -2 : equal;
}

static int64_t find_small(struct vm *vm, struct dict *dict, value key, uint64_t hash)
{
    for (uint32_t i = 0; i < dict->used; i++) {
        int same = same_key(vm, dict, i, key, hash);
        if (same)
            return same == 1 ? (int64_t)i : same;
    }
    return -1;
}

static int64_t find_large(struct vm *vm, struct dict *dict, value key, uint64_t hash)
{
    uint32_t mask = dict->nindex - 1;
    for (uint32_t slot = (uint32_t)hash_mix(hash) & mask; dict->index[slot];
         slot = (slot + 1) & mask) {
        uint32_t i = dict->index[slot] - 1;
        int same = same_key(vm, dict, i, key, hash);
        if (same)
            return same == 1 ? (int64_t)i : same;
    }
    return -1;
}

struct dict_entry *dict_find(struct vm *vm, struct dict *dict, value key, uint64_t hash)
{
    if (is_exact(key, &type_str)) {
        bool other = false;
        struct dict_entry *entry = find_str(dict, key, &other);
        if (entry || !other)
            return entry;
    }
    for (;;) {
        int64_t i = dict->index ? find_large(vm, dict, key, hash) : find_small(vm, dict, key, hash);
        if (i >= 0)
            return &dict->at[i];
        if (i == -1)
            return NULL;
    }
}

static bool key_hash(struct vm *vm, value key, uint64_t *hash)
{
    if (is_exact(key, &type_str)) {
        *hash = str_hash(key);
        return true;
    }
    return value_hash(vm, key, hash);
}

static struct dict_entry *find_any(struct vm *vm, struct dict *dict, value key)
{
    uint64_t hash;
    return key_hash(vm, key, &hash) ? dict_find(vm, dict, key, hash) : NULL;
}

/* ---- changing ---- */

static struct dict_entry *append(struct vm *vm, struct dict *dict, value key, uint64_t hash)
{
    make_room(vm, dict);
    uint32_t i = dict->used++;
    dict->at[i] = (struct dict_entry){.hash = hash, .key = key, .item = VALUE_NONE};
    dict->len++;
    dict->version = 0;
    if (dict->index)
        index_put(dict, hash, i);
    return &dict->at[i];
}

struct dict_entry *dict_place(struct vm *vm, struct dict *dict, value key, bool *added)
{
    uint64_t hash;
    return key_hash(vm, key, &hash) ? dict_place_hashed(vm, dict, key, hash, added) : NULL;
}

struct dict_entry *dict_place_hashed(struct vm *vm, struct dict *dict, value key, uint64_t hash,
                                     bool *added)
{
    struct dict_entry *entry = dict_find(vm, dict, key, hash);
    if (!entry && vm_failed(vm))
        return NULL;
    if (added)
        *added = !entry;
    return entry ? entry : append(vm, dict, key, hash);
}

/* Its number stays in the index, so that searches go on past it. */
static void delete_entry(struct dict_entry *entry)
{
    *entry = (struct dict_entry){.hash = 1 | (uint64_t)1 << 32};
}

void dict_drop(struct vm *vm, struct dict *dict, struct dict_entry *entry)
{
    delete_entry(entry);
    dict->version = 0;
    if (!--dict->len)
        dict_clear(vm, dict);
}

/* Entries at the start that were never taken, for what is to come first: the item of the first of
 * them is their number. Each may be taken once until the table is packed, as the index has room for
 * cap numbers. */
static uint32_t front_room(const struct dict *dict)
{
    bool room = dict->used && !dict->at[0].key && is_small(dict->at[0].item);
    return room ? (uint32_t)small_int(dict->at[0].item) : 0;
}

/* What was walked through is noted where the walk began: taking a big dict apart from one end would
 * meet all that has gone, again and again. Notes leave out the room in front: it may be taken. */
uint32_t dict_ahead(const struct dict *dict, uint32_t from)
{
    uint32_t room = front_room(dict), start = from < room ? room : from, i = start;
    while (i < dict->used && !dict->at[i].key)
        i += (uint32_t)dict->at[i].hash;
    if (i > start)
        dict->at[start].hash = (dict->at[start].hash >> 32 << 32) | (i - start);
    return i;
}

uint32_t dict_behind(const struct dict *dict, uint32_t end)
{
    uint32_t room = front_room(dict), i = end;
    while (i > room && !dict->at[i - 1].key)
        i -= (uint32_t)(dict->at[i - 1].hash >> 32);
    if (i < end)
        dict->at[end - 1].hash = (uint32_t)dict->at[end - 1].hash | (uint64_t)(end - i) << 32;
    return i > room ? i : 0;
}

static void set_front_room(struct dict *dict, uint32_t n)
{
    if (n)
        dict->at[0].item = small(n);
}

/* Packs the entries behind half of the room that is left. */
static void open_front(struct vm *vm, struct dict *dict)
{
    resize(vm, dict, room_for(dict->len * 3));
    uint32_t gap = (dict->cap - dict->used + 1) / 2;
    memmove(dict->at + gap, dict->at, dict->used * sizeof *dict->at);
    for (uint32_t i = 0; i < gap; i++)
        delete_entry(&dict->at[i]);
    dict->used += gap;
    set_front_room(dict, gap);
    if (dict->index)
        index_all(dict);
}

void dict_to_front(struct vm *vm, struct dict *dict, struct dict_entry *entry)
{
    const struct dict_entry moved = *entry;
    if (entry == &dict->at[dict_ahead(dict, 0)])
        return;
    delete_entry(entry);
    dict->len--;
    if (!front_room(dict))
        open_front(vm, dict);
    uint32_t place = front_room(dict) - 1;
    set_front_room(dict, place);
    dict->at[place] = moved;
    dict->len++;
    dict->version = 0;
    if (dict->index)
        index_put(dict, moved.hash, place);
}

void dict_clear(struct vm *vm, struct dict *dict)
{
    heap_owns(vm, -(int64_t)table_bytes(dict));
    free(dict->at);
    free(dict->index);
    dict->at = NULL;
    dict->index = NULL;
    dict->len = dict->used = dict->cap = dict->nindex = 0;
    dict->version = 0;
}

/* Takes over the entries of another dict, none of which was deleted, and its index. */
static void fill(struct vm *vm, struct dict *dict, const struct dict *from)
{
    dict_clear(vm, dict);
    dict->at = memory_resized(NULL, from->cap, sizeof *dict->at);
    memcpy(dict->at, from->at, from->used * sizeof *dict->at);
    if (from->index) {
        dict->index = memory_resized(NULL, from->nindex, sizeof *dict->index);
        memcpy(dict->index, from->index, from->nindex * sizeof *dict->index);
    }
    dict->len = dict->used = from->used;
    dict->cap = from->cap;
    dict->nindex = from->nindex;
    heap_owns(vm, (int64_t)table_bytes(dict));
}

bool dict_update(struct vm *vm, struct dict *into, struct dict *from)
{
    if (!into->len && from->len && from->len == from->used)
        return fill(vm, into, from), true;
    for (uint32_t i = 0; i < from->used; i++) {
        const struct dict_entry given = from->at[i]; /* a key's __eq__ may change either dict */
        struct dict_entry *entry = given.key
                                       ? dict_place_hashed(vm, into, given.key, given.hash, NULL)
                                       : NULL;
        if (entry)
            entry->item = given.item;
        else if (given.key)
            return false;
    }
    return true;
}

value dict_copy(struct vm *vm, const struct type *type, struct dict *from)
{
    struct dict *copy = object_new(vm, type);
    if (from->len == from->used) {
        dict_update(vm, copy, from);
    } else if (from->len) {
        resize(vm, copy,
               from->len >= from->used * 2 / 3 ? from->cap : room_for((from->len * 3 + 1) / 2));
        for (uint32_t i = 0; i < from->used; i++)
            if (from->at[i].key)
                append(vm, copy, from->at[i].key, from->at[i].hash)->item = from->at[i].item;
    }
    return from_object(copy);
}

uint64_t dict_version(struct vm *vm, struct dict *dict)
{
    if (!dict->version)
        dict->version = ++vm->dict_version;
    return dict->version;
}

/* ---- as values ---- */

value dict_new(struct vm *vm)
{
    struct dict *dict = object_alloc(vm, &type_dict, sizeof *dict);
    memset(&dict->at, 0, sizeof *dict - offsetof(struct dict, at));
    return from_object(dict);
}

value dict_get(struct vm *vm, value dict, value key)
{
    struct dict_entry *entry = find_any(vm, as_dict(dict), key);
    return entry ? entry->item : NO_VALUE;
}

value dict_get_sym(struct vm *vm, const struct dict *dict, sym_t name)
{
    struct dict_entry *entry = dict_find_str(dict, str_from_sym(vm, name));
    return entry ? entry->item : NO_VALUE;
}

value dict_get_str(struct vm *vm, value dict, const char *key)
{
    sym_t name = intern_find(vm->names, key, strlen(key));
    if (name)
        return dict_get_sym(vm, as_dict(dict), name);
    struct dict_entry *entry = dict_find_str(as_dict(dict), str_from(vm, key));
    return entry ? entry->item : NO_VALUE;
}

bool dict_set(struct vm *vm, value dict, value key, value item)
{
    struct dict_entry *entry = dict_place(vm, as_dict(dict), key, NULL);
    if (entry)
        entry->item = item;
    return entry;
}

bool dict_set_sym(struct vm *vm, struct dict *dict, sym_t name, value item)
{
    return dict_set(vm, from_object(dict), str_from_sym(vm, name), item);
}

bool dict_set_str(struct vm *vm, value dict, const char *key, value item)
{
    return dict_set_sym(vm, as_dict(dict), intern_str(vm->names, key), item);
}

bool dict_delete(struct vm *vm, value dict, value key)
{
    struct dict_entry *entry = find_any(vm, as_dict(dict), key);
    if (entry)
        dict_drop(vm, as_dict(dict), entry);
    return entry;
}

size_t dict_len(value dict)
{
    return as_dict(dict)->len;
}

bool dict_next(value dict_value, size_t *pos, value *key, value *item)
{
    const struct dict *dict = as_dict(dict_value);
    if (*pos < dict->used && !dict->at[*pos].key)
        *pos = dict_ahead(dict, (uint32_t)*pos);
    if (*pos >= dict->used)
        return false;
    *key = dict->at[*pos].key;
    *item = dict->at[*pos].item;
    ++*pos;
    return true;
}
