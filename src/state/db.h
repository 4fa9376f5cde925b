// SPDX-License-Identifier: MIT
/* db.h: the only door to SQLite: one file, statements, one transaction at a time. Errors become
 * diagnostics, once: the first failure is sticky, later calls fail quietly.
 *
 *     struct query *q = db_query(db, "SELECT id, body FROM text WHERE id > ?1");
 *     query_int(q, 1, 10);
 *     while (query_row(q)) use(query_get_int(q, 0), query_get_text(q, 1));
 *     query_free(q); */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct db;
struct query;

/* Opens a file; create: makes it if it is not there. NULL after a diagnostic. */
struct db *db_open(const char *path, bool create, struct diags *dx);
/* Rolls an open transaction back. */
void db_close(struct db *db);
/* Whether anything has failed since it was opened. */
bool db_failed(const struct db *db);

/* Runs statements without rows. False after a diagnostic. */
bool db_exec(struct db *db, const char *sql);
/* The first column of the first row as a number; otherwise if there is none. */
int64_t db_number(struct db *db, const char *sql, int64_t otherwise);

/* Opens a transaction unless one is open; makes it durable, if one is open. False after a
 * diagnostic. */
bool db_begin(struct db *db);
/* False after a diagnostic: nothing of it has been written. */
bool db_commit(struct db *db);
/* The number of the row that was inserted last. */
int64_t db_last_id(const struct db *db);

/* A prepared statement; NULL after a diagnostic, and every call on NULL fails. */
struct query *db_query(struct db *db, const char *sql);
/* Ends a statement, which is the caller's; NULL is fine. */
void query_free(struct query *query);
/* Parameters count from 1; text is borrowed until query_run or the next query_row. NULL text is
 * SQL's NULL. */
void query_int(struct query *query, int at, int64_t number);
void query_real(struct query *query, int at, double number);
void query_text(struct query *query, int at, const char *text, size_t len);
/* Runs a statement without rows and makes it ready for the next. */
bool query_run(struct query *query);
/* The next row; false at the end (which makes it ready for the next use) or on failure. */
bool query_row(struct query *query);
/* Columns of the row, counted from 0; text is "" for NULL, borrowed until the next query_row. */
int64_t query_get_int(const struct query *query, int column);
double query_get_real(const struct query *query, int column);
const char *query_get_text(const struct query *query, int column, size_t *len);
