# inspect and sys._getframe(): the code that runs, what it knows, and the file that it stands in.
import inspect
import os
import sys


def caller():
    frame = inspect.currentframe().f_back
    return frame.f_code.co_name, frame.f_globals.get("workflow") is workflow, frame.f_lineno


def outer():
    secret = 3
    return caller(), inspect.currentframe().f_locals


here = inspect.getfile(inspect.currentframe())
print(os.path.isabs(here), os.path.basename(here))  # expect: True code_asks_who_called.smk
print(inspect.getfile(outer) == inspect.getfile(lambda: 0) == here)  # expect: True
print(outer())  # expect: (('outer', True, 14), {'secret': 3})
print(sys._getframe().f_code.co_name, inspect.stack()[0].function)  # expect: <module> <module>
print(inspect.isfunction(outer), inspect.isfunction(3))  # expect: True False
print("workflow" in globals(), globals()["workflow"] is workflow)  # expect: True True


rule all:
    input: []
# args: -n
