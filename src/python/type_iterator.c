// SPDX-License-Identifier: MIT
/* Iterators over the built-in containers. */
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

struct iterator *iterator_new(struct vm *vm, enum iterator_kind kind, value source)
{
    struct iterator *it = object_alloc(vm, &type_iterator, sizeof *it);
    it->source = source;
    it->sentinel = NO_VALUE;
    it->pos = it->step = it->left = 0;
    it->len = 0;
    it->kind = (uint8_t)kind;
    if (kind == ITER_LIST_BACK)
        it->pos = as_list(source)->len;
    if (kind >= ITER_KEYS && kind <= ITER_ITEMS)
        it->left = it->len = as_dict(source)->len;
    if (kind >= ITER_KEYS_BACK && kind <= ITER_ITEMS_BACK) {
        it->len = as_dict(source)->len;
        it->pos = as_dict(source)->used;
    }
    if (kind == ITER_SET)
        it->len = (uint32_t)set_len(source);
    return it;
}

static value finished(struct iterator *it)
{
    it->kind = ITER_DONE;
    it->source = VALUE_NONE;
    return NO_VALUE;
}

static value entry_value(struct vm *vm, const struct dict_entry *entry, enum iterator_kind kind)
{
    if (kind == ITER_KEYS || kind == ITER_KEYS_BACK)
        return entry->key;
    if (kind == ITER_VALUES || kind == ITER_VALUES_BACK)
        return entry->item;
    value pair[] = {entry->key, entry->item};
    return tuple_new(vm, pair, 2);
}

static value resized(struct vm *vm, struct iterator *it, const char *what)
{
    finished(it);
    return vm_raise(vm, "RuntimeError", "%s changed size during iteration", what);
}

static value next_item(struct vm *vm, struct iterator *it)
{
    size_t pos = (size_t)it->pos;
    value item;
    if (set_len(it->source) != it->len)
        return resized(vm, it, "Set");
    if (!set_next(it->source, &pos, &item))
        return finished(it);
    it->pos = (int64_t)pos;
    return item;
}

static value next_entry(struct vm *vm, struct iterator *it)
{
    const struct dict *dict = as_dict(it->source);
    bool back = it->kind >= ITER_KEYS_BACK;
    if (dict->len != it->len)
        return resized(vm, it, "dictionary");
    if (back && it->pos > dict->used) /* it was packed */
        it->pos = dict->used;
    while (back ? it->pos > 0 : it->pos < dict->used) {
        const struct dict_entry *entry = &dict->at[back ? it->pos - 1 : it->pos];
        if (!entry->key) {
            it->pos = back ? dict_behind(dict, (uint32_t)it->pos)
                           : dict_ahead(dict, (uint32_t)it->pos);
            continue;
        }
        it->pos += back ? -1 : 1;
        if (!back && it->left-- == 0) {
            finished(it);
            return vm_raise(vm, "RuntimeError", "dictionary keys changed during iteration");
        }
        return entry_value(vm, entry, (enum iterator_kind)it->kind);
    }
    return finished(it);
}

/* Bytes of the code point that begins here. */
static size_t utf8_length_at(const char *at)
{
    unsigned char first = (unsigned char)*at;
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static value next_char(struct vm *vm, struct iterator *it)
{
    const struct str *str = as_str(it->source);
    if (it->pos >= str->len)
        return finished(it);
    size_t n = utf8_length_at(str->text + it->pos);
    value item = str_new(vm, str->text + it->pos, n);
    it->pos += (int64_t)n;
    return item;
}

static value next_index(struct vm *vm, struct iterator *it)
{
    value item = value_index(vm, it->source, small(it->pos++));
    if (item)
        return item;
    if (vm_failed_with(vm, "IndexError") || vm_failed_with(vm, "StopIteration")) {
        vm_take_error(vm);
        finished(it);
    }
    return NO_VALUE;
}

static value next_call(struct vm *vm, struct iterator *it)
{
    bool last;
    value item = vm_call0(vm, it->source);
    if (!item && vm_failed_with(vm, "StopIteration")) {
        vm_take_error(vm);
        return finished(it);
    }
    if (!item || !value_equal(vm, item, it->sentinel, &last))
        return NO_VALUE;
    return last ? finished(it) : item;
}

value iterator_next(struct vm *vm, struct iterator *it)
{
    size_t len;
    const value *items;
    switch (it->kind) {
    case ITER_LIST:
    case ITER_TUPLE:
        items = sequence_items(it->source, &len);
        return (size_t)it->pos < len ? items[it->pos++] : finished(it);
    case ITER_LIST_BACK:
        items = sequence_items(it->source, &len);
        return it->pos > 0 && (size_t)it->pos <= len ? items[--it->pos] : finished(it);
    case ITER_RANGE:
        if (it->left <= 0)
            return finished(it);
        it->left--;
        it->pos += it->step;
        return small(it->pos - it->step);
    case ITER_STR: return next_char(vm, it);
    case ITER_INDEX:
    case ITER_BYTES: return next_index(vm, it);
    case ITER_CALL: return next_call(vm, it);
    case ITER_SET: return next_item(vm, it);
    case ITER_DONE: return NO_VALUE;
    default: return next_entry(vm, it);
    }
}

static value next_slot(struct vm *vm, value self)
{
    return iterator_next(vm, as_iterator(self));
}

static void iterator_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct iterator *)self)->source);
    heap_mark(vm, ((struct iterator *)self)->sentinel);
}

static value iterator_iter(struct vm *vm, value self)
{
    return self;
}

static value iterator_repr(struct vm *vm, value self)
{
    static const char *const names[] = {"list_iterator",
                                        "tuple_iterator",
                                        "range_iterator",
                                        "dict_keyiterator",
                                        "dict_valueiterator",
                                        "dict_itemiterator",
                                        "str_iterator",
                                        "bytes_iterator",
                                        "list_reverseiterator",
                                        "dict_reversekeyiterator",
                                        "dict_reversevalueiterator",
                                        "dict_reverseitemiterator",
                                        "set_iterator",
                                        "iterator",
                                        "callable_iterator",
                                        "iterator"};
    return str_printf(vm, "<%s object at 0x%llx>", names[as_iterator(self)->kind],
                      (unsigned long long)self);
}

const struct type type_iterator = {
    .object = {.type = &type_type},
    .name = "iterator",
    .size = sizeof(struct iterator),
    .mark = iterator_mark,
    .repr = iterator_repr,
    .iter = iterator_iter,
    .next = next_slot,
};
