// SPDX-License-Identifier: MIT
/* libyaml's complaints in PyYAML's words, which people know and search for. PyYAML names the token it met; here
 * the text at that place tells which one it was. */
#include <string.h>

#include "base/utf8.h"
#include "python/str.h"
#include "python/yaml_data.h"

/* Rows: what libyaml says; what PyYAML says; what of the text follows it. */
enum follows { NOTHING, TOKEN, CHARACTER };
static const struct {
    const char *ours, *theirs;
    enum follows follows;
    const char *end;
} words[] = {
    {"mapping values are not allowed in this context", "mapping values are not allowed here", NOTHING, ""},
    {"mapping keys are not allowed in this context", "mapping keys are not allowed here", NOTHING, ""},
    {"block sequence entries are not allowed in this context", "sequence entries are not allowed here", NOTHING, ""},
    {"found character that cannot start any token", "found character ", CHARACTER, " that cannot start any token"},
    {"found unknown escape character", "found unknown escape character ", CHARACTER, ""},
    {"found unexpected document indicator", "found unexpected document separator", NOTHING, ""},
    {"did not find expected key", "expected <block end>, but found ", TOKEN, ""},
    {"did not find expected '-' indicator", "expected <block end>, but found ", TOKEN, ""},
    {"did not find expected node content", "expected the node content, but found ", TOKEN, ""},
    {"did not find expected <document start>", "expected '<document start>', but found ", TOKEN, ""},
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
static const char *token_at(const char *at, const char *end, bool block)
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
            return marks[i];
    return block && begins_mapping(at, end) ? "<block mapping start>" : "<scalar>";
}

void yaml_words(const char *problem, const char *at, const char *end, struct buf *out)
{
    size_t i = 0, n = sizeof words / sizeof *words;
    while (i < n && strcmp(words[i].ours, problem) != 0)
        i++;
    buf_str(out, i < n ? words[i].theirs : problem);
    if (i == n)
        return;
    if (words[i].follows == TOKEN)
        buf_printf(out, "'%s'", token_at(at, end, !strstr(problem, "',' or")));
    if (words[i].follows == CHARACTER && at < end) {
        const char *next = at;
        utf8_next(&next, end);
        text_repr(at, (size_t)(next - at), false, out);
    }
    buf_str(out, words[i].end);
}
