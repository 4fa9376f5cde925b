// SPDX-License-Identifier: MIT
// io_wait.c: clocks of the thread and of its queue.
#include "core/io_wait.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t waited; // ns

static int64_t clock_ns(clockid_t id)
{
    struct timespec now = {0};
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// ns that the calling thread was ready and had no processor; 0 where the kernel does not say.
static int64_t queue_ns(void)
{
    char text[100] = "";
    long long ran, queued = 0;
    int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    return n > 0 && sscanf(text, "%lld %lld", &ran, &queued) == 2 ? queued : 0;
}

struct io_mark io_enter(void)
{
    return (struct io_mark){clock_ns(CLOCK_MONOTONIC),
                            clock_ns(CLOCK_THREAD_CPUTIME_ID) + queue_ns()};
}

void io_leave(const struct io_mark *mark)
{
    struct io_mark end = io_enter();
    int64_t still = end.wall - mark->wall - (end.busy - mark->busy);
    if (still > 0)
        atomic_fetch_add(&waited, still);
}

double io_wait(void)
{
    return (double)atomic_load(&waited) * 1e-9;
}
