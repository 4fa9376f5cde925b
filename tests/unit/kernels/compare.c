// SPDX-License-Identifier: MIT
// Two images of one tissue that lie on each other, and what must be told: one is out of focus, or
// is dark somewhere.
#include "device/device.h"
#include "regist/compare.h"
#include "test.h"
#include "tissue.h"

#include <stddef.h>
#include <string.h>

enum { SIDE = 512, N = SIDE * SIDE };
static const struct kin_dims DIMS = {1, SIDE, SIDE};

// What a camera makes of it, less its offset.
static struct kin_image expose(const float *value, uint64_t seed)
{
    struct random r = {seed};
    struct kin_image image;
    kin_image_alloc(&image, DIMS, KIN_U16, NULL);
    for (int i = 0; i < N; i++) {
        int seen = camera(100 + 400 * value[i], &r) - 200;
        kin_u16(&image)[i] = (uint16_t)(seen > 1 ? seen : 1);
    }
    return image;
}

static void blur(float *to, const float *from, float sigma)
{
    struct device *dev = device_open(DEVICE_CPU, 1, NULL);
    dev->gauss_xy(dev, to, from, DIMS, sigma);
    device_close(dev);
}

static bool with_threads(int threads, const struct kin_image *a, const struct kin_image *b,
                         struct compare_spectra *found, struct kin_error *err)
{
    struct kin_source of_a = kin_source_image(a), of_b = kin_source_image(b);
    struct device *cpu = device_open(DEVICE_CPU, threads, err);
    bool good = compare_spectra(cpu, &of_a, &of_b, found, err);
    device_close(cpu);
    return good;
}

static struct compare_spectra spectra_of(const struct kin_image *a, const struct kin_image *b)
{
    struct compare_spectra one, three;
    struct kin_error err = {0};
    size_t from = offsetof(struct compare_spectra, detail_b); // no gaps behind it
    if (!with_threads(1, a, b, &one, &err) || !with_threads(3, a, b, &three, &err) ||
        one.blocks != three.blocks ||
        memcmp((char *)&one + from, (char *)&three + from, sizeof one - from))
        ok(false, "with three threads the same: %s", err.text);
    return one;
}

static void test_focus(const struct kin_image *a, const float *tissue, float *other)
{
    struct kin_image b = expose(tissue, 2);
    struct compare_spectra s = spectra_of(a, &b);
    ok(s.blocks == 49 && s.detail_b > 0.9 && s.detail_b < 1.1 && s.detail_a > 0.9 &&
           s.detail_a < 1.1,
       "both are as sharp: %.3f, %.3f (%d blocks)", s.detail_b, s.detail_a, s.blocks);
    kin_image_free(&b);
    blur(other, tissue, 4);
    b = expose(other, 3);
    s = spectra_of(a, &b);
    ok(s.detail_b < 0.25 && s.detail_a > s.detail_b, "the second is blurred: %.3f, %.3f",
       s.detail_b, s.detail_a);
    s = spectra_of(&b, a);
    ok(s.detail_a < 0.25 && s.detail_b > s.detail_a, "the first is blurred: %.3f, %.3f", s.detail_b,
       s.detail_a);
    kin_image_free(&b);
}

static void check_light(const struct kin_image *a, const struct kin_image *b, uint8_t *covered,
                        const struct compare_light *want, const char *what)
{
    struct kin_image cover = {DIMS, KIN_U8, covered};
    struct kin_source of_a = kin_source_image(a), of_b = kin_source_image(b),
                      of_cover = kin_source_image(&cover);
    struct compare_light light;
    struct kin_error err = {0};
    bool good = compare_light(&of_a, &of_b, &of_cover, &light, &err);
    ok(good && fabs(light.least - want->least) < 0.12 &&
           (!want->y || (abs(light.y - want->y) <= 32 && abs(light.x - want->x) <= 32)),
       "%s: %.2f at (%d, %d) %s", what, light.least, light.y, light.x, err.text);
}

static void test_light(const struct kin_image *a, const float *tissue)
{
    struct kin_image b = expose(tissue, 6);
    uint8_t *covered = malloc(N);
    memset(covered, 255, N);
    for (int i = 0; i < N; i++)
        kin_u16(&b)[i] /= 3; // another exposure
    check_light(a, &b, covered, &(struct compare_light){.least = 0.95}, "no square is dark");
    for (int i = 0; i < N; i++)
        if (hypot(i / SIDE - 210, i % SIDE - 300) < 50)
            kin_u16(&b)[i] = (uint16_t)(kin_u16(&b)[i] * 0.15);
    check_light(a, &b, covered, &(struct compare_light){0.15, 210, 300}, "a bubble");
    for (int i = 0; i < N; i++)
        if (hypot(i / SIDE - 210, i % SIDE - 300) < 50)
            covered[i] = 0;
    check_light(a, &b, covered, &(struct compare_light){.least = 0.95},
                "where the other cycle does not reach nothing is missed");
    kin_image_free(&b);
    free(covered);
}

// Too little to tell anything from, and images that hold nothing.
static void test_little(void)
{
    static const struct kin_dims sizes[] = {{1, 1, 1}, {1, 5000, 1}, {1, 130, 130}, {1, 600, 600}};
    for (int i = 0; i < 4; i++) {
        struct kin_image a, cover;
        struct compare_light light;
        struct kin_error err = {0};
        kin_image_alloc(&a, sizes[i], KIN_U16, NULL);
        kin_image_alloc(&cover, sizes[i], KIN_U8, NULL);
        memset(a.data, 0, kin_count(sizes[i]) * sizeof(uint16_t));
        memset(cover.data, 255, kin_count(sizes[i]));
        struct kin_source of_a = kin_source_image(&a), of_cover = kin_source_image(&cover);
        struct compare_spectra s = spectra_of(&a, &a);
        ok(compare_light(&of_a, &of_a, &of_cover, &light, &err) && isnan(light.least) &&
               isnan(s.detail_a) && isnan(s.detail_b),
           "%d x %d black pixels tell nothing %s", sizes[i].y, sizes[i].x, err.text);
        kin_image_free(&a);
        kin_image_free(&cover);
    }
}

int main(void)
{
    struct tissue tissue = tissue_make(SIDE, 7);
    float *other = malloc(N * sizeof *other);
    struct kin_image a = expose(tissue.value, 1);
    test_focus(&a, tissue.value, other);
    test_light(&a, tissue.value);
    test_little();
    kin_image_free(&a);
    tissue_free(&tissue);
    free(other);
    return done();
}
