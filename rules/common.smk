# What every stage needs: the project's metadata, names of files, parameters with their defaults.

import json
import re
import shlex
import shutil
import sys

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
            f"{path} is missing in {os.getcwd()}: it states n_cycles, n_channels, n_zplanes and the tile grid. "
            "Is this the folder of the project? --directory names another"
        )
    with open(path, encoding="utf-8-sig") as file:
        try:
            stated = json.load(file)
        except ValueError as error:
            raise WorkflowError(f"{path} in {os.getcwd()} is not JSON: {error}") from None
    if not isinstance(stated, dict):
        raise WorkflowError(f"{path} in {os.getcwd()} must be one object, as {{\"tile_rows\": 9, ...}}")
    return stated


def read_channel_names(path="meta/CHANNELNAMES.txt"):
    """Marker names, cycle by cycle: one a line, or 'cycle: name, name, ...'."""
    if not os.path.exists(path):
        return []
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = [line.strip() for line in file]
    except UnicodeDecodeError as error:
        raise WorkflowError(f"{path} in {os.getcwd()} is not UTF-8, save it as such: {error}") from None
    names = []
    for line in lines:
        if re.match(r"\d+\s*:", line):
            line = line.split(":", 1)[1]
            names += [name.strip() for name in line.split(",")]
        elif line and not line.startswith("#"):
            names.append(line)
    return names


EXPERIMENT = read_experiment()
CHANNEL_NAMES = read_channel_names()


def stated_in(source, names):
    """Under the first of these names that it has; None: under none."""
    return next((source[name] for name in names if source.get(name) is not None), None)


def setting(*names, default=None):
    """The first of these that config.yaml has, else experiment.json, else the default."""
    for source in (config, EXPERIMENT):
        value = stated_in(source, names)
        if value is not None:
            return value
    return default


def whole(value, what, least=0):
    """A whole number; `what` says what it is and where it stands."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != float(value) or number < least:
        raise WorkflowError(f"{what} is {value!r}: it must be a whole number, {least} or more")
    return number


def whole_setting(*names, default=None, least=0):
    """A setting as a whole number; None where nothing states it."""
    value = setting(*names, default=default)
    return None if value is None else whole(value, f"{names[0]} in the config or meta/experiment.json", least)


def choice(name, choices):
    """One of several words; the first where the config has none."""
    word = config.get(name) or choices[0]
    if word not in choices:
        raise WorkflowError(f"{name} is {word!r} in the config: it must be one of {', '.join(choices)}")
    return word


def section(name):
    """A part of config.yaml that holds options."""
    options = config.get(name) or {}
    if not isinstance(options, dict):
        raise WorkflowError(f"{name} is {options!r} in the config: it must hold options, as in '{name}: {{key: value}}'")
    return options


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


def grid_setting(*names):
    count = whole_setting(*names, least=1)
    if count is None:
        raise WorkflowError(f"{names[0]} is missing in meta/experiment.json in {os.getcwd()}: nothing else says it")
    return count


COUNTS = {  # what the config may state as well: its names
    "cycles": ("n_cycles", "numCycles"),
    "channels": ("channels_per_cycle", "n_channels", "numChannels"),
    "planes": ("n_zplanes", "numZPlanes"),
    "rows": ("tile_rows", "regionHeight"),
    "columns": ("tile_cols", "regionWidth"),
}
N_CYCLES = whole_setting(*COUNTS["cycles"]) or count_cycles() or 1
N_CHANNELS = whole_setting(*COUNTS["channels"]) or largest("CH")
N_ZPLANES = whole_setting(*COUNTS["planes"]) or largest("Z")
TILE_ROWS = grid_setting(*COUNTS["rows"])
TILE_COLS = grid_setting(*COUNTS["columns"])
CYCLES = [f"{i:02d}" for i in range(1, N_CYCLES + 1)]
REFERENCE_CYCLE = whole_setting("reference_cycle", default=1, least=1)
if REFERENCE_CYCLE > N_CYCLES:
    raise WorkflowError(f"reference_cycle is {REFERENCE_CYCLE} in the config or meta/experiment.json: there are {N_CYCLES} cycles")
DEVICE = choice("device", ["auto", "cpu", "gpu"])
IMAGE_TOOL = str(config.get("image_tool") or "kintsugi-image")
if os.path.exists(IMAGE_TOOL):  # a path, which may hold spaces; else a command, which may be several words
    IMAGE_TOOL = shlex.quote(IMAGE_TOOL)


TILE_NAME = re.compile(r"([^.].*)_(\d+)_Z(\d+)_CH(\d+)(\.ome)?\.(tiff?|TIFF?)")


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
    return [f"{folder}/" + (names.get(place) or name_of(*place)) for place in wanted]


def is_set(stage, name):
    """Whether the section of a stage switches an option on; with --config, words in it are text."""
    return section(stage).get(name) in (True, "true")


def dark_frames(wildcards):
    """The camera's measured frames, where there are any."""
    names = [f"meta/dark_CH{channel}.tif" for channel in range(1, N_CHANNELS + 1)]
    return [name for name in names if os.path.exists(name)]


# What the images of these stages depend on in meta/experiment.json, under any of its names. Those of later stages follow.
STATED = {
    "stitch": ["tile_rows", "regionHeight", "tile_cols", "regionWidth", "tile_overlap", "tileOverlap", "scan", "scan_axis",
               "scan_start", "camera_offset", "reference_channel", "xy_pixel_size", "xyResolution"],
    "decon": ["xy_pixel_size", "xyResolution", "z_step_size", "zPitch", "numerical_aperture", "aperture", "gain",
              "tissue_refractive_index", "immersion_ri", "wavelengths"],
}


def stated(stage):
    """These values as a parameter of the stage: where they are corrected, it runs again."""
    return {key: EXPERIMENT[key] for key in STATED[stage] if EXPERIMENT.get(key) is not None}


def flags(stage):
    """The command-line options of a stage from its section of config.yaml: {a_b: 1} is --a-b 1, {a: [1, 2]} is --a 1,2.
    Values reach the program as they stand, whatever the shell would make of them, but for ~ and $NAME in paths. (With
    --config, words in a section are text: true is "true" there.)"""
    words = []
    for key, value in section(stage).items():
        option = "--" + str(key).replace("_", "-")
        if value is True or value == "true":
            words.append(option)
        elif value is not None and value is not False and value != "false":
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            words.append(f"{option} {shlex.quote(expanded(text))}")
    return " ".join(words)


def expanded(path):
    return os.path.expandvars(os.path.expanduser(str(path)))


def named_file(stage, key):
    """The file that an option of the stage names, as an input: the stage runs again when it changes. Of one that is not
    there the stage itself tells: as an input, it would keep results that are there from being made again."""
    path = expanded(section(stage).get(key) or "")
    return [path] if os.path.isfile(path) else []


def stage_threads(stage):
    return whole(section("threads").get(stage, 4), f"threads: {stage} in the config", least=1)


STAGES = ["stitch", "decon", "edf", "registration", "isolation"]
READ_HERE = STAGES + ["qc", "threads", "resources", "device", "image_tool", "live_accounts", "cpu_time_multiplier"]
READ_HERE += ["reference_cycle"] + [name for names in COUNTS.values() for name in names]
READ_OF_RESOURCES = ["accounts", "account", "account_gpu", "partition_gpu", "cpu_time_multiplier"]


def note_unread():
    """A misspelt key would otherwise go unnoticed: the stage runs with its defaults."""
    unread = [key for key in config if key not in READ_HERE]
    unread += [f"threads: {stage}" for stage in section("threads") if stage not in STAGES]
    unread += [f"resources: {key}" for key in section("resources") if key not in READ_OF_RESOURCES]
    if unread:
        print(f"note: no rule reads these keys of the config: {', '.join(map(str, unread))}", file=sys.stderr)


def note_tool():
    """Not an error: the nodes of a cluster may have it where this machine has not."""
    tool = shlex.split(IMAGE_TOOL)[0]
    if shutil.which(tool):
        return
    if "/" in tool and not os.path.isabs(tool):
        print(f"note: there is no {tool} in {os.getcwd()}, where jobs run; image_tool in the config is its path from there", file=sys.stderr)
    else:
        print(f"note: {IMAGE_TOOL} is not on PATH here; image_tool in the config may name it", file=sys.stderr)


def note_data():
    """What would be left out, or bear another's name, without a word."""
    folders = count_cycles() if os.path.isdir("data/raw") else 0
    named, channels = len(CHANNEL_NAMES), N_CYCLES * N_CHANNELS
    if folders > N_CYCLES:
        print(f"note: data/raw has a folder of cycle {folders}; by the config or meta/experiment.json there are {N_CYCLES} cycles, "
              "no others are used", file=sys.stderr)
    if named and named != channels:
        print(f"note: meta/CHANNELNAMES.txt has {named} names, not {channels} ({N_CYCLES} cycles of {N_CHANNELS} channels): "
              "are they those of the right channels?", file=sys.stderr)


def note_counts():
    """A config that was written before the metadata were corrected."""
    for what, names in COUNTS.items():
        here, there = stated_in(config, names), stated_in(EXPERIMENT, names)
        if here is not None and there is not None and str(here) != str(there):
            print(f"note: the config says {here} {what}, meta/experiment.json {there}: {IMAGE_TOOL} goes by the latter; "
                  "kintsugi-flow config writes the config anew", file=sys.stderr)


note_unread()
note_counts()
note_data()
note_tool()
