/* SPDX-License-Identifier: MIT
 *
 * text.h: text files that people write: some editors put a byte-order mark before the first line;
 * and names of files. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Opens a text file or a pipe for reading, past its byte-order mark; a named pipe that nobody
 * writes into is empty. NULL: errno says why. The caller closes it. */
FILE *text_open(const char *path);

/* Whether a name ends so and is longer than that. */
bool text_ends_in(const char *name, const char *end);
