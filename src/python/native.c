// SPDX-License-Identifier: MIT
/* How natives read their arguments: every complaint names the function, the argument and what was
 * given. */
#include <string.h>

#include "python/file.h"
#include "python/numbers.h"
#include "python/signature.h"
#include "python/vm_state.h"

static const char *arg_name(struct vm *vm, const struct args *args, int i)
{
    const struct signature *s = signature_of(vm, args->def);
    return i < s->n ? sym_text(vm->names, s->param[i].name) : "?";
}

static value complain_arg(struct vm *vm, const struct args *args, int i, const char *wanted)
{
    const struct signature *s = signature_of(vm, args->def);
    if (i == 1 && s->n == 2) /* a method of one argument */
        return vm_raise(vm, "TypeError", "%s() argument must be %s, not %s", args->def->name,
                        wanted, type_name(args->at[i]));
    return vm_raise(vm, "TypeError", "%s() argument '%s' must be %s, not %s", args->def->name,
                    arg_name(vm, args, i), wanted, type_name(args->at[i]));
}

const char *arg_text(struct vm *vm, const struct args *args, int i, size_t *len)
{
    value v = args->at[i];
    if (!v || !is_str(v)) {
        complain_arg(vm, args, i, "str");
        return NULL;
    }
    if (len)
        *len = as_str(v)->len;
    return str_text(v);
}

const char *str_whole(struct vm *vm, value str)
{
    if (strlen(str_text(str)) == as_str(str)->len)
        return str_text(str);
    vm_raise(vm, "ValueError", "embedded null byte");
    return NULL;
}

const char *arg_path(struct vm *vm, const struct args *args, int i)
{
    value v = args->at[i];
    file_settle(vm); /* whoever names a path may read what is there */
    if (is_str(v))
        return str_text(v);
    value method = attr_special(vm, v, vm->sym.__fspath__);
    value text = method ? vm_call0(vm, method) : NO_VALUE;
    if (text && is_str(text))
        return str_text(text);
    if (!vm->error)
        vm_raise(vm, "TypeError", "expected str, bytes or os.PathLike object, not %s",
                 type_name(v));
    return NULL;
}

bool arg_int(struct vm *vm, const struct args *args, int i, int64_t otherwise, int64_t *out)
{
    value v = args->at[i];
    *out = otherwise;
    if (!v || int_get(v, out))
        return true;
    value index = int_index(vm, v);
    if (!index || int_get(index, out))
        return index;
    return vm_raise(vm, "OverflowError", "Python int too large to convert to C ssize_t");
}

bool arg_float(struct vm *vm, const struct args *args, int i, double otherwise, double *out)
{
    value v = args->at[i];
    *out = otherwise;
    if (!v || float_get(v, out))
        return true;
    value number = attr_special(vm, v, vm->sym.__float__);
    number = number ? vm_call0(vm, number) : NO_VALUE;
    if (number && is_instance(number, &type_float))
        return float_get(number, out);
    if (number)
        return vm_raise(vm, "TypeError", "%s.__float__ returned non-float (type %s)", type_name(v),
                        type_name(number));
    return vm->error ? false
                     : vm_raise(vm, "TypeError", "must be real number, not %s", type_name(v));
}

bool arg_bool(struct vm *vm, const struct args *args, int i, bool otherwise, bool *out)
{
    *out = otherwise;
    return !args->at[i] || value_truth(vm, args->at[i], out);
}

value arg_list(struct vm *vm, const struct args *args, int i)
{
    return list_from(vm, args->at[i]);
}

value arg_dict(struct vm *vm, const struct args *args, int i)
{
    if (args->at[i] && is_dict(args->at[i]))
        return args->at[i];
    return complain_arg(vm, args, i, "dict");
}

value arg_or(const struct args *args, int i, value otherwise)
{
    return args->at[i] ? args->at[i] : otherwise;
}
