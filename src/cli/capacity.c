// SPDX-License-Identifier: MIT
#include "cli/capacity.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/memory.h"
#include "cli/background.h"
#include "cli/blocked.h"
#include "cli/routing.h"
#include "cli/site.h"
#include "hpc/probe.h"

static const int64_t SECOND = 1000000000;

struct capacity {
    struct session *s;
    struct accounts accounts;
    blocked_list blocked;
    bool known;
    bool given; /* live_accounts came from the command line */
    struct probe *probe;
    void (*done)(void *arg); /* of the look that runs */
    void *arg;
    struct route *route;
    const struct route_account *permitted;
    uint32_t npermitted;
    struct words gone; /* accounts that the config lists and the user does not have any more */
    double cpu_factor; /* 0: the config does not say */
};

void capacity_free(struct capacity *capacity)
{
    if (!capacity)
        return;
    route_free(capacity->route);
    accounts_free(&capacity->accounts);
    vec_free(&capacity->blocked);
    words_free(&capacity->gone);
    free(capacity);
}

static bool probe(struct capacity *capacity, bool again)
{
    struct probe_options options = {.user = fs_username(), .again = again};
    bool found = probe_accounts(&options, &capacity->accounts);
    accounts_block(&capacity->accounts, capacity->blocked.at, capacity->blocked.len);
    return found;
}

static void tell_notes(struct session *s, const struct accounts *accounts)
{
    for (uint32_t i = 0; i < accounts->notes.len; i++)
        log_say(&s->log, LOG_INFO, "Accounts: %s", accounts->notes.at[i]);
}

bool capacity_detect(struct session *s)
{
    const char *dir = option_word(&s->options, OPT_DIRECTORY, ".");
    if (!site_is_slurm(&s->options) || s->options.given[OPT_SLURM_NO_ACCOUNT])
        return true;
    s->capacity = memory_zeroed(1, sizeof *s->capacity);
    s->capacity->s = s;
    if (!blocked_read(&s->arena, s->diags, dir, &s->capacity->blocked))
        return false;
    s->capacity->known = probe(s->capacity, false);
    tell_notes(s, &s->capacity->accounts);
    if (s->capacity->known)
        s->capacity->given = !routing_inject(s, &s->capacity->accounts);
    return true;
}

/* What the workflow's config says of accounts, read once. */
static bool read_permitted(struct session *s)
{
    struct capacity *capacity = s->capacity;
    return capacity->permitted ||
           (routing_cpu_factor(s, &capacity->cpu_factor) &&
            routing_accounts(s, capacity->known ? &capacity->accounts : NULL, &capacity->permitted,
                             &capacity->npermitted, &capacity->gone));
}

void capacity_show(struct session *s)
{
    struct buf text = {0};
    if (!s->capacity || !s->capacity->known)
        return;
    if (!s->capacity->given) {
        accounts_json(&s->capacity->accounts, &text);
        log_say(&s->log, LOG_INFO, "live_accounts: %s", buf_text(&text));
        buf_reset(&text);
    }
    accounts_table(&s->capacity->accounts, fs_username(), &text);
    log_text(&s->log, LOG_INFO, buf_text(&text), text.len);
    buf_free(&text);
}

static bool has_room(const struct capacity *capacity)
{
    bool any = false;
    for (uint32_t i = 0; i < capacity->npermitted; i++) {
        const char *name = capacity->permitted[i].name;
        const struct account *account = accounts_find(&capacity->accounts, name, strlen(name));
        struct slots slots = account ? account_slots(&capacity->accounts, account)
                                     : (struct slots){.gpu_free = 1};
        bool small = slots.gpu <= 0 && slots.cpu <= 0; /* it has no slots at all: any CPU counts */
        any |= slots.gpu_free > 0 || slots.cpu_free > 0 ||
               (small &&
                tres_left(account_limit(&capacity->accounts, account), account->running).cpu);
    }
    return any;
}

bool capacity_read(struct session *s)
{
    return !s->capacity || read_permitted(s);
}

bool capacity_check(struct session *s)
{
    struct capacity *capacity = s->capacity;
    const char *blocked = capacity && capacity->npermitted ? "" : " or blocked";
    if (!capacity || !capacity->known || capacity->given || !routing_lists_accounts(s) ||
        has_room(capacity))
        return true;
    if (s->options.given[OPT_DRY_RUN])
        warn(s->diags, (struct span){0}, "every account of this workflow is full%s", blocked);
    else
        complain(s->diags, (struct span){0}, "every account of this workflow is full%s", blocked);
    for (uint32_t i = 0; i < capacity->npermitted; i++) {
        const char *name = capacity->permitted[i].name;
        struct buf who = {0};
        account_holders_text(accounts_find(&capacity->accounts, name, strlen(name)), &who);
        diag_note(s->diags, (struct span){0}, "%s: %s", name, buf_text(&who));
        buf_free(&who);
    }
    diag_hint(s->diags, "--wait-for-capacity waits until one has room; --config "
                        "live_accounts='[]' submits all the same");
    return false;
}

bool capacity_wait(struct session *s)
{
    struct capacity *capacity = s->capacity;
    int64_t patience_ns, look_ns;
    if (!routing_pace(s, &patience_ns, &look_ns))
        return false;
    log_say(&s->log, LOG_INFO, "Every account is full: waiting until one has room.");
    log_flush(&s->log);
    background_begun();
    do
        if (sleep((unsigned)(look_ns / SECOND))) /* a signal came */
            return false;
    while (!probe(capacity, true) || !has_room(capacity));
    return true;
}

/* ---- while the run goes on ---- */

static void on_probed(void *user)
{
    struct capacity *capacity = user;
    capacity->probe = NULL;
    capacity->done(capacity->arg);
}

static void look(void *user, struct loop *loop, void (*done)(void *arg), void *arg)
{
    struct capacity *capacity = user;
    struct probe_options options = {.user = fs_username(), .again = true};
    capacity->done = done;
    capacity->arg = arg;
    capacity->probe = probe_start(loop, &options, &capacity->accounts, on_probed, capacity);
}

static void stop_look(void *user)
{
    struct capacity *capacity = user;
    probe_stop(capacity->probe);
    capacity->probe = NULL;
}

static void say_moved(void *user, const char *job, const char *from, const char *to,
                      const char *reason)
{
    struct capacity *capacity = user;
    log_say(&capacity->s->log, LOG_INFO,
            "A waiting job of rule %s goes from account %s (%s) to %s.", job, from, reason, to);
}

static void know(void *user, const char *rule, enum device device, double seconds)
{
    route_know(user, rule, device, seconds);
}

bool capacity_route(struct session *s, struct route **out)
{
    struct capacity *capacity = s->capacity;
    int64_t patience_ns, look_ns;
    *out = NULL;
    if (!routing_pace(s, &patience_ns, &look_ns) || (capacity && !read_permitted(s)))
        return false;
    if (!capacity || !capacity->npermitted)
        return true;
    struct route_options options = {.accounts = capacity->permitted,
                                    .naccounts = capacity->npermitted,
                                    .listed = routing_lists_accounts(s),
                                    .gone = &capacity->gone,
                                    .now = capacity->known ? &capacity->accounts : NULL,
                                    .live = capacity->known,
                                    .moves = capacity->known && !s->options.given[OPT_NO_REROUTE],
                                    .cpus_too = true,
                                    .cpu_factor = capacity->cpu_factor,
                                    .look_ns = look_ns,
                                    .patience_ns = patience_ns,
                                    .look = capacity->known ? look : NULL,
                                    .stop = stop_look,
                                    .moved = say_moved,
                                    .user = capacity};
    capacity->route = route_new(s->names, &options);
    routing_recall(s, know, capacity->route);
    *out = capacity->route;
    return true;
}
