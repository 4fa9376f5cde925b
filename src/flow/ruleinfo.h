// SPDX-License-Identifier: MIT
/* ruleinfo.h: a rule as it was written: each directive's arguments as they were evaluated. From it
 * the rule is built (rulebuild.h), and `use rule` builds further rules from a copy with some
 * directives replaced. */
#pragma once

#include "flow/rule.h"
#include "python/vm.h"

struct scope;

/* Every directive, in the order in which they are applied to a rule. name, how many values it
 * takes. */
/* clang-format off */
#define DIRECTIVES(X) \
    X(NAME, "name", ONE) \
    X(PATHVARS, "pathvars", KEYWORDS) \
    X(WILDCARD_CONSTRAINTS, "wildcard_constraints", KEYWORDS) \
    X(OUTPUT, "output", MANY) \
    X(LOG, "log", MANY) \
    X(BENCHMARK, "benchmark", ONE) \
    X(INPUT, "input", MANY) \
    X(PARAMS, "params", MANY) \
    X(MESSAGE, "message", BODY) \
    X(GROUP, "group", ONE) \
    X(THREADS, "threads", ONE) \
    X(RESOURCES, "resources", KEYWORDS) \
    X(SHADOW, "shadow", ONE) \
    X(PRIORITY, "priority", ONE) \
    X(RETRIES, "retries", ONE) \
    X(ENVMODULES, "envmodules", MANY) \
    X(CONDA, "conda", ONE) \
    X(CONTAINER, "container", ONE) \
    X(SINGULARITY, "singularity", ONE) \
    X(CONTAINERIZED, "containerized", ONE) \
    X(HANDOVER, "handover", ONE) \
    X(CACHE, "cache", ONE) \
    X(DEFAULT_TARGET, "default_target", ONE) \
    X(LOCALRULE, "localrule", ONE) \
    X(RUN, "run", BODY) \
    X(SHELL, "shell", BODY) \
    X(SCRIPT, "script", BODY) \
    X(NOTEBOOK, "notebook", BODY) \
    X(WRAPPER, "wrapper", BODY) \
    X(TEMPLATE_ENGINE, "template_engine", BODY) \
    X(CWL, "cwl", BODY) \
    /* of a module statement */ \
    X(SNAKEFILE, "snakefile", MODULE_ONE) \
    X(META_WRAPPER, "meta_wrapper", MODULE_ONE) \
    X(CONFIG, "config", MODULE_ONE) \
    X(SKIP_VALIDATION, "skip_validation", MODULE_ONE) \
    X(REPLACE_PREFIX, "replace_prefix", MODULE_ONE) \
    X(PREFIX, "prefix", MODULE_ONE)
/* clang-format on */

enum directive_id {
#define X(id, name, arity) DIRECTIVE_##id,
    DIRECTIVES(X)
#undef X
        DIRECTIVE_COUNT
};

/* A directive as given. Arrays in the session arena; the values live as long as ruleinfo.keep. */
struct given {
    const struct node *node; /* NULL: not given */
    value *at;
    sym_t *name; /* 0: positional */
    struct span *span;
    uint32_t n;
    value body;          /* the function of a body, or NO_VALUE */
    struct scope *scope; /* where it was written: its paths are placed by that scope */
};

struct ruleinfo {
    const struct node *node; /* the statement */
    const char *snakefile;   /* absolute path of the file it stands in */
    const char *docstring;   /* or NULL */
    struct given given[DIRECTIVE_COUNT];
    value keep;          /* list of all values above; whoever holds a ruleinfo keeps this alive */
    struct scope *scope; /* the namespace it was written in */
    bool checkpoint;
    /* made by `use rule a as b`: as in Snakemake, inputflags: and outputflags: pass it by */
    bool inherited;
};

/* The only argument of a directive that takes one, or NO_VALUE if it was not given. */
static inline value given_one(const struct ruleinfo *info, enum directive_id id)
{
    return info->given[id].node && info->given[id].n ? info->given[id].at[0] : NO_VALUE;
}

/* Where a rule's directive stands, or the rule if it has none. */
static inline struct span directive_span(const struct rule *rule, enum directive_id id)
{
    const struct node *node = rule->info->given[id].node;
    return node ? node->span : rule->span;
}

/* Where the item of that name stands in a directive, or the directive if it has none. */
static inline struct span item_span(const struct rule *rule, enum directive_id id, sym_t name)
{
    const struct given *given = &rule->info->given[id];
    for (uint32_t i = 0; given->node && i < given->n; i++)
        if (name && given->name[i] == name)
            return given->span[i];
    return directive_span(rule, id);
}
