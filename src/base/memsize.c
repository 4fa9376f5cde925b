// SPDX-License-Identifier: MIT
#include "base/memsize.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double MOST = (double)(INT64_C(1) << 40); /* no sum of these overflows */

/* A decimal number at the start of text; its length, 0 if there is none. */
static size_t read_number(const char *text, size_t len, double *out)
{
    double n = 0, place = 1;
    size_t i = 0;
    bool point = false;
    for (; i < len && (isdigit((unsigned char)text[i]) || (text[i] == '.' && !point && i)); i++) {
        if (text[i] == '.')
            point = true;
        else if (point)
            n += (text[i] - '0') * (place /= 10);
        else
            n = n * 10 + (text[i] - '0');
    }
    *out = n;
    return i;
}

/* In KB, each number without a unit so many; -1: no such size. */
static double read_kb(const char *text, size_t len, double plain)
{
    static const char units[] = "KMGTP";
    double n;
    size_t at = len && *text == '+';
    size_t digits = read_number(text + at, len - at, &n);
    at += digits;
    const char *unit = at < len ? strchr(units, toupper((unsigned char)text[at])) : NULL;
    if (unit && *unit) {
        at++;
        for (plain = 1; unit > units; unit--)
            plain *= 1024;
        if (at < len && toupper((unsigned char)text[at]) == 'B')
            at++;
    }
    if (at < len && strchr("cn", text[at]))
        at++;
    return digits && at == len ? n * plain : -1;
}

int64_t memsize_mb(const char *text, size_t len)
{
    double kb = read_kb(text, len, 1024), mb = ceil(kb / 1024);
    return kb < 0 ? -1 : (int64_t)(mb < MOST ? mb : MOST);
}

int64_t memsize_used_kb(const char *text, size_t len)
{
    double kb = read_kb(text, len, 1.0 / 1024);
    return kb < 0 ? -1 : (int64_t)(kb < MOST ? kb : MOST);
}
