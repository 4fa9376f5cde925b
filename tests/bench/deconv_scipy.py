# A float32 FFT Richardson-Lucy in scipy on all cores, and scikit-image's, beside kintsugi-image deconv:
# the same planes, the same computed PSF, the same number of plain steps. Needs numpy, scipy, scikit-image.
#
#   python3 tests/bench/deconv_scipy.py build/kintsugi-image DIR
#
# DIR is made: a project with one channel of 20 planes of 1024 x 1024 pixels.
import json, os, subprocess, sys, time
import numpy as np
from scipy import fft

TOOL, DIR = sys.argv[1], sys.argv[2]
STEPS, SHAPE = 10, (20, 1024, 1024)


def run(*words):
    subprocess.run([TOOL, *words], check=True, stdout=subprocess.DEVNULL)


def read(path):
    return np.array(__import__("skimage.io").io.imread(path))


def write_project():
    subprocess.run([TOOL, "phantom", DIR, "--grid", "1x1", "--tile", "1024x1024", "--planes", "20", "--channels", "1",
                    "--cycles", "1", "--no-truth-images", "--quiet"], check=True)
    raw = DIR + "/data/raw/" + os.listdir(DIR + "/data/raw")[0]
    to = DIR + "/data/processed/stitched/cyc01/CH1"
    os.makedirs(to, exist_ok=True)
    for z in range(1, 21):
        os.replace("%s/1_00001_Z%03d_CH1.tif" % (raw, z), "%s/%02d.tif" % (to, z))
    return np.stack([read("%s/%02d.tif" % (to, z)) for z in range(1, 21)]).astype(np.float32)


def scipy_rl(y, psf):
    """Reflect-padded by PSF - 1 on each axis, circular real FFT of good size, flat start."""
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
    return x[tuple(slice(a, a + s) for (a, _), s in zip(pad, SHAPE))]


def clock(name, work, voxels):
    start = time.time()
    result = work()
    spent = time.time() - start
    print("%-22s %8.2f s %8.1f ns per voxel and step" % (name, spent, spent * 1e9 / voxels / STEPS), flush=True)
    return result, spent


data = write_project()
deconv = ["deconv", DIR, "--iterations", str(STEPS), "--plain", "--smooth", "0", "--offset", "180", "--quiet"]
run(*deconv, "--force")  # once before the clock runs: FFTW measures its plans
_, ours = clock("kintsugi-image", lambda: run(*deconv, "--force"), data.size)
psf = read(DIR + "/data/processed/deconvolved/cyc01/CH1/psf.tif").astype(np.float32)
mine = np.stack([read("%s/data/processed/deconvolved/cyc01/CH1/deconv_%03d.tif" % (DIR, z)) for z in range(1, 21)])
light = np.maximum(data - 180, 0)
theirs, scipy_time = clock("scipy, float32", lambda: scipy_rl(light, psf), data.size)
inner = (slice(None), slice(64, -64), slice(64, -64))
off = (mine - 180.0 - theirs)[inner]
print("scipy / kintsugi-image: %.1f x; the results differ by %.2f %% rms (padding in z is once for scipy, at every step here)"
      % (scipy_time / ours, 100 * np.sqrt((off**2).mean() / (theirs[inner] ** 2).mean())))
if "--skimage" in sys.argv:
    from skimage.restoration import richardson_lucy
    small = light[:, :256, :256]
    _, t = clock("scikit-image, 256 x 256", lambda: richardson_lucy(small / small.max(), psf, STEPS, clip=False), small.size)
    print("scikit-image / kintsugi-image, for one voxel: %.1f x" % (t / small.size / (ours / data.size)))
