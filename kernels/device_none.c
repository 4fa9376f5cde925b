// SPDX-License-Identifier: MIT
// device_none.c: the GPU of a build without one.
#include "device_cpu.h"

bool device_fill_gpu(struct device *dev, struct kin_error *err)
{
    return kin_fail(err, KIN_DEVICE,
                    "this build has no GPU support (build with CUDA, or use --device cpu)");
}

void device_drop_gpu(struct device *dev)
{
}
