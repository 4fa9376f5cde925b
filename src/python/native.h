// SPDX-License-Identifier: MIT
/* native.h: how C gives functions, types and modules to Python.
 *
 * A native is `value f(struct vm *vm, const struct args *args)`. It fetches its arguments through
 * the getters below, so that every type error reads like Python's, and returns NO_VALUE after
 * raising.
 *
 *     // str.startswith(prefix, start=0)
 *     static value str_startswith(struct vm *vm, const struct args *args) { ... }
 *     static const struct native_def str_methods[] = {
 *         {"startswith", str_startswith, "self prefix start=0", "Whether it begins with prefix."},
 *         {0}};
 *
 * The signature string is the parameter list in brief: names in order, `=` marks an optional one,
 * `/` and `*` as in Python, `*name` takes the rest, `**name` the other keywords. The call
 * machinery matches positional and keyword arguments to it, complains as Python does, and hands
 * the native one slot per parameter: args->at[i] is the argument or NO_VALUE when an optional one
 * was not given; a `*name` slot is a tuple, a `**name` slot a dict. The part after `=` is for
 * help() only. */
#pragma once

#include "python/operate.h"

struct args {
    const value *at; /* one slot per parameter of the signature */
    int n;           /* slots */
    const struct native_def *def;
    void *user; /* what the native was made with (native_new) */
};

typedef value native_fn(struct vm *vm, const struct args *args);

struct native_def {
    const char *name;
    native_fn *fn;
    const char *signature;
    const char *doc;
};

/* Getters: NULL/NO_VALUE/false after raising TypeError ("join() argument 'path' must be str, not
 * int"). An optional argument that was not given yields the default. */
static inline bool arg_given(const struct args *args, int i)
{
    return args->at[i] != NO_VALUE;
}
const char *arg_text(struct vm *vm, const struct args *args, int i, size_t *len); /* a str */
/* The text of a str for those who take a NUL for its end; NULL: it has one inside, raised. */
const char *str_whole(struct vm *vm, value str);
const char *arg_path(struct vm *vm, const struct args *args, int i); /* str, Path or os.PathLike */
/* An int argument, or otherwise if it is not given. False: raised. */
bool arg_int(struct vm *vm, const struct args *args, int i, int64_t otherwise, int64_t *out);
/* The same of a float; an int is taken too. */
bool arg_float(struct vm *vm, const struct args *args, int i, double otherwise, double *out);
/* truth of any value */
bool arg_bool(struct vm *vm, const struct args *args, int i, bool otherwise, bool *out);
value arg_list(struct vm *vm, const struct args *args, int i); /* any iterable, as a new list */
value arg_dict(struct vm *vm, const struct args *args, int i); /* a dict */
value arg_or(const struct args *args, int i, value otherwise); /* as it is */

/* A callable from a native that is no method; user is handed to it. def must stay in place. */
value native_new(struct vm *vm, const struct native_def *def, void *user);
/* Puts a table of them, which ends with {0}, into a dict. False: raised. */
bool natives_fill(struct vm *vm, value dict, const struct native_def *def);

/* ---- types ---- */

enum { ATTRS_BEHIND = 1 };

/* What a type can do. A slot that is NULL is inherited from base; what nobody defines raises
 * TypeError. A user's class gets slots that look up __name__ methods. */
struct type {
    struct object object;
    const char *name;        /* as shown: "str", "snakemake.io.Wildcards" */
    const struct type *base; /* NULL: type_object */
    size_t size;             /* bytes of an instance; 0: abstract */
    /* where in an instance the value of its attribute dict is (NO_VALUE until one is set); 0:
     * instances take no attributes; ATTRS_BEHIND: at the end of the object, whose size varies */
    size_t attrs;
    const struct native_def *methods;                   /* ends with {0} */
    const struct native_def *properties;                /* signature "self"; called on access */
    void (*mark)(struct vm *vm, struct object *self);   /* heap_mark() every value it holds */
    void (*finish)(struct vm *vm, struct object *self); /* frees what it owns outside the heap */
    /* T(...) */
    value (*make)(struct vm *vm, const struct type *type, value args_tuple, value kwargs_dict);
    value (*call)(struct vm *vm, value self, value args_tuple, value kwargs_dict);
    value (*repr)(struct vm *vm, value self);
    value (*str)(struct vm *vm, value self);
    bool (*truth)(struct vm *vm, value self, bool *out);
    bool (*hash)(struct vm *vm, value self, uint64_t *out);
    /* op: enum node_op EQ..GE; may give VALUE_NOT_IMPLEMENTED */
    value (*compare)(struct vm *vm, int op, value a, value b);
    /* ADD..BITXOR; self may be either side */
    value (*binary)(struct vm *vm, int op, value a, value b);
    value (*unary)(struct vm *vm, int op, value self);
    bool (*len)(struct vm *vm, value self, size_t *out);
    value (*get_index)(struct vm *vm, value self, value key);
    bool (*set_index)(struct vm *vm, value self, value key, value item); /* item NO_VALUE: delete */
    bool (*contains)(struct vm *vm, value self, value item, bool *out);
    /* tried first; NO_VALUE, nothing raised: go on */
    value (*get_attr)(struct vm *vm, value self, sym_t name);
    bool (*set_attr)(struct vm *vm, value self, sym_t name, value item);
    /* what get_attr knows, for hints and dir(): a list of str */
    value (*attr_names)(struct vm *vm, value self);
    value (*iter)(struct vm *vm, value self);
    value (*next)(struct vm *vm, value self); /* NO_VALUE and nothing raised: exhausted */
    value (*format)(struct vm *vm, value self, value spec);
    const struct class_info *info; /* user classes: dict, bases; NULL for native types */
};

/* The slot of a type or of the nearest base that has it, or NULL. */
#define type_slot(type_, slot_)                                                                    \
    ({                                                                                             \
        const struct type *at_ = (type_);                                                          \
        while (!at_->slot_ && at_->base)                                                           \
            at_ = at_->base;                                                                       \
        at_->slot_;                                                                                \
    })

/* A zeroed instance of a native type (its size), header filled. */
void *object_new(struct vm *vm, const struct type *type);
/* For mark functions. */
void heap_mark(struct vm *vm, value v);

/* A type as a value. */
static inline value type_value(const struct type *type)
{
    return from_object(type);
}

/* ---- modules ---- */

/* A native module: built when first imported. fill() adds what is not a function (constants,
 * types). */
struct native_module {
    const char *name; /* dotted: "os.path" */
    const struct native_def *functions;
    bool (*fill)(struct vm *vm, value module);
};
/* Modules of the python layer: one row each in modules.c. Higher layers add theirs (snakemake.io,
 * ...). */
void module_add(struct vm *vm, const struct native_module *module);
/* The module object, imported if needed; raises ModuleNotFoundError. */
value module_import(struct vm *vm, const char *name);
/* Sets a name of a module. False: raised. */
bool module_set(struct vm *vm, value module, const char *name, value item);
/* From now on its names are those of globals, a dict; its own __getattr__ finds others. */
void module_share(struct vm *vm, value module, value globals);
/* NO_VALUE, nothing raised, if absent */
value module_get(struct vm *vm, value module, const char *name);
