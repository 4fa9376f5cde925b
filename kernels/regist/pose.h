/* SPDX-License-Identifier: MIT
 *
 * pose.h: what an image that does not fit looks like: the reference turned by quarters of a
 * circle, mirrored, or with pixels of half or twice the size. Such an image was written or taken in
 * another way, which is to be mended there; no map of this kind is ever used. */
#pragma once

#include "regist/task.h"

/* Adds to a refusal's reason in which of these poses the task's image would fit clearly better, if
 * there is one. */
void regist_suggest_pose(struct task *t);
