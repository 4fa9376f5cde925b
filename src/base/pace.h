// SPDX-License-Identifier: MIT
/* pace.h: so many starts in a span of time, for each host that is asked; any thread may wait for
 * its turn. */
#pragma once

/* At most so many starts a second (0.5: one in two seconds) for each key. */
struct pace *pace_new(double per_second);
void pace_free(struct pace *pace);
/* Returns when something may start. The first ones start at once, as long as they keep to the
 * number. */
void pace_wait(struct pace *pace, const char *key);
