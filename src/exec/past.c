// SPDX-License-Identifier: MIT
#include "exec/past.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/memory.h"
#include "loop/spread.h"

const char slurm_tokens[] = "k"; /* kf.: jobs; kp.: tasks of a pool */
const char generic_tokens[] = "cg.";

enum { GARBAGE = 300, GARBAGE_MOST = 2000 }; /* files that are removed together */

void past_name_run(char out[16])
{
    struct {
        int64_t wall, pid;
        char host[64];
    } seed = {clock_wall_ns(), getpid(), ""};
    snprintf(seed.host, sizeof seed.host, "%s", fs_hostname());
    snprintf(out, 16, "%010llx",
             (unsigned long long)(hash_mix(hash_bytes(&seed, sizeof seed)) & 0xffffffffffull));
}

/* ---- a job ---- */

static char *copy(const char *text)
{
    return memory_text(text ? text : "");
}

static char *join(const char *const *keys)
{
    struct buf out = {0};
    for (; keys && *keys; keys++)
        buf_printf(&out, "%s%s", out.len ? "," : "", *keys);
    buf_str(&out, "");
    return buf_take(&out);
}

void past_describe(struct past_job *job, const struct launch *launch)
{
    *job = (struct past_job){.name = copy(launch->name),
                             .folder = copy(launch->folder ? launch->folder : "job"),
                             .keys = join(launch->keys),
                             .fingerprint = copy(launch->fingerprint),
                             .memo = copy(launch->memo),
                             .attempt = launch->attempt,
                             .newest_ns = launch->newest_ns,
                             .submit_ns = clock_wall_ns()};
}

void past_forget_job(struct past_job *job)
{
    char *const texts[] = {job->name, job->folder, job->keys, job->fingerprint, job->memo};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
}

static void encode(struct buf *out, const char *text, char end)
{
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c <= ' ' || c == '%')
            buf_printf(out, "%%%02x", c);
        else
            buf_char(out, (char)c);
    }
    buf_char(out, end);
}

/* The next field of a line, owned; *at goes behind it. */
static char *decode(const char **at)
{
    struct buf out = {0};
    size_t n = strcspn(*at, "\t\n");
    for (const char *p = *at, *end = *at + n; p < end; p++) {
        unsigned byte;
        if (*p == '%' && end - p > 2 && sscanf(p + 1, "%2x", &byte) == 1) {
            buf_char(&out, (char)byte);
            p += 2;
        } else {
            buf_char(&out, *p);
        }
    }
    *at += n + ((*at)[n] == '\t');
    buf_str(&out, "");
    return buf_take(&out);
}

void past_write_job(const struct past_job *job, struct buf *out)
{
    buf_printf(out, "%d\t", job->attempt);
    encode(out, job->folder, '\t');
    encode(out, job->fingerprint, '\t');
    encode(out, job->keys, '\t');
    encode(out, job->name, '\t');
    encode(out, job->memo, '\t');
    buf_printf(out, "%lld\n", (long long)job->newest_ns);
}

static int64_t decode_number(const char **at)
{
    char *text = decode(at);
    int64_t n = strtoll(text, NULL, 10);
    free(text);
    return n;
}

void past_read_job(const char *line, struct past_job *job)
{
    job->attempt = (int)decode_number(&line);
    job->folder = decode(&line);
    job->fingerprint = decode(&line);
    job->keys = decode(&line);
    job->name = decode(&line);
    job->memo = decode(&line);
    job->newest_ns = decode_number(&line);
}

uint32_t past_count(const char *jobs)
{
    uint32_t n = 0;
    for (; *jobs; jobs++)
        n += *jobs == '\n';
    return n;
}

/* ---- the journal ---- */

bool past_add_row(const struct past *past, const struct exec_submission *row)
{
    return !past->journal || past->journal->add(past->journal->user, row);
}

bool past_add_job(const struct past *past, const char *token, const struct past_job *job)
{
    struct buf line = {0};
    past_write_job(job, &line);
    bool good = past_add_row(past, &(struct exec_submission){.token = token,
                                                             .account = "",
                                                             .jobs = buf_text(&line),
                                                             .external_id = "",
                                                             .time_ns = job->submit_ns});
    buf_free(&line);
    return good;
}

void past_set_row(const struct past *past, const struct exec_submission *row)
{
    if (past->journal)
        past->journal->set(past->journal->user, row);
}

void past_end_row(const struct past *past, const char *token)
{
    past_set_row(past, &(struct exec_submission){.token = token, .status = "ended"});
}

void past_own_row(const struct past *past, const char *token)
{
    past_set_row(past, &(struct exec_submission){.token = token});
}

struct visit {
    const char *prefix;
    void (*visit)(void *to, const struct exec_submission *row);
    void *to;
};

static void visit_row(void *user, const struct exec_submission *row)
{
    struct visit *visit = user;
    if (!strncmp(row->token, visit->prefix, strlen(visit->prefix)) && past_count(row->jobs))
        visit->visit(visit->to, row);
}

void past_each_row(const struct past *past,
                   void (*visit)(void *to, const struct exec_submission *row), void *to)
{
    struct visit mine = {past->kind->tokens, visit, to};
    if (past->journal)
        past->journal->each(past->journal->user, visit_row, &mine);
}

bool past_flush(const struct past *past)
{
    return !past->journal || past->journal->flush(past->journal->user);
}

void past_discard(struct past *past, char *take_path)
{
    vec_push(&past->garbage, take_path);
}

static void remove_one(void *user, size_t i)
{
    unlink(((char **)user)[i]);
}

/* A network file system takes a millisecond for each: many are removed at a time. */
static void empty_garbage(struct past *past, bool removes, uint32_t most)
{
    uint32_t n = past->garbage.len < most ? past->garbage.len : most;
    if (!n)
        return;
    past->garbage.len -= n;
    char **paths = past->garbage.at + past->garbage.len;
    if (removes)
        spread(n, remove_one, paths);
    for (uint32_t i = 0; i < n; i++)
        free(paths[i]);
}

/* That jobs have ended must be on disk before their files are gone. */
void past_sweep(struct past *past)
{
    if (past->garbage.len > GARBAGE && past_flush(past))
        empty_garbage(past, true, GARBAGE_MOST);
}

void past_close(struct past *past)
{
    empty_garbage(past, past_flush(past), UINT32_MAX);
    vec_free(&past->garbage);
    vec_free(&past->jobs);
    map_free(&past->by_key);
}

/* ---- jobs of earlier runs ---- */

void past_add(struct past *past, struct past_job *job)
{
    vec_push(&past->jobs, job);
    job->place = past->jobs.len;
    for (const char *key = job->keys; *key;) {
        size_t n = strcspn(key, ",");
        map_set(&past->by_key, hash_key(key, n), job->place);
        key += n + (key[n] == ',');
    }
}

void past_remove(struct past *past, struct past_job *job)
{
    if (job->place)
        past->jobs.at[job->place - 1] = NULL;
    job->place = 0;
}

static struct past_job *find(const struct past *past, const char *key, size_t len)
{
    uint32_t place = past->jobs.len ? map_find(&past->by_key, hash_key(key, len)) : 0;
    return place ? past->jobs.at[place - 1] : NULL;
}

static bool keys_equal(const char *joined, const char *const *keys)
{
    for (; *keys; keys++) {
        size_t n = strlen(*keys);
        if (strncmp(joined, *keys, n))
            return false;
        joined += n;
        if (keys[1] && *joined++ != ',')
            return false;
    }
    return !*joined;
}

void past_supersede(struct past *past, struct past_job *job)
{
    if (job && !job->superseded) {
        job->superseded = true;
        past->kind->supersede(job);
    }
}

/* The files' clock may be ahead of that of this machine: an input is older than a job that has been
 * submitted with it, whatever their times say. */
static bool is_newer_than_inputs(const struct past_job *job, const struct launch *launch)
{
    return launch->newest_ns <= job->submit_ns || launch->newest_ns <= job->newest_ns;
}

bool past_adopt(struct past *past, const struct launch *launch, struct adopted *adopted)
{
    if (!past->jobs.len || !launch->keys || !launch->keys[0])
        return false;
    struct past_job *job = find(past, launch->keys[0], strlen(launch->keys[0]));
    if (job && !job->superseded && keys_equal(job->keys, launch->keys) &&
        !strcmp(job->fingerprint, launch->fingerprint) && is_newer_than_inputs(job, launch) &&
        past->kind->is_usable(job)) {
        past_remove(past, job);
        free(job->name);
        job->name = copy(launch->name);
        *adopted = (struct adopted){job->attempt, job->memo};
        past->kind->take_over(job, launch);
        return true;
    }
    for (const char *const *key = launch->keys; *key; key++)
        past_supersede(past, find(past, *key, strlen(*key)));
    return false;
}

bool past_blocks(const struct past *past, const struct past_job *job)
{
    for (const char *key = job->keys; past->jobs.len && *key;) {
        size_t n = strcspn(key, ",");
        if (find(past, key, n))
            return true;
        key += n + (key[n] == ',');
    }
    return false;
}

static bool is_any_known(const struct past_job *job, bool (*is_known)(void *user, const char *key),
                         void *user)
{
    bool known = false;
    char *keys = memory_text(job->keys), *rest = keys;
    for (const char *key; !known && (key = strtok_r(rest, ",", &rest));)
        known = is_known(user, key);
    free(keys);
    return known;
}

uint32_t past_orphans(struct past *past, bool (*is_known)(void *user, const char *key), void *user,
                      bool cancel, struct buf *words)
{
    struct buf list = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < past->jobs.len; i++) {
        struct past_job *job = past->jobs.at[i];
        char id[128];
        if (!job || job->superseded || is_any_known(job, is_known, user))
            continue;
        bool alive = past->kind->is_alive(job);
        past->kind->id(job, id, sizeof id);
        if (alive && n++ < SHOWN_IDS)
            buf_printf(&list, "%s%s (%s)", list.len ? ", " : "", id, job->name);
        if (cancel || !alive)
            past_supersede(past, job);
    }
    if (n)
        buf_printf(words, "%u %s%s of an earlier run %s not part of this one: %s%s. ", (unsigned)n,
                   past->kind->what, n == 1 ? "" : "s", n == 1 ? "is" : "are", buf_text(&list),
                   n > SHOWN_IDS ? ", ..." : "");
    buf_free(&list);
    return n;
}

void past_tell_left(const struct past *past, const struct exec_options *options, uint32_t n,
                    const char *ids)
{
    if (n)
        exec_note(options,
                  "Left without waiting; %u %s%s may still run:%s%s. The next run finds %s again.",
                  (unsigned)n, past->kind->what, n == 1 ? "" : "s", ids,
                  n > SHOWN_IDS ? " ..." : "", n == 1 ? "it" : "them");
}

bool past_revoke(const char *claim, bool begun)
{
    static const char text[] = "revoked 0\n";
    char found[16] = "";
    bool good = false;
    int fd = open(claim, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0) {
        good = write(fd, text, sizeof text - 1) > 0;
        close(fd);
    } else if (begun) {
        good = fs_write(claim, text, sizeof text - 1);
    } else if ((fd = open(claim, O_RDONLY | O_CLOEXEC)) >= 0) {
        good = read(fd, found, sizeof found - 1) > 0 && !strncmp(found, text, 7);
        close(fd);
    }
    return good;
}
