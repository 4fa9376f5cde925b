// SPDX-License-Identifier: MIT
/* The Python files of lib/, compiled in as text by lib/embed.py. */
#include "python/library.h"

#include <string.h>

#include "base/ensure.h"
#include "python/compile.h"
#include "python/library_text.h"
#include "python/vm_state.h"

const char *library_find(const char *name)
{
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (!strcmp(library[i].name, name))
            return library[i].text;
    return NULL;
}

bool library_run(struct vm *vm, value module, const char *name)
{
    value shown = str_printf(vm, "<%s>", name);
    const char *text = library_find(name);
    ensure(text);
    struct node *tree = parse_python(vm, str_text(shown), text, strlen(text), false);
    return tree ? vm_run(vm, tree, module_globals(module)) : raise_complaint(vm);
}
