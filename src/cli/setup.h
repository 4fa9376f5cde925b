// SPDX-License-Identifier: MIT
/* setup.h: a session is set up layer by layer, and closed in reverse. */
#pragma once

#include "cli/session.h"

/* Reads the command line and profiles, and says on stderr which; again: that was said before.
 * False: diagnostics; the exit status is EXIT_USAGE. */
bool setup_open(struct session *s, const char *self, bool again, int argc, const char *const *argv);
/* Finds and reads the workflow, in its directory. readonly: if that is not there it is made for now
 * only, and a warning says so. */
bool setup_load(struct session *s, bool readonly);
/* The records; readonly: there may be none. */
bool setup_state(struct session *s, bool readonly);
/* Targets, graph, times, decision. */
bool setup_build(struct session *s, bool readonly);
void setup_close(struct session *s);
