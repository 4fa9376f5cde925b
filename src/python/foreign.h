// SPDX-License-Identifier: MIT
/* foreign.h: Python objects that live in a python3 child. What is imported and is neither native
 * nor a Python file that the evaluator can run is imported there; here stands a handle, whose slots
 * ask the child. Plain values (None, bool, int, float, str, bytes, list, tuple, dict, set, ranges,
 * slices, paths, dates, namedtuples) cross as they are; functions and other objects of ours that
 * are passed to foreign code become objects there that ask back.
 *
 * A list, dict or set of ours that is passed stays one with its copy there: what either side
 * changes, the other sees the next time they talk; likewise a small one that is asked for as
 * attribute or item of a foreign object. Any other that comes from there is a copy of its own.
 *
 * Files: foreign.c the slots of handles; foreign_link.c the child and the talk with it;
 * foreign_value.c values on the wire; foreign_lease.c shared containers; foreign_native.c what the
 * child asks of our objects; foreign_error.c exceptions; lib/_foreign.py the program of the child,
 * which describes the wire. */
#pragma once

#include "python/native.h"
#include "python/value.h"

/* The module of that name, imported in the child, which is started if it does not run. Raises
 * ModuleNotFoundError and whatever the import raises. */
value foreign_import(struct vm *vm, const char *name);
/* The module of that name made from a text of ours there, NUL-terminated; the same the next time.
 * Raises as well. */
value foreign_module(struct vm *vm, const char *name, const char *text);
/* Whether v is a handle (is_foreign) of a class. */
bool is_foreign_class(value v);

/* type(v), isinstance(v, class), issubclass(a, b), dir(v), where one of them is a handle. */
value foreign_type(struct vm *vm, value v);
/* isinstance and issubclass where one side lives over there. False: raised. */
bool foreign_isinstance(struct vm *vm, value v, value class, bool *out);
bool foreign_issubclass(struct vm *vm, value a, value b, bool *out);
/* A foreign value of a class derived from float, int, dict, list or tuple as one of that class; v
 * itself if it is of none; NO_VALUE: raised. */
value foreign_plain(struct vm *vm, value v);
/* dir() of it; NO_VALUE: raised. */
value foreign_dir(struct vm *vm, value v);
/* v.name that is called at once: found when it is called. */
value foreign_method(struct vm *vm, value v, sym_t name);
/* pickle.dumps(v), for scripts. */
value foreign_pickle(struct vm *vm, value v);
/* bytes(v); NO_VALUE: raised. */
value foreign_bytes(struct vm *vm, value v);
/* What its memory holds, as bytes, for what takes any bytes-like object; NO_VALUE: raised, a
 * TypeError where it is none. */
value foreign_buffer(struct vm *vm, value v);

/* The exception of ours that stands for a foreign one (a handle of it); NO_VALUE: raised. */
value foreign_exception(struct vm *vm, value handle);
/* The class of ours that stands for a foreign class of exceptions, to be derived from; NO_VALUE:
 * raised. */
value foreign_exception_class(struct vm *vm, value handle);
/* Whether an exception of ours is of a foreign class; -1: raised. */
int foreign_exception_matches(struct vm *vm, value exception, value class);

/* Whether there is a child that can be asked. */
bool foreign_runs(const struct vm *vm);
/* For the heap and the end of a vm. */
void foreign_roots(struct vm *vm);
/* Ends the child and frees what is known of it. */
void foreign_end(struct vm *vm);
