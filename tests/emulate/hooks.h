/* SPDX-License-Identifier: MIT
 *
 * hooks.h: every load and store of the kernels, for libraries of the emulated card whose kernels
 * are compiled so that it is seen (-fsanitize=thread, whose hooks are ours). */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum space { NOWHERE, GLOBAL, SHARED };

/* Of which of a card's memories an address is; NOWHERE: of the host's, a thread's own, or a
 * constant. */
space space_of(const void *at);

/* Of those that are nowhere, whether it is the host's: no kernel may use it. */
bool is_of_host(const void *at);

/* That of the running thread in its block. */
unsigned thread_number();

/* What the library does at a load or store (of any space, also while no kernel runs), and at an
 * atomic operation. */
void on_access(const void *at, size_t bytes, bool write, uintptr_t instruction);
void on_atomic(const void *at, size_t bytes);
