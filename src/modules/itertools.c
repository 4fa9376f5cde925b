// SPDX-License-Identifier: MIT
/* itertools: each function is a type whose instances are iterators. They share one layout; what the
 * fields mean is said at each type. */
#include <stdlib.h>
#include <string.h>

#include "modules/itool.h"
#include "modules/modules.h"
#include "python/class.h"
#include "python/numbers.h"
#include "python/vm_state.h"

void itool_mark(struct vm *vm, struct object *self)
{
    struct itool *tool = (struct itool *)self;
    heap_mark(vm, tool->source);
    heap_mark(vm, tool->second);
    heap_mark(vm, tool->third);
}

void itool_finish(struct vm *vm, struct object *self)
{
    free(((struct itool *)self)->at);
}

value itool_itself(struct vm *vm, value self)
{
    return self;
}

bool itool_places(struct vm *vm, struct itool *tool, int64_t n)
{
    tool->at = n < INT32_MAX ? calloc((size_t)n + 1, sizeof *tool->at) : NULL;
    return tool->at || vm_raise(vm, "MemoryError", "a row of %lld items is too long", (long long)n);
}

/* An int argument of at least 0, or -1 where it is None or not given; false: raised. */
static bool count_or_none(struct vm *vm, value v, const char *complaint, int64_t *out)
{
    *out = -1;
    if (!v || v == VALUE_NONE)
        return true;
    if (!int_get(v, out) || *out < 0)
        return vm_raise(vm, "ValueError", "%s", complaint);
    return true;
}

/* ---- count(start=0, step=1): source the number, second the step ---- */

static value count_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"start", "step", NULL};
    value slot[2];
    if (!make_args(vm, "count", names, 0, args, kwargs, slot))
        return NO_VALUE;
    struct itool *tool = object_new(vm, type);
    tool->source = slot[0] ? slot[0] : small(0);
    tool->second = slot[1] ? slot[1] : small(1);
    return from_object(tool);
}

static value count_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    value now = tool->source, after = value_binary(vm, OP_ADD, now, tool->second);
    if (!after)
        return NO_VALUE;
    tool->source = after;
    return now;
}

static value count_repr(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    value start = value_repr(vm, tool->source);
    value step = start ? value_repr(vm, tool->second) : NO_VALUE;
    if (!step)
        return NO_VALUE;
    return tool->second == small(1)
               ? str_printf(vm, "count(%s)", str_text(start))
               : str_printf(vm, "count(%s, %s)", str_text(start), str_text(step));
}

static ITOOL(type_count, "count", count_make, count_next, .repr = count_repr);

/* ---- repeat(object, times): source the object, n how often or -1 ---- */

static value repeat_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"object", "times", NULL};
    value slot[2];
    if (!make_args(vm, "repeat", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0])
        return vm_raise(vm, "TypeError", "repeat() missing required argument 'object' (pos 1)");
    struct itool *tool = object_new(vm, type);
    tool->source = slot[0];
    tool->n = -1;
    if (slot[1] && !int_get(slot[1], &tool->n))
        return vm_raise(vm, "TypeError", "'%s' object cannot be interpreted as an integer",
                        type_name(slot[1]));
    if (slot[1] && tool->n < 0)
        tool->n = 0;
    return from_object(tool);
}

static value repeat_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    if (!tool->n)
        return NO_VALUE;
    tool->n -= tool->n > 0;
    return tool->source;
}

static bool repeat_len(struct vm *vm, value self, size_t *out)
{
    if (as_itool(self)->n < 0)
        return vm_raise(vm, "TypeError", "len() of unsized object");
    *out = (size_t)as_itool(self)->n;
    return true;
}

static ITOOL(type_repeat, "repeat", repeat_make, repeat_next, .len = repeat_len);

/* ---- cycle(iterable): second what was seen ---- */

/* The single positional argument of a tool; NO_VALUE: raised. */
static value only_argument(struct vm *vm, const char *name, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (kwargs && dict_len(kwargs))
        return vm_raise(vm, "TypeError", "%s() takes no keyword arguments", name);
    if (n != 1)
        return vm_raise(vm, "TypeError", "%s expected 1 argument, got %zu", name, n);
    return items[0];
}

static value cycle_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    value source = only_argument(vm, "cycle", args, kwargs);
    value it = source ? value_iter(vm, source) : NO_VALUE;
    if (!it)
        return NO_VALUE;
    struct itool *tool = object_new(vm, type);
    tool->source = it;
    tool->second = list_new(vm, NULL, 0);
    return from_object(tool);
}

static value cycle_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    int64_t n;
    if (!tool->done) {
        value item = value_next(vm, tool->source);
        if (item)
            list_push(vm, tool->second, item);
        if (item || vm->error)
            return item;
        tool->done = true;
    }
    const value *items = list_items(tool->second, &n);
    if (!n)
        return NO_VALUE;
    value item = items[tool->i];
    tool->i = (tool->i + 1) % n;
    return item;
}

static ITOOL(type_cycle, "cycle", cycle_make, cycle_next);

/* ---- chain(*iterables): source the iterator of iterables, second the running one ---- */

static value chain_new(struct vm *vm, const struct type *type, value iterables)
{
    value it = value_iter(vm, iterables);
    if (!it)
        return NO_VALUE;
    struct itool *tool = object_new(vm, type);
    tool->source = it;
    return from_object(tool);
}

static value chain_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    if (kwargs && dict_len(kwargs))
        return vm_raise(vm, "TypeError", "chain() takes no keyword arguments");
    return chain_new(vm, type, args);
}

static value chain_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    for (;;) {
        if (!tool->second) {
            value next = value_next(vm, tool->source);
            tool->second = next ? value_iter(vm, next) : NO_VALUE;
            if (!tool->second)
                return NO_VALUE;
        }
        value item = value_next(vm, tool->second);
        if (item || vm->error)
            return item;
        tool->second = NO_VALUE;
    }
}

// chain.from_iterable(iterable)
static value chain_from_iterable(struct vm *vm, const struct args *args)
{
    return chain_new(vm, as_type(args->at[0]), args->at[1]);
}

static const struct native_def chain_methods[] = {
    {"from_iterable", chain_from_iterable, "cls iterable /", "The items of each item in turn."},
    {0}};

static ITOOL(type_chain, "chain", chain_make, chain_next, .methods = chain_methods);

/* ---- islice(iterable, [start,] stop[, step]): i the next place wanted, n the end or -1, at[0]
 * where we are ---- */

static value islice_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char bad[] =
        "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    size_t n;
    const value *items = sequence_items(args, &n);
    if (kwargs && dict_len(kwargs))
        return vm_raise(vm, "TypeError", "islice() takes no keyword arguments");
    if (n < 2 || n > 4)
        return vm_raise(vm, "TypeError", "islice expected at %s arguments, got %zu",
                        n < 2 ? "least 2" : "most 4", n);
    int64_t start = 0, stop, step = 1;
    if (n == 2
            ? !count_or_none(
                  vm, items[1],
                  "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.",
                  &stop)
            : !count_or_none(vm, items[1], bad, &start) || !count_or_none(vm, items[2], bad, &stop))
        return NO_VALUE;
    if (n == 4 && items[3] != VALUE_NONE && (!int_get(items[3], &step) || step < 1))
        return vm_raise(vm, "ValueError", "Step for islice() must be a positive integer or None.");
    value it = value_iter(vm, items[0]);
    if (!it)
        return NO_VALUE;
    struct itool *tool = object_new(vm, type);
    tool->source = it;
    tool->i = start < 0 ? 0 : start;
    tool->n = stop;
    tool->step = step;
    if (!itool_places(vm, tool, 1))
        return NO_VALUE;
    return from_object(tool);
}

static value islice_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    int64_t stop = tool->n;
    if (tool->done)
        return NO_VALUE;
    value item = NO_VALUE;
    while (tool->at[0] <= tool->i && (stop < 0 || tool->at[0] < stop)) {
        item = value_next(vm, tool->source);
        if (!item)
            break;
        if (tool->at[0]++ == tool->i) {
            tool->i = tool->step > INT64_MAX - tool->i ? INT64_MAX : tool->i + tool->step;
            return item;
        }
    }
    tool->done = true;
    return NO_VALUE;
}

static ITOOL(type_islice, "islice", islice_make, islice_next);

/* ---- with a function: second; takewhile, dropwhile, filterfalse, starmap ---- */

static value function_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    const char *name = strchr(type->name, '.') ? strchr(type->name, '.') + 1 : type->name;
    size_t n;
    const value *items = sequence_items(args, &n);
    if (kwargs && dict_len(kwargs))
        return vm_raise(vm, "TypeError", "%s() takes no keyword arguments", name);
    if (n != 2)
        return vm_raise(vm, "TypeError", "%s expected 2 arguments, got %zu", name, n);
    value it = value_iter(vm, items[1]);
    if (!it)
        return NO_VALUE;
    struct itool *tool = object_new(vm, type);
    tool->source = it;
    tool->second = items[0];
    return from_object(tool);
}

/* The next item and what the function says about it; NO_VALUE: the end or raised. */
static value next_judged(struct vm *vm, struct itool *tool, bool *truth)
{
    value item = value_next(vm, tool->source);
    value said = item ? vm_call1(vm, tool->second, item) : NO_VALUE;
    return said && value_truth(vm, said, truth) ? item : NO_VALUE;
}

static value takewhile_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    bool truth;
    value item = tool->done ? NO_VALUE : next_judged(vm, tool, &truth);
    if (!item || truth)
        return item;
    tool->done = true;
    return NO_VALUE;
}

static value dropwhile_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    if (tool->begun)
        return value_next(vm, tool->source);
    bool truth = true;
    value item = NO_VALUE;
    while (truth && (item = next_judged(vm, tool, &truth)))
        ;
    tool->begun = item != NO_VALUE;
    return item;
}

/* None stands for the item's own truth, here alone. */
static value filterfalse_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    bool truth = true;
    value item = NO_VALUE;
    while (truth) {
        item = tool->second != VALUE_NONE ? next_judged(vm, tool, &truth)
                                          : value_next(vm, tool->source);
        if (!item || (tool->second == VALUE_NONE && !value_truth(vm, item, &truth)))
            return NO_VALUE;
    }
    return item;
}

static value starmap_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    value item = value_next(vm, tool->source);
    value list = item ? list_from(vm, item) : NO_VALUE;
    int64_t n;
    if (!list)
        return NO_VALUE;
    const value *items = list_items(list, &n);
    return vm_call(vm, tool->second, items, (size_t)n, NO_VALUE);
}

static ITOOL(type_takewhile, "takewhile", function_make, takewhile_next);
static ITOOL(type_dropwhile, "dropwhile", function_make, dropwhile_next);
static ITOOL(type_filterfalse, "filterfalse", function_make, filterfalse_next);
static ITOOL(type_starmap, "starmap", function_make, starmap_next);

/* ---- accumulate(iterable, func=None, *, initial=None): third the total ---- */

static value accumulate_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"iterable", "func", "initial", NULL};
    value slot[3];
    if (!make_args(vm, "accumulate", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0])
        return vm_raise(vm, "TypeError",
                        "accumulate() missing required argument 'iterable' (pos 1)");
    value it = value_iter(vm, slot[0]);
    if (!it)
        return NO_VALUE;
    struct itool *tool = object_new(vm, type);
    tool->source = it;
    tool->second = slot[1] == VALUE_NONE ? NO_VALUE : slot[1];
    tool->third = slot[2] == VALUE_NONE ? NO_VALUE : slot[2];
    return from_object(tool);
}

static value accumulate_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    if (tool->third && !tool->begun) {
        tool->begun = true;
        return tool->third;
    }
    value item = value_next(vm, tool->source);
    if (!item)
        return NO_VALUE;
    tool->begun = true;
    if (!tool->third)
        return tool->third = item;
    value pair[] = {tool->third, item};
    value total = tool->second ? vm_call(vm, tool->second, pair, 2, NO_VALUE)
                               : value_binary(vm, OP_ADD, tool->third, item);
    return total ? tool->third = total : NO_VALUE;
}

static ITOOL(type_accumulate, "accumulate", accumulate_make, accumulate_next);

/* ---- compress(data, selectors): source, second ---- */

static value compress_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"data", "selectors", NULL};
    value slot[2];
    if (!make_args(vm, "compress", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0] || !slot[1])
        return vm_raise(vm, "TypeError", "compress() missing required argument '%s' (pos %d)",
                        slot[0] ? "selectors" : "data", slot[0] ? 2 : 1);
    value data = value_iter(vm, slot[0]), selectors = data ? value_iter(vm, slot[1]) : NO_VALUE;
    if (!selectors)
        return NO_VALUE;
    struct itool *tool = object_new(vm, type);
    tool->source = data;
    tool->second = selectors;
    return from_object(tool);
}

static value compress_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    for (bool truth;;) {
        value item = value_next(vm, tool->source);
        value chosen = item ? value_next(vm, tool->second) : NO_VALUE;
        if (!chosen || !value_truth(vm, chosen, &truth))
            return NO_VALUE;
        if (truth)
            return item;
    }
}

static ITOOL(type_compress, "compress", compress_make, compress_next);

/* ---- zip_longest(*iterables, fillvalue=None): source list of iterators (None: ended), second the
 * filling ---- */

static value zip_longest_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    struct itool *tool = object_new(vm, type);
    tool->second = VALUE_NONE;
    value fill = kwargs ? dict_get_str(vm, kwargs, "fillvalue") : NO_VALUE;
    if (kwargs && dict_len(kwargs) != (fill != NO_VALUE))
        return vm_raise(vm, "TypeError", "zip_longest() got an unexpected keyword argument");
    if (fill)
        tool->second = fill;
    tool->source = list_new(vm, NULL, 0);
    tool->n = (int64_t)n;
    for (size_t i = 0; i < n; i++) {
        value it = value_iter(vm, items[i]);
        if (!it)
            return NO_VALUE;
        list_push(vm, tool->source, it);
    }
    return from_object(tool);
}

static value zip_longest_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    struct list *sources = as_list(tool->source);
    if (!tool->n)
        return NO_VALUE;
    value row = list_new(vm, NULL, sources->len);
    for (uint32_t i = 0; i < sources->len; i++) {
        value item = sources->at[i] == VALUE_NONE ? NO_VALUE : value_next(vm, sources->at[i]);
        if (vm->error)
            return NO_VALUE;
        if (!item && sources->at[i] != VALUE_NONE) {
            sources->at[i] = VALUE_NONE;
            if (!--tool->n)
                return NO_VALUE;
        }
        as_list(row)->at[i] = item ? item : tool->second;
    }
    int64_t n;
    const value *items = list_items(row, &n);
    return tuple_new(vm, items, (size_t)n);
}

static ITOOL(type_zip_longest, "zip_longest", zip_longest_make, zip_longest_next);

/* ---- pairwise(iterable): second the item before ---- */

static value pairwise_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    value source = only_argument(vm, "pairwise", args, kwargs);
    return source ? chain_new(vm, type, source) : NO_VALUE;
}

static value pairwise_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    if (!tool->second)
        tool->second = value_next(vm, tool->source);
    value item = tool->second ? value_next(vm, tool->source) : NO_VALUE;
    if (!item)
        return NO_VALUE;
    value pair[] = {tool->second, item};
    tool->second = item;
    return tuple_new(vm, pair, 2);
}

static ITOOL(type_pairwise, "pairwise", pairwise_make, pairwise_next);

/* ---- batched(iterable, n): n items at most ---- */

static value batched_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    value named = kwargs ? dict_get_str(vm, kwargs, "n") : NO_VALUE;
    if (n + (named != NO_VALUE) != 2 || (kwargs && dict_len(kwargs) != (named != NO_VALUE)))
        return vm_raise(vm, "TypeError", "batched() takes an iterable and n");
    value size = int_index(vm, named ? named : items[1]);
    int64_t count;
    if (!size)
        return NO_VALUE;
    if (!int_get(size, &count))
        return vm_raise(vm, "OverflowError", "Python int too large to convert to C ssize_t");
    if (count < 1)
        return vm_raise(vm, "ValueError", "n must be at least one");
    value made = chain_new(vm, type, items[0]);
    if (made)
        as_itool(made)->n = count;
    return made;
}

static value batched_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    value list = list_new(vm, NULL, 0), item;
    int64_t n = 0;
    for (; n < tool->n && (item = value_next(vm, tool->source)); n++)
        list_push(vm, list, item);
    const value *items = list_items(list, &n);
    return n && !vm->error ? tuple_new(vm, items, (size_t)n) : NO_VALUE;
}

static ITOOL(type_batched, "batched", batched_make, batched_next);

/* ---- groupby(iterable, key=None). The group object that was given out last may take items: i
 * counts them ---- */

struct groupby {
    struct object object;
    value source, function;
    value key, item; /* of the item that was read last; item NO_VALUE: it is taken */
    value wanted;    /* key of the running group */
    int64_t group;
    bool read; /* key is valid */
};
struct group {
    struct object object;
    struct groupby *parent;
    value key;
    int64_t number;
};

static void groupby_mark(struct vm *vm, struct object *self)
{
    struct groupby *by = (struct groupby *)self;
    value held[] = {by->source, by->function, by->key, by->item, by->wanted};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        heap_mark(vm, held[i]);
}

static void group_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, from_object(((struct group *)self)->parent));
    heap_mark(vm, ((struct group *)self)->key);
}

static bool groupby_read(struct vm *vm, struct groupby *by)
{
    value item = value_next(vm, by->source);
    value key = !item || by->function == VALUE_NONE ? item : vm_call1(vm, by->function, item);
    if (!key)
        return false;
    by->item = item;
    by->key = key;
    return true;
}

static value group_next(struct vm *vm, value self)
{
    struct group *group = (struct group *)as_object(self);
    struct groupby *by = group->parent;
    bool same;
    if (group->number != by->group || (!by->item && !groupby_read(vm, by)))
        return NO_VALUE;
    if (!value_equal(vm, group->key, by->key, &same) || !same)
        return NO_VALUE;
    value item = by->item;
    by->item = NO_VALUE;
    return item;
}

static const struct type type_group = {.object = {.type = &type_type},
                                       .name = "itertools._grouper",
                                       .size = sizeof(struct group),
                                       .mark = group_mark,
                                       .iter = itool_itself,
                                       .next = group_next};

static value groupby_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"iterable", "key", NULL};
    value slot[2];
    if (!make_args(vm, "groupby", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0])
        return vm_raise(vm, "TypeError", "groupby() missing required argument 'iterable' (pos 1)");
    value it = value_iter(vm, slot[0]);
    if (!it)
        return NO_VALUE;
    struct groupby *by = object_new(vm, type);
    by->source = it;
    by->function = slot[1] ? slot[1] : VALUE_NONE;
    return from_object(by);
}

static value groupby_next(struct vm *vm, value self)
{
    struct groupby *by = (struct groupby *)as_object(self);
    by->group++;
    for (bool same = true; same;) {
        if (by->read && !by->wanted)
            break;
        if (by->read && (!value_equal(vm, by->wanted, by->key, &same) || !same))
            break;
        if (!groupby_read(vm, by))
            return NO_VALUE;
        by->read = true;
    }
    if (vm->error)
        return NO_VALUE;
    by->wanted = by->key;
    struct group *group = object_new(vm, &type_group);
    group->parent = by;
    group->key = by->key;
    group->number = by->group;
    value pair[] = {by->key, from_object(group)};
    return tuple_new(vm, pair, 2);
}

static const struct type type_groupby = {.object = {.type = &type_type},
                                         .name = "itertools.groupby",
                                         .size = sizeof(struct groupby),
                                         .mark = groupby_mark,
                                         .make = groupby_make,
                                         .iter = itool_itself,
                                         .next = groupby_next};

/* ---- tee(iterable, n=2): source the iterator, second the list of what was read; i the place
 * ---- */

static value tee_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    int64_t n;
    const value *items = list_items(tool->second, &n);
    if (tool->i < n)
        return items[tool->i++];
    value item = value_next(vm, tool->source);
    if (!item)
        return NO_VALUE;
    list_push(vm, tool->second, item);
    tool->i++;
    return item;
}

static ITOOL(type_tee, "_tee", NULL, tee_next);

// itertools.tee(iterable, n=2)
static value tee(struct vm *vm, const struct args *args)
{
    int64_t n;
    value it = value_iter(vm, args->at[0]);
    if (!it || !arg_int(vm, args, 1, 2, &n))
        return NO_VALUE;
    if (n < 0)
        return vm_raise(vm, "ValueError", "n must be >= 0");
    value seen = list_new(vm, NULL, 0), all = list_new(vm, NULL, 0);
    for (int64_t i = 0; i < n; i++) {
        struct itool *tool = object_new(vm, &type_tee);
        tool->source = it;
        tool->second = seen;
        list_push(vm, all, from_object(tool));
    }
    const value *items = list_items(all, &n);
    return tuple_new(vm, items, (size_t)n);
}

/* ---- the module ---- */

static const struct native_def functions[] = {
    {"tee", tee, "iterable n=2 /", "n iterators over the same items."}, {0}};

static bool fill(struct vm *vm, value module)
{
    static const struct type *const types[] = {
        &type_count,        &type_repeat,      &type_cycle,        &type_chain,   &type_islice,
        &type_takewhile,    &type_dropwhile,   &type_filterfalse,  &type_starmap, &type_accumulate,
        &type_compress,     &type_zip_longest, &type_pairwise,     &type_batched, &type_product,
        &type_combinations, &type_replacement, &type_permutations, &type_groupby};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        module_set(vm, module, strchr(types[i]->name, '.') + 1, type_value(types[i]));
    return true;
}

const struct native_module module_itertools = {"itertools", functions, fill};
