// SPDX-License-Identifier: MIT
/* dict and its views. */
#include <string.h>

#include "python/class.h"
#include "python/sequence.h"
#include "python/set.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

static void dict_mark(struct vm *vm, struct object *self)
{
    struct dict *dict = (struct dict *)self;
    for (uint32_t i = 0; i < dict->used; i++) {
        heap_mark(vm, dict->at[i].key);
        heap_mark(vm, dict->at[i].item);
    }
}

static void dict_finish(struct vm *vm, struct object *self)
{
    dict_clear(vm, (struct dict *)self);
}

/* ---- filling ---- */

static bool add_pair(struct vm *vm, value dict, value pair, size_t i)
{
    size_t n;
    value list = is_list(pair) || is_tuple(pair) ? pair : list_from(vm, pair);
    if (!list && vm_failed_with(vm, "TypeError"))
        vm_take_error(vm);
    if (vm->error)
        return false;
    if (!list)
        return vm_raise(vm, "TypeError",
                        "cannot convert dictionary update sequence element #%zu to a sequence", i);
    const value *items = sequence_items(list, &n);
    if (n != 2)
        return vm_raise(vm, "ValueError",
                        "dictionary update sequence element #%zu has length %zu; 2 is required", i,
                        n);
    return dict_set(vm, dict, items[0], items[1]);
}

/* From a mapping or an iterable of pairs. */
bool dict_take(struct vm *vm, value dict, value source)
{
    if (is_dict(source) || value_attr_find(vm, source, vm->sym.keys))
        return dict_merge(vm, dict, source, false);
    struct iter it;
    if (vm->error || !iter_open(vm, source, &it))
        return false;
    size_t i = 0;
    for (value pair; (pair = iter_next(vm, &it)); i++)
        if (!add_pair(vm, dict, pair, i))
            return false;
    return !vm->error;
}

static value dict_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (n > 1)
        return vm_raise(vm, "TypeError", "dict expected at most 1 argument, got %zu", n);
    value dict = from_object(object_new(vm, type));
    if (n && !dict_take(vm, dict, items[0]))
        return NO_VALUE;
    return !kwargs || dict_update(vm, as_dict(dict), as_dict(kwargs)) ? dict : NO_VALUE;
}

/* ---- slots ---- */

static bool show_entries(struct vm *vm, struct dict *dict, struct buf *out)
{
    bool first = true;
    for (uint32_t i = 0; i < dict->used; i++) {
        if (!dict->at[i].key)
            continue;
        value item = dict->at[i].item;
        value key_text = value_repr(vm, dict->at[i].key);
        value item_text = key_text ? value_repr(vm, item) : NO_VALUE;
        if (!item_text)
            return false;
        buf_str(out, first ? "" : ", ");
        buf_add(out, str_text(key_text), as_str(key_text)->len);
        buf_str(out, ": ");
        buf_add(out, str_text(item_text), as_str(item_text)->len);
        first = false;
    }
    return true;
}

static value dict_repr(struct vm *vm, value self)
{
    struct buf out = {0};
    if (!show_begin(vm, self))
        return str_from(vm, "{...}");
    buf_char(&out, '{');
    bool shown = show_entries(vm, as_dict(self), &out);
    buf_char(&out, '}');
    value text = shown ? str_new(vm, buf_text(&out), out.len) : NO_VALUE;
    buf_free(&out);
    show_end(vm);
    return text;
}

static bool dict_length(struct vm *vm, value self, size_t *out)
{
    *out = as_dict(self)->len;
    return true;
}

static value raise_key_error(struct vm *vm, value dict, value key)
{
    value class = dict_get_str(vm, from_object(vm->builtins), "KeyError");
    value error = vm_call1(vm, class, key);
    if (!error)
        return NO_VALUE;
    as_exception(error)->lacking = dict;
    return vm_raise_value(vm, error);
}

static value dict_missing(struct vm *vm, value self, value key)
{
    value hook = type_of(self)->info ? attr_special(vm, self, vm->sym.__missing__) : NO_VALUE;
    if (hook)
        return vm_call(vm, hook, &key, 1, NO_VALUE);
    return vm->error ? NO_VALUE : raise_key_error(vm, self, key);
}

static value dict_get_index(struct vm *vm, value self, value key)
{
    value item = dict_get(vm, self, key);
    return item || vm->error ? item : dict_missing(vm, self, key);
}

static bool dict_set_index(struct vm *vm, value self, value key, value item)
{
    if (item)
        return dict_set(vm, self, key, item);
    return dict_delete(vm, self, key) || vm->error ? !vm->error : raise_key_error(vm, self, key);
}

static bool dict_contains(struct vm *vm, value self, value key, bool *out)
{
    *out = dict_get(vm, self, key);
    return *out || !vm->error;
}

static value dict_compare(struct vm *vm, int op, value a, value b)
{
    if (!is_dict(b) || (op != OP_EQ && op != OP_NE))
        return VALUE_NOT_IMPLEMENTED;
    bool same = dict_len(a) == dict_len(b);
    value key, item;
    for (size_t pos = 0; same && dict_next(a, &pos, &key, &item);) {
        value other = dict_get(vm, b, key);
        same = other;
        if (vm->error || (other && !value_equal(vm, item, other, &same)))
            return NO_VALUE;
    }
    return value_bool(same == (op == OP_EQ));
}

static value dict_binary(struct vm *vm, int op, value a, value b)
{
    if (op != OP_BITOR || !is_dict(a) || !is_dict(b))
        return VALUE_NOT_IMPLEMENTED;
    value both = dict_copy(vm, &type_dict, as_dict(a));
    return dict_update(vm, as_dict(both), as_dict(b)) ? both : NO_VALUE;
}

static value dict_iter(struct vm *vm, value self)
{
    return from_object(iterator_new(vm, ITER_KEYS, self));
}

/* ---- methods ---- */

// dict.__init__(iterable, **kwargs), dict.update
static value dict_init(struct vm *vm, const struct args *args)
{
    if (arg_given(args, 1) && !dict_take(vm, args->at[0], args->at[1]))
        return NO_VALUE;
    return dict_update(vm, as_dict(args->at[0]), as_dict(args->at[2])) ? VALUE_NONE : NO_VALUE;
}

// dict.get(key, default=None)
static value dict_get_method(struct vm *vm, const struct args *args)
{
    value item = dict_get(vm, args->at[0], args->at[1]);
    return item || vm->error ? item : arg_or(args, 2, VALUE_NONE);
}

// dict.setdefault(key, default=None)
static value dict_setdefault(struct vm *vm, const struct args *args)
{
    bool added;
    struct dict_entry *entry = dict_place(vm, as_dict(args->at[0]), args->at[1], &added);
    if (entry && added)
        entry->item = arg_or(args, 2, VALUE_NONE);
    return entry ? entry->item : NO_VALUE;
}

// dict.pop(key, default)
static value dict_pop(struct vm *vm, const struct args *args)
{
    value item = dict_get(vm, args->at[0], args->at[1]);
    if (item)
        dict_delete(vm, args->at[0], args->at[1]);
    if (item || vm->error)
        return item;
    return arg_given(args, 2) ? args->at[2] : raise_key_error(vm, args->at[0], args->at[1]);
}

// dict.popitem()
static value dict_popitem(struct vm *vm, const struct args *args)
{
    struct dict *dict = as_dict(args->at[0]);
    uint32_t i = dict_behind(dict, dict->used);
    if (!i) {
        value text = str_from(vm, "popitem(): dictionary is empty");
        return vm_raise_value(
            vm, vm_call1(vm, dict_get_str(vm, from_object(vm->builtins), "KeyError"), text));
    }
    value pair[] = {dict->at[i - 1].key, dict->at[i - 1].item};
    dict_drop(vm, dict, &dict->at[i - 1]);
    return tuple_new(vm, pair, 2);
}

// dict.clear()
static value dict_clear_method(struct vm *vm, const struct args *args)
{
    dict_clear(vm, as_dict(args->at[0]));
    return VALUE_NONE;
}

// dict.copy()
static value dict_copy_method(struct vm *vm, const struct args *args)
{
    return dict_copy(vm, &type_dict, as_dict(args->at[0]));
}

static value view_new(struct vm *vm, const struct type *type, value dict)
{
    struct view *view = object_new(vm, type);
    view->dict = dict;
    return from_object(view);
}

// dict.keys()
static value dict_keys(struct vm *vm, const struct args *args)
{
    return view_new(vm, &type_dict_keys, args->at[0]);
}

// dict.values()
static value dict_values(struct vm *vm, const struct args *args)
{
    return view_new(vm, &type_dict_values, args->at[0]);
}

// dict.items()
static value dict_items(struct vm *vm, const struct args *args)
{
    return view_new(vm, &type_dict_items, args->at[0]);
}

// dict.fromkeys(iterable, value=None)
static value dict_fromkeys(struct vm *vm, const struct args *args)
{
    struct iter it;
    bool plain = args->at[0] == type_value(&type_dict);
    value dict = plain ? dict_new(vm) : vm_call0(vm, args->at[0]);
    if (!dict || !iter_open(vm, args->at[1], &it))
        return NO_VALUE;
    value item = arg_or(args, 2, VALUE_NONE);
    for (value key; (key = iter_next(vm, &it));)
        if (!(plain ? dict_set(vm, dict, key, item) : value_set_index(vm, dict, key, item)))
            return NO_VALUE;
    return vm->error ? NO_VALUE : dict;
}

// dict.__reversed__()
static value dict_reversed(struct vm *vm, const struct args *args)
{
    return from_object(iterator_new(vm, ITER_KEYS_BACK, args->at[0]));
}

// dict.__ior__(other)
static value dict_ior(struct vm *vm, const struct args *args)
{
    return dict_take(vm, args->at[0], args->at[1]) ? args->at[0] : NO_VALUE;
}

static const struct native_def dict_methods[] = {
    {"__ior__", dict_ior, "self value /", ""},
    {"__init__", dict_init, "self iterable=() / **kwargs", ""},
    {"get", dict_get_method, "self key default=None /", "The item of key, or default."},
    {"setdefault", dict_setdefault, "self key default=None /",
     "The item of key, set to default if absent."},
    {"pop", dict_pop, "self key default=None /", "Takes a key out and returns its item."},
    {"popitem", dict_popitem, "self", "Takes out the last pair."},
    {"update", dict_init, "self iterable=() / **kwargs", "Sets the items of another mapping."},
    {"clear", dict_clear_method, "self", "Takes out everything."},
    {"copy", dict_copy_method, "self", "A new dict of the same items."},
    {"keys", dict_keys, "self", "A view of the keys."},
    {"values", dict_values, "self", "A view of the items."},
    {"items", dict_items, "self", "A view of (key, item) pairs."},
    {"fromkeys", dict_fromkeys, "cls iterable value=None /",
     "A dict with these keys and one value."},
    {"__reversed__", dict_reversed, "self", ""},
    {0}};

const struct type type_dict = {
    .object = {.type = &type_type},
    .name = "dict",
    .size = sizeof(struct dict),
    .methods = dict_methods,
    .mark = dict_mark,
    .finish = dict_finish,
    .make = dict_make,
    .repr = dict_repr,
    .len = dict_length,
    .get_index = dict_get_index,
    .set_index = dict_set_index,
    .contains = dict_contains,
    .compare = dict_compare,
    .binary = dict_binary,
    .hash = unhashable,
    .iter = dict_iter,
};

/* ---- views ---- */

static struct view *as_view(value v)
{
    return (struct view *)as_object(v);
}

static void view_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct view *)self)->dict);
}

static bool view_len(struct vm *vm, value self, size_t *out)
{
    *out = dict_len(as_view(self)->dict);
    return true;
}

static value view_iter(struct vm *vm, value self)
{
    const struct type *type = type_of(self);
    enum iterator_kind kind = type == &type_dict_keys     ? ITER_KEYS
                              : type == &type_dict_values ? ITER_VALUES
                                                          : ITER_ITEMS;
    return from_object(iterator_new(vm, kind, as_view(self)->dict));
}

static value view_repr(struct vm *vm, value self)
{
    value list = list_from(vm, self);
    value text = list ? value_repr(vm, list) : NO_VALUE;
    return text ? str_printf(vm, "%s(%s)", type_name(self), str_text(text)) : NO_VALUE;
}

static bool keys_contains(struct vm *vm, value self, value key, bool *out)
{
    return dict_contains(vm, as_view(self)->dict, key, out);
}

static bool items_contains(struct vm *vm, value self, value pair, bool *out)
{
    size_t n;
    const value *items = sequence_items(pair, &n);
    value item = items && n == 2 ? dict_get(vm, as_view(self)->dict, items[0]) : NO_VALUE;
    *out = false;
    return item ? value_equal(vm, item, items[1], out) : !vm->error;
}

static value view_set(struct vm *vm, value v)
{
    value set = set_new(vm);
    bool keys = is_exact(v, &type_dict_keys) && is_exact(as_view(v)->dict, &type_dict);
    return set_update(vm, set, keys ? as_view(v)->dict : v) ? set : NO_VALUE;
}

static bool is_setlike(value v)
{
    return is_exact(v, &type_dict_keys) || is_exact(v, &type_dict_items) || is_set(v);
}

/* What is in the view a and in an iterable. */
static value view_intersect(struct vm *vm, value a, value b)
{
    struct iter it;
    size_t na, nb = 0;
    bool in, view = is_setlike(b) && !is_set(b);
    if (!value_len(vm, a, &na) || (is_setlike(b) && !value_len(vm, b, &nb)))
        return NO_VALUE;
    if (is_exact(b, &type_set) && na <= nb)
        return vm_call_method(vm, b, "intersection", &a, 1);
    bool swap = view && nb > na;
    value set = set_new(vm), within = swap ? b : a;
    if (!iter_open(vm, swap ? a : b, &it))
        return NO_VALUE;
    for (value item; (item = iter_next(vm, &it)) && value_contains(vm, within, item, &in);)
        if (in && !set_add(vm, set, item))
            break;
    return vm->error ? NO_VALUE : set;
}

/* Adds the pairs of view a that are not in view b. */
static bool add_others(struct vm *vm, value set, value a, value b)
{
    struct iter it;
    bool in, open = iter_open(vm, a, &it);
    for (value item; open && (item = iter_next(vm, &it)) && value_contains(vm, b, item, &in);)
        if (!in && !set_add(vm, set, item))
            break;
    return !vm->error;
}

/* Views of keys and items behave as sets; sets of numbers show how CPython makes the result. */
static value view_binary(struct vm *vm, int op, value a, value b)
{
    if (op == OP_BITAND)
        return is_exact(a, &type_dict_keys) || is_exact(a, &type_dict_items)
                   ? view_intersect(vm, a, b)
                   : view_intersect(vm, b, a);
    if (op == OP_BITXOR && is_exact(a, &type_dict_items) && is_exact(b, &type_dict_items)) {
        value set = set_new(vm);
        return add_others(vm, set, b, a) && add_others(vm, set, a, b) ? set : NO_VALUE;
    }
    const char *method = op == OP_SUB      ? "difference_update"
                         : op == OP_BITOR  ? "update"
                         : op == OP_BITXOR ? "symmetric_difference_update"
                                           : NULL;
    if (!method)
        return VALUE_NOT_IMPLEMENTED;
    value set = view_set(vm, a);
    return set && vm_call_method(vm, set, method, &b, 1) ? set : NO_VALUE;
}

/* Whether all of a is in b. Not by making sets of them: the items of a dict need not be
 * hashable. */
static bool view_within(struct vm *vm, value a, value b)
{
    struct iter it;
    bool within = iter_open(vm, a, &it);
    for (value item; within && (item = iter_next(vm, &it));)
        within = value_contains(vm, b, item, &within) && within;
    return within && !vm->error;
}

static value view_compare(struct vm *vm, int op, value a, value b)
{
    size_t na, nb;
    if (!is_setlike(b))
        return VALUE_NOT_IMPLEMENTED;
    if (!value_len(vm, a, &na) || !value_len(vm, b, &nb))
        return NO_VALUE;
    return sets_compare(vm, op, (struct counted){a, na}, (struct counted){b, nb}, view_within);
}

static value view_reversed(struct vm *vm, const struct args *args)
{
    const struct type *type = type_of(args->at[0]);
    enum iterator_kind kind = type == &type_dict_keys     ? ITER_KEYS_BACK
                              : type == &type_dict_values ? ITER_VALUES_BACK
                                                          : ITER_ITEMS_BACK;
    return from_object(iterator_new(vm, kind, as_view(args->at[0])->dict));
}

static value view_isdisjoint(struct vm *vm, const struct args *args)
{
    value both = view_binary(vm, OP_BITAND, args->at[0], args->at[1]);
    return both ? value_bool(!set_len(both)) : NO_VALUE;
}

static const struct native_def view_methods[] = {
    {"__reversed__", view_reversed, "self", ""},
    {"isdisjoint", view_isdisjoint, "self other /", "Whether nothing is in both."},
    {0}};

static value view_mapping(struct vm *vm, const struct args *args)
{
    return mappingproxy_new(vm, as_view(args->at[0])->dict);
}

static const struct native_def view_properties[] = {
    {"mapping", view_mapping, "self", "The dict, to be read."}, {0}};

#define VIEW                                                                                       \
    .object = {.type = &type_type}, .size = sizeof(struct view), .methods = view_methods,          \
    .properties = view_properties, .mark = view_mark, .len = view_len, .iter = view_iter,          \
    .repr = view_repr
const struct type type_dict_keys = {VIEW,
                                    .name = "dict_keys",
                                    .contains = keys_contains,
                                    .binary = view_binary,
                                    .compare = view_compare,
                                    .hash = unhashable};
const struct type type_dict_values = {VIEW, .name = "dict_values"};
const struct type type_dict_items = {VIEW,
                                     .name = "dict_items",
                                     .contains = items_contains,
                                     .binary = view_binary,
                                     .compare = view_compare,
                                     .hash = unhashable};
