// SPDX-License-Identifier: MIT
/* porter.h: a porter is a process that carries files between a storage and their local copies, one
 * after the other, while the run goes on. It knows nothing of the workflow: each order says all.
 * Those for fs and http are children of this program (porter_serve), those for a plugin children of
 * python3 (serve() of texts/storage.py). Messages, both ways, are a number of fields, then the
 * fields, each with a NUL byte at its end:
 *
 *     order   act, query, path, part, "link" or "", "optional" or "", name of the provider, the
 *             facts that its kind tells...
 *     answer  what is wrong, or ""; also once when a plugin has been opened, behind a NUL byte of
 *             its own: what Python itself may have said before is none
 *
 * A porter leaves when its stdin ends. One that is killed leaves at most the part behind. */
#pragma once

#include "flow/storage.h"

struct porter_start {
    const char *argv[5]; /* ends with NULL */
    const char *first;   /* what it reads before any order */
    size_t first_len;
};

/* The provider whose files alone a porter of a place can carry; NULL: it serves all of fs and http,
 * and costs little. */
const struct storage_mount *porter_mount(const struct storage_place *place);
/* How a porter of a place is started; self: this program. Texts are the provider's, or last as self
 * does. False: what its statement says is known in this process only, which has to carry itself
 * (storage_carry). */
bool porter_start(const struct storage_place *place, const char *self, struct porter_start *out);
/* Adds an order. */
void porter_order(struct buf *out, enum storage_act act, const struct storage_copy *copy);
/* Takes the answer that begins at *at, and moves it behind. False: it is not there as a whole. */
bool porter_answer(const char *text, size_t len, size_t *at, const char **why);
/* The life of a porter for fs and http: takes orders from stdin until that ends. */
void porter_serve(void);
