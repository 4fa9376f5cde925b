// SPDX-License-Identifier: MIT
/* slurm_script.h: the batch script. It needs a shell where it runs, and the shared directory DIR
 * (.snakemake/slurm):
 *
 *     DIR/jobs/TOKEN            of an array: the texts of its elements, behind an index
 *     DIR/claim/TOKEN.INDEX     who may work on that attempt: "JOBID RESTARTS", made by the job
 * itself with O_EXCL. What the engine has given up, it claims itself: such a job ends at once, or
 * is killed by its own watch within seconds if it had begun. DIR/done/TOKEN.INDEX      "STATUS
 * JOBID RESTARTS START END HOST told|untold" (SIGTERM), then the shell's `times` */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "exec/exec.h"

/* Adds what one element runs: definitions of kf_body and kf_clean. body: where a command goes that
 * is too long for an argument. afresh: what stands at its outputs is removed first. False with
 * errno. */
bool slurm_element(const struct launch *launch, const char *body, bool afresh, struct buf *out);
/* Adds the batch script; element: the text of its only job, or NULL: a manifest has
 * it, or those of an array. */
void slurm_script(const char *dir, const char *token, const char *element, struct buf *out);
/* Adds the manifest of an array. */
void slurm_manifest(const char *const *elements, uint32_t n, struct buf *out);

/* What the job has left in its done file. */
struct slurm_done {
    int status;
    uint32_t job, restarts;
    int64_t start_s, end_s;
    char host[128];
    double user_s, system_s;
    bool told; /* it got SIGTERM */
};
/* Reads a done file. False: it is not complete. */
bool slurm_read_done(const char *text, struct slurm_done *done);

/* Makes text a file name: other than letters, digits and "._=,+@-" becomes '_', and what was
 * changed or is too long gets a number that tells it from others. Adds it to out. */
void slurm_file_name(const char *text, struct buf *out);
