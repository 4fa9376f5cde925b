/* SPDX-License-Identifier: MIT
 *
 * svg.h: the drawings of the QC page, written as inline SVG. Text is escaped here. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Writes text with &, <, > and quotes escaped. */
void svg_text(FILE *to, const char *text);

/* "0.123", "12.3", "4 560", "-": three significant digits for people. buffer of 24 bytes is
 * returned. */
const char *svg_number(double v, char buffer[24]);

/* A table of coloured cells, rows x cols; values NaN are left empty. label(i, row, buffer of 64):
 * the name of row or column i. */
struct svg_heatmap {
    const char *title, *unit;
    int rows, cols;
    const double *values; /* (rows, cols) */
    void (*label)(int i, bool row, char *buffer);
};
/* Writes it into a page. */
void svg_heatmap(FILE *to, const struct svg_heatmap *map);

/* Lines over 1..n; lines x n values, NaN breaks a line. */
struct svg_lines {
    const char *title, *x_label;
    int lines, n;
    const double *values;
    const char *const *names; /* of the lines; borrowed */
};
/* Writes them into a page. */
void svg_lines(FILE *to, const struct svg_lines *lines);

/* Two histograms of n bins up to top_a and top_b, on a logarithmic scale; b may be NULL. */
void svg_histogram(FILE *to, const double *a, double top_a, const double *b, double top_b, int n,
                   const char *name_a, const char *name_b);
