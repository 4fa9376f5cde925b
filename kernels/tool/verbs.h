/* SPDX-License-Identifier: MIT
 *
 * verbs.h: the verbs of kintsugi-image, in the order of the pipeline. To add one: a row here, a
 * file cmd_NAME.c with `int cmd_NAME(int argc, char **argv)`, its name in meson.build. */
#pragma once

#include <stdbool.h>

/* X(name, one line for --help) */
#define VERBS(X)                                                                                   \
    X(phantom, "a raw acquisition with known truth")                                               \
    X(stitch, "raw tiles of a cycle to mosaics, illumination corrected")                           \
    X(deconv, "the stitched planes of a cycle, deconvolved")                                       \
    X(edof, "one image in focus for each channel of a cycle")                                      \
    X(register, "all cycles onto the reference cycle")                                             \
    X(isolate, "markers without autofluorescence")                                                 \
    X(qc, "how good every stage is, with figures")                                                 \
    X(info, "what an image file or a project holds")

/* Each runs its verb; argv[0] is the verb's name. Answers the exit status. */
#define X(name, about) int cmd_##name(int argc, char **argv);
VERBS(X)
#undef X
