// SPDX-License-Identifier: MIT
// rates.c: what the machine can do, for tests/bench/kernels/roofline: bytes copied from memory to
// memory (read and written) and real 2-D transforms of H x W by FFTW alone, there and back, both by
// all threads at once, each on memory of its own.
//
//     bench-rates H W       {"copy": GB, "fft": GFLOP} a second of a processor, the best of ten
#include "kintsugi.h"

#include <fftw3.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 10, COPY = 64 << 20 };

static double used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double copy_rate(void)
{
    double best = 0;
#pragma omp parallel reduction(max : best)
    {
        char *a = kin_alloc(COPY), *b = kin_alloc(COPY);
        for (int i = 0; a && b && i < RUNS; i++) {
            double start = used();
            memcpy(b, a, COPY);
            best = fmax(best, 2e-9 * COPY / (used() - start));
            a[i] = b[COPY - 1 - i];
        }
        free(a);
        free(b);
    }
    return best;
}

static double fft_rate(int h, int w)
{
    size_t n = (size_t)h * (size_t)w, half = (size_t)h * (size_t)(w / 2 + 1);
    float *a = kin_alloc(n * sizeof *a);
    fftwf_complex *b = kin_alloc(half * sizeof *b);
    double best = 0, flop = 2 * 2.5 * (double)n * log2((double)n);
    if (!a || !b)
        exit(1);
    fftwf_plan there = fftwf_plan_dft_r2c_2d(h, w, a, b, FFTW_MEASURE),
               back = fftwf_plan_dft_c2r_2d(h, w, b, a, FFTW_MEASURE);
#pragma omp parallel reduction(max : best)
    {
        float *x = kin_alloc(n * sizeof *x);
        fftwf_complex *y = kin_alloc(half * sizeof *y);
        int runs = (int)fmax(RUNS, 2e8 / flop);
        for (int i = 0; x && y && i < RUNS; i++) {
            double start = used();
            for (int k = 0; k < runs / RUNS; k++) {
                fftwf_execute_dft_r2c(there, x, y);
                fftwf_execute_dft_c2r(back, y, x);
            }
            best = fmax(best, 1e-9 * flop * (runs / RUNS) / (used() - start));
        }
        free(x);
        free(y);
    }
    fftwf_destroy_plan(there);
    fftwf_destroy_plan(back);
    free(a);
    free(b);
    return best;
}

int main(int argc, char **argv)
{
    int h = argc == 3 ? atoi(argv[1]) : 0, w = argc == 3 ? atoi(argv[2]) : 0;
    if (h < 2 || w < 2)
        return fprintf(stderr, "bench-rates H W\n"), 2;
    printf("{\"copy\": %.2f, \"fft\": %.2f}\n", copy_rate(), fft_rate(h, w));
    return 0;
}
