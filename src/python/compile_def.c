// SPDX-License-Identifier: MIT
/* Functions, lambdas and classes. */
#include <string.h>

#include "base/memory.h"
#include "python/compile.h"

/* ---- parameters ---- */

/* Into the order in which they are locals. */
static void describe_params(struct unit *u, struct code *code, const struct node *params)
{
    code->params = memory_zeroed(params->n + 1, sizeof *code->params);
    if (params->n > UINT16_MAX) {
        compile_error(u, params->span, "a function has at most 65535 parameters");
        return;
    }
    for (int o = 0; o < PARAM_KINDS; o++)
        for (uint32_t i = 0; i < params->n; i++) {
            const struct node *param = params->kid[i];
            if (param->op != param_order[o] || !param->name)
                continue;
            code->params[code->nparams++] = (struct param_info){
                .name = scope_mangle(&u->c->scopes, u->scope, param->name),
                .kind = param->op,
                .has_default = param->kid[0]};
            code->npositional += param->op == PARAM_POSITIONAL_ONLY || param->op == PARAM_PLAIN;
            code->nposonly += param->op == PARAM_POSITIONAL_ONLY;
            code->nkwonly += param->op == PARAM_KEYWORD_ONLY;
            code->flags |= param->op == PARAM_STAR    ? CODE_STAR
                           : param->op == PARAM_DSTAR ? CODE_DSTAR
                                                      : 0;
        }
    if (code->nparams == code->npositional)
        code->flags |= CODE_SIMPLE;
}

/* Pushes the tuple of defaults and the dict of keyword-only defaults, where there are any. */
static uint32_t compile_defaults(struct unit *u, const struct node *params)
{
    uint32_t flags = 0, positional = 0, named = 0;
    for (uint32_t i = 0; i < params->n; i++) {
        const struct node *param = params->kid[i];
        if (param->op <= PARAM_PLAIN && param->kid[0]) {
            compile_expr(u, param->kid[0]);
            positional++;
        }
    }
    if (positional) {
        emit(u, OPC_BUILD_TUPLE, positional);
        flags |= FUNCTION_DEFAULTS;
    }
    for (uint32_t i = 0; i < params->n; i++) {
        const struct node *param = params->kid[i];
        if (param->op == PARAM_KEYWORD_ONLY && param->kid[0]) {
            emit(u, OPC_LOAD_CONST, sym_const(u, param->name));
            compile_expr(u, param->kid[0]);
            named++;
        }
    }
    if (named) {
        emit(u, OPC_BUILD_DICT, named);
        flags |= FUNCTION_KWDEFAULTS;
    }
    return flags;
}

static value source_text_of(struct unit *u, const struct node *node)
{
    size_t len;
    const char *text = span_text(diags_sources(u->c->vm->diags), node->span, &len);
    return text ? str_new(u->c->vm, text, len) : str_from(u->c->vm, "");
}

void compile_annotation(struct unit *u, const struct node *node)
{
    value text = source_text_of(u, node);
    if (u->c->annotations_are_text) {
        emit_const(u, text);
        return;
    }
    uint32_t depth = u->depth, start = here(u);
    compile_expr(u, node);
    uint32_t end = here(u), past = emit_jump(u, OPC_JUMP);
    u->depth = depth + 1; /* the exception, which nobody needs */
    add_handler(u, start, end, here(u), depth);
    emit(u, OPC_POP, 0);
    emit_const(u, text);
    patch(u, past);
}

/* The dict of annotations. */
static uint32_t compile_annotations(struct unit *u, const struct node *params,
                                    const struct node *returns)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < params->n; i++)
        if (params->kid[i]->kid[1]) {
            emit(u, OPC_LOAD_CONST, sym_const(u, params->kid[i]->name));
            compile_annotation(u, params->kid[i]->kid[1]);
            n++;
        }
    if (returns) {
        emit(u, OPC_LOAD_CONST, sym_const(u, intern_str(u->c->vm->names, "return")));
        compile_annotation(u, returns);
        n++;
    }
    if (n)
        emit(u, OPC_BUILD_DICT, n);
    return n ? FUNCTION_ANNOTATIONS : 0;
}

sym_t qualified(struct unit *u, sym_t name)
{
    struct intern *names = u->c->vm->names;
    if (!u->up && u->scope->kind == SCOPE_MODULE)
        return name;
    const char *outer = u->qualname ? sym_text(names, u->qualname) : NULL;
    if (!outer)
        return name;
    const char *between = u->scope->host->kind == SCOPE_CLASS || u->generator_expression
                              ? ""
                              : "<locals>.";
    return intern_str(
        names, arena_printf(u->c->scopes.in, "%s.%s%s", outer, between, sym_text(names, name)));
}

static value doc_of(struct unit *u, const struct node *body)
{
    if (body->kind != NODE_BLOCK || !body->n || body->kid[0]->kind != NODE_EXPR ||
        body->kid[0]->kid[0]->kind != NODE_STR)
        return VALUE_NONE;
    return node_constant(u, body->kid[0]->kid[0]);
}

void store_doc(struct unit *u, const struct node *body)
{
    value doc = doc_of(u, body);
    if (doc == VALUE_NONE)
        return;
    emit_const(u, doc);
    store_name(u, u->c->vm->sym.__doc__);
}

static void compile_function(struct unit *u, const struct node *def, sym_t name)
{
    const struct node *params = def->kid[0], *body = def->kid[1];
    uint32_t flags = compile_defaults(u, params);
    if (def->kind == NODE_DEF)
        flags |= compile_annotations(u, params, def->kid[2]);
    struct scope *scope = scope_of(&u->c->scopes, def, u->scope);
    struct unit inner;
    unit_begin(&inner, u->c, u, scope, def->span);
    inner.async = def->kind == NODE_DEF && def->op;
    inner.qualname = qualified(u, name);
    if (def->kind == NODE_LAMBDA) {
        compile_expr(&inner, body);
    } else {
        compile_body(&inner, body);
        emit_const(&inner, VALUE_NONE);
    }
    emit(&inner, OPC_RETURN, 0);
    struct code *code = unit_end(&inner, name, def->span);
    describe_params(u, code, params);
    code->doc = def->kind == NODE_DEF ? doc_of(u, body) : VALUE_NONE;
    if (def->kind == NODE_DEF && def->op)
        code->flags |= CODE_ASYNC | CODE_GENERATOR;
    emit_function(u, code, scope, flags);
}

void compile_lambda(struct unit *u, const struct node *node)
{
    compile_function(u, node, intern_str(u->c->vm->names, "<lambda>"));
}

/* Decorators are evaluated first, then called from the innermost out. */
static void compile_decorators(struct unit *u, const struct node *node, uint32_t from)
{
    for (uint32_t i = from; i < node->n; i++)
        compile_expr(u, node->kid[i]);
}

static void call_decorators(struct unit *u, const struct node *node, uint32_t from)
{
    for (uint32_t i = node->n; i-- > from;) {
        u->span = node->kid[i]->span;
        emit(u, OPC_CALL, 1);
    }
}

void compile_def(struct unit *u, const struct node *def)
{
    compile_decorators(u, def, 3);
    compile_function(u, def, def->name);
    call_decorators(u, def, 3);
    store_name(u, def->name);
}

/* ---- classes ---- */

static struct code *compile_class_body(struct unit *u, const struct node *class,
                                       struct scope *scope)
{
    struct vm *vm = u->c->vm;
    struct unit inner;
    unit_begin(&inner, u->c, u, scope, class->span);
    inner.qualname = qualified(u, class->name);
    load_name(&inner, vm->sym.__name__);
    emit(&inner, OPC_STORE_NAME, sym_const(&inner, vm->sym.__module__));
    emit(&inner, OPC_LOAD_CONST, sym_const(&inner, inner.qualname));
    emit(&inner, OPC_STORE_NAME, sym_const(&inner, vm->sym.__qualname__));
    store_doc(&inner, class->kid[0]);
    compile_body(&inner, class->kid[0]);
    uint32_t slot = 0;
    for (uint32_t i = 0; i < scope->vars.len; i++)
        if (scope->vars.at[i]->name == u->c->scopes.class_cell)
            slot = scope->vars.at[i]->slot;
    if (scope->needs_class)
        emit(&inner, OPC_LOAD_CLOSURE, slot);
    else
        emit_const(&inner, VALUE_NONE);
    emit(&inner, OPC_RETURN, 0);
    struct code *code = unit_end(&inner, class->name, class->span);
    code->flags |= CODE_CLASS | CODE_SIMPLE;
    return code;
}

void compile_class(struct unit *u, const struct node *class)
{
    uint32_t decorators = class->n - (uint32_t) class->num;
    compile_decorators(u, class, decorators);
    struct scope *scope = scope_of(&u->c->scopes, class, u->scope);
    struct code *code = compile_class_body(u, class, scope);
    u->span = class->span;
    emit_function(u, code, scope, 0);
    emit(u, OPC_BUILD_LIST, 0);
    for (uint32_t i = 1; i < decorators; i++) {
        const struct node *base = class->kid[i];
        if (base->kind == NODE_KEYWORD || base->kind == NODE_DSTAR)
            continue;
        compile_expr(u, base->kind == NODE_STAR ? base->kid[0] : base);
        emit(u, base->kind == NODE_STAR ? OPC_LIST_EXTEND : OPC_LIST_APPEND, 1);
    }
    emit(u, OPC_BUILD_DICT, 0);
    for (uint32_t i = 1; i < decorators; i++) {
        const struct node *keyword = class->kid[i];
        if (keyword->kind == NODE_DSTAR) {
            compile_expr(u, keyword->kid[0]);
            emit(u, OPC_DICT_MERGE, 1);
        }
        if (keyword->kind != NODE_KEYWORD)
            continue;
        emit(u, OPC_LOAD_CONST, sym_const(u, keyword->name));
        compile_expr(u, keyword->kid[0]);
        emit(u, OPC_DICT_ADD, 1);
    }
    u->span = class->span;
    emit(u, OPC_BUILD_CLASS, 0);
    call_decorators(u, class, decorators);
    store_name(u, class->name);
}
