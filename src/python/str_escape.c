// SPDX-License-Identifier: MIT
/* unicode_escape: bytes in which characters stand as in a literal, \t, \xe9, \u20ac. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "python/str_codec.h"
#include "syntax/literal.h"

void escape_text(const char *text, size_t len, struct buf *out)
{
    static const char from[] = "\\\n\r\t", to[] = "\\nrt";
    char escaped[16];
    for (const char *p = text, *end = text + len; p < end;) {
        uint32_t cp = utf8_next(&p, end);
        const char *found = cp && cp < 0x80 ? strchr(from, (int)cp) : NULL;
        if (found)
            snprintf(escaped, sizeof escaped, "\\%c", to[found - from]);
        else if (cp >= ' ' && cp < 0x7f)
            snprintf(escaped, sizeof escaped, "%c", (char)cp);
        else
            snprintf(escaped, sizeof escaped,
                     cp < 0x100     ? "\\x%02x"
                     : cp < 0x10000 ? "\\u%04x"
                                    : "\\U%08x",
                     cp);
        buf_str(out, escaped);
    }
}

/* How long the escape is that begins at text: a backslash, and what may belong to it. */
static size_t escape_len(const char *text, size_t len)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    size_t most = len < 2          ? len
                  : text[1] == 'x' ? 4
                  : text[1] == 'u' ? 6
                  : text[1] == 'U' ? 10
                                   : 2,
           n = 2;
    if (len > 2 && text[1] == 'N') {
        const char *close = memchr(text, '}', len);
        return close ? (size_t)(close - text) + 1 : len;
    }
    if (len > 1 && text[1] >= '0' && text[1] <= '7') {
        while (n < len && n < 4 && text[n] >= '0' && text[n] <= '7')
            n++;
        return n;
    }
    while (n < most && n < len && text[n] && strchr(digits, text[n]))
        n++;
    return n < len ? n : len;
}

/* The escape of n bytes at a place of what the fault names, or what stands for a malformed one. */
static bool read_escape(struct vm *vm, struct codec_fault fault, size_t at, size_t n,
                        const char *errors, struct buf *out)
{
    struct diags *dx = diags_new(NULL);
    bool fine = n > 1 && literal_text(dx, out, fault.of + at, n, 0, 0);
    if (!fine) {
        fault.why = n > 1 ? diag_last(dx) : "\\ at end of string";
        fine = decode_lacking(vm, fault, at, n, errors, out);
    }
    diags_free(dx);
    return fine;
}

bool unescape_bytes(struct vm *vm, const char *bytes, size_t len, const char *errors,
                    struct buf *out)
{
    struct codec_fault fault = {.codec = "unicodeescape", .of = bytes, .len = len};
    char text[4];
    for (size_t i = 0; i < len;) {
        if (bytes[i] != '\\') {
            buf_add(out, text, (size_t)utf8_put(text, (unsigned char)bytes[i++]));
            continue;
        }
        size_t n = escape_len(bytes + i, len - i);
        if (!read_escape(vm, fault, i, n, errors, out))
            return false;
        i += n;
    }
    return true;
}
