// SPDX-License-Identifier: MIT
#include "cli/yamlfile.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"

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

value yaml_value(struct vm *vm, const char *text, size_t len)
{
    value module = module_import(vm, "yaml");
    value arg = module ? str_new(vm, text, len) : NO_VALUE;
    return arg ? vm_call_method(vm, module, "safe_load", &arg, 1) : NO_VALUE;
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
    struct vm *vm = vm_new(&(struct vm_options){.names = names, .diags = dx});
    value v = yaml_value(vm, text, len);
    struct root held; /* showing a date runs code, which may sweep */
    heap_root(vm, &held, v);
    const struct json *tree = v ? tree_of(vm, in, v, 0) : NULL;
    if (!v) {
        complain(dx, (struct span){0}, "'%s' is no YAML: %s", path,
                 exception_text(vm, vm_take_error(vm)));
    }
    vm_free(vm);
    intern_free(names);
    return tree;
}
