// SPDX-License-Identifier: MIT
/* parse_import.c: import and from ... import. */
#include <string.h>

#include "syntax/parser.h"

/* a.b.c as one symbol. */
static sym_t dotted_name(struct parser *ps)
{
    size_t start = ps->scratch.len;
    do {
        buf_str(&ps->scratch, sym_text(ps->names, ps_take_name(ps, "module name")));
        buf_char(&ps->scratch, '.');
    } while (ps_accept(ps, TOKEN_DOT));
    sym_t name = intern(ps->names, buf_text(&ps->scratch) + start, ps->scratch.len - start - 1);
    ps->scratch.len = start;
    return name;
}

static struct node *alias(struct parser *ps, uint32_t start, sym_t name)
{
    const char *as = NULL;
    if (ps_accept(ps, TOKEN_AS))
        as = sym_text(ps->names, ps_take_name(ps, "name"));
    struct node *node = ps_leaf(ps, NODE_ALIAS, start);
    node->name = name;
    node->text = as;
    node->len = as ? (uint32_t)strlen(as) : 0;
    return node;
}

struct node *ps_import(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    do {
        uint32_t one = ps->tok->at;
        push(ps, alias(ps, one, dotted_name(ps)));
    } while (ps_accept(ps, TOKEN_COMMA));
    return ps_close(ps, NODE_IMPORT, start, mark);
}

static void push_imported(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    if (ps_accept(ps, TOKEN_STAR)) {
        push(ps, alias(ps, start, intern_str(ps->names, "*")));
        return;
    }
    bool bracket = ps_accept(ps, TOKEN_LPAREN);
    do {
        uint32_t one = ps->tok->at;
        sym_t name = ps_take_name(ps, "name");
        push(ps, alias(ps, one, name));
    } while (ps_accept(ps, TOKEN_COMMA) && !(bracket && at(ps, TOKEN_RPAREN)));
    if (bracket)
        ps_expect(ps, TOKEN_RPAREN);
}

struct node *ps_import_from(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    int dots = 0;
    sym_t module = 0;
    ps_advance(ps);
    for (; at(ps, TOKEN_DOT) || at(ps, TOKEN_ELLIPSIS); ps_advance(ps))
        dots += at(ps, TOKEN_DOT) ? 1 : 3;
    if (!dots || at(ps, TOKEN_NAME))
        module = dotted_name(ps);
    ps_expect(ps, TOKEN_IMPORT);
    push_imported(ps);
    struct node *node = ps_close(ps, NODE_IMPORT_FROM, start, mark);
    node->name = module;
    node->num = dots;
    return node;
}
