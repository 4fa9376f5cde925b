// SPDX-License-Identifier: MIT
/* jobeval.h: what a rule means for one set of wildcard values. The graph calls these while it
 * builds jobs, the run when it launches them. Results stand in the scratch arena given; strings are
 * symbols of the session.
 *
 * Input items without functions never touch the evaluator: patterns are filled in as text. */
#pragma once

#include "base/hash.h"
#include "flow/workflow.h"

/* A file of a job. */
struct job_file {
    sym_t path;
    uint16_t flags; /* enum file_flag */
    bool in_list;
    /* stands for inputs that are known when the checkpoint that makes it has run */
    bool checkpoint;
    sym_t name;              /* 0: positional */
    rule_id maker;           /* only that rule may make it; 0: any */
    const struct item *item; /* where it was asked for */
};
struct job_files {
    struct job_file *at;
    uint32_t len, cap; /* a VEC in malloc memory: reuse it between jobs, vec_free at the end */
    uint64_t holds;    /* the layer above's name for a list that .at holds still; 0: none */
};

enum eval_result {
    EVAL_OK,
    EVAL_FAILED,     /* raised; the exception is still in the vm: vm_report or vm_take_error */
    EVAL_CHECKPOINT, /* waits for a checkpoint: *wait_rule and wait_wildcards of the eval say which
                      (of input: the last of them) */
};

/* One job seen by Python. Fill rule and wildcards; the rest as far as it is known. */
struct job_eval {
    struct workflow *workflow;
    struct arena *scratch;
    const struct rule *rule;
    const sym_t *wildcards;       /* rule->wildcards.n symbols */
    const sym_t *output_paths;    /* of rule->output, where they are known; or NULL */
    const struct job_file *input; /* evaluated inputs */
    uint32_t ninput;
    const sym_t *bare; /* names of input without files, from dicts of unpack(); in scratch */
    uint32_t nbare;
    int attempt; /* 1.. */
    uint32_t jobid;
    bool starts; /* the job's body is made: params that wait for a checkpoint are an error */
    const char *groupid; /* id of its group job, for input functions; NULL: not known yet, the
                            inputs that ask for it are left out */
    bool wants_groupid;  /* result: an input was left out */
    bool wants_queue;    /* result: a queue that yields inputs has not ended */
    bool params_wait; /* result: of a checkpoint that is not complete, so that a param is unknown */
    /* results, also inputs of later steps */
    struct job_files output, log, benchmark;
    int threads;
    struct resource *resources;
    uint32_t nresources;
    value params; /* namedlist, valid until heap_collect */
    /* after EVAL_CHECKPOINT */
    rule_id wait_rule;
    const sym_t *wait_wildcards; /* in scratch */
    const char *python;          /* for its script, instead of the workflow's; or NULL */
    int bench_iteration;         /* of repeat(): 1..; 0: none */
    /* after EVAL_FAILED or a NULL: what was being evaluated, for eval_report */
    const char *failed_what; /* "input", "params", "shell command", ... */
    struct span failed_span;
    /* jobeval.c's own: zero at first. Python objects made so far, good while epoch is the
     * workflow's. */
    uint32_t epoch;
    value seen_wildcards, seen_input, asked_input, seen_output, seen_log, seen_resources;
    bool threads_known, resources_known, output_known;
    value counted_params; /* list: those that are not derived from input, output, threads, resources
                           */
};

/* Frees what eval holds outside its scratch arena: the lists of outputs, logs and benchmarks. */
static inline void job_eval_free(struct job_eval *eval)
{
    vec_free(&eval->output);
    vec_free(&eval->log);
    vec_free(&eval->benchmark);
}

struct resource {
    sym_t name;
    bool is_text, is_truth; /* a text; True or False, which count as 1 and 0 */
    int64_t number;
    sym_t text; /* also the display form of numbers' units where Snakemake shows one ("500 MB") */
};
/* The resource of that name; NULL: the job has none. */
static inline struct resource *eval_resource(const struct job_eval *eval, sym_t name)
{
    for (uint32_t i = 0; name && i < eval->nresources; i++)
        if (eval->resources[i].name == name)
            return &eval->resources[i];
    return NULL;
}

/* Reports the exception in flight as a diagnostic, with a note that says for which rule and
 * wildcards what was evaluated and where that stands. Always false. */
bool eval_report(struct job_eval *eval);

/* Input files of a job, in order; functions are called with what they ask for. Appends to out.
 * EVAL_CHECKPOINT: what is known is there; the first output of a checkpoint stands for what is
 * not. */
enum eval_result eval_input(struct job_eval *eval, struct job_files *out);
/* Output, log and benchmark paths (patterns only). */
void eval_output(struct job_eval *eval);
/* threads and resources (with --set-threads, --set-resources, --default-resources), in Snakemake's
 * order; cores caps threads (0: no cap). */
enum eval_result eval_resources(struct job_eval *eval, int cores);
/* The params; resources must have been evaluated. */
enum eval_result eval_params(struct job_eval *eval);
/* The checksum that ensure() demands of an output, in scratch; *hex NULL: none. */
enum eval_result eval_checksum(struct job_eval *eval, const struct job_file *file,
                               enum digest *kind, const char **hex);
/* The priority of a job; never NaN. */
enum eval_result eval_priority(struct job_eval *eval, double *out);
/* The retries of a rule, or otherwise if it gives none. */
int eval_retries(const struct rule *rule, int otherwise);
/* The shell command (display: as -p and --summary show it), NULL: raised. In scratch. */
const char *eval_shell(struct job_eval *eval, bool display);
/* The text of message:, or NULL if the rule has none (nothing raised). */
const char *eval_message(struct job_eval *eval);
/* Any text with the job's names and some more, which win: a submit command, a job's name. In
 * scratch, NULL: raised. */
struct text_name {
    const char *name, *text;
};
const char *eval_format(struct job_eval *eval, const char *text, const struct text_name *more,
                        uint32_t n);
/* The script path of a script rule, absolute (in scratch), NULL: raised. Of a rule with cwl: that
 * of the tool, which may be a URL. */
const char *eval_script(struct job_eval *eval);
/* When the script, notebook or tool of a job was changed last: it, or the link that stands for it.
 * -1: it has none, or nobody knows. */
int64_t eval_script_time(struct job_eval *eval);
/* Runs a run: block in this process (the hidden verb of the engine does so in a child). */
bool eval_run(struct job_eval *eval);
/* Sorted reprs of the params that count for the params trigger, joined by newlines; "" if none. In
 * scratch. */
const char *eval_params_record(struct job_eval *eval);
/* Whether the params are the same for every job of the rule. */
bool rule_params_constant(const struct rule *rule);
/* Whether all jobs of a rule have the same script, notebook or wrapper, and there is one. */
bool rule_script_constant(const struct rule *rule);
/* Whether it is there. False: raised. */
bool eval_find_script(struct job_eval *eval);
/* Evaluates what the job's body will be given: params, the shell command, a script that must be
 * there. False: raised. */
bool eval_try(struct job_eval *eval);
/* The params as Snakemake hashes them for a cached result; in scratch, NULL: raised. */
const char *eval_params_cache(struct job_eval *eval);
/* The named params as a JSON object. False: raised. */
bool eval_params_json(struct job_eval *eval, struct buf *out);
/* How to run a script rule. */
struct script_run {
    const char *command; /* shell command, in scratch */
    const char *file; /* the generated file that command reads; to be removed afterwards unless it
                         is to be kept */
    const char *data; /* another one, or NULL */
};
/* Writes what running the script needs under dir (".snakemake/scripts", made if missing) and says
 * how to run it. Other languages than those of scriptlanguages.c are refused. False: raised. */
bool eval_script_command(struct job_eval *eval, const char *dir, struct script_run *out);
/* The same for a rule with template_engine, by Python and the engine's own library. */
bool eval_template_command(struct job_eval *eval, const char *dir, struct script_run *out);
/* The same for a rule with a tool of the Common Workflow Language, by cwltool. */
bool eval_cwl_command(struct job_eval *eval, const char *dir, struct script_run *out);
/* The same for a rule with a notebook; listen "IP:PORT": for editing. */
bool eval_notebook_command(struct job_eval *eval, const char *dir, const char *listen,
                           struct script_run *out);
/* The code of a notebook's cells; NULL: the text is no notebook. In the arena. */
const char *notebook_code(struct workflow *workflow, struct arena *in, const char *text);
/* Writes a skeleton of the rule's notebook; its path in scratch, NULL: raised. */
const char *eval_notebook_draft(struct job_eval *eval);
/* Puts an edited notebook in the place of the rule's, without what the engine has added. False:
 * raised. */
bool eval_notebook_keep(struct job_eval *eval, const char *edited);
/* Whether a rule's template engine is the one that this program has itself, and its rendering.
 * False: raised. */
bool eval_template_is_own(const struct rule *rule);
bool eval_template(struct job_eval *eval);
/* The text of a body that is one, filled in; NULL: raised. what: for messages. */
const char *eval_body_text(struct job_eval *eval, const char *what);
/* Group name, or NULL (also after an error, which is then a diagnostic). */
const char *eval_group(struct job_eval *eval);
