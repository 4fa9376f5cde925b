// SPDX-License-Identifier: MIT
#include "graph/inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int rank(char c)
{
    return c == '/' ? 1 : c ? (unsigned char)c + 1 : 0;
}

/* The order of paths by their parts: what is in a directory stands right behind it. */
static bool path_before(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return rank(*a) < rank(*b);
}

/* Nearly all outputs have no other above them, and that is to be seen at little cost: those of a
 * rule mostly lie in the folder of the one before; where they do not, folders mostly end in other
 * letters than any output does. */
enum { ENDINGS = 1 << 16, FEW = 256 };

struct folder {
    const char *path;
    size_t len; /* with its slash */
};

struct below {
    struct graph *g;
    struct map first;              /* of an output that lies above others: the first of those */
    struct folder *clear;          /* by rule: has no output above it */
    uint32_t nfolders;             /* looked at; from FEW on: */
    uint64_t ending[ENDINGS / 64]; /* bits: some output ends so */
};

static uint32_t ending_of(const char *path, size_t n)
{
    uint32_t last = 0;
    if (n >= sizeof last)
        memcpy(&last, path + n - sizeof last, sizeof last);
    else
        memcpy(&last, path, n);
    return last * 2654435761u >> 16;
}

static void note_ending(struct below *of, file_id f)
{
    const char *path = file_path(of->g, f);
    uint32_t ending = ending_of(path, strlen(path));
    of->ending[ending / 64] |= 1ull << ending % 64;
}

static bool may_be_output(const struct below *of, const char *path, size_t n)
{
    uint32_t ending = ending_of(path, n);
    return of->nfolders < FEW || of->ending[ending / 64] >> ending % 64 & 1;
}

/* The output of a needed job at the first n bytes of a path; or 0. */
static file_id output_at(const struct below *of, const char *path, size_t n)
{
    const struct graph *g = of->g;
    sym_t name = may_be_output(of, path, n) ? intern_find(g->names, path, n) : 0;
    file_id f = name ? graph_find_file(g, name) : 0;
    job_id maker = f ? g->files.at[f].maker : 0;
    return maker && g->jobs.at[maker].needed ? f : 0;
}

static void each_output(struct below *of, void (*visit)(struct below *of, file_id f))
{
    struct graph *g = of->g;
    for (job_id j = 1; j < g->jobs.len; j++)
        for (uint32_t i = 0; g->jobs.at[j].needed && i < g->jobs.at[j].noutputs; i++)
            visit(of, job_outputs(g, j)[i]);
}

/* Notes for each output above this one that this is the first below it. */
static void note_below(struct below *of, file_id f)
{
    const struct graph *g = of->g;
    const char *path = file_path(g, f), *end = strrchr(path, '/');
    struct folder *clear = &of->clear[g->jobs.at[g->files.at[f].maker].rule];
    size_t len = end ? (size_t)(end - path) + 1 : 0;
    bool none = true;
    if (!end || (len == clear->len && !memcmp(path, clear->path, len)))
        return;
    if (++of->nfolders == FEW)
        each_output(of, note_ending);
    for (; end && end > path; end = memrchr(path, '/', (size_t)(end - path))) {
        file_id above = output_at(of, path, (size_t)(end - path));
        uint32_t *child = above ? map_at(&of->first, above) : NULL;
        none &= !above;
        if (child && (!*child || path_before(path, file_path(g, *child))))
            *child = f;
    }
    if (none)
        *clear = (struct folder){path, len};
}

static bool refuse_inside(struct graph *g, file_id above, file_id child)
{
    job_id outer = g->files.at[above].maker, inner = g->files.at[child].maker;
    const char *format =
        g->files.at[above].flags & FLAG_DIRECTORY
            ? "output '%s' of rule %s lies inside the directory '%s' that rule %s makes"
            : "output '%s' of rule %s needs a directory '%s', but rule %s makes that as a file";
    return complain_kind(g->workflow->diags, "ChildIOException", job_rule(g, inner)->span, format,
                         file_path(g, child), sym_text(g->names, job_rule(g, inner)->name),
                         file_path(g, above), sym_text(g->names, job_rule(g, outer)->name));
}

bool inside_check(struct graph *g)
{
    struct below *of = memory_zeroed(1, sizeof *of);
    bool good = true;
    of->g = g;
    of->clear = memory_zeroed(g->workflow->rules.len, sizeof *of->clear);
    each_output(of, note_below);
    for (file_id f = 1; good && of->first.len && f < g->files.len; f++) {
        file_id child = map_find(&of->first, f);
        if (child && g->files.at[child].maker != g->files.at[f].maker)
            good = refuse_inside(g, f, child);
    }
    map_free(&of->first);
    free(of->clear);
    free(of);
    return good;
}
