// SPDX-License-Identifier: MIT
/* deploy_container.c: images through apptainer or singularity. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/tool.h"
#include "run/deploy_inner.h"
#include "run/litter.h"

bool container_find(struct deploy *deploy, struct buf *why)
{
    if (!deploy->apptainer)
        deploy->apptainer = tool_on_path("apptainer")     ? "apptainer"
                            : tool_on_path("singularity") ? "singularity"
                                                          : NULL;
    if (!deploy->apptainer)
        buf_str(why, "The apptainer or singularity command has to be available in order to use "
                     "apptainer/singularity integration; neither is on PATH");
    return deploy->apptainer;
}

bool container_pull(struct deploy *deploy, const char *image, bool only_tell, struct buf *why)
{
    const char *dir = deploy->workflow->options.software.image_dir;
    const char *path = container_path(deploy->workflow, image, &deploy->arena);
    struct buf command = {0};
    if (strpbrk(image, " \t\n")) {
        buf_printf(why, "Invalid singularity image URL containing whitespace: '%s'", image);
        return false;
    }
    if (!container_find(deploy, why))
        return false;
    if (container_is_local(image) || fs_exists(path))
        return true;
    if (only_tell) {
        deploy_say(deploy, "Singularity image %s will be pulled.", image);
        return true;
    }
    deploy_say(deploy, "Pulling singularity image %s.", image);
    if (!fs_mkdirs(dir)) {
        buf_printf(why, "cannot make '%s': %s", dir, strerror(errno));
        return false;
    }
    /* Under another name until it is whole: a kill leaves no half image, and of runs that share the
     * folder none is in the way of another. */
    const char *part = arena_printf(&deploy->arena, "%ld.%s", (long)getpid(), path_basename(path));
    litter_note(deploy->workflow->workdir, path_join(&deploy->arena, dir, part));
    buf_printf(&command, "cd %s && %s pull --name %s %s && mv -f %s %s",
               path_quoted(&deploy->arena, dir), deploy->apptainer, part,
               path_quoted(&deploy->arena, image), part, path_basename(path));
    const char *what = arena_printf(&deploy->arena, "Failed to pull singularity image from %s",
                                    image);
    bool good = deploy_run(what, buf_text(&command), why);
    if (!good)
        unlink(path_join(&deploy->arena, dir, part));
    buf_free(&command);
    return good;
}

static void add_option(struct buf *text, const char *option, const char *path)
{
    buf_printf(text, " %s ", option);
    buf_shell_word(text, path);
}

/* The container sees the working directory; of what lies elsewhere a job may need the folder of its
 * script and of what workflow.source_path() named. */
static void add_binds(const struct workflow *workflow, const char *script_dir, struct buf *text)
{
    if (script_dir && !path_inside(script_dir, workflow->workdir))
        add_option(text, "--bind", script_dir);
    for (uint32_t i = 0; i < workflow->source_dirs.len; i++) {
        const char *dir = workflow->source_dirs.at[i];
        bool seen = path_inside(dir, workflow->workdir) || (script_dir && !strcmp(dir, script_dir));
        if (!seen && fs_is_dir(dir)) /* apptainer refuses to bind what is not there */
            add_option(text, "--bind", dir);
    }
}

const char *container_exec(struct deploy *deploy, const char *image, const char *cwd,
                           const char *script_dir, const char *shell, bool quiet, struct arena *in)
{
    struct buf text = {0};
    const char *args = deploy->workflow->options.software.image_args;
    const char *home = deploy->workflow->workdir;
    const char *path = container_path(deploy->workflow, image, in);
    buf_printf(&text, "%s%s exec", deploy->apptainer, quiet ? " --quiet --silent" : "");
    add_option(&text, "--home", home);
    buf_printf(&text, "%s%s", *args ? " " : "", args);
    add_binds(deploy->workflow, script_dir, &text);
    if (cwd)
        add_option(&text, "--pwd", cwd);
    buf_char(&text, ' ');
    buf_shell_word(&text, path);
    buf_printf(&text, " %s -c", path_basename(shell));
    const char *copy = arena_copy(in, text.at, text.len);
    buf_free(&text);
    return copy;
}
