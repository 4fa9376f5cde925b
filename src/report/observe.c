// SPDX-License-Identifier: MIT
#include "report/observe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"

static void on_selected(void *user, uint32_t n)
{
    struct observe *o = user;
    if (!log_wants(o->log, QUIET_PROGRESS))
        return;
    log_say(o->log, LOG_INFO, "Select jobs to execute...");
    log_say(o->log, LOG_INFO, "Execute %u jobs...", n);
}

/* ---- JSON ---- */

static void json_text(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, ", \"%s\": ", key);
    buf_json_text(out, text);
}

static void json_files(const struct intern *names, const char *key, const struct job_file *files,
                       uint32_t n, struct buf *out)
{
    buf_printf(out, ", \"%s\": [", key);
    for (uint32_t i = 0; i < n; i++) {
        buf_str(out, i ? ", " : "");
        buf_json_text(out, sym_text(names, files[i].path));
    }
    buf_char(out, ']');
}

static void json_job(struct observe *o, const struct task *task, struct buf *out)
{
    buf_printf(out, ", \"jobid\": %u", o->g->jobs.at[task->job].number);
    json_text(out, "rule", sym_text(o->g->names, task->eval.rule->name));
}

static void json_started(struct observe *o, const struct task *task)
{
    const struct intern *names = o->g->names;
    const struct job_eval *eval = &task->eval;
    struct buf *out = log_event(o->log, "job_started"), reason = {0};
    struct arena in = {0};
    json_job(o, task, out);
    buf_str(out, ", \"wildcards\": {");
    for (uint32_t i = 0; i < eval->rule->wildcards.n; i++) {
        const char *name = sym_text(names, eval->rule->wildcards.name[i]);
        buf_printf(out, "%s\"%s\": ", i ? ", " : "", name);
        buf_json_text(out, sym_text(names, eval->wildcards[i]));
    }
    buf_char(out, '}');
    json_files(names, "input", eval->input, eval->ninput, out);
    json_files(names, "output", eval->output.at, eval->output.len, out);
    json_files(names, "log", eval->log.at, eval->log.len, out);
    job_reason_text(o->g, task->job, &in, &reason);
    json_text(out, "reason", buf_text(&reason));
    buf_printf(out, ", \"threads\": %d, \"attempt\": %d", eval->threads, task->attempt);
    if (task->command)
        json_text(out, "shellcmd", task->command);
    log_event_end(o->log);
    buf_free(&reason);
    arena_free(&in);
}

static void json_submitted(struct observe *o, const struct task *task, const char *id,
                           const char *log)
{
    struct buf *out = log_event(o->log, "job_submitted");
    json_job(o, task, out);
    json_text(out, "external_jobid", id);
    if (log)
        json_text(out, "external_log", log);
    log_event_end(o->log);
}

static void json_finished(struct observe *o, const struct task *task, uint32_t done, uint32_t total)
{
    struct buf *out = log_event(o->log, "job_finished");
    json_job(o, task, out);
    log_event_end(o->log);
    out = log_event(o->log, "progress");
    buf_printf(out, ", \"done\": %u, \"total\": %u", done, total);
    log_event_end(o->log);
}

static void json_failed(struct observe *o, const struct run_failure *failure)
{
    struct buf *out = log_event(o->log, "job_error");
    json_job(o, failure->task, out);
    json_text(out, "msg", failure->why);
    buf_printf(out, ", \"status\": %d, \"final\": %s", failure->task->end.status,
               failure->final ? "true" : "false");
    log_event_end(o->log);
}

/* ---- text ---- */

static void on_started(void *user, struct task *task)
{
    struct observe *o = user;
    if (o->log->json)
        json_started(o, task);
    if (!log_wants(o->log, QUIET_RULES))
        return;
    o->text.dry_run = task->submitted; /* "rule a:", not "localrule a:" */
    if (!job_text_of(&o->text, task->job, &task->eval))
        return;
    job_text_log(&o->text, task->eval.rule, o->log);
}

static void on_submitted(void *user, const struct task *task, const char *id, const char *log)
{
    struct observe *o = user;
    struct buf line = {0};
    for (uint32_t i = 0; o->log->json && i < task_parts(task); i++)
        json_submitted(o, task_part(task, i), id, log);
    if (!log_wants(o->log, QUIET_RULES))
        return;
    buf_str(&line, task->nparts > 1 ? "Submitted jobs " : "Submitted job ");
    for (uint32_t i = 0; i < task_parts(task); i++)
        buf_printf(&line, "%s%u", i ? ", " : "", o->g->jobs.at[task_part(task, i)->job].number);
    buf_printf(&line, " with external jobid '%s'", id);
    if (log)
        buf_printf(&line, " (log: %s)", log);
    buf_char(&line, '.');
    log_text(o->log, LOG_INFO, buf_text(&line), line.len);
    buf_free(&line);
}

/* As many digits as it takes to be neither 0% nor 100% before its time. */
static void percent_text(uint32_t done, uint32_t total, char out[32])
{
    if (done >= total) {
        snprintf(out, 32, "100%%");
        return;
    }
    for (int digits = 0; digits < 12; digits++) {
        snprintf(out, 32, "%.*f%%", digits, 100.0 * done / total);
        if (!done || (strtod(out, NULL) > 0 && strtod(out, NULL) < 100))
            return;
    }
}

static void on_finished(void *user, const struct task *task, uint32_t done, uint32_t total)
{
    struct observe *o = user;
    if (o->log->json)
        json_finished(o, task, done, total);
    if (!log_wants(o->log, QUIET_PROGRESS))
        return;
    log_stamp(o->log);
    log_say(o->log, LOG_JOB, "Finished jobid: %u (Rule: %s)", o->g->jobs.at[task->job].number,
            sym_text(o->g->names, task->eval.rule->name));
    char share[32];
    percent_text(done, total, share);
    log_say(o->log, LOG_INFO, "%u of %u steps (%s) done", done, total, share);
}

void observe_removed(const struct graph *g, struct log *log, const char *path, const char *why)
{
    struct buf shown = {0};
    job_file_shown(g, path, &shown);
    const char *name = buf_text(&shown);
    if (why)
        log_say(log, LOG_ERROR, "warning: temporary output %s is still there: %s", name, why);
    else if (log_wants(log, QUIET_RULES))
        log_say(log, LOG_INFO, "Removing temporary output %s.", name);
    buf_free(&shown);
}

static void on_removed(void *user, const char *path, const char *why)
{
    struct observe *o = user;
    observe_removed(o->g, o->log, path, why);
}

/* The logs of the rule, and what a cluster kept of the job's words. */
static void add_logs(const struct graph *g, const struct task *task, struct buf *out)
{
    const struct job_files *log = &task->eval.log;
    job_files_line(g, "log", log->at, log->len, out);
    if (task->end.log)
        buf_printf(out, "%s%s", log->len ? ", " : "\n    log: ", task->end.log);
    if (task->end.log || log->len)
        buf_str(out, " (check log file(s) for error details)");
}

static void add_log_file(const char *path, struct buf *out)
{
    struct arena in = {0};
    enum { SHOWN = 8000 };
    size_t len;
    const char *text = fs_read(&in, path, &len);
    if (text && len)
        buf_printf(out, "\n    contents of %s:\n", path),
            buf_indented(out, "        ", len > SHOWN ? text + len - SHOWN : text);
    arena_free(&in);
}

static struct buf *fresh_line(struct buf *out)
{
    if (out->len && out->at[out->len - 1] != '\n')
        buf_char(out, '\n');
    return out;
}

/* What was run, and where it is written. */
static void add_body(const struct observe *o, const struct task *task, struct buf *out)
{
    struct place place;
    if (source_place(o->g->workflow->sources, task->eval.rule->span.at, &place))
        buf_printf(out, "\n    rule at: %s:%d", place.name, place.line);
    if (task->source)
        buf_printf(out, "\n    script: %s", task->source);
    if (task->command) {
        buf_str(out, "\n    shell:\n");
        buf_indented(out, "        ", task->command);
    }
}

/* What bash means by a status that no command gave. */
static void add_status(const struct task *task, struct buf *out)
{
    int status = task->end.status, signal = status - 128;
    buf_printf(out, "        (command exited with non-zero exit code %d", status);
    if (task->command && status == 126)
        buf_str(out, ": a command cannot be executed");
    else if (task->command && status == 127)
        buf_str(out, ": a command was not found");
    else if (task->command && signal == SIGPIPE)
        buf_str(out, ": a command wrote into a pipe whose reader had ended, which is a failure in "
                     "bash's strict mode");
    else if (task->command && signal > 0 && signal < 32)
        buf_printf(out, ": a command was ended by signal %d: %s", signal, strsignal(signal));
    buf_char(out, ')');
}

/* "Error in rule a:" and all that helps to find out why. */
static void error_block(struct observe *o, const struct run_failure *failure, struct buf *out)
{
    const struct task *task = failure->task;
    const struct job_eval *eval = &task->eval;
    const struct intern *names = o->g->names;
    buf_printf(out, "Error in rule %s:", sym_text(names, eval->rule->name));
    if (*failure->why)
        buf_printf(out, "\n    message: %s", failure->why);
    buf_printf(out, "\n    jobid: %u", o->g->jobs.at[task->job].number);
    job_files_line(o->g, "input", eval->input, eval->ninput, out);
    job_files_line(o->g, "output", eval->output.at, eval->output.len, out);
    add_logs(o->g, task, out);
    add_body(o, task, out);
    if (task->end.signal)
        buf_printf(fresh_line(out), "        (ended by signal %d: %s)", task->end.signal,
                   strsignal(task->end.signal));
    else if (task->end.status > 0 && (!*failure->why || task->end.external_id)) /* it was run */
        add_status(task, fresh_line(out));
    if (task->end.external_id)
        buf_printf(fresh_line(out), "    external_jobid: %s", task->end.external_id);
    for (uint32_t i = 0; o->show_failed_logs && i < eval->log.len; i++)
        add_log_file(sym_text(names, eval->log.at[i].path), out);
    if (o->show_failed_logs && task->end.log)
        add_log_file(task->end.log, out);
}

static void on_failed(void *user, const struct run_failure *failure)
{
    struct observe *o = user;
    struct buf block = {0};
    if (o->log->json)
        json_failed(o, failure);
    error_block(o, failure, &block);
    log_stamp(o->log);
    log_text(o->log, LOG_ERROR, buf_text(&block), block.len);
    if (failure->task->removed.len)
        log_say(o->log, LOG_INFO,
                "Removed output files of the failed job, which might be corrupted: %s",
                buf_text(&failure->task->removed));
    if (!failure->final)
        log_say(o->log, LOG_INFO, "Trying to restart job %u.",
                o->g->jobs.at[failure->task->job].number);
    buf_free(&block);
}

static void on_stopping(void *user, int signum)
{
    struct observe *o = user;
    if (signum)
        log_say(o->log, LOG_ERROR,
                "%s: stopping; running jobs are cancelled. Once more kills them.",
                strsignal(signum));
    else
        log_say(o->log, LOG_ERROR, "Shutting down, this might take some time.");
}

static void on_note(void *user, const char *text)
{
    struct observe *o = user;
    log_text(o->log, LOG_INFO, text, strlen(text));
    log_flush(o->log);
}

static void duration(double seconds, char out[32])
{
    int s = (int)(seconds + 0.5);
    if (s >= 3600)
        snprintf(out, 32, "%dh %02dm", s / 3600, s / 60 % 60);
    else
        snprintf(out, 32, "%dm %02ds", s / 60, s % 60);
}

/* One line at the bottom of a terminal: jobs done, running, and the time left if all take as long
 * as those so far. */
static bool on_turn(void *user, uint32_t running, uint32_t done, uint32_t total)
{
    struct observe *o = user;
    char line[160] = "", left[32] = "", gone[32];
    double seconds = (double)(clock_ns() - o->start_ns) * 1e-9;
    if (!log_flush(o->log))
        return true;
    if (o->log->terminal && log_wants(o->log, QUIET_PROGRESS) && done < total) {
        duration(seconds, gone);
        if (done)
            duration(seconds / done * (total - done), left);
        snprintf(line, sizeof line, "%u of %u jobs done (%d%%), %u running, %s gone%s%s%s", done,
                 total, (int)(100.0 * done / total), running, gone, *left ? ", about " : "", left,
                 *left ? " left" : "");
    }
    log_progress(o->log, line);
    return !log_flush(o->log);
}

void observe_start(struct observe *o, struct graph *g, struct log *log, bool shell,
                   bool show_failed_logs)
{
    *o = (struct observe){
        .g = g, .log = log, .show_failed_logs = show_failed_logs, .start_ns = clock_ns()};
    o->text = (struct job_text){
        .g = g, .with_reason = log_wants(log, QUIET_REASON), .with_shell = shell};
    o->observer = (struct run_observer){o,           on_selected, on_started, on_submitted,
                                        on_finished, on_failed,   on_removed, on_stopping,
                                        on_note,     on_turn};
    log->patience = LOG_NONE;
}

void observe_outcome(struct observe *o, const struct run_result *result)
{
    o->log->patience = result->interrupted ? LOG_BRIEF : LOG_UNTIL_SIGNAL;
    if (result->failed)
        log_say(o->log, LOG_ERROR,
                "Exiting because a job execution failed. Look above for error messages");
    if (result->interrupted)
        log_say(o->log, LOG_ERROR,
                "The run was stopped by a signal; running jobs that were cancelled: %u.",
                result->cancelled);
    log_flush(o->log);
}

void observe_end(struct observe *o, const struct run_result *result, bool kept)
{
    log_end(o->log);
    if ((result->failed || result->cancelled) && kept)
        log_say(o->log, LOG_ERROR,
                "--keep-incomplete is set: outputs and shadow directories of failed jobs were not "
                "removed.");
    if (result->failed)
        log_say(o->log, LOG_ERROR,
                "WorkflowError:\nAt least one job did not complete successfully.");
    log_flush(o->log);
    job_text_free(&o->text);
}
