// SPDX-License-Identifier: MIT
/* lex_string.c: string literals and f-strings. An f-string is read by the lexer itself: text until
 * a brace, then ordinary tokens until the brace closes, and so on; a format spec is text with
 * fields again:
 *
 *     f"a{x!r:>{n}}b"    START TEXT(a) FIELD_OPEN x BANG r COLON TEXT(>) FIELD_OPEN n FIELD_CLOSE
 *                        FIELD_CLOSE TEXT(b) END */
#include "syntax/lexer.h"

struct fstring {
    struct fstring *outer;
    const char *from;
    char quote;
    uint8_t flags;
    int depth;
};

static uint8_t prefix_flags(const char *from, const char *to)
{
    uint8_t flags = 0;
    for (; from < to; from++) {
        switch (*from | 0x20) {
        case 'r': flags |= LITERAL_RAW; break;
        case 'b': flags |= LITERAL_BYTES; break;
        case 'f': flags |= LITERAL_FORMAT; break;
        default: flags |= LITERAL_UNICODE;
        }
    }
    return flags;
}

static bool at_quote(const struct lexer *lx, char quote, uint8_t flags)
{
    if (lx->p >= lx->end || *lx->p != quote)
        return false;
    return !(flags & LITERAL_TRIPLE) ||
           (lx->end - lx->p >= 3 && lx->p[1] == quote && lx->p[2] == quote);
}

static bool is_newline(char c)
{
    return c == '\n' || c == '\r';
}

/* A string that does not end: where it began. The text of a line ends with the line; that of triple
 * quotes with the file, which leaves nothing to go on with. */
static void unterminated(struct lexer *lx, const char *from, uint8_t flags)
{
    bool triple = flags & LITERAL_TRIPLE;
    const char *what = flags & LITERAL_FORMAT ? "f-string" : "string";
    const char *open = from;
    while (*open != '"' && *open != '\'')
        open++;
    if (lx->fstring && lx->fstring->quote == *open && !(lx->fstring->flags & LITERAL_TRIPLE) &&
        !triple)
        lexer_error(lx, from, open + 1, "f-string: expecting '}' before this quote");
    else
        lexer_error(lx, from, open + (triple ? 3 : 1), "unterminated %s%s literal",
                    triple ? "triple-quoted " : "", what);
    lx->broken |= triple || lx->fstring;
}

static void plain_string(struct lexer *lx, const char *from, char quote, uint8_t flags)
{
    while (lx->p < lx->end && !at_quote(lx, quote, flags)) {
        if (*lx->p == '\\' && lx->p + 1 < lx->end) {
            lx->p += lx->p[1] == '\r' && lx->p + 2 < lx->end && lx->p[2] == '\n' ? 3 : 2;
            continue;
        }
        if (is_newline(*lx->p) && !(flags & LITERAL_TRIPLE))
            break;
        lx->p++;
    }
    if (!at_quote(lx, quote, flags)) {
        unterminated(lx, from, flags);
        return;
    }
    lx->p += flags & LITERAL_TRIPLE ? 3 : 1;
    uint32_t i = lexer_add(lx, TOKEN_STRING, from);
    lx->out.at[i].flags = flags;
}

/* One backslash of an f-string's text: what must not be looked at is skipped. */
static void skip_escape(struct lexer *lx, uint8_t flags)
{
    lx->p++;
    if (lx->p >= lx->end || *lx->p == '{' || *lx->p == '}')
        return;
    bool named = *lx->p == 'N' && !(flags & LITERAL_RAW) && lx->p + 1 < lx->end && lx->p[1] == '{';
    bool crlf = *lx->p == '\r' && lx->p + 1 < lx->end && lx->p[1] == '\n';
    lx->p += named || crlf ? 2 : 1;
    while (named && lx->p < lx->end && *lx->p != '}' && !is_newline(*lx->p) && *lx->p != '"' &&
           *lx->p != '\'')
        lx->p++;
    if (named && lx->p < lx->end && *lx->p == '}')
        lx->p++;
}

/* Text up to a field, the end of the spec or the closing quote. */
static bool fstring_text(struct lexer *lx, const struct fstring *fs, bool spec)
{
    const char *from = lx->p;
    while (lx->p < lx->end && !at_quote(lx, fs->quote, fs->flags)) {
        char c = *lx->p;
        if (c == '\\')
            skip_escape(lx, fs->flags);
        else if (!spec && (c == '{' || c == '}') && lx->p + 1 < lx->end && lx->p[1] == c)
            lx->p += 2;
        else if (c == '{' || c == '}' || (is_newline(c) && !(fs->flags & LITERAL_TRIPLE)))
            break;
        else
            lx->p++;
    }
    if (lx->p > from) {
        uint32_t i = lexer_add(lx, TOKEN_TEXT, from);
        lx->out.at[i].flags = fs->flags | (spec ? LITERAL_SPEC : 0);
    }
    return lx->p < lx->end;
}

static bool field(struct lexer *lx, struct fstring *fs);

/* A format spec: text and fields up to the brace that ends the field, which stays. */
static bool format_spec(struct lexer *lx, struct fstring *fs)
{
    for (;;) {
        if (!fstring_text(lx, fs, true) || *lx->p == '}')
            return lx->p < lx->end;
        if (*lx->p != '{') {
            lexer_error(lx, lx->p, lx->p + 1, "f-string: expecting '}'");
            diag_note(lx->dx, (struct span){lexer_pos(lx, fs->from), lexer_pos(lx, fs->from) + 1},
                      "the f-string begins here");
            lx->broken = true;
            return false;
        }
        if (!field(lx, fs))
            return false;
    }
}

static void close_field(struct lexer *lx)
{
    const char *from = lx->p++;
    uint32_t open = lx->open[--lx->nopen], i = lexer_add(lx, TOKEN_FIELD_CLOSE, from);
    lx->out.at[open].mate = i;
}

/* A replacement field at its '{'. */
static bool field(struct lexer *lx, struct fstring *fs)
{
    const char *from = lx->p++;
    if (!lexer_open(lx, TOKEN_FIELD_OPEN, from))
        return false;
    uint32_t depth = lx->nopen;
    for (;;) {
        lexer_skip(lx);
        if (lx->p >= lx->end || lx->broken)
            return false;
        bool top = lx->nopen == depth;
        const char *at = lx->p;
        if (top && *at == '}') {
            close_field(lx);
            return true;
        }
        if (top && *at == ':') {
            lx->p++;
            lexer_add(lx, TOKEN_COLON, at);
            if (!format_spec(lx, fs))
                return false;
        } else if (top && *at == '!' && !(at + 1 < lx->end && at[1] == '=')) {
            lx->p++;
            lexer_add(lx, TOKEN_BANG, at);
        } else if (!lexer_token(lx)) {
            return false;
        }
    }
}

static bool fstring_parts(struct lexer *lx, struct fstring *fs)
{
    while (fstring_text(lx, fs, false) && !at_quote(lx, fs->quote, fs->flags)) {
        if (is_newline(*lx->p))
            return true;
        if (*lx->p == '}') {
            lexer_error(lx, lx->p, lx->p + 1, "f-string: single '}' is not allowed");
            diag_hint(lx->dx, "write '}}' for a brace");
            lx->p++;
        } else if (!field(lx, fs)) {
            return false;
        }
    }
    return true;
}

static void format_string(struct lexer *lx, const char *from, char quote, uint8_t flags)
{
    struct fstring fs = {lx->fstring, from, quote, flags, lx->fstring ? lx->fstring->depth + 1 : 1};
    if (fs.depth > LEX_MAX_FSTRINGS) {
        lexer_error(lx, from, lx->p, "too many nested f-strings");
        lx->broken = true;
        return;
    }
    uint32_t start = lexer_add(lx, TOKEN_FSTRING_START, from);
    lx->out.at[start].flags = flags;
    lx->fstring = &fs;
    bool whole = fstring_parts(lx, &fs);
    lx->fstring = fs.outer;
    if (!whole)
        return;
    if (!at_quote(lx, quote, flags)) {
        unterminated(lx, from, flags);
        return;
    }
    const char *close = lx->p;
    lx->p += flags & LITERAL_TRIPLE ? 3 : 1;
    lexer_add(lx, TOKEN_FSTRING_END, close);
}

void lexer_string(struct lexer *lx, const char *from)
{
    uint8_t flags = prefix_flags(from, lx->p);
    char quote = *lx->p++;
    if (lx->end - lx->p >= 2 && lx->p[0] == quote && lx->p[1] == quote) {
        flags |= LITERAL_TRIPLE;
        lx->p += 2;
    }
    if (flags & LITERAL_FORMAT)
        format_string(lx, from, quote, flags);
    else
        plain_string(lx, from, quote, flags);
}
