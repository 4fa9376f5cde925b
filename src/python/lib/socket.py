# SPDX-License-Identifier: MIT
# socket: what is known without opening one; the rest is python3's.
import _imp
from _process import hostname as gethostname

error = OSError


def getfqdn(name=""):
    return name or gethostname()


def __getattr__(name):
    return getattr(_imp.elsewhere("socket"), name)
