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
        snprintf(name, sizeof name, "%.*s", (int)name_len(table->names), table->names);
        if (nearest_offer(&near, name))
            near.best = strcpy(best, name);
    }
    fprintf(stderr, "error: there is no option '%s'\n", word);
    if (near.best)
        fprintf(stderr, "  hint: did you mean '%s'?\n", near.best);
    arguments->status = EXIT_USAGE;
    return false;
}

/* One option; *i is moved behind its value. */
static bool take(struct arguments *arguments, const struct argument *table, int *i, int argc,
                 const char *const *argv)
{
    const char *word = argv[*i];
    const char *equal = !strncmp(word, "--", 2) ? strchr(word, '=') : NULL;
    size_t len = equal ? (size_t)(equal - word) : strlen(word);
    const struct argument *found = table;
    while (found->names && !has_name(found, word, len))
        found++;
    if (!found->names)
        return unknown(arguments, table, word);
    if (found->flag)
        *found->flag = true;
    if (!found->word)
        return true;
    if (!equal && *i + 1 >= argc) {
        fprintf(stderr, "error: %s needs a value: %s\n", word, found->value);
        arguments->status = EXIT_USAGE;
        return false;
    }
    *found->word = equal ? equal + 1 : argv[++*i];
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
        else if (!take(arguments, table, &i, argc, argv))
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
