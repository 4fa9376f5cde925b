// SPDX-License-Identifier: MIT
/* intern.c: the table of names. The texts are packed into an arena, each behind its length, so they
 * never move; the slots hold 32 bits of the hash beside the symbol, so that growing never looks at
 * a text and a look-up compares texts only when they are most likely equal. */
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pool.h"

enum { FIRST_SLOTS = 256 };

struct slot {
    uint32_t hash;
    sym_t sym; /* 0: free */
};

struct intern {
    struct arena texts;
    VEC(const char *) text; /* by symbol; text 0 is "" */
    struct slot *slot;      /* owned; open addressing, linear probing, at most 5/8 full */
    uint32_t mask;          /* number of slots - 1 */
};

static size_t length_of(const char *text)
{
    uint32_t len;
    memcpy(&len, text - sizeof len, sizeof len);
    return len;
}

/* A copy of text behind its length. */
static const char *keep(struct intern *names, const char *text, size_t len)
{
    uint32_t number = (uint32_t)len;
    char *at = arena_room(&names->texts, sizeof number + len + 1);
    memcpy(at, &number, sizeof number);
    if (len)
        memcpy(at + sizeof number, text, len);
    at[sizeof number + len] = '\0';
    return at + sizeof number;
}

static struct slot *new_slots(size_t n)
{
    struct slot *slot = memory_zeroed(n, sizeof *slot);
    return slot;
}

struct intern *intern_new(void)
{
    struct intern *names = memory_zeroed(1, sizeof *names);
    names->slot = new_slots(FIRST_SLOTS);
    names->mask = FIRST_SLOTS - 1;
    vec_push(&names->text, keep(names, "", 0));
    return names;
}

void intern_free(struct intern *names)
{
    if (!names)
        return;
    arena_free(&names->texts);
    vec_free(&names->text);
    free(names->slot);
    free(names);
}

/* The slot that holds the text, or the free one where it would go. */
static struct slot *probe(const struct intern *names, uint32_t hash, const char *text, size_t len)
{
    for (uint32_t i = hash & names->mask;; i = (i + 1) & names->mask) {
        struct slot *slot = &names->slot[i];
        if (!slot->sym)
            return slot;
        if (slot->hash != hash)
            continue;
        const char *here = names->text.at[slot->sym];
        if (length_of(here) == len && !memcmp(here, text, len))
            return slot;
    }
}

static void grow(struct intern *names)
{
    size_t n = ((size_t)names->mask + 1) * 2;
    struct slot *old = names->slot;
    struct slot *slot = new_slots(n);
    uint32_t mask = (uint32_t)(n - 1);
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t to = old[i].hash & mask;
        if (!old[i].sym)
            continue;
        while (slot[to].sym)
            to = (to + 1) & mask;
        slot[to] = old[i];
    }
    free(old);
    names->slot = slot;
    names->mask = mask;
}

static uint32_t hash_of(const char *text, size_t len)
{
    return (uint32_t)hash_bytes(text, len);
}

sym_t intern(struct intern *names, const char *text, size_t len)
{
    uint32_t hash = hash_of(text, len);
    struct slot *slot = probe(names, hash, text, len);
    if (slot->sym)
        return slot->sym;
    if ((uint64_t)names->text.len * 8 > ((uint64_t)names->mask + 1) * 5) {
        grow(names);
        slot = probe(names, hash, text, len);
    }
    ensure(len < UINT32_MAX && names->text.len < UINT32_MAX);
    *slot = (struct slot){.hash = hash, .sym = names->text.len};
    vec_push(&names->text, keep(names, text, len));
    return slot->sym;
}

sym_t intern_str(struct intern *names, const char *text)
{
    return intern(names, text, strlen(text));
}

sym_t intern_find(const struct intern *names, const char *text, size_t len)
{
    return probe(names, hash_of(text, len), text, len)->sym;
}

const char *sym_text(const struct intern *names, sym_t sym)
{
    ensure(sym < names->text.len);
    return names->text.at[sym];
}

size_t sym_len(const struct intern *names, sym_t sym)
{
    return length_of(sym_text(names, sym));
}

size_t intern_bytes(const struct intern *names)
{
    return arena_used(&names->texts) + names->text.cap * sizeof *names->text.at +
           ((size_t)names->mask + 1) * sizeof *names->slot;
}
