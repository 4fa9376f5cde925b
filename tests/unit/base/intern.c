// SPDX-License-Identifier: MIT
#include "base/intern.h"
#include "base/clock.h"
#include "test.h"

enum { MANY = 200000 };

static void test_few(void)
{
    struct intern *names = intern_new();
    sym_t a = intern_str(names, "a"), b = intern_str(names, "b"), empty = intern_str(names, "");
    ok(a && b && a != b, "two names, two symbols");
    ok(empty && empty != a, "the empty string has a symbol of its own");
    ok(intern_str(names, "a") == a, "the same name, the same symbol");
    ok(intern(names, "abc", 1) == a, "only len bytes count");
    ok(!intern_find(names, "c", 1), "finding does not add");
    ok(intern_find(names, "b", 1) == b, "finding what is there");
    is(sym_text(names, b), "b", "text of a symbol");
    ok(sym_len(names, empty) == 0 && sym_len(names, a) == 1, "length of a symbol");
    ok(intern_str(names, "c") == 4, "three names before it");
    intern_free(names);
    intern_free(NULL);
}

static void test_many(void)
{
    struct intern *names = intern_new();
    char path[64];
    bool found = true, kept = true;
    const char *first = sym_text(names, intern_str(names, "results/first"));
    for (int i = 0; i < MANY; i++)
        intern(names, path, (size_t)snprintf(path, sizeof path, "results/sample_%06d/out.txt", i));
    for (int i = 0; i < MANY; i++) {
        size_t len = (size_t)snprintf(path, sizeof path, "results/sample_%06d/out.txt", i);
        sym_t sym = intern_find(names, path, len);
        found &= sym == (sym_t)i + 2;
        kept &= sym && !strcmp(sym_text(names, sym), path) && sym_len(names, sym) == len;
    }
    ok(found, "every path is found under the symbol it was given");
    ok(kept, "every text is as it was");
    is(first, "results/first", "texts stay in place while the table grows");
    ok(sym_text(names, 1) == first, "and are not copied");
    ok(intern_bytes(names) < (size_t)MANY * 80, "a path of 29 bytes costs less than 80");
    ok(intern_str(names, "last") == MANY + 2, "each is stored once");
    intern_free(names);
}

int main(void)
{
    test_few();
    test_many();
    return done();
}
