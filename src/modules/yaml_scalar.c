// SPDX-License-Identifier: MIT
/* Plain scalars of YAML 1.1, by the patterns of PyYAML's resolver. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modules/yaml_data.h"
#include "python/numbers.h"
#include "python/vm.h"

/* What is left to read. */
struct rest {
    const char *at, *end;
};

static bool at_digit(const struct rest *r)
{
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static bool take(struct rest *r, const char *set)
{
    if (r->at == r->end || !*r->at || !strchr(set, *r->at))
        return false;
    r->at++;
    return true;
}

/* How many characters of a set follow; they are taken. */
static size_t take_all(struct rest *r, const char *set)
{
    const char *from = r->at;
    while (take(r, set))
        ;
    return (size_t)(r->at - from);
}

#define DIGITS  "0123456789"
#define DIGITS_ "0123456789_"

static bool is_word(const struct rest *r, const char *const *words)
{
    size_t len = (size_t)(r->end - r->at);
    for (; *words; words++)
        if (strlen(*words) == len && !memcmp(*words, r->at, len))
            return true;
    return false;
}

/* (:[0-5]?[0-9])+ as far as it goes; whether there was one. */
static bool take_sixties(struct rest *r)
{
    int n = 0;
    while (r->end - r->at >= 2 && *r->at == ':' && r->at[1] >= '0' && r->at[1] <= '9') {
        r->at += r->at[1] < '6' && r->end - r->at >= 3 && r->at[2] >= '0' && r->at[2] <= '9' ? 3
                                                                                             : 2;
        n++;
    }
    return n > 0;
}

static bool spells_int(struct rest r)
{
    take(&r, "-+");
    if (!at_digit(&r))
        return false;
    if (*r.at != '0') {
        take_all(&r, DIGITS_);
        take_sixties(&r);
        return r.at == r.end;
    }
    r.at++;
    if (take(&r, "b"))
        return take_all(&r, "01_") && r.at == r.end;
    if (take(&r, "x"))
        return take_all(&r, DIGITS_ "abcdefABCDEF") && r.at == r.end;
    take_all(&r, "01234567_");
    return r.at == r.end;
}

static bool take_exponent(struct rest *r)
{
    return !take(r, "eE") || (take(r, "-+") && take_all(r, DIGITS));
}

static bool spells_decimal(struct rest r)
{
    bool sign = take(&r, "-+"), whole = at_digit(&r);
    if (whole) {
        take_all(&r, DIGITS_);
        if (take_sixties(&r))
            return take(&r, ".") && (take_all(&r, DIGITS_), r.at == r.end);
    } else if (sign) {
        return false;
    }
    if (!take(&r, ".") || (!whole && !at_digit(&r)))
        return false;
    take_all(&r, DIGITS_);
    return take_exponent(&r) && r.at == r.end;
}

static bool spells_special(struct rest r)
{
    static const char *const infinities[] = {".inf", ".Inf", ".INF", NULL};
    static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};
    if (is_word(&r, nans))
        return true;
    take(&r, "-+");
    return is_word(&r, infinities);
}

/* Between least and most digits. */
static bool take_digits(struct rest *r, int least, int most)
{
    int n = 0;
    while (n < most && at_digit(r))
        n++, r->at++;
    return n >= least;
}

static bool is_zone(struct rest r)
{
    take_all(&r, " \t");
    if (take(&r, "Z"))
        return r.at == r.end;
    if (!take(&r, "-+") || !take_digits(&r, 1, 2))
        return false;
    return r.at == r.end || (take(&r, ":") && take_digits(&r, 2, 2) && r.at == r.end);
}

static bool spells_timestamp(struct rest r)
{
    struct rest month;
    if (!take_digits(&r, 4, 4) || !take(&r, "-"))
        return false;
    month = r;
    if (take_digits(&r, 2, 2) && take(&r, "-") && take_digits(&r, 2, 2) && r.at == r.end)
        return true;
    r = month;
    if (!take_digits(&r, 1, 2) || !take(&r, "-") || !take_digits(&r, 1, 2) ||
        !(take(&r, "Tt") || take_all(&r, " \t")) || !take_digits(&r, 1, 2) || !take(&r, ":") ||
        !take_digits(&r, 2, 2) || !take(&r, ":") || !take_digits(&r, 2, 2))
        return false;
    if (take(&r, "."))
        take_all(&r, DIGITS);
    return r.at == r.end || is_zone(r);
}

enum yaml_kind yaml_resolve(const char *text, size_t len)
{
    static const char *const bools[] = {"yes",  "Yes",  "YES",   "no",    "No",    "NO", "true",
                                        "True", "TRUE", "false", "False", "FALSE", "on", "On",
                                        "ON",   "off",  "Off",   "OFF",   NULL};
    static const char *const nulls[] = {"~", "null", "Null", "NULL", "", NULL};
    struct rest r = {text, text + len};
    if (!len)
        return YAML_NULL;
    if (strchr("yYnNtTfFoO~", *text)) {
        if (is_word(&r, bools))
            return YAML_BOOL;
        return is_word(&r, nulls) ? YAML_NULL : YAML_STR;
    }
    if (*text && strchr("-+." DIGITS, *text)) {
        if (spells_int(r))
            return YAML_INT;
        if (spells_decimal(r) || spells_special(r))
            return YAML_FLOAT;
        return spells_timestamp(r) ? YAML_TIMESTAMP : YAML_STR;
    }
    if (len == 2 && !memcmp(text, "<<", 2))
        return YAML_MERGE;
    return len == 1 && *text == '=' ? YAML_DEFAULT : YAML_STR;
}

/* ---- values ---- */

value yaml_bool(struct vm *vm, const char *text, size_t len)
{
    static const char *const words[] = {"yes", "true", "on", "no", "false", "off"};
    for (size_t i = 0; i < 6; i++)
        if (strlen(words[i]) == len && !strncasecmp(words[i], text, len))
            return value_bool(i < 3);
    value key = str_new(vm, text, len);
    return value_index(vm, dict_new(vm), key); /* the KeyError of looking it up */
}

/* text without underscores, small letters; *negative: the sign, which is taken off. */
static const char *bare(struct buf *to, const char *text, size_t len, bool *negative)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] != '_')
            buf_char(to, text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i]);
    const char *at = buf_text(to);
    *negative = *at == '-';
    return at + (*at == '-' || *at == '+');
}

/* Parts between colons, each 60 times the next. */
static value int_sixties(struct vm *vm, const char *text)
{
    value total = small(0);
    for (const char *end; total; text = end + 1) {
        end = strchrnul(text, ':');
        value part = int_parse(vm, NO_VALUE, text, (size_t)(end - text), 10);
        total = part ? value_binary(vm, OP_MUL, total, small(60)) : NO_VALUE;
        total = total ? value_binary(vm, OP_ADD, total, part) : NO_VALUE;
        if (!*end)
            break;
    }
    return total;
}

value yaml_int(struct vm *vm, const char *text, size_t len)
{
    struct buf digits = {0};
    bool negative;
    const char *at = bare(&digits, text, len, &negative);
    value v;
    if (*at == '0' && (at[1] == 'b' || at[1] == 'x'))
        v = int_parse(vm, NO_VALUE, at + 2, strlen(at + 2), at[1] == 'b' ? 2 : 16);
    else if (*at == '0' && at[1])
        v = int_parse(vm, NO_VALUE, at, strlen(at), 8);
    else
        v = strchr(at, ':') ? int_sixties(vm, at) : int_parse(vm, NO_VALUE, at, strlen(at), 10);
    buf_free(&digits);
    return v && negative ? value_unary(vm, OP_NEG, v) : v;
}

/* As PyYAML adds them up: from the last one. */
static bool float_sixties(const char *text, double *out)
{
    double base = 1, part;
    size_t len = strlen(text);
    *out = 0;
    for (const char *end = text + len; end >= text; base *= 60) {
        const char *at = end;
        while (at > text && at[-1] != ':')
            at--;
        if (!float_parse(at, (size_t)(end - at), &part))
            return false;
        *out += part * base;
        end = at - 1;
    }
    return true;
}

value yaml_float(struct vm *vm, const char *text, size_t len)
{
    struct buf digits = {0};
    bool negative, fine = true;
    const char *at = bare(&digits, text, len, &negative);
    double d = 0;
    if (!strcmp(at, ".inf"))
        d = INFINITY;
    else if (!strcmp(at, ".nan"))
        d = NAN;
    else
        fine = strchr(at, ':') ? float_sixties(at, &d) : float_parse(at, strlen(at), &d);
    if (!fine)
        vm_raise(vm, "ValueError", "could not convert string to float: '%s'", at);
    buf_free(&digits);
    return fine ? float_new(vm, negative ? -d : d) : NO_VALUE;
}

static int sextet(char c)
{
    static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(set, c) : NULL;
    return at ? (int)(at - set) : -1;
}

/* Characters that are none of base64 are passed over, as Python does. */
value yaml_binary(struct vm *vm, const char *text, size_t len)
{
    struct buf out = {0};
    uint32_t bits = 0;
    int n = 0, pads = 0;
    for (size_t i = 0; i < len && !(n % 4 + pads == 4 && pads); i++) {
        int six = sextet(text[i]);
        pads += text[i] == '=' && n % 4 >= 2;
        if (six < 0)
            continue;
        pads = 0;
        bits = bits << 6 | (uint32_t)six;
        if (n++ % 4)
            buf_char(&out, (char)(bits >> (6 - 2 * ((n - 1) % 4))));
    }
    bool fine = n % 4 + pads == 4 || n % 4 == 0;
    value v = fine ? bytes_new(vm, buf_text(&out), out.len) : NO_VALUE;
    buf_free(&out);
    return v;
}
