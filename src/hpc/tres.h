// SPDX-License-Identifier: MIT
/* tres.h: amounts of what jobs share (Slurm's trackable resources), as Slurm's commands print them:
 *
 *     cpu=40,mem=312G,gres/gpu=1                  a limit, or what a job holds
 *     cpu=40(16),mem=319488(280576),gres/gpu=N(1) a limit with what is used of it; N: no limit
 *     gres:gpu:b200:2, gpu:2(IDX:0-1), N/A        generic resources of a job */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRES_UNSET = -1 }; /* no limit, or not stated */

/* One amount of each; TRES_UNSET where nothing is stated. */
struct tres {
    int64_t cpu, mem_mb, gpu;
};

extern const struct tres tres_unset; /* nothing stated */

/* Adds a list to *limit, and what stands in parentheses to *used (may be NULL). Untyped GPUs with
 * an amount win over typed ones (gres/gpu:a100=4), which are added up: with
 * gres/gpu=N(0),gres/gpu:a100=4(0) the limit is 4. Unknown names are passed over. */
void tres_read(const char *text, size_t len, struct tres *limit, struct tres *used);

/* total += more, an unset amount counting as nothing. */
void tres_add(struct tres *total, const struct tres *more);
/* Takes off what tres_add has added. */
void tres_take(struct tres *total, const struct tres *less);
/* The tighter of two limits, each amount for itself. */
struct tres tres_tighter(struct tres a, struct tres b);
/* What is left of a limit; unset stays unset; never below 0. */
struct tres tres_left(struct tres limit, struct tres used);
/* Whether the request is within; an unset limit holds anything. */
bool tres_holds(struct tres limit, struct tres request);
