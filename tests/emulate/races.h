/* SPDX-License-Identifier: MIT
 *
 * races.h: what races.cpp has found. Each is told on stderr when it is found, the first twenty
 * kinds of them; a process that ends with some that nobody took is aborted. */
#pragma once

#include <stddef.h>

/* Bytes that were raced for, or that were the host's, since the last call. */
size_t races_take();
