// SPDX-License-Identifier: MIT
/* sys. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "modules/modules.h"
#include "python/file.h"
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

static value sys_getframe(struct vm *vm, const struct args *args)
{
    value inspect = module_import(vm, "inspect"),
          depth = arg_given(args, 0) ? args->at[0] : small(0);
    return inspect ? vm_call1(vm, module_get(vm, inspect, "_getframe"), depth) : NO_VALUE;
}

static value sys_getframemodulename(struct vm *vm, const struct args *args)
{
    int64_t depth;
    if (!arg_int(vm, args, 0, 0, &depth))
        return NO_VALUE;
    if (depth < 0)
        depth = 0;
    if (depth >= vm->frame - vm->frames || !vm->frame[-depth].globals)
        return VALUE_NONE;
    return value_or_none(dict_get_str(vm, from_object(vm->frame[-depth].globals), "__name__"));
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
    return value_or_none(vm_handled(vm));
}

static value sys_exc_info(struct vm *vm, const struct args *args)
{
    value handled = sys_exception(vm, args);
    if (handled == VALUE_NONE)
        return tuple_new(vm, (value[]){VALUE_NONE, VALUE_NONE, VALUE_NONE}, 3);
    return tuple_new(
        vm, (value[]){type_value(type_of(handled)), handled, traceback_of(vm, handled)}, 3);
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
    {"_getframe", sys_getframe, "depth=0 /", "The code that is running, so many calls up."},
    {"_getframemodulename", sys_getframemodulename, "depth=0", "The module of that code."},
    {"getrecursionlimit", sys_getrecursionlimit, "", "How deep calls may be."},
    {"setrecursionlimit", sys_nothing, "limit /",
     "Kept for compatibility; the limit is the program's."},
    {"getdefaultencoding", sys_getdefaultencoding, "", "utf-8"},
    {"getfilesystemencoding", sys_getdefaultencoding, "", "utf-8"},
    {"exc_info", sys_exc_info, "", "The exception being handled, its class and its traceback."},
    {"exception", sys_exception, "", "The exception being handled."},
    {"getsizeof", sys_getsizeof, "object default=", "Bytes of the object itself."},
    {"intern", sys_intern, "string /", "The string itself."},
    {0}};

static const char version_text[] = "3.12.0 (kintsugi-flow " KF_VERSION ")";

static void fill_streams(struct vm *vm, value module)
{
    static const char *const names[][2] = {
        {"stdin", "__stdin__"}, {"stdout", "__stdout__"}, {"stderr", "__stderr__"}};
    for (int i = 0; i < 3; i++) {
        value stream = file_standard(vm, i);
        module_set(vm, module, names[i][0], stream);
        module_set(vm, module, names[i][1], stream);
    }
}

/* ---- tuples whose items have names ---- */

static value named_item(struct vm *vm, const struct args *args)
{
    size_t n;
    return sequence_items(args->at[0], &n)[args->def - type_of(args->at[0])->properties];
}

static value named_repr(struct vm *vm, value self)
{
    struct buf text = {0};
    const struct type *type = type_of(self);
    size_t n;
    const value *at = sequence_items(self, &n);
    buf_printf(&text, "%s(", type->name);
    for (size_t i = 0; i < n; i++)
        buf_printf(&text, "%s%s=%s", i ? ", " : "", type->properties[i].name,
                   str_text(value_repr(vm, at[i])));
    buf_char(&text, ')');
    return str_take(vm, &text);
}

static value named_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    return vm_raise(vm, "TypeError", "cannot create '%s' instances", type->name);
}

#define FIELD(name)                                                                                \
    {                                                                                              \
        name, named_item, "self", ""                                                               \
    }
#define NAMED(name_, fields)                                                                       \
    {                                                                                              \
        .object = {.type = &type_type}, .name = "sys." name_, .base = &type_tuple,                 \
        .properties = fields, .make = named_make, .repr = named_repr                               \
    }

static const struct native_def version_fields[] = {
    FIELD("major"), FIELD("minor"), FIELD("micro"), FIELD("releaselevel"), FIELD("serial"), {0}};
static const struct native_def float_fields[] = {
    FIELD("max"),     FIELD("max_exp"),    FIELD("max_10_exp"), FIELD("min"),
    FIELD("min_exp"), FIELD("min_10_exp"), FIELD("dig"),        FIELD("mant_dig"),
    FIELD("epsilon"), FIELD("radix"),      FIELD("rounds"),     {0}};
static const struct native_def flag_fields[] = {FIELD("debug"),
                                                FIELD("inspect"),
                                                FIELD("interactive"),
                                                FIELD("optimize"),
                                                FIELD("dont_write_bytecode"),
                                                FIELD("no_user_site"),
                                                FIELD("no_site"),
                                                FIELD("ignore_environment"),
                                                FIELD("verbose"),
                                                FIELD("bytes_warning"),
                                                FIELD("quiet"),
                                                FIELD("hash_randomization"),
                                                FIELD("isolated"),
                                                FIELD("dev_mode"),
                                                FIELD("utf8_mode"),
                                                FIELD("warn_default_encoding"),
                                                FIELD("safe_path"),
                                                FIELD("int_max_str_digits"),
                                                {0}};

static const struct type type_version_info = NAMED("version_info", version_fields),
                         type_float_info = NAMED("float_info", float_fields),
                         type_flags = NAMED("flags", flag_fields);

static value named(struct vm *vm, const struct type *type, const value *items, size_t n)
{
    value v = tuple_new(vm, items, n);
    as_object(v)->type = type;
    return v;
}

static value version_info(struct vm *vm)
{
    value fields[] = {small(3), small(12), small(0), str_from(vm, "final"), small(0)};
    return named(vm, &type_version_info, fields, 5);
}

static value float_info(struct vm *vm)
{
    value fields[] = {float_new(vm, DBL_MAX),
                      small(DBL_MAX_EXP),
                      small(DBL_MAX_10_EXP),
                      float_new(vm, DBL_MIN),
                      small(DBL_MIN_EXP),
                      small(DBL_MIN_10_EXP),
                      small(DBL_DIG),
                      small(DBL_MANT_DIG),
                      float_new(vm, DBL_EPSILON),
                      small(FLT_RADIX),
                      small(1)};
    return named(vm, &type_float_info, fields, 11);
}

static value flags(struct vm *vm)
{
    enum { FLAGS = sizeof flag_fields / sizeof *flag_fields - 1 };
    value fields[FLAGS];
    for (int i = 0; i < FLAGS; i++)
        fields[i] = small(0);
    fields[4] = fields[11] = small(1);     /* nothing is written, hashes differ from run to run */
    fields[13] = fields[16] = VALUE_FALSE; /* dev_mode, safe_path */
    fields[FLAGS - 1] = small(4300);
    return named(vm, &type_flags, fields, FLAGS);
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
    module_set(vm, module, "hexversion", small(0x030c00f0));
    module_set(vm, module, "platform", str_from(vm, "linux"));
    module_set(vm, module, "byteorder", str_from(vm, "little"));
    module_set(vm, module, "maxsize", int_from(vm, INT64_MAX));
    module_set(vm, module, "maxunicode", small(0x10FFFF));
    module_set(vm, module, "executable",
               str_from(vm, vm->options.python ? vm->options.python : "python3"));
    static const char *const prefixes[] = {"prefix", "exec_prefix", "base_prefix",
                                           "base_exec_prefix"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        module_set(vm, module, prefixes[i], str_from(vm, "/usr"));
    module_set(vm, module, "warnoptions", list_new(vm, NULL, 0));
    module_set(vm, module, "flags", flags(vm));
    module_set(vm, module, "float_info", float_info(vm));
    module_set(vm, module, "dont_write_bytecode", VALUE_TRUE);
    return true;
}

const struct native_module module_sys = {"sys", functions, fill};
