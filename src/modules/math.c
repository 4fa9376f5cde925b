// SPDX-License-Identifier: MIT
/* math. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "modules/modules.h"
#include "python/numbers.h"
#include "python/vm_state.h"

/* ---- functions of one or two doubles ---- */

/* The result of a C function: a NaN from numbers that are none is a domain error, an infinity from
 * finite ones an overflow or a pole. */
static value checked(struct vm *vm, double r, double x, double y, bool pole)
{
    if (isnan(r) && !isnan(x) && !isnan(y))
        return vm_raise(vm, "ValueError", "math domain error");
    if (isinf(r) && isfinite(x) && isfinite(y))
        return pole ? vm_raise(vm, "ValueError", "math domain error")
                    : vm_raise(vm, "OverflowError", "math range error");
    return float_new(vm, r);
}

static value one_real(struct vm *vm, const struct args *args, double (*f)(double), bool pole)
{
    double x;
    return number_double(vm, args->at[0], &x) ? checked(vm, f(x), x, 0, pole) : NO_VALUE;
}

static value two_reals(struct vm *vm, const struct args *args, double (*f)(double, double))
{
    double x, y;
    return number_double(vm, args->at[0], &x) && number_double(vm, args->at[1], &y)
               ? checked(vm, f(x, y), x, y, false)
               : NO_VALUE;
}

/* clang-format off */
#define ONE_REAL(X)                                                                                \
    X(sqrt, 0) X(exp, 0) X(expm1, 0) X(sin, 0) X(cos, 0) X(tan, 0) X(asin, 0) X(acos, 0)           \
    X(atan, 0) X(sinh, 0)                                                                          \
    X(cosh, 0) X(tanh, 0) X(asinh, 0) X(acosh, 0) X(atanh, 1) X(fabs, 0) X(cbrt, 0) X(erf, 0)      \
    X(erfc, 0)                                                                                     \
    X(log1p, 1) X(exp2, 0)
/* clang-format on */
#define X(name, pole)                                                                              \
    static value math_##name(struct vm *vm, const struct args *args)                               \
    {                                                                                              \
        return one_real(vm, args, name, pole);                                                     \
    }
ONE_REAL(X)
#undef X

#define TWO_REALS(X) X(atan2) X(copysign) X(fmod) X(remainder)
#define X(name)                                                                                    \
    static value math_##name(struct vm *vm, const struct args *args)                               \
    {                                                                                              \
        return two_reals(vm, args, name);                                                          \
    }
TWO_REALS(X)
#undef X

/* The gamma function and its logarithm have poles at 0 and the negative whole numbers; elsewhere an
 * infinity is an overflow. */
static value gamma_of(struct vm *vm, const struct args *args, double (*f)(double))
{
    double x;
    if (!number_double(vm, args->at[0], &x))
        return NO_VALUE;
    return checked(vm, f(x), x, 0, x <= 0 && x == floor(x));
}

static value math_gamma(struct vm *vm, const struct args *args)
{
    return gamma_of(vm, args, tgamma);
}

static value math_lgamma(struct vm *vm, const struct args *args)
{
    return gamma_of(vm, args, lgamma);
}

/* The distance to the next double away from zero. */
static value math_ulp(struct vm *vm, const struct args *args)
{
    double x;
    if (!number_double(vm, args->at[0], &x))
        return NO_VALUE;
    x = fabs(x);
    if (!isfinite(x))
        return float_new(vm, x);
    double next = nextafter(x, INFINITY);
    return float_new(vm, isinf(next) ? x - nextafter(x, 0) : next - x);
}

/* Doubles as ints that stand in the same order, those next to each other differing by 1. */
static int64_t place_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double double_at(int64_t place)
{
    int64_t bits = place < 0 ? INT64_MIN - place : place;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static value math_nextafter(struct vm *vm, const struct args *args)
{
    double x, y;
    struct bigint big;
    uint32_t limbs[2];
    if (!number_double(vm, args->at[0], &x) || !number_double(vm, args->at[1], &y))
        return NO_VALUE;
    if (arg_or(args, 2, VALUE_NONE) == VALUE_NONE)
        return float_new(vm, nextafter(x, y));
    value given = int_index(vm, args->at[2]);
    if (!given)
        return NO_VALUE;
    if (int_view(given, limbs, &big) && big.negative)
        return vm_raise(vm, "ValueError", "steps must be a non-negative integer");
    uint64_t steps = big.len > 2 ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < big.len && big.len <= 2; i++)
        steps |= (uint64_t)big.at[i] << 32 * i;
    if (isnan(x) || isnan(y))
        return float_new(vm, steps == 0 || isnan(x) ? x : y);
    int64_t from = place_of(x), to = place_of(y);
    uint64_t way = from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    if (steps == 0)
        return float_new(vm, x);
    if (steps >= way)
        return float_new(vm, y);
    double r = double_at((int64_t)((uint64_t)from + (from < to ? steps : -steps)));
    return float_new(vm, r == 0 ? copysign(0, x) : r);
}

static value math_pow(struct vm *vm, const struct args *args)
{
    double x, y;
    if (!number_double(vm, args->at[0], &x) || !number_double(vm, args->at[1], &y))
        return NO_VALUE;
    return checked(vm, pow(x, y), x, y, x == 0);
}

/* ---- logarithms, of ints of any size too ---- */

static bool log_of(struct vm *vm, value v, double (*f)(double), double *out)
{
    uint32_t limbs[2];
    struct bigint big;
    double x;
    if (int_view(v, limbs, &big) && !big.negative && bigint_bit_length(&big) > 1000) {
        struct bigint top = {0};
        uint64_t drop = bigint_bit_length(&big) - 64;
        bigint_shift_right(&top, &big, drop);
        *out = f(bigint_double(&top)) + (double)drop * f(2);
        bigint_free(&top);
        return true;
    }
    if (!number_double(vm, v, &x))
        return false;
    if (x <= 0)
        return vm_raise(vm, "ValueError", "math domain error");
    *out = f(x);
    return true;
}

static value math_log(struct vm *vm, const struct args *args)
{
    double x, base;
    if (!log_of(vm, args->at[0], log, &x))
        return NO_VALUE;
    if (!arg_given(args, 1))
        return float_new(vm, x);
    if (!log_of(vm, args->at[1], log, &base))
        return NO_VALUE;
    return base == 0 ? vm_raise(vm, "ZeroDivisionError", "float division by zero")
                     : float_new(vm, x / base);
}

static value math_log2(struct vm *vm, const struct args *args)
{
    double x;
    return log_of(vm, args->at[0], log2, &x) ? float_new(vm, x) : NO_VALUE;
}

static value math_log10(struct vm *vm, const struct args *args)
{
    double x;
    return log_of(vm, args->at[0], log10, &x) ? float_new(vm, x) : NO_VALUE;
}

/* ---- to whole numbers ---- */

static value whole(struct vm *vm, value v, double (*f)(double), const char *method)
{
    double x;
    if (is_object(v) && !is_instance(v, &type_float) && !is_int(v)) {
        value hook = value_attr_find(vm, v, intern_str(vm->names, method));
        if (hook || vm->error)
            return hook ? vm_call0(vm, hook) : NO_VALUE;
    }
    if (is_int(v) || v == VALUE_TRUE || v == VALUE_FALSE)
        return int_index(vm, v);
    return number_double(vm, v, &x) ? int_from_double(vm, f(x)) : NO_VALUE;
}

static value math_floor(struct vm *vm, const struct args *args)
{
    return whole(vm, args->at[0], floor, "__floor__");
}

static value math_ceil(struct vm *vm, const struct args *args)
{
    return whole(vm, args->at[0], ceil, "__ceil__");
}

static value math_trunc(struct vm *vm, const struct args *args)
{
    value v = args->at[0];
    if ((is_object(v) && !is_instance(v, &type_float) && !is_int(v) &&
         !attr_special(vm, v, intern_str(vm->names, "__trunc__"))) ||
        v == VALUE_NONE)
        return vm->error ? NO_VALUE
                         : vm_raise(vm, "TypeError", "type %s doesn't define __trunc__ method",
                                    type_name(v));
    return whole(vm, args->at[0], trunc, "__trunc__");
}

static value math_modf(struct vm *vm, const struct args *args)
{
    double x, integral;
    if (!number_double(vm, args->at[0], &x))
        return NO_VALUE;
    double part = modf(x, &integral);
    return tuple_new(vm, (value[]){float_new(vm, part), float_new(vm, integral)}, 2);
}

static value math_frexp(struct vm *vm, const struct args *args)
{
    double x;
    int exponent = 0;
    if (!number_double(vm, args->at[0], &x))
        return NO_VALUE;
    double part = isfinite(x) ? frexp(x, &exponent) : x;
    return tuple_new(vm, (value[]){float_new(vm, part), small(exponent)}, 2);
}

static value math_ldexp(struct vm *vm, const struct args *args)
{
    double x;
    int64_t n;
    if (!number_double(vm, args->at[0], &x))
        return NO_VALUE;
    if (!is_int(args->at[1]) && type_of(args->at[1]) != &type_bool)
        return vm_raise(vm, "TypeError", "Expected an int as second argument to ldexp.");
    if (!arg_int(vm, args, 1, 0, &n))
        return NO_VALUE;
    return checked(vm, ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n), x, 0, false);
}

/* ---- questions ---- */

static value math_isnan(struct vm *vm, const struct args *args)
{
    double x;
    return number_double(vm, args->at[0], &x) ? value_bool(isnan(x)) : NO_VALUE;
}

static value math_isinf(struct vm *vm, const struct args *args)
{
    double x;
    return number_double(vm, args->at[0], &x) ? value_bool(isinf(x)) : NO_VALUE;
}

static value math_isfinite(struct vm *vm, const struct args *args)
{
    double x;
    return number_double(vm, args->at[0], &x) ? value_bool(isfinite(x)) : NO_VALUE;
}

static value math_isclose(struct vm *vm, const struct args *args)
{
    double a, b, relative, absolute;
    if (!number_double(vm, args->at[0], &a) || !number_double(vm, args->at[1], &b) ||
        !arg_float(vm, args, 2, 1e-9, &relative) || !arg_float(vm, args, 3, 0, &absolute))
        return NO_VALUE;
    if (relative < 0 || absolute < 0)
        return vm_raise(vm, "ValueError", "tolerances must be non-negative");
    if (a == b)
        return VALUE_TRUE;
    if (isinf(a) || isinf(b))
        return VALUE_FALSE;
    double difference = fabs(a - b);
    return value_bool(difference <= fabs(relative * a) || difference <= fabs(relative * b) ||
                      difference <= absolute);
}

/* ---- ints ---- */

static value math_gcd(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *items = sequence_items(args->at[0], &n);
    value a = small(0);
    bool more;
    for (size_t i = 0; i < n; i++) {
        value b = int_index(vm, items[i]);
        if (!b)
            return NO_VALUE;
        while (value_truth(vm, b, &more) && more) {
            value rest = value_binary(vm, OP_MOD, a, b);
            a = b;
            b = rest;
        }
        bool negative;
        if (value_less(vm, a, small(0), &negative) && negative)
            a = value_unary(vm, OP_NEG, a);
    }
    return a;
}

static value math_lcm(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *items = sequence_items(args->at[0], &n);
    value total = small(1);
    for (size_t i = 0; i < n; i++) {
        value b = int_index(vm, items[i]);
        if (!b || b == small(0))
            return b;
        value pair = tuple_new(vm, (value[]){total, b}, 2);
        value gcd = math_gcd(vm, &(struct args){&pair, 1, args->def, NULL});
        total = value_binary(vm, OP_MUL, total, value_binary(vm, OP_FLOORDIV, b, gcd));
        bool negative;
        if (value_less(vm, total, small(0), &negative) && negative)
            total = value_unary(vm, OP_NEG, total);
    }
    return total;
}

static value math_factorial(struct vm *vm, const struct args *args)
{
    int64_t n;
    value index = is_float(args->at[0]) ? NO_VALUE : int_index(vm, args->at[0]), v = small(1);
    if (!index)
        return vm->error ? NO_VALUE
                         : vm_raise(vm, "TypeError",
                                    "'float' object cannot be interpreted as an integer");
    if (!int_get(index, &n) || n < 0)
        return vm_raise(vm, "ValueError", "factorial() not defined for negative values");
    for (int64_t i = 2; v && i <= n; i++)
        v = value_binary(vm, OP_MUL, v, small(i));
    return v;
}

/* n (n - 1) ... over 1 2 ...; divide: comb, else perm. */
static value choose(struct vm *vm, const struct args *args, bool divide)
{
    int64_t n, k;
    if (!arg_int(vm, args, 0, 0, &n) ||
        (args->at[1] && args->at[1] != VALUE_NONE ? !arg_int(vm, args, 1, 0, &k) : (k = n, false)))
        return NO_VALUE;
    if (n < 0 && (!args->at[1] || args->at[1] == VALUE_NONE))
        return vm_raise(vm, "ValueError", "factorial() not defined for negative values");
    if (n < 0 || k < 0)
        return vm_raise(vm, "ValueError", "%s must be a non-negative integer", n < 0 ? "n" : "k");
    if (k > n)
        return small(0);
    k = divide && k > n - k ? n - k : k;
    value v = small(1);
    for (int64_t i = 0; v && i < k; i++) {
        v = value_binary(vm, OP_MUL, v, small(n - i));
        v = divide ? value_binary(vm, OP_FLOORDIV, v, small(i + 1)) : v;
    }
    return v;
}

static value math_comb(struct vm *vm, const struct args *args)
{
    return choose(vm, args, true);
}

static value math_perm(struct vm *vm, const struct args *args)
{
    return choose(vm, args, false);
}

/* The whole square root by Newton's steps. */
static value math_isqrt(struct vm *vm, const struct args *args)
{
    uint32_t limbs[2];
    struct bigint big;
    value n = int_index(vm, args->at[0]);
    bool less;
    if (!n)
        return NO_VALUE;
    int_view(n, limbs, &big);
    if (big.negative)
        return vm_raise(vm, "ValueError", "isqrt() argument must be nonnegative");
    if (!big.len)
        return small(0);
    value x = value_binary(vm, OP_LSHIFT, small(1),
                           small((int64_t)(bigint_bit_length(&big) + 1) / 2));
    for (;;) {
        value next = value_binary(vm, OP_RSHIFT,
                                  value_binary(vm, OP_ADD, x, value_binary(vm, OP_FLOORDIV, n, x)),
                                  small(1));
        if (!next || !value_less(vm, next, x, &less))
            return NO_VALUE;
        if (!less)
            return x;
        x = next;
    }
}

/* ---- over iterables ---- */

static bool doubles_of(struct vm *vm, value iterable, double **out, size_t *n)
{
    value list = list_from(vm, iterable);
    const value *items = list ? sequence_items(list, n) : NULL;
    if (!list)
        return false;
    *out = memory_zeroed(*n + 1, sizeof **out);
    for (size_t i = 0; i < *n; i++)
        if (!number_double(vm, items[i], &(*out)[i])) {
            free(*out);
            return false;
        }
    return true;
}

/* Shewchuk's sum: partial sums that do not overlap keep every bit. */
static double exact_sum(const double *at, size_t n, double *partials)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double x = at[i];
        size_t kept = 0;
        for (size_t k = 0; k < count; k++) {
            double y = partials[k];
            if (fabs(x) < fabs(y)) {
                double swap = x;
                x = y;
                y = swap;
            }
            double high = x + y, low = y - (high - x);
            if (low != 0)
                partials[kept++] = low;
            x = high;
        }
        partials[kept++] = x;
        count = kept;
    }
    double high = 0, low = 0;
    while (count) {
        double x = high, y = partials[--count];
        high = x + y;
        low = y - (high - x);
        if (low != 0)
            break;
    }
    if (count && ((low < 0 && partials[count - 1] < 0) || (low > 0 && partials[count - 1] > 0))) {
        double twice = low * 2, next = high + twice;
        if (twice == next - high)
            high = next;
    }
    return high;
}

static value math_fsum(struct vm *vm, const struct args *args)
{
    double *at, total = 0;
    size_t n;
    if (!doubles_of(vm, args->at[0], &at, &n))
        return NO_VALUE;
    double special = 0; /* infinities and NaNs alone */
    bool nan = false;
    for (size_t i = 0; i < n; i++) {
        special += isfinite(at[i]) ? 0 : at[i];
        nan |= isnan(at[i]);
    }
    double *partials = memory_zeroed(n + 1, sizeof *partials);
    total = special == 0 ? exact_sum(at, n, partials) : special;
    free(partials);
    free(at);
    if (isnan(special) && !nan)
        return vm_raise(vm, "ValueError", "-inf + inf in fsum");
    if (special == 0 && !isfinite(total))
        return vm_raise(vm, "OverflowError", "intermediate overflow in fsum");
    return float_new(vm, total);
}

/* A sum kept in three doubles, as if with three times the digits (Ogita, Rump and Oishi 2005). */
struct long_sum {
    double high, low, tiny;
};

/* a + b and what rounding took from it. */
static double sum_of(double a, double b, double *lost)
{
    double sum = a + b, part = sum - a;
    *lost = (a - (sum - part)) + (b - part);
    return sum;
}

static struct long_sum product_added(struct long_sum sum, double p, double q)
{
    double product = p * q, lost_of_product = fma(p, q, -product), lost_high, lost_low, lost;
    double high = sum_of(sum.high, product, &lost_high);
    double low = sum_of(sum.low, lost_of_product, &lost_low);
    low = sum_of(low, lost_high, &lost);
    return (struct long_sum){high, low, sum.tiny + lost_low + lost};
}

/* Whether a pair is one of a float with a float or an int: these are summed without rounding. */
static bool pair_of_floats(value p, value q, double *a, double *b)
{
    return (is_float(p) || is_float(q)) && float_get(p, a) && float_get(q, b);
}

static value math_sumprod(struct vm *vm, const struct args *args)
{
    struct iter ps, qs;
    struct long_sum floats = {0};
    value total = small(0);
    bool exact = true, any = false; /* floats are summed apart until something else follows */
    double a, b;
    if (!iter_open(vm, args->at[0], &ps) || !iter_open(vm, args->at[1], &qs))
        return NO_VALUE;
    for (;;) {
        value p = iter_next(vm, &ps), q = vm->error ? NO_VALUE : iter_next(vm, &qs);
        if (vm->error)
            return NO_VALUE;
        if (!p != !q)
            return vm_raise(vm, "ValueError", "Inputs are not the same length");
        if (p && exact && pair_of_floats(p, q, &a, &b)) {
            struct long_sum next = product_added(floats, a, b);
            if (isfinite(next.high)) {
                floats = next;
                any = true;
                continue;
            }
        }
        if (any) {
            total = value_binary(vm, OP_ADD, total,
                                 float_new(vm, floats.high + (floats.low + floats.tiny)));
            any = exact = false;
        }
        if (!p || !total)
            return total;
        exact = exact && is_int(p) && is_int(q);
        value product = value_binary(vm, OP_MUL, p, q);
        total = product ? value_binary(vm, OP_ADD, total, product) : NO_VALUE;
        if (!total)
            return NO_VALUE;
    }
}

static value math_prod(struct vm *vm, const struct args *args)
{
    struct iter it;
    value total = arg_or(args, 1, small(1));
    if (!iter_open(vm, args->at[0], &it))
        return NO_VALUE;
    for (value item; total && (item = iter_next(vm, &it));)
        total = value_binary(vm, OP_MUL, total, item);
    return vm->error ? NO_VALUE : total;
}

static double length_of(const double *at, size_t n)
{
    double most = 0;
    long double sum = 0;
    bool nan = false;
    for (size_t i = 0; i < n; i++) {
        most = fabs(at[i]) > most ? fabs(at[i]) : most;
        nan |= isnan(at[i]);
    }
    if (isinf(most) || (most == 0 && !nan))
        return most;
    if (nan)
        return NAN;
    for (size_t i = 0; i < n; i++)
        sum += (long double)at[i] / most * ((long double)at[i] / most);
    return (double)(most * sqrtl(sum));
}

static value math_hypot(struct vm *vm, const struct args *args)
{
    double *at;
    size_t n;
    if (!doubles_of(vm, args->at[0], &at, &n))
        return NO_VALUE;
    double r = n == 2 ? hypot(at[0], at[1]) : length_of(at, n);
    free(at);
    return float_new(vm, r);
}

static value math_dist(struct vm *vm, const struct args *args)
{
    double *p, *q;
    size_t n, m;
    if (!doubles_of(vm, args->at[0], &p, &n))
        return NO_VALUE;
    if (!doubles_of(vm, args->at[1], &q, &m)) {
        free(p);
        return NO_VALUE;
    }
    for (size_t i = 0; i < n && n == m; i++)
        p[i] -= q[i];
    double r = n == 2 && m == 2 ? hypot(p[0], p[1]) : length_of(p, n);
    free(p);
    free(q);
    return n == m
               ? float_new(vm, r)
               : vm_raise(vm, "ValueError", "both points must have the same number of dimensions");
}

static value math_degrees(struct vm *vm, const struct args *args)
{
    double x;
    return number_double(vm, args->at[0], &x) ? float_new(vm, x * (180 / M_PI)) : NO_VALUE;
}

static value math_radians(struct vm *vm, const struct args *args)
{
    double x;
    return number_double(vm, args->at[0], &x) ? float_new(vm, x * (M_PI / 180)) : NO_VALUE;
}

#define X(name, pole) {#name, math_##name, "x /", ""},
#define Y(name)       {#name, math_##name, "x y /", ""},
static const struct native_def functions[] = {
    ONE_REAL(X) TWO_REALS(Y){"gamma", math_gamma, "x /", "The gamma function."},
    {"lgamma", math_lgamma, "x /", "The logarithm of its absolute value."},
    {"ulp", math_ulp, "x /", "The distance to the next float."},
    {"nextafter", math_nextafter, "x y / * steps=None",
     "The float so many steps from x towards y."},
    {"pow", math_pow, "x y /", "x ** y as floats."},
    {"log", math_log, "x base= /", "The logarithm."},
    {"log2", math_log2, "x /", "The logarithm to base 2."},
    {"log10", math_log10, "x /", "The logarithm to base 10."},
    {"floor", math_floor, "x /", "The next int below."},
    {"ceil", math_ceil, "x /", "The next int above."},
    {"trunc", math_trunc, "x /", "The whole part."},
    {"modf", math_modf, "x /", "Fraction and whole part."},
    {"frexp", math_frexp, "x /", "Mantissa and exponent."},
    {"ldexp", math_ldexp, "x i /", "x * 2 ** i"},
    {"isnan", math_isnan, "x /", "Whether it is no number."},
    {"isinf", math_isinf, "x /", "Whether it is infinite."},
    {"isfinite", math_isfinite, "x /", "Whether it is finite."},
    {"isclose", math_isclose, "a b * rel_tol=1e-09 abs_tol=0.0", "Whether both are nearly equal."},
    {"gcd", math_gcd, "*integers", "The greatest common divisor."},
    {"lcm", math_lcm, "*integers", "The least common multiple."},
    {"factorial", math_factorial, "n /", "1 * 2 * ... * n"},
    {"comb", math_comb, "n k /", "Ways to choose k of n."},
    {"perm", math_perm, "n k=None /", "Ways to line up k of n."},
    {"isqrt", math_isqrt, "n /", "The whole square root."},
    {"fsum", math_fsum, "seq /", "The exact sum, rounded once."},
    {"sumprod", math_sumprod, "p q /", "The sum of the products of pairs."},
    {"prod", math_prod, "iterable / * start=1", "The product."},
    {"hypot", math_hypot, "*coordinates", "The distance from the origin."},
    {"dist", math_dist, "p q /", "The distance of two points."},
    {"degrees", math_degrees, "x /", "Radians as degrees."},
    {"radians", math_radians, "x /", "Degrees as radians."},
    {0}};
#undef X
#undef Y

static bool fill(struct vm *vm, value module)
{
    return module_set(vm, module, "pi", float_new(vm, M_PI)) &&
           module_set(vm, module, "e", float_new(vm, M_E)) &&
           module_set(vm, module, "tau", float_new(vm, 2 * M_PI)) &&
           module_set(vm, module, "inf", float_new(vm, INFINITY)) &&
           module_set(vm, module, "nan", float_new(vm, NAN));
}

const struct native_module module_math = {"math", functions, fill};
