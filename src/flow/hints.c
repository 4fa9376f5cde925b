// SPDX-License-Identifier: MIT
#include "flow/hints.h"

#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "flow/state.h"
#include "python/types.h"
#include "syntax/lex.h"

/* ---- a key of the config ---- */

/* Whether a dict is a tree of dicts and lists, or part of it. Code may have closed a circle. */
static bool is_part(value tree, value dict, int depth)
{
    value key, item;
    size_t n = 0;
    const value *items = sequence_items(tree, &n);
    if (tree == dict || depth > 20)
        return tree == dict;
    for (size_t pos = 0; is_dict(tree) && dict_next(tree, &pos, &key, &item);)
        if (is_part(item, dict, depth + 1))
            return true;
    for (size_t i = 0; i < n; i++)
        if (is_part(items[i], dict, depth + 1))
            return true;
    return false;
}

static void hint_source(struct workflow *w, const struct scope *scope)
{
    bool words = w->options.config && *w->options.config;
    struct buf files = {0};
    for (uint32_t i = 0; i < w->configfiles.len; i++)
        buf_printf(&files, "%s%s", i ? ", " : "",
                   path_relative(&w->arena, w->configfiles.at[i], w->workdir));
    if (scope->given_config)
        diag_hint(w->diags, "config is what `config:` of `module %s:` gives", scope->name);
    else if (scope->outer)
        diag_hint(w->diags,
                  "`module %s:` has a config of its own; `config: config` gives it that of the "
                  "workflow",
                  scope->name);
    else if (files.len)
        diag_hint(w->diags, "config comes from %s%s", buf_text(&files),
                  words ? " and --config" : "");
    else
        diag_hint(w->diags, "%sno config file is read: `configfile:` or --configfile names one",
                  words ? "config comes from --config; " : "");
    buf_free(&files);
}

void hint_lacking(struct vm *vm, void *user, value dict)
{
    struct workflow *w = user;
    for (uint32_t i = 0; i < w->flow->scopes.len; i++) {
        const struct scope *scope = w->flow->scopes.at[i];
        value config = dict_get_str(vm, scope->globals.v, "config");
        if (config && is_part(config, dict, 0)) {
            hint_source(w, scope);
            return;
        }
    }
}

/* ---- a name ---- */

static bool is_snakefile(const struct workflow *w, int source)
{
    for (uint32_t i = 0; i < w->flow->read.len; i++)
        if (w->flow->read.at[i].source == source)
            return true;
    return false;
}

/* Where the name with its attributes ends that is the field of an f-string; 0: it is none. */
static uint32_t end_in_fstring(struct workflow *w, int source, uint32_t at)
{
    int mark = diag_mark(w->diags);
    struct tokens tokens = lex_source(w->diags, source);
    diag_drop(w->diags, mark);
    uint32_t i = 1;
    while (i < tokens.len && tokens.at[i].at != at)
        i++;
    bool found = i < tokens.len && tokens.at[i].kind == TOKEN_NAME &&
                 tokens.at[i - 1].kind == TOKEN_FIELD_OPEN;
    while (found && tokens.at[i + 1].kind == TOKEN_DOT && tokens.at[i + 2].kind == TOKEN_NAME)
        i += 2;
    uint32_t end = found ? tokens.at[i].end : 0;
    tokens_free(&tokens);
    return end;
}

void hint_name(struct vm *vm, void *user, const char *name, struct span span)
{
    struct workflow *w = user;
    struct place place;
    if (!source_place(w->sources, span.at, &place) || !is_snakefile(w, place.source))
        return;
    size_t len = 0;
    span.end = end_in_fstring(w, place.source, span.at);
    const char *field = span.end ? span_text(w->sources, span, &len) : NULL;
    if (field)
        diag_hint(
            w->diags,
            "an f-string is filled in when it is read; what Snakemake is to fill in needs two "
            "braces: {{%.*s}}",
            (int)len, field);
    else if (!strcmp(name, "wildcards"))
        diag_hint(w->diags, "only functions get the wildcards of a job: name the function without "
                            "calling it, or write `lambda wildcards: ...`");
}
