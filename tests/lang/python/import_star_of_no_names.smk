# What a module gives away by `import *` must be names; so must what it has there otherwise.
import sys
import tempfile
from pathlib import Path

folder = tempfile.TemporaryDirectory()
Path(folder.name, "says_numbers.py").write_text('__all__ = ["known", 1]\nknown = 2\n')
Path(folder.name, "holds_numbers.py").write_text("known = 3\nglobals()[1] = 4\n")
sys.path.insert(0, folder.name)
for module in "says_numbers", "holds_numbers":
    names = {}
    try:
        exec(f"from {module} import *", names)
    except TypeError as error:
        print(error, names["known"])

# expect: Item in says_numbers.__all__ must be str, not int 2
# expect: Key in holds_numbers.__dict__ must be str, not int 3
