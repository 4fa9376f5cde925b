// SPDX-License-Identifier: MIT
#include "exec/generic_script.h"

#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "exec/shell.h"

static const char usual_jobscript[] = "#!/bin/sh\n# properties = {properties}\n{exec_job}\n";

void script_exports(const struct launch *launch, struct buf *out)
{
    for (const char *const *env = launch->env; env && *env; env++) {
        const char *equals = strchr(*env, '=');
        buf_printf(out, "export %.*s=", (int)(equals - *env), *env);
        buf_shell_word(out, equals + 1);
        buf_char(out, '\n');
    }
    if (launch->tmpdir) {
        buf_str(out, "mkdir -p -- ");
        buf_shell_word(out, launch->tmpdir);
        buf_char(out, '\n');
    } else {
        buf_str(out, "[ -d \"${TMPDIR-}\" ] && [ -w \"$TMPDIR\" ] || TMPDIR=/tmp\n"
                     "export TMPDIR TMP=\"$TMPDIR\" TEMP=\"$TMPDIR\" TEMPDIR=\"$TMPDIR\"\n");
    }
}

static void add_argv(const char *const *argv, struct buf *out)
{
    for (; *argv; argv++) {
        buf_shell_word(out, *argv);
        buf_char(out, argv[1] ? ' ' : '\n');
    }
}

bool script_command(const struct launch *launch, const char *body, bool last, struct buf *out)
{
    if (launch->precommand)
        buf_printf(out, "%s &&\n", launch->precommand);
    if (last)
        buf_str(out, "exec ");
    if (!launch->shell) {
        add_argv(launch->argv, out);
        return true;
    }
    bool is_long = strlen(launch->shell) > SHELL_ARGUMENT_MAX;
    if (is_long && !fs_write(body, launch->shell, strlen(launch->shell)))
        return false;
    buf_shell_word(out, launch->program ? launch->program : shell_program());
    buf_str(out, is_long ? " " : " -c ");
    buf_shell_word(out, is_long ? body : launch->shell);
    buf_char(out, '\n');
    return true;
}

/* A scheduler may start the same attempt once more. */
static const char claim[] =
    "\n"
    "if ! (set -C; echo begun >\"$kf_claim\") 2>/dev/null; then\n"
    "    kf_is=; read -r kf_is 2>/dev/null <\"$kf_claim\"\n"
    "    case $kf_is in\n"
    "    begun) ;;\n"
    "    revoked*) echo 'kintsugi-flow: this attempt was given up before it began' >&2; exit 0 ;;\n"
    "    *) echo \"kintsugi-flow: $kf_claim cannot be written\" >&2; exit 1 ;;\n"
    "    esac\n"
    "fi\n";

/* The text that stands for {exec_job}. Its last command has the job's exit status. */
static bool add_job(const struct launch *launch, const struct script_paths *paths, struct buf *out)
{
    struct arena scratch = {0};
    buf_str(out, "cd ");
    buf_shell_word(out, launch->cwd ? launch->cwd : fs_cwd(&scratch));
    buf_str(out, " && {\nkf_claim=");
    buf_shell_word(out, paths->claim);
    buf_str(out, claim);
    script_exports(launch, out);
    bool good = script_command(launch, paths->body, false, out);
    buf_str(out, "}\njob_status=$?\nif [ $job_status -eq 0 ]; then touch ");
    buf_shell_word(out, paths->finished);
    buf_str(out, "; else echo $job_status > ");
    buf_shell_word(out, paths->failed);
    buf_str(out, "; (exit $job_status); fi");
    arena_free(&scratch);
    return good;
}

static bool starts(const char *text, const char *word)
{
    return !strncmp(text, word, strlen(word));
}

/* Braces are doubled in a jobscript where they mean themselves. */
bool generic_script(const struct launch *launch, const char *jobscript,
                    const struct script_paths *paths, struct buf *out)
{
    bool good = true;
    for (const char *at = jobscript ? jobscript : usual_jobscript; *at; at++) {
        if (starts(at, "{{") || starts(at, "}}")) {
            buf_char(out, *at++);
        } else if (starts(at, "{properties}")) {
            buf_str(out, launch->properties ? launch->properties : "{}");
            at += strlen("{properties}") - 1;
        } else if (starts(at, "{exec_job}")) {
            good &= add_job(launch, paths, out);
            at += strlen("{exec_job}") - 1;
        } else {
            buf_char(out, *at);
        }
    }
    buf_char(out, '\n');
    return good;
}
