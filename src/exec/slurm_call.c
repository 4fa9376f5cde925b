// SPDX-License-Identifier: MIT
#include "exec/slurm_inner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

extern char **environ;

static bool begins_with_any(const char *variable, const char *const *prefix)
{
    for (; *prefix; prefix++)
        if (!strncmp(variable, *prefix, strlen(*prefix)))
            return true;
    return false;
}

/* What a job of Slurm, or a user's defaults, would impose on the call; and the mark of this engine,
 * which is for its own children only. Not what tells the commands where Slurm is and who calls. */
static bool is_foreign(const char *variable)
{
    static const char *const foreign[] = {"SLURM_", "SBATCH_",  "SRUN_",   "SQUEUE_",
                                          "SACCT_", "SCANCEL_", "SLURMD_", "KINTSUGI_FLOW_OWNER=",
                                          NULL};
    static const char *const needed[] = {
        "SLURM_CONF=", "SLURM_CONF_SERVER=", "SLURM_JWT=", "SLURM_SACK_", NULL};
    return begins_with_any(variable, foreign) && !begins_with_any(variable, needed);
}

static const char *const *clean_environment(struct arena *in)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    const char **env = arena_array(in, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        if (!is_foreign(environ[i]))
            env[kept++] = environ[i];
    return env;
}

struct process *slurm_call(struct slurm *slurm, const struct process_options *options)
{
    struct arena scratch = {0};
    struct process_options own = *options;
    own.env = clean_environment(&scratch);
    own.capture_out = own.capture_err = true;
    own.new_session = true;
    struct process *process = process_start(slurm->loop, &own);
    int error = errno;
    arena_free(&scratch);
    errno = error;
    return process;
}

void slurm_late(struct slurm *slurm, const char *program, const char *meaning)
{
    if (!slurm->told_silence)
        exec_note(&slurm->options, "Slurm does not answer (%s, for %d s): %s.", program,
                  LATE_MS / 1000, meaning);
    slurm->told_silence = true;
}

void slurm_prompt(struct slurm *slurm)
{
    if (slurm->told_silence)
        exec_note(&slurm->options, "Slurm answers again.");
    slurm->told_silence = false;
}

static void on_late_config(void *user)
{
    slurm_late(user, "scontrol show config", "jobs are submitted when it has");
}

void slurm_take_config(struct slurm *slurm, const char *text)
{
    slurm->configured = true;
    slurm->min_job_age = slurm_config_number(text, "MinJobAge", 300);
    slurm_config_word(text, "ClusterName", slurm->cluster, sizeof slurm->cluster);
    slurm->max_array = slurm_config_number(text, "MaxArraySize", 1001);
    slurm->no_accounting = slurm_config_is(text, "AccountingStorageType",
                                           "accounting_storage/none") ||
                           slurm_config_is(text, "AccountingStorageType", "(null)");
}

static void on_config(void *user, const struct process_end *end)
{
    struct slurm *slurm = user;
    slurm->configuring = false;
    slurm->configured = true;
    if (!end->status && !end->timed_out) {
        slurm_prompt(slurm);
        slurm_take_config(slurm, end->out);
    }
    slurm_gather(slurm);
}

void slurm_configure(struct slurm *slurm)
{
    static const char *const argv[] = {"scontrol", "show", "config", NULL};
    slurm->min_job_age = 300;
    slurm->max_array = 1001;
    slurm->configuring = slurm_call(slurm, &(struct process_options){.argv = argv,
                                                                     .timeout_ms = QUERY_MS,
                                                                     .late_ms = LATE_MS,
                                                                     .on_late = on_late_config,
                                                                     .on_end = on_config,
                                                                     .user = slurm}) != NULL;
    slurm->configured = !slurm->configuring;
}
