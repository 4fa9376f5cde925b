// SPDX-License-Identifier: MIT
/* Text in the encodings that iconv knows: converted as far as it goes, what it stops at is looked
 * at here. */
#include "python/str_codec.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "python/str.h"
#include "python/vm.h"

/* BYTES: every byte is a character. MARKED: begins with a byte order mark. */
enum codec_kind { BYTES, WIDE2, WIDE4, MARKED2, MARKED4, MULTI, ESCAPES };

static const struct codec {
    const char *names; /* in small letters and digits, each between spaces */
    const char *name, *iconv;
    enum codec_kind kind;
} codecs[] = {
    {" utf16 u16 ", "utf-16", "UTF-16LE", MARKED2},
    {" utf16le unicodelittleunmarked ", "utf-16-le", "UTF-16LE", WIDE2},
    {" utf16be unicodebigunmarked ", "utf-16-be", "UTF-16BE", WIDE2},
    {" utf32 u32 ", "utf-32", "UTF-32LE", MARKED4},
    {" utf32le ", "utf-32-le", "UTF-32LE", WIDE4},
    {" utf32be ", "utf-32-be", "UTF-32BE", WIDE4},
    {" cp1252 windows1252 1252 ", "cp1252", "CP1252", BYTES},
    {" iso885915 latin9 l9 885915 ", "iso8859-15", "ISO-8859-15", BYTES},
    {" iso88592 latin2 l2 ", "iso8859-2", "ISO-8859-2", BYTES},
    {" iso88593 latin3 l3 ", "iso8859-3", "ISO-8859-3", BYTES},
    {" iso88594 latin4 l4 ", "iso8859-4", "ISO-8859-4", BYTES},
    {" iso88595 cyrillic ", "iso8859-5", "ISO-8859-5", BYTES},
    {" iso88597 greek ", "iso8859-7", "ISO-8859-7", BYTES},
    {" iso88599 latin5 l5 ", "iso8859-9", "ISO-8859-9", BYTES},
    {" cp1250 windows1250 1250 ", "cp1250", "CP1250", BYTES},
    {" cp1251 windows1251 1251 ", "cp1251", "CP1251", BYTES},
    {" cp1253 windows1253 1253 ", "cp1253", "CP1253", BYTES},
    {" cp1254 windows1254 1254 ", "cp1254", "CP1254", BYTES},
    {" cp1257 windows1257 1257 ", "cp1257", "CP1257", BYTES},
    {" cp437 ibm437 437 ", "cp437", "CP437", BYTES},
    {" cp850 ibm850 850 ", "cp850", "CP850", BYTES},
    {" cp852 ibm852 852 ", "cp852", "CP852", BYTES},
    {" cp866 ibm866 866 ", "cp866", "CP866", BYTES},
    {" koi8r ", "koi8-r", "KOI8-R", BYTES},
    {" macroman macintosh ", "mac-roman", "MACINTOSH", BYTES},
    {" gb18030 gb180302000 ", "gb18030", "GB18030", MULTI},
    {" gbk cp936 936 ms936 ", "gbk", "GBK", MULTI},
    {" big5 big5tw csbig5 ", "big5", "BIG5", MULTI},
    {" shiftjis sjis shiftj ", "shift_jis", "SHIFT_JIS", MULTI},
    {" cp932 932 ms932 mskanji ", "cp932", "CP932", MULTI},
    {" eucjp ujis ", "euc_jp", "EUC-JP", MULTI},
    {" euckr korean ", "euc_kr", "EUC-KR", MULTI},
    {" unicodeescape ", "unicode_escape", "", ESCAPES},
};

static const struct codec *codec_of(enum encoding encoding)
{
    return &codecs[encoding - ENCODING_OTHERS];
}

enum encoding codec_find(const char *plain)
{
    char word[40];
    snprintf(word, sizeof word, " %s ", plain);
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (strstr(codecs[i].names, word))
            return (enum encoding)(ENCODING_OTHERS + i);
    return ENCODING_NONE;
}

const char *codec_name(enum encoding encoding)
{
    return codec_of(encoding)->name;
}

bool encoding_has_mark(enum encoding encoding)
{
    if (encoding < ENCODING_OTHERS)
        return encoding == ENCODING_UTF8_SIG;
    return codec_of(encoding)->kind == MARKED2 || codec_of(encoding)->kind == MARKED4;
}

enum encoding encoding_without_mark(enum encoding encoding)
{
    if (!encoding_has_mark(encoding))
        return encoding;
    /* the next row: the same without */
    return encoding == ENCODING_UTF8_SIG ? ENCODING_UTF8 : encoding + 1;
}

enum encoding_width encoding_width(enum encoding encoding)
{
    if (encoding < ENCODING_OTHERS)
        return encoding > ENCODING_UTF8_SIG ? WIDTH_BYTE : WIDTH_UTF8;
    return codec_of(encoding)->kind == BYTES ? WIDTH_BYTE : WIDTH_OTHER;
}

static iconv_t open_iconv(struct vm *vm, const char *to, const char *from,
                          const struct codec *codec)
{
    iconv_t cd = iconv_open(to, from);
    if (cd == (iconv_t)-1)
        vm_raise(vm, "LookupError", "unknown encoding: %s (iconv does not know it here)",
                 codec->name);
    return cd;
}

static int convert(iconv_t cd, const char **at, const char *end, struct buf *out);

/* musl's iconv has replaced what the encoding lacks, and only counted it: finds the first. */
static int convert_until_lacking(iconv_t cd, const char **at, const char *end, struct buf *out)
{
    const char *next = *at;
    utf8_next(&next, end);
    if (next == end)
        return EILSEQ;
    int error = 0;
    while (!error && *at < end) {
        next = *at;
        utf8_next(&next, end);
        error = convert(cd, at, next, out);
    }
    return error;
}

/* Converts as far as it goes; 0: all of it, else why it stopped (EILSEQ, EINVAL). */
static int convert(iconv_t cd, const char **at, const char *end, struct buf *out)
{
    for (;;) {
        size_t left = (size_t)(end - *at), room = 2 * left + 16, before = room;
        char *to = buf_room(out, room), *from = (char *)(uintptr_t)*at;
        size_t done = iconv(cd, &from, &left, &to, &room);
        int error = errno;
        if (done && done != (size_t)-1)
            return convert_until_lacking(cd, at, end, out);
        out->len += before - room;
        out->at[out->len] = '\0';
        *at = from;
        if (!done)
            return 0;
        if (error != E2BIG)
            return error;
    }
}

/* ---- to bytes ---- */

static bool has_character(iconv_t cd, const char *from, const char *to)
{
    struct buf out = {0};
    bool fits = !convert(cd, &from, to, &out);
    buf_free(&out);
    return fits;
}

/* Where the run of code points ends that the encoding lacks. */
static const char *lacking_end(iconv_t cd, const char *at, const char *end, size_t *run)
{
    for (*run = 0; at < end; ++*run) {
        const char *next = at;
        utf8_next(&next, end);
        if (has_character(cd, at, next))
            break;
        at = next;
    }
    return at;
}

static struct codec_fault encode_fault(const struct codec *codec, const char *of, size_t len)
{
    if (codec->kind == BYTES)
        return (struct codec_fault){"charmap", "character maps to <undefined>", of, len};
    return (struct codec_fault){
        codec->name, codec->kind == MULTI ? "illegal multibyte sequence" : "surrogates not allowed",
        of, len};
}

/* What stands for the run of characters at *at that the encoding lacks. */
static bool encode_run(struct vm *vm, iconv_t cd, const struct codec *codec, const char *text,
                       const char **at, const char *end, const char *errors, struct buf *out)
{
    struct codec_fault fault = encode_fault(codec, text, (size_t)(end - text));
    size_t place = utf8_count(text, (size_t)(*at - text)), run;
    const char *stop = lacking_end(cd, *at, end, &run);
    while (*at < stop) {
        struct buf instead = {0};
        uint32_t cp = utf8_next(at, end);
        bool fine = encode_lacking(vm, cp, place++, run--, fault, errors, &instead);
        const char *from = buf_text(&instead);
        if (fine && instead.len && (*from & 0x80)) /* a byte that was kept */
            buf_add(out, from, instead.len);
        else if (fine)
            convert(cd, &from, from + instead.len, out);
        buf_free(&instead);
        if (!fine)
            return false;
    }
    return true;
}

bool codec_encode(struct vm *vm, const char *text, size_t len, enum encoding encoding,
                  const char *errors, struct buf *out)
{
    const struct codec *codec = codec_of(encoding);
    if (codec->kind == ESCAPES)
        return escape_text(text, len, out), true;
    bool wide = codec->kind != BYTES && codec->kind != MULTI, fine = true;
    if (wide && !strcmp(errors, "surrogateescape")) /* a byte alone would be none of it */
        errors = "strict";
    if (!wide && text_is_ascii(text, len))
        return buf_add(out, text, len), true;
    if (encoding_has_mark(encoding))
        buf_add(out, "\xff\xfe\0\0", codec->kind == MARKED2 ? 2 : 4);
    iconv_t cd = open_iconv(vm, codec->iconv, "UTF-8", codec);
    if (cd == (iconv_t)-1)
        return false;
    for (const char *at = text, *end = text + len; fine && convert(cd, &at, end, out);)
        fine = encode_run(vm, cd, codec, text, &at, end, errors, out);
    iconv_close(cd);
    return fine;
}

/* ---- back ---- */

static const char *python_name(const char *iconv_name)
{
    size_t i = 0;
    while (strcmp(codecs[i].iconv, iconv_name) || codecs[i].kind == MARKED2 ||
           codecs[i].kind == MARKED4)
        i++;
    return codecs[i].name;
}

/* How many bytes at p are no text, and why. */
static size_t bad_bytes(const struct codec *codec, const char *iconv_name, size_t left,
                        bool incomplete, struct codec_fault *fault)
{
    size_t unit = codec->kind == BYTES || codec->kind == MULTI ? 1
                  : strstr(iconv_name, "32")                   ? 4
                                                               : 2;
    bool marked = codec->kind == MARKED2 || codec->kind == MARKED4;
    fault->codec = codec->kind == BYTES ? "charmap"
                   : marked             ? python_name(iconv_name)
                                        : codec->name;
    fault->why = codec->kind == BYTES ? "character maps to <undefined>"
                 : codec->kind == MULTI
                     ? incomplete ? "incomplete multibyte sequence" : "illegal multibyte sequence"
                 : left < unit ? "truncated data"
                 : incomplete  ? "unexpected end of data"
                 : unit == 4   ? "code point not in range(0x110000)"
                               : "illegal encoding";
    return incomplete || left < unit ? left : unit;
}

/* The name for iconv; a byte order mark decides it, and is left out. */
static const char *by_mark(const struct codec *codec, const char **at, const char *end)
{
    size_t unit = codec->kind == MARKED2 ? 2 : 4;
    if ((size_t)(end - *at) < unit)
        return codec->iconv;
    bool big = unit == 2 ? !memcmp(*at, "\xfe\xff", 2) : !memcmp(*at, "\0\0\xfe\xff", 4);
    bool little = !memcmp(*at, "\xff\xfe\0\0", unit);
    *at += big || little ? unit : 0;
    return unit == 2 ? big ? "UTF-16BE" : "UTF-16LE" : big ? "UTF-32BE" : "UTF-32LE";
}

bool codec_decode(struct vm *vm, const char *bytes, size_t len, enum encoding encoding,
                  const char *errors, struct buf *out)
{
    const struct codec *codec = codec_of(encoding);
    const char *at = bytes, *end = bytes + len, *name = codec->iconv;
    if (codec->kind == ESCAPES)
        return unescape_bytes(vm, bytes, len, errors, out);
    if ((codec->kind == BYTES || codec->kind == MULTI) && text_is_ascii(bytes, len))
        return buf_add(out, bytes, len), true;
    if (encoding_has_mark(encoding))
        name = by_mark(codec, &at, end);
    iconv_t cd = open_iconv(vm, "UTF-8", name, codec);
    if (cd == (iconv_t)-1)
        return false;
    bool fine = true;
    for (int error; fine && (error = convert(cd, &at, end, out));) {
        struct codec_fault fault = {.of = bytes, .len = len};
        size_t n = bad_bytes(codec, name, (size_t)(end - at), error == EINVAL, &fault);
        fine = decode_lacking(vm, fault, (size_t)(at - bytes), n, errors, out);
        at += n;
    }
    iconv_close(cd);
    return fine;
}
