// SPDX-License-Identifier: MIT
/* eval.c: runs one Python file in the evaluator, without a workflow around it: `lang-eval FILE`.
 * Exit status 1 after an error, or what sys.exit() says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "modules/modules.h"
#include "python/vm.h"
#include "syntax/parse.h"

/* The status of a SystemExit in flight, which is taken; -1: something else is in flight. */
static int exit_status(struct vm *vm)
{
    if (!vm_failed_with(vm, "SystemExit"))
        return -1;
    const char *text = exception_text(vm, vm_take_error(vm)), *code = strchr(text, ' ');
    return code ? atoi(code) : 0;
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    size_t len;
    char *text = argc == 2 ? fs_read(&arena, argv[1], &len) : NULL;
    if (!text) {
        fprintf(stderr, "usage: lang-eval FILE\n");
        return 2;
    }
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct intern *names = intern_new();
    struct vm *vm = vm_new(
        &(struct vm_options){.names = names, .diags = dx, .modules = native_modules});
    int source = source_add(sources, argv[1], text, len), status = 0;
    struct node *tree = parse_source(&arena, names, dx, source,
                                     &(struct parse_options){.python = true});
    if (!tree) {
        status = 1;
    } else if (!vm_run(vm, tree, vm_globals_new(vm, "__main__"))) {
        status = exit_status(vm);
        if (status < 0)
            status = !vm_report(vm);
    }
    vm_wait_threads(vm);
    vm_call_exits(vm);
    fflush(stdout);
    diag_print(dx, stderr, false);
    vm_free(vm);
    intern_free(names);
    diags_free(dx);
    sources_free(sources);
    arena_free(&arena);
    return status;
}
