// SPDX-License-Identifier: MIT
#include "text.h"

#include <string.h>

FILE *text_open(const char *path)
{
    FILE *file = fopen(path, "r");
    char mark[3];
    if (file && (fread(mark, 1, sizeof mark, file) != sizeof mark ||
                 memcmp(mark, "\xef\xbb\xbf", sizeof mark)))
        rewind(file);
    return file;
}
