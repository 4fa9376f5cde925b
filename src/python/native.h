// SPDX-License-Identifier: MIT
/* native.h: how C gives functions and modules to Python; types are type.h's.
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
#include "python/type.h"

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

/* ---- modules ---- */

/* A native module: built when first imported. fill() adds what is not a function (constants,
 * types). */
struct native_module {
    const char *name; /* dotted: "os.path" */
    const struct native_def *functions;
    bool (*fill)(struct vm *vm, value module);
};
/* One more that can be imported, as those of vm_options: higher layers add theirs (snakemake.io,
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
/* Its namespace: a dict. */
value module_globals(value module);
/* sys.path: a list of directories, made on first use. */
value module_search_path(struct vm *vm);
