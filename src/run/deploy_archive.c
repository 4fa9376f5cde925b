// SPDX-License-Identifier: MIT
/* deploy_archive.c: the packages of an environment, kept under .snakemake/conda-archive/HASH with
 * their list, so that the environment can be made again without a network. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/http.h"
#include "base/path.h"
#include "base/tool.h"
#include "run/deploy_inner.h"

static bool fetch_package(struct deploy *deploy, const char *url, const char *dir, struct buf *list,
                          struct buf *why)
{
    struct arena in = {0};
    const char *reason = "";
    char *name = arena_str(&in, path_basename(url));
    name[strcspn(name, "#?")] = 0;
    size_t len = 0;
    const char *local = strncmp(url, "file://", 7) ? NULL : url + 7;
    deploy_say(deploy, "%s", url);
    const char *bytes = local ? fs_read(&in, local, &len) : http_read(&in, url, &len, &reason);
    bool good = bytes && fs_write(path_join(&in, dir, name), bytes, len);
    if (!good)
        buf_printf(why, "Error downloading conda package %s: %s", url,
                   bytes || local ? strerror(errno) : reason);
    buf_printf(list, "%s\n", name);
    arena_free(&in);
    return good;
}

/* Each line of `conda list --explicit` that is no comment. */
static bool fetch_all(struct deploy *deploy, char *lines, const char *dir, struct buf *why)
{
    struct buf list = {0};
    bool good = true;
    char *rest;
    for (char *line = strtok_r(lines, "\r\n", &rest); good && line;
         line = strtok_r(NULL, "\r\n", &rest))
        if (*line != '#' && *line != '@')
            good = fetch_package(deploy, line, dir, &list, why);
    good = good &&
           fs_write(path_join(&deploy->arena, dir, "packages.txt"), buf_text(&list), list.len);
    buf_free(&list);
    return good;
}

const char *deploy_archive(struct deploy *deploy, const struct software *software, struct buf *why)
{
    struct arena *in = &deploy->arena;
    struct buf out = {0};
    const char *hash = conda_hash(deploy->workflow, software, false, in);
    const char *address = conda_address(deploy->workflow, software, in);
    const char *dir = arena_printf(in, ".snakemake/conda-archive/%s", hash ? hash : "");
    const struct conda_tool *tool = conda_tool(deploy, software, why);
    if (!tool || !hash || !address || fs_exists(dir))
        return tool && hash ? dir : NULL;
    deploy_say(deploy, "Downloading packages for conda environment %s...",
               conda_shown(deploy->workflow, software, in));
    int status;
    tool_run(
        "bash",
        arena_printf(in, "%s list --explicit --prefix %s", tool->program, path_quoted(in, address)),
        false, &out, &status);
    bool good = !status && fs_mkdirs(dir) &&
                fetch_all(deploy, out.at ? out.at : (char[]){0}, dir, why);
    if (status)
        buf_printf(why, "Error exporting conda packages of %s (exit status %d)", address, status);
    buf_free(&out);
    if (!good)
        fs_remove_tree(dir);
    return good ? dir : NULL;
}
