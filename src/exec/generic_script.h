// SPDX-License-Identifier: MIT
/* generic_script.h: the job script that a site's submit command gets: shell text that needs nothing
 * but a shell where it runs. */
#pragma once

#include "base/buf.h"
#include "exec/exec.h"

struct script_paths {
    const char *claim; /* made when it begins; an attempt whose claim is taken does nothing */
    const char *finished, *failed; /* made when the job ends; the second holds its exit status */
    const char *body;              /* where a command goes that is too long for an argument */
};

/* Adds the whole script of a launch to out. False with errno: the long command could not be
 * written. */
bool generic_script(const struct launch *launch, const char *jobscript,
                    const struct script_paths *paths, struct buf *out);

/* Parts of such a script. */
/* Adds "export K=V" for each variable of a launch, and what gives it a directory for temporary
 * files. */
void script_exports(const struct launch *launch, struct buf *out);
/* Adds the command of a launch and a newline, behind what runs before it; one that is too long for
 * an argument is written to the file body. last: it takes the shell's place. False with errno. */
bool script_command(const struct launch *launch, const char *body, bool last, struct buf *out);
