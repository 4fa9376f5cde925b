// SPDX-License-Identifier: MIT
/* parse_string.c: string, f-string and number literals as nodes. Adjacent literals are one node.
 * Texts under construction lie on top of ps->scratch, so that an f-string's fields can hold strings
 * again. */
#include "syntax/parser.h"

#include <string.h>

#include "syntax/literal.h"

/* Takes what lies above start as a STR or BYTES node. */
static struct node *take_text(struct parser *ps, enum node_kind kind, uint32_t at, size_t start)
{
    struct node *node = ps_leaf(ps, kind, at);
    node->len = (uint32_t)(ps->scratch.len - start);
    node->text = arena_copy(ps->in, buf_text(&ps->scratch) + start, node->len);
    ps->scratch.len = start;
    return node;
}

static void flush_text(struct parser *ps, uint32_t at, size_t start)
{
    if (ps->scratch.len > start)
        push(ps, take_text(ps, NODE_STR, at, start));
}

static void decode(struct parser *ps, const char *text, size_t len, unsigned flags)
{
    uint32_t at = ps->base + (uint32_t)(text - ps->text);
    if (!literal_text(ps->dx, &ps->scratch, text, len, at, flags))
        ps_give_up(ps);
}

static void decode_string(struct parser *ps)
{
    const struct token *token = ps->tok;
    const char *text = token_start(ps, token), *quote = text;
    while (*quote != '"' && *quote != '\'')
        quote++;
    size_t width = token->flags & LITERAL_TRIPLE ? 3 : 1;
    size_t len = token_len(token) - (size_t)(quote - text) - 2 * width;
    decode(ps, quote + width, len, token->flags);
    ps_advance(ps);
}

static void push_parts(struct parser *ps, size_t start);

static uint8_t conversion(struct parser *ps)
{
    if (!at(ps, TOKEN_NAME) || token_len(ps->tok) != 1 || !strchr("rsa", *token_start(ps, ps->tok)))
        ps_syntax_error(ps, token_span(ps->tok),
                        "f-string: invalid conversion character: expected 's', 'r', or 'a'");
    uint8_t letter = (uint8_t)*token_start(ps, ps->tok);
    ps_advance(ps);
    return letter;
}

/* A STR where all pushed above mark is text, else an FSTRING. */
static struct node *close_parts(struct parser *ps, uint32_t at, uint32_t mark, size_t start)
{
    if (ps->kids.len == mark)
        return take_text(ps, NODE_STR, at, start);
    flush_text(ps, at, start);
    return ps_close(ps, NODE_FSTRING, at, mark);
}

static struct node *format_spec(struct parser *ps)
{
    uint32_t at = ps->tok->at, mark = kids_mark(ps);
    size_t start = ps->scratch.len;
    push_parts(ps, start);
    return close_parts(ps, at, mark, start);
}

static struct node *field(struct parser *ps)
{
    uint32_t start = ps->tok->at, behind = ps->tok->end, mark = kids_mark(ps);
    const char *source = NULL;
    uint8_t letter = 0;
    ps_enter(ps);
    ps_advance(ps);
    if (at(ps, TOKEN_FIELD_CLOSE) || at(ps, TOKEN_COLON) || at(ps, TOKEN_BANG) ||
        at(ps, TOKEN_ASSIGN))
        ps_syntax_error(ps, (struct span){start, ps->tok->end},
                        "f-string: valid expression required before %s",
                        token_describe(ps->tok->kind));
    push(ps, ps_statement_expression(ps));
    if (ps->kids.at[mark]->kind == NODE_STAR)
        ps_syntax_error(ps, ps->kids.at[mark]->span, "can't use starred expression here");
    if (ps_accept(ps, TOKEN_ASSIGN))
        source = arena_copy(ps->in, ps->text + (behind - ps->base), ps->tok->at - behind);
    if (ps_accept(ps, TOKEN_BANG))
        letter = conversion(ps);
    push(ps, ps_accept(ps, TOKEN_COLON) ? format_spec(ps) : NULL);
    if (source && !letter && !ps->kids.at[mark + 1])
        letter = 'r';
    if (!at(ps, TOKEN_FIELD_CLOSE) && token_starts_expression(ps->tok->kind))
        ps_syntax_error(ps, token_span(ps->tok),
                        "f-string: invalid syntax. Perhaps you forgot a comma?");
    if (!at(ps, TOKEN_FIELD_CLOSE))
        ps_syntax_error(ps, token_span(ps->tok), "f-string: expecting '}'");
    ps_expect(ps, TOKEN_FIELD_CLOSE);
    struct node *node = ps_close(ps, NODE_FIELD, start, mark);
    node->op = letter;
    node->text = source;
    node->len = source ? (uint32_t)strlen(source) : 0;
    leave(ps);
    return node;
}

/* Texts and fields; text that is not yet followed by a field stays above start. */
static void push_parts(struct parser *ps, size_t start)
{
    while (at(ps, TOKEN_TEXT) || at(ps, TOKEN_FIELD_OPEN)) {
        if (at(ps, TOKEN_TEXT)) {
            decode(ps, token_start(ps, ps->tok), token_len(ps->tok), ps->tok->flags);
            ps_advance(ps);
        } else {
            flush_text(ps, ps->tok->at, start);
            push(ps, field(ps));
        }
    }
}

struct node *ps_string_literal(struct parser *ps)
{
    uint32_t first = ps->tok->at, mark = kids_mark(ps);
    size_t start = ps->scratch.len;
    bool bytes = ps->tok->flags & LITERAL_BYTES;
    while (at(ps, TOKEN_STRING) || at(ps, TOKEN_FSTRING_START)) {
        if (bytes != !!(ps->tok->flags & LITERAL_BYTES))
            ps_syntax_error(ps, token_span(ps->tok), "cannot mix bytes and nonbytes literals");
        if (at(ps, TOKEN_STRING)) {
            decode_string(ps);
            continue;
        }
        ps_advance(ps);
        push_parts(ps, start);
        ps_expect(ps, TOKEN_FSTRING_END);
    }
    if (bytes)
        return take_text(ps, NODE_BYTES, first, start);
    return close_parts(ps, first, mark, start);
}

static bool is_float(const char *text, size_t len)
{
    bool based = len > 1 && *text == '0' && strchr("xXoObB", text[1]);
    return !based && (memchr(text, '.', len) || memchr(text, 'e', len) || memchr(text, 'E', len));
}

struct node *ps_number_literal(struct parser *ps)
{
    const struct token *token = ps->tok;
    const char *text = token_start(ps, token);
    size_t len = token_len(token), start = ps->scratch.len;
    bool imaginary = (text[len - 1] | 0x20) == 'j', small;
    int64_t num;
    ps_advance(ps);
    if (imaginary || is_float(text, len)) {
        struct node *node = ps_leaf(ps, imaginary ? NODE_IMAG : NODE_FLOAT, token->at);
        node->real = literal_float(text, len - imaginary);
        return node;
    }
    if (!literal_int(&ps->scratch, text, len, &num, &small))
        ps_syntax_error(ps, token_span(token),
                        "exceeds the limit (4300 digits) for integer string conversion");
    struct node *node = take_text(ps, NODE_INT, token->at, start);
    node->op = small;
    node->num = num;
    return node;
}
