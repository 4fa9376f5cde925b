// SPDX-License-Identifier: MIT
#include "base/source.h"
#include "test.h"

static void check(const struct sources *sources, uint32_t at, const char *name, int line,
                  int column, const char *text)
{
    struct place place;
    if (!ok(source_place(sources, at, &place), "position %u is a place", at))
        return;
    is(place.name, name, "its file");
    ok(place.line == line && place.column == column, "line %d column %d, wanted %d %d", place.line,
       place.column, line, column);
    ok(place.line_len == strlen(text) && !memcmp(place.line_text, text, place.line_len),
       "line '%s'", text);
}

int main(void)
{
    struct sources *sources = sources_new();
    int a = source_add(sources, "Snakefile", "one\r\ntw\xC3\xA9o x\n\nlast", 18);
    int b = source_add(sources, "empty", "", 0);
    int c = source_add(sources, "rules/b.smk", "rule a:\n", 8);
    uint32_t base = source_base(sources, a);
    struct place place;
    size_t len;
    ok(a == 1 && b == 2 && c == 3 && base == 1, "ids and positions count from 1");
    check(sources, base, "Snakefile", 1, 1, "one");
    check(sources, base + 3, "Snakefile", 1, 4, "one");
    check(sources, base + 9, "Snakefile", 2, 4, "tw\xC3\xA9o x");
    check(sources, base + 13, "Snakefile", 3, 1, "");
    check(sources, base + 18, "Snakefile", 4, 5, "last");
    check(sources, source_base(sources, b), "empty", 1, 1, "");
    check(sources, source_base(sources, c) + 5, "rules/b.smk", 1, 6, "rule a:");
    check(sources, source_base(sources, c) + 8, "rules/b.smk", 2, 1, "");
    ok(!source_place(sources, 0, &place), "position 0 is nowhere");
    ok(!source_place(sources, 5000, &place), "nor is one behind all sources");
    is(source_text(sources, c), "rule a:\n", "the text");
    ok(source_len(sources, a) == 18, "its length");
    const char *text = span_text(sources, (struct span){base + 5, base + 7}, &len);
    ok(len == 2 && !memcmp(text, "tw", 2), "the bytes of a span");
    span_text(sources, (struct span){0, 0}, &len);
    ok(len == 0, "no span, no bytes");
    sources_free(sources);
    return done();
}
