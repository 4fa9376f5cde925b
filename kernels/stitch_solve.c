// SPDX-License-Identifier: MIT
// stitch_solve.c: which edges can be trusted, and the positions that fit them best.
//
// Positions minimise sum w |p_to - p_from - d|^2 over all edges, w = NCC^2 / (1 + (residual / 1
// px)^2) from the round before (Cauchy weights, 10 rounds). The normal matrix is a grid's
// Laplacian: tiles in row order give it a band as wide as the grid, which a banded Cholesky
// factorisation solves.
#include "stitch_solve.h"
#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };

double stitch_median(const double *values, int n)
{
    double *kept = malloc(((size_t)n + 1) * sizeof *kept), median = NAN;
    int count = 0;
    for (int i = 0; kept && i < n; i++) {
        if (!isnan(values[i]))
            kept[count++] = values[i];
    }
    if (kept)
        median = kin_median_f64(kept, (size_t)count);
    free(kept);
    return median;
}

/* ---- which edges are trusted ------------------------------------------------------------------
 */

struct choice { /* edges of one direction; line < 0: of every row and column */
    bool vertical;
    int line;
    bool any; /* also rejected ones */
};

static int line_of(const struct stitch_model *m, const struct stitch_edge *edge)
{
    return edge->vertical ? m->places[edge->from].row : m->places[edge->from].col;
}

static bool chosen(const struct stitch_model *m, const struct stitch_edge *edge,
                   const struct choice *c)
{
    return edge->vertical == c->vertical && (c->any || edge->accepted) &&
           (c->line < 0 || line_of(m, edge) == c->line);
}

/* Medians of the chosen edges' displacements and of their distances from `centre` (NULL: of the
 * values). */
static void medians(const struct stitch_model *m, const struct choice *c, const double *centre,
                    double *work, double median[2])
{
    for (int axis = 0; axis < 2; axis++) {
        for (int e = 0; e < m->edge_count; e++) {
            double v = axis ? m->edges[e].dx : m->edges[e].dy;
            work[e] = !chosen(m, &m->edges[e], c) ? NAN : centre ? fabs(v - centre[axis]) : v;
        }
        median[axis] = stitch_median(work, m->edge_count);
    }
}

static void reject_far(struct stitch_model *m, bool vertical, double *work)
{
    struct choice c = {vertical, -1, false};
    double median[2], spread[2];
    medians(m, &c, NULL, work, median);
    if (isnan(median[0]))
        return;
    medians(m, &c, median, work, spread);
    for (int e = 0; e < m->edge_count; e++) {
        struct stitch_edge *edge = &m->edges[e];
        if (edge->vertical != vertical)
            continue;
        double ty = fmax(6 * fmax(1.4826 * spread[0], 0.5), 4),
               tx = fmax(6 * fmax(1.4826 * spread[1], 0.5), 4);
        if (fabs(edge->dy - median[0]) > ty || fabs(edge->dx - median[1]) > tx)
            edge->accepted = false;
    }
}

/* A rejected edge takes the median of the trusted ones in its line, else of its direction. */
static void replace_rejected(struct stitch_model *m, double *work)
{
    for (int e = 0; e < m->edge_count; e++) {
        struct stitch_edge *edge = &m->edges[e];
        double median[2];
        if (edge->accepted)
            continue;
        struct choice line = {edge->vertical, line_of(m, edge), false},
                      all = {edge->vertical, -1, false};
        medians(m, &line, NULL, work, median);
        if (isnan(median[0]))
            medians(m, &all, NULL, work, median);
        if (isnan(median[0]))
            continue;
        edge->dy = median[0];
        edge->dx = median[1];
    }
}

static void count_accepted(struct stitch_model *m)
{
    m->accepted = 0;
    for (int e = 0; e < m->edge_count; e++)
        m->accepted += m->edges[e].accepted;
}

double stitch_ncc_least(const struct stitch_params *params)
{
    return params->ncc_min > 0 ? params->ncc_min : 0.15;
}

static void judge_edges(const struct stitch_params *params, struct stitch_model *m, double *work)
{
    double least = stitch_ncc_least(params);
    for (int e = 0; e < m->edge_count; e++)
        m->edges[e].accepted = m->edges[e].ncc > least;
    reject_far(m, false, work);
    reject_far(m, true, work);
    replace_rejected(m, work);
    count_accepted(m);
}

static int root_of(int *parent, int k)
{
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

/* How many accepted edges close a loop: each is a check of all others in it. */
static int count_loops(const struct stitch_model *m, int *parent)
{
    int loops = 0;
    for (int k = 0; k < m->tiles; k++)
        parent[k] = k;
    for (int e = 0; e < m->edge_count; e++) {
        int a = root_of(parent, m->edges[e].from), b = root_of(parent, m->edges[e].to);
        if (!m->edges[e].accepted)
            continue;
        loops += a == b;
        parent[a] = b;
    }
    return loops;
}

/* Rejects what the solution contradicts; whether anything was. */
static bool reject_contradicted(struct stitch_model *m, double *work)
{
    int before = m->accepted;
    for (int e = 0; e < m->edge_count; e++)
        work[e] = m->edges[e].accepted ? m->edges[e].residual : NAN;
    double limit = fmax(4, 8 * stitch_median(work, m->edge_count));
    for (int e = 0; e < m->edge_count; e++)
        m->edges[e].accepted = m->edges[e].accepted && m->edges[e].residual <= limit;
    replace_rejected(m, work);
    count_accepted(m);
    return m->accepted < before;
}

/* ---- least squares ----------------------------------------------------------------------------
 */

struct system { /* normal equations in grid order; row i holds columns i - band .. i */
    int n, band;
    int *order;    /* grid place of each tile */
    double *lower; /* (n, band + 1) */
    double *right; /* (2, n): y, x */
    double *work;
};

static double *entry(const struct system *s, int i, int j)
{
    return &s->lower[(size_t)i * ((size_t)s->band + 1) + (size_t)(s->band - (i - j))];
}

static void add_edge(struct system *s, const struct stitch_edge *edge, double weight)
{
    int i = s->order[edge->from], j = s->order[edge->to];
    *entry(s, i, i) += weight;
    *entry(s, j, j) += weight;
    *entry(s, i > j ? i : j, i > j ? j : i) -= weight;
    s->right[i] -= weight * edge->dy;
    s->right[j] += weight * edge->dy;
    s->right[s->n + i] -= weight * edge->dx;
    s->right[s->n + j] += weight * edge->dx;
}

/* In place: the band becomes its Cholesky factor. */
static void factor(struct system *s)
{
    for (int i = 0; i < s->n; i++) {
        int first = i > s->band ? i - s->band : 0;
        for (int j = first; j <= i; j++) {
            double sum = *entry(s, i, j);
            for (int k = first > j - s->band ? first : j - s->band; k < j; k++)
                sum -= *entry(s, i, k) * *entry(s, j, k);
            *entry(s, i, j) = i == j ? sqrt(sum > 1e-300 ? sum : 1e-300) : sum / *entry(s, j, j);
        }
    }
}

static void substitute(const struct system *s, double *x)
{
    for (int i = 0; i < s->n; i++) {
        for (int k = i > s->band ? i - s->band : 0; k < i; k++)
            x[i] -= *entry(s, i, k) * x[k];
        x[i] /= *entry(s, i, i);
    }
    for (int i = s->n - 1; i >= 0; i--) {
        for (int k = i + 1; k < s->n && k <= i + s->band; k++)
            x[i] -= *entry(s, k, i) * x[k];
        x[i] /= *entry(s, i, i);
    }
}

static double edge_weight(const struct stitch_edge *edge)
{
    double trust = edge->accepted ? edge->ncc * edge->ncc * (edge->faint ? 0.1 : 1) : 1e-4;
    return trust / (1 + edge->residual * edge->residual);
}

static void measure_residuals(struct stitch_model *m)
{
    for (int e = 0; e < m->edge_count; e++) {
        struct stitch_edge *edge = &m->edges[e];
        const struct stitch_place *from = &m->places[edge->from], *to = &m->places[edge->to];
        edge->residual = hypot(to->y - from->y - edge->dy, to->x - from->x - edge->dx);
    }
}

static void solve_round(struct system *s, struct stitch_model *m)
{
    double most = 0;
    memset(s->lower, 0, (size_t)s->n * ((size_t)s->band + 1) * sizeof *s->lower);
    memset(s->right, 0, (size_t)s->n * 2 * sizeof *s->right);
    for (int e = 0; e < m->edge_count; e++) {
        double weight = edge_weight(&m->edges[e]);
        add_edge(s, &m->edges[e], weight);
        most = fmax(most, weight);
    }
    *entry(s, s->order[0], s->order[0]) += most;
    factor(s);
    substitute(s, s->right);
    substitute(s, s->right + s->n);
    for (int k = 0; k < m->tiles; k++) {
        m->places[k].y = s->right[s->order[k]];
        m->places[k].x = s->right[s->n + s->order[k]];
    }
    measure_residuals(m);
}

static void solve_rounds(struct system *s, struct stitch_model *m)
{
    for (int e = 0; e < m->edge_count; e++)
        m->edges[e].residual = 0;
    for (int round = 0; round < ROUNDS; round++)
        solve_round(s, m);
}

/* Of faint edges only where there are no others: they tell how clear an overlap is, not the fit. */
static void sum_residuals(struct stitch_model *m)
{
    double sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        if (edge->accepted) {
            sum[edge->faint] += edge->residual * edge->residual;
            count[edge->faint]++;
        }
    }
    int kind = count[0] == 0;
    m->residual_rms = count[kind] ? sqrt(sum[kind] / count[kind]) : 0;
}

bool stitch_solve(const struct stitch_params *params, struct stitch_model *m, struct kin_error *err)
{
    int rows = params->scan.rows, cols = params->scan.cols, n = m->tiles;
    bool wide = cols > rows; /* number along the shorter side: a narrow band */
    struct system s = {.n = n, .band = wide ? rows : cols};
    s.order = malloc((size_t)n * sizeof *s.order);
    s.lower = malloc((size_t)n * ((size_t)s.band + 1) * sizeof *s.lower);
    s.right = malloc((size_t)n * 2 * sizeof *s.right);
    s.work = malloc(((size_t)m->edge_count + 1) * sizeof *s.work);
    int *parent = malloc((size_t)n * sizeof *parent);
    bool good = s.order && s.lower && s.right && s.work && parent;
    for (int k = 0; good && k < n; k++)
        s.order[k] = wide ? m->places[k].col * rows + m->places[k].row
                          : m->places[k].row * cols + m->places[k].col;
    if (good)
        judge_edges(params, m, s.work);
    if (good)
        solve_rounds(&s, m);
    if (good && reject_contradicted(m, s.work))
        solve_rounds(&s, m);
    m->loops = good ? count_loops(m, parent) : 0;
    free(parent);
    sum_residuals(m);
    free(s.order);
    free(s.lower);
    free(s.right);
    free(s.work);
    return good || kin_fail(err, KIN_MEMORY, "no memory for the positions of %d tiles", n);
}
