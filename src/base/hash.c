// SPDX-License-Identifier: MIT
/* hash.c: the table hash multiplies two 64-bit words into 128 bits and folds the halves together,
 * 16 bytes a step. The digests are MD5 (RFC 1321), SHA-1 and SHA-256 (FIPS 180-4); all three cut
 * the text into blocks of 64 bytes, close it with 0x80, zeros and its length in bits, and differ in
 * the rounds. */
#include "base/hash.h"

#include <stdbool.h>
#include <string.h>

#define K0 0x9E3779B97F4A7C15u
#define K1 0xBF58476D1CE4E5B9u
#define K2 0x94D049BB133111EBu

__extension__ typedef unsigned __int128 wide;

static uint64_t fold(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load64(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t load32(const unsigned char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

uint64_t hash_bytes(const void *bytes, size_t len)
{
    const unsigned char *at = bytes, *end = at + len;
    uint64_t h = K0 ^ len * K1, a = 0, b = 0;
    for (; end - at > 16; at += 16)
        h = fold(load64(at) ^ K1, load64(at + 8) ^ h);
    size_t rest = (size_t)(end - at);
    if (rest >= 8) {
        a = load64(at);
        b = load64(end - 8);
    } else if (rest >= 4) {
        a = load32(at);
        b = load32(end - 4);
    } else if (rest) {
        a = (uint64_t)at[0] << 16 | (uint64_t)at[rest / 2] << 8 | end[-1];
    }
    return fold(fold(a ^ K2, b ^ h) ^ K0, h ^ K1);
}

static uint32_t rol(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static uint32_t ror(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static uint32_t big32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t little32(const uint8_t *at)
{
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* floor(2^32 |sin(i + 1)|), RFC 1321 section 3.4. */
static const uint32_t md5_sine[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const uint8_t md5_turn[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t md5_mix(int i, uint32_t b, uint32_t c, uint32_t d)
{
    switch (i / 16) {
    case 0: return (b & c) | (~b & d);
    case 1: return (d & b) | (~d & c);
    case 2: return b ^ c ^ d;
    default: return c ^ (b | ~d);
    }
}

static void md5_block(uint32_t *state, const uint8_t *block)
{
    static const int step[4] = {1, 5, 3, 7}, shift[4] = {0, 1, 5, 0};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 64; i++) {
        uint32_t word = little32(block + 4 * ((step[i / 16] * i + shift[i / 16]) % 16));
        uint32_t sum = a + md5_mix(i, b, c, d) + word + md5_sine[i];
        a = d;
        d = c;
        c = b;
        b += rol(sum, md5_turn[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static uint32_t sha1_mix(int i, uint32_t b, uint32_t c, uint32_t d)
{
    switch (i / 20) {
    case 0: return ((b & c) | (~b & d)) + 0x5a827999;
    case 1: return (b ^ c ^ d) + 0x6ed9eba1;
    case 2: return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    default: return (b ^ c ^ d) + 0xca62c1d6;
    }
}

static void sha1_block(uint32_t *state, const uint8_t *block)
{
    uint32_t w[80], v[5];
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 80; i++)
        w[i] = i < 16 ? big32(block + 4 * i) : rol(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t sum = rol(v[0], 5) + sha1_mix(i, v[1], v[2], v[3]) + v[4] + w[i];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rol(v[1], 30);
        v[1] = v[0];
        v[0] = sum;
    }
    for (int i = 0; i < 5; i++)
        state[i] += v[i];
}

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t sha256_root[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t sha256_word(const uint32_t *w, int i)
{
    uint32_t s0 = ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t s1 = ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10;
    return w[i - 16] + s0 + w[i - 7] + s1;
}

static void sha256_block(uint32_t *state, const uint8_t *block)
{
    uint32_t w[64], v[8];
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++)
        w[i] = i < 16 ? big32(block + 4 * i) : sha256_word(w, i);
    for (int i = 0; i < 64; i++) {
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t sum = v[7] + (ror(v[4], 6) ^ ror(v[4], 11) ^ ror(v[4], 25)) + choice +
                       sha256_root[i] + w[i];
        uint32_t major = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t top = sum + (ror(v[0], 2) ^ ror(v[0], 13) ^ ror(v[0], 22)) + major;
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += sum;
        v[0] = top;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

/* What tells the digests apart; by enum digest. */
static const struct {
    int bytes;
    bool big_endian;
    void (*block)(uint32_t *state, const uint8_t *block);
    uint32_t start[8];
} digests[] = {
    [DIGEST_MD5] = {16, false, md5_block, {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}},
    [DIGEST_SHA1] = {20,
                     true,
                     sha1_block,
                     {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}},
    [DIGEST_SHA256] = {32,
                       true,
                       sha256_block,
                       {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                        0x1f83d9ab, 0x5be0cd19}},
};

void hasher_start(struct hasher *hasher, enum digest kind)
{
    hasher->kind = kind;
    hasher->len = 0;
    memcpy(hasher->state, digests[kind].start, sizeof hasher->state);
}

void hasher_add(struct hasher *hasher, const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    while (len) {
        size_t filled = hasher->len % 64, n = 64 - filled < len ? 64 - filled : len;
        hasher->len += n;
        len -= n;
        if (n == 64) {
            digests[hasher->kind].block(hasher->state, at);
        } else {
            memcpy(hasher->block + filled, at, n);
            if (filled + n == 64)
                digests[hasher->kind].block(hasher->state, hasher->block);
        }
        at += n;
    }
}

int hasher_end(struct hasher *hasher, uint8_t out[32])
{
    static const uint8_t padding[64] = {0x80};
    bool big = digests[hasher->kind].big_endian;
    uint64_t bits = hasher->len * 8;
    uint8_t tail[8];
    for (int i = 0; i < 8; i++)
        tail[i] = (uint8_t)(bits >> 8 * (big ? 7 - i : i));
    hasher_add(hasher, padding, 1 + (119 - hasher->len % 64) % 64);
    hasher_add(hasher, tail, 8);
    for (int i = 0; i < digests[hasher->kind].bytes; i++)
        out[i] = (uint8_t)(hasher->state[i / 4] >> 8 * (big ? 3 - i % 4 : i % 4));
    return digests[hasher->kind].bytes;
}

void hash_hex(const uint8_t *bytes, int n, char *out)
{
    static const char digit[] = "0123456789abcdef";
    for (int i = 0; i < n; i++) {
        out[2 * i] = digit[bytes[i] >> 4];
        out[2 * i + 1] = digit[bytes[i] & 15];
    }
    out[2 * n] = '\0';
}
