// SPDX-License-Identifier: MIT
#include "trial.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kept {
    char what[40];
    size_t bytes;
    void *data;
    struct kept *next;
};

/* ---- input ----------------------------------------------------------------------------------- */

double some_number(struct trial *t, double low, double high)
{
    uint32_t v = t->noise++ * 2654435761u;
    v ^= v >> 15;
    v *= 2246822519u;
    v ^= v >> 13;
    v *= 3266489917u;
    v ^= v >> 16;
    return low + (high - low) * (v / 4294967296.0);
}

/* A host buffer is kept with its lowest bit set, so that it is told from the device's. */
static void *keep_buffer(struct trial *t, void *buffer, bool host)
{
    t->buffers = realloc(t->buffers, (size_t)(t->buffer_count + 1) * sizeof *t->buffers);
    t->buffers[t->buffer_count++] = (void *)((uintptr_t)buffer | host);
    return buffer;
}

void *some_memory(struct trial *t, size_t bytes)
{
    return keep_buffer(t, t->dev->alloc(t->dev, bytes), false);
}

float *host_floats(struct trial *t, size_t n, float low, float high)
{
    float *v = keep_buffer(t, kin_alloc(n * sizeof *v), true);
    for (size_t i = 0; i < n; i++)
        v[i] = (float)some_number(t, low, high);
    return v;
}

float *some_floats(struct trial *t, size_t n, float low, float high)
{
    float *host = host_floats(t, n, low, high), *there = some_memory(t, n * sizeof *there);
    t->dev->upload(t->dev, there, host, n * sizeof *there);
    return there;
}

uint16_t *some_words(struct trial *t, size_t n, int low, int high)
{
    uint16_t *host = malloc((n + 1) * sizeof *host), *there = some_memory(t, n * sizeof *there);
    for (size_t i = 0; i < n; i++)
        host[i] = (uint16_t)some_number(t, low, high + 0.999);
    t->dev->upload(t->dev, there, host, n * sizeof *there);
    free(host);
    return there;
}

/* ---- output ---------------------------------------------------------------------------------- */

void differ(struct trial *t, const char *format, ...)
{
    va_list args;
    if (t->why[0])
        return;
    va_start(args, format);
    vsnprintf(t->why, sizeof t->why, format, args);
    va_end(args);
}

/* Keeps data of the first run, which becomes the trial's; or answers what was kept then. NULL:
 * nothing to compare. */
static const void *before(struct trial *t, const char *what, void *data, size_t bytes)
{
    if (!t->second) {
        struct kept *k = calloc(1, sizeof *k), **end = &t->kept;
        snprintf(k->what, sizeof k->what, "%s", what);
        k->bytes = bytes;
        k->data = data;
        while (*end)
            end = &(*end)->next;
        *end = k;
        return NULL;
    }
    struct kept *k = t->next;
    if (!k || strcmp(k->what, what) || k->bytes != bytes) {
        differ(t, "%s: the devices give different numbers of results", what);
        return NULL;
    }
    t->next = k->next;
    return k->data;
}

static void *fetched(struct trial *t, const void *buffer, size_t bytes)
{
    void *host = malloc(bytes ? bytes : 1);
    memset(host, 0, bytes);
    t->dev->download(t->dev, host, buffer, bytes);
    return host;
}

static void compare(struct trial *t, const char *what, const double *a, const double *b, size_t n,
                    double tolerance)
{
    double largest = 0, allowed = 0, worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(a[i]))
            largest = fmax(largest, fabs(a[i]));
    allowed = t->exact ? 0 : tolerance * largest;
    for (size_t i = 0; i < n; i++) {
        double difference = a[i] == b[i] || (isnan(a[i]) && isnan(b[i])) ? 0 : fabs(a[i] - b[i]);
        if (isnan(difference))
            difference = INFINITY;
        if (difference > worst) {
            worst = difference;
            at = i;
        }
    }
    if (worst > 0 && allowed > 0)
        t->worst = fmax(t->worst, worst / allowed);
    if (worst > allowed)
        differ(t, "%s[%zu of %zu]: %.9g and %.9g differ by %.3g, %.3g is allowed", what, at, n,
               a[at], b[at], worst, allowed);
}

void same_numbers(struct trial *t, const char *what, const double *numbers, size_t n,
                  double tolerance)
{
    double *copy = malloc((n + 1) * sizeof *copy);
    memcpy(copy, numbers, n * sizeof *copy);
    const double *first = before(t, what, copy, n * sizeof *copy);
    if (first)
        compare(t, what, first, copy, n, tolerance);
    if (t->second)
        free(copy);
}

void same_floats(struct trial *t, const char *what, const float *buffer, size_t n, double tolerance)
{
    float *values = fetched(t, buffer, n * sizeof *values);
    double *wide = malloc((n + 1) * sizeof *wide);
    for (size_t i = 0; i < n; i++)
        wide[i] = values[i];
    same_numbers(t, what, wide, n, tolerance);
    free(wide);
    free(values);
}

void same_bytes(struct trial *t, const char *what, const void *buffer, size_t bytes)
{
    void *values = fetched(t, buffer, bytes);
    const void *first = before(t, what, values, bytes);
    if (first && memcmp(first, values, bytes))
        differ(t, "%s: %zu bytes are not the same", what, bytes);
    if (t->second)
        free(values);
}

void same_words(struct trial *t, const char *what, const uint16_t *buffer, size_t n)
{
    uint16_t *values = fetched(t, buffer, n * sizeof *values);
    const uint16_t *first = before(t, what, values, n * sizeof *values);
    size_t off = 0, most = t->exact ? 0 : n / 1000 + 3; /* by chance, of few values */
    for (size_t i = 0; first && i < n; i++) {
        int difference = abs(first[i] - values[i]);
        off += difference > 0;
        if (difference > 1)
            differ(t, "%s[%zu of %zu]: %d and %d", what, i, n, first[i], values[i]);
    }
    t->worst = fmax(t->worst, most ? (double)off / (double)most : 0);
    if (off > most)
        differ(t, "%s: %zu of %zu values differ by 1, %zu may", what, off, n, most);
    if (t->second)
        free(values);
}

/* ---- running --------------------------------------------------------------------------------- */

static void release_buffers(struct trial *t)
{
    for (int i = 0; i < t->buffer_count; i++) {
        uintptr_t at = (uintptr_t)t->buffers[i];
        if (at & 1)
            free((void *)(at & ~(uintptr_t)1));
        else
            t->dev->release(t->dev, (void *)at);
    }
    free(t->buffers);
    t->buffers = NULL;
    t->buffer_count = 0;
}

static void release_kept(struct trial *t)
{
    while (t->kept) {
        struct kept *k = t->kept;
        t->kept = k->next;
        free(k->data);
        free(k);
    }
}

bool trial_run(struct trial *t, void (*check)(struct trial *t), struct device *const dev[2])
{
    struct kin_error err = {0};
    uint32_t noise = t->noise;
    t->why[0] = 0;
    t->worst = 0;
    for (int run = 0; run < 2 && !t->why[0]; run++) {
        t->dev = dev[run];
        t->second = run;
        t->noise = noise;
        t->next = t->kept;
        t->n = kin_count(t->dims);
        check(t);
        if (!device_ok(t->dev, &err))
            differ(t, "%s", err.text);
        release_buffers(t);
    }
    if (!t->why[0] && (t->next || !t->kept))
        differ(t, "nothing was compared");
    release_kept(t);
    return !t->why[0];
}
