// SPDX-License-Identifier: MIT
/* Iterators of itertools that choose rows out of pools, which are lists. */
#include <string.h>

#include "modules/itool.h"
#include "python/numbers.h"
#include "python/vm_state.h"

/* ---- product(*iterables, repeat=1): source list of lists, n of them; at their places ---- */

static value product_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    int64_t times = 1;
    const value *items = sequence_items(args, &n);
    value repeat = kwargs ? dict_get_str(vm, kwargs, "repeat") : NO_VALUE;
    if (kwargs && dict_len(kwargs) != (repeat != NO_VALUE))
        return vm_raise(vm, "TypeError", "product() got an unexpected keyword argument");
    if (repeat && !int_get(repeat, &times))
        return vm_raise(vm, "TypeError", "'%s' object cannot be interpreted as an integer",
                        type_name(repeat));
    if (times < 0)
        return vm_raise(vm, "ValueError", "repeat argument cannot be negative");
    if (n && times > INT64_MAX / (int64_t)sizeof *items / (int64_t)n)
        return vm_raise(vm, "OverflowError", "repeat argument too large");
    struct itool *tool = object_new(vm, type);
    tool->source = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        value pool = list_from(vm, items[i]);
        if (!pool)
            return NO_VALUE;
        list_push(vm, tool->source, pool);
    }
    tool->n = (int64_t)n * times;
    tool->step = (int64_t)n;
    return itool_places(vm, tool, tool->n) ? from_object(tool) : NO_VALUE;
}

static bool product_advance(struct itool *tool)
{
    int64_t n, len;
    const value *pools = list_items(tool->source, &n);
    for (int64_t i = tool->n; i-- > 0;) {
        list_items(pools[i % tool->step], &len);
        if (++tool->at[i] < len)
            return true;
        tool->at[i] = 0;
    }
    return false;
}

static value product_next(struct vm *vm, value self)
{
    struct itool *tool = as_itool(self);
    int64_t n, len;
    const value *pools = list_items(tool->source, &n);
    if (tool->done)
        return NO_VALUE;
    tool->done = true; /* unless there is another row */
    for (int64_t i = 0; i < tool->step && tool->n; i++) {
        list_items(pools[i], &len);
        if (!len)
            return NO_VALUE;
    }
    if (tool->begun && !product_advance(tool))
        return NO_VALUE;
    tool->begun = true;
    tool->done = false;
    value row = tuple_new(vm, NULL, (size_t)tool->n);
    for (int64_t i = 0; i < tool->n; i++)
        as_tuple(row)->at[i] = list_items(pools[i % tool->step], &len)[tool->at[i]];
    return row;
}

ITOOL(type_product, "product", product_make, product_next);

/* ---- permutations, combinations, combinations_with_replacement (pool, r): source a list, n is r;
 * at[0..r) the places that make up the row ---- */

static value choose_make(struct vm *vm, const struct type *type, const char *name, bool r_optional,
                         value args, value kwargs)
{
    static const char *const names[] = {"iterable", "r", NULL};
    value slot[2];
    if (!make_args(vm, name, names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0] || (!slot[1] && !r_optional))
        return vm_raise(vm, "TypeError", "%s() missing required argument '%s' (pos %d)", name,
                        slot[0] ? "r" : "iterable", slot[0] ? 2 : 1);
    value pool = list_from(vm, slot[0]);
    if (!pool)
        return NO_VALUE;
    int64_t len, r;
    list_items(pool, &len);
    r = len;
    if (slot[1] && !(r_optional && slot[1] == VALUE_NONE) && !int_get(slot[1], &r))
        return vm_raise(vm, "TypeError",
                        r_optional ? "Expected int as r"
                                   : "'%s' object cannot be interpreted as an integer",
                        type_name(slot[1]));
    if (r < 0)
        return vm_raise(vm, "ValueError", "r must be non-negative");
    struct itool *tool = object_new(vm, type);
    tool->source = pool;
    tool->n = r;
    tool->i = len;
    return from_object(tool);
}

static value chosen_row(struct vm *vm, struct itool *tool)
{
    int64_t len;
    const value *items = list_items(tool->source, &len);
    value row = tuple_new(vm, NULL, (size_t)tool->n);
    for (int64_t i = 0; i < tool->n; i++)
        as_tuple(row)->at[i] = items[tool->at[i]];
    return row;
}

/* advance goes on to the places of the next row; false: that was the last one. */
static value next_row(struct vm *vm, value self, bool (*advance)(struct itool *tool))
{
    struct itool *tool = as_itool(self);
    tool->done = tool->done || (tool->begun && !advance(tool));
    tool->begun = true;
    return tool->done ? NO_VALUE : chosen_row(vm, tool);
}

static value combinations_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    value made = choose_make(vm, type, "combinations", false, args, kwargs);
    struct itool *tool = made ? as_itool(made) : NULL;
    if (!tool)
        return NO_VALUE;
    tool->done = tool->n > tool->i;
    if (tool->done)
        return made;
    if (!itool_places(vm, tool, tool->n))
        return NO_VALUE;
    for (int64_t i = 0; i < tool->n; i++)
        tool->at[i] = i;
    return made;
}

static bool combinations_advance(struct itool *tool)
{
    int64_t i = tool->n - 1;
    while (i >= 0 && tool->at[i] == i + tool->i - tool->n)
        i--;
    if (i < 0)
        return false;
    tool->at[i]++;
    for (i++; i < tool->n; i++)
        tool->at[i] = tool->at[i - 1] + 1;
    return true;
}

static value combinations_next(struct vm *vm, value self)
{
    return next_row(vm, self, combinations_advance);
}

static value replacement_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    value made = choose_make(vm, type, "combinations_with_replacement", false, args, kwargs);
    struct itool *tool = made ? as_itool(made) : NULL;
    if (!tool)
        return NO_VALUE;
    tool->done = !tool->i && tool->n;
    return tool->done || itool_places(vm, tool, tool->n) ? made : NO_VALUE;
}

static bool replacement_advance(struct itool *tool)
{
    int64_t i = tool->n - 1;
    while (i >= 0 && tool->at[i] == tool->i - 1)
        i--;
    if (i < 0)
        return false;
    for (int64_t next = tool->at[i] + 1; i < tool->n; i++)
        tool->at[i] = next;
    return true;
}

static value replacement_next(struct vm *vm, value self)
{
    return next_row(vm, self, replacement_advance);
}

/* at: n places of the pool's i items in their present order, then r counters. */
static value permutations_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    value made = choose_make(vm, type, "permutations", true, args, kwargs);
    struct itool *tool = made ? as_itool(made) : NULL;
    if (!tool)
        return NO_VALUE;
    tool->done = tool->n > tool->i;
    if (tool->done)
        return made;
    if (!itool_places(vm, tool, tool->i + tool->n))
        return NO_VALUE;
    for (int64_t i = 0; i < tool->i; i++)
        tool->at[i] = i;
    for (int64_t i = 0; i < tool->n; i++)
        tool->at[tool->i + i] = tool->i - i;
    return made;
}

static bool permutations_advance(struct itool *tool)
{
    int64_t *at = tool->at, *counter = tool->at + tool->i, len = tool->i;
    for (int64_t i = tool->n; i-- > 0;) {
        if (--counter[i]) {
            int64_t j = len - counter[i], swapped = at[i];
            at[i] = at[j];
            at[j] = swapped;
            return true;
        }
        int64_t first = at[i];
        memmove(at + i, at + i + 1, (size_t)(len - i - 1) * sizeof *at);
        at[len - 1] = first;
        counter[i] = len - i;
    }
    return false;
}

static value permutations_next(struct vm *vm, value self)
{
    return next_row(vm, self, permutations_advance);
}

ITOOL(type_combinations, "combinations", combinations_make, combinations_next);
ITOOL(type_replacement, "combinations_with_replacement", replacement_make, replacement_next);
ITOOL(type_permutations, "permutations", permutations_make, permutations_next);
