/* SPDX-License-Identifier: MIT
 *
 * volume.h: a volume that is read in bands of rows and written in bands of rows, because it does
 * not fit into memory: a stack of plane files, or an image in memory for small ones. */
#pragma once

#include "core/fold.h"

/* Where planes come from. rows() fills dst with rows y0 .. y0+count-1 of plane z, count * dims.x
 * samples of `type`; planes and rows may be asked for in any order and more than once, and
 * different planes by several threads at a time. */
struct kin_source {
    struct kin_dims dims;
    enum kin_type type;
    bool (*rows)(void *user, int z, int y0, int count, void *dst, struct kin_error *err);
    void *user;
};

/* Where planes go. rows() takes the next `count` rows of plane z, samples of `type`; the rows of
 * one plane arrive from top to bottom, planes take turns, and several threads may bring rows of
 * different planes at a time. */
struct kin_sink {
    enum kin_type type; /* KIN_U16 (rounded, clipped) or KIN_F32 */
    bool (*rows)(void *user, int z, int count, const void *src, struct kin_error *err);
    void *user;
};

/* Brings the first plane of a source to a sink of the same type, in bands. False: KIN_MEMORY, or
 * the failure of either. */
bool kin_pass_plane(const struct kin_source *source, const struct kin_sink *sink,
                    struct kin_error *err);

/* A source that reads *image, which must outlive it. */
struct kin_source kin_source_image(const struct kin_image *image);

/* A sink that fills *image (allocated by the caller, U16 or F32). Its place in every plane is kept
 * in `next`, dims.z zeroed numbers that outlive the sink. */
struct kin_image_sink {
    struct kin_image *image;
    int *next;
};
/* A sink into an image. */
struct kin_sink kin_sink_image(struct kin_image_sink *place);

/* A source over plane files of equal shape, opened now and read through until kin_stack_close.
 * NULL: a file is missing, damaged, has several pages or another shape; err names it. */
struct kin_stack;
struct kin_stack *kin_stack_open(char *const *paths, int count, struct kin_source *source,
                                 struct kin_error *err);
/* Closes what is open; NULL does no harm. */
void kin_stack_close(struct kin_stack *stack);
