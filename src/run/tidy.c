// SPDX-License-Identifier: MIT
#include "run/tidy.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/part.h"
#include "base/path.h"

void tidy_parts(const char *workdir)
{
    static const char *const folders[] = {"scripts", "backup", "locks"};
    struct arena scratch = {0};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *folder = arena_printf(&scratch, "%s/.snakemake/%s", workdir, folders[i]);
        DIR *entries = opendir(folder);
        for (const struct dirent *entry; entries && (entry = fs_entry(entries));)
            if (part_is_left(entry->d_name))
                fs_remove_tree(path_join(&scratch, folder, entry->d_name));
        if (entries)
            closedir(entries);
    }
    arena_free(&scratch);
}

/* Whether a file of this run may not be there. */
static bool may_be_gone(const struct graph *g, file_id f)
{
    const struct file *file = &g->files.at[f];
    bool used = g->file_uses.start[f + 1] > g->file_uses.start[f];
    const struct job *maker = &g->jobs.at[file->maker];
    if (!used && !(file->maker && maker->needed))
        return false;
    if (file->flags & (FLAG_TEMP | FLAG_PIPE | FLAG_SERVICE))
        return true;
    return file->maker && maker->taken ? !maker->done : file->mtime < 0;
}

static void remove_empty(const char *path, size_t n)
{
    struct buf dir = {0};
    buf_add(&dir, path, n);
    while (n && !rmdir(buf_text(&dir))) {
        while (n && dir.at[n] != '/')
            n--;
        dir.at[n] = '\0';
    }
    buf_free(&dir);
}

void tidy_directories(const struct graph *g)
{
    struct map seen = {0};
    for (file_id f = 1; f < g->files.len; f++) {
        const char *path = file_path(g, f), *slash = strrchr(path, '/');
        if (!slash || slash == path || !may_be_gone(g, f))
            continue;
        uint32_t *done = map_at(&seen, intern(g->names, path, (size_t)(slash - path)));
        if (!*done)
            remove_empty(path, (size_t)(slash - path));
        *done = 1;
    }
    map_free(&seen);
}
