// SPDX-License-Identifier: MIT
// background.c: a thread that waits for work.
#include "core/background.h"

#include <pthread.h>
#include <stdlib.h>

struct kin_background {
    pthread_t thread;
    pthread_mutex_t door;
    pthread_cond_t changed;
    bool (*what)(void *user, struct kin_error *why); /* NULL: nothing is under way */
    void *user;
    bool ends;
    struct kin_error error; /* the first failure */
};

static void *work(void *at)
{
    struct kin_background *b = at;
    pthread_mutex_lock(&b->door);
    for (;;) {
        while (!b->what && !b->ends)
            pthread_cond_wait(&b->changed, &b->door);
        if (!b->what)
            break;
        struct kin_error why = {0};
        pthread_mutex_unlock(&b->door);
        bool good = b->what(b->user, &why); /* nobody changes these while they are set */
        pthread_mutex_lock(&b->door);
        if (!good)
            b->error = why;
        b->what = NULL;
        pthread_cond_signal(&b->changed);
    }
    pthread_mutex_unlock(&b->door);
    return NULL;
}

struct kin_background *kin_background_new(void)
{
    struct kin_background *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    pthread_mutex_init(&b->door, NULL);
    pthread_cond_init(&b->changed, NULL);
    if (!pthread_create(&b->thread, NULL, work, b))
        return b;
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->door);
    free(b);
    return NULL;
}

/* With the door locked, and it stays so. */
static bool wait_for(struct kin_background *b, struct kin_error *err)
{
    while (b->what)
        pthread_cond_wait(&b->changed, &b->door);
    return !b->error.code || kin_fail(err, b->error.code, "%s", b->error.text);
}

bool kin_background_do(struct kin_background *background,
                       bool (*what)(void *user, struct kin_error *why), void *user,
                       struct kin_error *err)
{
    struct kin_background *b = background;
    if (!b)
        return what(user, err);
    pthread_mutex_lock(&b->door);
    bool good = wait_for(b, err);
    if (good) {
        b->what = what;
        b->user = user;
        pthread_cond_signal(&b->changed);
    }
    pthread_mutex_unlock(&b->door);
    return good;
}

bool kin_background_wait(struct kin_background *background, struct kin_error *err)
{
    if (!background)
        return true;
    pthread_mutex_lock(&background->door);
    bool good = wait_for(background, err);
    pthread_mutex_unlock(&background->door);
    return good;
}

bool kin_background_end(struct kin_background *background, struct kin_error *err)
{
    struct kin_background *b = background;
    if (!b)
        return true;
    pthread_mutex_lock(&b->door);
    bool good = wait_for(b, err);
    b->ends = true;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->door);
    pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->door);
    free(b);
    return good;
}
