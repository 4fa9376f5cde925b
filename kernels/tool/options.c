// SPDX-License-Identifier: MIT
// options.c: parsing a verb's command line by its table, and its --help.
#include "tool/options.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static bool whole_number(const char *text, char **end, int *value)
{
    long v = strtol(text, end, 10);
    *value = (int)v;
    return *end != text && v >= INT_MIN && v <= INT_MAX;
}

static bool parse_int(const char *text, int *value)
{
    char *end;
    return whole_number(text, &end, value) && !*end;
}

static bool parse_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

static bool parse_pair(const char *text, int pair[2])
{
    char *end;
    return whole_number(text, &end, &pair[0]) && (*end == 'x' || *end == 'X') &&
           whole_number(end + 1, &end, &pair[1]) && !*end;
}

static bool add_range(struct int_list *list, int from, int to)
{
    for (int i = from; i <= to; i++) {
        if (list->count == (int)(sizeof list->values / sizeof *list->values))
            return false;
        list->values[list->count++] = i;
    }
    return from <= to;
}

static bool parse_list(const char *text, struct int_list *list)
{
    char *at = (char *)(uintptr_t)text;
    list->count = 0;
    for (;;) {
        int from, to;
        if (!whole_number(at, &at, &from))
            return false;
        to = from;
        if (*at == '-' && !whole_number(at + 1, &at, &to))
            return false;
        if (!add_range(list, from, to))
            return false;
        if (!*at)
            return true;
        if (*at++ != ',')
            return false;
    }
}

static bool set_value(const struct option *option, const char *text)
{
    switch (option->type) {
    case OPTION_FLAG: *(bool *)option->target = true; return true;
    case OPTION_INT: return parse_int(text, option->target);
    case OPTION_REAL: return parse_real(text, option->target);
    case OPTION_TEXT: *(const char **)option->target = text; return true;
    case OPTION_PAIR: return parse_pair(text, option->target);
    case OPTION_LIST: return parse_list(text, option->target);
    }
    return false;
}

static bool is_ranged(const struct option *option)
{
    return option->low != 0 || option->high != 0;
}

static bool is_within(const struct option *option)
{
    double v = option->type == OPTION_INT ? *(int *)option->target : *(double *)option->target;
    return v >= option->low && v <= option->high;
}

static bool has_choices(const struct option *option)
{
    return option->type == OPTION_TEXT && strchr(option->unit, '|');
}

static const char *value_name(enum option_type type)
{
    switch (type) {
    case OPTION_INT: return "N";
    case OPTION_REAL: return "X";
    case OPTION_TEXT: return "TEXT";
    case OPTION_PAIR: return "AxB";
    case OPTION_LIST: return "1,3,5-8";
    case OPTION_FLAG: break;
    }
    return "";
}

static void set_default(const struct option *option)
{
    if (option->fallback[0] == '(')
        return;
    if (option->type == OPTION_FLAG)
        *(bool *)option->target = false;
    else if (option->fallback[0])
        set_value(option, option->fallback);
    else if (option->type == OPTION_TEXT)
        *(const char **)option->target = NULL;
    else if (option->type == OPTION_LIST)
        ((struct int_list *)option->target)->count = 0;
}

/* ---- help ------------------------------------------------------------------------------------ */

enum { HELP_AT = 31, HELP_WIDTH = 69 }; /* where the text begins, and how wide it is */

/* A name and its text, broken between words into lines of that width. */
static void print_row(const char *left, const char *text)
{
    printf("  %-28s", left);
    if (strlen(left) > HELP_AT - 3)
        printf("\n%*s", HELP_AT - 1, "");
    for (;;) {
        size_t n = strlen(text);
        if (n > HELP_WIDTH)
            for (n = HELP_WIDTH; n > 1 && text[n] != ' ';)
                n--;
        printf(" %.*s\n", (int)n, text);
        text += n;
        text += *text == ' ';
        if (!*text)
            return;
        printf("%*s", HELP_AT - 1, "");
    }
}

/* Whether the unit is what to write for the value: one of several words, or FILE, NAME, ... */
static bool names_value(const struct option *option)
{
    return has_choices(option) || (option->type == OPTION_TEXT && isupper(option->unit[0]));
}

static void print_option(const struct option *option)
{
    char left[120], text[400];
    bool named = names_value(option), unit = option->unit[0] && !named;
    bool fallback = option->fallback[0];
    snprintf(left, sizeof left, "--%s %s", option->name,
             named ? option->unit : value_name(option->type));
    int n = snprintf(text, sizeof text, "%s", option->help);
    if (unit || fallback)
        snprintf(text + n, sizeof text - (size_t)n, " [%s%s%s%s]", unit ? option->unit : "",
                 unit && fallback ? ", " : "", fallback ? "default " : "", option->fallback);
    print_row(left, text);
}

static void print_help(const struct command *command)
{
    printf("usage: kintsugi-image %s", command->verb);
    for (int i = 0; i < command->operand_count; i++)
        printf(command->operands[i].optional ? " [%s]" : " %s", command->operands[i].name);
    printf(" [OPTIONS]\n\n%s\n\n", command->about);
    for (int i = 0; i < command->operand_count; i++)
        print_row(command->operands[i].name, command->operands[i].help);
    for (int i = 0; i < command->option_count; i++)
        print_option(&command->options[i]);
    print_row("--help", "print this text");
    if (command->notes)
        printf("\n%s\n", command->notes);
}

/* ---- the command line ------------------------------------------------------------------------ */

int options_mistake(const struct command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "kintsugi-image %s: ", command->verb);
    vfprintf(stderr, format, args);
    fprintf(stderr, " (--help lists the options)\n");
    va_end(args);
    return 2;
}

int options_choice(const char *word, const char *choices)
{
    size_t n = strlen(word);
    int index = 0;
    for (const char *at = choices; *at; index++) {
        size_t length = strcspn(at, "|");
        if (length == n && !memcmp(at, word, n))
            return index;
        at += length + (at[length] == '|');
    }
    return -1;
}

static const struct option *find_option(const struct command *command, const char *name,
                                        size_t length)
{
    for (int i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if (strlen(option->name) == length && !strncmp(option->name, name, length))
            return option;
    }
    return NULL;
}

bool options_alike(const char *typed, size_t length, const char *name)
{
    size_t other = strlen(name), longer = length > other ? length : other,
           shorter = length + other - longer;
    size_t head = 0, tail = 0;
    while (head < shorter && typed[head] == name[head])
        head++;
    while (tail < shorter - head && typed[length - 1 - tail] == name[other - 1 - tail])
        tail++;
    return 3 * (head + tail) >= 2 * longer;
}

static int no_option(const struct command *command, const char *name, size_t length)
{
    for (int i = 0; i < command->option_count; i++)
        if (options_alike(name, length, command->options[i].name))
            return options_mistake(command, "no option --%.*s; did you mean --%s?", (int)length,
                                   name, command->options[i].name);
    return options_mistake(command, "no option --%.*s", (int)length, name);
}

/* One --name with its value; *at moves past what was used. The exit status of a mistake, or 0. */
static int take_option(const struct command *command, int argc, char **argv, int *at)
{
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct option *option = find_option(command, name, length);
    const char *value = equals ? equals + 1 : NULL;
    if (!option)
        return no_option(command, name, length);
    if (option->type == OPTION_FLAG && value)
        return options_mistake(command, "--%s takes no value", option->name);
    if (option->type != OPTION_FLAG && !value) {
        if (*at + 1 == argc)
            return options_mistake(command, "--%s needs a value", option->name);
        value = argv[++*at];
    }
    if (has_choices(option) && options_choice(value, option->unit) < 0)
        return options_mistake(command, "--%s %s: must be one of %s", option->name, value,
                               option->unit);
    if (!set_value(option, value))
        return options_mistake(command, "--%s %s: not of the form %s", option->name, value,
                               value_name(option->type));
    if (is_ranged(option) && !is_within(option))
        return options_mistake(command, "--%s %s: must be between %g and %g", option->name, value,
                               option->low, option->high);
    return 0;
}

static int take_words(const struct command *command, int argc, char **argv)
{
    int given = 0;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--", 2)) {
            int status = take_option(command, argc, argv, &i);
            if (status)
                return status;
        } else if (given == command->operand_count) {
            return options_mistake(command, "unexpected argument '%s'", argv[i]);
        } else {
            *command->operands[given++].target = argv[i];
        }
    }
    if (given < command->operand_count && !command->operands[given].optional)
        return options_mistake(command, "%s is missing", command->operands[given].name);
    return 0;
}

bool options_parse(const struct command *command, int argc, char **argv, int *status)
{
    *status = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(command);
            return false;
        }
    }
    for (int i = 0; i < command->option_count; i++)
        set_default(&command->options[i]);
    *status = take_words(command, argc, argv);
    return !*status;
}

struct device *options_device(struct common *common, struct kin_error *err)
{
    const char *given = common->device ? common->device : getenv("KINTSUGI_DEVICE_MODE");
    size_t memory = common->gpu_memory > 0 ? (size_t)common->gpu_memory << 20 : 0;
    int kind = options_choice(given && given[0] ? given : "auto", DEVICES);
    if (kind < 0) {
        kin_fail(err, KIN_INPUT, "KINTSUGI_DEVICE_MODE '%s': the device is auto, cpu or gpu",
                 given);
        return NULL;
    }
    struct device *dev = device_open_within((enum device_kind)kind, common->threads, memory, err);
    common->on_gpu = dev && dev->kind == DEVICE_GPU && kind == DEVICE_AUTO;
    return dev;
}

bool options_retreat(struct common *common, struct kin_error *err)
{
    if (!common->on_gpu || (err->code != KIN_DEVICE && err->code != KIN_MEMORY))
        return false;
    fprintf(stderr, "warning: %s; going on on the CPU\n", err->text);
    *err = (struct kin_error){.code = KIN_OK};
    common->device = "cpu";
    return true;
}
