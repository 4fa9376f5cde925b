# SPDX-License-Identifier: MIT
# importlib.util is python3's.
import _imp


def find_spec(name, package=None):
    # Asked for anew each time: python3 then looks where sys.path of the workflow says, too.
    return _imp.elsewhere("importlib.util").find_spec(name, package)


def __getattr__(name):
    return getattr(_imp.elsewhere("importlib.util"), name)
