// SPDX-License-Identifier: MIT
#include "flow/origin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/http.h"
#include "base/path.h"
#include "base/tool.h"
#include "flow/state.h"

#define GIT_FILE   "git+file:"
#define GITHUB_RAW "https://raw.githubusercontent.com/"

/* ---- hosts ---- */

char *origin_github(struct arena *in, const char *host, const char *repo, const char *ref,
                    const char *path)
{
    if (!host || !strcmp(host, "github.com"))
        return arena_printf(in, GITHUB_RAW "%s/%s/%s", repo, ref, path);
    return arena_printf(in, "https://%s/%s/raw/%s/%s", host, repo, ref, path);
}

static char *gitlab_url(struct arena *in, const char *host, const char *repo, const char *ref,
                        const char *path)
{
    return arena_printf(in, "https://%s/%s/-/raw/%s/%s", host ? host : "gitlab.com", repo, ref,
                        path);
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
    return (gitlab ? gitlab_url : origin_github)(in, host, repo, ref, path);
}

static value one_ref(struct workflow *w)
{
    return flow_raise(w, "WorkflowError",
                      "exactly one of tag, branch, or commit must be specified");
}

static value hosted(struct vm *vm, const struct args *args,
                    char *url(struct arena *, const char *, const char *, const char *,
                              const char *))
{
    struct workflow *w = workflow_of(vm);
    const char *text[6] = {0}; /* repo path tag branch commit host */
    for (int i = 0; i < 6; i++)
        if (arg_given(args, i) && args->at[i] != VALUE_NONE &&
            !(text[i] = arg_text(vm, args, i, NULL)))
            return NO_VALUE;
    if (!text[0] || !strchr(text[0], '/'))
        return flow_raise(w, "WorkflowError", "repo must be given as owner/name");
    if (!text[1])
        return flow_raise(w, "WorkflowError", "path must be given");
    if (!!text[2] + !!text[3] + !!text[4] != 1)
        return one_ref(w);
    const char *ref = text[2]   ? text[2]
                      : text[3] ? text[3]
                                : text[4],
               *path = text[1] + strspn(text[1], "/");
    return str_from(vm, url(&w->arena, text[5], text[0], ref, path));
}

static value call_github(struct vm *vm, const struct args *args)
{
    return hosted(vm, args, origin_github);
}

static value call_gitlab(struct vm *vm, const struct args *args)
{
    return hosted(vm, args, gitlab_url);
}

static value call_gitfile(struct vm *vm, const struct args *args)
{
    struct workflow *w = workflow_of(vm);
    const char *text[5] = {0}; /* repo path tag ref commit */
    for (int i = 0; i < 5; i++)
        if (arg_given(args, i) && args->at[i] != VALUE_NONE && !(text[i] = arg_path(vm, args, i)))
            return NO_VALUE;
    if (!!text[2] + !!text[3] + !!text[4] != 1)
        return one_ref(w);
    const char *ref = text[2] ? text[2] : text[3] ? text[3] : text[4];
    const char *file = path_join(&w->arena, path_absolute(&w->arena, w->workdir, text[0]), text[1]);
    return str_from(vm, arena_printf(&w->arena, GIT_FILE "//%s@%s", file, ref));
}

const struct native_def origin_functions[] = {
    {"github", call_github, "repo path=None tag=None branch=None commit=None host=None",
     "A file in a GitHub repository."},
    {"gitlab", call_gitlab, "repo path=None tag=None branch=None commit=None host=None",
     "A file in a GitLab repository."},
    {"gitfile", call_gitfile, "repo_path path tag=None ref=None commit=None",
     "A file in a local git repository."},
    {0},
};

/* ---- names ---- */

static bool is_git_file(const char *text)
{
    return !strncmp(text, GIT_FILE, strlen(GIT_FILE));
}

bool origin_is_remote(const char *text)
{
    return http_is_url(text) || is_git_file(text) || !strncmp(text, "gh:", 3) ||
           !strncmp(text, "gl:", 3);
}

/* An origin taken apart: what stands before its path ("", "https://host", "git+file://") and behind
 * it ("", "@VERSION"). Borrowed from the text, but for the path. */
struct parts {
    const char *text, *suffix;
    size_t nbefore;
    const char *path; /* "/" and what follows */
};

static struct parts split(struct arena *in, const char *origin)
{
    size_t n = 0, len = strlen(origin);
    const char *suffix = origin + len;
    if (http_is_url(origin)) {
        const char *host = strstr(origin, "://") + 3;
        n = (size_t)(host - origin) + strcspn(host, "/");
    } else if (is_git_file(origin)) {
        const char *version = strrchr(origin, '@');
        n = strlen(GIT_FILE) + strspn(origin + strlen(GIT_FILE), "/");
        n -= origin[n - 1] == '/';
        suffix = version ? version : suffix;
    }
    const char *path = arena_copy(in, origin + n, (size_t)(suffix - origin) - n);
    return (struct parts){
        .text = origin, .suffix = suffix, .nbefore = n, .path = *path || !n ? path : "/"};
}

static char *with_path(struct arena *in, const struct parts *parts, const char *path)
{
    return arena_printf(in, "%.*s%s%s", (int)parts->nbefore, parts->text, path, parts->suffix);
}

char *origin_join(struct arena *in, const char *dir, const char *name)
{
    char *url = short_form(in, name);
    if (url || http_is_url(name) || is_git_file(name))
        return url ? url : arena_str(in, name);
    if (!strncmp(name, "file:", 5))
        name += strncmp(name, "file://", 7) ? 5 : 7;
    struct parts parts = split(in, dir);
    return path_is_absolute(name) ? path_normal(in, name)
                                  : with_path(in, &parts, path_absolute(in, parts.path, name));
}

char *origin_dirname(struct arena *in, const char *origin)
{
    struct parts parts = split(in, origin);
    return with_path(in, &parts, path_dirname(in, parts.path));
}

const char *origin_basename(struct arena *in, const char *origin)
{
    return path_basename(split(in, origin).path);
}

/* ---- texts ---- */

/* What git prints. False: it failed, *why says it in its words. */
static bool ask_git(struct arena *in, const char *dir, const char *command, struct buf *out,
                    const char **why)
{
    struct buf line = {0};
    int status = 0;
    bool ran = true;
    buf_str(&line, "git -C ");
    buf_shell_word(&line, dir);
    buf_printf(&line, " %s", command);
    for (int words = 0; words < 2 && ran && (!words || status);
         words++) { /* once more, for its words */
        buf_reset(out);
        ran = tool_run(
            "sh", words ? buf_text(&line) : arena_printf(in, "%s 2>/dev/null", buf_text(&line)),
            words, out, &status);
    }
    buf_free(&line);
    *why = !ran            ? arena_str(in, strerror(errno))
           : status == 127 ? GIT_FILE " needs the program git, which is not installed"
                           : arena_copy(in, buf_text(out),
                                        out->len - (out->len && out->at[out->len - 1] == '\n'));
    return ran && !status;
}

/* The text of a file at a version, in text; *found false: there is none. The path is looked up from
 * the nearest directory that is there: at other versions there may be others. */
static bool read_git(struct arena *in, const char *origin, struct buf *text, bool *found,
                     const char **why)
{
    struct parts parts = split(in, origin);
    struct buf command = {0};
    const char *dir = parts.path, *version = *parts.suffix ? parts.suffix + 1 : "HEAD";
    while (!fs_is_dir(dir) && strcmp(dir, "/"))
        dir = path_dirname(in, dir);
    const char *file = parts.path + strlen(dir) + strspn(parts.path + strlen(dir), "/");
    buf_str(&command, "ls-tree ");
    buf_shell_word(&command, version);
    buf_str(&command, " -- ");
    buf_shell_word(&command, file);
    *why = "a version does not begin with '-'";
    bool good = *version != '-' && ask_git(in, dir, buf_text(&command), text, why);
    const char *blob = good ? strstr(buf_text(text), " blob ") : NULL;
    *found = blob;
    if (blob) {
        blob = arena_copy(in, blob + 1, strcspn(blob + 1, "\t"));
        good = ask_git(in, dir, arena_printf(in, "cat-file %s", blob), text, why);
    } else if (good) {
        *why = arena_printf(in, "there is no such file at %s", version);
    }
    buf_free(&command);
    return good;
}

static bool ask_for(struct arena *in, const char *url, const struct http_manners *manners,
                    struct buf *text, bool *found, const char **why)
{
    struct http_answer answer;
    *found = http_get(in, url, manners, &answer, why);
    if (*found)
        buf_add(text, buf_text(&answer.body), answer.body.len);
    buf_free(&answer.body);
    return *found || answer.status == 404 || answer.status == 410;
}

/* For private repositories GitHub is shown the token; an old one must not hide what is public. */
static bool read_url(struct arena *in, const char *origin, struct buf *text, bool *found,
                     const char **why)
{
    const char *token = getenv("GITHUB_TOKEN");
    struct http_manners manners = {.auth = HTTP_BASIC, .user = "", .password = token};
    bool shown = token && *token && !strncmp(origin, GITHUB_RAW, strlen(GITHUB_RAW));
    return (shown && ask_for(in, origin, &manners, text, found, why) && *found) ||
           ask_for(in, origin, NULL, text, found, why);
}

/* Adds what a remote file holds to text. False: it cannot be known, or *found is false: it is not
 * there; both times *why says it. */
static bool read_remote(struct arena *in, const char *origin, struct buf *text, bool *found,
                        const char **why)
{
    return (is_git_file(origin) ? read_git : read_url)(in, origin, text, found, why);
}

/* Whether the file is one of a version that stays as it is: of a release, v1.2.3, or a commit. */
static bool is_lasting(const char *origin)
{
    const char *ref = strstr(origin, "/raw/");
    if (!strncmp(origin, GITHUB_RAW, strlen(GITHUB_RAW))) {
        ref = strchr(origin + strlen(GITHUB_RAW), '/');
        ref = ref ? strchr(ref + 1, '/') : NULL;
    } else if (ref) {
        ref += strlen("/raw");
    }
    if (!ref || strncmp(origin, "https:", 6))
        return false;
    size_t n = strcspn(++ref, "/");
    int parts[3], len = 0;
    return (n == 40 && strspn(ref, "0123456789abcdef") == n) ||
           (sscanf(ref + (*ref == 'v'), "%d.%d.%d%n", parts, parts + 1, parts + 2, &len) == 3 &&
            len > 0);
}

/* Where a copy is kept. The folder stands for the one that the file comes from. */
static const char *copy_path(struct workflow *w, const char *origin)
{
    const char *dir = origin_dirname(&w->arena, origin);
    return arena_printf(&w->arena, "%s/.snakemake/source-cache/%016llx/%s", w->workdir,
                        (unsigned long long)hash_bytes(dir, strlen(dir)),
                        origin_basename(&w->arena, origin));
}

/* One that says the same stays as it is, with its time. */
static bool store(struct arena *in, const char *path, const struct buf *text)
{
    size_t len;
    const char *there = fs_read(in, path, &len);
    return (there && len == text->len && !memcmp(there, text->at, len)) ||
           (fs_make_parent(path) && fs_write(path, buf_text(text), text->len));
}

/* Makes the copy, or keeps what is lasting: that, or a note beside it that there is no such file.
 * False: it cannot be told whether there is one, or it cannot be kept. */
static bool make_copy(struct arena *in, const char *origin, const char *to, bool *found,
                      const char **why)
{
    struct buf text = {0};
    const char *absent = arena_printf(in, "%s.absent", to);
    bool lasting = is_lasting(origin), kept = lasting && fs_exists(to);
    const char *told = lasting && !kept ? fs_read(in, absent, NULL) : NULL;
    *found = !told;
    *why = told ? told : "";
    if (kept || told)
        return true;
    bool good = read_remote(in, origin, &text, found, why);
    if (good && *found) {
        good = store(in, to, &text);
        *why = good ? "" : strerror(errno);
    } else if (good) {
        unlink(to);  /* of an earlier run */
        if (lasting) /* fails where nothing of that folder was had: the repository may be private */
            fs_write(absent, *why, strlen(*why));
    }
    buf_free(&text);
    return good;
}

/* *path: the copy, NULL: there is no such file, *why says who says so. False: it cannot be told. */
static bool fetch(struct workflow *w, const char *origin, const char **path, const char **why)
{
    struct flow_state *flow = w->flow;
    uint32_t *known = map_at(&flow->copies, intern_str(w->names, origin));
    if (*known) {
        *path = flow->copy.at[*known - 1].path;
        *why = flow->copy.at[*known - 1].why;
        return true;
    }
    struct arena in = {0};
    const char *to = copy_path(w, origin);
    bool found, good = make_copy(&in, origin, to, &found, why);
    *why = arena_str(&w->arena, *why);
    *path = good && found ? to : NULL;
    if (good) {
        struct source_copy copy = {*path, *why};
        vec_push(&flow->copy, copy);
        *known = flow->copy.len;
    }
    arena_free(&in);
    return good;
}

char *origin_read(struct workflow *w, const char *origin, size_t *len, const char **why)
{
    const char *path = origin;
    struct buf raw = {0};
    bool found;
    char *text = NULL;
    if (!origin_is_remote(origin) || (is_lasting(origin) && fetch(w, origin, &path, why) && path)) {
        text = fs_read(&w->arena, path, len);
        *why = text ? "" : strerror(errno);
    } else if (read_remote(&w->arena, origin, &raw, &found, why) && found) {
        text = arena_copy(&w->arena, buf_text(&raw), raw.len);
        *len = raw.len;
    }
    buf_free(&raw);
    return text;
}

static bool cannot_open(struct workflow *w, const char *origin, const char *why)
{
    flow_raise(w, "WorkflowError", "Failed to open source file %s: %s",
               http_shown(&w->arena, origin), why);
    return false;
}

bool origin_find(struct workflow *w, const char *origin, const char **path)
{
    const char *why = "";
    *path = origin_is_remote(origin) || fs_exists(origin) ? origin : NULL;
    return !origin_is_remote(origin) || fetch(w, origin, path, &why) || cannot_open(w, origin, why);
}

const char *origin_local(struct workflow *w, const char *origin)
{
    const char *path = NULL, *why = "";
    if (!origin_is_remote(origin))
        return origin;
    if (!fetch(w, origin, &path, &why) || !path)
        cannot_open(w, origin, why);
    return path;
}
