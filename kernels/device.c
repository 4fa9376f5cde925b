// SPDX-License-Identifier: MIT
// device.c: choosing a device, and its sticky error.
#include "device_cpu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void device_fail(struct device *dev, enum kin_code code, const char *format, ...)
{
    if (dev->error.code != KIN_OK)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(dev->error.text, sizeof dev->error.text, format, args);
    va_end(args);
    dev->error.code = code;
}

bool device_ok(struct device *dev, struct kin_error *err)
{
    return dev->error.code == KIN_OK || kin_fail(err, dev->error.code, "%s", dev->error.text);
}

static bool fill(struct device *dev, enum device_kind kind, int threads, struct kin_error *err)
{
    struct kin_error why = {0};
    if (kind != DEVICE_CPU && device_fill_gpu(dev, &why))
        return true;
    if (kind == DEVICE_GPU)
        return kin_fail(err, KIN_DEVICE, "%s", why.text);
    device_fill_cpu(dev, threads);
    return true;
}

struct device *device_open(enum device_kind kind, int threads, struct kin_error *err)
{
    struct device *dev = calloc(1, sizeof *dev);
    if (!dev) {
        kin_fail(err, KIN_MEMORY, "no memory for the compute device");
        return NULL;
    }
    if (!fill(dev, kind, threads, err)) {
        free(dev);
        return NULL;
    }
    return dev;
}

void device_close(struct device *dev)
{
    if (dev && dev->kind == DEVICE_GPU)
        device_drop_gpu(dev);
    free(dev);
}
