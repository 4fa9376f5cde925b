// SPDX-License-Identifier: MIT
/* vm_ops.h: what instructions do that is more than a few lines. Functions that return value, bool
 * or a negative int for failure have raised. */
#pragma once

#include "python/types.h"
#include "python/vm_state.h"

/* vm_ops.c */
/* makes a new frame's cells, fetches its free variables */
void frame_cells(struct vm *vm, struct frame *frame);
value load_global(struct vm *vm, struct frame *frame, struct global_cache *cache);
value load_name_in(struct vm *vm, struct frame *frame, value name);
value load_class_cell(struct vm *vm, struct frame *frame, uint32_t a);
bool store_name_in(struct vm *vm, struct frame *frame, value name, value item);
bool annotate(struct vm *vm, struct frame *frame, value name, value note);
/* at[0] object -> function, self or NO_VALUE, bound */
bool load_method(struct vm *vm, value *at, sym_t name);
value build_dict(struct vm *vm, const value *at, uint32_t n);
value build_set(struct vm *vm, const value *at, uint32_t n);
value build_string(struct vm *vm, const value *at, uint32_t n);
value build_slice(struct vm *vm, const value at[3]);
/* left + right for the variable that left came from; inplace: left += right */
value grow(struct vm *vm, value left, value right, bool inplace);
bool dict_merge(struct vm *vm, value into, value from, bool unique);
/* [*source]: its items come onto the list. */
bool extend_starred(struct vm *vm, value list, value source);
/* the first item goes to at[n - 1] */
bool unpack(struct vm *vm, value source, value *at, uint32_t n);
bool unpack_star(struct vm *vm, value source, value *at, uint32_t before, uint32_t after);
value send_to(struct vm *vm, value iterator, value sent, value *result);
value format_field(struct vm *vm, value v, char conversion, value spec);
value *make_function(struct vm *vm, struct frame *frame, value *sp, uint32_t flags);
bool with_enter(struct vm *vm, value *at); /* at[0] context -> exit, result */
bool with_exit(struct vm *vm, value exit);
int with_failed(struct vm *vm, value exit, value exception);

/* type_iterator.c */
value iterator_next(struct vm *vm, struct iterator *it);

/* raise.c */
void raise_values(struct vm *vm, struct frame *frame, value exception, value cause);
void raise_assertion(struct vm *vm, value message);
int match_exception(struct vm *vm, value exception, value class);
/* to the handler of the exception in flight; false: out of vm_execute */
bool vm_unwind(struct vm *vm);

/* match.c */
int match_sequence(struct vm *vm, value subject, uint32_t n, bool star);
value match_keys(struct vm *vm, value subject, value keys);
value match_rest(struct vm *vm, value subject, value keys);
value match_class(struct vm *vm, value subject, value class, value names, uint32_t positional);

/* modules.c */
value import_module(struct vm *vm, struct frame *frame, value name, bool top, int level);
value import_from(struct vm *vm, value module, value name);
bool import_star(struct vm *vm, struct frame *frame, value module);

/* vm_workflow.c; top: where the temporaries end */
value workflow_begin(struct vm *vm, const struct node *node);
/* temporaries used up */
uint32_t workflow_directive(struct vm *vm, const struct node *node, value *top);
bool workflow_end(struct vm *vm, value builder);
bool workflow_keyword(struct vm *vm, const struct node *node, value *top);
bool workflow_hook(struct vm *vm, const struct node *node, value function);

/* a op b for two whole numbers; op: enum node_op EQ..GE. */
static inline bool order_holds(uint32_t op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    default: return a >= b;
    }
}
