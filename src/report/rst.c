// SPDX-License-Identifier: MIT
/* rst.c: the blocks of a text: titles, paragraphs, lists, literal blocks, directives. A block is a
 * run of lines; what is indented deeper belongs to the block above it and is read by the same
 * function, with a bound on the depth. */
#include "report/rst.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/utf8.h"
#include "report/rst_inline.h"

enum { DEPTH_MOST = 24, STYLES_MOST = 6 };

struct line {
    const char *at; /* behind the indentation */
    uint32_t len;   /* without blanks at the end; 0: an empty line */
    uint32_t indent;
};

struct rst {
    struct rst_inline in;
    VEC(struct line) lines;
    VEC(struct rst_target) targets;
    struct buf *out;
    char style[STYLES_MOST][2]; /* how titles of each level are marked: character, overlined */
    int nstyles, depth;
};

static void blocks(struct rst *rst, uint32_t from, uint32_t to);

/* ---- lines ---- */

static void split_lines(struct rst *rst, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        const char *newline = memchr(text + i, '\n', len - i);
        size_t end = newline ? (size_t)(newline - text) : len, at = i, stop = end;
        uint32_t indent = 0;
        for (; at < end && (text[at] == ' ' || text[at] == '\t'); at++)
            indent += text[at] == '\t' ? 8 - indent % 8 : 1;
        while (stop > at && isspace((unsigned char)text[stop - 1]))
            stop--;
        struct line line = {text + at, (uint32_t)(stop - at), indent};
        vec_push(&rst->lines, line);
        i = end + 1;
    }
}

static const struct line *line_at(const struct rst *rst, uint32_t i)
{
    return &rst->lines.at[i];
}

/* The end of the lines from i on that are empty or indented by at least n. */
static uint32_t indented_end(const struct rst *rst, uint32_t i, uint32_t to, uint32_t n)
{
    uint32_t end = i;
    for (; i < to; i++) {
        if (line_at(rst, i)->len && line_at(rst, i)->indent < n)
            break;
        if (line_at(rst, i)->len)
            end = i + 1;
    }
    return end;
}

static uint32_t skip_empty(const struct rst *rst, uint32_t i, uint32_t to)
{
    while (i < to && !line_at(rst, i)->len)
        i++;
    return i;
}

static bool is_line(const struct line *line, const char *begin)
{
    size_t n = strlen(begin);
    return line->len >= n && !memcmp(line->at, begin, n);
}

/* A line of one punctuation character repeated; which one, or 0. */
static char ruler(const struct line *line)
{
    char c = line->len >= 2 && ispunct((unsigned char)line->at[0]) ? line->at[0] : 0;
    for (uint32_t i = 0; c && i < line->len; i++)
        if (line->at[i] != c)
            c = 0;
    return c;
}

/* ---- text ---- */

/* The lines joined by newlines, with their marks. */
static void inline_lines(struct rst *rst, uint32_t from, uint32_t to)
{
    struct buf text = {0};
    for (uint32_t i = from; i < to; i++) {
        buf_add(&text, line_at(rst, i)->at, line_at(rst, i)->len);
        if (i + 1 < to)
            buf_char(&text, '\n');
    }
    rst_inline(&rst->in, buf_text(&text), text.len, rst->out);
    buf_free(&text);
}

/* Lines as they stand, the common indentation taken off. */
static void literal_lines(struct rst *rst, uint32_t from, uint32_t to, const char *open,
                          const char *close)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = from; i < to; i++)
        if (line_at(rst, i)->len && line_at(rst, i)->indent < least)
            least = line_at(rst, i)->indent;
    buf_str(rst->out, open);
    for (uint32_t i = from; i < to; i++) {
        const struct line *line = line_at(rst, i);
        for (uint32_t k = least; line->len && k < line->indent; k++)
            buf_char(rst->out, ' ');
        html_escape(rst->out, line->at, line->len);
        buf_char(rst->out, '\n');
    }
    buf_str(rst->out, close);
}

/* The blocks of an indented run: depth is bounded, what is deeper stands as text. */
static void nested(struct rst *rst, uint32_t from, uint32_t to)
{
    if (rst->depth >= DEPTH_MOST) {
        literal_lines(rst, from, to, "<pre>", "</pre>\n");
        return;
    }
    rst->depth++;
    blocks(rst, from, to);
    rst->depth--;
}

/* ---- titles ---- */

static int title_level(struct rst *rst, char mark, bool overlined)
{
    int i = 0;
    while (i < rst->nstyles && (rst->style[i][0] != mark || rst->style[i][1] != (char)overlined))
        i++;
    if (i == rst->nstyles && i < STYLES_MOST) {
        rst->style[i][0] = mark;
        rst->style[i][1] = (char)overlined;
        rst->nstyles++;
    }
    int level = rst->in.options->heading + (i < STYLES_MOST ? i : STYLES_MOST - 1);
    return level > 6 ? 6 : level < 1 ? 1 : level;
}

static void add_title(struct rst *rst, uint32_t line, char mark, bool overlined)
{
    int level = title_level(rst, mark, overlined);
    buf_printf(rst->out, "<h%d>", level);
    inline_lines(rst, line, line + 1);
    buf_printf(rst->out, "</h%d>\n", level);
}

/* The line behind a title or a ruler at i, or i if there is none. */
static uint32_t title(struct rst *rst, uint32_t i, uint32_t to)
{
    const struct line *line = line_at(rst, i);
    char mark = ruler(line);
    if (mark && line->len >= 4 && i + 2 < to && line_at(rst, i + 1)->len &&
        ruler(line_at(rst, i + 2)) == mark && !ruler(line_at(rst, i + 1))) {
        add_title(rst, i + 1, mark, true);
        return i + 3;
    }
    if (mark && line->len >= 4 && (i + 1 == to || !line_at(rst, i + 1)->len)) {
        buf_str(rst->out, "<hr>\n");
        return i + 1;
    }
    mark = i + 1 < to && !mark ? ruler(line_at(rst, i + 1)) : 0;
    uint32_t least = line->len < 4 ? line->len : 4;
    if (!mark || line_at(rst, i + 1)->indent != line->indent || line_at(rst, i + 1)->len < least ||
        is_line(line_at(rst, i + 1), "::"))
        return i;
    add_title(rst, i, mark, false);
    return i + 2;
}

/* ---- lists ---- */

/* How many characters the mark of a list item takes, 0: none. *ordered: a number. */
static uint32_t item_mark(const struct line *line, bool *ordered)
{
    uint32_t n = 0;
    *ordered = false;
    if (line->len >= 1 && strchr("-*+", line->at[0]) && (line->len == 1 || line->at[1] == ' '))
        return line->len == 1 ? 1 : 2;
    if (line->len && line->at[0] == '#')
        n = 1;
    while (n < line->len && n < 9 && line->at[0] != '#' && isdigit((unsigned char)line->at[n]))
        n++;
    *ordered = n && n + 1 < line->len && strchr(".)", line->at[n]) && line->at[n + 1] == ' ';
    return *ordered ? n + 2 : 0;
}

/* An item whose text begins behind its mark: the mark becomes indentation. */
static uint32_t item(struct rst *rst, uint32_t i, uint32_t to, uint32_t mark)
{
    struct line *line = &rst->lines.at[i];
    uint32_t base = line->indent;
    uint32_t end = indented_end(rst, i + 1, to, base + 1);
    line->at += mark;
    line->len -= mark;
    line->indent = base + mark;
    for (uint32_t k = i + 1; k < end; k++) /* lazily indented lines belong to it */
        if (line_at(rst, k)->len && line_at(rst, k)->indent < line->indent)
            rst->lines.at[k].indent = line->indent;
    nested(rst, i, end);
    return end;
}

static uint32_t list(struct rst *rst, uint32_t i, uint32_t to, uint32_t indent)
{
    bool ordered, is_ordered;
    uint32_t mark = item_mark(line_at(rst, i), &ordered);
    buf_str(rst->out, ordered ? "<ol>\n" : "<ul>\n");
    while (i < to && line_at(rst, i)->indent == indent &&
           (mark = item_mark(line_at(rst, i), &is_ordered)) && is_ordered == ordered) {
        buf_str(rst->out, "<li>");
        i = item(rst, i, to, mark);
        buf_str(rst->out, "</li>\n");
        i = skip_empty(rst, i, to);
    }
    buf_str(rst->out, ordered ? "</ol>\n" : "</ul>\n");
    return i;
}

/* The length of ":name: " at the beginning of a line, 0: none. */
static uint32_t field_mark(const struct line *line)
{
    const char *end = line->len > 2 && line->at[0] == ':' && line->at[1] != ':'
                          ? memchr(line->at + 1, ':', line->len - 1)
                          : NULL;
    uint32_t n = end ? (uint32_t)(end - line->at) + 1 : 0;
    return n && n > 2 && (n == line->len || line->at[n] == ' ') ? n : 0;
}

static uint32_t fields(struct rst *rst, uint32_t i, uint32_t to, uint32_t indent)
{
    uint32_t mark;
    buf_str(rst->out, "<dl class=\"fields\">\n");
    while (i < to && line_at(rst, i)->indent == indent && (mark = field_mark(line_at(rst, i)))) {
        buf_str(rst->out, "<dt>");
        rst_inline(&rst->in, line_at(rst, i)->at + 1, mark - 2, rst->out);
        buf_str(rst->out, "</dt><dd>");
        i = skip_empty(rst, item(rst, i, to, mark < line_at(rst, i)->len ? mark + 1 : mark), to);
        buf_str(rst->out, "</dd>\n");
    }
    buf_str(rst->out, "</dl>\n");
    return i;
}

/* A line followed by deeper ones. */
static bool is_definition(const struct rst *rst, uint32_t i, uint32_t to)
{
    return i + 1 < to && line_at(rst, i + 1)->len &&
           line_at(rst, i + 1)->indent > line_at(rst, i)->indent &&
           !(line_at(rst, i)->len > 1 &&
             !memcmp(line_at(rst, i)->at + line_at(rst, i)->len - 2, "::", 2));
}

static uint32_t definitions(struct rst *rst, uint32_t i, uint32_t to, uint32_t indent)
{
    buf_str(rst->out, "<dl>\n");
    while (i < to && line_at(rst, i)->indent == indent && is_definition(rst, i, to)) {
        buf_str(rst->out, "<dt>");
        inline_lines(rst, i, i + 1);
        buf_str(rst->out, "</dt><dd>");
        uint32_t end = indented_end(rst, i + 1, to, indent + 1);
        nested(rst, i + 1, end);
        buf_str(rst->out, "</dd>\n");
        i = skip_empty(rst, end, to);
    }
    buf_str(rst->out, "</dl>\n");
    return i;
}

static uint32_t line_block(struct rst *rst, uint32_t i, uint32_t to, uint32_t indent)
{
    buf_str(rst->out, "<p>");
    for (bool first = true; i < to && line_at(rst, i)->indent == indent &&
                            (is_line(line_at(rst, i), "| ") ||
                             (line_at(rst, i)->len == 1 && *line_at(rst, i)->at == '|'));
         i++, first = false) {
        buf_str(rst->out, first ? "" : "<br>\n");
        if (line_at(rst, i)->len > 2)
            rst_inline(&rst->in, line_at(rst, i)->at + 2, line_at(rst, i)->len - 2, rst->out);
    }
    buf_str(rst->out, "</p>\n");
    return i;
}

/* ---- tables ---- */

/* "====  ===": the border of a simple table. */
static bool is_border(const struct line *line)
{
    for (uint32_t i = 0; i < line->len; i++)
        if (line->at[i] != '=' && line->at[i] != ' ')
            return false;
    return line->len > 2 && line->at[0] == '=' && memchr(line->at, ' ', line->len);
}

/* Where a column of the screen begins in a line, at most its end. */
static uint32_t column_offset(const struct line *line, uint32_t column)
{
    const char *at = line->at, *end = line->at + line->len;
    for (uint32_t n = 0; at < end && n < column;)
        n += (uint32_t)utf8_width(utf8_next(&at, end));
    return (uint32_t)(at - line->at);
}

static void table_row(struct rst *rst, const struct line *border, const struct line *line,
                      const char *tag)
{
    buf_str(rst->out, "<tr>");
    for (uint32_t at = 0, end; at < border->len; at = end) {
        while (at < border->len && border->at[at] == ' ')
            at++;
        for (end = at; end < border->len && border->at[end] == '=';)
            end++;
        uint32_t start = column_offset(line, at);
        uint32_t stop = end == border->len ? line->len : column_offset(line, end);
        while (stop > start && line->at[stop - 1] == ' ')
            stop--;
        buf_printf(rst->out, "<%s>", tag);
        if (stop > start)
            rst_inline(&rst->in, line->at + start, stop - start, rst->out);
        buf_printf(rst->out, "</%s>", tag);
    }
    buf_str(rst->out, "</tr>\n");
}

/* Border, head, border, rows, border; or without head. The line behind it, or i: it is none. */
static uint32_t simple_table(struct rst *rst, uint32_t i, uint32_t to)
{
    uint32_t border[3], n = 0, k = i;
    if (!is_border(line_at(rst, i)))
        return i;
    for (; k < to && n < 3 && (line_at(rst, k)->len || n < 2 || k + 1 < to); k++)
        if (is_border(line_at(rst, k)))
            border[n++] = k;
        else if (!line_at(rst, k)->len && n >= 2 && border[n - 1] + 1 == k)
            break; /* a blank line behind a border ends it */
    if (n < 2)
        return i;
    uint32_t last = border[n - 1];
    buf_str(rst->out, "<table>\n");
    for (uint32_t row = i + 1; row < last; row++)
        if (line_at(rst, row)->len && !is_border(line_at(rst, row)))
            table_row(rst, line_at(rst, i), line_at(rst, row),
                      n == 3 && row < border[1] ? "th" : "td");
    buf_str(rst->out, "</table>\n");
    return last + 1;
}

/* ---- explicit markup ---- */

/* ".. name:: arguments": its parts; false: it is none. */
struct directive {
    const char *name, *args;
    uint32_t name_len, args_len;
};

static bool read_directive(const struct line *line, struct directive *out)
{
    uint32_t at = 3, end = 3;
    while (end < line->len && (isalnum((unsigned char)line->at[end]) || line->at[end] == '-'))
        end++;
    if (end == at || end + 1 >= line->len || memcmp(line->at + end, "::", 2))
        return false;
    *out = (struct directive){.name = line->at + at, .name_len = end - at};
    for (end += 2; end < line->len && line->at[end] == ' ';)
        end++;
    out->args = line->at + end;
    out->args_len = line->len - end;
    return true;
}

static bool is_name(const struct directive *d, const char *name)
{
    return d->name_len == strlen(name) && !memcmp(d->name, name, d->name_len);
}

static bool one_of(const struct directive *d, const char *const *names)
{
    while (*names && !is_name(d, *names))
        names++;
    return *names;
}

/* Options (":name: value") in front of a directive's content are passed over. */
static uint32_t skip_options(const struct rst *rst, uint32_t i, uint32_t to)
{
    while (i < to && field_mark(line_at(rst, i)))
        i++;
    return skip_empty(rst, i, to);
}

/* The text of an option of the directive at a line; "" if it is not given. */
static struct line option_text(const struct rst *rst, uint32_t line, uint32_t to, const char *name)
{
    struct line found = {"", 0, 0};
    uint32_t mark;
    for (uint32_t i = line + 1; i < to && (mark = field_mark(line_at(rst, i))); i++)
        if (mark == strlen(name) && is_line(line_at(rst, i), name) && line_at(rst, i)->len > mark) {
            found.at = line_at(rst, i)->at + mark + 1;
            found.len = line_at(rst, i)->len - mark - 1;
        }
    return found;
}

static void image(struct rst *rst, const struct directive *d, uint32_t line, uint32_t from,
                  uint32_t to)
{
    struct buf path = {0};
    const struct rst_options *options = rst->in.options;
    buf_add(&path, d->args, d->args_len);
    const char *address = options->image ? options->image(options->user, buf_text(&path)) : NULL;
    buf_str(rst->out, "<figure>");
    if (address) {
        struct line alt = option_text(rst, line, to, ":alt:");
        buf_str(rst->out, "<img alt=\"");
        html_escape(rst->out, alt.at, alt.len);
        buf_str(rst->out, "\" src=\"");
        html_escape(rst->out, address, strlen(address));
        buf_str(rst->out, "\">");
    } else {
        buf_str(rst->out, "<code>");
        html_escape(rst->out, buf_text(&path), path.len);
        buf_str(rst->out, "</code>");
    }
    if (from < to) {
        buf_str(rst->out, "<figcaption>");
        nested(rst, from, to);
        buf_str(rst->out, "</figcaption>");
    }
    buf_str(rst->out, "</figure>\n");
    buf_free(&path);
}

static void admonition(struct rst *rst, const struct directive *d, uint32_t from, uint32_t to)
{
    buf_str(rst->out, "<aside><strong>");
    buf_char(rst->out, (char)toupper((unsigned char)d->name[0]));
    html_escape(rst->out, d->name + 1, d->name_len - 1);
    buf_str(rst->out, "</strong> ");
    rst_inline(&rst->in, d->args, d->args_len, rst->out);
    nested(rst, from, to);
    buf_str(rst->out, "</aside>\n");
}

static void raw_html(struct rst *rst, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        buf_add(rst->out, line_at(rst, i)->at, line_at(rst, i)->len);
        buf_char(rst->out, '\n');
    }
}

static void directive(struct rst *rst, const struct directive *d, uint32_t line, uint32_t to)
{
    static const char *const code[] = {"code-block", "code", "sourcecode", NULL};
    static const char *const images[] = {"image", "figure", "embeddedimage", "embeddedfigure",
                                         NULL};
    static const char *const notes[] = {"note",      "warning", "tip",   "hint", "important",
                                        "attention", "caution", "error", NULL};
    uint32_t from = skip_options(rst, line + 1, to);
    if (one_of(d, code))
        literal_lines(rst, from, to, "<pre><code>", "</code></pre>\n");
    else if (is_name(d, "math"))
        literal_lines(rst, d->args_len ? line + 1 : from, to, "<pre class=\"math\">", "</pre>\n");
    else if (one_of(d, images))
        image(rst, d, line, from, to);
    else if (one_of(d, notes))
        admonition(rst, d, from, to);
    else if (is_name(d, "raw") && d->args_len == 4 && !memcmp(d->args, "html", 4))
        raw_html(rst, from, to);
    else /* what is not known stands there as it was written */
        literal_lines(rst, line, to, "<pre>", "</pre>\n");
}

/* ".. ": a directive, a target (already read) or a comment; a footnote or substitution stands
 * there as it was written. */
static uint32_t explicit_markup(struct rst *rst, uint32_t i, uint32_t to, uint32_t indent)
{
    struct directive d;
    uint32_t end = indented_end(rst, i + 1, to, indent + 1);
    if (read_directive(line_at(rst, i), &d))
        directive(rst, &d, i, end);
    else if (is_line(line_at(rst, i), ".. [") || is_line(line_at(rst, i), ".. |"))
        literal_lines(rst, i, end, "<pre>", "</pre>\n");
    return end > i ? end : i + 1;
}

/* .. _name: address */
static void read_targets(struct rst *rst)
{
    for (uint32_t i = 0; i < rst->lines.len; i++) {
        const struct line *line = line_at(rst, i);
        const char *colon = is_line(line, ".. _") ? memchr(line->at, ':', line->len) : NULL;
        if (!colon)
            continue;
        struct rst_target target = {.name = line->at + 4,
                                    .name_len = (size_t)(colon - line->at) - 4};
        if (target.name_len > 1 && *target.name == '`' && colon[-1] == '`')
            target.name++, target.name_len -= 2;
        for (colon++; colon < line->at + line->len && *colon == ' ';)
            colon++;
        target.address = colon;
        target.address_len = (size_t)(line->at + line->len - colon);
        vec_push(&rst->targets, target);
    }
    rst->in.target = rst->targets.at;
    rst->in.ntargets = rst->targets.len;
}

/* ---- paragraphs ---- */

static bool ends_literal(const struct line *line)
{
    return line->len >= 2 && !memcmp(line->at + line->len - 2, "::", 2);
}

/* A paragraph; behind one that ends with "::" the indented lines are literal. */
static uint32_t paragraph(struct rst *rst, uint32_t i, uint32_t to, uint32_t indent)
{
    uint32_t end = i;
    while (end < to && line_at(rst, end)->len && line_at(rst, end)->indent == indent)
        end++;
    end += end == i;
    struct line *last = &rst->lines.at[end - 1];
    bool literal = ends_literal(last);
    bool alone = literal && last->len == 2;
    if (literal)
        last->len -= alone || last->at[last->len - 3] == ' ' ? 2 : 1;
    if (end - i > 1 || last->len) {
        buf_str(rst->out, "<p>");
        inline_lines(rst, i, end);
        buf_str(rst->out, "</p>\n");
    }
    if (!literal)
        return end;
    uint32_t from = skip_empty(rst, end, to), stop = indented_end(rst, from, to, indent + 1);
    if (stop > from)
        literal_lines(rst, from, stop, "<pre>", "</pre>\n");
    return stop > from ? stop : end;
}

/* The block at line i, which is not empty and stands at the indentation of its run. */
static uint32_t block(struct rst *rst, uint32_t i, uint32_t to, uint32_t indent)
{
    bool ordered;
    const struct line *line = line_at(rst, i);
    uint32_t end = simple_table(rst, i, to);
    if (end == i)
        end = title(rst, i, to);
    if (end > i)
        return end;
    if (is_line(line, ".. ") || (line->len == 2 && is_line(line, "..")))
        return explicit_markup(rst, i, to, indent);
    if (item_mark(line, &ordered))
        return list(rst, i, to, indent);
    if (field_mark(line))
        return fields(rst, i, to, indent);
    if (is_line(line, "| "))
        return line_block(rst, i, to, indent);
    if (is_line(line, "+-") || is_line(line, ">>> ")) { /* grid tables, sessions: as they are */
        for (end = i; end < to && line_at(rst, end)->len;)
            end++;
        literal_lines(rst, i, end, "<pre>", "</pre>\n");
        return end;
    }
    if (is_definition(rst, i, to))
        return definitions(rst, i, to, indent);
    return paragraph(rst, i, to, indent);
}

static void blocks(struct rst *rst, uint32_t from, uint32_t to)
{
    uint32_t i = skip_empty(rst, from, to);
    uint32_t indent = i < to ? line_at(rst, i)->indent : 0;
    while ((i = skip_empty(rst, i, to)) < to) {
        const struct line *line = line_at(rst, i);
        if (line->indent > indent) {
            uint32_t end = indented_end(rst, i, to, indent + 1);
            buf_str(rst->out, "<blockquote>\n");
            nested(rst, i, end);
            buf_str(rst->out, "</blockquote>\n");
            i = end;
            continue;
        }
        indent = line->indent;
        uint32_t end = block(rst, i, to, indent);
        i = end > i ? end : i + 1;
    }
}

void rst_html(const char *text, size_t len, const struct rst_options *options, struct buf *out)
{
    struct rst rst = {.in = {.options = options}, .out = out};
    split_lines(&rst, text, len);
    read_targets(&rst);
    blocks(&rst, 0, rst.lines.len);
    vec_free(&rst.lines);
    vec_free(&rst.targets);
}
