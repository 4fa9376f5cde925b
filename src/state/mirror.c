// SPDX-License-Identifier: MIT
/* mirror.c: see mirror.h. A row a target, under the absolute path of .snakemake; lists are JSON. */
#include "state/mirror.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/path.h"
#include "state/db.h"
#include "state/foreign.h"

struct mirror {
    struct db *db; /* NULL: there is none to be read */
    struct query *get, *set, *drop;
    struct arena arena; /* the namespace */
    const char *namespace;
    bool readonly;
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS snakemake_persistence_db_settings (namespace TEXT PRIMARY KEY, "
    "is_network_fs BOOLEAN);"
    "CREATE TABLE IF NOT EXISTS snakemake_metadata (rule VARCHAR, input JSON, log JSON, "
    "shellcmd VARCHAR, params JSON, code VARCHAR, record_format_version INTEGER NOT NULL, "
    "conda_env VARCHAR, container_img_url VARCHAR, software_stack_hash VARCHAR, job_hash INTEGER, "
    "starttime FLOAT, endtime FLOAT, incomplete BOOLEAN, external_jobid VARCHAR, "
    "input_checksums JSON, namespace VARCHAR NOT NULL, target VARCHAR NOT NULL, "
    "PRIMARY KEY (namespace, target));"
    "CREATE TABLE IF NOT EXISTS snakemake_locks (namespace VARCHAR NOT NULL, "
    "file_path VARCHAR NOT NULL, lock_type VARCHAR NOT NULL, PRIMARY KEY (namespace, file_path, "
    "lock_type));";

static const char get_sql[] =
    "SELECT rule, code, params, input, software_stack_hash, shellcmd, log, input_checksums, "
    "starttime, endtime FROM snakemake_metadata "
    "WHERE namespace = ?1 AND target = ?2 AND NOT incomplete AND record_format_version >= 6";
static const char set_sql[] =
    "INSERT OR REPLACE INTO snakemake_metadata (namespace, target, rule, code, params, input, "
    "software_stack_hash, shellcmd, log, input_checksums, starttime, endtime, incomplete, "
    "record_format_version, job_hash) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 6, 0)";
static const char drop_sql[] =
    "DELETE FROM snakemake_metadata WHERE namespace = ?1 AND target = ?2";

/* ---- opening ---- */

static const char *file_of(struct arena *in, const char *dir, const char *url, struct diags *dx)
{
    static const char scheme[] = "sqlite:///";
    if (!url)
        return path_join(in, dir, ".snakemake/metadata.db");
    if (!strncmp(url, scheme, strlen(scheme)))
        return arena_str(in, url + strlen(scheme));
    complain(dx, (struct span){0},
             "--persistence-backend-db-url: only sqlite:///PATH is supported, not '%s'", url);
    return NULL;
}

struct mirror *mirror_open(const char *dir, const char *url, bool readonly, struct diags *dx)
{
    struct mirror *mirror = memory_zeroed(1, sizeof *mirror);
    const char *file = file_of(&mirror->arena, dir, url, dx);
    mirror->readonly = readonly;
    mirror->namespace = path_join(
        &mirror->arena, path_absolute(&mirror->arena, fs_cwd(&mirror->arena), dir), ".snakemake");
    if (file && readonly && !fs_exists(file))
        return mirror;
    if (file && !readonly && !fs_make_parent(file))
        complain(dx, (struct span){0}, "cannot make the folder of '%s': %s", file, strerror(errno));
    else if (file)
        mirror->db = db_open(file, !readonly, dx);
    if (mirror->db && (readonly || db_exec(mirror->db, schema)) &&
        (mirror->get = db_query(mirror->db, get_sql)))
        return mirror;
    mirror_close(mirror);
    return NULL;
}

void mirror_close(struct mirror *mirror)
{
    if (!mirror)
        return;
    query_free(mirror->get);
    query_free(mirror->set);
    query_free(mirror->drop);
    db_close(mirror->db);
    arena_free(&mirror->arena);
    free(mirror);
}

static void name_row(const struct mirror *mirror, struct query *query, const char *output)
{
    query_text(query, 1, mirror->namespace, strlen(mirror->namespace));
    query_text(query, 2, output, strlen(output));
}

/* ---- reading ---- */

static const char *text_at(const struct query *row, int column, struct arena *in)
{
    return arena_str(in, query_get_text(row, column, NULL));
}

static const struct json *json_at(const struct query *row, int column, struct arena *in)
{
    const char *text = text_at(row, column, in);
    return json_parse(in, text, strlen(text), NULL);
}

bool mirror_read(struct mirror *mirror, const char *output, struct arena *in,
                 struct output_record *record)
{
    if (!mirror->db)
        return false;
    name_row(mirror, mirror->get, output);
    if (!query_row(mirror->get))
        return false;
    const struct query *row = mirror->get;
    *record = (struct output_record){.path = record->path,
                                     .rule = text_at(row, 0, in),
                                     .code = text_at(row, 1, in),
                                     .params = foreign_set(json_at(row, 2, in), in),
                                     .inputs = foreign_lines(json_at(row, 3, in), in),
                                     .software = text_at(row, 4, in),
                                     .shell = text_at(row, 5, in),
                                     .log = foreign_lines(json_at(row, 6, in), in),
                                     .checksums = foreign_checksums(json_at(row, 7, in), in),
                                     .start_ns = (int64_t)(query_get_real(row, 8) * 1e9),
                                     .end_ns = (int64_t)(query_get_real(row, 9) * 1e9),
                                     .foreign = true};
    while (query_row(mirror->get))
        ;
    return true;
}

/* ---- writing ---- */

bool mirror_write(struct mirror *mirror, const char *output, const struct output_record *record)
{
    struct arena in = {0};
    if (!mirror->set && !(mirror->set = db_query(mirror->db, set_sql)))
        return false;
    if (!db_begin(mirror->db))
        return false;
    const char *shell = record->shell && *record->shell ? record->shell : NULL;
    const char *texts[] = {record->rule,
                           shell ? record->code : NULL, /* else Snakemake has a text of its own */
                           foreign_json_list(&in, record->params),
                           foreign_json_list(&in, record->inputs),
                           *record->software ? record->software : NULL,
                           shell,
                           foreign_json_list(&in, record->log),
                           foreign_json_checksums(&in, record->checksums)};
    name_row(mirror, mirror->set, output);
    for (int i = 0; i < 8; i++)
        query_text(mirror->set, 3 + i, texts[i], texts[i] ? strlen(texts[i]) : 0);
    query_real(mirror->set, 11, (double)record->start_ns * 1e-9);
    query_real(mirror->set, 12, (double)record->end_ns * 1e-9);
    query_int(mirror->set, 13, record->incomplete);
    bool good = query_run(mirror->set);
    arena_free(&in);
    return good;
}

bool mirror_forget(struct mirror *mirror, const char *output)
{
    if (!mirror->drop && !(mirror->drop = db_query(mirror->db, drop_sql)))
        return false;
    if (!db_begin(mirror->db))
        return false;
    name_row(mirror, mirror->drop, output);
    return query_run(mirror->drop);
}

bool mirror_commit(struct mirror *mirror)
{
    return mirror->readonly || db_commit(mirror->db);
}
