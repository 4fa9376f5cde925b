// SPDX-License-Identifier: MIT
/* generic_cancel.c: ending jobs of cluster-generic. With a cancel command, whoever has an id is
 * cancelled by it, many in a call; without one, what runs is waited for until the second signal. */
#include <errno.h>
#include <signal.h>

#include "base/arena.h"
#include "exec/generic_inner.h"

enum {
    CANCEL_MS = 10000,
    SUBMIT_MS = 3000, /* an id is waited for so long after the first signal */
};

static bool can_cancel(const struct generic_entry *entry)
{
    return entry->external && entry->generic->site.cancel;
}

/* One of an earlier run is dead when the status command says so: its successor waits for that. */
static void end_cancelled(struct generic_entry *entry, bool left)
{
    if (entry->launch || !entry->generic->site.status) {
        entry->left = left;
        generic_report(entry, EXEC_ENDED, -1, NULL);
    } else {
        entry->state = ACTIVE;
    }
}

/* Those that the cancel command was called for have been given up, whatever it said; left: they may
 * still run. */
static void report_cancelled(struct generic *generic, bool left)
{
    for (struct generic_entry *entry = TAILQ_FIRST(&generic->all), *next; entry; entry = next) {
        next = TAILQ_NEXT(entry, link);
        if (entry->state == CANCELLING)
            end_cancelled(entry, left);
    }
}

static void note_refusal(struct generic *generic, const char *how, int number)
{
    struct buf ids = {0};
    struct generic_entry *entry;
    TAILQ_FOREACH(entry, &generic->all, link)
    {
        if (entry->state == CANCELLING)
            buf_printf(&ids, " %s", entry->external);
    }
    if (ids.len)
        exec_note(&generic->options,
                  "the cancel command failed (%s %d); these jobs may still run:%s", how, number,
                  buf_text(&ids));
    buf_free(&ids);
}

static void on_cancel_end(void *user, const struct process_end *end)
{
    struct generic *generic = user;
    generic->cancels--;
    bool failed = end->signal || end->status;
    if (failed)
        note_refusal(generic, end->signal ? "signal" : "exit status",
                     end->signal ? end->signal : end->status);
    report_cancelled(generic, failed);
    generic_cancel_doomed(generic);
}

/* Calls the command for the next of them; false: there are none. */
static bool cancel_some(struct generic *generic)
{
    struct buf command = {0};
    uint32_t count = 0;
    buf_str(&command, generic->site.cancel);
    uint32_t most = generic->site.cancel_ids ? generic->site.cancel_ids : UINT32_MAX;
    for (struct generic_entry *entry = TAILQ_FIRST(&generic->all); entry && count < most;
         entry = TAILQ_NEXT(entry, link)) {
        if (entry->state != DOOMED)
            continue;
        entry->state = CANCELLING;
        buf_char(&command, ' ');
        buf_shell_word(&command, entry->external);
        count++;
    }
    struct arena scratch = {0};
    const char *argv[] = {"sh", "-c", buf_text(&command), NULL};
    struct process_options options = {.argv = argv,
                                      .env = generic_environment(generic, &scratch),
                                      .timeout_ms = CANCEL_MS,
                                      .new_group = true,
                                      .on_end = on_cancel_end,
                                      .user = generic};
    if (count && process_start(generic->loop, &options)) {
        generic->cancels++;
    } else if (count) {
        note_refusal(generic, "error", errno);
        report_cancelled(generic, true);
    }
    arena_free(&scratch);
    buf_free(&command);
    return count > 0;
}

/* One call at a time, whose jobs end when it does; force: all that are left, without waiting. */
static void start_cancels(struct generic *generic, bool force)
{
    while (generic->site.cancel && (force || !generic->cancels) && cancel_some(generic))
        ;
    if (force)
        report_cancelled(generic, true);
}

void generic_cancel_doomed(struct generic *generic)
{
    start_cancels(generic, false);
}

bool generic_cancel_late(struct generic_entry *entry)
{
    if (!entry->cancelled || !can_cancel(entry))
        return false;
    entry->state = DOOMED;
    generic_cancel_doomed(entry->generic);
    return true;
}

/* Those that have not told an id until now run their jobs themselves, or never will. */
static void on_impatient(void *user)
{
    struct generic *generic = user;
    struct generic_entry *entry;
    timer_end(&generic->impatient);
    TAILQ_FOREACH(entry, &generic->all, link)
    {
        if (entry->state == SUBMITTING && entry->cancelled)
            process_kill(entry->process, SIGTERM);
    }
}

/* A submit command may have submitted: where that can be cancelled, its id is waited for, and
 * elsewhere for a while, as its job would go on; one that runs the job itself hears the signal
 * then. */
static void give_up_submitting(struct generic_entry *entry, bool force)
{
    struct generic *generic = entry->generic;
    if (force)
        process_kill(entry->process, SIGKILL);
    else if (!generic->site.cancel && !generic->impatient)
        generic->impatient = timer_open(generic->loop, SUBMIT_MS, 0, on_impatient, generic);
}

/* Jobs that the site cannot cancel are waited for until force. */
static void give_up(struct generic_entry *entry, bool force)
{
    struct generic *generic = entry->generic;
    bool active = entry->state == ACTIVE || entry->state == CHECKING;
    bool awaited = entry->state == AWAITED;
    if ((active && !force && !can_cancel(entry)) || (awaited && !force && !generic->site.cancel))
        return;
    entry->cancelled = true;
    entry->left |= force && (active || awaited || entry->state == SUBMITTING);
    if (awaited && !force)
        return;
    if (entry->state == SUBMITTING) {
        give_up_submitting(entry, force);
        return;
    }
    if (entry->process) {
        process_forget(entry->process);
        entry->process = NULL;
        generic->running--;
    }
    if (active && can_cancel(entry))
        entry->state = DOOMED;
    else if (active || awaited || entry->state == QUEUED)
        generic_report(entry, EXEC_ENDED, -1, NULL);
}

/* The second signal: what is left is said. */
static void note_left(struct generic *generic, const uint32_t *launches, uint32_t n)
{
    struct buf ids = {0};
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct generic_entry *entry = generic_entry_of(generic, launches[i]);
        if (entry && entry->left && left++ < SHOWN_IDS)
            buf_printf(&ids, " %s", entry->external ? entry->external : entry->token);
    }
    past_tell_left(&generic->past, &generic->options, left, buf_text(&ids));
    buf_free(&ids);
}

void generic_cancel(struct executor *executor, const uint32_t *launches, uint32_t n, bool force)
{
    struct generic *generic = (struct generic *)executor;
    for (uint32_t i = 0; i < n; i++) {
        struct generic_entry *entry = generic_entry_of(generic, launches[i]);
        if (entry && entry->listed)
            give_up(entry, force);
    }
    start_cancels(generic, force);
    if (force && generic->past.journal)
        note_left(generic, launches, n);
}
