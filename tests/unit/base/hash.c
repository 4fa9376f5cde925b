// SPDX-License-Identifier: MIT
#include "base/hash.h"
#include "base/map.h"
#include "test.h"

static const char *digest(enum digest kind, const char *text, size_t len, size_t step)
{
    static char hex[65];
    struct hasher hasher;
    uint8_t out[32];
    hasher_start(&hasher, kind);
    for (size_t at = 0; at < len; at += step)
        hasher_add(&hasher, text + at, len - at < step ? len - at : step);
    hash_hex(out, hasher_end(&hasher, out), hex);
    return hex;
}

/* The examples of RFC 1321 and FIPS 180; the million letters in pieces of awkward sizes. */
static void test_digests(void)
{
    static char million[1000000];
    const char *alphabet = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    memset(million, 'a', sizeof million);
    is(digest(DIGEST_MD5, "", 0, 1), "d41d8cd98f00b204e9800998ecf8427e", "md5 of nothing");
    is(digest(DIGEST_MD5, "abc", 3, 1), "900150983cd24fb0d6963f7d28e17f72", "md5 of abc");
    is(digest(DIGEST_MD5, million, sizeof million, 999), "7707d6ae4e027c70eea2a935c2296f21",
       "md5 of a million a");
    is(digest(DIGEST_SHA1, "abc", 3, 3), "a9993e364706816aba3e25717850c26c9cd0d89d", "sha1 of abc");
    is(digest(DIGEST_SHA1, alphabet, 56, 7), "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
       "sha1 of 56 letters");
    is(digest(DIGEST_SHA1, million, sizeof million, 4097),
       "34aa973cd4c4daa4f61eeb2bdbad27316534016f", "sha1 of a million a");
    is(digest(DIGEST_SHA256, "", 0, 1),
       "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "sha256 of nothing");
    is(digest(DIGEST_SHA256, alphabet, 56, 56),
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", "sha256 of 56 letters");
    is(digest(DIGEST_SHA256, million, sizeof million, 63),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", "sha256 of a million a");
}

static void test_table_hash(void)
{
    struct map seen = {0};
    char text[40] = {0};
    int clashes = 0, low_clashes = 0;
    for (uint32_t i = 1; i <= 100000; i++) {
        uint64_t hash = hash_bytes(text, (size_t)snprintf(text, sizeof text, "dir/%u.txt", i));
        clashes += *map_at(&seen, hash | 1) != 0;
        map_set(&seen, hash | 1, i);
    }
    map_free(&seen);
    ok(clashes == 0, "no two of 100000 names have one hash");
    for (uint32_t i = 1; i <= 65536; i++) {
        uint64_t hash = hash_bytes(text, (size_t)snprintf(text, sizeof text, "dir/%u.txt", i));
        low_clashes += *map_at(&seen, (hash & 0xFFFF) | 1 << 20) != 0;
        map_set(&seen, (hash & 0xFFFF) | 1 << 20, i);
    }
    /* Thrown at random, 65536 names leave 1/e of 65536 places empty: 24109. */
    ok(low_clashes > 23600 && low_clashes < 24600, "the low 16 bits are as if random: %d",
       low_clashes);
    map_free(&seen);
    bool differ = true;
    memset(text, 0, sizeof text);
    for (size_t len = 0; len < 39; len++)
        differ &= hash_bytes(text, len) != hash_bytes(text, len + 1);
    ok(differ, "zeros of different lengths differ");
}

int main(void)
{
    test_digests();
    test_table_hash();
    return done();
}
