// SPDX-License-Identifier: MIT
/* numbers.h: what the files about numbers share: ints beyond 63 bits as objects, hashing that makes
 * equal numbers of all types equal, conversions. */
#pragma once

#include "base/buf.h"
#include "python/bigint.h"
#include "python/value.h"

/* An int of more than 63 bits; smaller ones are never made so. */
struct big_int {
    struct object object;
    uint32_t len;
    bool negative;
    uint32_t at[];
};

/* The number of an int or bool, borrowed; limbs is room for small ones. False: v is neither. */
bool int_view(value v, uint32_t limbs[2], struct bigint *out);
/* The int of a number; frees it. */
value int_take(struct vm *vm, struct bigint *big);
/* The int that text spells in a base (0: by its prefix): sign, underscores and white space as int()
 * takes them; raises ValueError, with what was given to int() (shown) if that is not the text:
 * NO_VALUE, it is. */
value int_parse(struct vm *vm, value shown, const char *text, size_t len, int base);
/* The whole part of d; raises for infinities and NaN. */
value int_from_double(struct vm *vm, double d);
/* Appends the digits; false: raised, too long for a conversion (4300 digits). */
bool int_print(struct vm *vm, value v, int base, struct buf *out);
/* An int from an int or anything with __index__; raises TypeError. */
value int_index(struct vm *vm, value v);
/* The same; NO_VALUE with nothing raised if v has no __index__. */
value int_index_find(struct vm *vm, value v);
/* The double of an int or float (bool too), or of anything with __float__ or __index__; raises
 * OverflowError, TypeError ("must be real number, not str"). */
bool number_double(struct vm *vm, value v, double *out);
/* round(v, ndigits) of an int and of a float; ndigits NO_VALUE: to an int. */
value int_round(struct vm *vm, value v, value ndigits);
value float_round(struct vm *vm, value v, value ndigits);
/* What a comparison (OP_EQ..OP_GE) says of two whose order is below, at or above 0. */
value value_ordered(int op, int order);
/* pow(a, b, m) of ints. */
value int_pow_mod(struct vm *vm, value a, value b, value m);

/* The double that text spells as float() takes it; false: it spells none (nothing raised). */
bool float_parse(const char *text, size_t len, double *out);
/* The hash of a double, of any int, as CPython's hash() shows it: the number modulo 2**61 - 1, with
 * its sign, so that equal numbers have equal hashes. */
#define HASH_MODULUS (((int64_t)1 << 61) - 1)
/* hash() of a float. */
uint64_t double_hash(double d);
/* hash() of an int. */
uint64_t int_hash(value v);

struct complex_object {
    struct object object;
    double real, imag;
};
/* The real and imaginary part of a complex, float, int or bool. */
bool complex_get(value v, double *real, double *imag);

/* Arguments of T(...) by position or name into slot[]; names ends with NULL, the first nposonly of
 * them take no keyword. Slots not given are NO_VALUE. False: raised. */
bool make_args(struct vm *vm, const char *function, const char *const *names, int nposonly,
               value args, value kwargs, value *slot);
