// SPDX-License-Identifier: MIT
/* textformat.c: see textformat.h. */
#include "flow/textformat.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/namedlist.h"
#include "python/vm.h"

static bool emit_one(struct vm *vm, value v, const char *spec, size_t len, struct buf *out)
{
    bool quote = len && spec[len - 1] == 'q';
    struct buf text = {0};
    if (len && (spec[len - 1] == 'q' || spec[len - 1] == 'u'))
        len--;
    bool fine = format_value(vm, v, spec, len, &text);
    if (fine && quote && text.len)
        buf_shell_quote(out, buf_text(&text), text.len);
    else if (fine)
        buf_add(out, buf_text(&text), text.len);
    buf_free(&text);
    return fine;
}

struct pair {
    const char *name;
    value v;
};

static int compare_pairs(const void *a, const void *b)
{
    return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

/* a=1,b=2, sorted by name. */
static bool emit_wildcards(struct vm *vm, value v, struct buf *out)
{
    size_t n;
    const value *at = sequence_items(v, &n);
    struct pair *pairs = memory_zeroed(n + 1, sizeof *pairs);
    sym_t name;
    uint32_t first, len;
    bool is_list;
    for (size_t i = 0; i < n && namedlist_range(v, i, &name, &first, &len, &is_list); i++)
        pairs[i] = (struct pair){sym_text(vm_names(vm), name), at[first]};
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%s=%s", i ? "," : "", pairs[i].name,
                   is_str(pairs[i].v) ? str_text(pairs[i].v) : "?");
    free(pairs);
    return true;
}

static bool emit_each(struct vm *vm, value v, const char *spec, size_t len, struct buf *out)
{
    struct iter it;
    bool first = true;
    if (!iter_open(vm, v, &it))
        return false;
    for (value item; (item = iter_next(vm, &it)); first = false) {
        if (!first)
            buf_char(out, ' ');
        if (!emit_one(vm, item, spec, len, out))
            return false;
    }
    return !vm_failed(vm);
}

bool textformat_emit(struct vm *vm, void *user, value v, char conversion, const char *spec,
                     size_t len, struct buf *out)
{
    if (conversion) {
        v = conversion == 's' ? value_str(vm, v) : value_repr(vm, v);
        return v && emit_one(vm, v, spec, len, out);
    }
    if (is_exact(v, &type_wildcards))
        return emit_wildcards(vm, v, out);
    bool many = is_list(v) || is_tuple(v) ||
                (is_object(v) && (is_instance(v, &type_set) || is_instance(v, &type_frozenset)));
    return many ? emit_each(vm, v, spec, len, out) : emit_one(vm, v, spec, len, out);
}
