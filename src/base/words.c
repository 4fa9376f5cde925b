// SPDX-License-Identifier: MIT
/* words.c: see words.h. */
#include "base/words.h"

#include "base/memory.h"

bool word_in(const char *const *list, const char *word)
{
    while (list && *list && strcmp(*list, word))
        list++;
    return list && *list;
}

int word_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool words_have(const struct words *words, const char *word)
{
    for (uint32_t i = 0; i < words->list.len; i++)
        if (!strcmp(words->list.at[i], word))
            return true;
    return false;
}

bool words_add(struct words *words, const char *word)
{
    if (words_have(words, word))
        return false;
    vec_push(&words->list, memory_text(word));
    return true;
}

void words_free(struct words *words)
{
    for (uint32_t i = 0; i < words->list.len; i++)
        free(words->list.at[i]);
    vec_free(&words->list);
}
