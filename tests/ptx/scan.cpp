// SPDX-License-Identifier: MIT
#include "scan.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

namespace ptx {

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_$%.", c));
}

/* One past the blanks and comments from `at` on. */
static size_t skip(const std::string &text, size_t at, bool *new_line)
{
    for (;;) {
        while (at < text.size() && isspace((unsigned char)text[at]))
            *new_line |= text[at++] == '\n';
        bool line = text.compare(at, 2, "//") == 0, block = text.compare(at, 2, "/*") == 0;
        if (!line && !block)
            return at;
        size_t end = line ? text.find('\n', at) : text.find("*/", at);
        at = end == std::string::npos ? text.size() : line ? end : end + 2;
    }
}

static size_t end_of(const std::string &text, size_t at)
{
    if (text[at] == '"')
        return text.find('"', at + 1) == std::string::npos ? text.size() : text.find('"', at + 1) + 1;
    size_t end = at;
    while (end < text.size() && in_word(text[end]))
        end++;
    return end == at ? at + 1 : end;
}

tokens scan(const std::string &text)
{
    tokens found;
    bool new_line = true;
    for (size_t at = skip(text, 0, &new_line); at < text.size(); at = skip(text, at, &new_line)) {
        size_t end = end_of(text, at);
        found.push_back({std::string_view(text).substr(at, end - at), (uint32_t)at, new_line});
        new_line = false;
        at = end;
    }
    found.push_back({"", (uint32_t)text.size(), true});
    return found;
}

bool read_number(std::string_view text, int bytes, uint64_t *value)
{
    std::string digits(text);
    bool negative = digits[0] == '-', bits = false;
    if (negative)
        digits.erase(0, 1);
    if (digits.empty() || !isdigit((unsigned char)digits[0]))
        return false;
    int wanted = digits.size() > 2 && digits[0] == '0' ? tolower((unsigned char)digits[1]) : 0;
    if (wanted == 'f' || wanted == 'd') {
        if ((wanted == 'f' ? 4 : 8) != bytes)
            return false;
        digits[1] = 'x';
        bits = true;
    }
    char *end;
    uint64_t number = strtoull(digits.c_str(), &end, 0);
    if (*end && strcmp(end, "U") != 0)
        return false;
    *value = negative && bits ? number ^ 1ull << (8 * bytes - 1) : negative ? -number : number;
    return true;
}

} // namespace ptx
