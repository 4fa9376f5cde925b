"""Positions of tiles, flat-fielded alike for everyone: beside m2stitch and ASHLAR."""
import contextlib
import csv
import io
import os

import numpy as np
import tifffile

import tiles
from common import Table, clock, correlation, ours, peer


def corrected(t):
    zoom = [np.linspace(0, n - 1, m).round().astype(int) for n, m in zip(t.flat.shape, t.tiles.shape[1:])]
    flat = t.flat[np.ix_(*zoom)]
    return np.clip((t.tiles - t.dark) / (flat / flat.mean()), 0, 65535).round().astype(np.uint16)


def errors(places, t, images):
    """rms and largest distance from the truth, px; the median correlation of the overlaps; how far overlaps would have
    to be moved to correlate best, px: the median of those that show something, and how many by more than one."""
    places = np.asarray(places, float)
    truth = ["-", "-"]
    if t.truth is not None:
        off = places - t.truth
        off = np.hypot(*(off - off.mean(0)).T)
        truth = [np.sqrt((off**2).mean()), off.max()]
    pairs = list(neighbours(t))
    at = places.round().astype(int)
    found = [overlap(images[k], images[m], at[m] - at[k]) for k, m in pairs]
    moved = [best_move(images[k], images[m], places[m] - places[k]) for k, m in pairs]
    moved = [m for m in moved if m is not None]
    return [*truth, np.median(found), np.median(moved), f"{sum(m > 1 for m in moved)} of {len(moved)}"]


def neighbours(t):
    index = {g: k for k, g in enumerate(t.grid)}
    for (row, col), k in index.items():
        for beside in ((row, col + 1), (row + 1, col)):
            if beside in index:
                yield k, index[beside]


def overlap(a, b, move):
    """The correlation of a with b that lies dy, dx further; 0 where hardly anything is left of it."""
    h, w = a.shape
    dy, dx = move
    a = a[max(dy, 0):h + min(dy, 0), max(dx, 0):w + min(dx, 0)]
    b = b[max(-dy, 0):h + min(-dy, 0), max(-dx, 0):w + min(-dx, 0)]
    return correlation(a, b) if a.size > 100 else 0


def best_move(a, b, move):
    """How far from there the two correlate best, px, within 6: the top of a parabola through whole pixels. None: no
    more than 0.5 anywhere."""
    reach = 6
    whole = move.round().astype(int)
    score = np.array([[overlap(a, b, whole + (y, x)) for x in range(-reach, reach + 1)]
                      for y in range(-reach, reach + 1)])
    y, x = np.unravel_index(np.argmax(np.nan_to_num(score)), score.shape)
    if not score[y, x] > 0.5:
        return None

    def top(line, at):
        if not 0 < at < 2 * reach:
            return at - reach
        low, mid, high = line[at - 1:at + 2]
        return at - reach + (low - high) / (2 * (low - 2 * mid + high))

    return np.hypot(*(whole + (top(score[:, x], y), top(score[y], x)) - move))


def kintsugi(t, images, place):
    path, out = os.path.join(place, "tiles.tif"), os.path.join(place, "positions.csv")
    tifffile.imwrite(path, images, photometric="minisblack")
    seconds = ours("stitch", path, t.rows, t.cols, t.overlap, t.start_right, out)
    with open(out) as file:
        return [(float(r["y"]), float(r["x"])) for r in csv.DictReader(file)], seconds


def m2stitch_places(module, t, images, threshold):
    with contextlib.redirect_stderr(io.StringIO()):
        grid, _ = module.stitch_images(images, [g[0] for g in t.grid], [g[1] for g in t.grid], row_col_transpose=False,
                                       ncc_threshold=threshold)
    return np.stack([grid["y_pos"], grid["x_pos"]], 1)


def ashlar_places(reg, t, images):
    shape = np.array(images.shape[1:])

    class Meta(reg.Metadata):
        _num_images, num_channels, pixel_size, pixel_dtype = len(images), 1, 0.377, np.dtype(np.uint16)

        def tile_position(self, i):
            return np.array(t.grid[i]) * shape * (1 - t.overlap)

        def tile_size(self, i):
            return shape

    class Memory(reg.Reader):
        metadata, path = Meta(), ""

        def read(self, series, c):
            return images[series]

    aligner = reg.EdgeAligner(Memory(), do_make_thumbnail=False)
    aligner.run()
    return aligner.positions


def compare(t, place):
    images = corrected(t)
    table = Table(f"stitch: {t.name}, {len(list(neighbours(t)))} pairs",
                  ["rms px", "largest px", "median overlap NCC", "median residual px", "residuals > 1 px"])
    places, seconds = kintsugi(t, images, place)
    table.row("kintsugi-image", seconds, errors(places, t, images))
    module = peer("m2stitch")
    for threshold in (0.5, t.m2stitch_threshold) if module else ():
        try:
            places, seconds = clock(lambda: m2stitch_places(module, t, images, threshold))
            table.row(f"m2stitch, ncc_threshold {threshold}", seconds, errors(places, t, images), 10)
        except Exception as why:
            print(f"| m2stitch, ncc_threshold {threshold} | fails: {why} | | | | | |")
    reg = peer("ashlar.reg")
    if reg:
        places, seconds = clock(lambda: ashlar_places(reg, t, images))
        table.row("ASHLAR, EdgeAligner", seconds, errors(places, t, images), 2)


def run(place):
    for t in (tiles.made(place), tiles.brain(), tiles.mist()):
        if t:
            compare(t, place)
