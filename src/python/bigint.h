// SPDX-License-Identifier: MIT
/* bigint.h: whole numbers of any size: sign and magnitude, limbs of 32 bits, lowest first, no
 * leading zero limbs (zero has none). Plain memory, no heap of Python values: type_int.c makes
 * objects of them.
 *
 *     struct bigint a = {0}, b = {0}, q = {0}, r = {0};
 *     bigint_set(&a, 7);
 *     bigint_parse(&b, "123456789012345678901234567890", 30, 10);
 *     bigint_divmod(&q, &r, &b, &a);           // floor, as Python
 *     bigint_free(&a); ...
 *
 * Results may not be the same object as an operand unless said so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct bigint {
    uint32_t *at; /* owned unless cap is 0 (a view) */
    uint32_t len, cap;
    bool negative; /* never for zero */
};

/* Frees the limbs; it is zero then. A view owns none. */
void bigint_free(struct bigint *big);
/* big = i. */
void bigint_set(struct bigint *big, int64_t i);
/* A view of i in limbs (2 of them), nothing to free. */
struct bigint bigint_view(int64_t i, uint32_t limbs[2]);
/* to = from */
void bigint_copy(struct bigint *to, const struct bigint *from);
/* Whether it fits 64 bits with sign; then *out is it. */
bool bigint_get(const struct bigint *big, int64_t *out);
/* The digits of a base up to 36, nothing else; the caller has checked them. */
void bigint_parse(struct bigint *big, const char *digits, size_t len, int base);
/* Appends the digits of the number, "-" in front of a negative one. */
void bigint_print(const struct bigint *big, int base, struct buf *out);
/* The nearest double; infinite when too big. */
double bigint_double(const struct bigint *big);
/* The whole part of a finite d. */
void bigint_set_double(struct bigint *big, double d);

int bigint_compare(const struct bigint *a, const struct bigint *b); /* -1, 0, 1 */
void bigint_add(struct bigint *to, const struct bigint *a, const struct bigint *b);
void bigint_sub(struct bigint *to, const struct bigint *a, const struct bigint *b);
void bigint_mul(struct bigint *to, const struct bigint *a, const struct bigint *b);
/* Floor division, the remainder has b's sign; b is not zero. q or r may be NULL. */
void bigint_divmod(struct bigint *q, struct bigint *r, const struct bigint *a,
                   const struct bigint *b);
/* to = a ** exponent */
void bigint_pow(struct bigint *to, const struct bigint *a, uint64_t exponent);
/* a ** e % m with e >= 0, m > 0. */
void bigint_powmod(struct bigint *to, const struct bigint *a, const struct bigint *e,
                   const struct bigint *m);
/* to = a << bits */
void bigint_shift_left(struct bigint *to, const struct bigint *a, uint64_t bits);
void bigint_shift_right(struct bigint *to, const struct bigint *a, uint64_t bits); /* floor */
/* & | ^ as on endless two's complement. */
void bigint_bits(struct bigint *to, const struct bigint *a, const struct bigint *b, char op);
/* Bits of the magnitude. */
uint64_t bigint_bit_length(const struct bigint *big);
/* a / b rounded once, as Python's true division; infinite when too big; b is not zero. */
double bigint_divide(const struct bigint *a, const struct bigint *b);
/* The remainder of the magnitude by a small number. */
uint64_t bigint_mod_small(const struct bigint *big, uint64_t m);
