/* SPDX-License-Identifier: MIT
 *
 * gpu_plugin.h: the GPU back end as a library of its own, kintsugi-image-cuda.so. It is opened when
 * the program runs, so that one program serves machines with and without a GPU. It is looked for at
 * $KINTSUGI_GPU_PLUGIN; when that is not set, beside the program and in the library folder. */
#pragma once

#include "device/device.h"

enum { GPU_CARDS = 16 };

struct gpu_card {
    char name[128];
    int major, minor;   /* compute capability */
    size_t free, total; /* bytes; 0: the card does not answer */
};

/* What `kintsugi-image info` tells. */
struct gpu_report {
    char plugin[4096];   /* the library that was opened */
    int driver, runtime; /* CUDA versions, 13000 being 13.0 */
    int count;           /* cards; the first one is used */
    struct gpu_card cards[GPU_CARDS];
};

/* What the library exports, under the name kintsugi_gpu. */
struct gpu_plugin {
    const char *version; /* both must be of one build */
    size_t device_size;  /* sizeof(struct device) */
    bool (*look)(struct gpu_report *report, struct kin_error *err);
    bool (*fill)(struct device *dev, size_t memory, struct kin_error *err);
    void (*drop)(struct device *dev);
};

/* Finds the cards. False: KIN_INPUT when there is nothing to be used (no library, no driver, no
 * card), KIN_DEVICE when there is but it fails; either says why. */
bool gpu_look(struct gpu_report *report, struct kin_error *err);

/* Fills *dev as the first card. False: as above. */
bool gpu_fill(struct device *dev, int threads, size_t memory, struct kin_error *err);

/* What must be undone when the device is closed. */
void gpu_drop(struct device *dev);
