// SPDX-License-Identifier: MIT
#include "flow/origin.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/http.h"
#include "base/path.h"
#include "flow/state.h"

/* ---- hosts ---- */

static char *github_url(struct arena *in, const char *host, const char *repo, const char *ref,
                        const char *path)
{
    if (!host || !strcmp(host, "github.com"))
        return arena_printf(in, "https://raw.githubusercontent.com/%s/%s/%s", repo, ref, path);
    return arena_printf(in, "https://%s/%s/raw/%s/%s", host, repo, ref, path);
}

static char *gitlab_url(struct arena *in, const char *host, const char *repo, const char *ref,
                        const char *path)
{
    return arena_printf(in, "https://%s/%s/-/raw/%s/%s", host ? host : "gitlab.com", repo, ref, path);
}

/* gh:[HOST:]OWNER/REPO@REF[:PATH], gl: the same; NULL: text is none. */
static char *short_form(struct arena *in, const char *text)
{
    bool gitlab = !strncmp(text, "gl:", 3);
    const char *rest = text + 3, *slash = strchr(text, '/'), *at = strchr(text, '@'), *host = NULL;
    if ((strncmp(text, "gh:", 3) && !gitlab) || !slash || !at || at < slash)
        return NULL;
    const char *colon = memchr(rest, ':', (size_t)(slash - rest));
    if (colon) {
        host = arena_copy(in, rest, (size_t)(colon - rest));
        rest = colon + 1;
    }
    const char *repo = arena_copy(in, rest, (size_t)(at - rest)), *path_at = strrchr(at, ':');
    const char *ref = path_at ? arena_copy(in, at + 1, (size_t)(path_at - at - 1)) : at + 1;
    const char *path = path_at && path_at[1] ? path_at + 1 : "workflow/Snakefile";
    return (gitlab ? gitlab_url : github_url)(in, host, repo, ref, path);
}

static value hosted(struct vm *vm, const struct args *args,
                    char *url(struct arena *, const char *, const char *, const char *, const char *))
{
    struct workflow *w = workflow_of(vm);
    const char *text[6] = {0}; /* repo path tag branch commit host */
    for (int i = 0; i < 6; i++)
        if (arg_given(args, i) && args->at[i] != VALUE_NONE && !(text[i] = arg_text(vm, args, i, NULL)))
            return NO_VALUE;
    if (!text[0] || !strchr(text[0], '/'))
        return flow_raise(w, "WorkflowError", "repo must be given as owner/name");
    if (!text[1])
        return flow_raise(w, "WorkflowError", "path must be given");
    if (!!text[2] + !!text[3] + !!text[4] != 1)
        return flow_raise(w, "WorkflowError", "exactly one of tag, branch, or commit must be specified");
    const char *ref = text[2] ? text[2] : text[3] ? text[3] : text[4], *path = text[1] + strspn(text[1], "/");
    return str_from(vm, url(&w->arena, text[5], text[0], ref, path));
}

static value origin_github(struct vm *vm, const struct args *args)
{
    return hosted(vm, args, github_url);
}

static value origin_gitlab(struct vm *vm, const struct args *args)
{
    return hosted(vm, args, gitlab_url);
}

static value origin_gitfile(struct vm *vm, const struct args *args)
{
    return flow_raise(workflow_of(vm), "WorkflowError",
                      "gitfile() is not supported: check the repository out and name the file");
}

const struct native_def origin_functions[] = {
    {"github", origin_github, "repo path=None tag=None branch=None commit=None host=None",
     "A file in a GitHub repository."},
    {"gitlab", origin_gitlab, "repo path=None tag=None branch=None commit=None host=None",
     "A file in a GitLab repository."},
    {"gitfile", origin_gitfile, "*args **kwargs", "A file in a local git repository: not supported."},
    {0},
};

/* ---- names ---- */

bool origin_is_remote(const char *text)
{
    return http_is_url(text) || !strncmp(text, "gh:", 3) || !strncmp(text, "gl:", 3);
}

char *origin_join(struct arena *in, const char *dir, const char *name)
{
    char *url = short_form(in, name);
    if (url || http_is_url(name))
        return url ? url : arena_str(in, name);
    if (!strncmp(name, "file:", 5))
        name += strncmp(name, "file://", 7) ? 5 : 7;
    if (!http_is_url(dir) || path_is_absolute(name))
        return path_absolute(in, dir, name);
    const char *host = strstr(dir, "://") + 3;
    size_t n = (size_t)(host - dir) + strcspn(host, "/");
    const char *folder = dir[n] ? dir + n : "/";
    return arena_printf(in, "%.*s%s", (int)n, dir, path_absolute(in, folder, name));
}

/* ---- texts ---- */

char *origin_read(struct workflow *w, const char *origin, size_t *len, const char **why)
{
    if (http_is_url(origin))
        return http_read(&w->arena, origin, len, why);
    char *text = fs_read(&w->arena, origin, len);
    if (!text)
        *why = strerror(errno);
    return text;
}

const char *origin_local(struct workflow *w, const char *origin)
{
    size_t len;
    const char *why = "";
    if (!http_is_url(origin))
        return origin;
    const char *path = arena_printf(&w->arena, "%s/.snakemake/source-cache/%016llx-%s", w->workdir,
                                    (unsigned long long)hash_bytes(origin, strlen(origin)),
                                    path_basename(origin));
    if (fs_exists(path))
        return path;
    const char *text = origin_read(w, origin, &len, &why);
    if (text && fs_make_parent(path) && fs_write(path, text, len))
        return path;
    flow_raise(w, "WorkflowError", "Failed to open source file %s: %s", origin,
               text ? strerror(errno) : why);
    return NULL;
}
