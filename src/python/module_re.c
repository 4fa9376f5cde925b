// SPDX-License-Identifier: MIT
/* re over PCRE2. What the two dialects spell differently is translated: \Z, \uXXXX, {,n}, flags a u L. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "python/heap.h"
#include "python/modules.h"
#include "python/numbers.h"
#include "python/re_match.h"
#include "python/vm_state.h"

enum { RE_IGNORECASE = 2, RE_MULTILINE = 8, RE_DOTALL = 16, RE_UNICODE = 32, RE_VERBOSE = 64, RE_ASCII = 256 };

/* ---- translating ---- */

/* An escape at p (behind the backslash); bytes used. */
static size_t translate_escape(const char *p, const char *end, bool in_class, struct buf *out)
{
    int digits = *p == 'u' ? 4 : *p == 'U' ? 8 : 0;
    if (*p == 'Z' && !in_class) {
        buf_str(out, "\\z");
        return 1;
    }
    if (digits && end - p > digits) {
        buf_printf(out, "\\x{%.*s}", digits, p + 1);
        return (size_t)digits + 1;
    }
    buf_char(out, '\\');
    buf_char(out, *p);
    return 1;
}

/* Inline flags "(?aiLmsux-i" at p: those that PCRE2 lacks are noted and left out. */
static size_t translate_flags(const char *p, const char *end, int64_t *flags, struct buf *out)
{
    const char *q = p + 2;
    while (q < end && (isalpha((unsigned char)*q) || *q == '-'))
        q++;
    if (q == p + 2 || q == end || (*q != ')' && *q != ':') || p[2] == 'P')
        return 0;
    struct buf kept = {0};
    for (const char *f = p + 2; f < q; f++) {
        if (*f == 'a')
            *flags |= RE_ASCII;
        else if (*f != 'u' && *f != 'L')
            buf_char(&kept, *f);
    }
    if (kept.len || *q == ':')
        buf_printf(out, "(?%s%c", buf_text(&kept), *q);
    buf_free(&kept);
    return (size_t)(q - p) + 1;
}

static void translate(struct text source, int64_t *flags, struct buf *out)
{
    bool in_class = false;
    size_t n;
    for (const char *p = source.at, *start = p, *end = p + source.len; p < end;) {
        if (*p == '\\' && p + 1 < end) {
            p++;
            p += translate_escape(p, end, in_class, out);
        } else if (in_class) {
            in_class = *p != ']';
            if (*p == '[')
                buf_char(out, '\\'); /* no POSIX classes */
            buf_char(out, *p++);
        } else if (*p == '[') {
            in_class = true;
            buf_char(out, *p++);
            if (p < end && *p == '^')
                buf_char(out, *p++);
            if (p < end && *p == ']') {
                buf_str(out, "\\]");
                p++;
            }
        } else if (*p == '(' && end - p > 2 && p[1] == '?' && (n = translate_flags(p, end, flags, out))) {
            p += n;
        } else if (*p == '{' && p > start && p + 2 < end && p[1] == ',' && isdigit((unsigned char)p[2])) {
            buf_str(out, "{0");
            p++;
        } else {
            buf_char(out, *p++);
        }
    }
}

/* ---- patterns ---- */

static value raise_error(struct vm *vm, const char *message, size_t at)
{
    value module = module_import(vm, "re"), class = module ? module_get(vm, module, "error") : NO_VALUE;
    value text = str_printf(vm, "%s at position %zu", message, at);
    value exception = class ? vm_call1(vm, class, text) : NO_VALUE;
    return exception ? vm_raise_value(vm, exception) : NO_VALUE;
}

static value pattern_new(struct vm *vm, value source, int64_t flags)
{
    char message[200];
    size_t at;
    struct text text;
    struct buf pcre = {0};
    text_get(source, &text);
    translate(text, &flags, &pcre);
    uint32_t how = (flags & RE_IGNORECASE ? REGEX_IGNORECASE : 0) | (flags & RE_MULTILINE ? REGEX_MULTILINE : 0) |
                   (flags & RE_DOTALL ? REGEX_DOTALL : 0) | (flags & RE_VERBOSE ? REGEX_VERBOSE : 0) |
                   (flags & RE_ASCII ? REGEX_ASCII : 0) | (is_str(source) ? 0 : REGEX_BYTES);
    struct regex *regex = regex_new(buf_text(&pcre), pcre.len, how, message, sizeof message, &at);
    buf_free(&pcre);
    if (!regex)
        return raise_error(vm, message, at);
    struct pattern *pattern = object_new(vm, &type_pattern);
    pattern->regex = regex;
    pattern->source = source;
    pattern->flags = flags | (is_str(source) && !(flags & RE_ASCII) ? RE_UNICODE : 0);
    pattern->groups = regex_groups(regex);
    return from_object(pattern);
}

/* The pattern of a str, bytes or Pattern, from the cache of the module where it was seen before. */
static value pattern_of(struct vm *vm, value source, int64_t flags)
{
    struct text text;
    if (is_exact(source, &type_pattern)) {
        if (flags)
            return vm_raise(vm, "ValueError", "cannot process flags argument with a compiled pattern");
        return source;
    }
    if (!text_get(source, &text))
        return vm_raise(vm, "TypeError", "first argument must be string or compiled pattern");
    value module = dict_get_str(vm, from_object(vm->modules), "re"), cache = module ? module_get(vm, module, "_cache")
                                                                                    : NO_VALUE;
    value key = flags || !is_str(source) ? tuple_new(vm, (value[]){source, small(flags)}, 2) : source;
    value found = cache ? dict_get(vm, cache, key) : NO_VALUE;
    if (found)
        return found;
    value pattern = pattern_new(vm, source, flags);
    if (pattern && cache && dict_len(cache) < 1000)
        dict_set(vm, cache, key, pattern);
    return pattern;
}

/* ---- matching ---- */

static bool check_subject(struct vm *vm, const struct pattern *pattern, value subject, struct text *out)
{
    if (!text_get(subject, out))
        return vm_raise(vm, "TypeError", "expected string or bytes-like object, got '%s'", type_name(subject));
    if (is_str(subject) != is_str(pattern->source))
        return vm_raise(vm, "TypeError", "cannot use a %s pattern on a %s object",
                        is_str(subject) ? "bytes" : "string", is_str(subject) ? "string" : "bytes-like");
    return true;
}

/* Looks in text from byte `from` on: groups that took part, 0 none, -1 raised. */
static int look(struct vm *vm, const struct pattern *pattern, struct text text, size_t from, enum regex_how how,
                size_t (*span)[2])
{
    for (int i = 0; i < MAX_GROUPS; i++)
        span[i][0] = span[i][1] = SIZE_MAX;
    int n = regex_exec(pattern->regex, text.at, text.len, from, how, span, MAX_GROUPS);
    if (n < 0)
        vm_raise(vm, "RuntimeError", "matching needs too many steps: %s", is_str(pattern->source)
                                                                              ? str_text(pattern->source)
                                                                              : "(bytes)");
    return n;
}

static value match_once(struct vm *vm, value pattern_value, value subject, size_t from, size_t to, enum regex_how how)
{
    struct pattern *pattern = as_pattern(pattern_value);
    struct text text;
    size_t span[MAX_GROUPS][2];
    if (!check_subject(vm, pattern, subject, &text))
        return NO_VALUE;
    text.len = to < text.len ? to : text.len;
    if (from > text.len)
        return VALUE_NONE;
    int n = look(vm, pattern, text, from, how, span);
    return n < 0 ? NO_VALUE : n ? match_new(vm, pattern, subject, from, text.len, span) : VALUE_NONE;
}

/* Every match in turn: each is called until there are no more, `most` were found, or false (raised). */
typedef bool on_match(struct vm *vm, void *user, const struct pattern *pattern, value subject, size_t (*span)[2]);

static bool each_match(struct vm *vm, value pattern_value, value subject, size_t most, on_match *each, void *user)
{
    struct pattern *pattern = as_pattern(pattern_value);
    struct text text;
    size_t span[MAX_GROUPS][2];
    if (!check_subject(vm, pattern, subject, &text))
        return false;
    enum regex_how how = REGEX_SEARCH;
    for (size_t at = 0, n = 0; n < most; n++) {
        int found = look(vm, pattern, text, at, how, span);
        if (found <= 0)
            return !found;
        if (!each(vm, user, pattern, subject, span))
            return false;
        at = span[0][1];
        how = at == span[0][0] ? REGEX_ADVANCE : REGEX_SEARCH; /* the same empty match is not found twice */
    }
    return true;
}

static bool add_found(struct vm *vm, void *user, const struct pattern *pattern, value subject, size_t (*span)[2])
{
    value list = *(value *)user, items[MAX_GROUPS], empty = part_of(vm, subject, 0, 0);
    for (int i = 0; i <= pattern->groups; i++)
        items[i] = group_value(vm, subject, span[i], empty);
    list_push(vm, list, pattern->groups == 0   ? items[0]
                        : pattern->groups == 1 ? items[1]
                                               : tuple_new(vm, items + 1, (size_t)pattern->groups));
    return true;
}

static bool add_match(struct vm *vm, void *user, const struct pattern *pattern, value subject, size_t (*span)[2])
{
    struct text text;
    text_get(subject, &text);
    list_push(vm, *(value *)user, match_new(vm, pattern, subject, 0, text.len, span));
    return true;
}

struct splitting {
    value list;
    size_t at;
};

static bool add_piece(struct vm *vm, void *user, const struct pattern *pattern, value subject, size_t (*span)[2])
{
    struct splitting *s = user;
    list_push(vm, s->list, part_of(vm, subject, s->at, span[0][0]));
    for (int i = 1; i <= pattern->groups; i++)
        list_push(vm, s->list, group_value(vm, subject, span[i], VALUE_NONE));
    s->at = span[0][1];
    return true;
}

/* ---- substitution ---- */

value take_like(struct vm *vm, value subject, struct buf *out)
{
    if (is_str(subject))
        return str_take(vm, out);
    value v = bytes_new(vm, buf_text(out), out->len);
    buf_free(out);
    return v;
}

struct substitution {
    value replacement; /* str, bytes or callable */
    struct text template;
    struct buf out;
    size_t at;
    int64_t n;
    bool plain; /* no backslash in the template */
};

/* The number of a group by its name or digits; -1: raised. */
static int group_number(struct vm *vm, const struct pattern *pattern, const char *name, size_t len)
{
    char copy[128];
    if (len && len < sizeof copy) {
        memcpy(copy, name, len);
        copy[len] = 0;
        int n = strspn(copy, "0123456789") == len ? atoi(copy) : regex_group_number(pattern->regex, copy);
        if (n > pattern->groups || (n == 0 && !isdigit((unsigned char)*copy))) {
            if (isdigit((unsigned char)*copy))
                raise_error(vm, "invalid group reference", 0);
            else
                vm_raise(vm, "IndexError", "unknown group name '%s'", copy);
            return -1;
        }
        return n;
    }
    raise_error(vm, "missing group name", 0);
    return -1;
}

/* One escape of a template at p (behind the backslash); bytes used, 0: raised. */
static size_t put_escape(struct vm *vm, const struct pattern *pattern, value subject, size_t (*span)[2],
                         const char *p, const char *end, struct buf *out)
{
    static const char letters[] = "nrtvfab\\", meant[] = "\n\r\t\v\f\a\b\\";
    struct text text;
    text_get(subject, &text);
    size_t used = 1;
    int group = -1;
    if (isdigit((unsigned char)*p) && *p != '0') {
        used = p + 1 < end && isdigit((unsigned char)p[1]) ? 2 : 1;
        group = group_number(vm, pattern, p, used);
    } else if (*p == 'g' && p + 1 < end && p[1] == '<') {
        const char *close = memchr(p, '>', (size_t)(end - p));
        if (!close)
            return (size_t)raise_error(vm, "missing >, unterminated name", 0);
        used = (size_t)(close - p) + 1;
        group = group_number(vm, pattern, p + 2, (size_t)(close - p) - 2);
    } else {
        const char *letter = strchr(letters, *p);
        if (*p == '0')
            buf_char(out, 0);
        else if (letter)
            buf_char(out, meant[letter - letters]);
        else if (isalpha((unsigned char)*p))
            return (size_t)raise_error(vm, "bad escape", 0);
        else
            buf_printf(out, "\\%c", *p);
        return 1;
    }
    if (group < 0)
        return 0;
    if (span[group][0] != SIZE_MAX)
        buf_add(out, text.at + span[group][0], span[group][1] - span[group][0]);
    return used;
}

bool put_template(struct vm *vm, const struct pattern *pattern, value subject, size_t (*span)[2],
                  struct text template, struct buf *out)
{
    for (const char *p = template.at, *end = p + template.len; p < end;) {
        if (*p != '\\' || p + 1 == end) {
            buf_char(out, *p++);
            continue;
        }
        size_t used = put_escape(vm, pattern, subject, span, p + 1, end, out);
        if (!used)
            return false;
        p += 1 + used;
    }
    return true;
}

static bool add_replaced(struct vm *vm, void *user, const struct pattern *pattern, value subject, size_t (*span)[2])
{
    struct substitution *s = user;
    struct text text, piece;
    text_get(subject, &text);
    buf_add(&s->out, text.at + s->at, span[0][0] - s->at);
    s->at = span[0][1];
    s->n++;
    if (s->plain) {
        buf_add(&s->out, s->template.at, s->template.len);
        return true;
    }
    if (s->template.at)
        return put_template(vm, pattern, subject, span, s->template, &s->out);
    value result = vm_call1(vm, s->replacement, match_new(vm, pattern, subject, 0, text.len, span));
    if (!result)
        return false;
    if (!text_get(result, &piece))
        return vm_raise(vm, "TypeError", "expected str instance, %s found", type_name(result));
    buf_add(&s->out, piece.at, piece.len);
    return true;
}

static value substitute(struct vm *vm, value pattern, value replacement, value subject, int64_t most, bool counted)
{
    struct substitution s = {.replacement = replacement};
    struct text text;
    if (!text_get(replacement, &s.template) && !value_callable(replacement))
        return vm_raise(vm, "TypeError", "decoding to str: need a bytes-like object, %s found",
                        type_name(replacement));
    s.plain = s.template.at && !memchr(s.template.at, '\\', s.template.len);
    if (!each_match(vm, pattern, subject, most > 0 ? (size_t)most : SIZE_MAX, add_replaced, &s)) {
        buf_free(&s.out);
        return NO_VALUE;
    }
    text_get(subject, &text);
    buf_add(&s.out, text.at + s.at, text.len - s.at);
    value v = s.n ? take_like(vm, subject, &s.out) : part_of(vm, subject, 0, text.len);
    buf_free(&s.out);
    return counted ? tuple_new(vm, (value[]){v, small(s.n)}, 2) : v;
}

/* ---- functions of the module and methods of Pattern: the same bodies ----
 * Functions take (pattern, ..., flags), methods have the pattern as self. */

static value pattern_arg(struct vm *vm, const struct args *args, int flags_at)
{
    int64_t flags = 0;
    if (flags_at && !arg_int(vm, args, flags_at, 0, &flags))
        return NO_VALUE;
    return pattern_of(vm, args->at[0], flags);
}

static value once(struct vm *vm, const struct args *args, enum regex_how how)
{
    value pattern = pattern_arg(vm, args, 2);
    return pattern ? match_once(vm, pattern, args->at[1], 0, SIZE_MAX, how) : NO_VALUE;
}

static value re_search(struct vm *vm, const struct args *args)
{
    return once(vm, args, REGEX_SEARCH);
}

static value re_match(struct vm *vm, const struct args *args)
{
    return once(vm, args, REGEX_MATCH);
}

static value re_fullmatch(struct vm *vm, const struct args *args)
{
    return once(vm, args, REGEX_FULL);
}

static value collected(struct vm *vm, value pattern, value subject, on_match *each)
{
    value list = list_new(vm, NULL, 0);
    return pattern && each_match(vm, pattern, subject, SIZE_MAX, each, &list) ? list : NO_VALUE;
}

static value re_findall(struct vm *vm, const struct args *args)
{
    return collected(vm, pattern_arg(vm, args, 2), args->at[1], add_found);
}

static value re_finditer(struct vm *vm, const struct args *args)
{
    value list = collected(vm, pattern_arg(vm, args, 2), args->at[1], add_match);
    return list ? value_iter(vm, list) : NO_VALUE;
}

static value split_by(struct vm *vm, value pattern, value subject, int64_t most)
{
    struct splitting s = {.list = list_new(vm, NULL, 0)};
    struct text text;
    if (!pattern || !each_match(vm, pattern, subject, most > 0 ? (size_t)most : SIZE_MAX, add_piece, &s))
        return NO_VALUE;
    text_get(subject, &text);
    list_push(vm, s.list, part_of(vm, subject, s.at, text.len));
    return s.list;
}

static value re_split(struct vm *vm, const struct args *args)
{
    int64_t most;
    return arg_int(vm, args, 2, 0, &most) ? split_by(vm, pattern_arg(vm, args, 3), args->at[1], most) : NO_VALUE;
}

static value sub_either(struct vm *vm, const struct args *args, int flags_at, bool counted)
{
    int64_t most;
    value pattern = pattern_arg(vm, args, flags_at);
    return pattern && arg_int(vm, args, 3, 0, &most)
               ? substitute(vm, pattern, args->at[1], args->at[2], most, counted)
               : NO_VALUE;
}

static value re_sub(struct vm *vm, const struct args *args)
{
    return sub_either(vm, args, 4, false);
}

static value re_subn(struct vm *vm, const struct args *args)
{
    return sub_either(vm, args, 4, true);
}

static value re_compile(struct vm *vm, const struct args *args)
{
    return pattern_arg(vm, args, 1);
}

static value re_escape(struct vm *vm, const struct args *args)
{
    struct buf out = {0};
    struct text text;
    if (!text_get(args->at[0], &text))
        return vm_raise(vm, "TypeError", "expected string or bytes-like object, got '%s'", type_name(args->at[0]));
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] && strchr("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", text.at[i]))
            buf_char(&out, '\\');
        buf_char(&out, text.at[i]);
    }
    return take_like(vm, args->at[0], &out);
}

static value re_purge(struct vm *vm, const struct args *args)
{
    return VALUE_NONE;
}

static value method_once(struct vm *vm, const struct args *args, enum regex_how how)
{
    size_t from = 0, to = SIZE_MAX;
    value subject = args->at[1];
    if (is_str(subject) && (arg_given(args, 2) || arg_given(args, 3))) {
        if (!arg_range(vm, args, 2, as_str(subject)->count, &from, &to))
            return NO_VALUE;
        from = str_offset(subject, from);
        to = str_offset(subject, to);
    }
    return match_once(vm, args->at[0], subject, from, to, how);
}

static value pattern_search(struct vm *vm, const struct args *args)
{
    return method_once(vm, args, REGEX_SEARCH);
}

static value pattern_match(struct vm *vm, const struct args *args)
{
    return method_once(vm, args, REGEX_MATCH);
}

static value pattern_fullmatch(struct vm *vm, const struct args *args)
{
    return method_once(vm, args, REGEX_FULL);
}

static value pattern_findall(struct vm *vm, const struct args *args)
{
    return collected(vm, args->at[0], args->at[1], add_found);
}

static value pattern_finditer(struct vm *vm, const struct args *args)
{
    value list = collected(vm, args->at[0], args->at[1], add_match);
    return list ? value_iter(vm, list) : NO_VALUE;
}

static value pattern_split(struct vm *vm, const struct args *args)
{
    int64_t most;
    return arg_int(vm, args, 2, 0, &most) ? split_by(vm, args->at[0], args->at[1], most) : NO_VALUE;
}

static value pattern_sub(struct vm *vm, const struct args *args)
{
    return sub_either(vm, args, 0, false);
}

static value pattern_subn(struct vm *vm, const struct args *args)
{
    return sub_either(vm, args, 0, true);
}

static value pattern_source(struct vm *vm, const struct args *args)
{
    return as_pattern(args->at[0])->source;
}

static value pattern_flags(struct vm *vm, const struct args *args)
{
    return small(as_pattern(args->at[0])->flags);
}

static value pattern_groups(struct vm *vm, const struct args *args)
{
    return small(as_pattern(args->at[0])->groups);
}

static value pattern_groupindex(struct vm *vm, const struct args *args)
{
    const struct pattern *pattern = as_pattern(args->at[0]);
    value dict = dict_new(vm);
    for (int i = 1; i <= pattern->groups; i++) {
        const char *name = regex_group_name(pattern->regex, i);
        if (name)
            dict_set_str(vm, dict, name, small(i));
    }
    return dict;
}

static value pattern_repr(struct vm *vm, value self)
{
    value source = value_repr(vm, as_pattern(self)->source);
    return source ? str_printf(vm, "re.compile(%s)", str_text(source)) : NO_VALUE;
}

static void pattern_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct pattern *)self)->source);
}

static void pattern_finish(struct vm *vm, struct object *self)
{
    regex_free(((struct pattern *)self)->regex);
}

static const struct native_def pattern_methods[] = {
    {"search", pattern_search, "self string pos= endpos=", "The first match."},
    {"match", pattern_match, "self string pos= endpos=", "The match at the beginning."},
    {"fullmatch", pattern_fullmatch, "self string pos= endpos=", "The match of all of it."},
    {"findall", pattern_findall, "self string pos= endpos=", "The texts of all matches."},
    {"finditer", pattern_finditer, "self string pos= endpos=", "All matches."},
    {"split", pattern_split, "self string maxsplit=0", "The pieces between matches."},
    {"sub", pattern_sub, "self repl string count=0", "With matches replaced."},
    {"subn", pattern_subn, "self repl string count=0", "The same, and how many."},
    {0}};

static const struct native_def pattern_properties[] = {
    {"pattern", pattern_source, "self", "Its text."},
    {"flags", pattern_flags, "self", "Its flags."},
    {"groups", pattern_groups, "self", "How many groups it has."},
    {"groupindex", pattern_groupindex, "self", "The numbers of named groups."},
    {0}};

const struct type type_pattern = {
    .object = {.type = &type_type},
    .name = "re.Pattern",
    .base = &type_object,
    .size = sizeof(struct pattern),
    .methods = pattern_methods,
    .properties = pattern_properties,
    .mark = pattern_mark,
    .finish = pattern_finish,
    .repr = pattern_repr,
};

static const struct native_def functions[] = {
    {"compile", re_compile, "pattern flags=0", "A compiled pattern."},
    {"search", re_search, "pattern string flags=0", "The first match."},
    {"match", re_match, "pattern string flags=0", "The match at the beginning."},
    {"fullmatch", re_fullmatch, "pattern string flags=0", "The match of all of it."},
    {"findall", re_findall, "pattern string flags=0", "The texts of all matches."},
    {"finditer", re_finditer, "pattern string flags=0", "All matches."},
    {"split", re_split, "pattern string maxsplit=0 flags=0", "The pieces between matches."},
    {"sub", re_sub, "pattern repl string count=0 flags=0", "With matches replaced."},
    {"subn", re_subn, "pattern repl string count=0 flags=0", "The same, and how many."},
    {"escape", re_escape, "pattern", "A pattern that matches just this text."},
    {"purge", re_purge, "", "Nothing to do."},
    {0}};

static bool fill(struct vm *vm, value module)
{
    static const struct {
        const char *name, *letter;
        int64_t flag;
    } flags[] = {{"IGNORECASE", "I", RE_IGNORECASE}, {"MULTILINE", "M", RE_MULTILINE}, {"DOTALL", "S", RE_DOTALL},
                 {"UNICODE", "U", RE_UNICODE},       {"VERBOSE", "X", RE_VERBOSE},     {"ASCII", "A", RE_ASCII},
                 {"LOCALE", "L", 4},                 {"NOFLAG", "NOFLAG", 0}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        module_set(vm, module, flags[i].name, small(flags[i].flag));
        module_set(vm, module, flags[i].letter, small(flags[i].flag));
    }
    return module_set(vm, module, "_cache", dict_new(vm)) &&
           module_set(vm, module, "error", exception_class(vm, "error", "Exception")) &&
           module_set(vm, module, "Pattern", type_value(&type_pattern)) &&
           module_set(vm, module, "Match", type_value(&type_match));
}

const struct native_module module_re = {"re", functions, fill};
