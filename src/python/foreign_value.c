// SPDX-License-Identifier: MIT
/* Values on the wire, as marshal (version 2) writes them:
 *
 *     N T F                     None True False
 *     i int32                              int
 *     l count digits                       int of any size: digits of 15 bits; the count's sign
 *                                          is its
 *     g double   y double double           float, complex
 *     u length text   s length bytes       str (UTF-8, lone surrogates too), bytes
 *     ( [ < >  count items                 tuple, list, set, frozenset
 *     { key item ... 0                     dict
 *     .                                    Ellipsis: first in a tuple, it marks what marshal does
 *                                          not know
 *
 * Numbers are little-endian, lengths and counts 32 bits. */
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "python/bytes.h"
#include "python/class.h"
#include "python/foreign_link.h"
#include "python/numbers.h"
#include "python/types.h"

enum { MAX_DEPTH = 500, DIGIT_BITS = 15, MAX_AHEAD = 1 << 20 /* numbers are given without gaps */ };

/* ==== writing ==== */

static void put_code(struct writer *w, char code)
{
    buf_char(&w->out, code);
}

static void put_number(struct writer *w, uint32_t n)
{
    char bytes[4] = {(char)n, (char)(n >> 8), (char)(n >> 16), (char)(n >> 24)};
    buf_add(&w->out, bytes, sizeof bytes);
}

static void put_counted(struct writer *w, char code, uint32_t n)
{
    put_code(w, code);
    put_number(w, n);
}

void write_tuple(struct writer *w, uint32_t n)
{
    put_counted(w, '(', n);
}

void write_list(struct writer *w, uint32_t n)
{
    put_counted(w, '[', n);
}

void write_text(struct writer *w, const char *text, size_t len)
{
    put_counted(w, 'u', (uint32_t)len);
    buf_add(&w->out, text, len);
}

static void write_big(struct writer *w, const struct bigint *big)
{
    uint64_t bits = bigint_bit_length(big);
    uint32_t n = (uint32_t)((bits + DIGIT_BITS - 1) / DIGIT_BITS);
    put_counted(w, 'l', big->negative ? (uint32_t) - (int32_t)n : n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bit = (uint64_t)i * DIGIT_BITS, limb = bit / 32;
        uint64_t pair = big->at[limb] |
                        (limb + 1 < big->len ? (uint64_t)big->at[limb + 1] << 32 : 0);
        uint32_t digit = (uint32_t)(pair >> bit % 32) & ((1u << DIGIT_BITS) - 1);
        char bytes[2] = {(char)digit, (char)(digit >> 8)};
        buf_add(&w->out, bytes, 2);
    }
}

void write_int(struct writer *w, int64_t i)
{
    if (i >= INT32_MIN && i <= INT32_MAX) {
        put_counted(w, 'i', (uint32_t)(int32_t)i);
        return;
    }
    uint32_t limbs[2];
    struct bigint big = bigint_view(i, limbs);
    write_big(w, &big);
}

static void put_double(struct writer *w, double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    put_number(w, (uint32_t)bits);
    put_number(w, (uint32_t)(bits >> 32));
}

void write_mark(struct writer *w, int what, uint32_t items)
{
    w->marked = true;
    write_tuple(w, 2 + items);
    put_code(w, '.');
    write_int(w, what);
}

static bool write_items(struct writer *w, const value *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!write_value(w, at[i]))
            return false;
    return true;
}

/* module.name(args...), made anew over there. */
static bool write_build(struct writer *w, const char *name, const value *args, uint32_t n)
{
    write_mark(w, MARK_BUILD, 2);
    write_text(w, name, strlen(name));
    write_tuple(w, n);
    return write_items(w, args, n);
}

static bool write_tuple_value(struct writer *w, value v)
{
    size_t n;
    const value *items = sequence_items(v, &n);
    const struct foreign *f = w->vm->foreign;
    for (uint32_t i = 0; as_object(v)->type->info && i < f->classes.len; i++)
        if (f->classes.at[i] && f->classes.at[i]->row == type_value(as_object(v)->type)) {
            write_mark(w, MARK_ROW, 2);
            write_int(w, i);
        }
    if (n && items[0] == VALUE_ELLIPSIS) {
        write_mark(w, MARK_ESCAPED, (uint32_t)n - 1);
        return write_items(w, items + 1, n - 1);
    }
    write_tuple(w, (uint32_t)n);
    return write_items(w, items, n);
}

static bool write_frozenset(struct writer *w, value v)
{
    put_counted(w, '>', (uint32_t)set_len(v));
    value item;
    for (size_t pos = 0; set_next(v, &pos, &item);)
        if (!write_value(w, item))
            return false;
    return true;
}

bool write_keywords(struct writer *w, value dict)
{
    value key, item;
    put_code(w, '{');
    for (size_t pos = 0; dict != VALUE_NONE && dict_next(dict, &pos, &key, &item);)
        if (!write_value(w, key) || !write_value(w, item))
            return false;
    put_code(w, '0');
    return true;
}

static bool write_builtin(struct writer *w, const char *name)
{
    write_mark(w, MARK_BUILTIN, 1);
    write_text(w, name, strlen(name));
    return true;
}

/* What is known under the same name on both sides: types, classes of exceptions, functions without
 * state. */
static const char *shared_name(struct vm *vm, value v)
{
    static const char functions[] =
        " abs all any ascii bin chr divmod format hash hex len max min oct ord pow repr "
        "round sorted sum zip map filter enumerate reversed ";
    const char *name = is_type(v)                   ? as_type(v)->name
                       : v == VALUE_NOT_IMPLEMENTED ? "NotImplemented"
                                                    : NULL;
    if (is_exact(v, &type_native) && !as_native(v)->owner) {
        char padded[64];
        snprintf(padded, sizeof padded, " %s ", as_native(v)->def->name);
        name = strstr(functions, padded) ? as_native(v)->def->name : NULL;
    }
    return name && dict_get_str(vm, from_object(vm->builtins), name) == v ? name : NULL;
}

/* Fields of an object as arguments of its class over there. */
static bool write_fields(struct writer *w, const char *name, value v, const char *const *fields)
{
    value args[9];
    uint32_t n = 0;
    for (; fields[n]; n++)
        if (!(args[n] = value_attr(w->vm, v, intern_str(w->vm->names, fields[n]))))
            return false;
    return write_build(w, name, args, n);
}

static bool write_pairs(struct writer *w, value dict)
{
    value key, item, list = list_new(w->vm, NULL, 0);
    size_t n;
    for (size_t pos = 0; dict_next(dict, &pos, &key, &item);)
        list_push(w->vm, list, tuple_new(w->vm, (value[]){key, item}, 2));
    const value *items = sequence_items(list, &n);
    list = tuple_new(w->vm, items, n);
    return write_build(w, "collections.OrderedDict", &list, 1);
}

/* list[int] or int | None. */
static bool write_alias(struct writer *w, value v)
{
    size_t n;
    const value *items = sequence_items(alias_args(v), &n);
    if (is_exact(v, &type_alias))
        return write_build(w, "types.GenericAlias", (value[]){alias_origin(v), alias_args(v)}, 2);
    for (size_t i = n; i > 1; i--) {
        write_mark(w, MARK_BUILD, 2);
        write_text(w, "operator.or_", 12);
        write_tuple(w, 2);
    }
    return write_items(w, items, n);
}

/* typing.NAME or typing.NAME[args]. */
static bool write_typing(struct writer *w, value v)
{
    value name = value_attr(w->vm, v, intern_str(w->vm->names, "_name")),
          args = name ? value_attr(w->vm, v, intern_str(w->vm->names, "__args__")) : NO_VALUE;
    if (!args)
        return false;
    size_t n;
    const value *items = sequence_items(args, &n);
    if (n) {
        write_mark(w, MARK_BUILD, 2);
        write_text(w, "operator.getitem", 16);
        write_tuple(w, 2);
    }
    write_mark(w, MARK_BUILD, 2);
    write_text(w, "builtins.getattr", 16);
    write_tuple(w, 2);
    value module = str_new(w->vm, "typing", 6);
    return write_build(w, "importlib.import_module", &module, 1) && write_value(w, name) &&
           (!n || (n == 1 ? write_value(w, items[0]) : write_value(w, args)));
}

/* The module that the class of v, one of ours, names as its own; else NULL. */
static const char *class_module(struct vm *vm, value v)
{
    const struct type *type = type_of(v);
    value module = type->info ? dict_get_sym(vm, as_dict(type->info->dict), vm->sym.__module__)
                              : NO_VALUE;
    return module && is_str(module) ? str_text(module) : NULL;
}

/* Objects of datetime. A zone of python3 (zoneinfo) reads the fields of a datetime as they lie in
 * memory there, so a datetime has to become one with its zone; but not if the class of the zone is
 * the workflow's own. */
static bool write_time(struct writer *w, value v, bool *known)
{
    static const char *const date[] = {"year", "month", "day", NULL};
    static const char *const plain[] = {"year",   "month",  "day",         "hour",
                                        "minute", "second", "microsecond", NULL};
    static const char *const aware[] = {"year",   "month",       "day",    "hour", "minute",
                                        "second", "microsecond", "tzinfo", "fold", NULL};
    static const char *const delta[] = {"days", "seconds", "microseconds", NULL};
    static const char *const zone[] = {"_offset", NULL}, *const named[] = {"_offset", "_name",
                                                                           NULL};
    struct vm *vm = w->vm;
    const char *name = type_of(v)->name;
    if (!strcmp(name, "date"))
        return write_fields(w, "datetime.date", v, date);
    if (!strcmp(name, "timedelta"))
        return write_fields(w, "datetime.timedelta", v, delta);
    if (!strcmp(name, "timezone"))
        return write_fields(
            w, "datetime.timezone", v,
            value_attr(vm, v, intern_str(vm->names, "_name")) == VALUE_NONE ? zone : named);
    value tz = strcmp(name, "datetime") ? NO_VALUE
                                        : value_attr(vm, v, intern_str(vm->names, "tzinfo"));
    if (tz == VALUE_NONE)
        return write_fields(w, "datetime.datetime", v, plain);
    const char *module = tz ? class_module(vm, tz) : NULL;
    if (tz && (is_foreign(tz) || (module && !strcmp(module, "datetime"))))
        return write_fields(w, "aware_datetime", v, aware);
    *known = false;
    return !vm->error;
}

/* Objects of our classes that stand for the same class over there; *known: v is one. */
static bool write_known_class(struct writer *w, value v, bool *known)
{
    struct vm *vm = w->vm;
    const struct type *type = type_of(v);
    const char *module = class_module(vm, v);
    *known = true;
    if (module && !strcmp(module, "pathlib")) {
        value text = value_str(vm, v);
        return text &&
               write_build(w, strncmp(type->name, "Pure", 4) ? "pathlib.Path" : "pathlib.PurePath",
                           &text, 1);
    }
    if (module && !strcmp(module, "datetime"))
        return write_time(w, v, known);
    if (module && is_dict(v) && !strcmp(module, "collections") &&
        !strcmp(type->name, "OrderedDict"))
        return write_pairs(w, v);
    if (module && !strcmp(module, "typing") && !strcmp(type->name, "_Form"))
        return write_typing(w, v);
    *known = false;
    return true;
}

static bool write_range(struct writer *w, value v)
{
    const struct range *range = (const struct range *)as_object(v);
    value args[] = {int_from(w->vm, range->start), int_from(w->vm, range->stop),
                    int_from(w->vm, range->step)};
    return write_build(w, "builtins.range", args, 3);
}

static bool write_object(struct writer *w, value v)
{
    bool known;
    const char *name = shared_name(w->vm, v);
    if (name)
        return write_builtin(w, name);
    if (is_foreign(v)) {
        write_mark(w, MARK_HANDLE, 1);
        write_int(w, as_handle(v)->id);
        return true;
    }
    if (is_exact(v, &type_bytearray) || is_exact(v, &type_memoryview)) {
        size_t len;
        const char *at = bytes_get(v, &len);
        if (!at)
            return raise_no_bytes(w->vm, v);
        value bytes = bytes_new(w->vm, at, len);
        return write_build(
            w, is_exact(v, &type_bytearray) ? "builtins.bytearray" : "builtins.memoryview", &bytes,
            1);
    }
    if (is_exact(v, &type_range))
        return write_range(w, v);
    if (is_exact(v, &type_alias) || is_exact(v, &type_union))
        return write_alias(w, v);
    if (v == type_value(&type_none))
        return write_build(w, "builtins.type", (value[]){VALUE_NONE}, 1);
    if (is_exact(v, &type_slice))
        return write_build(w, "builtins.slice", &((const struct slice *)as_object(v))->start, 3);
    if (is_instance(v, &type_exception)) {
        value handle = foreign_of(w->vm, v);
        return handle ? write_object(w, handle) : write_native(w, v);
    }
    if (is_type(v) && as_type(v)->info) {
        value handle = dict_get_str(w->vm, as_type(v)->info->dict, ".foreign");
        return handle ? write_object(w, handle) : write_native(w, v);
    }
    if (!write_known_class(w, v, &known))
        return false;
    if (known)
        return true;
    return is_tuple(v) ? write_tuple_value(w, v) : write_native(w, v);
}

static bool write_number(struct writer *w, value v)
{
    uint32_t limbs[2];
    struct bigint big;
    int_view(v, limbs, &big);
    write_big(w, &big);
    return true;
}

static bool write_complex(struct writer *w, value v)
{
    double real, imag;
    complex_get(v, &real, &imag);
    put_code(w, 'y');
    put_double(w, real);
    put_double(w, imag);
    return true;
}

static bool write_simple(struct writer *w, value v)
{
    const struct type *type = type_of(v);
    size_t len;
    double d;
    if (type == &type_float) {
        float_get(v, &d);
        put_code(w, 'g');
        put_double(w, d);
        return true;
    }
    if (type == &type_bytes) {
        const char *bytes = bytes_get(v, &len);
        put_counted(w, 's', (uint32_t)len);
        buf_add(&w->out, bytes, len);
        return true;
    }
    if (type == &type_complex)
        return write_complex(w, v);
    if (type == &type_int)
        return write_number(w, v);
    if (type == &type_list || type == &type_dict || type == &type_set || type == &type_defaultdict)
        return write_lease(w, v);
    if (type == &type_tuple)
        return write_tuple_value(w, v);
    if (type == &type_frozenset)
        return write_frozenset(w, v);
    return write_object(w, v);
}

bool write_value(struct writer *w, value v)
{
    if (is_small(v)) {
        write_int(w, small_int(v));
        return true;
    }
    if (!is_object(v)) {
        if (v == VALUE_ELLIPSIS || v == VALUE_NOT_IMPLEMENTED)
            return write_builtin(w, v == VALUE_ELLIPSIS ? "Ellipsis" : "NotImplemented");
        put_code(w, v == VALUE_TRUE ? 'T' : v == VALUE_FALSE ? 'F' : 'N');
        return true;
    }
    if (is_str(v)) {
        write_text(w, str_text(v), as_str(v)->len);
        return true;
    }
    if (w->depth > MAX_DEPTH)
        return vm_raise(w->vm, "RecursionError",
                        "a value nested too deeply cannot be handed to a foreign module");
    w->depth++;
    bool fine = write_simple(w, v);
    w->depth--;
    return fine;
}

/* ==== reading ==== */

static value spoiled(struct reader *r)
{
    r->bad = true;
    return NO_VALUE;
}

static bool has(struct reader *r, size_t n)
{
    if ((size_t)(r->end - r->at) < n)
        r->bad = true;
    return !r->bad;
}

static uint32_t take_number(struct reader *r)
{
    const uint8_t *at = (const uint8_t *)r->at;
    if (!has(r, 4))
        return 0;
    r->at += 4;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

int64_t read_head(struct reader *r, char kind)
{
    if (!has(r, 5) || *r->at != kind) {
        r->bad = true;
        return -1;
    }
    r->at++;
    return take_number(r);
}

static double take_double(struct reader *r)
{
    uint64_t low = take_number(r), bits = low | (uint64_t)take_number(r) << 32;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static value read_complex(struct reader *r)
{
    double real = take_double(r), imag = take_double(r);
    return r->bad ? NO_VALUE : complex_new(r->vm, real, imag);
}

static value read_big(struct reader *r)
{
    int32_t count = (int32_t)take_number(r);
    uint32_t n = count < 0 ? (uint32_t) - (int64_t)count : (uint32_t)count;
    struct bigint big = {.negative = count < 0};
    if (!has(r, (size_t)n * 2))
        return NO_VALUE;
    uint32_t nlimbs = (uint32_t)(((uint64_t)n * DIGIT_BITS + 31) / 32);
    big.at = memory_zeroed(nlimbs + 2, sizeof *big.at);
    big.cap = nlimbs + 2;
    for (uint32_t i = 0; i < n; i++, r->at += 2) {
        uint64_t digit = (uint8_t)r->at[0] | (uint64_t)(uint8_t)r->at[1] << 8,
                 bit = (uint64_t)i * DIGIT_BITS;
        digit <<= bit % 32;
        big.at[bit / 32] |= (uint32_t)digit;
        big.at[bit / 32 + 1] |= (uint32_t)(digit >> 32);
    }
    big.len = nlimbs;
    while (big.len && !big.at[big.len - 1])
        big.len--;
    return int_take(r->vm, &big);
}

static value read_text(struct reader *r, bool bytes)
{
    uint32_t len = take_number(r);
    if (!has(r, len))
        return NO_VALUE;
    const char *at = r->at;
    r->at += len;
    return bytes ? bytes_new(r->vm, at, len) : str_new(r->vm, at, len);
}

/* Fills a list with the next n values. */
static value fill_list(struct reader *r, value list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        value item = read_value(r);
        if (!item)
            return NO_VALUE;
        list_push(r->vm, list, item);
    }
    return list;
}

static value read_list(struct reader *r, uint32_t n)
{
    /* each item takes a byte at least */
    return has(r, n) ? fill_list(r, list_new(r->vm, NULL, 0), n) : NO_VALUE;
}

static value read_set(struct reader *r, bool frozen)
{
    value list = read_list(r, take_number(r));
    if (!list || r->bad)
        return NO_VALUE;
    return vm_call1(r->vm, type_value(frozen ? &type_frozenset : &type_set), list);
}

static value fill_dict(struct reader *r, value dict)
{
    while (has(r, 1) && *r->at != '0') {
        value key = read_value(r), item = key ? read_value(r) : NO_VALUE;
        if (!item || !dict_set(r->vm, dict, key, item))
            return NO_VALUE;
    }
    r->at++;
    return r->bad ? NO_VALUE : dict;
}

/* A container that stands in the message more than once, here for the first time: it may hold
 * itself. */
static value read_shared(struct reader *r)
{
    if (!has(r, 6) || *r->at++ != 'i')
        return spoiled(r);
    uint32_t number = take_number(r);
    char code = *r->at++;
    uint32_t n = code == '{' ? 0 : take_number(r);
    value v = code == '['   ? list_new(r->vm, NULL, 0)
              : code == '{' ? dict_new(r->vm)
                            : set_new(r->vm);
    if (!r->shared)
        r->shared = list_new(r->vm, NULL, 0);
    if (number != as_list(r->shared)->len || !code || !strchr("[{<", code) || !has(r, n))
        return spoiled(r);
    list_push(r->vm, r->shared, v);
    if (code != '<')
        return code == '[' ? fill_list(r, v, n) : fill_dict(r, v);
    while (n-- > 0) {
        value item = read_value(r);
        if (!item || !set_add(r->vm, v, item))
            return NO_VALUE;
    }
    return v;
}

/* ---- marked tuples: read as a list of what follows the Ellipsis ---- */

static bool small_at(const value *items, size_t n, size_t i, uint32_t *out)
{
    if (i >= n || !is_small(items[i]) || small_int(items[i]) < 0 ||
        small_int(items[i]) > UINT32_MAX)
        return false;
    *out = (uint32_t)small_int(items[i]);
    return true;
}

static value marked_handle(struct reader *r, const value *items, size_t n)
{
    uint32_t id, class, can;
    struct foreign *f = r->vm->foreign;
    if (!small_at(items, n, 1, &id) || !small_at(items, n, 2, &class) ||
        id > f->handles.len + MAX_AHEAD || class > f->classes.len + MAX_AHEAD)
        return spoiled(r);
    if (n == 6 && is_str(items[3]) && is_str(items[4]) && small_at(items, n, 5, &can))
        class_add(r->vm, class, str_text(items[3]), str_text(items[4]), can);
    if (class >= f->classes.len || !f->classes.at[class])
        return spoiled(r);
    return handle_of(r->vm, id, class);
}

static value make_known(struct vm *vm, const char *module_name, const char *name, value args)
{
    value module = module_import(vm, module_name);
    value class = module ? value_attr(vm, module, intern_str(vm->names, name)) : NO_VALUE;
    size_t n;
    const value *items = sequence_items(args, &n);
    return class ? vm_call(vm, class, items, n, NO_VALUE) : NO_VALUE;
}

static value marked_build(struct reader *r, const value *items, size_t n)
{
    if (n != 4 || !is_str(items[1]) || !is_str(items[2]) || !is_tuple(items[3]))
        return spoiled(r);
    return make_known(r->vm, str_text(items[1]), str_text(items[2]), items[3]);
}

/* A namedtuple: the class is made here when the first of it comes. */
static value marked_row(struct reader *r, const value *items, size_t n)
{
    uint32_t number;
    struct vm *vm = r->vm;
    struct foreign *f = vm->foreign;
    if (n != 4 || !small_at(items, n, 1, &number) || !is_tuple(items[3]) ||
        number > f->classes.len + MAX_AHEAD)
        return spoiled(r);
    if (items[2] != VALUE_NONE) {
        class_add(vm, number, "", "", 0);
        f->classes.at[number]->row = make_known(vm, "collections", "namedtuple",
                                                tuple_from(vm, items[2]));
    }
    if (number >= f->classes.len || !f->classes.at[number] || !f->classes.at[number]->row)
        return vm->error ? NO_VALUE : spoiled(r);
    const struct tuple *row = as_tuple(items[3]);
    value made = tuple_new(vm, row->at, row->len);
    as_object(made)->type = as_type(f->classes.at[number]->row);
    return made;
}

static value marked(struct reader *r, const value *items, size_t n)
{
    uint32_t what, number;
    if (!small_at(items, n, 0, &what))
        return spoiled(r);
    switch (what) {
    case MARK_HANDLE: return marked_handle(r, items, n);
    case MARK_BUILD: return marked_build(r, items, n);
    case MARK_ROW: return marked_row(r, items, n);
    case MARK_BUILTIN:
        if (n == 2 && is_str(items[1])) {
            value found = dict_get_str(r->vm, from_object(r->vm->builtins), str_text(items[1]));
            return found ? found : dict_get_str(r->vm, from_object(r->vm->builtins), "Exception");
        }
        return spoiled(r);
    case MARK_NATIVE:
        return small_at(items, n, 1, &number) ? lent_value(r->vm->foreign, number) : spoiled(r);
    case MARK_SAME:
        return small_at(items, n, 1, &number) && r->shared && number < as_list(r->shared)->len
                   ? as_list(r->shared)->at[number]
                   : spoiled(r);
    case MARK_LEASE:
        return small_at(items, n, 1, &number) ? lease_container(r->vm->foreign, number)
                                              : spoiled(r);
    case MARK_LOAN:
        return n == 4 && small_at(items, n, 1, &number)
                   ? borrow_container(r->vm->foreign, r->vm, number, items[2], items[3])
                   : spoiled(r);
    default: return spoiled(r);
    }
}

static value read_tuple(struct reader *r)
{
    uint32_t n = take_number(r);
    bool special = n && has(r, 1) && *r->at == '.';
    static const char shared[] = {'.', 'i', MARK_SHARED, 0, 0, 0};
    if (n == 4 && has(r, sizeof shared) && !memcmp(r->at, shared, sizeof shared)) {
        r->at += sizeof shared;
        return read_shared(r);
    }
    value list = read_list(r, n);
    size_t len;
    const value *items = list ? sequence_items(list, &len) : NULL;
    if (!items)
        return NO_VALUE;
    if (!special)
        return tuple_new(r->vm, items, n);
    if (n > 1 && items[1] == small(MARK_ESCAPED)) {
        value plain = tuple_new(r->vm, items + 1, n - 1);
        as_tuple(plain)->at[0] = VALUE_ELLIPSIS;
        return plain;
    }
    value v = marked(r, items + 1, n - 1);
    if (!v && !r->vm->error)
        r->bad = true;
    return v;
}

static value read_coded(struct reader *r, char code)
{
    switch (code) {
    case 'N': return VALUE_NONE;
    case 'T': return VALUE_TRUE;
    case 'F': return VALUE_FALSE;
    case '.': return VALUE_ELLIPSIS;
    case 'i': {
        int32_t i = (int32_t)take_number(r);
        return r->bad ? NO_VALUE : small(i);
    }
    case 'l': return read_big(r);
    case 'g': {
        double d = take_double(r);
        return r->bad ? NO_VALUE : float_new(r->vm, d);
    }
    case 'y': return read_complex(r);
    case 'u':
    case 's': return read_text(r, code == 's');
    case '(': return read_tuple(r);
    case '[': return read_list(r, take_number(r));
    case '<':
    case '>': return read_set(r, code == '>');
    case '{': return fill_dict(r, dict_new(r->vm));
    default: return spoiled(r);
    }
}

value read_value(struct reader *r)
{
    if (!has(r, 1))
        return NO_VALUE;
    char code = *r->at++;
    if (r->depth > 4 * MAX_DEPTH || vm_too_deep(r->vm))
        return r->vm->error ? NO_VALUE : spoiled(r);
    r->depth++;
    value v = read_coded(r, code);
    r->depth--;
    return r->bad ? NO_VALUE : v;
}
