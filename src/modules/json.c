// SPDX-License-Identifier: MIT
/* json: reading and writing, with Python's words when a text is wrong; the classes are in
 * lib/_json.py. The reader of base/json.h is not used: Python also takes NaN and Infinity, wants
 * int and float told apart, hooks for objects and numbers, and other words and places for
 * errors. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "modules/modules.h"
#include "python/bytes.h"
#include "python/foreign.h"
#include "python/format.h"
#include "python/library.h"
#include "python/numbers.h"
#include "python/str.h"
#include "python/vm_state.h"

/* ---- reading ---- */

struct reader {
    struct vm *vm;
    const char *start, *p, *end;
    value hook, pairs_hook, parse_float, parse_int, parse_constant; /* NO_VALUE: none */
    bool strict; /* no control characters inside strings */
};

/* Raises JSONDecodeError for a place of the text. Always NO_VALUE. */
static value bad(struct reader *r, const char *what, const char *at)
{
    struct vm *vm = r->vm;
    value module = module_import(vm, "json"),
          class = module ? module_get(vm, module, "JSONDecodeError") : NO_VALUE;
    value args[] = {str_from(vm, what), str_new(vm, r->start, (size_t)(r->end - r->start)),
                    small((int64_t)utf8_count(r->start, (size_t)(at - r->start)))};
    value exception = class ? vm_call(vm, class, args, 3, NO_VALUE) : NO_VALUE;
    return exception ? vm_raise_value(vm, exception) : NO_VALUE;
}

static void skip_space(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

static int hex4(const char *p, const char *end)
{
    int cp = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int d = c >= '0' && c <= '9'                     ? c - '0'
                : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                         : -1;
        if (d < 0)
            return -1;
        cp = cp * 16 + d;
    }
    return cp;
}

/* An escape at p (the backslash); false: raised. */
static bool read_escape(struct reader *r, struct buf *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *letter = r->p + 1 < r->end && r->p[1] ? strchr(from, r->p[1]) : NULL;
    char text[4];
    if (letter) {
        buf_char(out, to[letter - from]);
        r->p += 2;
        return true;
    }
    if (r->p + 1 >= r->end || r->p[1] != 'u')
        return bad(r, "Invalid \\escape", r->p);
    int cp = hex4(r->p + 2, r->end);
    if (cp < 0)
        return bad(r, "Invalid \\uXXXX escape", r->p + 1);
    r->p += 6;
    if (cp >= 0xD800 && cp < 0xDC00 && r->end - r->p >= 6 && r->p[0] == '\\' && r->p[1] == 'u') {
        int low = hex4(r->p + 2, r->end);
        if (low >= 0xDC00 && low < 0xE000) {
            cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
            r->p += 6;
        }
    }
    buf_add(out, text, (size_t)utf8_put(text, (uint32_t)cp));
    return true;
}

static value read_string(struct reader *r)
{
    struct buf out = {0};
    const char *open = r->p++;
    for (;;) {
        const char *from = r->p;
        while (r->p < r->end && *r->p != '"' && *r->p != '\\' &&
               ((unsigned char)*r->p >= 32 || !r->strict))
            r->p++;
        if (r->p < r->end && *r->p == '"' && !out.len && from == open + 1)
            return str_new(r->vm, from, (size_t)(r->p++ - from));
        buf_add(&out, from, (size_t)(r->p - from));
        if (r->p >= r->end || (*r->p == '\\' && r->p + 1 == r->end)) {
            buf_free(&out);
            return bad(r, "Unterminated string starting at", open);
        }
        if (*r->p == '"') {
            r->p++;
            return str_take(r->vm, &out);
        }
        if (*r->p != '\\' || !read_escape(r, &out)) {
            buf_free(&out);
            return r->vm->error ? NO_VALUE : bad(r, "Invalid control character at", r->p);
        }
    }
}

static size_t digits_at(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && p[n] >= '0' && p[n] <= '9')
        n++;
    return n;
}

static value read_number(struct reader *r)
{
    const char *from = r->p, *p = from + (*from == '-');
    size_t n = digits_at(p, r->end);
    bool real = false;
    if (!n)
        return bad(r, "Expecting value", from);
    p += *p == '0' ? 1 : n;
    if (p + 1 < r->end && *p == '.' && (n = digits_at(p + 1, r->end))) {
        p += 1 + n;
        real = true;
    }
    if (p < r->end && (*p | 0x20) == 'e') {
        const char *q = p + 1;
        q += q < r->end && (*q == '+' || *q == '-');
        if ((n = digits_at(q, r->end))) {
            p = q + n;
            real = true;
        }
    }
    r->p = p;
    value hook = real ? r->parse_float : r->parse_int;
    if (hook)
        return vm_call1(r->vm, hook, str_new(r->vm, from, (size_t)(p - from)));
    double d = 0;
    if (!real)
        return int_parse(r->vm, NO_VALUE, from, (size_t)(p - from), 10);
    float_parse(from, (size_t)(p - from), &d);
    return float_new(r->vm, d);
}

static value read_value(struct reader *r);

static value read_array(struct reader *r)
{
    value list = list_new(r->vm, NULL, 0);
    r->p++;
    skip_space(r);
    if (r->p < r->end && *r->p == ']') {
        r->p++;
        return list;
    }
    for (;;) {
        value item = read_value(r);
        if (!item)
            return NO_VALUE;
        list_push(r->vm, list, item);
        skip_space(r);
        if (r->p < r->end && *r->p == ']') {
            r->p++;
            return list;
        }
        if (r->p >= r->end || *r->p != ',')
            return bad(r, "Expecting ',' delimiter", r->p);
        r->p++;
        skip_space(r);
    }
}

/* One "key": value; false: raised. */
static bool read_pair(struct reader *r, value *key, value *item)
{
    skip_space(r);
    if (r->p >= r->end || *r->p != '"')
        return bad(r, "Expecting property name enclosed in double quotes", r->p);
    *key = read_string(r);
    if (!*key)
        return false;
    skip_space(r);
    if (r->p >= r->end || *r->p != ':')
        return bad(r, "Expecting ':' delimiter", r->p);
    r->p++;
    skip_space(r);
    *item = read_value(r);
    return *item;
}

static value finish_object(struct reader *r, value dict, value pairs)
{
    if (r->pairs_hook)
        return vm_call1(r->vm, r->pairs_hook, pairs);
    return r->hook ? vm_call1(r->vm, r->hook, dict) : dict;
}

static value read_object(struct reader *r)
{
    value dict = dict_new(r->vm), pairs = r->pairs_hook ? list_new(r->vm, NULL, 0) : NO_VALUE;
    value key = NO_VALUE, item = NO_VALUE;
    r->p++;
    skip_space(r);
    if (r->p < r->end && *r->p == '}') {
        r->p++;
        return finish_object(r, dict, pairs);
    }
    for (;;) {
        if (!read_pair(r, &key, &item))
            return NO_VALUE;
        if (pairs)
            list_push(r->vm, pairs, tuple_new(r->vm, (value[]){key, item}, 2));
        else
            dict_set(r->vm, dict, key, item);
        skip_space(r);
        if (r->p < r->end && *r->p == '}') {
            r->p++;
            return finish_object(r, dict, pairs);
        }
        if (r->p >= r->end || *r->p != ',')
            return bad(r, "Expecting ',' delimiter", r->p);
        r->p++;
    }
}

static value read_word(struct reader *r)
{
    static const struct {
        const char *word;
        value constant; /* NO_VALUE: the number */
        double number;
    } words[] = {{"null", VALUE_NONE},
                 {"true", VALUE_TRUE},
                 {"false", VALUE_FALSE},
                 {"NaN", NO_VALUE, NAN},
                 {"Infinity", NO_VALUE, INFINITY},
                 {"-Infinity", NO_VALUE, -INFINITY}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if ((size_t)(r->end - r->p) < n || memcmp(r->p, words[i].word, n))
            continue;
        r->p += n;
        if (words[i].constant)
            return words[i].constant;
        return r->parse_constant
                   ? vm_call1(r->vm, r->parse_constant, str_from(r->vm, words[i].word))
                   : float_new(r->vm, words[i].number);
    }
    return NO_VALUE;
}

static value read_value(struct reader *r)
{
    if (vm_too_deep(r->vm))
        return NO_VALUE;
    if (r->p >= r->end)
        return bad(r, "Expecting value", r->p);
    switch (*r->p) {
    case '{': return read_object(r);
    case '[': return read_array(r);
    case '"': return read_string(r);
    default: break;
    }
    value word = read_word(r);
    if (word || r->vm->error)
        return word;
    if (*r->p == '-' || (*r->p >= '0' && *r->p <= '9'))
        return read_number(r);
    return bad(r, "Expecting value", r->p);
}

/* Slots of the options of loads and its relatives, from slot i on. */
enum { READ_HOOK, READ_PAIRS_HOOK, READ_FLOAT, READ_INT, READ_CONSTANT, READ_STRICT, READ_CLS };

static bool reader_open(struct vm *vm, struct text text, const struct args *args, int i,
                        struct reader *r)
{
    *r = (struct reader){.vm = vm, .start = text.at, .p = text.at, .end = text.at + text.len};
    value *hooks[] = {&r->hook, &r->pairs_hook, &r->parse_float, &r->parse_int, &r->parse_constant};
    for (int k = 0; k <= READ_CONSTANT; k++) {
        value hook = arg_or(args, i + k, VALUE_NONE);
        *hooks[k] = hook == VALUE_NONE ? NO_VALUE : hook;
    }
    return arg_bool(vm, args, i + READ_STRICT, true, &r->strict);
}

static value read_document(struct vm *vm, struct text text, const struct args *args)
{
    struct reader r;
    if (!reader_open(vm, text, args, 1, &r))
        return NO_VALUE;
    if (utf8_mark_len(text.at, text.len))
        return bad(&r, "Unexpected UTF-8 BOM (decode using utf-8-sig)", r.p);
    skip_space(&r);
    value v = read_value(&r);
    if (!v)
        return NO_VALUE;
    skip_space(&r);
    return r.p < r.end ? bad(&r, "Extra data", r.p) : v;
}

/* Arguments by name from slots: names ends with NULL; slots not given are left out. */
static value options_dict(struct vm *vm, const struct args *args, int i, const char *const *names)
{
    value dict = dict_new(vm);
    for (; *names; names++, i++)
        if (**names && arg_given(args, i))
            dict_set_str(vm, dict, *names, args->at[i]);
    return dict;
}

/* cls(options).decode(s) */
static value decode_by(struct vm *vm, value cls, const struct args *args)
{
    static const char *const names[] = {"object_hook", "object_pairs_hook", "parse_float",
                                        "parse_int",   "parse_constant",    "strict",
                                        NULL};
    value decoder = vm_call(vm, cls, NULL, 0, options_dict(vm, args, 1, names));
    return decoder ? vm_call_method(vm, decoder, "decode", args->at, 1) : NO_VALUE;
}

static value json_loads(struct vm *vm, const struct args *args)
{
    value source = args->at[0], cls = arg_or(args, 1 + READ_CLS, VALUE_NONE);
    struct text bytes;
    struct buf text = {0};
    if (cls != VALUE_NONE)
        return decode_by(vm, cls, args);
    if (is_str(source))
        return read_document(vm, text_of(source), args);
    bytes.at = bytes_get(source, &bytes.len);
    if (!bytes.at)
        return vm_raise(vm, "TypeError", "the JSON object must be str, bytes or bytearray, not %s",
                        type_name(source));
    bool wide = bytes.len > 1 &&
                (!memcmp(bytes.at, "\xff\xfe", 2) || !memcmp(bytes.at, "\xfe\xff", 2));
    enum encoding encoding = wide ? encoding_find(vm, "utf-16") : ENCODING_UTF8_SIG;
    value v = decode_bytes(vm, bytes.at, bytes.len, encoding, NULL, &text)
                  ? read_document(vm, (struct text){buf_text(&text), text.len}, args)
                  : NO_VALUE;
    buf_free(&text);
    return v;
}

/* _scan(s, idx, ...): the value that begins there, and where it ends. */
static value json_scan(struct vm *vm, const struct args *args)
{
    int64_t from;
    struct reader r;
    if (!arg_text(vm, args, 0, NULL) || !arg_int(vm, args, 1, 0, &from) ||
        !reader_open(vm, text_of(args->at[0]), args, 2, &r))
        return NO_VALUE;
    if (from < 0)
        return vm_raise(vm, "ValueError", "idx cannot be negative");
    r.p += str_offset(vm, args->at[0], (size_t)from);
    value v = read_value(&r);
    size_t end = str_position(vm, args->at[0], (size_t)(r.p - r.start));
    return v ? tuple_new(vm, (value[]){v, small((int64_t)end)}, 2) : NO_VALUE;
}

static value json_load(struct vm *vm, const struct args *args)
{
    value text = vm_call_method(vm, args->at[0], "read", NULL, 0), slots[1 + READ_CLS + 1];
    if (!text)
        return NO_VALUE;
    memcpy(slots, args->at, (size_t)args->n * sizeof *slots);
    slots[0] = text;
    return json_loads(vm, &(struct args){slots, args->n, args->def, NULL});
}

/* ---- writing ---- */

struct writer {
    struct vm *vm;
    struct buf out;
    bool ascii, sort, skip_keys, allow_nan;
    bool lines;            /* with an indent */
    struct text indent;    /* one step */
    struct text item, key; /* separators */
    value fallback;        /* default=, or NO_VALUE */
    VEC(value) inside;     /* what is being written: it cannot be in itself */
    int depth;
};

/* In UTF-16, as JSON has it. */
static void put_escape(struct buf *out, uint32_t cp)
{
    if (cp >= 0x10000) {
        put_escape(out, 0xD800 + ((cp - 0x10000) >> 10));
        cp = 0xDC00 + ((cp - 0x10000) & 0x3FF);
    }
    char escape[6] = "\\u";
    for (int i = 0; i < 4; i++)
        escape[2 + i] = "0123456789abcdef"[cp >> (12 - 4 * i) & 15];
    buf_add(out, escape, sizeof escape);
}

static void write_string(struct writer *w, value v)
{
    struct text text = text_of(v);
    buf_char(&w->out, '"');
    for (const char *p = text.at, *end = p + text.len; p < end;) {
        const char *from = p;
        while (p < end && *p >= 32 && *p < 127 && *p != '"' && *p != '\\')
            p++;
        buf_add(&w->out, from, (size_t)(p - from));
        if (p == end)
            break;
        from = p;
        uint32_t cp = utf8_next(&p, end);
        static const char letters[] = "\"\\\n\r\t\f\b", names[] = "\"\\nrtfb";
        const char *letter = cp && cp < 128 ? strchr(letters, (int)cp) : NULL;
        if (letter)
            buf_printf(&w->out, "\\%c", names[letter - letters]);
        else if (cp < 32)
            put_escape(&w->out, cp);
        else if (!w->ascii)
            buf_add(&w->out, from, (size_t)(p - from));
        else
            put_escape(&w->out, cp);
    }
    buf_char(&w->out, '"');
}

static bool write_float(struct writer *w, double d)
{
    if (isfinite(d)) {
        format_double(d, &w->out);
        return true;
    }
    if (!w->allow_nan)
        return vm_raise(w->vm, "ValueError", "Out of range float values are not JSON compliant: %s",
                        isnan(d) ? "nan"
                        : d > 0  ? "inf"
                                 : "-inf");
    buf_str(&w->out, isnan(d) ? "NaN" : d > 0 ? "Infinity" : "-Infinity");
    return true;
}

static void new_line(struct writer *w)
{
    if (!w->lines)
        return;
    buf_char(&w->out, '\n');
    for (int i = 0; i < w->depth; i++)
        buf_add(&w->out, w->indent.at, w->indent.len);
}

static bool write_value(struct writer *w, value v);

static bool write_list(struct writer *w, value v)
{
    size_t n;
    sequence_items(v, &n);
    if (!n) {
        buf_str(&w->out, "[]");
        return true;
    }
    buf_char(&w->out, '[');
    w->depth++;
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add(&w->out, w->item.at, w->item.len);
        new_line(w);
        if (!write_value(w, sequence_items(v, &n)[i]))
            return false;
    }
    w->depth--;
    new_line(w);
    buf_char(&w->out, ']');
    return true;
}

/* A key as text; *skip when it cannot be one and such are left out. */
static bool write_key(struct writer *w, value key, bool *skip)
{
    double d;
    *skip = false;
    if (is_str(key)) {
        write_string(w, key);
    } else if (key == VALUE_NONE || key == VALUE_TRUE || key == VALUE_FALSE) {
        buf_str(&w->out, key == VALUE_NONE   ? "\"null\""
                         : key == VALUE_TRUE ? "\"true\""
                                             : "\"false\"");
    } else if (is_int(key) || (is_float(key) && float_get(key, &d))) {
        buf_char(&w->out, '"');
        if (is_int(key) ? !int_print(w->vm, key, 10, &w->out) : !write_float(w, d))
            return false;
        buf_char(&w->out, '"');
    } else if (w->skip_keys) {
        *skip = true;
    } else {
        return vm_raise(w->vm, "TypeError", "keys must be str, int, float, bool or None, not %s",
                        type_name(key));
    }
    return true;
}

static bool write_dict(struct writer *w, value v)
{
    size_t pos = 0, n, two;
    value key, item, pairs = list_new(w->vm, NULL, 0);
    if (!dict_len(v)) {
        buf_str(&w->out, "{}");
        return true;
    }
    while (dict_next(v, &pos, &key, &item))
        list_push(w->vm, pairs, tuple_new(w->vm, (value[]){key, item}, 2));
    if (w->sort && !list_sort(w->vm, pairs, VALUE_NONE, false))
        return false;
    const value *at = sequence_items(pairs, &n);
    bool first = true;
    buf_char(&w->out, '{');
    w->depth++;
    for (size_t i = 0; i < n; i++) {
        const value *pair = sequence_items(at[i], &two);
        size_t before = w->out.len;
        bool skip;
        if (!first)
            buf_add(&w->out, w->item.at, w->item.len);
        new_line(w);
        if (!write_key(w, pair[0], &skip))
            return false;
        if (skip) {
            w->out.len = before;
            continue;
        }
        first = false;
        buf_add(&w->out, w->key.at, w->key.len);
        if (!write_value(w, pair[1]))
            return false;
    }
    w->depth--;
    new_line(w);
    buf_char(&w->out, '}');
    return true;
}

static bool write_other(struct writer *w, value v)
{
    value plain = is_foreign(v) ? foreign_plain(w->vm, v) : v; /* numpy.float64 is a float */
    if (plain != v)
        return plain && write_value(w, plain);
    if (!w->fallback)
        return vm_raise(w->vm, "TypeError", "Object of type %s is not JSON serializable",
                        type_name(v));
    value made = vm_call1(w->vm, w->fallback, v);
    return made && write_value(w, made);
}

/* What may contain itself. */
static bool write_nested(struct writer *w, value v)
{
    for (uint32_t i = 0; i < w->inside.len; i++)
        if (w->inside.at[i] == v)
            return vm_raise(w->vm, "ValueError", "Circular reference detected");
    vec_push(&w->inside, v);
    bool fine = is_list(v) || is_tuple(v) ? write_list(w, v)
                : is_dict(v)              ? write_dict(w, v)
                                          : write_other(w, v);
    w->inside.len--;
    return fine;
}

static bool write_value(struct writer *w, value v)
{
    double d;
    if (vm_too_deep(w->vm))
        return false;
    if (is_str(v))
        write_string(w, v);
    else if (v == VALUE_NONE || v == VALUE_TRUE || v == VALUE_FALSE)
        buf_str(&w->out, v == VALUE_NONE ? "null" : v == VALUE_TRUE ? "true" : "false");
    else if (is_int(v))
        return int_print(w->vm, v, 10, &w->out);
    else if (is_object(v) && is_instance(v, &type_float))
        return float_get(v, &d) && write_float(w, d);
    else
        return write_nested(w, v);
    return true;
}

/* skipkeys ensure_ascii check_circular allow_nan cls indent separators default sort_keys, from slot
 * i on. */
static bool writer_options(struct vm *vm, const struct args *args, int i, struct writer *w,
                           char *spaces)
{
    int64_t n;
    size_t two;
    value indent = arg_or(args, i + 5, VALUE_NONE), separators = arg_or(args, i + 6, VALUE_NONE);
    value fallback = arg_or(args, i + 7, VALUE_NONE);
    *w = (struct writer){.vm = vm, .item = {", ", 2}, .key = {": ", 2}};
    if (!arg_bool(vm, args, i, false, &w->skip_keys) ||
        !arg_bool(vm, args, i + 1, true, &w->ascii) ||
        !arg_bool(vm, args, i + 3, true, &w->allow_nan) ||
        !arg_bool(vm, args, i + 8, false, &w->sort))
        return false;
    w->lines = indent != VALUE_NONE;
    if (w->lines) {
        w->item = (struct text){",", 1};
        if (is_str(indent))
            w->indent = text_of(indent);
        else if (int_get(indent, &n))
            w->indent = (struct text){spaces, n < 0 ? 0 : n > 64 ? 64 : (size_t)n};
    }
    if (separators != VALUE_NONE) {
        const value *at = sequence_items(separators, &two);
        if (!at || two != 2 || !is_str(at[0]) || !is_str(at[1]))
            return vm_raise(vm, "TypeError", "separators must be a pair of str");
        w->item = text_of(at[0]);
        w->key = text_of(at[1]);
    }
    w->fallback = fallback == VALUE_NONE ? NO_VALUE : fallback;
    return true;
}

/* cls(options).encode(obj) */
static value encode_by(struct vm *vm, value cls, const struct args *args, int options)
{
    static const char *const names[] = {
        "skipkeys", "ensure_ascii", "check_circular", "allow_nan", "",
        "indent",   "separators",   "default",        "sort_keys", NULL};
    value encoder = vm_call(vm, cls, NULL, 0, options_dict(vm, args, options, names));
    value text = encoder ? vm_call_method(vm, encoder, "encode", args->at, 1) : NO_VALUE;
    if (text && !is_str(text))
        return vm_raise(vm, "TypeError", "encode() of %s must return a str", type_name(encoder));
    return text;
}

static value dump_text(struct vm *vm, const struct args *args, int options)
{
    struct writer w;
    char spaces[64];
    value cls = arg_or(args, options + 4, VALUE_NONE);
    if (cls != VALUE_NONE)
        return encode_by(vm, cls, args, options);
    memset(spaces, ' ', sizeof spaces);
    if (!writer_options(vm, args, options, &w, spaces))
        return NO_VALUE;
    bool written = write_value(&w, args->at[0]);
    vec_free(&w.inside);
    if (written)
        return str_take(vm, &w.out);
    buf_free(&w.out);
    return NO_VALUE;
}

static value json_dumps(struct vm *vm, const struct args *args)
{
    return dump_text(vm, args, 1);
}

static value json_dump(struct vm *vm, const struct args *args)
{
    value text = dump_text(vm, args, 2);
    return text && vm_call_method(vm, args->at[1], "write", &text, 1) ? VALUE_NONE : NO_VALUE;
}

#define READ_OPTIONS                                                                               \
    "object_hook=None object_pairs_hook=None parse_float=None parse_int=None parse_constant=None " \
    "strict=True"
#define WRITE_OPTIONS                                                                              \
    "skipkeys=False ensure_ascii=True check_circular=True allow_nan=True cls=None indent=None "    \
    "separators=None default=None sort_keys=False"

static const struct native_def functions[] = {
    {"loads", json_loads, "s * " READ_OPTIONS " cls=None", "The value that a JSON text spells."},
    {"load", json_load, "fp * " READ_OPTIONS " cls=None", "The same, from a file."},
    {"dumps", json_dumps, "obj * " WRITE_OPTIONS, "The value as JSON text."},
    {"dump", json_dump, "obj fp * " WRITE_OPTIONS, "The same, into a file."},
    {"_scan", json_scan, "s idx * " READ_OPTIONS, "The value at a place, and where it ends."},
    {0}};

static bool fill(struct vm *vm, value module)
{
    if (!library_run(vm, module, "_json"))
        return false;
    dict_set_str(vm, from_object(vm->modules), "json.decoder", module_get(vm, module, "decoder"));
    return dict_set_str(vm, from_object(vm->modules), "json.encoder",
                        module_get(vm, module, "encoder"));
}

const struct native_module module_json = {"json", functions, fill};
