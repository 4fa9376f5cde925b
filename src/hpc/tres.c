// SPDX-License-Identifier: MIT
#include "hpc/tres.h"

#include <stdlib.h>
#include <string.h>

#include "base/memsize.h"

const struct tres tres_unset = {TRES_UNSET, TRES_UNSET, TRES_UNSET};

static const int64_t MOST = INT64_C(1) << 40; /* no sum of these overflows */

/* A whole number at the start of text; false: there is none. */
static bool read_count(const char *text, size_t len, int64_t *out)
{
    size_t i = 0;
    for (*out = 0; i < len && text[i] >= '0' && text[i] <= '9'; i++)
        *out = *out * 10 + (text[i] - '0') < MOST ? *out * 10 + (text[i] - '0') : MOST;
    return i > 0;
}

static bool begins(const char *text, size_t len, const char *with)
{
    size_t n = strlen(with);
    return len >= n && !memcmp(text, with, n);
}

static bool equals(const char *text, size_t len, const char *with)
{
    return len == strlen(with) && !memcmp(text, with, len);
}

static void sum(int64_t *to, int64_t n)
{
    *to = (*to > 0 ? *to : 0) + n;
    if (*to > MOST)
        *to = MOST;
}

/* An amount of a list. */
struct entry {
    const char *name, *amount, *used; /* used: inside the parentheses, or NULL */
    size_t name_len, amount_len, used_len;
};

/* The entry at text[*at]; moves on. */
static bool next_entry(const char *text, size_t len, size_t *at, struct entry *out)
{
    while (*at < len && text[*at] == ',')
        ++*at;
    size_t end = *at, equal = 0, open = 0;
    for (; end < len && text[end] != ','; end++) {
        if (text[end] == '=' && !equal)
            equal = end;
        if (text[end] == '(' && !open)
            open = end;
    }
    if (*at == end)
        return false;
    *out = (struct entry){.name = text + *at, .name_len = (equal ? equal : end) - *at};
    if (equal) {
        out->amount = text + equal + 1;
        out->amount_len = (open ? open : end) - equal - 1;
    }
    if (open > equal && equal) {
        out->used = text + open + 1;
        const char *close = memchr(out->used, ')', end - open - 1);
        out->used_len = close ? (size_t)(close - out->used) : end - open - 1;
    }
    *at = end;
    return true;
}

static bool read_amount(const char *text, size_t len, bool memory, int64_t *out)
{
    if (!text || !memory)
        return text && read_count(text, len, out);
    *out = memsize_mb(text, len);
    return *out >= 0;
}

static void add_stated(struct tres *to, const struct tres *stated)
{
    if (stated->cpu >= 0)
        sum(&to->cpu, stated->cpu);
    if (stated->mem_mb >= 0)
        sum(&to->mem_mb, stated->mem_mb);
    if (stated->gpu >= 0)
        sum(&to->gpu, stated->gpu);
}

void tres_read(const char *text, size_t len, struct tres *limit, struct tres *used)
{
    struct entry entry;
    int64_t n, typed[2] = {TRES_UNSET, TRES_UNSET};
    bool untyped_use = false;
    struct tres stated = tres_unset;
    for (size_t at = 0; next_entry(text, len, &at, &entry);) {
        bool memory = equals(entry.name, entry.name_len, "mem");
        bool cpu = equals(entry.name, entry.name_len, "cpu");
        bool gpu = equals(entry.name, entry.name_len, "gres/gpu");
        bool model = begins(entry.name, entry.name_len, "gres/gpu:");
        size_t place = cpu      ? offsetof(struct tres, cpu)
                       : memory ? offsetof(struct tres, mem_mb)
                                : offsetof(struct tres, gpu);
        if (!memory && !cpu && !gpu && !model)
            continue;
        if (read_amount(entry.amount, entry.amount_len, memory, &n))
            sum(model ? &typed[0] : (int64_t *)((char *)&stated + place), n);
        if (!used || !entry.used || !read_amount(entry.used, entry.used_len, memory, &n))
            continue;
        untyped_use |= gpu;
        sum(model ? &typed[1] : (int64_t *)((char *)used + place), n);
    }
    if (stated.gpu < 0)
        stated.gpu = typed[0];
    add_stated(limit, &stated);
    if (!untyped_use && typed[1] >= 0)
        sum(&used->gpu, typed[1]);
}

static int64_t known(int64_t n)
{
    return n > 0 ? n : 0;
}

void tres_add(struct tres *total, const struct tres *more)
{
    sum(&total->cpu, known(more->cpu));
    sum(&total->mem_mb, known(more->mem_mb));
    sum(&total->gpu, known(more->gpu));
}

void tres_take(struct tres *total, const struct tres *less)
{
    total->cpu -= known(less->cpu);
    total->mem_mb -= known(less->mem_mb);
    total->gpu -= known(less->gpu);
}

static int64_t tighter(int64_t a, int64_t b)
{
    return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

struct tres tres_tighter(struct tres a, struct tres b)
{
    return (struct tres){tighter(a.cpu, b.cpu), tighter(a.mem_mb, b.mem_mb), tighter(a.gpu, b.gpu)};
}

static int64_t left(int64_t limit, int64_t used)
{
    return limit < 0 ? TRES_UNSET : limit > known(used) ? limit - known(used) : 0;
}

struct tres tres_left(struct tres limit, struct tres used)
{
    return (struct tres){left(limit.cpu, used.cpu), left(limit.mem_mb, used.mem_mb),
                         left(limit.gpu, used.gpu)};
}

static bool holds(int64_t limit, int64_t request)
{
    return limit < 0 || known(request) <= limit;
}

bool tres_holds(struct tres limit, struct tres request)
{
    return holds(limit.cpu, request.cpu) && holds(limit.mem_mb, request.mem_mb) &&
           holds(limit.gpu, request.gpu);
}
