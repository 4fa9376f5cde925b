// SPDX-License-Identifier: MIT
/* transfers.c: see transfers.h. Porters that serve the same provider are a pool with one queue; fs
 * and http, whose orders say all, share one.
 *
 *     queue --given to a porter that is free--> carried --answer, or the end of the porter--> ended
 *
 * A porter is killed to break off what it carries; when its end is seen the part goes, too, so that
 * nothing half done is left. */
#include "run/transfers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/pool.h"
#include "flow/porter.h"
#include "loop/process.h"
#include "run/litter.h"

enum {
    MOST = 8,         /* porters of a pool: servers and disks are shared with others */
    MOST_PYTHONS = 4, /* of a plugin: each is a python3 */
    LEAVE_MS = 5000,  /* how long porters may take to leave */
    LOOK_MS = 100,    /* how often it is seen whether another porter pays, or has room */
};
/* How long the machine may have no room for any porter. */
static const int64_t PATIENCE_NS = INT64_C(60000000000);
static const uint32_t LEFT = UINT32_MAX; /* the launch of a row that nobody is to be told */

struct order {
    enum storage_act act;
    uint64_t key;       /* of the path */
    char *path, *part;  /* owned; part: "" for none */
    char *about;        /* owned: what is said when it begins; NULL: nothing */
    struct buf message; /* to the porter */
    VEC(uint32_t) launches;
};

struct porter {
    struct pool *pool;
    struct process *process;
    struct order *order; /* owned; what it carries; NULL: it is free */
    size_t heard;        /* bytes of its output */
    bool ready;          /* it has opened its storage */
    int64_t since_ns;    /* when it was started, or has begun with the order */
};

struct pool {
    struct transfers *transfers;
    struct storage_place of; /* kind and mount alone */
    uint32_t most;
    int64_t full_ns;              /* since when no porter has room; 0: that is not so */
    int64_t opening_ns;           /* how long the last porter took to open the storage */
    int64_t carried_ns, ncarried; /* how long orders took, and how many */
    VEC(struct order *) queue;
    VEC(struct porter *) porters; /* that have not ended */
};

struct ended {
    struct order *order; /* owned by the last of its rows */
    uint32_t launch;
    bool last;
    char *why; /* owned; NULL: done */
};

struct transfers {
    struct transfers_options options;
    VEC(struct pool *) pools;
    VEC(struct order *) fetches; /* those that have not ended */
    struct map fetch_of;         /* key -> its place in fetches + 1 */
    VEC(struct ended) ended;
    uint32_t ntold;        /* of them; the last one's texts are still looked at */
    struct timer *leaving; /* armed while porters are to leave */
    struct timer *looking; /* armed while another porter might pay, or has no room */
    bool stopped, closing, killed;
};

static void dispatch(struct transfers *t);

/* ---- ends ---- */

static void free_order(struct order *order)
{
    if (!order)
        return;
    buf_free(&order->message);
    vec_free(&order->launches);
    free(order->path);
    free(order->part);
    free(order->about);
    free(order);
}

static void drop_fetch(struct transfers *t, const struct order *order)
{
    uint32_t at = map_find(&t->fetch_of, order->key);
    if (!at || t->fetches.at[at - 1] != order)
        return;
    struct order *last = t->fetches.at[--t->fetches.len];
    t->fetches.at[at - 1] = last;
    map_set(&t->fetch_of, last->key, at);
    *map_at(&t->fetch_of, order->key) = 0;
}

/* Takes the order. */
static void end_order(struct transfers *t, struct order *order, const char *why)
{
    drop_fetch(t, order);
    for (uint32_t i = 0; i < order->launches.len; i++)
        vec_push(&t->ended,
                 ((struct ended){order, order->launches.at[i], i + 1 == order->launches.len,
                                 why ? memory_text(why) : NULL}));
    if (!order->launches.len)
        free_order(order);
}

static void free_ended(struct ended *ended)
{
    if (ended->last)
        free_order(ended->order);
    free(ended->why);
}

bool transfers_next_end(struct transfers *t, struct transfer_end *out)
{
    const struct ended *ended = NULL;
    while (!ended) {
        if (t->ntold)
            free_ended(&t->ended.at[t->ntold - 1]);
        if (t->ntold == t->ended.len) {
            t->ntold = t->ended.len = 0;
            return false;
        }
        ended = &t->ended.at[t->ntold++];
        ended = ended->launch == LEFT ? NULL : ended;
    }
    *out = (struct transfer_end){ended->launch, ended->order->act, ended->order->path, ended->why};
    return true;
}

/* ---- porters ---- */

static void on_answer(void *user, const char *out, size_t len)
{
    struct porter *porter = user;
    const char *why, *nul = memchr(out, 0, len);
    if (!porter->ready && !porter->heard && !nul)
        return;
    if (!porter->ready && !porter->heard)
        porter->heard = (size_t)(nul + 1 - out);
    while (porter_answer(out, len, &porter->heard, &why)) {
        struct order *order = porter->ready ? porter->order : NULL;
        struct pool *pool = porter->pool;
        int64_t now = clock_ns(), took = now - porter->since_ns;
        pool->opening_ns = porter->ready ? pool->opening_ns : took;
        porter->ready = true;
        porter->since_ns = now;
        if (!order)
            continue;
        porter->order = NULL;
        pool->carried_ns += took;
        pool->ncarried++;
        end_order(porter->pool->transfers, order, *why ? why : NULL);
    }
    dispatch(porter->pool->transfers);
}

static void on_porter_end(void *user, const struct process_end *end)
{
    struct porter *porter = user;
    struct transfers *t = porter->pool->transfers;
    struct order *order = porter->order;
    char why[120];
    vec_remove(&porter->pool->porters, porter);
    free(porter);
    if (end->signal)
        snprintf(why, sizeof why, "the process that carries files was ended by signal %d",
                 end->signal);
    else
        snprintf(why, sizeof why, "the process that carries files has ended with status %d",
                 end->status);
    if (order && *order->part)
        fs_remove_tree(order->part);
    if (order)
        end_order(t, order, why);
    dispatch(t);
}

/* ---- giving ---- */

static void give(struct porter *porter, struct order *order)
{
    const struct transfers_options *options = &porter->pool->transfers->options;
    porter->order = order;
    porter->since_ns = clock_ns();
    if (order->about)
        options->note(options->user, order->about);
    process_write(porter->process, order->message.at, order->message.len);
}

/* NULL with errno. */
static struct porter *start_porter(struct pool *pool)
{
    const struct transfers_options *options = &pool->transfers->options;
    struct porter *porter = memory_zeroed(1, sizeof *porter);
    struct porter_start how;
    porter_start(&pool->of, options->self, &how);
    porter->pool = pool;
    porter->ready = !how.first_len;
    porter->process = process_start(options->loop,
                                    &(struct process_options){.argv = how.argv,
                                                              .stdin_text = how.first,
                                                              .stdin_len = how.first_len,
                                                              .keep_stdin = true,
                                                              .capture_out = true,
                                                              .new_session = true,
                                                              .on_output = on_answer,
                                                              .on_end = on_porter_end,
                                                              .user = porter});
    if (porter->process) {
        pool->full_ns = 0;
        vec_push(&pool->porters, porter);
        return porter;
    }
    free(porter);
    return NULL;
}

/* Whether something is done with the path right now. */
static bool is_carried(const struct transfers *t, uint64_t key)
{
    for (uint32_t i = 0; i < t->pools.len; i++)
        for (uint32_t k = 0; k < t->pools.at[i]->porters.len; k++) {
            const struct order *order = t->pools.at[i]->porters.at[k]->order;
            if (order && order->key == key)
                return true;
        }
    return false;
}

static void remove_at(struct pool *pool, uint32_t i)
{
    memmove(pool->queue.at + i, pool->queue.at + i + 1,
            (--pool->queue.len - i) * sizeof *pool->queue.at);
}

/* The first of the queue that can be carried now, or NULL. */
static struct order *take_order(struct pool *pool)
{
    for (uint32_t i = 0; i < pool->queue.len; i++) {
        struct order *order = pool->queue.at[i];
        if (is_carried(pool->transfers, order->key))
            continue;
        remove_at(pool, i);
        return order;
    }
    return NULL;
}

/* One that is free, and does not end, or NULL; *may_start: whether another may be started instead,
 * one at a time. */
static struct porter *find_porter(const struct pool *pool, bool *may_start)
{
    struct porter *free = NULL;
    *may_start = pool->porters.len < pool->most;
    for (uint32_t i = 0; i < pool->porters.len; i++) {
        struct porter *porter = pool->porters.at[i];
        *may_start &= porter->ready;
        free = porter->order || !process_listens(porter->process) ? free : porter;
    }
    return free;
}

/* Whether what waits would keep those there are busy for longer than it takes to start another. */
static bool pays(const struct pool *pool)
{
    int64_t each = pool->ncarried ? pool->carried_ns / pool->ncarried : 0, now = clock_ns();
    for (uint32_t i = 0; i < pool->porters.len; i++)
        if (now - pool->porters.at[i]->since_ns > each)
            each = now - pool->porters.at[i]->since_ns;
    return each * pool->queue.len >= pool->opening_ns * pool->porters.len;
}

static void on_looking(void *user)
{
    struct transfers *t = user;
    timer_end(&t->looking);
    dispatch(t);
}

static void look_soon(struct transfers *t)
{
    if (!t->looking)
        t->looking = timer_open(t->options.loop, LOOK_MS, 0, on_looking, t);
}

/* Whether a porter that could not be started may have room later. */
static bool may_have_room(struct pool *pool, int error)
{
    if (!process_error_passes(error) || pool->porters.len)
        return process_error_passes(error);
    int64_t now = clock_ns();
    pool->full_ns = pool->full_ns ? pool->full_ns : now;
    return now - pool->full_ns < PATIENCE_NS;
}

static void put_back(struct pool *pool, struct order *order)
{
    vec_push(&pool->queue, NULL);
    memmove(pool->queue.at + 1, pool->queue.at, (pool->queue.len - 1) * sizeof *pool->queue.at);
    pool->queue.at[0] = order;
}

static void dispatch_pool(struct pool *pool)
{
    struct transfers *t = pool->transfers;
    bool may_start;
    struct order *order;
    for (;;) {
        struct porter *porter = pool->queue.len ? find_porter(pool, &may_start) : NULL;
        if (!pool->queue.len || (!porter && !may_start))
            return;
        if (!porter && !pays(pool)) {
            look_soon(t);
            return;
        }
        if (!(order = take_order(pool)))
            return;
        porter = porter ? porter : start_porter(pool);
        if (porter) {
            give(porter, order);
        } else if (may_have_room(pool, errno)) {
            put_back(pool, order);
            look_soon(t);
            return;
        } else {
            end_order(t, order, strerror(errno));
        }
    }
}

static void dispatch(struct transfers *t)
{
    for (uint32_t i = 0; i < t->pools.len; i++)
        dispatch_pool(t->pools.at[i]);
}

/* ---- asking ---- */

/* fs and http share one. */
static struct pool *pool_of(struct transfers *t, const struct storage_place *place)
{
    const struct storage_mount *mount = porter_mount(place);
    for (uint32_t i = 0; i < t->pools.len; i++)
        if (porter_mount(&t->pools.at[i]->of) == mount)
            return t->pools.at[i];
    struct pool *pool = memory_zeroed(1, sizeof *pool);
    pool->transfers = t;
    pool->of = (struct storage_place){.kind = place->kind, .mount = place->mount};
    pool->most = mount ? MOST_PYTHONS : MOST;
    vec_push(&t->pools, pool);
    return pool;
}

static struct order *new_order(const struct transfers *t, enum storage_act act, uint64_t key,
                               const struct storage_copy *copy)
{
    static const char *const words[] = {"Retrieving from storage: ", "Storing in storage: ", NULL};
    struct order *order = memory_zeroed(1, sizeof *order);
    struct storage_copy named = *copy;
    struct arena in = {0};
    const char *place = act == STORAGE_FETCH ? copy->path : storage_own_path(&copy->place);
    bool begins = words[act] && (act != STORAGE_FETCH || !fs_exists(copy->path));
    named.part = place && act != STORAGE_REMOVE ? part_beside(&in, place) : "";
    if (*named.part && act == STORAGE_STORE) /* storage_prune finds what is half fetched */
        litter_note(t->options.litter, named.part);
    order->act = act;
    order->key = key;
    order->path = memory_text(copy->path);
    order->part = memory_text(named.part);
    order->about = begins ? memory_text(arena_printf(&in, "%s%s", words[act], copy->place.shown))
                          : NULL;
    porter_order(&order->message, act, &named);
    arena_free(&in);
    return order;
}

/* The plugin is known in this process only. */
static void carry_here(struct transfers *t, struct order *order, const struct storage_copy *copy)
{
    struct arena in = {0};
    const char *why;
    if (order->about)
        t->options.note(t->options.user, order->about);
    bool good = storage_carry(&in, order->act, copy, &why);
    end_order(t, order, good ? NULL : why);
    arena_free(&in);
}

void transfers_add(struct transfers *t, uint32_t launch, enum storage_act act,
                   const struct storage_copy *copy)
{
    uint64_t key = hash_key_of(copy->path);
    uint32_t same = act == STORAGE_FETCH ? map_find(&t->fetch_of, key) : 0;
    struct order *order = same ? t->fetches.at[same - 1] : new_order(t, act, key, copy);
    struct porter_start how;
    vec_push(&order->launches, launch);
    if (same)
        return;
    if (t->stopped) {
        end_order(t, order, "interrupted");
    } else if (!porter_start(&copy->place, t->options.self, &how)) {
        carry_here(t, order, copy);
    } else {
        if (act == STORAGE_FETCH) {
            vec_push(&t->fetches, order);
            map_set(&t->fetch_of, key, t->fetches.len);
        }
        vec_push(&pool_of(t, &copy->place)->queue, order);
        dispatch(t);
    }
}

/* ---- breaking off ---- */

static bool leave_order(struct order *order, uint32_t launch)
{
    uint32_t n = 0, was = order->launches.len;
    for (uint32_t i = 0; i < was; i++)
        if (order->launches.at[i] != launch)
            order->launches.at[n++] = order->launches.at[i];
    order->launches.len = n;
    return was && !n;
}

static void leave_pool(struct pool *pool, uint32_t launch)
{
    for (uint32_t i = pool->queue.len; i--;) {
        struct order *order = pool->queue.at[i];
        if (!leave_order(order, launch))
            continue;
        remove_at(pool, i);
        drop_fetch(pool->transfers, order);
        free_order(order);
    }
    for (uint32_t i = 0; i < pool->porters.len; i++) {
        struct order *order = pool->porters.at[i]->order;
        if (!order || !leave_order(order, launch))
            continue;
        drop_fetch(pool->transfers, order); /* nobody else is to wait for it */
        process_kill(pool->porters.at[i]->process, SIGKILL);
    }
}

void transfers_leave(struct transfers *t, uint32_t launch)
{
    for (uint32_t i = t->ntold; i < t->ended.len; i++)
        if (t->ended.at[i].launch == launch)
            t->ended.at[i].launch = LEFT;
    for (uint32_t i = 0; i < t->pools.len; i++)
        leave_pool(t->pools.at[i], launch);
}

static bool any_porter(const struct transfers *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->pools.len; i++)
        n += t->pools.at[i]->porters.len;
    return n;
}

/* Those that carry something; or all of them. */
static void kill_porters(struct transfers *t, bool all)
{
    for (uint32_t i = 0; i < t->pools.len; i++)
        for (uint32_t k = 0; k < t->pools.at[i]->porters.len; k++)
            if (all || t->pools.at[i]->porters.at[k]->order)
                process_kill(t->pools.at[i]->porters.at[k]->process, SIGKILL);
}

/* What does not end even when it is killed waits for a disk or network that does not answer: it is
 * left alone. */
static void give_up(struct transfers *t)
{
    for (uint32_t i = 0; i < t->pools.len; i++)
        while (t->pools.at[i]->porters.len) {
            struct porter *porter = t->pools.at[i]->porters.at[0];
            if (porter->order)
                *porter->order->part = '\0'; /* looking there might not end either */
            process_forget(porter->process);
            on_porter_end(porter, &(struct process_end){.signal = SIGKILL});
        }
}

static void on_leave_timer(void *user)
{
    struct transfers *t = user;
    if (t->killed)
        give_up(t);
    else
        kill_porters(t, true);
    t->killed = true;
}

static void watch_leaving(struct transfers *t)
{
    if (!t->leaving && any_porter(t))
        t->leaving = timer_open(t->options.loop, LEAVE_MS, LEAVE_MS, on_leave_timer, t);
}

void transfers_stop(struct transfers *t)
{
    t->stopped = true;
    for (uint32_t i = 0; i < t->pools.len; i++) {
        struct pool *pool = t->pools.at[i];
        for (uint32_t k = 0; k < pool->queue.len; k++)
            end_order(t, pool->queue.at[k], "interrupted");
        pool->queue.len = 0;
    }
    kill_porters(t, false);
    watch_leaving(t);
}

bool transfers_busy(const struct transfers *t)
{
    bool busy = t->ended.len > t->ntold;
    for (uint32_t i = 0; i < t->pools.len; i++) {
        busy |= t->pools.at[i]->queue.len > 0;
        for (uint32_t k = 0; k < t->pools.at[i]->porters.len; k++)
            busy |= t->pools.at[i]->porters.at[k]->order != NULL;
    }
    return busy;
}

bool transfers_close(struct transfers *t)
{
    for (uint32_t i = 0; i < t->pools.len && !t->closing; i++)
        for (uint32_t k = 0; k < t->pools.at[i]->porters.len; k++)
            process_close_stdin(t->pools.at[i]->porters.at[k]->process);
    t->closing = true;
    watch_leaving(t);
    return any_porter(t);
}

struct transfers *transfers_new(const struct transfers_options *options)
{
    struct transfers *t = memory_zeroed(1, sizeof *t);
    t->options = *options;
    return t;
}

void transfers_free(struct transfers *t)
{
    if (!t)
        return;
    timer_close(t->leaving);
    timer_close(t->looking);
    give_up(t);
    if (t->ntold)
        t->ntold--;
    for (uint32_t i = t->ntold; i < t->ended.len; i++)
        free_ended(&t->ended.at[i]);
    for (uint32_t i = 0; i < t->pools.len; i++) {
        vec_free(&t->pools.at[i]->queue);
        vec_free(&t->pools.at[i]->porters);
        free(t->pools.at[i]);
    }
    vec_free(&t->pools);
    vec_free(&t->fetches);
    vec_free(&t->ended);
    map_free(&t->fetch_of);
    free(t);
}
