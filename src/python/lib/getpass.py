# SPDX-License-Identifier: MIT
# getpass.
import os as _os
from _process import username as _username


def getuser():
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        user = _os.environ.get(name)
        if user:
            return user
    return _username()


def getpass(prompt="Password: ", stream=None):
    raise NotImplementedError("getpass() is not supported: there is nobody to ask")
