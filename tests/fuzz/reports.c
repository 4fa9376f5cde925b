// SPDX-License-Identifier: MIT
/* reports.c: any bytes as one of the files that `kintsugi-image qc` judges a project by, which the
 * first byte selects: refused with a sentence that names the file, or made into numbers that are
 * numbers, a document that is written, and a page that shows what the file says as text. */
#include "folder.h"
#include "qc/gather.h"
#include "qc/page.h"
#include "qc/truth.h"
#include "regist/transforms.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 64 };

static struct experiment exp_;

/* A nuclear channel with something to see, where the truth is looked for. */
static void put_image(const char *name)
{
    struct kin_error err = {0};
    struct kin_image image;
    require(kin_image_alloc(&image, (struct kin_dims){1, SIDE, SIDE}, KIN_U16, &err));
    for (int i = 0; i < SIDE * SIDE; i++)
        kin_u16(&image)[i] = (uint16_t)(100 + i % 7 * (i / SIDE));
    require(kin_tiff_write(path_of(name), &image, NULL, &err));
    kin_image_free(&image);
}

/* Two cycles that lie on each other. */
static void put_transforms(void)
{
    struct kin_error err = {0};
    struct transforms t;
    require(transforms_alloc(&t, 2, &err));
    t.reference = 1;
    t.canvas = (struct kin_dims){1, SIDE, SIDE};
    for (int i = 0; i < 2; i++) {
        t.cycle[i] = i + 1;
        t.result[i] = regist_identity(t.canvas);
    }
    require(transforms_write(&t, path_of("data/processed/registered/transforms.json"), &err));
    transforms_free(&t);
}

static void make_project(void)
{
    static const char *const folders[] = {"meta",
                                          "truth",
                                          "data",
                                          "data/processed",
                                          "qc_plots",
                                          "data/processed/qc",
                                          "data/processed/registered",
                                          "data/processed/stitched",
                                          "data/processed/stitched/cyc01",
                                          "data/processed/stitched/cyc01/CH1"};
    static const char json[] = "{\"tile_rows\": 1, \"tile_cols\": 2, \"n_cycles\": 2, "
                               "\"channels_per_cycle\": 2, \"n_zplanes\": 3}";
    static const char places[] = "tile,row,col,y,x\n1,0,0,0,0\n2,0,1,0,40\n";
    struct kin_error err = {0};
    make_folder(folders, sizeof folders / sizeof *folders);
    put("meta/experiment.json", json, sizeof json - 1);
    put("data/processed/stitched/cyc01/CH1/positions.csv", places, sizeof places - 1);
    put("truth/positions_c01.csv", places, sizeof places - 1);
    put_image("truth/infocus_c01_ch1.tif");
    put_image("truth/flat_ch1.tif");
    put_transforms();
    require(experiment_read(dir, &exp_, &err));
}

static bool is_word(const char *at, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(at, word, n) && !isalnum((unsigned char)at[-1]) &&
           !isalnum((unsigned char)at[n]);
}

/* Nothing but numbers where the page draws, and no element that a report has written. */
static void check_page(void)
{
    FILE *file = fopen(path_of("qc_plots/index.html"), "r");
    require(file && !fseek(file, 0, SEEK_END));
    size_t n = (size_t)ftell(file);
    char *text = calloc(n + 1, 1), *script;
    bool inside = false;
    rewind(file);
    require(text && fread(text, 1, n, file) == n && !fclose(file));
    script = strstr(text, "<script");
    require(script && !strstr(script + 1, "<script"));
    for (char *at = text + 1; at < script; at++) {
        inside = *at == '<' || (inside && *at != '>');
        require(!inside || !(is_word(at, "nan") || is_word(at, "inf")));
    }
    free(text);
}

static void check_quality(void)
{
    struct kin_error err = {0};
    struct qc_gather gather = {dir, &exp_, 1, false, NULL};
    struct qc_table table = {0};
    bool good = true;
    for (int s = 0; s < QC_STAGES && good; s++)
        good = qc_gather_stage(&gather, s, &table, &err);
    qc_table_judge_planes(&table);
    good = good && qc_gather_odd(&gather, &table, &err);
    qc_table_sort(&table);
    require(good || strstr(err.text, "/qc/"));
    for (int i = 0; i < table.value_count; i++)
        require(isfinite(table.values[i].value));
    struct qc_page page = {dir, &exp_, &table, NULL};
    char plots[100];
    snprintf(plots, sizeof plots, "%s/qc_plots", dir);
    if (good) {
        struct js *document = qc_table_js(&table);
        require(js_write(document, path_of("qc_plots/qc.json"), &err));
        js_free(document);
        require(qc_csv_write(&page, plots, &err) && qc_page_write(&page, plots, &err));
        check_page();
    }
    qc_table_free(&table);
}

static void check_truth(void)
{
    struct qc_truth rows[QC_TRUTHS];
    struct kin_error err = {0};
    int n = 0;
    bool good = qc_truth_measure(dir, &exp_, rows, &n, &err);
    require(n >= 0 && n <= QC_TRUTHS && (good || strstr(err.text, dir)));
    for (int i = 0; i < n; i++)
        require(rows[i].there ? !isnan(rows[i].value) : !rows[i].pass);
}

static void put_and_check(const char *name, const uint8_t *text, size_t len, void (*check)(void))
{
    put(name, text, len);
    check();
    unlink(path_of(name));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const char *const json[] = {"data/processed/qc/stitch_cyc01.json",
                                       "data/processed/qc/registration.json",
                                       "data/processed/qc/other.json"};
    if (!exp_.cycles)
        make_project();
    if (!len)
        return 0;
    const uint8_t *text = bytes + 1;
    switch (bytes[0]) {
    case 's': put_and_check(json[0], text, len - 1, check_quality); break;
    case 'g': put_and_check(json[1], text, len - 1, check_quality); break;
    case 'o': put_and_check(json[2], text, len - 1, check_quality); break;
    case 'v': put_and_check("truth/transforms.json", text, len - 1, check_truth); break;
    case 'w':
        put("truth/transforms.json", "{\"cycles\": []}", 14);
        put_and_check("truth/positions_c01.csv", text, len - 1, check_truth);
        break;
    }
    return 0;
}
