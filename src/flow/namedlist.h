// SPDX-License-Identifier: MIT
/* namedlist.h: input, output, params, wildcards, log and resources as Python code sees them: lists
 * whose items, or runs of items, also have names. x.name, x["name"], x[0], slices, .get(), .keys(),
 * .items(); str() joins with blanks. A name given to one item yields that item; one given to a run
 * yields a list. */
#pragma once

#include "python/native.h"

extern const struct type type_namedlist, type_input_files, type_output_files, type_params,
    type_wildcards, type_resources, type_log;

/* An empty one of the given type; items are added with list_push. */
value namedlist_new(struct vm *vm, const struct type *type);
/* Gives len items from `at` on a name; is_list: the name yields a list even for one item or
 * none. */
void namedlist_name(value list, sym_t name, uint32_t at, uint32_t len, bool is_list);
/* What a name yields; NO_VALUE and nothing raised if there is no such name. */
value namedlist_find(struct vm *vm, value list, sym_t name);
/* The i-th name and its run of items, in the order given; false behind the last. */
bool namedlist_range(value list, size_t i, sym_t *name, uint32_t *at, uint32_t *len, bool *is_list);
/* Whether v is one of these types. */
bool is_namedlist(value v);
/* Whether an item (of input) may not have that name because it is a method. */
bool namedlist_reserved(const char *name, bool input);
