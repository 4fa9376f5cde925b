// SPDX-License-Identifier: MIT
#include "python/textfault.h"

#include "base/utf8.h"
#include "python/vm.h"

static value attr_of(struct vm *vm, value v, const char *name)
{
    value found = v ? value_attr_find(vm, v, intern_str(vm_names(vm), name)) : NO_VALUE;
    return found && found != VALUE_NONE ? found : NO_VALUE;
}

/* The character of a source whose number is an attribute. */
static struct span place_of(struct vm *vm, const struct sources *sources, int source, value holder,
                            const char *name)
{
    int64_t index;
    value number = attr_of(vm, holder, name);
    if (!source || !number || !int_get(number, &index) || index < 0)
        return (struct span){0};
    size_t len = source_len(sources, source);
    uint32_t at = source_base(sources, source);
    at += (uint32_t)utf8_offset(source_text(sources, source), len, (size_t)index);
    return (struct span){at, at + 1};
}

/* PyYAML's errors have what, where and while doing what, or a character that no YAML has; those of
 * json have what and where. */
struct text_fault text_fault(struct vm *vm, const struct sources *sources, int source, value error)
{
    static const struct {
        const char *problem, *holder, *index;
    } forms[] = {
        {"problem", "problem_mark", "index"}, {"reason", NULL, "position"}, {"msg", NULL, "pos"}};
    struct text_fault fault = {.problem = exception_text(vm, error)};
    value context = attr_of(vm, error, "context");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        value problem = attr_of(vm, error, forms[i].problem);
        value holder = forms[i].holder ? attr_of(vm, error, forms[i].holder) : error;
        if (!problem)
            continue;
        fault.problem = str_text(problem);
        fault.at = place_of(vm, sources, source, holder, forms[i].index);
        break;
    }
    fault.context = context ? str_text(context) : NULL;
    fault.context_at = place_of(vm, sources, source, attr_of(vm, error, "context_mark"), "index");
    return fault;
}
