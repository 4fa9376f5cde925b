// SPDX-License-Identifier: MIT
/* accounts_read.c: the output of Slurm's commands, read into accounts.
 *
 *     sacctmgr   clive|smith||clive,clive-b|clive|cpu=16|hpg   fields behind bars, a row a line
 *     squeue     clive|clive|RUNNING|drew|cpu=8,mem=256G,node=1,gres/gpu=1|
 *     scontrol   QOS=clive(2) ... GrpTRES=cpu=40(16),mem=319488(280576) ... User Limits= 1002={...
 *                MaxTRESPU=cpu=N(8),mem=N(262144)} 1001={...}
 *     slurmInfo  Investment (clive):  8  256  0  0  8  256     running, pending, total of CPUs, GB
 */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/gres.h"
#include "base/line.h"
#include "base/memsize.h"
#include "base/slurm_phase.h"
#include "hpc/accounts.h"

struct field {
    const char *at;
    size_t len;
};

static bool is(struct field field, const char *text)
{
    return field.len == strlen(text) && !memcmp(field.at, text, field.len);
}

/* The line at *text without its end; moves on. False at the end of the text. */
static bool next_line(const char **text, struct field *line)
{
    struct line all;
    if (!line_next(text, &all))
        return false;
    line_trim(&all);
    *line = (struct field){all.at, all.len};
    return true;
}

/* The fields of a line behind bars; those that are not there are empty. */
static uint32_t split(struct field line, struct field *out, uint32_t most)
{
    uint32_t n = 0;
    const char *at = line.at, *end = line.at + line.len;
    memset(out, 0, most * sizeof *out);
    while (n < most) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        out[n++] = (struct field){at, (size_t)((bar ? bar : end) - at)};
        while (out[n - 1].len && out[n - 1].at[out[n - 1].len - 1] == ' ')
            out[n - 1].len--;
        while (out[n - 1].len && *out[n - 1].at == ' ')
            out[n - 1].at++, out[n - 1].len--;
        if (!bar)
            break;
        at = bar + 1;
    }
    for (uint32_t i = n; i < most; i++)
        out[i].at = "";
    return n;
}

static int64_t whole(struct field field)
{
    char digits[20];
    size_t n = field.len < sizeof digits - 1 ? field.len : sizeof digits - 1;
    memcpy(digits, field.at, n);
    digits[n] = 0;
    int64_t value = strtoll(digits, NULL, 10);
    return value > 0 && value < UINT32_MAX ? value : 0;
}

/* ---- sacctmgr ---- */

/* The QOS that jobs get: the default one, else that of the account's name, else the first. */
static struct field pick_qos(struct field account, struct field list, struct field otherwise)
{
    if (otherwise.len || !list.len)
        return otherwise;
    const char *comma = memchr(list.at, ',', list.len);
    struct field first = {list.at, comma ? (size_t)(comma - list.at) : list.len};
    for (size_t at = 0; at < list.len;) {
        comma = memchr(list.at + at, ',', list.len - at);
        size_t n = comma ? (size_t)(comma - list.at) - at : list.len - at;
        if (n == account.len && !memcmp(list.at + at, account.at, n))
            return account;
        at += n + 1;
    }
    return first;
}

/* The value in a line "KEY   = VALUE" of the configuration. */
static bool config_value(struct field line, const char *key, struct field *value)
{
    size_t n = strlen(key);
    const char *sign = line.len > n && !memcmp(line.at, key, n)
                           ? memchr(line.at + n, '=', line.len - n)
                           : NULL;
    if (!sign)
        return false;
    size_t blanks = strspn(sign + 1, " ");
    *value = (struct field){sign + 1 + blanks, (size_t)(line.at + line.len - sign) - 1};
    value->len = value->len > blanks ? value->len - blanks : 0;
    return value->len;
}

bool accounts_read_config(struct accounts *accounts, const char *text)
{
    static const char enforced[] = "associations";
    struct field line, value;
    bool found = false;
    while (next_line(&text, &line)) {
        if (config_value(line, "ClusterName", &value)) {
            accounts->cluster_name = arena_copy(&accounts->arena, value.at,
                                                strcspn(value.at, " \r\n"));
            found = true;
        } else if (config_value(line, "AccountingStorageEnforce", &value)) {
            accounts->enforced = value.len >= sizeof enforced - 1 &&
                                 !memcmp(value.at, enforced, sizeof enforced - 1);
        }
    }
    return found;
}

/* Where one accounting is for several clusters, an account of another one is not to be had here. */
static bool is_elsewhere(const struct accounts *accounts, struct field cluster)
{
    const char *own = accounts->cluster_name;
    return own && cluster.len &&
           (strlen(own) != cluster.len || strncasecmp(own, cluster.at, cluster.len));
}

bool accounts_read_associations(struct accounts *accounts, const char *text)
{
    struct field line, f[7];
    bool found = false, any_qos = false;
    while (next_line(&text, &line)) {
        if (split(line, f, 7) < 5 || !f[0].len || is_elsewhere(accounts, f[6]))
            continue;
        bool known = accounts_find(accounts, f[0].at, f[0].len);
        struct account *account = accounts_add(accounts, f[0].at, f[0].len);
        struct field qos = pick_qos(f[0], f[3], f[4]);
        if (qos.len && (!known || account->no_qos))
            account->qos = arena_copy(&accounts->arena, qos.at, qos.len);
        account->no_qos = !qos.len && (!known || account->no_qos);
        any_qos |= qos.len > 0;
        struct tres limit = tres_unset;
        tres_read(f[5].at, f[5].len, &limit, NULL);
        account->own_limit = tres_tighter(account->own_limit, limit);
        found = true;
    }
    for (uint32_t i = 0; !any_qos && i < accounts->all.len; i++)
        accounts->all.at[i].no_qos = false; /* a site without QOS */
    return found;
}

/* The name of an account that is above another, kept once. NULL: the root's. */
static const char *above(struct accounts *accounts, struct field name)
{
    if (!name.len)
        return NULL;
    const char *text = arena_copy(&accounts->arena, name.at, name.len);
    const struct parent *known = accounts_parent(accounts, text);
    if (known)
        return known->name;
    vec_push(&accounts->parents, ((struct parent){.name = text, .limit = tres_unset}));
    return text;
}

/* What an account may use that stands above others. */
static struct parent *tell_parent(struct accounts *accounts, struct field name,
                                  struct field its_parent, struct tres limit)
{
    for (uint32_t i = 0; i < accounts->parents.len; i++) {
        if (!is(name, accounts->parents.at[i].name))
            continue;
        const char *parent = above(accounts, its_parent);
        accounts->parents.at[i].parent = parent;
        accounts->parents.at[i].limit = limit;
        accounts->parents.at[i].told = true;
        return &accounts->parents.at[i];
    }
    return NULL;
}

bool accounts_read_account_limits(struct accounts *accounts, const char *text)
{
    struct field line, f[4];
    bool found = false;
    while (next_line(&text, &line)) {
        if (split(line, f, 4) < 4 || f[1].len)
            continue;
        struct account *account = accounts_find(accounts, f[0].at, f[0].len);
        struct tres limit = tres_unset;
        tres_read(f[3].at, f[3].len, &limit, NULL);
        found |= tell_parent(accounts, f[0], f[2], limit) || account;
        if (!account)
            continue;
        account->own_limit = tres_tighter(account->own_limit, limit);
        account->parent = above(accounts, f[2]);
        account->told = true;
    }
    return found;
}

bool accounts_read_qos(struct accounts *accounts, const char *text)
{
    struct field line, f[2];
    bool found = false;
    while (next_line(&text, &line)) {
        if (split(line, f, 2) < 2)
            continue;
        for (uint32_t i = 0; i < accounts->all.len; i++) {
            struct account *account = &accounts->all.at[i];
            if (!is(f[0], account->qos))
                continue;
            account->qos_limit = tres_unset;
            tres_read(f[1].at, f[1].len, &account->qos_limit, NULL);
            account->limit_from = FROM_SACCTMGR;
            found = true;
        }
    }
    return found;
}

/* ---- scontrol show assoc_mgr ---- */

/* A record being read. */
struct record {
    enum { OTHER, ASSOCIATION, QOS } kind;
    bool of_users; /* inside User Limits */
    bool told;     /* what follows is a comment */
    struct field name, user, parent;
    struct tres limit, used;
    bool has_tres;
    VEC(struct holder) users;
};

static struct holder *holder_of(struct accounts *accounts, struct account *account,
                                struct field user)
{
    for (uint32_t i = 0; i < account->holders.len; i++)
        if (is(user, account->holders.at[i].user))
            return &account->holders.at[i];
    struct holder holder = {.user = arena_copy(&accounts->arena, user.at, user.len)};
    vec_push(&account->holders, holder);
    return &account->holders.at[account->holders.len - 1];
}

static void close_qos(struct account *account, const struct record *record)
{
    account->qos_limit = record->limit;
    account->qos_used = record->used;
    account->limit_from = account->use_from = FROM_SCONTROL;
    account->counted.len = 0;
    for (uint32_t i = 0; i < record->users.len; i++)
        vec_push(&account->counted, record->users.at[i]);
}

/* The account's own association, or one of the user's. */
static void close_association(struct account *account, const struct record *record)
{
    account->own_limit = tres_tighter(account->own_limit, record->limit);
    if (record->user.len)
        return;
    account->own_used = record->used;
    account->told = account->counts = true;
    if (account->use_from == FROM_NOBODY)
        account->use_from = FROM_SCONTROL;
    if (account->limit_from == FROM_NOBODY)
        account->limit_from = FROM_SCONTROL;
}

static bool close_record(struct accounts *accounts, struct record *record, const char *add)
{
    bool found = false;
    if (record->kind == ASSOCIATION && add && is(record->user, add) && record->name.len)
        accounts_add(accounts, record->name.at, record->name.len);
    struct parent *parent = record->kind == ASSOCIATION && record->has_tres && !record->user.len
                                ? tell_parent(accounts, record->name, record->parent, record->limit)
                                : NULL;
    if (parent)
        parent->used = record->used;
    for (uint32_t i = 0; record->has_tres && i < accounts->all.len; i++) {
        struct account *account = &accounts->all.at[i];
        bool own = record->kind == ASSOCIATION && is(record->name, account->name);
        if (record->kind == QOS && is(record->name, account->qos))
            close_qos(account, record);
        else if (own && (!record->user.len || (add && is(record->user, add))))
            close_association(account, record);
        else
            continue;
        if (own && !record->user.len)
            account->parent = above(accounts, record->parent);
        found = true;
    }
    vec_free(&record->users);
    *record = (struct record){.limit = tres_unset};
    return found;
}

/* What stands behind KEY= in a word, without what follows in parentheses if cut. */
static bool value_of(struct field word, const char *key, bool cut, struct field *out)
{
    size_t n = strlen(key);
    if (word.len < n || memcmp(word.at, key, n))
        return false;
    const char *open = cut ? memchr(word.at + n, '(', word.len - n) : NULL;
    *out = (struct field){word.at + n, open ? (size_t)(open - word.at) - n : word.len - n};
    while (out->len && out->at[out->len - 1] == '}')
        out->len--;
    return true;
}

/* "1002", or "drew(1002)" of newer versions; both may go on with ={ and the first value. */
static bool begin_user(struct accounts *accounts, struct record *record, struct field word)
{
    size_t n = 0;
    while (n < word.len && word.at[n] != '(' && word.at[n] != '=')
        n++;
    bool number = n > 0;
    for (size_t i = 0; i < n; i++)
        number &= word.at[i] >= '0' && word.at[i] <= '9';
    if (!n || (!number && (n == word.len || word.at[n] != '(')))
        return false;
    struct passwd *entry = number ? getpwuid((uid_t)whole((struct field){word.at, n})) : NULL;
    struct holder user = {.user = entry ? arena_str(&accounts->arena, entry->pw_name)
                                        : arena_copy(&accounts->arena, word.at, n)};
    vec_push(&record->users, user);
    return true;
}

static void user_word(struct accounts *accounts, struct record *record, struct field word)
{
    struct field value;
    const char *open = memchr(word.at, '{', word.len);
    if (begin_user(accounts, record, word) && open)
        word = (struct field){open + 1, (size_t)(word.at + word.len - open) - 1};
    struct holder *user = record->users.len ? &record->users.at[record->users.len - 1] : NULL;
    struct tres limit = tres_unset, used = {0};
    if (user && value_of(word, "MaxTRESPU=", false, &value)) {
        tres_read(value.at, value.len, &limit, &used);
        user->running = used;
    } else if (user && value_of(word, "MaxJobsPU=", false, &value)) {
        const char *count = memchr(value.at, '(', value.len);
        if (count)
            user->nrunning = (uint32_t)whole(
                (struct field){count + 1, (size_t)(value.at + value.len - count) - 1});
    }
}

static bool begin_record(struct accounts *accounts, struct record *record, struct field word,
                         const char *add, bool *found)
{
    struct field value;
    bool qos = value_of(word, "QOS=", true, &value);
    if (!qos && !value_of(word, "ClusterName=", false, &value))
        return false;
    *found |= close_record(accounts, record, add);
    record->kind = qos ? QOS : ASSOCIATION;
    if (qos)
        record->name = value;
    else if (!accounts->cluster_name && value.len)
        accounts->cluster_name = arena_copy(&accounts->arena, value.at, value.len);
    return true;
}

static void record_word(struct accounts *accounts, struct record *record, struct field before,
                        struct field word)
{
    struct field value;
    if (value_of(word, "Comment=", false, &value))
        record->told = true;
    if (record->told)
        return;
    if (is(word, "Limits") || is(word, "Limits="))
        record->of_users = is(before, "User");
    else if (record->of_users)
        user_word(accounts, record, word);
    else if (record->kind == ASSOCIATION && value_of(word, "Account=", false, &value))
        record->name = value;
    else if (record->kind == ASSOCIATION && value_of(word, "UserName=", true, &value))
        record->user = value;
    else if (record->kind == ASSOCIATION && value_of(word, "ParentAccount=", true, &value))
        record->parent = value;
    else if (record->kind != OTHER && value_of(word, "GrpTRES=", false, &value)) {
        tres_read(value.at, value.len, &record->limit, &record->used);
        record->has_tres = true;
    }
}

bool accounts_read_assoc_mgr(struct accounts *accounts, const char *text, const char *add)
{
    struct record record = {.limit = tres_unset};
    struct field before = {"", 0};
    const char *start = text;
    bool found = false;
    for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
        struct field word = {text, strcspn(text, " \t\r\n")};
        bool first = text == start || text[-1] == '\n'; /* of a line */
        if (!first || !begin_record(accounts, &record, word, add, &found))
            record_word(accounts, &record, before, word);
        before = word;
        text += word.len;
    }
    return found | close_record(accounts, &record, add);
}

/* ---- squeue ---- */

static void count_job(struct accounts *accounts, struct account *account, struct field state,
                      struct field user, const struct tres *tres)
{
    struct holder *holder = holder_of(accounts, account, user);
    bool pending = slurm_phase(state.at) == SLURM_PENDING;
    tres_add(pending ? &account->pending : &account->queued, tres);
    tres_add(pending ? &holder->pending : &holder->running, tres);
    ++*(pending ? &holder->npending : &holder->nrunning);
}

/* %D|%C|%m|%b: memory is that of one node. */
static struct tres old_tres(const struct field *f)
{
    struct tres tres = {.cpu = whole(f[1]), .gpu = gres_gpus(f[3].at, f[3].len)};
    int64_t nodes = whole(f[0]) & 0xfffff; /* no more nodes than this: nothing overflows */
    int64_t mb = memsize_mb(f[2].at, f[2].len);
    if (mb > 0)
        tres.mem_mb = mb * (nodes ? nodes : 1);
    tres.gpu *= nodes ? nodes : 1;
    return tres;
}

bool accounts_read_queue(struct accounts *accounts, const char *text)
{
    struct field line, f[8];
    bool any = false, rows = false;
    while (next_line(&text, &line)) {
        uint32_t n = split(line, f, 8);
        any |= line.len > 0;
        rows |= n >= 5;
        struct account *account = n >= 5 ? accounts_find(accounts, f[0].at, f[0].len) : NULL;
        if (!account)
            continue;
        struct tres tres = tres_unset;
        if (n == 8)
            tres = old_tres(f + 4);
        else
            tres_read(f[4].at, f[4].len, &tres, NULL);
        count_job(accounts, account, f[2], f[3], &tres);
    }
    accounts->queue_seen |= rows || !any;
    return rows || !any;
}

/* ---- slurmInfo ---- */

/* Up to n numbers at the start of a text; how many there were. */
static uint32_t numbers(struct field text, double *out, uint32_t n)
{
    uint32_t found = 0;
    while (found < n) {
        while (text.len && (*text.at == ' ' || *text.at == '\t'))
            text.at++, text.len--;
        char word[32], *end;
        size_t len = 0;
        while (len < text.len && text.at[len] != ' ' && text.at[len] != '\t')
            len++;
        if (!len || len >= sizeof word)
            break;
        memcpy(word, text.at, len);
        word[len] = 0;
        out[found] = strtod(word, &end);
        if (*end || !(out[found] >= 0 && out[found] < 1e9))
            break;
        found++;
        text.at += len;
        text.len -= len;
    }
    return found;
}

static struct field trimmed(struct field line)
{
    while (line.len && (*line.at == ' ' || *line.at == '\t'))
        line.at++, line.len--;
    return line;
}

/* "clive 744 40 312 1": hours, CPUs, GB, GPUs of the investment. */
static bool slurminfo_limit(struct accounts *accounts, struct field line)
{
    double n[4];
    size_t len = 0;
    while (len < line.len && line.at[len] != ' ' && line.at[len] != '\t')
        len++;
    struct account *account = accounts_find(accounts, line.at, len);
    if (!account || numbers((struct field){line.at + len, line.len - len}, n, 4) < 4)
        return false;
    account->qos_limit = (struct tres){(int64_t)n[1], (int64_t)(n[2] * 1024), (int64_t)n[3]};
    account->limit_from = FROM_SLURMINFO;
    return true;
}

/* "Investment (clive): 8 256 0 0 8 256" */
static bool slurminfo_use(struct accounts *accounts, struct field line)
{
    static const char head[] = "Investment (";
    size_t n = sizeof head - 1;
    double use[6];
    const char *close = line.len > n && !memcmp(line.at, head, n)
                            ? memchr(line.at + n, ')', line.len - n)
                            : NULL;
    struct account *account =
        close ? accounts_find(accounts, line.at + n, (size_t)(close - line.at) - n) : NULL;
    const char *colon = account ? memchr(close, ':', (size_t)(line.at + line.len - close)) : NULL;
    if (!colon ||
        numbers((struct field){colon + 1, (size_t)(line.at + line.len - colon) - 1}, use, 6) < 6)
        return false;
    account->running.cpu = (int64_t)use[0];
    account->running.mem_mb = (int64_t)(use[1] * 1024);
    account->running.gpu = account->queued.gpu; /* it says nothing of GPUs: squeue does */
    account->pending.cpu = (int64_t)use[2];
    account->pending.mem_mb = (int64_t)(use[3] * 1024);
    account->use_from = FROM_SLURMINFO;
    return true;
}

bool accounts_read_slurminfo(struct accounts *accounts, const char *text)
{
    struct field line;
    bool found = false;
    while (next_line(&text, &line)) {
        line = trimmed(line);
        found |= slurminfo_use(accounts, line) || slurminfo_limit(accounts, line);
    }
    return found;
}

/* ---- scontrol show node ---- */

bool accounts_read_nodes(struct accounts *accounts, const char *text)
{
    bool found = false;
    accounts->cluster = (struct tres){0};
    for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
        struct field word = {text, strcspn(text, " \t\r\n")}, value;
        struct tres node = tres_unset;
        text += word.len;
        if (!value_of(word, "CfgTRES=", false, &value))
            continue;
        tres_read(value.at, value.len, &node, NULL);
        tres_add(&accounts->cluster, &node);
        found = true;
    }
    return found;
}

/* ---- sinfo ---- */

static bool is_listed(const char *list, struct field name)
{
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == name.len && !memcmp(at, name.at, name.len))
            return true;
    return false;
}

bool accounts_read_partitions(struct accounts *accounts, const char *text)
{
    struct field line, f[2];
    bool found = false, by_default = false;
    while (next_line(&text, &line)) {
        if (split(line, f, 2) < 2 || !f[0].len)
            continue;
        bool star = f[0].at[f[0].len - 1] == '*';
        f[0].len -= star;
        found = true;
        const char *gpus = accounts->gpu_partitions;
        if (gres_gpus(f[1].at, f[1].len)) {
            if (!is_listed(gpus, f[0]))
                accounts->gpu_partitions = arena_printf(&accounts->arena, "%s%s%.*s",
                                                        gpus ? gpus : "", gpus ? "," : "",
                                                        (int)f[0].len, f[0].at);
        } else if (!accounts->cpu_partition || (star && !by_default)) {
            accounts->cpu_partition = arena_copy(&accounts->arena, f[0].at, f[0].len);
            by_default = star;
        }
    }
    return found;
}
