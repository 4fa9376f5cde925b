// SPDX-License-Identifier: MIT
/* Fuzzes the evaluator: any program ends, by itself or by its budget of instructions, with a result
 * or an exception that can be shown. Sweeps are frequent. Only modules that compute can be
 * imported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "modules/modules.h"
#include "python/foreign_link.h"
#include "syntax/parse.h"

enum { BUDGET = 5000 };

/* What reaches out of the evaluator is not there: files, input, modules of the system, python3. */
static void shut_in(struct vm *vm)
{
    static const char known[] = " _collections _csv _functools _hashlib _heapq itertools math re "
                                "json yaml _json _traceback "
                                "collections functools hashlib heapq csv traceback ";
    uint32_t kept = 0;
    for (uint32_t i = 0; i < vm->natives_known.len; i++) {
        char padded[64];
        snprintf(padded, sizeof padded, " %s ", vm->natives_known.at[i]->name);
        if (strstr(known, padded))
            vm->natives_known.at[kept++] = vm->natives_known.at[i];
    }
    vm->natives_known.len = kept;
    dict_delete(vm, vm_builtins(vm), str_from(vm, "open"));
    dict_delete(vm, vm_builtins(vm), str_from(vm, "input"));
    vm->foreign = calloc(1, sizeof *vm->foreign);
    vm->foreign->fd = -1;
    vm->foreign->dead = true;
    vm->foreign->why = strdup("python3 is not there");
}

/* Numbers of many digits make natives busy for long, as they do in Python. */
static bool is_modest(const uint8_t *bytes, size_t len)
{
    int digits = 0;
    for (size_t i = 0; i < len; i++) {
        digits = bytes[i] >= '0' && bytes[i] <= '9' ? digits + 1 : bytes[i] == '_' ? digits : 0;
        if (digits > 3 || !bytes[i])
            return false;
    }
    return true;
}

/* print() goes nowhere. */
static void write_nothing(void *user, bool to_stderr, const char *text, size_t len) {}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static FILE *null;
    if (!is_modest(bytes, len))
        return 0;
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct intern *names = intern_new();
    struct arena arena = {0};
    struct vm *vm = vm_new(&(struct vm_options){.names = names,
                                                .diags = dx,
                                                .write = write_nothing,
                                                .max_depth = 200,
                                                .budget = BUDGET,
                                                .modules = native_modules});
    vm->heap.least_budget = 1 << 12;
    shut_in(vm);
    int source = source_add(sources, "fuzz", (const char *)bytes, len);
    struct node *tree = parse_source(&arena, names, dx, source,
                                     &(struct parse_options){.python = true});
    if (tree && !vm_run(vm, tree, vm_globals_new(vm, "__main__")))
        vm_report(vm);
    if (!null)
        null = fopen("/dev/null", "w");
    diag_print(dx, null, false);
    vm_free(vm);
    arena_free(&arena);
    intern_free(names);
    diags_free(dx);
    sources_free(sources);
    return 0;
}
