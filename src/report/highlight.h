// SPDX-License-Identifier: MIT
/* highlight.h: source code as HTML: comments, texts, numbers, keywords and Snakemake's {holes}. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

enum code_kind { CODE_PLAIN, CODE_SHELL, CODE_PYTHON, CODE_R, CODE_C };

/* The kind of a script by its name. */
enum code_kind code_kind_of(const char *path);
/* Appends <ol> with an <li> a line, the indentation that all lines share taken off. */
void highlight(const char *text, size_t len, enum code_kind kind, struct buf *out);
