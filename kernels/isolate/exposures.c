// SPDX-License-Identifier: MIT
#include "isolate/exposures.h"
#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096 };

// The next number of a line; false: there is none.
static bool next_number(char **at, double *number)
{
    char *end;
    *at += strspn(*at, ",; \t\r\n");
    *number = strtod(*at, &end);
    bool good = end > *at && strchr(",; \t\r\n", *end);
    *at = end;
    return good;
}

static bool read_row(char *line, struct exposures *e, const char *where, struct kin_error *err)
{
    const double LEAST = 1e-3, MOST = 1e7;
    double cycle, ms;
    if (!next_number(&line, &cycle) || cycle != floor(cycle) || cycle < 1)
        return kin_fail(err, KIN_INPUT, "%s: begins with no cycle", where);
    if (cycle <= e->cycles && e->ms[((int)cycle - 1) * e->channels] > 0)
        return kin_fail(err, KIN_INPUT, "%s: cycle %g for the second time", where, cycle);
    for (int k = 0; k < e->channels; k++) {
        if (!next_number(&line, &ms) || !(ms >= LEAST && ms <= MOST))
            return kin_fail(err, KIN_INPUT,
                            "%s: no exposure time between %g and %g ms for channel %d", where,
                            LEAST, MOST, k + 1);
        if (cycle <= e->cycles)
            e->ms[((int)cycle - 1) * e->channels + k] = ms;
    }
    return true;
}

static bool read_rows(FILE *file, const char *path, struct exposures *e, struct kin_error *err)
{
    char line[LINE], where[LINE];
    for (int n = 1; fgets(line, sizeof line, file); n++) {
        const char *first = line + strspn(line, ",; \t\r\n");
        bool names = n == 1 && isalpha((unsigned char)*first);
        snprintf(where, sizeof where, "%s:%d", path, n);
        if (*first && *first != '#' && !names && !read_row(line, e, where, err))
            return false;
    }
    for (int i = 0; i < e->cycles; i++)
        if (!(e->ms[i * e->channels] > 0))
            return kin_fail(err, KIN_INPUT, "%s: no exposure times of cycle %d", path, i + 1);
    return true;
}

bool exposures_read(const char *path, int cycles, int channels, struct exposures *out,
                    struct kin_error *err)
{
    *out = (struct exposures){cycles, channels, calloc((size_t)cycles * channels, sizeof *out->ms)};
    FILE *file = text_open(path);
    bool good = out->ms || kin_fail(err, KIN_MEMORY, "no memory for exposure times");
    if (good && !file)
        good = kin_fail(err, KIN_INPUT, "%s: %s", path, strerror(errno));
    good = good && read_rows(file, path, out, err);
    if (file)
        fclose(file);
    if (!good)
        exposures_free(out);
    return good;
}

void exposures_free(struct exposures *exposures)
{
    free(exposures->ms);
    exposures->ms = NULL;
}

double exposures_ms(const struct exposures *exposures, int cycle, int channel)
{
    return exposures->ms[(cycle - 1) * exposures->channels + channel - 1];
}
