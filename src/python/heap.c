// SPDX-License-Identifier: MIT
/* Pages of equal cells, a list of big objects, one mark bit an object. A sweep marks from the roots
 * with a stack of its own (never the C stack), then threads the dead cells onto the free lists in
 * the order of their addresses. */
#include "python/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/memory.h"

enum { HEAP_LEAST_BUDGET = 4 << 20, HEAP_SPARE_PAGES = 128 };

struct big {
    size_t size;
    size_t spare;
};

size_t heap_room(const struct object *object)
{
    return object->size_class ? (size_t)object->size_class * HEAP_STEP
                              : ((const struct big *)object - 1)->size;
}

value *attrs_behind(struct object *object)
{
    return (value *)(void *)((char *)object + heap_room(object)) - 1;
}

value *attrs_of(value v)
{
    if (!is_object(v))
        return NULL;
    const struct type *type = as_object(v)->type;
    if (type->attrs == ATTRS_BEHIND)
        return attrs_behind(as_object(v));
    return type->attrs ? (value *)((char *)as_object(v) + type->attrs) : NULL;
}

static struct heap_cell *page_cell(struct heap_page *page, uint32_t i)
{
    return (struct heap_cell *)(page->at + (size_t)i * page->cell_size);
}

/* A fresh page whose cells are all free, in order. */
static void add_page(struct heap *heap, size_t class)
{
    struct heap_page *page = heap->spare.len ? heap->spare.at[--heap->spare.len]
                                             : aligned_alloc(16, HEAP_PAGE);
    if (!page)
        out_of_memory();
    page->cell_size = (uint32_t)(class * HEAP_STEP);
    page->cells = (uint32_t)((HEAP_PAGE - sizeof *page) / page->cell_size);
    for (uint32_t i = page->cells; i-- > 0;) {
        struct heap_cell *cell = page_cell(page, i);
        cell->type = NULL;
        cell->next = heap->free[class];
        heap->free[class] = cell;
    }
    vec_push(&heap->pages, page);
}

static void *alloc_big(struct heap *heap, const struct type *type, size_t size)
{
    struct big *big = malloc(sizeof *big + size);
    if (!big)
        out_of_memory();
    big->size = size;
    struct object *object = (struct object *)(big + 1);
    *object = (struct object){.type = type};
    heap->budget -= (int64_t)size;
    heap->big_bytes += (int64_t)size;
    vec_push(&heap->big, object);
    return object;
}

void *heap_alloc_slow(struct vm *vm, const struct type *type, size_t size)
{
    struct heap *heap = vm_heap(vm);
    size_t class = (size + HEAP_STEP - 1) / HEAP_STEP;
    if (class >= HEAP_CLASSES)
        return alloc_big(heap, type, size);
    if (!heap->free[class])
        add_page(heap, class);
    return object_alloc(vm, type, size);
}

void *object_new(struct vm *vm, const struct type *type)
{
    struct object *object = object_alloc(vm, type, type->size);
    memset(object + 1, 0, type->size - sizeof *object);
    return object;
}

void heap_start(struct vm *vm, const struct heap_hooks *hooks)
{
    struct heap *heap = vm_heap(vm);
    heap->hooks = hooks;
    /* glibc learns that blocks up to this size come and go: what a sweep frees stays at hand,
     * instead of going to the system and coming from there again, page by page. */
    free(memory_resized(NULL, HEAP_LEAST_BUDGET / 8, 1));
    heap->budget = heap->granted = heap->least_budget = HEAP_LEAST_BUDGET;
    heap->roots.next = heap->roots.prev = &heap->roots;
}

/* ---- marking ---- */

static void mark_object(struct heap *heap, struct object *object)
{
    if (object->mark)
        return;
    const struct type *type = object->type;
    if (type == &type_type && !((const struct type *)object)->info)
        return; /* a native type: static, holds nothing */
    object->mark = 1;
    if (type->info || type->attrs || type_slot(type, mark))
        vec_push(&heap->gray, object);
}

void heap_mark(struct vm *vm, value v)
{
    if (is_object(v))
        mark_object(vm_heap(vm), as_object(v));
}

static void mark_all(struct vm *vm)
{
    struct heap *heap = vm_heap(vm);
    heap->hooks->mark_roots(vm);
    for (struct root *root = heap->roots.next; root != &heap->roots; root = root->next)
        heap_mark(vm, root->v);
    while (heap->gray.len) {
        struct object *object = heap->gray.at[--heap->gray.len];
        const struct type *type = object->type;
        if (type->info)
            mark_object(heap, (struct object *)(uintptr_t)type);
        void (*mark)(struct vm *, struct object *) = type_slot(type, mark);
        if (mark)
            mark(vm, object);
        if (type->attrs)
            heap_mark(vm, *attrs_of(from_object(object)));
    }
}

/* ---- sweeping ---- */

static void finish(struct vm *vm, struct object *object)
{
    if (object->type == &type_str || object->type == &type_tuple)
        return;
    void (*end)(struct vm *, struct object *) = type_slot(object->type, finish);
    if (end)
        end(vm, object);
}

/* Types must outlive the instances whose finish is looked up through them: dead objects are
 * finished in a round of their own before any cell is given away. */
static void finish_dead(struct vm *vm)
{
    struct heap *heap = vm_heap(vm);
    for (uint32_t p = 0; p < heap->pages.len; p++) {
        struct heap_page *page = heap->pages.at[p];
        for (uint32_t i = 0; i < page->cells; i++) {
            struct heap_cell *cell = page_cell(page, i);
            if (cell->type && !((struct object *)cell)->mark)
                finish(vm, (struct object *)cell);
        }
    }
    for (uint32_t i = 0; i < heap->big.len; i++)
        if (!heap->big.at[i]->mark)
            finish(vm, heap->big.at[i]);
}

/* Threads the free cells of a page in front of the list; the number of living ones. */
static uint32_t sweep_page(struct heap *heap, struct heap_page *page)
{
    struct heap_cell *list = heap->free[page->cell_size / HEAP_STEP];
    uint32_t alive = 0;
    for (uint32_t i = page->cells; i-- > 0;) {
        struct heap_cell *cell = page_cell(page, i);
        if (cell->type && ((struct object *)cell)->mark) {
            ((struct object *)cell)->mark = 0;
            alive++;
            continue;
        }
        cell->type = NULL;
        cell->next = list;
        list = cell;
    }
    if (alive)
        heap->free[page->cell_size / HEAP_STEP] = list;
    return alive;
}

static int64_t sweep_big(struct heap *heap)
{
    uint32_t kept = 0;
    int64_t bytes = 0;
    for (uint32_t i = 0; i < heap->big.len; i++) {
        struct object *object = heap->big.at[i];
        if (!object->mark) {
            free((struct big *)object - 1);
            continue;
        }
        object->mark = 0;
        bytes += (int64_t)heap_room(object);
        heap->big.at[kept++] = object;
    }
    heap->big.len = kept;
    return bytes;
}

void heap_sweep(struct vm *vm)
{
    struct heap *heap = vm_heap(vm);
    if (heap->pinned)
        return;
    mark_all(vm);
    heap->hooks->forget_dead(vm);
    finish_dead(vm); /* takes what they own off heap->owned */
    memset(heap->free, 0, sizeof heap->free);
    int64_t cells = 0;
    uint32_t kept = 0;
    for (uint32_t p = 0; p < heap->pages.len; p++) {
        struct heap_page *page = heap->pages.at[p];
        uint32_t alive = sweep_page(heap, page);
        cells += (int64_t)alive * page->cell_size;
        if (alive)
            heap->pages.at[kept++] = page;
        else if (heap->spare.len < HEAP_SPARE_PAGES)
            vec_push(&heap->spare, page);
        else
            free(page);
    }
    heap->pages.len = kept;
    heap->big_bytes = sweep_big(heap);
    int64_t held = cells + heap->big_bytes + heap->owned;
    heap->granted = held > heap->least_budget && heap->least_budget > 0 ? held : heap->least_budget;
    heap->budget = heap->granted;
}

void heap_collect(struct vm *vm)
{
    const struct heap *heap = vm_heap(vm);
    if (heap->budget < heap->granted / 4) /* or it would fall due in the middle of a turn */
        heap_sweep(vm);
}

size_t heap_bytes(const struct vm *vm)
{
    const struct heap *heap = vm_heap((struct vm *)vm);
    return (size_t)(heap->pages.len + heap->spare.len) * HEAP_PAGE +
           (size_t)(heap->big_bytes + heap->owned);
}

void heap_root(struct vm *vm, struct root *root, value v)
{
    struct root *ring = &vm_heap(vm)->roots;
    *root = (struct root){.v = v, .prev = ring, .next = ring->next};
    ring->next->prev = root;
    ring->next = root;
}

void heap_unroot(struct root *root)
{
    if (!root->next)
        return;
    root->prev->next = root->next;
    root->next->prev = root->prev;
    root->next = root->prev = NULL;
}

void heap_free(struct vm *vm)
{
    struct heap *heap = vm_heap(vm);
    finish_dead(vm);
    for (uint32_t i = 0; i < heap->pages.len; i++)
        free(heap->pages.at[i]);
    for (uint32_t i = 0; i < heap->big.len; i++)
        free((struct big *)heap->big.at[i] - 1);
    for (uint32_t i = 0; i < heap->spare.len; i++)
        free(heap->spare.at[i]);
    vec_free(&heap->spare);
    vec_free(&heap->pages);
    vec_free(&heap->big);
    vec_free(&heap->gray);
}
