/* flowtest.h: a workflow from a text, in a directory of its own that is gone afterwards. */
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include "test.h"

#include "base/buf.h"
#include "base/fs.h"
#include "flow/jobeval.h"
#include "flow/workflow.h"

struct flowtest {
    char dir[64];
    struct arena arena;
    struct intern *names;
    struct sources *sources;
    struct diags *dx;
    struct workflow_options options;
    struct workflow *w;
    const char *error; /* what was told when loading failed */
};

/* Makes an empty directory and goes there. */
static inline struct flowtest flowtest_open(void)
{
    struct flowtest t = {.names = intern_new(), .sources = sources_new()};
    t.dx = diags_new(t.sources);
    t.options.snakefile = "Snakefile";
    strcpy(t.dir, "/tmp/flowtest.XXXXXX");
    if (!mkdtemp(t.dir) || chdir(t.dir) != 0)
        abort();
    return t;
}

static inline void flowtest_write(const char *path, const char *text)
{
    fs_make_parent(path);
    if (!fs_write(path, text, strlen(text)))
        abort();
}

/* Reads the text as Snakefile; w is NULL and error the headline if that failed. */
static inline struct workflow *flowtest_load(struct flowtest *t, const char *snakefile)
{
    flowtest_write("Snakefile", snakefile);
    t->w = workflow_load(t->names, t->dx, &t->options);
    t->error = t->w ? "" : arena_str(&t->arena, diag_last(t->dx));
    if (!t->w && getenv("FLOWTEST_SHOW"))
        diag_print(t->dx, stdout, false);
    return t->w;
}

static inline void flowtest_unload(struct flowtest *t)
{
    workflow_free(t->w);
    t->w = NULL;
}

static inline void flowtest_close(struct flowtest *t)
{
    flowtest_unload(t);
    diags_free(t->dx);
    sources_free(t->sources);
    intern_free(t->names);
    arena_free(&t->arena);
    if (chdir("/") == 0)
        fs_remove_tree(t->dir);
}

/* A job of the rule with values "a,b" for its wildcards; its input is evaluated into *input. */
static inline struct job_eval flowtest_job(struct flowtest *t, const char *rule, const char *values,
                                           struct job_files *input, enum eval_result *result)
{
    struct job_eval eval = {.workflow = t->w, .scratch = &t->arena, .attempt = 1};
    sym_t *wildcards = arena_array(&t->arena, sym_t, 8);
    eval.rule = workflow_rule(t->w, rule);
    for (int i = 0; values && *values; i++) {
        size_t len = strcspn(values, ",");
        wildcards[i] = intern(t->names, values, len);
        values += len + (values[len] == ',');
    }
    eval.wildcards = wildcards;
    *result = eval.rule ? eval_input(&eval, input) : EVAL_FAILED;
    eval.input = input->at;
    eval.ninput = input->len;
    return eval;
}

/* "a=x b=[y" : paths with their names; [ for those of a list, ! and letters for flags. */
static inline const char *flowtest_files(struct flowtest *t, const struct job_files *files)
{
    struct buf out = {0};
    for (uint32_t i = 0; i < files->len; i++) {
        const struct job_file *file = &files->at[i];
        buf_printf(&out, "%s%s%s%s%s", i ? " " : "",
                   file->name ? sym_text(t->names, file->name) : "", file->name ? "=" : "",
                   file->in_list ? "[" : "", sym_text(t->names, file->path));
    }
    const char *text = arena_copy(&t->arena, buf_text(&out), out.len);
    buf_free(&out);
    return text;
}
