// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "test.h"

#include <stdlib.h>

static char printed[65536];

static const char *print(struct diags *dx, bool color)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diag_print(dx, out, color);
    fclose(out);
    snprintf(printed, sizeof printed, "%s", text);
    free(text);
    return printed;
}

/* The span of the first place where part stands in source id. */
static struct span find(struct sources *sources, int id, const char *part)
{
    uint32_t at = source_base(sources, id) +
                  (uint32_t)(strstr(source_text(sources, id), part) - source_text(sources, id));
    return (struct span){at, at + (uint32_t)strlen(part)};
}

static void test_picture(struct sources *sources, struct diags *dx)
{
    const char *text =
        "\n\n\n\n\n\n\n\n\n\n\nrule b:\n    input: \"x.txt\"\n    output: \"{sample}.y\"\n";
    int id = source_add(sources, "Snakefile", text, strlen(text));
    complain_kind(dx, "MissingInputException", find(sources, id, "\"x.txt\""),
                  "rule '%s' needs '%s'", "b", "x.txt");
    diag_note(dx, find(sources, id, "{sample}"), "wildcard 'sample' comes from this pattern");
    diag_hint(dx, "the nearest existing file is 'y.txt'");
    is(diag_last(dx), "rule 'b' needs 'x.txt'", "the last headline");
    is(print(dx, false),
       "MissingInputException: rule 'b' needs 'x.txt'\n"
       "  --> Snakefile:13:12 (line 13, column 12)\n"
       "   |\n"
       "13 |     input: \"x.txt\"\n"
       "   |            ^^^^^^^\n"
       "  note: wildcard 'sample' comes from this pattern\n"
       "  --> Snakefile:14:14\n"
       "  hint: the nearest existing file is 'y.txt'\n",
       "kind, place, line, carets, note with its place, hint");
}

static void test_aside(struct diags *dx)
{
    complain_kind(dx, "KeyError", (struct span){0}, "'a'");
    diag_note(dx, (struct span){0}, "a note");
    uint32_t first = diag_put_aside(dx);
    ok(!diag_errors(dx), "what was put aside does not count");
    complain(dx, (struct span){0}, "other");
    is(print(dx, false), "error: other\n", "nor is it printed");
    diag_return(dx, first);
    diag_wrap(dx, "InputFunctionException", "rule %s: ", "r");
    is(print(dx, false), "InputFunctionException: rule r: KeyError: 'a'\n  note: a note\n",
       "it comes back whole, inside another kind");
}

static void test_awkward(struct sources *sources, struct diags *dx)
{
    const char *text = "\tif x == 1:\t# \xC3\xA9\xE4\xB8\xAD y\x01\r\n(a,\n b";
    int id = source_add(sources, "t.smk", text, strlen(text));
    complain(dx, find(sources, id, "\t# \xC3\xA9\xE4\xB8\xAD"), "tabs");
    is(print(dx, false),
       "error: tabs\n"
       "  --> t.smk:1:12\n"
       "   |\n"
       " 1 |     if x == 1:  # \xC3\xA9\xE4\xB8\xAD y?\n"
       "   |               ^^^^^^^\n",
       "tabs are widened, wide letters take two columns, control characters are masked");
    uint32_t base = source_base(sources, id), end = base + (uint32_t)strlen(text);
    warn(dx, (struct span){find(sources, id, "(a").at, end}, "several lines");
    is(print(dx, false),
       "warning: several lines\n"
       "  --> t.smk:2:1\n"
       "   |\n"
       " 2 | (a,\n"
       "   | ^^^\n",
       "of a span over several lines the first is shown");
    complain(dx, (struct span){end, end}, "the end");
    is(print(dx, false),
       "error: the end\n"
       "  --> t.smk:3:3\n"
       "   |\n"
       " 3 |  b\n"
       "   |   ^\n",
       "a caret stands behind the last letter");
    complain(dx, (struct span){0}, "no place");
    is(print(dx, true), "\033[1;31merror:\033[0m \033[1mno place\033[0m\n", "no place, in color");
}

static void test_long(struct sources *sources, struct diags *dx)
{
    char text[3001];
    memset(text, 'a', 3000);
    memcpy(text + 2000, "wrong", 5);
    text[3000] = '\0';
    int id = source_add(sources, "long", text, 3000);
    complain(dx, find(sources, id, "wrong"), "far right");
    print(dx, false);
    ok(strstr(printed, "\n 1 | ...aaa") && strstr(printed, "aaa...\n"), "a long line is clipped");
    const char *line = strstr(printed, " 1 |"), *wrong = line ? strstr(line, "wrong") : NULL;
    const char *carets = strstr(printed, "^^^^^\n"), *row = carets;
    while (row && row[-1] != '\n')
        row--;
    ok(wrong && row && wrong - line == carets - row, "and the carets stand under the span");
    ok(strlen(printed) < 400, "nothing is longer than a screen");
}

int main(void)
{
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    is(diag_last(dx), "", "no diagnostic, no headline");
    test_picture(sources, dx);
    test_aside(dx);
    test_awkward(sources, dx);
    test_long(sources, dx);
    ok(!complain(dx, (struct span){0}, "a"), "complain is false");
    warn(dx, (struct span){0}, "b");
    int mark = diag_mark(dx);
    complain(dx, (struct span){0}, "c");
    ok(diag_errors(dx) == 2, "warnings are not errors");
    diag_drop(dx, mark);
    ok(diag_errors(dx) == 1 && !strcmp(diag_last(dx), "b"),
       "what came after the mark is forgotten");
    is(print(dx, false), "error: a\nwarning: b\n", "the rest is printed");
    ok(diag_errors(dx) == 0, "and then gone");
    diags_free(dx);
    sources_free(sources);
    return done();
}
