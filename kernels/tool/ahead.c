// SPDX-License-Identifier: MIT
#include "tool/ahead.h"
#include "core/background.h"

#include <stdlib.h>

struct ahead {
    const struct int_list *channels;
    ahead_look *look;
    void *user, *seen;
    int threads;                   // of a look
    struct kin_background *beside; // owned
    int channel;                   // that is or was looked at; 0: none
    bool known;
};

struct ahead *ahead_new(const struct device *dev, const struct int_list *channels, ahead_look *look,
                        void *user, void *seen)
{
    struct ahead *a = dev->kind == DEVICE_GPU ? calloc(1, sizeof *a) : NULL;
    struct kin_background *beside = a ? kin_background_new() : NULL;
    if (!beside) {
        free(a);
        return NULL;
    }
    *a = (struct ahead){channels, look, user, seen, (dev->threads + 1) / 2, beside};
    return a;
}

bool ahead_seen(struct ahead *a, int channel)
{
    struct kin_error none = {0};
    return a && kin_background_wait(a->beside, &none) && a->channel == channel && a->known;
}

static bool look(void *user, struct kin_error *err)
{
    struct ahead *a = user;
    a->known = a->look(a->user, a->channel, a->threads, a->seen);
    return true;
}

void ahead_next(struct ahead *a, int channel)
{
    struct kin_error none = {0};
    for (int i = 0; a && i + 1 < a->channels->count; i++)
        if (a->channels->values[i] == channel) {
            a->channel = a->channels->values[i + 1];
            kin_background_do(a->beside, look, a, &none);
            return;
        }
}

void ahead_end(struct ahead *a)
{
    struct kin_error none = {0};
    if (a)
        kin_background_end(a->beside, &none);
    free(a);
}
