// SPDX-License-Identifier: MIT
#include "flow/scopes.h"

#include <string.h>

#include "flow/resources.h"
#include "flow/state.h"

enum { STEMS = 2 };
static const char *const stems[STEMS] = {"mem", "disk"};

/* "mem" of mem, mem_mb and mem_mib; else NULL. */
static const char *stem_of(const char *name)
{
    for (int i = 0; i < STEMS; i++) {
        size_t len = strlen(stems[i]);
        const char *rest = name + len;
        if (!strncmp(name, stems[i], len) &&
            (!*rest || !strcmp(rest, "_mb") || !strcmp(rest, "_mib")))
            return stems[i];
    }
    return NULL;
}

static bool same_resource(const char *a, const char *b)
{
    const char *stem = stem_of(a);
    return !strcmp(a, b) || (stem && stem == stem_of(b));
}

static bool is_scope(const char *text)
{
    return !strcmp(text, "local") || !strcmp(text, "global") || !strcmp(text, "excluded");
}

bool resource_scopes_options(struct workflow *w)
{
    for (const char *const *word = w->options.set_resource_scopes; word && *word; word++) {
        const char *equals = strchr(*word, '=');
        if (!equals || !is_scope(equals + 1))
            return complain(w->diags, (struct span){0},
                            "--set-resource-scopes needs NAME=local, global or excluded, not '%s'",
                            *word);
    }
    return true;
}

static const char *scope_on_command_line(const struct workflow *w, const char *name)
{
    const char *scope = NULL;
    for (const char *const *word = w->options.set_resource_scopes; word && *word; word++) {
        const char *equals = strchr(*word, '=');
        char own[64];
        snprintf(own, sizeof own, "%.*s", (int)(equals - *word), *word);
        if (same_resource(own, name))
            scope = equals + 1;
    }
    return scope;
}

static const char *scope_in_snakefile(const struct workflow *w, const char *name)
{
    const char *scope = NULL;
    value key, item;
    size_t at = 0;
    while (dict_next(w->flow->resource_scopes.v, &at, &key, &item))
        if (same_resource(str_text(key), name))
            scope = str_text(item);
    return scope;
}

bool resource_is_local(const struct workflow *w, const char *name)
{
    const char *scope = scope_on_command_line(w, name);
    if (!scope)
        scope = scope_in_snakefile(w, name);
    return scope ? !strcmp(scope, "local") : stem_of(name) != NULL;
}

struct resource_limit *resource_limits(const struct workflow *w, struct arena *in, uint32_t *n)
{
    value limits = w->flow->limits.v, key, item;
    struct resource_limit *out = arena_array(in, struct resource_limit, dict_len(limits) + 1);
    size_t at = 0;
    *n = 0;
    while (dict_next(limits, &at, &key, &item)) {
        const char *name = str_text(key);
        int64_t total;
        if (!int_get(item, &total))
            continue;
        out[(*n)++] = (struct resource_limit){name, total};
    }
    return out;
}
