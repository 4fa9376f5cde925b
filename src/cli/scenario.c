// SPDX-License-Identifier: MIT
#include "cli/scenario.h"

#include <string.h>

#include "cli/yamlfile.h"
#include "hpc/probe.h"

static const double NS = 1e9;
enum { MOST_LOADS = 100000 };
static const int64_t FOREVER = INT64_C(1) << 60;

/* cpu, mem_gb, gpu. */
static bool amounts(const struct yaml_part *part, int64_t otherwise, struct tres *out)
{
    double cpu = (double)otherwise, mem_gb = -1, gpu = (double)otherwise;
    if (!yaml_number(part, "cpu", &cpu) || !yaml_number(part, "mem_gb", &mem_gb) ||
        !yaml_number(part, "gpu", &gpu))
        return false;
    *out = (struct tres){(int64_t)cpu, mem_gb < 0 ? otherwise : (int64_t)(mem_gb * 1024),
                         (int64_t)gpu};
    return true;
}

static bool read_accounts(struct arena *in, struct diags *dx, const char *path,
                          const struct json *list, struct scenario *out)
{
    for (const struct json *entry = json_first(list); entry; entry = entry->next) {
        struct yaml_part part = {
            dx, arena_printf(in, "%s: account %u", path, out->accounts.all.len + 1), entry};
        const char *name = json_text(json_get(entry, "name"), NULL);
        struct tres limit;
        if (!yaml_knows(&part, "name cpu mem_gb gpu") || !amounts(&part, TRES_UNSET, &limit))
            return false;
        if (!name)
            return complain(dx, (struct span){0}, "%s has no name", part.what);
        if (accounts_find(&out->accounts, name, strlen(name)))
            return complain(dx, (struct span){0}, "%s: '%s' is there already", part.what, name);
        struct account *account = accounts_add(&out->accounts, name, strlen(name));
        account->qos_limit = account->limit = limit;
        account->limit_from = account->use_from = FROM_SCONTROL;
    }
    return out->accounts.all.len ||
           complain(dx, (struct span){0}, "%s: there are no accounts", path);
}

static bool add_load(struct arena *in, const struct yaml_part *part, struct scenario *out)
{
    const char *name = json_text(json_get(part->entry, "account"), "");
    struct account *account = accounts_find(&out->accounts, name, strlen(name));
    double at = 0, lasts = -1, n = 1;
    struct tres request;
    if (!yaml_knows(part, "account user at for cpu mem_gb gpu count") ||
        !yaml_number(part, "at", &at) || !yaml_number(part, "for", &lasts) ||
        !yaml_number(part, "count", &n) || !amounts(part, 0, &request))
        return false;
    if (!account)
        return complain(part->dx, (struct span){0},
                        "%s is on account '%s', which is not in the list", part->what, name);
    if (n > MOST_LOADS)
        return yaml_refuse(part, "count", "is more than this takes");
    struct model_job job = {.account = (uint32_t)(account - out->accounts.all.at),
                            .request = request,
                            .run_ns = lasts < 0 ? FOREVER : (int64_t)(lasts * NS)};
    const char *user = arena_str(in, json_text(json_get(part->entry, "user"), "others"));
    for (; n >= 1; n--) {
        vec_push(&out->load, job);
        vec_push(&out->load_user, user);
        vec_push(&out->load_ns, (int64_t)(at * NS));
        if (at <= 0)
            tres_add(&account->running, &job.request);
    }
    return true;
}

static bool read_load(struct arena *in, struct diags *dx, const char *path, const struct json *list,
                      struct scenario *out)
{
    uint32_t n = 0;
    for (const struct json *entry = json_first(list); entry; entry = entry->next) {
        struct yaml_part part = {dx, arena_printf(in, "%s: load %u", path, ++n), entry};
        if (!add_load(in, &part, out))
            return false;
    }
    return true;
}

static bool read_times(struct arena *in, struct diags *dx, const char *path,
                       const struct json *times, struct scenario *out)
{
    struct yaml_part all = {dx, arena_printf(in, "%s: times", path), times};
    for (const struct json *entry = json_first(times); entry; entry = entry->next) {
        struct scenario_time time = {.rule = entry->key};
        struct yaml_part part = {
            dx, arena_printf(in, "%s of %s", all.what, entry->key ? entry->key : "?"), entry};
        bool both = entry->kind == JSON_OBJECT;
        if (!entry->key)
            return complain(dx, (struct span){0}, "%s: must be RULE: SECONDS, not a list",
                            all.what);
        if (both ? !yaml_knows(&part, "gpu cpu") ||
                       !yaml_number(&part, "gpu", &time.seconds[DEVICE_GPU]) ||
                       !yaml_number(&part, "cpu", &time.seconds[DEVICE_CPU])
                 : !yaml_number(&all, entry->key, &time.seconds[DEVICE_GPU]))
            return false;
        vec_push(&out->times, time);
    }
    return true;
}

static bool read_delays(struct arena *in, struct diags *dx, const char *path,
                        const struct json *delays, struct scenario *out)
{
    struct yaml_part part = {dx, arena_printf(in, "%s: delays", path), delays};
    return yaml_knows(&part, "start turn notice") && yaml_number(&part, "start", &out->start_s) &&
           yaml_number(&part, "turn", &out->turn_s) && yaml_number(&part, "notice", &out->notice_s);
}

bool scenario_read(struct arena *in, struct diags *dx, const char *path, struct scenario *out)
{
    *out = (struct scenario){0};
    const struct json *top = yaml_file(in, dx, path), *first = json_get(top, "first_run");
    struct yaml_part part = {dx, path, top};
    if (!top)
        diag_hint(dx, "it describes the cluster to simulate: see docs/accounts.md");
    if (!top || !yaml_knows(&part, "accounts load times delays look first_run"))
        return false;
    out->first_run = first && first->kind == JSON_TRUE;
    return read_accounts(in, dx, path, json_get(top, "accounts"), out) &&
           read_load(in, dx, path, json_get(top, "load"), out) &&
           read_times(in, dx, path, json_get(top, "times"), out) &&
           read_delays(in, dx, path, json_get(top, "delays"), out) &&
           yaml_number(&part, "look", &out->look_s);
}

bool scenario_of_now(struct diags *dx, const char *user, struct scenario *out)
{
    *out = (struct scenario){0};
    if (!probe_accounts(&(struct probe_options){.user = user}, &out->accounts)) {
        complain(dx, (struct span){0}, "no Slurm account of %s was found", user);
        for (uint32_t i = 0; i < out->accounts.notes.len; i++)
            diag_note(dx, (struct span){0}, "%s", out->accounts.notes.at[i]);
        diag_hint(dx, "describe the cluster in a file: --scenario FILE");
        return false;
    }
    for (uint32_t i = 0; i < out->accounts.all.len; i++) {
        struct model_job job = {i, out->accounts.all.at[i].running, FOREVER};
        vec_push(&out->load, job);
        vec_push(&out->load_user, "others");
        vec_push(&out->load_ns, 0);
    }
    return true;
}

void scenario_free(struct scenario *scenario)
{
    accounts_free(&scenario->accounts);
    vec_free(&scenario->load);
    vec_free(&scenario->load_user);
    vec_free(&scenario->load_ns);
    vec_free(&scenario->times);
}

struct model *scenario_model(const struct scenario *scenario)
{
    struct model *model = model_new();
    for (uint32_t i = 0; i < scenario->accounts.all.len; i++)
        model_add_account(model, scenario->accounts.all.at[i].name,
                          account_limit(&scenario->accounts, &scenario->accounts.all.at[i]));
    model_add_account(model, "", tres_unset);
    for (uint32_t i = 0; i < scenario->load.len; i++)
        model_add_foreign(model, scenario->load_user.at[i], &scenario->load.at[i],
                          scenario->load_ns.at[i]);
    model_set_delays(model, (int64_t)(scenario->start_s * NS), (int64_t)(scenario->turn_s * NS),
                     (int64_t)(scenario->notice_s * NS));
    return model;
}
