// SPDX-License-Identifier: MIT
/* class_slots.h: the two ways between slots and __name__ methods. */
#pragma once

#include "python/class.h"

extern const struct type type_class; /* how big a class is; its objects say type_type */

/* Gives a native type's dict a __name__ method for each slot it defines itself. */
void slots_as_methods(struct vm *vm, struct dict *dict, const struct type *type);
/* Fills a class's slots with functions that call its __name__ methods, where the class or a base
 * has them. */
void class_fill_slots(struct vm *vm, struct class *class);
/* What makes the class instead of class_new, when a base asks for that (NamedTuple), or
 * NO_VALUE. */
value class_maker(struct vm *vm, value bases);
/* __new__ if it is a Python function, else NO_VALUE. */
value class_new_hook(struct vm *vm, const struct type *type);
/* The native type whose layout the objects of a type have: itself, or the one below a class. */
const struct type *layout_of(const struct type *type);
/* Sets in the attribute dict of an instance. */
bool object_set_attr(struct vm *vm, value v, sym_t name, value item);
/* super(class, self) */
value super_new(struct vm *vm, value class, value self);
