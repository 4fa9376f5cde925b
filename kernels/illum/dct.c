// SPDX-License-Identifier: MIT
// dct.c: the orthonormal DCT-II of N x N values, and its inverse, as products of matrices in
// double.
//
// A row of the basis mirrors itself: c[k][N-1-x] = (-1)^k c[k][x]. Even and odd k are therefore
// products of half the length each, of sums and of differences of what stands mirrored:
//
//     there   out[k even] = even (a[x] + a[N-1-x]),   out[k odd] = odd (a[x] - a[N-1-x])    x < N/2
//     back    p = even^T in[k even], q = odd^T in[k odd],   out[x] = p + q, out[N-1-x] = p - q
#include "core/simd.h"
#include "illum/solver.h"

#include <string.h>

enum { N = ILLUM_SIDE, M = ILLUM_PIXELS, H = N / 2 };
enum { ROWS = 4, COLUMNS = 32 }; /* of a product that are worked out together */

/* Quarters of the basis. */
enum quarter { EVEN, ODD, EVEN_BACK, ODD_BACK }; /* (k, x), (k, x), (x, k), (x, k) */

void solver_dct_basis(float *basis)
{
    for (int k = 0; k < N; k++)
        for (int x = 0; x < H; x++) {
            float v = (float)(sqrt((k ? 2.0 : 1.0) / N) * cos(M_PI * (x + 0.5) * k / N));
            basis[(k % 2 ? ODD : EVEN) * H * H + k / 2 * H + x] = v;
            basis[(k % 2 ? ODD_BACK : EVEN_BACK) * H * H + x * H + k / 2] = v;
        }
}

/* out (ROWS, width) = a (ROWS, H) times b (H, width), whose rows stand `stride` apart; sums of a
 * block of columns stay in registers. */
VECTOR_CLONES static void multiply_rows(double *restrict out, const double *restrict a,
                                        const float *restrict b, int width, int stride)
{
    for (int x0 = 0; x0 < width; x0 += COLUMNS) {
        double s0[COLUMNS] = {0}, s1[COLUMNS] = {0}, s2[COLUMNS] = {0}, s3[COLUMNS] = {0};
        for (int k = 0; k < H; k++) {
            const float *row = b + k * stride + x0;
#pragma omp simd
            for (int x = 0; x < COLUMNS; x++) {
                double v = row[x];
                s0[x] += a[k] * v;
                s1[x] += a[H + k] * v;
                s2[x] += a[2 * H + k] * v;
                s3[x] += a[3 * H + k] * v;
            }
        }
        memcpy(out + x0, s0, sizeof s0);
        memcpy(out + width + x0, s1, sizeof s1);
        memcpy(out + 2 * width + x0, s2, sizeof s2);
        memcpy(out + 3 * width + x0, s3, sizeof s3);
    }
}

/* Four rows of a quarter, as multiply_rows wants them. */
static void take_rows(double *to, const float *basis, enum quarter quarter, int row)
{
    for (int i = 0; i < ROWS * H; i++)
        to[i] = basis[quarter * H * H + row * H + i];
}

/* (ROWS, N) along x, there and back. */
static void rows_there(const float *basis, const double *rows, float *out, int out_stride)
{
    double in[2][ROWS * H], got[2][ROWS * H];
    for (int i = 0; i < ROWS; i++)
        for (int x = 0; x < H; x++) {
            in[0][i * H + x] = rows[i * N + x] + rows[i * N + N - 1 - x];
            in[1][i * H + x] = rows[i * N + x] - rows[i * N + N - 1 - x];
        }
    multiply_rows(got[0], in[0], basis + EVEN_BACK * H * H, H, H);
    multiply_rows(got[1], in[1], basis + ODD_BACK * H * H, H, H);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < N; k++)
            out[i * out_stride + k] = (float)got[k % 2][i * H + k / 2];
}

static void rows_back(const float *basis, const double *rows, float *out, int out_stride)
{
    double in[2][ROWS * H], got[2][ROWS * H];
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < N; k++)
            in[k % 2][i * H + k / 2] = rows[i * N + k];
    multiply_rows(got[0], in[0], basis + EVEN * H * H, H, H);
    multiply_rows(got[1], in[1], basis + ODD * H * H, H, H);
    for (int i = 0; i < ROWS; i++)
        for (int x = 0; x < H; x++) {
            out[i * out_stride + x] = (float)(got[0][i * H + x] + got[1][i * H + x]);
            out[i * out_stride + N - 1 - x] = (float)(got[0][i * H + x] - got[1][i * H + x]);
        }
}

static void there(const float *basis, float *a)
{
    float fold[2][H * N];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < N; x++) {
            fold[0][y * N + x] = a[y * N + x] + a[(N - 1 - y) * N + x];
            fold[1][y * N + x] = a[y * N + x] - a[(N - 1 - y) * N + x];
        }
#pragma omp parallel for schedule(static)
    for (int job = 0; job < 2 * H; job += ROWS) {
        int odd = job >= H, k = job - odd * H; /* of rows of that quarter */
        double weights[ROWS * H], rows[ROWS * N];
        take_rows(weights, basis, odd ? ODD : EVEN, k);
        multiply_rows(rows, weights, fold[odd], N, N);
        rows_there(basis, rows, a + (2 * k + odd) * N, 2 * N);
    }
}

static void back(const float *basis, float *a)
{
    float in[M];
    memcpy(in, a, sizeof in);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < H; y += ROWS) {
        double weights[ROWS * H], p[ROWS * N], q[ROWS * N], near[ROWS * N], far[ROWS * N];
        take_rows(weights, basis, EVEN_BACK, y);
        multiply_rows(p, weights, in, N, 2 * N);
        take_rows(weights, basis, ODD_BACK, y);
        multiply_rows(q, weights, in + N, N, 2 * N);
        for (int i = 0; i < ROWS * N; i++) {
            near[i] = p[i] + q[i];
            far[i] = p[i] - q[i];
        }
        rows_back(basis, near, a + y * N, N);
        rows_back(basis, far, a + (N - 1 - y) * N, -N);
    }
}

void solver_dct(const struct solver *v, float *a, bool inverse)
{
    (inverse ? back : there)(v->basis, a);
}
