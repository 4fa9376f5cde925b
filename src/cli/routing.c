// SPDX-License-Identifier: MIT
#include "cli/routing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/numbers.h"
#include "cli/yamlfile.h"

static const struct json *config_of(struct session *s)
{
    return value_tree(s->workflow->vm, &s->arena, s->workflow->config.v);
}

/* Slots of an account in the config: a number, also as a text; where it is not given or below 0,
 * its limits say. */
static bool read_slots(struct session *s, const char *name, const struct json *entry,
                       const char *key, int64_t *out)
{
    enum { MOST = 100000 };
    const struct json *value = json_get(entry, key);
    bool scalar = value && (value->kind == JSON_NUMBER || value->kind == JSON_STRING);
    char *end = NULL;
    double n = scalar ? strtod(value->text, &end) : 0;
    *out = -1;
    if (!value || value->kind == JSON_NULL || (scalar && n < 0))
        return true;
    if (!end || end == value->text || *end || !(n <= MOST))
        return complain(s->diags, (struct span){0},
                        "resources.accounts: %s of '%s' must be a number up to %d%s%s", key, name,
                        MOST, scalar ? ", not " : "", scalar ? value->text : "");
    *out = (int64_t)n;
    return true;
}

static const char like[] = "an entry is like '{name: maigan, gpu_slots: 2, cpu_slots: 8}'";

static bool from_config(struct session *s, const struct json *entry, uint32_t number,
                        struct route_account *out)
{
    *out = (struct route_account){.name = json_text(json_get(entry, "name"), NULL),
                                  .partition = {json_text(json_get(entry, "partition_gpu"), NULL),
                                                json_text(json_get(entry, "partition_cpu"), NULL)}};
    if (!out->name || !*out->name) {
        complain(s->diags, (struct span){0},
                 "resources.accounts: entry %u of the config has no name", number);
        diag_hint(s->diags, "%s", like);
        return false;
    }
    return read_slots(s, out->name, entry, "gpu_slots", &out->slots[DEVICE_GPU]) &&
           read_slots(s, out->name, entry, "cpu_slots", &out->slots[DEVICE_CPU]);
}

static bool all_usable(struct session *s, const struct accounts *now,
                       const struct route_account **out, uint32_t *n)
{
    struct route_account *list = arena_array(&s->arena, struct route_account,
                                             (now ? now->all.len : 0) + 1);
    *out = list;
    for (uint32_t i = 0; now && i < now->all.len; i++)
        if (account_usable(&now->all.at[i]))
            list[(*n)++] = (struct route_account){.name = now->all.at[i].name, .slots = {-1, -1}};
    return true;
}

static const struct json *account_list(struct session *s)
{
    const struct json *list = json_get(json_get(config_of(s), "resources"), "accounts");
    bool full = list && list->kind != JSON_NULL && list->kind != JSON_FALSE &&
                (list->len || list->kind == JSON_TRUE);
    return full ? list : NULL;
}

bool routing_lists_accounts(struct session *s)
{
    return account_list(s) != NULL;
}

/* One that is listed and cannot be used: a workflow that goes by the slots of its list sends jobs
 * there all the same. */
static void tell_unusable(struct session *s, const char *name, bool known, bool gone)
{
    warn(s->diags, (struct span){0}, "resources.accounts lists '%s', %s%s", name,
         known ? "which is left out (see the table of accounts)"
               : "which is none of the accounts that there are now",
         gone ? ": its jobs go to the others of the list" : "");
    diag_hint(s->diags, "'kintsugi-flow config --update-accounts PROJECT' takes it from the list");
}

/* Its slots would count twice. */
static bool is_listed(const struct route_account *accounts, uint32_t n, const char *name)
{
    while (n && strcasecmp(accounts[n - 1].name, name))
        n--;
    return n > 0;
}

bool routing_accounts(struct session *s, const struct accounts *now,
                      const struct route_account **out, uint32_t *n, struct words *gone)
{
    const struct json *list = account_list(s);
    uint32_t number = 0;
    *n = 0;
    if (!list)
        return all_usable(s, now, out, n);
    struct route_account *accounts = arena_array(&s->arena, struct route_account, list->len + 1);
    *out = accounts;
    if (list->kind != JSON_ARRAY && list->kind != JSON_OBJECT) {
        complain(s->diags, (struct span){0}, "resources.accounts of the config is no list");
        diag_hint(s->diags, "%s", like);
        return false;
    }
    bool single = list->kind == JSON_OBJECT; /* an entry without a list around it */
    for (const struct json *entry = single ? list : json_first(list); entry;
         entry = single ? NULL : entry->next) {
        struct route_account account;
        if (!from_config(s, entry, ++number, &account))
            return false;
        if (is_listed(accounts, *n, account.name)) {
            warn(s->diags, (struct span){0},
                 "resources.accounts lists '%s' more than once: its first entry counts",
                 account.name);
            continue;
        }
        const struct account *known = now ? accounts_find(now, account.name, strlen(account.name))
                                          : NULL;
        account.name = known ? known->name : account.name; /* as Slurm spells it */
        bool usable = known && account_usable(known);
        bool is_gone = gone && now && !known && now->enforced;
        if (now && !usable)
            tell_unusable(s, account.name, known != NULL, is_gone);
        if (is_gone)
            words_add(gone, account.name);
        else if (!known || usable)
            accounts[(*n)++] = account;
    }
    return true;
}

bool routing_cpu_factor(struct session *s, double *out)
{
    enum { MOST = 10000 };
    const struct json *config = config_of(s), *outer = json_get(config, "cpu_time_multiplier"),
                      *inner = json_get(json_get(config, "resources"), "cpu_time_multiplier"),
                      *value = outer ? outer : inner;
    bool scalar = value && (value->kind == JSON_NUMBER || value->kind == JSON_STRING);
    char *end = NULL;
    *out = scalar ? strtod(value->text, &end) : 0;
    if (!value || value->kind == JSON_NULL)
        return true;
    if (!end || end == value->text || *end || !(*out > 0 && *out <= MOST))
        return complain(s->diags, (struct span){0},
                        "cpu_time_multiplier in the config must be a number above 0 and up to "
                        "%d%s%s",
                        MOST, scalar ? ", not " : "", scalar ? value->text : "");
    return true;
}

struct recollection {
    void (*know)(void *user, const char *rule, enum device device, double seconds);
    void *user;
};

static void recall_one(void *user, const struct attempt_record *attempt)
{
    struct recollection *recollection = user;
    bool cpu = attempt->resources && strstr(attempt->resources, "device=cpu");
    recollection->know(recollection->user, attempt->rule, cpu ? DEVICE_CPU : DEVICE_GPU,
                       (double)(attempt->end_ns - attempt->start_ns) * 1e-9);
}

void routing_recall(struct session *s,
                    void (*know)(void *user, const char *rule, enum device device, double seconds),
                    void *user)
{
    struct recollection recollection = {know, user};
    if (s->state)
        state_attempts(s->state, recall_one, &recollection);
}

bool routing_pace(struct session *s, int64_t *patience_ns, int64_t *look_ns)
{
    enum { LOOK_S = 30, PATIENCE_S = 60 };
    double patience_s;
    if (!number_seconds(&s->options, s->diags, OPT_REROUTE_AFTER, PATIENCE_S, &patience_s))
        return false;
    double half = patience_s / 2, look_s = half < 1 ? 1 : half > LOOK_S ? LOOK_S : half;
    *patience_ns = (int64_t)(patience_s * 1e9);
    *look_ns = (int64_t)(look_s * 1e9);
    return true;
}

bool routing_inject(struct session *s, const struct accounts *now)
{
    word_list *words = &s->options.words[OPT_CONFIG];
    struct buf text = {0};
    for (uint32_t i = 0; i < words->len; i++)
        if (!strncmp(words->at[i], "live_accounts=", 14))
            return false;
    buf_str(&text, "live_accounts=");
    accounts_json(now, &text);
    vec_push(words, arena_str(&s->options.arena, buf_text(&text)));
    vec_push(words, NULL);
    words->len--;
    s->options.given[OPT_CONFIG] = true;
    buf_free(&text);
    return true;
}
