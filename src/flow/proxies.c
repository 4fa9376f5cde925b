// SPDX-License-Identifier: MIT
/* proxies.c: the objects that stand for the workflow's parts in Snakefiles (see proxies.h). */
#include "flow/proxies.h"

#include <string.h>

#include "base/path.h"
#include "flow/deferred.h"
#include "flow/exceptions.h"
#include "flow/expand.h"
#include "flow/iofile.h"
#include "flow/namedlist.h"
#include "flow/origin.h"
#include "flow/paths.h"
#include "flow/settings.h"
#include "flow/state.h"

/* One object layout serves them all: what it stands for, and where. */
struct proxy {
    struct object object;
    struct workflow *workflow;
    struct scope *scope;
    struct rule *rule;
    value held;
    int which;
};

static struct proxy *as_proxy(value v)
{
    return (struct proxy *)as_object(v);
}

static void proxy_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct proxy *)self)->held);
}

static struct proxy *proxy_new(struct workflow *w, const struct type *type)
{
    struct proxy *proxy = object_new(w->vm, type);
    proxy->workflow = w;
    return proxy;
}

#define PROXY .size = sizeof(struct proxy), .mark = proxy_mark

/* ---- rules.NAME.output ---- */

static value made_by(struct workflow *w, rule_id maker)
{
    value flags = dict_new(w->vm);
    dict_set_str(w->vm, flags, "from_rule", int_from(w->vm, maker));
    return flags;
}

/* A path as others see it: without constraints, and knowing which rule makes it. */
static value shown_path(struct workflow *w, const struct item *item, rule_id maker)
{
    return iofile_new(w->vm, item->pattern.plain, made_by(w, maker));
}

static value placed_path(struct workflow *w, const struct rule *rule, value v)
{
    value path = path_value(w->vm, v);
    const char *text = path ? place_path(w, rule->info, DIRECTIVE_INPUT, path, rule->span) : NULL;
    if (!text)
        return vm_failed(w->vm) ? NO_VALUE : v;
    value flags = made_by(w, 0);
    return str_flagged(w->vm, str_from(w->vm, text), flags);
}

/* held: an input function of a module's rule, and that rule; its paths lie where the module's
 * lie. */
static value call_placed(struct vm *vm, const value *held, value wildcards, const value *at)
{
    struct proxy *proxy = as_proxy(held[1]);
    value result = aux_call(vm, held[0], wildcards, at), list;
    struct iter it;
    if (!result || is_str(result) || is_dict(result) || path_value(vm, result))
        return result ? placed_path(proxy->workflow, proxy->rule, result) : NO_VALUE;
    if (!iter_open(vm, result, &it))
        return NO_VALUE;
    list = list_new(vm, NULL, 0);
    for (value item; (item = iter_next(vm, &it));) {
        value placed = placed_path(proxy->workflow, proxy->rule, item);
        if (!placed)
            return NO_VALUE;
        list_push(vm, list, placed);
    }
    return vm_failed(vm) ? NO_VALUE : list;
}

static value rule_proxy(struct workflow *w, struct rule *rule);

static value shown_item(struct workflow *w, const struct item *item, struct rule *rule,
                        rule_id maker)
{
    if (item->kind == ITEM_PATTERN)
        return shown_path(w, item, maker);
    if (item->kind != ITEM_FUNCTION || !rule->scope->outer)
        return item->value.v;
    value held[2] = {item->value.v, rule_proxy(w, rule)};
    return deferred_new(w->vm, call_placed, held, 2, wanted_by(w->vm, held[0]));
}

static value items_value(struct workflow *w, struct rule *rule, const struct items *items,
                         const struct type *type, rule_id maker)
{
    value list = namedlist_new(w->vm, type);
    for (uint32_t i = 0; i < items->len; i++)
        list_push(w->vm, list, shown_item(w, &items->at[i], rule, maker));
    for (uint32_t i = 0; i < items->names.len; i++) {
        const struct item_name *name = &items->names.at[i];
        namedlist_name(list, name->name, name->at, name->len, name->is_list);
    }
    return list;
}

static value rule_output(struct workflow *w, struct rule *rule)
{
    return items_value(w, rule, &rule->output, &type_output_files, rule->id);
}
static value rule_input(struct workflow *w, struct rule *rule)
{
    return items_value(w, rule, &rule->input, &type_input_files, 0);
}
static value rule_log(struct workflow *w, struct rule *rule)
{
    return items_value(w, rule, &rule->log, &type_log, 0);
}
static value rule_params(struct workflow *w, struct rule *rule)
{
    return items_value(w, rule, &rule->params, &type_params, 0);
}
static value rule_benchmark(struct workflow *w, struct rule *rule)
{
    return rule->benchmark.len ? shown_path(w, &rule->benchmark.at[0], 0) : VALUE_NONE;
}
static value rule_name(struct workflow *w, struct rule *rule)
{
    return str_from_sym(w->vm, rule->name);
}
/* The rule's own dict: what a Snakefile puts into it holds. */
static value rule_resources(struct workflow *w, struct rule *rule)
{
    return rule->resources.v;
}
static value rule_docstring(struct workflow *w, struct rule *rule)
{
    return rule->docstring ? str_from(w->vm, rule->docstring) : VALUE_NONE;
}

static const struct rule_attr {
    const char *name;
    value (*get)(struct workflow *w, struct rule *rule);
} rule_attrs[] = {
    {"output", rule_output},       {"input", rule_input},         {"log", rule_log},
    {"params", rule_params},       {"benchmark", rule_benchmark}, {"name", rule_name},
    {"docstring", rule_docstring}, {"resources", rule_resources},
};

static value rule_attr(struct vm *vm, value self, sym_t name)
{
    struct workflow *w = as_proxy(self)->workflow;
    const char *text = flow_text(w, name);
    for (size_t i = 0; i < sizeof rule_attrs / sizeof *rule_attrs; i++)
        if (!strcmp(rule_attrs[i].name, text))
            return rule_attrs[i].get(w, as_proxy(self)->rule);
    return NO_VALUE;
}

static value rule_attr_names(struct vm *vm, value self)
{
    value names = list_new(vm, NULL, 0);
    for (size_t i = 0; i < sizeof rule_attrs / sizeof *rule_attrs; i++)
        list_push(vm, names, str_from(vm, rule_attrs[i].name));
    return names;
}

static value rule_str(struct vm *vm, value self)
{
    return str_from_sym(vm, as_proxy(self)->rule->name);
}

static const struct type type_rule = {.object = {.type = &type_type},
                                      .name = "snakemake.rules.RuleProxy",
                                      PROXY,
                                      .get_attr = rule_attr,
                                      .attr_names = rule_attr_names,
                                      .str = rule_str};

static value rule_proxy(struct workflow *w, struct rule *rule)
{
    struct proxy *proxy = proxy_new(w, &type_rule);
    proxy->rule = rule;
    return from_object(proxy);
}

/* ---- rules ---- */

static value no_such_rule(struct workflow *w, const struct scope *scope, const char *kind,
                          const char *name)
{
    const char *near = scope_nearest_rule(w, scope, name);
    return flow_raise(w, "WorkflowError",
                      "%s %s is not defined in this workflow%s%s%s. Please make sure that it is "
                      "defined before this point.",
                      kind, name, near ? " (did you mean '" : "", near ? near : "",
                      near ? "'?)" : "");
}

static bool is_dunder(const char *text)
{
    return text[0] == '_' && text[1] == '_';
}

static value rules_attr(struct vm *vm, value self, sym_t name)
{
    struct proxy *proxy = as_proxy(self);
    struct rule *rule = scope_rule(proxy->scope, name);
    const char *text = flow_text(proxy->workflow, name);
    if (rule)
        return rule_proxy(proxy->workflow, rule);
    return is_dunder(text) ? NO_VALUE : no_such_rule(proxy->workflow, proxy->scope, "Rule", text);
}

static const struct type type_rules = {
    .object = {.type = &type_type}, .name = "snakemake.rules.Rules", PROXY, .get_attr = rules_attr};

/* ---- checkpoints ---- */

/* The wildcards of a checkpoint's job from get(**wildcards); NULL: raised. */
static const sym_t *given_wildcards(struct workflow *w, const struct rule *rule, value kwargs)
{
    sym_t *values = arena_array(&w->arena, sym_t, rule->wildcards.n + 1);
    for (int i = 0; i < rule->wildcards.n; i++) {
        value v = kwargs ? dict_get(w->vm, kwargs, str_from_sym(w->vm, rule->wildcards.name[i]))
                         : NO_VALUE;
        value text = v ? value_str(w->vm, v) : NO_VALUE;
        if (!text && !vm_failed(w->vm))
            flow_raise(w, "WorkflowError", "Missing wildcard values for %s",
                       flow_text(w, rule->wildcards.name[i]));
        if (!text)
            return NULL;
        values[i] = str_sym(w->vm, text);
    }
    return values;
}

static value made_output(struct workflow *w, const struct rule *rule, const sym_t *wildcards)
{
    value list = namedlist_new(w->vm, &type_output_files), flags = made_by(w, rule->id);
    for (uint32_t i = 0; i < rule->output.len; i++) {
        sym_t path = pattern_apply(&rule->output.at[i].pattern, w->names, wildcards);
        list_push(w->vm, list, iofile_new(w->vm, path, flags));
    }
    for (uint32_t i = 0; i < rule->output.names.len; i++) {
        const struct item_name *name = &rule->output.names.at[i];
        namedlist_name(list, name->name, name->at, name->len, name->is_list);
    }
    return list;
}

static value wait_for(struct workflow *w, const struct rule *rule, const sym_t *wildcards)
{
    struct flow_state *flow = w->flow;
    value message = str_printf(w->vm, "checkpoint %s has not run yet", flow_text(w, rule->name));
    flow->waiting.v = vm_call1(w->vm, flow_class(w, "IncompleteCheckpointException"), message);
    flow->wait_rule = rule->id;
    flow->wait_wildcards = wildcards;
    return vm_raise_value(w->vm, flow->waiting.v);
}

static value done_attr(struct vm *vm, value self, sym_t name)
{
    struct proxy *proxy = as_proxy(self);
    const char *text = flow_text(proxy->workflow, name);
    if (!strcmp(text, "output"))
        return proxy->held;
    return !strcmp(text, "rule") ? rule_proxy(proxy->workflow, proxy->rule) : NO_VALUE;
}

static const struct type type_done = {.object = {.type = &type_type},
                                      .name = "snakemake.checkpoints.CheckpointJob",
                                      PROXY,
                                      .get_attr = done_attr};

static value checkpoint_get(struct vm *vm, const struct args *args)
{
    struct proxy *proxy = as_proxy(args->at[0]);
    struct workflow *w = proxy->workflow;
    const sym_t *wildcards = given_wildcards(w, proxy->rule, args->at[1]);
    if (!wildcards)
        return NO_VALUE;
    if (!w->checkpoint_ready ||
        !w->checkpoint_ready(w->checkpoint_user, proxy->rule->id, wildcards))
        return wait_for(w, proxy->rule, wildcards);
    struct proxy *done = proxy_new(w, &type_done);
    done->rule = proxy->rule;
    done->held = made_output(w, proxy->rule, wildcards);
    return from_object(done);
}

static const struct native_def checkpoint_methods[] = {
    {"get", checkpoint_get, "self **wildcards",
     "The finished job with its output; waits for it if it has not run."},
    {0},
};
static const struct type type_checkpoint = {.object = {.type = &type_type},
                                            .name = "snakemake.checkpoints.Checkpoint",
                                            PROXY,
                                            .methods = checkpoint_methods};

static value checkpoints_attr(struct vm *vm, value self, sym_t name)
{
    struct proxy *proxy = as_proxy(self);
    struct rule *rule = scope_rule(proxy->scope, name);
    const char *text = flow_text(proxy->workflow, name);
    if (!rule || !rule->checkpoint)
        return is_dunder(text) ? NO_VALUE
                               : no_such_rule(proxy->workflow, proxy->scope, "Checkpoint", text);
    if (!rule->id)
        return flow_raise(proxy->workflow, "WorkflowError",
                          "Checkpoint %s is not among the rules that this `use rule` takes from "
                          "module %s. Please name it there, too.",
                          text, proxy->scope->name);
    struct proxy *found = proxy_new(proxy->workflow, &type_checkpoint);
    found->rule = rule;
    return from_object(found);
}

static const struct type type_checkpoints = {.object = {.type = &type_type},
                                             .name = "snakemake.checkpoints.Checkpoints",
                                             PROXY,
                                             .get_attr = checkpoints_attr};

/* ---- scatter and gather ---- */

static value scatter_call(struct vm *vm, value self, value args, value kwargs)
{
    struct proxy *proxy = as_proxy(self);
    int64_t n;
    if (!int_get(proxy->held, &n) || n > SCATTER_MOST)
        return vm_raise(vm, "TypeError", "scattergather needs a number, %d at most", SCATTER_MOST);
    value items = list_new(vm, NULL, 0), all = dict_new(vm), key, item;
    for (int64_t i = 1; i <= n; i++)
        list_push(vm, items, str_printf(vm, "%ld-of-%ld", (long)i, (long)n));
    dict_set_str(vm, all, "scatteritem", items);
    for (size_t pos = 0; kwargs && dict_next(kwargs, &pos, &key, &item);)
        dict_set(vm, all, key, item);
    size_t count;
    const value *at = sequence_items(args, &count);
    if (count < 1)
        return vm_raise(vm, "TypeError", "scatter and gather need a pattern");
    return expand_patterns(proxy->workflow, at[0], count > 1 ? at[1] : NO_VALUE, all);
}

static const struct type type_scatter_one = {
    .object = {.type = &type_type}, .name = "function", PROXY, .call = scatter_call};

static value scatter_attr(struct vm *vm, value self, sym_t name)
{
    struct proxy *proxy = as_proxy(self);
    value n = dict_get(vm, proxy->workflow->flow->scatter.v, str_from_sym(vm, name));
    if (!n)
        return NO_VALUE;
    struct proxy *one = proxy_new(proxy->workflow, &type_scatter_one);
    one->held = n;
    return from_object(one);
}

static value scatter_attr_names(struct vm *vm, value self)
{
    return list_from(vm, as_proxy(self)->workflow->flow->scatter.v);
}

#define SCATTER PROXY, .get_attr = scatter_attr, .attr_names = scatter_attr_names
static const struct type type_scatter = {
    .object = {.type = &type_type}, .name = "snakemake.workflow.Scatter", SCATTER};
static const struct type type_gather = {
    .object = {.type = &type_type}, .name = "snakemake.workflow.Gather", SCATTER};

bool proxies_fill(struct workflow *w, struct scope *scope)
{
    static const struct {
        const char *name;
        const struct type *type;
    } rows[] = {{"rules", &type_rules},
                {"checkpoints", &type_checkpoints},
                {"scatter", &type_scatter},
                {"gather", &type_gather}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct proxy *proxy = proxy_new(w, rows[i].type);
        proxy->scope = scope;
        if (!dict_set_str(w->vm, scope->globals.v, rows[i].name, from_object(proxy)))
            return false;
    }
    return dict_set_str(w->vm, scope->globals.v, "workflow",
                        dict_get_str(w->vm, vm_builtins(w->vm), "workflow"));
}

/* ---- workflow ---- */

static value text_list(struct vm *vm, const char *const *at, uint32_t n)
{
    value list = list_new(vm, NULL, 0);
    for (uint32_t i = 0; i < n; i++)
        list_push(vm, list, str_from(vm, at[i]));
    return list;
}

static value workflow_cores(struct workflow *w)
{
    if (w->options.shown_cores)
        return int_from(w->vm, w->options.shown_cores);
    return flow_raise(
        w, "WorkflowError",
        "Workflow requires a total number of cores to be given (e.g. because a rule refers to "
        "workflow.cores). Please set it with --cores.");
}

static value workflow_rules(struct workflow *w)
{
    value list = list_new(w->vm, NULL, 0);
    for (uint32_t i = 1; i < w->rules.len; i++)
        list_push(w->vm, list, rule_proxy(w, w->rules.at[i]));
    return list;
}

static value workflow_default_target(struct workflow *w)
{
    return w->default_target ? str_from_sym(w->vm, w->default_target) : VALUE_NONE;
}

static value get_basedir(struct workflow *w)
{
    return str_from(w->vm, w->basedir);
}
static value get_current_basedir(struct workflow *w)
{
    return str_from(w->vm, flow_dir(w));
}
static value get_workdir_init(struct workflow *w)
{
    return str_from(w->vm, w->first_workdir);
}
static value get_main_snakefile(struct workflow *w)
{
    return str_from(w->vm, w->options.snakefile);
}
/* That of the code that asks. */
static value get_snakefile(struct workflow *w)
{
    return str_from(w->vm, flow_running_file(w).path);
}
static value get_included(struct workflow *w)
{
    return text_list(w->vm, w->snakefiles.at, w->snakefiles.len);
}
static value get_globals(struct workflow *w)
{
    return w->flow->main->globals.v;
}
static value get_limits(struct workflow *w)
{
    return w->flow->limits.v;
}
static value get_config(struct workflow *w)
{
    return dict_get_str(w->vm, w->flow->main->globals.v, "config");
}
/* The settings of Snakemake's storage plugins, by provider: there are none. */
static value get_no_settings(struct workflow *w)
{
    return dict_new(w->vm);
}
static value get_true(struct workflow *w)
{
    return VALUE_TRUE;
}
static value get_overwrite(struct workflow *w)
{
    return w->flow->cli_config.v;
}

static const struct workflow_attr {
    const char *name;
    value (*get)(struct workflow *w);
} workflow_attrs[] = {
    {"basedir", get_basedir},
    {"current_basedir", get_current_basedir},
    {"snakefile", get_snakefile},
    {"main_snakefile", get_main_snakefile},
    {"workdir_init", get_workdir_init},
    {"included_stack", get_included},
    {"included", get_included},
    {"configfiles", settings_all_configfiles},
    {"cores", workflow_cores},
    {"rules", workflow_rules},
    {"default_target", workflow_default_target},
    {"globals", get_globals},
    {"config", get_config},
    {"overwrite_config", get_overwrite},
    {"global_resources", get_limits},
    {"is_main_process", get_true},
    {"current_snakefile", get_snakefile},
    {"storage_provider_settings", get_no_settings},
    {"overwrite_configfiles", settings_configfiles},
    {"exec_mode", settings_exec_mode},
    {"config_settings", settings_of_config},
    {"storage_settings", settings_of_storage},
    {"deployment_settings", settings_of_deployment},
    {"resource_settings", settings_of_resources},
};

static value workflow_attr(struct vm *vm, value self, sym_t name)
{
    struct workflow *w = as_proxy(self)->workflow;
    const char *text = flow_text(w, name);
    for (size_t i = 0; i < sizeof workflow_attrs / sizeof *workflow_attrs; i++)
        if (!strcmp(workflow_attrs[i].name, text))
            return workflow_attrs[i].get(w);
    return NO_VALUE;
}

/* The one attribute that Snakefiles set; the rule may be defined later. */
static bool workflow_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    struct workflow *w = as_proxy(self)->workflow;
    if (strcmp(flow_text(w, name), "default_target"))
        return vm_raise(vm, "AttributeError", "the attribute '%s' of workflow cannot be set",
                        flow_text(w, name));
    if (item != VALUE_NONE && (!item || !is_str(item)))
        return vm_raise(vm, "TypeError",
                        "workflow.default_target must be the name of a rule or file, or None");
    w->default_target = item == VALUE_NONE ? 0 : str_sym(vm, item);
    return true;
}

static value workflow_attr_names(struct vm *vm, value self)
{
    value names = list_new(vm, NULL, 0);
    for (size_t i = 0; i < sizeof workflow_attrs / sizeof *workflow_attrs; i++)
        list_push(vm, names, str_from(vm, workflow_attrs[i].name));
    return names;
}

/* Containers must see the folder of a file that a job is given. */
static void note_source_dir(struct workflow *w, const char *file)
{
    const char *dir = path_dirname(&w->arena, file);
    for (uint32_t i = 0; i < w->source_dirs.len; i++)
        if (!strcmp(w->source_dirs.at[i], dir))
            return;
    vec_push(&w->source_dirs, dir);
}

/* A file next to the Snakefile at hand, as a path that exists for this process. */
static value workflow_source_path(struct vm *vm, const struct args *args)
{
    struct workflow *w = as_proxy(args->at[0])->workflow;
    const char *path = arg_path(vm, args, 1);
    const char *local =
        path ? origin_local(w, origin_join(&w->arena, flow_running_file(w).dir, path)) : NULL;
    if (!local)
        return NO_VALUE;
    note_source_dir(w, local);
    return str_from(vm, local);
}

static value workflow_include(struct vm *vm, const struct args *args)
{
    struct workflow *w = as_proxy(args->at[0])->workflow;
    const char *path = arg_path(vm, args, 1);
    bool overwrite;
    if (!path || !arg_bool(vm, args, 2, false, &overwrite))
        return NO_VALUE;
    return flow_include(w, path, overwrite, vm_running(vm)) ? VALUE_NONE : NO_VALUE;
}

static value workflow_get_rule(struct vm *vm, const struct args *args)
{
    struct workflow *w = as_proxy(args->at[0])->workflow;
    const char *name = arg_text(vm, args, 1, NULL);
    struct rule *rule = name ? workflow_rule(w, name) : NULL;
    if (!name || rule)
        return rule ? rule_proxy(w, rule) : NO_VALUE;
    return no_such_rule(w, w->flow->main, "Rule", name);
}

static const struct native_def workflow_methods[] = {
    {"source_path", workflow_source_path, "self path", "A file relative to the Snakefile."},
    {"get_rule", workflow_get_rule, "self name", "The rule of that name."},
    {"include", workflow_include, "self snakefile overwrite_default_target=False",
     "As the statement."},
    {0},
};
static const struct type type_workflow = {.object = {.type = &type_type},
                                          .name = "snakemake.workflow.Workflow",
                                          PROXY,
                                          .get_attr = workflow_attr,
                                          .set_attr = workflow_set_attr,
                                          .attr_names = workflow_attr_names,
                                          .methods = workflow_methods};

value proxies_workflow(struct workflow *w)
{
    return from_object(proxy_new(w, &type_workflow));
}

struct workflow *proxies_unwrap(value v)
{
    return as_proxy(v)->workflow;
}

/* ---- input, output, params, resources, threads outside of a job ---- */

/* held[0]: the name or index asked for; by attribute if it is a name. */
static value item_of(struct vm *vm, value list, const value *held)
{
    if (!list)
        return vm_raise(vm, "TypeError", "this value is not known here");
    return is_str(held[0]) ? value_attr(vm, list, str_sym(vm, held[0]))
                           : value_index(vm, list, held[0]);
}

#define ITEM_OF(fn, aux)                                                                           \
    static value fn(struct vm *vm, const value *held, value wildcards, const value *at)            \
    {                                                                                              \
        return item_of(vm, at[aux], held);                                                         \
    }
ITEM_OF(item_of_input, AUX_INPUT)
ITEM_OF(item_of_output, AUX_OUTPUT)
ITEM_OF(item_of_params, AUX_PARAMS)
ITEM_OF(item_of_resources, AUX_RESOURCES)

static value threads_of(struct vm *vm, const value *held, value wildcards, const value *at)
{
    return at[AUX_THREADS] ? at[AUX_THREADS] : VALUE_NONE;
}

static const struct item_proxy {
    const char *name;
    deferred_fn *fn;
    uint32_t wants;
} item_proxies[] = {
    {"input", item_of_input, AUX_BIT(INPUT)},
    {"output", item_of_output, AUX_BIT(OUTPUT)},
    {"params", item_of_params, AUX_BIT(PARAMS)},
    {"resources", item_of_resources, AUX_BIT(RESOURCES)},
};

static value item_proxy_index(struct vm *vm, value self, value key)
{
    const struct item_proxy *row = &item_proxies[as_proxy(self)->which];
    return deferred_new(vm, row->fn, &key, 1, row->wants);
}

static value item_proxy_attr(struct vm *vm, value self, sym_t name)
{
    return is_dunder(sym_text(vm_names(vm), name))
               ? NO_VALUE
               : item_proxy_index(vm, self, str_from_sym(vm, name));
}

static const struct type type_item_proxy = {.object = {.type = &type_type},
                                            .name = "snakemake.ioutils.RuleItemProxy",
                                            PROXY,
                                            .get_attr = item_proxy_attr,
                                            .get_index = item_proxy_index};

/* held[0]: which of the job's values. */
static value whole_value(struct vm *vm, const value *held, value wildcards, const value *at)
{
    static const enum aux places[] = {AUX_INPUT, AUX_OUTPUT, AUX_PARAMS, AUX_RESOURCES};
    return value_or_none(at[places[small_int(held[0])]]);
}

value proxies_whole(struct vm *vm, value v, bool make)
{
    if (!is_exact(v, &type_item_proxy))
        return NO_VALUE;
    value which = small(as_proxy(v)->which);
    return make ? deferred_new(vm, whole_value, &which, 1, item_proxies[as_proxy(v)->which].wants)
                : VALUE_TRUE;
}

bool proxies_items(struct workflow *w, value into)
{
    for (int i = 0; i < 4; i++) {
        struct proxy *proxy = proxy_new(w, &type_item_proxy);
        proxy->which = i;
        if (!dict_set_str(w->vm, into, item_proxies[i].name, from_object(proxy)))
            return false;
    }
    return dict_set_str(w->vm, into, "threads",
                        deferred_new(w->vm, threads_of, NULL, 0, AUX_BIT(THREADS)));
}
