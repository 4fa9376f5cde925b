// SPDX-License-Identifier: MIT
#include "cli/targets.h"

#include <string.h>

#include "base/path.h"
#include "cli/site.h"
#include "flow/storage.h"
#include "graph/select.h"

/* A file target as the workflow names it: relative to the working directory. */
static const char *target_path(struct session *s, const char *word)
{
    const char *path = path_normal(&s->arena, word);
    const char *inside = path_inside(path, s->workflow->workdir);
    if (inside && *inside)
        path = inside + 1;
    const char *stored = storage_default(s->workflow, path);
    if (!stored) /* a plugin does not take it */
        vm_report(s->workflow->vm);
    return stored ? stored : path;
}

static bool want(struct session *s, const char *word)
{
    const struct rule *rule = workflow_rule(s->workflow, word);
    return rule ? graph_want_rule(s->graph, rule) : graph_want_file(s->graph, target_path(s, word));
}

/* -R, -P and -U name targets too, but rules only where they have no wildcards. */
static bool want_option(struct session *s, enum option_id id)
{
    for (const char *const *w = option_words(&s->options, id); w && *w; w++) {
        const struct rule *rule = workflow_rule(s->workflow, *w);
        if (!(rule && rule->wildcards.n) && !want(s, *w))
            return false;
    }
    return true;
}

/* Names that mean nothing here do nothing there: told, so that a slip is seen. */
static void warn_unknown(struct session *s, enum option_id id)
{
    char name[64];
    for (const char *const *w = option_words(&s->options, id); w && *w; w++) {
        sym_t path = intern_str(s->names, target_path(s, *w));
        if (workflow_rule(s->workflow, *w) || graph_find_file(s->graph, path))
            continue;
        const char *near = workflow_nearest_rule(s->workflow, *w);
        warn(s->diags, (struct span){0}, "%s: '%s' is neither a rule nor a file of this run",
             option_name(id, name), *w);
        if (near)
            diag_hint(s->diags, "did you mean the rule '%s'?", near);
    }
}

/* Options whose words begin with the name of a rule. Snakemake says nothing of rules that are not
 * there. */
static void warn_unknown_rules(struct session *s)
{
    static const enum option_id ids[] = {OPT_SET_THREADS, OPT_SET_RESOURCES,
                                         OPT_GROUPS,      OPT_CONSIDER_ANCIENT,
                                         OPT_CACHE,       OPT_SLURM_ARRAY_JOBS};
    char option[64];
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        bool of_arrays = ids[i] == OPT_SLURM_ARRAY_JOBS;
        const char *const *w = of_arrays ? site_array_words(s) : option_words(&s->options, ids[i]);
        for (; w && *w; w++) {
            const char *name = arena_copy(&s->arena, *w, strcspn(*w, ":="));
            const char *near = workflow_nearest_rule(s->workflow, name);
            bool arrays = of_arrays && (!name[strspn(name, "0123456789")] || !strcmp(name, "all"));
            if (arrays || workflow_rule(s->workflow, name))
                continue;
            warn(s->diags, (struct span){0}, "%s: there is no rule named '%s'",
                 option_name(ids[i], option), name);
            diag_meant(s->diags, near);
        }
    }
}

/* --allowed-rules must name rules. */
static bool check_allowed(struct session *s)
{
    for (const char *const *w = option_words(&s->options, OPT_ALLOWED_RULES); w && *w; w++) {
        const char *near = workflow_nearest_rule(s->workflow, *w);
        if (workflow_rule(s->workflow, *w))
            continue;
        complain_kind(s->diags, "UnknownRuleException", (struct span){0},
                      "There is no rule named %s (in --allowed-rules)", *w);
        diag_meant(s->diags, near);
        return false;
    }
    return true;
}

bool targets_want(struct session *s)
{
    bool good = check_allowed(s);
    warn_unknown_rules(s);
    for (uint32_t i = 0; good && i < s->options.targets.len; i++)
        good = want(s, s->options.targets.at[i]);
    if (good && !s->options.targets.len) {
        if (!s->workflow->default_target)
            return true; /* a workflow without rules has nothing to do */
        good = want(s, sym_text(s->names, s->workflow->default_target));
    }
    return good && want_option(s, OPT_FORCERUN) && want_option(s, OPT_PRIORITIZE) &&
           want_option(s, OPT_UNTIL);
}

const rule_id *targets_rules(struct session *s, enum option_id id)
{
    const char *const *words = option_words(&s->options, id);
    uint32_t n = 0;
    while (words && words[n])
        n++;
    rule_id *out = words ? arena_array(&s->arena, rule_id, n + 1) : NULL;
    for (uint32_t k = 0; words && *words; words++) {
        const struct rule *rule = workflow_rule(s->workflow, *words);
        if (rule)
            out[k++] = rule->id;
    }
    return out;
}

static const sym_t *target_paths(struct session *s, enum option_id id)
{
    const char *const *words = option_words(&s->options, id);
    uint32_t n = 0, k = 0;
    while (words && words[n])
        n++;
    sym_t *out = words ? arena_array(&s->arena, sym_t, n + 1) : NULL;
    for (; words && *words; words++)
        if (!workflow_rule(s->workflow, *words))
            out[k++] = intern_str(s->names, target_path(s, *words));
    return out;
}

static struct selection selection_of(struct session *s, enum option_id id)
{
    return (struct selection){targets_rules(s, id), target_paths(s, id)};
}

void targets_options(struct session *s)
{
    struct selection forced = selection_of(s, OPT_FORCERUN);
    s->fresh.force_rules = forced.rules;
    s->fresh.force_paths = forced.paths;
    s->cut = (struct cut){selection_of(s, OPT_UNTIL), selection_of(s, OPT_OMIT_FROM)};
    s->first = selection_of(s, OPT_PRIORITIZE);
}

void targets_warn(struct session *s)
{
    if (s->options.given[OPT_OMIT_FROM] && !s->graph->waiting.len)
        warn_unknown(s, OPT_OMIT_FROM);
}

void targets_prefer(struct session *s)
{
    if (s->options.given[OPT_PRIORITIZE])
        graph_prioritize(s->graph, &s->first);
}
