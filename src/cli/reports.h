// SPDX-License-Identifier: MIT
/* reports.h: --report and its relatives. */
#pragma once

#include "cli/session.h"

/* Makes the report of the session's graph; the exit status. */
int make_report(struct session *s);
