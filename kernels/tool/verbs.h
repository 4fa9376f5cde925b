/* SPDX-License-Identifier: MIT
 *
 * verbs.h: the verbs of kintsugi-image, in the order of the pipeline. To add one: a row here, a
 * file cmd_NAME.c with `int cmd_NAME(int argc, char **argv)`, its name in meson.build. */
#pragma once

#include <stdbool.h>

/* X(name, one line for --help) */
#define VERBS(X)                                                                                   \
    X(phantom, "make a synthetic acquisition whose true images are known")                         \
    X(stitch, "correct illumination and join the raw tiles of a cycle")                            \
    X(deconv, "deconvolve the stitched planes of a cycle")                                         \
    X(edof, "make one image in focus for each channel of a cycle")                                 \
    X(register, "bring all cycles onto the reference cycle")                                       \
    X(isolate, "subtract autofluorescence from the markers")                                       \
    X(qc, "measure the quality of every stage and write a report")                                 \
    X(info, "show what an image file or a project holds")

/* Each runs its verb; argv[0] is the verb's name. Answers the exit status. */
#define X(name, about) int cmd_##name(int argc, char **argv);
VERBS(X)
#undef X
