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
    struct room { // of a thread
        void *pixels;
        size_t bytes;
    } * rooms;
};

static int is_tiff(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && !strcmp(entry->d_name + length - 4, ".tif");
}

// Into memory that the thread has had before: that the system clears new memory takes longer than
// to read a file without compression.
static bool decode(void *user, int i, struct kin_error *why)
{
    const struct folder *folder = user;
    struct room *room = &folder->rooms[omp_get_thread_num()];
    struct kin_tiff_info info;
    char path[4500];
    snprintf(path, sizeof path, "%.4000s/%s", folder->path, folder->entries[i]->d_name);
    struct kin_tiff *file = kin_tiff_open(path, &info, why);
    size_t bytes = file ? kin_count(info.dims) * kin_type_size(info.type) : 0;
    if (bytes > room->bytes) {
        free(room->pixels);
        *room = (struct room){malloc(bytes), bytes};
    }
    bool good = file && (room->pixels || kin_fail(why, KIN_MEMORY, "no memory for a tile"));
    for (int z = 0; good && z < info.dims.z; z++)
        good = kin_tiff_rows(file, z, 0, info.dims.y, room->pixels, why);
    kin_tiff_close(file);
    return good;
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
    int threads = omp_get_max_threads();
    folder.rooms = calloc((size_t)threads, sizeof *folder.rooms);
    double start = omp_get_wtime();
    bool good = folder.rooms ? kin_each(count, threads, decode, &folder, &why)
                             : kin_fail(&why, KIN_MEMORY, "no memory");
    if (good)
        printf("%.3f\n", omp_get_wtime() - start);
    else
        fprintf(stderr, "decode: %s\n", why.text);
    for (int i = 0; i < count; i++)
        free(folder.entries[i]);
    for (int t = 0; folder.rooms && t < threads; t++)
        free(folder.rooms[t].pixels);
    free(folder.rooms);
    free(folder.entries);
    return !good;
}
