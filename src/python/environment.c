// SPDX-License-Identifier: MIT
#include "python/environment.h"

#include <string.h>

#include "python/bytes.h"
#include "python/str.h"

extern char **environ;

static unsigned version = 1; /* like what it is about, there is one for the process */

unsigned environment_version(void)
{
    return version;
}

void environment_changed(void)
{
    version++;
}

value environment_dict(struct vm *vm)
{
    value dict = dict_new(vm);
    for (char **at = environ; at && *at; at++) {
        const char *equals = strchr(*at, '=');
        struct buf text = {0};
        if (!equals)
            continue;
        decode_bytes(vm, equals + 1, strlen(equals + 1), ENCODING_UTF8, "surrogateescape", &text);
        dict_set(vm, dict, str_new(vm, *at, (size_t)(equals - *at)), str_take(vm, &text));
    }
    return dict;
}
