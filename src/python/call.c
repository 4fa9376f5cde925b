// SPDX-License-Identifier: MIT
/* Calls. Everything happens on the value stack: the callee at base, its arguments behind it. For a
 * Python function they become its first locals; a native sees them as args->at. */
#include "python/call.h"

#include <string.h>

#include "python/class_slots.h"
#include "python/file.h"
#include "python/types.h"
#include "python/vm_ops.h"

/* A part of a call that keeps its registers to itself: call_begin jumps there. */
#define CALL_APART static __attribute__((noinline))

static const char *sym(struct vm *vm, sym_t name)
{
    return sym_text(vm->names, name);
}

value raise_too_deep(struct vm *vm)
{
    return vm_raise(vm, "RecursionError", "maximum recursion depth exceeded");
}

bool vm_too_deep(struct vm *vm)
{
    if (__builtin_expect((char *)__builtin_frame_address(0) > vm->c_limit, 1))
        return false;
    raise_too_deep(vm);
    return true;
}

/* ---- complaints, in CPython's words ---- */

/* 'a', 'a' and 'b', 'a', 'b', and 'c' */
static value complain_missing(struct vm *vm, const char *name, const sym_t *missing, uint32_t n,
                              const char *kind)
{
    struct buf list = {0};
    for (uint32_t i = 0; i < n; i++) {
        const char *before = !i ? "" : i + 1 < n ? ", " : n == 2 ? " and " : ", and ";
        buf_printf(&list, "%s'%s'", before, sym(vm, missing[i]));
    }
    vm_raise(vm, "TypeError", "%s() missing %u required %s argument%s: %s", name, n, kind,
             n == 1 ? "" : "s", buf_text(&list));
    buf_free(&list);
    return NO_VALUE;
}

/* ---- Python functions ---- */

static bool complain_too_many(struct vm *vm, const struct code *code, uint32_t given,
                              uint32_t defaults)
{
    uint32_t most = code->npositional;
    const char *name = sym(vm, code->qualname), *were = given == 1 ? "was" : "were";
    if (defaults)
        return vm_raise(vm, "TypeError",
                        "%s() takes from %u to %u positional arguments but %u %s given", name,
                        most - defaults, most, given, were);
    return vm_raise(vm, "TypeError", "%s() takes %u positional argument%s but %u %s given", name,
                    most, most == 1 ? "" : "s", given, were);
}

/* A keyword that no parameter takes. Those of positional-only ones are told first, all together. */
static bool refuse_keyword(struct vm *vm, const struct code *code, const struct tuple *names,
                           sym_t unknown)
{
    struct buf only = {0};
    for (uint32_t i = 0; i < code->nposonly; i++)
        for (uint32_t k = 0; k < names->len; k++)
            if (str_sym(vm, names->at[k]) == code->params[i].name)
                buf_printf(&only, "%s%s", only.len ? ", " : "", sym(vm, code->params[i].name));
    if (only.len)
        vm_raise(vm, "TypeError",
                 "%s() got some positional-only arguments passed as keyword arguments: '%s'",
                 sym(vm, code->qualname), buf_text(&only));
    else
        vm_raise(vm, "TypeError", "%s() got an unexpected keyword argument '%s'",
                 sym(vm, code->qualname), sym(vm, unknown));
    buf_free(&only);
    return false;
}

/* Keyword arguments that name a parameter go to its place, others into **kwargs. */
static bool take_keywords(struct vm *vm, const struct code *code, value *locals,
                          const value *values, const struct tuple *names, value dstar)
{
    uint32_t named = (uint32_t)code->npositional + code->nkwonly;
    for (uint32_t k = 0; k < names->len; k++) {
        sym_t name = str_sym(vm, names->at[k]);
        uint32_t i = code->nposonly;
        while (i < named && code->params[i].name != name)
            i++;
        if (i < named) {
            if (locals[i] != VALUE_UNBOUND) {
                vm_raise(vm, "TypeError", "%s() got multiple values for argument '%s'",
                         sym(vm, code->qualname), sym(vm, name));
                return false;
            }
            locals[i] = values[k];
        } else if (dstar) {
            if (!dict_set(vm, dstar, names->at[k], values[k]))
                return false;
        } else {
            return refuse_keyword(vm, code, names, name);
        }
    }
    return true;
}

static bool take_defaults(struct vm *vm, const struct function *function, value *locals)
{
    const struct code *code = function->code;
    const struct tuple *defaults = function->defaults ? as_tuple(function->defaults) : NULL;
    uint32_t ndefaults = defaults ? defaults->len : 0, nmissing = 0;
    sym_t missing[256];
    for (uint32_t i = 0; i < code->npositional; i++) {
        if (locals[i] != VALUE_UNBOUND)
            continue;
        uint32_t from_end = code->npositional - i;
        if (from_end <= ndefaults)
            locals[i] = defaults->at[ndefaults - from_end];
        else if (nmissing < 256)
            missing[nmissing++] = code->params[i].name;
    }
    if (nmissing) {
        complain_missing(vm, sym(vm, code->qualname), missing, nmissing, "positional");
        return false;
    }
    for (uint32_t i = code->npositional; i < (uint32_t)code->npositional + code->nkwonly; i++) {
        if (locals[i] != VALUE_UNBOUND)
            continue;
        value v = function->kwdefaults
                      ? dict_get_sym(vm, as_dict(function->kwdefaults), code->params[i].name)
                      : NO_VALUE;
        if (v)
            locals[i] = v;
        else if (nmissing < 256)
            missing[nmissing++] = code->params[i].name;
    }
    if (nmissing)
        complain_missing(vm, sym(vm, code->qualname), missing, nmissing, "keyword-only");
    return !nmissing;
}

/* Brings the arguments at base + 1 into the order of the parameters. */
static bool bind_arguments(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    const struct function *function = as_function(*base);
    const struct code *code = function->code;
    const struct tuple *names = kwnames ? as_tuple(kwnames) : NULL;
    uint32_t nkw = names ? names->len : 0, positional = n - nkw;
    uint32_t defaults = function->defaults ? as_tuple(function->defaults)->len : 0;
    value *locals = base + 1, *kept = vm->sp; /* keyword values are put aside behind everything */
    if (kept + nkw + code->nlocals + code->depth + n >= vm->stack_end)
        return raise_too_deep(vm);
    value *values = locals + code->nlocals + n + 1;
    if (values < kept)
        values = kept;
    memmove(values, locals + positional, nkw * sizeof *values);
    vm->sp = values + nkw;
    value star = NO_VALUE, dstar = NO_VALUE;
    uint32_t extra = positional > code->npositional ? positional - code->npositional : 0;
    if (code->flags & CODE_STAR)
        star = tuple_new(vm, locals + positional - extra, extra);
    if (code->flags & CODE_DSTAR)
        dstar = dict_new(vm);
    for (uint32_t i = positional - extra; i < code->nlocals; i++)
        locals[i] = VALUE_UNBOUND;
    if (names && !take_keywords(vm, code, locals, values, names, dstar))
        return false;
    if (extra && !star)
        return complain_too_many(vm, code, positional, defaults);
    uint32_t named = (uint32_t)code->npositional + code->nkwonly;
    if (star)
        locals[named++] = star;
    if (dstar)
        locals[named] = dstar;
    return take_defaults(vm, function, locals);
}

static bool room_for(struct vm *vm, const value *base, const struct code *code)
{
    if (vm->frame + 1 < vm->frames_end && base + 1 + code->nlocals + code->depth < vm->stack_end)
        return true;
    return raise_too_deep(vm);
}

static value start_generator(struct vm *vm, struct frame *frame)
{
    bool async = frame->code->flags & CODE_ASYNC;
    struct generator *generator = object_new(vm, async ? &type_coroutine : &type_generator);
    generator->code = frame->code;
    generator->function = frame->function;
    generator->globals = frame->globals;
    generator_save(vm, generator, frame->locals, frame->locals + frame->code->nlocals);
    generator->state = GENERATOR_NEW;
    return from_object(generator);
}

/* Puts a frame for a function whose parameters are filled in on top. */
static enum called enter_function(struct vm *vm, value *base, struct function *function)
{
    const struct code *code = function->code;
    struct frame *frame = ++vm->frame;
    *frame = (struct frame){.code = code,
                            .ip = code->ops,
                            .base = base,
                            .locals = base + 1,
                            .globals = function->globals,
                            .function = function,
                            .kind = FRAME_CALL};
    vm->sp = frame->locals + code->nlocals;
    if (code->ncells | code->nfree)
        frame_cells(vm, frame);
    if (!(code->flags & CODE_GENERATOR))
        return CALLED_FRAME;
    *base = start_generator(vm, frame);
    vm->frame--;
    vm->sp = base + 1;
    return CALLED_DONE;
}

CALL_APART enum called call_function(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    struct function *function = as_function(*base);
    const struct code *code = function->code;
    if (!room_for(vm, base, code))
        return CALLED_RAISED;
    if (!kwnames && n == code->npositional && code->flags & CODE_SIMPLE) {
        for (uint32_t i = n; i < code->nlocals; i++)
            base[1 + i] = VALUE_UNBOUND;
    } else if (!bind_arguments(vm, base, n, kwnames)) {
        return CALLED_RAISED;
    }
    return enter_function(vm, base, function);
}

bool enter_code(struct vm *vm, const struct code *code, struct dict *globals, value names,
                struct function *function)
{
    value *base = vm->sp;
    if (!room_for(vm, base, code))
        return false;
    *base = from_object(code);
    struct frame *frame = ++vm->frame;
    *frame = (struct frame){.code = code,
                            .ip = code->ops,
                            .base = base,
                            .locals = base + 1,
                            .globals = globals,
                            .names = names,
                            .function = function,
                            .kind = FRAME_ENTRY};
    for (uint32_t i = 0; i < code->nlocals; i++)
        frame->locals[i] = VALUE_UNBOUND;
    vm->sp = frame->locals + code->nlocals;
    frame_cells(vm, frame);
    return true;
}

/* ---- natives ---- */

/* A method's name without its type, a function's with nothing. */
static bool native_keywords(struct vm *vm, const struct native *native, value *slots,
                            const value *values, const struct tuple *names, value dstar)
{
    const struct signature *s = native->signature;
    for (uint32_t k = 0; k < names->len; k++) {
        sym_t name = str_sym(vm, names->at[k]);
        uint32_t i = s->nposonly;
        while (i < s->n && (s->param[i].name != name || (int)i == s->star || (int)i == s->dstar))
            i++;
        if (i < s->n) {
            if (slots[i]) {
                vm_raise(vm, "TypeError", "%s() got multiple values for argument '%s'",
                         native->def->name, sym(vm, name));
                return false;
            }
            slots[i] = values[k];
        } else if (!dstar && s->nposonly == s->n) {
            vm_raise(vm, "TypeError", "%s%s%s() takes no keyword arguments",
                     native->owner ? native->owner->name : "", native->owner ? "." : "",
                     native->def->name);
            return false;
        } else if (!dstar) {
            vm_raise(vm, "TypeError", "%s() got an unexpected keyword argument '%s'",
                     native->def->name, sym(vm, name));
            return false;
        } else if (!dict_set(vm, dstar, names->at[k], values[k])) {
            return false;
        }
    }
    return true;
}

/* Arguments that the caller does not write: self, or the class. */
static uint32_t receivers(struct vm *vm, const struct native *native)
{
    const struct signature *s = native->signature;
    return native->owner || (s->n && !strcmp(sym(vm, s->param[0].name), "cls"));
}

/* Too few or too many for a native that takes no keywords, as C says it. */
static void complain_native_count(struct vm *vm, const struct native *native, uint32_t positional)
{
    const struct signature *s = native->signature;
    uint32_t method = receivers(vm, native), most = s->npositional - method,
             least = s->nrequired - method, given = positional - method,
             wanted = given < least ? least : most;
    const char *name = native->def->name, *owner = native->owner ? native->owner->name : "",
               *dot = native->owner ? "." : "";
    const char *bound = given < least ? "at least " : "at most ";
    if (least == most && s->nposonly)
        bound = "";
    if (least != most || most > 1)
        vm_raise(vm, "TypeError", "%s expected %s%u argument%s, got %u", name, bound, wanted,
                 wanted == 1 ? "" : "s", given);
    else if (most)
        vm_raise(vm, "TypeError", "%s%s%s() takes exactly one argument (%u given)", owner, dot,
                 name, given);
    else
        vm_raise(vm, "TypeError", "%s%s%s() takes no arguments (%u given)", owner, dot, name,
                 given);
}

static bool native_missing(struct vm *vm, const struct native *native, const value *slots)
{
    const struct signature *s = native->signature;
    sym_t missing[64];
    uint32_t n = 0, method = receivers(vm, native);
    bool keyword_only = false;
    for (uint32_t i = 0; i < s->n && n < 64; i++) {
        const struct param_info *param = &s->param[i];
        if (slots[i] || param->has_default || param->kind == PARAM_STAR ||
            param->kind == PARAM_DSTAR)
            continue;
        keyword_only = param->kind == PARAM_KEYWORD_ONLY;
        missing[n++] = param->name;
    }
    if (!n)
        return false;
    if ((n == 1 && s->npositional - method == 1 && !keyword_only) || s->nposonly == s->n)
        complain_native_count(vm, native, s->nrequired - n);
    else
        complain_missing(vm, native->def->name, missing, n,
                         keyword_only ? "keyword-only" : "positional");
    return true;
}

/* Spreads the arguments over one slot a parameter, behind the ones on the stack; NULL: raised. */
CALL_APART value *native_slots(struct vm *vm, const struct native *native, value *args, uint32_t n,
                               value kwnames)
{
    const struct signature *s = native->signature;
    const struct tuple *names = kwnames ? as_tuple(kwnames) : NULL;
    uint32_t nkw = names ? names->len : 0, positional = n - nkw;
    uint32_t taken = positional < s->npositional ? positional : s->npositional;
    if (positional > s->npositional && s->star < 0) {
        complain_native_count(vm, native, positional);
        return NULL;
    }
    value *slots = vm->sp;
    if (slots + s->n + 1 >= vm->stack_end) {
        raise_too_deep(vm);
        return NULL;
    }
    for (uint32_t i = 0; i < s->n; i++)
        slots[i] = i < taken ? args[i] : NO_VALUE;
    vm->sp = slots + s->n;
    if (s->star >= 0) {
        value star = tuple_new(vm, args + taken, positional - taken);
        slots[s->star] = star;
    }
    if (s->dstar >= 0)
        slots[s->dstar] = dict_new(vm);
    if (names && !native_keywords(vm, native, slots, args + positional, names,
                                  s->dstar >= 0 ? slots[s->dstar] : NO_VALUE))
        return NULL;
    return native_missing(vm, native, slots) ? NULL : slots;
}

/* Most calls: n arguments that lie where their slots are, none of those that must be given behind
 * them. */
static bool fill_slots(struct vm *vm, const struct signature *s, value *at, uint32_t n)
{
    if (!s->optional_end || n < s->nrequired || n > s->npositional || at + s->n >= vm->stack_end)
        return false;
    for (uint32_t i = n; i < s->n; i++)
        at[i] = NO_VALUE;
    vm->sp = at + s->n;
    return true;
}

/* A method that is called on nothing, or on what is not its type's. */
static enum called complain_self(struct vm *vm, const struct native *native, const value *self)
{
    vm_raise(vm, "TypeError",
             self ? "descriptor '%s' for '%s' objects doesn't apply to a '%s' object"
                  : "unbound method %s.%s() needs an argument",
             self ? native->def->name : native->owner->name,
             self ? native->owner->name : native->def->name, self ? type_name(*self) : "");
    return CALLED_RAISED;
}

CALL_APART enum called call_native(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    const struct native *native = as_native(*base);
    const struct signature *s = native->signature;
    value *at = base + 1;
    if (native->owner && (!n || !is_instance(*at, native->owner)))
        return complain_self(vm, native, n ? at : NULL);
    if (kwnames || !fill_slots(vm, s, at, n))
        at = native_slots(vm, native, at, n, kwnames);
    if (!at || (vm->entries > 8 && vm_too_deep(vm)))
        return CALLED_RAISED;
    struct args args = {.at = at, .n = s->n, .def = native->def, .user = native->user};
    value result = native->def->fn(vm, &args);
    if (!result)
        return CALLED_RAISED;
    *base = result;
    vm->sp = base + 1;
    return CALLED_DONE;
}

/* ---- everything else ---- */

/* The arguments as a tuple and a dict (or NO_VALUE), for the slots make and call. */
static value keywords_dict(struct vm *vm, const value *at, uint32_t n, value kwnames)
{
    if (!kwnames)
        return NO_VALUE;
    const struct tuple *names = as_tuple(kwnames);
    value dict = names->len ? dict_new(vm) : NO_VALUE;
    for (uint32_t i = 0; i < names->len; i++)
        dict_set(vm, dict, names->at[i], at[n - names->len + i]);
    return dict;
}

static enum called call_slot(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    value callee = *base;
    uint32_t nkw = kwnames ? as_tuple(kwnames)->len : 0;
    value (*call)(struct vm *, value, value, value) = type_slot(type_of(callee), call);
    if (!call) {
        vm_raise(vm, "TypeError", "'%s' object is not callable", type_name(callee));
        return CALLED_RAISED;
    }
    if (vm_too_deep(vm))
        return CALLED_RAISED;
    value args = tuple_new(vm, base + 1, n - nkw);
    value result = call(vm, callee, args, keywords_dict(vm, base + 1, n, kwnames));
    if (!result)
        return CALLED_RAISED;
    *base = result;
    vm->sp = base + 1;
    return CALLED_DONE;
}

/* C(...) where C is a plain user class with a Python __init__: without a detour through C. */
static bool simple_class(struct vm *vm, const struct type *type, value *init)
{
    if (!type->info || type->info->native != &type_object || type->info->abstract ||
        class_new_hook(vm, type))
        return false;
    *init = type_find(vm, type, vm->sym.__init__);
    return *init && is_exact(*init, &type_function);
}

CALL_APART enum called call_class(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    const struct type *type = as_type(*base);
    value init;
    if (!simple_class(vm, type, &init) || vm->sp + 2 >= vm->stack_end)
        return call_slot(vm, base, n, kwnames);
    value instance = from_object(object_new(vm, type));
    memmove(base + 2, base + 1, n * sizeof *base);
    base[0] = init;
    base[1] = instance;
    vm->sp++;
    enum called called = call_function(vm, base, n + 1, kwnames);
    if (called == CALLED_FRAME) {
        vm->frame->kind = FRAME_INIT;
        vm->frame->instance = instance;
    } else if (called == CALLED_DONE) {
        *base = instance;
    }
    return called;
}

CALL_APART enum called call_bound(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    const struct method *method = as_method(*base);
    if (vm->sp + 1 >= vm->stack_end) {
        raise_too_deep(vm);
        return CALLED_RAISED;
    }
    memmove(base + 2, base + 1, n * sizeof *base);
    base[0] = method->function;
    base[1] = method->self;
    vm->sp++;
    return call_begin(vm, base, n + 1, kwnames);
}

enum called call_begin(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    value callee = *base;
    if (is_exact(callee, &type_function))
        return call_function(vm, base, n, kwnames);
    if (is_exact(callee, &type_native))
        return call_native(vm, base, n, kwnames);
    if (is_exact(callee, &type_method))
        return call_bound(vm, base, n, kwnames);
    if (is_object(callee) &&
        as_object(callee)->type->call == type_type.call) /* a class that is called as type does */
        return call_class(vm, base, n, kwnames);
    return call_slot(vm, base, n, kwnames);
}

value raise_init_result(struct vm *vm, value result)
{
    return vm_raise(vm, "TypeError", "__init__() should return None, not '%s'", type_name(result));
}

static value finish(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    struct frame *frame = vm->frame;
    if (vm_too_deep(vm)) {
        vm->sp = base;
        return NO_VALUE;
    }
    enum called called = call_begin(vm, base, n, kwnames);
    if (called == CALLED_FRAME) {
        struct frame *entered = vm->frame;
        if (entered->kind != FRAME_INIT) {
            entered->kind = FRAME_ENTRY;
            return vm_execute(vm);
        }
        value instance = entered->instance;
        entered->kind = FRAME_ENTRY;
        value result = vm_execute(vm);
        if (result && result != VALUE_NONE)
            return raise_init_result(vm, result);
        return result ? instance : NO_VALUE;
    }
    vm->frame = frame;
    vm->sp = base;
    return called == CALLED_DONE ? *base : NO_VALUE;
}

value call_finish(struct vm *vm, value *base, uint32_t n, value kwnames)
{
    vm->natives++;
    value result = finish(vm, base, n, kwnames);
    vm->natives--;
    if (!vm->entries) /* the engine goes on */
        file_settle(vm);
    return result;
}

/* What f(*source) is called, for a complaint. */
static value complain_spread(struct vm *vm, value callee, value source)
{
    value name = value_attr_find(vm, callee, vm->sym.__qualname__);
    value module = is_exact(callee, &type_function)
                       ? value_attr_find(vm, callee, vm->sym.__module__)
                       : NO_VALUE;
    return vm_raise(vm, "TypeError", "%s%s%s() argument after * must be an iterable, not %s",
                    module && is_str(module) ? str_text(module) : "",
                    module && is_str(module) ? "." : "",
                    name && is_str(name) ? str_text(name) : type_name(callee), type_name(source));
}

/* The arguments of f(*source, ...) as a list or tuple; others come as a list that was made for the
 * call. */
static value spread_items(struct vm *vm, value callee, value source)
{
    if (is_exact(source, &type_list) || is_exact(source, &type_tuple))
        return source;
    return value_iterable(source) ? list_from(vm, source) : complain_spread(vm, callee, source);
}

/* Puts the items of a dict of keywords at `at`; their names, NO_VALUE: raised. */
static value spread_keywords(struct vm *vm, value dict, value *at)
{
    size_t n = dict_len(dict), pos = 0;
    value kwnames = tuple_new(vm, NULL, n);
    struct tuple *names = as_tuple(kwnames);
    for (size_t i = 0; i < n; i++) {
        dict_next(dict, &pos, &names->at[i], &at[i]);
        if (!is_str(names->at[i]))
            return vm_raise(vm, "TypeError", "keywords must be strings");
    }
    return kwnames;
}

enum called call_spread(struct vm *vm, value *base)
{
    size_t n;
    value all = spread_items(vm, base[0], base[1]);
    if (!all)
        return CALLED_RAISED;
    const value *items = sequence_items(all, &n);
    value dict = base[2];
    size_t nkw = dict == VALUE_NONE ? 0 : dict_len(dict);
    if (base + 2 * (n + nkw) + 8 >= vm->stack_end) {
        vm_raise(vm, "RecursionError", "too many arguments");
        return CALLED_RAISED;
    }
    value *at = base + 1;
    memcpy(at, items, n * sizeof *at);
    value kwnames = nkw ? spread_keywords(vm, dict, at + n) : NO_VALUE;
    if (nkw && !kwnames)
        return CALLED_RAISED;
    vm->sp = at + n + nkw;
    return call_begin(vm, base, (uint32_t)(n + nkw), kwnames);
}

/* ---- from C ---- */

value vm_call(struct vm *vm, value callee, const value *args, size_t n, value kwargs)
{
    value *base = vm->sp;
    size_t nkw = kwargs && kwargs != VALUE_NONE ? dict_len(kwargs) : 0;
    if (base + n + nkw + 8 >= vm->stack_end)
        return raise_too_deep(vm);
    *base = callee;
    if (n)
        memcpy(base + 1, args, n * sizeof *args);
    value kwnames = nkw ? spread_keywords(vm, kwargs, base + 1 + n) : NO_VALUE;
    if (nkw && !kwnames)
        return NO_VALUE;
    vm->sp = base + 1 + n + nkw;
    return call_finish(vm, base, (uint32_t)(n + nkw), kwnames);
}

value vm_call0(struct vm *vm, value callee)
{
    return vm_call(vm, callee, NULL, 0, NO_VALUE);
}

value vm_call1(struct vm *vm, value callee, value arg)
{
    return vm_call(vm, callee, &arg, 1, NO_VALUE);
}

value vm_call_method(struct vm *vm, value self, const char *name, const value *args, size_t n)
{
    value method = value_attr(vm, self, intern_str(vm->names, name));
    return method ? vm_call(vm, method, args, n, NO_VALUE) : NO_VALUE;
}
