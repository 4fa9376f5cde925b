// SPDX-License-Identifier: MIT
/* steps.c: see deconv/steps.h. */
#include "deconv/steps.h"

#include <math.h>

static bool is_regularised(const struct deconv_schedule *s)
{
    return s->tv > 0 || s->damping > 0;
}

bool deconv_work_new(struct device *dev, struct kin_dims dims, const struct deconv_schedule *s,
                     struct deconv_work *work)
{
    size_t bytes = kin_count(dims) * sizeof(float);
    *work = (struct deconv_work){.dims = dims};
    work->data = dev->alloc(dev, bytes);
    work->now = dev->alloc(dev, bytes);
    work->before = dev->alloc(dev, bytes);
    work->point = s->given && !is_regularised(s) ? NULL : dev->alloc(dev, bytes);
    work->step = s->given ? NULL : dev->alloc(dev, bytes);
    work->last = s->given ? NULL : dev->alloc(dev, bytes);
    return !device_stopped(dev);
}

void deconv_work_free(struct device *dev, struct deconv_work *work)
{
    float *all[6] = {work->data, work->now, work->before, work->point, work->step, work->last};
    for (int i = 0; i < 6; i++)
        dev->release(dev, all[i]);
}

static void exchange(float **a, float **b)
{
    float *was = *a;
    *a = *b;
    *b = was;
}

/* Where to start from: H^T y, which is what the first step makes of a flat start, or the data.
 * Answers the number of steps this has made. */
static int begin(struct device *dev, struct rl_plan *plan, struct deconv_work *work,
                 const struct deconv_schedule *s)
{
    size_t bytes = kin_count(work->dims) * sizeof(float);
    if (s->smooth > 0) {
        dev->gauss_xy(dev, work->now, work->data, work->dims, s->smooth);
        dev->copy(dev, work->data, work->now, bytes);
    }
    if (s->flat > 0) {
        dev->rl_load(dev, plan, work->data);
        dev->rl_blur(dev, plan, true);
        dev->rl_store(dev, plan, work->now);
    } else {
        dev->copy(dev, work->now, work->data, bytes);
    }
    dev->copy(dev, work->before, work->now, bytes);
    return s->flat > 0;
}

/* From the spectrum of `point`, which may be where `before` is, to what it comes to,
 * regularised. */
static void finish(struct device *dev, struct rl_plan *plan, struct deconv_work *work,
                   const float *point, float floor, const struct deconv_schedule *s)
{
    dev->rl_blur(dev, plan, false);
    dev->rl_ratio(dev, plan, work->data, floor);
    dev->rl_blur(dev, plan, true);
    dev->rl_multiply(dev, plan, work->before, point);
    if (is_regularised(s))
        dev->rl_regularise(dev, work->before, point, work->dims, (float)s->tv, (float)s->damping);
    exchange(&work->now, &work->before);
}

/* Steps with a schedule that is known, of which none needs its point as a volume. */
static void run_plain(struct device *dev, struct rl_plan *plan, struct deconv_work *work,
                      float floor, const struct deconv_schedule *s)
{
    float alpha = 0;
    int k = begin(dev, plan, work, s);
    if (k == s->count)
        return;
    dev->rl_load(dev, plan, work->now);
    for (; k + 1 < s->count && !device_stopped(dev); k++) {
        dev->rl_step(dev, plan, work->data, work->now, work->before, floor, alpha, s->alpha[k]);
        exchange(&work->now, &work->before);
        alpha = s->alpha[k];
    }
    dev->rl_predict(dev, work->before, work->now, work->before, alpha, kin_count(work->dims));
    finish(dev, plan, work, work->before, floor, s);
}

/* alpha of the last two steps; flat is what the earlier one has yet to be lowered by (the flat
 * start). */
static float acceleration(struct device *dev, const struct deconv_work *work, double flat, size_t n)
{
    double below = dev->dot(dev, work->last, work->last, n),
           above = dev->dot(dev, work->step, work->last, n);
    if (flat > 0) {
        below += flat * (flat * (double)n - 2 * dev->sum(dev, work->last, n));
        above -= flat * dev->sum(dev, work->step, n);
    }
    return below > 0 ? (float)fmin(fmax(above / below, 0), 0.98) : 0;
}

/* |x - x_before|; spends work->point. */
static double change(struct device *dev, struct deconv_work *work, size_t n)
{
    dev->subtract(dev, work->point, work->now, work->before, n);
    return sqrt(dev->dot(dev, work->point, work->point, n));
}

/* After step k: fills in the schedule. *moved: by how much the last step changed the image. Answers
 * whether there are enough. */
static bool find(struct device *dev, struct deconv_work *work, struct deconv_schedule *s, int k,
                 double *moved)
{
    size_t n = kin_count(work->dims);
    exchange(&work->step, &work->last);
    dev->subtract(dev, work->step, work->now, work->point, n);
    s->alpha[k] = s->accelerate && k > 0 ? acceleration(dev, work, k == 1 ? s->flat : 0, n) : 0;
    s->count = k + 1;
    double move = s->stop > 0 ? change(dev, work, n) : 0;
    bool enough = s->stop > 0 && k > 1 && 100 * (*moved - move) <= s->stop * *moved;
    *moved = move;
    return enough;
}

/* Steps of which every point is a volume: to regularise by it, or to find the schedule on the
 * way. */
static void run_with_points(struct device *dev, struct rl_plan *plan, struct deconv_work *work,
                            float floor, struct deconv_schedule *s)
{
    size_t n = kin_count(work->dims);
    float alpha = 0;
    double moved = 0;
    bool enough = false;
    int k = begin(dev, plan, work, s), steps = s->given ? s->count : s->limit;
    if (!s->given) {
        s->count = k;
        dev->copy(dev, work->step, work->now,
                  n * sizeof(float)); /* x1: the first step, but for the flat start */
    }
    for (; k < steps && !enough && !device_stopped(dev); k++) {
        dev->rl_predict(dev, work->point, work->now, work->before, alpha, n);
        dev->rl_load(dev, plan, work->point);
        finish(dev, plan, work, work->point, floor, s);
        enough = !s->given && find(dev, work, s, k, &moved);
        alpha = s->alpha[k];
    }
}

void deconv_steps(struct device *dev, struct rl_plan *plan, struct deconv_work *work, float floor,
                  struct deconv_schedule *s)
{
    if (s->given && !is_regularised(s))
        run_plain(dev, plan, work, floor, s);
    else
        run_with_points(dev, plan, work, floor, s);
}
