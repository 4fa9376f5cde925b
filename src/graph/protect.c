// SPDX-License-Identifier: MIT
#include "graph/protect.h"

#include "base/fs.h"

static bool refuse(struct graph *g, job_id id, const char *files)
{
    return complain_kind(g->workflow->diags, "ProtectedOutputException", job_rule(g, id)->span,
                         "Write-protected output files for rule %s: %s",
                         sym_text(g->names, job_rule(g, id)->name), files);
}

bool protect_forbids(struct state *state, sym_t output, const char *path)
{
    if (!fs_is_protected(path))
        return false;
    const struct output_record *record = state ? state_find(state, output) : NULL;
    return !record || !record->incomplete;
}

static bool check_job(struct graph *g, job_id id, struct state *state)
{
    struct buf files = {0};
    for (uint32_t i = 0; i < g->jobs.at[id].noutputs; i++) {
        file_id f = job_outputs(g, id)[i];
        if (g->files.at[f].mtime >= 0 &&
            protect_forbids(state, g->files.at[f].path, file_path(g, f)))
            buf_printf(&files, "%s'%s'", files.len ? ", " : "", file_path(g, f));
    }
    bool good = !files.len || refuse(g, id, buf_text(&files));
    buf_free(&files);
    return good;
}

bool protect_check(struct graph *g, struct state *state)
{
    bool good = true;
    for (job_id j = 1; good && j < g->jobs.len; j++)
        if (g->jobs.at[j].needed && g->jobs.at[j].must_run)
            good = check_job(g, j, state);
    if (!good)
        diag_hint(g->workflow->diags, "remove them or make them writable to have them made again");
    return good;
}
