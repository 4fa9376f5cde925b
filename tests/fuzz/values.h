// SPDX-License-Identifier: MIT
/* values.h: an evaluator for the fuzz targets that read data: one for all inputs, swept after
 * each. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/ensure.h"
#include "modules/modules.h"
#include "python/vm.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static struct vm *values_vm(void)
{
    static struct vm *vm;
    if (!vm)
        vm = vm_new(&(struct vm_options){
            .names = intern_new(), .diags = diags_new(sources_new()), .modules = native_modules});
    return vm;
}

/* MODULE.FUNCTION(arg); NO_VALUE when it raised, which must be an exception of the class (or a
 * derived one), or one of Python's own about numbers, texts and depth. */
static value values_call(const char *module, const char *function, value arg, const char *class)
{
    struct vm *vm = values_vm();
    value loaded = module_import(vm, module);
    ensure(loaded);
    value result = vm_call1(vm, module_get(vm, loaded, function), arg);
    if (result)
        return result;
    value error = vm_take_error(vm);
    ensure(error);
    ensure(is_instance(error, (const struct type *)as_object(module_get(vm, loaded, class))) ||
           exception_is(vm, error, "ValueError") || exception_is(vm, error, "RecursionError") ||
           exception_is(vm, error, "KeyError") || exception_is(vm, error, "OverflowError") ||
           exception_is(vm, error, "TypeError"));
    return NO_VALUE;
}
