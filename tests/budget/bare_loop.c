// SPDX-License-Identifier: MIT
/* bare_loop.c: the least that running shell commands can cost: vfork, exec, wait.
 *
 *     bare_loop 2 20000 'true > out/%d.txt'      20,000 commands, two at a time, as the engine's
 *                                                shell gets them */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void start(const char *command, int number)
{
    char text[4096] = "set -euo pipefail; ";
    size_t len = 19;
    for (const char *c = command; *c && len < sizeof text - 16; c++) {
        if (c[0] == '%' && c[1] == 'd') {
            len += (size_t)snprintf(text + len, sizeof text - len, "%d", number);
            c++;
        } else {
            text[len++] = *c;
        }
    }
    text[len] = '\0';
    if (!vfork()) {
        execlp("bash", "bash", "-c", text, (char *)NULL);
        _exit(127);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int side_by_side = atoi(argv[1]), n = atoi(argv[2]), failed = 0;
    for (int i = 0; i < n; i++) {
        int status = 0;
        if (i >= side_by_side)
            wait(&status);
        failed += status != 0;
        start(argv[3], i);
    }
    for (int status; wait(&status) > 0;)
        failed += status != 0;
    return failed != 0;
}
