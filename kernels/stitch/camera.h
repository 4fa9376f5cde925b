/* SPDX-License-Identifier: MIT
 *
 * camera.h: what raw tiles tell of the camera that took them, whatever tissue they show: pixels
 * that are bright or dark in all of them, and a value above which it knows no other.
 *
 *     struct camera_look *look = camera_look_new(h, w, planes, &err);
 *     camera_look_add(look, plane, tile);                  // of many places, from any thread
 *     struct camera_faults faults = camera_look_end(look, places, dark);
 *     camera_mend(&faults, tile); ... camera_faults_free(&faults); */
#pragma once

#include "kintsugi.h"

struct camera_fault { /* a pixel that does not show what lies under it */
    uint32_t at;      /* in the tile */
    int n;            /* sound pixels beside it, whose median stands for it */
    uint32_t near[8];
};

struct camera_faults {
    struct camera_fault *list; /* owned */
    int count;
    double share;   /* of the pixels that are faulty; above CAMERA_MOST none is mended */
    int ceiling;    /* the camera's greatest value, by which samples pile up; 0: none is seen */
    double clipped; /* share of samples at the ceiling, in the plane that has most; 0: no ceiling */
    int plane;      /* that plane */
};

static const double CAMERA_MOST = 0.02;
enum {
    CAMERA_PLACES = 9,    /* places that it takes to tell a pixel's fault from tissue */
    CAMERA_IMAGES = 65537 /* whose pixels' sum is a number of 32 bits */
};

struct camera_look;

/* For tiles of h x w samples of so many planes. NULL: KIN_MEMORY. */
struct camera_look *camera_look_new(int h, int w, int planes, struct kin_error *err);

/* The bytes that it takes at most, at its end. */
size_t camera_look_bytes(int h, int w);

/* Another tile, of plane 0..planes-1; not more than CAMERA_IMAGES of them. */
void camera_look_add(struct camera_look *look, int plane, const uint16_t *tile);

/* What the tiles of so many places have told; frees the look (which may be NULL). dark: a measured
 * frame, (h, w), which need not be mended; may be NULL. The list is empty where there is no memory
 * for it, or with fewer than CAMERA_PLACES places. */
struct camera_faults camera_look_end(struct camera_look *look, int places, const float *dark);

/* Puts the median of their neighbours in the place of faulty pixels. */
void camera_mend(const struct camera_faults *faults, uint16_t *tile);

/* Frees what it owns. */
void camera_faults_free(struct camera_faults *faults);
