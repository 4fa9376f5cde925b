#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what Slurm saw: the jobs at once over time, of the line of JSON that the test device_pools prints.

    tests/slurm/run BUILD/kintsugi-flow device_pools | tests/slurm/concurrency.py > docs/images/pools.svg
"""
import json
import sys

WIDTH, HEIGHT, LEFT, TOP = 720, 170, 60, 30
COLORS = {"gpu": "#2a6fb0", "cpu": "#e0a030"}
TITLES = {"auto": "device: auto", "gpu": "device: gpu"}


def steps(line, value, x, y):
    """A closed stepped outline."""
    points = [(x(0), y(0))]
    for second, *counts in line:
        points += [(x(second), y(value(counts))), (x(second + 1), y(value(counts)))]
    points.append((points[-1][0], y(0)))
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in points)


def panel(name, one, top, longest, most):
    x = lambda second: LEFT + second * (WIDTH - LEFT - 20) / longest
    y = lambda n: top + HEIGHT - n * HEIGHT / most
    both, gpus = max(g + c for _, g, c in one["line"]), max(g for _, g, _ in one["line"])
    out = [f'<text x="{LEFT}" y="{top - 8}" font-weight="bold">{TITLES[name]}: at most {both} at once '
           f'({gpus} on GPUs), {one["makespan"]:.0f} s</text>',
           f'<polygon points="{steps(one["line"], sum, x, y)}" fill="{COLORS["cpu"]}"/>',
           f'<polygon points="{steps(one["line"], lambda c: c[0], x, y)}" fill="{COLORS["gpu"]}"/>']
    for n in range(0, most + 1, 5):
        out.append(f'<text x="{LEFT - 8}" y="{y(n) + 4:.1f}" text-anchor="end">{n}</text>')
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{y(n):.1f}" y2="{y(n):.1f}" stroke="#0002"/>')
    for second in range(0, int(longest) + 1, 30):
        out.append(f'<text x="{x(second):.1f}" y="{top + HEIGHT + 16}" text-anchor="middle">{second} s</text>')
    return out


def main():
    found = next(json.loads(line[2:]) for line in sys.stdin if line.startswith("# {"))
    longest = max(one["line"][-1][0] for one in found.values()) + 1
    most = max(g + c for one in found.values() for _, g, c in one["line"])
    total = len(found) * (HEIGHT + TOP + 34) + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{total}" font-family="sans-serif" '
           'font-size="12">',
           f'<rect width="{WIDTH}" height="{total}" fill="white"/>']
    for i, name in enumerate(found):
        out += panel(name, found[name], TOP + i * (HEIGHT + TOP + 34), longest, most)
    out.append(f'<text x="{LEFT}" y="{total - 6}">jobs at once, by the accounting of Slurm: '
               f'<tspan fill="{COLORS["gpu"]}">on GPUs</tspan>, <tspan fill="{COLORS["cpu"]}">on CPUs</tspan>'
               '</text></svg>')
    print("\n".join(out))


main()
