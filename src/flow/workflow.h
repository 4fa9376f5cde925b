// SPDX-License-Identifier: MIT
/* workflow.h: a whole workflow as its Snakefiles made it, and the one call that makes it. */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "flow/rule.h"
#include "python/vm.h"

/* Which software stacks of rules are used, and where they are kept. All borrowed. */
struct software_options {
    bool conda, container, modules;    /* --software-deployment-method */
    const char *conda_dir, *image_dir; /* of environments and images, absolute */
    const char *image_args;            /* more words for apptainer exec, or "" */
    bool keep_search_paths;            /* PYTHONPATH and its like stay in conda environments */
    const char *conda_cleanup;         /* "tarballs", "cache", or NULL: nothing is removed */
};

/* --storage-PROVIDER-SETTING of a plugin: its name without the dashes in front, and its words. */
struct storage_option {
    const char *name;
    const char *const *words; /* NULL-terminated */
};

/* Settings of http storage providers. */
enum http_setting { HTTP_AUTH, HTTP_RATE, HTTP_REDIRECTS, HTTP_HEAD, HTTP_SETTINGS };

/* What the command line decides before the Snakefile is read. All borrowed. */
struct workflow_options {
    const char *snakefile;          /* path */
    const char *const *configfiles; /* NULL-terminated or NULL; merged in order */
    /* "k=v" words, NULL-terminated or NULL; values as Snakemake parses them */
    const char *const *config;
    bool replace_config;
    const char *directory; /* --directory was given: workdir statements are ignored */
    int cores;             /* 0: not given */
    int shown_cores;       /* workflow.cores; 0: unknown, who asks for it is told */
    bool lint;
    /* "a=b" words or NULL */
    const char *const *set_threads, *const *set_resources;
    const char *const *default_resources, *const *set_scatter;
    const char *const *resources; /* global limits "name=value": a job that asks for more gets that
                                     much; or NULL */
    const char *const *set_resource_scopes;                        /* "name=local" words or NULL */
    const int *max_threads;                                        /* cap of every rule; or NULL */
    const char *default_storage_provider, *default_storage_prefix; /* or NULL */
    const char *local_storage_prefix; /* of local copies; NULL: .snakemake/storage */
    bool keep_storage, not_retrieve_storage;
    /* "[TAG::]VALUE" words, NULL-terminated or NULL */
    const char *const *storage_http[HTTP_SETTINGS];
    const struct storage_option *storage_options; /* up to one without a name; or NULL */
    const char *wrapper_prefix;                   /* in front of the names of wrappers; or NULL */
    const char *python; /* interpreter for script: and foreign imports; NULL: python3 */
    /* for the run: block of one job: what the command line sets for storages is not known */
    bool of_a_job;
    bool verbose;
    int *exit_status; /* the last byte of sys.exit()'s status (then nothing is told); or NULL */
    struct software_options software;
    const char *const *argv; /* sys.argv of the Snakefile, without the program; NULL: nothing */
};

struct hook {
    struct root function;
    struct span span;
};

struct workflow {
    struct arena arena;      /* session: sources' trees, rules */
    struct intern *names;    /* borrowed */
    struct sources *sources; /* borrowed */
    struct diags *diags;     /* borrowed */
    struct vm *vm;           /* owned */
    struct workflow_options options;
    POOL(struct rule *) rules;   /* by rule_id; at[0] is NULL */
    struct map rule_by_name;     /* sym -> rule_id */
    sym_t default_target;        /* a rule's name, or a file; 0: none */
    VEC(rule_id *) ruleorder;    /* each 0-terminated, later statements first */
    struct root config, globals; /* dicts */
    struct hook onstart, onsuccess, onerror;
    const char *basedir;          /* directory of the main Snakefile, absolute */
    const char *workdir;          /* current directory of the run, absolute */
    const char *first_workdir;    /* the same before workdir: statements */
    VEC(const char *) snakefiles; /* every file read, in order */
    /* every config file merged, absolute: those of the command line, then statements' */
    VEC(const char *) configfiles;
    VEC(const char *) config_named; /* the latter as they were written */
    VEC(const char *) source_dirs;  /* folders of what workflow.source_path() was asked for */
    struct root envvars;            /* list of names */
    struct flow_state *flow;        /* the rest: owned by workflow.c */

    /* Set by the graph: whether the outputs of a checkpoint's job are complete (then *outputs gets
     * a list value). Used by checkpoints.NAME.get(). */
    bool (*checkpoint_ready)(void *user, rule_id rule, const sym_t *wildcards);
    void *checkpoint_user;
};

/* Reads the Snakefile and everything it includes. NULL after diagnostics. The working directory
 * must be set already (except for workdir statements, which change it). */
struct workflow *workflow_load(struct intern *names, struct diags *dx,
                               const struct workflow_options *options);
void workflow_free(struct workflow *workflow);

/* The rule of that name, or NULL. */
struct rule *workflow_rule(const struct workflow *workflow, const char *name);
/* Whether the command line gives config: by --configfile or --config. */
bool workflow_has_given_config(const struct workflow *workflow);
/* Preference between two rules that make the same file: > 0 if a wins, < 0 if b wins, 0 if
 * undecided. */
int workflow_prefer(const struct workflow *workflow, rule_id a, rule_id b);
/* Takes sys.exit() off the vm where it ends the program: the status goes to who asked for it, a
 * text is an error message. False: nothing, or another exception, is in flight. */
bool workflow_took_exit(struct workflow *workflow);
/* Runs onstart/onsuccess/onerror with the log file's path. False after diagnostics or
 * sys.exit(). */
bool workflow_run_hook(struct workflow *workflow, const struct hook *hook, const char *log);
/* The shell that runs commands ("bash"), and what stands in front of and behind each: a rule's
 * command is run as prefix + " " + command + " " + suffix. Borrowed. */
const char *workflow_shell_executable(const struct workflow *workflow);
const char *workflow_shell_prefix(const struct workflow *workflow);
const char *workflow_shell_suffix(const struct workflow *workflow);
/* Nearest known rule name for a hint, or NULL. */
const char *workflow_nearest_rule(const struct workflow *workflow, const char *name);
/* The output without wildcards whose name is nearest to path, and its rule; NULL: none is near. */
const char *workflow_nearest_output(const struct workflow *workflow, const char *path,
                                    const struct rule **rule);
/* The rule one of whose outputs begins as path does, and that output; NULL: none does. */
const struct rule *workflow_near_output(const struct workflow *workflow, const char *path,
                                        const char **output);
