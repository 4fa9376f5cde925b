// SPDX-License-Identifier: MIT
#include "exec/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/line.h"
#include "base/pool.h"

enum { PROCESSES_MOST = 4096 };
static const double megabyte = 1024 * 1024;

typedef VEC(int) pid_list;

/* A file of /proc as text; NULL: it is gone, or not to be read. */
static const char *read_proc(struct arena *in, int pid, const char *name)
{
    return fs_read(in, arena_printf(in, "/proc/%d/%s", pid, name), NULL);
}

/* The number behind "Key:" at the beginning of a line, 0: none. */
static double field(const char *text, const char *key)
{
    size_t n = strlen(key);
    for (struct line line; line_next(&text, &line);)
        if (!strncmp(line.at, key, n) && line.at[n] == ':')
            return strtod(line.at + n + 1, NULL);
    return 0;
}

struct tasks {
    struct arena *in;
    int pid;
    pid_list *out;
};

/* The children of one thread. */
static bool add_children(void *user, const char *path, bool is_dir)
{
    struct tasks *tasks = user;
    if (!is_dir || strchr(path, '/'))
        return false;
    const char *text = read_proc(tasks->in, tasks->pid,
                                 arena_printf(tasks->in, "task/%s/children", path));
    for (char *end; text && *text && tasks->out->len < PROCESSES_MOST; text = end) {
        long pid = strtol(text, &end, 10);
        if (end == text)
            break;
        vec_push(tasks->out, (int)pid);
    }
    return false; /* not into the directories of threads */
}

/* The process and all below it. */
static void list_tree(struct arena *in, int pid, pid_list *out)
{
    vec_push(out, pid);
    for (uint32_t i = 0; i < out->len; i++) {
        struct tasks tasks = {in, out->at[i], out};
        fs_walk(arena_printf(in, "/proc/%d/task", out->at[i]), false, add_children, &tasks, NULL);
    }
}

static void add_process(struct arena *in, int pid, struct usage *sum)
{
    const char *memory = read_proc(in, pid, "statm"), *smaps = read_proc(in, pid, "smaps_rollup");
    const char *io = read_proc(in, pid, "io");
    double pages[2] = {0};
    double page = (double)sysconf(_SC_PAGESIZE);
    if (!memory || sscanf(memory, "%lf %lf", &pages[0], &pages[1]) != 2)
        return;
    sum->seen = true;
    sum->vms += pages[0] * page / megabyte;
    sum->rss += pages[1] * page / megabyte;
    sum->uss += (field(smaps, "Private_Clean") + field(smaps, "Private_Dirty")) / 1024;
    sum->pss += field(smaps, "Pss") / 1024;
    sum->in += field(io, "read_bytes") / megabyte;
    sum->out += field(io, "write_bytes") / megabyte;
}

static void keep_most(double *most, double value)
{
    *most = value > *most ? value : *most;
}

void usage_look(struct usage *usage, int pid)
{
    struct arena in = {0};
    struct usage sum = {0};
    pid_list pids = {0};
    list_tree(&in, pid, &pids);
    for (uint32_t i = 0; i < pids.len; i++)
        add_process(&in, pids.at[i], &sum);
    if (sum.seen) {
        usage->seen = true;
        keep_most(&usage->rss, sum.rss);
        keep_most(&usage->vms, sum.vms);
        keep_most(&usage->uss, sum.uss);
        keep_most(&usage->pss, sum.pss);
        usage->in = sum.in;
        usage->out = sum.out;
    }
    vec_free(&pids);
    arena_free(&in);
}
