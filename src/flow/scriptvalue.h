// SPDX-License-Identifier: MIT
/* scriptvalue.h: Python values in the languages of scripts. */
#pragma once

#include "base/buf.h"
#include "python/value.h"

/* What a script of another language gets for a value: numbers and lists for those of foreign
 * modules, a list for a range, the keys of a dict and the like; else the value itself. NO_VALUE:
 * raised. */
value scriptvalue_plain(struct vm *vm, value v);
/* As JSON: dicts (keys as texts), lists, tuples, sets, texts, numbers, None; anything else as its
 * str(). False: raised. */
bool scriptvalue_json(struct vm *vm, value v, struct buf *out);
/* The same for Python, where texts/preamble.py makes what JSON has no words for from
 * {"__WAY__": [ARGUMENTS]}: objects of foreign modules from pickles, others from what
 * texts/parts.py says. Raises for what cannot be made again. */
bool scriptvalue_python(struct vm *vm, value v, struct buf *out);
/* The names of a named list, as JSON: [[NAME, FIRST, END or null of a single item], ...]. */
void scriptvalue_names(struct vm *vm, value list, struct buf *out);
/* As `declare -A snakemake_NAME=( ... )`: a named list by position and by name, a dict by its keys.
 * Lists are joined with blanks. False: raised. */
bool scriptvalue_bash(struct vm *vm, const char *name, value v, struct buf *out);
/* As an expression of R. False: raised. */
bool scriptvalue_r(struct vm *vm, value v, struct buf *out);
/* As an expression of Julia: a named list is a Dict by position (from 1) and by name. False:
 * raised. */
bool scriptvalue_julia(struct vm *vm, value v, struct buf *out);
