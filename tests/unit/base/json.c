// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "test.h"

#include <stdlib.h>

static struct arena arena;

static struct json *parse(const char *text, struct json_error *error)
{
    return json_parse(&arena, text, strlen(text), error);
}

static void test_tree(void)
{
    const struct json *top = parse(
        " {\"rule\": \"a\", \"n\": -1.5e2, \"big\": 9007199254740993, \"list\": [1, [], {}, null,"
        " true, false], \"rule\": \"b\", \"nan\": NaN, \"far\": -Infinity} ",
        NULL);
    const struct json *list = json_get(top, "list");
    ok(top && top->kind == JSON_OBJECT && top->len == 7, "an object of seven members");
    is(json_text(json_get(top, "rule"), "?"), "b", "of two equal keys the last counts");
    ok(json_number(json_get(top, "n"), 0) == -150, "a number");
    ok(json_int(json_get(top, "big"), 0) == 9007199254740993, "an integer keeps all its digits");
    ok(json_int(json_get(top, "nan"), 7) == 7 && json_int(json_get(top, "far"), 7) == 7,
       "what is no integer");
    ok(list && list->kind == JSON_ARRAY && list->len == 6, "a list of six");
    enum json_kind want[] = {JSON_NUMBER, JSON_ARRAY, JSON_OBJECT,
                             JSON_NULL,   JSON_TRUE,  JSON_FALSE};
    int i = 0;
    for (const struct json *item = json_first(list); item; item = item->next, i++)
        ok(item->kind == want[i], "element %d is of its kind", i);
    is(json_text(json_get(top, "none"), "other"), "other", "what is not there");
    ok(!json_get(NULL, "x") && !json_get(list, "x") && !json_first(NULL), "nothing has no members");
}

static void test_strings(void)
{
    static const char *const rows[][2] = {
        {"\"\"", ""},
        {"\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "a\"\\/\b\f\n\r\t"},
        {"\"\\u00e9\\u20AC\"", "\xC3\xA9\xE2\x82\xAC"},
        {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80"},
        {"\"\\udcff\"", "\xED\xB3\xBF"},
        {"\"\\ud83dx\"", "\xED\xA0\xBDx"},
        {"\"\xC3\xA9\"", "\xC3\xA9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is(json_text(parse(rows[i][0], NULL), NULL), rows[i][1], rows[i][0]);
}

static void test_errors(void)
{
    static const struct {
        const char *text;
        size_t at;
    } rows[] = {
        {"", 0},     {"{", 1},     {"{\"a\" 1}", 5},    {"{\"a\": 1,}", 8}, {"[1 2]", 3},
        {"[1,]", 3}, {"\"abc", 4}, {"\"\\x\"", 3},      {"\"\\u12\"", 3},   {"01", 1},
        {"1.", 2},   {"-", 1},     {"nul", 0},          {"1 1", 2},         {"\"a\nb\"", 2},
        {"1e", 2},   {"[\"\\", 3}, {"\"\\ud83d\\u", 9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_error error = {0};
        bool refused = !parse(rows[i].text, &error);
        ok(refused && error.message && error.at == rows[i].at, "%s: %s at %zu", rows[i].text,
           error.message ? error.message : "accepted", error.at);
    }
    char deep[2001];
    memset(deep, '[', 2000);
    deep[2000] = '\0';
    struct json_error error = {0};
    ok(!parse(deep, &error), "2000 brackets");
    is(error.message, "nested too deeply", "are too many");
}

int main(void)
{
    test_tree();
    test_strings();
    test_errors();
    arena_free(&arena);
    return done();
}
