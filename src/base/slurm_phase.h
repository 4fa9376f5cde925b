// SPDX-License-Identifier: MIT
/* slurm_phase.h: the states of Slurm's jobs, by what they mean. */
#pragma once

#include <stdbool.h>

/* What a job is doing, as far as it matters here. */
enum slurm_phase {
    SLURM_UNKNOWN, /* a state that this program does not know: taken as alive */
    SLURM_PENDING,
    SLURM_RUNNING, /* also configuring, suspended, stopped */
    SLURM_CLOSING, /* completing: it has ended, its processes perhaps not */
    SLURM_DONE,    /* completed */
    SLURM_FAILED,  /* its own doing: exit status, deadline, memory, time */
    SLURM_KILLED,  /* cancelled */
    SLURM_BROKEN,  /* not its doing: the node, the start, preemption */
};
/* The phase of a state's name: "RUNNING", "CANCELLED by 1001", "OUT_OF_ME+"; what follows the
 * name does not matter. */
enum slurm_phase slurm_phase(const char *state);
static inline bool slurm_phase_is_end(enum slurm_phase phase)
{
    return phase >= SLURM_DONE;
}
