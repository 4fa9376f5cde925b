// SPDX-License-Identifier: MIT
/* compile.h: trees to bytecode. One struct unit is one code object being made; the files
 * compile_*.c share it:
 *
 *     compile.c       units, emitting, names, entry points
 *     compile_expr.c  expressions      compile_comp.c  comprehensions
 *     compile_stmt.c  statements       compile_def.c   functions and classes
 *     compile_try.c   try and with     compile_match.c match
 *     compile_rule.c  Snakemake's statements */
#pragma once

#include "python/opcode.h"
#include "python/scope.h"
#include "python/vm_state.h"

/* What return, break and continue have to undo or run on their way out. */
enum block_kind {
    BLOCK_LOOP,
    BLOCK_FOR,
    BLOCK_TRY,
    BLOCK_FINALLY,
    BLOCK_HANDLER,
    BLOCK_WITH,
    BLOCK_KEEP
};
struct block {
    struct block *up;
    const struct node *finally; /* FINALLY: the statements to run */
    sym_t name;                 /* HANDLER: the variable of `as`, or 0 */
    uint32_t start;             /* LOOP: target of continue */
    uint32_t try_start;         /* FINALLY, HANDLER, WITH: covered from here (again); TRY too */
    struct jump_list *breaks;
    uint8_t kind;
};
struct jump_list {
    VEC(uint32_t) at;
};

/* The names that a case of match binds; what they take is on the stack, from depth on. */
struct captures {
    VEC(sym_t) names;
    uint32_t depth;
};

struct unit {
    struct compiler *c;
    struct unit *up;
    struct scope *scope; /* of the code being compiled; comprehensions change it */
    struct block *block;
    const struct captures *captures; /* of the pattern being compiled */
    VEC(uint32_t) ops;
    VEC(struct span) spans;
    VEC(value) consts;
    VEC(struct handler) handlers;
    VEC(struct global_cache) globals;
    VEC(sym_t) names;
    VEC(const struct node *) nodes;
    struct map const_of_sym, name_of_sym, global_of_sym;
    struct span span; /* of what is being compiled */
    uint32_t depth, max_depth;
    uint32_t label; /* no instruction before it may be changed: a jump leads here */
    bool async, generator_expression;
    sym_t qualname;
};

struct compiler {
    struct vm *vm;
    struct scopes scopes;
    bool by_names;             /* globals are searched in a locals dict first */
    bool annotations_are_text; /* from __future__ import annotations */
    bool failed;
};

/* outer.<locals>.name, Class.name: what a function or class defined here is called. */
sym_t qualified(struct unit *u, sym_t name);
/* A SyntaxError at that place, unless one was reported before. Always false. */
bool compile_error(struct unit *u, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- emitting ---- */
void emit(struct unit *u, enum opcode op, uint32_t a);
/* Takes what is on top apart: into so many items, a list, and so many items. */
void emit_unpack_star(struct unit *u, uint32_t before, uint32_t after);
/* A jump whose target is not known yet; its place for patch. */
uint32_t emit_jump(struct unit *u, enum opcode op);
/* The jump at that place leads here. */
void patch(struct unit *u, uint32_t jump);
/* Here; jumps may lead here. */
uint32_t here(struct unit *u);
/* Jumps back. */
void emit_loop(struct unit *u, uint32_t target);
/* Instructions from start up to here are covered by the handler at target, with so many temporaries
 * kept. */
void add_handler(struct unit *u, uint32_t start, uint32_t end, uint32_t target, uint32_t depth);
/* The index of a string constant, one for each symbol. */
uint32_t sym_const(struct unit *u, sym_t sym);
/* The index of an attribute's name, one for each symbol. */
uint32_t add_name(struct unit *u, sym_t sym);
/* Loads a constant. */
void emit_const(struct unit *u, value v);
/* Loads a variable as its scope says: local, cell, global or by name. */
void load_name(struct unit *u, sym_t name);
/* The same for a variable whose assignment scope_grows; false: it is no local that can grow. */
bool load_to_grow(struct unit *u, sym_t name);
/* The same way: sets it from the top of the stack, deletes it. */
void store_name(struct unit *u, sym_t name);
void delete_name(struct unit *u, sym_t name);

/* ---- units ---- */
void unit_begin(struct unit *u, struct compiler *c, struct unit *up, struct scope *scope,
                struct span span);
/* Finishes: the code object. */
struct code *unit_end(struct unit *u, sym_t name, struct span span);
/* Pushes the cells a function of that scope closes over and makes the function; flags as of
 * MAKE_FUNCTION. */
void emit_function(struct unit *u, struct code *code, struct scope *scope, uint32_t flags);

/* ---- the tree ---- */
/* Makes the code of a node of one kind. */
typedef void compile_kind(struct unit *u, const struct node *node);
/* Code that leaves the value of an expression on the stack. */
void compile_expr(struct unit *u, const struct node *node);
/* The same for what is only iterated over or searched: a list or set of constants is made once. */
void compile_scanned(struct unit *u, const struct node *node);
/* Jumps if the condition is (or is not) true; the jumps are added to the list. */
void compile_condition(struct unit *u, const struct node *node, bool jump_if,
                       struct jump_list *jumps);
/* Lets the jumps lead here; frees the list. */
void patch_all(struct unit *u, struct jump_list *jumps);
/* Stores what is on top. */
void compile_store(struct unit *u, const struct node *target);
/* Code of a list, set or dict comprehension or a generator expression. */
void compile_comprehension(struct unit *u, const struct node *node);
/* Code that makes a function or class and leaves it on the stack. */
void compile_lambda(struct unit *u, const struct node *node);
void compile_def(struct unit *u, const struct node *node);
void compile_class(struct unit *u, const struct node *node);
/* Pushes what an annotation says, or its text where that cannot be had, as of a name that comes
 * later. */
void compile_annotation(struct unit *u, const struct node *node);
/* Code of one statement; the stack is as before. */
void compile_stmt(struct unit *u, const struct node *node);
/* Binds __doc__ to the text that a body begins with, if it does. */
void store_doc(struct unit *u, const struct node *body);
/* Code of a BLOCK. */
void compile_body(struct unit *u, const struct node *node);
/* Code of the larger statements, each in a file of its own. */
void compile_try(struct unit *u, const struct node *node);
void compile_with(struct unit *u, const struct node *node);
void compile_match(struct unit *u, const struct node *node);
void compile_workflow(struct unit *u, const struct node *node);
/* Runs what return, break or continue must run when leaving all blocks up to (not including)
 * end. */
void leave_blocks(struct unit *u, struct block *end, bool keep_top);
/* A constant of the tree, or NO_VALUE. */
value node_constant(struct unit *u, const struct node *node);

/* The tree of a Python text (or of an expression) called name in messages. It must live as long as
 * its code, so the vm's arena keeps it. NULL: complained. */
struct node *parse_python(struct vm *vm, const char *name, const char *text, size_t len,
                          bool expression);
/* What was complained of last as a SyntaxError, for code that may catch it; always NO_VALUE. */
value raise_complaint(struct vm *vm);
/* Compiles a module body or (expression) a tree whose value is returned; NULL: complained. */
struct code *compile_tree(struct vm *vm, const struct node *tree, bool expression, bool by_names);
