// SPDX-License-Identifier: MIT
/* parse_match.c: match statements. match and case are ordinary names elsewhere; a line that begins
 * with match is the statement when it ends in a colon and the block below it begins with case. */
#include "syntax/parser.h"

static struct node *pattern(struct parser *ps);

bool ps_at_match(const struct parser *ps)
{
    if (!token_is(ps, ps->tok, "match"))
        return false;
    const struct token *token = ps->tok + 1;
    if (token->kind == TOKEN_COLON || token->kind == TOKEN_DOT || token->kind == TOKEN_ASSIGN)
        return false;
    while (token->kind != TOKEN_NEWLINE && token->kind != TOKEN_END)
        token++;
    return token[-1].kind == TOKEN_COLON && token->kind == TOKEN_NEWLINE &&
           token[1].kind == TOKEN_INDENT && token_is(ps, &token[2], "case");
}

/* Constants: numbers with a sign, complex numbers, strings, None, True, False. */
static struct node *constant(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    bool number = at(ps, TOKEN_NUMBER) || at(ps, TOKEN_MINUS);
    struct node *node = ps_binary(ps, number ? BIND_ADD : BIND_UNARY);
    return ps_one(ps, NODE_PAT_VALUE, start, node);
}

/* a.b.c: the value; a alone: a name that is bound; _: anything. */
static struct node *name_pattern(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    bool wildcard = token_is(ps, ps->tok, "_");
    struct node *value = ps_name(ps, "name");
    if (!at(ps, TOKEN_DOT) && !at(ps, TOKEN_LPAREN)) {
        struct node *node = ps_leaf(ps, NODE_PAT_CAPTURE, start);
        node->name = wildcard ? 0 : value->name;
        return node;
    }
    while (ps_accept(ps, TOKEN_DOT)) {
        sym_t attr = ps_take_name(ps, "attribute name");
        value = ps_one(ps, NODE_ATTR, start, value);
        value->name = attr;
    }
    return at(ps, TOKEN_LPAREN) ? value : ps_one(ps, NODE_PAT_VALUE, start, value);
}

static struct node *class_argument(struct parser *ps, bool *named)
{
    uint32_t start = ps->tok->at;
    if (!at(ps, TOKEN_NAME) || ps_peek(ps)->kind != TOKEN_ASSIGN) {
        struct node *positional = pattern(ps);
        if (*named)
            ps_syntax_error(ps, positional->span, "positional patterns follow keyword patterns");
        return positional;
    }
    *named = true;
    sym_t name = ps_take_name(ps, "attribute name");
    ps_advance(ps);
    struct node *node = ps_one(ps, NODE_KEYWORD, start, pattern(ps));
    node->name = name;
    return node;
}

static struct node *class_pattern(struct parser *ps, struct node *class)
{
    uint32_t mark = kids_mark(ps);
    bool named = false;
    push(ps, class);
    ps_advance(ps);
    while (!at(ps, TOKEN_RPAREN)) {
        push(ps, class_argument(ps, &named));
        if (!at(ps, TOKEN_RPAREN))
            ps_expect(ps, TOKEN_COMMA);
    }
    ps_advance(ps);
    return ps_close(ps, NODE_PAT_CLASS, class->span.at, mark);
}

/* *rest or **rest. */
static struct node *star_pattern(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    bool wildcard = token_is(ps, ps->tok, "_");
    sym_t name = ps_take_name(ps, "name");
    struct node *node = ps_leaf(ps, NODE_PAT_STAR, start);
    node->name = wildcard ? 0 : name;
    return node;
}

static struct node *item_pattern(struct parser *ps)
{
    return at(ps, TOKEN_STAR) ? star_pattern(ps) : pattern(ps);
}

/* Patterns up to the closing token, which stays; one star at most. */
static void push_sequence(struct parser *ps, enum token_kind closer, uint32_t mark)
{
    int stars = ps->kids.len > mark && ps->kids.at[mark]->kind == NODE_PAT_STAR;
    while (!at(ps, closer) && !at(ps, TOKEN_IF)) {
        struct node *item = item_pattern(ps);
        stars += item->kind == NODE_PAT_STAR;
        if (stars > 1)
            ps_syntax_error(ps, item->span, "multiple starred expressions in sequence pattern");
        push(ps, item);
        if (!at(ps, closer) && !at(ps, TOKEN_IF))
            ps_expect(ps, TOKEN_COMMA);
    }
}

/* [a, b], (a, b); (a) is a itself. */
static struct node *sequence_pattern(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    enum token_kind closer = at(ps, TOKEN_LBRACKET) ? TOKEN_RBRACKET : TOKEN_RPAREN;
    ps_advance(ps);
    if (closer == TOKEN_RPAREN && !at(ps, closer)) {
        struct node *first = item_pattern(ps);
        if (first->kind != NODE_PAT_STAR && ps_accept(ps, closer))
            return first;
        push(ps, first);
        if (!at(ps, closer))
            ps_expect(ps, TOKEN_COMMA);
    }
    push_sequence(ps, closer, mark);
    ps_expect(ps, closer);
    return ps_close(ps, NODE_PAT_SEQUENCE, start, mark);
}

static struct node *mapping_item(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    if (at(ps, TOKEN_DOUBLESTAR))
        return star_pattern(ps);
    struct node *key = at(ps, TOKEN_NAME) ? name_pattern(ps) : constant(ps);
    if (key->kind != NODE_PAT_VALUE)
        ps_syntax_error(ps, key->span, "a mapping pattern's key is a constant or a dotted name");
    ps_expect(ps, TOKEN_COLON);
    return ps_two(ps, NODE_PAIR, start, key->kid[0], pattern(ps));
}

static struct node *mapping_pattern(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    while (!at(ps, TOKEN_RBRACE)) {
        if (ps->kids.len > mark && ps->kids.at[ps->kids.len - 1]->kind == NODE_PAT_STAR)
            ps_syntax_error(ps, token_span(ps->tok),
                            "nothing may follow **rest in a mapping pattern");
        push(ps, mapping_item(ps));
        if (!at(ps, TOKEN_RBRACE))
            ps_expect(ps, TOKEN_COMMA);
    }
    ps_advance(ps);
    return ps_close(ps, NODE_PAT_MAPPING, start, mark);
}

static struct node *closed_pattern(struct parser *ps)
{
    switch (ps->tok->kind) {
    case TOKEN_NAME: {
        struct node *node = name_pattern(ps);
        return at(ps, TOKEN_LPAREN) ? class_pattern(ps, node) : node;
    }
    case TOKEN_LPAREN:
    case TOKEN_LBRACKET: return sequence_pattern(ps);
    case TOKEN_LBRACE: return mapping_pattern(ps);
    case TOKEN_NUMBER:
    case TOKEN_MINUS:
    case TOKEN_STRING:
    case TOKEN_FSTRING_START:
    case TOKEN_NONE:
    case TOKEN_TRUE:
    case TOKEN_FALSE: return constant(ps);
    default: ps_unexpected(ps);
    }
}

static struct node *or_pattern(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    struct node *first = closed_pattern(ps);
    if (!at(ps, TOKEN_PIPE))
        return first;
    push(ps, first);
    while (ps_accept(ps, TOKEN_PIPE))
        push(ps, closed_pattern(ps));
    return ps_close(ps, NODE_PAT_OR, start, mark);
}

static struct node *pattern(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_enter(ps);
    struct node *node = or_pattern(ps);
    if (ps_accept(ps, TOKEN_AS)) {
        if (token_is(ps, ps->tok, "_"))
            ps_syntax_error(ps, token_span(ps->tok), "cannot use '_' as a target");
        sym_t name = ps_take_name(ps, "name");
        node = ps_one(ps, NODE_PAT_AS, start, node);
        node->name = name;
    }
    leave(ps);
    return node;
}

static struct node *top_pattern(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    struct node *first = item_pattern(ps);
    if (!at(ps, TOKEN_COMMA) && first->kind != NODE_PAT_STAR)
        return first;
    push(ps, first);
    if (ps_accept(ps, TOKEN_COMMA))
        push_sequence(ps, TOKEN_COLON, mark);
    return ps_close(ps, NODE_PAT_SEQUENCE, start, mark);
}

static void case_clause(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    if (!token_is(ps, ps->tok, "case"))
        ps_unexpected(ps);
    ps_advance(ps);
    push(ps, top_pattern(ps));
    push(ps, ps_accept(ps, TOKEN_IF) ? ps_named_expression(ps) : NULL);
    ps_expect(ps, TOKEN_COLON);
    push(ps, ps_block(ps, "'case' statement", start));
    push(ps, ps_close(ps, NODE_CASE, start, mark));
}

static struct node *subject(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    bool star = at(ps, TOKEN_STAR);
    struct node *first = star ? ps_statement_expression(ps) : ps_named_expression(ps);
    if (!at(ps, TOKEN_COMMA))
        return first;
    push(ps, first);
    while (ps_accept(ps, TOKEN_COMMA) && !at(ps, TOKEN_COLON))
        push(ps, at(ps, TOKEN_STAR) ? ps_statement_expression(ps) : ps_named_expression(ps));
    return ps_close(ps, NODE_TUPLE, start, mark);
}

struct node *ps_match_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    push(ps, subject(ps));
    ps_expect(ps, TOKEN_COLON);
    ps_expect(ps, TOKEN_NEWLINE);
    ps_expect(ps, TOKEN_INDENT);
    while (!at(ps, TOKEN_DEDENT) && !at(ps, TOKEN_END)) {
        if (!ps_guarded(ps, case_clause))
            ps_skip_line(ps);
    }
    ps_accept(ps, TOKEN_DEDENT);
    return ps_close(ps, NODE_MATCH, start, mark);
}
