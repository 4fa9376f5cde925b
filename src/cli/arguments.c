// SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/session.h"

static void help(const struct argument *table, const char *usage)
{
    printf("usage: kintsugi-flow %s\n%s", usage, table->names ? "\n" : "");
    for (; table->names; table++) {
        char head[64];
        snprintf(head, sizeof head, "%s%s%s", table->names, table->value ? " " : "",
                 table->value ? table->value : "");
        printf("  %-26s %s\n", head, table->help);
    }
}

/* The length of the name at the start of a list of names. */
static size_t name_len(const char *names)
{
    return strcspn(names, " ");
}

static bool has_name(const struct argument *argument, const char *word, size_t len)
{
    const char *names = argument->names;
    for (size_t n; *names; names += n + (names[n] == ' ')) {
        n = name_len(names);
        if (n == len && !memcmp(names, word, n))
            return true;
    }
    return false;
}

static bool unknown(struct arguments *arguments, const struct argument *table, const char *word)
{
    struct nearest near = nearest_to(word);
    char name[64], best[64];
    for (; table->names; table++) {
        const char *at = strstr(table->names, "--");
        snprintf(name, sizeof name, "%.*s", (int)name_len(at), at);
        if (nearest_offer(&near, name))
            near.best = strcpy(best, name);
    }
    fprintf(stderr, "error: unknown option %s\n", word);
    if (near.best)
        fprintf(stderr, "  hint: did you mean %s?\n", near.best);
    arguments->status = EXIT_USAGE;
    return false;
}

static const struct argument *find(const struct argument *table, const char *word, size_t len)
{
    while (table->names && !has_name(table, word, len))
        table++;
    return table->names ? table : NULL;
}

/* One option; *i is moved behind its value, if that is not in the same word (inside, or NULL). */
static bool take(struct arguments *arguments, const struct argument *found, const char *inside,
                 int *i, int argc, const char *const *argv)
{
    if (found->flag)
        *found->flag = true;
    if (!found->word)
        return true;
    if (!inside && *i + 1 >= argc) {
        fprintf(stderr, "error: %s needs a value: %s\n", argv[*i], found->value);
        arguments->status = EXIT_USAGE;
        return false;
    }
    *found->word = inside ? inside : argv[++*i];
    return true;
}

/* --name, --name VALUE, --name=VALUE */
static bool take_long(struct arguments *arguments, const struct argument *table, int *i, int argc,
                      const char *const *argv)
{
    const char *word = argv[*i], *equal = strchr(word, '=');
    const struct argument *found = find(table, word, equal ? (size_t)(equal - word) : strlen(word));
    if (!found)
        return unknown(arguments, table, word);
    if (!equal || found->word)
        return take(arguments, found, equal ? equal + 1 : NULL, i, argc, argv);
    fprintf(stderr, "error: %.*s takes no value\n", (int)(equal - word), word);
    arguments->status = EXIT_USAGE;
    return false;
}

/* -n, -n VALUE, -nVALUE, and several flags in one word */
static bool take_short(struct arguments *arguments, const struct argument *table, int *i, int argc,
                       const char *const *argv)
{
    const char *word = argv[*i];
    for (const char *at = word + 1; *at; at++) {
        const struct argument *found = find(table, (char[]){'-', *at}, 2);
        if (!found)
            return unknown(arguments, table, word);
        if (found->word)
            return take(arguments, found, at[1] ? at + 1 : NULL, i, argc, argv);
        take(arguments, found, NULL, i, argc, argv);
    }
    return true;
}

bool arguments_parse(struct arguments *arguments, const struct argument *table, const char *usage,
                     int argc, const char *const *argv)
{
    bool only_words = false;
    *arguments = (struct arguments){0};
    for (int i = 0; i < argc; i++) {
        if (!only_words && (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))) {
            help(table, usage);
            return false;
        }
        if (!only_words && !strcmp(argv[i], "--"))
            only_words = true;
        else if (only_words || argv[i][0] != '-' || !argv[i][1])
            vec_push(&arguments->words, argv[i]);
        else if (!(argv[i][1] == '-' ? take_long : take_short)(arguments, table, &i, argc, argv))
            return false;
    }
    vec_push(&arguments->words, NULL);
    arguments->words.len--;
    return true;
}

void arguments_free(struct arguments *arguments)
{
    vec_free(&arguments->words);
}

bool arguments_number(const char *option, const char *word, struct number_range range, double *out)
{
    char *end;
    if (!word)
        return true;
    double n = strtod(word, &end);
    bool inside = n >= range.least && n <= range.most; /* NaN is not */
    if (end == word || *end || !inside || (range.whole && n != trunc(n))) {
        fprintf(stderr, "error: %s needs a %snumber from %.15g to %.15g, not '%s'\n", option,
                range.whole ? "whole " : "", range.least, range.most, word);
        return false;
    }
    *out = n;
    return true;
}
