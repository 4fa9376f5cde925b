// SPDX-License-Identifier: MIT
#include "flow/porter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "flow/storage_kind.h"

static const char *const acts[] = {"fetch", "store", "remove"};
enum { COMMON = 7 }; /* fields that every order has */

/* ---- messages ---- */

static void add_field(struct buf *out, const char *text)
{
    buf_add(out, text, strlen(text) + 1);
}

static void add_number(struct buf *out, int64_t number)
{
    buf_int(out, number);
    buf_char(out, '\0');
}

/* Takes the fields of the message that begins at *at, in the arena; NULL: it is not whole yet. */
static const char **take_message(struct arena *in, const char *text, size_t len, size_t *at,
                                 size_t *n)
{
    const char *next = text + *at, *end = text + len;
    const char *nul = next < end ? memchr(next, 0, (size_t)(end - next)) : NULL;
    size_t count = nul ? strtoul(next, NULL, 10) : 0;
    const char **fields = nul ? arena_array(in, const char *, count + 1) : NULL;
    for (size_t i = 0; nul && i < count; i++) {
        fields[i] = next = nul + 1;
        nul = next < end ? memchr(next, 0, (size_t)(end - next)) : NULL;
    }
    if (!nul)
        return NULL;
    *at = (size_t)(nul + 1 - text);
    *n = count;
    return fields;
}

/* ---- the run's side ---- */

const struct storage_mount *porter_mount(const struct storage_place *place)
{
    return place->kind->porter ? place->mount : NULL;
}

bool porter_start(const struct storage_place *place, const char *self, struct porter_start *out)
{
    if (place->kind->porter)
        return place->kind->porter(place->mount, out);
    *out = (struct porter_start){.argv = {self, "carry-files"}, .first = ""};
    return true;
}

void porter_order(struct buf *out, enum storage_act act, const struct storage_copy *copy)
{
    const struct storage_kind *kind = copy->place.kind;
    struct storage_facts facts = {.name = kind->name ? kind->name : ""};
    struct arena in = {0};
    if (kind->tell)
        kind->tell(&copy->place, &in, &facts);
    add_number(out, COMMON + (int64_t)facts.n);
    add_field(out, acts[act]);
    add_field(out, copy->place.query);
    add_field(out, copy->path);
    add_field(out, copy->part ? copy->part : "");
    add_field(out, copy->link ? "link" : "");
    add_field(out, copy->optional ? "optional" : "");
    add_field(out, facts.name);
    for (size_t i = 0; i < facts.n; i++)
        add_field(out, facts.fact[i]);
    arena_free(&in);
}

bool porter_answer(const char *text, size_t len, size_t *at, const char **why)
{
    struct arena in = {0};
    size_t n;
    const char **fields = take_message(&in, text, len, at, &n);
    *why = fields && n ? fields[0] : "no answer";
    arena_free(&in);
    return fields != NULL;
}

/* ---- the porter's side ---- */

/* What an order says of its provider. */
static const struct storage_kind *kind_of(const char *name)
{
    return !strcmp(name, storage_http.name) ? &storage_http : &storage_fs;
}

static bool carry(struct arena *in, const char *const *field, size_t n, const char **why)
{
    size_t act = 0;
    while (act < 2 && strcmp(field[0], acts[act]))
        act++;
    struct storage_facts facts = {.name = field[6], .n = n - COMMON};
    for (size_t i = 0; i < facts.n && i < STORAGE_FACTS; i++)
        facts.fact[i] = field[COMMON + i];
    struct storage_mount mount = {.name = facts.name, .kind = kind_of(facts.name), .dir = ""};
    struct storage_copy copy = {.place = {.kind = mount.kind,
                                          .mount = &mount,
                                          .query = field[1],
                                          .shown = field[1],
                                          .copied = true},
                                .path = field[2],
                                .part = *field[3] ? field[3] : NULL,
                                .link = *field[4],
                                .optional = *field[5]};
    if (mount.kind->hear)
        mount.kind->hear(&mount, in, &facts);
    return storage_carry(in, (enum storage_act)act, &copy, why);
}

static bool answer(const char *why)
{
    struct buf out = {0};
    add_number(&out, 1);
    add_field(&out, why);
    bool good = fs_write_all(STDOUT_FILENO, out.at, out.len);
    buf_free(&out);
    return good;
}

/* More from stdin; false: that was all. */
static bool read_more(struct buf *orders)
{
    enum { BLOCK = 4096 };
    char *at = buf_room(orders, BLOCK);
    ssize_t n;
    while ((n = read(STDIN_FILENO, at, BLOCK - 1)) < 0 && errno == EINTR)
        ;
    orders->len += n > 0 ? (size_t)n : 0;
    return n > 0;
}

void porter_serve(void)
{
    struct buf orders = {0};
    struct arena in = {0};
    bool good = true;
    while (good && read_more(&orders)) {
        size_t at = 0, n;
        for (const char **field;
             good && (field = take_message(&in, orders.at, orders.len, &at, &n));) {
            const char *why = "";
            if (n < COMMON)
                why = "no order";
            else if (carry(&in, field, n, &why))
                why = "";
            good = answer(why);
            arena_reset(&in);
        }
        memmove(orders.at, orders.at + at, orders.len - at);
        orders.len -= at;
    }
    buf_free(&orders);
    arena_free(&in);
}
