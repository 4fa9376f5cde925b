// SPDX-License-Identifier: MIT
/* Arguments of native constructors. */
#include <string.h>

#include "python/numbers.h"
#include "python/vm.h"

static bool take_keywords(struct vm *vm, const char *function, const char *const *names,
                          int nposonly, value kwargs, value *slot)
{
    size_t pos = 0;
    value key, item;
    while (dict_next(kwargs, &pos, &key, &item)) {
        int i = nposonly;
        while (names[i] && strcmp(names[i], str_text(key)))
            i++;
        if (!names[i])
            return vm_raise(vm, "TypeError", "'%s' is an invalid keyword argument for %s()",
                            str_text(key), function);
        if (slot[i])
            return vm_raise(vm, "TypeError",
                            "argument for %s() given by name ('%s') and position (%d)", function,
                            names[i], i + 1);
        slot[i] = item;
    }
    return true;
}

bool make_args(struct vm *vm, const char *function, const char *const *names, int nposonly,
               value args, value kwargs, value *slot)
{
    size_t given, most = 0;
    const value *at = sequence_items(args, &given);
    while (names[most])
        most++;
    if (given > most)
        return vm_raise(vm, "TypeError",
                        most == 1 || nposonly == (int)most
                            ? "%s expected at most %zu argument%s, got %zu"
                            : "%s() takes at most %zu argument%s (%zu given)",
                        function, most, most == 1 ? "" : "s", given);
    for (size_t i = 0; i < most; i++)
        slot[i] = i < given ? at[i] : NO_VALUE;
    return !kwargs || !is_dict(kwargs) ||
           take_keywords(vm, function, names, nposonly, kwargs, slot);
}
