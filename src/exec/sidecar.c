// SPDX-License-Identifier: MIT
#include "exec/sidecar.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/line.h"
#include "base/memory.h"
#include "loop/process.h"

enum { LINE_BYTES = 1 << 16 }; /* a first line is shorter: Linux takes no variable of 128 KiB */

struct sidecar {
    struct process *process; /* NULL: it has ended */
    struct buf environment;  /* owned; empty: it has not said its line */
    char failure[200];
    void (*on_ready)(void *user);
    void *user;
};

/* Nobody will read a first line that does not end. */
static void give_up(struct sidecar *sidecar)
{
    snprintf(sidecar->failure, sizeof sidecar->failure,
             "the sidecar command has written %d KiB without ending its first line",
             LINE_BYTES >> 10);
    process_kill(sidecar->process, SIGTERM);
    sidecar->on_ready(sidecar->user);
}

static void on_output(void *user, const char *out, size_t len)
{
    struct sidecar *sidecar = user;
    struct line line;
    if (sidecar->environment.len || *sidecar->failure)
        return;
    if (!memchr(out, '\n', len)) {
        if (len >= LINE_BYTES)
            give_up(sidecar);
        return;
    }
    line_next(&out, &line);
    line_trim(&line);
    buf_printf(&sidecar->environment, "SNAKEMAKE_CLUSTER_SIDECAR_VARS=%.*s", (int)line.len,
               line.at);
    sidecar->on_ready(sidecar->user);
}

static void on_end(void *user, const struct process_end *end)
{
    struct sidecar *sidecar = user;
    sidecar->process = NULL;
    if (sidecar->environment.len || *sidecar->failure)
        return;
    snprintf(sidecar->failure, sizeof sidecar->failure,
             "the sidecar command ended (%s %d) before it said a line",
             end->signal ? "signal" : "exit status", end->signal ? end->signal : end->status);
    sidecar->on_ready(sidecar->user);
}

struct sidecar *sidecar_open(struct loop *loop, const char *command, void (*on_ready)(void *user),
                             void *user)
{
    struct sidecar *sidecar = memory_zeroed(1, sizeof *sidecar);
    const char *argv[] = {"sh", "-c", command, NULL};
    *sidecar = (struct sidecar){.on_ready = on_ready, .user = user};
    sidecar->process = process_start(loop, &(struct process_options){.argv = argv,
                                                                     .capture_out = true,
                                                                     .capture_max = LINE_BYTES,
                                                                     .new_group = true,
                                                                     .on_output = on_output,
                                                                     .on_end = on_end,
                                                                     .user = sidecar});
    if (!sidecar->process)
        snprintf(sidecar->failure, sizeof sidecar->failure,
                 "the sidecar command could not be started: %s", strerror(errno));
    return sidecar;
}

const char *sidecar_environment(const struct sidecar *sidecar)
{
    return sidecar->environment.len ? buf_text(&sidecar->environment) : NULL;
}

const char *sidecar_failure(const struct sidecar *sidecar)
{
    return *sidecar->failure ? sidecar->failure : NULL;
}

void sidecar_close(struct sidecar *sidecar)
{
    if (!sidecar)
        return;
    if (sidecar->process) {
        process_kill(sidecar->process, SIGTERM);
        process_forget(sidecar->process);
    }
    buf_free(&sidecar->environment);
    free(sidecar);
}
