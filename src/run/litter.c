// SPDX-License-Identifier: MIT
#include "run/litter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "base/path.h"

static const char *folder_of(struct arena *in, const char *workdir)
{
    return path_join(in, workdir, ".snakemake/litter");
}

static const char *own_list(struct arena *in, const char *workdir)
{
    return part_beside(in, path_join(in, folder_of(in, workdir), "list"));
}

static int open_list(const char *list)
{
    return open(list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

void litter_note(const char *workdir, const char *path)
{
    struct arena in = {0};
    const char *list = workdir ? own_list(&in, workdir) : NULL;
    int fd = list ? open_list(list) : -1;
    if (fd < 0 && list && errno == ENOENT && fs_make_parent(list))
        fd = open_list(list);
    if (fd >= 0) {
        path = path_absolute(&in, workdir, path);
        (void)!write(fd, path, strlen(path) + 1); /* not to be removed is no failure */
        close(fd);
    }
    arena_free(&in);
}

void litter_end(const char *workdir)
{
    struct arena in = {0};
    if (!unlink(own_list(&in, workdir)))
        rmdir(folder_of(&in, workdir));
    arena_free(&in);
}

/* A path without its end was being written: it may name what is above. */
static void remove_listed(struct arena *in, const char *list)
{
    size_t len;
    const char *text = fs_read(in, list, &len), *end;
    for (const char *at = text; at && (end = memchr(at, '\0', len - (size_t)(at - text)));
         at = end + 1)
        if (path_is_absolute(at))
            fs_remove_tree(at);
}

/* Who may write here does not say what others remove. */
static bool is_own(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid();
}

void litter_sweep(const char *workdir)
{
    struct arena in = {0};
    const char *folder = folder_of(&in, workdir);
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = fs_entry(entries));) {
        const char *list = path_join(&in, folder, entry->d_name);
        if (!part_is_left(list) || !is_own(list))
            continue;
        remove_listed(&in, list);
        unlink(list);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
    arena_free(&in);
}
