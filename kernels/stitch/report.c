// SPDX-License-Identifier: MIT
// report.c: tile positions as CSV and JSON.
#include "stitch/report.h"
#include "core/part.h"
#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_tile(FILE *file, const struct stitch_model *m, int k)
{
    double ncc = 0, residual = 0;
    int count = 0, held = 0;
    for (int e = 0; e < m->edge_count; e++) {
        if (m->edges[e].from != k && m->edges[e].to != k)
            continue;
        held += m->edges[e].accepted;
        ncc += m->edges[e].ncc;
        residual += m->edges[e].residual;
        count++;
    }
    const struct stitch_place *p = &m->places[k];
    fprintf(file, "%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%d\n", k + 1, p->row, p->col, p->y, p->x,
            count ? ncc / count : 0, count ? residual / count : 0, held);
}

bool stitch_write_csv(const struct stitch_model *m, const char *path, struct kin_error *err)
{
    struct kin_part part;
    if (!kin_part_open(&part, path, err))
        return false;
    fprintf(part.file, "tile,row,col,y,x,ncc,residual,overlaps\n");
    for (int k = 0; k < m->tiles; k++)
        print_tile(part.file, m, k);
    return kin_part_close(&part, true, err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int fields_of(const char *line)
{
    int fields = 1;
    for (; *line; line++)
        fields += *line == ',';
    return fields;
}

/* One tile's line. */
static bool read_tile(const char *line, struct stitch_model *m, bool *seen, const char *where,
                      struct kin_error *err)
{
    int tile, row, col, used = 0;
    double y, x;
    if (sscanf(line, "%d,%d,%d,%lf,%lf%n", &tile, &row, &col, &y, &x, &used) != 5 || !isfinite(y) ||
        !isfinite(x) || !strchr(", \t\r\n", line[used]))
        return kin_fail(err, KIN_INPUT, "%s: not tile,row,col,y,x as numbers", where);
    if (tile < 1 || tile > m->tiles)
        return kin_fail(err, KIN_INPUT, "%s: tile %d of %d", where, tile, m->tiles);
    struct stitch_place *place = &m->places[tile - 1];
    if (seen[tile - 1])
        return kin_fail(err, KIN_INPUT, "%s: tile %d for the second time", where, tile);
    if (place->row != row || place->col != col)
        return kin_fail(
            err, KIN_INPUT,
            "%s: tile %d in row %d, column %d; by the experiment's order it is in %d, %d", where,
            tile, row, col, place->row, place->col);
    seen[tile - 1] = true;
    place->y = y;
    place->x = x;
    return true;
}

/* The first line may name the columns: then every line has as many. */
static bool read_lines(FILE *file, const char *path, struct stitch_model *m, bool *seen,
                       struct kin_error *err)
{
    char line[400], where[420];
    int fields = 0;
    for (int n = 1; fgets(line, sizeof line, file); n++) {
        const char *first = line + strspn(line, " \t\r\n");
        snprintf(where, sizeof where, "%.400s:%d", path, n);
        if (!*first)
            continue;
        if (n == 1 && isalpha((unsigned char)*first)) {
            fields = fields_of(line);
            continue;
        }
        if (!read_tile(first, m, seen, where, err))
            return false;
        if (fields && fields_of(line) != fields)
            return kin_fail(err, KIN_INPUT, "%s: %d values under %d names of columns", where,
                            fields_of(line), fields);
    }
    for (int k = 0; k < m->tiles; k++)
        if (!seen[k])
            return kin_fail(err, KIN_INPUT, "%.400s: no position of tile %d (of a grid of %d)",
                            path, k + 1, m->tiles);
    return true;
}

/* Tiles may stand apart, but not so far that it must be a mistake: a mosaic would be nearly empty,
 * or too large. */
static bool check_spread(const struct stitch_params *params, const struct stitch_model *m,
                         const char *path, struct kin_error *err)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < m->tiles; k++) {
        const double at[2] = {m->places[k].y, m->places[k].x};
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
    }
    double y = high[0] - low[0], x = high[1] - low[1];
    return (y <= 4.0 * params->scan.rows * params->tile_h &&
            x <= 4.0 * params->scan.cols * params->tile_w) ||
           kin_fail(
               err, KIN_INPUT,
               "%.400s: tiles lie %g x %g pixels apart; %d x %d tiles of %d x %d pixels cannot",
               path, y, x, params->scan.rows, params->scan.cols, params->tile_h, params->tile_w);
}

bool stitch_read_csv(const char *path, const struct stitch_params *params, struct stitch_model *m,
                     struct kin_error *err)
{
    int n = params->scan.rows * params->scan.cols;
    FILE *file = text_open(path);
    if (!file) {
        *m = (struct stitch_model){.seam_median = NAN};
        return kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    }
    *m = (struct stitch_model){
        .tiles = n, .places = calloc((size_t)n, sizeof *m->places), .seam_median = NAN};
    bool *seen = calloc((size_t)n, sizeof *seen),
         good = (m->places && seen) ||
                kin_fail(err, KIN_MEMORY, "no memory for the positions of %d tiles", n);
    for (int k = 0; good && k < n; k++)
        stitch_place(&params->scan, k, &m->places[k].row, &m->places[k].col);
    good = good && read_lines(file, path, m, seen, err) && check_spread(params, m, path, err);
    fclose(file);
    free(seen);
    if (good)
        stitch_canvas(params, m);
    else
        stitch_model_free(m);
    return good;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *const faults[STITCH_FAULTS] = {"", "foreign", "uneven", "blurred"};

static struct js *tiles_js(const struct stitch_model *m)
{
    struct js *list = js_array();
    for (int k = 0; k < m->tiles; k++) {
        struct js *tile = js_object();
        js_set_number(tile, "tile", k + 1);
        js_set_number(tile, "row", m->places[k].row);
        js_set_number(tile, "col", m->places[k].col);
        js_set_number(tile, "y", m->places[k].y);
        js_set_number(tile, "x", m->places[k].x);
        if (m->places[k].fault != STITCH_SOUND)
            js_set_text(tile, "fault", faults[m->places[k].fault]);
        js_push(list, tile);
    }
    return list;
}

static struct js *edges_js(const struct stitch_model *m)
{
    struct js *list = js_array();
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        struct js *node = js_object();
        js_set_number(node, "from", edge->from + 1);
        js_set_number(node, "to", edge->to + 1);
        js_set_text(node, "direction", edge->vertical ? "below" : "right");
        js_set_number(node, "dy", edge->dy);
        js_set_number(node, "dx", edge->dx);
        js_set_number(node, "ncc", edge->ncc);
        js_set_number(node, "chance", edge->chance);
        js_set_bool(node, "accepted", edge->accepted);
        js_set_bool(node, "faint", edge->faint);
        js_set_number(node, "promise", edge->promise);
        js_set_bool(node, "unlike", edge->unlike);
        if (edge->light > 0) {
            js_set_number(node, "light", edge->light);
            js_set_number(node, "detail", edge->detail);
        }
        js_set_number(node, "residual", edge->residual);
        js_set_number(node, "seam", edge->seam);
        js_push(list, node);
    }
    return list;
}

struct js *stitch_model_js(const struct stitch_model *m)
{
    struct js *root = js_object();
    js_set_number(root, "height", m->canvas_h);
    js_set_number(root, "width", m->canvas_w);
    if (m->edge_count) {
        js_set_number(root, "residual_rms", m->residual_rms);
        js_set_number(root, "overlap_ncc", m->ncc_median);
        js_set_number(root, "seam_sharpness", m->seam_median);
        js_set_number(root, "foreign_tiles", m->faulty[STITCH_FOREIGN]);
        js_set_number(root, "uneven_tiles", m->faulty[STITCH_UNEVEN]);
        js_set_number(root, "blurred_tiles", m->faulty[STITCH_BLURRED]);
    }
    js_set(root, "tiles", tiles_js(m));
    js_set(root, "edges", edges_js(m));
    return root;
}
