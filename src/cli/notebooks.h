// SPDX-License-Identifier: MIT
/* notebooks.h: --draft-notebook and --edit-notebook: one notebook in the hands of its author. */
#pragma once

#include "cli/session.h"

/* Whether one was given; its file is then the only target, made anew if it is to be edited. */
bool notebook_is_asked_for(struct session *s);
/* Carries it out on the built graph; the exit status. */
int notebook_work(struct session *s);
