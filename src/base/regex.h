// SPDX-License-Identifier: MIT
/* regex.h: the only door to PCRE2. Patterns are PCRE2's; what differs in Python's re is translated
 * by modules/re.c. Compiled with JIT where the machine has it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct regex;

enum regex_flags {
    REGEX_IGNORECASE = 1,
    REGEX_MULTILINE = 2,
    REGEX_DOTALL = 4,
    REGEX_VERBOSE = 8,
    REGEX_ASCII = 16, /* classes are ASCII only; else Unicode */
    REGEX_BYTES = 32, /* the subject is bytes, not UTF-8 */
};

/* NULL on a bad pattern: message (caller's, size bytes) says why, *at is its byte offset. */
struct regex *regex_new(const char *pattern, size_t len, uint32_t flags, char *message, size_t size,
                        size_t *at);
void regex_free(struct regex *regex);

/* Looks from byte offset start on; anchored: the match must begin at start; full: and end at the
 * end of the text; advance: a search that does not take an empty match at start. Fills at most n
 * pairs of byte offsets (SIZE_MAX: group did not take part). Returns the number of groups incl.
 * group 0, 0 if there is no match, -1 when a limit of the engine was hit. */
enum regex_how { REGEX_SEARCH, REGEX_MATCH, REGEX_FULL, REGEX_ADVANCE };
int regex_exec(const struct regex *regex, const char *text, size_t len, size_t start,
               enum regex_how how, size_t (*group)[2], int n);

/* Groups without group 0; names: number of a named group, or 0. */
int regex_groups(const struct regex *regex);
int regex_group_number(const struct regex *regex, const char *name);
/* The name of group number i, or NULL. */
const char *regex_group_name(const struct regex *regex, int number);
