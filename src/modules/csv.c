// SPDX-License-Identifier: MIT
/* _csv: rows from lines and lines from rows. Dialects and what works with dicts are lib/csv.py,
 * which hands over dialects that are known to be sound. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "modules/modules.h"
#include "python/str.h"
#include "python/vm_state.h"

enum quoting {
    QUOTE_MINIMAL,
    QUOTE_ALL,
    QUOTE_NONNUMERIC,
    QUOTE_NONE,
    QUOTE_STRINGS,
    QUOTE_NOTNULL
};

struct dialect {
    struct text delimiter, quote, escape, end; /* empty: there is none */
    bool doublequote, skip_space, strict;
    uint8_t quoting;
    bool special[256]; /* first bytes of what a reader has to look at */
};

/* The fields of the tuple that lib/csv.py makes; its strings are borrowed. */
static bool dialect_read(struct vm *vm, value params, struct dialect *d)
{
    size_t n;
    int64_t quoting;
    const value *at = sequence_items(params, &n);
    if (!at || n != 8 || !int_get(at[6], &quoting))
        return vm_raise(vm, "TypeError", "a dialect is expected");
    struct text *texts[] = {&d->delimiter, &d->quote, &d->escape, &d->end};
    static const int places[] = {0, 1, 2, 5};
    for (int i = 0; i < 4; i++)
        *texts[i] = is_str(at[places[i]]) ? text_of(at[places[i]]) : (struct text){"", 0};
    d->doublequote = at[3] == VALUE_TRUE;
    d->skip_space = at[4] == VALUE_TRUE;
    d->strict = at[7] == VALUE_TRUE;
    d->quoting = (uint8_t)quoting;
    for (int i = 0; i < 3; i++)
        if (texts[i]->len)
            d->special[(uint8_t)texts[i]->at[0]] = true;
    d->special['\n'] = d->special['\r'] = true;
    return true;
}

static bool same(struct text a, struct text b)
{
    return a.len && a.len == b.len && !memcmp(a.at, b.at, a.len);
}

static bool fail(struct vm *vm, const char *what)
{
    return vm_raise(vm, "_csv.Error", "%s", what);
}

/* ==== reading ==== */

enum state {
    ROW_START,
    FIELD_START,
    IN_FIELD,
    ESCAPED,
    AFTER_ESCAPED_END, /* the rest of the field; the end of the line is none for it */
    IN_QUOTES,
    ESCAPED_IN_QUOTES,
    QUOTE_IN_QUOTES,
    ROW_END,
};
struct reader {
    struct object object;
    value lines, dialect, params;
    struct dialect d;
    struct buf field; /* owned */
    int64_t line_num, limit;
    uint8_t state;
    bool number; /* the field stands without quotes where these mean text */
};
extern const struct type type_csv_reader, type_csv_writer;

static bool add(struct vm *vm, struct reader *r, struct text c)
{
    if ((int64_t)(r->field.len + c.len) > r->limit &&
        (int64_t)(utf8_count(buf_text(&r->field), r->field.len) + utf8_count(c.at, c.len)) >
            r->limit)
        return vm_raise(vm, "_csv.Error", "field larger than field limit (%lld)",
                        (long long)r->limit);
    buf_add(&r->field, c.at, c.len);
    return true;
}

static bool save(struct vm *vm, struct reader *r, value row, enum state next)
{
    value field = str_new(vm, buf_text(&r->field), r->field.len);
    buf_reset(&r->field);
    if (r->number)
        field = vm_call1(vm, type_value(&type_float), field);
    r->number = false;
    r->state = (uint8_t)next;
    if (field)
        list_push(vm, row, field);
    return field;
}

/* What ends a field that stands without quotes (or is behind its quotes); 0: nothing of that
 * kind. */
static int field_end(struct vm *vm, struct reader *r, struct text c, value row)
{
    if (!c.len || *c.at == '\n' || *c.at == '\r')
        return save(vm, r, row, c.len ? ROW_END : ROW_START) ? 1 : -1;
    if (same(c, r->d.delimiter))
        return save(vm, r, row, FIELD_START) ? 1 : -1;
    return 0;
}

static bool begin_field(struct vm *vm, struct reader *r, struct text c)
{
    if (same(c, r->d.quote) && r->d.quoting != QUOTE_NONE) {
        r->state = IN_QUOTES;
    } else if (same(c, r->d.escape)) {
        r->state = ESCAPED;
    } else if (!(r->d.skip_space && *c.at == ' ')) {
        r->number = r->d.quoting == QUOTE_NONNUMERIC;
        r->state = IN_FIELD;
        return add(vm, r, c);
    }
    return true;
}

static bool go_on(struct vm *vm, struct reader *r, struct text c)
{
    if (!same(c, r->d.escape))
        return add(vm, r, c);
    r->state = ESCAPED;
    return true;
}

static bool within_quotes(struct vm *vm, struct reader *r, struct text c)
{
    if (!c.len)
        return true;
    if (same(c, r->d.escape))
        r->state = ESCAPED_IN_QUOTES;
    else if (same(c, r->d.quote))
        r->state = r->d.doublequote ? QUOTE_IN_QUOTES : IN_FIELD;
    else
        return add(vm, r, c);
    return true;
}

static bool behind_quote(struct vm *vm, struct reader *r, struct text c)
{
    if (same(c, r->d.quote)) {
        r->state = IN_QUOTES;
        return add(vm, r, c);
    }
    if (r->d.strict)
        return vm_raise(vm, "_csv.Error", "'%.*s' expected after '%.*s'", (int)r->d.delimiter.len,
                        r->d.delimiter.at, (int)r->d.quote.len, r->d.quote.at);
    r->state = IN_FIELD;
    return add(vm, r, c);
}

static bool escaped(struct vm *vm, struct reader *r, struct text c)
{
    bool line_end = c.len && (*c.at == '\n' || *c.at == '\r');
    r->state = r->state == ESCAPED_IN_QUOTES ? IN_QUOTES : line_end ? AFTER_ESCAPED_END : IN_FIELD;
    return add(vm, r, c.len ? c : (struct text){"\n", 1});
}

/* One character, or (empty) the end of the line. */
static bool step(struct vm *vm, struct reader *r, struct text c, value row)
{
    int ended = 0;
    if (r->state == FIELD_START || r->state == IN_FIELD || r->state == QUOTE_IN_QUOTES)
        ended = field_end(vm, r, c, row);
    if (ended)
        return ended > 0;
    switch ((enum state)r->state) {
    case FIELD_START: return begin_field(vm, r, c);
    case ESCAPED:
    case ESCAPED_IN_QUOTES: return escaped(vm, r, c);
    case AFTER_ESCAPED_END:
        if (!c.len)
            return true;
        ended = field_end(vm, r, c, row);
        return ended ? ended > 0 : go_on(vm, r, c);
    case IN_FIELD: return go_on(vm, r, c);
    case IN_QUOTES: return within_quotes(vm, r, c);
    case QUOTE_IN_QUOTES: return behind_quote(vm, r, c);
    case ROW_START:
        if (c.len) {
            r->state = *c.at == '\n' || *c.at == '\r' ? ROW_END : FIELD_START;
            return r->state == ROW_END || step(vm, r, c, row);
        }
        return true;
    case ROW_END:
        if (!c.len)
            r->state = ROW_START;
        else if (*c.at != '\n' && *c.at != '\r')
            return fail(
                vm, "new-line character seen in unquoted field - do you need to open the file in "
                    "universal-newline mode?");
        return true;
    }
    return true;
}

static bool read_line(struct vm *vm, struct reader *r, struct text line, value row)
{
    for (size_t at = 0; at < line.len;) {
        size_t n = 1;
        if (r->state == IN_FIELD || r->state == IN_QUOTES) { /* what needs no look, at once */
            size_t end = at;
            while (end < line.len && !r->d.special[(uint8_t)line.at[end]])
                end++;
            if (end > at) {
                if (!add(vm, r, (struct text){line.at + at, end - at}))
                    return false;
                at = end;
                continue;
            }
        }
        while (at + n < line.len && ((uint8_t)line.at[at + n] & 0xC0) == 0x80)
            n++;
        if (!step(vm, r, (struct text){line.at + at, n}, row))
            return false;
        at += n;
    }
    return step(vm, r, (struct text){"", 0}, row);
}

/* The source has ended: what was begun is a row still. False: there is none. */
static bool finish_row(struct vm *vm, struct reader *r, value row)
{
    if (!r->field.len && r->state != IN_QUOTES)
        return false;
    if (r->d.strict)
        return fail(vm, "unexpected end of data");
    return save(vm, r, row, ROW_START);
}

static value reader_next(struct vm *vm, value self)
{
    struct reader *r = (struct reader *)as_object(self);
    value row = list_new(vm, NULL, 0);
    buf_reset(&r->field);
    r->state = ROW_START;
    r->number = false;
    do {
        value line = value_next(vm, r->lines);
        if (!line)
            return !vm->error && finish_row(vm, r, row) ? row : NO_VALUE;
        if (!is_str(line))
            return vm_raise(
                vm, "_csv.Error",
                "iterator should return strings, not %s (the file should be opened in text mode)",
                type_name(line));
        r->line_num++;
        if (!read_line(vm, r, text_of(line), row))
            return NO_VALUE;
    } while (r->state != ROW_START);
    return row;
}

static value reader_iter(struct vm *vm, value self)
{
    return self;
}

// _csv.reader(lines, dialect, params, limit)
static value csv_reader(struct vm *vm, const struct args *args)
{
    int64_t limit;
    struct dialect d = {0};
    if (!arg_int(vm, args, 3, 131072, &limit) || !dialect_read(vm, args->at[2], &d))
        return NO_VALUE;
    value lines = value_iter(vm, args->at[0]);
    if (!lines)
        return NO_VALUE;
    struct reader *r = object_new(vm, &type_csv_reader);
    r->lines = lines;
    r->dialect = args->at[1];
    r->params = args->at[2];
    r->limit = limit;
    r->d = d;
    return from_object(r);
}

static value reader_dialect(struct vm *vm, const struct args *args)
{
    return ((struct reader *)as_object(args->at[0]))->dialect;
}

static value reader_line_num(struct vm *vm, const struct args *args)
{
    return int_from(vm, ((struct reader *)as_object(args->at[0]))->line_num);
}

static void reader_mark(struct vm *vm, struct object *self)
{
    struct reader *r = (struct reader *)self;
    heap_mark(vm, r->lines);
    heap_mark(vm, r->dialect);
    heap_mark(vm, r->params);
}

static void reader_finish(struct vm *vm, struct object *self)
{
    buf_free(&((struct reader *)self)->field);
}

static const struct native_def reader_properties[] = {
    {"dialect", reader_dialect, "self", "How lines are read."},
    {"line_num", reader_line_num, "self", "Lines that were read."},
    {0}};

const struct type type_csv_reader = {
    .object = {.type = &type_type},
    .name = "_csv.reader",
    .base = &type_object,
    .size = sizeof(struct reader),
    .properties = reader_properties,
    .mark = reader_mark,
    .finish = reader_finish,
    .iter = reader_iter,
    .next = reader_next,
};

/* ==== writing ==== */

struct writer {
    struct object object;
    value write, dialect, params;
    struct dialect d;
};

/* Appends the text of a field, escaped; *quoted becomes true where quotes are needed. */
static bool escape_field(struct vm *vm, const struct dialect *d, struct text text, struct buf *out,
                         bool *quoted)
{
    for (size_t at = 0, n; at < text.len; at += n) {
        n = 1;
        while (at + n < text.len && ((uint8_t)text.at[at + n] & 0xC0) == 0x80)
            n++;
        struct text c = {text.at + at, n};
        bool is_quote = same(c, d->quote), is_escape = same(c, d->escape);
        bool in_end = d->end.len && text_find(d->end, c, 0) != SIZE_MAX;
        if (is_quote || is_escape || in_end || same(c, d->delimiter)) {
            bool doubled = is_quote && d->doublequote && d->quoting != QUOTE_NONE;
            if (d->quoting == QUOTE_NONE || is_escape || (is_quote && !d->doublequote)) {
                if (!d->escape.len)
                    return fail(vm, "need to escape, but no escapechar set");
                buf_add(out, d->escape.at, d->escape.len);
            } else {
                *quoted = true;
            }
            if (doubled)
                buf_add(out, c.at, c.len);
        }
        buf_add(out, c.at, c.len);
    }
    return true;
}

static bool put_field(struct vm *vm, const struct dialect *d, struct text text, bool quoted,
                      struct buf *out)
{
    struct buf field = {0};
    bool fine = escape_field(vm, d, text, &field, &quoted);
    if (fine && quoted)
        buf_add(out, d->quote.at, d->quote.len);
    if (fine)
        buf_add(out, buf_text(&field), field.len);
    if (fine && quoted)
        buf_add(out, d->quote.at, d->quote.len);
    buf_free(&field);
    return fine;
}

/* Whether QUOTE_NONNUMERIC leaves it without quotes. */
static bool is_number(struct vm *vm, value v)
{
    double d;
    if (float_get(v, &d) || is_int(v) || is_instance(v, &type_complex))
        return true;
    return is_object(v) && !is_str(v) &&
           (attr_special(vm, v, vm->sym.__float__) || attr_special(vm, v, vm->sym.__index__));
}

/* Whether an item has quotes whatever its text is. */
static bool is_quoted(struct vm *vm, const struct dialect *d, value item)
{
    switch ((enum quoting)d->quoting) {
    case QUOTE_ALL: return true;
    case QUOTE_NONNUMERIC: return !is_number(vm, item);
    case QUOTE_STRINGS: return is_str(item);
    case QUOTE_NOTNULL: return item != VALUE_NONE;
    case QUOTE_MINIMAL:
    case QUOTE_NONE: return false;
    }
    return false;
}

static bool write_item(struct vm *vm, const struct dialect *d, value item, struct buf *out)
{
    bool quoted = is_quoted(vm, d, item);
    if (item == VALUE_NONE)
        return put_field(vm, d, (struct text){"", 0}, quoted, out);
    value text = is_str(item) ? item : is_float(item) ? value_repr(vm, item) : value_str(vm, item);
    return text && put_field(vm, d, text_of(text), quoted, out);
}

static bool write_row(struct vm *vm, const struct dialect *d, value row, struct buf *out)
{
    struct iter it;
    size_t n = 0;
    if (!iter_open(vm, row, &it)) {
        if (!vm_failed_with(vm, "TypeError"))
            return false;
        vm_take_error(vm);
        return vm_raise(vm, "_csv.Error", "iterable expected, not %s", type_name(row));
    }
    for (value item; (item = iter_next(vm, &it)); n++) {
        if (n)
            buf_add(out, d->delimiter.at, d->delimiter.len);
        if (!write_item(vm, d, item, out))
            return false;
    }
    if (vm->error)
        return false;
    if (n && !out->len) { /* one empty field: an empty line would be no row */
        if (d->quoting == QUOTE_NONE)
            return fail(vm, "single empty field record must be quoted");
        put_field(vm, d, (struct text){"", 0}, true, out);
    }
    buf_add(out, d->end.at, d->end.len);
    return true;
}

static value write_one(struct vm *vm, struct writer *w, value row)
{
    struct buf line = {0};
    if (write_row(vm, &w->d, row, &line))
        return vm_call1(vm, w->write, str_take(vm, &line));
    buf_free(&line);
    return NO_VALUE;
}

static value writer_writerow(struct vm *vm, const struct args *args)
{
    return write_one(vm, (struct writer *)as_object(args->at[0]), args->at[1]);
}

static value writer_writerows(struct vm *vm, const struct args *args)
{
    struct iter it;
    if (!iter_open(vm, args->at[1], &it))
        return NO_VALUE;
    for (value row; (row = iter_next(vm, &it));)
        if (!write_one(vm, (struct writer *)as_object(args->at[0]), row))
            return NO_VALUE;
    return vm->error ? NO_VALUE : VALUE_NONE;
}

// _csv.writer(write, dialect, params)
static value csv_writer(struct vm *vm, const struct args *args)
{
    struct dialect d = {0};
    if (!dialect_read(vm, args->at[2], &d))
        return NO_VALUE;
    struct writer *w = object_new(vm, &type_csv_writer);
    w->write = args->at[0];
    w->dialect = args->at[1];
    w->params = args->at[2];
    w->d = d;
    return from_object(w);
}

static value writer_dialect(struct vm *vm, const struct args *args)
{
    return ((struct writer *)as_object(args->at[0]))->dialect;
}

static void writer_mark(struct vm *vm, struct object *self)
{
    struct writer *w = (struct writer *)self;
    heap_mark(vm, w->write);
    heap_mark(vm, w->dialect);
    heap_mark(vm, w->params);
}

static const struct native_def writer_methods[] = {
    {"writerow", writer_writerow, "self row /", "Writes a row."},
    {"writerows", writer_writerows, "self rows /", "Writes one after the other."},
    {0}};

static const struct native_def writer_properties[] = {
    {"dialect", writer_dialect, "self", "How rows are written."}, {0}};

const struct type type_csv_writer = {
    .object = {.type = &type_type},
    .name = "_csv.writer",
    .base = &type_object,
    .size = sizeof(struct writer),
    .methods = writer_methods,
    .properties = writer_properties,
    .mark = writer_mark,
};

static const struct native_def functions[] = {
    {"reader", csv_reader, "lines dialect params limit /", "Rows of lines."},
    {"writer", csv_writer, "write dialect params /", "Lines of rows."},
    {0}};

static bool fill_module(struct vm *vm, value module)
{
    return module_set(vm, module, "Error", exception_class(vm, "_csv.Error", "Exception", NULL));
}

const struct native_module module_csv = {"_csv", functions, fill_module};
