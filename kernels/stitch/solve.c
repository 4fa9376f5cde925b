// SPDX-License-Identifier: MIT
// solve.c: which edges can be trusted, and the positions that fit them best.
//
// Positions minimise, along each axis, the sum over all edges of
//
//     w (p_to - p_from - d)^2 / (1 + (residual / 1 px)^2)  +  v (p_to - p_from - s)^2
//
// d: as measured, w = 1 / (misfit sigma)^2 of accepted edges, 0 of others; the denominator, from
// the round before, is Cauchy's; misfit is how many times farther from each other loops show edges
// to be. s: what the stage does elsewhere, the median of the other accepted edges of that
// direction, v = 1 / spread^2 of those around it: a stage that repeats itself to half a pixel is a
// better witness than a blurred overlap, one that strays by many a worse one than any. The normal
// matrices are a grid's Laplacians: tiles in row order give them a band as wide as the grid, which
// a banded Cholesky factorisation solves.
#include "stitch/solve.h"
#include "core/rank.h"
#include "stitch/chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };
static const double LIKELY = 0.05; /* an overlap that chance makes so often says nothing */
static const double SLACK = 2;     /* px: how far a stage strays of which nothing is known */
enum { SLACK_EDGES = 2 };          /* so many edges would show it */

double stitch_median(double *values, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        double v = values[i];
        if (isnan(v))
            continue;
        values[i] = values[count];
        values[count++] = v;
    }
    return kin_median_f64(values, (size_t)count);
}

struct stitch_reach stitch_reach(const struct stitch_params *params, bool vertical)
{
    int h = params->tile_h, w = params->tile_w,
        least = params->search_min ? params->search_min : 12;
    double share = params->search > 0 ? params->search : 0.03;
    struct stitch_reach reach = {
        .radius = {(int)fmax(least, share * h), (int)fmax(least, share * w)}};
    reach.nominal[vertical ? 0 : 1] = (int)lrint((vertical ? h : w) * (1 - params->overlap));
    return reach;
}

/* ---- which edges are trusted ----------------------------------------------------------------- */

/* Of an edge: where the stage should have put it, and how sure that is; px, y and x. */
struct expectation {
    double at[2], spread[2];
};

static int line_of(const struct stitch_model *m, const struct stitch_edge *edge)
{
    return edge->vertical ? m->places[edge->from].row : m->places[edge->from].col;
}

/* Medians of the trusted displacements of a direction and of their distances from `centre` (NULL:
 * of the values). */
static void medians(const struct stitch_model *m, bool vertical, const double *centre, double *work,
                    double median[2])
{
    for (int axis = 0; axis < 2; axis++) {
        for (int e = 0; e < m->edge_count; e++) {
            const struct stitch_edge *edge = &m->edges[e];
            double v = axis ? edge->dx : edge->dy;
            bool counts = edge->vertical == vertical && edge->accepted;
            work[e] = !counts ? NAN : centre ? fabs(v - centre[axis]) : v;
        }
        median[axis] = stitch_median(work, m->edge_count);
    }
}

static void reject_far(struct stitch_model *m, bool vertical, double *work)
{
    double median[2], spread[2];
    medians(m, vertical, NULL, work, median);
    if (isnan(median[0]))
        return;
    medians(m, vertical, median, work, spread);
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

/* A trusted displacement of a direction along an axis, and between which rows or columns. */
struct member {
    int line;
    double v;
};

struct members {       /* sorted by line, then by value */
    struct member *of; /* owned: room for all edges */
    int count;
};

struct judging { /* owned memory, a place for each edge */
    struct expectation *expected;
    struct members members[2]; /* of a direction; of its lines */
    double *work;
};

static int by_line_and_value(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->v > y->v) - (x->v < y->v);
}

/* by_line false: all are of line 0. */
static void gather(struct members *members, const struct stitch_model *m, bool vertical, int axis,
                   bool by_line)
{
    members->count = 0;
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        if (edge->vertical == vertical && edge->accepted)
            members->of[members->count++] = (struct member){by_line ? line_of(m, edge) : 0,
                                                            axis ? edge->dx : edge->dy};
    }
    qsort(members->of, (size_t)members->count, sizeof *members->of, by_line_and_value);
}

/* How many stand before that place. */
static int before(const struct members *members, int line, double v)
{
    const struct member wanted = {line, v};
    int low = 0, high = members->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (by_line_and_value(&members->of[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The median of a line's members; own: of a trusted edge's others. NAN: there are none. */
static double median_of_others(const struct members *members, int line, const double *own)
{
    int first = before(members, line, -INFINITY),
        count = before(members, line + 1, -INFINITY) - first;
    int others = count - (own != NULL), skipped = own ? before(members, line, *own) - first : count;
    if (others < 1)
        return NAN;
    int low = (others - 1) / 2, high = others / 2;
    const struct member *of = members->of + first;
    return (of[low + (low >= skipped)].v + of[high + (high >= skipped)].v) / 2;
}

/* What the stage does where each edge of a direction lies, along an axis, as its other trusted
 * edges have it: their median, of those between the same two rows or columns if there are such and
 * `by_line`; without any, what was stated. */
static void expect_along(const struct stitch_params *params, const struct stitch_model *m,
                         bool vertical, int axis, bool by_line, struct expectation *expected,
                         struct members members[2])
{
    gather(&members[0], m, vertical, axis, false);
    if (by_line)
        gather(&members[1], m, vertical, axis, true);
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        const double *own = !edge->accepted ? NULL : axis ? &edge->dx : &edge->dy;
        if (edge->vertical != vertical)
            continue;
        double at = by_line ? median_of_others(&members[1], line_of(m, edge), own) : NAN;
        at = isnan(at) ? median_of_others(&members[0], 0, own) : at;
        expected[e].at[axis] = isnan(at) ? stitch_reach(params, vertical).nominal[axis] : at;
    }
}

/* How far trusted edges of a direction are from there: their median distance as that of a normal
 * distribution, and SLACK as though that had been seen too. */
static double spread_of(const struct stitch_params *params, const struct stitch_model *m,
                        bool vertical, int axis, const struct expectation *expected, double *work)
{
    int count = 0;
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        bool counts = edge->accepted && edge->vertical == vertical;
        work[e] = counts ? fabs((axis ? edge->dx : edge->dy) - expected[e].at[axis]) : NAN;
        count += counts;
    }
    if (!count)
        return stitch_reach(params, vertical).radius[axis];
    double typical = 1.4826 * stitch_median(work, m->edge_count);
    return sqrt((count * typical * typical + SLACK_EDGES * SLACK * SLACK) / (count + SLACK_EDGES));
}

static void expect_kind(const struct stitch_params *params, const struct stitch_model *m,
                        bool vertical, bool by_line, struct judging *j)
{
    struct expectation *expected = j->expected;
    double spread[2];
    for (int axis = 0; axis < 2; axis++) {
        expect_along(params, m, vertical, axis, by_line, expected, j->members);
        spread[axis] = spread_of(params, m, vertical, axis, expected, j->work);
    }
    for (int e = 0; e < m->edge_count; e++) {
        if (m->edges[e].vertical == vertical)
            memcpy(expected[e].spread, spread, sizeof spread);
    }
}

/* Stages differ: some have an error of their own in each row or column, others none that repeats.
 * What foretells the trusted edges better is believed. */
static void expect(const struct stitch_params *params, const struct stitch_model *m,
                   struct judging *j)
{
    const struct expectation *expected = j->expected;
    for (int vertical = 0; vertical < 2; vertical++) {
        double spread[2] = {0, 0};
        for (int by_line = 1; by_line >= 0; by_line--) {
            expect_kind(params, m, vertical, by_line, j);
            for (int e = 0; e < m->edge_count; e++) {
                if (m->edges[e].vertical == vertical)
                    spread[by_line] = hypot(expected[e].spread[0], expected[e].spread[1]);
            }
        }
        if (spread[1] < spread[0])
            expect_kind(params, m, vertical, true, j);
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

bool stitch_edge_counts(const struct stitch_params *params, const struct stitch_edge *edge)
{
    struct stitch_reach reach = stitch_reach(params, edge->vertical);
    double searched = (2.0 * reach.radius[0] + 1) * (2.0 * reach.radius[1] + 1);
    return edge->ncc > stitch_ncc_least(params) &&
           chance_of_best(edge->chance, edge->area, searched) < LIKELY;
}

/* Among so few places as the stage may have meant, an overlap that is not clear enough by itself
 * counts. */
static bool is_expected(const struct stitch_params *params, const struct stitch_edge *edge,
                        const struct expectation *expected)
{
    double reach[2] = {3 * expected->spread[0], 3 * expected->spread[1]};
    return edge->ncc > stitch_ncc_least(params) && fabs(edge->dy - expected->at[0]) <= reach[0] &&
           fabs(edge->dx - expected->at[1]) <= reach[1] &&
           chance_of_best(edge->chance, edge->area, (2 * reach[0] + 1) * (2 * reach[1] + 1)) <
               LIKELY;
}

static void judge_edges(const struct stitch_params *params, struct stitch_model *m,
                        struct judging *j)
{
    for (int e = 0; e < m->edge_count; e++)
        m->edges[e].accepted = stitch_edge_counts(params, &m->edges[e]);
    reject_far(m, false, j->work);
    reject_far(m, true, j->work);
    expect(params, m, j);
    for (int e = 0; e < m->edge_count; e++)
        m->edges[e].accepted = m->edges[e].accepted ||
                               is_expected(params, &m->edges[e], &j->expected[e]);
    expect(params, m, j);
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

/* What loops show that edges are off along an axis, px: only so many of their errors are seen as
 * there are loops. */
static double misfit_of(const struct stitch_model *m, int *parent, double *work)
{
    int loops = count_loops(m, parent);
    for (int e = 0; e < m->edge_count; e++)
        work[e] = m->edges[e].accepted
                      ? m->edges[e].residual / hypot(m->edges[e].sigma[0], m->edges[e].sigma[1])
                      : NAN;
    double median = stitch_median(work, m->edge_count);
    return loops ? fmax(1, 1.2011 * median * sqrt((double)m->accepted / loops)) : 1;
}

/* Rejects what the solution contradicts; whether anything was. */
static bool reject_contradicted(const struct stitch_params *params, struct stitch_model *m,
                                struct judging *j)
{
    double *work = j->work;
    int accepted = m->accepted;
    for (int e = 0; e < m->edge_count; e++)
        work[e] = m->edges[e].accepted ? m->edges[e].residual : NAN;
    double limit = fmax(4, 8 * stitch_median(work, m->edge_count));
    for (int e = 0; e < m->edge_count; e++)
        m->edges[e].accepted = m->edges[e].accepted && m->edges[e].residual <= limit;
    expect(params, m, j);
    count_accepted(m);
    return m->accepted < accepted;
}

/* ---- least squares --------------------------------------------------------------------------- */

struct system { /* normal equations of an axis, in grid order; row i holds columns i - band .. i */
    int n, band;
    int *order;                         /* grid place of each tile */
    double *lower;                      /* (n, band + 1) */
    double *right;                      /* (n) */
    const struct expectation *expected; /* by edge, borrowed */
    double misfit; /* how many times farther edges miss each other than noise explains */
};

static double *entry(const struct system *s, int i, int j)
{
    return &s->lower[(size_t)i * ((size_t)s->band + 1) + (size_t)(s->band - (i - j))];
}

static void add_edge(struct system *s, const struct stitch_edge *edge, double d, double weight)
{
    int i = s->order[edge->from], j = s->order[edge->to];
    *entry(s, i, i) += weight;
    *entry(s, j, j) += weight;
    *entry(s, i > j ? i : j, i > j ? j : i) -= weight;
    s->right[i] -= weight * d;
    s->right[j] += weight * d;
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

/* Faint edges are measured on few independent pixels. */
static double edge_weight(const struct system *s, const struct stitch_edge *edge, int axis)
{
    double sigma = edge->sigma[axis] * s->misfit;
    if (!edge->accepted)
        return 0;
    return (edge->faint ? 0.1 : 1) / (sigma * sigma) / (1 + edge->residual * edge->residual);
}

static void measure_residuals(struct stitch_model *m)
{
    for (int e = 0; e < m->edge_count; e++) {
        struct stitch_edge *edge = &m->edges[e];
        const struct stitch_place *from = &m->places[edge->from], *to = &m->places[edge->to];
        edge->residual = hypot(to->y - from->y - edge->dy, to->x - from->x - edge->dx);
    }
}

static void solve_axis(struct system *s, struct stitch_model *m, int axis)
{
    memset(s->lower, 0, (size_t)s->n * ((size_t)s->band + 1) * sizeof *s->lower);
    memset(s->right, 0, (size_t)s->n * sizeof *s->right);
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        double spread = s->expected[e].spread[axis];
        add_edge(s, edge, axis ? edge->dx : edge->dy, edge_weight(s, edge, axis));
        add_edge(s, edge, s->expected[e].at[axis], 1 / (spread * spread));
    }
    *entry(s, s->order[0], s->order[0]) += 1;
    factor(s);
    substitute(s, s->right);
    for (int k = 0; k < m->tiles; k++)
        *(axis ? &m->places[k].x : &m->places[k].y) = s->right[s->order[k]];
}

static void solve_round(struct system *s, struct stitch_model *m)
{
    solve_axis(s, m, 0);
    solve_axis(s, m, 1);
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
    m->residual_rms = m->loops ? sqrt(sum[kind] / count[kind]) : NAN;
}

/* Rejected edges show where the stage should have put them. */
static void replace_rejected(struct stitch_model *m, const struct expectation *expected)
{
    for (int e = 0; e < m->edge_count; e++) {
        if (m->edges[e].accepted)
            continue;
        m->edges[e].dy = expected[e].at[0];
        m->edges[e].dx = expected[e].at[1];
    }
    measure_residuals(m);
}

bool stitch_solve(const struct stitch_params *params, struct stitch_model *m, struct kin_error *err)
{
    int rows = params->scan.rows, cols = params->scan.cols, n = m->tiles;
    bool wide = cols > rows; /* number along the shorter side: a narrow band */
    size_t edges = (size_t)m->edge_count + 1;
    struct judging j = {.expected = malloc(edges * sizeof *j.expected),
                        .work = malloc(edges * sizeof *j.work)};
    for (int i = 0; i < 2; i++)
        j.members[i].of = malloc(edges * sizeof *j.members[i].of);
    struct system s = {.misfit = 1, .n = n, .band = wide ? rows : cols, .expected = j.expected};
    s.order = malloc((size_t)n * sizeof *s.order);
    s.lower = malloc((size_t)n * ((size_t)s.band + 1) * sizeof *s.lower);
    s.right = malloc((size_t)n * sizeof *s.right);
    int *parent = malloc((size_t)n * sizeof *parent);
    bool good = s.order && s.lower && s.right && j.work && j.expected && j.members[0].of &&
                j.members[1].of && parent;
    for (int k = 0; good && k < n; k++)
        s.order[k] = wide ? m->places[k].col * rows + m->places[k].row
                          : m->places[k].row * cols + m->places[k].col;
    if (good) {
        judge_edges(params, m, &j);
        solve_rounds(&s, m);
        s.misfit = misfit_of(m, parent, j.work);
        solve_rounds(&s, m);
        if (reject_contradicted(params, m, &j))
            solve_rounds(&s, m);
        replace_rejected(m, j.expected);
        m->loops = count_loops(m, parent);
        sum_residuals(m);
    }
    free(parent);
    free(s.order);
    free(s.lower);
    free(s.right);
    free(j.work);
    free(j.expected);
    free(j.members[0].of);
    free(j.members[1].of);
    return good || kin_fail(err, KIN_MEMORY, "no memory for the positions of %d tiles", n);
}
