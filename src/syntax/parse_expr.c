// SPDX-License-Identifier: MIT
/* parse_expr.c: expressions. Infix operators are rows of one table, taken by one function. */
#include "syntax/parser.h"

static struct node *primary(struct parser *ps);

/* Infix operators by token. Comparisons and the boolean operators have functions of their own. */
static const struct infix {
    uint8_t strength, op;
} infix[TOKEN_KIND_COUNT] = {
    [TOKEN_OR] = {BIND_OR},
    [TOKEN_AND] = {BIND_AND},
    [TOKEN_LT] = {BIND_COMPARE, OP_LT},
    [TOKEN_LE] = {BIND_COMPARE, OP_LE},
    [TOKEN_GT] = {BIND_COMPARE, OP_GT},
    [TOKEN_GE] = {BIND_COMPARE, OP_GE},
    [TOKEN_EQ] = {BIND_COMPARE, OP_EQ},
    [TOKEN_NE] = {BIND_COMPARE, OP_NE},
    [TOKEN_IN] = {BIND_COMPARE, OP_IN},
    [TOKEN_IS] = {BIND_COMPARE, OP_IS},
    [TOKEN_NOT] = {BIND_COMPARE, OP_NOT_IN},
    [TOKEN_PIPE] = {BIND_BITOR, OP_BITOR},
    [TOKEN_CARET] = {BIND_BITXOR, OP_BITXOR},
    [TOKEN_AMP] = {BIND_BITAND, OP_BITAND},
    [TOKEN_SHL] = {BIND_SHIFT, OP_LSHIFT},
    [TOKEN_SHR] = {BIND_SHIFT, OP_RSHIFT},
    [TOKEN_PLUS] = {BIND_ADD, OP_ADD},
    [TOKEN_MINUS] = {BIND_ADD, OP_SUB},
    [TOKEN_STAR] = {BIND_MUL, OP_MUL},
    [TOKEN_SLASH] = {BIND_MUL, OP_DIV},
    [TOKEN_DOUBLESLASH] = {BIND_MUL, OP_FLOORDIV},
    [TOKEN_PERCENT] = {BIND_MUL, OP_MOD},
    [TOKEN_AT] = {BIND_MUL, OP_MATMUL},
};

/* Displays and other bracketed things. */

bool ps_at_comprehension(const struct parser *ps)
{
    return at(ps, TOKEN_FOR) || (at(ps, TOKEN_ASYNC) && ps_peek(ps)->kind == TOKEN_FOR);
}

void ps_push_clauses(struct parser *ps)
{
    while (ps_at_comprehension(ps)) {
        uint32_t start = ps->tok->at;
        bool async = ps_accept(ps, TOKEN_ASYNC);
        if (async && !ps->context.async)
            complain_kind(ps->dx, "SyntaxError", (struct span){start, ps->tok->end},
                          "asynchronous comprehension outside of an asynchronous function");
        ps_advance(ps);
        struct node *target = ps_loop_target(ps);
        ps_expect(ps, TOKEN_IN);
        struct node *clause = ps_two(ps, NODE_FOR_CLAUSE, start, target, ps_binary(ps, BIND_OR));
        clause->op = async;
        push(ps, clause);
        for (start = ps->tok->at; ps_accept(ps, TOKEN_IF); start = ps->tok->at)
            push(ps, ps_one(ps, NODE_IF_CLAUSE, start, ps_binary(ps, BIND_OR)));
    }
}

static struct node *starred(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    return ps_one(ps, NODE_STAR, start, ps_binary(ps, BIND_BITOR));
}

static struct node *element(struct parser *ps)
{
    return at(ps, TOKEN_STAR) ? starred(ps) : ps_named_expression(ps);
}

/* What an element of a display must be followed by. */
static void after_element(struct parser *ps, enum token_kind closer)
{
    if (ps_accept(ps, TOKEN_COMMA) || at(ps, closer))
        return;
    if (token_starts_expression(ps->tok->kind))
        ps_syntax_error(ps, token_span(ps->tok), "invalid syntax. Perhaps you forgot a comma?");
    ps_unexpected(ps);
}

/* What a display is, and what it is if a comprehension stands in it. */
struct display {
    enum node_kind kind, comprehension;
    enum token_kind closer;
};

/* The rest of a display whose first element is pushed; the closing bracket too. */
static struct node *display_rest(struct parser *ps, struct display display, uint32_t start,
                                 uint32_t mark)
{
    if (ps_at_comprehension(ps)) {
        if (ps->kids.at[mark]->kind == NODE_STAR)
            ps_syntax_error(ps, ps->kids.at[mark]->span,
                            "iterable unpacking cannot be used in comprehension");
        ps_push_clauses(ps);
        ps_expect(ps, display.closer);
        return ps_close(ps, display.comprehension, start, mark);
    }
    after_element(ps, display.closer);
    while (!at(ps, display.closer)) {
        push(ps, element(ps));
        after_element(ps, display.closer);
    }
    ps_advance(ps);
    return ps_close(ps, display.kind, start, mark);
}

static struct node *list_display(struct parser *ps)
{
    static const struct display list = {NODE_LIST, NODE_LISTCOMP, TOKEN_RBRACKET};
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    if (ps_accept(ps, TOKEN_RBRACKET))
        return ps_close(ps, NODE_LIST, start, mark);
    push(ps, element(ps));
    return display_rest(ps, list, start, mark);
}

/* (), (a), (a,), (yield), (x for x in y): a lone expression is itself. */
static struct node *parenthesised(struct parser *ps)
{
    static const struct display tuple = {NODE_TUPLE, NODE_GENEXP, TOKEN_RPAREN};
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    if (ps_accept(ps, TOKEN_RPAREN))
        return ps_close(ps, NODE_TUPLE, start, mark);
    if (at(ps, TOKEN_YIELD)) {
        struct node *yielded = ps_yield_expression(ps);
        ps_expect(ps, TOKEN_RPAREN);
        return yielded;
    }
    struct node *first = element(ps);
    if (at(ps, TOKEN_RPAREN) && first->kind == NODE_STAR)
        ps_syntax_error(ps, first->span, "cannot use starred expression here");
    if (ps_accept(ps, TOKEN_RPAREN))
        return first;
    push(ps, first);
    return display_rest(ps, tuple, start, mark);
}

/* What stands behind the colon of a key. */
static struct node *dict_value(struct parser *ps)
{
    if (at(ps, TOKEN_RBRACE) || at(ps, TOKEN_COMMA))
        ps_syntax_error(ps, token_span(ps->tok),
                        "expression expected after dictionary key and ':'");
    return ps_expression(ps);
}

static struct node *dict_item(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    if (ps_accept(ps, TOKEN_DOUBLESTAR))
        return ps_one(ps, NODE_DSTAR, start, ps_binary(ps, BIND_BITOR));
    struct node *key = ps_expression(ps);
    if (!ps_accept(ps, TOKEN_COLON))
        ps_syntax_error(ps, token_span(ps->tok), "':' expected after dictionary key");
    return ps_two(ps, NODE_PAIR, start, key, dict_value(ps));
}

/* The rest of a dict display whose first item is pushed. */
static struct node *dict_display(struct parser *ps, uint32_t start, uint32_t mark)
{
    if (ps_at_comprehension(ps)) {
        if (ps->kids.at[mark]->kind == NODE_DSTAR)
            ps_syntax_error(ps, ps->kids.at[mark]->span,
                            "dict unpacking cannot be used in dict comprehension");
        ps_push_clauses(ps);
        ps_expect(ps, TOKEN_RBRACE);
        return ps_close(ps, NODE_DICTCOMP, start, mark);
    }
    after_element(ps, TOKEN_RBRACE);
    while (!at(ps, TOKEN_RBRACE)) {
        push(ps, dict_item(ps));
        after_element(ps, TOKEN_RBRACE);
    }
    ps_advance(ps);
    return ps_close(ps, NODE_DICT, start, mark);
}

static struct node *braces(struct parser *ps)
{
    static const struct display set = {NODE_SET, NODE_SETCOMP, TOKEN_RBRACE};
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    if (ps_accept(ps, TOKEN_RBRACE))
        return ps_close(ps, NODE_DICT, start, mark);
    if (at(ps, TOKEN_DOUBLESTAR)) {
        push(ps, dict_item(ps));
        return dict_display(ps, start, mark);
    }
    struct node *first = element(ps);
    if (ps_accept(ps, TOKEN_COLON)) {
        if (first->kind == NODE_STAR)
            ps_syntax_error(ps, first->span, "cannot use a starred expression in a dictionary key");
        push(ps, ps_two(ps, NODE_PAIR, first->span.at, first, dict_value(ps)));
        return dict_display(ps, start, mark);
    }
    push(ps, first);
    return display_rest(ps, set, start, mark);
}

/* Atoms and what follows them. */

static struct node *constant(struct parser *ps, enum node_kind kind)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    return ps_leaf(ps, kind, start);
}

static struct node *atom(struct parser *ps)
{
    switch (ps->tok->kind) {
    case TOKEN_NAME: return ps_name(ps, "name");
    case TOKEN_NUMBER: return ps_number_literal(ps);
    case TOKEN_STRING:
    case TOKEN_FSTRING_START: return ps_string_literal(ps);
    case TOKEN_LPAREN: return parenthesised(ps);
    case TOKEN_LBRACKET: return list_display(ps);
    case TOKEN_LBRACE: return braces(ps);
    case TOKEN_NONE: return constant(ps, NODE_NONE);
    case TOKEN_TRUE: return constant(ps, NODE_TRUE);
    case TOKEN_FALSE: return constant(ps, NODE_FALSE);
    case TOKEN_ELLIPSIS: return constant(ps, NODE_ELLIPSIS);
    default: ps_unexpected(ps);
    }
}

static bool at_slice_end(const struct parser *ps)
{
    return at(ps, TOKEN_COLON) || at(ps, TOKEN_COMMA) || at(ps, TOKEN_RBRACKET);
}

/* One subscript: an expression, *expression, or start:stop:step. */
static struct node *subscript(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    struct node *first = at_slice_end(ps) ? NULL : element(ps);
    if (!at(ps, TOKEN_COLON)) {
        if (!first)
            ps_unexpected(ps);
        return first;
    }
    push(ps, first);
    for (int i = 0; i < 2; i++)
        push(ps, ps_accept(ps, TOKEN_COLON) && !at_slice_end(ps) ? ps_expression(ps) : NULL);
    return ps_close(ps, NODE_SLICE, start, mark);
}

static struct node *subscripts(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    struct node *first = subscript(ps);
    if (at(ps, TOKEN_RBRACKET) && first->kind != NODE_STAR)
        return first;
    push(ps, first);
    while (!at(ps, TOKEN_RBRACKET)) {
        after_element(ps, TOKEN_RBRACKET);
        if (!at(ps, TOKEN_RBRACKET))
            push(ps, subscript(ps));
    }
    return ps_close(ps, NODE_TUPLE, start, mark);
}

static struct node *call(struct parser *ps, struct node *callee)
{
    uint32_t mark = kids_mark(ps);
    push(ps, callee);
    ps_advance(ps);
    ps_push_arguments(ps, TOKEN_RPAREN);
    ps_expect(ps, TOKEN_RPAREN);
    return ps_close(ps, NODE_CALL, callee->span.at, mark);
}

static struct node *attribute(struct parser *ps, struct node *object)
{
    ps_advance(ps);
    sym_t name = ps_take_name(ps, "attribute name");
    struct node *node = ps_one(ps, NODE_ATTR, object->span.at, object);
    node->name = name;
    return node;
}

static struct node *primary(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    bool bracket = at(ps, TOKEN_LPAREN);
    struct node *node = atom(ps);
    if (bracket && node->span.at > start && !at(ps, TOKEN_NEWLINE)) {
        /* What follows belongs to the bracket: (a + b).c begins at the bracket. */
        struct node *whole = arena_new(ps->in, struct node);
        *whole = *node;
        whole->span = (struct span){start, ps->last_end};
        node = whole;
    }
    for (;;) {
        if (at(ps, TOKEN_LPAREN)) {
            node = call(ps, node);
        } else if (at(ps, TOKEN_DOT)) {
            node = attribute(ps, node);
        } else if (ps_accept(ps, TOKEN_LBRACKET)) {
            struct node *index = subscripts(ps);
            ps_expect(ps, TOKEN_RBRACKET);
            node = ps_two(ps, NODE_INDEX, node->span.at, node, index);
        } else {
            return node;
        }
    }
}

static struct node *unary(struct parser *ps);

static struct node *await(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    if (!ps->context.async)
        complain_kind(ps->dx, "SyntaxError", token_span(ps->tok), "'await' outside %sfunction",
                      ps->context.function ? "async " : "");
    ps_advance(ps);
    return ps_one(ps, NODE_AWAIT, start, primary(ps));
}

/* x ** y binds tighter than a sign on its left but not on its right. */
static struct node *power(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    struct node *node = at(ps, TOKEN_AWAIT) ? await(ps) : primary(ps);
    if (!ps_accept(ps, TOKEN_DOUBLESTAR))
        return node;
    node = ps_two(ps, NODE_BINARY, start, node, unary(ps));
    node->op = OP_POW;
    return node;
}

static struct node *unary(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    int op = at(ps, TOKEN_MINUS)   ? OP_NEG
             : at(ps, TOKEN_PLUS)  ? OP_POS
             : at(ps, TOKEN_TILDE) ? OP_INVERT
                                   : -1;
    struct node *node;
    ps_enter(ps);
    if (op < 0) {
        node = power(ps);
    } else {
        ps_advance(ps);
        node = ps_one(ps, NODE_UNARY, start, unary(ps));
        node->op = (uint8_t)op;
    }
    leave(ps);
    return node;
}

static enum node_op comparison_op(struct parser *ps)
{
    enum token_kind kind = ps->tok->kind;
    ps_advance(ps);
    if (kind == TOKEN_NOT)
        ps_expect(ps, TOKEN_IN);
    if (kind == TOKEN_IS && ps_accept(ps, TOKEN_NOT))
        return OP_IS_NOT;
    return infix[kind].op;
}

static bool at_comparison(const struct parser *ps)
{
    return infix[ps->tok->kind].strength == BIND_COMPARE &&
           (!at(ps, TOKEN_NOT) || ps_peek(ps)->kind == TOKEN_IN);
}

static struct node *comparison(struct parser *ps, struct node *left)
{
    uint32_t start = left->span.at, mark = kids_mark(ps);
    while (at_comparison(ps)) {
        uint32_t from = left->span.at;
        enum node_op op = comparison_op(ps);
        struct node *right = ps_binary(ps, BIND_BITOR);
        struct node *node = ps_two(ps, NODE_COMPARE, from, left, right);
        node->op = op;
        push(ps, node);
        left = right;
    }
    if (ps->kids.len == mark + 1)
        return ps->kids.at[--ps->kids.len];
    return ps_close(ps, NODE_CHAIN, start, mark);
}

static struct node *boolean(struct parser *ps, struct node *left, enum token_kind word)
{
    uint32_t mark = kids_mark(ps);
    push(ps, left);
    while (ps_accept(ps, word))
        push(ps, ps_binary(ps, word == TOKEN_OR ? BIND_AND : BIND_NOT));
    return ps_close(ps, word == TOKEN_OR ? NODE_OR : NODE_AND, left->span.at, mark);
}

static struct node *not_test(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    struct node *node = ps_one(ps, NODE_UNARY, start, ps_binary(ps, BIND_NOT));
    node->op = OP_NOT;
    return node;
}

struct node *ps_binary(struct parser *ps, enum strength least)
{
    ps_enter(ps);
    struct node *left = at(ps, TOKEN_NOT) && least <= BIND_NOT ? not_test(ps) : unary(ps);
    for (;;) {
        struct infix row = infix[ps->tok->kind];
        if (!row.strength || row.strength < least)
            break;
        if (row.strength == BIND_COMPARE) {
            if (!at_comparison(ps))
                break;
            left = comparison(ps, left);
        } else if (row.strength < BIND_COMPARE) {
            left = boolean(ps, left, ps->tok->kind);
        } else {
            ps_advance(ps);
            left = ps_two(ps, NODE_BINARY, left->span.at, left, ps_binary(ps, row.strength + 1));
            left->op = row.op;
        }
    }
    leave(ps);
    return left;
}

static struct node *lambda(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    struct node *params = ps_parameters(ps, TOKEN_COLON, false);
    ps_expect(ps, TOKEN_COLON);
    struct context outer = ps->context;
    ps->context = (struct context){.function = true};
    struct node *body = ps_expression(ps);
    ps->context = outer;
    return ps_two(ps, NODE_LAMBDA, start, params, body);
}

static struct node *conditional(struct parser *ps, struct node *then)
{
    uint32_t mark = kids_mark(ps);
    ps_advance(ps);
    push(ps, ps_binary(ps, BIND_OR));
    push(ps, then);
    if (!ps_accept(ps, TOKEN_ELSE))
        ps_syntax_error(ps, token_span(ps->tok), "expected 'else' after 'if' expression");
    push(ps, ps_expression(ps));
    return ps_close(ps, NODE_IFEXP, then->span.at, mark);
}

struct node *ps_expression(struct parser *ps)
{
    ps_enter(ps);
    bool function = at(ps, TOKEN_LAMBDA);
    struct node *node = function ? lambda(ps) : ps_binary(ps, BIND_OR);
    if (at(ps, TOKEN_IF) && !function)
        node = conditional(ps, node);
    leave(ps);
    return node;
}

struct node *ps_named_expression(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    struct node *node = ps_expression(ps);
    if (!at(ps, TOKEN_WALRUS))
        return node;
    if (node->kind != NODE_NAME)
        ps_syntax_error(ps, node->span, "only a name can stand left of ':='");
    ps_advance(ps);
    return ps_two(ps, NODE_WALRUS, start, node, ps_expression(ps));
}

/* Lists without brackets. */

static bool at_list_end(const struct parser *ps)
{
    return !token_starts_expression(ps->tok->kind) && !at(ps, TOKEN_STAR);
}

static struct node *bare_list(struct parser *ps, struct node *(*item)(struct parser *ps))
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    struct node *first = at(ps, TOKEN_STAR) ? starred(ps) : item(ps);
    if (!at(ps, TOKEN_COMMA))
        return first;
    push(ps, first);
    while (ps_accept(ps, TOKEN_COMMA) && !at_list_end(ps))
        push(ps, at(ps, TOKEN_STAR) ? starred(ps) : item(ps));
    return ps_close(ps, NODE_TUPLE, start, mark);
}

struct node *ps_expression_list(struct parser *ps)
{
    struct node *node = bare_list(ps, ps_expression);
    if (node->kind == NODE_STAR)
        ps_syntax_error(ps, node->span, "can't use starred expression here");
    return node;
}

struct node *ps_yield_expression(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    if (!ps->context.function)
        complain_kind(ps->dx, "SyntaxError", token_span(ps->tok), "'yield' outside function");
    ps_advance(ps);
    if (ps_accept(ps, TOKEN_FROM))
        return ps_one(ps, NODE_YIELD_FROM, start, ps_expression(ps));
    return ps_one(ps, NODE_YIELD, start, at_list_end(ps) ? NULL : bare_list(ps, ps_expression));
}

struct node *ps_statement_expression(struct parser *ps)
{
    return at(ps, TOKEN_YIELD) ? ps_yield_expression(ps) : bare_list(ps, ps_expression);
}

static struct node *target_item(struct parser *ps)
{
    return ps_binary(ps, BIND_BITOR);
}

struct node *ps_loop_target(struct parser *ps)
{
    struct node *target = bare_list(ps, target_item);
    ps_check_target(ps, target, "assign to");
    return target;
}

/* Targets. */

static const char *describe_target(const struct node *node)
{
    switch (node->kind) {
    case NODE_CALL: return "function call";
    case NODE_NONE: return "None";
    case NODE_TRUE: return "True";
    case NODE_FALSE: return "False";
    case NODE_ELLIPSIS: return "ellipsis";
    case NODE_FSTRING: return "f-string expression";
    case NODE_COMPARE:
    case NODE_CHAIN: return "comparison";
    case NODE_LAMBDA: return "lambda";
    case NODE_IFEXP: return "conditional expression";
    case NODE_DICT: return "dict literal";
    case NODE_SET: return "set display";
    case NODE_LISTCOMP: return "list comprehension";
    case NODE_SETCOMP: return "set comprehension";
    case NODE_DICTCOMP: return "dict comprehension";
    case NODE_GENEXP: return "generator expression";
    case NODE_YIELD:
    case NODE_YIELD_FROM: return "yield expression";
    case NODE_AWAIT: return "await expression";
    case NODE_WALRUS: return "named expression";
    case NODE_STAR: return "starred";
    case NODE_INT:
    case NODE_FLOAT:
    case NODE_IMAG:
    case NODE_STR:
    case NODE_BYTES: return "literal";
    default: return "expression";
    }
}

void ps_check_target(struct parser *ps, const struct node *node, const char *verb)
{
    switch (node->kind) {
    case NODE_NAME:
    case NODE_ATTR:
    case NODE_INDEX: return;
    case NODE_TUPLE:
    case NODE_LIST:
        for (uint32_t i = 0, stars = 0; i < node->n; i++) {
            const struct node *item = node->kid[i];
            bool star = item->kind == NODE_STAR && *verb == 'a';
            if (star && stars++)
                ps_syntax_error(ps, item->span, "multiple starred expressions in assignment");
            ps_check_target(ps, star ? item->kid[0] : item, verb);
        }
        return;
    case NODE_STAR:
        if (*verb == 'a')
            ps_syntax_error(ps, node->span, "starred assignment target must be in a list or tuple");
    }
    ps_syntax_error(ps, node->span, "cannot %s %s", verb, describe_target(node));
}
