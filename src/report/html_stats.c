// SPDX-License-Identifier: MIT
/* html_stats.c: how long jobs took: a table, a box a rule on one axis of time, and when which rule
 * was at work. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "report/page.h"
#include "report/rst.h"

static const double LETTER = 6.4; /* a wide one */
enum { WIDTH = 900, ROW = 24, LABEL_MOST = 230, BINS = 600 };

static const char *node_name(const struct page *page, uint32_t node)
{
    return sym_text(page->g->names, page->g->workflow->rules.at[page->net.node[node].rule]->name);
}

/* Room for the longest name in front of a plot: found once for all of its rows. */
static int label_width(const struct page *page)
{
    size_t most = 4;
    for (uint32_t i = 0; i < page->net.nnodes; i++) {
        size_t n = utf8_count(node_name(page, i), strlen(node_name(page, i)));
        most = page->runtimes.rule[i].njobs && n > most ? n : most;
    }
    double width = (double)most * LETTER + 14;
    return width > LABEL_MOST ? LABEL_MOST : (int)width;
}

static uint32_t rules_with_times(const struct page *page)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < page->net.nnodes; i++)
        n += page->runtimes.rule[i].njobs > 0;
    return n;
}

static void open_plot(struct page *page, const char *label, uint32_t rows)
{
    buf_printf(
        &page->out,
        "<div class=\"wide\" tabindex=\"0\"><svg class=\"plot\" role=\"img\" aria-label=\"%s\" "
        "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\">\n",
        label, WIDTH, rows * ROW + 30);
}

/* The name as far as there is room in front of the plot; the whole one shows under the pointer. */
static void plot_label(struct page *page, uint32_t row, uint32_t node, int width)
{
    const char *name = node_name(page, node);
    size_t len = strlen(name), most = (size_t)((width - 14) / LETTER + 0.5);
    bool whole = utf8_count(name, len) <= most;
    buf_printf(&page->out, "<text x=\"0\" y=\"%u\"><title>", row * ROW + 16);
    page_text(page, name);
    buf_str(&page->out, "</title>");
    html_escape(&page->out, name, whole ? len : utf8_offset(name, len, most - 1));
    buf_str(&page->out, whole ? "</text>" : "…</text>");
}

static void grid_line(struct page *page, double x, uint32_t rows, const char *text)
{
    buf_printf(
        &page->out,
        "<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%u\"/><text class=\"soft\" "
        "x=\"%.1f\" y=\"%u\" text-anchor=\"middle\">%s</text>\n",
        x, x, rows * ROW + 6, x, rows * ROW + 20, text);
}

/* ---- the table ---- */

static void time_cell(struct page *page, double seconds)
{
    buf_str(&page->out, "<td class=\"num\">");
    page_seconds(page, seconds);
    buf_str(&page->out, "</td>");
}

static void table_row(struct page *page, uint32_t node)
{
    const struct rule_time *t = &page->runtimes.rule[node];
    buf_printf(&page->out, "<tr><td><span class=\"dot\" style=\"--hue:%d\"></span><a href=\"#",
               rulegraph_hue(node, page->net.nnodes));
    html_anchor(&page->out, "rule", node_name(page, node));
    buf_str(&page->out, "\">");
    page_text(page, node_name(page, node));
    buf_printf(&page->out, "</a></td><td class=\"num\">%u</td>", t->njobs);
    time_cell(page, t->least);
    time_cell(page, t->median);
    time_cell(page, t->most);
    time_cell(page, t->total);
    buf_str(&page->out, "<td class=\"num\">");
    if (t->nattempts)
        page_seconds(page, t->cpu_s / t->nattempts);
    buf_str(&page->out, "</td><td class=\"num\">");
    if (t->max_rss_kb)
        page_size(page, t->max_rss_kb * 1024);
    buf_str(&page->out, "</td></tr>\n");
}

static void add_table(struct page *page)
{
    buf_str(&page->out, "<div class=\"wide\" tabindex=\"0\">"
                        "<table><thead><tr><th>Rule</th><th class=\"num\">Jobs</th>"
                        "<th class=\"num\">Shortest</th><th class=\"num\">Median</th>"
                        "<th class=\"num\">Longest</th><th class=\"num\">Sum</th>"
                        "<th class=\"num\">CPU a job</th><th class=\"num\">Most memory</th></tr>"
                        "</thead>\n<tbody>\n");
    for (uint32_t i = 0; i < page->net.nnodes; i++)
        if (page->runtimes.rule[i].njobs)
            table_row(page, i);
    buf_str(&page->out, "</tbody></table></div>\n");
}

/* ---- boxes ---- */

/* An axis of seconds, by powers of ten. */
struct axis {
    double low, high; /* exponents */
    int left;
};

static double place(const struct axis *axis, double seconds)
{
    double exponent = log10(seconds < 1e-3 ? 1e-3 : seconds);
    double part = (exponent - axis->low) / (axis->high - axis->low);
    return axis->left + part * (WIDTH - axis->left - 24);
}

static struct axis make_axis(const struct page *page)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < page->net.nnodes; i++) {
        const struct rule_time *t = &page->runtimes.rule[i];
        if (!t->njobs)
            continue;
        least = fmin(least, t->least);
        most = fmax(most, t->most);
    }
    struct axis axis = {floor(log10(fmax(least, 1e-3))), ceil(log10(fmax(most, 2e-3))),
                        label_width(page)};
    if (axis.high <= axis.low)
        axis.high = axis.low + 1;
    return axis;
}

static void add_ticks(struct page *page, const struct axis *axis, uint32_t rows)
{
    for (int e = (int)axis->low; e <= (int)axis->high; e++) {
        char text[32];
        if (e < 0)
            snprintf(text, sizeof text, "%g ms", 1000 * pow(10, e));
        else
            snprintf(text, sizeof text, "%g s", pow(10, e));
        grid_line(page, place(axis, pow(10, e)), rows, text);
    }
}

static void add_box(struct page *page, const struct axis *axis, uint32_t row, uint32_t node)
{
    const struct rule_time *t = &page->runtimes.rule[node];
    double middle = row * ROW + ROW / 2.0, lower = place(axis, t->lower);
    double width = place(axis, t->upper) - lower;
    plot_label(page, row, node, axis->left);
    buf_printf(&page->out,
               "<g style=\"--hue:%d\"><line class=\"whisker\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
               "y2=\"%.1f\"/><rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
               "height=\"12\" rx=\"2\"/><line class=\"middle\" x1=\"%.1f\" x2=\"%.1f\" "
               "y1=\"%.1f\" y2=\"%.1f\"/></g>\n",
               rulegraph_hue(node, page->net.nnodes), place(axis, t->least), place(axis, t->most),
               middle, middle, width < 3 ? lower - (3 - width) / 2 : lower, middle - 6,
               width < 3 ? 3 : width, place(axis, t->median), place(axis, t->median), middle - 6,
               middle + 6);
}

static void add_boxes(struct page *page)
{
    struct axis axis = make_axis(page);
    uint32_t rows = rules_with_times(page), row = 0;
    buf_str(&page->out, "<h3>Run times</h3>\n<p class=\"facts\">Shortest and longest job (line), "
                        "quartiles (box) and median of each rule.</p>\n");
    open_plot(page, "Run times of rules", rows);
    add_ticks(page, &axis, rows);
    for (uint32_t i = 0; i < page->net.nnodes; i++)
        if (page->runtimes.rule[i].njobs)
            add_box(page, &axis, row++, i);
    buf_str(&page->out, "</svg></div>\n");
}

/* ---- the timeline ---- */

/* The jobs of one rule: in every part of the time, how many were at work. What stands long still
 * between runs of a workflow takes no more room than it does in time. */
static void add_lane(struct page *page, const struct job_time *job, uint32_t n, uint32_t row,
                     int left)
{
    const struct runtimes *r = &page->runtimes;
    uint32_t bins[BINS] = {0}, most = 1;
    double span = (double)(r->end_ns - r->start_ns), scale = (WIDTH - left - 24.0) / BINS;
    for (uint32_t i = 0; i < n; i++) {
        int from = (int)((double)(job[i].start_ns - r->start_ns) / span * (BINS - 1));
        int to = (int)((double)(job[i].end_ns - r->start_ns) / span * (BINS - 1));
        for (int k = from; k <= to; k++)
            most = ++bins[k] > most ? bins[k] : most;
    }
    plot_label(page, row, job->node, left);
    buf_printf(&page->out, "<g style=\"--hue:%d\">", rulegraph_hue(job->node, page->net.nnodes));
    for (int at = 0, end; at < BINS; at = end) {
        for (end = at + 1; end < BINS && bins[end] == bins[at];)
            end++;
        if (bins[at])
            buf_printf(&page->out,
                       "<rect class=\"bar\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"14\" "
                       "fill-opacity=\"%.2f\"/>",
                       left + at * scale, row * ROW + 5, (end - at) * scale,
                       0.35 + 0.65 * bins[at] / most);
    }
    buf_str(&page->out, "</g>\n");
}

static void time_ticks(struct page *page, uint32_t rows, int left)
{
    const struct runtimes *r = &page->runtimes;
    int64_t span = r->end_ns - r->start_ns;
    const char *format = span > 2 * 86400000000000ll ? "%b %d %H:%M"
                         : span > 600000000000ll     ? "%H:%M"
                                                     : "%H:%M:%S";
    for (int i = 0; i <= 4; i++) {
        time_t second = (time_t)((r->start_ns + span / 4 * i) / 1000000000);
        struct tm tm;
        char text[64];
        localtime_r(&second, &tm);
        strftime(text, sizeof text, format, &tm);
        grid_line(page, left + (WIDTH - left - 24) * i / 4.0, rows, text);
    }
}

static void add_timeline(struct page *page)
{
    const struct runtimes *r = &page->runtimes;
    uint32_t rows = rules_with_times(page), row = 0;
    int left = label_width(page);
    if (r->end_ns <= r->start_ns)
        return;
    buf_str(&page->out,
            "<h3>Timeline</h3>\n<p class=\"facts\">When jobs of each rule were at work; "
            "the darker, the more of them.</p>\n");
    open_plot(page, "Timeline of jobs", rows);
    time_ticks(page, rows, left);
    for (uint32_t i = 0, end; i < r->jobs.len; i = end) {
        for (end = i + 1; end < r->jobs.len && r->jobs.at[end].node == r->jobs.at[i].node;)
            end++;
        add_lane(page, &r->jobs.at[i], end - i, row++, left);
    }
    buf_str(&page->out, "</svg></div>\n");
}

void page_statistics(struct page *page)
{
    buf_str(&page->out, "<section id=\"statistics\"><h2>Statistics</h2>\n");
    if (page->runtimes.jobs.len) {
        add_table(page);
        add_boxes(page);
        add_timeline(page);
    } else {
        buf_str(&page->out, "<p>Nothing is known of when the jobs ran.</p>\n");
    }
    buf_str(&page->out, "</section>\n");
}
