/* SPDX-License-Identifier: MIT
 *
 * text.h: text files that people write: some editors put a byte-order mark before the first
 * line. */
#pragma once

#include <stdio.h>

/* Opens a text file or a pipe for reading, past its byte-order mark; a named pipe that nobody
 * writes into is empty. NULL: errno says why. The caller closes it. */
FILE *text_open(const char *path);
