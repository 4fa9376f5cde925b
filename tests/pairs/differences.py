#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Of two projects whose stages were made on the CPU and on a card: how many of their images' samples differ, and by how
much at most.

    differences.py CPU GPU      a row of a table for each stage; exit status 1 if an image is missing, or of more than
                                one sample in a hundred
"""
import array
import sys
from pathlib import Path

STAGES = {"stitch": "stitched/**/*.tif", "deconv": "deconvolved/**/*.tif", "edof": "edf/**/*.tif",
          "register": "registered/cyc*/*.tif"}


def differences(a, b):
    """Of two files of 16-bit samples of one layout: the largest difference and the share of samples that differ."""
    if not b.exists():
        return 65535, 1
    x, y = (array.array("H", f.read_bytes()[: f.stat().st_size // 2 * 2]) for f in (a, b))
    if len(x) != len(y):
        return 65535, 1
    apart = [abs(p - q) for p, q in zip(x, y) if p != q]
    return max(apart, default=0), len(apart) / len(x)


def images(cpu, gpu, kind):
    """Pairs of images of 16-bit samples."""
    for path in sorted((cpu / "data/processed").glob(kind)):
        if not any(word in path.name for word in ("cover", "zmap", "confidence")):
            yield path, gpu / path.relative_to(cpu)


def main(cpu, gpu):
    good = True
    for stage, kind in STAGES.items():
        found = [differences(a, b) for a, b in images(cpu, gpu, kind)]
        most, share = (max(column) for column in zip(*found)) if found else (65535, 1)
        print(f"| {stage} | {len(found)} | {most} | {share:.1e} |")
        good = good and share < 1e-2
    return not good


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
