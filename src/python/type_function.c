// SPDX-License-Identifier: MIT
/* Functions, natives, bound methods; property, classmethod, staticmethod; cells and code. */
#include <stdlib.h>
#include <string.h>

#include "python/call.h"
#include "python/class_slots.h"
#include "python/vm_state.h"

/* ---- cells and code ---- */

value cell_new(struct vm *vm, value v)
{
    struct cell *cell = object_alloc(vm, &type_cell, sizeof *cell);
    cell->v = v;
    return from_object(cell);
}

static void cell_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct cell *)self)->v);
}

static value cell_get_attr(struct vm *vm, value self, sym_t name)
{
    value v = as_cell(self)->v;
    if (strcmp(sym_text(vm->names, name), "cell_contents"))
        return NO_VALUE;
    return v == VALUE_UNBOUND ? vm_raise(vm, "ValueError", "Cell is empty") : v;
}

const struct type type_cell = {.object = {.type = &type_type},
                               .name = "cell",
                               .size = sizeof(struct cell),
                               .mark = cell_mark,
                               .get_attr = cell_get_attr};

value code_new(struct vm *vm)
{
    return from_object(object_new(vm, &type_code));
}

static void code_mark(struct vm *vm, struct object *self)
{
    const struct code *code = (const struct code *)self;
    for (uint32_t i = 0; i < code->nconsts; i++)
        heap_mark(vm, code->consts[i]);
    heap_mark(vm, code->doc);
}

static void code_finish(struct vm *vm, struct object *self)
{
    struct code *code = (struct code *)self;
    free(code->ops);
    free(code->spans);
    free(code->consts);
    free(code->handlers);
    free(code->globals);
    free(code->params);
    free(code->names);
    free(code->nodes);
    free(code->local_names);
    free(code->cell_slots);
}

static bool is_cell(const struct code *code, uint32_t local)
{
    for (uint32_t i = 0; i < code->ncells; i++)
        if (code->cell_slots[i] == local)
            return true;
    return false;
}

/* Names of locals: parameters and what no inner function uses, what one does, or those of outer
 * functions. */
enum locals_kind { LOCALS_PLAIN, LOCALS_CELLS, LOCALS_FREE };

static value local_names(struct vm *vm, const struct code *code, enum locals_kind kind)
{
    value list = list_new(vm, NULL, 0);
    for (uint32_t i = 0; i < code->nlocals; i++) {
        bool free_one = i >= code->nlocals - code->nfree, cell = is_cell(code, i);
        if (kind == LOCALS_FREE    ? free_one
            : kind == LOCALS_CELLS ? cell
                                   : !free_one && (!cell || i < code->nparams))
            list_push(vm, list, str_from_sym(vm, code->local_names[i]));
    }
    return tuple_from(vm, list);
}

static value code_get_attr(struct vm *vm, value self, sym_t name)
{
    const struct code *code = (const struct code *)as_object(self);
    const char *text = sym_text(vm->names, name);
    if (!strcmp(text, "co_name"))
        return str_from_sym(vm, code->name);
    if (!strcmp(text, "co_filename")) {
        struct place place;
        bool known = source_place(diags_sources(vm->diags), code->span.at, &place);
        return str_from(vm, known ? place.name : "<unknown>");
    }
    if (!strcmp(text, "co_argcount"))
        return small(code->npositional);
    if (!strcmp(text, "co_posonlyargcount"))
        return small(code->nposonly);
    if (!strcmp(text, "co_kwonlyargcount"))
        return small(code->nkwonly);
    static const char *const names[] = {"co_varnames", "co_cellvars", "co_freevars"};
    for (int kind = LOCALS_PLAIN; kind <= LOCALS_FREE; kind++)
        if (!strcmp(text, names[kind]))
            return local_names(vm, code, (enum locals_kind)kind);
    return NO_VALUE;
}

const struct type type_code = {
    .object = {.type = &type_type},
    .name = "code",
    .size = sizeof(struct code),
    .mark = code_mark,
    .finish = code_finish,
    .get_attr = code_get_attr,
};

/* ---- functions ---- */

value function_new(struct vm *vm, const struct code *code, struct dict *globals)
{
    struct function *function = object_alloc(vm, &type_function,
                                             sizeof *function + code->nfree * sizeof(value));
    memset((char *)function + sizeof(struct object), 0,
           sizeof *function - sizeof(struct object) + code->nfree * sizeof(value));
    function->code = code;
    function->globals = globals;
    return from_object(function);
}

static void function_mark(struct vm *vm, struct object *self)
{
    struct function *f = (struct function *)self;
    value held[] = {from_object(f->code),
                    from_object(f->globals),
                    f->defaults,
                    f->kwdefaults,
                    f->attrs,
                    f->doc,
                    f->name,
                    f->qualname,
                    f->module,
                    f->annotations};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        heap_mark(vm, held[i]);
    for (uint32_t i = 0; i < f->code->nfree; i++)
        heap_mark(vm, f->closure[i]);
}

static value function_repr(struct vm *vm, value self)
{
    const struct function *f = as_function(self);
    const char *name = f->qualname ? str_text(f->qualname) : sym_text(vm->names, f->code->qualname);
    return str_printf(vm, "<function %s at 0x%llx>", name, (unsigned long long)self);
}

static value function_get_attr(struct vm *vm, value self, sym_t name)
{
    struct function *f = as_function(self);
    const struct symbols *s = &vm->sym;
    if (name == s->__name__)
        return f->name ? f->name : str_from_sym(vm, f->code->name);
    if (name == s->__qualname__)
        return f->qualname ? f->qualname : str_from_sym(vm, f->code->qualname);
    if (name == s->__doc__)
        return f->doc ? f->doc : f->code->doc;
    if (name == s->__module__)
        return f->module ? f->module : value_or_none(dict_get_sym(vm, f->globals, s->__name__));
    if (name == s->__defaults__)
        return value_or_none(f->defaults);
    if (name == s->__kwdefaults__)
        return value_or_none(f->kwdefaults);
    if (name == s->__code__)
        return from_object(f->code);
    if (name == s->__call__)
        return self;
    if (name == s->__globals__)
        return from_object(f->globals);
    if (name == s->__annotations__)
        return f->annotations ? f->annotations : (f->annotations = dict_new(vm));
    if (name == s->__closure__)
        return f->code->nfree ? tuple_new(vm, f->closure, f->code->nfree) : VALUE_NONE;
    return NO_VALUE;
}

static bool function_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    struct function *f = as_function(self);
    const struct symbols *s = &vm->sym;
    value *place = name == s->__name__          ? &f->name
                   : name == s->__qualname__    ? &f->qualname
                   : name == s->__doc__         ? &f->doc
                   : name == s->__module__      ? &f->module
                   : name == s->__annotations__ ? &f->annotations
                   : name == s->__defaults__    ? &f->defaults
                                                : NULL;
    if (name == s->__defaults__ && (!item || item == VALUE_NONE)) {
        f->defaults = NO_VALUE;
        return true;
    }
    if (name == s->__defaults__ && !is_tuple(item))
        return vm_raise(vm, "TypeError", "__defaults__ must be set to a tuple object");
    if (!place || !item)
        return object_set_attr(vm, self, name, item);
    if ((name == s->__name__ || name == s->__qualname__) && !is_str(item))
        return vm_raise(vm, "TypeError", "%s must be set to a string object",
                        sym_text(vm->names, name));
    if (name == s->__annotations__ && !is_dict(item))
        return vm_raise(vm, "TypeError", "__annotations__ must be set to a dict object");
    *place = item;
    return true;
}

/* What a class does with an attribute of that kind, by hand: found.__get__(instance,
 * owner=None). */
static value get_bound(struct vm *vm, const struct args *args)
{
    value instance = args->at[1], owner = args->at[2];
    const struct type *type = owner && is_type(owner) ? as_type(owner) : type_of(instance);
    return attr_bind(vm, args->at[0], instance != VALUE_NONE ? instance : NO_VALUE, type);
}

#define GET                                                                                        \
    {                                                                                              \
        "__get__", get_bound, "self instance owner= /", "What an attribute of that kind is."       \
    }

static const struct native_def function_methods[] = {GET, {0}};

const struct type type_function = {
    .object = {.type = &type_type},
    .name = "function",
    .size = sizeof(struct function),
    .attrs = offsetof(struct function, attrs),
    .mark = function_mark,
    .repr = function_repr,
    .get_attr = function_get_attr,
    .set_attr = function_set_attr,
    .methods = function_methods,
};

/* What the call machinery handles before it asks for this slot. */
static value call_again(struct vm *vm, value self, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    return vm_call(vm, self, items, n, kwargs);
}

/* ---- natives and methods ---- */

value native_new(struct vm *vm, const struct native_def *def, void *user)
{
    struct native *native = object_new(vm, &type_native);
    native->def = def;
    native->signature = signature_of(vm, def);
    native->user = user;
    return from_object(native);
}

bool natives_fill(struct vm *vm, value dict, const struct native_def *def)
{
    for (; def->name; def++)
        if (!dict_set_str(vm, dict, def->name, native_new(vm, def, NULL)))
            return false;
    return true;
}

static value native_repr(struct vm *vm, value self)
{
    const struct native *native = as_native(self);
    if (native->owner)
        return str_printf(vm, "<method '%s' of '%s' objects>", native->def->name,
                          native->owner->name);
    return str_printf(vm, "<built-in function %s>", native->def->name);
}

static value native_get_attr(struct vm *vm, value self, sym_t name)
{
    const struct native *native = as_native(self);
    if (name == vm->sym.__name__ || name == vm->sym.__qualname__)
        return str_from(vm, native->def->name);
    if (name == vm->sym.__doc__)
        return native->def->doc ? str_from(vm, native->def->doc) : VALUE_NONE;
    return name == vm->sym.__module__ ? str_from(vm, "builtins") : NO_VALUE;
}

const struct type type_native = {
    .object = {.type = &type_type},
    .name = "builtin_function_or_method",
    .size = sizeof(struct native),
    .repr = native_repr,
    .get_attr = native_get_attr,
    .call = call_again,
};

value method_new(struct vm *vm, value function, value self)
{
    struct method *method = object_alloc(vm, &type_method, sizeof *method);
    method->function = function;
    method->self = self;
    return from_object(method);
}

static void method_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct method *)self)->function);
    heap_mark(vm, ((struct method *)self)->self);
}

static value method_repr(struct vm *vm, value self)
{
    const struct method *method = as_method(self);
    value name = value_attr(vm, method->function, vm->sym.__qualname__);
    value owner = name ? value_repr(vm, method->self) : NO_VALUE;
    if (!owner)
        return NO_VALUE;
    if (is_exact(method->function, &type_native))
        return str_printf(vm, "<built-in method %s of %s object at 0x%llx>", str_text(name),
                          type_name(method->self), (unsigned long long)self);
    return str_printf(vm, "<bound method %s of %s>", str_text(name), str_text(owner));
}

static value method_get_attr(struct vm *vm, value self, sym_t name)
{
    if (name == vm->sym.func_)
        return as_method(self)->function;
    if (name == vm->sym.__self__)
        return as_method(self)->self;
    return value_attr_find(vm, as_method(self)->function, name);
}

static value method_compare(struct vm *vm, int op, value a, value b)
{
    if (!is_exact(b, &type_method) || (op != OP_EQ && op != OP_NE))
        return VALUE_NOT_IMPLEMENTED;
    bool same = as_method(a)->function == as_method(b)->function &&
                as_method(a)->self == as_method(b)->self;
    return value_bool(same == (op == OP_EQ));
}

static bool method_hash(struct vm *vm, value self, uint64_t *out)
{
    *out = hash_mix(as_method(self)->function) ^ as_method(self)->self;
    return true;
}

// types.MethodType(function, instance)
static value method_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *at = sequence_items(args, &n);
    if (n != 2 || kwargs)
        return vm_raise(vm, "TypeError", "method expected 2 arguments, got %zu", n);
    if (!value_callable(at[0]))
        return vm_raise(vm, "TypeError", "first argument must be callable");
    return at[1] != VALUE_NONE ? method_new(vm, at[0], at[1])
                               : vm_raise(vm, "TypeError", "instance must not be None");
}

const struct type type_method = {
    .object = {.type = &type_type},
    .name = "method",
    .size = sizeof(struct method),
    .mark = method_mark,
    .repr = method_repr,
    .get_attr = method_get_attr,
    .compare = method_compare,
    .hash = method_hash,
    .make = method_make,
    .call = call_again,
};

/* ---- property ---- */

static void property_mark(struct vm *vm, struct object *self)
{
    struct property *property = (struct property *)self;
    heap_mark(vm, property->get);
    heap_mark(vm, property->set);
    heap_mark(vm, property->del);
    heap_mark(vm, property->doc);
}

static value property_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"fget", "fset", "fdel", "doc"};
    size_t n;
    const value *items = sequence_items(args, &n);
    struct property *property = object_new(vm, type);
    value *slots[] = {&property->get, &property->set, &property->del, &property->doc};
    for (size_t i = 0; i < 4; i++)
        *slots[i] = i < n ? items[i] : kwargs ? dict_get_str(vm, kwargs, names[i]) : NO_VALUE;
    return from_object(property);
}

static value property_with(struct vm *vm, const struct args *args, int which)
{
    struct property *copy = object_new(vm, &type_property);
    const struct property *old = (const struct property *)as_object(args->at[0]);
    copy->get = which == 0 ? args->at[1] : old->get;
    copy->set = which == 1 ? args->at[1] : old->set;
    copy->del = which == 2 ? args->at[1] : old->del;
    copy->doc = old->doc;
    return from_object(copy);
}

// property.getter(fget)
static value property_getter(struct vm *vm, const struct args *args)
{
    return property_with(vm, args, 0);
}

// property.setter(fset)
static value property_setter(struct vm *vm, const struct args *args)
{
    return property_with(vm, args, 1);
}

// property.deleter(fdel)
static value property_deleter(struct vm *vm, const struct args *args)
{
    return property_with(vm, args, 2);
}

static value property_get_attr(struct vm *vm, value self, sym_t name)
{
    const struct property *property = (const struct property *)as_object(self);
    if (name == vm->sym.fget)
        return value_or_none(property->get);
    if (name == vm->sym.fset)
        return value_or_none(property->set);
    if (name == vm->sym.__doc__)
        return property->doc   ? property->doc
               : property->get ? value_attr_find(vm, property->get, name)
                               : VALUE_NONE;
    return name == vm->sym.fdel ? value_or_none(property->del) : NO_VALUE;
}

static const struct native_def property_methods[] = {
    GET,
    {"getter", property_getter, "self fget /", "The property with another getter."},
    {"setter", property_setter, "self fset /", "The property with a setter."},
    {"deleter", property_deleter, "self fdel /", "The property with a deleter."},
    {0}};

const struct type type_property = {
    .object = {.type = &type_type},
    .name = "property",
    .size = sizeof(struct property),
    .methods = property_methods,
    .mark = property_mark,
    .make = property_make,
    .get_attr = property_get_attr,
};

/* ---- classmethod, staticmethod ---- */

static void wrapper_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct wrapper *)self)->callable);
}

static value wrapper_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (n != 1)
        return vm_raise(vm, "TypeError", "%s expected 1 argument, got %zu", type->name, n);
    struct wrapper *wrapper = object_new(vm, type);
    wrapper->callable = items[0];
    return from_object(wrapper);
}

static value wrapper_get_attr(struct vm *vm, value self, sym_t name)
{
    value callable = as_wrapper(self)->callable;
    if (name == vm->sym.func_ || name == vm->sym.__wrapped__)
        return callable;
    return name == vm->sym.__name__ || name == vm->sym.__doc__ ? value_attr_find(vm, callable, name)
                                                               : NO_VALUE;
}

static value staticmethod_call(struct vm *vm, value self, value args, value kwargs)
{
    return call_again(vm, as_wrapper(self)->callable, args, kwargs);
}

#define WRAPPER                                                                                    \
    .object = {.type = &type_type}, .size = sizeof(struct wrapper), .mark = wrapper_mark,          \
    .make = wrapper_make, .get_attr = wrapper_get_attr, .methods = function_methods
const struct type type_staticmethod = {WRAPPER, .name = "staticmethod", .call = staticmethod_call};
const struct type type_classmethod = {WRAPPER, .name = "classmethod"};

/* ---- what a function asks for ---- */

static struct param_info *without_first(const struct param_info *params, size_t *n)
{
    *n -= *n > 0;
    return (struct param_info *)(*n ? params + 1 : params);
}

const struct param_info *function_params(struct vm *vm, value v, size_t *n)
{
    if (is_exact(v, &type_function)) {
        *n = as_function(v)->code->nparams;
        return as_function(v)->code->params;
    }
    if (is_exact(v, &type_native)) {
        *n = as_native(v)->signature->n;
        return as_native(v)->signature->param;
    }
    if (is_exact(v, &type_method)) {
        const struct param_info *params = function_params(vm, as_method(v)->function, n);
        return params ? without_first(params, n) : NULL;
    }
    if (is_type(v) && as_type(v)->info) {
        value init = type_find(vm, as_type(v), vm->sym.__init__);
        const struct param_info *params = init ? function_params(vm, init, n) : NULL;
        return params ? without_first(params, n) : NULL;
    }
    value call = value_callable(v) && is_object(v) && as_object(v)->type->info
                     ? value_attr_find(vm, v, vm->sym.__call__)
                 : value_callable(v) ? value_attr_find(vm, v, intern_str(vm->names, "func"))
                                     : NO_VALUE;
    return call && call != v ? function_params(vm, call, n) : NULL;
}
