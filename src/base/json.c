// SPDX-License-Identifier: MIT
/* json.c: a recursive reader, bounded in depth. */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { MAX_DEPTH = 500 };

struct reader {
    struct arena *in;
    const char *from, *at, *end;
    int depth;
    struct json_error error; /* the first one */
};

/* Always false. */
static bool fail(struct reader *r, const char *message)
{
    if (!r->error.message)
        r->error = (struct json_error){message, (size_t)(r->at - r->from)};
    return false;
}

static int peek(const struct reader *r)
{
    return r->at < r->end ? (unsigned char)*r->at : -1;
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

static int hex_digit(int c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

/* Four hex digits at at; -1 if they are not there. */
static int32_t hex4(const struct reader *r, const char *at)
{
    int32_t unit = 0;
    if (r->end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit((unsigned char)at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Behind "\u": one code point, of a surrogate pair or alone. */
static bool unicode_escape(struct reader *r, char **out)
{
    int32_t high = hex4(r, r->at);
    if (high < 0)
        return fail(r, "\\u needs four hex digits");
    r->at += 4;
    uint32_t cp = (uint32_t)high;
    if (high >= 0xD800 && high < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' &&
        r->at[1] == 'u') {
        int32_t low = hex4(r, r->at + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            cp = 0x10000 + ((cp - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
            r->at += 6;
        }
    }
    *out += utf8_put(*out, cp);
    return true;
}

/* Behind a backslash. */
static bool escape(struct reader *r, char **out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int c = peek(r);
    const char *found = c > 0 ? strchr(from, c) : NULL;
    if (c < 0)
        return fail(r, "the string is not closed");
    r->at++;
    if (c == 'u')
        return unicode_escape(r, out);
    if (!found)
        return fail(r, "no such escape");
    *(*out)++ = to[found - from];
    return true;
}

/* Behind the opening quote; every escape is shorter than what it stands for. */
static bool string(struct reader *r, const char **text, uint32_t *len)
{
    const char *close = r->at;
    while (close < r->end && *close != '"')
        close += *close == '\\' && close + 1 < r->end ? 2 : 1;
    char *start = arena_copy(r->in, r->at, (size_t)((close < r->end ? close : r->end) - r->at)),
         *out = start;
    while (!take(r, '"')) {
        int c = peek(r);
        if (c < 0)
            return fail(r, "the string is not closed");
        if (c < 0x20)
            return fail(r, "a control character in a string must be escaped");
        r->at++;
        if (c != '\\')
            *out++ = (char)c;
        else if (!escape(r, &out))
            return false;
    }
    *out = '\0';
    *text = start;
    *len = (uint32_t)(out - start);
    return true;
}

static bool digits(struct reader *r)
{
    if (peek(r) < '0' || peek(r) > '9')
        return fail(r, "a digit is missing");
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return true;
}

static bool number(struct reader *r, struct json *value)
{
    const char *start = r->at;
    take(r, '-');
    if (!take(r, '0') && !digits(r))
        return false;
    if (take(r, '.') && !digits(r))
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            take(r, '-');
        if (!digits(r))
            return false;
    }
    value->kind = JSON_NUMBER;
    value->len = (uint32_t)(r->at - start);
    value->text = arena_copy(r->in, start, value->len);
    return true;
}

/* null, true, false; and what Python's json writes beside the standard: NaN and infinities, as
 * numbers. */
static bool word(struct reader *r, struct json *value)
{
    static const struct {
        const char *text;
        enum json_kind kind;
    } words[] = {{"null", JSON_NULL},  {"true", JSON_TRUE},       {"false", JSON_FALSE},
                 {"NaN", JSON_NUMBER}, {"Infinity", JSON_NUMBER}, {"-Infinity", JSON_NUMBER}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t len = strlen(words[i].text);
        if ((size_t)(r->end - r->at) >= len && !memcmp(r->at, words[i].text, len)) {
            r->at += len;
            *value = (struct json){
                .kind = words[i].kind, .text = words[i].text, .len = (uint32_t)len};
            return true;
        }
    }
    return fail(r, "a value was expected");
}

static bool read_value(struct reader *r, struct json *value);

static bool key_of(struct reader *r, struct json *member)
{
    uint32_t len;
    skip_blanks(r);
    if (!take(r, '"'))
        return fail(r, "a key in double quotes was expected");
    if (!string(r, &member->key, &len))
        return false;
    skip_blanks(r);
    return take(r, ':') || fail(r, "':' was expected");
}

/* Behind the opening bracket. */
static bool list(struct reader *r, struct json *value, char close)
{
    struct json **end = &value->first;
    value->kind = close == '}' ? JSON_OBJECT : JSON_ARRAY;
    skip_blanks(r);
    if (take(r, close))
        return true;
    do {
        struct json *item = *end = arena_new(r->in, struct json);
        if ((close == '}' && !key_of(r, item)) || !read_value(r, item))
            return false;
        end = &item->next;
        value->len++;
        skip_blanks(r);
    } while (take(r, ','));
    return take(r, close) ||
           fail(r, close == '}' ? "',' or '}' was expected" : "',' or ']' was expected");
}

static bool read_value(struct reader *r, struct json *value)
{
    bool good;
    const char *key = value->key;
    skip_blanks(r);
    if (++r->depth > MAX_DEPTH)
        return fail(r, "nested too deeply");
    if (take(r, '{'))
        good = list(r, value, '}');
    else if (take(r, '['))
        good = list(r, value, ']');
    else if (take(r, '"'))
        good = (value->kind = JSON_STRING, string(r, &value->text, &value->len));
    else if ((peek(r) == '-' && !(r->end - r->at > 1 && r->at[1] == 'I')) ||
             (peek(r) >= '0' && peek(r) <= '9'))
        good = number(r, value);
    else
        good = word(r, value);
    value->key = key;
    r->depth--;
    return good;
}

struct json *json_parse(struct arena *in, const char *text, size_t len, struct json_error *error)
{
    struct reader r = {.in = in, .from = text, .at = text, .end = text + len};
    struct json *top = arena_new(in, struct json);
    bool good = len < UINT32_MAX ? read_value(&r, top) : fail(&r, "larger than 4 GiB");
    skip_blanks(&r);
    if (good && r.at < r.end)
        good = fail(&r, "more text behind the value");
    if (!good && error)
        *error = r.error;
    return good ? top : NULL;
}

const struct json *json_get(const struct json *object, const char *key)
{
    const struct json *found = NULL;
    if (object && object->kind == JSON_OBJECT) {
        for (const struct json *item = object->first; item; item = item->next)
            found = strcmp(item->key, key) ? found : item;
    }
    return found;
}

const struct json *json_first(const struct json *value)
{
    return value ? value->first : NULL;
}

const char *json_text(const struct json *value, const char *otherwise)
{
    return value && value->kind == JSON_STRING ? value->text : otherwise;
}

double json_number(const struct json *value, double otherwise)
{
    return value && value->kind == JSON_NUMBER ? strtod(value->text, NULL) : otherwise;
}

int64_t json_int(const struct json *value, int64_t otherwise)
{
    if (!value || value->kind != JSON_NUMBER)
        return otherwise;
    if (!strpbrk(value->text, ".eENI"))
        return strtoll(value->text, NULL, 10);
    double real = strtod(value->text, NULL);
    return real > -9e18 && real < 9e18 ? (int64_t)real : otherwise;
}
