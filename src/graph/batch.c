// SPDX-License-Identifier: MIT
#include "graph/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/memory.h"
#include "base/words.h"

bool batch_concerns(const struct graph *g, job_id job)
{
    return g->options.batch.rule && g->jobs.at[job].rule == g->options.batch.rule;
}

/* The paths sorted, each once; in malloc memory, the texts borrowed. */
static const char **sorted_paths(const struct graph *g, const struct job_files *files, uint32_t *n)
{
    const char **paths = memory_zeroed(files->len + 1, sizeof *paths);
    for (uint32_t i = 0; i < files->len; i++)
        paths[i] = sym_text(g->names, files->at[i].path);
    qsort(paths, files->len, sizeof *paths, word_order);
    *n = 0;
    for (uint32_t i = 0; i < files->len; i++)
        if (!*n || strcmp(paths[*n - 1], paths[i]))
            paths[(*n)++] = paths[i];
    return paths;
}

static bool is_last(const struct batch *batch)
{
    return batch->at == batch->of;
}

static bool keep_part(struct graph *g, struct job_files *files, const char **part, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < files->len; i++) {
        struct job_file *file = &files->at[i];
        const char *path = sym_text(g->names, file->path);
        bool inside = bsearch(&path, part, n, sizeof *part, word_order);
        if (!inside && !is_last(&g->options.batch))
            continue;
        if (!inside && !fs_exists(path))
            return complain_kind(g->workflow->diags, "WorkflowError", (struct span){0},
                                 "Unable to execute batch %u/%u because not all previous batches "
                                 "have been completed before or files have been deleted: '%s' is "
                                 "missing.",
                                 g->options.batch.at, g->options.batch.of, path);
        if (!inside)
            file->flags |= FLAG_AS_IS;
        files->at[kept++] = *file;
    }
    files->len = kept;
    return true;
}

bool batch_inputs(struct graph *g, job_id job, struct job_files *files)
{
    const struct batch *batch = &g->options.batch;
    uint32_t n;
    const char **paths = sorted_paths(g, files, &n);
    uint32_t each = n / batch->of, more = n % batch->of, k = batch->at - 1;
    uint32_t first = k * each + (k < more ? k : more);
    uint32_t end = is_last(batch) ? n : first + each + (k < more);
    bool good = n >= batch->of ||
                complain_kind(g->workflow->diags, "WorkflowError", job_rule(g, job)->span,
                              "Batching rule %s has less input files than batches. Please choose "
                              "a smaller number of batches.",
                              sym_text(g->names, job_rule(g, job)->name));
    good = good && keep_part(g, files, paths + first, end - first);
    g->batch_cut |= end - first < n;
    free(paths);
    return good;
}

rule_id batch_omitted(const struct graph *g)
{
    return is_last(&g->options.batch) ? 0 : g->options.batch.rule;
}
