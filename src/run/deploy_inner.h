// SPDX-License-Identifier: MIT
/* deploy_inner.h: shared by the deploy files only. */
#pragma once

#include "base/map.h"
#include "run/deploy.h"

/* The conda of this machine, or of an image. */
struct conda_tool {
    const char *image;    /* path; NULL: of this machine */
    const char *program;  /* "conda", "mamba", "micromamba" */
    const char *activate; /* text in front of the address of an environment */
};

struct deploy {
    struct workflow *workflow;
    void (*say)(void *user, const char *text);
    void *user;
    struct arena arena;
    VEC(struct conda_tool) condas;
    const char *apptainer; /* NULL: not looked for yet */
    struct map made;       /* hashes of addresses and images that are there */
    struct map pythons;    /* hashes of texts before commands: 1 + whether they have a Python */
};

/* A line for the user on what is made now. */
void deploy_say(struct deploy *deploy, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Runs a command by bash; false: *why tells what failed and the output. */
bool deploy_run(const char *what, const char *command, struct buf *why);

/* deploy_conda.c: the conda that makes the environments of a stack; NULL: *why. */
const struct conda_tool *conda_tool(struct deploy *deploy, const struct software *software,
                                    struct buf *why);
/* Makes an environment that is not there yet; only_tell: says so instead. False: *why. */
bool conda_make(struct deploy *deploy, const struct software *software, bool only_tell,
                struct buf *why);

/* deploy_container.c */
/* Finds apptainer or singularity. False: *why. */
bool container_find(struct deploy *deploy, struct buf *why);
/* Pulls an image that is not there yet; only_tell: says so instead. False: *why. */
bool container_pull(struct deploy *deploy, const char *image, bool only_tell, struct buf *why);
/* "apptainer exec ... SHELL -c", in front of a quoted command. quiet: the tool itself says
 * nothing. */
const char *container_exec(struct deploy *deploy, const char *image, const char *cwd,
                           const char *script_dir, const char *shell, bool quiet, struct arena *in);
