// SPDX-License-Identifier: MIT
/* cmd_edof.c: `kintsugi-image edof PROJECT --cycle N`: one image in focus for each channel of a
 * cycle.
 *
 *     data/processed/deconvolved/cycNN/CHn/deconv_ZZZ.tif
 *         ->  data/processed/edf/cycNN/MARKER.tif
 *             data/processed/edf/cycNN/zmap_MARKER.tif
 *             data/processed/edf/cycNN/confidence_MARKER.tif
 *             data/processed/qc/edf_cycNN.json
 *
 * What is said about a channel is kept in edf/cycNN/.CHn.json, which is written last: with it the
 * channel is finished. */
#include "edof/edof.h"
#include "qc/qc.h"
#include "tool/ahead.h"
#include "tool/stage.h"
#include "tool/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct common common;
    int cycle, radius, min_planes;
    struct int_list channels;
    double sigma, max_zero, max_saturated;
    bool keep_ends, share_z;
    const char *mode, *input, *z_offsets;
} o;
static const char *project;
static double z_offset[EXPERIMENT_CHANNELS]; /* planes, of channel index + 1 */
static int offset_count;

static const struct option rows[] = {
    OPTIONS_CYCLE(&o.cycle, &o.channels),
    {"mode", OPTION_TEXT, "focus|clij2", "focus",
     "focus: sub-plane map, smoothed by confidence; clij2: as CLIJ2's variance projection",
     &o.mode},
    {"radius", OPTION_INT, "px", "0",
     "radius of the boxes for the variance; 0: 3 in focus mode, 5 in clij2", &o.radius, 0, 100},
    {"sigma", OPTION_REAL, "px", "0",
     "sigma of the Gaussian over the variance; 0: 15 in focus mode, 20 in clij2", &o.sigma, 0, 500},
    {"max-zero", OPTION_REAL, "fraction", "0.10",
     "leave out planes that have this much more zeros than the best one", &o.max_zero, 0, 1},
    {"max-saturated", OPTION_REAL, "fraction", "0.05",
     "leave out planes with more pixels than this at 64000 or above", &o.max_saturated, 0, 1},
    {"min-planes", OPTION_INT, "", "3", "fail if fewer planes are left", &o.min_planes, 1,
     FOCUS_PLANES},
    {"keep-ends", OPTION_FLAG, "", "",
     "also use the first and last plane (left out if there are more than 4)", &o.keep_ends},
    {"share-z", OPTION_FLAG, "", "", "use the nuclear channel's map for all channels", &o.share_z},
    {"z-offsets", OPTION_TEXT, "planes", "",
     "with --share-z: by how much deeper each channel lies, such as 0,0.4,0.7", &o.z_offsets},
    {"input", OPTION_TEXT, "deconvolved|stitched", "deconvolved", "which planes to project",
     &o.input},
    OPTIONS_COMMON(&o.common),
};
static const struct operand operands[] = {{"PROJECT", "the project's directory", &project}};
static const struct command command = {
    "edof",
    "Projects every channel of a cycle to one image in focus (extended depth of field).",
    rows,
    ROWS(rows),
    operands,
    1,
    "The result is the same for every --memory and --threads. z maps hold plane numbers, counted "
    "from 1."};

/* One channel on its way. */
struct channel {
    int number, planes;
    char dir[4200], name[128];
    char **inputs;                                     /* (planes), owned */
    struct kin_tiff_writer *image, *zmap, *confidence; /* owned */
    struct kin_tiff_options options;                   /* of these files */
};

/* ---- files ----------------------------------------------------------------------------------- */

static bool channel_new(struct channel *ch, const struct experiment *exp, int number,
                        struct kin_error *err)
{
    bool stitched = !strcmp(o.input, "stitched");
    *ch = (struct channel){
        .number = number, .planes = exp->planes, .options = {.pixel_nm = experiment_pixel(exp)}};
    snprintf(ch->dir, sizeof ch->dir, "%s/data/processed/edf/cyc%02d", project, o.cycle);
    experiment_file_name(exp, o.cycle, number, ch->name, sizeof ch->name);
    ch->inputs = calloc((size_t)ch->planes, sizeof *ch->inputs);
    bool good = ch->inputs != NULL;
    for (int z = 1; good && z <= ch->planes; z++)
        good = asprintf(&ch->inputs[z - 1],
                        stitched ? "%s/data/processed/stitched/cyc%02d/CH%d/%02d.tif"
                                 : "%s/data/processed/deconvolved/cyc%02d/CH%d/deconv_%03d.tif",
                        project, o.cycle, number, z) > 0;
    return good || kin_fail(err, KIN_MEMORY, "no memory for the names of %d planes", ch->planes);
}

static void channel_free(struct channel *ch)
{
    struct kin_tiff_writer *writers[3] = {ch->image, ch->zmap, ch->confidence};
    for (int i = 0; i < 3; i++)
        kin_tiff_abandon(writers[i]);
    for (int z = 0; ch->inputs && z < ch->planes; z++)
        free(ch->inputs[z]);
    free(ch->inputs);
}

/* The path of an output: prefix "" is the image. */
static void output_path(const struct channel *ch, const char *prefix, char *path, size_t size)
{
    snprintf(path, size, "%s/%s%s.tif", ch->dir, prefix, ch->name);
}

static void json_path(const struct channel *ch, char *path, size_t size)
{
    snprintf(path, size, "%s/.CH%d.json", ch->dir, ch->number);
}

static bool leads(const struct experiment *exp, const struct channel *ch)
{
    return !o.share_z || ch->number == exp->nuclear_channel;
}

/* The z map that this channel follows. */
static bool leader_path(const struct experiment *exp, char *path, size_t size)
{
    char name[128];
    experiment_file_name(exp, o.cycle, exp->nuclear_channel, name, sizeof name);
    return snprintf(path, size, "%s/data/processed/edf/cyc%02d/zmap_%s.tif", project, o.cycle,
                    name) < (int)size;
}

static bool channel_done(const struct stage *stage, const struct experiment *exp,
                         const struct channel *ch)
{
    struct timespec newest = {0};
    char path[4600];
    for (int z = 0; z < ch->planes; z++)
        newest = stage_later(newest, ch->inputs[z]);
    if (!leads(exp, ch) && leader_path(exp, path, sizeof path))
        newest = stage_later(newest, path);
    output_path(ch, "", path, sizeof path);
    if (!stage_has(stage, path, newest))
        return false;
    output_path(ch, "zmap_", path, sizeof path);
    if (!stage_has(stage, path, newest))
        return false;
    output_path(ch, "confidence_", path, sizeof path);
    if (leads(exp, ch) && !stage_has(stage, path, newest))
        return false;
    json_path(ch, path, sizeof path);
    return stage_has(stage, path, newest);
}

static struct kin_tiff_writer *open_writer(const struct channel *ch, const char *prefix,
                                           struct kin_dims dims, enum kin_type type,
                                           struct kin_error *err)
{
    char path[4600];
    output_path(ch, prefix, path, sizeof path);
    return kin_tiff_create(path, (struct kin_dims){1, dims.y, dims.x}, type, &ch->options, err);
}

static bool on_rows(void *user, int z, int count, const void *src, struct kin_error *err)
{
    struct kin_tiff_writer **writer = user;
    return kin_tiff_append(*writer, src, count, err);
}

/* Commits or abandons *writer, which is empty afterwards. */
static bool close_writer(struct kin_tiff_writer **writer, bool good, struct kin_error *err)
{
    struct kin_tiff_writer *w = *writer;
    *writer = NULL;
    if (!w)
        return good;
    if (good)
        return kin_tiff_commit(w, err);
    kin_tiff_abandon(w);
    return false;
}

/* ---- one channel ----------------------------------------------------------------------------- */

/* "0,0.4,0.7": by how many planes the first, second, ... channel lies deeper. The exit status of a
 * mistake, or 0. */
static int read_offsets(void)
{
    const char *at = o.z_offsets;
    if (at && !o.share_z)
        return options_mistake(&command, "--z-offsets %s: only with --share-z", at);
    for (offset_count = 0; at; offset_count++) {
        char *end;
        double planes = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(fabs(planes) <= FOCUS_PLANES) ||
            offset_count == EXPERIMENT_CHANNELS)
            return options_mistake(
                &command, "--z-offsets %s: must be numbers of planes, as 0,0.4,0.7", o.z_offsets);
        z_offset[offset_count] = planes;
        at = *end ? end + 1 : NULL;
    }
    return 0;
}

/* Tissue that goes on beyond the stack is nowhere in focus. */
static void note_ends(struct js *root, const struct kin_edof_report *r)
{
    char note[200];
    int first = r->used.number[0], last = r->used.number[r->used.count - 1];
    bool more = !o.keep_ends && (first > 0 || last < r->planes - 1);
    if (qc_judge(qc_limit_find("edf", "focus_at_end"), r->at_end) < QC_YELLOW)
        return;
    snprintf(note, sizeof note,
             "%.0f %% of what is in focus lies at the first or last plane used (%d and %d of %d): "
             "does the tissue go on beyond the stack?%s",
             100 * r->at_end, first + 1, last + 1, r->planes,
             more ? " (--keep-ends uses the outer planes)" : "");
    js_set_text(root, "note", note);
}

static struct js *metrics(const struct channel *ch, const struct experiment *exp,
                          const struct kin_edof_report *r, double seconds)
{
    struct js *root = js_object(), *used = js_array();
    js_set_number(root, "channel", ch->number);
    js_set_text(root, "marker", experiment_marker(exp, o.cycle, ch->number));
    js_set_text(root, "file", ch->name);
    js_set_text(root, "mode", o.mode);
    js_set_number(root, "planes", r->planes);
    for (int i = 0; i < r->used.count; i++)
        js_push_number(used, r->used.number[i] + 1);
    js_set(root, "planes_used", used);
    js_set(root, "zero_share", js_numbers(r->zero, r->planes));
    js_set(root, "saturated_share", js_numbers(r->saturated, r->planes));
    js_set_number(root, "covered", r->covered);
    js_set_number(root, "clip", r->clip);
    if (leads(exp, ch))
        js_set_number(root, "confidence", r->trust);
    js_set_number(root, "focus_at_end", r->at_end);
    note_ends(root, r);
    js_set_number(root, "z_mean", r->z_mean);
    js_set_number(root, "z_low", r->z_low);
    js_set_number(root, "z_high", r->z_high);
    js_set_number(root, "bands", r->bands);
    js_set_number(root, "seconds", seconds);
    return root;
}

static bool write_metrics(const struct channel *ch, const struct experiment *exp,
                          const struct kin_edof_report *r, double seconds, struct kin_error *err)
{
    char path[4600];
    struct js *root = metrics(ch, exp, r, seconds);
    json_path(ch, path, sizeof path);
    bool good = js_write(root, path, err);
    js_free(root);
    return good;
}

/* What all channels need. */
struct bench {
    struct device *dev;
    struct stage *stage;
    const struct experiment *exp;
    struct kin_edof_params params;
    struct ahead *ahead;
    struct kin_edof_report look; /* of the channel that was looked at */
};

static bool look_at_channel(void *user, int number, int threads, void *seen)
{
    const struct bench *b = user;
    struct channel ch;
    struct kin_source source;
    struct kin_error none = {0};
    bool wanted = channel_new(&ch, b->exp, number, &none) && !channel_done(b->stage, b->exp, &ch);
    struct kin_stack *stack = wanted ? kin_stack_open(ch.inputs, ch.planes, &source, &none) : NULL;
    bool good = stack && kin_edof_look(&source, &b->params, threads, seen, &none);
    kin_stack_close(stack);
    channel_free(&ch);
    return good;
}

static bool project_channel(struct bench *b, struct channel *ch, struct kin_edof_report *report,
                            struct kin_error *err)
{
    const struct experiment *exp = b->exp;
    char path[4600] = "", *paths[1] = {path};
    struct kin_source source, map;
    bool own = leads(exp, ch);
    const char *made_by = strcmp(o.input, "stitched") ? "deconv" : "stitch";
    struct kin_stack *leader = NULL,
                     *stack = stage_stack(ch->inputs, ch->planes, made_by, o.cycle, &source, err);
    bool good = stack != NULL;
    if (good && !own)
        good = leader_path(exp, path, sizeof path) &&
               (leader = kin_stack_open(paths, 1, &map, err)) != NULL;
    good = good && (ch->image = open_writer(ch, "", source.dims, KIN_U16, err)) &&
           (ch->zmap = open_writer(ch, "zmap_", source.dims, KIN_F32, err)) &&
           (!own || (ch->confidence = open_writer(ch, "confidence_", source.dims, KIN_U8, err)));
    struct kin_edof_sinks sinks = {{KIN_U16, on_rows, &ch->image},
                                   {KIN_F32, on_rows, &ch->zmap},
                                   {KIN_U8, own ? on_rows : NULL, &ch->confidence}};
    bool known = ahead_seen(b->ahead, ch->number);
    const struct kin_edof_report look = b->look;
    if (good)
        ahead_next(b->ahead, ch->number);
    good = good && kin_edof(b->dev, &source, &b->params, known ? &look : NULL, own ? NULL : &map,
                            z_offset[ch->number - 1], &sinks, &b->stage->progress, report, err);
    kin_stack_close(stack);
    kin_stack_close(leader);
    return good;
}

static bool run_channel(struct bench *b, struct channel *ch, struct kin_error *err)
{
    struct kin_edof_report report;
    double started = stage_clock();
    bool good = project_channel(b, ch, &report, err);
    good = close_writer(&ch->zmap, good, err);
    good = close_writer(&ch->confidence, good, err);
    good = close_writer(&ch->image, good, err);
    double seconds = stage_clock() - started;
    if (good)
        stage_say(b->stage, "%s: %d of %d planes, z %.1f to %.1f, %.1f s", ch->name,
                  report.used.count, report.planes, report.z_low, report.z_high, seconds);
    return good && write_metrics(ch, b->exp, &report, seconds, err);
}

static bool do_channel(struct bench *b, int number, struct kin_error *err)
{
    struct channel ch;
    bool good = channel_new(&ch, b->exp, number, err);
    if (good && channel_done(b->stage, b->exp, &ch))
        stage_say(b->stage, "%s is there", ch.name);
    else if (good)
        good = run_channel(b, &ch, err) ||
               stage_place(project, err, "%s/data/processed/%s/cyc%02d/CH%d", project, o.input,
                           o.cycle, number);
    channel_free(&ch);
    return good;
}

/* ---- the stage ------------------------------------------------------------------------------- */

/* Whether a channel is finished, and where what it says lies. */
static bool report_of(const struct stage *stage, const void *exp, int number, char *path)
{
    struct channel ch;
    struct kin_error none = {0};
    bool done = channel_new(&ch, exp, number, &none) && channel_done(stage, exp, &ch);
    json_path(&ch, path, STAGE_PATH);
    channel_free(&ch);
    return done;
}

static void read_words(struct kin_edof_params *p)
{
    kin_edof_defaults(p, !strcmp(o.mode, "clij2") ? KIN_EDOF_CLIJ2 : KIN_EDOF_FOCUS);
    p->radius = o.radius ? o.radius : p->radius;
    p->sigma = o.sigma != 0 ? o.sigma : p->sigma;
    p->max_zero = o.max_zero;
    p->max_saturated = o.max_saturated;
    p->min_planes = o.min_planes;
    p->keep_ends = o.keep_ends;
    p->memory = (size_t)o.common.memory << 20;
}

/* The nuclear channel comes first when others follow its map. */
static void lead_first(struct int_list *channels, int leader)
{
    for (int i = 0; i < channels->count; i++)
        if (channels->values[i] == leader) {
            memmove(channels->values + 1, channels->values, (size_t)i * sizeof *channels->values);
            channels->values[0] = leader;
            return;
        }
}

/* A line too few or too many puts every name behind it on another channel. */
static void tell_names(const struct stage *stage, const struct experiment *exp)
{
    int wanted = exp->cycles * exp->channels;
    if (exp->names && exp->names != wanted)
        stage_say(stage,
                  "meta/CHANNELNAMES.txt has %d names, not %d (%d cycles of %d channels): are they "
                  "those of the right channels?",
                  exp->names, wanted, exp->cycles, exp->channels);
}

static bool run(const struct experiment *exp, struct kin_error *err)
{
    struct stage stage;
    struct bench b = {.stage = &stage, .exp = exp};
    struct int_list channels;
    char dir[4200], recipe[1000];
    if (!stage_cycle(o.cycle, exp, err))
        return false;
    if (offset_count > exp->channels)
        return kin_fail(err, KIN_INPUT, "--z-offsets %s: the experiment has %d channels",
                        o.z_offsets, exp->channels);
    for (int i = 0; i < offset_count; i++)
        if (!(fabs(z_offset[i]) < exp->planes))
            return kin_fail(err, KIN_INPUT, "--z-offsets %s: the experiment has %d planes",
                            o.z_offsets, exp->planes);
    if (!stage_channels(&o.channels, exp, &channels, err))
        return false;
    read_words(&b.params);
    if (o.share_z)
        lead_first(&channels, exp->nuclear_channel);
    snprintf(dir, sizeof dir, "%s/data/processed/edf/cyc%02d", project, o.cycle);
    snprintf(recipe, sizeof recipe,
             "edf 2 mode=%s radius=%d sigma=%g max_zero=%g max_saturated=%g min_planes=%d "
             "keep_ends=%d share_z=%d z_offsets=%s input=%s names=%" PRIx64,
             o.mode, b.params.radius, b.params.sigma, o.max_zero, o.max_saturated, o.min_planes,
             o.keep_ends, o.share_z ? exp->nuclear_channel : 0, o.z_offsets ? o.z_offsets : "",
             o.input, experiment_names_hash(exp, o.cycle, o.cycle));
    b.dev = options_device(&o.common, err);
    bool good = b.dev && stage_begin(&stage, "edf", o.cycle, dir, recipe, &o.common, err);
    if (good)
        tell_names(&stage, exp);
    b.ahead = good ? ahead_new(b.dev, &channels, look_at_channel, &b, &b.look) : NULL;
    for (int i = 0; good && i < channels.count; i++)
        good = do_channel(&b, channels.values[i], err);
    ahead_end(b.ahead);
    good = good && stage_gather(&stage, project, exp->channels, report_of, exp, o.common.json, err);
    device_close(b.dev);
    return good;
}

int cmd_edof(int argc, char **argv)
{
    struct kin_error err = {0};
    struct experiment exp;
    int status;
    if (!options_parse(&command, argc, argv, &status) || (status = read_offsets()))
        return status;
    if (!experiment_read(project, &exp, &err))
        return stage_failed("edof", &err);
    bool good = run(&exp, &err) || (options_retreat(&o.common, &err) && run(&exp, &err));
    experiment_free(&exp);
    return good ? 0 : stage_failed("edof", &err);
}
