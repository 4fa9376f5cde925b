// SPDX-License-Identifier: MIT
/* paths.c: see paths.h. Pathvars are replaced again in what they stand for, so that they may refer
 * to each other. */
#include "flow/paths.h"

#include <string.h>

#include "base/buf.h"
#include "flow/flags.h"
#include "flow/state.h"
#include "flow/storage.h"

value pathvars_new(struct vm *vm)
{
    static const char *const names[] = {"results",   "stats", "reports",   "temp",
                                        "resources", "logs",  "benchmarks"};
    value vars = dict_new(vm);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        dict_set_str(vm, vars, names[i], str_from(vm, names[i]));
    return vars;
}

/* ---- pathvars ---- */

struct expansion {
    struct workflow *w;
    const struct ruleinfo *info;
    struct span span;
    struct buf out;
};

/* Length of the name that text begins with, or 0. */
static size_t name_len(const char *text)
{
    size_t i = 0;
    if (text[0] < 'a' || text[0] > 'z')
        return 0;
    while ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9') ||
           text[i] == '_')
        i++;
    return i;
}

/* Length of "<name>" at text, or 0. */
static size_t pathvar_len(const char *text)
{
    size_t len = text[0] == '<' ? name_len(text + 1) : 0;
    return len && text[len + 1] == '>' ? len + 2 : 0;
}

/* Where a pathvar comes from, the strongest first. */
enum pathvar_origin { GIVEN_TO_MODULE, IN_CONFIG, IN_SNAKEFILE, NOWHERE };

/* A module's given config, what its statement says, any other config, what its Snakefile says. */
static value find_in_scope(struct vm *vm, const struct scope *scope, value key,
                           enum pathvar_origin *origin)
{
    value config = dict_get_str(vm, scope->globals.v, "config");
    value vars = config && is_dict(config) ? dict_get_str(vm, config, "pathvars") : NO_VALUE;
    value in_config = vars && is_dict(vars) ? dict_get(vm, vars, key) : NO_VALUE;
    value found = scope->given_config ? in_config : NO_VALUE;
    *origin = GIVEN_TO_MODULE;
    if (!found)
        found = dict_get(vm, scope->given_pathvars.v, key);
    if (found)
        return found;
    *origin = in_config ? IN_CONFIG : IN_SNAKEFILE;
    return in_config ? in_config : dict_get(vm, scope->pathvars.v, key);
}

static value find_pathvar(struct expansion *e, const char *name, size_t len)
{
    struct vm *vm = e->w->vm;
    const struct given *given = &e->info->given[DIRECTIVE_PATHVARS];
    sym_t sym = intern(e->w->names, name, len);
    for (uint32_t i = given->n; i-- > 0;)
        if (given->name[i] == sym)
            return given->at[i];
    value key = str_from_sym(vm, sym);
    value best = NO_VALUE;
    enum pathvar_origin origin, best_origin = NOWHERE;
    for (const struct scope *scope = e->info->scope; scope; scope = scope->outer) {
        value found = find_in_scope(vm, scope, key, &origin);
        if (found && origin < best_origin)
            best = found, best_origin = origin;
    }
    return best;
}

static bool expand_pathvars(struct expansion *e, const char *text, int depth)
{
    if (depth > 20)
        return flow_refuse(e->w, "WorkflowError", e->span, "Cyclic pathvar reference in '%s'",
                           text);
    for (size_t len; *text; text += len) {
        len = pathvar_len(text);
        if (!len) {
            buf_char(&e->out, *text);
            len = 1;
            continue;
        }
        value found = find_pathvar(e, text + 1, len - 2);
        if (!found)
            return flow_refuse(e->w, "WorkflowError", e->span, "Undefined pathvar '%.*s'",
                               (int)len - 2, text + 1);
        if (!is_str(found)) /* what the Snakefile itself has put into its config */
            return pathvar_check(e->w, flow_text(e->w, intern(e->w->names, text + 1, len - 2)),
                                 found, e->span);
        if (!strncmp(str_text(found), text + 1, len - 2) && as_str(found)->len == len - 2)
            buf_add(&e->out, text + 1, len - 2);
        else if (!expand_pathvars(e, str_text(found), depth + 1))
            return false;
    }
    return true;
}

static const char *with_pathvars(struct workflow *w, const struct ruleinfo *info, const char *text,
                                 struct span span)
{
    const char *open = strchr(text, '<');
    while (open && !pathvar_len(open))
        open = strchr(open + 1, '<');
    if (!open)
        return text;
    struct expansion e = {w, info, span, {0}};
    const char *placed = expand_pathvars(&e, text, 0)
                             ? arena_copy(&w->arena, buf_text(&e.out), e.out.len)
                             : NULL;
    buf_free(&e.out);
    return placed;
}

/* ---- prefixes of modules ---- */

static const char *replace_prefix(struct workflow *w, value table, const char *path,
                                  struct span span)
{
    size_t pos = 0;
    value key, item, found_key = NO_VALUE, found = NO_VALUE;
    while (dict_next(table, &pos, &key, &item)) {
        if (!is_str(key) || strncmp(path, str_text(key), as_str(key)->len))
            continue;
        if (found) {
            flow_refuse(w, "WorkflowError", span,
                        "Multiple prefixes of replace_prefix match the path %s", path);
            return NULL;
        }
        found = item;
        found_key = key;
    }
    if (!found)
        return path;
    return arena_printf(&w->arena, "%s%s", is_str(found) ? str_text(found) : "",
                        path + as_str(found_key)->len);
}

static const char *with_prefix(struct workflow *w, const char *prefix, const char *path)
{
    if (!prefix || path[0] == '/' || !strncmp(path, "..", 2) || strstr(path, "://"))
        return path;
    size_t len = strlen(prefix);
    return arena_printf(&w->arena, "%s%s%s", prefix, len && prefix[len - 1] == '/' ? "" : "/",
                        path);
}

const char *place_path(struct workflow *w, const struct ruleinfo *info, enum directive_id what,
                       value path, struct span span)
{
    struct vm *vm = w->vm;
    const char *text = str_text(path);
    bool placed = flag_find(vm, path, "from_rule") || flag_find(vm, path, "local") ||
                  flag_find(vm, path, "storage_object");
    const struct scope *from = info->given[what].scope ? info->given[what].scope : info->scope;
    for (const struct scope *scope = from; text && !placed && scope->outer; scope = scope->outer) {
        if (scope->replace_prefix.v)
            text = replace_prefix(w, scope->replace_prefix.v, text, span);
        if (text)
            text = with_prefix(w, scope->prefix, text);
    }
    text = text ? with_pathvars(w, info, text, span) : NULL;
    return text && !placed ? storage_default(w, text) : text;
}

static bool is_cyclic(value vars, struct vm *vm, value text, int depth)
{
    for (const char *at = is_str(text) ? strchr(str_text(text), '<') : NULL; at && depth <= 20;
         at = strchr(at + 1, '<')) {
        size_t len = pathvar_len(at);
        value next = len ? dict_get(vm, vars, str_new(vm, at + 1, len - 2)) : NO_VALUE;
        bool itself = next && is_str(next) && as_str(next)->len == len - 2 &&
                      !strncmp(str_text(next), at + 1, len - 2);
        if (next && !itself && is_cyclic(vars, vm, next, depth + 1))
            return true;
    }
    return depth > 20;
}

bool pathvar_check(struct workflow *w, const char *name, value text, struct span span)
{
    size_t len = name_len(name);
    if (!is_str(text))
        return flow_refuse(w, "WorkflowError", span, "the pathvar '%s' has to be a text, not %s",
                           name, type_name(text));
    return (len && !name[len]) ||
           flow_refuse(w, "WorkflowError", span,
                       "'%s' cannot be the name of a pathvar: such names have lower-case letters, "
                       "digits and _, and begin with a letter",
                       name);
}

bool pathvars_check(struct workflow *w, value vars, struct span span)
{
    value key, text;
    for (size_t pos = 0; dict_next(vars, &pos, &key, &text);) {
        value name = value_str(w->vm, key);
        if (!name || !pathvar_check(w, str_text(name), text, span))
            return false;
        if (is_cyclic(vars, w->vm, text, 0))
            return flow_refuse(w, "WorkflowError", span, "Cyclic pathvar reference detected: %s",
                               str_text(name));
    }
    return true;
}

bool pathvars_check_config(struct workflow *w, value config, struct span span)
{
    value vars = is_dict(config) ? dict_get_str(w->vm, config, "pathvars") : NO_VALUE;
    if (!vars || vars == VALUE_NONE)
        return true;
    if (!is_dict(vars))
        return flow_refuse(w, "WorkflowError", span,
                           "pathvars in the config have to be a mapping, not %s", type_name(vars));
    return pathvars_check(w, vars, span);
}
