// SPDX-License-Identifier: MIT
/* unittests.h: --generate-unit-tests. */
#pragma once

#include "cli/session.h"

/* The exit status. */
int make_unit_tests(struct session *s);
