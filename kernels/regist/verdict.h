/* SPDX-License-Identifier: MIT
 *
 * verdict.h: what a map is worth: how well the blocks and the whole images fit with it, and
 * whether it is to be refused. */
#pragma once

#include "regist/task.h"

/* Fills in what the blocks and, by another method, the whole images say of the result's map. */
void regist_judge(struct task *t);

bool regist_is_too_far(const struct regist *r, const double t[2]);
bool regist_fits_elsewhere(const struct regist_result *result);

/* Sets refused and why by those numbers. */
void regist_refuse_or_accept(const struct regist *r, struct regist_result *result);
