// SPDX-License-Identifier: MIT
/* deploy_conda.c: environments through conda, mamba or micromamba. An environment ADDRESS has
 * beside it ADDRESS.yaml (or .pin.txt), what it was made from, and, when it is complete,
 * ADDRESS.env_setup_done; one without is made again. ADDRESS.making names the process that
 * makes it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/path.h"
#include "base/tool.h"
#include "run/deploy_inner.h"
#include "state/keeper.h"

enum { LEAST_MAJOR = 24, LEAST_MINOR = 7 };

/* ---- the tool ---- */

/* A command as it runs where the conda is. */
static const char *inside(struct deploy *deploy, const char *image, const char *command, bool quiet)
{
    if (!image)
        return command;
    struct software_wrap wrap = {
        .before = "",
        .container = container_exec(deploy, image, NULL, NULL, "sh", quiet, &deploy->arena)};
    return software_command(&deploy->arena, &wrap, command);
}

static bool is_old(const char *version)
{
    char *end;
    long major = strtol(version, &end, 10), minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR);
}

/* conda tells of itself in JSON. */
static bool ask_conda(struct deploy *deploy, struct conda_tool *tool, struct buf *why)
{
    struct buf out = {0};
    const char *command = inside(deploy, tool->image, "conda info --json", true);
    int status;
    tool_run("bash", command, false, &out, &status);
    const struct json *info = status ? NULL
                                     : json_parse(&deploy->arena, buf_text(&out), out.len, NULL);
    const char *prefix = json_text(json_get(info, "conda_prefix"), "");
    const char *version = json_text(json_get(info, "conda_version"), "0");
    buf_free(&out);
    if (!*prefix) {
        buf_printf(why,
                   "Error running conda info (exit status %d). Is conda installed and "
                   "accessible%s?",
                   status, tool->image ? " in the container image" : "");
        return false;
    }
    if (is_old(version)) {
        buf_printf(why, "Conda must be version %d.%d.1 or later, found version %s.", LEAST_MAJOR,
                   LEAST_MINOR, version);
        return false;
    }
    const char *script = path_join(&deploy->arena, prefix, "bin/activate");
    tool->activate = arena_printf(&deploy->arena, "source %s", path_quoted(&deploy->arena, script));
    return true;
}

static bool find_tool(struct deploy *deploy, struct conda_tool *tool, struct buf *why)
{
    tool->program = tool->image || tool_on_path("conda") ? "conda"
                    : tool_on_path("mamba")              ? "mamba"
                    : tool_on_path("micromamba")         ? "micromamba"
                                                         : NULL;
    if (!tool->program) {
        buf_str(why, "conda environments need the command conda, mamba or micromamba, and none of "
                     "them is on PATH");
        return false;
    }
    if (!strcmp(tool->program, "conda"))
        return ask_conda(deploy, tool, why);
    tool->activate = arena_printf(&deploy->arena,
                                  "eval \"$(%s shell hook --shell bash)\"; %s activate",
                                  tool->program, tool->program);
    return true;
}

const struct conda_tool *conda_tool(struct deploy *deploy, const struct software *software,
                                    struct buf *why)
{
    for (uint32_t i = 0; i < deploy->condas.len; i++) {
        const char *image = deploy->condas.at[i].image;
        if (image == software->image ||
            (image && software->image && !strcmp(image, software->image)))
            return &deploy->condas.at[i];
    }
    struct conda_tool tool = {.image = software->image ? arena_str(&deploy->arena, software->image)
                                                       : NULL};
    if (!find_tool(deploy, &tool, why))
        return NULL;
    vec_push(&deploy->condas, tool);
    return &deploy->condas.at[deploy->condas.len - 1];
}

/* ---- making one ---- */

/* An environment that is being made. */
struct making {
    struct deploy *deploy;
    const struct conda_tool *tool;
    const struct software *software;
    const char *address;
    struct buf *why;
};

static bool copy_beside(struct making *m, const char *from, const char *to)
{
    size_t len;
    const char *text = fs_read(&m->deploy->arena, from, &len);
    if (text && fs_write(to, text, len))
        return true;
    buf_printf(m->why, "cannot copy '%s' to '%s': %s", from, to, strerror(errno));
    return false;
}

static bool run_tool(struct making *m, const char *command)
{
    struct arena *in = &m->deploy->arena;
    const char *what = arena_printf(in, "Could not create conda environment from %s",
                                    m->software->env);
    const char *whole = inside(m->deploy, m->tool->image, command, false);
    if (m->tool->image) /* packages are not unpacked in the image, nor where others may put some */
        whole = arena_printf(in,
                             "kf_pkgs=$(mktemp -d /tmp/conda.XXXXXXXXXX) || exit\n"
                             "trap 'rm -rf -- \"$kf_pkgs\"' EXIT\n"
                             "APPTAINERENV_CONDA_PKGS_DIRS=$kf_pkgs "
                             "SINGULARITYENV_CONDA_PKGS_DIRS=$kf_pkgs %s",
                             whole);
    return deploy_run(what, whole, m->why);
}

/* From a file, which is copied beside it: the list of a pin file, or the definition. */
static bool create_from(struct making *m, const char *file, bool pinned)
{
    struct arena *in = &m->deploy->arena;
    bool conda = !strcmp(m->tool->program, "conda");
    const char *copy = arena_printf(in, "%s.%s", m->address, pinned ? "pin.txt" : "yaml");
    if (!copy_beside(m, file, copy))
        return false;
    deploy_say(m->deploy, "Downloading and installing remote packages.");
    const char *command = arena_printf(
        in, "%s%s %screate --quiet %s--file %s --prefix %s%s",
        m->tool->image ? "conda config --set channel_priority strict && " : "", m->tool->program,
        conda && !pinned ? "env " : "", conda ? "--no-default-packages " : "",
        path_quoted(in, copy), path_quoted(in, m->address), conda && !pinned ? "" : " --yes");
    return run_tool(m, command);
}

/* From the packages that --archive has kept, in their order. */
static bool create_from_archive(struct making *m, const char *archive)
{
    struct arena *in = &m->deploy->arena;
    struct buf command = {0};
    char *list = fs_read(in, path_join(in, archive, "packages.txt"), NULL), *rest;
    deploy_say(m->deploy, "Installing archived conda packages.");
    buf_printf(&command, "%s create --quiet --yes --no-default-packages --prefix %s",
               m->tool->program, path_quoted(in, m->address));
    for (char *name = list ? strtok_r(list, "\r\n", &rest) : NULL; name;
         name = strtok_r(NULL, "\r\n", &rest)) {
        buf_printf(&command, " %s", path_quoted(in, path_join(in, archive, name)));
    }
    bool good = run_tool(m, buf_text(&command));
    buf_free(&command);
    return good;
}

static bool create(struct making *m)
{
    struct arena *in = &m->deploy->arena;
    const char *pin = conda_pin_file(in, m->software->env);
    const char *hash = conda_hash(m->deploy->workflow, m->software, false, in);
    const char *archive = arena_printf(in, "%s/.snakemake/conda-archive/%s",
                                       m->deploy->workflow->workdir, hash ? hash : "");
    if (hash && fs_is_dir(archive))
        return create_from_archive(m, archive);
    if (!pin)
        return create_from(m, m->software->env, false);
    deploy_say(m->deploy, "Using pinnings from %s.", pin);
    if (create_from(m, pin, true))
        return true;
    fs_remove_tree(m->address);
    deploy_say(m->deploy,
               "Failed to install conda environment from pin file (%s). Trying regular environment "
               "definition file.\n%s",
               pin, buf_text(m->why));
    buf_reset(m->why);
    return create_from(m, m->software->env, false);
}

static bool clean_up(struct making *m)
{
    const char *cleanup = m->deploy->workflow->options.software.conda_cleanup;
    if (!cleanup)
        return true;
    bool cache = !strcmp(cleanup, "cache");
    deploy_say(m->deploy, "Cleaning up conda package tarballs%s.",
               cache ? " and package cache" : "");
    return run_tool(m, arena_printf(&m->deploy->arena, "%s clean -y --tarballs%s", m->tool->program,
                                    cache ? " --packages" : ""));
}

/* A script beside the definition runs in the new environment, by the program of its first line. */
static bool post_deploy(struct making *m)
{
    struct arena *in = &m->deploy->arena;
    const char *script = conda_deploy_file(in, m->software->env);
    if (!script)
        return true;
    const char *copy = arena_printf(in, "%s.post-deploy.sh", m->address);
    if (!copy_beside(m, script, copy))
        return false;
    const char *text = fs_read(in, copy, NULL), *interpreter = "sh";
    if (text && !strncmp(text, "#!", 2)) {
        const char *from = text + 2 + strspn(text + 2, " ");
        interpreter = arena_copy(in, from, strcspn(from, "\n"));
    }
    deploy_say(m->deploy, "Running post-deploy script %s...",
               path_relative(in, copy, m->deploy->workflow->workdir));
    return deploy_run("The post-deploy script failed",
                      arena_printf(in, "%s %s; %s %s", m->tool->activate,
                                   path_quoted(in, m->address), interpreter, path_quoted(in, copy)),
                      m->why);
}

static bool make(struct making *m)
{
    struct arena *in = &m->deploy->arena;
    const char *shown = conda_shown(m->deploy->workflow, m->software, in);
    deploy_say(m->deploy, "Creating conda environment %s...", shown);
    if (!create(m) || !clean_up(m) || !post_deploy(m)) {
        fs_remove_tree(m->address); /* what is there of it is not to be trusted */
        return false;
    }
    if (!fs_write(conda_done_flag(in, m->address), "", 0)) {
        buf_printf(m->why, "cannot write '%s': %s", conda_done_flag(in, m->address),
                   strerror(errno));
        return false;
    }
    deploy_say(m->deploy, "Environment for %s created (location: %s)", shown,
               path_relative(in, m->address, m->deploy->workflow->workdir));
    return true;
}

/* What is there and not complete was left by a run that is gone. */
static bool make_anew(struct making *m)
{
    bool there = fs_exists(m->address);
    if (there && fs_exists(conda_done_flag(&m->deploy->arena, m->address)))
        return true; /* made while this run waited */
    if (there)
        deploy_say(m->deploy, "Removing incomplete Conda environment %s...",
                   conda_shown(m->deploy->workflow, m->software, &m->deploy->arena));
    unlink(conda_done_flag(&m->deploy->arena, m->address)); /* it speaks of one that was removed */
    if (!there || fs_remove_tree(m->address))
        return make(m);
    buf_printf(m->why, "cannot remove '%s': %s", m->address, strerror(errno));
    return false;
}

/* Says once who has it; what a run that is gone has left makes place. */
static void wait_for_keeper(struct making *m, const char *path, bool *said)
{
    struct keeper keeper;
    bool known = keeper_read(path, &keeper);
    if (known && keeper_is_gone(&keeper))
        keeper_remove_gone(path);
    else if (known && !*said)
        deploy_say(m->deploy,
                   "Waiting for process %ld of %s on %s, which makes conda environment %s (if it "
                   "is gone, remove %s)...",
                   keeper.pid, keeper.user, keeper.host,
                   conda_shown(m->deploy->workflow, m->software, &m->deploy->arena), path);
    *said |= known;
    clock_sleep(100000000);
}

/* Several runs may share the folder of environments: one makes it, the others wait. */
static bool make_alone(struct making *m)
{
    const char *path = arena_printf(&m->deploy->arena, "%s.making", m->address);
    bool said = false, mine = false, good = fs_make_parent(m->address);
    while (good && !mine) {
        mine = keeper_write(path);
        good = mine || errno == EEXIST;
        if (good && !mine)
            wait_for_keeper(m, path, &said);
    }
    if (!good) {
        buf_printf(m->why, "cannot write '%s': %s", path, strerror(errno));
        return false;
    }
    good = make_anew(m);
    unlink(path);
    return good;
}

/* One that the image holds must be there. */
static bool check_inside(struct deploy *deploy, const struct software *software,
                         const char *address, struct buf *why)
{
    const char *command = arena_printf(&deploy->arena, "[ -d %s ]",
                                       path_quoted(&deploy->arena, address));
    if (deploy_run("Unable to find environment in container image. Maybe a conda environment was "
                   "modified without containerizing again (see --containerize)?",
                   inside(deploy, software->image, command, true), why))
        return true;
    return false;
}

bool conda_make(struct deploy *deploy, const struct software *software, bool only_tell,
                struct buf *why)
{
    struct arena *in = &deploy->arena;
    const char *address = conda_address(deploy->workflow, software, in);
    struct making m = {deploy, NULL, software, address, why};
    if (!address) {
        buf_printf(why, "cannot read the conda environment '%s': %s", software->env,
                   strerror(errno));
        return false;
    }
    if (software->conda != CONDA_FILE)
        return true;
    if (software->image && software->containerized)
        return only_tell || check_inside(deploy, software, address, why);
    bool there = fs_exists(address), done = fs_exists(conda_done_flag(in, address));
    const char *shown = conda_shown(deploy->workflow, software, in);
    if (there && done)
        return true;
    if (only_tell) {
        deploy_say(deploy,
                   there ? "Incomplete Conda environment %s will be recreated."
                         : "Conda environment %s will be created.",
                   shown);
        return true;
    }
    m.tool = conda_tool(deploy, software, why);
    return m.tool && make_alone(&m);
}
