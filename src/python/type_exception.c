// SPDX-License-Identifier: MIT
/* Exceptions: Python's hierarchy of classes, made anew for each vm; what their str says; how they
 * are raised from C and caught. A traceback is a list of (code, span), innermost first, kept in the
 * exception. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "python/class_slots.h"
#include "python/str.h"
#include "python/types.h"
#include "python/unicode_error.h"
#include "python/vm_state.h"

/* ---- the hierarchy ---- */

static const struct {
    const char *name, *base;
} hierarchy[] = {
    {"Exception", "BaseException"},
    {"SystemExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"ArithmeticError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"BlockingIOError", "OSError"},
    {"ChildProcessError", "OSError"},
    {"ConnectionError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"FileExistsError", "OSError"},
    {"FileNotFoundError", "OSError"},
    {"InterruptedError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"PermissionError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"TimeoutError", "OSError"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"SyntaxError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"TabError", "IndentationError"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"UnicodeTranslateError", "UnicodeError"},
    {"Warning", "Exception"},
    {"BytesWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"EncodingWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
    {"UserWarning", "Warning"},
};

static const struct type *find_class(struct vm *vm, const char *name)
{
    if (!strcmp(name, "BaseException"))
        return &type_exception;
    uint32_t at = map_find(&vm->exceptions, intern_str(vm->names, name));
    return at ? vm->exception_types.at[at - 1] : NULL;
}

value exception_class(struct vm *vm, const char *name, const char *base_name,
                      const struct native_def *init)
{
    const struct type *base = find_class(vm, base_name);
    ensure(base);
    const char *dot = strrchr(name, '.');
    value bases = type_value(base), dict = dict_new(vm);
    if (dot)
        dict_set_sym(vm, as_dict(dict), vm->sym.__module__,
                     str_new(vm, name, (size_t)(dot - name)));
    value class = class_new(vm, &(struct class_parts){.name = str_from(vm, dot ? dot + 1 : name),
                                                      .bases = tuple_new(vm, &bases, 1),
                                                      .dict = dict});
    if (init) {
        value own = native_new(vm, init, NULL);
        as_native(own)->owner = (const struct type *)as_object(class);
        value_set_attr(vm, class, vm->sym.__init__, own);
    }
    vec_push(&vm->exception_types, (struct type *)as_object(class));
    map_set(&vm->exceptions, intern_str(vm->names, name), vm->exception_types.len);
    if (dot && !find_class(vm, dot + 1))
        map_set(&vm->exceptions, intern_str(vm->names, dot + 1), vm->exception_types.len);
    return class;
}

void exceptions_start(struct vm *vm)
{
    value builtins = from_object(vm->builtins);
    dict_set_str(vm, builtins, "BaseException", type_value(&type_exception));
    for (size_t i = 0; i < sizeof hierarchy / sizeof *hierarchy; i++)
        dict_set_str(vm, builtins, hierarchy[i].name,
                     exception_class(vm, hierarchy[i].name, hierarchy[i].base, NULL));
    dict_set_str(vm, builtins, "IOError", dict_get_str(vm, builtins, "OSError"));
    dict_set_str(vm, builtins, "EnvironmentError", dict_get_str(vm, builtins, "OSError"));
}

static bool derived_from(struct vm *vm, const struct type *type, const char *name)
{
    const struct type *class = find_class(vm, name);
    return class && is_subtype(type, class);
}

bool exception_is(struct vm *vm, value exception, const char *class_name)
{
    return exception && derived_from(vm, type_of(exception), class_name);
}

bool vm_failed_with(struct vm *vm, const char *class_name)
{
    return exception_is(vm, vm->error, class_name);
}

/* ---- the objects ---- */

struct dict *exception_attrs(struct vm *vm, struct exception *e)
{
    if (!e->attrs)
        e->attrs = dict_new(vm);
    return as_dict(e->attrs);
}

static const char *os_error_class(int error)
{
    switch (error) {
    case ENOENT: return "FileNotFoundError";
    case EEXIST: return "FileExistsError";
    case EISDIR: return "IsADirectoryError";
    case ENOTDIR: return "NotADirectoryError";
    case EACCES:
    case EPERM: return "PermissionError";
    case ETIMEDOUT: return "TimeoutError";
    case EPIPE: return "BrokenPipeError";
    case ESRCH: return "ProcessLookupError";
    case ECHILD: return "ChildProcessError";
    case EINTR: return "InterruptedError";
    case EAGAIN: return "BlockingIOError";
    case ECONNREFUSED: return "ConnectionRefusedError";
    case ECONNRESET: return "ConnectionResetError";
    default: return "OSError";
    }
}

/* OSError(errno, strerror[, filename[, winerror[, filename2]]]) fills those attributes. */
static void fill_os_error(struct vm *vm, struct exception *e)
{
    const struct tuple *args = as_tuple(e->args);
    if (args->len < 2 || args->len > 5)
        return;
    dict_set_sym(vm, exception_attrs(vm, e), vm->sym.errno_, args->at[0]);
    dict_set_sym(vm, exception_attrs(vm, e), vm->sym.strerror, args->at[1]);
    if (args->len > 2) {
        dict_set_sym(vm, exception_attrs(vm, e), vm->sym.filename, args->at[2]);
        if (args->len > 4)
            dict_set_sym(vm, exception_attrs(vm, e), vm->sym.filename2, args->at[4]);
        value two[] = {args->at[0], args->at[1]};
        e->args = tuple_new(vm, two, 2);
    }
}

static void fill_value(struct vm *vm, struct exception *e, sym_t name)
{
    const struct tuple *args = as_tuple(e->args);
    bool first = args->len == 1 || (args->len && name == vm->sym.value);
    dict_set_sym(vm, exception_attrs(vm, e), name,
                 first       ? args->at[0]
                 : args->len ? e->args
                             : VALUE_NONE);
}

/* OSError(ENOENT, ...) makes a FileNotFoundError. */
static const struct type *os_error_type(struct vm *vm, const struct type *type, value args)
{
    int64_t error;
    const struct tuple *given = as_tuple(args);
    if (type != find_class(vm, "OSError") || given->len < 2 || !int_get(given->at[0], &error))
        return type;
    return find_class(vm, os_error_class((int)error));
}

/* The attributes that follow from the arguments. */
static bool fill(struct vm *vm, struct exception *e)
{
    const struct type *type = e->object.type;
    if (derived_from(vm, type, "OSError"))
        fill_os_error(vm, e);
    else if (derived_from(vm, type, "StopIteration"))
        fill_value(vm, e, vm->sym.value);
    else if (derived_from(vm, type, "SystemExit"))
        fill_value(vm, e, vm->sym.code);
    else if (derived_from(vm, type, "UnicodeError"))
        return unicode_error_fill(vm, from_object(e));
    return true;
}

/* ImportError(name=, path=), NameError(name=), AttributeError(name=, obj=); no other takes any. */
static bool take_keywords(struct vm *vm, struct exception *e, value kwargs)
{
    static const char *const taken[][3] = {{"ImportError", "name", "path"},
                                           {"NameError", "name", "name"},
                                           {"AttributeError", "name", "obj"}};
    const struct type *type = e->object.type;
    const char *const *of = NULL;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (derived_from(vm, type, taken[i][0]))
            of = taken[i];
    value key, item;
    for (size_t pos = 0; kwargs && dict_next(kwargs, &pos, &key, &item);) {
        if (!of)
            return vm_raise(vm, "TypeError", "%s() takes no keyword arguments", type->name);
        if (strcmp(str_text(key), of[1]) && strcmp(str_text(key), of[2]))
            return vm_raise(vm, "TypeError", "'%s' is an invalid keyword argument for %s()",
                            str_text(key), of[0]);
        dict_set(vm, from_object(exception_attrs(vm, e)), key, item);
    }
    return true;
}

/* Where the class has an __init__ of its own, attributes wait for that to call this one; args do
 * not, but for those of an OSError. */
static value exception_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    struct exception *e = object_new(vm, os_error_type(vm, type, args));
    bool later = !is_exact(type_find(vm, type, vm->sym.__init__), &type_native);
    e->args = later && derived_from(vm, type, "OSError") ? tuple_new(vm, NULL, 0) : args;
    if (!later && !(fill(vm, e) && take_keywords(vm, e, kwargs)))
        return NO_VALUE;
    return from_object(e);
}

static void exception_mark(struct vm *vm, struct object *self)
{
    struct exception *e = (struct exception *)self;
    heap_mark(vm, e->args);
    heap_mark(vm, e->cause);
    heap_mark(vm, e->context);
    heap_mark(vm, e->lacking);
    for (uint32_t i = 0; i < e->ntrace; i++)
        heap_mark(vm, from_object(e->trace[i].code));
}

static void exception_finish(struct vm *vm, struct object *self)
{
    struct exception *e = (struct exception *)self;
    heap_owns(vm, -(int64_t)(e->cap * sizeof *e->trace));
    free(e->trace);
}

static value os_error_str(struct vm *vm, struct exception *e)
{
    if (!e->attrs)
        return NO_VALUE;
    value number = dict_get_sym(vm, as_dict(e->attrs), vm->sym.errno_);
    value text = dict_get_sym(vm, as_dict(e->attrs), vm->sym.strerror);
    value file = dict_get_sym(vm, as_dict(e->attrs), vm->sym.filename);
    if (!number || !text)
        return NO_VALUE;
    number = value_str(vm, number);
    text = value_str(vm, text);
    if (!file || file == VALUE_NONE)
        return str_printf(vm, "[Errno %s] %s", str_text(number), str_text(text));
    file = value_repr(vm, file);
    value other = dict_get_sym(vm, as_dict(e->attrs), vm->sym.filename2);
    if (file && other && other != VALUE_NONE) {
        other = value_repr(vm, other);
        file = other ? str_printf(vm, "%s -> %s", str_text(file), str_text(other)) : NO_VALUE;
    }
    return file ? str_printf(vm, "[Errno %s] %s: %s", str_text(number), str_text(text),
                             str_text(file))
                : NO_VALUE;
}

static value exception_str(struct vm *vm, value self)
{
    struct exception *e = as_exception(self);
    const struct tuple *args = as_tuple(e->args);
    if (exception_is(vm, self, "OSError")) {
        value text = os_error_str(vm, e);
        if (text || vm->error)
            return text;
    }
    if (exception_is(vm, self, "UnicodeError")) {
        value text = unicode_error_str(vm, self);
        if (text || vm->error)
            return text;
    }
    if (!args->len)
        return str_new(vm, "", 0);
    if (args->len > 1)
        return value_str(vm, e->args);
    return exception_is(vm, self, "KeyError") ? value_repr(vm, args->at[0])
                                              : value_str(vm, args->at[0]);
}

static value exception_repr(struct vm *vm, value self)
{
    const struct tuple *args = as_tuple(as_exception(self)->args);
    value inside = args->len == 1 ? value_repr(vm, args->at[0])
                                  : value_repr(vm, as_exception(self)->args);
    if (!inside)
        return NO_VALUE;
    return str_printf(vm, args->len == 1 ? "%s(%s)" : "%s%s", type_name(self), str_text(inside));
}

value exception_value(struct vm *vm, value self)
{
    const struct exception *e = as_exception(self);
    const struct tuple *args = as_tuple(e->args);
    value held = e->attrs ? dict_get_sym(vm, as_dict(e->attrs), vm->sym.value) : NO_VALUE;
    return held ? held : args->len ? args->at[0] : VALUE_NONE;
}

static value exception_get_attr(struct vm *vm, value self, sym_t name)
{
    struct exception *e = as_exception(self);
    if (name == vm->sym.args)
        return e->args;
    if (name == vm->sym.__cause__)
        return value_or_none(e->cause);
    if (name == vm->sym.__context__)
        return value_or_none(e->context);
    if (name == vm->sym.__suppress_context__)
        return value_bool(e->suppress_context);
    if (name == vm->sym.__traceback__)
        return traceback_of(vm, self);
    if (name == vm->sym.value && exception_is(vm, self, "StopIteration") && !e->attrs)
        return exception_value(vm, self);
    const char *text = sym_text(vm->names, name);
    if (exception_is(vm, self, "ImportError") &&
        (!e->attrs || !dict_get_sym(vm, as_dict(e->attrs), name))) {
        const struct tuple *args = as_tuple(e->args);
        if (!strcmp(text, "msg"))
            return args->len == 1 ? args->at[0] : VALUE_NONE;
        return !strcmp(text, "name") || !strcmp(text, "path") ? VALUE_NONE : NO_VALUE;
    }
    bool os = name == vm->sym.errno_ || name == vm->sym.strerror || name == vm->sym.filename ||
              name == vm->sym.filename2;
    if (os && exception_is(vm, self, "OSError") &&
        (!e->attrs || !dict_get_sym(vm, as_dict(e->attrs), name)))
        return VALUE_NONE;
    return NO_VALUE;
}

static bool exception_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    struct exception *e = as_exception(self);
    if (name == vm->sym.args && item) {
        value list = list_from(vm, item);
        e->args = list ? tuple_from(vm, list) : e->args;
        return list;
    }
    bool link = name == vm->sym.__cause__ || name == vm->sym.__context__;
    if (link && item && item != VALUE_NONE && !is_instance(item, &type_exception))
        return vm_raise(vm, "TypeError", "exception %s must be None or derive from BaseException",
                        name == vm->sym.__cause__ ? "cause" : "context");
    if (name == vm->sym.__cause__ && item) {
        e->cause = item == VALUE_NONE ? NO_VALUE : item;
        e->suppress_context = true;
        return true;
    }
    if (name == vm->sym.__context__ && item) {
        e->context = item == VALUE_NONE ? NO_VALUE : item;
        return true;
    }
    if (name == vm->sym.__suppress_context__ || name == vm->sym.__traceback__)
        return true;
    return object_set_attr(vm, self, name, item);
}

// BaseException.with_traceback(tb)
static value exception_with_traceback(struct vm *vm, const struct args *args)
{
    return args->at[0];
}

// BaseException.add_note(note)
static value exception_add_note(struct vm *vm, const struct args *args)
{
    struct exception *e = as_exception(args->at[0]);
    if (!is_str(args->at[1]))
        return vm_raise(vm, "TypeError", "note must be a str, not '%s'", type_name(args->at[1]));
    value notes = dict_get_sym(vm, exception_attrs(vm, e), vm->sym.__notes__);
    if (!notes) {
        notes = list_new(vm, NULL, 0);
        dict_set_sym(vm, exception_attrs(vm, e), vm->sym.__notes__, notes);
    }
    if (!is_list(notes))
        return vm_raise(vm, "TypeError", "Cannot add note: __notes__ is not a list");
    list_push(vm, notes, args->at[1]);
    return VALUE_NONE;
}

// BaseException.__init__(*args, **kwargs)
static value exception_init(struct vm *vm, const struct args *args)
{
    struct exception *e = as_exception(args->at[0]);
    e->args = args->at[1];
    return fill(vm, e) && take_keywords(vm, e, args->at[2]) ? VALUE_NONE : NO_VALUE;
}

static const struct native_def exception_methods[] = {
    {"with_traceback", exception_with_traceback, "self tb", "The exception itself."},
    {"add_note", exception_add_note, "self note", "Adds a line to what is shown."},
    {"__init__", exception_init, "self *args **kwargs", "Keeps the arguments."},
    {0}};

const struct type type_exception = {
    .object = {.type = &type_type},
    .name = "BaseException",
    .size = sizeof(struct exception),
    .attrs = offsetof(struct exception, attrs),
    .methods = exception_methods,
    .mark = exception_mark,
    .finish = exception_finish,
    .make = exception_make,
    .repr = exception_repr,
    .str = exception_str,
    .get_attr = exception_get_attr,
    .set_attr = exception_set_attr,
};

/* ---- traces ---- */

void exception_add_trace(struct vm *vm, value exception, const struct code *code, struct span span)
{
    struct exception *e = as_exception(exception);
    if (e->ntrace == e->cap) {
        uint32_t before = e->cap;
        e->trace = pool_grow(e->trace, &e->cap, e->ntrace + 1, sizeof *e->trace);
        heap_owns(vm, (int64_t)((e->cap - before) * sizeof *e->trace));
    }
    e->trace[e->ntrace++] = (struct trace){code, span};
}

/* ---- raising from C ---- */

/* Takes an exception out of the contexts behind another one, so that they never make a circle. */
static void break_chain(value from, value exception)
{
    struct exception *slow = as_exception(from);
    bool step = false;
    for (struct exception *e = slow; e->context; e = as_exception(e->context), step = !step) {
        if (e->context == exception) {
            e->context = NO_VALUE;
            return;
        }
        if (step && slow->context)
            slow = as_exception(slow->context);
        if (e->context == from_object(slow)) /* they made one without us */
            return;
    }
}

value vm_raise_value(struct vm *vm, value exception)
{
    struct exception *e = as_exception(exception);
    value handled = vm_handled(vm); /* becomes the context of a new one */
    if (handled && handled != exception) {
        break_chain(handled, exception);
        e->context = handled;
    }
    vm->error = exception;
    return NO_VALUE;
}

static value raise_text(struct vm *vm, const char *class_name, value text)
{
    const struct type *class = find_class(vm, class_name);
    ensure(class);
    value args = tuple_new(vm, &text, 1);
    struct exception *e = object_new(vm, class);
    e->args = args;
    return vm_raise_value(vm, from_object(e));
}

value vm_raise(struct vm *vm, const char *class_name, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    value message = str_new(vm, buf_text(&text), text.len);
    buf_free(&text);
    return raise_text(vm, class_name, message);
}

value raise_unsupported(struct vm *vm, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    value attrs = dict_new(vm);
    dict_set_str(vm, attrs, ".unsupported", VALUE_TRUE);
    raise_text(vm, "NotImplementedError", str_take(vm, &text));
    as_exception(vm->error)->attrs = attrs;
    return NO_VALUE;
}

bool raise_is_unsupported(struct vm *vm)
{
    value attrs = vm->error ? as_exception(vm->error)->attrs : NO_VALUE;
    return attrs && dict_get_str(vm, attrs, ".unsupported");
}

value vm_raise_errno2(struct vm *vm, int error, const char *path, const char *other)
{
    const struct type *class = find_class(vm, os_error_class(error));
    value args[] = {small(error), str_from(vm, strerror(error)),
                    path ? str_from(vm, path) : VALUE_NONE, VALUE_NONE,
                    other ? str_from(vm, other) : VALUE_NONE};
    value exception = exception_make(vm, class,
                                     tuple_new(vm, args,
                                               other  ? 5
                                               : path ? 3
                                                      : 2),
                                     NO_VALUE);
    return vm_raise_value(vm, exception);
}

value vm_raise_errno(struct vm *vm, int error, const char *path)
{
    return vm_raise_errno2(vm, error, path, NULL);
}

value raise_stop(struct vm *vm, value result)
{
    const struct type *class = find_class(vm, "StopIteration");
    bool none = !result || result == VALUE_NONE;
    return vm_raise_value(
        vm, exception_make(vm, class, tuple_new(vm, &result, none ? 0 : 1), NO_VALUE));
}

value raise_exhausted(struct vm *vm, value iterator)
{
    return raise_stop(vm, is_exact(iterator, &type_generator) ? as_generator(iterator)->result
                                                              : NO_VALUE);
}

bool vm_failed(const struct vm *vm)
{
    return vm->error;
}

value vm_error(const struct vm *vm)
{
    return vm->error;
}

value vm_take_error(struct vm *vm)
{
    value error = vm->error;
    vm->error = NO_VALUE;
    return error;
}

const char *exception_text(struct vm *vm, value exception)
{
    value pending = vm_take_error(vm);
    value text = value_str(vm, exception); /* may need vm->text for exceptions of its own */
    buf_reset(&vm->text);
    buf_str(&vm->text, type_of(exception)->name);
    if (!text)
        vm->error = NO_VALUE;
    else if (as_str(text)->len) {
        buf_str(&vm->text, ": ");
        buf_add(&vm->text, str_text(text), as_str(text)->len);
    }
    vm->error = pending;
    return buf_text(&vm->text);
}
