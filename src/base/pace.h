// SPDX-License-Identifier: MIT
/* pace.h: so many starts in a span of time, for each host that is asked; any thread may wait for
 * its turn. */
#pragma once

#include <stdint.h>

struct arena;

/* At most so many starts a second (0.5: one in two seconds) for each key. */
struct pace *pace_new(double per_second);
/* Of turns that were taken elsewhere: each wait ends at the next of them (by the monotonic clock),
 * and at once where none is left. In the arena: it is not freed. For one thread. */
struct pace *pace_given(struct arena *in, const int64_t *turns, uint32_t n);
void pace_free(struct pace *pace);
/* When the next may start, by the monotonic clock in ns: that turn is taken. */
int64_t pace_take(struct pace *pace, const char *key);
/* Returns when something may start. The first ones start at once, as long as they keep to the
 * number. */
void pace_wait(struct pace *pace, const char *key);
