// SPDX-License-Identifier: MIT
/* left % right for str and bytes: %[(key)][flags][width][.precision][hlL]type. */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/utf8.h"
#include "python/bytes.h"
#include "python/format.h"
#include "python/format_spec.h"
#include "python/numbers.h"
#include "python/str.h"
#include "python/vm_state.h"

struct percent {
    struct vm *vm;
    const char *start, *p, *end;
    value right;
    const value *items; /* of a tuple, or right itself */
    size_t n, next;
    bool keyed; /* a %(key) was there */
    bool bytes; /* left is bytes, and so are keys and what %s takes */
    struct buf out;
};

struct directive {
    value keyed; /* the value of %(key) or NO_VALUE */
    bool left, plus, space, zero, alternate;
    int64_t width, precision;
    char type;
};

static value next_value(struct percent *f)
{
    if (f->next >= f->n)
        return vm_raise(f->vm, "TypeError", "not enough arguments for format string");
    return f->items[f->next++];
}

static bool is_mapping(const struct percent *f, value v)
{
    size_t len;
    return is_dict(v) || (is_object(v) && !is_tuple(v) && !is_str(v) &&
                          !(f->bytes && bytes_get(v, &len)) && type_slot(type_of(v), get_index));
}

static bool scan_key(struct percent *f, struct directive *d)
{
    const char *from = ++f->p;
    int open = 1;
    if (!is_mapping(f, f->right))
        return vm_raise(f->vm, "TypeError", "format requires a mapping");
    for (; f->p < f->end && open; f->p++)
        open += *f->p == '(' ? 1 : *f->p == ')' ? -1 : 0;
    if (open)
        return vm_raise(f->vm, "ValueError", "incomplete format key");
    size_t len = (size_t)(f->p - from) - 1;
    value key = f->bytes ? bytes_new(f->vm, from, len) : str_new(f->vm, from, len);
    d->keyed = value_index(f->vm, f->right, key);
    f->keyed = true;
    return d->keyed;
}

static void scan_flags(struct percent *f, struct directive *d)
{
    for (; f->p < f->end; f->p++) {
        switch (*f->p) {
        case '-': d->left = true; break;
        case '+': d->plus = true; break;
        case ' ': d->space = true; break;
        case '#': d->alternate = true; break;
        case '0': d->zero = true; break;
        default: return;
        }
    }
}

/* Digits or a star; none given leaves *out alone. */
static bool scan_size(struct percent *f, int64_t *out)
{
    if (f->p < f->end && *f->p == '*') {
        f->p++;
        value v = next_value(f);
        if (!v)
            return false;
        if (!is_instance(v, &type_int))
            return vm_raise(f->vm, "TypeError", "* wants int");
        if (!int_get(v, out) || *out > INT_MAX || *out < -INT_MAX)
            return vm_raise(f->vm, "OverflowError", "Python int too large to convert to C int");
        return true;
    }
    for (; f->p < f->end && isdigit((unsigned char)*f->p); f->p++) {
        *out = (*out < 0 ? 0 : *out) * 10 + (*f->p - '0');
        if (*out > INT_MAX)
            return vm_raise(f->vm, "ValueError", "width too big");
    }
    return true;
}

static bool scan_directive(struct percent *f, struct directive *d)
{
    *d = (struct directive){.width = -1, .precision = -1};
    if (f->p < f->end && *f->p == '(' && !scan_key(f, d))
        return false;
    scan_flags(f, d);
    bool star = f->p < f->end && *f->p == '*';
    if (!scan_size(f, &d->width))
        return false;
    if (star && d->width < 0) {
        d->left = true;
        d->width = -d->width;
    }
    if (f->p < f->end && *f->p == '.') {
        f->p++;
        d->precision = 0;
        if (!scan_size(f, &d->precision))
            return false;
        d->precision = d->precision < 0 ? 0 : d->precision;
    }
    if (f->p < f->end && strchr("hlL", *f->p))
        f->p++;
    if (f->p >= f->end)
        return vm_raise(f->vm, "ValueError", "incomplete format");
    d->type = *f->p++;
    return true;
}

static struct format_spec spec_of(const struct directive *d)
{
    struct format_spec spec = {
        .align = d->left ? '<' : '>',
        .sign = d->plus    ? '+'
                : d->space ? ' '
                           : 0,
        .alternate = d->alternate,
        .width = d->width,
        .precision = d->precision,
    };
    if (d->zero && !d->left) {
        spec.align = '=';
        spec.fill[0] = '0';
        spec.fill_len = 1;
    }
    return spec;
}

/* Bytes are cut and padded by their number, text by its characters. */
static void put_bytes(struct percent *f, const struct directive *d, const char *at, size_t len)
{
    len = d->precision >= 0 && (size_t)d->precision < len ? (size_t)d->precision : len;
    size_t blanks = d->width > (int64_t)len ? (size_t)d->width - len : 0;
    buf_repeat(&f->out, " ", 1, d->left ? 0 : blanks);
    buf_add(&f->out, at, len);
    buf_repeat(&f->out, " ", 1, d->left ? blanks : 0);
}

/* %s and %b of bytes */
static bool put_bytes_like(struct percent *f, const struct directive *d, value v)
{
    size_t len;
    const char *at = bytes_get(v, &len);
    value made = at ? NO_VALUE : bytes_asked(f->vm, v);
    if (!at && f->vm->error)
        return false;
    if (!at && !(made && (at = bytes_get(made, &len))))
        return vm_raise(
            f->vm, "TypeError",
            "%%b requires a bytes-like object, or an object that implements __bytes__, not '%s'",
            type_name(v));
    put_bytes(f, d, at, len);
    return true;
}

/* %c of bytes */
static bool put_byte(struct percent *f, const struct directive *d, value v)
{
    size_t len = 0;
    int64_t code = -1;
    const char *at = bytes_get(v, &len);
    if (!at && is_int(v) && (!int_get(v, &code) || code < 0 || code > 255))
        return vm_raise(f->vm, "OverflowError", "%%c arg not in range(256)");
    if (code < 0 && len != 1)
        return vm_raise(f->vm, "TypeError",
                        "%%c requires an integer in range(256) or a single byte");
    char byte = code < 0 ? *at : (char)code;
    put_bytes(f, &(struct directive){.left = d->left, .width = d->width, .precision = -1}, &byte,
              1);
    return true;
}

/* %s %r %a */
static bool put_text(struct percent *f, const struct directive *d, value v)
{
    struct format_spec spec = spec_of(d);
    spec.align = d->left ? '<' : '>';
    spec.fill_len = 0;
    value text = d->type == 's' ? value_str(f->vm, v) : value_repr(f->vm, v);
    if (!text)
        return false;
    if (d->type != 'a' && !f->bytes) {
        format_text(&spec, str_text(text), as_str(text)->len, '>', &f->out);
        return true;
    }
    struct buf ascii = {0};
    text_escape(str_text(text), as_str(text)->len, &ascii);
    format_text(&spec, buf_text(&ascii), ascii.len, '>', &f->out);
    buf_free(&ascii);
    return true;
}

static bool put_char(struct percent *f, const struct directive *d, value v)
{
    struct format_spec spec = spec_of(d);
    char text[4];
    int64_t cp;
    spec.fill_len = 0;
    spec.align = d->left ? '<' : '>';
    spec.precision = -1;
    if (is_str(v) && as_str(v)->count == 1) {
        format_text(&spec, str_text(v), as_str(v)->len, '>', &f->out);
        return true;
    }
    if (is_str(v) || !(int_get(v, &cp) || (is_int(v) && (cp = -1))))
        return vm_raise(f->vm, "TypeError", "%%c requires int or char");
    if (cp < 0 || cp > 0x10FFFF)
        return vm_raise(f->vm, "OverflowError", "%%c arg not in range(0x110000)");
    format_text(&spec, text, (size_t)utf8_put(text, (uint32_t)cp), '>', &f->out);
    return true;
}

/* The int that d, i, u (any real number) or x, o (only ints) print. */
static value whole_value(struct percent *f, char type, value v)
{
    bool decimal = strchr("diu", type);
    double real;
    if (decimal && is_object(v) && is_instance(v, &type_float)) {
        float_get(v, &real);
        return int_from_double(f->vm, real);
    }
    value whole = is_str(v) || v == VALUE_NONE ? NO_VALUE : int_index(f->vm, v);
    if (whole)
        return whole;
    if (vm_failed(f->vm))
        vm_take_error(f->vm);
    return vm_raise(f->vm, "TypeError", "%%%c format: %s is required, not %s", type,
                    decimal ? "a real number" : "an integer", type_name(v));
}

static bool put_int(struct percent *f, const struct directive *d, value v)
{
    char type = d->type;
    int base = type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
    struct format_spec spec = spec_of(d);
    struct buf digits = {0};
    value whole = whole_value(f, type, v);
    if (!whole || !int_print(f->vm, whole, base, &digits)) {
        buf_free(&digits);
        return false;
    }
    bool negative = *digits.at == '-';
    struct buf padded = {0};
    int64_t missing = d->precision - (int64_t)(digits.len - negative);
    buf_repeat(&padded, "0", 1, missing > 0 ? (size_t)missing : 0);
    buf_str(&padded, digits.at + negative);
    for (size_t i = 0; type == 'X' && i < padded.len; i++)
        padded.at[i] = (char)toupper((unsigned char)padded.at[i]);
    const char *prefix = !d->alternate || base == 10 ? ""
                         : base == 8                 ? "0o"
                         : type == 'X'               ? "0X"
                                                     : "0x";
    struct number_text number = {negative, prefix, padded.at, padded.len, "", 0, 3};
    format_number(&spec, &number, &f->out);
    buf_free(&digits);
    buf_free(&padded);
    return true;
}

static bool put_real(struct percent *f, const struct directive *d, value v)
{
    double real;
    struct format_spec spec = spec_of(d);
    spec.type = (uint32_t)d->type;
    return number_double(f->vm, v, &real) && format_real(f->vm, real, &spec, &f->out);
}

static bool put_directive(struct percent *f)
{
    struct directive d;
    const char *at = f->p;
    if (!scan_directive(f, &d))
        return false;
    if (d.type == '%' && f->p == at + 1) {
        buf_char(&f->out, '%');
        return true;
    }
    value v = d.keyed ? d.keyed : next_value(f);
    if (!v)
        return false;
    if (!strchr(f->bytes ? "bsradiuoxXeEfFgGc" : "sradiuoxXeEfFgGc", d.type) || !d.type) {
        const char *p = f->p - 1;
        uint32_t cp = utf8_next(&p, f->end);
        return vm_raise(
            f->vm, "ValueError", "unsupported format character '%.*s' (0x%x) at index %zu",
            (int)(p - f->p + 1), f->p - 1, cp, utf8_count(f->start, (size_t)(f->p - 1 - f->start)));
    }
    switch (d.type) {
    case 'b': return put_bytes_like(f, &d, v);
    case 's': return f->bytes ? put_bytes_like(f, &d, v) : put_text(f, &d, v);
    case 'r':
    case 'a': return put_text(f, &d, v);
    case 'c': return f->bytes ? put_byte(f, &d, v) : put_char(f, &d, v);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': return put_int(f, &d, v);
    default: return put_real(f, &d, v);
    }
}

value format_percent(struct vm *vm, value left, value right)
{
    struct percent f = {.vm = vm, .right = right, .items = &right, .n = 1, .bytes = !is_str(left)};
    size_t len = f.bytes ? 0 : as_str(left)->len;
    f.p = f.start = f.bytes ? bytes_get(left, &len) : str_text(left);
    f.end = f.start + len;
    if (is_tuple(right))
        f.items = sequence_items(right, &f.n);
    while (f.p < f.end) {
        const char *percent = memchr(f.p, '%', (size_t)(f.end - f.p));
        const char *to = percent ? percent : f.end;
        buf_add(&f.out, f.p, (size_t)(to - f.p));
        f.p = to + 1;
        if (!percent)
            break;
        if (!put_directive(&f)) {
            buf_free(&f.out);
            return NO_VALUE;
        }
    }
    if (f.next < f.n && !f.keyed && (is_tuple(right) || !is_mapping(&f, right))) {
        buf_free(&f.out);
        return vm_raise(vm, "TypeError", "not all arguments converted during %s formatting",
                        f.bytes ? "bytes" : "string");
    }
    return f.bytes ? bytes_take(vm, &f.out) : str_take(vm, &f.out);
}
