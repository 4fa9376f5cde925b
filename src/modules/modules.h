// SPDX-License-Identifier: MIT
/* modules.h: the modules of Python's standard library, and yaml, that are written in C, one row
 * each; defined in NAME.c. What is written in Python is in python/lib. */
#pragma once

#include "python/native.h"

/* Modules written in C: X(name of the struct native_module). */
/* clang-format off */
#define NATIVE_MODULES(X)                                                                          \
    X(module_collections) X(module_csv) X(module_functools) X(module_hashlib) X(module_heapq)      \
    X(module_imp) X(module_itertools) X(module_json) X(module_math) X(module_os) X(module_os_path) \
    X(module_posixpath) X(module_process) X(module_random) X(module_re) X(module_sys)              \
    X(module_threads) X(module_time) X(module_traceback) X(module_yaml)
/* clang-format on */

#define X(name) extern const struct native_module name;
NATIVE_MODULES(X)
#undef X

/* All of them, ended by NULL: for vm_options. */
extern const struct native_module *const native_modules[];

/* re.search() for the layers above; NO_VALUE: raised, re.error for a pattern that is none. */
value re_found(struct vm *vm, value pattern, value subject);
