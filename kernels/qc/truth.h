/* SPDX-License-Identifier: MIT
 *
 * truth.h: every stage's result against what is true of a phantom (PROJECT/truth, see its
 * README.md). */
#pragma once

#include "image/experiment.h"

struct qc_truth { /* one stage, one number */
    const char *stage, *metric, *unit, *text;
    double value, threshold;
    bool higher; /* larger values are worse; else smaller ones are */
    bool there;  /* false: the stage has not run, or the phantom does not say */
    bool pass;
};

enum { QC_TRUTHS = 24 };

/* Fills rows (QC_TRUTHS of them at most), *count of them used. False: truth/ is not there, or an
 * image or a map of it or of a stage is damaged. */
bool qc_truth_measure(const char *project, const struct experiment *exp, struct qc_truth *rows,
                      int *count, struct kin_error *err);
