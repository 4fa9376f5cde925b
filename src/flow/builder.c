// SPDX-License-Identifier: MIT
/* builder.c: from executed statements to rules. While a rule statement runs, its directives' values
 * gather in a ruleinfo, which hangs on a builder object that the evaluator holds; at the end the
 * ruleinfo becomes a rule (rulebuild.c). */
#include "flow/builder.h"

#include "base/nearest.h"
#include "flow/directive.h"
#include "flow/module.h"
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
    diag_meant(w->diags, near.best);
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
