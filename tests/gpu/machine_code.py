# SPDX-License-Identifier: MIT
"""The machine code of kernels, as nvdisasm prints it: instructions with the functions that they come from, and the way
through them that a thread goes.

Of the ways through a kernel, or once round a loop, a thread goes the one with the most loads and stores of the fewest
instructions: where a kernel asks whether all is there and reads without a branch if so, it is there. What the caller
names as cold is not on it. A loop that is not named turns once.
"""
import collections
import functools
import os
import pathlib
import re
import subprocess
import sys

sys.setrecursionlimit(100000)

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
LABEL = re.compile(r"^(\.L_x_\d+|\$[^:\s]+|[A-Za-z_]\S*):$")
CODE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z]\S*)\s*(.*?)\s*;")
CONTROL = re.compile(r"^\s*/\* 0x([0-9a-f]{16}) \*/$")  # the upper half of an instruction, on a line of its own
PLACE = re.compile(r'File "([^"]+)", line (\d+)')
TARGET = re.compile(r"`\(([^)]+)\)")
DEFINED = re.compile(r"^(?:    )?(?!(?:if|for|while|switch|return|else)\b)[\w:<>,*&\s]*?\b([a-z]\w*)\((?!.*;\s*$)")

# Where instructions are carried out; every one takes a quarter of a multiprocessor a cycle for its 32 threads, those of
# the slower units more of these.
CLASSES = [
    ("fp64", re.compile(r"^(D(ADD|MUL|FMA|SETP|MNMX))\b")),
    ("memory", re.compile(r"^(LDG|STG|LDS|STS|LDL|STL|LD|ST|CCTL|ATOM|ATOMS|ATOMG|RED|SHFL|LDGSTS|LDSM|VOTE)\b")),
    ("slow", re.compile(r"^(MUFU|F2I|I2F|F2F|FRND|POPC|FLO|BREV)\b")),
    ("whole products", re.compile(r"^(IMAD|IMUL|IDP)\b")),
    ("fp32", re.compile(r"^(FADD|FMUL|FFMA|HFMA2|HADD2|HMUL2|FSWZADD)\b")),
    ("integer", re.compile(r"^(FMNMX|FSETP|FSEL|FCHK|FSET|IADD3?|LOP3?|LEA|SHF|SHL|SHR|ISETP|IMNMX|SEL|PRMT|VI\w+|I2FP"
                           r"|F2FP|I2I|I2IP|IABS|BMSK|SGXT|ISCADD|PLOP3|P2R|R2P|MOV|LEPC|VABSDIFF4?|F2IP|CSEL)\b")),
]
UNITS = ["fp32", "whole products", "integer", "memory", "slow", "fp64", "other"]


class Missing(Exception):
    """A tool that is not there, or a file that it cannot read."""


def tool(name):
    """Its path: on PATH, in CUDA_HOME, in the toolkit's usual place."""
    for folder in os.environ["PATH"].split(":") + [os.environ.get("CUDA_HOME", "") + "/bin", "/usr/local/cuda/bin"]:
        if os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    raise Missing(f"{name} is not there. It is part of the CUDA toolkit, or: pip install nvidia-cuda-{name}")


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{command[0]}: {(done.stderr or done.stdout).strip()[:300]}")
    return done.stdout


@functools.lru_cache(None)
def functions_of(path):
    """[(line, name)]: where the functions of a source begin."""
    found, before = [], ""
    source = KERNELS / pathlib.Path(path).parent.name / pathlib.Path(path).name  # it may have been compiled elsewhere
    if not source.exists():
        return found
    lines = source.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        made = DEFINED.match(line)
        if made and (re.search(r"__device__|__global__|KIN_INLINE|constexpr", before + line)):
            found.append((number, made[1]))
        before = line if re.search(r"__device__|__global__|template", line) else ""
    return found


@functools.lru_cache(None)
def function_at(path, line):
    name = ""
    for first, here in functions_of(path):
        if first > line:
            break
        name = here
    return name


class Instruction:
    def __init__(self, guard, op, words, inside):
        self.guard, self.op, self.words, self.inside = guard, op, words, inside
        name = op.split(".")[0]
        self.unit = next((unit for unit, names in CLASSES if names.match(name)), "other")
        self.target = TARGET.search(words)
        self.target = self.target and self.target[1]
        self.moves = self.unit == "memory" and name not in ("SHFL", "VOTE", "LDL", "STL")
        self.stall, self.wait, self.written, self.read = 1, (), None, None

    def controlled(self, word):
        """What its upper half says of waiting: cycles until the warp's next one; the scoreboards that must be free
        before; the one that its result holds and the one that it holds until it has read its operands."""
        bits = word >> 41
        self.stall = bits & 15
        self.written, self.read = (None if n == 7 else n for n in (bits >> 5 & 7, bits >> 8 & 7))
        self.wait = tuple(n for n in range(6) if bits >> 11 + n & 1)


class Block:
    """Instructions up to a branch or a label. next: the blocks that may follow."""

    def __init__(self, first):
        self.first, self.code, self.next, self.calls = first, [], [], []


def read_sections(text):
    """{section: (instructions by order, {label: index})} of nvdisasm's text."""
    sections, code, labels, inside, fresh = {}, None, None, (), True
    for line in text.splitlines():
        if line.startswith(".text."):
            code, labels = [], {}
            sections[line[6:-1]] = (code, labels)
            continue
        if line.startswith("\t.section") or line.startswith("//----"):
            code = None
        if code is None:
            continue
        place = PLACE.search(line) if "//## File" in line else None
        if place:
            name = function_at(place[1], int(place[2]))
            inside, fresh = ((name,) if fresh else inside + (name,)), False
            continue
        label, made, control = LABEL.match(line.strip()), CODE.match(line), CONTROL.match(line)
        if label:
            labels[label[1]] = len(code)
        elif made:
            code.append(Instruction(made[2], made[3], made[4], inside))
            fresh = True
        elif control:
            code[-1].controlled(int(control[1], 16))
    return sections


def blocks_of(code, labels):
    starts = {0} | set(labels.values())
    for i, made in enumerate(code):
        if re.match(r"(BRA|EXIT|RET|BRX|CALL|BREAK|BSYNC)\b", made.op):
            starts.add(i + 1)
    order = sorted(start for start in starts if start < len(code))
    blocks = {start: Block(start) for start in order}
    for start, end in zip(order, order[1:] + [len(code)]):
        block = blocks[start]
        block.code = code[start:end]
        last = block.code[-1]
        name = last.op.split(".")[0]
        through = last.guard or name not in ("BRA", "EXIT", "RET", "BRX")
        if name == "BRA" and last.target in labels:
            through = through or re.match(r"U?P|!U?P", last.words) or ".DIV" in last.op  # DIV: if the warp is apart
            block.next.append(labels[last.target])
        if name == "BRX":
            block.next += [labels[to] for to in re.findall(r"\.L_x_\d+", last.words) if to in labels]
        if name == "CALL":
            block.calls.append(last.target)
        if through and end < len(code):
            block.next.append(end)
        block.next = [to for to in dict.fromkeys(block.next) if to in blocks]
    return blocks


class Cost:
    """What a way costs: instructions of each unit; `cold` of them should not be on it, `moves` are loads and stores.
    parts: what it is made of, instructions and (number, parts)."""

    def __init__(self, units=None, cold=0, moves=0, parts=()):
        self.units, self.cold, self.moves, self.parts = units or collections.Counter(), cold, moves, parts

    def __add__(self, other):
        parts = ((1, self.parts), (1, other.parts)) if self.parts and other.parts else self.parts or other.parts
        return Cost(self.units + other.units, self.cold + other.cold, self.moves + other.moves, parts)

    def times(self, n):
        return Cost(collections.Counter({k: v * n for k, v in self.units.items()}), self.cold * n, self.moves * n,
                    ((n, self.parts),))

    def instructions(self):
        """All of them, in order."""
        todo = [(1, self.parts)]
        while todo:
            n, parts = todo.pop()
            if isinstance(parts, Instruction):
                yield parts
            else:
                todo += [part for part in reversed(parts)] * n

    def all(self):
        return sum(self.units.values())

    def rank(self):
        """The lower, the sooner a thread goes this way: a few cold instructions may have been moved onto it."""
        return self.all() + 4 * self.cold - 200 * self.moves


def loops_of(blocks, entry):
    """[(header, blocks, sources of the edges back)], inner loops before outer ones."""
    state, back, stack = {}, collections.defaultdict(set), [(entry, iter(blocks[entry].next))]
    state[entry] = 1
    while stack:
        at, rest = stack[-1]
        for to in rest:
            if state.get(to) == 1:
                back[to].add(at)
            elif to not in state:
                state[to] = 1
                stack.append((to, iter(blocks[to].next)))
                break
        else:
            state[at] = 2
            stack.pop()
    before = collections.defaultdict(set)
    for at in state:
        for to in blocks[at].next:
            before[to].add(at)
    loops = []
    for header, sources in back.items():
        body, todo = {header}, list(sources)
        while todo:
            at = todo.pop()
            if at not in body:
                body.add(at)
                todo += before[at]
        loops.append((header, body, sources))
    return sorted(loops, key=lambda loop: len(loop[1]))


class Kernel:
    def __init__(self, name, section, everything):
        self.name, (self.code, self.labels), self.everything = name, section, everything
        self.blocks = blocks_of(self.code, self.labels)
        self.loops = []  # (functions, turns, Cost of one, whether another loop is in it) of the last way()

    def cost_of(self, block, cold, turns):
        cost = Cost()
        for made in block.code:
            is_cold = bool(cold.intersection(made.inside))
            cost += Cost(collections.Counter({made.unit: 1}), int(is_cold), int(made.moves and not is_cold),
                         ((1, made),))
        for name in block.calls:
            cost += self.called(name, cold, turns)
        return cost

    def called(self, name, cold, turns):
        """Of a function that is not inlined."""
        if name in self.labels:
            return self.way_from(self.labels[name], cold, turns)
        section = self.everything.get(name)
        return Kernel(name, section, self.everything).way_from(0, cold, turns) if section else Cost()

    def way(self, cold=(), turns=None):
        self.loops = []
        return self.way_from(0, frozenset(cold), turns or {})

    def way_from(self, entry, cold, turns):
        loops = loops_of(self.blocks, entry)
        own = {}
        inner = {}  # header: (body, one turn)
        def cost(at):
            if at not in own:
                own[at] = self.cost_of(self.blocks[at], cold, turns)
            return own[at]
        def best(at, inside, ends, seen, head):
            """From `at` on, in `inside`, to the end of a block of `ends`; (Cost, end)."""
            if at in seen:
                return seen[at]
            seen[at] = None
            found, leaves = None, [(at, cost(at))]
            if at in inner and at != head:
                body, once, exits = inner[at]
                leaves = [(end, once + extra) for end, extra in exits if end in inside]
            for end, so_far in leaves:
                if end in ends and (not found or so_far.rank() < found.rank()):
                    found = so_far
                for to in self.blocks[end].next:
                    if to not in inside or to == head or (at in inner and at != head and to in inner[at][0]):
                        continue
                    rest = best(to, inside, ends, seen, head)
                    if rest and (not found or (so_far + rest).rank() < found.rank()):
                        found = so_far + rest
            seen[at] = found
            return found
        for header, body, sources in loops:
            once = best(header, body, sources, {}, header)
            if not once:
                continue
            outer = any(other in body for other in inner if other != header)
            ends = sources | {header} if outer else body  # where an outer loop goes on, it is named
            where = {name for at in ends for made in self.blocks[at].code for name in made.inside}
            n = next((turns[name] for name in turns if name in where), 1)
            exits = [at for at in body if any(to not in body for to in self.blocks[at].next)
                     or self.blocks[at].code[-1].op.startswith(("EXIT", "RET"))]
            ends = [(at, best(header, body, {at}, {}, header)) for at in exits]
            inner[header] = (body, once.times(n - 1), [(at, way) for at, way in ends if way])
            self.loops.append((sorted(where), n, once, outer))
        everywhere = set(self.blocks)
        stops = {at for at in everywhere if self.blocks[at].code[-1].op.split(".")[0] in ("EXIT", "RET")}
        return best(entry, everywhere, stops, {}, None) or Cost()


def plain(name):
    """A kernel's name without its arguments and what the compiler adds."""
    name = re.sub(r"\(anonymous namespace\)::|_GLOBAL__N__\w+::|^void ", "", name)
    depth, end = 0, len(name)
    for i, c in enumerate(name):
        depth += (c in "<(") - (c in ">)")
        if c == "(" and depth == 1:
            end = i
            break
    return re.sub(r"\((?:bool|int)\)", "", name[:end])


def kernels_of(path, arch):
    """[(Kernel, {"REG": ..., "STACK": ..., "SHARED": ...})] of a library, an object or a cubin."""
    import tempfile
    cuobjdump, nvdisasm, found = tool("cuobjdump"), tool("nvdisasm"), []
    with tempfile.TemporaryDirectory() as folder:
        images = [pathlib.Path(path).resolve()]
        if not str(path).endswith(".cubin"):
            subprocess.run([cuobjdump, "-xelf", f"sm_{arch}", str(images[0])], cwd=folder, capture_output=True)
            images = sorted(pathlib.Path(folder).glob(f"*sm_{arch}*.cubin"))
            if not images:
                raise Missing(f"{path} has no machine code for sm_{arch} (meson setup -Dgpu_arch={arch})")
        for image in images:
            sections = read_sections(output_of(nvdisasm, "-gi", "-c", "-hex", str(image)))
            usage = output_of(cuobjdump, "-res-usage", str(image))
            names = {}
            for mangled, words in re.findall(r"Function (\S+):\n\s*(.*)", usage):
                names[mangled] = dict(re.findall(r"(\w+):(\d+)", words))
            filt = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True).stdout.split("\n")
            for (mangled, words), name in zip(names.items(), filt):
                if mangled in sections:
                    found.append((Kernel(plain(name), sections[mangled], sections), words))
    return found
