"""Richardson-Lucy, the same PSF and number of plain steps: beside scipy in float32 on all cores, and scikit-image."""
import os

import numpy as np
import tifffile
from scipy import fft

import section
from common import Table, clock, correlation, ours, peer

STEPS, OFFSET, SMALL = 10, 100, 512


def scipy_rl(y, psf):
    """Mirrored padding by PSF - 1 on each axis, circular real FFT of good size, flat start."""
    shape = y.shape
    pad = [(p // 2, p // 2) for p in psf.shape]
    y = np.pad(y, pad, mode="symmetric")
    n = [fft.next_fast_len(s, True) for s in y.shape]
    y = np.pad(y, [(0, a - b) for a, b in zip(n, y.shape)], mode="symmetric")
    h = np.zeros(n, np.float32)
    h[tuple(slice(0, s) for s in psf.shape)] = psf
    h = np.roll(h, [-(s // 2) for s in psf.shape], (0, 1, 2))
    otf = fft.rfftn(h, workers=-1)
    x = np.full(n, y.mean(), np.float32)
    floor = np.float32(1e-6 * y.max())
    for _ in range(STEPS):
        model = fft.irfftn(fft.rfftn(x, workers=-1) * otf, n, workers=-1)
        x *= fft.irfftn(fft.rfftn(y / np.maximum(model, floor), workers=-1) * otf.conj(), n, workers=-1)
    return x[tuple(slice(a, a + s) for (a, _), s in zip(pad, shape))]


def run(place):
    d, read = section.files(place)
    stack, psf, truth = read("stack"), read("psf").astype(np.float32), read("object")
    light = np.maximum(stack.astype(np.float32) - OFFSET, 0)
    out = os.path.join(place, "out.tif")
    table = Table(f"deconv: {stack.shape}, PSF {psf.shape}, {STEPS} plain steps",
                  ["correlation with the object", "before"])
    before = correlation(light, truth)
    seconds = ours("deconv", f"{d}/stack.tif", f"{d}/psf.tif", STEPS, 0, OFFSET, out)
    table.row("kintsugi-image", seconds, [correlation(tifffile.imread(out), truth), before])
    theirs, seconds = clock(lambda: scipy_rl(light, psf))
    table.row("scipy, float32 FFT", seconds, [correlation(theirs, truth), before], 2)
    skimage = peer("skimage.restoration")
    if not skimage:
        return
    part = (slice(None), slice(0, SMALL), slice(0, SMALL))
    tifffile.imwrite(os.path.join(place, "small.tif"), stack[part], photometric="minisblack")
    before = correlation(light[part], truth[part])
    table = Table(f"deconv: {light[part].shape}, {STEPS} plain steps", ["correlation with the object", "before"])
    seconds = ours("deconv", os.path.join(place, "small.tif"), f"{d}/psf.tif", STEPS, 0, OFFSET, out)
    table.row("kintsugi-image", seconds, [correlation(tifffile.imread(out), truth[part]), before])
    y = light[part] / light[part].max()
    theirs, seconds = clock(lambda: skimage.richardson_lucy(y, psf, STEPS, clip=False))
    table.row("scikit-image", seconds, [correlation(theirs, truth[part]), before], 8)
