// SPDX-License-Identifier: MIT
/* fake.c: launches are entries in a list with the time of their end; nothing is ever run. */
#include "exec/fake.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/pool.h"
#include "exec/kinds.h"

enum { DEFAULT_MS = 1000 };
static const int64_t NS_PER_MS = 1000000;

struct line {
    const char *name; /* NULL: all others */
    int64_t ns;
    int status, signal;
};

struct running {
    uint32_t launch;
    const char *name;
    int64_t start_ns, due_ns;
    int status, signal;
};

struct fake {
    struct executor base;
    struct loop *loop;
    struct exec_options options;
    struct arena names;
    VEC(struct line) script;
    VEC(struct running) running; /* in the order of submission */
    struct buf history;
    int64_t now_ns;               /* of its own clock */
    struct timer *timer;          /* armed while something runs by its own clock */
    const struct fake_site *site; /* NULL: the script says all */
    uint32_t away;                /* launches at the site; while there are any: */
    struct idle *idle;
};

static int64_t now_of(const struct fake *fake)
{
    return fake->options.now ? fake->options.now(fake->options.user) : fake->now_ns;
}

int64_t fake_now(const struct executor *executor)
{
    return now_of((const struct fake *)executor);
}

const char *fake_history(const struct executor *executor)
{
    return buf_text(&((const struct fake *)executor)->history);
}

static struct executor *open_fake(struct loop *loop, const struct exec_options *options)
{
    struct fake *fake = memory_zeroed(1, sizeof *fake);
    *fake = (struct fake){.base = {&exec_fake}, .loop = loop, .options = *options};
    fake_script(&fake->base, NULL, DEFAULT_MS, 0, 0);
    return &fake->base;
}

void fake_script(struct executor *executor, const char *name, int64_t ms, int status, int signal)
{
    struct fake *fake = (struct fake *)executor;
    struct line line = {.name = name ? arena_str(&fake->names, name) : NULL,
                        .ns = ms * NS_PER_MS,
                        .status = status,
                        .signal = signal};
    vec_push(&fake->script, line);
}

/* The last line about a name, else the last about all others. */
static const struct line *line_for(const struct fake *fake, const char *name)
{
    const struct line *found = NULL;
    for (uint32_t i = 0; i < fake->script.len; i++) {
        const struct line *line = &fake->script.at[i];
        bool own = line->name && !strcmp(line->name, name);
        if (own || (!line->name && !(found && found->name)))
            found = line;
    }
    return found;
}

static void note(struct fake *fake, const char *what, const char *name)
{
    buf_printf(&fake->history, "%lld %s %s\n", (long long)(now_of(fake) / NS_PER_MS), what, name);
}

/* Ends number i of those running. */
static void end_one(struct fake *fake, uint32_t i)
{
    struct running done = fake->running.at[i];
    struct exec_event event = {.kind = EXEC_ENDED,
                               .launch = done.launch,
                               .status = done.signal ? -1 : done.status,
                               .signal = done.signal,
                               .start_ns = done.start_ns,
                               .end_ns = done.due_ns,
                               .user_s = (double)(done.due_ns - done.start_ns) * 1e-9,
                               .host = "fake"};
    fake->running.len--;
    memmove(fake->running.at + i, fake->running.at + i + 1,
            (fake->running.len - i) * sizeof *fake->running.at);
    buf_printf(&fake->history, "%lld end %s %d\n", (long long)(done.due_ns / NS_PER_MS), done.name,
               done.signal ? -done.signal : done.status);
    fake->options.on_event(fake->options.user, &event);
}

/* The one that ends first, of several the first submitted; running.len if none. */
static uint32_t first_due(const struct fake *fake)
{
    uint32_t best = fake->running.len;
    for (uint32_t i = 0; i < fake->running.len; i++) {
        if (best == fake->running.len || fake->running.at[i].due_ns < fake->running.at[best].due_ns)
            best = i;
    }
    return best;
}

static void end_due(struct fake *fake)
{
    for (;;) {
        uint32_t next = first_due(fake);
        if (next == fake->running.len || fake->running.at[next].due_ns > now_of(fake))
            return;
        end_one(fake, next);
    }
}

/* ---- a site ---- */

void fake_set_site(struct executor *executor, const struct fake_site *site)
{
    ((struct fake *)executor)->site = site;
}

/* The clock jumps to the next news; all of that moment are told together. */
static void on_news(void *user)
{
    struct fake *fake = user;
    struct fake_news news;
    for (int64_t until = INT64_MAX; fake->site->next(fake->site->user, until, &news);) {
        until = fake->now_ns = news.at_ns > fake->now_ns ? news.at_ns : fake->now_ns;
        fake->away -= news.event.launch &&
                      (news.event.kind == EXEC_ENDED || news.event.kind == EXEC_LOST);
        if (news.event.launch)
            fake->options.on_event(fake->options.user, &news.event);
    }
    if (!fake->away) {
        idle_close(fake->idle);
        fake->idle = NULL;
    }
}

static void submit_to_site(struct fake *fake, const struct launch *launches, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fake->site->submit(fake->site->user, &launches[i], fake->now_ns);
    fake->away += n;
    if (!fake->idle)
        fake->idle = idle_open(fake->loop, on_news, fake);
}

static void move_fake(struct executor *executor, uint32_t launch, const struct exec_place *place)
{
    struct fake *fake = (struct fake *)executor;
    struct exec_event event = {.kind = EXEC_MOVED, .launch = launch, .message = place->account};
    if (fake->site && fake->site->move(fake->site->user, launch, place, fake->now_ns))
        fake->options.on_event(fake->options.user, &event);
}

/* The clock jumps to the next end; all of that moment are told together. */
static void on_jump(void *user)
{
    struct fake *fake = user;
    uint32_t next = first_due(fake);
    if (next < fake->running.len && fake->running.at[next].due_ns > fake->now_ns)
        fake->now_ns = fake->running.at[next].due_ns;
    end_due(fake);
    if (!fake->running.len && fake->timer)
        timer_end(&fake->timer);
}

static void submit_fake(struct executor *executor, const struct launch *launches, uint32_t n)
{
    struct fake *fake = (struct fake *)executor;
    if (fake->site) {
        submit_to_site(fake, launches, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct line *line = line_for(fake, launches[i].name);
        int64_t now = now_of(fake);
        struct running running = {.launch = launches[i].id,
                                  .name = arena_str(&fake->names, launches[i].name),
                                  .start_ns = now,
                                  .due_ns = now + line->ns,
                                  .status = line->status,
                                  .signal = line->signal};
        struct exec_event event = {
            .kind = EXEC_STARTED, .launch = launches[i].id, .start_ns = now, .host = "fake"};
        vec_push(&fake->running, running);
        note(fake, "start", launches[i].name);
        fake->options.on_event(fake->options.user, &event);
    }
    if (fake->running.len && !fake->options.now && !fake->timer)
        fake->timer = timer_open(fake->loop, 0, 1, on_jump, fake);
}

static void cancel_fake(struct executor *executor, const uint32_t *launches, uint32_t n, bool force)
{
    struct fake *fake = (struct fake *)executor;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < fake->running.len; k++) {
            struct running *running = &fake->running.at[k];
            if (running->launch != launches[i])
                continue;
            running->due_ns = now_of(fake);
            running->signal = force ? SIGKILL : SIGTERM;
            note(fake, "cancel", running->name);
        }
    }
}

static void poll_fake(struct executor *executor)
{
    end_due((struct fake *)executor);
}

static void close_fake(struct executor *executor)
{
    struct fake *fake = (struct fake *)executor;
    timer_end(&fake->timer);
    idle_close(fake->idle);
    vec_free(&fake->script);
    vec_free(&fake->running);
    buf_free(&fake->history);
    arena_free(&fake->names);
    free(fake);
}

const struct executor_kind exec_fake = {.name = "fake",
                                        .internal = true,
                                        .open = open_fake,
                                        .submit = submit_fake,
                                        .cancel = cancel_fake,
                                        .poll = poll_fake,
                                        .move = move_fake,
                                        .close = close_fake};
