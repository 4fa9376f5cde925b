# What every stage needs: the project's metadata, names of files, parameters with their defaults.

import json
import re

wildcard_constraints:
    cycle=r"\d+",

STITCHED = "data/processed/stitched"
DECONVOLVED = "data/processed/deconvolved"
EDF = "data/processed/edf"
REGISTERED = "data/processed/registered"
ISOLATED = "data/processed/signal_isolated"
DONE = ".snakemake_complete"


def read_experiment(path="meta/experiment.json"):
    if not os.path.exists(path):
        raise WorkflowError(
            f"{path} is missing in {os.getcwd()}: it states n_cycles, n_channels, n_zplanes and the tile grid"
        )
    with open(path, encoding="utf-8-sig") as file:
        try:
            return json.load(file)
        except ValueError as error:
            raise WorkflowError(f"{path} in {os.getcwd()} is not JSON: {error}") from None


def read_channel_names(path="meta/CHANNELNAMES.txt"):
    """Marker names, cycle by cycle: one a line, or 'cycle: name, name, ...'."""
    if not os.path.exists(path):
        return []
    names = []
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            line = line.strip()
            if re.match(r"\d+\s*:", line):
                line = line.split(":", 1)[1]
                names += [name.strip() for name in line.split(",")]
            elif line:
                names.append(line)
    return names


EXPERIMENT = read_experiment()
CHANNEL_NAMES = read_channel_names()


def setting(*names, default=None):
    """The first of these that config.yaml has, else experiment.json, else the default."""
    for source in (config, EXPERIMENT):
        for name in names:
            if source.get(name) is not None:
                return source[name]
    return default


def raw_folder(cycle):
    """The folder of a cycle under any of its usual names."""
    number = int(cycle)
    for prefix in (f"cyc{number:03d}_", f"cyc{number:02d}_", f"Cyc{number:02d}_", f"Cyc{number}_"):
        found = sorted(name for name in os.listdir("data/raw") if name.startswith(prefix))
        if found:
            return f"data/raw/{found[0]}"
    for name in (f"cyc{number:03d}", f"cyc{number:02d}", f"Cyc{number:02d}", f"Cyc{number}"):
        if os.path.isdir(f"data/raw/{name}"):
            return f"data/raw/{name}"
    raise WorkflowError(
        f"cycle {number} has no folder in data/raw (cyc{number:03d}_..., cyc{number:03d}, Cyc{number:02d}, ...)"
    )


def largest(letters):
    """The largest number behind these letters in the names of the first cycle's tiles: Z009 -> 9."""
    found = [re.search(rf"_{letters}(\d+)[_.]", name) for name in os.listdir(raw_folder(1))]
    return max((int(match.group(1)) for match in found if match), default=0)


N_CYCLES = int(setting("n_cycles", "numCycles", default=1))
N_CHANNELS = int(setting("channels_per_cycle", "n_channels", "numChannels", default=0)) or largest("CH")
N_ZPLANES = int(setting("n_zplanes", "numZPlanes", default=0)) or largest("Z")
TILE_ROWS = int(setting("tile_rows", "regionHeight", default=5))
TILE_COLS = int(setting("tile_cols", "regionWidth", default=5))
CYCLES = [f"{i:02d}" for i in range(1, N_CYCLES + 1)]
IMAGE_TOOL = config.get("image_tool") or "kintsugi-image"


TILE_NAME = re.compile(r"([^.].*)_(\d+)_Z(\d+)_CH(\d+)(\.ome)?\.(tiff?|TIFF?)")


def raw_tiles(wildcards):
    """Every tile of a cycle, so that a missing one is named before anything runs."""
    folder = raw_folder(wildcards.cycle)
    found = [match for match in map(TILE_NAME.fullmatch, sorted(os.listdir(folder))) if match]
    names = {tuple(int(match.group(i)) for i in (2, 3, 4)): match.group(0) for match in found}
    region = found[0].group(1) if found else 1
    first = 0 if any(tile == 0 for tile, _, _ in names) else 1
    return [
        f"{folder}/" + names.get((tile, z, channel), f"{region}_{tile:05d}_Z{z:03d}_CH{channel}.tif")
        for channel in range(1, N_CHANNELS + 1)
        for z in range(1, N_ZPLANES + 1)
        for tile in range(first, TILE_ROWS * TILE_COLS + first)
    ]


def flags(section):
    """The command-line options of a stage from its section of config.yaml: {a_b: 1} is --a-b 1."""
    words = []
    for key, value in (config.get(section) or {}).items():
        option = "--" + key.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option} {value}")
    return " ".join(words)


def stage_threads(stage):
    return int((config.get("threads") or {}).get(stage, 4))
