// SPDX-License-Identifier: MIT
/* heap.h: memory for Python values. Objects up to 512 bytes come from pages of equal cells with a
 * free list a size; bigger ones from malloc. Mark and sweep, precise: roots are what the evaluator
 * marks (its stack and frames, its caches), and what heap_root was told. When a sweep may happen is
 * said in value.h. */
#pragma once

#include <stdint.h>

#include "base/pool.h"
#include "python/type.h"

enum { HEAP_STEP = 16, HEAP_CLASSES = 33, HEAP_PAGE = 1 << 16 };

struct heap_cell {
    const struct type *type; /* NULL: the cell is free */
    struct heap_cell *next;
};
struct heap_page {
    uint32_t cell_size, cells;
    _Alignas(16) char at[];
};
struct heap {
    struct heap_cell *free[HEAP_CLASSES]; /* by size in steps of 16 bytes */
    int64_t budget;                       /* bytes until the next sweep is due */
    int64_t least_budget;                 /* ... at least after a sweep; tests make it small */
    int64_t granted;                      /* budget after the last sweep */
    int64_t big_bytes;                    /* in big objects */
    int64_t owned;                        /* what objects hold outside the heap: heap_owns */
    VEC(struct heap_page *) pages;        /* owned */
    VEC(struct heap_page *) spare;        /* owned; empty, for any size */
    VEC(struct object *) big;             /* owned; the size is kept in front of each */
    VEC(struct object *) gray;            /* marked, not yet looked into */
    struct root roots;                    /* ring */
    uint32_t pinned;                      /* threads that pause below natives: no sweep meanwhile */
    const struct heap_hooks *hooks;       /* borrowed */
};

/* The heap is the first member of struct vm. */
static inline struct heap *vm_heap(struct vm *vm)
{
    return (struct heap *)vm;
}

/* What the evaluator does in a sweep. */
struct heap_hooks {
    void (*mark_roots)(struct vm *vm);  /* heap_mark() what it holds itself */
    void (*forget_dead)(struct vm *vm); /* after marking: lets go of what only caches know */
};
/* An empty heap; everything in it, and its pages. */
void heap_start(struct vm *vm, const struct heap_hooks *hooks);
void heap_free(struct vm *vm);
/* A cell from a fresh page, or a big object. */
void *heap_alloc_slow(struct vm *vm, const struct type *type, size_t size);
/* Sweeps now. */
void heap_sweep(struct vm *vm);

/* An object of size bytes whose header alone is filled; for those of varying size (str, tuple). */
static inline void *object_alloc(struct vm *vm, const struct type *type, size_t size)
{
    struct heap *heap = vm_heap(vm);
    size_t class = (size + HEAP_STEP - 1) / HEAP_STEP;
    if (class >= HEAP_CLASSES || !heap->free[class])
        return heap_alloc_slow(vm, type, size);
    struct heap_cell *cell = heap->free[class];
    heap->free[class] = cell->next;
    heap->budget -= (int64_t)(class * HEAP_STEP);
    struct object *object = (struct object *)cell;
    *object = (struct object){.type = type, .size_class = (uint8_t) class};
    return object;
}

/* The bytes of an object's cell: it may use them all. */
size_t heap_room(const struct object *object);
/* The attributes of an object whose type has ATTRS_BEHIND. */
value *attrs_behind(struct object *object);
/* Where an instance keeps its attribute dict, or NULL. */
value *attrs_of(value v);
/* object_alloc for types of varying size that classes may be derived from. */
static inline void *object_alloc_derived(struct vm *vm, const struct type *type, size_t size)
{
    if (type->attrs != ATTRS_BEHIND)
        return object_alloc(vm, type, size);
    void *object = object_alloc(vm, type,
                                (size + sizeof(value) + HEAP_STEP - 1) / HEAP_STEP * HEAP_STEP);
    *attrs_behind(object) = NO_VALUE;
    return object;
}

/* An object owns so many bytes outside the heap, more or (negative) less than before. */
static inline void heap_owns(struct vm *vm, int64_t bytes)
{
    struct heap *heap = vm_heap(vm);
    heap->owned += bytes;
    if (bytes > 0)
        heap->budget -= bytes;
}
