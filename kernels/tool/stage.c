// SPDX-License-Identifier: MIT
// stage.c: outputs that are kept when current, progress, sentinels.
#include "tool/stage.h"

#include "core/io_wait.h"
#include "core/part.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SENTINEL ".snakemake_complete"
#define RECIPE   ".recipe"

double stage_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int stage_failed(const char *verb, const struct kin_error *err)
{
    fprintf(stderr, "kintsugi-image %s: %s\n", verb, err->text[0] ? err->text : "failed");
    return 1;
}

/* Whether a file that a stage has written can be read, as far as its end tells. */
static bool is_sound(const char *path, struct kin_error *err)
{
    struct kin_tiff_info info;
    if (text_ends_in(path, ".tif"))
        return kin_tiff_info(path, &info, err);
    if (!text_ends_in(path, ".json"))
        return true;
    struct js *root = js_read(path, err);
    js_free(root);
    return root;
}

/* Whether the stage that an image is of was complete: its sentinel lies beside or above it. */
static bool was_complete(const char *path)
{
    char dir[4200], sentinel[4300];
    snprintf(dir, sizeof dir, "%s", path);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(dir, '/');
        if (!slash)
            return false;
        *slash = 0;
        snprintf(sentinel, sizeof sentinel, "%s/" SENTINEL, dir);
        if (!access(sentinel, F_OK))
            return true;
    }
    return false;
}

/* What makes it again in the workflow, for which a sentinel is enough. Deconvolved planes are made
 * of stitched ones, which the target cleanup_safe has removed with them. */
static const char *rule_of(const char *made_by)
{
    return !strcmp(made_by, "edof")       ? "edf_cycle"
           : !strcmp(made_by, "register") ? "registration"
                                          : "stitch_cycle";
}

bool stage_input(const char *path, const char *made_by, int cycle, struct kin_error *err)
{
    char option[24] = "";
    struct kin_error bad = {0};
    if (access(path, R_OK))
        kin_fail(&bad, KIN_INPUT, "%s: %s", path, strerror(errno));
    else if (is_sound(path, &bad))
        return true;
    if (was_complete(path))
        return kin_fail(err, bad.code, "%.450s (in the workflow, --forcerun %s makes it again)",
                        bad.text, rule_of(made_by));
    if (cycle)
        snprintf(option, sizeof option, " --cycle %d", cycle);
    return kin_fail(err, bad.code, "%.450s (has `kintsugi-image %s%s` run?)", bad.text, made_by,
                    option);
}

struct kin_stack *stage_stack(char *const *paths, int n, const char *made_by, int cycle,
                              struct kin_source *source, struct kin_error *err)
{
    struct kin_error why = {0};
    struct kin_stack *stack = kin_stack_open(paths, n, source, &why);
    if (stack)
        return stack;
    for (int i = 0; i < n; i++)
        if (!stage_input(paths[i], made_by, cycle, err))
            return NULL;
    kin_fail(err, why.code, "%s", why.text);
    return NULL;
}

bool stage_place(const char *project, struct kin_error *err, const char *path_format, ...)
{
    struct kin_error bare = *err;
    char path[300];
    va_list args;
    if (!strncmp(bare.text, project, strlen(project)))
        return false;
    va_start(args, path_format);
    vsnprintf(path, sizeof path, path_format, args);
    va_end(args);
    *err = (struct kin_error){.code = KIN_OK};
    return kin_fail(err, bare.code, "%s: %s", path, bare.text);
}

struct kin_stack *stage_plane(const char *path, struct kin_source *source, struct kin_error *err)
{
    char *one = (char *)(uintptr_t)path;
    struct kin_stack *plane = kin_stack_open(&one, 1, source, err);
    if (!plane || source->type == KIN_U16)
        return plane;
    kin_fail(err, KIN_INPUT, "%s: not a page of 16-bit samples", path);
    kin_stack_close(plane);
    return NULL;
}

struct kin_stack *stage_plane_like(const char *path, struct kin_dims size, const char *other,
                                   struct kin_source *source, struct kin_error *err)
{
    struct kin_stack *plane = stage_plane(path, source, err);
    if (!plane || (source->dims.y == size.y && source->dims.x == size.x))
        return plane;
    kin_fail(err, KIN_INPUT, "%.250s: has %d x %d pixels, but %.250s %d x %d", path, source->dims.x,
             source->dims.y, other, size.x, size.y);
    kin_stack_close(plane);
    return NULL;
}

bool make_dirs(const char *dir, struct kin_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s", dir);
    for (char *slash = path + 1;; slash++) {
        slash = strchrnul(slash, '/');
        char kept = *slash;
        *slash = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            return kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
        if (!kept)
            return true;
        *slash = kept;
    }
}

bool stage_reports(const char *project, char *path, struct kin_error *err)
{
    snprintf(path, STAGE_PATH, "%.4000s/data/processed/qc", project);
    if (!make_dirs(path, err))
        return false;
    kin_part_sweep(path);
    return true;
}

void stage_report_path(const char *project, const char *name, char *path)
{
    snprintf(path, STAGE_PATH, "%.4000s/data/processed/qc/%.200s", project, name);
}

bool stage_write_report(const char *project, const char *name, const struct js *root,
                        struct kin_error *err)
{
    char path[STAGE_PATH];
    if (!stage_reports(project, path, err))
        return false;
    stage_report_path(project, name, path);
    return js_write(root, path, err);
}

bool stage_cycle(int cycle, const struct experiment *exp, struct kin_error *err)
{
    return (cycle >= 1 && cycle <= exp->cycles) ||
           kin_fail(err, KIN_INPUT, "cycle %d: the experiment has 1 to %d", cycle, exp->cycles);
}

bool stage_channels(const struct int_list *asked, const struct experiment *exp,
                    struct int_list *channels, struct kin_error *err)
{
    *channels = *asked;
    for (int i = 0; i < asked->count; i++) {
        if (asked->values[i] < 1 || asked->values[i] > exp->channels)
            return kin_fail(err, KIN_INPUT, "channel %d: the experiment has 1 to %d",
                            asked->values[i], exp->channels);
        for (int k = 0; k < i; k++)
            if (asked->values[k] == asked->values[i])
                return kin_fail(err, KIN_INPUT, "channel %d is named twice", asked->values[i]);
    }
    for (int c = 1; !asked->count && c <= exp->channels; c++)
        channels->values[channels->count++] = c;
    return true;
}

/* ---- progress -------------------------------------------------------------------------------- */

void stage_say(const struct stage *stage, const char *format, ...)
{
    va_list args;
    if (stage->quiet)
        return;
    va_start(args, format);
    fprintf(stderr, "%s", stage->name);
    if (stage->cycle)
        fprintf(stderr, " cycle %d", stage->cycle);
    fprintf(stderr, ": ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

static void compare_length(const struct stage *stage, const char *path, const char *what,
                           double told, double taken, bool assumed)
{
    if (told > 0 && fabs(told / taken - 1) > 0.02)
        stage_say(stage, "%s: %s is %.4g nm by the file; %.4g nm is taken, %s", path, what, told,
                  taken, assumed ? "which nobody has stated" : "as experiment.json states");
}

void stage_compare_scale(const struct stage *stage, const char *path,
                         const struct kin_tiff_info *info, const struct experiment *exp)
{
    compare_length(stage, path, "a pixel", info->pixel_nm, exp->xy_nm,
                   exp->assumed & EXPERIMENT_XY);
    compare_length(stage, path, "the distance of planes", info->plane_nm, exp->z_nm,
                   exp->assumed & EXPERIMENT_Z);
}

/* At most one line every two seconds, and the last. */
static void on_step(void *user, int64_t done, int64_t total, const char *what)
{
    struct stage *stage = user;
    double now = stage_clock();
    if (done < total && now - stage->said < 2)
        return;
    stage->said = now;
    stage_say(stage, "%s %lld of %lld", what, (long long)done, (long long)total);
}

/* ---- what is current ------------------------------------------------------------------------- */

static bool older(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

struct timespec stage_later(struct timespec newest, const char *path)
{
    struct stat st;
    if (stat(path, &st) || older(st.st_mtim, newest))
        return newest;
    return st.st_mtim;
}

bool stage_has(const struct stage *stage, const char *path, struct timespec newest)
{
    struct stat st;
    if (!stage->keep || stat(path, &st))
        return false;
    return !older(st.st_mtim, newest) && !older(st.st_mtim, stage->recipe_time) &&
           is_sound(path, NULL);
}

/* Whether a recipe's file says just that; sets its time. */
static bool recipe_same(struct stage *stage, const char *path, const char *recipe)
{
    char held[STAGE_RECIPE] = "";
    struct stat st;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t n = fread(held, 1, sizeof held - 1, file);
    bool same = n == strlen(recipe) && !memcmp(held, recipe, n) && !fstat(fileno(file), &st);
    if (same)
        stage->recipe_time = st.st_mtim;
    fclose(file);
    return same;
}

void stage_path(const struct stage *stage, char *path, const char *format, ...)
{
    va_list args;
    int n = snprintf(path, STAGE_PATH, "%s/", stage->dir);
    va_start(args, format);
    vsnprintf(path + n, (size_t)(STAGE_PATH - n), format, args);
    va_end(args);
}

void stage_simple(struct stage *stage, const char *name, const struct common *common)
{
    *stage = (struct stage){.name = name, .quiet = common->quiet, .started = stage_clock()};
    stage->progress = (struct kin_progress){on_step, stage};
}

/* Results of different parameters are not told apart once they are newer than the recipe: none
 * counts any more, also not for the run that has changed it. */
bool stage_recall(struct stage *stage, struct kin_error *err)
{
    char recipe[STAGE_PATH], complete[STAGE_PATH];
    stage_path(stage, recipe, RECIPE);
    stage_path(stage, complete, SENTINEL);
    stage->keep = recipe_same(stage, recipe, stage->recipe);
    if (stage->keep)
        return true;
    if (!kin_write_text(recipe, "of several runs\n", err))
        return false;
    unlink(complete);
    return kin_fail(err, KIN_INPUT,
                    "%s: a run with other parameters has written there at the same time; run this "
                    "one again",
                    stage->dir);
}

/* Unless another process has written the same meanwhile, whose outputs may be there. */
static bool write_recipe(struct stage *stage, const char *path, const char *recipe,
                         struct kin_error *err)
{
    struct kin_part part;
    struct kin_error none = {0};
    if (!kin_part_open(&part, path, err))
        return false;
    bool written = fputs(recipe, part.file) >= 0 && !fflush(part.file);
    if (!written || !recipe_same(stage, path, recipe))
        return kin_part_close(&part, written, err);
    kin_part_close(&part, false, &none);
    return true;
}

bool stage_begin(struct stage *stage, const char *name, int cycle, const char *dir,
                 const char *recipe, const struct common *common, struct kin_error *err)
{
    char path[STAGE_PATH];
    stage_simple(stage, name, common);
    stage->cycle = cycle;
    snprintf(stage->dir, sizeof stage->dir, "%s", dir);
    snprintf(stage->recipe, sizeof stage->recipe, "%s", recipe);
    if (!make_dirs(dir, err))
        return false;
    kin_part_sweep(dir);
    stage_path(stage, path, SENTINEL);
    if (unlink(path) && errno != ENOENT)
        return kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    stage_path(stage, path, RECIPE);
    bool same = recipe_same(stage, path, recipe); /* a newer one would age others' channels */
    stage->keep = same && !common->force;
    return same || write_recipe(stage, path, recipe, err);
}

bool stage_finish(struct stage *stage, struct kin_error *err)
{
    if (!stage_recall(stage, err))
        return false;
    char path[STAGE_PATH], text[400], when[40], cycle[24] = "";
    time_t now = time(NULL);
    struct tm parts;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    if (stage->cycle)
        snprintf(cycle, sizeof cycle, "cycle=%d\n", stage->cycle);
    double minutes = (stage_clock() - stage->started) / 60;
    snprintf(text, sizeof text, "stage=%s\n%scompleted=%s\nduration_minutes=%.2f\n", stage->name,
             cycle, when, minutes);
    stage_path(stage, path, SENTINEL);
    return kin_write_text(path, text, err);
}

void stage_print(const struct stage *stage, struct js *root)
{
    js_set_number(root, "wall_s", stage_clock() - stage->started);
    js_set_number(root, "io_wait_s", io_wait());
    double computed = device_computed();
    if (!isnan(computed))
        js_set_number(root, "card_s", computed);
    js_print(root, stdout);
}

/* What the stage says of a cycle: the reports of the channels that are finished; there: how many.
 * NULL: one cannot be read. */
static struct js *gather(const struct stage *stage, int channels, channel_report *report_of,
                         const void *user, int *there, struct kin_error *err)
{
    struct js *root = js_object(), *list = js_array();
    char path[STAGE_PATH];
    bool good = true;
    *there = 0;
    for (int c = 1; good && c <= channels; c++) {
        if (!report_of(stage, user, c, path))
            continue;
        struct js *one = js_read(path, err);
        good = one;
        if (good)
            js_push(list, one);
        *there += good;
    }
    js_set_text(root, "stage", stage->name);
    js_set_number(root, "cycle", stage->cycle);
    js_set(root, "channels", list);
    if (good)
        return root;
    js_free(root);
    return NULL;
}

bool stage_gather(struct stage *stage, const char *project, int channels, channel_report *report_of,
                  const void *user, bool print, struct kin_error *err)
{
    char path[STAGE_PATH], name[100];
    struct js *root = NULL, *now = NULL;
    int there, written = -1;
    if (!stage_recall(stage, err) || !stage_reports(project, path, err))
        return false;
    snprintf(name, sizeof name, "%s_cyc%02d.json", stage->name, stage->cycle);
    stage_report_path(project, name, path);
    bool good = true;
    while (good) { /* again, if another process has finished a channel meanwhile */
        now = gather(stage, channels, report_of, user, &there, err);
        good = now;
        if (!good || there == written)
            break;
        js_free(root);
        root = now;
        written = there;
        good = js_write(root, path, err);
    }
    if (now != root)
        js_free(now);
    if (good && print)
        stage_print(stage, root);
    js_free(root);
    return good && (there < channels || stage_finish(stage, err));
}
