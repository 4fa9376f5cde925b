/* tool.h: tests that run kintsugi-image as users do, in a directory of their own. The tool's path
 * is in KINTSUGI_IMAGE. A test starts with tool_open() and ends with tool_done(). */
#pragma once

#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/kin-tool-XXXXXX";
static char output[4000]; /* the first line that the last command printed */
static int output_lines;

/* False: there is no tool to run. */
static inline bool tool_open(void)
{
    return getenv("KINTSUGI_IMAGE") && mkdtemp(dir);
}

/* Runs a line of shell in the test's directory; its exit status, 128 + signal, or -1. */
__attribute__((format(printf, 1, 2))) static inline int shell(const char *format, ...)
{
    char line[3000], command[3200];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    snprintf(command, sizeof command, "cd %s && %s", dir, line);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Reads what the last command left in out.txt. */
static inline void read_output(void)
{
    char path[200];
    snprintf(path, sizeof path, "%s/out.txt", dir);
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(output, 1, sizeof output - 1, file) : 0;
    output[n] = 0;
    output_lines = 0;
    for (size_t i = 0; i < n; i++)
        output_lines += output[i] == '\n';
    output[strcspn(output, "\n")] = 0;
    if (file)
        fclose(file);
}

/* Runs the tool in the test's directory; its exit status. */
__attribute__((format(printf, 1, 2))) static inline int tool(const char *format, ...)
{
    char arguments[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    int status = shell("%s %s >out.txt 2>&1", getenv("KINTSUGI_IMAGE"), arguments);
    read_output();
    return status;
}

/* Makes the project p: two cycles of 2 x 2 tiles of that size, the second one ready to be
 * registered. */
static inline void tool_two_cycles(const char *tile)
{
    ok(tool("phantom p --grid 2x2 --tile %s --planes 5 --channels 2 --cycles 2 --difficulty 1 "
            "--quiet --no-truth-images",
            tile) == 0,
       "a phantom is made");
    ok(tool("stitch p --cycle 2 --quiet") == 0 &&
           tool("deconv p --cycle 2 --iterations 4 --quiet") == 0 &&
           tool("edof p --cycle 2 --quiet") == 0,
       "its second cycle is ready %s", output);
}

/* The path of a file of the test; two may be in use at a time. */
static inline const char *in(const char *name)
{
    static char path[2][300];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

/* Removes the directory and prints the plan; the exit status of main. */
static inline int tool_done(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) ? 1 : done();
}
