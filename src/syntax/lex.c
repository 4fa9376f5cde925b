// SPDX-License-Identifier: MIT
/* lex.c: lines, indentation, names, numbers, operators. Columns are counted twice, with tabs as
 * eight and as one; where the two disagree about what is deeper, tabs and blanks are mixed
 * inconsistently. */
#include "syntax/lex.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "syntax/lexer.h"

uint32_t lexer_add(struct lexer *lx, enum token_kind kind, const char *from)
{
    struct token token = {.kind = kind, .at = lexer_pos(lx, from), .end = lexer_pos(lx, lx->p)};
    vec_push(&lx->out, token);
    return lx->out.len - 1;
}

void lexer_error(struct lexer *lx, const char *from, const char *to, const char *format, ...)
{
    char message[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct span span = {lexer_pos(lx, from), lexer_pos(lx, to)};
    complain_kind(lx->dx, "SyntaxError", span, "%s", message);
    lexer_add(lx, TOKEN_ERROR, from);
}

static bool newline_at(const struct lexer *lx, const char *p)
{
    return p < lx->end && (*p == '\n' || *p == '\r');
}

/* Behind the newline at p. */
static const char *behind_newline(const struct lexer *lx, const char *p)
{
    return *p == '\r' && p + 1 < lx->end && p[1] == '\n' ? p + 2 : p + 1;
}

static void skip_comment(struct lexer *lx)
{
    while (lx->p < lx->end && !newline_at(lx, lx->p))
        lx->p++;
}

void lexer_skip(struct lexer *lx)
{
    for (; lx->p < lx->end; lx->p++) {
        char c = *lx->p;
        if (c == ' ' || c == '\t' || c == '\f')
            continue;
        if (c == '\\' && newline_at(lx, lx->p + 1))
            lx->p = behind_newline(lx, lx->p + 1) - 1;
        else if (c == '#')
            skip_comment(lx), lx->p--;
        else if (!lx->nopen || (c != '\n' && c != '\r'))
            return;
    }
}

/* Brackets. */

bool lexer_open(struct lexer *lx, enum token_kind kind, const char *from)
{
    if (lx->nopen == LEX_MAX_BRACKETS) {
        lexer_error(lx, from, from + 1, "too many nested parentheses");
        lx->broken = true;
        return false;
    }
    lx->open[lx->nopen++] = lexer_add(lx, kind, from);
    return true;
}

static char closing_of(uint8_t kind)
{
    return kind == TOKEN_LPAREN ? ')' : kind == TOKEN_LBRACKET ? ']' : '}';
}

static void close_bracket(struct lexer *lx, enum token_kind kind, const char *from)
{
    struct token *open = lx->nopen ? &lx->out.at[lx->open[lx->nopen - 1]] : NULL;
    if (open && closing_of(open->kind) == *from) {
        uint32_t i = lexer_add(lx, kind, from); /* may move the array */
        lx->out.at[lx->open[--lx->nopen]].mate = i;
        return;
    }
    lx->broken = true;
    if (!open) {
        lexer_error(lx, from, from + 1, "unmatched '%c'", *from);
        return;
    }
    struct span place = {open->at, open->end};
    char opened = lx->text[open->at - lx->base];
    lexer_error(lx, from, from + 1,
                "closing parenthesis '%c' does not match opening parenthesis '%c'", *from, opened);
    diag_note(lx->dx, place, "'%c' was opened here", opened);
}

/* Operators: the longest of up to three characters that is one. */

static enum token_kind operator_at(const struct lexer *lx, size_t len)
{
    static uint8_t first[128]; /* of the operators that start with that character */
    if (!first['(']) {
        for (int kind = TOKEN_CARET_ASSIGN; kind >= TOKEN_LPAREN; kind--)
            first[(unsigned char)token_text(kind)[0]] = kind;
    }
    unsigned char c = (unsigned char)*lx->p;
    for (int kind = c < 128 ? first[c] : 0; kind && kind <= TOKEN_CARET_ASSIGN; kind++) {
        const char *text = token_text(kind);
        if (strlen(text) == len && !memcmp(text, lx->p, len))
            return kind;
    }
    return TOKEN_ERROR;
}

static bool operator_token(struct lexer *lx)
{
    size_t most = lx->end - lx->p < 3 ? (size_t)(lx->end - lx->p) : 3;
    const char *from = lx->p;
    for (size_t len = most; len; len--) {
        enum token_kind kind = operator_at(lx, len);
        if (kind == TOKEN_ERROR)
            continue;
        lx->p += len;
        if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE)
            lexer_open(lx, kind, from);
        else if (kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE)
            close_bracket(lx, kind, from);
        else
            lexer_add(lx, kind, from);
        return true;
    }
    return false;
}

/* Numbers. */

static bool digit_of(char c, int base)
{
    if (base == 16)
        return isxdigit((unsigned char)c);
    return c >= '0' && c < '0' + base;
}

/* Digits with single underscores between them; false (reported) when an underscore stands wrong. */
static bool digits(struct lexer *lx, int base)
{
    while (lx->p < lx->end && digit_of(*lx->p, base)) {
        lx->p++;
        if (lx->p < lx->end && *lx->p == '_') {
            lx->p++;
            if (lx->p >= lx->end || !digit_of(*lx->p, base))
                return false;
        }
    }
    return true;
}

static const char *base_name(int base)
{
    return base == 16 ? "hexadecimal" : base == 8 ? "octal" : base == 2 ? "binary" : "decimal";
}

/* A word that may follow a number at once: 1if x else y. */
static bool word_after_number(const struct lexer *lx)
{
    static const char *const words[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t len = strlen(words[i]);
        if ((size_t)(lx->end - lx->p) >= len && !memcmp(lx->p, words[i], len))
            return true;
    }
    return false;
}

static bool name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

static void bad_number(struct lexer *lx, const char *from, int base)
{
    while (lx->p < lx->end && name_char(*lx->p))
        lx->p++;
    lexer_error(lx, from, lx->p, "invalid %s literal", base_name(base));
}

static void end_number(struct lexer *lx, const char *from, int base)
{
    if (lx->p < lx->end && name_char(*lx->p) && !word_after_number(lx))
        bad_number(lx, from, base);
    else
        lexer_add(lx, TOKEN_NUMBER, from);
}

static void based_number(struct lexer *lx, const char *from, int base)
{
    lx->p += 2;
    if (lx->p < lx->end && *lx->p == '_')
        lx->p++;
    const char *start = lx->p;
    if (!digits(lx, base) || lx->p == start)
        bad_number(lx, from, base);
    else
        end_number(lx, from, base);
}

/* An exponent at p, if it is one: 1e5, but 1else is not. */
static bool exponent(struct lexer *lx)
{
    const char *p = lx->p;
    if (p >= lx->end || (*p | 0x20) != 'e')
        return true;
    p++;
    if (p < lx->end && (*p == '+' || *p == '-'))
        p++;
    if (p >= lx->end || !isdigit((unsigned char)*p))
        return true;
    lx->p = p;
    return digits(lx, 10);
}

static bool leading_zeros(const char *from, const char *to)
{
    bool zero = *from == '0';
    for (; from < to; from++) {
        if (*from != '0' && *from != '_')
            return zero && !strpbrk((char[]){*from, 0}, ".eEjJ");
    }
    return false;
}

static void decimal_number(struct lexer *lx, const char *from)
{
    bool fine = digits(lx, 10), whole = true;
    const char *after = lx->p;
    if (fine && lx->p < lx->end && *lx->p == '.') {
        lx->p++;
        whole = false;
        fine = digits(lx, 10);
    }
    fine = fine && exponent(lx);
    if (fine && lx->p < lx->end && (*lx->p | 0x20) == 'j')
        lx->p++;
    whole = whole && lx->p == after;
    if (!fine)
        bad_number(lx, from, 10);
    else if (whole && leading_zeros(from, lx->p))
        lexer_error(
            lx, from, lx->p,
            "leading zeros in decimal integer literals are not permitted; use an 0o prefix for "
            "octal integers");
    else
        end_number(lx, from, 10);
}

static void number(struct lexer *lx)
{
    const char *from = lx->p;
    char letter = from + 1 < lx->end && *from == '0' ? from[1] | 0x20 : 0;
    int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base == 10)
        decimal_number(lx, from);
    else
        based_number(lx, from, base);
}

/* Names, and the prefixes of strings. */

/* Behind the identifier at p (p itself when there is none). */
static const char *name_end(const struct lexer *lx)
{
    const char *p = lx->p;
    while (p < lx->end) {
        if ((unsigned char)*p < 128) {
            if (!isalnum((unsigned char)*p) && *p != '_')
                break;
            p++;
            continue;
        }
        const char *next = p;
        uint32_t cp = utf8_next(&next, lx->end);
        if (cp == 0xFFFD || !(p == lx->p ? utf8_is_ident_start(cp) : utf8_is_ident(cp)))
            break;
        p = next;
    }
    return p;
}

static bool is_string_prefix(const char *from, size_t len)
{
    if (len == 1)
        return strchr("rRbBuUfF", *from);
    if (len != 2)
        return false;
    char a = from[0] | 0x20, b = from[1] | 0x20;
    return (a == 'r' && (b == 'b' || b == 'f')) || (b == 'r' && (a == 'b' || a == 'f'));
}

static void name(struct lexer *lx)
{
    const char *from = lx->p;
    lx->p = name_end(lx);
    size_t len = (size_t)(lx->p - from);
    if (len <= 2 && lx->p < lx->end && (*lx->p == '"' || *lx->p == '\'') &&
        is_string_prefix(from, len))
        lexer_string(lx, from);
    else
        lexer_add(lx, token_keyword(from, len), from);
}

static void bad_character(struct lexer *lx)
{
    const char *from = lx->p;
    uint32_t cp = utf8_next(&lx->p, lx->end);
    if (*from == '\\') {
        lexer_error(lx, from, lx->p, "unexpected character after line continuation character");
    } else if (cp == 0xFFFD && (unsigned char)*from >= 128 && lx->p == from + 1) {
        lexer_error(lx, from, lx->p, "byte 0x%02x is not valid UTF-8", (unsigned char)*from);
        bool wide = (unsigned char)*from >= 0xFE; /* a byte order mark: no other text begins so */
        diag_hint(lx->dx, "%ssave it as UTF-8", wide ? "the file seems to be UTF-16: " : "");
        lx->broken = true;
    } else if (cp < 128 ? !isprint((int)cp) : !utf8_is_printable(cp) || utf8_is_space(cp)) {
        lexer_error(lx, from, lx->p, "invalid non-printable character U+%04X", cp);
        if (utf8_is_space(cp))
            diag_hint(lx->dx, "it looks like a blank: type an ordinary one");
    } else {
        lexer_error(lx, from, lx->p, "invalid character '%.*s' (U+%04X)", (int)(lx->p - from), from,
                    cp);
        if (cp >= 0x2018 && cp <= 0x201F) /* of texts: the quotes ‘ to ‟ */
            diag_hint(lx->dx, "quotes of programs are straight: ' or \"");
    }
}

bool lexer_token(struct lexer *lx)
{
    if (lx->p >= lx->end || lx->broken)
        return false;
    char c = *lx->p;
    if (isalpha((unsigned char)c) || c == '_')
        name(lx);
    else if (isdigit((unsigned char)c) ||
             (c == '.' && lx->p + 1 < lx->end && isdigit((unsigned char)lx->p[1])))
        number(lx);
    else if (c == '"' || c == '\'')
        lexer_string(lx, lx->p);
    else if ((unsigned char)c >= 128 && name_end(lx) > lx->p)
        name(lx);
    else if (!operator_token(lx))
        bad_character(lx);
    return !lx->broken;
}

/* Lines. */

/* A block is reported once, and so is a column. */
static void indentation_error(struct lexer *lx, const char *line, uint32_t column, const char *kind,
                              const char *message)
{
    struct span span = {lexer_pos(lx, line), lexer_pos(lx, lx->p)};
    if (column != lx->misfit && lx->nindent != lx->misfit_block)
        complain_kind(lx->dx, kind, span, "%s", message);
    lx->misfit = column;
    lx->misfit_block = lx->nindent;
    lexer_add(lx, TOKEN_ERROR, lx->p);
}

static void tab_error(struct lexer *lx, const char *line, uint32_t column)
{
    indentation_error(lx, line, column, "TabError",
                      "inconsistent use of tabs and spaces in indentation");
}

/* A line between two indentations counts as one of the deeper, so that those behind it fit. */
static void dedent(struct lexer *lx, const char *line, uint32_t column, uint32_t alt)
{
    while (lx->nindent && column <= lx->column[lx->nindent - 1]) {
        if (lx->nindent-- == lx->misfit_block)
            lx->misfit_block = 0;
        lexer_add(lx, TOKEN_DEDENT, lx->p);
    }
    if (column != lx->column[lx->nindent])
        indentation_error(lx, line, column, "IndentationError",
                          "unindent does not match any outer indentation level");
    else if (alt != lx->alt[lx->nindent])
        tab_error(lx, line, column);
}

static void indent(struct lexer *lx, const char *line, uint32_t column, uint32_t alt)
{
    if (alt <= lx->alt[lx->nindent]) {
        tab_error(lx, line, column);
    } else if (lx->nindent + 1 == LEX_MAX_INDENTS) {
        indentation_error(lx, line, column, "IndentationError", "too many levels of indentation");
        lx->broken = true;
    } else {
        lx->column[++lx->nindent] = column;
        lx->alt[lx->nindent] = alt;
        lexer_add(lx, TOKEN_INDENT, lx->p);
    }
}

/* Counts the indentation of the line at p. A backslash fixes it where it stands. */
static void measure(struct lexer *lx, uint32_t *column, uint32_t *alt)
{
    uint32_t joined = 0, joined_alt = 0;
    for (*column = *alt = 0; lx->p < lx->end; lx->p++) {
        if (*lx->p == ' ') {
            ++*column, ++*alt;
        } else if (*lx->p == '\t') {
            *column = (*column / 8 + 1) * 8, ++*alt;
        } else if (*lx->p == '\f') {
            *column = *alt = 0;
        } else if (*lx->p == '\\' && newline_at(lx, lx->p + 1)) {
            if (!joined)
                joined = *column, joined_alt = *alt;
            lx->p = behind_newline(lx, lx->p + 1) - 1;
            *column = *alt = 0;
        } else {
            break;
        }
    }
    if (joined)
        *column = joined, *alt = joined_alt;
}

/* The start of a line with something on it: INDENT or DEDENTs. False: nothing on it, or the end. */
static bool line_start(struct lexer *lx)
{
    const char *line = lx->p;
    uint32_t column, alt;
    measure(lx, &column, &alt);
    if (lx->p < lx->end && *lx->p == '#')
        skip_comment(lx);
    if (lx->p >= lx->end)
        return false;
    if (newline_at(lx, lx->p)) {
        lx->p = behind_newline(lx, lx->p);
        return false;
    }
    if (column > lx->column[lx->nindent])
        indent(lx, line, column, alt);
    else
        dedent(lx, line, column, alt);
    return !lx->broken;
}

static void logical_line(struct lexer *lx)
{
    if (!line_start(lx))
        return;
    for (;;) {
        lexer_skip(lx);
        if (lx->p >= lx->end)
            break;
        if (!lx->nopen && newline_at(lx, lx->p))
            break;
        if (!lexer_token(lx))
            return;
    }
    if (!lx->nopen)
        lexer_add(lx, TOKEN_NEWLINE, lx->p);
    if (lx->p < lx->end)
        lx->p = behind_newline(lx, lx->p);
}

/* Brackets that are still open at the end: the innermost is named, unless what went wrong inside it
 * has been reported already. */
static void check_closed(struct lexer *lx)
{
    if (!lx->nopen || lx->broken)
        return;
    uint32_t i = lx->open[lx->nopen - 1];
    struct token open = lx->out.at[i];
    lx->broken = true;
    for (; i < lx->out.len; i++) {
        if (lx->out.at[i].kind == TOKEN_ERROR)
            return;
    }
    complain_kind(lx->dx, "SyntaxError", (struct span){open.at, open.end}, "'%c' was never closed",
                  lx->text[open.at - lx->base]);
}

/* As in Python, nowhere in the text: a string with one would end there for those who take it as
 * C's. */
static void refuse_null(struct lexer *lx)
{
    const char *null = memchr(lx->p, 0, (size_t)(lx->end - lx->p));
    bool wide = lx->p < lx->end && (unsigned char)*lx->p >= 0xFE; /* bad_character says so */
    if (!null || wide)
        return;
    lexer_error(lx, null, null + 1, "source code cannot contain null bytes");
    lx->broken = true;
}

struct tokens lex_source(struct diags *dx, int source)
{
    struct sources *sources = diags_sources(dx);
    const char *text = source_text(sources, source);
    struct lexer lx = {.dx = dx,
                       .text = text,
                       .p = text,
                       .end = text + source_len(sources, source),
                       .base = source_base(sources, source)};
    if (lx.end - lx.p >= 3 && !memcmp(lx.p, "\xEF\xBB\xBF", 3))
        lx.p += 3;
    refuse_null(&lx);
    while (lx.p < lx.end && !lx.broken)
        logical_line(&lx);
    check_closed(&lx);
    while (lx.nindent--)
        lexer_add(&lx, TOKEN_DEDENT, lx.p);
    lexer_add(&lx, TOKEN_END, lx.p);
    if (lx.broken)
        tokens_free(&lx.out);
    return lx.out;
}

void tokens_free(struct tokens *tokens)
{
    vec_free(tokens);
}
