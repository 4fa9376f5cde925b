#!/usr/bin/env python3
"""Checks every #include against src/LAYERS and kernels/LAYERS: a layer includes only itself and the layers listed for
it, the two wings never include each other, and each foreign library is included by one layer only. In a layer, modules
(NAME.h with NAME.c) that include each other in a circle are few.

    python3 tests/layers.py [ROOT]
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)

# Foreign header (a regular expression): the only files that may include it.
DOORS = {
    r"pcre2.*\.h": ["src/base/regex.c"],
    r"yaml\.h": ["src/modules/yaml_read.c"],
    r"sqlite3.*\.h": ["src/state/db.c"],
    r"iconv\.h": ["src/python/str_codec.c"],
    r"uv\.h|uv/.*": ["src/loop/"],
    r"tiff.*\.h": ["kernels/image/tiff_"],
    r"fftw3.*\.h": ["kernels/device/fft_cpu.c"],
    r"png.*\.h": ["kernels/image/png.c"],
    r"jansson.*\.h": ["kernels/core/json.c"],
    r"cuda.*\.h": ["kernels/cuda/device.h"],
    r"cufft.*\.h": ["kernels/cuda/fft.cu"],
    r"omp\.h": ["kernels/"],
}
# Headers of the C library and the system that anyone may include.
SYSTEM = re.compile(
    r"(assert|complex|ctype|dirent|dlfcn|netdb|errno|fcntl|fenv|float|fnmatch|getopt|glob|grp|inttypes|iso646|langinfo"
    r"|libgen|limits|locale|malloc|math|poll|pthread|pwd|sched|search|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef"
    r"|stdint|stdio|stdlib|stdnoreturn|string|strings|termios|tgmath|time|ucontext|unistd|utime|wchar|wctype|spawn"
    r"|xmmintrin|immintrin|emmintrin)\.h|(sys|linux|arpa|netinet)/\w+\.h")

# The wings, and what all layers of one may include.
FOR_ALL = {"src": [], "kernels": ["kintsugi.h"]}

# The most modules of a layer that may include each other in circles. What Python can do with a value is one knot by nature:
# operations ask types, classes are types, and both make values.
KNOTS = {"python": 10}
KNOT = 3  # of any other


def read_layers(root, wing):
    layers = {}
    for line in (root / wing / "LAYERS").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            layer, _, below = line.partition(":")
            layers[layer.strip()] = set(below.split())
    return layers


def check_order(wing, layers):
    """A layer may only name layers above it in the file: so there is no circle."""
    seen, faults = set(), []
    for layer, below in layers.items():
        faults += [f"{wing}/LAYERS: '{layer}' uses '{name}', which does not stand above it" for name in below - seen]
        seen.add(layer)
    return faults


def check_foreign(where, header):
    for pattern, doors in DOORS.items():
        if re.fullmatch(pattern, header):
            if any(where.startswith(door) if door.endswith(("/", "_")) else where == door for door in doors):
                return None
            return f"only {', '.join(doors)} may include <{header}>"
    if SYSTEM.fullmatch(header):
        return None
    return f"<{header}> is neither the C library's nor listed as a foreign library"


def path_name(header):
    return header.rsplit("/", 1)[-1]


def check_own(root, where, header, layers):
    wing, layer, target = *where.split("/")[:2], header.split("/")[0]
    if header in FOR_ALL[wing]:
        return None
    if "/" not in header:
        return f'"{header}" must carry its layer: "{layer}/{header}"'
    if target not in layers:
        return f'"{header}": there is no layer \'{target}\''
    if target != layer and target not in layers[layer]:
        return f'"{header}": the layer \'{layer}\' may not include \'{target}\' ({wing}/LAYERS)'
    made = root / wing / target / "meson.build"  # names what is generated
    if (root / wing / header).exists() or (made.exists() and path_name(header) in made.read_text()):
        return None
    return f'"{header}" does not exist'


def check_file(root, path, layers):
    where = path.relative_to(root).as_posix()
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text(), flags=re.S)
    wing, layer = where.split("/")[:2]
    if where not in [f"{wing}/{header}" for header in FOR_ALL[wing]] and layer not in layers:
        return [f"{where}: the layer '{layer}' is not in {wing}/LAYERS"]
    for match in INCLUDE.finditer(text):
        bracket, header = match.groups()
        fault = check_foreign(where, header) if bracket == "<" else check_own(root, where, header, layers)
        if fault:
            yield f"{where}:{text.count(chr(10), 0, match.start(1)) + 1}: {fault}"


def knots(below):
    """The sets of modules that include each other in circles: strongly connected components (Tarjan, SIAM J. Comput.
    1:146, 1972)."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(module):
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in below[module]:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            at = stack.index(module)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for module in below:
        if module not in number:
            visit(module)
    return found


def check_knots(root, wing, files, layers):
    for layer in layers:
        here = [path for path in files if path.is_relative_to(root / wing / layer)]
        below = {path.stem: set() for path in here}
        for path in here:
            names = (path_name(header) for bracket, header in INCLUDE.findall(path.read_text())
                     if bracket == '"' and header.startswith(layer + "/"))
            below[path.stem] |= {pathlib.Path(name).stem for name in names} & below.keys() - {path.stem}
        for knot in knots(below):
            if len(knot) > KNOTS.get(layer, KNOT):
                yield f"{wing}/{layer}: {len(knot)} modules include each other in circles: {' '.join(knot)}"


def check_wing(root, wing):
    """The number of files, and what is wrong with them."""
    layers = read_layers(root, wing)
    faults = check_order(wing, layers)
    files = [path for path in sorted((root / wing).rglob("*")) if path.suffix in (".c", ".h", ".inc", ".cu", ".cuh")]
    for path in files:
        faults += check_file(root, path, layers)
    return len(files), faults + list(check_knots(root, wing, files, layers))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    counts, faults = zip(*(check_wing(root, wing) for wing in FOR_ALL))
    files, faults = sum(counts), sum(faults, [])
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{files} files, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
