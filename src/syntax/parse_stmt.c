// SPDX-License-Identifier: MIT
/* parse_stmt.c: Python's statements. A bad statement is reported and skipped together with the
 * block below it, so that one run reports many errors. */
#include "syntax/parser.h"

#include <string.h>

#include "syntax/keyword.h"

/* Lines and blocks. */

static void skip_to_end_of_line(struct parser *ps)
{
    while (!at(ps, TOKEN_NEWLINE) && !at(ps, TOKEN_END) && !at(ps, TOKEN_DEDENT) &&
           !at(ps, TOKEN_INDENT))
        ps_advance(ps);
    ps_accept(ps, TOKEN_NEWLINE);
}

void ps_skip_line(struct parser *ps)
{
    uint32_t depth = 0;
    skip_to_end_of_line(ps);
    if (!at(ps, TOKEN_INDENT))
        return;
    do {
        depth += at(ps, TOKEN_INDENT);
        depth -= at(ps, TOKEN_DEDENT);
        ps_advance(ps);
    } while (depth && !at(ps, TOKEN_END));
}

static bool at_continuation(const struct parser *ps)
{
    return at(ps, TOKEN_ELSE) || at(ps, TOKEN_ELIF) || at(ps, TOKEN_EXCEPT) ||
           at(ps, TOKEN_FINALLY);
}

static bool is_compound(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_IF:
    case TOKEN_WHILE:
    case TOKEN_FOR:
    case TOKEN_TRY:
    case TOKEN_WITH:
    case TOKEN_DEF:
    case TOKEN_CLASS:
    case TOKEN_ELSE:
    case TOKEN_ELIF:
    case TOKEN_EXCEPT:
    case TOKEN_FINALLY: return true;
    default: return false;
    }
}

/* After an error in the statement that began with first: skips its line. The block of a compound
 * statement is parsed for its own errors. */
static void resync(struct parser *ps, const struct token *first)
{
    const uint32_t mark = kids_mark(ps);
    if (ps->tok == first)
        ps_advance(ps);
    skip_to_end_of_line(ps);
    if (at(ps, TOKEN_INDENT) && is_compound(first->kind)) {
        struct context outer = ps->context;
        ps->context = (struct context){.function = true, .loop = true};
        ps_advance(ps);
        ps_push_statements(ps);
        ps_accept(ps, TOKEN_DEDENT);
        ps->context = outer;
    } else if (at(ps, TOKEN_INDENT)) {
        ps_skip_line(ps);
    }
    ps->kids.len = mark;
    while (at_continuation(ps))
        ps_skip_line(ps);
}

static void indented(struct parser *ps)
{
    if (ps_is_directive(ps, ps->tok + 1))
        ps_refuse_directive(ps, ps->tok + 1);
    ps_unexpected(ps);
}

void ps_push_statements(struct parser *ps)
{
    while (!at(ps, TOKEN_DEDENT) && !at(ps, TOKEN_END)) {
        const struct token *first = ps->tok;
        if (at(ps, TOKEN_INDENT)) {
            bool directives = ps_is_directive(ps, ps->tok + 1);
            ps_guarded(ps, indented);
            if (directives) {
                ps_skip_line(ps);
                continue;
            }
            ps_advance(ps);
            ps_push_statements(ps);
            ps_accept(ps, TOKEN_DEDENT);
        } else if (!ps_guarded(ps, ps_statement)) {
            resync(ps, first);
        }
    }
}

void ps_end_of_statement(struct parser *ps)
{
    if (!ps_accept(ps, TOKEN_NEWLINE) && !at(ps, TOKEN_END))
        ps_unexpected(ps);
}

static void simple_statements(struct parser *ps);

struct node *ps_block(struct parser *ps, const char *owner, uint32_t owner_at)
{
    uint32_t mark = kids_mark(ps), start = ps->tok->at;
    if (!ps_accept(ps, TOKEN_NEWLINE)) {
        simple_statements(ps);
        return ps_close(ps, NODE_BLOCK, start, mark);
    }
    if (!at(ps, TOKEN_INDENT)) {
        if (at(ps, TOKEN_ERROR))
            ps_give_up(ps);
        complain_kind(ps->dx, "IndentationError", token_span(ps->tok),
                      "expected an indented block after %s on line %d", owner,
                      ps_line_of(ps, owner_at));
        ps_give_up(ps);
    }
    ps_advance(ps);
    ps_enter(ps);
    start = ps->tok->at;
    ps_push_statements(ps);
    leave(ps);
    uint32_t end = ps->last_end;
    ps_accept(ps, TOKEN_DEDENT);
    struct node *node = ps_close(ps, NODE_BLOCK, start, mark);
    node->span.end = node->n ? node->kid[node->n - 1]->span.end : end;
    return node;
}

static struct node *block_after_colon(struct parser *ps, const char *owner, uint32_t owner_at)
{
    if (!at(ps, TOKEN_COLON) && at(ps, TOKEN_ASSIGN))
        ps_unexpected(ps);
    if (at(ps, TOKEN_NEWLINE))
        ps_syntax_error(ps, token_span(ps->tok), "expected ':'");
    if (!at(ps, TOKEN_COLON))
        ps_unexpected(ps);
    ps_advance(ps);
    return ps_block(ps, owner, owner_at);
}

static struct node *loop_block(struct parser *ps, const char *owner, uint32_t owner_at)
{
    bool outer = ps->context.loop;
    ps->context.loop = true;
    struct node *body = block_after_colon(ps, owner, owner_at);
    ps->context.loop = outer;
    return body;
}

static struct node *else_block(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    return ps_accept(ps, TOKEN_ELSE) ? block_after_colon(ps, "'else' statement", start) : NULL;
}

/* Compound statements. */

static struct node *if_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    const char *owner = at(ps, TOKEN_IF) ? "'if' statement" : "'elif' statement";
    ps_enter(ps);
    ps_advance(ps);
    push(ps, ps_named_expression(ps));
    push(ps, block_after_colon(ps, owner, start));
    push(ps, at(ps, TOKEN_ELIF) ? if_statement(ps) : else_block(ps));
    leave(ps);
    return ps_close(ps, NODE_IF, start, mark);
}

static struct node *while_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    push(ps, ps_named_expression(ps));
    push(ps, loop_block(ps, "'while' statement", start));
    push(ps, else_block(ps));
    return ps_close(ps, NODE_WHILE, start, mark);
}

static struct node *for_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    push(ps, ps_loop_target(ps));
    ps_expect(ps, TOKEN_IN);
    push(ps, ps_expression_list(ps));
    push(ps, loop_block(ps, "'for' statement", start));
    push(ps, else_block(ps));
    return ps_close(ps, NODE_FOR, start, mark);
}

static struct node *except_clause(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    sym_t name = 0;
    ps_advance(ps);
    bool group = ps_accept(ps, TOKEN_STAR);
    push(ps, at(ps, TOKEN_COLON) ? NULL : ps_expression(ps));
    if (at(ps, TOKEN_COMMA))
        ps_syntax_error(ps, (struct span){start, ps->tok->end},
                        "multiple exception types must be parenthesized");
    if (group && !ps->kids.at[mark])
        ps_syntax_error(ps, (struct span){start, ps->last_end},
                        "expected one or more exception types");
    if (ps_accept(ps, TOKEN_AS))
        name = ps_take_name(ps, "name");
    push(ps, block_after_colon(ps, "'except' statement", start));
    struct node *node = ps_close(ps, NODE_EXCEPT, start, mark);
    node->name = name;
    node->op = group;
    return node;
}

static void push_excepts(struct parser *ps)
{
    const struct node *last = NULL;
    while (at(ps, TOKEN_EXCEPT)) {
        if (last && !last->kid[0])
            ps_syntax_error(ps, (struct span){last->span.at, last->span.at + 6},
                            "default 'except:' must be last");
        struct node *clause = except_clause(ps);
        if (last && last->op != clause->op)
            ps_syntax_error(ps, (struct span){clause->span.at, clause->span.at + 6},
                            "cannot have both 'except' and 'except*' on the same 'try'");
        last = clause;
        push(ps, clause);
    }
}

static struct node *try_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    push(ps, block_after_colon(ps, "'try' statement", start));
    push(ps, NULL);
    push(ps, NULL);
    push_excepts(ps);
    bool excepts = ps->kids.len > mark + 3;
    struct node *otherwise = excepts ? else_block(ps) : NULL, *finally = NULL;
    ps->kids.at[mark + 1] = otherwise;
    uint32_t at_finally = ps->tok->at;
    if (ps_accept(ps, TOKEN_FINALLY))
        finally = block_after_colon(ps, "'finally' statement", at_finally);
    ps->kids.at[mark + 2] = finally;
    if (!excepts && !finally)
        ps_syntax_error(ps, token_span(ps->tok), "expected 'except' or 'finally' block");
    return ps_close(ps, NODE_TRY, start, mark);
}

static void push_with_item(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    push(ps, ps_expression(ps));
    if (ps_accept(ps, TOKEN_AS)) {
        struct node *target = at(ps, TOKEN_STAR) ? ps_statement_expression(ps)
                                                 : ps_binary(ps, BIND_BITOR);
        ps_check_target(ps, target, "assign to");
        push(ps, target);
    } else {
        push(ps, NULL);
    }
    push(ps, ps_close(ps, NODE_WITH_ITEM, start, mark));
}

/* Whether the bracket at this token holds the items of a with statement: it ends before the colon
 * and has `as` inside. */
static bool at_with_bracket(const struct parser *ps)
{
    if (!at(ps, TOKEN_LPAREN) || ps->tokens.at[ps->tok->mate + 1].kind != TOKEN_COLON)
        return false;
    const struct token *close = &ps->tokens.at[ps->tok->mate];
    for (const struct token *token = ps->tok + 1; token < close; token++) {
        if (token->kind == TOKEN_AS)
            return true;
        if (token->mate)
            token = &ps->tokens.at[token->mate];
    }
    return false;
}

/* with (a, b): holds two items, not a tuple. */
static void split_tuple(struct parser *ps, uint32_t mark, uint32_t start)
{
    const struct node *item = ps->kids.at[mark];
    const struct node *tuple = item->kid[0];
    if (item->kid[1] || tuple->kind != NODE_TUPLE || tuple->span.at != start || !tuple->n)
        return;
    ps->kids.len = mark;
    for (uint32_t i = 0; i < tuple->n; i++)
        push(ps, ps_two(ps, NODE_WITH_ITEM, tuple->kid[i]->span.at, tuple->kid[i], NULL));
}

static void push_with_items(struct parser *ps)
{
    uint32_t mark = kids_mark(ps), start = ps->tok->at;
    bool bracket = at_with_bracket(ps);
    if (bracket)
        ps_advance(ps);
    do {
        if (bracket && at(ps, TOKEN_RPAREN) && ps->kids.len > mark)
            break;
        push_with_item(ps);
    } while (ps_accept(ps, TOKEN_COMMA));
    if (bracket)
        ps_expect(ps, TOKEN_RPAREN);
    else if (ps->kids.len == mark + 1)
        split_tuple(ps, mark, start);
}

static struct node *with_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    push(ps, NULL);
    push_with_items(ps);
    struct node *body = block_after_colon(ps, "'with' statement", start);
    ps->kids.at[mark] = body;
    return ps_close(ps, NODE_WITH, start, mark);
}

/* Type parameters are taken and forgotten: annotations have no effect here. */
static void type_parameters(struct parser *ps)
{
    if (!ps_accept(ps, TOKEN_LBRACKET))
        return;
    do {
        if (!ps_accept(ps, TOKEN_STAR))
            ps_accept(ps, TOKEN_DOUBLESTAR);
        ps_take_name(ps, "type parameter");
        if (ps_accept(ps, TOKEN_COLON))
            ps_expression(ps);
        if (ps_accept(ps, TOKEN_ASSIGN))
            ps_expression(ps);
    } while (ps_accept(ps, TOKEN_COMMA) && !at(ps, TOKEN_RBRACKET));
    ps_expect(ps, TOKEN_RBRACKET);
}

/* The decorators lie on the stack from mark on; they become the last kids. */
static struct node *def_statement(struct parser *ps, uint32_t mark, bool async)
{
    uint32_t start = ps->tok->at, own = kids_mark(ps);
    struct context outer = ps->context;
    ps_advance(ps);
    sym_t name = ps_take_name(ps, "function name");
    type_parameters(ps);
    ps_expect(ps, TOKEN_LPAREN);
    push(ps, ps_parameters(ps, TOKEN_RPAREN, true));
    ps_expect(ps, TOKEN_RPAREN);
    struct node *returns = ps_accept(ps, TOKEN_ARROW) ? ps_expression(ps) : NULL;
    ps->context = (struct context){.function = true, .async = async};
    push(ps, block_after_colon(ps, "function definition", start));
    ps->context = outer;
    push(ps, returns);
    for (uint32_t i = mark; i < own; i++)
        push(ps, ps->kids.at[i]);
    struct node *node = ps_close(ps, NODE_DEF, start, own);
    ps->kids.len = mark;
    node->name = name;
    return node;
}

static struct node *class_statement(struct parser *ps, uint32_t mark)
{
    uint32_t start = ps->tok->at, own = kids_mark(ps);
    struct context outer = ps->context;
    ps_advance(ps);
    sym_t name = ps_take_name(ps, "class name");
    type_parameters(ps);
    push(ps, NULL);
    if (ps_accept(ps, TOKEN_LPAREN)) {
        ps_push_arguments(ps, TOKEN_RPAREN);
        ps_expect(ps, TOKEN_RPAREN);
    }
    ps->context = (struct context){.klass = true};
    struct node *body = block_after_colon(ps, "class definition", start);
    ps->context = outer;
    ps->kids.at[own] = body;
    for (uint32_t i = mark; i < own; i++)
        push(ps, ps->kids.at[i]);
    struct node *node = ps_close(ps, NODE_CLASS, start, own);
    ps->kids.len = mark;
    node->name = name;
    node->num = own - mark;
    return node;
}

static struct node *async_statement(struct parser *ps, uint32_t mark)
{
    uint32_t start = ps->tok->at;
    struct node *node;
    ps_advance(ps);
    if (!at(ps, TOKEN_DEF) && !ps->context.async && (at(ps, TOKEN_FOR) || at(ps, TOKEN_WITH)))
        complain_kind(ps->dx, "SyntaxError", (struct span){start, ps->tok->end},
                      "'async %s' outside async function", token_text(ps->tok->kind));
    if (at(ps, TOKEN_DEF))
        node = def_statement(ps, mark, true);
    else if (at(ps, TOKEN_FOR))
        node = for_statement(ps);
    else if (at(ps, TOKEN_WITH))
        node = with_statement(ps);
    else
        ps_unexpected(ps);
    node->op = 1;
    node->span.at = start;
    return node;
}

/* A rule with decorators is followed by an empty function __rule_NAME that has them: there they are
 * called with the function that Snakemake would have made of the rule. Nobody calls what they make
 * of it. */
static struct node *decorated_rule(struct parser *ps, uint32_t mark)
{
    uint32_t own = kids_mark(ps);
    struct node *rule = ps_snakemake_statement(ps);
    if (rule->kind != NODE_RULE)
        ps_syntax_error(ps, rule->span, "only rules, functions and classes can have decorators");
    push(ps, ps_leaf(ps, NODE_PARAMS, rule->span.at));
    push(ps, ps_leaf(ps, NODE_BLOCK, rule->span.at));
    push(ps, NULL);
    for (uint32_t i = mark; i < own; i++)
        push(ps, ps->kids.at[i]);
    struct node *node = ps_close(ps, NODE_DEF, rule->span.at, own);
    const char *name = rule->name ? sym_text(ps->names, rule->name)
                                  : arena_printf(ps->in, "%d", ps_line_of(ps, rule->span.at));
    node->name = intern_str(ps->names, arena_printf(ps->in, "__rule_%s", name));
    ps->kids.len = mark;
    push(ps, rule);
    return node;
}

static struct node *decorated(struct parser *ps)
{
    uint32_t mark = kids_mark(ps);
    while (ps_accept(ps, TOKEN_AT)) {
        push(ps, ps_named_expression(ps));
        ps_end_of_statement(ps);
    }
    if (ps_at_snakemake(ps))
        return decorated_rule(ps, mark);
    if (at(ps, TOKEN_CLASS))
        return class_statement(ps, mark);
    if (at(ps, TOKEN_DEF))
        return def_statement(ps, mark, false);
    if (at(ps, TOKEN_ASYNC) && ps_peek(ps)->kind == TOKEN_DEF)
        return async_statement(ps, mark);
    ps_syntax_error(ps, token_span(ps->tok), "expected a function or class after a decorator");
}

/* Simple statements. */

static struct node *assignment(struct parser *ps, struct node *first)
{
    uint32_t mark = kids_mark(ps);
    push(ps, NULL);
    while (ps_accept(ps, TOKEN_ASSIGN)) {
        ps_check_target(ps, first, "assign to");
        push(ps, first);
        first = ps_statement_expression(ps);
    }
    if (first->kind == NODE_STAR)
        ps_syntax_error(ps, first->span, "can't use starred expression here");
    ps->kids.at[mark] = first;
    return ps_close(ps, NODE_ASSIGN, ps->kids.at[mark + 1]->span.at, mark);
}

static const uint8_t augmented[TOKEN_KIND_COUNT] = {
    [TOKEN_PLUS_ASSIGN] = 1 + OP_ADD,     [TOKEN_MINUS_ASSIGN] = 1 + OP_SUB,
    [TOKEN_STAR_ASSIGN] = 1 + OP_MUL,     [TOKEN_SLASH_ASSIGN] = 1 + OP_DIV,
    [TOKEN_PERCENT_ASSIGN] = 1 + OP_MOD,  [TOKEN_DOUBLESTAR_ASSIGN] = 1 + OP_POW,
    [TOKEN_AT_ASSIGN] = 1 + OP_MATMUL,    [TOKEN_DOUBLESLASH_ASSIGN] = 1 + OP_FLOORDIV,
    [TOKEN_SHL_ASSIGN] = 1 + OP_LSHIFT,   [TOKEN_SHR_ASSIGN] = 1 + OP_RSHIFT,
    [TOKEN_AMP_ASSIGN] = 1 + OP_BITAND,   [TOKEN_PIPE_ASSIGN] = 1 + OP_BITOR,
    [TOKEN_CARET_ASSIGN] = 1 + OP_BITXOR,
};

static bool is_single_target(const struct node *node)
{
    return node->kind == NODE_NAME || node->kind == NODE_ATTR || node->kind == NODE_INDEX;
}

static struct node *augmented_assignment(struct parser *ps, struct node *target)
{
    uint8_t op = augmented[ps->tok->kind] - 1;
    if (!is_single_target(target))
        ps_syntax_error(ps, target->span,
                        "this expression cannot be the target of an augmented assignment");
    ps_advance(ps);
    struct node *value = ps_statement_expression(ps);
    if (value->kind == NODE_STAR)
        ps_syntax_error(ps, value->span, "can't use starred expression here");
    struct node *node = ps_two(ps, NODE_AUGASSIGN, target->span.at, target, value);
    node->op = op;
    return node;
}

/* `configfle: "x"` is an annotation that does nothing: surely meant otherwise. */
static void warn_of_misspelt(struct parser *ps, const struct node *node)
{
    const struct node *target = node->kid[0], *annotation = node->kid[1];
    bool text = annotation->kind == NODE_STR || annotation->kind == NODE_FSTRING;
    if (ps->python || ps->context.function || ps->context.klass || node->kid[2] || !text ||
        target->kind != NODE_NAME)
        return;
    const char *meant = keyword_nearest(IN_FILE, sym_text(ps->names, target->name));
    if (!meant)
        return;
    warn(ps->dx, target->span,
         "'%s' is not a keyword: this line is a variable annotation, which does nothing",
         sym_text(ps->names, target->name));
    diag_meant(ps->dx, meant);
}

static struct node *annotated_assignment(struct parser *ps, struct node *target)
{
    uint32_t mark = kids_mark(ps);
    if (!is_single_target(target))
        ps_syntax_error(ps, target->span, "only single targets can be annotated");
    if (ps_peek(ps)->kind == TOKEN_NEWLINE && ps_is_directive(ps, ps->tok - 1))
        ps_refuse_directive(ps, ps->tok - 1);
    ps_advance(ps);
    push(ps, target);
    push(ps, ps_expression(ps));
    push(ps, ps_accept(ps, TOKEN_ASSIGN) ? ps_statement_expression(ps) : NULL);
    struct node *node = ps_close(ps, NODE_ANNASSIGN, target->span.at, mark);
    warn_of_misspelt(ps, node);
    return node;
}

/* Two expressions side by side: Python 2's print, or a misspelt keyword. */
static noreturn void side_by_side(struct parser *ps, const struct node *node)
{
    if (node->kind == NODE_NAME) {
        const char *name = sym_text(ps->names, node->name);
        if (!strcmp(name, "print") || !strcmp(name, "exec"))
            ps_syntax_error(ps, (struct span){node->span.at, ps->tok->end},
                            "Missing parentheses in call to '%s'. Did you mean %s(...)?", name,
                            name);
        const char *meant = ps->python ? NULL : keyword_nearest(IN_FILE, name);
        if (meant) {
            complain_kind(ps->dx, "SyntaxError", node->span, "invalid syntax: unknown keyword '%s'",
                          name);
            diag_meant(ps->dx, meant);
            ps_give_up(ps);
        }
    }
    ps_unexpected(ps);
}

static struct node *expression_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    struct node *node = ps_statement_expression(ps);
    if (at(ps, TOKEN_ASSIGN))
        return assignment(ps, node);
    if (augmented[ps->tok->kind])
        return augmented_assignment(ps, node);
    if (at(ps, TOKEN_COLON))
        return annotated_assignment(ps, node);
    if (node->kind == NODE_STAR)
        ps_syntax_error(ps, node->span, "can't use starred expression here");
    if (token_starts_expression(ps->tok->kind))
        side_by_side(ps, node);
    return ps_one(ps, NODE_EXPR, start, node);
}

static bool at_simple_end(const struct parser *ps)
{
    return at(ps, TOKEN_NEWLINE) || at(ps, TOKEN_SEMICOLON) || at(ps, TOKEN_END);
}

static struct node *return_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    if (!ps->context.function)
        complain_kind(ps->dx, "SyntaxError", token_span(ps->tok), "'return' outside function");
    ps_advance(ps);
    return ps_one(ps, NODE_RETURN, start, at_simple_end(ps) ? NULL : ps_expression_list(ps));
}

static struct node *loop_exit(struct parser *ps, enum node_kind kind)
{
    uint32_t start = ps->tok->at;
    if (!ps->context.loop)
        complain_kind(ps->dx, "SyntaxError", token_span(ps->tok), "%s",
                      kind == NODE_BREAK ? "'break' outside loop"
                                         : "'continue' not properly in loop");
    ps_advance(ps);
    return ps_leaf(ps, kind, start);
}

static struct node *raise_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    struct node *exception = at_simple_end(ps) ? NULL : ps_expression(ps);
    return ps_two(ps, NODE_RAISE, start, exception,
                  exception && ps_accept(ps, TOKEN_FROM) ? ps_expression(ps) : NULL);
}

static struct node *assert_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    struct node *condition = ps_expression(ps);
    return ps_two(ps, NODE_ASSERT, start, condition,
                  ps_accept(ps, TOKEN_COMMA) ? ps_expression(ps) : NULL);
}

static struct node *scope_statement(struct parser *ps, enum node_kind kind)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    if (kind == NODE_NONLOCAL && !ps->context.function && !ps->context.klass)
        complain_kind(ps->dx, "SyntaxError", token_span(ps->tok),
                      "nonlocal declaration not allowed at module level");
    ps_advance(ps);
    do
        push(ps, ps_name(ps, "name"));
    while (ps_accept(ps, TOKEN_COMMA));
    return ps_close(ps, kind, start, mark);
}

static struct node *del_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    ps_advance(ps);
    do {
        struct node *target = ps_binary(ps, BIND_BITOR);
        ps_check_target(ps, target, "delete");
        push(ps, target);
    } while (ps_accept(ps, TOKEN_COMMA) && !at_simple_end(ps));
    return ps_close(ps, NODE_DEL, start, mark);
}

/* type X = ...: the alias is its value. */
static struct node *type_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    struct node *target = ps_name(ps, "name");
    if (at(ps, TOKEN_LBRACKET))
        ps_syntax_error(ps, token_span(ps->tok),
                        "type parameters of a type statement are not supported");
    ps_expect(ps, TOKEN_ASSIGN);
    return ps_two(ps, NODE_ASSIGN, start, ps_expression(ps), target);
}

static bool at_type(const struct parser *ps)
{
    if (!token_is(ps, ps->tok, "type") || ps_peek(ps)->kind != TOKEN_NAME)
        return false;
    enum token_kind after = ps->tok[2].kind;
    return after == TOKEN_ASSIGN || after == TOKEN_LBRACKET;
}

static struct node *pass_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    ps_advance(ps);
    return ps_leaf(ps, NODE_PASS, start);
}

static struct node *simple_statement(struct parser *ps)
{
    switch (ps->tok->kind) {
    case TOKEN_PASS: return pass_statement(ps);
    case TOKEN_BREAK: return loop_exit(ps, NODE_BREAK);
    case TOKEN_CONTINUE: return loop_exit(ps, NODE_CONTINUE);
    case TOKEN_RETURN: return return_statement(ps);
    case TOKEN_RAISE: return raise_statement(ps);
    case TOKEN_ASSERT: return assert_statement(ps);
    case TOKEN_GLOBAL: return scope_statement(ps, NODE_GLOBAL);
    case TOKEN_NONLOCAL: return scope_statement(ps, NODE_NONLOCAL);
    case TOKEN_DEL: return del_statement(ps);
    case TOKEN_IMPORT: return ps_import(ps);
    case TOKEN_FROM: return ps_import_from(ps);
    default: return at_type(ps) ? type_statement(ps) : expression_statement(ps);
    }
}

/* Pushes statements separated by semicolons, to the end of the line. A keyword of Snakemake takes
 * its line to the end. */
static void simple_statements(struct parser *ps)
{
    for (;;) {
        if (ps_at_snakemake(ps)) {
            push(ps, ps_snakemake_statement(ps));
            return;
        }
        push(ps, simple_statement(ps));
        if (!ps_accept(ps, TOKEN_SEMICOLON) || at(ps, TOKEN_NEWLINE))
            break;
    }
    ps_end_of_statement(ps);
}

void ps_statement(struct parser *ps)
{
    switch (ps->tok->kind) {
    case TOKEN_IF: push(ps, if_statement(ps)); return;
    case TOKEN_WHILE: push(ps, while_statement(ps)); return;
    case TOKEN_FOR: push(ps, for_statement(ps)); return;
    case TOKEN_TRY: push(ps, try_statement(ps)); return;
    case TOKEN_WITH: push(ps, with_statement(ps)); return;
    case TOKEN_DEF: push(ps, def_statement(ps, kids_mark(ps), false)); return;
    case TOKEN_CLASS: push(ps, class_statement(ps, kids_mark(ps))); return;
    case TOKEN_ASYNC: push(ps, async_statement(ps, kids_mark(ps))); return;
    case TOKEN_AT: push(ps, decorated(ps)); return;
    default: break;
    }
    if (ps_at_match(ps))
        push(ps, ps_match_statement(ps));
    else
        simple_statements(ps);
}
