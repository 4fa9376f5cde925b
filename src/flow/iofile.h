// SPDX-License-Identifier: MIT
/* iofile.h: a path of a finished checkpoint: a str that can also be opened, with a dict of flags (flags.h). */
#pragma once

#include "python/value.h"

value iofile_new(struct vm *vm, sym_t path, value flags);
