// SPDX-License-Identifier: MIT
/* html_results.c: the results, a table for each category and subcategory. */
#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "base/utf8.h"
#include "flow/storage.h"
#include "report/page.h"
#include "report/rst.h"

enum { PREVIEW_ROWS = 12, PREVIEW_COLUMNS = 14, PREVIEW_BYTES = 1 << 16 };

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_group(const struct result *a, const struct result *b)
{
    return same(a->mark.category, b->mark.category) &&
           same(a->mark.subcategory, b->mark.subcategory);
}

/* ---- addresses ---- */

bool page_data(struct page *page, const char *path, const char *mime)
{
    static char block[3 << 14]; /* whole groups of base64 */
    FILE *in = fopen(path, "re");
    size_t n = in ? fread(block, 1, sizeof block, in) : 0;
    bool fine = in && !ferror(in);
    if (fine)
        buf_printf(&page->out, "data:%s;base64,", mime);
    for (; n; n = fread(block, 1, sizeof block, in)) {
        buf_base64(&page->out, block, n, false);
        page_flush(page);
    }
    fine = fine && !ferror(in);
    int error = errno;
    if (in)
        fclose(in);
    errno = error;
    return fine;
}

static void add_address(struct page *page, const struct result *result)
{
    if (page->archive) {
        buf_printf(&page->out, "data/raw/%s/", result->id);
        html_encode(&page->out, result->filename);
    } else if (!page_data(page, result->path, result->mime)) {
        page_lacks(page, "result", result->path);
    }
}

/* The first result or category of a name has it. */
static void note_place(struct page *page, const char *name, uint32_t result, bool category)
{
    uint32_t *place = map_at(&page->places, intern_str(page->g->names, name));
    if (!*place)
        *place = (result + 1) << 1 | category;
}

static void note_places(struct page *page)
{
    for (uint32_t i = 0; i < page->results.list.len; i++) {
        const struct result *result = &page->results.list.at[i];
        note_place(page, result->name, i, false);
        note_place(page, result->path, i, false);
        note_place(page, result->mark.category, i, true);
    }
}

const char *page_find_result(struct page *page, const char *name)
{
    if (!page->places.len)
        note_places(page);
    uint32_t place = map_find(&page->places, intern_str(page->g->names, name));
    struct buf out = {0};
    if (!place)
        return NULL;
    if (place & 1) {
        buf_char(&out, '#');
        html_anchor(&out, "category", name);
    } else {
        buf_printf(&out, "#result-%u", (place >> 1) - 1);
    }
    const char *found = arena_copy(&page->scratch, out.at, out.len);
    buf_free(&out);
    return found;
}

/* ---- previews ---- */

/* The beginning of a text file, valid until the next call; NULL: it is none. */
static const char *read_start(const char *path, size_t *len)
{
    static char text[PREVIEW_BYTES];
    FILE *in = fopen(path, "re");
    *len = in ? fread(text, 1, sizeof text, in) : 0;
    if (in)
        fclose(in);
    *len = utf8_valid_len(text, *len);
    size_t mark = utf8_mark_len(text, *len);
    *len -= mark;
    return *len && !memchr(text + mark, 0, *len) ? text + mark : NULL;
}

/* A value without its quotes, in which two quotes are one. Behind it. */
static const char *read_cell(const char *at, const char *end, char separator, struct buf *cell)
{
    bool quoted = at < end && *at == '"' && separator == ',';
    for (at += quoted; at < end && (quoted || (*at != separator && *at != '\n')); at++) {
        bool quote = quoted && *at == '"';
        if (quote && (at + 1 == end || at[1] != '"')) {
            quoted = false;
            continue;
        }
        at += quote;
        buf_char(cell, *at);
    }
    return at;
}

/* One row of separated values; quotes hold separators. Behind the row. */
static const char *table_row(struct page *page, const char *at, const char *end, char separator,
                             const char *tag)
{
    int column = 0;
    struct buf cell = {0};
    buf_str(&page->out, "<tr>");
    for (bool more = true; more; column++) {
        buf_reset(&cell);
        at = read_cell(at, end, separator, &cell);
        if (column < PREVIEW_COLUMNS) {
            buf_printf(&page->out, "<%s>", tag);
            html_escape(&page->out, buf_text(&cell), cell.len);
            buf_printf(&page->out, "</%s>", tag);
        }
        more = at < end && *at == separator;
        at += more;
    }
    buf_free(&cell);
    buf_str(&page->out, column > PREVIEW_COLUMNS ? "<td>…</td></tr>\n" : "</tr>\n");
    return at < end ? at + 1 : at;
}

static void preview_table(struct page *page, const struct result *result, const char *text,
                          size_t len)
{
    char separator = strcmp(result->mime, "text/csv") ? '\t' : ',';
    const char *at = text, *end = text + len;
    buf_str(&page->out, "<table>");
    for (int row = 0; row <= PREVIEW_ROWS && at < end; row++)
        at = table_row(page, at, end, separator, row ? "td" : "th");
    buf_printf(&page->out, "</table>%s", at < end ? "…" : "");
}

static void preview_text(struct page *page, const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    for (int row = 0; row < PREVIEW_ROWS && at < end; row++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    buf_str(&page->out, "<pre>");
    html_escape(&page->out, text, (size_t)(at - text));
    buf_printf(&page->out, "</pre>%s", at < end ? "…" : "");
}

static void add_preview(struct page *page, const struct result *result)
{
    size_t len;
    const char *text = result->kind == RESULT_TABLE || result->kind == RESULT_TEXT
                           ? read_start(result->path, &len)
                           : NULL;
    if (!text)
        return;
    buf_str(&page->out,
            "<details><summary>Preview</summary><div class=\"preview\" tabindex=\"0\">");
    if (result->kind == RESULT_TABLE)
        preview_table(page, result, text, len);
    else
        preview_text(page, text, len);
    buf_str(&page->out, "</div></details>");
}

/* ---- rows ---- */

static void add_thumbnail(struct page *page, const struct result *result)
{
    const char *extension = path_extension(result->path);
    buf_str(&page->out, "<td class=\"thumb\">");
    if (result->kind == RESULT_IMAGE) {
        buf_str(&page->out, "<img loading=\"lazy\" alt=\"");
        page_text(page, result->name);
        buf_str(&page->out, "\" src=\"");
        add_address(page, result);
        buf_str(&page->out, "\">");
    } else {
        buf_str(&page->out, "<span class=\"badge\">");
        page_text(page, *extension ? extension + 1 : "file");
        buf_str(&page->out, "</span>");
    }
    buf_str(&page->out, "</td>");
}

/* The name leads to the file; of an image only the thumbnail holds it, which a click shows
 * whole. */
static void add_name(struct page *page, const struct result *result)
{
    if (result->kind == RESULT_IMAGE && !page->archive) {
        buf_str(&page->out, "<strong>");
        page_text(page, result->name);
        buf_str(&page->out, "</strong>");
        return;
    }
    buf_str(&page->out, "<a class=\"file\" download=\"");
    page_text(page, result->name);
    buf_str(&page->out, "\" href=\"");
    add_address(page, result);
    buf_str(&page->out, "\">");
    page_text(page, result->name);
    buf_str(&page->out, "</a>");
}

static void add_facts(struct page *page, const struct result *result)
{
    const char *rule = sym_text(page->g->names, job_rule(page->g, result->job)->name);
    buf_str(&page->out, "<div class=\"facts\"><span class=\"path\">");
    page_text(page, storage_shown(page->g->workflow, &page->scratch, result->path));
    buf_str(&page->out, "</span> · rule <a href=\"#");
    html_anchor(&page->out, "rule", rule);
    buf_str(&page->out, "\">");
    page_text(page, rule);
    buf_str(&page->out, "</a>");
    if (*result->wildcards) {
        buf_str(&page->out, " · ");
        page_text(page, result->wildcards);
    }
    if (*result->params) {
        buf_str(&page->out, "<details><summary>Params</summary><code>");
        page_text(page, result->params);
        buf_str(&page->out, "</code></details>");
    }
    buf_str(&page->out, "</div>");
}

/* The labels of all results of a group, in the order of their first appearance. */
struct columns {
    const char **name;
    uint32_t n;
};

static struct columns columns_of(struct page *page, uint32_t from, uint32_t to)
{
    struct columns columns = {0};
    uint32_t most = 0;
    for (uint32_t i = from; i < to; i++)
        most += page->results.list.at[i].mark.nlabels;
    columns.name = arena_array(&page->scratch, const char *, most + 1);
    for (uint32_t i = from; i < to; i++) {
        const struct report_mark *mark = &page->results.list.at[i].mark;
        for (uint32_t k = 0; k < mark->nlabels; k++) {
            uint32_t at = 0;
            while (at < columns.n && strcmp(columns.name[at], mark->label[k].name))
                at++;
            if (at == columns.n)
                columns.name[columns.n++] = mark->label[k].name;
        }
    }
    return columns;
}

static void add_labels(struct page *page, const struct result *result,
                       const struct columns *columns)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        buf_str(&page->out, "<td>");
        for (uint32_t k = 0; k < result->mark.nlabels; k++)
            if (!strcmp(result->mark.label[k].name, columns->name[i]))
                page_text(page, result->mark.label[k].text);
        buf_str(&page->out, "</td>");
    }
}

/* How the viewer shows a result. Browsers show tables and most texts only from within the page,
 * where they can be told that it is text. */
static const char *view_of(const struct page *page, const struct result *result)
{
    switch (result->kind) {
    case RESULT_IMAGE: return "image";
    case RESULT_PAGE: return "page";
    case RESULT_TABLE:
    case RESULT_TEXT: return page->archive ? "no" : "text";
    case RESULT_FILE: break;
    }
    return "no";
}

static void add_row(struct page *page, uint32_t i, const struct columns *columns)
{
    const struct result *result = &page->results.list.at[i];
    buf_printf(&page->out, "<tr class=\"result\" id=\"result-%u\" data-view=\"%s\" data-name=\"", i,
               view_of(page, result));
    page_text(page, result->name);
    buf_str(&page->out, "\">");
    add_thumbnail(page, result);
    buf_str(&page->out, "<td>");
    add_name(page, result);
    if (result->mark.caption) {
        buf_str(&page->out, "<div class=\"caption\">");
        page_rst(page, result->mark.caption, 5);
        buf_str(&page->out, "</div>");
    }
    add_facts(page, result);
    add_preview(page, result);
    buf_str(&page->out, "</td>");
    add_labels(page, result, columns);
    buf_str(&page->out, "<td class=\"num\">");
    page_size(page, result->size);
    buf_str(&page->out, "</td></tr>\n");
    page_flush(page);
}

static void add_group(struct page *page, uint32_t from, uint32_t to)
{
    const struct result *first = &page->results.list.at[from];
    struct columns columns = columns_of(page, from, to);
    buf_str(&page->out, "<div class=\"group\">");
    if (first->mark.subcategory) {
        buf_str(&page->out, "<h4>");
        page_text(page, first->mark.subcategory);
        buf_str(&page->out, "</h4>\n");
    }
    buf_str(&page->out, "<table><thead><tr><td></td><th>Result</th>");
    for (uint32_t i = 0; i < columns.n; i++) {
        buf_str(&page->out, "<th>");
        page_text(page, columns.name[i]);
        buf_str(&page->out, "</th>");
    }
    buf_str(&page->out, "<th class=\"num\">Size</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = from; i < to; i++)
        add_row(page, i, &columns);
    buf_str(&page->out, "</tbody></table></div>\n");
}

/* ---- all ---- */

static void open_category(struct page *page, const struct result *result)
{
    buf_str(&page->out, "<div class=\"group\"><h3 id=\"");
    html_anchor(&page->out, "category", result->mark.category);
    buf_str(&page->out, "\">");
    page_text(page, result->mark.category);
    buf_str(&page->out, "</h3>\n");
}

void page_results(struct page *page)
{
    const struct result *at = page->results.list.at;
    uint32_t n = page->results.list.len;
    if (!n)
        return;
    buf_str(&page->out, "<section id=\"results\"><h2>Results</h2>\n<input id=\"search\" "
                        "type=\"search\" placeholder=\"Search results\" "
                        "aria-label=\"Search results\" hidden>\n"
                        "<p class=\"facts\" id=\"unmatched\" role=\"status\" hidden>"
                        "No result has all of these words.</p>\n");
    for (uint32_t i = 0, end; i < n; i = end) {
        if (!i || !same(at[i].mark.category, at[i - 1].mark.category))
            open_category(page, &at[i]);
        for (end = i + 1; end < n && same_group(&at[i], &at[end]);)
            end++;
        add_group(page, i, end);
        if (end == n || !same(at[i].mark.category, at[end].mark.category))
            buf_str(&page->out, "</div>\n");
    }
    buf_str(&page->out, "</section>\n");
}

void page_results_index(struct page *page)
{
    const struct result *at = page->results.list.at;
    buf_str(&page->out, "<ul>");
    for (uint32_t i = 0, end; i < page->results.list.len; i = end) {
        for (end = i + 1;
             end < page->results.list.len && same(at[i].mark.category, at[end].mark.category);)
            end++;
        buf_str(&page->out, "<li><a href=\"#");
        html_anchor(&page->out, "category", at[i].mark.category);
        buf_str(&page->out, "\">");
        page_text(page, at[i].mark.category);
        buf_printf(&page->out, " <span class=\"count\">%u</span></a></li>", end - i);
    }
    buf_str(&page->out, "</ul>");
}
