// SPDX-License-Identifier: MIT
#include "base/utf8.h"
#include "test.h"

static void test_decode(void)
{
    static const struct {
        const char *text;
        uint32_t cp;
        int len;
        bool valid;
    } rows[] = {
        {"a", 'a', 1, true},
        {"\xC3\xA9", 0xE9, 2, true},
        {"\xE2\x82\xAC", 0x20AC, 3, true},
        {"\xF0\x9F\x98\x80", 0x1F600, 4, true},
        {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4, true},
        {"\xF4\x90\x80\x80", 0xFFFD, 1, false},
        {"\x80", 0xFFFD, 1, false},
        {"\xC3", 0xFFFD, 1, false},
        {"\xC3(", 0xFFFD, 1, false},
        {"\xC0\x80", 0xFFFD, 1, false},
        {"\xE0\x80\x80", 0xFFFD, 1, false},
        {"\xF0\x80\x80\x80", 0xFFFD, 1, false},
        {"\xE2\x82", 0xFFFD, 1, false},
        {"\xED\xB2\x80", 0xDC80, 3, false},
        {"\xFF", 0xFFFD, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = rows[i].text, *end = at + strlen(at);
        char back[4];
        uint32_t cp = utf8_next(&at, end);
        ok(cp == rows[i].cp && at - rows[i].text == rows[i].len, "row %zu is U+%04X in %d bytes", i,
           rows[i].cp, rows[i].len);
        ok(utf8_valid(rows[i].text, strlen(rows[i].text)) == rows[i].valid, "row %zu valid", i);
        if (rows[i].len > 1)
            ok(utf8_put(back, cp) == rows[i].len &&
                   !memcmp(back, rows[i].text, (size_t)rows[i].len),
               "row %zu is written as it was read", i);
    }
}

static void test_positions(void)
{
    const char *text = "abcdefghij\xC3\xA9klmnopqrstuv\xE2\x82\xACx";
    size_t len = strlen(text);
    ok(utf8_count(text, len) == 25, "25 code points");
    ok(utf8_offset(text, len, 10) == 10 && utf8_offset(text, len, 11) == 12, "around a wide one");
    ok(utf8_offset(text, len, 24) == len - 1, "the last");
    ok(utf8_offset(text, len, 25) == len && utf8_offset(text, len, 99) == len,
       "clamped at the end");
    ok(utf8_count("\xFF\xFF", 2) == 2, "stray bytes count one each");
    ok(utf8_valid_len("ab\xFFz", 4) == 2, "where the first bad byte is");
}

static void test_classes(void)
{
    ok(utf8_is_space(' ') && utf8_is_space(0x1C) && utf8_is_space(0x3000) && !utf8_is_space(0x200B),
       "spaces as str.isspace");
    ok(utf8_is_alpha('z') && utf8_is_alpha(0xE9) && utf8_is_alpha(0x4E00) && !utf8_is_alpha('1') &&
           !utf8_is_alpha('@') && !utf8_is_alpha(0x20AC),
       "letters as str.isalpha");
    ok(utf8_is_digit('9') && utf8_is_digit(0xB2) && utf8_is_digit(0x663) && !utf8_is_digit(0xBD),
       "digits as str.isdigit");
    ok(utf8_is_decimal(0x663) && !utf8_is_decimal(0xB2), "decimals as str.isdecimal");
    ok(utf8_is_numeric(0xBD) && !utf8_is_numeric('x'), "numerics as str.isnumeric");
    ok(utf8_decimal('7') == 7 && utf8_decimal(0x669) == 9 && utf8_decimal(0x1D7D9) == 1 &&
           utf8_decimal(0xB2) == -1,
       "values of decimal digits");
    ok(utf8_is_printable('~') && utf8_is_printable(0xE9) && !utf8_is_printable(0x7F) &&
           !utf8_is_printable(0xAD) && !utf8_is_printable(0xE000) && !utf8_is_printable(0xDC80),
       "printable as str.isprintable");
    ok(utf8_is_ident_start('_') && utf8_is_ident_start(0xE9) && !utf8_is_ident_start('1') &&
           utf8_is_ident('1') && utf8_is_ident(0x301) && !utf8_is_ident_start(0x301) &&
           !utf8_is_ident('-'),
       "identifiers as str.isidentifier");
    ok(utf8_is_name("x_1", 3) && utf8_is_name("\xc3\xa9", 2) && !utf8_is_name("", 0) &&
           !utf8_is_name("1x", 2) && !utf8_is_name("x.y", 3) && utf8_is_name("x.y", 1),
       "names");
    ok(utf8_is_upper('A') && utf8_is_upper(0xC9) && !utf8_is_upper(0xE9), "upper case");
    ok(utf8_is_lower('a') && utf8_is_lower(0xE9) && !utf8_is_lower(0xC9), "lower case");
    ok(utf8_is_title(0x1C5) && !utf8_is_title('A'), "title case letters");
    ok(utf8_width('a') == 1 && utf8_width(0x4E00) == 2 && utf8_width(0x301) == 0, "widths");
    ok(utf8_columns("a\xe6\xbc\xa2"
                    "e\xcc\x81",
                    7) == 4,
       "columns of a text");
}

static void test_case(void)
{
    uint32_t out[3];
    static const struct {
        enum utf8_case to;
        uint32_t from, is;
    } single[] = {{UTF8_LOWER, 'Q', 'q'},     {UTF8_LOWER, 0xC9, 0xE9},
                  {UTF8_LOWER, 0x410, 0x430}, {UTF8_LOWER, 0x100, 0x101},
                  {UTF8_LOWER, 0x101, 0x101}, {UTF8_UPPER, 'q', 'Q'},
                  {UTF8_UPPER, 0xFF, 0x178},  {UTF8_UPPER, 0x101, 0x100}};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        ok(utf8_to_case(single[i].from, single[i].to, out) == 1 && out[0] == single[i].is,
           "U+%04X in %s case is U+%04X", single[i].from,
           single[i].to == UTF8_LOWER ? "lower" : "upper", single[i].is);
    ok(utf8_to_case(0xDF, UTF8_UPPER, out) == 2 && out[0] == 'S' && out[1] == 'S', "sharp s is SS");
    ok(utf8_to_case(0x130, UTF8_LOWER, out) == 2 && out[0] == 'i' && out[1] == 0x307, "dotted I");
    ok(utf8_to_case(0xFB03, UTF8_UPPER, out) == 3 && out[2] == 'I', "the ligature ffi is three");
    ok(utf8_to_case(0x1C4, UTF8_TITLE, out) == 1 && out[0] == 0x1C5, "title case of U+01C4");
    ok(utf8_to_case('a', UTF8_TITLE, out) == 1 && out[0] == 'A', "title case of a");
    ok(utf8_to_case(0x3C2, UTF8_CASEFOLD, out) == 1 && out[0] == 0x3C3, "final sigma folds");
}

int main(void)
{
    test_decode();
    test_positions();
    test_classes();
    test_case();
    return done();
}
