// SPDX-License-Identifier: MIT
#include "run/tidy.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "base/path.h"
#include "test.h"

static const char *const places[] = {".snakemake/scripts/x", ".snakemake/backup/x",
                                     ".snakemake/locks/x"};
enum { PLACES = sizeof places / sizeof *places };

static bool write_parts(void)
{
    struct arena in = {0};
    bool good = true;
    for (int i = 0; i < PLACES; i++) {
        const char *part = part_beside(&in, arena_printf(&in, "%s.half", places[i]));
        good &= fs_make_parent(part) && fs_write_new(part, "half", 4) &&
                fs_write(places[i], "whole", 5);
    }
    arena_free(&in);
    return good;
}

static int count_parts(void)
{
    struct arena in = {0};
    int n = 0;
    for (int i = 0; i < PLACES; i++) {
        DIR *entries = opendir(path_dirname(&in, places[i]));
        for (const struct dirent *entry; entries && (entry = fs_entry(entries));)
            n += part_is_one(entry->d_name);
        closedir(entries);
    }
    arena_free(&in);
    return n;
}

int main(void)
{
    char dir[] = "/tmp/unit-tidy-XXXXXX";
    int status = 1;
    if (!mkdtemp(dir) || chdir(dir))
        return 1;
    tidy_parts(".");
    pid_t child = fork();
    if (!child)
        _exit(!write_parts());
    waitpid(child, &status, 0);
    ok(!status && write_parts() && count_parts() == 2 * PLACES, "two processes write");
    tidy_parts(".");
    ok(count_parts() == PLACES, "what the one that ended has left goes");
    for (int i = 0; i < PLACES; i++)
        ok(fs_exists(places[i]), "%s stays", places[i]);
    fs_remove_tree(dir);
    return done();
}
