// SPDX-License-Identifier: MIT
/* accounts_text.c: accounts as a table for people and as JSON for workflows. */
#include <stdio.h>
#include <string.h>

#include "hpc/accounts.h"

static void cell_memory(struct buf *out, int64_t used_mb, int64_t limit_mb)
{
    char text[48];
    if (limit_mb < 0)
        snprintf(text, sizeof text, "%lld GB", (long long)(used_mb / 1024));
    else
        snprintf(text, sizeof text, "%lld of %lld GB", (long long)(used_mb / 1024),
                 (long long)(limit_mb / 1024));
    buf_printf(out, "  %-16s", text);
}

static void cell(struct buf *out, int64_t used, int64_t limit, int width)
{
    char text[48];
    if (limit < 0)
        snprintf(text, sizeof text, "%lld", (long long)used);
    else
        snprintf(text, sizeof text, "%lld of %lld", (long long)used, (long long)limit);
    buf_printf(out, "  %-*s", width, text);
}

/* "2 GPUs, 256 GB, 8 CPUs": what is there of it. */
static void amount_text(const struct tres *tres, struct buf *out)
{
    const char *comma = "";
    if (tres->gpu > 0) {
        buf_printf(out, "%lld GPU%s", (long long)tres->gpu, tres->gpu == 1 ? "" : "s");
        comma = ", ";
    }
    if (tres->mem_mb >= 1024) {
        buf_printf(out, "%s%lld GB", comma, (long long)(tres->mem_mb / 1024));
        comma = ", ";
    }
    buf_printf(out, "%s%lld CPU%s", comma, (long long)(tres->cpu > 0 ? tres->cpu : 0),
               tres->cpu == 1 ? "" : "s");
}

/* Users as squeue shows them, else as the controller counts them. */
static const struct holder *holders_of(const struct account *account, uint32_t *n)
{
    bool queue = account->holders.len > 0;
    *n = queue ? account->holders.len : account->counted.len;
    return queue ? account->holders.at : account->counted.at;
}

static bool holds_more(const struct tres *a, const struct tres *b)
{
    if (a->gpu != b->gpu)
        return a->gpu > b->gpu;
    return a->mem_mb != b->mem_mb ? a->mem_mb > b->mem_mb : a->cpu > b->cpu;
}

/* The one that holds most after that many others; NULL: nobody else. */
static const struct holder *next_holder(const struct holder *all, uint32_t n,
                                        const struct holder *after)
{
    const struct holder *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct holder *one = &all[i];
        bool counts = one->running.cpu > 0 || one->running.mem_mb > 0 || one->running.gpu > 0;
        bool later = !after || holds_more(&after->running, &one->running) ||
                     (!holds_more(&one->running, &after->running) && one > after);
        if (counts && later && (!best || holds_more(&one->running, &best->running)))
            best = one;
    }
    return best;
}

void account_holders_text(const struct account *account, struct buf *out)
{
    enum { SHOWN = 3 };
    uint32_t n, shown = 0;
    const struct holder *all = holders_of(account, &n), *one = NULL;
    while (shown < SHOWN && (one = next_holder(all, n, one))) {
        buf_printf(out, "%s%s ", shown++ ? "; " : "", one->user);
        amount_text(&one->running, out);
    }
    uint32_t others = 0;
    while (one && (one = next_holder(all, n, one)))
        others++;
    if (others)
        buf_printf(out, "; %u other%s", others, others == 1 ? "" : "s");
}

static void row(const struct accounts *accounts, const struct account *account, int width,
                struct buf *out)
{
    struct tres limit = account_limit(accounts, account);
    struct slots slots = account_slots(accounts, account);
    buf_printf(out, "  %-*s", width, account->name);
    cell(out, account->running.cpu, limit.cpu, 12);
    cell_memory(out, account->running.mem_mb, limit.mem_mb);
    cell(out, account->running.gpu, limit.gpu, 8);
    cell(out, slots.gpu_free, slots.gpu, 9);
    cell(out, slots.cpu_free, slots.cpu, 9);
    buf_str(out, "  ");
    size_t before = out->len;
    account_holders_text(account, out);
    struct tres none = {0};
    if (!tres_holds(none, account->pending)) {
        buf_str(out, out->len > before ? "; waiting: " : "waiting: ");
        amount_text(&account->pending, out);
    }
    while (out->len && out->at[out->len - 1] == ' ')
        out->at[--out->len] = 0;
    buf_char(out, '\n');
}

static int name_width(const struct accounts *accounts)
{
    size_t width = 7;
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        size_t n = strlen(accounts->all.at[i].name);
        width = n > width ? n : width;
    }
    return (int)width;
}

static void left_out(const struct accounts *accounts, int width, struct buf *out)
{
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        const struct account *account = &accounts->all.at[i];
        const struct blocked *blocked = account->blocked;
        if (blocked)
            buf_printf(out, "  %-*s  blocked since %s: %s (%s)\n", width, account->name,
                       blocked->date, blocked->reason, blocked->file);
        else if (account->burst)
            buf_printf(out, "  %-*s  left out: burst accounts lose jobs\n", width, account->name);
        else if (account->no_qos)
            buf_printf(out, "  %-*s  left out: it has no QOS; is it half deleted?\n", width,
                       account->name);
    }
}

static void total_line(struct buf *out, const char *name, int64_t all, int64_t idle)
{
    buf_printf(out, "  %-17s %4lld  (%lld free now)\n", name, (long long)all, (long long)idle);
}

static void totals(const struct accounts *accounts, struct buf *out)
{
    struct slots sum = {0};
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        struct slots slots = account_slots(accounts, &accounts->all.at[i]);
        if (!account_usable(&accounts->all.at[i]))
            continue;
        sum.gpu += slots.gpu;
        sum.cpu += slots.cpu;
        sum.gpu_free += slots.gpu_free;
        sum.cpu_free += slots.cpu_free;
    }
    buf_char(out, '\n');
    total_line(out, "GPU slots:", sum.gpu, sum.gpu_free);
    total_line(out, "CPU slots:", sum.cpu, sum.cpu_free);
    total_line(out, "Total concurrent:", sum.gpu + sum.cpu, sum.gpu_free + sum.cpu_free);
}

/* Where other users' jobs are private, the controller counts more than squeue shows. */
static void hidden_jobs(const struct accounts *accounts, struct buf *out)
{
    const char *comma = "Note: squeue does not show all jobs on ";
    uint32_t n = 0;
    for (uint32_t i = 0; accounts->queue_seen && i < accounts->all.len; i++) {
        const struct account *account = &accounts->all.at[i];
        bool fewer = account->queued.cpu < account->running.cpu ||
                     account->queued.mem_mb < account->running.mem_mb;
        if (account->use_from != FROM_SCONTROL || !fewer || !account_usable(account))
            continue;
        buf_printf(out, "%s%s", comma, account->name);
        comma = ", ";
        n++;
    }
    if (n)
        buf_str(out, ": what others wait for there is not counted.\n");
}

static void sources(const struct accounts *accounts, struct buf *out)
{
    static const char *const names[] = {"nobody", "scontrol show assoc_mgr", "sacctmgr", "squeue",
                                        "slurmInfo"};
    enum known_from limit = FROM_NOBODY, use = FROM_NOBODY;
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        limit = limit ? limit : accounts->all.at[i].limit_from;
        use = use ? use : accounts->all.at[i].use_from;
    }
    buf_printf(out, "\nLimits from %s, use from %s%s.\n", names[limit], names[use],
               accounts->queue_seen ? ", waiting jobs from squeue" : "");
    hidden_jobs(accounts, out);
    for (uint32_t i = 0; i < accounts->notes.len; i++)
        buf_printf(out, "Note: %s\n", accounts->notes.at[i]);
}

void accounts_table(const struct accounts *accounts, const char *user, struct buf *out)
{
    int width = name_width(accounts);
    buf_printf(out, "Accounts of %s%s%s\n\n", user, accounts->cluster_name ? " on " : "",
               accounts->cluster_name ? accounts->cluster_name : "");
    buf_printf(out, "  %-*s  %-12s  %-16s  %-8s  %-9s  %-9s  %s\n", width, "Account", "CPUs used",
               "Memory used", "GPUs", "GPU slots", "CPU slots", "In use by");
    buf_printf(out, "  %-*s  %-12s  %-16s  %-8s  %-9s  %-9s\n", width, "", "", "", "used", "free",
               "free");
    for (uint32_t i = 0; i < accounts->all.len; i++)
        if (account_usable(&accounts->all.at[i]))
            row(accounts, &accounts->all.at[i], width, out);
    left_out(accounts, width, out);
    totals(accounts, out);
    sources(accounts, out);
}

void accounts_json_of(const struct accounts *accounts, const struct slots *dealt, struct buf *out)
{
    const char *comma = "";
    buf_char(out, '[');
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        const struct account *account = &accounts->all.at[i];
        struct slots slots = dealt ? dealt[i] : account_slots(accounts, account);
        if (!account_usable(account))
            continue;
        buf_printf(out, "%s{\"name\":", comma);
        buf_json_text(out, account->name);
        buf_printf(out, ",\"gpu_avail\":%lld,\"cpu_avail\":%lld,\"mem_avail_gb\":%lld}",
                   (long long)(slots.gpu_free > 0 ? slots.gpu_free : 0),
                   (long long)(slots.cpu_free > 0 ? slots.cpu_free : 0),
                   (long long)(slots.mem_free_gb > 0 ? slots.mem_free_gb : 0));
        comma = ",";
    }
    buf_char(out, ']');
}

void accounts_json(const struct accounts *accounts, struct buf *out)
{
    accounts_json_of(accounts, NULL, out);
}
