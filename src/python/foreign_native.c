// SPDX-License-Identifier: MIT
/* Objects of ours that foreign code holds: they are kept alive under a number until it gives them
 * back, and do what the child asks of them. */
#include <string.h>

#include "python/builtins.h"
#include "python/class.h"
#include "python/foreign_link.h"
#include "python/types.h"

/* ---- lending ---- */

/* METHODS over there, by bit. */
enum native_can {
    NATIVE_CALL = 1,
    NATIVE_LEN = 2,
    NATIVE_GETITEM = 4,
    NATIVE_SETITEM = 8,
    NATIVE_ITER = 16,
    NATIVE_NEXT = 32,
    NATIVE_MAPPING = 64,
    NATIVE_CONTEXT = 128,
    NATIVE_PATH = 256,
};

static uint32_t abilities(struct vm *vm, value v)
{
    const struct type *type = type_of(v);
    bool class = is_type(v), items = type_slot(type, get_index) && !class;
    bool keys = items && type_slot(type, len) && (is_dict(v) || type_find(vm, type, vm->sym.keys));
    return (value_callable(v) ? NATIVE_CALL : 0) | (type_slot(type, len) ? NATIVE_LEN : 0) |
           (items ? NATIVE_GETITEM : 0) | (type_slot(type, set_index) ? NATIVE_SETITEM : 0) |
           (type_slot(type, iter) || items ? NATIVE_ITER : 0) |
           (type_slot(type, next) ? NATIVE_NEXT : 0) | (keys && !is_list(v) ? NATIVE_MAPPING : 0) |
           (type_find(vm, type, vm->sym.__enter__) ? NATIVE_CONTEXT : 0) |
           (type_find(vm, type, vm->sym.__fspath__) ? NATIVE_PATH : 0);
}

static void forget_addresses(struct foreign *f)
{
    map_free(&f->numbers);
    for (uint32_t i = 1; i < f->lent.len; i++)
        if (f->lent.at[i].count)
            map_set(&f->numbers, f->lent.at[i].v, i);
}

static uint32_t lend(struct foreign *f, value v)
{
    uint32_t number = map_find(&f->numbers, v);
    if (number && f->lent.at[number].count && f->lent.at[number].v == v) {
        f->lent.at[number].count++;
        return number;
    }
    if (f->numbers.len > 1000 + 4 * f->lent.len)
        forget_addresses(f);
    if (f->vacant.len) {
        number = f->vacant.at[--f->vacant.len];
    } else {
        number = f->lent.len;
        vec_push(&f->lent, ((struct lent){0}));
    }
    f->lent.at[number] = (struct lent){v, 1};
    map_set(&f->numbers, v, number);
    return number;
}

bool write_native(struct writer *w, value v)
{
    const char *name = type_name(v);
    uint32_t can = abilities(w->vm, v);
    write_mark(w, MARK_NATIVE, 3);
    write_int(w, lend(w->vm->foreign, v));
    write_int(w, can);
    write_text(w, name, strlen(name));
    return true;
}

value lent_value(struct foreign *f, uint32_t number)
{
    return number < f->lent.len ? f->lent.at[number].v : NO_VALUE;
}

void take_back(struct foreign *f, uint32_t number)
{
    if (!lent_value(f, number) || --f->lent.at[number].count)
        return;
    f->lent.at[number].v = NO_VALUE;
    vec_push(&f->vacant, number);
}

/* ---- doing: at[0] is the object, the others what came with the request ---- */

static value do_call(struct vm *vm, const value *at)
{
    size_t n;
    const value *args = sequence_items(at[1], &n);
    if (!args || !is_dict(at[2]))
        return vm_raise(vm, "TypeError", "arguments expected");
    return vm_call(vm, at[0], args, n, at[2]);
}

static value do_getattr(struct vm *vm, const value *at)
{
    return value_attr(vm, at[0], str_sym(vm, at[1]));
}

static value do_setattr(struct vm *vm, const value *at)
{
    return value_set_attr(vm, at[0], str_sym(vm, at[1]), at[2]) ? VALUE_NONE : NO_VALUE;
}

static value do_getitem(struct vm *vm, const value *at)
{
    return value_index(vm, at[0], at[1]);
}

static value do_setitem(struct vm *vm, const value *at)
{
    return value_set_index(vm, at[0], at[1], at[2]) ? VALUE_NONE : NO_VALUE;
}

static value do_delitem(struct vm *vm, const value *at)
{
    return value_set_index(vm, at[0], at[1], NO_VALUE) ? VALUE_NONE : NO_VALUE;
}

static value do_len(struct vm *vm, const value *at)
{
    size_t n;
    return value_len(vm, at[0], &n) ? small((int64_t)n) : NO_VALUE;
}

static value do_iter(struct vm *vm, const value *at)
{
    return value_iter(vm, at[0]);
}

/* The next items: one of a generator, some of what cannot tell. */
static value do_next(struct vm *vm, const value *at)
{
    enum { SOME = 64 };
    value items[SOME];
    size_t n = 0, most = is_exact(at[0], &type_iterator) && !at[1] ? SOME : 1;
    while (n < most && (items[n] = value_next(vm, at[0])))
        n++;
    return vm->error ? NO_VALUE : tuple_new(vm, items, n);
}

static value do_contains(struct vm *vm, const value *at)
{
    bool in;
    return value_contains(vm, at[0], at[1], &in) ? value_bool(in) : NO_VALUE;
}

static value do_repr(struct vm *vm, const value *at)
{
    return value_repr(vm, at[0]);
}

static value do_str(struct vm *vm, const value *at)
{
    return value_str(vm, at[0]);
}

static value do_truth(struct vm *vm, const value *at)
{
    bool truth;
    return value_truth(vm, at[0], &truth) ? value_bool(truth) : NO_VALUE;
}

static value do_hash(struct vm *vm, const value *at)
{
    uint64_t hash;
    return value_hash(vm, at[0], &hash) ? int_from(vm, (int64_t)(hash >> 2)) : NO_VALUE;
}

static value do_compare(struct vm *vm, const value *at)
{
    int op = OP_EQ + (int)small_int(at[1]);
    if (at[0] == at[2] || !is_foreign(at[2]))
        return value_compare(vm, op, at[0], at[2]);
    /* over there the other one is asked */
    return value_compare_by(vm, type_of(at[0]), op, at[0], at[2]);
}

static value do_binary(struct vm *vm, const value *at)
{
    bool reflected = at[3] == VALUE_TRUE;
    int op = OP_ADD + (int)small_int(at[1]);
    value left = at[reflected ? 2 : 0], right = at[reflected ? 0 : 2];
    return is_foreign(at[2]) ? value_binary_by(vm, type_of(at[0]), op, left, right)
                             : value_binary(vm, op, left, right);
}

static value do_unary(struct vm *vm, const value *at)
{
    static const uint8_t ops[] = {OP_NEG, OP_POS, OP_INVERT};
    return value_unary(vm, ops[small_int(at[1]) % 3], at[0]);
}

static value do_format(struct vm *vm, const value *at)
{
    return value_format(vm, at[0], at[1]);
}

/* The default of parameter i of a function; None where only the callee knows it. */
static value default_of(struct vm *vm, value v, size_t i, sym_t name)
{
    if (is_exact(v, &type_method)) {
        v = as_method(v)->function;
        i++;
    }
    const struct function *function = is_exact(v, &type_function) ? as_function(v) : NULL;
    size_t n = 0, npositional = function ? function->code->npositional : 0;
    const value *defaults = function && function->defaults ? sequence_items(function->defaults, &n)
                                                           : NULL;
    if (i < npositional && npositional - i <= n)
        return defaults[n - (npositional - i)];
    value found = function && function->kwdefaults
                      ? dict_get_sym(vm, as_dict(function->kwdefaults), name)
                      : NO_VALUE;
    return value_or_none(found);
}

/* (name, kind) or (name, kind, default) of each parameter: for inspect.signature(). */
static value do_params(struct vm *vm, const value *at)
{
    size_t n;
    const struct param_info *params = function_params(vm, at[0], &n);
    if (!params)
        return raise_no_attribute(vm, at[0], intern_str(vm->names, "__signature__"));
    value list = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        value about[] = {str_from_sym(vm, params[i].name), small(params[i].kind), NO_VALUE};
        about[2] = params[i].has_default ? default_of(vm, at[0], i, params[i].name) : NO_VALUE;
        list_push(vm, list, tuple_new(vm, about, about[2] ? 3 : 2));
    }
    return list;
}

/* A tuple of the variable of that name where the call over there was made; empty: there is none. */
static value do_name(struct vm *vm, const value *at)
{
    const struct frame *frame = vm->frame;
    value locals = frame ? frame_locals(vm, frame) : NO_VALUE, found = NO_VALUE;
    if (locals && is_dict(locals))
        found = dict_get(vm, locals, at[1]);
    if (!found && frame && frame->globals && !vm->error)
        found = dict_get(vm, from_object(frame->globals), at[1]);
    return vm->error ? NO_VALUE : tuple_new(vm, &found, found ? 1 : 0);
}

/* In the order of NAT_* over there; n: how many values they take, the object included. */
static const struct {
    value (*fn)(struct vm *vm, const value *at);
    uint8_t n, most;
} actions[] = {
    {do_call, 3, 3},    {do_getattr, 2, 2},  {do_setattr, 3, 3}, {do_getitem, 2, 2},
    {do_setitem, 3, 3}, {do_delitem, 2, 2},  {do_len, 1, 1},     {do_iter, 1, 1},
    {do_next, 1, 2},    {do_contains, 2, 2}, {do_repr, 1, 1},    {do_str, 1, 1},
    {do_truth, 1, 1},   {do_hash, 1, 1},     {do_compare, 3, 3}, {do_binary, 4, 4},
    {do_unary, 2, 2},   {do_format, 2, 2},   {do_params, 1, 1},  {do_name, 2, 2},
};

/* A function, called as if by an instruction of the outermost evaluation. */
static value call_sweepable(struct vm *vm, const value *at)
{
    int entries = vm->entries, natives = vm->natives;
    vm->entries = 0;
    vm->natives = -1; /* vm_call counts itself */
    value result = do_call(vm, at);
    vm->entries = entries;
    vm->natives = natives;
    return result;
}

value native_do(struct vm *vm, value request, bool sweepable)
{
    size_t n = 0;
    const value *items = is_tuple(request) ? sequence_items(request, &n) : NULL;
    value at[5] = {0};
    if (n < 2 || n > 5 || !is_small(items[0]) || !is_small(items[1]))
        return vm_raise(vm, "SystemError", "a foreign module asks for what there is not");
    uint64_t what = (uint64_t)small_int(items[0]);
    at[0] = lent_value(vm->foreign, (uint32_t)small_int(items[1]));
    memcpy(at + 1, items + 2, (n - 2) * sizeof *at);
    if (what >= sizeof actions / sizeof *actions || n - 1 < actions[what].n ||
        n - 1 > actions[what].most || (!at[0] && actions[what].fn != do_name))
        return vm_raise(vm, "SystemError", "a foreign module asks for what there is not");
    if (vm_too_deep(vm))
        return NO_VALUE;
    if (sweepable && actions[what].fn == do_call &&
        (is_exact(at[0], &type_function) || is_exact(at[0], &type_method)))
        return call_sweepable(vm, at);
    return actions[what].fn(vm, at);
}
