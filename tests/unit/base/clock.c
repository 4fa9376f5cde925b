// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "test.h"

#include <stdlib.h>
#include <time.h>

int main(void)
{
    char text[32];
    int64_t before = clock_ns(), wall = clock_wall_ns();
    struct timespec now, pause = {.tv_nsec = 2000000};
    clock_gettime(CLOCK_REALTIME, &now); /* time() may still say the second before */
    nanosleep(&pause, NULL);
    int64_t after = clock_ns();
    ok(after - before >= 2000000 && after - before < 2000000000, "2 ms pass");
    ok(wall / 1000000000 >= now.tv_sec - 1 && wall / 1000000000 <= now.tv_sec,
       "wall time is the system's");
    setenv("TZ", "UTC", 1);
    tzset();
    clock_text(1795235507 * INT64_C(1000000000) + 999, text);
    is(text, "Sat Nov 21 04:31:47 2026", "as Snakemake prints it");
    clock_text(0, text);
    is(text, "Thu Jan  1 00:00:00 1970", "the day is padded with a space, as by asctime");
    return done();
}
