/* SPDX-License-Identifier: MIT
 *
 * stage.h: what all stages of a project do alike: a directory of outputs that are kept when they
 * are current, progress on stderr, and a sentinel that is written last.
 *
 *     struct stage stage;
 *     if (!stage_begin(&stage, "edf", cycle, dir, recipe, &o.common, &err)) ...
 *     struct timespec newest = stage_later((struct timespec){0}, input);
 *     if (!stage_has(&stage, output, newest)) ... make it ...
 *     if (!stage_finish(&stage, &err)) ...
 *
 * The recipe is a line of text with every parameter that the pixels depend on. It is kept as
 * DIR/.recipe: an output counts as current only if it is newer than the recipe and than its inputs,
 * so that a changed parameter makes everything again, also after a kill in the middle. */
#pragma once

#include "core/json.h"
#include "image/experiment.h"
#include "image/volume.h"
#include "tool/options.h"

#include <time.h>

enum { STAGE_PATH = 4600, STAGE_RECIPE = 8192 }; /* room for a path, for a recipe */

struct stage {
    const char *name;
    int cycle; /* 0: not of one cycle */
    char dir[4096], recipe[STAGE_RECIPE];
    bool keep; /* outputs that are there may be current */
    bool quiet;
    double started; /* seconds, of a clock that only goes forward */
    struct timespec recipe_time;
    double said;                  /* when the last progress line was printed */
    struct kin_progress progress; /* for the algorithms; prints on stderr */
};

/* The name of a file in the stage's directory, as of printf; path has room for STAGE_PATH. */
void stage_path(const struct stage *stage, char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A stage without a directory of its own: it only tells how far it is. */
void stage_simple(struct stage *stage, const char *name, const struct common *common);

/* Makes the directory (and those above it), removes from it what killed runs left half-written and
 * an older sentinel, compares the recipe. Other processes may be at other channels there. */
bool stage_begin(struct stage *stage, const char *name, int cycle, const char *dir,
                 const char *recipe, const struct common *common, struct kin_error *err);

/* Whether that output is there and current. newest: the latest modification of what it is made
 * from. */
bool stage_has(const struct stage *stage, const char *path, struct timespec newest);

/* The later of newest and the file's modification time; a file that is not there changes
 * nothing. */
struct timespec stage_later(struct timespec newest, const char *path);

/* Writes DIR/.snakemake_complete: stage, cycle, completed, duration_minutes. Fails as
 * stage_recall does, too. */
bool stage_finish(struct stage *stage, struct kin_error *err);

/* A line on stderr, unless --quiet. */
void stage_say(const struct stage *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says where a file tells another size of its pixels, or distance of its planes, than the
 * experiment. */
void stage_compare_scale(const struct stage *stage, const char *path,
                         const struct kin_tiff_info *info, const struct experiment *exp);

/* Whether an input can be read; else what it is made by, as "edof", for which cycle (0: of all), is
 * told. */
bool stage_input(const char *path, const char *made_by, int cycle, struct kin_error *err);
/* Opens the planes of an earlier stage, as kin_stack_open does; where that fails, told is what
 * stage_input tells. */
struct kin_stack *stage_stack(char *const *paths, int n, const char *made_by, int cycle,
                              struct kin_source *source, struct kin_error *err);

/* Opens a plane file of uint16; it is read through the source until kin_stack_close. NULL: it is
 * missing or something else. */
struct kin_stack *stage_plane(const char *path, struct kin_source *source, struct kin_error *err);
/* One that must have that size, as `other` has. */
struct kin_stack *stage_plane_like(const char *path, struct kin_dims size, const char *other,
                                   struct kin_source *source, struct kin_error *err);

/* Makes a directory and those above it. */
bool make_dirs(const char *dir, struct kin_error *err);

/* The folder of the stages' reports, made where it is missing and rid of what killed runs left;
 * path has room for STAGE_PATH. */
bool stage_reports(const char *project, char *path, struct kin_error *err);

/* A report's path there, which has room for STAGE_PATH; and writing it. */
void stage_report_path(const char *project, const char *name, char *path);
bool stage_write_report(const char *project, const char *name, const struct js *root,
                        struct kin_error *err);

/* Prints "kintsugi-image VERB: why" on stderr and answers the exit status, 1. */
int stage_failed(const char *verb, const struct kin_error *err);

/* Says in which folder or file what failed, before the sentence; for what does not know of files.
 * What already begins with a path of the project is left as it is. Returns false. */
bool stage_place(const char *project, struct kin_error *err, const char *path_format, ...)
    __attribute__((format(printf, 3, 4)));

/* Seconds of a clock that only goes forward. */
double stage_clock(void);

/* Whether the experiment has that cycle. */
bool stage_cycle(int cycle, const struct experiment *exp, struct kin_error *err);

/* The channels asked for, or all of the experiment when none were; false: one does not exist. */
bool stage_channels(const struct int_list *asked, const struct experiment *exp,
                    struct int_list *channels, struct kin_error *err);

/* From here on what this run has made counts as current too, even if outputs were to be made again.
 * False: a run with another recipe has come between; no output is current any more. */
bool stage_recall(struct stage *stage, struct kin_error *err);

/* Prints a report, and with it what is not written because it differs from run to run: wall_s, and
 * io_wait_s, the seconds that threads stood still for image files. */
void stage_print(const struct stage *stage, struct js *root);

/* Where the report of a channel lies, path has room for STAGE_PATH; false: it is not finished. */
typedef bool channel_report(const struct stage *stage, const void *user, int channel, char *path);

/* Ends a stage that works channel by channel: writes PROJECT/data/processed/qc/NAME_cycNN.json with
 * the reports of the channels 1..channels that are finished, prints it if asked, and writes the
 * sentinel if all are. False also when a run with another recipe has come between: nothing counts
 * as current then. */
bool stage_gather(struct stage *stage, const char *project, int channels, channel_report *report_of,
                  const void *user, bool print, struct kin_error *err);
