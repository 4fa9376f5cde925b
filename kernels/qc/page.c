// SPDX-License-Identifier: MIT
#include "qc/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/part.h"
#include "qc/gather.h"
#include "qc/page_style.h"
#include "qc/svg.h"
#include "qc/view.h"

enum { PATH = 4300, SIDE = 420, CROP = 210, SQUARE = 30, MARKER_SIDE = 240 };

struct writing {
    const struct qc_page *page;
    const char *dir;
    FILE *to;
    struct kin_error *err;
};

// ---- pictures --------------------------------------------------------------------------------

static void base64(FILE *to, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)bytes[i] << 16 | (i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0) |
                     (i + 2 < n ? bytes[i + 2] : 0);
        fputc(digits[v >> 18], to);
        fputc(digits[v >> 12 & 63], to);
        fputc(i + 1 < n ? digits[v >> 6 & 63] : '=', to);
        fputc(i + 2 < n ? digits[v & 63] : '=', to);
    }
}

// The picture as <figure>, and as DIR/name.png. Takes (frees) the picture. zoom: drawn that many
// times larger.
static bool put_picture(struct writing *w, struct picture *picture, const char *name,
                        const char *caption, int zoom)
{
    char path[PATH];
    uint8_t *bytes;
    size_t size;
    snprintf(path, sizeof path, "%s/%s.png", w->dir, name);
    bool fine = picture_write(path, picture, w->err) &&
                picture_encode(picture, &bytes, &size, w->err);
    if (fine) {
        fprintf(w->to, "<figure><img class='%s' width='%d' height='%d' alt='",
                zoom > 1 ? "zoom" : "", picture->w * zoom, picture->h * zoom);
        svg_text(w->to, caption);
        fprintf(w->to, "' src='data:image/png;base64,");
        base64(w->to, bytes, size);
        fprintf(w->to, "'><figcaption>");
        svg_text(w->to, caption);
        fprintf(w->to, "</figcaption></figure>\n");
        free(bytes);
    }
    picture_free(picture);
    return fine;
}

// ---- head ------------------------------------------------------------------------------------

static void put_tile(FILE *to, const char *class, int n, const char *what)
{
    fprintf(to, "<div class='tile %s'><b>%d</b>%s</div>", class, n, what);
}

static void put_head(struct writing *w)
{
    const struct qc_table *table = w->page->table;
    const struct experiment *exp = w->page->exp;
    char when[40], extent[120], *name = realpath(w->page->project, NULL);
    time_t now = time(NULL);
    struct tm parts;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    const char *slash = name ? strrchr(name, '/') : NULL;
    fprintf(w->to, "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta "
                   "name='viewport' content='width=device-width'>"
                   "<title>Image quality: ");
    svg_text(w->to, slash ? slash + 1 : w->page->project);
    fprintf(w->to, "</title>%s</head><body><header><h1>", page_style);
    svg_text(w->to, slash ? slash + 1 : w->page->project);
    experiment_extent(exp, extent, sizeof extent);
    fprintf(w->to,
            "</h1><p>%s, %g nm pixels. Written %s by kintsugi-image " KF_VERSION
            ".</p><div class='tiles'>",
            extent, exp->xy_nm, when);
    put_tile(w->to, "red", qc_table_count(table, QC_RED), "red");
    put_tile(w->to, "yellow", qc_table_count(table, QC_YELLOW), "yellow");
    put_tile(w->to, "green", qc_table_count(table, QC_GREEN), "green");
    put_tile(w->to, "", table->entry_count, "planes measured");
    fprintf(w->to,
            "</div><nav><a href='#verdicts'>Verdicts</a> <a href='#seams'>Seams</a> <a "
            "href='#registration'>Registration</a> <a href='#markers'>Markers</a> <a "
            "href='#maps'>Cycle by channel</a> <a href='#changes'>From stage to stage</a> <a "
            "href='#profiles'>Focus profiles</a></nav></header><main>");
    free(name);
}

// ---- verdicts --------------------------------------------------------------------------------

static void put_limit_cell(FILE *to, const struct qc_value *v)
{
    char a[24], b[24];
    if (!v->limit) {
        fprintf(to, "<td></td>");
        return;
    }
    const char *sign = !v->limit->higher ? "&lt;" : qc_limit_counts(v->limit) ? "&ge;" : "&gt;";
    fprintf(to, "<td>yellow %s %s", sign, svg_number(v->limit->yellow, a));
    if (!isnan(v->limit->red))
        fprintf(to, ", red %s %s", sign, svg_number(v->limit->red, b));
    fprintf(to, "</td>");
}

static void put_verdict(FILE *to, const struct qc_value *v)
{
    char number[24];
    fprintf(to, "<tr><td data-v='%d'><span class='badge %s'>%s</span></td><td>", -(int)v->status,
            qc_status_name(v->status), v->status == QC_NONE ? "info" : qc_status_name(v->status));
    svg_text(to, v->stage);
    fprintf(to, "</td><td class='n' data-v='%d'>", v->cycle);
    if (v->cycle)
        fprintf(to, "%d", v->cycle);
    fprintf(to, "</td><td>");
    svg_text(to, v->marker);
    if (v->z)
        fprintf(to, " (plane %d)", v->z);
    fprintf(to, "</td><td>");
    svg_text(to, v->metric);
    fprintf(to, "</td><td class='n' data-v='%.9g'>%s %s</td>", v->value,
            svg_number(v->value, number), v->limit ? v->limit->unit : "");
    put_limit_cell(to, v);
    fprintf(to, "<td class='wrap'>");
    svg_text(to, v->limit ? v->limit->text : "");
    fprintf(to, "</td></tr>\n");
}

static void put_headings(FILE *to)
{
    static const struct {
        const char *class, *text;
    } headings[] = {{"", "status"}, {"", "stage"},  {"n", "cycle"}, {"", "marker"},
                    {"", "metric"}, {"n", "value"}, {"", "limits"}, {"", "meaning"}};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        fprintf(to, "<th class='%s'><button>%s</button></th>", headings[i].class, headings[i].text);
}

static void put_verdicts(struct writing *w)
{
    const struct qc_table *table = w->page->table;
    fprintf(w->to, "<h2 id='verdicts'>Verdicts</h2>");
    for (int i = 0; i < table->note_count; i++) {
        fprintf(w->to, "<div class='note'>");
        svg_text(w->to, table->notes[i]);
        fprintf(w->to, "</div>");
    }
    fprintf(w->to, "<p>Worst first; the headings sort.</p><div class='scroll' tabindex='0'><table "
                   "class='sort'><thead><tr>");
    put_headings(w->to);
    fprintf(w->to, "</tr></thead><tbody>");
    for (int i = 0; i < table->value_count; i++)
        put_verdict(w->to, &table->values[i]);
    fprintf(w->to, "</tbody></table></div>");
}

// ---- seams -----------------------------------------------------------------------------------

enum { MOSAIC = 380 };

static const struct js *tile_numbered(const struct js *tiles, int number)
{
    for (int i = 0; i < js_count(tiles); i++)
        if (js_int(js_get(js_at(tiles, i), "tile"), -1) == number)
            return js_at(tiles, i);
    return NULL;
}

// How a mosaic is drawn: scaled, tiles of one size.
struct drawing {
    const struct js *tiles;
    double scale, tile_h, tile_w; // pixels to points; points
};

enum { DRAW_LEFT = 4, DRAW_TOP = 22 };

static double draw_x(const struct drawing *d, const struct js *tile)
{
    return DRAW_LEFT + js_number(js_get(tile, "x"), 0) * d->scale;
}

static double draw_y(const struct drawing *d, const struct js *tile)
{
    return DRAW_TOP + js_number(js_get(tile, "y"), 0) * d->scale;
}

// Good overlaps are green, poor ones run through orange to red; a pair that was not believed is
// dashed.
static void put_edge(FILE *to, const struct js *edge, const struct drawing *d)
{
    char ncc_text[24], residual_text[24];
    const struct js *a = tile_numbered(d->tiles, js_int(js_get(edge, "from"), -1));
    const struct js *b = tile_numbered(d->tiles, js_int(js_get(edge, "to"), -1));
    double ncc = js_number(js_get(edge, "ncc"), NAN);
    double residual = js_number(js_get(edge, "residual"), NAN);
    bool accepted = js_bool(js_get(edge, "accepted"), false);
    if (!a || !b)
        return;
    double hue = 140 * fmin(fmax(isnan(ncc) ? 0 : ncc / 0.6, 0), 1);
    fprintf(to, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'", draw_x(d, a) + d->tile_w / 2,
            draw_y(d, a) + d->tile_h / 2, draw_x(d, b) + d->tile_w / 2,
            draw_y(d, b) + d->tile_h / 2);
    fprintf(to, " stroke='hsl(%.0f,70%%,42%%)' stroke-width='5' stroke-linecap='round'%s>", hue,
            accepted ? "" : " stroke-dasharray='2 9'");
    fprintf(to,
            "<title>tiles %.0f and %.0f: correlation %s, %s px from the positions "
            "found%s</title></line>",
            js_number(js_get(edge, "from"), 0), js_number(js_get(edge, "to"), 0),
            svg_number(ncc, ncc_text), svg_number(residual, residual_text),
            accepted ? "" : ", not believed");
}

// False: a tile lies where no mosaic is.
static bool drawing_of(const struct js *root, double h, double w, struct drawing *d)
{
    double last_y = 0, last_x = 0;
    *d = (struct drawing){.tiles = js_get(root, "tiles"), .scale = MOSAIC / fmax(h, w)};
    bool good = h >= 1 && w >= 1 && h <= INT32_MAX && w <= INT32_MAX && js_count(d->tiles);
    for (int i = 0; i < js_count(d->tiles); i++) {
        double y = js_number(js_get(js_at(d->tiles, i), "y"), 0),
               x = js_number(js_get(js_at(d->tiles, i), "x"), 0);
        good = good && y >= 0 && x >= 0 && y < h && x < w;
        last_y = fmax(last_y, y);
        last_x = fmax(last_x, x);
    }
    d->tile_h = (h - last_y) * d->scale;
    d->tile_w = (w - last_x) * d->scale;
    return good;
}

static void put_mosaic(FILE *to, const struct js *root, int cycle)
{
    const struct js *edges = js_get(root, "edges");
    struct drawing d;
    double h = js_number(js_get(root, "height"), 0), w = js_number(js_get(root, "width"), 0);
    if (!drawing_of(root, h, w, &d))
        return;
    h = h * d.scale + DRAW_TOP + 4;
    w = w * d.scale + 2 * DRAW_LEFT;
    fprintf(to, "<svg width='%.0f' height='%.0f' viewBox='0 0 %.0f %.0f'>", w, h, w, h);
    fprintf(to, "<text x='0' y='12' class='title'>cycle %d</text>", cycle);
    for (int i = 0; i < js_count(d.tiles); i++)
        fprintf(to,
                "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='#59636e' "
                "fill-opacity='0.08' stroke='#afb8c1'/>",
                draw_x(&d, js_at(d.tiles, i)), draw_y(&d, js_at(d.tiles, i)), d.tile_w, d.tile_h);
    for (int i = 0; i < js_count(edges); i++)
        put_edge(to, js_at(edges, i), &d);
    for (int i = 0; i < js_count(d.tiles); i++) {
        const struct js *t = js_at(d.tiles, i);
        double x = draw_x(&d, t) + d.tile_w / 2, y = draw_y(&d, t) + d.tile_h / 2;
        fprintf(to, "<circle cx='%.1f' cy='%.1f' r='9' fill='#fff' stroke='#59636e'/>", x, y);
        fprintf(to, "<text x='%.1f' y='%.1f' text-anchor='middle'>%.0f</text>", x, y + 4,
                js_number(js_get(t, "tile"), 0));
    }
    fprintf(to, "</svg>\n");
}

static void put_seams(struct writing *w)
{
    char path[PATH];
    bool any = false;
    for (int cycle = 1; cycle <= w->page->exp->cycles; cycle++) {
        snprintf(path, sizeof path, "%s/data/processed/qc/stitch_cyc%02d.json", w->page->project,
                 cycle);
        struct js *root = js_read(path, NULL);
        if (root && !any)
            fprintf(w->to, "<h2 id='seams'>Seams</h2><p>Tiles and how well each pair of neighbours "
                           "agrees: green correlates well, red does not, dashed pairs were not "
                           "believed. Hold the pointer "
                           "over a pair for its numbers.</p><div class='row'>");
        any |= root != NULL;
        put_mosaic(w->to, root, cycle);
        js_free(root);
    }
    if (any)
        fprintf(w->to, "</div>");
}

// ---- registration ----------------------------------------------------------------------------

static bool nuclear_path(const struct writing *w, int cycle, char *path)
{
    const struct experiment *exp = w->page->exp;
    return qc_image_path(w->page->project, exp, QC_REGISTRATION, cycle, exp->nuclear_channel, 0,
                         path, PATH);
}

static bool put_overlays(struct writing *w, const struct qc_view *ref, const struct qc_view *mov,
                         int cycle)
{
    char name[64], caption[160];
    struct picture picture;
    snprintf(name, sizeof name, "overlay_cyc%02d", cycle);
    snprintf(caption, sizeof caption, "Cycle %d (cyan) on cycle %d (red): grey where they agree",
             cycle, w->page->exp->reference_cycle);
    if (!qc_red_cyan(&ref->whole, ref, &mov->whole, mov, &picture, w->err) ||
        !put_picture(w, &picture, name, caption, 1))
        return false;
    snprintf(name, sizeof name, "overlay_zoom_cyc%02d", cycle);
    if (!qc_red_cyan(&ref->crop, ref, &mov->crop, mov, &picture, w->err) ||
        !put_picture(w, &picture, name, "The middle, pixel by pixel", 2))
        return false;
    snprintf(name, sizeof name, "checkerboard_cyc%02d", cycle);
    return qc_checkerboard(&ref->crop, ref, &mov->crop, mov, SQUARE, &picture, w->err) &&
           put_picture(w, &picture, name,
                       "The same as a checkerboard: outlines must not break at its edges", 2);
}

// The block maps of data/processed/qc/registration.json.
static void cell_label(int i, bool row, char *buffer)
{
    snprintf(buffer, 64, "%s%d", row ? "row " : "", i + 1);
}

static void put_block_map(struct writing *w, const struct js *map, const char *key,
                          const char *title)
{
    int rows, cols, cells = js_cells(map, &rows, &cols);
    const struct js *list = js_get(map, key);
    if (!cells || js_count(list) != cells)
        return;
    double *values = malloc((size_t)cells * sizeof *values);
    for (int i = 0; values && i < cells; i++)
        values[i] = js_number(js_at(list, i), NAN);
    struct svg_heatmap heat = {title, "", rows, cols, values, cell_label};
    if (values)
        svg_heatmap(w->to, &heat);
    free(values);
}

static void put_cycle_maps(struct writing *w, int cycle)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/data/processed/qc/registration.json", w->page->project);
    struct js *root = js_read(path, NULL);
    const struct js *cycles = js_get(root, "cycles");
    for (int i = 0; i < js_count(cycles); i++) {
        const struct js *c = js_at(cycles, i), *map = js_get(c, "map");
        if (js_int(js_get(c, "cycle"), 0) != cycle || !map)
            continue;
        fprintf(w->to, "<details><summary>Blocks of cycle %d</summary><div class='row'>", cycle);
        put_block_map(w, map, "ncc", "correlation with the reference");
        put_block_map(w, map, "displacement_px", "left to move [px]");
        fprintf(w->to, "</div></details>");
    }
    js_free(root);
}

static bool put_registration(struct writing *w)
{
    const struct experiment *exp = w->page->exp;
    struct qc_view ref, mov;
    char path[PATH];
    if (!nuclear_path(w, exp->reference_cycle, path))
        return true;
    fprintf(w->to, "<h2 id='registration'>Registration</h2>");
    if (!qc_view_read(path, SIDE, CROP, &ref, w->err))
        return false;
    bool fine = true;
    for (int cycle = 1; cycle <= exp->cycles && fine; cycle++) {
        if (cycle == exp->reference_cycle ||
            !qc_stage_has(w->page->project, exp, QC_REGISTRATION, cycle))
            continue;
        fprintf(w->to, "<h3>Cycle %d</h3>", cycle);
        if (!nuclear_path(w, cycle, path)) {
            fprintf(w->to, "<p>It has no image of the nuclear channel.</p>");
            continue;
        }
        fine = qc_view_read(path, SIDE, CROP, &mov, w->err);
        if (!fine)
            break;
        fprintf(w->to, "<div class='row'>");
        fine = put_overlays(w, &ref, &mov, cycle);
        fprintf(w->to, "</div>");
        put_cycle_maps(w, cycle);
        qc_view_free(&mov);
    }
    qc_view_free(&ref);
    return fine;
}

// ---- markers ---------------------------------------------------------------------------------

// The image of a marker before and after isolation; after may be missing.
static bool put_marker(struct writing *w, int cycle, int channel, enum qc_stage from)
{
    char path[PATH], name[160], file[100], caption[200];
    const struct experiment *exp = w->page->exp;
    struct qc_view before, after = {0};
    struct picture picture;
    experiment_file_name(exp, cycle, channel, file, sizeof file);
    if (!qc_image_path(w->page->project, exp, from, cycle, channel, 0, path, sizeof path))
        return true;
    if (!qc_view_read(path, MARKER_SIDE, CROP, &before, w->err))
        return false;
    bool isolated = channel != exp->nuclear_channel &&
                    qc_image_path(w->page->project, exp, QC_ISOLATE, cycle, channel, 0, path,
                                  sizeof path);
    bool fine = !isolated || qc_view_read(path, MARKER_SIDE, CROP, &after, w->err);
    fprintf(w->to, "<h3>");
    svg_text(w->to, experiment_marker(exp, cycle, channel));
    fprintf(w->to,
            " <span style='font-weight:400;color:#59636e'>cycle %d, channel %d</span></h3><div "
            "class='row'>",
            cycle, channel);
    snprintf(name, sizeof name, "marker_cyc%02d_%s", cycle, file);
    snprintf(caption, sizeof caption, "%s, %d to %d ADU",
             isolated ? "with autofluorescence" : qc_stage_name(from), before.low, before.high);
    fine = fine && qc_grey(&before.whole, before.low, before.high, &picture, w->err) &&
           put_picture(w, &picture, name, caption, 1);
    if (fine && isolated) {
        experiment_name_together(exp, cycle, channel, file, sizeof file);
        snprintf(name, sizeof name, "isolated_%s", file);
        snprintf(caption, sizeof caption, "isolated, %d to %d ADU", after.low, after.high);
        fine = qc_grey(&after.whole, after.low, after.high, &picture, w->err) &&
               put_picture(w, &picture, name, caption, 1);
    }
    svg_histogram(w->to, before.bins, before.bin_top, isolated ? after.bins : NULL, after.bin_top,
                  QC_BINS, isolated ? "before" : qc_stage_name(from), "isolated");
    fprintf(w->to, "</div>");
    qc_view_free(&before);
    qc_view_free(&after);
    return fine;
}

static bool put_markers(struct writing *w)
{
    const struct experiment *exp = w->page->exp;
    int total = exp->cycles * exp->channels;
    fprintf(w->to, "<h2 id='markers'>Markers</h2>");
    for (int i = 0; i < total; i++) {
        int cycle = i / exp->channels + 1;
        enum qc_stage from = qc_stage_has(w->page->project, exp, QC_REGISTRATION, cycle)
                                 ? QC_REGISTRATION
                                 : QC_EDF;
        if (!put_marker(w, cycle, i % exp->channels + 1, from))
            return false;
        kin_tell(w->page->progress, i + 1, total, "pictures");
    }
    return true;
}

// ---- maps ------------------------------------------------------------------------------------

static void cycle_or_channel(int i, bool row, char *buffer)
{
    snprintf(buffer, 64, "%s %d", row ? "cycle" : "CH", i + 1);
}

static bool stage_was_measured(const struct qc_table *table, const char *stage)
{
    for (int i = 0; i < table->entry_count; i++)
        if (!strcmp(table->entries[i].stage, stage))
            return true;
    return false;
}

static const struct qc_field *field_named(const char *name)
{
    for (int f = 0; f < qc_plane_field_count; f++)
        if (!strcmp(qc_plane_fields[f].name, name))
            return &qc_plane_fields[f];
    return NULL;
}

// A number of a stage, cycle by channel, or (before given) divided by that of the stage before.
// values: room for all.
static void put_map(struct writing *w, const char *stage, const char *before, const char *name,
                    double *values)
{
    const struct experiment *exp = w->page->exp;
    const struct qc_table *table = w->page->table;
    const struct qc_field *field = field_named(name);
    bool any = false;
    for (int i = 0; i < exp->cycles * exp->channels; i++) {
        int cycle = i / exp->channels + 1, channel = i % exp->channels + 1;
        double old = before ? qc_table_cell(table, before, cycle, channel, field) : 1;
        values[i] = old != 0 ? qc_table_cell(table, stage, cycle, channel, field) / old : NAN;
        any |= !isnan(values[i]);
    }
    struct svg_heatmap map = {
        name, before ? "times" : field->unit, exp->cycles, exp->channels, values, cycle_or_channel};
    if (any)
        svg_heatmap(w->to, &map);
}

static bool put_maps(struct writing *w)
{
    static const char *const fields[] = {"mean",   "snr",    "snr_fg",    "sharpness", "noise",
                                         "row_cv", "col_cv", "saturated", "p99"};
    const struct experiment *exp = w->page->exp;
    double *values = malloc((size_t)exp->cycles * exp->channels * sizeof *values);
    if (!values)
        return kin_fail(w->err, KIN_MEMORY, "no memory for heat maps");
    fprintf(w->to, "<h2 id='maps'>Cycle by channel</h2><p>Mean over the planes of each stack.</p>");
    for (int s = 0; s < QC_STAGES; s++) {
        if (!stage_was_measured(w->page->table, qc_stage_name(s)))
            continue;
        fprintf(w->to, "<h3>%s</h3><div class='row'>", qc_stage_name(s));
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            put_map(w, qc_stage_name(s), NULL, fields[k], values);
        fprintf(w->to, "</div>");
    }
    free(values);
    return true;
}

static bool put_changes(struct writing *w)
{
    static const char *const fields[] = {"mean", "std", "snr_fg", "sharpness"};
    const char *before = NULL;
    double *values = malloc((size_t)w->page->exp->cycles * w->page->exp->channels * sizeof *values);
    if (!values)
        return kin_fail(w->err, KIN_MEMORY, "no memory for heat maps");
    fprintf(
        w->to,
        "<h2 id='changes'>From stage to stage</h2><p>The number after the stage, divided by that "
        "before it.</p>");
    for (int s = 0; s < QC_STAGES; s++) {
        const char *after = qc_stage_name(s);
        if (!stage_was_measured(w->page->table, after))
            continue;
        if (before) {
            fprintf(w->to, "<h3>%s to %s</h3><div class='row'>", before, after);
            for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
                put_map(w, after, before, fields[k], values);
            fprintf(w->to, "</div>");
        }
        before = after;
    }
    free(values);
    return true;
}

// ---- profiles --------------------------------------------------------------------------------

static void put_profile(struct writing *w, const char *stage, int channel, const char *name,
                        double *values, const char *const *names)
{
    const struct experiment *exp = w->page->exp;
    const struct qc_field *field = field_named(name);
    char title[80];
    bool any = false;
    for (int i = 0; i < exp->cycles * exp->planes; i++)
        values[i] = NAN;
    for (int i = 0; i < w->page->table->entry_count; i++) {
        const struct qc_entry *e = &w->page->table->entries[i];
        if (strcmp(e->stage, stage) || e->channel != channel || e->z < 1 || e->z > exp->planes ||
            e->cycle < 1 || e->cycle > exp->cycles)
            continue;
        values[(e->cycle - 1) * exp->planes + e->z - 1] = qc_get(&e->plane, field);
        any = true;
    }
    snprintf(title, sizeof title, "%s, CH %d: %s", stage, channel, name);
    struct svg_lines lines = {title, "plane", exp->cycles, exp->planes, values, names};
    if (any)
        svg_lines(w->to, &lines);
}

static bool put_profiles(struct writing *w)
{
    static const char *const fields[] = {"mean", "sharpness", "snr", "std", "row_cv", "col_cv"};
    enum { FIRST = 2, ALL = sizeof fields / sizeof *fields }; // the rest is folded away
    const struct experiment *exp = w->page->exp;
    double *values = malloc((size_t)exp->cycles * exp->planes * sizeof *values);
    char(*text)[16] = calloc(exp->cycles, sizeof *text);
    const char **names = calloc(exp->cycles, sizeof *names);
    bool fine = (values && text && names) || kin_fail(w->err, KIN_MEMORY, "no memory for profiles");
    for (int i = 0; i < exp->cycles && fine; i++) {
        snprintf(text[i], sizeof text[i], "cyc%d", i + 1);
        names[i] = text[i];
    }
    if (fine)
        fprintf(w->to, "<h2 id='profiles'>Focus profiles</h2><p>Where in the stack the light and "
                       "the sharpness are.</p>");
    for (int s = QC_STITCH; s <= QC_DECON && fine; s++) {
        fprintf(w->to, "<div class='row'>");
        for (int c = 1; c <= exp->channels; c++)
            for (int k = 0; k < FIRST; k++)
                put_profile(w, qc_stage_name(s), c, fields[k], values, names);
        fprintf(w->to, "</div><details><summary>More profiles of %s</summary><div class='row'>",
                qc_stage_name(s));
        for (int c = 1; c <= exp->channels; c++)
            for (int k = FIRST; k < ALL; k++)
                put_profile(w, qc_stage_name(s), c, fields[k], values, names);
        fprintf(w->to, "</div></details>");
    }
    free(values);
    free(text);
    free(names);
    return fine;
}

// ---- the file --------------------------------------------------------------------------------

static bool put_all(struct writing *w)
{
    put_head(w);
    put_verdicts(w);
    put_seams(w);
    if (!put_registration(w) || !put_markers(w) || !put_maps(w) || !put_changes(w) ||
        !put_profiles(w))
        return false;
    fprintf(w->to, "</main>%s</body></html>\n", page_script);
    return true;
}

bool qc_page_write(const struct qc_page *page, const char *dir, struct kin_error *err)
{
    char path[PATH];
    struct kin_part part;
    snprintf(path, sizeof path, "%s/index.html", dir);
    if (!kin_part_open(&part, path, err))
        return false;
    struct writing w = {page, dir, part.file, err};
    return kin_part_close(&part, put_all(&w), err);
}

// A name that holds what separates columns is quoted.
static void put_csv_text(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static bool write_csv(const struct qc_page *page, const char *dir, const char *stage,
                      struct kin_error *err)
{
    char path[PATH];
    struct kin_part part;
    snprintf(path, sizeof path, "%s/%s_heatmap.csv", dir, stage);
    if (!kin_part_open(&part, path, err))
        return false;
    FILE *to = part.file;
    fprintf(to, "cycle,channel,marker");
    for (int f = 0; f < qc_plane_field_count; f++)
        fprintf(to, ",%s", qc_plane_fields[f].name);
    fputc('\n', to);
    for (int i = 0; i < page->exp->cycles * page->exp->channels; i++) {
        int cycle = i / page->exp->channels + 1, channel = i % page->exp->channels + 1;
        if (isnan(qc_table_cell(page->table, stage, cycle, channel, &qc_plane_fields[0])))
            continue;
        fprintf(to, "%d,%d,", cycle, channel);
        put_csv_text(to, experiment_marker(page->exp, cycle, channel));
        for (int f = 0; f < qc_plane_field_count; f++)
            fprintf(to, ",%.9g",
                    qc_table_cell(page->table, stage, cycle, channel, &qc_plane_fields[f]));
        fputc('\n', to);
    }
    return kin_part_close(&part, true, err);
}

bool qc_csv_write(const struct qc_page *page, const char *dir, struct kin_error *err)
{
    for (int s = 0; s < QC_STAGES; s++)
        if (stage_was_measured(page->table, qc_stage_name(s)) &&
            !write_csv(page, dir, qc_stage_name(s), err))
            return false;
    return true;
}
