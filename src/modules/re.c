// SPDX-License-Identifier: MIT
/* re over PCRE2. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "modules/modules.h"
#include "modules/re_match.h"
#include "python/library.h"
#include "python/types.h"
#include "python/vm_state.h"

/* In the order in which a repr names them. */
static const struct {
    const char *name, *letter;
    int64_t flag;
} flag_names[] = {{"IGNORECASE", "I", RE_IGNORECASE},
                  {"LOCALE", "L", RE_LOCALE},
                  {"MULTILINE", "M", RE_MULTILINE},
                  {"DOTALL", "S", RE_DOTALL},
                  {"UNICODE", "U", RE_UNICODE},
                  {"VERBOSE", "X", RE_VERBOSE},
                  {"ASCII", "A", RE_ASCII}};

/* ---- patterns ---- */

value raise_re_error(struct vm *vm, const char *message, value source, size_t at)
{
    value module = module_import(vm, "re"),
          class = module ? module_get(vm, module, "error") : NO_VALUE;
    value args[] = {str_from(vm, message), source, small((int64_t)at)};
    value exception = class ? vm_call(vm, class, args, 3, NO_VALUE) : NO_VALUE;
    return exception ? vm_raise_value(vm, exception) : NO_VALUE;
}

/* again: the place is behind a quantifier. */
static const char *in_words_of_python(const char *message, bool again)
{
    static const char *const rows[][2] = {
        {"lookbehind assertion is not fixed length", "look-behind requires fixed-width pattern"},
        {"numbers out of order in {} quantifier", "min repeat greater than max repeat"},
        {"range out of order in character class", "bad character range"},
        {"reference to non-existent subpattern", "invalid group reference"},
    };
    if (!strcmp(message, "quantifier does not follow a repeatable item"))
        return again ? "multiple repeat" : "nothing to repeat";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(message, rows[i][0]))
            return rows[i][1];
    return message;
}

static value pattern_new(struct vm *vm, value source, int64_t flags)
{
    char message[200];
    size_t at;
    struct buf pcre = {0};
    if (!re_translate(vm, source, &flags, &pcre)) {
        buf_free(&pcre);
        return NO_VALUE;
    }
    uint32_t how = (flags & RE_IGNORECASE ? REGEX_IGNORECASE : 0) |
                   (flags & RE_MULTILINE ? REGEX_MULTILINE : 0) |
                   (flags & RE_DOTALL ? REGEX_DOTALL : 0) |
                   (flags & RE_VERBOSE ? REGEX_VERBOSE : 0) | (flags & RE_ASCII ? REGEX_ASCII : 0) |
                   (is_str(source) ? 0 : REGEX_BYTES);
    struct regex *regex = regex_new(buf_text(&pcre), pcre.len, how, message, sizeof message, &at);
    bool again = at && pcre.len >= at && strchr("*+?}", pcre.at[at - 1]);
    buf_free(&pcre);
    if (!regex)
        return raise_re_error(vm, in_words_of_python(message, again), source, at);
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
            return vm_raise(vm, "ValueError",
                            "cannot process flags argument with a compiled pattern");
        return source;
    }
    if (!text_get(source, &text))
        return vm_raise(vm, "TypeError", "first argument must be string or compiled pattern");
    value module = dict_get_str(vm, from_object(vm->modules), "re"),
          cache = module ? module_get(vm, module, "_cache") : NO_VALUE;
    value key = flags || !is_str(source) ? tuple_new(vm, (value[]){source, small(flags)}, 2)
                                         : source;
    value found = cache ? dict_get(vm, cache, key) : NO_VALUE;
    if (found)
        return found;
    value pattern = pattern_new(vm, source, flags);
    if (pattern && cache && dict_len(cache) < 1000)
        dict_set(vm, cache, key, pattern);
    return pattern;
}

/* ---- matching ---- */

/* A subject that stays as it is while it is looked through and as long as its matches live. */
static value lasting(struct vm *vm, value subject)
{
    size_t len;
    const char *at = bytearray_get(subject, &len);
    return at ? bytes_new(vm, at, len) : subject;
}

static bool check_subject(struct vm *vm, const struct pattern *pattern, value subject,
                          struct text *out)
{
    if (!text_get(subject, out))
        return vm_raise(vm, "TypeError", "expected string or bytes-like object, got '%s'",
                        type_name(subject));
    if (is_str(subject) != is_str(pattern->source))
        return vm_raise(vm, "TypeError", "cannot use a %s pattern on a %s object",
                        is_str(subject) ? "bytes" : "string",
                        is_str(subject) ? "string" : "bytes-like");
    return true;
}

/* Room for the spans of a pattern's groups: few of them are on the stack. */
enum { FEW_GROUPS = 32 };
struct spans {
    size_t few[FEW_GROUPS][2];
    size_t (*at)[2];
};

static void spans_start(struct spans *spans, const struct pattern *pattern)
{
    size_t n = (size_t)pattern->groups + 1;
    spans->at = n <= FEW_GROUPS ? spans->few : memory_resized(NULL, n, sizeof *spans->at);
}

static void spans_end(struct spans *spans)
{
    if (spans->at != spans->few)
        free(spans->at);
}

/* Looks in text from byte `from` on: groups that took part, 0 none, -1 raised. */
static int look(struct vm *vm, const struct pattern *pattern, struct text text, size_t from,
                enum regex_how how, size_t (*span)[2])
{
    for (int i = 0; i <= pattern->groups; i++)
        span[i][0] = span[i][1] = SIZE_MAX;
    int n = regex_exec(pattern->regex, text.at, text.len, from, how, span, pattern->groups + 1);
    if (n < 0)
        vm_raise(vm, "RuntimeError", "matching needs too many steps: %s",
                 is_str(pattern->source) ? str_text(pattern->source) : "(bytes)");
    return n;
}

static value match_once(struct vm *vm, value pattern_value, value subject, size_t from, size_t to,
                        enum regex_how how)
{
    struct pattern *pattern = as_pattern(pattern_value);
    struct text text;
    struct spans spans;
    subject = lasting(vm, subject);
    if (!check_subject(vm, pattern, subject, &text))
        return NO_VALUE;
    text.len = to < text.len ? to : text.len;
    if (from > text.len)
        return VALUE_NONE;
    spans_start(&spans, pattern);
    int n = look(vm, pattern, text, from, how, spans.at);
    value match = n < 0 ? NO_VALUE
                  : n   ? match_new(vm, pattern, subject, from, text.len, spans.at)
                        : VALUE_NONE;
    spans_end(&spans);
    return match;
}

/* Every match in turn: each is called until there are no more, `most` were found, or false
 * (raised). */
typedef bool on_match(struct vm *vm, void *user, const struct pattern *pattern, value subject,
                      size_t (*span)[2]);

/* The part of a subject in which matches are looked for, in bytes. */
struct searched {
    size_t from, to;
};
static const struct searched everywhere = {0, SIZE_MAX};

static bool each_match(struct vm *vm, value pattern_value, value subject, struct searched range,
                       size_t most, on_match *each, void *user)
{
    struct pattern *pattern = as_pattern(pattern_value);
    struct text text;
    struct spans spans;
    subject = lasting(vm, subject);
    if (!check_subject(vm, pattern, subject, &text))
        return false;
    text.len = range.to < text.len ? range.to : text.len;
    enum regex_how how = REGEX_SEARCH;
    int found = 0;
    spans_start(&spans, pattern);
    for (size_t at = range.from, n = 0; n < most && at <= text.len; n++) {
        found = look(vm, pattern, text, at, how, spans.at);
        if (found > 0 && !each(vm, user, pattern, subject, spans.at))
            found = -1;
        if (found <= 0)
            break;
        at = spans.at[0][1];
        /* the same empty match is not found twice */
        how = at == spans.at[0][0] ? REGEX_ADVANCE : REGEX_SEARCH;
    }
    spans_end(&spans);
    return found >= 0;
}

static bool add_found(struct vm *vm, void *user, const struct pattern *pattern, value subject,
                      size_t (*span)[2])
{
    value empty = part_of(vm, subject, 0, 0), found;
    if (pattern->groups > 1) {
        found = tuple_new(vm, NULL, (size_t)pattern->groups);
        for (int i = 0; i < pattern->groups; i++)
            as_tuple(found)->at[i] = group_value(vm, subject, span[i + 1], empty);
    } else {
        found = group_value(vm, subject, span[pattern->groups], empty);
    }
    list_push(vm, *(value *)user, found);
    return true;
}

struct matches {
    value list;
    struct searched range;
};

static bool add_match(struct vm *vm, void *user, const struct pattern *pattern, value subject,
                      size_t (*span)[2])
{
    const struct matches *m = user;
    list_push(vm, m->list, match_new(vm, pattern, subject, m->range.from, m->range.to, span));
    return true;
}

struct splitting {
    value list;
    size_t at;
};

static bool add_piece(struct vm *vm, void *user, const struct pattern *pattern, value subject,
                      size_t (*span)[2])
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
    return is_str(subject) ? str_take(vm, out) : bytes_take(vm, out);
}

struct substitution {
    value function; /* NO_VALUE: the template is put in */
    struct template template;
    struct buf out;
    size_t at;
    int64_t n;
};

static bool add_replaced(struct vm *vm, void *user, const struct pattern *pattern, value subject,
                         size_t (*span)[2])
{
    struct substitution *s = user;
    struct text text, piece;
    text_get(subject, &text);
    buf_add(&s->out, text.at + s->at, span[0][0] - s->at);
    s->at = span[0][1];
    s->n++;
    if (!s->function) {
        template_put(&s->template, text, span, &s->out);
        return true;
    }
    value result = vm_call1(vm, s->function, match_new(vm, pattern, subject, 0, text.len, span));
    if (!result)
        return false;
    if (!text_get(result, &piece) || is_str(result) != is_str(subject))
        return vm_raise(
            vm, "TypeError",
            is_str(subject) ? "sequence item %lld: expected str instance, %s found"
                            : "sequence item %lld: expected a bytes-like object, %s found",
            (long long)(s->n * 2 - (s->n > 1 || span[0][0] ? 1 : 2)), type_name(result));
    buf_add(&s->out, piece.at, piece.len);
    return true;
}

/* How many matches `count` and `maxsplit` allow: 0 is any number, below 0 none. */
static size_t bound(int64_t most)
{
    return most > 0 ? (size_t)most : most ? 0 : SIZE_MAX;
}

static value substitute(struct vm *vm, value pattern, value replacement, value subject,
                        int64_t most, bool counted)
{
    struct substitution s = {.function = value_callable(replacement) ? replacement : NO_VALUE};
    struct text text;
    if (!s.function && !template_read(vm, as_pattern(pattern), replacement, &s.template))
        return NO_VALUE;
    subject = lasting(vm, subject);
    bool done = each_match(vm, pattern, subject, everywhere, bound(most), add_replaced, &s);
    template_free(&s.template);
    if (!done) {
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

value re_found(struct vm *vm, value pattern, value subject)
{
    value compiled = pattern_of(vm, pattern, 0);
    return compiled ? match_once(vm, compiled, subject, 0, SIZE_MAX, REGEX_SEARCH) : NO_VALUE;
}

static value re_match(struct vm *vm, const struct args *args)
{
    return once(vm, args, REGEX_MATCH);
}

static value re_fullmatch(struct vm *vm, const struct args *args)
{
    return once(vm, args, REGEX_FULL);
}

static value find_all(struct vm *vm, value pattern, value subject, struct searched range)
{
    value list = list_new(vm, NULL, 0);
    return pattern && each_match(vm, pattern, subject, range, SIZE_MAX, add_found, &list)
               ? list
               : NO_VALUE;
}

/* An iterator over the matches. */
static value find_each(struct vm *vm, value pattern, value subject, struct searched range)
{
    struct matches found = {list_new(vm, NULL, 0), range};
    struct text text;
    if (pattern && text_get(subject, &text) && text.len < range.to)
        found.range.to = text.len;
    return pattern && each_match(vm, pattern, subject, range, SIZE_MAX, add_match, &found)
               ? value_iter(vm, found.list)
               : NO_VALUE;
}

static value re_findall(struct vm *vm, const struct args *args)
{
    return find_all(vm, pattern_arg(vm, args, 2), args->at[1], everywhere);
}

static value re_finditer(struct vm *vm, const struct args *args)
{
    return find_each(vm, pattern_arg(vm, args, 2), args->at[1], everywhere);
}

static value split_by(struct vm *vm, value pattern, value subject, int64_t most)
{
    struct splitting s = {.list = list_new(vm, NULL, 0)};
    struct text text;
    subject = lasting(vm, subject);
    if (!pattern || !each_match(vm, pattern, subject, everywhere, bound(most), add_piece, &s))
        return NO_VALUE;
    text_get(subject, &text);
    list_push(vm, s.list, part_of(vm, subject, s.at, text.len));
    return s.list;
}

static value re_split(struct vm *vm, const struct args *args)
{
    int64_t most;
    return arg_int(vm, args, 2, 0, &most)
               ? split_by(vm, pattern_arg(vm, args, 3), args->at[1], most)
               : NO_VALUE;
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
        return vm_raise(vm, "TypeError", "expected string or bytes-like object, got '%s'",
                        type_name(args->at[0]));
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

/* What pos and endpos (arguments 2 and 3) leave of the subject. */
static bool method_range(struct vm *vm, const struct args *args, struct searched *out)
{
    value subject = args->at[1];
    struct text text;
    int64_t from, to;
    *out = everywhere;
    if ((!arg_given(args, 2) && !arg_given(args, 3)) || !text_get(subject, &text))
        return true;
    if (!arg_int(vm, args, 2, 0, &from) || !arg_int(vm, args, 3, INT64_MAX, &to))
        return false;
    size_t n = is_str(subject) ? as_str(subject)->count : text.len;
    out->from = from < 0 ? 0 : (size_t)from < n ? (size_t)from : n;
    out->to = to < 0 ? 0 : (size_t)to < n ? (size_t)to : n;
    bool empty = out->from > out->to; /* matches nothing, not even an empty text */
    if (is_str(subject))
        *out = (struct searched){str_offset(vm, subject, out->from),
                                 str_offset(vm, subject, out->to)};
    if (empty)
        out->from = out->to + 1;
    return true;
}

static value method_once(struct vm *vm, const struct args *args, enum regex_how how)
{
    struct searched range;
    return method_range(vm, args, &range)
               ? match_once(vm, args->at[0], args->at[1], range.from, range.to, how)
               : NO_VALUE;
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
    struct searched range;
    return method_range(vm, args, &range) ? find_all(vm, args->at[0], args->at[1], range)
                                          : NO_VALUE;
}

static value pattern_finditer(struct vm *vm, const struct args *args)
{
    struct searched range;
    return method_range(vm, args, &range) ? find_each(vm, args->at[0], args->at[1], range)
                                          : NO_VALUE;
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
    return dict_len(dict) ? mappingproxy_new(vm, dict) : dict;
}

/* Bytes of the repr of a pattern's source that its own repr has: at most 200 characters. */
static int source_shown(value source)
{
    return (int)(as_str(source)->count > 200
                     ? utf8_offset(str_text(source), as_str(source)->len, 200)
                     : as_str(source)->len);
}

static value pattern_repr(struct vm *vm, value self)
{
    const struct pattern *pattern = as_pattern(self);
    int64_t flags = pattern->flags & (is_str(pattern->source) ? ~RE_UNICODE : -1);
    value source = value_repr(vm, pattern->source);
    struct buf out = {0};
    if (!source)
        return NO_VALUE;
    buf_printf(&out, "re.compile(%.*s", source_shown(source), str_text(source));
    for (size_t i = 0, n = 0; i < sizeof flag_names / sizeof *flag_names; i++)
        if (flags & flag_names[i].flag)
            buf_printf(&out, "%sre.%s", n++ ? "|" : ", ", flag_names[i].name);
    buf_char(&out, ')');
    return str_take(vm, &out);
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
    for (size_t i = 0; i < sizeof flag_names / sizeof *flag_names; i++) {
        module_set(vm, module, flag_names[i].name, small(flag_names[i].flag));
        module_set(vm, module, flag_names[i].letter, small(flag_names[i].flag));
    }
    module_set(vm, module, "NOFLAG", small(0));
    return module_set(vm, module, "_cache", dict_new(vm)) &&
           module_set(vm, module, "Pattern", type_value(&type_pattern)) &&
           module_set(vm, module, "Match", type_value(&type_match)) &&
           library_run(vm, module, "_re");
}

const struct native_module module_re = {"re", functions, fill};
