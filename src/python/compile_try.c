// SPDX-License-Identifier: MIT
/* try and with. Nothing is set up at run time: a table says which handler covers which instructions
 * and how many temporaries it keeps. At a handler the exception lies on top:
 *
 *     exc --PUSH_EXC--> before exc        `before` is the exception that was being handled
 *     before --POP_EXC-->                 the except clause is done
 *     before exc --RERAISE_POP-->         goes on outwards
 *
 * The statements of `finally` are compiled once for each way out. */
#include "python/compile.h"

/* ---- blocks ---- */

static void open_block(struct unit *u, struct block *block, enum block_kind kind)
{
    *block = (struct block){.kind = (uint8_t)kind, .up = u->block, .try_start = here(u)};
    u->block = block;
}

/* Where each covered stretch ends is noted here, to be given its handler when that is compiled. */
struct stretch {
    uint32_t start, end;
};
struct cover {
    struct block block; /* first: leave_blocks finds the cover by it */
    VEC(struct stretch) stretches;
    uint32_t depth; /* temporaries the handler keeps */
};

static bool covers(const struct block *block)
{
    return block->kind == BLOCK_FINALLY || block->kind == BLOCK_HANDLER ||
           block->kind == BLOCK_WITH || block->kind == BLOCK_TRY;
}

static void suspend(struct unit *u, struct block *block)
{
    struct cover *cover = (struct cover *)block;
    if (covers(block))
        vec_push(&cover->stretches, ((struct stretch){block->try_start, here(u)}));
}

static void open_cover(struct unit *u, struct cover *cover, enum block_kind kind, uint32_t depth)
{
    *cover = (struct cover){.depth = depth};
    open_block(u, &cover->block, kind);
}

static void close_cover(struct unit *u, struct cover *cover)
{
    suspend(u, &cover->block);
    u->block = cover->block.up;
}

/* The handler of a closed cover starts here: the exception is on top of what is kept. */
static void begin_handler(struct unit *u, struct cover *cover)
{
    uint32_t target = here(u);
    for (uint32_t i = 0; i < cover->stretches.len; i++)
        add_handler(u, cover->stretches.at[i].start, cover->stretches.at[i].end, target,
                    cover->depth);
    vec_free(&cover->stretches);
    u->depth = cover->depth + 1;
    if (u->depth > u->max_depth)
        u->max_depth = u->depth;
}

static void clear_name(struct unit *u, sym_t name)
{
    if (!name)
        return;
    emit_const(u, VALUE_NONE);
    store_name(u, name);
    delete_name(u, name);
}

static void leave_block(struct unit *u, struct block *block, bool keep_top)
{
    bool drops = block->kind == BLOCK_FOR || block->kind == BLOCK_KEEP ||
                 block->kind == BLOCK_HANDLER || block->kind == BLOCK_WITH;
    if (drops && keep_top)
        emit(u, OPC_SWAP, 2);
    struct block kept = {.kind = BLOCK_KEEP, .up = block->up};
    switch (block->kind) {
    case BLOCK_FOR:
    case BLOCK_KEEP: emit(u, OPC_POP, 0); break;
    case BLOCK_HANDLER:
        emit(u, OPC_POP_EXC, 0);
        clear_name(u, block->name);
        break;
    case BLOCK_WITH: emit(u, OPC_WITH_EXIT, 0); break;
    case BLOCK_FINALLY:
        u->block = keep_top ? &kept : block->up;
        compile_body(u, block->finally);
        break;
    default: break;
    }
}

void leave_blocks(struct unit *u, struct block *end, bool keep_top)
{
    struct block *inner = u->block;
    for (struct block *block = inner; block != end; block = block->up) {
        suspend(u, block);
        u->block = block->up;
        leave_block(u, block, keep_top);
    }
    u->block = inner;
    /* The jump or return that follows cannot fail; what comes after it is covered again. */
    for (struct block *block = inner; block != end; block = block->up)
        block->try_start = u->ops.len + 1;
}

/* ---- try ---- */

/* exc lies on top; afterwards nothing of it, in all clauses. */
static void compile_clause(struct unit *u, const struct node *clause, struct jump_list *ends)
{
    struct jump_list next = {0};
    if (clause->op)
        compile_error(u, clause->span, "'except*' is not supported");
    const struct node *class = clause->kid[0];
    uint32_t depth = u->depth;
    if (class) {
        compile_expr(u, class);
        u->span = class->span;
        emit(u, OPC_MATCH_EXC, 0);
        vec_push(&next.at, emit_jump(u, OPC_JUMP_FALSE));
    }
    if (clause->name)
        store_name(u, clause->name);
    else
        emit(u, OPC_POP, 0);
    struct cover body;
    open_cover(u, &body, BLOCK_HANDLER, u->depth);
    body.block.name = clause->name;
    compile_body(u, clause->kid[1]);
    close_cover(u, &body);
    emit(u, OPC_POP_EXC, 0);
    clear_name(u, clause->name);
    vec_push(&ends->at, emit_jump(u, OPC_JUMP));
    begin_handler(u, &body);
    clear_name(u, clause->name);
    emit(u, OPC_RERAISE_POP, 0);
    patch_all(u, &next);
    u->depth = depth;
}

static void compile_try_except(struct unit *u, const struct node *node)
{
    struct jump_list ends = {0};
    uint32_t depth = u->depth;
    struct cover body;
    open_cover(u, &body, BLOCK_TRY, depth);
    compile_body(u, node->kid[0]);
    close_cover(u, &body);
    if (node->kid[1])
        compile_body(u, node->kid[1]);
    vec_push(&ends.at, emit_jump(u, OPC_JUMP));
    begin_handler(u, &body);
    emit(u, OPC_PUSH_EXC, 0);
    uint32_t start = here(u);
    for (uint32_t i = 3; i < node->n; i++) {
        compile_clause(u, node->kid[i], &ends);
        if (!node->kid[i]->kid[0] && i + 1 < node->n)
            compile_error(u, node->kid[i]->span, "default 'except:' must be last");
    }
    emit(u, OPC_RERAISE_POP, 0);
    /* an exception while a class is being matched */
    struct cover clauses = {.depth = depth + 1};
    vec_push(&clauses.stretches, ((struct stretch){start, u->ops.len - 1}));
    begin_handler(u, &clauses);
    emit(u, OPC_RERAISE_POP, 0);
    u->depth = depth;
    patch_all(u, &ends);
}

static void compile_try_finally(struct unit *u, const struct node *node)
{
    uint32_t depth = u->depth;
    struct cover body;
    open_cover(u, &body, BLOCK_FINALLY, depth);
    body.block.finally = node->kid[2];
    if (node->n > 3)
        compile_try_except(u, node);
    else
        compile_body(u, node->kid[0]);
    close_cover(u, &body);
    compile_body(u, node->kid[2]);
    uint32_t end = emit_jump(u, OPC_JUMP);
    begin_handler(u, &body);
    emit(u, OPC_PUSH_EXC, 0);
    struct cover handled;
    open_cover(u, &handled, BLOCK_HANDLER, depth + 1);
    struct block exception = {.kind = BLOCK_KEEP, .up = u->block};
    u->block = &exception;
    compile_body(u, node->kid[2]);
    u->block = exception.up;
    close_cover(u, &handled);
    emit(u, OPC_RERAISE_POP, 0);
    begin_handler(u, &handled);
    emit(u, OPC_RERAISE_POP, 0);
    u->depth = depth;
    patch(u, end);
}

void compile_try(struct unit *u, const struct node *node)
{
    if (node->kid[2])
        compile_try_finally(u, node);
    else
        compile_try_except(u, node);
}

/* ---- with ---- */

static void compile_with_item(struct unit *u, const struct node *node, uint32_t i)
{
    if (i == node->n) {
        compile_body(u, node->kid[0]);
        return;
    }
    const struct node *item = node->kid[i];
    uint32_t depth = u->depth;
    compile_expr(u, item->kid[0]);
    u->span = item->kid[0]->span;
    struct span span = u->span;
    emit(u, OPC_WITH_ENTER, 0);
    struct cover body;
    open_cover(u, &body, BLOCK_WITH, depth + 1);
    if (item->kid[1])
        compile_store(u, item->kid[1]);
    else
        emit(u, OPC_POP, 0);
    compile_with_item(u, node, i + 1);
    close_cover(u, &body);
    u->span = span;
    emit(u, OPC_WITH_EXIT, 0);
    uint32_t end = emit_jump(u, OPC_JUMP);
    begin_handler(u, &body);
    emit(u, OPC_PUSH_EXC, 0);
    struct cover failed;
    open_cover(u, &failed, BLOCK_TRY, depth + 2);
    emit(u, OPC_WITH_FAILED, 0);
    close_cover(u, &failed);
    uint32_t swallowed = emit_jump(u, OPC_JUMP_TRUE);
    emit(u, OPC_RERAISE_POP, 0);
    begin_handler(u, &failed);
    emit(u, OPC_RERAISE_POP, 0);
    patch(u, swallowed);
    u->depth = depth + 3;
    emit(u, OPC_POP, 0);
    emit(u, OPC_POP_EXC, 0);
    emit(u, OPC_POP, 0);
    patch(u, end);
}

void compile_with(struct unit *u, const struct node *node)
{
    if (node->op)
        compile_error(u, node->span, "'async with' is not supported");
    compile_with_item(u, node, 1);
}
