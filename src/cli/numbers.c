// SPDX-License-Identifier: MIT
#include "cli/numbers.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow/units.h"

static const double MOST = 9e15, MOST_SECONDS = 9e9; /* in int64_t, as bytes and as nanoseconds */

static bool refuse(struct diags *dx, enum option_id id, const char *what, const char *word)
{
    char name[64];
    complain(dx, (struct span){0}, "%s needs %s, not '%s'", option_name(id, name), what, word);
    if (id == OPT_CORES || id == OPT_JOBS)
        diag_hint(dx, "or 'all' for every core of this machine");
    return false;
}

/* strtod without what people do not write: hexadecimal, "inf", "nan". */
static bool parse(const char *word, double *out)
{
    char *end;
    if (word[strspn(word, "0123456789.eE+- ")])
        return false;
    *out = strtod(word, &end);
    end += strspn(end, " ");
    return end > word && !*end && *out >= 0;
}

bool number_any(const struct options *options, struct diags *dx, enum option_id id,
                double otherwise, double *out)
{
    const char *word = option_word(options, id, NULL);
    *out = otherwise;
    if (word && !parse(word, out))
        return refuse(dx, id, "a number from 0 on", word);
    *out = *out < MOST ? *out : MOST;
    return true;
}

bool number_whole(const struct options *options, struct diags *dx, enum option_id id, int otherwise,
                  int *out)
{
    const char *word = option_word(options, id, NULL);
    bool below = word && *word == '-' && id == OPT_SLURM_OLD_LOGS; /* as 0 in Snakemake */
    double number = otherwise;
    if (word && (!parse(word + below, &number) || number != trunc(number)))
        return refuse(dx, id, "a whole number from 0 on", word);
    number = below ? 0 : number;
    *out = number < INT_MAX ? (int)number : INT_MAX;
    return true;
}

bool number_seconds(const struct options *options, struct diags *dx, enum option_id id,
                    double otherwise, double *out)
{
    bool good = number_any(options, dx, id, otherwise, out);
    *out = *out < MOST_SECONDS ? *out : MOST_SECONDS;
    return good;
}

bool number_bytes(const struct options *options, struct diags *dx, enum option_id id,
                  int64_t otherwise, int64_t *out)
{
    const char *word = option_word(options, id, NULL);
    double number = (double)otherwise;
    if (word && !parse(word, &number) && !size_bytes(word, &number))
        return refuse(dx, id, "a size such as 500000, 10k or 1.5MB", word);
    *out = (int64_t)(number < MOST ? number : MOST);
    return true;
}

static double unit_seconds(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(units[i].name, unit))
            return units[i].seconds;
    return 0;
}

bool number_rate(const struct options *options, struct diags *dx, struct rate *out)
{
    const char *word = option_word(options, OPT_MAX_JOBS_PER_TIMESPAN, NULL);
    double per_second;
    char *end, *unit;
    if (!number_any(options, dx, OPT_MAX_JOBS_PER_SECOND, 0, &per_second))
        return false;
    per_second = per_second < 1e9 ? per_second : 1e9;
    out->jobs = per_second > 0 && per_second < 1 ? 1 : (uint32_t)per_second;
    out->ns = per_second > 0 ? (int64_t)(1e9 * out->jobs / per_second) : 0;
    if (!word)
        return true;
    unsigned long jobs = *word >= '0' && *word <= '9' ? strtoul(word, &end, 10) : 0;
    double n = jobs && *end == '/' ? strtod(end + 1, &unit) : 0;
    double ns = n > 0 ? n * unit_seconds(unit) * 1e9 : 0;
    out->jobs = (uint32_t)(jobs < UINT32_MAX ? jobs : UINT32_MAX);
    out->ns = (int64_t)(ns < MOST_SECONDS * 1e9 ? ns : MOST_SECONDS * 1e9);
    return out->ns > 0 ||
           refuse(dx, OPT_MAX_JOBS_PER_TIMESPAN, "N/TIME such as 50/1m or 2/10s", word);
}

bool number_part(const struct options *options, struct diags *dx, struct part *out)
{
    const char *word = option_word(options, OPT_BATCH, NULL);
    const char *equals = word ? strchr(word, '=') : NULL;
    char *end = NULL;
    long at = equals ? strtol(equals + 1, &end, 10) : 0;
    long of = end && *end == '/' ? strtol(end + 1, &end, 10) : 0;
    *out = (struct part){(uint32_t)at, (uint32_t)of};
    return !word || (equals && !*end && at >= 1 && at <= of && of <= INT_MAX) ||
           refuse(dx, OPT_BATCH, "RULE=I/N with I from 1 to N", word);
}

bool number_is_all(const char *word)
{
    return !strcmp(word, "all") || !strcmp(word, "unlimited");
}

bool numbers_check(const struct options *options, struct diags *dx)
{
    static const enum option_id wholes[] = {OPT_CORES,
                                            OPT_JOBS,
                                            OPT_LOCAL_CORES,
                                            OPT_MAX_THREADS,
                                            OPT_RETRIES,
                                            OPT_POOL_SIZE,
                                            OPT_POOL_IDLE,
                                            OPT_SLURM_OLD_LOGS,
                                            OPT_SLURM_ARRAY_LIMIT,
                                            OPT_PREEMPTIBLE_RETRIES,
                                            OPT_GENERIC_CANCEL_IDS};
    static const enum option_id seconds[] = {OPT_SECONDS_BETWEEN_CHECKS, OPT_LATENCY_WAIT,
                                             OPT_QUEUE_INPUT_WAIT, OPT_REROUTE_AFTER};
    struct rate rate;
    struct part part;
    int whole;
    int64_t bytes;
    double number;
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        bool counts = wholes[i] == OPT_CORES || wholes[i] == OPT_JOBS;
        if (!(counts && number_is_all(option_word(options, wholes[i], ""))) &&
            !number_whole(options, dx, wholes[i], 0, &whole))
            return false;
    }
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        if (!number_seconds(options, dx, seconds[i], 0, &number))
            return false;
    return number_rate(options, dx, &rate) && number_part(options, dx, &part) &&
           number_bytes(options, dx, OPT_MAX_CHECKSUM_FILE_SIZE, 0, &bytes) &&
           number_any(options, dx, OPT_SLURM_EFFICIENCY_LEAST, 0, &number);
}
