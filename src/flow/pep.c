// SPDX-License-Identifier: MIT
#include "flow/pep.h"

#include "base/diag.h"
#include "flow/origin.h"
#include "flow/state.h"
#include "python/vm.h"

/* A package that is there only if people have installed it for python3. NO_VALUE: raised, with
 * Snakemake's words. */
static value package(struct workflow *w, const char *name, const char *support, struct span span)
{
    value module = module_import(w->vm, name);
    if (module || !vm_failed_with(w->vm, "ImportError"))
        return module;
    value error = vm_take_error(w->vm);
    flow_refuse(w, "WorkflowError", span, "For %s support, please install %s.", support, name);
    diag_hint(w->diags,
              "it is imported in %s, which says \"%s\"; --python PROGRAM names another Python",
              w->options.python ? w->options.python : "python3", exception_text(w->vm, error));
    return NO_VALUE;
}

bool pep_load(struct workflow *w, value path, struct span span)
{
    value peppy = package(w, "peppy", "PEP", span);
    value project = peppy ? vm_call_method(w->vm, peppy, "Project", &path, 1) : NO_VALUE;
    return project && dict_set_str(w->vm, w->flow->scope->globals.v, "pep", project);
}

bool pep_check(struct workflow *w, value schema, struct span span)
{
    struct vm *vm = w->vm;
    value eido = package(w, "eido", "PEP schema", span), kwargs = dict_new(vm);
    if (!eido)
        return false;
    value project = dict_get_str(vm, w->flow->scope->globals.v, "pep");
    if (!project) {
        flow_refuse(w, "WorkflowError", span, "Please specify a PEP with the pepfile directive.");
        diag_hint(w->diags,
                  "`pepfile: PATH` must come before `pepschema:`, in the same Snakefile or module");
        return false;
    }
    value path = str_from(vm, origin_join(&w->arena, flow_dir(w), str_text(schema)));
    value validate = value_attr(vm, eido, intern_str(w->names, "validate_project"));
    return validate && dict_set_str(vm, kwargs, "project", project) &&
           dict_set_str(vm, kwargs, "schema", path) && vm_call(vm, validate, NULL, 0, kwargs);
}
