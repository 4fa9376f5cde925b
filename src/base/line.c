// SPDX-License-Identifier: MIT
/* Text line by line. */
#include "base/line.h"

#include <string.h>

bool line_next(const char **text, struct line *line)
{
    if (!*text || !**text)
        return false;
    *line = (struct line){*text, strcspn(*text, "\n")};
    *text += line->len + ((*text)[line->len] == '\n');
    return true;
}

void line_trim(struct line *line)
{
    while (line->len && strchr(" \t\r", line->at[line->len - 1]))
        line->len--;
}
