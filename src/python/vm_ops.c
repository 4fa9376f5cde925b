// SPDX-License-Identifier: MIT
/* The longer instructions. */
#include "python/vm_ops.h"

#include <string.h>

#include "python/class.h"
#include "python/foreign.h"
#include "python/format.h"
#include "python/str.h"

/* ---- frames and names ---- */

void frame_cells(struct vm *vm, struct frame *frame)
{
    const struct code *code = frame->code;
    for (uint32_t i = 0; i < code->ncells; i++) {
        uint32_t slot = code->cell_slots[i];
        frame->locals[slot] = cell_new(vm, frame->locals[slot]);
    }
    uint32_t first = code->nlocals - code->nfree;
    for (uint32_t i = 0; i < code->nfree; i++)
        frame->locals[first + i] = frame->function->closure[i];
}

value load_global(struct vm *vm, struct frame *frame, struct global_cache *cache)
{
    value name = frame->code->consts[cache->name];
    struct dict *globals = frame->globals;
    struct dict_entry *entry = dict_find_str(globals, name);
    cache->globals = dict_version(vm, globals);
    cache->builtins = 0;
    if (!entry) {
        entry = dict_find_str(vm->builtins, name);
        if (!entry) {
            cache->globals = 0;
            return raise_name_error(vm, name);
        }
        cache->builtins = dict_version(vm, vm->builtins);
        cache->at = (uint32_t)(entry - vm->builtins->at);
    } else {
        cache->at = (uint32_t)(entry - globals->at);
    }
    return entry->item;
}

value load_name_in(struct vm *vm, struct frame *frame, value name)
{
    if (frame->names) {
        value v = dict_get(vm, frame->names, name);
        if (v || vm->error)
            return v;
    }
    struct dict_entry *entry = dict_find_str(frame->globals, name);
    if (!entry)
        entry = dict_find_str(vm->builtins, name);
    return entry ? entry->item : raise_name_error(vm, name);
}

value load_class_cell(struct vm *vm, struct frame *frame, uint32_t slot)
{
    value name = str_from_sym(vm, frame->code->local_names[slot]);
    value found = frame->names ? dict_get(vm, frame->names, name) : NO_VALUE;
    if (found || vm->error)
        return found;
    value v = as_cell(frame->locals[slot])->v;
    return v == VALUE_UNBOUND ? raise_unbound(vm, frame->code, slot, true) : v;
}

bool store_name_in(struct vm *vm, struct frame *frame, value name, value item)
{
    if (frame->names && !is_exact(frame->names, &type_dict)) /* what a __prepare__ has made */
        return value_set_index(vm, frame->names, name, item);
    return dict_set(vm, frame->names ? frame->names : from_object(frame->globals), name, item);
}

bool annotate(struct vm *vm, struct frame *frame, value name, value note)
{
    value key = str_from_sym(vm, vm->sym.__annotations__);
    value notes = dict_get(vm, frame->names, key);
    if (!notes) {
        notes = dict_new(vm);
        dict_set(vm, frame->names, key, notes);
    }
    return dict_set(vm, notes, name, note);
}

/* ---- building ---- */

value build_dict(struct vm *vm, const value *at, uint32_t n)
{
    value dict = dict_new(vm);
    for (uint32_t i = 0; i < n; i++)
        if (!dict_set(vm, dict, at[2 * i], at[2 * i + 1]))
            return NO_VALUE;
    return dict;
}

value build_set(struct vm *vm, const value *at, uint32_t n)
{
    value set = set_new(vm);
    for (uint32_t i = 0; i < n; i++)
        if (!set_add(vm, set, at[i]))
            return NO_VALUE;
    return set;
}

value grow(struct vm *vm, value left, value right, bool inplace)
{
    if (is_exact(left, &type_str) && is_exact(right, &type_str))
        return str_grow(vm, left, right);
    return inplace ? value_inplace(vm, OP_ADD, left, right) : value_binary(vm, OP_ADD, left, right);
}

value build_string(struct vm *vm, const value *at, uint32_t n)
{
    size_t len = 0, count = 0;
    for (uint32_t i = 0; i < n; i++) {
        len += as_str(at[i])->len;
        count += as_str(at[i])->count;
    }
    struct str *str = object_alloc(vm, &type_str, sizeof *str + len + 1);
    str->hash = 0;
    str->len = (uint32_t)len;
    str->count = (uint32_t)count;
    char *to = str->text;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(to, as_str(at[i])->text, as_str(at[i])->len);
        to += as_str(at[i])->len;
    }
    *to = 0;
    return from_object(str);
}

value build_slice(struct vm *vm, const value at[3])
{
    struct slice *slice = object_new(vm, &type_slice);
    slice->start = at[0];
    slice->stop = at[1];
    slice->step = at[2];
    return from_object(slice);
}

static bool merge_one(struct vm *vm, value into, value key, value item, bool unique)
{
    if (unique && !is_str(key)) {
        vm_raise(vm, "TypeError", "keywords must be strings");
        return false;
    }
    bool added;
    struct dict_entry *entry = dict_place(vm, as_dict(into), key, &added);
    if (!entry)
        return false;
    if (unique && !added) {
        vm_raise(vm, "TypeError", "got multiple values for keyword argument '%s'", str_text(key));
        return false;
    }
    entry->item = item;
    return true;
}

/* A mapping that is no dict: keys() and []. */
static bool merge_mapping(struct vm *vm, value into, value from, bool unique)
{
    struct iter it;
    value keys = value_attr_find(vm, from, vm->sym.keys);
    if (!keys) {
        if (!vm->error)
            vm_raise(vm, "TypeError",
                     unique ? "argument after ** must be a mapping, not %s"
                            : "'%s' object is not a mapping",
                     type_name(from));
        return false;
    }
    keys = vm_call0(vm, keys);
    if (!keys || !iter_open(vm, keys, &it))
        return false;
    for (value key; (key = iter_next(vm, &it));) {
        value item = value_index(vm, from, key);
        if (!item || !merge_one(vm, into, key, item, unique))
            return false;
    }
    return !vm->error;
}

bool dict_merge(struct vm *vm, value into, value from, bool unique)
{
    if (!is_dict(from) || as_object(from)->type->info)
        return merge_mapping(vm, into, from, unique);
    if (!unique)
        return dict_update(vm, as_dict(into), as_dict(from));
    value key, item;
    for (size_t pos = 0; dict_next(from, &pos, &key, &item);)
        if (!merge_one(vm, into, key, item, unique))
            return false;
    return true;
}

/* ---- unpacking ---- */

bool extend_starred(struct vm *vm, value list, value source)
{
    if (!value_iterable(source))
        return vm_raise(vm, "TypeError", "Value after * must be an iterable, not %s",
                        type_name(source));
    return list_extend(vm, list, source);
}

static value unpackable(struct vm *vm, value source)
{
    if (!value_iterable(source))
        return vm_raise(vm, "TypeError", "cannot unpack non-iterable %s object", type_name(source));
    return list_from(vm, source);
}

bool unpack(struct vm *vm, value source, value *at, uint32_t n)
{
    size_t len;
    const value *items = sequence_items(source, &len);
    if (!items || as_object(source)->type->info) {
        value list = unpackable(vm, source);
        if (!list)
            return false;
        items = sequence_items(list, &len);
    }
    if (len < n)
        vm_raise(vm, "ValueError", "not enough values to unpack (expected %u, got %zu)", n, len);
    else if (len > n)
        vm_raise(vm, "ValueError", "too many values to unpack (expected %u)", n);
    if (len != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        at[n - 1 - i] = items[i];
    return true;
}

bool unpack_star(struct vm *vm, value source, value *at, uint32_t before, uint32_t after)
{
    value list = unpackable(vm, source);
    if (!list)
        return false;
    size_t len;
    const value *items = sequence_items(list, &len);
    if (len < before + after) {
        vm_raise(vm, "ValueError", "not enough values to unpack (expected at least %u, got %zu)",
                 before + after, len);
        return false;
    }
    value middle = list_new(vm, items + before, len - before - after);
    items = sequence_items(list, &len);
    uint32_t top = before + after;
    for (uint32_t i = 0; i < before; i++)
        at[top - i] = items[i];
    at[after] = middle;
    for (uint32_t i = 0; i < after; i++)
        at[after - 1 - i] = items[len - after + i];
    return true;
}

/* ---- generators, formatting, functions ---- */

value await_iter(struct vm *vm, value v)
{
    if (is_exact(v, &type_coroutine))
        return as_generator(v)->state == GENERATOR_DONE
                   ? vm_raise(vm, "RuntimeError", "cannot reuse already awaited coroutine")
                   : v;
    value method = value_attr_find(vm, v, intern_str(vm->names, "__await__"));
    if (!method && !vm->error)
        vm_raise(vm, "TypeError", "object %s can't be used in 'await' expression", type_name(v));
    value iterator = method ? vm_call0(vm, method) : NO_VALUE;
    return !iterator || is_foreign(iterator) ? iterator : value_iter(vm, iterator);
}

value send_to(struct vm *vm, value iterator, value sent, value *result)
{
    value item;
    if (is_generator(iterator)) {
        item = generator_resume(vm, as_generator(iterator), sent);
        *result = as_generator(iterator)->result;
    } else if (sent != VALUE_NONE) {
        item = vm_call_method(vm, iterator, "send", &sent, 1);
    } else if ((type_of(iterator)->info || is_foreign(iterator)) && !vm_too_deep(vm)) {
        /* Its StopIteration has the result. */
        item = vm_call_method(vm, iterator, "__next__", NULL, 0);
    } else {
        item = value_next(vm, iterator);
    }
    if (!item && vm_failed_with(vm, "StopIteration"))
        *result = exception_value(vm, vm_take_error(vm));
    if (!*result)
        *result = VALUE_NONE;
    return item;
}

value format_field(struct vm *vm, value v, char conversion, value spec)
{
    value shown = conversion ? format_converted(vm, v, conversion) : v;
    return shown && (spec || !conversion) ? value_format(vm, shown, spec) : shown;
}

value *make_function(struct vm *vm, struct frame *frame, value *sp, uint32_t flags)
{
    const struct code *code = (const struct code *)as_object(*--sp);
    struct function *function = (struct function *)as_object(
        function_new(vm, code, frame->globals));
    if (flags & FUNCTION_CLOSURE) {
        const struct tuple *cells = as_tuple(*--sp);
        for (uint32_t i = 0; i < code->nfree; i++)
            function->closure[i] = cells->at[i];
    }
    if (flags & FUNCTION_ANNOTATIONS)
        function->annotations = *--sp;
    if (flags & FUNCTION_KWDEFAULTS)
        function->kwdefaults = *--sp;
    if (flags & FUNCTION_DEFAULTS)
        function->defaults = *--sp;
    *sp++ = from_object(function);
    return sp;
}

/* ---- methods and with ---- */

bool load_method(struct vm *vm, value *at, sym_t name)
{
    value self = at[0];
    const struct type *type = type_of(self);
    if (!type_slot(type, get_attr)) {
        value found = type_find(vm, type, name);
        bool plain = found && (is_exact(found, &type_function) || is_exact(found, &type_native));
        value *attrs = plain ? attrs_of(self) : NULL;
        if (plain && (!attrs || !*attrs || !dict_get_sym(vm, as_dict(*attrs), name))) {
            at[0] = found;
            at[1] = self;
            return true;
        }
    }
    value bound = is_foreign(self) ? foreign_method(vm, self, name) : value_attr(vm, self, name);
    at[0] = NO_VALUE;
    at[1] = bound;
    return bound;
}

static value special(struct vm *vm, value v, sym_t name, const char *missed)
{
    value found = attr_special(vm, v, name);
    if (!found && !vm->error)
        vm_raise(vm, "TypeError", "'%s' object does not support the context manager protocol%s",
                 type_name(v), missed);
    return found;
}

bool with_enter(struct vm *vm, value *at)
{
    value context = at[0];
    value enter = special(vm, context, vm->sym.__enter__, "");
    value exit = enter ? special(vm, context, vm->sym.__exit__, " (missed __exit__ method)")
                       : NO_VALUE;
    if (!exit)
        return false;
    at[0] = exit;
    vm->sp = at + 1;
    value result = vm_call0(vm, enter);
    if (!result)
        return false;
    at[1] = result;
    return true;
}

bool with_exit(struct vm *vm, value exit)
{
    value none[] = {VALUE_NONE, VALUE_NONE, VALUE_NONE};
    return vm_call(vm, exit, none, 3, NO_VALUE);
}

int with_failed(struct vm *vm, value exit, value exception)
{
    value args[] = {type_value(type_of(exception)), exception, traceback_of(vm, exception)};
    value result = vm_call(vm, exit, args, 3, NO_VALUE);
    bool swallowed;
    if (!result || !value_truth(vm, result, &swallowed))
        return -1;
    return swallowed;
}
