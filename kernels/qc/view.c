// SPDX-License-Identifier: MIT
#include "qc/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/histogram.h"

enum { BAND = 256 };

struct reading {
    struct qc_view *view;
    struct kin_dims dims;
    int k;               // pixels averaged
    uint64_t *sum;       // one row of whole
    uint64_t *histogram; // (KIN_BINS)
    int crop_y, crop_x;  // first pixel of crop
};

static bool view_alloc(struct reading *r, int side, int crop, struct kin_error *err)
{
    struct kin_dims d = r->dims;
    int longest = d.y > d.x ? d.y : d.x;
    r->k = (longest + side - 1) / side;
    struct kin_dims whole = {1, (d.y + r->k - 1) / r->k, (d.x + r->k - 1) / r->k};
    struct kin_dims part = {1, d.y < crop ? d.y : crop, d.x < crop ? d.x : crop};
    r->crop_y = (d.y - part.y) / 2;
    r->crop_x = (d.x - part.x) / 2;
    r->sum = calloc((size_t)whole.x * 2, sizeof *r->sum);
    r->histogram = calloc(KIN_BINS, sizeof *r->histogram);
    if (!r->sum || !r->histogram)
        return kin_fail(err, KIN_MEMORY, "no memory for a view");
    return kin_image_alloc(&r->view->whole, whole, KIN_U16, err) &&
           kin_image_alloc(&r->view->crop, part, KIN_U16, err);
}

static void take_row(struct reading *r, const uint16_t *row, int y)
{
    struct kin_image *whole = &r->view->whole, *crop = &r->view->crop;
    uint64_t *count = r->sum + whole->dims.x;
    for (int x = 0; x < r->dims.x; x++) {
        r->sum[x / r->k] += row[x];
        count[x / r->k]++;
        r->histogram[row[x]]++;
    }
    int cy = y - r->crop_y;
    if (cy >= 0 && cy < crop->dims.y)
        memcpy(kin_u16(crop) + (size_t)cy * crop->dims.x, row + r->crop_x,
               crop->dims.x * sizeof *row);
    if (y % r->k == r->k - 1 || y == r->dims.y - 1) {
        uint16_t *out = kin_u16(whole) + (size_t)(y / r->k) * whole->dims.x;
        for (int x = 0; x < whole->dims.x; x++)
            out[x] = (uint16_t)((r->sum[x] + count[x] / 2) / count[x]);
        memset(r->sum, 0, (size_t)whole->dims.x * 2 * sizeof *r->sum);
    }
}

static void finish_histogram(struct reading *r)
{
    struct qc_view *view = r->view;
    double total = 0;
    r->histogram[0] = 0; // outside the mosaic
    view->low = kin_quantile_u16(r->histogram, 0.01);
    view->high = kin_quantile_u16(r->histogram, 0.998);
    /* bins of whole ADU: between others every few would hold one value less, and gaps would show */
    int width = kin_quantile_u16(r->histogram, 0.999) / QC_BINS + 1;
    view->bin_top = width * QC_BINS;
    for (int v = 1; v < KIN_BINS; v++)
        total += (double)r->histogram[v];
    for (int v = 1; v < KIN_BINS && total > 0; v++) {
        int bin = v / width;
        view->bins[bin < QC_BINS ? bin : QC_BINS - 1] += (double)r->histogram[v] / total;
    }
    if (view->high <= view->low)
        view->high = view->low + 1;
}

static bool read_rows(struct reading *r, struct kin_tiff *file, struct kin_error *err)
{
    uint16_t *band = malloc((size_t)BAND * r->dims.x * sizeof *band);
    bool fine = band || kin_fail(err, KIN_MEMORY, "no memory for a band of rows");
    for (int y = 0; y < r->dims.y && fine; y += BAND) {
        int rows = r->dims.y - y < BAND ? r->dims.y - y : BAND;
        fine = kin_tiff_rows(file, 0, y, rows, band, err);
        for (int i = 0; i < rows && fine; i++)
            take_row(r, band + (size_t)i * r->dims.x, y + i);
    }
    free(band);
    return fine;
}

bool qc_view_read(const char *path, int side, int crop, struct qc_view *view, struct kin_error *err)
{
    struct kin_tiff_info info;
    *view = (struct qc_view){0};
    struct kin_tiff *file = kin_tiff_open(path, &info, err);
    if (!file)
        return false;
    struct reading r = {.view = view, .dims = info.dims};
    bool fine = (info.type == KIN_U16 || kin_fail(err, KIN_INPUT, "%s: not uint16 pixels", path)) &&
                view_alloc(&r, side, crop, err) && read_rows(&r, file, err);
    if (fine)
        finish_histogram(&r);
    else
        qc_view_free(view);
    free(r.sum);
    free(r.histogram);
    kin_tiff_close(file);
    return fine;
}

void qc_view_free(struct qc_view *view)
{
    kin_image_free(&view->whole);
    kin_image_free(&view->crop);
    *view = (struct qc_view){0};
}

// ---- pictures --------------------------------------------------------------------------------

static uint8_t shade(int v, int low, int high)
{
    double f = (double)(v - low) / (high - low);
    return f <= 0 ? 0 : f >= 1 ? 255 : (uint8_t)lround(255 * pow(f, 0.7));
}

bool qc_grey(const struct kin_image *image, int low, int high, struct picture *picture,
             struct kin_error *err)
{
    if (!picture_alloc(picture, image->dims.y, image->dims.x, 1, err))
        return false;
    for (size_t i = 0; i < kin_count(image->dims); i++)
        picture->data[i] = shade(kin_u16(image)[i], low, high);
    return true;
}

static bool common_part(const struct kin_image *a, const struct kin_image *b, int channels,
                        struct picture *picture, struct kin_error *err)
{
    int h = a->dims.y < b->dims.y ? a->dims.y : b->dims.y,
        w = a->dims.x < b->dims.x ? a->dims.x : b->dims.x;
    return picture_alloc(picture, h, w, channels, err);
}

static uint8_t shade_at(const struct kin_image *image, const struct qc_view *range, int y, int x)
{
    return shade(kin_u16(image)[(size_t)y * image->dims.x + x], range->low, range->high);
}

bool qc_red_cyan(const struct kin_image *a, const struct qc_view *range_a,
                 const struct kin_image *b, const struct qc_view *range_b, struct picture *picture,
                 struct kin_error *err)
{
    if (!common_part(a, b, 3, picture, err))
        return false;
    for (int y = 0; y < picture->h; y++)
        for (int x = 0; x < picture->w; x++) {
            uint8_t *to = picture->data + 3 * ((size_t)y * picture->w + x);
            to[0] = shade_at(a, range_a, y, x);
            to[1] = to[2] = shade_at(b, range_b, y, x);
        }
    return true;
}

bool qc_checkerboard(const struct kin_image *a, const struct qc_view *range_a,
                     const struct kin_image *b, const struct qc_view *range_b, int square,
                     struct picture *picture, struct kin_error *err)
{
    if (!common_part(a, b, 1, picture, err))
        return false;
    for (int y = 0; y < picture->h; y++)
        for (int x = 0; x < picture->w; x++) {
            bool first = (y / square + x / square) % 2 == 0;
            picture->data[(size_t)y * picture->w + x] = first ? shade_at(a, range_a, y, x)
                                                              : shade_at(b, range_b, y, x);
        }
    return true;
}
