// SPDX-License-Identifier: MIT
// deconv_cut.c: how an axis of a volume is cut into blocks that overlap; see deconv_cut.h.
#include "deconv_cut.h"

struct cut_axis cut_axis(int length, int count, int halo, enum rl_ends ends)
{
    struct cut_axis a = {
        .length = length, .beyond = ends == RL_MIRRORED ? 0 : halo, .count = count};
    int64_t line = length + 2 * (int64_t)a.beyond, all = line + 2 * (int64_t)halo * (count - 1);
    if (count > 1)
        a.n = kin_good_size((int)((all + count - 1) / count), true);
    else if (!halo || (ends == RL_MIRRORED && kin_is_good_size(length)))
        a.n = length;
    else /* a block that is mirrored before the image's end is mirrored a halo behind it */
        a.n = kin_good_size((int)line + (ends == RL_MIRRORED ? halo : 0), true);
    if (count > 1 && a.n >= line)
        a.n = 0;
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

int cut_widest(const struct cut_axis *a)
{
    int widest = 0;
    for (int i = 0; i < a->count; i++) {
        int core = cut_core(a, i + 1) - cut_core(a, i);
        widest = core > widest ? core : widest;
    }
    return widest;
}
