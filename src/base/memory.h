// SPDX-License-Identifier: MIT
/* memory.h: memory of the caller's own, to be free()d, where neither an arena nor the Python heap
 * serves. Running out of it ends the program: nobody has to ask. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Room for n things of that size, all zero. */
void *memory_zeroed(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
/* The numbers of ids 0..n, all zero. */
uint32_t *memory_numbers(uint32_t n) __attribute__((malloc, returns_nonnull));
/* The same memory, or what was in it, with room for n things of that size; what is new is not
 * set. */
void *memory_resized(void *at, size_t n, size_t size) __attribute__((returns_nonnull));
/* Fills memory with n copies of what is size bytes long; returns the end. */
void *memory_repeat(void *at, const void *unit, size_t size, size_t n);
/* A copy of a text, and of its first len bytes (fewer where it ends before). */
char *memory_text(const char *text) __attribute__((malloc, returns_nonnull));
char *memory_text_part(const char *text, size_t len) __attribute__((malloc, returns_nonnull));
