// SPDX-License-Identifier: MIT
/* keyword.c: what each top-level keyword does, one function and one row a keyword. */
#include "flow/keyword.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/nearest.h"
#include "flow/config.h"
#include "flow/items.h"
#include "flow/module.h"
#include "flow/origin.h"
#include "flow/paths.h"
#include "flow/pep.h"
#include "flow/state.h"
#include "flow/storage.h"
#include "python/code.h"
#include "python/environment.h"

typedef bool keyword_fn(struct workflow *w, const struct node *statement,
                        const struct directive_args *args);

static struct span span_of(const struct node *statement, const struct directive_args *args,
                           uint32_t i)
{
    return i < args->n && args->span[i].at ? args->span[i] : statement->span;
}

/* The path that is the statement's only argument; NO_VALUE: raised. */
static value only_path(struct workflow *w, const struct node *statement,
                       const struct directive_args *args)
{
    value path = args->n == 1 && !args->name[0] ? path_value(w->vm, args->at[0]) : NO_VALUE;
    if (!path && !vm_failed(w->vm))
        flow_refuse(w, "SyntaxError", span_of(statement, args, 0), "'%s' takes exactly one path",
                    flow_text(w, statement->name));
    return path;
}

/* ---- files ---- */

static bool run_include(struct workflow *w, const struct node *statement,
                        const struct directive_args *args)
{
    value path = only_path(w, statement, args);
    return path && flow_include(w, str_text(path), false, span_of(statement, args, 0));
}

static bool run_configfile(struct workflow *w, const struct node *statement,
                           const struct directive_args *args)
{
    value path = only_path(w, statement, args);
    return path && config_statement(w, path, span_of(statement, args, 0));
}

static bool run_pepfile(struct workflow *w, const struct node *statement,
                        const struct directive_args *args)
{
    value path = only_path(w, statement, args);
    return path && pep_load(w, path, span_of(statement, args, 0));
}

static bool run_pepschema(struct workflow *w, const struct node *statement,
                          const struct directive_args *args)
{
    value schema = only_path(w, statement, args);
    return schema && pep_check(w, schema, span_of(statement, args, 0));
}

static bool run_workdir(struct workflow *w, const struct node *statement,
                        const struct directive_args *args)
{
    value path = only_path(w, statement, args);
    if (!path)
        return false;
    if (w->options.directory)
        return true;
    const char *dir = str_text(path);
    if (!fs_mkdirs(dir) || chdir(dir) != 0)
        return flow_refuse(w, "WorkflowError", span_of(statement, args, 0),
                           "cannot change to workdir %s: %s", dir, strerror(errno));
    environment_changed();
    w->workdir = fs_cwd(&w->arena);
    return true;
}

/* ---- names of rules ---- */

static bool all_names(struct workflow *w, const struct node *statement,
                      const struct directive_args *args)
{
    for (uint32_t i = 0; i < args->n; i++)
        if (!is_str(args->at[i]) || args->name[i])
            return flow_refuse(w, "SyntaxError", span_of(statement, args, i),
                               "'%s' takes names of rules", flow_text(w, statement->name));
    return true;
}

static bool run_localrules(struct workflow *w, const struct node *statement,
                           const struct directive_args *args)
{
    if (!all_names(w, statement, args))
        return false;
    for (uint32_t i = 0; i < args->n; i++) {
        struct local_name local = {str_sym(w->vm, args->at[i]), span_of(statement, args, i)};
        vec_push(&w->flow->local_names, local);
    }
    return true;
}

/* Rules are looked up when everything has been read: a statement may name rules that come later. */
static bool run_ruleorder(struct workflow *w, const struct node *statement,
                          const struct directive_args *args)
{
    if (!all_names(w, statement, args))
        return false;
    struct order_clause clause = {.n = args->n, .scope = w->flow->scope};
    clause.name = arena_array(&w->arena, sym_t, args->n + 1);
    clause.span = arena_array(&w->arena, struct span, args->n + 1);
    for (uint32_t i = 0; i < args->n; i++) {
        clause.name[i] = str_sym(w->vm, args->at[i]);
        clause.span[i] = span_of(statement, args, i);
    }
    vec_push(&w->flow->order, clause);
    return true;
}

/* ---- keyword arguments ---- */

static bool all_keywords(struct workflow *w, const struct node *statement,
                         const struct directive_args *args)
{
    for (uint32_t i = 0; i < args->n; i++)
        if (!args->name[i])
            return flow_refuse(w, "SyntaxError", span_of(statement, args, i),
                               "'%s' takes name=value items", flow_text(w, statement->name));
    return true;
}

static void constrain_items(struct rule *rule, struct items *items, sym_t name,
                            const char *constraint)
{
    int slot = wildcard_slot(&rule->wildcards, name);
    for (uint32_t i = 0; slot >= 0 && i < items->len; i++)
        pattern_constrain(&items->at[i].pattern, slot, constraint);
}

/* Snakemake changes the outputs of the rules that stand already, not their logs and benchmarks. */
static void add_constraint(struct workflow *w, sym_t name, const char *constraint)
{
    struct scope *scope = w->flow->scope;
    int slot = wildcard_slot(&scope->constraints, name);
    if (slot < 0)
        slot = wildcards_add(&w->arena, &scope->constraints, name);
    scope->constraints.constraint[slot] = constraint;
    for (uint32_t i = 0; i < scope->rules.len; i++)
        constrain_items(scope->rules.at[i].rule, &scope->rules.at[i].rule->output, name,
                        constraint);
}

static bool run_wildcard_constraints(struct workflow *w, const struct node *statement,
                                     const struct directive_args *args)
{
    if (!all_keywords(w, statement, args))
        return false;
    for (uint32_t i = 0; i < args->n; i++) {
        const char *constraint;
        if (!constraint_text(w, args->at[i], &constraint))
            return false;
        add_constraint(w, args->name[i], constraint);
    }
    return true;
}

static bool run_scattergather(struct workflow *w, const struct node *statement,
                              const struct directive_args *args)
{
    if (!all_keywords(w, statement, args))
        return false;
    for (uint32_t i = 0; i < args->n; i++) {
        value name = str_from_sym(w->vm, args->name[i]);
        value given = dict_get(w->vm, w->flow->cli_scatter.v, name);
        dict_set(w->vm, w->flow->scatter.v, name, given ? given : args->at[i]);
    }
    add_constraint(w, intern_str(w->names, "scatteritem"), "\\d+-of-\\d+");
    return true;
}

static bool run_pathvars(struct workflow *w, const struct node *statement,
                         const struct directive_args *args)
{
    if (!all_keywords(w, statement, args))
        return false;
    for (uint32_t i = 0; i < args->n; i++)
        dict_set(w->vm, w->flow->scope->pathvars.v, str_from_sym(w->vm, args->name[i]),
                 args->at[i]);
    return pathvars_check(w, w->flow->scope->pathvars.v, statement->span);
}

static bool run_resource_scopes(struct workflow *w, const struct node *statement,
                                const struct directive_args *args)
{
    if (!all_keywords(w, statement, args))
        return false;
    for (uint32_t i = 0; i < args->n; i++) {
        const char *scope = is_str(args->at[i]) ? str_text(args->at[i]) : "";
        if (strcmp(scope, "local") && strcmp(scope, "global"))
            return flow_refuse(w, "WorkflowError", span_of(statement, args, i),
                               "a resource scope must be 'local' or 'global'");
        dict_set(w->vm, w->flow->resource_scopes.v, str_from_sym(w->vm, args->name[i]),
                 args->at[i]);
    }
    return true;
}

/* ---- the rest ---- */

static bool is_variable(const char *name)
{
    for (const char *c = name; *c; c++)
        if (*c != '_' && !isalnum((unsigned char)*c))
            return false;
    return *name;
}

static bool run_envvars(struct workflow *w, const struct node *statement,
                        const struct directive_args *args)
{
    struct span first = {0};
    struct buf missing = {0};
    for (uint32_t i = 0; i < args->n; i++) {
        struct span span = span_of(statement, args, i);
        if (!is_str(args->at[i]) || !is_variable(str_text(args->at[i])))
            return flow_refuse(w, "WorkflowError", span,
                               "Invalid environment variable requested. Environment variable names "
                               "may only contain alphanumeric characters and the underscore.");
        if (!w->options.lint && !getenv(str_text(args->at[i]))) {
            first = missing.len ? first : span;
            buf_printf(&missing, "%s%s", missing.len ? ", " : "", str_text(args->at[i]));
        }
        list_push(w->vm, w->envvars.v, args->at[i]);
    }
    const char *names = arena_str(&w->arena, buf_text(&missing));
    bool all = !missing.len;
    buf_free(&missing);
    return all ||
           flow_refuse(
               w, "WorkflowError", first,
               "The following environment variables are requested by the workflow but undefined. "
               "Please make sure that they are correctly defined before running Snakemake: %s",
               names);
}

static bool set_container(struct workflow *w, const struct node *statement,
                          const struct directive_args *args, bool containerized)
{
    if (args->n != 1 || args->name[0])
        return flow_refuse(w, "SyntaxError", statement->span, "'%s' takes exactly one image",
                           flow_text(w, statement->name));
    list_push(w->vm, w->flow->kept.v, args->at[0]);
    w->flow->scope->container.v = args->at[0] == VALUE_NONE ? NO_VALUE : args->at[0];
    w->flow->scope->containerized = containerized;
    return true;
}

static bool run_container(struct workflow *w, const struct node *statement,
                          const struct directive_args *args)
{
    return set_container(w, statement, args, false);
}

static bool run_containerized(struct workflow *w, const struct node *statement,
                              const struct directive_args *args)
{
    return set_container(w, statement, args, true);
}

static void set_flags(struct workflow *w, struct root *root, const struct directive_args *args)
{
    root->v = tuple_new(w->vm, args->at, args->n);
    list_push(w->vm, w->flow->kept.v, root->v);
}

static bool run_inputflags(struct workflow *w, const struct node *statement,
                           const struct directive_args *args)
{
    set_flags(w, &w->flow->scope->input_flags, args);
    return true;
}

static bool run_outputflags(struct workflow *w, const struct node *statement,
                            const struct directive_args *args)
{
    set_flags(w, &w->flow->scope->output_flags, args);
    return true;
}

static bool run_report(struct workflow *w, const struct node *statement,
                       const struct directive_args *args)
{
    value path = only_path(w, statement, args);
    if (path)
        w->flow->report = origin_local(w, origin_join(&w->arena, flow_dir(w), str_text(path)));
    return path && w->flow->report;
}

/* In Snakemake it changes the Python that runs the Snakefile; here that is the engine's own. */
static bool run_conda(struct workflow *w, const struct node *statement,
                      const struct directive_args *args)
{
    if (!only_path(w, statement, args))
        return false;
    if (w->options.software.conda)
        warn(
            w->diags, statement->span,
            "the environment of a `conda:` statement outside of rules is not used: no Python of it "
            "runs the Snakefile here");
    return true;
}

static bool removed(struct workflow *w, const struct node *statement,
                    const struct directive_args *args)
{
    flow_refuse(w, "SyntaxError", statement->span, "the keyword '%s' was removed from Snakemake",
                flow_text(w, statement->name));
    diag_hint(w->diags, "use the `module` statement instead");
    return false;
}

static const struct keyword_row {
    const char *name;
    keyword_fn *run;
} keywords[] = {
    {"include", run_include},
    {"configfile", run_configfile},
    {"workdir", run_workdir},
    {"localrules", run_localrules},
    {"ruleorder", run_ruleorder},
    {"wildcard_constraints", run_wildcard_constraints},
    {"scattergather", run_scattergather},
    {"pathvars", run_pathvars},
    {"resource_scopes", run_resource_scopes},
    {"envvars", run_envvars},
    {"container", run_container},
    {"singularity", run_container},
    {"containerized", run_containerized},
    {"inputflags", run_inputflags},
    {"outputflags", run_outputflags},
    {"report", run_report},
    {"conda", run_conda},
    {"storage", storage_statement},
    {"pepfile", run_pepfile},
    {"pepschema", run_pepschema},
    {"subworkflow", removed},
};

bool keyword_run(struct vm *vm, void *user, const struct node *statement,
                 const struct directive_args *args)
{
    struct workflow *w = user;
    const char *name = flow_text(w, statement->name);
    struct nearest near = nearest_to(name);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (!strcmp(keywords[i].name, name))
            return keywords[i].run(w, statement, args);
        nearest_offer(&near, keywords[i].name);
    }
    flow_refuse(w, "SyntaxError", statement->span, "unknown keyword '%s'", name);
    diag_meant(w->diags, near.best);
    return false;
}

/* The last definition in the main scope counts; every scope finds its own under the statement's
 * name, and may call it without its log. */
bool keyword_hook(struct vm *vm, void *user, const struct node *statement, value function)
{
    struct workflow *w = user;
    const char *name = flow_text(w, statement->name);
    struct hook *hook = !strcmp(name, "onstart")     ? &w->onstart
                        : !strcmp(name, "onsuccess") ? &w->onsuccess
                                                     : &w->onerror;
    list_push(vm, w->flow->kept.v, function);
    as_function(function)->defaults = tuple_new(vm, &w->flow->log.v, 1);
    dict_set_str(vm, w->flow->scope->globals.v, name, function);
    if (w->flow->scope != w->flow->main)
        return true;
    hook->function.v = function;
    hook->span = statement->span;
    return true;
}
