// SPDX-License-Identifier: MIT
#include "cli/partitions.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/yamlfile.h"

/* ---- times ---- */

/* "2d12h30m" */
static bool span_minutes(const char *text, double *out)
{
    static const char units[] = "smhd";
    static const double minutes[] = {1 / 60.0, 1, 60, 1440};
    const char *at = text;
    char *end;
    for (*out = 0; *at; at = end + strspn(end, " ")) {
        double n = strtod(at, &end);
        bool none = end == at;
        end += strspn(end, " ");
        const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
        if (none || !unit)
            return false;
        *out += n * minutes[unit - units];
        end++;
    }
    return at > text;
}

/* "days-hours:minutes:seconds", "hours:minutes:seconds", and both without their last parts;
 * "minutes". */
static bool clock_minutes(const char *text, double *out)
{
    const char *dash = strchr(text, '-');
    double days = 0, part[3] = {0};
    char *end;
    int n = 0;
    if (dash) {
        days = (double)strtoul(text, &end, 10);
        if (end != dash || end == text)
            return false;
        text = dash + 1;
    }
    do {
        if (n == 3 || !isdigit((unsigned char)*text))
            return false;
        part[n++] = (double)strtoul(text, &end, 10);
        text = end + 1;
    } while (*end == ':');
    *out = dash || n > 1 ? days * 1440 + part[0] * 60 + part[1] + part[2] / 60 : part[0];
    return !*end;
}

static bool plain_minutes(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end > text && !*end;
}

static bool read_runtime(const struct yaml_part *part, const char *key, double *out)
{
    const struct json *value = json_get(part->entry, key);
    const char *text = json_text(value, "");
    if (!value || value->kind == JSON_NUMBER) {
        if (!yaml_number(part, key, out))
            return false;
    } else if (!strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE")) {
        return true;
    } else if ((!plain_minutes(text, out) && !clock_minutes(text, out) &&
                !span_minutes(text, out)) ||
               !(*out >= 0)) {
        yaml_refuse(part, key, "is no time");
        diag_hint(part->dx, "minutes, \"4h\", \"2d12h\" or, in quotes, Slurm's \"2-12:00:00\"");
        return false;
    }
    *out = floor(*out + 0.5);
    return true;
}

/* ---- one partition ---- */

/* A list of texts, or one; NULL where there is none. */
static bool read_list(struct arena *in, const struct yaml_part *part, const char *key,
                      const char *const **out)
{
    const struct json *value = json_get(part->entry, key);
    if (!value || value->kind == JSON_NULL)
        return true;
    bool one = value->kind == JSON_STRING;
    const char **list = arena_array(in, const char *, (one ? 1 : value->len) + 1);
    uint32_t n = 0;
    if (!one && value->kind != JSON_ARRAY)
        return yaml_refuse(part, key, "needs a list of names");
    for (const struct json *item = one ? value : json_first(value); item;
         item = one ? NULL : item->next) {
        if (!item->text || (item->kind != JSON_STRING && item->kind != JSON_NUMBER))
            return yaml_refuse(part, key, "needs a list of names");
        list[n++] = item->text;
    }
    *out = list;
    return true;
}

static bool read_switch(const struct yaml_part *part, const char *key, bool *out)
{
    const struct json *value = json_get(part->entry, key);
    if (value && value->kind != JSON_TRUE && value->kind != JSON_FALSE)
        return yaml_refuse(part, key, "needs true or false");
    *out = value ? value->kind == JSON_TRUE : *out;
    return true;
}

static bool read_partition(struct arena *in, const struct yaml_part *part, const char *known,
                           struct slurm_partition *out)
{
    bool mpi = true;
    if (!yaml_knows(part, known))
        return false;
    for (int i = 0; i < SLURM_CLUSTER_NAMES && !out->cluster; i++)
        out->cluster = json_text(json_get(part->entry, slurm_cluster_names[i]), NULL);
    for (int i = 0; i < PARTITION_LIMITS; i++) {
        const char *name = partition_limit_names[i];
        out->most[i] = i == LIMIT_GPU ? 0 : INFINITY;
        if (!(i == LIMIT_RUNTIME ? read_runtime : yaml_number)(part, name, &out->most[i]))
            return false;
    }
    if (!read_list(in, part, "available_gpu_models", &out->gpu_models) ||
        !read_list(in, part, "available_constraints", &out->constraints) ||
        !read_switch(part, "supports_mpi", &mpi))
        return false;
    out->no_mpi = !mpi;
    return true;
}

/* All names that a partition's entry may hold. */
static const char *known_names(struct arena *in)
{
    const char *names =
        "available_gpu_models available_constraints supports_mpi cluster clusters slurm_cluster";
    for (int i = PARTITION_LIMITS - 1; i >= 0; i--)
        names = arena_printf(in, "%s %s", partition_limit_names[i], names);
    return names;
}

bool partitions_read(struct arena *in, struct diags *dx, const char *path,
                     struct slurm_partitions *out)
{
    const struct json *top = yaml_file(in, dx, path), *all = json_get(top, "partitions");
    if (!top)
        return false;
    if (!all || all->kind != JSON_OBJECT)
        return complain(dx, (struct span){0},
                        "%s has no mapping 'partitions' of their names to their limits", path);
    struct slurm_partition *list = arena_array(in, struct slurm_partition, all->len);
    const char *known = known_names(in);
    *out = (struct slurm_partitions){list, 0};
    for (const struct json *entry = json_first(all); entry; entry = entry->next) {
        struct yaml_part part = {dx, arena_printf(in, "%s: partition '%s'", path, entry->key),
                                 entry};
        list[out->n] = (struct slurm_partition){.name = entry->key};
        if (!entry->key[strspn(entry->key, " \t")])
            return complain(dx, (struct span){0}, "%s: a partition has an empty name", path);
        if (!read_partition(in, &part, known, &list[out->n++]))
            return false;
    }
    return true;
}
