// SPDX-License-Identifier: MIT
#include "cli/options.h"
#include "test.h"

#include "base/buf.h"

/* Command lines (words separated by blanks) and what they mean: options in the order of the table
 * with their words, then the targets behind a bar; or the headline of the error. */
static const struct {
    const char *line, *meaning;
} table[] = {
    {"", "|"},
    {"all", "| all"},
    {"all -n", "--dry-run | all"},
    {"-np", "--dry-run --printshellcmds |"},
    {"-c4", "--cores=4 |"},
    {"-c 4 all", "--cores=4 | all"},
    {"-nc4", "--dry-run --cores=4 |"},
    {"--cores=all x", "--cores=all | x"},
    {"--cor 2", "--cores=2 |"},
    {"--dryrun", "--dry-run |"},
    {"--config a=1 b=2 -n", "--dry-run --config=a=1,b=2 |"},
    {"--config=a=1 x", "--config=a=1 | x"},
    {"--config a=1 all", "--config=a=1,all |"},
    {"--config a=1 -- all -n", "--config=a=1 | all -n"},
    {"-n -- -x", "--dry-run | -x"},
    {"--quiet", "--quiet |"},
    {"-q rules host", "--quiet=rules,host |"},
    {"-c1 -c2", "--cores=2 |"},
    {"--profile a --profile b t", "--profile=a,b | t"},
    {"-R a -f -F -k -t", "--touch --keep-going --force --forceall --forcerun=a |"},
    {"--ri --ii --nt", "--rerun-incomplete --ignore-incomplete --notemp |"},
    {"a -", "| a -"},
    {"--max-checksum-file-size -1", "--max-checksum-file-size=-1 |"},
    {"--cores", "! --cores needs a value: N"},
    {"--until -n", "! --until needs a value: TARGET"},
    {"--dry-run=yes", "! --dry-run takes no value"},
    {"--nosuch", "! unknown option --nosuch"},
    {"--list-c x", "! the option --list-c is ambiguous: --list-changes, --list-conda-envs"},
    {"-nZ", "! unknown option -Z in -nZ"},
};

static const char *meaning(struct arena *in, const struct options *o)
{
    struct buf out = {0};
    char name[64];
    for (int id = 0; id < OPT_COUNT; id++) {
        if (!o->given[id])
            continue;
        buf_printf(&out, "%s", option_name(id, name));
        for (uint32_t i = 0; i < o->words[id].len; i++)
            buf_printf(&out, "%s%s", i ? "," : "=", o->words[id].at[i]);
        buf_char(&out, ' ');
    }
    buf_char(&out, '|');
    for (uint32_t i = 0; i < o->targets.len; i++)
        buf_printf(&out, " %s", o->targets.at[i]);
    const char *text = arena_str(in, buf_text(&out));
    buf_free(&out);
    return text;
}

/* Parses the line; argv lives in the arena. */
static bool parse(struct arena *in, struct diags *dx, const char *line, struct options *o)
{
    const char **argv = arena_array(in, const char *, strlen(line) + 2);
    int argc = 0;
    for (const char *at = line; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        argv[argc++] = arena_copy(in, at, n);
        at += n;
    }
    argv[argc] = NULL;
    *o = (struct options){0};
    return options_parse(o, dx, argc, argv);
}

static void test_table(struct arena *in, struct diags *dx)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct options o;
        bool good = parse(in, dx, table[i].line, &o);
        const char *got = good ? meaning(in, &o) : arena_printf(in, "! %s", diag_last(dx));
        is(got, table[i].meaning, *table[i].line ? table[i].line : "nothing");
        options_free(&o);
    }
}

static void test_profile(struct arena *in, struct diags *dx)
{
    struct options o;
    parse(in, dx, "-c2", &o);
    const char *four[] = {"4"}, *pair[] = {"a=1", "b=2"};
    ok(option_set(&o, dx, "p.yaml", "cores", four, 1) &&
           option_set(&o, dx, "p.yaml", "config", pair, 2),
       "a profile's options");
    is(option_word(&o, OPT_CORES, NULL), "2", "do not replace those of the command line");
    is(option_words(&o, OPT_CONFIG)[1], "b=2", "and add what is not there");
    ok(!option_words(&o, OPT_CONFIG)[2], "as a list with an end");
    is(option_word(&o, OPT_JOBS, "7"), "7", "what nobody gave has the caller's default");
    ok(!option_words(&o, OPT_JOBS), "and no words");
    options_free(&o);
}

static void test_names(void)
{
    char name[64], again[64];
    for (int id = 0; id < OPT_COUNT; id++) {
        option_name(id, name);
        int found = option_find(name + 2);
        if (found != id)
            ok(false, "%s is found as %s", name, found < 0 ? "nothing" : option_name(found, again));
    }
    ok(true, "every option is found by its first name");
}

int main(void)
{
    struct arena in = {0};
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    test_table(&in, dx);
    test_profile(&in, dx);
    test_names();
    diags_free(dx);
    sources_free(sources);
    arena_free(&in);
    return done();
}
