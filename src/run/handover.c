// SPDX-License-Identifier: MIT
#include "run/handover.h"

#include <string.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/line.h"
#include "base/path.h"
#include "exec/slurm_args.h"
#include "exec/slurm_script.h"
#include "run/task_body.h"

/* ---- keys ---- */

static const char *digest(const struct buf *text, struct arena *in)
{
    struct hasher hasher;
    uint8_t bytes[32];
    char hex[65];
    hasher_start(&hasher, DIGEST_SHA256);
    hasher_add(&hasher, buf_text(text), text->len);
    hasher_end(&hasher, bytes);
    hash_hex(bytes, 10, hex);
    return arena_str(in, hex);
}

/* The key of a job: of its rule and wildcards. In the arena. */
static const char *job_key(const struct graph *g, job_id job, struct arena *in)
{
    const struct rule *rule = job_rule(g, job);
    const sym_t *wildcards = job_wildcards(g, job);
    struct buf text = {0};
    buf_str(&text, sym_text(g->names, rule->name));
    for (uint32_t i = 0; i < rule->wildcards.n; i++) {
        buf_char(&text, '\0');
        buf_str(&text, sym_text(g->names, wildcards[i]));
    }
    const char *key = digest(&text, in);
    buf_free(&text);
    return key;
}

/* When the latest of the inputs and scripts was made; 0: none is there. */
static int64_t newest_input(const struct graph *g, struct task *task)
{
    int64_t newest = 0;
    for (uint32_t i = 0; i < task->eval.ninput; i++) {
        file_id file = graph_find_file(g, task->eval.input[i].path);
        if (file && !(task->eval.input[i].flags & FLAG_ANCIENT) && g->files.at[file].mtime > newest)
            newest = g->files.at[file].mtime;
    }
    for (uint32_t i = 0; i < task_parts(task); i++) {
        int64_t changed = eval_script_time(&task_part(task, i)->eval);
        newest = changed > newest ? changed : newest;
    }
    return newest;
}

bool handover_identify(struct graph *g, struct task *task, struct launch *launch)
{
    uint32_t n = task_parts(task);
    const char **keys = arena_array(&task->scratch, const char *, n + 1);
    struct buf text = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < n; i++) {
        struct task *part = task_part(task, i);
        keys[i] = job_key(g, part->job, &task->scratch);
        if (!part->record.code)
            good = fresh_record(g, part->job, &part->scratch, &part->record);
        if (good)
            buf_printf(&text, "%s\n%s\n%s\n", part->record.code, part->record.params,
                       part->record.inputs);
    }
    launch->keys = keys;
    launch->fingerprint = digest(&text, &task->scratch);
    launch->newest_ns = newest_input(g, task);
    launch->attempt = task->attempt;
    buf_free(&text);
    return good;
}

/* ---- what goes with it ---- */

/* "cycle=01,zplane=3" */
static void add_wildcards(const struct intern *names, const struct task *task, struct buf *out)
{
    const struct wildcard_names *wildcards = &task->eval.rule->wildcards;
    for (uint32_t i = 0; !task->nparts && i < wildcards->n; i++)
        buf_printf(out, "%s%s=%s", i ? "," : "", sym_text(names, wildcards->name[i]),
                   sym_text(names, task->eval.wildcards[i]));
}

static void set_names(const struct task_context *context, struct task *task, struct launch *launch)
{
    const struct intern *names = context->g->names;
    struct buf wildcards = {0}, folder = {0}, comment = {0};
    const char *rule = task->nparts ? sym_text(names, task->group)
                                    : sym_text(names, task->eval.rule->name);
    add_wildcards(names, task, &wildcards);
    buf_str(&comment, task->nparts ? "group_" : "rule_");
    slurm_file_name(rule, &comment);
    slurm_file_name(rule, &folder);
    if (wildcards.len) {
        buf_str(&comment, "_wildcards_");
        slurm_file_name(buf_text(&wildcards), &comment);
        buf_char(&folder, '/');
        slurm_file_name(buf_text(&wildcards), &folder);
    }
    launch->comment = arena_str(&task->scratch, buf_text(&comment));
    launch->folder = arena_str(&task->scratch, buf_text(&folder));
    buf_free(&wildcards);
    buf_free(&comment);
    buf_free(&folder);
}

static void set_place(const struct task_context *context, struct task *task, struct launch *launch)
{
    struct place place;
    if (source_place(context->g->workflow->sources, task->eval.rule->span.at, &place))
        launch->place = arena_printf(&task->scratch, "%s:%d", place.name, place.line);
}

static void add_outputs(const struct task_context *context, struct task *task,
                        const struct task *part, const char **out, uint32_t *n)
{
    const char *workdir = context->g->workflow->workdir;
    for (uint32_t i = 0; i < part->eval.output.len; i++) {
        const struct job_file *file = &part->eval.output.at[i];
        if (!(file->flags & (FLAG_UPDATE | FLAG_PIPE | FLAG_SERVICE | FLAG_PROTECTED)))
            out[(*n)++] = path_absolute(&task->scratch, workdir,
                                        sym_text(context->g->names, file->path));
    }
}

static void set_outputs(const struct task_context *context, struct task *task,
                        struct launch *launch)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < task_parts(task); i++)
        n += task_part(task, i)->eval.output.len;
    const char **outputs = arena_array(&task->scratch, const char *, n + 1);
    n = 0;
    for (uint32_t i = 0; i < task_parts(task); i++)
        add_outputs(context, task, task_part(task, i), outputs, &n);
    launch->outputs = outputs;
}

/* The shadow directory of each part, a line each. */
static void set_memo(struct task *task, struct launch *launch)
{
    struct buf memo = {0};
    for (uint32_t i = 0; i < task_parts(task); i++)
        buf_printf(&memo, "%s%s", i ? "\n" : "",
                   task_part(task, i)->shadow ? task_part(task, i)->shadow : "");
    launch->memo = arena_str(&task->scratch, buf_text(&memo));
    buf_free(&memo);
}

const char *handover_read_script(struct task *task, struct launch *launch)
{
    bool own = !task->nparts && task->eval.rule->body == BODY_SCRIPT;
    const char *path = own ? eval_script(&task->eval) : NULL;
    slurm_words words = {0};
    if (own && !path)
        vm_take_error(task->eval.workflow->vm);
    if (!path || strcmp(path_extension(path), ".sh"))
        return NULL;
    const char *text = fs_read(&task->scratch, path, NULL);
    const char *why = text ? slurm_script_args(&task->scratch, text, &words) : NULL;
    const char **list = arena_array(&task->scratch, const char *, words.len + 1);
    for (uint32_t i = 0; i < words.len; i++)
        list[i] = words.at[i];
    launch->sbatch = list;
    launch->nsbatch = words.len;
    vec_free(&words);
    return why ? arena_printf(&task->scratch, "%s: %s", path, why) : NULL;
}

bool handover_mark(const struct task_context *context, struct task *task, struct launch *launch)
{
    set_memo(task, launch);
    if (handover_identify(context->g, task, launch))
        return true;
    buf_str(&task->why, diag_last(context->g->workflow->diags));
    return false;
}

bool handover_describe(const struct task_context *context, struct task *task, struct launch *launch)
{
    set_names(context, task, launch);
    set_place(context, task, launch);
    set_outputs(context, task, launch);
    const char *why = handover_read_script(task, launch);
    if (why)
        buf_str(&task->why, why);
    return !why && handover_mark(context, task, launch);
}

/* ---- taking up again ---- */

bool handover_resume(const struct task_context *context, struct task *task, const char *memo)
{
    for (uint32_t i = 0; i < task_parts(task); i++) {
        struct task *part = task_part(task, i);
        struct line line = {0};
        line_next(&memo, &line);
        if (!task_resume(context, part,
                         line.len ? arena_copy(&part->scratch, line.at, line.len) : NULL)) {
            if (part != task)
                buf_str(&task->why, buf_text(&part->why));
            return false;
        }
    }
    return true;
}

/* ---- the journal ---- */

static struct submission translate(const struct exec_submission *s)
{
    return (struct submission){s->token,       s->account, s->jobs,
                               s->external_id, s->status,  s->time_ns};
}

static bool add(void *user, const struct exec_submission *submission)
{
    struct submission row = translate(submission);
    return state_add_submission(user, &row);
}

static bool set(void *user, const struct exec_submission *submission)
{
    struct submission row = translate(submission);
    return state_set_submission(user, &row);
}

static bool flush(void *user)
{
    return state_flush(user);
}

struct visit {
    void (*visit)(void *to, const struct exec_submission *submission);
    void *to;
};

static void pass_on(void *user, const struct submission *s)
{
    struct visit *visit = user;
    struct exec_submission submission = {s->token,       s->account, s->jobs,
                                         s->external_id, s->status,  s->time_ns};
    visit->visit(visit->to, &submission);
}

static void each(void *user, void (*visit)(void *to, const struct exec_submission *submission),
                 void *to)
{
    struct visit pass = {visit, to};
    state_left_submissions(user, pass_on, &pass);
}

struct exec_journal handover_journal(struct state *state)
{
    return (struct exec_journal){state, add, set, flush, each};
}

struct count {
    const char *tokens;
    uint32_t n;
};

static void count(void *user, const struct submission *submission)
{
    struct count *count = user;
    count->n += !strncmp(submission->token, count->tokens, strlen(count->tokens));
}

uint32_t handover_open_submissions(struct state *state, const char *tokens)
{
    struct count open = {tokens, 0};
    state_submissions(state, count, &open);
    return open.n;
}

uint32_t handover_left_submissions(struct state *state)
{
    struct count left = {"", 0};
    state_left_submissions(state, count, &left);
    return left.n;
}

/* ---- orphans ---- */

static bool is_known(void *user, const char *key)
{
    return map_find(user, hash_key_of(key));
}

void handover_orphans(const struct graph *g, struct executor *executor, bool cancel)
{
    struct map known = {0};
    struct arena scratch = {0};
    for (job_id j = 1; j < g->jobs.len; j++) {
        if (!g->jobs.at[j].must_run || g->jobs.at[j].done)
            continue;
        const char *key = job_key(g, j, &scratch);
        map_set(&known, hash_key_of(key), 1);
        arena_reset(&scratch);
    }
    executor_orphans(executor, is_known, &known, cancel);
    map_free(&known);
    arena_free(&scratch);
}
