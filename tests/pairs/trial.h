/* trial.h: one check, made on two devices with the same input. The first run keeps what comes out,
 * the second compares.
 *
 *     static void check_scale(struct trial *t)
 *     {
 *         float *a = some_floats(t, t->n, -1, 1);
 *         t->dev->scale(t->dev, a, 3, t->n);
 *         same_floats(t, "a", a, t->n, 1e-6);
 *     } */
#pragma once

#include "device/device.h"

struct trial {
    struct device *dev;
    struct kin_dims dims;     /* a size to work on */
    size_t n;                 /* its samples */
    bool exact;               /* both devices must give the same bits */
    bool brief;               /* what goes on in steps takes a few of them */
    bool second;              /* compare, rather than keep */
    uint32_t noise;           /* where the random numbers stand */
    struct kept *kept, *next; /* of the first run; the one to be compared next */
    void **buffers;           /* of this run */
    int buffer_count;
    double worst;  /* of all differences, in units of what is allowed */
    char why[300]; /* the first difference that is too large */
};

/* Runs the check on both devices. False: t->why says what differs or failed. */
bool trial_run(struct trial *t, void (*check)(struct trial *t), struct device *const dev[2]);

/* ---- input: the same for both devices. Device memory, released after the run ----------------- */

void *some_memory(struct trial *t, size_t bytes);
float *some_floats(struct trial *t, size_t n, float low, float high);
uint16_t *some_words(struct trial *t, size_t n, int low, int high);
/* In host memory, n bytes each of what is asked; freed after the run. */
float *host_floats(struct trial *t, size_t n, float low, float high);
/* The next random number in low .. high. */
double some_number(struct trial *t, double low, double high);

/* ---- output -------------------------------------------------------------------------------------
 * 
 * Differences may be `tolerance` times the largest value; 0: none. buffer is device memory. */

void same_floats(struct trial *t, const char *what, const float *buffer, size_t n,
                 double tolerance);
/* At most one value in a thousand, and three more, may differ, by 1. */
void same_words(struct trial *t, const char *what, const uint16_t *buffer, size_t n);
void same_bytes(struct trial *t, const char *what, const void *buffer, size_t bytes);
/* Numbers in host memory. */
void same_numbers(struct trial *t, const char *what, const double *numbers, size_t n,
                  double tolerance);
/* Something else is wrong. */
__attribute__((format(printf, 2, 3))) void differ(struct trial *t, const char *format, ...);
