// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "test.h"

#include <stdint.h>

static void test_alloc(void)
{
    struct arena arena = {0};
    unsigned char *first = arena_alloc(&arena, 100);
    bool zero = true, aligned = true;
    memset(first, 0xAA, 100);
    arena_copy(&arena, "x", 1);
    for (size_t n = 0; n < 3000; n++) {
        unsigned char *at = arena_alloc(&arena, n);
        aligned &= (uintptr_t)at % 16 == 0;
        for (size_t i = 0; i < n; i++)
            zero &= !at[i];
        memset(at, 0xFF, n);
    }
    ok(aligned, "memory is aligned to 16 bytes, also behind a text of 2");
    ok(zero, "memory is zeroed");
    ok(first[0] == 0xAA && first[99] == 0xAA, "later allocations leave earlier ones alone");
    ok(arena_used(&arena) >= 3000 * 2999 / 2, "used counts all that was handed out");
    arena_reset(&arena);
    ok(arena_used(&arena) == 0, "nothing is used after a reset");
    unsigned char *again = arena_alloc(&arena, 500);
    zero = true;
    for (int i = 0; i < 500; i++)
        zero &= !again[i];
    ok(zero, "memory is zeroed after a reset too");
    arena_free(&arena);
    arena_free(&arena);
    ok(arena_used(&arena) == 0, "an arena may be freed twice");
}

static void test_text(void)
{
    struct arena arena = {0};
    char *copy = arena_copy(&arena, "a\0b", 3);
    ok(!memcmp(copy, "a\0b", 4), "a copy keeps NUL bytes and is terminated");
    is(arena_str(&arena, ""), "", "the empty string is copied");
    is(arena_printf(&arena, "%s.%d", "stem", 42), "stem.42", "printf into the arena");
    char *large = arena_printf(&arena, "%100000d", 7);
    ok(strlen(large) == 100000 && large[99999] == '7', "a text larger than a block");
    is(copy, "a", "the first copy is still there");
    arena_free(&arena);
}

int main(void)
{
    test_alloc();
    test_text();
    return done();
}
