// SPDX-License-Identifier: MIT
// part.c: files that appear under their name when they are whole.
#include "part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void part_free(struct kin_part *part)
{
    free(part->path);
    free(part->name);
    *part = (struct kin_part){0};
}

bool kin_part_open(struct kin_part *part, const char *path, struct kin_error *err)
{
    *part = (struct kin_part){.path = strdup(path)};
    if (asprintf(&part->name, "%s.%ld.part", path, (long)getpid()) < 0)
        part->name = NULL;
    if (!part->path || !part->name)
        kin_fail(err, KIN_MEMORY, "%s: no memory to write it", path);
    else if (!(part->file = fopen(part->name, "w")))
        kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    bool good = part->file;
    if (!good)
        part_free(part);
    return good;
}

bool kin_part_close(struct kin_part *part, bool good, struct kin_error *err)
{
    good = good && !ferror(part->file) && !fflush(part->file) && !fsync(fileno(part->file));
    int why = errno;
    if (fclose(part->file) && good) {
        good = false;
        why = errno;
    }
    if (good && rename(part->name, part->path)) {
        good = false;
        why = errno;
    }
    if (!good) {
        unlink(part->name);
        kin_fail(err, KIN_IO, "%s: %s", part->path,
                 why ? strerror(why) : "it could not be written");
    }
    part_free(part);
    return good;
}

bool kin_write_text(const char *path, const char *text, struct kin_error *err)
{
    struct kin_part part;
    return kin_part_open(&part, path, err) &&
           kin_part_close(&part, fputs(text, part.file) >= 0, err);
}
