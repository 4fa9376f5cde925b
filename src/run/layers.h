// SPDX-License-Identifier: MIT
/* layers.h: what a group job asks for, and which of its jobs run side by side. The jobs of one
 * level are put into layers, each as wide as the limits allow; layers run one after the other. In a
 * layer resources add up and the longest runtime counts; over the layers the widest counts and
 * runtimes add up. Of cpu_factor, by which the runtime grows on CPUs, the largest counts. */
#pragma once

#include "run/task.h"

struct limit;

/* The numbers below n sorted by their levels: those of level l stand in order from first[l] on,
 * before first[l + 1]. In the arena. */
struct levels {
    uint32_t *order, *first, last; /* last: the highest level */
};
/* Sorts indices by their level, stable; in the arena. */
struct levels levels_sort(const uint32_t *level, uint32_t n, struct arena *in);

struct layers {
    struct task *const *task; /* the jobs, evaluated */
    const uint32_t *level;    /* of each */
    const uint32_t *unit;     /* jobs of one number run at the same time: pipes */
    uint32_t n;
    int cores; /* 0: no limit */
    const struct limit *limits;
    uint32_t nlimits;
    /* results */
    uint32_t *layer; /* of each job, in the arena */
    int threads;
    struct resource *resources; /* in the arena */
    uint32_t nresources;
};

/* False: *why says which jobs cannot run together. */
bool layers_make(struct layers *layers, struct intern *names, struct arena *in, struct buf *why);
