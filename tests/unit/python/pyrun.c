// SPDX-License-Identifier: MIT
/* pyrun FILE.py: runs a plain Python file in the evaluator, for comparing it with python3. An
 * exception that nobody catches is printed to stderr; exit status 1. */
#include <stdio.h>
#include <stdlib.h>

#include "base/fs.h"
#include "modules/modules.h"
#include "python/vm.h"
#include "syntax/parse.h"

static int run(struct vm *vm, struct arena *in, struct diags *dx, const char *path)
{
    size_t len;
    char *text = fs_read(in, path, &len);
    if (!text) {
        perror(path);
        return 1;
    }
    int source = source_add(diags_sources(dx), path, text, len);
    struct node *tree = parse_source(in, vm_names(vm), dx, source,
                                     &(struct parse_options){.python = true});
    bool fine = tree && (vm_run(vm, tree, vm_globals_new(vm, "__main__")) || vm_report(vm));
    vm_wait_threads(vm);
    vm_call_exits(vm);
    fflush(stdout);
    diag_print(dx, stderr, false);
    return !fine;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: pyrun FILE.py\n");
        return 2;
    }
    struct arena arena = {0};
    struct intern *names = intern_new();
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct vm *vm = vm_new(
        &(struct vm_options){.names = names, .diags = dx, .modules = native_modules});
    int status = run(vm, &arena, dx, argv[1]);
    vm_free(vm);
    diags_free(dx);
    sources_free(sources);
    intern_free(names);
    arena_free(&arena);
    return status;
}
