// SPDX-License-Identifier: MIT
// truth_places.c: two CSV files beside each other.
#include "qc/truth_places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Column of a name in a CSV header; -1: not there.
static int column_of(const char *header, const char *name)
{
    char line[1000], *save = NULL;
    int i = 0;
    snprintf(line, sizeof line, "%s", header);
    for (char *t = strtok_r(line, ",\r\n", &save); t; t = strtok_r(NULL, ",\r\n", &save), i++)
        if (!strcmp(t, name))
            return i;
    return -1;
}

static double cell(const char *line, int column)
{
    for (; column > 0 && line; column--) {
        line = strchr(line, ',');
        line = line ? line + 1 : NULL;
    }
    return line ? strtod(line, NULL) : NAN;
}

struct columns {
    int row, col, y, x, held; // -1: there is none
};

static struct columns columns_of(const char *header)
{
    struct columns at = {column_of(header, "row"), column_of(header, "col"), column_of(header, "y"),
                         column_of(header, "x"), column_of(header, "overlaps")};
    at.y = at.y < 0 ? column_of(header, "y_pos") : at.y;
    at.x = at.x < 0 ? column_of(header, "x_pos") : at.x;
    return at;
}

// False: not all of them are numbers, or one is larger than any mosaic.
static bool place_of(const char *line, const struct columns *at, struct truth_place *place)
{
    const double v[] = {cell(line, at->row), cell(line, at->col), cell(line, at->y),
                        cell(line, at->x)};
    for (int i = 0; i < 4; i++)
        if (!(fabs(v[i]) <= 1e9))
            return false;
    *place = (struct truth_place){(int)v[0], (int)v[1], v[2], v[3],
                                  at->held < 0 || cell(line, at->held) > 0};
    return true;
}

static void read_lines(FILE *file, const char *path, struct truth_place *places, int most, int *n,
                       struct kin_error *err)
{
    char line[1000];
    struct columns at = columns_of(fgets(line, sizeof line, file) ? line : "");
    bool good = at.row >= 0 && at.col >= 0 && at.y >= 0 && at.x >= 0;
    for (int number = 2; good && *n < most && fgets(line, sizeof line, file); number++) {
        if (!line[strspn(line, " \t\r\n")])
            continue;
        good = place_of(line, &at, &places[*n]) ||
               kin_fail(err, KIN_INPUT, "%s:%d: no numbers for row, col, y and x of a tile", path,
                        number);
        *n += good;
    }
}

// The row, col, y, x columns of a CSV, in any order; the caller's. *n 0: none.
static struct truth_place *read_places(const char *path, int most, int *n, struct kin_error *err)
{
    FILE *file = fopen(path, "r");
    struct truth_place *places = calloc(most, sizeof *places);
    *n = 0;
    if (file && places)
        read_lines(file, path, places, most, n, err);
    if (file)
        fclose(file);
    bool any = false;
    for (int k = 0; k < *n; k++)
        any = any || places[k].held;
    for (int k = 0; !any && k < *n; k++)
        places[k].held = true; // positions were given
    return places;
}

// Root mean square and largest distance after the mean offset is taken away, of the tiles that are
// held: where nothing is to be seen in any overlap, there is nothing to be right about either.
static struct truth_pair place_errors(const struct truth_place *a, int na,
                                      const struct truth_place *b, int nb)
{
    double my = 0, mx = 0, sum = 0, worst = 0;
    int n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < na; i++)
            for (int k = 0; k < nb; k++) {
                if (a[i].row != b[k].row || a[i].col != b[k].col || !a[i].held)
                    continue;
                double dy = a[i].y - b[k].y, dx = a[i].x - b[k].x;
                if (pass == 0) {
                    my += dy;
                    mx += dx;
                    n++;
                } else {
                    double d = hypot(dy - my / n, dx - mx / n);
                    sum += d * d;
                    worst = fmax(worst, d);
                }
            }
    }
    return n ? (struct truth_pair){sqrt(sum / n), worst} : (struct truth_pair){NAN, NAN};
}

void truth_places(const struct comparing *c, int cycle, struct truth_place **found, int *nf,
                  struct truth_place **wanted, int *nw)
{
    char path[TRUTH_PATH];
    int most = c->exp->rows * c->exp->cols;
    truth_processed(c, path, "stitched/cyc%02d/CH1/positions.csv", cycle, 0);
    *found = read_places(path, most, nf, c->err);
    truth_path(c, path, "positions_c%02d.csv", cycle, 0);
    *wanted = read_places(path, most, nw, c->err);
}

struct truth_pair truth_compare_places(const struct comparing *c, double *unheld)
{
    int n = 0, tiles = 0, held = 0;
    double sum = 0, worst = 0;
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++) {
        struct truth_place *found, *wanted;
        int na, nb;
        truth_places(c, cycle, &found, &na, &wanted, &nb);
        struct truth_pair e = place_errors(found, na, wanted, nb);
        for (int k = 0; k < na; k++)
            held += found[k].held;
        tiles += na;
        if (!isnan(e.first)) {
            sum += e.first * e.first;
            worst = fmax(worst, e.second);
            n++;
        }
        free(found);
        free(wanted);
    }
    *unheld = tiles ? 1 - (double)held / tiles : NAN;
    return n ? (struct truth_pair){sqrt(sum / n), worst} : (struct truth_pair){NAN, NAN};
}
