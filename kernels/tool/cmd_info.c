// SPDX-License-Identifier: MIT
// cmd_info.c: `kintsugi-image info [PATH]`: what an image file or a project directory holds;
// without a path, where this machine computes.
#include "device/gpu_plugin.h"
#include "tool/stage.h"
#include "tool/verbs.h"

#include <sys/stat.h>

static struct {
    struct common common;
} o;
static const char *path;

static const struct option rows[] = {
    {"json", OPTION_FLAG, "", "", "print one JSON object on stdout", &o.common.json},
};
static const struct operand operands[] = {
    {"PATH", "a TIFF file or a project's directory; default: the GPUs of this machine", &path,
     true}};
static const struct command command = {
    "info",   "Shows what an image file or a project holds, or which GPUs this machine has.",
    rows,     ROWS(rows),
    operands, 1,
    NULL};

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

static const char *unstated(const struct experiment *exp, unsigned what)
{
    return exp->assumed & what ? " (not stated)" : "";
}

static void print_experiment(const struct experiment *exp)
{
    char extent[120];
    experiment_extent(exp, extent, sizeof extent);
    printf("%s: %s (rows x columns), overlap %.0f %%\n", path, extent, exp->overlap * 100);
    printf("  pixel %g nm%s, plane distance %g nm%s, NA %g%s\n", exp->xy_nm,
           unstated(exp, EXPERIMENT_XY), exp->z_nm, unstated(exp, EXPERIMENT_Z), exp->na,
           unstated(exp, EXPERIMENT_NA));
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

/* ---- where this machine computes ------------------------------------------------------------- */

/* Opens a device as a stage would; false: why says what is wrong with the card. */
static bool card_works(struct kin_error *why)
{
    struct device *dev = device_open(DEVICE_GPU, 0, why);
    device_close(dev);
    return dev != NULL;
}

static void print_cards(const struct gpu_report *gpu, const struct kin_error *why)
{
    const double gb = 1e9;
    for (int i = 0; i < gpu->count; i++)
        printf("GPU %d: %s, compute capability %d.%d, %.1f of %.1f GB free%s\n", i,
               gpu->cards[i].name, gpu->cards[i].major, gpu->cards[i].minor,
               (double)gpu->cards[i].free / gb, (double)gpu->cards[i].total / gb,
               i ? " (not used: CUDA_VISIBLE_DEVICES says which one comes first)" : "");
    if (gpu->count)
        printf("CUDA %d.%d, driver for CUDA %d.%d; %s\n", gpu->runtime / 1000,
               gpu->runtime % 1000 / 10, gpu->driver / 1000, gpu->driver % 1000 / 10, gpu->plugin);
    if (why->code == KIN_OK)
        printf("--device auto and --device gpu compute on GPU 0.\n");
    else
        printf("No GPU is used: %s.\n--device auto computes on the CPU, --device gpu stops.\n",
               why->text);
}

static void print_cards_json(const struct gpu_report *gpu, const struct kin_error *why)
{
    struct js *root = js_object(), *cards = js_array();
    js_set_text(root, "device", why->code == KIN_OK ? "gpu" : "cpu");
    js_set_text(root, "why", why->text);
    js_set_number(root, "driver", gpu->driver);
    js_set_number(root, "runtime", gpu->runtime);
    for (int i = 0; i < gpu->count; i++) {
        struct js *card = js_object();
        js_set_text(card, "name", gpu->cards[i].name);
        js_set_number(card, "capability", gpu->cards[i].major + 0.1 * gpu->cards[i].minor);
        js_set_number(card, "free", (double)gpu->cards[i].free);
        js_set_number(card, "total", (double)gpu->cards[i].total);
        js_push(cards, card);
    }
    js_set(root, "cards", cards);
    js_print(root, stdout);
    js_free(root);
}

static bool machine_info(void)
{
    struct gpu_report gpu;
    struct kin_error why = {0};
    if (gpu_look(&gpu, &why))
        card_works(&why);
    (o.common.json ? print_cards_json : print_cards)(&gpu, &why);
    return true;
}

int cmd_info(int argc, char **argv)
{
    struct kin_error err = {0};
    struct stat st;
    int status;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    bool is_dir = path && !stat(path, &st) && S_ISDIR(st.st_mode);
    bool good = !path ? machine_info() : is_dir ? project_info(&err) : image_info(&err);
    return good ? 0 : stage_failed("info", &err);
}
