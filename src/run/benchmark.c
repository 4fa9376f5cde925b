// SPDX-License-Identifier: MIT
/* benchmark.c: Snakemake's columns. Times and CPU times are the kernel's own; what is only seen
 * by looking at /proc from time to time (exec/usage.h) is NA where nobody looked: jobs of a
 * cluster. */
#include "run/benchmark.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"

static const char columns[] =
    "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time";
static const char more_columns[] =
    "\tjobid\trule_name\twildcards\tparams\tthreads\tcpu_usage\tresources\tinput_size_mb";

void benchmark_note(struct task *task, const struct exec_event *end)
{
    if (!task->eval.benchmark.len)
        return;
    if (!(task->nruns & (task->nruns - 1))) { /* 0, 1, 2, 4, 8 ...: as many rows fill their room */
        struct exec_event *rows = arena_array(&task->scratch, struct exec_event,
                                              task->nruns ? 2 * task->nruns : 1);
        if (task->nruns)
            memcpy(rows, task->runs, task->nruns * sizeof *rows);
        task->runs = rows;
    }
    task->runs[task->nruns++] = *end;
}

bool benchmark_goes_on(const struct task *task)
{
    return task->eval.benchmark.len && !task->nparts && task->nruns < task->eval.rule->repeat;
}

/* ---- values ---- */

/* One row being written. */
struct row {
    const struct task_context *context;
    struct task *task;
    const struct exec_event *end;
    double seconds, cpu;
    bool json;
    int column;
    struct buf *out;
};

/* The names of the columns in the order of the table; as JSON they are sorted by name. */
static void begin(struct row *row, const char *name)
{
    if (row->json)
        buf_printf(row->out, "%s\"%s\": ", row->column ? ", " : "", name);
    else if (row->column)
        buf_char(row->out, '\t');
    row->column++;
}

static void put_number(struct row *row, const char *name, double number, int digits, bool known)
{
    begin(row, name);
    if (known)
        buf_printf(row->out, "%.*f", row->json && digits ? 6 : digits, number);
    else
        buf_str(row->out, row->json ? "\"NA\"" : "NA");
}

static void put_text(struct row *row, const char *name, const char *text)
{
    begin(row, name);
    buf_str(row->out, row->json ? "\"" : "");
    if (row->json)
        buf_json(row->out, text, strlen(text));
    else
        buf_str(row->out, text);
    buf_str(row->out, row->json ? "\"" : "");
}

/* A mapping: in the table as Python shows it, which for texts and numbers is JSON with other
 * quotes. */
static void put_mapping(struct row *row, const char *name, const struct buf *json)
{
    begin(row, name);
    buf_add(row->out, buf_text(json), json->len);
}

static void add_key(struct buf *out, const struct row *row, const char *key)
{
    char quote = row->json ? '"' : '\'';
    buf_printf(out, "%s%c", out->len > 1 ? ", " : "", quote);
    if (row->json)
        buf_json(out, key, strlen(key));
    else
        buf_str(out, key);
    buf_printf(out, "%c: ", quote);
}

static void add_text(struct buf *out, const struct row *row, const char *text)
{
    char quote = row->json ? '"' : '\'';
    buf_char(out, quote);
    if (row->json)
        buf_json(out, text, strlen(text));
    else
        buf_str(out, text);
    buf_char(out, quote);
}

static void put_wildcards(struct row *row)
{
    const struct job_eval *eval = &row->task->eval;
    struct intern *names = row->context->g->names;
    struct buf text = {0};
    buf_char(&text, '{');
    for (uint32_t i = 0; i < eval->rule->wildcards.n; i++) {
        add_key(&text, row, sym_text(names, eval->rule->wildcards.name[i]));
        add_text(&text, row, sym_text(names, eval->wildcards[i]));
    }
    buf_char(&text, '}');
    put_mapping(row, "wildcards", &text);
    buf_free(&text);
}

static void put_params(struct row *row)
{
    struct buf text = {0};
    if (!eval_params_json(&row->task->eval, &text)) {
        vm_take_error(row->context->g->workflow->vm);
        buf_reset(&text);
        buf_str(&text, "{}");
    }
    put_mapping(row, "params", &text);
    buf_free(&text);
}

static void put_resources(struct row *row)
{
    const struct job_eval *eval = &row->task->eval;
    struct intern *names = row->context->g->names;
    struct buf text = {0};
    buf_char(&text, '{');
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const struct resource *r = &eval->resources[i];
        add_key(&text, row, sym_text(names, r->name));
        if (r->is_text)
            add_text(&text, row, sym_text(names, r->text));
        else
            buf_printf(&text, "%lld", (long long)r->number);
    }
    add_key(&text, row, "_cores");
    buf_printf(&text, "%d", eval->threads);
    add_key(&text, row, "_nodes");
    buf_str(&text, "1}");
    put_mapping(row, "resources", &text);
    buf_free(&text);
}

static void put_input_sizes(struct row *row)
{
    const struct job_eval *eval = &row->task->eval;
    struct buf text = {0};
    struct stat st;
    buf_char(&text, '{');
    for (uint32_t i = 0; i < eval->ninput; i++) {
        const char *path = sym_text(row->context->g->names, eval->input[i].path);
        add_key(&text, row, path);
        buf_printf(&text, "%.6f", stat(path, &st) ? 0 : (double)st.st_size / 1024 / 1024);
    }
    buf_char(&text, '}');
    put_mapping(row, "input_size_mb", &text);
    buf_free(&text);
}

/* ---- columns ---- */

static void put_s(struct row *row)
{
    put_number(row, "s", row->seconds, 4, true);
}
static void put_hms(struct row *row)
{
    char text[64];
    int64_t whole = (int64_t)row->seconds, days = whole / 86400;
    int n = days
                ? snprintf(text, sizeof text, "%lld day%s, ", (long long)days, days == 1 ? "" : "s")
                : 0;
    snprintf(text + n, sizeof text - (size_t)n, "%d:%02d:%02d", (int)(whole / 3600 % 24),
             (int)(whole / 60 % 60), (int)(whole % 60));
    put_text(row, "h:m:s", text);
}
static void put_rss(struct row *row)
{
    double own = (double)row->end->max_rss_kb / 1024, seen = row->end->usage.rss;
    put_number(row, "max_rss", seen > own ? seen : own, 2, own > 0 || row->end->usage.seen);
}
#define SEEN(fn, name, field)                                                                      \
    static void fn(struct row *row)                                                                \
    {                                                                                              \
        put_number(row, name, row->end->usage.field, 2, row->end->usage.seen);                     \
    }
SEEN(put_vms, "max_vms", vms)
SEEN(put_uss, "max_uss", uss)
SEEN(put_pss, "max_pss", pss)
SEEN(put_in, "io_in", in)
SEEN(put_out, "io_out", out)
static void put_load(struct row *row)
{
    put_number(row, "mean_load", row->seconds > 0 ? 100 * row->cpu / row->seconds : 0, 2, true);
}
static void put_cpu_time(struct row *row)
{
    put_number(row, "cpu_time", row->cpu, 2, true);
}
static void put_cpu_usage(struct row *row)
{
    put_number(row, "cpu_usage", 100 * row->cpu, 2, true);
}
static void put_jobid(struct row *row)
{
    put_number(row, "jobid", row->task->eval.jobid, 0, true);
}
static void put_rule(struct row *row)
{
    put_text(row, "rule_name", sym_text(row->context->g->names, row->task->eval.rule->name));
}
static void put_threads(struct row *row)
{
    put_number(row, "threads", row->task->eval.threads, 0, true);
}

/* In the order of the table. */
static void (*const table[])(struct row *row) = {
    put_s,         put_hms,    put_rss,     put_vms,       put_uss,       put_pss,
    put_in,        put_out,    put_load,    put_cpu_time,  put_jobid,     put_rule,
    put_wildcards, put_params, put_threads, put_cpu_usage, put_resources, put_input_sizes};
/* Sorted by name; those behind 0 belong to the extended form. */
static const struct {
    void (*put)(struct row *row);
    bool extended;
} sorted[] = {{put_cpu_time, false},   {put_cpu_usage, true}, {put_hms, false},
              {put_input_sizes, true}, {put_in, false},       {put_out, false},
              {put_jobid, true},       {put_pss, false},      {put_rss, false},
              {put_uss, false},        {put_vms, false},      {put_load, false},
              {put_params, true},      {put_resources, true}, {put_rule, true},
              {put_s, false},          {put_threads, true},   {put_wildcards, true}};
enum { BASIC = 10, ALL = sizeof table / sizeof *table };

static void put_row(struct row *row)
{
    bool extended = row->context->benchmark_extended;
    int64_t ns = row->end->took_ns ? row->end->took_ns : row->end->end_ns - row->end->start_ns;
    row->seconds = ns > 0 ? (double)ns * 1e-9 : 0;
    row->cpu = row->end->user_s + row->end->system_s;
    row->column = 0;
    buf_str(row->out, row->json ? "{" : "");
    for (int i = 0; i < ALL; i++)
        if (!row->json && (i < BASIC || extended))
            table[i](row);
        else if (row->json && (!sorted[i].extended || extended))
            sorted[i].put(row);
    buf_str(row->out, row->json ? "}\n" : "\n");
}

/* Its job counts as not done until it is written: a half that a kill leaves is written anew, where
 * a file of another name would stay among the user's. */
static bool write_anew(const char *path, const struct buf *text)
{
    unlink(path);
    return fs_write_new(path, text->at, text->len);
}

bool benchmark_write(const struct task_context *context, struct task *task)
{
    bool good = true;
    for (uint32_t i = 0; good && i < task->eval.benchmark.len; i++) {
        const char *path = sym_text(context->g->names, task->eval.benchmark.at[i].path);
        struct buf text = {0};
        struct row row = {.context = context, .task = task, .out = &text};
        row.json = !strcmp(path_extension(path), ".jsonl");
        if (!row.json)
            buf_printf(&text, "%s%s\n", columns, context->benchmark_extended ? more_columns : "");
        for (uint32_t k = 0; k < (task->nruns ? task->nruns : 1); k++) {
            row.end = task->nruns ? &task->runs[k] : &task->end;
            put_row(&row);
        }
        good = write_anew(path, &text);
        buf_free(&text);
        if (!good)
            buf_printf(&task->why, "cannot write the benchmark '%s': %s", path, strerror(errno));
    }
    return good;
}
