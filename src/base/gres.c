// SPDX-License-Identifier: MIT
#include "base/gres.h"

#include <stdbool.h>
#include <string.h>

static const int64_t MOST = INT64_C(1) << 40; /* no sum of these overflows */

static bool begins(const char *text, size_t len, const char *with)
{
    size_t n = strlen(with);
    return len >= n && !memcmp(text, with, n);
}

static int64_t capped(int64_t n)
{
    return n < MOST ? n : MOST;
}

/* One item: [gres:|gres/]gpu[:model][:N][(...)]. */
static int64_t gpus_of(const char *text, size_t len)
{
    const char *open = memchr(text, '(', len);
    int64_t n = 0;
    if (open)
        len = (size_t)(open - text);
    if (begins(text, len, "gres:") || begins(text, len, "gres/")) {
        text += 5;
        len -= 5;
    }
    if (!begins(text, len, "gpu") || (len > 3 && text[3] != ':' && text[3] != '='))
        return 0;
    size_t last = len;
    while (last && text[last - 1] >= '0' && text[last - 1] <= '9')
        last--;
    if (last == len || (text[last - 1] != ':' && text[last - 1] != '='))
        return 1;
    for (; last < len; last++)
        n = capped(n * 10 + (text[last] - '0'));
    return n;
}

/* The length of the item at the start; what is in parentheses is part of it. */
static size_t item(const char *text, size_t len)
{
    size_t end = 0;
    for (int depth = 0; end < len && (text[end] != ',' || depth); end++)
        depth += text[end] == '(' ? 1 : text[end] == ')' && depth ? -1 : 0;
    return end;
}

int64_t gres_gpus(const char *text, size_t len)
{
    int64_t gpus = 0;
    for (size_t at = 0, n; at < len; at += n + 1) {
        n = item(text + at, len - at);
        gpus = capped(gpus + gpus_of(text + at, n));
    }
    return gpus;
}

const char *gres_without_gpus(struct arena *in, const char *text)
{
    const char *rest = "";
    size_t len = strlen(text);
    for (size_t at = 0, n; at < len; at += n + 1) {
        n = item(text + at, len - at);
        if (n && !gpus_of(text + at, n))
            rest = arena_printf(in, "%s%s%.*s", rest, *rest ? "," : "", (int)n, text + at);
    }
    return rest;
}
