// SPDX-License-Identifier: MIT
/* shell.c: command texts and environments. */
#include "exec/shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/tool.h"

extern char **environ;

const char *shell_program(void)
{
    static const char *found;
    if (!found)
        found = tool_on_path("bash") ? "bash" : "sh";
    return found;
}

char *shell_script(struct arena *in, const char *dir, const char *command)
{
    char *folder = path_join(in, dir, ".snakemake/shell_tmp.XXXXXX");
    if (!fs_make_parent(folder) || !mkdtemp(folder))
        return NULL;
    char *path = path_join(in, folder, "script.sh");
    if (fs_write(path, command, strlen(command)))
        return path;
    int error = errno;
    rmdir(folder);
    errno = error;
    return NULL;
}

void shell_script_remove(const char *path)
{
    struct arena scratch = {0};
    unlink(path);
    rmdir(path_dirname(&scratch, path));
    arena_free(&scratch);
}

/* "NAME=text". Every job has a dozen of them. */
static const char *setting(struct arena *in, const char *name, const char *text)
{
    size_t name_len = strlen(name), text_len = strlen(text);
    char *all = arena_alloc(in, name_len + text_len + 2);
    memcpy(all, name, name_len);
    all[name_len] = '=';
    memcpy(all + name_len + 1, text, text_len);
    return all;
}

const char *const *shell_environment(struct arena *in, int threads, const char *tmpdir)
{
    static const char *const counts[] = {"OMP_NUM_THREADS",        "GOTO_NUM_THREADS",
                                         "OPENBLAS_NUM_THREADS",   "MKL_NUM_THREADS",
                                         "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"};
    static const char *const dirs[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
    enum { COUNTS = sizeof counts / sizeof *counts, DIRS = sizeof dirs / sizeof *dirs };
    const char **env = arena_array(in, const char *, COUNTS + DIRS + 1);
    char number[16];
    int n = 0;
    snprintf(number, sizeof number, "%d", threads);
    for (int i = 0; i < COUNTS; i++)
        env[n++] = setting(in, counts[i], number);
    for (int i = 0; tmpdir && i < DIRS; i++)
        env[n++] = setting(in, dirs[i], tmpdir);
    return env;
}

static bool is_replaced(const char *variable, const char *const *additions)
{
    size_t len = strcspn(variable, "=");
    for (; *additions; additions++) {
        if (**additions == *variable && !strncmp(*additions, variable, len) &&
            (*additions)[len] == '=')
            return true;
    }
    return false;
}

const char *const *shell_merge_environment(struct arena *in, const char *const *additions)
{
    size_t have = 0, more = 0, n = 0;
    while (environ[have])
        have++;
    while (additions[more])
        more++;
    const char **env = arena_array(in, const char *, have + more + 1);
    for (size_t i = 0; i < have; i++) {
        if (!is_replaced(environ[i], additions))
            env[n++] = environ[i];
    }
    memcpy(env + n, additions, more * sizeof *env);
    return env;
}
