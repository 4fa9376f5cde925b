// SPDX-License-Identifier: MIT
#include "qc/json.h"

#include <math.h>

struct js *qc_plane_js(int cycle, int channel, const char *marker, int z,
                       const struct qc_plane *plane)
{
    struct js *o = js_object();
    js_set_number(o, "cycle", cycle);
    js_set_number(o, "channel", channel);
    if (marker)
        js_set_text(o, "marker", marker);
    if (z)
        js_set_number(o, "z", z);
    for (int i = 0; i < qc_plane_field_count; i++) {
        double v = qc_get(plane, &qc_plane_fields[i]);
        if (!isnan(v))
            js_set_number(o, qc_plane_fields[i].name, v);
    }
    return o;
}

struct qc_plane qc_plane_from_js(const struct js *object)
{
    struct qc_plane plane;
    for (int i = 0; i < qc_plane_field_count; i++)
        *(double *)((char *)&plane + qc_plane_fields[i].offset) = js_number(
            js_get(object, qc_plane_fields[i].name), NAN);
    return plane;
}
