// SPDX-License-Identifier: MIT
/* decode.c: what reading and decoding tiles alone takes, on all cores, for comparison with
 * stitching them:
 *
 *     decode FOLDER      all of its .tif files; prints seconds */
#include "core/each.h"
#include "kintsugi.h"

#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct folder {
    const char *path;
    struct dirent **entries;
};

static int is_tiff(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && !strcmp(entry->d_name + length - 4, ".tif");
}

static bool decode(void *user, int i, struct kin_error *why)
{
    const struct folder *folder = user;
    struct kin_image image;
    char path[4500];
    snprintf(path, sizeof path, "%.4000s/%s", folder->path, folder->entries[i]->d_name);
    if (!kin_tiff_read(path, &image, why))
        return false;
    kin_image_free(&image);
    return true;
}

int main(int argc, char **argv)
{
    struct folder folder = {.path = argc == 2 ? argv[1] : ""};
    struct kin_error why = {0};
    int count = scandir(folder.path, &folder.entries, is_tiff, alphasort);
    if (count < 1) {
        fprintf(stderr, "decode: %s: no .tif files\n", folder.path);
        return 1;
    }
    double start = omp_get_wtime();
    bool good = kin_each(count, omp_get_max_threads(), decode, &folder, &why);
    if (good)
        printf("%.3f\n", omp_get_wtime() - start);
    else
        fprintf(stderr, "decode: %s\n", why.text);
    for (int i = 0; i < count; i++)
        free(folder.entries[i]);
    free(folder.entries);
    return !good;
}
