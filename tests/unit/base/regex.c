// SPDX-License-Identifier: MIT
#include "base/regex.h"
#include "test.h"

#include <stdlib.h>

static struct regex *make(const char *pattern, uint32_t flags)
{
    char message[128];
    size_t at;
    return regex_new(pattern, strlen(pattern), flags, message, sizeof message, &at);
}

static int run(const struct regex *regex, const char *text, size_t start, enum regex_how how,
               size_t (*group)[2], int n)
{
    return regex_exec(regex, text, strlen(text), start, how, group, n);
}

static void test_ways(void)
{
    struct regex *regex = make("(?P<a>b+)(x)?|q", 0);
    size_t group[4][2];
    ok(regex && regex_groups(regex) == 2, "two groups");
    ok(regex_group_number(regex, "a") == 1 && !regex_group_number(regex, "z"), "a named group");
    is(regex_group_name(regex, 1), "a", "and its name");
    ok(!regex_group_name(regex, 2), "the other has none");
    ok(run(regex, "abbc", 0, REGEX_SEARCH, group, 4) == 3, "found");
    ok(group[0][0] == 1 && group[0][1] == 3 && group[1][0] == 1 && group[1][1] == 3, "where");
    ok(group[2][0] == SIZE_MAX && group[3][0] == SIZE_MAX, "groups that took no part");
    ok(run(regex, "abbc", 0, REGEX_MATCH, group, 1) == 0, "not at the start");
    ok(run(regex, "abbc", 1, REGEX_MATCH, group, 1) == 3 && group[0][1] == 3, "at byte 1");
    ok(run(regex, "abbc", 1, REGEX_FULL, group, 1) == 0, "not to the end");
    ok(run(regex, "abbx", 1, REGEX_FULL, group, 1) == 3 && group[0][1] == 4, "to the end");
    regex_free(regex);
    regex = make("a|ab", 0);
    ok(run(regex, "ab", 0, REGEX_FULL, group, 1) == 1 && group[0][1] == 2,
       "a full match tries the other branches");
    regex_free(regex);
    regex_free(NULL);
}

static void test_flags(void)
{
    static const struct {
        const char *pattern, *text;
        uint32_t flags;
        bool found;
    } rows[] = {
        {"ABC", "abc", 0, false},
        {"ABC", "abc", REGEX_IGNORECASE, true},
        {"^b", "a\nb", 0, false},
        {"^b", "a\nb", REGEX_MULTILINE, true},
        {"a.b", "a\nb", 0, false},
        {"a.b", "a\nb", REGEX_DOTALL, true},
        {"a b # c", "ab", 0, false},
        {"a b # c", "ab", REGEX_VERBOSE, true},
        {"^\\w$", "\xC3\xA9", 0, true},
        {"^\\w", "\xC3\xA9", REGEX_ASCII, false},
        {"^.$", "\xC3\xA9", REGEX_ASCII, true},
        {"^..$", "\xC3\xA9", REGEX_BYTES, true},
        {"\xC3\x89", "\xC3\xA9", REGEX_IGNORECASE, true},
        {"b",
         "\xFF"
         "b",
         0, true},
        {"a.b", "a\rb", 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct regex *regex = make(rows[i].pattern, rows[i].flags);
        ok(regex && (run(regex, rows[i].text, 0, REGEX_SEARCH, NULL, 0) > 0) == rows[i].found,
           "row %zu: /%s/ with flags %u", i, rows[i].pattern, rows[i].flags);
        regex_free(regex);
    }
}

static void test_errors(void)
{
    char message[128] = "";
    size_t at = 0;
    ok(!regex_new("ab(c", 4, 0, message, sizeof message, &at), "an open bracket is an error");
    is(message, "missing closing parenthesis", "with a message");
    ok(at == 4, "and a place");
    struct regex *regex = make("(a|aa)+(b|bb)+(c|cc)+$", 0);
    size_t len = 100000;
    char *text = malloc(len + 1);
    memset(text, 'a', len);
    text[len] = '\0';
    ok(regex_exec(regex, text, 60, 0, REGEX_MATCH, NULL, 0) <= 0,
       "an explosive pattern comes back");
    regex_free(regex);
    regex = make("(?:a|b)*c", 0);
    text[len - 1] = 'c';
    ok(regex_exec(regex, text, len, 0, REGEX_FULL, NULL, 0) == 1,
       "a long text needs no deep stack");
    regex_free(regex);
    free(text);
}

int main(void)
{
    test_ways();
    test_flags();
    test_errors();
    return done();
}
