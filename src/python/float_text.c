// SPDX-License-Identifier: MIT
/* The text of doubles. The shortest text that reads back as the same number is found by asking the
 * C library, which rounds exactly, for 15, 16 and 17 digits: 15 digits always survive the way
 * through a double, so if these read back the number, the shortest form is these without trailing
 * zeros. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "python/format.h"
#include "python/format_spec.h"

/* Below a power of two doubles lie closer than above it: a text of n digits one unit greater than
 * the rounded one may read back as the number where the rounded one does not. Tries it; text is
 * "d.ddde-xx". */
static bool next_text_reads(double d, int n, char *text)
{
    char copy[40];
    int exponent;
    strcpy(copy, text);
    if (frexp(d, &exponent) != 0.5)
        return false;
    for (int i = n; i >= 0; i -= i == 2 ? 2 : 1) { /* over the point at 1 */
        if (copy[i] != '9') {
            copy[i]++;
            break;
        }
        copy[i] = '0';
    }
    if (strtod(copy, NULL) != d)
        return false;
    strcpy(text, copy);
    return true;
}

/* The significant digits of a finite d > 0 into digits (18 bytes); the number is 0.DIGITS * 10 **
 * point. */
static int shortest(double d, char *digits, int *point)
{
    char text[40];
    int n = d < 2.3e-308 ? 1 : 15; /* subnormal numbers may have fewer exact digits */
    for (; n < 17; n++) {
        snprintf(text, sizeof text, "%.*e", n - 1, d);
        if (strtod(text, NULL) == d || (n > 1 && next_text_reads(d, n, text)))
            break;
    }
    if (n == 17)
        snprintf(text, sizeof text, "%.16e", d);
    char *exponent = strchr(text, 'e');
    *point = atoi(exponent + 1) + 1;
    int len = 0;
    for (char *p = text; p < exponent; p++)
        if (*p != '.')
            digits[len++] = *p;
    while (len > 1 && digits[len - 1] == '0')
        len--;
    digits[len] = 0;
    return len;
}

/* A whole number below 10 ** 15 needs no search. */
static bool whole_number(double d, struct buf *out)
{
    if (!(d < 1e15) || d != (double)(int64_t)d)
        return false;
    char text[24], *p = text + sizeof text;
    *--p = '0';
    *--p = '.';
    uint64_t u = (uint64_t)d;
    do
        *--p = (char)('0' + u % 10);
    while (u /= 10);
    buf_add(out, p, (size_t)(text + sizeof text - p));
    return true;
}

static void positional(const char *digits, int len, int point, struct buf *out)
{
    if (point <= 0) {
        buf_str(out, "0.");
        for (int i = point; i < 0; i++)
            buf_char(out, '0');
        buf_add(out, digits, (size_t)len);
        return;
    }
    for (int i = 0; i < point; i++)
        buf_char(out, i < len ? digits[i] : '0');
    buf_char(out, '.');
    if (len > point)
        buf_add(out, digits + point, (size_t)(len - point));
    else
        buf_char(out, '0');
}

/* As repr: positional from 1e-4 to 1e16. alternate: 1e+16 gets a point. */
static void double_repr(double d, bool alternate, struct buf *out)
{
    char digits[24];
    int point;
    if (whole_number(d, out))
        return;
    int len = shortest(d, digits, &point);
    if (point <= 16 && point >= -3) {
        positional(digits, len, point, out);
        return;
    }
    buf_char(out, digits[0]);
    if (len > 1 || alternate)
        buf_char(out, '.');
    buf_add(out, digits + 1, (size_t)(len - 1));
    buf_printf(out, "e%+03d", point - 1);
}

static bool named(double d, bool upper, struct buf *out)
{
    if (isfinite(d))
        return false;
    buf_str(out, isnan(d) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"));
    return true;
}

void format_double(double d, struct buf *out)
{
    if (signbit(d) && !isnan(d))
        buf_char(out, '-');
    d = fabs(d);
    if (!named(d, false, out))
        double_repr(d, false, out);
}

/* precision digits in the manner of %g, but with at least one digit behind the point. */
static void general(double d, int precision, bool alternate, struct buf *out)
{
    char text[40];
    precision = precision ? precision : 1;
    snprintf(text, sizeof text, "%.*e", precision > 25 ? 25 : precision - 1, d);
    int exponent = atoi(strchr(text, 'e') + 1);
    size_t start = out->len;
    if (exponent < -4 || exponent >= precision - 1) {
        buf_printf(out, alternate ? "%#.*e" : "%.*e", precision - 1, d);
        char *e = strchr(out->at + start, 'e'), *end = e;
        if (alternate || !memchr(out->at + start, '.', (size_t)(e - out->at) - start))
            return;
        while (end[-1] == '0')
            end--;
        end -= end[-1] == '.';
        memmove(end, e, strlen(e) + 1);
        out->len -= (size_t)(e - end);
        return;
    }
    buf_printf(out, alternate ? "%#.*g" : "%.*g", precision, d);
    if (!memchr(out->at + start, '.', out->len - start))
        buf_str(out, ".0");
}

void double_text(double d, uint32_t type, int64_t precision, bool alternate, struct buf *out)
{
    if (named(d, type == 'E' || type == 'F' || type == 'G', out)) {
        if (type == '%')
            buf_char(out, '%');
        return;
    }
    char format[8] = {'%', '#', '.', '*', 0};
    if (!type || type == 'r') {
        if (precision < 0)
            double_repr(d, alternate, out);
        else
            general(d, (int)precision, alternate, out);
        return;
    }
    format[alternate ? 4 : 3] = type == 'n' ? 'g' : type == '%' ? 'f' : (char)type;
    if (!alternate) {
        format[1] = '.';
        format[2] = '*';
    }
    buf_printf(out, format, precision < 0 ? 6 : (int)precision, type == '%' ? d * 100 : d);
    if (type == '%')
        buf_char(out, '%');
}
