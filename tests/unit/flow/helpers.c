// SPDX-License-Identifier: MIT
/* Helper functions of Snakefiles against Snakemake 9.25: expressions and the repr of their values,
 * or the exception. */
#include "flowtest.h"

static const struct row {
    const char *expression, *want;
} rows[] = {
    {"expand(\"{a}.txt\", a=[\"x\",\"y\"])", "['x.txt', 'y.txt']"},
    {"expand(\"{a}_{b}\", a=[1,2], b=\"z\")", "['1_z', '2_z']"},
    {"expand(\"{b}_{a}\", a=[1,2], b=[\"p\",\"q\"])", "['p_1', 'q_1', 'p_2', 'q_2']"},
    {"expand([\"{a}\",\"{b}\"], a=[1,2], b=[3])", "['1', '2', '3']"},
    {"expand(\"{a}\", zip, a=[1,2])", "['1', '2']"},
    {"expand(\"{a}{b}\", zip, a=[1,2,3], b=\"xy\")", "['1xy']"},
    {"expand(\"{a}{b}\", zip, a=[1,2,3], b=[\"x\",\"y\"])", "['1x', '2y']"},
    {"expand(\"{a}_{b}\", a=1, allow_missing=True)", "['1_{b}']"},
    {"expand(\"{a}_{{b}}\", a=[1,2])", "['1_{b}', '2_{b}']"},
    {"expand(\"{a:02d}\", a=[1,12])", "['01', '12']"},
    {"expand(\"{a[0]}-{a[1]}\", a=[[\"x\",\"y\"]])", "['x-y']"},
    {"expand(\"{p.a}/{p.b}\", p=[P(1,2),P(3,4)])", "['1/2', '3/4']"},
    {"expand(\"{p.a}\", p=P(1,2))", "['1']"},
    {"expand(\"{a!r}\", a=[\"x\"])", "[\"'x'\"]"},
    {"expand(\"plain\", a=[1,2])", "['plain']"},
    {"expand(\"{a}\", a=[])", "[]"},
    {"expand(\"{a}\", a=(\"t\",\"u\"))", "['t', 'u']"},
    {"expand(\"{a}\", a=range(3))", "['0', '1', '2']"},
    {"expand(\"{a}\", a={\"k\":1,\"l\":2})", "['k', 'l']"},
    {"expand(\"{a}{a}\", a=[1,2])", "['11', '22']"},
    {"expand(\"{a}\", a=None)", "['None']"},
    {"expand(\"{a}\", a=1.5)", "['1.5']"},
    {"expand(\"{a}\", a=[True])", "['True']"},
    {"expand(\"{a}\", unused=[1,2,3], a=[1])", "['1']"},
    {"expand([], a=[1])", "[]"},
    {"expand(\"{{x}}\")", "['{x}']"},
    {"expand(\"{a}/{b}/{c}\", a=[1,2], b=[3,4], c=[5,6])",
     "['1/3/5', '1/3/6', '1/4/5', '1/4/6', '2/3/5', '2/3/6', '2/4/5', '2/4/6']"},
    {"expand(\"{x}\", b=[1])", "error WildcardError"},
    {"expand(\"{a\", a=[1])", "error ValueError"},
    {"expand(\"a}\", a=[1])", "error ValueError"},
    {"expand(\"{a:>4}\", a=[\"x\"])", "['   x']"},
    {"expand(\"{a}\", lambda *x: zip(*x), a=[1,2])", "['1', '2']"},
    {"expand(\"{a}-{b}\", lambda x, y: [(x[0], y[-1])], a=[1,2], b=[3,4])", "['1-4']"},
    {"expand(\"{a}\", a=(i*2 for i in [1,2]))", "['2', '4']"},
    {"expand(\"{a}-{b}\", allow_missing=True, a=[1,2])", "['1-{b}', '2-{b}']"},
    {"expand(\"{allow_missing}\", allow_missing=True)", "['True']"},
    {"expand(temp(\"{a}\"), a=1)", "error WorkflowError"},
    {"multiext(\"a/b\", \".x\", \".y\")", "['a/b.x', 'a/b.y']"},
    {"multiext(\"a\", x=\".x\", y=\".y\")", "['a.x', 'a.y']"},
    {"multiext(\"a\", \"b/c\")", "error WorkflowError"},
    {"multiext(\"a\", \".x\", y=\".y\")", "error WorkflowError"},
    {"flatten([1,[\"a\",[2]]])", "['1', 'a', '2']"},
    {"subpath(\"a/b/c.txt\", basename=True)", "'c.txt'"},
    {"subpath(\"a/b/c.txt\", parent=True)", "'a/b'"},
    {"subpath(\"a/b/c.txt\", ancestor=2)", "'a'"},
    {"subpath(\"a/b/c.txt\", strip_suffix=\".txt\")", "'a/b/c'"},
    {"subpath(\"a/c.txt\", strip_suffix=\".txt\", with_suffix=\".csv\")", "'a/c.csv'"},
    {"subpath(\"a/c.txt\", strip_suffix=\".x\")", "error ValueError"},
    {"subpath(\"c\", parent=True)", "'.'"},
    {"branch(True, then=\"a\", otherwise=\"b\")", "'a'"},
    {"branch(False, then=\"a\")", "[]"},
    {"branch(\"k\", cases={\"k\": \"v\"})", "'v'"},
    {"branch(\"z\", cases={\"k\": \"v\"}, otherwise=\"o\")", "'o'"},
    {"lookup(\"a/b\", within={\"a\": {\"b\": 5}})", "5"},
    {"lookup(dpath=\"a/*\", within={\"a\": {\"b\": 5, \"c\": 6}})", "[5, 6]"},
    {"lookup(dpath=\"x\", within={\"a\": 1}, default=9)", "9"},
    {"lookup(dpath=\"x\", within={\"a\": 1})", "error LookupError"},
    {"lookup(\"a/{s}\", within={\"a\": {\"q\": 1}}, s=\"q\")", "1"},
    {"strip_wildcard_constraints(\"{a,\\\\d+}_{b}\")", "'{a}_{b}'"},
    {"sorted(get_wildcard_names(\"{a}_{b,x}\"))", "['a', 'b']"},
    {"[temp(\"x\"), protected(\"y\"), directory(\"z\")]", "['x', 'y', 'z']"},
    {"temp([\"a\",\"b\"])", "['a', 'b']"},
    {"ancient(\"q\") + \"r\"", "'qr'"},
    {"str(temp(\"x\"))", "'x'"},
};

/* A Snakefile that evaluates every expression and keeps what comes of it as text. */
static const char *snakefile(struct flowtest *t)
{
    struct buf text = {0};
    buf_str(&text, "from collections import namedtuple\nP = namedtuple('P', 'a b')\nGOT = []\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        buf_printf(&text,
                   "try:\n    GOT.append(repr(%s))\nexcept Exception as e:\n"
                   "    GOT.append('error ' + type(e).__name__)\n",
                   rows[i].expression);
    const char *copy = arena_copy(&t->arena, buf_text(&text), text.len);
    buf_free(&text);
    return copy;
}

int main(void)
{
    struct flowtest t = flowtest_open();
    size_t n = 0;
    if (ok(flowtest_load(&t, snakefile(&t)), "the expressions are evaluated")) {
        const value *got = sequence_items(dict_get_str(t.w->vm, t.w->globals.v, "GOT"), &n);
        for (size_t i = 0; i < n; i++)
            is(str_text(got[i]), rows[i].want, rows[i].expression);
    }
    ok(n == sizeof rows / sizeof *rows, "all of them (%s)", t.error);
    flowtest_close(&t);
    return done();
}
