// SPDX-License-Identifier: MIT
/* lint.h: hints on a workflow's style. To add one: a row in text_checks, or a function and its row
 * in rule_checks (lint.c). */
#pragma once

#include "base/buf.h"
#include "flow/workflow.h"

/* Adds all hints, as text or as JSON in the form of Snakemake's linter; how many there are. */
uint32_t lint_workflow(struct workflow *workflow, bool json, struct buf *out);
