// SPDX-License-Identifier: MIT
#include "cli/choices.h"

#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"

enum { MOST = 8 };

/* What an option accepts, in the order of a sentence; also: older spellings, which are not told. */
static const struct choice {
    enum option_id id;
    const char *known[MOST], *also[3];
} choices[] = {
    {OPT_QUIET, {"progress", "rules", "host", "reason", "all"}, {0}},
    {OPT_RERUN_TRIGGERS, {"code", "input", "mtime", "params", "software-env"}, {0}},
    {OPT_STRICT_DAG, {"functions", "cyclic-graph", "periodic-wildcards"}, {0}},
    {OPT_SCHEDULER, {"greedy", "ilp"}, {0}},
    {OPT_REPORTER, {"html"}, {0}},
    {OPT_LINT, {"text", "json"}, {0}},
    {OPT_CONTAINERIZE, {"dockerfile", "apptainer"}, {0}},
    {OPT_DAG, {"dot", "mermaid-js"}, {0}},
    {OPT_RULEGRAPH, {"dot", "mermaid-js"}, {0}},
    {OPT_LIST_CHANGES, {"code", "input", "params"}, {0}},
    {OPT_SHARED_FS_USAGE,
     {"input-output", "persistence", "software-deployment", "software-deployment-cache",
      "source-cache", "sources", "storage-local-copies", "none"},
     {0}},
    {OPT_LOGGER, {"json"}, {0}},
    {OPT_PERSISTENCE_BACKEND, {"file", "db"}, {0}},
    {OPT_SDM, {"conda", "apptainer", "env-modules"}, {"singularity", "env_modules"}},
    {OPT_CONDA_FRONTEND, {"conda", "mamba"}, {"micromamba"}},
    {OPT_CONDA_CLEANUP_PKGS, {"tarballs", "cache"}, {0}},
};

static bool is_among(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && words[i]; i++)
        if (!strcmp(word, words[i]))
            return true;
    return false;
}

/* "--lint accepts text and json, not 'x'", and what was meant. */
static bool refuse(const struct choice *choice, const char *word, struct diags *dx)
{
    struct buf list = {0};
    struct nearest near = nearest_to(word);
    char name[64];
    for (size_t i = 0; i < MOST && choice->known[i]; i++) {
        bool last = i + 1 == MOST || !choice->known[i + 1];
        buf_printf(&list, "%s%s", i == 0 ? "" : last ? " and " : ", ", choice->known[i]);
        nearest_offer(&near, choice->known[i]);
    }
    option_name(choice->id, name);
    complain(dx, (struct span){0}, "%s accepts %s, not '%s'", name, buf_text(&list), word);
    if (!diag_meant(dx, near.best) && option_swallows(choice->id))
        option_hint_target(dx, choice->id, word, "...");
    buf_free(&list);
    return false;
}

/* The only two options of which one at most may be given. */
static bool check_either(const struct options *options, struct diags *dx)
{
    return !options->given[OPT_DELETE_ALL_OUTPUT] || !options->given[OPT_DELETE_TEMP_OUTPUT] ||
           complain(dx, (struct span){0},
                    "--delete-all-output and --delete-temp-output cannot be given together");
}

bool choices_check(const struct options *options, struct diags *dx)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const struct choice *choice = &choices[i];
        for (const char *const *w = option_words(options, choice->id); w && *w; w++)
            if (!is_among(*w, choice->known, MOST) && !is_among(*w, choice->also, 3))
                return refuse(choice, *w, dx);
    }
    return check_either(options, dx);
}

void choices_drop_logger(struct options *options, struct diags *dx)
{
    for (const char *const *w = option_words(options, OPT_LOGGER); w && *w; w++)
        if (strcmp(*w, "json")) {
            warn(dx, (struct span){0},
                 "there is no logger '%s' here: Snakemake's plug-ins are not read", *w);
            options->given[OPT_LOGGER] = false;
            return;
        }
}
