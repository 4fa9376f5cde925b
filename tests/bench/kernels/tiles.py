"""Sets of tiles: a made-up 9 x 7 mosaic whose truth is known, and the real one of BaSiC's authors."""
import csv
import os

import numpy as np
import tifffile

from common import shared, tool


class Tiles:
    """tiles (n, h, w) uint16 in the order of acquisition; flat: the true field; grid: (row, col) of each tile."""


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
