// SPDX-License-Identifier: MIT
/* rulebuild.c: see rulebuild.h. */
#include "flow/rulebuild.h"

#include <string.h>

#include "flow/directive.h"
#include "flow/items.h"
#include "flow/resources.h"
#include "flow/state.h"

struct ruleinfo *ruleinfo_copy(struct workflow *w, const struct ruleinfo *info)
{
    struct ruleinfo *copy = arena_new(&w->arena, struct ruleinfo);
    *copy = *info;
    copy->keep = list_new(w->vm, NULL, 0);
    list_push(w->vm, copy->keep, info->keep);
    return copy;
}

static bool refuse_duplicate(struct workflow *w, const struct ruleinfo *info, sym_t name)
{
    rule_id id = map_find(&w->rule_by_name, name);
    flow_refuse(w, "CreateRuleException", info->node->span,
                "The name %s is already used by another rule", flow_text(w, name));
    diag_note(w->diags, w->rules.at[id]->span, "first defined here");
    if (w->flow->scope->outer)
        diag_hint(w->diags, "`use rule ... from %s as %s_*` gives a module's rules other names",
                  w->flow->scope->name, w->flow->scope->name);
    return false;
}

/* Whether a directive is there and says something: conda: None does not. */
static bool is_given(struct workflow *w, const struct ruleinfo *info, enum directive_id id)
{
    value v = given_one(info, id);
    bool truth = false;
    return v && value_truth(w->vm, v, &truth) && truth;
}

static bool check_exclusive(struct workflow *w, const struct rule *rule,
                            const struct ruleinfo *info)
{
    static const enum directive_id deployments[] = {DIRECTIVE_ENVMODULES, DIRECTIVE_CONDA,
                                                    DIRECTIVE_CONTAINER, DIRECTIVE_SINGULARITY};
    const struct node *body = NULL;
    for (int id = DIRECTIVE_RUN; id <= DIRECTIVE_CWL; id++) {
        const struct node *node = info->given[id].node;
        if (node && body)
            return flow_refuse(w, "SyntaxError", node->span,
                               "Multiple run/shell/script/notebook/wrapper/template_engine/cwl "
                               "keywords in rule %s.",
                               flow_text(w, rule->name));
        body = node ? node : body;
    }
    for (int i = 0; i < 4 && info->given[DIRECTIVE_TEMPLATE_ENGINE].node; i++)
        if (is_given(w, info, deployments[i]))
            return flow_refuse(
                w, "RuleException", info->given[deployments[i]].node->span,
                "%s directive is only allowed with run, shell, script, notebook, or wrapper "
                "directives (not with template_engine)",
                directives[deployments[i]].name);
    return true;
}

/* What the code trigger compares: the raw shell text, a run block's source, or the text of the
 * directive. */
static sym_t code_of(struct workflow *w, const struct rule *rule, const struct ruleinfo *info)
{
    size_t len;
    if (rule->body == BODY_NONE)
        return 0;
    if (rule->body == BODY_SHELL && is_str(rule->body_value.v))
        return intern(w->names, str_text(rule->body_value.v), as_str(rule->body_value.v)->len);
    struct span span = rule->body_span;
    if (rule->body == BODY_RUN && info->given[DIRECTIVE_RUN].node->n)
        span = info->given[DIRECTIVE_RUN].node->kid[0]->span;
    const char *text = span_text(w->sources, span, &len);
    return intern(w->names, text ? text : "", text ? len : 0);
}

static bool fill_rule(struct workflow *w, struct rule *rule, const struct ruleinfo *info)
{
    if (!check_exclusive(w, rule, info))
        return false;
    for (int id = 0; id < DIRECTIVE_COUNT; id++)
        if (!directive_apply(w, rule, info, (enum directive_id)id))
            return false;
    const struct given *resources = &info->given[DIRECTIVE_RESOURCES];
    value handover = given_one(info, DIRECTIVE_HANDOVER);
    if (!resources_merge(w, rule, resources->node ? resources : NULL, handover == VALUE_TRUE))
        return false;
    bool own_image = info->given[DIRECTIVE_CONTAINER].node ||
                     info->given[DIRECTIVE_SINGULARITY].node ||
                     info->given[DIRECTIVE_CONTAINERIZED].node;
    if (!own_image && rule->body != BODY_TEMPLATE) {
        rule->container.v = rule->scope->container.v;
        rule->containerized = rule->scope->containerized;
    }
    rule->norun = rule->body == BODY_NONE;
    rule->local |= rule->handover;
    rule->code = code_of(w, rule, info);
    return true;
}

static void register_rule(struct workflow *w, struct rule *rule, bool default_target)
{
    rule->id = map_find(&w->rule_by_name, rule->name);
    if (!rule->id)
        rule->id = pool_add(&w->rules);
    w->rules.at[rule->id] = rule;
    map_set(&w->rule_by_name, rule->name, rule->id);
    if (!w->default_target || default_target)
        w->default_target = rule->name;
}

static const char *stripped(struct workflow *w, const char *text)
{
    text += strspn(text, " \t\r\n");
    size_t len = strlen(text);
    while (len && strchr(" \t\r\n", text[len - 1]))
        len--;
    return arena_copy(&w->arena, text, len);
}

static struct rule *new_rule(struct workflow *w, const struct ruleinfo *info, struct scope *scope,
                             sym_t name)
{
    struct rule *rule = arena_new(&w->arena, struct rule);
    rule->name = name;
    rule->anonymous = info->node->kind == NODE_RULE && !info->node->name &&
                      !info->given[DIRECTIVE_NAME].node;
    rule->checkpoint = info->checkpoint;
    rule->span = info->node->span;
    rule->node = info->node;
    rule->docstring = info->docstring ? stripped(w, info->docstring) : NULL;
    rule->snakefile = info->snakefile;
    rule->info = info;
    rule->scope = scope;
    rule->repeat = 1;
    heap_root(w->vm, &rule->keep, info->keep);
    return rule;
}

void rule_free(struct rule *rule)
{
    struct items *all[] = {&rule->input, &rule->output, &rule->log, &rule->benchmark,
                           &rule->params};
    for (int i = 0; i < 5; i++)
        items_free(all[i]);
    heap_unroot(&rule->keep);
}

struct rule *rule_build(struct workflow *w, const struct ruleinfo *info, struct scope *scope,
                        sym_t name, sym_t known_as, enum rule_mode mode)
{
    if (mode == RULE_NEW && map_find(&w->rule_by_name, name))
        return refuse_duplicate(w, info, name), NULL;
    struct rule *rule = new_rule(w, info, scope, name);
    if (!fill_rule(w, rule, info)) {
        rule_free(rule);
        return NULL;
    }
    if (mode != RULE_HIDDEN)
        register_rule(w, rule, given_one(info, DIRECTIVE_DEFAULT_TARGET) == VALUE_TRUE);
    struct known_rule known = {known_as, rule};
    vec_push(&scope->rules, known);
    return rule;
}
