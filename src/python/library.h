// SPDX-License-Identifier: MIT
/* library.h: modules, or parts of modules, that are written in Python: the files in lib/, held by
 * the program as text and compiled when their module is first imported. lib/NAME.py is module NAME
 * (with its dots); a file whose name begins with an underscore is the Python part of a module in C,
 * which runs it by library_run. To add one: the file, and its name in meson.build. */
#pragma once

#include "python/native.h"

/* The text of lib/NAME.py, or NULL. */
const char *library_find(const char *name);
/* Runs lib/NAME.py in the namespace of a native module; false: raised. */
bool library_run(struct vm *vm, value module, const char *name);
