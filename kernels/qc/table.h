/* SPDX-License-Identifier: MIT
 *
 * table.h: everything that is known of a project's quality: the planes that were measured and
 * the values that are judged. Filled by qc/gather.h, shown by qc/page.h, written as
 * qc_plots/qc.json. */
#pragma once

#include "core/json.h"
#include "qc/qc.h"

enum { QC_NOTE = 1000 }; /* bytes of a sentence; longer ones are cut */

struct qc_entry { /* one measured plane */
    char stage[16], marker[64];
    int cycle, channel, z; /* z 0: not of a stack; cycle 0: of all */
    struct qc_plane plane;
};

struct qc_value { /* one judged number */
    char stage[16], metric[40], marker[64];
    int cycle, channel, z; /* 0: does not apply */
    double value;
    const struct qc_limit *limit; /* NULL: only shown */
    enum qc_status status;
};

struct qc_table {
    struct qc_entry *entries; /* owned */
    int entry_count;
    struct qc_value *values; /* owned */
    int value_count;
    char (*notes)[QC_NOTE]; /* owned; sentences for people */
    int note_count;
    bool failed; /* memory ran out: something is missing */
};

/* Frees what the table owns; it is empty then. */
void qc_table_free(struct qc_table *table);

/* False: memory ran out while it was made. */
bool qc_table_is_whole(const struct qc_table *table, struct kin_error *err);

/* Adds a plane. */
void qc_table_plane(struct qc_table *table, const struct qc_entry *entry);

/* Adds a value and judges it by its stage's limit. A NaN is not added; instead of a value that the
 * metric cannot have, an odd report is counted and a note says which. */
void qc_table_value(struct qc_table *table, const char *stage, const char *metric, int cycle,
                    int channel, const char *marker, double value);

/* Adds a line below the table, as printf. */
void qc_table_note(struct qc_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The planes' judged fields become values: of a stack the plane that is worst. */
void qc_table_judge_planes(struct qc_table *table);

/* Planes of a stage that are copies of others are counted by cycle and channel, and a note says of
 * which. */
void qc_table_find_copies(struct qc_table *table, const char *stage);

/* Two values of every stitched stack: how far the contrast of a plane lies below that of planes on
 * both sides (a note says of which plane, where that is doubtful); and what deconvolution did to
 * the contrast of the sharpest plane, beside what it did to the outermost ones. */
void qc_table_judge_stacks(struct qc_table *table);

/* A note says so if deconvolution took not as many steps in all cycles of that channel, the nuclear
 * one. */
void qc_table_compare_steps(struct qc_table *table, int channel);

/* Red first, then yellow, then by stage, cycle, channel. */
void qc_table_sort(struct qc_table *table);

/* How many values have that status. */
int qc_table_count(const struct qc_table *table, enum qc_status status);

/* The mean over a stack (or the only plane) of a field; NaN if there is none. */
double qc_table_cell(const struct qc_table *table, const char *stage, int cycle, int channel,
                     const struct qc_field *field);

/* The document qc.json: status, values, planes. The caller's to write and free. */
struct js *qc_table_js(const struct qc_table *table);
