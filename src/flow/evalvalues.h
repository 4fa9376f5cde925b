// SPDX-License-Identifier: MIT
/* evalvalues.h: a job's values as Python objects, made when somebody asks. Shared by the jobeval
 * files only. */
#pragma once

#include "flow/deferred.h"
#include "flow/jobeval.h"

/* Makes eval the job being evaluated: what another one held is let go. */
void eval_begin(struct job_eval *eval);
/* Keeps v until another job is evaluated; v itself. */
value eval_hold(struct job_eval *eval, value v);
value eval_seen_wildcards(struct job_eval *eval);
/* Files are plain texts, as bodies and params see them. */
value eval_seen_input(struct job_eval *eval);
value eval_seen_output(struct job_eval *eval);
value eval_seen_log(struct job_eval *eval);
/* The input as all other functions see it: its files can be asked for their size and the like. */
value eval_asked_input(struct job_eval *eval);
/* NO_VALUE: raised (they are evaluated if that has not been done). */
value eval_seen_resources(struct job_eval *eval);
value eval_seen_params(struct job_eval *eval);
/* One of the values a function may ask for. */
enum eval_result eval_aux(struct job_eval *eval, enum aux aux, value *out);
enum { AUX_PLAIN = 1u << AUX_COUNT }; /* with AUX_BIT(INPUT): eval_seen_input() */
/* Calls a function of a directive, and what it returns as long as that is callable. available: bits
 * of enum aux, and AUX_PLAIN. */
enum eval_result eval_call(struct job_eval *eval, value function, uint32_t available, value *out);
/* Notes what failed, for eval_report; EVAL_FAILED. */
enum eval_result eval_failed(struct job_eval *eval, const char *what, struct span span);
/* The place of "{field" in the source of a text, so that the caret points at it; else the whole. */
struct span field_span(const struct workflow *w, struct span span, const char *field, size_t n);
/* Whether the exception in flight is a FileNotFoundError about an input of the job: it has been
 * taken then, and the value is not known yet. */
bool eval_missing_input(struct job_eval *eval);
/* The text that stands for a value not known yet; it absorbs every operation. */
value eval_tbd(struct job_eval *eval);
/* A param as it counts for the params trigger, its repr; NO_VALUE, maybe raised: it does not count.
 * As in Snakemake, values of builtin types do, and of types derived from them; but none that shows
 * where in memory something is, which is another place in each run. */
value eval_param_text(struct vm *vm, value v);
