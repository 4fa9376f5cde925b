// SPDX-License-Identifier: MIT
/* halo.c: how far blocks must overlap so that they join.
 *
 * Behind the end of a block's domain stands its mirror image or its other side, not what is there
 * in the image. What that does to the core is found out by doing it: the seam is a straight line,
 * so one dimension is enough, across it, with the PSF summed along it and over its planes. The
 * scene is 1 on this side; behind the seam it should be 1 too, and is STRANGER times as bright:
 *
 *     should be     1 1 1 1 1 1 1 1 | 1 1 1 1 1 1 1 1
 *     is            1 1 1 1 1 1 1 1 | 10 10 10 10 10 10
 *                        |<- halo ->|
 *                   off by less than the bound from here on, after any number of steps
 *
 * Steps carry what is wrong inwards by up to two half-widths each, but contract it as well: how far
 * depends on how strong the PSF still is where it ends, much less on their number. */
#include "deconv/deconv.h"
#include "image/psf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REACH = 12 }; /* half-widths that are looked at, and the widest halo */
/* wider PSFs are summed in pairs and so on; more steps change nothing */
enum { FINE = 256, MANY = 60 };
static const double STRANGER = 10;
/* half of it for a periodic end, which is stranger than a mirrored one */
static const double BOUND = 2e-3;

/* One dimension across the seam, which is in the middle. */
struct seam {
    int n, half;
    double *taps;                                 /* (2 half + 1) */
    double *wide;                                 /* (n + 2 half): room for a convolution */
    double *data, *model, *point, *before, *next; /* (n) */
    double *step, *last;                          /* (n): what the last two steps changed */
    double bound;
};

static bool seam_new(struct seam *s, int half, enum rl_ends ends)
{
    *s = (struct seam){
        .n = 2 * REACH * half, .half = half, .bound = ends == RL_MIRRORED ? BOUND : BOUND / 2};
    size_t n = (size_t)s->n, side = 2 * (size_t)half;
    s->taps = calloc(side + 1 + n + side + 7 * n, sizeof *s->taps);
    s->wide = s->taps + side + 1;
    double **rows[7] = {&s->data, &s->model, &s->point, &s->before, &s->next, &s->step, &s->last};
    for (size_t i = 0; s->taps && i < 7; i++)
        *rows[i] = s->wide + n + side + i * n;
    return s->taps;
}

/* The PSF summed over all but y (or x), `bin` samples to a tap; to the far side or, turned, to the
 * near one. */
static void set_taps(struct seam *s, const struct kin_image *psf, bool along_y, bool turned,
                     int bin)
{
    struct kin_dims d = psf->dims;
    int centre = (along_y ? d.y : d.x) / 2;
    memset(s->taps, 0, (2 * (size_t)s->half + 1) * sizeof *s->taps);
    for (size_t i = 0; i < kin_count(d); i++) {
        int x = (int)(i % (size_t)d.x), y = (int)(i / (size_t)d.x % (size_t)d.y);
        int off = (along_y ? y : x) - centre;
        int tap = (int)lround((double)off / bin);
        s->taps[s->half + (turned ? -tap : tap)] += kin_f32(psf)[i];
    }
}

static void convolve(const struct seam *s, double *out, const double *in, bool back)
{
    int n = s->n, half = s->half;
    for (int i = 0; i < n + 2 * half; i++)
        s->wide[i] = in[i < half ? 0 : i - half < n ? i - half : n - 1];
    memset(out, 0, (size_t)n * sizeof *out);
    for (int t = 0; t <= 2 * half; t++) {
        double tap = s->taps[back ? 2 * half - t : t];
        const double *from = s->wide + t;
        for (int i = 0; i < n; i++)
            out[i] += tap * from[i];
    }
}

/* The acceleration that the last two steps call for. */
static double acceleration(const struct seam *s)
{
    double above = 0, below = 0;
    for (int i = 0; i < s->n; i++) {
        above += s->step[i] * s->last[i];
        below += s->last[i] * s->last[i];
    }
    return below > 0 ? fmin(fmax(above / below, 0), 0.98) : 0;
}

/* One step from s->point; what it comes to is s->before, what is to be gone on from s->point. */
static void advance(struct seam *s, bool accelerate)
{
    convolve(s, s->model, s->point, false);
    for (int i = 0; i < s->n; i++)
        s->model[i] = s->data[i] / fmax(s->model[i], 1e-6 * STRANGER);
    convolve(s, s->next, s->model, true);
    double *spare = s->last;
    s->last = s->step;
    s->step = spare;
    for (int i = 0; i < s->n; i++) {
        s->next[i] *= s->point[i];
        s->step[i] = s->next[i] - s->point[i];
    }
    double alpha = accelerate ? acceleration(s) : 0;
    for (int i = 0; i < s->n; i++) {
        s->point[i] = fmax(s->next[i] + alpha * (s->next[i] - s->before[i]), 0);
        s->before[i] = s->next[i];
    }
}

/* How far from the seam the last sample stands that is off by more than the bound; at least
 * `known`. */
static int reach_now(const struct seam *s, int known)
{
    int middle = s->n / 2, reach = middle;
    while (reach > known && fabs(s->before[middle - reach] - 1) <= s->bound)
        reach--;
    return reach;
}

/* The farthest after any number of steps up to that. */
static int reach_of(struct seam *s, int steps, bool accelerate)
{
    int middle = s->n / 2;
    for (int i = 0; i < s->n; i++)
        s->data[i] = i < middle ? 1 : STRANGER;
    convolve(s, s->point, s->data, true); /* the first step from a flat start */
    for (int i = 0; i < s->n; i++) {
        s->before[i] = s->point[i];
        s->step[i] = s->point[i] - (1 + STRANGER) / 2;
    }
    int reach = reach_now(s, 0);
    for (int k = 1; k < steps && k < MANY; k++) {
        advance(s, accelerate);
        reach = reach_now(s, reach);
    }
    return reach;
}

bool kin_deconv_halo(const struct kin_image *psf, enum rl_ends ends, int steps, bool accelerate,
                     int *halo, struct kin_error *err)
{
    int half = (psf->dims.x > psf->dims.y ? psf->dims.x : psf->dims.y) / 2;
    int bin = (half + FINE - 1) / FINE;
    struct seam s;
    *halo = 1;
    if (!half)
        return true;
    if (!seam_new(&s, (half + bin - 1) / bin + (bin > 1), ends))
        return kin_fail(err, KIN_MEMORY, "no memory to find out how far blocks must overlap");
    bool even = kin_psf_even_xy(psf);
    for (int k = 0; k < (even ? 2 : 4); k++) {
        set_taps(&s, psf, k % 2, k / 2, bin);
        int reach = bin * reach_of(&s, steps, accelerate);
        *halo = reach > *halo ? reach : *halo;
    }
    free(s.taps);
    return true;
}
