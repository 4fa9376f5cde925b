#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the kernels of the GPU back end ask of a card's units for each result, counted in their machine code, beside
what its memory leaves time for. It needs no card, but cuobjdump and nvdisasm, and a library with code for sm_90:

    tests/gpu/instructions.py [build/kintsugi-image-cuda.so | FILE.cubin...] [--loops | --play] [KERNEL]

--loops prints the loops of a kernel as well: KERNELS below names these by the functions in them. --play prints what
share of a copy's speed a multiprocessor reaches whose warps also wait (multiprocessor.py), and for what: "memory", for a
load from there; "issue", for their turn; "code", for results that take a known time; a unit or a kind of instruction.

Counted is the way of a thread that has everything to do and lies in the middle of its image (machine_code.py). A kernel
is bound by memory at the goal, 80 % of a copy's speed, if the column "as time" is below that of the card: the most of
all its instructions and of those of any unit, each in as many others' time as UNITS says. Waiting is not counted, but
played.
"""
import pathlib
import re
import sys

import machine_code
import multiprocessor

ARCH = "90"
MULTIPROCESSORS, CLOCK = 132, 1.7e9
ISSUED = MULTIPROCESSORS * 128 * CLOCK * 0.9  # instructions of threads a second, of which 90 % are reached
COPIES = {"H100": 3.0e12, "H200": 4.3e12}  # bytes a second that a copy moves
GOAL = 0.8
# In the time that one of these takes, so many others could be issued: of 128 lanes, so few have that unit.
UNITS = {"fp32": 1, "whole products": 2, "integer": 2, "memory": 4, "slow": 8, "fp64": 2, "other": 1}
THREADS, REGISTERS, SHARED, BLOCKS = 2048, 65536, 228 << 10, 32  # of a multiprocessor
SEEN = 142 * 88 * 2  # pixels that cuda/warp.h's blocks see


def row(what, size, results, block=256, shared=0, cold="", turns=None, loop=False,
        cached="", asked=""):
    """A kernel: the name of a result; bytes that must be moved for it, 0 if these are not what matters; results of a
    thread, or of one turn of its largest loop (loop); threads of a block, shared memory that its launch asks for; the
    functions that are not on the way; turns of loops, by a function in them; functions or instructions whose loads find
    what they want in a cache or in shared memory (cached), or in the last cache, as the block asked for it (asked)."""
    return dict(what=what, size=size, results=results, block=block, shared=shared, cold=cold.split(), turns=turns or {},
                loop=loop, cached=frozenset(cached.split()), asked=frozenset(asked.split()))


LINES = dict(shared=4 * 2048 * 8 + 4096, cached="gpu_fixed LD.E LD.E.64")  # four lines of 2048, all radices 8 and 16
ASKED = dict(LINES, turns={"gpu_ask": 2}, asked="samples_of")
WARP = "change_pixel cubic_clamp made_aside make_each make_aside make_turned see_all see_together<4>"
WARPED = dict(cold=WARP + " make_any", turns={"make_inside": 16})
MOVED = dict(cold=WARP + " change_nodes look_above make_alone make_turning", turns={"make_any": 16})  # with a field
STRIP = dict(cold="ask_mirrored", turns={"gpu_copies_wait": 16})  # without the rows that a block makes before columns


# By the kernel's name, as a regular expression.
KERNELS = {
    "samples_of<widen>": row("sample", 6, 4),
    "samples_of<narrow>": row("sample", 6, 4),
    "samples_of<scale>": row("sample", 8, 4),
    "samples_of<(difference|predict)>": row("sample", 12, 4),
    "samples_of<(score|weigh|settle)>": row("sample", 12, 4),
    "samples_of<whiten>": row("frequency", 16, 4),
    "add_pieces<false>": row("sample", 4, 8, loop=True),
    "add_pieces<true>": row("sample", 8, 8, loop=True),
    "load<unsigned short>": row("sample", 6, 4, cold="domain_line kin_mirror"),
    "keep_rows": row("sample", 6, 4, loop=True),
    "pixels_of<cut>": row("pixel", 6, 4),
    "pixels_of<taper>": row("pixel", 12, 4),
    "bin_known<2>": row("bin", 10, 4, cold="bin_pixels pixel_binned"),
    "bin_known<4>": row("bin", 34, 4, cold="bin_pixels pixel_binned"),
    "median_all": row("median", 8, 64, block=128, cold="medians_at_edges", turns={"medians_inside": 8}),
    "gauss_strips<4, 16, 128, 4>": row("sample, sigma 1", 8, 16 * 16, 256, 50688, **STRIP),
    "gauss_strips<16, 32, 128, 3>": row("sample, sigma 8", 8, 16 * 32, 128, 74368, "ask_mirrored",
                                        {"gauss_add": 2, "ask_inside": 2, **STRIP["turns"]}),
    "find_peak<8>": row("score", 4 + 12 / 8, 8),
    "find_peak<12>": row("score", 4 + 12 / 12, 12),
    "find_peak<16>": row("score", 4 + 12 / 16, 16),
    "find_peak<20>": row("score", 4 + 12 / 20, 20),
    "find_peak<24>": row("score", 4 + 12 / 24, 24),
    "find_peak<28>": row("score", 4 + 12 / 28, 28),
    "find_peak<32>": row("score", 4 + 12 / 32, 32),
    "measure_down": row("pixel", 2.5, 32 * 16, block=32, cold="read_edge read_shifted", turns={"make_bin": 16}),
    "measure_boxes<known_shape<3, 1> >": row("pixel", 10, 8, shared=12300),
    "measure_boxes<known_shape<5, 1> >": row("pixel", 10, 8, shared=12300),
    "warp<true, false>": row("pixel", 5, 64, block=128, shared=SEEN, **WARPED),
    "warp<false, false>": row("pixel", 4, 64, block=128, shared=SEEN, **WARPED),
    "warp<true, true>": row("pixel", 5, 64, block=128, shared=SEEN + 35 * 16 + 8 * 512, **MOVED),
    "warp<false, true>": row("pixel", 4, 64, block=128, shared=SEEN + 35 * 16 + 8 * 512, **MOVED),
    "place": row("pixel", 14, 4, cold="edge_tap"),
    "blend<true>": row("pixel under two tiles", 11, 8, turns={"add_tile": 2}, cached="meet_tiles"),
    "blend<false>": row("pixel under two tiles, in two bands", 19, 4, cold="mosaic_value", turns={"add_tile": 2},
                        cached="meet_tiles"),
    "multiply_pieces": row("frequency", 24, 4, loop=True),
    "add_rows": row("pixel", 4, 4, loop=True),
    "tally_rows": row("pixel", 2, 4, block=320, loop=True),
    "rows_of<cosine_fold, rl_load>": row("sample", 8, 32, **LINES),
    "rows_of<cosine_fold, rl_store>": row("sample", 8, 32, **LINES),
    "rows_of<cosine_fold, rl_divide>": row("sample", 12, 32, **ASKED),
    "rows_of<cosine_fold, rl_multiply>": row("sample", 12, 32, **LINES),
    "rows_of<cosine_fold, rl_go_on>": row("sample", 20, 32, **LINES),
    "rows_of<real_fold, rl_divide>": row("sample", 12, 32, **ASKED),
    "rows_of<real_fold, rl_go_on>": row("sample", 20, 32, **LINES),
    "columns_of<cosine_fold, (true|false)>": row("sample", 8, 32, **LINES),
    "columns_of<complex_fold, (true|false)>": row("sample", 8, 32, **LINES),
    "blur_columns<pair, pair>": row("sample, 8 pairs of taps", 9.8, 16, 160, 15000, "blur_any block fill_column",
                                    turns={"add_even": 2}),
    "regularise<(true, true|true, false|false, true), 2>": row("sample", 12, 8 * 24, turns={"step": 8}),
    "cross": row("frequency", 24, 2, loop=True),
    "(step|split|project|weigh|sparse)_images": row("value", 24, 4, loop=True),
}


def row_of(name):
    return next((made for pattern, made in KERNELS.items() if re.fullmatch(pattern, name)), None)


def room(registers, static, made):
    """Threads that a multiprocessor has room for at once. Each quarter of it has its own registers."""
    warps = (made["block"] + 31) // 32
    of_warp = (max(registers, 1) * 32 + 255) // 256 * 256
    blocks = min(BLOCKS, THREADS // made["block"], 4 * (REGISTERS // 4 // of_warp) // warps)
    shared = static + made["shared"] + (0 if static else 1024)
    return min(blocks, SHARED // shared) * made["block"]


def count(kernel, made):
    """(Cost of the way, or of one turn of the loop that is counted, for its results; whether that is a loop)."""
    cost = kernel.way(made["cold"], made["turns"])
    if made["loop"] and kernel.loops:
        inner = [once for _, _, once, outer in kernel.loops if not outer and once.cold * 2 < once.all()]
        return max(inner, key=lambda once: once.moves), True
    return cost, False


def print_row(kernel, words, made):
    cost = count(kernel, made)[0].times(1 / made["results"])
    time = max(cost.all(), *(cost.units[unit] * UNITS[unit] for unit in UNITS))
    shown = [cost.units["fp32"] + cost.units["whole products"], cost.units["integer"], cost.units["memory"]]
    cells = [f"{n:.1f}" for n in shown + [cost.all() - sum(shown)]]
    leaves = [ISSUED / copy / GOAL * made["size"] for copy in COPIES.values()]
    verdict = "memory" if time <= leaves[1] else "memory on an H100" if time <= leaves[0] else "instructions"
    static = int(words["SHARED"])
    print(f"| {kernel.name} | {made['what']} | {words['REG']} | {words['STACK']} | {max(static - 1024, 0) + made['shared']} "
          f"| {room(int(words['REG']), static, made)} | " + " | ".join(cells) +
          f" | {cost.all():.1f} | {time:.1f} | {leaves[0]:.0f} | {leaves[1]:.0f} | {verdict} |")


def print_played(kernel, words, made):
    cost, loop = count(kernel, made)
    way, threads = list(cost.instructions()), room(int(words["REG"]), int(words["SHARED"]), made)
    cells = []
    for copy in COPIES.values():
        share, rate, waits = multiprocessor.share(
            way, made["cached"], made["asked"], made["size"] * made["results"] * multiprocessor.LANES, (made["block"] + 31) // 32,
            threads // made["block"], copy / MULTIPROCESSORS / CLOCK, loop)
        cells += [f"{100 * share:.0f} %", f"{rate:.1f}", ", ".join(f"{what} {100 * n:.0f} %" for what, n in waits.items()
                                                                 if n >= 0.1)]
    print(f"| {kernel.name} | {threads} | " + " | ".join(cells) + " |", flush=True)


def main():
    words = [word for word in sys.argv[1:] if word not in ("--loops", "--play")]
    paths = [word for word in words if pathlib.Path(word).exists()]
    names = [word for word in words if word not in paths]
    try:
        found = []
        for path in paths or ["build/kintsugi-image-cuda.so"]:
            found += machine_code.kernels_of(path, ARCH)
    except machine_code.Missing as why:
        sys.exit(f"instructions: {why}")
    play = "--play" in sys.argv
    print("| kernel | threads |" + "".join(f" {card}: of a copy | instructions a cycle | waits for |" for card in COPIES) +
          "\n|" + "---|" * 8 if play else
          "| kernel | a result | registers | on the stack | shared | threads | fp32 | integer | load, store | other | all "
          "| as time | " + " | ".join(f"{card} leaves" for card in COPIES) + " | bound by |\n|" + "---|" * 15)
    others = []
    for kernel, usage in sorted(found, key=lambda one: one[0].name):
        made = row_of(kernel.name)
        if names and not any(re.search(name, kernel.name) for name in names):
            continue
        if made:
            (print_played if play else print_row)(kernel, usage, made)
        else:
            others.append((kernel, usage))
        if "--loops" in sys.argv:
            for where, n, once, _ in kernel.loops:
                print(f"    {n:g} x {once.all()} {dict(once.units)}, {once.moves} loads and stores: {' '.join(where)}")
    if not play:
        print("\nOnly registers and stack: " + ", ".join(
            f"{kernel.name} {usage['REG']}" + (f" (stack {usage['STACK']})" if usage["STACK"] != "0" else "")
            for kernel, usage in others))


main()
