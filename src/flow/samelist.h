// SPDX-License-Identifier: MIT
/* samelist.h: the last list of paths that an input function gave. The functions of a dense layer
 * give the same list for every job: then its paths need not be looked at one by one again.
 *
 * Only a list of plain strings that stand for themselves is remembered: no flags, no wildcards or
 * pathvars to fill in, no module that changes paths. */
#pragma once

#include "base/intern.h"
#include "base/pool.h"
#include "python/value.h"

struct item;

struct same_list {
    /* of the function that gave it; borrowed; NULL: nothing is remembered */
    const struct item *item;
    VEC(sym_t) paths;
};

/* Whether a list (a value of Python's) has just the texts of the one remembered for this item. */
bool same_list_is(const struct same_list *last, const struct item *item, const struct intern *names,
                  value list);
/* Remembers a list by the symbols of its paths, if its strings are just these and stand for
 * themselves. */
void same_list_keep(struct same_list *last, const struct item *item, const struct intern *names,
                    value list, const sym_t *paths, size_t n);
void same_list_free(struct same_list *last);
