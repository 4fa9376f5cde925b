// SPDX-License-Identifier: MIT
/* workflow.c: what others ask of a workflow that has been read (load.c). */
#include "flow/workflow.h"

#include <string.h>

#include "base/nearest.h"
#include "flow/state.h"

struct rule *workflow_rule(const struct workflow *workflow, const char *name)
{
    sym_t sym = intern_find(workflow->names, name, strlen(name));
    rule_id id = sym ? map_find(&workflow->rule_by_name, sym) : 0;
    return id ? workflow->rules.at[id] : NULL;
}

static int place_in(const rule_id *order, rule_id id)
{
    for (int i = 0; order[i]; i++)
        if (order[i] == id)
            return i;
    return -1;
}

int workflow_prefer(const struct workflow *workflow, rule_id a, rule_id b)
{
    for (uint32_t i = 0; a != b && i < workflow->ruleorder.len; i++) {
        int at = place_in(workflow->ruleorder.at[i], a),
            bt = place_in(workflow->ruleorder.at[i], b);
        if (at >= 0 && bt >= 0)
            return bt - at;
    }
    return (workflow->rules.at[b]->wildcards.n > 0) - (workflow->rules.at[a]->wildcards.n > 0);
}

bool workflow_took_exit(struct workflow *w)
{
    struct vm *vm = w->vm;
    int64_t status = 0;
    if (!vm_failed_with(vm, "SystemExit"))
        return false;
    value error = vm_take_error(vm);
    value code = value_attr_find(vm, error, intern_str(w->names, "code"));
    vm_take_error(vm);
    if (code && code != VALUE_NONE && !int_get(code, &status)) {
        status = 1;
        complain(w->diags, (struct span){0}, "%s", is_str(code) ? str_text(code) : "sys.exit()");
    }
    if (w->options.exit_status)
        *w->options.exit_status = (int)(status & 0xff);
    else if (!diag_errors(w->diags))
        complain_kind(w->diags, "SystemExit", (struct span){0}, "%d", (int)status);
    return true;
}

bool workflow_run_hook(struct workflow *workflow, const struct hook *hook, const char *log)
{
    if (!hook->function.v)
        return true;
    value list = workflow->flow->log.v;
    if (log && !as_list(list)->len)
        list_push(workflow->vm, list, str_from(workflow->vm, log));
    if (vm_call1(workflow->vm, hook->function.v, list))
        return true;
    return !workflow_took_exit(workflow) && flow_report(workflow);
}

const char *workflow_nearest_rule(const struct workflow *workflow, const char *name)
{
    struct nearest near = nearest_to(name);
    for (uint32_t i = 1; i < workflow->rules.len; i++)
        nearest_offer(&near, sym_text(workflow->names, workflow->rules.at[i]->name));
    return near.best;
}

const char *workflow_nearest_output(const struct workflow *workflow, const char *path,
                                    const struct rule **rule)
{
    struct nearest near = nearest_to(path);
    for (uint32_t r = 1; r < workflow->rules.len; r++)
        for (uint32_t i = 0; i < workflow->rules.at[r]->output.len; i++) {
            const struct pattern *pattern = &workflow->rules.at[r]->output.at[i].pattern;
            if (!pattern->nslots && nearest_offer(&near, sym_text(workflow->names, pattern->plain)))
                *rule = workflow->rules.at[r];
        }
    return near.best;
}

/* How much of a pattern's beginning is literal, or 0 if path does not begin so. */
static size_t literal_start(const struct workflow *w, const struct pattern *pattern,
                            const char *path)
{
    const char *plain = sym_text(w->names, pattern->plain);
    size_t n = strcspn(plain, "{"), slash = 0;
    for (size_t i = 0; i < n; i++)
        slash = plain[i] == '/' ? i + 1 : slash;
    return slash && !strncmp(plain, path, slash) ? slash : 0;
}

const struct rule *workflow_near_output(const struct workflow *workflow, const char *path,
                                        const char **output)
{
    const struct rule *best = NULL;
    size_t most = 0;
    for (uint32_t r = 1; r < workflow->rules.len; r++)
        for (uint32_t i = 0; i < workflow->rules.at[r]->output.len; i++) {
            const struct pattern *pattern = &workflow->rules.at[r]->output.at[i].pattern;
            size_t n = literal_start(workflow, pattern, path);
            if (n <= most)
                continue;
            most = n;
            best = workflow->rules.at[r];
            *output = sym_text(workflow->names, pattern->plain);
        }
    return best;
}
