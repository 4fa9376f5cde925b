/* shared.h: real data beside the checkout, found through KINTSUGI_SHARED_DATA; tests skip without
 * it. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The path of a shared file in a buffer that the next call overwrites; NULL: there is no shared
 * data. */
static inline const char *shared_path(const char *name)
{
    static char path[4096];
    const char *root = getenv("KINTSUGI_SHARED_DATA");
    if (!root || !*root)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", root, name);
    return access(path, R_OK) ? NULL : path;
}

/* A TAP line for a check that could not be made. */
#define skip(reason) (tests_run++, printf("ok %d # SKIP %s\n", tests_run, reason))
