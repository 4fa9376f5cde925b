// SPDX-License-Identifier: MIT
// Fourier transforms of the CPU device: against the defining sum, forth and back, and the same bits
// for any thread count.
#include "device/device.h"
#include "test.h"

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static float noise(size_t i)
{
    uint32_t v = (uint32_t)i * 2654435761u;
    v ^= v >> 15;
    v *= 2246822519u;
    return (float)(v >> 8) / 16777216.0f - 0.5f;
}

/* |F(k) - sum| for one frequency of batch b. */
static double error_at(const float *a, const float *f, struct kin_dims d, int b, struct kin_dims k)
{
    double re = 0, im = 0;
    size_t n = kin_count(d), half = (size_t)d.x / 2 + 1;
    for (size_t i = 0; i < n; i++) {
        int x = (int)(i % (size_t)d.x), y = (int)(i / (size_t)d.x % (size_t)d.y);
        int z = (int)(i / (size_t)d.x / (size_t)d.y);
        double turn = (double)k.x * x / d.x + (double)k.y * y / d.y + (double)k.z * z / d.z;
        re += a[(size_t)b * n + i] * cos(2 * M_PI * turn);
        im -= a[(size_t)b * n + i] * sin(2 * M_PI * turn);
    }
    size_t row = ((size_t)b * (size_t)d.z + (size_t)k.z) * (size_t)d.y + (size_t)k.y;
    size_t at = 2 * (row * half + (size_t)k.x);
    return hypot(re - f[at], im - f[at + 1]);
}

static void check(struct kin_dims d, int batch)
{
    struct kin_error err = {0};
    size_t n = kin_count(d) * (size_t)batch,
           half = kin_count(d) / (size_t)d.x * ((size_t)d.x / 2 + 1);
    float *out[2], *a = NULL, *back = NULL;
    for (int t = 0; t < 2; t++) {
        struct device *dev = device_open(DEVICE_CPU, t ? 3 : 1, &err);
        a = dev->alloc(dev, n * sizeof *a);
        back = dev->alloc(dev, n * sizeof *a);
        out[t] = dev->alloc(dev, half * (size_t)batch * 2 * sizeof(float));
        for (size_t i = 0; i < n; i++)
            a[i] = noise(i);
        struct fft_plan *plan = dev->fft_plan(dev, d, batch);
        dev->fft_forward(dev, plan, a, out[t]);
        float *copy = dev->alloc(dev, half * (size_t)batch * 2 * sizeof(float));
        dev->copy(dev, copy, out[t], half * (size_t)batch * 2 * sizeof(float));
        dev->fft_inverse(dev, plan, copy, back);
        dev->release(dev, copy);
        dev->fft_free(dev, plan);
        if (!t) {
            double worst = 0;
            for (size_t i = 0; i < n; i++)
                worst = fmax(worst, fabs(back[i] - a[i]));
            ok(device_ok(dev, &err) && worst < 2e-6, "%d x (%d, %d, %d) comes back (%.1e)", batch,
               d.z, d.y, d.x, worst);
            dev->release(dev, a);
            dev->release(dev, back);
        }
        device_close(dev);
    }
    double worst = 0;
    for (int i = 0; i < 12; i++) {
        struct kin_dims k = {i * 5 % d.z, i * 7 % d.y, i * 3 % (d.x / 2 + 1)};
        worst = fmax(worst, error_at(a, out[0], d, i % batch, k));
    }
    ok(worst < 1e-5 * sqrt((double)kin_count(d)) + 1e-4,
       "and its frequencies are those of the sum (%.1e)", worst);
    ok(!memcmp(out[0], out[1], half * (size_t)batch * 2 * sizeof(float)),
       "the same bits with 1 and 3 threads");
    free(a);
    free(back);
    free(out[0]);
    free(out[1]);
}

static bool plan_length(int n)
{
    struct kin_error err = {0};
    struct device *dev = device_open(DEVICE_CPU, 1, &err);
    struct fft_plan *plan = dev->fft_plan(dev, (struct kin_dims){1, 1, n}, 1);
    dev->fft_free(dev, plan);
    bool good = device_ok(dev, &err);
    device_close(dev);
    return good;
}

/* In a process that knows no plan yet; its seconds, or -1. */
static double plan_afresh(const char *n, int without)
{
    time_t start = time(NULL);
    pid_t pid = fork();
    if (!pid) {
        close(without);
        execl("/proc/self/exe", "fft", n, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    return status ? -1 : difftime(time(NULL), start);
}

/* The file of plans in a folder; false: it is not there, or not named after the FFTW that its head
 * tells. */
static bool find_plans(const char *dir, char path[static 200])
{
    char head[200] = "", version[40], name[200];
    unsigned solvers = 0;
    glob_t found;
    snprintf(name, sizeof name, "%s/kintsugi-flow/fftwf-wisdom*[!k]", dir);
    if (glob(name, 0, NULL, &found))
        return false;
    snprintf(path, 200, "%s", found.gl_pathv[0]);
    bool alone = found.gl_pathc == 1;
    globfree(&found);
    FILE *in = fopen(path, "r");
    bool told = in && fgets(head, sizeof head, in) &&
                sscanf(head, "(fftw-%39s %*s #x%x", version, &solvers) == 2;
    if (in)
        fclose(in);
    snprintf(name, sizeof name, "fftwf-wisdom-%s-%08x", told ? version : "", solvers);
    return alone && told && !strcmp(strrchr(path, '/') + 1, name);
}

/* The cache of plans while another process holds its lock for good, as one that is suspended. */
static void test_cache(void)
{
    char dir[] = "/tmp/kintsugi-fft-XXXXXX", path[200], command[100];
    if (!ok(mkdtemp(dir) && !setenv("XDG_CACHE_HOME", dir, 1), "a cache of its own"))
        return;
    ok(plan_afresh("14", -1) >= 0, "a plan is measured");
    if (!ok(find_plans(dir, path), "machines whose FFTW differs keep files of their own"))
        return;
    strcat(path, ".lock");
    int fd = open(path, O_RDWR);
    ok(fd >= 0 && !flock(fd, LOCK_EX), "the lock is held");
    double known = plan_afresh("14", fd), other = plan_afresh("21", fd);
    ok(known >= 0 && known < 5, "a plan that is known needs no lock (%.0f s)", known);
    ok(other >= 5 && other < 60, "for another one it is not waited without end (%.0f s)", other);
    close(fd);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    ok(system(command) == 0, "the cache is removed");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return !plan_length(atoi(argv[1]));
    static const struct kin_dims sizes[] = {{1, 1, 1},  {1, 1, 9},   {1, 16, 30},
                                            {5, 7, 11}, {4, 12, 18}, {3, 1, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check(sizes[i], 1 + (int)i % 3);
    ok(kin_good_size(11, false) == 12 && kin_good_size(25, false) == 25 &&
           kin_good_size(25, true) == 28 && kin_good_size(1, false) == 1 &&
           kin_good_size(1, true) == 2,
       "good sizes are products of 2, 3, 5 and 7");
    ok(kin_good_size(674, true) == 720 && kin_good_size(1186, true) == 1200,
       "twice 343 is passed over for what transforms do faster");
    test_cache();
    return done();
}
