// SPDX-License-Identifier: MIT
/* module_snakemake.c: what `from snakemake.utils import ...` and its kin find. */
#include "flow/module_snakemake.h"

#include <string.h>

#include "flow/config.h"
#include "flow/exceptions.h"
#include "flow/expand.h"
#include "flow/flags.h"
#include "flow/helpers.h"
#include "flow/iofile.h"
#include "flow/prelude.h"
#include "flow/wildtext.h"
#include "flow/namedlist.h"
#include "flow/origin.h"
#include "flow/state.h"
#include "flow/validate.h"
#include "python/foreign.h"
#include "python/format.h"
#include "python/types.h"
#include "python/vm.h"

/* The version of Snakemake whose language this is. */
#define SNAKEMAKE_VERSION "9.27.1"

/* ---- snakemake.utils ---- */

static int compare_versions(const char *a, const char *b)
{
    while (*a || *b) {
        char *a_end, *b_end;
        long x = strtol(a, &a_end, 10), y = strtol(b, &b_end, 10);
        if (x != y)
            return x < y ? -1 : 1;
        a = *a_end == '.' ? a_end + 1 : "";
        b = *b_end == '.' ? b_end + 1 : "";
    }
    return 0;
}

static value min_version(struct vm *vm, const struct args *args)
{
    const char *wanted = arg_text(vm, args, 0, NULL);
    if (!wanted)
        return NO_VALUE;
    if (compare_versions(SNAKEMAKE_VERSION, wanted) >= 0)
        return VALUE_NONE;
    return flow_raise(
        workflow_of(vm), "WorkflowError",
        "Expecting Snakemake version %s or higher (this engine speaks the language of %s).", wanted,
        SNAKEMAKE_VERSION);
}

/* The schema: a mapping, or a file relative to the Snakefile. */
static value load_schema(struct workflow *w, value schema, const char **dir)
{
    *dir = flow_dir(w);
    value path = is_dict(schema) ? NO_VALUE : path_value(w->vm, schema);
    if (!path)
        return schema;
    const char *origin = origin_join(&w->arena, *dir, str_text(path)),
               *full = origin_local(w, origin);
    *dir = origin_dirname(&w->arena, origin);
    return full ? config_load(w, full) : NO_VALUE;
}

static value validation_failed(struct workflow *w, const char *what, value data)
{
    value error = vm_take_error(w->vm);
    flow_raise(w, "WorkflowError", "Error validating %s.\n%s", what,
               error ? exception_text(w->vm, error) : "");
    raise_hint(w->vm, error ? raise_meant(w->vm, as_exception(error)) : NULL);
    if (data && is_dict(data))
        as_exception(vm_error(w->vm))->lacking = data;
    return NO_VALUE;
}

/* check_row(record, row, schema, dir, defaults): what the prelude does with each row of a data
 * frame. */
static value check_row(struct vm *vm, const struct args *args)
{
    int64_t row;
    const char *dir = arg_text(vm, args, 3, NULL);
    if (!dir || !arg_int(vm, args, 1, 0, &row))
        return NO_VALUE;
    if (validate_value(workflow_of(vm), args->at[0], args->at[2], dir, args->at[4] == VALUE_TRUE))
        return VALUE_NONE;
    char what[64];
    snprintf(what, sizeof what, "row %d of data frame", (int)row);
    return validation_failed(workflow_of(vm), what, NO_VALUE);
}

static value validate_table(struct workflow *w, value table, value schema, const char *dir,
                            bool defaults)
{
    static const struct native_def def = {"check_row", check_row, "record row schema dir defaults",
                                          ""};
    value helper = prelude_get(w, "_validate_table");
    value args[] = {table, native_new(w->vm, &def, NULL), schema, str_from(w->vm, dir),
                    value_bool(defaults)};
    return helper ? vm_call(w->vm, helper, args, 5, NO_VALUE) : NO_VALUE;
}

static value validate(struct vm *vm, const struct args *args)
{
    struct workflow *w = workflow_of(vm);
    bool defaults;
    const char *dir;
    if (w->flow->scope->skip_validation)
        return VALUE_NONE;
    value schema = load_schema(w, args->at[1], &dir);
    if (!schema || !arg_bool(vm, args, 2, true, &defaults))
        return NO_VALUE;
    if (!is_dict(args->at[0]) && !is_list(args->at[0]))
        return validate_table(w, args->at[0], schema, dir, defaults);
    if (validate_value(w, args->at[0], schema, dir, defaults))
        return VALUE_NONE;
    return validation_failed(w, "config file", args->at[0]);
}

static value load_configfile(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? config_load(workflow_of(vm), path) : NO_VALUE;
}

static value utils_format(struct vm *vm, const struct args *args)
{
    value text = args->at[0];
    size_t n;
    const value *at = sequence_items(args->at[1], &n);
    return vm_call(vm, value_attr(vm, text, intern_str(vm_names(vm), "format")), at, n,
                   args->at[2]);
}

static const struct native_def utils_functions[] = {
    {"min_version", min_version, "version", "Refuses to run with an older Snakemake."},
    {"validate", validate, "data schema set_default=True", "Checks data against a JSON schema."},
    {"format", utils_format, "_pattern *args **variables", "str.format."},
    {0},
};

/* What get finds in one of the texts that are Python. */
static bool add_found(struct vm *vm, value module, const char *const *names,
                      value (*get)(struct workflow *w, const char *name))
{
    for (; *names; names++) {
        value found = get(workflow_of(vm), *names);
        if (!found || !module_set(vm, module, *names, found))
            return false;
    }
    return true;
}

static bool add_lists(struct vm *vm, value module)
{
    return module_set(vm, module, "Namedlist", type_value(&type_namedlist)) &&
           module_set(vm, module, "Wildcards", type_value(&type_wildcards));
}

static bool fill_utils(struct vm *vm, value module)
{
    static const char *const names[] = {"update_config",
                                        "available_cpu_count",
                                        "simplify_path",
                                        "linecount",
                                        "listfiles",
                                        "makedirs",
                                        "Paramspace",
                                        "R",
                                        "read_job_properties",
                                        "report",
                                        NULL};
    return add_found(vm, module, names, prelude_get) && add_lists(vm, module) &&
           module_set(vm, module, "logger", module_snakemake_logger(workflow_of(vm)));
}

/* ---- snakemake.io ---- */

static value get_flag_value(struct vm *vm, const struct args *args)
{
    const char *key = arg_text(vm, args, 1, NULL);
    value found = key ? flag_find(vm, args->at[0], key) : NO_VALUE;
    return found || !key ? found : VALUE_NONE;
}

/* IOFile(path, rule): which rule it is of does not show in a path here. */
static value io_file(struct vm *vm, const struct args *args)
{
    const char *path = arg_path(vm, args, 0);
    return path ? iofile_new(vm, intern_str(vm_names(vm), path), str_flags(vm, args->at[0]))
                : NO_VALUE;
}

static const struct native_def io_functions[] = {
    {"IOFile", io_file, "file rule=None", "A path as rules show it."},
    {"get_flag_value", get_flag_value, "value flag_type", "The value of a path's flag, or None."},
    {"load_configfile", load_configfile, "configpath", "The mapping in a config file."},
    {0},
};

static bool add_all(struct vm *vm, value module, const struct native_def *def)
{
    for (; def->name; def++)
        if (!module_set(vm, module, def->name, native_new(vm, def, NULL)))
            return false;
    return true;
}

static bool fill_io(struct vm *vm, value module)
{
    static const char *const names[] = {"apply_wildcards",
                                        "limit",
                                        "flatten",
                                        "lookup",
                                        "branch",
                                        "contains_wildcard",
                                        "contains_wildcard_constraints",
                                        "get_wildcard_constraints",
                                        "regex_from_filepattern",
                                        NULL};
    return add_all(vm, module, expand_functions) && add_all(vm, module, flag_functions) &&
           add_all(vm, module, helper_functions) && add_all(vm, module, wildtext_functions) &&
           add_found(vm, module, names, prelude_get) && add_lists(vm, module) &&
           module_set(vm, module, "_IOFile", type_value(&type_iofile)) &&
           module_set(vm, module, "AnnotatedString", type_value(&type_annotated)) &&
           module_set(vm, module, "InputFiles", type_value(&type_input_files)) &&
           module_set(vm, module, "OutputFiles", type_value(&type_output_files)) &&
           module_set(vm, module, "Params", type_value(&type_params)) &&
           module_set(vm, module, "Log", type_value(&type_log));
}

static bool fill_iocontainers(struct vm *vm, value module)
{
    return fill_io(vm, module) &&
           module_set(vm, module, "ResourceList", type_value(&type_resources));
}

/* ---- snakemake.exceptions, .logging, .shell ---- */

static value show_text(struct vm *vm, value text)
{
    value sys = module_import(vm, "sys"), kwargs = dict_new(vm);
    if (!sys)
        return NO_VALUE;
    dict_set_str(vm, kwargs, "file", module_get(vm, sys, "stderr"));
    return vm_call(vm, dict_get_str(vm, vm_builtins(vm), "print"), &text, 1, kwargs);
}

static value print_exception(struct vm *vm, const struct args *args)
{
    value text = value_str(vm, args->at[0]);
    return text ? show_text(vm, str_printf(vm, *str_text(text) ? "%s:\n%s" : "%s.%s",
                                           type_name(args->at[0]), str_text(text)))
                : NO_VALUE;
}

static const struct native_def exceptions_functions[] = {
    {"print_exception", print_exception, "ex linemaps=None", "Shows its class and its message."},
    {0},
};

static bool fill_exceptions(struct vm *vm, value module)
{
    return exceptions_fill(workflow_of(vm), module);
}

struct logger {
    struct object object;
};

/* The message, with % arguments filled in, to sys.stderr. */
static value log_text(struct vm *vm, const struct args *args)
{
    size_t n = 0;
    value text = value_str(vm, args->at[1]);
    sequence_items(args->at[2], &n);
    if (text && n)
        text = format_percent(vm, text, args->at[2]);
    return text ? show_text(vm, text) : NO_VALUE;
}

static value log_nothing(struct vm *vm, const struct args *args)
{
    return VALUE_NONE;
}

static const struct native_def logger_methods[] = {
    {"info", log_text, "self msg *args **kwargs", "Shows a message."},
    {"warning", log_text, "self msg *args **kwargs", "Shows a warning."},
    {"warn", log_text, "self msg *args **kwargs", "Shows a warning."},
    {"error", log_text, "self msg *args **kwargs", "Shows an error."},
    {"critical", log_text, "self msg *args **kwargs", "Shows an error."},
    {"exception", log_text, "self msg *args **kwargs", "Shows an error."},
    {"debug", log_nothing, "self msg *args **kwargs", "Not shown."},
    {"setLevel", log_nothing, "self level", "Has no effect."},
    {"addHandler", log_nothing, "self handler", "Has no effect."},
    {0},
};
static const struct type type_logger = {.object = {.type = &type_type},
                                        .name = "logging.Logger",
                                        .size = sizeof(struct logger),
                                        .methods = logger_methods};

value module_snakemake_logger(struct workflow *w)
{
    return from_object(object_new(w->vm, &type_logger));
}

static bool fill_logging(struct vm *vm, value module)
{
    return module_set(vm, module, "logger", module_snakemake_logger(workflow_of(vm)));
}

static bool fill_shell(struct vm *vm, value module)
{
    return module_set(vm, module, "shell", dict_get_str(vm, vm_builtins(vm), "shell"));
}

static bool fill_dag(struct vm *vm, value module)
{
    static const char *const names[] = {"toposort", NULL};
    return add_found(vm, module, names, prelude_get);
}

static bool fill_settings(struct vm *vm, value module)
{
    static const char *const names[] = {"DeploymentMethod", "DeploymentSettings", "StorageSettings",
                                        NULL};
    return add_found(vm, module, names, settings_get);
}

static bool fill_executor_settings(struct vm *vm, value module)
{
    static const char *const names[] = {"ExecMode", NULL};
    return add_found(vm, module, names, settings_get);
}

/* What the Snakefile has without an import. */
static value workflow_attr(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    value found = name ? dict_get_str(vm, vm_builtins(vm), name) : NO_VALUE;
    return found || !name ? found
                          : vm_raise(vm, "AttributeError",
                                     "module 'snakemake.workflow' has no attribute '%s'", name);
}

static const struct native_def workflow_functions[] = {
    {"__getattr__", workflow_attr, "name", "A name of all Snakefiles."},
    {0},
};

/* Its names and those of the main Snakefile are the same. */
static bool fill_workflow(struct vm *vm, value module)
{
    module_share(vm, module, workflow_of(vm)->flow->main->globals.v);
    return true;
}

static value async_run(struct vm *vm, const struct args *args)
{
    if (!is_exact(args->at[0], &type_coroutine))
        return args->at[0];
    value asyncio = foreign_import(vm, "asyncio");
    return asyncio ? vm_call_method(vm, asyncio, "run", args->at, 1) : NO_VALUE;
}

/* What is not here may be in the package itself, where python3 has it. */
static value common_attr(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    value package = name && *name != '_' ? foreign_import(vm, "snakemake.common") : NO_VALUE;
    vm_take_error(vm);
    value found = package ? value_attr(vm, package, intern_str(vm_names(vm), name)) : NO_VALUE;
    vm_take_error(vm);
    return found || !name ? found
                          : vm_raise(vm, "AttributeError",
                                     "module 'snakemake.common' has no attribute '%s'", name);
}

static const struct native_def common_functions[] = {
    {"async_run", async_run, "coroutine",
     "What it returns; what a file's size() and exists() said."},
    {"__getattr__", common_attr, "name", "Anything else."},
    {0},
};

value module_snakemake_async_run(struct vm *vm)
{
    return native_new(vm, common_functions, NULL);
}

static bool fill_package(struct vm *vm, value module)
{
    return module_set(vm, module, "__version__", str_from(vm, SNAKEMAKE_VERSION));
}

/* As in Snakemake, shell is the function there, and not the part of the package that has it. */
static bool fill_top(struct vm *vm, value module)
{
    return fill_package(vm, module) && module_import(vm, "snakemake.shell") &&
           fill_shell(vm, module);
}

static const struct native_def no_functions[] = {{0}};

static bool fill_nothing(struct vm *vm, value module)
{
    return true;
}

/* The parts of the package are there without being imported. */
static value package_attr(struct vm *vm, const struct args *args);
static const struct native_def package_functions[] = {
    {"__getattr__", package_attr, "name", "A part of the package."},
    {0},
};

static const struct native_module modules[] = {
    {"snakemake", package_functions, fill_top},
    {"snakemake.utils", utils_functions, fill_utils},
    {"snakemake.io", io_functions, fill_io},
    {"snakemake.iocontainers", no_functions, fill_iocontainers},
    {"snakemake.exceptions", exceptions_functions, fill_exceptions},
    {"snakemake.logging", no_functions, fill_logging},
    {"snakemake.shell", no_functions, fill_shell},
    {"snakemake.dag", no_functions, fill_dag},
    {"snakemake.workflow", workflow_functions, fill_workflow},
    {"snakemake.common", common_functions, fill_package},
    {"snakemake.settings", no_functions, fill_settings},
    {"snakemake.settings.types", no_functions, fill_settings},
    {"snakemake_interface_executor_plugins", no_functions, fill_nothing},
    {"snakemake_interface_executor_plugins.settings", no_functions, fill_executor_settings},
};

static value package_attr(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    for (size_t i = 1; name && i < sizeof modules / sizeof *modules; i++)
        if (!strncmp(modules[i].name, "snakemake.", 10) && !strcmp(modules[i].name + 10, name))
            return module_import(vm, modules[i].name);
    return name ? vm_raise(vm, "AttributeError", "module 'snakemake' has no attribute '%s'", name)
                : NO_VALUE;
}

void module_snakemake_add(struct workflow *w)
{
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        module_add(w->vm, &modules[i]);
}
