// SPDX-License-Identifier: MIT
/* parse_call.c: arguments of calls, of class statements and of Snakemake's directives; parameters
 * of functions. */
#include "syntax/parser.h"

/* What has been seen in this argument list, which decides what may still follow. */
struct arguments {
    uint32_t mark;
    bool named, unpacked;
};

static void check_repeated(struct parser *ps, const struct arguments *args, sym_t name,
                           struct span span)
{
    for (uint32_t i = args->mark; i < ps->kids.len; i++) {
        const struct node *kid = ps->kids.at[i];
        if (!kid || kid->kind != NODE_KEYWORD || kid->name != name)
            continue;
        complain_kind(ps->dx, "SyntaxError", span, "keyword argument repeated: %s",
                      sym_text(ps->names, name));
        diag_note(ps->dx, (struct span){kid->span.at, kid->span.at + 1}, "first given here");
        ps_give_up(ps);
    }
}

static struct node *keyword_argument(struct parser *ps, struct arguments *args)
{
    uint32_t start = ps->tok->at;
    struct span span = token_span(ps->tok);
    sym_t name = ps_take_name(ps, "name");
    ps_advance(ps);
    if (!token_starts_expression(ps->tok->kind))
        ps_syntax_error(ps, (struct span){start, ps->last_end},
                        "expected argument value expression");
    check_repeated(ps, args, name, span);
    struct node *node = ps_one(ps, NODE_KEYWORD, start, ps_expression(ps));
    node->name = name;
    args->named = true;
    return node;
}

static struct node *unpacked_argument(struct parser *ps, struct arguments *args)
{
    uint32_t start = ps->tok->at;
    bool mapping = at(ps, TOKEN_DOUBLESTAR);
    if (!mapping && args->unpacked)
        ps_syntax_error(ps, token_span(ps->tok),
                        "iterable argument unpacking follows keyword argument unpacking");
    args->unpacked |= mapping;
    ps_advance(ps);
    return ps_one(ps, mapping ? NODE_DSTAR : NODE_STAR, start, ps_expression(ps));
}

static struct node *positional_argument(struct parser *ps, struct arguments *args,
                                        enum token_kind closer)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    bool lone = mark == args->mark;
    struct node *node = ps_named_expression(ps);
    if (at(ps, TOKEN_ASSIGN))
        ps_syntax_error(ps, (struct span){start, ps->tok->end},
                        "expression cannot contain assignment, perhaps you meant \"==\"?");
    if (ps_at_comprehension(ps)) {
        push(ps, node);
        ps_push_clauses(ps);
        node = ps_close(ps, NODE_GENEXP, start, mark);
        if (!lone || (!at(ps, closer) && ps_peek(ps)->kind != closer))
            ps_syntax_error(ps, node->span, "Generator expression must be parenthesized");
    }
    if (args->unpacked || args->named)
        ps_syntax_error(ps, node->span, "positional argument follows keyword argument%s",
                        args->unpacked ? " unpacking" : "");
    return node;
}

static noreturn void missing_comma(struct parser *ps, enum token_kind closer)
{
    ps_give_up_if_reported(ps);
    complain_kind(ps->dx, "SyntaxError", token_span(ps->tok),
                  "invalid syntax. Perhaps you forgot a comma?");
    if (closer == TOKEN_NEWLINE && at(ps, TOKEN_NAME) && ps_peek(ps)->kind == TOKEN_COLON)
        diag_hint(ps->dx, "a directive is not indented deeper than the one above it");
    ps_give_up(ps);
}

void ps_push_arguments(struct parser *ps, enum token_kind closer)
{
    struct arguments args = {kids_mark(ps)};
    while (!at(ps, closer)) {
        if (at(ps, TOKEN_STAR) || at(ps, TOKEN_DOUBLESTAR))
            push(ps, unpacked_argument(ps, &args));
        else if (at(ps, TOKEN_NAME) && ps_peek(ps)->kind == TOKEN_ASSIGN)
            push(ps, keyword_argument(ps, &args));
        else
            push(ps, positional_argument(ps, &args, closer));
        if (ps_accept(ps, TOKEN_COMMA) || at(ps, closer))
            continue;
        if (token_starts_expression(ps->tok->kind))
            missing_comma(ps, closer);
        ps_unexpected(ps);
    }
}

/* Parameters. */

struct signature {
    uint32_t mark;
    enum param_kind kind; /* of the next plain one */
    bool annotations, defaulted, slash, star, bare_star, done;
};

static void check_duplicate(struct parser *ps, const struct signature *sig,
                            const struct node *param)
{
    for (uint32_t i = sig->mark; i < ps->kids.len; i++) {
        if (ps->kids.at[i]->name == param->name)
            ps_syntax_error(ps, param->span, "duplicate argument '%s' in function definition",
                            sym_text(ps->names, param->name));
    }
}

static void push_param(struct parser *ps, struct signature *sig, enum param_kind kind,
                       uint32_t start)
{
    uint32_t mark = kids_mark(ps);
    sym_t name = ps_take_name(ps, "parameter name");
    struct node *annotation = NULL, *fallback = NULL;
    bool plain = kind == PARAM_PLAIN || kind == PARAM_KEYWORD_ONLY;
    if (sig->annotations && ps_accept(ps, TOKEN_COLON)) {
        if (kind == PARAM_STAR)
            ps_accept(ps, TOKEN_STAR);
        annotation = ps_expression(ps);
    }
    if (plain && ps_accept(ps, TOKEN_ASSIGN))
        fallback = ps_expression(ps);
    if (kind == PARAM_PLAIN && sig->defaulted && !fallback)
        ps_syntax_error(ps, (struct span){start, ps->last_end},
                        "parameter without a default follows parameter with a default");
    sig->defaulted |= kind == PARAM_PLAIN && fallback;
    push(ps, fallback);
    push(ps, annotation);
    struct node *param = ps_close(ps, NODE_PARAM, start, mark);
    param->name = name;
    param->op = kind;
    check_duplicate(ps, sig, param);
    push(ps, param);
    sig->bare_star = false;
}

static void slash(struct parser *ps, struct signature *sig)
{
    if (ps->kids.len == sig->mark)
        ps_syntax_error(ps, token_span(ps->tok), "at least one argument must precede /");
    if (sig->slash || sig->star)
        ps_syntax_error(ps, token_span(ps->tok), "%s",
                        sig->slash ? "/ may appear only once" : "/ must be ahead of *");
    ps_advance(ps);
    sig->slash = true;
    for (uint32_t i = sig->mark; i < ps->kids.len; i++)
        ps->kids.at[i]->op = PARAM_POSITIONAL_ONLY;
}

static void star(struct parser *ps, struct signature *sig)
{
    uint32_t start = ps->tok->at;
    if (sig->star)
        ps_syntax_error(ps, token_span(ps->tok), "* argument may appear only once");
    ps_advance(ps);
    sig->star = true;
    sig->kind = PARAM_KEYWORD_ONLY;
    if (at(ps, TOKEN_NAME))
        push_param(ps, sig, PARAM_STAR, start);
    else
        sig->bare_star = true;
}

struct node *ps_parameters(struct parser *ps, enum token_kind closer, bool annotations)
{
    struct signature sig = {kids_mark(ps), PARAM_PLAIN, annotations};
    uint32_t start = ps->tok->at;
    while (!at(ps, closer)) {
        uint32_t one = ps->tok->at;
        if (sig.done)
            ps_syntax_error(ps, token_span(ps->tok),
                            "arguments cannot follow var-keyword argument");
        if (at(ps, TOKEN_SLASH)) {
            slash(ps, &sig);
        } else if (at(ps, TOKEN_STAR)) {
            star(ps, &sig);
        } else if (ps_accept(ps, TOKEN_DOUBLESTAR)) {
            if (sig.bare_star)
                ps_syntax_error(ps, (struct span){one, ps->last_end},
                                "named arguments must follow bare *");
            push_param(ps, &sig, PARAM_DSTAR, one);
            sig.done = true;
        } else {
            push_param(ps, &sig, sig.kind, one);
        }
        if (!at(ps, closer))
            ps_expect(ps, TOKEN_COMMA);
    }
    if (sig.bare_star)
        ps_syntax_error(ps, (struct span){start, ps->last_end},
                        "named arguments must follow bare *");
    return ps_close(ps, NODE_PARAMS, start, sig.mark);
}
