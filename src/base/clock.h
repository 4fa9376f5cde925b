// SPDX-License-Identifier: MIT
/* clock.h: time. */
#pragma once

#include <stdint.h>

int64_t clock_ns(void);      /* monotonic */
int64_t clock_wall_ns(void); /* since the epoch */
/* Waits so long, whatever signals come; 0 or less: not at all. */
void clock_sleep(int64_t ns);
/* "[Sat Nov 21 04:31:47 2026]" without the brackets, local time, into out (at least 26 bytes). */
void clock_text(int64_t wall_ns, char out[32]);
