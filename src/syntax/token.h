// SPDX-License-Identifier: MIT
/* token.h: what the lexer hands to the parser, one array for a whole source.
 *
 *     rule a:                        NAME NAME COLON NEWLINE
 *         input: f"{x!r:>{n}}.txt"   INDENT NAME COLON FSTRING_START FIELD_OPEN NAME BANG NAME
 *                                    COLON FIELD_OPEN NAME FIELD_CLOSE FIELD_CLOSE TEXT FSTRING_END
 *                                    NEWLINE DEDENT END
 *
 * Comments, blank lines and newlines inside brackets make no tokens. FIELD_OPEN and FIELD_CLOSE are
 * the braces of a replacement field, which may hold any tokens, other f-strings among them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds without a spelling of their own. */
/* clang-format off */
#define TOKEN_CLASSES(X)                                                                           \
    X(END, "end of file") X(NEWLINE, "newline") X(INDENT, "indent") X(DEDENT, "dedent")            \
    X(NL, "line break")    /* layout that the parser has taken out of a directive's value */       \
    X(ERROR, "bad token")  /* already reported by the lexer */                                     \
    X(NAME, "name") X(NUMBER, "number") X(STRING, "string")                                        \
    X(FSTRING_START, "f-string") X(FSTRING_END, "end of f-string") X(TEXT, "text of an f-string")  \
    X(FIELD_OPEN, "'{'") X(FIELD_CLOSE, "'}'")

#define TOKEN_OPERATORS(X)                                                                         \
    X(LPAREN, "(") X(RPAREN, ")") X(LBRACKET, "[") X(RBRACKET, "]") X(LBRACE, "{") X(RBRACE, "}")  \
    X(COLON, ":") X(COMMA, ",") X(SEMICOLON, ";") X(DOT, ".") X(ELLIPSIS, "...") X(ARROW, "->")    \
    X(ASSIGN, "=") X(WALRUS, ":=") X(BANG, "!")                                                    \
    X(PLUS, "+") X(MINUS, "-") X(STAR, "*") X(SLASH, "/") X(DOUBLESLASH, "//") X(PERCENT, "%")     \
    X(DOUBLESTAR, "**") X(AT, "@") X(SHL, "<<") X(SHR, ">>") X(AMP, "&") X(PIPE, "|") X(CARET, "^")\
    X(TILDE, "~")                                                                                  \
    X(EQ, "==") X(NE, "!=") X(LT, "<") X(LE, "<=") X(GT, ">") X(GE, ">=")                          \
    X(PLUS_ASSIGN, "+=") X(MINUS_ASSIGN, "-=") X(STAR_ASSIGN, "*=") X(SLASH_ASSIGN, "/=")          \
    X(DOUBLESLASH_ASSIGN, "//=") X(PERCENT_ASSIGN, "%=") X(DOUBLESTAR_ASSIGN, "**=")               \
    X(AT_ASSIGN, "@=") X(SHL_ASSIGN, "<<=") X(SHR_ASSIGN, ">>=") X(AMP_ASSIGN, "&=")               \
    X(PIPE_ASSIGN, "|=") X(CARET_ASSIGN, "^=")

#define TOKEN_KEYWORDS(X)                                                                          \
    X(FALSE, "False") X(NONE, "None") X(TRUE, "True") X(AND, "and") X(AS, "as")                    \
    X(ASSERT, "assert") X(ASYNC, "async") X(AWAIT, "await") X(BREAK, "break") X(CLASS, "class")    \
    X(CONTINUE, "continue") X(DEF, "def") X(DEL, "del") X(ELIF, "elif") X(ELSE, "else")            \
    X(EXCEPT, "except") X(FINALLY, "finally") X(FOR, "for") X(FROM, "from") X(GLOBAL, "global")    \
    X(IF, "if") X(IMPORT, "import") X(IN, "in") X(IS, "is") X(LAMBDA, "lambda")                    \
    X(NONLOCAL, "nonlocal") X(NOT, "not") X(OR, "or") X(PASS, "pass") X(RAISE, "raise")            \
    X(RETURN, "return") X(TRY, "try") X(WHILE, "while") X(WITH, "with") X(YIELD, "yield")
/* clang-format on */

#define TOKEN_KINDS(X) TOKEN_CLASSES(X) TOKEN_OPERATORS(X) TOKEN_KEYWORDS(X)

enum token_kind {
#define X(kind, text) TOKEN_##kind,
    TOKEN_KINDS(X)
#undef X
        TOKEN_KIND_COUNT
};

/* What stands before and around a literal's text. */
enum literal_flags {
    LITERAL_RAW = 1,
    LITERAL_BYTES = 2,
    LITERAL_FORMAT = 4, /* f-string: doubled braces stand for one */
    LITERAL_TRIPLE = 8,
    LITERAL_SPEC = 16,    /* text of a format spec: braces are never doubled */
    LITERAL_UNICODE = 32, /* u prefix */
};

struct token {
    uint8_t kind;     /* enum token_kind */
    uint8_t flags;    /* enum literal_flags of STRING, FSTRING_START and TEXT */
    uint32_t at, end; /* positions */
    uint32_t mate;    /* of an opening bracket: index of the closing one */
};

struct tokens {
    struct token *at; /* owned; the last one is END */
    uint32_t len, cap;
};

/* "newline", "'+='", "'while'": for messages. */
const char *token_describe(enum token_kind kind);
/* The spelling of an operator or keyword ("+="), the class name of the others. */
const char *token_text(enum token_kind kind);
/* The keyword spelt so, or TOKEN_NAME. */
enum token_kind token_keyword(const char *text, size_t len);
