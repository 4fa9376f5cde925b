// SPDX-License-Identifier: MIT
/* Units and what all compile_*.c files emit through: instructions, jumps, constants, names. */
#include "python/compile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "syntax/parse.h"

bool compile_error(struct unit *u, struct span span, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    u->c->failed = true;
    return complain_kind(u->c->vm->diags, "SyntaxError", span, "%s", message);
}

/* ---- emitting ---- */

static int effect(enum opcode op, uint32_t a)
{
    switch (op) {
#define X(name, effect)                                                                            \
    case OPC_##name: return effect;
        OPCODES(X)
#undef X
    }
    return 0;
}

static void add_op(struct unit *u, enum opcode op, uint32_t a)
{
    if (a >= 1u << 24)
        compile_error(u, u->span, "too large a piece of code");
    vec_push(&u->ops, (uint32_t)op | a << 8);
    vec_push(&u->spans, u->span);
    u->depth = (uint32_t)((int)u->depth + effect(op, a));
    if (u->depth > u->max_depth)
        u->max_depth = u->depth;
}

/* Two loads of locals in a row become one instruction. */
static bool fuse_loads(struct unit *u, uint32_t slot)
{
    uint32_t n = u->ops.len;
    if (!n || u->label >= n || (u->ops.at[n - 1] & 255) != OPC_LOAD_LOCAL)
        return false;
    uint32_t first = u->ops.at[n - 1] >> 8;
    if (first > 4095 || slot > 4095)
        return false;
    u->ops.at[n - 1] = OPC_LOAD_LOCAL2 | (first | slot << 12) << 8;
    u->depth++;
    if (u->depth > u->max_depth)
        u->max_depth = u->depth;
    return true;
}

void emit(struct unit *u, enum opcode op, uint32_t a)
{
    if (op == OPC_LOAD_LOCAL && fuse_loads(u, a))
        return;
    add_op(u, op, a);
}

void emit_unpack_star(struct unit *u, uint32_t before, uint32_t after)
{
    if (before > UINT8_MAX || after > UINT16_MAX)
        compile_error(u, u->span, "too many expressions in star-unpacking assignment");
    else
        emit(u, OPC_UNPACK_STAR, before | after << 8);
}

uint32_t emit_jump(struct unit *u, enum opcode op)
{
    emit(u, op, 0);
    return u->ops.len - 1;
}

uint32_t here(struct unit *u)
{
    u->label = u->ops.len;
    return u->ops.len;
}

void patch(struct unit *u, uint32_t jump)
{
    u->ops.at[jump] = (u->ops.at[jump] & 255) | here(u) << 8;
}

void patch_all(struct unit *u, struct jump_list *jumps)
{
    for (uint32_t i = 0; i < jumps->at.len; i++)
        patch(u, jumps->at.at[i]);
    vec_free(&jumps->at);
}

static void emit_tick(struct unit *u)
{
    if (u->c->vm->options.budget)
        emit(u, OPC_TICK, 0);
}

void emit_loop(struct unit *u, uint32_t target)
{
    emit_tick(u);
    emit(u, OPC_LOOP, target);
}

void add_handler(struct unit *u, uint32_t start, uint32_t end, uint32_t target, uint32_t depth)
{
    if (start < end)
        vec_push(&u->handlers, ((struct handler){start, end, target, depth}));
}

/* Adds a constant of the code; its index. */
static uint32_t add_const(struct unit *u, value v)
{
    vec_push(&u->consts, v);
    return u->consts.len - 1;
}

uint32_t sym_const(struct unit *u, sym_t sym)
{
    uint32_t *at = map_at(&u->const_of_sym, sym);
    if (!*at)
        *at = add_const(u, str_from_sym(u->c->vm, sym)) + 1;
    return *at - 1;
}

uint32_t add_name(struct unit *u, sym_t sym)
{
    uint32_t *at = map_at(&u->name_of_sym, sym);
    if (!*at) {
        vec_push(&u->names, sym);
        *at = u->names.len;
    }
    return *at - 1;
}

void emit_const(struct unit *u, value v)
{
    emit(u, OPC_LOAD_CONST, add_const(u, v));
}

/* ---- names ---- */

static uint32_t global_slot(struct unit *u, sym_t name)
{
    uint32_t *at = map_at(&u->global_of_sym, name);
    if (!*at) {
        vec_push(&u->globals, ((struct global_cache){.name = sym_const(u, name)}));
        *at = u->globals.len;
    }
    return *at - 1;
}

static bool surely_bound(const struct variable *var)
{
    return var->flags & (VAR_PARAM | VAR_SURE) && !(var->flags & VAR_DELETED);
}

/* The instruction that loads a local. */
static enum opcode load_local(const struct variable *var, bool own)
{
    if (var->flags & VAR_GROWS && !own)
        return OPC_LOAD_GROWN;
    return surely_bound(var) ? OPC_LOAD_LOCAL : OPC_LOAD_CHECKED;
}

/* own: what is loaded comes back, maybe longer, and nothing else holds it. True: it is a local. */
static bool load_variable(struct unit *u, sym_t written, bool own)
{
    struct scopes *scopes = &u->c->scopes;
    sym_t name = scope_mangle(scopes, u->scope, written);
    const struct variable *var;
    uint32_t slot = 0;
    enum access access = scope_access(scopes, u->scope, name, &slot, &var);
    switch (access) {
    case ACCESS_GLOBAL:
        if (u->c->by_names)
            emit(u, OPC_LOAD_NAME, sym_const(u, name));
        else
            emit(u, OPC_LOAD_GLOBAL, global_slot(u, name));
        break;
    case ACCESS_NAMES: emit(u, OPC_LOAD_NAME, sym_const(u, name)); break;
    case ACCESS_CLASS_CELL: emit(u, OPC_LOAD_CLASS_CELL, slot); break;
    case ACCESS_CELL: emit(u, OPC_LOAD_CELL, slot); break;
    case ACCESS_LOCAL: emit(u, load_local(var, own), slot);
    }
    return access == ACCESS_LOCAL;
}

void load_name(struct unit *u, sym_t name)
{
    load_variable(u, name, false);
}

bool load_to_grow(struct unit *u, sym_t name)
{
    return load_variable(u, name, true);
}

/* The same for storing and deleting: op_local, op_cell, op_global, op_name. */
static void change_name(struct unit *u, sym_t written, const enum opcode ops[4])
{
    struct scopes *scopes = &u->c->scopes;
    sym_t name = scope_mangle(scopes, u->scope, written);
    const struct variable *var;
    uint32_t slot = 0;
    enum access access = scope_access(scopes, u->scope, name, &slot, &var);
    if (access == ACCESS_GLOBAL && !u->c->by_names)
        emit(u, ops[2], sym_const(u, name));
    else if (access == ACCESS_LOCAL)
        emit(u, ops[0], slot);
    else if (access == ACCESS_CELL)
        emit(u, ops[1], slot);
    else
        emit(u, ops[3], sym_const(u, name));
}

void store_name(struct unit *u, sym_t name)
{
    static const enum opcode ops[] = {OPC_STORE_LOCAL, OPC_STORE_CELL, OPC_STORE_GLOBAL,
                                      OPC_STORE_NAME};
    change_name(u, name, ops);
}

void delete_name(struct unit *u, sym_t name)
{
    static const enum opcode ops[] = {OPC_DEL_LOCAL, OPC_DEL_CELL, OPC_DEL_GLOBAL, OPC_DEL_NAME};
    change_name(u, name, ops);
}

/* ---- units ---- */

void unit_begin(struct unit *u, struct compiler *c, struct unit *up, struct scope *scope,
                struct span span)
{
    *u = (struct unit){.c = c, .up = up, .scope = scope, .span = span, .label = 0};
    emit_tick(u);
}

static void *keep(void *at, size_t bytes)
{
    return at ? memory_resized(at, bytes, 1) : NULL;
}

static struct scope *host_member(struct unit *u, uint32_t i, const struct scope *host)
{
    struct scope *scope = u->c->scopes.all.at[i];
    return scope->host == host ? scope : NULL;
}

/* Which locals are cells from the start, and what locals are called. Cells of comprehensions are
 * made by them. */
static void describe_locals(struct unit *u, struct code *code)
{
    struct scope *host = u->scope;
    code->nlocals = host->nlocals;
    code->nfree = host->frees.len;
    code->local_names = memory_zeroed(code->nlocals + 1, sizeof *code->local_names);
    code->cell_slots = memory_zeroed(code->nlocals + 1, sizeof *code->cell_slots);
    for (uint32_t i = 0; i < u->c->scopes.all.len; i++) {
        struct scope *scope = host_member(u, i, host);
        if (!scope || scope->kind == SCOPE_MODULE)
            continue;
        for (uint32_t v = 0; v < scope->vars.len; v++) {
            const struct variable *var = scope->vars.at[v];
            if (!variable_owned(var) || (scope->kind == SCOPE_CLASS && !(var->flags & VAR_CELL)))
                continue;
            code->local_names[var->slot] = var->name;
            if (var->flags & VAR_CELL && scope == host)
                code->cell_slots[code->ncells++] = var->slot;
        }
    }
    for (uint32_t i = 0; i < code->nfree; i++)
        code->local_names[code->nlocals - code->nfree + i] = host->frees.at[i]->name;
}

struct code *unit_end(struct unit *u, sym_t name, struct span span)
{
    struct code *code = (struct code *)as_object(code_new(u->c->vm));
    code->name = name;
    code->qualname = u->qualname ? u->qualname : name;
    code->span = span;
    code->doc = VALUE_NONE;
    code->depth = u->max_depth + 2;
    describe_locals(u, code);
    code->ops = keep(u->ops.at, u->ops.len * sizeof *u->ops.at);
    code->spans = keep(u->spans.at, u->spans.len * sizeof *u->spans.at);
    code->consts = keep(u->consts.at, u->consts.len * sizeof *u->consts.at);
    code->handlers = keep(u->handlers.at, u->handlers.len * sizeof *u->handlers.at);
    code->globals = keep(u->globals.at, u->globals.len * sizeof *u->globals.at);
    code->names = keep(u->names.at, u->names.len * sizeof *u->names.at);
    code->nodes = keep(u->nodes.at, u->nodes.len * sizeof *u->nodes.at);
    code->nconsts = u->consts.len;
    code->nhandlers = u->handlers.len;
    code->nnodes = u->nodes.len;
    if (u->scope->generator)
        code->flags |= CODE_GENERATOR;
    map_free(&u->const_of_sym);
    map_free(&u->name_of_sym);
    map_free(&u->global_of_sym);
    return code;
}

/* The slot, in the unit around, of a cell that an inner function needs. */
static uint32_t outer_slot(struct unit *u, const struct variable *var)
{
    struct scope *host = u->scope->host;
    for (uint32_t i = 0; i < host->frees.len; i++)
        if (host->frees.at[i] == var)
            return scope_free_slot(host, var);
    return var->slot;
}

void emit_function(struct unit *u, struct code *code, struct scope *scope, uint32_t flags)
{
    for (uint32_t i = 0; i < scope->frees.len; i++)
        emit(u, OPC_LOAD_CLOSURE, outer_slot(u, scope->frees.at[i]));
    if (scope->frees.len) {
        emit(u, OPC_BUILD_TUPLE, scope->frees.len);
        flags |= FUNCTION_CLOSURE;
    }
    emit_const(u, from_object(code));
    emit(u, OPC_MAKE_FUNCTION, flags);
}

struct node *parse_python(struct vm *vm, const char *name, const char *text, size_t len,
                          bool expression)
{
    static const struct parse_options options = {.python = true};
    int source = source_add(diags_sources(vm->diags), name, text, len);
    if (!source)
        return NULL;
    return expression ? parse_expression(vm->code_arena, vm->names, vm->diags, source)
                      : parse_source(vm->code_arena, vm->names, vm->diags, source, &options);
}

value raise_complaint(struct vm *vm)
{
    return vm_raise(vm, "SyntaxError", "%s", diag_last(vm->diags));
}

struct code *compile_tree(struct vm *vm, const struct node *tree, bool expression, bool by_names)
{
    static const char *const body_names[] = {BODY_PARAMS};
    sym_t body_params[BODY_PARAM_COUNT];
    for (int i = 0; i < BODY_PARAM_COUNT; i++)
        body_params[i] = intern_str(vm->names, body_names[i]);
    struct compiler c = {.vm = vm, .by_names = by_names};
    c.scopes = (struct scopes){
        .in = vm->code_arena, .names = vm->names, .dx = vm->diags, .body_params = body_params};
    struct code *code = NULL;
    if (scopes_make(&c.scopes, tree)) {
        struct unit u;
        unit_begin(&u, &c, NULL, c.scopes.all.at[0], tree->span);
        if (expression) {
            compile_expr(&u, tree);
        } else {
            store_doc(&u, tree);
            compile_body(&u, tree);
            emit_const(&u, VALUE_NONE);
        }
        emit(&u, OPC_RETURN, 0);
        code = unit_end(&u, intern_str(vm->names, "<module>"), tree->span);
        code->flags |= by_names ? CODE_NAMES : 0;
    }
    scopes_free(&c.scopes);
    return c.failed ? NULL : code;
}
