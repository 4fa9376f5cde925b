// SPDX-License-Identifier: MIT
#include "run/deploy.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/tool.h"
#include "run/deploy_inner.h"

struct deploy *deploy_new(struct workflow *workflow, void (*say)(void *user, const char *text),
                          void *user)
{
    struct deploy *deploy = memory_zeroed(1, sizeof *deploy);
    *deploy = (struct deploy){.workflow = workflow, .say = say, .user = user};
    return deploy;
}

void deploy_free(struct deploy *deploy)
{
    if (!deploy)
        return;
    vec_free(&deploy->condas);
    map_free(&deploy->made);
    map_free(&deploy->pythons);
    arena_free(&deploy->arena);
    free(deploy);
}

void deploy_say(struct deploy *deploy, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    deploy->say(deploy->user, buf_text(&text));
    buf_free(&text);
}

bool deploy_run(const char *what, const char *command, struct buf *why)
{
    struct buf out = {0};
    int status;
    tool_run("bash", command, true, &out, &status);
    if (status)
        buf_printf(why, "%s:\nCommand (exit status %d):\n%s\nOutput:\n%s", what, status, command,
                   buf_text(&out));
    buf_free(&out);
    return !status;
}

bool deploy_make(struct deploy *deploy, const struct software *software, bool only_tell,
                 struct buf *why)
{
    const char *key = arena_printf(&deploy->arena, "%d %s\n%s", software->conda,
                                   software->env ? software->env : "",
                                   software->image ? software->image : "");
    if (map_find(&deploy->made, hash_key_of(key)))
        return true;
    if (software->image && !container_pull(deploy, software->image, only_tell, why))
        return false;
    if (software->conda && !conda_make(deploy, software, only_tell, why))
        return false;
    map_set(&deploy->made, hash_key_of(key), 1);
    return true;
}

/* ---- commands ---- */

static void add_modules(struct buf *text, const struct software *software)
{
    buf_str(text, "type module >/dev/null 2>&1 || { echo 'the rule needs environment modules, but "
                  "there is no command `module` in this shell' >&2; exit 127; }; ");
    buf_str(text, "module purge && MODULES_VERBOSITY=concise module load");
    for (uint32_t i = 0; i < software->nmodules; i++)
        buf_printf(text, " %s", software->module[i]);
    buf_str(text, "; ");
}

static bool add_activation(struct deploy *deploy, const struct software *software, struct buf *text,
                           struct buf *why)
{
    const struct conda_tool *tool = conda_tool(deploy, software, why);
    const char *address = tool ? conda_address(deploy->workflow, software, &deploy->arena) : NULL;
    if (tool && !address)
        buf_printf(why, "cannot read the conda environment '%s': %s", software->env,
                   strerror(errno));
    if (!address)
        return false;
    if (!deploy->workflow->options.software.keep_search_paths)
        buf_str(text, "unset R_LIBS PYTHONPATH PERLLIB PERL5LIB; ");
    buf_printf(text, "%s %s; ", tool->activate, path_quoted(&deploy->arena, address));
    return true;
}

bool deploy_wrap(struct deploy *deploy, const struct software *software, const char *cwd,
                 const char *script_dir, struct arena *in, struct software_wrap *out,
                 struct buf *why)
{
    struct buf before = {0};
    const char *shell = workflow_shell_executable(deploy->workflow);
    bool good = !software->conda || add_activation(deploy, software, &before, why);
    if (software->nmodules && deploy->workflow->options.software.modules)
        add_modules(&before, software);
    out->before = arena_copy(in, buf_text(&before), before.len);
    out->container = NULL;
    if (good && software->image && (good = container_find(deploy, why)))
        out->container = container_exec(deploy, software->image, cwd, script_dir, shell, false, in);
    buf_free(&before);
    return good;
}

/* Activation and modules put their programs at the front of PATH. */
bool deploy_has_python(struct deploy *deploy, const struct software_wrap *wrap)
{
    if (wrap->container)
        return true;
    if (!*wrap->before)
        return false;
    uint32_t *known = map_at(&deploy->pythons, hash_key_of(wrap->before));
    if (!*known) {
        struct buf out = {0};
        int status;
        const char *command = arena_printf(
            &deploy->arena,
            "%s \"${PATH%%%%:*}/python\" -c 'import sys; sys.exit(sys.version_info < (3, 7))'",
            wrap->before);
        tool_run("bash", command, true, &out, &status);
        *known = 1 + !status;
        buf_free(&out);
    }
    return *known == 2;
}
