// SPDX-License-Identifier: MIT
/* Sorting lists: what is in order, or in falling order, is found out first; else a merge sort from
 * the bottom up over runs of 16 made by insertion. Stable. Keys are worked out once and move with
 * their items. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "python/vm_state.h"

struct pair {
    value key, item;
};
struct sort {
    struct vm *vm;
    bool failed, reverse;
};

/* Whether b must stand before a. */
static bool before(struct sort *sort, value b, value a)
{
    bool less = false;
    if (sort->failed)
        return false;
    if (is_small(a) && is_small(b))
        return sort->reverse ? (int64_t)b > (int64_t)a : (int64_t)b < (int64_t)a;
    double d, e;
    if (is_float(a) && is_float(b) && float_get(a, &d) && float_get(b, &e))
        return sort->reverse ? e > d : e < d;
    if (is_exact(a, &type_str) && is_exact(b, &type_str)) {
        const struct str *x = as_str(b), *y = as_str(a);
        size_t n = x->len < y->len ? x->len : y->len;
        int order = memcmp(x->text, y->text, n);
        order = order ? order : x->len < y->len ? -1 : x->len > y->len;
        return sort->reverse ? order > 0 : order < 0;
    }
    if (!(sort->reverse ? value_less(sort->vm, a, b, &less) : value_less(sort->vm, b, a, &less)))
        sort->failed = true;
    return less;
}

/* Puts right what is in order already, or in strictly falling order; false: it is neither. */
static bool one_run(struct sort *sort, struct pair *at, size_t n)
{
    bool falls = n > 1 && before(sort, at[1].key, at[0].key);
    for (size_t i = 2; i < n; i++)
        if (before(sort, at[i].key, at[i - 1].key) != falls)
            return false;
    for (size_t i = 0; falls && i < n / 2; i++) {
        struct pair moving = at[i];
        at[i] = at[n - 1 - i];
        at[n - 1 - i] = moving;
    }
    return true;
}

static void insertion(struct sort *sort, struct pair *at, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct pair moving = at[i];
        size_t j = i;
        while (j && before(sort, moving.key, at[j - 1].key)) {
            at[j] = at[j - 1];
            j--;
        }
        at[j] = moving;
    }
}

static void merge(struct sort *sort, const struct pair *from, size_t mid, size_t n, struct pair *to)
{
    size_t i = 0, j = mid;
    if (mid >= n || !before(sort, from[mid].key, from[mid - 1].key)) { /* in order already */
        memcpy(to, from, n * sizeof *to);
        return;
    }
    for (size_t k = 0; k < n; k++)
        to[k] = j < n && (i >= mid || before(sort, from[j].key, from[i].key)) ? from[j++]
                                                                              : from[i++];
}

static void merge_sort(struct sort *sort, struct pair *at, struct pair *other, size_t n)
{
    enum { RUN = 16 };
    struct pair *from = at, *to = other;
    if (one_run(sort, at, n))
        return;
    for (size_t i = 0; i < n; i += RUN)
        insertion(sort, at + i, n - i < RUN ? n - i : RUN);
    for (size_t width = RUN; width < n && !sort->failed; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t left = n - i, whole = left < 2 * width ? left : 2 * width;
            merge(sort, from + i, whole < width ? whole : width, whole, to + i);
        }
        struct pair *swap = from;
        from = to;
        to = swap;
    }
    if (from != at)
        memcpy(at, from, n * sizeof *at);
}

static bool make_keys(struct vm *vm, struct pair *pairs, size_t n, value key)
{
    for (size_t i = 0; i < n; i++) {
        pairs[i].key = key == VALUE_NONE ? pairs[i].item : vm_call1(vm, key, pairs[i].item);
        if (!pairs[i].key)
            return false;
    }
    return true;
}

/* The list is empty meanwhile, so that what keys and comparisons do to it is noticed; its items
 * come back in whatever order they are then. */
bool list_sort(struct vm *vm, value v, value key, bool reverse)
{
    struct list *list = as_list(v), held = *list;
    size_t n = list->len;
    if (!n)
        return true;
    struct pair *pairs = memory_resized(NULL, 2 * n, sizeof *pairs);
    for (size_t i = 0; i < n; i++)
        pairs[i].item = held.at[i];
    list->at = NULL;
    list->len = list->cap = 0;
    struct sort sort = {.vm = vm, .reverse = reverse};
    bool keyed = make_keys(vm, pairs, n, key);
    if (keyed)
        merge_sort(&sort, pairs, pairs + n, n);
    bool changed = list->at;
    heap_owns(vm, -(int64_t)(list->cap * sizeof *list->at));
    free(list->at);
    list->at = held.at;
    list->len = held.len;
    list->cap = held.cap;
    for (size_t i = 0; i < n && keyed; i++)
        list->at[i] = pairs[i].item;
    free(pairs);
    if (!keyed || sort.failed)
        return false;
    return !changed || vm_raise(vm, "ValueError", "list modified during sort");
}
