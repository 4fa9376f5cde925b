// SPDX-License-Identifier: MIT
/* float. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "python/bytes.h"
#include "python/class.h"
#include "python/format.h"
#include "python/heap.h"
#include "python/numbers.h"
#include "python/str.h"
#include "python/vm.h"
#include "syntax/ast.h"

struct float_object {
    struct object object;
    double d;
};

value float_new(struct vm *vm, double d)
{
    struct float_object *object = object_alloc(vm, &type_float, sizeof *object);
    object->d = d;
    return from_object(object);
}

bool float_get(value v, double *out)
{
    uint32_t limbs[2];
    struct bigint big;
    if (is_small(v)) {
        *out = (double)small_int(v);
        return true;
    }
    if (is_object(v) && is_instance(v, &type_float)) {
        *out = ((struct float_object *)as_object(v))->d;
        return true;
    }
    if (!int_view(v, limbs, &big))
        return false;
    *out = bigint_double(&big);
    return true;
}

uint64_t double_hash(double d)
{
    int exponent;
    if (!isfinite(d))
        return (uint64_t)(isnan(d) ? 0 : d > 0 ? 314159 : -314159);
    /* The mantissa as a whole number, times a power of two: 2**61 is 1 here. */
    double mantissa = frexp(fabs(d), &exponent);
    uint64_t rest = (uint64_t)ldexp(mantissa, 60);
    unsigned turn = (unsigned)((exponent - 60) % 61 + 61) % 61;
    rest = (rest << turn & HASH_MODULUS) | rest >> (61 - turn);
    int64_t hash = d < 0 ? -(int64_t)rest : (int64_t)rest;
    return (uint64_t)(hash == -1 ? -2 : hash);
}

/* ---- from text ---- */

/* ASCII digits without underscores between digits; false: they stand elsewhere. */
static bool plain_float(const char *text, size_t len, struct buf *out)
{
    for (const char *p = text, *end = text + len; p < end;) {
        uint32_t cp = utf8_next(&p, end);
        if (cp == '_') {
            if (!out->len || !isdigit((unsigned char)out->at[out->len - 1]) || p == end ||
                !isdigit((unsigned char)*p))
                return false;
        } else if (cp < 128) {
            buf_char(out, (char)cp);
        } else {
            buf_char(out, utf8_decimal(cp) >= 0 ? (char)('0' + utf8_decimal(cp))
                          : utf8_is_space(cp)   ? ' '
                                                : '?');
        }
    }
    return true;
}

/* Whether it has the shape of a decimal number, of inf, infinity or nan (strtod takes more). */
static bool float_shape(const char *p, const char *end)
{
    static const char *const names[] = {"inf", "infinity", "nan"};
    p += p < end && (*p == '+' || *p == '-');
    for (int i = 0; i < 3; i++)
        if ((size_t)(end - p) == strlen(names[i]) && !strncasecmp(p, names[i], (size_t)(end - p)))
            return true;
    int digits = 0;
    for (; p < end && isdigit((unsigned char)*p); p++)
        digits++;
    if (p < end && *p == '.')
        for (p++; p < end && isdigit((unsigned char)*p); p++)
            digits++;
    if (!digits)
        return false;
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        if (p == end)
            return false;
        while (p < end && isdigit((unsigned char)*p))
            p++;
    }
    return p == end;
}

bool float_parse(const char *text, size_t len, double *out)
{
    struct buf plain = {0};
    bool fine = plain_float(text, len, &plain);
    const char *p = buf_text(&plain), *end = p + plain.len;
    while (p < end && (isspace((unsigned char)*p) || (*p >= 0x1c && *p <= 0x1f)))
        p++;
    while (end > p && (isspace((unsigned char)end[-1]) || (end[-1] >= 0x1c && end[-1] <= 0x1f)))
        end--;
    fine = fine && float_shape(p, end);
    if (fine)
        *out = strtod(p, NULL);
    buf_free(&plain);
    return fine;
}

static value float_from_text(struct vm *vm, value v, const char *text, size_t len)
{
    double d;
    if (float_parse(text, len, &d))
        return float_new(vm, d);
    value repr = value_repr(vm, v);
    return repr
               ? vm_raise(vm, "ValueError", "could not convert string to float: %s", str_text(repr))
               : NO_VALUE;
}

/* Whether v has methods that make a number of it; what is raised then is about them. */
static bool has_conversion(struct vm *vm, value v)
{
    return type_find(vm, type_of(v), intern_str(vm_names(vm), "__float__")) ||
           type_find(vm, type_of(v), intern_str(vm_names(vm), "__index__"));
}

static value float_of(struct vm *vm, value v)
{
    double d;
    size_t len;
    if (is_str(v))
        return float_from_text(vm, v, str_text(v), as_str(v)->len);
    const char *bytes = bytes_get(v, &len);
    if (bytes)
        return float_from_text(vm, v, bytes, len);
    if (number_double(vm, v, &d))
        return float_new(vm, d);
    if (vm_failed_with(vm, "TypeError") && !has_conversion(vm, v)) {
        vm_take_error(vm);
        return vm_raise(vm, "TypeError",
                        "float() argument must be a string or a real number, not '%s'",
                        type_name(v));
    }
    return NO_VALUE;
}

static value float_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"x", NULL};
    value slot[1];
    if (!make_args(vm, "float", names, 1, args, kwargs, slot))
        return NO_VALUE;
    value v = slot[0] ? float_of(vm, slot[0]) : float_new(vm, 0);
    if (!v || type == &type_float)
        return v;
    struct float_object *object = object_new(vm, type);
    float_get(v, &object->d);
    return from_object(object);
}

/* ---- arithmetic ---- */

static value float_power(struct vm *vm, double a, double b)
{
    if (a == 0 && b < 0)
        return vm_raise(vm, "ZeroDivisionError", "0.0 cannot be raised to a negative power");
    if (a < 0 && isfinite(a) && isfinite(b) && b != floor(b)) {
        double size = pow(-a, b);
        return complex_new(vm, size * cos(M_PI * b), size * sin(M_PI * b));
    }
    double d = pow(a, b);
    if (isinf(d) && isfinite(a) && isfinite(b))
        return vm_raise(vm, "OverflowError", "(34, 'Numerical result out of range')");
    return float_new(vm, d);
}

/* The remainder with the sign of b, and the floor of the quotient, as Python defines them
 * together. */
static double floor_mod(double a, double b, double *quotient)
{
    double mod = fmod(a, b), div = (a - mod) / b;
    if (mod != 0) {
        if ((b < 0) != (mod < 0)) {
            mod += b;
            div -= 1;
        }
    } else {
        mod = copysign(0, b);
    }
    if (div != 0) {
        double whole = floor(div);
        *quotient = div - whole > 0.5 ? whole + 1 : whole;
    } else {
        *quotient = copysign(0, a / b);
    }
    return mod;
}

static value divided(struct vm *vm, int op, double a, double b)
{
    double quotient, mod;
    if (b == 0)
        return vm_raise(vm, "ZeroDivisionError",
                        op == OP_DIV   ? "float division by zero"
                        : op == OP_MOD ? "float modulo"
                                       : "float floor division by zero");
    if (op == OP_DIV)
        return float_new(vm, a / b);
    mod = floor_mod(a, b, &quotient);
    return float_new(vm, op == OP_MOD ? mod : quotient);
}

/* The operand as a double: 1 yes, 0 of another type, -1 raised (an int that is too large). */
static int operand(struct vm *vm, value v, double *out)
{
    if (is_exact(v, &type_float)) {
        *out = ((struct float_object *)as_object(v))->d;
        return 1;
    }
    if (!float_get(v, out))
        return 0;
    if (isinf(*out) && !is_instance(v, &type_float)) {
        vm_raise(vm, "OverflowError", "int too large to convert to float");
        return -1;
    }
    return 1;
}

static value float_binary(struct vm *vm, int op, value left, value right)
{
    double a, b;
    int fine = operand(vm, left, &a);
    fine = fine == 1 ? operand(vm, right, &b) : fine;
    if (fine != 1)
        return fine ? NO_VALUE : VALUE_NOT_IMPLEMENTED;
    switch (op) {
    case OP_ADD: return float_new(vm, a + b);
    case OP_SUB: return float_new(vm, a - b);
    case OP_MUL: return float_new(vm, a * b);
    case OP_DIV:
    case OP_FLOORDIV:
    case OP_MOD: return divided(vm, op, a, b);
    case OP_POW: return float_power(vm, a, b);
    default: return VALUE_NOT_IMPLEMENTED;
    }
}

static value float_unary(struct vm *vm, int op, value self)
{
    double d;
    float_get(self, &d);
    return op == OP_NEG   ? float_new(vm, -d)
           : op == OP_POS ? float_new(vm, d)
                          : VALUE_NOT_IMPLEMENTED;
}

/* A double against an int of any size: -1, 0, 1. */
static int compare_int(double d, value v)
{
    uint32_t limbs[2];
    struct bigint big, whole = {0};
    if (isinf(d))
        return d > 0 ? 1 : -1;
    int_view(v, limbs, &big);
    bigint_set_double(&whole, d);
    int order = bigint_compare(&whole, &big);
    bigint_free(&whole);
    return order ? order : (d > trunc(d)) - (d < trunc(d));
}

static value float_compare(struct vm *vm, int op, value left, value right)
{
    double a, b;
    bool floats[2] = {is_object(left) && is_instance(left, &type_float),
                      is_object(right) && is_instance(right, &type_float)};
    if (!float_get(left, &a) || !float_get(right, &b))
        return VALUE_NOT_IMPLEMENTED;
    if ((floats[0] && isnan(a)) || (floats[1] && isnan(b)))
        return value_bool(op == OP_NE);
    int order = (a > b) - (a < b);
    if (floats[0] && !floats[1] && fabs(a) > 1e15)
        order = compare_int(a, right);
    else if (floats[1] && !floats[0] && fabs(b) > 1e15)
        order = -compare_int(b, left);
    return value_ordered(op, order);
}

static bool float_truth(struct vm *vm, value self, bool *out)
{
    double d;
    float_get(self, &d);
    *out = d != 0;
    return true;
}

static bool hash_float(struct vm *vm, value self, uint64_t *out)
{
    double d;
    float_get(self, &d);
    *out = isnan(d) ? self >> 4 : double_hash(d); /* a NaN equals none but itself */
    return true;
}

static value float_repr(struct vm *vm, value self)
{
    double d;
    struct buf out = {0};
    float_get(self, &d);
    format_double(d, &out);
    return str_take(vm, &out);
}

/* ---- rounding ---- */

value float_round(struct vm *vm, value v, value ndigits)
{
    double d;
    int64_t n;
    float_get(v, &d);
    if (!ndigits || ndigits == VALUE_NONE)
        return int_from_double(vm, isfinite(d) ? nearbyint(d) : d);
    value digits = int_index(vm, ndigits);
    if (!digits)
        return NO_VALUE;
    if (!int_get(digits, &n))
        n = 400;
    if (!isfinite(d) || d == 0 || n > 323)
        return float_new(vm, d);
    if (n < -308)
        return float_new(vm, copysign(0, d));
    char text[400 + 340];
    if (n < 0) { /* of halves above 2 ** 53 only whole ones are left: doubles are exact here */
        double unit = pow(10, (double)-n);
        return float_new(vm, nearbyint(d / unit) * unit);
    }
    snprintf(text, sizeof text, "%.*f", (int)n, d);
    double rounded = strtod(text, NULL);
    if (isinf(rounded))
        return vm_raise(vm, "OverflowError", "rounded value too large to represent");
    return float_new(vm, rounded);
}

static value float_round_method(struct vm *vm, const struct args *args)
{
    return float_round(vm, args->at[0], args->at[1]);
}

/* ---- methods ---- */

static double self_double(const struct args *args)
{
    double d = 0;
    float_get(args->at[0], &d);
    return d;
}

static value float_is_integer(struct vm *vm, const struct args *args)
{
    double d = self_double(args);
    return value_bool(isfinite(d) && d == floor(d));
}

static value float_trunc(struct vm *vm, const struct args *args)
{
    return int_from_double(vm, trunc(self_double(args)));
}

static value float_floor(struct vm *vm, const struct args *args)
{
    return int_from_double(vm, floor(self_double(args)));
}

static value float_ceil(struct vm *vm, const struct args *args)
{
    return int_from_double(vm, ceil(self_double(args)));
}

static value float_same(struct vm *vm, const struct args *args)
{
    return float_new(vm, self_double(args));
}

static value float_imag(struct vm *vm, const struct args *args)
{
    return float_new(vm, 0);
}

static value float_ratio(struct vm *vm, const struct args *args)
{
    int exponent;
    double d = self_double(args);
    if (!isfinite(d))
        return isnan(d) ? vm_raise(vm, "ValueError", "cannot convert NaN to integer ratio")
                        : vm_raise(vm, "OverflowError", "cannot convert Infinity to integer ratio");
    double part = frexp(d, &exponent);
    while (part != floor(part)) {
        part *= 2;
        exponent--;
    }
    value top = int_from_double(vm, part), unit = small(1);
    value power = value_binary(vm, OP_LSHIFT, unit, small(abs(exponent)));
    if (exponent > 0)
        top = value_binary(vm, OP_MUL, top, power);
    return tuple_new(vm, (value[]){top, exponent > 0 ? unit : power}, 2);
}

static value float_hex(struct vm *vm, const struct args *args)
{
    double d = self_double(args);
    if (!isfinite(d))
        return float_repr(vm, args->at[0]);
    if (d == 0)
        return str_from(vm, signbit(d) ? "-0x0.0p+0" : "0x0.0p+0");
    return str_printf(vm, "%.13a", d);
}

static value float_fromhex(struct vm *vm, const struct args *args)
{
    char *end;
    const char *text = arg_text(vm, args, 1, NULL);
    if (!text)
        return NO_VALUE;
    struct buf full = {0};
    while (isspace((unsigned char)*text))
        text++;
    if (*text == '-' || *text == '+')
        buf_char(&full, *text++);
    if ((isxdigit((unsigned char)*text) || *text == '.') &&
        !(text[0] == '0' && (text[1] | 0x20) == 'x'))
        buf_str(&full, "0x");
    buf_str(&full, text);
    double d = strtod(buf_text(&full), &end);
    while (isspace((unsigned char)*end))
        end++;
    bool fine = *end == 0 && full.len, word = strpbrk(buf_text(&full), "nN"); /* inf, nan */
    buf_free(&full);
    if (fine && isinf(d) && !word)
        return vm_raise(vm, "OverflowError", "hexadecimal value too large to represent as a float");
    return fine ? float_new(vm, d)
                : vm_raise(vm, "ValueError", "invalid hexadecimal floating-point string");
}

static const struct native_def float_methods[] = {
    {"is_integer", float_is_integer, "self /", "Whether it is a whole number."},
    {"as_integer_ratio", float_ratio, "self /", "Two ints whose quotient it is."},
    {"hex", float_hex, "self /", "The exact value in base 16."},
    {"fromhex", float_fromhex, "cls string /", "The float of a text in base 16."},
    {"conjugate", float_same, "self /", "The number itself."},
    {"__float__", float_same, "self /", "The number itself."},
    {"__int__", float_trunc, "self /", "The whole part."},
    {"__trunc__", float_trunc, "self /", "The whole part."},
    {"__floor__", float_floor, "self /", "The next int below."},
    {"__ceil__", float_ceil, "self /", "The next int above."},
    {"__round__", float_round_method, "self ndigits= /", "round(self, ndigits)"},
    {0}};

static const struct native_def float_properties[] = {
    {"real", float_same, "self", "The number itself."}, {"imag", float_imag, "self", "0.0"}, {0}};

const struct type type_float = {
    .object = {.type = &type_type},
    .name = "float",
    .base = &type_object,
    .size = sizeof(struct float_object),
    .methods = float_methods,
    .properties = float_properties,
    .make = float_make,
    .repr = float_repr,
    .truth = float_truth,
    .hash = hash_float,
    .compare = float_compare,
    .binary = float_binary,
    .unary = float_unary,
    .format = format_slot,
};
