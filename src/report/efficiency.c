// SPDX-License-Identifier: MIT
#include "report/efficiency.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/pool.h"

static const double MB = 1e6, KB = 1024; /* MB: of resources; KB: of the system */

struct of_rule {
    const char *rule;
    uint32_t jobs;
    double used_s, held_s;    /* of CPUs */
    double used_mb, asked_mb; /* the most of one job */
};

struct efficiency {
    struct arena in; /* names of rules */
    struct buf csv;
    VEC(struct of_rule) rules;
};

/* The number behind "name=" in "cpus=4,mem_mb=500"; 0: it is not there. */
static double asked(const char *resources, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = resources; *at; at += *at == ',') {
        if (!strncmp(at, name, n) && at[n] == '=')
            return strtod(at + n + 1, NULL);
        at += strcspn(at, ",");
    }
    return 0;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void put_quoted(struct buf *out, const char *text)
{
    buf_char(out, '"');
    for (; *text; text++)
        buf_printf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    buf_str(out, "\",");
}

static struct of_rule *rule_of(struct efficiency *e, const char *rule)
{
    for (uint32_t i = e->rules.len; i--;) /* jobs of a rule follow each other mostly */
        if (!strcmp(e->rules.at[i].rule, rule))
            return &e->rules.at[i];
    vec_push(&e->rules, (struct of_rule){.rule = arena_str(&e->in, rule)});
    return &e->rules.at[e->rules.len - 1];
}

static void add_attempt(void *user, const struct attempt_record *attempt)
{
    struct efficiency *e = user;
    if (!*attempt->external_id)
        return;
    double seconds = fmax((double)(attempt->end_ns - attempt->start_ns) * 1e-9, 0);
    double cpus = fmax(asked(attempt->resources, "cpus"), 1),
           mem_mb = asked(attempt->resources, "mem_mb");
    double used_mb = (double)attempt->max_rss_kb * KB / MB;
    struct of_rule *rule = rule_of(e, attempt->rule);
    rule->jobs++;
    rule->used_s += attempt->cpu_s;
    rule->held_s += seconds * cpus;
    rule->used_mb = fmax(rule->used_mb, used_mb);
    rule->asked_mb = fmax(rule->asked_mb, mem_mb);
    put_quoted(&e->csv, attempt->external_id);
    put_quoted(&e->csv, attempt->rule);
    put_quoted(&e->csv, attempt->wildcards);
    put_quoted(&e->csv, attempt->host);
    buf_printf(&e->csv, "%d,%d,%.2f,%.2f,%.0f,%.1f,%.1f,%.0f,%.1f\n", attempt->attempt,
               attempt->signal ? 128 + attempt->signal : attempt->status, seconds, attempt->cpu_s,
               cpus, percent(attempt->cpu_s, seconds * cpus), used_mb, mem_mb,
               percent(used_mb, mem_mb));
}

static void tell_rule(struct log *log, const struct of_rule *rule)
{
    char memory[80] = "";
    if (rule->asked_mb > 0 && rule->used_mb > 0)
        snprintf(memory, sizeof memory, "; at most %.0f of %.0f MB", rule->used_mb, rule->asked_mb);
    log_say(log, LOG_INFO, "Rule %s: %u %s used %.0f %% of the CPUs that %s held%s.", rule->rule,
            rule->jobs, rule->jobs == 1 ? "job" : "jobs", percent(rule->used_s, rule->held_s),
            rule->jobs == 1 ? "it" : "they", memory);
}

void efficiency_report(struct state *state, struct diags *dx, struct log *log, const char *path,
                       double threshold)
{
    struct efficiency e = {0};
    buf_str(&e.csv,
            "JobID,RuleName,Wildcards,Node,Attempt,ExitStatus,Elapsed_sec,TotalCPU_sec,NCPUS,"
            "CPU Efficiency (%),MaxRSS_MB,RequestedMem_MB,Memory Usage (%)\n");
    bool good = state_run_attempts(state, add_attempt, &e);
    for (uint32_t i = 0; good && i < e.rules.len; i++)
        if (e.rules.at[i].used_s < threshold * e.rules.at[i].held_s)
            tell_rule(log, &e.rules.at[i]);
    if (good && e.rules.len && (!fs_make_parent(path) || !fs_write(path, e.csv.at, e.csv.len)))
        warn(dx, (struct span){0}, "cannot write the efficiency report '%s': %s", path,
             strerror(errno));
    else if (good && e.rules.len)
        log_say(log, LOG_INFO, "Efficiency report: %s", path);
    vec_free(&e.rules);
    buf_free(&e.csv);
    arena_free(&e.in);
}
