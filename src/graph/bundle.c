// SPDX-License-Identifier: MIT
/* bundle.c: see bundle.h. Bundles are found again by a hash of their files and the flags of
 * these. */
#include "graph/bundle.h"

#include "base/hash.h"

static uint16_t edge_flags_of(const struct job_file *file)
{
    return (uint16_t)((file->flags & ~EDGE_LISTED) | (file->in_list ? EDGE_LISTED : 0));
}

static uint32_t item_index(const struct job_file *file, const struct items *items)
{
    bool listed = file->item >= items->at && file->item < items->at + items->len;
    return listed ? (uint32_t)(file->item - items->at) : 0;
}

static struct edge edge_of(struct graph *g, const struct job_file *file, const struct items *items)
{
    bool as_is = file->flags & (FLAG_BEFORE_UPDATE | FLAG_AS_IS),
         awaited = file->flags & FLAG_BEFORE_UPDATE;
    file_id to = as_is ? graph_previous(g, file->path, awaited) : graph_file(g, file->path);
    return (struct edge){to, edge_flags_of(file), file->checkpoint, item_index(file, items)};
}

static uint32_t hash_inputs(const struct job_files *files)
{
    uint64_t h = files->len;
    for (uint32_t i = 0; i < files->len; i++)
        h = hash_mix(h ^ (files->at[i].path | (uint64_t)edge_flags_of(&files->at[i]) << 32));
    return (uint32_t)(h ^ h >> 32) | 1;
}

/* One number for the rules that the items name as makers; 0: none does. */
static uint32_t hash_makers(const struct job_files *files)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < files->len; i++)
        if (files->at[i].maker)
            h = hash_mix(h ^ (files->at[i].maker | (uint64_t)(i + 1) << 32));
    return (uint32_t)(h ^ h >> 32);
}

static bool bundle_is(const struct graph *g, const struct bundle *bundle,
                      const struct job_files *files, const struct items *items)
{
    if (bundle->n != files->len)
        return false;
    for (uint32_t i = 0; i < files->len; i++) {
        struct edge e = g->edges.at[bundle->first + i];
        if (g->files.at[e.to].path != files->at[i].path ||
            e.flags != edge_flags_of(&files->at[i]) || e.checkpoint != files->at[i].checkpoint ||
            e.item != item_index(&files->at[i], items))
            return false;
    }
    return true;
}

uint32_t bundle_edges(struct graph *g, const struct job_files *files, const struct items *items)
{
    uint32_t first = g->edges.len;
    for (uint32_t i = 0; i < files->len; i++) {
        struct edge e = edge_of(g, &files->at[i], items);
        vec_push(&g->edges, e);
    }
    return first;
}

bundle_id bundle_of(struct graph *g, const struct job_files *files, const struct items *items)
{
    uint32_t hash = hash_inputs(files), *first = map_at(&g->bundle_of, hash),
             makers = hash_makers(files);
    for (bundle_id b = *first; b; b = g->bundles.at[b].next_same)
        if (g->bundles.at[b].makers == makers && bundle_is(g, &g->bundles.at[b], files, items))
            return b;
    bundle_id id = pool_add(&g->bundles);
    struct bundle *bundle = &g->bundles.at[id];
    bundle->hash = hash;
    bundle->makers = makers;
    bundle->next_same = *first;
    *first = id;
    bundle->first = bundle_edges(g, files, items);
    bundle->n = files->len;
    return id;
}
