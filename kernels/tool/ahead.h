/* SPDX-License-Identifier: MIT
 *
 * ahead.h: what must be known of a channel before a card computes it is found while the card
 * computes the one before:
 *
 *     struct ahead *ahead = ahead_new(dev, &channels, look, user, &seen);
 *     for each channel:
 *         bool known = ahead_seen(ahead, channel);  // then seen is of this one: copy it
 *         ahead_next(ahead, channel);
 *         ... compute the channel ...
 *     ahead_end(ahead); */
#pragma once

#include "tool/stage.h"

struct ahead;

/* Sees a channel, with so many threads. False: that cannot be, which is then found again, and told,
 * when it is the channel's turn. */
typedef bool ahead_look(void *user, int channel, int threads, void *seen);

/* look is called on a thread of its own, for half as many threads as the device has, beside these.
 * channels, user and seen must outlive it. NULL: there is no card or no memory, and the others do
 * nothing. */
struct ahead *ahead_new(const struct device *dev, const struct int_list *channels, ahead_look *look,
                        void *user, void *seen);

/* Waits until nothing is looked at. True: the last that was is this channel, and it was seen. */
bool ahead_seen(struct ahead *ahead, int channel);

/* Looks at the channel behind this one, if there is one. */
void ahead_next(struct ahead *ahead, int channel);

void ahead_end(struct ahead *ahead);
