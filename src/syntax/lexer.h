// SPDX-License-Identifier: MIT
/* lexer.h: the lexer's own state, shared by lex.c (lines, names, numbers, operators) and
 * lex_string.c (strings and f-strings). Nobody else includes it. */
#pragma once

#include <stdint.h>

#include "base/diag.h"
#include "base/pool.h"
#include "syntax/token.h"

#define LEX_MAX_BRACKETS 200
#define LEX_MAX_INDENTS  100
#define LEX_MAX_FSTRINGS 50

struct lexer {
    struct diags *dx;
    const char *text, *p, *end; /* p: where we are */
    uint32_t base;
    struct tokens out;
    uint32_t open[LEX_MAX_BRACKETS]; /* indices of the open brackets' tokens */
    uint32_t nopen;
    uint32_t column[LEX_MAX_INDENTS],
        alt[LEX_MAX_INDENTS]; /* open indentations, tabs as 8 and as 1 */
    uint32_t nindent;
    uint32_t misfit;         /* the column of the last line whose indentation is wrong, or 0 */
    uint32_t misfit_block;   /* nindent there, while that block goes on, or 0 */
    struct fstring *fstring; /* the innermost whose field we are in, or NULL */
    bool broken;             /* the rest cannot be understood: stop */
};

/* The position of a place in the text. */
static inline uint32_t lexer_pos(const struct lexer *lx, const char *p)
{
    return lx->base + (uint32_t)(p - lx->text);
}

/* Adds a token from `from` to p; its index. */
uint32_t lexer_add(struct lexer *lx, enum token_kind kind, const char *from);
/* Opens a bracket whose token is about to be added; false and broken when too many are open. */
bool lexer_open(struct lexer *lx, enum token_kind kind, const char *from);
/* Skips blanks and joined lines; inside brackets also newlines and comments. */
void lexer_skip(struct lexer *lx);
/* Reads one token at p; false when broken or at the end of the text or line. */
bool lexer_token(struct lexer *lx);
/* Reads a string whose prefix starts at from and whose quote is at p. */
void lexer_string(struct lexer *lx, const char *from);
/* Reports at [from, to) and adds an ERROR token. */
void lexer_error(struct lexer *lx, const char *from, const char *to, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
