// SPDX-License-Identifier: MIT
// device.c: choosing a device.
#include "device/device_cpu.h"
#include "device/gpu_plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool fill(struct device *dev, enum device_kind kind, int threads, size_t memory,
                 struct kin_error *err)
{
    struct kin_error why = {0};
    if (kind != DEVICE_CPU && gpu_fill(dev, threads, memory, &why))
        return true;
    if (kind == DEVICE_GPU)
        return kin_fail(err, KIN_DEVICE, "%s", why.text);
    if (why.code != KIN_OK && why.code != KIN_INPUT)
        fprintf(stderr, "warning: %s; computing on the CPU\n", why.text);
    device_fill_cpu(dev, threads);
    return true;
}

static struct device *card; /* the last one that was opened; NULL: closed */
static double computed = NAN;

double device_computed(void)
{
    return card ? card->computed(card) : computed;
}

struct device *device_open_within(enum device_kind kind, int threads, size_t memory,
                                  struct kin_error *err)
{
    struct device *dev = calloc(1, sizeof *dev);
    if (!dev) {
        kin_fail(err, KIN_MEMORY, "no memory for the compute device");
        return NULL;
    }
    if (!fill(dev, kind, threads, memory, err)) {
        free(dev);
        return NULL;
    }
    if (dev->kind == DEVICE_GPU)
        card = dev;
    return dev;
}

struct device *device_open(enum device_kind kind, int threads, struct kin_error *err)
{
    return device_open_within(kind, threads, 0, err);
}

struct device device_share(const struct device *dev, int threads)
{
    struct device share = *dev;
    share.threads = threads > 0 ? threads : 1;
    share.error = (struct kin_error){.code = KIN_OK};
    return share;
}

void device_close(struct device *dev)
{
    if (dev && dev == card) {
        computed = dev->computed(dev);
        card = NULL;
    }
    if (dev && dev->kind == DEVICE_GPU)
        gpu_drop(dev);
    free(dev);
}
