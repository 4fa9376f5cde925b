// SPDX-License-Identifier: MIT
#include "run/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/http.h"
#include "base/part.h"
#include "base/path.h"
#include "base/words.h"
#include "flow/software.h"
#include "flow/storage.h"
#include "graph/gang.h"
#include "run/litter.h"
#include "state/foreign.h"

bool cache_concerns(const struct rule *rule, const rule_id *rules)
{
    return rules && (id_listed(rules, rule->id) || rule->cache & CACHE_OUTPUT);
}

bool cache_check(struct workflow *workflow, const struct rule *rule)
{
    const char *name = sym_text(workflow->names, rule->name);
    if (!rule->output.len)
        return complain_kind(workflow->diags, "WorkflowError", rule->span,
                             "rule %s has no output that could be cached", name);
    if (rule->benchmark.len)
        return complain_kind(workflow->diags, "WorkflowError", rule->span,
                             "rule %s cannot be cached: a result that comes from the cache has no "
                             "times for its benchmark",
                             name);
    for (uint32_t i = 0; rule->output.len > 1 && i < rule->output.len; i++) {
        const struct item *item = &rule->output.at[i];
        if (!item->name &&
            !(item->flags_dict && dict_get_str(workflow->vm, item->flags_dict, "multiext")))
            return complain_kind(workflow->diags, "WorkflowError", rule->span,
                                 "rule %s cannot be cached: several outputs need names, or "
                                 "multiext()",
                                 name);
    }
    return true;
}

/* ---- keys ---- */

/* One job on the way to a key: its hash covers those of the jobs that make its inputs. */
struct cache_frame {
    job_id job;
    bool opened; /* its makers have been pushed */
};

struct cache_keys {
    const struct task_context *context;
    struct task *task; /* whose key is wanted; its scratch serves all */
    struct map known;  /* job -> index of its hash, +1 */
    VEC(const char *) hashes;
    VEC(struct cache_frame) stack;
};

static void add_text(struct hasher *hasher, const char *text)
{
    hasher_add(hasher, text, strlen(text));
}

static const char *hex_of(struct arena *in, struct hasher *hasher)
{
    uint8_t digest[32];
    char hex[65];
    hash_hex(digest, hasher_end(hasher, digest), hex);
    return arena_str(in, hex);
}

/* Shell text as written, or the text of the script. Snakemake hashes nothing of other bodies; here
 * their code counts, so that their results are never taken for each other's. */
static bool add_body(struct cache_keys *keys, struct job_eval *eval, struct hasher *hasher)
{
    enum rule_body body = eval->rule->body;
    size_t len;
    bool script = body == BODY_SCRIPT || body == BODY_WRAPPER || body == BODY_CWL;
    const char *path = script ? eval_script(eval) : NULL;
    if (script && !path)
        return task_raised(keys->task, eval);
    if (!path || http_is_url(path)) {
        add_text(hasher, sym_text(keys->context->g->names, eval->rule->code));
        return true;
    }
    const char *text = fs_read(&keys->task->scratch, path, &len);
    if (text)
        hasher_add(hasher, text, len);
    return text ||
           (buf_printf(&keys->task->why, "cannot read '%s': %s", path, strerror(errno)), false);
}

static void add_sorted(const char **texts, uint32_t n, struct hasher *hasher)
{
    qsort(texts, n, sizeof *texts, word_order);
    for (uint32_t i = 0; i < n; i++)
        add_text(hasher, texts[i]);
}

static job_id maker_of(const struct graph *g, sym_t path)
{
    file_id f = graph_find_file(g, path);
    return f ? g->files.at[f].maker : 0;
}

/* "sha256:" and digits; many jobs may share a source, which is read once as long as it does not
 * change. NULL: it is no file, or cannot be read. */
static const char *source_sum(struct cache_keys *keys, sym_t name)
{
    struct graph *g = keys->context->g;
    const char *path = sym_text(g->names, name);
    struct stat st;
    const char *sum = stat(path, &st) ? NULL : checksum_of(&g->checksums, name, path, &st);
    return sum ? foreign_checksum_hex(&keys->task->scratch, sum) : NULL;
}

/* What a storage calls the file; NULL: it is in none. */
static const char *stored_name(struct cache_keys *keys, sym_t name)
{
    const struct graph *g = keys->context->g;
    struct storage_place place;
    return storage_find(g->workflow, &keys->task->scratch, sym_text(g->names, name), &place)
               ? place.query
               : NULL;
}

/* Contents of inputs that no job makes. */
static bool add_sources(struct cache_keys *keys, const struct job_eval *eval, struct hasher *hasher)
{
    const struct graph *g = keys->context->g;
    const char **sums = arena_array(&keys->task->scratch, const char *, eval->ninput + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < eval->ninput; i++) {
        if (maker_of(g, eval->input[i].path))
            continue;
        sums[n] = eval->rule->cache & CACHE_OMIT_STORAGE ? stored_name(keys, eval->input[i].path)
                                                         : NULL;
        if (!sums[n])
            sums[n] = source_sum(keys, eval->input[i].path);
        if (!sums[n++])
            return false; /* a directory: its content is not known by one sum */
    }
    add_sorted(sums, n, hasher);
    return true;
}

static void add_makers(struct cache_keys *keys, const struct job_eval *eval, struct hasher *hasher)
{
    const char **hashes = arena_array(&keys->task->scratch, const char *, eval->ninput + 1);
    struct map seen = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < eval->ninput; i++) {
        job_id maker = maker_of(keys->context->g, eval->input[i].path);
        uint32_t *first = maker ? map_at(&seen, maker) : NULL;
        if (first && !(*first)++)
            hashes[n++] = keys->hashes.at[map_find(&keys->known, maker) - 1];
    }
    map_free(&seen);
    add_sorted(hashes, n, hasher);
}

/* The content of an environment's file, or the name of one of the user's own; an image. False:
 * task->why. */
static bool add_software(struct cache_keys *keys, struct job_eval *eval, struct hasher *hasher)
{
    struct software software;
    size_t len;
    if (eval->rule->cache & CACHE_OMIT_SOFTWARE)
        return true;
    if (!eval_software(eval, &software))
        return task_raised(keys->task, eval);
    if (software.image)
        add_text(hasher, software.image);
    if (software.conda != CONDA_FILE) {
        add_text(hasher, software.conda ? software.env : "");
        return true;
    }
    const char *text = fs_read(&keys->task->scratch, software.env, &len);
    if (text)
        hasher_add(hasher, text, len);
    return text ||
           (buf_printf(&keys->task->why, "cannot read '%s': %s", software.env, strerror(errno)),
            false);
}

/* The hash of a job whose makers have theirs. */
static bool hash_job(struct cache_keys *keys, struct job_eval *eval, job_id job)
{
    struct hasher hasher;
    hasher_start(&hasher, DIGEST_SHA256);
    if (!add_body(keys, eval, &hasher))
        return false;
    const char *params = eval_params_cache(eval);
    if (!params)
        return task_raised(keys->task, eval);
    add_text(&hasher, params);
    if (!add_sources(keys, eval, &hasher) || !add_software(keys, eval, &hasher))
        return false;
    add_makers(keys, eval, &hasher);
    vec_push(&keys->hashes, hex_of(&keys->task->scratch, &hasher));
    map_set(&keys->known, job, keys->hashes.len);
    return true;
}

static bool push_makers(struct cache_keys *keys, const struct job_eval *eval)
{
    bool any = false;
    for (uint32_t i = 0; i < eval->ninput; i++) {
        job_id maker = maker_of(keys->context->g, eval->input[i].path);
        if (!maker || map_find(&keys->known, maker))
            continue;
        vec_push(&keys->stack, ((struct cache_frame){maker, false}));
        any = true;
    }
    return any;
}

static bool step_key(struct cache_keys *keys)
{
    struct cache_frame *frame = &keys->stack.at[keys->stack.len - 1];
    struct task *task = keys->task;
    job_id job = frame->job;
    struct job_files inputs = {0};
    struct job_eval eval;
    bool good = true, opened = frame->opened;
    frame->opened = true;
    if (map_find(&keys->known, job)) {
        keys->stack.len--;
        return true;
    }
    if (graph_job_eval(keys->context->g, job, &keys->task->scratch, &inputs, &eval) != EVAL_OK) {
        good = task_raised(task, &eval);
    } else if (opened || !push_makers(keys, &eval)) {
        eval_output(&eval);
        good = hash_job(keys, &eval, job);
    }
    job_eval_free(&eval);
    vec_free(&inputs);
    return good;
}

static const char algorithm_version[] = "0.1"; /* as Snakemake's */

/* Whether others wait for the job to read or write a pipe, or to use their service, or its result
 * depends on what was there before: it must run. */
static bool must_run_itself(const struct task_context *context, const struct task *task)
{
    const struct graph *g = context->g;
    bool found = false;
    for (uint32_t i = 0; i < task->eval.ninput && !found; i++) {
        file_id f = graph_find_file(g, task->eval.input[i].path);
        found = f && is_stream(g, f);
    }
    for (uint32_t i = 0; i < task->eval.output.len && !found; i++)
        found = task->eval.output.at[i].flags & (FLAG_PIPE | FLAG_SERVICE | FLAG_UPDATE);
    return found;
}

static bool make_key(const struct task_context *context, struct task *task)
{
    struct cache_keys keys = {.context = context, .task = task};
    struct hasher hasher;
    bool good = true;
    if (!context->cache_dir || !cache_concerns(task->eval.rule, context->cache_rules) ||
        must_run_itself(context, task))
        return false;
    vec_push(&keys.stack, ((struct cache_frame){task->job, false}));
    while (good && keys.stack.len)
        good = step_key(&keys);
    if (good) {
        hasher_start(&hasher, DIGEST_SHA256);
        add_text(&hasher, keys.hashes.at[map_find(&keys.known, task->job) - 1]);
        add_text(&hasher, algorithm_version);
        task->cache_key = hex_of(&task->scratch, &hasher);
    }
    map_free(&keys.known);
    vec_free(&keys.hashes);
    vec_free(&keys.stack);
    return good;
}

/* What is behind the key in the name of an output's place. */
static const char *place_suffix(const struct task_context *context, struct task *task, uint32_t i)
{
    const struct job_file *file = &task->eval.output.at[i];
    value extension = file->item->flags_dict
                          ? dict_get_str(context->g->workflow->vm, file->item->flags_dict,
                                         "multiext_extension")
                          : NO_VALUE;
    const char *suffix = path_extension(sym_text(context->g->names, file->path));
    if (extension)
        return str_text(extension);
    if (task->eval.output.len == 1)
        return suffix;
    return arena_printf(&task->scratch, "_%s%s", sym_text(context->g->names, file->name), suffix);
}

static const char *place_of(const struct task_context *context, struct task *task, uint32_t i)
{
    return arena_printf(&task->scratch, "%s/%s%s", context->cache_dir, task->cache_key,
                        place_suffix(context, task, i));
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
                     sym_text(context->g->names, task->eval.output.at[i].path))) {
            for (uint32_t k = 0; k <= i; k++) /* the job makes them itself, and from nothing */
                fs_remove_tree(sym_text(context->g->names, task->eval.output.at[k].path));
            return false;
        }
    task->cache_key = NULL; /* it is there already */
    return true;
}

static bool show_entry(void *user, const char *path, bool is_dir)
{
    struct arena in = {0};
    const char *entry = *path ? path_join(&in, user, path) : user;
    struct stat st;
    if (!lstat(entry, &st) && !S_ISLNK(st.st_mode))
        (void)!chmod(entry, (st.st_mode & 07777) | (is_dir ? 0555 : 0444));
    arena_free(&in);
    return true;
}

/* Others who share the cache can read it, whatever the umask was. */
static void show_all(const char *path)
{
    bool is_dir = fs_is_dir(path);
    show_entry((void *)path, "", is_dir);
    if (is_dir)
        fs_walk(path, false, show_entry, (void *)path, NULL);
}

/* What a link leads to: the link itself would serve nobody else, and what lies there is not to be
 * shown to all. */
static bool copy_target(const char *path, const char *to)
{
    char *real = realpath(path, NULL);
    bool good = real && fs_copy(real, to);
    int error = errno;
    free(real);
    errno = error;
    return good;
}

bool cache_store(const struct task_context *context, struct task *task)
{
    for (uint32_t i = 0; task->cache_key && i < task->eval.output.len; i++) {
        const char *path = sym_text(context->g->names, task->eval.output.at[i].path);
        const char *place = place_of(context, task, i);
        const char *fresh = part_beside(&task->scratch, place);
        litter_note(context->litter, fresh);
        bool copied = fs_make_parent(place) && copy_target(path, fresh);
        if (copied)
            show_all(fresh);
        if (copied && !rename(fresh, place))
            continue;
        int error = errno;
        fs_remove_tree(fresh);
        if (fs_exists(place)) /* another workflow was faster */
            continue;
        buf_printf(&task->why, "cannot put '%s' into the cache '%s': %s", path, context->cache_dir,
                   strerror(error));
        return false;
    }
    return true;
}
