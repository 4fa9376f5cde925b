// SPDX-License-Identifier: MIT
/* exec.c: the executors there are, a row each. */
#include "exec/exec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "exec/kinds.h"

static const struct executor_kind *const kinds[] = {&exec_local, &exec_slurm, &exec_pool,
                                                    &exec_generic, &exec_fake};
enum { KINDS = sizeof kinds / sizeof *kinds };

const struct executor_kind *executor_kind(const char *name)
{
    for (int i = 0; i < KINDS; i++) {
        if (!strcmp(kinds[i]->name, name))
            return kinds[i];
    }
    return NULL;
}

struct executor *executor_open(const char *name, struct loop *loop,
                               const struct exec_options *options)
{
    const struct executor_kind *kind = executor_kind(name);
    return kind ? kind->open(loop, options) : NULL;
}

void executor_submit(struct executor *executor, const struct launch *launches, uint32_t n)
{
    executor->kind->submit(executor, launches, n);
}

void executor_cancel(struct executor *executor, const uint32_t *launches, uint32_t n, bool force)
{
    executor->kind->cancel(executor, launches, n, force);
}

void executor_move(struct executor *executor, uint32_t launch, const struct exec_place *place)
{
    if (executor->kind->move)
        executor->kind->move(executor, launch, place);
}

void executor_close(struct executor *executor)
{
    if (executor)
        executor->kind->close(executor);
}

void executor_settled(struct executor *executor, uint32_t launch, bool good)
{
    if (executor->kind->settled)
        executor->kind->settled(executor, launch, good);
}

bool executor_adopt(struct executor *executor, const struct launch *launch, struct adopted *adopted)
{
    return executor->kind->adopt && executor->kind->adopt(executor, launch, adopted);
}

uint32_t executor_orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                          void *user, bool cancel)
{
    return executor->kind->orphans ? executor->kind->orphans(executor, is_known, user, cancel) : 0;
}

void exec_note(const struct exec_options *options, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    struct exec_event event = {.kind = EXEC_NOTE, .message = buf_text(&text)};
    options->on_event(options->user, &event);
    buf_free(&text);
}

const char *executor_nearest(const char *name)
{
    struct nearest near = nearest_to(name);
    for (int i = 0; i < KINDS; i++)
        if (!kinds[i]->internal)
            nearest_offer(&near, kinds[i]->name);
    return near.best;
}

const char *executor_names(void)
{
    static char names[256];
    size_t len = 0;
    for (int i = 0; i < KINDS && len < sizeof names; i++)
        if (!kinds[i]->internal)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len ? ", " : "",
                                    kinds[i]->name);
    return names;
}
