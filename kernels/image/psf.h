/* SPDX-License-Identifier: MIT
 *
 * psf.h: the point spread function of a widefield microscope, emission only (the excitation of a
 * widefield lamp is uniform). Scalar theory, in stage units: z is how far the stage moved, so the
 * index that counts is that of the immersion medium, not of the tissue. Planes are counted into the
 * tissue.
 *
 *     struct kin_psf_params p = {.na = 0.75, .emission_nm = 461, .xy_nm = 377, .z_nm = 1500};
 *     kin_psf_support(&p, planes);          fills half_z and half_xy
 *     struct kin_image psf;
 *     if (!kin_psf(&p, &psf, &err)) ...
 *     kin_image_free(&psf); */
#pragma once

#include "kintsugi.h"

enum kin_psf_model {
    KIN_PSF_DEBYE,     /* exact defocus phase; even in z. The default */
    KIN_PSF_BORN_WOLF, /* paraxial defocus phase; even in z, too long in z above NA 0.5 */
    KIN_PSF_LSDECONV, /* LsDeconv's form: paraxial, times a light sheet of sheet_na along x; even in
                         z */
    KIN_PSF_GIBSON_LANNI, /* Debye plus the aberration of depth_nm in a medium of sample_ri */
};

struct kin_psf_params {
    enum kin_psf_model model;
    double na;           /* numerical aperture */
    double immersion_ri; /* 0: 1.0, a dry objective */
    double sample_ri;    /* Gibson-Lanni only; 0: 1.44 */
    double depth_nm;     /* Gibson-Lanni only: depth of the emitter below the cover glass */
    double sheet_na, excitation_nm; /* LsDeconv only: the sheet's aperture and vacuum wavelength */
    double emission_nm;             /* vacuum wavelength */
    double xy_nm, z_nm;             /* pixel size, plane distance */
    int half_z, half_xy;            /* the result is (2 half_z + 1, 2 half_xy + 1, 2 half_xy + 1) */
};

/* Replaces half_z and half_xy, where they are 0, by the support rule: min(planes - 1, 8) planes,
 * and the defocus cone at that distance plus 6 pixels. */
void kin_psf_support(struct kin_psf_params *params, int planes);

/* The PSF as float32 volume, summing to 1, each pixel averaged over its area; exactly even in y and
 * x, and in z too but for Gibson-Lanni. Allocated here, the caller's. Fails with KIN_INPUT, naming
 * the parameter, when one is not physical. */
bool kin_psf(const struct kin_psf_params *params, struct kin_image *psf, struct kin_error *err);

/* Reads a measured PSF: odd or even extents, any type; clips negatives and normalises the sum to 1.
 * The centre is the sample [z/2][y/2][x/2]. Refuses non-finite values and a sum of 0. */
bool kin_psf_read(const char *path, struct kin_image *psf, struct kin_error *err);

/* How far the middle of the light (of samples above half of the brightest) lies from the sample
 * that is taken for the centre: planes, y and x. A result moves by as much to the other side. */
void kin_psf_shift(const struct kin_image *psf, double shift[3]);

/* True if every plane of the PSF equals itself turned by 180 degrees, so that its Fourier transform
 * is real; or mirrored in y, and in x, so that its cosine transform is all there is; or if plane z
 * equals plane -z. A function of even extent is never even about its centre. */
bool kin_psf_even_xy(const struct kin_image *psf);
bool kin_psf_even_each(const struct kin_image *psf);
bool kin_psf_even_z(const struct kin_image *psf);
