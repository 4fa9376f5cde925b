// SPDX-License-Identifier: MIT
// stitch_fields.c: the flat fields of all channels, several at a time.
//
// A field by itself keeps few cores busy: its tiles are read by all of them, but much of the fit is
// done by one. So lanes, each with its share of the threads, of the memory and of the device, take
// channels in their order. Those that are then not made are made one after the other, each with all
// there is, and fail where they must.
#include "core/lanes.h"
#include "tool/stitch_run.h"

#include <stdlib.h>

struct making { /* of the fields of all channels */
    struct stitch_run *run;
    struct stitch_field fields[EXPERIMENT_CHANNELS];
    int count, lanes, threads; /* of a lane */
    size_t room;               /* bytes of a lane */
};

/* Beside others. Why it fails is said when it fails again, by itself. */
static bool make_beside(void *user, int i)
{
    struct making *m = user;
    struct device share = device_share(m->run->dev, m->threads);
    struct kin_error why = {0};
    m->fields[i].dev = &share;
    m->fields[i].room = m->room;
    return stitch_make_field(m->run, &m->fields[i], &why);
}

/* The most that any of the fields takes. */
static size_t most_bytes(const struct making *m, int threads)
{
    size_t most = 0;
    for (int i = 0; i < m->count; i++) {
        size_t bytes = stitch_field_bytes(m->run, m->fields[i].channel, threads);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* As many lanes as there are threads for; they take no more than half of the memory, so that freed
 * memory need not go back to the system. */
static void share_out(struct making *m)
{
    const struct stitch_run *run = m->run;
    int threads = run->dev->threads;
    size_t kept = run->params.held + (size_t)m->count * stitch_field_kept(run),
           half = run->params.memory / 2;
    m->lanes = threads < m->count ? threads : m->count;
    for (; m->lanes > 1; m->lanes--) {
        m->threads = (threads + m->lanes - 1) / m->lanes;
        m->room = half > kept ? (half - kept) / (size_t)m->lanes : 0;
        if (most_bytes(m, m->threads) <= m->room)
            return;
    }
}

/* One field, with all there is. */
static bool make_alone(struct stitch_run *run, struct stitch_field *f, struct kin_error *err)
{
    char what[60];
    size_t need = stitch_field_bytes(run, f->channel, 1), held = run->params.held;
    snprintf(what, sizeof what, "the illumination of channel %d", f->channel);
    f->dev = run->dev;
    f->room = run->params.memory > held ? run->params.memory - held : 0;
    return stitch_room(run, what, need, need, err) && stitch_make_field(run, f, err);
}

bool stitch_make_fields(struct stitch_run *run, const struct int_list *channels,
                        struct kin_error *err)
{
    struct making m = {.run = run, .count = channels->count};
    bool good = true;
    for (int i = 0; i < m.count; i++)
        m.fields[i].channel = channels->values[i];
    share_out(&m);
    if (m.lanes > 1)
        kin_lanes_each(m.count, m.lanes, m.threads, make_beside, &m);
    for (int i = 0; i < m.count; i++) {
        good = good && (m.fields[i].fit || make_alone(run, &m.fields[i], err));
        if (good) {
            stitch_tell_field(run, &m.fields[i]);
            run->params.held += stitch_field_kept(run);
        }
        free(m.fields[i].fit);
    }
    return good;
}
