// SPDX-License-Identifier: MIT
/* settings.c: see settings.h. The classes are Python, texts/settings.py. */
#include "flow/settings.h"

#include "flow/config.h"
#include "flow/prelude.h"
#include "flow/state.h"
#include "python/vm.h"

static value text_or_none(struct vm *vm, const char *text)
{
    return text ? str_from(vm, text) : VALUE_NONE;
}

static value made(struct workflow *w, const char *function, const value *words, size_t n)
{
    value make = settings_get(w, function);
    return make ? vm_call(w->vm, make, words, n, NO_VALUE) : NO_VALUE;
}

static value texts(struct vm *vm, const char *const *at, uint32_t n)
{
    value list = list_new(vm, NULL, 0);
    for (uint32_t i = 0; i < n; i++)
        list_push(vm, list, str_from(vm, at[i]));
    return list;
}

/* at: NULL-terminated, or NULL */
static value text_list(struct vm *vm, const char *const *at)
{
    uint32_t n = 0;
    while (at && at[n])
        n++;
    return texts(vm, at, n);
}

value settings_configfiles(struct workflow *w)
{
    value list = text_list(w->vm, w->options.configfiles);
    return made(w, "paths", &list, 1);
}

value settings_all_configfiles(struct workflow *w)
{
    value words[] = {texts(w->vm, (const char *const *)w->configfiles.at,
                           w->configfiles.len - w->config_named.len),
                     texts(w->vm, (const char *const *)w->config_named.at, w->config_named.len)};
    return made(w, "config_files", words, 2);
}

value settings_exec_mode(struct workflow *w)
{
    value mode = settings_get(w, "ExecMode");
    return mode ? value_attr(w->vm, mode, intern_str(w->names, "DEFAULT")) : NO_VALUE;
}

value settings_of_config(struct workflow *w)
{
    const value words[] = {config_of_words(w, dict_new(w->vm)), text_list(w->vm, w->options.config),
                           w->flow->cli_config.v, settings_configfiles(w),
                           value_bool(w->options.replace_config)};
    bool good = words[0] && words[3];
    return good ? made(w, "config_settings", words, sizeof words / sizeof *words) : NO_VALUE;
}

value settings_of_storage(struct workflow *w)
{
    const struct workflow_options *o = &w->options;
    const value words[] = {text_or_none(w->vm, o->default_storage_provider),
                           text_or_none(w->vm, o->default_storage_prefix),
                           value_bool(o->keep_storage), value_bool(o->not_retrieve_storage)};
    return made(w, "storage_settings", words, sizeof words / sizeof *words);
}

value settings_of_deployment(struct workflow *w)
{
    const struct software_options *o = &w->options.software;
    const value words[] = {value_bool(o->conda),
                           value_bool(o->container),
                           value_bool(o->modules),
                           text_or_none(w->vm, o->conda_dir),
                           text_or_none(w->vm, o->image_dir),
                           text_or_none(w->vm, o->image_args)};
    return made(w, "deployment_settings", words, sizeof words / sizeof *words);
}

static value number_or_none(struct vm *vm, int number)
{
    return number ? int_from(vm, number) : VALUE_NONE;
}

value settings_of_resources(struct workflow *w)
{
    const int *most = w->options.max_threads;
    const value words[] = {number_or_none(w->vm, w->options.shown_cores),
                           number_or_none(w->vm, most ? *most : 0), w->flow->limits.v};
    return made(w, "resource_settings", words, sizeof words / sizeof *words);
}
