// SPDX-License-Identifier: MIT
// kin_part: a file is there whole or not at all; a failure leaves what was there before, and
// nothing beside it.
#include "core/part.h"

#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

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

/* A process that writes a file and does not come to its end; it is named, and its parent knows. */
static pid_t start_writer(char *name, size_t size)
{
    int pipes[2];
    if (pipe(pipes))
        return -1;
    pid_t pid = fork();
    if (!pid) {
        struct kin_part part;
        struct kin_error err = {0};
        bool open = kin_part_open(&part, in("swept"), &err);
        if (open && write(pipes[1], part.name, strlen(part.name) + 1) > 0)
            pause();
        _exit(1);
    }
    close(pipes[1]);
    ssize_t n = read(pipes[0], name, size - 1);
    name[n > 0 ? n : 0] = 0;
    close(pipes[0]);
    return pid;
}

static bool make_old(const char *name, int days)
{
    time_t then = time(NULL) - days * 86400;
    int fd = open(in(name), O_CREAT | O_WRONLY, 0666);
    bool good = fd >= 0 && !close(fd);
    return utime(in(name), &(struct utimbuf){then, then}) == 0 && good;
}

static void test_sweep(void)
{
    char killed[300], alive[300];
    struct kin_part own;
    struct kin_error err = {0};
    pid_t first = start_writer(killed, sizeof killed), second = start_writer(alive, sizeof alive);
    ok(kin_part_open(&own, in("swept"), &err), "a file of this process %s", err.text);
    kill(first, SIGKILL); /* its parent has not asked for its status */
    for (int i = 0; i < 500 && !access(killed, F_OK); i++) {
        kin_part_sweep(dir);
        usleep(10000);
    }
    ok(access(killed, F_OK), "what a killed process left is swept");
    ok(!access(alive, F_OK), "what another one writes is not");
    ok(!access(own.name, F_OK) && kin_part_close(&own, true, &err), "nor what this one does %s",
       err.text);
    waitpid(first, NULL, 0);
    kill(second, SIGKILL);
    waitpid(second, NULL, 0);
    kin_part_sweep(dir);
    ok(access(alive, F_OK), "it is when that has ended, too");
    ok(make_old("a.0123456789abcdef-1-2-0.part", 6) &&
           make_old("b.0123456789abcdef-1-2-0.part", 8) && make_old("c.7.part", 6) &&
           make_old("d.7.part", 8) && make_old("e.tif", 8) && make_old(".part", 8),
       "files of other machines and other names");
    kin_part_sweep(dir);
    ok(!access(in("a.0123456789abcdef-1-2-0.part"), F_OK) &&
           access(in("b.0123456789abcdef-1-2-0.part"), F_OK),
       "of another machine: after a week");
    ok(!access(in("c.7.part"), F_OK) && access(in("d.7.part"), F_OK), "of an unknown one: too");
    ok(!access(in("e.tif"), F_OK) && !access(in(".part"), F_OK), "nothing else");
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    test_text();
    test_given_up();
    test_full();
    test_sweep();
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) ? 1 : done();
}
