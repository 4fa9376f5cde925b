# A misspelt attribute of a module: the nearest one is named.
# ours only: Python words the hint in another way
import os

os.path.jion("a", "b")
# expect error: AttributeError: module 'os.path' has no attribute 'jion'
# expect error: did you mean 'join'?
