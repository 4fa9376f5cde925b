// SPDX-License-Identifier: MIT
/* code.h: compiled functions, module bodies and class bodies. An instruction is 32 bits: opcode in
 * the lowest 8, argument above. */
#pragma once

#include "python/native.h"
#include "python/opcode.h"
#include "python/value.h"
#include "python/vm.h"

enum code_flags {
    CODE_GENERATOR = 1,
    CODE_STAR = 2,    /* *args: the local after the keyword-only ones */
    CODE_DSTAR = 4,   /* **kwargs: the local after that */
    CODE_CLASS = 8,   /* a class body */
    CODE_SIMPLE = 16, /* only plain positional parameters */
    CODE_NAMES = 32,  /* module-level code run with a locals dict */
    CODE_ASYNC = 64,
};

/* Instructions [start, end) are covered by the handler; depth temporaries are kept there. */
struct handler {
    uint32_t start, end, target, depth;
};
/* What LOAD_GLOBAL found last: entry `at` of the dict whose version was that. */
struct global_cache {
    uint64_t globals, builtins; /* versions; builtins 0: found in globals */
    uint32_t at;
    uint32_t name; /* index in consts of the name's str */
};

struct code {
    struct object object;
    uint32_t *ops;                /* owned */
    struct span *spans;           /* owned, one an instruction */
    value *consts;                /* owned */
    struct handler *handlers;     /* owned; inner ones first */
    struct global_cache *globals; /* owned */
    struct param_info *params;    /* owned: nparams + 0-terminator */
    sym_t *names;                 /* owned: attribute names and the like */
    const struct node **nodes;    /* owned: statements handed to the workflow hooks */
    sym_t *local_names;           /* owned: nlocals */
    uint32_t *cell_slots;         /* owned: ncells locals that are cells made at entry */
    uint32_t nconsts, nhandlers, nnodes;
    uint16_t nparams;     /* all kinds */
    uint16_t npositional; /* positional-only and plain */
    uint16_t nposonly, nkwonly;
    uint32_t nlocals;       /* params, locals, cells, then free variables */
    uint32_t ncells, nfree; /* free variables are the last locals */
    uint32_t depth;         /* most temporaries at a time */
    uint32_t flags;
    sym_t name, qualname;
    struct span span; /* the whole definition */
    value doc;        /* str or None */
};

struct cell {
    struct object object;
    value v;
};
extern const struct type type_cell;
static inline struct cell *as_cell(value v)
{
    return (struct cell *)as_object(v);
}

struct function {
    struct object object;
    const struct code *code;
    struct dict *globals;
    value defaults;                                 /* tuple or NO_VALUE */
    value kwdefaults;                               /* dict or NO_VALUE */
    value attrs;                                    /* dict or NO_VALUE */
    value doc, name, qualname, module, annotations; /* NO_VALUE: as compiled */
    value closure[];                                /* code->nfree cells */
};
static inline struct function *as_function(value v)
{
    return (struct function *)as_object(v);
}

/* A native with what it was made with; its signature is parsed once. */
struct native {
    struct object object;
    const struct native_def *def;
    const struct signature *signature;
    void *user;
    const struct type *owner; /* of methods: the type self must be of */
};
static inline struct native *as_native(value v)
{
    return (struct native *)as_object(v);
}

struct method {
    struct object object;
    value function, self;
};
static inline struct method *as_method(value v)
{
    return (struct method *)as_object(v);
}

/* property, classmethod, staticmethod. */
struct property {
    struct object object;
    value get, set, del, doc;
};
struct wrapper {
    struct object object;
    value callable;
};
static inline struct wrapper *as_wrapper(value v)
{
    return (struct wrapper *)as_object(v);
}
extern const struct type type_staticmethod, type_classmethod, type_super;

/* New objects of the kinds above, in the heap. */
value code_new(struct vm *vm);
value cell_new(struct vm *vm, value v);
value function_new(struct vm *vm, const struct code *code, struct dict *globals);
value method_new(struct vm *vm, value function, value self);
