// SPDX-License-Identifier: MIT
// stitch_report.c: tile positions as CSV and JSON.
#include "stitch_report.h"
#include "part.h"

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

/* ---- reading ----------------------------------------------------------------------------------
 */

static bool read_lines(FILE *file, struct stitch_model *m, bool *seen)
{
    char line[400];
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        int tile, row, col;
        double y, x;
        if (sscanf(line, "%d,%d,%d,%lf,%lf", &tile, &row, &col, &y, &x) != 5)
            continue;
        if (tile < 1 || tile > m->tiles || seen[tile - 1] || !isfinite(y) || !isfinite(x))
            return false;
        seen[tile - 1] = true;
        if (m->places[tile - 1].row != row || m->places[tile - 1].col != col)
            return false;
        m->places[tile - 1].y = y;
        m->places[tile - 1].x = x;
        count++;
    }
    return count == m->tiles;
}

bool stitch_read_csv(const char *path, const struct stitch_params *params, struct stitch_model *m,
                     struct kin_error *err)
{
    int n = params->scan.rows * params->scan.cols;
    FILE *file = fopen(path, "r");
    *m = (struct stitch_model){.tiles = n, .places = calloc((size_t)n, sizeof *m->places)};
    bool *seen = calloc((size_t)n, sizeof *seen), good = file && m->places && seen;
    if (!file)
        kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    for (int k = 0; m->places && k < n; k++)
        stitch_place(&params->scan, k, &m->places[k].row, &m->places[k].col);
    good = good && read_lines(file, m, seen);
    if (file)
        fclose(file);
    free(seen);
    if (good)
        stitch_canvas(params, m);
    else
        stitch_model_free(m);
    return good ||
           kin_fail(err, KIN_INPUT,
                    "%s: not the positions (tile,row,col,y,x) of a grid of %d x %d tiles in "
                    "this order",
                    path, params->scan.rows, params->scan.cols);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

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
        js_push(list, tile);
    }
    return list;
}

static struct js *edges_js(const struct stitch_model *m, const double *seams)
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
        js_set_bool(node, "accepted", edge->accepted);
        js_set_bool(node, "faint", edge->faint);
        js_set_number(node, "residual", edge->residual);
        if (seams)
            js_set_number(node, "seam", seams[e]);
        js_push(list, node);
    }
    return list;
}

struct js *stitch_model_js(const struct stitch_model *m, const double *seams)
{
    struct js *root = js_object();
    js_set_number(root, "height", m->canvas_h);
    js_set_number(root, "width", m->canvas_w);
    if (m->edge_count) {
        js_set_number(root, "residual_rms", m->residual_rms);
        js_set_number(root, "overlap_ncc", m->ncc_median);
        js_set_number(root, "seam_sharpness", seams ? stitch_median(seams, m->edge_count) : NAN);
    }
    js_set(root, "tiles", tiles_js(m));
    js_set(root, "edges", edges_js(m, seams));
    return root;
}
