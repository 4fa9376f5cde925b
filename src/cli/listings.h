// SPDX-License-Identifier: MIT
/* listings.h: what prints names of files and does nothing else: --list-changes and its kin,
 * --list-untracked. Each returns the exit status. */
#pragma once

#include "cli/session.h"

/* Outputs whose record differs from what the job is now, by a reason (--list-changes). */
int list_changes(struct session *s, uint16_t reason);
/* The reason that the word of --list-changes names. */
uint16_t list_changes_reason(struct session *s);
/* Files below the working directory that no job knows. */
int list_untracked(struct session *s);
