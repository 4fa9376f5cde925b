// SPDX-License-Identifier: MIT
/* load.c: reading a workflow: the namespace, the main Snakefile and what it includes, then the
 * checks that need all of it. Values that the Snakefiles make hang on their namespaces, on the
 * rules' keep lists and on flow->kept. */
#include "flow/workflow.h"

#include <string.h>

#include "base/fs.h"
#include "base/http.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/path.h"
#include "flow/api.h"
#include "flow/builder.h"
#include "flow/config.h"
#include "flow/hints.h"
#include "flow/hold.h"
#include "flow/implicit.h"
#include "flow/keyword.h"
#include "flow/module.h"
#include "flow/origin.h"
#include "flow/paths.h"
#include "flow/proxies.h"
#include "flow/resources.h"
#include "flow/rulebuild.h"
#include "flow/scopes.h"
#include "flow/state.h"
#include "flow/storage.h"
#include "modules/modules.h"
#include "syntax/parse.h"

/* ---- namespaces ---- */

struct scope *scope_new(struct workflow *w, struct scope *outer, const char *name, value config)
{
    struct scope *scope = arena_new(&w->arena, struct scope);
    struct vm *vm = w->vm;
    scope->outer = outer;
    scope->name = name;
    heap_root(vm, &scope->globals, vm_globals_new(vm, *name ? name : "snakemake.workflow"));
    heap_root(vm, &scope->given_pathvars, dict_new(vm));
    heap_root(vm, &scope->pathvars, outer ? dict_new(vm) : pathvars_new(vm));
    if (outer) {
        scope->container.v = outer->container.v;
        scope->containerized = outer->containerized;
    }
    vec_push(&w->flow->scopes, scope);
    dict_set_str(vm, scope->globals.v, "config", config);
    return proxies_fill(w, scope) ? scope : NULL;
}

/* ---- reading files ---- */

/* As people name it: relative where it lies below the working directory. */
static const char *shown_path(struct workflow *w, const char *path)
{
    if (origin_is_remote(path))
        return http_shown(&w->arena, path);
    const char *relative = path_relative(&w->arena, path, w->workdir);
    return path_leads_out(relative) ? path : relative;
}

static void add_module_path(struct workflow *w, const char *dir)
{
    struct vm *vm = w->vm;
    value sys = module_import(vm, "sys"), args[2] = {small(0), str_from(vm, dir)};
    value list = sys ? module_get(vm, sys, "path") : NO_VALUE;
    bool there = true;
    if (list && value_contains(vm, list, args[1], &there) && !there)
        vm_call_method(vm, list, "insert", args, 2);
    vm_take_error(vm);
}

static struct node *parse_file(struct workflow *w, const char *path, struct span asked_at,
                               int *source)
{
    size_t len;
    const char *why = "";
    char *text = origin_read(w, path, &len, &why);
    if (!text) {
        bool missing = !origin_is_remote(path) && !fs_exists(path);
        complain_kind(w->diags, missing ? "FileNotFoundError" : "WorkflowError", asked_at,
                      "Failed to open source file %s: %s", shown_path(w, path), why);
        const char *near = missing ? nearest_file(&w->arena, path) : NULL;
        diag_meant(w->diags, near ? shown_path(w, near) : NULL);
        return NULL;
    }
    *source = source_add(w->sources, shown_path(w, path), text, len);
    return parse_source(&w->arena, w->names, w->diags, *source, &(struct parse_options){0});
}

/* __file__ of the scope: the file that is being read in it, afterwards its first. */
static void set_file(struct workflow *w, const char *path)
{
    dict_set_str(w->vm, w->flow->scope->globals.v, "__file__", str_from(w->vm, path));
}

bool flow_read(struct workflow *w, const char *path, struct span asked_at)
{
    struct flow_state *flow = w->flow;
    sym_t sym = intern_str(w->names, path);
    if (flow->scope == flow->main && map_find(&flow->included, sym))
        return true;
    if (flow->readings.len >= 100)
        return flow_refuse(w, "WorkflowError", asked_at, "files include each other without end");
    int source = 0, mark = diag_mark(w->diags);
    struct node *tree = parse_file(w, path, asked_at, &source);
    if (!tree)
        return flow_stop(w, mark);
    map_set(&flow->included, sym, 1);
    struct reading reading = {arena_str(&w->arena, path), origin_dirname(&w->arena, path), source};
    vec_push(&w->snakefiles, reading.path);
    vec_push(&flow->read, reading);
    vec_push(&flow->readings, reading);
    if (!origin_is_remote(path))
        add_module_path(w, reading.dir);
    implicit_names_used(w, tree);
    bool nested = dict_get_str(w->vm, flow->scope->globals.v, "__file__");
    set_file(w, reading.path);
    bool fine = vm_run_included(w->vm, tree, flow->scope->globals.v);
    flow->readings.len--;
    if (nested && flow->readings.len)
        set_file(w, flow->readings.at[flow->readings.len - 1].path);
    return fine;
}

bool flow_include(struct workflow *w, const char *path, bool overwrite, struct span asked_at)
{
    sym_t target = w->default_target;
    bool good = flow_read(w, origin_join(&w->arena, flow_dir(w), path), asked_at);
    if (!overwrite)
        w->default_target = target;
    return good;
}

/* ---- after reading ---- */

/* Unknown names only warn: the rules may be there under another configuration. */
static void mark_local_rules(struct workflow *w)
{
    for (uint32_t i = 0; i < w->flow->local_names.len; i++) {
        const struct local_name *local = &w->flow->local_names.at[i];
        rule_id id = map_find(&w->rule_by_name, local->name);
        if (id)
            w->rules.at[id]->local = true;
        else
            warn(w->diags, local->span,
                 "localrules directive specifies rules that are not present "
                 "in the Snakefile: %s",
                 flow_text(w, local->name));
    }
}

static bool unknown_rule(struct workflow *w, const struct order_clause *clause, uint32_t i)
{
    const char *name = flow_text(w, clause->name[i]), *near = workflow_nearest_rule(w, name);
    complain_kind(w->diags, "UnknownRuleException", clause->span[i],
                  "There is no rule named %s (in ruleorder)", name);
    diag_meant(w->diags, near);
    return false;
}

/* From the statements' names to rule ids, the last statement first. */
static bool resolve_order(struct workflow *w)
{
    for (uint32_t c = w->flow->order.len; c-- > 0;) {
        const struct order_clause *clause = &w->flow->order.at[c];
        rule_id *ids = arena_array(&w->arena, rule_id, clause->n + 1);
        uint32_t n = 0;
        for (uint32_t i = 0; i < clause->n; i++) {
            sym_t name = module_rule_name(w, clause->scope, clause->name[i]);
            rule_id id = name ? map_find(&w->rule_by_name, name) : 0;
            if (!id && clause->scope == w->flow->main)
                return unknown_rule(w, clause, i);
            if (id)
                ids[n++] = id;
        }
        vec_push(&w->ruleorder, ids);
    }
    return true;
}

/* --set-scatter of what no scattergather: statement names. */
static void warn_of_scatters(struct workflow *w)
{
    value name, number, known, n;
    for (size_t pos = 0; dict_next(w->flow->cli_scatter.v, &pos, &name, &number);) {
        struct nearest near = nearest_to(str_text(name));
        if (dict_get(w->vm, w->flow->scatter.v, name))
            continue;
        for (size_t at = 0; dict_next(w->flow->scatter.v, &at, &known, &n);)
            nearest_offer(&near, str_text(known));
        warn(w->diags, (struct span){0}, "--set-scatter: `scattergather:` names no '%s'",
             near.wanted);
        diag_meant(w->diags, near.best);
    }
}

static bool finish_reading(struct workflow *w)
{
    struct vm *vm = w->vm;
    value config = dict_get_str(vm, w->flow->main->globals.v, "config");
    heap_root(vm, &w->config, config ? config : dict_new(vm));
    mark_local_rules(w);
    warn_of_scatters(w);
    return resolve_order(w);
}

/* ---- the call that makes it all ---- */

static void root_all(struct workflow *w)
{
    struct vm *vm = w->vm;
    struct flow_state *flow = w->flow;
    heap_root(vm, &flow->classes, dict_new(vm));
    heap_root(vm, &flow->scatter, dict_new(vm));
    heap_root(vm, &flow->cli_scatter, dict_new(vm));
    heap_root(vm, &flow->resource_scopes, dict_new(vm));
    heap_root(vm, &flow->kept, list_new(vm, NULL, 0));
    heap_root(vm, &flow->log, list_new(vm, NULL, 0));
    heap_root(vm, &flow->keep, list_new(vm, NULL, 0));
    heap_root(vm, &flow->waiting, VALUE_NONE);
    heap_root(vm, &flow->told, VALUE_NONE);
    heap_root(vm, &flow->prelude, VALUE_NONE);
    heap_root(vm, &flow->caption, VALUE_NONE);
    heap_root(vm, &flow->notebook, VALUE_NONE);
    heap_root(vm, &flow->settings, VALUE_NONE);
    heap_root(vm, &flow->parts, VALUE_NONE);
    heap_root(vm, &flow->shell_executable, VALUE_NONE);
    heap_root(vm, &flow->shell_prefix, VALUE_NONE);
    heap_root(vm, &flow->shell_suffix, VALUE_NONE);
    heap_root(vm, &flow->defaults, dict_new(vm));
    heap_root(vm, &flow->overrides, dict_new(vm));
    heap_root(vm, &flow->limits, dict_new(vm));
    heap_root(vm, &w->envvars, list_new(vm, NULL, 0));
}

static bool set_scatter(struct workflow *w)
{
    const char *const *word = w->options.set_scatter;
    for (; word && *word; word++) {
        char *equals = strchr(*word, '='), *end = NULL;
        long n = equals ? strtol(equals + 1, &end, 10) : 0;
        if (n < 1 || n > SCATTER_MOST || equals == *word || *end)
            return complain_kind(w->diags, "error", (struct span){0},
                                 "Invalid --set-scatter '%s': it has to be name=number, the number "
                                 "from 1 to %d",
                                 *word, SCATTER_MOST);
        dict_set(w->vm, w->flow->cli_scatter.v, str_new(w->vm, *word, (size_t)(equals - *word)),
                 int_from(w->vm, n));
    }
    return true;
}

static struct workflow *workflow_new(struct intern *names, struct diags *dx,
                                     const struct workflow_options *options,
                                     struct workflow_hooks *hooks)
{
    struct workflow *w = memory_zeroed(1, sizeof *w);
    w->flow = memory_zeroed(1, sizeof *w->flow);
    w->names = names;
    w->diags = dx;
    w->sources = diags_sources(dx);
    w->options = *options;
    *hooks = (struct workflow_hooks){.user = w,
                                     .begin = builder_begin,
                                     .directive = builder_directive,
                                     .end = builder_end,
                                     .keyword = keyword_run,
                                     .hook = keyword_hook,
                                     .lacking = hint_lacking,
                                     .unknown = hint_name};
    w->vm = vm_new(&(struct vm_options){.names = names,
                                        .diags = dx,
                                        .hooks = hooks,
                                        .python = options->python,
                                        .argv = options->argv,
                                        .modules = native_modules});
    w->workdir = w->first_workdir = fs_cwd(&w->arena);
    const char *snakefile = origin_join(&w->arena, w->workdir, options->snakefile);
    w->basedir = origin_dirname(&w->arena, snakefile);
    w->options.snakefile = snakefile;
    return w;
}

static bool make_namespace(struct workflow *w)
{
    root_all(w);
    if (!api_fill(w) || !set_scatter(w) || !resources_options(w) || !resource_scopes_options(w))
        return false;
    value config = config_from_options(w);
    if (!config)
        return false;
    heap_root(w->vm, &w->flow->cli_config, config);
    value copy = config_copy(w->vm, config);
    w->flow->main = w->flow->scope = copy ? scope_new(w, NULL, "", copy) : NULL;
    if (!w->flow->main)
        return false;
    heap_root(w->vm, &w->globals, w->flow->main->globals.v);
    return true;
}

static bool prepare(struct workflow *w)
{
    hold_heap(w->vm);
    bool fine = make_namespace(w);
    release_heap(w->vm);
    return fine;
}

struct workflow *workflow_load(struct intern *names, struct diags *dx,
                               const struct workflow_options *options)
{
    struct workflow_hooks *hooks = memory_zeroed(1, sizeof *hooks);
    struct workflow *w = workflow_new(names, dx, options, hooks);
    int before = diag_errors(dx);
    w->flow->hooks = hooks;
    bool done = prepare(w) && flow_read(w, w->options.snakefile, (struct span){0}) &&
                finish_reading(w);
    if (done)
        flow_forget_told(w);
    if (done && diag_errors(dx) == before)
        return w;
    if (!workflow_took_exit(w))
        flow_report(w);
    vm_call_exits(w->vm);
    workflow_free(w);
    return NULL;
}

static void free_scope(struct scope *scope)
{
    for (uint32_t i = 0; i < scope->rules.len; i++)
        rule_free(scope->rules.at[i].rule);
    vec_free(&scope->rules);
    vec_free(&scope->borrowed);
}

void workflow_free(struct workflow *workflow)
{
    if (!workflow)
        return;
    struct flow_state *flow = workflow->flow;
    for (uint32_t i = 0; i < flow->scopes.len; i++)
        free_scope(flow->scopes.at[i]);
    storage_end(workflow); /* which holds values */
    vm_free(workflow->vm);
    vec_free(&flow->scopes);
    vec_free(&flow->readings);
    vec_free(&flow->read);
    vec_free(&flow->copy);
    map_free(&flow->copies);
    vec_free(&flow->modules);
    vec_free(&flow->order);
    map_free(&flow->included);
    vec_free(&flow->local_names);
    same_list_free(&flow->last_list);
    vec_free(&flow->fixed);
    free(flow->hooks);
    free(flow);
    pool_free(&workflow->rules);
    map_free(&workflow->rule_by_name);
    vec_free(&workflow->ruleorder);
    vec_free(&workflow->snakefiles);
    vec_free(&workflow->configfiles);
    vec_free(&workflow->config_named);
    vec_free(&workflow->source_dirs);
    arena_free(&workflow->arena);
    free(workflow);
}
