// SPDX-License-Identifier: MIT
/* pattern.c: paths with wildcards, parsed once, matched and filled in many times.
 *
 *     mapped/{sample}.{unit,\d+}.bam   ->   "mapped/" slot0 "." slot1(\d+) ".bam"
 *
 * A wildcard is what Snakemake's own expression finds: {, blanks, a name of word characters and
 * dots, perhaps a comma and a constraint in which braces nest once ({w,a{3,5}}), blanks, }.
 * Anything else in braces is text. */
#include "flow/pattern.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/pool.h"
#include "base/utf8.h"

/* ---- finding wildcards ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static size_t skip_blanks(const char *text, size_t len, size_t at)
{
    while (at < len && is_blank(text[at]))
        at++;
    return at;
}

static size_t skip_name(const char *text, size_t len, size_t at)
{
    while (at < len) {
        const char *c = text + at;
        if (*c == '.' || *c == '_' || isalnum((unsigned char)*c)) {
            at++;
            continue;
        }
        if (!((unsigned char)*c & 0x80) || !utf8_is_ident(utf8_next(&c, text + len)))
            break;
        at = (size_t)(c - text);
    }
    return at;
}

/* Behind "{3}" or "{3,5}" at `at`, or `at` itself if no such thing stands there. */
static size_t skip_repeat(const char *text, size_t len, size_t at)
{
    size_t i = at + 1, digits = i;
    while (i < len && isdigit((unsigned char)text[i]))
        i++;
    if (i == digits)
        return at;
    if (i < len && text[i] == ',') {
        digits = ++i;
        while (i < len && isdigit((unsigned char)text[i]))
            i++;
        if (i == digits)
            return at;
    }
    return i < len && text[i] == '}' ? i + 1 : at;
}

static size_t skip_constraint(const char *text, size_t len, size_t at)
{
    while (at < len && text[at] != '}') {
        if (text[at] != '{') {
            at++;
            continue;
        }
        size_t behind = skip_repeat(text, len, at);
        if (behind == at)
            break;
        at = behind;
    }
    return at;
}

static bool wildcard_here(const char *text, size_t len, size_t at, struct wildcard_at *out)
{
    size_t name = skip_blanks(text, len, at + 1);
    size_t end = skip_name(text, len, name);
    if (end == name)
        return false;
    *out = (struct wildcard_at){at, 0, text + name, end - name, NULL, 0};
    end = skip_blanks(text, len, end);
    if (end < len && text[end] == ',') {
        size_t start = skip_blanks(text, len, end + 1);
        end = skip_constraint(text, len, start);
        out->constraint = text + start;
        out->constraint_len = end - start;
    }
    if (end >= len || text[end] != '}')
        return false;
    out->end = end + 1;
    return true;
}

bool wildcard_next(const char *text, size_t len, size_t from, struct wildcard_at *out)
{
    const char *brace;
    while (from < len && (brace = memchr(text + from, '{', len - from))) {
        from = (size_t)(brace - text);
        if (wildcard_here(text, len, from, out))
            return true;
        from++;
    }
    return false;
}

int wildcard_slot(const struct wildcard_names *wildcards, sym_t name)
{
    for (int i = 0; i < wildcards->n; i++)
        if (wildcards->name[i] == name)
            return i;
    return -1;
}

int wildcards_add(struct arena *in, struct wildcard_names *wildcards, sym_t name)
{
    if (wildcards->n == wildcards->cap) {
        int cap = wildcards->cap ? 2 * wildcards->cap : 4;
        sym_t *name_copy = arena_array(in, sym_t, cap);
        const char **constraint = arena_array(in, const char *, cap);
        for (int i = 0; i < wildcards->n; i++) {
            name_copy[i] = wildcards->name[i];
            constraint[i] = wildcards->constraint[i];
        }
        wildcards->name = name_copy;
        wildcards->constraint = constraint;
        wildcards->cap = (uint16_t)cap;
    }
    wildcards->name[wildcards->n] = name;
    return wildcards->n++;
}

char *wildcards_fill(struct arena *in, struct intern *names, const struct wildcard_names *wildcards,
                     const sym_t *value, const char *text, size_t len, sym_t *unknown)
{
    struct buf out = {0};
    struct wildcard_at hit;
    size_t from = 0;
    for (; wildcard_next(text, len, from, &hit); from = hit.end) {
        sym_t name = intern(names, hit.name, hit.name_len);
        int slot = wildcard_slot(wildcards, name);
        if (slot < 0) {
            *unknown = name;
            buf_free(&out);
            return NULL;
        }
        buf_add(&out, text + from, hit.at - from);
        buf_add(&out, sym_text(names, value[slot]), sym_len(names, value[slot]));
    }
    buf_add(&out, text + from, len - from);
    char *filled = arena_copy(in, buf_text(&out), out.len);
    buf_free(&out);
    return filled;
}

/* ---- parsing ---- */

/* What parsing one pattern needs to know at every step. */
struct parsing {
    struct arena *in;
    struct intern *names;
    struct diags *dx;
    struct wildcard_names *wildcards;
    struct pattern *out;
    const char *text;
    bool add;
};

static void add_text(struct parsing *p, size_t at, size_t end)
{
    if (end == at)
        return;
    struct pattern_part *part = &p->out->part[p->out->nparts++];
    part->text = arena_copy(p->in, p->text + at, end - at);
    part->len = (uint32_t)(end - at);
}

static bool is_first(const struct pattern *pattern, int slot)
{
    for (int i = 0; i < pattern->nparts; i++)
        if (!pattern->part[i].text && pattern->part[i].slot == slot)
            return false;
    return true;
}

static int find_slot(struct parsing *p, const struct wildcard_at *hit)
{
    sym_t name = intern(p->names, hit->name, hit->name_len);
    int slot = wildcard_slot(p->wildcards, name);
    if (slot >= 0)
        return slot;
    if (p->add)
        return wildcards_add(p->in, p->wildcards, name);
    complain_kind(p->dx, "WildcardError", p->out->span,
                  "Wildcards in input files cannot be determined from output files: '%s'",
                  sym_text(p->names, name));
    return -1;
}

static bool add_slot(struct parsing *p, const struct wildcard_at *hit)
{
    int slot = find_slot(p, hit);
    if (slot < 0)
        return false;
    struct pattern_part part = {.slot = slot, .first = is_first(p->out, slot)};
    if (hit->constraint && !part.first && hit->constraint_len)
        return complain_kind(
            p->dx, "WildcardError", p->out->span,
            "the constraint of wildcard '%.*s' may stand only where it occurs first",
            (int)hit->name_len, hit->name);
    if (hit->constraint) {
        /* An empty constraint is `.+`, and yet no other may replace it. */
        part.constraint = hit->constraint_len
                              ? arena_copy(p->in, hit->constraint, hit->constraint_len)
                              : ".+";
        if (!p->wildcards->constraint[slot])
            p->wildcards->constraint[slot] = part.constraint;
    }
    p->out->nslots += part.first;
    p->out->part[p->out->nparts++] = part;
    return true;
}

static size_t count_wildcards(const char *text, size_t len)
{
    struct wildcard_at hit;
    size_t n = 0;
    for (size_t from = 0; wildcard_next(text, len, from, &hit); from = hit.end)
        n++;
    return n;
}

/* The text without constraints. */
static sym_t plain_text(struct intern *names, const char *text, size_t len)
{
    struct buf plain = {0};
    struct wildcard_at hit;
    size_t from = 0;
    for (; wildcard_next(text, len, from, &hit); from = hit.end) {
        buf_add(&plain, text + from, hit.at - from);
        buf_char(&plain, '{');
        buf_add(&plain, hit.name, hit.name_len);
        buf_char(&plain, '}');
    }
    buf_add(&plain, text + from, len - from);
    sym_t sym = intern(names, buf_text(&plain), plain.len);
    buf_free(&plain);
    return sym;
}

/* Prefix and suffix alone decide where one wildcard stands once and may be anything. */
static void find_ends(struct pattern *pattern)
{
    int n = pattern->nparts, wild = 0;
    if (n && pattern->part[0].text)
        pattern->prefix = pattern->part[0].len;
    if (n > 1 && pattern->part[n - 1].text)
        pattern->suffix = pattern->part[n - 1].len;
    bool free_choice = true;
    for (int i = 0; i < n; i++) {
        wild += !pattern->part[i].text;
        free_choice = free_choice && !pattern->part[i].constraint;
    }
    pattern->fast = wild == 0 || (wild == 1 && free_choice);
}

static size_t without_slashes(const char *text, size_t len)
{
    while (len > 1 && text[len - 1] == '/')
        len--;
    return len;
}

bool pattern_parse(struct arena *in, struct intern *names, struct diags *dx, const char *text,
                   size_t len, struct span span, struct wildcard_names *wildcards, bool add,
                   struct pattern *out)
{
    len = without_slashes(text, len);
    size_t nwild = count_wildcards(text, len);
    *out = (struct pattern){.text = intern(names, text, len), .span = span};
    out->plain = nwild ? plain_text(names, text, len) : out->text;
    out->part = arena_array(in, struct pattern_part, 2 * nwild + 1);
    struct parsing p = {in, names, dx, wildcards, out, text, add};
    struct wildcard_at hit;
    size_t from = 0;
    for (; nwild && wildcard_next(text, len, from, &hit); from = hit.end) {
        add_text(&p, from, hit.at);
        if (!add_slot(&p, &hit))
            return false;
    }
    add_text(&p, from, len);
    find_ends(out);
    return true;
}

void pattern_constrain(struct pattern *pattern, int slot, const char *constraint)
{
    for (int i = 0; i < pattern->nparts; i++) {
        struct pattern_part *part = &pattern->part[i];
        if (part->text || part->slot != slot || !part->first || part->constraint)
            continue;
        part->constraint = constraint;
        pattern_free(pattern);
    }
    find_ends(pattern);
}

const char *pattern_shown(const struct pattern *pattern, struct arena *in,
                          const struct intern *names)
{
    const char *text = sym_text(names, pattern->text);
    size_t len = strlen(text), from = 0;
    struct buf out = {0};
    struct wildcard_at hit;
    for (int i = 0; i < pattern->nparts; i++) {
        const struct pattern_part *part = &pattern->part[i];
        if (part->text || !wildcard_next(text, len, from, &hit))
            continue;
        size_t end = part->first && part->constraint && !hit.constraint ? hit.at : hit.end;
        buf_add(&out, text + from, end - from);
        if (end < hit.end)
            buf_printf(&out, "{%.*s,%s}", (int)hit.name_len, hit.name, part->constraint);
        from = hit.end;
    }
    buf_add(&out, text + from, len - from);
    const char *shown = arena_copy(in, buf_text(&out), out.len);
    buf_free(&out);
    return shown;
}

/* ---- the regular expression ---- */

static void add_escaped(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (strchr("\\^$.|?*+()[]{}-#&~ \t\n\r\v\f", text[i]))
            buf_char(out, '\\');
        buf_char(out, text[i]);
    }
}

/* The group of a slot: the wildcard's own name where PCRE2 allows it (constraints may refer to
 * it). */
static const char *group_name(struct intern *names, const struct wildcard_names *wildcards,
                              int slot, char room[16])
{
    const char *name = sym_text(names, wildcards->name[slot]);
    size_t len = strlen(name);
    bool fits = len <= 32 && !isdigit((unsigned char)*name);
    for (size_t i = 0; i < len; i++)
        fits = fits && (name[i] == '_' || isalnum((unsigned char)name[i]));
    if (fits)
        return name;
    snprintf(room, 16, "w_%d", slot);
    return room;
}

static void write_regex(const struct pattern *pattern, struct intern *names,
                        const struct wildcard_names *wildcards, struct buf *out)
{
    for (int i = 0; i < pattern->nparts; i++) {
        const struct pattern_part *part = &pattern->part[i];
        char room[16];
        if (part->text) {
            add_escaped(out, part->text, part->len);
            continue;
        }
        const char *group = group_name(names, wildcards, part->slot, room);
        if (part->first)
            buf_printf(out, "(?P<%s>%s)", group, part->constraint ? part->constraint : ".+");
        else
            buf_printf(out, "(?P=%s)", group);
    }
}

static bool compile(struct pattern *pattern, struct intern *names,
                    const struct wildcard_names *wildcards, char *message, size_t size)
{
    if (pattern->regex)
        return true;
    struct buf text = {0};
    size_t at;
    write_regex(pattern, names, wildcards, &text);
    pattern->regex = regex_new(buf_text(&text), text.len, 0, message, size, &at);
    buf_free(&text);
    return pattern->regex;
}

bool pattern_check(struct pattern *pattern, struct intern *names, struct diags *dx,
                   const struct wildcard_names *wildcards)
{
    char message[256] = "";
    if (pattern->fast || compile(pattern, names, wildcards, message, sizeof message))
        return true;
    return complain_kind(dx, "IOFileException", pattern->span, "%s in wildcard statement of '%s'",
                         message, sym_text(names, pattern->text));
}

/* ---- matching ---- */

static bool match_ends(const struct pattern *pattern, const char *path, size_t len)
{
    if (len < (size_t)pattern->prefix + pattern->suffix)
        return false;
    if (pattern->prefix && memcmp(path, pattern->part[0].text, pattern->prefix))
        return false;
    const struct pattern_part *last = &pattern->part[pattern->nparts - 1];
    return !pattern->suffix || !memcmp(path + len - pattern->suffix, last->text, pattern->suffix);
}

static bool match_fast(const struct pattern *pattern, struct intern *names, const char *path,
                       size_t len, sym_t *value)
{
    size_t wild = len - pattern->prefix - pattern->suffix;
    if (!pattern->nslots)
        return len == pattern->prefix;
    if (!wild || memchr(path + pattern->prefix, '\n', wild))
        return false;
    value[pattern->part[pattern->prefix > 0].slot] = intern(names, path + pattern->prefix, wild);
    return true;
}

static bool match_regex(const struct pattern *pattern, struct intern *names,
                        const struct wildcard_names *wildcards, const char *path, size_t len,
                        sym_t *value)
{
    enum { ROOM = 32 };
    size_t small[ROOM][2], (*group)[2] = small;
    int n = regex_groups(pattern->regex) + 1;
    if (n > ROOM)
        group = pool_grow(NULL, &(uint32_t){0}, (uint32_t)n, sizeof *group);
    bool found = regex_exec(pattern->regex, path, len, 0, REGEX_FULL, group, n) > 0;
    for (int i = 0; found && i < pattern->nparts; i++) {
        const struct pattern_part *part = &pattern->part[i];
        char room[16];
        if (part->text || !part->first)
            continue;
        const char *name = group_name(names, wildcards, part->slot, room);
        size_t *at = group[regex_group_number(pattern->regex, name)];
        value[part->slot] = intern(names, path + at[0], at[1] - at[0]);
    }
    if (group != small)
        free(group);
    return found;
}

bool pattern_match(struct pattern *pattern, struct intern *names,
                   const struct wildcard_names *wildcards, const char *path, size_t len,
                   sym_t *value)
{
    char message[128];
    if (!match_ends(pattern, path, len))
        return false;
    if (pattern->fast)
        return match_fast(pattern, names, path, len, value);
    if (!compile(pattern, names, wildcards, message, sizeof message))
        return false;
    return match_regex(pattern, names, wildcards, path, len, value);
}

/* how: REGEX_MATCH, at the beginning, or REGEX_FULL. */
static bool allows(struct pattern_part *part, struct intern *names, sym_t value, int how)
{
    char message[128];
    size_t at, group[1][2];
    const char *text = part->constraint;
    if (!part->check)
        part->check = regex_new(text, strlen(text), 0, message, sizeof message, &at);
    if (!part->check)
        return false;
    return regex_exec(part->check, sym_text(names, value), sym_len(names, value), 0, how, group,
                      1) > 0;
}

const struct pattern_part *pattern_barrier(const struct pattern *pattern, struct arena *in,
                                           struct intern *names,
                                           const struct wildcard_names *wildcards, const char *path,
                                           size_t len, sym_t *value)
{
    struct pattern bare = *pattern;
    bare.part = arena_array(in, struct pattern_part, bare.nparts + 1);
    bare.regex = NULL;
    for (int i = 0; i < bare.nparts; i++) {
        bare.part[i] = pattern->part[i];
        bare.part[i].constraint = NULL;
        bare.part[i].check = NULL;
    }
    find_ends(&bare);
    bool found = pattern_match(&bare, names, wildcards, path, len, value);
    pattern_free(&bare);
    for (int i = 0; found && i < pattern->nparts; i++) {
        struct pattern_part *part = &pattern->part[i];
        if (part->constraint && !allows(part, names, value[part->slot], REGEX_FULL))
            return part;
    }
    return NULL;
}

bool pattern_allows(struct pattern *pattern, struct intern *names, const sym_t *value)
{
    for (int i = 0; i < pattern->nparts; i++) {
        struct pattern_part *part = &pattern->part[i];
        if (part->constraint && !allows(part, names, value[part->slot], REGEX_MATCH))
            return false;
    }
    return true;
}

/* ---- filling in ---- */

static void fill(const struct pattern *pattern, const struct intern *names, const sym_t *value,
                 char *out)
{
    for (int i = 0; i < pattern->nparts; i++) {
        const struct pattern_part *part = &pattern->part[i];
        const char *text = part->text ? part->text : sym_text(names, value[part->slot]);
        size_t len = part->text ? part->len : sym_len(names, value[part->slot]);
        memcpy(out, text, len);
        out += len;
    }
}

static size_t filled_len(const struct pattern *pattern, const struct intern *names,
                         const sym_t *value)
{
    size_t len = 0;
    for (int i = 0; i < pattern->nparts; i++)
        len += pattern->part[i].text ? pattern->part[i].len
                                     : sym_len(names, value[pattern->part[i].slot]);
    return len;
}

sym_t pattern_apply(const struct pattern *pattern, struct intern *names, const sym_t *value)
{
    char small[1024], *text = small;
    if (!pattern->nslots)
        return pattern->plain;
    size_t len = filled_len(pattern, names, value);
    if (len > sizeof small)
        text = pool_grow(NULL, &(uint32_t){0}, (uint32_t)len, 1);
    fill(pattern, names, value, text);
    sym_t sym = intern(names, text, without_slashes(text, len));
    if (text != small)
        free(text);
    return sym;
}

char *pattern_text(const struct pattern *pattern, struct arena *in, const struct intern *names,
                   const sym_t *value)
{
    size_t len = filled_len(pattern, names, value);
    char *text = arena_alloc(in, len + 1);
    fill(pattern, names, value, text);
    text[without_slashes(text, len)] = 0;
    return text;
}

/* How many bytes at the beginning of a constraint stand for themselves and occur just once. */
static size_t literal_start(const char *constraint)
{
    size_t n = 0;
    if (strchr(constraint, '|'))
        return 0;
    while (constraint[n] && !strchr("\\^$.?*+()[]{}#", constraint[n]) &&
           !((unsigned char)constraint[n] & 0x80))
        n++;
    return n && constraint[n] && strchr("?*+{", constraint[n]) ? n - 1 : n;
}

const char *pattern_lead(const struct pattern *pattern, struct arena *in)
{
    const struct pattern_part *part = pattern->part;
    const char *text = pattern->nparts && part->text ? arena_copy(in, part->text, part->len) : "";
    part += pattern->nparts && part->text;
    if (part == pattern->part + pattern->nparts || !part->constraint)
        return text;
    return arena_printf(in, "%s%.*s", text, (int)literal_start(part->constraint), part->constraint);
}

void pattern_free(struct pattern *pattern)
{
    for (int i = 0; i < pattern->nparts; i++) {
        regex_free(pattern->part[i].check);
        pattern->part[i].check = NULL;
    }
    regex_free(pattern->regex);
    pattern->regex = NULL;
}
