// SPDX-License-Identifier: MIT
/* file.h: file objects, for the modules that hand them out. */
#pragma once

#include <stdio.h>

#include "python/bytes.h"
#include "python/value.h"

extern const struct type type_file;

/* sys.stdin (0), stdout (1), stderr (2): output goes where print() writes. */
value file_standard(struct vm *vm, int number);
/* What was written to open files goes to the system. CPython closes a file with its last name, so
 * that after open(path, "w").write(text) the text is there: here it must be before anybody can
 * look. */
void file_settle(struct vm *vm);
