// SPDX-License-Identifier: MIT
#include "cli/site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/tool.h"
#include "base/words.h"
#include "cli/numbers.h"
#include "cli/partitions.h"
#include "exec/slurm_args.h"
#include "flow/units.h"

bool site_is_slurm(const struct options *options)
{
    return !strcmp(option_word(options, OPT_EXECUTOR, "local"), "slurm");
}

bool site_is_used(const struct options *options)
{
    const char *executor = option_word(options, OPT_EXECUTOR, "local");
    return !strcmp(executor, "cluster-generic") || !strcmp(executor, "slurm") ||
           !strcmp(executor, "pool");
}

bool site_is_there(struct session *s)
{
    const char *executor = option_word(&s->options, OPT_EXECUTOR, "local");
    bool needed = site_is_slurm(&s->options) || !strcmp(executor, "pool");
    if (!needed || tool_on_path("sbatch"))
        return true;
    complain(s->diags, (struct span){0},
             "--executor %s submits jobs with sbatch, which is not on the PATH of this machine",
             executor);
    diag_hint(s->diags, "start the run on a login node of the cluster, or load its Slurm module; "
                        "--executor local runs the jobs here");
    return false;
}

struct group_options site_groups(const struct options *options)
{
    return (struct group_options){.assign = option_words(options, OPT_GROUPS),
                                  .components = option_words(options, OPT_GROUP_COMPONENTS)};
}

static bool read_jobscript(struct session *s, const char **out)
{
    const char *path = option_word(&s->options, OPT_JOBSCRIPT, NULL);
    if (!path)
        return true;
    path = path_absolute(&s->arena, s->started_in, path);
    *out = fs_read(&s->arena, path, NULL);
    return *out || complain(s->diags, (struct span){0}, "cannot read the jobscript '%s': %s", path,
                            strerror(errno));
}

const char *const *site_array_words(struct session *s)
{
    static const char separators[] = ",; \t";
    const char *const *given = option_words(&s->options, OPT_SLURM_ARRAY_JOBS);
    VEC(const char *) words = {0};
    for (; given && *given; given++)
        for (const char *at = *given + strspn(*given, separators); *at;) {
            size_t len = strcspn(at, separators);
            vec_push(&words, arena_copy(&s->arena, at, len));
            at += len + strspn(at + len, separators);
        }
    const char **list = words.len ? arena_array(&s->arena, const char *, words.len + 1) : NULL;
    for (uint32_t i = 0; i < words.len; i++)
        list[i] = words.at[i];
    vec_free(&words);
    return list;
}

static void read_arrays(struct session *s, struct slurm_options *out)
{
    const char *const *words = site_array_words(s);
    enum { FEWEST = 10 };
    char *end;
    out->array_min = words ? 2 : FEWEST;
    if (!words || word_in(words, "all"))
        return;
    unsigned long n = strtoul(words[0], &end, 10);
    if (!*end && !words[1])
        out->array_min = (uint32_t)n;
    else
        out->array_rules = words;
}

/* What the steps of the pool are asked for with besides what their jobs say. */
static const char *const *srun_words(struct session *s)
{
    const char *text = option_word(&s->options, OPT_POOL_SRUN, "");
    slurm_words words = {0};
    if (!slurm_split(&s->arena, text, &words))
        complain(s->diags, (struct span){0}, "--pool-srun: a quote is open in '%s'", text);
    const char **list = arena_array(&s->arena, const char *, words.len + 1);
    for (uint32_t i = 0; i < words.len; i++)
        list[i] = words.at[i];
    vec_free(&words);
    return list;
}

static bool whole_number(const char *text, int64_t *out)
{
    char *end;
    *out = strtoll(text, &end, 10);
    return *text && !*end;
}

/* A resource of an allocation, with sizes and times as rules give them, which the executor knows
 * as plain numbers only. NULL after a diagnostic. */
static const char *pool_word(struct session *s, const char *word)
{
    static const struct {
        const char *name, *as;
        bool (*read)(const char *text, int64_t *out);
        const char *what;
    } numbers[] = {
        {"mem", "mem_mb", resource_size_mb, "a size, such as 64GB"},
        {"mem_mb", "mem_mb", whole_number, "a number; mem takes a size, such as 64GB"},
        {"runtime", "runtime", resource_minutes, "minutes, or a time with a unit, such as 4h"}};
    const char *equals = strchr(word, '=');
    int64_t n;
    if (!equals) {
        complain(s->diags, (struct span){0}, "--pool-resources needs NAME=VALUE, not '%s'", word);
        return NULL;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t len = strlen(numbers[i].name);
        if ((size_t)(equals - word) != len || strncmp(word, numbers[i].name, len) != 0)
            continue;
        if (numbers[i].read(equals + 1, &n))
            return arena_printf(&s->arena, "%s=%lld", numbers[i].as, (long long)n);
        complain(s->diags, (struct span){0}, "--pool-resources: %s needs %s, not '%s'",
                 numbers[i].name, numbers[i].what, equals + 1);
        return NULL;
    }
    return word;
}

static bool read_pool_resources(struct session *s, struct slurm_options *out)
{
    const char *const *given = option_words(&s->options, OPT_POOL_RESOURCES);
    size_t n = 0;
    while (given && given[n])
        n++;
    const char **list = arena_array(&s->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        if (!(list[i] = pool_word(s, given[i])))
            return false;
    out->pool_resources = n ? list : NULL;
    return true;
}

/* --executor pool */
static bool fill_pool(struct session *s, struct slurm_options *out)
{
    const struct options *o = &s->options;
    int size;
    if (!number_whole(&s->options, s->diags, OPT_POOL_SIZE, 1, &size) ||
        !number_whole(&s->options, s->diags, OPT_POOL_IDLE, 300, &out->pool_idle_s) ||
        !read_pool_resources(s, out))
        return false;
    out->pool_size = (uint32_t)size;
    out->pool_srun = srun_words(s);
    if (strcmp(option_word(o, OPT_EXECUTOR, ""), "pool") || out->pool_resources)
        return !diag_errors(s->diags);
    return complain(
        s->diags, (struct span){0},
        "--executor pool needs --pool-resources: what an allocation has, such as cpus_per_task=16 "
        "mem_mb=64000 runtime=240 slurm_account=NAME");
}

static bool read_partitions(struct session *s, struct slurm_options *out)
{
    const char *path = option_word(&s->options, OPT_SLURM_PARTITIONS,
                                   getenv("SNAKEMAKE_SLURM_PARTITIONS"));
    if (!path || !*path)
        return true;
    struct slurm_partitions *partitions = arena_new(&s->arena, struct slurm_partitions);
    bool good = partitions_read(&s->arena, s->diags, path_absolute(&s->arena, s->started_in, path),
                                partitions);
    out->partitions = partitions->n ? partitions : NULL;
    return good;
}

static bool fill_slurm(struct session *s, struct remote_options *out)
{
    const struct options *o = &s->options;
    struct slurm_options *slurm = arena_new(&s->arena, struct slurm_options);
    const char *logdir = option_word(o, OPT_SLURM_LOGDIR, NULL);
    int old_logs, limit;
    double poll_s;
    if (!number_whole(&s->options, s->diags, OPT_SLURM_OLD_LOGS, 10, &old_logs) ||
        !number_whole(&s->options, s->diags, OPT_SLURM_ARRAY_LIMIT, 0, &limit) ||
        !number_seconds(&s->options, s->diags, OPT_SECONDS_BETWEEN_CHECKS, 0, &poll_s))
        return false;
    *slurm = (struct slurm_options){
        .logdir = logdir ? path_absolute(&s->arena, s->started_in, logdir) : NULL,
        .qos = option_word(o, OPT_SLURM_QOS, NULL),
        .reservation = option_word(o, OPT_SLURM_RESERVATION, NULL),
        .exclude = option_word(o, OPT_SLURM_EXCLUDE, NULL),
        .no_account = o->given[OPT_SLURM_NO_ACCOUNT],
        .requeue = o->given[OPT_SLURM_REQUEUE],
        .keep_logs = o->given[OPT_SLURM_KEEP_LOGS],
        .old_logs_days = old_logs,
        .array_max = (uint32_t)limit,
        .poll_s = poll_s};
    read_arrays(s, slurm);
    if (!read_partitions(s, slurm) || !fill_pool(s, slurm))
        return false;
    out->slurm = slurm;
    return true;
}

bool site_fill(struct session *s, struct remote_options *out)
{
    const struct options *o = &s->options;
    double poll_s;
    int cancel_ids, local_cores, all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    *out = (struct remote_options){0};
    if (!number_whole(&s->options, s->diags, OPT_LOCAL_CORES, all, &local_cores) ||
        !number_seconds(&s->options, s->diags, OPT_SECONDS_BETWEEN_CHECKS, 10, &poll_s) ||
        !number_whole(&s->options, s->diags, OPT_GENERIC_CANCEL_IDS, 20, &cancel_ids) ||
        !read_jobscript(s, &out->site.jobscript))
        return false;
    out->submit = option_word(o, OPT_GENERIC_SUBMIT, NULL);
    out->precommand = option_word(o, OPT_PRECOMMAND, NULL);
    out->jobname = option_word(o, OPT_JOBNAME, "snakejob.{name}.{jobid}.sh");
    out->site.status = option_word(o, OPT_GENERIC_STATUS, NULL);
    out->site.cancel = option_word(o, OPT_GENERIC_CANCEL, NULL);
    out->site.cancel_ids = (uint32_t)cancel_ids;
    out->site.sidecar = option_word(o, OPT_GENERIC_SIDECAR, NULL);
    out->site.poll_s = poll_s;
    out->notemp = o->given[OPT_NOTEMP];
    out->cancel_orphans = o->given[OPT_CANCEL_ORPHANS];
    out->site.detached = o->given[OPT_IMMEDIATE_SUBMIT];
    out->groups = site_groups(o);
    out->local_cores = (int)local_cores;
    return !strcmp(option_word(o, OPT_EXECUTOR, ""), "cluster-generic") || fill_slurm(s, out);
}
