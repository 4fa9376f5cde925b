// SPDX-License-Identifier: MIT
// error.c: the sticky error of a device.
#include "device/device.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER; /* of the first failure */

void device_fail(struct device *dev, enum kin_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&door);
    if (dev->error.code == KIN_OK) {
        vsnprintf(dev->error.text, sizeof dev->error.text, format, args);
        dev->error.code = code;
    }
    pthread_mutex_unlock(&door);
    va_end(args);
}

bool device_ok(struct device *dev, struct kin_error *err)
{
    return dev->error.code == KIN_OK || kin_fail(err, dev->error.code, "%s", dev->error.text);
}

bool device_forgive(struct device *dev)
{
    if (dev->kind != DEVICE_GPU || dev->error.code != KIN_MEMORY)
        return false;
    dev->error = (struct kin_error){.code = KIN_OK};
    return true;
}
