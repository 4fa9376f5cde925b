// SPDX-License-Identifier: MIT
/* config.c: see config.h. Precedence: configfile: statements in order, --configfile in order,
 * --config; the last two are put on top again after every statement. */
#include "flow/config.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/nearest.h"
#include "base/path.h"
#include "flow/paths.h"
#include "flow/state.h"
#include "python/textfault.h"
#include "python/types.h"
#include "python/vm.h"

/* ---- merging ---- */

/* Merges a mapping into another: mappings recursively, everything else replaced. False: raised. */
static bool config_merge(struct vm *vm, value into, value from)
{
    size_t pos = 0;
    value key, item;
    if (vm_too_deep(vm))
        return false;
    while (dict_next(from, &pos, &key, &item)) {
        value old = dict_get(vm, into, key);
        if (!is_dict(item)) {
            if (!dict_set(vm, into, key, item))
                return false;
            continue;
        }
        if (old && !dict_len(item))
            continue; /* nothing to be merged: what stands there stays, as in Snakemake */
        value inner = old && is_dict(old) ? old : dict_new(vm);
        if (!config_merge(vm, inner, item) || !dict_set(vm, into, key, inner))
            return false;
    }
    return true;
}

static value copy_dict(struct vm *vm, value v)
{
    value copy = dict_new(vm), key, item;
    for (size_t pos = 0; dict_next(v, &pos, &key, &item);) {
        value inner = config_copy(vm, item);
        if (!inner || !dict_set(vm, copy, key, inner))
            return NO_VALUE;
    }
    return copy;
}

value config_copy(struct vm *vm, value v)
{
    if (!is_dict(v) && !is_list(v))
        return v;
    if (vm_too_deep(vm))
        return NO_VALUE;
    if (is_dict(v))
        return copy_dict(vm, v);
    size_t n;
    const value *at = sequence_items(v, &n);
    value copy = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        value inner = config_copy(vm, at[i]);
        if (!inner)
            return NO_VALUE;
        list_push(vm, copy, inner);
    }
    return copy;
}

/* ---- files ---- */

/* The parsed text of YAML (1.1, with the tags of PyYAML's FullLoader, as in Snakemake; all scalars
 * as text if plain) or JSON. NO_VALUE: raised. */
static value config_parse_yaml(struct workflow *w, value text, bool plain)
{
    struct vm *vm = w->vm;
    value yaml = module_import(vm, "yaml"), kwargs = NO_VALUE;
    if (!yaml)
        return NO_VALUE;
    if (!plain)
        return vm_call1(vm, module_get(vm, yaml, "full_load"), text);
    kwargs = dict_new(vm);
    dict_set_str(vm, kwargs, "Loader", module_get(vm, yaml, "BaseLoader"));
    return vm_call(vm, module_get(vm, yaml, "load"), &text, 1, kwargs);
}

static value config_parse_json(struct workflow *w, value text)
{
    value json = module_import(w->vm, "json");
    return json ? vm_call1(w->vm, module_get(w->vm, json, "loads"), text) : NO_VALUE;
}

static bool refuse_text(struct workflow *w, const char *path, value text, value error)
{
    int source = source_add(w->sources, path, str_text(text), as_str(text)->len);
    struct text_fault fault = text_fault(w->vm, w->sources, source, error);
    int mark = diag_mark(w->diags);
    size_t len;
    complain_kind(w->diags, "WorkflowError", fault.at,
                  "Config file %s is not valid JSON or YAML: %s", path, fault.problem);
    if (fault.context)
        diag_note(w->diags, fault.context_at, "%s", fault.context);
    if (fault.at.at && *span_text(w->sources, fault.at, &len) == '\t')
        diag_hint(w->diags, "YAML is indented with blanks, not with tabs");
    return flow_stop(w, mark);
}

static value too_deep(struct workflow *w, const char *what, const char *name)
{
    return flow_raise(w, "WorkflowError",
                      "%s %s is nested too deeply, or an alias in it stands inside of what it "
                      "means.",
                      what, name);
}

bool config_has_end(struct vm *vm, value v)
{
    if (config_copy(vm, v))
        return true;
    vm_take_error(vm);
    return false;
}

/* JSON where it is JSON, else YAML, which may be a template of yte. */
static value parse_file(struct workflow *w, const char *path, value text)
{
    const char *start = str_text(text);
    value no_json = NO_VALUE;
    start += strspn(start, " \t\r\n");
    if (*start == '{' || *start == '[') {
        value parsed = config_parse_json(w, text);
        if (parsed)
            return parsed;
        no_json = vm_take_error(w->vm);
    }
    value parsed = config_parse_yaml(w, text, false);
    if (parsed)
        return config_fill_template(w->vm, parsed, text);
    value no_yaml = vm_take_error(w->vm);
    if (exception_is(w->vm, no_yaml, "RecursionError"))
        return too_deep(w, "Config file", path);
    bool json = no_json && !strcmp(path_extension(path), ".json");
    refuse_text(w, path, text, json ? no_json : no_yaml);
    return NO_VALUE;
}

value config_fill_template(struct vm *vm, value config, value text)
{
    if (!config || !is_dict(config))
        return config;
    value uses = dict_get_str(vm, config, "__use_yte__");
    if (!uses || uses == VALUE_NONE)
        return config;
    dict_delete(vm, config, str_from(vm, "__use_yte__"));
    bool used;
    if (!value_truth(vm, uses, &used))
        return NO_VALUE;
    if (!used)
        return config;
    value yte = module_import(vm, "yte");
    value filled = yte ? vm_call_method(vm, yte, "process_yaml", &text, 1) : NO_VALUE;
    if (filled && is_dict(filled))
        dict_delete(vm, filled, str_from(vm, "__use_yte__"));
    return filled;
}

static value unreadable(struct workflow *w, const char *path, const char *why)
{
    flow_raise(w, "WorkflowError", "'%s' cannot be read: %s", path, why);
    raise_hint(w->vm, nearest_file(&w->arena, path));
    return NO_VALUE;
}

value config_load(struct workflow *w, const char *path)
{
    struct arena scratch = {0};
    size_t len;
    char *text = fs_read(&scratch, path, &len);
    int error = errno;
    value source = text ? str_new(w->vm, text, len) : NO_VALUE;
    arena_free(&scratch);
    if (!text)
        return unreadable(w, path, strerror(error));
    value config = parse_file(w, path, source);
    if (config == VALUE_NONE)
        return flow_raise(
            w, "WorkflowError",
            "Config file %s is empty: it has to have keys at top level ({} for none).", path);
    if (config && !is_dict(config))
        return flow_raise(w, "WorkflowError",
                          "Config file %s must be given as JSON or YAML with keys at top level.",
                          path);
    return !config || config_has_end(w->vm, config) ? config : too_deep(w, "Config file", path);
}

/* ---- words ---- */

static value builtin_call(struct vm *vm, const char *name, value arg)
{
    value result = vm_call1(vm, dict_get_str(vm, vm_builtins(vm), name), arg);
    if (!result)
        vm_take_error(vm);
    return result;
}

/* A value of `--config key=value` as Snakemake reads it: quotes stripped, then int, float, True or
 * False, YAML with all scalars as text, text. Empty: None. NO_VALUE: raised. */
static value config_word_value(struct workflow *w, const char *text, size_t len)
{
    struct vm *vm = w->vm;
    while (len && strchr("'\"", *text))
        text++, len--;
    while (len && strchr("'\"", text[len - 1]))
        len--;
    if (!len)
        return VALUE_NONE;
    value word = str_new(vm, text, len), parsed;
    if ((parsed = builtin_call(vm, "int", word)) || (parsed = builtin_call(vm, "float", word)))
        return parsed;
    if (!strcmp(str_text(word), "True") || !strcmp(str_text(word), "False"))
        return value_bool(*str_text(word) == 'T');
    parsed = config_parse_yaml(w, word, true);
    if (!parsed)
        vm_take_error(vm);
    return parsed ? parsed : word;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

/* A letter or _, then word characters and -, at least two in all, the last one no -. */
static bool is_key(const char *text, size_t len)
{
    if (len < 2 || !is_word(text[0]) || (text[0] >= '0' && text[0] <= '9') ||
        !is_word(text[len - 1]))
        return false;
    for (size_t i = 1; i < len; i++)
        if (!is_word(text[i]) && text[i] != '-')
            return false;
    return true;
}

/* trim.min_len=3, as other programs have it. */
static void hint_nested(struct workflow *w, const char *word, const char *equals)
{
    const char *dot = memchr(word, '.', (size_t)(equals - word));
    if (dot && is_key(word, (size_t)(dot - word)) && is_key(dot + 1, (size_t)(equals - dot - 1)))
        diag_hint(w->diags,
                  "a value within '%.*s' is given in a file (--configfile) or, as text, by "
                  "'%.*s={%.*s: %s}'",
                  (int)(dot - word), word, (int)(dot - word), word, (int)(equals - dot - 1),
                  dot + 1, equals + 1);
}

static bool merge_word(struct workflow *w, value config, const char *word)
{
    const char *equals = strchr(word, '=');
    struct span nowhere = {0};
    if (!equals) {
        complain_kind(
            w->diags, "error", nowhere,
            "Invalid config definition: Config entries have to be defined as name=value pairs. "
            "(Unparsable value: '%s')",
            word);
        diag_hint(w->diags, "targets go before options: `run %s --config name=value`", word);
        return false;
    }
    if (!is_key(word, (size_t)(equals - word))) {
        complain_kind(w->diags, "error", nowhere,
                      "Invalid config definition: Config entry must start with a valid identifier "
                      "of at least two characters (in '%s').",
                      word);
        hint_nested(w, word, equals);
        return false;
    }
    value v = config_word_value(w, equals + 1, strlen(equals + 1));
    if (v && !config_has_end(w->vm, v))
        return too_deep(w, "--config", word);
    value entry = dict_new(w->vm);
    return v && dict_set(w->vm, entry, str_new(w->vm, word, (size_t)(equals - word)), v) &&
           config_merge(w->vm, config, entry);
}

value config_of_words(struct workflow *w, value config)
{
    for (const char *const *word = w->options.config; word && *word; word++)
        if (!merge_word(w, config, *word))
            return NO_VALUE;
    return config;
}

value config_from_options(struct workflow *w)
{
    value config = dict_new(w->vm);
    const char *const *file = w->options.configfiles;
    for (; file && *file; file++) {
        value more = config_load(w, *file);
        if (!more || !config_merge(w->vm, config, more))
            return NO_VALUE;
        vec_push(&w->configfiles, path_absolute(&w->arena, w->workdir, *file));
    }
    config = config_of_words(w, config);
    return config && pathvars_check_config(w, config, (struct span){0}) ? config : NO_VALUE;
}

bool workflow_has_given_config(const struct workflow *w)
{
    return dict_len(w->flow->cli_config.v);
}

/* ---- the statement ---- */

/* What may have been meant: a file of nearly that name, or the one beside the Snakefile. */
static void hint_file(struct workflow *w, const char *path)
{
    struct arena *in = &w->arena;
    const char *beside = path_join(in, flow_dir(w), path), *near = nearest_file(in, path);
    if (!path_is_absolute(path) && fs_exists(beside))
        diag_hint(w->diags,
                  "it is relative to the working directory; beside the Snakefile there is '%s'",
                  path_relative(in, beside, w->workdir));
    else
        diag_meant(w->diags, near);
}

static bool missing_file(struct workflow *w, const char *path, struct span span)
{
    char *full = path_absolute(&w->arena, w->workdir, path);
    flow_refuse(w, "WorkflowError", span,
                "Workflow defines configfile %s but it is not present or accessible (full "
                "checked path: %s).",
                path, full);
    hint_file(w, path);
    return false;
}

static bool merge_cli(struct workflow *w, value config)
{
    value copy = config_copy(w->vm, w->flow->cli_config.v);
    return copy && config_merge(w->vm, config, copy);
}

bool config_statement(struct workflow *w, value path, struct span span)
{
    struct scope *scope = w->flow->scope;
    if (scope->given_config)
        return true;
    const char *name = str_text(path);
    value config = dict_get_str(w->vm, scope->globals.v, "config");
    if (!config || !is_dict(config))
        return flow_refuse(w, "WorkflowError", span, "configfile: needs `config` to be a dict");
    if (!fs_exists(name))
        return w->options.configfiles && *w->options.configfiles ? merge_cli(w, config)
                                                                 : missing_file(w, name, span);
    vec_push(&w->configfiles, path_absolute(&w->arena, w->workdir, name));
    vec_push(&w->config_named, arena_str(&w->arena, name));
    value file = config_load(w, name);
    if (!file || !config_merge(w->vm, config, file))
        return false;
    if (workflow_has_given_config(w) && w->options.replace_config) {
        config = dict_new(w->vm);
        dict_set_str(w->vm, scope->globals.v, "config", config);
    }
    return merge_cli(w, config) && pathvars_check_config(w, config, span);
}
