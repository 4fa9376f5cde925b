// SPDX-License-Identifier: MIT
/* The amplitude at distance r from the axis, when the stage has brought the focus z deeper (so much
 * less of the immersion medium is in between), is an integral over the pupil radius rho,
 *
 *     A(r, z) = int_0^1 J0(k NA r rho) exp(i k opd(rho, z)) rho drho,    I = |A|^2,
 *                                                                        k = 2 pi / lambda
 *
 *     Debye          opd = -z sqrt(n^2 - NA^2 rho^2)
 *     Born-Wolf      opd = z NA^2 rho^2 / (2 n)            (the same to second order in rho)
 *     Gibson-Lanni   Debye + d (sqrt(ns^2 - NA^2 rho^2) - (n / ns) sqrt(n^2 - NA^2 rho^2))
 *
 * (Born & Wolf, Principles of Optics, 8.8; Gibson & Lanni, J. Opt. Soc. Am. A 8:1601, 1991). It is
 * evaluated by Gauss-Legendre on a table over r for every plane; pixels are means of 3 x 3 points
 * interpolated from the table. One quadrant is computed and mirrored, so that evenness is exact. */
#include "image/psf.h"

#include <math.h>
#include <stdlib.h>

/* Radial table of one PSF: values[z][i] is the intensity at r = i * step. */
struct table {
    int planes, count;
    double step;    /* nm */
    double *values; /* (planes, count), owned */
};

/* Pupil quadrature: count nodes in 0..1 with weights that include rho drho. */
struct pupil {
    int count;
    double *rho, *weight; /* owned, one allocation: rho */
};

/* Legendre polynomial P_n and its derivative at x. */
static double legendre(int n, double x, double *slope)
{
    double before = 1, value = x;
    for (int k = 2; k <= n; k++) {
        double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
    }
    *slope = n * (x * value - before) / (x * x - 1);
    return value;
}

static bool pupil_new(struct pupil *pupil, int count, struct kin_error *err)
{
    pupil->count = count;
    pupil->rho = malloc(2 * (size_t)count * sizeof(double));
    if (!pupil->rho)
        return kin_fail(err, KIN_MEMORY, "no memory for the pupil of the PSF");
    pupil->weight = pupil->rho + count;
    for (int i = 0; i < count; i++) {
        double x = cos(M_PI * (i + 0.75) / (count + 0.5)), slope = 1;
        for (int round = 0; round < 50; round++) {
            double move = legendre(count, x, &slope) / slope;
            x -= move;
            if (fabs(move) < 1e-15)
                break;
        }
        legendre(count, x, &slope);
        pupil->rho[i] = 0.5 * (1 - x);
        pupil->weight[i] = pupil->rho[i] / ((1 - x * x) * slope * slope);
    }
    return true;
}

/* Optical path at pupil radius rho with the focus z (nm) deeper, up to a constant in rho. */
static double path_length(const struct kin_psf_params *p, double rho, double z)
{
    double n = p->immersion_ri, a = p->na * p->na * rho * rho;
    if (p->model == KIN_PSF_BORN_WOLF || p->model == KIN_PSF_LSDECONV)
        return z * a / (2 * n);
    double path = -z * (sqrt(n * n - a) - n);
    if (p->model == KIN_PSF_GIBSON_LANNI) {
        double ns = p->sample_ri;
        path += p->depth_nm * (sqrt(ns * ns - a) - n / ns * sqrt(n * n - a));
    }
    return path;
}

/* Intensities of all planes at one radius; bessel has room for the pupil. */
static void table_column(const struct kin_psf_params *p, const struct pupil *pupil,
                         const double *phase, struct table *table, int index, double *bessel)
{
    double scale = 2 * M_PI / p->emission_nm * p->na * index * table->step;
    for (int i = 0; i < pupil->count; i++)
        bessel[i] = j0(scale * pupil->rho[i]) * pupil->weight[i];
    for (int z = 0; z < table->planes; z++) {
        const double *wave = phase + (size_t)z * pupil->count * 2;
        double re = 0, im = 0;
        for (int i = 0; i < pupil->count; i++) {
            re += bessel[i] * wave[2 * i];
            im += bessel[i] * wave[2 * i + 1];
        }
        table->values[(size_t)z * table->count + index] = re * re + im * im;
    }
}

/* exp(i k opd) at every node of the pupil, plane by plane; first is the number of the first
 * plane. */
static void fill_phase(const struct kin_psf_params *p, const struct pupil *pupil, int first,
                       int planes, double *phase)
{
    double k = 2 * M_PI / p->emission_nm;
    for (int z = 0; z < planes; z++)
        for (int i = 0; i < pupil->count; i++) {
            double angle = k * path_length(p, pupil->rho[i], (first + z) * p->z_nm);
            *phase++ = cos(angle);
            *phase++ = sin(angle);
        }
}

/* Nodes that resolve the fastest oscillation of the integrand at the corner of the support. */
static int pupil_size(const struct kin_psf_params *p, double reach)
{
    double k = 2 * M_PI / p->emission_nm;
    double defocus = fabs(path_length(p, 1, p->half_z * p->z_nm) -
                          path_length(p, 0, p->half_z * p->z_nm));
    return 100 + (int)(0.6 * k * (p->na * reach + defocus));
}

/* The radial table of planes first .. first + planes - 1 out to reach (nm). */
static bool table_new(const struct kin_psf_params *p, int first, int planes, double reach,
                      struct table *table, struct kin_error *err)
{
    struct pupil pupil = {0};
    *table = (struct table){.planes = planes,
                            .step = fmin(p->xy_nm / 12, p->emission_nm / p->na / 20)};
    table->count = (int)(reach / table->step) + 4;
    if (!pupil_new(&pupil, pupil_size(p, reach), err))
        return false;
    table->values = malloc((size_t)planes * (size_t)table->count * sizeof(double));
    double *phase = malloc((size_t)(2 * planes + 1) * (size_t)pupil.count * sizeof(double));
    bool good = table->values && phase;
    if (good) {
        fill_phase(p, &pupil, first, planes, phase);
        double *bessel = phase + (size_t)(2 * planes) * (size_t)pupil.count;
        for (int i = 0; i < table->count; i++)
            table_column(p, &pupil, phase, table, i, bessel);
    } else {
        free(table->values);
        kin_fail(err, KIN_MEMORY, "no memory for the table of the PSF");
    }
    free(phase);
    free(pupil.rho);
    return good;
}

/* Cubic (Catmull-Rom) interpolation of a table row at radius r; the row is even about r = 0. */
static double table_at(const double *row, double step, double r)
{
    double at = r / step, t = at - floor(at);
    int i = (int)at;
    double a = row[abs(i - 1)], b = row[i], c = row[i + 1], d = row[i + 2];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/* Mean over the pixel (dy, dx), in pixels from the axis, of 3 x 3 points. */
static double pixel_mean(const struct table *table, int z, double xy_nm, int dy, int dx)
{
    const double *row = table->values + (size_t)z * table->count;
    double total = 0;
    for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
            total += table_at(row, table->step, xy_nm * hypot(dy + a / 3.0, dx + b / 3.0));
    return total / 9;
}

/* One plane from its quadrant. */
static void fill_plane(const struct table *table, int z, const struct kin_psf_params *p,
                       float *plane)
{
    int half = p->half_xy, side = 2 * half + 1;
    for (int dy = 0; dy <= half; dy++)
        for (int dx = 0; dx <= dy; dx++) {
            float value = (float)pixel_mean(table, z, p->xy_nm, dy, dx);
            int ys[2] = {dy, -dy}, xs[2] = {dx, -dx};
            for (int i = 0; i < 4; i++) {
                int y = half + ys[i / 2], x = half + xs[i % 2];
                plane[(size_t)y * side + x] = plane[(size_t)x * side + y] = value;
            }
        }
}

/* Times the intensity of a light sheet that travels along x and is thin along z (Becker et al.,
 * Sci. Rep. 9:17625, 2019): what is the axis there is x here, and what is the radius is z. */
static bool light_sheet(const struct kin_psf_params *params, struct kin_image *psf,
                        struct kin_error *err)
{
    struct kin_psf_params p = *params;
    struct table sheet;
    int side = 2 * p.half_xy + 1;
    p.na = params->sheet_na;
    p.emission_nm = params->excitation_nm;
    p.z_nm = params->xy_nm;
    p.half_z = params->half_xy;
    if (!table_new(&p, 0, p.half_xy + 1, (params->half_z + 1) * params->z_nm, &sheet, err))
        return false;
    for (size_t i = 0; i < kin_count(psf->dims); i++) {
        int x = (int)(i % (size_t)side) - p.half_xy,
            z = (int)(i / ((size_t)side * (size_t)side)) - params->half_z;
        const double *row = sheet.values + (size_t)abs(x) * sheet.count;
        kin_f32(psf)[i] *= (float)table_at(row, sheet.step, abs(z) * params->z_nm);
    }
    free(sheet.values);
    return true;
}

static bool normalise(struct kin_image *psf)
{
    size_t n = kin_count(psf->dims);
    float *v = kin_f32(psf);
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += v[i];
    if (!(total > 0) || !isfinite(total))
        return false;
    for (size_t i = 0; i < n; i++)
        v[i] = (float)(v[i] / total);
    return true;
}

static bool check(const struct kin_psf_params *p, struct kin_error *err)
{
    if (!(p->na > 0) || !(p->na < p->immersion_ri))
        return kin_fail(err, KIN_INPUT,
                        "numerical aperture %g must lie between 0 and the immersion index %g",
                        p->na, p->immersion_ri);
    if (p->model == KIN_PSF_LSDECONV && !(p->sheet_na > 0 && p->sheet_na < p->immersion_ri &&
                                          p->excitation_nm >= 100 && p->excitation_nm <= 5000))
        return kin_fail(err, KIN_INPUT,
                        "a light sheet's aperture %g must lie between 0 and the immersion index "
                        "%g, its wavelength %g between 100 and 5000 nm",
                        p->sheet_na, p->immersion_ri, p->excitation_nm);
    if (p->model == KIN_PSF_GIBSON_LANNI && !(p->na < p->sample_ri))
        return kin_fail(err, KIN_INPUT, "numerical aperture %g must be below the sample index %g",
                        p->na, p->sample_ri);
    if (!(p->emission_nm >= 100 && p->emission_nm <= 5000))
        return kin_fail(err, KIN_INPUT, "emission wavelength %g nm is not between 100 and 5000 nm",
                        p->emission_nm);
    if (!(p->xy_nm > 0) || !(p->z_nm > 0))
        return kin_fail(err, KIN_INPUT,
                        "pixel size %g nm and plane distance %g nm must be positive", p->xy_nm,
                        p->z_nm);
    if (p->half_z < 0 || p->half_xy < 0 || p->half_z > 500 || p->half_xy > 5000)
        return kin_fail(err, KIN_INPUT, "PSF half-widths %d planes, %d pixels are out of range",
                        p->half_z, p->half_xy);
    return true;
}

static struct kin_psf_params with_defaults(const struct kin_psf_params *params)
{
    struct kin_psf_params p = *params;
    if (!(p.immersion_ri != 0))
        p.immersion_ri = 1.0;
    if (!(p.sample_ri != 0))
        p.sample_ri = 1.44;
    return p;
}

void kin_psf_support(struct kin_psf_params *params, int planes)
{
    struct kin_psf_params p = with_defaults(params);
    if (!params->half_z)
        params->half_z = planes - 1 < 8 ? planes - 1 : 8;
    if (!params->half_xy && p.na < p.immersion_ri) {
        double cone = p.z_nm * params->half_z * tan(asin(p.na / p.immersion_ri)) / p.xy_nm;
        params->half_xy = cone < 5000 ? (int)lround(cone) + 6 : 5000;
    }
}

bool kin_psf(const struct kin_psf_params *params, struct kin_image *psf, struct kin_error *err)
{
    struct kin_psf_params p = with_defaults(params);
    *psf = (struct kin_image){0};
    if (!check(&p, err))
        return false;
    bool even = p.model != KIN_PSF_GIBSON_LANNI;
    int side = 2 * p.half_xy + 1, planes = even ? p.half_z + 1 : 2 * p.half_z + 1;
    struct table table;
    if (!table_new(&p, even ? 0 : -p.half_z, planes, (p.half_xy + 1) * M_SQRT2 * p.xy_nm, &table,
                   err))
        return false;
    if (!kin_image_alloc(psf, (struct kin_dims){2 * p.half_z + 1, side, side}, KIN_F32, err)) {
        free(table.values);
        return false;
    }
    for (int z = -p.half_z; z <= p.half_z; z++)
        fill_plane(&table, even ? abs(z) : z + p.half_z, &p,
                   kin_f32(psf) + (size_t)(z + p.half_z) * (size_t)side * (size_t)side);
    free(table.values);
    if (p.model == KIN_PSF_LSDECONV && !light_sheet(&p, psf, err)) {
        kin_image_free(psf);
        return false;
    }
    normalise(psf);
    return true;
}

bool kin_psf_read(const char *path, struct kin_image *psf, struct kin_error *err)
{
    struct kin_image raw;
    *psf = (struct kin_image){0};
    if (!kin_tiff_read(path, &raw, err))
        return false;
    bool good = kin_to_f32(&raw, psf, err);
    kin_image_free(&raw);
    if (!good)
        return false;
    size_t n = kin_count(psf->dims);
    float *v = kin_f32(psf);
    for (size_t i = 0; i < n && good; i++) {
        good = isfinite(v[i]);
        v[i] = v[i] > 0 ? v[i] : 0;
    }
    if (good && normalise(psf))
        return true;
    kin_image_free(psf);
    return kin_fail(err, KIN_INPUT, "%s: a PSF must have finite values and a positive sum", path);
}
