// SPDX-License-Identifier: MIT
/* libyaml's complaints in PyYAML's words, which people know and search for. PyYAML names the token
 * it met; here the text at that place tells which one it was. */
#include <string.h>

#include "base/utf8.h"
#include "modules/yaml_data.h"
#include "python/str.h"

/* Rows: what libyaml says; what PyYAML says; what of the text follows it. */
enum follows { NOTHING, TOKEN, CHARACTER, NEXT_CHARACTER, HANDLE };
static const struct {
    const char *ours, *theirs;
    enum follows follows;
    const char *end;
} words[] = {
    {"mapping values are not allowed in this context", "mapping values are not allowed here",
     NOTHING, ""},
    {"mapping keys are not allowed in this context", "mapping keys are not allowed here", NOTHING,
     ""},
    {"block sequence entries are not allowed in this context",
     "sequence entries are not allowed here", NOTHING, ""},
    {"found character that cannot start any token", "found character ", CHARACTER,
     " that cannot start any token"},
    {"found unknown escape character", "found unknown escape character ", NEXT_CHARACTER, ""},
    {"did not find expected alphabetic or numeric character",
     "expected alphabetic or numeric character, but found ", CHARACTER, ""},
    {"did not find expected comment or line break",
     "expected chomping or indentation indicators, but found ", CHARACTER, ""},
    {"found undefined tag handle", "found undefined tag handle ", HANDLE, ""},
    {"found unexpected document indicator", "found unexpected document separator", NOTHING, ""},
    {"did not find expected key", "expected <block end>, but found ", TOKEN, ""},
    {"did not find expected '-' indicator", "expected <block end>, but found ", TOKEN, ""},
    {"did not find expected node content", "expected the node content, but found ", TOKEN, ""},
    {"did not find expected <document start>", "expected '<document start>', but found ", TOKEN,
     ""},
    {"did not find expected ',' or ']'", "expected ',' or ']', but got ", TOKEN, ""},
    {"did not find expected ',' or '}'", "expected ',' or '}', but got ", TOKEN, ""},
};

static bool blank_at(const char *at, const char *end)
{
    return at >= end || strchr(" \t\r\n", *at);
}

/* Whether the rest of the line looks like "key: value". */
static bool begins_mapping(const char *at, const char *end)
{
    for (; at < end && *at != '\n'; at++)
        if (*at == ':' && blank_at(at + 1, end))
            return true;
    return false;
}

/* The name PyYAML gives the token that begins at a place. */
static const char *token_at(const char *at, const char *end, bool block, bool same_column)
{
    static const char *const marks[] = {":", "?", "-", ",", "[", "]", "{", "}"};
    if (at >= end)
        return "<stream end>";
    if (*at == '!' || *at == '&' || *at == '*')
        return *at == '!' ? "<tag>" : *at == '&' ? "<anchor>" : "<alias>";
    if (end - at >= 3 && (!memcmp(at, "---", 3) || !memcmp(at, "...", 3)))
        return *at == '-' ? "<document start>" : "<document end>";
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (*at == *marks[i] && (i > 2 || blank_at(at + 1, end) || !block))
            return block && i == 2 && !same_column ? "<block sequence start>" : marks[i];
    return block && begins_mapping(at, end) ? "<block mapping start>" : "<scalar>";
}

static void add_character(const char *at, const char *end, struct buf *out)
{
    const char *next = at;
    if (at < end)
        utf8_next(&next, end);
    text_repr(at < end ? at : "", at < end ? (size_t)(next - at) : 1, false, out);
}

/* "!name!" at a place, in quotes. */
static void add_handle(const char *at, const char *end, struct buf *out)
{
    const char *to = at + (at < end);
    while (to < end && *to != '!' && !blank_at(to, end))
        to++;
    text_repr(at, (size_t)(to - at) + (to < end && *to == '!'), false, out);
}

/* How many digits the escape \x, \u or \U in front of a place wants, and the first character that
 * is none. */
static void add_escape(const char *at, const char *end, struct buf *out)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    buf_printf(out, "expected escape sequence of %d hexadecimal numbers, but found ",
               at[-1] == 'x'   ? 2
               : at[-1] == 'u' ? 4
                               : 8);
    while (at < end && *at && strchr(digits, *at))
        at++;
    add_character(at, end, out);
}

static void add_follows(enum follows follows, bool block, bool same_column, const char *at,
                        const char *end, struct buf *out)
{
    switch (follows) {
    case TOKEN: buf_printf(out, "'%s'", token_at(at, end, block, same_column)); break;
    case CHARACTER: add_character(at, end, out); break;
    case NEXT_CHARACTER: add_character(at + (at < end), end, out); break;
    case HANDLE: add_handle(at, end, out); break;
    case NOTHING: break;
    }
}

const char *yaml_context(const char *context)
{
    return context && !strcmp(context, "while parsing a quoted scalar")
               ? "while scanning a double-quoted scalar"
               : context;
}

void yaml_words(const char *problem, bool same_column, const char *at, const char *end,
                struct buf *out)
{
    size_t i = 0, n = sizeof words / sizeof *words;
    if (!strcmp(problem, "did not find expected hexdecimal number")) {
        add_escape(at, end, out);
        return;
    }
    while (i < n && strcmp(words[i].ours, problem) != 0)
        i++;
    buf_str(out, i < n ? words[i].theirs : problem);
    if (i < n) {
        add_follows(words[i].follows, !strstr(problem, "',' or"), same_column, at, end, out);
        buf_str(out, words[i].end);
    }
}
