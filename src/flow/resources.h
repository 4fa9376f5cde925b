// SPDX-License-Identifier: MIT
/* resources.h: units of resources and where their values come from: built-in defaults,
 * --default-resources, the rule, --set-resources. */
#pragma once

#include "flow/ruleinfo.h"
#include "flow/units.h"

struct workflow;
struct job_eval;

/* What a resource's name says about its values. */
enum resource_unit { UNIT_PLAIN, UNIT_SIZE, UNIT_MB, UNIT_MIB, UNIT_TIME };

/* Reads --default-resources, --set-resources, --set-threads and --resources. False: complained or
 * raised. */
bool resources_options(struct workflow *w);
/* Whether a rule has that resource only because --default-resources gives it to all. */
bool resource_is_default(struct workflow *w, const struct rule *rule, const char *name);
/* rule->resources becomes the dict of all its resources: sizes under their _mb names, values not
 * yet evaluated. given: the rule's own, or NULL. False: raised. */
bool resources_merge(struct workflow *w, struct rule *rule, const struct given *given,
                     bool handover);
/* The function inside a stored one, and what its result is to be converted from; v itself if it is
 * none. */
value resource_function(value v, enum resource_unit *unit);
/* A result brought to megabytes, minutes or a whole number. NO_VALUE: raised. */
value resource_convert(struct workflow *w, const char *name, value v, enum resource_unit unit);
/* Whether v is one. */
bool is_resource_expression(value v);
/* The value of such an expression with these names (a dict). NO_VALUE: raised. */
value resource_expression_value(struct workflow *w, value v, value names);
/* Where temporary files go: $TMPDIR, $TEMP, $TMP, /tmp, ... */
const char *resource_tmpdir(void);
