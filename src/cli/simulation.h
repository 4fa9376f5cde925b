// SPDX-License-Identifier: MIT
/* simulation.h: a workflow against a cluster that is only computed. The run is the very one of
 * `run`; its executor is the fake one, whose site is a model of the cluster, and whose clock jumps.
 *
 *     struct simulation_result result = {0};
 *     simulation_run(&options, &result);      // once for each policy
 *     simulation_result_free(&result); */
#pragma once

#include <stdio.h>

#include "cli/scenario.h"

enum { SIMULATION_GUESS_S = 60 }; /* what a job of a rule takes of which nobody knows it */

struct policy {
    const char *name, *help;
    bool live, moves, cpus_too;
};
enum { POLICIES = 4 };
extern const struct policy policies[POLICIES];

struct simulation_options {
    const char *self; /* path of this program */
    int nwords;       /* targets and options of the run */
    const char *const *words;
    const struct scenario *scenario;
    const struct policy *policy;
    const struct scenario_time *times; /* over those of the scenario */
    uint32_t ntimes;
    FILE *timeline; /* gets what runs when; NULL: nobody asks */
    bool quiet;     /* which profiles are used has been said */
};

struct simulated_account {
    struct model_use use;
    bool usable; /* else jobs run there only if they name it */
};

struct simulation_result {
    double makespan_s;
    uint32_t done, failed, total, peak, waves, moved;
    uint32_t unknown;                       /* rules whose time nobody knows */
    double wall_s;                          /* that the simulation took */
    VEC(struct simulated_account) accounts; /* as in the scenario */
};

/* Plays the workflow under a policy, from the directory it is called in. False after diagnostics on
 * stderr. */
bool simulation_run(const struct simulation_options *options, struct simulation_result *result);
void simulation_result_free(struct simulation_result *result);
