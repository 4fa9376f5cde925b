// SPDX-License-Identifier: MIT
/* _functools: partial and reduce; the rest of functools is lib/functools.py. */
#include <string.h>

#include "modules/modules.h"
#include "python/vm_state.h"

struct partial {
    struct object object;
    value func, args, keywords; /* callable, tuple, dict */
    value attrs;
};

static struct partial *as_partial(value v)
{
    return (struct partial *)as_object(v);
}

static void partial_mark(struct vm *vm, struct object *self)
{
    struct partial *p = (struct partial *)self;
    value held[] = {p->func, p->args, p->keywords, p->attrs};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        heap_mark(vm, held[i]);
}

/* a + b[skip:], as a tuple. */
static value join(struct vm *vm, value a, value b, size_t skip)
{
    size_t na, nb;
    const value *first = sequence_items(a, &na), *second = sequence_items(b, &nb);
    value both = tuple_new(vm, NULL, na + nb - skip);
    value *at = as_tuple(both)->at;
    memcpy(at, first, na * sizeof *at);
    memcpy(at + na, second + skip, (nb - skip) * sizeof *at);
    return both;
}

static value merged(struct vm *vm, value a, value b)
{
    if (!b || !dict_len(b))
        return a;
    value both = dict_copy(vm, &type_dict, as_dict(a));
    return dict_update(vm, as_dict(both), as_dict(b)) ? both : NO_VALUE;
}

static value partial_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (!n)
        return vm_raise(vm, "TypeError", "type 'partial' takes at least one argument");
    if (!value_callable(items[0]))
        return vm_raise(vm, "TypeError", "the first argument must be callable");
    struct partial *p = object_new(vm, type);
    value inner = items[0];
    p->func = inner;
    p->args = tuple_new(vm, items + 1, n - 1);
    p->keywords = kwargs ? dict_copy(vm, &type_dict, as_dict(kwargs)) : dict_new(vm);
    if (is_exact(inner, type) && !as_partial(inner)->attrs) { /* a partial of a partial is one */
        p->func = as_partial(inner)->func;
        p->args = join(vm, as_partial(inner)->args, p->args, 0);
        p->keywords = merged(vm, as_partial(inner)->keywords, p->keywords);
    }
    return from_object(p);
}

static value partial_call(struct vm *vm, value self, value args, value kwargs)
{
    struct partial *p = as_partial(self);
    size_t n;
    value all = join(vm, p->args, args, 0), keywords = merged(vm, p->keywords, kwargs);
    const value *items = sequence_items(all, &n);
    return vm_call(vm, p->func, items, n, dict_len(keywords) ? keywords : NO_VALUE);
}

static value partial_repr(struct vm *vm, value self)
{
    struct partial *p = as_partial(self);
    struct buf out = {0};
    size_t n;
    const value *items = sequence_items(p->args, &n);
    value text = value_repr(vm, p->func), key, item;
    buf_printf(&out, "functools.partial(%s", text ? str_text(text) : "");
    for (size_t i = 0; text && i < n; i++)
        if ((text = value_repr(vm, items[i])))
            buf_printf(&out, ", %s", str_text(text));
    for (size_t pos = 0; text && dict_next(p->keywords, &pos, &key, &item);)
        if ((key = value_str(vm, key)) && (text = value_repr(vm, item)))
            buf_printf(&out, ", %s=%s", str_text(key), str_text(text));
        else
            text = NO_VALUE;
    buf_char(&out, ')');
    value result = text ? str_new(vm, buf_text(&out), out.len) : NO_VALUE;
    buf_free(&out);
    return result;
}

static value partial_func(struct vm *vm, const struct args *args)
{
    return as_partial(args->at[0])->func;
}

static value partial_args(struct vm *vm, const struct args *args)
{
    return as_partial(args->at[0])->args;
}

static value partial_keywords(struct vm *vm, const struct args *args)
{
    return as_partial(args->at[0])->keywords;
}

static const struct native_def partial_properties[] = {
    {"func", partial_func, "self", "What is called."},
    {"args", partial_args, "self", "Its first arguments."},
    {"keywords", partial_keywords, "self", "Its keyword arguments."},
    {0}};

static const struct type type_partial = {
    .object = {.type = &type_type},
    .name = "functools.partial",
    .size = sizeof(struct partial),
    .attrs = offsetof(struct partial, attrs),
    .properties = partial_properties,
    .mark = partial_mark,
    .make = partial_make,
    .call = partial_call,
    .repr = partial_repr,
};

// functools.reduce(function, iterable[, initial])
static value reduce(struct vm *vm, const struct args *args)
{
    struct iter it;
    value pair[2] = {args->at[2]};
    if (!iter_open(vm, args->at[1], &it))
        return NO_VALUE;
    while ((pair[1] = iter_next(vm, &it))) {
        pair[0] = pair[0] ? vm_call(vm, args->at[0], pair, 2, NO_VALUE) : pair[1];
        if (!pair[0])
            return NO_VALUE;
    }
    if (vm->error)
        return NO_VALUE;
    return pair[0] ? pair[0]
                   : vm_raise(vm, "TypeError", "reduce() of empty iterable with no initial value");
}

static const struct native_def functions[] = {
    {"reduce", reduce, "function iterable initial= /", "Folds an iterable into one value."}, {0}};

static bool fill(struct vm *vm, value module)
{
    return module_set(vm, module, "partial", type_value(&type_partial));
}

const struct native_module module_functools = {"_functools", functions, fill};
