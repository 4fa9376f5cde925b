// SPDX-License-Identifier: MIT
/* transfers.h: files on their way between storages and local copies, carried by processes beside
 * the loop (flow/porter.h): several at a time, each by one of them, in the order of asking.
 *
 *     transfers_add(t, launch, STORAGE_FETCH, &copy) -> ... -> transfers_next_end(t, &end)
 *
 * What is being fetched already is not fetched twice: all who asked are told. What is asked of one
 * path is done one after the other. */
#pragma once

#include "flow/storage.h"
#include "loop/loop.h"

struct transfers;

struct transfers_options {
    struct loop *loop;
    const char *self;   /* this program */
    const char *litter; /* where what is half stored is noted: litter.h; borrowed */
    void (*note)(void *user, const char *text); /* what begins, in words */
    void *user;
};

struct transfer_end {
    uint32_t launch; /* who asked; 0: nobody waits */
    enum storage_act act;
    const char *path; /* of the local copy */
    const char *why;  /* what is wrong; NULL: it is done */
};

/* Nothing on its way yet; the caller's. The options are copied, loop and texts borrowed. */
struct transfers *transfers_new(const struct transfers_options *options);
/* All have ended, or are given up. */
void transfers_free(struct transfers *transfers);
/* Has a file carried. Nothing of copy is kept. */
void transfers_add(struct transfers *transfers, uint32_t launch, enum storage_act act,
                   const struct storage_copy *copy);
/* The next that has ended, each once for everybody who asked; texts until the next call. False:
 * none has. */
bool transfers_next_end(struct transfers *transfers, struct transfer_end *out);
/* A launch is not to be told any more: what nobody else waits for is broken off. */
void transfers_leave(struct transfers *transfers, uint32_t launch);
/* All are broken off, and what is asked for later fails. */
void transfers_stop(struct transfers *transfers);
/* Whether any has not ended, or has ended and nobody was told. */
bool transfers_busy(const struct transfers *transfers);
/* Nothing more will come: lets the porters leave. True while some have not, for a few seconds. */
bool transfers_close(struct transfers *transfers);
