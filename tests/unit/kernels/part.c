// SPDX-License-Identifier: MIT
// kin_part: a file is there whole or not at all; a failure leaves what was there before, and
// nothing beside it.
#include "part.h"

#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

static char dir[] = "/tmp/kintsugi-part-XXXXXX";

static const char *in(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static bool holds(const char *name, const char *text)
{
    char held[100] = "";
    FILE *file = fopen(in(name), "r");
    size_t n = file ? fread(held, 1, sizeof held - 1, file) : 0;
    if (file)
        fclose(file);
    return file && n == strlen(text) && !memcmp(held, text, n);
}

static int files(void)
{
    int count = 0;
    DIR *open = opendir(dir);
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static void test_text(void)
{
    struct kin_error err = {0};
    ok(kin_write_text(in("a"), "one\n", &err) && holds("a", "one\n"), "a text is written");
    ok(kin_write_text(in("a"), "two\n", &err) && holds("a", "two\n"),
       "it takes the place of an older one");
    ok(kin_write_text(in("a"), "", &err) && holds("a", ""), "it may be empty");
    ok(kin_write_text(in("a"), "two\n", &err) && files() == 1, "nothing is left beside it");
    ok(!kin_write_text(in("none/a"), "one\n", &err) && err.code == KIN_IO &&
           strstr(err.text, "none/a: No such file"),
       "without a directory: %s", err.text);
}

static void test_given_up(void)
{
    struct kin_part part;
    struct kin_error err = {0};
    ok(kin_part_open(&part, in("a"), &err) && fputs("three", part.file) >= 0 && holds("a", "two\n"),
       "while a file grows the older one is there");
    ok(files() == 2, "beside what grows");
    kin_fail(&err, KIN_INPUT, "the reason");
    ok(!kin_part_close(&part, false, &err) && err.code == KIN_INPUT &&
           !strcmp(err.text, "the reason"),
       "given up: the caller's reason stands (%s)", err.text);
    ok(holds("a", "two\n") && files() == 1, "the older file stays, nothing is beside it");
}

static void test_full(void)
{
    struct kin_part part;
    struct kin_error err = {0};
    struct rlimit limit = {10000, RLIM_INFINITY}, before;
    getrlimit(RLIMIT_FSIZE, &before);
    limit.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    bool open = kin_part_open(&part, in("a"), &err);
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; open && i < 5000; i++)
        fputs("0123456789", part.file);
    ok(open && !kin_part_close(&part, true, &err) && err.code == KIN_IO && strstr(err.text, "/a: "),
       "a disk that takes no more: %s", err.text);
    setrlimit(RLIMIT_FSIZE, &before);
    ok(holds("a", "two\n") && files() == 1, "the older file stays, nothing is beside it");
    mkdir(in("folder"), 0777);
    err = (struct kin_error){0};
    ok(!kin_write_text(in("folder"), "one\n", &err) && err.code == KIN_IO,
       "a folder of that name: %s", err.text);
    ok(files() == 2, "nothing is beside it");
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    test_text();
    test_given_up();
    test_full();
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) ? 1 : done();
}
