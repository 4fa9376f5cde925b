// SPDX-License-Identifier: MIT
/* heapq, what moves items in a list: the steps and comparisons are CPython's, so that lists end in
 * the same order. A comparison may run Python code that changes the list's length: an error. */
#include "python/vm_state.h"

/* Whether a must stand above b: the smaller one, or in a heap of the greatest the greater one. */
static bool above(struct vm *vm, bool greatest, value a, value b, bool *out)
{
    return greatest ? value_less(vm, b, a, out) : value_less(vm, a, b, out);
}

/* The same of two items of a heap, which must stay as long as it was. */
static bool item_above(struct vm *vm, bool greatest, struct list *heap, uint32_t i, uint32_t j,
                       bool *out)
{
    uint32_t len = heap->len;
    if (!above(vm, greatest, heap->at[i], heap->at[j], out))
        return false;
    return heap->len == len || vm_raise(vm, "RuntimeError", "list changed size during iteration");
}

static void swap(struct list *heap, uint32_t i, uint32_t j)
{
    value item = heap->at[i];
    heap->at[i] = heap->at[j];
    heap->at[j] = item;
}

/* Moves an item towards the start, as far as it stands above what is there. */
static bool rise(struct vm *vm, bool greatest, struct list *heap, uint32_t start, uint32_t at)
{
    bool higher;
    for (; at > start; at = (at - 1) / 2) {
        uint32_t parent = (at - 1) / 2;
        if (!item_above(vm, greatest, heap, at, parent, &higher))
            return false;
        if (!higher)
            break;
        swap(heap, parent, at);
    }
    return true;
}

/* Moves an item all the way down to a leaf, then up to its place: most come from the end. */
static bool sink(struct vm *vm, bool greatest, struct list *heap, uint32_t start)
{
    bool left;
    uint32_t at = start, end = heap->len;
    while (at < end / 2) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < end) {
            if (!item_above(vm, greatest, heap, child, child + 1, &left))
                return false;
            child += !left;
        }
        swap(heap, at, child);
        at = child;
    }
    return rise(vm, greatest, heap, start, at);
}

/* The list that a function is called with; NULL: raised. */
static struct list *heap_of(struct vm *vm, const struct args *args)
{
    if (is_list(args->at[0]))
        return as_list(args->at[0]);
    vm_raise(vm, "TypeError", "%s() argument%s must be list, not %s", args->def->name,
             args->n > 1 ? " 1" : "", type_name(args->at[0]));
    return NULL;
}

static value heapify_by(struct vm *vm, const struct args *args, bool greatest)
{
    struct list *heap = heap_of(vm, args);
    for (uint32_t i = heap ? heap->len / 2 : 0; i-- > 0;)
        if (!sink(vm, greatest, heap, i))
            return NO_VALUE;
    return heap ? VALUE_NONE : NO_VALUE;
}

/* Puts an item in the place of the top one, which is returned. */
static value replace_top(struct vm *vm, bool greatest, struct list *heap, value item)
{
    if (!heap->len)
        return vm_raise(vm, "IndexError", "index out of range");
    value top = heap->at[0];
    heap->at[0] = item;
    return sink(vm, greatest, heap, 0) ? top : NO_VALUE;
}

static value pop_by(struct vm *vm, const struct args *args, bool greatest)
{
    struct list *heap = heap_of(vm, args);
    if (!heap)
        return NO_VALUE;
    if (!heap->len)
        return vm_raise(vm, "IndexError", "index out of range");
    value last = heap->at[--heap->len];
    return heap->len ? replace_top(vm, greatest, heap, last) : last;
}

// heappush(heap, item)
static value heappush(struct vm *vm, const struct args *args)
{
    struct list *heap = heap_of(vm, args);
    if (!heap)
        return NO_VALUE;
    list_push(vm, args->at[0], args->at[1]);
    return rise(vm, false, heap, 0, heap->len - 1) ? VALUE_NONE : NO_VALUE;
}

// heappop(heap)
static value heappop(struct vm *vm, const struct args *args)
{
    return pop_by(vm, args, false);
}

static value heappop_max(struct vm *vm, const struct args *args)
{
    return pop_by(vm, args, true);
}

// heapreplace(heap, item)
static value heapreplace(struct vm *vm, const struct args *args)
{
    struct list *heap = heap_of(vm, args);
    return heap ? replace_top(vm, false, heap, args->at[1]) : NO_VALUE;
}

static value heapreplace_max(struct vm *vm, const struct args *args)
{
    struct list *heap = heap_of(vm, args);
    return heap ? replace_top(vm, true, heap, args->at[1]) : NO_VALUE;
}

// heappushpop(heap, item)
static value heappushpop(struct vm *vm, const struct args *args)
{
    bool smaller;
    struct list *heap = heap_of(vm, args);
    if (!heap || !heap->len)
        return heap ? args->at[1] : NO_VALUE;
    if (!above(vm, false, heap->at[0], args->at[1], &smaller))
        return NO_VALUE;
    return smaller ? replace_top(vm, false, heap, args->at[1]) : args->at[1];
}

// heapify(list)
static value heapify(struct vm *vm, const struct args *args)
{
    return heapify_by(vm, args, false);
}

static value heapify_max(struct vm *vm, const struct args *args)
{
    return heapify_by(vm, args, true);
}

static const struct native_def functions[] = {
    {"heappush", heappush, "heap item /", "Adds an item."},
    {"heappop", heappop, "heap /", "Takes the smallest item out."},
    {"heapreplace", heapreplace, "heap item /", "Takes the smallest out, then adds one."},
    {"heappushpop", heappushpop, "heap item /", "Adds an item, then takes the smallest out."},
    {"heapify", heapify, "heap /", "Makes a list a heap, in place."},
    {"_heappop_max", heappop_max, "heap /", "Takes the greatest item out."},
    {"_heapreplace_max", heapreplace_max, "heap item /", "Takes the greatest out, then adds one."},
    {"_heapify_max", heapify_max, "heap /", "Makes a list a heap of the greatest, in place."},
    {0}};

const struct native_module module_heapq = {"_heapq", functions, NULL};
