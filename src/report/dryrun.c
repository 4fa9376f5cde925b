// SPDX-License-Identifier: MIT
#include "report/dryrun.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/ready.h"
#include "report/jobtext.h"
#include "report/stats.h"
#include "run/temp.h"

struct dryrun {
    struct graph *g;
    struct log *log;
    struct ready ready;
    struct temps temps;
    struct job_text text;
    bool notemp;
    /* by rule: what the body of one of its jobs will be given has been evaluated; owned */
    bool *tried;
    bool drafts;
};

static void would_remove(void *user, file_id file)
{
    struct dryrun *dry = user;
    if (!log_wants(dry->log, QUIET_RULES))
        return;
    struct buf shown = {0};
    job_file_shown(dry->g, file_path(dry->g, file), &shown);
    log_say(dry->log, LOG_INFO, "Would remove temporary output %s", buf_text(&shown));
    buf_free(&shown);
}

static bool show_job(struct dryrun *dry, job_id id)
{
    if (!log_wants(dry->log, QUIET_RULES))
        return true;
    rule_id rule = dry->g->jobs.at[id].rule;
    bool drafted = dry->drafts && job_rule(dry->g, id)->body == BODY_NOTEBOOK;
    dry->text.with_trial = !dry->tried[rule] && !drafted;
    dry->tried[rule] = true;
    if (!job_text_make(&dry->text, id))
        return false;
    job_text_log(&dry->text, job_rule(dry->g, id), dry->log);
    return true;
}

static bool show_jobs(struct dryrun *dry)
{
    bool good = true;
    for (uint32_t i = 0; good && i < dry->ready.queue.len; i++) {
        job_id id = dry->ready.queue.at[i];
        good = show_job(dry, id);
        dry->g->jobs.at[id].done = true;
        if (!dry->notemp)
            temps_done(&dry->temps, id);
    }
    for (uint32_t i = 0; i < dry->ready.queue.len; i++)
        dry->g->jobs.at[dry->ready.queue.at[i]].done = false;
    return good;
}

static void show_stats(struct dryrun *dry)
{
    struct buf text = {0};
    if (!log_wants(dry->log, QUIET_PROGRESS))
        return;
    stats_text(&dry->ready, &text);
    log_text(dry->log, LOG_INFO, buf_text(&text), text.len);
    buf_free(&text);
}

static void show_provenance(struct dryrun *dry)
{
    struct buf rules = {0};
    provenance_rules_text(dry->g, &rules);
    if (rules.len) {
        log_say(
            dry->log, LOG_INFO,
            "Some jobs were triggered by provenance information, see 'reason' section in the "
            "rule displays above.\n"
            "If you prefer that only modification time is used to determine whether a job "
            "shall be executed, use the command line option '--rerun-triggers mtime' (also see "
            "--help).\n"
            "If you are sure that a change for a certain output file (say, <outfile>) won't "
            "change the result (e.g. because you just changed the formatting of a script or "
            "environment definition), you can also wipe its metadata to skip such a trigger via "
            "'kintsugi-flow run --cleanup-metadata <outfile>'.");
        log_say(dry->log, LOG_INFO, "Rules with provenance triggered jobs: %s\n", buf_text(&rules));
    }
    buf_free(&rules);
}

void dryrun_unrecorded(const struct graph *g, struct log *log)
{
    struct buf rules = {0};
    uint32_t n = unrecorded_text(g, &rules);
    if (n)
        log_say(log, LOG_INFO,
                "Of %u job%s it is not recorded how the outputs were made: changed code, params or "
                "software will not make %s run again.\nRules with missing metadata: %s",
                n, n == 1 ? "" : "s", n == 1 ? "it" : "them", buf_text(&rules));
    buf_free(&rules);
}

static void show_end(struct dryrun *dry)
{
    struct buf text = {0};
    show_stats(dry);
    if (log_wants(dry->log, QUIET_REASON)) {
        reasons_text(dry->g, &text);
        log_text(dry->log, LOG_INFO, buf_text(&text), text.len);
        show_provenance(dry);
        dryrun_unrecorded(dry->g, dry->log);
    }
    log_say(
        dry->log, LOG_INFO,
        "This was a dry-run (flag -n). The order of jobs does not reflect the order of execution.");
    if (dry->g->waiting.len)
        log_say(dry->log, LOG_INFO,
                "The run involves checkpoint jobs, which will result in alteration of the DAG of "
                "jobs (e.g. adding more jobs) after their completion.");
    buf_free(&text);
}

bool dryrun_print(struct graph *g, struct log *log, const struct dryrun_options *options)
{
    struct dryrun dry = {.g = g,
                         .log = log,
                         .notemp = options->notemp,
                         .drafts = options->drafts,
                         .tried = memory_zeroed(g->workflow->rules.len + 1, sizeof *dry.tried)};
    dry.text = (struct job_text){.g = g,
                                 .dry_run = true,
                                 .with_reason = log_wants(log, QUIET_REASON),
                                 .with_shell = options->shell,
                                 .cores = options->cores};
    ready_walk(&dry.ready, g, job_must_run);
    show_stats(&dry);
    temps_start(&dry.temps, g, would_remove, &dry);
    bool good = show_jobs(&dry);
    if (good)
        show_end(&dry);
    ready_end(&dry.ready);
    temps_end(&dry.temps);
    job_text_free(&dry.text);
    free(dry.tried);
    return good;
}
