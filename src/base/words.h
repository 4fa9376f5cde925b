// SPDX-License-Identifier: MIT
/* words.h: few texts, looked through one by one: lists that end with NULL, and lists that hold a
 * text once.
 *
 *     struct words told = {0};
 *     if (words_add(&told, rule)) ... for the first time ...
 *     words_free(&told); */
#pragma once

#include <stdbool.h>

#include "base/pool.h"

struct words {
    VEC(char *) list; /* owned, all different */
};

/* Whether a word is in a list that ends with NULL; not in a list that is NULL. */
bool word_in(const char *const *list, const char *word);
/* For qsort and bsearch: the order of two texts of a list. */
int word_order(const void *a, const void *b);

/* Whether it is among them. */
bool words_have(const struct words *words, const char *word);
/* Adds a copy of the word; false: it was there. */
bool words_add(struct words *words, const char *word);
/* Forgets them all; the list may be used again. */
void words_free(struct words *words);
