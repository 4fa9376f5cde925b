// SPDX-License-Identifier: MIT
#include "run/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"

bool cache_concerns(const struct rule *rule, const rule_id *rules)
{
    if (!rules)
        return false;
    while (*rules && *rules != rule->id)
        rules++;
    return *rules || (rule->cache.v && rule->cache.v != VALUE_FALSE && rule->cache.v != VALUE_NONE);
}

bool cache_check(struct workflow *workflow, const struct rule *rule)
{
    const char *name = sym_text(workflow->names, rule->name);
    if (!rule->output.len)
        return complain_kind(workflow->diags, "WorkflowError", rule->span,
                             "rule %s has no output that could be cached", name);
    for (uint32_t i = 0; rule->output.len > 1 && i < rule->output.len; i++) {
        const struct item *item = &rule->output.at[i];
        if (!item->name && !(item->flags_dict &&
                             dict_get_str(workflow->vm, item->flags_dict, "multiext")))
            return complain_kind(workflow->diags, "WorkflowError", rule->span,
                                 "rule %s cannot be cached: several outputs need names, or "
                                 "multiext()",
                                 name);
    }
    return true;
}

/* ---- keys ---- */

static void add_text(struct hasher *hasher, const char *text)
{
    hasher_add(hasher, text ? text : "", text ? strlen(text) + 1 : 1);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Contents of the inputs, in an order that their names do not change. */
static bool add_inputs(const struct task_context *context, struct task *task,
                       struct hasher *hasher)
{
    uint32_t n = task->eval.ninput;
    const char **sums = arena_array(&task->scratch, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        char *sum = content_checksum(sym_text(context->g->names, task->eval.input[i].path));
        if (!sum)
            return false; /* a directory: its content is not known by one sum */
        sums[i] = arena_str(&task->scratch, sum);
        free(sum);
    }
    qsort(sums, n, sizeof *sums, by_text);
    for (uint32_t i = 0; i < n; i++)
        add_text(hasher, sums[i]);
    return true;
}

static const char *place_of(const struct task_context *context, struct task *task, uint32_t i)
{
    return arena_printf(&task->scratch, "%s/%s-%u", context->cache_dir, task->cache_key, i);
}

static bool make_key(const struct task_context *context, struct task *task)
{
    struct hasher hasher;
    uint8_t digest[32];
    char hex[65];
    if (!context->cache_dir || !cache_concerns(task->eval.rule, context->cache_rules))
        return false;
    hasher_start(&hasher, DIGEST_SHA256);
    add_text(&hasher, task->record.code);
    add_text(&hasher, task->record.params);
    if (!add_inputs(context, task, &hasher))
        return false;
    hash_hex(digest, hasher_end(&hasher, digest), hex);
    task->cache_key = arena_str(&task->scratch, hex);
    return true;
}

/* ---- there and back ---- */

bool cache_restore(const struct task_context *context, struct task *task)
{
    if (!make_key(context, task))
        return false;
    for (uint32_t i = 0; i < task->eval.output.len; i++)
        if (!fs_exists(place_of(context, task, i)))
            return false;
    for (uint32_t i = 0; i < task->eval.output.len; i++)
        if (!fs_copy(place_of(context, task, i),
                     sym_text(context->g->names, task->eval.output.at[i].path)))
            return false;
    task->cache_key = NULL; /* it is there already */
    return true;
}

bool cache_store(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; task->cache_key && i < task->eval.output.len; i++) {
        const char *path = sym_text(context->g->names, task->eval.output.at[i].path);
        const char *place = place_of(context, task, i);
        const char *fresh = arena_printf(&task->scratch, "%s.%d", place, (int)getpid());
        if (fs_make_parent(place) && fs_copy(path, fresh) && !rename(fresh, place))
            continue;
        if (fs_exists(place)) { /* another workflow was faster */
            fs_remove_tree(fresh);
            continue;
        }
        buf_printf(&task->why, "cannot put '%s' into the cache '%s': %s", path, context->cache_dir,
                   strerror(errno));
        return false;
    }
    return true;
}
