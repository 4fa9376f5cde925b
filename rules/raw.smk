# Raw data: the folders of cycles, and the tiles in them.

import re
import sys

RAW_FOLDER = re.compile(r"([cC][yY][cC])([0-9]+)(_.*)?")


def raw_folders():
    """(cycle, order, name) of the folders in data/raw. Of several of one cycle, kintsugi-image reads the least by this
    order: cyc001_x, then Cyc001_x, cyc01_x, Cyc01_x, then other numbers of digits; names with nothing behind come last."""
    if not os.path.isdir("data/raw"):
        raise WorkflowError(f"there is no folder data/raw in {os.getcwd()}: it holds a folder for each cycle")
    matches = [match for match in map(RAW_FOLDER.fullmatch, os.listdir("data/raw")) if match]
    return [
        (int(m.group(2)), (not m.group(3), {3: 0, 2: 1}.get(len(m.group(2)), 2), m.group(1)[0] != "c", m.group(0)), m.group(0))
        for m in matches
        if os.path.isdir(f"data/raw/{m.group(0)}")
    ]


def find_raw_folder(number):
    """The folder of a cycle under any of its usual names, or None."""
    found = sorted((order, name) for cycle, order, name in raw_folders() if cycle == number)
    return f"data/raw/{found[0][1]}" if found else None


def raw_folder(cycle):
    number = int(cycle)
    folder = find_raw_folder(number)
    if folder is None:
        raise WorkflowError(
            f"cycle {number} of {N_CYCLES} has no folder in {os.path.abspath('data/raw')} "
            f"(cyc{number:03d}_..., cyc{number:03d}, Cyc{number:02d}, ...)"
        )
    return folder


def count_cycles():
    """The last cycle that has a folder: one before it that has none is named where its tiles are asked for."""
    return max((cycle for cycle, _, _ in raw_folders() if cycle < 1000), default=0)


def largest(letters):
    """The largest number behind these letters in the names of the first cycle's tiles: Z009 -> 9."""
    found = [re.search(rf"_{letters}(\d+)[_.]", name) for name in os.listdir(raw_folder(1))]
    return max((int(match.group(1)) for match in found if match), default=0)


TILE_NAME = re.compile(r"([^.].*)_(\d+)_Z(\d+)_CH(\d+)(\.ome)?\.(tiff?|TIFF?)")


SAID_MISSING = set()


def say_missing(cycle, missing, wanted):
    """A job whose inputs are missing is none where its output is there: nothing else would tell that it does not run."""
    if missing and cycle not in SAID_MISSING:
        SAID_MISSING.add(cycle)
        print(
            f"note: cycle {cycle} lacks {missing} of {wanted} tiles in data/raw; what was stitched of it is kept as it is",
            file=sys.stderr,
        )


def raw_tiles(wildcards):
    """Every tile of a cycle, so that a missing one is named before anything runs, unless some may be missing."""
    folder = raw_folder(wildcards.cycle)
    found = [match for match in map(TILE_NAME.fullmatch, sorted(os.listdir(folder))) if match]
    names = {tuple(int(match.group(i)) for i in (2, 3, 4)): match.group(0) for match in found}
    first = 0 if any(tile == 0 for tile, _, _ in names) else 1

    def name_of(tile, z, channel):
        """As the others are named: with as many digits, the same ending."""
        if not found:
            return f"1_{tile:05d}_Z{z:03d}_CH{channel}.tif"
        region, a, b, c, ome, ending = found[0].groups(default="")
        return f"{region}_{tile:0{len(a)}d}_Z{z:0{len(b)}d}_CH{channel:0{len(c)}d}{ome}.{ending}"

    wanted = [
        (tile, z, channel)
        for channel in range(1, N_CHANNELS + 1)
        for z in range(1, N_ZPLANES + 1)
        for tile in range(first, TILE_ROWS * TILE_COLS + first)
    ]
    if is_set("stitch", "allow_missing"):
        wanted = [place for place in wanted if place in names]
    elif found and os.path.exists(f"{STITCHED}/cyc{wildcards.cycle}/{DONE}"):
        say_missing(wildcards.cycle, sum(place not in names for place in wanted), len(wanted))
    return [f"{folder}/" + (names.get(place) or name_of(*place)) for place in wanted]


def dark_frames(wildcards):
    """The camera's measured frames, where there are any."""
    names = [f"meta/dark_CH{channel}.tif" for channel in range(1, N_CHANNELS + 1)]
    return [name for name in names if os.path.exists(name)]
