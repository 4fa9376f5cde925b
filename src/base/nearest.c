// SPDX-License-Identifier: MIT
#include "base/nearest.h"

#include <dirent.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"

enum { LONGEST = 255 };

/* Letters to change, add or drop to make a from b; more than limit is given as limit + 1. */
static size_t edit_distance(const char *a, const char *b, size_t limit)
{
    size_t la = strlen(a), lb = strlen(b), row[LONGEST + 1];
    if (la > LONGEST || lb > LONGEST || (la > lb ? la - lb : lb - la) > limit)
        return limit + 1;
    for (size_t k = 0; k <= lb; k++)
        row[k] = k;
    for (size_t i = 1; i <= la; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= lb; k++) {
            size_t change = corner + (a[i - 1] != b[k - 1]);
            size_t least = row[k] < row[k - 1] ? row[k] : row[k - 1];
            corner = row[k];
            row[k] = change < least + 1 ? change : least + 1;
        }
    }
    return row[lb];
}

static const char *undashed(const char *name)
{
    return name + strspn(name, "-");
}

struct nearest nearest_to(const char *wanted)
{
    wanted = undashed(wanted);
    size_t len = strlen(wanted);
    /* one letter is like any other, and with half of them changed so is a word */
    return (struct nearest){.wanted = wanted, .limit = len > 5 ? len / 3 : len > 3 ? 2 : len / 2};
}

bool nearest_offer(struct nearest *near, const char *name)
{
    size_t d = edit_distance(near->wanted, undashed(name), near->limit);
    if (!d || d > near->limit || (near->best && d == near->limit))
        return false;
    near->limit = d;
    near->best = name;
    return true;
}

const char *nearest_file(struct arena *in, const char *path)
{
    const char *dir = path_dirname(in, path), *best = NULL;
    struct nearest near = nearest_to(path_basename(path));
    DIR *handle = opendir(*dir ? dir : ".");
    for (struct dirent *entry; handle && (entry = readdir(handle));)
        if (entry->d_name[0] != '.' && nearest_offer(&near, entry->d_name))
            best = near.best = path_join(in, dir, entry->d_name);
    if (handle)
        closedir(handle);
    return best;
}
