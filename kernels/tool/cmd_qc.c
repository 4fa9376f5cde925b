// SPDX-License-Identifier: MIT
// cmd_qc.c: `kintsugi-image qc PROJECT`: is it any good, and where not.
//
//   data/processed/qc/*.json                  read: what the stages say of themselves
//   data/processed/qc/planes/STAGE_cycNN.json written once: planes of which no stage has told
//   data/processed/qc/.STAGE_complete         a stage's numbers are there (sentinel, written last)
//   qc_plots/index.html, *.png, STAGE_heatmap.csv, qc.json
#include <math.h>

#include "core/part.h"
#include "qc/gather.h"
#include "qc/page.h"
#include "qc/truth.h"
#include "tool/stage.h"
#include "tool/verbs.h"

enum { PATH = 4300 };

static struct {
    struct common common;
    const char *stage;
    bool truth, gate, pixels;
} o;
static const char *project;

static const struct option rows[] = {
    {"stage", OPTION_TEXT, "NAME", "",
     "only the numbers of stitch, decon, edf, registration or isolate", &o.stage},
    {"truth", OPTION_FLAG, "", "",
     "compare every stage with PROJECT/truth; exit status 1 if one misses a threshold", &o.truth},
    {"gate", OPTION_FLAG, "", "", "exit status 1 if any value is red", &o.gate},
    {"pixels", OPTION_FLAG, "", "", "measure all images again, do not read the stages' reports",
     &o.pixels},
    OPTIONS_TALK(&o.common),
};
static const struct operand operands[] = {{"PROJECT", "the project's directory", &project}};
static const struct command command = {
    "qc",
    "Measures the quality of every stage of a project.",
    rows,
    ROWS(rows),
    operands,
    1,
    "Writes qc_plots/index.html and qc_plots/qc.json, unless --stage, --truth or --gate is given."};

struct run {
    struct experiment exp;
    struct stage stage; // for progress only
    struct qc_table table;
};

// ---- truth -----------------------------------------------------------------------------------

static struct js *truth_js(const struct qc_truth *t)
{
    struct js *row = js_object();
    js_set_text(row, "stage", t->stage);
    js_set_text(row, "metric", t->metric);
    js_set_number(row, "value", t->there ? t->value : NAN);
    js_set_text(row, "unit", t->unit);
    js_set_number(row, "threshold", t->threshold);
    js_set_text(row, "limit", t->higher ? "at most" : "at least");
    js_set_text(row, "result", !t->there ? "missing" : t->pass ? "pass" : "fail");
    return row;
}

static void print_truth(const struct qc_truth *t)
{
    const char *result = !t->there ? "not there" : t->pass ? "pass" : "FAIL";
    char value[24] = "-";
    if (t->there)
        snprintf(value, sizeof value, "%.4g", t->value);
    printf("%-13s %-22s %10s %-7s %s %-8.4g %-9s %s\n", t->stage, t->metric, value, t->unit,
           t->higher ? "<=" : ">=", t->threshold, result, t->text);
}

// *passed: no threshold is missed by a stage that has run, and one has.
static bool compare_truth(const struct run *run, bool *passed, struct kin_error *err)
{
    struct qc_truth truths[QC_TRUTHS];
    int count, measured = 0;
    if (!qc_truth_measure(project, &run->exp, truths, &count, err))
        return false;
    *passed = true;
    for (int i = 0; i < count; i++) {
        struct js *row = truth_js(&truths[i]);
        if (o.common.json)
            js_print(row, stdout);
        else
            print_truth(&truths[i]);
        js_free(row);
        measured += truths[i].there;
        *passed &= !truths[i].there || truths[i].pass;
    }
    return measured || kin_fail(err, KIN_INPUT, "%s: no stage has run yet", project);
}

// ---- quality ---------------------------------------------------------------------------------

static bool write_sentinel(enum qc_stage stage, struct kin_error *err)
{
    char path[PATH], text[60];
    snprintf(path, sizeof path, "%s/data/processed/qc/.%s_complete", project, qc_stage_name(stage));
    snprintf(text, sizeof text, "stage=qc_%s\n", qc_stage_name(stage));
    return kin_write_text(path, text, err);
}

static bool gather(struct run *run, enum qc_stage only, struct kin_error *err)
{
    char dir[STAGE_PATH];
    struct qc_gather g = {project, &run->exp, o.common.threads, o.pixels, &run->stage.progress};
    if (!stage_reports(project, dir, err))
        return false;
    strcat(dir, "/planes");
    kin_part_sweep(dir);
    for (int s = 0; s < QC_STAGES; s++) {
        if (only != QC_STAGES && only != (enum qc_stage)s)
            continue;
        if (!qc_gather_stage(&g, s, &run->table, err))
            return false;
    }
    qc_table_judge_planes(&run->table);
    qc_table_find_copies(&run->table, qc_stage_name(QC_STITCH));
    qc_table_judge_stacks(&run->table);
    qc_table_compare_steps(&run->table, run->exp.nuclear_channel);
    if (!run->table.value_count && !run->table.entry_count)
        return kin_fail(err, KIN_INPUT, "%s: nothing to judge: %s%s has run yet", project,
                        o.stage ? "no cycle of " : "no stage", o.stage ? o.stage : "");
    bool good = qc_gather_odd(&g, &run->table, err) && qc_table_is_whole(&run->table, err);
    qc_table_sort(&run->table);
    return good && (only == QC_STAGES || write_sentinel(only, err));
}

static void print_values(const struct qc_table *table)
{
    for (int i = 0; i < table->value_count; i++) {
        const struct qc_value *v = &table->values[i];
        if (v->status == QC_RED || v->status == QC_YELLOW)
            printf("%-6s %s cycle %d %s %s: %.4g %s\n", qc_status_name(v->status), v->stage,
                   v->cycle, v->marker, v->metric, v->value, v->limit->unit);
    }
    for (int i = 0; i < table->note_count; i++)
        printf("note   %s\n", table->notes[i]);
    printf("%d red, %d yellow, %d green; %d planes\n", qc_table_count(table, QC_RED),
           qc_table_count(table, QC_YELLOW), qc_table_count(table, QC_GREEN), table->entry_count);
}

static bool write_page(struct run *run, struct kin_error *err)
{
    char dir[PATH], path[PATH + 20];
    struct qc_page page = {project, &run->exp, &run->table, &run->stage.progress};
    snprintf(dir, sizeof dir, "%s/qc_plots", project);
    kin_part_sweep(dir);
    snprintf(path, sizeof path, "%s/qc.json", dir);
    struct js *document = qc_table_js(&run->table);
    bool fine = make_dirs(dir, err) && js_write(document, path, err) &&
                qc_csv_write(&page, dir, err) && qc_page_write(&page, dir, err);
    js_free(document);
    if (fine)
        stage_say(&run->stage, "%s/index.html", dir);
    return fine;
}

static bool judge(struct run *run, struct kin_error *err)
{
    enum qc_stage only = o.stage ? qc_stage_find(o.stage) : QC_STAGES;
    if (!gather(run, only, err))
        return false;
    if (!o.stage && !o.gate && !write_page(run, err))
        return false;
    if (o.common.json) {
        struct js *document = qc_table_js(&run->table);
        stage_print(&run->stage, document);
        js_free(document);
    } else {
        print_values(&run->table);
    }
    int red = qc_table_count(&run->table, QC_RED);
    return !o.gate || !red ||
           kin_fail(err, KIN_INPUT, "%d value%s beyond a red threshold", red, red == 1 ? "" : "s");
}

int cmd_qc(int argc, char **argv)
{
    struct kin_error err = {0};
    static struct run run;
    bool passed = true;
    int status;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    if (o.stage && qc_stage_find(o.stage) == QC_STAGES)
        return options_mistake(
            &command, "--stage %s: must be stitch, decon, edf, registration or isolate", o.stage);
    stage_simple(&run.stage, "qc", &o.common);
    bool fine = experiment_read(project, &run.exp, &err);
    if (fine) {
        experiment_registered(project, &run.exp);
        fine = o.truth ? compare_truth(&run, &passed, &err) : judge(&run, &err);
    }
    qc_table_free(&run.table);
    experiment_free(&run.exp);
    if (!fine)
        return stage_failed("qc", &err);
    return passed ? 0 : 1;
}
