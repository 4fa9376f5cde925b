// SPDX-License-Identifier: MIT
/* hash.h: a fast hash for tables, and the digests that workflows and Snakemake's records use. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A hash of bytes, for tables in memory: the same within a build, never stored. */
uint64_t hash_bytes(const void *bytes, size_t len);
/* The same as a key of a map (map.h), which must not be 0; and that of a whole text. */
static inline uint64_t hash_key(const void *bytes, size_t len)
{
    return hash_bytes(bytes, len) | 1;
}
static inline uint64_t hash_key_of(const char *text)
{
    return hash_key(text, strlen(text));
}
static inline uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

enum digest { DIGEST_MD5, DIGEST_SHA1, DIGEST_SHA256 };
struct hasher {
    enum digest kind;
    uint64_t len;
    uint32_t state[8];
    uint8_t block[64];
};
/* Begins a digest. */
void hasher_start(struct hasher *hasher, enum digest kind);
/* Adds bytes to it. */
void hasher_add(struct hasher *hasher, const void *bytes, size_t len);
/* Writes the digest (16, 20 or 32 bytes) and returns its length. */
int hasher_end(struct hasher *hasher, uint8_t out[32]);
/* Lower-case hex of n bytes, NUL-terminated, into out (2 n + 1 bytes). */
void hash_hex(const uint8_t *bytes, int n, char *out);
