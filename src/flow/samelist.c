// SPDX-License-Identifier: MIT
#include "flow/samelist.h"

#include <string.h>

/* Whether a value is a string without flags that reads like the symbol. */
static bool reads_like(value v, const struct intern *names, sym_t path)
{
    const struct str *str = is_str(v) ? as_str(v) : NULL;
    return str && !(str->object.flags & OBJECT_FLAGGED) && str->len == sym_len(names, path) &&
           !memcmp(str->text, sym_text(names, path), str->len);
}

static bool all_like(const value *at, const struct intern *names, const sym_t *paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!reads_like(at[i], names, paths[i]))
            return false;
    return true;
}

bool same_list_is(const struct same_list *last, const struct item *item, const struct intern *names,
                  value list)
{
    size_t n;
    const value *at = sequence_items(list, &n);
    return last->item == item && at && n == last->paths.len &&
           all_like(at, names, last->paths.at, n);
}

void same_list_keep(struct same_list *last, const struct item *item, const struct intern *names,
                    value list, const sym_t *paths, size_t n)
{
    enum { WORTH_KEEPING = 16 };
    size_t len;
    const value *at = sequence_items(list, &len);
    last->item = NULL;
    last->paths.len = 0;
    if (!at || len != n || n < WORTH_KEEPING || !all_like(at, names, paths, n))
        return;
    for (size_t i = 0; i < n; i++) {
        if (strpbrk(sym_text(names, paths[i]), "{<"))
            return;
        vec_push(&last->paths, paths[i]);
    }
    last->item = item;
}

void same_list_free(struct same_list *last)
{
    vec_free(&last->paths);
    last->item = NULL;
}
