// SPDX-License-Identifier: MIT
#include "qc/svg.h"

#include <math.h>
#include <string.h>

static const char *const line_colors[] = {"#1f6feb", "#d1570a", "#1a7f37", "#8250df",
                                          "#bf3989", "#9a6700", "#0f7f8c", "#cf222e",
                                          "#57606a", "#6e40c9", "#3d7d00", "#a0522d"};
enum { COLORS = sizeof line_colors / sizeof *line_colors };

void svg_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        case '\'': fputs("&#39;", to); break;
        default: fputc(*text, to);
        }
    }
}

const char *svg_number(double v, char buffer[24])
{
    double size = fabs(v);
    if (isnan(v))
        snprintf(buffer, 24, "-");
    else if (size >= 1e5 || (size > 0 && size < 1e-3))
        snprintf(buffer, 24, "%.1e", v);
    else if (size >= 100 || v == floor(v))
        snprintf(buffer, 24, "%.0f", v);
    else if (size >= 10)
        snprintf(buffer, 24, "%.1f", v);
    else if (size >= 1)
        snprintf(buffer, 24, "%.2f", v);
    else
        snprintf(buffer, 24, "%.3f", v);
    return buffer;
}

static void range_of(const double *v, int n, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < n; i++)
        if (!isnan(v[i])) {
            *low = fmin(*low, v[i]);
            *high = fmax(*high, v[i]);
        }
}

// ---- heatmap ---------------------------------------------------------------------------------

// From pale to deep blue-green through five stops, readable in print and with colour-blind eyes.
static void ramp(double f, int rgb[3])
{
    static const int stops[5][3] = {
        {247, 251, 240}, {198, 228, 213}, {120, 189, 196}, {50, 130, 180}, {18, 60, 120}};
    double at = fmin(fmax(f, 0), 1) * 4;
    int k = at >= 4 ? 3 : (int)at;
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)lround(stops[k][i] + (at - k) * (stops[k + 1][i] - stops[k][i]));
}

// Where v lies between both, 0 to 1. Halves: a damaged report may hold numbers near the largest.
static double share(double v, double low, double high)
{
    double range = high / 2 - low / 2;
    return range > 0 ? (v / 2 - low / 2) / range : 0;
}

static void heat_cell(FILE *to, double v, double f, int x, int y, int w, int h)
{
    int rgb[3];
    char text[24];
    if (isnan(v)) {
        fprintf(to, "<rect x='%d' y='%d' width='%d' height='%d' class='none'/>", x, y, w - 2,
                h - 2);
        return;
    }
    ramp(f, rgb);
    bool dark = 0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2] < 140;
    fprintf(to, "<rect x='%d' y='%d' width='%d' height='%d' rx='3' fill='rgb(%d,%d,%d)'/>", x, y,
            w - 2, h - 2, rgb[0], rgb[1], rgb[2]);
    fprintf(to, "<text x='%d' y='%d' text-anchor='middle' class='cell' style='fill:%s'>%s</text>",
            x + w / 2 - 1, y + h / 2 + 3, dark ? "#fff" : "#1f2328", svg_number(v, text));
}

void svg_heatmap(FILE *to, const struct svg_heatmap *map)
{
    enum { CELL_W = 62, CELL_H = 26, LEFT = 70, TOP = 40 };
    char label[64];
    double low, high;
    range_of(map->values, map->rows * map->cols, &low, &high);
    fprintf(to, "<svg class='heat' viewBox='0 0 %d %d' width='%d' height='%d'>",
            LEFT + map->cols * CELL_W, TOP + map->rows * CELL_H, LEFT + map->cols * CELL_W,
            TOP + map->rows * CELL_H);
    fprintf(to, "<text x='0' y='14' class='title'>");
    svg_text(to, map->title);
    if (map->unit && *map->unit) {
        fprintf(to, " [");
        svg_text(to, map->unit);
        fputc(']', to);
    }
    fprintf(to, "</text>");
    for (int c = 0; c < map->cols; c++) {
        map->label(c, false, label);
        fprintf(to, "<text x='%d' y='%d' text-anchor='middle' class='axis'>",
                LEFT + c * CELL_W + CELL_W / 2, TOP - 8);
        svg_text(to, label);
        fprintf(to, "</text>");
    }
    for (int r = 0; r < map->rows; r++) {
        map->label(r, true, label);
        fprintf(to, "<text x='%d' y='%d' text-anchor='end' class='axis'>", LEFT - 8,
                TOP + r * CELL_H + CELL_H / 2 + 3);
        svg_text(to, label);
        fprintf(to, "</text>");
        for (int c = 0; c < map->cols; c++) {
            double v = map->values[r * map->cols + c];
            heat_cell(to, v, high > low ? share(v, low, high) : 0.3, LEFT + c * CELL_W,
                      TOP + r * CELL_H, CELL_W, CELL_H);
        }
    }
    fprintf(to, "</svg>\n");
}

// ---- lines -----------------------------------------------------------------------------------

enum {
    PLOT_W = 300,
    PLOT_H = 150,
    PLOT_LEFT = 46,
    PLOT_TOP = 24,
    PLOT_BOTTOM = 30,
    PLOT_RIGHT = 8,
    LEGEND_H = 13
};

static double plot_x(double f)
{
    return PLOT_LEFT + f * (PLOT_W - PLOT_LEFT - PLOT_RIGHT);
}

static double plot_y(double f)
{
    return PLOT_H - PLOT_BOTTOM - f * (PLOT_H - PLOT_BOTTOM - PLOT_TOP);
}

/* Where the next name of a legend begins. */
struct pen {
    double x;
    int row;
};

static double legend_width(const char *name)
{
    return 8 + 6.0 * (double)strlen(name);
}

/* Leads to the place of a name: in a new row if there is no room in this one. */
static void pen_wrap(struct pen *pen, const char *name)
{
    if (pen->x > PLOT_LEFT && pen->x + legend_width(name) > PLOT_W) {
        pen->x = PLOT_LEFT;
        pen->row++;
    }
}

/* A plot without its lines, with room for the legend. */
static void frame(FILE *to, const char *title, const char *x_label, double x0, double x1, double y0,
                  double y1, const char *const *names, int n)
{
    char a[24], b[24];
    struct pen pen = {PLOT_LEFT, 0};
    for (int i = 0; i < n; i++) {
        pen_wrap(&pen, names[i]);
        pen.x += legend_width(names[i]);
    }
    int height = PLOT_H + pen.row * LEGEND_H;
    fprintf(to,
            "<svg class='plot' viewBox='0 0 %d %d' width='%d' height='%d'><text x='0' "
            "y='12' class='title'>",
            PLOT_W, height, PLOT_W, height);
    svg_text(to, title);
    fprintf(to, "</text><path d='M%g %g V%g H%g' class='frame'/>", plot_x(0), plot_y(1), plot_y(0),
            plot_x(1));
    fprintf(to, "<text x='%g' y='%g' text-anchor='end' class='axis'>%s</text>", plot_x(0) - 5,
            plot_y(0), svg_number(y0, a));
    fprintf(to, "<text x='%g' y='%g' text-anchor='end' class='axis'>%s</text>", plot_x(0) - 5,
            plot_y(1) + 8, svg_number(y1, a));
    fprintf(to, "<text x='%g' y='%d' class='axis'>%s</text>", plot_x(0), PLOT_H - 16,
            svg_number(x0, a));
    fprintf(to, "<text x='%g' y='%d' text-anchor='end' class='axis'>%s</text>", plot_x(1),
            PLOT_H - 16, svg_number(x1, b));
    fprintf(to, "<text x='%g' y='%d' text-anchor='middle' class='axis'>", plot_x(0.5), PLOT_H - 16);
    svg_text(to, x_label);
    fprintf(to, "</text>");
}

static void legend(FILE *to, const char *const *names, int n)
{
    struct pen pen = {PLOT_LEFT, 0};
    for (int i = 0; i < n; i++) {
        pen_wrap(&pen, names[i]);
        fprintf(to, "<text x='%g' y='%d' class='axis' fill='%s' style='fill:%s'>", pen.x,
                PLOT_H - 3 + pen.row * LEGEND_H, line_colors[i % COLORS], line_colors[i % COLORS]);
        svg_text(to, names[i]);
        fprintf(to, "</text>");
        pen.x += legend_width(names[i]);
    }
}

void svg_lines(FILE *to, const struct svg_lines *l)
{
    double low, high;
    range_of(l->values, l->lines * l->n, &low, &high);
    if (!(high > low)) {
        high = isfinite(high) ? high + 1 : 1;
        low = isfinite(low) ? low : 0;
    }
    frame(to, l->title, l->x_label, 1, l->n, low, high, l->names, l->lines);
    for (int k = 0; k < l->lines; k++) {
        bool pen = false;
        fprintf(to, "<path fill='none' stroke='%s' stroke-width='1.5' d='",
                line_colors[k % COLORS]);
        for (int i = 0; i < l->n; i++) {
            double v = l->values[k * l->n + i];
            if (isfinite(v))
                fprintf(to, "%c%.1f %.1f", pen ? 'L' : 'M',
                        plot_x(l->n > 1 ? (double)i / (l->n - 1) : 0.5),
                        plot_y(share(v, low, high)));
            pen = isfinite(v);
        }
        fprintf(to, "'/>");
    }
    legend(to, l->names, l->lines);
    fprintf(to, "</svg>\n");
}

// ---- histogram -------------------------------------------------------------------------------

static void steps(FILE *to, const double *bins, int n, double stretch, double floor,
                  const char *style)
{
    fprintf(to, "<path %s d='M%.1f %.1f", style, plot_x(0), plot_y(0));
    for (int i = 0; i < n; i++) {
        double f = bins[i] > 0 ? fmax(1 - log10(bins[i]) / floor, 0) : 0;
        double x0 = fmin(stretch * i / n, 1), x1 = fmin(stretch * (i + 1) / n, 1);
        fprintf(to, "L%.1f %.1fL%.1f %.1f", plot_x(x0), plot_y(f), plot_x(x1), plot_y(f));
    }
    fprintf(to, "L%.1f %.1f'/>", plot_x(fmin(stretch, 1)), plot_y(0));
}

void svg_histogram(FILE *to, const double *a, double top_a, const double *b, double top_b, int n,
                   const char *name_a, const char *name_b)
{
    const char *names[] = {name_a, name_b};
    double top = b ? fmax(top_a, top_b) : top_a, floor = -6;
    frame(to, "share of pixels (log)", "ADU", 0, top, 1e-6, 1, names, b ? 2 : 1);
    steps(to, a, n, top_a / top, floor, "fill='#1f6feb33' stroke='#1f6feb'");
    if (b)
        steps(to, b, n, top_b / top, floor, "fill='#d1570a33' stroke='#d1570a'");
    legend(to, names, b ? 2 : 1);
    fprintf(to, "</svg>\n");
}
