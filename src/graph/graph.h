// SPDX-License-Identifier: MIT
/* graph.h: the jobs of a workflow and the files between them.
 *
 *   file  --maker-->  job  --inputs-->  edge: a file, or a bundle of files that many jobs share
 *
 * Everything is a record in an array, named by a 32-bit id; 0 is none. A path is a symbol, and a
 * file is found from its symbol by one array access. A bundle is a list of files with one edge for
 * the whole list, so that a dense layer of n x m dependencies costs n + m. What consumes a file is
 * kept as one flat table made by graph_link after the jobs are known. Nothing here recurses over
 * jobs.
 *
 *     struct graph *g = graph_new(workflow);
 *     graph_want_file(g, sym) / graph_want_rule(g, rule)      // the targets
 *     if (!graph_build(g)) ...                                // diagnostics say why
 *     graph_stat(g); fresh_decide(g, &options);               // which jobs must run, and why */
#pragma once

#include "base/map.h"
#include "base/pool.h"
#include "flow/jobeval.h"
#include "flow/workflow.h"
#include "graph/checksum.h"
#include "graph/index.h"

typedef uint32_t file_id, job_id, bundle_id;

enum { MTIME_UNKNOWN = -2, MTIME_ABSENT = -1 };

/* How far the search for a file's producer has come. */
enum file_state { FILE_NEW, FILE_VISITING, FILE_SOURCE, FILE_MADE, FILE_MISSING };

struct file {
    sym_t path;
    job_id maker;      /* 0: a source file */
    uint16_t flags;    /* enum file_flag of the output that makes it */
    uint8_t state;     /* enum file_state */
    bool target : 1;   /* was asked for */
    bool narrowed : 1; /* its maker is the only one that a consumer allowed */
    bool is_link : 1;  /* then its own time stands in graph.link_times */
    bool found : 1;    /* by a job, after the directory that it lies in was made */
    uint32_t size_kb;  /* for the scheduler; 0: small or unknown */
    int64_t mtime;     /* ns, MTIME_ABSENT or MTIME_UNKNOWN; links: the later of link and target */
    job_id first_job;  /* of those whose first output it is, candidates too: a list by next_same */
};

/* What a job needs: a file, or a bundle when the top bit is set. */
#define EDGE_BUNDLE 0x80000000u
#define EDGE_LISTED 0x8000u /* flags: one of several files under the item's name */
struct edge {
    uint32_t to;
    uint16_t flags; /* FLAG_ANCIENT... of this use, EDGE_LISTED */
    /* the file stands for inputs that are known when the checkpoint that makes it has run */
    bool checkpoint;
    uint32_t item; /* index of the input item it came from */
};
static inline bool edge_is_bundle(struct edge e)
{
    return e.to & EDGE_BUNDLE;
}
static inline uint32_t edge_id(struct edge e)
{
    return e.to & ~EDGE_BUNDLE;
}

enum build_state { BUILD_NEW, BUILD_VISITING, BUILD_OK, BUILD_FAILED };

struct bundle {
    uint32_t first, n; /* edges */
    uint32_t hash;
    uint32_t makers;    /* of the rules that alone may make the files; 0: any rule may */
    uint8_t state;      /* enum build_state */
    uint32_t next_same; /* next bundle with this hash */
};

/* Why a job runs; a row a reason: name, the phrase beside a job, its name in the list at the end of
 * a dry run. */
#define REASONS(X)                                                                                 \
    X(FORCED, "Forced execution", "forced")                                                        \
    X(NO_IO, "Rules with neither input nor output files are always executed.",                     \
      "neither input nor output")                                                                  \
    X(NO_OUTPUT, "Rules with a run or shell declaration but no output are always executed.",       \
      "run or shell but no output")                                                                \
    X(MISSING_OUTPUT, "Missing output files", "output files have to be generated")                 \
    X(INCOMPLETE, "Incomplete output files", "incomplete output files")                            \
    X(UPDATED_INPUT, "Updated input files", "updated input files")                                 \
    X(UPDATED_INPUT_RUN, "Input files updated by another job",                                     \
      "input files updated by another job")                                                        \
    X(INPUT_SET, "Set of input files has changed since last execution",                            \
      "set of input files has changed since last execution")                                       \
    X(CODE, "Code has changed since last execution", "code has changed since last execution")      \
    X(PARAMS, "Params have changed since last execution",                                          \
      "params have changed since last execution")                                                  \
    X(QUEUE, "Input is yielded by a queue that has not ended", "input from a queue")               \
    X(SOFTWARE, "Software environment definition has changed since last execution",                \
      "software environment definition has changed since last execution")

enum reason_bit {
#define X(name, phrase, title) REASON_BIT_##name,
    REASONS(X)
#undef X
};
#define X(name, phrase, title) REASON_##name = 1 << REASON_BIT_##name,
enum reason { REASONS(X) };
#undef X

struct job {
    rule_id rule;
    uint32_t wildcards;  /* first of rule->wildcards.n symbols in graph.wildcards */
    uint32_t first_edge; /* in graph.edges */
    uint32_t nedges;
    uint32_t first_output; /* in graph.outputs: file ids of output items, in order */
    uint32_t noutputs;
    uint16_t reasons; /* enum reason */
    job_id next_same; /* with the same first output; without outputs: of the same rule */
    uint32_t number;  /* jobid as shown: order of discovery from the targets, growth by growth */
    uint8_t state;    /* enum build_state */
    bool target, needed, must_run, waits_checkpoint;
    bool wanted;     /* of a target: all that it makes, not only what is used or a target itself */
    bool has_waited; /* for a checkpoint, now or before */
    bool told;       /* a checkpoint whose outputs those who wait for it know */
    /* its inputs come from a queue that may yield more: it must not start yet */
    bool waits_queue;
    bool unrecorded;   /* compared with its last execution, of which the store knows nothing */
    bool done, taken;  /* set by the run: it has ended well; it has been started */
    bool has_priority; /* what its rule says of it has been looked at */
    double priority;   /* PRIORITY_HIGHEST: --prioritize */
};
static const double PRIORITY_HIGHEST = 0x1p63; /* Snakemake's sys.maxsize, as a float */
_Static_assert(sizeof(struct file) <= 32, "two million files must stay small");
_Static_assert(sizeof(struct job) <= 64, "a million jobs must stay small");

/* A product of a job beside its outputs: a log or benchmark file that is a target or an input. */
struct extra {
    file_id file;
    uint32_t next;
};

/* A file as it is before a job updates it: a source of its own, with the same path; the job that
 * updates it waits for those who want it so. */
struct previous {
    file_id before, after;
    bool unawaited; /* --batch: what another part has made; nobody waits */
};

/* Who consumes: table made by graph_link. A user of a file is a job, or a bundle (EDGE_BUNDLE). */
struct uses {
    uint32_t *start; /* by file_id (or bundle_id): first in .who; start[n] is the end */
    uint32_t *who;
};

/* Frees both tables. */
void uses_free(struct uses *uses);

/* A job whose inputs are known in full when the maker of the file, a checkpoint, has run. */
struct waiting {
    job_id job;
    file_id file;
    bool asks; /* is to hear of it, though --until has left it out */
};

/* --batch: part .at (from 1) of .of of the inputs of a rule; rule 0: none (see batch.h). */
struct batch {
    rule_id rule;
    uint32_t at, of;
};

struct fs_info;
struct graph;

struct graph_options {
    struct batch batch;
    bool allow_ambiguity;
    bool strict_functions, strict_cycles, strict_periodic; /* --strict-dag-evaluation */
    bool remote;                                           /* jobs are submitted: groups matter */
    const rule_id *allowed; /* --allowed-rules, 0-terminated, or NULL */
    /* --debug-dag: told of each job that is tried ("candidate"), and of that which does
     * ("selected"); or NULL */
    void (*watch)(void *user, const struct graph *g, job_id job, const char *what);
    void *watch_user;
};

struct graph {
    struct workflow *workflow; /* borrowed */
    struct intern *names;      /* borrowed */
    struct graph_options options;
    POOL(struct file) files;
    POOL(struct job) jobs;
    POOL(struct bundle) bundles;
    VEC(struct edge) edges;
    VEC(file_id) outputs;
    VEC(sym_t) wildcards;
    VEC(uint32_t) file_of;         /* by symbol: file_id or 0 */
    VEC(bool) told_circle;         /* by rule: a warning has said that a circle stops it */
    VEC(uint32_t) rule_bundle;     /* by rule: the bundle of its constant inputs, 0: not made yet */
    VEC(struct previous) previous; /* files as before_update() inputs see them */
    struct map previous_of;        /* the file after -> its place in .previous, + 1 */
    POOL(struct extra) extras;     /* log and benchmark files that something asked for */
    struct map extra_of;           /* job -> its first extra */
    /* (rule with several wildcards, output that is not its first) -> its latest job */
    struct map made_by;
    VEC(job_id) rule_job; /* by rule: its first job, if it has no outputs */
    /* by job: when its benchmark file was last written, once graph_stat has looked */
    VEC(int64_t) benchmark_times;
    struct map bundle_of; /* hash -> bundle */
    VEC(file_id) target_files;
    VEC(job_id) target_jobs;
    /* those before --until, as long as what it names may come behind a checkpoint; or none */
    VEC(file_id) uncut_files;
    VEC(job_id) uncut_jobs;
    VEC(struct waiting) waiting; /* a row for each checkpoint of a job with waits_checkpoint */
    VEC(job_id) undecided;       /* checkpoints to be run; ancient() to jobs that do not run */
    VEC(job_id) queued;          /* jobs with waits_queue */
    VEC(job_id) awaiting_group;  /* jobs whose inputs wait for the id of their group */
    struct map params_change; /* job with REASON_PARAMS -> what has changed, in words: a symbol */
    struct map groupid_of;    /* job -> its group's id, a symbol; where inputs asked for it */
    VEC(job_id) reopened;     /* jobs to evaluate again at the next build */
    /* by job: the number it keeps while the graph grows, + 1; 0: none yet */
    VEC(uint32_t) numbers;
    uint32_t decided;    /* how often fresh_decide has begun */
    struct index *index; /* which rule makes a path; owned */
    struct map link_of;  /* file -> index of its own time, +1; links only */
    VEC(int64_t) link_times;
    /* job without outputs, with newer inputs -> index of what they are newer than, +1 */
    struct map user_time_of;
    VEC(int64_t) user_times;
    /* job and input (unchanged_key): newer, and yet no reason to run; of jobs with others */
    struct map unchanged;
    struct uses file_uses, bundle_uses;
    struct checksums checksums; /* of inputs */
    struct arena scratch;       /* one evaluation */
    struct job_files inputs;    /* reused between evaluations */
    uint32_t nmust_run;
    bool batch_cut; /* --batch: some inputs of the rule were left out */
};

static inline uint64_t unchanged_key(job_id id, file_id f)
{
    return (uint64_t)id << 32 | f;
}

/* Whether a 0-terminated list of ids (NULL: none) holds one. */
static inline bool id_listed(const uint32_t *ids, uint32_t id)
{
    while (ids && *ids && *ids != id)
        ids++;
    return ids && *ids;
}

/* An empty graph, the caller's; the workflow is borrowed and outlives it. NULL is fine to free. */
struct graph *graph_new(struct workflow *workflow, const struct graph_options *options);
void graph_free(struct graph *g);

/* Whether a job was asked for, or a file that it makes. */
bool graph_is_target(const struct graph *g, job_id id);
/* Targets, in the order given. A path is taken as it is. False after a diagnostic (rule with
 * wildcards). */
bool graph_want_file(struct graph *g, const char *path);
bool graph_want_rule(struct graph *g, const struct rule *rule);

/* Makes every file and job as new as before the search, but for what is known of files; for a graph
 * that graph_link has not seen. */
void graph_forget(struct graph *g);
/* Finds every job that the targets need. False after diagnostics: MissingInputException,
 * AmbiguousRuleException, CyclicGraphException, ... May be called again after new targets or when a
 * checkpoint has finished. */
bool graph_build(struct graph *g);

/* All jobs keep the numbers that they have by now. */
void graph_keep_numbers(struct graph *g);
/* Has a job evaluated again at the next build. All jobs keep their numbers. */
void graph_reopen(struct graph *g, job_id id);

/* Makes the tables of consumers anew; called by graph_build. */
void graph_link(struct graph *g);

/* Reads existence and times of every file not known yet, and of the jobs' benchmark files. False
 * after a diagnostic: nobody knows whether a file is there. */
bool graph_stat(struct graph *g);
/* The same for one file, now. False with errno. */
bool graph_stat_file(struct graph *g, file_id file);
/* The same from what is known of it already. */
bool graph_know_file(struct graph *g, file_id file, const struct fs_info *info);
/* The same for some files, together; those of which nobody knows whether they are there stay
 * unknown. */
void graph_stat_files(struct graph *g, const file_id *files, uint32_t n);
/* Whether it takes a server to know whether a file is there. */
bool graph_is_remote(const struct graph *g, file_id file);

/* A file's time as an output: a link is as old as itself, whatever it points to. */
int64_t file_made_time(const struct graph *g, file_id file);

/* The file of a path, made if new. */
file_id graph_file(struct graph *g, sym_t path);
/* The same path as it is before any job updates it; awaited: jobs that do wait for those who want
 * it so. */
file_id graph_previous(struct graph *g, sym_t path, bool awaited);
/* The file of a path, 0 if the graph has none. */
file_id graph_find_file(const struct graph *g, sym_t path);

/* Accessors. The pointers hold until the next graph_build. */
static inline const struct rule *job_rule(const struct graph *g, job_id job)
{
    return g->workflow->rules.at[g->jobs.at[job].rule];
}
static inline const sym_t *job_wildcards(const struct graph *g, job_id job)
{
    return g->wildcards.at + g->jobs.at[job].wildcards;
}
static inline const file_id *job_outputs(const struct graph *g, job_id job)
{
    return g->outputs.at + g->jobs.at[job].first_output;
}
static inline const char *file_path(const struct graph *g, file_id file)
{
    return sym_text(g->names, g->files.at[file].path);
}

/* Walks the input files of a job with bundles opened:
 *     struct input_walk w = input_walk(g, job);
 *     for (file_id f; (f = input_next(g, &w));) ... w.flags ... */
struct input_walk {
    uint32_t edge, end, inner, inner_end;
    uint16_t flags;
};
/* From the first input on. */
struct input_walk input_walk(const struct graph *g, job_id id);
/* The next file, 0 at the end; walk->flags are its. */
file_id input_next(const struct graph *g, struct input_walk *walk);

/* Walks the outputs of a job, then its extras; 0 at the end. */
struct product_walk {
    uint32_t at, end, extra;
};
/* From the first output on. */
struct product_walk product_walk(const struct graph *g, job_id id);
/* The next file, 0 at the end. */
file_id product_next(const struct graph *g, struct product_walk *walk);

/* Walks the jobs that consume a file, each once per edge, bundles opened; stops when visit returns
 * false. */
void file_users(const struct graph *g, file_id file, bool (*visit)(void *user, job_id job),
                void *user);

/* The job of a rule for these wildcard values, made (BUILD_NEW, outputs known, inputs not) if new.
 * first: the path of its first output where the caller knows it, or 0. */
job_id graph_job(struct graph *g, rule_id rule, const sym_t *wildcards, sym_t first);
/* The job of a rule with several wildcards that is known to have this output; 0: none. */
job_id graph_known_job(const struct graph *g, rule_id rule, sym_t path);

/* A job_eval of the job, its inputs not filled in. */
struct job_eval job_eval_of(const struct graph *g, job_id job, struct arena *scratch);

/* The bundle that is all of a job's inputs; 0: it has others, or none. */
bundle_id job_bundle(const struct graph *g, job_id id);

/* The same with the inputs as the graph knows them in *inputs (emptied first, or kept if they are
 * of the same bundle; borrowed by eval->input); input functions are only called again for unpacked
 * ones, whose names are not kept. */
enum eval_result graph_job_eval(const struct graph *g, job_id id, struct arena *scratch,
                                struct job_files *inputs, struct job_eval *eval);

/* Walks every counter and back-edge; aborts when one is wrong. For tests; in sanitized builds
 * fresh_decide ends with it. */
void graph_check(const struct graph *g);
