// SPDX-License-Identifier: MIT
#include "run/litter.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "base/path.h"
#include "test.h"

static const char *list_of(struct arena *in, const char *dir)
{
    return part_beside(in, path_join(in, dir, ".snakemake/litter/list"));
}

/* What a process leaves that is killed: the last of its notes was being written, and one is not as
 * notes are. */
static bool leave(const char *dir)
{
    struct arena in = {0};
    char cut[256];
    fs_mkdirs("shadow/tmp1");
    fs_write("shadow/tmp1/x", "x", 1);
    litter_note(dir, "shadow/tmp1");
    litter_note(dir, path_join(&in, dir, "half"));
    litter_note(NULL, "wanted");
    int fd = open(list_of(&in, dir), O_WRONLY | O_APPEND);
    snprintf(cut, sizeof cut, "wanted%c%s/wanted", '\0', dir);
    bool good = fd >= 0 && fs_write_all(fd, cut, 7 + strlen(cut + 7));
    arena_free(&in);
    return good && !close(fd);
}

int main(void)
{
    char made[] = "/tmp/unit-litter-XXXXXX";
    struct arena in = {0};
    int status = 1;
    char *dir = mkdtemp(made) && !chdir(made) ? realpath(".", NULL) : NULL;
    if (!dir)
        return 1;
    litter_sweep(dir);
    ok(!fs_exists(".snakemake"), "nothing was noted, nothing is made");
    fs_write("half", "x", 1);
    fs_write("wanted", "x", 1);
    fs_write("in use", "x", 1);
    pid_t child = fork();
    if (!child)
        _exit(!leave(dir));
    waitpid(child, &status, 0);
    litter_note(dir, "in use");
    ok(!status && fs_exists("half") && fs_exists("shadow/tmp1/x"), "two processes note");
    litter_sweep(dir);
    ok(!fs_exists("half") && !fs_exists("shadow/tmp1"), "what the one that ended has left goes");
    ok(fs_exists("in use") && fs_exists("shadow"), "what the other uses stays");
    ok(fs_exists("wanted"), "a note without its end, or of no absolute path, is none");
    ok(fs_exists(list_of(&in, dir)), "the other may still be killed");
    litter_end(dir);
    ok(!fs_exists(".snakemake/litter") && fs_exists("in use"), "the other has removed all itself");
    fs_remove_tree(dir);
    free(dir);
    arena_free(&in);
    return done();
}
