// SPDX-License-Identifier: MIT
// A small project's quality, from its files to the page: numbers are read where a stage wrote them
// and measured where not, the page needs nothing but itself, names cannot break it, and the truth
// of a phantom is compared.
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qc/gather.h"
#include "qc/page.h"
#include "qc/svg.h"
#include "qc/truth.h"
#include "qc/view.h"

#include "test.h"

enum { H = 80, W = 120 };

static char dir[] = "/tmp/kintsugi-page-XXXXXX";

static void put_text(const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void remove_below(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
}

static void put_image(const char *name, int seed, float shift)
{
    char path[200];
    struct kin_image image;
    kin_image_alloc(&image, (struct kin_dims){1, H, W}, KIN_U16, NULL);
    for (int i = 0; i < H * W; i++) {
        int y = i / W, x = i % W;
        double v = 500 + shift + 200 * sin(y * 0.3 + seed) * cos(x * 0.2) + (i * 2654435761u >> 28);
        kin_u16(&image)[i] = (uint16_t)fmax(v, 0);
    }
    snprintf(path, sizeof path, "%s/%s", dir, name);
    kin_tiff_write(path, &image, NULL, NULL);
    kin_image_free(&image);
}

static void make_project(void)
{
    static const char *const dirs[] = {"meta",
                                       "data",
                                       "data/processed",
                                       "data/processed/qc",
                                       "data/processed/edf",
                                       "data/processed/edf/cyc01",
                                       "data/processed/deconvolved",
                                       "data/processed/deconvolved/cyc02",
                                       "data/processed/deconvolved/cyc02/CH1",
                                       "data/processed/registered",
                                       "data/processed/registered/cyc01",
                                       "data/processed/registered/cyc02",
                                       "data/processed/signal_isolated",
                                       "qc_plots",
                                       "truth"};
    char path[200];
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, dirs[i]);
        mkdir(path, 0777);
    }
    put_text("meta/experiment.json",
             "{\"n_cycles\": 2, \"channels_per_cycle\": 2, \"n_zplanes\": 3, \"tile_rows\": 1, "
             "\"tile_cols\": 2}");
    put_text("meta/CHANNELNAMES.txt", "DAPI\nBlank\nDAPI\n<b>CD4&\"\n");
    put_image("data/processed/edf/cyc01/DAPI.tif", 1, 0);
    put_image("data/processed/registered/cyc01/DAPI.tif", 1, 0);
    put_image("data/processed/registered/cyc01/Blank.tif", 3, 0);
    put_image("data/processed/registered/cyc02/DAPI.tif", 1, 100);
    put_image("data/processed/registered/cyc02/<b>CD4&\".tif", 2, 0);
    put_image("data/processed/signal_isolated/<b>CD4&\".tif", 2, -200);
    put_text("data/processed/qc/registration.json",
             "{\"stage\": \"registration\", \"cycles\": [{\"cycle\": 2, \"ncc\": 0.31, "
             "\"agreeing\": 0.9, \"folds\": 0, "
             "\"displacement_median_px\": 2.5, \"note\": \"the field <script>\", \"map\": "
             "{\"rows\": 1, \"cols\": 2, "
             "\"ncc\": [0.3, 0.4], \"displacement_px\": [1, 2]}}]}");
    put_text("data/processed/qc/registration_planes.json",
             "{\"stage\": \"registration\", \"cycles\": [{\"cycle\": 2, \"detail\": 0.2, "
             "\"least_light\": 0.5}]}");
    put_text("data/processed/qc/isolate.json",
             "{\"stage\": \"isolate\", \"channels\": [{\"cycle\": 2, \"channel\": 2, "
             "\"blank_shift_px\": 16}]}");
    put_text("data/processed/qc/stitch_cyc01.json",
             "{\"stage\": \"stitch\", \"cycle\": 1, \"height\": 80, \"width\": 120, "
             "\"residual_rms\": 0.4, \"tiles\": "
             "[{\"tile\": 1, \"y\": 0, \"x\": 0}, {\"tile\": 2, \"y\": 1, \"x\": 60}], \"edges\": "
             "[{\"from\": 1, \"to\": "
             "2, \"ncc\": 0.7, \"accepted\": true, \"residual\": 0.1}], \"planes\": [{\"channel\": "
             "1, \"z\": 2, "
             "\"mean\": 700, \"noise\": 5, \"saturated\": 0.2, \"sharpness\": 0.3}]}");
}

static const struct qc_value *find(const struct qc_table *table, const char *stage,
                                   const char *metric, int cycle)
{
    for (int i = 0; i < table->value_count; i++)
        if (!strcmp(table->values[i].stage, stage) && !strcmp(table->values[i].metric, metric) &&
            table->values[i].cycle == cycle)
            return &table->values[i];
    return NULL;
}

static void gather_all(const struct experiment *exp, struct qc_table *table)
{
    struct qc_gather g = {.project = dir, .exp = exp, .threads = 2};
    struct kin_error err = {0};
    bool fine = true;
    for (int s = 0; s < QC_STAGES; s++)
        fine = fine && qc_gather_stage(&g, s, table, &err);
    qc_table_judge_planes(table);
    qc_table_sort(table);
    ok(fine, "all stages are gathered: %s", err.text);
}

static void numbers(const struct qc_table *table)
{
    const struct qc_value *v = find(table, "registration", "ncc", 2);
    ok(v && v->value == 0.31 && v->status == QC_YELLOW, "a stage's own number is read and judged");
    v = find(table, "registration", "displacement_median_px", 2);
    ok(v && v->status == QC_RED, "a large displacement is red");
    v = find(table, "registration", "detail", 2);
    ok(v && v->status == QC_YELLOW, "a cycle less sharp than the reference is doubtful");
    v = find(table, "registration", "least_light", 2);
    ok(v && v->status == QC_GREEN, "a cycle that is half as bright somewhere is not");
    v = find(table, "isolate", "blank_shift_px", 2);
    ok(v && v->status == QC_YELLOW, "a blank beside its place is doubtful");
    v = find(table, "stitch", "saturated", 1);
    ok(v && v->value == 0.2 && v->z == 2,
       "a plane that a stage reported is judged with its plane number");
    v = find(table, "stitch", "accepted_edges", 1);
    ok(v && v->value == 1, "pairs are counted");
    v = find(table, "edf", "snr_fg", 1);
    ok(v && v->value > 3, "an image that no stage reported is measured");
    v = find(table, "registration", "bleaching", 2);
    ok(v && fabs(v->value - 1) < 0.01, "an offset is no bleaching");
    ok(table->note_count == 1, "a stage's note is kept");
}

/* A channel that saw nothing: nothing in it tells how noisy it is, and it is red. */
static void black_channel(const struct experiment *exp)
{
    struct qc_table table = {0};
    struct kin_image image = {0};
    char path[200];
    snprintf(path, sizeof path, "%s/data/processed/edf/cyc01/Blank.tif", dir);
    ok(kin_image_alloc(&image, (struct kin_dims){1, H, W}, KIN_U16, NULL) &&
           kin_tiff_write(path, &image, NULL, NULL),
       "a black image is written");
    kin_image_free(&image);
    gather_all(exp, &table);
    const struct qc_value *v = NULL;
    for (int i = 0; i < table.value_count; i++)
        if (!strcmp(table.values[i].stage, "edf") && !strcmp(table.values[i].metric, "zero") &&
            table.values[i].channel == 2)
            v = &table.values[i];
    ok(v && v->value == 1 && v->status == QC_RED, "a black image is red");
    qc_table_free(&table);
    unlink(path);
    snprintf(path, sizeof path, "%s/data/processed/qc/planes/edf_cyc01.json", dir);
    unlink(path);
}

/* Files that are no reports: each is said once, and nothing else changes. */
static void odd_reports(const struct experiment *exp)
{
    static const struct {
        const char *name, *text, *why; /* NULL: a report */
    } files[] = {
        {"a_list.json", "[{\"stage\": \"stitch\"}]", "no JSON object"},
        {"number.json", "5", "no JSON object"},
        {"text.json", "\"stitch\"", "no JSON object"},
        {"null.json", "null", "no JSON object"},
        {"nothing.json", "{}", "its \"stage\" is none of"},
        {"stranger.json", "{\"stage\": \"sorting\", \"ncc\": 0.01}", "its \"stage\" is none of"},
        {"no_name.json", "{\"stage\": [\"stitch\"]}", "its \"stage\" is none of"},
        {"channels.json", "{\"stage\": \"edof\", \"channels\": {\"1\": {}}}",
         "\"channels\" is not a list"},
        {"edges.json", "{\"stage\": \"stitch\", \"edges\": 12}", "\"edges\" is not a list"},
        {"plain.json", "{\"stage\": \"decon\", \"cycle\": 1}", NULL},
    };
    enum { FILES = sizeof files / sizeof *files };
    struct qc_table table = {0};
    struct qc_gather g = {.project = dir, .exp = exp, .threads = 1};
    struct kin_error err = {0};
    char path[300];
    ok(qc_gather_odd(&g, &table, &err) && !table.value_count && !table.note_count,
       "reports of stages are not odd %s", err.text);
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "data/processed/qc/%s", files[i].name);
        put_text(path, files[i].text);
    }
    ok(qc_gather_odd(&g, &table, &err), "files that are none do no harm %s", err.text);
    for (int i = 0; i < FILES; i++) {
        int rows = 0, notes = 0;
        for (int k = 0; k < table.value_count; k++)
            rows += !strcmp(table.values[k].marker, files[i].name) &&
                    table.values[k].status == QC_YELLOW;
        for (int k = 0; k < table.note_count; k++)
            notes += files[i].why &&
                     !strncmp(table.notes[k], files[i].name, strlen(files[i].name)) &&
                     strstr(table.notes[k], files[i].why);
        ok(rows == (files[i].why != NULL) && notes == rows, "%s: %s", files[i].name,
           files[i].why ? files[i].why : "a report");
        snprintf(path, sizeof path, "%s/data/processed/qc/%s", dir, files[i].name);
        unlink(path);
    }
    qc_table_free(&table);
}

/* Numbers that the metric cannot have are not judged: a correlation of 87 is no good one. */
static void odd_numbers(const struct experiment *exp)
{
    static const struct {
        const char *text, *note; /* NULL: it can be */
    } reports[] = {
        {"{\"stage\": \"registration\", \"cycles\": [{\"cycle\": 2, \"ncc\": 87}]}",
         "ncc is 87, which it cannot be"},
        {"{\"stage\": \"registration\", \"cycles\": [{\"cycle\": 2, \"folds\": -1}]}",
         "folds is -1, which it cannot be"},
        {"{\"stage\": \"registration\", \"cycles\": [{\"cycle\": 2, \"agreeing\": \"inf\"}]}",
         "agreeing is inf, which it cannot be"},
        {"{\"stage\": \"registration\", \"planes\": [{\"cycle\": 2, \"channel\": 1, \"mean\": 5, "
         "\"zero\": 0, \"saturated\": -3}]}",
         "saturated is -3, which it cannot be"},
        {"{\"stage\": \"registration\", \"cycles\": [{\"cycle\": 2, \"ncc\": -1}]}", NULL},
    };
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        struct qc_table table = {0};
        struct qc_gather g = {.project = dir, .exp = exp, .threads = 1};
        struct kin_error err = {0};
        int odd = 0, notes = 0;
        put_text("data/processed/qc/zz.json", reports[i].text);
        bool fine = qc_gather_stage(&g, QC_REGISTRATION, &table, &err);
        qc_table_judge_planes(&table);
        for (int k = 0; k < table.value_count; k++)
            odd += !strcmp(table.values[k].metric, "odd_reports");
        for (int k = 0; k < table.note_count; k++)
            notes += reports[i].note && strstr(table.notes[k], reports[i].note);
        ok(fine && odd == (reports[i].note != NULL) && notes == odd, "%s: %s", reports[i].text,
           reports[i].note ? reports[i].note : "judged");
        qc_table_free(&table);
    }
    char path[300];
    snprintf(path, sizeof path, "%s/data/processed/qc/zz.json", dir);
    unlink(path);
}

/* What was measured before and is not what it should be is measured again. */
static void kept_planes(const struct experiment *exp)
{
    static const char *const kept[] = {"[]", "{\"planes\": 3}", "{}", "7"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        struct qc_table table = {0};
        struct kin_error err = {0};
        struct qc_gather g = {.project = dir, .exp = exp, .threads = 1};
        put_text("data/processed/qc/planes/edf_cyc01.json", kept[i]);
        ok(qc_gather_stage(&g, QC_EDF, &table, &err) && table.entry_count == 1,
           "kept numbers that are %s are measured again %s", kept[i], err.text);
        qc_table_free(&table);
    }
}

/* A marker has got another name: its images under the old one are told, those of maps, of channels
 * and of all channels together are not. */
static void renamed_marker(const struct experiment *exp)
{
    static const char *const files[] = {"edf/cyc01/CD4.tif",
                                        "edf/cyc01/zmap_DAPI.tif",
                                        "registered/cyc01/DAPI_CH2.tif",
                                        "registered/cyc02/Blank.tif",
                                        "signal_isolated/DAPI_cyc02.tif",
                                        "signal_isolated/Blank_cyc02.tif",
                                        "signal_isolated/isolated.ome.tif",
                                        "signal_isolated/Blank.tif"};
    static const char *const told[] = {
        "edf/cyc01/CD4.tif is the image of no channel", "registered/cyc01/DAPI_CH2.tif",
        "registered/cyc02/Blank.tif", "signal_isolated/Blank_cyc02.tif"};
    enum { FILES = sizeof files / sizeof *files, TOLD = sizeof told / sizeof *told };
    struct qc_gather g = {.project = dir, .exp = exp, .threads = 1};
    struct qc_table table = {0};
    struct kin_error err = {0};
    char path[300];
    int notes = 0;
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "data/processed/%s", files[i]);
        put_image(path, 1, 0);
    }
    for (int s = QC_EDF; s < QC_STAGES; s++)
        qc_gather_stage(&g, s, &table, &err);
    for (int k = 0; k < table.note_count; k++)
        notes += strstr(table.notes[k], "the image of no channel") != NULL;
    ok(notes == TOLD, "%d images of no channel are told", notes);
    for (int i = 0; i < TOLD; i++) {
        bool found = false;
        for (int k = 0; k < table.note_count; k++)
            found |= strstr(table.notes[k], told[i]) != NULL;
        ok(found, "%s", told[i]);
    }
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/data/processed/%s", dir, files[i]);
        unlink(path);
    }
    qc_table_free(&table);
}

// A stage that a new name does not concern has written the old one. Signal is not asked of a blank.
static void channel_renamed(const struct experiment *exp)
{
    struct qc_gather g = {.project = dir, .exp = exp, .threads = 1};
    struct qc_table table = {0};
    struct kin_error err = {0};
    put_text("data/processed/qc/stitch_cyc02.json",
             "{\"stage\": \"stitch\", \"cycle\": 2, \"illumination\": [{\"channel\": 1, "
             "\"marker\": \"Blank\", \"signal\": 0.1}], \"channels\": [{\"channel\": 1, "
             "\"marker\": \"Blank\", \"note\": \"dim\"}], \"planes\": [{\"channel\": 1, "
             "\"marker\": \"Blank\", \"z\": 1, \"mean\": 700, \"noise\": 5}]}");
    put_text("data/processed/qc/stitch_cyc09.json",
             "{\"stage\": \"stitch\", \"cycle\": 1, \"illumination\": [{\"channel\": 2, "
             "\"marker\": \"CD8\", \"signal\": 0.1}]}");
    bool fine = qc_gather_stage(&g, QC_STITCH, &table, &err), noted = false;
    const struct qc_value *v = find(&table, "stitch", "signal", 2);
    ok(fine && v && !strcmp(v->marker, "DAPI") && !find(&table, "stitch", "signal", 1),
       "a number bears the name that its channel has now; that of a blank is not judged");
    for (int i = 0; i < table.entry_count; i++)
        if (table.entries[i].cycle == 2)
            ok(!strcmp(table.entries[i].marker, "DAPI"), "so does a plane");
    for (int i = 0; i < table.note_count; i++)
        noted |= strstr(table.notes[i], "stitch, cycle 2 DAPI: dim") != NULL;
    ok(noted, "and a note");
    remove_below("data/processed/qc/stitch_cyc02.json");
    remove_below("data/processed/qc/stitch_cyc09.json");
    qc_table_free(&table);
}

// The folders of a cycle that was taken out may stay, and its reports do.
static void cycle_taken_out(const struct experiment *exp)
{
    struct qc_gather g = {.project = dir, .exp = exp, .threads = 1};
    struct qc_table table = {0};
    struct kin_error err = {0};
    put_text("data/processed/qc/stitch_cyc03.json",
             "{\"stage\": \"stitch\", \"cycle\": 3, \"foreign_tiles\": 9, \"note\": \"dim\"}");
    bool fine = qc_gather_stage(&g, QC_STITCH, &table, &err);
    ok(fine && !find(&table, "stitch", "foreign_tiles", 3) && !table.note_count,
       "a cycle that the experiment has no more is not judged");
    remove_below("data/processed/qc/stitch_cyc03.json");
    put_text("data/processed/qc/zz_registration.json",
             "{\"stage\": \"registration\", \"cycles\": [{\"cycle\": 3, \"refused\": true, "
             "\"why\": \"torn\", \"folds\": 2}], \"planes\": [{\"cycle\": 3, \"channel\": 1, "
             "\"mean\": 5, \"noise\": 1}]}");
    fine = qc_gather_stage(&g, QC_REGISTRATION, &table, &err);
    bool told = find(&table, "registration", "folds", 3) ||
                find(&table, "registration", "refused", 3);
    for (int i = 0; i < table.note_count; i++)
        told |= strstr(table.notes[i], "torn") != NULL;
    for (int i = 0; i < table.entry_count; i++)
        told |= table.entries[i].cycle == 3;
    ok(fine && !told, "nor is it where a report is of several");
    remove_below("data/processed/qc/zz_registration.json");
    qc_table_free(&table);
}

// cleanup_safe takes planes away that were measured; the sentinel stays.
static void planes_gone(const struct experiment *exp)
{
    struct qc_gather g = {.project = dir, .exp = exp, .threads = 1};
    struct qc_table table = {0};
    struct kin_error err = {0};
    put_image("data/processed/deconvolved/cyc02/CH1/deconv_001.tif", 1, 0);
    put_text("data/processed/deconvolved/cyc02/.snakemake_complete", "\n");
    bool fine = qc_gather_stage(&g, QC_DECON, &table, &err);
    remove_below("data/processed/deconvolved/cyc02/CH1/deconv_001.tif");
    int before = table.entry_count;
    fine = fine && qc_gather_stage(&g, QC_DECON, &table, &err);
    ok(fine && before == 1 && table.entry_count == 2,
       "planes that were removed keep their numbers: %s", err.text);
    remove_below("data/processed/deconvolved/cyc02/.snakemake_complete");
    fine = qc_gather_stage(&g, QC_DECON, &table, &err);
    ok(fine && table.entry_count == 2, "not so where the stage has to run again");
    qc_table_free(&table);
}

static char *read_file(const char *name)
{
    char path[200], *text = calloc(1, 4 << 20);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "r");
    if (file) {
        text[fread(text, 1, (4 << 20) - 1, file)] = 0;
        fclose(file);
    }
    return text;
}

/* Every value from 450 to 550 is there: no bin between may be empty, whatever the range. */
static void histogram(void)
{
    char path[200];
    struct qc_view view;
    struct kin_image image;
    struct kin_error err = {0};
    kin_image_alloc(&image, (struct kin_dims){1, H, W}, KIN_U16, NULL);
    for (int i = 0; i < H * W; i++)
        kin_u16(&image)[i] = (uint16_t)(450 + i % 101);
    snprintf(path, sizeof path, "%s/ramp.tif", dir);
    kin_tiff_write(path, &image, NULL, NULL);
    kin_image_free(&image);
    bool good = qc_view_read(path, 64, 32, &view, &err), gap = false;
    int first = QC_BINS, last = 0;
    double sum = 0;
    for (int i = 0; good && i < QC_BINS; i++) {
        first = view.bins[i] > 0 && i < first ? i : first;
        last = view.bins[i] > 0 ? i : last;
        sum += view.bins[i];
    }
    for (int i = first; i < last; i++)
        gap |= view.bins[i] <= 0;
    ok(good && !gap && fabs(sum - 1) < 1e-9 && view.bin_top >= 550, "a histogram has no gaps %s",
       err.text);
    if (good)
        qc_view_free(&view);
}

static void page(const struct experiment *exp, const struct qc_table *table)
{
    char plots[200];
    struct kin_error err = {0};
    struct qc_page p = {dir, exp, table, NULL};
    snprintf(plots, sizeof plots, "%s/qc_plots", dir);
    ok(qc_page_write(&p, plots, &err) && qc_csv_write(&p, plots, &err), "the page is written: %s",
       err.text);
    char *html = read_file("qc_plots/index.html"),
         *csv = read_file("qc_plots/registration_heatmap.csv");
    ok(strstr(html, "</html>") && strstr(html, "data:image/png;base64,iVBOR"),
       "with its pictures inside");
    ok(!strstr(html, "http:") && !strstr(html, "https:") && !strstr(html, "src='/"),
       "and nothing outside");
    ok(!strstr(html, "<b>CD4") && strstr(html, "&lt;b&gt;CD4&amp;") &&
           !strstr(html, "field <script>"),
       "names and notes cannot break it");
    ok(strstr(html, "<th class='n'><button>cycle</button></th>"), "the keyboard can sort, too");
    ok(strstr(html, "href='#maps'") && !strstr(html, "</a><a"), "its links can go on a new line");
    ok(strstr(html, "Blocks of cycle 2") && strstr(html, "tiles 1 and 2: correlation 0.700"),
       "block maps and seams are drawn");
    ok(strstr(html, "style='fill:#fff'") && strstr(html, "style='fill:#1f2328'"),
       "numbers stand out on dark and on pale cells");
    ok(strstr(html, "edf to registration") && strstr(html, "mean [times]"),
       "changes from stage to stage are told");
    ok(!strncmp(csv, "cycle,channel,marker,mean,", 26) && strstr(csv, "\n2,1,DAPI,"),
       "the table is there as CSV");
    ok(strstr(csv, "\n2,2,\"<b>CD4&\"\"\","), "names with quotes do not break it");
    free(html);
    free(csv);
}

// A cycle's nuclear image, and nothing in its place, and a link to nothing.
static void no_nuclear_image(const struct experiment *exp, const struct qc_table *table)
{
    char plots[200], image[200], kept[200];
    struct kin_error err = {0};
    struct qc_page p = {dir, exp, table, NULL};
    snprintf(plots, sizeof plots, "%s/qc_plots", dir);
    snprintf(image, sizeof image, "%s/data/processed/registered/cyc02/DAPI.tif", dir);
    snprintf(kept, sizeof kept, "%s/kept.tif", dir);
    bool fine = !rename(image, kept) && qc_page_write(&p, plots, &err);
    char *html = read_file("qc_plots/index.html");
    ok(fine && strstr(html, "no image of the nuclear channel") && strstr(html, "</html>"),
       "a cycle without its nuclear image is told: %s", err.text);
    free(html);
    fine = !symlink("nowhere", image);
    ok(fine && !qc_page_write(&p, plots, &err) && strstr(err.text, "cyc02/DAPI.tif: No such file"),
       "one that leads nowhere is named: %s", err.text);
    unlink(image);
    rename(kept, image);
}

static void truth_of(const struct experiment *exp)
{
    struct qc_truth rows[QC_TRUTHS];
    struct kin_error err = {0};
    int n, there = 0;
    ok(!qc_truth_measure(dir, exp, rows, &n, &err), "a project without truth says so: %s",
       err.text);
    put_text("truth/transforms.json",
             "{\"reference_cycle\": 1, \"cycles\": [{\"cycle\": 1, \"A\": [1, 0, 0, 1], \"t\": [0, "
             "0], \"centre\": [39.5, 59.5]}, {\"cycle\": 2, \"A\": [1, 0, 0, 1], \"t\": [3, 4], "
             "\"centre\": [39.5, 59.5]}]}");
    put_text("data/processed/registered/transforms.json",
             "{\"reference_cycle\": 1, \"canvas\": [80, 120], \"cycles\": [{\"cycle\": 1, "
             "\"model\": \"identity\", \"A\": "
             "[[1, 0], [0, 1]], \"t\": [0, 0], \"centre\": [39.5, 59.5]}, {\"cycle\": 2, "
             "\"model\": \"translation\", "
             "\"A\": [[1, 0], [0, 1]], \"t\": [0, 0], \"centre\": [39.5, 59.5]}]}");
    put_image("truth/infocus_c01_ch1.tif", 1, 0);
    put_image("truth/signal_c02_ch2.tif", 2, 0);
    put_image("data/processed/signal_isolated/<b>CD4&\".tif", 2, -500);
    err = (struct kin_error){0};
    ok(qc_truth_measure(dir, exp, rows, &n, &err), "with truth it is compared: %s", err.text);
    for (int i = 0; i < n; i++) {
        if (!strcmp(rows[i].metric, "tre_mean"))
            ok(rows[i].there && fabs(rows[i].value - 5) < 1e-6 && !rows[i].pass,
               "a map that is 5 px off has an error of 5 px and fails");
        if (!strcmp(rows[i].stage, "edf") && !strcmp(rows[i].metric, "ncc"))
            ok(rows[i].there && rows[i].pass && rows[i].value > 0.999,
               "an image that is true passes");
        if (!strcmp(rows[i].stage, "isolate") && !strcmp(rows[i].metric, "ncc"))
            ok(rows[i].there && rows[i].value > 0.8 && rows[i].value < 0.97,
               "what isolation has cut at 0 counts: %g", rows[i].value);
        there += rows[i].there;
    }
    ok(there == 4, "what has not run is missing, not passed (%d rows)", there);
}

// Every line has its name, within the drawing, however many there are.
static void legend(void)
{
    enum { LINES = 20 };
    char name[LINES][16], *drawn = NULL, wanted[16];
    const char *names[LINES];
    double values[LINES];
    size_t len;
    int height = 0, lowest = 0, found = 0;
    for (int i = 0; i < LINES; i++) {
        snprintf(name[i], sizeof name[i], "cyc%d", i + 1);
        names[i] = name[i];
        values[i] = i;
    }
    struct svg_lines lines = {"sharpness", "plane", LINES, 1, values, names};
    FILE *to = open_memstream(&drawn, &len);
    svg_lines(to, &lines);
    fclose(to);
    for (int i = 0; i < LINES; i++) {
        snprintf(wanted, sizeof wanted, ">%s<", names[i]);
        found += strstr(drawn, wanted) != NULL;
    }
    ok(found == LINES, "%d of %d lines are named", found, LINES);
    sscanf(strstr(drawn, "viewBox='"), "viewBox='0 0 300 %d'", &height);
    for (const char *at = drawn; (at = strstr(at, "<text x='")); at++) {
        int y = 0;
        sscanf(at, "<text x='%*[^']' y='%d'", &y);
        lowest = y > lowest ? y : lowest;
    }
    ok(lowest > 150 && lowest < height, "the last row at %d is above the end at %d", lowest,
       height);
    free(drawn);
}

int main(void)
{
    struct experiment exp;
    struct qc_table table = {0};
    struct kin_error err = {0};
    char command[200];
    if (!mkdtemp(dir))
        return 1;
    make_project();
    ok(experiment_read(dir, &exp, &err), "the project is understood: %s", err.text);
    gather_all(&exp, &table);
    numbers(&table);
    black_channel(&exp);
    odd_numbers(&exp);
    odd_reports(&exp);
    kept_planes(&exp);
    renamed_marker(&exp);
    channel_renamed(&exp);
    cycle_taken_out(&exp);
    planes_gone(&exp);
    histogram();
    legend();
    page(&exp, &table);
    no_nuclear_image(&exp, &table);
    truth_of(&exp);
    qc_table_free(&table);
    experiment_free(&exp);
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    return system(command) ? 1 : done();
}
