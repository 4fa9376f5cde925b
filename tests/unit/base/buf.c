// SPDX-License-Identifier: MIT
#include "base/buf.h"
#include "test.h"

#include <stdlib.h>

static void test_text(void)
{
    struct buf buf = {0};
    is(buf_text(&buf), "", "an untouched buffer is the empty text");
    buf_str(&buf, "one");
    buf_char(&buf, ',');
    buf_add(&buf, " two!", 4);
    buf_printf(&buf, " %d", 3);
    is(buf_text(&buf), "one, two 3", "pieces are put together");
    buf_reset(&buf);
    is(buf_text(&buf), "", "a reset buffer is empty");
    buf_printf(&buf, "%0500d", 1);
    ok(buf.len == 500 && buf.at[499] == '1' && !buf.at[500], "printf of more than the room");
    memcpy(buf_room(&buf, 3), "end", 4);
    buf.len += 3;
    is(buf_text(&buf) + 500, "end", "room may be filled by hand");
    char *taken = buf_take(&buf);
    ok(strlen(taken) == 503 && !buf.at && !buf.len, "the text is handed over");
    free(taken);
    taken = buf_take(&buf);
    is(taken, "", "an empty buffer hands over an empty text");
    free(taken);
}

static void test_quoting(void)
{
    /* Expected: shlex.quote and json.loads of Python 3.11. */
    static const struct {
        const char *text, *shell, *json;
    } rows[] = {
        {"", "''", ""},
        {"a/b-c_1.txt", "a/b-c_1.txt", "a/b-c_1.txt"},
        {"a b", "'a b'", "a b"},
        {"it's", "'it'\"'\"'s'", "it's"},
        {"$HOME", "'$HOME'", "$HOME"},
        {"~", "'~'", "~"},
        {"a@%+=:,", "a@%+=:,", "a@%+=:,"},
        {"\"q\" \\", "'\"q\" \\'", "\\\"q\\\" \\\\"},
        {"l\n\t\x01", "'l\n\t\x01'", "l\\n\\t\\u0001"},
        {"\xC3\xA9", "'\xC3\xA9'", "\xC3\xA9"},
        {"x\xFFy", "'x\xFFy'", "x\\udcffy"},
        {"\xED\xB3\xBF", "'\xED\xB3\xBF'", "\\udcff"},
    };
    struct buf buf = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_reset(&buf);
        buf_shell_quote(&buf, rows[i].text, strlen(rows[i].text));
        is(buf_text(&buf), rows[i].shell, "quoted for the shell");
        buf_reset(&buf);
        buf_json(&buf, rows[i].text, strlen(rows[i].text));
        is(buf_text(&buf), rows[i].json, "escaped for JSON");
    }
    buf_free(&buf);
}

/* The vectors of RFC 4648. */
static void test_base64(void)
{
    static const char *const rows[][2] = {{"", ""},
                                          {"f", "Zg=="},
                                          {"fo", "Zm8="},
                                          {"foo", "Zm9v"},
                                          {"foob", "Zm9vYg=="},
                                          {"fooba", "Zm9vYmE="},
                                          {"foobar", "Zm9vYmFy"}};
    struct buf buf = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_reset(&buf);
        buf_base64(&buf, rows[i][0], strlen(rows[i][0]), false);
        is(buf_text(&buf), rows[i][1], "in base64");
    }
    buf_reset(&buf);
    buf_base64(&buf, "\xfb\xff\xfe", 3, false);
    buf_base64(&buf, "\xfb\xff\xfe", 3, true);
    is(buf_text(&buf), "+//+-__-", "the last two digits for texts and for addresses");
    buf_free(&buf);
}

static void test_int(void)
{
    static const struct {
        int64_t number;
        const char *text;
    } rows[] = {{0, "0"},
                {7, "7"},
                {-1, "-1"},
                {1234567890123, "1234567890123"},
                {INT64_MAX, "9223372036854775807"},
                {INT64_MIN, "-9223372036854775808"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf buf = {0};
        buf_int(&buf, rows[i].number);
        is(buf_text(&buf), rows[i].text, "a number");
        buf_free(&buf);
    }
}

int main(void)
{
    test_text();
    test_quoting();
    test_base64();
    test_int();
    return done();
}
