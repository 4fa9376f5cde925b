// SPDX-License-Identifier: MIT
/* yaml: what of PyYAML is done in C; the rest (loader classes, errors, streams) is lib/_yaml.py. */
#include "modules/modules.h"
#include "modules/yaml_data.h"
#include "python/bytes.h"
#include "python/library.h"
#include "python/vm_state.h"

// _read(text, schema, single, custom, construct, timestamp, fail)
static value read(struct vm *vm, const struct args *args)
{
    size_t len;
    int64_t schema;
    struct yaml_reader reader = {.custom = args->at[3],
                                 .construct = args->at[4],
                                 .timestamp = args->at[5],
                                 .fail = args->at[6]};
    const char *text = bytes_get(args->at[0], &len);
    if (!text)
        text = arg_text(vm, args, 0, &len);
    if (!text || !arg_int(vm, args, 1, YAML_SAFE, &schema) ||
        !arg_bool(vm, args, 2, true, &reader.single))
        return NO_VALUE;
    reader.schema = (enum yaml_schema)schema;
    return yaml_read(vm, &reader, text, len);
}

// _write(nodes, indent, width, allow_unicode, explicit_start, explicit_end, indent_lists)
static value write(struct vm *vm, const struct args *args)
{
    struct yaml_writer options = {0};
    size_t n;
    value nodes = arg_list(vm, args, 0);
    if (!nodes || !arg_int(vm, args, 1, 0, &options.indent) ||
        !arg_int(vm, args, 2, 0, &options.width) ||
        !arg_bool(vm, args, 3, false, &options.allow_unicode) ||
        !arg_bool(vm, args, 4, false, &options.explicit_start) ||
        !arg_bool(vm, args, 5, false, &options.explicit_end) ||
        !arg_bool(vm, args, 6, false, &options.indent_lists))
        return NO_VALUE;
    const value *at = sequence_items(nodes, &n);
    return yaml_write(vm, &options, at, n);
}

static const struct native_def functions[] = {
    {"_read", read, "text schema single custom construct timestamp fail",
     "The documents of a YAML text."},
    {"_write", write, "nodes indent width allow_unicode explicit_start explicit_end indent_lists",
     "The text of documents given as nodes."},
    {0}};

/* `import yaml.scanner` and its like: classes of lib/_yaml.py serve as these modules. */
static bool fill(struct vm *vm, value module)
{
    static const char *const parts[] = {
        "error",       "reader",  "scanner",    "parser", "composer", "constructor", "resolver",
        "representer", "emitter", "serializer", "loader", "dumper",   "nodes"};
    module_set(vm, module, "__version__", str_from(vm, "6.0"));
    module_set(vm, module, "__with_libyaml__", VALUE_TRUE);
    if (!library_run(vm, module, "_yaml"))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        value part = module_get(vm, module, parts[i]), name = str_printf(vm, "yaml.%s", parts[i]);
        if (part)
            dict_set(vm, from_object(vm->modules), name, part);
    }
    return true;
}

const struct native_module module_yaml = {"yaml", functions, fill};
