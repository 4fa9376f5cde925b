// SPDX-License-Identifier: MIT
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "flow/storage.h"
#include "graph/provenance.h"
#include "graph/ready.h"
#include "state/record.h"

struct summary {
    struct graph *g;
    const struct fresh_options *options;
    struct provenance *records; /* compared by all triggers; NULL: there is no store */
    struct buf *out;
    bool detailed;
    uint16_t reasons; /* of the job in turn */
};

static const char *absent_status(uint16_t flags)
{
    return flags & FLAG_TEMP      ? "removed temp file"
           : flags & FLAG_PIPE    ? "pipe file"
           : flags & FLAG_SERVICE ? "service file"
                                  : "missing";
}

static const char *present_status(uint16_t reasons)
{
    return reasons & REASON_UPDATED_INPUT ? "updated input files"
           : reasons & REASON_CODE        ? "rule implementation changed"
           : reasons & REASON_INPUT_SET   ? "set of input files changed"
           : reasons & REASON_PARAMS      ? "params changed"
                                          : "ok";
}

/* Lines joined by a separator; "-" where nothing is known. */
static void add_lines(struct buf *out, const char *lines, const char *separator)
{
    if (!lines)
        buf_str(out, "-");
    for (const char *at = lines; at && *at; at++)
        if (*at == '\n')
            buf_str(out, separator);
        else
            buf_char(out, *at);
}

/* Without the blanks around it. */
static const char *stripped(struct arena *in, const char *text)
{
    static const char blanks[] = " \t\n\r\f\v";
    text += strspn(text, blanks);
    size_t n = strlen(text);
    while (n && strchr(blanks, text[n - 1]))
        n--;
    return arena_copy(in, text, n);
}

/* A file of a storage is named as the storage knows it. */
static void add_name(const struct graph *g, file_id f, struct buf *out)
{
    struct arena in = {0};
    buf_str(out, storage_shown(g->workflow, &in, file_path(g, f)));
    arena_free(&in);
}

static void add_row(struct summary *s, job_id id, file_id f)
{
    const struct graph *g = s->g;
    const struct file *file = &g->files.at[f];
    const struct job *job = &g->jobs.at[id];
    const struct output_record *record = s->options->state
                                             ? state_find(s->options->state, file->path)
                                             : NULL;
    char date[32] = "-";
    if (file->mtime >= 0)
        clock_text(file->mtime, date);
    add_name(g, f, s->out);
    buf_printf(s->out, "\t%s\t%s\t", date, sym_text(g->names, job_rule(g, id)->name));
    if (record)
        add_lines(s->out, record->log, ",");
    else
        buf_str(s->out, "-");
    if (s->detailed) {
        buf_char(s->out, '\t');
        add_lines(s->out, record ? record->inputs : NULL, ",");
        buf_char(s->out, '\t');
        struct arena scratch = {0};
        const char *shell = record ? state_shell(s->options->state, file->path, &scratch) : "";
        add_lines(s->out, *shell ? stripped(&scratch, shell) : NULL, "; ");
        arena_free(&scratch);
    }
    buf_printf(s->out, "\t%s\t%s\n",
               file->mtime < 0 ? absent_status(file->flags) : present_status(s->reasons),
               job->must_run ? "update pending" : "no update");
}

/* What has changed counts whether the job runs for it, for another reason, or not at all. */
static uint16_t reasons_of(const struct summary *s, job_id id)
{
    uint16_t reasons = s->g->jobs.at[id].reasons;
    return reasons & REASON_UPDATED_INPUT || !s->records ? reasons
                                                         : provenance_compare(s->records, id);
}

static void add_rows(struct summary *s, job_id id)
{
    const struct graph *g = s->g;
    const file_id *outputs = job_outputs(g, id);
    uint32_t n = g->jobs.at[id].noutputs, i = 0;
    while (i < n && g->files.at[outputs[i]].mtime < 0)
        i++;
    s->reasons = i < n ? reasons_of(s, id) : 0;
    for (i = 0; i < n; i++)
        add_row(s, id, outputs[i]);
}

bool summary_text(struct graph *g, const struct fresh_options *options, bool detailed,
                  struct buf *out)
{
    struct fresh_options all = *options;
    all.triggers = TRIGGER_ALL;
    struct summary s = {g, options, provenance_open(g, &all), out, detailed, 0};
    uint32_t n;
    job_id *order = graph_by_number(g, &n);
    buf_str(out,
            detailed
                ? "output_file\tdate\trule\tlog-file(s)\tinput-file(s)\tshellcmd\tstatus\tplan\n"
                : "output_file\tdate\trule\tlog-file(s)\tstatus\tplan\n");
    for (uint32_t i = 0; i < n; i++)
        add_rows(&s, order[i]);
    free(order);
    bool good = !s.records || !provenance_failed(s.records);
    provenance_close(s.records);
    return good;
}
