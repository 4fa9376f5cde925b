// SPDX-License-Identifier: MIT
/* deferred.c: see deferred.h. */
#include "flow/deferred.h"

#include <string.h>

#include "flow/flags.h"
#include "python/vm.h"

enum { HELD = 4 };

struct deferred {
    struct object object;
    deferred_fn *fn;
    value held[HELD];
    uint32_t wants;
};

static const char *const aux_names[AUX_COUNT] = {
#define X(id, name) [AUX_##id] = name,
    AUX_NAMES(X)
#undef X
};

const char *aux_name(enum aux aux)
{
    return aux_names[aux];
}

static void deferred_mark(struct vm *vm, struct object *self)
{
    const struct deferred *deferred = (const struct deferred *)self;
    for (int i = 0; i < HELD; i++)
        heap_mark(vm, deferred->held[i]);
}

/* Called from Python: f(wildcards, input=..., ...). */
static value deferred_call(struct vm *vm, value self, value args, value kwargs)
{
    const struct deferred *deferred = (const struct deferred *)as_object(self);
    size_t n;
    const value *positional = sequence_items(args, &n);
    value at[AUX_COUNT];
    if (n < 1)
        return vm_raise(vm, "TypeError", "this function needs the wildcards as its first argument");
    for (int i = 0; i < AUX_COUNT; i++)
        at[i] = kwargs ? dict_get_str(vm, kwargs, aux_names[i]) : NO_VALUE;
    if (n == 2 && deferred->wants && !(deferred->wants & (deferred->wants - 1)))
        at[__builtin_ctz(deferred->wants)] = positional[1]; /* the one thing that it asks for */
    return deferred->fn(vm, deferred->held, positional[0], at);
}

static const struct type type_deferred = {.object = {.type = &type_type},
                                          .name = "function",
                                          .size = sizeof(struct deferred),
                                          .mark = deferred_mark,
                                          .call = deferred_call};

value deferred_new(struct vm *vm, deferred_fn *fn, const value *held, int nheld, uint32_t wants)
{
    struct deferred *deferred = object_new(vm, &type_deferred);
    deferred->fn = fn;
    deferred->wants = wants;
    for (int i = 0; i < nheld; i++)
        deferred->held[i] = held[i];
    return from_object(deferred);
}

/* Whether v is one. */
static bool is_deferred(value v)
{
    return is_exact(v, &type_deferred);
}

/* The bit of a parameter's name, or 0. The first parameter is the wildcards, whatever its name. */
static uint32_t bit_of(struct vm *vm, const struct param_info *param, bool first)
{
    const char *name = sym_text(vm_names(vm), param->name);
    if (first && param->kind != PARAM_KEYWORD_ONLY)
        return 0;
    for (int aux = 0; aux < AUX_COUNT; aux++)
        if (!strcmp(aux_names[aux], name))
            return 1u << aux;
    return 0;
}

static uint32_t wants_of(struct vm *vm, value callable, bool *all)
{
    size_t n;
    uint32_t wants = 0;
    *all = false;
    callable = unflagged(callable);
    if (is_deferred(callable))
        return ((const struct deferred *)as_object(callable))->wants;
    const struct param_info *params = function_params(vm, callable, &n);
    for (size_t i = 0; params && i < n; i++) {
        if (params[i].kind == PARAM_DSTAR)
            *all = true;
        else
            wants |= bit_of(vm, &params[i], i == 0);
    }
    return wants;
}

uint32_t named_by(struct vm *vm, value callable)
{
    bool all;
    return wants_of(vm, callable, &all);
}

uint32_t wanted_by(struct vm *vm, value callable)
{
    bool all;
    uint32_t wants = wants_of(vm, callable, &all);
    return all ? (1u << AUX_COUNT) - 1 : wants;
}

value aux_call(struct vm *vm, value callable, value wildcards, const value *at)
{
    uint32_t wants = wanted_by(vm, callable);
    callable = unflagged(callable);
    if (is_deferred(callable)) {
        const struct deferred *deferred = (const struct deferred *)as_object(callable);
        return deferred->fn(vm, deferred->held, wildcards, at);
    }
    value kwargs = NO_VALUE;
    for (int aux = 0; aux < AUX_COUNT; aux++) {
        if (!(wants >> aux & 1) || !at[aux])
            continue;
        if (!kwargs)
            kwargs = dict_new(vm);
        dict_set_str(vm, kwargs, aux_names[aux], at[aux]);
    }
    return vm_call(vm, callable, &wildcards, 1, kwargs);
}
