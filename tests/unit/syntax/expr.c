// SPDX-License-Identifier: MIT
/* Expressions and literals as trees. */
#include "check.h"

static const struct {
    const char *text, *tree;
} rows[] = {
    /* constants */
    {"1", "(EXPR 1)"},
    {"1_000_000", "(EXPR 1000000)"},
    {"0xff", "(EXPR 255)"},
    {"0o17", "(EXPR 15)"},
    {"0b1_01", "(EXPR 5)"},
    {"00", "(EXPR 0)"},
    {"0xffff_ffff_ffff_ffff_ffff", "(EXPR 1208925819614629174706175)"},
    {"123456789012345678901234567890", "(EXPR 123456789012345678901234567890)"},
    {"1.5", "(EXPR 1.5)"},
    {"1e3", "(EXPR 1000)"},
    {".5", "(EXPR 0.5)"},
    {"0.1", "(EXPR 0.1)"},
    {"1_0.2_5e-1", "(EXPR 1.025)"},
    {"2.5j", "(EXPR 2.5j)"},
    {"1if x else y", "(EXPR (IFEXP x 1 y))"},
    {"None, True, False, ...", "(EXPR (TUPLE None True False ...))"},
    /* strings */
    {"'a\\n\\t\\x41\\101\\u00e9'", "(EXPR \"a\\n\\x09AAé\")"},
    {"'\\d\\ '", "(EXPR \"\\\\d\\\\ \")"},
    {"r'\\n'", "(EXPR \"\\\\n\")"},
    {"'a' \"b\" '''c'''", "(EXPR \"abc\")"},
    {"'''a\nb'''", "(EXPR \"a\\nb\")"},
    {"'a\\\nb'", "(EXPR \"ab\")"},
    {"b'a\\xff\\u0041'", "(EXPR b\"a\xff\\\\u0041\")"},
    {"rb'\\n'", "(EXPR b\"\\\\n\")"},
    {"'\\N{DEGREE SIGN}'", "(EXPR \"°\")"},
    {"''", "(EXPR \"\")"},
    /* f-strings */
    {"f'a{x}b'", "(EXPR (FSTRING \"a\" (FIELD x -) \"b\"))"},
    {"f'{x!r:>{n}}'", "(EXPR (FSTRING (FIELD !r x (FSTRING \">\" (FIELD n -)))))"},
    {"f'{x:02d}'", "(EXPR (FSTRING (FIELD x \"02d\")))"},
    {"f'{x:}'", "(EXPR (FSTRING (FIELD x \"\")))"},
    {"f'{{{x}}}'", "(EXPR (FSTRING \"{\" (FIELD x -) \"}\"))"},
    {"f'{ x = }'", "(EXPR (FSTRING (FIELD !r \" x = \" x -)))"},
    {"f'{x=!s:5}'", "(EXPR (FSTRING (FIELD !s \"x=\" x \"5\")))"},
    {"f'{x=:5}'", "(EXPR (FSTRING (FIELD \"x=\" x \"5\")))"},
    {"f'{d['k']}'", "(EXPR (FSTRING (FIELD (INDEX d \"k\") -)))"},
    {"f\"{f\"{f'{1}'}\"}\"",
     "(EXPR (FSTRING (FIELD (FSTRING (FIELD (FSTRING (FIELD 1 -)) -)) -)))"},
    {"f'{a if b else c:{w}.{p}f}'",
     "(EXPR (FSTRING (FIELD (IFEXP b a c) (FSTRING (FIELD w -) \".\" (FIELD p -) \"f\"))))"},
    {"f'{(lambda x: x)(1)}'",
     "(EXPR (FSTRING (FIELD (CALL (LAMBDA (PARAMS (PARAM x - -)) x) 1) -)))"},
    {"f'{x:%H:%M}'", "(EXPR (FSTRING (FIELD x \"%H:%M\")))"},
    {"f'{a != b}'", "(EXPR (FSTRING (FIELD (COMPARE != a b) -)))"},
    {"f'{ {1: 2}[1] }'", "(EXPR (FSTRING (FIELD (INDEX (DICT (PAIR 1 2)) 1) -)))"},
    {"f'\\n{x}\\{y}'", "(EXPR (FSTRING \"\\n\" (FIELD x -) \"\\\\\" (FIELD y -)))"},
    {"rf'\\n{x}'", "(EXPR (FSTRING \"\\\\n\" (FIELD x -)))"},
    {"'a' f'b{x}' 'c'", "(EXPR (FSTRING \"ab\" (FIELD x -) \"c\"))"},
    {"f'plain'", "(EXPR \"plain\")"},
    {"f'''{\nx  # comment\n}'''", "(EXPR (FSTRING (FIELD x -)))"},
    {"f'{a, b}'", "(EXPR (FSTRING (FIELD (TUPLE a b) -)))"},
    {"f'\\N{MICRO SIGN}{x}'", "(EXPR (FSTRING \"µ\" (FIELD x -)))"},
    /* operators */
    {"a + b * c", "(EXPR (BINARY + a (BINARY * b c)))"},
    {"a - b - c", "(EXPR (BINARY - (BINARY - a b) c))"},
    {"-a ** -b", "(EXPR (UNARY - (BINARY ** a (UNARY - b))))"},
    {"2 ** 3 ** 4", "(EXPR (BINARY ** 2 (BINARY ** 3 4)))"},
    {"a | b ^ c & d << e", "(EXPR (BINARY | a (BINARY ^ b (BINARY & c (BINARY << d e)))))"},
    {"a // b % c @ d", "(EXPR (BINARY @ (BINARY % (BINARY // a b) c) d))"},
    {"~a", "(EXPR (UNARY ~ a))"},
    {"not a == b", "(EXPR (UNARY not (COMPARE == a b)))"},
    {"not a and b or c", "(EXPR (OR (AND (UNARY not a) b) c))"},
    {"a or b or c", "(EXPR (OR a b c))"},
    {"a < b", "(EXPR (COMPARE < a b))"},
    {"a < b <= c", "(EXPR (CHAIN (COMPARE < a b) (COMPARE <= b c)))"},
    {"a not in b", "(EXPR (COMPARE not in a b))"},
    {"a is not None", "(EXPR (COMPARE is not a None))"},
    {"a if b else c if d else e", "(EXPR (IFEXP b a (IFEXP d c e)))"},
    {"(lambda: 1) if a else b", "(EXPR (IFEXP a (LAMBDA (PARAMS) 1) b))"},
    {"(y := 5) + 1", "(EXPR (BINARY + (WALRUS y 5) 1))"},
    /* access and calls */
    {"a.b.c", "(EXPR (ATTR c (ATTR b a)))"},
    {"a[1]", "(EXPR (INDEX a 1))"},
    {"a[1:2]", "(EXPR (INDEX a (SLICE 1 2 -)))"},
    {"a[::2]", "(EXPR (INDEX a (SLICE - - 2)))"},
    {"a[:]", "(EXPR (INDEX a (SLICE - - -)))"},
    {"a[1, 2:3]", "(EXPR (INDEX a (TUPLE 1 (SLICE 2 3 -))))"},
    {"a[1,]", "(EXPR (INDEX a (TUPLE 1)))"},
    {"f()", "(EXPR (CALL f))"},
    {"f(a, *b, c=1, **d)", "(EXPR (CALL f a (STAR b) (KEYWORD c 1) (DSTAR d)))"},
    {"f(x for x in y)", "(EXPR (CALL f (GENEXP x (FOR_CLAUSE x y))))"},
    {"f(a, (yield_))", "(EXPR (CALL f a yield_))"},
    {"f(a := 1)", "(EXPR (CALL f (WALRUS a 1)))"},
    {"(a)(b).c[d]", "(EXPR (INDEX (ATTR c (CALL a b)) d))"},
    /* displays */
    {"()", "(EXPR (TUPLE))"},
    {"(a)", "(EXPR a)"},
    {"(a,)", "(EXPR (TUPLE a))"},
    {"[a, *b]", "(EXPR (LIST a (STAR b)))"},
    {"[]", "(EXPR (LIST))"},
    {"{}", "(EXPR (DICT))"},
    {"{a, b}", "(EXPR (SET a b))"},
    {"{a: b, **c,}", "(EXPR (DICT (PAIR a b) (DSTAR c)))"},
    {"[x for x in y if a if b for z in w]",
     "(EXPR (LISTCOMP x (FOR_CLAUSE x y) (IF_CLAUSE a) (IF_CLAUSE b) (FOR_CLAUSE z w)))"},
    {"{k: v for k, v in d}", "(EXPR (DICTCOMP (PAIR k v) (FOR_CLAUSE (TUPLE k v) d)))"},
    {"{x for x in y}", "(EXPR (SETCOMP x (FOR_CLAUSE x y)))"},
    {"(x for x, in y)", "(EXPR (GENEXP x (FOR_CLAUSE (TUPLE x) y)))"},
    {"lambda: 0", "(EXPR (LAMBDA (PARAMS) 0))"},
    {"lambda a, b=1, *c, d, **e: a",
     "(EXPR (LAMBDA (PARAMS (PARAM a - -) (PARAM b 1 -) (PARAM * c - -) (PARAM keyword d - -) "
     "(PARAM ** e - -)) a))"},
    {"lambda a, /, *, b: a", "(EXPR (LAMBDA (PARAMS (PARAM / a - -) (PARAM keyword b - -)) a))"},
    {"x = [\n 1,  # one\n\n 2\n]", "(ASSIGN (LIST 1 2) x)"},
    {"a + \\\n b", "(EXPR (BINARY + a b))"},
    {"größe", "(EXPR größe)"},
};

static void check_bytes(void)
{
    struct parsed p;
    parsed_open(&p, "'a\\0b'", 6, true);
    const struct node *node = p.tree->kid[0]->kid[0];
    ok(node->kind == NODE_STR && node->len == 3 && !memcmp(node->text, "a\0b", 4),
       "a string may hold a NUL: its length is given");
    parsed_close(&p);
}

static void check_spans(void)
{
    static const char text[] = "x = (a + b).c[0]\n";
    struct parsed p;
    size_t len;
    parsed_open(&p, text, strlen(text), true);
    const char *value = span_text(p.sources, p.tree->kid[0]->kid[0]->span, &len);
    ok(len == 12 && !strncmp(value, "(a + b).c[0]", len), "a span covers the whole expression");
    parsed_close(&p);
}

static void check_small_ints(void)
{
    struct parsed p;
    parsed_open(&p, "999999999999999999; 1000000000000000000", 39, true);
    const struct node *small = p.tree->kid[0]->kid[0], *big = p.tree->kid[1]->kid[0];
    ok(small->op == 1 && small->num == 999999999999999999, "18 digits are also a number");
    ok(big->op == 0 && !strcmp(big->text, "1000000000000000000"), "19 digits are text only");
    parsed_close(&p);
}

static void check_expression(const char *text, const char *want)
{
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct intern *names = intern_new();
    struct arena arena = {0};
    struct buf got = {0};
    struct node *tree = parse_expression(&arena, names, dx,
                                         source_add(sources, "t", text, strlen(text)));
    if (tree)
        ast_print(tree, names, &got);
    ok(!strcmp(buf_text(&got), want) && !tree == (diag_errors(dx) > 0), "one expression: %s", text);
    buf_free(&got);
    arena_free(&arena);
    intern_free(names);
    diags_free(dx);
    sources_free(sources);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_tree(rows[i].text, rows[i].tree, true);
    check_expression("attempt * 100", "(BINARY * attempt 100)");
    check_expression("  a, b\n", "(TUPLE a b)");
    check_expression("a = 1", "");
    check_expression("", "");
    check_expression("a\nb", "");
    check_bytes();
    check_spans();
    check_small_ints();
    return done();
}
