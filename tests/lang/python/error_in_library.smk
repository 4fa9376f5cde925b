# What fails inside of the engine's own library is shown where it was called.
from pathlib import Path


def make(path):
    Path(path).touch()


make("no/such/folder/file")
# expect error: error_in_library.smk:6:5
