// SPDX-License-Identifier: MIT
/* Lists, dicts (also a defaultdict) and sets of ours that foreign code was given. Over there each
 * is a real one: libraries ask for that, and C code looks inside. So it is a copy, and both sides
 * remember what was in it when they last talked. Before a message is sent, each side looks which of
 * its containers were changed and sends these along; items are compared by identity. When nobody
 * over there has the copy any more, the lease ends. Small ones of foreign objects that are asked
 * for as attributes or items are loans: the copy is here, and all else is the same. */
#include <string.h>

#include "base/memory.h"
#include "python/foreign_link.h"
#include "python/types.h"

/* The items of a container in an array: of a dict key, item, key, item, ... */
static uint32_t item_count(value container)
{
    if (is_exact(container, &type_list))
        return as_list(container)->len;
    return as_dict(container)->len * (is_dict(container) ? 2 : 1);
}

static void copy_items(value container, value *to)
{
    size_t n = 0, pos = 0;
    value key, item;
    if (is_exact(container, &type_list)) {
        const value *items = sequence_items(container, &n);
        if (n)
            memcpy(to, items, n * sizeof *to);
    } else if (is_dict(container)) {
        while (dict_next(container, &pos, &key, &item)) {
            to[n++] = key;
            to[n++] = item;
        }
    } else {
        while (set_next(container, &pos, &item))
            to[n++] = item;
    }
}

static void remember(struct lease *lease)
{
    lease->nwas = item_count(lease->container);
    lease->was = memory_resized(lease->was, lease->nwas + 1, sizeof *lease->was);
    copy_items(lease->container, lease->was);
}

static bool dict_differs(const struct lease *lease)
{
    value key, item;
    uint32_t k = 0;
    for (size_t pos = 0; dict_next(lease->container, &pos, &key, &item); k += 2)
        if (lease->was[k] != key || lease->was[k + 1] != item)
            return true;
    return false;
}

/* FEW there: while a call is under way only small ones are looked at, and only if they are few. */
enum { FEW = 256 };

static bool differs(const struct foreign *f, const struct lease *lease)
{
    if (f->depth && (f->leases.len > FEW || lease->nwas > 2 * FEW))
        return false;
    if (item_count(lease->container) != lease->nwas)
        return true;
    if (is_dict(lease->container))
        return dict_differs(lease);
    size_t n, pos = 0;
    if (is_exact(lease->container, &type_list)) {
        const value *items = sequence_items(lease->container, &n);
        return n && memcmp(items, lease->was, n * sizeof *items);
    }
    value item;
    for (uint32_t k = 0; set_next(lease->container, &pos, &item); k++)
        if (lease->was[k] != item)
            return true;
    return false;
}

bool any_lease_changed(const struct foreign *f)
{
    for (uint32_t i = 1; i < f->leases.len; i++)
        if (f->leases.at[i].container && differs(f, &f->leases.at[i]))
            return true;
    return false;
}

value lease_container(struct foreign *f, uint32_t number)
{
    return number < f->leases.len ? f->leases.at[number].container : NO_VALUE;
}

/* ---- writing ---- */

enum { KIND_LIST, KIND_DICT, KIND_SET, KIND_DEFAULTDICT }; /* KINDS there */

static int kind_of(value container)
{
    if (is_exact(container, &type_list))
        return KIND_LIST;
    if (is_exact(container, &type_dict))
        return KIND_DICT;
    return is_exact(container, &type_defaultdict) ? KIND_DEFAULTDICT : KIND_SET;
}

/* (kind; whether items are marked; [items]); the items of a defaultdict begin with its factory. */
static bool write_filling(struct writer *w, uint32_t number)
{
    struct foreign *f = w->vm->foreign;
    value container = f->leases.at[number].container;
    bool before = w->marked;
    write_tuple(w, 3);
    int kind = kind_of(container);
    write_int(w, kind);
    size_t flag = w->out.len;
    buf_char(&w->out, 'F');
    w->marked = false;
    write_list(w, f->leases.at[number].nwas + (kind == KIND_DEFAULTDICT));
    bool fine = kind != KIND_DEFAULTDICT || write_value(w, defaultdict_factory(container));
    for (uint32_t i = 0; fine && i < f->leases.at[number].nwas; i++)
        fine = write_value(w, f->leases.at[number].was[i]); /* may move leases.at */
    if (w->marked)
        w->out.at[flag] = 'T';
    w->marked |= before;
    return fine;
}

/* The map keeps what was leased once: it is made anew when most of that is over. */
static void forget_addresses(struct foreign *f)
{
    map_free(&f->lease_numbers);
    for (uint32_t i = 1; i < f->leases.len; i++)
        if (f->leases.at[i].container)
            map_set(&f->lease_numbers, f->leases.at[i].container, i);
}

static void end_lease(struct foreign *f, uint32_t number)
{
    free(f->leases.at[number].was);
    f->leases.at[number] = (struct lease){0};
    vec_push(&f->vacant_leases, number);
}

void leases_unsent(struct foreign *f)
{
    while (f->unsent.len)
        end_lease(f, f->unsent.at[--f->unsent.len]);
}

static uint32_t new_lease(struct foreign *f, value container, bool sent)
{
    uint32_t number;
    if (f->vacant_leases.len) {
        number = f->vacant_leases.at[--f->vacant_leases.len];
    } else {
        number = f->leases.len;
        vec_push(&f->leases, ((struct lease){0}));
    }
    f->leases.at[number].container = container;
    if (f->lease_numbers.len > 1000 + 4 * f->leases.len)
        forget_addresses(f);
    map_set(&f->lease_numbers, container, number);
    if (!sent)
        vec_push(&f->unsent, number);
    remember(&f->leases.at[number]);
    return number;
}

bool write_lease(struct writer *w, value container)
{
    struct foreign *f = w->vm->foreign;
    uint32_t number = map_find(&f->lease_numbers, container);
    bool known = number && lease_container(f, number) == container;
    if (!known)
        number = new_lease(f, container, false);
    write_mark(w, MARK_LEASE, 2);
    write_int(w, number);
    if (!known)
        return write_filling(w, number);
    buf_char(&w->out, 'N');
    return true;
}

bool write_changes(struct writer *w)
{
    struct foreign *f = w->vm->foreign;
    uint32_t changed = 0;
    size_t head = w->out.len;
    write_list(w, 0);
    uint32_t last = f->leases.len; /* what is new behind it is written whole */
    for (uint32_t i = 1; i < last; i++) {
        if (!f->leases.at[i].container || !differs(f, &f->leases.at[i]))
            continue;
        changed += 2;
        remember(&f->leases.at[i]);
        write_int(w, i);
        if (!write_filling(w, i))
            return false;
    }
    for (int i = 0; i < 4; i++)
        w->out.at[head + 1 + (size_t)i] = (char)(changed >> 8 * i);
    return true;
}

/* ---- reading ---- */

static bool fill(struct vm *vm, value container, value list)
{
    size_t n;
    const value *items = sequence_items(list, &n);
    if (is_exact(container, &type_list)) {
        struct list *own = as_list(container);
        own->len = 0;
        for (size_t i = 0; i < n; i++)
            list_push(vm, container, items[i]);
        return true;
    }
    dict_clear(vm, as_dict(container));
    bool dict = is_dict(container);
    for (size_t i = 0; i + dict < n; i += 1 + dict)
        if (dict ? !dict_set(vm, container, items[i], items[i + 1])
                 : !set_add(vm, container, items[i]))
            return false;
    return true;
}

value borrow_container(struct foreign *f, struct vm *vm, uint32_t loan, value kind, value items)
{
    value container = kind == small(KIND_LIST)   ? list_new(vm, NULL, 0)
                      : kind == small(KIND_DICT) ? dict_new(vm)
                      : kind == small(KIND_SET)  ? set_new(vm)
                                                 : NO_VALUE;
    if (!container || !is_list(items) || !fill(vm, container, items))
        return NO_VALUE;
    vec_push(&f->borrowed, loan);
    vec_push(&f->borrowed, new_lease(f, container, true));
    return container;
}

bool read_changes(struct reader *r)
{
    struct foreign *f = r->vm->foreign;
    int64_t n = read_head(r, '[');
    for (int64_t i = 0; i < n; i += 2) {
        value number = read_value(r), items = number ? read_value(r) : NO_VALUE;
        value container = items && is_small(number)
                              ? lease_container(f, (uint32_t)small_int(number))
                              : NO_VALUE;
        if (!container || !is_list(items) || !fill(r->vm, container, items))
            return false;
        remember(&f->leases.at[small_int(number)]);
    }
    return n >= 0;
}

bool read_ended(struct reader *r)
{
    struct foreign *f = r->vm->foreign;
    int64_t n = read_head(r, '[');
    for (int64_t i = 0; i < n; i++) {
        value v = read_value(r);
        uint32_t number = v && is_small(v) ? (uint32_t)small_int(v) : 0;
        if (!number || !lease_container(f, number))
            return false;
        end_lease(f, number);
    }
    return n >= 0;
}
