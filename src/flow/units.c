// SPDX-License-Identifier: MIT
/* units.c: sizes and time spans as people write them. */
#include "flow/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number and a unit behind it ("1.5 GB"); false if text is not that. */
static bool split_number(const char *text, double *number, char unit[24])
{
    size_t digits, n = 0;
    while (isspace((unsigned char)*text))
        text++;
    digits = strspn(text, "0123456789");
    if (!digits)
        return false;
    char *end;
    *number = strtod(text, &end);
    if (end == text + digits + 1)
        return false;
    while (isspace((unsigned char)*end))
        end++;
    for (; *end && n < 23; end++)
        unit[n++] = (char)tolower((unsigned char)*end);
    while (n && isspace((unsigned char)unit[n - 1]))
        n--;
    unit[n] = 0;
    return !*end && !strpbrk(unit, "0123456789");
}

static bool find_size_unit(char *unit, double *factor)
{
    static const char letters[] = "kmgtpezy";
    static const char *const names[] = {"kilobyte", "megabyte", "gigabyte", "terabyte"};
    static const char *const binary[] = {"kibibyte", "mebibyte", "gibibyte",
                                         "tebibyte", "pebibyte", "exbibyte"};
    size_t len = strlen(unit);
    if (!len || unit[0] == 'b')
        return *factor = 1, true;
    while (len && unit[len - 1] == 's')
        unit[--len] = 0;
    for (int i = 0; i < 6; i++)
        if (!strcmp(unit, binary[i]))
            return *factor = pow(1024, i + 1), true;
    for (int i = 0; i < 4; i++)
        if (!strcmp(unit, names[i]))
            return *factor = pow(1000, i + 1), true;
    const char *letter = strchr(letters, unit[0]);
    if (!letter || !len)
        return false;
    *factor = pow(!strcmp(unit + 1, "ib") ? 1024 : 1000, (double)(letter - letters + 1));
    return true;
}

static bool all_digits(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == 0;
}

static char *unquoted(const char *text, char out[64])
{
    size_t len = strlen(text);
    while (len && strchr("'\"", *text))
        text++, len--;
    while (len && strchr("'\"", text[len - 1]))
        len--;
    snprintf(out, 64, "%.*s", (int)len, text);
    return out;
}

bool size_bytes(const char *text, double *out)
{
    double number, factor;
    char unit[24];
    if (!split_number(text, &number, unit) || !find_size_unit(unit, &factor))
        return false;
    *out = floor(number * factor);
    return true;
}

/* What is more than that is as much as there is room for, as strtoll has it. */
static int64_t whole(double n)
{
    return n < 0x1p63 ? (int64_t)n : INT64_MAX;
}

bool resource_size_mb(const char *text, int64_t *out)
{
    double bytes;
    char plain[64];
    if (all_digits(unquoted(text, plain)))
        return *out = strtoll(plain, NULL, 10), true;
    if (!size_bytes(plain, &bytes))
        return false;
    double mb = ceil(bytes / 1e6);
    *out = mb < 1 ? 1 : whole(mb);
    return true;
}

bool resource_minutes(const char *text, int64_t *out)
{
    static const struct {
        const char *names;
        double seconds;
    } units[] = {{" ns nanosecond nanoseconds ", 1e-9},
                 {" us microsecond microseconds ", 1e-6},
                 {" ms millisecond milliseconds ", 1e-3},
                 {" s sec secs second seconds ", 1},
                 {" m min mins minute minutes ", 60},
                 {" h hour hours ", 3600},
                 {" d day days ", 86400},
                 {" w week weeks ", 604800},
                 {" y year years ", 31449600}};
    double number;
    char unit[24], word[32], plain[64];
    if (all_digits(unquoted(text, plain)))
        return *out = strtoll(plain, NULL, 10), true;
    if (!split_number(plain, &number, unit))
        return false;
    snprintf(word, sizeof word, " %s ", *unit ? unit : "s");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!strstr(units[i].names, word))
            continue;
        int64_t minutes = whole(nearbyint(number * units[i].seconds) / 60);
        *out = minutes < 1 ? 1 : minutes;
        return true;
    }
    return false;
}

void resource_show_mb(int64_t mb, char *out)
{
    static const char *const units[] = {"MB", "GB", "TB", "PB", "EB"};
    double number = (double)mb;
    int unit = 0;
    if (mb == 0) {
        strcpy(out, "0 bytes");
        return;
    }
    for (; number >= 1000 && unit < 4; unit++)
        number /= 1000;
    int len = snprintf(out, 24, "%.2f", number);
    while (out[len - 1] == '0')
        len--;
    if (out[len - 1] == '.')
        len--;
    sprintf(out + len, " %s", units[unit]);
}

int64_t resource_mb_to_mib(int64_t mb)
{
    return whole(ceil((double)mb * 0.95367431640625));
}

int64_t resource_mib_to_mb(int64_t mib)
{
    return whole(floor((double)mib / 0.95367431640625));
}

bool resource_is_size(const char *name)
{
    return !strcmp(name, "mem_mb") || !strcmp(name, "disk_mb");
}
