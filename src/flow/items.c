// SPDX-License-Identifier: MIT
/* items.c: the arguments of a directive become items (see items.h). Lists are flattened however
 * deep; a name given to a list is the name of the run of its items. */
#include "flow/items.h"

#include <string.h>

#include "base/buf.h"
#include "flow/flags.h"
#include "flow/namedlist.h"
#include "flow/paths.h"
#include "flow/state.h"

struct building {
    struct workflow *w;
    struct rule *rule;
    const struct ruleinfo *info;
    enum directive_id what;
    struct items *out;
    struct span span; /* of the argument at hand */
};

static bool is_product(const struct building *b)
{
    return b->what == DIRECTIVE_OUTPUT || b->what == DIRECTIVE_LOG ||
           b->what == DIRECTIVE_BENCHMARK;
}

static const char *rule_name(const struct building *b)
{
    return flow_text(b->w, b->rule->name);
}

static struct item *add_item(struct building *b, enum item_kind kind, value v)
{
    struct item item = {.kind = (uint8_t)kind, .span = b->span};
    item.value.v = v;
    vec_push(b->out, item);
    return &b->out->at[b->out->len - 1];
}

/* ---- paths ---- */

static void check_path(struct building *b, const char *path)
{
    static const char *const advice =
        "It can also lead to inconsistent results of the file-matching approach used by Snakemake.";
    struct diags *dx = b->w->diags;
    size_t len = strlen(path);
    if (!len)
        warn(dx, b->span,
             "rule %s: Empty file path encountered. If you want to indicate 'no file', use an "
             "empty list ([]) instead of an empty string ('').",
             rule_name(b));
    if (!strncmp(path, "./", 2))
        warn(dx, b->span,
             "rule %s: Relative file path '%s' starts with './'. This is redundant. %s",
             rule_name(b), path, advice);
    if (len && (path[0] == ' ' || path[len - 1] == ' '))
        warn(dx, b->span, "File path '%s' %s with whitespace. %s", path,
             path[0] == ' ' ? "starts" : "ends", advice);
    if (strchr(path, '\n'))
        warn(dx, b->span, "File path '%s' contains line break. %s", path, advice);
    if (strstr(path, "//") && !strstr(path, "://"))
        warn(dx, b->span, "File path '%s' contains double '/'. %s", path, advice);
}

/* A wildcard of an input that no product has, or 0. */
static sym_t unknown_wildcard(struct building *b, const char *path, size_t len)
{
    struct wildcard_at hit;
    for (size_t from = 0; wildcard_next(path, len, from, &hit); from = hit.end) {
        sym_t name = intern(b->w->names, hit.name, hit.name_len);
        if (wildcard_slot(&b->rule->wildcards, name) < 0)
            return name;
    }
    return 0;
}

static bool has_constraints(const struct pattern *pattern)
{
    for (int i = 0; i < pattern->nparts; i++)
        if (pattern->part[i].constraint)
            return true;
    return false;
}

bool constraint_text(struct workflow *w, value v, const char **out)
{
    *out = NULL;
    if (v == VALUE_NONE)
        return true;
    value text = value_str(w->vm, v);
    if (text)
        *out = arena_str(&w->arena, str_text(text));
    return text;
}

/* *out: the constraint a rule or its scope sets for a wildcard, or NULL. */
static bool set_constraint(struct building *b, sym_t name, const char **out)
{
    const struct given *given = &b->info->given[DIRECTIVE_WILDCARD_CONSTRAINTS];
    for (uint32_t i = given->n; i-- > 0;)
        if (given->name[i] == name)
            return constraint_text(b->w, given->at[i], out);
    int slot = wildcard_slot(&b->rule->scope->constraints, name);
    *out = slot < 0 ? NULL : b->rule->scope->constraints.constraint[slot];
    return true;
}

static void add_wildcard(struct building *b, int slot, struct buf *out)
{
    buf_printf(out, "%s{%s}", out->len ? ", " : "", flow_text(b->w, b->rule->wildcards.name[slot]));
}

static const char *or_none(const struct buf *names)
{
    return names->len ? buf_text(names) : "none";
}

/* What the first product has, and this one. */
static void hint_wildcards(struct building *b, const struct pattern *pattern, int before)
{
    struct buf wanted = {0}, found = {0};
    for (int i = 0; i < before; i++)
        add_wildcard(b, i, &wanted);
    for (int i = 0; i < pattern->nparts; i++)
        if (!pattern->part[i].text && pattern->part[i].first)
            add_wildcard(b, pattern->part[i].slot, &found);
    diag_hint(b->w->diags, "the first of these files has %s, this one has %s", or_none(&wanted),
              or_none(&found));
    buf_free(&wanted);
    buf_free(&found);
}

/* Products all have the same wildcards: the first one says which. */
static bool check_wildcards(struct building *b, const struct pattern *pattern, bool first,
                            int before)
{
    if (first || (pattern->nslots == before && b->rule->wildcards.n == before))
        return true;
    flow_refuse(
        b->w, "RuleException", b->span,
        "Not all output, log and benchmark files of rule %s contain the same wildcards. This is "
        "crucial though, in order to avoid that two or more jobs write to the same file.",
        rule_name(b));
    hint_wildcards(b, pattern, before);
    return false;
}

static bool has_products(const struct rule *rule)
{
    return rule->output.len || rule->log.len || rule->benchmark.len;
}

static bool finish_product(struct building *b, struct pattern *pattern)
{
    struct wildcard_names *wildcards = &b->rule->wildcards;
    for (int i = 0; i < pattern->nparts; i++) {
        const struct pattern_part *part = &pattern->part[i];
        if (part->text || !part->first || part->constraint)
            continue;
        const char *constraint;
        if (!set_constraint(b, wildcards->name[part->slot], &constraint))
            return false;
        if (constraint) {
            pattern_constrain(pattern, part->slot, constraint);
            if (!wildcards->constraint[part->slot])
                wildcards->constraint[part->slot] = constraint;
        }
    }
    int mark = diag_mark(b->w->diags);
    if (pattern_check(pattern, b->w->names, b->w->diags, wildcards))
        return true;
    return flow_stop(b->w, mark);
}

static bool parse_product(struct building *b, const char *path, size_t len, struct pattern *out)
{
    int before = b->rule->wildcards.n, mark = diag_mark(b->w->diags);
    bool first = !has_products(b->rule) && !b->out->len;
    if (!pattern_parse(&b->w->arena, b->w->names, b->w->diags, path, len, b->span,
                       &b->rule->wildcards, true, out))
        return flow_stop(b->w, mark);
    return check_wildcards(b, out, first, before) && finish_product(b, out);
}

static bool parse_input(struct building *b, const char *path, size_t len, struct item *item)
{
    item->unknown = unknown_wildcard(b, path, len);
    if (item->unknown) {
        item->kind = ITEM_VALUE;
        return true;
    }
    pattern_parse(&b->w->arena, b->w->names, b->w->diags, path, len, b->span, &b->rule->wildcards,
                  false, &item->pattern);
    if (has_constraints(&item->pattern))
        warn(b->w->diags, b->span, "Wildcard constraints in inputs are ignored. (rule: %s)",
             rule_name(b));
    return true;
}

/* Whether a rule has the output as it is written; one that is held by constraints reads otherwise
 * in Snakemake, so that any rule may make a file of that name. */
static bool makes_all(const struct rule *rule, const struct intern *names, const char *text)
{
    for (uint32_t i = 0; i < rule->output.len; i++) {
        const struct pattern *pattern = &rule->output.at[i].pattern;
        if (!strcmp(sym_text(names, pattern->plain), text) && !has_constraints(pattern))
            return true;
    }
    return false;
}

static rule_id maker_of(const struct workflow *w, value path)
{
    int64_t id;
    value from = flag_find(w->vm, path, "from_rule");
    if (!from || !int_get(from, &id) || !id)
        return 0;
    return makes_all(w->rules.at[id], w->names, str_text(path)) ? (rule_id)id : 0;
}

static bool add_path(struct building *b, value path)
{
    struct vm *vm = b->w->vm;
    value flags = flags_of(vm, path);
    if (memchr(str_text(path), 0, as_str(path)->len))
        return flow_refuse(b->w, "ValueError", b->span, "embedded null byte");
    const char *text = place_path(b->w, b->info, b->what, path, b->span);
    if (!text)
        return false;
    if (!*text && b->what == DIRECTIVE_OUTPUT)
        return flow_refuse(b->w, "WorkflowError", b->span, "an output of rule %s is an empty path",
                           rule_name(b));
    size_t len = strlen(text);
    struct item item = {
        .kind = ITEM_PATTERN, .flags = flags_mask(vm, flags), .flags_dict = flags, .span = b->span};
    item.value.v = path;
    item.maker = b->what == DIRECTIVE_INPUT ? maker_of(b->w, path) : 0;
    if (flags)
        flags_check_side(vm, flags, b->what != DIRECTIVE_INPUT, rule_name(b), b->span);
    if (!(is_product(b) ? parse_product(b, text, len, &item.pattern)
                        : parse_input(b, text, len, &item)))
        return false;
    check_path(b, text);
    vec_push(b->out, item);
    return true;
}

/* ---- functions and lists ---- */

static bool add_function(struct building *b, value v)
{
    struct vm *vm = b->w->vm;
    if (b->what == DIRECTIVE_OUTPUT)
        return flow_refuse(b->w, "RuleException", b->span,
                           "Only input files can be specified as functions (rule %s)",
                           rule_name(b));
    if (is_product(b))
        return flow_refuse(b->w, "RuleException", b->span, "the %s of rule %s cannot be a function",
                           b->what == DIRECTIVE_LOG ? "log" : "benchmark", rule_name(b));
    struct item *item = add_item(b, ITEM_FUNCTION, unflagged(v));
    item->flags_dict = flags_of(vm, v);
    item->flags = flags_mask(vm, item->flags_dict);
    item->unpack = flag_find(vm, v, "unpack") != NO_VALUE;
    return true;
}

/* Whether an item has one of the flags that a function gives, or one that goes against it. */
static bool is_flagged_already(struct vm *vm, value v, value given)
{
    size_t pos = 0;
    value key, setting;
    while (dict_next(given, &pos, &key, &setting)) {
        const char *name = str_text(key);
        if (flag_find(vm, v, name) || (!strcmp(name, "temp") && flag_find(vm, v, "protected")) ||
            (!strcmp(name, "protected") && flag_find(vm, v, "temp")))
            return true;
    }
    return false;
}

/* The flag functions of inputflags: and outputflags: applied to an item that has no such flag.
 * NO_VALUE: raised. */
static value with_default_flags(struct building *b, value v)
{
    struct vm *vm = b->w->vm;
    if (b->rule->info->inherited && !value_callable(v))
        return v;
    const struct root *functions = b->what == DIRECTIVE_INPUT ? &b->rule->scope->input_flags
                                                              : &b->rule->scope->output_flags;
    size_t n = 0;
    const value *at = functions->v ? sequence_items(functions->v, &n) : NULL;
    for (size_t i = 0; v && i < n; i++) {
        value any = vm_call1(vm, at[i], str_from(vm, "any"));
        if (!any)
            return NO_VALUE;
        value given = flags_of(vm, any);
        if (!given || !is_flagged_already(vm, v, given))
            v = vm_call1(vm, at[i], v);
    }
    return v;
}

static bool add_value(struct building *b, value v);

static bool add_each(struct building *b, value v)
{
    struct vm *vm = b->w->vm;
    struct iter it;
    if (!iter_open(vm, v, &it)) {
        vm_take_error(vm);
        return flow_refuse(
            b->w, "RuleException", b->span,
            "Input and output files have to be specified as strings or lists of strings (rule %s "
            "has a value of type %s).",
            rule_name(b), type_of(v)->name);
    }
    for (value item; (item = iter_next(vm, &it));)
        if (!add_value(b, item))
            return false;
    return !vm_failed(vm);
}

static bool add_value(struct building *b, value v)
{
    struct vm *vm = b->w->vm;
    value path = path_value(vm, v);
    if (!path && (vm_failed(vm) || vm_too_deep(vm)))
        return false;
    bool leaf = path || value_callable(v);
    if (leaf && (b->what == DIRECTIVE_INPUT || b->what == DIRECTIVE_OUTPUT)) {
        v = with_default_flags(b, path ? path : v);
        if (!v)
            return false;
        list_push(vm, b->info->keep, v);
        path = path ? v : NO_VALUE;
    }
    if (path)
        return add_path(b, path);
    return leaf ? add_function(b, v) : add_each(b, v);
}

/* Any value, as it is: a Path stays one. */
static bool add_param(struct building *b, value v)
{
    if (value_callable(v))
        return add_function(b, v);
    add_item(b, ITEM_VALUE, v)->flags_dict = NO_VALUE;
    return true;
}

/* ---- names ---- */

static bool name_items(struct building *b, sym_t name, uint32_t at, uint32_t len, bool is_list)
{
    const char *text = flow_text(b->w, name);
    if (namedlist_reserved(text, b->what == DIRECTIVE_INPUT))
        return flow_refuse(
            b->w, "AttributeError", b->span,
            "invalid name for input, output, wildcard, params or log: %s is reserved for internal "
            "use",
            text);
    struct item_name range = {name, at, len, is_list};
    vec_push(&b->out->names, range);
    for (uint32_t i = at; i < at + len; i++) {
        b->out->at[i].name = name;
        b->out->at[i].in_list = is_list;
    }
    return true;
}

/* Names that multiext() gave to its paths, where a positional argument is such a list. */
static bool name_multiext(struct building *b, value v, uint32_t start)
{
    size_t n = 0;
    const value *at = is_list(v) ? sequence_items(v, &n) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        value name = flag_find(b->w->vm, at[i], "multiext");
        if (!name || !is_str(name))
            return true;
        if (!name_items(b, str_sym(b->w->vm, name), start + i, 1, false))
            return false;
    }
    return true;
}

static bool add_argument(struct building *b, value v, sym_t name)
{
    uint32_t start = b->out->len;
    bool param = b->what == DIRECTIVE_PARAMS;
    if (!(param ? add_param(b, v) : add_value(b, v)))
        return false;
    bool leaf = param || is_str(v) || value_callable(v) || path_value(b->w->vm, v);
    return name ? name_items(b, name, start, b->out->len - start, !leaf)
                : name_multiext(b, v, start);
}

static bool check_duplicates(struct building *b)
{
    struct map seen = {0};
    bool fine = true;
    for (uint32_t i = 0; fine && i < b->out->len; i++) {
        sym_t text = b->out->at[i].pattern.text;
        uint32_t *first = map_at(&seen, text);
        if (*first) {
            fine = flow_refuse(b->w, "WorkflowError", b->out->at[i].span,
                               "Duplicate output file pattern in rule %s: '%s'", rule_name(b),
                               flow_text(b->w, text));
            diag_note(b->w->diags, b->out->at[*first - 1].span, "first given here");
        }
        *first = i + 1;
    }
    map_free(&seen);
    return fine;
}

static bool is_constant(const struct items *items)
{
    for (uint32_t i = 0; i < items->len; i++)
        if (items->at[i].kind != ITEM_PATTERN || items->at[i].pattern.nslots)
            return false;
    return true;
}

bool items_build(struct workflow *w, struct rule *rule, const struct ruleinfo *info,
                 enum directive_id what, struct items *out)
{
    const struct given *given = &info->given[what];
    struct building b = {.w = w, .rule = rule, .info = info, .what = what, .out = out};
    for (uint32_t i = 0; i < given->n; i++) {
        b.span = given->span[i];
        if (!add_argument(&b, given->at[i], given->name[i]))
            return false;
    }
    out->constant = is_constant(out);
    return what != DIRECTIVE_OUTPUT || check_duplicates(&b);
}

void items_free(struct items *items)
{
    for (uint32_t i = 0; i < items->len; i++)
        pattern_free(&items->at[i].pattern);
    vec_free(&items->names);
    vec_free(items);
}
