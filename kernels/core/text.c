// SPDX-License-Identifier: MIT
#include "core/text.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Opens a file without waiting for somebody to write into a named pipe. */
static FILE *open_at_once(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (file)
        fcntl(fd, F_SETFL, 0); /* but what a writer has still to say is waited for */
    else if (fd >= 0)
        close(fd);
    return file;
}

FILE *text_open(const char *path)
{
    FILE *file = open_at_once(path);
    char head[3];
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (n == sizeof head && !memcmp(head, "\xef\xbb\xbf", sizeof head))
        return file;
    while (n) /* a pipe cannot be rewound */
        ungetc((unsigned char)head[--n], file);
    return file;
}

bool text_ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && !strcmp(name + n - m, end);
}
