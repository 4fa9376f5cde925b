// SPDX-License-Identifier: MIT
#include "base/visible.h"

#include <ctype.h>
#include <unistd.h>

#include "base/utf8.h"

/* The bytes of a sequence that sets colours: ESC [ 1 ; 31 m; 0: none begins here. */
static size_t color_len(const char *at, const char *end)
{
    const char *from = at;
    if (end - at < 3 || at[0] != '\033' || at[1] != '[')
        return 0;
    for (at += 2; at < end && (isdigit((unsigned char)*at) || *at == ';' || *at == ':');)
        at++;
    return at < end && *at == 'm' ? (size_t)(at + 1 - from) : 0;
}

/* Whether a terminal may act on it. Bytes that are no UTF-8 are judged as they stand: some
 * terminals take 0x9b for ESC [. */
static bool is_control(uint32_t cp, const char *at, const char *end)
{
    if (cp == '\r')
        return at + 1 == end || at[1] != '\n';
    return (cp < 32 && cp != '\n' && cp != '\t') || (cp >= 0x7f && cp < 0xa0);
}

void buf_visible(struct buf *out, const char *text, size_t len, bool colors)
{
    const char *end = text + len, *plain = text;
    bool colored = false;
    for (const char *at = text, *next; at < end; at = next) {
        next = at;
        uint32_t cp = utf8_next(&next, end);
        size_t color = colors ? color_len(at, end) : 0;
        if (next == at + 1)
            cp = (unsigned char)*at;
        if (color)
            next = at + color;
        colored |= color > 0;
        if (color || !is_control(cp, at, end))
            continue;
        buf_add(out, plain, (size_t)(at - plain));
        buf_printf(out, "\\x%02x", cp);
        plain = next;
    }
    buf_add(out, plain, (size_t)(end - plain));
    if (colored)
        buf_str(out, "\033[0m");
}

void buf_shown(struct buf *out, FILE *to, const char *text, size_t len, bool colors)
{
    if (isatty(fileno(to)))
        buf_visible(out, text, len, colors);
    else
        buf_add(out, text, len);
}

void put_visible(FILE *to, const char *text, size_t len)
{
    struct buf visible = {0};
    if (!isatty(fileno(to))) { /* what may be long is not copied */
        fwrite(text, 1, len, to);
        return;
    }
    buf_visible(&visible, text, len, false);
    fwrite(buf_text(&visible), 1, visible.len, to);
    buf_free(&visible);
}

void buf_cell(struct buf *out, const char *text, size_t columns)
{
    size_t len = strlen(text), width = utf8_columns(text, len);
    buf_add(out, text, len);
    if (width < columns)
        buf_repeat(out, " ", 1, columns - width);
}
