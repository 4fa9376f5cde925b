// SPDX-License-Identifier: MIT
/* regex.c: PCRE2, 8-bit code units. PCRE2's machine code knows only the anchoring that a pattern
 * was compiled with, so each way of matching has a code of its own, compiled when first used. One
 * JIT stack serves all patterns, as the program's own code is single-threaded. */
#include "base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/memory.h"

struct regex {
    char *pattern; /* owned */
    size_t len;
    uint32_t flags;             /* enum regex_flags */
    pcre2_code *code[3];        /* owned; by enum regex_how; NULL: not yet needed */
    pcre2_match_data *found;    /* owned */
    const unsigned char *names; /* PCRE2's table of group names: number (2 bytes), name, NUL */
    uint32_t name_count, name_size, groups;
};

static pcre2_match_context *limits; /* shared; made with the first pattern, lives until exit */

/* A JIT stack that grows to 8 MiB, so that patterns with many alternatives do not run out of it. */
static void make_limits(void)
{
    if (limits)
        return;
    limits = pcre2_match_context_create(NULL);
    pcre2_jit_stack *stack = pcre2_jit_stack_create(32 << 10, 8 << 20, NULL);
    if (!limits)
        out_of_memory();
    if (stack)
        pcre2_jit_stack_assign(limits, NULL, stack);
    pcre2_set_match_limit(limits, 100 * 1000 * 1000);
}

static uint32_t options_of(uint32_t flags)
{
    static const struct {
        uint32_t flag, option;
    } rows[] = {
        {REGEX_IGNORECASE, PCRE2_CASELESS},
        {REGEX_MULTILINE, PCRE2_MULTILINE},
        {REGEX_DOTALL, PCRE2_DOTALL},
        {REGEX_VERBOSE, PCRE2_EXTENDED},
    };
    /* of (?m): ^ behind a last line end, too, as in Python */
    uint32_t options = PCRE2_ALT_CIRCUMFLEX;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        options |= flags & rows[i].flag ? rows[i].option : 0;
    if (!(flags & REGEX_BYTES))
        options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | (flags & REGEX_ASCII ? 0 : PCRE2_UCP);
    return options;
}

static pcre2_code *compile(const struct regex *regex, enum regex_how how, int *error, size_t *at)
{
    static const uint32_t anchors[] = {[REGEX_SEARCH] = 0,
                                       [REGEX_MATCH] = PCRE2_ANCHORED,
                                       [REGEX_FULL] = PCRE2_ANCHORED | PCRE2_ENDANCHORED};
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (!context)
        out_of_memory();
    /* Lines end at \n only, as in Python. */
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)regex->pattern, regex->len,
                                     options_of(regex->flags) | anchors[how], error, at, context);
    pcre2_compile_context_free(context);
    return code;
}

/* The code for a way of matching, ready for the machine; NULL only if memory ran out in PCRE2. */
static pcre2_code *code_for(struct regex *regex, enum regex_how how)
{
    int error;
    size_t at, size = 0;
    pcre2_code *code = regex->code[how];
    if (!code)
        code = regex->code[how] = compile(regex, how, &error, &at);
    if (code && !pcre2_pattern_info(code, PCRE2_INFO_JITSIZE, &size) && !size)
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it, PCRE2 interprets */
    return code;
}

static void read_groups(struct regex *regex)
{
    const pcre2_code *code = regex->code[REGEX_SEARCH];
    regex->found = pcre2_match_data_create_from_pattern(code, NULL);
    if (!regex->found)
        out_of_memory();
    pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &regex->names);
    pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &regex->name_count);
    pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &regex->name_size);
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &regex->groups);
}

struct regex *regex_new(const char *pattern, size_t len, uint32_t flags, char *message, size_t size,
                        size_t *at)
{
    struct regex *regex = memory_zeroed(1, sizeof *regex);
    char *copy = memory_zeroed(len + 1, 1);
    int error = 0;
    memcpy(copy, pattern, len);
    *regex = (struct regex){.pattern = copy, .len = len, .flags = flags};
    make_limits();
    regex->code[REGEX_SEARCH] = compile(regex, REGEX_SEARCH, &error, at);
    if (regex->code[REGEX_SEARCH]) {
        read_groups(regex);
        return regex;
    }
    PCRE2_UCHAR text[256];
    pcre2_get_error_message(error, text, sizeof text);
    snprintf(message, size, "%s", (const char *)text);
    regex_free(regex);
    return NULL;
}

void regex_free(struct regex *regex)
{
    if (!regex)
        return;
    pcre2_match_data_free(regex->found);
    for (int how = 0; how < 3; how++)
        pcre2_code_free(regex->code[how]);
    free(regex->pattern);
    free(regex);
}

static void copy_groups(const struct regex *regex, int have, size_t (*group)[2], int n)
{
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(regex->found);
    for (int i = 0; i < n; i++) {
        bool is_set = i < have && ends[2 * i] != PCRE2_UNSET;
        group[i][0] = is_set ? ends[2 * i] : SIZE_MAX;
        group[i][1] = is_set ? ends[2 * i + 1] : SIZE_MAX;
    }
}

int regex_exec(const struct regex *regex, const char *text, size_t len, size_t start,
               enum regex_how how, size_t (*group)[2], int n)
{
    /* What changes in a regex is only what is computed late. */
    uint32_t options = how == REGEX_ADVANCE ? PCRE2_NOTEMPTY_ATSTART : 0;
    const pcre2_code *code = code_for((struct regex *)regex, options ? REGEX_SEARCH : how);
    if (!code)
        return -1;
    PCRE2_SPTR subject = (PCRE2_SPTR)(text ? text : "");
    int have = pcre2_match(code, subject, len, start, options, regex->found, limits);
    if (have == PCRE2_ERROR_JIT_STACKLIMIT)
        have = pcre2_match(code, subject, len, start, options | PCRE2_NO_JIT, regex->found, limits);
    if (have == PCRE2_ERROR_NOMATCH)
        return 0;
    if (have < 0)
        return -1;
    copy_groups(regex, have, group, n);
    return (int)regex->groups + 1;
}

int regex_groups(const struct regex *regex)
{
    return (int)regex->groups;
}

static const unsigned char *name_row(const struct regex *regex, uint32_t i)
{
    return regex->names + (size_t)i * regex->name_size;
}

int regex_group_number(const struct regex *regex, const char *name)
{
    for (uint32_t i = 0; i < regex->name_count; i++) {
        const unsigned char *row = name_row(regex, i);
        if (!strcmp((const char *)row + 2, name))
            return row[0] << 8 | row[1];
    }
    return 0;
}

const char *regex_group_name(const struct regex *regex, int number)
{
    for (uint32_t i = 0; i < regex->name_count; i++) {
        const unsigned char *row = name_row(regex, i);
        if ((row[0] << 8 | row[1]) == number)
            return (const char *)row + 2;
    }
    return NULL;
}
