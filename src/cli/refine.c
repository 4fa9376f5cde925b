// SPDX-License-Identifier: MIT
#include "cli/refine.h"

#include <stdlib.h>
#include <string.h>

#include "cli/numbers.h"
#include "flow/flags.h"

static bool refuse(struct session *s, const char *format, const char *word)
{
    return complain(s->diags, (struct span){0}, format, word);
}

/* The rule that the word of an option begins with; NULL after a diagnostic. */
static struct rule *rule_of(struct session *s, const char *option, const char *word)
{
    const char *name = arena_copy(&s->arena, word, strcspn(word, "="));
    struct rule *rule = workflow_rule(s->workflow, name);
    const char *near = rule ? NULL : workflow_nearest_rule(s->workflow, name);
    if (!rule)
        complain(s->diags, (struct span){0}, "%s: there is no rule '%s'", option, name);
    diag_meant(s->diags, near);
    return rule;
}

/* ---- flags ---- */

static void all_temp(struct rule *rule)
{
    for (uint32_t i = 0; i < rule->output.len; i++)
        if (!(rule->output.at[i].flags & FLAG_PROTECTED))
            rule->output.at[i].flags |= FLAG_TEMP;
}

static void omit_bits(struct items *items, uint16_t bits)
{
    for (uint32_t i = 0; i < items->len; i++)
        items->at[i].flags &= (uint16_t)~bits;
}

static bool omitted_bits(struct session *s, uint16_t *bits)
{
    *bits = 0;
    for (const char *const *w = option_words(&s->options, OPT_OMIT_FLAGS); w && *w; w++) {
        uint16_t bit = flag_bit(*w);
        if (!bit)
            return refuse(s, "--omit-flags: there is no flag '%s'", *w);
        *bits |= bit;
    }
    return true;
}

/* ---- --consider-ancient RULE=ITEM[,ITEM...], an item being a name or a position from 0 ---- */

static bool is_item(struct session *s, const struct items *items, uint32_t i, const char *word)
{
    char *end;
    long at = strtol(word, &end, 10);
    if (*word && !*end)
        return !items->at[i].name && (uint32_t)at == i;
    return items->at[i].name && !strcmp(sym_text(s->names, items->at[i].name), word);
}

/* A profile has a number in quotes where its text would be read as one. */
static const char *unquoted(struct session *s, const char *text)
{
    size_t len = strlen(text);
    bool quoted = len > 1 && strchr("'\"", *text) && text[len - 1] == *text;
    return quoted ? arena_copy(&s->arena, text + 1, len - 2) : text;
}

static bool consider_ancient(struct session *s, const char *word)
{
    const char *equals = strchr(word, '=');
    bool named = equals && equals[1];
    struct rule *rule = named ? rule_of(s, "--consider-ancient", word) : NULL;
    if (!named)
        return refuse(s, "--consider-ancient needs RULE=ITEM[,ITEM...], not '%s'", word);
    if (!rule)
        return false;
    const char *items = unquoted(s, equals + 1);
    for (const char *at = items; *at; at += strcspn(at, ","), at += *at == ',') {
        const char *item = arena_copy(&s->arena, at, strcspn(at, ","));
        bool found = false;
        for (uint32_t i = 0; i < rule->input.len; i++)
            if (is_item(s, &rule->input, i, item)) {
                rule->input.at[i].flags |= FLAG_ANCIENT;
                found = true;
            }
        if (!found)
            return refuse(s, "--consider-ancient: the rule has no such input: '%s'", word);
    }
    return true;
}

bool refine_rules(struct session *s)
{
    uint16_t bits;
    if (!omitted_bits(s, &bits))
        return false;
    for (rule_id r = 1; r < s->workflow->rules.len; r++) {
        struct rule *rule = s->workflow->rules.at[r];
        if (s->options.given[OPT_ALL_TEMP])
            all_temp(rule);
        omit_bits(&rule->input, bits);
        omit_bits(&rule->output, bits);
    }
    for (const char *const *w = option_words(&s->options, OPT_CONSIDER_ANCIENT); w && *w; w++)
        if (!consider_ancient(s, *w))
            return false;
    return true;
}

/* ---- --batch ---- */

bool refine_batch(struct session *s, struct graph_options *options)
{
    const char *word = option_word(&s->options, OPT_BATCH, NULL);
    struct part part;
    if (!word || !number_part(&s->options, s->diags, &part))
        return !word;
    const struct rule *rule = rule_of(s, "--batch", word);
    if (!rule)
        return false;
    if (s->options.given[OPT_FORCEALL])
        return refuse(s,
                      "--batch %s: not with --forceall, which would make again in each batch what "
                      "others have used",
                      word);
    options->batch = (struct batch){rule->id, part.at, part.of};
    return true;
}
