// SPDX-License-Identifier: MIT
#include "qc/gather.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/part.h"
#include "core/text.h"
#include "qc/json.h"

enum { PATH = 4300 };

static const struct {
    const char *name, *dir, *also[3];
} stages[QC_STAGES] = {
    [QC_STITCH] = {"stitch", "stitched", {"stitching"}},
    [QC_DECON] = {"decon", "deconvolved", {"deconv", "deconvolution"}},
    [QC_EDF] = {"edf", "edf", {"edof"}},
    [QC_REGISTRATION] = {"registration", "registered", {"register"}},
    [QC_ISOLATE] = {"isolate", "signal_isolated", {"isolation", "signal_isolation"}},
};

const char *qc_stage_name(enum qc_stage stage)
{
    return stages[stage].name;
}

enum qc_stage qc_stage_find(const char *name)
{
    for (int s = 0; s < QC_STAGES; s++) {
        if (!strcmp(name, stages[s].name))
            return s;
        for (int i = 0; i < 3 && stages[s].also[i]; i++)
            if (!strcmp(name, stages[s].also[i]))
                return s;
    }
    return QC_STAGES;
}

bool qc_image_path(const char *project, const struct experiment *exp, enum qc_stage stage,
                   int cycle, int channel, int z, char *path, size_t size)
{
    char name[100];
    const char *dir = stages[stage].dir;
    bool together = stage == QC_ISOLATE, made = true;
    if (together)
        made = experiment_name_together(exp, cycle, channel, name, sizeof name);
    else
        experiment_file_name(exp, cycle, channel, name, sizeof name);
    if (stage == QC_STITCH)
        snprintf(path, size, "%s/data/processed/%s/cyc%02d/CH%d/%02d.tif", project, dir, cycle,
                 channel, z);
    else if (stage == QC_DECON)
        snprintf(path, size, "%s/data/processed/%s/cyc%02d/CH%d/deconv_%03d.tif", project, dir,
                 cycle, channel, z);
    else if (together)
        snprintf(path, size, "%s/data/processed/%s/%s.tif", project, dir, name);
    else
        snprintf(path, size, "%s/data/processed/%s/cyc%02d/%s.tif", project, dir, cycle, name);
    return made && kin_is_taken(path);
}

static bool is_stack(enum qc_stage stage)
{
    return stage == QC_STITCH || stage == QC_DECON;
}

static int planes_of(const struct experiment *exp, enum qc_stage stage)
{
    return is_stack(stage) ? exp->planes : 1;
}

bool qc_stage_has(const char *project, const struct experiment *exp, enum qc_stage stage, int cycle)
{
    char path[PATH];
    for (int c = 1; c <= exp->channels; c++)
        for (int z = 1; z <= planes_of(exp, stage); z++)
            if (qc_image_path(project, exp, stage, cycle, c, z, path, sizeof path))
                return true;
    return false;
}

// ---- what stages wrote -----------------------------------------------------------------------

// Numbers that say how good a stage was; others in the same object only describe it.
static const char *const shown[] = {"accepted_edges",
                                    "residual_rms",
                                    "overlap_ncc",
                                    "seam_sharpness",
                                    "missing_tiles",
                                    "one_value_tiles",
                                    "at_ceiling",
                                    "signal",
                                    "faulty_pixels",
                                    "foreign_tiles",
                                    "uneven_tiles",
                                    "blurred_tiles",
                                    "flux_error",
                                    "high_share",
                                    "iterations",
                                    "planes_used",
                                    "focus_at_end",
                                    "ncc",
                                    "agreeing",
                                    "displacement_median_px",
                                    "displacement_p95_px",
                                    "detail",
                                    "reference_detail",
                                    "least_light",
                                    "folds",
                                    "quality",
                                    "blank_shift_px",
                                    "scale",
                                    "removed",
                                    "explained",
                                    "bleaching"};

// Other names under which stages write them.
static const struct {
    const char *found, *meant;
} synonyms[] = {
    {"residual_rms_px", "residual_rms"},     {"ncc_median", "overlap_ncc"},
    {"seam_ratio_median", "seam_sharpness"}, {"seams_median", "seam_sharpness"},
    {"valid_planes", "planes_used"},         {"planes_valid", "planes_used"},
    {"kept_planes", "planes_used"},          {"planes_kept", "planes_used"},
    {"accepted_share", "accepted_edges"},
};

static const char *meaning(const char *key)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (!strcmp(key, synonyms[i].found))
            return synonyms[i].meant;
    return key;
}

static bool is_shown(const char *key)
{
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (!strcmp(key, shown[i]))
            return true;
    return false;
}

// The name that the channel has now: a stage that a new name concerns not reports the old one.
static const char *marker_of(const struct experiment *exp, const struct js *object, int cycle)
{
    int channel = js_int(js_get(object, "channel"), 0);
    if (cycle >= 1 && cycle <= exp->cycles && channel >= 1 && channel <= exp->channels)
        return experiment_marker(exp, cycle, channel);
    return js_text(js_get(object, "marker"), "");
}

// Blanks may show nothing, and of few planes that were taken all may be used.
static bool is_judged(const struct experiment *exp, const char *key, const char *marker, double v)
{
    if (!strcmp(key, "planes_used"))
        return v < exp->planes || exp->planes < 1;
    return strcmp(key, "signal") || !experiment_names_blank(marker);
}

static void add_numbers(const struct qc_gather *g, struct qc_table *table, const char *stage,
                        const struct js *object, int cycle)
{
    const char *marker = marker_of(g->exp, object, cycle);
    int channel = js_int(js_get(object, "channel"), 0);
    for (int i = 0; js_key(object, i); i++) {
        const char *key = meaning(js_key(object, i));
        const struct js *member = js_get(object, js_key(object, i));
        // A list counts: "planes_used": [3, 4, 5] is 3 planes.
        double v = js_is_array(member) ? js_count(member) : js_number(member, NAN);
        if (is_shown(key) && is_judged(g->exp, key, marker, v))
            qc_table_value(table, stage, key, cycle, channel, marker, v);
    }
    double flux = js_number(js_get(object, "flux_ratio"), NAN);
    qc_table_value(table, stage, "flux_error", cycle, channel, marker, fabs(flux - 1));
}

static void add_edges(struct qc_table *table, const char *stage, const struct js *root, int cycle)
{
    const struct js *edges = js_get(root, "edges");
    double accepted = 0, unlike = 0;
    for (int i = 0; i < js_count(edges); i++) {
        accepted += js_bool(js_get(js_at(edges, i), "accepted"), false);
        unlike += js_bool(js_get(js_at(edges, i), "unlike"), false);
    }
    if (!js_is_array(edges) || !js_count(edges))
        return;
    qc_table_value(table, stage, "accepted_edges", cycle, 0, NULL, accepted / js_count(edges));
    qc_table_value(table, stage, "unlike_edges", cycle, 0, NULL, unlike / js_count(edges));
}

static void add_notes(const struct qc_gather *g, struct qc_table *table, const char *stage,
                      const struct js *object, int cycle)
{
    const char *note = js_text(js_get(object, "note"), ""),
               *why = js_text(js_get(object, "why"), "");
    const char *marker = marker_of(g->exp, object, cycle);
    char place[32] = ""; // 0: of all cycles
    if (cycle > 0)
        snprintf(place, sizeof place, ", cycle %d", cycle);
    if (*note)
        qc_table_note(table, "%s%s%s%s: %s", stage, place, *marker ? " " : "", marker, note);
    if (*why)
        qc_table_note(table, "%s, cycle %d: refused: %s", stage, cycle, why);
}

// Whether the experiment no longer has the cycle: what was reported of it stays.
static bool is_taken_out(const struct experiment *exp, int cycle)
{
    return cycle > exp->cycles;
}

static void add_list(const struct qc_gather *g, struct qc_table *table, const char *stage,
                     const struct js *list, int cycle)
{
    for (int i = 0; i < js_count(list); i++) {
        const struct js *o = js_at(list, i);
        int own = js_int(js_get(o, "cycle"), cycle);
        if (is_taken_out(g->exp, own))
            continue;
        add_numbers(g, table, stage, o, own);
        if (js_bool(js_get(o, "refused"), false))
            qc_table_value(table, stage, "refused", own, 0, NULL, 1);
        add_notes(g, table, stage, o, own);
    }
}

// Their notes are for those who stitch.
static void add_fields(const struct qc_gather *g, struct qc_table *table, const char *stage,
                       const struct js *list, int cycle)
{
    for (int i = 0; i < js_count(list); i++)
        add_numbers(g, table, stage, js_at(list, i), cycle);
}

// Returns how many planes the document has.
static int add_planes(const struct qc_gather *g, struct qc_table *table, const char *stage,
                      const struct js *planes, int cycle)
{
    int n = 0;
    for (int i = 0; i < js_count(planes); i++) {
        const struct js *o = js_at(planes, i);
        struct qc_entry e = {.cycle = js_int(js_get(o, "cycle"), cycle),
                             .channel = js_int(js_get(o, "channel"), 0),
                             .z = js_int(js_get(o, "z"), 0),
                             .plane = qc_plane_from_js(o)};
        snprintf(e.stage, sizeof e.stage, "%s", stage);
        snprintf(e.marker, sizeof e.marker, "%s", marker_of(g->exp, o, e.cycle));
        // A black plane has no noise, and is to be judged above all.
        bool measured = !isnan(e.plane.mean) && !(isnan(e.plane.noise) && isnan(e.plane.zero));
        if (e.channel && measured && !is_taken_out(g->exp, e.cycle)) {
            qc_table_plane(table, &e);
            n++;
        }
    }
    return n;
}

static int is_json(const struct dirent *entry)
{
    return text_ends_in(entry->d_name, ".json") && entry->d_name[0] != '.';
}

// Calls visit for all reports, in the order of their names. False: one is damaged.
static bool each_report(const struct qc_gather *g,
                        void (*visit)(void *, const char *name, const struct js *), void *user,
                        struct kin_error *err)
{
    char dir[PATH - 300], path[PATH];
    struct dirent **names = NULL;
    bool fine = true;
    snprintf(dir, sizeof dir, "%s/data/processed/qc", g->project);
    int n = scandir(dir, &names, is_json, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name);
        struct js *root = fine ? js_read(path, err) : NULL;
        fine = root != NULL;
        if (root)
            visit(user, names[i]->d_name, root);
        js_free(root);
        free(names[i]);
    }
    free(names);
    return fine;
}

struct reading {
    const struct qc_gather *g;
    enum qc_stage stage;
    bool *planes; /* becomes true for the cycles that have them; [0]: of all cycles */
    struct qc_table *table;
};

static void read_report(void *user, const char *file, const struct js *root)
{
    const struct reading *r = user;
    if (qc_stage_find(js_text(js_get(root, "stage"), "")) != r->stage)
        return;
    const char *name = stages[r->stage].name;
    int cycle = js_int(js_get(root, "cycle"), 0);
    if (is_taken_out(r->g->exp, cycle))
        return;
    add_numbers(r->g, r->table, name, root, cycle);
    add_notes(r->g, r->table, name, root, cycle);
    add_edges(r->table, name, root, cycle);
    add_list(r->g, r->table, name, js_get(root, "cycles"), cycle);
    add_fields(r->g, r->table, name, js_get(root, "illumination"), cycle);
    add_list(r->g, r->table, name, js_get(root, "channels"), cycle);
    if (!r->g->pixels && cycle >= 0 &&
        add_planes(r->g, r->table, name, js_get(root, "planes"), cycle))
        r->planes[cycle] = true;
}

/* Why a document can be no report of a stage, or only part of one; NULL: it can. */
static const char *oddity(const struct js *root)
{
    static const char *const lists[] = {"channels", "cycles", "planes", "edges"};
    static const char *const why[] = {"\"channels\" is not a list", "\"cycles\" is not a list",
                                      "\"planes\" is not a list", "\"edges\" is not a list"};
    if (!js_is_object(root))
        return "no JSON object";
    if (qc_stage_find(js_text(js_get(root, "stage"), "")) == QC_STAGES)
        return "its \"stage\" is none of stitch, decon, edf, registration and isolate";
    for (int i = 0; i < 4; i++)
        if (js_get(root, lists[i]) && !js_is_array(js_get(root, lists[i])))
            return why[i];
    return NULL;
}

static void note_oddity(void *user, const char *file, const struct js *root)
{
    struct qc_table *table = user;
    const char *why = oddity(root);
    if (!why)
        return;
    qc_table_value(table, "report", "odd_reports", 0, 0, file, 1);
    qc_table_note(table, "%s is not read as a report: %s", file, why);
}

bool qc_gather_odd(const struct qc_gather *g, struct qc_table *table, struct kin_error *err)
{
    return each_report(g, note_oddity, table, err);
}

// ---- what images say -------------------------------------------------------------------------

// Measures all images of a stage's cycle into `list`.
static bool measure_cycle(const struct qc_gather *g, enum qc_stage stage, int cycle,
                          struct js *list, struct kin_error *err)
{
    char path[PATH];
    int nz = planes_of(g->exp, stage), total = g->exp->channels * nz;
    for (int i = 0; i < total; i++) {
        int channel = i / nz + 1, z = i % nz + 1;
        struct qc_plane plane;
        if (!qc_image_path(g->project, g->exp, stage, cycle, channel, z, path, sizeof path))
            continue;
        if (!qc_measure_file(path, g->threads, &plane, err))
            return false;
        js_push(list, qc_plane_js(cycle, channel, experiment_marker(g->exp, cycle, channel),
                                  is_stack(stage) ? z : 0, &plane));
        kin_tell(g->progress, i + 1, total, stages[stage].name);
    }
    return true;
}

// When a file was written; 0 when there is none.
static double time_of(const char *path)
{
    struct stat st;
    return stat(path, &st) ? 0 : (double)st.st_mtim.tv_sec + 1e-9 * (double)st.st_mtim.tv_nsec;
}

// When a stage was done with a cycle; 0: it is not.
static double time_complete(const struct qc_gather *g, enum qc_stage stage, int cycle)
{
    char path[PATH];
    snprintf(path, sizeof path, "%.4000s/data/processed/%s/cyc%02d/.snakemake_complete", g->project,
             stages[stage].dir, cycle);
    return time_of(path);
}

// The newest image of a stage's cycle; 0 when there is none.
static double newest_image(const struct qc_gather *g, enum qc_stage stage, int cycle)
{
    char path[PATH];
    double newest = 0;
    for (int c = 1; c <= g->exp->channels; c++)
        for (int z = 1; z <= planes_of(g->exp, stage); z++)
            if (qc_image_path(g->project, g->exp, stage, cycle, c, z, path, sizeof path))
                newest = fmax(newest, time_of(path));
    return newest;
}

static bool make_planes(const struct qc_gather *g, enum qc_stage stage, int cycle, const char *path,
                        struct kin_error *err)
{
    struct js *root = js_object(), *list = js_array();
    js_set_text(root, "stage", stages[stage].name);
    js_set_number(root, "cycle", cycle);
    bool fine = measure_cycle(g, stage, cycle, list, err);
    js_set(root, "planes", list);
    fine = fine && js_write(root, path, err);
    js_free(root);
    return fine;
}

static bool measured_planes(const struct qc_gather *g, enum qc_stage stage, int cycle,
                            struct qc_table *table, struct kin_error *err)
{
    char dir[PATH - 100], path[PATH];
    double newest = newest_image(g, stage, cycle);
    bool gone = newest <= 0; // cleanup_safe removes planes, not what was measured of them
    if (gone && is_stack(stage))
        newest = time_complete(g, stage, cycle);
    if (newest <= 0)
        return true;
    snprintf(dir, sizeof dir, "%s/data/processed/qc/planes", g->project);
    if (mkdir(dir, 0777) && errno != EEXIST)
        return kin_fail(err, KIN_IO, "%s: %s", dir, strerror(errno));
    snprintf(path, sizeof path, "%s/%s_cyc%02d.json", dir, stages[stage].name, cycle);
    bool current = time_of(path) >= newest;
    if (gone && !current)
        return true;
    if (!gone && (g->pixels || !current) && !make_planes(g, stage, cycle, path, err))
        return false;
    struct js *root = js_read(path, NULL);
    if (!js_is_array(js_get(root, "planes"))) { /* damaged, or not ours */
        js_free(root);
        if (gone)
            return true;
        root = make_planes(g, stage, cycle, path, err) ? js_read(path, err) : NULL;
    }
    if (root)
        add_planes(g, table, stages[stage].name, js_get(root, "planes"), cycle);
    js_free(root);
    return root != NULL;
}

// Ratio of the nuclear stain's p90 - p10 to the reference cycle's.
static void add_bleaching(const struct qc_gather *g, struct qc_table *table)
{
    double reference = NAN;
    int channel = g->exp->nuclear_channel;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < table->entry_count; i++) {
            const struct qc_entry *e = &table->entries[i];
            if (strcmp(e->stage, "registration") || e->channel != channel)
                continue;
            double range = e->plane.p90 - e->plane.p10;
            if (pass == 0 && e->cycle == g->exp->reference_cycle)
                reference = range;
            if (pass == 1 && reference > 0)
                qc_table_value(table, "registration", "bleaching", e->cycle, channel, e->marker,
                               range / reference);
        }
}

// ---- images of no channel ----------------------------------------------------------------------

// Of one channel: no map, and not that of all channels together.
static bool is_image(const char *name)
{
    return text_ends_in(name, ".tif") && !text_ends_in(name, ".ome.tif") &&
           strncmp(name, "zmap_", 5) && strncmp(name, "confidence_", 11);
}

// Whether a channel of the cycle has that file; where those of all cycles lie together, the name
// may be another's too.
static bool is_of_cycle(const struct experiment *exp, int cycle, const char *file)
{
    char name[100], alone[120], with_cycle[120];
    for (int c = 1; c <= exp->channels; c++) {
        experiment_file_name(exp, cycle, c, name, sizeof name);
        snprintf(alone, sizeof alone, "%s.tif", name);
        snprintf(with_cycle, sizeof with_cycle, "%s_cyc%02d.tif", name, cycle);
        if (!strcmp(file, alone) || !strcmp(file, with_cycle))
            return true;
    }
    return false;
}

// Notes each image in a stage's folder that no channel of the cycles from..to is named after: a
// marker that was renamed leaves it there.
static void note_strangers(const struct qc_gather *g, enum qc_stage stage, int from, int to,
                           struct qc_table *table)
{
    char below[300], dir[PATH];
    struct dirent **files = NULL;
    snprintf(below, sizeof below,
             stage == QC_ISOLATE ? "data/processed/%s" : "data/processed/%s/cyc%02d",
             stages[stage].dir, from);
    snprintf(dir, sizeof dir, "%s/%s", g->project, below);
    int n = scandir(dir, &files, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        bool known = !is_image(files[i]->d_name);
        for (int cycle = from; cycle <= to && !known; cycle++)
            known = is_of_cycle(g->exp, cycle, files[i]->d_name);
        if (!known)
            qc_table_note(
                table,
                "%s/%s is the image of no channel: was its marker renamed? Then it is out of date",
                below, files[i]->d_name);
        free(files[i]);
    }
    free(files);
}

static void add_strangers(const struct qc_gather *g, enum qc_stage stage, struct qc_table *table)
{
    if (stage == QC_ISOLATE)
        note_strangers(g, stage, 1, g->exp->cycles, table);
    for (int cycle = 1; cycle <= g->exp->cycles && (stage == QC_EDF || stage == QC_REGISTRATION);
         cycle++)
        note_strangers(g, stage, cycle, cycle, table);
}

bool qc_gather_stage(const struct qc_gather *g, enum qc_stage stage, struct qc_table *table,
                     struct kin_error *err)
{
    bool *planes = calloc((size_t)g->exp->cycles + 1, sizeof *planes);
    if (!planes)
        return kin_fail(err, KIN_MEMORY, "no memory for quality reports");
    struct reading reading = {g, stage, planes, table};
    bool fine = each_report(g, read_report, &reading, err);
    for (int cycle = 1; cycle <= g->exp->cycles && fine; cycle++)
        if (!planes[cycle] && !planes[0])
            fine = measured_planes(g, stage, cycle, table, err);
    if (stage == QC_REGISTRATION && fine)
        add_bleaching(g, table);
    if (fine)
        add_strangers(g, stage, table);
    free(planes);
    return fine && qc_table_is_whole(table, err);
}
