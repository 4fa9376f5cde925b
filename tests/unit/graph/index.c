// SPDX-License-Identifier: MIT
#include "graph/index.h"
#include "graphtest.h"

static const char *const snakefile =
    "rule plain:\n    output: 'a.txt'\n"
    "rule end:\n    output: '{s}.txt'\n"
    "rule longer_end:\n    output: '{s}.sorted.txt'\n"
    "rule begin:\n    output: 'out/{s}.txt'\n"
    "rule open:\n    output: 'x/{s}'\n"
    "rule middle:\n    output: 'q{s}w{t}.bam'\n    log: '{s}-{t}.log'\n"
    "    benchmark: 'bench/{s}/{t}.tsv'\n"
    "rule plain_again:\n    output: 'b.txt', 'a.txt'\n"
    "rule one:\n    output: 'k/{x,k1[ab]?}.{y}'\n"
    "rule two:\n    output: 'k/{x,k2}.{y}'\n"
    "rule more:\n    output: 'k/{x,k3*}.{y}'\n"
    "rule either:\n    output: 'k/{x,k1|k2}.{y}'\n";

static const struct {
    const char *path, *rules;
} finds[] = {
    {"a.txt", "plain end plain_again"},
    {"b.txt", "end plain_again"},
    {"c.txt", "end"},
    {"c.sorted.txt", "end longer_end"},
    {"out/c.sorted.txt", "end longer_end begin"},
    {".sorted.txt", "end longer_end"},
    {"out/.txt", "end begin"},
    {"out/txt", ""},
    {"x/a.txt", "end open"},
    {"x/", "open"},
    {"x", ""},
    {"qw.bam", "middle"},
    {"q.bam", "middle"}, /* both ends fit; the pattern itself says no later */
    {"w.bam", ""},
    {"1-2.log", "middle"},
    {"bench/1/2.tsv", "middle"},
    {"bench1/2.tsv", ""},
    {"a.tx", ""},
    {"k/k1a.b", "one more either"}, /* constraints that begin with plain text count */
    {"k/k2.b", "two more either"},
    {"k/k.b", "more either"},
    {"k/.b", "either"},
    {"", ""},
};

int main(void)
{
    struct flowtest t = flowtest_open();
    flowtest_load(&t, snakefile);
    struct index *index = index_new(t.w);
    for (size_t i = 0; i < sizeof finds / sizeof *finds; i++) {
        uint32_t n;
        const struct index_hit *hits = index_find(index, intern_str(t.names, finds[i].path), &n);
        const char *got = "";
        for (uint32_t k = 0; k < n; k++)
            got = arena_printf(&t.arena, "%s%s%s", got, k ? " " : "",
                               sym_text(t.names, t.w->rules.at[hits[k].rule]->name));
        is(got, finds[i].rules, arena_printf(&t.arena, "candidates for '%s'", finds[i].path));
    }
    index_free(index);
    flowtest_close(&t);
    return done();
}
