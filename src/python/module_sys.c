// SPDX-License-Identifier: MIT
/* sys. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "python/file.h"
#include "python/modules.h"
#include "python/sequence.h"
#include "python/str.h"
#include "python/types.h"
#include "python/vm_state.h"

static value sys_exit(struct vm *vm, const struct args *args)
{
    value class = dict_get_str(vm, vm_builtins(vm), "SystemExit");
    value code = args->at[0];
    value exception = vm_call(vm, class, &code, arg_given(args, 0) ? 1 : 0, NO_VALUE);
    return exception ? vm_raise_value(vm, exception) : NO_VALUE;
}

static value sys_getrecursionlimit(struct vm *vm, const struct args *args)
{
    return small(vm->frames_end - vm->frames - 1);
}

static value sys_nothing(struct vm *vm, const struct args *args)
{
    return VALUE_NONE;
}

static value sys_getdefaultencoding(struct vm *vm, const struct args *args)
{
    return str_from(vm, "utf-8");
}

static value sys_exception(struct vm *vm, const struct args *args)
{
    value handled = NO_VALUE;
    for (const struct frame *f = vm->frame; f > vm->frames && (!handled || handled == VALUE_NONE); f--)
        handled = f->handled;
    return handled ? handled : VALUE_NONE;
}

static value sys_exc_info(struct vm *vm, const struct args *args)
{
    value handled = sys_exception(vm, args);
    if (handled == VALUE_NONE)
        return tuple_new(vm, (value[]){VALUE_NONE, VALUE_NONE, VALUE_NONE}, 3);
    return tuple_new(vm, (value[]){type_value(type_of(handled)), handled, traceback_of(vm, handled)}, 3);
}

static value sys_getsizeof(struct vm *vm, const struct args *args)
{
    return small((int64_t)type_of(args->at[0])->size);
}

static value sys_intern(struct vm *vm, const struct args *args)
{
    return arg_text(vm, args, 0, NULL) ? args->at[0] : NO_VALUE;
}

static const struct native_def functions[] = {
    {"exit", sys_exit, "status= /", "Raises SystemExit."},
    {"getrecursionlimit", sys_getrecursionlimit, "", "How deep calls may be."},
    {"setrecursionlimit", sys_nothing, "limit /", "Kept for compatibility; the limit is the program's."},
    {"getdefaultencoding", sys_getdefaultencoding, "", "utf-8"},
    {"getfilesystemencoding", sys_getdefaultencoding, "", "utf-8"},
    {"exc_info", sys_exc_info, "", "The exception being handled, its class and its traceback."},
    {"exception", sys_exception, "", "The exception being handled."},
    {"getsizeof", sys_getsizeof, "object default=", "Bytes of the object itself."},
    {"intern", sys_intern, "string /", "The string itself."},
    {0}};

static const char version_text[] = "3.11.0 (kintsugi-flow " KF_VERSION ")";

static void fill_streams(struct vm *vm, value module)
{
    static const char *const names[][2] = {{"stdin", "__stdin__"}, {"stdout", "__stdout__"}, {"stderr", "__stderr__"}};
    for (int i = 0; i < 3; i++) {
        value stream = file_standard(vm, i);
        module_set(vm, module, names[i][0], stream);
        module_set(vm, module, names[i][1], stream);
    }
}

/* ---- sys.version_info: a tuple whose items have names ---- */

#define VERSION_FIELDS(X) X(0, major) X(1, minor) X(2, micro) X(3, releaselevel) X(4, serial)

#define X(i, name)                                                          \
    static value version_##name(struct vm *vm, const struct args *args)     \
    {                                                                       \
        (void)vm;                                                           \
        size_t n;                                                           \
        return sequence_items(args->at[0], &n)[i];                          \
    }
VERSION_FIELDS(X)
#undef X

static value version_repr(struct vm *vm, value self)
{
    size_t n;
    const value *at = sequence_items(self, &n);
    return str_printf(vm, "sys.version_info(major=%d, minor=%d, micro=%d, releaselevel='%s', serial=%d)",
                      (int)small_int(at[0]), (int)small_int(at[1]), (int)small_int(at[2]), str_text(at[3]),
                      (int)small_int(at[4]));
}

static value version_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    return vm_raise(vm, "TypeError", "cannot create 'sys.version_info' instances");
}

static const struct native_def version_properties[] = {
#define X(i, name) {#name, version_##name, "self", ""},
    VERSION_FIELDS(X)
#undef X
    {0}};

static const struct type type_version_info = {
    .object = {.type = &type_type},
    .name = "sys.version_info",
    .base = &type_tuple,
    .properties = version_properties,
    .make = version_make,
    .repr = version_repr,
};

static value version_info(struct vm *vm)
{
    value fields[] = {small(3), small(11), small(0), str_from(vm, "final"), small(0)};
    value version = tuple_new(vm, fields, 5);
    as_object(version)->type = &type_version_info;
    return version;
}

static value argv_list(struct vm *vm)
{
    value program = str_from(vm, "kintsugi-flow"), list = list_new(vm, &program, 1);
    for (const char *const *word = vm->options.argv; word && *word; word++)
        list_push(vm, list, str_from(vm, *word));
    return list;
}

static bool fill(struct vm *vm, value module)
{
    fill_streams(vm, module);
    module_set(vm, module, "argv", argv_list(vm));
    module_set(vm, module, "path", module_search_path(vm));
    module_set(vm, module, "modules", from_object(vm->modules));
    module_set(vm, module, "version", str_from(vm, version_text));
    module_set(vm, module, "version_info", version_info(vm));
    module_set(vm, module, "hexversion", small(0x030b00f0));
    module_set(vm, module, "platform", str_from(vm, "linux"));
    module_set(vm, module, "byteorder", str_from(vm, "little"));
    module_set(vm, module, "maxsize", int_from(vm, INT64_MAX));
    module_set(vm, module, "maxunicode", small(0x10FFFF));
    module_set(vm, module, "executable", str_from(vm, vm->options.python ? vm->options.python : "python3"));
    module_set(vm, module, "prefix", str_from(vm, "/usr"));
    module_set(vm, module, "flags", tuple_new(vm, NULL, 0));
    module_set(vm, module, "dont_write_bytecode", VALUE_TRUE);
    return true;
}

const struct native_module module_sys = {"sys", functions, fill};
