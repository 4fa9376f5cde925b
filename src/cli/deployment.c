// SPDX-License-Identifier: MIT
#include "cli/deployment.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/words.h"
#include "cli/background.h"
#include "run/deploy.h"

/* ---- options ---- */

static bool is_method(const char *word, const char *first, const char *second)
{
    return !strcmp(word, first) || !strcmp(word, second);
}

static bool has_method(const struct options *o, const char *first, const char *second)
{
    for (const char *const *w = option_words(o, OPT_SDM); w && *w; w++)
        if (is_method(*w, first, second))
            return true;
    return false;
}

/* A directory given by an option, the environment, or below .snakemake. */
static const char *directory(struct session *s, enum option_id id, const char *variable,
                             const char *usual)
{
    const char *given = option_word(&s->options, id, getenv(variable));
    const char *cwd = fs_cwd(&s->arena);
    return given && *given ? path_absolute(&s->arena, s->started_in, given)
                           : path_absolute(&s->arena, cwd, usual);
}

struct software_options deployment_options(struct session *s)
{
    const struct options *o = &s->options;
    bool envs = o->given[OPT_CONDA_CREATE_ENVS_ONLY] || o->given[OPT_LIST_CONDA_ENVS] ||
                o->given[OPT_CONDA_CLEANUP_ENVS] || o->given[OPT_ARCHIVE] ||
                o->given[OPT_CONTAINERIZE];
    return (struct software_options){
        .conda = o->given[OPT_USE_CONDA] || has_method(o, "conda", "conda") || envs,
        .container = o->given[OPT_USE_APPTAINER] || has_method(o, "apptainer", "singularity") ||
                     o->given[OPT_CLEANUP_IMAGES],
        .modules = o->given[OPT_USE_ENVMODULES] || has_method(o, "env-modules", "env_modules"),
        .conda_dir = directory(s, OPT_CONDA_PREFIX, "SNAKEMAKE_CONDA_PREFIX", ".snakemake/conda"),
        .image_dir = directory(s, OPT_APPTAINER_PREFIX, "APPTAINER_CACHEDIR",
                               ".snakemake/singularity"),
        .image_args = option_word(o, OPT_APPTAINER_ARGS, ""),
        .keep_search_paths = o->given[OPT_CONDA_NOT_BLOCK],
        .conda_cleanup = o->given[OPT_CONDA_CLEANUP_PKGS]
                             ? option_word(o, OPT_CONDA_CLEANUP_PKGS, "cache")
                             : NULL};
}

/* ---- the stacks of jobs ---- */

static void say(void *user, const char *text)
{
    log_text(user, LOG_INFO, text, strlen(text));
    log_flush(user);
    background_begun(); /* making it may take its time */
}

bool deployment_each(struct session *s, bool only,
                     bool (*visit)(struct session *s, const struct software *software, void *user),
                     void *user)
{
    struct graph *g = s->graph;
    struct arena scratch = {0};
    struct job_files inputs = {0};
    bool good = true, *seen = memory_zeroed(g->workflow->rules.len + 1, sizeof *seen);
    if (!s->deploy)
        s->deploy = deploy_new(s->workflow, say, &s->log);
    for (job_id j = 1; good && j < g->jobs.len; j++) {
        const struct job *job = &g->jobs.at[j];
        const struct rule *rule = job_rule(g, j);
        struct job_eval eval;
        struct software software;
        if (!job->needed || (only && !job->must_run) || seen[job->rule] ||
            rule->body == BODY_NONE || !software_is_asked_for(g->workflow, rule))
            continue;
        good = graph_job_eval(g, j, &scratch, &inputs, &eval) == EVAL_OK &&
               eval_software(&eval, &software);
        if (!good)
            eval_report(&eval);
        job_eval_free(&eval);
        seen[job->rule] = software_is_constant(rule);
        good = good && visit(s, &software, user);
        arena_reset(&scratch);
    }
    vec_free(&inputs);
    arena_free(&scratch);
    free(seen);
    return good;
}

static bool make_stack(struct session *s, const struct software *software, void *user)
{
    const bool *only_tell = user;
    struct buf why = {0};
    bool good = deploy_make(s->deploy, software, *only_tell, &why);
    if (!good)
        complain_kind(s->diags, "WorkflowError", (struct span){0}, "%s", buf_text(&why));
    buf_free(&why);
    return good;
}

bool deployment_make(struct session *s, bool all, bool only_tell)
{
    return deployment_each(s, !all, make_stack, &only_tell);
}

bool deployment_scripts(struct session *s, bool all)
{
    struct graph *g = s->graph;
    struct arena scratch = {0};
    bool good = true, *seen = memory_zeroed(g->workflow->rules.len + 1, sizeof *seen);
    for (job_id j = 1; good && j < g->jobs.len; j++) {
        const struct rule *rule = job_rule(g, j);
        bool counts = all ? g->jobs.at[j].needed : g->jobs.at[j].must_run;
        if (!counts || seen[rule->id] || !rule_script_constant(rule))
            continue;
        struct job_eval eval = job_eval_of(g, j, &scratch);
        seen[rule->id] = true;
        good = eval_find_script(&eval) || eval_report(&eval);
        job_eval_free(&eval);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    free(seen);
    return good;
}

void deployment_say_ignored(struct session *s)
{
    bool envs = false, images = false;
    for (rule_id r = 1; r < s->workflow->rules.len; r++) {
        const struct rule *rule = s->workflow->rules.at[r];
        envs |= rule->conda.v && rule->conda.v != VALUE_NONE;
        images |= rule->container.v && rule->container.v != VALUE_NONE;
    }
    if (envs && !s->workflow->options.software.conda)
        log_say(&s->log, LOG_INFO, "Conda environments: ignored");
    if (images && !s->workflow->options.software.container)
        log_say(&s->log, LOG_INFO, "Singularity containers: ignored");
}

/* ---- what only looks after them ---- */

/* user: struct words, the lines that have been printed, or paths that are needed. */
static const char *address_of(struct session *s, const struct software *software)
{
    const char *address = conda_address(s->workflow, software, &s->arena);
    if (!address)
        complain(s->diags, (struct span){0}, "cannot read the conda environment '%s'",
                 software->env);
    return address;
}

static bool list_env(struct session *s, const struct software *software, void *user)
{
    if (software->conda != CONDA_FILE)
        return true;
    const char *address = address_of(s, software);
    if (!address)
        return false;
    const char *line = arena_printf(&s->arena, "%s\t%s\t%s",
                                    conda_shown(s->workflow, software, &s->arena),
                                    software->image ? software->image : "",
                                    path_relative(&s->arena, address, s->workflow->workdir));
    if (words_add(user, line))
        puts(line);
    return true;
}

static bool remove_env(struct session *s, const struct software *software, void *user)
{
    if (software->conda != CONDA_FILE || (software->image && software->containerized))
        return true;
    const char *address = address_of(s, software);
    if (!address || !words_add(user, address))
        return address;
    const char *yaml = arena_printf(&s->arena, "%s.yaml", address);
    bool there = fs_exists(address) || fs_exists(yaml);
    if (!fs_remove_tree(address))
        return complain(s->diags, (struct span){0}, "Failed to remove conda env %s", address);
    unlink(yaml);
    unlink(conda_done_flag(&s->arena, address));
    if (there)
        log_say(&s->log, LOG_INFO, "Removed conda env %s", address);
    return true;
}

static bool keep_image(struct session *s, const struct software *software, void *user)
{
    if (software->image)
        words_add(user, container_path(s->workflow, software->image, &s->arena));
    return true;
}

static int remove_images(struct session *s)
{
    struct words kept = {0};
    const char *dir = s->workflow->options.software.image_dir;
    int64_t bytes = 0;
    int n = 0;
    bool good = deployment_each(s, false, keep_image, &kept);
    DIR *entries = good ? opendir(dir) : NULL;
    for (struct dirent *entry; entries && (entry = fs_entry(entries));) {
        const char *path = path_join(&s->arena, dir, entry->d_name);
        struct stat st;
        if (strcmp(path_extension(path), ".simg") || !words_add(&kept, path) || stat(path, &st) ||
            unlink(path))
            continue;
        bytes += st.st_size;
        n++;
    }
    if (entries)
        closedir(entries);
    if (good && n)
        log_say(&s->log, LOG_INFO, "Cleaned up %d containers, saving %.1f MB", n,
                (double)bytes / 1e6);
    else if (good)
        log_say(&s->log, LOG_INFO, "No containers require cleaning up");
    words_free(&kept);
    return good ? EXIT_OK : EXIT_BAD;
}

int deployment_verbs(struct session *s)
{
    const struct options *o = &s->options;
    struct words listing = {0};
    bool good = true;
    if (o->given[OPT_LIST_CONDA_ENVS]) {
        puts("environment\tcontainer\tlocation");
        good = deployment_each(s, false, list_env, &listing);
    } else if (o->given[OPT_CONDA_CLEANUP_ENVS]) {
        good = deployment_each(s, false, remove_env, &listing);
    } else if (o->given[OPT_CONDA_CREATE_ENVS_ONLY]) {
        bool dry = o->given[OPT_DRY_RUN];
        good = deployment_make(s, true, dry) && (dry || deployment_scripts(s, true));
    } else if (o->given[OPT_CLEANUP_IMAGES]) {
        return remove_images(s);
    } else {
        return -1;
    }
    words_free(&listing);
    return good ? EXIT_OK : EXIT_BAD;
}
