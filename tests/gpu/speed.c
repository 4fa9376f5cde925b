// SPDX-License-Identifier: MIT
/* speed.c: what the primitives of device.h take on a device, and what share of the copy bandwidth
 * measured in the same run they reach:
 *
 *     speed [cpu|gpu] [SIDE [PLANES [WITHOUT...]]]      2048 x 2048 pixels, 20 planes
 *
 * WITHOUT: primitives that are left out, such as one that a card has failed in. It ends with the
 * first failure: the last row of its table, maybe no more than a name, says where.
 *
 * Bytes are counted (calls.h). A time is the best of five runs of as many calls as take 20 ms, up
 * to an answer that the host waits for. At that size a call works on 60 MB at least, most on 200
 * and more, of which an H100's cache holds 50: what a run finds there of the one before is little.
 */
#include "calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one call. */
static double seconds_of(void (*call)(void))
{
    double best = INFINITY, start;
    int calls = 1;
    call();
    calls_wait();
    for (int run = 0; run < 5;) {
        start = now();
        for (int i = 0; i < calls; i++)
            call();
        calls_wait();
        double took = now() - start;
        if (took < 0.02 && calls < 4096 && run == 0) {
            calls *= 2;
            continue;
        }
        best = fmin(best, took / calls);
        run++;
    }
    return best;
}

static bool is_among(const char *name, char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* False: the device has failed. */
static bool print_calls(char *const *without, int left_out)
{
    int count;
    const struct call *calls = calls_all(&count);
    double copy = 0; /* bytes per second */
    printf("| primitive | us | MB | GB/s | of copying |\n|---|---|---|---|---|\n");
    for (int i = 0; i < count; i++) {
        if (is_among(calls[i].name, without, left_out))
            continue;
        printf("| %s |", calls[i].name);
        fflush(stdout);
        double seconds = seconds_of(calls[i].make), rate = calls[i].bytes / seconds;
        if (device_stopped(calls_device())) {
            printf(" failed | | | |\n");
            return false;
        }
        copy = i ? copy : rate;
        printf(" %.1f | %.1f | %.1f |", 1e6 * seconds, calls[i].bytes / 1e6, rate / 1e9);
        if (calls[i].host)
            printf(" |\n");
        else
            printf(" %.0f %% |\n", 100 * rate / copy);
        fflush(stdout);
    }
    return true;
}

/* A step of Richardson-Lucy beside the four transforms that it cannot do without. */
static void print_steps(enum device_kind kind, int side, int planes)
{
    double pixels = (double)side * side;
    double forward = seconds_of(call_forward),
           back = seconds_of(call_inverse) - seconds_of(call_scale);
    double operations = 2.5 * planes * pixels * log2(pixels), four = 2 * (forward + back);
    double step = seconds_of(call_step), apart = seconds_of(call_step_apart);
    printf("\n| transforms and steps of %d x %d x %d | us | GFLOP/s | of the four transforms "
           "|\n|---|---|---|---|\n",
           planes, side, side);
    printf("| planes forward, real to complex | %.1f | %.0f | |\n", 1e6 * forward,
           operations / forward / 1e9);
    printf("| planes back, complex to real | %.1f | %.0f | |\n", 1e6 * back,
           operations / back / 1e9);
    printf("| the four transforms of a step | %.1f | %.0f | 1.00 |\n", 1e6 * four,
           4 * operations / four / 1e9);
    printf("| a step of Richardson-Lucy, one launch | %.1f | | %.2f |\n", 1e6 * step, step / four);
    printf("| the same, launched one by one | %.1f | | %.2f |\n", 1e6 * apart, apart / four);
    if (kind == DEVICE_GPU) {
        double by_planes = seconds_of(call_step_planes);
        printf("| a step with transforms by cuFFT, one launch | %.1f | | %.2f |\n", 1e6 * by_planes,
               by_planes / four);
    }
}

int main(int argc, char **argv)
{
    struct kin_error err = {0};
    int side = argc > 2 ? atoi(argv[2]) : 2048, planes = argc > 3 ? atoi(argv[3]) : 20;
    enum device_kind kind = argc > 1 && !strcmp(argv[1], "cpu") ? DEVICE_CPU : DEVICE_GPU;
    bool good = calls_open(kind, side, planes, &err);
    if (good) {
        printf("%s, %d planes of %d x %d; a call and its answer take %.1f us\n\n",
               calls_device()->name, planes, side, side, 1e6 * seconds_of(calls_wait));
        if (print_calls(argc > 4 ? argv + 4 : NULL, argc > 4 ? argc - 4 : 0))
            print_steps(kind, side, planes);
        good = calls_close(&err);
    }
    if (!good)
        fprintf(stderr, "speed: %s\n", err.text);
    return !good;
}
