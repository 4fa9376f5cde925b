// SPDX-License-Identifier: MIT
/* foreign_link.h: what the files of foreign.h share. lib/_foreign.py is the other side of all of
 * it. */
#pragma once

#include "python/foreign.h"
#include "python/vm_state.h"

/* In the order of OPERATIONS there. */
enum foreign_op {
    FOREIGN_LOAD,
    FOREIGN_GETATTR,
    FOREIGN_SETATTR,
    FOREIGN_DELATTR,
    FOREIGN_CALL,
    FOREIGN_METHOD,
    FOREIGN_GETITEM,
    FOREIGN_SETITEM,
    FOREIGN_DELITEM,
    FOREIGN_LEN,
    FOREIGN_TRUTH,
    FOREIGN_HASH,
    FOREIGN_REPR,
    FOREIGN_STR,
    FOREIGN_FORMAT,
    FOREIGN_BINARY,
    FOREIGN_INPLACE,
    FOREIGN_COMPARE,
    FOREIGN_UNARY,
    FOREIGN_CONTAINS,
    FOREIGN_ITER,
    FOREIGN_MORE,
    FOREIGN_PUSH_BACK,
    FOREIGN_ISINSTANCE,
    FOREIGN_ISSUBCLASS,
    FOREIGN_DIR,
    FOREIGN_TYPE,
    FOREIGN_DESCRIBE,
    FOREIGN_ENVIRONMENT,
    FOREIGN_PICKLE,
    FOREIGN_BASE,
    FOREIGN_BYTES,
    FOREIGN_BUFFER,
};
/* What the objects of a class can do: SPECIALS there, and two more. */
enum foreign_can {
    CAN_CALL = 1,
    CAN_LEN = 2,
    CAN_TRUTH = 4,
    CAN_GETITEM = 8,
    CAN_SETITEM = 16,
    CAN_CONTAINS = 32,
    CAN_ITER = 64,
    CAN_NEXT = 128,
    CAN_CLASS = 256,
    CAN_RAISE = 512,
};
/* Bits of the first byte of a message, and what follows the Ellipsis of a marked tuple. */
enum { ASK, ANSWER, FAILED, KIND, MARKED, RELEASES = 8, NOTES = 16 };
enum {
    MARK_HANDLE,
    MARK_NATIVE,
    MARK_BUILTIN,
    MARK_BUILD,
    MARK_ESCAPED,
    MARK_ROW,
    MARK_LEASE,
    MARK_SHARED,
    MARK_SAME,
    MARK_LOAN
};

/* A foreign class as the type of its handles. */
struct foreign_class {
    struct type type; /* first */
    uint32_t can;     /* CAN_* */
    char *name;       /* owned */
    value module;     /* str */
    value row;        /* the namedtuple class of ours that stands for it, or NO_VALUE */
};
struct handle {
    struct object object;
    uint32_t id;  /* over there */
    uint32_t got; /* how often it was handed to us */
    value ahead;  /* list: items of an iterator that were fetched already, or NO_VALUE */
    size_t pos;   /* of the next of them */
    bool done;    /* no more come behind them */
};
/* An object of ours that foreign code has. */
struct lent {
    value v;
    uint32_t count; /* how often it was handed over; 0: free */
};
/* A container that both sides have: foreign_lease.c. */
struct lease {
    value container; /* NO_VALUE: free */
    value *was;      /* owned: its items when both sides last agreed */
    uint32_t nwas;
};

struct foreign {
    int fd, pid;
    bool dead;
    bool sweepable;                      /* of the call that is about to be made: see note_caller */
    char *why;                           /* owned: of its end */
    char *program;                       /* owned: what was started */
    int depth;                           /* calls that are under way */
    unsigned seen;                       /* environment_version() that it knows */
    VEC(struct foreign_class *) classes; /* by number; owned */
    VEC(struct handle *) handles;        /* by id; NULL: none lives */
    VEC(uint32_t) released;              /* id and count of handles that were swept */
    /* dict: (module, name, base) -> class of ours for a foreign exception */
    value errors;
    VEC(struct lent) lent;    /* by number; the first is unused */
    VEC(uint32_t) vacant;     /* numbers in lent that are free */
    struct map numbers;       /* value -> number in lent */
    VEC(struct lease) leases; /* by number; the first is unused */
    VEC(uint32_t) vacant_leases;
    VEC(uint32_t) unsent;     /* leases that begin with the message being written */
    VEC(uint32_t) borrowed;   /* loan, lease, ...: what the child has not been told yet */
    struct map lease_numbers; /* value -> number in leases */
};

static inline struct handle *as_handle(value v)
{
    return (struct handle *)as_object(v);
}
static inline const struct foreign_class *class_of_handle(value v)
{
    return (const struct foreign_class *)as_object(v)->type;
}

/* ---- foreign.c ---- */
/* The handle of an object of a class. */
value handle_of(struct vm *vm, uint32_t id, uint32_t class);
/* A class that was told about for the first time. */
void class_add(struct vm *vm, uint32_t number, const char *module, const char *name, uint32_t can);

/* ---- foreign_link.c ---- */
/* Has the child do something with one of its objects (NO_VALUE: with none) and n more arguments. */
value foreign_ask(struct vm *vm, enum foreign_op op, value target, const value *args, int n);
/* The same for those that answer with a bool. */
bool foreign_ask_bool(struct vm *vm, enum foreign_op op, value target, const value *args, int n,
                      bool *out);

/* ---- foreign_value.c ---- */
struct writer {
    struct vm *vm;
    struct buf out;
    bool marked; /* a tuple with an Ellipsis was written */
    int depth;
};
struct reader {
    struct vm *vm;
    const char *at, *end;
    bool bad; /* what is there is no value */
    int depth;
    /* list: the containers that stand there more than once, by number; NO_VALUE before the first */
    value shared;
};
/* Appends v; false: raised. */
bool write_value(struct writer *w, value v);
/* Keywords of a call: a dict that is nobody else's, or None. */
bool write_keywords(struct writer *w, value dict);
/* The head of a tuple; its n items are to follow. */
void write_tuple(struct writer *w, uint32_t n);
/* The head of a list. */
void write_list(struct writer *w, uint32_t n);
/* The head of a marked tuple; so many items are to follow what = MARK_*. */
void write_mark(struct writer *w, int what, uint32_t items);
/* A whole number. */
void write_int(struct writer *w, int64_t i);
/* A string, in UTF-8. */
void write_text(struct writer *w, const char *text, size_t len);
/* The next value; NO_VALUE: raised, or bad. */
value read_value(struct reader *r);
/* The number of items of the tuple or list that is next; -1: it is none of them, and bad. */
int64_t read_head(struct reader *r, char kind);

/* ---- foreign_lease.c ---- */
/* Appends the marked tuple of a list, dict or set, with what is in it unless the child knows
 * that. */
bool write_lease(struct writer *w, value container);
/* Appends (number, filling, ...) of those that were changed here: a list; false: raised. */
bool write_changes(struct writer *w);
bool any_lease_changed(const struct foreign *f); /* of those that are looked at now */
/* Takes [number, items, ...] of what was changed there, and [number, ...] of what is not used there
 * any more. */
bool read_changes(struct reader *r);
/* False: that is no lease. */
bool read_ended(struct reader *r);
/* The list, dict or set of a lease; NO_VALUE: there is none. */
value lease_container(struct foreign *f, uint32_t number);
/* A list, dict or set of the child (by its kind there) with these items, which is leased from now
 * on; NO_VALUE: raised, or no such kind. */
value borrow_container(struct foreign *f, struct vm *vm, uint32_t loan, value kind, value items);
/* The message was not sent: what began with it has not begun. */
void leases_unsent(struct foreign *f);

/* ---- foreign_native.c ---- */
/* Appends the marked tuple of an object of ours. */
bool write_native(struct writer *w, value v);
/* The object of ours that the child knows by that number; NO_VALUE: none. */
value lent_value(struct foreign *f, uint32_t number);
/* The child has dropped a reference to it. */
void take_back(struct foreign *f, uint32_t number);
/* Does what the child asks: (what, number, arguments...) as a tuple; NO_VALUE: raised. sweepable: a
 * function may sweep the heap, as no C code below holds values. */
value native_do(struct vm *vm, value request, bool sweepable);

/* ---- foreign_error.c ---- */
/* Raises the exception that a FAILED message describes; always NO_VALUE. */
value raise_described(struct vm *vm, value description);
/* The foreign exception that one of ours stands for; NO_VALUE: none. */
value foreign_of(struct vm *vm, value exception);
/* Appends what the child makes an exception of ours from. */
bool write_exception(struct writer *w, value exception);
