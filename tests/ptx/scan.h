/* SPDX-License-Identifier: MIT
 *
 * scan.h: the text of a program as words and signs. Comments are no part of it. */
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

struct token {
    std::string_view text; /* "": the end */
    uint32_t at;           /* in the program's text */
    bool begins_line;
    bool is(std::string_view what) const { return text == what; }
};

typedef std::vector<token> tokens;

/* The last one is the end. What the text says must stay where it is. */
tokens scan(const std::string &text);

/* A number, also of hexadecimal digits, of the bits of a float (0f...) or a double (0d...); `bytes`
 * of it are wanted. False: it is none of so many. */
bool read_number(std::string_view text, int bytes, uint64_t *value);

} // namespace ptx
