// SPDX-License-Identifier: MIT
/* Schoolbook arithmetic on 32-bit limbs; division is Knuth's algorithm D. Workflows count files,
 * not primes: no sub-quadratic methods, but for bases that are powers of two. */
#include "python/bigint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void reserve(struct bigint *big, size_t limbs)
{
    if (big->cap >= limbs && big->at)
        return;
    size_t cap = limbs < 4 ? 4 : limbs;
    big->at = memory_resized(big->cap ? big->at : NULL, cap, sizeof *big->at);
    big->cap = (uint32_t)cap;
}

static void trim(struct bigint *big)
{
    while (big->len && !big->at[big->len - 1])
        big->len--;
    if (!big->len)
        big->negative = false;
}

void bigint_free(struct bigint *big)
{
    if (big->cap)
        free(big->at);
    *big = (struct bigint){0};
}

struct bigint bigint_view(int64_t i, uint32_t limbs[2])
{
    uint64_t u = i < 0 ? -(uint64_t)i : (uint64_t)i;
    limbs[0] = (uint32_t)u;
    limbs[1] = (uint32_t)(u >> 32);
    return (struct bigint){limbs, limbs[1] ? 2 : limbs[0] ? 1 : 0, 0, i < 0};
}

void bigint_copy(struct bigint *to, const struct bigint *from)
{
    reserve(to, from->len);
    if (from->len)
        memcpy(to->at, from->at, from->len * sizeof *to->at);
    to->len = from->len;
    to->negative = from->negative;
}

void bigint_set(struct bigint *big, int64_t i)
{
    uint32_t limbs[2];
    struct bigint view = bigint_view(i, limbs);
    bigint_copy(big, &view);
}

bool bigint_get(const struct bigint *big, int64_t *out)
{
    if (big->len > 2)
        return false;
    uint64_t u = (big->len > 1 ? (uint64_t)big->at[1] << 32 : 0) | (big->len ? big->at[0] : 0);
    if (u > (uint64_t)INT64_MAX + big->negative)
        return false;
    *out = (int64_t)(big->negative ? -u : u);
    return true;
}

/* big = big * by + more, in place. */
static void scale(struct bigint *big, uint32_t by, uint32_t more)
{
    uint64_t carry = more;
    for (uint32_t i = 0; i < big->len; i++) {
        carry += (uint64_t)big->at[i] * by;
        big->at[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        reserve(big, big->len + 1);
        big->at[big->len++] = (uint32_t)carry;
    }
}

static int digit_value(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* How many bits a digit of the base is; 0: no whole number of them. */
static int digit_bits(int base)
{
    return base & (base - 1) ? 0 : __builtin_ctz((unsigned)base);
}

/* Digits of so many bits each, from the last one up. */
static void parse_bits(struct bigint *big, const char *digits, size_t len, int bits)
{
    size_t limbs = len * (size_t)bits / 32 + 2;
    reserve(big, limbs);
    memset(big->at, 0, limbs * sizeof *big->at);
    for (size_t i = 0; i < len; i++) {
        size_t at = i * (size_t)bits;
        uint64_t digit = (uint64_t)digit_value(digits[len - 1 - i]) << at % 32;
        big->at[at / 32] |= (uint32_t)digit;
        big->at[at / 32 + 1] |= (uint32_t)(digit >> 32);
    }
    big->len = (uint32_t)limbs;
    trim(big);
}

void bigint_parse(struct bigint *big, const char *digits, size_t len, int base)
{
    bigint_set(big, 0);
    if (digit_bits(base)) {
        parse_bits(big, digits, len, digit_bits(base));
        return;
    }
    reserve(big, len / 5 + 2);
    for (size_t i = 0; i < len;) {
        uint32_t chunk = 0, power = 1;
        while (i < len && power < UINT32_MAX / 36 / 36) {
            chunk = chunk * (uint32_t)base + (uint32_t)digit_value(digits[i++]);
            power *= (uint32_t)base;
        }
        scale(big, power, chunk);
    }
    trim(big);
}

/* Divides in place; the remainder. */
static uint32_t shrink(struct bigint *big, uint32_t by)
{
    uint64_t rest = 0;
    for (uint32_t i = big->len; i-- > 0;) {
        rest = rest << 32 | big->at[i];
        big->at[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    trim(big);
    return (uint32_t)rest;
}

static const char digit_chars[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* Appends the digits of the magnitude, the lowest first. */
static void print_bits(const struct bigint *big, int bits, struct buf *text)
{
    uint64_t all = bigint_bit_length(big);
    for (uint64_t at = 0; at < all; at += (uint64_t)bits) {
        uint32_t i = (uint32_t)(at / 32);
        uint64_t two = big->at[i] | (i + 1 < big->len ? (uint64_t)big->at[i + 1] << 32 : 0);
        buf_char(text, digit_chars[two >> at % 32 & ((1u << bits) - 1)]);
    }
}

static void print_by_division(const struct bigint *big, int base, struct buf *text)
{
    struct bigint rest = {0};
    bigint_copy(&rest, big);
    rest.negative = false;
    uint32_t power = (uint32_t)base;
    int per = 1;
    for (; power <= UINT32_MAX / (uint32_t)base; per++)
        power *= (uint32_t)base;
    while (rest.len) {
        uint32_t chunk = shrink(&rest, power);
        for (int i = 0; i < per && (rest.len || chunk); i++, chunk /= (uint32_t)base)
            buf_char(text, digit_chars[chunk % (uint32_t)base]);
    }
    bigint_free(&rest);
}

void bigint_print(const struct bigint *big, int base, struct buf *out)
{
    struct buf text = {0};
    if (digit_bits(base))
        print_bits(big, digit_bits(base), &text);
    else
        print_by_division(big, base, &text);
    if (!text.len)
        buf_char(&text, '0');
    if (big->negative)
        buf_char(out, '-');
    char *to = buf_room(out, text.len);
    for (size_t i = 0; i < text.len; i++)
        to[i] = text.at[text.len - 1 - i];
    out->len += text.len;
    out->at[out->len] = 0;
    buf_free(&text);
}

uint64_t bigint_bit_length(const struct bigint *big)
{
    return big->len ? (uint64_t)big->len * 32 - (uint64_t)__builtin_clz(big->at[big->len - 1]) : 0;
}

/* The 64 highest bits of a number of at least that many, the lowest of them set when anything below
 * is. */
static uint64_t top_bits(const struct bigint *big, uint64_t bits)
{
    uint64_t drop = bits - 64, top = 0;
    uint32_t limb = (uint32_t)(drop / 32), shift = (uint32_t)(drop % 32);
    for (int i = 2; i >= 0; i--)
        if (limb + (uint32_t)i < big->len) {
            uint64_t v = big->at[limb + (uint32_t)i];
            top |= i * 32 >= (int)shift ? v << (i * 32 - (int)shift) : v >> shift;
        }
    bool sticky = shift && (big->at[limb] & ((1u << shift) - 1));
    for (uint32_t i = 0; i < limb && !sticky; i++)
        sticky = big->at[i];
    return top | sticky;
}

double bigint_double(const struct bigint *big)
{
    uint64_t bits = bigint_bit_length(big);
    double d;
    if (bits <= 64) {
        d = (double)((big->len > 1 ? (uint64_t)big->at[1] << 32 : 0) | (big->len ? big->at[0] : 0));
    } else if (bits > 1100) {
        d = INFINITY;
    } else {
        d = ldexp((double)top_bits(big, bits), (int)(bits - 64));
    }
    return big->negative ? -d : d;
}

void bigint_set_double(struct bigint *big, double d)
{
    int exponent;
    double part = frexp(fabs(trunc(d)), &exponent);
    struct bigint whole = {0};
    bigint_set(&whole, (int64_t)ldexp(part, 53));
    if (exponent >= 53)
        bigint_shift_left(big, &whole, (uint64_t)exponent - 53);
    else
        bigint_shift_right(big, &whole, (uint64_t)(53 - exponent));
    big->negative = d < 0 && big->len;
    bigint_free(&whole);
}

/* ---- sums ---- */

static int compare_size(const struct bigint *a, const struct bigint *b)
{
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    for (uint32_t i = a->len; i-- > 0;)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

int bigint_compare(const struct bigint *a, const struct bigint *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    int order = compare_size(a, b);
    return a->negative ? -order : order;
}

static void add_sizes(struct bigint *to, const struct bigint *a, const struct bigint *b)
{
    if (a->len < b->len) {
        const struct bigint *other = a;
        a = b;
        b = other;
    }
    reserve(to, a->len + 1);
    uint64_t carry = 0;
    for (uint32_t i = 0; i < a->len; i++) {
        carry += (uint64_t)a->at[i] + (i < b->len ? b->at[i] : 0);
        to->at[i] = (uint32_t)carry;
        carry >>= 32;
    }
    to->at[a->len] = (uint32_t)carry;
    to->len = a->len + 1;
    trim(to);
}

/* |a| >= |b| */
static void sub_sizes(struct bigint *to, const struct bigint *a, const struct bigint *b)
{
    reserve(to, a->len);
    int64_t borrow = 0;
    for (uint32_t i = 0; i < a->len; i++) {
        borrow += (int64_t)a->at[i] - (i < b->len ? b->at[i] : 0);
        to->at[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    to->len = a->len;
    trim(to);
}

static void add_signed(struct bigint *to, const struct bigint *a, const struct bigint *b,
                       bool b_negative)
{
    if (a->negative == b_negative) {
        add_sizes(to, a, b);
        to->negative = a->negative;
    } else if (compare_size(a, b) >= 0) {
        sub_sizes(to, a, b);
        to->negative = a->negative;
    } else {
        sub_sizes(to, b, a);
        to->negative = b_negative;
    }
    trim(to);
}

void bigint_add(struct bigint *to, const struct bigint *a, const struct bigint *b)
{
    add_signed(to, a, b, b->negative);
}

void bigint_sub(struct bigint *to, const struct bigint *a, const struct bigint *b)
{
    add_signed(to, a, b, !b->negative);
}

/* ---- products ---- */

void bigint_mul(struct bigint *to, const struct bigint *a, const struct bigint *b)
{
    reserve(to, (size_t)a->len + b->len + 1);
    memset(to->at, 0, ((size_t)a->len + b->len + 1) * sizeof *to->at);
    for (uint32_t i = 0; i < a->len; i++) {
        uint64_t carry = 0;
        for (uint32_t j = 0; j < b->len; j++) {
            carry += (uint64_t)a->at[i] * b->at[j] + to->at[i + j];
            to->at[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        to->at[i + b->len] = (uint32_t)carry;
    }
    to->len = a->len + b->len;
    to->negative = a->negative != b->negative;
    trim(to);
}

void bigint_pow(struct bigint *to, const struct bigint *a, uint64_t exponent)
{
    struct bigint base = {0}, other = {0};
    bigint_copy(&base, a);
    bigint_set(to, 1);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            bigint_mul(&other, to, &base);
            bigint_copy(to, &other);
        }
        if (exponent > 1) {
            bigint_mul(&other, &base, &base);
            bigint_copy(&base, &other);
        }
    }
    bigint_free(&base);
    bigint_free(&other);
}

/* ---- division ---- */

uint64_t bigint_mod_small(const struct bigint *big, uint64_t m)
{
    unsigned __int128 rest = 0;
    for (uint32_t i = big->len; i-- > 0;)
        rest = (rest << 32 | big->at[i]) % m;
    return (uint64_t)rest;
}

/* One digit of the quotient: u[j..j+n] -= q v; the estimate is at most two too big. */
static uint32_t divide_digit(uint32_t *u, const uint32_t *v, uint32_t n)
{
    uint64_t top = (uint64_t)u[n] << 32 | u[n - 1];
    uint64_t guess = top / v[n - 1], rest = top % v[n - 1];
    while (guess >> 32 || guess * v[n - 2] > (rest << 32 | u[n - 2])) {
        guess--;
        rest += v[n - 1];
        if (rest >> 32)
            break;
    }
    int64_t borrow = 0;
    uint64_t carry = 0;
    for (uint32_t i = 0; i < n; i++) {
        carry += guess * v[i];
        borrow += (int64_t)u[i] - (int64_t)(uint32_t)carry;
        u[i] = (uint32_t)borrow;
        borrow >>= 32;
        carry >>= 32;
    }
    borrow += (int64_t)u[n] - (int64_t)carry;
    u[n] = (uint32_t)borrow;
    if (borrow >= 0)
        return (uint32_t)guess;
    uint64_t back = 0;
    for (uint32_t i = 0; i < n; i++) {
        back += (uint64_t)u[i] + v[i];
        u[i] = (uint32_t)back;
        back >>= 32;
    }
    u[n] += (uint32_t)back;
    return (uint32_t)guess - 1;
}

/* Magnitudes: *r starts as a and ends as the remainder. */
static void divide_sizes(struct bigint *q, struct bigint *r, const struct bigint *b)
{
    if (compare_size(r, b) < 0) {
        bigint_set(q, 0);
        return;
    }
    if (b->len == 1) {
        bigint_copy(q, r);
        bigint_set(r, (int64_t)shrink(q, b->at[0]));
        return;
    }
    uint32_t shift = (uint32_t)__builtin_clz(b->at[b->len - 1]), n = b->len, m = r->len - n;
    struct bigint u = {0}, v = {0};
    bigint_shift_left(&u, r, shift);
    bigint_shift_left(&v, b, shift);
    reserve(&u, (size_t)r->len + 1);
    while (u.len < r->len + 1)
        u.at[u.len++] = 0;
    reserve(q, m + 1);
    for (uint32_t j = m + 1; j-- > 0;)
        q->at[j] = divide_digit(u.at + j, v.at, n);
    q->len = m + 1;
    u.len = n;
    trim(&u);
    trim(q);
    bigint_shift_right(r, &u, shift);
    bigint_free(&u);
    bigint_free(&v);
}

void bigint_divmod(struct bigint *q, struct bigint *r, const struct bigint *a,
                   const struct bigint *b)
{
    struct bigint quotient = {0}, rest = {0}, size = *b, other = {0};
    bigint_copy(&rest, a);
    rest.negative = size.negative = false;
    divide_sizes(&quotient, &rest, &size);
    if (a->negative != b->negative && rest.len) { /* towards minus infinity */
        scale(&quotient, 1, 1);
        if (!quotient.len)
            bigint_set(&quotient, 1);
        sub_sizes(&other, &size, &rest);
        bigint_copy(&rest, &other);
    }
    quotient.negative = a->negative != b->negative && quotient.len;
    rest.negative = b->negative && rest.len;
    if (q)
        bigint_copy(q, &quotient);
    if (r)
        bigint_copy(r, &rest);
    bigint_free(&quotient);
    bigint_free(&rest);
    bigint_free(&other);
}

void bigint_powmod(struct bigint *to, const struct bigint *a, const struct bigint *e,
                   const struct bigint *m)
{
    struct bigint base = {0}, other = {0}, one = {0};
    bigint_divmod(NULL, &base, a, m);
    bigint_set(&one, 1);
    bigint_divmod(NULL, to, &one, m);
    for (uint64_t bit = 0, bits = bigint_bit_length(e); bit < bits; bit++) {
        if (e->at[bit / 32] >> bit % 32 & 1) {
            bigint_mul(&other, to, &base);
            bigint_divmod(NULL, to, &other, m);
        }
        bigint_mul(&other, &base, &base);
        bigint_divmod(NULL, &base, &other, m);
    }
    bigint_free(&base);
    bigint_free(&other);
    bigint_free(&one);
}

/* Scaled so that the quotient has 64 to 66 bits, the remainder kept as the lowest bit. */
double bigint_divide(const struct bigint *a, const struct bigint *b)
{
    if (!a->len)
        return b->negative ? -0.0 : 0.0;
    int64_t shift = (int64_t)bigint_bit_length(b) - (int64_t)bigint_bit_length(a) + 66;
    struct bigint up = {0}, q = {0}, r = {0}, x = *a, y = *b;
    x.negative = y.negative = false;
    bigint_shift_left(&up, shift > 0 ? &x : &y, (uint64_t)(shift > 0 ? shift : -shift));
    bigint_divmod(&q, &r, shift > 0 ? &up : &x, shift > 0 ? &y : &up);
    if (r.len)
        q.at[0] |= 1;
    /* A result below the normal range keeps fewer bits: round it once, there. */
    int64_t low = (int64_t)bigint_bit_length(&q) - shift, keep = low < -1021 ? low + 1074 : 53;
    if (keep < 53 && keep >= 0) {
        uint64_t drop = bigint_bit_length(&q) - (uint64_t)keep;
        struct bigint cut = {0}, half = {0};
        bigint_set(&half, 1);
        bigint_shift_left(&cut, &half, drop - 1);
        bool odd = drop / 32 < q.len && q.at[drop / 32] >> drop % 32 & 1;
        if (!odd) {
            bigint_sub(&r, &cut, &half);
            bigint_copy(&cut, &r);
        }
        bigint_add(&r, &q, &cut);
        bigint_shift_right(&q, &r, drop);
        shift -= (int64_t)drop;
        bigint_free(&cut);
        bigint_free(&half);
    }
    double d = shift > 5000 ? 0 : shift < -5000 ? INFINITY : ldexp(bigint_double(&q), (int)-shift);
    bigint_free(&up);
    bigint_free(&q);
    bigint_free(&r);
    return a->negative != b->negative ? -d : d;
}

/* ---- bits ---- */

void bigint_shift_left(struct bigint *to, const struct bigint *a, uint64_t bits)
{
    uint32_t limbs = (uint32_t)(bits / 32), shift = (uint32_t)(bits % 32);
    reserve(to, (size_t)a->len + limbs + 1);
    memset(to->at, 0, limbs * sizeof *to->at);
    uint32_t carry = 0;
    for (uint32_t i = 0; i < a->len; i++) {
        to->at[limbs + i] = a->at[i] << shift | carry;
        carry = shift ? a->at[i] >> (32 - shift) : 0;
    }
    to->at[limbs + a->len] = carry;
    to->len = limbs + a->len + 1;
    to->negative = a->negative;
    trim(to);
}

void bigint_shift_right(struct bigint *to, const struct bigint *a, uint64_t bits)
{
    uint64_t limbs = bits / 32;
    uint32_t shift = (uint32_t)(bits % 32);
    bool lost = false;
    for (uint64_t i = 0; i < limbs && i < a->len && !lost; i++)
        lost = a->at[i];
    if (limbs >= a->len) {
        bigint_set(to, a->negative && a->len ? -1 : 0);
        return;
    }
    lost |= shift && (a->at[limbs] & ((1u << shift) - 1));
    uint32_t n = a->len - (uint32_t)limbs;
    reserve(to, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = a->at[limbs + i] | (i + 1 < n ? (uint64_t)a->at[limbs + i + 1] << 32 : 0);
        to->at[i] = (uint32_t)(v >> shift);
    }
    to->len = n;
    to->negative = a->negative;
    while (to->len && !to->at[to->len - 1])
        to->len--;
    if (a->negative && lost) {
        if (to->len)
            scale(to, 1, 1);
        else
            bigint_set(to, 1);
        to->negative = true;
    }
    trim(to);
}

/* Limb i of the endless two's complement; *carry starts as 1. */
static uint32_t complement_limb(const struct bigint *big, uint32_t i, uint64_t *carry)
{
    uint32_t limb = i < big->len ? big->at[i] : 0;
    if (!big->negative)
        return limb;
    *carry += (uint32_t)~limb;
    uint32_t out = (uint32_t)*carry;
    *carry >>= 32;
    return out;
}

void bigint_bits(struct bigint *to, const struct bigint *a, const struct bigint *b, char op)
{
    uint32_t n = (a->len > b->len ? a->len : b->len) + 1;
    uint64_t carry_a = 1, carry_b = 1, carry = 1;
    reserve(to, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = complement_limb(a, i, &carry_a), y = complement_limb(b, i, &carry_b);
        to->at[i] = op == '&' ? x & y : op == '|' ? x | y : x ^ y;
    }
    to->len = n;
    to->negative = to->at[n - 1] >> 31;
    for (uint32_t i = 0; to->negative && i < n; i++) {
        carry += (uint32_t)~to->at[i];
        to->at[i] = (uint32_t)carry;
        carry >>= 32;
    }
    trim(to);
}
