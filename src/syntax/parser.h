// SPDX-License-Identifier: MIT
/* parser.h: the parser's own state and tools, shared by the parse_*.c files. Nobody outside of
 * src/syntax includes it.
 *
 * Recursive descent over the token array. Kids of a node under construction lie on one stack:
 *
 *     uint32_t at = ps->tok->at, mark = kids_mark(ps);
 *     push(ps, ps_expression(ps));
 *     push(ps, ps_block(ps));
 *     return ps_close(ps, NODE_WHILE, at, mark);      // takes all above mark
 *
 * An error is reported by ps_syntax_error(), which does not return: it leaves for the nearest
 * ps_guarded() call (one around every statement and directive), which skips to the next line and
 * goes on. */
#pragma once

#include <setjmp.h>
#include <stdnoreturn.h>

#include "base/buf.h"
#include "base/pool.h"
#include "syntax/ast.h"
#include "syntax/parse.h"
#include "syntax/token.h"

#define PARSER_MAX_DEPTH 500

/* What surrounds a statement. */
struct context {
    bool function, loop, klass, async;
};

struct parser {
    struct arena *in;
    struct intern *names;
    struct diags *dx;
    const char *text;     /* the whole source */
    uint32_t base;        /* position of its first byte */
    struct tokens tokens; /* owned */
    struct token *tok;    /* the next one; never an NL */
    uint32_t last_end;    /* where the token before it ends */
    VEC(struct node *) kids;
    struct buf scratch; /* texts of string literals; used as a stack */
    jmp_buf *recover;
    uint32_t depth; /* of the C recursion */
    struct context context;
    bool python;             /* no Snakemake keywords */
    struct rule_block *rule; /* the block of directives being parsed, or NULL (parse_rule.c) */
};

/* Tokens. */

static inline bool at(const struct parser *ps, enum token_kind kind)
{
    return ps->tok->kind == kind;
}
/* Moves to the next token that is no NL; never beyond END. */
void ps_advance(struct parser *ps);
/* Takes the token if it is of that kind. */
bool ps_accept(struct parser *ps, enum token_kind kind);
/* Takes it or reports "expected ...". */
void ps_expect(struct parser *ps, enum token_kind kind);
/* The token behind this one (END stays END). */
const struct token *ps_peek(const struct parser *ps);
/* The text of a token, not NUL-terminated, and its length. */
const char *token_start(const struct parser *ps, const struct token *token);
size_t token_len(const struct token *token);
/* Whether a token is spelt so. */
bool token_is(const struct parser *ps, const struct token *token, const char *word);
/* Whether the token is one that can begin an expression. */
bool token_starts_expression(enum token_kind kind);
/* Takes a NAME and returns its symbol; what: "rule name", for the complaint. */
sym_t ps_take_name(struct parser *ps, const char *what);

/* Errors. */

/* Reports a SyntaxError, unless the lexer has reported the line, and leaves for the nearest
 * ps_guarded(). */
noreturn void ps_syntax_error(struct parser *ps, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same after something has been reported by complain_kind already. */
noreturn void ps_give_up(struct parser *ps);
/* The same if the lexer has reported what is left of this line: that is the cause. */
void ps_give_up_if_reported(struct parser *ps);
/* "invalid syntax" at this token, in better words where they are known. */
noreturn void ps_unexpected(struct parser *ps);
/* Where a token stands. */
struct span token_span(const struct token *token);
/* Calls parse, which pushes what it finds; false if it left by ps_syntax_error (then nothing
 * is pushed). */
bool ps_guarded(struct parser *ps, void (*parse)(struct parser *ps));
/* One level of C recursion more; an error when there are too many. Undone by leave(). */
void ps_enter(struct parser *ps);
static inline void leave(struct parser *ps)
{
    ps->depth--;
}

/* Nodes. */

static inline uint32_t kids_mark(const struct parser *ps)
{
    return ps->kids.len;
}
static inline void push(struct parser *ps, struct node *node)
{
    vec_push(&ps->kids, node);
}
/* A node without kids from position at to the end of the last token. */
struct node *ps_leaf(struct parser *ps, enum node_kind kind, uint32_t at);
/* A node that takes all kids above mark. */
struct node *ps_close(struct parser *ps, enum node_kind kind, uint32_t at, uint32_t mark);
/* A node of one kid, of two. */
struct node *ps_one(struct parser *ps, enum node_kind kind, uint32_t at, struct node *kid);
struct node *ps_two(struct parser *ps, enum node_kind kind, uint32_t at, struct node *a,
                    struct node *b);
/* Takes a NAME as a node; what: as of ps_take_name. */
struct node *ps_name(struct parser *ps, const char *what);

/* Expressions (parse_expr.c). */

/* Binding strengths of operators; ps_binary() takes all that bind at least as tightly. */
enum strength {
    BIND_OR = 1,
    BIND_AND,
    BIND_NOT,
    BIND_COMPARE,
    BIND_BITOR,
    BIND_BITXOR,
    BIND_BITAND,
    BIND_SHIFT,
    BIND_ADD,
    BIND_MUL,
    BIND_UNARY
};

/* A chain of binary operators that bind at least so strongly. */
struct node *ps_binary(struct parser *ps, enum strength least);
/* A conditional expression or lambda. */
struct node *ps_expression(struct parser *ps);
/* The same, or NAME := expression. */
struct node *ps_named_expression(struct parser *ps);
/* a, *b, c: a TUPLE where there is a comma; a lone *a is an error. */
struct node *ps_expression_list(struct parser *ps);
/* The same, or yield; a lone *a stays (a target may follow). */
struct node *ps_statement_expression(struct parser *ps);
/* yield at this token. */
struct node *ps_yield_expression(struct parser *ps);
/* Targets of for, up to in: a NAME, ATTR, INDEX, TUPLE, LIST. */
struct node *ps_loop_target(struct parser *ps);
/* Reports what cannot be assigned to (or deleted: verb). */
void ps_check_target(struct parser *ps, const struct node *node, const char *verb);
/* Pushes FOR_CLAUSEs and IF_CLAUSEs; at for or async. */
void ps_push_clauses(struct parser *ps);
/* Whether a comprehension's for or async for stands here. */
bool ps_at_comprehension(const struct parser *ps);
/* Adjacent string literals at this token (parse_string.c). */
struct node *ps_string_literal(struct parser *ps);
/* A number literal at this token. */
struct node *ps_number_literal(struct parser *ps);

/* Calls and parameters (parse_call.c). */

/* Pushes the arguments up to the token that closes them, which stays. */
void ps_push_arguments(struct parser *ps, enum token_kind closer);
/* PARAMS up to the closing token, which stays; annotations: may have them. */
struct node *ps_parameters(struct parser *ps, enum token_kind closer, bool annotations);

/* Statements (parse_stmt.c). */

/* Pushes the statement at this token (several where a line has them). */
void ps_statement(struct parser *ps);
/* What follows a colon: an indented block or statements on the same line; owner: "'if'
 * statement". */
struct node *ps_block(struct parser *ps, const char *owner, uint32_t owner_at);
/* Pushes statements until DEDENT or END, each guarded. */
void ps_push_statements(struct parser *ps);
/* Takes the end of a simple statement. */
void ps_end_of_statement(struct parser *ps);
/* Skips the rest of a bad line and the block below it. */
void ps_skip_line(struct parser *ps);
/* The line of a position, for messages. */
int ps_line_of(const struct parser *ps, uint32_t position);

/* import at this token, and from (parse_import.c). */
struct node *ps_import(struct parser *ps);
struct node *ps_import_from(struct parser *ps);

/* match (parse_match.c): whether the word match at this token begins a match statement; the
 * statement. */
bool ps_at_match(const struct parser *ps);
/* The match statement that stands here. */
struct node *ps_match_statement(struct parser *ps);

/* Snakemake (parse_rule.c): whether a keyword statement begins here; the statement. */
bool ps_at_snakemake(struct parser *ps);
/* Whether a token and the colon behind it begin a directive of rules. Reports one that stands
 * outside of them: `output:` at the margin, where a line with something behind the colon is an
 * annotation, or lines whose header is missing. */
bool ps_is_directive(const struct parser *ps, const struct token *token);
noreturn void ps_refuse_directive(struct parser *ps, const struct token *token);
struct node *ps_snakemake_statement(struct parser *ps);
