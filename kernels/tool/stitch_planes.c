// SPDX-License-Identifier: MIT
// stitch_planes.c: all planes of a cycle, several at a time where a card makes them.
//
// A plane by itself keeps neither a card nor many cores busy: its tiles come line by line, and
// between two lines it is blended, looked at and written. So lanes, each on a thread of its own,
// take planes in their order and end when none is left or one has failed. What is said of a plane
// waits until all before it are told. Planes that are then not made are made one after the other,
// each with the whole card and all memory: that way knows what to do when a card refuses memory,
// and fails where a file is damaged.
#include "core/each.h"
#include "core/lanes.h"
#include "qc/json.h"
#include "tool/stitch_run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct seen { /* what is told of a plane */
    bool made;
    struct qc_plane numbers;
    bool *one_value; /* owned, [tile] */
};

struct making { /* of all planes, channel by channel */
    struct stitch_run *run;
    int count;
    struct seen *seen;    /* owned, [count] */
    pthread_mutex_t door; /* of what follows, and of the run while lanes make planes */
    int told;
};

static int channel_of(const struct stitch_run *run, int i)
{
    return run->channels.values[i / run->exp.planes];
}

static int plane_of(const struct stitch_run *run, int i)
{
    return i % run->exp.planes + 1;
}

/* The CPU threads of a plane. */
static int threads_of(const struct stitch_run *run)
{
    return run->dev->threads / stitch_beside(&run->params);
}

/* ---- one plane ------------------------------------------------------------------------------- */

struct looking {
    const struct stitch_run *run;
    int channel, plane;
    bool *one_value; /* [tile], borrowed */
};

static bool look_at_tile(void *user, int k, struct kin_error *err)
{
    const struct looking *l = user;
    char path[STAGE_PATH];
    return !raw_path(&l->run->raw, k, l->plane, l->channel, path, sizeof path) ||
           stitch_tile_is_one_value(&l->run->source, k, l->plane, l->channel, &l->one_value[k],
                                    err);
}

/* Of a plane that is there already: what an earlier run saw in its tiles is not written down. */
static bool look_at_tiles(const struct stitch_run *run, int channel, int plane, bool *one_value,
                          struct kin_error *err)
{
    struct looking l = {run, channel, plane, one_value};
    return kin_each(run->model.tiles, threads_of(run), look_at_tile, &l, err);
}

/* On a card that makes the plane, where it has room for that; else on the CPU. */
static struct qc_scan *scan_of(const struct stitch_run *run, struct device *dev,
                               const struct stitch_correction *correction, struct kin_error *err)
{
    struct kin_error why = {0};
    int h = run->model.canvas_h, w = run->model.canvas_w;
    bool there = stitch_looks_there(dev, &run->params, &run->model, correction);
    struct qc_scan *scan = there ? qc_scan_on(dev, h, w, &why) : NULL;
    if (scan)
        return scan;
    if (!there || device_forgive(dev)) /* others may have taken the room */
        return qc_scan_new(h, w, dev->threads, err);
    kin_fail(err, why.code, "%s", why.text);
    return NULL;
}

static bool stitch_and_scan(const struct stitch_run *run, int channel, int plane,
                            struct stitch_output *out, struct qc_plane *numbers,
                            struct kin_error *err)
{
    struct stitch_correction correction = stitch_correction_of(run, channel);
    struct device share = device_share(run->dev, threads_of(run));
    out->scan = scan_of(run, &share, &correction, err);
    if (!out->scan)
        return false;
    bool good = stitch_plane(&share, &run->params, &run->model, &run->source, plane, channel,
                             &correction, out, err);
    *numbers = qc_scan_end(out->scan);
    return good && device_ok(&share, err);
}

static bool make_plane(struct making *m, int i, struct kin_error *err)
{
    char path[STAGE_PATH], cover[STAGE_PATH];
    const struct stitch_run *run = m->run;
    struct seen *seen = &m->seen[i];
    int channel = channel_of(run, i), plane = plane_of(run, i);
    size_t tiles = (size_t)run->model.tiles;
    stage_path(&run->stage, path, "CH%d/%02d.tif", channel, plane);
    stage_path(&run->stage, cover, "coverage.tif");
    bool uncovered = i == 0 && !stage_has(&run->stage, cover, run->newest);
    bool there = !uncovered && stage_has(&run->stage, path, run->newest);
    seen->one_value = seen->one_value ? memset(seen->one_value, 0, tiles) : calloc(tiles, 1);
    if (!seen->one_value)
        return kin_fail(err, KIN_MEMORY, "no memory for %zu tiles", tiles);
    struct stitch_output out = {.path = path,
                                .cover = uncovered ? cover : NULL,
                                .one_value = seen->one_value,
                                .pixel_nm = experiment_pixel(&run->exp)};
    return there ? look_at_tiles(run, channel, plane, seen->one_value, err) &&
                       qc_measure_file(path, threads_of(run), &seen->numbers, err)
                 : stitch_and_scan(run, channel, plane, &out, &seen->numbers, err);
}

/* ---- what is told of it ---------------------------------------------------------------------- */

static void step(struct stitch_run *run)
{
    run->done++;
    kin_tell(&run->stage.progress, run->done, run->total, "planes");
}

/* Tiles that no camera took; eight bits may hold nothing but zeros where the glass is empty. */
static void count_one_value(struct stitch_run *run, int channel, int plane, const bool *one_value)
{
    char path[STAGE_PATH];
    for (int k = 0; k < run->model.tiles && run->source.type != KIN_U8; k++)
        if (one_value[k] && !run->one_value++ &&
            raw_path(&run->raw, k, plane, channel, path, sizeof path))
            stage_say(&run->stage,
                      "all pixels of %s are the same: did the shutter, the lamp or the disk fail?",
                      path);
}

/* Of the planes that are made, those before which all are told. */
static void tell_planes(struct making *m)
{
    struct stitch_run *run = m->run;
    int cycle = run->options->cycle;
    for (; m->told < m->count && m->seen[m->told].made; m->told++) {
        const struct seen *seen = &m->seen[m->told];
        int channel = channel_of(run, m->told), plane = plane_of(run, m->told);
        count_one_value(run, channel, plane, seen->one_value);
        js_push(run->planes,
                qc_plane_js(cycle, channel, experiment_marker(&run->exp, cycle, channel), plane,
                            &seen->numbers));
        step(run);
    }
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Why a plane fails is said when it fails again, by itself. */
static bool make_beside(void *user, int i)
{
    struct making *m = user;
    struct kin_error why = {0};
    bool good = make_plane(m, i, &why);
    pthread_mutex_lock(&m->door);
    m->seen[i].made = good;
    tell_planes(m);
    pthread_mutex_unlock(&m->door);
    return good;
}

/* Planes beside each other. */
static void run_lanes(struct making *m, int lanes)
{
    m->run->params.beside = lanes;
    kin_lanes_each(m->count, lanes, threads_of(m->run), make_beside, m);
    m->run->params.beside = 1;
}

/* ---- all planes ------------------------------------------------------------------------------ */

/* Those that are not made, one after the other. */
static bool make_others(struct making *m, struct kin_error *err)
{
    for (int i = m->told; i < m->count; i++) {
        struct seen *seen = &m->seen[i];
        if (!seen->made && !make_plane(m, i, err))
            return false;
        seen->made = true;
        tell_planes(m);
    }
    return true;
}

bool stitch_make_planes(struct stitch_run *run, struct kin_error *err)
{
    struct making m = {.run = run, .count = run->channels.count * run->exp.planes};
    struct stitch_correction correction = stitch_correction_of(run, run->channels.values[0]);
    m.seen = calloc((size_t)m.count, sizeof *m.seen);
    if (!m.seen)
        return kin_fail(err, KIN_MEMORY, "no memory for %d planes", m.count);
    pthread_mutex_init(&m.door, NULL);
    int lanes = stitch_planes_beside(run->dev, &run->params, &run->model, &correction, m.count);
    if (lanes > 1)
        run_lanes(&m, lanes);
    bool good = make_others(&m, err);
    for (int i = 0; i < m.count; i++)
        free(m.seen[i].one_value);
    pthread_mutex_destroy(&m.door);
    free(m.seen);
    return good;
}
