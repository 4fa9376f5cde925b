// SPDX-License-Identifier: MIT
/* directive.c: what each directive does to a rule. To add one: a row in ruleinfo.h's DIRECTIVES, in
 * directives[] below, and the field it fills in rule.h. */
#include "flow/directive.h"

#include <string.h>

#include "flow/flags.h"
#include "flow/items.h"
#include "flow/paths.h"
#include "flow/state.h"
#include "python/vm.h"

static const char *name_of(struct workflow *w, const struct rule *rule)
{
    return flow_text(w, rule->name);
}

static bool is_number(value v)
{
    return is_int(v) || is_float(v) || v == VALUE_TRUE || v == VALUE_FALSE;
}

static bool apply_output(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    return items_build(w, rule, info, DIRECTIVE_OUTPUT, &rule->output);
}

static bool apply_log(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    return items_build(w, rule, info, DIRECTIVE_LOG, &rule->log);
}

static bool apply_benchmark(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    int64_t n = 1;
    value repeat = flag_find(w->vm, given_one(info, DIRECTIVE_BENCHMARK), "repeat");
    if (repeat && int_get(repeat, &n) && n > 0)
        rule->repeat = (uint16_t)n;
    return items_build(w, rule, info, DIRECTIVE_BENCHMARK, &rule->benchmark);
}

static bool apply_input(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    return items_build(w, rule, info, DIRECTIVE_INPUT, &rule->input);
}

static bool apply_params(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    return items_build(w, rule, info, DIRECTIVE_PARAMS, &rule->params);
}

static bool apply_message(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    rule->message_value.v = given_one(info, DIRECTIVE_MESSAGE);
    rule->message_function.v = info->given[DIRECTIVE_MESSAGE].body;
    return true;
}

static bool apply_group(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    rule->group.v = given_one(info, DIRECTIVE_GROUP);
    return true;
}

static bool apply_threads(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    value v = given_one(info, DIRECTIVE_THREADS);
    rule->threads.v = v;
    if (is_number(v) || value_callable(v))
        return true;
    return flow_refuse(w, "RuleException", info->given[DIRECTIVE_THREADS].span[0],
                       "Threads value has to be an integer, float, or a callable (rule %s).",
                       name_of(w, rule));
}

static bool apply_shadow(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    static const char *const kinds[] = {"minimal", "copy-minimal", "shallow", "full"};
    value v = given_one(info, DIRECTIVE_SHADOW);
    struct span span = info->given[DIRECTIVE_SHADOW].span[0];
    if (v == VALUE_NONE || v == VALUE_FALSE)
        return true;
    if (v == VALUE_TRUE) {
        warn(w->diags, span,
             "Shadow is set to True in rule %s (equivalent to 'full'). It's encouraged to use the "
             "more explicit options 'minimal|copy-minimal|shallow|full' instead.",
             name_of(w, rule));
        v = str_from(w->vm, "full");
        list_push(w->vm, info->keep, v);
    }
    rule->shadow.v = v;
    for (size_t i = 0; is_str(v) && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(str_text(v), kinds[i]))
            return true;
    return flow_refuse(w, "RuleException", span,
                       "Shadow must either be 'minimal', 'copy-minimal', 'shallow', 'full', or "
                       "True (equivalent to 'full') (rule %s)",
                       name_of(w, rule));
}

static bool apply_priority(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    value v = given_one(info, DIRECTIVE_PRIORITY);
    rule->priority.v = v;
    if (v == VALUE_NONE || is_number(v) || value_callable(v))
        return true;
    return flow_refuse(w, "RuleException", info->given[DIRECTIVE_PRIORITY].span[0],
                       "Priority value has to be an integer, float, or a callable (rule %s).",
                       name_of(w, rule));
}

static bool apply_retries(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    int64_t n;
    value v = given_one(info, DIRECTIVE_RETRIES);
    rule->retries.v = v;
    if (v == VALUE_NONE || (int_get(v, &n) && n >= 0))
        return true;
    return flow_refuse(w, "RuleException", info->given[DIRECTIVE_RETRIES].span[0],
                       "Retries values have to be integers >= 0 (rule %s)", name_of(w, rule));
}

static bool apply_envmodules(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    const struct given *given = &info->given[DIRECTIVE_ENVMODULES];
    rule->envmodules.v = list_new(w->vm, given->at, given->n);
    list_push(w->vm, info->keep, rule->envmodules.v);
    return true;
}

static bool apply_conda(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    rule->conda.v = given_one(info, DIRECTIVE_CONDA);
    return true;
}

/* container: None means: no image, not even the one of the whole scope. */
static bool apply_container(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    static const enum directive_id ids[] = {DIRECTIVE_CONTAINER, DIRECTIVE_SINGULARITY,
                                            DIRECTIVE_CONTAINERIZED};
    for (int i = 0; i < 3; i++) {
        value v = given_one(info, ids[i]);
        if (!v)
            continue;
        rule->container.v = v == VALUE_NONE ? NO_VALUE : v;
        rule->containerized = ids[i] == DIRECTIVE_CONTAINERIZED;
    }
    return true;
}

static bool apply_handover(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    return value_truth(w->vm, given_one(info, DIRECTIVE_HANDOVER), &rule->handover);
}

/* 0: not a word that `cache:` knows. */
static uint8_t cache_word(value v)
{
    static const struct {
        const char *text;
        uint8_t flags;
    } words[] = {
        {"all", CACHE_OUTPUT},
        {"omit-software", CACHE_OUTPUT | CACHE_OMIT_SOFTWARE},
        {"hash-omit-software", CACHE_OMIT_SOFTWARE},
        {"omit-storage-content", CACHE_OUTPUT | CACHE_OMIT_STORAGE},
        {"hash-omit-storage-content", CACHE_OMIT_STORAGE},
    };
    for (size_t i = 0; is_str(v) && i < sizeof words / sizeof *words; i++)
        if (!strcmp(str_text(v), words[i].text))
            return words[i].flags;
    return 0;
}

static bool apply_cache(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    value v = given_one(info, DIRECTIVE_CACHE);
    bool truth, good = true;
    size_t n = 1;
    const value *at = is_list(v) || is_tuple(v) ? sequence_items(v, &n) : &v;
    if (!value_truth(w->vm, v, &truth) || !truth)
        return !vm_failed(w->vm);
    for (size_t i = 0; i < n; i++) {
        uint8_t flags = at[i] == VALUE_TRUE ? CACHE_OUTPUT : cache_word(at[i]);
        good &= flags != 0;
        rule->cache |= flags;
    }
    return good || flow_refuse(w, "WorkflowError", info->given[DIRECTIVE_CACHE].span[0],
                               "Invalid value for cache directive. Use 'all', 'omit-software', "
                               "'hash-omit-software', 'omit-storage-content', "
                               "'hash-omit-storage-content'.");
}

static bool apply_default_target(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    value v = given_one(info, DIRECTIVE_DEFAULT_TARGET);
    if (v == VALUE_TRUE || v == VALUE_FALSE)
        return true;
    return flow_refuse(
        w, "WorkflowError", info->given[DIRECTIVE_DEFAULT_TARGET].span[0],
        "Invalid argument for 'default_target:' directive (rule %s). Only True allowed. Do not use "
        "the directive for rules that shall not be the default target.",
        name_of(w, rule));
}

static bool apply_localrule(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    rule->local = given_one(info, DIRECTIVE_LOCALRULE) == VALUE_TRUE;
    return true;
}

/* ---- bodies ---- */

static bool apply_body(struct rule *rule, const struct ruleinfo *info, enum directive_id id,
                       enum rule_body body)
{
    const struct given *given = &info->given[id];
    rule->body = body;
    rule->body_value.v = given_one(info, id);
    rule->body_function.v = given->body;
    rule->body_span = given->node->span;
    rule->code_span = rule->body_span;
    return true;
}

#define BODY_DIRECTIVE(fn, id, kind)                                                               \
    static bool fn(struct workflow *w, struct rule *rule, const struct ruleinfo *info)             \
    {                                                                                              \
        return apply_body(rule, info, id, kind);                                                   \
    }
BODY_DIRECTIVE(apply_run, DIRECTIVE_RUN, BODY_RUN)
BODY_DIRECTIVE(apply_shell, DIRECTIVE_SHELL, BODY_SHELL)
BODY_DIRECTIVE(apply_script, DIRECTIVE_SCRIPT, BODY_SCRIPT)
BODY_DIRECTIVE(apply_notebook, DIRECTIVE_NOTEBOOK, BODY_NOTEBOOK)
BODY_DIRECTIVE(apply_wrapper, DIRECTIVE_WRAPPER, BODY_WRAPPER)
BODY_DIRECTIVE(apply_template, DIRECTIVE_TEMPLATE_ENGINE, BODY_TEMPLATE)
BODY_DIRECTIVE(apply_cwl, DIRECTIVE_CWL, BODY_CWL)

/* ---- the table ---- */

const struct directive directives[DIRECTIVE_COUNT] = {
#define X(id, text, kind) [DIRECTIVE_##id] = {.name = text, .arity = kind},
    DIRECTIVES(X)
#undef X
};

/* resources are not here: a rule has some even if it gives none (rulebuild.c). */
static bool (*const appliers[DIRECTIVE_COUNT])(struct workflow *, struct rule *,
                                               const struct ruleinfo *) = {
    [DIRECTIVE_OUTPUT] = apply_output,
    [DIRECTIVE_LOG] = apply_log,
    [DIRECTIVE_BENCHMARK] = apply_benchmark,
    [DIRECTIVE_INPUT] = apply_input,
    [DIRECTIVE_PARAMS] = apply_params,
    [DIRECTIVE_MESSAGE] = apply_message,
    [DIRECTIVE_GROUP] = apply_group,
    [DIRECTIVE_THREADS] = apply_threads,
    [DIRECTIVE_SHADOW] = apply_shadow,
    [DIRECTIVE_PRIORITY] = apply_priority,
    [DIRECTIVE_RETRIES] = apply_retries,
    [DIRECTIVE_ENVMODULES] = apply_envmodules,
    [DIRECTIVE_CONDA] = apply_conda,
    [DIRECTIVE_CONTAINER] = apply_container,
    [DIRECTIVE_SINGULARITY] = apply_container,
    [DIRECTIVE_CONTAINERIZED] = apply_container,
    [DIRECTIVE_HANDOVER] = apply_handover,
    [DIRECTIVE_CACHE] = apply_cache,
    [DIRECTIVE_DEFAULT_TARGET] = apply_default_target,
    [DIRECTIVE_LOCALRULE] = apply_localrule,
    [DIRECTIVE_RUN] = apply_run,
    [DIRECTIVE_SHELL] = apply_shell,
    [DIRECTIVE_SCRIPT] = apply_script,
    [DIRECTIVE_NOTEBOOK] = apply_notebook,
    [DIRECTIVE_WRAPPER] = apply_wrapper,
    [DIRECTIVE_TEMPLATE_ENGINE] = apply_template,
    [DIRECTIVE_CWL] = apply_cwl,
};

bool directive_apply(struct workflow *w, struct rule *rule, const struct ruleinfo *info,
                     enum directive_id id)
{
    return !info->given[id].node || !appliers[id] || appliers[id](w, rule, info);
}

int directive_find(const char *name)
{
    for (int i = 0; i < DIRECTIVE_COUNT; i++)
        if (!strcmp(directives[i].name, name))
            return i;
    return -1;
}

static bool check_pathvars(struct workflow *w, const struct given *given)
{
    for (uint32_t i = 0; i < given->n; i++)
        if (!pathvar_check(w, flow_text(w, given->name[i]), given->at[i], given->span[i]))
            return false;
    return true;
}

bool directive_check(struct workflow *w, enum directive_id id, const struct given *given)
{
    const struct directive *directive = &directives[id];
    struct span span = given->node->span;
    bool single = directive->arity == ONE || directive->arity == MODULE_ONE ||
                  (directive->arity == BODY && id != DIRECTIVE_RUN &&
                   !(id == DIRECTIVE_MESSAGE && given->body));
    if (single && given->n != 1)
        return flow_refuse(w, "SyntaxError", span, "'%s' takes exactly one value", directive->name);
    for (uint32_t i = 0; i < given->n; i++) {
        if (directive->arity == KEYWORDS && !given->name[i])
            return flow_refuse(w, "RuleException", given->span[i], "%s have to be named",
                               directive->name);
        if (single && given->name[i])
            return flow_refuse(w, "SyntaxError", given->span[i], "the value of '%s' takes no name",
                               directive->name);
    }
    return id != DIRECTIVE_PATHVARS || check_pathvars(w, given);
}
