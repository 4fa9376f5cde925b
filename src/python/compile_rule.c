// SPDX-License-Identifier: MIT
/* Snakemake's statements. A rule is
 *
 *     STATEMENT_BEGIN                     -> builder
 *     value..., body or None, DIRECTIVE   for every directive: one value for each of its arguments
 *     STATEMENT_END
 *
 * The instructions name the node, from which vm_workflow.c knows which values are starred, which
 * have names, and where they stand. */
#include <string.h>

#include "base/memory.h"
#include "python/compile.h"

static uint32_t add_node(struct unit *u, const struct node *node)
{
    vec_push(&u->nodes, node);
    return u->nodes.len - 1;
}

static bool has_body(struct unit *u, const struct node *directive)
{
    static const char *const names[] = {"run",     "shell",           "script",  "notebook",
                                        "wrapper", "template_engine", "message", "cwl"};
    if (!directive->n || directive->kid[0]->kind == NODE_STR ||
        directive->kid[0]->kind == NODE_KEYWORD || directive->kid[0]->kind == NODE_STAR ||
        directive->kid[0]->kind == NODE_DSTAR)
        return false;
    const char *name = sym_text(u->c->vm->names, directive->name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* A function of n parameters out of BODY_PARAMS, beginning with the first-th. */
static void compile_body_function(struct unit *u, const struct node *owner, const struct node *body,
                                  int first, int n)
{
    struct scope *scope = scope_of(&u->c->scopes, owner, u->scope);
    struct unit inner;
    unit_begin(&inner, u->c, u, scope, owner->span);
    if (body->kind == NODE_BLOCK) {
        compile_body(&inner, body);
        emit_const(&inner, VALUE_NONE);
    } else {
        compile_expr(&inner, body);
    }
    emit(&inner, OPC_RETURN, 0);
    struct code *code = unit_end(&inner, owner->name, owner->span);
    code->params = memory_zeroed((size_t)n + 1, sizeof *code->params);
    for (int i = 0; i < n; i++)
        code->params[i] = (struct param_info){.name = u->c->scopes.body_params[first + i],
                                              .kind = PARAM_PLAIN};
    code->nparams = code->npositional = (uint16_t)n;
    code->flags |= CODE_SIMPLE;
    emit_function(u, code, scope, 0);
}

static void compile_values(struct unit *u, const struct node *node)
{
    for (uint32_t i = 0; i < node->n; i++) {
        const struct node *arg = node->kid[i];
        bool wrapped = arg->kind == NODE_KEYWORD || arg->kind == NODE_STAR ||
                       arg->kind == NODE_DSTAR;
        compile_expr(u, wrapped ? arg->kid[0] : arg);
    }
}

static void compile_directive(struct unit *u, const struct node *directive)
{
    bool block = directive->n == 1 && directive->kid[0]->kind == NODE_BLOCK;
    uint32_t depth = u->depth;
    if (!block)
        compile_values(u, directive);
    if (has_body(u, directive))
        compile_body_function(u, directive, directive->kid[0], 0, BODY_PARAM_COUNT);
    else
        emit_const(u, VALUE_NONE);
    u->span = directive->span;
    emit(u, OPC_DIRECTIVE, add_node(u, directive));
    u->depth = depth;
}

static void compile_keyword(struct unit *u, const struct node *node)
{
    const char *name = sym_text(u->c->vm->names, node->name);
    uint32_t depth = u->depth;
    if (!strcmp(name, "localrules") || !strcmp(name, "ruleorder"))
        for (uint32_t i = 0; i < node->n; i++)
            emit(u, OPC_LOAD_CONST, sym_const(u, node->kid[i]->name));
    else
        compile_values(u, node);
    u->span = node->span;
    emit(u, OPC_KEYWORD, add_node(u, node));
    u->depth = depth;
}

void compile_workflow(struct unit *u, const struct node *node)
{
    if (!u->c->vm->options.hooks) {
        compile_error(u, node->span, "Snakemake statements cannot stand in plain Python");
        return;
    }
    if (node->kind == NODE_KEYWORD_STMT) {
        compile_keyword(u, node);
        return;
    }
    if (node->kind == NODE_HOOK) {
        compile_body_function(u, node, node->kid[0], 6, 1);
        emit(u, OPC_HOOK, add_node(u, node));
        return;
    }
    emit(u, OPC_STATEMENT_BEGIN, add_node(u, node));
    for (uint32_t i = 0; i < node->n; i++)
        compile_directive(u, node->kid[i]);
    u->span = node->span;
    emit(u, OPC_STATEMENT_END, add_node(u, node));
}
