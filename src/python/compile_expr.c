// SPDX-License-Identifier: MIT
/* Expressions: each leaves one value on top of the temporaries. */
#include <string.h>

#include "python/compile.h"

/* ---- constants ---- */

static value int_constant(struct unit *u, const struct node *node)
{
    struct vm *vm = u->c->vm;
    if (node->op) /* .num holds it */
        return int_from(vm, node->num);
    value text = str_new(vm, node->text, node->len);
    return vm_call1(vm, type_value(&type_int), text);
}

static value tuple_constant(struct unit *u, const struct node *node)
{
    value items[32];
    if (node->n > 32)
        return NO_VALUE;
    for (uint32_t i = 0; i < node->n; i++) {
        items[i] = node_constant(u, node->kid[i]);
        if (!items[i])
            return NO_VALUE;
    }
    return tuple_new(u->c->vm, items, node->n);
}

static value number_constant(struct unit *u, const struct node *node)
{
    value v = node_constant(u, node);
    return v && (is_int(v) || is_float(v) || is_exact(v, &type_complex)) ? v : NO_VALUE;
}

static value unary_constant(struct unit *u, const struct node *node)
{
    value v = node->op == OP_NEG ? number_constant(u, node->kid[0]) : NO_VALUE;
    return v ? value_unary(u->c->vm, OP_NEG, v) : NO_VALUE;
}

/* Whether a power is one of ints and no longer than 128 bits, as CPython has it in constants. */
static bool is_short_power(value base, value exponent)
{
    if (!is_small(base) || !is_small(exponent) || small_int(exponent) < 0)
        return false;
    int64_t n = small_int(base), bits = 0;
    for (uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n; rest; rest >>= 1)
        bits++;
    return small_int(exponent) <= 128 && bits * small_int(exponent) <= 128;
}

/* Sums, products and powers of numbers: 60 * 60, 1 + 2j, 2**31. */
static value binary_constant(struct unit *u, const struct node *node)
{
    bool power = node->op == OP_POW;
    bool folds = power || node->op == OP_ADD || node->op == OP_SUB || node->op == OP_MUL;
    value a = folds ? number_constant(u, node->kid[0]) : NO_VALUE;
    value b = a ? number_constant(u, node->kid[1]) : NO_VALUE;
    return b && (!power || is_short_power(a, b)) ? value_binary(u->c->vm, node->op, a, b)
                                                 : NO_VALUE;
}

value node_constant(struct unit *u, const struct node *node)
{
    struct vm *vm = u->c->vm;
    switch (node->kind) {
    case NODE_NONE: return VALUE_NONE;
    case NODE_TRUE: return VALUE_TRUE;
    case NODE_FALSE: return VALUE_FALSE;
    case NODE_ELLIPSIS: return VALUE_ELLIPSIS;
    case NODE_INT: return int_constant(u, node);
    case NODE_FLOAT: return float_new(vm, node->real);
    case NODE_STR:
        return node->len < 64 && !memchr(node->text, 0, node->len)
                   ? str_from_sym(vm, intern(vm->names, node->text, node->len))
                   : str_new(vm, node->text, node->len);
    case NODE_BYTES: return bytes_new(vm, node->text, node->len);
    case NODE_IMAG: return complex_new(vm, 0, node->real);
    case NODE_TUPLE: return tuple_constant(u, node);
    case NODE_UNARY: return unary_constant(u, node);
    case NODE_BINARY: return binary_constant(u, node);
    default: return NO_VALUE;
    }
}

/* ---- displays ---- */

static bool has_star(const struct node *node, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (node->kid[i]->kind == NODE_STAR)
            return true;
    return false;
}

/* Items one after the other onto a list (or set) that is already on top. */
static void append_items(struct unit *u, const struct node *node, uint32_t from, uint32_t to,
                         bool set)
{
    for (uint32_t i = from; i < to; i++) {
        const struct node *item = node->kid[i];
        bool star = item->kind == NODE_STAR;
        compile_expr(u, star ? item->kid[0] : item);
        u->span = item->span;
        if (set)
            emit(u, star ? OPC_SET_UPDATE : OPC_SET_ADD, 1);
        else
            emit(u, star ? OPC_LIST_EXTEND : OPC_LIST_APPEND, 1);
    }
}

enum { MANY_ITEMS = 256 };

/* A set of constants alone as a frozenset, or NO_VALUE. CPython fills it twice, and the order of
 * numbers depends on that. */
static value frozen_constant(struct unit *u, const struct node *node)
{
    struct vm *vm = u->c->vm;
    value once = set_new(vm), again = list_new(vm, NULL, 0), item;
    for (uint32_t i = 0; i < node->n; i++) {
        item = node_constant(u, node->kid[i]);
        if (!item || !set_add(vm, once, item))
            return NO_VALUE;
    }
    for (size_t pos = 0; set_next(once, &pos, &item);)
        list_push(vm, again, item);
    return vm_call1(vm, type_value(&type_frozenset), again);
}

void compile_scanned(struct unit *u, const struct node *node)
{
    value v = node->kind == NODE_SET    ? frozen_constant(u, node)
              : node->kind == NODE_LIST ? tuple_constant(u, node)
                                        : NO_VALUE;
    if (v)
        emit_const(u, v);
    else
        compile_expr(u, node);
    u->span = node->span;
}

static void compile_items(struct unit *u, const struct node *node, enum opcode build)
{
    bool set = build == OPC_BUILD_SET;
    value frozen = set && node->n > 2 ? frozen_constant(u, node) : NO_VALUE;
    if (frozen) {
        emit(u, OPC_BUILD_SET, 0);
        emit_const(u, frozen);
        emit(u, OPC_SET_UPDATE, 1);
        return;
    }
    if (node->n <= MANY_ITEMS && !has_star(node, 0, node->n)) {
        for (uint32_t i = 0; i < node->n; i++)
            compile_expr(u, node->kid[i]);
        u->span = node->span;
        emit(u, build, node->n);
        return;
    }
    emit(u, set ? OPC_BUILD_SET : OPC_BUILD_LIST, 0);
    append_items(u, node, 0, node->n, set);
    if (build == OPC_BUILD_TUPLE)
        emit(u, OPC_LIST_TUPLE, 0);
}

static void compile_dict(struct unit *u, const struct node *node)
{
    uint32_t pending = 0;
    bool begun = false;
    for (uint32_t i = 0; i < node->n; i++) {
        const struct node *item = node->kid[i];
        if (item->kind == NODE_PAIR && !begun && pending < MANY_ITEMS) {
            compile_expr(u, item->kid[0]);
            compile_expr(u, item->kid[1]);
            pending++;
            continue;
        }
        if (!begun)
            emit(u, OPC_BUILD_DICT, pending);
        begun = true;
        compile_expr(u, item->kid[0]);
        if (item->kind == NODE_PAIR)
            compile_expr(u, item->kid[1]);
        u->span = item->span;
        emit(u, item->kind == NODE_PAIR ? OPC_DICT_ADD : OPC_DICT_UPDATE, 1);
    }
    u->span = node->span;
    if (!begun)
        emit(u, OPC_BUILD_DICT, pending);
}

/* ---- strings ---- */

static void compile_field(struct unit *u, const struct node *field)
{
    compile_expr(u, field->kid[0]);
    const struct node *spec = field->kid[1];
    if (spec)
        compile_expr(u, spec);
    u->span = field->kid[0]->span;
    uint32_t conversion = field->op;
    if (field->text && !conversion && !spec)
        conversion = 'r';
    emit(u, OPC_FORMAT, conversion | (spec ? 256u : 0));
}

static void compile_fstring(struct unit *u, const struct node *node)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < node->n; i++) {
        const struct node *part = node->kid[i];
        if (part->kind == NODE_FIELD && part->text) {
            emit_const(u, str_new(u->c->vm, part->text, part->len));
            parts++;
        }
        if (part->kind == NODE_FIELD)
            compile_field(u, part);
        else
            compile_expr(u, part);
        parts++;
    }
    u->span = node->span;
    if (parts != 1)
        emit(u, OPC_BUILD_STRING, parts);
}

/* ---- calls ---- */

static bool is_positional(const struct node *arg)
{
    return arg->kind != NODE_KEYWORD && arg->kind != NODE_DSTAR;
}

/* The positional argument, if there is just one. */
static const struct node *only_positional(const struct node *call, uint32_t from, uint32_t to)
{
    const struct node *only = NULL;
    for (uint32_t i = from; i < to; i++) {
        if (!is_positional(call->kid[i]))
            continue;
        if (only)
            return NULL;
        only = call->kid[i];
    }
    return only;
}

/* The items of a call or display with stars as one list; dstars and keywords as one dict (or
 * None). */
static void compile_call_lists(struct unit *u, const struct node *call, uint32_t from, uint32_t to)
{
    const struct node *only = only_positional(call, from, to);
    if (only && only->kind == NODE_STAR) {
        compile_expr(u, only->kid[0]); /* taken apart when the call is made */
    } else {
        emit(u, OPC_BUILD_LIST, 0);
        for (uint32_t i = from; i < to; i++)
            if (is_positional(call->kid[i]))
                append_items(u, call, i, i + 1, false);
    }
    bool any = false;
    for (uint32_t i = from; i < to; i++) {
        const struct node *arg = call->kid[i];
        if (is_positional(arg))
            continue;
        if (!any)
            emit(u, OPC_BUILD_DICT, 0);
        any = true;
        if (arg->kind == NODE_KEYWORD) {
            emit(u, OPC_LOAD_CONST, sym_const(u, arg->name));
            compile_expr(u, arg->kid[0]);
            emit(u, OPC_BUILD_DICT, 1);
        } else {
            compile_expr(u, arg->kid[0]);
        }
        u->span = arg->span;
        emit(u, OPC_DICT_MERGE, 1);
    }
    if (!any)
        emit_const(u, VALUE_NONE);
}

static void check_keywords(struct unit *u, const struct node *call)
{
    for (uint32_t i = 1; i < call->n; i++)
        for (uint32_t j = 1; call->kid[i]->kind == NODE_KEYWORD && j < i; j++)
            if (call->kid[j]->kind == NODE_KEYWORD && call->kid[j]->name == call->kid[i]->name)
                compile_error(u, call->kid[i]->span, "keyword argument repeated: %s",
                              sym_text(u->c->vm->names, call->kid[i]->name));
}

static void compile_call(struct unit *u, const struct node *call)
{
    struct span span = call->span;
    const struct node *callee = call->kid[0];
    uint32_t n = call->n - 1, keywords = 0;
    bool spread = n > MANY_ITEMS;
    for (uint32_t i = 1; i < call->n; i++) {
        spread |= call->kid[i]->kind == NODE_STAR || call->kid[i]->kind == NODE_DSTAR;
        keywords += call->kid[i]->kind == NODE_KEYWORD;
    }
    check_keywords(u, call);
    bool method = callee->kind == NODE_ATTR && !spread;
    if (method) {
        compile_expr(u, callee->kid[0]);
        u->span = callee->span;
        emit(u, OPC_LOAD_METHOD, add_name(u, scope_mangle(&u->c->scopes, u->scope, callee->name)));
    } else {
        compile_expr(u, callee);
    }
    if (spread) {
        compile_call_lists(u, call, 1, call->n);
        u->span = span;
        emit(u, OPC_CALL_EX, 0);
        return;
    }
    value names[MANY_ITEMS];
    uint32_t named = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 1; i < call->n; i++) {
            const struct node *arg = call->kid[i];
            bool keyword = arg->kind == NODE_KEYWORD;
            if (keyword != (pass == 1))
                continue;
            if (keyword)
                names[named++] = str_from_sym(u->c->vm, arg->name);
            compile_expr(u, keyword ? arg->kid[0] : arg);
        }
    u->span = span;
    if (keywords) {
        emit_const(u, tuple_new(u->c->vm, names, named));
        emit(u, method ? OPC_CALL_METHOD_KW : OPC_CALL_KW, n);
    } else {
        emit(u, method ? OPC_CALL_METHOD : OPC_CALL, n);
    }
}

/* ---- operators ---- */

static void compile_binary(struct unit *u, const struct node *node)
{
    compile_expr(u, node->kid[0]);
    compile_expr(u, node->kid[1]);
    u->span = node->span;
    switch (node->op) {
    case OP_ADD: emit(u, OPC_ADD, 0); break;
    case OP_SUB: emit(u, OPC_SUB, 0); break;
    case OP_MUL: emit(u, OPC_MUL, 0); break;
    default: emit(u, OPC_BINARY, node->op);
    }
}

static void emit_compare(struct unit *u, const struct node *node)
{
    u->span = node->span;
    switch (node->op) {
    case OP_IS:
    case OP_IS_NOT: emit(u, OPC_IS, node->op == OP_IS_NOT); break;
    case OP_IN:
    case OP_NOT_IN: emit(u, OPC_IN, node->op == OP_NOT_IN); break;
    default: emit(u, OPC_COMPARE, node->op);
    }
}

/* The right side of a comparison. */
static void compile_operand(struct unit *u, const struct node *node, bool last)
{
    if (last && (node->op == OP_IN || node->op == OP_NOT_IN))
        compile_scanned(u, node->kid[1]);
    else
        compile_expr(u, node->kid[1]);
}

/* a < b < c: b is kept under the first result; a false result drops it. */
static void compile_chain(struct unit *u, const struct node *node)
{
    struct jump_list falses = {0};
    compile_expr(u, node->kid[0]->kid[0]);
    for (uint32_t i = 0; i < node->n; i++) {
        bool last = i + 1 == node->n;
        compile_operand(u, node->kid[i], last);
        if (!last) {
            emit(u, OPC_COPY, 1);
            emit(u, OPC_SWAP, 3); /* a b b -> b b a -> b a b */
            emit(u, OPC_SWAP, 2);
        }
        emit_compare(u, node->kid[i]);
        if (!last)
            vec_push(&falses.at, emit_jump(u, OPC_JUMP_FALSE_KEEP));
    }
    uint32_t end = emit_jump(u, OPC_JUMP);
    patch_all(u, &falses); /* copy, false */
    u->depth++;
    emit(u, OPC_SWAP, 2);
    emit(u, OPC_POP, 0);
    patch(u, end);
}

static void compile_logic(struct unit *u, const struct node *node)
{
    struct jump_list ends = {0};
    for (uint32_t i = 0; i < node->n; i++) {
        compile_expr(u, node->kid[i]);
        if (i + 1 < node->n)
            vec_push(&ends.at, emit_jump(u, node->kind == NODE_AND ? OPC_JUMP_FALSE_KEEP
                                                                   : OPC_JUMP_TRUE_KEEP));
    }
    patch_all(u, &ends);
}

static void compile_logic_condition(struct unit *u, const struct node *node, bool jump_if,
                                    struct jump_list *jumps)
{
    bool is_and = node->kind == NODE_AND;
    struct jump_list past = {0};
    for (uint32_t i = 0; i < node->n; i++) {
        bool last = i + 1 == node->n;
        if (last || is_and != jump_if)
            compile_condition(u, node->kid[i], jump_if, jumps); /* decides alone */
        else
            compile_condition(u, node->kid[i], !jump_if, &past);
    }
    patch_all(u, &past);
}

void compile_condition(struct unit *u, const struct node *node, bool jump_if,
                       struct jump_list *jumps)
{
    if (node->kind == NODE_UNARY && node->op == OP_NOT) {
        compile_condition(u, node->kid[0], !jump_if, jumps);
        return;
    }
    if (node->kind == NODE_AND || node->kind == NODE_OR) {
        compile_logic_condition(u, node, jump_if, jumps);
        return;
    }
    compile_expr(u, node);
    u->span = node->span;
    vec_push(&jumps->at, emit_jump(u, jump_if ? OPC_JUMP_TRUE : OPC_JUMP_FALSE));
}

static void compile_ifexp(struct unit *u, const struct node *node)
{
    struct jump_list otherwise = {0};
    compile_condition(u, node->kid[0], false, &otherwise);
    compile_expr(u, node->kid[1]);
    uint32_t end = emit_jump(u, OPC_JUMP);
    patch_all(u, &otherwise);
    u->depth--;
    compile_expr(u, node->kid[2]);
    patch(u, end);
}

/* ---- access ---- */

static void compile_slice(struct unit *u, const struct node *node)
{
    for (uint32_t i = 0; i < 3; i++)
        if (node->kid[i])
            compile_expr(u, node->kid[i]);
        else
            emit_const(u, VALUE_NONE);
    emit(u, OPC_BUILD_SLICE, 0);
}

static void compile_yield(struct unit *u, const struct node *node)
{
    bool await = node->kind == NODE_AWAIT;
    if (u->async != await)
        compile_error(u, node->span, "asynchronous generators are not supported");
    if (node->kid[0])
        compile_expr(u, node->kid[0]);
    else
        emit_const(u, VALUE_NONE);
    u->span = node->span;
    if (node->kind == NODE_YIELD) {
        emit(u, OPC_YIELD, 0);
        return;
    }
    emit(u, OPC_GET_YIELD_ITER, await);
    emit_const(u, VALUE_NONE);
    uint32_t start = here(u);
    uint32_t end = emit_jump(u, OPC_SEND);
    emit(u, OPC_YIELD, 1); /* generator.throw() finds the SEND in front of it */
    emit_loop(u, start);
    patch(u, end);
    u->depth--;
}

static void compile_walrus(struct unit *u, const struct node *node)
{
    compile_expr(u, node->kid[1]);
    emit(u, OPC_COPY, 1);
    store_name(u, node->kid[0]->name);
}

static void compile_access(struct unit *u, const struct node *node)
{
    compile_expr(u, node->kid[0]);
    if (node->kind == NODE_INDEX)
        compile_expr(u, node->kid[1]);
    u->span = node->span;
    if (node->kind == NODE_INDEX)
        emit(u, OPC_GET_INDEX, 0);
    else
        emit(u, OPC_LOAD_ATTR, add_name(u, scope_mangle(&u->c->scopes, u->scope, node->name)));
}

/* Short texts are shared with the names. */
static void compile_constant(struct unit *u, const struct node *node, value constant)
{
    if (node->kind == NODE_STR && node->len < 64 && !memchr(node->text, 0, node->len))
        emit(u, OPC_LOAD_CONST, sym_const(u, intern(u->c->vm->names, node->text, node->len)));
    else
        emit_const(u, constant);
}

static void compile_name(struct unit *u, const struct node *node)
{
    load_name(u, node->name);
}

static void compile_display(struct unit *u, const struct node *node)
{
    bool tuple = node->kind == NODE_TUPLE, set = node->kind == NODE_SET;
    compile_items(u, node, tuple ? OPC_BUILD_TUPLE : set ? OPC_BUILD_SET : OPC_BUILD_LIST);
}

static void compile_unary(struct unit *u, const struct node *node)
{
    compile_expr(u, node->kid[0]);
    u->span = node->span;
    emit(u, node->op == OP_NOT ? OPC_NOT : OPC_UNARY, node->op == OP_NOT ? 0 : node->op);
}

static void compile_compare(struct unit *u, const struct node *node)
{
    compile_expr(u, node->kid[0]);
    compile_operand(u, node, true);
    emit_compare(u, node);
}

static void refuse_star(struct unit *u, const struct node *node)
{
    compile_error(u, node->span, "can't use starred expression here");
}

static compile_kind *const by_kind[NODE_KIND_COUNT] = {
    [NODE_NAME] = compile_name,
    [NODE_FSTRING] = compile_fstring,
    [NODE_TUPLE] = compile_display,
    [NODE_LIST] = compile_display,
    [NODE_SET] = compile_display,
    [NODE_DICT] = compile_dict,
    [NODE_LISTCOMP] = compile_comprehension,
    [NODE_SETCOMP] = compile_comprehension,
    [NODE_DICTCOMP] = compile_comprehension,
    [NODE_GENEXP] = compile_comprehension,
    [NODE_ATTR] = compile_access,
    [NODE_INDEX] = compile_access,
    [NODE_SLICE] = compile_slice,
    [NODE_CALL] = compile_call,
    [NODE_UNARY] = compile_unary,
    [NODE_BINARY] = compile_binary,
    [NODE_COMPARE] = compile_compare,
    [NODE_CHAIN] = compile_chain,
    [NODE_AND] = compile_logic,
    [NODE_OR] = compile_logic,
    [NODE_IFEXP] = compile_ifexp,
    [NODE_LAMBDA] = compile_lambda,
    [NODE_WALRUS] = compile_walrus,
    [NODE_YIELD] = compile_yield,
    [NODE_YIELD_FROM] = compile_yield,
    [NODE_AWAIT] = compile_yield,
    [NODE_STAR] = refuse_star,
};

void compile_expr(struct unit *u, const struct node *node)
{
    struct span span = u->span;
    u->span = node->span;
    value constant = node_constant(u, node);
    if (constant)
        compile_constant(u, node, constant);
    else if (by_kind[node->kind])
        by_kind[node->kind](u, node);
    else
        compile_error(u, node->span, "%s is not supported here", node_kind_name(node->kind));
    u->span = span;
}
