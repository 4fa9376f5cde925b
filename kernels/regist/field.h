/* SPDX-License-Identifier: MIT
 *
 * field.h: the displacement field that is left after the affine map. */
#pragma once

#include "regist/task.h"

/* Finds it for the map in the task's result, whose map, field and numbers about it are filled in;
 * none where none is wanted or needed, or where it folds. */
void regist_find_field(struct task *t);
