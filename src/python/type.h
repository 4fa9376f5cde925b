// SPDX-License-Identifier: MIT
/* type.h: what every type says of its objects: their size, and a function for each thing that can
 * be done with one. The native types are constants, mostly one a file type_NAME.c; classes are
 * made on the heap (class.h). */
#pragma once

#include "python/value.h"

struct native_def;
struct class_info;

enum { ATTRS_BEHIND = 1 };

/* What a type can do. A slot that is NULL is inherited from base; what nobody defines raises
 * TypeError. A user's class gets slots that look up __name__ methods. */
struct type {
    struct object object;
    const char *name;        /* as shown: "str", "snakemake.io.Wildcards" */
    const struct type *base; /* NULL: type_object */
    size_t size;             /* bytes of an instance; 0: abstract */
    /* where in an instance the value of its attribute dict is (NO_VALUE until one is set); 0:
     * instances take no attributes; ATTRS_BEHIND: at the end of the object, whose size varies */
    size_t attrs;
    const struct native_def *methods;                   /* ends with {0} */
    const struct native_def *properties;                /* signature "self"; called on access */
    void (*mark)(struct vm *vm, struct object *self);   /* heap_mark() every value it holds */
    void (*finish)(struct vm *vm, struct object *self); /* frees what it owns outside the heap */
    /* T(...) */
    value (*make)(struct vm *vm, const struct type *type, value args_tuple, value kwargs_dict);
    value (*call)(struct vm *vm, value self, value args_tuple, value kwargs_dict);
    value (*repr)(struct vm *vm, value self);
    value (*str)(struct vm *vm, value self);
    bool (*truth)(struct vm *vm, value self, bool *out);
    bool (*hash)(struct vm *vm, value self, uint64_t *out);
    /* op: enum node_op EQ..GE; may give VALUE_NOT_IMPLEMENTED */
    value (*compare)(struct vm *vm, int op, value a, value b);
    /* ADD..BITXOR; self may be either side */
    value (*binary)(struct vm *vm, int op, value a, value b);
    /* self op= other; self may be changed. NULL everywhere: as __iadd__ and its like say, else as
     * binary */
    value (*inplace)(struct vm *vm, int op, value self, value other);
    value (*unary)(struct vm *vm, int op, value self);
    bool (*len)(struct vm *vm, value self, size_t *out);
    value (*get_index)(struct vm *vm, value self, value key);
    bool (*set_index)(struct vm *vm, value self, value key, value item); /* item NO_VALUE: delete */
    bool (*contains)(struct vm *vm, value self, value item, bool *out);
    /* tried first; NO_VALUE, nothing raised: go on */
    value (*get_attr)(struct vm *vm, value self, sym_t name);
    bool (*set_attr)(struct vm *vm, value self, sym_t name, value item);
    /* what get_attr knows, for hints and dir(): a list of str */
    value (*attr_names)(struct vm *vm, value self);
    value (*iter)(struct vm *vm, value self);
    value (*next)(struct vm *vm, value self); /* NO_VALUE and nothing raised: exhausted */
    value (*format)(struct vm *vm, value self, value spec);
    const struct class_info *info; /* user classes: dict, bases; NULL for native types */
    bool foreign;                  /* its objects are handles: foreign.h */
};

/* The slot of a type or of the nearest base that has it, or NULL. */
#define type_slot(type_, slot_)                                                                    \
    ({                                                                                             \
        const struct type *at_ = (type_);                                                          \
        while (!at_->slot_ && at_->base)                                                           \
            at_ = at_->base;                                                                       \
        at_->slot_;                                                                                \
    })

/* A zeroed instance of a native type (its size), header filled. */
void *object_new(struct vm *vm, const struct type *type);
/* For mark functions. */
void heap_mark(struct vm *vm, value v);

/* Whether v is a handle of an object in the python3 child. */
static inline bool is_foreign(value v)
{
    return is_object(v) && as_object(v)->type->foreign;
}
/* What follows the last dot of its name: a native type's module may stand before it. */
const char *type_short_name(const struct type *type);
/* A type as a value. */
static inline value type_value(const struct type *type)
{
    return from_object(type);
}
