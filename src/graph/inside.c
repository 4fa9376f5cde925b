// SPDX-License-Identifier: MIT
#include "graph/inside.h"

#include <string.h>

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

/* Notes for each output directory above the job's outputs the first output inside it. */
static void note_inside(struct graph *g, job_id id, struct map *first)
{
    for (uint32_t i = 0; i < g->jobs.at[id].noutputs; i++) {
        file_id f = job_outputs(g, id)[i];
        const char *path = file_path(g, f);
        for (size_t n = strlen(path); n--;) {
            file_id dir = path[n] == '/' ? graph_find_file(g, intern_find(g->names, path, n)) : 0;
            if (!dir || !(g->files.at[dir].flags & FLAG_DIRECTORY) || !g->files.at[dir].maker)
                continue;
            uint32_t *child = map_at(first, dir);
            if (!*child || path_before(path, file_path(g, *child)))
                *child = f;
        }
    }
}

static bool refuse_inside(struct graph *g, file_id dir, file_id child)
{
    job_id outer = g->files.at[dir].maker, inner = g->files.at[child].maker;
    return complain_kind(g->workflow->diags, "ChildIOException", job_rule(g, inner)->span,
                         "output '%s' of rule %s lies inside the directory '%s' that rule %s makes",
                         file_path(g, child), sym_text(g->names, job_rule(g, inner)->name),
                         file_path(g, dir), sym_text(g->names, job_rule(g, outer)->name));
}

static bool any_directory(const struct graph *g)
{
    for (rule_id r = 1; r < g->workflow->rules.len; r++)
        for (uint32_t i = 0; i < g->workflow->rules.at[r]->output.len; i++)
            if (g->workflow->rules.at[r]->output.at[i].flags & FLAG_DIRECTORY)
                return true;
    return false;
}

bool inside_check(struct graph *g)
{
    struct map first = {0};
    bool good = true;
    if (!any_directory(g))
        return true;
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed)
            note_inside(g, j, &first);
    for (file_id dir = 1; good && dir < g->files.len; dir++) {
        file_id child = g->files.at[dir].flags & FLAG_DIRECTORY ? map_find(&first, dir) : 0;
        if (child && g->files.at[child].maker != g->files.at[dir].maker)
            good = refuse_inside(g, dir, child);
    }
    map_free(&first);
    return good;
}
