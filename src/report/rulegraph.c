// SPDX-License-Identifier: MIT
#include "report/rulegraph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "report/rst.h"

static const double LEAST_SCALE = 0.7; /* smaller, names could not be read */
enum { SWEEPS = 12, LAYER_GAP = 44, BOX_HEIGHT = 34, NODE_GAP = 18, MARGIN = 8 };

/* A rule, or a stand-in for an edge that crosses a layer. */
struct spot {
    uint32_t node; /* of the net; UINT32_MAX: a stand-in */
    uint32_t layer;
    double order; /* barycentre while sweeping */
    double x, width;
};

/* A piece of an edge between neighbouring layers; last: it ends at a rule. */
struct piece {
    uint32_t from, to; /* spots */
};

struct drawing {
    const struct graph *g;
    const struct rule_net *net;
    VEC(struct spot) spots; /* the rules first */
    VEC(struct piece) pieces;
    uint32_t **layer; /* spots of each layer, in order */
    uint32_t *nlayer, nlayers;
    double width;
};

int rulegraph_hue(uint32_t i, uint32_t n)
{
    return (int)(360.0 * i / (n ? n : 1) + 205) % 360;
}

static const char *node_name(const struct drawing *d, uint32_t node)
{
    return sym_text(d->g->names, d->g->workflow->rules.at[d->net->node[node].rule]->name);
}

/* ---- layers ---- */

/* Every rule stands below all that it needs. Rules can need each other in a circle where their jobs
 * do not: after as many rounds as there are rules what is left stays as it is. */
static void place_layers(struct drawing *d)
{
    const struct rule_net *net = d->net;
    bool changed = true;
    for (uint32_t round = 0; changed && round < net->nnodes; round++) {
        changed = false;
        for (uint32_t i = 0; i < net->nedges; i++) {
            struct spot *from = &d->spots.at[net->edge[i].from],
                        *to = &d->spots.at[net->edge[i].to];
            if (from != to && to->layer <= from->layer && from->layer + 1 < net->nnodes) {
                to->layer = from->layer + 1;
                changed = true;
            }
        }
    }
}

static uint32_t add_spot(struct drawing *d, uint32_t layer)
{
    struct spot spot = {.node = UINT32_MAX, .layer = layer, .width = 6};
    vec_push(&d->spots, spot);
    return d->spots.len - 1;
}

/* An edge as pieces from layer to layer; one that leads upwards (in a circle) is drawn in one. */
static void add_pieces(struct drawing *d, uint32_t from, uint32_t to)
{
    uint32_t at = from, bottom = d->spots.at[to].layer;
    if (from == to)
        return;
    for (uint32_t layer = d->spots.at[from].layer + 1; layer < bottom; layer++) {
        uint32_t next = add_spot(d, layer);
        struct piece piece = {at, next};
        vec_push(&d->pieces, piece);
        at = next;
    }
    struct piece piece = {at, to};
    vec_push(&d->pieces, piece);
}

static double name_width(const char *name)
{
    double n = (double)utf8_count(name, strlen(name));
    return (n < 6 ? 6 : n) * 7.4 + 26;
}

static void make_spots(struct drawing *d)
{
    for (uint32_t i = 0; i < d->net->nnodes; i++) {
        struct spot spot = {.node = i, .width = name_width(node_name(d, i))};
        vec_push(&d->spots, spot);
    }
    place_layers(d);
    for (uint32_t i = 0; i < d->net->nedges; i++)
        add_pieces(d, d->net->edge[i].from, d->net->edge[i].to);
    for (uint32_t i = 0; i < d->spots.len; i++)
        if (d->spots.at[i].layer >= d->nlayers)
            d->nlayers = d->spots.at[i].layer + 1;
    d->layer = memory_zeroed(d->nlayers + 1, sizeof *d->layer);
    d->nlayer = memory_zeroed(d->nlayers + 1, sizeof *d->nlayer);
    for (uint32_t i = 0; i < d->nlayers; i++)
        d->layer[i] = memory_zeroed(d->spots.len, sizeof **d->layer);
    for (uint32_t i = 0; i < d->spots.len; i++) {
        uint32_t layer = d->spots.at[i].layer;
        d->spots.at[i].order = d->nlayer[layer];
        d->layer[layer][d->nlayer[layer]++] = i;
    }
}

/* ---- order ---- */

/* The mean of the neighbours above (or below), in a value of theirs; own: where there are none. */
static void average(struct drawing *d, uint32_t layer, bool above, double *sum, uint32_t *count)
{
    for (uint32_t i = 0; i < d->nlayer[layer]; i++)
        sum[d->layer[layer][i]] = count[d->layer[layer][i]] = 0;
    for (uint32_t i = 0; i < d->pieces.len; i++) {
        uint32_t here = above ? d->pieces.at[i].to : d->pieces.at[i].from;
        uint32_t there = above ? d->pieces.at[i].from : d->pieces.at[i].to;
        if (d->spots.at[here].layer != layer)
            continue;
        sum[here] += d->spots.at[there].order;
        count[here]++;
    }
}

static void sort_layer(struct drawing *d, uint32_t layer)
{
    uint32_t *at = d->layer[layer];
    for (uint32_t i = 1; i < d->nlayer[layer]; i++) /* stable; layers are short */
        for (uint32_t k = i; k && d->spots.at[at[k]].order < d->spots.at[at[k - 1]].order; k--) {
            uint32_t swap = at[k];
            at[k] = at[k - 1];
            at[k - 1] = swap;
        }
    for (uint32_t i = 0; i < d->nlayer[layer]; i++)
        d->spots.at[at[i]].order = i;
}

static void reduce_crossings(struct drawing *d)
{
    double *sum = memory_zeroed(d->spots.len + 1, sizeof *sum);
    uint32_t *count = memory_zeroed(d->spots.len + 1, sizeof *count);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (uint32_t i = 1; i < d->nlayers; i++) {
            uint32_t layer = sweep % 2 ? d->nlayers - 1 - i : i;
            average(d, layer, sweep % 2 == 0, sum, count);
            for (uint32_t k = 0; k < d->nlayer[layer]; k++) {
                uint32_t spot = d->layer[layer][k];
                if (count[spot])
                    d->spots.at[spot].order = sum[spot] / count[spot];
            }
            sort_layer(d, layer);
        }
    free(sum);
    free(count);
}

/* ---- places ---- */

/* Side by side, centred. */
static void first_places(struct drawing *d)
{
    double *total = memory_zeroed(d->nlayers + 1, sizeof *total);
    for (uint32_t i = 0; i < d->nlayers; i++) {
        for (uint32_t k = 0; k < d->nlayer[i]; k++)
            total[i] += d->spots.at[d->layer[i][k]].width + NODE_GAP;
        if (total[i] > d->width)
            d->width = total[i];
    }
    for (uint32_t i = 0; i < d->nlayers; i++) {
        double x = (d->width - total[i]) / 2;
        for (uint32_t k = 0; k < d->nlayer[i]; k++) {
            struct spot *spot = &d->spots.at[d->layer[i][k]];
            spot->x = x + NODE_GAP / 2.0 + spot->width / 2;
            x += spot->width + NODE_GAP;
        }
    }
    free(total);
}

/* Each spot goes towards the mean of its neighbours as far as those beside it let it. */
static void draw_together(struct drawing *d)
{
    double *sum = memory_zeroed(d->spots.len + 1, sizeof *sum);
    uint32_t *count = memory_zeroed(d->spots.len + 1, sizeof *count);
    for (int round = 0; round < 2 * SWEEPS; round++) {
        memset(sum, 0, d->spots.len * sizeof *sum);
        memset(count, 0, d->spots.len * sizeof *count);
        for (uint32_t i = 0; i < d->pieces.len; i++) {
            struct piece p = d->pieces.at[i];
            sum[p.from] += d->spots.at[p.to].x, count[p.from]++;
            sum[p.to] += d->spots.at[p.from].x, count[p.to]++;
        }
        for (uint32_t i = 0; i < d->nlayers; i++)
            for (uint32_t k = 0; k < d->nlayer[i]; k++) {
                const uint32_t *at = d->layer[i];
                struct spot *s = &d->spots.at[at[k]];
                const struct spot *left = k ? &d->spots.at[at[k - 1]] : NULL;
                const struct spot *right = k + 1 < d->nlayer[i] ? &d->spots.at[at[k + 1]] : NULL;
                double low = left ? left->x + (left->width + s->width) / 2 + NODE_GAP
                                  : s->width / 2;
                double high = right ? right->x - (right->width + s->width) / 2 - NODE_GAP
                                    : d->width - s->width / 2;
                double x = count[at[k]] ? sum[at[k]] / count[at[k]] : s->x;
                s->x = x < low ? low : x > high ? (high > low ? high : low) : x;
            }
    }
    free(sum);
    free(count);
}

/* ---- drawing ---- */

static double top(const struct drawing *d, uint32_t spot)
{
    return MARGIN + (double)d->spots.at[spot].layer * (BOX_HEIGHT + LAYER_GAP);
}

static void draw_pieces(const struct drawing *d, struct buf *out)
{
    for (uint32_t i = 0; i < d->pieces.len; i++) {
        struct piece p = d->pieces.at[i];
        double x1 = d->spots.at[p.from].x + MARGIN, y1 = top(d, p.from) + BOX_HEIGHT;
        double x2 = d->spots.at[p.to].x + MARGIN, y2 = top(d, p.to);
        bool through = d->spots.at[p.from].node == UINT32_MAX;
        double middle = (y1 + y2) / 2;
        buf_printf(out, "<path d=\"M%.1f %.1f", x1, through ? y1 - BOX_HEIGHT : y1);
        if (through)
            buf_printf(out, "V%.1f", y1);
        buf_printf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f\"%s/>\n", x1, middle, x2, middle, x2, y2,
                   d->spots.at[p.to].node == UINT32_MAX ? "" : " marker-end=\"url(#arrow)\"");
    }
}

static void draw_nodes(const struct drawing *d, struct buf *out)
{
    for (uint32_t i = 0; i < d->net->nnodes; i++) {
        const struct spot *s = &d->spots.at[i];
        const char *name = node_name(d, i);
        buf_str(out, "<a href=\"#");
        html_anchor(out, "rule", name);
        buf_printf(out,
                   "\"><g style=\"--hue:%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                   "height=\"%d\" rx=\"7\"/><text x=\"%.1f\" y=\"%.1f\">",
                   rulegraph_hue(i, d->net->nnodes), s->x - s->width / 2 + MARGIN, top(d, i),
                   s->width, BOX_HEIGHT, s->x + MARGIN, top(d, i) + 15);
        html_escape(out, name, strlen(name));
        buf_printf(out, "<tspan class=\"n\" x=\"%.1f\" dy=\"12\">%u job%s</tspan></text></g></a>\n",
                   s->x + MARGIN, d->net->node[i].njobs, d->net->node[i].njobs == 1 ? "" : "s");
    }
}

static void draw(const struct drawing *d, struct buf *out)
{
    double width = d->width + 2 * MARGIN;
    double height = 2.0 * MARGIN + (double)d->nlayers * (BOX_HEIGHT + LAYER_GAP) - LAYER_GAP;
    buf_printf(out,
               "<svg class=\"rulegraph\" xmlns=\"http://www.w3.org/2000/svg\" role=\"group\" "
               "aria-label=\"Graph of rules\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
               "height=\"%.0f\" style=\"min-width:%.0fpx\">\n<defs><marker id=\"arrow\" "
               "viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
               "orient=\"auto\">"
               "<path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n<g class=\"edges\">\n",
               width, height, width, height, width * LEAST_SCALE);
    draw_pieces(d, out);
    buf_str(out, "</g>\n<g class=\"nodes\">\n");
    draw_nodes(d, out);
    buf_str(out, "</g>\n</svg>\n");
}

void rulegraph_svg(const struct graph *g, const struct rule_net *net, struct buf *out)
{
    struct drawing d = {.g = g, .net = net};
    if (!net->nnodes)
        return;
    make_spots(&d);
    reduce_crossings(&d);
    first_places(&d);
    draw_together(&d);
    draw(&d, out);
    for (uint32_t i = 0; i < d.nlayers; i++)
        free(d.layer[i]);
    free(d.layer);
    free(d.nlayer);
    vec_free(&d.spots);
    vec_free(&d.pieces);
}
