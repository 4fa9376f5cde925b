// SPDX-License-Identifier: MIT
/* Expressions about text, numbers and formatting, against what CPython says: cases.h, made by
 * `cases.py 400`; for a harder look make it with more. */
#include "modules/modules.h"
#include "python/vm.h"
#include "syntax/parse.h"
#include "test.h"

static const struct {
    const char *expression, *answer;
} cases[] = {
#include "cases.h"
};

static const char *answer_of(struct vm *vm, value eval, const char *expression)
{
    value v = vm_call1(vm, eval, str_from(vm, expression));
    value text = v ? value_repr(vm, v) : NO_VALUE;
    return text ? str_text(text) : exception_text(vm, vm_take_error(vm));
}

int main(void)
{
    struct intern *names = intern_new();
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct vm *vm = vm_new(
        &(struct vm_options){.names = names, .diags = dx, .modules = native_modules});
    value eval = dict_get_str(vm, vm_builtins(vm), "eval");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is(answer_of(vm, eval, cases[i].expression), cases[i].answer, cases[i].expression);
    vm_free(vm);
    diags_free(dx);
    sources_free(sources);
    intern_free(names);
    return done();
}
