// SPDX-License-Identifier: MIT
/* itool.h: what the iterators of itertools share. Each function of the module is a type; they have
 * one layout, and what its fields mean is said at each type. itertools.c has those that take
 * items as they come, itools_choose.c those that choose rows out of pools. */
#pragma once

#include "python/sequence.h"
#include "python/vm.h"

struct itool {
    struct object object;
    value source;        /* iterator, tuple of iterators or list */
    value second, third; /* function, fill value, ... */
    int64_t i, n, step;
    int64_t *at; /* owned: places in the pools of product, permutations, ... */
    bool begun, done;
};

/* What the types of all iterators of itertools do when marked and when freed. */
void itool_mark(struct vm *vm, struct object *self);
void itool_finish(struct vm *vm, struct object *self);
/* iter() of an iterator. */
value itool_itself(struct vm *vm, value self);
/* Makes room for n places, all 0, in tool->at. False: they would be too many, which was raised. */
bool itool_places(struct vm *vm, struct itool *tool, int64_t n);

#define ITOOL(variable, text, make_, next_, ...)                                                   \
    const struct type variable = {.object = {.type = &type_type},                                  \
                                  .name = "itertools." text,                                       \
                                  .size = sizeof(struct itool),                                    \
                                  .mark = itool_mark,                                              \
                                  .finish = itool_finish,                                          \
                                  .make = make_,                                                   \
                                  .iter = itool_itself,                                            \
                                  .next = next_,                                                   \
                                  __VA_ARGS__}

extern const struct type type_product, type_combinations, type_replacement, type_permutations;

static inline struct itool *as_itool(value v)
{
    return (struct itool *)as_object(v);
}

/* The items of a list or tuple, borrowed until it changes. */
static inline const value *list_items(value list, int64_t *n)
{
    size_t len;
    const value *items = sequence_items(list, &len);
    *n = (int64_t)len;
    return items;
}
