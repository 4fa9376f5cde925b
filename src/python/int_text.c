// SPDX-License-Identifier: MIT
/* Ints to text and back. */
#include <ctype.h>

#include "base/utf8.h"
#include "python/numbers.h"
#include "python/vm.h"

enum { MAX_DIGITS = 4300 };

bool int_print(struct vm *vm, value v, int base, struct buf *out)
{
    uint32_t limbs[2];
    struct bigint big;
    int64_t i;
    if (base == 10 && int_get(v, &i)) {
        buf_int(out, i);
        return true;
    }
    int_view(v, limbs, &big);
    size_t before = out->len;
    bool huge = base == 10 && bigint_bit_length(&big) > MAX_DIGITS / 3 * 10;
    if (!huge)
        bigint_print(&big, base, out);
    if (base != 10 || (!huge && out->len - before - big.negative <= MAX_DIGITS))
        return true;
    return vm_raise(vm, "ValueError",
                    "Exceeds the limit (%d digits) for integer string conversion; use "
                    "sys.set_int_max_str_digits() to increase the limit",
                    MAX_DIGITS);
}

static value bad_literal(struct vm *vm, value shown, const char *text, size_t len, int base)
{
    value repr = value_repr(vm, shown ? shown : str_new(vm, text, len));
    return repr ? vm_raise(vm, "ValueError", "invalid literal for int() with base %d: %s", base,
                           str_text(repr))
                : NO_VALUE;
}

/* Plain ASCII digits of the text, without space, with the decimal digits of other scripts
 * translated. */
static void plain_digits(const char *text, size_t len, struct buf *out)
{
    const char *end = text + len;
    while (text < end) {
        uint32_t cp = utf8_next(&text, end);
        if (cp < 128)
            buf_char(out, (char)cp);
        else if (utf8_is_space(cp))
            buf_char(out, ' ');
        else
            buf_char(out, utf8_decimal(cp) >= 0 ? (char)('0' + utf8_decimal(cp)) : '?');
    }
}

static int prefix_base(const char *p, const char *end)
{
    if (end - p < 2 || *p != '0')
        return 0;
    char c = (char)(p[1] | 0x20);
    return c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 0;
}

/* Digits of a base with single underscores between them, copied without these. */
static bool strict_digits(const char *p, const char *end, int base, struct buf *out)
{
    bool digit = false;
    for (; p < end; p++) {
        int d = isdigit((unsigned char)*p)   ? *p - '0'
                : isalpha((unsigned char)*p) ? (*p | 0x20) - 'a' + 10
                                             : 99;
        if (*p == '_' && digit)
            digit = false;
        else if (d < base) {
            buf_char(out, *p);
            digit = true;
        } else
            return false;
    }
    return digit;
}

/* What follows sign and space: prefix and digits; *base is settled. */
static bool scan_digits(const char *p, const char *end, int *base, struct buf *digits)
{
    int prefix = prefix_base(p, end);
    if (prefix && (*base == prefix || *base == 0)) {
        *base = prefix;
        p += 2;
        if (p < end && *p == '_')
            p++;
    } else if (*base == 0) {
        *base = 10;
        if (p < end && *p == '0')
            for (const char *q = p; q < end; q++)
                if (*q != '0' && *q != '_')
                    return false;
    }
    return strict_digits(p, end, *base, digits);
}

static value digits_value(struct vm *vm, const struct buf *digits, int base, bool negative)
{
    if (digits->len > MAX_DIGITS && (base & (base - 1)))
        return vm_raise(
            vm, "ValueError",
            "Exceeds the limit (%d digits) for integer string conversion: value has %zu digits; "
            "use sys.set_int_max_str_digits() to increase the limit",
            MAX_DIGITS, digits->len);
    struct bigint big = {0};
    bigint_parse(&big, digits->at, digits->len, base);
    big.negative = negative && big.len;
    return int_take(vm, &big);
}

static bool few_digits(const char *text, size_t len, int64_t *out)
{
    size_t i = len && *text == '-';
    int64_t n = 0;
    if (len - i > 17 || i == len)
        return false;
    for (size_t at = i; at < len; at++) {
        if (!isdigit((unsigned char)text[at]))
            return false;
        n = n * 10 + (text[at] - '0');
    }
    *out = i ? -n : n;
    return true;
}

value int_parse(struct vm *vm, value shown, const char *text, size_t len, int base)
{
    int64_t n;
    if (base == 10 && few_digits(text, len, &n))
        return small(n);
    struct buf plain = {0}, digits = {0};
    plain_digits(text, len, &plain);
    const char *p = buf_text(&plain), *end = p + plain.len;
    while (p < end && isspace((unsigned char)*p))
        p++;
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    int settled = base;
    value v = scan_digits(p, end, &settled, &digits) ? digits_value(vm, &digits, settled, negative)
                                                     : bad_literal(vm, shown, text, len, base);
    buf_free(&plain);
    buf_free(&digits);
    return v;
}
