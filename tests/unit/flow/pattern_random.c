// SPDX-License-Identifier: MIT
/* Random patterns against random paths: what pattern_match does without PCRE2 (free wildcards, the
 * ends) gives the captures of Snakemake's regular expression, which is written here anew; and what
 * matches begins as pattern_lead says. */
#include "test.h"

#include <stdlib.h>

#include "base/buf.h"
#include "flow/pattern.h"

enum { PATTERNS = 4000, PATHS = 12, PARTS = 6, NAMES = 3 };

static const char *const letters[] = {"a", "b", "ab", "/", ".", "_", "é", "+", "(", "\n", "aa"};
static const char *const constraints[] = {"[ab]+", "a|b",    "a",   "ab*",    "\\w+",
                                          "[^/]+", "b{1,2}", "é?a", "a+b",    "a.b",
                                          "(ab)+", "\\.a",   "ab",  "b[ab/]*"};

struct sample {
    struct buf pattern, regex;
    const char *part[PARTS]; /* literal text, or NULL: a wildcard */
    int slot[PARTS], nparts;
    bool used[NAMES];
};

static uint32_t dice(uint32_t n)
{
    static uint32_t state = 2463534242u; /* xorshift: the same patterns in every run */
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % n;
}

#define PICK(from) ((from)[dice(sizeof(from) / sizeof *(from))])

static void add_literal(struct sample *s, const char *text)
{
    s->part[s->nparts++] = text;
    buf_str(&s->pattern, text);
    for (; *text; text++) {
        if (strchr("+(.", *text))
            buf_char(&s->regex, '\\');
        buf_char(&s->regex, *text);
    }
}

static void add_wildcard(struct sample *s, int slot)
{
    const char *constraint = dice(3) ? NULL : PICK(constraints);
    s->slot[s->nparts++] = slot;
    if (s->used[slot]) {
        buf_printf(&s->pattern, "{w%d}", slot);
        buf_printf(&s->regex, "(?P=w%d)", slot);
    } else {
        buf_printf(&s->pattern, constraint ? "{w%d,%s}" : "{w%d}", slot, constraint);
        buf_printf(&s->regex, "(?P<w%d>%s)", slot, constraint ? constraint : ".+");
    }
    s->used[slot] = true;
}

static struct sample new_sample(void)
{
    struct sample s = {0};
    for (int n = 1 + (int)dice(PARTS - 1); s.nparts < n;) {
        if (dice(2))
            add_literal(&s, PICK(letters));
        else
            add_wildcard(&s, (int)dice(NAMES));
    }
    return s;
}

/* A path that may well match: the pattern with random values, perhaps with something changed. */
static void new_path(const struct sample *s, struct buf *path)
{
    const char *value[NAMES][2];
    for (int i = 0; i < NAMES; i++) {
        value[i][0] = PICK(letters);
        value[i][1] = dice(2) ? PICK(letters) : "";
    }
    buf_reset(path);
    for (int i = 0; i < s->nparts; i++) {
        if (!dice(12))
            continue;
        buf_str(path, s->part[i] ? s->part[i] : value[s->slot[i]][0]);
        buf_str(path, s->part[i] ? "" : value[s->slot[i]][1]);
    }
    buf_str(path, dice(8) ? "" : PICK(letters));
    buf_str(path, ""); /* never without memory */
}

/* The captures, one a line; "" without a match. */
static void by_regex(const struct sample *s, const struct regex *regex, const struct buf *path,
                     struct buf *out)
{
    size_t group[16][2]; /* constraints have groups, too */
    buf_reset(out);
    if (regex_exec(regex, path->at, path->len, 0, REGEX_FULL, group, 16) <= 0)
        return;
    for (int i = 0; i < NAMES; i++) {
        char name[4] = {'w', (char)('0' + i)};
        const size_t *at = group[regex_group_number(regex, name)];
        if (s->used[i])
            buf_printf(out, "%s=%.*s\n", name, (int)(at[1] - at[0]), path->at + at[0]);
    }
    buf_char(out, '.');
}

static void by_pattern(struct pattern *pattern, struct intern *names,
                       const struct wildcard_names *wildcards, const struct buf *path,
                       struct buf *out)
{
    sym_t value[NAMES] = {0};
    buf_reset(out);
    if (!pattern_match(pattern, names, wildcards, path->at, path->len, value))
        return;
    for (char i = '0'; i < '0' + NAMES; i++)
        for (int slot = 0; slot < wildcards->n; slot++)
            if (sym_text(names, wildcards->name[slot])[1] == i)
                buf_printf(out, "w%c=%s\n", i, sym_text(names, value[slot]));
    buf_char(out, '.');
}

struct tally {
    uint32_t wrong, astray, matched, fast;
};

static void try_paths(const struct sample *s, struct pattern *pattern, struct intern *names,
                      const struct wildcard_names *wildcards, struct tally *tally)
{
    struct arena in = {0};
    struct buf path = {0}, want = {0}, got = {0};
    char message[100];
    size_t at;
    struct regex *regex = regex_new(s->regex.at, s->regex.len, 0, message, sizeof message, &at);
    const char *lead = pattern_lead(pattern, &in);
    for (int i = 0; regex && i < PATHS; i++) {
        new_path(s, &path);
        by_regex(s, regex, &path, &want);
        by_pattern(pattern, names, wildcards, &path, &got);
        tally->matched += want.len > 0;
        tally->fast += want.len > 0 && pattern->fast && pattern->nslots;
        tally->astray += want.len && strncmp(path.at, lead, strlen(lead));
        if (strcmp(buf_text(&want), buf_text(&got))) {
            tally->wrong++;
            printf("# %s against %s\n#  got: %s\n# want: %s\n", buf_text(&s->pattern), path.at,
                   buf_text(&got), buf_text(&want));
        }
    }
    regex_free(regex);
    buf_free(&path);
    buf_free(&want);
    buf_free(&got);
    arena_free(&in);
}

static void try_pattern(struct tally *tally)
{
    struct arena in = {0};
    struct intern *names = intern_new();
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct wildcard_names wildcards = {0};
    struct sample s = new_sample();
    struct pattern pattern;
    if (s.pattern.at[s.pattern.len - 1] != '/' && /* a slash at the end is dropped */
        pattern_parse(&in, names, dx, s.pattern.at, s.pattern.len, (struct span){0}, &wildcards,
                      true, &pattern)) {
        try_paths(&s, &pattern, names, &wildcards, tally);
        pattern_free(&pattern);
    }
    buf_free(&s.pattern);
    buf_free(&s.regex);
    diags_free(dx);
    sources_free(sources);
    intern_free(names);
    arena_free(&in);
}

int main(void)
{
    struct tally tally = {0};
    for (int i = 0; i < PATTERNS; i++)
        try_pattern(&tally);
    ok(!tally.wrong, "random patterns have the captures of their regular expressions");
    ok(!tally.astray, "and what matches begins with their leads");
    ok(tally.matched > PATTERNS && tally.fast > PATTERNS / 10,
       "%u matches were compared, %u of them made without PCRE2", tally.matched, tally.fast);
    return done();
}
