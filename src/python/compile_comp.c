// SPDX-License-Identifier: MIT
/* Comprehensions. List, set and dict comprehensions run in the frame around them: the container is
 * made first and lies under the iterators of the open loops. Generator expressions are generator
 * functions of one parameter, the first iterator. */

#include "base/memory.h"
#include "python/compile.h"

struct loop {
    uint32_t start, exit;
    struct jump_list next; /* conditions that were false */
};

/* Targets of the first loop have a value wherever the element or a condition reads them. */
static void mark_sure(struct unit *u, const struct node *target)
{
    if (target->kind != NODE_NAME) {
        for (uint32_t i = 0;
             (target->kind == NODE_TUPLE || target->kind == NODE_LIST) && i < target->n; i++)
            mark_sure(u, target->kid[i]);
        return;
    }
    for (uint32_t i = 0; i < u->scope->vars.len; i++)
        if (u->scope->vars.at[i]->name == target->name)
            u->scope->vars.at[i]->flags |= VAR_SURE;
}

static void make_cells(struct unit *u)
{
    for (uint32_t i = 0; i < u->scope->vars.len; i++) {
        const struct variable *var = u->scope->vars.at[i];
        bool owned = variable_owned(var);
        if (owned && var->flags & VAR_CELL)
            emit(u, OPC_NEW_CELL, var->slot);
        else if (owned && !(var->flags & VAR_SURE))
            emit(u, OPC_UNBIND, var->slot);
    }
}

static void compile_element(struct unit *u, const struct node *comp, uint32_t loops)
{
    const struct node *element = comp->kid[0];
    if (comp->kind == NODE_DICTCOMP) {
        compile_expr(u, element->kid[0]);
        compile_expr(u, element->kid[1]);
    } else {
        compile_expr(u, element);
    }
    u->span = element->span;
    switch (comp->kind) {
    case NODE_LISTCOMP: emit(u, OPC_LIST_APPEND, loops + 1); break;
    case NODE_SETCOMP: emit(u, OPC_SET_ADD, loops + 1); break;
    case NODE_DICTCOMP: emit(u, OPC_DICT_ADD, loops + 1); break;
    default: emit(u, OPC_YIELD, 0); emit(u, OPC_POP, 0);
    }
}

enum { MAX_LOOPS = 20 };

/* The iterator of the first clause is on top. */
static void compile_loops(struct unit *u, const struct node *comp)
{
    struct loop loops[MAX_LOOPS];
    uint32_t n = 0;
    for (uint32_t i = 1; i < comp->n; i++) {
        const struct node *clause = comp->kid[i];
        if (clause->kind == NODE_IF_CLAUSE) {
            compile_condition(u, clause->kid[0], false, &loops[n - 1].next);
            continue;
        }
        if (n == MAX_LOOPS) {
            compile_error(u, clause->span, "too many nested loops in a comprehension");
            return;
        }
        if (clause->op)
            compile_error(u, clause->span, "asynchronous comprehensions are not supported");
        if (n) {
            compile_scanned(u, clause->kid[1]);
            emit(u, OPC_GET_ITER, 0);
        }
        u->span = clause->kid[1]->span;
        loops[n] = (struct loop){.start = here(u)};
        loops[n].exit = emit_jump(u, OPC_FOR_ITER);
        compile_store(u, clause->kid[0]);
        n++;
    }
    compile_element(u, comp, n);
    while (n-- > 0) {
        patch_all(u, &loops[n].next);
        emit_loop(u, loops[n].start);
        patch(u, loops[n].exit);
        u->depth -= 2; /* the item, which was stored, and the iterator */
        u->depth++;
    }
}

static void compile_generator(struct unit *u, const struct node *comp)
{
    struct scope *scope = scope_of(&u->c->scopes, comp, u->scope);
    struct unit inner;
    unit_begin(&inner, u->c, u, scope, comp->span);
    inner.generator_expression = true;
    sym_t name = intern_str(u->c->vm->names, "<genexpr>");
    inner.qualname = qualified(u, name);
    for (uint32_t i = 0; i < scope->vars.len; i++)
        if (scope->vars.at[i]->name == u->c->scopes.iterable)
            emit(&inner, OPC_LOAD_LOCAL, scope->vars.at[i]->slot);
    mark_sure(&inner, comp->kid[1]->kid[0]);
    compile_loops(&inner, comp);
    emit_const(&inner, VALUE_NONE);
    emit(&inner, OPC_RETURN, 0);
    struct code *code = unit_end(&inner, name, comp->span);
    code->nparams = code->npositional = 1;
    code->params = memory_zeroed(2, sizeof *code->params);
    code->params[0] = (struct param_info){.name = u->c->scopes.iterable,
                                          .kind = PARAM_POSITIONAL_ONLY};
    code->flags |= CODE_SIMPLE | CODE_GENERATOR;
    emit_function(u, code, scope, 0);
    compile_scanned(u, comp->kid[1]->kid[1]);
    emit(u, OPC_GET_ITER, 0);
    emit(u, OPC_CALL, 1);
}

void compile_comprehension(struct unit *u, const struct node *comp)
{
    if (comp->kind == NODE_GENEXP) {
        compile_generator(u, comp);
        return;
    }
    struct scope *outer = u->scope;
    compile_scanned(u, comp->kid[1]->kid[1]);
    emit(u, OPC_GET_ITER, 0);
    u->scope = scope_of(&u->c->scopes, comp, outer);
    mark_sure(u, comp->kid[1]->kid[0]);
    make_cells(u);
    emit(u,
         comp->kind == NODE_LISTCOMP  ? OPC_BUILD_LIST
         : comp->kind == NODE_SETCOMP ? OPC_BUILD_SET
                                      : OPC_BUILD_DICT,
         0);
    emit(u, OPC_SWAP, 2);
    compile_loops(u, comp);
    u->scope = outer;
}
