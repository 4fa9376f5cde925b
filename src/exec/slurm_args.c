// SPDX-License-Identifier: MIT
#include "exec/slurm_args.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/gres.h"
#include "exec/slurm_partition.h"

/* ---- looking up ---- */

static const struct launch_resource *find(const struct launch *launch, const char *name)
{
    for (uint32_t i = 0; i < launch->nresource; i++)
        if (!strcmp(launch->resource[i].name, name))
            return &launch->resource[i];
    return NULL;
}

const char *launch_text(const struct launch *launch, const char *name)
{
    const struct launch_resource *resource = find(launch, name);
    return resource ? resource->text : NULL;
}

int64_t launch_number(const struct launch *launch, const char *name, int64_t otherwise)
{
    const char *text = launch_text(launch, name);
    char *end;
    long long n = text ? strtoll(text, &end, 10) : 0;
    return text && end != text && !*end ? n : otherwise;
}

/* ---- words ---- */

/* One word at *at, its quotes taken off; NULL: a quote is open. */
static const char *next_word(struct arena *in, const char **at)
{
    struct buf word = {0};
    char quote = 0;
    const char *p = *at;
    for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
        if (quote && *p == quote)
            quote = 0;
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            buf_char(&word, *++p);
        else
            buf_char(&word, *p);
    }
    *at = p;
    const char *text = quote ? NULL : arena_copy(in, buf_text(&word), word.len);
    buf_free(&word);
    return text;
}

bool slurm_split(struct arena *in, const char *text, slurm_words *out)
{
    for (;;) {
        text += strspn(text, " \t\r\n\v\f");
        if (!*text)
            return true;
        const char *word = next_word(in, &text);
        if (!word)
            return false;
        vec_push(out, word);
    }
}

/* Whether a word is that option; *value: what stands behind '=' in it (or behind the letter), or
 * NULL. */
static bool is_option(const char *word, const char *name, char letter, const char **value)
{
    size_t n = strlen(name);
    *value = NULL;
    if (letter && word[0] == '-' && word[1] == letter) {
        *value = word[2] == '=' ? word + 3 : word[2] ? word + 2 : NULL;
        return true;
    }
    if (strncmp(word, "--", 2) || strncmp(word + 2, name, n) || (word[2 + n] && word[2 + n] != '='))
        return false;
    *value = word[2 + n] ? word + n + 3 : NULL;
    return true;
}

const char *slurm_find_arg(const char *const *words, uint32_t n, const char *name, char letter)
{
    const char *found = NULL, *value;
    for (uint32_t i = 0; i < n; i++)
        if (is_option(words[i], name, letter, &value))
            found = value ? value : i + 1 < n ? words[i + 1] : "";
    return found;
}

/* The length of an #SBATCH line's options: what follows a '#' outside quotes is a remark. */
static size_t before_remark(const char *text)
{
    char quote = 0;
    const char *p = text;
    for (; *p && (quote || *p != '#'); p++) {
        if (quote && *p == quote)
            quote = 0;
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            p++;
    }
    return (size_t)(p - text);
}

const char *slurm_script_args(struct arena *in, const char *script, slurm_words *out)
{
    for (int line = 1; *script; line++) {
        size_t n = strcspn(script, "\n");
        bool comment = script[0] == '#' || script[strspn(script, " \t\r")] == '\n' || !n;
        if (!comment)
            return NULL; /* Slurm reads no further than the first command */
        if (!strncmp(script, "#SBATCH", 7) && (script[7] == ' ' || script[7] == '\t')) {
            const char *text = arena_copy(in, script + 8, n - 8);
            text = arena_copy(in, text, before_remark(text));
            uint32_t first = out->len;
            if (!slurm_split(in, text, out))
                return arena_printf(in, "line %d of the script: a quote is open in '%s'", line,
                                    text);
            if (out->len > first && !strcmp(out->at[first], "hetjob"))
                return arena_printf(in,
                                    "line %d of the script begins another part of a "
                                    "heterogeneous job: those are not supported",
                                    line);
        }
        script += n + (script[n] == '\n');
    }
    return NULL;
}

/* ---- resources ---- */

/* Options that the engine sets itself: through slurm_extra they would be given twice. */
static const struct {
    const char *name;
    char letter;
    const char *resource; /* that is meant for it, or NULL */
} reserved[] = {
    {"job-name", 'J', NULL},
    {"output", 'o', NULL},
    {"error", 'e', NULL},
    {"chdir", 'D', NULL},
    {"parsable", 0, NULL},
    {"wait", 'W', NULL},
    {"array", 'a', NULL},
    {"wrap", 0, NULL},
    {"export", 0, NULL},
    {"comment", 0, NULL},
    {"open-mode", 0, NULL},
    {"account", 'A', "slurm_account"},
    {"partition", 'p', "slurm_partition"},
    {"time", 't', "runtime"},
    {"constraint", 'C', "constraint"},
    {"qos", 'q', "qos"},
    {"nodes", 'N', "nodes"},
    {"ntasks", 'n', "tasks"},
    {"ntasks-per-gpu", 0, "tasks_per_gpu"},
    {"ntasks-per-node", 0, "tasks_per_node"},
    {"cpus-per-task", 'c', "cpus_per_task or threads"},
    {"cpus-per-gpu", 0, "cpus_per_gpu"},
    {"mem", 0, "mem_mb"},
    {"mem-per-cpu", 0, "mem_mb_per_cpu"},
    {"gres", 0, "gres"},
    {"gpus", 'G', "gpu"},
    {"clusters", 'M', "clusters"},
};

static const char *check_extra(struct arena *in, const slurm_words *words, uint32_t from)
{
    const char *value;
    for (uint32_t i = from; i < words->len; i++)
        for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
            if (is_option(words->at[i], reserved[k].name, reserved[k].letter, &value))
                return arena_printf(in, "slurm_extra must not hold --%s%s%s", reserved[k].name,
                                    reserved[k].resource ? ": give it as the resource "
                                                         : ", which the engine sets itself",
                                    reserved[k].resource ? reserved[k].resource : "");
    return NULL;
}

struct builder {
    struct arena *in;
    const struct launch *launch;
    slurm_words *out;
    uint32_t own;    /* so many words of out are the script's own */
    const char *why; /* first fault, or NULL */
};

static void add(struct builder *b, const char *option, const char *value)
{
    vec_push(b->out, arena_printf(b->in, "--%s=%s", option, value));
}

/* Whether a resource counts: it is given, and not merely by default where the script says it
 * itself. */
static const char *wanted(struct builder *b, const char *resource, const char *option, char letter)
{
    const struct launch_resource *r = find(b->launch, resource);
    if (!r || (r->is_default && slurm_find_arg(b->out->at, b->own, option, letter)))
        return NULL;
    return r->text;
}

static void add_text(struct builder *b, const char *resource, const char *option, char letter)
{
    const char *text = wanted(b, resource, option, letter);
    if (text && *text)
        add(b, option, text);
}

/* A number of at least least; 0 asks for nothing. */
static void add_count(struct builder *b, const char *resource, const char *option, char letter,
                      int64_t least)
{
    const char *text = wanted(b, resource, option, letter);
    int64_t n = launch_number(b->launch, resource, INT64_MIN);
    if (!text || !n || b->why)
        return;
    if (n < least)
        b->why = arena_printf(b->in, "resource %s must be a number of at least %lld, not '%s'",
                              resource, (long long)least, text);
    else
        add(b, option, text);
}

static void add_memory(struct builder *b)
{
    bool per_cpu = launch_number(b->launch, "mem_mb_per_cpu", 1) &&
                   launch_text(b->launch, "mem_mb_per_cpu");
    const char *name = per_cpu ? "mem_mb_per_cpu" : "mem_mb",
               *option = per_cpu ? "mem-per-cpu" : "mem", *text = wanted(b, name, option, 0);
    bool own = slurm_find_arg(b->out->at, b->own, "mem-per-cpu", 0) ||
               slurm_find_arg(b->out->at, b->own, "mem-per-gpu", 0);
    int64_t mb = launch_number(b->launch, name, -1);
    if (!text || (own && find(b->launch, name)->is_default) || !mb)
        return;
    if (mb < 0 && !b->why)
        b->why = arena_printf(b->in, "resource %s must be a number of MB, not '%s'", name, text);
    add(b, option, arena_printf(b->in, "%sM", text));
}

/* "name", "name:type", "name:type:2", "name:2": one kind. */
static bool is_one_gres(const char *text, size_t len)
{
    int colons = 0;
    for (size_t i = 0; i < len; i++) {
        colons += text[i] == ':';
        if (!isalnum((unsigned char)text[i]) && !strchr(":_-./", text[i]))
            return false;
    }
    return len && *text != ':' && text[len - 1] != ':' && colons <= 2;
}

/* Several of them: "lscratch:100,gpu:a100:2". */
static bool is_gres(const char *text)
{
    size_t len = strcspn(text, ",");
    bool good = is_one_gres(text, len);
    while (good && text[len]) {
        text += len + 1;
        len = strcspn(text, ",");
        good = is_one_gres(text, len);
    }
    return good;
}

/* "2", "a100:2": what gpu and gpu_model ask for; NULL: nothing. */
static const char *asked_gpus(struct arena *in, const struct launch *launch)
{
    const char *model = launch_text(launch, "gpu_model"), *gpu = launch_text(launch, "gpu");
    if (gpu && !strcmp(gpu, "0"))
        return NULL;
    return model && *model ? arena_printf(in, "%s:%s", model, gpu ? gpu : "1") : gpu;
}

const char *launch_gres(struct arena *in, const struct launch *launch)
{
    const char *gres = launch_text(launch, "gres"), *gpus = asked_gpus(in, launch);
    bool any = gres && *gres;
    if (!gpus || (any && gres_gpus(gres, strlen(gres))))
        return any ? gres : NULL;
    return arena_printf(in, "%s%sgpu:%s", any ? gres : "", any ? "," : "", gpus);
}

/* Adds what says how many GPUs; whether there are any. */
static bool add_gpus(struct builder *b)
{
    const char *gres = wanted(b, "gres", "gres", 0), *gpus = asked_gpus(b->in, b->launch);
    bool in_gres = false;
    if (gres && *gres) {
        if (!is_gres(gres))
            b->why = arena_printf(
                b->in, "resource gres must look like gpu:1, gpu:a100:2 or gpu:1,tmp:9, not '%s'",
                gres);
        add(b, "gres", gres);
        in_gres = gres_gpus(gres, strlen(gres)) > 0;
    }
    if (gpus && !in_gres)
        add(b, "gpus", gpus);
    return in_gres || gpus;
}

static void add_tasks(struct builder *b, bool gpus)
{
    bool mpi = launch_text(b->launch, "mpi") != NULL;
    bool all = launch_text(b->launch, "tasks") && launch_number(b->launch, "tasks", 1),
         per_node = launch_text(b->launch, "tasks_per_node") &&
                    launch_number(b->launch, "tasks_per_node", 1);
    if (mpi && all == per_node && !b->why)
        b->why = "an MPI job needs either the resource tasks or tasks_per_node";
    add_count(b, "nodes", "nodes", 'N', 1);
    if (gpus && launch_number(b->launch, "tasks_per_gpu", 1) > 0)
        add_count(b, launch_text(b->launch, "tasks_per_gpu") || mpi ? "tasks_per_gpu" : "tasks",
                  "ntasks-per-gpu", 0, 1);
    if (!gpus || mpi)
        add_count(b, "tasks", "ntasks", 'n', 1);
    add_count(b, "tasks_per_node", "ntasks-per-node", 0, 1);
}

/* A number below 0 says that nothing is to be asked for: the site decides. */
static void add_cpus(struct builder *b, bool gpus)
{
    int64_t per_task = launch_number(b->launch, "cpus_per_task", 1),
            per_gpu = launch_number(b->launch, "cpus_per_gpu", 1);
    if (launch_text(b->launch, "cpus_per_task") && per_task) {
        if (per_task > 0)
            add_count(b, "cpus_per_task", "cpus-per-task", 'c', 1);
    } else if (gpus && launch_text(b->launch, "cpus_per_gpu")) {
        if (per_gpu > 0)
            add_count(b, "cpus_per_gpu", "cpus-per-gpu", 0, 1);
    } else if (b->launch->cores > 1 || !slurm_find_arg(b->out->at, b->own, "cpus-per-task", 'c'))
        add(b, "cpus-per-task",
            arena_printf(b->in, "%d", b->launch->cores > 0 ? b->launch->cores : 1));
}

/* The one that it names, else the one that suits it best; a script of its own has said what it
 * wants. */
static void add_partition(struct builder *b, const struct slurm_options *options)
{
    const char *named = wanted(b, "slurm_partition", "partition", 'p');
    const struct slurm_partition *best = NULL;
    if (options->partitions && !b->own && !(named && *named))
        best = slurm_partition_for(options->partitions, b->launch);
    if (best)
        add(b, "partition", best->name);
    else if (named && *named)
        add(b, "partition", named);
}

static void add_site(struct builder *b, const struct slurm_options *options)
{
    const char *account = wanted(b, "slurm_account", "account", 'A');
    size_t first = account ? strcspn(account, ", ") : 0; /* of several, the first */
    if (first && !options->no_account)
        add(b, "account", arena_copy(b->in, account, first));
    add_partition(b, options);
    for (int i = SLURM_CLUSTER_NAMES; i-- > 0;) /* sbatch takes the last one */
        add_text(b, slurm_cluster_names[i], "clusters", 'M');
    add_text(b, "constraint", "constraint", 'C');
    if (options->qos)
        add(b, "qos", options->qos);
    else
        add_text(b, "qos", "qos", 'q');
    if (options->reservation)
        add(b, "reservation", options->reservation);
    add_text(b, "slurm_reservation", "reservation", 0);
}

/* Own lines that the engine must decide: where the log goes is asked separately. */
static void add_own(struct builder *b)
{
    static const char *const ours[] = {"job-name", "output", "error", "chdir",
                                       "parsable", "wait",   "array", "wrap"};
    static const char letters[] = "JoeD\1Wa\1";
    const char *value;
    for (uint32_t i = 0; i < b->launch->nsbatch; i++) {
        const char *word = b->launch->sbatch[i];
        bool drop = false;
        for (size_t k = 0; k < sizeof ours / sizeof *ours && !drop; k++) {
            drop = is_option(word, ours[k], letters[k], &value);
            if (drop && !value && strcmp(ours[k], "parsable") && strcmp(ours[k], "wait"))
                i++; /* its value is the next word */
        }
        if (!drop)
            vec_push(b->out, word);
    }
    b->own = b->out->len;
}

const char *slurm_args(struct arena *in, const struct launch *launch,
                       const struct slurm_options *options, slurm_words *out)
{
    struct builder b = {.in = in, .launch = launch, .out = out};
    const char *extra = launch_text(launch, "slurm_extra");
    if (slurm_find_arg(launch->sbatch, launch->nsbatch, "array", 'a'))
        return "its script asks for a job array with #SBATCH --array: give the rule a wildcard "
               "instead";
    add_own(&b);
    add_site(&b, options);
    if (wanted(&b, "runtime", "time", 't'))
        add_count(&b, "runtime", "time", 't', 1);
    add_memory(&b);
    bool gpus = add_gpus(&b);
    add_tasks(&b, gpus);
    add_cpus(&b, gpus);
    bool requeue = options->requeue || launch_number(launch, "slurm_requeue", 0) > 0;
    bool own_requeue = slurm_find_arg(out->at, b.own, "requeue", 0) != NULL;
    if (!own_requeue || requeue)
        vec_push(out, requeue ? "--requeue" : "--no-requeue");
    uint32_t before = out->len;
    if (extra && !slurm_split(in, extra, out) && !b.why)
        b.why = arena_printf(in, "a quote is open in slurm_extra: %s", extra);
    return b.why ? b.why : check_extra(in, out, before);
}
