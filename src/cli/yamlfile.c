// SPDX-License-Identifier: MIT
#include "cli/yamlfile.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "modules/modules.h"
#include "python/textfault.h"

enum { MOST_DEEP = 100 };

static struct json *tree_of(struct vm *vm, struct arena *in, value v, int depth);

static void set_text(struct vm *vm, struct arena *in, struct json *out, value v)
{
    value text = value_str(vm, v);
    out->text = text ? arena_copy(in, str_text(text), as_str(text)->len) : "";
    out->len = (uint32_t)strlen(out->text);
}

static void add(struct json *to, struct json **last, struct json *item)
{
    *(to->first ? &(*last)->next : &to->first) = item;
    *last = item;
    to->len++;
}

static void fill_mapping(struct vm *vm, struct arena *in, struct json *out, value dict, int depth)
{
    struct json *last = NULL, name;
    size_t pos = 0;
    out->kind = JSON_OBJECT;
    for (value key, item; dict_next(dict, &pos, &key, &item);) {
        struct json *member = tree_of(vm, in, item, depth + 1);
        set_text(vm, in, &name, key);
        member->key = name.text;
        add(out, &last, member);
    }
}

static struct json *tree_of(struct vm *vm, struct arena *in, value v, int depth)
{
    struct json *out = arena_new(in, struct json), *last = NULL;
    size_t n;
    const value *items = sequence_items(v, &n);
    if (v == VALUE_NONE || depth > MOST_DEEP)
        return out;
    if (is_dict(v)) {
        fill_mapping(vm, in, out, v, depth);
    } else if (items) {
        out->kind = JSON_ARRAY;
        for (size_t i = 0; i < n; i++)
            add(out, &last, tree_of(vm, in, items[i], depth + 1));
    } else if (v == VALUE_TRUE || v == VALUE_FALSE) {
        out->kind = v == VALUE_TRUE ? JSON_TRUE : JSON_FALSE;
    } else {
        out->kind = is_int(v) || is_float(v) ? JSON_NUMBER : JSON_STRING;
        set_text(vm, in, out, v);
    }
    return out;
}

const struct json *value_tree(struct vm *vm, struct arena *in, value v)
{
    return tree_of(vm, in, v, 0);
}

/* ---- what is no YAML ---- */

static void refuse(struct vm *vm, struct diags *dx, int source, const char *path, value error)
{
    struct text_fault fault = text_fault(vm, diags_sources(dx), source, error);
    complain(dx, fault.at, "'%s' is not valid YAML: %s", path, fault.problem);
    if (fault.context)
        diag_note(dx, fault.context_at, "%s", fault.context);
}

value yaml_value(struct vm *vm, struct diags *dx, const char *path, const char *text, size_t len)
{
    value module = module_import(vm, "yaml");
    value arg = module ? str_new(vm, text, len) : NO_VALUE;
    value v = arg ? vm_call_method(vm, module, "safe_load", &arg, 1) : NO_VALUE;
    if (!v)
        refuse(vm, dx, source_add(diags_sources(dx), path, text, len), path, vm_take_error(vm));
    return v;
}

const struct json *yaml_file(struct arena *in, struct diags *dx, const char *path)
{
    size_t len;
    const char *text = fs_read(in, path, &len);
    if (!text) {
        complain(dx, (struct span){0}, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    struct intern *names = intern_new();
    struct vm *vm = vm_new(
        &(struct vm_options){.names = names, .diags = dx, .modules = native_modules});
    value v = yaml_value(vm, dx, path, text, len);
    struct root held; /* showing a date runs code, which may sweep */
    heap_root(vm, &held, v);
    const struct json *tree = v ? tree_of(vm, in, v, 0) : NULL;
    vm_free(vm);
    intern_free(names);
    return tree;
}

/* ---- entries ---- */

bool yaml_refuse(const struct yaml_part *part, const char *key, const char *why)
{
    return complain(part->dx, (struct span){0}, "%s: '%s' %s", part->what, key, why);
}

bool yaml_knows(const struct yaml_part *part, const char *keys)
{
    if (part->entry && part->entry->kind != JSON_OBJECT && part->entry->kind != JSON_NULL)
        return complain(part->dx, (struct span){0}, "%s: this should be names with values: %s",
                        part->what, keys);
    for (const struct json *one = json_first(part->entry); one; one = one->next) {
        size_t n = strlen(one->key);
        const char *at = strstr(keys, one->key);
        while (at && n && ((at > keys && at[-1] != ' ') || (at[n] && at[n] != ' ')))
            at = strstr(at + 1, one->key);
        if (at && n)
            continue;
        yaml_refuse(part, one->key, "is not known here");
        diag_hint(part->dx, "known are: %s", keys);
        return false;
    }
    return true;
}

bool yaml_number(const struct yaml_part *part, const char *key, double *out)
{
    const struct json *value = json_get(part->entry, key);
    static const double most = 1e8;
    double n = json_number(value, -1);
    if (!value)
        return true;
    if (!(n >= 0 && n <= most))
        return yaml_refuse(part, key, "needs a number from 0 to 1e8");
    *out = n;
    return true;
}
