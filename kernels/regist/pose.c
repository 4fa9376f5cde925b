// SPDX-License-Identifier: MIT
// pose.c: a coarse shift in every pose, and an affine fit of the best.
#include "regist/pose.h"

#include <stdio.h>
#include <string.h>

#include "regist/affine.h"

static const double CLEARLY = 0.7, // correlation of whole images that fit in a pose
    BETTER = 2;                    // times that of the map found

static const struct pose {
    double a[4]; // y and x of the image, of y and x of the reference
    const char *name;
} poses[] = {
    {{-1, 0, 0, -1}, "turned by 180 degrees"},
    {{0, -1, 1, 0}, "turned counterclockwise by 90 degrees"},
    {{0, 1, -1, 0}, "turned clockwise by 90 degrees"},
    {{1, 0, 0, -1}, "mirrored left to right"},
    {{-1, 0, 0, 1}, "mirrored top to bottom"},
    {{0, 1, 1, 0}, "with rows and columns exchanged"},
    {{0, -1, -1, 0}, "with rows and columns exchanged, and turned by 180 degrees"},
    {{2, 0, 0, 2}, "with pixels of half the size"},
    {{0.5, 0, 0, 0.5}, "with pixels of twice the size"},
};

// Middle on middle.
static struct warp_map posed(const struct task *t, const struct pose *pose)
{
    struct kin_dims moving = t->full.window.source.dims;
    struct warp_map map = warp_identity((t->r->dims.y - 1) / 2.0, (t->r->dims.x - 1) / 2.0);
    memcpy(map.a, pose->a, sizeof map.a);
    map.t[0] = (moving.y - 1) / 2.0 - map.c[0];
    map.t[1] = (moving.x - 1) / 2.0 - map.c[1];
    return map;
}

void regist_suggest_pose(struct task *t)
{
    struct regist_result *result = t->result, scratch = {0};
    struct task other = *t;
    const struct pose *best = NULL;
    double most = 0;
    struct probe *probe = regist_whole_probe(t->r);
    for (size_t i = 0; probe && i < sizeof poses / sizeof *poses; i++) {
        struct warp_map map = posed(t, &poses[i]);
        double ncc = regist_shift(t, probe, &map);
        if (ncc > most) {
            most = ncc;
            best = &poses[i];
            other.map = map;
        }
    }
    other.result = &scratch; // a turn by some degrees more hides most of the correlation
    if (best) {
        regist_affine(&other, t->r->k, 4);
        most = regist_shift(t, probe, &other.map);
    }
    probe_free(probe);
    size_t n = strlen(result->why);
    if (most > CLEARLY && most > BETTER * result->ecc_correlation)
        snprintf(result->why + n, sizeof result->why - n,
                 "; it looks like the reference %s (correlation %.2f)", best->name, most);
}
