// SPDX-License-Identifier: MIT
/* deferred.h: native functions of a job's wildcards: what expand() with callables, evaluate(), bare
 * params.x and command-line expressions give to a directive. They say themselves which values of
 * the job they want. */
#pragma once

#include "python/native.h"

/* What a function of a directive may ask for besides the wildcards. */
/* clang-format off */
#define AUX_NAMES(X) \
    X(INPUT, "input") \
    X(OUTPUT, "output") \
    X(PARAMS, "params") \
    X(THREADS, "threads") \
    X(RESOURCES, "resources") \
    X(ATTEMPT, "attempt") \
    X(RULENAME, "rulename") \
    X(GROUPID, "groupid") \
    X(ASYNC_RUN, "async_run")
/* clang-format on */
enum aux {
#define X(id, name) AUX_##id,
    AUX_NAMES(X)
#undef X
        AUX_COUNT
};
#define AUX_BIT(id) (1u << AUX_##id)

/* at: one value per enum aux, NO_VALUE where not wanted or not there. */
typedef value deferred_fn(struct vm *vm, const value *held, value wildcards, const value *at);

/* A callable object. held: up to 4 values kept alive, handed to fn. wants: bits of enum aux. */
value deferred_new(struct vm *vm, deferred_fn *fn, const value *held, int nheld, uint32_t wants);
/* Which bits of enum aux a callable wants, by its parameters' names (or all, with **kwargs). */
uint32_t wanted_by(struct vm *vm, value callable);
/* The same without what **kwargs would take: the values its result is derived from. */
uint32_t named_by(struct vm *vm, value callable);
/* Calls a function of a directive, giving it of `at` what it wants. */
value aux_call(struct vm *vm, value callable, value wildcards, const value *at);
/* Its name in a parameter list. */
const char *aux_name(enum aux aux);
