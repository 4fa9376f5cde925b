// SPDX-License-Identifier: MIT
/* buf.c: growing text. */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/line.h"
#include "base/memory.h"
#include "base/utf8.h"

char *buf_room(struct buf *buf, size_t more)
{
    if (more >= SIZE_MAX / 2 - buf->len)
        out_of_memory();
    size_t need = buf->len + more + 1;
    if (need > buf->cap) {
        size_t cap = buf->cap ? buf->cap : 64;
        while (cap < need)
            cap *= 2;
        char *at = realloc(buf->at, cap);
        if (!at)
            out_of_memory();
        buf->at = at;
        buf->cap = cap;
    }
    return buf->at + buf->len;
}

void buf_repeat(struct buf *buf, const void *unit, size_t size, size_t n)
{
    if (size && n > SIZE_MAX / size)
        out_of_memory();
    *(char *)memory_repeat(buf_room(buf, n * size), unit, size, n) = '\0';
    buf->len += n * size;
}

const char *number_text(int64_t number, char digits[NUMBER_ROOM])
{
    char *at = digits + NUMBER_ROOM - 1;
    *at = '\0';
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        *--at = '-';
    return at;
}

void buf_int(struct buf *buf, int64_t number)
{
    char digits[NUMBER_ROOM];
    buf_str(buf, number_text(number, digits));
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    char *at = buf_room(buf, 64);
    int len = vsnprintf(at, buf->cap - buf->len, format, args);
    ensure(len >= 0);
    if ((size_t)len >= buf->cap - buf->len) {
        at = buf_room(buf, (size_t)len);
        vsnprintf(at, (size_t)len + 1, format, again);
    }
    va_end(again);
    buf->len += (size_t)len;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_vprintf(buf, format, args);
    va_end(args);
}

static bool is_shell_safe(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("@%_-+=:,./", c));
}

void buf_indented(struct buf *buf, const char *margin, const char *text)
{
    struct line line;
    while (line_next(&text, &line))
        buf_printf(buf, "%s%.*s\n", margin, (int)line.len, line.at);
}

void buf_shell_quote(struct buf *buf, const char *text, size_t len)
{
    size_t safe = 0;
    while (safe < len && is_shell_safe((unsigned char)text[safe]))
        safe++;
    if (len && safe == len) {
        buf_add(buf, text, len);
        return;
    }
    buf_char(buf, '\'');
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\'')
            buf_str(buf, "'\"'\"'");
        else
            buf_char(buf, text[i]);
    }
    buf_char(buf, '\'');
}

void buf_base64(struct buf *buf, const void *bytes, size_t len, bool url_safe)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const unsigned char *text = bytes;
    char *at = buf_room(buf, (len + 2) / 3 * 4), *from = at;
    for (size_t i = 0; i < len; i += 3) {
        uint32_t word = 0;
        for (size_t k = 0; k < 3; k++)
            word = word << 8 | (i + k < len ? text[i + k] : 0);
        for (size_t k = 0; k < 4; k++) {
            uint32_t six = word >> (18 - 6 * k) & 63;
            *at++ = i + k > len ? '=' : six < 62 ? digit[six] : "+/-_"[six - 62 + 2 * url_safe];
        }
    }
    buf->len += (size_t)(at - from);
    buf->at[buf->len] = 0;
}

static const char *json_escape(char c)
{
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case '\b': return "\\b";
    case '\f': return "\\f";
    }
    return NULL;
}

/* One character of more than one byte, or a byte that is no UTF-8: that becomes the lone surrogate
 * by which Python keeps it. */
static void json_wide(struct buf *buf, const char **at, const char *end)
{
    const char *from = *at;
    uint32_t cp = utf8_next(at, end);
    if (cp == 0xFFFD && *at - from == 1)
        buf_printf(buf, "\\udc%02x", (unsigned char)*from);
    else if (cp >= 0xD800 && cp <= 0xDFFF)
        buf_printf(buf, "\\u%04x", cp);
    else
        buf_add(buf, from, (size_t)(*at - from));
}

void buf_json(struct buf *buf, const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    buf_room(buf, len);
    while (at < end) {
        const char *escape = json_escape(*at);
        if ((unsigned char)*at >= 0x80) {
            json_wide(buf, &at, end);
            continue;
        }
        if (escape)
            buf_str(buf, escape);
        else if ((unsigned char)*at < 0x20 || *at == 0x7F)
            buf_printf(buf, "\\u%04x", *at);
        else
            buf_char(buf, *at);
        at++;
    }
}

void buf_reset(struct buf *buf)
{
    buf->len = 0;
    if (buf->at)
        buf->at[0] = '\0';
}

void buf_free(struct buf *buf)
{
    free(buf->at);
    *buf = (struct buf){0};
}

const char *buf_text(const struct buf *buf)
{
    return buf->at && buf->len ? buf->at : "";
}

char *buf_take(struct buf *buf)
{
    buf_add(buf, "", 0);
    char *text = buf->at;
    *buf = (struct buf){0};
    return text;
}
