/* SPDX-License-Identifier: MIT
 *
 * stitch_run.h: what the parts of `kintsugi-image stitch` share: its options, and what it knows of
 * one cycle. */
#pragma once

#include "illum/levels.h"
#include "stitch/plane.h"
#include "tool/stage.h"

#define BASELINES "keep|zero|mean|decay" /* as in enum illum_level */

struct stitch_options {
    struct common common;
    const char *project;
    int cycle, model_channel, model_plane;
    struct int_list channels;
    double overlap, ncc_min, search, offset, flat_min, seam_min;
    const char *illumination, *solver, *baseline, *positions, *placement, *blend;
    bool allow_missing, ignore_dark;
};

struct stitch_run {
    const struct stitch_options *options;
    struct experiment exp;
    struct raw_cycle raw;
    struct stage stage;
    struct device *dev;
    struct int_list channels;
    struct stitch_params params;
    struct stitch_source source;
    struct stitch_model model;
    struct kin_image dark[EXPERIMENT_CHANNELS], gain[EXPERIMENT_CHANNELS];
    struct illum_levels levels[EXPERIMENT_CHANNELS];
    struct camera_faults faults[EXPERIMENT_CHANNELS];
    double signal[EXPERIMENT_CHANNELS]; /* as illum_signal; NAN: not looked for */
    struct timespec newest;             /* of the raw tiles */
    struct js *report, *planes, *fields, *decisions;
    int missing, one_value; /* tile images that are not there, or whose pixels are all the same */
    int64_t done, total;
};

/* Whether --memory has room for what finding something takes at least beside what is held; where
 * the most that it would take is more than half of it, freed memory is given back from now on.
 * False: KIN_MEMORY says how much would do. */
bool stitch_room(const struct stitch_run *run, const char *what, size_t least, size_t most,
                 struct kin_error *err);

/* How the tiles of a channel are corrected; borrowed from the run. */
struct stitch_correction stitch_correction_of(const struct stitch_run *run, int channel);

/* meta/dark_CHn.tif; path has room for STAGE_PATH. */
void stitch_dark_path(const struct stitch_run *run, int channel, char *path);
/* Whether there is one, as far as can be seen: a link that leads nowhere is no absence. */
bool stitch_has_dark(const struct stitch_run *run, int channel);

struct stitch_field { /* of a channel, in the making */
    int channel;
    struct device *dev;    /* what computes it; borrowed */
    size_t room;           /* bytes that it may take */
    struct illum_fit *fit; /* owned, from when it is made until it is told */
};

/* Finds the flat field of a channel, its dark frame and the levels of its tiles, and writes them.
 * Those of other channels may be in the making beside it. False, with err, when tiles cannot be
 * read or there is no memory. */
bool stitch_make_field(struct stitch_run *run, struct stitch_field *field, struct kin_error *err);
/* What is said of one that is made, in words and in the report. */
void stitch_tell_field(struct stitch_run *run, struct stitch_field *field);
/* Bytes that making one takes where so many threads read tiles, and that are kept of it. */
size_t stitch_field_bytes(const struct stitch_run *run, int channel, int threads);
size_t stitch_field_kept(const struct stitch_run *run);

/* Makes the fields of these channels, several at a time where there are threads and memory. */
bool stitch_make_fields(struct stitch_run *run, const struct int_list *channels,
                        struct kin_error *err);

/* Makes all planes of the channels asked for, with their rows of the report: on a card several at a
 * time. Those that are there and current are only looked at. */
bool stitch_make_planes(struct stitch_run *run, struct kin_error *err);
