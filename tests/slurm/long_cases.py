# SPDX-License-Identifier: MIT
"""long_cases.py: tests on the cluster that take minutes: they stop daemons, break nodes, kill the engine many times, and count."""

CASES = []
