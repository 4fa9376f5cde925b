// SPDX-License-Identifier: MIT
/* time. struct_time and what is made of it is lib/_time.py. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "modules/modules.h"
#include "python/library.h"
#include "python/numbers.h"
#include "python/threads.h"
#include "python/vm_state.h"

static int64_t now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static value seconds(struct vm *vm, clockid_t clock)
{
    return float_new(vm, (double)now(clock) / 1e9);
}

static value time_time(struct vm *vm, const struct args *args)
{
    return seconds(vm, CLOCK_REALTIME);
}

static value time_time_ns(struct vm *vm, const struct args *args)
{
    return int_from(vm, now(CLOCK_REALTIME));
}

static value time_monotonic(struct vm *vm, const struct args *args)
{
    return seconds(vm, CLOCK_MONOTONIC);
}

static value time_monotonic_ns(struct vm *vm, const struct args *args)
{
    return int_from(vm, now(CLOCK_MONOTONIC));
}

static value time_process(struct vm *vm, const struct args *args)
{
    return seconds(vm, CLOCK_PROCESS_CPUTIME_ID);
}

static value time_process_ns(struct vm *vm, const struct args *args)
{
    return int_from(vm, now(CLOCK_PROCESS_CPUTIME_ID));
}

static value time_thread(struct vm *vm, const struct args *args)
{
    return seconds(vm, CLOCK_THREAD_CPUTIME_ID);
}

// time.sleep(secs)
static value time_sleep(struct vm *vm, const struct args *args)
{
    double s;
    if (!number_double(vm, args->at[0], &s))
        return NO_VALUE;
    if (!(s >= 0))
        return vm_raise(vm, "ValueError", "sleep length must be non-negative");
    if (threads_alive(vm)) {
        threads_pause(vm, s);
        return VALUE_NONE;
    }
    struct timespec left = {(time_t)s, (long)((s - floor(s)) * 1e9)};
    while (nanosleep(&left, &left) && errno == EINTR)
        ;
    return VALUE_NONE;
}

/* The nine fields, the offset from UTC in seconds and the zone's name. */
static value broken_down(struct vm *vm, const struct tm *tm)
{
    value fields[] = {small(tm->tm_year + 1900),
                      small(tm->tm_mon + 1),
                      small(tm->tm_mday),
                      small(tm->tm_hour),
                      small(tm->tm_min),
                      small(tm->tm_sec),
                      small((tm->tm_wday + 6) % 7),
                      small(tm->tm_yday + 1),
                      small(tm->tm_isdst),
                      small(tm->tm_gmtoff),
                      str_from(vm, tm->tm_zone ? tm->tm_zone : "")};
    return tuple_new(vm, fields, sizeof fields / sizeof *fields);
}

static value break_down(struct vm *vm, const struct args *args,
                        struct tm *(*how)(const time_t *, struct tm *))
{
    double s = 0;
    struct tm tm;
    if (arg_given(args, 0) && args->at[0] != VALUE_NONE) {
        if (!number_double(vm, args->at[0], &s))
            return NO_VALUE;
    } else {
        s = (double)time(NULL);
    }
    time_t whole = (time_t)floor(s);
    if (!(fabs(s) < 6e16) || !how(&whole, &tm))
        return vm_raise(vm, "OverflowError", "timestamp out of range for platform time_t");
    return broken_down(vm, &tm);
}

// time._local(secs), time._utc(secs)
static value time_local(struct vm *vm, const struct args *args)
{
    return break_down(vm, args, localtime_r);
}

static value time_utc(struct vm *vm, const struct args *args)
{
    return break_down(vm, args, gmtime_r);
}

/* The nine fields of a tuple as the C library has them; false: raised. */
static bool fields_of(struct vm *vm, value v, struct tm *tm)
{
    size_t n;
    int64_t field[9];
    const value *items = sequence_items(v, &n);
    if (!items || n < 9)
        return vm_raise(vm, "TypeError", "Tuple or struct_time argument required");
    for (int i = 0; i < 9; i++)
        if (!int_get(items[i], &field[i]))
            return vm_raise(vm, "TypeError", "'%s' object cannot be interpreted as an integer",
                            type_name(items[i]));
    *tm = (struct tm){.tm_year = (int)field[0] - 1900,
                      .tm_mon = (int)field[1] - 1,
                      .tm_mday = (int)field[2],
                      .tm_hour = (int)field[3],
                      .tm_min = (int)field[4],
                      .tm_sec = (int)field[5],
                      .tm_wday = ((int)field[6] + 1) % 7,
                      .tm_yday = (int)field[7] - 1,
                      .tm_isdst = (int)field[8]};
    return true;
}

// time.mktime(t)
static value time_mktime(struct vm *vm, const struct args *args)
{
    struct tm tm;
    if (!fields_of(vm, args->at[0], &tm))
        return NO_VALUE;
    return float_new(vm, (double)mktime(&tm));
}

// time._format(format, fields)
static value time_format(struct vm *vm, const struct args *args)
{
    struct tm tm;
    size_t len;
    const char *format = arg_text(vm, args, 0, &len);
    if (!format || !fields_of(vm, args->at[1], &tm))
        return NO_VALUE;
    if (!*format)
        return str_from(vm, "");
    if (tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_wday < 0 || tm.tm_wday > 6)
        return vm_raise(vm, "ValueError", "month or day of week out of range");
    struct tm known = tm; /* the zone is the C library's to say */
    mktime(&known);
    tm.tm_gmtoff = known.tm_gmtoff;
    tm.tm_zone = known.tm_zone;
    struct buf out = {0};
    size_t room = len * 4 + 256, n = strftime(buf_room(&out, room), room, format, &tm);
    value text = str_new(vm, n ? out.at : "", n);
    buf_free(&out);
    return text;
}

static const struct native_def functions[] = {
    {"time", time_time, "", "Seconds since 1970."},
    {"time_ns", time_time_ns, "", "Nanoseconds since 1970."},
    {"monotonic", time_monotonic, "", "Seconds of a clock that never goes back."},
    {"monotonic_ns", time_monotonic_ns, "", "The same in nanoseconds."},
    {"perf_counter", time_monotonic, "", "Seconds of the finest clock."},
    {"perf_counter_ns", time_monotonic_ns, "", "The same in nanoseconds."},
    {"process_time", time_process, "", "CPU seconds of this process."},
    {"process_time_ns", time_process_ns, "", "The same in nanoseconds."},
    {"thread_time", time_thread, "", "CPU seconds of this thread."},
    {"sleep", time_sleep, "secs /", "Waits."},
    {"mktime", time_mktime, "t /", "Seconds since 1970 of a local time."},
    {"_local", time_local, "secs= /", ""},
    {"_utc", time_utc, "secs= /", ""},
    {"_format", time_format, "format fields /", ""},
    {0}};

static bool fill(struct vm *vm, value module)
{
    tzset();
    value names[] = {str_from(vm, tzname[0]), str_from(vm, tzname[1])};
    return module_set(vm, module, "timezone", small(timezone)) &&
           module_set(vm, module, "daylight", small(daylight)) &&
           module_set(vm, module, "altzone", small(timezone - (daylight ? 3600 : 0))) &&
           module_set(vm, module, "tzname", tuple_new(vm, names, 2)) &&
           library_run(vm, module, "_time");
}

const struct native_module module_time = {"time", functions, fill};
