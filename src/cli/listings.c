// SPDX-License-Identifier: MIT
#include "cli/listings.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/visible.h"
#include "base/words.h"
#include "graph/provenance.h"

uint16_t list_changes_reason(struct session *s)
{
    const char *word = option_word(&s->options, OPT_LIST_CHANGES, "");
    return !strcmp(word, "code")    ? REASON_CODE
           : !strcmp(word, "input") ? REASON_INPUT_SET
                                    : REASON_PARAMS;
}

static void put_path(const char *path)
{
    put_visible(stdout, path, strlen(path));
    putchar('\n');
}

int list_changes(struct session *s, uint16_t reason)
{
    struct graph *g = s->graph;
    struct fresh_options all = s->fresh;
    all.triggers = TRIGGER_ALL;
    struct provenance *records = provenance_open(g, &all);
    for (job_id j = 1; records && j < g->jobs.len; j++) {
        if (!g->jobs.at[j].needed || !(provenance_compare(records, j) & reason))
            continue;
        for (uint32_t i = 0; i < g->jobs.at[j].noutputs; i++) {
            file_id output = job_outputs(g, j)[i];
            if (g->files.at[output].mtime != MTIME_ABSENT) /* as a removed temporary one is */
                put_path(file_path(g, output));
        }
    }
    bool good = !records || !provenance_failed(records);
    provenance_close(records);
    return good ? EXIT_OK : EXIT_BAD;
}

/* ---- untracked ---- */

struct untracked {
    struct session *s;
    VEC(bool) used; /* of the files of the graph: a job reads or writes it */
    VEC(const char *) paths;
};

static void use_file(struct untracked *u, file_id file)
{
    while (u->used.len <= file)
        vec_push(&u->used, false);
    u->used.at[file] = true;
}

static bool is_used(const struct untracked *u, const char *path)
{
    sym_t name = intern_find(u->s->names, path, strlen(path));
    file_id file = name ? graph_find_file(u->s->graph, name) : 0;
    return file && file < u->used.len && u->used.at[file];
}

static bool visit(void *user, const char *path, bool is_dir)
{
    struct untracked *u = user;
    struct session *s = u->s;
    if (*path_basename(path) == '.')
        return false;
    if (!is_dir && !is_used(u, path) &&
        !is_used(u, path_join(&s->arena, s->workflow->workdir, path)) &&
        !fs_is_dir(path)) /* as a link to a directory is */
        vec_push(&u->paths, arena_str(&s->arena, path));
    return true;
}

/* Files that the graph knows of jobs which are left out are not used; logs, which it does not know,
 * are. */
static void use_files(struct untracked *u, job_id j, struct arena *scratch)
{
    struct graph *g = u->s->graph;
    struct input_walk walk = input_walk(g, j);
    for (file_id f; (f = input_next(g, &walk));)
        use_file(u, f);
    for (uint32_t i = 0; i < g->jobs.at[j].noutputs; i++)
        use_file(u, job_outputs(g, j)[i]);
    struct job_eval eval = job_eval_of(g, j, scratch);
    if (job_rule(g, j)->log.len)
        eval_output(&eval);
    for (uint32_t i = 0; i < eval.log.len; i++)
        use_file(u, graph_file(g, eval.log.at[i].path));
    job_eval_free(&eval);
}

int list_untracked(struct session *s)
{
    struct untracked u = {.s = s};
    struct arena scratch = {0};
    for (job_id j = 1; j < s->graph->jobs.len; j++)
        if (s->graph->jobs.at[j].needed) {
            use_files(&u, j, &scratch);
            arena_reset(&scratch);
        }
    arena_free(&scratch);
    struct fs_unread unread;
    bool good = fs_walk(".", false, visit, &u, &unread);
    if (u.paths.len)
        qsort(u.paths.at, u.paths.len, sizeof *u.paths.at, word_order);
    for (uint32_t i = 0; i < u.paths.len; i++)
        put_path(u.paths.at[i]);
    vec_free(&u.paths);
    vec_free(&u.used);
    if (unread.n)
        warn(s->diags, (struct span){0}, "there may be more: %s",
             fs_unread_text(&unread, s->workflow->workdir, &s->arena));
    return good ? EXIT_OK : EXIT_BAD;
}
