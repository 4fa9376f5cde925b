// SPDX-License-Identifier: MIT
/* packing.h: --archive and --containerize: a workflow on its way to another machine. */
#pragma once

#include "cli/session.h"

/* Packs sources, inputs that no job makes, and the packages of environments into a tar file; the
 * exit status. */
int pack_archive(struct session *s);
/* Prints the recipe of an image that holds all environments; the exit status. */
int pack_container(struct session *s);
