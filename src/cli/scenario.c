// SPDX-License-Identifier: MIT
#include "cli/scenario.h"

#include <string.h>

#include "cli/yamlfile.h"
#include "hpc/probe.h"

static const double NS = 1e9;
enum { LOOK_S = 30 };
static const int64_t FOREVER = INT64_C(1) << 60;

static struct tres amounts(const struct json *entry, int64_t otherwise)
{
    double gb = json_number(json_get(entry, "mem_gb"), -1);
    return (struct tres){json_int(json_get(entry, "cpu"), otherwise),
                         gb < 0 ? otherwise : (int64_t)(gb * 1024),
                         json_int(json_get(entry, "gpu"), otherwise)};
}

static bool read_accounts(struct diags *dx, const char *path, const struct json *list,
                          struct scenario *out)
{
    for (const struct json *entry = json_first(list); entry; entry = entry->next) {
        const char *name = json_text(json_get(entry, "name"), NULL);
        if (!name)
            return complain(dx, (struct span){0}, "%s: account %u has no name", path,
                            out->accounts.all.len + 1);
        struct account *account = accounts_add(&out->accounts, name, strlen(name));
        account->qos_limit = account->limit = amounts(entry, TRES_UNSET);
        account->limit_from = account->use_from = FROM_SCONTROL;
    }
    return out->accounts.all.len ||
           complain(dx, (struct span){0}, "%s: there are no accounts", path);
}

static bool read_load(struct arena *in, struct diags *dx, const char *path,
                      const struct json *list, struct scenario *out)
{
    for (const struct json *entry = json_first(list); entry; entry = entry->next) {
        const char *name = json_text(json_get(entry, "account"), "");
        struct account *account = accounts_find(&out->accounts, name, strlen(name));
        double at = json_number(json_get(entry, "at"), 0), s = json_number(json_get(entry, "for"), -1);
        if (!account)
            return complain(dx, (struct span){0}, "%s: load on account '%s', which is not there",
                            path, name);
        struct model_job job = {.account = (uint32_t)(account - out->accounts.all.at),
                                .request = amounts(entry, 0),
                                .run_ns = s < 0 ? FOREVER : (int64_t)(s * NS)};
        for (int64_t n = json_int(json_get(entry, "count"), 1); n > 0; n--) {
            vec_push(&out->load, job);
            vec_push(&out->load_user, arena_str(in, json_text(json_get(entry, "user"), "others")));
            vec_push(&out->load_ns, (int64_t)(at * NS));
            if (at <= 0)
                tres_add(&account->running, &job.request);
        }
    }
    return true;
}

static void read_times(const struct json *times, struct scenario *out)
{
    for (const struct json *entry = json_first(times); entry; entry = entry->next) {
        struct scenario_time time = {.rule = entry->key};
        bool both = entry->kind == JSON_OBJECT;
        time.seconds[DEVICE_GPU] = json_number(both ? json_get(entry, "gpu") : entry, 0);
        time.seconds[DEVICE_CPU] = both ? json_number(json_get(entry, "cpu"), 0) : 0;
        vec_push(&out->times, time);
    }
}

bool scenario_read(struct arena *in, struct diags *dx, const char *path, struct scenario *out)
{
    *out = (struct scenario){.look_s = LOOK_S};
    const struct json *top = yaml_file(in, dx, path), *delays = json_get(top, "delays");
    if (!top)
        return false;
    if (!read_accounts(dx, path, json_get(top, "accounts"), out) ||
        !read_load(in, dx, path, json_get(top, "load"), out))
        return false;
    read_times(json_get(top, "times"), out);
    out->start_s = json_number(json_get(delays, "start"), 0);
    out->turn_s = json_number(json_get(delays, "turn"), 0);
    out->notice_s = json_number(json_get(delays, "notice"), 0);
    out->look_s = json_number(json_get(top, "look"), LOOK_S);
    return true;
}

bool scenario_of_now(struct arena *in, struct diags *dx, const char *user, struct scenario *out)
{
    *out = (struct scenario){.look_s = LOOK_S};
    if (!probe_accounts(&(struct probe_options){.user = user}, &out->accounts)) {
        complain(dx, (struct span){0}, "no Slurm account of %s was found", user);
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
    model_set_tick(model, (int64_t)(scenario->look_s * NS));
    return model;
}
