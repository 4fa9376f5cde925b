// SPDX-License-Identifier: MIT
/* flags.c: the functions that mark paths (see flags.h). To add a flag: its bit in rule.h, a row in
 * flag_rows, a function with its row in flag_functions. */
#include "flow/flags.h"

#include <string.h>

#include "base/path.h"
#include "flow/state.h"
#include "python/vm.h"

enum side { EITHER, OUTPUT_ONLY, INPUT_ONLY };

static const struct flag_row {
    const char *key;
    uint16_t bit;
    uint8_t side;
} flag_rows[] = {
    {"temp", FLAG_TEMP, OUTPUT_ONLY},
    {"temporary", FLAG_TEMP, OUTPUT_ONLY},
    {"protected", FLAG_PROTECTED, OUTPUT_ONLY},
    {"directory", FLAG_DIRECTORY, OUTPUT_ONLY},
    {"touch", FLAG_TOUCH, OUTPUT_ONLY},
    {"pipe", FLAG_PIPE, OUTPUT_ONLY},
    {"service", FLAG_SERVICE, OUTPUT_ONLY},
    {"ensure", FLAG_ENSURE, OUTPUT_ONLY},
    {"update", FLAG_UPDATE, OUTPUT_ONLY},
    {"nodelocal", FLAG_NODELOCAL, OUTPUT_ONLY},
    {"ancient", FLAG_ANCIENT, INPUT_ONLY},
    {"before_update", FLAG_BEFORE_UPDATE, INPUT_ONLY},
    {"report", FLAG_REPORT, EITHER},
    {"local", FLAG_LOCAL, EITHER},
    {"storage_object", FLAG_STORAGE, EITHER},
    {"repeat", FLAG_REPEAT, EITHER},
    {0},
};

static const struct flag_row *find_row(const char *key)
{
    for (const struct flag_row *row = flag_rows; row->key; row++)
        if (!strcmp(row->key, key))
            return row;
    return NULL;
}

uint16_t flag_bit(const char *key)
{
    const struct flag_row *row = find_row(key);
    return row ? row->bit : 0;
}

uint16_t flags_mask(struct vm *vm, value flags)
{
    uint16_t mask = 0;
    size_t pos = 0;
    value key, setting;
    while (flags && dict_next(flags, &pos, &key, &setting)) {
        const struct flag_row *row = find_row(str_text(key));
        mask |= row ? row->bit : 0;
        if (row && row->bit == FLAG_ENSURE && is_dict(setting) &&
            dict_get_str(vm, setting, "non_empty") == VALUE_TRUE)
            mask |= FLAG_NONEMPTY;
    }
    return mask;
}

void flags_check_side(struct vm *vm, value flags, bool output, const char *rule, struct span span)
{
    size_t pos = 0;
    value key, setting;
    while (flags && dict_next(flags, &pos, &key, &setting)) {
        const struct flag_row *row = find_row(str_text(key));
        if (row && row->side == (output ? INPUT_ONLY : OUTPUT_ONLY))
            warn(vm_diags(vm), span, "The flag '%s' used in rule %s is only valid for %s, not %s.",
                 row->key, rule, output ? "inputs" : "outputs", output ? "outputs" : "inputs");
    }
}

/* ---- flagged callables ---- */

static void flagged_mark(struct vm *vm, struct object *self)
{
    const struct flagged *flagged = (const struct flagged *)self;
    heap_mark(vm, flagged->callable);
    heap_mark(vm, flagged->flags);
}

static value flagged_call(struct vm *vm, value self, value args, value kwargs)
{
    size_t n;
    const value *at = sequence_items(args, &n);
    return vm_call(vm, ((const struct flagged *)as_object(self))->callable, at, n, kwargs);
}

const struct type type_flagged = {.object = {.type = &type_type},
                                  .name = "snakemake.io.AnnotatedString",
                                  .size = sizeof(struct flagged),
                                  .mark = flagged_mark,
                                  .call = flagged_call};

value unflagged(value v)
{
    return is_exact(v, &type_flagged) ? ((const struct flagged *)as_object(v))->callable : v;
}

value flags_of(struct vm *vm, value v)
{
    if (is_exact(v, &type_flagged))
        return ((const struct flagged *)as_object(v))->flags;
    return is_str(v) ? str_flags(vm, v) : NO_VALUE;
}

value flag_find(struct vm *vm, value v, const char *key)
{
    value flags = flags_of(vm, v);
    return flags ? dict_get_str(vm, flags, key) : NO_VALUE;
}

/* ---- setting flags ---- */

static value with_flag(struct vm *vm, value old, const char *key, value setting)
{
    value flags = dict_new(vm), k, v;
    size_t pos = 0;
    while (old && dict_next(old, &pos, &k, &v))
        dict_set(vm, flags, k, v);
    dict_set_str(vm, flags, key, setting);
    return flags;
}

static value flag_callable(struct vm *vm, value v, const char *key, value setting)
{
    value flags = with_flag(vm, flags_of(vm, v), key, setting);
    struct flagged *flagged = object_new(vm, &type_flagged);
    flagged->callable = unflagged(v);
    flagged->flags = flags;
    return from_object(flagged);
}

static value flag_each(struct vm *vm, value v, const char *key, value setting)
{
    value list = list_new(vm, NULL, 0);
    struct iter it;
    if (!iter_open(vm, v, &it))
        return NO_VALUE;
    for (value item; (item = iter_next(vm, &it));) {
        value flagged = flag_value(vm, item, key, setting);
        if (!flagged)
            return NO_VALUE;
        list_push(vm, list, flagged);
    }
    return vm_failed(vm) ? NO_VALUE : list;
}

value flag_value(struct vm *vm, value v, const char *key, value setting)
{
    value path = path_value(vm, v);
    if (path)
        return str_flagged(vm, path, with_flag(vm, str_flags(vm, path), key, setting));
    if (vm_failed(vm) || vm_too_deep(vm))
        return NO_VALUE;
    if (value_callable(v))
        return flag_callable(vm, v, key, setting);
    return flag_each(vm, v, key, setting);
}

/* ---- the functions ---- */

static value refuse_both(struct vm *vm, value v, const char *other, const char *message)
{
    return flag_find(vm, v, other) ? (vm_raise(vm, "SyntaxError", "%s", message), VALUE_TRUE)
                                   : NO_VALUE;
}

/* Raises if v carries a flag that excludes the new one. */
static bool clashes(struct vm *vm, value v, const char *key)
{
    static const char *const pairs[][3] = {
        {"temp", "protected", "Protected and temporary flags are mutually exclusive."},
        {"protected", "temp", "Protected and temporary flags are mutually exclusive."},
        {"pipe", "directory", "Pipe and directory flags are mutually exclusive."},
        {"directory", "pipe", "Pipe and directory flags are mutually exclusive."},
        {"temp", "storage_object", "Storage and temporary flags are mutually exclusive."},
        {"protected", "storage_object", "Storage and protected flags are mutually exclusive."},
        {"directory", "storage_object", "Storage and directory flags are mutually exclusive."},
        {"pipe", "storage_object", "Pipes may not be storage objects."},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strcmp(pairs[i][0], key) && refuse_both(vm, v, pairs[i][1], pairs[i][2]))
            return true;
    return false;
}

static value plain_flag(struct vm *vm, const struct args *args, const char *key)
{
    if (clashes(vm, args->at[0], key))
        return NO_VALUE;
    return flag_value(vm, args->at[0], key, VALUE_TRUE);
}

#define PLAIN_FLAG(fn, key)                                                                        \
    static value fn(struct vm *vm, const struct args *args)                                        \
    {                                                                                              \
        return plain_flag(vm, args, key);                                                          \
    }
PLAIN_FLAG(flag_protected, "protected")
PLAIN_FLAG(flag_directory, "directory")
PLAIN_FLAG(flag_touch, "touch")
PLAIN_FLAG(flag_pipe, "pipe")
PLAIN_FLAG(flag_service, "service")
PLAIN_FLAG(flag_ancient, "ancient")
PLAIN_FLAG(flag_before_update, "before_update")
PLAIN_FLAG(flag_update, "update")
PLAIN_FLAG(flag_local, "local")
PLAIN_FLAG(flag_unpack, "unpack")

/* How a file is read; the last one said counts. */
#define ACCESS_FLAG(fn, way)                                                                       \
    static value fn(struct vm *vm, const struct args *args)                                        \
    {                                                                                              \
        return flag_value(vm, args->at[0], "access_pattern", str_from(vm, way));                   \
    }
ACCESS_FLAG(access_random, "random")
ACCESS_FLAG(access_sequential, "sequential")
ACCESS_FLAG(access_multi, "multi")

static value flag_temp(struct vm *vm, const struct args *args)
{
    bool group_jobs;
    if (!arg_bool(vm, args, 1, false, &group_jobs) || clashes(vm, args->at[0], "temp"))
        return NO_VALUE;
    value v = flag_value(vm, args->at[0], "temp", VALUE_TRUE);
    return v && group_jobs ? flag_value(vm, v, "nodelocal", VALUE_TRUE) : v;
}

/* The setting of some flags: a dict of the arguments behind the first. */
static value details(struct vm *vm, const struct args *args, const char *const *names)
{
    value setting = dict_new(vm);
    for (int i = 1; i < args->n; i++)
        if (arg_given(args, i))
            dict_set_str(vm, setting, names[i - 1], args->at[i]);
    return setting;
}

static value flag_ensure(struct vm *vm, const struct args *args)
{
    static const char *const names[] = {"non_empty", "sha256", "md5", "sha1"};
    int checksums = arg_given(args, 2) + arg_given(args, 3) + arg_given(args, 4);
    if (checksums > 1)
        return flow_raise(workflow_of(vm), "WorkflowError",
                          "You can only provide one checksum type for ensure.");
    return flag_value(vm, args->at[0], "ensure", details(vm, args, names));
}

/* The caption's path is relative to the Snakefile that is being read. */
static value flag_report(struct vm *vm, const struct args *args)
{
    static const char *const names[] = {"caption", "category", "subcategory",
                                        "labels",  "patterns", "htmlindex"};
    struct workflow *w = workflow_of(vm);
    value caption = arg_given(args, 1) ? path_value(vm, args->at[1]) : NO_VALUE;
    if (vm_failed(vm))
        return NO_VALUE;
    value setting = details(vm, args, names);
    if (caption && !strstr(str_text(caption), "://"))
        dict_set_str(vm, setting, names[0],
                     str_from(vm, path_absolute(&w->arena, flow_dir(w), str_text(caption))));
    return flag_value(vm, args->at[0], "report", setting);
}

static value flag_repeat(struct vm *vm, const struct args *args)
{
    int64_t n;
    if (!arg_int(vm, args, 1, 1, &n))
        return NO_VALUE;
    return flag_value(vm, args->at[0], "repeat", int_from(vm, n));
}

/* flag(value, "name", flag_value=True): the general form. */
static value flag_any(struct vm *vm, const struct args *args)
{
    const char *key = arg_text(vm, args, 1, NULL);
    return key ? flag_value(vm, args->at[0], key, arg_or(args, 2, VALUE_TRUE)) : NO_VALUE;
}

static value flag_is(struct vm *vm, const struct args *args)
{
    const char *key = arg_text(vm, args, 1, NULL);
    return key ? flags_hold(vm, flags_of(vm, args->at[0]), args->at[1]) : NO_VALUE;
}

const struct native_def flag_functions[] = {
    {"temp", flag_temp, "value group_jobs=False", "Delete the file when no job needs it any more."},
    {"temporary", flag_temp, "value group_jobs=False", "The same as temp."},
    {"protected", flag_protected, "value", "Take the right to write away when the file is made."},
    {"directory", flag_directory, "value", "The output is a directory."},
    {"touch", flag_touch, "value", "Create or touch the file when the job has ended."},
    {"pipe", flag_pipe, "value", "The output is a named pipe."},
    {"service", flag_service, "value",
     "The output is made by a service that runs as long as it is needed."},
    {"ancient", flag_ancient, "value", "The input counts as older than any output."},
    {"before_update", flag_before_update, "value", "The input as it is before a job updates it."},
    {"update", flag_update, "value", "The output is changed in place, not removed first."},
    {"local", flag_local, "value", "The file is never put into storage."},
    {"unpack", flag_unpack, "value", "The function returns a dict of named files, or a list."},
    {"ensure", flag_ensure, "value non_empty=False sha256=None md5=None sha1=None",
     "The output must not be empty, or must have a checksum."},
    {"report", flag_report,
     "value caption=None category=None subcategory=None labels=None patterns=[] htmlindex=None",
     "The output belongs into the report."},
    {"repeat", flag_repeat, "value n_repeat", "Run the job that often for its benchmark."},
    {"flag", flag_any, "value flag_type flag_value=True", "Any flag by its name."},
    {"is_flagged", flag_is, "value flag", "Whether a path has that flag."},
    {0},
};

const struct native_def access_functions[] = {
    {"random", access_random, "value", "The file is read at random places."},
    {"sequential", access_sequential, "value", "The file is read from front to back."},
    {"multi", access_multi, "value", "The file is read several times."},
    {0},
};
