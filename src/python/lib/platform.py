# SPDX-License-Identifier: MIT
# platform; what is not here is python3's.
import _imp
import _process
from collections import namedtuple as _namedtuple

uname_result = _namedtuple("uname_result", "system node release version machine")


def uname():
    return uname_result(*_process.uname())


def system():
    return uname().system


def node():
    return uname().node


def release():
    return uname().release


def version():
    return uname().version


def machine():
    return uname().machine


def processor():
    return ""


def architecture(*args):
    return "64bit", "ELF"


def python_version():
    return "3.12.0"


def python_version_tuple():
    return "3", "12", "0"


def python_implementation():
    return "CPython"


def platform(aliased=False, terse=False):
    found = uname()
    return "%s-%s-%s" % (found.system, found.release, found.machine)


def __getattr__(name):
    return getattr(_imp.elsewhere("platform"), name)
