// SPDX-License-Identifier: MIT
/* Exceptions both ways. One that comes from foreign code is an exception of ours: of the same
 * builtin class, or of a class made for the foreign one, derived from the builtin class that it is
 * derived from. It remembers the foreign exception (".foreign"), whose attributes it has, what its
 * str is (".text") and where in the Python files it was raised (notes, which an error's call chain
 * shows). One of ours that foreign code lets through comes back as itself. */
#include <string.h>

#include "python/class.h"
#include "python/foreign_link.h"
#include "python/types.h"

enum { MAX_FRAMES = 8 };

/* What describe() over there tells, in its order. */
struct description {
    value original; /* handle, exception of ours, or None */
    value base;     /* str: builtin class */
    value args;     /* tuple */
    value text, frames, cause, name, module;
    value kind;  /* the foreign class, or None: a builtin one or one of ours */
    value attrs; /* dict: what a builtin one has that does not follow from args; or None */
};

static value builtin_class(struct vm *vm, value name)
{
    value class = dict_get_str(vm, from_object(vm->builtins), str_text(name));
    bool fine = class && is_type(class) && is_subtype(as_type(class), &type_exception);
    return fine ? class : dict_get_str(vm, from_object(vm->builtins), "Exception");
}

/* ---- classes ---- */

value foreign_of(struct vm *vm, value exception)
{
    value attrs = as_exception(exception)->attrs;
    return attrs ? dict_get_str(vm, attrs, ".foreign") : NO_VALUE;
}

// __getattr__ of exceptions that stand for foreign ones: what the foreign one has
static value get_foreign(struct vm *vm, const struct args *args)
{
    value handle = foreign_of(vm, args->at[0]);
    if (handle && is_str(args->at[1]))
        return value_attr(vm, handle, str_sym(vm, args->at[1]));
    return vm_raise(vm, "AttributeError", "'%s' object has no attribute '%s'",
                    type_name(args->at[0]), str_text(args->at[1]));
}

// __str__ of them
static value foreign_text(struct vm *vm, const struct args *args)
{
    struct exception *e = as_exception(args->at[0]);
    value text = e->attrs ? dict_get_str(vm, e->attrs, ".text") : NO_VALUE;
    return text ? text : type_exception.str(vm, args->at[0]);
}

/* The class of ours for a foreign one of that name, made once: they are kept in a dict of the
 * module _foreign. It knows the foreign one (".foreign"), as which it goes back. */
static value class_for(struct vm *vm, value module, value name, value base, value kind)
{
    static const struct native_def getattr_def = {"__getattr__", get_foreign, "self name /", ""};
    static const struct native_def str_def = {"__str__", foreign_text, "self", ""};
    value key_parts[] = {module, name, base}, key = tuple_new(vm, key_parts, 3);
    value known = dict_get(vm, vm->foreign->errors, key);
    if (known || vm->error)
        return known;
    value dict = dict_new(vm);
    dict_set_sym(vm, as_dict(dict), vm->sym.__module__, module);
    dict_set_sym(vm, as_dict(dict), vm->sym.__getattr__, native_new(vm, &getattr_def, NULL));
    dict_set_sym(vm, as_dict(dict), vm->sym.__str__, native_new(vm, &str_def, NULL));
    if (is_foreign(kind))
        dict_set_str(vm, dict, ".foreign", kind);
    as_native(dict_get_sym(vm, as_dict(dict), vm->sym.__str__))->owner = &type_exception;
    as_native(dict_get_sym(vm, as_dict(dict), vm->sym.__getattr__))->owner = &type_exception;
    known = class_new(
        vm, &(struct class_parts){.name = name, .bases = tuple_new(vm, &base, 1), .dict = dict});
    return known && dict_set(vm, vm->foreign->errors, key, known) ? known : NO_VALUE;
}

/* ---- from there ---- */

static bool take_description(struct vm *vm, value v, struct description *d)
{
    size_t n = 0;
    const value *at = is_tuple(v) ? sequence_items(v, &n) : NULL;
    if (n != sizeof *d / sizeof *at)
        return vm_raise(vm, "SystemError", "an exception of a foreign module cannot be understood");
    memcpy(d, at, sizeof *d);
    if (is_str(d->base) && is_tuple(d->args) && is_str(d->text) && is_list(d->frames) &&
        is_str(d->cause) && is_str(d->name) && is_str(d->module))
        return true;
    return vm_raise(vm, "SystemError", "an exception of a foreign module cannot be understood");
}

static void add_note(struct vm *vm, value exception, value text)
{
    value attrs = from_object(exception_attrs(vm, as_exception(exception)));
    value notes = dict_get_str(vm, attrs, ".trace");
    if (!notes)
        dict_set_str(vm, attrs, ".trace", notes = list_new(vm, NULL, 0));
    list_push(vm, notes, text);
}

static value frame_text(struct vm *vm, value frame)
{
    size_t n = 0;
    const value *at = is_tuple(frame) ? sequence_items(frame, &n) : NULL;
    if (n != 4 || !is_str(at[0]) || !is_small(at[1]) || !is_str(at[2]) || !is_str(at[3]))
        return NO_VALUE;
    const char *line = str_text(at[3]);
    return str_printf(vm, "in Python: %s:%d, in %s%s%s", str_text(at[0]), (int)small_int(at[1]),
                      str_text(at[2]), *line ? ": " : "", line);
}

/* Innermost first, as the calls of ours that follow; a long chain shows both ends. */
static void add_frames(struct vm *vm, value exception, const struct description *d)
{
    size_t n;
    const value *frames = sequence_items(d->frames, &n);
    for (size_t k = 0; k < n; k++) {
        if (n > MAX_FRAMES && k == MAX_FRAMES / 2) {
            size_t left = n - MAX_FRAMES;
            add_note(vm, exception,
                     str_printf(vm, "... %zu calls in Python are left out ...", left));
            k += left;
        }
        value text = frame_text(vm, frames[n - 1 - k]);
        if (text)
            add_note(vm, exception, text);
    }
    if (as_str(d->cause)->len)
        add_note(vm, exception, str_printf(vm, "caused in Python by %s", str_text(d->cause)));
}

static value make_exception(struct vm *vm, const struct description *d)
{
    bool foreign = is_foreign(d->original);
    value class = builtin_class(vm, d->base);
    if (foreign && as_str(d->module)->len)
        class = class_for(vm, d->module, d->name, class, d->kind);
    if (!class)
        return NO_VALUE;
    size_t n;
    const value *args = foreign && as_str(d->text)->len ? &d->text : sequence_items(d->args, &n);
    n = foreign ? as_str(d->text)->len > 0 : n;
    value exception = type_exception.make(vm, as_type(class), tuple_new(vm, args, n), NO_VALUE);
    if (exception && is_dict(d->attrs))
        dict_update(vm, exception_attrs(vm, as_exception(exception)), as_dict(d->attrs));
    if (!exception || !foreign)
        return exception;
    value attrs = from_object(exception_attrs(vm, as_exception(exception)));
    dict_set_str(vm, attrs, ".foreign", d->original);
    dict_set_str(vm, attrs, ".text", d->text);
    return exception;
}

value raise_described(struct vm *vm, value v)
{
    struct description d;
    if (!take_description(vm, v, &d))
        return NO_VALUE;
    bool ours = is_object(d.original) && is_instance(d.original, &type_exception);
    value exception = ours ? d.original : make_exception(vm, &d);
    if (!exception)
        return NO_VALUE;
    add_frames(vm, exception, &d);
    return vm_raise_value(vm, exception);
}

value foreign_exception(struct vm *vm, value handle)
{
    struct description d;
    value v = foreign_ask(vm, FOREIGN_DESCRIBE, handle, NULL, 0);
    return v && take_description(vm, v, &d) ? make_exception(vm, &d) : NO_VALUE;
}

/* ---- classes that except and class statements name ---- */

value foreign_exception_class(struct vm *vm, value handle)
{
    value base = foreign_ask(vm, FOREIGN_BASE, handle, NULL, 0);
    size_t n = 0;
    const value *at = base && is_tuple(base) ? sequence_items(base, &n) : NULL;
    if (n == 3 && is_str(at[0]) && is_str(at[1]) && is_str(at[2]))
        return class_for(vm, at[2], at[1], builtin_class(vm, at[0]), handle);
    if (!vm->error)
        raise_unsupported(
            vm,
            "a class in a Snakefile cannot be derived from one of a foreign module "
            "(%s); derive it in a Python file of its own, which is then imported as foreign too",
            str_text(value_repr(vm, handle)));
    return NO_VALUE;
}

int foreign_exception_matches(struct vm *vm, value exception, value class)
{
    bool yes = false;
    value handle = foreign_of(vm, exception);
    if (handle)
        return foreign_isinstance(vm, handle, class, &yes) ? yes : -1;
    /* A class of ours may be derived from the one that stands for it. */
    value own = foreign_exception_class(vm, class);
    if (!own)
        return -1;
    return is_instance(exception, as_type(own));
}

/* ---- to there ---- */

/* (the foreign exception or ours, builtin base, name, args) */
bool write_exception(struct writer *w, value exception)
{
    struct vm *vm = w->vm;
    const struct type *type = type_of(exception), *base = type;
    while (base->base && base != &type_exception &&
           dict_get_str(vm, from_object(vm->builtins), base->name) != type_value(base))
        base = base->base;
    value handle = foreign_of(vm, exception);
    write_tuple(w, 4);
    if (handle ? !write_value(w, handle) : !write_native(w, exception))
        return false;
    write_text(w, base->name, strlen(base->name));
    write_text(w, type->name, strlen(type->name));
    return write_value(w, as_exception(exception)->args);
}
