// SPDX-License-Identifier: MIT
#include "flow/software.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"
#include "flow/evalvalues.h"
#include "flow/origin.h"
#include "flow/state.h"
#include "flow/wrapper.h"

#define DEPLOY_SUFFIX ".post-deploy.sh"

/* ---- what a job asks for ---- */

static bool has_suffix(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && !strcmp(text + n - m, suffix);
}

static bool is_env_file(const char *text)
{
    return has_suffix(text, ".yaml") || has_suffix(text, ".yml");
}

/* The text of a directive for this job, NULL: none is asked for. False: raised. */
static bool text_of(struct job_eval *eval, value v, uint32_t available, const char *what,
                    const char **out)
{
    struct workflow *w = eval->workflow;
    sym_t unknown = 0;
    *out = NULL;
    if (v && value_callable(v) && eval_call(eval, v, available, &v) != EVAL_OK)
        return false;
    if (!v || v == VALUE_NONE)
        return true;
    value text = path_value(w->vm, v);
    if (!text) {
        if (!vm_failed(w->vm))
            vm_raise(w->vm, "TypeError", "%s must be a text, not %s", what, type_name(v));
        return false;
    }
    *out = wildcards_fill(eval->scratch, w->names, &eval->rule->wildcards, eval->wildcards,
                          str_text(text), as_str(text)->len, &unknown);
    if (!*out)
        flow_raise(w, "WildcardError", "the wildcard '%s' of %s is not known",
                   flow_text(w, unknown), what);
    return *out;
}

/* This machine as conda names it. */
static const char *platform(void)
{
    static char text[80];
    struct utsname name;
    if (uname(&name))
        return "linux-64";
    bool mac = !strcmp(name.sysname, "Darwin");
    const char *machine = !strcmp(name.machine, "x86_64")  ? "64"
                          : !strcmp(name.machine, "arm64") ? "arm64"
                                                           : name.machine;
    snprintf(text, sizeof text, "%s-%s", mac ? "osx" : "linux", machine);
    return text;
}

/* The file beside an environment's with another end, "" where a file has none. */
static const char *name_beside(struct arena *in, const char *env_file, const char *suffix)
{
    size_t stem = strlen(env_file) - strlen(path_extension(env_file));
    return arena_printf(in, "%.*s%s", (int)stem, env_file, suffix);
}

static const char *pin_suffix(struct arena *in)
{
    return arena_printf(in, ".%s.pin.txt", platform());
}

/* What belongs to an environment comes from where its definition is. */
static bool set_env_file(struct job_eval *eval, const char *origin, struct software *out)
{
    struct workflow *w = eval->workflow;
    struct arena *in = eval->scratch;
    const char *const suffix[] = {pin_suffix(in), DEPLOY_SUFFIX};
    const char *path;
    out->conda = CONDA_FILE;
    out->origin = origin;
    out->env = origin_local(w, origin);
    for (int i = 0; i < 2 && out->env && origin_is_remote(origin); i++) {
        const char *name = name_beside(in, origin_basename(in, origin), suffix[i]);
        if (!origin_find(w, origin_join(in, origin_dirname(in, origin), name), &path))
            return false;
    }
    return out->env;
}

/* The environment of a wrapper stands beside it. */
static bool wrapper_env(struct job_eval *eval, struct software *out)
{
    struct workflow *w = eval->workflow;
    struct arena *in = eval->scratch;
    const char *name = eval_body_text(eval, "wrapper"), *path;
    const char *wrapper = name ? wrapper_origin(w, in, eval->rule->scope, name) : NULL;
    const char *env = wrapper ? wrapper_environment(in, wrapper) : NULL;
    return env && origin_find(w, env, &path) && (!path || set_env_file(eval, env, out));
}

static bool conda_of(struct job_eval *eval, struct software *out)
{
    const struct rule *rule = eval->rule;
    struct arena *in = eval->scratch;
    const char *text;
    if (!rule->conda.v && rule->body == BODY_WRAPPER)
        return wrapper_env(eval, out);
    if (!text_of(eval, rule->conda.v, AUX_BIT(PARAMS) | AUX_BIT(INPUT), "conda", &text))
        return false;
    if (!text)
        return true;
    if (is_env_file(text))
        return set_env_file(eval, origin_join(in, origin_dirname(in, rule->snakefile), text), out);
    out->env = text;
    out->conda = fs_is_dir(text) ? CONDA_DIR : CONDA_NAME;
    return true;
}

static bool modules_of(struct job_eval *eval, struct software *out)
{
    size_t n;
    const value *at = sequence_items(eval->rule->envmodules.v, &n);
    const char **module = arena_array(eval->scratch, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        value text = value_str(eval->workflow->vm, at[i]);
        if (!text)
            return false;
        module[i] = arena_str(eval->scratch, str_text(text));
    }
    out->module = module;
    out->nmodules = (uint32_t)n;
    return true;
}

bool eval_software(struct job_eval *eval, struct software *out)
{
    const struct rule *rule = eval->rule;
    const struct software_options *options = &eval->workflow->options.software;
    *out = (struct software){.containerized = rule->containerized};
    if (options->container && !text_of(eval, rule->container.v, 0, "container", &out->image)) {
        eval_failed(eval, "container", directive_span(rule, DIRECTIVE_CONTAINER));
        return false;
    }
    if (options->conda && !conda_of(eval, out)) {
        eval_failed(eval, "conda environment", directive_span(rule, DIRECTIVE_CONDA));
        return false;
    }
    if (rule->envmodules.v && !modules_of(eval, out)) {
        eval_failed(eval, "modules", directive_span(rule, DIRECTIVE_ENVMODULES));
        return false;
    }
    return true;
}

static bool is_given(value v)
{
    return v && v != VALUE_NONE;
}

bool software_is_asked_for(const struct workflow *workflow, const struct rule *rule)
{
    const struct software_options *options = &workflow->options.software;
    return (options->conda && (is_given(rule->conda.v) || rule->body == BODY_WRAPPER)) ||
           (options->container && is_given(rule->container.v)) || is_given(rule->envmodules.v);
}

static bool is_constant(value v)
{
    return !v || !is_object(v) || (is_str(v) && !strchr(str_text(v), '{'));
}

bool software_is_constant(const struct rule *rule)
{
    return is_constant(rule->conda.v) && is_constant(rule->container.v) &&
           (rule->body != BODY_WRAPPER || rule_script_constant(rule));
}

/* ---- conda ---- */

const char *conda_shown(const struct workflow *workflow, const struct software *software,
                        struct arena *in)
{
    return origin_is_remote(software->origin) ? software->origin
                                              : path_relative(in, software->env, workflow->workdir);
}

static const char *beside(struct arena *in, const char *env_file, const char *suffix)
{
    const char *path = name_beside(in, env_file, suffix);
    return fs_exists(path) ? path : NULL;
}

const char *conda_pin_file(struct arena *in, const char *env_file)
{
    return beside(in, env_file, pin_suffix(in));
}

const char *conda_deploy_file(struct arena *in, const char *env_file)
{
    return beside(in, env_file, DEPLOY_SUFFIX);
}

static bool add_content(struct hasher *hasher, struct arena *in, const char *path)
{
    size_t len;
    const char *text = path ? fs_read(in, path, &len) : NULL;
    if (text)
        hasher_add(hasher, text, len);
    return !path || text;
}

static const char *end_hash(struct hasher *hasher, struct arena *in)
{
    uint8_t digest[32];
    char hex[65];
    hash_hex(digest, hasher_end(hasher, digest), hex);
    return arena_str(in, hex);
}

const char *conda_hash(const struct workflow *workflow, const struct software *software,
                       bool located, struct arena *in)
{
    struct hasher hasher;
    char real[PATH_MAX];
    const char *dir = workflow->options.software.conda_dir;
    hasher_start(&hasher, DIGEST_MD5);
    if (software->conda != CONDA_FILE) {
        hasher_add(&hasher, software->env, strlen(software->env));
        return end_hash(&hasher, in);
    }
    located = located && !(software->image && software->containerized);
    if (located) {
        dir = realpath(dir, real) ? real : dir;
        hasher_add(&hasher, dir, strlen(dir));
    }
    if (located && software->image)
        hasher_add(&hasher, software->image, strlen(software->image));
    if (!add_content(&hasher, in, conda_deploy_file(in, software->env)) ||
        !add_content(&hasher, in, conda_pin_file(in, software->env)) ||
        !add_content(&hasher, in, software->env))
        return NULL;
    return end_hash(&hasher, in);
}

const char *conda_address(const struct workflow *workflow, const struct software *software,
                          struct arena *in)
{
    const char *dir = workflow->options.software.conda_dir;
    if (software->conda != CONDA_FILE)
        return software->env;
    const char *hash = conda_hash(workflow, software, true, in);
    if (!hash)
        return NULL;
    if (software->image && software->containerized)
        return path_join(in, "/conda-envs", hash);
    const char *brief = path_join(in, dir, arena_copy(in, hash, 8));
    const char *whole = path_join(in, dir, hash);
    return fs_exists(brief) ? brief : fs_exists(whole) ? whole : arena_printf(in, "%s_", whole);
}

const char *conda_done_flag(struct arena *in, const char *address)
{
    return arena_printf(in, "%s.env_setup_done", address);
}

/* ---- containers ---- */

bool container_is_local(const char *image)
{
    return !strstr(image, "://") || !strncmp(image, "file://", 7);
}

const char *container_path(const struct workflow *workflow, const char *image, struct arena *in)
{
    struct hasher hasher;
    if (container_is_local(image))
        return strncmp(image, "file://", 7) ? image : image + 7;
    hasher_start(&hasher, DIGEST_MD5);
    hasher_add(&hasher, image, strlen(image));
    return arena_printf(in, "%s/%s.simg", workflow->options.software.image_dir,
                        end_hash(&hasher, in));
}

/* ---- all ---- */

const char *software_hash(const struct workflow *workflow, const struct software *software,
                          struct arena *in)
{
    struct hasher hasher, modules;
    if (!software->conda && !software->image && !software->nmodules)
        return "d41d8cd98f00b204e9800998ecf8427e"; /* of nothing: most jobs */
    hasher_start(&hasher, DIGEST_MD5);
    if (software->conda) {
        const char *hash = conda_hash(workflow, software, true, in);
        if (!hash)
            return NULL;
        hasher_add(&hasher, hash, strlen(hash));
    }
    if (software->image)
        hasher_add(&hasher, software->image, strlen(software->image));
    if (software->nmodules) {
        hasher_start(&modules, DIGEST_MD5);
        for (uint32_t i = 0; i < software->nmodules; i++)
            hasher_add(&modules, software->module[i], strlen(software->module[i]));
        hasher_add(&hasher, end_hash(&modules, in), 32);
    }
    return end_hash(&hasher, in);
}

void software_use(struct workflow *workflow, const struct software_wrap *wrap)
{
    struct software_wrap *copy = arena_new(&workflow->arena, struct software_wrap);
    copy->before = arena_str(&workflow->arena, wrap->before);
    copy->container = wrap->container ? arena_str(&workflow->arena, wrap->container) : NULL;
    workflow->flow->wrap = copy;
}

const char *software_command(struct arena *in, const struct software_wrap *wrap,
                             const char *command)
{
    const char *inner = *wrap->before ? arena_printf(in, "%s%s", wrap->before, command) : command;
    if (!wrap->container)
        return inner;
    struct buf text = {0};
    buf_printf(&text, "%s '", wrap->container);
    for (const char *at = inner; *at; at++)
        buf_str(&text, *at == '\'' ? "'\\''" : (char[]){*at, 0});
    buf_char(&text, '\'');
    const char *whole = arena_copy(in, text.at, text.len);
    buf_free(&text);
    return whole;
}
