// SPDX-License-Identifier: MIT
/* pool.h: growable arrays. A POOL hands out 32-bit ids and keeps id 0 as "none"; a VEC is a plain
 * growable array whose first element is 0. Never hold a pointer into either across an add.
 *
 *     struct { POOL(struct job) jobs; } g = {0};
 *     job_id id = pool_add(&g.jobs);          // zeroed record, id >= 1
 *     g.jobs.at[id].rule = r;
 *     pool_free(&g.jobs);
 *
 *     VEC(int) v = {0};
 *     vec_push(&v, 42);
 *     vec_free(&v); */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define POOL(type)                                                                                 \
    struct {                                                                                       \
        type *at;                                                                                  \
        uint32_t len, cap;                                                                         \
    }
#define VEC(type) POOL(type)

/* Room for at least need elements of that size; updates *cap; ends the program when memory is
 * out. */
void *pool_grow(void *at, uint32_t *cap, uint32_t need, size_t size);

#define pool_reserve(p, need)                                                                      \
    ((need) > (p)->cap ? (void)((p)->at = pool_grow((p)->at, &(p)->cap, (need), sizeof *(p)->at))  \
                       : (void)0)

/* A zeroed element; its id. */
#define pool_add(p)                                                                                \
    (pool_reserve((p), (p)->len + 2),                                                              \
     (p)->len ? (void)0 : (void)(memset((p)->at, 0, sizeof *(p)->at), (p)->len = 1),               \
     memset(&(p)->at[(p)->len], 0, sizeof *(p)->at), (p)->len++)

#define pool_free(p) (free((p)->at), (p)->at = NULL, (p)->len = (p)->cap = 0)

#define vec_push(v, value) (pool_reserve((v), (v)->len + 1), (v)->at[(v)->len++] = (value))
/* Makes place i one of the vector's, the new ones zeroed. */
#define vec_reach(v, i)                                                                            \
    ((i) < (v)->len                                                                                \
         ? (void)0                                                                                 \
         : (pool_reserve((v), (i) + 1),                                                            \
            (void)memset(&(v)->at[(v)->len], 0, ((i) + 1 - (v)->len) * sizeof *(v)->at),           \
            (void)((v)->len = (i) + 1)))
/* Takes what is equal to value out; the last one takes its place. */
#define vec_remove(v, value)                                                                       \
    do                                                                                             \
        for (uint32_t i_ = 0; i_ < (v)->len; i_++)                                                 \
            if ((v)->at[i_] == (value))                                                            \
                (v)->at[i_--] = (v)->at[--(v)->len];                                               \
    while (0)
#define vec_free(v) pool_free(v)
