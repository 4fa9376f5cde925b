// SPDX-License-Identifier: MIT
#include "report/lint.h"

#include <ctype.h>
#include <string.h>

#include "base/fs.h"
#include "base/http.h"
#include "base/regex.h"
#include "flow/ruleinfo.h"

struct lint {
    struct workflow *workflow;
    struct arena in;
    struct buf *out;
    bool json;
    uint32_t n, here, items; /* hints in all, and of the item being looked at; items with hints */
    const char *rule;        /* the item: this rule of the snakefile; NULL: the snakefile itself */
    const char *snakefile;
    int line;
};

static void put_json(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, "\"%s\": ", key);
    buf_json_text(out, text);
}

/* As Snakemake's linter describes what the hints are for. */
static void put_item(struct lint *lint)
{
    struct buf *out = lint->out;
    if (!lint->json && lint->rule) {
        buf_printf(out, "Lints for rule %s (line %d, %s):\n", lint->rule, lint->line,
                   lint->snakefile);
    } else if (!lint->json) {
        buf_printf(out, "Lints for snakefile %s:\n", lint->snakefile);
    } else {
        buf_str(out, lint->items ? ",\n    {\"for\": {" : "\n    {\"for\": {");
        if (lint->rule) {
            put_json(out, "rule", lint->rule);
            buf_printf(out, ", \"line\": %d, ", lint->line);
        }
        put_json(out, "snakefile", lint->snakefile);
        buf_str(out, "}, \"lints\": [");
    }
    lint->items++;
}

static void hint(struct lint *lint, const char *title, const char *body)
{
    if (!lint->here)
        put_item(lint);
    if (lint->json) {
        buf_str(lint->out, lint->here ? ",\n      {" : "\n      {");
        put_json(lint->out, "title", title);
        buf_str(lint->out, ", ");
        put_json(lint->out, "body", body);
        buf_str(lint->out, ", \"links\": []}");
    } else {
        buf_printf(lint->out, "    * %s:\n      %s\n", title, body);
    }
    lint->here++;
    lint->n++;
}

static void begin_item(struct lint *lint, const char *rule, const char *snakefile, int line)
{
    lint->here = 0;
    lint->rule = rule;
    lint->snakefile = http_shown(&lint->in, snakefile);
    lint->line = line;
}

static void end_item(struct lint *lint)
{
    if (lint->json && lint->here)
        buf_str(lint->out, "]}");
}

/* ---- the text of a Snakefile ---- */

#define NAME "[a-zA-Z_][a-zA-Z_0-9]*(?!\\+)"
/* A text that looks like a path: with a slash in it. As Snakemake takes it, it may go on behind its
 * own quote. */
#define PATH "(?<quote>['\"])(?<what>/?(?:[^/]+?/)+?(?:[^/]+?)?)\\k<quote>"

static const struct text_check {
    const char *pattern; /* its group `what`, if any, fills %s of the title */
    const char *title, *body;
    bool envvar; /* not where the envvars statement names it */
} text_checks[] = {
    {"(?<quote>['\"])(?<what>(?:/[^/\\n]+?)+?)\\k<quote>", "Absolute path %s in line %d",
     "On other machines it will not be there: use a path below the working directory, or one from "
     "the configuration.",
     false},
    {NAME " *\\+ *" PATH, "Path put together with '+'%.0s in line %d",
     "Such expressions are hard to read: repeat the prefix, or use an f-string or pathlib.", false},
    {PATH " *\\+ *" NAME, "Path put together with '+'%.0s in line %d",
     "Such expressions are hard to read: repeat the prefix, or use an f-string or pathlib.", false},
    {"os\\.environ\\[(?<quote>['\"])(?<what>.+)?\\k<quote>\\]",
     "Environment variable %s is used without an envvars statement, in line %d",
     "With `envvars:` its absence is told at the start, and jobs elsewhere get it too.", true},
    {"(?<what>singularity:)", "Deprecated directive %s in line %d",
     "`container:` says the same for any container program.", false},
    {"(?<what>^ *\\t)", "Tab%.0s used in line %d",
     "Tabs and spaces mixed in indentation mislead readers and Python: use spaces only.", false},
};

static bool is_asserted(const struct workflow *w, const char *name)
{
    size_t n;
    const value *items = sequence_items(w->envvars.v, &n);
    for (size_t i = 0; items && i < n; i++)
        if (is_str(items[i]) && !strcmp(str_text(items[i]), name))
            return true;
    return false;
}

static int line_of(const char *text, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

static void check_text(struct lint *lint, const struct text_check *check, const char *text,
                       size_t len)
{
    char message[80];
    size_t at, group[4][2];
    struct arena in = {0};
    struct regex *regex = regex_new(check->pattern, strlen(check->pattern), 0, message,
                                    sizeof message, &at);
    int what = regex ? regex_group_number(regex, "what") : 0;
    for (at = 0; regex && regex_exec(regex, text, len, at, REGEX_SEARCH, group, 4) > 0;) {
        bool there = group[what][0] != SIZE_MAX;
        const char *word =
            there ? arena_copy(&in, text + group[what][0], group[what][1] - group[what][0]) : "";
        at = group[0][1] > at ? group[0][1] : at + 1;
        if (!check->envvar || !is_asserted(lint->workflow, word))
            hint(lint, arena_printf(&in, check->title, word, line_of(text, group[0][0])),
                 check->body);
    }
    regex_free(regex);
    arena_free(&in);
}

static bool has(const char *text, size_t len, const char *pattern)
{
    char message[80];
    size_t at, group[1][2];
    struct regex *regex = regex_new(pattern, strlen(pattern), 0, message, sizeof message, &at);
    bool found = regex && regex_exec(regex, text, len, 0, REGEX_SEARCH, group, 1) > 0;
    regex_free(regex);
    return found;
}

static void check_snakefile(struct lint *lint, const char *path)
{
    struct arena in = {0};
    size_t len;
    const char *text = fs_read(&in, path, &len);
    begin_item(lint, NULL, path, 0);
    for (size_t i = 0; text && i < sizeof text_checks / sizeof *text_checks; i++)
        check_text(lint, &text_checks[i], text, len);
    if (text && lint->workflow->snakefiles.len > 1 && has(text, len, "rule .+?:") &&
        has(text, len, "def .+?:"))
        hint(lint, "Rules and functions in the same snakefile",
             "A lambda serves where a short function is used once; others are better kept in a "
             "common file such as rules/common.smk.");
    end_item(lint);
    arena_free(&in);
}

/* ---- rules ---- */

static const char *shell_text(const struct rule *rule)
{
    value v = rule->body_value.v;
    return rule->body == BODY_SHELL && v && is_str(v) ? str_text(v) : NULL;
}

/* Wildcards with constraints stand there with them, so that a prefix without is none. */
static bool starts_any(const struct workflow *w, const struct items *items, const char *prefix)
{
    struct arena in = {0};
    bool found = false;
    for (uint32_t i = 0; i < items->len && !found; i++)
        found = items->at[i].kind == ITEM_PATTERN &&
                !strncmp(pattern_shown(&items->at[i].pattern, &in, w->names), prefix,
                         strlen(prefix));
    arena_free(&in);
    return found;
}

static void check_prefix(struct lint *lint, const struct rule *rule)
{
    const struct given *params = &rule->info->given[DIRECTIVE_PARAMS];
    for (uint32_t i = 0; params->node && i < params->n; i++) {
        const char *text = params->name[i] && is_str(params->at[i]) ? str_text(params->at[i]) : "";
        if (*text && (starts_any(lint->workflow, &rule->input, text) ||
                      starts_any(lint->workflow, &rule->output, text)))
            hint(lint, "A param is the fixed prefix of an input or output file",
                 "Without a shared file system the prefix will be another one: let a function find "
                 "it, such as lambda w, input: os.path.splitext(input[0])[0].");
    }
}

static void check_log(struct lint *lint, const struct rule *rule)
{
    if (!rule->log.len && rule->body != BODY_NONE && !rule->handover)
        hint(lint, "No log directive",
             "What the job says then goes to the terminal, mixed with that of others, and is lost "
             "on a cluster.");
}

static void check_names(struct lint *lint, const struct rule *rule)
{
    static const char known[] = " input output log params wildcards threads resources ";
    const char *text = shell_text(rule);
    for (const char *at = text ? strchr(text, '{') : NULL; at; at = strchr(at, '{')) {
        if (at[1] == '{') {
            at += 2;
            continue;
        }
        size_t n = 1;
        while (isalnum((unsigned char)at[n]) || at[n] == '_')
            n++;
        char word[80];
        snprintf(word, sizeof word, " %.*s ", (int)(n - 1), at + 1);
        if (n > 1 && !isdigit((unsigned char)at[1]) && !strstr(known, word))
            hint(lint, "The shell command uses a variable from outside of the rule",
                 "Give files as input and output and all else by params: only then does a change "
                 "of it make the job run again.");
        at += n;
    }
}

static void check_run(struct lint *lint, const struct rule *rule)
{
    enum { MOST = 5 };
    size_t len, lines = 0;
    if (rule->body != BODY_RUN)
        return;
    const char *text = span_text(lint->workflow->sources, rule->code_span, &len), *end = text + len;
    for (const char *line = text; line < end;) {
        const char *first = line + strspn(line, " \t"), *stop = memchr(line, '\n', end - line);
        lines += first < end && *first != '#' && *first != '\n' && strncmp(first, "run:", 4);
        line = stop ? stop + 1 : end;
    }
    if (lines > MOST)
        hint(lint, "A long run directive",
             "It hampers reading: a script or notebook gets the same objects and can be tried "
             "alone.");
}

static void check_index(struct lint *lint, const struct rule *rule)
{
    const char *text = shell_text(rule);
    for (; text && (text = strstr(text, "put[")); text++)
        if (isdigit((unsigned char)text[4])) {
            hint(lint, "The shell command takes a single input or output file by its number",
                 "Names say more: {input.reads} rather than {input[0]}.");
            return;
        }
}

static void check_software(struct lint *lint, const struct rule *rule)
{
    if (rule->body == BODY_NONE || rule->body == BODY_RUN || rule->handover || rule->conda.v ||
        rule->container.v || rule->containerized ||
        rule->body == BODY_WRAPPER) /* which brings an environment */
        return;
    size_t modules = 0;
    if (rule->envmodules.v)
        sequence_items(rule->envmodules.v, &modules);
    if (modules)
        hint(lint, "Environment modules alone",
             "They tie the workflow to machines with these very modules: name a conda environment "
             "or container as well.");
    else
        hint(lint, "Neither conda environment nor container",
             "With one the software of each step is written down, and other machines can get it.");
}

static void (*const rule_checks[])(struct lint *lint, const struct rule *rule) = {
    check_prefix, check_log, check_names, check_run, check_index, check_software,
};

static void check_rule(struct lint *lint, const struct rule *rule)
{
    struct place place = {.line = 0};
    source_place(lint->workflow->sources, rule->span.at, &place);
    begin_item(lint, sym_text(lint->workflow->names, rule->name), rule->snakefile, place.line);
    for (size_t i = 0; i < sizeof rule_checks / sizeof *rule_checks; i++)
        rule_checks[i](lint, rule);
    end_item(lint);
}

/* What stands before, between and behind the lists of items. */
static void put_between(struct lint *lint, const char *text)
{
    if (lint->json)
        buf_str(lint->out, text);
    lint->items = 0;
}

uint32_t lint_workflow(struct workflow *workflow, bool json, struct buf *out)
{
    struct lint lint = {.workflow = workflow, .out = out, .json = json};
    put_between(&lint, "{\n  \"snakefiles\": [");
    for (uint32_t i = 0; i < workflow->snakefiles.len; i++)
        check_snakefile(&lint, workflow->snakefiles.at[i]);
    put_between(&lint, "],\n  \"rules\": [");
    for (rule_id r = 1; r < workflow->rules.len; r++)
        check_rule(&lint, workflow->rules.at[r]);
    put_between(&lint, "]\n}\n");
    arena_free(&lint.in);
    return lint.n;
}
