// SPDX-License-Identifier: MIT
/* lex.h: text to tokens by the rules of Python 3.12: indentation, line joining, every literal,
 * f-strings that nest (PEP 701). */
#pragma once

#include "base/diag.h"
#include "syntax/token.h"

/* The tokens of a source; tokens_free gives them back. Bad tokens are reported and become ERROR
 * tokens, so that parsing can go on. NULL in .at: brackets or triple quotes do not close, which is
 * reported and leaves nothing worth parsing. */
struct tokens lex_source(struct diags *dx, int source);
void tokens_free(struct tokens *tokens);
