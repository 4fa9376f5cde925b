// SPDX-License-Identifier: MIT
/* probe.c: rounds of commands that run side by side; a round starts when the one before it has
 * ended, and is left out where there is nothing to ask.
 *
 *     find -> read -> find_cached -> measure -> parents -> old_queue -> limits -> hidden -> site
 *          -> nodes -> partitions */
#include "hpc/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/line.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "loop/process.h"

enum { MOST_WORDS = 12, TIMEOUT_MS = 15000 };

extern char **environ;

struct command;

struct probe {
    struct loop *loop;
    struct probe_options options;
    struct accounts *accounts;
    void (*on_done)(void *user);
    void *user;
    int round;
    VEC(struct command *) running; /* owned */
    bool late;                     /* a command did not answer in time */
    const char *associations;      /* what sacctmgr has said, or NULL */
    struct timer *turn;            /* goes to the next round */
    const char *const *env;
    struct arena arena;
};

typedef bool read_text(struct probe *probe, const char *text);

/* When it is told that a command has failed. */
enum told { ALWAYS, UNLESS_ABSENT, NEVER };

struct command {
    struct probe *probe;
    struct process *process;
    const char *argv[MOST_WORDS + 1];
    read_text *read;
    enum told told;
};

static void note(struct probe *probe, const char *text)
{
    struct accounts *accounts = probe->accounts;
    for (uint32_t i = 0; i < accounts->notes.len; i++)
        if (!strcmp(accounts->notes.at[i], text))
            return;
    vec_push(&accounts->notes, arena_str(&accounts->arena, text));
}

/* ---- one command ---- */

/* The caller's environment without what changes the output of Slurm's commands. */
static const char *const *clean_environment(struct arena *in)
{
    size_t n = 0;
    while (environ[n])
        n++;
    const char **env = arena_array(in, const char *, n + 2), **out = env;
    for (size_t i = 0; i < n; i++) {
        bool format = !strncmp(environ[i], "SQUEUE_", 7) ||
                      !strncmp(environ[i], "SLURM_TIME_", 11) ||
                      !strncmp(environ[i], "SACCTMGR_", 9) || !strncmp(environ[i], "LC_ALL=", 7);
        if (!format)
            *out++ = environ[i];
    }
    *out = "LC_ALL=C";
    return env;
}

/* "squeue", "scontrol show assoc_mgr" */
static void command_line(const struct command *command, struct buf *out)
{
    buf_str(out, command->argv[0]);
    for (int i = 1; command->argv[i]; i++)
        if (!strcmp(command->argv[i], "show"))
            buf_printf(out, " show %s", command->argv[i + 1]);
}

/* The last line that says anything: Slurm tells the consequence last. */
static struct line last_line(const char *text)
{
    struct line line, last = {"", 0};
    while (line_next(&text, &line))
        if (line.len)
            last = line;
    return last;
}

/* "squeue failed: slurm_load_jobs error: Unable to contact slurm controller". */
static void complain_of(const struct command *command, const char *what, const char *detail)
{
    struct buf text = {0};
    command_line(command, &text);
    buf_printf(&text, " %s", what);
    struct line line = last_line(detail);
    if (line.len)
        buf_printf(&text, ": %.*s", (int)(line.len < 200 ? line.len : 200), line.at);
    note(command->probe, buf_text(&text));
    buf_free(&text);
}

static void on_round(void *user);

static void drop_command(struct command *command)
{
    vec_remove(&command->probe->running, command);
    free(command);
}

static void on_end(void *user, const struct process_end *end)
{
    struct command *command = user;
    struct probe *probe = command->probe;
    probe->late |= end->timed_out;
    if (!end->status && !end->signal)
        command->read(probe, end->out);
    else if (command->told != NEVER)
        complain_of(command, end->timed_out ? "does not answer in time" : "failed", end->err);
    drop_command(command);
    if (!probe->running.len)
        probe->turn = timer_open(probe->loop, 0, 0, on_round, probe);
}

/* Starts one; words end with NULL. */
static void ask(struct probe *probe, enum told told, read_text *read, const char *const *words)
{
    struct command *command = memory_zeroed(1, sizeof *command);
    *command = (struct command){.probe = probe, .read = read, .told = told};
    for (int i = 0; i < MOST_WORDS && words[i]; i++)
        command->argv[i] = words[i];
    struct process_options options = {
        .argv = command->argv,
        .env = probe->env,
        .capture_out = true,
        .capture_err = true,
        .timeout_ms = probe->options.timeout_ms ? probe->options.timeout_ms : TIMEOUT_MS,
        .new_session = true,
        .on_end = on_end,
        .user = command};
    vec_push(&probe->running, command);
    command->process = process_start(probe->loop, &options);
    if (command->process)
        return;
    if (command->told == ALWAYS || (command->told == UNLESS_ABSENT && errno != ENOENT))
        complain_of(command, errno == ENOENT ? "is not there" : "cannot be started",
                    errno == ENOENT ? "" : strerror(errno));
    drop_command(command);
}

/* ---- readers ---- */

/* They are read when it is known which of them are of this cluster. */
static bool keep_associations(struct probe *probe, const char *text)
{
    probe->associations = arena_str(&probe->arena, text);
    return true;
}

static bool read_config(struct probe *probe, const char *text)
{
    return accounts_read_config(probe->accounts, text);
}

static bool read_cached(struct probe *probe, const char *text)
{
    return accounts_read_assoc_mgr(probe->accounts, text, probe->options.user);
}

static bool read_assoc_mgr(struct probe *probe, const char *text)
{
    return accounts_read_assoc_mgr(probe->accounts, text, NULL);
}

/* What cannot be read comes from a version that is asked otherwise. */
static bool read_queue(struct probe *probe, const char *text)
{
    return accounts_read_queue(probe->accounts, text);
}

static bool read_old_queue(struct probe *probe, const char *text)
{
    if (accounts_read_queue(probe->accounts, text))
        return true;
    note(probe, "the output of squeue cannot be read: waiting jobs of others are not counted");
    return false;
}

static bool read_qos(struct probe *probe, const char *text)
{
    return accounts_read_qos(probe->accounts, text);
}

static bool read_account_limits(struct probe *probe, const char *text)
{
    return accounts_read_account_limits(probe->accounts, text);
}

static bool read_slurminfo(struct probe *probe, const char *text)
{
    return accounts_read_slurminfo(probe->accounts, text);
}

static bool read_nodes(struct probe *probe, const char *text)
{
    return accounts_read_nodes(probe->accounts, text);
}

static bool read_partitions(struct probe *probe, const char *text)
{
    return accounts_read_partitions(probe->accounts, text);
}

/* ---- rounds ---- */

/* "PREFIXa,b": names of all accounts, or their QOS. */
static const char *listed(struct probe *probe, const char *prefix, bool qos)
{
    struct buf list = {0};
    buf_str(&list, prefix);
    for (uint32_t i = 0; i < probe->accounts->all.len; i++)
        buf_printf(&list, "%s%s", i ? "," : "",
                   qos ? probe->accounts->all.at[i].qos : probe->accounts->all.at[i].name);
    const char *text = arena_str(&probe->arena, buf_text(&list));
    buf_free(&list);
    return text;
}

static void round_find(struct probe *probe)
{
    const char *user = arena_printf(&probe->arena, "user=%s", probe->options.user);
    const char *manager[] = {
        "sacctmgr", "-nP", "show",
        "assoc",    user,  "format=account,user,partition,qos,defaultqos,grptres,cluster",
        NULL};
    const char *config[] = {"scontrol", "show", "config", NULL};
    if (probe->options.again)
        return;
    ask(probe, ALWAYS, keep_associations, manager);
    ask(probe, NEVER, read_config, config);
}

static void round_read(struct probe *probe)
{
    if (probe->associations)
        accounts_read_associations(probe->accounts, probe->associations);
}

static void round_find_cached(struct probe *probe)
{
    const char *user = arena_printf(&probe->arena, "users=%s", probe->options.user);
    const char *words[] = {"scontrol", "-o", "show", "assoc_mgr", "flags=assoc", user, NULL};
    if (!probe->accounts->all.len)
        ask(probe, ALWAYS, read_cached, words);
}

/* Says which of the names the user has no account of. */
static void note_unknown(struct probe *probe)
{
    const struct accounts *accounts = probe->accounts;
    for (const char *const *name = probe->options.names; *name; name++) {
        if (accounts_find(accounts, *name, strlen(*name)))
            continue;
        struct nearest near = nearest_to(*name);
        for (uint32_t i = 0; i < accounts->all.len; i++)
            nearest_offer(&near, accounts->all.at[i].name);
        note(probe, arena_printf(&probe->arena, "you have no account '%s'%s%s%s", *name,
                                 near.best ? "; did you mean '" : "", near.best ? near.best : "",
                                 near.best ? "'?" : ""));
    }
}

/* Only those that were asked for, which are taken as they are where nobody could list them. */
static void keep_named(struct probe *probe)
{
    struct accounts *accounts = probe->accounts;
    const char *const *names = probe->options.names;
    uint32_t kept = 0;
    if (!names)
        return;
    if (!accounts->all.len) {
        for (const char *const *name = names; *name; name++)
            accounts_add(accounts, *name, strlen(*name));
        return;
    }
    note_unknown(probe);
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        bool wanted = false;
        for (const char *const *name = names; *name; name++)
            wanted |= !strcasecmp(*name, accounts->all.at[i].name);
        if (wanted)
            accounts->all.at[kept++] = accounts->all.at[i];
    }
    accounts->all.len = kept;
}

static void round_measure(struct probe *probe)
{
    keep_named(probe);
    if (!probe->accounts->all.len)
        return;
    const char *manager[] = {"scontrol",
                             "-o",
                             "show",
                             "assoc_mgr",
                             "flags=assoc,qos",
                             listed(probe, "accounts=", false),
                             listed(probe, "qos=", true),
                             NULL};
    const char *queue[] = {"squeue", "-h",
                           "-a",     "-r",
                           "-t",     "R,S,CF,CG,PD,RQ",
                           "-A",     listed(probe, "", false),
                           "-O",     "Account:|,QOS:|,State:|,UserName:|,tres-alloc:|",
                           NULL};
    ask(probe, ALWAYS, read_assoc_mgr, manager);
    ask(probe, ALWAYS, read_queue, queue);
}

/* The accounts above them, and above these, as they become known. */
static void round_parents(struct probe *probe)
{
    struct buf list = {0};
    for (uint32_t i = 0; i < probe->accounts->parents.len; i++) {
        struct parent *parent = &probe->accounts->parents.at[i];
        if (!parent->asked)
            buf_printf(&list, "%s%s", list.len ? "," : "accounts=", parent->name);
        parent->asked = true;
    }
    if (list.len) {
        const char *words[] = {"scontrol",    "-o",
                               "show",        "assoc_mgr",
                               "flags=assoc", arena_str(&probe->arena, buf_text(&list)),
                               NULL};
        ask(probe, ALWAYS, read_assoc_mgr, words);
        probe->round--; /* this one again */
    }
    buf_free(&list);
}

/* Versions of Slurm before 20.02 know no separators in -O. */
static void round_old_queue(struct probe *probe)
{
    const char *queue[] = {"squeue", "-h",
                           "-a",     "-r",
                           "-t",     "R,S,CF,CG,PD",
                           "-A",     listed(probe, "", false),
                           "-o",     "%a|%q|%T|%u|%D|%C|%m|%b",
                           NULL};
    if (probe->accounts->all.len && !probe->accounts->queue_seen && !probe->late)
        ask(probe, ALWAYS, read_old_queue, queue);
}

static bool lacks_limit(const struct account *account)
{
    return account->limit_from == FROM_NOBODY;
}

static bool any_account(const struct probe *probe, bool (*lacks)(const struct account *account))
{
    for (uint32_t i = 0; i < probe->accounts->all.len; i++)
        if (lacks(&probe->accounts->all.at[i]))
            return true;
    return false;
}

static void round_limits(struct probe *probe)
{
    const char *qos[] = {
        "sacctmgr", "-nP", "show", "qos", listed(probe, "", true), "format=name,grptres", NULL};
    if (any_account(probe, lacks_limit) && !probe->options.again)
        ask(probe, ALWAYS, read_qos, qos);
}

static void name_untold(const char *name, bool *told, struct buf *list)
{
    if (!*told)
        buf_printf(list, "%s%s", list->len ? "," : "account=", name);
    *told = true;
}

/* Associations that scontrol has not shown: it does not answer, or shows the user's own alone, as
 * the use of others is private (PrivateData). */
static void round_hidden(struct probe *probe)
{
    struct accounts *accounts = probe->accounts;
    struct buf list = {0};
    for (uint32_t i = 0; i < accounts->all.len; i++)
        name_untold(accounts->all.at[i].name, &accounts->all.at[i].told, &list);
    for (uint32_t i = 0; i < accounts->parents.len; i++)
        name_untold(accounts->parents.at[i].name, &accounts->parents.at[i].told, &list);
    if (list.len && !probe->options.again) {
        const char *words[] = {"sacctmgr",
                               "-nP",
                               "show",
                               "assoc",
                               "format=account,user,parentname,grptres",
                               arena_str(&probe->arena, buf_text(&list)),
                               accounts->cluster_name ? arena_printf(&probe->arena, "cluster=%s",
                                                                     accounts->cluster_name)
                                                      : NULL,
                               NULL};
        ask(probe, ALWAYS, read_account_limits, words);
        probe->round--; /* those above these, as they become known */
    }
    buf_free(&list);
}

static bool lacks_use(const struct account *account)
{
    return account->use_from == FROM_NOBODY;
}

static void round_site(struct probe *probe)
{
    if (probe->accounts->queue_seen && !any_account(probe, lacks_limit))
        return;
    for (uint32_t i = 0; i < probe->accounts->all.len; i++) {
        const struct account *account = &probe->accounts->all.at[i];
        const char *words[] = {"slurmInfo", "-g", account->name, NULL};
        if (lacks_limit(account) || lacks_use(account))
            ask(probe, UNLESS_ABSENT, read_slurminfo, words);
    }
}

static bool is_open_ended(const struct account *account)
{
    struct tres limit = tres_tighter(account->qos_limit, account->own_limit);
    return limit.cpu < 0 || limit.mem_mb < 0 || limit.gpu < 0;
}

static void round_nodes(struct probe *probe)
{
    const char *words[] = {"scontrol", "-o", "show", "node", NULL};
    if (any_account(probe, is_open_ended) && !probe->options.again)
        ask(probe, ALWAYS, read_nodes, words);
}

static void round_partitions(struct probe *probe)
{
    const char *words[] = {"sinfo", "-h", "-a", "-o", "%P|%G", NULL};
    if (probe->options.partitions)
        ask(probe, ALWAYS, read_partitions, words);
}

static void (*const rounds[])(struct probe *probe) = {
    round_find,   round_read,   round_find_cached, round_measure, round_parents,   round_old_queue,
    round_limits, round_hidden, round_site,        round_nodes,   round_partitions};
enum { ROUNDS = sizeof rounds / sizeof *rounds };

static void free_probe(struct probe *probe)
{
    timer_close(probe->turn);
    vec_free(&probe->running);
    arena_free(&probe->arena);
    free(probe);
}

static void finish(struct probe *probe)
{
    void (*on_done)(void *user) = probe->on_done;
    void *user = probe->user;
    accounts_finish(probe->accounts);
    free_probe(probe);
    on_done(user);
}

static void on_round(void *user)
{
    struct probe *probe = user;
    timer_end(&probe->turn);
    while (!probe->running.len && probe->round < ROUNDS)
        rounds[probe->round++](probe);
    if (!probe->running.len)
        finish(probe);
}

struct probe *probe_start(struct loop *loop, const struct probe_options *options,
                          struct accounts *accounts, void (*on_done)(void *user), void *user)
{
    struct probe *probe = memory_zeroed(1, sizeof *probe);
    *probe = (struct probe){
        .loop = loop, .options = *options, .accounts = accounts, .on_done = on_done, .user = user};
    probe->env = clean_environment(&probe->arena);
    if (options->again)
        accounts_forget_use(accounts);
    probe->turn = timer_open(loop, 0, 0, on_round, probe);
    return probe;
}

void probe_stop(struct probe *probe)
{
    for (uint32_t i = 0; probe && i < probe->running.len; i++) {
        process_forget(probe->running.at[i]->process);
        free(probe->running.at[i]);
    }
    if (probe)
        free_probe(probe);
}

static void on_probed(void *user)
{
    loop_stop(user);
}

bool probe_accounts(const struct probe_options *options, struct accounts *accounts)
{
    struct loop *loop = loop_new();
    probe_start(loop, options, accounts, on_probed, loop);
    loop_run(loop, NULL, NULL);
    loop_free(loop);
    return accounts->all.len > 0;
}
