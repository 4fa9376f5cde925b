// SPDX-License-Identifier: MIT
// cut.c: how an axis of a volume is cut into blocks that overlap; see deconv/cut.h.
#include "deconv/cut.h"

/* Samples of a block; 0: so many blocks make no sense. */
static int block_length(const struct cut_axis *a, int halo, enum rl_ends ends)
{
    int64_t line = a->length + 2 * (int64_t)a->beyond, count = a->count;
    if (count > 1) {
        int n = kin_good_size((int)((line + 2 * halo * (count - 1) + count - 1) / count), true);
        return n < line ? n : 0;
    }
    if (!halo || (ends == RL_MIRRORED && kin_is_good_size(a->length)))
        return a->length;
    return kin_good_size((int)line + (ends == RL_MIRRORED ? halo : 0), true);
}

struct cut_axis cut_axis(int length, int count, int halo, enum rl_ends ends)
{
    struct cut_axis a = {
        .length = length, .beyond = ends == RL_MIRRORED ? 0 : halo, .count = count};
    a.n = block_length(&a, halo, ends);
    for (int i = 0; a.n && i < count; i++) {
        int core = cut_core(&a, i + 1) - cut_core(&a, i);
        a.widest = core > a.widest ? core : a.widest;
    }
    return a;
}

struct cut_axis cut_window(int length, int at, int wanted, int halo, enum rl_ends ends, int *start)
{
    struct cut_axis a = cut_axis(length, 1, halo, ends);
    *start = cut_start(&a, 0);
    int n = kin_good_size(wanted + 2 * halo, true);
    if (wanted >= length || (ends == RL_MIRRORED && n >= length))
        return a;
    a.n = n;
    *start = at - (n - wanted) / 2;
    int last = length - n;
    if (ends == RL_MIRRORED)
        *start = *start < 0 ? 0 : *start > last ? last : *start;
    return a;
}

int cut_start(const struct cut_axis *a, int i)
{
    int64_t room = a->length + 2 * (int64_t)a->beyond - a->n;
    if (a->count == 1)
        return a->beyond ? -(a->n - a->length) / 2 : 0;
    return (int)(room * i / (a->count - 1)) - a->beyond;
}

int cut_core(const struct cut_axis *a, int i)
{
    if (i == 0 || i == a->count)
        return i ? a->length : 0;
    return (cut_start(a, i - 1) + a->n + cut_start(a, i)) / 2;
}
