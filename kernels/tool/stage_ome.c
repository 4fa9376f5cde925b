// SPDX-License-Identifier: MIT
#include "tool/stage_ome.h"

#include "image/ometiff.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL = 128 };

// "CD4", or "DAPI (cycle 2)" for a name that other cycles use too, with the channel if the cycle
// itself does.
static void label_of(const struct experiment *exp, int cycle, int channel, char *label)
{
    const char *name = experiment_marker(exp, cycle, channel);
    char first[80];
    int same = 0, here = 0;
    snprintf(first, sizeof first, "%s", name);
    for (int c = 1; c <= exp->cycles; c++)
        for (int k = 1; k <= exp->channels; k++)
            if (!strcmp(experiment_marker(exp, c, k), first)) {
                same++;
                here += c == cycle;
            }
    if (here > 1)
        snprintf(label, LABEL, "%s (cycle %d, channel %d)", first, cycle, channel);
    else if (same > 1)
        snprintf(label, LABEL, "%s (cycle %d)", first, cycle);
    else
        snprintf(label, LABEL, "%s", first);
}

// The XML says names, wavelengths and the pixel size: these files are its inputs too.
static struct timespec time_of_meta(const char *project)
{
    char path[STAGE_PATH];
    snprintf(path, sizeof path, "%s/meta/experiment.json", project);
    struct timespec newest = stage_later((struct timespec){0}, path);
    snprintf(path, sizeof path, "%s/meta/CHANNELNAMES.txt", project);
    return stage_later(newest, path);
}

bool stage_ome(struct stage *stage, const char *project, const struct experiment *exp,
               const char *name, const struct stage_image *images, int n, const char *compression,
               struct kin_error *err)
{
    char out[STAGE_PATH], (*labels)[LABEL] = calloc((size_t)n, sizeof *labels);
    struct ometiff_channel *channels = calloc((size_t)n, sizeof *channels);
    struct timespec newest = time_of_meta(project);
    struct kin_tiff_options options = {
        .compression = (enum kin_compression)options_choice(compression, STAGE_COMPRESSIONS),
        .pixel_nm = experiment_pixel(exp)};
    stage_path(stage, out, "%s", name);
    bool fine = (labels && channels) ||
                kin_fail(err, KIN_MEMORY, "no memory for %d channel names", n);
    for (int i = 0; i < n && fine; i++) {
        label_of(exp, images[i].cycle, images[i].channel, labels[i]);
        channels[i] = (struct ometiff_channel){labels[i], images[i].path,
                                               experiment_emission(exp, images[i].channel)};
        newest = stage_later(newest, images[i].path);
    }
    if (fine && !stage_has(stage, out, newest))
        fine = ometiff_write(out, channels, n, &options, &stage->progress, err);
    free(labels);
    free(channels);
    return fine;
}
