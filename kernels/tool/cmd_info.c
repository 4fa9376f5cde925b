// SPDX-License-Identifier: MIT
// cmd_info.c: `kintsugi-image info PATH`: what an image file or a project directory holds.
#include "stage.h"
#include "verbs.h"

#include <sys/stat.h>

static struct {
    struct common common;
} o;
static const char *path;

static const struct option rows[] = {
    {"json", OPTION_FLAG, "", "", "as one JSON object on stdout", &o.common.json},
};
static const struct operand operands[] = {{"PATH", "a TIFF file or a project's directory", &path}};
static const struct command command = {
    "info", "Says what an image file or a project holds.", rows, ROWS(rows), operands, 1, NULL};

static const char *type_name(enum kin_type type)
{
    return type == KIN_U8 ? "uint8" : type == KIN_U16 ? "uint16" : "float32";
}

static bool image_info(struct kin_error *err)
{
    struct kin_tiff_info info;
    if (!kin_tiff_info(path, &info, err))
        return false;
    if (!o.common.json) {
        printf("%s: %d x %d pixels, %d page%s, %s\n", path, info.dims.x, info.dims.y, info.dims.z,
               info.dims.z == 1 ? "" : "s", type_name(info.type));
        return true;
    }
    struct js *root = js_object();
    js_set_text(root, "path", path);
    js_set_number(root, "pages", info.dims.z);
    js_set_number(root, "height", info.dims.y);
    js_set_number(root, "width", info.dims.x);
    js_set_text(root, "type", type_name(info.type));
    js_print(root, stdout);
    js_free(root);
    return true;
}

static void print_experiment(const struct experiment *exp)
{
    printf(
        "%s: %d cycles, %d channels, %d planes, %d x %d tiles (rows x columns), overlap %.0f %%\n",
        path, exp->cycles, exp->channels, exp->planes, exp->rows, exp->cols, exp->overlap * 100);
    printf("  pixel %g nm, plane distance %g nm, NA %g\n", exp->xy_nm, exp->z_nm, exp->na);
    for (int cycle = 1; cycle <= exp->cycles; cycle++) {
        printf("  cycle %d:", cycle);
        for (int c = 1; c <= exp->channels; c++)
            printf("%s %s", c == 1 ? "" : ",", experiment_marker(exp, cycle, c));
        putchar('\n');
    }
}

static void print_experiment_json(const struct experiment *exp)
{
    struct js *root = js_object(), *cycles = js_array();
    js_set_number(root, "cycles", exp->cycles);
    js_set_number(root, "channels", exp->channels);
    js_set_number(root, "planes", exp->planes);
    js_set_number(root, "rows", exp->rows);
    js_set_number(root, "cols", exp->cols);
    for (int cycle = 1; cycle <= exp->cycles; cycle++) {
        struct js *names = js_array();
        for (int c = 1; c <= exp->channels; c++)
            js_push_text(names, experiment_marker(exp, cycle, c));
        js_push(cycles, names);
    }
    js_set(root, "markers", cycles);
    js_print(root, stdout);
    js_free(root);
}

static bool project_info(struct kin_error *err)
{
    struct experiment exp;
    if (!experiment_read(path, &exp, err))
        return false;
    (o.common.json ? print_experiment_json : print_experiment)(&exp);
    experiment_free(&exp);
    return true;
}

int cmd_info(int argc, char **argv)
{
    struct kin_error err = {0};
    struct stat st;
    int status;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    bool is_dir = !stat(path, &st) && S_ISDIR(st.st_mode);
    return (is_dir ? project_info(&err) : image_info(&err)) ? 0 : stage_failed("info", &err);
}
