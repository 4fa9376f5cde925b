# SPDX-License-Identifier: MIT
# urllib: parse; what else there is, is python3's.
import _imp


def __getattr__(name):
    if name not in ("error", "response"):  # urllib.request brings them along
        raise AttributeError("module 'urllib' has no attribute %r" % name)
    return _imp.elsewhere("urllib." + name)
