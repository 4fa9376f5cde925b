// SPDX-License-Identifier: MIT
/* replay.c: gives files to a fuzz target, one after the other, without a fuzzer: the committed
 * corpus is a test with any compiler. Directories are read, not their subdirectories. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/path.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static int replay(struct arena *in, const char *path)
{
    size_t len;
    char *bytes = fs_read(in, path, &len);
    if (!bytes)
        return 0;
    LLVMFuzzerTestOneInput((const uint8_t *)bytes, len);
    return 1;
}

static int replay_dir(struct arena *in, const char *path)
{
    DIR *dir = opendir(path);
    int n = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *name = path_join(in, path, entry->d_name);
        if (!fs_is_dir(name))
            n += replay(in, name);
    }
    if (dir)
        closedir(dir);
    return n;
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    int n = 0;
    for (int i = 1; i < argc; i++)
        n += fs_is_dir(argv[i]) ? replay_dir(&arena, argv[i]) : replay(&arena, argv[i]);
    arena_free(&arena);
    printf("%d inputs\n", n);
    return n ? 0 : 1;
}
