"""Positions of 63 tiles, flat-fielded alike for everyone: beside m2stitch and ASHLAR."""
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
    """rms and largest distance from the truth, px, and the median correlation of the overlaps."""
    places = np.asarray(places, float)
    truth = ["-", "-"]
    if t.truth is not None:
        off = places - t.truth
        off = np.hypot(*(off - off.mean(0)).T)
        truth = [np.sqrt((off**2).mean()), off.max()]
    return [*truth, np.median(overlaps(places.round().astype(int), t, images))]


def overlaps(at, t, images):
    h, w = images.shape[1:]
    index = {g: k for k, g in enumerate(t.grid)}
    found = []
    for (row, col), k in index.items():
        for beside in ((row, col + 1), (row + 1, col)):
            if beside not in index:
                continue
            dy, dx = at[index[beside]] - at[k]
            a = images[k][max(dy, 0):h + min(dy, 0), max(dx, 0):w + min(dx, 0)]
            b = images[index[beside]][max(-dy, 0):h + min(-dy, 0), max(-dx, 0):w + min(-dx, 0)]
            found.append(correlation(a, b) if a.size > 100 else 0)
    return found


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
    table = Table(f"stitch: {t.name}, 110 pairs", ["rms px", "largest px", "median overlap NCC"])
    places, seconds = kintsugi(t, images, place)
    table.row("kintsugi-image", seconds, errors(places, t, images))
    module = peer("m2stitch")
    for threshold in (0.5, 0.05) if module else ():
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
    compare(tiles.made(place), place)
    real = tiles.brain()
    if real:
        compare(real, place)
