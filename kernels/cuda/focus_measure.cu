// SPDX-License-Identifier: MIT
/* focus_measure.cu: variance in boxes, averaged over bins, on the GPU.
 *
 * A thread first goes down a column, then makes bins of what the columns have left in shared
 * memory. Instructions bound this sooner than memory does: for common shapes a kernel is made in
 * which all loops are unrolled and a column stays in registers. The most common one goes another
 * way (cuda/focus_columns.cu). */
#include "cuda/focus.h"
#include "core/fold.h"

enum { BOX = 255 }; /* pixels of a side: what it holds fits 32 bits */

namespace {

struct measure {
    const uint16_t *src; /* (rows + 2 radius, w) */
    int rows, w, radius, bin, top;
    int y0, x0;             /* pixels that are not made: rows above, columns to the left */
    int across;             /* bins of a row of the result */
    int high, wide, places; /* of a block of threads, see below */
};

/* What the columns of a block hold, radius more than it makes on both sides. */
struct column_sums {
    /* (bins, places): in the box's rows around each row of a bin, squared, added */
    unsigned long long *squares;
    unsigned *light;  /* (bins, places): in the rows of a bin */
    unsigned *values; /* (high, places): in the box's rows around each */
};

/* The part of a bin that lies in the image: its row among the block's, its first column there, its
 * pixels. */
struct bin_part {
    int j, left, down, across;
};

} // namespace

/* Rows that a block makes and pixels of a row, as many as shared memory has room for, and columns
 * there: a bin may be read in whole groups of four. */
static __host__ __device__ constexpr int high_of(int bin)
{
    return bin == 1 ? 8 : bin < 16 ? 16 / bin * bin : bin;
}

static __host__ __device__ constexpr int wide_of(int radius, int bin)
{
    return bin <= 16 && GPU_THREADS - 2 * radius > bin ? (GPU_THREADS - 2 * radius) / bin * bin
                                                       : bin;
}

static __host__ __device__ constexpr int places_of(int radius, int bin)
{
    return (wide_of(radius, bin) + 2 * radius + 3) / 4 * 4;
}

/* Of n windows of so many samples, each one sample further on, how many see sample k. */
static __device__ constexpr unsigned windows_on(int k, int n, int samples)
{
    return (unsigned)((k < n ? k + 1 : n) - (k < samples ? 0 : k - samples + 1));
}

namespace {

/* A block of which all is known, and all is there. */
template <int radius_, int bin_> struct known_shape {
    typedef unsigned long long sum; /* at most bin^2 box^4 2^32 */
    static_assert(bin_ > 1 || wide_of(radius_, bin_) % 2 == 0, "pairs");
    static_assert(bin_ * bin_ * (2 * radius_ + 1) * (2 * radius_ + 1) < 1 << 16, "sums in 64 bits");

    static __device__ constexpr int radius(const measure &) { return radius_; }
    static __device__ constexpr int bin(const measure &) { return bin_; }
    static __device__ constexpr int high(const measure &) { return high_of(bin_); }
    static __device__ constexpr int wide(const measure &) { return wide_of(radius_, bin_); }
    static __device__ constexpr int places(const measure &) { return places_of(radius_, bin_); }
    static __device__ constexpr int some(int, int whole) { return whole; }

    /* The pixels of a column, in registers. */
    template <typename Read> static __device__ auto column(Read read)
    {
        struct {
            unsigned v[high_of(bin_) + 2 * radius_];
            __device__ unsigned operator()(int i) const { return v[i]; }
        } kept;
        KIN_UNROLL
        for (int i = 0; i < high_of(bin_) + 2 * radius_; i++)
            kept.v[i] = read(i);
        return kept;
    }

    enum { RUN = bin_ == 1 ? 2 : 1 }; /* bins next to each other that a thread makes */

    /* What these see of a row of sums: 8 or 16 bytes at a time where they begin at such places. */
    template <typename T> static __device__ auto line(const T *from)
    {
        enum {
            STEP = RUN * bin_ * sizeof(T),
            MANY = (STEP % 16 == 0  ? 16
                    : STEP % 8 == 0 ? 8
                                    : sizeof(T)) /
                   sizeof(T),
            ALL = (RUN * bin_ + 2 * radius_ + MANY - 1) / MANY
        };
        struct alignas(MANY * sizeof(T)) some {
            T v[MANY];
        };
        struct {
            some v[ALL];
            __device__ T operator[](int i) const { return v[i / MANY].v[i % MANY]; }
        } kept;
        KIN_UNROLL
        for (int i = 0; i < ALL; i++)
            kept.v[i] = ((const some *)from)[i];
        return kept;
    }
};

/* A block as struct measure has it, maybe cut off by an edge. */
struct any_shape {
    typedef unsigned __int128 sum;
    enum { RUN = 1 };
    static __device__ int radius(const measure &m) { return m.radius; }
    static __device__ int bin(const measure &m) { return m.bin; }
    static __device__ int high(const measure &m) { return m.high; }
    static __device__ int wide(const measure &m) { return m.wide; }
    static __device__ int places(const measure &m) { return m.places; }
    static __device__ int some(int left, int whole) { return left < whole ? left : whole; }
    template <typename Read> static __device__ Read column(Read read) { return read; }
    template <typename T> static __device__ const T *line(const T *from) { return from; }
};

} // namespace

/* Column i of those that a block looks at, whose first pixels are (y0, x0). */
template <typename Shape>
static __device__ void add_column(const column_sums &c, const measure &m, int y0, int x0, int i)
{
    const int radius = Shape::radius(m), bin = Shape::bin(m), places = Shape::places(m),
              high = Shape::some(m.rows - y0, Shape::high(m));
    const uint16_t *first = m.src + (size_t)y0 * m.w + kin_mirror(x0 - radius + i, m.w);
    auto pixel = Shape::column([&](int y) {
        int v = first[(size_t)y * m.w];
        return (unsigned)(v < m.top ? v : m.top);
    });
    unsigned values = 0;
    KIN_UNROLL
    for (int y = 0; y < 2 * radius; y++)
        values += pixel(y);
    KIN_UNROLL
    for (int y = 0; y < high; y++) {
        values += pixel(y + 2 * radius);
        c.values[y * places + i] = values;
        values -= pixel(y);
    }
    KIN_UNROLL
    for (int j = 0; j * bin < high; j++) {
        int down = Shape::some(high - j * bin, bin);
        unsigned long long squares = 0;
        unsigned light = 0;
        KIN_UNROLL
        for (int k = 0; k < down + 2 * radius; k++) {
            unsigned v = pixel(j * bin + k);
            squares += (unsigned long long)(v * v) * windows_on(k, down, 2 * radius + 1);
        }
        KIN_UNROLL
        for (int k = 0; k < down; k++)
            light += pixel(j * bin + radius + k);
        c.squares[j * places + i] = squares;
        c.light[j * places + i] = light;
    }
}

template <typename Shape>
static __device__ void make_bin(float *spread, float *level, const column_sums &c, const measure &m,
                                bin_part part)
{
    const int radius = Shape::radius(m), bin = Shape::bin(m), places = Shape::places(m);
    typename Shape::sum boxes = 0, squares = 0;
    unsigned light = 0, box = (2 * radius + 1) * (2 * radius + 1);
    KIN_UNROLL
    for (int k = 0; k < part.down; k++) {
        auto values = Shape::line(c.values + (part.j * bin + k) * places + part.left);
        unsigned held = 0;
        KIN_UNROLL
        for (int i = 0; i < 2 * radius; i++)
            held += values[i];
        KIN_UNROLL
        for (int i = 0; i < part.across; i++) {
            held += values[i + 2 * radius];
            boxes += (unsigned long long)held * held;
            held -= values[i];
        }
    }
    auto column_squares = Shape::line(c.squares + part.j * places + part.left);
    auto column_light = Shape::line(c.light + part.j * places + part.left);
    KIN_UNROLL
    for (int i = 0; i < part.across + 2 * radius; i++)
        squares += (typename Shape::sum)column_squares[i] *
                   windows_on(i, part.across, 2 * radius + 1);
    KIN_UNROLL
    for (int i = 0; i < part.across; i++)
        light += column_light[radius + i];
    put_bin(spread, level, squares, boxes, light, box, part.across * part.down);
}

/* The same of two bins of one pixel each, next to each other: what both see is added once. */
template <typename Shape>
static __device__ void make_two_bins(float *spread, float *level, const column_sums &c,
                                     const measure &m, bin_part part)
{
    const int radius = Shape::radius(m), places = Shape::places(m), last = 2 * radius + 1;
    const unsigned box = last * last;
    int at = part.j * places + part.left;
    auto values = Shape::line(c.values + at);
    auto squares = Shape::line(c.squares + at);
    unsigned held = 0;
    typename Shape::sum squared = 0;
    KIN_UNROLL
    for (int i = 1; i < last; i++) {
        held += values[i];
        squared += squares[i];
    }
    KIN_UNROLL
    for (int k = 0; k < 2; k++) {
        unsigned all = held + values[k * last];
        put_bin(spread + k, level + k, squared + squares[k * last], (typename Shape::sum)all * all,
                c.light[at + radius + k], box, 1);
    }
}

/* The pixels of a block of threads, from (y0, x0) on. */
template <typename Shape>
static __device__ void measure_block(float *spread, float *level, const measure &m, int y0, int x0)
{
    const int radius = Shape::radius(m), bin = Shape::bin(m),
              room = Shape::high(m) / bin * Shape::places(m);
    const int step = Shape::RUN * bin, lanes = GPU_THREADS > step ? GPU_THREADS / step : 1;
    column_sums c = {gpu_shared<unsigned long long>()};
    c.light = (unsigned *)(c.squares + room);
    c.values = c.light + room;
    int me = (int)threadIdx.x;
    int high = Shape::some(m.rows - y0, Shape::high(m)),
        wide = Shape::some(m.w - x0, Shape::wide(m));
    KIN_UNROLL
    for (int first = 0; first < Shape::wide(m) + 2 * radius; first += GPU_THREADS)
        if (first + me < Shape::wide(m) + 2 * radius)
            add_column<Shape>(c, m, y0, x0, first + me);
    __syncthreads();
    int left = me % lanes * step;
    KIN_UNROLL
    for (int first = 0; first * bin < high; first += GPU_THREADS / lanes) {
        int j = first + me / lanes;
        if (j * bin >= high || left >= wide)
            continue;
        bin_part part = {j, left, Shape::some(high - j * bin, bin), Shape::some(wide - left, bin)};
        size_t at = (size_t)(y0 / bin + j) * m.across + (x0 + left) / bin;
        if constexpr (Shape::RUN == 2)
            make_two_bins<Shape>(spread + at, level + at, c, m, part);
        else
            make_bin<Shape>(spread + at, level + at, c, m, part);
    }
}

template <typename Shape>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(5))
    measure_boxes(float *spread, float *level, const __grid_constant__ struct measure m)
{
    int x0 = m.x0 + (int)blockIdx.x * m.wide, y0 = m.y0 + (int)blockIdx.y * m.high;
    if (y0 + m.high <= m.rows && x0 + m.wide <= m.w)
        measure_block<Shape>(spread, level, m, y0, x0);
    else
        measure_block<any_shape>(spread, level, m, y0, x0);
}

/* ---- launchers ------------------------------------------------------------------------------- */

/* Makes the bins from pixel (y0, x0) on. */
static void measure_from(struct device *dev, float *spread, float *level, struct measure m, int y0,
                         int x0)
{
    m.y0 = y0;
    m.x0 = x0;
    auto kernel = m.bin == 1 && m.radius == 3   ? measure_boxes<known_shape<3, 1>>
                  : m.bin == 1 && m.radius == 5 ? measure_boxes<known_shape<5, 1>>
                                                : measure_boxes<any_shape>;
    size_t shared = (size_t)m.places * (size_t)(m.high / m.bin) *
                        (sizeof(unsigned long long) + sizeof(unsigned)) +
                    (size_t)m.places * (size_t)m.high * sizeof(unsigned);
    if (shared > GPU_SHARED || 2 * m.radius + 1 > BOX)
        device_fail(dev, KIN_DEVICE, "bins of %d pixels and a radius of %d are too wide for a GPU",
                    m.bin, m.radius);
    dim3 grid(gpu_pieces((size_t)(m.w - x0), (size_t)m.wide),
              gpu_pieces((size_t)(m.rows - y0), (size_t)m.high));
    gpu_launching(dev, GPU_PLACE("kernel measure_boxes"), kernel, grid, GPU_THREADS,
                  shared)(spread, level, m);
}

void gpu_focus_measure(struct device *dev, float *spread, float *level, const uint16_t *src,
                       struct kin_dims dims, int radius, int bin, int top)
{
    struct measure m = {src,
                        dims.y - 2 * radius,
                        dims.x,
                        radius,
                        bin,
                        top,
                        0,
                        0,
                        (dims.x + bin - 1) / bin,
                        high_of(bin),
                        wide_of(radius, bin),
                        places_of(radius, bin)};
    if (radius == 3 && bin == 4)
        measure_columns(dev, spread, level, src, m.rows, m.w, top);
    else
        measure_from(dev, spread, level, m, 0, 0);
}
