// SPDX-License-Identifier: MIT
/* options.h: the command line of `run`: Snakemake's options with their argument shapes, one row
 * each. A row is its id, spellings, how many words follow, their name in --help, the help text, and
 * how far it is served here. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/pool.h"

enum arity {
    NONE,   /* a flag */
    ONE,    /* one word */
    MAYBE,  /* one word or none */
    ANY,    /* all words up to the next option, or none */
    SOME,   /* the same, at least one */
    REPEAT, /* one word, and the option may be given several times */
};

enum served {
    YES,
    IGNORED, /* accepted; a warning says why it means nothing here */
    NOT_YET, /* an error says so */
};

// clang-format off
/* X(id, "spellings", arity, "NAME", "help", served): a table, laid out by hand. */
#define OPTION_GROUPS(X)                                                                           \
    OPTIONS_EXECUTION(X) OPTIONS_REPORTS(X) OPTIONS_UTILITIES(X) OPTIONS_OUTPUT(X)                 \
    OPTIONS_BEHAVIOR(X) OPTIONS_REMOTE(X) OPTIONS_DEPLOYMENT(X) OPTIONS_INTERNAL(X)

#define OPTIONS_EXECUTION(X)                                                                       \
    X(DRY_RUN, "--dry-run --dryrun -n", NONE, "",                                                  \
      "Show what would be done, and why; do nothing.", YES)                                        \
    X(PROFILE, "--profile", REPEAT, "PROFILE",                                                     \
      "Folder or file with default options (config.yaml or profile.yaml).", YES)                   \
    X(WORKFLOW_PROFILE, "--workflow-profile", ONE, "PROFILE",                                      \
      "Profile of this workflow; 'none' switches off profiles/default.", YES)                      \
    X(CACHE, "--cache", ANY, "RULE",                                                               \
      "Share results of these rules between workflows, in $SNAKEMAKE_OUTPUT_CACHE.", YES)          \
    X(SNAKEFILE, "--snakefile -s", ONE, "FILE",                                                    \
      "The workflow. Default: Snakefile, snakefile, workflow/Snakefile, workflow/snakefile.", YES) \
    X(CORES, "--cores -c", ONE, "N", "Use at most N CPU cores; 'all' for every core.", YES)        \
    X(JOBS, "--jobs -j", ONE, "N",                                                                 \
      "Run at most N jobs at once; without a cluster the same as --cores.", YES)                   \
    X(LOCAL_CORES, "--local-cores", ONE, "N",                                                      \
      "Cores for local rules when other jobs go to a cluster.", YES)                               \
    X(RESOURCES, "--resources --res", SOME, "NAME=N",                                              \
      "Limits on the sum over all running jobs, such as mem_mb=8000.", YES)                        \
    X(SET_THREADS, "--set-threads", SOME, "RULE=N", "Override the threads of rules.", YES)         \
    X(MAX_THREADS, "--max-threads", ONE, "N", "Give no job more threads than this.", YES)          \
    X(SET_RESOURCES, "--set-resources", SOME, "RULE:NAME=V", "Override resources of rules.", YES)  \
    X(SET_SCATTER, "--set-scatter", SOME, "NAME=N", "Override the number of scatter items.", YES)  \
    X(SET_RESOURCE_SCOPES, "--set-resource-scopes", SOME, "NAME=SCOPE",                            \
      "Override whether a resource counts per job (local) or over all jobs (global).", YES)        \
    X(DEFAULT_RESOURCES, "--default-resources --default-res", ANY, "NAME=V",                       \
      "Resources of rules that do not set them.", YES)                                             \
    X(PREEMPTIBLE_RULES, "--preemptible-rules", ANY, "RULE",                                       \
      "There are no cloud executors here.", IGNORED)                                               \
    X(PREEMPTIBLE_RETRIES, "--preemptible-retries", ONE, "N",                                      \
      "There are no cloud executors here.", IGNORED)                                               \
    X(CONFIGFILE, "--configfile --configfiles", SOME, "FILE",                                      \
      "Config files, merged in order; they override those that the workflow names.", YES)          \
    X(CONFIG, "--config -C", ANY, "KEY=VALUE",                                                     \
      "Config values; they override all config files. Values are read as YAML.", YES)              \
    X(REPLACE_CONFIG, "--replace-workflow-config", NONE, "",                                       \
      "The config given here replaces the workflow's own.", YES)                                   \
    X(ENVVARS, "--envvars", SOME, "NAME", "Environment variables to pass on to jobs.", YES)        \
    X(DIRECTORY, "--directory -d", ONE, "DIR", "Working directory, made if it is not there.", YES) \
    X(TOUCH, "--touch -t", NONE, "",                                                               \
      "Mark existing outputs as up to date without running anything.", YES)                        \
    X(KEEP_GOING, "--keep-going -k", NONE, "",                                                     \
      "If a job fails, continue with jobs that do not depend on it.", YES)                         \
    X(RERUN_TRIGGERS, "--rerun-triggers", SOME, "WHAT",                                            \
      "What makes a job run again: code input mtime params software-env (default: all).", YES)     \
    X(FORCE, "--force -f", NONE, "", "Make the targets even if they are up to date.", YES)         \
    X(EXECUTOR, "--executor -e", ONE, "NAME",                                                      \
      "Where jobs run: local (default), slurm, pool, cluster-generic, dryrun, touch.", YES)        \
    X(FORCEALL, "--forceall -F", NONE, "",                                                         \
      "Make the targets and all they depend on, even if up to date.", YES)                         \
    X(FORCERUN, "--forcerun -R", ANY, "TARGET",                                                    \
      "Run these rules or files again, and what depends on them.", YES)                            \
    X(CONSIDER_ANCIENT, "--consider-ancient", SOME, "RULE=ITEMS",                                  \
      "Inputs whose time does not count: names or numbers (from 0), separated by commas.", YES)    \
    X(PRIORITIZE, "--prioritize -P", SOME, "TARGET",                                               \
      "Make these first, with all they depend on.", YES)                                           \
    X(BATCH, "--batch", ONE, "RULE=I/N", "Use only part I of N of the inputs of a rule.", YES)     \
    X(UNTIL, "--until -U", SOME, "TARGET", "Stop after these rules or files.", YES)                \
    X(OMIT_FROM, "--omit-from -O", SOME, "TARGET",                                                 \
      "Leave out these rules or files and what depends on them.", YES)                             \
    X(RERUN_INCOMPLETE, "--rerun-incomplete --ri", NONE, "",                                       \
      "Make outputs again that a killed run has left incomplete.", YES)                            \
    X(SHADOW_PREFIX, "--shadow-prefix", ONE, "DIR", "Where shadow directories are made.", YES)     \
    X(STRICT_DAG, "--strict-dag-evaluation", SOME, "WHAT",                                         \
      "Treat these problems as errors: functions cyclic-graph periodic-wildcards.", YES)           \
    X(SCHEDULER, "--scheduler", MAYBE, "NAME",                                                     \
      "greedy or ilp; both mean the one scheduler that is here.", YES)                             \
    X(NO_SUBWORKFLOWS, "--no-subworkflows --nosw", NONE, "",                                       \
      "Without effect, as in Snakemake.", IGNORED)                                                 \
    X(PRECOMMAND, "--precommand", ONE, "CMD",                                                      \
      "Command to run on the node before each job of a cluster.", YES)                             \
    X(GROUPS, "--groups", SOME, "RULE=GROUP", "Assign rules to groups.", YES)                      \
    X(GROUP_COMPONENTS, "--group-components", SOME, "GROUP=N",                                     \
      "Number of connected parts of a group that run as one job.", YES)

#define OPTIONS_REPORTS(X)                                                                         \
    X(REPORT, "--report --report-html-path", MAYBE, "FILE",                                        \
      "Make a report of the results: FILE.html or FILE.zip (default report.html).", YES)           \
    X(REPORT_AFTER_RUN, "--report-after-run", NONE, "",                                            \
      "Make the report at the end of the run.", YES)                                               \
    X(REPORT_STYLESHEET, "--report-stylesheet --report-html-stylesheet-path", ONE, "CSS",          \
      "Style sheet, added after the report's own.", YES)                                           \
    X(REPORT_METADATA, "--report-metadata", ONE, "YAML",                                           \
      "Names and texts for the report's first page.", YES)                                         \
    X(REPORTER, "--reporter", ONE, "PLUGIN", "Report plug-in; html is the only one.", YES)         \
    X(DRAFT_NOTEBOOK, "--draft-notebook", ONE, "FILE",                                             \
      "Make a skeleton of the notebook that makes FILE.", YES)                                     \
    X(EDIT_NOTEBOOK, "--edit-notebook", ONE, "FILE", "Edit the notebook that makes FILE.", YES)    \
    X(NOTEBOOK_LISTEN, "--notebook-listen", ONE, "IP:PORT",                                        \
      "Address of the notebook server (default localhost:8888).", YES)

#define OPTIONS_UTILITIES(X)                                                                       \
    X(LINT, "--lint", MAYBE, "FORMAT", "Print hints on the workflow's style: text or json.", YES)  \
    X(GENERATE_UNIT_TESTS, "--generate-unit-tests", MAYBE, "DIR",                                  \
      "Make unit tests from finished jobs (default folder: .tests/unit).", YES)                    \
    X(CONTAINERIZE, "--containerize", MAYBE, "FORMAT",                                             \
      "Print the recipe of an image with all conda environments: dockerfile or apptainer.", YES)   \
    X(EXPORT_CWL, "--export-cwl", ONE, "FILE", "Without effect, as in Snakemake.", IGNORED)        \
    X(LIST_RULES, "--list-rules --list -l", NONE, "",                                              \
      "List the rules with their docstrings.", YES)                                                \
    X(LIST_TARGETS, "--list-target-rules --lt", NONE, "",                                          \
      "List the rules that can be targets.", YES)                                                  \
    X(DAG, "--dag", MAYBE, "FORMAT", "Print the graph of jobs: dot or mermaid-js.", YES)           \
    X(RULEGRAPH, "--rulegraph", MAYBE, "FORMAT",                                                   \
      "Print the graph of rules: dot or mermaid-js.", YES)                                         \
    X(FILEGRAPH, "--filegraph", NONE, "", "Print the graph of rules and files (dot).", YES)        \
    X(D3DAG, "--d3dag", NONE, "", "Print the graph of jobs as JSON.", YES)                         \
    X(SUMMARY, "--summary -S", NONE, "", "Print a table of all outputs and their state.", YES)     \
    X(DETAILED_SUMMARY, "--detailed-summary -D", NONE, "",                                         \
      "The same, with inputs and shell commands.", YES)                                            \
    X(ARCHIVE, "--archive", ONE, "FILE", "Pack the workflow into a tar file.", YES)                \
    X(CLEANUP_METADATA, "--cleanup-metadata --cm", SOME, "FILE",                                   \
      "Delete what is recorded about these files (of a storage: their names there).", YES)         \
    X(CLEANUP_SHADOW, "--cleanup-shadow", NONE, "", "Remove left-over shadow directories.", YES)   \
    X(SKIP_SCRIPT_CLEANUP, "--skip-script-cleanup", NONE, "",                                      \
      "Keep the generated copies of scripts.", YES)                                                \
    X(UNLOCK, "--unlock", NONE, "", "Remove the lock that a killed run has left.", YES)            \
    X(LIST_CHANGES, "--list-changes --lc", ONE, "WHAT",                                            \
      "List outputs whose code, input or params have changed.", YES)                               \
    X(LIST_INPUT_CHANGES, "--list-input-changes --li", NONE, "",                                   \
      "List outputs whose input files have changed.", YES)                                         \
    X(LIST_PARAMS_CHANGES, "--list-params-changes --lp", NONE, "",                                 \
      "List outputs whose params have changed.", YES)                                              \
    X(LIST_UNTRACKED, "--list-untracked --lu", NONE, "",                                           \
      "List files in the working directory that the workflow does not use.", YES)                  \
    X(DELETE_ALL_OUTPUT, "--delete-all-output", NONE, "",                                          \
      "Delete all outputs of the jobs that make the targets.", YES)                                \
    X(DELETE_TEMP_OUTPUT, "--delete-temp-output", NONE, "",                                        \
      "Delete the temporary outputs of the jobs that make the targets.", YES)                      \
    X(KEEP_INCOMPLETE, "--keep-incomplete", NONE, "", "Keep the outputs of failed jobs.", YES)     \
    X(DROP_METADATA, "--drop-metadata", NONE, "", "Do not record how outputs were made.", YES)     \
    X(VERSION, "--version -v", NONE, "", "Print the version.", YES)                                \
    X(HELP, "--help -h", NONE, "", "Print this text.", YES)

#define OPTIONS_OUTPUT(X)                                                                          \
    X(PRINTSHELLCMDS, "--printshellcmds -p", NONE, "", "Show the shell commands.", YES)            \
    X(REASON, "--reason -r", NONE, "", "Show why each job runs (always on).", YES)                 \
    X(DEBUG_DAG, "--debug-dag", NONE, "", "Show how jobs are chosen.", YES)                        \
    X(NOCOLOR, "--nocolor", NONE, "", "Print without colours.", YES)                               \
    X(QUIET, "--quiet -q", ANY, "WHAT",                                                            \
      "Leave out some output: all host progress reason rules (default: progress rules).", YES)     \
    X(PRINT_COMPILATION, "--print-compilation", NONE, "",                                          \
      "Print the syntax tree of the workflow.", YES)                                               \
    X(VERBOSE, "--verbose", NONE, "",                                                              \
      "Also print how much was read, how long it took and what memory it takes.", YES)

#define OPTIONS_BEHAVIOR(X)                                                                        \
    X(FORCE_USE_THREADS, "--force-use-threads", NONE, "",                                          \
      "run: blocks always have a process of their own here.", IGNORED)                             \
    X(ALLOW_AMBIGUITY, "--allow-ambiguity -a", NONE, "",                                           \
      "If several rules can make a file, use the first.", YES)                                     \
    X(NOLOCK, "--nolock", NONE, "", "Do not lock the working directory.", YES)                     \
    X(IGNORE_INCOMPLETE, "--ignore-incomplete --ii", NONE, "",                                     \
      "Do not check whether outputs are incomplete.", YES)                                         \
    X(MAX_INVENTORY_TIME, "--max-inventory-time", ONE, "S",                                        \
      "File times are read in batches here; nothing to limit.", IGNORED)                           \
    X(TRUST_IO_CACHE, "--trust-io-cache", NONE, "",                                                \
      "File times are always read anew here.", IGNORED)                                            \
    X(MAX_CHECKSUM_FILE_SIZE, "--max-checksum-file-size", ONE, "BYTES",                            \
      "Compare inputs up to this size by content, not by time alone.", YES)                        \
    X(LATENCY_WAIT, "--latency-wait --output-wait -w", ONE, "S",                                   \
      "Wait up to S seconds for outputs to appear (default 5).", YES)                              \
    X(WAIT_FREE_STORAGE, "--wait-for-free-local-storage", ONE, "T",                                \
      "Local copies are made whatever room is left.", IGNORED)                                    \
    X(WAIT_FOR_FILES, "--wait-for-files", ANY, "FILE",                                             \
      "Wait for these files before anything starts.", YES)                                         \
    X(WAIT_FOR_FILES_FILE, "--wait-for-files-file", ONE, "FILE",                                   \
      "The same; FILE lists them.", YES)                                                           \
    X(SOURCE_CACHE, "--runtime-source-cache-path", ONE, "P", "Internal to Snakemake.", IGNORED)    \
    X(QUEUE_INPUT_WAIT, "--queue-input-wait-time", ONE, "S",                                       \
      "Seconds between looks at inputs of from_queue.", YES)                                       \
    X(OMIT_FLAGS, "--omit-flags", SOME, "FLAG", "Ignore these flags of files, such as temp.", YES) \
    X(NOTEMP, "--notemp --no-temp --nt", NONE, "", "Keep temporary files.", YES)                   \
    X(ALL_TEMP, "--all-temp", NONE, "", "Treat all outputs as temporary.", YES)                    \
    X(UNNEEDED_TEMP, "--unneeded-temp-files", SOME, "FILE", "Internal to Snakemake.", IGNORED)     \
    X(KEEP_STORAGE, "--keep-storage-local-copies", NONE, "",                                       \
      "Keep the local copies of files in a storage.", YES)                                         \
    X(NOT_RETRIEVE, "--not-retrieve-storage", NONE, "",                                            \
      "Do not fetch files from a storage: jobs get their paths or URLs.", YES)                     \
    X(TARGET_FILES_OMIT, "--target-files-omit-workdir-adjustment", NONE, "",                       \
      "Internal to Snakemake.", IGNORED)                                                           \
    X(ALLOWED_RULES, "--allowed-rules", SOME, "RULE", "Use only these rules.", YES)                \
    X(MAX_JOBS_PER_TIMESPAN, "--max-jobs-per-timespan", ONE, "N/T",                                \
      "Start at most N jobs in a time of T, such as 50/1m or 2/10s.", YES)                         \
    X(MAX_JOBS_PER_SECOND, "--max-jobs-per-second", ONE, "N",                                      \
      "The same for a second; deprecated.", YES)                                                   \
    X(MAX_STATUS_CHECKS, "--max-status-checks-per-second", ONE, "N",                               \
      "One status call serves all jobs here.", IGNORED)                                            \
    X(SECONDS_BETWEEN_CHECKS, "--seconds-between-status-checks", ONE, "N",                         \
      "Seconds between checks of the status of submitted jobs.", YES)                              \
    X(RETRIES, "--retries --restart-times -T", ONE, "N",                                           \
      "Run a failed job again up to N times.", YES)                                                \
    X(WRAPPER_PREFIX, "--wrapper-prefix", ONE, "URL", "Where wrappers are fetched from.", YES)     \
    X(STORAGE_PROVIDER, "--default-storage-provider", ONE, "X",                                    \
      "Storage for all paths of the workflow.", YES)                                               \
    X(STORAGE_PREFIX, "--default-storage-prefix", ONE, "X",                                        \
      "Where in that storage: the prefix of all paths.", YES)                                      \
    X(STORAGE_HTTP_AUTH, "--storage-http-auth", SOME, "AUTH",                                      \
      "Login: HTTPBasicAuth=USER,PASSWORD or HTTPDigestAuth=USER,PASSWORD.", YES)                  \
    X(STORAGE_HTTP_RATE, "--storage-http-max-requests-per-second", SOME, "N",                      \
      "Requests per second and host at most (default: any number, 16 at a time).", YES)            \
    X(STORAGE_HTTP_REDIRECTS, "--storage-http-allow-redirects", SOME, "BOOL",                      \
      "false: a redirect is an error.", YES)                                                       \
    X(STORAGE_HTTP_HEAD, "--storage-http-supports-head", SOME, "BOOL",                             \
      "false: ask servers by GET, not by HEAD.", YES)                                              \
    X(LOCAL_STORAGE_PREFIX, "--local-storage-prefix", ONE, "DIR",                                  \
      "Where local copies of files in a storage are kept.", YES)                                   \
    X(REMOTE_STORAGE_PREFIX, "--remote-job-local-storage-prefix", ONE, "P",                        \
      "Jobs of a cluster use --local-storage-prefix here.", IGNORED)                               \
    X(SHARED_FS_USAGE, "--shared-fs-usage", SOME, "WHAT",                                          \
      "What the file system that the machines share is used for.", YES)                            \
    X(GREEDINESS, "--scheduler-greediness --greediness", ONE, "X",                                 \
      "Without effect, as in Snakemake.", IGNORED)                                                 \
    X(SUBSAMPLE, "--scheduler-subsample", ONE, "N",                                                \
      "The scheduler here needs no sampling.", IGNORED)                                            \
    X(NO_HOOKS, "--no-hooks", NONE, "", "Do not run onstart, onsuccess, onerror.", YES)            \
    X(DEBUG, "--debug", NONE, "", "There is no Python debugger to attach here.", IGNORED)          \
    X(RUNTIME_PROFILE, "--runtime-profile", ONE, "FILE",                                           \
      "It profiles Snakemake's Python code, which does not run here.", IGNORED)                    \
    X(LOCAL_GROUPID, "--local-groupid", ONE, "X", "Internal to Snakemake.", IGNORED)               \
    X(ATTEMPT, "--attempt", ONE, "N", "Internal to Snakemake.", IGNORED)                           \
    X(SHOW_FAILED_LOGS, "--show-failed-logs", NONE, "", "Print the logs of failed jobs.", YES)     \
    X(LOGGER, "--logger", SOME, "NAME",                                                            \
      "json, the only logger: the log as JSON, one object per line.", YES)                         \
    X(JOB_DEPLOY_SOURCES, "--job-deploy-sources", NONE, "",                                        \
      "Jobs of a cluster read the workflow's files in place here.", IGNORED)                       \
    X(BENCHMARK_EXTENDED, "--benchmark-extended", NONE, "",                                        \
      "Write more columns to benchmark files.", YES)                                               \
    X(PERSISTENCE_BACKEND, "--persistence-backend", ONE, "KIND",                                   \
      "db: keep records in Snakemake's database too, and read them from it.", YES)                 \
    X(PERSISTENCE_URL, "--persistence-backend-db-url", ONE, "URL",                                 \
      "Where that database is: sqlite:///PATH (default .snakemake/metadata.db).", YES)

#define OPTIONS_REMOTE(X)                                                                          \
    X(CONTAINER_IMAGE, "--container-image", ONE, "IMG",                                            \
      "There are no cloud executors here.", IGNORED)                                               \
    X(IMMEDIATE_SUBMIT, "--immediate-submit --is", NONE, "",                                       \
      "Submit all jobs at once, without waiting for their inputs.", YES)                           \
    X(JOBSCRIPT, "--jobscript --js", ONE, "FILE",                                                  \
      "Template of the script that is submitted.", YES)                                            \
    X(JOBNAME, "--jobname --jn", ONE, "NAME", "Pattern of the names of submitted jobs.", YES)      \
    X(GENERIC_SUBMIT, "--cluster-generic-submit-cmd", ONE, "CMD",                                  \
      "Command that submits a job script.", YES)                                                   \
    X(GENERIC_STATUS, "--cluster-generic-status-cmd", ONE, "CMD",                                  \
      "Command that prints the status of a job.", YES)                                             \
    X(GENERIC_CANCEL, "--cluster-generic-cancel-cmd", ONE, "CMD",                                  \
      "Command that cancels jobs.", YES)                                                           \
    X(GENERIC_CANCEL_IDS, "--cluster-generic-cancel-nargs", ONE, "N",                              \
      "Jobs in one call of that command (default 20; 0: all).", YES)                               \
    X(GENERIC_SIDECAR, "--cluster-generic-sidecar-cmd", ONE, "CMD",                                \
      "Runs all the time; the other commands get its first line as "                               \
      "$SNAKEMAKE_CLUSTER_SIDECAR_VARS.", YES)                                                     \
    X(DETACH, "--detach", NONE, "",                                                                \
      "Continue in the background; see kintsugi-flow status and stop.", YES)                       \
    X(POOL_SIZE, "--pool-size", ONE, "N",                                                          \
      "Number of allocations that --executor pool holds.", YES)                                    \
    X(POOL_RESOURCES, "--pool-resources", SOME, "NAME=VALUE",                                      \
      "What each allocation has: cpus_per_task, mem_mb, runtime, slurm_account, ...", YES)         \
    X(POOL_IDLE, "--pool-idle", ONE, "S",                                                          \
      "Give an allocation back after S seconds without work (default 300).", YES)                  \
    X(POOL_SRUN, "--pool-srun", ONE, "OPTIONS",                                                    \
      "More options for srun, such as '--cpu-bind=cores --threads-per-core=1'.", YES)              \
    X(CANCEL_ORPHANS, "--cancel-orphans", NONE, "",                                                \
      "Cancel submitted jobs of an earlier run that are not part of this one.", YES)               \
    X(SLURM_ARRAY_JOBS, "--slurm-array-jobs", SOME, "N|RULE",                                      \
      "Submit N or more similar jobs as an array (default 10; 0: never), or all jobs of RULE. "    \
      "", YES)                                                                                     \
    X(SLURM_ARRAY_LIMIT, "--slurm-array-limit", ONE, "N",                                          \
      "Jobs in one array at most (default 1000).", YES)                                            \
    X(SLURM_LOGDIR, "--slurm-logdir", ONE, "DIR",                                                  \
      "Where the logs of Slurm jobs go (default .snakemake/slurm_logs).", YES)                     \
    X(SLURM_KEEP_LOGS, "--slurm-keep-successful-logs", NONE, "",                                   \
      "Keep the logs of successful jobs.", YES)                                                    \
    X(SLURM_OLD_LOGS, "--slurm-delete-logfiles-older-than", ONE, "DAYS",                           \
      "Delete older logs at the start (default 10; 0: none).", YES)                                \
    X(SLURM_REQUEUE, "--slurm-requeue", NONE, "", "Let Slurm start a job again by itself.", YES)   \
    X(SLURM_NO_REQUEUE, "--slurm-no-requeue", NONE, "",                                            \
      "Jobs are not requeued here unless --slurm-requeue says so.", IGNORED)                       \
    X(SLURM_NO_FUDGE, "--slurm-disable-memory-fudge", NONE, "",                                    \
      "Arrays ask for no more memory here than their jobs do.", IGNORED)                           \
    X(SLURM_NO_ACCOUNT, "--slurm-no-account", NONE, "", "Pass no account to Slurm.", YES)          \
    X(SLURM_QOS, "--slurm-qos", ONE, "QOS", "QOS of all jobs.", YES)                               \
    X(SLURM_RESERVATION, "--slurm-reservation", ONE, "NAME", "Reservation of all jobs.", YES)      \
    X(SLURM_EXCLUDE, "--slurm-exclude-failed-nodes", ONE, "NODES",                                 \
      "Avoid these nodes (separated by commas), besides those that fail during the run.", YES)     \
    X(SLURM_INIT_WAIT, "--slurm-init-seconds-before-status-checks", ONE, "S",                      \
      "The first check is never late here.", IGNORED)                                              \
    X(SLURM_STATUS_COMMAND, "--slurm-status-command", ONE, "CMD",                                  \
      "squeue, sacct and scontrol are each used where they fit.", IGNORED)                         \
    X(SLURM_STATUS_ATTEMPTS, "--slurm-status-attempts", ONE, "N",                                  \
      "Slurm is asked until it answers.", IGNORED)                                                 \
    X(SLURM_AS_SCRIPT, "--slurm-pass-command-as-script", NONE, "",                                 \
      "Jobs always go to sbatch as scripts.", IGNORED)                                             \
    X(SLURM_JOBNAME_PREFIX, "--slurm-jobname-prefix", ONE, "TEXT",                                 \
      "Job names tell submissions apart here; see the comment of a job.", IGNORED)                 \
    X(SLURM_EFFICIENCY, "--slurm-efficiency-report", NONE, "",                                     \
      "At the end, write a CSV file of what jobs used of what they asked for.", YES)               \
    X(SLURM_EFFICIENCY_PATH, "--slurm-efficiency-report-path", ONE, "DIR",                         \
      "Where that file goes (default: the working directory).", YES)                               \
    X(SLURM_EFFICIENCY_LEAST, "--slurm-efficiency-threshold", ONE, "SHARE",                        \
      "Name rules that used less than this share of their CPUs (default 0.8).", YES)               \
    X(SLURM_PARTITIONS, "--slurm-partition-config", ONE, "FILE",                                   \
      "Choose a partition for jobs that name none, by the limits in FILE "                         \
      "($SNAKEMAKE_SLURM_PARTITIONS).", YES)

#define OPTIONS_DEPLOYMENT(X)                                                                      \
    X(SDM, "--software-deployment-method --deployment-method --deployment --sdm", SOME, "METHOD",  \
      "Use the software that rules name, by these methods: apptainer conda env-modules.", YES)     \
    X(USE_CONDA, "--use-conda", NONE, "", "The same as --sdm conda.", YES)                         \
    X(USE_APPTAINER, "--use-apptainer --use-singularity", NONE, "",                                \
      "The same as --sdm apptainer.", YES)                                                         \
    X(USE_ENVMODULES, "--use-envmodules", NONE, "", "The same as --sdm env-modules.", YES)         \
    X(CONDA_PREFIX, "--conda-prefix", ONE, "DIR", "Where conda environments are kept.", YES)       \
    X(CONDA_FRONTEND, "--conda-frontend", ONE, "NAME",                                             \
      "Accepted as in Snakemake: conda, else mamba, else micromamba on PATH is used.", YES)        \
    X(CONDA_BASE_PATH, "--conda-base-path", ONE, "P", "Internal to Snakemake.", IGNORED)           \
    X(CONDA_CREATE_ENVS_ONLY, "--conda-create-envs-only", NONE, "",                                \
      "Make the conda environments and stop.", YES)                                                \
    X(CONDA_CLEANUP_ENVS, "--conda-cleanup-envs", NONE, "",                                        \
      "Remove the conda environments of the workflow, as Snakemake does.", YES)                    \
    X(CONDA_CLEANUP_PKGS, "--conda-cleanup-pkgs", MAYBE, "WHAT",                                   \
      "Run conda clean after making an environment: tarballs or cache.", YES)                      \
    X(CONDA_NOT_BLOCK, "--conda-not-block-search-path-envvars", NONE, "",                          \
      "Leave PYTHONPATH, R_LIBS, PERLLIB, PERL5LIB as they are.", YES)                             \
    X(LIST_CONDA_ENVS, "--list-conda-envs", NONE, "",                                              \
      "List the conda environments of the workflow.", YES)                                         \
    X(APPTAINER_PREFIX, "--apptainer-prefix --singularity-prefix", ONE, "DIR",                     \
      "Where container images are kept.", YES)                                                     \
    X(APPTAINER_ARGS, "--apptainer-args --singularity-args", ONE, "ARGS",                          \
      "Arguments for apptainer exec.", YES)                                                        \
    X(CLEANUP_IMAGES, "--container-cleanup-images", NONE, "",                                      \
      "Remove container images that the workflow does not use.", YES)

#define OPTIONS_INTERNAL(X)                                                                        \
    X(DEPLOY_SOURCES, "--deploy-sources", SOME, "Q", "Internal to Snakemake.", IGNORED)            \
    X(TARGET_JOBS, "--target-jobs", SOME, "JOB", "Internal to Snakemake.", IGNORED)                \
    X(MODE, "--mode", ONE, "MODE", "Internal to Snakemake.", IGNORED)                              \
    X(SOLVER, "--scheduler-ilp-solver", ONE, "NAME", "No solver is needed here.", IGNORED)         \
    X(GREEDY_GREEDINESS, "--scheduler-greedy-greediness", ONE, "X",                                \
      "Without effect, as in Snakemake.", IGNORED)                                                 \
    X(GREEDY_OMIT, "--scheduler-greedy-omit-prioritize-by-temp-and-input", NONE, "",               \
      "The scheduler here goes by priority.", IGNORED)                                             \
    X(SOLVER_PATH, "--scheduler-ilp-solver-path --scheduler-solver-path", ONE, "P",                \
      "No solver is needed here.", IGNORED)                                                        \
    X(PYTHON, "--python", ONE, "PROGRAM",                                                          \
      "Python for scripts and imported packages (default $KINTSUGI_PYTHON, else python3).", YES)   \
    X(REROUTE_AFTER, "--reroute-after", ONE, "S",                                                  \
      "Move a waiting job to another account that has had room for S seconds (default 60).", YES)  \
    X(NO_REROUTE, "--no-reroute", NONE, "",                                                        \
      "Leave waiting jobs on the account they were submitted to.", YES)                            \
    X(WAIT_FOR_CAPACITY, "--wait-for-capacity", NONE, "",                                          \
      "If every account is full, wait until one has room.", YES)

// clang-format on

enum option_id {
#define X(id, names, arity, arg, help, served) OPT_##id,
    OPTION_GROUPS(X)
#undef X
        OPT_COUNT
};

typedef VEC(const char *) word_list; /* NULL-terminated once parsed */

/* An option that is no row: --storage-PROVIDER-SETTING of a plugin, which knows it. */
struct plugin_option {
    const char *name; /* without the dashes in front */
    word_list words;
    bool called; /* it was on the command line, not in a profile */
};

struct options {
    struct arena arena;
    VEC(struct plugin_option) plugin;
    bool given[OPT_COUNT];
    bool declined[OPT_COUNT]; /* a flag that a profile has switched off */
    word_list words[OPT_COUNT];
    word_list targets;
    /* as called, but for secrets, for records and children; NULL-terminated */
    const char *const *argv;
};

/* Parses argv (without the program and verb) as Snakemake's argparse would: abbreviations,
 * --opt=value, -np, lists up to the next option. False after diagnostics. */
bool options_parse(struct options *options, struct diags *dx, int argc, const char *const *argv);
void options_free(struct options *options);

/* The only (last) word of an option, or otherwise if it was not given. */
const char *option_word(const struct options *options, enum option_id id, const char *otherwise);
/* Its words, NULL-terminated; NULL if it was not given. */
const char *const *option_words(const struct options *options, enum option_id id);
/* Sets an option as the profile in a file does: only if the command line and the profiles before it
 * did not. */
bool option_set(struct options *options, struct diags *dx, const char *file, const char *long_name,
                const char *const *words, int n);
/* A profile switches a flag off: profiles that come after it do not set it. */
void option_decline(struct options *options, const char *long_name);
/* Whether the value of that option is a folder. */
bool option_wants_folder(const char *long_name);
/* Where Snakemake's option of that long name stands, or -1. */
int option_find(const char *long_name);
/* The whole help text. */
void options_help(FILE *out);
/* That of the verb report: its own options, and where the others are. */
void options_help_report(FILE *out);
/* Whether it takes words that may have been meant as targets: a list, or a value that may be
 * missing. */
bool option_swallows(enum option_id id);
/* Hints that a word which such an option has taken may be a target; rest: what its values are
 * then. */
void option_hint_target(struct diags *dx, enum option_id id, const char *word, const char *rest);
/* The first spelling of an option ("--configfile"). */
const char *option_name(enum option_id id, char out[64]);
