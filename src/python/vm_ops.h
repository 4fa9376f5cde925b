// SPDX-License-Identifier: MIT
/* vm_ops.h: what instructions do that is more than a few lines. Functions that return value, bool
 * or a negative int for failure have raised. */
#pragma once

#include "python/types.h"
#include "python/vm_state.h"

/* vm_ops.c */
/* makes a new frame's cells, fetches its free variables */
void frame_cells(struct vm *vm, struct frame *frame);
/* The value of a global or builtin, whose place is kept in the cache; raises NameError. */
value load_global(struct vm *vm, struct frame *frame, struct global_cache *cache);
/* The value of a name in a class body or a module: own names, globals, builtins. */
value load_name_in(struct vm *vm, struct frame *frame, value name);
/* The value of a free variable in a class body, whose own names come first. */
value load_class_cell(struct vm *vm, struct frame *frame, uint32_t slot);
/* Sets a name of a class body or of a module. */
bool store_name_in(struct vm *vm, struct frame *frame, value name, value item);
/* Adds to __annotations__ of a class body or of a module. */
bool annotate(struct vm *vm, struct frame *frame, value name, value note);
/* at[0] object -> function, self or NO_VALUE, bound */
bool load_method(struct vm *vm, value *at, sym_t name);
/* Of n pairs, keys before values; raises where a key has no hash. */
value build_dict(struct vm *vm, const value *at, uint32_t n);
/* Of n items. */
value build_set(struct vm *vm, const value *at, uint32_t n);
/* Of n strings, one behind the other. */
value build_string(struct vm *vm, const value *at, uint32_t n);
/* slice(at[0], at[1], at[2]). */
value build_slice(struct vm *vm, const value at[3]);
/* left + right for the variable that left came from; inplace: left += right */
value grow(struct vm *vm, value left, value right, bool inplace);
/* Adds a mapping to a dict; unique: a key that is there already raises, as in calls. */
bool dict_merge(struct vm *vm, value into, value from, bool unique);
/* [*source]: its items come onto the list. */
bool extend_starred(struct vm *vm, value list, value source);
/* the first item goes to at[n - 1] */
bool unpack(struct vm *vm, value source, value *at, uint32_t n);
/* a, *b, c = source: items before and after the list; in the order of unpack. */
bool unpack_star(struct vm *vm, value source, value *at, uint32_t before, uint32_t after);
/* What await takes its items from: a coroutine, or what __await__() gives. NO_VALUE: raised. */
value await_iter(struct vm *vm, value v);
/* Sends to what a yield from goes through. NO_VALUE: raised, or it has ended and *result is what it
 * returned. */
value send_to(struct vm *vm, value iterator, value sent, value *result);
/* A field of an f-string; conversion: 'r', 's', 'a' or 0; spec: a string or NO_VALUE. */
value format_field(struct vm *vm, value v, char conversion, value spec);
/* Takes code and what flags name (defaults, closure, notes) off the stack and puts the function
 * there; the new top. */
value *make_function(struct vm *vm, struct frame *frame, value *sp, uint32_t flags);
bool with_enter(struct vm *vm, value *at); /* at[0] context -> exit, result */
/* Calls __exit__ without an exception. */
bool with_exit(struct vm *vm, value exit);
/* Calls __exit__ with one: 1 if that swallows it, 0 if not. */
int with_failed(struct vm *vm, value exit, value exception);

/* raise.c */
/* raise exception from cause; NO_VALUE as exception: the one that is being handled again. */
void raise_values(struct vm *vm, value exception, value cause);
/* AssertionError; message: NO_VALUE if none was given. */
void raise_assertion(struct vm *vm, value message);
/* Whether an except clause takes it: class is a class or a tuple of them. */
int match_exception(struct vm *vm, value exception, value class);
/* to the handler of the exception in flight; false: out of vm_execute */
bool vm_unwind(struct vm *vm);

/* match.c */
/* Whether it is a sequence of n items, or with a star of n or more. */
int match_sequence(struct vm *vm, value subject, uint32_t n, bool star);
/* The values of these keys as a tuple; None: it is no mapping, or lacks one. */
value match_keys(struct vm *vm, value subject, value keys);
/* A dict of the other keys; None: it is no mapping. */
value match_rest(struct vm *vm, value subject, value keys);
/* The attributes that a class pattern asks for as a tuple; None: it does not match. */
value match_class(struct vm *vm, value subject, value class, value names, uint32_t positional);

/* import.c */
/* import NAME; top: what is bound is the first part of a dotted name; level: dots before it. */
value import_module(struct vm *vm, struct frame *frame, value name, bool top, int level);
/* An attribute or a submodule of a module. */
value import_from(struct vm *vm, value module, value name);
/* Binds all public names of a module in the frame. */
bool import_star(struct vm *vm, struct frame *frame, value module);

/* vm_workflow.c; top: where the temporaries end */
value workflow_begin(struct vm *vm, const struct node *node);
/* temporaries used up */
uint32_t workflow_directive(struct vm *vm, const struct node *node, value *top);
/* The statement is complete. */
bool workflow_end(struct vm *vm, value builder);
/* include:, configfile: and the like. */
bool workflow_keyword(struct vm *vm, const struct node *node, value *top);
/* onstart:, onsuccess: or onerror: with its function. */
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
