# What is told when the workflow is read: not an error, but maybe not what was meant.

import shlex
import shutil
import sys


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
