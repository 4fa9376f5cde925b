// SPDX-License-Identifier: MIT
/* match: every pattern takes the subject from the top and leaves whether it matched. What its names
 * take is kept on the stack, below the subject, until all of the pattern has matched:
 *
 *     subject | name ... name | subject's copy, items ... */

#include "python/compile.h"

static void compile_pattern(struct unit *u, const struct node *pattern);

/* ---- names ---- */

static void find_captures(struct captures *captures, const struct node *pattern)
{
    if (!pattern)
        return;
    bool binds = pattern->kind == NODE_PAT_CAPTURE || pattern->kind == NODE_PAT_STAR ||
                 pattern->kind == NODE_PAT_AS;
    bool known = !binds || !pattern->name;
    for (uint32_t i = 0; i < captures->names.len && !known; i++)
        known = captures->names.at[i] == pattern->name;
    if (!known)
        vec_push(&captures->names, pattern->name);
    for (uint32_t i = 0; i < pattern->n; i++)
        find_captures(captures, pattern->kid[i]);
}

/* Takes the top of the stack. */
static void capture(struct unit *u, sym_t name)
{
    uint32_t i = 0;
    while (u->captures->names.at[i] != name)
        i++;
    emit(u, OPC_SWAP, u->depth - u->captures->depth - i);
    emit(u, OPC_POP, 0);
}

/* ---- patterns ---- */

enum { MOST_ITEMS = 255 }; /* a pattern has fewer */

/* Whether it matched is on top; from the jump on, what did not match is there instead. */
static void or_false(struct unit *u, uint32_t jump)
{
    uint32_t end = emit_jump(u, OPC_JUMP);
    patch(u, jump);
    emit(u, OPC_POP, 0);
    emit_const(u, VALUE_FALSE);
    patch(u, end);
}

/* n items are on top, the first one uppermost; all must match their patterns. */
static void match_items(struct unit *u, struct node *const *patterns, uint32_t n)
{
    uint32_t depth = u->depth - n, jumps[MOST_ITEMS];
    for (uint32_t i = 0; i < n; i++) {
        compile_pattern(u, patterns[i]);
        jumps[i] = emit_jump(u, OPC_JUMP_FALSE);
    }
    emit_const(u, VALUE_TRUE);
    uint32_t end = emit_jump(u, OPC_JUMP);
    for (uint32_t i = 0; i < n; i++) { /* after the i-th failed, n - 1 - i items are left */
        u->depth = depth + n - 1 - i;
        patch(u, jumps[i]);
        if (i + 1 < n)
            emit(u, OPC_POP, 0);
    }
    u->depth = depth;
    emit_const(u, VALUE_FALSE);
    patch(u, end);
}

static const struct node *item_pattern(const struct node *node)
{
    return node->kind == NODE_PAIR      ? node->kid[1]
           : node->kind == NODE_KEYWORD ? node->kid[0]
                                        : node;
}

/* subject, and above it a tuple of values or None: the values must match. */
static void match_values(struct unit *u, const struct node *pattern, uint32_t from, uint32_t n)
{
    struct node *items[MOST_ITEMS];
    for (uint32_t i = 0; i < n; i++)
        items[i] = (struct node *)item_pattern(pattern->kid[from + i]);
    emit(u, OPC_SWAP, 2);
    emit(u, OPC_POP, 0);
    emit(u, OPC_COPY, 1);
    emit_const(u, VALUE_NONE);
    emit(u, OPC_IS, 0);
    uint32_t none = emit_jump(u, OPC_JUMP_TRUE);
    emit(u, OPC_UNPACK, n);
    match_items(u, items, n);
    or_false(u, none);
}

/* [a, *_, b]: the subject's items apart from what the star takes, which nobody looks at; how
 * many. */
static uint32_t pick_items(struct unit *u, const struct node *pattern, uint32_t star,
                           struct node **items)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < pattern->n; i++) {
        if (i == star)
            continue;
        items[n++] = pattern->kid[i];
        emit(u, OPC_COPY, n);
        emit_const(u, small(i < star ? (int64_t)i : (int64_t)i - pattern->n));
        emit(u, OPC_GET_INDEX, 0);
    }
    emit(u, OPC_BUILD_TUPLE, n);
    emit(u, OPC_SWAP, 2);
    emit(u, OPC_POP, 0);
    emit(u, OPC_UNPACK, n);
    return n;
}

static void compile_sequence(struct unit *u, const struct node *pattern)
{
    uint32_t n = pattern->n, star = n;
    struct node *picked[MOST_ITEMS], **items = pattern->kid;
    for (uint32_t i = 0; i < n; i++)
        if (pattern->kid[i]->kind == NODE_PAT_STAR)
            star = i;
    emit(u, OPC_MATCH_SEQUENCE, star < n ? (n - 1) | 1u << 16 : n);
    uint32_t no = emit_jump(u, OPC_JUMP_FALSE);
    if (star < n && !pattern->kid[star]->name)
        n = pick_items(u, pattern, star, items = picked);
    else if (star < n)
        emit_unpack_star(u, star, n - star - 1);
    else
        emit(u, OPC_UNPACK, n);
    match_items(u, items, n);
    or_false(u, no);
}

static void push_keys(struct unit *u, const struct node *pattern, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        compile_expr(u, pattern->kid[i]->kid[0]);
    emit(u, OPC_BUILD_TUPLE, n);
}

static void compile_mapping(struct unit *u, const struct node *pattern)
{
    uint32_t n = pattern->n;
    const struct node *rest = n && pattern->kid[n - 1]->kind == NODE_PAT_STAR ? pattern->kid[--n]
                                                                              : NULL;
    push_keys(u, pattern, n);
    emit(u, OPC_MATCH_KEYS, 0);
    if (rest && rest->name) {
        emit(u, OPC_COPY, 2);
        push_keys(u, pattern, n);
        emit(u, OPC_MATCH_REST, 0);
        capture(u, rest->name);
    }
    match_values(u, pattern, 0, n);
}

static void compile_class_pattern(struct unit *u, const struct node *pattern)
{
    value names[MOST_ITEMS];
    uint32_t n = pattern->n - 1, positional = 0;
    compile_expr(u, pattern->kid[0]);
    for (uint32_t i = 0; i < n; i++) {
        const struct node *item = pattern->kid[i + 1];
        if (item->kind == NODE_KEYWORD)
            names[i - positional] = str_from_sym(u->c->vm, item->name);
        else
            positional++;
    }
    emit_const(u, tuple_new(u->c->vm, names, n - positional));
    u->span = pattern->span;
    emit(u, OPC_MATCH_CLASS, positional);
    match_values(u, pattern, 1, n);
}

static void compile_or(struct unit *u, const struct node *pattern)
{
    struct jump_list yes = {0};
    for (uint32_t i = 0; i < pattern->n; i++) {
        emit(u, OPC_COPY, 1);
        compile_pattern(u, pattern->kid[i]);
        vec_push(&yes.at, emit_jump(u, OPC_JUMP_TRUE));
    }
    emit(u, OPC_POP, 0);
    emit_const(u, VALUE_FALSE);
    uint32_t end = emit_jump(u, OPC_JUMP);
    patch_all(u, &yes);
    emit(u, OPC_POP, 0);
    emit_const(u, VALUE_TRUE);
    patch(u, end);
}

static void compile_as(struct unit *u, const struct node *pattern)
{
    emit(u, OPC_COPY, 1);
    compile_pattern(u, pattern->kid[0]);
    uint32_t no = emit_jump(u, OPC_JUMP_FALSE);
    capture(u, pattern->name);
    emit_const(u, VALUE_TRUE);
    or_false(u, no);
}

static void compile_value(struct unit *u, const struct node *expr)
{
    bool identity = expr->kind == NODE_NONE || expr->kind == NODE_TRUE || expr->kind == NODE_FALSE;
    compile_expr(u, expr);
    u->span = expr->span;
    emit(u, identity ? OPC_IS : OPC_COMPARE, identity ? 0 : OP_EQ);
}

static void compile_pattern(struct unit *u, const struct node *pattern)
{
    u->span = pattern->span;
    if (pattern->n >= MOST_ITEMS) {
        compile_error(u, pattern->span, "too many sub-patterns");
        return;
    }
    switch (pattern->kind) {
    case NODE_PAT_VALUE: compile_value(u, pattern->kid[0]); break;
    case NODE_PAT_CAPTURE:
    case NODE_PAT_STAR:
        if (pattern->name)
            capture(u, pattern->name);
        else
            emit(u, OPC_POP, 0);
        emit_const(u, VALUE_TRUE);
        break;
    case NODE_PAT_SEQUENCE: compile_sequence(u, pattern); break;
    case NODE_PAT_MAPPING: compile_mapping(u, pattern); break;
    case NODE_PAT_CLASS: compile_class_pattern(u, pattern); break;
    case NODE_PAT_OR: compile_or(u, pattern); break;
    case NODE_PAT_AS: compile_as(u, pattern); break;
    default:
        compile_error(u, pattern->span, "%s is not supported as a pattern",
                      node_kind_name(pattern->kind));
    }
}

/* The subject is on top and stays there; a match that failed goes on at next. */
static void compile_case(struct unit *u, const struct node *clause, struct jump_list *next)
{
    struct captures captures = {.depth = u->depth};
    find_captures(&captures, clause->kid[0]);
    uint32_t n = captures.names.len;
    for (uint32_t i = 0; i < n; i++)
        emit_const(u, VALUE_NONE);
    emit(u, OPC_COPY, n + 1);
    u->captures = &captures;
    compile_pattern(u, clause->kid[0]);
    u->captures = NULL;
    uint32_t decided = emit_jump(u, n ? OPC_JUMP_TRUE : OPC_JUMP_FALSE);
    if (!n) {
        vec_push(&next->at, decided);
    } else {
        uint32_t depth = u->depth;
        for (uint32_t i = 0; i < n; i++)
            emit(u, OPC_POP, 0);
        vec_push(&next->at, emit_jump(u, OPC_JUMP));
        u->depth = depth;
        patch(u, decided);
        for (uint32_t i = n; i-- > 0;)
            store_name(u, captures.names.at[i]);
    }
    vec_free(&captures.names);
    if (clause->kid[1])
        compile_condition(u, clause->kid[1], false, next);
}

void compile_match(struct unit *u, const struct node *node)
{
    struct jump_list ends = {0};
    compile_expr(u, node->kid[0]);
    uint32_t depth = u->depth;
    for (uint32_t i = 1; i < node->n; i++) {
        struct jump_list next = {0};
        compile_case(u, node->kid[i], &next);
        emit(u, OPC_POP, 0);
        compile_body(u, node->kid[i]->kid[2]);
        vec_push(&ends.at, emit_jump(u, OPC_JUMP));
        u->depth = depth;
        patch_all(u, &next);
    }
    emit(u, OPC_POP, 0);
    patch_all(u, &ends);
}
