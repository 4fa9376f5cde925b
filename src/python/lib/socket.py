# SPDX-License-Identifier: MIT
# socket: what is known without opening one.
from _process import hostname as gethostname

error = OSError
AF_INET = 2
SOCK_STREAM = 1


def getfqdn(name=""):
    return name or gethostname()


def socket(*args, **kwargs):
    raise NotImplementedError("sockets are not supported")
