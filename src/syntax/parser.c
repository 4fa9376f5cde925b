// SPDX-License-Identifier: MIT
/* parser.c: tokens, errors and nodes for the parse_*.c files, and the entry points. */
#include "syntax/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "syntax/lex.h"

/* Tokens. */

void ps_advance(struct parser *ps)
{
    if (ps->tok->kind > TOKEN_NL)
        ps->last_end = ps->tok->end;
    if (ps->tok->kind == TOKEN_END)
        return;
    do {
        ps->tok++;
    } while (ps->tok->kind == TOKEN_NL);
}

bool ps_accept(struct parser *ps, enum token_kind kind)
{
    if (ps->tok->kind != kind)
        return false;
    ps_advance(ps);
    return true;
}

const struct token *ps_peek(const struct parser *ps)
{
    const struct token *token = ps->tok;
    if (token->kind == TOKEN_END)
        return token;
    do {
        token++;
    } while (token->kind == TOKEN_NL);
    return token;
}

const char *token_start(const struct parser *ps, const struct token *token)
{
    return ps->text + (token->at - ps->base);
}

size_t token_len(const struct token *token)
{
    return token->end - token->at;
}

bool token_is(const struct parser *ps, const struct token *token, const char *word)
{
    size_t len = token_len(token);
    return token->kind == TOKEN_NAME && !strncmp(token_start(ps, token), word, len) && !word[len];
}

bool token_starts_expression(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_NAME:
    case TOKEN_NUMBER:
    case TOKEN_STRING:
    case TOKEN_FSTRING_START:
    case TOKEN_LPAREN:
    case TOKEN_LBRACKET:
    case TOKEN_LBRACE:
    case TOKEN_ELLIPSIS:
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_TILDE:
    case TOKEN_NOT:
    case TOKEN_LAMBDA:
    case TOKEN_AWAIT:
    case TOKEN_NONE:
    case TOKEN_TRUE:
    case TOKEN_FALSE: return true;
    default: return false;
    }
}

static void describe(const struct parser *ps, char *out, size_t size)
{
    if (at(ps, TOKEN_NAME))
        snprintf(out, size, "'%.*s'", (int)token_len(ps->tok), token_start(ps, ps->tok));
    else
        snprintf(out, size, "%s", token_describe(ps->tok->kind));
}

void ps_expect(struct parser *ps, enum token_kind kind)
{
    char found[80];
    if (ps_accept(ps, kind))
        return;
    describe(ps, found, sizeof found);
    ps_syntax_error(ps, token_span(ps->tok), "expected %s, not %s", token_describe(kind), found);
}

sym_t ps_take_name(struct parser *ps, const char *what)
{
    char found[80];
    if (!at(ps, TOKEN_NAME)) {
        describe(ps, found, sizeof found);
        ps_syntax_error(ps, token_span(ps->tok), "expected %s, not %s", what, found);
    }
    sym_t name = intern(ps->names, token_start(ps, ps->tok), token_len(ps->tok));
    ps_advance(ps);
    return name;
}

/* Errors. */

struct span token_span(const struct token *token)
{
    return (struct span){token->at, token->end > token->at ? token->end : token->at + 1};
}

void ps_give_up(struct parser *ps)
{
    longjmp(*ps->recover, 1);
}

void ps_give_up_if_reported(struct parser *ps)
{
    const struct token *token = ps->tok;
    while (token->kind != TOKEN_NEWLINE && token->kind != TOKEN_ERROR && token->kind != TOKEN_END)
        token++;
    if (token->kind == TOKEN_ERROR)
        ps_give_up(ps);
}

void ps_syntax_error(struct parser *ps, struct span span, const char *format, ...)
{
    char message[400];
    va_list args;
    ps_give_up_if_reported(ps);
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    complain_kind(ps->dx, "SyntaxError", span, "%s", message);
    ps_give_up(ps);
}

void ps_unexpected(struct parser *ps)
{
    char found[80];
    struct span span = token_span(ps->tok);
    describe(ps, found, sizeof found);
    switch (ps->tok->kind) {
    case TOKEN_ERROR: ps_give_up(ps);
    case TOKEN_INDENT:
        complain_kind(ps->dx, "IndentationError", span, "unexpected indent");
        ps_give_up(ps);
    case TOKEN_ELSE:
    case TOKEN_ELIF:
    case TOKEN_EXCEPT:
    case TOKEN_FINALLY:
        ps_syntax_error(ps, span, "invalid syntax: %s has no statement above that it belongs to",
                        found);
    case TOKEN_NEWLINE: ps_syntax_error(ps, span, "invalid syntax: the line ends too early");
    case TOKEN_ASSIGN:
        ps_syntax_error(ps, span, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
    default: ps_syntax_error(ps, span, "invalid syntax: unexpected %s", found);
    }
}

void ps_enter(struct parser *ps)
{
    if (++ps->depth > PARSER_MAX_DEPTH)
        ps_syntax_error(ps, token_span(ps->tok), "the code is nested too deeply");
}

bool ps_guarded(struct parser *ps, void (*parse)(struct parser *ps))
{
    jmp_buf here, *outer = ps->recover;
    const uint32_t mark = ps->kids.len, depth = ps->depth;
    const size_t scratch = ps->scratch.len;
    const struct context context = ps->context;
    struct rule_block *const rule = ps->rule;
    ps->recover = &here;
    if (!setjmp(here)) {
        parse(ps);
        ps->recover = outer;
        return true;
    }
    ps->recover = outer;
    ps->kids.len = mark;
    ps->depth = depth;
    ps->scratch.len = scratch;
    ps->context = context;
    ps->rule = rule;
    return false;
}

/* Nodes. */

struct node *ps_leaf(struct parser *ps, enum node_kind kind, uint32_t at)
{
    struct node *node = arena_new(ps->in, struct node);
    node->kind = kind;
    node->depth = 1;
    node->span = (struct span){at, ps->last_end > at ? ps->last_end : at};
    return node;
}

struct node *ps_close(struct parser *ps, enum node_kind kind, uint32_t at, uint32_t mark)
{
    struct node *node = ps_leaf(ps, kind, at);
    node->n = ps->kids.len - mark;
    node->kid = arena_array(ps->in, struct node *, node->n ? node->n : 1);
    for (uint32_t i = 0; i < node->n; i++) {
        struct node *kid = node->kid[i] = ps->kids.at[mark + i];
        if (kid && kid->depth >= node->depth)
            node->depth = kid->depth + 1;
    }
    ps->kids.len = mark;
    if (node->depth > AST_MAX_DEPTH)
        ps_syntax_error(ps, (struct span){at, at + 1}, "the code is nested too deeply");
    return node;
}

struct node *ps_one(struct parser *ps, enum node_kind kind, uint32_t at, struct node *kid)
{
    uint32_t mark = kids_mark(ps);
    push(ps, kid);
    return ps_close(ps, kind, at, mark);
}

struct node *ps_two(struct parser *ps, enum node_kind kind, uint32_t at, struct node *a,
                    struct node *b)
{
    uint32_t mark = kids_mark(ps);
    push(ps, a);
    push(ps, b);
    return ps_close(ps, kind, at, mark);
}

struct node *ps_name(struct parser *ps, const char *what)
{
    uint32_t start = ps->tok->at;
    sym_t name = ps_take_name(ps, what);
    struct node *node = ps_leaf(ps, NODE_NAME, start);
    node->name = name;
    return node;
}

int ps_line_of(const struct parser *ps, uint32_t position)
{
    struct place place;
    return source_place(diags_sources(ps->dx), position, &place) ? place.line : 0;
}

/* Entry points. */

static void whole_file(struct parser *ps)
{
    uint32_t mark = kids_mark(ps);
    while (!at(ps, TOKEN_END)) {
        ps_push_statements(ps);
        ps_accept(ps, TOKEN_DEDENT); /* of an indentation that was reported */
    }
    push(ps, ps_close(ps, NODE_BLOCK, ps->base, mark));
}

static void whole_expression(struct parser *ps)
{
    bool blanks = ps_accept(ps, TOKEN_INDENT); /* before it */
    push(ps, ps_expression_list(ps));
    ps_accept(ps, TOKEN_NEWLINE);
    if (blanks)
        ps_accept(ps, TOKEN_DEDENT);
    if (!at(ps, TOKEN_END))
        ps_unexpected(ps);
}

static struct node *parse(struct parser *ps, int source, void (*what)(struct parser *ps))
{
    struct node *tree = NULL;
    struct sources *sources = diags_sources(ps->dx);
    int errors = diag_errors(ps->dx);
    int mark = diag_mark(ps->dx);
    ps->text = source_text(sources, source);
    ps->base = source_base(sources, source);
    ps->tokens = lex_source(ps->dx, source);
    ps->tok = ps->tokens.at;
    while (ps->tok && ps->tok->kind == TOKEN_NL)
        ps->tok++;
    if (ps->tok && ps_guarded(ps, what))
        tree = ps->kids.at[0];
    tokens_free(&ps->tokens);
    vec_free(&ps->kids);
    buf_free(&ps->scratch);
    diag_sort(ps->dx, mark); /* what the lexer found stands in front of what the parser found */
    return diag_errors(ps->dx) == errors ? tree : NULL;
}

struct node *parse_source(struct arena *in, struct intern *names, struct diags *dx, int source,
                          const struct parse_options *options)
{
    struct parser ps = {.in = in, .names = names, .dx = dx, .python = options && options->python};
    return parse(&ps, source, whole_file);
}

struct node *parse_expression(struct arena *in, struct intern *names, struct diags *dx, int source)
{
    struct parser ps = {.in = in, .names = names, .dx = dx, .python = true};
    return parse(&ps, source, whole_expression);
}
