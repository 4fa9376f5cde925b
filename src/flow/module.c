// SPDX-License-Identifier: MIT
/* module.c: see module.h. A module's Snakefile is read in a scope of its own each time rules are
 * used from it; as each of its rules is defined, the scope says under which name, if any, it joins
 * the workflow. Rules that nobody asked for are built too, because others may refer to them through
 * `rules`, but stay hidden. */
#include "flow/module.h"

#include <string.h>

#include "flow/origin.h"
#include "flow/paths.h"
#include "flow/rulebuild.h"
#include "flow/state.h"
#include "flow/wrapper.h"

/* ---- names ---- */

static bool in_list(const sym_t *list, sym_t name)
{
    for (; list && *list; list++)
        if (*list == name)
            return true;
    return false;
}

static bool is_all(struct workflow *w, const struct use_rule *use)
{
    return use->rules[0] && !strcmp(flow_text(w, use->rules[0]), "*");
}

/* The alias with the name in place of its star. */
static sym_t with_alias(struct workflow *w, sym_t alias, sym_t name)
{
    if (!alias)
        return name;
    const char *text = flow_text(w, alias), *star = strchr(text, '*');
    if (!star)
        return alias;
    return intern_str(w->names, arena_printf(&w->arena, "%.*s%s%s", (int)(star - text), text,
                                             flow_text(w, name), star + 1));
}

/* The name of a scope's rule in the scope around it; 0: it is not used there. */
static sym_t name_outside(struct workflow *w, const struct scope *scope, sym_t name)
{
    const struct use_rule *use = scope->use;
    bool wanted = is_all(w, use) ? !in_list(use->exclude, name) : in_list(use->rules, name);
    return wanted ? with_alias(w, use->alias, name) : 0;
}

sym_t module_rule_name(struct workflow *w, const struct scope *scope, sym_t name)
{
    for (; name && scope->outer; scope = scope->outer)
        name = name_outside(w, scope, name);
    return name;
}

/* ---- with: blocks ---- */

/* Where a name stands, .n if it does not. */
static uint32_t find_name(const struct given *given, sym_t name)
{
    uint32_t i = 0;
    while (i < given->n && given->name[i] != name)
        i++;
    return i;
}

static void take_given(struct given *into, const struct given *from, uint32_t i)
{
    into->at[into->n] = from->at[i];
    into->name[into->n] = from->name[i];
    into->span[into->n++] = from->span[i];
}

/* params are merged by name, each where it stood first; positional ones are replaced if there are
 * new ones. */
static void merge_params(struct workflow *w, struct given *into, const struct given *over)
{
    struct given merged = *over;
    bool positional = over->n && !over->name[0];
    uint32_t most = into->n + over->n + 1;
    merged.at = arena_array(&w->arena, value, most);
    merged.name = arena_array(&w->arena, sym_t, most);
    merged.span = arena_array(&w->arena, struct span, most);
    merged.n = 0;
    for (uint32_t i = 0; i < into->n; i++) {
        uint32_t k = into->name[i] ? find_name(over, into->name[i]) : over->n;
        if (k < over->n)
            take_given(&merged, over, k);
        else if (into->name[i] || !positional)
            take_given(&merged, into, i);
    }
    for (uint32_t i = 0; i < over->n; i++)
        if (!over->name[i] || find_name(into, over->name[i]) == into->n)
            take_given(&merged, over, i);
    *into = merged;
}

/* Positional items go before named ones. */
static void sort_positional(struct workflow *w, struct given *given)
{
    struct given sorted = *given;
    uint32_t n = 0;
    sorted.at = arena_array(&w->arena, value, given->n + 1);
    sorted.name = arena_array(&w->arena, sym_t, given->n + 1);
    sorted.span = arena_array(&w->arena, struct span, given->n + 1);
    for (int named = 0; named < 2; named++)
        for (uint32_t i = 0; i < given->n; i++) {
            if ((given->name[i] != 0) != named)
                continue;
            sorted.at[n] = given->at[i];
            sorted.name[n] = given->name[i];
            sorted.span[n++] = given->span[i];
        }
    *given = sorted;
}

/* Marks of one rule: a rule with a with: block has those that stand there alone. */
static bool is_mark(enum directive_id id)
{
    return id == DIRECTIVE_CACHE || id == DIRECTIVE_DEFAULT_TARGET || id == DIRECTIVE_HANDOVER ||
           id == DIRECTIVE_LOCALRULE;
}

static struct ruleinfo *overwritten(struct workflow *w, const struct ruleinfo *info,
                                    const struct ruleinfo *over)
{
    struct ruleinfo *copy = ruleinfo_copy(w, info);
    list_push(w->vm, copy->keep, over->keep);
    for (int id = 0; id < DIRECTIVE_COUNT; id++) {
        if (!over->given[id].node && !(is_mark(id) && over->node->use->with))
            continue;
        if (id == DIRECTIVE_PARAMS && copy->given[id].node) {
            merge_params(w, &copy->given[id], &over->given[id]);
            sort_positional(w, &copy->given[id]);
        } else {
            copy->given[id] = over->given[id];
        }
    }
    if (over->docstring)
        copy->docstring = over->docstring;
    return copy;
}

/* ---- rules of the Snakefile at hand ---- */

/* A rule is known in the scopes that use it, even if one further out does not. */
static void tell_outer(struct scope *scope, sym_t name, struct rule *rule, struct workflow *w)
{
    for (; scope->outer && (name = name_outside(w, scope, name)); scope = scope->outer) {
        struct known_rule known = {name, rule};
        vec_push(&scope->outer->borrowed, known);
    }
}

/* Whether a module's rule may take the place of one of its name: what `use rule *` has brought, by
 * the same rule used by name. */
static bool may_replace(struct workflow *w, const struct scope *scope, const struct rule *old,
                        sym_t name)
{
    const struct scope *was = old->scope;
    bool same = scope_rule(was, name) == old;
    for (; same && scope->outer && was->outer; scope = scope->outer, was = was->outer)
        if (scope->outer == was->outer && !strcmp(scope->name, was->name) && is_all(w, was->use) &&
            !is_all(w, scope->use))
            return true;
    return false;
}

bool module_rule(struct workflow *w, struct ruleinfo *info, sym_t name)
{
    struct scope *scope = w->flow->scope;
    if (!scope->outer)
        return rule_build(w, info, scope, name, name, RULE_NEW);
    sym_t joined = module_rule_name(w, scope, name);
    const struct ruleinfo *built = info;
    for (const struct scope *s = scope; joined && s->outer; s = s->outer)
        if (s->overwrite)
            built = overwritten(w, built, s->overwrite);
    rule_id old = joined ? map_find(&w->rule_by_name, joined) : 0;
    bool replace = old && may_replace(w, scope, w->rules.at[old], name);
    struct rule *rule = rule_build(w, built, scope, joined ? joined : name, name,
                                   !joined   ? RULE_HIDDEN
                                   : replace ? RULE_REPLACE
                                             : RULE_NEW);
    if (rule)
        tell_outer(scope, name, rule, w);
    return rule;
}

/* ---- use rule a as b with: ---- */

static bool inherit_rule(struct workflow *w, struct ruleinfo *info, sym_t name)
{
    const struct use_rule *use = info->node->use;
    struct scope *scope = w->flow->scope;
    struct rule *rule = scope_rule(scope, name);
    if (!rule) {
        const char *near = scope_nearest_rule(w, scope, flow_text(w, name));
        flow_refuse(w, "WorkflowError", info->node->span, "Rule %s is not defined",
                    flow_text(w, name));
        diag_meant(w->diags, near);
        return false;
    }
    struct ruleinfo *made = overwritten(w, rule->info, info);
    sym_t alias = with_alias(w, use->alias, name);
    if (!use->alias)
        return flow_refuse(w, "SyntaxError", info->node->span,
                           "use rule %s needs a new name (`as NAME`)", flow_text(w, name));
    made->node = info->node;
    made->inherited = true;
    made->given[DIRECTIVE_NAME].node = NULL;
    if (scope->outer)
        return module_rule(w, made, alias);
    struct known_rule known = {alias, rule_build(w, made, rule->scope, alias, alias, RULE_NEW)};
    if (known.rule && rule->scope != scope) /* it belongs to a module, and is known here */
        vec_push(&scope->borrowed, known);
    return known.rule;
}

/* ---- modules ---- */

bool module_declare(struct workflow *w, struct ruleinfo *info)
{
    bool from = info->given[DIRECTIVE_SNAKEFILE].node || info->given[DIRECTIVE_META_WRAPPER].node;
    if (!from)
        return flow_refuse(w, "SyntaxError", info->node->span,
                           "module %s needs `snakefile:` or `meta_wrapper:`",
                           flow_text(w, info->node->name));
    list_push(w->vm, w->flow->kept.v, info->keep);
    vec_push(&w->flow->modules, info);
    return true;
}

/* The name in the statement's header, or that of its `name:`; 0: none. */
static sym_t module_name(struct workflow *w, const struct ruleinfo *module)
{
    value given = given_one(module, DIRECTIVE_NAME);
    return given && is_str(given) ? str_sym(w->vm, given) : module->node->name;
}

/* A variable's text as a symbol; 0: there is no such variable, or it holds no text. */
static sym_t variable_text(struct workflow *w, sym_t name)
{
    value v = dict_get(w->vm, w->flow->scope->globals.v, str_from_sym(w->vm, name));
    return v && is_str(v) ? str_sym(w->vm, v) : 0;
}

static const struct ruleinfo *find_module(struct workflow *w, sym_t name)
{
    for (uint32_t i = w->flow->modules.len; i-- > 0;)
        if (module_name(w, w->flow->modules.at[i]) == name &&
            w->flow->modules.at[i]->scope == w->flow->scope)
            return w->flow->modules.at[i];
    return NULL;
}

/* The statement with the alias that its variable holds: where the module's name is a variable, the
 * alias is one too, but for its star. NULL: raised. */
static const struct use_rule *use_by_variable(struct workflow *w, const struct ruleinfo *info)
{
    struct use_rule *use = arena_new(&w->arena, struct use_rule);
    *use = *info->node->use;
    if (!use->alias)
        return use;
    const char *text = flow_text(w, use->alias);
    size_t len = strlen(text), star = len && text[len - 1] == '*';
    sym_t held = variable_text(w, intern(w->names, text, len - star));
    if (!held) {
        flow_refuse(w, "WorkflowError", info->node->span,
                    "the module %s is named by a variable, but its alias %.*s is none",
                    flow_text(w, use->from), (int)(len - star), text);
        return NULL;
    }
    use->alias = star ? intern_str(w->names, arena_printf(&w->arena, "%s*", flow_text(w, held)))
                      : held;
    return use;
}

/* *wrapper_tag: see wrapper_snakefile. NULL: raised. */
static const char *module_file(struct workflow *w, const struct ruleinfo *module,
                               const char **wrapper_tag)
{
    value file = given_one(module, DIRECTIVE_SNAKEFILE),
          wrapper = given_one(module, DIRECTIVE_META_WRAPPER);
    value path = path_value(w->vm, wrapper ? wrapper : file);
    if (!path) {
        if (!vm_failed(w->vm))
            flow_refuse(w, "WorkflowError", module->node->span,
                        "module %s: its Snakefile must be a path, not %s",
                        flow_text(w, module->node->name), type_name(wrapper ? wrapper : file));
        return NULL;
    }
    if (wrapper)
        return wrapper_snakefile(w, &w->arena, str_text(path), wrapper_tag);
    return origin_join(&w->arena, origin_dirname(&w->arena, module->snakefile), str_text(path));
}

static bool is_true(const struct ruleinfo *module, enum directive_id id)
{
    return given_one(module, id) == VALUE_TRUE;
}

static struct scope *module_scope(struct workflow *w, const struct ruleinfo *module,
                                  struct ruleinfo *info, const struct use_rule *use)
{
    struct vm *vm = w->vm;
    value config = given_one(module, DIRECTIVE_CONFIG),
          prefix = given_one(module, DIRECTIVE_PREFIX);
    bool given = config && config != VALUE_NONE;
    if (given && !pathvars_check_config(w, config, module->node->span))
        return NULL;
    struct scope *scope = scope_new(w, w->flow->scope, flow_text(w, module->node->name),
                                    given ? config : dict_new(vm));
    if (!scope)
        return NULL;
    scope->given_config = given;
    scope->skip_validation = is_true(module, DIRECTIVE_SKIP_VALIDATION);
    scope->prefix = prefix && is_str(prefix) ? arena_str(&w->arena, str_text(prefix)) : NULL;
    scope->replace_prefix.v = given_one(module, DIRECTIVE_REPLACE_PREFIX);
    scope->use = use;
    scope->overwrite = info->node->use->with ? info : NULL;
    list_push(vm, w->flow->kept.v, info->keep);
    const struct given *vars = &module->given[DIRECTIVE_PATHVARS];
    for (uint32_t i = 0; i < vars->n; i++)
        dict_set(vm, scope->given_pathvars.v, str_from_sym(vm, vars->name[i]), vars->at[i]);
    return scope;
}

/* A module may define a rule only for some configurations: one that it lacks is no error. */
static void warn_of_absent(struct workflow *w, const struct ruleinfo *info,
                           const struct scope *scope)
{
    const struct use_rule *use = info->node->use;
    for (const sym_t *name = use->rules; !is_all(w, use) && *name; name++) {
        if (scope_rule(scope, *name))
            continue;
        warn(w->diags, info->node->span, "module %s defines no rule %s: none is used", scope->name,
             flow_text(w, *name));
        diag_meant(w->diags, scope_nearest_rule(w, scope, flow_text(w, *name)));
    }
}

/* ---- the module as an object: its globals are its attributes ---- */

struct module_object {
    struct object object;
    const struct scope *scope;
};

static value module_object_attr(struct vm *vm, value self, sym_t name)
{
    const struct module_object *module = (const struct module_object *)as_object(self);
    value found = dict_get(vm, module->scope->globals.v, str_from_sym(vm, name));
    return found ? found : NO_VALUE;
}

static const struct type type_module_object = {.object = {.type = &type_type},
                                               .name = "module",
                                               .size = sizeof(struct module_object),
                                               .get_attr = module_object_attr};

static bool use_from_module(struct workflow *w, struct ruleinfo *info)
{
    const struct use_rule *use = info->node->use;
    sym_t name = use->from, held = variable_text(w, name);
    const struct ruleinfo *module = find_module(w, name);
    if (!module && held && (module = find_module(w, held)) && !(use = use_by_variable(w, info)))
        return false;
    if (!module)
        return flow_refuse(w, "WorkflowError", info->node->span,
                           "Module %s has not been declared before", flow_text(w, name));
    const char *wrapper_tag = NULL, *path = module_file(w, module, &wrapper_tag);
    struct scope *outer = w->flow->scope, *scope = path ? module_scope(w, module, info, use) : NULL;
    if (!scope)
        return false;
    scope->wrapper_tag = wrapper_tag;
    w->flow->scope = scope;
    const struct given *file = &module->given[DIRECTIVE_SNAKEFILE];
    bool fine = flow_read(w, path, file->n ? file->span[0] : module->node->span);
    w->flow->scope = outer;
    if (!fine)
        return false;
    warn_of_absent(w, info, scope);
    struct module_object *object = object_new(w->vm, &type_module_object);
    object->scope = scope;
    value as = str_from_sym(w->vm, module_name(w, module));
    return dict_set(w->vm, outer->globals.v, as, from_object(object));
}

bool module_use_rules(struct workflow *w, struct ruleinfo *info)
{
    const struct use_rule *use = info->node->use;
    if (use->with && is_all(w, use))
        return flow_refuse(w, "SyntaxError", info->node->span,
                           "`with` is not possible for all rules (*) at once");
    if (use->from)
        return use_from_module(w, info);
    for (const sym_t *name = use->rules; *name; name++)
        if (!inherit_rule(w, info, *name))
            return false;
    return true;
}
