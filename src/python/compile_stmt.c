// SPDX-License-Identifier: MIT
/* Statements: each leaves the temporaries as they were. */
#include <string.h>

#include "python/compile.h"

/* ---- storing ---- */

static void compile_unpack(struct unit *u, const struct node *target)
{
    uint32_t star = target->n;
    for (uint32_t i = 0; i < target->n; i++) {
        if (target->kid[i]->kind != NODE_STAR)
            continue;
        if (star != target->n) {
            compile_error(u, target->kid[i]->span, "multiple starred expressions in assignment");
            return;
        }
        star = i;
    }
    u->span = target->span;
    if (star == target->n)
        emit(u, OPC_UNPACK, target->n);
    else
        emit_unpack_star(u, star, target->n - star - 1);
    for (uint32_t i = 0; i < target->n; i++)
        compile_store(u, i == star ? target->kid[i]->kid[0] : target->kid[i]);
}

void compile_store(struct unit *u, const struct node *target)
{
    switch (target->kind) {
    case NODE_NAME:
        u->span = target->span;
        store_name(u, target->name);
        break;
    case NODE_ATTR:
        compile_expr(u, target->kid[0]);
        u->span = target->span;
        emit(u, OPC_STORE_ATTR, add_name(u, scope_mangle(&u->c->scopes, u->scope, target->name)));
        break;
    case NODE_INDEX:
        compile_expr(u, target->kid[0]);
        compile_expr(u, target->kid[1]);
        u->span = target->span;
        emit(u, OPC_SET_INDEX, 0);
        break;
    case NODE_TUPLE:
    case NODE_LIST: compile_unpack(u, target); break;
    case NODE_STAR:
        compile_error(u, target->span, "starred assignment target must be in a list or tuple");
        break;
    default: compile_error(u, target->span, "cannot assign to this expression");
    }
}

/* name += added, or name = name + added. */
static void compile_growth(struct unit *u, const struct node *node, const struct node *name,
                           const struct node *added)
{
    bool inplace = node->kind == NODE_AUGASSIGN;
    u->span = name->span;
    bool grows = load_to_grow(u, name->name);
    compile_expr(u, added);
    u->span = inplace ? node->span : node->kid[0]->span;
    if (grows)
        emit(u, OPC_GROW, inplace);
    else if (inplace)
        emit(u, OPC_INPLACE, OP_ADD);
    else
        emit(u, OPC_ADD, 0);
    store_name(u, name->name);
}

static void compile_assign(struct unit *u, const struct node *node)
{
    if (scope_grows(node)) {
        compile_growth(u, node, node->kid[1], node->kid[0]->kid[1]);
        return;
    }
    compile_expr(u, node->kid[0]);
    for (uint32_t i = 1; i < node->n; i++) {
        if (i + 1 < node->n)
            emit(u, OPC_COPY, 1);
        compile_store(u, node->kid[i]);
    }
}

static void compile_augassign(struct unit *u, const struct node *node)
{
    const struct node *target = node->kid[0];
    if (scope_grows(node)) {
        compile_growth(u, node, target, node->kid[1]);
        return;
    }
    switch (target->kind) {
    case NODE_NAME:
        u->span = target->span;
        load_name(u, target->name);
        break;
    case NODE_ATTR:
        compile_expr(u, target->kid[0]);
        emit(u, OPC_COPY, 1);
        u->span = target->span;
        emit(u, OPC_LOAD_ATTR, add_name(u, scope_mangle(&u->c->scopes, u->scope, target->name)));
        break;
    case NODE_INDEX:
        compile_expr(u, target->kid[0]);
        compile_expr(u, target->kid[1]);
        emit(u, OPC_COPY, 2);
        emit(u, OPC_COPY, 2);
        u->span = target->span;
        emit(u, OPC_GET_INDEX, 0);
        break;
    default:
        compile_error(u, target->span,
                      "this expression is an illegal target for augmented assignment");
        return;
    }
    compile_expr(u, node->kid[1]);
    u->span = node->span;
    emit(u, OPC_INPLACE, node->op);
    if (target->kind == NODE_NAME) {
        store_name(u, target->name);
    } else if (target->kind == NODE_ATTR) {
        emit(u, OPC_SWAP, 2);
        emit(u, OPC_STORE_ATTR, add_name(u, scope_mangle(&u->c->scopes, u->scope, target->name)));
    } else {
        emit(u, OPC_SWAP, 3); /* object key result -> result key object -> result object key */
        emit(u, OPC_SWAP, 2);
        emit(u, OPC_SET_INDEX, 0);
    }
}

static void compile_annassign(struct unit *u, const struct node *node)
{
    if (node->kid[2]) {
        compile_expr(u, node->kid[2]);
        compile_store(u, node->kid[0]);
    }
    if (u->scope->kind != SCOPE_CLASS || node->kid[0]->kind != NODE_NAME)
        return;
    compile_annotation(u, node->kid[1]);
    emit(u, OPC_ANNOTATE, sym_const(u, scope_mangle(&u->c->scopes, u->scope, node->kid[0]->name)));
}

static void compile_delete(struct unit *u, const struct node *target)
{
    switch (target->kind) {
    case NODE_NAME:
        u->span = target->span;
        delete_name(u, target->name);
        break;
    case NODE_ATTR:
        compile_expr(u, target->kid[0]);
        u->span = target->span;
        emit(u, OPC_DEL_ATTR, add_name(u, scope_mangle(&u->c->scopes, u->scope, target->name)));
        break;
    case NODE_INDEX:
        compile_expr(u, target->kid[0]);
        compile_expr(u, target->kid[1]);
        u->span = target->span;
        emit(u, OPC_DEL_INDEX, 0);
        break;
    case NODE_TUPLE:
    case NODE_LIST:
        for (uint32_t i = 0; i < target->n; i++)
            compile_delete(u, target->kid[i]);
        break;
    default: compile_error(u, target->span, "cannot delete this expression");
    }
}

/* ---- control flow ---- */

static void compile_if(struct unit *u, const struct node *node)
{
    struct jump_list otherwise = {0};
    compile_condition(u, node->kid[0], false, &otherwise);
    compile_body(u, node->kid[1]);
    if (!node->kid[2]) {
        patch_all(u, &otherwise);
        return;
    }
    uint32_t end = emit_jump(u, OPC_JUMP);
    patch_all(u, &otherwise);
    compile_stmt(u, node->kid[2]);
    patch(u, end);
}

static void compile_while(struct unit *u, const struct node *node)
{
    struct jump_list breaks = {0}, done = {0};
    struct block loop = {.kind = BLOCK_LOOP, .up = u->block, .breaks = &breaks};
    loop.start = here(u);
    compile_condition(u, node->kid[0], false, &done);
    u->block = &loop;
    compile_body(u, node->kid[1]);
    u->block = loop.up;
    emit_loop(u, loop.start);
    patch_all(u, &done);
    if (node->kid[2])
        compile_body(u, node->kid[2]);
    patch_all(u, &breaks);
}

static void compile_for(struct unit *u, const struct node *node)
{
    struct jump_list breaks = {0};
    if (node->op)
        compile_error(u, node->span, "'async for' is not supported");
    compile_scanned(u, node->kid[1]);
    emit(u, OPC_GET_ITER, 0);
    struct block loop = {.kind = BLOCK_FOR, .up = u->block, .breaks = &breaks};
    loop.start = here(u);
    uint32_t exit = emit_jump(u, OPC_FOR_ITER);
    compile_store(u, node->kid[0]);
    u->block = &loop;
    compile_body(u, node->kid[2]);
    u->block = loop.up;
    u->span = node->kid[1]->span;
    emit_loop(u, loop.start);
    patch(u, exit);
    u->depth--;
    if (node->kid[3])
        compile_body(u, node->kid[3]);
    patch_all(u, &breaks);
}

static struct block *innermost_loop(struct unit *u)
{
    struct block *block = u->block;
    while (block && block->kind != BLOCK_LOOP && block->kind != BLOCK_FOR)
        block = block->up;
    return block;
}

static void compile_break(struct unit *u, const struct node *node)
{
    struct block *loop = innermost_loop(u);
    if (!loop) {
        compile_error(u, node->span,
                      node->kind == NODE_BREAK ? "'break' outside loop"
                                               : "'continue' not properly in loop");
        return;
    }
    uint32_t depth = u->depth;
    if (node->kind == NODE_BREAK) {
        leave_blocks(u, loop->up, false);
        vec_push(&loop->breaks->at, emit_jump(u, OPC_JUMP));
    } else {
        leave_blocks(u, loop, false);
        emit_loop(u, loop->start);
    }
    u->depth = depth;
}

static void compile_return(struct unit *u, const struct node *node)
{
    if (u->scope->host->kind != SCOPE_FUNCTION) {
        compile_error(u, node->span, "'return' outside function");
        return;
    }
    uint32_t depth = u->depth;
    if (node->kid[0])
        compile_expr(u, node->kid[0]);
    else
        emit_const(u, VALUE_NONE);
    leave_blocks(u, NULL, true);
    u->span = node->span;
    emit(u, OPC_RETURN, 0);
    u->depth = depth;
}

static void compile_raise(struct unit *u, const struct node *node)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < node->n; i++)
        if (node->kid[i]) {
            compile_expr(u, node->kid[i]);
            n++;
        }
    u->span = node->span;
    emit(u, OPC_RAISE, n);
}

static void compile_assert(struct unit *u, const struct node *node)
{
    struct jump_list fine = {0};
    compile_condition(u, node->kid[0], true, &fine);
    bool message = node->kid[1];
    if (message)
        compile_expr(u, node->kid[1]);
    u->span = node->kid[0]->span;
    emit(u, OPC_ASSERT_FAILED, message);
    patch_all(u, &fine);
}

/* ---- imports ---- */

static void compile_import(struct unit *u, const struct node *node)
{
    struct intern *names = u->c->vm->names;
    for (uint32_t i = 0; i < node->n; i++) {
        const struct node *alias = node->kid[i];
        const char *name = sym_text(names, alias->name);
        u->span = alias->span;
        if (alias->text) {
            emit(u, OPC_IMPORT, sym_const(u, alias->name));
            store_name(u, intern(names, alias->text, alias->len));
        } else {
            emit(u, OPC_IMPORT_TOP, sym_const(u, alias->name));
            store_name(u, intern(names, name, strcspn(name, ".")));
        }
    }
}

static void compile_import_from(struct unit *u, const struct node *node)
{
    struct intern *names = u->c->vm->names;
    const char *module = node->name ? sym_text(names, node->name) : "";
    if (!strcmp(module, "__future__")) {
        for (uint32_t i = 0; i < node->n; i++)
            u->c->annotations_are_text |= !strcmp(sym_text(names, node->kid[i]->name),
                                                  "annotations");
        return;
    }
    u->span = node->span;
    if (node->num) {
        emit_const(u, small(node->num));
        emit(u, OPC_IMPORT_RELATIVE, sym_const(u, node->name ? node->name : intern_str(names, "")));
        u->depth--;
    } else {
        emit(u, OPC_IMPORT, sym_const(u, node->name));
    }
    for (uint32_t i = 0; i < node->n; i++) {
        const struct node *alias = node->kid[i];
        u->span = alias->span;
        if (!strcmp(sym_text(names, alias->name), "*")) {
            emit(u, OPC_IMPORT_STAR, 0);
            return;
        }
        emit(u, OPC_IMPORT_FROM, sym_const(u, alias->name));
        store_name(u, alias->text ? intern(names, alias->text, alias->len) : alias->name);
    }
    emit(u, OPC_POP, 0);
}

/* ---- the table ---- */

void compile_body(struct unit *u, const struct node *node)
{
    if (node->kind != NODE_BLOCK) {
        compile_stmt(u, node);
        return;
    }
    for (uint32_t i = 0; i < node->n; i++)
        compile_stmt(u, node->kid[i]);
}

/* A constant alone is no code. */
static void compile_expression(struct unit *u, const struct node *node)
{
    if (node_constant(u, node->kid[0]))
        return;
    compile_expr(u, node->kid[0]);
    emit(u, OPC_POP, 0);
}

static void compile_del(struct unit *u, const struct node *node)
{
    for (uint32_t i = 0; i < node->n; i++)
        compile_delete(u, node->kid[i]);
}

/* What the parser and the scopes know already. */
static void compile_nothing(struct unit *u, const struct node *node)
{
    (void)u, (void)node;
}

static compile_kind *const by_kind[NODE_KIND_COUNT] = {
    [NODE_BLOCK] = compile_body,
    [NODE_EXPR] = compile_expression,
    [NODE_ASSIGN] = compile_assign,
    [NODE_AUGASSIGN] = compile_augassign,
    [NODE_ANNASSIGN] = compile_annassign,
    [NODE_DEL] = compile_del,
    [NODE_IF] = compile_if,
    [NODE_WHILE] = compile_while,
    [NODE_FOR] = compile_for,
    [NODE_BREAK] = compile_break,
    [NODE_CONTINUE] = compile_break,
    [NODE_MATCH] = compile_match,
    [NODE_TRY] = compile_try,
    [NODE_WITH] = compile_with,
    [NODE_RAISE] = compile_raise,
    [NODE_ASSERT] = compile_assert,
    [NODE_RETURN] = compile_return,
    [NODE_DEF] = compile_def,
    [NODE_CLASS] = compile_class,
    [NODE_IMPORT] = compile_import,
    [NODE_IMPORT_FROM] = compile_import_from,
    [NODE_PASS] = compile_nothing,
    [NODE_GLOBAL] = compile_nothing,
    [NODE_NONLOCAL] = compile_nothing,
    [NODE_RULE] = compile_workflow,
    [NODE_MODULE] = compile_workflow,
    [NODE_USE_RULE] = compile_workflow,
    [NODE_KEYWORD_STMT] = compile_workflow,
    [NODE_HOOK] = compile_workflow,
};

void compile_stmt(struct unit *u, const struct node *node)
{
    u->span = node->span;
    if (by_kind[node->kind])
        by_kind[node->kind](u, node);
    else
        compile_error(u, node->span, "%s is not supported as a statement",
                      node_kind_name(node->kind));
}
