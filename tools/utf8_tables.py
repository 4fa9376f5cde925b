#!/usr/bin/env python3
"""Writes src/base/utf8_tables.h from Python's own Unicode data:

    python3 tools/utf8_tables.py > src/base/utf8_tables.h

A class is a sorted list of ranges {first, last}; a case mapping a sorted list of
{first, last, step, delta}: every step-th code point of the range moves by delta. Mappings to several
code points stand in a table of their own.
"""
import sys
import unicodedata

POINTS = range(sys.maxunicode + 1)


def ranges(wanted):
    found = []
    for cp in POINTS:
        if wanted(chr(cp)):
            if found and found[-1][1] == cp - 1:
                found[-1][1] = cp
            else:
                found.append([cp, cp])
    return found


def put_class(name, wanted):
    rows = ranges(wanted)
    print(f"static const struct range {name}[] = {{")
    line = ""
    for first, last in rows:
        item = f"{{0x{first:X}, 0x{last:X}}}, "
        if len(line) + len(item) > 94:
            print("    " + line.rstrip())
            line = ""
        line += item
    print("    " + line.rstrip() + "\n};\n")


def put_mapping(name, mapping):
    """mapping: {cp: cp}; greedy runs of step 1 or 2 with one delta."""
    rows = []
    for cp in sorted(mapping):
        delta = mapping[cp] - cp
        if rows:
            first, last, step, have = rows[-1]
            gap = cp - last
            if have == delta and (gap == step or (first == last and gap in (1, 2))):
                rows[-1] = (first, cp, gap, delta)
                continue
        rows.append((cp, cp, 1, delta))
    print(f"static const struct shift {name}[] = {{")
    line = ""
    for first, last, step, delta in rows:
        item = f"{{0x{first:X}, 0x{last:X}, {step}, {delta}}}, "
        if len(line) + len(item) > 94:
            print("    " + line.rstrip())
            line = ""
        line += item
    print("    " + line.rstrip() + "\n};\n")


def simple(method):
    return {cp: ord(getattr(chr(cp), method)()) for cp in POINTS
            if len(getattr(chr(cp), method)()) == 1 and getattr(chr(cp), method)() != chr(cp)}


def put_special(name, method):
    print(f"static const struct special {name}[] = {{")
    for cp in POINTS:
        text = getattr(chr(cp), method)()
        if len(text) > 1:
            row = ", ".join(f"0x{ord(c):X}" for c in text)
            print(f"    {{0x{cp:X}, {{{row}}}}},")
    print("};\n")


def main():
    print("// SPDX-License-Identifier: MIT")
    print(f"/* utf8_tables.h: Unicode {unicodedata.unidata_version}; written by tools/utf8_tables.py, "
          "not by hand. */")
    print("#pragma once\n")
    for name, wanted in [
            ("alpha", str.isalpha), ("decimal", str.isdecimal), ("digit", str.isdigit),
            ("numeric", str.isnumeric), ("upper_class", str.isupper), ("lower_class", str.islower),
            ("title_class", lambda c: unicodedata.category(c) == "Lt"),
            ("space", str.isspace), ("printable", str.isprintable),
            ("ident_start", str.isidentifier), ("ident", lambda c: ("a" + c).isidentifier()),
            ("wide_class", lambda c: unicodedata.east_asian_width(c) in "WF"),
            ("no_width", lambda c: unicodedata.category(c) in ("Mn", "Me", "Cf"))]:
        put_class(name + "_ranges", wanted)
    for method in ("lower", "upper", "title", "casefold"):
        put_mapping(f"{method}_shifts", simple(method))
    for method in ("lower", "upper", "title", "casefold"):
        put_special(f"{method}_special", method)


main()
