// SPDX-License-Identifier: MIT
/* namedlist.c: lists with names (see namedlist.h). A list object with a table of name ranges behind
 * it. */
#include "flow/namedlist.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/pool.h"
#include "base/words.h"
#include "flow/iofile.h"
#include "python/vm.h"

struct range {
    sym_t name;
    uint32_t at, len;
    bool is_list;
};
struct namedlist {
    struct list list;
    VEC(struct range) names; /* owned */
    value attrs;             /* what Python code has set on it: that counts before the names */
};

static struct namedlist *as_namedlist(value v)
{
    return (struct namedlist *)as_object(v);
}

bool is_namedlist(value v)
{
    return is_object(v) && is_instance(v, &type_namedlist);
}

/* Names Snakemake refuses: what its class of lists defines itself, and for input the sizes. */
static const char *const reserved[] = {
    "append", "clear", "copy", "count",  "extend",  "get",    "insert",
    "items",  "keys",  "pop",  "remove", "reverse", "update", NULL,
};
static const char *const reserved_input[] = {
    "size",
    "size_kb",
    "size_mb",
    "size_gb",
    "size_files",
    "size_files_kb",
    "size_files_mb",
    "size_files_gb",
    "size_tempfiles",
    "temp_size_mb",
    NULL,
};

bool namedlist_reserved(const char *name, bool input)
{
    return word_in(reserved, name) || (input && word_in(reserved_input, name)) ||
           (name[0] == '_' && name[1] == '_');
}

value namedlist_new(struct vm *vm, const struct type *type)
{
    return from_object(object_new(vm, type));
}

void namedlist_name(value list, sym_t name, uint32_t at, uint32_t len, bool is_list)
{
    struct range range = {name, at, len, is_list};
    vec_push(&as_namedlist(list)->names, range);
}

bool namedlist_range(value list, size_t i, sym_t *name, uint32_t *at, uint32_t *len, bool *is_list)
{
    const struct namedlist *self = as_namedlist(list);
    if (i >= self->names.len)
        return false;
    *name = self->names.at[i].name;
    *at = self->names.at[i].at;
    *len = self->names.at[i].len;
    *is_list = self->names.at[i].is_list;
    return true;
}

/* Python code may have taken items out meanwhile. */
static value range_value(struct vm *vm, const struct namedlist *self, const struct range *range)
{
    if (range->at + (range->is_list ? range->len : 1) > self->list.len)
        return VALUE_NONE;
    if (!range->is_list)
        return self->list.at[range->at];
    value part = namedlist_new(vm, &type_namedlist);
    for (uint32_t i = 0; i < range->len; i++)
        list_push(vm, part, self->list.at[range->at + i]);
    return part;
}

value namedlist_find(struct vm *vm, value list, sym_t name)
{
    const struct namedlist *self = as_namedlist(list);
    for (uint32_t i = self->names.len; i-- > 0;)
        if (self->names.at[i].name == name)
            return range_value(vm, self, &self->names.at[i]);
    return NO_VALUE;
}

/* What self.name is: as Python code has set it, else the items of that name. NO_VALUE: neither. */
static value named(struct vm *vm, value self, sym_t name)
{
    value attrs = as_namedlist(self)->attrs;
    value set = attrs ? dict_get(vm, attrs, str_from_sym(vm, name)) : NO_VALUE;
    return set ? set : namedlist_find(vm, self, name);
}

/* ---- slots ---- */

static void namedlist_mark(struct vm *vm, struct object *self)
{
    const struct list *list = (const struct list *)self;
    for (uint32_t i = 0; i < list->len; i++)
        heap_mark(vm, list->at[i]);
}

static void namedlist_finish(struct vm *vm, struct object *self)
{
    vec_free(&((struct namedlist *)self)->names);
    if (type_list.finish)
        type_list.finish(vm, self);
}

static value namedlist_get_attr(struct vm *vm, value self, sym_t name)
{
    value found = named(vm, self, name);
    if (found)
        return found;
    const char *text = sym_text(vm_names(vm), name);
    if (!strcmp(text, "index") || !strcmp(text, "sort"))
        return vm_raise(
            vm, "AttributeError",
            "%s() cannot be used on snakemake input, output, resources etc.; instead it is a valid "
            "name for items on those objects. If you want e.g. to sort, convert to a plain list "
            "before or directly use sorted() on the object.",
            text);
    return NO_VALUE;
}

static value namedlist_attr_names(struct vm *vm, value self)
{
    const struct namedlist *list = as_namedlist(self);
    value names = list_new(vm, NULL, 0);
    for (uint32_t i = 0; i < list->names.len; i++)
        list_push(vm, names, str_from_sym(vm, list->names.at[i].name));
    return names;
}

static value namedlist_get_index(struct vm *vm, value self, value key)
{
    if (is_str(key))
        return value_attr(vm, self, str_sym(vm, key));
    return type_list.get_index(vm, self, key);
}

static value namedlist_str(struct vm *vm, value self)
{
    const struct list *list = as_list(self);
    struct buf out = {0};
    for (uint32_t i = 0; i < list->len; i++) {
        value text = value_str(vm, list->at[i]);
        if (!text) {
            buf_free(&out);
            return NO_VALUE;
        }
        if (i)
            buf_char(&out, ' ');
        buf_add(&out, as_str(text)->text, as_str(text)->len);
    }
    value text = str_new(vm, buf_text(&out), out.len);
    buf_free(&out);
    return text;
}

static bool namedlist_hash(struct vm *vm, value self, uint64_t *out)
{
    const struct list *list = as_list(self);
    return value_hash(vm, tuple_new(vm, list->at, list->len), out);
}

/* ---- methods ---- */

static value namedlist_get(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 1, NULL);
    if (!name)
        return NO_VALUE;
    value found = named(vm, args->at[0], intern_str(vm_names(vm), name));
    return found ? found : arg_or(args, 2, VALUE_NONE);
}

/* A view, as of a dict: input.keys() & {"bam", "bai"}. */
static value namedlist_keys(struct vm *vm, const struct args *args)
{
    const struct namedlist *self = as_namedlist(args->at[0]);
    value names = dict_new(vm);
    for (uint32_t i = 0; i < self->names.len; i++)
        dict_set(vm, names, str_from_sym(vm, self->names.at[i].name), VALUE_NONE);
    value keys = value_attr(vm, names, intern_str(vm_names(vm), "keys"));
    return keys ? vm_call0(vm, keys) : NO_VALUE;
}

static value namedlist_items(struct vm *vm, const struct args *args)
{
    const struct namedlist *self = as_namedlist(args->at[0]);
    value items = list_new(vm, NULL, 0);
    for (uint32_t i = 0; i < self->names.len; i++) {
        value pair[2] = {str_from_sym(vm, self->names.at[i].name),
                         range_value(vm, self, &self->names.at[i])};
        list_push(vm, items, tuple_new(vm, pair, 2));
    }
    return items;
}

static value namedlist_values(struct vm *vm, const struct args *args)
{
    const struct namedlist *self = as_namedlist(args->at[0]);
    value items = list_new(vm, NULL, 0);
    for (uint32_t i = 0; i < self->names.len; i++)
        list_push(vm, items, range_value(vm, self, &self->names.at[i]));
    return items;
}

/* Adds the items of another list, with its names if it has some. */
static bool take_items(struct vm *vm, value list, value from)
{
    struct iter it;
    if (!iter_open(vm, from, &it))
        return false;
    for (value item; (item = iter_next(vm, &it));)
        list_push(vm, list, item);
    for (size_t i = 0; is_namedlist(from) && i < as_namedlist(from)->names.len; i++)
        vec_push(&as_namedlist(list)->names, as_namedlist(from)->names.at[i]);
    return !vm_failed(vm);
}

// copy.copy(), copy.deepcopy(): the items are texts
static value namedlist_copy(struct vm *vm, const struct args *args)
{
    value list = namedlist_new(vm, type_of(args->at[0]));
    return take_items(vm, list, args->at[0]) ? list : NO_VALUE;
}

static const struct native_def namedlist_methods[] = {
    {"get", namedlist_get, "self key default=None", "The item of that name, or the default."},
    {"keys", namedlist_keys, "self", "The names."},
    {"items", namedlist_items, "self", "Pairs of name and item."},
    {"values", namedlist_values, "self", "The named items."},
    {"__copy__", namedlist_copy, "self", "A copy with the same names."},
    {"__deepcopy__", namedlist_copy, "self memo", "A copy with the same names."},
    {0},
};

/* ---- sizes of input files ---- */

/* size divided by 1024 to the given power: as a list of each, or their sum. */
static value sizes(struct vm *vm, value self, int power, bool each)
{
    const struct list *files = as_list(self);
    value list = list_new(vm, NULL, 0);
    double sum = 0, unit = power == 0   ? 1
                           : power == 1 ? 1024.0
                           : power == 2 ? 1048576.0
                                        : 1073741824.0;
    for (uint32_t i = 0; i < files->len; i++) {
        int64_t size;
        if (!is_str(files->at[i]))
            continue;
        if (!iofile_bytes(vm, str_text(files->at[i]), &size))
            return NO_VALUE;
        sum += (double)size;
        list_push(vm, list, power ? float_new(vm, (double)size / unit) : int_from(vm, size));
    }
    if (each)
        return list;
    return power ? float_new(vm, sum / unit) : int_from(vm, (int64_t)sum);
}

#define SIZE_PROPERTY(name, power, each)                                                           \
    static value name(struct vm *vm, const struct args *args)                                      \
    {                                                                                              \
        return sizes(vm, args->at[0], power, each);                                                \
    }
SIZE_PROPERTY(input_size, 0, false)
SIZE_PROPERTY(input_size_kb, 1, false)
SIZE_PROPERTY(input_size_mb, 2, false)
SIZE_PROPERTY(input_size_gb, 3, false)
SIZE_PROPERTY(input_size_files, 0, true)
SIZE_PROPERTY(input_size_files_kb, 1, true)
SIZE_PROPERTY(input_size_files_mb, 2, true)
SIZE_PROPERTY(input_size_files_gb, 3, true)

static const struct native_def input_properties[] = {
    {"size", input_size, "self", "Bytes of all files."},
    {"size_kb", input_size_kb, "self", "The same in KiB."},
    {"size_mb", input_size_mb, "self", "The same in MiB."},
    {"size_gb", input_size_gb, "self", "The same in GiB."},
    {"size_files", input_size_files, "self", "Bytes of each file."},
    {"size_files_kb", input_size_files_kb, "self", "The same in KiB."},
    {"size_files_mb", input_size_files_mb, "self", "The same in MiB."},
    {"size_files_gb", input_size_files_gb, "self", "The same in GiB."},
    {0},
};

/* ---- made by hand: Namedlist(toclone=None, fromdict=None) ---- */

/* Adds the items of a dict by name. */
static bool take_dict(struct vm *vm, value list, value dict)
{
    size_t pos = 0;
    if (!is_dict(dict))
        return vm_raise(vm, "TypeError", "fromdict must be a dict, not %s", type_name(dict));
    for (value key, item; dict_next(dict, &pos, &key, &item);) {
        value text = value_str(vm, key);
        if (!text)
            return false;
        list_push(vm, list, item);
        namedlist_name(list, intern_str(vm_names(vm), str_text(text)),
                       as_namedlist(list)->list.len - 1, 1, false);
    }
    return true;
}

static value namedlist_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"toclone", "fromdict"};
    value given[2] = {NO_VALUE, NO_VALUE}, list = namedlist_new(vm, type);
    size_t n;
    const value *at = sequence_items(args, &n);
    for (size_t i = 0; i < 2; i++) {
        given[i] = i < n ? at[i] : kwargs ? dict_get_str(vm, kwargs, names[i]) : NO_VALUE;
        given[i] = given[i] == VALUE_NONE ? NO_VALUE : given[i];
    }
    if ((given[0] && !take_items(vm, list, given[0])) ||
        (given[1] && !take_dict(vm, list, given[1])))
        return NO_VALUE;
    return list;
}

#define NAMEDLIST_SLOTS                                                                            \
    .object = {.type = &type_type}, .size = sizeof(struct namedlist),                              \
    .attrs = offsetof(struct namedlist, attrs), .make = namedlist_make, .mark = namedlist_mark,    \
    .finish = namedlist_finish, .get_attr = namedlist_get_attr,                                    \
    .attr_names = namedlist_attr_names, .get_index = namedlist_get_index, .hash = namedlist_hash

const struct type type_namedlist = {.name = "Namedlist",
                                    .base = &type_list,
                                    .methods = namedlist_methods,
                                    NAMEDLIST_SLOTS,
                                    .str = namedlist_str};
const struct type type_input_files = {
    .name = "InputFiles", .base = &type_namedlist, .properties = input_properties, NAMEDLIST_SLOTS};
const struct type type_output_files = {
    .name = "OutputFiles", .base = &type_namedlist, NAMEDLIST_SLOTS};
const struct type type_params = {.name = "Params", .base = &type_namedlist, NAMEDLIST_SLOTS};
const struct type type_wildcards = {.name = "Wildcards", .base = &type_namedlist, NAMEDLIST_SLOTS};
const struct type type_resources = {
    .name = "ResourceList", .base = &type_namedlist, NAMEDLIST_SLOTS};
const struct type type_log = {.name = "Log", .base = &type_namedlist, NAMEDLIST_SLOTS};
