// SPDX-License-Identifier: MIT
/* visible.h: text on its way to a terminal. Names of files and what other programs say may hold
 * escape sequences, which would colour, move or clear what a person reads, or give the window
 * another title. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"

/* Adds text with its control characters as Python would write them (\x1b); ends of line and tabs
 * stay. colors: so do complete sequences that only set colours, and they end with the text. */
void buf_visible(struct buf *out, const char *text, size_t len, bool colors);
/* Adds a text as it is to be written there: to a terminal as above, else as it is. */
void buf_shown(struct buf *out, FILE *to, const char *text, size_t len, bool colors);
/* Writes it so, without colours. */
void put_visible(FILE *to, const char *text, size_t len);
/* Adds a text and blanks up to so many columns of a terminal. */
void buf_cell(struct buf *out, const char *text, size_t columns);
