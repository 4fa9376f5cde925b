// SPDX-License-Identifier: MIT
/* slurm_limit.c: the limit of submitted jobs. Slurm counts an array as its elements, and refuses it
 * whole: where there is no room for all, there may be for half. A single job that is refused is
 * held, with all others of its account, until a job ends or a while has passed; those of other
 * accounts go on. */

#include "exec/slurm_inner.h"

enum { ROOM_MS = 1000, ROOM_MOST_MS = 60000 };

static const char *account_of(const struct slurm_batch *batch)
{
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i])
            return batch->jobs[i]->account ? batch->jobs[i]->account : "";
    return "";
}

bool slurm_hold(struct slurm_batch *batch)
{
    struct slurm *slurm = batch->slurm;
    if (!words_have(&slurm->full, account_of(batch)))
        return false;
    vec_push(&slurm->held, batch->number);
    return true;
}

/* All that are held are tried again, before all others. */
static void on_room(void *user)
{
    struct slurm *slurm = user;
    uint32_t from = slurm->unsent.len;
    timer_end(&slurm->room);
    words_free(&slurm->full);
    for (uint32_t i = 0; i < slurm->held.len; i++)
        vec_push(&slurm->unsent, slurm->held.at[i]);
    slurm->held.len = 0;
    slurm_put_first(slurm, from);
    slurm_pump(slurm);
}

static void await_room(struct slurm *slurm)
{
    if (slurm->room)
        return;
    slurm->room_ms = slurm->room_ms ? slurm->room_ms * 2 : ROOM_MS;
    slurm->room_ms = slurm->room_ms > ROOM_MOST_MS ? ROOM_MOST_MS : slurm->room_ms;
    slurm->room = timer_open(slurm->loop, (uint64_t)slurm->room_ms, 0, on_room, slurm);
}

void slurm_over_limit(struct slurm_batch *batch, const char *why)
{
    struct slurm *slurm = batch->slurm;
    char complaint[300];
    slurm_complaint(why, complaint, sizeof complaint);
    if (!slurm->told_limit)
        exec_note(&slurm->options,
                  "Slurm takes no more jobs until some have ended (%s); the others follow then.",
                  complaint);
    slurm->told_limit = true;
    if (batch->open > 1) {
        slurm_resend(batch, 2);
        return;
    }
    words_add(&slurm->full, account_of(batch));
    vec_push(&slurm->held, batch->number);
    await_room(slurm);
}

void slurm_has_room(struct slurm *slurm)
{
    if (!slurm->room || slurm->room_ms <= ROOM_MS)
        return;
    timer_end(&slurm->room);
    slurm->room_ms = 0; /* Slurm itself counts the job a little longer */
    await_room(slurm);
}

void slurm_forget_limits(struct slurm *slurm)
{
    timer_close(slurm->room);
    words_free(&slurm->full);
    vec_free(&slurm->held);
}
