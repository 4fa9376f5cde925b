// SPDX-License-Identifier: MIT
/* db.c: SQLite with a rollback journal: the only kind of journal that needs no memory shared
 * between machines. The journal file stays and is emptied after each commit, which costs less than
 * making it anew. Where a file system has no locks, SQLite's lock files are used instead. */
#include "state/db.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/memory.h"

enum { BUSY_MS = 20000 };

struct db {
    sqlite3 *handle;
    struct diags *dx; /* borrowed */
    char *path;       /* owned */
    bool in_transaction, failed;
};

struct query {
    struct db *db;
    sqlite3_stmt *stmt;
};

static const char *hint_for(int code)
{
    if (code == SQLITE_READONLY_DBMOVED)
        return "it was removed or moved away meanwhile; outputs that are there stay good";
    switch (code & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return "the file is damaged; move it away, and what is up to date is judged by file times "
               "alone";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another process is writing to it; call again when it has ended (kintsugi-flow "
               "status shows a run)";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN: return "check the permissions of the directory .snakemake";
    case SQLITE_IOERR:
        return "a quota may be used up, or the disk be gone or read-only; when that is put right, "
               "run again: nothing is lost";
    }
    return NULL;
}

/* The last error of the system with a file of SQLite; 0: none. */
static int error_of(sqlite3 *handle, int which)
{
    sqlite3_file *file = NULL;
    int error = 0;
    if (!sqlite3_file_control(handle, "main", which, &file) && file && file->pMethods)
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
    return error;
}

/* Why the system has refused to read or write; 0: it was not that. */
static int cause_of(sqlite3 *handle, int code)
{
    if ((code & 0xFF) != SQLITE_IOERR)
        return 0;
    int cause = sqlite3_system_errno(
        handle); /* forgotten by what comes after, such as a rollback */
    cause = cause ? cause : error_of(handle, SQLITE_FCNTL_FILE_POINTER);
    return cause ? cause : error_of(handle, SQLITE_FCNTL_JOURNAL_POINTER);
}

/* SQLite takes a quota for any other error, and does not say why it could not make a file: the disk
 * is asked. */
static bool is_full(const struct db *db, int code, int cause)
{
    struct statvfs disk;
    if (cause == EDQUOT)
        return true;
    if ((code & 0xFF) != SQLITE_CANTOPEN)
        return (code & 0xFF) == SQLITE_FULL;
    return !statvfs(db->path, &disk) && disk.f_files && !disk.f_favail;
}

static bool fail(struct db *db, const char *what)
{
    if (db->failed)
        return false;
    db->failed = true;
    const char *text = db->handle ? sqlite3_errmsg(db->handle) : "out of memory";
    int code = db->handle ? sqlite3_extended_errcode(db->handle) : SQLITE_NOMEM;
    int cause = db->handle ? cause_of(db->handle, code) : 0;
    bool full = is_full(db, code, cause);
    complain(db->dx, (struct span){0}, "%s %s: %s%s%s", what, db->path, text, cause ? ": " : "",
             cause ? strerror(cause) : "");
    if (full)
        diag_hint_full(db->dx, ENOSPC);
    else if (hint_for(code))
        diag_hint(db->dx, "%s", hint_for(code));
    return false;
}

bool db_exec(struct db *db, const char *sql)
{
    if (db->failed)
        return false;
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail(db, "cannot write to");
}

/* Opens the file by a method of locking (NULL: SQLite's usual) and sees whether it works there. */
static int try_open(struct db *db, int flags, const char *vfs)
{
    int code = sqlite3_open_v2(db->path, &db->handle, flags, vfs);
    if (code != SQLITE_OK)
        return code;
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_timeout(db->handle, BUSY_MS);
    return sqlite3_exec(db->handle, "PRAGMA schema_version", NULL, NULL, NULL);
}

static bool is_lock_trouble(int code)
{
    return code == SQLITE_IOERR_LOCK || code == SQLITE_IOERR_RDLOCK ||
           code == SQLITE_IOERR_CHECKRESERVEDLOCK || code == SQLITE_NOLFS ||
           code == SQLITE_PROTOCOL;
}

static bool open_file(struct db *db, bool create)
{
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX;
    int code = try_open(db, flags, NULL);
    if (is_lock_trouble(code)) {
        sqlite3_close(db->handle);
        db->handle = NULL;
        code = try_open(db, flags, "unix-dotfile");
    }
    return code == SQLITE_OK || fail(db, "cannot open");
}

struct db *db_open(const char *path, bool create, struct diags *dx)
{
    struct db *db = memory_zeroed(1, sizeof *db);
    db->dx = dx;
    db->path = memory_text(path);
    if (open_file(db, create) &&
        (!create ||
         db_exec(db, "PRAGMA journal_mode = PERSIST; PRAGMA synchronous = FULL;"
                     "PRAGMA journal_size_limit = 1048576; PRAGMA temp_store = MEMORY;")))
        return db;
    db_close(db);
    return NULL;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    if (db->in_transaction)
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db->handle);
    free(db->path);
    free(db);
}

bool db_failed(const struct db *db)
{
    return db->failed;
}

int64_t db_number(struct db *db, const char *sql, int64_t otherwise)
{
    struct query *query = db_query(db, sql);
    int64_t number = query_row(query) ? query_get_int(query, 0) : otherwise;
    query_free(query);
    return number;
}

bool db_begin(struct db *db)
{
    if (!db->in_transaction)
        db->in_transaction = db_exec(db, "BEGIN IMMEDIATE");
    return db->in_transaction && !db->failed;
}

bool db_commit(struct db *db)
{
    if (!db->in_transaction)
        return !db->failed;
    if (!db_exec(db, "COMMIT"))
        return false;
    db->in_transaction = false;
    return true;
}

int64_t db_last_id(const struct db *db)
{
    return sqlite3_last_insert_rowid(db->handle);
}

struct query *db_query(struct db *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    if (db->failed)
        return NULL;
    if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) !=
        SQLITE_OK) {
        fail(db, "cannot read");
        return NULL;
    }
    struct query *query = memory_zeroed(1, sizeof *query);
    *query = (struct query){.db = db, .stmt = stmt};
    return query;
}

void query_free(struct query *query)
{
    if (!query)
        return;
    sqlite3_finalize(query->stmt);
    free(query);
}

void query_int(struct query *query, int at, int64_t number)
{
    if (query)
        sqlite3_bind_int64(query->stmt, at, number);
}

void query_real(struct query *query, int at, double number)
{
    if (query)
        sqlite3_bind_double(query->stmt, at, number);
}

void query_text(struct query *query, int at, const char *text, size_t len)
{
    if (query)
        sqlite3_bind_text64(query->stmt, at, text, len, SQLITE_STATIC, SQLITE_UTF8);
}

bool query_run(struct query *query)
{
    if (!query || query->db->failed)
        return false;
    bool good = sqlite3_step(query->stmt) == SQLITE_DONE || fail(query->db, "cannot write to");
    sqlite3_reset(query->stmt);
    return good;
}

bool query_row(struct query *query)
{
    if (!query || query->db->failed)
        return false;
    int code = sqlite3_step(query->stmt);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        fail(query->db, "cannot read");
    sqlite3_reset(query->stmt);
    return false;
}

int64_t query_get_int(const struct query *query, int column)
{
    return sqlite3_column_int64(query->stmt, column);
}

double query_get_real(const struct query *query, int column)
{
    return sqlite3_column_double(query->stmt, column);
}

const char *query_get_text(const struct query *query, int column, size_t *len)
{
    const char *text = (const char *)sqlite3_column_text(query->stmt, column);
    if (len)
        *len = (size_t)sqlite3_column_bytes(query->stmt, column);
    return text ? text : "";
}
