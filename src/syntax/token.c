// SPDX-License-Identifier: MIT
/* token.c: names of tokens and the table of Python's keywords. */
#include "syntax/token.h"

#include <string.h>

static const char *const texts[] = {
#define X(kind, text) text,
    TOKEN_KINDS(X)
#undef X
};

static const char *const quoted[] = {
#define X(kind, text) text,
    TOKEN_CLASSES(X)
#undef X
#define X(kind, text) "'" text "'",
        TOKEN_OPERATORS(X) TOKEN_KEYWORDS(X)
#undef X
};

const char *token_text(enum token_kind kind)
{
    return texts[kind];
}

const char *token_describe(enum token_kind kind)
{
    return quoted[kind];
}

enum token_kind token_keyword(const char *text, size_t len)
{
    if (len < 2 || len > 8)
        return TOKEN_NAME;
    for (int kind = TOKEN_FALSE; kind <= TOKEN_YIELD; kind++) {
        const char *word = texts[kind];
        if (word[0] == text[0] && word[1] == text[1] && !strncmp(word, text, len) && !word[len])
            return kind;
    }
    return TOKEN_NAME;
}
