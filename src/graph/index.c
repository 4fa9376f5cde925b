// SPDX-License-Identifier: MIT
/* index.c: see index.h. The trie's children stand in one hash table keyed by (node, byte); a node's
 * patterns are a chain through `next`. */
#include "graph/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/pool.h"

struct entry {
    rule_id rule;
    uint32_t next; /* in the same trie node, or of the same plain path */
    struct pattern *pattern;
    const char *lead; /* what the path begins with; in the index's arena */
    uint32_t nlead;
};

/* The patterns that stand at a node of the trie, in order of definition. */
struct trie_node {
    uint32_t first, last; /* entries; 0: none */
};

struct index {
    const struct workflow *workflow;
    POOL(struct entry) entries;
    struct map plain;            /* symbol -> entry */
    struct map child;            /* (node, byte + 1) -> node */
    VEC(struct trie_node) nodes; /* node 1 is the root */
    struct arena arena;
    VEC(struct index_hit) hits;
};

static uint32_t add_node(struct index *index)
{
    vec_push(&index->nodes, (struct trie_node){0});
    return index->nodes.len - 1;
}

/* The node of a suffix, made if new. */
static uint32_t suffix_node(struct index *index, const char *suffix, uint32_t len)
{
    uint32_t node = 1;
    while (len) {
        uint64_t key = map_pair(node, (unsigned char)suffix[--len] + 1u);
        uint32_t next = map_find(&index->child, key);
        if (!next) {
            next = add_node(index);
            map_set(&index->child, key, next);
        }
        node = next;
    }
    return node;
}

static const struct pattern_part *last_part(const struct pattern *pattern)
{
    return &pattern->part[pattern->nparts - 1];
}

static void add_pattern(struct index *index, rule_id rule, struct pattern *pattern)
{
    uint32_t id = pool_add(&index->entries);
    struct entry *entry = &index->entries.at[id];
    entry->rule = rule;
    entry->pattern = pattern;
    if (!pattern->nslots) {
        uint32_t *first = map_at(&index->plain, pattern->plain);
        entry->next = *first;
        *first = id;
        return;
    }
    const struct pattern_part *tail = last_part(pattern);
    uint32_t node = suffix_node(index, tail->text, tail->text ? tail->len : 0);
    struct trie_node *at = &index->nodes.at[node];
    entry->lead = pattern_lead(pattern, &index->arena);
    entry->nlead = (uint32_t)strlen(entry->lead);
    if (at->last)
        index->entries.at[at->last].next = id;
    else
        at->first = id;
    at->last = id;
}

static void add_items(struct index *index, struct rule *rule, struct items *items)
{
    for (uint32_t i = 0; i < items->len; i++)
        if (items->at[i].kind == ITEM_PATTERN)
            add_pattern(index, rule->id, &items->at[i].pattern);
}

struct index *index_new(const struct workflow *workflow)
{
    struct index *index = memory_zeroed(1, sizeof *index);
    index->workflow = workflow;
    add_node(index); /* node 0: none */
    add_node(index);
    for (rule_id id = 1; id < workflow->rules.len; id++) {
        struct rule *rule = workflow->rules.at[id];
        add_items(index, rule, &rule->output);
        add_items(index, rule, &rule->log);
        add_items(index, rule, &rule->benchmark);
    }
    return index;
}

void index_free(struct index *index)
{
    if (!index)
        return;
    pool_free(&index->entries);
    map_free(&index->plain);
    map_free(&index->child);
    vec_free(&index->nodes);
    arena_free(&index->arena);
    vec_free(&index->hits);
    free(index);
}

static void add_hit(struct index *index, const struct entry *entry)
{
    struct index_hit hit = {entry->rule, entry->pattern};
    vec_push(&index->hits, hit);
    uint32_t i = index->hits.len - 1;
    for (; i && index->hits.at[i - 1].rule > hit.rule;
         i--) /* few: keep them in order of definition */
        index->hits.at[i] = index->hits.at[i - 1];
    index->hits.at[i] = hit;
}

static bool begins_with(const struct entry *entry, const char *path, size_t len)
{
    const struct pattern *pattern = entry->pattern;
    return len >= (size_t)pattern->prefix + pattern->suffix && len >= entry->nlead &&
           !memcmp(path, entry->lead, entry->nlead);
}

const struct index_hit *index_find(struct index *index, sym_t path, uint32_t *n)
{
    const char *text = sym_text(index->workflow->names, path);
    size_t len = sym_len(index->workflow->names, path), left = len;
    index->hits.len = 0;
    for (uint32_t e = map_find(&index->plain, path); e; e = index->entries.at[e].next)
        add_hit(index, &index->entries.at[e]);
    for (uint32_t node = 1; node;) {
        for (uint32_t e = index->nodes.at[node].first; e; e = index->entries.at[e].next)
            if (begins_with(&index->entries.at[e], text, len))
                add_hit(index, &index->entries.at[e]);
        if (!left)
            break;
        node = map_find(&index->child, map_pair(node, (unsigned char)text[--left] + 1u));
    }
    *n = index->hits.len;
    return index->hits.at;
}
