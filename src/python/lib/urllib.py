# SPDX-License-Identifier: MIT
# urllib: parse; what else there is, is python3's.
import _imp


def __getattr__(name):  # Snakemake has imported them
    if name == "parse":
        return _imp.load("urllib.parse")
    if name not in ("error", "request", "response"):
        raise AttributeError("module 'urllib' has no attribute %r" % name)
    return _imp.elsewhere("urllib." + name)
