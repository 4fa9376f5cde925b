// SPDX-License-Identifier: MIT
#include "base/visible.h"

#include "test.h"

static const struct {
    const char *text, *shown, *colored; /* NULL: as shown */
} rows[] = {
    {"", "", NULL},
    {"a b\tc\n", "a b\tc\n", NULL},
    {"line\r\nline", "line\r\nline", NULL},
    {"over\rwritten\r", "over\\x0dwritten\\x0d", NULL},
    {"\033]0;title\007", "\\x1b]0;title\\x07", NULL},
    {"\033[2J\177", "\\x1b[2J\\x7f", NULL},
    {"\033[1;31mred\033[0m", "\\x1b[1;31mred\\x1b[0m", "\033[1;31mred\033[0m\033[0m"},
    {"\033[38:5:1mred", "\\x1b[38:5:1mred", "\033[38:5:1mred\033[0m"},
    {"\033[31", "\\x1b[31", NULL},
    {"\033[?25l", "\\x1b[?25l", NULL},
    {"\302\2332J", "\\x9b2J", NULL}, /* CSI as one code point */
    {"\2332J", "\\x9b2J", NULL},     /* and as one byte */
    {"\303\274 \346\274\242 e\314\201 \360\237\230\200",
     "\303\274 \346\274\242 e\314\201 \360\237\230\200", NULL},
    {"latin \351", "latin \351", NULL},
};

int main(void)
{
    struct buf out = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *colored = rows[i].colored ? rows[i].colored : rows[i].shown;
        buf_reset(&out);
        buf_visible(&out, rows[i].text, strlen(rows[i].text), false);
        ok(!strcmp(buf_text(&out), rows[i].shown), "row %zu is shown without colours", i);
        buf_reset(&out);
        buf_visible(&out, rows[i].text, strlen(rows[i].text), true);
        ok(!strcmp(buf_text(&out), colored), "row %zu is shown with colours", i);
    }
    buf_free(&out);
    return done();
}
