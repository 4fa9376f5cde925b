// SPDX-License-Identifier: MIT
/* record.c: the records of outputs. Texts that many share (rule, code, lists of inputs) are rows of
 * a table of their own and are told apart by their hash; an output is a row of numbers, found in
 * memory by its path, so that the file needs no index and a commit touches few pages:
 *
 *     text(id, body)    output(id, path, rule, code, ... -> text.id, shell, times, incomplete) */
#include "state/record.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/ensure.h"
#include "base/fs.h"
#include "base/memory.h"
#include "base/path.h"
#include "state/state_inner.h"

enum { SCHEMA = 2, SHELL_MAX = 4096, COMMIT_SHARE = 40, LONGEST_WAIT_NS = 200000000 };
/* Attempts that took so long together do not wait: a kill would lose that work. */
static const int64_t STAKE_MOST_NS = INT64_C(10000000000);
/* What is written to Snakemake's database is a rounded time of our own record, no later one. */
enum { MIRRORED_NS = 1000000 };

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS text(id INTEGER PRIMARY KEY, body TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS output(id INTEGER PRIMARY KEY, path TEXT NOT NULL, rule INTEGER, "
    "code INTEGER, params INTEGER, inputs INTEGER, software INTEGER, log INTEGER, "
    "checksums INTEGER, start_ns INTEGER, end_ns INTEGER, mtime_ns INTEGER, size INTEGER, "
    "incomplete INTEGER NOT NULL, shell TEXT);"
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, start_ns INTEGER NOT NULL, "
    "end_ns INTEGER, command TEXT NOT NULL, host TEXT, user TEXT, pid INTEGER, status INTEGER);"
    "CREATE TABLE IF NOT EXISTS attempt(id INTEGER PRIMARY KEY, run INTEGER, rule TEXT NOT NULL, "
    "wildcards TEXT, attempt INTEGER, status INTEGER, signal INTEGER, start_ns INTEGER, "
    "end_ns INTEGER, cpu_s REAL, max_rss_kb INTEGER, external_id TEXT, host TEXT, resources TEXT, "
    "why TEXT, log TEXT);"
    "CREATE TABLE IF NOT EXISTS submission(token TEXT PRIMARY KEY, run INTEGER, account TEXT, "
    "jobs TEXT, external_id TEXT, status TEXT NOT NULL, time_ns INTEGER);"
    "PRAGMA user_version = 2;"
    "COMMIT;";

/* Version 1 did not say why jobs failed. */
static const char from_1[] = "BEGIN IMMEDIATE;"
                             " ALTER TABLE attempt ADD COLUMN why TEXT;"
                             "ALTER TABLE attempt ADD COLUMN log TEXT;"
                             " PRAGMA user_version = 2;"
                             " COMMIT;";
/* Where nothing may be written, it is only seen as version 2. */
static const char seen_from_1[] =
    "CREATE TEMP VIEW attempt AS SELECT *, NULL AS why, NULL AS log FROM main.attempt";

/* The texts of a record that rows of the table of texts hold, in the order of their columns. */
static const size_t text_at[] = {
    offsetof(struct output_record, rule),     offsetof(struct output_record, code),
    offsetof(struct output_record, params),   offsetof(struct output_record, inputs),
    offsetof(struct output_record, software), offsetof(struct output_record, log),
    offsetof(struct output_record, checksums)};
enum { TEXTS = sizeof text_at / sizeof *text_at };

static const char **text_of(struct output_record *record, int i)
{
    return (const char **)(void *)((char *)record + text_at[i]);
}

/* ---- opening ---- */

static bool check_schema(struct state *state)
{
    int64_t version = db_number(state->db, "PRAGMA user_version", -1);
    if (version == SCHEMA)
        return true;
    if (version > SCHEMA) {
        complain(state->dx, (struct span){0},
                 ".snakemake/kintsugi.db was written by a newer kintsugi-flow");
        diag_hint(state->dx,
                  "use that version, or move the file away: then only file times are compared");
        return false;
    }
    if (version == 0 && !state->readonly)
        return db_exec(state->db, schema);
    if (version == 1)
        return db_exec(state->db, state->readonly ? seen_from_1 : from_1);
    return version == 0 ? (db_close(state->db), state->db = NULL, true) : false;
}

static bool open_db(struct state *state)
{
    struct arena scratch = {0};
    char *path = path_join(&scratch, state->dir, ".snakemake/kintsugi.db");
    bool good = true;
    if (!state->readonly && !fs_make_parent(path))
        good = complain(state->dx, (struct span){0}, "cannot make the folder .snakemake in %s: %s",
                        path_absolute(&scratch, fs_cwd(&scratch), state->dir), strerror(errno));
    if (good && (!state->readonly || fs_exists(path))) {
        state->db = db_open(path, !state->readonly, state->dx);
        good = state->db && check_schema(state);
    }
    arena_free(&scratch);
    return good;
}

struct state *state_open(const char *dir, struct intern *names, struct diags *dx, bool readonly)
{
    struct state *state = memory_zeroed(1, sizeof *state);
    char *copy = memory_text(dir);
    *state = (struct state){
        .dir = copy, .names = names, .dx = dx, .readonly = readonly, .foreign = foreign_new(dir)};
    if (open_db(state))
        return state;
    state_close(state);
    return NULL;
}

bool state_failed(const struct state *state)
{
    return state->db && db_failed(state->db);
}

void state_name_outputs(struct state *state, state_namer *name, void *user)
{
    state->name = name;
    state->name_user = user;
}

/* Snakemake's name of an output; until the next call. */
static const char *foreign_name(struct state *state, sym_t path)
{
    const char *text = sym_text(state->names, path);
    arena_reset(&state->name_in);
    return state->name ? state->name(state->name_user, &state->name_in, text) : text;
}

bool state_mirror(struct state *state, const char *url)
{
    state->mirror = mirror_open(state->dir, url, state->readonly, state->dx);
    return state->mirror;
}

void state_close(struct state *state)
{
    if (!state)
        return;
    if (state->db)
        state_flush(state);
    for (int i = 0; i < STATEMENTS; i++)
        query_free(state->statement[i]);
    texts_free(&state->texts);
    db_close(state->db);
    foreign_free(state->foreign);
    mirror_close(state->mirror);
    arena_free(&state->arena);
    arena_free(&state->name_in);
    pool_free(&state->entries);
    vec_free(&state->by_path);
    vec_free(&state->ended);
    free(state->dir);
    free(state);
}

/* ---- reading ---- */

static struct entry *entry_of(struct state *state, sym_t path)
{
    vec_reach(&state->by_path, path);
    uint32_t *at = &state->by_path.at[path];
    if (!*at)
        *at = pool_add(&state->entries);
    return &state->entries.at[*at];
}

static struct output_record *new_record(struct state *state, sym_t path)
{
    struct output_record *record = arena_new(&state->arena, struct output_record);
    *record = (struct output_record){.path = path, .shell = ""};
    for (int i = 0; i < TEXTS; i++)
        *text_of(record, i) = "";
    return record;
}

static void read_row(struct state *state, const struct query *row)
{
    size_t len;
    const char *path = query_get_text(row, 1, &len);
    sym_t sym = intern(state->names, path, len);
    struct entry *entry = entry_of(state, sym);
    entry->row = query_get_int(row, 0);
    entry->record = new_record(state, sym);
    for (int i = 0; i < TEXTS; i++)
        *text_of(entry->record, i) = texts_use(&state->texts, query_get_int(row, 2 + i));
    entry->record->start_ns = query_get_int(row, 9);
    entry->record->end_ns = state_end_time(entry->record->start_ns, query_get_int(row, 10));
    entry->record->mtime_ns = query_get_int(row, 11);
    entry->record->size = query_get_int(row, 12);
    entry->record->incomplete = query_get_int(row, 13) != 0;
}

static bool load(struct state *state)
{
    if (state->loaded || !state->db)
        return true;
    state->loaded = true;
    if (!texts_load(&state->texts, state->db, &state->arena))
        return false;
    struct query *rows = db_query(
        state->db, "SELECT id, path, rule, code, params, inputs, software, log, checksums,"
                   " start_ns, end_ns, mtime_ns, size, incomplete FROM output");
    while (query_row(rows))
        read_row(state, rows);
    query_free(rows);
    return !state_failed(state);
}

/* Asks Snakemake's metadata for an output we know nothing of, or that it has made again since. */
static void ask_foreign(struct state *state, sym_t path, struct entry *entry)
{
    struct output_record record = {.path = path};
    const char *output = foreign_name(state, path);
    bool found = (state->mirror && mirror_read(state->mirror, output, &state->arena, &record)) ||
                 foreign_read(state->foreign, output, &state->arena, &record);
    if (!found || (entry->row && record.end_ns <= entry->record->end_ns + MIRRORED_NS))
        return;
    record.incomplete = entry->record && entry->record->incomplete;
    entry->record = new_record(state, path);
    *entry->record = record;
}

/* A marker that is older than our record was left by a crash between the record and its removal,
 * which is made up for: Snakemake would take the output for incomplete. */
static void look_for_marker(struct state *state, sym_t path, struct entry *entry)
{
    int64_t marked = foreign_marked(state->foreign, foreign_name(state, path));
    bool stale = entry->row && !entry->record->incomplete && marked <= entry->record->end_ns;
    if (marked && stale && !state->readonly)
        vec_push(&state->ended, path);
    if (!marked || stale)
        return;
    if (!entry->record)
        entry->record = new_record(state, path);
    entry->record->incomplete = true;
}

/* Neither we nor Snakemake have been here. */
static bool knows_nothing(const struct state *state)
{
    return state->entries.len <= 1 && !state->mirror && foreign_is_empty(state->foreign);
}

const struct output_record *state_find(struct state *state, sym_t path)
{
    if (!load(state) || knows_nothing(state))
        return NULL;
    struct entry *entry = entry_of(state, path);
    if (!entry->looked) {
        ask_foreign(state, path, entry);
        look_for_marker(state, path, entry);
    }
    entry->looked = true;
    return entry->record;
}

sym_t state_named(struct state *state, const char *name)
{
    load(state);
    arena_reset(&state->name_in);
    const sym_t same = intern_str(state->names, path_normal(&state->name_in, name));
    if (same < state->by_path.len && state->by_path.at[same])
        return same;
    for (sym_t path = 1; path < state->by_path.len; path++)
        if (state->by_path.at[path] && !strcmp(foreign_name(state, path), name))
            return path;
    return same;
}

const char *state_shell(struct state *state, sym_t path, struct arena *in)
{
    const struct output_record *record = state_find(state, path);
    int64_t row = record && !record->foreign ? entry_of(state, path)->row : 0;
    if (!row)
        return record ? record->shell : "";
    struct query *get = state->statement[GET_SHELL];
    if (!get)
        get = state->statement[GET_SHELL] = db_query(state->db,
                                                     "SELECT shell FROM output WHERE id = ?1");
    query_int(get, 1, row);
    char *text = NULL;
    while (query_row(get)) {
        size_t len;
        const char *shell = query_get_text(get, 0, &len);
        text = arena_copy(in, shell, len);
    }
    return text ? text : "";
}

/* ---- writing ---- */

struct query *state_statement(struct state *state, enum statement which)
{
    static const char *const sql[STATEMENTS] = {
        [ADD_OUTPUT] =
            "INSERT INTO output(path, rule, code, params, inputs, software, log, checksums,"
            " start_ns, end_ns, mtime_ns, size, shell, incomplete)"
            " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        [SET_OUTPUT] =
            "UPDATE output SET rule = ?2, code = ?3, params = ?4, inputs = ?5, software = ?6, log "
            "= ?7, checksums = ?8, start_ns = ?9, end_ns = ?10, mtime_ns = ?11, size = ?12, shell "
            "= ?13, incomplete = ?14 WHERE id = ?1",
        [SET_INCOMPLETE] = "UPDATE output SET incomplete = ?2 WHERE id = ?1",
        [DROP_OUTPUT] = "DELETE FROM output WHERE id = ?1",
        [ADD_ATTEMPT] =
            "INSERT INTO attempt(run, rule, wildcards, attempt, status, signal, "
            "start_ns, end_ns, cpu_s, max_rss_kb, external_id, host, resources, why, log)"
            " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    };
    ensure(state->db && !state->readonly);
    if (!db_begin(state->db))
        return NULL;
    state->changed = true;
    if (!state->statement[which])
        state->statement[which] = db_query(state->db, sql[which]);
    return state->statement[which];
}

static bool set_incomplete(struct state *state, int64_t row, bool incomplete)
{
    struct query *set = state_statement(state, SET_INCOMPLETE);
    query_int(set, 1, row);
    query_int(set, 2, incomplete);
    return query_run(set);
}

/* Does the same to each output, until one fails. */
static bool each_output(struct state *state, const sym_t *paths, uint32_t n,
                        bool (*act)(struct state *state, sym_t path))
{
    bool good = load(state);
    for (uint32_t i = 0; good && i < n; i++)
        good = act(state, paths[i]);
    return good;
}

/* The marker says that an output is incomplete; a row only says so if there is one already. */
static bool begin_output(struct state *state, sym_t path)
{
    struct entry *entry = entry_of(state, path);
    if (entry->row && !set_incomplete(state, entry->row, true))
        return false;
    if (!entry->record)
        entry->record = new_record(state, path);
    entry->record->incomplete = true;
    if (foreign_mark(state->foreign, foreign_name(state, path)))
        return true;
    int error = errno;
    complain(state->dx, (struct span){0},
             "cannot mark '%s' as incomplete in %s/.snakemake/incomplete: %s",
             sym_text(state->names, path), state->dir, strerror(error));
    diag_hint_full(state->dx, error);
    return false;
}

bool state_begin_outputs(struct state *state, const sym_t *paths, uint32_t n)
{
    return each_output(state, paths, n, begin_output);
}

/* Copies a record whose texts are borrowed; the texts become the state's. */
static void adopt(struct state *state, struct output_record *to, const struct output_record *from,
                  const int64_t id[TEXTS])
{
    *to = *from;
    for (int i = 0; i < TEXTS; i++)
        *text_of(to, i) = texts_at(&state->texts, id[i]);
    to->shell = "";
    to->foreign = false;
}

/* Writes the row of an output, made if it has none. */
static bool write_row(struct state *state, struct entry *entry, const struct output_record *record,
                      const int64_t id[TEXTS])
{
    const char *shell = record->shell ? record->shell : "";
    struct query *put = state_statement(state, entry->row ? SET_OUTPUT : ADD_OUTPUT);
    if (entry->row)
        query_int(put, 1, entry->row);
    else
        query_text(put, 1, sym_text(state->names, record->path),
                   sym_len(state->names, record->path));
    for (int i = 0; i < TEXTS; i++)
        query_int(put, 2 + i, id[i]);
    query_int(put, 9, record->start_ns);
    query_int(put, 10, state_time_since(record->start_ns, record->end_ns));
    query_int(put, 11, record->mtime_ns);
    query_int(put, 12, record->size);
    query_text(put, 13, shell, strnlen(shell, SHELL_MAX));
    query_int(put, 14, record->incomplete);
    if (!query_run(put))
        return false;
    if (!entry->row)
        entry->row = db_last_id(state->db);
    return true;
}

bool state_sweep(struct state *state)
{
    state->changed = true;
    return load(state) && texts_sweep(&state->texts);
}

bool state_end_output(struct state *state, const struct output_record *record)
{
    if (!load(state))
        return false;
    struct entry *entry = entry_of(state, record->path);
    struct output_record said = *record;
    int64_t id[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
        const char *text = *text_of(&said, i);
        id[i] = texts_id(&state->texts, text ? text : "");
    }
    if (!write_row(state, entry, record, id))
        return false;
    if (!entry->record)
        entry->record = new_record(state, record->path);
    adopt(state, entry->record, record, id);
    entry->looked = true;
    if (!record->incomplete)
        vec_push(&state->ended, record->path);
    return !state->mirror || mirror_write(state->mirror, foreign_name(state, record->path), record);
}

static bool keep_output(struct state *state, sym_t path)
{
    struct entry *entry = entry_of(state, path);
    if (entry->row && !set_incomplete(state, entry->row, false))
        return false;
    if (entry->record && !entry->row && !entry->record->foreign)
        entry->record = NULL; /* known as incomplete, no more */
    else if (entry->record)
        entry->record->incomplete = false;
    entry->looked = state->changed = true;
    vec_push(&state->ended, path);
    return true;
}

bool state_keep_outputs(struct state *state, const sym_t *paths, uint32_t n)
{
    return each_output(state, paths, n, keep_output);
}

static bool drop_output(struct state *state, sym_t path)
{
    struct entry *entry = entry_of(state, path);
    if (entry->row) {
        struct query *drop = state_statement(state, DROP_OUTPUT);
        query_int(drop, 1, entry->row);
        if (!query_run(drop))
            return false;
    }
    *entry = (struct entry){0};
    state->changed = true;
    foreign_forget(state->foreign, foreign_name(state, path));
    vec_push(&state->ended, path);
    return !state->mirror || state->readonly ||
           mirror_forget(state->mirror, foreign_name(state, path));
}

bool state_drop_outputs(struct state *state, const sym_t *paths, uint32_t n)
{
    return each_output(state, paths, n, drop_output);
}

/* What Snakemake knows of an output that was made here is no longer true. */
static void renew_foreign(struct state *state, sym_t path, const struct output_record *record)
{
    const char *output = foreign_name(state, path);
    struct arena in = {0};
    if (foreign_knows(state->foreign, output)) {
        struct output_record now = *record;
        now.shell = state_shell(state, path, &in);
        foreign_renew(state->foreign, output, &now);
    }
    arena_free(&in);
}

/* An output that began anew after it ended keeps its marker. */
static void remove_markers(struct state *state)
{
    for (uint32_t i = 0; i < state->ended.len; i++) {
        const struct entry *entry = entry_of(state, state->ended.at[i]);
        if (entry->record && entry->record->incomplete)
            continue;
        foreign_unmark(state->foreign, foreign_name(state, state->ended.at[i]));
        if (entry->row && !entry->record->foreign)
            renew_foreign(state, state->ended.at[i], entry->record);
    }
    state->ended.len = 0;
}

bool state_flush(struct state *state)
{
    if (!state->changed) {
        remove_markers(state);
        return !state_failed(state);
    }
    int64_t start = clock_ns();
    if (!db_commit(state->db) || (state->mirror && !mirror_commit(state->mirror)))
        return false;
    remove_markers(state);
    state->changed = false;
    state->stake_ns = 0;
    int64_t end = clock_ns(), wait = COMMIT_SHARE * (end - start);
    state->next_commit_ns = end + (wait < LONGEST_WAIT_NS ? wait : LONGEST_WAIT_NS);
    return true;
}

bool state_commit(struct state *state)
{
    if (state->changed && clock_ns() < state->next_commit_ns && state->stake_ns < STAKE_MOST_NS)
        return !state_failed(state);
    return state_flush(state);
}

bool state_pending(const struct state *state)
{
    return state->changed;
}
