// SPDX-License-Identifier: MIT
/* folder.h: a folder of files for the fuzz targets that read an imaging project; it is made once,
 * and goes when the program ends. A check that fails ends the program at once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static char dir[] = "/tmp/kin-fuzz-XXXXXX";

static void require(bool cond)
{
    if (!cond)
        abort();
}

static void remove_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    require(!system(command));
}

/* In static storage, until the next call. */
static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

/* The folder with folders in it, those further up first. */
static void make_folder(const char *const *folders, size_t n)
{
    require(mkdtemp(dir) && !atexit(remove_folder));
    for (size_t i = 0; i < n; i++)
        require(!mkdir(path_of(folders[i]), 0777));
}

/* Puts the bytes into a file of the folder; its path. */
static const char *put(const char *name, const void *bytes, size_t len)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "w");
    require(file && fwrite(bytes, 1, len, file) == len);
    fclose(file);
    return path;
}
