// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"

struct row {
    const char *names; /* spellings, separated by blanks */
    uint8_t arity, served;
    const char *arg, *help;
};

static const struct row rows[OPT_COUNT] = {
#define X(id, names, arity, arg, help, served) {names, arity, served, arg, help},
    OPTION_GROUPS(X)
#undef X
};

static bool next_name(const char **at, const char **name, size_t *len)
{
    *name = *at + strspn(*at, " ");
    *len = strcspn(*name, " ");
    *at = *name + *len;
    return *len > 0;
}

const char *option_name(enum option_id id, char out[64])
{
    const char *at = rows[id].names, *name;
    size_t len;
    next_name(&at, &name, &len);
    snprintf(out, 64, "%.*s", (int)len, name);
    return out;
}

/* The row with a spelling equal to word[0..len); *abbreviated counts those that only begin with
 * it. */
static int find_spelling(const char *word, size_t len, int *abbreviated, int *candidate)
{
    *abbreviated = 0;
    for (int id = 0; id < OPT_COUNT; id++) {
        const char *at = rows[id].names, *name;
        bool begins = false;
        for (size_t n; next_name(&at, &name, &n);) {
            if (n == len && !memcmp(name, word, len))
                return id;
            begins |= n > len && len > 2 && word[1] == '-' && !memcmp(name, word, len);
        }
        if (begins) {
            *candidate = id;
            ++*abbreviated;
        }
    }
    return -1;
}

bool option_swallows(enum option_id id)
{
    return rows[id].arity == MAYBE || rows[id].arity == ANY || rows[id].arity == SOME;
}

void option_hint_target(struct diags *dx, enum option_id id, const char *word, const char *rest)
{
    char name[64];
    option_name(id, name);
    diag_hint(dx,
              "words after %s are its values; if '%s' is a target, put it first: "
              "kintsugi-flow run %s %s %s",
              name, word, word, name, rest);
}

int option_find(const char *long_name)
{
    char word[80];
    int abbreviated, candidate;
    snprintf(word, sizeof word, "--%s", long_name);
    return find_spelling(word, strlen(word), &abbreviated, &candidate);
}

/* ---- parsing ---- */

struct parser {
    struct options *options;
    struct diags *dx;
    const char *const *argv;
    int argc, at;
    bool only_targets; /* behind -- */
    bool *secret;      /* by word: no record and no child is to see it */
};

/* What served a purpose in older versions of Snakemake, and what serves it now. */
static const struct removed {
    const char *name, *instead;
} removed[] = {
    {"cluster", "--executor cluster-generic --cluster-generic-submit-cmd, or --executor slurm"},
    {"cluster-status", "--cluster-generic-status-cmd"},
    {"cluster-cancel", "--cluster-generic-cancel-cmd"},
    {"cluster-sync", "--executor cluster-generic"},
    {"drmaa", "--executor cluster-generic or slurm"},
    {"slurm", "--executor slurm"},
    {"stats", "--benchmark-extended and benchmark: in rules"},
    {"list-code-changes", "--list-changes code"},
    {"cluster-config", "resources: in rules, and --set-resources"},
    {"default-remote-provider", "--default-storage-provider"},
    {"default-remote-prefix", "--default-storage-prefix"},
};

static const char *instead_of(const char *word)
{
    word += strspn(word, "-");
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (!strcmp(removed[i].name, word))
            return removed[i].instead;
    return NULL;
}

static void suggest(struct diags *dx, const char *word)
{
    const char *instead = instead_of(word);
    if (instead) {
        diag_hint(dx, "Snakemake has removed it; use %s", instead);
        return;
    }
    struct nearest near = nearest_to(word);
    char names[OPT_COUNT][64];
    for (int id = 0; id < OPT_COUNT; id++)
        nearest_offer(&near, option_name(id, names[id]));
    if (near.best)
        diag_hint(dx, "did you mean %s?", near.best);
}

/* What --storage-NAME-SETTING may be, where NAME is none of the providers that are built in. */
static bool is_plugin_option(const char *word, size_t len)
{
    static const char start[] = "--storage-";
    const char *name = word + strlen(start), *end = word + len;
    if (len <= strlen(start) || memcmp(word, start, strlen(start)))
        return false;
    const char *dash = memchr(name + 1, '-', (size_t)(end - name) - 1);
    return dash && dash + 1 < end && strncmp(name, "http-", 5) && strncmp(name, "fs-", 3);
}

/* The option of that name, as it was given before, or a new one. */
static struct plugin_option *plugin_option(struct options *o, const char *name, bool *known)
{
    struct plugin_option *found = NULL;
    for (uint32_t i = 0; !found && i < o->plugin.len; i++)
        if (!strcmp(o->plugin.at[i].name, name))
            found = &o->plugin.at[i];
    *known = found;
    if (!found) {
        vec_push(&o->plugin, (struct plugin_option){.name = name});
        found = &o->plugin.at[o->plugin.len - 1];
    }
    return found;
}

/* "the option --co is ambiguous: --cores, --config", and as many others as fit. */
static void refuse_ambiguous(struct parser *p, const char *word)
{
    enum { SHOWN = 8 };
    struct buf list = {0};
    uint32_t n = 0;
    for (int id = 0; id < OPT_COUNT; id++) {
        const char *at = rows[id].names, *name;
        for (size_t len; next_name(&at, &name, &len);)
            if (!strncmp(name, word, strlen(word)) && n++ < SHOWN)
                buf_printf(&list, "%s%.*s", list.len ? ", " : "", (int)len, name);
    }
    complain(p->dx, (struct span){0}, "the option %s is ambiguous: %s%s", word, buf_text(&list),
             n > SHOWN ? ", ..." : "");
    buf_free(&list);
}

static int find_long(struct parser *p, const char *word, size_t len)
{
    int abbreviated, candidate = -1, id = find_spelling(word, len, &abbreviated, &candidate);
    if (id >= 0 || abbreviated == 1)
        return id >= 0 ? id : candidate;
    const char *copy = arena_copy(&p->options->arena, word, len);
    if (abbreviated && !instead_of(copy)) {
        refuse_ambiguous(p, copy);
        return -1;
    }
    complain(p->dx, (struct span){0}, "unknown option %s", copy);
    suggest(p->dx, copy);
    return -1;
}

/* As argparse has it: a word with a blank in it is none ("--nv --cleanenv" is a value). */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] && !(word[1] >= '0' && word[1] <= '9') &&
           word[strcspn(word, " =")] != ' ';
}

static bool has_word(const struct parser *p)
{
    return p->at < p->argc && !is_option(p->argv[p->at]);
}

static bool note_served(struct parser *p, int id)
{
    char name[64];
    if (rows[id].served == IGNORED)
        warn(p->dx, (struct span){0}, "%s has no effect here: %s", option_name(id, name),
             rows[id].help);
    if (rows[id].served == NOT_YET)
        return complain(p->dx, (struct span){0}, "%s is not supported yet", option_name(id, name));
    return true;
}

/* Options whose values are NAME=VALUE with a value that is no expression and no YAML. */
static bool is_plain_pair(int id)
{
    static const enum option_id pairs[] = {OPT_BATCH,
                                           OPT_CONSIDER_ANCIENT,
                                           OPT_GROUPS,
                                           OPT_GROUP_COMPONENTS,
                                           OPT_SET_RESOURCE_SCOPES,
                                           OPT_SET_SCATTER,
                                           OPT_SET_THREADS};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((int)pairs[i] == id)
            return true;
    return false;
}

/* Quotes around such a value are none of it: profiles have them around texts that look like
 * numbers. */
static void add_word(struct options *o, int id, const char *word)
{
    static const char quotes[] = "'\"";
    const char *equals = is_plain_pair(id) ? strchr(word, '=') : NULL;
    if (equals) {
        const char *value = equals + 1 + strspn(equals + 1, quotes), *end = value + strlen(value);
        while (end > value && strchr(quotes, end[-1]))
            end--;
        word = arena_printf(&o->arena, "%.*s=%.*s", (int)(equals - word), word, (int)(end - value),
                            value);
    }
    vec_push(&o->words[id], word);
}

/* Takes the words that belong to option id; first: given in the same word (--opt=value, -c4), or
 * NULL. */
static bool take_words(struct parser *p, int id, const char *first)
{
    struct options *o = p->options;
    enum arity arity = rows[id].arity;
    char name[64];
    int from = p->at - 1;
    if (arity != REPEAT)
        o->words[id].len = 0; /* a later one replaces an earlier */
    if (first && arity == NONE)
        return complain(p->dx, (struct span){0}, "%s takes no value", option_name(id, name));
    o->given[id] = true;
    if (first)
        add_word(o, id, first);
    else if (arity != NONE && has_word(p))
        add_word(o, id, p->argv[p->at++]);
    while (!first && (arity == ANY || arity == SOME) && has_word(p))
        add_word(o, id, p->argv[p->at++]);
    if (!o->words[id].len && (arity == ONE || arity == SOME || arity == REPEAT))
        return complain(p->dx, (struct span){0}, "%s needs a value: %s", option_name(id, name),
                        rows[id].arg);
    for (int i = from; id == OPT_STORAGE_HTTP_AUTH && i < p->at; i++)
        p->secret[i] = true;
    return note_served(p, id);
}

static bool take_plugin_option(struct parser *p, const char *word, const char *equals)
{
    struct options *o = p->options;
    bool known;
    int from = p->at - 1;
    const char *name = equals ? arena_copy(&o->arena, word + 2, (size_t)(equals - word) - 2)
                              : word + 2;
    struct plugin_option *option = plugin_option(o, name, &known);
    option->called = true;
    option->words.len = 0;
    if (equals)
        vec_push(&option->words, equals + 1);
    while (!equals && has_word(p))
        vec_push(&option->words, p->argv[p->at++]);
    for (int i = from; i < p->at; i++)
        p->secret[i] = true; /* which of them is one, the plugin knows */
    return true;
}

/* -np is -n -p; -c4 is -c 4. */
static bool parse_short(struct parser *p, const char *word)
{
    for (const char *c = word + 1; *c; c++) {
        char spelling[3] = {'-', *c, 0};
        int abbreviated, candidate, id = find_spelling(spelling, 2, &abbreviated, &candidate);
        if (id < 0) {
            complain(p->dx, (struct span){0}, "unknown option -%c in %s", *c, word);
            return false;
        }
        if (rows[id].arity != NONE)
            return take_words(p, id, c[1] ? c + 1 + (c[1] == '=' ? 1 : strspn(c + 1, " ")) : NULL);
        if (!take_words(p, id, NULL))
            return false;
    }
    return true;
}

/* "-j 2" as one word is -j2, as argparse has it. */
static bool is_short_with_value(const char *word)
{
    int abbreviated, candidate;
    if (word[0] != '-' || !word[1] || word[2] != ' ')
        return false;
    int id = find_spelling((char[]){'-', word[1], 0}, 2, &abbreviated, &candidate);
    return id >= 0 && rows[id].arity != NONE;
}

static bool parse_word(struct parser *p, const char *word)
{
    if (!p->only_targets && is_short_with_value(word))
        return parse_short(p, word);
    if (p->only_targets || !is_option(word)) {
        vec_push(&p->options->targets, word);
        return true;
    }
    if (!strcmp(word, "--")) {
        p->only_targets = true;
        return true;
    }
    if (word[1] != '-')
        return parse_short(p, word);
    const char *equals = strchr(word, '=');
    if (is_plugin_option(word, equals ? (size_t)(equals - word) : strlen(word)))
        return take_plugin_option(p, word, equals);
    int id = find_long(p, word, equals ? (size_t)(equals - word) : strlen(word));
    return id >= 0 && take_words(p, id, equals ? equals + 1 : NULL);
}

static void terminate(word_list *words)
{
    vec_push(words, NULL);
    words->len--;
}

static const char *const *without_secrets(const struct parser *p)
{
    const char **argv = arena_array(&p->options->arena, const char *, p->argc + 1);
    int n = 0;
    for (int i = 0; i < p->argc; i++)
        if (!p->secret[i])
            argv[n++] = p->argv[i];
    return argv;
}

bool options_parse(struct options *options, struct diags *dx, int argc, const char *const *argv)
{
    struct parser p = {.options = options, .dx = dx, .argv = argv, .argc = argc};
    bool good = true;
    p.secret = arena_array(&options->arena, bool, argc + 1);
    while (p.at < p.argc)
        good &= parse_word(&p, p.argv[p.at++]);
    for (int id = 0; id < OPT_COUNT; id++)
        terminate(&options->words[id]);
    for (uint32_t i = 0; i < options->plugin.len; i++)
        terminate(&options->plugin.at[i].words);
    terminate(&options->targets);
    options->argv = without_secrets(&p);
    return good;
}

static bool set_plugin_option(struct options *options, const char *long_name,
                              const char *const *words, int n)
{
    bool known;
    struct plugin_option *option = plugin_option(options, arena_str(&options->arena, long_name),
                                                 &known);
    for (int i = 0; !known && i < n; i++)
        vec_push(&option->words, arena_str(&options->arena, words[i]));
    if (!known)
        terminate(&option->words);
    return true;
}

/* What a profile says of a flag. False: it is neither yes nor no. */
static bool read_flag(const char *word, bool *on)
{
    static const char *const words[] = {"true", "yes", "on", "1", "false", "no", "off", "0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(word, words[i])) {
            *on = i < 4;
            return true;
        }
    return false;
}

static int find_in_profile(const char *long_name)
{
    return option_find(long_name + (strncmp(long_name, "--", 2) ? 0 : 2));
}

void option_decline(struct options *options, const char *long_name)
{
    int id = find_in_profile(long_name);
    if (id >= 0 && rows[id].arity == NONE)
        options->declined[id] = true;
}

bool option_wants_folder(const char *long_name)
{
    int id = find_in_profile(long_name);
    return id >= 0 && !strcmp(rows[id].arg, "DIR");
}

bool option_set(struct options *options, struct diags *dx, const char *file, const char *long_name,
                const char *const *words, int n)
{
    long_name += strncmp(long_name, "--", 2) ? 0 : 2;
    int id = option_find(long_name);
    const char *dashed = arena_printf(&options->arena, "--%s", long_name);
    if (id < 0 && is_plugin_option(dashed, strlen(dashed)))
        return set_plugin_option(options, long_name, words, n);
    if (id < 0) {
        complain(dx, (struct span){0}, "the profile sets an unknown option '%s' (%s)", long_name,
                 file);
        suggest(dx, dashed);
        return false;
    }
    if (options->given[id] || options->declined[id])
        return true;
    if (rows[id].arity == NONE && n) {
        bool on;
        if (!read_flag(words[n - 1], &on))
            return complain(dx, (struct span){0}, "%s is true or false, not '%s' (%s)", dashed,
                            words[n - 1], file);
        options->given[id] = on;
        options->declined[id] = !on;
        n = 0;
        if (!on)
            return true;
    }
    options->given[id] = true;
    options->words[id].len = 0;
    for (int i = 0; i < n; i++)
        add_word(options, id, arena_str(&options->arena, words[i]));
    terminate(&options->words[id]);
    struct parser p = {.options = options, .dx = dx};
    return note_served(&p, id);
}

void options_free(struct options *options)
{
    for (int id = 0; id < OPT_COUNT; id++)
        vec_free(&options->words[id]);
    for (uint32_t i = 0; i < options->plugin.len; i++)
        vec_free(&options->plugin.at[i].words);
    vec_free(&options->plugin);
    vec_free(&options->targets);
    arena_free(&options->arena);
}

const char *option_word(const struct options *options, enum option_id id, const char *otherwise)
{
    const word_list *words = &options->words[id];
    return words->len ? words->at[words->len - 1] : otherwise;
}

const char *const *option_words(const struct options *options, enum option_id id)
{
    return options->given[id] ? options->words[id].at : NULL;
}

/* ---- help ---- */

static void help_row(FILE *out, const struct row *row)
{
    const char *at = row->names, *name;
    bool first = true;
    fputs("  ", out);
    for (size_t len; next_name(&at, &name, &len); first = false)
        fprintf(out, "%s%.*s", first ? "" : ", ", (int)len, name);
    if (row->arity == MAYBE || row->arity == ANY)
        fprintf(out, row->arity == ANY ? " [%s ...]" : " [%s]", row->arg);
    else if (row->arity != NONE)
        fprintf(out, row->arity == SOME ? " %s ..." : " %s", row->arg);
    fprintf(out, "\n        %s%s\n", row->help,
            row->served == NOT_YET ? " (not supported yet)" : "");
}

static void help_group(FILE *out, const char *title, int from, int to)
{
    fprintf(out, "\n%s:\n", title);
    for (int id = from; id < to; id++)
        if (rows[id].served != IGNORED)
            help_row(out, &rows[id]);
}

void options_help(FILE *out)
{
    fputs("usage: kintsugi-flow run [TARGET ...] [OPTIONS]\n\n"
          "Runs those rules of a Snakefile that are needed to make the targets. A target is a "
          "rule or a file; the\n"
          "default is the first rule. Put targets before options, because an option with several "
          "values takes all\n"
          "words that follow it. Options of storage plugins: --storage-NAME-SETTING [TAG::]VALUE."
          "\n",
          out);
    help_group(out, "EXECUTION", OPT_DRY_RUN, OPT_REPORT);
    help_group(out, "REPORTS AND NOTEBOOKS", OPT_REPORT, OPT_LINT);
    help_group(out, "UTILITIES", OPT_LINT, OPT_PRINTSHELLCMDS);
    help_group(out, "OUTPUT", OPT_PRINTSHELLCMDS, OPT_FORCE_USE_THREADS);
    help_group(out, "BEHAVIOR", OPT_FORCE_USE_THREADS, OPT_CONTAINER_IMAGE);
    help_group(out, "REMOTE EXECUTION", OPT_CONTAINER_IMAGE, OPT_SDM);
    help_group(out, "DEPLOYMENT", OPT_SDM, OPT_DEPLOY_SOURCES);
    help_group(out, "OTHER", OPT_PYTHON, OPT_COUNT);
}

void options_help_report(FILE *out)
{
    fputs("usage: kintsugi-flow report [FILE.html | FILE.zip] [TARGET ...] [OPTIONS of run]\n\n"
          "Writes one page about what a workflow has made: results, run times, rules. The default "
          "is report.html;\nin a FILE.zip, the results lie beside the page. Nothing is run.\n",
          out);
    help_group(out, "OPTIONS", OPT_REPORT_STYLESHEET, OPT_REPORTER);
    fputs("\nkintsugi-flow run --help lists the options of run, such as --snakefile and "
          "--directory.\n",
          out);
}
