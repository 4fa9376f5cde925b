#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""That the played multiprocessor (multiprocessor.py) comes to what can be worked out by hand."""
import machine_code
import multiprocessor

WARPS, ROOM = 8, 8  # of a block; blocks that there is room for
RATE = 13.0         # bytes that the memory moves in a cycle
count = 0


def ok(good, text):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {text}")


def made(op, stall=1, written=None, wait=(), inside=()):
    instruction = machine_code.Instruction(None, op, "", inside)
    instruction.stall, instruction.written, instruction.wait = stall, written, wait
    return instruction


def play(way, size=0, room=ROOM, cached=(), asked=()):
    return multiprocessor.share(way, frozenset(cached), frozenset(asked), size, WARPS, room, RATE, False)


def within(value, low, high, what):
    ok(low <= value <= high, f"{what}: {value:.2f}, between {low:g} and {high:g}")


def main():
    sums = [made("FADD") for _ in range(400)]
    within(play(sums)[1], 3.8, 4, "sums alone, instructions a cycle")
    within(play([made("FMNMX") for _ in range(400)])[1], 1.9, 2, "of minima half as many")
    launch = multiprocessor.LAUNCH
    within(play([made("FADD", 4) for _ in range(400)], room=1)[1], 0.97 * 3200 / (1600 + launch), 3200 / (1600 + launch),
           "eight warps of which each waits four cycles, and a block after the other")
    load, store = made("LDG.E", written=0), made("STG.E", wait=(0,))
    turns = [load, store] * 20
    copied = play(turns, 40 * 128)
    within(copied[0], 0.97, 1.01, "a copy by many threads, of a copy's speed")
    ok(copied[2]["memory"] > 0.8, "it waits for memory")
    waited = 20 * multiprocessor.MEMORY + launch
    alone = WARPS * 40 * 128 / waited / RATE
    within(play(turns, 40 * 128, room=1)[0], 0.9 * alone, alone, "eight warps that wait for each load")
    at_once = [load] * 20 + [store] + [made("STG.E")] * 19
    ok(play(at_once, 40 * 128, room=1)[0] > 3 * alone, "and that wait for twenty at once")
    waited = 20 * multiprocessor.THERE["LDG"] + launch
    within(play(turns, room=1, cached=["LDG.E", "STG.E"])[1], 0.9 * WARPS * 40 / waited, WARPS * 40 / waited,
           "what a cache has is there sooner, instructions a cycle")
    way = [made("CCTL.E.PF2"), made("BAR.SYNC")] + [made("FADD") for _ in range(1000)]
    way += [made("LDG.E", written=0, inside=["see"]), store]
    far, near = ((2000 + there + launch) for there in (multiprocessor.MEMORY, multiprocessor.NEAR))
    for asked, cycles, what in ((), far, "a load that nothing asked for"), (["see"], near, "what the block asked for"):
        within(play(way, 128, room=1, asked=asked)[1], 0.95 * WARPS * 1004 / cycles, WARPS * 1004 / cycles,
               f"{what}, after a thousand sums, instructions a cycle")
    print(f"1..{count}")


main()
