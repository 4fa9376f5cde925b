#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CuPy and cuCIM beside the primitives of kintsugi-image, on the same card in the same run.

    peers.py SIDE PLANES SPEED [--numpy]

SPEED: what the program `speed gpu SIDE PLANES` has printed; ours are the sums of its rows that do the same work. The
peers work on float32 that lies on the card; the best of three, after one that warms up. Prints a table for
docs/benchmarks.md, or one line that says what is not installed. --numpy: with numpy and scipy in place of the card's,
to try this script.
"""
import importlib
import re
import sys
import time

ITERATIONS = 10


def module(name):
    try:
        return importlib.import_module(name)
    except Exception:  # not installed, or no card for it
        return None


class Card:
    """Arrays, filters and a clock: CuPy's, or numpy's in their place."""

    def __init__(self, on_cpu):
        self.xp = module("numpy" if on_cpu else "cupy")
        self.ndimage = module("scipy.ndimage" if on_cpu else "cupyx.scipy.ndimage")
        self.finish = (lambda: None) if on_cpu else self.xp and self.xp.cuda.Device().synchronize

    def best(self, call):
        """Microseconds."""
        took = []
        for _ in range(4):
            self.finish()
            begun = time.perf_counter()
            call()
            self.finish()
            took.append(time.perf_counter() - begun)
        return 1e6 * min(took[1:])


def richardson_lucy(card, volume, transfer):
    """As it is written with any FFT library: circular borders, no acceleration."""
    fft, shape = card.xp.fft, volume.shape
    estimate = volume.copy()
    for _ in range(ITERATIONS):
        blurred = fft.irfftn(fft.rfftn(estimate) * transfer, s=shape, axes=(0, 1, 2)).astype("float32")
        ratio = volume / card.xp.maximum(blurred, 1e-6)
        estimate *= fft.irfftn(fft.rfftn(ratio) * transfer.conj(), s=shape, axes=(0, 1, 2)).astype("float32")
    return estimate


def variance_projection(card, volume):
    xp, gauss = card.xp, card.ndimage.gaussian_filter
    sigma = (0, 2, 2)
    mean = gauss(volume, sigma)
    focus = gauss(gauss(volume * volume, sigma) - mean * mean, (0, 8, 8))
    best = xp.argmax(focus, axis=0)
    return xp.take_along_axis(volume, best[None], axis=0)[0]


def phase_correlation(card, a, b):
    fft, xp = card.xp.fft, card.xp
    cross = fft.rfft2(a) * fft.rfft2(b).conj()
    peak = fft.irfft2(cross / xp.maximum(xp.abs(cross), 1e-12), s=a.shape)
    return xp.unravel_index(xp.argmax(peak), peak.shape)


def rows_of(text):
    """The microseconds of each row of the table, by name."""
    rows = {}
    for line in text.splitlines():
        found = re.match(r"\| (.+?) \| ([0-9.]+) \|", line)
        if found:
            rows[found[1]] = float(found[2])
    return rows


def ours(rows, planes):
    """Of one volume. What `speed` times is of all planes as one, the depth map of a third of them (calls.c)."""
    forward, back = rows["planes forward, real to complex"] / planes, rows["planes back, complex to real"] / planes
    return {
        "a step of Richardson-Lucy": rows["a step of Richardson-Lucy, one launch"],
        "variance projection": rows["focus_measure"] + rows["gauss_xy, sigma 8"] + rows["focus_score"]
                               + rows["focus_peak"] + rows["focus_take"] / (planes // 3),
        "phase correlation of two planes": 2 * forward + rows["cross_power"] / planes + back,
    }


def cucim_calls(card, volume):
    restoration, registration = module("cucim.skimage.restoration"), module("cucim.skimage.registration")
    psf = card.xp.ones((5, 9, 9), "float32") / 405
    calls = {}
    if restoration:
        calls["a step of Richardson-Lucy"] = (lambda: restoration.richardson_lucy(volume, psf, ITERATIONS), ITERATIONS)
    if registration:
        calls["phase correlation of two planes"] = (
            lambda: registration.phase_cross_correlation(volume[0], volume[1]), 1)
    return calls


def measure(card, calls):
    return {name: card.best(call) / steps for name, (call, steps) in calls.items()}


def cell(value, mine):
    return f"{value:.1f} ({value / mine:.1f} x)" if value else "not there"


def main():
    side, planes, speed = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    card = Card("--numpy" in sys.argv)
    if not card.xp or not card.ndimage:
        print("CuPy is not installed here; nothing stands beside ours.")
        return
    xp = card.xp
    volume = xp.random.default_rng(1).random((planes, side, side), dtype="float32") + 0.5
    transfer = xp.fft.rfftn(xp.exp(-(xp.arange(volume.size, dtype="float32").reshape(volume.shape) % 97)))
    peers = measure(card, {
        "a step of Richardson-Lucy": (lambda: richardson_lucy(card, volume, transfer), ITERATIONS),
        "variance projection": (lambda: variance_projection(card, volume), 1),
        "phase correlation of two planes": (lambda: phase_correlation(card, volume[0], volume[1]), 1),
    })
    others = measure(card, cucim_calls(card, volume)) if xp.__name__ == "cupy" else {}
    with open(speed) as text:
        own = ours(rows_of(text.read()), planes)
    print(f"| {planes} planes of {side} x {side}, float32 | ours us | {xp.__name__} {xp.__version__} us | cuCIM us |")
    print("|---|---|---|---|")
    for name, mine in own.items():
        print(f"| {name} | {mine:.1f} | {cell(peers.get(name), mine)} | {cell(others.get(name), mine)} |")


main()
