// SPDX-License-Identifier: MIT
/* _hashlib: objects that digest bytes; lib/hashlib.py gives them their names. MD5, SHA-1 and
 * SHA-256 are base's, SHA-512 and SHA-384 stand here, SHA-224 is SHA-256 from another beginning. */
#include <string.h>

#include "base/hash.h"
#include "modules/modules.h"
#include "python/bytes.h"
#include "python/foreign.h"
#include "python/vm_state.h"

/* ---- SHA-512 ---- */

struct wide {
    uint64_t state[8], len;
    uint8_t block[128];
};

static const uint64_t wide_round[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};
static const uint64_t wide_start[2][8] = {
    {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
     0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179},
    {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
     0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4}};

static uint64_t turn(uint64_t x, int n)
{
    return x >> n | x << (64 - n);
}

static void wide_block(struct wide *w, const uint8_t *at)
{
    uint64_t s[8], m[80];
    for (int i = 0; i < 16; i++) {
        m[i] = 0;
        for (int k = 0; k < 8; k++)
            m[i] = m[i] << 8 | at[8 * i + k];
    }
    for (int i = 16; i < 80; i++) {
        uint64_t a = m[i - 15], b = m[i - 2];
        m[i] = m[i - 16] + (turn(a, 1) ^ turn(a, 8) ^ a >> 7) + m[i - 7] +
               (turn(b, 19) ^ turn(b, 61) ^ b >> 6);
    }
    memcpy(s, w->state, sizeof s);
    for (int i = 0; i < 80; i++) {
        uint64_t one = turn(s[4], 14) ^ turn(s[4], 18) ^ turn(s[4], 41);
        uint64_t t1 = s[7] + one + ((s[4] & s[5]) ^ (~s[4] & s[6])) + wide_round[i] + m[i];
        uint64_t zero = turn(s[0], 28) ^ turn(s[0], 34) ^ turn(s[0], 39);
        uint64_t t2 = zero + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        w->state[i] += s[i];
}

static void wide_add(struct wide *w, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        w->block[w->len++ % 128] = bytes[i];
        if (w->len % 128 == 0)
            wide_block(w, w->block);
    }
}

static void wide_end(struct wide *w, uint8_t out[64])
{
    uint64_t bits = w->len * 8;
    uint8_t pad[256] = {0x80}, n = (uint8_t)((239 - w->len % 128) % 128 + 1);
    for (int i = 0; i < 8; i++)
        pad[n + 8 + i] = (uint8_t)(bits >> (56 - 8 * i));
    wide_add(w, pad, n + 16u);
    for (int i = 0; i < 64; i++)
        out[i] = (uint8_t)(w->state[i / 8] >> (56 - 8 * (i % 8)));
}

/* ---- the objects ---- */

static const struct algorithm {
    const char *name;
    int size, block, kind; /* kind: enum digest, or -1: wide */
} algorithms[] = {
    {"md5", 16, 64, DIGEST_MD5},       {"sha1", 20, 64, DIGEST_SHA1},
    {"sha256", 32, 64, DIGEST_SHA256}, {"sha224", 28, 64, DIGEST_SHA256},
    {"sha512", 64, 128, -1},           {"sha384", 48, 128, -1},
};

struct hash_object {
    struct object object;
    const struct algorithm *algorithm;
    union {
        struct hasher narrow;
        struct wide wide;
    };
};

static struct hash_object *as_hash(value v)
{
    return (struct hash_object *)as_object(v);
}

static void start(struct hash_object *h)
{
    static const uint32_t sha224[8] = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                       0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
    if (h->algorithm->kind < 0) {
        h->wide.len = 0;
        memcpy(h->wide.state, wide_start[h->algorithm->size == 48], sizeof h->wide.state);
        return;
    }
    hasher_start(&h->narrow, (enum digest)h->algorithm->kind);
    if (h->algorithm->size == 28)
        memcpy(h->narrow.state, sha224, sizeof sha224);
}

static bool add(struct vm *vm, struct hash_object *h, value data)
{
    size_t len;
    if (is_foreign(data) && !(data = foreign_buffer(vm, data)))
        return false;
    const char *bytes = bytes_get(data, &len);
    if (!bytes && is_str(data))
        return vm_raise(vm, "TypeError", "Strings must be encoded before hashing");
    if (!bytes)
        return vm_raise(vm, "TypeError", "object supporting the buffer API required");
    if (h->algorithm->kind < 0)
        wide_add(&h->wide, (const uint8_t *)bytes, len);
    else
        hasher_add(&h->narrow, bytes, len);
    return true;
}

static int finish(const struct hash_object *h, uint8_t out[64])
{
    if (h->algorithm->kind < 0) {
        struct wide copy = h->wide;
        wide_end(&copy, out);
    } else {
        struct hasher copy = h->narrow;
        hasher_end(&copy, out);
    }
    return h->algorithm->size;
}

// hash.update(data)
static value hash_update(struct vm *vm, const struct args *args)
{
    return add(vm, as_hash(args->at[0]), args->at[1]) ? VALUE_NONE : NO_VALUE;
}

// hash.digest()
static value hash_digest(struct vm *vm, const struct args *args)
{
    uint8_t out[64];
    int n = finish(as_hash(args->at[0]), out);
    return bytes_new(vm, (const char *)out, (size_t)n);
}

// hash.hexdigest()
static value hash_hexdigest(struct vm *vm, const struct args *args)
{
    uint8_t out[64];
    char text[129];
    hash_hex(out, finish(as_hash(args->at[0]), out), text);
    return str_from(vm, text);
}

// hash.copy()
static value hash_copy(struct vm *vm, const struct args *args)
{
    struct hash_object *copy = object_new(vm, args->at[0] ? as_object(args->at[0])->type : NULL);
    struct object header = copy->object;
    *copy = *as_hash(args->at[0]);
    copy->object = header;
    return from_object(copy);
}

static value hash_name(struct vm *vm, const struct args *args)
{
    return str_from(vm, as_hash(args->at[0])->algorithm->name);
}

static value hash_size(struct vm *vm, const struct args *args)
{
    return small(as_hash(args->at[0])->algorithm->size);
}

static value hash_block(struct vm *vm, const struct args *args)
{
    return small(as_hash(args->at[0])->algorithm->block);
}

static const struct native_def hash_methods[] = {
    {"update", hash_update, "self data /", "Adds bytes."},
    {"digest", hash_digest, "self", "The digest of all bytes so far."},
    {"hexdigest", hash_hexdigest, "self", "The same in hexadecimal."},
    {"copy", hash_copy, "self", "An object that goes on from here."},
    {0}};
static const struct native_def hash_properties[] = {
    {"name", hash_name, "self", "The algorithm."},
    {"digest_size", hash_size, "self", "Bytes of the digest."},
    {"block_size", hash_block, "self", "Bytes that are digested at a time."},
    {0}};

static const struct type type_hash = {
    .object = {.type = &type_type},
    .name = "_hashlib.HASH",
    .size = sizeof(struct hash_object),
    .methods = hash_methods,
    .properties = hash_properties,
};

// _hashlib.new(name, data=b'')
static value new_hash(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    size_t i = 0;
    while (name && i < sizeof algorithms / sizeof *algorithms && strcmp(algorithms[i].name, name))
        i++;
    if (!name)
        return NO_VALUE;
    if (i == sizeof algorithms / sizeof *algorithms)
        return vm_raise(vm, "ValueError", "unsupported hash type %s", name);
    struct hash_object *h = object_new(vm, &type_hash);
    h->algorithm = &algorithms[i];
    start(h);
    return !arg_given(args, 1) || add(vm, h, args->at[1]) ? from_object(h) : NO_VALUE;
}

static const struct native_def functions[] = {
    {"new", new_hash, "name string= /", "A new object that digests."}, {0}};

const struct native_module module_hashlib = {"_hashlib", functions, NULL};
