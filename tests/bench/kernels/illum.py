"""The flat field of 63 tiles: BaSiC's approximate solver beside BaSiCPy's."""
import os

import numpy as np
import tifffile

import tiles
from common import Table, clock, ours, peer


def small(field, shape):
    """Mean of the field over equal rectangles."""
    rows = np.array_split(field, shape[0], axis=0)
    return np.array([[c.mean() for c in np.array_split(r, shape[1], axis=1)] for r in rows])


def errors(flat, truth):
    """Mean and largest relative difference, in per cent."""
    flat, truth = small(np.asarray(flat, float), (60, 60)), small(np.asarray(truth, float), (60, 60))
    off = np.abs(flat / flat.mean() / (truth / truth.mean()) - 1)
    return [100 * off.mean(), 100 * off.max()]


def compare(t, place):
    light = np.clip(t.tiles - np.asarray(t.dark, np.float32), 0, None).round().astype(np.uint16)
    path, out = os.path.join(place, "tiles.tif"), os.path.join(place, "flat.tif")
    tifffile.imwrite(path, light, photometric="minisblack")
    table = Table(f"illum: {t.name}", ["mean error %", "largest %"])
    table.row("kintsugi-image, tolerance 1e-6", ours("illum", path, out), errors(tifffile.imread(out), t.flat))
    basicpy = peer("basicpy")
    if not basicpy:
        return
    ways = {
        "BaSiCPy, the same tolerances and sorting":
            dict(sort_intensity=True, optimization_tol=1e-6, reweighting_tol=1e-3),
        "BaSiCPy, its defaults for the approximate mode": dict(),
        "BaSiCPy, LADMAP": dict(fitting_mode="ladmap", sort_intensity=True),
    }
    for name, settings in ways.items():
        def fit():
            basic = basicpy.BaSiC(**{"fitting_mode": "approximate", "device": "cpu", **settings})
            basic.fit(light)
            return np.asarray(basic.flatfield)
        flat, seconds = clock(fit)
        table.row(name, seconds, errors(flat, t.flat), 15 if "same" in name else None)


def run(place):
    compare(tiles.made(place), place)
    real = tiles.brain()
    if real:
        compare(real, place)
