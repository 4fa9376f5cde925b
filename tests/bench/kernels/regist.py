"""The map between two pictures: beside ECC (in numpy) and scikit-image's optical flows and Fourier methods."""
import os

import numpy as np
import tifffile
from scipy import ndimage

from common import Table, clock, ours, peer

SIZE = 1024


def pyramid(image, levels=4):
    out = [ndimage.gaussian_filter(image.astype(np.float32), 1)]
    for _ in range(levels - 1):
        out.append(ndimage.gaussian_filter(out[-1], 1)[::2, ::2])
    return out[::-1]


def ecc(ref, mov, rounds=15):
    """Affine by enhanced correlation (Evangelidis and Psarakis 2008), Gauss-Newton over four levels."""
    a, t = np.eye(2), np.zeros(2)
    for level, (r, m) in enumerate(zip(pyramid(ref), pyramid(mov))):
        t = t * 2 if level else t
        grid = np.stack(np.meshgrid(*map(np.arange, r.shape), indexing="ij")).reshape(2, -1).astype(float)
        centre = (np.array(r.shape)[:, None] - 1) / 2
        for _ in range(rounds):
            at = a @ (grid - centre) + centre + t[:, None]
            at = [c.reshape(r.shape) for c in at]
            warped = ndimage.map_coordinates(m, at, order=1, mode="nearest")
            gy, gx = (ndimage.map_coordinates(g, at, order=1, mode="nearest") for g in np.gradient(m))
            y, x = ((grid - centre)[i].reshape(r.shape) for i in range(2))
            jac = np.stack([gy * y, gy * x, gx * y, gx * x, gy, gx]).reshape(6, -1)
            one, two = r.ravel() - r.mean(), warped.ravel() - warped.mean()
            h = jac @ jac.T
            proj_r, proj_w = jac @ one, jac @ two
            inv = np.linalg.inv(h)
            lam = (two @ two - proj_w @ inv @ proj_w) / (one @ two - proj_r @ inv @ proj_w)
            step = inv @ (jac @ (lam * one - two))
            a, t = a + step[:4].reshape(2, 2), t + step[4:]
            if np.abs(step[4:]).max() < 1e-3:
                break
    grid = np.stack(np.meshgrid(np.arange(SIZE), np.arange(SIZE), indexing="ij")).astype(float)
    c = (SIZE - 1) / 2
    return np.einsum("ij,jyx->iyx", a, grid - c) + c + t[:, None, None]


def flow(method):
    """A scikit-image optical flow after its own best start: the shift by phase correlation."""
    registration = peer("skimage.registration")
    grid = np.stack(np.meshgrid(np.arange(SIZE), np.arange(SIZE), indexing="ij")).astype(float)

    def work(ref, mov):
        r, m = (i.astype(np.float32) / np.percentile(i, 99.9) for i in (ref, mov))
        shift = registration.phase_cross_correlation(r, m, upsample_factor=10)[0]
        m = ndimage.shift(m, shift, order=1, mode="nearest")
        return grid + getattr(registration, method)(r, m) - shift[:, None, None]
    return work


def errors(found, truth, mask):
    off = np.hypot(*(found - truth))[48:-48, 48:-48][mask[48:-48, 48:-48] > 0]
    return [off.mean(), np.percentile(off, 95), off.max()]


def compare(place, field, peers):
    d = os.path.join(place, f"tissue{field}")
    os.mkdir(d)
    ours("tissue", d, SIZE, field)
    ref, mov, truth, mask = (tifffile.imread(f"{d}/{n}.tif") for n in ("reference", "moving", "truth", "mask"))
    table = Table(f"regist: {SIZE} x {SIZE}, {'a field of %d px' % field if field else 'affine'}",
                  ["mean px", "p95 px", "largest px"])
    out = os.path.join(place, "map.tif")
    seconds = ours("regist", f"{d}/reference.tif", f"{d}/moving.tif", int(field > 0), out)
    table.row("kintsugi-image", seconds, errors(tifffile.imread(out), truth, mask))
    for name, work in peers.items():
        found, seconds = clock(lambda: work(ref, mov))
        table.row(name, seconds, errors(found, truth, mask), 5)


def run(place):
    compare(place, 0, {"ECC in numpy, 4 levels": ecc})
    if peer("skimage.registration"):
        compare(place, 3, {"scikit-image, iterative Lucas-Kanade": flow("optical_flow_ilk"),
                           "scikit-image, TV-L1": flow("optical_flow_tvl1")})
