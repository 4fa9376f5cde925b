// SPDX-License-Identifier: MIT
/* _random: the Mersenne twister (MT19937) that random draws from; lib/random.py is what is made of
 * it. The same seed gives the same numbers as CPython's. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "modules/modules.h"
#include "python/numbers.h"
#include "python/vm_state.h"

enum { STATE = 624, MIDDLE = 397 };

struct twister {
    struct object object;
    uint32_t state[STATE];
    uint32_t at; /* next word; STATE: all are used up */
    value attrs;
};

static struct twister *as_twister(value v)
{
    return (struct twister *)as_object(v);
}

static void refill(struct twister *t)
{
    uint32_t *mt = t->state;
    for (int i = 0; i < STATE; i++) {
        uint32_t y = (mt[i] & 0x80000000u) | (mt[(i + 1) % STATE] & 0x7fffffffu);
        mt[i] = mt[(i + MIDDLE) % STATE] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    t->at = 0;
}

static uint32_t next_word(struct twister *t)
{
    if (t->at >= STATE)
        refill(t);
    uint32_t y = t->state[t->at++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

static void seed_word(struct twister *t, uint32_t seed)
{
    t->state[0] = seed;
    for (uint32_t i = 1; i < STATE; i++)
        t->state[i] = 1812433253u * (t->state[i - 1] ^ (t->state[i - 1] >> 30)) + i;
    t->at = STATE;
}

/* The reference initialisation from an array of words. */
static void seed_words(struct twister *t, const uint32_t *key, uint32_t n)
{
    uint32_t *mt = t->state, i = 1, j = 0;
    seed_word(t, 19650218u);
    for (uint32_t k = n > STATE ? n : STATE; k; k--) {
        mt[i] = (mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1664525u)) + key[j] + j;
        i++, j++;
        if (i >= STATE) {
            mt[0] = mt[STATE - 1];
            i = 1;
        }
        if (j >= n)
            j = 0;
    }
    for (uint32_t k = STATE - 1; k; k--) {
        mt[i] = (mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1566083941u)) - i;
        if (++i >= STATE) {
            mt[0] = mt[STATE - 1];
            i = 1;
        }
    }
    mt[0] = 0x80000000u;
}

// Random._seed(n): an int (its absolute value counts), or None for a seed from the system
static value twister_seed(struct vm *vm, const struct args *args)
{
    struct twister *t = as_twister(args->at[0]);
    uint32_t limbs[2], fresh[STATE];
    struct bigint n;
    if (args->at[1] == VALUE_NONE) {
        if (getrandom(fresh, sizeof fresh, 0) != sizeof fresh)
            return vm_raise(vm, "OSError", "no random numbers from the system");
        seed_words(t, fresh, STATE);
        return VALUE_NONE;
    }
    if (!int_view(args->at[1], limbs, &n))
        return vm_raise(vm, "TypeError", "an integer is required");
    uint32_t zero = 0;
    seed_words(t, n.len ? n.at : &zero, n.len ? n.len : 1);
    return VALUE_NONE;
}

// Random.random()
static value twister_random(struct vm *vm, const struct args *args)
{
    struct twister *t = as_twister(args->at[0]);
    uint32_t a = next_word(t) >> 5, b = next_word(t) >> 6;
    return float_new(vm, (a * 67108864.0 + b) / 9007199254740992.0);
}

// Random.getrandbits(k)
static value twister_bits(struct vm *vm, const struct args *args)
{
    struct twister *t = as_twister(args->at[0]);
    int64_t k;
    if (!arg_int(vm, args, 1, 0, &k))
        return NO_VALUE;
    if (k < 0)
        return vm_raise(vm, "ValueError", "number of bits must be non-negative");
    if (k <= 32)
        return small(k ? next_word(t) >> (32 - k) : 0);
    value all = small(0);
    for (int64_t done = 0; done < k && all; done += 32) {
        uint32_t word = next_word(t);
        if (k - done < 32)
            word >>= 32 - (k - done);
        value part = value_binary(vm, OP_LSHIFT, small(word), small(done));
        all = part ? value_binary(vm, OP_BITOR, all, part) : NO_VALUE;
    }
    return all;
}

// Random._state(): the words and the place
static value twister_state(struct vm *vm, const struct args *args)
{
    const struct twister *t = as_twister(args->at[0]);
    value all = tuple_new(vm, NULL, STATE + 1);
    for (int i = 0; i < STATE; i++)
        as_tuple(all)->at[i] = small(t->state[i]);
    as_tuple(all)->at[STATE] = small(t->at);
    return all;
}

// Random._restore(state)
static value twister_restore(struct vm *vm, const struct args *args)
{
    struct twister *t = as_twister(args->at[0]);
    size_t n;
    int64_t word;
    const value *items = sequence_items(args->at[1], &n);
    if (!items || n != STATE + 1)
        return vm_raise(vm, "ValueError", "state vector is the wrong size");
    for (size_t i = 0; i < n; i++) {
        if (!int_get(items[i], &word))
            return vm_raise(vm, "TypeError", "an integer is required");
        *(i < STATE ? &t->state[i] : &t->at) = (uint32_t)word;
    }
    return VALUE_NONE;
}

static value twister_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    struct twister *t = object_new(vm, type);
    seed_word(t, 0);
    return from_object(t);
}

static value twister_init(struct vm *vm, const struct args *args)
{
    return VALUE_NONE;
}

static const struct native_def twister_methods[] = {
    {"__init__", twister_init, "self *args **kwargs", ""},
    {"_seed", twister_seed, "self n /", "Begins anew from a number."},
    {"random", twister_random, "self", "A float in [0, 1)."},
    {"getrandbits", twister_bits, "self k /", "An int of k random bits."},
    {"_state", twister_state, "self", "All that determines what comes next."},
    {"_restore", twister_restore, "self state /", "Goes back to a state."},
    {0}};

static void twister_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct twister *)self)->attrs);
}

static const struct type type_twister = {
    .object = {.type = &type_type},
    .name = "_random.Random",
    .size = sizeof(struct twister),
    .attrs = offsetof(struct twister, attrs),
    .methods = twister_methods,
    .mark = twister_mark,
    .make = twister_make,
};

static bool fill(struct vm *vm, value module)
{
    return module_set(vm, module, "Random", type_value(&type_twister));
}

const struct native_module module_random = {"_random", NULL, fill};
