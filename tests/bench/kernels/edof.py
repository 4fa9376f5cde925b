"""One image in focus: beside KINTSUGI's numpy path and CLIJ2's rule written with scipy."""
import os

import numpy as np
import tifffile
from scipy import ndimage

import section
from common import Table, clock, correlation, ours


def kintsugi_numpy(stack, sigma=20, box=11):
    """KINTSUGI's numpy path with its defaults: each plane is blurred, its variance taken, the best plane's pixel."""
    stack = stack.astype(np.float32)
    score = np.zeros(stack.shape, np.float32)
    for z, plane in enumerate(stack):
        soft = ndimage.gaussian_filter(plane, sigma)
        mean = ndimage.uniform_filter(soft, box)
        score[z] = ndimage.uniform_filter(soft * soft, box) - mean * mean
    best = score.argmax(0)
    return np.take_along_axis(stack, best[None], 0)[0], best


def clij2(stack, sigma=20, box=11):
    """CLIJ2's rule: the variance is smoothed, not the image."""
    best, score = np.zeros(stack.shape[1:], np.int64), np.full(stack.shape[1:], -np.inf)
    for z in range(1, len(stack) - 1):
        plane = stack[z].astype(float)
        mean = ndimage.uniform_filter(plane, box)
        variance = ndimage.gaussian_filter(ndimage.uniform_filter(plane * plane, box) - mean * mean, sigma)
        best[variance > score] = z
        score = np.maximum(score, variance)
    return np.take_along_axis(stack, best[None], 0)[0], best


def run(place):
    d, read = section.files(place)
    stack, surface, focus, cover = read("stack"), read("surface"), read("focus"), read("cover") > 0.5
    image, zmap = os.path.join(place, "image.tif"), os.path.join(place, "zmap.tif")
    table = Table(f"edof: {stack.shape}", ["mean error of z, planes", "correlation with the image in focus"])

    def errors(picture, z):
        return [np.abs(z - surface)[cover].mean(), correlation(picture[cover], focus[cover])]

    seconds = ours("edof", f"{d}/stack.tif", image, zmap)
    table.row("kintsugi-image, focus", seconds, errors(tifffile.imread(image), tifffile.imread(zmap) - 1))
    (picture, z), seconds = clock(lambda: kintsugi_numpy(stack))
    table.row("KINTSUGI's numpy path, radius 5, sigma 20", seconds, errors(picture, z), 15)
    (picture, z), seconds = clock(lambda: clij2(stack))
    table.row("CLIJ2's rule in scipy", seconds, errors(picture, z))
