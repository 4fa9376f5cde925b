// SPDX-License-Identifier: MIT
/* How classes are made: the body is executed, the bases are put in order, and slots are filled. */
#include "python/class.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "python/call.h"
#include "python/class_slots.h"
#include "python/foreign.h"
#include "python/vm_state.h"

/* ---- the order of bases ---- */

/* Names the heads of the lists, none of which can come next. */
static bool complain_order(struct vm *vm, const struct type **const *lists, const uint32_t *len,
                           const uint32_t *at, uint32_t n)
{
    struct buf names = {0};
    for (uint32_t i = 0; i <= n; i++) {
        bool named = at[i] == len[i];
        for (uint32_t j = 0; j < i && !named; j++)
            named = at[j] < len[j] && lists[j][at[j]] == lists[i][at[i]];
        if (!named)
            buf_printf(&names, "%s%s", names.len ? ", " : "", lists[i][at[i]]->name);
    }
    vm_raise(vm, "TypeError",
             "Cannot create a consistent method resolution\norder (MRO) for bases %s",
             buf_text(&names));
    buf_free(&names);
    return false;
}

/* C3: repeatedly the first head that is in no other list's tail. */
static bool linearize(struct vm *vm, struct class *class, const struct tuple *bases)
{
    uint32_t n = bases->len, total = 1;
    const struct type **lists[64];
    const struct type *native[64][16];
    uint32_t len[65], at[65] = {0};
    if (n > 63) {
        vm_raise(vm, "TypeError", "too many bases");
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct type *base = as_type(bases->at[i]);
        for (uint32_t j = 0; j < i; j++)
            if (bases->at[j] == bases->at[i])
                return vm_raise(vm, "TypeError", "duplicate base class %s", base->name);
        if (base->info) {
            lists[i] = base->info->mro;
            len[i] = base->info->nmro;
        } else {
            len[i] = 0;
            for (const struct type *t = base; t && len[i] < 15; t = t->base)
                if (t != &type_object)
                    native[i][len[i]++] = t;
            native[i][len[i]++] = &type_object;
            lists[i] = native[i];
        }
        total += len[i];
    }
    const struct type *own[64];
    for (uint32_t i = 0; i < n; i++)
        own[i] = as_type(bases->at[i]);
    lists[n] = own;
    len[n] = n;
    const struct type **mro = memory_zeroed(total + 1, sizeof *mro);
    uint32_t count = 0;
    mro[count++] = &class->type;
    for (;;) {
        const struct type *next = NULL;
        bool left = false;
        for (uint32_t i = 0; i <= n && !next; i++) {
            if (at[i] == len[i])
                continue;
            left = true;
            next = lists[i][at[i]];
            for (uint32_t j = 0; j <= n && next; j++)
                for (uint32_t k = at[j] + 1; k < len[j] && next; k++)
                    if (lists[j][k] == next)
                        next = NULL;
        }
        if (!left)
            break;
        if (!next) {
            free(mro);
            return complain_order(vm, lists, len, at, n);
        }
        mro[count++] = next;
        for (uint32_t i = 0; i <= n; i++)
            at[i] += at[i] < len[i] && lists[i][at[i]] == next;
    }
    class->info.mro = mro;
    class->info.nmro = count;
    return true;
}

/* ---- what a class is made of ---- */

/* The native type whose layout the bases agree on. */
static const struct type *native_base(struct vm *vm, const struct tuple *bases)
{
    const struct type *native = &type_object;
    for (uint32_t i = 0; i < bases->len; i++) {
        const struct type *layout = layout_of(as_type(bases->at[i]));
        if (layout == &type_bool || layout == &type_none || layout == &type_function ||
            layout == &type_range || layout == &type_slice || layout == &type_generator ||
            layout == &type_coroutine || layout == &type_native)
            return (const struct type *)vm_raise(
                vm, "TypeError", "type '%s' is not an acceptable base type", layout->name);
        if (layout->size == type_object.size && layout->attrs == type_object.attrs &&
            layout != native)
            layout = native == &type_object ? layout : native;
        if (is_subtype(native, layout))
            continue;
        if (!is_subtype(layout, native))
            return (const struct type *)vm_raise(vm, "TypeError",
                                                 "multiple bases have instance lay-out conflict");
        native = layout;
    }
    return native;
}

static void class_layout(struct class *class, const struct type *native, const struct type *first,
                         bool slots)
{
    struct type *type = &class->type;
    struct object header = type->object;
    *type = *native;
    type->object = header;
    type->methods = type->properties = NULL;
    type->base = first;
    bool varies = native == &type_str || native == &type_tuple || native == &type_bytes ||
                  native == &type_int;
    if (varies) {
        type->attrs = slots ? first->attrs : ATTRS_BEHIND;
    } else if (!native->attrs && native != &type_type) { /* a class has its own dict */
        type->attrs = native->size;
        type->size = native->size + sizeof(value);
    }
}

void class_rename(struct vm *vm, struct class *class, value name)
{
    char *text = memory_text(str_text(name));
    free(class->text);
    class->type.name = class->text = text;
    class->info.name = str_sym(vm, name);
}

static bool name_set(struct vm *vm, value class, value dict)
{
    value key, item;
    for (size_t pos = 0; dict_next(dict, &pos, &key, &item);) {
        value hook = is_object(item) && as_object(item)->type->info
                         ? type_find(vm, as_object(item)->type, vm->sym.__set_name__)
                         : NO_VALUE;
        value args[] = {item, class, key};
        if (hook && !vm_call(vm, hook, args, 3, NO_VALUE))
            return false;
    }
    return true;
}

/* ---- metaclasses and bases ---- */

/* The most derived of a metaclass and those of the bases; NULL: raised. */
static const struct type *metaclass_of(struct vm *vm, const struct type *metaclass, value bases)
{
    size_t n;
    const value *items = sequence_items(bases, &n);
    for (size_t i = 0; i < n; i++) {
        const struct type *other = is_type(items[i]) ? type_of(items[i]) : &type_type;
        if (is_subtype(metaclass, other))
            continue;
        if (!is_subtype(other, metaclass))
            return (const struct type *)vm_raise(
                vm, "TypeError",
                "metaclass conflict: the metaclass of a derived class must be a "
                "(non-strict) subclass of the metaclasses of all its bases");
        metaclass = other;
    }
    return metaclass;
}

static value call_metaclass(struct vm *vm, const struct class_parts *parts)
{
    value args[] = {parts->name, parts->bases, parts->dict};
    return vm_call(vm, type_value(parts->metaclass), args, 3, parts->keywords);
}

/* Bases that stand for classes are replaced: list[int], exceptions of python3. */
static bool resolve_bases(struct vm *vm, value *bases_tuple)
{
    value object_base = type_value(&type_object);
    struct tuple *bases = as_tuple(*bases_tuple);
    if (!bases->len)
        *bases_tuple = tuple_new(vm, &object_base, 1);
    for (uint32_t i = 0; i < bases->len; i++) {
        value base = bases->at[i];
        if (alias_origin(base))
            bases->at[i] = alias_origin(base);
        else if (is_foreign(base))
            bases->at[i] = foreign_exception_class(vm, base);
        else if (!is_type(base))
            return vm_raise(vm, "TypeError",
                            "a class cannot be derived from an object of type '%s'",
                            type_name(base));
        if (!bases->at[i])
            return false;
    }
    return true;
}

/* Takes a name from a class's dict; NO_VALUE if it is not there. */
static value take_out(struct vm *vm, value dict, sym_t name)
{
    value found = dict_get_sym(vm, as_dict(dict), name);
    if (found)
        dict_delete(vm, dict, str_from_sym(vm, name));
    return found;
}

/* ---- names of slots ---- */

/* A name of __slots__ as it is written in the class; NO_VALUE: raised. */
static value slot_name(struct vm *vm, const struct class_parts *parts, value name)
{
    if (!is_str(name))
        return vm_raise(vm, "TypeError", "__slots__ items must be strings, not '%s'",
                        type_name(name));
    const char *text = str_text(name), *class = str_text(parts->name);
    size_t len = as_str(name)->len;
    if (!strncmp(text, "__", 2) && !(len > 3 && !strcmp(text + len - 2, "__")))
        name = str_printf(vm, "_%s%s", class + strspn(class, "_"), text);
    if (dict_get(vm, parts->dict, name))
        return vm_raise(vm, "ValueError", "'%s' in __slots__ conflicts with class variable", text);
    return name;
}

/* The names that instances may have, where the class and every base have __slots__: keys of a dict,
 * else None. */
static value slot_names(struct vm *vm, const struct class_parts *parts)
{
    value own = dict_get_sym(vm, as_dict(parts->dict), vm->sym.__slots__);
    value said = !own ? NO_VALUE : is_str(own) ? list_new(vm, &own, 1) : list_from(vm, own);
    value names = dict_new(vm), key, unused;
    bool open = !own;
    size_t n = 0, nbases;
    const value *items = said ? sequence_items(said, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        value name = slot_name(vm, parts, items[i]);
        if (!name)
            return NO_VALUE;
        open |= str_sym(vm, name) == vm->sym.__dict__;
        dict_set(vm, names, name, VALUE_NONE);
    }
    const value *bases = sequence_items(parts->bases, &nbases);
    for (size_t i = 0; i < nbases; i++) {
        const struct type *base = as_type(bases[i]);
        value more = base->info ? base->info->slots : NO_VALUE;
        open |= base->info ? !more : base->attrs != 0;
        for (size_t at = 0; more && dict_next(more, &at, &key, &unused);)
            dict_set(vm, names, key, VALUE_NONE);
    }
    return vm->error ? NO_VALUE : open ? VALUE_NONE : names;
}

/* ---- the class ---- */

static bool init_subclass(struct vm *vm, value class, value keywords)
{
    const struct type *type = as_type(class);
    value hook = type_find_after(vm, type, type, vm->sym.__init_subclass__);
    if (!hook)
        return true;
    if (is_exact(hook, &type_classmethod))
        hook = as_wrapper(hook)->callable;
    return vm_call(vm, hook, &class, 1, keywords);
}

static struct class *class_alloc(struct vm *vm, const struct class_parts *parts,
                                 const struct type *native)
{
    const struct tuple *bases = as_tuple(parts->bases);
    value slots = slot_names(vm, parts);
    if (!slots)
        return NULL;
    struct class *class = object_new(vm, &type_class);
    class->type.object.type = parts->metaclass;
    class_layout(class, native, as_type(bases->at[0]),
                 dict_get_sym(vm, as_dict(parts->dict), vm->sym.__slots__));
    class->info.dict = parts->dict;
    class->info.bases = parts->bases;
    class->info.native = native;
    class->info.slots = slots == VALUE_NONE ? NO_VALUE : slots;
    class_rename(vm, class, parts->name);
    value qualname = take_out(vm, parts->dict, vm->sym.__qualname__);
    class->info.qualname = qualname ? qualname : parts->name;
    if (!linearize(vm, class, bases))
        return NULL;
    class->type.info = &class->info;
    if (!dict_get_sym(vm, as_dict(parts->dict), vm->sym.__module__))
        dict_set_sym(vm, as_dict(parts->dict), vm->sym.__module__, str_from(vm, "builtins"));
    class_fill_slots(vm, class);
    return class;
}

static void tell_bases(struct vm *vm, struct class *class)
{
    size_t n;
    const value *bases = sequence_items(class->info.bases, &n);
    for (size_t i = 0; i < n; i++) {
        struct class *base = (struct class *)as_object(bases[i]);
        if (!base->type.info)
            continue;
        if (!base->info.subclasses)
            base->info.subclasses = list_new(vm, NULL, 0);
        list_push(vm, base->info.subclasses, from_object(class));
    }
}

value class_new(struct vm *vm, const struct class_parts *said)
{
    struct class_parts parts = *said;
    const struct type *given = parts.metaclass ? parts.metaclass : &type_type;
    if (!resolve_bases(vm, &parts.bases) ||
        !(parts.metaclass = metaclass_of(vm, given, parts.bases)))
        return NO_VALUE;
    if (parts.metaclass != given)
        return call_metaclass(vm, &parts);
    const struct type *native = native_base(vm, as_tuple(parts.bases));
    if (!native)
        return NO_VALUE;
    value cell = take_out(vm, parts.dict, vm->sym.__classcell__);
    struct class *made = class_alloc(vm, &parts, native);
    if (!made)
        return NO_VALUE;
    value class = from_object(made);
    if (cell && !is_exact(cell, &type_cell))
        return vm_raise(vm, "TypeError", "__classcell__ must be a nonlocal cell, not <class '%s'>",
                        type_name(cell));
    if (cell)
        as_cell(cell)->v = class;
    tell_bases(vm, made);
    return name_set(vm, class, parts.dict) && init_subclass(vm, class, parts.keywords) ? class
                                                                                       : NO_VALUE;
}

/* The dict that the body of a class statement fills; NO_VALUE: raised. */
static value prepare(struct vm *vm, const struct class_parts *parts)
{
    const struct type *metaclass = parts->metaclass;
    value hook = metaclass->info ? value_attr_find(vm, type_value(metaclass), vm->sym.__prepare__)
                                 : NO_VALUE;
    if (!hook)
        return vm->error ? NO_VALUE : dict_new(vm);
    value args[] = {parts->name, parts->bases}, dict = vm_call(vm, hook, args, 2, parts->keywords);
    return !dict || is_dict(dict)
               ? dict
               : raise_unsupported(vm, "a __prepare__() that returns a '%s' is not supported",
                                   type_name(dict));
}

/* The metaclass among the keywords is taken out: a class, or what is called instead of one. */
static bool take_metaclass(struct vm *vm, struct class_parts *parts, value *maker)
{
    value given = take_out(vm, parts->keywords, vm->sym.metaclass);
    if (given && is_foreign(given))
        return raise_unsupported(vm, "a metaclass of a foreign module is not supported");
    parts->metaclass = given && is_type(given) ? as_type(given) : &type_type;
    *maker = given && !is_type(given) ? given : class_maker(vm, parts->bases);
    if (!*maker && !vm->error)
        parts->metaclass = metaclass_of(vm, parts->metaclass, parts->bases);
    return parts->metaclass && !vm->error;
}

value class_build(struct vm *vm, value body, value bases_list, value keywords)
{
    const struct function *function = as_function(body);
    struct class_parts parts = {.name = str_from_sym(vm, function->code->name),
                                .bases = tuple_from(vm, bases_list),
                                .keywords = keywords};
    value maker;
    if (!take_metaclass(vm, &parts, &maker) || !(parts.dict = prepare(vm, &parts)) ||
        vm_too_deep(vm) ||
        !enter_code(vm, function->code, function->globals, parts.dict, (struct function *)function))
        return NO_VALUE;
    value cell = vm_execute(vm);
    if (!cell)
        return NO_VALUE;
    if (maker) {
        value args[] = {parts.name, parts.bases, parts.dict};
        value class = vm_call(vm, maker, args, 3, keywords);
        if (class && cell != VALUE_NONE)
            as_cell(cell)->v = class;
        return class;
    }
    if (cell != VALUE_NONE)
        dict_set_sym(vm, as_dict(parts.dict), vm->sym.__classcell__, cell);
    return parts.metaclass == &type_type ? class_new(vm, &parts) : call_metaclass(vm, &parts);
}
