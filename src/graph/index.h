// SPDX-License-Identifier: MIT
/* index.h: which rules make a path. Plain outputs stand in a table by symbol; patterns in a trie of
 * the literal text behind their last wildcard, read backwards, so that a path meets only patterns
 * whose end fits; then the literal beginning is compared, then the pattern itself matches. */
#pragma once

#include "flow/workflow.h"

struct index;

/* Over all rules of the workflow (products: output, log, benchmark). */
struct index *index_new(const struct workflow *workflow);
void index_free(struct index *index);

struct index_hit {
    rule_id rule;
    struct pattern *pattern; /* the product that fits at both ends */
};
/* Candidates for path, rules in order of definition, a rule once per fitting product. The array is
 * the index's own, valid until the next call. */
const struct index_hit *index_find(struct index *index, sym_t path, uint32_t *n);
