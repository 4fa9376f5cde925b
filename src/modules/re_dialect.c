// SPDX-License-Identifier: MIT
/* Python's dialect of regular expressions in PCRE2's: what both spell differently is translated,
 * what PCRE2 alone knows is refused with Python's words. */
#include "modules/re_match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

struct parenthesis {
    const char *at;
    bool ascii; /* around it */
};

struct dialect {
    struct vm *vm;
    value source;
    const char *start, *end;
    int64_t *flags;
    struct buf *out;
    VEC(struct parenthesis) open; /* that are not closed */
    bool started;                 /* something was read that is no group of global flags */
    bool ascii;                   /* inside (?a:...) of a text's pattern */
};

static const char *bad(const struct dialect *d, const char *message, const char *at)
{
    size_t bytes = (size_t)(at - d->start);
    raise_re_error(d->vm, message, d->source,
                   is_str(d->source) ? utf8_count(d->start, bytes) : bytes);
    return NULL;
}

static const char *bad_escape(const struct dialect *d, const char *what, size_t len, const char *at)
{
    char message[64];
    snprintf(message, sizeof message, "%s %.*s", what, (int)len, at);
    return bad(d, message, at);
}

/* \xXX, \uXXXX, \UXXXXXXXX, p at the letter. Returns behind it; NULL: raised. */
static const char *character(struct dialect *d, const char *p, int digits)
{
    int n = 0;
    while (n < digits && p + 1 + n < d->end && isxdigit((unsigned char)p[1 + n]))
        n++;
    if (n < digits)
        return bad_escape(d, "incomplete escape", (size_t)n + 2, p - 1);
    buf_printf(d->out, "\\x{%.*s}", digits, p + 1);
    return p + 1 + digits;
}

#define WORD "A-Za-z0-9_"

/* What \d, \w, \s and \b are in ASCII; PCRE2 can have them so in the whole pattern only. False: it
 * is none of them. */
static bool ascii_escape(struct dialect *d, char letter, bool in_class)
{
    static const struct {
        char letter;
        const char *alone, *in_class;
    } rows[] = {
        {'d', "[0-9]", "0-9"},
        {'D', "[^0-9]", "\\x00-/:-\\x{10ffff}"},
        {'w', "[" WORD "]", WORD},
        {'W', "[^" WORD "]", "\\x00-/:-@\\[-\\^`{-\\x{10ffff}"},
        {'s', "[\\x09-\\x0d\\x20]", "\\x09-\\x0d\\x20"},
        {'S', "[^\\x09-\\x0d\\x20]", "\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}"},
        {'b', "(?:(?<=[" WORD "])(?![" WORD "])|(?<![" WORD "])(?=[" WORD "]))", NULL},
        {'B', "(?:(?<=[" WORD "])(?=[" WORD "])|(?<![" WORD "])(?![" WORD "]))", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = in_class ? rows[i].in_class : rows[i].alone;
        if (rows[i].letter == letter && text) {
            buf_str(d->out, text);
            return true;
        }
    }
    return false;
}

/* p at the backslash. */
static const char *escape(struct dialect *d, const char *p, bool in_class)
{
    if (++p == d->end)
        return bad(d, "bad escape (end of pattern)", p - 1);
    bool str = is_str(d->source);
    switch (*p) {
    case 'x': return character(d, p, 2);
    case 'u': return str ? character(d, p, 4) : bad_escape(d, "bad escape", 2, p - 1);
    case 'U': return str ? character(d, p, 8) : bad_escape(d, "bad escape", 2, p - 1);
    case 'v': buf_str(d->out, "\\x0b"); return p + 1;
    case 'Z':
        if (in_class)
            break;
        buf_str(d->out, "\\z");
        return p + 1;
    default: break;
    }
    if (isalpha((unsigned char)*p) && !strchr(in_class ? "abdDfnNrsStwW" : "aAbBdDfnNrsStwW", *p))
        return bad_escape(d, "bad escape", 2, p - 1);
    if (d->ascii && ascii_escape(d, *p, in_class))
        return p + 1;
    /* PCRE2 10.42 compiles \W beside PCRE2_MATCH_INVALID_UTF to code that leaves out all that is
     * not ASCII; the same in a class is right. */
    bool wrap = !in_class && str && *d->flags & RE_ASCII && memchr("DSW", *p, 3);
    buf_printf(d->out, wrap ? "[\\%c]" : "\\%c", *p);
    return p + 1;
}

/* [...], p at the bracket. */
static const char *class(struct dialect *d, const char *p)
{
    const char *bracket = p;
    buf_char(d->out, *p++);
    if (p < d->end && *p == '^')
        buf_char(d->out, *p++);
    if (p < d->end && *p == ']') {
        buf_str(d->out, "\\]");
        p++;
    } else if (p < d->end && memchr(".:=", *p, 3)) {
        buf_char(d->out, '\\'); /* [.a.] is no collating element */
    }
    while (p && p < d->end && *p != ']') {
        if (*p == '\\') {
            p = escape(d, p, true);
            continue;
        }
        if (*p == '[')
            buf_char(d->out, '\\'); /* no POSIX classes */
        buf_char(d->out, *p++);
    }
    if (!p)
        return NULL;
    if (p == d->end)
        return bad(d, "unterminated character set", bracket);
    buf_char(d->out, ']');
    return p + 1;
}

static int64_t flag_of(char letter)
{
    static const struct {
        char letter;
        int64_t flag;
    } rows[] = {{'a', RE_ASCII},  {'i', RE_IGNORECASE}, {'L', RE_LOCALE}, {'m', RE_MULTILINE},
                {'s', RE_DOTALL}, {'u', RE_UNICODE},    {'x', RE_VERBOSE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].letter == letter)
            return rows[i].flag;
    return 0;
}

static void open_parenthesis(struct dialect *d, const char *p)
{
    vec_push(&d->open, ((struct parenthesis){p, d->ascii}));
}

/* (?flags) and (?flags-flags:, p at the parenthesis; those that PCRE2 lacks are noted and left
 * out. */
static const char *inline_flags(struct dialect *d, const char *p)
{
    struct buf kept = {0};
    const char *q = p + 2;
    int64_t on = 0;
    for (bool minus = false; q < d->end && *q != ')' && *q != ':'; q++) {
        if (*q != '-' && !flag_of(*q)) {
            buf_free(&kept);
            return bad(d, isalpha((unsigned char)*q) ? "unknown flag" : "missing -, : or )", q);
        }
        minus = minus || *q == '-';
        on |= minus ? 0 : flag_of(*q);
        if (!strchr("auL", *q))
            buf_char(&kept, *q);
    }
    bool global = q < d->end && *q == ')', late = global && (d->started || d->open.len);
    if (q < d->end && !late && (kept.len || !global))
        buf_printf(d->out, "(?%s%c", buf_text(&kept), *q);
    buf_free(&kept);
    if (q == d->end)
        return bad(d, "missing -, : or )", q);
    if (late)
        return bad(d, "global flags not at the start of the expression", p);
    if (global) {
        *d->flags |= on;
    } else {
        open_parenthesis(d, p);
        d->ascii = is_str(d->source) && (d->ascii || on & RE_ASCII) && !(on & RE_UNICODE);
    }
    d->started = d->started || !global;
    return q + 1;
}

/* A parenthesis, with what makes it a special one. */
static const char *group(struct dialect *d, const char *p)
{
    static const char *const known[] = {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!", "(?P<", "(?("};
    size_t rest = (size_t)(d->end - p);
    if (rest > 1 && p[1] == '*')
        return bad(d, "nothing to repeat", p + 1);
    if (rest > 2 && p[1] == '?' && (isalpha((unsigned char)p[2]) || p[2] == '-') && p[2] != 'P') {
        if (p[2] == '-' || flag_of(p[2]))
            return inline_flags(d, p);
        char message[] = "unknown extension ?x";
        message[sizeof message - 2] = p[2];
        return bad(d, message, p + 1);
    }
    size_t used = rest > 1 && p[1] == '?' ? 0 : 1;
    for (size_t i = 0; !used && i < sizeof known / sizeof *known; i++)
        if (rest >= strlen(known[i]) && !memcmp(p, known[i], strlen(known[i])))
            used = strlen(known[i]);
    bool closed = rest > 3 && !memcmp(p, "(?P=", 4), comment = rest > 2 && !memcmp(p, "(?#", 3);
    if (closed || comment) { /* up to its parenthesis it is no pattern */
        const char *close = memchr(p, ')', rest);
        if (!close)
            return comment ? bad(d, "missing ), unterminated comment", p)
                           : bad(d, "missing ), unterminated name", p + 4);
        buf_add(d->out, p, (size_t)(close + 1 - p));
        d->started = d->started || closed;
        return close + 1;
    }
    if (!used && rest < 3)
        return bad(d, "unexpected end of pattern", d->end);
    if (!used) {
        char message[64];
        bool two = (p[2] == 'P' || p[2] == '<') && rest > 3;
        snprintf(message, sizeof message, "unknown extension ?%.*s", two ? 2 : 1, p + 2);
        return bad(d, message, p + 1);
    }
    open_parenthesis(d, p);
    d->started = true;
    if (p[used - 1] == '(' && used == 3) { /* the group that a condition asks for */
        const char *close = memchr(p, ')', rest);
        used = close ? (size_t)(close + 1 - p) : used;
    }
    buf_add(d->out, p, used);
    return p + used;
}

static const char *closing(struct dialect *d, const char *p)
{
    if (!d->open.len)
        return bad(d, "unbalanced parenthesis", p);
    d->ascii = d->open.at[--d->open.len].ascii;
    buf_char(d->out, ')');
    return p + 1;
}

static const char *piece(struct dialect *d, const char *p)
{
    bool verbose = *d->flags & RE_VERBOSE;
    if (verbose && *p == '#') {
        const char *line = memchr(p, '\n', (size_t)(d->end - p));
        buf_add(d->out, p, (size_t)((line ? line : d->end) - p));
        return line ? line : d->end;
    }
    if (*p == '(')
        return group(d, p);
    d->started = d->started || !verbose || !isspace((unsigned char)*p);
    if (*p == '\\')
        return escape(d, p, false);
    if (*p == '[')
        return class(d, p);
    if (*p == ')')
        return closing(d, p);
    if (*p == '{' && p > d->start && p + 2 < d->end && p[1] == ',' &&
        isdigit((unsigned char)p[2])) {
        buf_str(d->out, "{0");
        return p + 1;
    }
    buf_char(d->out, *p);
    return p + 1;
}

bool re_translate(struct vm *vm, value source, int64_t *flags, struct buf *out)
{
    struct text text;
    text_get(source, &text);
    struct dialect d = {.vm = vm,
                        .source = source,
                        .start = text.at,
                        .end = text.at + text.len,
                        .flags = flags,
                        .out = out};
    const char *p = d.start;
    while (p && p < d.end)
        p = piece(&d, p);
    if (p && d.open.len)
        p = bad(&d, "missing ), unterminated subpattern", d.open.at[d.open.len - 1].at);
    vec_free(&d.open);
    return p;
}
