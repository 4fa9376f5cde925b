// SPDX-License-Identifier: MIT
/* line.h: text taken line by line.
 *
 *     struct line line;
 *     while (line_next(&text, &line))
 *         ... line.at, line.len */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct line {
    const char *at; /* borrowed from the text, not ended by NUL */
    size_t len;     /* without the end of the line */
};

/* The line at *text, which moves on behind its end. False: there is none; nor is there one where
 * *text is NULL. */
bool line_next(const char **text, struct line *line);
/* Takes blanks, tabs and carriage returns off its end. */
void line_trim(struct line *line);
