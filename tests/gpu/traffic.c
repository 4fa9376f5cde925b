// SPDX-License-Identifier: MIT
/* traffic.c: what the primitives of device.h ask a card's memory for, counted by the emulated card
 * (traffic.h):
 *
 *     KINTSUGI_GPU_PLUGIN=.../kintsugi-image-counted.so traffic [SIDE [PLANES [NAME]]]  (128, 20)
 *
 * A primitive cannot be faster than its memory moves its bytes. It is not much slower either, if
 * little more is moved than must be, if the blocks of threads do not fetch the same again and
 * again, and if the load and store units keep up: on an H100 or H200 they take some 7 to 10 turns
 * in the time in which the memory moves 128 bytes. What moves more than MOST times its bytes fails,
 * at the default size: of fewer planes and smaller blocks taps and edges are a good part.
 *
 * With kintsugi-image-ptx.so: the instructions (of PTX) that warps execute for 128 bytes, and how
 * many of their lanes take part. An H100 executes some 35 in the time in which its memory moves
 * these bytes, an H200 some 24. */
#include "calls.h"
#include "traffic.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST = 1.4;

enum { LINE = 128, LANES = 32, STEP_BYTES = 80 }; /* of a step of Richardson-Lucy */

static int number;
static traffic_take *take;

static const char *wanted; /* NULL: all */

static void print_counts(const struct call *call)
{
    struct traffic t;
    double bytes = call->bytes;
    if (wanted && strcmp(wanted, call->name) != 0)
        return;
    calls_wait();
    take(&t);
    call->make();
    calls_wait();
    take(&t);
    if (!t.launches) /* a copy */
        return;
    if (t.instructions) {
        printf("ok %d - %-20s %6.1f instructions %4.0f %% of the lanes\n", ++number, call->name,
               (double)t.instructions * LINE / bytes,
               100 * (double)t.lanes / (LANES * (double)t.instructions));
        return;
    }
    printf("%sok %d - %-20s %5.2f moved %6.2f fetched %6.2f asked for %6.2f turns\n",
           (double)t.moved < MOST * bytes ? "" : "not ", ++number, call->name,
           (double)t.moved / bytes, (double)t.block / bytes, (double)t.asked / bytes,
           (double)(t.wide + t.shared) * LINE / bytes);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct kin_error err = {0};
    const char *path = getenv("KINTSUGI_GPU_PLUGIN");
    void *card = path ? dlopen(path, RTLD_LAZY) : NULL;
    take = card ? (traffic_take *)dlsym(card, "emulated_traffic") : NULL;
    int count, side = argc > 1 ? atoi(argv[1]) : 128, planes = argc > 2 ? atoi(argv[2]) : 20;
    if (!take || !calls_open(DEVICE_GPU, side, planes, &err)) {
        fprintf(stderr, "traffic: %s\n",
                take ? err.text : "KINTSUGI_GPU_PLUGIN is not a library that counts");
        return 1;
    }
    const struct call *calls = calls_all(&count);
    wanted = argc > 3 ? argv[3] : NULL;
    struct call step = {"rl_step", call_step, (double)STEP_BYTES * planes * side * side, false};
    printf("# for each byte that must be read or written: bytes; for 128 of them: turns, "
           "or instructions\n");
    for (int i = 0; i < count; i++)
        print_counts(&calls[i]);
    print_counts(&step);
    printf("1..%d\n", number);
    return !calls_close(&err);
}
