// SPDX-License-Identifier: MIT
#include "cli/packing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/http.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/tool.h"
#include "cli/deployment.h"
#include "flow/origin.h"
#include "run/deploy.h"

/* ---- --archive ---- */

/* What goes into the archive, each once. */
struct packing {
    struct session *s;
    VEC(const char *) paths; /* relative to the working directory */
    struct map seen;
    bool failed;
};

/* False: it lies elsewhere, after a warning. */
static bool add(struct packing *p, const char *path)
{
    struct session *s = p->s;
    const char *cwd = s->workflow->workdir;
    const char *relative = path_relative(&s->arena, path_absolute(&s->arena, cwd, path), cwd);
    uint32_t *seen = map_at(&p->seen, intern_str(s->names, relative));
    bool outside = path_leads_out(relative);
    if ((*seen)++ || !fs_exists(relative))
        return !outside;
    if (outside) {
        warn(s->diags, (struct span){0},
             "'%s' cannot be archived: it is not within the working directory", path);
        return false;
    }
    vec_push(&p->paths, relative);
    log_say(&s->log, LOG_INFO, "archived %s", relative);
    return true;
}

struct folder {
    struct packing *packing;
    const char *dir;
};

static bool add_below(void *user, const char *path, bool is_dir)
{
    struct folder *folder = user;
    if (is_dir)
        return strcmp(path_basename(path), ".snakemake") && strcmp(path_basename(path), ".git");
    add(folder->packing, path_join(&folder->packing->s->arena, folder->dir, path));
    return true;
}

/* All below a directory. */
static void add_tree(struct packing *p, const char *dir)
{
    struct folder folder = {p, dir};
    struct fs_unread unread;
    fs_walk(dir, false, add_below, &folder, &unread);
    if (unread.n)
        p->failed = !complain(p->s->diags, (struct span){0}, "the archive would lack files: %s",
                              fs_unread_text(&unread, dir, &p->s->arena));
}

/* A script may need what lies beside it; the working directory itself holds too much else. */
static void add_script(struct packing *p, const struct rule *rule)
{
    struct session *s = p->s;
    const char *dir = path_dirname(&s->arena, rule->snakefile);
    bool script = rule->body == BODY_SCRIPT || rule->body == BODY_NOTEBOOK ||
                  rule->body == BODY_CWL;
    if (!script || !rule->body_value.v || !is_str(rule->body_value.v))
        return;
    const char *path = origin_join(&s->arena, dir, str_text(rule->body_value.v));
    if (origin_is_remote(path))
        return;
    add(p, path);
    const char *beside = path_dirname(&s->arena, path);
    if (strcmp(beside, s->workflow->workdir))
        add_tree(p, beside);
}

static void add_git_files(struct packing *p)
{
    struct buf out = {0};
    int status;
    tool_run("sh",
             "git ls-files --recurse-submodules -z . 2>/dev/null || { git status 2>&1; false; }",
             false, &out, &status);
    if (status) {
        const char *why = buf_text(&out);
        why += strncmp(why, "fatal: ", 7) ? 0 : 7;
        warn(p->s->diags, (struct span){0}, "no further files are taken from git: %.*s",
             (int)strcspn(why, "\n"), why);
    } else { /* NUL ends each: as lines git quotes names that are not plain */
        const char *name = buf_text(&out), *end = name + out.len;
        for (; name < end; name += strlen(name) + 1)
            add(p, arena_str(&p->s->arena, name));
    }
    buf_free(&out);
}

static void add_sources(struct packing *p)
{
    const struct workflow *w = p->s->workflow;
    log_say(&p->s->log, LOG_INFO,
            "Archiving snakefiles, scripts and files under version control...");
    for (uint32_t i = 0; i < w->snakefiles.len; i++)
        if (!origin_is_remote(w->snakefiles.at[i]))
            add(p, w->snakefiles.at[i]);
    for (rule_id r = 1; r < w->rules.len; r++)
        add_script(p, w->rules.at[r]);
    for (uint32_t i = 0; i < w->configfiles.len; i++)
        add(p, w->configfiles.at[i]);
    add_git_files(p);
}

static void add_input(struct packing *p, const char *path)
{
    if (add(p, path) && fs_is_dir(path))
        add_tree(p, path);
}

static void add_inputs(struct packing *p)
{
    const struct graph *g = p->s->graph;
    log_say(&p->s->log, LOG_INFO, "Archiving external input files...");
    for (job_id j = 1; j < g->jobs.len; j++) {
        struct input_walk walk = input_walk(g, j);
        for (file_id f; g->jobs.at[j].needed && (f = input_next(g, &walk));)
            if (!g->files.at[f].maker)
                add_input(p, file_path(g, f));
    }
}

static bool add_environment(struct session *s, const struct software *software, void *user)
{
    struct packing *p = user;
    struct buf why = {0};
    if (!software->conda)
        return true;
    if (software->conda != CONDA_FILE) {
        complain_kind(s->diags, "WorkflowError", (struct span){0},
                      "Workflow archives cannot be created for workflows using externally managed "
                      "conda environments (%s). Please use paths to YAML files for all your conda "
                      "directives.",
                      software->env);
        return false;
    }
    add(p, software->env);
    const char *dir = deploy_make(s->deploy, software, false, &why)
                          ? deploy_archive(s->deploy, software, &why)
                          : NULL;
    if (dir)
        add_tree(p, dir);
    else
        complain_kind(s->diags, "WorkflowError", (struct span){0}, "%s", buf_text(&why));
    buf_free(&why);
    return dir;
}

static bool ends_with(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n > m && !strcmp(path + n - m, suffix);
}

/* The option of tar for a name; NULL: it is no archive of a known kind. */
static const char *compression(const char *path)
{
    return ends_with(path, ".tar")       ? ""
           : ends_with(path, ".tar.gz")  ? "--gzip "
           : ends_with(path, ".tar.bz2") ? "--bzip2 "
           : ends_with(path, ".tar.xz")  ? "--xz "
                                         : NULL;
}

/* tar reads the names from a file, where NUL ends each. */
static bool write_tar(struct packing *p, const char *path)
{
    struct session *s = p->s;
    struct buf list = {0}, command = {0}, out = {0};
    const char *names = ".snakemake/archive.list";
    for (uint32_t i = 0; i < p->paths.len; i++)
        buf_add(&list, p->paths.at[i], strlen(p->paths.at[i]) + 1);
    buf_printf(&command,
               "tar --create --dereference --null --no-recursion %s--files-from %s --file ",
               compression(path), names);
    buf_shell_word(&command, path);
    bool listed = fs_make_parent(names) && fs_write(names, buf_text(&list), list.len);
    int status = 1;
    if (!listed) {
        complain(s->diags, (struct span){0}, "cannot write '%s', which the archive '%s' needs: %s",
                 names, path, strerror(errno));
    } else if (!tool_run("sh", buf_text(&command), true, &out, &status) || status) {
        unlink(path);
        complain(s->diags, (struct span){0}, "the archive '%s' cannot be written: %s", path,
                 buf_text(&out));
    }
    unlink(names);
    buf_free(&list);
    buf_free(&command);
    buf_free(&out);
    return !status;
}

int pack_archive(struct session *s)
{
    struct packing p = {.s = s};
    const char *path = path_absolute(&s->arena, s->started_in,
                                     option_word(&s->options, OPT_ARCHIVE, ""));
    if (!compression(path)) {
        complain_kind(s->diags, "WorkflowError", (struct span){0},
                      "Unsupported archive format (supported: .tar, .tar.gz, .tar.bz2, .tar.xz)");
        return EXIT_BAD;
    }
    if (fs_exists(path)) {
        complain_kind(s->diags, "WorkflowError", (struct span){0}, "Archive already exists: %s",
                      path);
        return EXIT_BAD;
    }
    add_sources(&p);
    add_inputs(&p);
    log_say(&s->log, LOG_INFO, "Archiving conda environments...");
    bool good = deployment_each(s, false, add_environment, &p) && !p.failed && write_tar(&p, path);
    vec_free(&p.paths);
    map_free(&p.seen);
    return good ? EXIT_OK : EXIT_BAD;
}

/* ---- --containerize ---- */

struct env {
    const char *shown; /* relative to the working directory, or its URL */
    const char *content, *hash;
};

struct recipe {
    VEC(struct env) envs;
};

static int by_shown(const void *a, const void *b)
{
    return strcmp(((const struct env *)a)->shown, ((const struct env *)b)->shown);
}

static bool collect(struct session *s, const struct software *software, void *user)
{
    struct recipe *recipe = user;
    if (software->conda == CONDA_NONE)
        return true;
    if (software->conda != CONDA_FILE) /* the image would lack it */
        return complain_kind(s->diags, "WorkflowError", (struct span){0},
                             "Only conda environments that a file defines can be part of an image, "
                             "not '%s', which a rule names as one that exists already.",
                             software->env);
    const char *shown = http_is_url(software->origin)
                            ? arena_str(&s->arena, software->origin)
                            : path_relative(&s->arena, software->env, s->workflow->workdir);
    if (strpbrk(shown, "\r\n")) /* what follows would be read as a line of its own */
        return complain(s->diags, (struct span){0},
                        "the conda environment '%s' has a line break in its name: no recipe of an "
                        "image can tell that",
                        shown);
    for (uint32_t i = 0; i < recipe->envs.len; i++)
        if (!strcmp(recipe->envs.at[i].shown, shown))
            return true;
    struct env env = {shown, fs_read(&s->arena, software->env, NULL),
                      conda_hash(s->workflow, software, false, &s->arena)};
    if (!env.content || !env.hash)
        return complain(s->diags, (struct span){0}, "the conda environment '%s' cannot be read: %s",
                        software->env, strerror(errno));
    vec_push(&recipe->envs, env);
    return true;
}

/* The environments of rules that have no job yet, behind checkpoints. */
static bool collect_rules(struct session *s, struct recipe *recipe)
{
    struct arena scratch = {0};
    bool good = true;
    for (rule_id r = 1; good && r < s->workflow->rules.len; r++) {
        const struct rule *rule = s->workflow->rules.at[r];
        struct job_eval eval = {.workflow = s->workflow, .scratch = &scratch, .rule = rule};
        struct software software;
        bool has_job = false;
        for (job_id j = 1; !has_job && j < s->graph->jobs.len; j++)
            has_job = s->graph->jobs.at[j].rule == r;
        if (has_job || !rule->conda.v || rule->conda.v == VALUE_NONE)
            continue;
        if (!software_is_constant(rule))
            good = complain_kind(
                s->diags, "WorkflowError", rule->span,
                "Containerization of conda based workflows is not allowed if any "
                "conda env definition is dynamic and the corresponding rule is not "
                "part of the initial DAG. Found in rule %s.",
                sym_text(s->names, rule->name));
        else if (!eval_software(&eval, &software))
            good = eval_report(&eval);
        else
            good = collect(s, &software, recipe);
    }
    arena_free(&scratch);
    return good;
}

static void print_comment(const struct env *env)
{
    struct buf lines = {0};
    size_t len = strlen(env->content);
    while (len && strchr(" \n\t\r", env->content[len - 1]))
        len--;
    char *content = memory_text_part(env->content, len);
    buf_indented(&lines, "#   ", content);
    printf("# Conda environment:\n#   source: %s\n#   prefix: /conda-envs/%s\n%s", env->shown,
           env->hash, buf_text(&lines));
    free(content);
    buf_free(&lines);
}

/* Of environments with the same content the first stays. */
static void drop_repeated(struct recipe *recipe)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < recipe->envs.len; i++) {
        uint32_t k = 0;
        while (k < n && strcmp(recipe->envs.at[k].hash, recipe->envs.at[i].hash))
            k++;
        if (k == n)
            recipe->envs.at[n++] = recipe->envs.at[i];
    }
    recipe->envs.len = n;
}

/* What brings the definition into the image; as a list where the name would be taken for several
 * words. */
static void print_copy(const struct env *env)
{
    struct buf name = {0};
    bool several = strpbrk(env->shown, " \t\"\\") || *env->shown == '[';
    buf_json_text(&name, env->shown);
    printf(several ? "%s [%s, \"/conda-envs/%s/environment.yaml\"]\n"
                   : "%s %s /conda-envs/%s/environment.yaml\n",
           http_is_url(env->shown) ? "ADD" : "COPY", several ? buf_text(&name) : env->shown,
           env->hash);
    buf_free(&name);
}

static void print_docker(const struct recipe *recipe, const char *hash)
{
    printf("FROM condaforge/miniforge3:latest\nLABEL io.github.snakemake.containerized=\"true\"\n"
           "LABEL io.github.snakemake.conda_env_hash=\"%s\"\n",
           hash);
    for (uint32_t i = 0; i < recipe->envs.len; i++) {
        const struct env *env = &recipe->envs.at[i];
        print_comment(env);
        printf("RUN mkdir -p /conda-envs/%s\n", env->hash);
        print_copy(env);
    }
    if (recipe->envs.len)
        printf("\nRUN");
    for (uint32_t i = 0; i < recipe->envs.len; i++)
        printf(" conda env create --prefix /conda-envs/%s --file /conda-envs/%s/environment.yaml "
               "&& \\\n   ",
               recipe->envs.at[i].hash, recipe->envs.at[i].hash);
    if (recipe->envs.len)
        printf(" conda clean --all -y\n");
}

static void print_apptainer_files(const struct recipe *recipe)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < recipe->envs.len; i++) {
        const struct env *env = &recipe->envs.at[i];
        const char *quote = !strpbrk(env->shown, " \t\"'") ? ""
                            : strchr(env->shown, '"')      ? "'"
                                                           : "\"";
        if (!http_is_url(env->shown))
            printf("%s    %s%s%s /conda-envs/%s/environment.yaml\n", n++ ? "" : "\n%files\n", quote,
                   env->shown, quote, env->hash);
    }
}

static void print_curl(const struct env *env)
{
    struct arena in = {0};
    const char *url = strchr(env->shown, '\'') ? path_quoted(&in, env->shown)
                                               : arena_printf(&in, "'%s'", env->shown);
    printf("    curl -L %s > '/conda-envs/%s/environment.yaml'\n", url, env->hash);
    arena_free(&in);
}

/* Apptainer fetches nothing itself. */
static void print_apptainer_post(const struct recipe *recipe)
{
    bool curl = false;
    for (uint32_t i = 0; i < recipe->envs.len; i++)
        curl = curl || http_is_url(recipe->envs.at[i].shown);
    printf("\n%%post\n%s",
           curl ? "    apt-get update\n    apt-get install -y --no-install-recommends curl\n" : "");
    for (uint32_t i = 0; i < recipe->envs.len; i++) {
        const struct env *env = &recipe->envs.at[i];
        printf("    mkdir -p /conda-envs/%s\n", env->hash);
        if (http_is_url(env->shown))
            print_curl(env);
    }
    for (uint32_t i = 0; i < recipe->envs.len; i++)
        printf("    conda env create --prefix /conda-envs/%s --file "
               "/conda-envs/%s/environment.yaml\n",
               recipe->envs.at[i].hash, recipe->envs.at[i].hash);
    printf("    conda clean --all -y\n%s", curl ? "    rm -rf /var/lib/apt/lists/*\n" : "");
}

static void print_apptainer(const struct recipe *recipe, const char *hash)
{
    printf("Bootstrap: docker\nFrom: condaforge/miniforge3:latest\n");
    for (uint32_t i = 0; i < recipe->envs.len; i++)
        print_comment(&recipe->envs.at[i]);
    printf("\n%%labels\n    io.github.snakemake.containerized true\n    "
           "io.github.snakemake.conda_env_hash %s\n",
           hash);
    if (!recipe->envs.len)
        return;
    print_apptainer_files(recipe);
    print_apptainer_post(recipe);
}

/* SHA-256 of all definitions, one behind the other. */
static void hash_all(const struct recipe *recipe, char hex[65])
{
    struct hasher hasher;
    uint8_t digest[32];
    hasher_start(&hasher, DIGEST_SHA256);
    for (uint32_t i = 0; i < recipe->envs.len; i++)
        hasher_add(&hasher, recipe->envs.at[i].content, strlen(recipe->envs.at[i].content));
    hash_hex(digest, hasher_end(&hasher, digest), hex);
}

int pack_container(struct session *s)
{
    struct recipe recipe = {0};
    char hash[65];
    bool apptainer = !strcmp(option_word(&s->options, OPT_CONTAINERIZE, "dockerfile"), "apptainer");
    bool good = deployment_each(s, false, collect, &recipe) && collect_rules(s, &recipe);
    if (good) {
        if (recipe.envs.len)
            qsort(recipe.envs.at, recipe.envs.len, sizeof *recipe.envs.at, by_shown);
        hash_all(&recipe, hash);
        drop_repeated(&recipe);
        (apptainer ? print_apptainer : print_docker)(&recipe, hash);
        fflush(stdout);
    }
    vec_free(&recipe.envs);
    return good ? EXIT_OK : EXIT_BAD;
}
