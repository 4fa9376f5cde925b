// SPDX-License-Identifier: MIT
/* scope.h: which variable a name means. A pass over the tree makes a scope for every module, class,
 * function, lambda and comprehension and notes what is bound and used in each; then every use is
 * resolved. List, set and dict comprehensions share the frame of the code around them (their host):
 * their variables are locals of the host that no one else sees. Generator expressions are
 * functions. */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/pool.h"
#include "syntax/ast.h"

enum scope_kind { SCOPE_MODULE, SCOPE_CLASS, SCOPE_FUNCTION, SCOPE_COMPREHENSION };
enum variable_flags {
    VAR_BOUND = 1, /* assigned somewhere in the scope */
    VAR_PARAM = 2,
    VAR_USED = 4,
    VAR_GLOBAL = 8, /* declared global */
    VAR_NONLOCAL = 16,
    VAR_CELL = 32, /* an inner function refers to it */
    VAR_DELETED = 64,
    VAR_SURE = 128,  /* has a value wherever it is read */
    VAR_GROWS = 256, /* something is added to it: its text may grow in place */
};

struct variable {
    sym_t name;
    uint32_t slot; /* among the host's locals */
    uint16_t flags;
};
/* Whether it is the scope's own. */
static inline bool variable_owned(const struct variable *var)
{
    return var->flags & VAR_BOUND && !(var->flags & (VAR_GLOBAL | VAR_NONLOCAL));
}
struct scope {
    struct scope *up, *host;
    const struct node *node;
    VEC(struct variable *) vars;
    VEC(struct variable *) frees; /* of a host: variables of outer hosts that it needs */
    struct map by_name;           /* sym -> position in vars + 1 */
    sym_t class_name;             /* innermost class around, for __names */
    uint32_t nlocals;             /* of a host, free variables included */
    uint8_t kind;
    bool generator;
    bool needs_class; /* a method uses super() or __class__ */
};

struct scopes {
    struct arena *in;
    struct intern *names;
    struct diags *dx;
    VEC(struct scope *) all; /* outer ones first */
    struct map by_node;
    const sym_t *body_params;
    sym_t super, class_cell, iterable;
    bool failed;
};

/* Parameters are locals in the order of their kinds (enum param_kind) here. */
enum { PARAM_KINDS = 5 };
extern const uint8_t param_order[PARAM_KINDS];

/* Scopes of a tree; the first one is the module's. False: something was complained about. */
bool scopes_make(struct scopes *scopes, const struct node *tree);
void scopes_free(struct scopes *scopes);
/* The scope of a DEF, LAMBDA, CLASS, comprehension or (body) a directive's function. The same node
 * has two scopes when it stands in a directive that is also compiled as a body; `up` tells them
 * apart. */
struct scope *scope_of(struct scopes *scopes, const struct node *node, const struct scope *up);

enum access { ACCESS_GLOBAL, ACCESS_NAMES, ACCESS_LOCAL, ACCESS_CELL, ACCESS_CLASS_CELL };
/* How code in a scope reaches a name: *slot of the host for LOCAL and CELL; *var the variable, if
 * any. */
enum access scope_access(struct scopes *scopes, struct scope *scope, sym_t name, uint32_t *slot,
                         const struct variable **var);
/* Whether an assignment adds to a name what may be a text: name += x, name = name + x. */
bool scope_grows(const struct node *assign);
/* __x inside class C is _C__x. */
sym_t scope_mangle(struct scopes *scopes, const struct scope *scope, sym_t name);
/* The slot in a host of a variable of an outer host, as free variable. */
uint32_t scope_free_slot(const struct scope *host, const struct variable *var);
