// SPDX-License-Identifier: MIT
/* Snakemake's statements, handed to the workflow hooks with their arguments spread out. */
#include "python/compile.h"
#include "python/file.h"
#include "python/vm_ops.h"

/* Positional items in order, then keywords in order, with their places. */
struct spread {
    VEC(value) at;
    VEC(sym_t) name;
    VEC(struct span) span;
};

static void add(struct spread *spread, value v, sym_t name, struct span span)
{
    vec_push(&spread->at, v);
    vec_push(&spread->name, name);
    vec_push(&spread->span, span);
}

static void spread_free(struct spread *spread)
{
    vec_free(&spread->at);
    vec_free(&spread->name);
    vec_free(&spread->span);
}

static bool add_star(struct vm *vm, struct spread *spread, value v, struct span span)
{
    struct iter it;
    if (!iter_open(vm, v, &it))
        return false;
    for (value item; (item = iter_next(vm, &it));)
        add(spread, item, 0, span);
    return !vm->error;
}

static bool add_mapping(struct vm *vm, struct spread *spread, value v, struct span span)
{
    value dict = dict_new(vm), key, item;
    if (!dict_merge(vm, dict, v, true))
        return false;
    for (size_t pos = 0; dict_next(dict, &pos, &key, &item);)
        add(spread, item, str_sym(vm, key), span);
    return true;
}

static bool spread_args(struct vm *vm, struct spread *spread, const struct node *node,
                        const value *values)
{
    for (int keywords = 0; keywords < 2; keywords++)
        for (uint32_t i = 0; i < node->n; i++) {
            const struct node *arg = node->kid[i];
            bool keyword = arg->kind == NODE_KEYWORD || arg->kind == NODE_DSTAR;
            if (keyword != keywords)
                continue;
            if (arg->kind == NODE_STAR && !add_star(vm, spread, values[i], arg->span))
                return false;
            if (arg->kind == NODE_DSTAR && !add_mapping(vm, spread, values[i], arg->span))
                return false;
            if (arg->kind != NODE_STAR && arg->kind != NODE_DSTAR)
                add(spread, values[i], keyword ? arg->name : 0,
                    keyword ? arg->kid[0]->span : arg->span);
        }
    return true;
}

static struct directive_args as_args(const struct spread *spread)
{
    return (struct directive_args){spread->at.at, spread->name.at, spread->span.at, spread->at.len};
}

/* A hook that gives up without saying why has complained through the diagnostics. */
static bool told(struct vm *vm, bool done)
{
    if (!done && !vm->error)
        raise_complaint(vm);
    return done;
}

value workflow_begin(struct vm *vm, const struct node *node)
{
    const struct workflow_hooks *hooks = vm->options.hooks;
    value builder = hooks->begin(vm, hooks->user, node);
    told(vm, builder);
    return builder;
}

uint32_t workflow_directive(struct vm *vm, const struct node *node, value *top)
{
    const struct workflow_hooks *hooks = vm->options.hooks;
    bool block = node->n == 1 && node->kid[0]->kind == NODE_BLOCK;
    uint32_t n = block ? 0 : node->n;
    value body = top[-1] == VALUE_NONE ? NO_VALUE : top[-1];
    struct spread spread = {0};
    bool done = block || spread_args(vm, &spread, node, top - 1 - n);
    struct directive_args args = as_args(&spread);
    done = done && told(vm, hooks->directive(vm, hooks->user, top[-2 - (int)n], node, &args, body));
    spread_free(&spread);
    return done ? n + 1 : 0;
}

bool workflow_end(struct vm *vm, value builder)
{
    const struct workflow_hooks *hooks = vm->options.hooks;
    file_settle(vm); /* `use rule` may read what was written just now */
    return told(vm, hooks->end(vm, hooks->user, builder));
}

bool workflow_keyword(struct vm *vm, const struct node *node, value *top)
{
    const struct workflow_hooks *hooks = vm->options.hooks;
    struct spread spread = {0};
    bool done = spread_args(vm, &spread, node, top - node->n);
    struct directive_args args = as_args(&spread);
    file_settle(vm); /* as may `include:` and `configfile:` */
    done = done && told(vm, hooks->keyword(vm, hooks->user, node, &args));
    spread_free(&spread);
    return done;
}

bool workflow_hook(struct vm *vm, const struct node *node, value function)
{
    const struct workflow_hooks *hooks = vm->options.hooks;
    return told(vm, hooks->hook(vm, hooks->user, node, function));
}
