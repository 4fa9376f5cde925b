// SPDX-License-Identifier: MIT
// gpu_plugin.c: finding and opening the GPU back end.
#include "device/gpu_plugin.h"
#include "device/device_cpu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char FILE_NAME[] = "kintsugi-image-cuda.so";
static const struct gpu_plugin *plugin; /* stays open until the process ends */

/* The folder of the program, with a slash at its end; "" if it is not known. */
static void program_folder(char *folder, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    folder[n > 0 ? n : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[1] = 0;
}

static bool find_library(char *path, size_t size, struct kin_error *err)
{
    const char *given = getenv("KINTSUGI_GPU_PLUGIN");
    char folder[2000];
    if (given && given[0])
        return snprintf(path, size, "%s", given) > 0;
    program_folder(folder, sizeof folder);
    snprintf(path, size, "%s%s", folder, FILE_NAME);
    if (access(path, R_OK))
        snprintf(path, size, "%s/%s", KF_PLUGIN_FOLDER, FILE_NAME);
    if (access(path, R_OK))
        return kin_fail(
            err, KIN_INPUT,
            "this installation has no GPU support: %s is neither beside the program nor "
            "in %s (build with CUDA's nvcc to have it)",
            FILE_NAME, KF_PLUGIN_FOLDER);
    if (!dlopen("libcuda.so.1", RTLD_LAZY))
        return kin_fail(err, KIN_INPUT, "there is no NVIDIA driver: %s", dlerror());
    return true;
}

static const struct gpu_plugin *open_library(const char *path, struct kin_error *err)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct gpu_plugin *found = library ? dlsym(library, "kintsugi_gpu") : NULL;
    if (!found)
        kin_fail(err, KIN_DEVICE, "the GPU library cannot be used: %s", dlerror());
    else if (!strcmp(found->version, KF_VERSION) && found->device_size == sizeof(struct device))
        return found;
    else
        kin_fail(err, KIN_DEVICE, "%s and this program (" KF_VERSION ") are of different builds",
                 path);
    return NULL;
}

/* Opens the library, once; path says which one it is. */
static bool have_library(char *path, size_t size, struct kin_error *err)
{
    if (!find_library(path, size, err))
        return false;
    plugin = plugin ? plugin : open_library(path, err);
    return plugin != NULL;
}

bool gpu_look(struct gpu_report *report, struct kin_error *err)
{
    *report = (struct gpu_report){0};
    return have_library(report->plugin, sizeof report->plugin, err) && plugin->look(report, err);
}

bool gpu_fill(struct device *dev, int threads, size_t memory, struct kin_error *err)
{
    char path[4096];
    if (!have_library(path, sizeof path, err) || !plugin->fill(dev, memory, err))
        return false;
    dev->kind = DEVICE_GPU;
    dev->threads = device_threads(threads);
    return true;
}

void gpu_drop(struct device *dev)
{
    plugin->drop(dev);
}
