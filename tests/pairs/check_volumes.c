// SPDX-License-Identifier: MIT
#include "checks.h"
#include "device/domain.h"
#include "device/focus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

/* Once, more than all the pieces together in which copies travel, and not a whole number of
 * them. */
static size_t copied(const struct trial *t)
{
    return t->dims.x == 7 ? (43 << 20) + 5 : 4 * t->n + 1;
}

void check_alloc(struct trial *t)
{
    float *a = some_floats(t, t->n, -1, 1), *b = some_floats(t, t->n, -1, 1);
    same_floats(t, "a", a, t->n, 0);
    same_floats(t, "b", b, t->n, 0);
}

/* Memory that was released with work on it still to be done, and is taken again. */
void check_release(struct trial *t)
{
    struct device *dev = t->dev;
    float *kept = some_floats(t, t->n, -1, 1);
    for (int k = 0; k < 5; k++) {
        float *host = host_floats(t, t->n, -1, 1), *there = dev->alloc(dev, t->n * sizeof *there);
        dev->upload(dev, there, host, t->n * sizeof *there);
        dev->subtract(dev, kept, kept, there, t->n);
        dev->release(dev, there);
    }
    dev->release(dev, NULL);
    same_floats(t, "kept", kept, t->n, 0);
}

void check_upload(struct trial *t)
{
    size_t bytes = copied(t);
    unsigned char *host = (unsigned char *)host_floats(t, bytes / 4 + 1, 0, 0),
                  *there = some_memory(t, bytes);
    for (size_t i = 0; i < bytes; i++)
        host[i] = (unsigned char)(i * 2654435761u >> 24);
    t->dev->upload(t->dev, there, host, bytes);
    t->dev->upload(t->dev, there + 3, host, t->n); /* into a buffer, after what went there before */
    memset(host, 0, bytes);                        /* the host's memory is the caller's again */
    same_bytes(t, "there", there, bytes);
}

void check_download(struct trial *t)
{
    size_t n = copied(t) / 4;
    float *there = some_memory(t, n * sizeof *there);
    t->dev->zero(t->dev, there, n * sizeof *there);
    t->dev->copy(t->dev, there + n / 2, some_floats(t, n / 4, -1, 1), n / 4 * sizeof *there);
    t->dev->scale(t->dev, there, 2, n);
    same_bytes(t, "all", there, n * sizeof *there);
    same_bytes(t, "part", (char *)there + 3, n * sizeof *there - 3);
}

/* Memory of the host, used again as soon as a copy has returned. */
void check_host_alloc(struct trial *t)
{
    struct device *dev = t->dev;
    size_t bytes = copied(t);
    unsigned char *there = some_memory(t, bytes), *other = some_memory(t, bytes);
    unsigned char *host = dev->host_alloc(dev, bytes);
    for (int k = 0; host && k < 3; k++) {
        for (size_t i = 0; i < bytes; i++)
            host[i] = (unsigned char)((i + (size_t)k) * 2654435761u >> 24);
        dev->upload(dev, there, host, bytes);
        memset(host, 0, bytes);
        dev->copy(dev, other, there, bytes);
        dev->download(dev, host, other, bytes);
        dev->upload(dev, there, host, bytes);
    }
    same_bytes(t, "there", there, bytes);
    dev->host_release(dev, host);
}

/* What was released is taken again, by other sizes too; some are held at a time. */
void check_host_release(struct trial *t)
{
    struct device *dev = t->dev;
    float *there = some_floats(t, t->n, -1, 1), *host[4] = {NULL};
    for (int k = 0; k < 12; k++) {
        size_t n = t->n - (size_t)k * t->n / 24;
        dev->host_release(dev, host[k % 4]);
        host[k % 4] = dev->host_alloc(dev, n * sizeof **host);
        if (host[k % 4]) {
            dev->download(dev, host[k % 4], there, n * sizeof **host);
            dev->scale(dev, there, 0.5f, t->n);
            dev->upload(dev, there, host[k % 4], n / 2 * sizeof **host);
        }
    }
    for (int i = 0; i < 4; i++)
        dev->host_release(dev, host[i]);
    dev->host_release(dev, NULL);
    same_floats(t, "there", there, t->n, 0);
}

/* What is brought back after more work on other buffers was queued. */
void check_settle(struct trial *t)
{
    struct device *dev = t->dev;
    float *a = some_floats(t, t->n, -1, 1), *b = some_memory(t, t->n * sizeof *b);
    dev->scale(dev, a, 2, t->n);
    dev->settle(dev, a);
    dev->copy(dev, b, a, t->n * sizeof *b);
    dev->scale(dev, b, 3, t->n);
    same_floats(t, "a", a, t->n, 0);
    same_floats(t, "b", b, t->n, 0);
    dev->settle(dev, NULL);
}

void check_copy(struct trial *t)
{
    float *a = some_floats(t, t->n, -1, 1), *b = some_memory(t, t->n * sizeof *b);
    t->dev->copy(t->dev, b, a, t->n * sizeof *b);
    t->dev->scale(t->dev, a, 2, t->n);
    same_floats(t, "b", b, t->n, 0);
}

void check_zero(struct trial *t)
{
    float *a = some_floats(t, t->n, -1, 1);
    t->dev->zero(t->dev, a, (t->n / 2 + 1) * sizeof *a);
    same_floats(t, "a", a, t->n, 0);
}

/* ---- fft ------------------------------------------------------------------------------------- */

static void transforms(struct trial *t, struct kin_dims dims, int batch)
{
    struct device *dev = t->dev;
    size_t n = kin_count(dims) * (size_t)batch,
           half = n / (size_t)dims.x * ((size_t)dims.x / 2 + 1);
    float *a = some_floats(t, n, -1, 1), *f = some_memory(t, 2 * half * sizeof *f),
          *back = some_memory(t, n * sizeof *back);
    struct fft_plan *plan = dev->fft_plan(dev, dims, batch);
    dev->fft_forward(dev, plan, a, f);
    same_floats(t, "spectrum", f, 2 * half, ROUNDING);
    dev->fft_inverse(dev, plan, f, back);
    same_floats(t, "back", back, n, ROUNDING);
    same_floats(t, "input", a, n, 0);
    if (plan)
        dev->fft_free(dev, plan);
}

void check_fft_forward(struct trial *t)
{
    transforms(t, t->dims, 1);
}

void check_fft_inverse(struct trial *t)
{
    transforms(t, (struct kin_dims){1, t->dims.y, t->dims.x}, t->dims.z + 2);
}

/* Two plans in turn, the second needing more room than the first. */
void check_fft_plan(struct trial *t)
{
    transforms(t, t->dims, 2);
    transforms(t, (struct kin_dims){1, 3 * t->dims.y, 2 * t->dims.x}, 3);
    transforms(t, t->dims, 2);
}

void check_fft_free(struct trial *t)
{
    t->dev->fft_free(t->dev, t->dev->fft_plan(t->dev, t->dims, 1));
    transforms(t, t->dims, 1);
}

/* ---- pixel ----------------------------------------------------------------------------------- */

void check_u16_to_f32(struct trial *t)
{
    float *dst = some_memory(t, t->n * sizeof *dst);
    t->dev->u16_to_f32(t->dev, dst, some_words(t, t->n, 0, 65535), t->n);
    same_floats(t, "dst", dst, t->n, 0);
}

void check_f32_to_u16(struct trial *t)
{
    size_t n = t->n + 4;
    uint16_t *dst = some_memory(t, n * sizeof *dst);
    float *src = host_floats(t, n, -500, 66500), *there = some_memory(t, n * sizeof *there);
    float odd[4] = {NAN, 0.5f, 1.5f, INFINITY};
    memcpy(src, odd, sizeof odd);
    t->dev->upload(t->dev, there, src, n * sizeof *there);
    t->dev->f32_to_u16(t->dev, dst, there, n);
    same_bytes(t, "dst", dst, n * sizeof *dst);
}

void check_sum(struct trial *t)
{
    size_t n = 37 * t->n;
    double sum = t->dev->sum(t->dev, some_floats(t, n, 0, 1), n);
    same_numbers(t, "sum", &sum, 1, 1e-12);
}

void check_dot(struct trial *t)
{
    size_t n = 37 * t->n;
    float *a = some_floats(t, n, 0, 1), *b = some_floats(t, n, 0, 1);
    double both[2] = {t->dev->dot(t->dev, a, b, n), t->dev->dot(t->dev, a, a, n)};
    same_numbers(t, "dot", both, 2, 1e-12);
}

/* ---- filter ---------------------------------------------------------------------------------- */

/* Large enough that a block of a GPU goes on below and beside what it has made. Also little on top
 * of much, of which differences are then taken. */
static void check_gauss_large(struct trial *t)
{
    static const float sigmas[] = {3, 8, 15, 32};
    struct kin_dims d = {1, 300, 270};
    float *src = some_floats(t, kin_count(d), 0, 1000),
          *bright = some_floats(t, kin_count(d), 65000, 65060),
          *dst = some_memory(t, kin_count(d) * sizeof *dst);
    for (int i = 0; i < 4; i++) {
        t->dev->gauss_xy(t->dev, dst, src, d, sigmas[i]);
        same_floats(t, "dst of 300 rows", dst, kin_count(d), ROUNDING);
        t->dev->gauss_xy(t->dev, dst, bright, d, sigmas[i]);
        same_floats(t, "dst of bright rows", dst, kin_count(d), 4e-6);
    }
}

void check_gauss_xy(struct trial *t)
{
    /* the last one sees more than a GPU's block shares */
    static const float sigmas[] = {0, 0.4f, 1, 3.7f, 8, 32, 50};
    float *src = some_floats(t, t->n, 0, 1000), *dst = some_memory(t, t->n * sizeof *dst);
    for (int i = 0; i < 7; i++) {
        t->dev->gauss_xy(t->dev, dst, src, t->dims, sigmas[i]);
        same_floats(t, "dst", dst, t->n, ROUNDING);
    }
    if (t->dims.x == 131)
        check_gauss_large(t);
}

/* ---- rl: all kinds of PSF and of ends -------------------------------------------------------- */

/* EACH: y and x; TURNED: both at once */
enum evenness { EVEN_ALL, EVEN_EACH, EVEN_TURNED, UNEVEN, EVENNESSES };

/* Where sample i of a plane (y, x) is the same as others. */
static int counterpart(enum evenness kind, struct kin_dims d, int i)
{
    int turned = d.y * d.x - 1 - i, y = i / d.x, x = i % d.x;
    if (kind == EVEN_TURNED)
        return i < turned ? i : turned;
    if (kind == UNEVEN)
        return i;
    return (y < d.y - 1 - y ? y : d.y - 1 - y) * d.x + (x < d.x - 1 - x ? x : d.x - 1 - x);
}

/* For volumes of so many planes; deep ones get one whose loops a GPU's compiler unrolls. */
static struct kin_image random_psf(struct trial *t, enum evenness kind, int planes)
{
    enum { DEEP = 9 };
    struct kin_image psf;
    struct kin_error err = {0};
    struct kin_dims d = {(planes < DEEP ? 5 : 13) - (kind == UNEVEN), 3, 5};
    kin_image_alloc(&psf, d, KIN_F32, &err);
    float *v = kin_f32(&psf), sum = 0;
    for (size_t i = 0; i < kin_count(d); i++)
        v[i] = (float)some_number(t, 0.1, 1);
    for (int z = 0; z < d.z; z++)
        for (int i = 0; i < d.y * d.x; i++) {
            int from = kind == EVEN_ALL && z > d.z / 2 ? d.z - 1 - z : z;
            v[z * d.y * d.x + i] = v[from * d.y * d.x + counterpart(kind, d, i)];
        }
    for (size_t i = 0; i < kin_count(d); i++)
        sum += v[i];
    for (size_t i = 0; i < kin_count(d); i++)
        v[i] /= sum;
    return psf;
}

static void with_plan(struct trial *t,
                      void (*what)(struct trial *, struct rl_plan *, struct kin_dims),
                      enum evenness kind, enum rl_ends ends, struct kin_dims d)
{
    struct kin_image psf = random_psf(t, kind, d.z);
    struct rl_plan *plan = t->dev->rl_plan(t->dev, d, &psf, ends);
    if (plan && !device_stopped(t->dev))
        what(t, plan, d);
    t->dev->rl_free(t->dev, plan);
    kin_image_free(&psf);
}

/* Calls what on plans of every kind; the volume has at least 3 planes. */
static void with_plans(struct trial *t,
                       void (*what)(struct trial *, struct rl_plan *, struct kin_dims))
{
    struct kin_dims d = {t->dims.z + 6, t->dims.y + 4, t->dims.x + 5},
                    good = {d.z, kin_good_size(d.y, true), kin_good_size(d.x, true)};
    for (enum evenness kind = 0; kind < EVENNESSES; kind++) {
        with_plan(t, what, kind, RL_PERIODIC, d);
        with_plan(t, what, kind, RL_PERIODIC, good);
        with_plan(t, what, kind, RL_MIRRORED_Z, d);
        with_plan(t, what, kind, RL_MIRRORED_Z, good);
        if (kind > EVEN_EACH)
            continue;
        with_plan(t, what, kind, RL_MIRRORED, d);
        with_plan(t, what, kind, RL_MIRRORED, good);
    }
}

static void load_and_store(struct trial *t, struct rl_plan *plan, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *a = some_floats(t, n, -10, 100);
    t->dev->rl_load(t->dev, plan, a);
    t->dev->rl_store(t->dev, plan, a);
    same_floats(t, "a", a, n, ROUNDING);
}

static void blur_both_ways(struct trial *t, struct rl_plan *plan, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *a = some_floats(t, n, 0, 100), *b = some_memory(t, n * sizeof *b);
    for (int transposed = 0; transposed < 2; transposed++) {
        t->dev->rl_load(t->dev, plan, a);
        t->dev->rl_blur(t->dev, plan, transposed);
        t->dev->rl_store(t->dev, plan, b);
        same_floats(t, transposed ? "H^T a" : "H a", b, n, ROUNDING);
    }
}

static void ratios(struct trial *t, struct rl_plan *plan, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *a = some_floats(t, n, -1, 100), *data = some_floats(t, n, 0, 100);
    t->dev->rl_load(t->dev, plan, a);
    t->dev->rl_ratio(t->dev, plan, data, 20);
    t->dev->rl_store(t->dev, plan, a);
    same_floats(t, "ratio", a, n, ROUNDING);
}

static void multiplied(struct trial *t, struct rl_plan *plan, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *a = some_floats(t, n, -1, 2), *point = some_floats(t, n, 0, 100),
          *next = some_memory(t, n * sizeof *next);
    t->dev->rl_load(t->dev, plan, a);
    t->dev->rl_multiply(t->dev, plan, next, point);
    same_floats(t, "next", next, n, ROUNDING);
    t->dev->rl_load(t->dev, plan, a);
    t->dev->rl_multiply(t->dev, plan, point, point);
    same_floats(t, "next in place", point, n, ROUNDING);
}

static void advanced(struct trial *t, struct rl_plan *plan, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *a = some_floats(t, n, -1, 2), *now = some_floats(t, n, 0, 100),
          *old = some_floats(t, n, 0, 100);
    t->dev->rl_load(t->dev, plan, a);
    t->dev->rl_advance(t->dev, plan, now, old, 0.4f, 0.7f);
    same_floats(t, "before", old, n, ROUNDING);
    t->dev->rl_store(t->dev, plan, a);
    same_floats(t, "spectrum", a, n, ROUNDING);
}

/* Six whole steps, each with its own alpha; other volumes in between. */
static void whole_steps(struct trial *t, struct rl_plan *plan, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *data = some_floats(t, n, 10, 100),
          *image[2] = {some_floats(t, n, 50, 60), some_floats(t, n, 50, 60)};
    float *other = some_floats(t, n, 50, 60), *older = some_floats(t, n, 50, 60);
    t->dev->rl_load(t->dev, plan, image[0]);
    for (int k = 0; k < 6; k++) {
        float *now = image[k % 2], *old = image[(k + 1) % 2];
        t->dev->rl_step(t->dev, plan, data, now, old, 1e-4f, 0.1f * (float)k,
                        0.1f * (float)(k + 1));
        if (k != 2)
            continue;
        t->dev->rl_load(t->dev, plan, other);
        t->dev->rl_step(t->dev, plan, data, other, older, 1e-4f, 0.3f, 0.2f);
        t->dev->rl_load(t->dev, plan, old);
    }
    same_floats(t, "after 5 steps", image[1], n, 10 * ROUNDING);
    same_floats(t, "after 6 steps", image[0], n, 10 * ROUNDING);
    same_floats(t, "the other after one", older, n, 10 * ROUNDING);
}

void check_rl_step(struct trial *t)
{
    with_plans(t, whole_steps);
}

/* Twenty steps, or few: rounding may add up to ten times as much. */
static void steps(struct trial *t, struct rl_plan *plan, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *data = some_floats(t, n, 10, 100),
          *image[2] = {some_floats(t, n, 50, 60), some_floats(t, n, 50, 60)};
    t->dev->rl_load(t->dev, plan, image[0]);
    for (int k = 0; k < (t->brief ? 4 : 20); k++) {
        t->dev->rl_blur(t->dev, plan, false);
        t->dev->rl_ratio(t->dev, plan, data, 1e-4f);
        t->dev->rl_blur(t->dev, plan, true);
        t->dev->rl_advance(t->dev, plan, image[k % 2], image[(k + 1) % 2], 0.3f, 0.3f);
    }
    same_floats(t, "after the steps", image[0], n, 10 * ROUNDING);
}

void check_rl_plan(struct trial *t)
{
    with_plans(t, steps);
}

void check_rl_free(struct trial *t)
{
    t->dev->rl_free(t->dev, NULL);
    with_plans(t, load_and_store);
}

void check_rl_load(struct trial *t)
{
    with_plans(t, load_and_store);
}

void check_rl_store(struct trial *t)
{
    with_plans(t, load_and_store);
}

void check_rl_blur(struct trial *t)
{
    with_plans(t, blur_both_ways);
}

void check_rl_ratio(struct trial *t)
{
    with_plans(t, ratios);
}

void check_rl_multiply(struct trial *t)
{
    with_plans(t, multiplied);
}

void check_rl_advance(struct trial *t)
{
    with_plans(t, advanced);
}

/* All work on rows, of each first and last radix of their transforms (kernels/cuda/line.cu). */
static void all_radices(struct trial *t)
{
    static const int lengths[] = {6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 56, 64};
    static void (*const work[])(struct trial *, struct rl_plan *,
                                struct kin_dims) = {ratios, multiplied, advanced};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t k = 0; k < sizeof work / sizeof *work; k++) {
            with_plan(t, work[k], EVEN_ALL, RL_MIRRORED, (struct kin_dims){2, 6, lengths[i]});
            with_plan(t, work[k], UNEVEN, RL_PERIODIC, (struct kin_dims){2, 6, lengths[i]});
        }
}

void stage_line_lengths(struct trial *t)
{
    all_radices(t);
    for (int n = 2; n <= 4096; n = kin_good_size(n + 1 + n / 16, true)) {
        with_plan(t, blur_both_ways, EVEN_ALL, RL_MIRRORED, (struct kin_dims){5, n, 6});
        with_plan(t, blur_both_ways, UNEVEN, RL_PERIODIC, (struct kin_dims){5, n, 12});
        with_plan(t, blur_both_ways, EVEN_ALL, RL_MIRRORED_Z, (struct kin_dims){5, 10, n});
        with_plan(t, blur_both_ways, EVEN_EACH, RL_MIRRORED, (struct kin_dims){5, 8, n});
    }
}

void check_rl_predict(struct trial *t)
{
    float *point = some_memory(t, t->n * sizeof *point), *old = some_floats(t, t->n, 0, 9),
          *now = some_floats(t, t->n, 0, 9);
    t->dev->rl_predict(t->dev, point, now, old, 0.9f, t->n);
    same_floats(t, "point", point, t->n, ROUNDING);
    t->dev->rl_predict(t->dev, old, now, old, 0.9f, t->n);
    same_floats(t, "point in place", old, t->n, ROUNDING);
}

void check_rl_regularise(struct trial *t)
{
    float *point = some_floats(t, t->n, 0, 9), *next = some_floats(t, t->n, 0, 9);
    for (int kind = 1; kind < 4; kind++) { /* variation, damping, both */
        t->dev->rl_regularise(t->dev, next, point, t->dims, kind % 2 ? 0.01f : 0,
                              kind / 2 ? 0.1f : 0);
        same_floats(t, "next", next, t->n, ROUNDING);
    }
}

/* ---- domain: blocks that lie across the corners of a volume, mirrored and periodic, of every
 * type ---- */

static void *random_band(struct trial *t, enum kin_type type, size_t n)
{
    uint16_t *words = type == KIN_F32 ? NULL : some_words(t, n, 0, 65535);
    return words ? (void *)words : some_floats(t, n, -50, 500);
}

void check_domain_load(struct trial *t)
{
    struct kin_dims v = {t->dims.z, t->dims.y + 3, t->dims.x + 2};
    for (int kind = 0; kind < 6; kind++) {
        struct domain d = {.dims = {v.z, t->dims.y + 1, t->dims.x + 5},
                           .volume = v,
                           .y = kind % 2 ? -2 : 2,
                           .x = kind % 2 ? -3 : 1,
                           .band_rows = v.y,
                           .periodic = kind % 2,
                           .type = (enum kin_type)(kind / 2),
                           .offset = 100};
        size_t n = kin_count(d.dims);
        float *dst = some_memory(t, n * sizeof *dst);
        t->dev->domain_load(t->dev, dst, random_band(t, d.type, kin_count(v)), &d);
        same_floats(t, "dst", dst, n, 0);
    }
}

void check_domain_keep(struct trial *t)
{
    for (int kind = 0; kind < 2; kind++) {
        struct domain_core c = {.dims = {t->dims.z, t->dims.y + 4, t->dims.x + 4},
                                .volume = {t->dims.z, t->dims.y, t->dims.x + 3},
                                .y0 = 2,
                                .x0 = 3,
                                .rows = t->dims.y,
                                .cols = t->dims.x,
                                .x = 1,
                                .type = kind ? KIN_F32 : KIN_U16,
                                .offset = 100};
        size_t n = kin_count(c.volume), rows = (size_t)t->dims.z * (size_t)t->dims.y;
        double(*sums)[2] = some_memory(t, rows * sizeof *sums), *host = calloc(rows, sizeof *sums);
        void *band = some_memory(t, n * sizeof(float));
        t->dev->zero(t->dev, band, n * sizeof(float));
        t->dev->domain_keep(t->dev, band, sums, some_floats(t, kin_count(c.dims), 0, 65535), &c);
        t->dev->download(t->dev, host, sums, rows * sizeof *sums);
        same_bytes(t, "band", band, n * kin_type_size(c.type));
        same_numbers(t, "sums", host, 2 * rows, 1e-12);
        free(host);
    }
}

void check_subtract(struct trial *t)
{
    float *a = some_floats(t, t->n, 0, 9), *b = some_floats(t, t->n, 0, 9);
    t->dev->subtract(t->dev, a, a, b, t->n);
    same_floats(t, "a", a, t->n, 0);
}

/* ---- focus ----------------------------------------------------------------------------------- */

static void measure_once(struct trial *t, int rows, int w, int radius, int bin, int top)
{
    struct kin_dims d = {1, rows + 2 * radius, w};
    size_t n = (size_t)((rows + bin - 1) / bin) * (size_t)((w + bin - 1) / bin);
    float *spread = some_memory(t, n * sizeof *spread), *level = some_memory(t, n * sizeof *level);
    t->dev->focus_measure(t->dev, spread, level, some_words(t, kin_count(d), 0, 65535), d, radius,
                          bin, top);
    same_floats(t, "spread", spread, n, ROUNDING);
    same_floats(t, "level", level, n, ROUNDING);
}

void check_focus_measure(struct trial *t)
{
    static const int shapes[][3] = {/* radius, bin, top */
                                    {1, 1, 65535}, {3, 4, 40000},  {3, 1, 60000},   {5, 1, 65535},
                                    {2, 7, 65535}, {40, 1, 65535}, {127, 4, 65535}, {9, 90, 65535}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        measure_once(t, t->dims.y * t->dims.z, t->dims.x, shapes[i][0], shapes[i][1], shapes[i][2]);
    for (int w = 380; w < 384;
         w++) /* wide enough to have a middle, rows at all remainders of addresses */
        measure_once(t, 71, w, 3, 4, 65535);
    measure_once(t, 9, 248, 3, 4, 65535); /* a GPU's warp ends where the image does */
}

void check_focus_score(struct trial *t)
{
    float *a = some_floats(t, t->n, 0, 9), *b = some_floats(t, t->n, 0, 9);
    t->dev->focus_score(t->dev, a, a, b, 50, t->n);
    same_floats(t, "score", a, t->n, ROUNDING);
}

static void peaks_of(struct trial *t, int count)
{
    struct focus_planes planes = {.count = count};
    for (int k = 0; k < count; k++)
        planes.number[k] = k + k / 3; /* some planes are missing */
    size_t n = (size_t)t->dims.y * (size_t)t->dims.x;
    float *score = some_floats(t, n * (size_t)count, 1, 100), *out[3];
    for (int i = 0; i < 3; i++)
        out[i] = some_memory(t, n * sizeof(float));
    for (int fine = 0; fine < 2; fine++) {
        t->dev->focus_peak(t->dev, out[0], out[1], out[2], score, n, &planes, fine);
        same_floats(t, "z", out[0], n, ROUNDING);
        same_floats(t, "weight", out[1], n, ROUNDING);
        same_floats(t, "trust", out[2], n, ROUNDING);
    }
}

void check_focus_peak(struct trial *t)
{
    /* with room to spare in a GPU's thread, without, and more than it keeps at hand */
    for (int planes = 1; planes <= 33; planes++)
        peaks_of(t, planes);
}

static void medians_of(struct trial *t, struct kin_dims d)
{
    size_t n = kin_count(d);
    float *src = some_floats(t, n, 0, 9), *dst = some_memory(t, n * sizeof *dst);
    t->dev->median5(t->dev, dst, src, d);
    same_floats(t, "dst", dst, n, 0);
}

/* Once also of a large image, of which a GPU's thread makes more. */
void check_median5(struct trial *t)
{
    medians_of(t, t->dims);
    if (t->dims.y == 67)
        medians_of(t, (struct kin_dims){1, 501, 1100});
}

void check_focus_weigh(struct trial *t)
{
    float *a = some_floats(t, t->n, 0, 9), *b = some_floats(t, t->n, 0, 9);
    t->dev->focus_weigh(t->dev, a, a, b, t->n);
    same_floats(t, "weighted", a, t->n, ROUNDING);
}

void check_focus_settle(struct trial *t)
{
    float *z = some_memory(t, t->n * sizeof *z), *a = some_floats(t, t->n, 0, 9),
          *b = some_floats(t, t->n, 0, 9);
    t->dev->focus_settle(t->dev, z, a, b, 4, 0.001f, t->n);
    same_floats(t, "z", z, t->n, ROUNDING);
}

static void taken_of(struct trial *t, const struct focus_planes *planes, size_t apart)
{
    int h = t->dims.y, w = t->dims.x, y0 = 3, rows = h > 5 ? h - 4 : 1;
    size_t n = (size_t)rows * (size_t)w, plane = (size_t)h * (size_t)w + apart;
    /* no brighter: see check_warp_u16 */
    struct focus_stack stack = {some_words(t, 5 * plane, 0, 2047), plane, w, planes};
    uint16_t *dst = some_memory(t, n * sizeof *dst);
    float *z = some_memory(t, n * sizeof *z);
    for (int bin = 1; bin <= 4; bin += 3) {
        struct focus_map map = {NULL, {1, (h + bin - 1) / bin + 1, (w + bin - 1) / bin}, bin, 2};
        map.z = some_floats(t, kin_count(map.dims), 0, 10);
        t->dev->focus_take(t->dev, dst, z, &stack, &map, y0, rows);
        same_floats(t, "z", z, n, ROUNDING);
        same_words(t, "dst", dst, n);
    }
}

/* Of planes with gaps between their numbers and of such without; a GPU reads pixels in pairs if
 * rows and planes have an even number of them. */
void check_focus_take(struct trial *t)
{
    struct focus_planes gaps = {5, {1, 2, 4, 5, 9}}, every = {5, {3, 4, 5, 6, 7}};
    for (size_t apart = 7; apart < 9; apart++) {
        taken_of(t, &gaps, apart);
        taken_of(t, &every, apart);
    }
}
