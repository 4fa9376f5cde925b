// SPDX-License-Identifier: MIT
#include "graph/group.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "graph/ready.h"

static bool is_open(const struct graph *g, job_id id)
{
    const struct job *job = &g->jobs.at[id];
    return id && job->needed && job_must_run(job) && !job->taken;
}

/* ---- names ---- */

struct forming {
    struct groups *groups;
    const struct group_options *options;
    sym_t *name;      /* by job: its group id; 0: none */
    uint32_t *parent; /* by job: union-find */
    uint32_t nunnamed;
};

/* The value of the last word "key=value", or NULL. */
static const char *word_for(const char *const *words, const char *key)
{
    const char *found = NULL;
    size_t len = strlen(key);
    for (; words && *words; words++)
        if (!strncmp(*words, key, len) && (*words)[len] == '=')
            found = *words + len + 1;
    return found;
}

static sym_t name_of(struct forming *f, job_id id, struct arena *scratch)
{
    struct graph *g = f->groups->g;
    const struct rule *rule = job_rule(g, id);
    const char *name = word_for(f->options->assign, sym_text(g->names, rule->name));
    if (!name && rule->group.v) {
        struct job_eval eval = job_eval_of(g, id, scratch);
        name = eval_group(&eval);
        job_eval_free(&eval);
    }
    return name ? intern_str(g->names, name) : 0;
}

static void name_all(struct forming *f)
{
    struct arena scratch = {0};
    for (job_id j = 1; j < f->groups->g->jobs.len; j++) {
        if (is_open(f->groups->g, j))
            f->name[j] = name_of(f, j, &scratch);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
}

/* ---- node-local files, pipes and services ---- */

struct sharing {
    struct forming *f;
    sym_t name;
};

static bool take_name(void *user, job_id id)
{
    struct sharing *s = user;
    if (is_open(s->f->groups->g, id) && s->f->name[id] && !s->name)
        s->name = s->f->name[id];
    return true;
}

static bool give_name(void *user, job_id id)
{
    struct sharing *s = user;
    if (is_open(s->f->groups->g, id))
        s->f->name[id] = s->name;
    return true;
}

static void share_node(struct forming *f, file_id file)
{
    struct graph *g = f->groups->g;
    struct sharing s = {f, f->name[g->files.at[file].maker]};
    char fresh[32];
    file_users(g, file, take_name, &s);
    if (!s.name) {
        snprintf(fresh, sizeof fresh, "node-%u", (unsigned)++f->nunnamed);
        s.name = intern_str(g->names, fresh);
    }
    f->name[g->files.at[file].maker] = s.name;
    file_users(g, file, give_name, &s);
}

static void share_nodes(struct forming *f)
{
    struct graph *g = f->groups->g;
    for (file_id file = 1; file < g->files.len; file++)
        if (g->files.at[file].flags & (FLAG_NODELOCAL | FLAG_PIPE | FLAG_SERVICE) &&
            is_open(g, g->files.at[file].maker))
            share_node(f, file);
}

/* ---- connected parts ---- */

static uint32_t root_of(uint32_t *parent, uint32_t id)
{
    while (parent[id] != id)
        id = parent[id] = parent[parent[id]];
    return id;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

static void connect(struct forming *f)
{
    struct graph *g = f->groups->g;
    for (job_id j = 1; j < g->jobs.len; j++)
        f->parent[j] = j;
    for (job_id j = 1; j < g->jobs.len; j++) {
        struct input_walk walk = input_walk(g, j);
        for (file_id file; f->name[j] && (file = input_next(g, &walk));) {
            job_id maker = g->files.at[file].maker;
            if (maker && f->name[maker] == f->name[j])
                join(f->parent, j, maker);
        }
    }
}

/* --group-components: the parts of a name are put together n at a time. */
static void merge_parts(struct forming *f)
{
    struct graph *g = f->groups->g;
    struct map last = {0}, count = {0}; /* by name */
    for (job_id j = 1; j < g->jobs.len; j++) {
        if (!f->name[j] || root_of(f->parent, j) != j)
            continue;
        const char *word = word_for(f->options->components, sym_text(g->names, f->name[j]));
        uint32_t n = map_find(&count, f->name[j]), most = word ? (uint32_t)atoi(word) : 1;
        if (n && n < most)
            join(f->parent, map_find(&last, f->name[j]), j);
        else
            n = 0;
        map_set(&last, f->name[j], j);
        map_set(&count, f->name[j], n + 1);
    }
    map_free(&last);
    map_free(&count);
}

/* ---- groups ---- */

static uint32_t group_at(struct forming *f, uint32_t *group_of_root, job_id id)
{
    uint32_t *group = &group_of_root[root_of(f->parent, id)];
    if (!*group) {
        *group = pool_add(&f->groups->all);
        f->groups->all.at[*group].name = f->name[id];
    }
    return *group;
}

/* Sorts the members by group, makers before users. */
static void list_members(struct forming *f)
{
    struct groups *groups = f->groups;
    struct graph *g = groups->g;
    uint32_t n, *roots = memory_numbers(g->jobs.len), at = 0;
    job_id *order = graph_order(g, job_must_run, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!f->name[order[i]])
            continue;
        uint32_t group = groups->of[order[i]] = group_at(f, roots, order[i]);
        groups->all.at[group].n++;
    }
    for (uint32_t k = 1; k < groups->all.len; k++) {
        groups->all.at[k].first = at;
        at += groups->all.at[k].n;
        groups->all.at[k].n = 0;
    }
    pool_reserve(&groups->members, at + 1);
    groups->members.len = at;
    for (uint32_t i = 0; i < n; i++) {
        if (!groups->of[order[i]])
            continue;
        struct group *group = &groups->all.at[groups->of[order[i]]];
        if (!group->n || g->jobs.at[order[i]].priority > g->jobs.at[group->head].priority)
            group->head = order[i];
        groups->members.at[group->first + group->n++] = order[i];
    }
    free(order);
    free(roots);
}

static bool is_outside(const struct groups *groups, uint32_t group, job_id maker)
{
    const struct job *job = &groups->g->jobs.at[maker];
    return maker && job->needed && job_must_run(job) && groups->of[maker] != group;
}

static void count_outside(struct groups *groups)
{
    for (uint32_t k = 1; k < groups->all.len; k++) {
        struct group *group = &groups->all.at[k];
        for (uint32_t i = group->first; i < group->first + group->n; i++) {
            struct input_walk walk = input_walk(groups->g, groups->members.at[i]);
            for (file_id f; (f = input_next(groups->g, &walk));)
                group->left += is_outside(groups, k, groups->g->files.at[f].maker);
        }
        if (!group->left)
            vec_push(&groups->queue, k);
    }
}

struct ending {
    struct groups *groups;
    uint32_t group; /* of the job that has ended */
};

static bool one_less(void *user, job_id id)
{
    struct ending *ending = user;
    uint32_t group = group_of(ending->groups, id);
    struct group *entry = &ending->groups->all.at[group]; /* called only if there are groups */
    if (group && group != ending->group && entry->left && !--entry->left)
        vec_push(&ending->groups->queue, group);
    return true;
}

void group_done(struct groups *groups, job_id job)
{
    struct ending ending = {groups, group_of(groups, job)};
    struct product_walk products = product_walk(groups->g, job);
    if (groups->all.len < 2)
        return;
    for (file_id f; (f = product_next(groups->g, &products));)
        if (groups->g->files.at[f].maker == job)
            file_users(groups->g, f, one_less, &ending);
}

/* ---- groups that would wait for themselves ---- */

static bool complain_loop(struct groups *groups, uint32_t k)
{
    struct graph *g = groups->g;
    const struct rule *rule = job_rule(g, groups->members.at[groups->all.at[k].first]);
    complain_kind(g->workflow->diags, "WorkflowError", rule->span,
                  "Group %s depends on itself: jobs outside of it need files of the group and make "
                  "files that the group needs",
                  sym_text(g->names, groups->all.at[k].name));
    diag_hint(g->workflow->diags, "put the rules between them into the group as well");
    return false;
}

/* Goes through all jobs as a run would; what never becomes ready waits for itself. */
static bool check_loops(struct groups *groups)
{
    struct graph *g = groups->g;
    struct ready ready;
    uint32_t at = 0, *left = memory_numbers(groups->all.len), started = 0;
    for (uint32_t k = 1; k < groups->all.len; k++)
        left[k] = groups->all.at[k].left;
    uint32_t queued = groups->queue.len;
    ready_start(&ready, g, job_must_run);
    for (bool moved = true; moved;) {
        moved = false;
        for (; at < ready.queue.len; at++, moved = true)
            if (!groups->of[ready.queue.at[at]]) {
                ready_done(&ready, ready.queue.at[at]);
                group_done(groups, ready.queue.at[at]);
            }
        for (; started < groups->queue.len; started++, moved = true) {
            const struct group *group = &groups->all.at[groups->queue.at[started]];
            for (uint32_t i = 0; i < group->n; i++) {
                ready_done(&ready, groups->members.at[group->first + i]);
                group_done(groups, groups->members.at[group->first + i]);
            }
        }
    }
    uint32_t stuck = 0;
    for (uint32_t k = 1; k < groups->all.len && !stuck; k++)
        stuck = groups->all.at[k].left ? k : 0;
    for (uint32_t k = 1; k < groups->all.len; k++)
        groups->all.at[k].left = left[k];
    groups->queue.len = queued;
    ready_end(&ready);
    free(left);
    return !stuck || complain_loop(groups, stuck);
}

bool groups_start(struct groups *groups, struct graph *g, const struct group_options *options)
{
    *groups = (struct groups){.g = g, .njobs = g->jobs.len + 1};
    struct forming f = {.groups = groups, .options = options};
    groups->of = memory_numbers(groups->njobs);
    f.name = memory_numbers(groups->njobs);
    f.parent = memory_numbers(groups->njobs);
    name_all(&f);
    share_nodes(&f);
    connect(&f);
    merge_parts(&f);
    list_members(&f);
    free(f.name);
    free(f.parent);
    count_outside(groups);
    return groups->all.len < 2 || check_loops(groups);
}

void groups_end(struct groups *groups)
{
    pool_free(&groups->all);
    vec_free(&groups->members);
    vec_free(&groups->queue);
    free(groups->of);
    groups->of = NULL;
}

/* ---- levels ---- */

/* One pass over a group: users come behind their makers, beside those they are piped to. */
static bool raise_levels(const struct groups *groups, const struct group *group,
                         const struct map *index, uint32_t *level)
{
    const struct graph *g = groups->g;
    bool moved = false;
    for (uint32_t i = 0; i < group->n; i++) {
        struct input_walk walk = input_walk(g, groups->members.at[group->first + i]);
        for (file_id f; (f = input_next(g, &walk));) {
            uint32_t maker = g->files.at[f].maker ? map_find(index, g->files.at[f].maker) : 0;
            bool piped = g->files.at[f].flags & (FLAG_PIPE | FLAG_SERVICE);
            if (!maker)
                continue;
            if (level[maker - 1] + !piped > level[i])
                level[i] = level[maker - 1] + !piped;
            else if (!piped || level[maker - 1] == level[i])
                continue;
            else
                level[maker - 1] = level[i];
            moved = true;
        }
    }
    return moved;
}

uint32_t *group_levels(const struct groups *groups, uint32_t k, struct arena *in)
{
    const struct group *group = &groups->all.at[k];
    uint32_t *level = arena_array(in, uint32_t, group->n + 1), passes = 0;
    struct map index = {0};
    for (uint32_t i = 0; i < group->n; i++)
        map_set(&index, groups->members.at[group->first + i], i + 1);
    while (raise_levels(groups, group, &index, level) && passes++ <= group->n)
        continue;
    map_free(&index);
    return level;
}

/* ---- ids ---- */

enum { UUID_BYTES = 16 };

/* A name-based UUID (version 5). */
static void make_uuid(const uint8_t space[UUID_BYTES], const char *name, uint8_t out[UUID_BYTES])
{
    struct hasher hasher;
    uint8_t digest[32];
    hasher_start(&hasher, DIGEST_SHA1);
    hasher_add(&hasher, space, UUID_BYTES);
    hasher_add(&hasher, name, strlen(name));
    hasher_end(&hasher, digest);
    memcpy(out, digest, UUID_BYTES);
    out[6] = (uint8_t)((out[6] & 0x0f) | 0x50);
    out[8] = (uint8_t)((out[8] & 0x3f) | 0x80);
}

static const char *uuid_text(struct arena *in, const char *name)
{
    static const uint8_t url_space[UUID_BYTES] = {0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
                                                  0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
    uint8_t space[UUID_BYTES], uuid[UUID_BYTES];
    char hex[2 * UUID_BYTES + 1];
    make_uuid(url_space, "https://snakemake.readthedocs.io", space);
    make_uuid(space, name, uuid);
    hash_hex(uuid, UUID_BYTES, hex);
    return arena_printf(in, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16,
                        hex + 20);
}

/* "name:value" of all wildcards, sorted, as "rule:a:1,b:2". */
static const char *job_key(const struct graph *g, job_id id, struct arena *in)
{
    const struct rule *rule = job_rule(g, id);
    uint32_t n = rule->wildcards.n;
    const char **part = arena_array(in, const char *, n + 1);
    const char *key = arena_printf(in, "%s:", sym_text(g->names, rule->name));
    for (uint32_t i = 0; i < n; i++) {
        const char *text = arena_printf(in, "%s:%s", sym_text(g->names, rule->wildcards.name[i]),
                                        sym_text(g->names, job_wildcards(g, id)[i]));
        uint32_t k = i;
        for (; k && strcmp(part[k - 1], text) > 0; k--)
            part[k] = part[k - 1];
        part[k] = text;
    }
    for (uint32_t i = 0; i < n; i++)
        key = arena_printf(in, "%s%s%s", key, i ? "," : "", part[i]);
    return key;
}

const char *group_uuid(const struct groups *groups, uint32_t k, struct arena *in)
{
    const struct group *group = &groups->all.at[k];
    const uint32_t *level = group_levels(groups, k, in);
    uint32_t last = 0;
    for (uint32_t i = 1; i < group->n; i++)
        if (level[i] >= level[last])
            last = i;
    return uuid_text(in, job_key(groups->g, groups->members.at[group->first + last], in));
}

bool groups_reopen(struct groups *groups)
{
    struct graph *g = groups->g;
    struct arena scratch = {0};
    bool any = g->awaiting_group.len > 0;
    for (uint32_t i = 0; i < g->awaiting_group.len; i++) {
        job_id id = g->awaiting_group.at[i];
        uint32_t group = group_of(groups, id);
        const char *text = group ? group_uuid(groups, group, &scratch) : "local";
        map_set(&g->groupid_of, id, intern_str(g->names, text));
        graph_reopen(g, id);
        arena_reset(&scratch);
    }
    g->awaiting_group.len = 0;
    arena_free(&scratch);
    return any;
}
