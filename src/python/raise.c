// SPDX-License-Identifier: MIT
/* The raise statement, except clauses, and the way from an exception to its handler. */
#include <string.h>

#include "base/nearest.h"
#include "python/class.h"
#include "python/foreign.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

/* ---- raising ---- */

static bool is_exception_class(value v)
{
    return is_type(v) && is_subtype(as_type(v), &type_exception);
}

value exception_from(struct vm *vm, value v)
{
    value given = v;
    if (is_exception_class(v) || is_foreign_class(v))
        v = vm_call0(vm, v);
    if (v && is_foreign(v) && !is_foreign_class(v))
        v = foreign_exception(vm, v);
    if (v && v != given && !is_instance(v, &type_exception)) {
        value class = value_repr(vm, given), made = value_repr(vm, type_value(type_of(v)));
        return class && made
                   ? vm_raise(
                         vm, "TypeError",
                         "calling %s should have returned an instance of BaseException, not %s",
                         str_text(class), str_text(made))
                   : NO_VALUE;
    }
    if (v && !is_instance(v, &type_exception))
        return vm_raise(vm, "TypeError", "exceptions must derive from BaseException");
    return v;
}

value vm_handled(const struct vm *vm)
{
    for (const struct frame *frame = vm->frame; frame > vm->frames; frame--)
        if (frame->handled)
            return frame->handled;
    return NO_VALUE;
}

/* `raise` alone. */
static void raise_again(struct vm *vm)
{
    vm->error = vm_handled(vm);
    if (!vm->error)
        vm_raise(vm, "RuntimeError", "No active exception to reraise");
}

void raise_values(struct vm *vm, value exception, value cause)
{
    if (!exception) {
        raise_again(vm);
        return;
    }
    value made = exception_from(vm, exception);
    if (!made)
        return;
    if (cause) {
        bool known = cause == VALUE_NONE || is_exception_class(cause) ||
                     is_instance(cause, &type_exception) || is_foreign(cause);
        static const char strange[] = "exception causes must derive from BaseException";
        value from = cause == VALUE_NONE ? VALUE_NONE
                     : known             ? exception_from(vm, cause)
                                         : vm_raise(vm, "TypeError", strange);
        if (!from)
            return;
        as_exception(made)->cause = from == VALUE_NONE ? NO_VALUE : from;
        as_exception(made)->suppress_context = true;
    }
    vm_raise_value(vm, made);
}

void raise_assertion(struct vm *vm, value message)
{
    value class = dict_get_str(vm, from_object(vm->builtins), "AssertionError");
    value error = vm_call(vm, class, &message, message ? 1 : 0, NO_VALUE);
    if (error)
        vm_raise_value(vm, error);
}

int match_exception(struct vm *vm, value exception, value class)
{
    size_t n;
    if (is_exception_class(class))
        return is_instance(exception, as_type(class));
    if (is_foreign_class(class))
        return foreign_exception_matches(vm, exception, class);
    const value *classes = is_tuple(class) ? sequence_items(class, &n) : NULL;
    if (!classes) {
        vm_raise(vm, "TypeError",
                 "catching classes that do not inherit from BaseException is not allowed");
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        int matches = match_exception(vm, exception, classes[i]);
        if (matches)
            return matches;
    }
    return 0;
}

/* ---- unwinding ---- */

static const struct handler *find_handler(const struct code *code, uint32_t at)
{
    for (uint32_t i = 0; i < code->nhandlers; i++)
        if (code->handlers[i].start <= at && at < code->handlers[i].end)
            return &code->handlers[i];
    return NULL;
}

static void leave_generator(struct vm *vm, struct generator *generator)
{
    generator->state = GENERATOR_DONE;
    generator->nsaved = 0;
    if (!vm_failed_with(vm, "StopIteration"))
        return;
    value stop = vm_take_error(vm);
    vm_raise(vm, "RuntimeError", "generator raised StopIteration");
    as_exception(vm->error)->cause = as_exception(vm->error)->context = stop;
    as_exception(vm->error)->suppress_context = true;
}

bool vm_unwind(struct vm *vm)
{
    for (;;) {
        struct frame *frame = vm->frame;
        const struct code *code = frame->code;
        uint32_t at = (uint32_t)(frame->ip - code->ops);
        const struct handler *handler = find_handler(code, at ? at - 1 : 0);
        if (handler) {
            value *sp = frame->locals + code->nlocals + handler->depth;
            *sp++ = vm->error;
            vm->error = NO_VALUE;
            vm->sp = sp;
            frame->ip = code->ops + handler->target;
            return true;
        }
        int kind = frame->kind;
        if (frame->generator)
            leave_generator(vm, frame->generator);
        vm->sp = frame->base;
        vm->frame--;
        if (kind == FRAME_ENTRY)
            return false;
        struct frame *caller = vm->frame;
        exception_add_trace(vm, vm->error, caller->code,
                            caller->code->spans[caller->ip - caller->code->ops - 1]);
    }
}

/* ---- names that are not there ---- */

static void offer_keys(struct nearest *near, const struct dict *dict)
{
    for (uint32_t i = 0; dict && i < dict->used; i++)
        if (dict->at[i].key && is_str(dict->at[i].key))
            nearest_offer(near, str_text(dict->at[i].key));
}

static const char *nearest_name(struct vm *vm, const char *wanted)
{
    struct nearest near = nearest_to(wanted);
    const struct frame *frame = vm->frame;
    if (frame > vm->frames) {
        const struct code *code = frame->code;
        for (uint32_t i = 0; i < code->nlocals; i++)
            if (code->local_names[i] && frame->locals[i] != VALUE_UNBOUND)
                nearest_offer(&near, sym_text(vm->names, code->local_names[i]));
        offer_keys(&near, frame->names ? as_dict(frame->names) : NULL);
        offer_keys(&near, frame->globals);
    }
    offer_keys(&near, vm->builtins);
    return near.best;
}

static void set_remark(struct vm *vm, const char *key, const char *text)
{
    value error = vm_take_error(vm); /* a dict refuses to change while one is in flight */
    struct dict *attrs = exception_attrs(vm, as_exception(error));
    if (text)
        dict_set_str(vm, from_object(attrs), key, str_from(vm, text));
    vm_raise_value(vm, error);
}

void raise_hint(struct vm *vm, const char *best)
{
    set_remark(vm, ".hint", best);
}

void raise_help(struct vm *vm, const char *text)
{
    set_remark(vm, ".help", text);
}

/* Raises with attributes: name, and what more there is. */
static value raise_named(struct vm *vm, const char *class, const char *message, value name,
                         const char *best, const char *more, value item)
{
    /* filled first: a dict refuses to change while an exception is in flight */
    value attrs = dict_new(vm);
    dict_set_sym(vm, as_dict(attrs), vm->sym.name, name);
    if (more)
        dict_set_str(vm, attrs, more, item);
    vm_raise(vm, class, "%s", message);
    as_exception(vm->error)->attrs = attrs;
    raise_hint(vm, best);
    return NO_VALUE;
}

value raise_name_error(struct vm *vm, value name)
{
    value message = str_printf(vm, "name '%s' is not defined", str_text(name));
    return raise_named(vm, "NameError", str_text(message), name, nearest_name(vm, str_text(name)),
                       NULL, NO_VALUE);
}

value raise_unbound(struct vm *vm, const struct code *code, uint32_t slot, bool free)
{
    const char *name = sym_text(vm->names, code->local_names[slot]);
    if (free && slot >= code->nlocals - code->nfree)
        return vm_raise(
            vm, "NameError",
            "cannot access free variable '%s' where it is not associated with a value in "
            "enclosing scope",
            name);
    return vm_raise(vm, "UnboundLocalError",
                    "cannot access local variable '%s' where it is not associated with a value",
                    name);
}

static void offer_type(struct vm *vm, struct nearest *near, const struct type *type)
{
    for (uint32_t i = 0; type->info && i < type->info->nmro; i++)
        offer_keys(near, type_dict_of(vm, type->info->mro[i]));
    for (const struct type *t = type->info ? NULL : type; t; t = t->base)
        offer_keys(near, type_dict_of(vm, t));
}

static const char *nearest_attr(struct vm *vm, value v, const char *wanted)
{
    struct nearest near = nearest_to(wanted);
    value *attrs = attrs_of(v),
          (*attr_names)(struct vm *, value) = type_slot(type_of(v), attr_names);
    value names = attr_names ? attr_names(vm, v) : NO_VALUE;
    size_t n = 0;
    const value *known = names ? sequence_items(names, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        nearest_offer(&near, str_text(known[i]));
    offer_keys(&near, attrs && *attrs ? as_dict(*attrs) : NULL);
    offer_keys(&near, is_exact(v, &type_module) ? as_dict(module_globals(v)) : NULL);
    if (is_type(v))
        offer_type(vm, &near, as_type(v));
    offer_type(vm, &near, type_of(v));
    return near.best;
}

value raise_no_attribute(struct vm *vm, value v, sym_t name)
{
    const char *text = sym_text(vm->names, name);
    value message;
    if (is_type(v))
        message = str_printf(vm, "type object '%s' has no attribute '%s'", as_type(v)->name, text);
    else if (is_exact(v, &type_module))
        message = str_printf(vm, "module '%s' has no attribute '%s'", module_name(v), text);
    else
        message = str_printf(vm, "'%s' object has no attribute '%s'", type_name(v), text);
    /* d.name where d["name"] is there */
    const char *meant = is_dict(v) && dict_get_str(vm, v, text)
                            ? str_text(str_printf(vm, "[\"%s\"]", text))
                            : nearest_attr(vm, v, text);
    return raise_named(vm, "AttributeError", str_text(message), str_from_sym(vm, name), meant,
                       "obj", v);
}

value raise_no_import(struct vm *vm, value module, value name)
{
    const char *from = module_name(module), *text = str_text(name);
    value message = str_printf(vm, "cannot import name '%s' from '%s'", text, from);
    return raise_named(vm, "ImportError", str_text(message), str_from(vm, from),
                       nearest_attr(vm, module, text), "name_from", name);
}

const char *raise_meant(struct vm *vm, const struct exception *e)
{
    value best = e->attrs ? dict_get_str(vm, e->attrs, ".hint") : NO_VALUE;
    size_t n;
    const value *args = sequence_items(e->args, &n);
    if (best || !e->lacking || !n || !is_str(args[0]) ||
        !exception_is(vm, from_object((void *)e), "KeyError"))
        return best ? str_text(best) : NULL;
    struct nearest near = nearest_to(str_text(args[0]));
    offer_keys(&near, as_dict(e->lacking));
    return near.best;
}
