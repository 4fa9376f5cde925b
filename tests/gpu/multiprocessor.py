# SPDX-License-Identifier: MIT
"""One multiprocessor of a card, played: its warps go their way through a kernel (machine_code.py) and wait as the machine
code says, for cycles and for scoreboards, and for what they share: the scheduler and the units of their quarter, the
load and store units, and their share of the card's memory.

Cycles are about those that are published of Hopper cards under load. All that a warp loads or stores lies together, and
no two lanes want the same bank. What is not played: the cache of instructions, the order of the memory's own work, waiting
for what is copied to shared memory past the registers, and that data may still be in a cache, but for what the caller
names.
"""
import collections
import heapq
import re

LANES, QUARTERS = 32, 4
LAUNCH = 300   # from the end of a block to the first instruction of the next one in its place
BARRIER = 20   # from the last warp's arrival
BRANCH = 8     # to the next instruction, beyond what the code says
OPERANDS = 12  # until a load or store has read its registers
MEMORY = 800   # until a load is there that no cache has
NEAR = 300     # that the card's last cache (L2) has
LINE = 128     # bytes that it is asked for ahead by one lane
THERE = {"LDG": 40, "LD": 35, "LDS": 30, "SHFL": 25, "LDC": 40, "ULDC": 40, "MUFU": 30}  # until other results are
ANY = 30       # of others

# Cycles for which a warp's instruction takes a unit of its quarter. A quarter has two for products and sums, of which
# one knows whole products.
BUSY = {"integer": 2, "slow": 8, "fp64": 2}


def width_of(op):
    """Bytes of a lane that a load or store moves."""
    if op.startswith("CCTL"):
        return LINE
    size = re.search(r"\.(?:[US])?(8|16|64|128)\b", op)
    return int(size[1]) // 8 if size else 4


def name_of(made):
    return made.op.split(".")[0]


class Code:
    """A warp's way. cached: functions or instructions whose loads a cache or shared memory has; asked: functions
    whose loads the block has asked for before, so that the card's last cache has them; size: bytes that the card's memory must move
    for it."""

    def __init__(self, way, cached, asked, size):
        self.way = way
        far = [made.moves and name_of(made) in ("LDG", "LDGSTS", "STG", "LD", "ST", "RED", "REDG", "CCTL")
               and made.op not in cached and not cached.intersection(made.inside) for made in way]
        self.asked = [so and name_of(made) == "LDG" and bool(asked.intersection(made.inside))
                      for so, made in zip(far, way)]
        self.far = [so and not there for so, there in zip(far, self.asked)]
        moved = sum(width_of(made.op) for made, far in zip(way, self.far) if far) * LANES
        self.scale = size / moved if moved else 0


class Warp:
    def __init__(self, block, quarter):
        self.block, self.quarter, self.at = block, quarter, 0
        self.free, self.held = [0] * 6, [""] * 6  # scoreboards: until when, by what


class Block:
    def __init__(self, warps):
        self.left, self.arrived = warps, []
        self.asked = 0  # when the card's last cache has what the block asked for


class Multiprocessor:
    """rate: bytes a cycle of the card's memory."""

    def __init__(self, code, rate):
        self.code, self.rate = code, rate
        self.issue, self.units = [0] * QUARTERS, collections.Counter()  # when they are free
        self.lsu = self.memory = 0
        self.queue, self.order, self.issued = [], 0, 0
        self.spent = collections.Counter()  # cycles of warps

    def put(self, when, warp):
        self.order += 1
        heapq.heappush(self.queue, (when, self.order, warp))

    def begin(self, now, number, warps):
        block = Block(warps)
        for i in range(warps):
            self.put(now + i, Warp(block, (number * warps + i) % QUARTERS))

    def play(self, warps, resident, blocks):
        """The cycles that blocks of so many warps take, of which so many are there at once."""
        begun, now = min(resident, blocks), 0
        for number in range(begun):
            self.begin(10 * number, number, warps)
        while self.queue:
            now, _, warp = heapq.heappop(self.queue)
            if self.step(now, warp):
                continue
            warp.block.left -= 1
            if not warp.block.left and begun < blocks:
                self.begin(now + LAUNCH, begun, warps)
                begun += 1
        return now

    def unit(self, made, quarter, now):
        """When the unit is free that carries it out; it is taken if that is now."""
        if made.unit in ("fp32", "whole products"):
            halves = [(quarter, "products"), (quarter, "sums")][:2 if made.unit == "fp32" else 1]
            key, busy = min(halves, key=lambda half: self.units[half]), 2
        elif made.unit in BUSY:
            key, busy = (quarter, made.unit), BUSY[made.unit]
        else:
            return now
        free = self.units[key]
        if free <= now:
            self.units[key] = now + busy
        return max(free, now)

    def finish(self, made, at, now, block):
        """When its result is there, when its operands have been read."""
        name = name_of(made)
        if made.unit != "memory":
            return now + THERE.get(name, ANY), now + OPERANDS
        size = width_of(made.op) * LANES
        start = max(self.lsu, now)
        self.lsu = start + max(1, size // 128)
        there = start + THERE.get(name, ANY)
        if self.code.far[at]:
            self.memory = max(self.memory, start) + size * self.code.scale / self.rate
            there = self.memory + MEMORY
        elif self.code.asked[at]:
            there = max(start + NEAR, block.asked)
        if name == "CCTL":
            block.asked = max(block.asked, there)
        return there, start + OPERANDS

    def step(self, now, warp):
        """A warp's next instruction, if it can be issued now; False if it was the last."""
        made = self.code.way[warp.at]
        far = self.code.far[warp.at] or self.code.asked[warp.at]
        ready = max(now, self.issue[warp.quarter])
        why = "issue"
        if ready == now:
            ready, why = self.unit(made, warp.quarter, now), made.unit
        if ready > now:
            self.spent[why] += ready - now
            self.put(ready, warp)
            return True
        self.issue[warp.quarter] = now + 1
        self.issued += 1
        if made.written is not None or made.read is not None or made.unit == "memory":
            for board, when in zip((made.written, made.read), self.finish(made, warp.at, now, warp.block)):
                if board is not None and when > warp.free[board]:
                    warp.free[board], warp.held[board] = when, "memory" if far and board == made.written else name_of(made)
        warp.at += 1
        if warp.at == len(self.code.way):
            return False
        after = now + max(1, made.stall) + (BRANCH if made.op.startswith("BRA") else 0)
        self.spent["code"] += after - now
        for board in self.code.way[warp.at].wait:
            if warp.free[board] > after:
                self.spent[warp.held[board]] += warp.free[board] - after
                after = warp.free[board]
        if made.op.startswith("BAR"):
            self.arrive(after, warp)
        else:
            self.put(after, warp)
        return True

    def arrive(self, now, warp):
        waiting = warp.block.arrived
        waiting.append((now, warp))
        if len(waiting) == warp.block.left:
            last = max(when for when, _ in waiting) + BARRIER
            for when, other in waiting:
                self.spent["barrier"] += last - when
                self.put(last, other)
            warp.block.arrived = []


def share(way, cached, asked, size, warps, resident, rate, loop):
    """(Share of the memory's bytes that are moved, instructions a cycle, {what warps wait for: share of their time}): by
    what more work takes once all warps have come apart, turns of a loop or blocks."""
    ends, issued, played = [], [], None
    long = len(way) * warps * resident > 200000  # in which warps come apart within a block's time
    steps = ((6, 1), (18, 1)) if loop else ((1, 1), (1, 3)) if long else ((1, 3), (1, 6))
    for turns, waves in steps:
        played = Multiprocessor(Code(way * turns, cached, asked, size * turns), rate)
        ends.append(played.play(warps, resident, resident * waves))
        issued.append(played.issued)
    more = steps[1][0] * steps[1][1] - steps[0][0] * steps[0][1]
    cycles, all_spent = ends[1] - ends[0], sum(played.spent.values())
    waits = {what: n / all_spent for what, n in played.spent.most_common()}
    return more * resident * warps * size / cycles / rate, (issued[1] - issued[0]) / cycles, waits
