// SPDX-License-Identifier: MIT
/* format(): the mini-language parsed, and str, int, float and complex laid out by it. */
#include "python/format.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "python/format_spec.h"
#include "python/native.h"
#include "python/numbers.h"
#include "python/vm.h"

/* ---- parsing ---- */

static bool is_align(char c)
{
    return c == '<' || c == '>' || c == '^' || c == '=';
}

/* Decimal digits at *p; -1 if none; false: raised. */
static bool parse_digits(struct vm *vm, const char **p, const char *end, int64_t *out)
{
    *out = -1;
    for (; *p < end && isdigit((unsigned char)**p); ++*p) {
        *out = (*out < 0 ? 0 : *out) * 10 + (**p - '0');
        if (*out > INT_MAX * (int64_t)1000000)
            return vm_raise(vm, "ValueError", "Too many decimal digits in format string");
    }
    return true;
}

static const char *parse_fill(const char *p, const char *end, struct format_spec *spec)
{
    const char *next = p;
    if (p < end)
        utf8_next(&next, end);
    if (next < end && next > p && is_align(*next)) {
        spec->fill_len = (uint8_t)(next - p);
        memcpy(spec->fill, p, spec->fill_len);
        spec->align = *next++;
        return next;
    }
    if (p < end && is_align(*p))
        spec->align = *p++;
    return p;
}

static const char *parse_flags(const char *p, const char *end, struct format_spec *spec)
{
    if (p < end && (*p == '+' || *p == '-' || *p == ' '))
        spec->sign = *p++;
    if (p < end && *p == 'z') {
        spec->no_negative_zero = true;
        p++;
    }
    if (p < end && *p == '#') {
        spec->alternate = true;
        p++;
    }
    if (p < end && *p == '0' && !spec->fill_len) {
        spec->fill[0] = '0';
        spec->fill_len = 1;
        if (!spec->align)
            spec->align = 'z'; /* '=' for numbers, '<' for text */
        p++;
    }
    return p;
}

static bool bad_grouping(struct vm *vm, const struct format_spec *spec)
{
    if (spec->type < 128)
        return vm_raise(vm, "ValueError", "Cannot specify '%c' with '%c'.", spec->grouping,
                        (char)spec->type);
    return vm_raise(vm, "ValueError", "Cannot specify '%c' with '\\x%x'.", spec->grouping,
                    spec->type);
}

static bool parse_rest(struct vm *vm, const char **p, const char *end, struct format_spec *spec)
{
    if (!parse_digits(vm, p, end, &spec->width))
        return false;
    if (spec->width > UINT32_MAX)
        return vm_raise(vm, "MemoryError", "the string is too long");
    while (*p < end && (**p == ',' || **p == '_')) {
        if (spec->grouping)
            return spec->grouping == **p
                       ? vm_raise(vm, "ValueError", "Cannot specify '%c' with '%c'.", **p, **p)
                       : vm_raise(vm, "ValueError", "Cannot specify both ',' and '_'.");
        spec->grouping = *(*p)++;
    }
    if (*p < end && **p == '.') {
        ++*p;
        if (!parse_digits(vm, p, end, &spec->precision))
            return false;
        if (spec->precision < 0)
            return vm_raise(vm, "ValueError", "Format specifier missing precision");
    }
    return true;
}

/* False: raised ValueError; v's type is named in it. */
static bool format_spec_parse(struct vm *vm, value v, const char *text, size_t len,
                              struct format_spec *spec)
{
    const char *p = text, *end = text + len;
    *spec = (struct format_spec){.width = -1, .precision = -1};
    p = parse_fill(p, end, spec);
    p = parse_flags(p, end, spec);
    if (!parse_rest(vm, &p, end, spec))
        return false;
    if (p < end)
        spec->type = utf8_next(&p, end);
    if (p < end)
        return vm_raise(vm, "ValueError", "Invalid format specifier '%.*s' for object of type '%s'",
                        (int)len, text, type_name(v));
    if (spec->grouping && !spec->type && is_str(v))
        spec->type = 's';
    bool decimal = !spec->type || (spec->type < 128 && strchr("defgEFG%", (char)spec->type));
    if (spec->grouping && !decimal &&
        !(spec->grouping == '_' && spec->type < 128 && strchr("boxX", (char)spec->type)))
        return bad_grouping(vm, spec);
    return true;
}

static bool unknown_code(struct vm *vm, value v, uint32_t code)
{
    char text[5] = {0};
    if (code < 33 || code > 127)
        return vm_raise(vm, "ValueError", "Unknown format code '\\x%x' for object of type '%s'",
                        code, type_name(v));
    utf8_put(text, code);
    return vm_raise(vm, "ValueError", "Unknown format code '%s' for object of type '%s'", text,
                    type_name(v));
}

/* ---- laying out ---- */

static void put_fill(const struct format_spec *spec, int64_t n, struct buf *out)
{
    if (n > 0)
        buf_repeat(out, spec->fill_len ? spec->fill : " ", spec->fill_len ? spec->fill_len : 1,
                   (size_t)n);
}

void format_text(const struct format_spec *spec, const char *text, size_t len, char otherwise,
                 struct buf *out)
{
    int64_t count = -1;
    if (spec->precision >= 0)
        len = utf8_offset(text, len, (size_t)spec->precision);
    if (spec->width >= 0)
        count = (int64_t)utf8_count(text, len);
    int64_t pad = spec->width > count ? spec->width - count : 0;
    char align = spec->align && spec->align != 'z' ? spec->align : otherwise;
    int64_t left = count < 0 || align == '<' ? 0 : align == '^' ? pad / 2 : pad;
    if (count < 0)
        pad = 0;
    put_fill(spec, left, out);
    buf_add(out, text, len);
    put_fill(spec, pad - left, out);
}

/* The digits with separators, filled up with zeros to at least width characters. */
static size_t group(const struct number_text *number, char grouping, int64_t width, struct buf *out)
{
    if (!grouping && (int64_t)number->ndigits >= width) {
        buf_add(out, number->digits, number->ndigits);
        return number->ndigits;
    }
    char *back = buf_room(out, (number->ndigits + (width > 0 ? (size_t)width : 0)) * 2 + 4);
    size_t n = 0;
    size_t digits = number->ndigits;
    int in_group = 0;
    while (digits || (int64_t)n < width) {
        if (grouping && in_group == number->every) {
            back[n++] = grouping;
            in_group = 0;
        }
        back[n++] = digits ? number->digits[--digits] : '0';
        in_group++;
    }
    for (size_t i = 0; i < n / 2; i++) {
        char c = back[i];
        back[i] = back[n - 1 - i];
        back[n - 1 - i] = c;
    }
    out->len += n;
    out->at[out->len] = 0;
    return n;
}

static size_t grouped_len(const struct number_text *number, char grouping)
{
    return number->ndigits +
           (grouping && number->ndigits ? (number->ndigits - 1) / (size_t)number->every : 0);
}

void format_number(const struct format_spec *spec, const struct number_text *number,
                   struct buf *out)
{
    char sign = number->negative ? '-' : spec->sign == '+' ? '+' : spec->sign == ' ' ? ' ' : 0;
    size_t around = (sign != 0) + strlen(number->prefix) + number->nrest;
    char align = spec->align == 'z' ? '=' : spec->align ? spec->align : '>';
    bool zeros = align == '=' && spec->fill_len == 1 && spec->fill[0] == '0';
    int64_t total = (int64_t)(around + grouped_len(number, spec->grouping));
    int64_t pad = !zeros && spec->width > total ? spec->width - total : 0;
    int64_t left = align == '<' ? 0 : align == '^' ? pad / 2 : align == '>' ? pad : 0;
    put_fill(spec, left, out);
    if (sign)
        buf_char(out, sign);
    buf_str(out, number->prefix);
    if (align == '=')
        put_fill(spec, pad, out);
    char grouping = number->ndigits ? spec->grouping : 0; /* not the zeros before "inf" */
    group(number, grouping, zeros ? spec->width - (int64_t)around : 0, out);
    buf_add(out, number->rest, number->nrest);
    if (align != '=')
        put_fill(spec, pad - left, out);
}

/* ---- each type ---- */

static bool format_str(struct vm *vm, value v, const struct format_spec *spec, struct buf *out)
{
    if (spec->type && spec->type != 's')
        return unknown_code(vm, v, spec->type);
    if (spec->sign)
        return vm_raise(vm, "ValueError", "%s not allowed in string format specifier",
                        spec->sign == ' ' ? "Space" : "Sign");
    if (spec->no_negative_zero)
        return vm_raise(vm, "ValueError",
                        "Negative zero coercion (z) not allowed in string format specifier");
    if (spec->alternate)
        return vm_raise(vm, "ValueError",
                        "Alternate form (#) not allowed in string format specifier");
    if (spec->align == '=')
        return vm_raise(vm, "ValueError", "'=' alignment not allowed in string format specifier");
    format_text(spec, str_text(v), as_str(v)->len, '<', out);
    return true;
}

static bool format_char(struct vm *vm, value v, const struct format_spec *spec, struct buf *out)
{
    int64_t cp;
    char text[4];
    if (spec->sign)
        return vm_raise(vm, "ValueError", "Sign not allowed with integer format specifier 'c'");
    if (spec->alternate)
        return vm_raise(vm, "ValueError",
                        "Alternate form (#) not allowed with integer format specifier 'c'");
    if (!int_get(v, &cp))
        return vm_raise(vm, "OverflowError", "Python int too large to convert to C long");
    if (cp < 0 || cp > 0x10FFFF)
        return vm_raise(vm, "OverflowError", "%%c arg not in range(0x110000)");
    format_text(spec, text, (size_t)utf8_put(text, (uint32_t)cp), '>', out);
    return true;
}

static void upper_case(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text[i] = (char)toupper((unsigned char)text[i]);
}

static bool format_int(struct vm *vm, value v, const struct format_spec *spec, struct buf *out)
{
    uint32_t type = spec->type ? spec->type : 'd';
    int base = type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
    struct buf digits = {0};
    if (spec->precision >= 0)
        return vm_raise(vm, "ValueError", "Precision not allowed in integer format specifier");
    if (spec->no_negative_zero)
        return vm_raise(vm, "ValueError",
                        "Negative zero coercion (z) not allowed in integer format specifier");
    if (type == 'c')
        return format_char(vm, v, spec, out);
    if (!int_print(vm, v, base, &digits)) {
        buf_free(&digits);
        return false;
    }
    if (type == 'X')
        upper_case(digits.at, digits.len);
    bool negative = *digits.at == '-';
    struct number_text number = {
        .negative = negative,
        .prefix = !spec->alternate || base == 10 ? ""
                  : base == 2                    ? "0b"
                  : base == 8                    ? "0o"
                  : type == 'X'                  ? "0X"
                                                 : "0x",
        .digits = digits.at + negative,
        .ndigits = digits.len - negative,
        .rest = "",
        .every = base == 10 ? 3 : 4,
    };
    format_number(spec, &number, out);
    buf_free(&digits);
    return true;
}

static bool is_zero_text(const struct buf *text)
{
    for (size_t i = 0; i < text->len && text->at[i] != 'e' && text->at[i] != 'E'; i++)
        if (text->at[i] >= '1' && text->at[i] <= '9')
            return false;
    return true;
}

bool format_real(struct vm *vm, double d, const struct format_spec *spec, struct buf *out)
{
    struct buf text = {0};
    if (spec->precision > INT_MAX - 512) /* the digits before the point */
        return vm_raise(vm, "ValueError", "precision too big");
    double_text(fabs(d), spec->type, spec->precision, spec->alternate, &text);
    size_t digits = 0;
    while (digits < text.len && isdigit((unsigned char)text.at[digits]))
        digits++;
    bool negative = signbit(d) && !isnan(d);
    if (spec->no_negative_zero && isfinite(d) && is_zero_text(&text))
        negative = false;
    struct number_text number = {negative,          "", text.at, digits, text.at + digits,
                                 text.len - digits, 3};
    format_number(spec, &number, out);
    buf_free(&text);
    return true;
}

static bool format_float(struct vm *vm, value v, const struct format_spec *spec, struct buf *out)
{
    double d;
    if (spec->type && (spec->type > 127 || !strchr("efgEFGn%", (char)spec->type)))
        return unknown_code(vm, v, spec->type);
    return number_double(vm, v, &d) && format_real(vm, d, spec, out);
}

static bool format_complex(struct vm *vm, value v, const struct format_spec *spec, struct buf *out)
{
    double real, imag;
    struct format_spec part = *spec, whole = *spec;
    struct buf text = {0};
    if (spec->type && (spec->type > 127 || !strchr("efgEFGn", (char)spec->type)))
        return unknown_code(vm, v, spec->type);
    if (spec->align == 'z' || (spec->fill_len == 1 && *spec->fill == '0'))
        return vm_raise(vm, "ValueError",
                        "Zero padding is not allowed in complex format specifier");
    if (spec->align == '=')
        return vm_raise(vm, "ValueError",
                        "'=' alignment flag is not allowed in complex format specifier");
    complex_get(v, &real, &imag);
    part.width = whole.precision = -1;
    bool bare = !spec->type && !(real == 0 && !signbit(real));
    if (bare)
        buf_char(&text, '(');
    part.align = 0;
    part.fill_len = 0;
    if (!part.type)
        part.type = part.precision < 0 ? 0 : 'g';
    struct buf a = {0}, b = {0};
    format_real(vm, real, &part, &a);
    if (bare || spec->type)
        part.sign = '+';
    format_real(vm, imag, &part, &b);
    if (!spec->type && spec->precision < 0) {
        /* as repr: whole parts without ".0" */
        if (a.len > 2 && !strcmp(a.at + a.len - 2, ".0"))
            a.at[a.len -= 2] = 0;
        if (b.len > 2 && !strcmp(b.at + b.len - 2, ".0"))
            b.at[b.len -= 2] = 0;
    }
    if (bare || spec->type)
        buf_add(&text, a.at, a.len);
    buf_add(&text, b.at, b.len);
    buf_str(&text, bare ? "j)" : "j");
    format_text(&whole, text.at, text.len, '>', out);
    buf_free(&a);
    buf_free(&b);
    buf_free(&text);
    return true;
}

static bool format_plain(struct vm *vm, value v, struct buf *out)
{
    value text = value_str(vm, v);
    if (text)
        buf_add(out, str_text(text), as_str(text)->len);
    return text;
}

static bool is_whole_number(value v)
{
    return is_small(v) || v == VALUE_TRUE || v == VALUE_FALSE || is_int(v);
}

/* v is a str, int, bool, float or complex, or derived from one. */
static bool format_builtin(struct vm *vm, value v, const char *text, size_t len, struct buf *out)
{
    struct format_spec spec;
    if (!len)
        return format_plain(vm, v, out);
    if (!format_spec_parse(vm, v, text, len, &spec))
        return false;
    if (is_str(v))
        return format_str(vm, v, &spec, out);
    if (!is_whole_number(v))
        return is_instance(v, &type_float) ? format_float(vm, v, &spec, out)
                                           : format_complex(vm, v, &spec, out);
    if (spec.type && spec.type < 128 && strchr("eEfFgG%", (char)spec.type))
        return format_float(vm, v, &spec, out);
    if (spec.type && (spec.type > 127 || !strchr("bcdoxXn", (char)spec.type)))
        return unknown_code(vm, v, spec.type);
    return format_int(vm, v, &spec, out);
}

value format_slot(struct vm *vm, value self, value spec)
{
    struct buf out = {0};
    value v = NO_VALUE;
    if (format_builtin(vm, self, spec ? str_text(spec) : "", spec ? as_str(spec)->len : 0, &out))
        v = str_new(vm, buf_text(&out), out.len);
    buf_free(&out);
    return v;
}

static bool format_by_slot(struct vm *vm, value v, const char *spec, size_t len, struct buf *out)
{
    value (*format)(struct vm *, value, value) = type_slot(type_of(v), format);
    if (!format) {
        if (len)
            return vm_raise(vm, "TypeError", "unsupported format string passed to %s.__format__",
                            type_name(v));
        return format_plain(vm, v, out);
    }
    value text = format(vm, v, str_new(vm, spec, len));
    if (!text)
        return false;
    if (!is_str(text))
        return vm_raise(vm, "TypeError", "__format__ must return a str, not %s", type_name(text));
    buf_add(out, str_text(text), as_str(text)->len);
    return true;
}

bool format_value(struct vm *vm, value v, const char *spec, size_t len, struct buf *out)
{
    if (is_small(v)) {
        if (!len)
            return int_print(vm, v, 10, out);
        return format_builtin(vm, v, spec, len, out);
    }
    if (is_exact(v, &type_str)) {
        if (len)
            return format_builtin(vm, v, spec, len, out);
        buf_add(out, str_text(v), as_str(v)->len);
        return true;
    }
    if (is_exact(v, &type_float) || v == VALUE_TRUE || v == VALUE_FALSE)
        return format_builtin(vm, v, spec, len, out);
    return format_by_slot(vm, v, spec, len, out);
}
