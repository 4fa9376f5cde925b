# What every stage needs: the project's metadata, names of files, parameters with their defaults.

import json
import re
import shlex

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
REFERENCE_CYCLE = whole_setting("reference_cycle", "referenceCycle", default=1, least=1)
if REFERENCE_CYCLE > N_CYCLES:
    raise WorkflowError(f"reference_cycle is {REFERENCE_CYCLE} in the config or meta/experiment.json: there are {N_CYCLES} cycles")
DEVICE = choice("device", ["auto", "cpu", "gpu"])
IMAGE_TOOL = str(config.get("image_tool") or "kintsugi-image")
if os.path.exists(IMAGE_TOOL):  # a path, which may hold spaces; else a command, which may be several words
    IMAGE_TOOL = shlex.quote(IMAGE_TOOL)


def is_set(stage, name):
    """Whether the section of a stage switches an option on; with --config, words in it are text."""
    return section(stage).get(name) in (True, "true")


# What the images of these stages depend on in meta/experiment.json, under any of its names. Those of later stages follow.
STATED = {
    "stitch": ["tile_rows", "regionHeight", "tile_cols", "regionWidth", "tile_overlap", "tileOverlap", "tileOverlapX",
               "tileOverlapY", "scan", "scan_axis", "scan_start", "camera_offset", "reference_channel", "referenceChannel",
               "xy_pixel_size", "xyResolution"],
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
READ_HERE += ["reference_cycle", "referenceCycle"] + [name for names in COUNTS.values() for name in names]
READ_OF_RESOURCES = ["accounts", "account", "account_gpu", "partition_gpu", "cpu_time_multiplier"]
