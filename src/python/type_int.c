// SPDX-License-Identifier: MIT
/* int and bool. Small ints are handled in 64 bits, with a way out to limbs where a result does not
 * fit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "python/bytes.h"
#include "python/format.h"
#include "python/heap.h"
#include "python/numbers.h"
#include "python/vm.h"
#include "python/vm_ops.h"
#include "syntax/ast.h"

static inline bool fits_small(int64_t i)
{
    return i >= -((int64_t)1 << 62) && i < (int64_t)1 << 62;
}

bool int_view(value v, uint32_t limbs[2], struct bigint *out)
{
    if (is_small(v)) {
        *out = bigint_view(small_int(v), limbs);
    } else if (v == VALUE_TRUE || v == VALUE_FALSE) {
        *out = bigint_view(v == VALUE_TRUE, limbs);
    } else if (is_object(v) && is_instance(v, &type_int)) {
        struct big_int *big = (struct big_int *)as_object(v);
        *out = (struct bigint){big->at, big->len, 0, big->negative};
    } else {
        return false;
    }
    return true;
}

static value new_big(struct vm *vm, const struct type *type, const struct bigint *big)
{
    struct big_int *object = object_alloc_derived(vm, type,
                                                  sizeof *object + big->len * sizeof *big->at);
    object->len = big->len;
    object->negative = big->negative;
    if (big->len)
        memcpy(object->at, big->at, big->len * sizeof *big->at);
    return from_object(object);
}

value int_from(struct vm *vm, int64_t i)
{
    uint32_t limbs[2];
    if (fits_small(i))
        return small(i);
    struct bigint big = bigint_view(i, limbs);
    return new_big(vm, &type_int, &big);
}

value int_take(struct vm *vm, struct bigint *big)
{
    int64_t i;
    value v = bigint_get(big, &i) ? int_from(vm, i) : new_big(vm, &type_int, big);
    bigint_free(big);
    return v;
}

bool int_get(value v, int64_t *out)
{
    uint32_t limbs[2];
    struct bigint big;
    if (is_small(v)) {
        *out = small_int(v);
        return true;
    }
    return int_view(v, limbs, &big) && bigint_get(&big, out);
}

bool is_int(value v)
{
    return is_small(v) || (is_object(v) && is_instance(v, &type_int));
}

/* The int that an instance of a derived class holds. */
static value int_copy(struct vm *vm, const struct bigint *big)
{
    struct bigint copy = {0};
    bigint_copy(&copy, big);
    return int_take(vm, &copy);
}

value int_index_find(struct vm *vm, value v)
{
    uint32_t limbs[2];
    struct bigint big;
    if (is_small(v))
        return v;
    if (v == VALUE_TRUE || v == VALUE_FALSE)
        return small(v == VALUE_TRUE);
    if (int_view(v, limbs, &big))
        return is_exact(v, &type_int) ? v : int_copy(vm, &big);
    value method = is_object(v) ? attr_special(vm, v, intern_str(vm_names(vm), "__index__"))
                                : NO_VALUE;
    value whole = method ? vm_call0(vm, method) : NO_VALUE;
    if (!whole)
        return NO_VALUE;
    if (whole == VALUE_TRUE || whole == VALUE_FALSE)
        return small(whole == VALUE_TRUE);
    if (!is_int(whole))
        return vm_raise(vm, "TypeError", "__index__ returned non-int (type %s)", type_name(whole));
    return whole;
}

value int_index(struct vm *vm, value v)
{
    value whole = int_index_find(vm, v);
    if (whole || vm_failed(vm))
        return whole;
    return vm_raise(vm, "TypeError", "'%s' object cannot be interpreted as an integer",
                    type_name(v));
}

bool number_double(struct vm *vm, value v, double *out)
{
    uint32_t limbs[2];
    struct bigint big;
    if (is_small(v)) {
        *out = (double)small_int(v);
        return true;
    }
    if (is_object(v) && is_instance(v, &type_float))
        return float_get(v, out);
    if (int_view(v, limbs, &big)) {
        *out = bigint_double(&big);
        if (isinf(*out))
            vm_raise(vm, "OverflowError", "int too large to convert to float");
        return !isinf(*out);
    }
    for (int i = 0; i < 2 && is_object(v); i++) {
        value method = attr_special(vm, v, intern_str(vm_names(vm), i ? "__index__" : "__float__"));
        value number = method ? vm_call0(vm, method) : NO_VALUE;
        if (vm_failed(vm))
            return false;
        if (number && (i ? is_int(number) : is_instance(number, &type_float)))
            return number_double(vm, number, out);
        if (number && i == 0)
            return vm_raise(vm, "TypeError", "%s.__float__ returned non-float (type %s)",
                            type_name(v), type_name(number));
    }
    return vm_raise(vm, "TypeError", "must be real number, not %s", type_name(v));
}

value int_from_double(struct vm *vm, double d)
{
    if (isnan(d))
        return vm_raise(vm, "ValueError", "cannot convert float NaN to integer");
    if (isinf(d))
        return vm_raise(vm, "OverflowError", "cannot convert float infinity to integer");
    if (fabs(d) < 4e18)
        return int_from(vm, (int64_t)d);
    struct bigint big = {0};
    bigint_set_double(&big, d);
    return int_take(vm, &big);
}

/* ---- hash ---- */

uint64_t int_hash(value v)
{
    uint32_t limbs[2];
    struct bigint big;
    int64_t rest;
    if (is_small(v)) {
        rest = small_int(v) % HASH_MODULUS;
    } else {
        int_view(v, limbs, &big);
        rest = (int64_t)bigint_mod_small(&big, HASH_MODULUS);
        rest = big.negative ? -rest : rest;
    }
    return (uint64_t)(rest == -1 ? -2 : rest);
}

static bool hash_int(struct vm *vm, value self, uint64_t *out)
{
    *out = int_hash(self);
    return true;
}

/* ---- arithmetic ---- */

static value zero_division(struct vm *vm, int op)
{
    return vm_raise(vm, "ZeroDivisionError",
                    op == OP_DIV   ? "division by zero"
                    : op == OP_MOD ? "integer modulo by zero"
                                   : "integer division or modulo by zero");
}

static value divide(struct vm *vm, const struct bigint *a, const struct bigint *b)
{
    double d = bigint_divide(a, b);
    if (isinf(d))
        return vm_raise(vm, "OverflowError", "integer division result too large for a float");
    return float_new(vm, d);
}

static value power(struct vm *vm, const struct bigint *a, const struct bigint *b)
{
    struct bigint result = {0};
    int64_t exponent;
    if (b->negative) {
        if (!a->len)
            return vm_raise(vm, "ZeroDivisionError", "0.0 cannot be raised to a negative power");
        return float_new(vm, pow(bigint_double(a), bigint_double(b)));
    }
    if (!bigint_get(b, &exponent) || (a->len && bigint_bit_length(a) * (double)exponent > 1e9)) {
        if (a->len == 0 || (a->len == 1 && a->at[0] == 1))
            exponent = !!b->len && (b->at[0] & 1 || !a->len) ? 1 : 2;
        else
            return vm_raise(vm, "MemoryError", "the result of ** is too big");
    }
    bigint_pow(&result, a, (uint64_t)exponent);
    return int_take(vm, &result);
}

static value shift(struct vm *vm, int op, const struct bigint *a, const struct bigint *b)
{
    struct bigint result = {0};
    int64_t bits;
    if (b->negative)
        return vm_raise(vm, "ValueError", "negative shift count");
    bool far = !bigint_get(b, &bits) || bits > (int64_t)1 << 33;
    if (op == OP_RSHIFT)
        bigint_shift_right(&result, a, far ? UINT64_MAX / 2 : (uint64_t)bits);
    else if (far && a->len)
        return vm_raise(vm, "OverflowError", "too many digits in integer");
    else
        bigint_shift_left(&result, a, a->len ? (uint64_t)bits : 0);
    return int_take(vm, &result);
}

static value big_binary(struct vm *vm, int op, const struct bigint *a, const struct bigint *b)
{
    struct bigint to = {0};
    switch (op) {
    case OP_ADD: bigint_add(&to, a, b); break;
    case OP_SUB: bigint_sub(&to, a, b); break;
    case OP_MUL: bigint_mul(&to, a, b); break;
    case OP_DIV: return b->len ? divide(vm, a, b) : zero_division(vm, op);
    case OP_FLOORDIV:
    case OP_MOD:
        if (!b->len)
            return zero_division(vm, op);
        bigint_divmod(op == OP_MOD ? NULL : &to, op == OP_MOD ? &to : NULL, a, b);
        break;
    case OP_POW: return power(vm, a, b);
    case OP_LSHIFT:
    case OP_RSHIFT: return shift(vm, op, a, b);
    case OP_BITAND:
    case OP_BITOR:
    case OP_BITXOR:
        bigint_bits(&to, a, b, op == OP_BITAND ? '&' : op == OP_BITOR ? '|' : '^');
        break;
    default: return VALUE_NOT_IMPLEMENTED;
    }
    return int_take(vm, &to);
}

/* The result for operands below 2**62, NO_VALUE where limbs are needed. */
static value small_binary(struct vm *vm, int op, int64_t a, int64_t b)
{
    int64_t r;
    switch (op) {
    case OP_ADD: return int_from(vm, a + b);
    case OP_SUB: return int_from(vm, a - b);
    case OP_MUL: return __builtin_mul_overflow(a, b, &r) ? NO_VALUE : int_from(vm, r);
    case OP_DIV:
        if (b && llabs(a) < (int64_t)1 << 53 && llabs(b) < (int64_t)1 << 53)
            return float_new(vm, (double)a / (double)b);
        return NO_VALUE;
    case OP_FLOORDIV:
        return b ? int_from(vm, a / b - (a % b != 0 && (a < 0) != (b < 0))) : NO_VALUE;
    case OP_MOD:
        r = b ? a % b : 0;
        return b ? small(r != 0 && (r < 0) != (b < 0) ? r + b : r) : NO_VALUE;
    case OP_RSHIFT: return b >= 0 ? small(a >> (b > 63 ? 63 : b)) : NO_VALUE;
    case OP_LSHIFT:
        return b >= 0 && b < 62 && llabs(a) < (int64_t)1 << (62 - b)
                   ? small((int64_t)((uint64_t)a << b))
                   : NO_VALUE;
    case OP_BITAND: return small(a & b);
    case OP_BITOR: return small(a | b);
    case OP_BITXOR: return small(a ^ b);
    default: return NO_VALUE;
    }
}

static value int_binary(struct vm *vm, int op, value a, value b)
{
    if (is_small(a) && is_small(b)) {
        value v = small_binary(vm, op, small_int(a), small_int(b));
        if (v)
            return v;
    }
    uint32_t limbs_a[2], limbs_b[2];
    struct bigint x, y;
    if (!int_view(a, limbs_a, &x) || !int_view(b, limbs_b, &y))
        return VALUE_NOT_IMPLEMENTED;
    return big_binary(vm, op, &x, &y);
}

static value int_unary(struct vm *vm, int op, value self)
{
    uint32_t limbs[2];
    struct bigint big, result = {0}, one = {(uint32_t[]){1}, 1, 0, false};
    int_view(self, limbs, &big);
    if (op == OP_POS)
        return int_index(vm, self);
    if (op == OP_NEG) {
        bigint_copy(&result, &big);
        result.negative = big.len && !big.negative;
        return int_take(vm, &result);
    }
    if (op != OP_INVERT)
        return VALUE_NOT_IMPLEMENTED;
    bigint_add(&result, &big, &one);
    result.negative = result.len && !result.negative;
    return int_take(vm, &result);
}

value value_ordered(int op, int order)
{
    return value_bool(order_holds((uint32_t)op, order, 0));
}

static value int_compare(struct vm *vm, int op, value a, value b)
{
    uint32_t limbs_a[2], limbs_b[2];
    struct bigint x, y;
    if (is_small(a) && is_small(b))
        return value_ordered(op, (small_int(a) > small_int(b)) - (small_int(a) < small_int(b)));
    if (!int_view(a, limbs_a, &x) || !int_view(b, limbs_b, &y))
        return VALUE_NOT_IMPLEMENTED;
    return value_ordered(op, bigint_compare(&x, &y));
}

static bool int_truth(struct vm *vm, value self, bool *out)
{
    uint32_t limbs[2];
    struct bigint big;
    int_view(self, limbs, &big);
    *out = big.len;
    return true;
}

static value int_repr(struct vm *vm, value self)
{
    struct buf text = {0};
    char digits[NUMBER_ROOM];
    if (is_small(self))
        return str_from(vm, number_text(small_int(self), digits));
    value v = int_print(vm, self, 10, &text) ? str_new(vm, text.at, text.len) : NO_VALUE;
    buf_free(&text);
    return v;
}

static value bool_repr(struct vm *vm, value self)
{
    return str_from_sym(vm, intern_str(vm_names(vm), self == VALUE_TRUE ? "True" : "False"));
}

static value bool_binary(struct vm *vm, int op, value a, value b)
{
    bool both = (a == VALUE_TRUE || a == VALUE_FALSE) && (b == VALUE_TRUE || b == VALUE_FALSE);
    bool x = a == VALUE_TRUE, y = b == VALUE_TRUE;
    if (both && (op == OP_BITAND || op == OP_BITOR || op == OP_BITXOR))
        return value_bool(op == OP_BITAND ? x && y : op == OP_BITOR ? x || y : x != y);
    return int_binary(vm, op, a, b);
}

/* ---- rounding and powers ---- */

value int_round(struct vm *vm, value v, value ndigits)
{
    int64_t n = 0;
    value self = int_index(vm, v);
    if (ndigits && ndigits != VALUE_NONE) {
        value digits = int_index(vm, ndigits);
        if (!digits)
            return NO_VALUE;
        if (!int_get(digits, &n))
            n = 0;
    }
    if (n >= 0)
        return self;
    /* To the nearest multiple of 10 ** -n, ties to the even one. */
    uint32_t limbs[2];
    struct bigint big, unit = {0}, ten = {(uint32_t[]){10}, 1, 0, false}, q = {0}, r = {0},
                       twice = {0};
    int_view(self, limbs, &big);
    bigint_pow(&unit, &ten, (uint64_t)-n);
    bigint_divmod(&q, &r, &big, &unit);
    bigint_add(&twice, &r, &r);
    int order = bigint_compare(&twice, &unit);
    bigint_sub(&twice, &big, &r);
    if (order > 0 || (order == 0 && q.len && (q.at[0] & 1))) {
        bigint_add(&r, &twice, &unit);
        bigint_copy(&twice, &r);
    }
    bigint_free(&unit);
    bigint_free(&q);
    bigint_free(&r);
    return int_take(vm, &twice);
}

/* The inverse of a modulo m into *to by Euclid's algorithm; false: there is none. */
static bool invert(struct bigint *to, const struct bigint *a, const struct bigint *m)
{
    struct bigint r0 = {0}, r1 = {0}, t0 = {0}, t1 = {0}, q = {0}, r = {0}, x = {0}, y = {0};
    bigint_copy(&r0, m);
    bigint_divmod(NULL, &r1, a, m);
    bigint_set(&t0, 0);
    bigint_set(&t1, 1);
    while (r1.len) {
        bigint_divmod(&q, &r, &r0, &r1);
        bigint_mul(&x, &q, &t1);
        bigint_sub(&y, &t0, &x);
        bigint_copy(&t0, &t1);
        bigint_copy(&t1, &y);
        bigint_copy(&r0, &r1);
        bigint_copy(&r1, &r);
    }
    bool found = r0.len == 1 && r0.at[0] == 1;
    bigint_divmod(NULL, to, &t0, m);
    struct bigint *all[] = {&r0, &r1, &t0, &t1, &q, &r, &x, &y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bigint_free(all[i]);
    return found;
}

static bool is_number(value v)
{
    double d;
    return is_int(v) || v == VALUE_TRUE || v == VALUE_FALSE || float_get(v, &d);
}

static value complain_power(struct vm *vm, value a, value b, value m)
{
    if (is_number(a) && is_number(b) && is_number(m))
        return vm_raise(vm, "TypeError",
                        "pow() 3rd argument not allowed unless all arguments are integers");
    return vm_raise(vm, "TypeError",
                    "unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'", type_name(a),
                    type_name(b), type_name(m));
}

value int_pow_mod(struct vm *vm, value a, value b, value m)
{
    uint32_t limbs[3][2];
    struct bigint x, e, mod, result = {0}, inverse = {0}, size;
    if (!int_view(a, limbs[0], &x) || !int_view(b, limbs[1], &e) || !int_view(m, limbs[2], &mod))
        return complain_power(vm, a, b, m);
    if (!mod.len)
        return vm_raise(vm, "ValueError", "pow() 3rd argument cannot be 0");
    size = mod;
    size.negative = false;
    bool found = !e.negative || invert(&inverse, &x, &size);
    if (!found) {
        bigint_free(&inverse);
        return vm_raise(vm, "ValueError", "base is not invertible for the given modulus");
    }
    struct bigint exponent = e;
    exponent.negative = false;
    bigint_powmod(&result, e.negative ? &inverse : &x, &exponent, &size);
    if (mod.negative && result.len) {
        bigint_add(&inverse, &result, &mod);
        bigint_copy(&result, &inverse);
    }
    bigint_free(&inverse);
    return int_take(vm, &result);
}

/* ---- int(...) ---- */

static value int_of_object(struct vm *vm, value v)
{
    static const char *const methods[] = {"__int__", "__index__", "__trunc__"};
    for (int i = 0; i < 3 && is_object(v); i++) {
        value method = attr_special(vm, v, intern_str(vm_names(vm), methods[i]));
        value whole = method ? vm_call0(vm, method) : NO_VALUE;
        if (vm_failed(vm))
            return NO_VALUE;
        if (method && whole != VALUE_TRUE && whole != VALUE_FALSE && !is_int(whole))
            return vm_raise(vm, "TypeError", "%s returned non-%s (type %s)", methods[i],
                            i == 2 ? "Integral" : "int", type_name(whole));
        if (method)
            return whole == VALUE_TRUE || whole == VALUE_FALSE ? small(whole == VALUE_TRUE) : whole;
    }
    return vm_raise(
        vm, "TypeError",
        "int() argument must be a string, a bytes-like object or a real number, not '%s'",
        type_name(v));
}

static value int_of(struct vm *vm, value v)
{
    double d;
    size_t len;
    if (is_small(v) || v == VALUE_TRUE || v == VALUE_FALSE ||
        (is_object(v) && is_instance(v, &type_int)))
        return int_index(vm, v);
    if (is_str(v))
        return int_parse(vm, v, str_text(v), as_str(v)->len, 10);
    if (is_object(v) && is_instance(v, &type_float)) {
        float_get(v, &d);
        return int_from_double(vm, d);
    }
    const char *bytes = bytes_get(v, &len);
    return bytes ? int_parse(vm, bytes_of(vm, v), bytes, len, 10) : int_of_object(vm, v);
}

static value int_of_text(struct vm *vm, value v, value base)
{
    int64_t b = 10;
    size_t len;
    value index = int_index(vm, base);
    if (!index)
        return NO_VALUE;
    if (!int_get(index, &b) || b < 0 || b == 1 || b > 36)
        return vm_raise(vm, "ValueError", "int() base must be >= 2 and <= 36, or 0");
    if (is_str(v))
        return int_parse(vm, v, str_text(v), as_str(v)->len, (int)b);
    const char *bytes = bytes_get(v, &len);
    if (!bytes)
        return vm_raise(vm, "TypeError", "int() can't convert non-string with explicit base");
    return int_parse(vm, bytes_of(vm, v), bytes, len, (int)b);
}

/* The same number as an instance of a class derived from int. */
static value int_as(struct vm *vm, const struct type *type, value v)
{
    uint32_t limbs[2];
    struct bigint big;
    if (!v || type == &type_int)
        return v;
    int_view(v, limbs, &big);
    return new_big(vm, type, &big);
}

static value int_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"x", "base", NULL};
    value slot[2];
    if (!make_args(vm, "int", names, 1, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0] && slot[1])
        return vm_raise(vm, "TypeError", "int() missing string argument");
    value v = !slot[0]  ? small(0)
              : slot[1] ? int_of_text(vm, slot[0], slot[1])
                        : int_of(vm, slot[0]);
    return int_as(vm, type, v);
}

static value bool_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"x", NULL};
    value slot[1];
    bool truth = false;
    if (!make_args(vm, "bool", names, 1, args, kwargs, slot))
        return NO_VALUE;
    if (slot[0] && !value_truth(vm, slot[0], &truth))
        return NO_VALUE;
    return value_bool(truth);
}

/* ---- methods ---- */

static value int_bit_length(struct vm *vm, const struct args *args)
{
    uint32_t limbs[2];
    struct bigint big;
    int_view(args->at[0], limbs, &big);
    return small((int64_t)bigint_bit_length(&big));
}

static value int_bit_count(struct vm *vm, const struct args *args)
{
    uint32_t limbs[2];
    struct bigint big;
    int64_t n = 0;
    int_view(args->at[0], limbs, &big);
    for (uint32_t i = 0; i < big.len; i++)
        n += __builtin_popcount(big.at[i]);
    return small(n);
}

static value int_same(struct vm *vm, const struct args *args)
{
    return int_index(vm, args->at[0]);
}

static value int_zero(struct vm *vm, const struct args *args)
{
    return small(0);
}

static value int_one(struct vm *vm, const struct args *args)
{
    return small(1);
}

static value int_true(struct vm *vm, const struct args *args)
{
    return VALUE_TRUE;
}

static value int_ratio(struct vm *vm, const struct args *args)
{
    return tuple_new(vm, (value[]){int_index(vm, args->at[0]), small(1)}, 2);
}

static value int_to_float(struct vm *vm, const struct args *args)
{
    double d;
    return number_double(vm, args->at[0], &d) ? float_new(vm, d) : NO_VALUE;
}

static value int_round_method(struct vm *vm, const struct args *args)
{
    return int_round(vm, args->at[0], args->at[1]);
}

/* "big" or "little"; false: raised. */
static bool byte_order(struct vm *vm, const struct args *args, int i, bool *big)
{
    const char *order = arg_given(args, i) ? arg_text(vm, args, i, NULL) : "big";
    if (!order)
        return false;
    *big = !strcmp(order, "big");
    if (!*big && strcmp(order, "little"))
        return vm_raise(vm, "ValueError", "byteorder must be either 'little' or 'big'");
    return true;
}

static value int_to_bytes(struct vm *vm, const struct args *args)
{
    int64_t len;
    bool big_end, with_sign;
    uint32_t limbs[2];
    struct bigint big, all = {0}, size = {0}, one = {(uint32_t[]){1}, 1, 0, false};
    if (!arg_int(vm, args, 1, 1, &len) || !byte_order(vm, args, 2, &big_end) ||
        !arg_bool(vm, args, 3, false, &with_sign))
        return NO_VALUE;
    if (len < 0)
        return vm_raise(vm, "ValueError", "length argument must be non-negative");
    int_view(args->at[0], limbs, &big);
    if (big.negative && !with_sign)
        return vm_raise(vm, "OverflowError", "can't convert negative int to unsigned");
    uint64_t bits = bigint_bit_length(&big);
    bool lowest = big.negative && (bigint_shift_left(&size, &one, bits ? bits - 1 : 0),
                                   size.negative = true, bigint_compare(&size, &big) == 0);
    if (bits + (with_sign && !lowest) > (uint64_t)len * 8) {
        bigint_free(&size);
        return vm_raise(vm, "OverflowError", "int too big to convert");
    }
    bigint_shift_left(&size, &one, (uint64_t)len * 8);
    if (big.negative)
        bigint_add(&all, &size, &big);
    else
        bigint_copy(&all, &big);
    struct buf out = {0};
    for (int64_t i = 0; i < len; i++) {
        uint64_t at = (uint64_t)(big_end ? len - 1 - i : i);
        buf_char(&out, (char)(at / 4 < all.len ? all.at[at / 4] >> at % 4 * 8 : 0));
    }
    bigint_free(&all);
    bigint_free(&size);
    return bytes_take(vm, &out);
}

static value int_from_bytes(struct vm *vm, const struct args *args)
{
    bool big_end, with_sign;
    size_t len;
    if (is_str(args->at[1]))
        return vm_raise(vm, "TypeError", "cannot convert 'str' object to bytes");
    value bytes = bytes_of(vm, args->at[1]);
    if (!bytes || !byte_order(vm, args, 2, &big_end) || !arg_bool(vm, args, 3, false, &with_sign))
        return NO_VALUE;
    const char *at = bytes_get(bytes, &len);
    struct bigint big = {0}, size = {0}, result = {0};
    struct buf hex = {0};
    for (size_t i = 0; i < len; i++)
        buf_printf(&hex, "%02x", (unsigned char)at[big_end ? i : len - 1 - i]);
    bigint_parse(&big, buf_text(&hex), hex.len, 16);
    if (with_sign && len && bigint_bit_length(&big) == len * 8) {
        struct bigint one = {(uint32_t[]){1}, 1, 0, false};
        bigint_shift_left(&size, &one, len * 8);
        bigint_sub(&result, &big, &size);
        bigint_copy(&big, &result);
    }
    buf_free(&hex);
    bigint_free(&size);
    bigint_free(&result);
    return int_take(vm, &big);
}

static const struct native_def int_methods[] = {
    {"bit_length", int_bit_length, "self /", "Bits of the magnitude."},
    {"bit_count", int_bit_count, "self /", "Ones in the magnitude."},
    {"conjugate", int_same, "self /", "The number itself."},
    {"is_integer", int_true, "self /", "True."},
    {"as_integer_ratio", int_ratio, "self /", "(self, 1)"},
    {"to_bytes", int_to_bytes, "self length=1 byteorder='big' * signed=False",
     "The number as bytes."},
    {"from_bytes", int_from_bytes, "cls bytes byteorder='big' * signed=False",
     "The int that bytes represent."},
    {"__index__", int_same, "self /", "The number itself."},
    {"__int__", int_same, "self /", "The number itself."},
    {"__trunc__", int_same, "self /", "The number itself."},
    {"__floor__", int_same, "self /", "The number itself."},
    {"__ceil__", int_same, "self /", "The number itself."},
    {"__float__", int_to_float, "self /", "float(self)"},
    {"__round__", int_round_method, "self ndigits= /", "round(self, ndigits)"},
    {0}};

static const struct native_def int_properties[] = {
    {"real", int_same, "self", "The number itself."},
    {"imag", int_zero, "self", "0"},
    {"numerator", int_same, "self", "The number itself."},
    {"denominator", int_one, "self", "1"},
    {0}};

const struct type type_int = {
    .object = {.type = &type_type},
    .name = "int",
    .base = &type_object,
    .size = sizeof(struct big_int),
    .methods = int_methods,
    .properties = int_properties,
    .make = int_make,
    .repr = int_repr,
    .truth = int_truth,
    .hash = hash_int,
    .compare = int_compare,
    .binary = int_binary,
    .unary = int_unary,
    .format = format_slot,
};

const struct type type_bool = {
    .object = {.type = &type_type},
    .name = "bool",
    .base = &type_int,
    .make = bool_make,
    .repr = bool_repr,
    .binary = bool_binary,
};
