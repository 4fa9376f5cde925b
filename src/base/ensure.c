// SPDX-License-Identifier: MIT
/* ensure.c: the ways in which the program ends by itself. */
#include "base/ensure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

noreturn void ensure_failed(const char *cond, const char *file, int line)
{
    fprintf(stderr, "kintsugi-flow: this is a bug: '%s' does not hold (%s:%d)\n", cond, file, line);
    abort();
}

noreturn void out_of_memory(void)
{
    fputs("kintsugi-flow: out of memory\n", stderr);
    exit(1);
}

noreturn void out_of_means(const char *what, int error)
{
    fprintf(stderr, "kintsugi-flow: cannot %s: %s\n", what, strerror(error));
    exit(1);
}
