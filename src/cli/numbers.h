// SPDX-License-Identifier: MIT
/* numbers.h: the options of `run` that take numbers. All are checked before anything is read, so
 * that a dry run says what is wrong too, and not when what needs them has begun. */
#pragma once

#include "cli/options.h"

/* Each reads what was given to an option, `otherwise` if that is nothing. Numbers are not negative;
 * one too large for what takes it is the largest. False after a diagnostic. */
bool number_any(const struct options *options, struct diags *dx, enum option_id id,
                double otherwise, double *out);
bool number_whole(const struct options *options, struct diags *dx, enum option_id id, int otherwise,
                  int *out);
bool number_seconds(const struct options *options, struct diags *dx, enum option_id id,
                    double otherwise, double *out);
/* Bytes, also as "10k", "1.5 MB" or "1MiB". */
bool number_bytes(const struct options *options, struct diags *dx, enum option_id id,
                  int64_t otherwise, int64_t *out);

/* --max-jobs-per-timespan or --max-jobs-per-second: so many starts within a time; ns 0: no
 * limit. */
struct rate {
    uint32_t jobs;
    int64_t ns;
};
/* False after a diagnostic. */
bool number_rate(const struct options *options, struct diags *dx, struct rate *out);

/* --batch RULE=AT/OF, AT from 1 to OF; of 0: not given. */
struct part {
    uint32_t at, of;
};
/* False after a diagnostic. */
bool number_part(const struct options *options, struct diags *dx, struct part *out);

/* --cores, and --jobs where that counts cores. */
bool number_is_all(const char *word);

/* All of the above, whatever they are for. */
bool numbers_check(const struct options *options, struct diags *dx);
