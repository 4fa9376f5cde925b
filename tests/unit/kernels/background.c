// SPDX-License-Identifier: MIT
// kin_background: pieces in their order, one at a time and beside the caller; the first failure is
// told, and nothing is begun after it.
#include "core/background.h"

#include "test.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { PIECES = 200 };

struct log {
    int done[PIECES + 1], count, bad; /* bad: the piece that fails; -1: none */
    bool running, beside, twice;
    pthread_t caller;
};

struct piece {
    struct log *log;
    int number;
};

static bool do_piece(void *user, struct kin_error *why)
{
    struct piece *piece = user;
    struct log *log = piece->log;
    log->twice |= log->running;
    log->running = true;
    log->beside |= !pthread_equal(pthread_self(), log->caller);
    if (piece->number % 20 == 0)
        usleep(2000);
    log->done[log->count++] = piece->number;
    log->running = false;
    return piece->number != log->bad || kin_fail(why, KIN_IO, "piece %d", piece->number);
}

/* How many pieces were taken before one was refused. */
static int give_pieces(struct kin_background *background, struct log *log, struct kin_error *err)
{
    static struct piece pieces[PIECES];
    int taken = 0;
    log->caller = pthread_self();
    for (int i = 0; i < PIECES; i++) {
        pieces[i] = (struct piece){log, i};
        if (!kin_background_do(background, do_piece, &pieces[i], err))
            break;
        taken++;
    }
    return taken;
}

static bool in_order(const struct log *log)
{
    bool good = true;
    for (int i = 0; i < log->count; i++)
        good &= log->done[i] == i;
    return good && !log->twice;
}

int main(void)
{
    struct kin_error err = {0};
    struct log log = {.bad = -1};
    struct kin_background *background = kin_background_new();
    ok(background && give_pieces(background, &log, &err) == PIECES &&
           kin_background_wait(background, &err) && log.count == PIECES && in_order(&log) &&
           log.beside && kin_background_end(background, &err) && !err.code,
       "all pieces are done, one after the other, by another thread");

    log = (struct log){.bad = 7};
    background = kin_background_new();
    int taken = give_pieces(background, &log, &err);
    ok(taken == 8 && log.count == 8 && in_order(&log) && !strcmp(err.text, "piece 7"),
       "none is begun after one that failed, and its error is told");
    struct kin_error again = {0};
    ok(!kin_background_wait(background, &again) && !strcmp(again.text, "piece 7") &&
           !kin_background_end(background, &again),
       "waiting and ending tell it too");

    err = (struct kin_error){0};
    log = (struct log){.bad = 3};
    ok(give_pieces(NULL, &log, &err) == 3 && log.count == 4 && in_order(&log) && !log.beside &&
           !strcmp(err.text, "piece 3") && kin_background_wait(NULL, &err) &&
           kin_background_end(NULL, &err),
       "without a thread the caller does it, and is told at once");

    background = kin_background_new();
    ok(kin_background_end(background, &err), "one that had nothing to do ends");
    return done();
}
