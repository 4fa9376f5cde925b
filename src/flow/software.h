// SPDX-License-Identifier: MIT
/* software.h: the software that a rule asks for: a conda environment, a container image,
 * environment modules; what tells one such stack from another (Snakemake's hashes, so that its
 * environments and records are found); and how a command runs in it. Nothing here starts a program:
 * run/deploy.h does. */
#pragma once

#include "flow/jobeval.h"

enum conda_kind {
    CONDA_NONE,
    CONDA_FILE, /* made by the engine from a YAML file */
    CONDA_NAME, /* the user's own, by its name */
    CONDA_DIR,  /* the same, by its directory */
};

/* What one job asks for, as far as it is switched on. Texts in the eval's scratch arena. */
struct software {
    enum conda_kind conda;
    const char *env;    /* the file or directory, absolute; or the name */
    const char *origin; /* of CONDA_FILE: where the file comes from (origin.h) */
    const char *image;  /* URL or path of a container image, or NULL */
    bool containerized; /* the image holds the environments, under /conda-envs */
    const char *const *module;
    uint32_t nmodules;
};

/* How a command runs in a stack. */
struct software_wrap {
    const char *before; /* text in front of it, or "" */
    /* text in front of all that as one word: "apptainer exec ... bash -c"; or NULL */
    const char *container;
};

/* False: raised, for eval_report. */
bool eval_software(struct job_eval *eval, struct software *out);
/* Whether jobs of a rule may ask for anything that is switched on, or for modules. */
bool software_is_asked_for(const struct workflow *workflow, const struct rule *rule);
/* Whether it is the same for all jobs of a rule. */
bool software_is_constant(const struct rule *rule);

/* An environment of CONDA_FILE as people know it: its URL, or the path from the working
 * directory. */
const char *conda_shown(const struct workflow *workflow, const struct software *software,
                        struct arena *in);
/* The files beside an environment's file, absolute, in the arena; NULL: there is none. The pin file
 * is the one of this platform. */
const char *conda_pin_file(struct arena *in, const char *env_file);
const char *conda_deploy_file(struct arena *in, const char *env_file);
/* The MD5 by which an environment is known; located: of one at its place, where it also depends on
 * the directory of all environments and the image. NULL with errno: a file cannot be read. */
const char *conda_hash(const struct workflow *workflow, const struct software *software,
                       bool located, struct arena *in);
/* Where the environment is, or is to be: one of an older form of name that exists wins. A name
 * stays the name. NULL with errno. */
const char *conda_address(const struct workflow *workflow, const struct software *software,
                          struct arena *in);
/* The file whose presence says that an environment is complete. */
const char *conda_done_flag(struct arena *in, const char *address);
/* Where an image is: a local one's path, else where it is pulled to. */
const char *container_path(const struct workflow *workflow, const char *image, struct arena *in);
/* Whether an image is a file. */
bool container_is_local(const char *image);
/* What the software-env trigger compares. NULL with errno. */
const char *software_hash(const struct workflow *workflow, const struct software *software,
                          struct arena *in);

/* All calls of shell() run in a stack from now on. */
void software_use(struct workflow *workflow, const struct software_wrap *wrap);
/* The command as it runs in a stack; itself if there is nothing to do. */
const char *software_command(struct arena *in, const struct software_wrap *wrap,
                             const char *command);
