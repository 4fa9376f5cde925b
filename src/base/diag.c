// SPDX-License-Identifier: MIT
/* diag.c: diagnostics, collected and shown. Of a span over several lines the first is shown; tabs
 * are widened to multiples of 4; of a long line a window around the span is shown:
 *
 *      7 | ...k, l, m, "unclosed, n, o, p, q...
 *        |             ^^^^^^^^^ */
#include "base/diag.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ensure.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/utf8.h"
#include "base/visible.h"

enum { TAB = 4, LINE_WIDTH = 100, BEFORE_SPAN = 40 };

/* A note or a hint. */
struct remark {
    struct span span;
    const char *text;
    bool is_hint;
};

struct diag {
    uint32_t number; /* counts all that are recorded */
    enum severity severity;
    const char *kind; /* NULL: "error" or "warning" */
    struct span span;
    const char *headline;
    VEC(struct remark) remarks;
};

struct diags {
    struct sources *sources; /* borrowed */
    VEC(struct diag) all, aside;
    uint32_t nrecorded;
    struct arena texts;
};

struct diags *diags_new(struct sources *sources)
{
    struct diags *dx = memory_zeroed(1, sizeof *dx);
    dx->sources = sources;
    return dx;
}

void diags_free(struct diags *dx)
{
    if (!dx)
        return;
    diag_drop(dx, 0);
    for (uint32_t i = 0; i < dx->aside.len; i++)
        vec_free(&dx->aside.at[i].remarks);
    vec_free(&dx->aside);
    vec_free(&dx->all);
    arena_free(&dx->texts);
    free(dx);
}

struct sources *diags_sources(const struct diags *dx)
{
    return dx->sources;
}

static const char *format_text(struct diags *dx, const char *format, va_list args)
{
    struct buf text = {0};
    buf_vprintf(&text, format, args);
    const char *kept = arena_copy(&dx->texts, buf_text(&text), text.len);
    buf_free(&text);
    return kept;
}

static void record(struct diags *dx, struct diag diag, const char *format, va_list args)
{
    diag.headline = format_text(dx, format, args);
    diag.number = dx->nrecorded++;
    vec_push(&dx->all, diag);
}

bool complain(struct diags *dx, struct span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(dx, (struct diag){.severity = SEVERITY_ERROR, .span = span}, format, args);
    va_end(args);
    return false;
}

bool complain_kind(struct diags *dx, const char *kind, struct span span, const char *format, ...)
{
    struct diag diag = {.severity = SEVERITY_ERROR, .span = span};
    va_list args;
    if (kind)
        diag.kind = arena_str(&dx->texts, kind);
    va_start(args, format);
    record(dx, diag, format, args);
    va_end(args);
    return false;
}

void warn(struct diags *dx, struct span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(dx, (struct diag){.severity = SEVERITY_WARNING, .span = span}, format, args);
    va_end(args);
}

static void add_remark(struct diags *dx, struct remark remark, const char *format, va_list args)
{
    ensure(dx->all.len);
    remark.text = format_text(dx, format, args);
    vec_push(&dx->all.at[dx->all.len - 1].remarks, remark);
}

void diag_note(struct diags *dx, struct span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_remark(dx, (struct remark){.span = span}, format, args);
    va_end(args);
}

void diag_hint(struct diags *dx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_remark(dx, (struct remark){.is_hint = true}, format, args);
    va_end(args);
}

void diag_hint_full(struct diags *dx, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        diag_hint(dx, "the disk or quota is full; free some room and run again, nothing is lost");
}

bool diag_meant(struct diags *dx, const char *near)
{
    if (near)
        diag_hint(dx, "did you mean '%s'?", near);
    return near;
}

int diag_errors(const struct diags *dx)
{
    int n = 0;
    for (uint32_t i = 0; i < dx->all.len; i++)
        n += dx->all.at[i].severity == SEVERITY_ERROR;
    return n;
}

int diag_mark(const struct diags *dx)
{
    return (int)dx->all.len;
}

void diag_drop(struct diags *dx, int mark)
{
    while (dx->all.len > (uint32_t)mark) {
        dx->all.len--;
        vec_free(&dx->all.at[dx->all.len].remarks);
    }
    if (!dx->all.len && !dx->aside.len)
        arena_reset(&dx->texts);
}

void diag_remove(struct diags *dx, int mark, int n)
{
    uint32_t from = (uint32_t)mark, to = from + (uint32_t)n;
    if (to > dx->all.len)
        return;
    for (uint32_t i = from; i < to; i++)
        vec_free(&dx->all.at[i].remarks);
    for (uint32_t i = to; i < dx->all.len; i++)
        dx->all.at[i - (uint32_t)n] = dx->all.at[i];
    dx->all.len -= (uint32_t)n;
}

static int by_place(const void *a, const void *b)
{
    const struct diag *x = a, *y = b;
    if (x->span.at != y->span.at)
        return x->span.at < y->span.at ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

void diag_sort(struct diags *dx, int mark)
{
    if (dx->all.len > (uint32_t)mark)
        qsort(dx->all.at + mark, dx->all.len - (uint32_t)mark, sizeof *dx->all.at, by_place);
}

uint32_t diag_put_aside(struct diags *dx)
{
    ensure(dx->all.len);
    vec_push(&dx->aside, dx->all.at[--dx->all.len]);
    return dx->aside.len;
}

void diag_return(struct diags *dx, uint32_t aside)
{
    struct diag *diag = &dx->aside.at[aside - 1];
    vec_push(&dx->all, *diag);
    *diag = (struct diag){0};
}

void diag_wrap(struct diags *dx, const char *kind, const char *format, ...)
{
    ensure(dx->all.len);
    struct diag *diag = &dx->all.at[dx->all.len - 1];
    va_list args;
    va_start(args, format);
    const char *text = format_text(dx, format, args);
    va_end(args);
    bool other = diag->kind && strcmp(diag->kind, kind);
    diag->headline = arena_printf(&dx->texts, "%s%s%s%s", text, other ? diag->kind : "",
                                  other ? ": " : "", diag->headline);
    diag->kind = arena_str(&dx->texts, kind);
}

const char *diag_last(const struct diags *dx)
{
    return dx->all.len ? dx->all.at[dx->all.len - 1].headline : "";
}

const char *diag_kind(const struct diags *dx)
{
    return dx->all.len ? dx->all.at[dx->all.len - 1].kind : NULL;
}

void diag_last_told(const struct diags *dx, struct buf *out)
{
    struct place place;
    const struct diag *last = dx->all.len ? &dx->all.at[dx->all.len - 1] : NULL;
    if (!last)
        return;
    buf_printf(out, "%s%s%s", last->kind ? last->kind : "", last->kind ? ": " : "", last->headline);
    if (source_place(dx->sources, last->span.at, &place))
        buf_printf(out, " (%s:%d)", place.name, place.line);
    for (uint32_t i = 0; i < last->remarks.len; i++)
        if (last->remarks.at[i].is_hint)
            buf_printf(out, "; %s", last->remarks.at[i].text);
}

/* A character of the shown line: its bytes, and the columns it takes. */
struct cell {
    const char *at;
    int len, width;
};

/* The line cut into cells, and the cells that the span covers. */
struct excerpt {
    VEC(struct cell) cells;
    uint32_t from, to;
};

static void cut_line(struct excerpt *excerpt, const struct place *place, const char *stop)
{
    const char *at = place->line_text, *end = at + place->line_len;
    int column = 0;
    excerpt->from = (uint32_t)place->column - 1;
    excerpt->to = excerpt->from;
    while (at < end) {
        struct cell cell = {.at = at};
        uint32_t cp = utf8_next(&at, end);
        cell.len = (int)(at - cell.at);
        cell.width = cp == '\t' ? TAB - column % TAB : utf8_is_printable(cp) ? utf8_width(cp) : 1;
        column += cell.width;
        vec_push(&excerpt->cells, cell);
        if (cell.at < stop)
            excerpt->to = excerpt->cells.len;
    }
    if (excerpt->from > excerpt->cells.len)
        excerpt->from = excerpt->cells.len;
    if (excerpt->to < excerpt->from)
        excerpt->to = excerpt->from;
}

/* The cells to show: all that fit, or a window that begins a little before the span. */
static void choose_window(const struct excerpt *excerpt, uint32_t *first, uint32_t *last)
{
    int width = 0, before = 0;
    for (uint32_t i = 0; i < excerpt->cells.len; i++)
        width += excerpt->cells.at[i].width;
    *first = 0;
    *last = excerpt->cells.len;
    if (width <= LINE_WIDTH)
        return;
    *first = excerpt->from;
    while (*first && before < BEFORE_SPAN)
        before += excerpt->cells.at[--*first].width;
    width = 0;
    *last = *first;
    while (*last < excerpt->cells.len && width < LINE_WIDTH)
        width += excerpt->cells.at[(*last)++].width;
}

static void put_times(struct buf *out, char c, int n)
{
    while (n-- > 0)
        buf_char(out, c);
}

static void put_cell(struct buf *out, const struct cell *cell)
{
    if (*cell->at == '\t')
        put_times(out, ' ', cell->width);
    else if (cell->len == 1 && ((unsigned char)*cell->at < 32 || (unsigned char)*cell->at >= 127))
        buf_char(out, '?'); /* a control character or a stray byte must not reach the terminal */
    else
        buf_add(out, cell->at, (size_t)cell->len);
}

/* The source line into line, its marks into carets. */
static void draw(const struct excerpt *excerpt, struct buf *line, struct buf *carets)
{
    uint32_t first, last;
    choose_window(excerpt, &first, &last);
    if (first) {
        buf_str(line, "...");
        put_times(carets, ' ', 3);
    }
    for (uint32_t i = first; i < last; i++) {
        put_cell(line, &excerpt->cells.at[i]);
        if (i < excerpt->from)
            put_times(carets, ' ', excerpt->cells.at[i].width);
        else if (i < excerpt->to)
            put_times(carets, '^', excerpt->cells.at[i].width);
    }
    if (last < excerpt->cells.len)
        buf_str(line, "...");
    if (excerpt->from == excerpt->to)
        buf_char(carets, '^');
}

struct printer {
    const struct sources *sources;
    FILE *out;
    int gutter; /* digits of the largest line number shown, at least 2 */
    bool color;
    struct buf shown;
};

static const char *paint(const struct printer *printer, const char *code)
{
    return printer->color ? code : "";
}

#define BOLD   "\033[1m"
#define RED    "\033[1;31m"
#define YELLOW "\033[1;33m"
#define BLUE   "\033[1;34m"
#define PLAIN  "\033[0m"

/* A text with names in it; valid until the next call. */
static const char *show(struct printer *printer, const char *text)
{
    buf_reset(&printer->shown);
    buf_shown(&printer->shown, printer->out, text, strlen(text), false);
    return buf_text(&printer->shown);
}

static void print_arrow(struct printer *printer, const struct place *place)
{
    fprintf(printer->out, "%*s%s-->%s %s:%d:%d", printer->gutter, "", paint(printer, BLUE),
            paint(printer, PLAIN), show(printer, place->name), place->line, place->column);
}

static void print_excerpt(const struct printer *printer, const struct place *place,
                          struct span span)
{
    struct excerpt excerpt = {0};
    struct buf line = {0}, carets = {0};
    const char *blue = paint(printer, BLUE), *plain = paint(printer, PLAIN);
    size_t len;
    const char *text = span_text(printer->sources, span, &len);
    cut_line(&excerpt, place, text + len);
    draw(&excerpt, &line, &carets);
    fprintf(printer->out, "%*s %s|%s\n", printer->gutter, "", blue, plain);
    fprintf(printer->out, "%s%*d |%s %s\n", blue, printer->gutter, place->line, plain,
            buf_text(&line));
    fprintf(printer->out, "%*s %s|%s %s%s%s\n", printer->gutter, "", blue, plain,
            paint(printer, RED), buf_text(&carets), plain);
    buf_free(&line);
    buf_free(&carets);
    vec_free(&excerpt.cells);
}

static void print_remark(struct printer *printer, const struct remark *remark)
{
    struct place place;
    fprintf(printer->out, "  %s%s:%s %s\n", paint(printer, BOLD), remark->is_hint ? "hint" : "note",
            paint(printer, PLAIN), show(printer, remark->text));
    if (!source_place(printer->sources, remark->span.at, &place))
        return;
    print_arrow(printer, &place);
    fputc('\n', printer->out);
}

static int digits(int number)
{
    return number < 10 ? 1 : 1 + digits(number / 10);
}

static void measure(struct printer *printer, struct span span)
{
    struct place place;
    if (source_place(printer->sources, span.at, &place) && digits(place.line) > printer->gutter)
        printer->gutter = digits(place.line);
}

static void print_one(struct printer *printer, const struct diag *diag)
{
    struct place place;
    bool is_error = diag->severity == SEVERITY_ERROR;
    printer->gutter = 2;
    measure(printer, diag->span);
    for (uint32_t i = 0; i < diag->remarks.len; i++)
        measure(printer, diag->remarks.at[i].span);
    fprintf(printer->out, "%s%s:%s %s%s%s\n", paint(printer, is_error ? RED : YELLOW),
            diag->kind ? diag->kind
            : is_error ? "error"
                       : "warning",
            paint(printer, PLAIN), paint(printer, BOLD), show(printer, diag->headline),
            paint(printer, PLAIN));
    if (source_place(printer->sources, diag->span.at, &place)) {
        print_arrow(printer, &place);
        if (is_error && diag->kind)
            fprintf(printer->out, " (line %d, column %d)", place.line, place.column);
        fputc('\n', printer->out);
        print_excerpt(printer, &place, diag->span);
    }
    for (uint32_t i = 0; i < diag->remarks.len; i++)
        print_remark(printer, &diag->remarks.at[i]);
}

void diag_print(struct diags *dx, FILE *out, bool color)
{
    struct printer printer = {.sources = dx->sources, .out = out, .color = color};
    for (uint32_t i = 0; i < dx->all.len; i++)
        print_one(&printer, &dx->all.at[i]);
    buf_free(&printer.shown);
    diag_drop(dx, 0);
}
