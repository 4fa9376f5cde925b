// SPDX-License-Identifier: MIT
#include "base/slurm_phase.h"

#include <stddef.h>
#include <string.h>

enum slurm_phase slurm_phase(const char *state)
{
    static const struct {
        const char *name;
        enum slurm_phase phase;
    } known[] = {
        {"PENDING", SLURM_PENDING},       {"EXPEDITING", SLURM_PENDING},
        {"REQUEUED", SLURM_PENDING},      {"REQUEUE_FED", SLURM_PENDING},
        {"REQUEUE_HOLD", SLURM_PENDING},  {"SPECIAL_EXIT", SLURM_PENDING},
        {"RESV_DEL_HOLD", SLURM_PENDING}, {"RUNNING", SLURM_RUNNING},
        {"CONFIGURING", SLURM_RUNNING},   {"SUSPENDED", SLURM_RUNNING},
        {"STOPPED", SLURM_RUNNING},       {"RESIZING", SLURM_RUNNING},
        {"SIGNALING", SLURM_RUNNING},     {"STAGE_OUT", SLURM_RUNNING},
        {"POWER_UP_NODE", SLURM_RUNNING}, {"COMPLETING", SLURM_CLOSING},
        {"COMPLETED", SLURM_DONE},        {"FAILED", SLURM_FAILED},
        {"TIMEOUT", SLURM_FAILED},        {"OUT_OF_ME", SLURM_FAILED},
        {"DEADLINE", SLURM_FAILED},       {"CANCELLED", SLURM_KILLED},
        {"NODE_FAIL", SLURM_BROKEN},      {"BOOT_FAIL", SLURM_BROKEN},
        {"PREEMPTED", SLURM_BROKEN},      {"LAUNCH_FAILED", SLURM_BROKEN},
        {"RECONFIG_FAIL", SLURM_BROKEN},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(state, known[i].name, strlen(known[i].name)))
            return known[i].phase;
    return SLURM_UNKNOWN;
}
