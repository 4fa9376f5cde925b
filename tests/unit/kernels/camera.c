// SPDX-License-Identifier: MIT
// What raw tiles tell of the camera: hot and dead pixels and lines, on tissue that differs from
// tile to tile, and where its values end.
#include "stitch/camera.h"

#include "test.h"
#include "tissue.h"

enum { N = 200, SIDE = 96, TILES = 16, HOT = 40, COLUMN = 61 };

static uint16_t tiles[TILES][SIDE * SIDE], faulty[TILES][SIDE * SIDE];
static float dark[SIDE * SIDE];

static void take_tiles(double photons)
{
    struct tissue t = tissue_make(N, 3);
    struct random r = {5};
    for (int k = 0; k < TILES; k++) {
        int y0 = (int)(uniform(&r) * (N - SIDE)), x0 = (int)(uniform(&r) * (N - SIDE));
        for (int i = 0; i < SIDE * SIDE; i++)
            tiles[k][i] = camera(photons * t.value[(y0 + i / SIDE) * N + x0 + i % SIDE] + 20, &r);
    }
    tissue_free(&t);
}

/* Pixels at random places are brighter by `more`. */
static void add_hot(double more, bool *is_hot)
{
    struct random r = {11};
    memcpy(faulty, tiles, sizeof faulty);
    memset(is_hot, 0, SIDE * SIDE * sizeof *is_hot);
    for (int n = 0; n < HOT; n++)
        is_hot[(int)(uniform(&r) * SIDE * SIDE)] = true;
    for (int k = 0; k < TILES; k++)
        for (int i = 0; i < SIDE * SIDE; i++)
            if (is_hot[i])
                faulty[k][i] = kin_round_u16((float)(faulty[k][i] + more));
}

static struct camera_faults look_at(uint16_t (*at)[SIDE * SIDE], int count, const float *frame)
{
    struct camera_look *look = camera_look_new(SIDE, SIDE, 2, NULL);
    for (int k = 0; k < count; k++)
        camera_look_add(look, k % 2, at[k]);
    return camera_look_end(look, count, frame);
}

static void sound(void)
{
    static const double photons[] = {5, 100, 2000};
    for (int i = 0; i < 3; i++) {
        take_tiles(photons[i]);
        struct camera_faults f = look_at(tiles, TILES, NULL);
        ok(!f.count && f.share == 0, "tissue of %g photons: no pixel is faulty (%d)", photons[i],
           f.count);
        ok(!f.ceiling && f.clipped == 0, "nor is there a ceiling");
        camera_faults_free(&f);
    }
}

static void hot(void)
{
    static bool is_hot[SIDE * SIDE];
    take_tiles(100);
    add_hot(600, is_hot);
    struct camera_faults f = look_at(faulty, TILES, NULL);
    int hot = 0, found = 0;
    double before = 0, after = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        hot += is_hot[i];
    for (int i = 0; i < f.count; i++)
        found += is_hot[f.list[i].at];
    ok(found == f.count && found >= hot - 2, "%d of %d hot pixels are found, and %d others", found,
       hot, f.count - found);
    for (int k = 0; k < TILES; k++) {
        uint16_t mended[SIDE * SIDE];
        memcpy(mended, faulty[k], sizeof mended);
        camera_mend(&f, mended);
        for (int i = 0; i < f.count; i++) {
            before += abs(faulty[k][f.list[i].at] - tiles[k][f.list[i].at]);
            after += abs(mended[f.list[i].at] - tiles[k][f.list[i].at]);
        }
    }
    ok(after < 0.15 * before, "what stands for them is %.0f ADU off instead of %.0f",
       after / found / TILES, before / found / TILES);
    camera_faults_free(&f);
    for (int i = 0; i < SIDE * SIDE; i++)
        dark[i] = is_hot[i] ? 780 : 180;
    f = look_at(faulty, TILES, dark);
    ok(!f.count, "none is faulty to a dark frame that shows them");
    camera_faults_free(&f);
    f = look_at(faulty, CAMERA_PLACES - 1, NULL);
    ok(!f.count, "few places do not tell");
    camera_faults_free(&f);
}

static void dead(void)
{
    static const int values[] = {0, 180};
    for (int v = 0; v < 2; v++) {
        int found = 0;
        memcpy(faulty, tiles, sizeof faulty);
        for (int k = 0; k < TILES; k++)
            for (int y = 0; y < SIDE; y++)
                faulty[k][y * SIDE + COLUMN] = (uint16_t)values[v];
        struct camera_faults f = look_at(faulty, TILES, NULL);
        for (int i = 0; i < f.count; i++)
            found += f.list[i].at % SIDE == COLUMN;
        ok(found == SIDE && f.count == found, "a column that stands at %d is found, nothing else",
           values[v]);
        camera_faults_free(&f);
    }
    for (int k = 0; k < TILES; k++)
        for (int i = 0; i < SIDE * SIDE; i += 30)
            faulty[k][i] = 60000;
    struct camera_faults f = look_at(faulty, TILES, NULL);
    ok(f.share > CAMERA_MOST && !f.count, "where too many are faulty, none is mended");
    camera_faults_free(&f);
}

static void ceiling(void)
{
    static const int tops[] = {255, 4095, 65520};
    take_tiles(100);
    for (int t = 0; t < 3; t++) {
        double scale = tops[t] / 380.0, high = 0;
        for (int k = 0; k < TILES; k++)
            for (int i = 0; i < SIDE * SIDE; i++) {
                double v = floor(tiles[k][i] * scale);
                faulty[k][i] = (uint16_t)fmin(v, tops[t]);
                high += k % 2 && v >= tops[t];
            }
        struct camera_faults f = look_at(faulty, TILES, NULL);
        ok(f.ceiling == tops[t], "values end at %d", f.ceiling);
        ok(f.clipped > 0.01 && f.clipped < 0.6 &&
               (f.plane == 0 || fabs(f.clipped - high / (TILES / 2 * SIDE * SIDE)) < 1e-9),
           "%.1f %% of plane %d stand there", 100 * f.clipped, f.plane);
        camera_faults_free(&f);
    }
    for (int k = 0; k < TILES; k++)
        for (int i = 0; i < SIDE * SIDE; i++)
            faulty[k][i] = (uint16_t)(tiles[k][i] / 64);
    struct camera_faults f = look_at(faulty, TILES, NULL);
    ok(!f.ceiling, "a few steps of a dim image are no ceiling (%d)", f.ceiling);
    camera_faults_free(&f);
    memset(faulty, 7, sizeof faulty);
    f = look_at(faulty, TILES, NULL);
    ok(!f.ceiling && !f.count, "tiles of one value tell nothing");
    camera_faults_free(&f);
    f = camera_look_end(NULL, TILES, NULL);
    ok(!f.count, "nor does no look at all");
}

int main(void)
{
    sound();
    hot();
    dead();
    ceiling();
    return done();
}
