// SPDX-License-Identifier: MIT
/* runtimes.h: when the jobs of a graph ran, by what the store knows. */
#pragma once

#include "report/rulenet.h"
#include "state/record.h"

struct job_time {
    uint32_t node; /* of the net */
    int64_t start_ns, end_ns;
};

/* Of a rule; seconds, 0 where nothing is known. */
struct rule_time {
    uint32_t njobs;                                  /* whose times are known */
    double least, lower, median, upper, most, total; /* lower, upper: quartiles */
    double cpu_s; /* of all attempts of this engine that ended well */
    int64_t max_rss_kb;
    uint32_t nattempts;
};

struct runtimes {
    VEC(struct job_time) jobs; /* by rule, then time of start */
    struct rule_time *rule;    /* by node of the net; owned */
    int64_t start_ns, end_ns;  /* of all; 0: nothing is known */
    uint32_t nmissing;         /* outputs without a record */
    const char *missing;       /* one of them, or NULL */
};

/* state NULL: nothing is known. */
void runtimes_collect(const struct graph *g, const struct rule_net *net, struct state *state,
                      struct runtimes *out);
void runtimes_free(struct runtimes *runtimes);
