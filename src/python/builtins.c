// SPDX-License-Identifier: MIT
/* Builtins about single objects, and the dict of all builtins. */
#include "python/builtins.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "python/bytes.h"
#include "python/class.h"
#include "python/foreign.h"
#include "python/format.h"
#include "python/numbers.h"
#include "python/str.h"
#include "python/vm_state.h"

static value builtin_len(struct vm *vm, const struct args *args)
{
    size_t n;
    return value_len(vm, args->at[0], &n) ? small((int64_t)n) : NO_VALUE;
}

static value builtin_repr(struct vm *vm, const struct args *args)
{
    return value_repr(vm, args->at[0]);
}

static value builtin_ascii(struct vm *vm, const struct args *args)
{
    return format_converted(vm, args->at[0], 'a');
}

static value builtin_format(struct vm *vm, const struct args *args)
{
    if (arg_given(args, 1) && !is_str(args->at[1]))
        return vm_raise(vm, "TypeError", "format() argument 2 must be str, not %s",
                        type_name(args->at[1]));
    return value_format(vm, args->at[0], args->at[1]);
}

/* ---- numbers ---- */

static value call_special(struct vm *vm, value v, const char *name, const value *args, size_t n)
{
    value method = attr_special(vm, v, intern_str(vm->names, name));
    return method ? vm_call(vm, method, args, n, NO_VALUE) : NO_VALUE;
}

static value builtin_abs(struct vm *vm, const struct args *args)
{
    value v = args->at[0];
    double d, imag;
    bool negative;
    if (is_object(v) && is_instance(v, &type_float)) {
        float_get(v, &d);
        return float_new(vm, d < 0 || (d == 0 && __builtin_signbit(d)) ? -d : d);
    }
    if (is_object(v) && is_instance(v, &type_complex)) {
        complex_get(v, &d, &imag);
        return float_new(vm, __builtin_hypot(d, imag));
    }
    value whole = v == VALUE_TRUE || v == VALUE_FALSE || is_int(v) ? int_index(vm, v) : NO_VALUE;
    if (whole)
        return value_less(vm, whole, small(0), &negative) && negative
                   ? value_unary(vm, OP_NEG, whole)
                   : whole;
    value result = call_special(vm, v, "__abs__", NULL, 0);
    if (result || vm->error)
        return result;
    return vm_raise(vm, "TypeError", "bad operand type for abs(): '%s'", type_name(v));
}

static value builtin_round(struct vm *vm, const struct args *args)
{
    value v = args->at[0], ndigits = args->at[1];
    if (is_object(v) && is_instance(v, &type_float))
        return float_round(vm, v, ndigits);
    if (v == VALUE_TRUE || v == VALUE_FALSE || is_int(v))
        return int_round(vm, v, ndigits);
    value result = call_special(vm, v, "__round__", &ndigits, ndigits ? 1 : 0);
    if (result || vm->error)
        return result;
    return vm_raise(vm, "TypeError", "type %s doesn't define __round__ method", type_name(v));
}

static bool is_real(value v)
{
    return v == VALUE_TRUE || v == VALUE_FALSE || is_int(v) ||
           (is_object(v) && is_instance(v, &type_float));
}

static value divmod_real(struct vm *vm, value a, value b)
{
    bool zero;
    value pair[2];
    if ((is_float(a) || is_float(b)) && value_truth(vm, b, &zero) && !zero)
        return vm_raise(vm, "ZeroDivisionError", "float divmod()");
    if (!(pair[0] = value_binary(vm, OP_FLOORDIV, a, b)) ||
        !(pair[1] = value_binary(vm, OP_MOD, a, b)))
        return NO_VALUE;
    return tuple_new(vm, pair, 2);
}

static value builtin_divmod(struct vm *vm, const struct args *args)
{
    value a = args->at[0], b = args->at[1], result = NO_VALUE;
    if (is_real(a) && is_real(b))
        return divmod_real(vm, a, b);
    if (is_object(a))
        result = call_special(vm, a, "__divmod__", &b, 1);
    if ((!result || result == VALUE_NOT_IMPLEMENTED) && !vm->error && is_object(b))
        result = call_special(vm, b, "__rdivmod__", &a, 1);
    if ((result && result != VALUE_NOT_IMPLEMENTED) || vm->error)
        return result;
    return vm_raise(vm, "TypeError", "unsupported operand type(s) for divmod(): '%s' and '%s'",
                    type_name(a), type_name(b));
}

static value builtin_pow(struct vm *vm, const struct args *args)
{
    value base = args->at[0];
    if (!arg_given(args, 2) || args->at[2] == VALUE_NONE)
        return value_binary(vm, OP_POW, base, args->at[1]);
    const struct type *type = type_of(base);
    value own = type->info ? type_find(vm, type, intern_str(vm->names, "__pow__")) : NO_VALUE;
    if (own && !is_exact(own, &type_native)) { /* that of int takes no third argument */
        value power = vm_call(vm, own, args->at, 3, NO_VALUE);
        if (power != VALUE_NOT_IMPLEMENTED)
            return power;
    }
    return int_pow_mod(vm, base, args->at[1], args->at[2]);
}

static value in_base(struct vm *vm, value v, int base, const char *prefix)
{
    value whole = int_index(vm, v);
    struct buf digits = {0}, out = {0};
    if (!whole || !int_print(vm, whole, base, &digits)) {
        buf_free(&digits);
        return NO_VALUE;
    }
    bool negative = *digits.at == '-';
    buf_printf(&out, "%s%s%s", negative ? "-" : "", prefix, digits.at + negative);
    buf_free(&digits);
    return str_take(vm, &out);
}

static value builtin_hex(struct vm *vm, const struct args *args)
{
    return in_base(vm, args->at[0], 16, "0x");
}

static value builtin_oct(struct vm *vm, const struct args *args)
{
    return in_base(vm, args->at[0], 8, "0o");
}

static value builtin_bin(struct vm *vm, const struct args *args)
{
    return in_base(vm, args->at[0], 2, "0b");
}

static value builtin_chr(struct vm *vm, const struct args *args)
{
    int64_t cp;
    value index = int_index(vm, args->at[0]);
    if (!index)
        return NO_VALUE;
    if (!int_get(index, &cp) || cp != (int32_t)cp)
        return vm_raise(vm, "OverflowError", "Python int too large to convert to C int");
    if (cp < 0 || cp > 0x10FFFF)
        return vm_raise(vm, "ValueError", "chr() arg not in range(0x110000)");
    return str_char(vm, (uint32_t)cp);
}

static value builtin_ord(struct vm *vm, const struct args *args)
{
    value v = args->at[0];
    if (is_str(v) && as_str(v)->count == 1) {
        const char *p = str_text(v);
        return small(utf8_next(&p, p + as_str(v)->len));
    }
    size_t n = 0;
    const char *bytes = bytes_get(v, &n);
    if (bytes && n == 1)
        return small((unsigned char)*bytes);
    if (bytes || is_str(v))
        return vm_raise(vm, "TypeError",
                        "ord() expected a character, but string of length %zu found",
                        bytes ? n : as_str(v)->count);
    return vm_raise(vm, "TypeError", "ord() expected string of length 1, but %s found",
                    type_name(v));
}

static value builtin_hash(struct vm *vm, const struct args *args)
{
    uint64_t hash;
    if (is_foreign(args->at[0]))
        return vm_call_method(vm, args->at[0], "__hash__", NULL, 0);
    if (!value_hash(vm, args->at[0], &hash))
        return NO_VALUE;
    return int_from(vm, (int64_t)hash);
}

static value builtin_id(struct vm *vm, const struct args *args)
{
    return small((int64_t)(args->at[0] & INT64_MAX) >> 1);
}

static value builtin_callable(struct vm *vm, const struct args *args)
{
    return value_bool(value_callable(args->at[0]));
}

/* ---- classes ---- */

/* Classes that say themselves which others count as theirs: __subclasshook__ of their own. */
static bool abstract_test(struct vm *vm, const struct type *type, value class, bool *out)
{
    value hook = dict_get_sym(vm, as_dict(as_type(class)->info->dict), vm->sym.__subclasshook__);
    if (!hook)
        return true;
    value args[] = {class, type_value(type)};
    if (is_exact(hook, &type_classmethod))
        hook = as_wrapper(hook)->callable;
    value says = vm_call(vm, hook, args, 2, NO_VALUE);
    return says == VALUE_NOT_IMPLEMENTED || (says && value_truth(vm, says, out));
}

/* value_isinstance or value_issubclass */
typedef bool class_relation(struct vm *vm, value v, value class, bool *out);

static bool any_class(struct vm *vm, value v, value classes, class_relation *relation, bool *out)
{
    size_t n;
    const value *items = sequence_items(classes, &n);
    *out = false;
    if (vm_too_deep(vm))
        return false;
    for (size_t i = 0; i < n && !*out; i++)
        if (!relation(vm, v, items[i], out))
            return false;
    return true;
}

static bool class_test(struct vm *vm, value v, value class, class_relation *relation, bool *out)
{
    bool instance = relation == value_isinstance;
    const struct type *type = instance ? type_of(v) : as_type(v);
    if (!is_type(class)) {
        value parts = value_attr_find(vm, class, intern_str(vm->names, "__args__")); /* int | str */
        if (parts && is_tuple(parts))
            return any_class(vm, v, parts, relation, out);
        if (vm->error)
            return false;
        return vm_raise(vm, "TypeError", "%s() arg 2 must be a %s, a tuple of %s, or a union",
                        instance ? "isinstance" : "issubclass", instance ? "type" : "class",
                        instance ? "types" : "classes");
    }
    *out = is_subtype(type, as_type(class));
    return *out || !as_type(class)->info || abstract_test(vm, type, class, out);
}

/* Asks what is no class, or what its metaclass makes special: name is __instancecheck__ or
 * __subclasscheck__. */
static bool ask_class(struct vm *vm, value v, value class, sym_t name, bool *out, bool *done)
{
    const struct type *kind = type_of(class);
    value found = is_type(class) && kind->info ? type_find(vm, kind, name) : NO_VALUE;
    value hook = found            ? attr_bind(vm, found, class, kind)
                 : is_type(class) ? NO_VALUE
                                  : value_attr_find(vm, class, name);
    *done = hook;
    if (!hook)
        return !vm->error;
    value result = vm_call1(vm, hook, v);
    return result && value_truth(vm, result, out);
}

bool value_isinstance(struct vm *vm, value v, value class, bool *out)
{
    bool done;
    if (is_foreign_class(class) || (is_foreign(v) && is_type(class)))
        return foreign_isinstance(vm, v, class, out);
    if (is_type(class) &&
        (type_of(class)->info ? type_of(v) == as_type(class) : is_instance(v, as_type(class)))) {
        *out = true;
        return true;
    }
    if (is_tuple(class))
        return any_class(vm, v, class, value_isinstance, out);
    if (!ask_class(vm, v, class, vm->sym.__instancecheck__, out, &done))
        return false;
    return done || class_test(vm, v, class, value_isinstance, out);
}

static value builtin_isinstance(struct vm *vm, const struct args *args)
{
    bool yes;
    return value_isinstance(vm, args->at[0], args->at[1], &yes) ? value_bool(yes) : NO_VALUE;
}

static bool value_issubclass(struct vm *vm, value v, value class, bool *out)
{
    bool done;
    if (is_foreign_class(v) || is_foreign_class(class))
        return foreign_issubclass(vm, v, class, out);
    if (!is_type(v))
        return vm_raise(vm, "TypeError", "issubclass() arg 1 must be a class");
    if (is_tuple(class))
        return any_class(vm, v, class, value_issubclass, out);
    if (!ask_class(vm, v, class, vm->sym.__subclasscheck__, out, &done))
        return false;
    return done || class_test(vm, v, class, value_issubclass, out);
}

static value builtin_issubclass(struct vm *vm, const struct args *args)
{
    bool yes;
    return value_issubclass(vm, args->at[0], args->at[1], &yes) ? value_bool(yes) : NO_VALUE;
}

/* ---- attributes ---- */

static value builtin_getattr(struct vm *vm, const struct args *args)
{
    sym_t name = 0;
    if (!attr_name(vm, args->at[1], &name))
        return NO_VALUE;
    if (!arg_given(args, 2))
        return value_attr(vm, args->at[0], name);
    value found = value_attr_find(vm, args->at[0], name);
    return found || vm->error ? found : args->at[2];
}

static value builtin_hasattr(struct vm *vm, const struct args *args)
{
    sym_t name = 0;
    if (!attr_name(vm, args->at[1], &name))
        return NO_VALUE;
    value found = value_attr_find(vm, args->at[0], name);
    return vm->error ? NO_VALUE : value_bool(found);
}

static value builtin_setattr(struct vm *vm, const struct args *args)
{
    sym_t name = 0;
    return attr_name(vm, args->at[1], &name) && value_set_attr(vm, args->at[0], name, args->at[2])
               ? VALUE_NONE
               : NO_VALUE;
}

static value builtin_delattr(struct vm *vm, const struct args *args)
{
    sym_t name = 0;
    return attr_name(vm, args->at[1], &name) && value_set_attr(vm, args->at[0], name, NO_VALUE)
               ? VALUE_NONE
               : NO_VALUE;
}

/* ---- print ---- */

static bool print_text(struct vm *vm, value file, const char *text, size_t len)
{
    if (file) {
        value str = str_new(vm, text, len);
        return vm_call_method(vm, file, "write", &str, 1);
    }
    if (vm->options.write)
        vm->options.write(vm->options.user, false, text, len);
    else
        fwrite(text, 1, len, stdout);
    return true;
}

/* sep or end: a str, None or not given. */
static bool print_option(struct vm *vm, const struct args *args, int i, const char *name,
                         struct text *out)
{
    value v = args->at[i];
    if (v && v != VALUE_NONE) {
        if (!is_str(v))
            return vm_raise(vm, "TypeError", "%s must be None or a string, not %s", name,
                            type_name(v));
        *out = text_of(v);
    }
    return true;
}

/* Where print goes when sys.stdout was replaced; NO_VALUE: the usual way. */
static value print_target(struct vm *vm)
{
    value sys = dict_get_str(vm, from_object(vm->modules), "sys");
    value out = sys ? module_get(vm, sys, "stdout") : NO_VALUE;
    return out && out != module_get(vm, sys, "__stdout__") ? out : NO_VALUE;
}

static value builtin_print(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *items = sequence_items(args->at[0], &n);
    struct text sep = {" ", 1}, end = {"\n", 1};
    bool flush;
    if (!print_option(vm, args, 1, "sep", &sep) || !print_option(vm, args, 2, "end", &end) ||
        !arg_bool(vm, args, 4, false, &flush))
        return NO_VALUE;
    value file = arg_or(args, 3, VALUE_NONE);
    file = file == VALUE_NONE ? print_target(vm) : file;
    struct buf out = {0};
    for (size_t i = 0; i < n; i++) {
        value text = value_str(vm, items[i]);
        if (!text) {
            buf_free(&out);
            return NO_VALUE;
        }
        if (i)
            buf_add(&out, sep.at, sep.len);
        buf_add(&out, str_text(text), as_str(text)->len);
    }
    buf_add(&out, end.at, end.len);
    bool fine = print_text(vm, file, buf_text(&out), out.len);
    buf_free(&out);
    if (fine && flush) {
        if (file)
            fine = vm_call_method(vm, file, "flush", NULL, 0);
        else if (!vm->options.write)
            fflush(stdout);
    }
    return fine ? VALUE_NONE : NO_VALUE;
}

const struct native_def builtins_objects[] = {
    {"len", builtin_len, "obj /", "How many items it has."},
    {"repr", builtin_repr, "obj /", "The text that shows it."},
    {"ascii", builtin_ascii, "obj /", "repr() with escapes for what is not ASCII."},
    {"format", builtin_format, "value format_spec= /", "The value laid out by a spec."},
    {"abs", builtin_abs, "x /", "Its size without sign."},
    {"round", builtin_round, "number ndigits=None",
     "The nearest number with so many digits; halves to even."},
    {"divmod", builtin_divmod, "x y /", "(x // y, x % y)"},
    {"pow", builtin_pow, "base exp mod=None", "base ** exp % mod"},
    {"hex", builtin_hex, "number /", "In base 16."},
    {"oct", builtin_oct, "number /", "In base 8."},
    {"bin", builtin_bin, "number /", "In base 2."},
    {"chr", builtin_chr, "i /", "The character of a code point."},
    {"ord", builtin_ord, "c /", "The code point of a character."},
    {"hash", builtin_hash, "obj /", "Its hash."},
    {"id", builtin_id, "obj /", "A number of its own while it lives."},
    {"callable", builtin_callable, "obj /", "Whether it can be called."},
    {"isinstance", builtin_isinstance, "obj class_or_tuple /", "Whether it is of a class."},
    {"issubclass", builtin_issubclass, "cls class_or_tuple /",
     "Whether a class is derived from another."},
    {"getattr", builtin_getattr, "object name default= /", "An attribute by name."},
    {"hasattr", builtin_hasattr, "obj name /", "Whether it has an attribute."},
    {"setattr", builtin_setattr, "obj name value /", "Sets an attribute by name."},
    {"delattr", builtin_delattr, "obj name /", "Deletes an attribute by name."},
    {"print", builtin_print, "*args sep= end='\\n' file=None flush=False", "Writes text."},
    {0}};

/* ---- all of them ---- */

bool builtins_fill(struct vm *vm, value builtins)
{
    static const struct native_def *const tables[] = {builtins_objects, builtins_iteration,
                                                      builtins_code, builtins_file};
    static const struct type *const types[] = {
        &type_object,     &type_type,  &type_bool,     &type_int,          &type_float,
        &type_complex,    &type_str,   &type_bytes,    &type_bytearray,    &type_list,
        &type_tuple,      &type_dict,  &type_set,      &type_frozenset,    &type_range,
        &type_memoryview, &type_slice, &type_property, &type_staticmethod, &type_classmethod,
        &type_super,      &type_zip,   &type_map,      &type_filter,       &type_enumerate,
        &type_reversed};
    dict_set_str(vm, builtins, "__name__", str_from(vm, "builtins"));
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (!natives_fill(vm, builtins, tables[t]))
            return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!dict_set_str(vm, builtins, types[i]->name, type_value(types[i])))
            return false;
    return dict_set_str(vm, builtins, "NotImplemented", VALUE_NOT_IMPLEMENTED) &&
           dict_set_str(vm, builtins, "Ellipsis", VALUE_ELLIPSIS) &&
           dict_set_str(vm, builtins, "__debug__", VALUE_TRUE);
}
