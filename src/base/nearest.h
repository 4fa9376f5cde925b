// SPDX-License-Identifier: MIT
/* nearest.h: "did you mean ...?": which known name is closest to a mistyped one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* A search over names offered one by one:
 *     struct nearest near = nearest_to("ruel");
 *     for (...) nearest_offer(&near, name);
 *     if (near.best) ... */
struct nearest {
    const char *wanted; /* borrowed */
    const char *best;   /* the closest name offered, borrowed; NULL if none is close */
    size_t limit;       /* what a better one may differ at most */
};
/* Begins a search; wanted is borrowed. Leading dashes, as options have them, are no likeness. */
struct nearest nearest_to(const char *wanted);
/* True if name is the best so far. */
bool nearest_offer(struct nearest *near, const char *name);

/* The file in the same folder whose name is nearest to that of path, in the arena; NULL if none is
 * near. */
const char *nearest_file(struct arena *in, const char *path);
