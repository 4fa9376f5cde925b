// SPDX-License-Identifier: MIT
/* value.h: Python values as C sees them.
 *
 * A value is one 64-bit word: a small integer (63 bits, lowest bit set), one of a few constants, or
 * a pointer to an object on the heap. 0 is "no value": a function that returns 0 (or false) has
 * raised, see vm.h.
 *
 *     xxxx...xxx1   small integer, small_int(v) = v >> 1
 *     ....kkkkk10   constant: None, False, True, Ellipsis, NotImplemented, UNBOUND
 *     ptr ...0000   object
 *
 * The heap is swept only when no C code holds values: between evaluations (the engine calls
 * heap_collect), and by the VM at a loop or call of the outermost evaluation while no native
 * function is running. So natives keep values in locals freely; what must live longer than the
 * evaluation hangs on a module's globals, on another living object, or on a root (heap_root).
 *
 * Strings are UTF-8 with their hash and number of code points cached; dicts keep insertion order;
 * lists are arrays. Integers beyond 63 bits are objects too (type_int), so use the functions below,
 * not the tag, unless is_small says so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/intern.h"

struct vm;
struct type;
struct args;

typedef uint64_t value;

#define NO_VALUE              ((value)0)
#define VALUE_NONE            ((value)0x02)
#define VALUE_FALSE           ((value)0x06)
#define VALUE_TRUE            ((value)0x0a)
#define VALUE_ELLIPSIS        ((value)0x0e)
#define VALUE_NOT_IMPLEMENTED ((value)0x12)
#define VALUE_UNBOUND         ((value)0x16) /* a local without a value; never seen by natives */

/* Every heap object starts so; heap.c knows the rest. Static objects (native types) are
 * `.object = {.type = &type_type}`; the alignment makes room for the tags. */
struct object {
    _Alignas(16) const struct type *type;
    uint8_t mark;       /* heap.c */
    uint8_t size_class; /* heap.c */
    uint8_t flags;      /* OBJECT_* */
    uint8_t spare[5];
};
enum {
    OBJECT_FLAGGED = 1, /* a string with Snakemake flags beside it: str_flags */
    OBJECT_GROWS = 2,   /* a string that one local variable holds and nobody else: str_grow */
};

static inline bool is_small(value v)
{
    return v & 1;
}
static inline int64_t small_int(value v)
{
    return (int64_t)v >> 1;
}
static inline value small(int64_t i)
{
    return (value)((uint64_t)i << 1 | 1);
}
static inline bool is_object(value v)
{
    return v && !(v & 15);
}
static inline struct object *as_object(value v)
{
    return (struct object *)(uintptr_t)v;
}
static inline value from_object(const void *object)
{
    return (value)(uintptr_t)object;
}
static inline value value_bool(bool b)
{
    return b ? VALUE_TRUE : VALUE_FALSE;
}

/* None in the place of no value. */
static inline value value_or_none(value v)
{
    return v ? v : VALUE_NONE;
}

/* The type of any value (constants and small integers too). */
const struct type *type_of_constant(value v); /* that is no object */
static inline const struct type *type_of(value v)
{
    return is_object(v) ? as_object(v)->type : type_of_constant(v);
}
/* Exactly that type, or (isinstance) one derived from it. */
static inline bool is_exact(value v, const struct type *type)
{
    return is_object(v) && as_object(v)->type == type;
}
/* Whether it is that type or derived from it. */
bool is_subtype(const struct type *type, const struct type *base);
static inline bool is_instance(value v, const struct type *type)
{
    const struct type *own = type_of(v);
    return own == type || is_subtype(own, type);
}

/* Built-in types. A user's class has a struct type of its own, made by `class`. */
extern const struct type type_object, type_type, type_none, type_ellipsis, type_not_implemented,
    type_bool, type_int, type_float, type_complex, type_str, type_bytes, type_bytearray,
    type_memoryview, type_list, type_tuple, type_dict, type_set, type_frozenset, type_range,
    type_slice, type_function, type_native, type_method, type_generator, type_coroutine,
    type_module, type_exception, type_property, type_iterator, type_code;

/* ---- str: always valid UTF-8, NUL-terminated; may contain NUL inside ---- */
struct str {
    struct object object;
    uint64_t hash;  /* 0: not computed */
    uint32_t len;   /* bytes */
    uint32_t count; /* code points; == len for ASCII */
    char text[];
};
static inline bool is_str(value v)
{
    return is_object(v) && is_instance(v, &type_str);
}
static inline const struct str *as_str(value v)
{
    return (const struct str *)as_object(v);
}
static inline const char *str_text(value v)
{
    return as_str(v)->text;
}
/* A str of UTF-8, which is copied. */
value str_new(struct vm *vm, const char *text, size_t len);
/* The same, ended by NUL. */
value str_from(struct vm *vm, const char *text);
/* The same of a format. */
value str_printf(struct vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3)));
value str_from_sym(struct vm *vm, sym_t sym); /* often the same object as the last time */
sym_t str_sym(struct vm *vm, value str);      /* interned in the vm's symbol table */
bool str_equal(value a, value b);
/* The hash of a str, cached in it; never 0. */
static inline uint64_t str_hash(value v)
{
    struct str *str = (struct str *)as_object(v);
    if (!str->hash) {
        str->hash = hash_bytes(str->text, str->len);
        str->hash += !str->hash;
    }
    return str->hash;
}
/* An OBJECT_GROWS string is about to be seen by others. */
static inline void str_share(value v)
{
    if (is_object(v) && as_object(v)->flags & OBJECT_GROWS)
        as_object(v)->flags &= (uint8_t)~OBJECT_GROWS;
}
/* Snakemake's flags on a string (temp, protected, ...): a dict kept beside it, or NO_VALUE. A
 * flagged copy is a new object, of type_annotated; methods but format() and operators see a plain
 * string and give plain strings. */
extern const struct type type_annotated;
value str_flagged(struct vm *vm, value str, value flags_dict);
/* The flags of a str; NO_VALUE: it has none. */
value str_flags(struct vm *vm, value str);
/* True where flags, a dict or NO_VALUE, has that one and it is true. NO_VALUE: raised. */
value flags_hold(struct vm *vm, value flags, value name);

/* ---- numbers ---- */
value int_from(struct vm *vm, int64_t i);
bool int_get(value v, int64_t *out); /* bool and int; false if not an int or beyond 64 bits */
value float_new(struct vm *vm, double d);
bool float_get(value v, double *out); /* float, int, bool */
static inline bool is_float(value v)
{
    return is_exact(v, &type_float);
}
bool is_int(value v); /* int of any size, bool not included */
/* real + imag j */
value complex_new(struct vm *vm, double real, double imag);
/* A copy of these bytes. */
value bytes_new(struct vm *vm, const char *at, size_t len);

/* ---- list and tuple: borrowed arrays, valid until the container changes ---- */
struct list {
    struct object object;
    value *at; /* owned */
    uint32_t len, cap;
};
struct tuple {
    struct object object;
    uint32_t len;
    value at[];
};
static inline struct list *as_list(value v)
{
    return (struct list *)as_object(v);
}
static inline struct tuple *as_tuple(value v)
{
    return (struct tuple *)as_object(v);
}
value list_new(struct vm *vm, const value *at, size_t len); /* at may be NULL: len times None */
void list_push(struct vm *vm, value list, value item);
/* Adds all items of an iterable; false: raised. */
bool list_extend(struct vm *vm, value list, value iterable);
/* Sorts in place, stable; key None: the items themselves. False: raised. */
bool list_sort(struct vm *vm, value list, value key, bool reverse);
/* A tuple of these items. */
value tuple_new(struct vm *vm, const value *at, size_t len);
/* The items of a list or tuple (or a type derived from them), NULL for anything else. */
const value *sequence_items(value v, size_t *len);
static inline bool is_list(value v)
{
    return is_object(v) && is_instance(v, &type_list);
}
static inline bool is_tuple(value v)
{
    return is_object(v) && is_instance(v, &type_tuple);
}

/* ---- dict and set ---- */
value dict_new(struct vm *vm);
/* NO_VALUE if absent (nothing raised) or if hashing raised (vm_failed). */
value dict_get(struct vm *vm, value dict, value key);
/* The same with a key in UTF-8. */
value dict_get_str(struct vm *vm, value dict, const char *key);
/* Sets it. False: raised, as the key has no hash. */
bool dict_set(struct vm *vm, value dict, value key, value item);
/* The same with a key in UTF-8. */
bool dict_set_str(struct vm *vm, value dict, const char *key, value item);
bool dict_delete(struct vm *vm, value dict, value key); /* false: absent or raised */
size_t dict_len(value dict);
/* Walks in order: *pos starts at 0; false at the end. The dict must not change meanwhile. */
bool dict_next(value dict, size_t *pos, value *key, value *item);
static inline bool is_dict(value v)
{
    return is_object(v) && is_instance(v, &type_dict);
}
/* An empty set. */
value set_new(struct vm *vm);
/* False: raised. */
bool set_add(struct vm *vm, value set, value item);
/* Adds all items of an iterable; false: raised. */
bool set_update(struct vm *vm, value set, value iterable);
/* Whether it is in there; false also if hashing raised (vm_failed). */
bool set_has(struct vm *vm, value set, value item);
/* How many items it has. */
size_t set_len(value set);
/* As dict_next. */
bool set_next(value set, size_t *pos, value *item);

/* ---- heap ---- */
/* Keeps v alive until the matching heap_unroot; for the engine's long-lived values. */
struct root {
    value v;
    struct root *prev, *next;
};
/* root is the caller's and stays where it is until then. */
void heap_root(struct vm *vm, struct root *root, value v);
void heap_unroot(struct root *root);
/* Sweeps. Only the engine calls it, between evaluations, when it holds no value outside roots.
 * Cheap when little was allocated since the last time. */
void heap_collect(struct vm *vm);
/* Bytes in use. */
size_t heap_bytes(const struct vm *vm);
