// SPDX-License-Identifier: MIT
/* match.c: the wildcard values by which a rule makes a path, and so which of its jobs it is. */
#include "graph/match.h"

#include <string.h>

static size_t values_length(const struct graph *g, const sym_t *values, uint32_t n)
{
    size_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += sym_len(g->names, values[i]);
    return total;
}

/* The values that the consumer has for the candidate's wildcards, if it has all and they give just
 * this path. */
static bool inherit_values(const struct graph *g, job_id consumer, const struct rule *rule,
                           struct pattern *pattern, sym_t path, sym_t *values)
{
    if (!consumer)
        return false;
    const struct wildcard_names *have = &job_rule(g, consumer)->wildcards;
    for (uint32_t i = 0; i < rule->wildcards.n; i++) {
        uint32_t k = 0;
        while (k < have->n && have->name[k] != rule->wildcards.name[i])
            k++;
        if (k == have->n)
            return false;
        values[i] = job_wildcards(g, consumer)[k];
    }
    return pattern_apply(pattern, g->names, values) == path &&
           pattern_allows(pattern, g->names, values);
}

/* The first output of a job for which path fits pattern: path itself, or 0 if that is not sure. */
static sym_t first_output(const struct graph *g, const struct rule *rule,
                          const struct pattern *pattern, sym_t path)
{
    size_t len = sym_len(g->names, path);
    bool first = rule->output.len && pattern == &rule->output.at[0].pattern;
    return first && len && sym_text(g->names, path)[len - 1] != '/' ? path : 0;
}

/* Whether path fits one of hits[0..n), patterns of one rule. */
static bool is_producer(const struct graph *g, const struct rule *rule,
                        const struct index_hit *hits, uint32_t n, sym_t path, sym_t *values)
{
    struct intern *names = g->names;
    uint32_t i = 0;
    const char *text = sym_text(names, path);
    while (i < n && !pattern_match(hits[i].pattern, names, &rule->wildcards, text,
                                   sym_len(names, path), values))
        i++;
    return i < n;
}

job_id match_rule(struct graph *g, const struct match_room *room, const struct index_hit *hits,
                  uint32_t n, sym_t path, job_id consumer)
{
    const struct rule *rule = g->workflow->rules.at[hits->rule];
    size_t best_length = SIZE_MAX;
    sym_t first = 0;
    bool plain = n == 1 && hits->pattern->fast; /* then the values follow from the path alone */
    job_id known = plain ? 0 : graph_known_job(g, rule->id, path);
    for (uint32_t i = 0; i < n; i++) {
        if (!plain && inherit_values(g, consumer, rule, hits[i].pattern, path, room->values)) {
            if (!is_producer(g, rule, hits, n, path, room->best))
                return 0;
            return known ? known
                         : graph_job(g, rule->id, room->values,
                                     first_output(g, rule, hits[i].pattern, path));
        }
        if (!pattern_match(hits[i].pattern, g->names, &rule->wildcards, sym_text(g->names, path),
                           sym_len(g->names, path), room->values))
            continue;
        size_t length = values_length(g, room->values, rule->wildcards.n);
        if (length < best_length) {
            best_length = length;
            first = first_output(g, rule, hits[i].pattern, path);
            memcpy(room->best, room->values, rule->wildcards.n * sizeof *room->best);
        }
    }
    if (best_length == SIZE_MAX)
        return 0;
    return known ? known : graph_job(g, rule->id, room->best, first);
}
