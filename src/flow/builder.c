// SPDX-License-Identifier: MIT
/* builder.c: from executed statements to rules. While a rule statement runs, its directives' values
 * gather in a ruleinfo, which hangs on a builder object that the evaluator holds; at the end the
 * ruleinfo becomes a rule. */
#include "flow/builder.h"

#include <string.h>

#include "base/nearest.h"
#include "flow/directive.h"
#include "flow/flags.h"
#include "flow/items.h"
#include "flow/module.h"
#include "flow/resources.h"
#include "flow/state.h"

struct builder {
    struct object object;
    struct ruleinfo *info; /* in the session arena */
};

static void builder_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct builder *)self)->info->keep);
}

static const struct type type_builder = {.object = {.type = &type_type},
                                         .name = "rule statement",
                                         .size = sizeof(struct builder),
                                         .mark = builder_mark};

static const char *current_file(const struct workflow *w)
{
    uint32_t n = w->flow->readings.len;
    return n ? w->flow->readings.at[n - 1].path : w->options.snakefile;
}

value builder_begin(struct vm *vm, void *user, const struct node *statement)
{
    struct workflow *w = user;
    struct ruleinfo *info = arena_new(&w->arena, struct ruleinfo);
    info->node = statement;
    info->keep = list_new(vm, NULL, 0);
    info->snakefile = current_file(w);
    info->scope = w->flow->scope;
    info->checkpoint = statement->kind == NODE_RULE && statement->op;
    if (statement->kind == NODE_RULE)
        info->docstring = statement->text;
    struct builder *builder = object_new(vm, &type_builder);
    builder->info = info;
    return from_object(builder);
}

/* ---- directives ---- */

static bool unknown_directive(struct workflow *w, const struct node *directive, const char *name)
{
    struct nearest near = nearest_to(name);
    for (int i = 0; i < DIRECTIVE_COUNT; i++)
        nearest_offer(&near, directives[i].name);
    flow_refuse(w, "SyntaxError", directive->span, "Unexpected keyword %s in rule definition",
                name);
    if (near.best)
        diag_hint(w->diags, "did you mean '%s'?", near.best);
    return false;
}

static bool belongs(const struct node *statement, enum directive_id id)
{
    bool of_module = directives[id].arity == MODULE_ONE || id == DIRECTIVE_NAME ||
                     id == DIRECTIVE_PATHVARS;
    return statement->kind != NODE_MODULE ? directives[id].arity != MODULE_ONE : of_module;
}

static void copy_args(struct workflow *w, const struct directive_args *args, struct ruleinfo *info,
                      struct given *given)
{
    given->n = args ? args->n : 0;
    given->at = arena_array(&w->arena, value, given->n + 1);
    given->name = arena_array(&w->arena, sym_t, given->n + 1);
    given->span = arena_array(&w->arena, struct span, given->n + 1);
    for (uint32_t i = 0; i < given->n; i++) {
        given->at[i] = args->at[i];
        given->name[i] = args->name[i];
        given->span[i] = args->span[i].at ? args->span[i] : given->node->span;
        list_push(w->vm, info->keep, args->at[i]);
    }
    given->span[given->n] = given->node->span;
}

bool builder_directive(struct vm *vm, void *user, value builder, const struct node *directive,
                       const struct directive_args *args, value body)
{
    struct workflow *w = user;
    struct ruleinfo *info = ((struct builder *)as_object(builder))->info;
    const char *name = flow_text(w, directive->name);
    int id = directive_find(name);
    if (id < 0 || !belongs(info->node, (enum directive_id)id))
        return unknown_directive(w, directive, name);
    struct given *given = &info->given[id];
    if (given->node) /* of a directive given twice the first one counts, as with Snakemake's
                        decorators */
        return true;
    *given = (struct given){.node = directive, .body = body, .scope = w->flow->scope};
    copy_args(w, args, info, given);
    if (body)
        list_push(vm, info->keep, body);
    return directive_check(w, (enum directive_id)id, given);
}

struct ruleinfo *ruleinfo_copy(struct workflow *w, const struct ruleinfo *info)
{
    struct ruleinfo *copy = arena_new(&w->arena, struct ruleinfo);
    *copy = *info;
    copy->keep = list_new(w->vm, NULL, 0);
    list_push(w->vm, copy->keep, info->keep);
    return copy;
}

/* ---- building ---- */

static bool refuse_duplicate(struct workflow *w, const struct ruleinfo *info, sym_t name)
{
    rule_id id = map_find(&w->rule_by_name, name);
    flow_refuse(w, "CreateRuleException", info->node->span,
                "The name %s is already used by another rule", flow_text(w, name));
    diag_note(w->diags, w->rules.at[id]->span, "first defined here");
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
        w->default_target = rule->id;
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
    rule->from_module = scope->outer != NULL;
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

/* ---- the end of a statement ---- */

static sym_t name_of_rule(struct workflow *w, const struct ruleinfo *info)
{
    value given = given_one(info, DIRECTIVE_NAME);
    char number[16];
    if (given && is_str(given))
        return str_sym(w->vm, given);
    if (info->node->name)
        return info->node->name;
    snprintf(number, sizeof number, "%u", (w->rules.len ? w->rules.len - 1 : 0) + 1);
    return intern_str(w->names, number);
}

bool builder_end(struct vm *vm, void *user, value builder)
{
    struct workflow *w = user;
    struct ruleinfo *info = ((struct builder *)as_object(builder))->info;
    switch (info->node->kind) {
    case NODE_MODULE: return module_declare(w, info);
    case NODE_USE_RULE: return module_use_rules(w, info);
    default: return module_rule(w, info, name_of_rule(w, info));
    }
}
