/* SPDX-License-Identifier: MIT
 *
 * part.h: a file that is there whole or not at all. It is written beside its name, as
 * NAME.WHERE-PID-START-COUNT.part, and renamed when its bytes are on the disk. WHERE tells the
 * machine as it has been since its start, START the process of that PID: what a process has left
 * that was killed is told from what one writes.
 *
 *     struct kin_part part;
 *     if (!kin_part_open(&part, path, err))
 *         return false;
 *     fprintf(part.file, ...);
 *     return kin_part_close(&part, true, err); */
#pragma once

#include "kintsugi.h"

#include <stdio.h>

struct kin_part {
    FILE *file;        /* to be written to; closed by kin_part_close */
    char *path, *name; /* the final and the temporary one, owned */
};

/* Whether something has that name, as far as can be seen: a link that leads nowhere is there, and
 * so is what may not be looked at. */
bool kin_is_taken(const char *path);

/* A temporary name beside a path that no other process and no other file of this one has; the
 * caller's. NULL: no memory. */
char *kin_part_name(const char *path);

/* Removes the files of such names from a directory whose process has ended. Of processes on other
 * machines nobody can tell: theirs, and any other *.part, go when nothing has been written to them
 * for a week. */
void kin_part_sweep(const char *dir);

/* False: the file cannot be made; there is nothing to close then. */
bool kin_part_open(struct kin_part *part, const char *path, struct kin_error *err);

/* Puts the file in its place if good (all of it has been written); removes it if not, or if any
 * write failed: what stood under the name before is still there. False: it was not put there; err,
 * if it holds nothing yet, says what the system said. */
bool kin_part_close(struct kin_part *part, bool good, struct kin_error *err);

/* The whole of it: text, under that name. */
bool kin_write_text(const char *path, const char *text, struct kin_error *err);
