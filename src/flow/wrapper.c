// SPDX-License-Identifier: MIT
#include "flow/wrapper.h"

#include <stdio.h>
#include <string.h>

#include "base/http.h"
#include "flow/origin.h"
#include "flow/state.h"

static const char *const script_names[] = {"wrapper.py", "wrapper.R",  "wrapper.Rmd",
                                           "wrapper.jl", "wrapper.sh", "wrapper.rs"};
enum { NSCRIPT_NAMES = sizeof script_names / sizeof *script_names };

static bool begins(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static bool is_whole(const char *name)
{
    return begins(name, "http") || begins(name, "file:") || begins(name, "git+file:");
}

const char *wrapper_origin(struct workflow *w, struct arena *in, const struct scope *scope,
                           const char *name)
{
    const char *prefix = w->options.wrapper_prefix;
    if (!is_whole(name) && scope->wrapper_tag && begins(name, "master/"))
        name = arena_printf(in, "%s%s", scope->wrapper_tag, strchr(name, '/'));
    const char *slash = strchr(name, '/');
    if (is_whole(name) || (!prefix && *name == '/'))
        return origin_join(in, w->workdir, name);
    if (prefix && !begins(prefix, "git+file:"))
        return origin_join(in, w->workdir, arena_printf(in, "%s%s", prefix, name));
    if (!slash) {
        flow_raise(w, "WorkflowError",
                   "The wrapper '%s' lacks a version: VERSION/PATH, as in v3.3.3/bio/bwa/mem.",
                   name);
        return NULL;
    }
    const char *version = arena_copy(in, name, (size_t)(slash - name));
    return prefix ? arena_printf(in, "%s%s@%s", prefix, slash, version)
                  : origin_github(in, NULL, "snakemake/snakemake-wrappers", version, slash + 1);
}

/* Whether the origin is that of the script itself. */
static bool is_script(struct arena *in, const char *origin)
{
    const char *name = origin_basename(in, origin);
    for (int i = 0; i < NSCRIPT_NAMES; i++)
        if (!strcmp(name, script_names[i]))
            return true;
    return false;
}

const char *wrapper_script(struct workflow *w, struct arena *in, const char *origin)
{
    const char *path = NULL;
    if (is_script(in, origin))
        return origin_local(w, origin);
    for (int i = 0; i < NSCRIPT_NAMES; i++)
        if (!origin_find(w, origin_join(in, origin, script_names[i]), &path) || path)
            return path;
    flow_raise(w, "WorkflowError", "There is no wrapper.py, .R, .Rmd, .jl, .sh or .rs in %s.",
               http_shown(in, origin));
    return NULL;
}

const char *wrapper_environment(struct arena *in, const char *origin)
{
    return origin_join(in, is_script(in, origin) ? origin_dirname(in, origin) : origin,
                       "environment.yaml");
}

/* Those of releases before 8.0.0 name their wrappers' versions as "master". */
static const char *tag_of(struct arena *in, const char *name)
{
    int major;
    size_t n = strcspn(name, "/");
    return is_whole(name) ||
                   (sscanf(name + (*name == 'v'), "%d.%*d.%*d", &major) == 1 && major >= 8)
               ? NULL
               : arena_copy(in, name, n);
}

const char *wrapper_snakefile(struct workflow *w, struct arena *in, const char *name,
                              const char **tag)
{
    static const char *const files[] = {"meta_wrapper.smk", "test/Snakefile"};
    const char *dir = wrapper_origin(w, in, w->flow->scope, name), *path;
    *tag = tag_of(in, name);
    for (int i = 0; dir && i < 2; i++) {
        const char *file = origin_join(in, dir, files[i]);
        if (!origin_find(w, file, &path))
            return NULL;
        if (path)
            return file;
    }
    if (dir)
        flow_raise(w, "WorkflowError",
                   "Invalid meta wrapper %s: could not find meta_wrapper.smk or test/Snakefile "
                   "(old style) in %s.",
                   name, dir);
    return NULL;
}
