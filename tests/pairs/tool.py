#!/usr/bin/env python3
"""The tool itself on a card: every stage of a small project with --device cpu and --device gpu gives the same pixels,
a card that is lost or too small is a warning and the CPU with auto and an error with gpu, and info says what there is.

    tool.py KINTSUGI_IMAGE     with KINTSUGI_GPU_PLUGIN set, and KINTSUGI_EMULATED_* for what only an emulated card does
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from differences import differences, images

image = sys.argv[1]
tests = failed = 0
STAGES = [["stitch", "--cycle", "1"], ["stitch", "--cycle", "2"], ["deconv", "--cycle", "1", "--iterations", "5"],
          ["deconv", "--cycle", "2", "--iterations", "5"], ["edof", "--cycle", "1"], ["edof", "--cycle", "2"],
          ["register"]]


def ok(good, sentence):
    global tests, failed
    tests += 1
    failed += not good
    print(f"{'' if good else 'not '}ok {tests} - {sentence}", flush=True)


def run(project, words, *options, **environment):
    return subprocess.run([image, words[0], *([project] if project else []), *words[1:], *options], capture_output=True,
                          text=True, env={**os.environ, **environment})


def check_info():
    said = json.loads(run(None, ["info"], "--json").stdout)
    ok(said["device"] == "gpu" and said["cards"][0]["total"] > 0, "info lists the card")
    none = run(None, ["info"], KINTSUGI_EMULATED_CARDS="0").stdout
    ok("No GPU is used: no GPU can be used: no CUDA-capable device" in none, "info says why there is none")


    old = run(None, ["info"], KINTSUGI_EMULATED_DRIVER="12040").stdout
    ok("the driver is too old, for CUDA 12.4 and not 13.0" in old, "info says when the driver is too old")
    busy = run(None, ["info"], KINTSUGI_EMULATED_BUSY="yes").stdout
    ok("cannot be used: CUDA-capable device(s) is/are busy" in busy, "info says when another process has the card")


def check_sharing(project):
    """Three stages at a time on a card with memory for one: each ends, some of them on the CPU."""
    stages = ["edof --cycle 1", "edof --cycle 2", "deconv --cycle 1 --iterations 2"]
    environment = {**os.environ, "KINTSUGI_EMULATED_SHARED": str(project / "taken"), "KINTSUGI_EMULATED_MEMORY": "6"}
    words = [[image, stage.split()[0], project, *stage.split()[1:], "--force", "--quiet"] for stage in stages]
    jobs = [subprocess.Popen(w, stderr=subprocess.PIPE, text=True, env=environment) for w in words]
    said = [job.communicate()[1] for job in jobs]
    ok(not any(job.returncode for job in jobs), f"three jobs share a small card {''.join(said).strip()[:200]}")
    taken = int.from_bytes((project / "taken").read_bytes(), "little")
    ok(taken == 0, f"and give all of it back: {taken} bytes are left")


def check_windows(folder):
    """More tiles under a band than the card holds: the band is made in windows."""
    project, mosaic = folder / "wide", folder / "wide/data/processed/stitched/cyc01/CH1/01.tif"
    made = run(project, ["phantom", "--seed", "2", "--cycles", "1", "--channels", "1", "--planes", "1", "--grid", "2x7",
                         "--tile", "200x216", "--difficulty", "1", "--no-truth-images", "--quiet"])
    stage = ["stitch", "--cycle", "1", "--illumination", "none", "--device", "gpu", "--force", "--quiet"]
    kept = []
    for memory in "64", "2":  # MB; all tiles under a band: 3
        done = run(project, stage, "--gpu-memory", memory)
        kept.append(done.stderr.strip() if done.returncode else mosaic.read_bytes())
    good = isinstance(kept[1], bytes) and kept[0] == kept[1]
    ok(good, f"a card with memory for a window of a band: the same mosaic {made.stderr}{'' if good else kept[1][:200]}")
    done = run(project, stage, "--gpu-memory", "1")
    ok(done.returncode == 1 and "1 MB of the card" in done.stderr, f"in less: {done.stderr.strip()}")


def stitched(project, *options, **environment):
    """What a stitch of cycle 1 on a card says, its report and its files; all by --force or in an empty folder."""
    folder, report = project / "data/processed/stitched/cyc01", project / "data/processed/qc/stitch_cyc01.json"
    done = run(project, ["stitch", "--cycle", "1", "--device", "gpu"], *options, **environment)
    told = {name: value for name, value in json.loads(report.read_text()).items() if name != "seconds"}
    made = {str(path.relative_to(folder)): hashlib.sha1(path.read_bytes()).hexdigest() for path in folder.rglob("*.*")
            if path.suffix in (".tif", ".csv", ".part")}
    return done.returncode, done.stderr, told, made


def check_beside(project):
    """Planes side by side: the same report, files and sentences as one after the other, also when the card refuses
    memory or a file is damaged."""
    one = stitched(project, "--force", "--threads", "1")
    four = stitched(project, "--force", "--threads", "8")
    ok(one[0] == four[0] == 0 and "planes 5 of 5" in four[1] and one[2:] == four[2:], "four planes side by side")
    again = stitched(project, "--threads", "8")
    ok(again[2:] == one[2:], "they are there, and looked at side by side")
    shutil.copy(project / "data/processed/stitched/cyc01/CH1/positions.csv", project / "positions.csv")
    plain = ["--illumination", "none", "--positions", project / "positions.csv"]  # so that planes alone take memory
    whole = stitched(project, "--force", "--threads", "1", *plain)
    refused = [stitched(project, "--force", "--threads", "8", *plain, KINTSUGI_EMULATED_FAIL=f"memory:{number}")
               for number in (4, 8, 12, 16, 24)]
    ok(all(each[0] == 0 and each[2:] == whole[2:] for each in refused),
       f"a card that refuses memory makes them all the same {[each[1][-200:] for each in refused if each[0]]}")
    tight = stitched(project, "--force", "--threads", "8", *plain, "--gpu-memory", "2")
    ok(tight[2:] == whole[2:], "so does one that is small")
    tile = next((project / "data/raw").glob("cyc001*/1_00003_Z003_CH1.tif"))
    good = tile.read_bytes()
    tile.write_bytes(good[:len(good) // 2])
    said = []
    for threads in "1", "8":
        shutil.rmtree(project / "data/processed/stitched/cyc01")
        said.append(stitched(project, "--quiet", *plain, "--threads", threads))
    ok(said[0][0] == 1 and said[0][:2] == said[1][:2] and "1_00003_Z003_CH1.tif" in said[0][1],
       f"a damaged tile: the same sentence {said[1][1]}")
    ok(said[0][3].items() <= said[1][3].items(), "and no plane less")
    tile.write_bytes(good)
    stitched(project, "--force")


def check_stages(cpu, gpu):
    for words in STAGES:
        for project, device in (cpu, "cpu"), (gpu, "gpu"):
            done = run(project, words, "--device", device, "--quiet")
            if done.returncode:
                ok(False, f"{' '.join(words)} with --device {device}: {done.stderr.strip()}")
    for kind in ("stitched/cyc01/CH1/03.tif", "deconvolved/cyc01/CH1/deconv_003.tif", "edf/cyc02/*.tif",
                 "registered/cyc02/*.tif"):
        for path, other in images(cpu, gpu, kind):
            most, share = differences(path, other)
            limit = 1e-2 if "registered" in kind else 1e-3  # a map that differs by rounding moves all pixels by as much
            ok(most <= 1 and share < limit,
               f"{path.relative_to(cpu / 'data/processed')}: {share:.2e} of the samples differ")


def check_failures(project):
    stage = ["stitch", "--cycle", "1", "--force", "--quiet"]
    lost = {"KINTSUGI_EMULATED_LOST": "40"}
    done = run(project, stage, "--device", "gpu", **lost)
    ok(done.returncode == 1 and "was lost" in done.stderr, "gpu: a lost card stops the stage with the reason")
    done = run(project, stage, **lost)
    ok(done.returncode == 0 and "was lost" in done.stderr and "going on on the CPU" in done.stderr,
       "auto: a lost card is a warning, and the CPU")
    file = project / "meta/experiment.json"
    described = json.loads(file.read_text())
    file.write_text(json.dumps(described | {"tile_overlap": 0}))
    done = run(project, stage, **lost)
    ok(done.returncode == 1 and "was lost" in done.stderr and "overlap by about" in done.stderr,
       "auto: the CPU is asked the same: tiles said to lie apart overlap")
    file.write_text(json.dumps(described))
    deconv = ["deconv", "--cycle", "1", "--iterations", "2", "--force", "--quiet", "--gpu-memory", "8"]
    done = run(project, deconv, "--device", "gpu")
    ok(done.returncode == 1 and "8 MB of the card" in done.stderr and "(--gpu-memory)" in done.stderr,
       f"gpu: a card too small stops the stage with the reason {done.stderr.strip()}")
    least = done.stderr.split("at least ")[-1].split()[0]
    done = run(project, deconv[:-1], least, "--device", "gpu")
    ok(done.returncode == 0, f"and how large it must be: {least} MB {done.stderr.strip()}")
    done = run(project, deconv)
    ok(done.returncode == 0 and "going on on the CPU" in done.stderr,
       "auto: a card too small is a warning, and the CPU")
    done = run(project, ["edof", "--cycle", "1", "--input", "stitched", "--force", "--quiet"], "--device", "gpu",
               "--gpu-memory", "1")
    ok(done.returncode == 1 and "1 MB of the card" in done.stderr and "(--gpu-memory)" in done.stderr,
       f"edof, too: {done.stderr.strip()}")
    done = run(project, stage, KINTSUGI_EMULATED_CARDS="0", KINTSUGI_DEVICE_MODE="gpu")
    ok(done.returncode == 1 and "no CUDA-capable device" in done.stderr, "KINTSUGI_DEVICE_MODE=gpu: no card, no result")


def check_ahead(folder):
    """Channels that are looked at while another one is computed come out as one by one."""
    together, alone = folder / "together", folder / "alone"
    made = run(together, ["phantom", "--seed", "3", "--cycles", "1", "--channels", "3", "--planes", "4", "--grid", "1x2",
                          "--tile", "96x112", "--difficulty", "1", "--no-truth-images", "--quiet"])
    done = [made, run(together, ["stitch", "--cycle", "1", "--quiet"], "--device", "gpu")]
    shutil.copytree(together, alone)
    for words in ["deconv", "--iterations", "2"], ["edof"]:
        words += ["--cycle", "1", "--quiet", "--device", "gpu"]
        done.append(run(together, words))
        done += [run(alone, words, "--channels", str(channel)) for channel in (3, 1, 2)]
    wrong = "".join(d.stderr for d in done if d.returncode)
    made = [{f.relative_to(project): f.read_bytes() for part in ("deconvolved", "edf")
             for f in (project / "data/processed" / part).rglob("*.tif")} for project in (together, alone)]
    ok(not wrong and len(made[0]) > 20 and made[0] == made[1],
       f"three channels, each looked at while the one before is computed: as one by one {wrong}")


with tempfile.TemporaryDirectory() as folder:
    cpu, gpu = pathlib.Path(folder, "cpu"), pathlib.Path(folder, "gpu")
    # In good light: in such small images of weak light a block more or less in the field of registration hangs on
    # rounding.
    made = run(cpu, ["phantom", "--seed", "1", "--cycles", "2", "--channels", "1", "--planes", "5", "--grid", "2x2",
                     "--tile", "160x176", "--difficulty", "1", "--no-truth-images", "--quiet"])
    ok(made.returncode == 0, f"an acquisition {made.stderr.strip()}")
    shutil.copytree(cpu, gpu)
    check_info()
    check_stages(cpu, gpu)
    check_failures(gpu)
    check_beside(gpu)
    check_sharing(gpu)
    check_windows(pathlib.Path(folder))
    check_ahead(pathlib.Path(folder))
print(f"1..{tests}")
sys.exit(failed > 0)
