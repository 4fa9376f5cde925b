// SPDX-License-Identifier: MIT
/* Patterns against Snakemake 9.25: the table was made with its regex_from_filepattern. */
#include "test.h"

#include "base/buf.h"
#include "base/clock.h"
#include "flow/pattern.h"

static const struct row {
    const char *pattern, *path, *plain;
    const char *values; /* "" if the path does not match, "()" if there is nothing to find */
} rows[] = {
    {"a/{x}.txt", "a/1.txt", "a/{x}.txt", "x=1"},
    {"a/{x}.txt", "a/b/1.txt", "a/{x}.txt", "x=b/1"},
    {"a/{x}.txt", "a/.txt", "a/{x}.txt", ""},
    {"a/{x}.txt", "b/1.txt", "a/{x}.txt", ""},
    {"{x}", "anything at all", "{x}", "x=anything at all"},
    {"{a}_{b}.txt", "1_2_3.txt", "{a}_{b}.txt", "a=1_2,b=3"},
    {"{a}/{b}", "x/y/z", "{a}/{b}", "a=x/y,b=z"},
    {"{a,\\d+}_{b}.txt", "12_3.txt", "{a}_{b}.txt", "a=12,b=3"},
    {"{a,\\d+}_{b}.txt", "x_3.txt", "{a}_{b}.txt", ""},
    {"{s}/{s}.bam", "q/q.bam", "{s}/{s}.bam", "s=q"},
    {"{s}/{s}.bam", "q/r.bam", "{s}/{s}.bam", ""},
    {"{w,a{2,3}}.txt", "aaa.txt", "{w}.txt", "w=aaa"},
    {"{w,a{2,3}}.txt", "aaaa.txt", "{w}.txt", ""},
    {"{w, [ab]+ }c", "ab c", "{w}c", "w=ab "},
    {"{ x }.txt", "y.txt", "{x}.txt", "x=y"},
    {"{{x}}.txt", "{y}.txt", "{{x}}.txt", "x=y"},
    {"{x}.{ext,txt|csv}", "a.csv", "{x}.{ext}", "x=a,ext=csv"},
    {"{x}.{ext,txt|csv}", "a.tsv", "{x}.{ext}", ""},
    {"a.b+c{x}", "a.b+cd", "a.b+c{x}", "x=d"},
    {"a.b+c{x}", "aXb+cd", "a.b+c{x}", ""},
    {"plain.txt", "plain.txt", "plain.txt", "()"},
    {"plain.txt", "plain.txt2", "plain.txt", ""},
    {"{x,[^/]+}/r.txt", "a/b/r.txt", "{x}/r.txt", ""},
    {"{x,}.txt", "a.txt", "{x}.txt", "x=a"},
    {"mü{x}", "müä", "mü{x}", "x=ä"},
    {"{a}{b}", "abc", "{a}{b}", "a=ab,b=c"},
    {"{x,(a|b)(c|d)}-{y}", "ac-e", "{x}-{y}", "x=ac,y=e"},
    {"f({x}", "f(1", "f({x}", "x=1"},
    {"{x}!", "\n!", "{x}!", ""},
};

struct fixture {
    struct arena arena;
    struct intern *names;
    struct sources *sources;
    struct diags *dx;
    struct wildcard_names wildcards;
};

static struct fixture open_fixture(void)
{
    struct fixture f = {.names = intern_new(), .sources = sources_new()};
    f.dx = diags_new(f.sources);
    return f;
}

static void close_fixture(struct fixture *f)
{
    diags_free(f->dx);
    sources_free(f->sources);
    intern_free(f->names);
    arena_free(&f->arena);
}

static bool parse(struct fixture *f, const char *text, bool add, struct pattern *out)
{
    return pattern_parse(&f->arena, f->names, f->dx, text, strlen(text), (struct span){0},
                         &f->wildcards, add, out);
}

static bool match(struct fixture *f, struct pattern *pattern, const char *path, sym_t *value)
{
    return pattern_match(pattern, f->names, &f->wildcards, path, strlen(path), value);
}

static void show_values(struct fixture *f, const sym_t *value, struct buf *out)
{
    for (int i = 0; i < f->wildcards.n; i++)
        buf_printf(out, "%s%s=%s", i ? "," : "", sym_text(f->names, f->wildcards.name[i]),
                   sym_text(f->names, value[i]));
    if (!f->wildcards.n)
        buf_str(out, "()");
}

static void test_row(const struct row *row)
{
    struct fixture f = open_fixture();
    struct pattern pattern;
    struct buf got = {0};
    sym_t value[8] = {0};
    if (ok(parse(&f, row->pattern, true, &pattern), "%s is parsed", row->pattern)) {
        is(sym_text(f.names, pattern.plain), row->plain, "without constraints");
        if (match(&f, &pattern, row->path, value))
            show_values(&f, value, &got);
        if (!is(buf_text(&got), row->values, "its wildcards in that path"))
            printf("# %s against %s\n", row->pattern, row->path);
    }
    pattern_free(&pattern);
    buf_free(&got);
    close_fixture(&f);
}

static void test_apply(void)
{
    struct fixture f = open_fixture();
    struct pattern out, in, bad;
    sym_t value[2] = {intern_str(f.names, "S1"), intern_str(f.names, "7")};
    parse(&f, "out/{s}.{u,\\d+}.bam", true, &out);
    ok(parse(&f, "in/{u}/{s}_{u}/", false, &in), "an input may use the wildcards of the output");
    is(sym_text(f.names, pattern_apply(&out, f.names, value)), "out/S1.7.bam",
       "values are filled in");
    is(sym_text(f.names, pattern_apply(&in, f.names, value)), "in/7/S1_7",
       "a slash at the end is dropped");
    is(pattern_text(&in, &f.arena, f.names, value), "in/7/S1_7", "the same as plain text");
    ok(!parse(&f, "in/{x}", false, &bad), "an unknown wildcard in an input is refused");
    is(diag_last(f.dx), "Wildcards in input files cannot be determined from output files: 'x'",
       "and named");
    ok(!parse(&f, "{a}/{a,x}", true, &bad), "a constraint on a later occurrence is refused");
    pattern_free(&out);
    pattern_free(&in);
    close_fixture(&f);
}

static void test_constraints(void)
{
    struct fixture f = open_fixture();
    struct pattern pattern, log;
    sym_t value[1];
    parse(&f, "{x}.txt", true, &pattern);
    ok(pattern.fast && match(&f, &pattern, "ab.txt", value), "free wildcards match anything");
    pattern_constrain(&pattern, 0, "\\d+");
    ok(!pattern.fast && !match(&f, &pattern, "ab.txt", value), "a constraint of the rule holds");
    ok(match(&f, &pattern, "12.txt", value), "and what fulfils it matches");
    pattern_constrain(&pattern, 0, "[a-z]+");
    ok(match(&f, &pattern, "12.txt", value), "the first constraint stays");
    parse(&f, "{x}.log", true, &log);
    ok(match(&f, &log, "ab.log", value), "a constraint belongs to one pattern alone");
    value[0] = intern_str(f.names, "1b");
    ok(pattern_allows(&pattern, f.names, value),
       "given values need a constraint only at their beginning");
    value[0] = intern_str(f.names, "b1");
    ok(!pattern_allows(&pattern, f.names, value), "and are refused when that fails");
    pattern_free(&pattern);
    pattern_free(&log);
    parse(&f, "{x,[}.txt", true, &pattern);
    ok(!pattern_check(&pattern, f.names, f.dx, &f.wildcards),
       "a broken expression is complained about");
    pattern_free(&pattern);
    close_fixture(&f);
}

static void test_speed(void)
{
    struct fixture f = open_fixture();
    struct pattern out, in;
    char path[64];
    sym_t value[1];
    long same = 0;
    parse(&f, "b/{x}.txt", true, &out);
    parse(&f, "a/{x}.txt", false, &in);
    int64_t start = clock_ns();
    for (int i = 0; i < 100000; i++) {
        int len = snprintf(path, sizeof path, "b/%d.txt", i);
        if (pattern_match(&out, f.names, &f.wildcards, path, (size_t)len, value))
            same += pattern_apply(&in, f.names, value) != 0;
    }
    ok(same == 100000, "a hundred thousand paths matched and filled in, in %.3f s",
       (double)(clock_ns() - start) / 1e9);
    close_fixture(&f);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_row(&rows[i]);
    test_apply();
    test_constraints();
    test_speed();
    return done();
}
