// SPDX-License-Identifier: MIT
/* resources.c: units and defaults of resources. Sizes stand under their _mb names; a function given
 * under another spelling is wrapped so that its result is converted when it has one. */
#include "flow/resources.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "flow/state.h"
#include "python/numbers.h"
#include "syntax/parse.h"

/* ---- functions whose result is converted ---- */

struct converted {
    struct object object;
    value callable;
    enum resource_unit unit;
};

static void converted_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct converted *)self)->callable);
}

static value converted_call(struct vm *vm, value self, value args, value kwargs)
{
    size_t n;
    const value *at = sequence_items(args, &n);
    return vm_call(vm, ((struct converted *)as_object(self))->callable, at, n, kwargs);
}

static const struct type type_converted = {.object = {.type = &type_type},
                                           .name = "function",
                                           .size = sizeof(struct converted),
                                           .mark = converted_mark,
                                           .call = converted_call};

value resource_function(value v, enum resource_unit *unit)
{
    *unit = UNIT_PLAIN;
    if (!is_exact(v, &type_converted))
        return v;
    *unit = ((const struct converted *)as_object(v))->unit;
    return ((const struct converted *)as_object(v))->callable;
}

static value wrap(struct vm *vm, value callable, enum resource_unit unit)
{
    struct converted *converted = object_new(vm, &type_converted);
    converted->callable = callable;
    converted->unit = unit;
    return from_object(converted);
}

/* ---- one value ---- */

static enum resource_unit unit_of(const char *name)
{
    if (!strcmp(name, "mem") || !strcmp(name, "disk"))
        return UNIT_SIZE;
    if (!strcmp(name, "mem_mib") || !strcmp(name, "disk_mib"))
        return UNIT_MIB;
    if (!strcmp(name, "mem_mb") || !strcmp(name, "disk_mb"))
        return UNIT_MB;
    return !strcmp(name, "runtime") ? UNIT_TIME : UNIT_PLAIN;
}

static value refuse_unit(struct workflow *w, const char *name, value v, const char *what)
{
    value text = value_repr(w->vm, v);
    return flow_raise(w, "WorkflowError", "Resource '%s' with value %s could not be parsed as %s",
                      name, text ? str_text(text) : "?", what);
}

value resource_convert(struct workflow *w, const char *name, value v, enum resource_unit unit)
{
    struct vm *vm = w->vm;
    int64_t n;
    double d;
    if (is_float(v) && float_get(v, &d))
        v = int_from_double(vm, isfinite(d) ? nearbyint(d) : d); /* no number: raised */
    bool text = v && is_str(v), in_mb = unit == UNIT_MB || unit == UNIT_MIB;
    if (text && unit == UNIT_SIZE)
        return resource_size_mb(str_text(v), &n) ? int_from(vm, n)
                                                 : refuse_unit(w, name, v, "size in MB");
    if (text && unit == UNIT_TIME)
        return resource_minutes(str_text(v), &n) ? int_from(vm, n)
                                                 : refuse_unit(w, name, v, "minutes");
    if (text && in_mb)
        return flow_raise(w, "WorkflowError",
                          "Resource '%s' must be an int or a float, not the text '%s'", name,
                          str_text(v));
    if (v == VALUE_NONE && in_mb)
        return flow_raise(w, "WorkflowError",
                          "Resource '%s' must be an int or a float, not None; %.*s=None says that "
                          "there is no such limit",
                          name, (int)strcspn(name, "_"), name);
    if (v && unit == UNIT_MIB && int_get(v, &n))
        return int_from(vm, resource_mib_to_mb(n));
    return v;
}

static bool is_resource_value(value v)
{
    return is_str(v) || is_int(v) || is_float(v) || v == VALUE_NONE || v == VALUE_TRUE ||
           v == VALUE_FALSE || value_callable(v);
}

/* A resource as given becomes one as stored: its name and its value. NO_VALUE: raised. */
static value standard(struct workflow *w, const char *name, value v, char stored[128])
{
    enum resource_unit unit = unit_of(name);
    size_t len = strcspn(name, "_");
    if (unit == UNIT_PLAIN || unit == UNIT_TIME)
        snprintf(stored, 128, "%s", name);
    else
        snprintf(stored, 128, "%.*s_mb", (int)len, name);
    value path = is_str(v) ? NO_VALUE : path_value(w->vm, v);
    v = path ? path : v;
    if (!is_resource_value(v)) {
        value text = value_repr(w->vm, v);
        return flow_raise(
            w, "WorkflowError",
            "Resource '%s' assigned invalid value %s. Must be str, int, float, Path, or callable "
            "(function).",
            name, text ? str_text(text) : "?");
    }
    if (value_callable(v))
        return unit == UNIT_PLAIN ? v : wrap(w->vm, v, unit);
    return resource_convert(w, name, v, unit);
}

/* Sets a resource in such a dict under its standard name. False: raised. */
static bool resource_set(struct workflow *w, value dict, const char *name, value v)
{
    char stored[128];
    v = standard(w, name, v, stored);
    return v && dict_set_str(w->vm, dict, stored, v);
}

/* ---- a rule's resources ---- */

static bool refuse_double(struct workflow *w, const struct given *given, uint32_t i,
                          const char *stored)
{
    return flow_refuse(
        w, "RuleException", given->span[i],
        "Resource %.*s is given in more than one spelling; use only one of %.*s, %s and %.*s_mib",
        (int)strlen(stored) - 3, stored, (int)strlen(stored) - 3, stored, stored,
        (int)strlen(stored) - 3, stored);
}

static bool add_given(struct workflow *w, value dict, const struct given *given)
{
    value own = dict_new(w->vm);
    for (uint32_t i = 0; i < given->n; i++) {
        char stored[128];
        value v = standard(w, flow_text(w, given->name[i]), given->at[i], stored);
        if (!v)
            return flow_refuse_raised(w, given->span[i]);
        if (resource_is_size(stored) && dict_get_str(w->vm, own, stored))
            return refuse_double(w, given, i, stored);
        dict_set_str(w->vm, own, stored, v);
        dict_set_str(w->vm, dict, stored, v);
    }
    return true;
}

static void add_all(struct vm *vm, value into, value from)
{
    size_t pos = 0;
    value key, item;
    while (from && dict_next(from, &pos, &key, &item))
        dict_set(vm, into, key, item);
}

bool resource_is_default(struct workflow *w, const struct rule *rule, const char *name)
{
    value given = dict_get_str(w->vm, w->flow->defaults.v, name);
    return given && dict_get_str(w->vm, rule->resources.v, name) == given;
}

bool resources_merge(struct workflow *w, struct rule *rule, const struct given *given,
                     bool handover)
{
    struct vm *vm = w->vm;
    value dict = dict_new(vm);
    list_push(vm, rule->info->keep, dict);
    rule->resources.v = dict;
    add_all(vm, dict, w->flow->defaults.v);
    if (given && !add_given(w, dict, given))
        return false;
    if (handover && !given) { /* it has all there is */
        add_all(vm, dict, w->flow->limits.v);
        if (w->options.cores)
            dict_set_str(vm, dict, "_cores", int_from(vm, w->options.cores));
    }
    value over = dict_get(vm, w->flow->overrides.v, str_from_sym(vm, rule->name));
    add_all(vm, dict, over);
    value threads = dict_get_str(vm, dict, "_cores");
    if (threads)
        rule->threads.v = threads;
    dict_delete(vm, dict, str_from(vm, "_cores"));
    return true;
}

/* ---- the command line ---- */

static bool is_dir_writable(const char *dir)
{
    struct stat st;
    return dir && stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && access(dir, W_OK | X_OK) == 0;
}

const char *resource_tmpdir(void)
{
    static const char *const names[] = {"TMPDIR", "TEMP", "TMP"};
    static const char *const dirs[] = {"/tmp", "/var/tmp", "/usr/tmp"};
    for (int i = 0; i < 3; i++)
        if (is_dir_writable(getenv(names[i])))
            return getenv(names[i]);
    for (int i = 0; i < 3; i++)
        if (is_dir_writable(dirs[i]))
            return dirs[i];
    return ".";
}

/* $VAR, ${VAR} and a leading ~, as Python's expandvars and expanduser. */
static char *expand_env(struct workflow *w, const char *text)
{
    struct buf out = {0};
    if (*text == '~' && (!text[1] || text[1] == '/') && getenv("HOME")) {
        buf_str(&out, getenv("HOME"));
        text++;
    }
    for (; *text; text++) {
        const char *name = text + 1 + (text[0] == '$' && text[1] == '{');
        size_t len = 0;
        while (*text == '$' && (name[len] == '_' || isalnum((unsigned char)name[len])))
            len++;
        char *key = arena_copy(&w->arena, name, len), *found = len ? getenv(key) : NULL;
        if (!found || (text[1] == '{' && name[len] != '}')) {
            buf_char(&out, *text);
            continue;
        }
        buf_str(&out, found);
        text = name + len - (text[1] != '{');
    }
    char *expanded = arena_copy(&w->arena, buf_text(&out), out.len);
    buf_free(&out);
    return expanded;
}

struct expression {
    struct object object;
    const struct node *tree;
    const char *text;
};

static value expression_call(struct vm *vm, value self, value args, value kwargs)
{
    return vm_raise(vm, "TypeError", "a resource expression of the command line cannot be called");
}

static const struct type type_expression = {.object = {.type = &type_type},
                                            .name = "expression",
                                            .size = sizeof(struct expression),
                                            .call = expression_call};

/* A value of the command line: a number, a text, or an expression to be evaluated per job.
 * NO_VALUE: raised. */
static value resource_expression(struct workflow *w, const char *name, const char *text)
{
    int64_t n;
    enum resource_unit unit = unit_of(name);
    if ((unit == UNIT_SIZE && resource_size_mb(text, &n)) ||
        (unit == UNIT_TIME && resource_minutes(text, &n)))
        return int_from(w->vm, n);
    if (*text && !text[strspn(text, "0123456789")])
        return int_from(w->vm, strtoll(text, NULL, 10));
    int mark = diag_mark(w->diags);
    text = expand_env(w, text);
    int source = source_add(w->sources, "command line", text, strlen(text));
    const struct node *tree = parse_expression(&w->arena, w->names, w->diags, source);
    if (!tree) {
        diag_drop(w->diags, mark);
        return str_from(w->vm, text);
    }
    struct expression *expression = object_new(w->vm, &type_expression);
    expression->tree = tree;
    expression->text = text;
    return from_object(expression);
}

bool is_resource_expression(value v)
{
    return is_exact(v, &type_expression);
}

/* Texts such as "n1-standard-4" are no expressions though they may parse as one. */
static value as_text(struct workflow *w, const struct expression *expression)
{
    value error = vm_take_error(w->vm);
    if (exception_is(w->vm, error, "NameError") || exception_is(w->vm, error, "SyntaxError") ||
        !strpbrk(expression->text, "+-*/%.(){}"))
        return str_from(w->vm, expression->text);
    if (exception_is(w->vm, error, "FileNotFoundError"))
        return str_from(w->vm, "<TBD>");
    return flow_raise(
        w, "WorkflowError",
        "Failed to evaluate resources value '%s'. When interpreted as a python expression, the "
        "following error was given: %s. Additional quoting may be needed to force interpretation "
        "as a string, e.g.: --default-resources \"tmpdir='/home/user/tmp'\"",
        expression->text, exception_text(w->vm, error));
}

value resource_expression_value(struct workflow *w, value v, value names)
{
    const struct expression *expression = (const struct expression *)as_object(v);
    value globals = vm_globals_new(w->vm, "resources");
    dict_set_str(w->vm, names, "system_tmpdir", str_from(w->vm, resource_tmpdir()));
    value result = vm_eval(w->vm, expression->tree, globals, names);
    return result ? result : as_text(w, expression);
}

static bool refuse_word(struct workflow *w, const char *option, const char *word, const char *form)
{
    return complain_kind(w->diags, "error", (struct span){0}, "Invalid %s '%s': it has to be %s",
                         option, word, form);
}

static bool add_word(struct workflow *w, value dict, const char *name, const char *text)
{
    value v = resource_expression(w, name, text);
    if (!v)
        return false;
    return resource_set(w, dict, name, v);
}

static bool is_negative(const char *text)
{
    return text[0] == '-' && text[1] && !text[1 + strspn(text + 1, "0123456789")];
}

/* The name in the word of an option, from `name` to `equals`, if the option may set it; NULL after
 * a diagnostic. */
static char *name_in(struct workflow *w, const char *option, const char *word, const char *name,
                     const char *equals)
{
    size_t len = (size_t)(equals - name);
    if (!utf8_is_name(name, len))
        refuse_word(w, option, word, "a name of letters, digits and _, '=' and a value");
    else if (len == strlen("_cores") && !memcmp(name, "_cores", len))
        refuse_word(w, option, word, "another name: _cores is what threads are counted as");
    else if (is_negative(equals + 1))
        refuse_word(w, option, word, "a number that is not negative");
    else
        return arena_copy(&w->arena, name, len);
    return NULL;
}

static bool read_defaults(struct workflow *w)
{
    const char *const *word = w->options.default_resources;
    value dict = w->flow->defaults.v;
    if (word && !(add_word(w, dict, "mem", "min(max(2*input.size_mb, 1000), 8000)") &&
                  add_word(w, dict, "disk", "max(2*input.size_mb, 1000) if input else 50000")))
        return false;
    dict_set_str(w->vm, dict, "tmpdir", str_from(w->vm, resource_tmpdir()));
    for (; word && *word; word++) {
        const char *equals = strchr(*word, '=');
        if (!equals)
            return refuse_word(w, "--default-resources", *word, "name=value");
        const char *name = name_in(w, "--default-resources", *word, *word, equals);
        if (!name || !add_word(w, dict, name, equals + 1))
            return false;
    }
    return true;
}

static value overrides_of(struct workflow *w, const char *rule)
{
    value dict = dict_get_str(w->vm, w->flow->overrides.v, rule);
    if (dict)
        return dict;
    dict = dict_new(w->vm);
    dict_set_str(w->vm, w->flow->overrides.v, rule, dict);
    return dict;
}

static bool read_overrides(struct workflow *w)
{
    const char *const *word = w->options.set_resources;
    for (; word && *word; word++) {
        const char *equals = strchr(*word, '=');
        const char *colon = equals ? memchr(*word, ':', (size_t)(equals - *word)) : NULL;
        if (!colon)
            return refuse_word(w, "--set-resources", *word, "rule:resource=value");
        value dict = overrides_of(w, arena_copy(&w->arena, *word, (size_t)(colon - *word)));
        const char *name = name_in(w, "--set-resources", *word, colon + 1, equals);
        if (!name || !add_word(w, dict, name, equals + 1))
            return false;
    }
    for (word = w->options.set_threads; word && *word; word++) {
        const char *equals = strchr(*word, '=');
        if (!equals || is_negative(equals + 1))
            return refuse_word(w, "--set-threads", *word, "rule=number, the number not negative");
        value dict = overrides_of(w, arena_copy(&w->arena, *word, (size_t)(equals - *word)));
        if (!add_word(w, dict, "_cores", equals + 1))
            return false;
    }
    return true;
}

/* --resources: limits of the whole run; a job that asks for more is cut down to them. */
static bool read_limits(struct workflow *w)
{
    const char *const *word = w->options.resources;
    for (; word && *word; word++) {
        const char *equals = strchr(*word, '=');
        char *name = equals ? name_in(w, "--resources", *word, *word, equals) : NULL;
        if (equals && !name)
            return false;
        value v = name ? resource_expression(w, name, equals + 1) : NO_VALUE;
        if (!v || (!is_int(v) && !is_str(v)))
            return refuse_word(w, "--resources", *word, "name=number");
        char stored[128];
        v = standard(w, name, v, stored);
        if (!v)
            return false;
        if (dict_get_str(w->vm, w->flow->limits.v, stored))
            return complain_kind(w->diags, "ResourceDuplicationError", (struct span){0},
                                 "--resources limits '%s' more than once; use only one of its "
                                 "spellings",
                                 stored);
        dict_set_str(w->vm, w->flow->limits.v, stored, v);
    }
    return true;
}

bool resources_options(struct workflow *w)
{
    return read_defaults(w) && read_overrides(w) && read_limits(w);
}
