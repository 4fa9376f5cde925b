// SPDX-License-Identifier: MIT
/* shellfn.h: shell("cmd", iterable=False, read=False) of run blocks and top-level code, with
 * shell.executable(), shell.prefix(), shell.suffix(); and the command line these settings make of a
 * rule's command. */
#pragma once

#include "python/native.h"

struct workflow;

/* The object `shell`. */
value shellfn_new(struct workflow *w);
