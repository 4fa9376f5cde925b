// SPDX-License-Identifier: MIT
/* touch.h: --touch accepts jobs as they are now: what they have made is marked as up to date. */
#pragma once

#include "cli/session.h"

/* Marks existing outputs of jobs that would run as up to date, renews their records, and removes
 * temporary files that nobody needs any more; the exit status. Diagnostics may be left to print. */
int touch(struct session *s);
