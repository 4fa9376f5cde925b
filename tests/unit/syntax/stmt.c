// SPDX-License-Identifier: MIT
/* Python's statements as trees. */
#include "check.h"

static const struct {
    const char *text, *tree;
} rows[] = {
    {"", ""},
    {"\n  # only a comment\n\n", ""},
    {"x = 1", "(ASSIGN 1 x)"},
    {"x = y = 1", "(ASSIGN 1 x y)"},
    {"a, *b = c", "(ASSIGN c (TUPLE a (STAR b)))"},
    {"[a, b] = c.d, e[0] = f", "(ASSIGN f (LIST a b) (TUPLE (ATTR d c) (INDEX e 0)))"},
    {"x = 1, 2", "(ASSIGN (TUPLE 1 2) x)"},
    {"x = *a, b", "(ASSIGN (TUPLE (STAR a) b) x)"},
    {"x += 1", "(AUGASSIGN + x 1)"},
    {"x //= y", "(AUGASSIGN // x y)"},
    {"x: int = 1", "(ANNASSIGN x int 1)"},
    {"x: int", "(ANNASSIGN x int -)"},
    {"a; b", "(EXPR a) (EXPR b)"},
    {"pass;", "(PASS)"},
    {"del a, b[0]", "(DEL a (INDEX b 0))"},
    {"assert a, 'm'", "(ASSERT a \"m\")"},
    {"raise", "(RAISE - -)"},
    {"raise A(1) from e", "(RAISE (CALL A 1) e)"},
    {"global a, b", "(GLOBAL a b)"},
    {"import a.b as c, d", "(IMPORT (ALIAS a.b as c) (ALIAS d))"},
    {"from a.b import (c, d as e,)", "(IMPORT_FROM a.b (ALIAS c) (ALIAS d as e))"},
    {"from ... import x", "(IMPORT_FROM dots: 3 (ALIAS x))"},
    {"from .a import *", "(IMPORT_FROM a dots: 1 (ALIAS *))"},
    {"if a: b", "(IF a (BLOCK (EXPR b)) -)"},
    {"if a:\n  b\nelif c:\n  d\nelse:\n  e",
     "(IF a (BLOCK (EXPR b)) (IF c (BLOCK (EXPR d)) (BLOCK (EXPR e))))"},
    {"while a:\n  break\nelse: b", "(WHILE a (BLOCK (BREAK)) (BLOCK (EXPR b)))"},
    {"for a, b in c:\n  continue", "(FOR (TUPLE a b) c (BLOCK (CONTINUE)) -)"},
    {"for x in 1, 2: pass", "(FOR x (TUPLE 1 2) (BLOCK (PASS)) -)"},
    {"try: a\nexcept: b", "(TRY (BLOCK (EXPR a)) - - (EXCEPT - (BLOCK (EXPR b))))"},
    {"try:\n a\nexcept A as e:\n b\nexcept (B, C):\n c\nelse:\n d\nfinally:\n e",
     "(TRY (BLOCK (EXPR a)) (BLOCK (EXPR d)) (BLOCK (EXPR e)) (EXCEPT e A (BLOCK (EXPR b))) "
     "(EXCEPT (TUPLE B C) (BLOCK (EXPR c))))"},
    {"try: a\nexcept* E: b", "(TRY (BLOCK (EXPR a)) - - (EXCEPT * E (BLOCK (EXPR b))))"},
    {"with a as b, c: d", "(WITH (BLOCK (EXPR d)) (WITH_ITEM a b) (WITH_ITEM c -))"},
    {"with (a as b, c as d,): e", "(WITH (BLOCK (EXPR e)) (WITH_ITEM a b) (WITH_ITEM c d))"},
    {"with (a, b): c", "(WITH (BLOCK (EXPR c)) (WITH_ITEM a -) (WITH_ITEM b -))"},
    {"with (a, b) as c: d", "(WITH (BLOCK (EXPR d)) (WITH_ITEM (TUPLE a b) c))"},
    {"with (a): b", "(WITH (BLOCK (EXPR b)) (WITH_ITEM a -))"},
    {"with (f(x) as y): b", "(WITH (BLOCK (EXPR b)) (WITH_ITEM (CALL f x) y))"},
    {"def f(): pass", "(DEF f (PARAMS) (BLOCK (PASS)) -)"},
    {"def f(a: int, *, b=1) -> str:\n  return a",
     "(DEF f (PARAMS (PARAM a - int) (PARAM keyword b 1 -)) (BLOCK (RETURN a)) str)"},
    {"def f[T](a: T): pass", "(DEF f (PARAMS (PARAM a - T)) (BLOCK (PASS)) -)"},
    {"@a\n@b(1)\ndef f(): pass", "(DEF f (PARAMS) (BLOCK (PASS)) - a (CALL b 1))"},
    {"async def f(): await g()", "(DEF async f (PARAMS) (BLOCK (EXPR (AWAIT (CALL g)))) -)"},
    {"async def f(): [x async for x in y]",
     "(DEF async f (PARAMS) (BLOCK (EXPR (LISTCOMP x (FOR_CLAUSE async x y)))) -)"},
    {"def f():\n  x = yield\n  yield a, b\n  yield from c",
     "(DEF f (PARAMS) (BLOCK (ASSIGN (YIELD -) x) (EXPR (YIELD (TUPLE a b))) (EXPR (YIELD_FROM "
     "c))) -)"},
    {"class A: pass", "(CLASS A (BLOCK (PASS)))"},
    {"@d\nclass A(B, m=C):\n  x = 1",
     "(CLASS A decorators: 1 (BLOCK (ASSIGN 1 x)) B (KEYWORD m C) d)"},
    {"type X = int", "(ASSIGN int X)"},
    {"type = 1; type(x)", "(ASSIGN 1 type) (EXPR (CALL type x))"},
    {"match = 1; match(x); match[0] = 2",
     "(ASSIGN 1 match) (EXPR (CALL match x)) (ASSIGN 2 (INDEX match 0))"},
    {"match x:\n case 1: a\n case _: b",
     "(MATCH x (CASE (PAT_VALUE 1) - (BLOCK (EXPR a))) (CASE (PAT_CAPTURE) - (BLOCK (EXPR b))))"},
    {"match a, b:\n case x, *y if x: pass",
     "(MATCH (TUPLE a b) (CASE (PAT_SEQUENCE (PAT_CAPTURE x) (PAT_STAR y)) x (BLOCK (PASS))))"},
    {"match x:\n case [True, None] | (a.b,): pass",
     "(MATCH x (CASE (PAT_OR (PAT_SEQUENCE (PAT_VALUE True) (PAT_VALUE None)) "
     "(PAT_SEQUENCE (PAT_VALUE (ATTR b a)))) - (BLOCK (PASS))))"},
    {"match x:\n case {'k': v, **r}: pass",
     "(MATCH x (CASE (PAT_MAPPING (PAIR \"k\" (PAT_CAPTURE v)) (PAT_STAR r)) - (BLOCK (PASS))))"},
    {"match x:\n case P(1, y=-2) as p: pass",
     "(MATCH x (CASE (PAT_AS p (PAT_CLASS P (PAT_VALUE 1) (KEYWORD y (PAT_VALUE (UNARY - 2))))) - "
     "(BLOCK (PASS))))"},
    {"match (x):\n case (1): pass", "(MATCH x (CASE (PAT_VALUE 1) - (BLOCK (PASS))))"},
    {"if a:\n\tb\n\tc", "(IF a (BLOCK (EXPR b) (EXPR c)) -)"},
    {"if a:\r\n  b\r\nc\r\n", "(IF a (BLOCK (EXPR b)) -) (EXPR c)"},
    {"\xEF\xBB\xBFx", "(EXPR x)"},
    {"if a:\n  b\n# comment\n  c", "(IF a (BLOCK (EXPR b) (EXPR c)) -)"},
    {"print(x)\n\\\n", "(EXPR (CALL print x))"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_tree(rows[i].text, rows[i].tree, true);
    return done();
}
