// SPDX-License-Identifier: MIT
/* Text to bytes and back: utf-8, latin-1, ascii, with Python's ways to treat what does not fit.
 * Bytes that are no text and are kept (surrogateescape) stand in a str as code points 0xDC80 +
 * byte. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "python/bytes.h"
#include "python/str.h"
#include "python/str_codec.h"
#include "python/vm.h"

enum encoding encoding_find(struct vm *vm, const char *name)
{
    static const struct {
        const char *name;
        enum encoding encoding;
    } names[] = {
        {"utf8", ENCODING_UTF8},        {"u8", ENCODING_UTF8},       {"cp65001", ENCODING_UTF8},
        {"utf8sig", ENCODING_UTF8_SIG}, {"latin1", ENCODING_LATIN1}, {"iso88591", ENCODING_LATIN1},
        {"8859", ENCODING_LATIN1},      {"l1", ENCODING_LATIN1},     {"latin", ENCODING_LATIN1},
        {"ascii", ENCODING_ASCII},      {"usascii", ENCODING_ASCII}, {"646", ENCODING_ASCII},
    };
    char plain[32];
    size_t n = 0;
    for (const char *p = name; *p && n < sizeof plain - 1; p++)
        if (isalnum((unsigned char)*p))
            plain[n++] = (char)tolower((unsigned char)*p);
    plain[n] = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(plain, names[i].name))
            return names[i].encoding;
    enum encoding other = codec_find(plain);
    if (!other)
        vm_raise(vm, "LookupError", "unknown encoding: %s", name);
    return other;
}

const char *encoding_name(enum encoding encoding)
{
    static const char *const names[] = {"", "utf-8", "utf-8-sig", "latin-1", "ascii"};
    return encoding < ENCODING_OTHERS ? names[encoding] : codec_name(encoding);
}

bool encode_lacking(struct vm *vm, uint32_t cp, size_t at, size_t run, struct codec_fault fault,
                    const char *errors, struct buf *out)
{
    char escaped[16];
    if (!strcmp(errors, "surrogateescape") && cp >= 0xDC80 && cp <= 0xDCFF)
        return buf_char(out, (char)(cp - 0xDC00)), true;
    if (!strcmp(errors, "ignore"))
        return true;
    if (!strcmp(errors, "replace"))
        return buf_char(out, '?'), true;
    snprintf(escaped, sizeof escaped,
             cp < 0x100     ? "\\x%02x"
             : cp < 0x10000 ? "\\u%04x"
                            : "\\U%08x",
             cp);
    if (!strcmp(errors, "backslashreplace"))
        return buf_str(out, escaped), true;
    if (!strcmp(errors, "xmlcharrefreplace"))
        return buf_printf(out, "&#%u;", cp), true;
    return raise_encode_error(vm, fault, at, at + run);
}

static struct codec_fault fault_of(enum encoding encoding, const char *of, size_t len)
{
    if (encoding <= ENCODING_UTF8_SIG)
        return (struct codec_fault){"utf-8", "surrogates not allowed", of, len};
    return (struct codec_fault){encoding_name(encoding),
                                encoding == ENCODING_ASCII ? "ordinal not in range(128)"
                                                           : "ordinal not in range(256)",
                                of, len};
}

static bool encodable(uint32_t cp, enum encoding encoding)
{
    if (encoding == ENCODING_ASCII || encoding == ENCODING_LATIN1)
        return cp < (encoding == ENCODING_ASCII ? 0x80u : 0x100u);
    return cp < 0xD800 || cp > 0xDFFF;
}

/* How many code points from p on the encoding lacks. */
static size_t lacking_run(const char *p, const char *end, enum encoding encoding)
{
    size_t n = 0;
    while (p < end && !encodable(utf8_next(&p, end), encoding))
        n++;
    return n;
}

bool encode_text(struct vm *vm, const char *text, size_t len, enum encoding encoding,
                 const char *errors, struct buf *out)
{
    char bytes[4];
    errors = errors ? errors : "strict";
    if (encoding >= ENCODING_OTHERS)
        return codec_encode(vm, text, len, encoding, errors, out);
    if (encoding == ENCODING_UTF8_SIG)
        buf_add(out, "\xef\xbb\xbf", 3);
    bool utf8 = encoding <= ENCODING_UTF8_SIG;
    if (text_is_ascii(text, len) || (utf8 && utf8_valid(text, len)))
        return buf_add(out, text, len), true;
    size_t at = 0;
    for (const char *p = text, *end = text + len; p < end; at++) {
        uint32_t cp = utf8_next(&p, end);
        if (!encodable(cp, encoding)) {
            size_t run = 1 + lacking_run(p, end, encoding);
            if (!encode_lacking(vm, cp, at, run, fault_of(encoding, text, len), errors, out))
                return false;
        } else if (utf8) {
            buf_add(out, bytes, (size_t)utf8_put(bytes, cp));
        } else {
            buf_char(out, (char)cp);
        }
    }
    return true;
}

/* ---- back ---- */

/* How many bytes at p can only be the beginning of a character, and why they are none. */
static size_t bad_utf8(const unsigned char *p, size_t left, const char **why)
{
    unsigned char c = *p;
    size_t want = c >= 0xF0 && c <= 0xF4  ? 4
                  : c >= 0xE0 && c < 0xF0 ? 3
                  : c >= 0xC2 && c < 0xE0 ? 2
                                          : 0;
    *why = "invalid start byte";
    if (!want)
        return 1;
    unsigned char low = c == 0xE0   ? 0xA0
                        : c == 0xF0 ? 0x90
                                    : 0x80,
                  high = c == 0xED   ? 0x9F
                         : c == 0xF4 ? 0x8F
                                     : 0xBF;
    size_t n = 1;
    for (; n < want && n < left && p[n] >= low && p[n] <= high; n++) {
        low = 0x80;
        high = 0xBF;
    }
    *why = n == left ? "unexpected end of data" : "invalid continuation byte";
    return n;
}

bool decode_lacking(struct vm *vm, struct codec_fault fault, size_t at, size_t n,
                    const char *errors, struct buf *out)
{
    const unsigned char *bytes = (const unsigned char *)fault.of;
    char text[4];
    if (!strcmp(errors, "ignore"))
        return true;
    if (!strcmp(errors, "replace"))
        return buf_str(out, "\xef\xbf\xbd"), true;
    bool escape = !strcmp(errors, "surrogateescape"),
         backslash = !strcmp(errors, "backslashreplace");
    for (size_t i = 0; i < n && (escape || backslash); i++) {
        if (escape)
            buf_add(out, text, (size_t)utf8_put(text, 0xDC00u + bytes[at + i]));
        else
            buf_printf(out, "\\x%02x", bytes[at + i]);
    }
    if (escape || backslash)
        return true;
    return raise_decode_error(vm, fault, at, at + n);
}

static bool decode_narrow(struct vm *vm, const char *bytes, size_t len, enum encoding encoding,
                          const char *errors, struct buf *out)
{
    char text[4];
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte < 0x80 || encoding == ENCODING_LATIN1)
            buf_add(out, text, (size_t)utf8_put(text, byte));
        else if (!decode_lacking(vm, fault_of(encoding, bytes, len), i, 1, errors, out))
            return false;
    }
    return true;
}

bool decode_bytes(struct vm *vm, const char *bytes, size_t len, enum encoding encoding,
                  const char *errors, struct buf *out)
{
    errors = errors ? errors : "strict";
    if (encoding >= ENCODING_OTHERS)
        return codec_decode(vm, bytes, len, encoding, errors, out);
    size_t mark = encoding == ENCODING_UTF8_SIG ? utf8_mark_len(bytes, len) : 0;
    bytes += mark;
    len -= mark;
    if (text_is_ascii(bytes, len))
        return buf_add(out, bytes, len), true;
    if (encoding > ENCODING_UTF8_SIG)
        return decode_narrow(vm, bytes, len, encoding, errors, out);
    for (size_t i = 0; i < len;) {
        size_t good = utf8_valid_len(bytes + i, len - i);
        buf_add(out, bytes + i, good);
        i += good;
        if (i == len)
            break;
        struct codec_fault fault = {.codec = "utf-8", .of = bytes, .len = len};
        size_t n = bad_utf8((const unsigned char *)bytes + i, len - i, &fault.why);
        if (!decode_lacking(vm, fault, i, n, errors, out))
            return false;
        i += n;
    }
    return true;
}
