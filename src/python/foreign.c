// SPDX-License-Identifier: MIT
/* Handles of foreign objects. A foreign class is a struct type of its own, made when the first of
 * its objects comes here; it has the slots that the class has methods for, so that callable(),
 * truth and errors are Python's. */
#include "python/foreign.h"

#include <string.h>

#include "base/memory.h"
#include "python/class.h"
#include "python/foreign_link.h"
#include "python/library.h"

enum { HANDLE_WEIGHT = 512 /* bytes that a handle counts for: what it holds is elsewhere */ };

static void handle_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct handle *)self)->ahead);
}

static void handle_finish(struct vm *vm, struct object *self)
{
    struct handle *handle = (struct handle *)self;
    struct foreign *f = vm->foreign;
    f->handles.at[handle->id] = NULL;
    vec_push(&f->released, handle->id);
    vec_push(&f->released, handle->got);
    heap_owns(vm, -HANDLE_WEIGHT);
}

bool is_foreign_class(value v)
{
    return is_foreign(v) && class_of_handle(v)->can & CAN_CLASS;
}

/* ---- slots ---- */

/* What foreign code was called by: if by an instruction of the outermost evaluation, nothing but
 * the stack of values is needed until it returns, and its calls back may sweep. */
static void note_caller(struct vm *vm)
{
    vm->foreign->sweepable = vm->entries == 1 && !vm->natives;
}

static value handle_call(struct vm *vm, value self, value args, value kwargs)
{
    note_caller(vm);
    value more[] = {args, value_or_none(kwargs)};
    return foreign_ask(vm, FOREIGN_CALL, self, more, 2);
}

static value ask_text(struct vm *vm, enum foreign_op op, value self, value spec)
{
    value text = foreign_ask(vm, op, self, &spec, spec ? 1 : 0);
    return !text || is_str(text)
               ? text
               : vm_raise(vm, "TypeError", "str expected, not %s", type_name(text));
}

static value handle_repr(struct vm *vm, value self)
{
    return ask_text(vm, FOREIGN_REPR, self, NO_VALUE);
}

static value handle_str(struct vm *vm, value self)
{
    return ask_text(vm, FOREIGN_STR, self, NO_VALUE);
}

static value handle_format(struct vm *vm, value self, value spec)
{
    return ask_text(vm, FOREIGN_FORMAT, self, spec);
}

static bool handle_truth(struct vm *vm, value self, bool *out)
{
    return foreign_ask_bool(vm, FOREIGN_TRUTH, self, NULL, 0, out);
}

static bool handle_hash(struct vm *vm, value self, uint64_t *out)
{
    value like = foreign_ask(vm, FOREIGN_HASH, self, NULL, 0);
    return like && value_hash(vm, like, out);
}

static value handle_compare(struct vm *vm, int op, value a, value b)
{
    value args[] = {small(op - OP_EQ), a, b};
    return foreign_ask(vm, FOREIGN_COMPARE, NO_VALUE, args, 3);
}

static value handle_binary(struct vm *vm, int op, value a, value b)
{
    value args[] = {small(op - OP_ADD), a, b};
    return foreign_ask(vm, FOREIGN_BINARY, NO_VALUE, args, 3);
}

static value handle_inplace(struct vm *vm, int op, value self, value other)
{
    value args[] = {small(op - OP_ADD), self, other};
    return foreign_ask(vm, FOREIGN_INPLACE, NO_VALUE, args, 3);
}

static value handle_unary(struct vm *vm, int op, value self)
{
    value which = small(op == OP_NEG ? 0 : op == OP_POS ? 1 : 2);
    return foreign_ask(vm, FOREIGN_UNARY, self, &which, 1);
}

static bool handle_len(struct vm *vm, value self, size_t *out)
{
    value len = foreign_ask(vm, FOREIGN_LEN, self, NULL, 0);
    if (len)
        *out = (size_t)small_int(len);
    return len;
}

static value handle_get_index(struct vm *vm, value self, value key)
{
    return foreign_ask(vm, FOREIGN_GETITEM, self, &key, 1);
}

static bool handle_set_index(struct vm *vm, value self, value key, value item)
{
    value args[] = {key, item};
    return foreign_ask(vm, item ? FOREIGN_SETITEM : FOREIGN_DELITEM, self, args, item ? 2 : 1);
}

static bool handle_contains(struct vm *vm, value self, value item, bool *out)
{
    return foreign_ask_bool(vm, FOREIGN_CONTAINS, self, &item, 1, out);
}

static value handle_get_attr(struct vm *vm, value self, sym_t name)
{
    value text = str_from_sym(vm, name);
    return foreign_ask(vm, FOREIGN_GETATTR, self, &text, 1);
}

static bool handle_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    value args[] = {str_from_sym(vm, name), item};
    return foreign_ask(vm, item ? FOREIGN_SETATTR : FOREIGN_DELATTR, self, args, item ? 2 : 1);
}

/* ---- iterating: some items come at a time where nobody can tell ---- */

/* The list and whether it is the end, as FOREIGN_MORE answers. */
static void take_ahead(struct handle *handle, value items, value done)
{
    handle->ahead = items;
    handle->pos = 0;
    handle->done = done == VALUE_TRUE;
}

static value handle_next(struct vm *vm, value self)
{
    struct handle *handle = as_handle(self);
    for (;;) {
        size_t n = 0;
        const value *items = handle->ahead ? sequence_items(handle->ahead, &n) : NULL;
        if (handle->pos < n)
            return items[handle->pos++];
        handle->ahead = NO_VALUE;
        if (handle->done)
            return NO_VALUE;
        value some = foreign_ask(vm, FOREIGN_MORE, self, NULL, 0);
        const value *pair = some ? sequence_items(some, &n) : NULL;
        if (!pair || n != 2)
            return NO_VALUE;
        take_ahead(handle, pair[0], pair[1]);
        sequence_items(pair[0], &n);
        if (!n) /* a generator may be asked again */
            return NO_VALUE;
    }
}

static value handle_iter(struct vm *vm, value self)
{
    if (class_of_handle(self)->can & CAN_NEXT)
        return self;
    size_t n;
    value begun = foreign_ask(vm, FOREIGN_ITER, self, NULL, 0);
    const value *three = begun ? sequence_items(begun, &n) : NULL;
    if (!three || n != 3)
        return NO_VALUE;
    if (!is_foreign(three[0]))
        return value_iter(vm, three[0] == VALUE_NONE ? three[1] : three[0]);
    take_ahead(as_handle(three[0]), three[1], three[2]);
    return three[0];
}

/* ---- classes and handles ---- */

void class_add(struct vm *vm, uint32_t number, const char *module, const char *name, uint32_t can)
{
    struct foreign *f = vm->foreign;
    struct foreign_class *class = memory_zeroed(1, sizeof *class);
    class->can = can;
    class->name = memory_text(name);
    class->module = str_from(vm, module);
    class->type = (struct type){
        .object = {.type = &type_type},
        .name = class->name,
        .size = sizeof(struct handle),
        .mark = handle_mark,
        .finish = handle_finish,
        .repr = handle_repr,
        .str = handle_str,
        .hash = handle_hash,
        .format = handle_format,
        .compare = handle_compare,
        .binary = handle_binary,
        .inplace = handle_inplace,
        .unary = handle_unary,
        .get_attr = handle_get_attr,
        .set_attr = handle_set_attr,
        .call = can & CAN_CALL ? handle_call : NULL,
        .len = can & CAN_LEN ? handle_len : NULL,
        .truth = can & (CAN_TRUTH | CAN_LEN) ? handle_truth : NULL,
        .get_index = can & CAN_GETITEM ? handle_get_index : NULL,
        .set_index = can & CAN_SETITEM ? handle_set_index : NULL,
        .contains = can & (CAN_CONTAINS | CAN_ITER | CAN_GETITEM) ? handle_contains : NULL,
        .iter = can & CAN_ITER || (can & CAN_GETITEM && !(can & CAN_CLASS)) ? handle_iter : NULL,
        .next = can & CAN_NEXT ? handle_next : NULL,
        .foreign = true,
    };
    vec_reach(&f->classes, number);
    f->classes.at[number] = class;
}

value handle_of(struct vm *vm, uint32_t id, uint32_t class)
{
    struct foreign *f = vm->foreign;
    vec_reach(&f->handles, id);
    struct handle *handle = f->handles.at[id];
    if (!handle) {
        handle = object_new(vm, &f->classes.at[class]->type);
        handle->id = id;
        f->handles.at[id] = handle;
        heap_owns(vm, HANDLE_WEIGHT);
    }
    handle->got++;
    return from_object(handle);
}

/* ---- what builtins ask ---- */

value foreign_type(struct vm *vm, value v)
{
    return foreign_ask(vm, FOREIGN_TYPE, v, NULL, 0);
}

/* Python's own class for one of lib/ here: what is derived from that over there is not derived from
 * ours. */
static value class_over_there(struct vm *vm, value class)
{
    value module = is_type(class) && as_type(class)->info
                       ? dict_get_sym(vm, as_dict(as_type(class)->info->dict), vm->sym.__module__)
                       : NO_VALUE;
    if (!module || !is_str(module) || !library_find(str_text(module)))
        return class;
    value there = foreign_import(vm, str_text(module));
    there = there ? value_attr_find(vm, there, intern_str(vm->names, as_type(class)->name))
                  : NO_VALUE;
    return there ? there : vm->error ? NO_VALUE : class;
}

value foreign_plain(struct vm *vm, value v)
{
    const struct type *const types[] = {&type_float, &type_int, &type_dict, &type_list,
                                        &type_tuple};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        bool yes;
        if (!foreign_isinstance(vm, v, type_value(types[i]), &yes))
            return NO_VALUE;
        if (yes)
            return vm_call1(vm, type_value(types[i]), v);
    }
    return v;
}

bool foreign_issubclass(struct vm *vm, value a, value b, bool *out)
{
    value args[] = {a, class_over_there(vm, b)};
    return args[1] && foreign_ask_bool(vm, FOREIGN_ISSUBCLASS, NO_VALUE, args, 2, out);
}

/* An exception of ours is asked for its class, which may be derived from a foreign one. */
bool foreign_isinstance(struct vm *vm, value v, value class, bool *out)
{
    if (is_instance(v, &type_exception))
        return foreign_issubclass(vm, type_value(type_of(v)), class, out);
    value args[] = {v, class_over_there(vm, class)};
    return args[1] && foreign_ask_bool(vm, FOREIGN_ISINSTANCE, NO_VALUE, args, 2, out);
}

value foreign_dir(struct vm *vm, value v)
{
    return foreign_ask(vm, FOREIGN_DIR, v, NULL, 0);
}

value foreign_pickle(struct vm *vm, value v)
{
    return foreign_ask(vm, FOREIGN_PICKLE, v, NULL, 0);
}

value foreign_bytes(struct vm *vm, value v)
{
    return foreign_ask(vm, FOREIGN_BYTES, v, NULL, 0);
}

value foreign_buffer(struct vm *vm, value v)
{
    return foreign_ask(vm, FOREIGN_BUFFER, v, NULL, 0);
}

/* ---- v.name(...) in one go ---- */

struct foreign_method {
    struct object object;
    value self, name;
};

static void foreign_method_mark(struct vm *vm, struct object *object)
{
    heap_mark(vm, ((struct foreign_method *)object)->self);
    heap_mark(vm, ((struct foreign_method *)object)->name);
}

static value foreign_method_call(struct vm *vm, value v, value args, value kwargs)
{
    const struct foreign_method *method = (const struct foreign_method *)as_object(v);
    note_caller(vm);
    value more[] = {method->name, args, value_or_none(kwargs)};
    return foreign_ask(vm, FOREIGN_METHOD, method->self, more, 3);
}

static const struct type type_foreign_method = {
    .object = {.type = &type_type},
    .name = "method",
    .size = sizeof(struct foreign_method),
    .mark = foreign_method_mark,
    .call = foreign_method_call,
};

value foreign_method(struct vm *vm, value v, sym_t name)
{
    struct foreign_method *method = object_new(vm, &type_foreign_method);
    method->self = v;
    method->name = str_from_sym(vm, name);
    return from_object(method);
}
