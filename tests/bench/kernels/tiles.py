"""Sets of tiles: a made-up 9 x 7 mosaic whose truth is known, the real one of BaSiC's authors, and NIST's 5 x 5 crops of
one real image, whose places are known."""
import csv
import os

import numpy as np
import tifffile

from common import shared, tool


class Tiles:
    """tiles (n, h, w) uint16 in the order of acquisition, a snake of rows; flat: the true field; grid: (row, col) of
    each tile; truth: (y, x) of each, or None."""
    m2stitch_threshold = 0.05  # of 0.5, 0.05 and 0.01 the one with which it errs least


def made(place):
    d = os.path.join(place, "mosaic")
    if not os.path.exists(d):
        tool("phantom", d, "--grid", "9x7", "--tile", "360x480", "--planes", 3, "--channels", 1, "--cycles", 1,
             "--quiet")
    raw = os.path.join(d, "data/raw", os.listdir(os.path.join(d, "data/raw"))[0])
    t = Tiles()
    t.name, t.rows, t.cols, t.overlap, t.start_right = "made-up, 9 x 7 tiles of 360 x 480", 9, 7, 0.3, 0
    t.tiles = np.stack([tifffile.imread(f"{raw}/1_{k:05d}_Z002_CH1.tif") for k in range(1, 64)])
    t.flat = tifffile.imread(f"{d}/truth/flat_ch1.tif")
    t.dark = tifffile.imread(f"{d}/truth/dark_ch1.tif")
    with open(f"{d}/truth/positions_c01.csv") as file:
        rows = list(csv.DictReader(file))
    t.grid = [(int(r["row"]), int(r["col"])) for r in rows]
    t.truth = np.array([(float(r["y"]), float(r["x"])) for r in rows])
    return t


def brain():
    if not shared("brain_wsi63"):
        print("(no real tiles: KINTSUGI_SHARED_DATA names no brain_wsi63)")
        return None
    t = Tiles()
    t.name, t.rows, t.cols, t.overlap, t.start_right = "real brain, 7 x 9 tiles of 512 x 512", 7, 9, 0.1, 1
    t.tiles = np.stack([tifffile.imread(shared(f"brain_wsi63/C3-BrainSection{k:04d}.tif")) for k in range(1, 64)])
    t.flat = tifffile.imread(shared("basic_reference/ref_wsi_brain_flat_flatonly.tif"))
    t.dark = 0
    t.grid = [(k // 9, k % 9 if (k // 9) % 2 else 8 - k % 9) for k in range(63)]
    t.truth = None
    return t


def mist():
    if not shared("mist_5x5"):
        print("(no real tiles: KINTSUGI_SHARED_DATA names no mist_5x5)")
        return None
    with open(shared("mist_5x5/true_positions.csv")) as file:
        rows = [{**r, "row": int(r["row"]), "col": int(r["col"])} for r in csv.DictReader(file)]
    rows.sort(key=lambda r: (r["row"], -r["col"] if r["row"] % 2 else r["col"]))
    t = Tiles()
    t.name, t.rows, t.cols, t.overlap, t.start_right = "MIST, 5 x 5 tiles of 183 x 245", 5, 5, 0.06, 0
    t.tiles = np.stack([tifffile.imread(shared(f"mist_5x5/{r['file']}")) for r in rows])
    t.flat, t.dark, t.m2stitch_threshold = np.ones(t.tiles.shape[1:]), 0, 0.01
    t.grid = [(r["row"], r["col"]) for r in rows]
    t.truth = np.array([(float(r["y"]), float(r["x"])) for r in rows])
    return t
