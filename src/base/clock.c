// SPDX-License-Identifier: MIT
/* clock.c: time. */
#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_wall_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

void clock_sleep(int64_t ns)
{
    struct timespec left = {ns / 1000000000, ns % 1000000000};
    while (ns > 0 && nanosleep(&left, &left) && errno == EINTR)
        ;
}

void clock_text(int64_t wall_ns, char out[32])
{
    /* As C's asctime, but without its newline and whatever the locale. */
    static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t seconds = (time_t)(wall_ns / 1000000000);
    struct tm tm;
    localtime_r(&seconds, &tm);
    snprintf(out, 32, "%s %s %2d %02d:%02d:%02d %d", days[tm.tm_wday % 7], months[tm.tm_mon % 12],
             tm.tm_mday % 32, tm.tm_hour % 24, tm.tm_min % 60, tm.tm_sec % 61,
             (tm.tm_year + 1900) % 1000000);
}
