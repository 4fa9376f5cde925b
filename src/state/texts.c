// SPDX-License-Identifier: MIT
#include "state/texts.h"

#include <string.h>

#include "base/ensure.h"
#include "base/hash.h"

enum { FEW = 1000 /* not worth sweeping */, PAGE = 1024 };

void texts_free(struct texts *texts)
{
    query_free(texts->add);
    query_free(texts->again);
    query_free(texts->drop);
    vec_free(&texts->pages);
    map_free(&texts->ids);
}

static struct text *text_of(const struct texts *texts, int64_t id)
{
    struct text *page = id > 0 && id <= texts->last ? texts->pages.at[id / PAGE] : NULL;
    return page && page[id % PAGE].body ? &page[id % PAGE] : NULL;
}

/* The id of a known text, or 0; *key: where it stands, or would stand, in ids. */
static uint32_t find(const struct texts *texts, const char *text, size_t len, uint64_t *key)
{
    for (*key = hash_key(text, len);; *key += 2) {
        uint32_t id = map_find(&texts->ids, *key);
        if (!id || !strcmp(text_of(texts, id)->body, text))
            return id;
    }
}

static void keep(struct texts *texts, int64_t id, const char *text, size_t len, bool sure)
{
    uint64_t key;
    ensure(id > 0 && id < UINT32_MAX);
    vec_reach(&texts->pages, id / PAGE);
    struct text **page = &texts->pages.at[id / PAGE];
    if (!*page)
        *page = arena_array(texts->in, struct text, PAGE);
    (*page)[id % PAGE] = (struct text){
        .body = arena_copy(texts->in, text, len), .used = sure, .sure = sure};
    texts->last = id > texts->last ? (uint32_t)id : texts->last;
    if (!find(texts, text, len, &key))
        map_set(&texts->ids, key, (uint32_t)id);
}

bool texts_load(struct texts *texts, struct db *db, struct arena *in)
{
    texts->db = db;
    texts->in = in;
    texts->version = db_number(db, "PRAGMA data_version", 0);
    struct query *rows = db_query(db, "SELECT id, body FROM text");
    while (query_row(rows)) {
        size_t len;
        const char *body = query_get_text(rows, 1, &len);
        keep(texts, query_get_int(rows, 0), body, len, false);
    }
    query_free(rows);
    return !db_failed(db);
}

const char *texts_at(const struct texts *texts, int64_t id)
{
    const struct text *text = text_of(texts, id);
    return text ? text->body : "";
}

const char *texts_use(struct texts *texts, int64_t id)
{
    struct text *text = text_of(texts, id);
    if (text)
        text->used = true;
    return text ? text->body : "";
}

/* The prepared statement, in a transaction; NULL after a diagnostic. */
static struct query *statement(struct texts *texts, struct query **query, const char *sql)
{
    if (!db_begin(texts->db))
        return NULL;
    if (!*query)
        *query = db_query(texts->db, sql);
    return *query;
}

static int64_t add(struct texts *texts, const char *text, size_t len)
{
    struct query *query = statement(texts, &texts->add, "INSERT INTO text(body) VALUES(?1)");
    query_text(query, 1, text, len);
    if (!query_run(query))
        return 0;
    int64_t id = db_last_id(texts->db);
    keep(texts, id, text, len, true);
    return id;
}

/* One that was there when it was read, and may have been swept away since by another run. */
static int64_t add_again(struct texts *texts, uint32_t id, const char *text, size_t len)
{
    struct query *query = statement(texts, &texts->again,
                                    "INSERT OR IGNORE INTO text(id, body) VALUES(?1, ?2)");
    query_int(query, 1, id);
    query_text(query, 2, text, len);
    struct text *again = text_of(texts, id);
    again->used = again->sure = query_run(query);
    return again->sure ? id : 0;
}

int64_t texts_id(struct texts *texts, const char *text)
{
    uint64_t key;
    size_t len = text ? strlen(text) : 0;
    uint32_t known = text ? find(texts, text, len, &key) : 0;
    if (!text)
        return 0;
    if (!known)
        return add(texts, text, len);
    return text_of(texts, known)->sure ? known : add_again(texts, known, text, len);
}

/* Whether a text may go: the last one stays, so that its id is not given again. */
static bool is_waste(const struct texts *texts, const struct text *text, uint32_t id)
{
    return text && !text->used && id != texts->last;
}

bool texts_sweep(struct texts *texts)
{
    uint32_t waste = 0, all = 0;
    bool good = true;
    for (uint32_t id = 1; id <= texts->last; id++) {
        const struct text *text = text_of(texts, id);
        all += text != NULL;
        waste += is_waste(texts, text, id);
    }
    if (waste < FEW || waste < all / 2)
        return true;
    if (!db_begin(texts->db))
        return false;
    if (db_number(texts->db, "PRAGMA data_version", -1) != texts->version)
        return true; /* another run may refer to some of them by now */
    for (uint32_t id = 1; good && id <= texts->last; id++) {
        struct text *text = text_of(texts, id);
        if (!is_waste(texts, text, id))
            continue;
        struct query *query = statement(texts, &texts->drop, "DELETE FROM text WHERE id = ?1");
        query_int(query, 1, id);
        good = query_run(query);
        text->sure = false;
    }
    return good;
}
