// SPDX-License-Identifier: MIT
/* class.h: user classes and how attributes are found. A class is a struct type of its own on the
 * heap, with a dict, bases and the C3 order in which classes are searched. */
#pragma once

#include "python/native.h"
#include "python/types.h"

struct class_info {
    value dict;  /* its own attributes */
    value bases; /* tuple */
    /* list of those that have it among their bases, or NO_VALUE: none; they stay */
    value subclasses;
    const struct type **mro; /* owned; itself first, type_object last */
    uint32_t nmro;
    sym_t name;
    value qualname;
    const struct type *native; /* the native type whose layout instances have */
    /* dict whose keys are the names that instances may have; NO_VALUE: any */
    value slots;
    bool abstract; /* __abstractmethods__ has names: no instances */
};
struct class {
    struct type type;
    struct class_info info;
    char *text; /* owned: the name as type.name shows it */
};

static inline bool is_type(value v)
{
    return is_object(v) && is_instance(v, &type_type);
}
static inline const struct type *as_type(value v)
{
    return (const struct type *)as_object(v);
}

/* What a class statement, or type(name, bases, dict), says. */
struct class_parts {
    const struct type *metaclass; /* NULL: type */
    value name, bases, dict;      /* a str; a tuple; its own attributes, taken */
    value keywords;               /* for __init_subclass__: a dict, or NO_VALUE */
};
/* A new class, made by the metaclass of its bases where that is another; raises TypeError for bases
 * that cannot be combined. */
value class_new(struct vm *vm, const struct class_parts *parts);
/* class statement: runs the body and makes the class. */
value class_build(struct vm *vm, value body, value bases, value keywords);
/* Sets its __name__, which messages show. */
void class_rename(struct vm *vm, struct class *class, value name);
/* What a type says about a name, as it stands in a class dict; NO_VALUE if nothing. Never
 * raises. */
value type_find(struct vm *vm, const struct type *type, sym_t name);
/* The same, starting behind a class in another type's order: super(). */
value type_find_after(struct vm *vm, const struct type *type, const struct type *after, sym_t name);
/* The attribute dict of a native type or a class. */
struct dict *type_dict_of(struct vm *vm, const struct type *type);
/* What a class attribute becomes when read through an instance (or, self NO_VALUE, through the
 * class). */
value attr_bind(struct vm *vm, value found, value self, const struct type *owner);
/* The name that v is; raises if it is no text. */
bool attr_name(struct vm *vm, value v, sym_t *name);
/* object.__getattribute__: what there is without the class's own hooks; NO_VALUE: raised. */
value attr_without_hooks(struct vm *vm, value v, sym_t name);
/* Sets the attribute, or deletes it (NO_VALUE), as object.__setattr__ does: by a data descriptor of
 * the class, else in the instance. */
bool attr_set_without_hooks(struct vm *vm, value v, sym_t name, value item);
/* Forgets what lookups of attributes have found: a class has changed, or a sweep takes some
 * away. */
void attrs_forget(struct vm *vm);
/* super() without arguments, in the running function; NO_VALUE: raised. */
value super_here(struct vm *vm);
