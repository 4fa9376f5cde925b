// SPDX-License-Identifier: MIT
#include "cli/setup.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/words.h"
#include "cli/capacity.h"
#include "cli/choices.h"
#include "cli/deployment.h"
#include "cli/numbers.h"
#include "cli/profile.h"
#include "cli/refine.h"
#include "cli/site.h"
#include "cli/targets.h"
#include "exec/exec.h"
#include "flow/origin.h"
#include "flow/storage.h"
#include "graph/checkpoint.h"
#include "report/jobtext.h"
#include "run/deploy.h"
#include "run/handover.h"
#include "run/litter.h"

static bool nowhere(struct session *s, const char *format, const char *word)
{
    return complain(s->diags, (struct span){0}, format, word);
}

static bool read_cores(struct session *s)
{
    bool by_jobs = !s->options.given[OPT_CORES];
    enum option_id id = by_jobs ? OPT_JOBS : OPT_CORES;
    const char *word = option_word(&s->options, id, NULL);
    s->cores = 0;
    if (!word || (by_jobs && site_is_used(&s->options)))
        return true;
    if (number_is_all(word)) {
        bool any = by_jobs && !strcmp(word, "unlimited"); /* not those of this machine, as there */
        s->cores = any ? INT_MAX : (int)sysconf(_SC_NPROCESSORS_ONLN);
        return true;
    }
    return number_whole(&s->options, s->diags, id, 0, &s->cores);
}

/* Before anything else, so that a dry run says it too. */
static bool check_executor(struct session *s)
{
    const char *name = option_word(&s->options, OPT_EXECUTOR, "local");
    if (!strcmp(name, "dryrun") || !strcmp(name, "touch") || executor_kind(name))
        return true;
    complain(s->diags, (struct span){0}, "there is no executor '%s'; known: %s, dryrun, touch",
             name, executor_names());
    const char *near = executor_nearest(name);
    diag_meant(s->diags, near);
    return false;
}

/* Options whose words are all assignments. */
static const struct {
    enum option_id id;
    const char *form;
} assignments[] = {
    {OPT_CONFIG, "KEY=VALUE"},
    {OPT_SET_THREADS, "RULE=N"},
    {OPT_SET_RESOURCES, "RULE:NAME=V"},
    {OPT_RESOURCES, "NAME=N"},
    {OPT_DEFAULT_RESOURCES, "NAME=V"},
    {OPT_SET_SCATTER, "NAME=N"},
    {OPT_SET_RESOURCE_SCOPES, "NAME=local or NAME=global"},
    {OPT_GROUPS, "RULE=GROUP"},
    {OPT_GROUP_COMPONENTS, "GROUP=N"},
    {OPT_CONSIDER_ANCIENT, "RULE=ITEM[,ITEM...]"},
};

static bool is_count(const char *text)
{
    char *end;
    return strtol(text, &end, 10) > 0 && !*end;
}

static bool check_assignments(struct session *s, enum option_id id, const char *form)
{
    char name[64];
    for (const char *const *w = option_words(&s->options, id); w && *w; w++) {
        const char *equals = strchr(*w, '=');
        if (equals && (id != OPT_GROUP_COMPONENTS || is_count(equals + 1)))
            continue;
        complain(s->diags, (struct span){0}, "%s needs %s, not '%s'", option_name(id, name), form,
                 *w);
        if (equals)
            return false;
        option_hint_target(s->diags, id, *w, "...");
        return false;
    }
    return true;
}

/* False, as what was said before. */
static bool hint_file(struct session *s, const char *path)
{
    const char *near = nearest_file(&s->arena, path);
    diag_meant(s->diags, near);
    return false;
}

/* A list option has swallowed a target: words without '=' or files that do not exist. */
static bool check_swallowed(struct session *s)
{
    for (const char *const *w = option_words(&s->options, OPT_CONFIGFILE); w && *w; w++)
        if (!fs_exists(*w)) {
            nowhere(s, "config file '%s' does not exist", *w);
            if (w == s->options.words[OPT_CONFIGFILE].at)
                hint_file(s, *w);
            else
                option_hint_target(s->diags, OPT_CONFIGFILE, *w,
                                   s->options.words[OPT_CONFIGFILE].at[0]);
            return false;
        }
    for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++)
        if (!check_assignments(s, assignments[i].id, assignments[i].form))
            return false;
    return true;
}

/* Variables that --envvars hands on to jobs must be there. */
static bool check_envvars(struct session *s)
{
    for (const char *const *w = option_words(&s->options, OPT_ENVVARS); w && *w; w++)
        if (!getenv(*w)) {
            nowhere(s, "the environment variable %s, which --envvars is to pass on, is not set",
                    *w);
            option_hint_target(s->diags, OPT_ENVVARS, *w, "...");
            return false;
        }
    return true;
}

bool setup_open(struct session *s, const char *self, bool again, int argc, const char *const *argv)
{
    *s = (struct session){
        .self = self, .names = intern_new(), .sources = sources_new(), .exit_status = -1};
    s->diags = diags_new(s->sources);
    s->started_in = fs_cwd(&s->arena);
    bool good = options_parse(&s->options, s->diags, argc, argv),
         logger_asked = s->options.given[OPT_LOGGER];
    if (s->options.given[OPT_HELP] || s->options.given[OPT_VERSION])
        return good; /* nothing is run: profiles do not matter */
    if (!good || !profiles_apply(s, !again))
        return false;
    if (!logger_asked)
        choices_drop_logger(&s->options, s->diags);
    return numbers_check(&s->options, s->diags) && read_cores(s) &&
           number_whole(&s->options, s->diags, OPT_MAX_THREADS, 0, &s->max_threads) &&
           choices_check(&s->options, s->diags) && check_executor(s);
}

/* Only what is empty goes. */
static void remove_made(const struct session *s)
{
    struct arena in = {0};
    const char *dir = s->made;
    while (dir && !chdir(s->started_in) && strcmp(dir, s->made_in) && !rmdir(dir))
        dir = path_dirname(&in, dir);
    arena_free(&in);
}

void setup_close(struct session *s)
{
    if (s->workflow)
        vm_call_exits(s->workflow->vm); /* which may still ask what is freed here */
    bool left = s->state && handover_open_submissions(s->state, "");
    deploy_free(s->deploy);
    graph_free(s->graph);
    state_close(s->state);
    capacity_free(s->capacity);
    if (s->workflow && !left)
        litter_end(s->workflow->workdir);
    workflow_free(s->workflow);
    if (s->log.out)
        log_close(&s->log);
    options_free(&s->options);
    diags_free(s->diags);
    sources_free(s->sources);
    intern_free(s->names);
    remove_made(s);
    arena_free(&s->arena);
}

/* ---- the workflow ---- */

/* A directory that is only there until setup_close. */
static void note_made(struct session *s, const char *dir)
{
    warn(s->diags, (struct span){0}, "the directory '%s' does not exist; a run would make it", dir);
    s->made = s->made_in = path_absolute(&s->arena, s->started_in, dir);
    while (!fs_exists(s->made_in))
        s->made_in = path_dirname(&s->arena, s->made_in);
}

static bool enter_directory(struct session *s, bool readonly)
{
    const char *dir = option_word(&s->options, OPT_DIRECTORY, NULL);
    if (dir && readonly && !fs_exists(dir))
        note_made(s, dir);
    if (!dir || (fs_mkdirs(dir) && !chdir(dir)))
        return true;
    return complain(s->diags, (struct span){0}, "cannot use the directory '%s': %s", dir,
                    strerror(errno));
}

static const char *const *absolute_words(struct session *s, const char *const *words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    if (!words)
        return NULL;
    const char **out = arena_array(&s->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = path_absolute(&s->arena, s->started_in, words[i]);
    return out;
}

/* Jobs that are submitted have memory and disk by default, as the option gives them without
 * words. */
static const char *const *default_resources(const struct options *o)
{
    static const char *const all[] = {NULL};
    const char *const *words = option_words(o, OPT_DEFAULT_RESOURCES);
    return words || !site_is_used(o) ? words : all;
}

static const char *storage_provider(const struct options *o)
{
    const char *provider = option_word(o, OPT_STORAGE_PROVIDER, "none");
    return strcmp(provider, "none") ? provider : NULL;
}

/* NULL: python3 */
static const char *python_program(const struct options *o)
{
    const char *program = option_word(o, OPT_PYTHON, getenv("KINTSUGI_PYTHON"));
    return program && *program ? program : NULL;
}

static void fill_http_settings(struct session *s)
{
    static const uint16_t options[HTTP_SETTINGS] = {[HTTP_AUTH] = OPT_STORAGE_HTTP_AUTH,
                                                    [HTTP_RATE] = OPT_STORAGE_HTTP_RATE,
                                                    [HTTP_REDIRECTS] = OPT_STORAGE_HTTP_REDIRECTS,
                                                    [HTTP_HEAD] = OPT_STORAGE_HTTP_HEAD};
    const char *auth = getenv("SNAKEMAKE_STORAGE_HTTP_AUTH");
    for (int i = 0; i < HTTP_SETTINGS; i++)
        s->workflow_options.storage_http[i] = option_words(&s->options, options[i]);
    if (auth && *auth && !s->workflow_options.storage_http[HTTP_AUTH]) {
        const char **words = arena_array(&s->arena, const char *, 2);
        words[0] = auth;
        s->workflow_options.storage_http[HTTP_AUTH] = words;
    }
}

static const struct storage_option *storage_options(struct session *s)
{
    uint32_t n = s->options.plugin.len;
    struct storage_option *out = arena_array(&s->arena, struct storage_option, n + 1);
    for (uint32_t i = 0; i < n; i++)
        out[i] = (struct storage_option){s->options.plugin.at[i].name,
                                         s->options.plugin.at[i].words.at};
    return out;
}

/* Where nothing is run, a workflow need not know. */
static int shown_cores(const struct session *s)
{
    const bool *given = s->options.given;
    bool idle = given[OPT_DRY_RUN] || given[OPT_TOUCH] || given[OPT_LIST_RULES] ||
                given[OPT_LIST_TARGETS];
    return s->cores || !idle ? s->cores : 1;
}

static void fill_workflow_options(struct session *s)
{
    const struct options *o = &s->options;
    s->workflow_options = (struct workflow_options){
        .snakefile = s->snakefile,
        .configfiles = absolute_words(s, option_words(o, OPT_CONFIGFILE)),
        .config = option_words(o, OPT_CONFIG),
        .replace_config = o->given[OPT_REPLACE_CONFIG],
        .directory = option_word(o, OPT_DIRECTORY, NULL),
        .cores = s->cores,
        .shown_cores = shown_cores(s),
        .set_threads = option_words(o, OPT_SET_THREADS),
        .set_resources = option_words(o, OPT_SET_RESOURCES),
        .default_resources = default_resources(o),
        .set_scatter = option_words(o, OPT_SET_SCATTER),
        .resources = option_words(o, OPT_RESOURCES),
        .set_resource_scopes = option_words(o, OPT_SET_RESOURCE_SCOPES),
        .max_threads = o->given[OPT_MAX_THREADS] ? &s->max_threads : NULL,
        .exit_status = &s->exit_status,
        .default_storage_provider = storage_provider(o),
        .default_storage_prefix = option_word(o, OPT_STORAGE_PREFIX, NULL),
        .local_storage_prefix = option_word(o, OPT_LOCAL_STORAGE_PREFIX, NULL),
        .keep_storage = o->given[OPT_KEEP_STORAGE],
        .not_retrieve_storage = o->given[OPT_NOT_RETRIEVE],
        .storage_options = storage_options(s),
        .of_a_job = s->of_a_job,
        .verbose = o->given[OPT_VERBOSE],
        .wrapper_prefix = option_word(o, OPT_WRAPPER_PREFIX, NULL),
        .python = python_program(o),
        .software = deployment_options(s),
        .argv = o->argv,
    };
    fill_http_settings(s);
}

/* A mistake in the name of a provider is seen by nobody else. */
static void warn_of_options(struct session *s)
{
    for (uint32_t i = 0; i < s->options.plugin.len; i++) {
        const struct plugin_option *option = &s->options.plugin.at[i];
        if (option->called && !storage_has_option(s->workflow, option->name))
            warn(s->diags, (struct span){0},
                 "--%s has no effect: there is no such storage provider in this workflow",
                 option->name);
    }
}

bool setup_load(struct session *s, bool readonly)
{
    if (!check_swallowed(s) || !check_envvars(s))
        return false;
    s->snakefile = session_snakefile(s);
    if (!s->snakefile) {
        nowhere(s, "no Snakefile found, tried %s",
                "Snakefile, snakefile, workflow/Snakefile, workflow/snakefile");
        diag_hint(s->diags, "name it with -s FILE");
        return false;
    }
    if (!origin_is_remote(s->snakefile) && !fs_exists(s->snakefile))
        return nowhere(s, "Snakefile '%s' not found", s->snakefile) || hint_file(s, s->snakefile);
    if (!enter_directory(s, readonly))
        return false;
    fill_workflow_options(s);
    s->workflow = workflow_load(s->names, s->diags, &s->workflow_options);
    if (!s->workflow)
        return false;
    s->workflow->options.software = deployment_options(s); /* workdir: may have moved .snakemake */
    warn_of_options(s);
    return refine_rules(s);
}

/* ---- the graph ---- */

static unsigned triggers_of(const struct session *s)
{
    static const struct {
        const char *name;
        unsigned trigger;
    } known[] = {{"mtime", TRIGGER_MTIME},
                 {"params", TRIGGER_PARAMS},
                 {"input", TRIGGER_INPUT},
                 {"software-env", TRIGGER_SOFTWARE},
                 {"code", TRIGGER_CODE}};
    const char *const *words = option_words(&s->options, OPT_RERUN_TRIGGERS);
    unsigned triggers = words ? 0 : TRIGGER_ALL;
    for (; words && *words; words++)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (!strcmp(*words, known[i].name))
                triggers |= known[i].trigger;
    return triggers;
}

static bool fill_fresh_options(struct session *s)
{
    const struct options *o = &s->options;
    if (!number_bytes(o, s->diags, OPT_MAX_CHECKSUM_FILE_SIZE, 1000000,
                      &s->fresh.max_checksum_size))
        return false;
    s->fresh.triggers = triggers_of(s);
    s->fresh.force_targets = o->given[OPT_FORCE];
    s->fresh.force_all = o->given[OPT_FORCEALL];
    s->fresh.rerun_incomplete = !o->given[OPT_IGNORE_INCOMPLETE];
    s->fresh.state = s->state;
    return true;
}

static bool build_once(struct session *s)
{
    if (!checkpoint_build(s->graph, &s->fresh, &s->cut))
        return false;
    targets_prefer(s);
    return true;
}

/* Input functions that ask for the id of their job's group are called again when it is known. */
static bool tell_groups(struct session *s, bool *again)
{
    struct group_options options = site_groups(&s->options);
    struct groups groups;
    *again = false;
    if (!s->graph->awaiting_group.len)
        return true;
    bool good = groups_start(&groups, s->graph, &options);
    *again = good && groups_reopen(&groups);
    groups_end(&groups);
    return good;
}

/* --persistence-backend db: Snakemake's database is kept too. */
static bool open_mirror(struct session *s)
{
    const char *kind = option_word(&s->options, OPT_PERSISTENCE_BACKEND, "file");
    return strcmp(kind, "db") ||
           state_mirror(s->state, option_word(&s->options, OPT_PERSISTENCE_URL, NULL));
}

/* Snakemake names files of a storage as the storage does. */
static const char *name_output(void *user, struct arena *in, const char *path)
{
    struct session *s = user;
    return storage_shown(s->workflow, in, path);
}

bool setup_state(struct session *s, bool readonly)
{
    s->state = state_open(".", s->names, s->diags, readonly);
    if (!s->state)
        return false;
    state_name_outputs(s->state, name_output, s);
    return open_mirror(s);
}

static void show_choice(void *user, const struct graph *g, job_id job, const char *what)
{
    struct session *s = user;
    struct buf wildcards = {0};
    job_wildcards_text(g, job, &wildcards);
    log_say(&s->log, LOG_PLAIN, "%s job %s\n    wildcards: %s", what,
            sym_text(g->names, job_rule(g, job)->name), buf_text(&wildcards));
    buf_free(&wildcards);
}

bool setup_build(struct session *s, bool readonly)
{
    const char *const *strict = option_words(&s->options, OPT_STRICT_DAG);
    struct graph_options options = {.allow_ambiguity = s->options.given[OPT_ALLOW_AMBIGUITY],
                                    .strict_functions = word_in(strict, "functions"),
                                    .strict_cycles = word_in(strict, "cyclic-graph"),
                                    .strict_periodic = word_in(strict, "periodic-wildcards")};
    options.remote = site_is_used(&s->options);
    options.watch = s->options.given[OPT_DEBUG_DAG] ? show_choice : NULL;
    options.watch_user = s;
    options.allowed = targets_rules(s, OPT_ALLOWED_RULES);
    if (!refine_batch(s, &options))
        return false;
    if (!setup_state(s, readonly) || !fill_fresh_options(s))
        return false;
    s->graph = graph_new(s->workflow, &options);
    checkpoint_watch(s->graph);
    bool good = targets_want(s), again;
    targets_options(s);
    do
        good = good && build_once(s) && tell_groups(s, &again);
    while (good && again);
    if (good)
        targets_warn(s);
    return good && !state_failed(s->state); /* or what is up to date would be a guess */
}
